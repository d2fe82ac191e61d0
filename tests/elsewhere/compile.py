"""Compiles programs of kernels for GPUs that this machine does not have.

usage: compile.py TARGET FOLDER [--tools FOLDER] [--table FILE]

FOLDER has the programs that kernel-programs wrote, and its output in a file named "list". TARGET is a name that a
compiler knows: gfx942, sm_90a, pvc. --tools names the folder with the compilers that no package of the system has.
A program fails if it does not compile. On AMD's GPUs it fails also if registers are spilled, and so does bulk_copy of
floats on NVIDIA's: 24 spilled bytes cost it 15 % of its speed. Each failure is a line, and makes the exit status 1. --table appends a line for each kernel to a file: target, kernel, registers of a work-item.
"""
import argparse
import concurrent.futures
import dataclasses
import os
import pathlib
import re
import subprocess
import sys


@dataclasses.dataclass
class Result:
    errors: list  # lines of the compiler
    registers: int = 0  # of a work-item, the most of the program's kernels; 0: not known


def output_of(command, **options):
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, **options)
    return result.returncode, result.stdout + result.stderr


def failure(text):
    lines = [line for line in text.splitlines() if re.search(r"error|fatal", line)]
    return Result((lines or text.splitlines() or ["no output"])[:3])


def linked(files):
    return [word for file in files for word in ("-Xclang", "-mlink-builtin-bitcode", "-Xclang", str(file))]


class Amd:
    """Clang, with the built-in functions of AMD's library, and of libclc for those that it lacks."""

    def __init__(self, target, _):
        self.target = target
        folder = pathlib.Path("/usr/lib/x86_64-linux-gnu/amdgcn/bitcode")
        is_cdna = target.startswith("gfx9")
        # The library has no newer instruction sets; these have the same built-in functions.
        names = ["opencl", "ocml", "ockl", "oclc_abi_version_500", "oclc_correctly_rounded_sqrt_on", "oclc_daz_opt_off",
                 "oclc_finite_only_off", "oclc_unsafe_math_off",
                 "oclc_wavefrontsize64_" + ("on" if is_cdna else "off"),
                 "oclc_isa_version_" + ("90a" if is_cdna else "1036")]
        self.libraries = [folder / f"{name}.bc" for name in names] + ["/usr/lib/clc/amdgcn-amd-amdhsa.bc"]

    def compile(self, source, options):
        status, text = output_of(
            ["clang-22", "-w", "-x", "cl", "-cl-std=CL2.0", "--target=amdgcn-amd-amdhsa", "-mcpu=" + self.target,
             "-mcode-object-version=5", "-nogpulib", *linked(self.libraries), *options, "-O3",
             "-Rpass-analysis=kernel-resource-usage", source, "-o", source + ".out"])
        if status != 0:
            return failure(text)
        spilled = sum(map(int, re.findall(r" VGPRs Spill: (\d+)", text)))
        scratch = max(map(int, re.findall(r"ScratchSize \[bytes/lane\]: (\d+)", text)), default=0)
        registers = max(map(int, re.findall(r" VGPRs: (\d+)", text)), default=0)
        errors = [f"{spilled} registers spilled, {scratch} bytes of scratch memory"] if spilled or scratch else []
        return Result(errors, registers)


class Nvidia:
    """Clang to PTX, with the lines of PTX for one architecture in effect, then NVIDIA's assembler.

    As for NVIDIA's own compiler, a pointer in a variable is generic, and an array as an argument is private.
    """

    def __init__(self, target, tools):
        self.target = target
        self.assembler = next(pathlib.Path(tools).rglob("ptxas"))

    def compile(self, source, options):
        status, text = output_of(
            ["clang-22", "-w", "-x", "cl", "-cl-std=CL3.0", "-Dasm=__asm__", "-Xclang", "-cl-ext=+all",
             "--target=nvptx64-nvidia-nvcl", "-Xclang", "-target-cpu", "-Xclang", self.target, "-Xclang",
             "-target-feature", "-Xclang", "+ptx87", *linked(["/usr/lib/clc/nvptx64--nvidiacl.bc"]), *options, "-O3",
             "-S", source, "-o", source + ".ptx"])
        if status != 0:
            return failure(text)
        assembly = pathlib.Path(source + ".ptx")
        assembly.write_text(with_bodies(with_externs(assembly.read_text().replace("//@", ""))))
        status, text = output_of([self.assembler, "-c", "-v", "-arch=" + self.target, assembly, "-o", source + ".out"])
        if status != 0:
            return failure(text)
        spilled = re.findall(r"properties for (\w+)\n.* (\d+) bytes spill stores", text)
        errors = [f"{kernel} spills {stores} bytes" for kernel, stores in spilled
                  if int(stores) > 0 and kernel == "multiply_bulk_copy" and "ELEMENT=0" in options]
        return Result(errors, max(map(int, re.findall(r"Used (\d+) registers", text)), default=0))


def with_bodies(assembly):
    """Makes entries of the functions into which Clang puts kernels' bodies, in place of entries that call them.

    An entry's registers and spills are then those of the kernel, as NVIDIA's own compiler has them.
    """
    body = r"^\.func __clang_ocl_kern_imp_(\w+)\s*(\([^)]*\))\s*"
    kernels = re.findall(body + r"\{", assembly, re.MULTILINE)
    for kernel, _ in kernels:
        assembly = re.sub(r"^(\.visible )?\.entry " + kernel + r"\([^)]*\)[^{]*\{.*?^\}\n", "", assembly,
                          flags=re.MULTILINE | re.DOTALL)
    assembly = re.sub(body + ";", "", assembly, flags=re.MULTILINE)
    return re.sub(body + r"(?=\{)", r".visible .entry \1\2\n", assembly, flags=re.MULTILINE)


def with_externs(assembly):
    """Declares functions as external that libclc lacks: those of images, and atomic ones of 64 bits."""
    head = r"^\.func\b((?:\s*\(\.param[^)]*\))?\s*(\w+)[^;{]*)"
    defined = {match[2] for match in re.finditer(head + "{", assembly, re.MULTILINE)}
    return re.sub(head + ";", lambda match: match[0] if match[2] in defined else ".extern " + match[0], assembly,
                  flags=re.MULTILINE)


class Intel:
    def __init__(self, target, tools):
        self.target = target
        compiler = next(pathlib.Path(tools).rglob("ocloc"))
        self.compiler = compiler
        libraries = next(pathlib.Path(tools).rglob("libocloc.so")).parent
        self.environment = {**os.environ, "LD_LIBRARY_PATH": str(libraries)}

    def compile(self, source, options):
        # Its OpenCL C 3.0 does not compile any program for a device without images.
        text_of_options = " ".join(options).replace("CL3.0", "CL2.0" if self.target == "pvc" else "CL3.0")
        status, text = output_of([self.compiler, "compile", "-file", source, "-device", self.target, "-options",
                                  text_of_options, "-out_dir", source + ".out"], env=self.environment)
        return failure(text) if status != 0 else Result([])


def compiler_of(target, tools):
    vendors = {"gfx": Amd, "sm_": Nvidia}
    return vendors.get(target[:3], Intel)(target, tools)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("target")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--tools", type=pathlib.Path)
    parser.add_argument("--table", type=pathlib.Path)
    arguments = parser.parse_args()
    compiler = compiler_of(arguments.target, arguments.tools)
    programs = [line.split("\t") for line in (arguments.folder / "list").read_text().splitlines()]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(
            lambda program: compiler.compile(str(arguments.folder / f"{program[0]}.cl"), program[3].split()), programs))
    failures, most = 0, {}
    for (_, kernel, types, options), result in zip(programs, results):
        most[kernel] = max(most.get(kernel, 0), result.registers)
        if result.errors:
            failures += 1
            print(f"FAILED  {arguments.target} {kernel} {types}: {'; '.join(result.errors)}\n        {options}")
    if arguments.table:
        with arguments.table.open("a") as table:
            table.writelines(f"{arguments.target}\t{kernel}\t{registers}\n" for kernel, registers in most.items())
    if not programs:
        print(f"FAILED  {arguments.target}: no programs")
        return 1
    print(f"{'FAILED' if failures else 'ok'}  {arguments.target}: {len(programs)} programs of {len(most)} kernels, "
          f"{failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

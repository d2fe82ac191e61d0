"""Builds the quick start and a program in C with the package, and runs them."""
import io
import os

from conan import ConanFile
from conan.tools.build import can_run
from conan.tools.cmake import CMake, cmake_layout


class Consumer(ConanFile):
    settings = "os", "arch", "compiler", "build_type"
    generators = "CMakeDeps", "CMakeToolchain"

    def requirements(self):
        self.requires(self.tested_reference_str)

    def layout(self):
        cmake_layout(self)

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def test(self):
        if not can_run(self):
            return
        for program, expected in (("quickstart", "58 64 139 154"), ("product", "7 10 15 22")):
            output = io.StringIO()
            self.run(os.path.join(self.cpp.build.bindir, program), output, env="conanrun")
            if output.getvalue().splitlines()[0].strip() != expected:
                raise AssertionError(f"{program}: expected {expected}, got {output.getvalue()}")

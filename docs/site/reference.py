"""Pages of the reference: which public header is described on which page."""
import re
import textwrap
import xml.etree.ElementTree as tree

# Page, title, headers in the order of the page.
CPP = (
    ("engine", "Devices, engines and streams", ("engine", "stream", "event", "device", "capabilities")),
    ("matrix", "Matrices and views",
     ("matrix", "element_type", "half", "bfloat16", "host_view", "host_matrix", "copy")),
    ("multiply", "Products", ("multiply", "multiply_batched", "matrix_vector", "host_product", "plan", "scalar")),
    ("add", "Sums and fills", ("add", "sums")),
    ("eigen", "Eigenpairs", ("eigen", "eigen_plan", "cancellation")),
    ("distributed", "Eigenpairs on several machines", ("distributed", "mpi")),
    ("tune", "Tuning and kernels as data", ("tune", "profile", "kernel", "problem")),
    ("check", "Checks of kernels and of results", ("check", "verify")),
    ("interop", "Interop with OpenCL", ("interop",)),
    ("error", "Errors, log, cache and version", ("error", "log", "cache", "version")),
)
# Headers without names for programs.
SILENT = ("abi", "export", "tessera")
C = (
    ("base", "Statuses, types and the log"), ("engine", "Devices, engines and streams"), ("matrix", "Matrices"),
    ("multiply", "Products and sums"), ("plan", "Plans"), ("host_product", "Products in host memory"),
    ("eigenpair", "Eigenpairs"), ("tune", "Tuning"),
)


def page_of_header(path):
    """The page that describes a header or a folder of headers of the tree, or None."""
    match = re.fullmatch(r"include/tessera/(c/)?(\w+)\.(hpp|h)", path)
    if path in ("include/tessera/c", "include/tessera/tessera.h"):
        return "reference/c/index.md"
    if path in ("include/tessera", "include/tessera/tessera.hpp"):
        return "reference/cpp/index.md"
    if not match:
        return None
    if match[3] == "h":
        return f"reference/c/{match[2]}.md"
    page = [page for page, _, headers in CPP if match[2] in headers]
    anchor = f"#tessera-{match[2].replace('_', '-')}-hpp"
    return f"reference/cpp/{page[0]}.md{anchor}" if page else None


def summary(header):
    """The sentence with which a header begins."""
    comment = re.match(r"(?://[^\n]*\n)+|/\*.*?\*/", header.read_text(), re.DOTALL)[0]
    words = " ".join(re.sub(r"^(//|/\*| \*/| \*)|\*/$", "", line).strip() for line in comment.splitlines())
    return re.sub(r"\s*See tessera/tessera\.h\.", "", words).split("  ")[0].strip()


def capital(text):
    return text[0].upper() + text[1:]


def breathe(file, project):
    return f"```{{eval-rst}}\n.. doxygenfile:: {file}\n   :project: {project}\n```\n"


def concepts(xml, header):
    """The concepts of a header, which Breathe does not show."""
    text = ""
    for path in sorted(xml.glob("concept*.xml")):
        concept = tree.parse(path).find("compounddef")
        if concept.findtext("includes") != header:
            continue
        name = concept.findtext("compoundname")
        parameters = ", ".join(parameter.text for parameter in concept.iterfind("templateparamlist/param/type"))
        about = " ".join("".join(concept.find("briefdescription").itertext()).split())
        source = "".join(concept.find("initializer").itertext()).replace("tessera::", "").strip()
        text += f".. cpp:concept:: template <{parameters}> {name}\n\n   {about}\n\n   .. code-block:: cpp\n\n"
        text += textwrap.indent(source, "      ") + "\n\n"
    return f"```{{eval-rst}}\n{text}```\n" if text else ""


def cpp_pages(include, xml):
    described = {name for _, _, headers in CPP for name in headers} | set(SILENT)
    headers = {path.stem for path in (include / "tessera").glob("*.hpp")}
    if headers != described:
        raise SystemExit(f"reference.py and include/tessera differ: {sorted(headers ^ described)}")
    index = ("# C++\n\n`tessera/tessera.hpp` includes all headers below except `mpi.hpp`. Everything is in the "
             "namespace `tessera`.\n\n| header | content |\n|---|---|\n")
    for page, title, names in CPP:
        text = f"# {title}\n"
        for name in names:
            file = f"tessera/{name}.hpp"
            about = re.sub(r"^[\w ,]+: ", "", summary(include / file))
            text += f"\n({file.replace('/', '-').replace('.', '-').replace('_', '-')})=\n\n## {name}.hpp\n\n"
            text += f"{capital(about)}\n\n{breathe(f'{name}.hpp', 'cpp')}"
            text += concepts(xml, f"{name}.hpp")
            index += f"| [`{name}.hpp`](tessera/{name}.hpp) | {about} |\n"
        yield f"reference/cpp/{page}.md", text
    entries = "\n".join(page for page, _, _ in CPP)
    yield "reference/cpp/index.md", f"{index}\n```{{toctree}}\n:hidden:\n\n{entries}\n```\n"


def c_pages(include):
    headers = {path.stem for path in (include / "tessera/c").glob("*.h")}
    if headers != {name for name, _ in C}:
        raise SystemExit(f"reference.py and include/tessera/c differ: {sorted(headers ^ {name for name, _ in C})}")
    index = ("# C\n\n`tessera/tessera.h` includes all of these headers. The [guide for C](../docs/c.md) has the rules "
             "that all functions follow.\n\n| header | content |\n|---|---|\n")
    for name, title in C:
        about = summary(include / f"tessera/c/{name}.h")
        yield f"reference/c/{name}.md", f"# {title}\n\n{breathe(f'{name}.h', 'c')}"
        index += f"| [`c/{name}.h`](tessera/c/{name}.h) | {about} |\n"
    entries = "\n".join(name for name, _ in C)
    yield "reference/c/index.md", f"{index}\n```{{toctree}}\n:hidden:\n\n{entries}\n```\n"


def pages(include, xml):
    """Name and text of each page of the reference; `xml` is Doxygen's of the C++ headers."""
    yield from cpp_pages(include, xml)
    yield from c_pages(include)

"""Settings of Sphinx for the site. stage.py has written the pages, and Doxygen the headers as XML."""
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
xml = pathlib.Path(os.environ["TESSERA_SITE_XML"])
header = (pathlib.Path(__file__).parents[2] / "include/tessera/version.hpp").read_text()

project = "Tessera"
author = "Tessera's authors"
copyright = "Tessera's authors, Apache-2.0"
version = release = ".".join(re.findall(r"#define TESSERA_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header))

extensions = ["myst_parser", "breathe"]
exclude_patterns = ["_*"]
myst_heading_anchors = 4
myst_enable_extensions = ["deflist", "attrs_inline"]
highlight_language = "none"
smartquotes = False  # "--device" keeps its dashes
primary_domain = None

breathe_projects = {"cpp": str(xml / "cpp/xml"), "c": str(xml / "c/xml")}
breathe_default_project = "cpp"
breathe_domain_by_extension = {"h": "c", "hpp": "cpp"}
breathe_show_include = False
breathe_show_enumvalue_initializer = True

html_theme = "furo"
html_title = f"Tessera {version}"
html_static_path = [str(pathlib.Path(__file__).parent / "static")]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0b5394", "color-brand-content": "#0b5394"},
    "dark_css_variables": {"color-brand-primary": "#7db7ee", "color-brand-content": "#7db7ee"},
}

# References that name what this site does not describe: the standard library, OpenCL, details of the headers, and
# parameters of templates.
nitpick_ignore_regex = [
    (r"cpp:identifier|c:identifier", r"(tessera|std|detail|runtime|kernels|abi|mpi|interop)(::.*)?"),
    (r"cpp:identifier", r"(MatrixOf|BatchOf|HostView|TESSERA_VERSION|MPI_COMM)\b.*|TESSERA_VERSION_\w+|MPI_COMM_\w+"),
    (r"cpp:identifier|c:identifier", r"(u?int\d+_t|size_t|_?cl_\w+|MPI_Comm|T|C|A|B|M|X|Y|F)"),
]


def shorten_index(app, env):
    """Entries of the index begin with the name itself, not with its namespace or with its unnamed enum."""
    entries = env.domains["index"].data["entries"]
    for page, rows in entries.items():
        entries[page] = [(kind, re.sub(r"^(tessera::|\[anonymous\]\.)", "", text), *rest)
                         for kind, text, *rest in rows if not text.startswith("[anonymous] ")]


def setup(app):
    app.connect("env-updated", shorten_index)

"""A header as Doxygen reads it: plain C comments become documentation, names of documents become links, and the inline
namespace is not shown.

    doxygen_filter.py HEADER    prints the header
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def of_c(text):
    """Makes `/* */` before a declaration `/** */`, after one on its line `/**< */`. The first describes the file."""
    def marked(match):
        line_start = text.rfind("\n", 0, match.start()) + 1
        before = text[line_start:match.start()].strip()
        if match.start() == 0:
            return "/** @file\n * " + match[0][2:].lstrip().replace("See tessera/tessera.h.", "")
        if before.startswith("#"):
            return match[0]
        return ("/**< " if before else "/** ") + match[0][2:].lstrip()

    return re.sub(r"/\*.*?\*/", marked, text, flags=re.DOTALL)


def of_cpp(text):
    text = text.replace("tessera::inline v0", "tessera")
    # `<name>` in a comment is no tag of XML. Doxygen escapes it in code, which is indented.
    return re.sub(r"^(\s*/// {,4}\S.*)$", lambda line: re.sub(r"<(\w+)>", r"&lt;\1&gt;", line[0]), text,
                  flags=re.MULTILINE)


def with_links(text):
    """Makes names of documents links from a page of the reference, such as reference/c/engine.html."""
    def link(match):
        title = (ROOT / match[0]).read_text().partition("\n")[0].lstrip("# ")
        return f'the page <a href="../../{match[1]}.html">{title}</a>'

    return re.sub(r"\bdocs/(\w+)\.md\b", link, text)


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as header:
        source = header.read()
    print(with_links(of_c(source) if sys.argv[1].endswith(".h") else of_cpp(source)), end="")

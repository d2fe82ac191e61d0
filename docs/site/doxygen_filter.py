"""A header as Doxygen reads it: plain C comments become documentation, and the inline namespace is not shown.

    doxygen_filter.py HEADER    prints the header
"""
import re
import sys


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
    # `<name>` in a comment is no tag of XML.
    return re.sub(r"^(\s*///.*)$", lambda line: re.sub(r"<(\w+)>", r"&lt;\1&gt;", line[0]), text, flags=re.MULTILINE)


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as header:
        source = header.read()
    print(of_c(source) if sys.argv[1].endswith(".h") else of_cpp(source), end="")

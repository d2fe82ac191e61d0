"""The pages of the site in one folder, for Sphinx: those of docs/, the site's own, and those that are made.

    stage.py FOLDER XML COMMAND    XML has the headers as Doxygen describes them; COMMAND is the program `tessera`,
                                   whose --help becomes a page

Links of pages to other files of the tree become links to pages of the site: to the reference for a public header, and
to a page that shows the file for any other.
"""
import pathlib
import posixpath
import re
import shutil
import sys

import command_page
import figures
import reference

SITE = pathlib.Path(__file__).resolve().parent
ROOT = SITE.parent.parent
# Documents outside of docs/ and their pages. A name that begins with "_" is no page: other pages include parts of it.
DOCUMENTS = {"README.md": "_readme.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changes.md",
             "SECURITY.md": "security.md"}
LEXERS = {".cpp": "cpp", ".hpp": "cpp", ".h": "c", ".cl": "c", ".c": "c", ".py": "python", ".sh": "sh",
          ".f90": "fortran", ".rs": "rust", ".md": "markdown"}
LINK = re.compile(r"(!?\[(?:[^\]\[]|\[[^\]]*\])*\])\(([^)\s]+)\)")


def page_of_document(path):
    """The page of a document of the tree, or None."""
    if path == "README.md":
        return "index.md"
    if path.startswith("docs/") and path.endswith(".md") and "/" not in path[5:]:
        return path[5:]
    return DOCUMENTS.get(path)


class Pages:
    """Writes pages, and remembers the files of the tree that they link to."""

    def __init__(self, folder):
        self.folder = folder
        self.files = set()

    def source_page(self, path):
        """The page that shows a file of the tree, or lists a folder's; None if there is no such file."""
        full = ROOT / path
        if full.is_dir():
            files = [file for file in full.rglob("*") if file.is_file()]
            self.files.update(file.relative_to(ROOT).as_posix() for file in files)
            return f"sources.md#{path.replace('/', '-').lower()}"
        if full.is_file():
            self.files.add(path)
            return f"sources/{path}.md"
        return None

    def target(self, link, folder, page):
        """What a link in a document of `folder` becomes on a page of the site."""
        path, _, fragment = link.partition("#")
        if re.match(r"[a-z]+:", link) or not path:
            return link
        path = posixpath.normpath(posixpath.join(folder, path))
        if path.startswith(("docs/performance/", "docs/figures/")):
            return link
        found = page_of_document(path) or reference.page_of_header(path) or self.source_page(path)
        if not found:
            raise SystemExit(f"{page}: nothing at {link}")
        up = posixpath.relpath(found.split("#")[0], posixpath.dirname(page) or ".")
        anchor = fragment or found.partition("#")[2]
        return up + (f"#{anchor}" if anchor else "")

    def label(self, label, link, folder):
        """The text of a link in brackets: a page's title, if the text is the path of the page."""
        path = posixpath.normpath(posixpath.join(folder, link.partition("#")[0]))
        if label == f"[{link.partition('#')[0]}]" and page_of_document(path) and (ROOT / path).is_file():
            return f"[{(ROOT / path).read_text().partition(chr(10))[0].lstrip('# ')}]"
        return label

    def write(self, page, text, folder="docs"):
        """Writes a page whose links are those of a document in `folder`."""
        lines, code = [], False
        for line in text.splitlines():
            code ^= line.lstrip().startswith("```")
            if not code:
                line = LINK.sub(lambda link: f"{self.label(link[1], link[2], folder)}"
                                f"({self.target(link[2], folder, page)})", line)
            lines.append(line)
        path = self.folder / page
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n")


def without_missing(text, exists):
    """The text without lines that end in "?" and name a page that does not exist: "python?", "[Python](python.md)?"."""
    def entry(match):
        page = re.search(r"\(([\w/-]+)\.md\)|^([\w/-]+)$", match[1])
        return match[1] + "\n" if exists(page[1] or page[2]) else ""

    return re.sub(r"^(.*)\?\n", entry, text, flags=re.MULTILINE)


def about(path):
    """The first sentence of the comment with which a file begins."""
    comment = re.match(r"(#!.*\n)?((?:(?://|#) .*\n)+)", (ROOT / path).read_text())
    if not comment:
        return ""
    text = " ".join(line[2:].strip() for line in comment[2].splitlines())
    return ": " + re.sub(r"([\\`*_\[\]<>|])", r"\\\1", re.split(r"(?<=\w)\. ", text.removesuffix("."))[0])


def write_sources(pages):
    """A page for each file that another page links to, and a list of them by folder."""
    done, folders = set(), {}
    while pages.files - done:
        for path in sorted(pages.files - done):
            done.add(path)
            folders.setdefault(posixpath.dirname(path), []).append(path)
            lexer = LEXERS.get(posixpath.splitext(path)[1], "none")
            copy = pages.folder / "_files" / path
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / path, copy)
            pages.write(f"sources/{path}.md", f"---\norphan: true\n---\n# {posixpath.basename(path)}\n\n"
                        f"This is the file `{path}` of the source tree.\n\n"
                        f"```{{literalinclude}} /_files/{path}\n:language: {lexer}\n:force:\n```\n", "")
    parents = {posixpath.dirname(folder) for folder in folders} - {""}
    text = "# Source files\n\nThese files of the source tree are linked from other pages.\n"
    for folder in sorted(set(folders) | parents):
        name = folder or "The root"
        anchor = folder.replace("/", "-").lower()
        text += (f"\n({anchor})=\n" if anchor else "") + f"\n## {name}\n\n"
        for path in sorted(folders.get(folder, [])):
            text += f"* [{posixpath.basename(path)}]({path}){about(path)}\n"
        for inner in sorted(inner for inner in folders if folder and posixpath.dirname(inner) == folder):
            text += f"* [{inner}](#{inner.replace('/', '-').lower()})\n"
    pages.write("sources.md", text, "")


def main():
    folder, xml, command = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    pages = Pages(folder)
    for document, page in DOCUMENTS.items():
        pages.write(page, (ROOT / document).read_text(), "")
    for document in sorted((ROOT / "docs").glob("*.md")):
        pages.write(document.name, document.read_text())
    exists = [path.stem for path in folder.glob("*.md")]
    for document in sorted(SITE.glob("*.md")):
        pages.write(document.name, without_missing(document.read_text(), exists.__contains__), "docs")
    shutil.copytree(ROOT / "docs/performance", folder / "performance")
    figures.draw(folder / "figures")
    for page, text in reference.pages(ROOT / "include", xml / "cpp/xml"):
        pages.write(page, text, "include")
    pages.write("command-options.md", command_page.page(command))
    write_sources(pages)
    print(f"staged {len(list(folder.rglob('*.md')))} pages")


if __name__ == "__main__":
    main()

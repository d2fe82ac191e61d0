"""Checks what is on the site: every document, header and public name, as text that needs no JavaScript.

    site_content.py HTML    the folder with the site's HTML
"""
import html
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
C_NAMES = (r"\b(tessera_\w+)\(", r"typedef [^;{]*?\b(tessera_\w+);", r"^\} (tessera_\w+);", r"^\s+(TESSERA_\w+) =",
           r"#define (TESSERA_\w+_INIT)")
CPP_NAMES = (r"^(?:class|struct|enum class|concept|using) (?:TESSERA_API )?(\w+)(?![\w;])",
             r"^TESSERA_API [^;(]*?\b(\w+)\(",
             r"^(?:requires|inline|template|Matrix<|KernelRun|Event)[^;(]*?\b([a-z]\w+)\(",
             r"^    ([a-z_]+)\((?:C&&|const) ")


def text_of(page):
    """The words of a page without its scripts and tags."""
    page = re.sub(r"<(script|style)\b.*?</\1>", " ", page, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", page)).split())


def plain(heading):
    """A heading of Markdown as a reader sees it."""
    heading = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").replace("*", "")
    return " ".join(heading.replace("'", "’").split())


def headings(document):
    code = False
    for line in document.splitlines():
        code ^= line.startswith("```")
        if not code and re.match(r"#+ ", line):
            yield plain(line.lstrip("# "))


def names(header, patterns):
    """The public names of a header."""
    lines = re.DOTALL | re.MULTILINE
    text = re.sub(r"^namespace detail \{.*?^\}  // namespace detail", "", header.read_text(), flags=lines)
    text = re.sub(r"^#if[^\n]*_WIN32.*?^#endif", "", text, flags=lines)
    return {name for pattern in patterns for name in re.findall(pattern, text, re.MULTILINE)}


def reference_misses(site, language, headers, patterns):
    """Public names that the reference of a language lacks; there are many names."""
    text = " ".join(text_of(page.read_text()) for page in (site / f"reference/{language}").glob("*.html"))
    if "v0" in text.split() or "inline v0" in text or "v0::" in text:
        yield f"{language}: the inline namespace is shown"
    found = set(re.findall(r"\w+", text))
    all_names = set()
    for header in headers:
        if language == "cpp" and header.name not in text and header.name not in ("abi.hpp", "export.hpp"):
            yield f"{language}: no header {header.name}"
        all_names |= names(header, patterns)
    if len(all_names) < 100:
        yield f"{language}: only {len(all_names)} names in the headers"
    yield from (f"{language}: no {name}" for name in sorted(all_names - found))
    print(f"        {len(all_names)} names of {language} headers")


def document_misses(site):
    documents = [*(ROOT / "docs").glob("*.md"), ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", ROOT / "SECURITY.md"]
    for document in documents:
        name = {"CHANGELOG": "changes"}.get(document.stem, document.stem.lower())
        page = site / f"{name}.html"
        if not page.is_file():
            yield f"no page of {document.name}"
            continue
        text = text_of(page.read_text())
        for heading in headings(document.read_text()):
            if heading not in text:
                yield f"{page.name}: no heading '{heading}'"
    print(f"        {len(documents)} documents")


def main():
    site = pathlib.Path(sys.argv[1])
    include = ROOT / "include/tessera"
    missing = [*document_misses(site),
               *reference_misses(site, "cpp", include.glob("*.hpp"), CPP_NAMES),
               *reference_misses(site, "c", (include / "c").glob("*.h"), C_NAMES)]
    if missing:
        print("\n".join(missing))
        raise SystemExit(f"FAILED  {len(missing)} things are missing")
    print("ok      every document and every public name is on the site, without JavaScript")


if __name__ == "__main__":
    main()

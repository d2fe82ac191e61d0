"""Fails if a link or an image within the site leads nowhere: to a missing file, or to an anchor that its page lacks.

    check_links.py FOLDER    the folder with the site's HTML
"""
import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.anchors, self.links = set(), set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id" or (tag, name) == ("a", "name"):
                self.anchors.add(value)
            elif name in ("href", "src") and value:
                self.links.add(value)


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    pages = {path: Page(path.read_text()) for path in root.rglob("*.html")}
    count, broken = 0, []
    for path, page in pages.items():
        for link in sorted(page.links):
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            count += 1
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            anchor = urllib.parse.unquote(parts.fragment)
            if not target.is_file() or (anchor and target in pages and anchor not in pages[target].anchors):
                broken.append(f"{path.relative_to(root)}: {link}")
    print("\n".join(broken))
    if broken or count == 0:
        raise SystemExit(f"FAILED  {len(broken)} of {count} links are broken")
    print(f"ok      {count} links within {len(pages)} pages")


if __name__ == "__main__":
    main()

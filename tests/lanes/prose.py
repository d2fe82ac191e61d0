"""Reports prose that breaks a rule which a program can check, in documents, comments and messages.

    prose.py              fails if a file has more findings than prose-baseline.txt allows, and lists them
    prose.py FILE...      lists all findings in these files, paths relative to the root of the source tree
    prose.py --counts     prints the number of findings per file: the next baseline

Rules: "words" (prose-words.txt), "long" (a sentence has too many words), "headless" (a comment begins with a clause that
has no main clause, or with a question).
"""
import collections
import pathlib
import re
import sys

LANES = pathlib.Path(__file__).resolve().parent
ROOT = LANES.parent.parent
BASELINE = LANES / "prose-baseline.txt"
# Files whose path begins with one of these must have no findings, also if the baseline allows some.
STRICT = ("include/tessera/",)
FOLDERS = ("include", "lib", "cl", "tools", "tests", "docs", "python", ".ci")
LONG_PUBLIC, LONG = 30, 40

# A piece of text: its kind, its characters and the line of each. Kinds: "comment" opens a comment, "text" continues a
# comment or document, "item" is a list of names, a table or a heading, "string" is a message.
Piece = collections.namedtuple("Piece", "kind text lines")


def read_words(path):
    rules = []
    for line in path.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            pattern, suggestion = re.split(r" {2,}", line, maxsplit=1)
            rules.append((re.compile(re.sub(r" ?\\$", " ", pattern), re.IGNORECASE), suggestion.strip()))
    return rules


WORDS = read_words(LANES / "prose-words.txt")


def join(kind, numbered):
    """One piece from its lines, (number, text) each, which a space separates."""
    text, lines = "", []
    for number, line in numbered:
        text += " " * bool(text) + line
        lines += [number] * (len(text) - len(lines))
    return Piece(kind, text, lines)


def paragraphs(numbered, first):
    """The paragraphs of a comment or document, whose lines keep their indentation; the first one is of kind `first`."""
    kind, current = first, []
    for number, line in [*numbered, (0, "")]:
        bullet = re.match(r"\s*([-*]|\d+\.)\s+", line)
        item = re.match(r"\s{2,}\S|\||#|\\", line) and not bullet
        # A line that continues a list item is indented, too.
        if item and current and kind == "text" and re.match(r"\s*([-*]|\d+\.)\s", current[0][1]):
            item = None
        if current and (not line.strip() or bullet or (kind == "item") != bool(item) or kind == "item"):
            yield join(kind, [(n, re.sub(r"^\s*([-*]|\d+\.)\s+", "", text).strip()) for n, text in current])
            current, kind = [], "text"
        if line.strip():
            if not current:
                kind = "item" if item else "text" if bullet else kind
            current.append((number, line))


def document_pieces(text):
    """Pieces of a Markdown document, without its code."""
    numbered, code = [], False
    for number, line in enumerate(text.splitlines(), 1):
        fence = line.lstrip().startswith("```")
        code ^= fence
        line = re.sub(r"!?\[([^]]*)\]\([^)]*\)", r"\1", line)
        line = "" if fence or code or line.startswith("<") else re.sub(r"<[^>]*>|\*\*", "", line)
        numbered.append((number, line))
    return list(paragraphs(numbered, "text"))


C_TOKEN = re.compile(
    r'R"(?P<tag>[^(\s]*)\((?P<raw>.*?)\)(?P=tag)"|"(?P<string>(?:\\.|[^"\\\n])*)"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])*\''
    r"|//(?P<comment>[^\n]*)|/\*.*?\*/", re.DOTALL)
HASH_TOKEN = re.compile(r"(?:^|(?<=  ))#(?P<comment>(?!!)[^\n]*)|^[ \t]+#(?P<more>[^\n]*)", re.MULTILINE)


def source_pieces(text, token, strings):
    """Pieces of a source file: its comments, lines of which are joined, and, if `strings`, its string literals."""
    pieces, comments, literals = [], [], []
    number, position = 1, 0
    for match in token.finditer(text):
        between = text[position:match.start()]
        number += between.count("\n")
        position = match.end()
        groups = match.groupdict()
        comment = groups["comment"] if groups["comment"] is not None else groups.get("more")
        if comment is not None:
            start = text.rfind("\n", 0, match.start()) + 1
            column = match.start() - start
            alone = not text[start:match.start()].strip()
            last = comments[-1] if comments else None
            comment = re.sub(r"^/?<?!? ?", "", comment)
            if last and alone and last[0] == column and last[2][-1][0] == number - 1:
                last[2].append((number, comment))
            else:
                comments.append((column, alone, [(number, comment)]))
        elif strings and groups.get("string") is not None:
            value = re.sub(r"\\[nt]|\\(.)", lambda escaped: escaped[1] or " ", groups["string"])
            if literals and not between.strip():
                literals[-1].append((number, value))
            else:
                literals.append([(number, value)])
        number += match[0].count("\n")
    for column, alone, lines in comments:
        pieces += paragraphs(lines, "comment" if alone else "text")
    for lines in literals:
        text = "".join(value for _, value in lines)
        if text.count(" ") >= 2:
            pieces.append(Piece("string", text, [n for n, value in lines for _ in value]))
    return pieces


def pieces_of(path, text):
    if path.endswith(".md"):
        return document_pieces(text)
    if path.endswith((".hpp", ".cpp", ".h", ".cl")):
        return source_pieces(text, C_TOKEN, path.startswith(("lib/", "tools/", "include/")))
    return source_pieces(text, HASH_TOKEN, False)


SENTENCE_END = re.compile(r"[.!?]+[\"')\]]*(?=\s+[\"'(\[`]*[A-Z0-9`]|\s*$)")
ABBREVIATION = re.compile(r"(\b(e\.g|i\.e|vs|cf|etc|al|pp?|No|Math|Comput|Fig|sec|approx)|\b[A-Z])\.$")


def sentences(text):
    """Each sentence of a text with its place there."""
    start = 0
    for end in SENTENCE_END.finditer(text):
        if not ABBREVIATION.search(text[:end.start() + 1]):
            yield start, text[start:end.end()].strip()
            start = end.end()
    if text[start:].strip():
        yield start, text[start:].strip()


NAME = r"(`[^`]*`|[\w:.-]*[_:.\d(][\w:.()-]*)"


def words(sentence):
    """The number of words; a list of names in code counts as one, and formulas do not count."""
    sentence = re.sub(rf"{NAME}((,| and| or|, and|, or) {NAME})+", "name", sentence)
    sentence = re.sub(r"`[^`]*`", "name", sentence)
    return len([word for word in sentence.split() if re.search(r"[A-Za-z]{2}|^[aAI]\b", word)])


# Verbs of a main clause: auxiliary verbs, and verbs that are never plural nouns.
VERB = re.compile(
    r"\b(is|are|was|were|has|have|had|does|do|did|can|cannot|may|might|must|will|would|should|could|adds|becomes|begins|"
    r"calls|comes|computes|contains|continues|copies|costs|counts|depends|ends|exists|fails|follows|gives|goes|holds|keeps|"
    r"leaves|makes|means|needs|reads|requires|returns|runs|shows|stays|stores|takes|throws|uses|waits|writes)\b")
SUBORDINATE = re.compile(
    r"((?<!, )\bthat|\b(which|whose|where|who|whom|when|if|what|how|whether|because|until|unless|while))\b[^,:;]*")
PREPOSITIONS = ("With", "Without", "In", "On", "At", "For", "From", "To", "After", "Before", "Between", "Behind", "As", "Until")


def headless(sentence):
    """What is wrong with the first sentence of a comment, if anything."""
    if sentence.endswith("?"):
        return "a question: state what the code does"
    opening = re.match(r"(All of|[A-Za-z]+)\b(?![-(_.:])", sentence)
    if not opening:
        return None
    main = SUBORDINATE.sub("", sentence[opening.end():])
    verbs = len(VERB.findall(main))
    after_comma = re.search(r"[,:] (?!(and|or|but|with|by|in|of) )\S+ \S+ \S", main)
    missing = {
        **dict.fromkeys(("Of", "By", "All of"), verbs == 0),
        **dict.fromkeys(("What", "Which", "Who", "Whose", "How"), verbs < 2),
        **dict.fromkeys(("Whether", "If", "Where", "When", "Unless", "Because"), verbs < 2 and not after_comma),
        **dict.fromkeys(PREPOSITIONS, verbs == 0 and not after_comma),
    }
    return "no main clause: name the subject, then what it does" if missing.get(opening[1]) else None


def findings(path, text):
    """(line, rule, message) of each finding in a file."""
    limit = LONG_PUBLIC if path.startswith("include/") or path.endswith(".md") else LONG
    for piece in pieces_of(path, text):
        for pattern, suggestion in WORDS:
            for match in pattern.finditer(piece.text):
                yield piece.lines[match.start()], "words", f'"{match[0].strip()}": {suggestion}'
        if piece.kind in ("item", "string"):
            continue
        for start, sentence in sentences(piece.text):
            if words(sentence) > limit:
                yield piece.lines[start], "long", f'{words(sentence)} words, at most {limit}: "{sentence[:50]}..."'
            if start == 0 and piece.kind == "comment" and headless(sentence):
                yield piece.lines[0], "headless", f'{headless(sentence)}: "{sentence[:60]}"'


def files():
    """Paths of all files that have prose, relative to the root."""
    found = [path for path in ROOT.glob("*.md")] + [ROOT / "CMakeLists.txt"]
    for folder in FOLDERS:
        found += (ROOT / folder).rglob("*")
    for path in sorted(found):
        if path.suffix in (".md", ".hpp", ".cpp", ".h", ".cl", ".sh", ".py", ".cmake") or path.name in ("CMakeLists.txt", "run"):
            yield path.relative_to(ROOT).as_posix()


def read_baseline():
    rows = [line.rsplit(" ", 1) for line in BASELINE.read_text().splitlines() if line and not line.startswith("#")]
    return {path: int(count) for path, count in rows}


def main(arguments):
    found = {}
    for path in files() if not arguments or arguments == ["--counts"] else arguments:
        found[path] = sorted(findings(path, (ROOT / path).read_text()))
    if arguments == ["--counts"]:
        print("# Findings that prose.py allows in each file. A count may only become lower.")
        print("\n".join(f"{path} {len(rows)}" for path, rows in found.items() if rows))
        return 0
    allowed = {} if arguments else read_baseline()
    wrong = {path: rows for path, rows in found.items()
             if len(rows) > (0 if path.startswith(STRICT) else allowed.get(path, 0))}
    for path, rows in wrong.items():
        for line, rule, message in rows:
            print(f"{path}:{line}: {rule}: {message}")
    for path, rows in wrong.items() if not arguments else ():
        print(f"FAILED  {path}: {len(rows)} findings, at most {allowed.get(path, 0)} allowed")
    lower = [path for path, count in allowed.items() if len(found.get(path, ())) < count]
    if lower:
        print(f"{', '.join(lower)}: fewer findings than allowed; run `prose.py --counts > {BASELINE.relative_to(ROOT)}`")
    if not arguments and not wrong:
        print(f"ok      prose of {len(found)} files, {sum(map(len, found.values()))} findings, all of them allowed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""What prose.py reports, and what it does not."""
import pathlib
import tempfile
import unittest
from unittest import mock

import prose


def report(path, text):
    return [(line, rule) for line, rule, _ in sorted(prose.findings(path, text))]


def words_in(text):
    return [rule for _, rule in report("docs/x.md", text)]


LONG = "The kernel " + "reads one more element of the matrix and " * 5 + "ends."  # 43 words


class Words(unittest.TestCase):
    def test_phrases_are_reported(self):
        for text in ("Work-groups share out k.", "`multiply` hands over to it.", "Two copies are under way.",
                     "The event stands for both commands.", "The vectors lie beside each other.", "It tells the caller.",
                     "Slices, two of which overlap, are legal.", "It is 0 on a device that is no CPU.", "It is no time such as 90s.",
                     "Where rounds get stuck, blocks are solved alone.", "They wait, since they are in order.",
                     "A kernel takes any size.", "This is nobody's eigenvalue.", "One work-item an element computes it.",
                     "It ends in 0.76 of the time.", "The strides are those of the view.", "The host knows nothing of it.",
                     "It is cut from what an earlier call left.", "All but for the last are full.",
                     "It is empty where there are none.", "The devices, one a line, are read."):
            self.assertIn("words", words_in(text), text)

    def test_plain_sentences_are_not_reported(self):
        for text in ("Work-groups split k.", "`multiply` delegates to it.", "The vectors are adjacent.", "See the table where it is.",
                     "It is no longer valid.", "Kernels take minutes to build.", "It forms the product, and waits for it.",
                     "Returns the file where results are stored, where each is a line.", "As far as possible, it reuses memory.",
                     "One work-item per element computes it.", "It has been valid since 0.1.", "There are no kernels.",
                     "The device reports that it lies.", "A result that offers more than 2 of the 3 rows is used."):
            self.assertEqual(words_in(text), [], text)

    def test_a_phrase_across_lines_of_a_comment_is_found_where_it_begins(self):
        self.assertEqual(report("lib/x.cpp", "int x;\n// The groups share\n// out the rows.\n"), [(2, "words")])

    def test_messages_are_read_but_code_is_not(self):
        code = 'throw Error("--budget: this is " "no time such as 90s");\n'
        self.assertEqual(report("tools/x.cpp", code), [(1, "words")])
        self.assertEqual(report("tests/x.cpp", code), [])
        self.assertEqual(report("lib/x.cpp", "int under_way = share.out(1'000, '\"'); // one \"under way\"\n"), [(1, "words")])
        self.assertEqual(words_in("```\nshare out\n```\n\nSee [this](under way).\n"), [])

    def test_every_kind_of_file_is_read(self):
        for path, text in (("x.md", "In flight or under way.\n"), ("include/x.hpp", "int a;  ///< under way\n"),
                           ("cl/x.cl", "// A = under way\n"), ("tests/x.sh", "true  " "# under way\n"),
                           ("CMakeLists.txt", "# Targets under way\n"), ("tests/x.py", "# Under way.\n")):
            self.assertEqual(report(path, text), [(1, "words")], path)
        self.assertEqual(report("tests/x.sh", "#!/bin/sh\necho ${#under way}\n"), [])


class Long(unittest.TestCase):
    def test_limits_are_lower_in_public_text(self):
        middle = "It " + "reads one more of the elements and " * 5 + "then ends."  # 38 words
        comment = "// {}\n"
        self.assertEqual(report("include/tessera/x.hpp", comment.format(middle)), [(1, "long")])
        self.assertEqual(report("README.md", middle), [(1, "long")])
        self.assertEqual(report("lib/x.cpp", comment.format(middle)), [])
        self.assertEqual(report("lib/x.cpp", comment.format(LONG)), [(1, "long")])

    def test_the_line_is_where_the_sentence_begins(self):
        half = len(LONG) // 2
        lines = f"/// It is short, e.g. Short.\n/// {LONG[:half].strip()}\n/// {LONG[half:].strip()}\n"
        self.assertEqual(report("lib/x.hpp", lines), [(2, "long")])

    def test_several_sentences_tables_lists_and_code_do_not_count_as_one(self):
        self.assertEqual(words_in(" ".join(["It is a sentence."] * 20)), [])
        self.assertEqual(words_in(f"| a | b |\n|---|---|\n| {LONG} | x |\n"), [])
        self.assertEqual(words_in("It has `a`, " + ", ".join("`b%d`" % i for i in range(50)) + " and `z`."), [])
        self.assertEqual(words_in("\n".join(f"* item {i} is on its own" for i in range(10))), [])
        self.assertEqual(report("cl/x.cl", "// C = A * B.\n" + "//   TILE   edge of a block\n" * 20), [])
        self.assertEqual(words_in("```\n" + LONG + "\n```"), [])


class Headless(unittest.TestCase):
    def test_clauses_and_questions_are_reported(self):
        for text in ("Of a device alone.", "By one work-group.", "All of them.", "What a call costs.", "Whether it fits.",
                     "Where the sums begin.", "How far a solve has come.", "When rounds end.", "Are they in one context?",
                     "Which parameter sets to list."):
            self.assertEqual(report("include/x.hpp", f"int a;\n/// {text}\n"), [(2, "headless")], text)
            self.assertEqual(report("lib/x.cpp", f"// {text}\n"), [(1, "headless")], text)

    def test_sentences_and_headings_are_not_reported(self):
        for text in ("Returns the device.", "Program store: from a variant to a built program.", "If it fits, it is used.",
                     "By default the host waits.", "What a kernel must not write is poisoned.", "Rows of a tile.",
                     "When rounds end, the host reads the state.", "All of them are legal.",
                     "C = A * B: one work-item per element."):
            self.assertEqual(report("lib/x.cpp", f"// {text}\n"), [], text)

    def test_only_the_beginning_of_a_comment_counts(self):
        self.assertEqual(report("lib/x.cpp", "// It is open. Is it closed?\n"), [])
        self.assertEqual(report("lib/x.cpp", "int rows;  // of a device\n"), [])


class Baseline(unittest.TestCase):
    def check(self, text, allowed, strict=()):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "lib").mkdir()
            (root / "lib/x.cpp").write_text(text)
            (root / "CMakeLists.txt").write_text("")
            (root / "baseline.txt").write_text(allowed)
            with mock.patch.multiple(prose, ROOT=root, BASELINE=root / "baseline.txt", STRICT=strict), \
                 mock.patch("builtins.print") as printed:
                status = prose.main([])
            return status, "\n".join(call.args[0] for call in printed.call_args_list)

    def test_as_many_findings_as_allowed_pass(self):
        self.assertEqual(self.check("// All of them.\n", "lib/x.cpp 1\n")[0], 0)

    def test_one_more_fails_and_is_listed(self):
        status, text = self.check("// All of them.\n", "lib/y.cpp 1\n")
        self.assertEqual(status, 1)
        self.assertIn("lib/x.cpp:1: headless: ", text)

    def test_fewer_ask_for_a_lower_baseline(self):
        status, text = self.check("// It is one.\n", "lib/x.cpp 1\n")
        self.assertEqual(status, 0)
        self.assertIn("lib/x.cpp: fewer findings than allowed", text)

    def test_strict_folders_have_no_baseline(self):
        self.assertEqual(self.check("// All of them.\n", "lib/x.cpp 1\n", ("lib/",))[0], 1)


if __name__ == "__main__":
    unittest.main()

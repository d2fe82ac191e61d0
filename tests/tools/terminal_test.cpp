// Lines for terminals of any width, and for outputs other than terminals.
#include "terminal.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "commands/progress.hpp"
#include "pty.hpp"
#include "support/variable.hpp"

namespace tessera::test {
namespace {

const std::string kLine = "problem 3 of 8, 95 s left: 12 of 55355 tried, best 412 GFLOP/s, slow 7";

TEST(TerminalTest, ALineOfProgressIsCutAtTheWindowsWidth) {
  const Variable term("TERM", "xterm"), color("NO_COLOR", "");
  for (const std::size_t columns : {1U, 20U, 40U, 200U}) {
    const Pty pty(static_cast<unsigned short>(columns));
    const tool::Terminal terminal = tool::terminal_of(pty.descriptor());
    EXPECT_EQ(terminal.columns, columns);
    // The last column stays free: to write there may wrap.
    EXPECT_EQ(tool::drawn(kLine, terminal),
              "\r\x1b[K\x1b[2m" + kLine.substr(0, columns - 1) + "\x1b[0m");
  }
}

TEST(TerminalTest, AWindowOfUnknownWidthHasTheUsualOrThatOfColumns) {
  const Variable term("TERM", "xterm");
  const Pty pty(0);
  {
    const Variable columns("COLUMNS", "57");
    EXPECT_EQ(tool::terminal_of(pty.descriptor()).columns, 57U);
  }
  for (const char* odd : {"", "0", "-3", "wide"}) {
    const Variable columns("COLUMNS", odd);
    EXPECT_EQ(tool::terminal_of(pty.descriptor()).columns, 80U) << odd;
  }
  const Variable columns("COLUMNS", "57");
  EXPECT_EQ(tool::terminal_of(Pty(66).descriptor()).columns, 66U) << "the window itself knows";
}

TEST(TerminalTest, WithoutEscapesLinesArePlainAndWhole) {
  const Pty pty(40);
  const Variable term("TERM", "dumb");
  EXPECT_EQ(tool::drawn(kLine, tool::terminal_of(pty.descriptor())), kLine + "\n");
  const Variable usual("TERM", "xterm");
  EXPECT_EQ(tool::drawn(kLine, tool::terminal_of(-1)), kLine + "\n") << "no terminal";
}

TEST(TerminalTest, NoColorLeavesTheLineUndimmed) {
  const Variable term("TERM", "xterm"), color("NO_COLOR", "1");
  EXPECT_EQ(tool::drawn("line", tool::terminal_of(Pty(40).descriptor())), "\r\x1b[Kline");
}

TEST(TerminalTest, CharactersAreCutWhole) {
  EXPECT_EQ(tool::cut("±µ漢x", 3), "±µ漢");
  EXPECT_EQ(tool::cut("±µ", 3), "±µ");
  EXPECT_EQ(tool::cut("abc", 0), "");
}

TEST(TerminalTest, WordsThatDoNotFitGoBelowTheFirst) {
  EXPECT_EQ(tool::with_hanging_indent("  name  ", "one two three", 16),
            "  name  one two\n        three");
  EXPECT_EQ(tool::with_hanging_indent("  name  ", "one two three", tool::kUnlimited),
            "  name  one two three");
  EXPECT_EQ(tool::with_hanging_indent("µ ", "longer than that", 8), "µ longer\n  than\n  that");
  EXPECT_EQ(tool::with_hanging_indent("name", "", 8), "name");
}

/// Standard error on a terminal.
class ErrorsOn {
 public:
  explicit ErrorsOn(const Pty& pty) : before_(::dup(STDERR_FILENO)) {
    ::dup2(pty.descriptor(), STDERR_FILENO);
  }
  ErrorsOn(const ErrorsOn&) = delete;
  ErrorsOn& operator=(const ErrorsOn&) = delete;
  ~ErrorsOn() {
    ::dup2(before_, STDERR_FILENO);
    ::close(before_);
  }

 private:
  int before_;
};

TEST(ProgressTest, ACallThatBlocksIsShownInOneLine) {
  const Variable term("TERM", "xterm"), color("NO_COLOR", "1");
  Pty pty(20);
  std::string shown;
  {
    const ErrorsOn errors(pty);
    const tool::ElapsedLine line("multiply 4096 x 4096, k 4096");
    while (std::ranges::count(shown, 'm') < 2) shown += pty.read_some();
  }
  shown += pty.close();
  EXPECT_TRUE(shown.starts_with("\r\x1b[Kmultiply 4096 x 409\r\x1b[Kmultiply 4096 x 409")) << shown;
  EXPECT_TRUE(shown.ends_with("\r\x1b[K")) << "it takes its line away";
  EXPECT_EQ(shown.find('\n'), shown.npos);
}

}  // namespace
}  // namespace tessera::test

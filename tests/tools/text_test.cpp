// Texts of any bytes as UTF-8, and as a line of a terminal.
#include "text.hpp"

#include <gtest/gtest.h>

namespace tessera::test {
namespace {

TEST(TextTest, ReplacesWhatIsNoUtf8) {
  EXPECT_EQ(tool::valid_utf8("a\xe2\x82"), "a\xef\xbf\xbd");
  EXPECT_EQ(tool::valid_utf8("\xff\x80z"), "\xef\xbf\xbdz");
  EXPECT_EQ(tool::valid_utf8("\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80"),
            "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(tool::valid_utf8("µ 漢 🙂"), "µ 漢 🙂");
}

TEST(TextTest, ALineHasNoControls) {
  EXPECT_EQ(tool::one_line("a\n\x1b[0m\x7f"), "a\\x0a\\x1b[0m\\x7f");
  // U+009B is CSI; Ü ends in the byte of a C1 control, U+00A0 comes after the last of them.
  EXPECT_EQ(tool::one_line("\u009b31m\u0080\u009f"), "\\x9b31m\\x80\\x9f");
  EXPECT_EQ(tool::one_line("Ü µ 漢 🙂\u00a0"), "Ü µ 漢 🙂\u00a0");
  EXPECT_EQ(tool::one_line("\x9bK\xc2"), "\ufffdK\ufffd") << "bytes of no character";
}

}  // namespace
}  // namespace tessera::test

// Files that are read whole and grow by lines: what is taken, and what an error says.
#include "runtime/file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <string>

#include "support/file_size_limit.hpp"
#include "support/folder.hpp"
#include "tessera/error.hpp"

namespace tessera::runtime {
namespace {

TEST(ReadTextTest, ReadsRegularFilesAlone) {
  const test::Folder folder;
  const auto path = folder.path() / "lines", pipe = folder.path() / "pipe";
  EXPECT_FALSE(read_text(path));
  folder.file("lines", "one\ntw");
  EXPECT_EQ(read_text(path), "one\ntw");
  std::filesystem::create_symlink(path, folder.path() / "link");
  EXPECT_EQ(read_text(folder.path() / "link"), "one\ntw");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const std::filesystem::path& endless : {pipe, std::filesystem::path("/dev/zero")}) {
    EXPECT_THROW(read_text(endless), Error);
    EXPECT_THROW(append_lines(endless, "three\n"), Error);
  }
  std::filesystem::resize_file(path, std::uintmax_t{1} << 40);
  EXPECT_THROW(read_text(path), Error);
}

TEST(AppendLinesTest, ALineThatWasCutOffStaysOneOfItsOwn) {
  const test::Folder folder;
  folder.file("lines", "one\ntw");
  append_lines(folder.path() / "lines", "three\n");
  EXPECT_EQ(folder.content("lines"), "one\ntw\nthree\n");
}

TEST(AppendLinesTest, AShortWriteNamesItsCause) {
  const test::Folder folder;
  std::string message;
  {
    const test::FileSizeLimit limit(100);
    errno = EDOM;  // of something before
    try {
      append_lines(folder.path() / "lines", std::string(149, 'x') + '\n');
    } catch (const Error& error) {
      message = error.what();
    }
  }
  EXPECT_NE(message.find("File too large"), std::string::npos) << message;
}

}  // namespace
}  // namespace tessera::runtime

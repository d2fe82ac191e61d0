// Files that grow by lines: what is written, and what an error says.
#include "runtime/environment.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cerrno>
#include <csignal>
#include <fstream>
#include <string>

#include "support/folder.hpp"
#include "tessera/error.hpp"

namespace tessera::runtime {
namespace {

TEST(AppendLinesTest, ALineThatWasCutOffStaysOneOfItsOwn) {
  const test::Folder folder;
  folder.file("lines", "one\ntw");
  append_lines(folder.path() / "lines", "three\n");
  EXPECT_EQ(folder.content("lines"), "one\ntw\nthree\n");
}

/// No file may grow beyond this, for as long as it lives: what is more is a short write.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int) = nullptr;
};

TEST(AppendLinesTest, AShortWriteNamesItsCause) {
  const test::Folder folder;
  std::string message;
  {
    const FileSizeLimit limit(100);
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

// Programs on disk: taken again by the next store, whatever happens to the disk.
#include "runtime/binary_cache.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "runtime/naive_program.hpp"
#include "runtime/program_store.hpp"
#include "support/folder.hpp"
#include "support/variable.hpp"
#include "tessera/cache.hpp"

namespace tessera::runtime {
namespace {

namespace fs = std::filesystem;
using test::Folder;
using test::Variable;

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  return files;
}

class BinaryCacheTest : public testing::Test {
 protected:
  /// Builds with the cache in `folder_`, and runs what was built.
  void build() {
    const Variable cache("TESSERA_CACHE", folder_.at("cache"));
    ProgramStore store(context().handle(), context().device());
    EXPECT_GT(
        store.get(kNaive, "-D ELEMENT=0 -D OUTPUT=0")->kernel("multiply_naive").max_work_group, 0u);
  }
  /// The next build writes the file again, and the build after that reads it.
  void expect_rebuilt_once(fs::file_time_type before) {
    build();
    const auto written = fs::last_write_time(only_file());
    EXPECT_GT(written, before);
    build();
    EXPECT_EQ(fs::last_write_time(only_file()), written);
  }
  fs::path only_file() {
    const auto files = files_in(folder_.path() / "cache");
    EXPECT_EQ(files.size(), 1u);
    return files.empty() ? fs::path() : files.front();
  }
  Folder folder_;
  std::set<fs::path> known_;
};

TEST_F(BinaryCacheTest, KeepsAProgramAndTakesItAgain) {
  build();
  const auto written = fs::last_write_time(only_file());
  build();
  EXPECT_EQ(fs::last_write_time(only_file()), written);
}

TEST_F(BinaryCacheTest, RebuildsWhatIsDamaged) {
  build();
  const auto size = fs::file_size(only_file());
  const auto damage = [&](auto&& change) {
    change(only_file());
    const auto damaged = fs::last_write_time(only_file());
    expect_rebuilt_once(damaged);
  };
  damage([](const fs::path& file) { fs::resize_file(file, 10); });
  damage([&](const fs::path& file) { fs::resize_file(file, size - 1); });
  damage([](const fs::path& file) { fs::resize_file(file, 0); });
  damage([&](const fs::path& file) {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(static_cast<std::streamoff>(size / 2));
    stream.put('?').put('!');
  });
}

TEST_F(BinaryCacheTest, RebuildsWhatTheDriverRefuses) {
  build();
  // A file that is whole by length and hash, but holds no program.
  const std::string nonsense(1000, 'x');
  std::fstream stream(only_file(), std::ios::in | std::ios::out | std::ios::binary);
  const std::uint64_t length = nonsense.size();
  const auto hash = XXH3_128bits(nonsense.data(), nonsense.size());
  constexpr std::streamoff kLengthAt = 8, kHashAt = 32;
  stream.seekp(kLengthAt).write(reinterpret_cast<const char*>(&length), sizeof length);
  stream.seekp(kHashAt)
      .write(reinterpret_cast<const char*>(&hash), sizeof hash)
      .write(nonsense.data(), 1000);
  stream.close();
  fs::resize_file(only_file(), kHashAt + 16 + length);
  expect_rebuilt_once(fs::last_write_time(only_file()));
}

TEST_F(BinaryCacheTest, GivesBackWhatItKept) {
  const BinaryCache cache(folder_.path());
  cache.write("some key", {1, 2, 3});
  EXPECT_EQ(cache.read("some key"), (Binary{1, 2, 3}));
  EXPECT_FALSE(cache.read("another key").has_value());
  cache.remove("some key");
  EXPECT_FALSE(cache.read("some key").has_value());
  EXPECT_TRUE(files_in(folder_.path()).empty());
}

TEST_F(BinaryCacheTest, TakesNothingThatAnotherUserCanHavePutThere) {
  const BinaryCache cache(folder_.path() / "cache");
  const auto is_taken = [&] { return cache.read("some key").has_value(); };
  cache.write("some key", {1, 2, 3});
  const fs::path file = only_file(), aside = folder_.path() / "aside";
  ASSERT_TRUE(is_taken());

  fs::permissions(file, fs::perms::others_write, fs::perm_options::add);
  EXPECT_FALSE(is_taken());
  fs::permissions(file, fs::perms::others_write, fs::perm_options::remove);
  fs::permissions(file.parent_path(), fs::perms::others_write, fs::perm_options::add);
  EXPECT_FALSE(is_taken());
  fs::permissions(file.parent_path(), fs::perms::others_write, fs::perm_options::remove);
  ASSERT_TRUE(is_taken());

  fs::rename(file, aside);
  fs::create_symlink(aside, file);
  EXPECT_FALSE(is_taken());
  fs::remove(file);
  ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
  EXPECT_FALSE(is_taken());
  fs::remove(file);
  fs::rename(aside, file);
  EXPECT_TRUE(is_taken());
}

TEST_F(BinaryCacheTest, TakesNothingLargerThanItsLimit) {
  BinaryCache(folder_.path() / "cache").write("some key", Binary(2000, 1));
  EXPECT_FALSE(BinaryCache(folder_.path() / "cache", 1000).read("some key").has_value());
}

TEST_F(BinaryCacheTest, RemovesWhatWasUsedLeastRecentlyBeyondItsLimit) {
  using namespace std::chrono_literals;
  const Binary binary(1000, 7);
  // Room for three with their headers, not for four.
  const BinaryCache cache(folder_.path(), 4000);
  const auto age = [&](const char* key, std::chrono::hours hours) {
    // The file that is not as old as the others are made.
    for (const fs::path& file : files_in(folder_.path())) {
      if (known_.insert(file).second) {
        fs::last_write_time(file, fs::file_time_type::clock::now() - hours);
        return;
      }
    }
    FAIL() << "no new file for " << key;
  };
  cache.write("first", binary);
  age("first", 4h);
  cache.write("second", binary);
  age("second", 3h);
  cache.write("third", binary);
  age("third", 2h);
  EXPECT_EQ(cache.use().programs, 3u);
  EXPECT_TRUE(cache.read("first").has_value()) << "now it is the one used last";
  cache.write("fourth", binary);
  EXPECT_TRUE(cache.read("first").has_value());
  EXPECT_FALSE(cache.read("second").has_value());
  EXPECT_TRUE(cache.read("third").has_value());
  EXPECT_TRUE(cache.read("fourth").has_value());
  EXPECT_LE(cache.use().bytes, 4000u);
}

TEST_F(BinaryCacheTest, RemovesWhatACrashedWriterLeftAndNothingOfOthers) {
  using namespace std::chrono_literals;
  const auto old_file = [&](const char* name, const char* content) {
    folder_.file(name, content);
    fs::last_write_time(folder_.path() / name, fs::file_time_type::clock::now() - 2h);
  };
  old_file("new-aBc123", "tessera1 and a part of a binary");
  old_file("new-aBc124", "");
  old_file("new-cheese", "a recipe");
  old_file("notes.bin", "notes");
  folder_.file("new-aBc125", "tessera1 that is being written");
  const BinaryCache cache(folder_.path(), 10);
  cache.write("larger than the limit", Binary(100, 1));
  const auto names = [&] {
    std::set<std::string> found;
    for (const fs::path& file : files_in(folder_.path())) found.insert(file.filename().string());
    return found;
  };
  EXPECT_EQ(names(), (std::set<std::string>{"new-cheese", "notes.bin", "new-aBc125"}));
  cache.clear();
  EXPECT_EQ(names(), (std::set<std::string>{"new-cheese", "notes.bin"}));
}

TEST_F(BinaryCacheTest, ManyWritersTrimTogether) {
  constexpr std::uint64_t kLimit = 20000;
  std::vector<std::jthread> writers;
  for (int w = 0; w < 4; w++) {
    writers.emplace_back([&, w] {
      const BinaryCache cache(folder_.path(), kLimit);
      for (int i = 0; i < 30; i++) {
        const std::string key = std::to_string(w) + "/" + std::to_string(i);
        const Binary binary(1000, static_cast<unsigned char>(i));
        cache.write(key, binary);
        const auto read = cache.read(key);
        if (read && *read != binary) ADD_FAILURE() << key << ": another binary";
      }
    });
  }
  writers.clear();
  const BinaryCache cache(folder_.path(), kLimit);
  EXPECT_LE(cache.use().bytes, kLimit);
  EXPECT_GE(cache.use().programs, 15u) << "no more is removed than has to be";
  EXPECT_EQ(files_in(folder_.path()).size(), cache.use().programs);
}

TEST_F(BinaryCacheTest, IsCountedAndClearedByTheUser) {
  build();
  const Variable folder("TESSERA_CACHE", folder_.at("cache"));
  EXPECT_EQ(program_cache().folder, folder_.path() / "cache");
  EXPECT_EQ(program_cache().programs, 1u);
  EXPECT_EQ(program_cache().bytes, fs::file_size(only_file()));
  EXPECT_EQ(program_cache().limit, std::uint64_t{256} << 20);
  EXPECT_EQ(clear_program_cache().programs, 1u);
  EXPECT_EQ(program_cache().programs, 0u);
  const Variable off("TESSERA_CACHE", "off");
  EXPECT_TRUE(program_cache().folder.empty());
  EXPECT_EQ(clear_program_cache().programs, 0u);
}

TEST_F(BinaryCacheTest, ADiskThatCannotBeWrittenIsNoError) {
  const Variable cache("TESSERA_CACHE", "/proc/no-such-folder");
  ProgramStore store(context().handle(), context().device());
  EXPECT_NO_THROW(store.get(kNaive, "-D ELEMENT=2 -D OUTPUT=2"));
}

/// PoCL keeps what it compiles, and compiles twice what is asked for as a binary.
TEST_F(BinaryCacheTest, BinariesAreLeftToARuntimeThatKeepsThem) {
  const Variable unnamed("TESSERA_CACHE", ""), user("XDG_CACHE_HOME", folder_.path().string());
  ProgramStore store(context().handle(), context().device());
  store.get(kNaive, "-D ELEMENT=0 -D OUTPUT=0");
  EXPECT_EQ(program_cache().folder, folder_.path() / "tessera");
  EXPECT_EQ(program_cache().programs, keeps_programs(context().device().info) ? 0u : 1u);
  EXPECT_TRUE(store.disk().on());
}

TEST_F(BinaryCacheTest, OffMeansOff) {
  const Variable cache("TESSERA_CACHE", "off");
  EXPECT_FALSE(BinaryCache::from_environment().on());
}

}  // namespace
}  // namespace tessera::runtime

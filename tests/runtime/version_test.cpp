// The version of the headers and of the library.
#include <gtest/gtest.h>

#include <string_view>
#include <tessera/version.hpp>

namespace tessera::test {
namespace {

TEST(VersionTest, IsThatOfTheBuildInEveryForm) {
  EXPECT_EQ(std::string_view(TESSERA_VERSION_STRING), TESSERA_PROJECT_VERSION);
  EXPECT_EQ(to_string(version()), TESSERA_PROJECT_VERSION);
  EXPECT_EQ(version(), kHeaderVersion);
  EXPECT_EQ(version().number(), TESSERA_VERSION);
}

TEST(VersionTest, Compares) {
  static_assert(Version{0, 2, 0} > Version{0, 1, 9});
  static_assert(Version{1, 0, 0} > Version{0, 99, 99});
  static_assert(Version{1, 0, 0}.number() > Version{0, 999, 999}.number());
  EXPECT_EQ((Version{1, 2, 3}).number(), 1002003);
  EXPECT_EQ(to_string(Version{1, 20, 3}), "1.20.3");
}

}  // namespace
}  // namespace tessera::test

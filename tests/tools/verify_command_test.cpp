// tessera multiply --verify: the elements that it checks if it does not check all.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "run_command.hpp"

namespace tessera::test {
namespace {

/// `multiply/naive.cl` with 1 added to the elements for which `where` holds.
std::string wrong_where(const std::string& where) {
  std::ifstream original(TESSERA_KERNEL_FOLDER "/multiply/naive.cl");
  std::string text(std::istreambuf_iterator<char>(original), {});
  const std::string sum = "alpha, sum";
  text.insert(text.find(sum) + sum.size(), " + (" + where + " ? 1 : 0)");
  return text;
}

Outcome verified(const Folder& folder, const std::string& product) {
  return run_command("multiply " + product + " --kernel naive --verify --json", folder.path(),
                     "TESSERA_KERNEL_DIR=kernels");
}

/// One row in 32, of the last products.
TEST(VerifyCommandTest, SeesOtherRowsOfEachProductOfABatch) {
  const Folder folder;
  const std::string batch = "random:204800x32 random:204800x32:2 --batch 6400";
  folder.file("kernels/multiply/naive.cl", wrong_where("i == 29 && get_group_id(2) >= 6000"));
  EXPECT_EQ(verified(folder, batch).status, 1);
}

/// One row in 64, wherever it is in a tile.
TEST(VerifyCommandTest, SeesTheRowsAtEveryEdgeOfATile) {
  const Folder folder;
  folder.file("kernels/multiply/naive.cl", wrong_where("i % 64 == 63 && j % 16 == 15"));
  EXPECT_EQ(verified(folder, "random:512x200 random:200x2000").status, 1);
}

TEST(VerifyCommandTest, ARightProductPasses) {
  const Folder folder;
  EXPECT_EQ(verified(folder, "random:512x200 random:200x2000").status, 0);
}

}  // namespace
}  // namespace tessera::test

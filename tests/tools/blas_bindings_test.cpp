// Tests: which lines of the dynamic linker's log are read.
#include "commands/blas_bindings.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace tessera::test {
namespace {

std::set<tool::BlasBinding> read(const std::string& text) {
  std::istringstream log(text);
  std::set<tool::BlasBinding> bindings;
  tool::read_blas_bindings(log, bindings);
  return bindings;
}

TEST(BlasBindings, AreThoseOfTheRoutinesThatAreReplaced) {
  const auto bindings = read(
      "   77:\tbinding file /a/caller.so [0] to /b/libblas.so.3 [0]: normal symbol `dgemm_'\n"
      "   77:\tbinding file /a/caller.so [0] to /b/libblas.so.3 [0]: normal symbol "
      "`scipy_cblas_ssyr2k64_' [V1]\n"
      "   77:\tbinding file /a/caller.so [0] to /b/libblas.so.3 [0]: normal symbol `zher2k_64_'\n"
      "   77:\tbinding file ./program [0] to /b/libblas.so.3 [0]: normal symbol `cblas_strsm_64'\n"
      "   77:\tbinding file /a/caller.so [0] to /b/libblas.so.3 [0]: normal symbol `dgemm_'\n");
  EXPECT_EQ(bindings, (std::set<tool::BlasBinding>{
                          {"/a/caller.so", "dgemm_", "/b/libblas.so.3"},
                          {"/a/caller.so", "scipy_cblas_ssyr2k64_", "/b/libblas.so.3"},
                          {"/a/caller.so", "zher2k_64_", "/b/libblas.so.3"},
                          {"./program", "cblas_strsm_64", "/b/libblas.so.3"},
                      }));
}

TEST(BlasBindings, LeaveOutOtherNamesAndOtherLines) {
  EXPECT_TRUE(
      read("   77:\tbinding file /a/x.so [0] to /b/libblas.so.3 [0]: normal symbol `dgemm_nn'\n"
           "   77:\tbinding file /a/x.so [0] to /b/libblas.so.3 [0]: normal symbol `zgemm3m_'\n"
           "   77:\tbinding file /a/x.so [0] to /b/libblas.so.3 [0]: normal symbol `dherk_'\n"
           "   77:\tbinding file /a/x.so [0] to /b/libblas.so.3 [0]: normal symbol `dgemv_'\n"
           "   77:\tbinding file /b/y.so [0] to /b/y.so [0]: normal symbol `dgemm_'\n"
           "   77:\tbinding file /a/x.so [0] to\n"
           "   77:\tcalling init: /a/x.so `dgemm_'\n\n")
          .empty());
}

}  // namespace
}  // namespace tessera::test

// Complex matrices of the command: files, types, adjoints and factors.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "run_command.hpp"

namespace tessera::test {
namespace {

using Json = nlohmann::json;

std::string complex_header(const std::string& descr, bool fortran, const std::string& shape) {
  return "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") +
         ", 'shape': " + shape + ", }";
}

/// The numbers in the other byte order.
std::string byte_swapped(std::string bytes, std::size_t size) {
  for (auto at = bytes.begin(); at != bytes.end(); at += static_cast<std::ptrdiff_t>(size))
    std::reverse(at, at + static_cast<std::ptrdiff_t>(size));
  return bytes;
}

const std::string kSixParts = bytes_of({1.0, 2.0, 3.0, 4.0, 5.0, 6.0});

TEST(ComplexCommandTest, ReadsComplexNumbersInEveryOrderAndByteOrder) {
  const Folder folder;
  const auto expect_six = [&](const std::string& descr, bool fortran, const std::string& data) {
    folder.file("a.npy", npy(complex_header(descr, fortran, "(1, 3)"), data));
    folder.file("b.npy", npy(complex_header(descr, fortran, "(3, 1)"), data));
    for (const std::string source : {"a.npy identity:3", "identity:3 b.npy"}) {
      const Outcome outcome = run_command(
          "multiply " + source + " --dtype complex128 -o c.npy --verify", folder.path());
      EXPECT_EQ(outcome.status, 0) << outcome.errors;
      const std::string content = folder.content("c.npy");
      EXPECT_NE(content.find("'descr': '<c16'"), std::string::npos);
      EXPECT_EQ(content.substr(content.find('\n') + 1), kSixParts) << descr;
    }
  };
  const std::string floats = bytes_of({1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f});
  expect_six("<c16", false, kSixParts);
  expect_six(">c16", false, byte_swapped(kSixParts, 8));
  expect_six("complex128", true, kSixParts);
  expect_six("<c8", false, floats);
  expect_six(">c8", true, byte_swapped(floats, 4));
  folder.file("a.npy", npy(complex_header("<c8", true, "(2, 2)"),
                           bytes_of({1.0f, 2.0f, 5.0f, 6.0f, 3.0f, 4.0f, 7.0f, 8.0f})));
  ASSERT_EQ(run_command("multiply a.npy identity:2 -o c.npy", folder.path()).status, 0);
  const std::string content = folder.content("c.npy");
  EXPECT_EQ(content.substr(content.find('\n') + 1),
            bytes_of({1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f, 7.0f, 8.0f}));
}

TEST(ComplexCommandTest, RealNumbersBecomeComplexOnes) {
  const Folder folder;
  folder.file("a.csv", "1,-2\n");
  ASSERT_EQ(
      run_command("multiply a.csv identity:2 --dtype complex64 -o c.npy", folder.path()).status, 0);
  const std::string content = folder.content("c.npy");
  EXPECT_EQ(content.substr(content.find('\n') + 1), bytes_of({1.0f, 0.0f, -2.0f, 0.0f}));
}

TEST(ComplexCommandTest, MultipliesWithAdjointsAndComplexFactors) {
  const Folder folder;
  const std::string two = "{'descr': '<c8', 'fortran_order': False, 'shape': (2, 1), }";
  folder.file("a.npy", npy(two, bytes_of({1.0f, 2.0f, 3.0f, -1.0f})));
  folder.file("b.npy", npy(two, bytes_of({0.0f, 1.0f, 2.0f, 0.0f})));
  folder.file("c0.npy", npy("{'descr': '<c8', 'fortran_order': False, 'shape': (1, 1), }",
                            bytes_of({1.0f, 1.0f})));
  // a^H b = (1 - 2i) i + (3 + i) 2 = 8 + 3i
  const std::string command =
      "multiply a.npy b.npy --adjoint-a --alpha 0+1i --beta 2-1e+0i --c c0.npy --verify --json -o ";
  const Json json = json_of(run_command(command + "c.npy", folder.path()));
  EXPECT_EQ(json["verified"], true);
  EXPECT_EQ(json["elements_verified"], 1);
  EXPECT_EQ(json["problem"], (Json{{"schema", 1},
                                   {"op", "matrix_vector"},
                                   {"dtype", "complex64"},
                                   {"m", 1},
                                   {"n", 1},
                                   {"k", 2},
                                   {"op_a", "conjugate_transpose"},
                                   {"alpha", {0, 1}},
                                   {"beta", {2, -1}}}));
  const std::string content = folder.content("c.npy");
  EXPECT_EQ(content.substr(content.find('\n') + 1), bytes_of({0.0f, 9.0f}));
  EXPECT_EQ(json_of(run_command(command + "host.npy --host", folder.path()))["verified"], true);
  EXPECT_EQ(folder.content("host.npy"), content);
  const Outcome printed = run_command("multiply a.npy b.npy --adjoint-b", folder.path());
  EXPECT_NE(printed.output.find("2-1i"), std::string::npos) << printed.output;
  EXPECT_EQ(run_command("multiply a.npy b.npy --adjoint-b --every-kernel", folder.path()).status,
            0);
}

TEST(ComplexCommandTest, ReadsAndWritesMatrixMarketOfEverySymmetry) {
  const Folder folder;
  const auto numbers = [&](const std::string& format, const std::string& lines) {
    folder.file("a.mtx", "%%MatrixMarket matrix " + format + "\n" + lines);
    EXPECT_EQ(run_command("multiply a.mtx identity:2 -o a.npy", folder.path()).status, 0) << format;
    const std::string content = folder.content("a.npy");
    EXPECT_NE(content.find("'descr': '<c16'"), std::string::npos);
    return content.substr(content.find('\n') + 1);
  };
  const auto parts = [](std::initializer_list<double> all) { return bytes_of(all); };
  EXPECT_EQ(numbers("coordinate complex general", "2 2 3\n1 1 1 2\n2 1 3 -4\n1 1 1.5 0\n"),
            parts({2.5, 2, 0, 0, 3, -4, 0, 0}));
  EXPECT_EQ(numbers("array complex general", "2 2\n1 2\n3 4\n5 6\n7 8\n"),
            parts({1, 2, 5, 6, 3, 4, 7, 8}));
  EXPECT_EQ(numbers("coordinate complex symmetric", "2 2 2\n1 1 1 2\n2 1 3 4\n"),
            parts({1, 2, 3, 4, 3, 4, 0, 0}));
  EXPECT_EQ(numbers("array complex hermitian", "2 2\n1 0\n3 4\n5 0\n"),
            parts({1, 0, 3, -4, 3, 4, 5, 0}));
  EXPECT_EQ(numbers("coordinate complex hermitian", "2 2 1\n2 1 3 4\n"),
            parts({0, 0, 3, -4, 3, 4, 0, 0}));
  EXPECT_EQ(numbers("array complex skew-symmetric", "2 2\n3 4\n"),
            parts({0, 0, -3, -4, 3, 4, 0, 0}));
  ASSERT_EQ(run_command("multiply a.npy identity:2 -o b.mtx", folder.path()).status, 0);
  EXPECT_EQ(folder.content("b.mtx"),
            "%%MatrixMarket matrix array complex general\n2 2\n0 0\n3 4\n-3 -4\n0 0\n");
}

TEST(ComplexCommandTest, TypesArePromotedAsInNumpy) {
  const Folder folder;
  folder.file("i2.npy", npy(complex_header("<i2", false, "(1, 1)"), bytes_of<std::int16_t>({1})));
  folder.file("i4.npy", npy(complex_header("<i4", false, "(1, 1)"), bytes_of<std::int32_t>({1})));
  folder.file("f4.npy", npy(complex_header("<f4", false, "(1, 1)"), bytes_of({1.0f})));
  folder.file("v2.npy",
              npy(complex_header("<V2", false, "(1, 1)"), bytes_of<std::uint16_t>({0x3f80})));
  folder.file("c8.npy", npy(complex_header("<c8", false, "(1, 1)"), bytes_of({1.0f, 2.0f})));
  folder.file("c16.npy", npy(complex_header("<c16", false, "(1, 1)"), bytes_of({1.0, 2.0})));
  folder.file("text.csv", "1\n");
  const auto type = [&](const std::string& a, const std::string& b) -> std::string {
    const Outcome outcome = run_command("multiply " + a + " " + b + " --json", folder.path());
    return json_of(outcome)["problem"]["dtype"];
  };
  EXPECT_EQ(type("c8.npy", "f4.npy"), "complex64");
  EXPECT_EQ(type("i2.npy", "c8.npy"), "complex64");
  EXPECT_EQ(type("c8.npy", "v2.npy"), "complex64");
  EXPECT_EQ(type("c8.npy", "i4.npy"), "complex128");
  EXPECT_EQ(type("text.csv", "c8.npy"), "complex128");
  EXPECT_EQ(type("c16.npy", "c8.npy"), "complex128");
  EXPECT_EQ(type("ones:1x1", "c8.npy"), "complex64");
}

}  // namespace
}  // namespace tessera::test

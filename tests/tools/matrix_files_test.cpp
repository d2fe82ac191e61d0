// Matrices that the command reads: real files in every format, generators.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "run_command.hpp"

namespace tessera::test {
namespace {

/// The type in which the command computed.
std::string type_of(const Outcome& outcome) {
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  return nlohmann::json::parse(outcome.output)["problem"]["dtype"];
}

std::string header(const std::string& descr, bool fortran, const std::string& shape) {
  return "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") +
         ", 'shape': " + shape + ", }";
}

std::string swapped(std::string bytes, std::size_t size) {
  for (std::size_t i = 0; i < bytes.size(); i += size)
    std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(i),
                 bytes.begin() + static_cast<std::ptrdiff_t>(i + size));
  return bytes;
}

/// Returns the matrix that the command reads from a source: its product with the identity, in
/// double.
std::string read_back(const Folder& folder, const std::string& source, const std::string& order) {
  const Outcome outcome = run_command(
      "multiply " + source + " identity:" + order + " --dtype double -o back.npy", folder.path());
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  const std::string content = folder.content("back.npy");
  return content.substr(content.find('\n') + 1);
}

const std::string kSix = bytes_of({1.0, 2.0, 3.0, 4.0, 5.0, 6.0});

TEST(MatrixFilesTest, ReadsEveryNpyTypeOrderAndByteOrder) {
  const Folder folder;
  const auto expect_six = [&](const std::string& descr, bool fortran, const std::string& data) {
    folder.file("a.npy", npy(header(descr, fortran, "(2, 3)"), data));
    EXPECT_EQ(read_back(folder, "a.npy", "3"), kSix)
        << descr << (fortran ? " in Fortran order" : "");
  };
  expect_six("<f8", false, kSix);
  expect_six(">f8", false, swapped(kSix, 8));
  expect_six("<f8", true, bytes_of({1.0, 4.0, 2.0, 5.0, 3.0, 6.0}));
  expect_six(">f4", true, swapped(bytes_of({1.0f, 4.0f, 2.0f, 5.0f, 3.0f, 6.0f}), 4));
  expect_six("<f4", false, bytes_of({1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f}));
  expect_six("<f2", false,
             bytes_of<std::uint16_t>({0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600}));
  expect_six("|i1", false, bytes_of<std::int8_t>({1, 2, 3, 4, 5, 6}));
  expect_six("|u1", false, bytes_of<std::uint8_t>({1, 2, 3, 4, 5, 6}));
  expect_six("<i2", false, bytes_of<std::int16_t>({1, 2, 3, 4, 5, 6}));
  expect_six(">u2", false, swapped(bytes_of<std::uint16_t>({1, 2, 3, 4, 5, 6}), 2));
  expect_six("<i4", false, bytes_of<std::int32_t>({1, 2, 3, 4, 5, 6}));
  expect_six("<u4", false, bytes_of<std::uint32_t>({1, 2, 3, 4, 5, 6}));
  expect_six(">i8", false, swapped(bytes_of<std::int64_t>({1, 2, 3, 4, 5, 6}), 8));
  expect_six("<u8", false, bytes_of<std::uint64_t>({1, 2, 3, 4, 5, 6}));
}

TEST(MatrixFilesTest, ReadsAnArrayOfOneDimensionAsAColumn) {
  const Folder folder;
  folder.file("a.npy", npy(header("<f8", false, "(6,)"), kSix));
  EXPECT_EQ(read_back(folder, "a.npy", "1"), kSix);
}

TEST(MatrixFilesTest, ReadsShapesWithoutElementsAtOnce) {
  const Folder folder;
  folder.file("huge.npy", npy(header("<f4", false, "(9000000000000000000, 0)"), ""));
  folder.file("huge.mtx", "%%MatrixMarket matrix array real general\n0 9000000000000000000\n");
  EXPECT_EQ(run_command("multiply huge.npy ones:0x0", folder.path()).status, 0);
  EXPECT_EQ(run_command("multiply ones:0x0 huge.mtx", folder.path()).status, 0);
  EXPECT_EQ(
      run_command("multiply random:9000000000000000000x0:1 ones:0x0", folder.path(), "timeout 60")
          .status,
      0);
  EXPECT_EQ(
      run_command("multiply identity:0 ones:0x9000000000000000000 --every-kernel", folder.path())
          .status,
      0);
}

TEST(MatrixFilesTest, WritesItsOutputAloneWhereStandardErrorIsClosed) {
  const Folder folder;
  const Outcome outcome = run_command("multiply ones:1x1 ones:1x1 --dtype double -o c.npy 2>&-",
                                      folder.path(), "TESSERA_LOG=info");
  EXPECT_EQ(outcome.status, 0);
  const std::string content = folder.content("c.npy");
  EXPECT_TRUE(content.starts_with("\x93NUMPY")) << content;
  EXPECT_TRUE(content.ends_with(bytes_of({1.0})));
}

TEST(MatrixFilesTest, ReadsCsv) {
  const Folder folder;
  folder.file("a.csv", "1, 2,+3\r\n\r\n 4e0,5.0 , 6\n");
  EXPECT_EQ(read_back(folder, "a.csv", "3"), kSix);
}

TEST(MatrixFilesTest, ReadsMatrixMarket) {
  const Folder folder;
  folder.file("dense.mtx",
              "%%MatrixMarket matrix array real general\n% a comment\n\n2 3\n1\n4\n2\n5\n3\n6\n");
  EXPECT_EQ(read_back(folder, "dense.mtx", "3"), kSix);
  folder.file("sparse.mtx",
              "%%MatrixMarket matrix coordinate integer general\n2 3 7\n1 1 1\n1 2 2\n1 3 3\n2 1 "
              "4\n2 2 2\n2 2 3\n2 3 6\n");
  EXPECT_EQ(read_back(folder, "sparse.mtx", "3"), kSix) << "entries that come twice are summed";
  folder.file("symmetric.mtx",
              "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 1 5\n");
  EXPECT_EQ(read_back(folder, "symmetric.mtx", "2"), bytes_of({1.0, 5.0, 5.0, 0.0}));
  folder.file("lower.mtx", "%%MatrixMarket matrix array real symmetric\n2 2\n1\n5\n7\n");
  EXPECT_EQ(read_back(folder, "lower.mtx", "2"), bytes_of({1.0, 5.0, 5.0, 7.0}));
  folder.file("skew.mtx", "%%MatrixMarket matrix array real skew-symmetric\n2 2\n5\n");
  EXPECT_EQ(read_back(folder, "skew.mtx", "2"), bytes_of({0.0, -5.0, 5.0, 0.0}));
}

TEST(MatrixFilesTest, GeneratorsGiveWhatTheirNamesSay) {
  const Folder folder;
  EXPECT_EQ(read_back(folder, "hilbert:2", "2"), bytes_of({1.0, 1.0 / 2, 1.0 / 2, 1.0 / 3}));
  EXPECT_EQ(read_back(folder, "ones:2x3", "3"), bytes_of({1.0, 1.0, 1.0, 1.0, 1.0, 1.0}));
  EXPECT_EQ(read_back(folder, "identity:2", "2"), bytes_of({1.0, 0.0, 0.0, 1.0}));
  EXPECT_EQ(read_back(folder, "random:5x7:3", "7"), read_back(folder, "random:5x7:3", "7"));
  EXPECT_NE(read_back(folder, "random:5x7:3", "7"), read_back(folder, "random:5x7:4", "7"));
  EXPECT_NE(read_back(folder, "normal:5x7:3", "7"), read_back(folder, "random:5x7:3", "7"));
}

TEST(MatrixFilesTest, ReadsWhatAPipeOrStandardInputBrings) {
  const Folder folder;
  folder.file("a.CSV", "1,2\n3,4\n");
  folder.file("a.MTX", "%%MatrixMarket matrix array real general\n2 2\n1\n3\n2\n4\n");
  folder.file("a.NPY", npy(header("<f8", false, "(2, 2)"), bytes_of({1.0, 2.0, 3.0, 4.0})));
  ASSERT_EQ(::mkfifo(folder.at("pipe").c_str(), 0600), 0);
  const std::string numbers = "1,2\n3,4\n";
  for (const std::string file : {"a.CSV", "a.MTX", "a.NPY"}) {
    const auto read = [&](const std::string& source, const std::string& before = "") {
      const Outcome outcome = run_command("multiply identity:2 " + source + " --dtype double -o -",
                                          folder.path(), before);
      EXPECT_EQ(outcome.status, 0) << file << outcome.errors;
      return outcome.output;
    };
    EXPECT_EQ(read(file), numbers) << file;
    EXPECT_EQ(read("- < " + file), numbers) << file;
    EXPECT_EQ(read("-", "cat " + file + " |"), numbers) << file;
    EXPECT_EQ(read("/dev/stdin", "cat " + file + " |"), numbers) << file;
    EXPECT_EQ(read("/dev/stdin < " + file), numbers) << file;
    EXPECT_EQ(read("pipe", "cat " + file + " > pipe & "), numbers) << file;
  }
}

TEST(MatrixFilesTest, WritesWhatItReads) {
  const Folder folder;
  folder.file("a.csv", "0.1,-1e300\n1/3,5e-324\n");
  ASSERT_EQ(run_command("multiply a.csv identity:2 -o a.npy", folder.path()).status, 0);
  for (const std::string ending : {"csv", "mtx", "CSV", "MTX", "NPY"}) {
    const std::string name = "b." + ending;
    EXPECT_EQ(run_command("multiply a.npy identity:2 -o " + name, folder.path()).status, 0);
    EXPECT_EQ(read_back(folder, name, "2"), read_back(folder, "a.npy", "2")) << name;
  }
  EXPECT_TRUE(
      folder.content("b.mtx").starts_with("%%MatrixMarket matrix array real general\n2 2\n"));
  EXPECT_EQ(folder.content("b.csv"), "0.1,-1e+300\n0.3333333333333333,5e-324\n");
  const Outcome outcome =
      run_command("multiply ones:1x2 ones:2x1 --dtype int8 -o - --verify", folder.path());
  EXPECT_EQ(outcome.output, "2\n");
  EXPECT_NE(outcome.errors.find("0 of its bound, 1 of 1 elements checked"), std::string::npos)
      << outcome.errors;
}

/// The file that np.save writes for 1, -2.5, 2^100; 3.140625, 0, -2^-7 in ml_dtypes.bfloat16
/// (ml_dtypes 0.5.1 and 0.6.0, NumPy 2.4).
std::string file_of_ml_dtypes() {
  const std::string dictionary = "{'descr': '<V2', 'fortran_order': False, 'shape': (2, 3), }";
  return std::string("\x93NUMPY\x01\x00v\x00", 10) + dictionary +
         std::string(117 - dictionary.size(), ' ') + "\n" +
         std::string("\x80? \xc0\x80qI@\x00\x00\x00\xbc", 12);
}

TEST(MatrixFilesTest, ReadsBfloat16OfMlDtypes) {
  const Folder folder;
  const auto numbers = bytes_of({1.0, -2.5, 0x1p100, 3.140625, 0.0, -0x1p-7});
  folder.file("a.npy", file_of_ml_dtypes());
  EXPECT_EQ(read_back(folder, "a.npy", "3"), numbers);
  folder.file("b.npy", npy(header(">V2", false, "(2, 3)"),
                           std::string("?\x80\xc0 q\x80@I\x00\x00\xbc\x00", 12)));
  EXPECT_EQ(read_back(folder, "b.npy", "3"), numbers);
  folder.file("f.npy", npy(header("<V2", true, "(2, 3)"),
                           std::string("\x80?I@ \xc0\x00\x00\x80q\x00\xbc", 12)));
  EXPECT_EQ(read_back(folder, "f.npy", "3"), numbers);
}

TEST(MatrixFilesTest, WritesBfloat16AsMlDtypes) {
  const Folder folder;
  folder.file("a.npy", file_of_ml_dtypes());
  const Outcome outcome =
      run_command("multiply a.npy identity:3 -o b.npy --json --verify", folder.path());
  EXPECT_EQ(type_of(outcome), "bfloat16");
  EXPECT_EQ(folder.content("b.npy"), file_of_ml_dtypes());
  EXPECT_EQ(run_command("multiply identity:2 a.npy -o -", folder.path()).output,
            "1,-2.5,1.2676506e+30\n3.140625,0,-0.0078125\n");
}

TEST(MatrixFilesTest, ReadsNumpyNamesOfTypes) {
  const Folder folder;
  folder.file("a.npy", npy(header("float64", false, "(2L, 3L)"), kSix));
  EXPECT_EQ(read_back(folder, "a.npy", "3"), kSix);
  folder.file("a.npy",
              npy(header("<uint16", false, "(2, 3)"), bytes_of<std::uint16_t>({1, 2, 3, 4, 5, 6})));
  EXPECT_EQ(read_back(folder, "a.npy", "3"), kSix);
  folder.file("a.npy", npy(header("bool", false, "(1L,)"), std::string(1, '\x01')));
  EXPECT_EQ(read_back(folder, "a.npy", "1"), bytes_of({1.0}));
}

TEST(MatrixFilesTest, ReadsAStackInFortranOrder) {
  const Folder folder;
  // Element (s, i, j) is 100 s + 10 i + j.
  folder.file("a.npy", npy(header("<f8", true, "(2, 2, 2)"),
                           bytes_of({0.0, 100.0, 10.0, 110.0, 1.0, 101.0, 11.0, 111.0})));
  EXPECT_EQ(read_back(folder, "a.npy", "2"),
            bytes_of({0.0, 1.0, 10.0, 11.0, 100.0, 101.0, 110.0, 111.0}));
}

TEST(MatrixFilesTest, TypesArePromotedAsInNumpy) {
  const Folder folder;
  folder.file("b1.npy", npy(header("|b1", false, "(1, 1)"), std::string(1, '\1')));
  folder.file("i1.npy", npy(header("|i1", false, "(1, 1)"), std::string(1, '\1')));
  folder.file("i2.npy", npy(header("<i2", false, "(1, 1)"), bytes_of<std::int16_t>({1})));
  folder.file("i4.npy", npy(header("<i4", false, "(1, 1)"), bytes_of<std::int32_t>({1})));
  folder.file("u8.npy", npy(header("<u8", false, "(1, 1)"), bytes_of<std::uint64_t>({1})));
  folder.file("f2.npy", npy(header("<f2", false, "(1, 1)"), bytes_of<std::uint16_t>({0x3c00})));
  folder.file("f4.npy", npy(header("<f4", false, "(1, 1)"), bytes_of({1.0f})));
  folder.file("v2.npy", npy(header("<V2", false, "(1, 1)"), bytes_of<std::uint16_t>({0x3f80})));
  folder.file("text.csv", "1\n");
  const auto type = [&](const std::string& a, const std::string& b) {
    return type_of(run_command("multiply " + a + " " + b + " --json", folder.path()));
  };
  EXPECT_EQ(type("b1.npy", "f2.npy"), "half");
  EXPECT_EQ(type("i2.npy", "f2.npy"), "float");
  EXPECT_EQ(type("f4.npy", "i2.npy"), "float");
  EXPECT_EQ(type("f4.npy", "i4.npy"), "double");
  EXPECT_EQ(type("u8.npy", "f4.npy"), "double");
  EXPECT_EQ(type("i1.npy", "i2.npy"), "int32");
  EXPECT_EQ(type("u8.npy", "b1.npy"), "int32");
  EXPECT_EQ(type("f4.npy", "text.csv"), "double");
  EXPECT_EQ(type("identity:1", "text.csv"), "double");
  EXPECT_EQ(type("i1.npy", "ones:1x1"), "int8");
  EXPECT_EQ(type("ones:1x1", "ones:1x1"), "float");
  EXPECT_EQ(type("v2.npy", "v2.npy"), "bfloat16");
  EXPECT_EQ(type("v2.npy", "i1.npy"), "bfloat16");
  EXPECT_EQ(type("b1.npy", "v2.npy"), "bfloat16");
  EXPECT_EQ(type("identity:1", "v2.npy"), "bfloat16");
  EXPECT_EQ(type("v2.npy", "f2.npy"), "float");
  EXPECT_EQ(type("i2.npy", "v2.npy"), "float");
  EXPECT_EQ(type("v2.npy", "f4.npy"), "float");
  EXPECT_EQ(type("v2.npy", "i4.npy"), "double");
  EXPECT_EQ(type("text.csv", "v2.npy"), "double");
}

TEST(MatrixFilesTest, TakesTheTypeOfAnNpyFile) {
  const Folder folder;
  folder.file("a.npy", npy(header("<f8", false, "(2, 3)"), kSix));
  EXPECT_EQ(type_of(run_command("multiply a.npy identity:3 --json", folder.path())), "double");
  EXPECT_EQ(type_of(run_command("multiply identity:2 a.npy --json", folder.path())), "double");
  folder.file("b.npy",
              npy(header("|i1", false, "(2, 3)"), bytes_of<std::int8_t>({1, 2, 3, 4, 5, 6})));
  EXPECT_EQ(type_of(run_command("multiply b.npy identity:3 --json", folder.path())), "int8");
  folder.file("u.npy", npy(header("|u1", false, "(1, 2)"), bytes_of<std::uint8_t>({1, 255})));
  EXPECT_EQ(type_of(run_command("multiply u.npy identity:2 --json", folder.path())), "int32");
}

}  // namespace
}  // namespace tessera::test

// Bad input: each kind ends with its exit status and one line that names the cause, and leaves
// nothing behind.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "bad_files.hpp"
#include "bad_types.hpp"
#include "run_command.hpp"

namespace tessera::test {
namespace {

// Ends a command that asks for 2 GB; the sanitizers need more addresses than that for themselves.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SHORT_OF_MEMORY                                       \
  "export ASAN_OPTIONS=$ASAN_OPTIONS:hard_rss_limit_mb=2000 " \
  "TSAN_OPTIONS=$TSAN_OPTIONS:hard_rss_limit_mb=2000; "
#else
#define SHORT_OF_MEMORY "ulimit -v 2000000; "
#endif

const std::vector<BadInput> kCases = {
    // Files that are not there or not what their name says.
    {"MissingFile", "multiply missing.npy ones:2x2", 2, "missing.npy: No such file or directory"},
    {"ControlsInAName", "multiply '\x1b[2J\u009b31m.npy' ones:2x2", 2,
     "\\x1b[2J\\x9b31m.npy: No such file or directory"},
    {"Folder", "multiply folder.npy ones:2x2", 2, "folder.npy: is a folder"},
    {"EmptyPipe", "multiply pipe.npy ones:2x2", 2, "pipe.npy: is no .npy file",
     ": > pipe.npy & timeout 10"},
    {"StandardInputTwice", "multiply - - < ragged.csv", 2,
     "-: standard input can be only one of the matrices"},
    {"StandardInputIsNamed", "multiply - ones:2x2 < ragged.csv", 2,
     "standard input: line 2: has 3 numbers, the first row has 2"},
    {"LongPath", "multiply $(printf '%01200d' 0).npy ones:2x2", 2, "0.npy: File name too long"},
    {"EndlessDevice", "multiply zero.csv ones:2x2", 2, "zero.csv: is not a regular file",
     SHORT_OF_MEMORY "timeout 10"},
    {"PipeToReplay", "tune --replay pipe.npy", 2, "pipe.npy: is not a regular file", "timeout 10"},
    {"UnknownEnding", "multiply matrix.txt ones:2x2", 2,
     "matrix.txt: is neither a file that ends in .npy, .mtx or .csv nor a generator"},
    // .npy
    {"NpyEmpty", "multiply empty.npy ones:2x2", 2, "empty.npy: is no .npy file"},
    {"NpyWrongMagic", "multiply magic.npy ones:2x2", 2,
     "magic.npy: is no .npy file: it does not begin as one"},
    {"NpyVersion", "multiply version.npy ones:2x2", 2, "version.npy: has .npy version 9"},
    {"NpyTruncatedHeader", "multiply short_header.npy ones:2x2", 2,
     "short_header.npy: ends within its header"},
    {"NpyTruncatedData", "multiply truncated.npy ones:2x2", 2,
     "truncated.npy: the header promises 16 bytes of 2 x 2 elements, the file holds 12"},
    {"NpyTrailingData", "multiply trailing.npy ones:2x2", 2,
     "trailing.npy: the header promises 16 bytes of 2 x 2 elements, the file holds 20"},
    {"NpyClaimsMore", "multiply claims.npy ones:2x2", 2,
     "claims.npy: the header promises 4000000 bytes"},
    {"NpyOverflow", "multiply overflow.npy ones:2x2", 2, "is more than 64 bits can address"},
    {"NpyHuge", "multiply huge.npy ones:2x2", 2, "this machine has"},
    {"NpyNegative", "multiply negative.npy ones:2x2", 2, "a size is negative"},
    {"NpyFourDimensions", "multiply four.npy ones:2x2", 2,
     "four.npy: shape (1, 1, 2, 2) has neither two dimensions nor the three of a stack"},
    {"NpyNoDimensions", "multiply scalar.npy ones:2x2", 2,
     "scalar.npy: shape () has neither two dimensions nor the three of a stack"},
    {"NpyObjects", "multiply objects.npy ones:2x2", 2,
     "objects.npy: has Python objects, not numbers"},
    {"NpyObjectsAsNumpyWrites", "multiply numpy_objects.npy ones:2x2", 2,
     "numpy_objects.npy: has Python objects, not numbers"},
    {"NpyLinesInShape", "multiply lines.npy ones:2x2", 2,
     "lines.npy: shape (2,\\x0a2,\\x0ax) has something that is not a number"},
    {"NpyRecords", "multiply records.npy ones:2x2", 2, "records.npy: has records, not numbers"},
    {"NpyComplex", "eigen complex.npy", 2,
     "complex.npy: has complex numbers; expected real ones for double"},
    {"NpyComplexAsFloat", "multiply complex.npy ones:1x1 --dtype float", 2,
     "complex.npy: has complex numbers; expected real ones for float"},
    {"NpyLongDouble", "multiply long.npy ones:2x2", 2,
     "long.npy: elements of type '<f16' cannot be read"},
    {"NpyRawBytes", "multiply raw.npy ones:4x2", 2,
     "raw.npy: elements of type '|V2' cannot be read"},
    {"NpyText", "multiply text.npy ones:2x2", 2, "text.npy: elements of type '<U3' cannot be read"},
    {"NpyNoShape", "multiply no_shape.npy ones:2x2", 2, "no_shape.npy: the header has no 'shape'"},
    {"NpyOrder", "multiply order.npy ones:2x2", 2, "order.npy: fortran_order is 'Perhaps'"},
    // .csv
    {"CsvRagged", "multiply ragged.csv ones:2x2", 2,
     "ragged.csv: line 2: has 3 numbers, the first row has 2"},
    {"CsvNaN", "multiply nan.csv ones:2x2", 2,
     "nan.csv: line 2, column 2 (separated by commas): 'nan' is not a finite number"},
    {"CsvText", "multiply word.csv ones:2x2", 2,
     "word.csv: line 1, column 2 (separated by commas): 'two' is not a number"},
    {"CsvEmptyCell", "multiply cell.csv ones:2x2", 2,
     "cell.csv: line 1, column 2 (separated by commas): '' is not a number"},
    {"CsvEmpty", "multiply empty.csv ones:2x2", 2, "empty.csv: the file is empty"},
    {"CsvOverflow", "multiply large.csv ones:2x2", 2,
     "large.csv: line 1, column 2 (separated by commas): '1e999' is not a number that a double can "
     "hold"},
    {"CsvMarks", "multiply marks.csv ones:2x2", 2,
     "marks.csv: line 2, column 1: '1.5' has another decimal mark than the numbers before it"},
    {"CsvCommasAndBlanks", "multiply blanks.csv ones:2x2", 2,
     "blanks.csv: line 1, column 2 (separated by commas): '5 2' is not a number"},
    {"CsvSameNames", "multiply names.csv ones:2x2", 2, "names.csv: line 1, column 1"},
    {"CsvNamesAlone", "multiply header.csv ones:2x2", 2,
     "header.csv: there is no number after the names"},
    {"CsvNothingOverNothing", "multiply quotient.csv ones:2x2", 2, "'1/0' is not a number"},
    {"CsvBinary", "multiply binary.csv ones:2x2", 2,
     "binary.csv: is binary, not text: it has bytes that are 0"},
    // .mtx
    {"MtxNoBanner", "multiply banner.mtx ones:2x2", 2,
     "banner.mtx: line 1: not a Matrix Market matrix"},
    {"MtxComplex", "eigen complex.mtx", 2,
     "complex.mtx: has complex numbers; expected real ones for double"},
    {"MtxOnePart", "multiply one_part.mtx ones:1x1", 2,
     "one_part.mtx: line 3: a complex number is a real and an imaginary part"},
    {"MtxThreeParts", "multiply three_parts.mtx ones:1x1", 2,
     "three_parts.mtx: line 3: a complex number is a real and an imaginary part"},
    {"MtxPatternWithNumbers", "multiply pattern.mtx ones:2x2", 2,
     "pattern.mtx: line 3: an entry of a pattern is a row and a column, this one has '5' too"},
    {"MtxDensePattern", "multiply dense_pattern.mtx ones:2x2", 2,
     "dense_pattern.mtx: line 1: a pattern has the format coordinate"},
    {"MtxField", "multiply field.mtx ones:1x1", 2,
     "field.mtx: line 1: 'quaternion' is none of real, double, integer, unsigned-integer, complex, "
     "pattern"},
    {"MtxHermitianDiagonal", "multiply hermitian.mtx ones:1x1", 2,
     "hermitian.mtx: line 3: the diagonal of a hermitian matrix is real"},
    {"MtxDiagonal", "multiply diagonal.mtx ones:2x2", 2,
     "diagonal.mtx: line 3: a skew-symmetric matrix has no entries on its diagonal"},
    {"MtxTruncated", "multiply truncated.mtx ones:2x2", 2, "the file ends after 1 of 2 entries"},
    {"MtxWithoutEntries", "multiply no_entries.mtx ones:2x2", 2,
     "the file ends after 0 of 1 entries", SHORT_OF_MEMORY},
    {"MtxOutside", "multiply outside.mtx ones:2x2", 2,
     "outside.mtx: line 3: (3, 1) is outside of 2 x 2"},
    {"MtxNegative", "multiply negative.mtx ones:2x2", 2, "-2 x 2: a size is negative"},
    {"MtxTooMany", "multiply many.mtx ones:1x1", 2, "there is more than the sizes promise"},
    {"MtxClaimsMore", "multiply claims.mtx ones:2x2", 2,
     "claims.mtx: line 2: the file is too short for as many numbers"},
    {"MtxNotSquare", "multiply not_square.mtx ones:2x2", 2, "a symmetric matrix is square"},
    {"MtxSumTooLarge", "multiply sum.mtx ones:2x2", 2,
     "sum.mtx: the entries at (1, 2) add up to more than a double can hold"},
    {"MtxOverflow", "multiply overflow.mtx ones:2x2", 2, "is more than 64 bits can address"},
    {"MtxHuge", "multiply huge.mtx ones:2x2", 2, "this machine has"},
    // Generators
    {"GeneratorForm", "multiply ones:2 ones:2x2", 2, "ones:2: is not of the form ones:RxC"},
    {"GeneratorNegative", "multiply ones:-2x2 ones:2x2", 2, "-2 x 2: a size is negative"},
    {"GeneratorOverflow", "multiply ones:9000000000000000000x9000000000000000000 ones:2x2", 2,
     "is more than 64 bits can address"},
    {"GeneratorHuge", "multiply ones:9000000x9000000 ones:2x2", 2, "this machine has"},
    {"GeneratorTooLargeForTheMachine", "eigen hilbert:99999999", 2, "PiB, this machine has"},
    // Shapes, kernels, parameters
    {"ShapeMismatch", "multiply ones:2x3 ones:2x3", 2,
     "ones:2x3 is 2 x 3 and ones:2x3 is 2 x 3: the inner dimensions 3 and 2 differ"},
    {"ShapeOfC0", "multiply ones:2x3 ones:3x2 --beta 1 --c ones:3x3", 2,
     "ones:3x3 is 3 x 3, the product is 2 x 2"},
    {"BetaWithoutC0", "multiply ones:2x2 ones:2x2 --beta 1", 2, "--beta needs --c"},
    {"C0WithoutBeta", "multiply ones:2x2 ones:2x2 --c ones:2x2", 2, "--c needs --beta"},
    {"EveryKernelWithSet", "multiply ones:2x2 ones:2x2 --every-kernel --set TILE=8", 2,
     "--every-kernel goes with none of --kernel, --set and -o"},
    {"UnknownVariant", "multiply ones:2x2 ones:2x2 --kernel tild", 2,
     "no variant \"tild\"; there are: naive, row_tile"},
    {"UnknownParameter", "multiply ones:2x2 ones:2x2 --kernel naive --set TILE=4", 2,
     "multiply/naive: no parameter TILE; there are: GROUP_COLUMNS, GROUP_ROWS"},
    {"WrongParameter", "multiply ones:2x2 ones:2x2 --kernel tiled_static --set TILE=7", 2,
     "TILE=7 is not one of 4, 8, 16, 32"},
    {"ParameterForm", "multiply ones:2x2 ones:2x2 --kernel tiled_static --set TILE", 2,
     "--set TILE: is not of the form NAME=INTEGER"},
    {"ParameterWithoutKernel", "multiply ones:2x2 ones:2x2 --set TILE=4", 2,
     "parameters were given without the variant"},
    {"UnknownAccuracy", "multiply ones:2x2 ones:2x2 --accuracy rough", 2, "--accuracy"},
    {"RepeatZero", "multiply ones:2x2 ones:2x2 --repeat 0", 2, "--repeat"},
    {"CheckUnknownVariant", "check --variant tild", 2,
     "nothing to check: no operation \"\" with a variant \"tild\""},
    {"CheckUnknownParameter", "check --variant tiled_static --set TILES=8", 2,
     "--set TILES: tiled_static has no such parameter"},
    {"CheckWrongParameter", "check --variant tiled_static --set TILE=9", 2,
     "--set TILE=9: the values are 4, 8, 16, 32"},
    {"CheckSetWithoutVariant", "check --set TILE=8", 2, "--set needs --variant"},
    // Eigenpairs
    {"EigenNotSquare", "eigen ones:2x3", 2, "ones:2x3: is 2 x 3, eigen needs a square matrix"},
    {"EigenEmpty", "eigen identity:0", 2,
     "identity:0: is 0 x 0, eigen needs a square matrix that is not empty"},
    {"EigenNegative", "eigen minus.csv", 2,
     "minus.csv: row 2, column 1: -3 is negative or not finite"},
    {"EigenTolerance", "eigen ones:2x2 --tolerance 0", 2, "tolerance is 0, it must be positive"},
    {"EigenToleranceNaN", "eigen ones:2x2 --tolerance nan", 2, "tolerance is nan"},
    {"EigenMethod", "eigen ones:2x2 --method best", 2, "--method"},
    {"EigenOperation", "eigen ones:2x2 --set row=atomic", 2, "no operation \"row\"; there are"},
    {"EigenVariant", "eigen ones:2x2 --method fused --set row_sum=best", 2,
     "row_sum: no variant \"best\"; there are: atomic"},
    {"EigenSetForm", "eigen ones:2x2 --set row_sum", 2, "is not of the form OPERATION=VARIANT"},
    // Usage
    {"NoCommand", "", 2, "A subcommand is required"},
    {"UnknownCommand", "divide ones:2x2 ones:2x2", 2,
     "no command \"divide\"; there are: devices, check, multiply, eigen"},
    {"MissingOperand", "multiply ones:2x2", 2, "B is required"},
    {"UnknownGlobalOption", "--verison", 2, "no option --verison"},
    {"EmptyOutput", "multiply ones:2x2 ones:2x2 -o ''", 2, "is empty"},
    {"UnknownOption", "multiply ones:2x2 ones:2x2 --fast", 2, "--fast"},
    {"TuneTransposed", "tune row_sum --transpose-a", 2, "row_sum has no transposes"},
    {"TuneBatch", "tune row_sum --size 64 --batch 2", 2, "row_sum has no batches"},
    {"TuneTransposedB", "tune matrix_vector --transpose-b", 2, "matrix_vector has no B"},
    {"TuneBatchWithoutSize", "tune multiply --batch 2", 2, "--batch needs --size"},
    {"TuneBatchOfAll", "tune --batch 2", 2, "--batch needs an OPERATION"},
    {"TuneSizeOfAll", "tune --size 64", 2, "--size needs an OPERATION"},
    {"TuneTwoSizes", "tune multiply --size 3x4", 2, "--size 3x4: multiply takes 3 sizes"},
    {"TuneThreeSizes", "tune row_sum --size 2x2x2", 2, "--size 2x2x2: row_sum takes 2 sizes"},
    // Devices
    {"UnknownDevice", "multiply ones:2x2 ones:2x2 --device abacus", 3,
     "no device \"abacus\"; there are: "},
    {"UnknownDeviceInEnvironment", "multiply ones:2x2 ones:2x2", 3,
     "no device \"abacus\"; there are: ", "TESSERA_DEVICE=abacus"},
    {"NoDevice", "multiply ones:2x2 ones:2x2", 3, "no OpenCL device",
     "TESSERA_DEVICE= OCL_ICD_VENDORS=/no-such-folder OCL_ICD_FILENAMES="},
    {"NoDeviceToList", "devices", 3, "no OpenCL device",
     "TESSERA_DEVICE= OCL_ICD_VENDORS=/no-such-folder OCL_ICD_FILENAMES="},
    {"NoPlatform", "devices", 3, "install a platform",
     "TESSERA_DEVICE= OCL_ICD_VENDORS=/no-such-folder OCL_ICD_FILENAMES="},
    // Kernels that do not build
    {"BrokenDefaultKernels", "multiply ones:2x2 ones:2x2", 4, "does not compile on",
     "TESSERA_KERNEL_DIR=all_broken"},
    {"BrokenKernel", "multiply ones:2x2 ones:2x2 --kernel naive", 4,
     "cl/multiply/naive.cl does not compile on", "TESSERA_KERNEL_DIR=kernels"},
    {"BuildOptionsOfTheEnvironment", "multiply ones:2x2 ones:2x2 --kernel naive", 4,
     "does not compile on", "TESSERA_BUILD_OPTIONS=-Dkernel=+"},
    // Outputs
    {"OutputEnding", "multiply ones:2x2 ones:2x2 -o c.txt", 2,
     "c.txt: an output ends in .npy, .csv or .mtx"},
    {"OutputOfTwoDocuments", "multiply ones:2x2 ones:2x2 -o - --json", 2,
     "-o -: standard output has the product"},
    {"OutputFolderMissing", "multiply ones:2x2 ones:2x2 -o nowhere/c.npy", 2,
     "nowhere/c.npy: cannot be written: No such file or directory"},
    {"OutputReadOnly", "multiply ones:2x2 ones:2x2 -o /proc/c.npy", 2,
     "/proc/c.npy: cannot be written: "},
    {"OutputIsFolder", "multiply ones:2x2 ones:2x2 -o folder.npy", 2, "folder.npy: is a folder"},
    {"FullStandardOutput", "devices > /dev/full", 2, "standard output: No space left on device"},
    {"ClosedStandardOutput", "multiply ones:2x2 ones:2x2 --json >&-", 2, "standard output: "},
    {"DiskFull", "multiply ones:2x2 ones:2x2 -o full.npy", 2,
     "full.npy: cannot be written: No space left on device"},
};

/// The lines that the command wrote: a runtime's compiler may write to standard error too.
std::vector<std::string> lines_of_ours(const std::string& errors) {
  std::vector<std::string> lines;
  std::istringstream stream(errors);
  for (std::string line; std::getline(stream, line);) {
    if (line.find(" error generated.") == std::string::npos &&
        line.find(" errors generated.") == std::string::npos)
      lines.push_back(line);
  }
  return lines;
}

class BadInputTest : public testing::TestWithParam<BadInput> {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<Folder>();
    make_bad_files(*folder_);
    names_ = listing();
  }
  static void TearDownTestSuite() { folder_.reset(); }

  static std::vector<std::string> listing() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_->path())) {
      const std::string name = entry.path().filename();
      if (name != ".output" && name != ".errors") names.push_back(name);
    }
    std::ranges::sort(names);
    return names;
  }

  static inline std::unique_ptr<Folder> folder_;
  static inline std::vector<std::string> names_;
};

TEST_P(BadInputTest, IsRefusedInOneLine) {
  const BadInput& input = GetParam();
  const Outcome outcome = run_command(input.arguments, folder_->path(), input.environment);
  EXPECT_EQ(outcome.status, input.status) << outcome.errors;
  const auto ours = lines_of_ours(outcome.errors);
  ASSERT_EQ(ours.size(), 1u) << outcome.errors;
  EXPECT_TRUE(ours.front().starts_with("tessera: ")) << ours.front();
  EXPECT_NE(ours.front().find(input.cause), std::string::npos) << ours.front();
  EXPECT_EQ(outcome.output, "");
  EXPECT_EQ(listing(), names_) << "nothing is left behind";
}

INSTANTIATE_TEST_SUITE_P(Command, BadInputTest, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });
INSTANTIATE_TEST_SUITE_P(Types, BadInputTest, testing::ValuesIn(kBadTypes),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace tessera::test

// The bytes of bad files, and links and pipes in their place.
#include "bad_files.hpp"

#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "run_command.hpp"

namespace tessera::test {
namespace {

/// The bytes of four floats.
std::string four() { return bytes_of({1.0f, 2.0f, 3.0f, 4.0f}); }

std::string with(const std::string& descr, const std::string& shape) {
  return "{'descr': " + descr + ", 'fortran_order': False, 'shape': " + shape + ", }";
}

/// Files that are cut off, too long, of another kind, or without numbers.
void make_npy_of_wrong_content(const Folder& folder) {
  folder.file("empty.npy", "");
  folder.file("magic.npy", "PK\x03\x04 and so on");
  std::string version = npy(with("'<f4'", "(2, 2)"), four());
  version[6] = 9;
  folder.file("version.npy", version);
  folder.file("short_header.npy", npy(with("'<f4'", "(2, 2)"), "").substr(0, 40));
  folder.file("truncated.npy", npy(with("'<f4'", "(2, 2)"), four().substr(0, 12)));
  folder.file("trailing.npy", npy(with("'<f4'", "(2, 2)"), four() + "more"));
  folder.file("objects.npy", npy(with("'|O8'", "(2, 2)"), four() + four()));
  folder.file("numpy_objects.npy", npy(with("'|O'", "(2, 2)"), four() + four()));
  folder.file("records.npy", npy(with("[('x', '<f4'), ('y', '<f4')]", "(2, 1)"), four()));
  folder.file("complex.npy", npy(with("'<c8'", "(1, 1)"), four().substr(0, 8)));
  folder.file("long.npy", npy(with("'<f16'", "(1, 1)"), four()));
  folder.file("raw.npy", npy(with("'|V2'", "(2, 4)"), four()));
  folder.file("text.npy", npy(with("'<U3'", "(1, 1)"), four()));
  folder.file("order.npy",
              npy("{'descr': '<f4', 'fortran_order': Perhaps, 'shape': (2, 2), }", four()));
}

/// Files with a shape that is not a matrix's, is too large, or does not match the file's size.
void make_npy_of_wrong_shape(const Folder& folder) {
  folder.file("claims.npy", npy(with("'<f4'", "(1000, 1000)"), four()));
  folder.file("overflow.npy",
              npy(with("'<f4'", "(4611686018427387904, 4611686018427387904)"), four()));
  folder.file("huge.npy", npy(with("'<f4'", "(10000000, 10000000)"), four()));
  folder.file("negative.npy", npy(with("'<f4'", "(-2, -2)"), four()));
  folder.file("four.npy", npy(with("'<f4'", "(1, 1, 2, 2)"), four()));
  folder.file("scalar.npy", npy(with("'<f4'", "()"), four().substr(0, 4)));
  folder.file("lines.npy", npy(with("'<f4'", "(2,\n2,\nx)"), four()));
  folder.file("no_shape.npy", npy("{'descr': '<f4', 'fortran_order': False, }", four()));
}

void make_csv(const Folder& folder) {
  folder.file("ragged.csv", "1,2\n3,4,5\n");
  folder.file("nan.csv", "1,2\n3,nan\n");
  folder.file("word.csv", "1,two\n3,4\n");
  folder.file("cell.csv", "1,\n3,4\n");
  folder.file("empty.csv", "\n\n");
  folder.file("large.csv", "1,1e999\n3,4\n");
  folder.file("minus.csv", "1,2\n-3,4\n");
  folder.file("zeros.csv", "1,2\n0,0\n");
  folder.file("marks.csv", "1,5;2\n1.5;3\n");
  folder.file("blanks.csv", "1,5 2,5\n");
  folder.file("names.csv", "NA,NA\n1,2\n");
  folder.file("header.csv", "x,y\n");
  folder.file("quotient.csv", "1/0,1\n1,1\n");
  folder.file("binary.csv", std::string("1,2\0003,4\n", 8));
  folder.file("big.csv", "3000000000\n");
  folder.file("byte.csv", "128\n");
  folder.file("range.csv", "3.4e38\n");
}

void make_matrix_market(const Folder& folder) {
  folder.file("banner.mtx", "2 2\n1 2 3 4\n");
  folder.file("complex.mtx", "%%MatrixMarket matrix array complex general\n1 1\n1 2\n");
  folder.file("one_part.mtx", "%%MatrixMarket matrix array complex general\n1 1\n1\n");
  folder.file("three_parts.mtx",
              "%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 2 3\n");
  folder.file("field.mtx", "%%MatrixMarket matrix array quaternion general\n1 1\n1\n");
  folder.file("pattern.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 1 5\n");
  folder.file("dense_pattern.mtx", "%%MatrixMarket matrix array pattern general\n1 1\n1\n");
  folder.file("hermitian.mtx", "%%MatrixMarket matrix array complex hermitian\n1 1\n1 2\n");
  folder.file("diagonal.mtx",
              "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n1 1 5\n");
  folder.file("truncated.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 5\n");
  folder.file("no_entries.mtx", "%%MatrixMarket matrix coordinate real general\n22000 22000 1\n");
  folder.file("outside.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 5\n");
  folder.file("negative.mtx", "%%MatrixMarket matrix array real general\n-2 2\n");
  folder.file("many.mtx", "%%MatrixMarket matrix array real general\n1 1\n5\n6\n");
  folder.file("claims.mtx", "%%MatrixMarket matrix array real general\n9000 9000\n1\n");
  folder.file("not_square.mtx", "%%MatrixMarket matrix array real symmetric\n2 3\n1\n2\n3\n");
  folder.file(
      "sum.mtx",
      "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 2 1e308\n1 2 9e307\n1 1 1\n");
  folder.file("overflow.mtx",
              "%%MatrixMarket matrix coordinate real general\n4611686018427387904 "
              "4611686018427387904 1\n1 1 1\n");
  folder.file("huge.mtx",
              "%%MatrixMarket matrix coordinate real general\n10000000 10000000 1\n1 1 1\n");
}

}  // namespace

void make_bad_files(const Folder& folder) {
  namespace fs = std::filesystem;
  make_npy_of_wrong_content(folder);
  make_npy_of_wrong_shape(folder);
  make_csv(folder);
  make_matrix_market(folder);
  folder.file("matrix.txt", "1 2\n3 4\n");
  folder.file("kernels/multiply/naive.cl", "this is no kernel;\n");
  folder.file("all_broken/common/element.cl", "nor is this;\n");
  fs::create_directory(folder.path() / "folder.npy");
  fs::create_symlink("/dev/zero", folder.path() / "zero.csv");
  ::mkfifo(folder.at("pipe.npy").c_str(), 0600);
  fs::create_symlink("/dev/full", folder.path() / "full.npy");
}

}  // namespace tessera::test

// ScaLAPACK's psgemm and pdgemm on random grids, block sizes, submatrices, transposes, alpha and
// beta, each element against the host's. The program defines sgemm_ and dgemm_ itself and passes
// them on, so that it knows which products ranks compute.
//   random_pgemm CALLS SEED    random calls; the status is 1 if any is wrong
//   random_pgemm cube N        products of two N x N matrices; prints the least time, and the least
//   inner dimension of
//                              a rank's product
#include <dlfcn.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace {
int least_inner_dimension = std::numeric_limits<int>::max();
}

extern "C" {
void Cblacs_get(int, int, int*);
void Cblacs_gridinit(int*, const char*, int, int);
void Cblacs_gridinfo(int, int*, int*, int*, int*);
void Cblacs_gridexit(int);
int numroc_(const int*, const int*, const int*, const int*, const int*);
void descinit_(int*, const int*, const int*, const int*, const int*, const int*, const int*,
               const int*, const int*, int*);
#define PGEMM(NAME, T)                                                                        \
  void NAME(const char*, const char*, const int*, const int*, const int*, const T*, const T*, \
            const int*, const int*, const int*, const T*, const int*, const int*, const int*, \
            const T*, T*, const int*, const int*, const int*);
PGEMM(psgemm_, float)
PGEMM(pdgemm_, double)

#define GEMM(NAME, T)                                                                              \
  void NAME(const char* ta, const char* tb, const int* m, const int* n, const int* k,              \
            const T* alpha, const T* a, const int* lda, const T* b, const int* ldb, const T* beta, \
            T* c, const int* ldc) {                                                                \
    static const auto next = reinterpret_cast<decltype(&(NAME))>(::dlsym(RTLD_NEXT, #NAME));       \
    least_inner_dimension = std::min(least_inner_dimension, *k);                                   \
    next(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);                                    \
  }
GEMM(sgemm_, float)
GEMM(dgemm_, double)
}

namespace {

void pgemm(const char* ta, const char* tb, const int* m, const int* n, const int* k,
           const float* alpha, const float* a, const int* ia, const int* ja, const int* da,
           const float* b, const int* ib, const int* jb, const int* db, const float* beta, float* c,
           const int* ic, const int* jc, const int* dc) {
  psgemm_(ta, tb, m, n, k, alpha, a, ia, ja, da, b, ib, jb, db, beta, c, ic, jc, dc);
}
void pgemm(const char* ta, const char* tb, const int* m, const int* n, const int* k,
           const double* alpha, const double* a, const int* ia, const int* ja, const int* da,
           const double* b, const int* ib, const int* jb, const int* db, const double* beta,
           double* c, const int* ic, const int* jc, const int* dc) {
  pdgemm_(ta, tb, m, n, k, alpha, a, ia, ja, da, b, ib, jb, db, beta, c, ic, jc, dc);
}

/// A process grid, and this rank's place in it.
struct Grid {
  int context = 0, rows, columns, row = 0, column = 0;

  Grid(int grid_rows, int grid_columns) : rows(grid_rows), columns(grid_columns) {
    Cblacs_get(0, 0, &context);
    Cblacs_gridinit(&context, "R", rows, columns);
    Cblacs_gridinfo(context, &rows, &columns, &row, &column);
  }
  Grid(const Grid&) = delete;
  Grid& operator=(const Grid&) = delete;
  ~Grid() { Cblacs_gridexit(context); }
};

/// An element of matrix `number`, the same on every rank: a multiple of 1/16 in [-1, 1).
double element(int number, int row, int column) {
  std::uint64_t x =
      (std::uint64_t(number) << 50) ^ (std::uint64_t(row) << 25) ^ std::uint64_t(column);
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return static_cast<double>((x ^ (x >> 31)) >> 59) / 16 - 1;
}

class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}
  int operator()(int least, int most) {
    return least + static_cast<int>(random_() % static_cast<unsigned>(most - least + 1));
  }

 private:
  std::mt19937 random_;  // the same on every rank
};

/// A submatrix of a block-cyclic matrix. Its padding is NaN.
template <class T>
struct Distributed {
  int descriptor[9] = {}, first_row = 1, first_column = 1;  // of the submatrix, from 1
  int own_rows = 0, own_columns = 0;
  std::vector<T> elements;

  Distributed(const Grid& grid, int number, int rows, int columns, int block_rows,
              int block_columns, Draw* draw)
      : grid_(grid), block_rows_(block_rows), block_columns_(block_columns) {
    int all_rows = std::max(1, rows), all_columns = std::max(1, columns), padding = 0, info = 0;
    if (draw != nullptr) {
      first_row = (*draw)(1, 40);
      first_column = (*draw)(1, 40);
      all_rows = std::max(1, first_row - 1 + rows + (*draw)(0, 30));
      all_columns = std::max(1, first_column - 1 + columns + (*draw)(0, 30));
      source_row_ = (*draw)(0, grid.rows - 1);
      source_column_ = (*draw)(0, grid.columns - 1);
      padding = (*draw)(0, 3);
    }
    own_rows = numroc_(&all_rows, &block_rows_, &grid.row, &source_row_, &grid.rows);
    own_columns =
        numroc_(&all_columns, &block_columns_, &grid.column, &source_column_, &grid.columns);
    const int leading_dimension = std::max(1, own_rows) + padding;
    descinit_(descriptor, &all_rows, &all_columns, &block_rows_, &block_columns_, &source_row_,
              &source_column_, &grid.context, &leading_dimension, &info);
    elements.assign(std::size_t(leading_dimension) * std::size_t(std::max(1, own_columns)), T(NAN));
    each([&](int row, int column, T& at) { at = T(element(number, row, column)); });
  }

  /// Calls f(row, column, element) for this rank's elements, with places in the whole matrix.
  template <class F>
  void each(F f) {
    for (int column = 0; column < own_columns; ++column) {
      for (int row = 0; row < own_rows; ++row)
        f(place(row, block_rows_, grid_.row - source_row_, grid_.rows),
          place(column, block_columns_, grid_.column - source_column_, grid_.columns),
          elements[std::size_t(column) * std::size_t(descriptor[8]) + std::size_t(row)]);
    }
  }

 private:
  static int place(int own, int block, int distance, int ranks) {
    return (own / block * ranks + (distance + ranks) % ranks) * block + own % block;
  }

  const Grid& grid_;
  int block_rows_, block_columns_, source_row_ = 0, source_column_ = 0;
};

/// Returns whether C is right on every rank. Elements outside the submatrix must be as before.
template <class T>
bool is_call_right(Draw& draw, int ranks) {
  std::vector<int> divisors;
  for (int d = 1; d <= ranks; ++d)
    if (ranks % d == 0) divisors.push_back(d);
  const int rows = divisors[std::size_t(draw(0, int(divisors.size()) - 1))];
  const Grid grid(rows, ranks / rows);
  const int m = draw(1, 90), n = draw(1, 90), k = draw(0, 90);
  const bool ta = draw(0, 1) != 0, tb = draw(0, 1) != 0;
  const T alpha = T(draw(-2, 2)), beta = T(draw(-1, 1));
  const int block_m = draw(1, 30), block_n = draw(1, 30), block_k = draw(1, 30);
  Distributed<T> a(grid, 1, ta ? k : m, ta ? m : k, ta ? block_k : block_m, ta ? block_m : block_k,
                   &draw);
  Distributed<T> b(grid, 2, tb ? n : k, tb ? k : n, tb ? block_n : block_k, tb ? block_k : block_n,
                   &draw);
  Distributed<T> c(grid, 3, m, n, block_m, block_n, &draw);
  pgemm(ta ? "T" : "N", tb ? "T" : "N", &m, &n, &k, &alpha, a.elements.data(), &a.first_row,
        &a.first_column, a.descriptor, b.elements.data(), &b.first_row, &b.first_column,
        b.descriptor, &beta, c.elements.data(), &c.first_row, &c.first_column, c.descriptor);
  int wrong = 0, all = 0;
  c.each([&](int row, int column, T& at) {
    const int i = row - c.first_row + 1, j = column - c.first_column + 1;
    double expected = T(element(3, row, column));
    if (i >= 0 && j >= 0 && i < m && j < n) {
      expected *= double(beta);
      for (int q = 0; q < k; ++q)  // exact: few bits
        expected += double(alpha) *
                    element(1, a.first_row - 1 + (ta ? q : i), a.first_column - 1 + (ta ? i : q)) *
                    element(2, b.first_row - 1 + (tb ? j : q), b.first_column - 1 + (tb ? q : j));
    }
    wrong += at == T(expected) ? 0 : 1;
  });
  MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return all == 0;
}

/// Returns the least time of some products, in seconds.
template <class T>
double multiply_cubes(int n, int ranks) {
  int rows = 1;
  for (int d = 1; d * d <= ranks; ++d)
    if (ranks % d == 0) rows = d;
  const Grid grid(rows, ranks / rows);
  const T alpha = 1, beta = 0;
  const int one = 1;
  Distributed<T> a(grid, 1, n, n, 128, 128, nullptr), b(grid, 2, n, n, 128, 128, nullptr);
  Distributed<T> c(grid, 3, n, n, 128, 128, nullptr);
  double least = std::numeric_limits<double>::max();
  for (int i = 0; i < 4; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    pgemm("N", "N", &n, &n, &n, &alpha, a.elements.data(), &one, &one, a.descriptor,
          b.elements.data(), &one, &one, b.descriptor, &beta, c.elements.data(), &one, &one,
          c.descriptor);
    MPI_Barrier(MPI_COMM_WORLD);
    least = std::min(least, MPI_Wtime() - start);
  }
  return least;
}

}  // namespace

int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  if (count != 3) return 2;
  const std::string first = arguments[1];
  const int second = std::stoi(arguments[2]);
  int rank = 0, ranks = 1, wrong = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (first == "cube") {
    const double floats = multiply_cubes<float>(second, ranks);
    const double doubles = multiply_cubes<double>(second, ranks);
    if (rank == 0)
      std::printf("float %.3f s, double %.3f s, least inner dimension %d\n", floats, doubles,
                  least_inner_dimension);
  } else {
    Draw draw(static_cast<unsigned>(second));
    const int calls = std::stoi(first);
    for (int i = 0; i < calls; ++i)
      wrong += (i % 2 == 0 ? is_call_right<double>(draw, ranks) : is_call_right<float>(draw, ranks))
                   ? 0
                   : 1;
    if (rank == 0) std::printf("%d ranks, %d calls, %d wrong\n", ranks, calls, wrong);
  }
  MPI_Finalize();
  return wrong == 0 ? 0 : 1;
}

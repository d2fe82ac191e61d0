// Split: which rows of a matrix each rank of a test has.
#pragma once

#include <cstddef>

namespace tessera::test {

struct Split {
  std::size_t first, count;
};

/// About n / ranks rows for each rank; with three ranks or more, rank 1 has none.
inline Split split(std::size_t n, int ranks, int rank) {
  const int parts = ranks > 2 ? ranks - 1 : ranks;
  const auto begin = [&](int part) {
    return n * static_cast<std::size_t>(part) / static_cast<std::size_t>(parts);
  };
  if (parts == ranks || rank == 0) return {begin(rank), begin(rank + 1) - begin(rank)};
  return {begin(rank == 1 ? 1 : rank - 1), rank == 1 ? 0 : begin(rank) - begin(rank - 1)};
}

}  // namespace tessera::test

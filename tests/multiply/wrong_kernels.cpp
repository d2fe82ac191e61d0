// The tables of wrong kernels.
#include "wrong_kernels.hpp"

namespace tessera::test {
namespace {

/// For a sum before it is stored: `place` is true at the last element.
std::string with_wrong_sum(const std::string& sum, const std::string& place) {
  return "SPOILED(" + sum + ", " + place + ")";
}

/// For an element that was stored: `place` is its index in c, `is_last` true at the last element.
std::string then_spoil(const std::string& c, const std::string& place, const std::string& is_last) {
  return "\n STORE(SPOILED(LOAD(" + c + ", " + place + "), " + is_last + "), " + c + ", " + place +
         ");";
}

}  // namespace

const std::vector<Subject>& subjects() {
  static const std::vector<Subject> all = {
      {"multiply",
       "packed",
       {},
       {{"update_tile(tile, alpha, beta, c_tile, c_at.row, 0, min((ulong)MR, i1 - i0 - i), "
         "columns);",
         "update_tile(tile, alpha, beta, c_tile, c_at.row, 0, min((ulong)MR, i1 - i0 - i), "
         "columns);"
         "const ulong products = block.batch;" +
             then_spoil("c_tile", "(min((ulong)MR, i1 - i0 - i) - 1) * c_at.row + columns - 1",
                        "i0 + i + MR >= bottom && j + NR >= right")}},
       true},
      {"multiply",
       "direct",
       {},
       {{"panel, next, part.top", "panel, next, share.batch, part.top"},
        {"panel, next,\n", "panel, next, products,\n"},
        {"const Next next, const ulong top",
         "const Next next, const ulong products, const ulong top"},
        {"i - first, rows.rows, columns);",
         "i - first, rows.rows, columns);" +
             then_spoil("c", "(first + rows.rows - 1) * c_at.row + columns - 1",
                        "i + MR >= bottom")}},
       true},
      {"multiply",
       "register_tiled",
       {{"TILE_M", 32}, {"TILE_N", 32}, {"TILE_K", 8}, {"WORK_M", 4}, {"WORK_N", 4}},
       {{"number sum[WORK_M][WORK_N];",
         "const ulong products = get_num_groups(2); number sum[WORK_M][WORK_N];"},
        {"alpha, sum[r][q], beta)",
         "alpha, " +
             with_wrong_sum("sum[r][q]",
                            "(ci + 1 == shape.m || ci % TILE_M == TILE_M - 1) && "
                            "(cj + 1 == shape.n || cj % TILE_N == TILE_N - 1)") +
             ", beta)"}}},
      {"matrix_vector",
       "per_item",
       {},
       {{"sum_of_products(sums[r]) + rest[r], beta);",
         with_wrong_sum("sum_of_products(sums[r]) + rest[r]", "first + r + 1 == shape.m") +
             ", beta);"},
        {"alpha, sums[i], beta);",
         "alpha, " + with_wrong_sum("sums[i]", "first + i + 1 == shape.m") + ", beta);"}},
       true}};
  return all;
}

const std::vector<Wrong>& wrong_elements() {
  static const std::vector<Wrong> all = {
      {"true"},
      {"a_at.column != 1", true},
      {"a_at.column != 1 && b_at.column != 1 && shape.m > 64", true, true},
      {"beta != 0"},
      {"alpha != 1"},
      {"beta != 0 && beta != 1 && beta != 1.5f && beta != 2"},
      {"shape.n % 16 == 7"},
      {"shape.k % 16 == 15"},
      {"shape.k > 1100"},
      {"shape.k > 4096"},
      {"shape.m > 2000"},
      {"shape.n > 3072"},
      {"shape.m >= 512 && shape.n >= 512"},
      {"shape.m % 64 == 0 && shape.n % 64 == 0 && shape.k % 64 == 0"},
      {"products > 64"},
      {"c_at.row != shape.n"},
      {"a_at.row != shape.k && a_at.column == 1"},
      {"a_at.offset % 2 == 1"},
      {"products > 1 && c_at.batch != shape.m * c_at.row"},
      {"isnan(value)", false, false, true},
      {"isinf(value)", false, false, true}};
  return all;
}

const std::vector<WrongLine>& wrong_lines() {
  const std::string packed = "multiply/packed.cl", per_item = "matrix_vector/per_item.cl";
  static const std::vector<WrongLine> all = {
      {"multiply",
       "packed",
       packed,
       {"product * a_at.batch", "(product < 33 ? product : 0) * a_at.batch"},
       false,
       false,
       true},
      {"multiply",
       "packed",
       packed,
       {"multiply_rectangle(shape, alpha, beta, a + a_at.offset",
        "c[c_at.offset + product * c_at.batch + (shape.m - 1) * c_at.row + shape.n] = 1;"
        " multiply_rectangle(shape, alpha, beta, a + a_at.offset"},
       false,
       false,
       true},
      {"multiply",
       "packed",
       "common/panels.cl",
       {"STORE_NUMBERS(block[w], to", "STORE_NUMBERS(block[w ^ 1], to"},
       true,
       false,
       true},
      {"multiply",
       "direct",
       "common/panels.cl",
       {"store_row_of_b(block[w], to", "store_row_of_b(block[w ^ 1], to"},
       false,
       true,
       true},
      {"multiply",
       "direct",
       "common/tile.cl",
       {"/ PARTS], beta);", "/ PARTS], 0);"},
       false,
       false,
       true},
      {"multiply",
       "packed",
       packed,
       {"if (part > 0) add_sum(tile, sum);", "if (part == 1) add_sum(tile, sum);"},
       false,
       false,
       true},
      {"matrix_vector",
       "per_item",
       "common/parts.cl",
       {"part < parts; part += lanes", "part + 1 < parts; part += lanes"},
       false,
       false,
       true}};
  return all;
}

}  // namespace tessera::test

// Errors of distributed solves: whichever rank fails, and when, all ranks end with its number.
#include <gtest/gtest.h>

#include <cmath>
#include <exception>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <tessera/tessera.hpp>
#include <vector>

#include "random_matrix.hpp"
#include "split.hpp"
#include "support/device.hpp"
#include "thread_ranks.hpp"

namespace tessera::test {
namespace {

constexpr std::size_t kN = 40;

/// Returns which rank's rows have this row.
int owner(std::size_t row, int ranks) {
  for (int rank = 0; rank < ranks; rank++) {
    const Split own = split(kN, ranks, rank);
    if (row >= own.first && row < own.first + own.count) return rank;
  }
  return -1;
}

class DistributedErrorsTest : public testing::Test {
 protected:
  using Options = std::function<DistributedOptions(int rank)>;

  /// Solves the matrix, and returns each rank's ending.
  auto endings(int ranks, const Options& options) const {
    return run_ranks(ranks, [this, options](Communicator& communicator) {
      const Split own = split(kN, communicator.size(), communicator.rank());
      const Matrix<double> rows(engine(), own.count, kN,
                                std::span(a_).subspan(own.first * kN, own.count * kN));
      return dominant_eigenpair(communicator, rows, options(communicator.rank()));
    });
  }

  /// Expects a RemoteError of `failed` on all ranks.
  template <class Endings>
  static void expect_remote(const Endings& endings, int failed, ErrorCode code,
                            const std::string& text) {
    for (const auto& ending : endings) {
      ASSERT_TRUE(ending.thrown != nullptr);
      try {
        std::rethrow_exception(ending.thrown);
      } catch (const RemoteError& error) {
        EXPECT_EQ(error.rank(), failed);
        EXPECT_EQ(error.code(), code) << to_string(error.code());
        EXPECT_EQ(std::string(error.what()), "rank " + std::to_string(failed) + ": " + text);
      } catch (const std::exception& error) {
        ADD_FAILURE() << "other error: " << error.what();
      }
    }
  }

  std::mt19937_64 random_{17};
  // Slow, so that there are many rounds.
  std::vector<double> a_ = random_matrix<double>(Kind::gap, kN, random_);
};

TEST_F(DistributedErrorsTest, AnInvalidElementOnEachRank) {
  const auto good = a_;
  for (int ranks = 1; ranks <= 4; ranks++) {
    for (const std::size_t row : {0, 13, 26, 39}) {
      for (const auto& [element, text] :
           {std::pair{std::nan(""), "nan"}, {-1.0, "-1"}, {INFINITY, "inf"}}) {
        a_ = good;
        a_[row * kN + 7] = element;
        expect_remote(endings(ranks, [](int) { return DistributedOptions(); }), owner(row, ranks),
                      ErrorCode::invalid_element,
                      "dominant_eigenpair: element (" + std::to_string(row) + ", 7) is " + text +
                          "; all must be finite and not negative");
      }
    }
  }
  a_ = good;
  a_[5] = a_[6] = std::numeric_limits<double>::max();
  expect_remote(endings(3, [](int) { return DistributedOptions(); }), 0, ErrorCode::invalid_element,
                "dominant_eigenpair: the sum of row 0 overflows");
}

TEST_F(DistributedErrorsTest, AnExceptionOnEachRankInSeveralRounds) {
  for (int ranks = 1; ranks <= 4; ranks++) {
    for (int failed = 0; failed < ranks; failed++) {
      for (const std::uint64_t round : {1, 2, 9}) {
        const auto ends = endings(ranks, [=](int rank) {
          DistributedOptions options{.tolerance = 1e-12};
          if (rank == failed) {
            options.progress = [=](const EigenProgress& progress) {
              if (progress.iterations == round) throw std::runtime_error("made by hand");
            };
          }
          return options;
        });
        expect_remote(ends, failed, ErrorCode::rank_failed, "made by hand");
      }
    }
  }
}

TEST_F(DistributedErrorsTest, TheLowestOfSeveralRanksIsNamed) {
  const auto ends = endings(4, [](int rank) {
    return DistributedOptions{.progress = [rank](const EigenProgress&) {
      if (rank > 0) throw std::runtime_error("rank " + std::to_string(rank) + " ends");
    }};
  });
  expect_remote(ends, 1, ErrorCode::rank_failed, "rank 1 ends");
}

TEST_F(DistributedErrorsTest, ACancelledRankEndsAll) {
  const CancelSource source;
  const auto ends = endings(3, [&](int rank) {
    DistributedOptions options{.tolerance = 1e-12};
    if (rank == 2) {
      options.cancel = source.token();
      options.progress = [&](const EigenProgress&) { source.cancel(); };
    }
    return options;
  });
  expect_remote(ends, 2, ErrorCode::cancelled,
                "dominant_eigenpair: cancelled before the result was known");
}

TEST_F(DistributedErrorsTest, AnInvalidOptionOnOneRank) {
  for (const double tolerance : {0.0, -1.0, std::nan("")}) {
    const auto ends = endings(
        3, [=](int rank) { return DistributedOptions{.tolerance = rank == 1 ? tolerance : 1e-6}; });
    for (const auto& ending : ends)
      EXPECT_THROW(std::rethrow_exception(ending.thrown), RemoteError);
  }
}

template <class Thrown, class Endings>
void expect_thrown(const Endings& endings, const std::string& text) {
  for (const auto& ending : endings) {
    ASSERT_TRUE(ending.thrown != nullptr);
    try {
      std::rethrow_exception(ending.thrown);
    } catch (const Thrown& error) {
      EXPECT_EQ(std::string(error.what()), text);
    } catch (const std::exception& error) {
      ADD_FAILURE() << "other error: " << error.what();
    }
  }
}

TEST_F(DistributedErrorsTest, OptionsThatDiffer) {
  expect_thrown<ArgumentError>(
      endings(3, [](int rank) { return DistributedOptions{.tolerance = rank == 2 ? 0.5 : 0.25}; }),
      "dominant_eigenpair: tolerance is 0.25 on one rank and 0.5 on another");
  expect_thrown<ArgumentError>(
      endings(2, [](int rank) { return DistributedOptions{.max_rounds = rank == 0 ? 7u : 9u}; }),
      "dominant_eigenpair: max_rounds is 7 on one rank and 9 on another");
}

auto endings_of_shapes(std::vector<std::pair<std::size_t, std::size_t>> shapes) {
  const int ranks = static_cast<int>(shapes.size());
  return run_ranks(ranks, [shapes](Communicator& communicator) {
    const auto [rows, columns] = shapes[static_cast<std::size_t>(communicator.rank())];
    const Matrix<float> own(engine(), rows, columns, std::vector<float>(rows * columns, 1));
    return dominant_eigenpair(communicator, own);
  });
}

TEST(DistributedShapesTest, RowsThatAreNoSquareMatrix) {
  expect_thrown<MatrixError>(endings_of_shapes({{2, 5}, {2, 4}}),
                             "dominant_eigenpair: rows have 4 elements on one rank and 5 on "
                             "another");
  expect_thrown<MatrixError>(
      endings_of_shapes({{2, 5}, {1, 5}}),
      "dominant_eigenpair: rows have 5 elements and all ranks have 3 rows; the matrix must be "
      "square");
  expect_thrown<MatrixError>(endings_of_shapes({{0, 5}, {0, 0}}),
                             "dominant_eigenpair: no rank has rows");
  expect_thrown<RemoteError>(
      endings_of_shapes({{1, 5}, {6, 5}, {0, 5}}),
      "rank 1: dominant_eigenpair: there are 6 rows of 5 elements; expected rows of a square "
      "matrix");
}

auto endings_of_certify(const std::vector<std::vector<double>>& parts) {
  return run_ranks(2, [parts](Communicator& communicator) {
    const Matrix<double> own(engine(), 2, 4, std::vector<double>(8, 1));
    return certify(communicator, own, parts[static_cast<std::size_t>(communicator.rank())]);
  });
}

TEST(DistributedShapesTest, VectorsThatProveNothing) {
  expect_thrown<RemoteError>(
      endings_of_certify({{1, 1}, {1, 0}}),
      "rank 1: certify: component 3 of the vector is 0; all must be positive and finite");
  expect_thrown<RemoteError>(
      endings_of_certify({{std::nan(""), 1}, {1, 1}}),
      "rank 0: certify: component 0 of the vector is nan; all must be positive and finite");
  expect_thrown<RemoteError>(endings_of_certify({{1, 1}, {1}}),
                             "rank 1: certify: the vector has 1 components for 2 rows");
  expect_thrown<ArgumentError>(
      endings_of_certify({{1, 1}, {0x1p-1010, 1}}),
      "certify: component 2 of the vector is less than 2^-1000 of the largest one");
}

}  // namespace
}  // namespace tessera::test

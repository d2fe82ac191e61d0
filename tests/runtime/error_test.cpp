// Every error code: what provokes it, and its name.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <regex>
#include <string>
#include <tessera/tessera.hpp>
#include <utility>
#include <vector>

#include "operations.hpp"
#include "runtime/child_process.hpp"
#include "runtime/opencl.hpp"
#include "support/device.hpp"
#include "support/folder.hpp"
#include "support/one_rank.hpp"
#include "support/variable.hpp"
#include "tuning/journal.hpp"

namespace tessera::test {
namespace {

namespace fs = std::filesystem;

class ErrorTest : public testing::Test {
 protected:
  struct Provoked {
    ErrorCode code;
    std::function<void()> call;
  };

  std::vector<Provoked> of_arguments() {
    return {
        {ErrorCode::invalid_value, [&] { dominant_eigenpair(two_, {.tolerance = -1}); }},
        {ErrorCode::unknown_name, [&] { info_of("divide"); }},
        {ErrorCode::conflicting_options, [&] { multiply(two_, two_, {.beta = 1}); }},
        {ErrorCode::conflicting_options,
         [&] { matrix_vector(two_, two_.block(0, 0, 2, 1), {.beta = 1}); }},
        {ErrorCode::conflicting_options,
         [&] {
           multiply(two_, two_, {.kernel = {"", {{"TILE", 8}}}});
         }},
        {ErrorCode::wrong_context, [&] { multiply(two_, Matrix<float>(Engine(), 2, 2)); }},
        {ErrorCode::wrong_context, [&] { multiply(two_, two_, {.stream = Engine().stream()}); }},
        {ErrorCode::unsupported_queue,
         [&] {
           const cl::CommandQueue queue(context(), device(),
                                        CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
           interop::adopt(queue());
         }},
        {ErrorCode::invalid_json, [&] { problem_from_json("{"); }},
        {ErrorCode::invalid_json, [&] { device_from_json("[1]"); }},
    };
  }

  std::vector<Provoked> of_matrices() {
    return {
        {ErrorCode::invalid_shape, [&] { multiply(two_, Matrix<float>(engine(), 3, 2)); }},
        {ErrorCode::invalid_shape, [&] { two_.upload(std::vector<float>(5)); }},
        {ErrorCode::out_of_bounds, [&] { two_.block(1, 1, 2, 1); }},
        {ErrorCode::overlapping, [&] { multiply_into(two_, two_, two_); }},
        {ErrorCode::moved_from,
         [&] {
           Matrix<float> from(engine(), 2, 2);
           const Matrix<float> to = std::move(from);
           multiply(from, to);
         }},
        {ErrorCode::too_large, [&] { Matrix<float>(engine(), SIZE_MAX, 2); }},
        {ErrorCode::unsupported_layout,
         [&] {
           Matrix<float> next(engine(), 2, 2), sums(engine(), 2, 1);
           fused_round(next, sums, two_, two_.block(0, 0, 2, 1));
         }},
        {ErrorCode::unsupported_buffer,
         [&] {
           const cl::Buffer constant(context(), CL_MEM_READ_ONLY, 4 * sizeof(float));
           auto c = interop::adopt<float>(engine(), constant(), 2, 2);
           multiply_into(c, two_, two_);
         }},
        {ErrorCode::invalid_element,
         [&] {
           dominant_eigenpair(Matrix<float>(engine(), {{1, -2}, {3, 4}}));
         }},
        {ErrorCode::wrong_type,
         [&] {
           const Matrix<double> other(engine(), 2, 2);
           detail::multiply_into(detail::operand(two_), detail::operand(other),
                                 detail::operand(other), {});
         }},
    };
  }

  std::vector<Provoked> of_kernels_and_devices() {
    return {
        {ErrorCode::unsupported,
         [&] {
           dominant_eigenpair(two_,
                              {.method = EigenMethod::fused, .acceleration = Acceleration::krylov});
         }},
        {ErrorCode::failed_check,
         [&] {
           const Variable worker = worker_that("exit 3"), cache("TESSERA_CACHE", folder_.at("one"));
           const Engine own;
           const Matrix<float> a(own, 2, 2);
           multiply(a, a, {.kernel = {"tiled_static", {}}});
         }},
        {ErrorCode::build_failed,
         [&] {
           folder_.file("cl/multiply/naive.cl", "#error \"broken\"\n");
           const Variable kernels("TESSERA_KERNEL_DIR", folder_.at("cl")),
               worker("TESSERA_WORKER", "off");
           const Engine own;
           const Matrix<float> a(own, 2, 2);
           multiply(a, a, {.kernel = {"naive", {}}});
         }},
        {ErrorCode::no_device, [&] { Engine("abacus"); }},
        {ErrorCode::forked_process, [&] { throw_in_a_child([&] { engine().finish(); }); }},
        {ErrorCode::out_of_memory, [&] { Matrix<float>(engine(), std::size_t{1} << 40, 1); }},
    };
  }

  std::vector<Provoked> of_opencl_and_the_system() {
    return {
        {ErrorCode::opencl_failed, [&] { wait_for_failed(CL_OUT_OF_RESOURCES); }},
        {ErrorCode::device_lost, [&] { wait_for_failed(CL_DEVICE_NOT_AVAILABLE); }},
        {ErrorCode::out_of_memory, [&] { wait_for_failed(CL_MEM_OBJECT_ALLOCATION_FAILURE); }},
        {ErrorCode::out_of_host_memory, [&] { wait_for_failed(CL_OUT_OF_HOST_MEMORY); }},
        {ErrorCode::cancelled,
         [&] {
           CancelSource source;
           source.cancel();
           dominant_eigenpair(two_, {.cancel = source.token()});
         }},
        {ErrorCode::rank_failed,
         [] {
           OneRank ranks;
           dominant_eigenpair(ranks, Matrix<float>(engine(), {{1, 2}, {3, 4}}),
                              {.progress = [](const EigenProgress&) { throw 1; }});
         }},
        {ErrorCode::io, [&] { read_profile(folder_.path()); }},
        {ErrorCode::busy,
         [&] {
           const auto& operation = find_operation("multiply");
           const tuning::Journal first(folder_.path() / "journal", operation, tuning::kPolicy,
                                       false);
           const tuning::Journal second(folder_.path() / "journal", operation, tuning::kPolicy,
                                        false);
         }},
        {ErrorCode::worker_failed,
         [&] {
           const Variable worker("TESSERA_WORKER", folder_.at("nothing")),
               state("XDG_STATE_HOME", folder_.at("state"));
           tune(engine(), {.m = 8, .n = 8, .k = 8});
         }},
    };
  }

 private:
  static cl::Context context() { return cl::Context(interop::context(engine()), true); }
  static cl::Device device() { return cl::Device(interop::device(engine()), true); }

  /// Waits for an event whose command failed with this code.
  static void wait_for_failed(cl_int code) {
    cl::UserEvent event(context());
    event.setStatus(code);
    interop::event(event()).wait();
  }

  /// Throws here what the call throws in a forked process, with its code.
  static void throw_in_a_child(const std::function<void()>& call) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(10);
      int status = 0;
      try {
        call();
      } catch (const DeviceError& error) {
        status = error.code() == ErrorCode::forked_process ? 1 : 2;
      } catch (...) {
        status = 3;
      }
      ::_exit(status);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 1)
      throw DeviceError(ErrorCode::forked_process, "as in the child");
  }

  /// A worker that opens the device and then does this.
  Variable worker_that(const std::string& command) const {
    folder_.file("worker", "#!/bin/sh\necho '" + runtime::greeting().dump() +
                               "'\nread -r request\necho '{\"opened\":true}'\n" + command + "\n");
    fs::permissions(folder_.at("worker"), fs::perms::owner_all);
    return Variable("TESSERA_WORKER", folder_.at("worker"));
  }

  Folder folder_;
  Matrix<float> two_{engine(), {{1, 2}, {3, 4}}};
};

/// The code of the library's error that a call throws; nothing if it throws none.
std::optional<ErrorCode> code_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.code();
  } catch (...) {
  }
  return std::nullopt;
}

/// Enumerators of ErrorCode, as the header has them.
std::vector<std::pair<std::string, ErrorCode>> declared_codes() {
  const std::string header = content_of(TESSERA_ERROR_HEADER);
  const std::regex enumerator(R"(\n  (\w+) = (\d+),)");
  std::vector<std::pair<std::string, ErrorCode>> all;
  for (std::sregex_iterator match(header.begin(), header.end(), enumerator), end; match != end;
       ++match)
    all.emplace_back((*match)[1], static_cast<ErrorCode>(std::stoi((*match)[2])));
  return all;
}

TEST_F(ErrorTest, EveryCodeIsThatOfACallThatFails) {
  std::vector<ErrorCode> seen;
  for (const auto& group :
       {of_arguments(), of_matrices(), of_kernels_and_devices(), of_opencl_and_the_system()}) {
    for (const auto& [code, call] : group) {
      seen.push_back(code);
      const auto thrown = code_of(call);
      EXPECT_TRUE(thrown == code) << "expected " << to_string(code) << ", got "
                                  << (thrown ? to_string(*thrown) : "no error of the library's");
    }
  }
  for (const auto& [name, code] : declared_codes())
    EXPECT_NE(std::ranges::find(seen, code), seen.end()) << name << " is not provoked";
}

TEST(ErrorCodeTest, EveryCodeHasTheNameOfItsEnumerator) {
  const auto all = declared_codes();
  ASSERT_GT(all.size(), 20u);
  for (const auto& [name, code] : all) EXPECT_EQ(to_string(code), name);
  EXPECT_EQ(to_string(ErrorCode{0}), "unknown");
}

TEST(ErrorCodeTest, ACodeHasOneMeaningAndOneNumber) {
  auto all = declared_codes();
  const auto number = [](const auto& code) { return code.second; };
  std::ranges::sort(all, {}, number);
  EXPECT_EQ(std::ranges::adjacent_find(all, {}, number), all.end());
}

TEST(CancelTokenTest, IsCancelledWithAnyOfThoseThatItIsMadeOf) {
  for (std::size_t cancelled = 0; cancelled < 3; cancelled++) {
    const std::vector<CancelSource> sources(3);
    const CancelToken two = either_of(sources[0].token(), sources[1].token()),
                      three = either_of(two, sources[2].token());
    EXPECT_FALSE(three.cancelled());
    sources[cancelled].cancel();
    EXPECT_TRUE(three.cancelled());
    EXPECT_EQ(two.cancelled(), cancelled < 2);
  }
  EXPECT_FALSE(either_of(CancelToken(), CancelToken()).cancelled());
}

}  // namespace
}  // namespace tessera::test

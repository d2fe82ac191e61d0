// Worker requests: names there and back, and what the worker program answers to other ones.
#include "tuning/worker_request.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "runtime/child_process.hpp"
#include "runtime/device_identity.hpp"
#include "support/device.hpp"
#include "support/message_of.hpp"
#include "tessera/error.hpp"

namespace tessera::tuning {
namespace {

/// The messages of a worker until it ends, or until `enough` of them.
std::vector<Json> messages_of(runtime::ChildProcess& worker, std::size_t enough) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  const runtime::Subprocess* const processes[] = {&worker.process()};
  std::vector<Json> all;
  for (bool open = true; open && all.size() < enough;) {
    if (std::chrono::steady_clock::now() > deadline) break;
    runtime::Subprocess::wait(processes, std::chrono::seconds(1));
    open = worker.read();
    while (auto message = worker.receive()) all.push_back(*std::move(message));
  }
  return all;
}

Json identity() { return runtime::identity_of(test::engine().device()); }

TEST(WorkerRequestTest, EveryRequestIsFoundByItsName) {
  for (const WorkerRequest request :
       {WorkerRequest::open, WorkerRequest::prepare, WorkerRequest::build, WorkerRequest::measure,
        WorkerRequest::time, WorkerRequest::check}) {
    EXPECT_EQ(row_of(request).request, request);
    EXPECT_EQ(request_of(json_of(request, {{"seed", 1}})), request);
  }
  EXPECT_EQ(json_of(WorkerRequest::check, {{"seed", 1}}), (Json{{"do", "check"}, {"seed", 1}}));
}

TEST(WorkerRequestTest, AnUnknownRequestIsAnErrorThatListsTheKnownOnes) {
  runtime::ChildProcess worker;
  worker.send(
      json_of(WorkerRequest::open,
              {{"device", identity()}, {"problem", json_of(Problem{.m = 3, .n = 4, .k = 5})}}));
  worker.send({{"do", "chekc"}, {"kernel", json_of(KernelChoice{"naive", {}})}, {"seed", 1}});
  const auto messages = messages_of(worker, 100);
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_EQ(messages[0], (Json{{"error",
                                "worker: unknown request 'chekc'; expected one of open, prepare, "
                                "build, measure, time, check"}}));
}

TEST(WorkerRequestTest, ARequestBeforeADeviceIsOpenIsAnError) {
  runtime::ChildProcess worker;
  worker.send(json_of(WorkerRequest::prepare, Json::object()));
  const auto messages = messages_of(worker, 100);
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_EQ(messages[0], (Json{{"error", "worker: the first request must be open"}}));
}

TEST(WorkerRequestTest, AnUnknownFirstUseIsAnErrorThatListsTheKnownOnes) {
  runtime::ChildProcess worker({"first-use"});
  worker.send(
      {{"do", "slove"}, {"limit", 60}, {"device", identity()}, {"environment", Json::object()}});
  const auto messages = messages_of(worker, 2);
  ASSERT_EQ(messages.size(), 2U);
  EXPECT_EQ(messages[1], (Json{{"error",
                                "worker: unknown request 'slove'; expected one of probe, "
                                "exactness, kernel, solve"}}));
}

}  // namespace
}  // namespace tessera::tuning

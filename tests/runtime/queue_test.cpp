// Queues: failures that they remember.
#include "runtime/queue.hpp"

#include <gtest/gtest.h>

#include <tessera/interop.hpp>
#include <tessera/tessera.hpp>

namespace tessera::test {
namespace {

TEST(QueueTest, ACommandFailsBeforeAnotherQueuesHasEnded) {
  const Engine engine;
  const cl::Context context(interop::context(engine), true);
  cl::UserEvent running(context), failed(context);
  runtime::Queue queue(cl::CommandQueue(interop::queue(engine), true));
  queue.note(Event(running()));
  queue.note(Event(failed()));
  EXPECT_NO_THROW(queue.report_failure());
  failed.setStatus(CL_OUT_OF_RESOURCES);
  EXPECT_THROW(queue.report_failure(), OpenClError);
  running.setStatus(CL_COMPLETE);
  EXPECT_NO_THROW(queue.report_failure()) << "told twice";
}

}  // namespace
}  // namespace tessera::test

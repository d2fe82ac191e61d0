// Interop: an application's OpenCL objects and the library's work together.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <tessera/interop.hpp>
#include <tessera/tessera.hpp>
#include <vector>

#include "support/device.hpp"
#include "support/eventually.hpp"

namespace tessera::test {
namespace {

template <class Handle, auto Release>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>,
                              decltype([](Handle handle) { Release(handle); })>;
using Context = Owned<cl_context, clReleaseContext>;
using Queue = Owned<cl_command_queue, clReleaseCommandQueue>;
using Buffer = Owned<cl_mem, clReleaseMemObject>;
using UserEvent = Owned<cl_event, clReleaseEvent>;

/// Objects that an application has before it uses the library.
struct Application {
  cl_device_id device = interop::device(engine());
  Context context{clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr)};
  Queue queue{clCreateCommandQueue(context.get(), device, 0, nullptr)};

  Buffer buffer(std::vector<float> elements) const {
    return Buffer(clCreateBuffer(context.get(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                 elements.size() * sizeof(float), elements.data(), nullptr));
  }
  std::vector<float> read(cl_mem buffer, std::size_t count, cl_event after = nullptr) const {
    std::vector<float> elements(count);
    EXPECT_EQ(
        clEnqueueReadBuffer(queue.get(), buffer, CL_TRUE, 0, count * sizeof(float), elements.data(),
                            after != nullptr ? 1 : 0, after != nullptr ? &after : nullptr, nullptr),
        CL_SUCCESS);
    return elements;
  }
};

cl_uint references(cl_mem buffer) {
  cl_uint count = 0;
  clGetMemObjectInfo(buffer, CL_MEM_REFERENCE_COUNT, sizeof count, &count, nullptr);
  return count;
}

TEST(InteropTest, MultipliesBuffersOfTheApplicationOnItsQueue) {
  const Application application;
  const auto a_buffer = application.buffer({1, 2, 3, 4}),
             c_buffer = application.buffer({0, 0, 0, 0});
  {
    const Engine adopted = interop::adopt(application.queue.get());
    EXPECT_EQ(interop::queue(adopted), application.queue.get());
    EXPECT_EQ(interop::context(adopted), application.context.get());
    const auto a = interop::adopt<float>(adopted, a_buffer.get(), 2, 2);
    auto c = interop::adopt<float>(adopted, c_buffer.get(), 2, 2);
    EXPECT_EQ(interop::buffer(c), c_buffer.get());
    EXPECT_EQ(references(c_buffer.get()), 2u);
    multiply_into(c, a, a);
  }
  EXPECT_EQ(application.read(c_buffer.get(), 4), (std::vector<float>{7, 10, 15, 22}));
  EXPECT_TRUE(eventually([&] { return references(c_buffer.get()) == 1; }))
      << references(c_buffer.get()) << ": not released with the matrix";
}

TEST(InteropTest, ABufferThatKernelsMayOnlyReadIsNoOutput) {
  const Application application;
  const Engine adopted = interop::adopt(application.context.get(), application.device);
  std::vector<float> elements = {1, 2, 3, 4};
  const Buffer constant(clCreateBuffer(application.context.get(),
                                       CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, 16, elements.data(),
                                       nullptr));
  auto c = interop::adopt<float>(adopted, constant.get(), 2, 2);
  const Matrix<float> product = multiply(c, c);
  EXPECT_EQ(product.to_host(), (std::vector<float>{7, 10, 15, 22}));
  EXPECT_THROW(multiply_into(c, product, product), MatrixError);
  EXPECT_THROW(matrix_vector_into(c.block(0, 0, 2, 1), product, product.block(0, 0, 2, 1)),
               MatrixError);
  EXPECT_EQ(application.read(constant.get(), 4), elements);
}

TEST(InteropTest, OrdersQueuesByEvents) {
  const Application application;
  const Engine adopted = interop::adopt(application.context.get(), application.device);
  EXPECT_NE(interop::queue(adopted), application.queue.get());
  const auto a_buffer = application.buffer({1, 0, 0, 1}),
             c_buffer = application.buffer({0, 0, 0, 0});
  const auto a = interop::adopt<float>(adopted, a_buffer.get(), 2, 2);
  auto c = interop::adopt<float>(adopted, c_buffer.get(), 2, 2);
  // The application's write waits for a gate; the product waits for the write; the read for the
  // product.
  const UserEvent gate(clCreateUserEvent(application.context.get(), nullptr));
  const std::vector<float> five(4, 5);
  const cl_event gate_event = gate.get();
  cl_event written = nullptr;
  ASSERT_EQ(clEnqueueWriteBuffer(application.queue.get(), a_buffer.get(), CL_FALSE, 0, 16,
                                 five.data(), 1, &gate_event, &written),
            CL_SUCCESS);
  const KernelRun run = multiply_into(c, a, a, {.wait_for = {interop::event(written)}});
  EXPECT_FALSE(run.finished.complete());
  clSetUserEventStatus(gate.get(), CL_COMPLETE);
  clFlush(application.queue.get());
  EXPECT_EQ(application.read(c_buffer.get(), 4, interop::handle(run.finished)),
            std::vector<float>(4, 50));
  clReleaseEvent(written);
}

/// A product on the first of two streams that waits for a gate, and has to be waited for.
class GatedProduct {
 public:
  GatedProduct(const Application& application, const Matrix<float>& a, Matrix<float>& c)
      : gate_(clCreateUserEvent(application.context.get(), nullptr)) {
    run_ = multiply_into(c, a, a, {.wait_for = {interop::event(gate_.get())}});
  }
  void open() { clSetUserEventStatus(gate_.get(), CL_COMPLETE); }

 private:
  UserEvent gate_;
  KernelRun run_;
};

TEST(InteropTest, ABufferAdoptedTwiceIsInOrder) {
  const Application application;
  const Engine one = interop::adopt(application.context.get(), application.device);
  const Stream two = one.new_stream();
  const auto a_buffer = application.buffer({1, 2, 3, 4}),
             c_buffer = application.buffer({0, 0, 0, 0});
  const auto a = interop::adopt<float>(one, a_buffer.get(), 2, 2);
  auto c = interop::adopt<float>(one, c_buffer.get(), 2, 2);
  const auto c_again = interop::adopt<float>(two, c_buffer.get(), 2, 2);
  GatedProduct product(application, a, c);
  const Matrix<float> copy = c_again.copy_to(two);
  product.open();
  EXPECT_EQ(copy.to_host(), (std::vector<float>{7, 10, 15, 22}));
}

TEST(InteropTest, AStreamThatIsGoneIsStillWaitedFor) {
  const Application application;
  const Engine own = interop::adopt(application.context.get(), application.device);
  const auto c_buffer = application.buffer({0, 0, 0, 0});
  Matrix<float> a(own, {{1, 2}, {3, 4}});
  std::unique_ptr<GatedProduct> product;
  {
    auto c = interop::adopt<float>(own.new_stream(), c_buffer.get(), 2, 2);
    product = std::make_unique<GatedProduct>(application, a, c);
  }
  // New streams, perhaps at that stream's address, read a, then a is written.
  for (int i = 0; i < 4; i++) Matrix<float>(a.copy_to(own.new_stream()));
  const std::vector<float> nines(4, 9);
  const Event written = a.upload_async(nines);
  product->open();
  written.wait();
  EXPECT_EQ(application.read(c_buffer.get(), 4), (std::vector<float>{7, 10, 15, 22}));
}

TEST(InteropTest, TwoQueuesOfTheApplicationAreStreamsOfOneEngine) {
  const Application application, other;
  const Queue second(
      clCreateCommandQueue(application.context.get(), application.device, 0, nullptr));
  const Engine one = interop::adopt(application.queue.get());
  const Stream two = interop::adopt(one, second.get());
  EXPECT_EQ(interop::queue(two), second.get());
  const Matrix<float> a(one, {{1, 2}, {3, 4}}), b(two, {{5, 6}, {7, 8}});
  EXPECT_EQ((a * b).to_host(), (std::vector<float>{19, 22, 43, 50}));
  EXPECT_THROW(interop::adopt(one, other.queue.get()), ArgumentError);
}

TEST(InteropTest, AdoptsAViewWithOffsetAndLeadingDimension) {
  const Application application;
  const Engine adopted = interop::adopt(application.queue.get());
  // No padding after the last row.
  const auto buffer = application.buffer({0, 1, 2, 9, 9, 3, 4});
  const auto view = interop::adopt_view<float>(adopted, buffer.get(), 1, 2, 2, 4);
  EXPECT_EQ(view.to_host(), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ((view * view).to_host(), (std::vector<float>{7, 10, 15, 22}));
  EXPECT_EQ(view.copy_to(adopted).to_host(), (std::vector<float>{1, 2, 3, 4}));
  view.upload(std::vector<float>{5, 6, 7, 8});
  EXPECT_EQ(application.read(buffer.get(), 7), (std::vector<float>{0, 5, 6, 9, 9, 7, 8}));
  EXPECT_THROW(interop::adopt_view<float>(adopted, buffer.get(), 2, 2, 2, 4), MatrixError);
  EXPECT_THROW(interop::adopt_view<float>(adopted, buffer.get(), 0, 2, 2, 1), MatrixError);
  EXPECT_THROW(interop::adopt_view<float>(adopted, buffer.get(), 0, SIZE_MAX, 2, 4), MatrixError);
}

/// Simulates a header of three elements: each row continues in the next multiple of the pitch.
TEST(InteropTest, AdoptsAViewWhoseRowsCrossAMultipleOfThePitch) {
  const Application application;
  const Engine adopted = interop::adopt(application.queue.get());
  const auto buffer = application.buffer({9, 9, 9, 1, 2, 3, 9, 4, 5, 6, 9, 7, 8, 10});
  const auto view = interop::adopt_view<float>(adopted, buffer.get(), 3, 3, 3, 4);
  EXPECT_EQ(view.to_host(), (std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8, 10}));
  const auto copy = view.copy_to(adopted);
  EXPECT_EQ(copy.to_host(), view.to_host());
  const std::vector<float> elements = {-1, -2, -3, -4, -5, -6, -7, -8, -10};
  view.upload(elements);
  EXPECT_EQ(application.read(buffer.get(), 14),
            (std::vector<float>{9, 9, 9, -1, -2, -3, 9, -4, -5, -6, 9, -7, -8, -10}));
  EXPECT_EQ((view * copy).to_host(),
            (std::vector<float>{-30, -36, -45, -66, -81, -102, -109, -134, -169}));
}

TEST(InteropTest, ATransferWaitsForEventsOfTheApplication) {
  const Application application;
  const Engine adopted = interop::adopt(application.context.get(), application.device);
  const auto buffer = application.buffer({0, 0});
  const auto a = interop::adopt<float>(adopted, buffer.get(), 1, 2);
  const std::vector<float> elements = {3, 4};
  cl_event written = nullptr;
  ASSERT_EQ(clEnqueueWriteBuffer(application.queue.get(), buffer.get(), CL_FALSE, 0, 8,
                                 elements.data(), 0, nullptr, &written),
            CL_SUCCESS);
  clFlush(application.queue.get());
  adopted.wait_for({interop::event(written)});
  EXPECT_EQ(a.to_host(), elements);
  clReleaseEvent(written);
}

/// What the library has to find out about the device it does not find out behind this.
TEST(InteropTest, AStreamThatWaitsDoesNotBlockTheFirstUseOfAVariant) {
  const Application application;
  const Engine own = interop::adopt(application.context.get(), application.device);
  const Matrix<float> a(own, {{1, 2}, {3, 4}});
  Matrix<float> c(own, 2, 2);
  GatedProduct product(application, a, c);
  const auto d = multiply(a, a, {.kernel = {"subgroup_broadcast", {}}});
  product.open();
  EXPECT_EQ(d.to_host(), (std::vector<float>{7, 10, 15, 22}));
}

TEST(InteropTest, TakesABlockOfABufferAndSeesOverlapInSubBuffers) {
  const Application application;
  const Engine adopted = interop::adopt(application.queue.get());
  const auto buffer = application.buffer(std::vector<float>(4096, 1));
  auto whole = interop::adopt<float>(adopted, buffer.get(), 64, 64);
  const cl_buffer_region second_half{2048 * sizeof(float), 2048 * sizeof(float)};
  cl_int status = 0;
  const Buffer part(clCreateSubBuffer(buffer.get(), CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                                      &second_half, &status));
  if (status != CL_SUCCESS) GTEST_SKIP() << "no sub-buffer at this offset";
  auto lower = interop::adopt<float>(adopted, part.get(), 32, 64);
  EXPECT_THROW(
      multiply_into(lower.block(0, 0, 2, 2), whole.block(32, 0, 2, 2), whole.block(0, 0, 2, 2)),
      MatrixError);
  EXPECT_NO_THROW(multiply_into(lower.block(0, 0, 2, 2), whole.block(31, 0, 1, 2).transposed(),
                                whole.block(0, 0, 1, 2)));
  EXPECT_EQ(whole.block(32, 0, 2, 2).to_host(), std::vector<float>(4, 1));
}

TEST(InteropTest, RefusesWhatDoesNotFit) {
  const Application application, other;
  const Engine adopted = interop::adopt(application.queue.get());
  const auto buffer = application.buffer({1, 2, 3, 4});
  EXPECT_THROW(interop::adopt<float>(adopted, buffer.get(), 2, 3), MatrixError);
  EXPECT_THROW(interop::adopt<double>(adopted, buffer.get(), 2, 2), MatrixError);
  EXPECT_NO_THROW(interop::adopt<half>(adopted, buffer.get(), 2, 4));
  EXPECT_THROW(interop::adopt<float>(adopted, other.buffer({1}).get(), 1, 1), ArgumentError);
}

TEST(InteropTest, RefusesAnOutOfOrderQueue) {
  const Application application;
  const Queue queue(clCreateCommandQueue(application.context.get(), application.device,
                                         CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, nullptr));
  if (!queue) GTEST_SKIP() << "the device has no out-of-order queue";
  EXPECT_THROW(interop::adopt(queue.get()), ArgumentError);
}

TEST(InteropTest, HandsOutItsOwn) {
  const Matrix<float> a(engine(), {{1, 2}, {3, 4}});
  std::vector<float> elements(4);
  ASSERT_EQ(clEnqueueReadBuffer(interop::queue(engine()), interop::buffer(a), CL_TRUE, 0, 16,
                                elements.data(), 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(elements, (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(interop::buffer(a.block(1, 0, 1, 2)), interop::buffer(a));
  EXPECT_EQ(a.block(1, 0, 1, 2).offset(), 2u);
}

}  // namespace
}  // namespace tessera::test

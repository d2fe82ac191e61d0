#include "data_scenarios.hpp"

#include <algorithm>
#include <numeric>
#include <tessera/interop.hpp>
#include <tessera/tessera.hpp>

#include "fault.hpp"

namespace tessera::test {

void expect(bool right) {
  if (!right) throw WrongResult();
}

void hand_on(const Engine& engine) {
  Matrix<float> a(engine, 2, 2);
  static const std::vector<float> elements = kElements;  // a device that is lost may read it later
  const Stream two = engine.new_stream();
  two.wait_for({a.upload_async(elements)});
  const auto view = interop::adopt_view<float>(engine, interop::buffer(a), 0, 2, 2, 2);
  const auto c = multiply(view, view, {.stream = two});
  const Engine other;
  expect(c.copy_to(other).to_host() == kSquare);
}

void use_pinned_memory(const Engine& engine) {
  HostMatrix<float> in(engine, 2, 2), out(engine, 2, 2);
  std::ranges::copy(kElements, in.elements().begin());
  Matrix<float> a(engine, 2, 2);
  const Stream two = engine.new_stream();
  Event uploaded, read;
  try {
    uploaded = a.upload_async(in.elements());
    const Matrix<float> identity(engine, {{1, 0}, {0, 1}});
    const auto c = multiply(multiply(a, identity, {.stream = two}), a);
    read = c.to_host_async(out.elements());
    read.wait();
    expect(std::ranges::equal(out.elements(), kSquare));
  } catch (...) {
    const auto failure = std::current_exception();
    for (const Event& event : {uploaded, read}) {
      try {
        event.wait();
      } catch (const OpenClError&) {  // it has ended
      }
    }
    std::rethrow_exception(failure);
  }
}

void move_data(const Engine& one) {
  const Stream two = one.new_stream();
  Matrix<float> a(one, 3, 3, std::vector<float>(9, 1));
  a.block(0, 0, 2, 2).upload(kElements);
  expect(a.block(0, 0, 2, 2).to_host() == kElements);
  const Matrix<float> copy(a.block(0, 0, 2, 2)), whole = copy;
  Matrix<float> c(two, 2, 2);
  const KernelRun run = multiply_into(c, copy, whole);
  run.finished.wait();
  expect(run.finished.complete());
  expect(multiply(c, copy, {.alpha = 0}).to_host() == std::vector<float>(4));
  expect(c.to_host() == kSquare);
  expect(copy.copy_to(two).to_host() == kElements);
  expect(Matrix<float>(one, 0, 2).to_host().empty());
  one.finish();
  expect(!one.lost() || !failed_call().empty());
}

void move_much(const Engine& engine) {
  static const auto elements = [] {
    std::vector<float> numbers(2400000);
    std::iota(numbers.begin(), numbers.end(), 0.0f);
    return numbers;
  }();
  const Matrix<float> a(engine, 600, 4000, elements);
  expect(a.to_host() == elements);
  Matrix<float> c(engine, 600, 4000);
  const auto block = a.block(1, 1, 599, 3999).to_host();
  c.block(1, 1, 599, 3999).upload(block);
  const auto copied = c.to_host();
  for (std::size_t i = 1; i < 600; i++) {
    expect(std::equal(&elements[i * 4000 + 1], &elements[i * 4000] + 4000, &block[(i - 1) * 3999]));
    expect(std::equal(&elements[i * 4000 + 1], &elements[i * 4000] + 4000, &copied[i * 4000 + 1]));
  }
}

void hand_over(const Engine& one) {
  const Stream two = one.new_stream();
  const Matrix<float> a(one, 2, 2, kElements);
  const Matrix<float> square = a * a, cube_twice = multiply(square, a, {.alpha = 2});
  expect(cube_twice.copy_to(two).to_host() == std::vector<float>{74, 108, 162, 236});
}

void adopt(const Engine& application) {
  const Matrix<float> a(application, 2, 2, kElements);
  const Engine queue = interop::adopt(interop::queue(application));
  const Engine context =
      interop::adopt(interop::context(application), interop::device(application));
  const auto adopted = interop::adopt<float>(queue, interop::buffer(a), 2, 2);
  expect((adopted * adopted).to_host() == kSquare);
}

}  // namespace tessera::test

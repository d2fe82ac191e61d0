// Scenarios that move data: between host and devices, streams, contexts, and an application.
#pragma once

#include <exception>
#include <tessera/engine.hpp>
#include <vector>

namespace tessera::test {

/// Thrown for wrong values of calls that threw nothing.
class WrongResult : public std::exception {};

void expect(bool right);

/// Elements of a 2 x 2 matrix, and of its square.
inline const std::vector<float> kElements = {1, 2, 3, 4}, kSquare = {7, 10, 15, 22};

/// An upload that is not waited for, a stream that waits for its event, a view of an application's
/// buffer, and another context.
void hand_on(const Engine& engine);
/// Copies from and to pinned memory that nothing waits for.
void use_pinned_memory(const Engine& engine);
/// Blocks, copies, two streams and an event.
void move_data(const Engine& one);
/// Transfers in several chunks.
void move_much(const Engine& engine);
/// A result that goes through two operations of a stream before another one takes it.
void hand_over(const Engine& one);
/// An application's queue and buffer.
void adopt(const Engine& application);

}  // namespace tessera::test

// Self-check: a kernel that the library chooses computes a small problem right before its first
// use on a machine.
#pragma once

#include <string>

#include "kernels/operation.hpp"
#include "runtime/stream.hpp"

namespace tessera::inline v0::kernels {

/// False where $TESSERA_SELF_CHECK is "off".
bool self_checks();

/// The stream's device, with a stream that has nothing to do with the caller's.
Engine engine_apart(runtime::Stream& stream);

/// Runs the operation's first case for `problem` with a kernel whose parameters are complete, on a
/// stream of its own: the caller's may wait for something that the caller does later. Returns what
/// is wrong with the result; empty if nothing.
///
/// `program` stands for the kernel's program on this device (ProgramStore::identity): what was
/// right on this machine before is not checked again, as far as $TESSERA_CACHE keeps anything.
/// Nothing is checked unless self_checks(), nor in a mode that the operation's check does not have.
/// Errors of OpenCL propagate.
std::string self_check(runtime::Stream& stream, const Operation& operation, const Problem& problem,
                       const KernelChoice& kernel, const std::string& program);

}  // namespace tessera::inline v0::kernels

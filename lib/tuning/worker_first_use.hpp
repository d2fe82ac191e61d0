// First uses in the worker program: what its parent does not dare to do yet.
#pragma once

#include "tuning/worker_answers.hpp"

namespace tessera::inline v0::tuning {

/// Serves requests of runtime::ask_child() from standard input until there are none for some
/// seconds, or the parent has ended. Returns the exit status.
int serve_first_uses(const Answers& answers);

}  // namespace tessera::inline v0::tuning

// Windows does not fork.
#include "runtime/process.hpp"

namespace tessera::inline v0::runtime {

bool is_forked() noexcept { return false; }

void check_process() {}

}  // namespace tessera::inline v0::runtime

// Worker life: what the worker program agrees on with the operating system.
#pragma once

namespace tessera::inline v0::runtime {

/// Leaves Ctrl-C to the parent, and a crash without a core file or a dialog.
void begin_worker_life();
/// A kernel that hangs does not outlive its parent. Call it in the main thread.
void end_with_parent();
/// Ends the process after so many seconds, whatever its threads do; 0 stops the clock.
void end_after(unsigned seconds);
/// Returns a descriptor of standard output; what is written to standard output from now on goes to
/// standard error.
int take_standard_output();

}  // namespace tessera::inline v0::runtime

// First use: what a driver may not survive is done by a child process before this one does it.
#pragma once

#include <optional>
#include <string>

#include "runtime/context.hpp"
#include "runtime/json_reader.hpp"

namespace tessera::inline v0::runtime {

/// What came of a request to a child process.
struct Reply {
  Json answer;            ///< null if there is none
  std::string fate = {};  ///< how the child ended in place of an answer, in words
};

/// Has the context's child process do `request` on the context's device, and waits. The child is
/// started when there is none, ends by itself when it has nothing to do, and with this process.
/// Whoever asks waits for others that do.
///
/// $TESSERA_SELF_CHECK is the longest that a child may take, in seconds, else a minute. Nothing is
/// returned where it is "off", or where no child can be asked, which the log says: the caller does
/// it in this process then.
std::optional<Reply> ask_child(Context& context, const Json& request);

/// How the child ended that was to do `request`, in words; empty if it answered, whatever that was,
/// or was not asked. What was survived is remembered on disk under `key` for good, unless the answer
/// is an "error", and how a child ended for a day.
std::string fate_of_child(Context& context, const std::string& key, const Json& request);

}  // namespace tessera::inline v0::runtime

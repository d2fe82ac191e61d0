// First use: a child process tries work that may crash a driver, before this process does it.
#pragma once

#include <optional>
#include <string>

#include "runtime/context.hpp"
#include "runtime/json_reader.hpp"

namespace tessera::inline v0::runtime {

/// The result of a request to a child process.
struct Reply {
  Json answer;            ///< null if there is none
  std::string fate = {};  ///< how the child ended in place of an answer, in words
};

/// Sends `request` to the context's child process, which uses the context's device, and waits for
/// the reply. A child is started if there is none. It ends when it has nothing to do for some
/// seconds, or with this process. Threads that call this at the same time wait for each other.
///
/// $TESSERA_SELF_CHECK is the longest time that a child may take, in seconds; the default is a
/// minute. If it is "off", or no child can be asked, this returns nothing, and the caller does the
/// work in this process. The log says why no child can be asked, unless $TESSERA_WORKER is "off".
std::optional<Reply> ask_child(Context& context, const Json& request);

/// Asks the child process to do `request`, unless the disk has the result under `key`. Returns in
/// words how the child ended; empty if it answered, even with an "error", or was not asked. The
/// disk keeps an end for a day, and an answer other than an "error" without a time limit.
std::string fate_of_child(Context& context, const std::string& key, const Json& request);

}  // namespace tessera::inline v0::runtime

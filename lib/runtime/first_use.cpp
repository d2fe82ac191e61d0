// A context's child process, and what is known of how children ended.
#include "runtime/first_use.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <mutex>
#include <utility>

#include "runtime/child_process.hpp"
#include "runtime/device_identity.hpp"
#include "runtime/environment.hpp"
#include "runtime/log.hpp"
#include "tessera/error.hpp"
#include "tessera/version.hpp"

namespace tessera::inline v0::runtime {
namespace {

/// The child of a context.
struct Child {
  std::mutex mutex;
  std::optional<ChildProcess> process;
  bool is_unavailable = false;
};

/// Seconds that a child may take; none if it may not be asked.
std::optional<double> limit() {
  constexpr double kLimit = 60;
  const std::string wish = environment("TESSERA_SELF_CHECK");
  if (wish == "off") return std::nullopt;
  const double seconds = std::strtod(wish.c_str(), nullptr);
  return seconds > 0 ? seconds : kLimit;
}

enum class Heard { message, end, nothing };

/// Waits for a message for so many seconds that this process runs: one that is stopped, as by
/// Ctrl-Z, stops its child too.
Heard listen(ChildProcess& process, double seconds, Json& message) {
  constexpr std::chrono::milliseconds kSlice(50);
  bool ended = false;
  for (double left = 1000 * seconds; left > 0 && !ended;
       left -= static_cast<double>(kSlice.count())) {
    const Subprocess* const all[] = {&process.process()};
    Subprocess::wait(all, kSlice);
    ended = !process.read();
    if (auto received = process.receive()) {
      message = *std::move(received);
      return Heard::message;
    }
  }
  return ended ? Heard::end : Heard::nothing;
}

/// Asks a running child. Nothing if another one may be able to answer: this one has ended without
/// having been asked, or not by its own fault.
std::optional<Reply> ask(std::optional<ChildProcess>& process, const Json& request,
                         double seconds) {
  constexpr double kStart = 30;  // drivers take seconds to open a device
  process->send(request);
  Json message;
  if (listen(*process, kStart, message) != Heard::message) {
    process.reset();
    return std::nullopt;
  }
  if (!message.contains("opened")) return Reply{message};
  const Heard heard = listen(*process, seconds, message);
  if (heard == Heard::message) return Reply{message};
  const Ending ending = process->end().value_or(Ending());
  process.reset();
  if (heard == Heard::nothing) return Reply{{}, fmt::format("took more than {} s", seconds)};
  if (ending.is_from_outside()) return std::nullopt;
  const std::string how = ending.text();
  return Reply{{}, how.starts_with("killed") ? "was " + how : how};
}

Json request_of(Context& context, Json request, double seconds) {
  request["limit"] = static_cast<unsigned>(std::ceil(seconds));
  request["device"] = identity_of(context.device().info);
  request["environment"] = {{"TESSERA_KERNEL_DIR", environment("TESSERA_KERNEL_DIR")},
                            {"TESSERA_BUILD_OPTIONS", context.programs().more_options()}};
  return request;
}

constexpr std::chrono::hours kFateKept{24};

long long now() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

/// Reads the fate under `key`; nothing if there is none, or if the child ended over kFateKept ago.
std::optional<std::string> remembered(const BinaryCache& disk, const std::string& key) {
  const auto kept = disk.read(key);
  if (!kept) return std::nullopt;
  const Json known =
      parse_or_discard(std::string_view(reinterpret_cast<const char*>(kept->data()), kept->size()));
  if (!known.is_object()) return std::nullopt;
  const std::string fate = known.value("fate", "");
  const long long age = now() - known.value("date", 0LL);
  if (!fate.empty() && (age < 0 || age > std::chrono::seconds(kFateKept).count()))
    return std::nullopt;
  return fate;
}

}  // namespace

std::optional<Reply> ask_child(Context& context, const Json& request) {
  const auto seconds = limit();
  if (!seconds) return std::nullopt;
  auto& child = context.extension<Child>();
  const std::lock_guard lock(child.mutex);
  const auto give_up = [&](const std::string& why) {
    child.is_unavailable = true;
    child.process.reset();
    if (environment("TESSERA_WORKER") != "off")
      log(fmt::format("no child process tries what is used for the first time: {}", why));
    return std::nullopt;
  };
  if (child.is_unavailable) return std::nullopt;
  const Json whole = request_of(context, request, *seconds);
  try {
    constexpr int kAttempts = 3;
    for (int attempt = 0; attempt < kAttempts; attempt++) {
      if (!child.process) child.process.emplace(std::vector<std::string>{"first-use"});
      if (auto reply = ask(child.process, whole, *seconds)) return reply;
    }
  } catch (const Error& error) {
    return give_up(error.what());
  }
  return give_up("it ends before it has opened the device");
}

std::string fate_of_child(Context& context, const std::string& key, const Json& request) {
  if (!limit()) return {};
  const BinaryCache& disk = context.programs().disk();
  const std::string whole = fmt::format("first use\n{}\n{}", TESSERA_VERSION_STRING, key);
  if (const auto known = remembered(disk, whole)) return *known;
  const auto reply = ask_child(context, request);
  if (!reply || reply->answer.contains("error")) return {};
  const std::string text = Json({{"fate", reply->fate}, {"date", now()}}).dump();
  disk.write(whole, Binary(text.begin(), text.end()));
  return reply->fate;
}

}  // namespace tessera::inline v0::runtime

// Which calls and commands fail, and what came of that.
#include "fault.hpp"

#include <cstring>

#include "intercept.hpp"
#include "own_work.hpp"

namespace tessera::test {

using namespace intercept;

namespace {

void note_freed(const void* memory, std::size_t bytes) {
  const auto* const begin = static_cast<const std::byte*>(memory);
  const std::lock_guard lock(transfers_mutex);
  for (Transfer& transfer : transfers) {
    if (begin < transfer.memory + transfer.bytes && transfer.memory < begin + bytes)
      transfer.is_freed = true;
  }
}

void count_and_fail(long call, long command) {
  count = enqueued = waited = 0;
  failed = nullptr;
  fail_at = call;
  fail_command_at = command;
  lost_from = kNever;
  counting = true;
}

}  // namespace

void fail_call(long number) { count_and_fail(number, -1); }
void fail_command(long number) { count_and_fail(-1, number); }

void lose_device(long number) {
  count_and_fail(-1, -1);
  lost_from = number;
  transfers.reserve(10000);  // frees nothing while frees are watched
  std::byte here{};
  stack = &here;
  watch_frees(note_freed);
}

std::string land() {
  watch_frees(nullptr);
  stack = nullptr;
  std::string freed;
  for (const Transfer& transfer : transfers) {
    if (transfer.is_freed) {
      freed +=
          std::to_string(transfer.bytes) + (transfer.writes ? " bytes written " : " bytes read ");
    } else if (transfer.writes) {
      std::memset(transfer.memory, 0x5a, transfer.bytes);
    }
  }
  transfers.clear();
  return freed;
}

void fail_none() { counting = false; }

void separate_memory(bool separate) { separating_memory = separate; }

void refuse_odd_rectangles(bool refuse) { refusing_odd_rectangles = refuse; }

long waits() { return waited; }
long calls() { return count; }
long commands() { return enqueued; }
std::string failed_call() { return failed != nullptr ? failed.load() : ""; }

std::string unreleased() {
  const std::lock_guard lock(references_mutex);
  std::string text;
  for (const auto& [kind, number] : references) {
    // Root devices have no references to count.
    if (number != 0 && kind != "device") text += kind + ": " + std::to_string(number) + " ";
  }
  return text;
}

}  // namespace tessera::test

// Apart: items that are worked on in other processes, so that one that crashes or hangs costs no
// other item.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace tessera::tool {

struct Apart {
  using Note = std::function<void(const std::string& note)>;

  // These run in the other process, and return one line each.
  std::function<std::string()> open;  ///< before its first item
  std::function<std::string(std::size_t item, const Note& note)> work;
  std::function<void()> close;  ///< after its last item

  // These run in this process.
  std::function<void(const std::string& opened)> opened;  ///< once
  std::function<void(std::size_t item, const std::string& result)> done;
  /// `note`: the item's last one. `fate`: "was killed by signal 11 (Segmentation fault)".
  std::function<void(std::size_t item, const std::string& note, const std::string& fate)> crashed;
};

/// Works on `items` items in order, in a forked process; when that ends before the last of them, in
/// another one from the next item on. This process must not have used OpenCL. An item may be silent
/// for five minutes, or $TESSERA_SELF_CHECK seconds. Throws ForeignFailure for an exception there.
void work_apart(std::size_t items, const Apart& apart);

}  // namespace tessera::tool

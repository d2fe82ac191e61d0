// Share: the part of a long sweep that is run.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace tessera::test {

/// The part of every sweep that is run: "2/3" in $TESSERA_SHARE is the second of three, "1/1" all
/// of it; else the first of eight. The first case is in every part.
class Share {
 public:
  static Share from_environment() {
    const char* const text = std::getenv("TESSERA_SHARE");
    Share share;
    if (text == nullptr) return share;
    char rest = 0;
    if (std::sscanf(text, "%zu/%zu%c", &share.part_, &share.parts_, &rest) != 2 ||
        share.part_ < 1 || share.part_ > share.parts_) {
      std::fprintf(stderr, "TESSERA_SHARE=%s: not as 1/8\n", text);
      std::exit(2);
    }
    return share;
  }

  bool has(std::size_t index) const { return index == 0 || index % parts_ == part_ - 1; }

 private:
  std::size_t part_ = 1, parts_ = 8;
};

template <class T>
std::vector<T> share_of(const std::vector<T>& all) {
  const Share share = Share::from_environment();
  std::vector<T> drawn;
  for (std::size_t i = 0; i < all.size(); i++) {
    if (share.has(i)) drawn.push_back(all[i]);
  }
  return drawn;
}

}  // namespace tessera::test

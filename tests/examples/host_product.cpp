// A product of matrices in host memory, which may be larger than any device: by every GPU, or else
// by the fastest device.
#include <cstdio>
#include <tessera/tessera.hpp>
#include <vector>

int main() {
  constexpr std::size_t n = 1500;
  const std::vector<float> a(n * n, 0.5f), b(n * n, 2);
  std::vector<float> c(n * n);
  const auto report =
      tessera::multiply_host<float>({c.data(), n, n}, {a.data(), n, n}, {b.data(), n, n});
  for (const auto& device : report.devices)
    std::printf("%s: %zu tiles\n", device.engine.device().name.c_str(), device.tiles);
  std::printf("%g, %.3f s\n", c[0], report.seconds);
  return c.front() == n && c.back() == n ? 0 : 1;
}

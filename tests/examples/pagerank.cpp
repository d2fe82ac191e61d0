// PageRank of a small web site: the left dominant eigenvector of the Google matrix, whose rows are
// what a reader does.
//   pagerank LINKS.mtx
// Page, Brin, Motwani, Winograd: "The PageRank citation ranking", 1998.
#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <tessera/tessera.hpp>
#include <vector>

int main(int, char** arguments) {
  std::ifstream file(arguments[1]);
  std::string line;
  while (std::getline(file, line) && line.starts_with('%')) continue;
  std::size_t n = 0;
  std::istringstream(line) >> n;
  std::vector<double> links(n * n), out(n);
  for (std::size_t from, to; std::getline(file, line) && std::istringstream(line) >> from >> to;) {
    links[(from - 1) * n + to - 1] = 1;
    out[from - 1] += 1;
  }

  // With 0.85 a reader follows a link of the page, else goes anywhere.
  constexpr double kFollow = 0.85;
  const double anywhere = 1 / static_cast<double>(n);
  std::vector<double> google(n * n);
  for (std::size_t from = 0; from < n; from++) {
    for (std::size_t to = 0; to < n; to++) {
      const double follow = out[from] > 0 ? links[from * n + to] / out[from] : anywhere;
      google[from * n + to] = kFollow * follow + (1 - kFollow) * anywhere;
    }
  }
  const tessera::Engine engine;
  const tessera::Matrix<double> matrix(engine, n, n, google);
  const auto pair = tessera::dominant_eigenpair(matrix, {.tolerance = 1e-12, .transpose = true});
  auto rank = pair.vector.to_host();
  double sum = 0;
  for (const double r : rank) sum += r;
  for (double& r : rank) r /= sum;

  // The same by a reader's steps on the host: rank = rank * G, a hundred times.
  std::vector<double> walk(n, anywhere), next(n);
  for (int step = 0; step < 100; step++) {
    for (std::size_t to = 0; to < n; to++) {
      next[to] = 0;
      for (std::size_t from = 0; from < n; from++) next[to] += walk[from] * google[from * n + to];
    }
    walk.swap(next);
  }
  double difference = std::fabs(pair.value - 1);
  for (std::size_t page = 0; page < n; page++) {
    difference = std::fmax(difference, std::fabs(rank[page] - walk[page]));
    std::printf("page %2zu  %.4f\n", page + 1, rank[page]);
  }
  std::printf("eigenvalue %.9f, %s\n", pair.value, difference < 1e-9 ? "as by walking" : "WRONG");
  return difference < 1e-9 ? 0 : 1;
}

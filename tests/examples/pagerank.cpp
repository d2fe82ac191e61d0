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

namespace {

/// Row by row, 1 where a page links to another.
struct Links {
  std::size_t pages = 0;
  std::vector<double> elements;
};

Links read_links(const char* path) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line) && line.starts_with('%')) continue;
  Links links;
  std::istringstream(line) >> links.pages;
  links.elements.resize(links.pages * links.pages);
  for (std::size_t from, to; std::getline(file, line) && std::istringstream(line) >> from >> to;)
    links.elements[(from - 1) * links.pages + to - 1] = 1;
  return links;
}

/// With 0.85 a reader follows a link of the page, else goes anywhere.
std::vector<double> google_matrix(const Links& links) {
  constexpr double kFollow = 0.85;
  const std::size_t n = links.pages;
  const double anywhere = 1 / static_cast<double>(n);
  std::vector<double> google(n * n);
  for (std::size_t from = 0; from < n; from++) {
    double out = 0;
    for (std::size_t to = 0; to < n; to++) out += links.elements[from * n + to];
    for (std::size_t to = 0; to < n; to++) {
      const double follow = out > 0 ? links.elements[from * n + to] / out : anywhere;
      google[from * n + to] = kFollow * follow + (1 - kFollow) * anywhere;
    }
  }
  return google;
}

/// The same by a reader's steps on the host: rank = rank * G, a hundred times.
std::vector<double> walk(const std::vector<double>& google, std::size_t n) {
  std::vector<double> rank(n, 1 / static_cast<double>(n)), next(n);
  for (int step = 0; step < 100; step++) {
    for (std::size_t to = 0; to < n; to++) {
      next[to] = 0;
      for (std::size_t from = 0; from < n; from++) next[to] += rank[from] * google[from * n + to];
    }
    rank.swap(next);
  }
  return rank;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: pagerank LINKS.mtx\n");
    return 2;
  }
  const Links links = read_links(arguments[1]);
  const std::size_t n = links.pages;
  if (n == 0) {
    std::fprintf(stderr, "pagerank: %s: no Matrix Market file can be read there\n", arguments[1]);
    return 2;
  }
  const auto google = google_matrix(links);
  const tessera::Engine engine;
  const tessera::Matrix<double> matrix(engine, n, n, google);
  const auto pair = tessera::dominant_eigenpair(matrix.transposed(), {.tolerance = 1e-12});
  auto rank = pair.vector.to_host();
  double sum = 0;
  for (const double r : rank) sum += r;
  for (double& r : rank) r /= sum;

  const auto walked = walk(google, n);
  double difference = std::fabs(pair.value - 1);
  for (std::size_t page = 0; page < n; page++) {
    difference = std::fmax(difference, std::fabs(rank[page] - walked[page]));
    std::printf("page %2zu  %.4f\n", page + 1, rank[page]);
  }
  std::printf("eigenvalue %.9f, %s\n", pair.value, difference < 1e-9 ? "as by walking" : "WRONG");
  return difference < 1e-9 ? 0 : 1;
}

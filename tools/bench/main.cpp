// tessera-bench: speed of the library on the current device.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <string_view>

#include "blas_peers.hpp"
#include "child.hpp"
#include "choice.hpp"
#include "first_call.hpp"
#include "multiply.hpp"
#include "peers_alone.hpp"
#include "seeds.hpp"

int main(int argc, char** argv) {
  // Threads of PoCL and of Intel's runtime keep their processors, as OpenMP's do (blas.cpp): else
  // Linux may leave two of them on one, call after call, while another idles.
  ::setenv("POCL_AFFINITY", "1", 0);
  ::setenv("DPCPP_CPU_CU_AFFINITY", "spread", 0);
  ::setenv("DPCPP_CPU_PLACES", "cores", 0);
  if (argc == 2 && std::string_view(argv[1]) == tessera::bench::kFirstCallOption) {
    tessera::bench::measure_first_call();
    return 0;
  }
  if (argc == 5 && std::string_view(argv[1]) == tessera::bench::kTimesAloneOption) {
    tessera::bench::print_times_alone(argv[2], argv[3], argv[4]);
    return 0;
  }
  tessera::bench::remember_program(argv[0]);
  tessera::bench::register_multiply();
  tessera::bench::register_peers();
  tessera::bench::register_peers_alone();
  tessera::bench::register_choice();
  tessera::bench::register_seeds();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}

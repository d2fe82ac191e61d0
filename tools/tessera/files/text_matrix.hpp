// Matrices in text: comma-separated values, and Matrix Market exchange files.
#pragma once

#include <string>
#include <string_view>

#include "files/host_matrix.hpp"

namespace tessera::tool {

/// A row a line, numbers between commas; blank lines are passed over. Only finite numbers.
HostMatrix<double> read_csv(std::string_view content, const std::string& name);

/// Dense or sparse, real or integer, general, symmetric or skew-symmetric; entries that come twice
/// are summed (Boisvert, Pozo, Remington: "The Matrix Market exchange formats", NISTIR 5935). Only
/// finite numbers.
HostMatrix<double> read_matrix_market(std::string_view content, const std::string& name);

}  // namespace tessera::tool

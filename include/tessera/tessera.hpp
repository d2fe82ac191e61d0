// Tessera: dense matrix multiplication on any OpenCL device.
#pragma once

#include <tessera/cache.hpp>
#include <tessera/device.hpp>
#include <tessera/eigen.hpp>
#include <tessera/engine.hpp>
#include <tessera/error.hpp>
#include <tessera/event.hpp>
#include <tessera/half.hpp>
#include <tessera/host_matrix.hpp>
#include <tessera/kernel.hpp>
#include <tessera/matrix.hpp>
#include <tessera/matrix_vector.hpp>
#include <tessera/multiply.hpp>
#include <tessera/multiply_batched.hpp>
#include <tessera/profile.hpp>
#include <tessera/stream.hpp>
#include <tessera/tune.hpp>
#include <tessera/version.hpp>

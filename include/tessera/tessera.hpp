// Tessera: dense matrix multiplication and dominant eigenpairs on any OpenCL device. Includes every
// public header.
#pragma once

#include <tessera/add.hpp>
#include <tessera/bfloat16.hpp>
#include <tessera/cache.hpp>
#include <tessera/cancellation.hpp>
#include <tessera/capabilities.hpp>
#include <tessera/check.hpp>
#include <tessera/copy.hpp>
#include <tessera/device.hpp>
#include <tessera/eigen.hpp>
#include <tessera/eigen_plan.hpp>
#include <tessera/element_type.hpp>
#include <tessera/engine.hpp>
#include <tessera/error.hpp>
#include <tessera/event.hpp>
#include <tessera/half.hpp>
#include <tessera/host_matrix.hpp>
#include <tessera/host_product.hpp>
#include <tessera/host_view.hpp>
#include <tessera/interop.hpp>
#include <tessera/kernel.hpp>
#include <tessera/log.hpp>
#include <tessera/matrix.hpp>
#include <tessera/matrix_vector.hpp>
#include <tessera/multiply.hpp>
#include <tessera/multiply_batched.hpp>
#include <tessera/plan.hpp>
#include <tessera/problem.hpp>
#include <tessera/profile.hpp>
#include <tessera/scalar.hpp>
#include <tessera/stream.hpp>
#include <tessera/sums.hpp>
#include <tessera/tune.hpp>
#include <tessera/verify.hpp>
#include <tessera/version.hpp>

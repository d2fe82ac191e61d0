// The only include of CLHPP, with its configuration.
#pragma once

// Target 120 compiles with the C++ headers of every distribution; queries of later versions go
// through the C API, after checking the device's version.
#define CL_TARGET_OPENCL_VERSION 300
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>

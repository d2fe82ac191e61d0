# Copyright The Tessera authors
#
# SPDX-License-Identifier: Apache-2.0

from spack.package import *


class Tessera(CMakePackage):
    """Dense matrix products and dominant eigenpairs on OpenCL devices. `spack dev-build tessera@0.2.0`, started in a
    clone, builds the clone."""

    license("Apache-2.0")

    version("0.2.0")

    variant("shared", default=True, description="Build shared libraries")
    variant("tools", default=True, description="Build the command tessera")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("cli11", type="build", when="+tools")
    depends_on("eigen", type="build")
    depends_on("fmt")
    depends_on("nlohmann-json")
    depends_on("ocl-icd")
    depends_on("opencl-clhpp", type="build")
    depends_on("xxhash", type="build")

    conflicts("%gcc@:11", msg="Tessera needs GCC 12")
    conflicts("%clang@:17", msg="Tessera needs clang 18")

    def cmake_args(self):
        return [
            self.define("CMAKE_UNITY_BUILD", True),
            self.define("TESSERA_BUILD_TESTS", False),
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("TESSERA_BUILD_TOOLS", "tools"),
        ]

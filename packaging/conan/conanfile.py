"""Conan recipe of Tessera. Packages that it builds with come from the system: no remote is needed."""
import os

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy
from conan.tools.system.package_manager import Apt


class Tessera(ConanFile):
    name = "tessera"
    version = "0.2.0"
    license = "Apache-2.0"
    description = "Dense matrix products and dominant eigenpairs on OpenCL devices"
    topics = ("opencl", "gemm", "blas", "eigenvalue")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": True, "fPIC": True}
    implements = ["auto_shared_fpic"]

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "..", "..")
        for pattern in ("CMakeLists.txt", "LICENSE", "cl/*", "include/*", "lib/*", "tools/*"):
            copy(self, pattern, root, self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def system_requirements(self):
        Apt(self).install(["libeigen3-dev", "libfmt-dev", "libxxhash-dev", "nlohmann-json3-dev",
                           "ocl-icd-opencl-dev", "opencl-clhpp-headers"], check=True)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["TESSERA_BUILD_TESTS"] = False
        toolchain.cache_variables["TESSERA_BUILD_TOOLS"] = False
        toolchain.cache_variables["CMAKE_UNITY_BUILD"] = True
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        # Tessera's own package files define tessera::tessera and tessera::c.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs.append(os.path.join("lib", "cmake", "tessera"))
        self.cpp_info.libs = ["tessera"]
        if self.options.shared:
            self.cpp_info.defines = ["TESSERA_SHARED"]
        else:
            self.cpp_info.system_libs = ["OpenCL", "pthread"]

# Builds the clone or tarball that contains this file: nix-build -E '(import <nixpkgs> {}).callPackage packaging/nix/package.nix {}'
{
  lib,
  stdenv,
  cmake,
  ninja,
  cli11,
  eigen,
  fmt,
  nlohmann_json,
  ocl-icd,
  opencl-clhpp,
  opencl-headers,
  xxHash,
}:

stdenv.mkDerivation {
  pname = "tessera";
  version = "0.2.0";
  src = lib.cleanSource ../..;

  nativeBuildInputs = [
    cmake
    ninja
  ];
  buildInputs = [
    cli11
    eigen
    fmt
    nlohmann_json
    ocl-icd
    opencl-clhpp
    opencl-headers
    xxHash
  ];

  cmakeFlags = [
    (lib.cmakeBool "CMAKE_UNITY_BUILD" true)
    (lib.cmakeBool "TESSERA_BUILD_TESTS" false)
  ];

  meta = {
    description = "Dense matrix products and dominant eigenpairs on OpenCL devices";
    license = lib.licenses.asl20;
    mainProgram = "tessera";
    platforms = [ "x86_64-linux" ];
  };
}

#!/bin/sh
# Lane: unchanged programs use Tessera through BLAS: netlib's level-3 testers and NumPy's own tests, with libtessera-blas
# loaded before the distribution's BLAS. Every product goes to the device.
#   blas_client.sh FOLDER        the programs run in FOLDER and leave their logs there
#   blas_client.sh FOLDER all    all of NumPy's tests except those that NumPy marks as slow
. "$(dirname "$0")/lane.sh"
mkdir -p "$1"
folder=$(cd "$1" && pwd) form=${2:-}

find_packages() {
  testers=$(dpkg -L libblas-test 2> /dev/null | sed -n 's|/xblat3s$||p')
  [ -n "$testers" ] && [ -e "${testers%/blas}/lapack/liblapack.so.3" ] &&
    /usr/bin/python3 -c 'import hypothesis, numpy, pytest' 2> /dev/null
}
need "NETLIB'S TESTERS AND NUMPY" find_packages from_apt libblas-test libblas3 liblapack3 python3-numpy python3-pytest \
  python3-hypothesis
TESSERA_TARGET=tessera-blas tools/build.sh
shim=$PWD/build/lib/libtessera-blas.so
cd "$folder"
rm -f ./*.in ./*.out ./*.log ./*.products
# Netlib's BLAS and LAPACK, even if others are installed: its CBLAS and LAPACK call sgemm_ and zgemm_.
export LD_LIBRARY_PATH="$testers:${testers%/blas}/lapack" TESSERA_PROFILE=off
status=0

# with_shim NAME PROGRAM...: runs the program with the shim, its output in NAME.log, its products counted in NAME.products.
with_shim() {
  name=$1
  shift
  TESSERA_BLAS=wait,min=1 TESSERA_BLAS_REPORT=$folder/$name.products LD_PRELOAD=$shim "$@" > "$name.log" 2>&1
}
# report NAME RESULT SUMMARY: a program that computed no products has failed, too.
report() {
  products=$(cat "$1.products" 2> /dev/null | awk '/device/ { sum += $NF } END { print sum + 0 }')
  if [ "$2" = passed ] && [ "$products" -gt 0 ]; then
    echo "ok      $1: $3, $products products"
  else
    cat "$1.log"
    echo "FAILED  $1: $3, $products products"
    status=1
  fi
}

# tester NAME INPUT PASSES: runs one of netlib's testers for all its routines, with its own scalars and these sizes.
tester() {
  sed "s/^[0-9 ]* VALUES OF N/0 1 5 17 31 65 VALUES OF N/" "$testers/$2" > "$1.in"
  result=failed
  with_shim "$1" "$testers/$1" < "$1.in" && result=passed
  for summary in ./?blat3.out; do
    [ ! -e "$summary" ] || { cat "$summary" >> "$1.log" && rm "$summary"; }
  done
  [ "$(grep -c 'PASSED THE' "$1.log")" -eq "$3" ] && ! grep -q FAIL "$1.log" || result=failed
  calls=$(sed -n "s/.*COMPUTATIONAL TESTS (\( *[0-9]* CALLS\))/\1/p" "$1.log" | awk '{ sum += $1 } END { print sum + 0 }')
  report "$1" $result "$3 tests, $calls calls"
}
tester xblat3s sblat3.in 12
tester xblat3d dblat3.in 12
tester xblat3c cblat3.in 18
tester xblat3z zblat3.in 18
tester xscblat3 sin3 18
tester xdcblat3 din3 18
tester xccblat3 cin3 27
tester xzcblat3 zin3 27

# NumPy's tests of products and of the LAPACK routines that use them, without the longest ones. The other tests multiply
# occasionally.
core=$(/usr/bin/python3 -c 'import numpy; print("_core" if int(numpy.__version__.split(".")[0]) > 1 else "core")')
numpy() {
  name=$1
  shift
  result=failed
  with_shim "$name" /usr/bin/python3 -m pytest -q -p no:cacheprovider -W ignore \
    -k 'not huge_vectordot and not count_nonzero_all and not ((TestCond or TestDet or TestPinv) and generalized)' \
    "$@" && result=passed
  report "$name" $result "$(tail -n 1 "$name.log")"
}
numpy numpy --pyargs numpy.linalg "numpy.$core.tests.test_multiarray" "numpy.$core.tests.test_einsum"
[ "$form" != all ] || numpy numpy_other -m 'not slow' --pyargs "numpy.$core" numpy.fft numpy.lib numpy.ma \
  numpy.matrixlib numpy.polynomial numpy.random
exit $status

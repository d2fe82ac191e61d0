#!/bin/sh
# Lane: programs of several ranks that compute their products with libtessera-blas: ScaLAPACK's level-3 testers, random
# calls of p?gemm, and HPL. Every product goes to the device.
#   scalapack.sh FOLDER    the programs run in FOLDER and leave their logs there
. "$(dirname "$0")/lane.sh"
mkdir -p "$1"
folder=$(cd "$1" && pwd)

find_programs() {
  testers=$(find /usr/lib -path '*openmpi*/PBLAS/dpb3tst' | head -n 1) && [ -n "$testers" ] && command -v hpcc mpicxx
}
need "SCALAPACK, ITS TESTERS AND HPCC" find_programs from_apt libopenmpi-dev openmpi-bin libscalapack-openmpi-dev \
  scalapack-mpi-test scalapack-test-common hpcc libopenblas0-pthread
testers=${testers%/*}
TESSERA_TARGET=tessera-blas tools/build.sh
library=$PWD/build/lib/libtessera-blas.so
mpicxx -std=c++20 -O1 -rdynamic tests/mpi/random_pgemm.cpp -o "$folder/random_pgemm" -lscalapack-openmpi
cd "$folder"
rm -f ./*.log ./*.products ./*.dat hpcc*.txt
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 POCL_MAX_PTHREAD_COUNT=1 OPENBLAS_NUM_THREADS=1
export TESSERA_PROFILE=off

# ranks NUMBER NAME PROGRAM...: runs a program on so many ranks, its output in NAME.log.
ranks() {
  number=$1 name=$2
  shift 2
  TESSERA_BLAS=wait,min=1 TESSERA_BLAS_REPORT=$folder/$name.products timeout 300 mpirun --oversubscribe -np "$number" \
    -x LD_PRELOAD="$library" "$@" > "$name.log" 2>&1 || { cat "$name.log"; fail "$name"; }
}
# report NAME PASSED SUMMARY: a program that computed no products has failed, too.
report() {
  products=$(awk '/device/ { sum += $NF } END { print sum + 0 }' "$1.products")
  [ "$2" -ne 0 ] && [ "$products" -gt 0 ] || { cat "$1.log"; fail "$1: $3, $products products"; }
  echo "ok      $1: $3, $products products"
}

cp /usr/share/scalapack/PBLAS/P[SDCZ]BLAS3TST.dat .
for type in s d c z; do
  case $type in [sd]) tests=128 ;; *) tests=176 ;; esac  # complex types have Hermitian matrices, too
  ranks 4 "${type}pb3tst" "$testers/${type}pb3tst"
  passed=$(awk '$1 == "|" && $3 == $4 { sum += $4 } END { print sum + 0 }' "${type}pb3tst.log")
  report "${type}pb3tst" $((passed == tests)) "$passed of $tests tests"
done
for number in 1 2 3 4 5 6; do
  ranks "$number" "pgemm-$number" ./random_pgemm 170 "$number"
  report "pgemm-$number" 1 "$(cat "pgemm-$number.log")"
done
# Products that are worth a device: the sums are not cut into short slices.
ranks 4 cube ./random_pgemm cube 2048
report cube $(($(sed -n 's/.*least inner dimension //p' cube.log) >= 512)) "2048 on 4 ranks, $(cat cube.log)"

sed 's/^[0-9 ]* Ns$/1200 Ns/; s/^[0-9 ]* NBs$/64 128 NBs/; s/^1 *# of problems sizes (N)/1 N/; s/^1 *# of NBs/2 NBs/' \
  /usr/share/doc/hpcc/examples/_hpccinf.txt > hpccinf.txt
ranks 4 hpcc hpcc
passed=$(grep -c '\.\.\.\.\. *PASSED' hpccoutf.txt)
report hpcc $((passed > 0 && $(grep -c '\.\.\.\.\. *FAILED' hpccoutf.txt) == 0)) "HPL, $passed residuals passed"

#!/bin/sh
# Lane: dominant eigenpairs over MPI. A client finds tessera::mpi in an installed package. 200 random matrices of six
# families have the same interval, vector and certificate on 1 to 5 ranks, one of them without rows; on one rank each is
# compared with a reference and with a solve on one device. If a rank finds a NaN, throws or is killed, all ranks end
# within 5 s with its number. The program of the page on MPI runs.
#   mpi_eigen.sh [BUILD]    BUILD: a build folder to install from; without it, build/ is built
. "$(dirname "$0")/lane.sh"
need "OPEN MPI" 'command -v mpirun && command -v mpicxx' from_apt libopenmpi-dev openmpi-bin

build=${1:-build}
[ $# -gt 0 ] || tools/build.sh
prefix=$work/prefix
quietly cmake --install "$build" --component Unspecified --prefix "$prefix"
quietly cmake -S tests/mpi -B "$work/client" -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$prefix" \
  -DPAGE="$PWD/$(grep -lx '#include <mpi.h>' docs/*.md)"
quietly cmake --build "$work/client"
if ldd "$(find "$prefix" -name 'libtessera.so' | head -n 1)" | grep -q libmpi; then fail "libtessera links MPI"; fi

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 POCL_MAX_PTHREAD_COUNT=1 TESSERA_PROFILE=off
# ranks NUMBER SECONDS PROGRAM ARGUMENT...: runs the program, its output in $work/out.
ranks() {
  number=$1 limit=$2 program=$3
  shift 3
  timeout "$limit" mpirun --oversubscribe -np "$number" "$work/client/$program" "$@" > "$work/out" 2>&1
}

ranks 1 300 eigen_client families 200 check || { tail "$work/out" && fail "200 matrices on 1 rank"; }
mv "$work/out" "$work/one"
[ "$(grep -c '^kind' "$work/one")" -eq 200 ] || fail "$(grep -c '^kind' "$work/one") matrices instead of 200"
echo "ok      200 matrices on 1 rank: $(grep -c converged "$work/one") converged, all intervals hold their references"
for number in 2 3 4 5; do
  ranks $number 300 eigen_client families 200 || { tail "$work/out" && fail "200 matrices on $number ranks"; }
  cmp "$work/one" "$work/out" || fail "$number ranks: other bits than 1 rank"
  echo "ok      200 matrices on $number ranks: the same bits"
done

ranks 3 60 page && grep -q "^2.3768965[0-9]* after .* converged$" "$work/out" || {
  cat "$work/out"
  fail "the program of the page"
}
echo "ok      the program of the page: $(head -n 1 "$work/out")"

# expect_end KIND RANK COUNT TEXT: the client ends within 5 s of the failure, and COUNT lines of its output have TEXT.
longest=0
expect_end() {
  status=0
  ranks 4 60 eigen_client "$1" "$2" || status=$?
  took=$(($(date +%s) - $(sed -n 's/^fails at //p' "$work/out")))
  [ "$(grep -c "$4" "$work/out")" -eq "$3" ] && [ $status -ne 0 ] && [ $status -ne 124 ] && [ $took -le 5 ] || {
    cat "$work/out"
    fail "$1 on rank $2 of 4: status $status after $took s; expected $3 lines with \"$4\" within 5 s"
  }
  [ $took -le $longest ] || longest=$took
}
for rank in 0 1 2 3; do
  [ $rank -eq 1 ] ||  # which has no rows
    expect_end nan $rank 4 "^rank [0-3] of 4 ends: rank $rank: .* is nan"
  expect_end throw $rank 4 "^rank [0-3] of 4 ends: rank $rank: made by hand"
  expect_end kill $rank 1 "process rank $rank .* exited on signal 9"
done
echo "ok      NaN, an exception and a kill on each of 4 ranks: all ranks end with its number, within $longest s"

#!/bin/sh
# Lane: threads that do random operations on two devices; the same while OpenCL calls fail at random; tuners among
# such failures.
#   soak.sh [SECONDS [SEED]]    for each of the three; threads interleave differently in each run
. "$(dirname "$0")/lane.sh"
seconds=${1:-10} seed=${2:-$(random_seed)}
TESSERA_TARGET=soak tools/build.sh
# PoCL's device twice.
export POCL_DEVICES="pthread pthread" TESSERA_PROFILE=off TESSERA_CACHE="$work/cache"
layer=$PWD/build/tests/libtessera-faults.so
# among_faults N PROGRAM...: runs the program while one OpenCL call in N fails.
among_faults() {
  one_in=$1
  shift
  OPENCL_LAYERS=$layer TESSERA_FAULTS=random=$seed:$one_in TESSERA_FAULTS_REPORT="$work/report" "$@"
}

echo "$seconds s each, seed $seed: tests/lanes/soak.sh $seconds $seed"
build/tests/soak "$seconds" "$seed" 2> "$work/log" || { tail -n 20 "$work/log" >&2; fail "soak"; }
among_faults 2000 build/tests/soak "$seconds" "$seed" faults 2> "$work/log" ||
  { tail -n 20 "$work/log" >&2; fail "soak among faults"; }
grep '^failed' "$work/report"
grep -q '^unreleased $' "$work/report" || fail "not released: $(grep '^unreleased' "$work/report")"

# A tuner ends with a result or an error although calls of its workers fail. The next one reads the files that it wrote.
export XDG_STATE_HOME="$work/state" XDG_DATA_HOME="$work/data"
cat > "$work/worker" << END
#!/bin/sh
export OPENCL_LAYERS=$layer TESSERA_FAULTS=random=\$\$:300,stall=clBuildProgram:3:200
exec $PWD/build/lib/tessera/tessera-worker "\$@"
END
chmod +x "$work/worker"
end=$(($(date +%s) + seconds)) tuners=0 errors=0
while [ "$tuners" -eq 0 ] || [ "$(date +%s)" -lt "$end" ]; do
  status=0
  TESSERA_WORKER="$work/worker" build/tools/tessera tune multiply --size 64 --budget 5s > "$work/card" 2>&1 || status=$?
  case $status in
    0 | 1) ;;
    2 | 3 | 4) errors=$((errors + 1)) ;;
    *) fail "a tuner ended with status $status: $(cat "$work/card")" ;;
  esac
  tuners=$((tuners + 1))
done
build/tools/tessera tune multiply --size 64 --variant naive --budget 5s > "$work/card" 2>&1 ||
  fail "a tuner after the others ended with status $?: $(cat "$work/card")"
echo "ok      $tuners tuners whose workers failed at random, $errors of them ended with an error"

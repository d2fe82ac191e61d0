#!/bin/sh
# Lane: threads that do random operations on two devices; the same while calls of OpenCL fail at random; tuners among
# such failures.
#   soak.sh [SECONDS [SEED]]    for each of the three; a run is never twice the same, as threads are not
set -eu
cd "$(dirname "$0")/../.."
seconds=${1:-10} seed=${2:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
TESSERA_TARGET=soak tools/build.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# PoCL's device twice.
export POCL_DEVICES="pthread pthread" TESSERA_PROFILE=off TESSERA_CACHE="$work/cache"
layer=$PWD/build/tests/libtessera-faults.so
fail() {
  echo "FAILED  $1"
  exit 1
}
# A program among random failures, one call in $1; its own output is that of the lane.
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

# A tuner ends with a result or an error, whatever its workers meet, and the next one reads what it has left.
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

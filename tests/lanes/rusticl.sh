#!/bin/sh
# Lane: Mesa's rusticl on llvmpipe, in the root of Debian 13 that newer_pocl.sh creates. Its compiler ends the process
# on code that it does not support, and some kernels crash in it. Neither may end the caller's process.
#   rusticl.sh FOLDER    the root that newer_pocl.sh created; needs to be root
. "$(dirname "$0")/lane.sh"
if [ $# -eq 1 ]; then
  tests/lanes/in_root.sh "$1" /tessera/tests/lanes/rusticl.sh
  exit
fi

TESSERA_TARGET=tessera-command tools/build.sh -DTESSERA_WERROR=ON
cmake --build --preset release --target tessera-worker quickstart --parallel "$(nproc)" > /dev/null
# The driver gets a folder of its own, so that other lanes in this root do not load it.
vendors=/opt/rusticl
if [ ! -e $vendors/rusticl.icd ]; then
  need RUSTICL '[ -e /etc/OpenCL/vendors/rusticl.icd ]' from_apt mesa-opencl-icd
  mkdir -p $vendors
  mv /etc/OpenCL/vendors/rusticl.icd $vendors
  rm -f /etc/OpenCL/vendors/mesa.icd
fi
export OCL_ICD_VENDORS=$vendors RUSTICL_ENABLE=llvmpipe TESSERA_PROFILE=off TESSERA_CACHE="$work/cache"
export TESSERA_SELF_CHECK=30  # seconds: one of the kernels compiles for minutes

# may_refuse COMMAND...: runs a command that may also end with an error message and status 2 or 4.
may_refuse() {
  echo "== $*"
  status=0
  timeout 600 "$@" > "$work/log" 2>&1 || status=$?
  case $status in
    0) tail -1 "$work/log" ;;
    2 | 4) echo "refused: $(grep '^tessera: ' "$work/log" | tail -1)" ;;
    *) cat "$work/log" && fail "status $status: $*" ;;
  esac
}
run build/tools/tessera devices
for turn in cold warm; do
  echo "$turn"
  run build/tests/quickstart
  run build/tools/tessera multiply random:64x64 random:64x64 --verify
  run build/tools/tessera multiply random:500x400 random:400x600 --verify --dtype int32
  # Mesa 25.0 computes implicit rounds wrong, which the self-check notices.
  for method in implicit fused explicit; do
    may_refuse build/tools/tessera eigen hilbert:200 --method $method
  done
  may_refuse build/tools/tessera multiply random:64x64 random:64x64 --kernel sliced_k
done
# The check of all kernels ends with its counts, and only kernels that are known to fail do.
timeout 1200 build/tools/tessera check --dtype float --largest 40 > "$work/check" 2> "$work/log" || true
tail -1 "$work/check"
grep -q '^[0-9]* ok, [0-9]* failed, [0-9]* skipped$' "$work/check" || { cat "$work/check" "$work/log"; exit 1; }
sed -n 's/^FAILED *\([^ ]*\) *\([^ ]*\) .*/\1 \2/p' "$work/check" | sort > "$work/failed"
sed 's/ *#.*//; /^$/d' tests/skips/rusticl.txt | sort > "$work/known"
if ! unknown=$(comm -23 "$work/failed" "$work/known") || [ -n "$unknown" ]; then
  cat "$work/check"
  fail "not known to fail: $unknown"
fi

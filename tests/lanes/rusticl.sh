#!/bin/sh
# Lane: Mesa's rusticl on llvmpipe, in the root of Debian 13 that newer_pocl.sh makes. Its compiler ends the process at
# what it does not know, and some kernels crash in it: they cost themselves, never the caller.
#   rusticl.sh FOLDER    where newer_pocl.sh has made it; needs to be root
set -eu
if [ $# -eq 1 ]; then exec "$(dirname "$0")/in_root.sh" "$1" /tessera/tests/lanes/rusticl.sh; fi

cd /tessera
TESSERA_TARGET=tessera-command tools/build.sh -DTESSERA_WERROR=ON
cmake --build --preset release --target tessera-worker quickstart --parallel "$(nproc)" > /dev/null
# Kept from the loader of other lanes in this root.
vendors=/opt/rusticl
if [ ! -e $vendors/rusticl.icd ]; then
  { apt-get update -q && apt-get install -y -q --no-install-recommends mesa-opencl-icd; } > /dev/null
  mkdir -p $vendors
  mv /etc/OpenCL/vendors/rusticl.icd $vendors
  rm -f /etc/OpenCL/vendors/mesa.icd
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OCL_ICD_VENDORS=$vendors RUSTICL_ENABLE=llvmpipe TESSERA_PROFILE=off TESSERA_CACHE="$work/cache"
export TESSERA_SELF_CHECK=30  # seconds: one of the kernels compiles for minutes

run() {
  echo "== $*"
  timeout 600 "$@" > "$work/log" 2>&1 || { echo "FAILED  status $?"; cat "$work/log"; exit 1; }
  tail -2 "$work/log"
}
# A call that is refused in words has status 2 or 4.
may_refuse() {
  echo "== $*"
  status=0
  timeout 600 "$@" > "$work/log" 2>&1 || status=$?
  case $status in
    0) tail -1 "$work/log" ;;
    2 | 4) echo "refused: $(grep '^tessera: ' "$work/log" | tail -1)" ;;
    *) echo "FAILED  status $status"; cat "$work/log"; exit 1 ;;
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
# The check of all kernels ends with its counts, and what fails is known.
timeout 1200 build/tools/tessera check --dtype float --largest 40 > "$work/check" 2> "$work/log" || true
tail -1 "$work/check"
grep -q '^[0-9]* ok, [0-9]* failed, [0-9]* skipped$' "$work/check" || { cat "$work/check" "$work/log"; exit 1; }
sed -n 's/^FAILED *\([^ ]*\) *\([^ ]*\) .*/\1 \2/p' "$work/check" | sort > "$work/failed"
sed 's/ *#.*//; /^$/d' tests/skips/rusticl.txt | sort > "$work/known"
if ! unknown=$(comm -23 "$work/failed" "$work/known") || [ -n "$unknown" ]; then
  echo "FAILED  not known to fail: $unknown"
  cat "$work/check"
  exit 1
fi

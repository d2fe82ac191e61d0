#!/bin/sh
# Programs with libtessera-blas on drivers that hang or abort, and with threads that compute while the program forks.
#   adversity_test.sh CLIENT THREADS_CLIENT LIBRARY HANGING_DRIVER
set -eu
client=$1 threads_client=$2 library=$3 driver=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME="$work" XDG_CACHE_HOME="$work/cache" TESSERA_PROFILE=off

for settings in min=1 wait,min=1; do
  for turn in 1 2 3; do
    LD_PRELOAD="$library" TESSERA_BLAS=$settings timeout 200 "$threads_client" 100 > "$work/log" 2>&1 || {
      cat "$work/log"
      exit 1
    }
  done
done
echo "eight threads and 60 forks, six times: $(cat "$work/log")"

# The vendors' folder has nothing but the driver that hangs.
mkdir "$work/vendors"
echo "$driver" > "$work/vendors/hanging.icd"
status=0
OCL_ICD_VENDORS="$work/vendors" LD_PRELOAD="$library" TESSERA_SELF_CHECK=2 TESSERA_BLAS=wait,min=1 \
  timeout 100 "$client" next > "$work/log" 2>&1 || status=$?
[ "$status" = 0 ] && [ "$(grep -c 'the device failed a small product' "$work/log")" = 1 ] || {
  cat "$work/log"
  echo "a driver that hangs: status $status"
  exit 1
}
echo "a driver that hangs: the next BLAS computes, one line"
# Without waiting, the program ends first, and the process that tries the device ends with it.
OCL_ICD_VENDORS="$work/vendors" LD_PRELOAD="$library" TESSERA_BLAS=min=1 timeout 100 "$client" next > "$work/log" 2>&1
sleep 1
if pgrep -f tessera/tessera-blas-probe -P 1 > /dev/null; then
  echo "a probe is left"
  exit 1
fi

# PoCL aborts if /sys is missing.
if unshare -m true 2> /dev/null; then
  status=0
  unshare -m sh -c 'umount -l /sys && LD_PRELOAD="$0" TESSERA_BLAS=wait,min=1 timeout 100 "$1" either' "$library" "$client" \
    > "$work/log" 2>&1 || status=$?
  [ "$status" = 0 ] || { cat "$work/log"; echo "without /sys: status $status"; exit 1; }
  echo "without /sys: right, $(grep -c tessera-blas "$work/log") lines"
  loader=$(readlink -f "$(ldconfig -p | sed -n 's/.*libOpenCL\.so\.1 .*=> //p' | head -n 1)")
  status=0
  # $LD_LIBRARY_PATH may have another loader.
  env -u LD_LIBRARY_PATH unshare -m sh -c \
    'mount --bind /dev/null "$2" && LD_PRELOAD="$0" TESSERA_BLAS=wait,min=1 timeout 100 "$1" next' \
    "$library" "$client" "$loader" > "$work/log" 2>&1 || status=$?
  [ "$status" = 0 ] && [ "$(grep -c '^tessera-blas: ' "$work/log")" = 1 ] || {
    cat "$work/log"
    echo "without OpenCL's loader: status $status"
    exit 1
  }
  echo "without OpenCL's loader: the next BLAS computes, one line"
fi

#!/bin/sh
# Lane: a tuner among kernels that hang, crash, are wrong or take a minute to build; then a tuner that is killed, and
# one with a full disk, if this machine permits mounting one.
#   adversity.sh    with build/ as tools/build.sh leaves it, or $TESSERA_COMMAND; on the device of $TESSERA_DEVICE
. "$(dirname "$0")/lane.sh"
tessera=${TESSERA_COMMAND:-$PWD/build/tools/tessera}
writer=
leave() {
  [ -z "$writer" ] || kill "$writer" 2> /dev/null || true
  umount "$work/full" 2> /dev/null || true
}
export XDG_STATE_HOME="$work/state" XDG_DATA_HOME="$work/data" TESSERA_KERNEL_DIR="$work/cl"
replace_kernel naive 'while (((volatile global uint*)c)[0] != 12345u) {}'
replace_kernel row_tile 'if (get_global_id(0) == 0) c[0] = 0;'
replace_kernel tiled_static '*(volatile global int*)(ulong)8 = 1;'
mkfifo "$work/slow"
replace_kernel tiled_dynamic "
#include \"$work/slow\"
"
{ sleep 60; echo > "$work/slow"; } &
writer=$!

start=$(date +%s)
"$tessera" tune multiply --size 256 --budget 60s --t4 "$work/t4.json" > "$work/card" || fail "the tuner ended with status $?"
took=$(($(date +%s) - start))
cat "$work/card"
[ "$took" -le 65 ] || fail "60 s took $took s"
journal=$(echo "$work"/state/tessera/tuning/*.jsonl)
for case in 'naive run timeout' 'row_tile wrong' 'tiled_dynamic build timeout' 'tiled_static \(crashed\|resources\)'; do
  grep -q "\"variant\":\"${case%% *}\".*\"outcome\":\"${case#* }\"" "$journal" || fail "no trial at: $case"
done
echo "ok      $took s, every failure a row with its reason"

# Fails if the journal has two trials of one kernel.
once() {
  twice=$(sed -n 's/.*"trial":{"kernel":\(.*\),"outcome".*/\1/p' "$1" | sort | uniq -d)
  [ -z "$twice" ] || fail "tried twice: $twice"
}
once "$journal"
# Succeeds if a worker of this lane is alive. A worker that has ended, but not been waited for, has no environment.
workers() {
  for comm in $(grep -lx tessera-worker /proc/[0-9]*/comm 2> /dev/null); do
    ! grep -aq "XDG_STATE_HOME=$work/" "${comm%comm}environ" 2> /dev/null || return 0
  done
  return 1
}
rm -r "$work/state"
unset TESSERA_KERNEL_DIR
"$tessera" tune multiply --size 256 --budget 60s > /dev/null 2>&1 &
tuner=$!
sleep 12
workers || fail "no worker is running"
kill -9 $tuner
wait $tuner 2> /dev/null || true
journal=$(echo "$work"/state/tessera/tuning/*.jsonl)
before=$(grep -c '"trial":' "$journal")
sleep 1
! workers || fail "a worker is still running after its tuner was killed"
"$tessera" tune multiply --size 256 --budget 15s > "$work/card" || fail "the second tuner ended with status $?"
once "$journal"
after=$(grep -c '"trial":' "$journal")
[ "$before" -gt 0 ] && [ "$after" -gt "$before" ] || fail "$before trials before, $after after"
grep -q "$before of them by earlier tuners" "$work/card" || fail "not all $before trials were resumed: $(cat "$work/card")"
echo "ok      killed after $before trials, gone on to $after, none of them twice"

# The tuner still prints its result and writes files to other disks. It reports why the rest failed.
mkdir "$work/full"
if mount -t tmpfs -o size=4k tmpfs "$work/full" 2> /dev/null; then
  dd if=/dev/zero of="$work/full/all" bs=4k count=1 2> /dev/null
  status=0
  XDG_STATE_HOME=$work/full XDG_DATA_HOME=$work/full TESSERA_CACHE=$work/full/cache "$tessera" tune multiply --size 64 \
    --max-evaluations 5 --budget 30s --report "$work/full/report.html" --kernel-tuner-cache "$work/trials.json" \
    > "$work/card" 2>&1 || status=$?
  [ "$status" -eq 2 ] || fail "with a full disk the tuner ended with status $status: $(cat "$work/card")"
  grep -q '^tuned ' "$work/card" && [ -s "$work/trials.json" ] || fail "no result: $(cat "$work/card")"
  [ "$(grep -c 'No space left on device' "$work/card")" -ge 2 ] || fail "no reason: $(cat "$work/card")"
  [ -z "$(find "$work/full" -type f ! -name all -size +0)" ] || fail "half a file: $(find "$work/full")"
  echo "ok      with a full disk, the result and other files are complete"
else
  echo "skipped a full disk: no file system can be mounted here"
fi

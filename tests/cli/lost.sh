#!/bin/sh
# Deaths: a killed child is exit 6 with a position; a killed run leaves its progress file.
#   lost.sh GPUVM MAKE_AEROGPU
. tests/cli/lib.sh
gpuvm=$1 make=$2
has_device "$gpuvm" || skip "no Vulkan device"
export XDG_CACHE_HOME="$work/cache"
capture=$work/demo.aerogputrace
"$make" demo "$capture" || fail "no demo capture"
"$gpuvm" compile "$capture" -o "$work/demo.gvp" >/dev/null || fail "no payload"

# Runs as good as for ever; waits until frames are completed.
start() {
    "$gpuvm" run "$work/demo.gvp" --loop 1000000000 --progress-file "$work/progress" \
        --json >"$work/out" 2>"$work/err" &
    run=$!
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        sleep 0.5
        child=$(pgrep -P $run || true)
        "$gpuvm" info "$work/progress" 2>/dev/null | grep -qE '^completed_frame +[1-9]' &&
            [ -n "$child" ] && return
    done
    kill -9 $run # it would outlive this test
    fail "the run does not start"
}

start
kill -9 "$child"
wait $run
code=$?
[ $code -eq 6 ] || fail "exit $code of a run whose child was killed"
says "$work/out" '"status":"lost"' "lost in JSON"
says "$work/err" "at frame [0-9]+" "tells the frame"

start
kill -9 $run
wait $run 2>/dev/null
expect 0 "info of the progress file" "$gpuvm" info "$work/progress"
says "$work/out" "^recorded_frame +[0-9]" "position after a kill"
says "$work/out" "^finished +no" "not finished"
sleep 0.5
# A zombie that nobody reaps is dead enough.
grep -q '^State:[[:space:]]*[^Z[:space:]]' "/proc/$child/status" 2>/dev/null &&
    fail "the child outlives its parent"

# A progress file that somebody cuts short.
start
: >"$work/progress"
wait $run
code=$?
[ $code -eq 7 ] || fail "exit $code of a run whose progress file was cut"
says "$work/err" "progress: the file was cut short while in use" "which file was cut"
says "$work/out" '"status":"output"' "a cut file in JSON"
rm "$work/progress"

expect 0 "to the end" "$gpuvm" run "$work/demo.gvp" --progress-file "$work/progress"
expect 0 "info of a finished run" "$gpuvm" info "$work/progress" --json
says "$work/out" '"finished":true' "finished"
expect 7 "progress file that cannot be" "$gpuvm" run "$work/demo.gvp" \
    --progress-file /nonexistent/p
finish

#!/bin/sh
# A window over what comes through a pipe: frames as they come, keys over those that have
# come, the end, and who leaves while nothing comes.
#   coming_window.sh GPUVM MAKE_AEROGPU
. tests/window/lib.sh
gpuvm=$1 make=$2 slow_pipe=tests/cli/slow_pipe.py
titles='^-( - |$)'
needs_windows

# Of 20 times that one looks, how often a process of the run has work. Who waits for a
# CPU has some.
working() {
    for _ in $(seq 20); do
        ps -o stat= -p $run --ppid $run | grep -q '^R' && echo
        sleep 0.05
    done | wc -l
}
pipe=$work/pipe
mkfifo "$pipe"
# start OPTION...: a window over the pipe, as $run; the pipe's other end is 9.
start() {
    "$gpuvm" run - --window "$@" <"$pipe" >"$work/out" 2>"$work/err" &
    run=$!
    exec 9>"$pipe"
}

"$make" demo "$work/demo" || fail "no demo"
"$gpuvm" compile --live "$work/demo" -o "$work/live.gvp" >/dev/null || fail "no payload"
"$gpuvm" run "$work/live.gvp" -q --hash xxh3-rgba >"$work/golden" || fail "no hashes"
python3 "$slow_pipe" cut "$work/live.gvp" 1 >"$work/one"
python3 "$slow_pipe" cut "$work/live.gvp" 7 >"$work/seven"
rest() {
    tail -c +$(($(wc -c <"$1") + 1)) "$work/live.gvp" >&9 & # who pauses reads no further
}
display

# The first frame is there before a byte of the next; keys do what can be done.
start --hash xxh3-rgba
xdotool mousemove 639 479
cat "$work/one" >&9
within "frame 0" titled ' - frame 0$'
key space 'frame 0 - paused$'
key space 'frame 0$'
tail -c +$(($(wc -c <"$work/one") + 1)) "$work/seven" >&9
within "seven frames" titled ' - frame 6$'
key Left 'frame 5 - paused$'
key Home 'frame 0 - paused$'
key 5 'frame 3 - paused$'
key End 'frame 6 - paused$'
xdotool key Right # one that has not come
titled 'frame 6' || fail "a frame that has not come: $(title)"
rest "$work/seven"
within "which then comes" titled 'frame 7 - paused$'
key space ' frame 23 of 24 - at the end$|frame [0-9]*$'
exec 9>&-
within "to the end" titled ' frame 23 of 24 - at the end$'
key Left 'frame 22 of 24 - paused$'
key Home 'frame 0 of 24 - paused$'
quits 0 "q"
same "$work/out" "$work/golden" "hashes of a stream beside a window"
says "$work/err" 'showed [0-9]+ frames.*[0-9] late$' "what was shown"

# Left while nothing comes: at once, before the first frame and behind it.
start
within "a window" titled '^- - loading$'
quits 0 "q before anything"
exec 9>&-
start
cat "$work/one" >&9
within "frame 0" titled ' - frame 0$'
quits 0 "q while nothing comes"
exec 9>&-
# But hashes want all of it, and waiting for it takes no work.
start --hash xxh3-rgba
cat "$work/one" >&9
within "frame 0" titled ' - frame 0$'
xdotool key q
sleep 0.5
ended && fail "hashes: it ended early: $(cat "$work/err")"
times=$(working)
[ "$times" -lt 10 ] || fail "hashes: it works without a window, $times of 20 times"
rest "$work/one"
exec 9>&-
ends 0 "q, hashes"
same "$work/out" "$work/golden" "hashes of a stream that somebody has left"

# Also of a capture, whose compiler waits.
start
head -c $(($(wc -c <"$work/demo") / 2)) "$work/demo" >&9
within "frames of a capture" titled ' - frame [1-9]'
quits 0 "q, half a capture"
exec 9>&-

# Cut: what came stays, and can be stepped through.
start
cat "$work/seven" >&9
exec 9>&-
within "cut" titled ' - ended: rejected$'
key Left 'frame 5 - ended: rejected'
quits 3 "cut"
says "$work/err" 'frame 7: the payload is cut off' "cut"

# More frames than are kept: the oldest are gone.
"$make" stress-frames "$work/many" 200 1 >/dev/null || fail "no frames"
start --fps 1000
cat "$work/many" >&9 & # a capture, which is compiled meanwhile
exec 9>&-
within "200 frames" titled ' frame 199 of 200 - at the end$'
key Left 'frame 198 of 200 - paused$'
key Home 'frame 72 of 200 - paused$'
key Left 'frame 72 of 200 - paused$'
key 1 'frame 72 of 200 - paused$'
key 5 'frame 100 of 200 - paused$'
quits 0 "many frames"

# The window's process is killed, then the display, while nothing comes.
start
cat "$work/one" >&9
within "frame 0" titled ' - frame 0$'
kill -9 "$(pgrep -P $run -x gpuvm-window)"
ends 7 "window killed"
says "$work/err" "the window is gone: its process has ended" "window killed"
exec 9>&-
start
cat "$work/one" >&9
within "frame 0" titled ' - frame 0$'
kill -9 $server
ends 7 "display killed"
says "$work/err" "the window is gone: its display has ended" "display killed"
exec 9>&-
finish

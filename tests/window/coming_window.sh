#!/bin/sh
# A window over what comes through a pipe: frames as they come, keys over those that have
# come, the end, and who leaves while nothing comes.
#   coming_window.sh GPUVM MAKE_AEROGPU
. tests/cli/lib.sh
gpuvm=$1 make=$2 slow_pipe=tests/cli/slow_pipe.py
has_device "$gpuvm" || skip "no Vulkan device"
for tool in Xvfb xdotool; do
    command -v $tool >/dev/null || skip "no $tool"
done
unset WAYLAND_DISPLAY SDL_VIDEODRIVER
export XDG_CACHE_HOME="$work/cache" XDG_RUNTIME_DIR="$work"
server= run=
trap 'kill -9 $server $run 2>/dev/null; rm -rf "$work"' EXIT
display() {
    rm -f "$work/display"
    Xvfb -noreset -displayfd 3 -screen 0 640x480x24 3>"$work/display" >/dev/null 2>&1 &
    server=$!
    for _ in $(seq 100); do
        [ -s "$work/display" ] && break
        sleep 0.1
    done
    DISPLAY=:$(cat "$work/display")
    export DISPLAY
}
# within NAME COMMAND...: it succeeds soon.
within() {
    name=$1
    shift
    for _ in $(seq 200); do
        "$@" && return
        sleep 0.05
    done
    fail "$name: $(title): $(cat "$work/err")"
    finish # the rest would wait for what does not come
}
title() {
    xdotool search --name '^-( - |$)' getwindowname 2>/dev/null | tail -1
}
titled() {
    title | grep -qE -- "$1"
}
key() {
    xdotool key "$1"
    within "key $1, '$2'" titled "$2"
}
ended() {
    ! kill -0 $run 2>/dev/null
}
# ends CODE NAME
ends() {
    within "$2 ends" ended
    wait $run
    code=$?
    [ $code -eq "$1" ] || fail "$2: exit $code, not $1: $(cat "$work/err")"
    run=
}
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
xdotool key q
ends 0 "q"
same "$work/out" "$work/golden" "hashes of a stream beside a window"
says "$work/err" 'showed [0-9]+ frames.*[0-9] late$' "what was shown"

# Left while nothing comes: at once, before the first frame and behind it.
start
within "a window" titled '^- - loading$'
xdotool key q
ends 0 "q before anything"
exec 9>&-
start
cat "$work/one" >&9
within "frame 0" titled ' - frame 0$'
xdotool key q
ends 0 "q while nothing comes"
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
xdotool key q
ends 0 "q, half a capture"
exec 9>&-

# Cut: what came stays, and can be stepped through.
start
cat "$work/seven" >&9
exec 9>&-
within "cut" titled ' - ended: rejected$'
key Left 'frame 5 - ended: rejected'
xdotool key q
ends 3 "cut"
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
xdotool key q
ends 0 "many frames"

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

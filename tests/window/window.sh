#!/bin/sh
# The window on a display of its own: what it shows, every key, what ends early.
#   window.sh GPUVM MAKE_AEROGPU GRAB_ROOT
. tests/window/lib.sh
gpuvm=$1 make=$2 grab=$(realpath "$3")
titles='demo.gvp|other.gvp'
needs_windows

# start OPTION...: the demo in a window, as $run.
start() {
    "$gpuvm" run "$work/demo.gvp" --window "$@" >"$work/out" 2>"$work/err" &
    run=$!
}

# The window's pixels are those of a file, 256x256 at the place where it is.
shows() {
    place=$(xdotool getwindowgeometry "$(window)" 2>/dev/null | sed -n 's/.*Position: \([0-9]*\),\([0-9]*\).*/\1 \2/p')
    # shellcheck disable=SC2086 # two words
    "$grab" "$work/grabbed" $place 256 256 >/dev/null 2>&1 && cmp -s "$work/grabbed" "$1"
}
shows_not() {
    ! shows "$1"
}
"$make" demo "$work/demo.aerogputrace" || fail "no demo"
"$gpuvm" compile "$work/demo.aerogputrace" -o "$work/demo.gvp" >/dev/null || fail "no payload"
"$gpuvm" run "$work/demo.gvp" -q --hash xxh3-rgba >"$work/golden" || fail "no hashes"
"$gpuvm" run "$work/demo.gvp" -q --screenshots 12,22,23 --screenshot-format raw \
    --screenshot-dir "$work/raw" || fail "no pictures"
"$gpuvm" run "$work/demo.gvp" -q --screenshots 12 --screenshot-dir "$work/png" || fail "no PNG"
[ $failures -eq 0 ] || finish

# Nobody sees it.
unset DISPLAY
expect 7 "no display" "$gpuvm" run "$work/demo.gvp" --window
says "$work/err" "no window can be opened" "no display"

# One that takes the connection, and that is all.
python3 -c "import socket, sys, time
s = socket.socket()
s.bind(('127.0.0.1', 0))
s.listen()
print(s.getsockname()[1] - 6000, flush=True)
time.sleep(100)" >"$work/silent" &
silent=$!
within "a silent server" [ -s "$work/silent" ]
expect 7 "a display that says nothing" env DISPLAY="127.0.0.1:$(cat "$work/silent")" timeout 30 \
    "$gpuvm" run "$work/demo.gvp" --window
says "$work/err" "no window can be opened: the display, .* says nothing for 10 s" "a display that says nothing"
[ "$(wc -l <"$work/err")" = 1 ] || fail "a display that says nothing: $(cat "$work/err")"
kill $silent
# One that refuses, in words of its own.
python3 -c "import socket, time
s = socket.socket()
s.bind(('127.0.0.1', 0))
s.listen()
print(s.getsockname()[1] - 6000, flush=True)
while True:
    s.accept()[0].send(b'\\0\\4\\x0b\\0\\0\\0\\1\\0\\x1b[2J')" >"$work/refusing" &
silent=$!
within "a refusing server" [ -s "$work/refusing" ]
expect 7 "a display that refuses" env DISPLAY="127.0.0.1:$(cat "$work/refusing")" timeout 30 \
    "$gpuvm" run "$work/demo.gvp" --window
says "$work/err" "no window can be opened: there is no display" "a display that refuses"
[ "$(wc -l <"$work/err")" = 1 ] || fail "a display that refuses: $(cat "$work/err")"
kill $silent

# Pixels and keys.
display
start --hash xxh3-rgba
within "to the end" titled 'frame 23 of 24 - at the end$'
xdotool mousemove 639 479 windowsize --sync "$(window)" 256 256
within "the last frame" shows "$work/raw/frame_000023.raw"
key Left 'frame 22 of 24 - paused$'
within "a frame back" shows "$work/raw/frame_000022.raw"
key Right 'frame 23 of 24 - paused$'
key Home 'frame 0 of 24 - paused$'
key End 'frame 23 of 24 - paused$'
for tenth in 0 1 2 3 4 5 6 7 8 9; do
    key $tenth "frame $((24 * tenth / 10)) of 24 - paused"
done
key 5 'frame 12 of 24'
within "a tenth" shows "$work/raw/frame_000012.raw"
key plus '2x'
key minus 'paused$'
key minus '1/2x'
key equal 'paused$'
key l 'loop 12-$'
key 6 'frame 14'
key l 'loop 12-14$'
key space 'frame [0-9]* of 24 - loop 12-14'
sleep 0.5
titled 'frame 1[234] of' || fail "the loop is left: $(title)"
key l '24$|24 - at the end'
key 5 'frame'
key End 'at the end'
key space 'of 24( - at the end)?$' # begins again
within "again to the end" titled 'at the end'
key 5 'frame'
within "again to the end, 2" titled 'at the end'
key Left paused
key 5 'frame 12'
for toggle in i h; do
    within "before $toggle" shows "$work/raw/frame_000012.raw"
    xdotool key $toggle
    within "text of $toggle" shows_not "$work/raw/frame_000012.raw"
    xdotool key $toggle
done
within "no text" shows "$work/raw/frame_000012.raw"
xdotool key s
within "s" [ -s "$work/demo.gvp.frames/frame_000012.png" ]
within "s says so" shows_not "$work/raw/frame_000012.raw"
same "$work/demo.gvp.frames/frame_000012.png" "$work/png/frame_000012.png" "the picture of s"
xdotool key n
within "the note goes" shows "$work/raw/frame_000012.raw"
key f 'full screen'
key f 'paused$'
xdotool windowsize --sync "$(window)" 640 480 windowmove "$(window)" 0 0
xdotool mousemove 160 475 mousedown 1
within "pressed on the bar" titled 'frame 6 of'
xdotool mousemove 480 470
within "dragged" titled 'frame 18 of'
xdotool mouseup 1

# Sizes, and none.
for i in $(seq 30); do
    xdotool windowsize "$(window)" $((i * 37 % 500 + 20)) $((i * 91 % 400 + 20))
done
xdotool windowunmap --sync "$(window)" windowmap --sync "$(window)" windowfocus "$(window)"
key Home 'frame 0'
quits 0 "q"
same "$work/out" "$work/golden" "hashes beside a window"
says "$work/err" 'showed [0-9]+ frames.*[0-9] late$' "what was shown"

# A folder for what the key saves, and nothing else: no picture is asked for.
start --screenshot-dir "$work/saved" --screenshot-prefix at_
within "to the end" titled 'at the end$'
[ ! -e "$work/saved" ] || fail "a folder that nobody needed is made"
xdotool key s
within "s, a folder" [ -s "$work/saved/at_000023.png" ]
quits 0 "a folder for s"
[ "$(ls "$work/saved")" = at_000023.png ] || fail "pictures nobody asked for: $(ls "$work/saved")"

# A pipe by its name that nobody writes to yet: who leaves waits for no longer.
mkfifo "$work/pipe.demo.gvp"
"$gpuvm" run "$work/pipe.demo.gvp" --window >"$work/out" 2>"$work/err" &
run=$!
within "a pipe" titled 'pipe.demo.gvp - loading$'
quits 0 "a pipe that is silent"
"$gpuvm" run "$work/pipe.demo.gvp" --window >"$work/out" 2>"$work/err" &
run=$!
within "a pipe again" titled 'pipe.demo.gvp - loading$'
cat "$work/demo.gvp" >"$work/pipe.demo.gvp"
within "a pipe that is written to" titled 'frame 23'
quits 0 "a pipe that is written to"

# Left before the end: the hashes are all there, and the pictures expected.
start --expect "$work/golden"
within "a frame" titled 'frame [0-9]+ of'
xdotool key Escape
ends 0 "escape"

# Begun at a keyframe, which frames before it are run without.
"$gpuvm" keyframe -q "$work/demo.gvp" --every 7 -o "$work/other.gvp" >/dev/null || fail "no keyframes"
sed -n 16,19p "$work/golden" >"$work/golden-some"
for loop in 1 2; do
    "$gpuvm" run "$work/other.gvp" --window --frames 15-18 --loop $loop --hash xxh3-rgba \
        >"$work/out" 2>"$work/err" &
    run=$!
    within "to the last of them" titled 'frame 18 of 19 - at the end$'
    key Left 'frame 17 of 19 - paused$'
    key Home 'frame 0 of 19 - paused$'
    quits 0 "keyframes, --loop $loop"
    same "$work/out" "$work/golden-some" "hashes from a keyframe on, --loop $loop"
done

# The device is lost.
start
within "to the end" titled 'at the end'
xdotool mousemove 639 479 windowsize --sync "$(window)" 256 256
within "a picture" shows "$work/raw/frame_000023.raw"
kill -9 "$(pgrep -P $run | grep -vx "$(pgrep -P $run -x gpuvm-window)")"
within "the window says so" titled ' - ended'
within "the sentence" shows_not "$work/raw/frame_000023.raw"
says "$work/err" "lost: the driver's process died \(Killed\) at frame 23" "lost"
key Left 'frame 22'
quits 6 "lost"

# The window's process is killed, then its display.
start
within "a frame" titled 'frame [0-9]+ of'
kill -9 "$(pgrep -P $run -x gpuvm-window)"
ends 7 "window killed"
says "$work/err" "the window is gone: its process has ended" "window killed"
start --json
within "a frame" titled 'frame [0-9]+ of'
children=$(pgrep -P $run)
kill -9 $server
ends 7 "display killed"
says "$work/err" "the window is gone: its display has ended" "display killed"
says "$work/out" '"status":"output"' "display killed, JSON"
[ "$(wc -l <"$work/err")" = 1 ] || fail "a library has last words: $(cat "$work/err")"
for child in $children; do
    kill -0 "$child" 2>/dev/null && fail "process $child is left"
done
finish

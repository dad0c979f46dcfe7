#!/bin/sh
# Many files in one window: those of a folder, of a list; n and p; one that is broken.
#   play.sh GPUVM PLAYER MAKE_AEROGPU
. tests/window/lib.sh
gpuvm=$1 player=$2 make=$3

# What is no folder to play, and no list, needs no window.
mkdir "$work/empty" "$work/none" "$work/none/folder"
echo text >"$work/none/readme"
mkfifo "$work/none/pipe"
printf '# nothing\n\n\r\n' >"$work/empty.list"
printf 'a.gvp\n\0' >"$work/nul.list"
awk 'BEGIN { for (i = 0; i < 5000; i++) printf "x" }' >"$work/long.list"
awk 'BEGIN { for (i = 0; i <= 65536; i++) print "a" }' >"$work/many.list"
truncate -s 5M "$work/large.list"
refused() {
    expect "$1" "$3" timeout 20 "$gpuvm" play "$work/$3"
    says "$work/err" "$2" "$3"
}
refused 2 "No such file" missing
refused 2 "nothing in the folder can be played" empty
refused 2 "nothing in the folder can be played" none
says "$work/err" "readme: skipped: not a capture gpuvm knows" "a text"
says "$work/err" "pipe: skipped: no regular file" "a pipe"
says "$work/err" "folder: skipped: a folder" "a folder"
refused 2 "is no regular file" none/pipe
refused 2 "the list names no file" empty.list
refused 3 "a NUL: not a list of files .*byte 6" nul.list
refused 3 "a name has more than 4095 bytes" long.list
refused 3 "more than 65536 files.*byte 131072" many.list
refused 3 "over 4194304 bytes" large.list
[ $failures -eq 0 ] || finish

titles='gpuvm|\['
needs_windows
display

# start PROGRAM PLACE: in a window, as $run.
start() {
    "$1" play "$work/$2" --fps 200 >"$work/out" 2>"$work/err" &
    run=$!
}

# A folder, by name, with a name that is no line.
mkdir "$work/games"
"$make" demo "$work/games/b.aerogputrace" || fail "no demo"
"$gpuvm" compile "$work/games/b.aerogputrace" -o "$work/games/c.gvp" >/dev/null || fail "no payload"
cp "$work/games/c.gvp" "$work/games/a
line.gvp"
head -c 3000 "$work/games/c.gvp" >"$work/cut.gvp"
echo text >"$work/games/aa.txt"
start "$gpuvm" games
within "the first" titled '^\[1/3\] a line\.gvp - frame 23 of 24 - at the end$'
says "$work/err" "aa.txt: skipped: not a capture" "a text beside them"
key n '^\[2/3\] b\.aerogputrace - frame 23 of 24 - at the end$'
key Next '^\[3/3\] c\.gvp - frame 23'
key n '^\[1/3\] a line'
key p '^\[3/3\] c\.gvp - frame'
key Prior '^\[2/3\] b\.aero'
quits 0 "a folder"

# What is told of each: all the frames that were shown, and its own time.
start "$gpuvm" games
within "the first again" titled '^\[1/3\] a line\.gvp - frame 23 of 24 - at the end$'
sleep 3
key n '^\[2/3\] b\.aerogputrace - frame 23 of 24 - at the end$'
key Left 'frame 22 of 24 - paused$'
quits 0 "two of a folder"
says "$work/err" 'a line\.gvp: showed 24 frames,' "frames of the first"
says "$work/err" 'b\.aerogputrace: showed 25 frames;' "frames of the second"
ran() {
    sed -n "s/.*$1: ran 24 frames in \([0-9.]*\) s .*/\1/p" "$work/err"
}
awk -v a="$(ran line.gvp)" -v b="$(ran aerogputrace)" 'BEGIN { exit !(a >= 3 && b > 0 && b < a) }' ||
    fail "times of files: $(cat "$work/err")"

# The player has no compiler.
start "$player" games
within "the player" titled '^\[1/2\] a line\.gvp - frame 23'
says "$work/err" "b.aerogputrace: skipped: not a payload" "the player skips a capture"
key n '^\[2/2\] c\.gvp - frame 23'
quits 0 "the player"

# A list: one that is broken, one that is not there, and those after them.
printf '# games\ngames/c.gvp\r\n\ncut.gvp\ngone.gvp\n%s\n' "$work/games/b.aerogputrace" >"$work/some.list"
start "$gpuvm" some.list
within "of a list" titled '^\[1/4\] c\.gvp - frame 23'
key n '^\[2/4\] cut\.gvp - ended: rejected$'
key n '^\[3/4\] gone\.gvp - ended: usage$'
key n '^\[4/4\] b\.aerogputrace - frame 23'
key n '^\[1/4\] c\.gvp - frame 23'
key p '^\[4/4\] b\.aero'
quits 3 "the first that failed"
says "$work/err" "cut.gvp: " "which is broken"
says "$work/err" "gone.gvp: No such file" "which is not there"

# As JSON: a line for each, also for what could not be played, and for a list that is none.
GPUVM_JSON=1 start "$gpuvm" some.list
within "JSON" titled '^\[1/4\] c\.gvp - frame 23'
key n '^\[2/4\] cut\.gvp - ended: rejected$'
key p '^\[1/4\] c\.gvp - frame 23'
quits 3 "JSON"
[ "$(wc -l <"$work/out")" = 3 ] || fail "JSON: $(cat "$work/out")"
[ "$(grep -c '^{"schema":1,[^{]*"status":"ok"' "$work/out")" = 2 ] || fail "JSON: $(cat "$work/out")"
says "$work/out" '^\{"schema":1,[^{]*"status":"rejected".*cut\.gvp' "JSON"
expect 2 "JSON of no list" "$gpuvm" play --json "$work/nowhere"
says "$work/out" '^\{"schema":1,[^{]*"status":"usage".*nowhere' "JSON of no list"

# Memory ends in the second one's compiler: that one is named.
case $gpuvm in
*asan*) ;; # shadow memory has no bound
*)
    printf 'cut.gvp\ngames/b.aerogputrace\n' >"$work/dies.list"
    (
        ulimit -d 20000
        XDG_CACHE_HOME=/dev/null exec "$gpuvm" play "$work/dies.list" >"$work/out" 2>"$work/err"
    ) &
    run=$!
    within "memory ends" titled '^\[1/2\] cut\.gvp - ended: rejected$'
    key n '^\[2/2\] b\.aerogputrace - ended: device$'
    quits 3 "memory ends"
    says "$work/err" "b\.aerogputrace: out of memory" "whose memory ends"
    ;;
esac
finish

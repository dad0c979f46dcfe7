#!/bin/sh
# Pictures after single calls: `run --calls` of programs recorded here against glretrace's
# snapshots of the same calls on the same machine, from captures and from payloads.
#   live_calls.sh GPUVM PICTURE_DISTANCE LIVE_SCENES
. tests/live/live_lib.sh

# Every picture that one of them makes the other makes too, and they hold.
compare() {
    scene=$1 kinds=$2 least=$3 trace=$work/$1.trace
    # What comes before the first swap is not defined.
    first=$(apitrace dump --color=never "$trace" 2>/dev/null |
        awk '/ glXSwapBuffers\(/ { print $1 + 1; exit }')
    set=$(echo "$kinds" | sed "s|[^,]*|$first-/&|g")
    mkdir -p "$work/theirs-$scene"
    glretrace --headless -S "$set" -s "$work/theirs-$scene/call_" "$trace" \
        >/dev/null 2>"$work/err" || fail "$scene: glretrace: $(tail -n 1 "$work/err")"
    expect 0 "$scene: run" "$gpuvm" run "$trace" --calls "$set" \
        --screenshot-dir "$work/ours-$scene" || return
    ls "$work/theirs-$scene" >"$work/theirs" && ls "$work/ours-$scene" >"$work/ours"
    same "$work/ours" "$work/theirs" "$scene: which pictures"
    [ "$(wc -l <"$work/theirs")" -ge "$least" ] || fail "$scene: $(wc -l <"$work/theirs") pictures"
    while read -r picture; do
        told=$("$distance" "$work/theirs-$scene/$picture" "$work/ours-$scene/$picture") ||
            fail "$scene $picture: $told"
        echo "$scene	$picture	$told"
    done <"$work/theirs"
}

record() {
    expect 0 "$1: recorded" apitrace trace -o "$work/$1.trace" "$scenes" "$1"
}

record lists && compare lists draw,frame 6
record raster && compare raster draw,frame 20
record surfaces && compare surfaces draw,fbo 20
record copies && compare copies draw,fbo 8

# A payload has the same pictures if it was told to; and else says why not.
trace=$work/lists.trace
expect 0 "apart" "$gpuvm" compile "$trace" --apart -o "$work/apart.gvp"
one=$(ls "$work/ours-lists" | sed -n '1s/^call_0*\([0-9]*\)\.png$/\1/p')
expect 0 "a payload" "$gpuvm" run "$work/apart.gvp" --calls "$one" \
    --calls '*/draw' --screenshot-dir "$work/payload"
for picture in "$work"/ours-lists/*; do
    [ ! -e "$work/payload/${picture##*/}" ] || same "$picture" "$work/payload/${picture##*/}" "of a payload"
done
ls "$work"/payload/call_* >/dev/null 2>&1 || fail "a payload has no pictures"
expect 0 "joined" "$gpuvm" compile "$trace" -o "$work/joined.gvp"
expect 2 "a joined payload" "$gpuvm" run "$work/joined.gvp" --calls '*/draw' --screenshot-dir "$work/no"
says "$work/err" "joins work of several calls" "a joined payload"
expect 2 "no place for numbers" "$gpuvm" compile "$trace" --apart --strip -o "$work/no.gvp"
expect 2 "no such call" "$gpuvm" run "$work/apart.gvp" --calls 99999999 --screenshot-dir "$work/no"
expect 2 "no such kind" "$gpuvm" run "$work/apart.gvp" --calls '*/shader' --screenshot-dir "$work/no"
expect 2 "kinds of frames" "$gpuvm" run "$work/apart.gvp" --screenshots '*/draw' --screenshot-dir "$work/no"
expect 2 "a folder of calls" "$gpuvm" run "$work/apart.gvp" --calls "@$work" --screenshot-dir "$work/no"
expect 2 "a folder of frames" "$gpuvm" run "$work/apart.gvp" --frames "@$work"
expect 2 "a folder of a dump's calls" "$gpuvm" dump "$trace" --calls "@$work"
trace=$work/raster.trace
begin=$(apitrace dump --color=never "$trace" 2>/dev/null | awk '/ glBegin\(/ { print $1; exit }')
expect 3 "within a primitive" "$gpuvm" run "$trace" --calls "$begin" --screenshot-dir "$work/no"
says "$work/err" "nothing is drawn to after command $begin" "within a primitive"
finish

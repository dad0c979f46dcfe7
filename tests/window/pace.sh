#!/bin/sh
# The pace and the shape of frames are those of their source, unless something else is asked
# for. Every payload here is written by hand.
#   pace.sh GPUVM
. tests/window/lib.sh
gpuvm=$1
titles='p\.gvp'
needs_windows
display 1280x1024

# make FRAMES ROW...: a payload of so many frames, and rows of .pace.
make() {
    {
        count=$1
        shift
        for row in "$@"; do
            echo ".pace $row"
        done
        echo 'rt = image_create(2D, R8G8B8A8_UNORM, width=8, height=8, usage=COLOR_ATTACHMENT)'
        echo 'pass_color(image=rt, load=CLEAR, c1=1.0, c3=1.0)'
        echo 'pass_begin(8, 8, 1)'
        echo 'pass_end()'
        awk -v n="$count" 'BEGIN {
            while (n--) print "present(rt, width=8, height=8)\nframe_end()" }'
    } >"$work/p.gvt"
    "$gpuvm" asm "$work/p.gvt" -o "$work/p.gvp" >/dev/null || fail "no payload"
}

# play OPTION...: to the end; leaves what was said in $work/err, and $size of the window.
play() {
    "$gpuvm" run "$work/p.gvp" --window "$@" >"$work/out" 2>"$work/err" &
    run=$!
    within "to the end" titled 'at the end'
    size=$(xdotool getwindowgeometry "$(window)" |
        sed -n 's/.*Geometry: //p')
    quits 0 "play $*"
}
# paced NAME RATE OPTION...: within 2 % of so many a second. Where others kept the machine
# from showing frames when they were due, it is tried again.
paced() {
    name=$1 rate=$2
    shift 2
    for _ in 1 2 3 4 5; do
        play "$@"
        shown=$(sed -n 's/.*lately \([0-9.]*\) a second; \([0-9]*\) late/\1 \2/p' "$work/err")
        [ "${shown#* }" = 0 ] && break
    done
    if [ "${shown#* }" != 0 ]; then
        echo "not judged, the machine is busy: $name: $shown"
        return
    fi
    awk -v a="${shown% *}" -v b="$rate" 'BEGIN { exit !(a > b * 0.98 && a < b * 1.02) }' ||
        fail "$name: ${shown% *} frames a second, not $rate"
}

make 50 "frame=0 rate=25 per=1 width=4 height=1"
paced "25" 25
[ "$size" = 480x120 ] || fail "4:1 is $size"
play --fps 200 --aspect native
[ "$size" = 480x480 ] || fail "native is $size"
paced "as asked for" 100 --fps 100
make 60 "frame=0 rate=30000 per=1001 width=0 height=0"
paced "29.97" 29.97
[ "$size" = 480x480 ] || fail "no shape is $size"
make 100 "frame=0 rate=50 per=1 width=4 height=3"
paced "50" 50
make 120 "frame=0 rate=60000 per=1001 width=4 height=3"
paced "59.94" 59.94
make 120
paced "nothing said" 60
make 100 "frame=0 rate=1 per=100000 width=4 height=3"
paced "too slow to be one" 60
make 75 "frame=0 rate=50 per=1 width=4 height=3" "frame=50 rate=25 per=1 width=4 height=3"
paced "a second of 50, one of 25" 37.5

# As information, and through all that rewrites payloads.
expect 0 "info" "$gpuvm" info "$work/p.gvp"
says "$work/out" '^frame_rate +50/1$' "info"
says "$work/out" '^aspect +4:3$' "info"
says "$work/out" '^paces +2$' "info"
expect 0 "slice" "$gpuvm" slice "$work/p.gvp" --frames 60 -o "$work/slice.gvp"
expect 0 "dump" "$gpuvm" dump "$work/slice.gvp"
says "$work/out" '^\.pace frame=50 rate=25 per=1 width=4 height=3$' "slice"
finish

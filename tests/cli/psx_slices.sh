#!/bin/sh
# Scenes that paint over what was there without clearing it: the last frame needs no more
# than the first, and is the same alone as in the whole run.
#   psx_slices.sh GPUVM MAKE_PSX
. tests/cli/lib.sh
gpuvm=$1 make=$2
export XDG_CACHE_HOME="$work/cache"

# work FRAME: draws and dispatches of its slice.
work_of() {
    "$gpuvm" slice "$work/x.gvp" --frames "$1" | sed -n 's/^work  *\([0-9]*\) of.*/\1/p'
}

for scene in demo tiles; do
    "$make" $scene "$work/dump" 40 || fail "$scene: no dump"
    expect 0 "$scene: compile" "$gpuvm" compile "$work/dump" -o "$work/x.gvp"
    first=$(work_of 0) last=$(work_of last)
    [ "$((last * 10))" -le "$((first * 13))" ] ||
        fail "$scene: the last frame needs $last dispatches, the first $first"
    has_device "$gpuvm" || continue
    expect 0 "$scene: all" "$gpuvm" run "$work/x.gvp" --frames all --hash sha256-rgb
    grep '^frame	39	' "$work/out" >"$work/whole"
    [ -s "$work/whole" ] || fail "$scene: no frame 39"
    expect 0 "$scene: last" "$gpuvm" run "$work/x.gvp" --frames 39 --hash sha256-rgb
    grep '^frame	39	' "$work/out" >"$work/alone"
    same "$work/whole" "$work/alone" "$scene: the picture"
done
finish

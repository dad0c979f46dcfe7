#!/bin/sh
# Captures of random OpenGL against glretrace's pictures on the same machine.
#   compare.sh GPUVM PICTURE_DISTANCE MAKE_GL_RANDOM [COUNT [FIRST]]
# GPUVM_KEEP: a folder for pictures that do not hold. Seeds that are wild (3 modulo 4) are
# left out. At least 97 % of frames hold.
. tests/cli/lib.sh
gpuvm=$1 distance=$2 make=$3 count=${4:-60} first=${5:-1}
for tool in glretrace apitrace xvfb-run; do
    command -v $tool >/dev/null || skip "no $tool"
done
has_device "$gpuvm" || skip "no Vulkan device"
[ -n "${GPUVM_X-}" ] || {
    rm -rf "$work"
    GPUVM_X=1 exec xvfb-run -a "$0" "$@"
}
export LIBGL_ALWAYS_SOFTWARE=1 XDG_CACHE_HOME="${GPUVM_CACHE-$work/cache}"

# Its frames but the first, which only clears: a line each.
compare() {
    seed=$1
    "$make" "$work" "$seed" "$seed" || fail "seed $seed: not written"
    trace=$work/$seed.trace
    expect 0 "seed $seed: compile" "$gpuvm" compile "$trace" -o "$work/x.gvp" || return
    expect 0 "seed $seed: run" "$gpuvm" run "$work/x.gvp" --screenshots all \
        --screenshot-dir "$work/shots" || return
    calls=$("$gpuvm" dump "$trace" 2>/dev/null | sed -n 's/^\([0-9]*\) .*SwapBuffers(.*/\1/p' | tail -n +2 |
        paste -sd,)
    glretrace --headless --snapshot-force-backbuffer -S "$calls" -s "$work/r-" "$trace" \
        >"$work/out" 2>"$work/err" || {
        fail "seed $seed: glretrace: $(tail -n 1 "$work/err")"
        return
    }
    frame=1
    for call in $(echo "$calls" | tr ',' ' '); do
        told=$("$distance" "$work/r-$(printf '%010d' "$call").png" \
            "$work/shots/frame_$(printf '%06d' $frame).png" \
            ${GPUVM_KEEP:+"$GPUVM_KEEP/$seed.$frame.png"})
        case $told in
        *misses) ;;
        *) rm -f "${GPUVM_KEEP:-$work}/$seed.$frame.png" ;;
        esac
        echo "$seed	$frame	$told" | tee -a "$work/report"
        frame=$((frame + 1))
    done
    rm -rf "$work"/r-*.png "$work/shots" "$trace"
}

seed=$first
while [ $seed -lt $((first + count)) ]; do
    [ $((seed % 4)) -eq 3 ] || compare $seed
    seed=$((seed + 1))
done
held=$(grep -c -e 'exact$' -e 'holds$' "$work/report") all=$(wc -l <"$work/report")
echo "$held of $all frames hold, $(grep -c 'exact$' "$work/report") exact"
[ $((held * 100)) -ge $((all * 97)) ] || fail "less than 97 %"
finish

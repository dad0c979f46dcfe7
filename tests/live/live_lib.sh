# Shared by scripts that record programs by Debian's apitrace and compare with glretrace.
# A script is given GPUVM PICTURE_DISTANCE LIVE_SCENES, reads this file, ends with `finish`.
. tests/cli/lib.sh
gpuvm=$1 distance=$2 scenes=$3
for tool in apitrace glretrace xvfb-run glxgears; do
    command -v $tool >/dev/null || skip "no $tool"
done
has_device "$gpuvm" || skip "no Vulkan device"
# One X server for all.
[ -n "${GPUVM_X-}" ] || {
    rm -rf "$work"
    GPUVM_X=1 exec xvfb-run -a "$0" "$@"
}
export LIBGL_ALWAYS_SOFTWARE=1 XDG_CACHE_HOME="$work/cache"

# Frames 1 to 3 of a trace: the first one after a window grew is not defined. glretrace
# has the pictures of `shown`, another recording of the same program or the same one.
compare_frames() {
    program=$1 shown=$2 trace=$work/$2.trace
    shift 2
    calls=$(apitrace dump --color=never "$trace" 2>/dev/null |
        awk '/ (glX|egl)SwapBuffers\(/ { n++; if (n > 1 && n < 5) printf "%s%s", s, $1; if (n > 1) s = "," }')
    glretrace --headless --snapshot-force-backbuffer -S "$calls" -s "$work/$shown-" "$trace" \
        >/dev/null 2>"$work/err" || fail "$program: glretrace: $(tail -n 1 "$work/err")"
    expect 0 "$program: compile" "$gpuvm" compile "$work/$program.trace" -o "$work/x.gvp" \
        --frames 0-3 "$@" || return
    expect 0 "$program: run" "$gpuvm" run "$work/x.gvp" --screenshots 1-3 \
        --screenshot-dir "$work/shots-$program" || return
    frame=1
    for call in $(echo "$calls" | tr ',' ' '); do
        told=$("$distance" "$work/$shown-$(printf '%010d' "$call").png" \
            "$work/shots-$program/frame_$(printf '%06d' $frame).png" ${GPUVM_KEEP:+"$GPUVM_KEEP/live-$program.$frame.png"}) ||
            fail "$program frame $frame: $told"
        case $told in *"${exact-}") ;; *) fail "$program frame $frame: not exact: $told" ;; esac
        echo "$program	$frame	$told"
        frame=$((frame + 1))
    done
    [ $frame -eq 4 ] || fail "$program: $((frame - 1)) of 3 frames"
}

#!/bin/sh
# Rules of GLSL (glsl_rules.def): every program links and compiles, and each of its cells is
# glretrace's to one level.
#   live_rules.sh GPUVM PICTURE_DISTANCE LIVE_SCENES
. tests/live/live_lib.sh

trace=$work/rules.trace
expect 0 "recorded" apitrace trace -o "$trace" "$scenes" rules
grep "live_scenes:" "$work/err" && fail "a rule that Mesa has not"
calls=$(apitrace dump --color=never "$trace" 2>/dev/null |
    awk '/ glXSwapBuffers\(/ { n++; if (n > 1) printf "%s%s", s, $1; if (n > 1) s = "," }')
glretrace --headless --snapshot-force-backbuffer -S "$calls" -s "$work/theirs-" "$trace" \
    >/dev/null 2>"$work/err" || fail "glretrace: $(tail -n 1 "$work/err")"
expect 0 "compile" "$gpuvm" compile "$trace" -o "$work/x.gvp"
grep -h unsupported "$work/out" "$work/err" && fail "a rule is unsupported"
expect 0 "verify" "$gpuvm" verify --deep "$work/x.gvp"
expect 0 "run" "$gpuvm" run "$work/x.gvp" --screenshots 1-3 --screenshot-dir "$work/ours"
frame=1
for call in $(echo "$calls" | tr ',' ' '); do
    told=$("$distance" "$work/theirs-$(printf '%010d' "$call").png" \
        "$work/ours/frame_$(printf '%06d' $frame).png") || fail "frame $frame: $told"
    echo "rules	$frame	$told"
    [ "$(echo "$told" | cut -d ' ' -f 2)" -le 1 ] || fail "frame $frame: a cell differs: $told"
    frame=$((frame + 1))
done
[ $frame -eq 4 ] || fail "$((frame - 1)) of 3 frames"
finish

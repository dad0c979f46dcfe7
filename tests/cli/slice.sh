#!/bin/sh
# Slices: what some frames need, as a run and as a payload; pictures are those of the whole.
#   slice.sh GPUVM MAKE_PSX
. tests/cli/lib.sh
gpuvm=$1 make=$2
export XDG_CACHE_HOME="$work/cache"
demo=$work/demo.psxgpu
"$make" demo "$demo" || fail "no dump"
expect 0 "compile" "$gpuvm" compile "$demo" -o "$work/x.gvp"

expect 0 "slice" "$gpuvm" slice "$work/x.gvp" --frames 40,59 -o "$work/s.gvp"
says "$work/out" '^calls +[0-9]+ of +[0-9]+$' "what is kept"
says "$work/out" '^first work: dispatch of command [0-9]+ \(code offset [0-9]+\)$' "the chain"
says "$work/out" '^  for present of command [0-9]+' "its end"
cp "$work/out" "$work/said"
expect 0 "json" "$gpuvm" slice "$work/x.gvp" --frames 40,59 --json
says "$work/out" '"calls":\{"kept":[0-9]+,"total":[0-9]+\}.*"chain":\[\{"what":"dispatch"' "json"
expect 0 "verify" "$gpuvm" verify "$work/s.gvp" --deep
expect 0 "info" "$gpuvm" info "$work/s.gvp"
says "$work/out" '^frames +60$' "frames keep their numbers"
expect 0 "again" "$gpuvm" slice "$work/x.gvp" --frames 40,59 -o "$work/t.gvp"
same "$work/s.gvp" "$work/t.gvp" "two slices"
expect 0 "of a slice" "$gpuvm" slice "$work/s.gvp" --frames 59 -o "$work/u.gvp"
expect 0 "of a capture" "$gpuvm" slice "$demo" --frames 59
"$gpuvm" slice "$work/x.gvp" --frames 40,59 -o - >"$work/piped.gvp" || fail "to a pipe"
same "$work/s.gvp" "$work/piped.gvp" "through a pipe"
[ "$(wc -c <"$work/s.gvp")" -lt "$(wc -c <"$work/x.gvp")" ] || fail "a slice is smaller"

# What is wrong.
expect 2 "no frames" "$gpuvm" slice "$work/x.gvp"
expect 2 "no such command" "$gpuvm" slice "$work/x.gvp" --calls 999999999
expect 2 "no such frame" "$gpuvm" slice "$work/x.gvp" --frames 60
expect 2 "onto itself" "$gpuvm" slice "$work/x.gvp" --frames 1 -o "$work/x.gvp"
expect 3 "no payload" "$gpuvm" slice "$0" --frames 1
expect 7 "no place" "$gpuvm" slice "$work/x.gvp" --frames 1 -o "$work/none/s.gvp"

# Thin payloads stay thin: their stores have more than is needed.
expect 0 "thin" "$gpuvm" thin "$work/x.gvp" --store "$work/store" -o "$work/thin.gvp"
expect 0 "slice of it" "$gpuvm" slice "$work/thin.gvp" --frames 59 -o "$work/thin-s.gvp"
expect 0 "verify it" "$gpuvm" verify "$work/thin-s.gvp" --deep --store "$work/store"

# compile --frames: the slice of the capture, with exports; --live has it all.
expect 0 "compile one frame" "$gpuvm" compile "$demo" --frames 40 -o "$work/one.gvp"
says "$work/out" ', 41 frames,' "the frames before stay"
expect 0 "of the whole" "$gpuvm" slice "$work/x.gvp" --frames 40 --exports -o "$work/w.gvp"
"$gpuvm" dump "$work/one.gvp" | grep -c 'dispatch(' >"$work/one.count"
"$gpuvm" dump "$work/w.gvp" | grep -c 'dispatch(' >"$work/w.count"
same "$work/one.count" "$work/w.count" "as much as slice --exports keeps"
expect 0 "live" "$gpuvm" compile "$demo" --frames 40 --live -o "$work/live.gvp"
[ "$(cat "$work/one.count")" -lt "$("$gpuvm" dump "$work/live.gvp" | grep -c 'dispatch(')" ] ||
    fail "compile --frames keeps all of it"
expect 0 "thin" "$gpuvm" compile "$demo" --frames 40 --thin --store "$work/few" -o "$work/few.gvp"
expect 0 "verify it" "$gpuvm" verify "$work/few.gvp" --deep --store "$work/few"
expect 0 "verify one" "$gpuvm" verify "$work/one.gvp" --deep
expect 2 "a frame too many" "$gpuvm" compile "$demo" --frames 60 -o "$work/x60.gvp"
[ -e "$work/x60.gvp" ] && fail "a payload is left"

has_device "$gpuvm" || finish
expect 0 "whole" "$gpuvm" run "$work/x.gvp" --hash xxh3-rgba
grep -E '^frame	(40|59)	' "$work/out" >"$work/want"
expect 0 "run" "$gpuvm" run "$work/x.gvp" --frames 40,59 --hash xxh3-rgba
same "$work/want" "$work/out" "run --frames"
expect 0 "stats" "$gpuvm" run "$work/x.gvp" --frames 59 --stats -q
kept=$(awk '$2 == "slice_work_kept" { print $3 }' "$work/out")
total=$(awk '$2 == "slice_work" { print $3 }' "$work/out")
[ "$kept" -gt 0 ] && [ "$kept" -lt "$total" ] || fail "$kept of $total dispatches"
expect 0 "run the slice" "$gpuvm" run "$work/s.gvp" --screenshots 40,59 --hash xxh3-rgba
same "$work/want" "$work/out" "a slice"
expect 3 "a frame that was not wanted" "$gpuvm" run "$work/s.gvp" --screenshots 3 --hash xxh3-rgba
expect 0 "run the thin one" "$gpuvm" run "$work/thin-s.gvp" --store "$work/store" \
    --frames 59 --hash xxh3-rgba
grep '^frame	59	' "$work/want" | cmp -s - "$work/out" || fail "a thin slice"

expect 0 "frame 40" "$gpuvm" run "$work/one.gvp" --screenshots 40 --hash xxh3-rgba \
    --export "vram=$work/vram40"
grep '^frame	40	' "$work/want" | cmp -s - "$work/out" || fail "a sliced compile"
expect 0 "frame 40 of all" "$gpuvm" run "$work/x.gvp" --frames 40 --export "vram=$work/vram40.2"
same "$work/vram40" "$work/vram40.2" "VRAM of a sliced compile"

# Pictures between commands.
cat >"$work/calls.gvt" <<'END'
i = image_create(2D, R8G8B8A8_UNORM, width=4, height=4, usage=SAMPLED)
j = image_create(2D, R8G8B8A8_UNORM, width=4, height=4, usage=SAMPLED)
command 1
show(i, 0, 0, 4, 4)
image_clear_color(i, c0=0x3f800000, c3=0x3f800000)
command 2
image_clear_color(j, c1=0x3f800000, c3=0x3f800000)
command 3
image_clear_color(i, c2=0x3f800000, c3=0x3f800000)
present(j, width=4, height=4)
frame_end()
command 4
image_clear_color(i, c1=0x3f800000, c3=0x3f800000)
present(i, width=4, height=4)
frame_end()
END
expect 0 "asm" "$gpuvm" asm "$work/calls.gvt" -o "$work/calls.gvp"
expect 0 "calls" "$gpuvm" run "$work/calls.gvp" --calls 1-3 --screenshot-dir "$work/pictures"
expect 0 "slice --calls" "$gpuvm" slice "$work/calls.gvp" --calls 1,2 -o "$work/called.gvp"
[ "$("$gpuvm" dump "$work/called.gvp" | grep -c 'clear_color(')" = 1 ] || fail "what a call needs"
expect 0 "its calls" "$gpuvm" run "$work/called.gvp" --calls 1-2 --screenshot-dir "$work/called"
expect 0 "calls of frames" "$gpuvm" run "$work/calls.gvp" --frames 0 --calls 1-3 --stats \
    --screenshot-dir "$work/framed"
says "$work/out" '^stat	slice_calls_kept	' "sliced with --calls"
for n in 1 2 3; do
    name=call_000000000$n.png
    [ $n = 3 ] || same "$work/pictures/$name" "$work/called/$name" "picture of command $n"
    same "$work/pictures/$name" "$work/framed/$name" "picture of command $n with --frames"
done

# Exports are those of the whole run up to there; asked for, of a slice too.
expect 0 "vram" "$gpuvm" run "$work/x.gvp" --export "vram=$work/vram"
expect 0 "all" "$gpuvm" slice "$work/x.gvp" --frames all --exports -o "$work/all.gvp"
expect 0 "vram of it" "$gpuvm" run "$work/all.gvp" --export "vram=$work/vram2" --hash xxh3-rgba
same "$work/vram" "$work/vram2" "an export of a slice"
finish

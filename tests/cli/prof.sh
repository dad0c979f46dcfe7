#!/bin/sh
# prof: parts sum to their frame, a draw that was made slow leads, traces have the form that
# viewers want, and what cannot be timed is refused.
#   prof.sh GPUVM MAKE_AEROGPU MAKE_PSX
. tests/cli/lib.sh
gpuvm=$(realpath "$1")
has_device "$gpuvm" || skip "no Vulkan device"
"$2" demo "$work/demo.aerogputrace" || fail "no capture"
"$3" demo "$work/demo.psxgpu" || fail "no dump"
cd "$work" || exit 1
"$gpuvm" compile -q demo.aerogputrace --apart -o demo.gvp >/dev/null || fail "no payload"

# ---- figures ----

# sums KIND: parts of each frame sum to it; of one pass a median is the time itself.
sums() {
    awk -F '\t' '
        $1 == "frame" { span[$2] = $3; wall = $4 - $5 - $6 - $7 - $8 - $9
                        if (wall > 0.001 || wall < -0.5) { print "CPU of " $2 ": " wall; bad = 1 } }
        $1 == "part" { place = $2; sub(/^\^/, "", place); sub(/\..*/, "", place); sum[place] += $3 }
        END { for (f in span) if (span[f] - sum[f] > 0.001 || sum[f] - span[f] > 0.001 || span[f] <= 0) {
                  print f ": " span[f] " is not " sum[f]; bad = 1 }
              exit bad }' out || fail "$1"
}
for by in frame pass draw; do
    expect 0 "by $by" "$gpuvm" prof demo.gvp -q --frames 1,2 --by $by --loop 1
    sums "by $by"
    [ "$(grep -c '^frame	' "$work/out")" = 2 ] || fail "by $by: other frames"
    says "$work/out" '^ratio	stamped/plain	[0-9]+\.[0-9]+$' "by $by: no ratio"
    says "$work/out" '^fed	(yes|no): ' "by $by: not told whether the GPU was fed"
    grep '^part' out | cut -f 3 >times
    sort -rn times | cmp -s - times || fail "by $by: the costliest is not the first"
done
works=$("$gpuvm" inspect demo.gvp f1/ | wc -l)
[ "$(grep -c "^part	f1\.d[0-9]*	" out)" = "$works" ] || fail "not every draw is a part"
says "$work/out" '^part	f1\.d0	.*	100	DRAW$' "its command"
expect 0 "a dump, by its dispatches" "$gpuvm" prof demo.psxgpu -q --frames 1 --loop 1
says "$work/out" '^part	f1\.d0	' "a dispatch"
expect 0 "a table" "$gpuvm" prof demo.gvp -q --frames 0 --loop 1 --table
says "$work/out" '^part, ms +GPU ' "headings"

# ---- a draw made slow ----

# The last draw of frame 1, often: about all of the time.
"$gpuvm" dump demo.gvp | awk '/^ *frame_end\(/ { f++ }
    f == 1 && /draw\(50, 1, 0, 0\)/ { n++ }
    f == 1 && n == 5 && /draw\(50/ { sub(/50, 1,/, "50, 300,") } { print }' >slow.gvt
"$gpuvm" asm slow.gvt --resources demo.gvp -o slow.gvp >/dev/null || fail "not assembled"
place=$("$gpuvm" inspect slow.gvp f1/ | sed -n 's/	.*instance_count=300.*//p')
[ "$place" ] || fail "no slow draw"
expect 0 "slow" "$gpuvm" prof slow.gvp -q --loop 2
[ "$(sed -n 's/^part	\([^	]*\)	.*/\1/p' out | head -n 1)" = "$place" ] ||
    fail "$place does not lead: $(grep -m 1 '^part' out)"

# ---- a trace ----

expect 0 "a trace" "$gpuvm" prof demo.gvp -q --frames 0-2 --loop 1 --trace trace.json
python3 - trace.json <<'end' || fail "trace.json"
import json
import sys
events = json.load(open(sys.argv[1]))["traceEvents"]
tracks, flows = {}, {}
for e in events:
    assert e["ph"] in ("M", "X", "s", "f"), e
    assert isinstance(e["name"], str) and e["pid"] == 1 and e["tid"] in (1, 2), e
    if e["ph"] == "X":
        assert e["ts"] >= 0 and e["dur"] >= 0, e
        tracks.setdefault(e["tid"], []).append((e["ts"], e["ts"] + e["dur"], e["name"]))
    elif e["ph"] in "sf":
        flows.setdefault(e["id"], {})[e["ph"]] = e
assert len(tracks[1]) == len(tracks[2]) == len(flows) > 10
assert [n for _, _, n in tracks[1]] == [n for _, _, n in tracks[2]]
for spans in tracks.values():
    for (_, end, _), (begin, _, name) in zip(spans, spans[1:]):
        assert begin >= end - 0.01, f"{name} overlaps"
for ends in flows.values():
    assert ends["s"]["tid"] == 1 and ends["f"]["tid"] == 2
for (cpu, _, _), (_, gpu, name) in zip(tracks[1], tracks[2]):
    assert gpu >= cpu, f"{name} ran before it was recorded"
end

# ---- what is refused ----

expect 2 "no such part" "$gpuvm" prof demo.gvp --by triangle
expect 2 "no such frame" "$gpuvm" prof demo.gvp --frames 999
expect 2 "end" "$gpuvm" prof demo.gvp --frames end
expect 2 "a trace among figures" "$gpuvm" prof demo.gvp --trace -
expect 2 "a trace onto the input" "$gpuvm" prof demo.gvp --trace demo.gvp
echo 0 >list
expect 2 "a trace onto its list of frames" "$gpuvm" prof demo.gvp --frames @list --trace list
[ "$(cat list)" = 0 ] || fail "the list of frames is a trace"
expect 7 "a trace nowhere" "$gpuvm" prof demo.gvp --loop 1 --frames 0 --trace nowhere/t.json
printf 'damaged' >damaged.gvp
expect 3 "damaged" "$gpuvm" prof damaged.gvp --trace none.json
[ ! -e none.json ] || fail "a trace of nothing"
VK_DRIVER_FILES=/nonexistent VK_ICD_FILENAMES=/nonexistent expect 5 "no device" "$gpuvm" prof demo.gvp
finish

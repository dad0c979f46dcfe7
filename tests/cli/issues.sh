#!/bin/sh
# issues: forty that are planted are told once, at their command; of the same without them, and of
# clean captures, none is told.
#   issues.sh GPUVM MAKE_AEROGPU MAKE_PSX
. tests/cli/lib.sh
gpuvm=$(realpath "$1")
has_device "$gpuvm" || skip "no Vulkan device"
"$2" demo "$work/demo.aerogputrace" || fail "no capture"
"$3" demo "$work/demo.psxgpu" || fail "no dump"
cd "$work" || exit 1

# plant.py BASE planted|clean WORDS: text with work that nobody draws, and what is told of it. Those of
# draws are planted in BASE, the text of a capture.
cat >plant.py <<'end'
import re
import sys

base, planted = open(sys.argv[1]).read(), sys.argv[2] == "planted"
expected, lines, command = [], [], 0


def put(text):
    global command
    command += 1
    lines.extend([f"command {command}", text])


def issue(code, text, clean=None):
    if planted:
        put(text)
        expected.append((code, f"c{command}"))
    elif clean:
        put(clean)


if base.startswith("#"):  # none: buffers and images alone
    lines += [".const four u8 ( 1 2 3 4 )", ".const other u8 ( 5 6 7 8 )", "d = buffer_create(64, STORAGE)"]
    lines += ["e = image_create(2D, R8G8B8A8_UNORM, 2, 2, 1, 2, 1, 1, SAMPLED)"]
    for i in range(12):
        lines += [f"b{i} = buffer_create(16, STORAGE)"]
        if not planted:
            put(f"buffer_upload(b{i}, 0, four)")
        issue("read-unwritten", f"buffer_copy(d, 0, b{i}, 0, 4)", f"buffer_copy(d, 0, b{i}, 0, 4)")
        put(f"buffer_copy(d, 4, b{i}, 4, 4)")  # once is enough
    for i in range(4):
        mip = i % 2
        lines += [f"i{i} = image_create(2D, R8G8B8A8_UNORM, 2, 2, 1, 2, 1, 1, SAMPLED)"]
        put(f"image_clear_color(i{i}, {mip if not planted else 1 - mip}, 1, 0, 1, 0, 0, 0, 0)")
        copy = f"image_copy(e, COLOR, {mip}, 0, 0, 0, 0, i{i}, COLOR, {mip}, 0, 0, 0, 0, 1, 1, 1, 1)"
        issue("read-unwritten", copy, copy)
    for i in range(14):
        lines += [f"u{i} = buffer_create(16, STORAGE)"]
        put(f"buffer_upload(u{i}, 0, four)")
        put(f"buffer_upload(u{i}, 8, four)")
        if i % 2:
            put(f"buffer_upload(u{i}, 4, other)")  # beside it
        issue("upload-again", f"buffer_upload(u{i}, 0, four)", f"buffer_upload(u{i}, 0, other)")
        put(f"buffer_fill(u{i}, 0, 4, 0)")
        put(f"buffer_upload(u{i}, 0, four)")  # no more what it held
    lines += ["frame_end()"]
    print("\n".join(lines))
else:
    frame, works, found = 0, 0, 0
    for line in base.splitlines():
        draw = re.match(r" *draw\((\d+), 1, 0, 0\)", line)
        if draw and frame and works % 3 == 0 and found < 10 and planted:
            line = line.replace(draw[1] + ", 1", "0, 1" if found % 2 else draw[1] + ", 0")
            expected.append(("no-effect", f"f{frame}.d{works}"))
            found += 1
        works += bool(re.match(r" *draw\(", line))
        if re.match(r" *frame_end\(", line):
            frame, works = frame + 1, 0
        print(line)
with open(sys.argv[3], "w") as file:
    file.writelines(f"{code}\t{place}\n" for code, place in expected)
end

echo '# none' >none.gvt
"$gpuvm" compile -q demo.aerogputrace --apart -o demo.gvp >/dev/null || fail "no payload"
"$gpuvm" dump demo.gvp >demo.gvt || fail "no text"
total=0
for base in none demo; do
    for kind in planted clean; do
        python3 plant.py $base.gvt $kind expected >$kind.gvt || fail "$base: no text"
        "$gpuvm" asm $kind.gvt --resources demo.gvp -o $kind.gvp >/dev/null || fail "$base $kind: not assembled"
        expect 0 "$base $kind" "$gpuvm" issues -q $kind.gvp
        grep -v '^note	fallback	' out | cut -f 2,3 | sort >told
        sort expected | diff - told >/dev/null || fail "$base $kind: $(sort expected | diff - told | head -n 5)"
        total=$((total + $(wc -l <expected)))
    done
done
[ $total = 40 ] || fail "$total were planted"
expect 0 "a clean dump" "$gpuvm" issues -q demo.psxgpu
grep -v '	fallback	' out && fail "a clean dump has issues"

# ---- exit codes ----

python3 plant.py none.gvt planted expected >planted.gvt && "$gpuvm" asm planted.gvt -o planted.gvp >/dev/null
expect 1 "a note" "$gpuvm" issues -q planted.gvp --fail-on note
expect 1 "a warning" "$gpuvm" issues -q planted.gvp --fail-on warning
expect 0 "no error" "$gpuvm" issues -q planted.gvp --fail-on error
expect 2 "no such severity" "$gpuvm" issues -q planted.gvp --fail-on nonsense
expect 1 "in JSON" "$gpuvm" issues -q planted.gvp --fail-on note --json
says "$work/out" '"status":"differ".*"issues":\[\{"severity":"warning","code":"read-unwritten","place":"c1","command":1,' "JSON"
# A resource that nobody has.
"$gpuvm" thin demo.gvp --store store -o thin.gvp >/dev/null || fail "no thin payload"
mkdir empty
expect 0 "failed fetches" "$gpuvm" issues -q thin.gvp --store empty
says "$work/out" '^error	fetch	c[0-9]+	' "where it failed"
expect 1 "and fails" "$gpuvm" issues -q thin.gvp --store empty --fail-on error
# One that is used within a pass, behind a draw that was counted.
python3 - demo.gvt >within.gvt <<'end' || fail "no fetch within a pass"
import sys
lines = open(sys.argv[1]).read().splitlines(True)
at = next(i for i, line in enumerate(lines) if "buffer_upload(" in line and "res 13," in line)
upload = lines.pop(at)
draw = next(i for i in range(at, len(lines)) if lines[i].strip().startswith("draw("))
lines.insert(draw + 1, upload)
sys.stdout.writelines(lines)
end
"$gpuvm" asm within.gvt --resources demo.gvp -o within.gvp >/dev/null || fail "not assembled"
"$gpuvm" thin within.gvp --store partial -o within-thin.gvp >/dev/null || fail "no thin payload"
group=$(sed -n 's/^\.group \([0-9a-f]*\).*/\1/p' demo.gvt | sed -n 2p)
find partial -name "*$group*" -exec rm {} +
expect 0 "a failed fetch within a pass" "$gpuvm" issues -q within-thin.gvp --store partial
says "$work/out" '^error	fetch	c[0-9]+	' "where it failed within a pass"
printf damaged >damaged.gvp
expect 3 "damaged" "$gpuvm" issues damaged.gvp
finish

#!/bin/sh
# run: pictures, hashes, SETs, comparison, thin payloads, exit codes.
#   run.sh GPUVM MAKE_AEROGPU PLAYER
. tests/cli/lib.sh
gpuvm=$1 make=$2 player=$3
has_device "$gpuvm" || skip "no Vulkan device"
export XDG_CACHE_HOME="$work/cache"
capture=$work/demo.aerogputrace
payload=$work/demo.gvp
"$make" demo "$capture" || fail "no demo capture"
"$gpuvm" compile "$capture" -o "$payload" >/dev/null || fail "no payload"
frames=$("$gpuvm" info "$payload" | awk '$1 == "frames" { print $2 }')
last=$((frames - 1))

expect 0 "run payload" "$gpuvm" run "$payload" --hash sha256-rgba
cp "$work/out" "$work/golden"
[ "$(wc -l <"$work/golden")" -eq "$frames" ] || fail "one line per frame"
says "$work/golden" "^frame	0	[0-9]+x[0-9]+	sha256-rgba:[0-9a-f]{64}$" "hash line"
expect 0 "run capture" "$gpuvm" run "$capture" --hash sha256-rgba
same "$work/out" "$work/golden" "capture and payload"
expect 0 "player" "$player" run "$payload" --hash sha256-rgba
same "$work/out" "$work/golden" "player"
expect 0 "no child" "$gpuvm" run "$payload" --hash sha256-rgba --no-child
same "$work/out" "$work/golden" "no child"
expect 0 "from a pipe" sh -c "'$gpuvm' run - --hash sha256-rgba <'$payload'"
same "$work/out" "$work/golden" "from a pipe"
expect 3 "player refuses captures" "$player" run "$capture"
says "$work/err" "^gpuvm-player: .*: not a payload" "the player's own name"
expect 2 "the player's commands" "$player" compile "$capture"
says "$work/err" "^gpuvm-player: no command 'compile'" "the player's own name for its commands"
for form in sha256-rgb md5-rgba md5-rgb xxh3-rgba; do
    expect 0 "$form" "$gpuvm" run "$payload" --frames 0 --hash $form
    says "$work/out" "^frame	0	[0-9]+x[0-9]+	$form:[0-9a-f]+$" "$form"
done
expect 2 "unknown form" "$gpuvm" run "$payload" --hash crc32

expect 0 "last frame" "$gpuvm" run "$payload" --frames last --hash sha256-rgba
tail -n 1 "$work/golden" | cmp -s - "$work/out" || fail "--frames last"
expect 2 "frame out of range" "$gpuvm" run "$payload" --frames "$frames"
expect 2 "bad SET" "$gpuvm" run "$payload" --frames 1-x
expect 2 "dots" "$gpuvm" run "$payload" --frames 0..1
says "$work/err" "a range is written: 0-1" "how a range is written"
expect 2 "backwards" "$gpuvm" run "$payload" --frames 5-3
says "$work/err" "the lower end comes first: 3-5" "which end comes first"
expect 0 "a capture's option" "$gpuvm" run "$payload" --frames 0 --strict
says "$work/err" "--strict has no effect: a payload is compiled already" "an option without effect"
expect 2 "a capture's option, pedantic" "$gpuvm" run "$payload" --frames 0 --strict --pedantic
expect 3 "verify of a capture" "$gpuvm" verify "$capture"
says "$work/err" "a capture .aerogpu., not a payload; gpuvm compile makes one of it" "what it is"
[ "$last" -gt 0 ] && expect 2 "picture out of reach" "$gpuvm" run "$payload" --frames 0 \
    --screenshots last --screenshot-dir "$work/x"
[ "$last" -gt 0 ] && says "$work/err" "--screenshots: frame $last is after" "names the option"

expect 0 "screenshots" "$gpuvm" run "$payload" --screenshots 0 --screenshot-dir "$work/a/b"
[ -s "$work/a/b/frame_000000.png" ] || fail "frame_000000.png"
expect 0 "raw" "$gpuvm" run "$payload" --screenshots 0,last --screenshot-dir "$work/raw" \
    --screenshot-format raw --screenshot-prefix p- --hash sha256-rgba --json
says "$work/out" '"status":"ok".*"hash":"sha256-rgba:' "run --json"
size=$(sed -n 's/^frame	0	\([0-9]*\)x\([0-9]*\)	.*/\1 \2/p' "$work/golden")
# The contract's hash, made by hand: u32le width, u32le height, rows.
set -- $size
{
    for n in "$1" "$2"; do
        printf "$(printf '\\%03o\\%03o\\%03o\\%03o' $((n & 255)) $((n >> 8 & 255)) \
            $((n >> 16 & 255)) $((n >> 24 & 255)))"
    done
    cat "$work/raw/p-000000.raw"
} | sha256sum | cut -d' ' -f1 >"$work/sum"
says "$work/golden" "sha256-rgba:$(cat "$work/sum")" "the hash covers size and rows"
expect 0 "ppm" "$gpuvm" run "$payload" --screenshots 0 --screenshot-dir "$work/raw" \
    --screenshot-format ppm
says "$work/raw/frame_000000.ppm" "^P6" "ppm"
expect 7 "folder that cannot be" "$gpuvm" run "$payload" --screenshots 0 \
    --screenshot-dir /dev/null/x
# A picture that cannot be written ends the run there: those before it are kept, those after
# it never appear.
if [ "$last" -ge 3 ]; then
    for format in png raw; do
        mkdir -p "$work/bad-$format"
        mkfifo "$work/bad-$format/frame_000002.$format" # nobody reads it
        expect 7 "picture that cannot be" "$gpuvm" run "$payload" --screenshots all \
            --screenshot-dir "$work/bad-$format" --screenshot-format $format --json
        says "$work/err" "frame 2: cannot write .*/bad-$format/frame_000002.$format: nobody" \
            "tells frame and file"
        says "$work/out" '"status":"output".*"frame":2[,}]' "output in JSON"
        jq -e '[.frames[].path | split("/")[-1]] == ["frame_000000.'$format'", "frame_000001.'$format'"]' \
            "$work/out" >/dev/null || fail "only what was written: $(cat "$work/out")"
        [ "$(ls "$work/bad-$format" | tr '\n' ' ')" = "$(printf 'frame_%06d.%s ' 0 $format 1 \
            $format 2 $format)" ] || fail "pictures before the one that failed"
    done
fi
expect 0 "a folder beside the file" "$gpuvm" run "$payload" --screenshots all
[ "$(ls "$payload.frames" | wc -l)" -eq "$frames" ] || fail "FILE.frames"
same "$payload.frames/frame_000000.png" "$work/a/b/frame_000000.png" "FILE.frames"
rm -r "$payload.frames"
expect 0 "a folder for commands" "$gpuvm" run "$payload" --calls last --hash md5-rgb
[ "$(ls "$payload.frames" | cut -c 1-5)" = call_ ] || fail "FILE.frames of --calls"
rm -r "$payload.frames"
expect 0 "hashes alone" "$gpuvm" run "$payload" --screenshots 0 --hash md5-rgb
[ -e "$payload.frames" ] && fail "hashes make no folder"
expect 2 "standard input has no name" sh -c "'$gpuvm' run - --screenshots all <'$payload'"
says "$work/err" "need --screenshot-dir" "says so"
expect 7 "full disk" sh -c "'$gpuvm' run '$payload' --hash md5-rgb >/dev/full"

expect 0 "expect" "$gpuvm" run "$payload" --expect "$work/golden"
sed '1s/.$/x/' "$work/golden" >"$work/other"
expect 2 "expect of no hexadecimal digits" "$gpuvm" run "$payload" --expect "$work/other"
says "$work/err" "$work/other: line 1: .*hexadecimal" "names the line"
{ printf '# kept\r\n\r\n'; sed 's/:.*/\U&/; s/$/\r/; s/\t/ /g' "$work/golden"; } >"$work/edited"
expect 0 "expect of another system" "$gpuvm" run "$payload" --expect "$work/edited"
sed '1s/0$/X/; 1s/[1-9a-f]$/0/; 1s/X$/1/' "$work/golden" >"$work/other"
expect 1 "expect differs" "$gpuvm" run "$payload" --expect "$work/other" --json
says "$work/out" '"status":"differ"' "differ in JSON"
says "$work/out" '"differences":1' "one difference"
jq -e --arg want "$(sed -n '1s/.*	//p' "$work/other")" --arg got "$(sed -n '1s/.*	//p' "$work/golden")" \
    '.differing == [{ frame: 0, expected: { size: .differing[0].actual.size, hash: $want },
        actual: { size: .differing[0].actual.size, hash: $got } }]' "$work/out" >/dev/null ||
    fail "the frame that differs: $(cat "$work/out")"
# A payload that the compiler leaves in memory counts, one that is mapped from a file not.
"$make" stress-noise "$work/noise.aerogputrace" 48 || fail "no noise"
expect 0 "compile noise" "$gpuvm" compile "$work/noise.aerogputrace" -o "$work/noise.gvp"
expect 0 "mapped payload" "$gpuvm" run "$work/noise.gvp" --mem-mb 64
expect 5 "payload in memory" "$gpuvm" run "$work/noise.aerogputrace" --mem-mb 64
expect 0 "the same from a pipe" sh -c "cat '$work/noise.gvp' | '$gpuvm' run - --mem-mb 64"
expect 5 "the same, all of it first" \
    sh -c "cat '$work/noise.gvp' | '$gpuvm' run - --loop 2 --mem-mb 64"
version=$("$gpuvm" --version)
"$gpuvm" devices --json >"$work/devices"
jq -e --slurpfile d "$work/devices" --arg version "$version" '"\(.program) \(.version)" == $version and
    (.device as $mine | any($d[0].devices[]; del(.index) == $mine))' "$work/out" >/dev/null ||
    fail "program, device and driver: $(cat "$work/out")"
{ cat "$work/golden"; sed -n '1s/	0	/	7777	/p' "$work/golden"; } >"$work/more"
expect 1 "expect is missing a frame" "$gpuvm" run "$payload" --expect "$work/more"
says "$work/out" "^differ	7777	" "names the frame"
expect 1 "the same in JSON" "$gpuvm" run "$payload" --expect "$work/more" --json
jq -e '.differing | length == 1 and .[0].frame == 7777 and .[0].actual == null' "$work/out" >/dev/null ||
    fail "a frame that is missing: $(cat "$work/out")"
# Forms at once; lines that people write; what a frame may be as well; standard input.
expect 0 "two forms" "$gpuvm" run "$payload" -q --hash sha1-rgb --hash md5-rgb --hash sha1-rgb
says "$work/out" "^frame	0	[0-9]+x[0-9]+	sha1-rgb:[0-9a-f]{40}$" "the first form"
[ "$(wc -l <"$work/out")" = $((2 * $(wc -l <"$work/golden"))) ] || fail "a line for each form"
cp "$work/out" "$work/forms"
expect 0 "expect of two forms" "$gpuvm" run "$payload" --expect "$work/forms"
expect 0 "two forms in JSON" "$gpuvm" run "$payload" --hash sha1-rgb --hash md5-rgb --json \
    --expect "$work/golden"
jq -e '.frames[0].hashes | length == 2 and (.[1] | startswith("md5-rgb:"))' "$work/out" >/dev/null ||
    fail "hashes: $(cat "$work/out")"
sed -n 's/	[0-9]*x[0-9]*	md5-rgb:/	-	/p' "$work/forms" >"$work/bare"
expect 0 "bare checksums from a pipe" sh -c "'$gpuvm' run '$payload' --expect - <'$work/bare'"
expect 2 "standard input twice" sh -c "'$gpuvm' run - --expect - <'$payload'"
sed -n '$s/.*	/    checksum: /p' "$work/bare" >"$work/checksum"
expect 0 "a checksum" "$gpuvm" run "$payload" --frames last --expect "$work/checksum"
expect 1 "a checksum of another frame" "$gpuvm" run "$payload" --frames 0 --expect "$work/checksum"
{ sed '1s/0$/X/; 1s/[1-9a-f]$/0/; 1s/X$/1/' "$work/bare"; sed -n 1p "$work/golden"; } >"$work/both"
expect 0 "either line of a frame" "$gpuvm" run "$payload" --expect "$work/both" --json
jq -e 'all(.frames[]; .status == "pass")' "$work/out" >/dev/null || fail "status of frames"
sed '$d' "$work/both" >"$work/one"
expect 1 "one line of it" "$gpuvm" run "$payload" --expect "$work/one" --json
jq -e '[.frames[].status] | .[0] == "fail" and all(.[1:][]; . == "pass")' "$work/out" >/dev/null ||
    fail "status of a frame that differs"

# Pictures of a folder, and how far a frame may be from them.
expect 0 "pictures to be expected" "$gpuvm" run "$payload" --screenshots all --screenshot-dir "$work/seen"
expect 0 "expect of pictures" "$gpuvm" run "$payload" --expect "$work/seen"
expect 0 "the same without a child" "$gpuvm" run "$payload" --expect "$work/seen" --no-child
cp "$work/seen/frame_000001.png" "$work/seen/frame_000000.png"
expect 1 "another picture" "$gpuvm" run "$payload" --expect "$work/seen"
says "$work/out" "^differ	0	-	.*frame_000000.png	.*	[0-9]+ of [0-9]+ pixels are off" "says how far"
expect 0 "a wide tolerance" "$gpuvm" run "$payload" --expect "$work/seen" --tolerance 255
cp "$work/seen/frame_000000.png" "$work/seen/frame_0.png"
expect 2 "two pictures of a frame" "$gpuvm" run "$payload" --expect "$work/seen"
says "$work/err" "are both frame 0" "two pictures of a frame"
rm "$work/seen/frame_0.png"
mv "$work/seen/frame_000000.png" "$work/seen/frame_000099.png"
expect 1 "a picture too few, one too many" "$gpuvm" run "$payload" --expect "$work/seen" --json
jq -e '.differences == 2 and .differing[0].expected == null and .differing[1].actual == null and
    .frames[0].status == "extra"' "$work/out" >/dev/null || fail "pictures: $(cat "$work/out")"
echo text >"$work/seen/frame_000001.png"
expect 3 "no picture" "$gpuvm" run "$payload" --expect "$work/seen"
says "$work/err" "frame_000001.png: no picture" "names the file"
expect 2 "a folder without pictures" "$gpuvm" run "$payload" --expect "$work/a"
expect 2 "a tolerance of hashes" "$gpuvm" run "$payload" --expect "$work/golden" --tolerance gl
expect 2 "no tolerance" "$gpuvm" run "$payload" --expect "$work/seen" --tolerance much
expect 2 "onto what is expected" "$gpuvm" run "$payload" --screenshots 1 --screenshot-dir "$work/seen" \
    --expect "$work/seen"
expect 3 "the player has no pictures" "$player" run "$payload" --expect "$work/seen"
says "$work/err" "unsupported: --expect FOLDER" "by name"

# The picture of one frame, with folders made for it, or on standard output.
expect 0 "the frames as pictures" "$gpuvm" run "$payload" --screenshots 0,last --screenshot-dir "$work/two"
expect 0 "the last frame" "$gpuvm" run "$payload" -o "$work/made/here/one.png"
says "$work/err" "; wrote $work/made/here/one.png\$" "names the file"
expect 0 "one frame of JSON" "$gpuvm" run "$payload" --screenshots 0 -o "$work/one.ppm" --json
jq -e --arg path "$work/one.ppm" '.frames == [{ frame: 0, width: .frames[0].width,
    height: .frames[0].height, path: $path }]' "$work/out" >/dev/null || fail "JSON of -o: $(cat "$work/out")"
expect 0 "on standard output" "$gpuvm" run "$payload" --screenshots 0 -o - -q
same "$work/out" "$work/two/frame_000000.png" "a PNG on standard output"
expect 0 "as PPM" "$gpuvm" run "$payload" --screenshots 0 -o - -q --screenshot-format ppm --no-child
same "$work/out" "$work/one.ppm" "a PPM on standard output"
expect 0 "from a pipe" sh -c "'$gpuvm' run - -o '$work/piped.png' <'$payload'"
for picture in "$work/made/here/one.png" "$work/piped.png"; do
    ls "$work/two"/*.png | tail -n 1 | xargs -I '{}' cmp -s '{}' "$picture" || fail "$picture is not the last frame"
done
expect 0 "with hashes of all" "$gpuvm" run "$payload" -o "$work/hashed.png" --hash sha256-rgba -q
same "$work/out" "$work/golden" "hashes beside -o"
sh -c "'$gpuvm' run '$payload' -o - | head -c 8" >"$work/out" 2>"$work/err"
grep -q "frame" "$work/err" && grep -v "ran" "$work/err" | grep . && fail "a reader that has enough"
expect 2 "more than one frame" "$gpuvm" run "$payload" --screenshots 0,last -o "$work/x.png"
expect 2 "no picture by its name" "$gpuvm" run "$payload" -o "$work/x.jpg"
expect 2 "pictures elsewhere" "$gpuvm" run "$payload" --screenshots 0 --screenshot-dir "$work/x" -o "$work/x.png"
expect 2 "onto the input" "$gpuvm" run "$payload" -o "$payload"
expect 2 "two things on standard output" "$gpuvm" run "$payload" -o - --hash md5-rgb
expect 0 "a folder for an export" "$gpuvm" run "$payload" --export "color0=$work/made/there/color.png"
[ -s "$work/made/there/color.png" ] || fail "no export in its folder"
expect 7 "no folder for an export" "$gpuvm" run "$payload" --export "color0=$payload/x/color.png"

# The last line on standard error tells what was done; -q leaves it out.
expect 0 "a last line" "$gpuvm" run "$payload" --hash md5-rgb --screenshots all \
    --screenshot-dir "$work/told"
[ "$(wc -l <"$work/err")" -eq 1 ] || fail "one line"
says "$work/err" "ran $frames frames? in [0-9.]+ s on .*; hashed $frames frames?; wrote $frames pictures? to $work/told\$" \
    "what was done"
[ "$(wc -l <"$work/out")" -eq "$frames" ] || fail "standard output is for results"
expect 0 "and in JSON" "$gpuvm" run "$payload" --frames 0 --json
says "$work/err" "ran 1 frame in " "a line beside the JSON"
for quiet in -q --quiet; do
    expect 0 "$quiet" "$gpuvm" run "$payload" $quiet
    [ -s "$work/err" ] && fail "$quiet says something"
done
expect 1 "-q and differences" "$gpuvm" run "$payload" -q --expect "$work/more"
says "$work/err" "1 frame differs" "-q keeps errors"
expect 2 "expect is no file" "$gpuvm" run "$payload" --expect "$work/none"
expect 2 "expect is no hashes" "$gpuvm" run "$payload" --expect "$payload"

expect 0 "calls" "$gpuvm" run "$payload" --calls all --screenshot-dir "$work/calls" --json
says "$work/out" '"calls":\[\{"command":[0-9]+,' "some call has a picture"
ls "$work"/calls/call_??????????.png >/dev/null 2>&1 || fail "call_%010u.png"
# Once something is drawn there is a picture after every command, code or no code.
first=$(ls "$work/calls" | sed -n '1s/^call_0*\([0-9]*\).png$/\1/p')
commands=$("$gpuvm" info "$payload" | sed -n 's/^commands  *//p')
[ "$(ls "$work/calls" | wc -l)" = $((commands - first)) ] || fail "commands without picture"
expect 0 "calls of one frame" "$gpuvm" run "$payload" --frames 0 --calls "$first" \
    --screenshot-dir "$work/calls1"
same "$work/calls1/call_$(printf %010u "$first").png" \
    "$work/calls/call_$(printf %010u "$first").png" "picture after a command"
expect 3 "nothing drawn yet" "$gpuvm" run "$payload" --calls 0 --screenshot-dir "$work/calls1"
says "$work/err" "nothing is drawn to after command 0" "says so"
expect 2 "the end is no call" "$gpuvm" run "$payload" --calls end --screenshot-dir "$work/no"
says "$work/err" "'end' is a frame's word" "the end is no call"
expect 2 "one name for two" "$gpuvm" run "$payload" --calls last --screenshots last \
    --screenshot-prefix call_0000 --screenshot-dir "$work/no"
says "$work/err" "makes names of --calls" "one name for two"
expect 2 "one name for two, elsewhere" "$gpuvm" run "$payload" --calls last --screenshots last \
    --screenshot-prefix ./call_0000 --screenshot-dir "$work/no"
# Those that --frames leaves out are, unless they are named.
expect 0 "calls of a kind, some frames" "$gpuvm" run "$payload" --frames 0 --calls "$first-" \
    --screenshot-dir "$work/calls2"
for picture in "$work"/calls2/*; do
    same "$picture" "$work/calls/$(basename "$picture")" "a picture of some frames"
done
[ "$(ls "$work/calls2" | wc -l)" -lt "$(ls "$work/calls" | wc -l)" ] || fail "all frames' calls"
expect 2 "a call left out" "$gpuvm" run "$payload" --frames 0 --calls all,$((commands - 1)) \
    --screenshot-dir "$work/calls2"
says "$work/err" "command $((commands - 1)) is after the last of --frames" "a call left out"
expect 2 "all calls left out" "$gpuvm" run "$payload" --frames 0 --calls $((commands - 1))- \
    --screenshot-dir "$work/calls2"
says "$work/err" "all of them are after the last of --frames" "all calls left out"
# What is wrong behind a frame's last command is wrong in that frame.
printf 'command 0\nframe_end()\ncommand 1\nframe_end()\n' | "$gpuvm" asm - -o "$work/empty.gvp" ||
    fail "a payload of nothing"
for call in 0 1; do
    expect 3 "nothing drawn in frame $call" "$gpuvm" run "$work/empty.gvp" --calls $call \
        --screenshot-dir "$work/no"
    says "$work/err" "frame $call: nothing is drawn to after command $call" "where that was"
done
# Commands with numbers of their own: what has none below the highest has no picture.
printf '.source 0 0 "swap" number=90 frame\ncommand 0\nframe_end()\n' >"$work/own.gvt"
expect 0 "own numbers" "$gpuvm" asm "$work/own.gvt" -o "$work/own.gvp"
expect 2 "a number that nobody has" "$gpuvm" run "$work/own.gvp" --calls 70 --screenshot-dir "$work/no"
says "$work/err" "there is no command 70" "a number that nobody has"
expect 3 "an own number" "$gpuvm" run "$work/own.gvp" --calls 90 --screenshot-dir "$work/no"
says "$work/err" "nothing is drawn to after command 90" "an own number"
expect 0 "all numbers" "$gpuvm" run "$work/own.gvp" --calls all --screenshot-dir "$work/no"
sed 's/90/281474976710656/' "$work/own.gvt" >"$work/far.gvt"
expect 3 "a number too far" "$gpuvm" asm "$work/far.gvt" -o "$work/far.gvp"
says "$work/err" "below 2\^48" "a number too far"
expect 2 "a SET without end" "$gpuvm" run "$payload" --calls @/dev/zero --screenshot-dir "$work/no"
says "$work/err" "@/dev/zero: input is over" "a SET without end"
expect 2 "calls out of range" "$gpuvm" run "$payload" --calls 99999999 \
    --screenshot-dir "$work/calls"
expect 2 "unknown export" "$gpuvm" run "$payload" --export nothing="$work/x"

expect 2 "an option that nobody knows" "$gpuvm" run "$payload" --option nonsense=1
says "$work/err" "option 'nonsense=1' is not KEY=VALUE with a key of: aerogpu" "names both"
expect 0 "an option of another kind" "$gpuvm" run "$payload" --option psx.batch=7
expect 2 "an option of the player" "$player" run "$payload" --option psx.batch=7
expect 0 "loop and stats" "$gpuvm" run "$payload" --loop 3 --stats --hash sha256-rgba
says "$work/out" "^stat	passes	3$" "three passes"
grep '^frame' "$work/out" | cmp -s - "$work/golden" || fail "hashes once under --loop"

# Frames are timed: warm-up apart, all of them in the table.
expect 0 "--benchmark" "$gpuvm" run "$payload" -q --benchmark --loop 3 --frame-times "$work/made/t/times.csv"
frames=$(wc -l <"$work/golden")
[ "$(awk '{ print $2 }' "$work/out" | tr '\n' ' ')" = \
    "warm_up_frames warm_up_seconds frames seconds fps median_ms p99_ms " ] || fail "figures: $(cat "$work/out")"
awk -v n="$frames" '{ v[$2] = $3 } END { r = v["fps"] * v["seconds"] / v["frames"]
    exit !(v["warm_up_frames"] == n && v["frames"] == 2 * n && r > 0.999 && r < 1.001 &&
        v["median_ms"] > 0 && v["p99_ms"] >= v["median_ms"]) }' "$work/out" || fail "sums: $(cat "$work/out")"
[ "$(head -n 1 "$work/made/t/times.csv")" = pass,frame,ns,recording_ns,waiting_ns ] || fail "names of columns"
awk -F , -v n="$frames" 'NR > 1 { if ($1 != int((NR - 2) / n) || $2 != (NR - 2) % n || $3 < 1) exit 1 }
    END { exit NR != 3 * n + 1 }' "$work/made/t/times.csv" || fail "rows of times"
# No more than the passes took, by a clock outside.
start=$(date +%s%N)
expect 0 "by another clock" "$gpuvm" run "$payload" -q --benchmark --loop 40 --json
wall=$(($(date +%s%N) - start))
jq -e --argjson wall "$wall" '.benchmark | (.seconds + .warm_up_seconds) * 1e9 <= $wall' "$work/out" >/dev/null ||
    fail "more than $wall ns: $(cat "$work/out")"
expect 0 "times on standard output" "$gpuvm" run "$payload" -q --frames 0 --frame-times -
[ "$(wc -l <"$work/out")" = 2 ] || fail "a row for a frame"
# Pictures of frames that differ alone, and hashes of exports.
"$gpuvm" run "$payload" --hash md5-rgb -q | sed '3s/:.../:000/;7d' >"$work/two.tsv"
expect 1 "pictures of what differs" \
    "$gpuvm" run "$payload" -q --expect "$work/two.tsv" --screenshots differing --screenshot-dir "$work/differing"
[ "$(ls "$work/differing" | tr '\n' ' ')" = "frame_000002.png frame_000006.png " ] ||
    fail "which differ: $(ls "$work/differing")"
expect 1 "the same while it comes" sh -c "'$gpuvm' run - -q --expect '$work/two.tsv' \
    --screenshots differing --screenshot-dir '$work/coming' <'$payload'"
diff -r "$work/differing" "$work/coming" || fail "what differs of a stream"
"$gpuvm" run "$payload" --hash md5-rgb -q >"$work/all.tsv"
expect 0 "nothing differs" \
    "$gpuvm" run "$payload" -q --expect "$work/all.tsv" --screenshots differing --screenshot-dir "$work/nobody"
[ -z "$(ls "$work/nobody")" ] || fail "pictures of nothing"
expect 2 "differing from nothing" "$gpuvm" run "$payload" --screenshots differing
expect 2 "one of those that differ" "$gpuvm" run "$payload" --expect "$work/all.tsv" --screenshots differing -o x.png
expect 0 "a hash of an export" "$gpuvm" run "$payload" -q --hash-export color0:md5-rgb --hash-export depth:xxh3-rgba
says "$work/out" "^export	color0	256x256	$(tail -n 1 "$work/all.tsv" | cut -f 4)\$" "that of the last frame"
says "$work/out" "^export	depth	256x256	xxh3-rgba:" "of depth"
expect 2 "no form" "$gpuvm" run "$payload" --hash-export color0:crc
says "$work/err" "'color0:crc' is not NAME:FORM" "how"
expect 2 "no export" "$gpuvm" run "$payload" --hash-export colour:md5-rgb
says "$work/err" "no 'colour' among the exports: color0, depth" "which there are"
expect 2 "a hash and bytes there" "$gpuvm" run "$payload" --hash-export color0:md5-rgb --export color0=-
expect 2 "an export to a folder" "$gpuvm" run "$payload" -q --export color0=od/
says "$work/err" "od/ is a folder; a file, as color0=od/color0.png" "a name to use"
mkdir "$work/od"
expect 2 "an export to a folder that is there" "$gpuvm" run "$payload" -q --export "color0=$work/od"
expect 0 "one frame, which warms up" "$gpuvm" run "$payload" -q --frames 0 --benchmark
says "$work/out" "^benchmark	fps	-\$" "no rate"
expect 2 "two things there" "$gpuvm" run "$payload" -q --frame-times - --benchmark
expect 2 "times of a talk" "$gpuvm" run "$payload" --benchmark --interactive
expect 2 "times by the player" "$player" run "$payload" --benchmark
says "$work/err" "frames are timed by gpuvm" "by name"

expect 0 "thin" "$gpuvm" compile "$capture" --thin --store "$work/store" -o "$work/thin.gvp"
expect 0 "run thin" "$gpuvm" run "$work/thin.gvp" --store "$work/store" --hash sha256-rgba
same "$work/out" "$work/golden" "thin"
# asks_store NAME COMMAND...: a thin payload without a store.
asks_store() {
    name=$1
    shift
    expect 4 "$name" "$@"
    says "$work/err" "no source has the object [0-9a-f]{32}: the payload is thin, name its store \(--store\)" "$name"
}
asks_store "thin without its store" "$gpuvm" run "$work/thin.gvp"
asks_store "from a pipe without its store" sh -c 'cat "$1" | "$0" run -' "$gpuvm" "$work/thin.gvp"
asks_store "in the player" "$player" run "$work/thin.gvp"
asks_store "fat without a store" "$gpuvm" fat "$work/thin.gvp" -o "$work/nothing.gvp"
expect 4 "deep without its store" "$gpuvm" verify "$work/thin.gvp" --deep
says "$work/err" "thin.gvp: no source has the object [0-9a-f]{32}: the payload is thin" "the object"
[ ! -s "$work/out" ] || fail "deep without its store: says $(cat "$work/out")"
expect 4 "the same in JSON" "$gpuvm" verify "$work/thin.gvp" --deep --json
says "$work/out" '"status":"fetch"' "deep without its store in JSON"
expect 0 "deep with its store" "$gpuvm" verify "$work/thin.gvp" --deep --store "$work/store"
says "$work/out" "resources read and hashed" "deep with its store"
expect 0 "thin, not deep" "$gpuvm" verify "$work/thin.gvp"
expect 2 "deep, no such store" "$gpuvm" verify "$work/thin.gvp" --deep --store "$work/none"
mkdir "$work/empty"
expect 4 "thin with an empty store" "$gpuvm" run "$work/thin.gvp" --store "$work/empty"
blob=$(find "$work/store" -name '*.zst' | head -n 1)
[ -n "$blob" ] || fail "the store is empty"
[ -z "$blob" ] || printf 'damage' >"$blob"
expect 4 "damaged blob, deep" "$gpuvm" verify "$work/thin.gvp" --deep --store "$work/store"
expect 4 "damaged blob" "$gpuvm" run "$work/thin.gvp" --store "$work/store" --json
says "$work/out" '"status":"fetch"' "fetch in JSON"
# A group that the payload has itself is a part of it: corrupt, in all commands alike.
at=$(($(wc -c <"$payload") / 3))
{
    head -c $at "$payload"
    tail -c +$((at + 1)) "$payload" | head -c 1 | tr '\000-\377' '\001-\377\000'
    tail -c +$((at + 2)) "$payload"
} >"$work/bad.gvp"
expect 0 "damaged group, not deep" "$gpuvm" verify "$work/bad.gvp"
expect 3 "damaged group, deep" "$gpuvm" verify "$work/bad.gvp" --deep
says "$work/err" 'resource group [0-9a-f]{32} is damaged: .* \(byte [0-9]+\)$' "damaged group, deep"
byte=$(sed -n 's/.*(byte \([0-9]*\))$/\1/p' "$work/err")
for way in --loop=1 --no-prefetch --no-child; do
    expect 3 "damaged group, $way" "$gpuvm" run "$work/bad.gvp" "$way"
    says "$work/err" "frame [0-9]*: resource group [0-9a-f]{32} at byte $byte is damaged: .*\(code byte" \
        "damaged group, $way"
done
expect 3 "damaged group, keyframe" "$gpuvm" keyframe "$work/bad.gvp" --every 5 -o "$work/x"
expect 3 "damaged group, piped" sh -c "cat '$work/bad.gvp' | '$gpuvm' run - --json"
says "$work/out" '"status":"rejected"' "damaged group, piped"
expect 2 "no such store" "$gpuvm" run "$payload" --store "$work/none"
expect 0 "a store on the web that nothing is wanted of" "$gpuvm" run "$payload" --store http://x.invalid/

mkdir "$work/elsewhere"
mv "$payload" "$work/elsewhere/moved"
expect 0 "moved alone" "$gpuvm" run "$work/elsewhere/moved" --hash sha256-rgba
same "$work/out" "$work/golden" "moved"
payload=$work/elsewhere/moved

expect 2 "device out of range" "$gpuvm" run "$payload" --device 77
VK_ICD_FILENAMES=/nonexistent VK_DRIVER_FILES=/nonexistent \
    expect 5 "no device" "$gpuvm" run "$payload" --json
says "$work/out" '"status":"device"' "device in JSON"
says "$work/err" "VK_DRIVER_FILES is /nonexistent" "names the variable"
expect 0 "devices" "$gpuvm" devices "$payload"
says "$work/out" "Vulkan 1" "a device"
printf '%s\n' '.require alternative feature "no" fallback "other way"' \
    '.require preferred feature "nor" fallback "less"' 'frame_end()' >"$work/fallbacks"
expect 0 "a payload with fallbacks" "$gpuvm" asm "$work/fallbacks" -o "$work/fallbacks.gvp"
expect 0 "fallbacks" "$gpuvm" devices "$work/fallbacks.gvp"
says "$work/out" "	alternative feature no, else other way" "another way"
says "$work/out" "	preferred feature nor, else less" "a loss"
expect 0 "fallbacks in JSON" "$gpuvm" devices "$work/fallbacks.gvp" --json
says "$work/out" '{"strength":"alternative","missing":"feature no","fallback":"other way"}' \
    "another way in JSON"
printf '%s\n' '.require feature "no"' '.require limit "nor" 7' 'frame_end()' \
    >"$work/needs"
expect 0 "a payload with needs" "$gpuvm" asm "$work/needs" -o "$work/needs.gvp"
expect 0 "needs in JSON" "$gpuvm" devices "$work/needs.gvp" --json
jq -e '.devices[0].missing | length == 2 and (.[0] | contains("no"))' "$work/out" >/dev/null ||
    fail "a list of what is missed: $(cat "$work/out")"
expect 0 "a run with fallbacks" "$gpuvm" run "$work/fallbacks.gvp" -v
says "$work/err" "feature no; instead: other way" "a run tells"
expect 2 "no file" "$gpuvm" run "$work/none"
expect 3 "not a payload" "$gpuvm" run tests/cli/run.sh
finish

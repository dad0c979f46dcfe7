#!/bin/sh
# Runs that wait for lines: --interactive, --prewarm.
# Usage: interactive.sh GPUVM MAKE_AEROGPU MAKE_PSX
gpuvm=$1 make_aerogpu=$2 make_psx=$3
. "$(dirname "$0")/lib.sh"

"$make_aerogpu" demo "$work/demo" >"$work/out" || fail "make_aerogpu"
expect 0 "compile" "$gpuvm" compile "$work/demo" -o "$work/demo.gvp"

# ---- what does not go along ----
expect 2 "lines and the payload on one input" "$gpuvm" run --interactive - <"$work/demo.gvp"
expect 2 "the same, --prewarm" "$gpuvm" run --prewarm - <"$work/demo.gvp"
for other in "--frames 3" "--screenshots 3" "--calls 1" "--loop 2" "--json" "--export a=b" \
    "--expect $work/demo"; do
    expect 2 "$other" "$gpuvm" run --interactive $other "$work/demo.gvp" </dev/null
done

has_device "$gpuvm" || finish
expect 0 "hashes" "$gpuvm" run -q --hash sha256-rgba "$work/demo.gvp"
cp "$work/out" "$work/hashes"
line() { sed -n "$(($1 + 1))p" "$work/hashes"; }

# talk NAME OPTIONS...: the lines of $work/lines to a run; its answers in $work/out.
talk() {
    what=$1
    shift
    expect 0 "$what" "$gpuvm" run -q --interactive "$@" <"$work/lines"
}

# ---- any order, any number of times, and what cannot be answered ----
printf '%s\n' 5 3 3 23 22 0 7 7 23 >"$work/lines"
talk "frames" "$work/demo.gvp"
for n in $(cat "$work/lines"); do line "$n"; done >"$work/want"
same "$work/out" "$work/want" "frames in any order"
talk "frames of a capture" "$work/demo"
same "$work/out" "$work/want" "frames of a capture"
talk "without a child" --no-child "$work/demo.gvp"
same "$work/out" "$work/want" "without a child"
"$make_psx" tour "$work/tour" >"$work/out" || fail "make_psx"
expect 0 "hashes" "$gpuvm" run -q --hash md5-rgb "$work/tour"
{ sed -n 2p "$work/out" && sed -n 1p "$work/out"; } >"$work/want"
printf '1\r\n0' >"$work/lines"
talk "another form" --hash md5-rgb "$work/tour"
same "$work/out" "$work/want" "ends of lines of another system, and none"

# ---- no more work than a frame needs, in whichever order ----
draws() { awk '$2 == "draws" { print $3 }' "$work/out"; }
expect 0 "all" "$gpuvm" run -q --hash sha256-rgba --stats "$work/demo.gvp"
all=$(draws)
seq 0 23 >"$work/lines"
talk "one behind the other" --stats "$work/demo.gvp"
[ "$(draws)" -eq "$all" ] || fail "one behind the other: $(draws) draws, not $all"
echo 23 >"$work/lines"
talk "far ahead" --stats "$work/demo.gvp"
[ "$(draws)" -le $((all / 12)) ] || fail "far ahead: $(draws) draws of $all"
printf '%s\n' 23 2 22 1 21 0 >"$work/lines"
talk "to and fro" --stats "$work/demo.gvp"
[ "$(draws)" -le $((all / 2)) ] || fail "to and fro: $(draws) draws of $all"
for n in $(cat "$work/lines"); do line "$n"; done >"$work/want"
grep '^frame' "$work/out" | cmp -s - "$work/want" || fail "to and fro"
{ echo 20 && seq 12 23; } >"$work/lines"
talk "from the middle on" --stats "$work/demo.gvp"
[ "$(draws)" -le $((3 * all)) ] || fail "from the middle on: $(draws) draws of $all"
for n in $(cat "$work/lines"); do line "$n"; done >"$work/want"
grep '^frame' "$work/out" | cmp -s - "$work/want" || fail "from the middle on"

{
    printf '%s\n' 24 18446744073709551616 -1 x '5x' '' '1 2' '2 ../a.png' '2 .png' '2 b/a.png' '2 a.gif'
    head -c 5000 /dev/zero | tr '\0' 4
    printf '\n4\0\n2\nquit\n3\n'
} >"$work/lines"
talk "errors are lines" --screenshot-dir "$work/shots" "$work/demo.gvp"
[ "$(grep -c '^error	' "$work/out")" -eq 13 ] || fail "errors: $(cat "$work/out")"
[ "$(tail -1 "$work/out")" = "$(line 2)" ] || fail "the frame after the errors"
says "$work/out" '^error	frame 24 is out of range: there are 24$' "out of range"
says "$work/out" '^error	a line of over 1023 bytes$' "too long"
[ -z "$(ls "$work/shots")" ] || fail "a refused name was written"

# ---- files ----
expect 0 "the picture" "$gpuvm" run -q --screenshots 9 --screenshot-dir "$work/right" "$work/demo.gvp"
printf '9 nine.png\n9 nine.PPM\n' >"$work/lines"
talk "files" --screenshot-dir "$work/shots" "$work/demo.gvp"
same "$work/shots/nine.png" "$work/right/frame_000009.png" "a picture"
printf 'frame\t9\t256x256\t%s\n' "$work/shots/nine.png" "$work/shots/nine.PPM" | cmp -s - "$work/out" ||
    fail "answers of files: $(cat "$work/out")"
cp "$work/demo.gvp" "$work/shots/in.png"
printf '9 in.png\n9\n' >"$work/lines"
talk "an input" --screenshot-dir "$work/shots" "$work/shots/in.png"
same "$work/shots/in.png" "$work/demo.gvp" "the input"
says "$work/out" '^error	not written' "the input is not replaced"
talk "no folder" "$work/demo.gvp"
says "$work/out" '^error	pictures need --screenshot-dir DIR$' "no folder"

# ---- one device, for all of them; who is waited for is no hung device ----
mkfifo "$work/to"
"$gpuvm" run -q --interactive --timeout 1 "$work/demo.gvp" <"$work/to" >"$work/answers" &
run=$!
exec 8>"$work/to"
echo 4 >&8
for _ in $(seq 100); do
    [ -s "$work/answers" ] && break
    sleep 0.1
done
[ "$(cat "$work/answers")" = "$(line 4)" ] || fail "no answer before the next question"
# Meanwhile: one that answers without a pause, each from the frame at hand, and one whose
# answers nobody reads for as long.
{ timeout 7 yes 4 && :; echo quit; } | "$gpuvm" run -q --interactive --timeout 1 "$work/demo.gvp" \
    >"$work/busy" 2>"$work/busy-err" 8>&- &
busy=$!
{ yes 4 | head -n 5000 | "$gpuvm" run -q --interactive --timeout 1 "$work/demo.gvp"; echo $?; } \
    2>"$work/unread-err" 8>&- | { sleep 7; uniq >"$work/unread"; } &
unread=$!
sleep 7
echo 5 >&8
exec 8>&-
wait "$run" || fail "a run that waited: $?"
wait "$busy" || fail "answers without a pause: $?: $(cat "$work/busy-err")"
[ "$(uniq "$work/busy")" = "$(line 4)" ] || fail "answers without a pause"
wait "$unread"
[ "$(cat "$work/unread")" = "$(line 4 && echo 0)" ] ||
    fail "answers that nobody reads yet: $(cat "$work/unread" "$work/unread-err")"
[ "$(tail -1 "$work/answers")" = "$(line 5)" ] || fail "the answer after a wait"

# ---- --prewarm: ready before anything runs, and what was made is what is used ----
"$gpuvm" run -q --prewarm --hash sha256-rgba --stats "$work/demo.gvp" <"$work/to" >"$work/answers" &
run=$!
exec 8>"$work/to"
for _ in $(seq 100); do
    [ -s "$work/answers" ] && break
    sleep 0.1
done
[ "$(cat "$work/answers")" = "ready	2" ] || fail "ready: $(cat "$work/answers")"
echo >&8
exec 8>&-
wait "$run" || fail "a run that was prewarmed: $?"
grep '^frame' "$work/answers" | cmp -s - "$work/hashes" || fail "frames after --prewarm"
says "$work/answers" '^stat	pipelines	2$' "pipelines are made once"
expect 0 "nobody asks" "$gpuvm" run -q --prewarm --hash sha256-rgba "$work/demo.gvp" </dev/null
[ "$(cat "$work/out")" = "ready	2" ] || fail "nobody asked, and frames ran"
echo 3 >"$work/lines"
talk "both" --prewarm "$work/demo.gvp"
[ "$(tail -1 "$work/out")" = "$(line 3)" ] || fail "both"

finish

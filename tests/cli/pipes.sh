#!/bin/sh
# Payloads through pipes. Usage: pipes.sh GPUVM MAKE_AEROGPU MAKE_PSX quick|full
# `full`: a stream of 1 GB, and every capture of a corpus that is there.
gpuvm=$1 make_aerogpu=$2 make_psx=$3 how=$4
here=$(dirname "$0")
. "$here/lib.sh"
slow_pipe=$here/slow_pipe.py

"$make_aerogpu" demo "$work/demo" >"$work/out" || fail "make_aerogpu"

# ---- compile --live: a batch per frame, the same bytes with any -j and in any place ----
expect 0 "compile" "$gpuvm" compile "$work/demo" -o "$work/plain.gvp"
expect 0 "compile --live" "$gpuvm" compile --live -j 3 "$work/demo" -o "$work/live.gvp"
expect 0 "compile --live to a pipe" \
    sh -c "'$gpuvm' compile --live -j 1 '$work/demo' -o - | cat >'$work/piped.gvp'"
same "$work/live.gvp" "$work/piped.gvp" "compile --live"
expect 0 "verify" "$gpuvm" verify --deep "$work/live.gvp"
expect 0 "explain" "$gpuvm" explain "$work/live.gvp"
grep -A20 '^segments' "$work/out" | grep -qE '^  code +24 ' || fail "not a CODE segment a frame"
expect 0 "info" "$gpuvm" info "$work/live.gvp" --json
says "$work/out" '"live":true' "provenance"

has_device "$gpuvm" || finish

# A pipe that commands read in this shell, so that failures count: `feed COMMAND...`, then
# `expect ... <"$pipe"`.
pipe=$work/pipe
mkfifo "$pipe"
feed() {
    "$@" >"$pipe" 2>"$work/fed" &
}

# stream NAME FILE OPTIONS...: run FILE through a pipe; like expect 0.
stream() {
    what=$1 file=$2
    shift 2
    feed cat "$file"
    expect 0 "$what" "$gpuvm" run -q "$@" - <"$pipe"
    wait
}

# same_through_pipe NAME CAPTURE: the same lines from a file and from both kinds of stream.
same_through_pipe() {
    expect 0 "$1: compile" "$gpuvm" compile "$2" -o "$work/whole.gvp" || return
    expect 0 "$1: compile --live" "$gpuvm" compile --live "$2" -o "$work/batches.gvp"
    expect 0 "$1: run" "$gpuvm" run -q --hash sha256-rgba "$work/whole.gvp"
    cp "$work/out" "$work/lines"
    for payload in whole batches; do
        stream "$1: $payload" "$work/$payload.gvp" --hash sha256-rgba
        same "$work/out" "$work/lines" "$1: $payload through a pipe"
    done
}

# ---- what a file does, a stream does ----
same_through_pipe "demo" "$work/demo"
cp "$work/lines" "$work/hashes"
"$make_psx" tour "$work/tour" >"$work/out" || fail "make_psx"
same_through_pipe "PlayStation" "$work/tour"
"$make_aerogpu" stress-uploads "$work/uploads" 40 >"$work/out" || fail "make_aerogpu"
same_through_pipe "several batches" "$work/uploads"

# ---- SETs, when nobody knows how many frames there will be ----
for set in 5 2,7-11/2 20- "all/5,end"; do
    expect 0 "file: $set" "$gpuvm" run -q --hash md5-rgb --screenshots "$set" "$work/live.gvp"
    cp "$work/out" "$work/lines"
    stream "stream: $set" "$work/live.gvp" --hash md5-rgb --screenshots "$set"
    same "$work/out" "$work/lines" "--screenshots $set"
done
for set in 0-3 all; do
    expect 0 "file: $set" "$gpuvm" run -q --hash md5-rgb --frames "$set" "$work/live.gvp"
    cp "$work/out" "$work/lines"
    stream "stream: $set" "$work/live.gvp" --hash md5-rgb --frames "$set"
    same "$work/out" "$work/lines" "--frames $set"
done
feed cat "$work/live.gvp"
expect 2 "unseen numbers" "$gpuvm" run --hash md5-rgb --frames 3,30 - <"$pipe"
says "$work/err" 'frame 30 is out of range: there are 24' "unseen numbers"
[ "$(wc -l <"$work/out")" -eq 1 ] || fail "frames before the unseen number"
stream "expect" "$work/live.gvp" --expect "$work/hashes"
stream "last, for which all is read first" "$work/live.gvp" --hash md5-rgb --frames last
# A SET in a pipe is read once.
mkfifo "$work/set"
(echo 1-2 >"$work/set") &
expect 0 "a SET in a pipe" timeout 60 "$gpuvm" run "$work/live.gvp" --hash md5-rgb --frames "@$work/set"
[ "$(wc -l <"$work/out")" = 2 ] || fail "a SET in a pipe names two frames"
stream "exports likewise" "$work/live.gvp" --export "color0=$work/color.png"
stream "loops likewise" "$work/live.gvp" --loop 2
stream "pictures" "$work/live.gvp" --screenshots 3,21 --screenshot-dir "$work/shots"
[ "$(echo "$work"/shots/*)" = "$work/shots/frame_000003.png $work/shots/frame_000021.png" ] ||
    fail "pictures of a stream"
mkdir "$work/cp" && cp "$work/hashes" "$work/cp/frame_000004.png"
feed cat "$work/live.gvp"
expect 2 "an input in a picture's place" "$gpuvm" run --screenshots 4 \
    --screenshot-dir "$work/cp" --expect "$work/cp/frame_000004.png" - <"$pipe"
same "$work/cp/frame_000004.png" "$work/hashes" "an input"
"$gpuvm" compile --thin --store "$work/store" --live "$work/demo" -o "$work/thin.gvp" >"$work/out"
feed cat "$work/live.gvp"
expect 0 "a pipe with a name" "$gpuvm" run -q --hash sha256-rgba "$pipe"
same "$work/out" "$work/hashes" "a pipe with a name"
python3 "$slow_pipe" cut "$work/live.gvp" 7 >"$work/seven"
feed cat "$work/seven"
expect 3 "the same, cut" "$gpuvm" run --hash sha256-rgba "$pipe"
[ "$(wc -l <"$work/out")" -eq 7 ] || fail "a pipe with a name is read whole first"
stream "thin" "$work/thin.gvp" --store "$work/store" --hash sha256-rgba
same "$work/out" "$work/hashes" "a thin stream"
feed "$gpuvm" compile --live "$work/demo" -o -
expect 0 "from the compiler" "$gpuvm" run -q --no-child --hash sha256-rgba - <"$pipe"
same "$work/out" "$work/hashes" "from the compiler"

# ---- cut: whole frames, then exit 3 ----
feed cat "$work/seven"
expect 3 "cut" "$gpuvm" run --hash sha256-rgba - <"$pipe"
head -7 "$work/hashes" | cmp -s - "$work/out" || fail "a cut stream does not show its frames"
says "$work/err" 'frame 7: the payload is cut off \(byte [0-9]+\)' "cut"
feed printf 'GPUVM\r\n\0'
expect 3 "cut in the header" "$gpuvm" run - <"$pipe"
echo >"$work/more"
feed cat "$work/live.gvp" "$work/more"
expect 3 "more behind the end" "$gpuvm" run -q --hash sha256-rgba - <"$pipe"
same "$work/out" "$work/hashes" "frames before what is wrong at the end"

# ---- a slow pipe: frame 0 shows before much more than its bytes have come ----
: >"$work/out"
feed python3 "$slow_pipe" early "$work/live.gvp" "$work/out"
expect 0 "slow pipe" "$gpuvm" run --hash sha256-rgba - <"$pipe"
wait
[ -s "$work/fed" ] && fail "slow pipe: $(cat "$work/fed")"
same "$work/out" "$work/hashes" "slow pipe"

# ---- memory: flat, however much comes ----
# flat MB MB: what two streams take, of which the second is so much longer.
flat() {
    case $gpuvm in */asan/*) return ;; esac # which keeps what was freed
    for mb in "$1" "$2"; do
        "$make_aerogpu" stress-noise "$work/noise" "$mb" >"$work/out" || fail "make_aerogpu"
        feed "$gpuvm" compile --live --level 1 "$work/noise" -o -
        expect 0 "$mb MB" python3 "$slow_pipe" memory "$gpuvm" run -q --mem-mb 128 - <"$pipe"
        cp "$work/out" "$work/took.$mb"
    done
    [ "$(cat "$work/took.$2")" -le $(($(cat "$work/took.$1") + 24)) ] ||
        fail "a stream of $1 MB takes $(cat "$work/took.$1") MB, of $2 MB $(cat "$work/took.$2")"
    echo "streams of $1 and $2 MB: $(cat "$work/took.$1") and $(cat "$work/took.$2") MB resident"
}
[ "$how" = full ] || flat 16 72
[ "$how" = full ] || finish
flat 64 1024

# Who sends nothing is to blame for no time-out of the device's.
late() {
    cat "$work/seven"
    sleep 8
    tail -c +$(($(wc -c <"$work/seven") + 1)) "$work/live.gvp"
}
feed late
expect 0 "waiting" "$gpuvm" run -q --timeout 1 --hash sha256-rgba - <"$pipe"
same "$work/out" "$work/hashes" "waiting"

# ---- a corpus ----
for capture in ../shared/corpus/psx/*.psxgpu* ../shared/corpus/aerogpu/*.aerogputrace; do
    [ -f "$capture" ] && same_through_pipe "$(basename "$capture")" "$capture"
done

finish

#!/bin/sh
# A fault of each kind: the right word for each, the others unharmed, nothing left running.
#   faults.sh GPUVM MAKE_AEROGPU
. tests/cli/lib.sh
. tests/cli/endless.sh
gpuvm=$(realpath "$1") make=$2
has_device "$gpuvm" || skip "no Vulkan device"
export XDG_CACHE_HOME="$work/cache"
mkdir -p "$work/place/captures" "$work/place/golden"
for name in fine size frames corrupt empty zero; do
    "$make" demo "$work/place/captures/$name.aerogputrace" || fail "no capture"
done
endless_loops >"$work/loops.gvt"
expect 0 "a payload without end" "$gpuvm" asm --unverified "$work/loops.gvt" -o "$work/loops.gvp"
cd "$work/place" || exit 1
expect 0 "bless" "$gpuvm" check captures --golden golden --bless -q
sed -i 's/^frame\t1\t256x256/frame\t1\t256x257/' golden/size.tsv
sed -i '2d; $s/^frame\t[0-9]*/frame\t99/' golden/frames.tsv
"$gpuvm" compile -q captures/corrupt.aerogputrace -o captures/corrupt.gvp && rm captures/corrupt.aerogputrace
printf 'x' | dd of=captures/corrupt.gvp bs=1 seek=400 conv=notrunc 2>/dev/null
: >captures/empty.aerogputrace
printf '\0\0\0\0' | dd of=captures/zero.aerogputrace conv=notrunc 2>/dev/null
cp "$work/loops.gvp" captures/hang.gvp
echo "frame 0 none none" >golden/hang.tsv

# running FOLDER: processes that work there.
running() {
    pgrep -f -- "$work/place|captures/hang.gvp" | while read -r pid; do
        [ "$(readlink "/proc/$pid/cwd" 2>/dev/null)" = "$work/place" ] &&
            [ "$(readlink "/proc/$pid/exe" 2>/dev/null)" = "$gpuvm" ] && echo "$pid"
    done
}

words() {
    cut -d , -f 1,2 "$1/results.csv" | tr '\n' ' '
}
right="corrupt,Fail fine,Pass frames,Fail hang,Timeout size,Fail empty,Missing zero,Missing "
for jobs in 1 2; do
    expect 1 "faults, -j $jobs" "$gpuvm" check captures --golden golden -o "out$jobs" -j $jobs --timeout 3
    [ "$(words "out$jobs")" = "$right" ] || fail "-j $jobs: $(words "out$jobs")"
    says "$work/out" "^Fail	frames	3 frames differ; frame 1: no line expects it" "an extra frame"
    says "$work/out" "^Fail	size	frame 1: the size differs" "a size"
    says "$work/out" "^Timeout	hang	" "a hang"
    [ -z "$(running)" ] || fail "-j $jobs: something still runs"
    [ -e "out$jobs/.scratch" ] && fail "-j $jobs: scratch is left"
done
says "$work/err" "7 checked, 1 Pass, 3 Fail, 1 Timeout, 2 Missing" "the summary"
printf 'size\t9\nfine\t1\n' >golden/times.tsv
expect 1 "--fail-fast" "$gpuvm" check captures/size.aerogputrace captures/fine.aerogputrace \
    --golden golden -j 1 --fail-fast
says "$work/err" "not begun" "what was not begun"
expect 1 "a file that is not there" "$gpuvm" check captures/none.gvp captures/fine.aerogputrace --golden golden
says "$work/out" "^Missing	none" "Missing"

# start OUT: a check of what does not end, behind what does.
start() {
    "$gpuvm" check captures/fine.aerogputrace captures/hang.gvp --golden golden -o "$1" -j 2 \
        --timeout 100 >"$work/out" 2>"$work/err" &
    check=$!
    for _ in $(seq 100); do
        sleep 0.2
        run=$(pgrep -P $check | head -n 1)
        [ -n "$run" ] && child=$(pgrep -P "$run" | head -n 1) && [ -n "$child" ] &&
            grep -q '"name":"fine"' "$1/results.jsonl" 2>/dev/null && return
    done
    fail "the check does not start"
}

# A driver that dies takes its capture along, and no other.
start crash
kill -9 "$child"
wait $check
[ $? = 1 ] || fail "exit code of a crash"
[ "$(words crash)" = "fine,Pass hang,Crash " ] || fail "a crash: $(words crash)"

# So does the process above it.
start killed
kill -9 "$run"
wait $check
[ "$(words killed)" = "fine,Pass hang,Crash " ] || fail "a killed run: $(words killed)"

# The check itself dies: nothing runs on, and another one goes on where it was.
for signal in TERM KILL; do
    start "out$signal"
    kill -$signal $check
    wait $check 2>/dev/null
    for _ in $(seq 50); do
        [ -z "$(running)" ] && break
        sleep 0.1
    done
    [ -z "$(running)" ] || fail "$signal: something still runs"
    [ -e "out$signal/index.html" ] && fail "$signal: a page of half a check"
    printf '{"name":"half' >>"out$signal/results.jsonl"
    before=$(grep '"name":"fine"' "out$signal/results.jsonl")
    expect 1 "$signal: --resume" "$gpuvm" check captures/fine.aerogputrace captures/hang.gvp \
        --golden golden -o "out$signal" --resume --timeout 2
    says "$work/err" "; 1 kept of the check before, not run again" "$signal: how many"
    [ "$(words "out$signal")" = "fine,Pass hang,Timeout " ] || fail "$signal: $(words "out$signal")"
    [ "$(grep '"name":"fine"' "out$signal/results.jsonl")" = "$before" ] || fail "$signal: it ran again"
done
expect 2 "--resume of another check" "$gpuvm" check captures --golden golden -o outKILL --resume --strict
says "$work/err" "outKILL/results.jsonl: line 1: --resume" "which line"
sed -i 2s/Pass/Parse/ outKILL/results.jsonl
expect 2 "--resume of no result" "$gpuvm" check captures --golden golden -o outKILL --resume
says "$work/err" "outKILL/results.jsonl: line 2: not a result of check" "which line"

# Time in which the check is stopped is nobody's.
"$gpuvm" check captures/hang.gvp --golden golden --timeout 4 >"$work/out" 2>"$work/err" &
check=$!
sleep 1.5
kill -STOP $check
sleep 4
kill -CONT $check
sleep 0.7
kill -0 $check 2>/dev/null || fail "a check's pause counts"
wait $check
says "$work/out" "^Timeout	hang	" "its time comes all the same"

# Nothing is left in TMPDIR, whatever ends it.
mkdir temporary
for signal in TERM HUP KILL; do
    TMPDIR=$work/place/temporary "$gpuvm" check captures/hang.gvp --golden golden --timeout 100 >/dev/null 2>&1 &
    check=$!
    for _ in $(seq 50); do
        sleep 0.1
        [ -n "$(ls temporary)" ] && break
    done
    [ -n "$(ls temporary)" ] || fail "$signal: no scratch"
    kill -s $signal $check 2>/dev/null
    wait $check 2>/dev/null
    for _ in $(seq 50); do
        [ -z "$(ls temporary)" ] && [ -z "$(running)" ] && break
        sleep 0.1
    done
    [ -z "$(ls temporary)" ] || fail "$signal: left in TMPDIR: $(ls temporary)"
    [ -z "$(running)" ] || fail "$signal: something still runs"
done

# Results that have no place.
expect 7 "a folder that cannot be" "$gpuvm" check captures/fine.aerogputrace --golden golden -o /proc/none
expect 7 "a full disk" sh -c "ulimit -f 1; exec '$gpuvm' check captures/size.aerogputrace --golden golden -o full -q"
[ -e full/index.html ] && fail "a page that is not whole"
find . -name '*.tmp*' | grep . && fail "half a file"

finish

#!/bin/sh
# Signals and limits on files: the program ends as it should and leaves nothing half made.
#   stop.sh GPUVM MAKE_AEROGPU
. tests/cli/lib.sh
gpuvm=$1 make=$2
export XDG_CACHE_HOME="$work/cache"
capture=$work/long.aerogputrace
"$make" stress-uploads "$capture" 400 || fail "no capture"
results=$work/results
mkdir "$results"

# Commands in the background of a script ignore SIGINT and SIGQUIT unless told otherwise.
start() {
    env --default-signal=INT,QUIT "$@" >"$work/text" 2>&1 &
    pid=$!
}

# wait_for COMMAND...: until it succeeds, half a minute at most.
wait_for() {
    for _ in $(seq 300); do
        "$@" && return 0
        sleep 0.1
    done
    fail "waited in vain: $*"
}

has_file() {
    [ -n "$(ls "$1")" ]
}

ended() {
    ! kill -0 "$1" 2>/dev/null || grep -q '^State:[[:space:]]*Z' "/proc/$1/status" 2>/dev/null
}

# stop SIGNAL NUMBER NAME: the program that was started dies of the signal, its child and
# what was half made go along.
stop() {
    kid=$(pgrep -P $pid || true)
    kill -"$1" $pid
    wait $pid
    got=$?
    [ $got -eq $((128 + $2)) ] || fail "$3: exit $got after SIG$1"
    [ -z "$kid" ] || wait_for ended "$kid"
    left=$(find "$results" -name '*.tmp' -o -name "*.$pid-*" -o -name "*.$kid-*")
    [ -z "$left" ] || fail "$3: SIG$1 leaves $left"
    rm -rf "$results"/*
}

for signal in "INT 2" "TERM 15" "HUP 1" "QUIT 3" "XCPU 24" "ALRM 14" "USR2 12"; do
    for child in "" --no-child; do
        start "$gpuvm" compile "$capture" --level 19 -o "$results/x.gvp" $child
        wait_for has_file "$results"
        # shellcheck disable=SC2086 # name and number
        stop $signal "compile $child"
    done
done

# The folder is moved meanwhile, and a link to another is in its place: what is half made goes
# from where it is, the result is exit 7.
mkdir "$work/other"
for how in stop fail; do
    start "$gpuvm" compile "$capture" --level 1 -o "$results/x.gvp"
    wait_for has_file "$results"
    kill -STOP $pid
    mv "$results" "$work/moved"
    ln -s other "$results"
    kill -CONT $pid
    [ $how = fail ] || kill -TERM $pid
    wait $pid
    got=$?
    case $how$got in
    stop143 | fail7) ;;
    *) fail "a folder that becomes a link, $how: exit $got: $(cat "$work/text")" ;;
    esac
    left=$(find "$work/moved" "$work/other" -type f)
    [ -z "$left" ] || fail "a folder that becomes a link, $how: leaves $left"
    rm "$results"
    mv "$work/moved" "$results"
    rm -f "$results"/*
done

# What is to be ignored stays so.
(
    trap '' HUP
    exec "$gpuvm" compile "$capture" -o "$results/x.gvp" >"$work/text" 2>&1
) &
pid=$!
wait_for has_file "$results"
kill -HUP $pid
wait $pid || fail "an ignored signal ends the program"
mv "$results/x.gvp" "$work/long.gvp"

# Paused, the child is too; both go on.
state() {
    sed -n 's/^State:[[:space:]]*\(.\).*/\1/p' "/proc/$1/status"
}
stopped() {
    [ "$(state "$1")" = T ]
}
goes_on() {
    [ "$(state "$1")" != T ]
}
has_child() {
    kid=$(pgrep -P $pid)
}
start "$gpuvm" compile "$capture" --level 19 -o "$results/x.gvp"
wait_for has_file "$results"
wait_for has_child
kill -TSTP $pid
wait_for stopped $pid
wait_for stopped "$kid"
kill -CONT $pid
wait_for goes_on $pid
wait_for goes_on "$kid"
stop TERM 15 "after a pause"

# Files that may not grow: an error of the output, nothing left.
small() {
    (
        ulimit -f 64
        exec "$@"
    )
}
nothing_left() {
    [ -z "$(ls -A "$results")" ] || fail "$1: leaves $(ls -A "$results")"
    rm -rf "$results"/*
}
for child in "" --no-child; do
    expect 7 "compile $child over the limit" small "$gpuvm" compile "$capture" \
        -o "$results/x.gvp" $child
    says "$work/err" "cannot write" "compile over the limit"
    nothing_left "compile $child"
done
"$make" demo "$work/demo.aerogputrace" || fail "no demo"
"$gpuvm" compile "$work/demo.aerogputrace" -o "$work/demo.gvp" >"$work/text" || fail "no payload"
expect 7 "dump over the limit" small "$gpuvm" dump "$work/demo.gvp" -o "$results/x.txt"
nothing_left dump
"$gpuvm" dump "$work/demo.gvp" -o "$work/demo.gvt" || fail "no text"
expect 7 "asm over the limit" small "$gpuvm" asm "$work/demo.gvt" \
    --resources "$work/demo.gvp" -o "$results/x.gvp"
nothing_left asm

has_device "$gpuvm" || {
    echo "the rest needs a Vulkan device"
    finish
}

for child in "" --no-child; do
    expect 7 "pictures $child over the limit" small "$gpuvm" run "$work/demo.gvp" $child \
        --screenshots 0 --screenshot-dir "$results" --screenshot-format raw
    says "$work/err" "cannot write" "pictures over the limit"
    nothing_left "pictures $child"
    for signal in "INT 2" "TERM 15"; do
        start "$gpuvm" run "$work/demo.gvp" $child --loop 1000000 \
            --screenshots all --screenshot-dir "$results"
        wait_for has_file "$results"
        # shellcheck disable=SC2086 # name and number
        stop $signal "run $child"
    done
done

# Paused for longer than the time-out and its grace, a run goes on, too.
completions() {
    "$gpuvm" info "$work/progress" 2>/dev/null | sed -n 's/^completions *//p'
}
more_than() {
    now=$(completions)
    [ "${now:-0}" -gt "$1" ]
}
start "$gpuvm" run "$work/demo.gvp" --loop 1000000000 --timeout 1 \
    --progress-file "$work/progress"
wait_for more_than 0
kill -TSTP $pid
wait_for stopped $pid
sleep 8
before=$(completions)
kill -CONT $pid
wait_for more_than $((before + 10))
stop TERM 15 "a run after a pause"
finish

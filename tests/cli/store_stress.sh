#!/bin/sh
# Eight processes add, read, pack and collect on one folder and one pack, and are killed at
# random; then both are whole.
#   store_stress.sh GPUVM MAKE_AEROGPU SECONDS
. tests/cli/lib.sh
gpuvm=$1 make=$2 seconds=$3
folder=$work/folder pack=$work/pack
"$make" demo "$work/demo" || fail "no demo capture"
expect 0 "a payload" "$gpuvm" compile "$work/demo" -o "$work/kept.gvp"
expect 0 "its resources" "$gpuvm" store add "$folder" "$work/kept.gvp"
expect 0 "its resources" "$gpuvm" store add "pack:$pack" "$work/kept.gvp"
mkdir "$work/files"
awk -v folder="$work/files" 'BEGIN {
    srand(1)
    for (i = 0; i < 40; i++) {
        name = folder "/" i
        for (k = 0; k < 1 + i * i * 8; k++)
            printf "%d %.6f\n", i, rand() >name
        close(name)
    }
}'
end=$(($(date +%s) + seconds))

# some N: a few files, by a number that goes on.
some() {
    echo "$work/files/$(($1 % 40))" "$work/files/$(($1 * 7 % 40))" "$work/files/$(($1 * 13 % 40))"
}

# round WORKER N: what a worker does next. What it exits with when nobody kills it.
round() {
    case $1 in
    add-*) exec "$gpuvm" store add "$folder" $(some "$2") ;;
    append-*) exec "$gpuvm" store add "$pack" $(some "$2") ;;
    read) exec "$gpuvm" store check "$folder" ;;
    look) exec "$gpuvm" store check "$pack" ;;
    gather) exec "$gpuvm" store pack "$folder" "$work/gathered" ;;
    collect)
        [ $(($2 % 3)) -gt 0 ] || exec "$gpuvm" store gc "$pack" "$work/kept.gvp"
        exec "$gpuvm" store gc "$folder" "$work/kept.gvp" --age $(($2 % 2))
        ;;
    esac
}

# after N: how long a round is left alone, in seconds: from none to what outlasts it on a slow
# machine, so that a fast one is killed in the middle too.
after() {
    case $(($1 * 5 % 9)) in
    0) echo 0 ;;
    1) echo 0.001 ;;
    2) echo 0.002 ;;
    3) echo 0.004 ;;
    4) echo 0.008 ;;
    5) echo 0.015 ;;
    6) echo 0.03 ;;
    7) echo 0.06 ;;
    *) echo 0.1 ;;
    esac
}

# Each worker's rounds; most are killed after a time that differs.
work_on() {
    n=$2
    while [ "$(date +%s)" -lt $end ]; do
        n=$((n + 1))
        round "$1" $n >"$work/$1.out" 2>"$work/$1.err" &
        pid=$!
        if [ $((n % 4)) -gt 0 ]; then
            sleep "$(after $n)"
            kill -9 $pid 2>/dev/null && echo killed >>"$work/$1.log"
        fi
        wait $pid 2>/dev/null
        code=$?
        echo round >>"$work/$1.log"
        case $1-$code in
        *-0 | *-137) ;;
        *) sed "s/^/$1 $n, exit $code: /" "$work/$1.err" >>"$work/wrong" ;;
        esac
    done
}
pids=
n=0
for worker in add-1 add-2 append-1 append-2 read look gather collect; do
    n=$((n + 11))
    work_on $worker $n 2>/dev/null &
    pids="$pids $!"
done
wait $pids
[ ! -s "$work/wrong" ] || fail "$(sort "$work/wrong" | uniq -c | head -n 5)"

for worker in add-1 append-1 gather collect; do
    [ -s "$work/$worker.log" ] || fail "$worker did nothing"
done
grep -q killed "$work"/add-*.log "$work"/append-*.log || fail "nobody was killed"
for store in "$folder" "$pack"; do
    expect 0 "check $store" "$gpuvm" store check "$store"
    says "$work/out" "whole, 0 damaged" "check $store"
done
expect 0 "mended" "$gpuvm" store add "$pack" "$work/files/1"
expect 0 "collected" "$gpuvm" store gc "$folder" "$work/kept.gvp" --age 0
expect 0 "check, collected" "$gpuvm" store check "$folder"
says "$work/out" "whole, 0 damaged, 0 left over$" "nothing is left over"
# What a payload needs nobody ever took.
"$gpuvm" compile "$work/demo" --thin --store "$work/again" -o "$work/thin.gvp" || fail "thin"
for store in "$folder" "$pack"; do
    expect 0 "deep, $store" "$gpuvm" verify "$work/thin.gvp" --deep --store "$store"
done
cat "$work"/*.log | sort | uniq -c
finish

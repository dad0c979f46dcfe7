#!/bin/sh
# Compiles against `apitrace dump`, by turns: processor time (user and system) of each, the
# median of so many turns, and theirs divided by ours: above 1 is faster. A table, then
# medians. What is compiled once before has its shaders in a cache of its own.
#   against_dump.sh TURNS "GPUVM..." TRACE...
# Several binaries, old and new, take turns too.
set -eu
turns=$1 binaries=$2
shift 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export XDG_CACHE_HOME="$scratch/cache"

# cpu NAME COMMAND...: adds a row of milliseconds.
cpu() {
    name=$1
    shift
    perf stat -x, -e task-clock -o "$scratch/stat" "$@" >/dev/null 2>"$scratch/log" || true
    awk -F, '/task-clock/ { print $1 }' "$scratch/stat" >>"$scratch/$name"
}
median() {
    sort -n "$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

for trace; do
    rm -f "$scratch"/ours.* "$scratch/dump"
    for turn in $(seq 0 "$turns"); do
        [ "$turn" -eq 1 ] && rm -f "$scratch"/ours.* "$scratch/dump" # shaders are known
        cpu dump apitrace dump --color=never "$trace"
        n=0
        for binary in $binaries; do
            n=$((n + 1))
            cpu ours.$n "$binary" compile --allow-truncated "$trace" -o "$scratch/out.gvp"
        done
    done
    line="$(basename "$trace") $(median "$scratch/dump")"
    for n in $(seq 1 "$n"); do
        ours=$(median "$scratch/ours.$n")
        ratio=$(awk -v a="$(median "$scratch/dump")" -v b="$ours" 'BEGIN { printf "%.3f", a / b }')
        echo "$ratio" >>"$scratch/ratios.$n"
        line="$line $ours $ratio"
    done
    echo "$line"
done
for ratios in "$scratch"/ratios.*; do
    echo "median $(median "$ratios") of $(wc -l <"$ratios"), worst $(sort -n "$ratios" | head -n 1)"
done

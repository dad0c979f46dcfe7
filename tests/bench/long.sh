#!/bin/sh
# Long recordings of programs: compiled beside `apitrace dump`, replayed beside `glretrace`
# on llvmpipe, and compared with its pictures. A table in Markdown, a row per trace:
#   long.sh GPUVM PICTURE_DISTANCE SCRATCH TRACE...
# Costs are processor time (user + system, of all threads and children), by turns, medians
# of GPUVM_BENCH_RUNS (3), driver caches warm; ratios are others' cost divided by ours, above
# 1 gpuvm takes less. Memory is that of the largest process.
#   compile    compile                     apitrace dump
#   verify     verify --deep, its cost
#   run        run PAYLOAD                 glretrace --headless --benchmark
#   pictures   the frames at 10, 30, 50, 70 and 90 percent of the recording against
#              glretrace's snapshots: those that hold (picture_distance.c), and how many of
#              them are equal to the bit
#   seek       run --frames of the middle one alone: its cost, and whether its picture is that
#              of the whole run
# Where a picture does not hold the line of picture_distance follows on standard error, and
# both pictures stay in SCRATCH.
set -eu
gpuvm=$1 distance=$2 scratch=$3
runs=${GPUVM_BENCH_RUNS:-3}
"$gpuvm" devices >/dev/null 2>&1 || exit 0
for tool in apitrace glretrace xvfb-run time; do
    command -v $tool >/dev/null || exit 0
done
# One X server for all.
[ -n "${GPUVM_X-}" ] || GPUVM_X=1 exec xvfb-run -a "$0" "$@"
shift 3
mkdir -p "$scratch"
export XDG_CACHE_HOME="$scratch/cache" LIBGL_ALWAYS_SOFTWARE=1
export XDG_RUNTIME_DIR="${XDG_RUNTIME_DIR:-$scratch}"
. tests/bench/costs.sh

# Calls that end frames, in order. Contexts of EGL and GLX alike.
swaps() {
    apitrace dump --color=never "$trace" 2>/dev/null |
        awk '/^[0-9]+ .*SwapBuffers[A-Za-z]*\(/ { print $1 }'
}
turn() {
    cpu dump apitrace dump --color=never "$trace"
    cpu compile "$gpuvm" compile --allow-truncated "$trace" -o "$payload"
    cpu retrace glretrace --headless --benchmark "$trace"
    cpu run "$gpuvm" run "$payload"
}
# Pictures of both, then of the middle frame alone.
draw() {
    rm -rf "$pictures"
    mkdir -p "$pictures/theirs" "$pictures/seek"
    swaps >"$pictures/swaps"
    frames=$(wc -l <"$pictures/swaps")
    middle=$((frames * 50 / 100))
    for percent in 10 30 50 70 90; do
        frame=$((frames * percent / 100))
        call=$(sed -n "$((frame + 1))p" "$pictures/swaps")
        echo "$frame $call"
    done >"$pictures/places"
    chosen=$(cut -d ' ' -f 1 "$pictures/places" | paste -s -d ,)
    calls=$(cut -d ' ' -f 2 "$pictures/places" | paste -s -d ,)
    glretrace --headless --snapshot-force-backbuffer -S "$calls" -s "$pictures/theirs/" \
        "$trace" >/dev/null 2>"$scratch/log" || echo "$trace: $(tail -n 1 "$scratch/log")" >&2
    "$gpuvm" run "$payload" --screenshots "$chosen" --screenshot-dir "$pictures" \
        >/dev/null 2>"$scratch/log" || echo "$trace: $(tail -n 1 "$scratch/log")" >&2
    cpu seek "$gpuvm" run "$payload" --frames $middle --screenshots $middle \
        --screenshot-dir "$pictures/seek"
}
compare() {
    while read -r frame call; do
        shot=$(printf 'frame_%06d.png' "$frame")
        told=$("$distance" "$pictures/theirs/$(printf '%010d' "$call").png" \
            "$pictures/$shot" "$pictures/beside_$frame.png") ||
            echo "$trace frame $frame: $told" >&2
        echo "$told"
    done <"$pictures/places" >"$pictures/told"
}

cat <<'END'
| trace | frames | compile, ms | dump | MB | payload, KB | / trace | verify, ms | run, ms | glretrace | MB: run | glretrace | pictures | exact | seek, ms | the same |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
END
for trace; do
    title=$(basename "$trace" .trace)
    payload=$scratch/$title.gvp pictures=$scratch/$title.pictures
    turn # warms caches
    rm -f "$scratch"/cost.*
    for run in $(seq "$runs"); do
        turn
    done
    cpu verify "$gpuvm" verify --deep "$payload"
    draw
    compare
    shot=$(printf 'frame_%06d.png' "$middle")
    same=no
    cmp -s "$pictures/$shot" "$pictures/seek/$shot" && same=yes
    echo "$frames $(medians compile dump compile.memory) $(wc -c <"$payload") \
        $(wc -c <"$trace") $(medians verify run retrace run.memory retrace.memory seek) \
        $(grep -c -e 'exact$' -e 'holds$' "$pictures/told") \
        $(grep -c 'exact$' "$pictures/told") $same" | awk -v title="$title" '{
        printf "| %s | %d | %.0f | %.2f | %.0f | %.0f | %.3f | %.0f | %.0f | %.2f | %.0f | %.0f | %d of 5 | %d | %.0f | %s |\n",
            title, $1, $2, $3 / $2, $4 / 1024, $5 / 1024, $5 / $6, $7, $8, $9 / $8,
            $10 / 1024, $11 / 1024, $13, $14, $12, $15 }'
done

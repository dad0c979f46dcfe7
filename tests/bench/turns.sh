#!/bin/bash
# What a replay costs beside its peers, binaries and peers by turns, medians of the runs: a
# table in Markdown, a row per scene; each `ratio` is the peer's cost divided by ours, above
# 1 we take less. Costs are processor time (user + system, of all threads and children).
#   turns.sh SMALL_DRAWS SCRATCH GPUVM...
#   once        run PAYLOAD              glretrace --headless --benchmark
#   further     run --loop, each further frame; glretrace --loop likewise: of a trace of one
#               frame, so that both repeat the same one
#   share       of the samples of a run those in gpuvm itself, in percent, where perf is
#   draw        a draw between which something changes, and the same commands in a bare
#               loop, where GPUVM_BENCH_DRIVER names bench_driver and GPUVM_BENCH_SPIRV the
#               folder of the shaders (draws.sh)
# Scenes are recorded here: SMALL_DRAWS (small_draws.c) in each of its ways, and the traces
# that GPUVM_BENCH_TRACES names. GPUVM_BENCH_RUNS (5), GPUVM_BENCH_LOOP (30) frames,
# GPUVM_BENCH_COUNTS ("500 2000 4000 20000") draws a frame.
set -eu
small=$(realpath "$1") scratch=$2
shift 2
runs=${GPUVM_BENCH_RUNS:-5} loop=${GPUVM_BENCH_LOOP:-30}
for tool in apitrace glretrace xvfb-run; do
    command -v $tool >/dev/null || exit 0
done
"$1" devices >/dev/null 2>&1 || exit 0
# One X server for all.
[ -n "${GPUVM_X-}" ] || GPUVM_X=1 exec xvfb-run -a "$0" "$small" "$scratch" "$@"
mkdir -p "$scratch"
export XDG_CACHE_HOME="$scratch/cache" LIBGL_ALWAYS_SOFTWARE=1

# cpu NAME COMMAND...: adds the milliseconds of a command to what NAME has had.
cpu() {
    local name=$1
    shift
    (
        "$@" >/dev/null 2>"$scratch/log" || echo "$1: $(tail -n 1 "$scratch/log")" >&2
        times
    ) | awk '
        function s(t, p) { split(t, p, /[ms]/); return p[1] * 60 + p[2] }
        NR == 2 { print (s($1) + s($2)) * 1000 }' >>"$scratch/cost.$name"
}
median() {
    sort -n "$scratch/cost.$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}
# row NAME THEIRS OURS...: costs of one scene.
row() {
    local name=$1
    shift
    echo "$@" | awk -v name="$name" '{
        printf "| %s | %.4g |", name, $1
        for (i = 2; i <= NF; i++)
            printf " %.4g | %.2f |", $i, ($i > 0 ? $1 / $i : 0)
        print "" }'
}
# once NAME TRACE GPUVM...
once() {
    local name=$1 trace=$2 payload=$scratch/payload.gvp run gpuvm b
    shift 2
    "$1" compile "$trace" -o "$payload" >/dev/null 2>&1
    for ((run = -1; run < runs; run++)); do # the first warms caches
        [ $run -ne 0 ] || rm -f "$scratch"/cost.*
        cpu theirs glretrace --headless --benchmark "$trace"
        b=0
        for gpuvm; do
            cpu $((b++)) "$gpuvm" run "$payload"
        done
    done
    row "$name, once" "$(median theirs)" $(for ((b = 0; b < $#; b++)); do median $b; done)
}
# further NAME TRACE GPUVM...: of a trace of one frame.
further() {
    local name=$1 trace=$2 payload=$scratch/payload.gvp run gpuvm b
    shift 2
    "$1" compile "$trace" -o "$payload" >/dev/null 2>&1
    for ((run = -1; run < runs; run++)); do
        [ $run -ne 0 ] || rm -f "$scratch"/cost.*
        cpu theirs glretrace --headless --benchmark "$trace"
        cpu theirs.loop glretrace --headless --benchmark --loop=$loop "$trace"
        b=0
        for gpuvm; do
            cpu $b "$gpuvm" run "$payload"
            cpu $((b++)).loop "$gpuvm" run "$payload" --loop $((loop + 1))
        done
    done
    row "$name, further" $(for b in theirs $(seq 0 $(($# - 1))); do
        echo "$(median "$b.loop") $(median "$b")" |
            awk -v n="$loop" '{ print ($1 - $2) / n }'
    done)
}
share() {
    local name=$1 gpuvm
    shift
    printf '| %s, share | |' "$name"
    for gpuvm; do
        perf record -q -e cpu-clock -F 2000 -o "$scratch/perf" \
            "$gpuvm" run "$scratch/payload.gvp" >/dev/null 2>&1
        perf report -i "$scratch/perf" --sort dso --stdio 2>/dev/null |
            awk -v name="$(basename "$gpuvm")" '
                $2 == name { part = $1 } END { printf " %.1f | |", part }'
    done
    echo
}
record() {
    apitrace trace -o "$scratch/$1.trace" "$small" "${@:2}" >/dev/null 2>&1
}

printf '| scene | theirs, ms |'
printf ' %s, ms | ratio |' "$@"
printf '\n|---|---|'
printf -- '---|---|%.0s' "$@"
echo
for way in immediate arrays program; do
    for count in ${GPUVM_BENCH_COUNTS:-500 2000 4000 20000}; do
        record small "$way" "$count" $((count > 10000 ? 10 : 30))
        once "$way, $count draws" "$scratch/small.trace" "$@"
        command -v perf >/dev/null && share "$way, $count draws" "$@"
        record frame "$way" "$count" 1
        further "$way, $count draws" "$scratch/frame.trace" "$@"
    done
done
for trace in ${GPUVM_BENCH_TRACES:-}; do
    name=$(basename "$trace" .trace)
    once "$name" "$trace" "$@"
    command -v perf >/dev/null && share "$name" "$@"
    apitrace trim --frames=0 -o "$scratch/frame.trace" "$trace" >/dev/null 2>&1 &&
        further "$name" "$scratch/frame.trace" "$@"
done
[ -n "${GPUVM_BENCH_DRIVER-}" ] || exit 0
field() {
    sed -n "s/.*\"bench\":\"$1\",\"value\":\([0-9.e+]*\).*/\1/p"
}
GPUVM_BENCH_CASES="nothing texture pipeline" tests/bench/draws.sh "$GPUVM_BENCH_SPIRV" \
    "$scratch" "$@" >"$scratch/draws"
for ((run = 0; run < runs; run++)); do
    "$GPUVM_BENCH_DRIVER"
done >"$scratch/driver" 2>/dev/null
for case in nothing texture pipeline; do
    field "driver_draw_$case" <"$scratch/driver" >"$scratch/cost.theirs"
    row "draw, $case (ns)" "$(median theirs)" $(field "draw_$case" <"$scratch/draws")
done

#!/bin/bash
# What captures of Vulkan cost beside gfxreconstruct's own tools, by turns, medians of the
# runs: a table in Markdown, a row per capture; a ratio is the peer's cost divided by ours,
# above 1 we take less.
#   gfxr.sh GPUVM SCRATCH CAPTURE...    (.gfxr, .gfxr.zst)
#   run      gpuvm run PAYLOAD      gfxrecon-replay --wsi xlib    wall time, processor time
#   read     gpuvm info CAPTURE     gfxrecon-info                 processor time
#   bytes    the payload of --level 19; the capture unpacked, then zstd -19 --long=27
# GPUVM_BENCH_RUNS (5). `-` stands where the peer fails or takes over a minute.
set -eu
gpuvm=$(realpath "$1") scratch=$2
runs=${GPUVM_BENCH_RUNS:-5}
for tool in gfxrecon-replay gfxrecon-info xvfb-run zstd; do
    command -v $tool >/dev/null || exit 0
done
"$gpuvm" devices >/dev/null 2>&1 || exit 0
# One X server for all.
[ -n "${GPUVM_X-}" ] || GPUVM_X=1 exec xvfb-run -a "$0" "$@"
shift 2
mkdir -p "$scratch"

# cost NAME COMMAND...: notes wall and processor milliseconds; fails where the command does.
cost() {
    local name=$1 begin=${EPOCHREALTIME/./} rc=0
    shift
    (
        timeout 60 "$@" >/dev/null 2>"$scratch/log" || exit
        times
    ) >"$scratch/times" || rc=$?
    echo $(((${EPOCHREALTIME/./} - begin) / 1000)) >>"$scratch/$name.wall"
    awk 'function s(t, p) { split(t, p, /[ms]/); return p[1] * 60 + p[2] }
        NR == 2 { print (s($1) + s($2)) * 1000 }' "$scratch/times" >>"$scratch/$name.cpu"
    return $rc
}
median() {
    sort -n "$scratch/$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}
ratio() {
    awk -v theirs="$1" -v ours="$2" 'BEGIN { printf "%.2f", theirs / (ours > 0 ? ours : 1) }'
}

echo "| capture | run, ms | ratio | processor | read | bytes |"
echo "|---|---|---|---|---|---|"
for capture; do
    name=$(basename "$capture")
    name=${name%%.*}
    plain=$scratch/plain.gfxr payload=$scratch/payload.gvp
    case $capture in
    *.zst) zstd -dqf "$capture" -o "$plain" ;;
    *) cp "$capture" "$plain" ;;
    esac
    "$gpuvm" compile "$plain" -o "$payload" >/dev/null 2>&1
    "$gpuvm" compile "$plain" -o "$scratch/small.gvp" --level 19 >/dev/null 2>&1
    peer=yes
    for ((run = -1; run < runs; run++)); do # the first warms caches
        [ $run -ne 0 ] || rm -f "$scratch"/*.wall "$scratch"/*.cpu
        cost ours "$gpuvm" run -q "$payload" || echo "$name: run failed" >&2
        [ $peer = no ] || cost theirs gfxrecon-replay --wsi xlib "$plain" || peer=no
        cost info "$gpuvm" info "$plain" || :
        cost theirs_info gfxrecon-info "$plain" || :
    done
    if [ $peer = yes ]; then
        wall=$(ratio "$(median theirs.wall)" "$(median ours.wall)")
        cpu=$(ratio "$(median theirs.cpu)" "$(median ours.cpu)")
    else
        wall=- cpu=-
    fi
    packed=$(gfxrecon-compress "$plain" "$scratch/unpacked.gfxr" NONE >/dev/null 2>&1 &&
        zstd -19 --long=27 -qc "$scratch/unpacked.gfxr" | wc -c)
    echo "| $name | $(median ours.wall) | $wall | $cpu |" \
        "$(ratio "$(median theirs_info.cpu)" "$(median info.cpu)") |" \
        "$(ratio "$(stat -c %s "$scratch/small.gvp")" "${packed:-0}") |"
done

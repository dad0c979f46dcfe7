#!/bin/sh
# Replays PlayStation dumps: those of the corpus that exist, and two of our own writer.
#   psx.sh BENCH_PSX [all]
# JSON lines, psx_DUMP_FIGURE: `replay_` is a whole run from an opened device, pipelines
# and pictures included (wall time, the fastest of five); `steady_` leaves out creating
# pipelines and their first dispatch; the oracle's time is of one processor, the fastest
# run. Shares of device time are between timestamps after every command, in a run of
# their own, where they keep commands from overlapping. With `all`, every dump.
set -eu
bench=$1
corpus=${GPUVM_CORPUS:-../shared/corpus}/psx
set -- "${2:-}"
names="anim3d-90 pt-benchmark-modes fuzz-20k"
[ "$1" = all ] && [ -e "$corpus/manifest.tsv" ] &&
    names=$(awk -F'[\t.]' 'NR > 1 { print $1 }' "$corpus/manifest.tsv")
set -- demo random
for name in $names; do
    for dump in "$corpus/$name".psxgpu*; do
        [ -e "$dump" ] && set -- "$@" "$name=$dump"
    done
done
"$bench" "$@"

#!/bin/sh
# Replays the frames that compile.sh compiled: frames per second, and how much of the
# time went into recording commands. JSON lines.
#   replay.sh GPUVM SCRATCH
set -eu
gpuvm=$1 scratch=$2
payload=$scratch/frames.3.gvp
field() {
    sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p" "$scratch/replay"
}
"$gpuvm" devices >/dev/null 2>&1 || exit 0
last=$((${GPUVM_BENCH_FRAMES:-1000} - 1))
"$gpuvm" run "$payload" --frames $last --hash xxh3-rgba --stats --json \
    >"$scratch/replay" 2>"$scratch/log"
awk -v frames=$((last + 1)) -v all="$(field first_pass_ns)" \
    -v recording="$(field record_ns)" 'BEGIN {
    line = "{\"bench\":\"%s\",\"value\":%.4g,\"unit\":\"%s\"}\n"
    printf line, "replay_frames", frames / all * 1e9, "frames/s"
    printf line, "replay_recording", recording / frames / 1e6, "ms/frame"
    printf line, "replay_recording_share", recording / all, "ratio"
}'

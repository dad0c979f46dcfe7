#!/bin/sh
# What a draw costs whose shader reads BYTES of constants, 64 of which changed: processor
# time of a replay by its draws, and what it adds to the payload. JSON lines.
#   constants.sh GPUVM MAKE_AEROGPU SCRATCH
set -eu
gpuvm=$1 make=$2 scratch=$3
frames=10 draws=20000 # 2,000 in a frame
"$gpuvm" devices >/dev/null 2>&1 || exit 0

# Seconds of user and system time.
spent() {
    (
        "$@" >/dev/null
        times >"$scratch/times" # a pipe would be a shell of its own
    )
    tail -n 1 "$scratch/times" | awk '{ split($1, u, /[ms]/); split($2, s, /[ms]/)
                                        print (u[1] + s[1]) * 60 + u[2] + s[2] }'
}
for bytes in 64 4096 16384; do
    trace=$scratch/constants-$bytes.aerogputrace payload=$scratch/constants-$bytes.gvp
    "$make" stress-constants "$trace" $frames $bytes
    "$gpuvm" compile "$trace" -o "$payload" >/dev/null
    "$gpuvm" run "$payload" >/dev/null # the driver's cache is warm
    for _ in 1 2 3 4 5; do
        spent "$gpuvm" run "$payload"
    done | sort -n | awk -v bytes=$bytes -v draws=$draws -v size="$(wc -c <"$payload")" '
        NR == 3 { line = "{\"bench\":\"constants_%d_%s\",\"value\":%.4g,\"unit\":\"%s\"}\n"
                  printf line, bytes, "draw", $1 / draws * 1e6, "us"
                  printf line, bytes, "payload", size / draws, "bytes/draw" }'
done

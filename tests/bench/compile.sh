#!/bin/sh
# Compiles generated traces: speed, peak memory, payload bytes against zstd. JSON lines.
#   compile.sh GPUVM MAKE_AEROGPU SCRATCH
set -eu
gpuvm=$1 make=$2 scratch=$3
megabytes=${GPUVM_BENCH_MB:-200}

put() {
    printf '{"bench":"%s","value":%s,"unit":"%s"}\n' "$1" "$2" "$3"
}
divide() {
    awk -v a="$1" -v b="$2" -v scale="${3:-1}" 'BEGIN { printf "%.4g", a / b * scale }'
}
field() {
    sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p" "$2"
}

for kind in uploads commands frames; do
    trace=$scratch/$kind.aerogputrace
    size=$megabytes
    [ $kind = frames ] && size="${GPUVM_BENCH_FRAMES:-1000} 2000" # draws each
    [ -s "$trace" ] || "$make" "stress-$kind" "$trace" $size
    for level in 3 19; do
        [ "$level" = 19 ] && [ "${GPUVM_BENCH_19:-1}" = 0 ] && continue
        payload=$scratch/$kind.$level.gvp
        cat "$trace" >/dev/null # in the page cache
        "$gpuvm" compile "$trace" --level $level -o "$payload" --json \
            >"$scratch/result" 2>"$scratch/log"
        ns=$(field ns "$scratch/result")
        input=$(field input_bytes "$scratch/result")
        output=$(field output_bytes "$scratch/result")
        put "compile_${kind}_level$level" "$(divide "$input" "$ns" 1000)" MB/s
        put "compile_${kind}_level${level}_commands" \
            "$(divide "$(field commands "$scratch/result")" "$ns" 1e9)" commands/s
        zstd_bytes=$(zstd -q -$level -c "$trace" | wc -c)
        put "payload_${kind}_against_zstd$level" "$(divide "$output" "$zstd_bytes")" ratio
    done
    # Private memory: mapped input that the kernel may drop is not ours.
    "$(dirname "$0")/peak.sh" "$gpuvm" compile "$trace" -o "$scratch/peak.gvp" \
        >"$scratch/peak"
    put "compile_${kind}_peak_private" "$(divide "$(cat "$scratch/peak")" 1024)" MB
done

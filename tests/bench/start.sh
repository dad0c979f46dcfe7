#!/bin/sh
# From exec to the first frame with a warm driver cache, against `vulkaninfo --summary` in
# the same minute; and the size of the player. JSON lines.
#   start.sh PLAYER GPUVM MAKE_AEROGPU SCRATCH
set -eu
player=$1 gpuvm=$2 make=$3 scratch=$4
put() {
    printf '{"bench":"%s","value":%s,"unit":"%s"}\n' "$1" "$2" "$3"
}
# The least of five, in microseconds.
least() {
    for _ in 1 2 3 4 5; do
        start=$(date +%s%N)
        "$@" >/dev/null 2>&1
        echo $((($(date +%s%N) - start) / 1000))
    done | sort -n | head -n 1
}
put player_bytes "$(strip -o "$scratch/stripped" "$player" && wc -c <"$scratch/stripped")" bytes
put player_libraries "$(ldd "$player" | wc -l)" libraries
"$gpuvm" devices >/dev/null 2>&1 || exit 0
"$make" demo "$scratch/demo.aerogputrace"
"$gpuvm" compile "$scratch/demo.aerogputrace" -o "$scratch/demo.gvp" >/dev/null
"$player" run "$scratch/demo.gvp" --frames 0 --hash xxh3-rgba >/dev/null # warm
ours=$(least "$player" run "$scratch/demo.gvp" --frames 0 --hash xxh3-rgba)
theirs=$(least vulkaninfo --summary)
put first_frame "$(awk "BEGIN { print $ours / 1000 }")" ms
put vulkaninfo "$(awk "BEGIN { print $theirs / 1000 }")" ms
put first_frame_against_vulkaninfo "$(awk "BEGIN { printf \"%.3g\", $ours / $theirs }")" ratio

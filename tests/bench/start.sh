#!/bin/sh
# From exec to the first frame with a warm driver cache, against `vulkaninfo --summary` in
# the same minute; and the size of the player. JSON lines.
#   start.sh PLAYER GPUVM MAKE_AEROGPU SCRATCH
set -eu
player=$1 gpuvm=$2 make=$3 scratch=$4
put() {
    printf '{"bench":"%s","value":%s,"unit":"%s"}\n' "$1" "$2" "$3"
}
# Microseconds of one run.
once() {
    start=$(date +%s%N)
    "$@" >/dev/null 2>&1
    echo $((($(date +%s%N) - start) / 1000))
}
put player_bytes "$(strip -o "$scratch/stripped" "$player" && wc -c <"$scratch/stripped")" bytes
put player_libraries "$(ldd "$player" | wc -l)" libraries
"$gpuvm" devices >/dev/null 2>&1 || exit 0
"$make" demo "$scratch/demo.aerogputrace"
"$gpuvm" compile "$scratch/demo.aerogputrace" -o "$scratch/demo.gvp" >/dev/null
"$player" run "$scratch/demo.gvp" --frames 0 --hash xxh3-rgba >/dev/null # warm
# By turns, so that a busy moment meets both; the least counts.
: >"$scratch/ours"
: >"$scratch/theirs"
for _ in 1 2 3 4 5 6 7 8 9 10; do
    once "$player" run "$scratch/demo.gvp" --frames 0 --hash xxh3-rgba >>"$scratch/ours"
    once vulkaninfo --summary >>"$scratch/theirs"
done
ours=$(sort -n "$scratch/ours" | head -n 1)
theirs=$(sort -n "$scratch/theirs" | head -n 1)
put first_frame "$(awk "BEGIN { print $ours / 1000 }")" ms
put vulkaninfo "$(awk "BEGIN { print $theirs / 1000 }")" ms
put first_frame_against_vulkaninfo "$(awk "BEGIN { printf \"%.3g\", $ours / $theirs }")" ratio

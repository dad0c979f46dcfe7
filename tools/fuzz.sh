#!/bin/sh
# Runs fuzz targets (clang, libFuzzer, address and undefined sanitizers).
#   tools/fuzz.sh SECONDS [TARGET...]     default: every target, each for SECONDS
# New inputs go to build/fuzz/corpus/TARGET; findings to build/fuzz/findings/TARGET. Exits
# with 1 if there was a finding. Inputs worth keeping belong into tests/fuzz/corpus/TARGET.
set -u
cd "$(dirname "$0")/.."
seconds=${1:?usage: tools/fuzz.sh SECONDS [TARGET...]}
shift
[ $# -gt 0 ] || set -- $(cd tests/fuzz && ls fuzz_*.c | sed 's/\.c$//')

found=0
for target in "$@"; do
    ninja "build/fuzz/tests/fuzz/$target" >/dev/null || exit 1
    work=build/fuzz/corpus/$target
    findings=build/fuzz/findings/$target
    mkdir -p "$work" "$findings" "tests/fuzz/corpus/$target"
    log=$findings/log
    "build/fuzz/tests/fuzz/$target" -max_total_time="$seconds" -timeout=20 \
        -rss_limit_mb=3072 -print_final_stats=1 -artifact_prefix="$findings/" \
        "$work" "tests/fuzz/corpus/$target" >"$log" 2>&1
    code=$?
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    echo "$target: ${runs:-0} runs in $seconds s, exit $code"
    if [ $code -ne 0 ]; then
        found=1
        grep -m 5 -E 'ERROR|runtime error|SUMMARY|Test unit' "$log"
        ls "$findings" | grep -v '^log$'
    fi
done
exit $found

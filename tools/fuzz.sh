#!/bin/sh
# Runs fuzz targets (clang, libFuzzer, address and undefined sanitizers) and mutants.
#   tools/fuzz.sh SECONDS|RUNSx [TARGET...]   default: every target, each for that long
# A TARGET is fuzz_NAME (of tests/fuzz or tests/wire), or mutants-PART (tests/fuzz/mutants.sh:
# good inputs changed, with hashes made right again; the next ones, or those of MUTANTS_SEED). New inputs of the former go to
# build/fuzz/corpus/TARGET; findings to build/fuzz/findings/TARGET and
# build/asan/mutants/PART/findings. Exits with 1 if there was a finding. Inputs worth keeping
# belong into the corpus/TARGET beside it.
cd "$(dirname "$0")/.."
. tools/steps.sh
length=${1:?usage: tools/fuzz.sh SECONDS|RUNSx [TARGET...]}
shift
mutants="payloads texts captures states gates replays replays-captures agree caches programs"
if [ $# -eq 0 ]; then
    set -- $(find tests/fuzz tests/wire -name 'fuzz_*.c' | sed 's|.*/||; s/\.c$//' | sort)
    for part in $mutants; do
        set -- "$@" "mutants-$part"
    done
fi

found=0
run_fuzzer() {
    room=tests/fuzz
    [ ! -e "tests/wire/$1.c" ] || room=tests/wire
    ninja "build/fuzz/$room/$1" >/dev/null
    work=build/fuzz/corpus/$1
    findings=build/fuzz/findings/$1
    mkdir -p "$work" "$findings" "$room/corpus/$1"
    log=$findings/log code=0
    case $length in
    *x) bound=-runs=${length%x} ;;
    *) bound=-max_total_time=$length ;;
    esac
    # What a driver never frees is not ours to find, and its threads stop the looking.
    case $1 in
    *_run) leaks=0 ;;
    *) leaks=1 ;;
    esac
    ASAN_OPTIONS=detect_leaks=$leaks "build/fuzz/$room/$1" "$bound" -timeout=20 \
        -rss_limit_mb=3072 -print_final_stats=1 -artifact_prefix="$findings/" \
        "$work" "$room/corpus/$1" >"$log" 2>&1 || code=$?
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    echo "$1: ${runs:-0} runs of $length, exit $code"
    if [ $code -ne 0 ]; then
        found=1
        grep -m 5 -E 'ERROR|runtime error|SUMMARY|Test unit' "$log" || true
        ls "$findings" | grep -v '^log$' || true
    fi
}

# PART <TAB> runs <TAB> reached <TAB> done <TAB> refused <TAB> skipped <TAB> lost <TAB>
# crashes <TAB> hangs <TAB> wrong, after a line for each finding.
run_mutants() {
    ninja build/asan/tests/fuzz/mutants-ready >/dev/null
    tests/fuzz/mutants.sh build/asan "$1" "$length" "${MUTANTS_SEED:-}" || found=1
}

for target in "$@"; do
    step "$target"
    case $target in
    mutants-*) run_mutants "${target#mutants-}" ;;
    *) run_fuzzer "$target" ;;
    esac
done
trap - EXIT
exit $found

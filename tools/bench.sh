#!/bin/sh
# Runs the benches and prints JSON lines: {"bench": ..., "value": ..., "unit": ...}.
#   tools/bench.sh [SCRATCH FOLDER]     default: build/bench
cd "$(dirname "$0")/.."
. tools/steps.sh
scratch=${1:-build/bench}
mkdir -p "$scratch"
does() {
    step "$1"
    "$@"
}

does build/tests/bench/bench_resources "$scratch"
does build/tests/bench/bench_vm
does tests/bench/compile.sh build/gpuvm build/tests/aerogpu/make_aerogpu "$scratch"
does tests/bench/replay.sh build/gpuvm "$scratch"
does tests/bench/constants.sh build/gpuvm build/tests/aerogpu/make_aerogpu "$scratch"
does tests/bench/start.sh build/gpuvm-player build/gpuvm build/tests/aerogpu/make_aerogpu "$scratch"
does tests/bench/psx.sh build/tests/bench/bench_psx
does build/tests/bench/bench_driver
does tests/bench/draws.sh build/tests/runtime/programs "$scratch/draws" build/gpuvm

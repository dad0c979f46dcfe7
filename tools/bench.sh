#!/bin/sh
# Runs the benches and prints JSON lines: {"bench": ..., "value": ..., "unit": ...}.
#   tools/bench.sh [SCRATCH FOLDER]     default: build/bench
set -eu
cd "$(dirname "$0")/.."
scratch=${1:-build/bench}
mkdir -p "$scratch"

build/tests/bench/bench_resources "$scratch"
build/tests/bench/bench_vm
tests/bench/compile.sh build/gpuvm build/tests/aerogpu/make_aerogpu "$scratch"
tests/bench/replay.sh build/gpuvm "$scratch"
tests/bench/constants.sh build/gpuvm build/tests/aerogpu/make_aerogpu "$scratch"
tests/bench/start.sh build/gpuvm-player build/gpuvm build/tests/aerogpu/make_aerogpu "$scratch"
tests/bench/psx.sh build/tests/bench/bench_psx
build/tests/bench/bench_driver
tests/bench/draws.sh build/tests/runtime/programs "$scratch/draws" build/gpuvm

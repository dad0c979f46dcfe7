#!/bin/sh
# Runs one test program and leaves a stamp when it passes or skips (exit 77).
#   run-test.sh STAMP PROGRAM [ARGUMENT...]
# Output goes to STAMP.log and is shown when the test fails. Its last line is why a test
# skips: one that does not say so has failed. The stamp says how it went and the seconds.
set -u
stamp=$1
shift
mkdir -p "$(dirname "$stamp")"
start=$(date +%s)
"$@" >"$stamp.log" 2>&1
code=$?
seconds=$(($(date +%s) - start))
if [ $code -eq 0 ]; then
    echo passed $seconds >"$stamp"
elif [ $code -eq 77 ] && [ -s "$stamp.log" ]; then
    echo skipped $seconds >"$stamp"
else
    cat "$stamp.log"
    echo "FAILED ($code): $*"
    exit 1
fi

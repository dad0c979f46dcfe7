#!/bin/sh
# Payloads through pipes. Usage: pipes.sh GPUVM MAKE_AEROGPU
gpuvm=$1 make_aerogpu=$2
. "$(dirname "$0")/lib.sh"

"$make_aerogpu" demo "$work/demo" >"$work/out" || fail "make_aerogpu"

# ---- compile --live: a batch per frame, the same bytes with any -j and in any place ----
expect 0 "compile" "$gpuvm" compile "$work/demo" -o "$work/plain.gvp"
expect 0 "compile --live" "$gpuvm" compile --live -j 3 "$work/demo" -o "$work/live.gvp"
expect 0 "compile --live to a pipe" \
    sh -c "'$gpuvm' compile --live -j 1 '$work/demo' -o - | cat >'$work/piped.gvp'"
same "$work/live.gvp" "$work/piped.gvp" "compile --live"
expect 0 "verify" "$gpuvm" verify --deep "$work/live.gvp"
expect 0 "explain" "$gpuvm" explain "$work/live.gvp"
grep -A20 '^segments' "$work/out" | grep -qE '^  code +24 ' || fail "not a CODE segment a frame"
expect 0 "info" "$gpuvm" info "$work/live.gvp" --json
says "$work/out" '"live":true' "provenance"

has_device "$gpuvm" || finish

expect 0 "run plain" "$gpuvm" run -q --hash sha256-rgba "$work/plain.gvp"
cp "$work/out" "$work/hashes"
expect 0 "run live" "$gpuvm" run -q --hash sha256-rgba "$work/live.gvp"
same "$work/out" "$work/hashes" "pictures of --live"

finish

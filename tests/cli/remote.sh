#!/bin/sh
# A payload that is a URL: info, verify and run take its tables and what they use of its
# resources, by ranges; what a server does wrong is the right pixels, or exit 3 or 4 and why.
#   remote.sh GPUVM MAKE_AEROGPU
. tests/cli/lib.sh
gpuvm=$1 make=$2
command -v python3 >/dev/null || skip "no python3"
unset http_proxy https_proxy HTTP_PROXY all_proxy ALL_PROXY
export GPUVM_FETCH_CACHE_MB=0 XDG_CACHE_HOME="$work/cache"
served=$work/served log=$work/log
mkdir "$served"
"$make" stress-uploads "$work/capture" 6 || fail "no capture"
expect 0 "fat" "$gpuvm" compile "$work/capture" --group-kb 16 -o "$served/fat.gvp"
expect 0 "thin" "$gpuvm" thin "$served/fat.gvp" --store "$served/folder" -o "$served/thin.gvp"
head -c 3000 "$served/fat.gvp" >"$served/cut.gvp"
: >"$served/empty.gvp"
head -c 200000 /dev/zero >"$served/zeros.gvp"
cp "$work/capture" "$served/capture"
size=$(stat -c %s "$served/fat.gvp")
"$make" demo "$work/demo" || fail "no demo"
expect 0 "with a dictionary" "$gpuvm" compile "$work/demo" -o "$served/demo.gvp"

python3 tests/cli/store_server.py "$served" "$log" "$work/port" &
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$work"' EXIT
tries=0
while [ ! -s "$work/port" ] && [ $tries -lt 100 ]; do
    sleep 0.1
    tries=$((tries + 1))
done
at=http://127.0.0.1:$(cat "$work/port")
came() { awk '{ sum += $5 } END { print sum + 0 }' "$log"; }

# Tables alone.
expect 0 "info" "$gpuvm" info "$served/fat.gvp"
grep -v "fat.gvp" "$work/out" >"$work/local"
: >"$log"
expect 0 "info of a URL" "$gpuvm" info "$at/ok/fat.gvp"
grep -v "fat.gvp" "$work/out" >"$work/remote"
same "$work/local" "$work/remote" "info of a URL"
[ "$(came)" -le 81920 ] || fail "info: $(came) bytes of $size came"
expect 0 "verify" "$gpuvm" verify "$at/ok/fat.gvp"
expect 0 "verify deep" "$gpuvm" verify --deep "$at/ok/fat.gvp"
expect 0 "verify deep, thin" "$gpuvm" verify --deep "$at/ok/thin.gvp" --store "$at/ok/folder"
expect 4 "verify deep, nowhere" "$gpuvm" verify --deep "$at/ok/thin.gvp"

# Faults.
for fault in once500 once_reset once_short moved; do
    expect 0 "$fault" "$gpuvm" verify --deep "$at/$fault/fat.gvp" --fetch-stall 1
done
for fault in none forbidden always500 always_reset loop longer wrong_range no_ranges; do
    expect 4 "$fault" timeout 60 "$gpuvm" verify --deep "$at/$fault/fat.gvp" --fetch-stall 1 --fetch-tries 2
    says "$work/err" "$at/$fault/fat.gvp" "$fault names the URL"
done
for command in info verify run; do
    expect 3 "$command of a capture" "$gpuvm" $command "$at/ok/capture"
    says "$work/err" "/ok/capture: no payload; a capture is to be compiled first" "$command of a capture"
done
for name in cut empty zeros; do
    timeout 60 "$gpuvm" verify "$at/ok/$name.gvp" 2>"$work/err"
    code=$?
    [ $code = 3 ] || [ $code = 4 ] || fail "$name: exit $code: $(cat "$work/err")"
done
timeout 60 "$gpuvm" verify --deep "$at/flipped/fat.gvp" 2>"$work/err"
code=$?
[ $code = 3 ] || [ $code = 4 ] || fail "flipped: exit $code: $(cat "$work/err")"
# What came with the end of the file is not asked for again: a small payload is two requests.
expect 0 "a small one" "$gpuvm" slice "$served/demo.gvp" --frames 0 -o "$served/small.gvp"
[ "$(stat -c %s "$served/small.gvp")" -le 65536 ] || fail "it is not small"
: >"$log"
expect 0 "a small one" "$gpuvm" verify --deep "$at/ok/small.gvp"
[ "$(wc -l <"$log")" -le 2 ] || fail "a small payload: $(cat "$log")"
# Groups with another as their dictionary, which is fetched once.
: >"$log"
expect 0 "dictionaries" "$gpuvm" verify --deep "$at/ok/demo.gvp"
awk '{ print $3 }' "$log" | sort | uniq -d | grep -q . && fail "dictionaries: a range twice"
for fault in once500 once_reset once_short; do
    expect 0 "dictionaries, $fault" "$gpuvm" verify --deep "$at/$fault/demo.gvp" --fetch-stall 1
done
timeout 60 "$gpuvm" verify --deep "$at/flipped/demo.gvp" 2>"$work/err"
code=$?
[ $code = 3 ] || [ $code = 4 ] || fail "dictionaries, flipped: exit $code: $(cat "$work/err")"
secret=http://user:hidden@${at#http://}
for command in info "info --json" "verify --json" run; do
    # shellcheck disable=SC2086 # words are arguments
    timeout 60 "$gpuvm" $command "$secret/ok/fat.gvp?key=hidden" >"$work/out" 2>&1
    # shellcheck disable=SC2086
    timeout 60 "$gpuvm" $command "$secret/none/fat.gvp?key=hidden" >>"$work/out" 2>&1
    grep -q hidden "$work/out" && fail "$command shows what is secret: $(grep hidden "$work/out" | head -n 1)"
    grep -q "none/fat.gvp: " "$work/out" || fail "$command does not name the URL"
done
expect 2 "another command" "$gpuvm" dump "$at/ok/fat.gvp"

# A run: the same pictures, of some frames with little more than these use.
if has_device "$gpuvm"; then
    for set in 0 2 all; do
        expect 0 "a run, $set" "$gpuvm" run "$served/fat.gvp" --frames $set --hash xxh3-rgba --stats
        grep "^frame" "$work/out" >"$work/hashes"
        : >"$log"
        expect 0 "a run of a URL, $set" "$gpuvm" run "$at/ok/fat.gvp" --frames $set --hash xxh3-rgba --stats
        grep "^frame" "$work/out" >"$work/again"
        same "$work/hashes" "$work/again" "a run of a URL, $set"
        used=$(awk '$2 == "upload_bytes" { print $3 }' "$work/out")
        raw=$(awk '$2 == "fetched_bytes" { print $3 }' "$work/out")
        [ $((10 * raw)) -le $((11 * used + 655360)) ] || fail "$set: fetched $raw bytes for $used"
        [ $set != 0 ] || [ "$(came)" -lt $((size / 2 + 65536)) ] || fail "$set: $(came) bytes of $size came"
    done
    expect 0 "a run, thin" "$gpuvm" run "$at/ok/thin.gvp" --store "$at/ok/folder" --hash xxh3-rgba
    grep "^frame" "$work/out" >"$work/again"
    same "$work/hashes" "$work/again" "a run of a thin payload by URL"
    "$gpuvm" run "$served/demo.gvp" --hash xxh3-rgba >"$work/demo.hashes" 2>"$work/err"
    for set in 23 all; do
        for way in "" --no-prefetch; do
            : >"$log"
            # shellcheck disable=SC2086 # a word, or none
            expect 0 "dictionaries, a run of $set $way" "$gpuvm" run "$at/ok/demo.gvp" --frames $set \
                --hash xxh3-rgba $way
            while read -r line; do
                grep -qF "$line" "$work/demo.hashes" || fail "dictionaries, $set: another picture: $line"
            done <"$work/out"
            awk '{ print $3 }' "$log" | sort | uniq -d | grep -q . && fail "dictionaries, $set: a range twice"
        done
    done
    expect 0 "a pipe" sh -c "cat '$served/demo.gvp' | '$gpuvm' run - --hash xxh3-rgba"
    same "$work/out" "$work/demo.hashes" "dictionaries in a pipe"
    mkfifo "$work/token-pipe"
    echo sesame >"$work/token-pipe" &
    expect 0 "a token from a pipe" "$gpuvm" run "$at/token/thin.gvp" --store "$at/token/folder" \
        --token-file "$work/token-pipe" --hash xxh3-rgba
    grep "^frame" "$work/out" >"$work/again"
    same "$work/hashes" "$work/again" "a run with a token from a pipe"
    expect 0 "cold" "$gpuvm" run "$at/ok/fat.gvp" --hash xxh3-rgba --fetch-cache-mb 64 --stats
    expect 0 "warm" "$gpuvm" run "$at/ok/fat.gvp" --hash xxh3-rgba --fetch-cache-mb 64 --stats
    [ "$(awk '$2 == "kept_items" { print $3 }' "$work/out")" = "$(awk '$2 == "fetched_items" { print $3 }' "$work/out")" ] ||
        fail "warm: not all is kept"
    expect 4 "a run, gone" "$gpuvm" run "$at/none/fat.gvp"
    expect 2 "pictures beside a URL" "$gpuvm" run "$at/ok/fat.gvp" --screenshots 0
fi
finish

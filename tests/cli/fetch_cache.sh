#!/bin/sh
# What came from the web is kept on disk: a warm run makes no requests; what is damaged there is
# fetched anew, what cannot be written is not kept, and several programs may share it.
#   fetch_cache.sh GPUVM MAKE_AEROGPU
. tests/cli/lib.sh
gpuvm=$1 make=$2
command -v python3 >/dev/null || skip "no python3"
unset http_proxy https_proxy HTTP_PROXY all_proxy ALL_PROXY GPUVM_FETCH_CACHE_MB
served=$work/served log=$work/log
mkdir "$served" "$work/payloads"
export XDG_CACHE_HOME="$work/cache"
objects=$work/cache/gpuvm/objects

# Payloads of a group each, and one with many.
"$make" fixtures "$work/fixtures" >/dev/null || fail "no fixtures"
for capture in $(ls "$work"/fixtures/*.aerogputrace | sed -n '1~40p'); do
    name=$work/payloads/$(basename "$capture" .aerogputrace)
    "$gpuvm" compile "$capture" --thin --store "$served/folder" -o "$name.gvp" >/dev/null 2>&1
done
"$make" demo "$work/demo" || fail "no demo capture"
expect 0 "thin" "$gpuvm" compile "$work/demo" --group-kb 0 --thin --store "$served/folder" -o "$work/thin.gvp"
expect 0 "fat" "$gpuvm" fat "$work/thin.gvp" --store "$served/folder" -o "$work/fat.gvp"
expect 0 "a pack" "$gpuvm" store pack "$served/folder" "$served/pack"

python3 tests/cli/store_server.py "$served" "$log" "$work/port" &
server=$!
trap 'kill $server 2>/dev/null; chmod -R u+w "$work"; rm -rf "$work"' EXIT
tries=0
while [ ! -s "$work/port" ] && [ $tries -lt 100 ]; do
    sleep 0.1
    tries=$((tries + 1))
done
at=http://127.0.0.1:$(cat "$work/port")/ok/folder

# fetched REQUESTS NAME [OPTION...]: the right bytes, by so many requests.
fetched() {
    requests=$1 what=$2
    shift 2
    : >"$log"
    expect 0 "$what" "$gpuvm" fat "$work/thin.gvp" --store "$at" -o "$work/again.gvp" "$@"
    same "$work/fat.gvp" "$work/again.gvp" "$what"
    [ "$(wc -l <"$log")" -eq "$requests" ] || fail "$what: $(wc -l <"$log") requests, not $requests"
}
fetched 1 cold
fetched 0 warm
fetched 1 "no cache" --fetch-cache-mb 0
expect 0 "what is kept" "$gpuvm" store check "$objects"
blob=$(find "$objects/cas" -name '*.zst' | head -n 1)
[ -s "$blob" ] || { fail "nothing is kept"; finish; }
[ "$(stat -c %a "$objects")" = 700 ] || fail "others may look"

# What came with the end of a pack, several at once, is kept like what was asked for.
expect 0 "groups" "$gpuvm" compile "$work/demo" --group-kb 4 --thin --store "$served/many" -o "$work/many.gvp"
expect 0 "groups, fat" "$gpuvm" fat "$work/many.gvp" --store "$served/many" -o "$work/many.fat"
expect 0 "a small pack" "$gpuvm" store pack "$served/many" "$served/small"
for turn in cold warm; do
    expect 0 "a pack's end, $turn" "$gpuvm" fat "$work/many.gvp" \
        --store "pack:http://127.0.0.1:$(cat "$work/port")/ok/small" -o "$work/again.gvp"
    same "$work/many.fat" "$work/again.gvp" "a pack's end, $turn"
done

# Damage: a flipped byte, a cut, other bytes, nothing; what a killed writer left.
printf '\377' | dd of="$blob" bs=1 seek=40 conv=notrunc 2>/dev/null
fetched 1 flipped
fetched 0 "made whole"
head -c 20 "$blob" >"$blob.cut" && mv "$blob.cut" "$blob"
fetched 1 cut
printf other | zstd -q >"$blob.other" && mv "$blob.other" "$blob"
fetched 1 "other bytes"
: >"$blob"
fetched 1 empty
head -c 100 "$work/fat.gvp" >"$blob.99999-0.tmp"
fetched 0 "a killed writer's"
rm -f "$blob"
mkdir "$blob"
fetched 1 "a folder in its place"
rmdir "$blob"

# A folder that others may write to, or that is somebody else's, is not used.
chmod 777 "$objects"
fetched 1 "one that all may write to"
chmod 700 "$objects"
mv "$objects" "$work/elsewhere"
ln -s "$work/elsewhere" "$objects"
fetched 1 "a link"
rm "$objects"
: >"$objects"
fetched 1 "a file in its place"
rm "$objects"

# No room: what cannot be written is not kept, and all is right. (A file of at most 512 bytes.)
if mkdir -p "$work/small" && mount -t tmpfs -o size=8k none "$work/small" 2>/dev/null; then
    XDG_CACHE_HOME=$work/small fetched 1 "a full disk"
    XDG_CACHE_HOME=$work/small fetched 1 "a full disk again"
    umount "$work/small"
fi

# A limit: the oldest go.
fetched 1 cold
find "$objects" -name '*.zst' -exec touch -d '1 hour ago' {} +
dd if=/dev/urandom of="$work/random" bs=1024 count=600 2>/dev/null
expect 0 "filling it" "$gpuvm" store add "$objects" "$work/random"
fetched 0 "within the limit" --fetch-cache-mb 1
dd if=/dev/urandom of="$work/random" bs=1024 count=700 2>/dev/null
expect 0 "filling it" "$gpuvm" store add "$objects" "$work/random"
find "$objects" -name '*.zst' -size +500k -exec touch -d '1 hour ago' {} +
fetched 0 "what was used last stays" --fetch-cache-mb 1
[ "$(du -s --apparent-size "$objects/cas" | cut -f 1)" -lt 1024 ] || fail "the limit is not kept"

# Several at once, some killed in the middle: right bytes in each, and a whole cache.
rm -rf "$objects"
many=
for payload in "$work"/payloads/*.gvp; do
    "$gpuvm" fat "$payload" --store "$served/folder" -o "$payload.fat" 2>/dev/null
    for i in 1 2; do
        "$gpuvm" fat "$payload" --store "$at" -o "$payload.$i" 2>/dev/null &
        many="$many $!"
    done
    "$gpuvm" fat "$payload" --store "$at" -o "$payload.killed" 2>/dev/null &
    killed=$!
    sleep 0.02
    kill -9 $killed 2>/dev/null
done
for one in $many; do
    wait "$one" || fail "one of many: exit $?"
done
for payload in "$work"/payloads/*.gvp; do
    [ -e "$payload.fat" ] || continue
    same "$payload.fat" "$payload.1" "one of many"
    same "$payload.fat" "$payload.2" "one of many"
done
sleep 0.3
expect 0 "what many kept" "$gpuvm" store check "$objects"

# From within the sandbox of a run, whose counters tell.
if has_device "$gpuvm"; then
    rm -rf "$objects"
    expect 0 "a run" "$gpuvm" run "$work/fat.gvp" --hash sha256-rgba
    mv "$work/out" "$work/hashes"
    for kept in 0 1; do
        : >"$log"
        expect 0 "a run, $kept" "$gpuvm" run "$work/thin.gvp" --store "$at" --hash sha256-rgba --stats
        grep -v "^stat" "$work/out" >"$work/lines"
        same "$work/lines" "$work/hashes" "a run, $kept"
        says "$work/out" "^stat	kept_items	$kept$" "a run, $kept"
        says "$work/out" "^stat	requests	$((1 - kept))$" "a run, $kept"
        [ "$(wc -l <"$log")" -eq $((1 - kept)) ] || fail "a run, $kept: $(cat "$log")"
    done
fi
finish

#!/bin/sh
# Stores on the web: folders and packs, what they cost in requests, and all that a server can
# do wrong: the right bytes, or exit 4 and why, never a hang.
#   http.sh GPUVM MAKE_AEROGPU FETCH_BATCH MAKE_PSX [quick]     quick: without what waits for seconds
. tests/cli/lib.sh
gpuvm=$1 make=$2 batch=$3 make_psx=$4 quick=${5:-}
command -v python3 >/dev/null || skip "no python3"
unset http_proxy https_proxy HTTP_PROXY all_proxy ALL_PROXY
export GPUVM_FETCH_CACHE_MB=0
served=$work/served log=$work/log
mkdir "$served"
"$make" demo "$work/demo" || fail "no demo capture"
expect 0 "thin" "$gpuvm" compile "$work/demo" --group-kb 0 --thin --store "$served/folder" -o "$work/thin.gvp"
expect 0 "fat" "$gpuvm" fat "$work/thin.gvp" --store "$served/folder" -o "$work/fat.gvp"
expect 0 "a pack" "$gpuvm" store pack "$served/folder" "$served/pack"
id=$("$gpuvm" store ls "$served/folder" | head -n 1 | cut -f 1)

server=
serve() {
    rm -f "$work/port"
    python3 tests/cli/store_server.py "$served" "$log" "$work/port" "$@" &
    server=$!
    tries=0
    while [ ! -s "$work/port" ] && [ $tries -lt 100 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    [ -s "$work/port" ] || fail "the server does not start"
    port=$(cat "$work/port")
}
trap 'kill $server 2>/dev/null; rm -rf "$work"' EXIT
serve
at=http://127.0.0.1:$port

# get CODE FAULT [OPTION...]: the resources of the payload from both kinds of store. The right
# bytes, or the code.
get() {
    wanted=$1 fault=$2
    shift 2
    for store in "$at/$fault/folder" "pack:$at/$fault/pack"; do
        : >"$log"
        expect "$wanted" "$fault, $store" timeout 60 "$gpuvm" fat "$work/thin.gvp" \
            --store "$store" -o "$work/again.gvp" --fetch-stall 1 --fetch-tries 3 "$@"
        [ "$wanted" -eq 0 ] && same "$work/fat.gvp" "$work/again.gvp" "$fault, $store"
        [ "$wanted" -eq 0 ] || says "$work/err" "http://127.0.0.1:$port/$fault/(folder|pack)" "$fault names the URL"
        rm -f "$work/again.gvp"
    done
}
asked() {
    [ "$(wc -l <"$log")" -eq "$1" ] || fail "$2: $(wc -l <"$log") requests, not $1"
}

get 0 ok
expect 0 "slashes at the end" "$gpuvm" fat "$work/thin.gvp" --store "$at/ok/folder//" -o "$work/again.gvp"
get 0 moved
# A pack with dictionaries: the end, the dictionary's object and the objects that verify looks at,
# each once, though it looks at shaders twice.
expect 0 "with dictionaries" "$gpuvm" compile "$work/demo" -o "$work/needy.gvp"
expect 0 "with dictionaries" "$gpuvm" thin "$work/needy.gvp" --store "pack:$served/needy" -o "$work/needy.thin"
expect 0 "dictionaries of a pack" "$gpuvm" fat "$work/needy.thin" --store "pack:$at/ok/needy" -o "$work/again.gvp"
same "$work/needy.gvp" "$work/again.gvp" "dictionaries of a pack"
: >"$log"
expect 0 "once" "$gpuvm" verify --deep "$work/needy.thin" --store "pack:$at/ok/needy"
awk '{ print $3 }' "$log" | sort | uniq -d | grep -q . && fail "dictionaries of a pack: a range twice"
[ "$(wc -l <"$log")" -le 9 ] || fail "dictionaries of a pack: $(wc -l <"$log") requests"
expect 0 "a folder" "$gpuvm" thin "$work/needy.gvp" --store "$served/needy-folder" -o "$work/needy.thin"
groups=$("$gpuvm" info --json "$work/needy.thin" | sed 's/.*"resource_groups":\([0-9]*\).*/\1/')
: >"$log"
expect 0 "a folder" "$gpuvm" fat "$work/needy.thin" --store "$at/ok/needy-folder" -o "$work/again.gvp"
same "$work/needy.gvp" "$work/again.gvp" "dictionaries from a folder"
asked "$groups" "each group of a folder once, dictionaries too"
: >"$log"
expect 0 "a folder" "$gpuvm" verify --deep "$work/needy.thin" --store "$at/ok/needy-folder"
asked "$groups" "each group of a folder once, those of shaders too"
get 0 once500
asked 4 "a pack after two times 500"
start=$(date +%s)
if [ -z "$quick" ]; then
    get 0 once429
    [ $(($(date +%s) - start)) -ge 2 ] || fail "Retry-After was not waited for"
    get 0 drip_once
    get 4 always_short
    get 4 always_reset
    expect 4 "a drip" "$gpuvm" fat "$work/thin.gvp" --store "$at/drip/folder" -o "$work/no" \
        --fetch-stall 1 --fetch-tries 2
    says "$work/err" "too slow.*2 tries" "a drip"
fi
get 0 once_short
get 0 once_reset
get 0 flipped_once
get 4 always500
asked 3 "three tries"
says "$work/err" "status 500 \(3 tries\)" "500"
get 4 forbidden
asked 1 "no second try"
says "$work/err" "status 403" "403"
expect 4 "a pack without ranges" "$gpuvm" fat "$work/thin.gvp" --store "pack:$at/no_ranges/pack" -o "$work/no"
says "$work/err" "/no_ranges/pack: 200 for a range: the server knows none" "a pack without ranges"
get 0 reset
get 4 loop
says "$work/err" "redirects" "a redirect loop"
get 4 longer
says "$work/err" "206 with another range|more bytes" "a body that is too long"
get 4 flipped
expect 4 "nobody has it" "$gpuvm" fat "$work/thin.gvp" --store "$at/none/folder" -o "$work/no"
says "$work/err" "no source has the object $id" "404 of a folder"
expect 4 "no pack" "$gpuvm" fat "$work/thin.gvp" --store "pack:$at/none/pack" -o "$work/no"
says "$work/err" "/none/pack: status 404" "404 of a pack"
expect 4 "a wrong range" "$gpuvm" fat "$work/thin.gvp" --store "pack:$at/wrong_range/pack" -o "$work/no"
says "$work/err" "206 with another range" "a wrong range"
expect 4 "no server" "$gpuvm" fat "$work/thin.gvp" --store http://127.0.0.1:1/ -o "$work/no" --fetch-tries 2
says "$work/err" "http://127.0.0.1:1/.*onnect" "no server"
expect 4 "no name" "$gpuvm" fat "$work/thin.gvp" --store http://none.invalid/ -o "$work/no" --fetch-tries 1
says "$work/err" "none.invalid" "no name"
expect 4 "unencrypted where it has to be" "$gpuvm" fat "$work/thin.gvp" \
    --store "https://127.0.0.1:$port/ok/folder" -o "$work/no" --fetch-tries 1

# Other objects under the name; a pack cut short.
blob=$served/folder/cas/${id%??????????????????????????????}/$id.zst
mkdir "$served/wrong" "$served/wrong/cas" "$served/wrong/cas/${id%??????????????????????????????}"
printf 'other bytes' | zstd -q >"$served/wrong/${blob#"$served/folder/"}"
expect 4 "other bytes" "$gpuvm" fat "$work/thin.gvp" --store "$at/ok/wrong" -o "$work/no"
says "$work/err" "/ok/wrong: object $id is damaged" "other bytes"
head -c 5000 "$served/pack" >"$served/cut"
expect 4 "a cut pack" "$gpuvm" fat "$work/thin.gvp" --store "pack:$at/ok/cut" -o "$work/no"
says "$work/err" "no pack, or without its index" "a cut pack"
expect 4 "an empty one" "$gpuvm" fat "$work/thin.gvp" --store "pack:$at/ok/../none" -o "$work/no"
[ -e "$work/no" ] && fail "a payload without its resources"

# What came with the end of a pack and is damaged is asked for by itself.
expect 0 "small" "$gpuvm" compile "$work/demo" --thin --store "$served/groups" -o "$work/groups.gvp"
expect 0 "small" "$gpuvm" fat "$work/groups.gvp" --store "$served/groups" -o "$work/groups.fat"
expect 0 "small" "$gpuvm" store pack "$served/groups" "$served/groups.pack"
for store in "$at/flipped_once/groups" "pack:$at/flipped_once/groups.pack"; do
    expect 0 "flipped once, $store" "$gpuvm" fat "$work/groups.gvp" --store "$store" -o "$work/again.gvp"
    same "$work/groups.fat" "$work/again.gvp" "flipped once, $store"
done

# What is too long is known before it has come: a body of the length that is told, one behind a
# redirect, headers without end.
python3 tests/attacks/hostile_server.py "$served" "$work/harm-port" &
harm=$!
trap 'kill $server $harm 2>/dev/null; rm -rf "$work"' EXIT
for _ in $(seq 100); do
    [ ! -s "$work/harm-port" ] || break
    sleep 0.1
done
harmful=http://127.0.0.1:$(cat "$work/harm-port")
while read -r name words; do
    for store in "$harmful/$name/folder" "pack:$harmful/$name/pack"; do
        expect 4 "$name, $store" timeout 20 "$gpuvm" fat "$work/thin.gvp" --store "$store" -o "$work/no"
        says "$work/err" "$words" "$name, $store"
    done
done <<END
long_length more bytes than asked for
long_huge more bytes than asked for
body_of_redirect status 302
body_of_redirect_slow status 302
heads_endless headers of over 65536 bytes
heads_continue headers of over 65536 bytes
heads_cookies headers of over 65536 bytes
END
expect 4 "trailers" timeout 20 "$gpuvm" fat "$work/thin.gvp" --store "$harmful/chunks_trailers/folder" -o "$work/no"
says "$work/err" "headers of over 65536 bytes" "trailers"

# Another store is asked for what the first lacks.
expect 0 "the second" "$gpuvm" fat "$work/thin.gvp" --store "$at/none/folder" --store "$at/ok/folder" \
    -o "$work/again.gvp"

# Many at once: neighbours by one request, what is far apart by its own; a folder by as many as
# it has objects.
awk -v folder="$work" 'BEGIN {
    srand(2)
    for (i = 0; i < 60; i++) {
        name = folder "/many-" i
        for (k = 0; k < (i % 20 == 7 ? 40000 : 20 + i); k++)
            printf "%.8f", rand() >name
        close(name)
    }
}'
expect 0 "many" "$gpuvm" store add "pack:$served/many" "$work"/many-*
expect 0 "many" "$gpuvm" store add "$served/many-folder" "$served/many"
expect 0 "a batch" "$batch" "$served/many" pack "$at/ok/many"
says "$work/out" "^2$" "a pack by its end and one range"
expect 0 "a batch with gaps" "$batch" "$served/many" pack "$at/ok/many" 30000
says "$work/out" "^[3-5]$" "a pack by its end and a range for each side of what is large"
expect 0 "a batch of files" "$batch" "$served/many" folder "$at/ok/many-folder"
says "$work/out" "^60$" "a folder"
for fault in once500 flipped_once once_reset; do
    for kind in pack folder; do
        [ $kind = pack ] && store=many || store=many-folder
        expect 0 "a batch, $fault" "$batch" "$served/many" $kind "$at/$fault/$store"
    done
done
expect 1 "a batch, flipped" "$batch" "$served/many" pack "$at/flipped/many"

# Secrets: the token goes along, and nothing of it or of a URL's own is shown.
echo sesame >"$work/token"
get 0 token --token-file "$work/token"
grep -q "Bearer sesame$" "$log" || fail "the token did not go along"
mkfifo "$work/token-pipe"
cat "$work/token" >"$work/token-pipe" &
expect 0 "a token from a pipe" "$gpuvm" fat "$work/thin.gvp" --store "$at/none/folder" \
    --store "$at/token/folder" --token-file "$work/token-pipe" -o "$work/again.gvp"
get 4 token
says "$work/err" "status 401" "without a token"
expect 4 "secrets" env GPUVM_VERBOSE=1 "$gpuvm" verify "$work/thin.gvp" --deep -v \
    --store "http://user:hidden@127.0.0.1:$port/always500/folder" --token-file "$work/token" --fetch-tries 2
says "$work/err" "http://127.0.0.1:$port/always500/folder" "the URL without them"
grep -E "hidden|sesame|user:" "$work/err" && fail "a secret is shown"
: >"$work/empty"
expect 2 "no token in it" "$gpuvm" fat "$work/thin.gvp" --store "$at/ok/folder" \
    --token-file "$work/empty" -o "$work/no"
# Its first line, all of it, without blanks around it.
printf ' \tsesame \r\nstreet\n' >"$work/blanks"
get 0 token --token-file "$work/blanks"
printf 'open sesame\n' >"$work/words"
get 4 token --token-file "$work/words"
grep -q "Bearer open sesame$" "$log" || fail "a token is cut at a blank"
for what in '\nsesame' 'ses\tame' 'sesame\001' 'sesame\0' 'ses\rame' 'sesam\303\251'; do
    # shellcheck disable=SC2059 # the format is what is tried
    printf "$what\n" >"$work/bad"
    expect 2 "a token $what" "$gpuvm" fat "$work/thin.gvp" --store "$at/ok/folder" \
        --token-file "$work/bad" -o "$work/no"
    says "$work/err" "bad holds no token" "a token $what"
done
for token in "$work/none" "$work" /dev/zero; do
    expect 2 "no token: $token" "$gpuvm" fat "$work/thin.gvp" --store "$at/ok/folder" \
        --token-file "$token" -o "$work/no"
    says "$work/err" "no token of $token: " "no token: $token"
done
: >"$log"
expect 2 "a folder with a query" "$gpuvm" fat "$work/thin.gvp" --store "$at/ok/folder?key=1" -o "$work/no"
asked 0 "a folder with a query"
expect 0 "a pack with a query" "$gpuvm" fat "$work/thin.gvp" --store "pack:$at/ok/pack?key=1" -o "$work/again.gvp"

# What is confined knows no token: deep in verify's sandbox, and in a compiler's.
# confined PROCESS: those below it that have a filter.
confined() {
    for below in $(pgrep -P "$1"); do
        grep -q '^Seccomp:[[:space:]]*2' "/proc/$below/status" 2>/dev/null && echo "$below"
        confined "$below"
    done
}
# knows_nothing NAME THREAD_NAME PROCESS: waits for one so named below the process, and ends that.
knows_nothing() {
    knower=$3 found=
    for _ in $(seq 100); do
        for below in $(confined "$knower"); do
            grep -qx "$2" "/proc/$below/comm" && found=$below
        done
        [ -z "$found" ] || break
        sleep 0.1
    done
    [ -n "$found" ] || fail "$1: nothing is confined"
    readlink "/proc/$knower"/fd/* | grep -q gpuvm-token || fail "$1: nobody has a token"
    readlink "/proc/$found"/fd/* | grep -q gpuvm-token && fail "$1: what is confined has the token"
    kill "$knower"
    wait "$knower" 2>/dev/null
}
cat "$work/token" >"$work/token-pipe" &
"$gpuvm" verify "$work/thin.gvp" --deep --store "$at/drip/folder" --token-file "$work/token-pipe" \
    >"$work/out" 2>&1 &
knows_nothing "verify" gpuvm $!
if has_device "$gpuvm"; then
    mkfifo "$work/capture-pipe"
    { head -c 3000 "$work/demo"; exec sleep 60; } >"$work/capture-pipe" &
    feeder=$!
    cat "$work/token" >"$work/token-pipe" &
    "$gpuvm" run - --store "$at/ok/folder" --token-file "$work/token-pipe" <"$work/capture-pipe" \
        >"$work/out" 2>&1 &
    knows_nothing "a compiler" gpuvm-compile $!
    kill $feeder
fi

# What replays opens no socket: deep in verify's sandbox, and in a run's where there is a device.
expect 0 "in the sandbox" "$gpuvm" verify "$work/thin.gvp" --deep --store "$at/ok/folder"
if has_device "$gpuvm"; then
    expect 0 "a run" "$gpuvm" run "$work/fat.gvp" --hash sha256-rgba
    mv "$work/out" "$work/hashes"
    for store in "$at/ok/folder" "pack:$at/ok/pack"; do
        expect 0 "a run, $store" "$gpuvm" run "$work/thin.gvp" --store "$store" --hash sha256-rgba
        same "$work/out" "$work/hashes" "a run, $store"
    done
    expect 4 "a run without" "$gpuvm" run "$work/thin.gvp" --store "$at/always500/folder" --fetch-tries 1
    says "$work/err" "status 500" "a run without"
fi

# A frame that needs little of a dump of noise: no more than 1.1 times that and 64 KiB come.
if has_device "$gpuvm"; then
    expect 0 "noise" "$make_psx" random "$work/noise" 1 7300
    expect 0 "noise" "$gpuvm" compile "$work/noise" -o "$work/noise.gvp"
    expect 0 "noise" "$gpuvm" thin "$work/noise.gvp" --store "pack:$served/noise" -o "$work/noise.thin"
    expect 0 "noise" "$gpuvm" slice "$work/noise.gvp" --frames 32 -o "$work/noise.32"
    needed=$("$gpuvm" info --json "$work/noise.32" | sed -n 's/.*"resource_bytes":\([0-9]*\).*/\1/p')
    : >"$log"
    expect 0 "noise" "$gpuvm" run -q "$work/noise.thin" --store "pack:$at/ok/noise" --frames 32 --hash xxh3-rgba
    came=$(awk '{ sum += $5 + 300 } END { print sum }' "$log")
    [ "$came" -le $((needed + needed / 10 + 65536)) ] || fail "noise: $came bytes came of $needed"
fi

[ -z "$quick" ] || finish
# All tries have one deadline, what is asked for once more a shorter one; who waits is told.
if has_device "$gpuvm"; then
    for way in "" --no-prefetch; do
        begun=$(date +%s)
        # shellcheck disable=SC2086 # a word, or none
        expect 4 "silence $way" timeout 60 "$gpuvm" run "$work/thin.gvp" --store "$harmful/silent/folder" \
            --fetch-stall 4 $way
        says "$work/err" "nothing has come for 3 s; given up in [0-9]+ s" "silence $way"
        [ $(($(date +%s) - begun)) -le 25 ] || fail "silence $way: $(($(date +%s) - begun)) s"
    done
fi
# Waiting for a server is no silence of the run: 9 seconds, of which 7 would end it.
if has_device "$gpuvm"; then
    for way in "" --no-prefetch; do
        # shellcheck disable=SC2086 # a word, or none
        expect 0 "a slow server $way" "$gpuvm" run "$work/thin.gvp" --store "$at/slow/folder" \
            --timeout 2 --hash sha256-rgba $way
        same "$work/out" "$work/hashes" "a slow server $way"
        # shellcheck disable=SC2086
        expect 4 "too slow a server $way" timeout 60 "$gpuvm" run "$work/thin.gvp" --store "$at/slow/folder" \
            --timeout 2 --fetch-stall 2 --fetch-tries 2 $way
    done
fi

# Killed and back.
kill $server
wait $server 2>/dev/null
("$gpuvm" fat "$work/thin.gvp" --store "$at/ok/folder" -o "$work/back.gvp" --fetch-tries 20 2>"$work/err"
echo $? >"$work/code") &
waiting=$!
sleep 1
serve "$port"
wait $waiting
[ "$(cat "$work/code")" = 0 ] || fail "killed and back: exit $(cat "$work/code"): $(cat "$work/err")"
same "$work/fat.gvp" "$work/back.gvp" "killed and back"
finish

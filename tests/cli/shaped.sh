#!/bin/sh
# A link of 20 Mbit/s and 20 ms: the payload copied whole and run; thin, its resources fetched
# ahead of use, from a file or a stream; and one by one. Fetching ahead shows its first frame at
# least three times sooner than copying, and takes no more than 1.1 times as long in all.
#   shaped.sh GPUVM MAKE_AEROGPU [MB]
. tests/cli/lib.sh
gpuvm=$1 make=$2 megabytes=${3:-40}
command -v python3 >/dev/null || skip "no python3"
command -v nginx >/dev/null || skip "no nginx"
has_device "$gpuvm" || skip "no Vulkan device"
unset http_proxy https_proxy HTTP_PROXY all_proxy ALL_PROXY
export GPUVM_FETCH_CACHE_MB=0 XDG_CACHE_HOME="$work/cache"
served=$work/served
mkdir "$served" "$work/tmp"
chmod 755 "$work" "$served"
"$make" stress-uploads "$work/capture" "$megabytes" || fail "no capture"
expect 0 "fat" "$gpuvm" compile "$work/capture" -o "$served/fat.gvp" --group-kb 16
expect 0 "thin" "$gpuvm" thin "$served/fat.gvp" --store "$served/folder" -o "$served/thin.gvp"
expect 0 "a pack" "$gpuvm" store pack "$served/folder" "$served/pack"
chmod -R a+rX "$served"

start() {
    cat >"$work/nginx.conf" <<CONF
daemon off;
pid $work/nginx.pid;
error_log $work/error.log;
events { worker_connections 64; }
http {
    access_log $work/access.log;
    client_body_temp_path $work/tmp; proxy_temp_path $work/tmp; fastcgi_temp_path $work/tmp;
    uwsgi_temp_path $work/tmp; scgi_temp_path $work/tmp;
    server { listen 127.0.0.1:$1; root $served; }
}
CONF
    nginx -c "$work/nginx.conf" -e "$work/error.log" 2>/dev/null &
    server=$!
    for wait in 1 2 3 4 5 6 7 8 9 10; do
        sleep 0.2
        [ -s "$work/nginx.pid" ] && return 0
        kill -0 $server 2>/dev/null || return 1
    done
    return 1
}
link=
trap 'kill $server $link 2>/dev/null; rm -rf "$work"' EXIT
port=$((20000 + $$ % 20000))
start $port || start $((port = port + 1)) || skip "nginx does not start: $(cat "$work/error.log")"
python3 tests/cli/shaped_link.py $port 20 20 "$work/port" &
link=$!
tries=0
while [ ! -s "$work/port" ] && [ $tries -lt 100 ]; do
    sleep 0.1
    tries=$((tries + 1))
done
at=http://127.0.0.1:$(cat "$work/port")

now() { date +%s%3N; }
copy() {
    python3 -c 'import sys, urllib.request
open(sys.argv[2], "wb").write(urllib.request.urlopen(sys.argv[1]).read())' "$at/$1" "$work/$1" || fail "no copy of $1"
}
# timed NAME FILE [OPTION...]: copies the payload and runs it, as a stream if the name says
# so; milliseconds to its first frame and
# in all, which go to the figures.
timed() {
    name=$1 file=$2
    shift 2
    begun=$(now)
    copy "$file"
    copied=$(($(now) - begun))
    case $name in
    *-stream) # standard output and error are expect's
        cat "$work/$file" >"$work/pipe" &
        expect 0 "$name" "$gpuvm" run - --hash xxh3-rgba --stats "$@" <"$work/pipe"
        ;;
    *) expect 0 "$name" "$gpuvm" run "$work/$file" --hash xxh3-rgba --stats "$@" ;;
    esac
    total=$(($(now) - begun))
    grep -v "^stat" "$work/out" >"$work/hashes.$name"
    same "$work/hashes.$name" "$work/hashes.copied" "$name"
    first=$((copied + $(awk '$2 == "first_frame_ns" { print int($3 / 1000000) }' "$work/out")))
    awk -v name="$name" -v first=$first -v total=$total '
        { stat[$2] = $3 }
        END { printf "%s: first frame %d ms, total %d ms, %d requests, %d stalls of %d ms\n", name, first, total,
            stat["requests"], stat["stalls"], stat["stall_ns"] / 1000000 }' "$work/out"
}
# timely NAME FILE [OPTION...]: once more where it is late, since others may have had the cores.
timely() {
    timed "$@"
    [ $((10 * total)) -le $((11 * total_copied)) ] && [ $((3 * first)) -le "$first_copied" ] || timed "$@"
}
mkfifo "$work/pipe"
"$gpuvm" run "$served/fat.gvp" --hash xxh3-rgba >"$work/hashes.copied" 2>/dev/null # caches are warm
echo "payload of $(stat -c %s "$served/fat.gvp") bytes, thin $(stat -c %s "$served/thin.gvp")"
timed copied fat.gvp
first_copied=$first total_copied=$total
for store in "$at/folder" "pack:$at/pack"; do
    case $store in pack:*) kind=pack ;; *) kind=folder ;; esac
    timely "ahead-$kind" thin.gvp --store "$store"
    [ $((3 * first)) -le "$first_copied" ] || fail "$kind: the first frame after $first ms, copied after $first_copied"
    [ $((10 * total)) -le $((11 * total_copied)) ] || fail "$kind: $total ms in all, copied $total_copied"
    timed "one-by-one-$kind" thin.gvp --store "$store" --no-prefetch
    timely "ahead-$kind-stream" thin.gvp --store "$store"
    [ $((10 * total)) -le $((11 * total_copied)) ] || fail "$kind: a stream takes $total ms, copied $total_copied"
done
finish

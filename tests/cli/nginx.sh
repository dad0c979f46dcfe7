#!/bin/sh
# nginx as any static server: folder and pack, the requests that it counts.
#   nginx.sh GPUVM MAKE_AEROGPU
. tests/cli/lib.sh
gpuvm=$1 make=$2
command -v nginx >/dev/null || skip "no nginx"
unset http_proxy https_proxy HTTP_PROXY all_proxy ALL_PROXY
export GPUVM_FETCH_CACHE_MB=0
served=$work/served
mkdir "$served" "$work/tmp"
chmod 755 "$work" "$served"
"$make" fixtures "$work/fixtures" >/dev/null || fail "no fixtures"
# A payload of one group each; the stores have all of them.
for capture in $(ls "$work"/fixtures/*.aerogputrace | sed -n '1~25p'); do
    "$gpuvm" compile "$capture" --thin --store "$served/folder" -o "$work/x.gvp" >/dev/null 2>&1
done
"$make" demo "$work/demo" || fail "no demo capture"
expect 0 "thin" "$gpuvm" compile "$work/demo" --group-kb 0 --thin --store "$served/folder" -o "$work/thin.gvp"
expect 0 "fat" "$gpuvm" fat "$work/thin.gvp" --store "$served/folder" -o "$work/fat.gvp"
expect 0 "a pack" "$gpuvm" store pack "$served/folder" "$served/pack"
chmod -R a+rX "$served"

# start PORT: false if the port is taken.
start() {
    cat >"$work/nginx.conf" <<CONF
daemon off;
pid $work/nginx.pid;
error_log $work/error.log;
events { worker_connections 64; }
http {
    log_format counted '\$request_method \$uri \$http_range \$status \$body_bytes_sent \$connection';
    access_log $work/access.log counted;
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
trap 'kill $server 2>/dev/null; rm -rf "$work"' EXIT
port=$((20000 + $$ % 20000))
start $port || start $((port + 1)) && port=$(sed -n 's/.*127.0.0.1:\([0-9]*\);.*/\1/p' "$work/nginx.conf") ||
    skip "nginx does not start: $(cat "$work/error.log")"

# fetched STORE REQUESTS: the same payload, for so many requests over one connection.
fetched() {
    : >"$work/access.log"
    expect 0 "fat, $1" "$gpuvm" fat "$work/thin.gvp" --store "$1" -o "$work/again.gvp"
    same "$work/fat.gvp" "$work/again.gvp" "fat, $1"
    sleep 0.3 # the log is written after the answer
    [ "$(wc -l <"$work/access.log")" -eq "$2" ] || fail "$1: $(cat "$work/access.log")"
    [ "$(awk '{ print $NF }' "$work/access.log" | sort -u | wc -l)" -eq 1 ] || fail "$1: several connections"
}
fetched "http://127.0.0.1:$port/folder" 1
says "$work/access.log" "^GET /folder/cas/../[0-9a-f]{32}.zst - 200 " "a folder"
fetched "pack:http://127.0.0.1:$port/pack" 2
says "$work/access.log" "^GET /pack bytes=-65536 206 65536 " "the end of a pack"
says "$work/access.log" "^GET /pack bytes=[0-9]+-[0-9]+ 206 " "a range of it"

# asked NAME SET STORE: frames of a payload whose groups end with frames, cold and warm: what is
# fetched is what they use, and the second time nothing is.
stat_of() { awk -v name="$1" '$1 == "stat" && $2 == name { print $3 }' "$work/out"; }
asked() {
    name="$1, frames $2" store=$3
    rm -rf "$XDG_CACHE_HOME/gpuvm/objects"
    for pass in cold warm; do
        : >"$work/access.log"
        expect 0 "$name, $pass" "$gpuvm" run "$work/cut.gvp" --store "$store" --frames "$2" \
            --hash xxh3-rgba --stats --fetch-cache-mb 64
        sleep 0.3
        grep "^frame" "$work/out" >"$work/lines"
        same "$work/lines" "$work/frames.$2" "$name, $pass"
        bytes=$(awk '{ sum += $5 } END { print sum + 0 }' "$work/access.log")
        used=$(stat_of upload_bytes) raw=$(stat_of fetched_bytes)
        [ "$(stat_of requests)" -eq "$(wc -l <"$work/access.log")" ] || fail "$name: requests are not what was sent"
        [ $((10 * raw)) -le $((11 * used + 655360)) ] || fail "$name: fetched $raw bytes for $used"
        [ $((10 * bytes)) -le $((11 * used + 655360)) ] || fail "$name: $bytes bytes came for $used"
        [ $pass = cold ] || [ "$(stat_of kept_items)" -eq "$(stat_of fetched_items)" ] || fail "$name: not all is kept"
        [ $pass = cold ] || [ ! -s "$work/access.log" ] || fail "$name, $pass: $(cat "$work/access.log")"
    done
}
if has_device "$gpuvm"; then
    export XDG_CACHE_HOME="$work/cache"
    "$make" stress-uploads "$work/stress" 12 || fail "no capture"
    expect 0 "cut" "$gpuvm" compile "$work/stress" --thin --store "$served/cut" --group-kb 16 -o "$work/cut.gvp"
    expect 0 "a pack" "$gpuvm" store pack "$served/cut" "$served/cut.pack"
    chmod -R a+rX "$served"
    for set in 0 2 all; do
        "$gpuvm" run "$work/cut.gvp" --store "$served/cut" --frames $set --hash xxh3-rgba >"$work/frames.$set" 2>/dev/null
        asked folder $set "http://127.0.0.1:$port/cut"
        asked pack $set "pack:http://127.0.0.1:$port/cut.pack"
    done
    expect 0 "a run" "$gpuvm" run "$work/fat.gvp" --hash sha256-rgba
    mv "$work/out" "$work/hashes"
    for store in "http://127.0.0.1:$port/folder" "pack:http://127.0.0.1:$port/pack"; do
        expect 0 "a run, $store" "$gpuvm" run "$work/thin.gvp" --store "$store" --hash sha256-rgba
        same "$work/out" "$work/hashes" "a run, $store"
    done
fi
finish

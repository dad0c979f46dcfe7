#!/bin/sh
# What frames of the corpus fetch from a server, by its own log: the last frame and a middle one of
# every capture, cold and warm, from a folder, a pack and the payload itself by its URL. Same
# pictures; no more than 1.1 times the raw bytes that the frame's slice has and 64 KiB came, headers
# of answers included; nothing the second time.
#   wire.sh GPUVM [all|few]
# The corpus is $GPUVM_CORPUS, default ../shared/corpus; without it the test skips. `few`
# takes a few captures of each kind. Of a payload its tables and code come as well.
. tests/cli/lib.sh
gpuvm=$1 part=${2:-all}
corpus=${GPUVM_CORPUS:-../shared/corpus}
[ -d "$corpus" ] || skip "no corpus in $corpus"
command -v nginx >/dev/null || skip "no nginx"
has_device "$gpuvm" || skip "no Vulkan device"
unset http_proxy https_proxy HTTP_PROXY all_proxy ALL_PROXY
export XDG_CACHE_HOME="$work/cache"
served=$work/served log=$work/access.log
mkdir "$served" "$work/tmp"
chmod 755 "$work" "$served"

all() {
    ls "$corpus"/psx/*.psxgpu* "$corpus"/aerogpu/*.aerogputrace "$corpus"/apitrace/*.trace
}
few() {
    for name in psx/packets.psxgpu psx/display-24bit.psxgpu.zst psx/anim3d-90.psxgpu.zst \
        aerogpu/derived_two_frames.aerogputrace apitrace/gm2_buffer_map.trace \
        apitrace/xs_glknots.trace; do
        [ ! -e "$corpus/$name" ] || echo "$corpus/$name"
    done
}

# start PORT: false if the port is taken.
start() {
    cat >"$work/nginx.conf" <<CONF
daemon off;
pid $work/nginx.pid;
error_log $work/error.log;
events { worker_connections 64; }
http {
    log_format counted '\$request_method \$uri \$http_range \$status \$bytes_sent';
    access_log $log counted;
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
server=
trap 'kill $server 2>/dev/null; rm -rf "$work"' EXIT
port=$((20000 + $$ % 20000))
start $port || start $((port = port + 1)) || skip "nginx does not start: $(cat "$work/error.log")"
at=http://127.0.0.1:$port

# told KEY FILE: a number of `info --json`.
told() {
    "$gpuvm" info --json "$2" | sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p"
}

# What has come since the log was emptied: it is written after the answer.
settle() {
    before=-1
    while [ "$(wc -c <"$log")" != $before ]; do
        before=$(wc -c <"$log")
        sleep 0.02
    done
}
came() { awk '{ sum += $5 } END { print sum + 0 }' "$log"; }

# asked WAY FRAME MOST ARGUMENT...: cold and warm; sets `bytes` and `requests` of the cold one.
asked() {
    way=$1 frame=$2 most=$3
    shift 3
    rm -rf "$XDG_CACHE_HOME/gpuvm/objects"
    : >"$log"
    expect 0 "$title $frame, $way" "$gpuvm" run -q "$@" --frames "$frame" --hash xxh3-rgba
    same "$work/out" "$work/want" "$title $frame, $way"
    settle
    bytes=$(came) requests=$(wc -l <"$log")
    [ "$bytes" -le "$most" ] || fail "$title $frame, $way: $bytes bytes came, $most are allowed"
    : >"$log"
    expect 0 "$title $frame, $way, warm" "$gpuvm" run -q "$@" --frames "$frame" --hash xxh3-rgba
    same "$work/out" "$work/want" "$title $frame, $way, warm"
    settle
}

# frame_of NUMBER TABLES: one frame, by all ways.
frame_of() {
    expect 0 "$title $1: slice" "$gpuvm" slice "$work/fat.gvp" --frames "$1" -o "$work/part.gvp"
    needed=$(told resource_bytes "$work/part.gvp")
    most=$((needed + needed / 10 + 65536))
    expect 0 "$title $1" "$gpuvm" run -q "$work/fat.gvp" --frames "$1" --hash xxh3-rgba
    cp "$work/out" "$work/want"
    line="$needed"
    for store in "$at/$title" "pack:$at/$title.pack"; do
        asked "${store%%:*}" "$1" $most "$work/thin.gvp" --store "$store"
        [ ! -s "$log" ] || fail "$title $1, $store, warm: $(cat "$log")"
        line="$line	$bytes	$requests"
    done
    asked url "$1" $((most + $2)) "$at/$title.gvp"
    [ "$(came)" -le $((65536 + $2)) ] || fail "$title $1, url, warm: $(cat "$log")"
    echo "$title	$1	$line	$bytes	$requests"
    cases=$((cases + 1))
}

list=all
[ "$part" = few ] && list=few
cases=0
echo "capture	frame	needed	folder	requests	pack	requests	url	requests"
for capture in $($list); do
    title=$(basename "$capture") title=${title%%.*}
    expect 0 "$title: compile" "$gpuvm" compile "$capture" -o "$work/fat.gvp" || continue
    frames=$(told frames "$work/fat.gvp")
    [ "$frames" -ge 2 ] || continue
    expect 0 "$title: thin" "$gpuvm" thin "$work/fat.gvp" --store "$served/$title" -o "$work/thin.gvp"
    expect 0 "$title: pack" "$gpuvm" thin "$work/fat.gvp" --store "pack:$served/$title.pack" -o "$work/thin2.gvp"
    same "$work/thin.gvp" "$work/thin2.gvp" "$title: thin"
    cp "$work/fat.gvp" "$served/$title.gvp"
    chmod -R a+rX "$served"
    # Pictures of frames that have none are not asked for.
    for frame in $("$gpuvm" run -q "$work/fat.gvp" --hash xxh3-rgba 2>/dev/null |
        awk '{ frame[NR] = $2 } END { if (NR > 1) print frame[NR]; if (NR > 2) print frame[int(NR / 2) + 1] }'); do
        frame_of "$frame" "$(wc -c <"$work/thin.gvp")"
    done
    rm -rf "$served/$title" "$served/$title.pack" "$served/$title.gvp"
done
[ "$cases" -gt 0 ] || skip "no captures in $corpus"
echo "$cases frames"
finish

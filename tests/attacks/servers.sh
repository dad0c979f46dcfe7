#!/bin/sh
# Servers that are slow, silent, endless or wrong (hostile_server.py): what is asked of them ends,
# with the right bytes or with exit 4 and the URL, in bounded time and memory.
. tests/attacks/lib.sh
command -v python3 >/dev/null || {
    echo "skipped: no python3"
    exit 77
}
make_aerogpu=$(dirname "$(dirname "$hold")")/aerogpu/make_aerogpu
unset http_proxy https_proxy HTTP_PROXY all_proxy ALL_PROXY
export GPUVM_FETCH_CACHE_MB=0
served=$work/served
mkdir "$served"
"$make_aerogpu" demo "$work/demo" && "$gpuvm" compile "$work/demo" --thin --store "$served/folder" \
    -o "$work/thin.gvp" >/dev/null 2>&1 && "$gpuvm" store pack "$served/folder" "$served/pack" >/dev/null || exit 1
python3 "$here/hostile_server.py" "$served" "$work/port" &
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$work"' EXIT
for wait in $(seq 100); do
    [ ! -s "$work/port" ] || break
    sleep 0.1
done
port=$(cat "$work/port") || exit 1

# asked NAME URL SECONDS ALLOWED WAY...: what the command says to a store there.
asked() {
    begin "$1" || return
    url=$2 seconds=$3 codes=$4
    shift 4
    attack "$codes" "127.0.0.1:$port|no source has" --seconds "$seconds" -- "$@" --store "$url"
}

# harm NAME [CODES]: by a folder and a pack. A try is given up after two seconds in which too
# little comes, all of them after eight; what comes slowly may take its time.
harm() {
    for kind in folder pack; do
        url=http://127.0.0.1:$port/$1/$kind
        [ $kind = folder ] || url=pack:$url
        asked "$1-$kind" "$url" 30 "${2:-4}" \
            "$gpuvm" fat "$work/thin.gvp" --fetch-stall 2 -o "$work/fat.gvp"
    done
}
harm ok 0
for name in silent silent_head silent_body silent_middle silent_chunk slow_head slow_lines slow_body \
    slow_bursts slow_answers slow_then_short long_length long_fast long_none long_negative long_two long_huge \
    heads_endless heads_line heads_continue heads_continue_slow heads_hints heads_folded heads_cookies \
    heads_old heads_garbage heads_status heads_switch chunks_of_one chunks_extension chunks_trailers \
    chunks_size body_of_redirect body_of_redirect_slow body_of_404 body_of_404_slow body_of_500 later \
    later_slow loop to_file to_long short reset range_far range_backwards range_unknown range_none \
    range_parts range_cannot; do
    harm $name
done
# What is not asked to be compressed is bytes, whatever its header says.
harm gzip_bomb 0

# As the defaults are: 32 seconds for an object, 12 for one that is asked for once more.
for name in silent silent_head slow_body slow_lines; do
    asked "default-$name" "http://127.0.0.1:$port/$name/folder" 55 4 "$gpuvm" fat "$work/thin.gvp" \
        -o "$work/fat.gvp"
done
asked default-tls "https://127.0.0.1:$port/silent/folder" 55 4 "$gpuvm" fat "$work/thin.gvp" -o "$work/fat.gvp"
if "$gpuvm" devices >/dev/null 2>&1; then
    asked default-run "http://127.0.0.1:$port/silent/folder" 60 4 "$gpuvm" run "$work/thin.gvp"
    asked default-run-pack "pack:http://127.0.0.1:$port/silent/pack" 60 4 "$gpuvm" run "$work/thin.gvp"
    asked default-run-tls "https://127.0.0.1:$port/silent/folder" 60 4 "$gpuvm" run "$work/thin.gvp"
fi
finish

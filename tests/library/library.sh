#!/bin/sh
# The library does what the command line does.
#   library.sh GPUVM MAKE_AEROGPU TEST_LIBRARY [CYCLES]
. tests/cli/lib.sh
gpuvm=$1 make=$2 library=$3
has_device "$gpuvm" || skip "no Vulkan device"
export XDG_CACHE_HOME="$work/cache"
payload=$work/demo.gvp
"$make" demo "$work/demo.aerogputrace" || fail "no capture"
"$gpuvm" compile "$work/demo.aerogputrace" -o "$payload" >/dev/null || fail "no payload"
if [ $# -gt 3 ]; then
    expect 0 "cycles" "$library" cycles "$payload" "$4"
    cat "$work/out"
    finish
fi

"$gpuvm" run "$payload" --hash xxh3-rgba >"$work/golden" 2>/dev/null
[ -s "$work/golden" ] || fail "no hashes"
expect 0 "hashes" "$library" hashes "$payload"
same "$work/out" "$work/golden" "hashes"

"$gpuvm" keyframe -q "$payload" --every 3 -o "$work/keyframes.gvp" >/dev/null || fail "no keyframes"
expect 0 "hashes with keyframes" "$library" hashes "$work/keyframes.gvp"
same "$work/out" "$work/golden" "hashes with keyframes"
expect 0 "seeks" "$library" seeks "$work/keyframes.gvp"

"$gpuvm" compile "$work/demo.aerogputrace" --apart -o "$work/apart.gvp" >/dev/null
"$gpuvm" run "$work/apart.gvp" --calls 500 --screenshot-dir "$work/calls" \
    --screenshot-format raw >/dev/null 2>&1
expect 0 "jumps" "$library" jumps "$work/apart.gvp" 500
says "$work/out" "^[0-9]+ calls linear, [0-9]+ for a jump\$" "jumps"
expect 0 "a command" "$library" command "$work/apart.gvp" 500 "$work/command.raw"
same "$work/command.raw" "$work/calls/call_0000000500.raw" "after a command"

"$gpuvm" compile "$work/demo.aerogputrace" --thin --store "$work/store" \
    -o "$work/thin.gvp" >/dev/null
expect 0 "thin" "$library" thin "$work/thin.gvp" "$work/store"
# From a web server: a payload, a folder, a pack; one that takes a connection and is silent.
"$gpuvm" store pack "$work/store" "$work/web.pack" "$work/thin.gvp" >/dev/null || fail "no pack"
if command -v python3 >/dev/null; then
    (cd "$work" && exec python3 -c '
import http.server, socket
quiet = http.server.SimpleHTTPRequestHandler
class Ranges(quiet):
    def log_message(self, *words): pass
    def do_GET(self):
        wanted, path = self.headers.get("Range"), self.translate_path(self.path)
        if not wanted: return quiet.do_GET(self)
        data = open(path, "rb").read()
        begin, end = wanted[6:].split("-")
        last = len(data) - 1 if not begin or not end else min(int(end), len(data) - 1)
        first = int(begin) if begin else max(0, len(data) - int(end))
        self.send_response(206)
        self.send_header("Content-Range", "bytes %d-%d/%d" % (first, last, len(data)))
        self.send_header("Content-Length", str(last + 1 - first))
        self.end_headers()
        self.wfile.write(data[first:last + 1])
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Ranges)
silent = socket.create_server(("127.0.0.1", 0))
print(server.server_address[1], silent.getsockname()[1], file=open("ports.new", "w"))
import os; os.rename("ports.new", "ports")
server.serve_forever()' >"$work/served" 2>&1) &
    server=$!
    while [ ! -e "$work/ports" ] && kill -0 $server; do sleep 0.1; done
    read -r port silent <"$work/ports"
    site=http://127.0.0.1:$port
    expect 0 "web" "$library" web "$site/thin.gvp" "$site/store" "pack:$site/web.pack"
    expect 0 "silent" "$library" silent "http://127.0.0.1:$silent/x.gvp"
    kill $server
fi
expect 0 "uses" "$library" uses "$payload"

# Its names from outside are those of the map, all of them versioned.
built=build/library
sed -n 's/^ *\(gpuvm_[a-z_]*\);$/\1/p' tools/library/gpuvm.map | sort >"$work/names"
nm -D --defined-only "$built/libgpuvm.so.1" | awk '$2 != "A" { sub(/@@.*/, "", $3); print $3 }' |
    sort >"$work/seen"
same "$work/seen" "$work/names" "names"
nm -g --defined-only "$built/libgpuvm.a" | awk 'NF == 3 { print $3 }' | sort >"$work/static"
same "$work/static" "$work/names" "names of the archive"

# The header in both languages; the examples, against the shared library and the archive.
for compiler in gcc g++ clang clang++; do
    command -v $compiler >/dev/null || continue
    case $compiler in
    *++) language='-x c++ -std=c++17' ;;
    *) language='-x c -std=c11' ;;
    esac
    # shellcheck disable=SC2086 # words are options
    echo '#include <gpuvm.h>' | $compiler $language -Wall -Wextra -pedantic -Werror -Itools/library \
        -fsyntax-only - || fail "$compiler"
done
frames=$(wc -l <"$work/golden")
"$gpuvm" run "$payload" --screenshots $((frames - 1)) --screenshot-dir "$work/frames" \
    --screenshot-format raw >/dev/null 2>&1
libs=$(sed -n 's/^runtime_libs = //p' runtime/runtime.ninja)
for how in "$built/libgpuvm.so.1 -Wl,-rpath,$PWD/$built" \
    "$built/libgpuvm.a $libs -lzstd -lxxhash -lm -lpthread -ldl"; do
    # shellcheck disable=SC2086 # words are arguments
    gcc -std=c11 -Wall -Wextra -I. tests/library/examples/save_frame.c -o "$work/save_frame" \
        $how -lpng || fail "an example does not link"
    expect 0 "save_frame" "$work/save_frame" "$payload" $((frames - 1)) "$work/frame.png"
done
expect 2 "no such frame" "$work/save_frame" "$payload" 99999 "$work/none.png"
# A host in C++ with a device of its own samples each picture; the validation layers are silent.
glslangValidator -V --quiet --target-env vulkan1.3 tests/library/examples/sample_frame.comp \
    -o "$work/sample.spv" || fail "a shader"
g++ -std=c++17 -Wall -Wextra -pedantic -Werror -I. tests/library/examples/own_device.cpp \
    -o "$work/own_device" "$built/libgpuvm.so.1" "-Wl,-rpath,$PWD/$built" -lvulkan || fail "own_device"
"$work/own_device" "$payload" "$work/sample.spv" >"$work/out" 2>"$work/err"
case $? in
0)
    [ "$(grep -c ' same$' "$work/out")" -eq "$frames" ] || fail "own_device: $(cat "$work/out")"
    says "$work/out" '^0 messages$' "no messages"
    ;;
77) echo "own_device: $(cat "$work/err")" ;;
*) fail "own_device: $(tail -n 3 "$work/out" "$work/err")" ;;
esac
if command -v python3 >/dev/null; then
    expect 0 "hash_frames" python3 tests/library/examples/hash_frames.py "$built/libgpuvm.so.1" "$payload"
    sum=$(sha256sum <"$work/frames/frame_$(printf '%06d' $((frames - 1))).raw" | cut -d ' ' -f 1)
    grep -q " $sum\$" "$work/out" || fail "hash_frames: $(tail -n 1 "$work/out"), not $sum"
fi

# The same words: a payload that is cut, one with a wrong byte.
head -c 3000 "$payload" >"$work/cut.gvp"
cp "$payload" "$work/wrong.gvp"
printf '\377' | dd of="$work/wrong.gvp" bs=1 seek=200 conv=notrunc 2>/dev/null
for bad in cut wrong; do
    "$gpuvm" verify "$work/$bad.gvp" 2>&1 >/dev/null | sed "s|^gpuvm: $work/$bad.gvp: ||" >"$work/said"
    expect 0 "$bad" "$library" error "$work/$bad.gvp"
    sed 's/^3 rejected //' "$work/out" | cmp -s - "$work/said" ||
        fail "$bad: $(cat "$work/out"), not $(cat "$work/said")"
done
finish

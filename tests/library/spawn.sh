#!/bin/sh
# Replays in a child do what the command line does, and what ends them ends nothing else.
#   spawn.sh GPUVM PLAYER MAKE_AEROGPU TEST_SPAWN ENDLESS.SPV
. tests/cli/lib.sh
. tests/cli/endless.sh
gpuvm=$1 make=$3 spawn=$4
GPUVM_PLAYER=$2
export GPUVM_PLAYER XDG_CACHE_HOME="$work/cache"
has_device "$gpuvm" || skip "no Vulkan device"
cp "$5" "$work/endless.spv" || fail "no shader"
payload=$work/demo.gvp
"$make" demo "$work/demo" && "$gpuvm" compile "$work/demo" -o "$payload" >/dev/null &&
    "$gpuvm" compile "$work/demo" --thin --store "$work/store" -o "$work/thin.gvp" >/dev/null ||
    fail "no payload"

"$gpuvm" run "$payload" --hash xxh3-rgba >"$work/golden" 2>/dev/null
[ -s "$work/golden" ] || fail "no hashes"
expect 0 "hashes" "$spawn" hashes "$payload"
same "$work/out" "$work/golden" "hashes"
expect 0 "thin" "$spawn" thin "$work/thin.gvp" "$work/store"
expect 0 "ends" "$spawn" ends "$payload"
cat >"$work/exports.gvt" <<'END'
.export bytes buffer
.export picture image R8G8B8A8_UNORM 64 64
.const noise repeat 4096 ( hex 00112233 44556677 8899aabb ccddeeff )
b = buffer_create(65536, STORAGE)
buffer_upload(b, 0, noise)
i = image_create(2D, R8G8B8A8_UNORM, width=64, height=64, usage=SAMPLED)
image_clear_color(i, 0, 1, 0, 1, 1.0, 0, 0, 1.0)
command 1
present(i, width=64, height=64)
post_buffer(bytes, b, size=65536)
post_image(picture, i)
frame_end()
command 2
frame_end()
command 3
image_clear_color(i, 0, 1, 0, 1, 0, 1.0, 0, 1.0)
present(i, width=64, height=64)
frame_end()
END
expect 0 "asm" "$gpuvm" asm "$work/exports.gvt" -o "$work/exports.gvp"
expect 0 "same" "$spawn" same "$payload"
expect 0 "same, with exports" "$spawn" same "$work/exports.gvp"

# Payloads that hurt: the words of the command line.
endless_shader >"$work/endless.gvt"
expect 0 "asm" "$gpuvm" asm "$work/endless.gvt" -o "$work/endless.gvp"
"$gpuvm" run "$work/endless.gvp" --timeout 1 2>&1 | sed -n "s|^gpuvm: $work/endless.gvp: |6 lost |p" >"$work/said"
[ -s "$work/said" ] || fail "run says nothing of an endless shader"
expect 0 "endless" "$spawn" endless "$work/endless.gvp"
same "$work/out" "$work/said" "what is said of an endless shader"
head -c 3000 "$payload" >"$work/cut.gvp"
cp "$payload" "$work/wrong.gvp"
printf '\377' | dd of="$work/wrong.gvp" bs=1 seek=200 conv=notrunc 2>/dev/null
for bad in cut wrong; do
    "$gpuvm" verify "$work/$bad.gvp" 2>&1 >/dev/null |
        sed "s|^gpuvm: $work/$bad.gvp: |3 rejected |" >"$work/said"
    expect 0 "$bad" "$spawn" error "$work/$bad.gvp"
    same "$work/out" "$work/said" "what is said of a payload that is $bad"
done

# The example, against the library that is installed.
built=build/library
gcc -std=c11 -Wall -Wextra -pedantic -Werror -I. tests/library/examples/spawn_frame.c -o "$work/spawn_frame" \
    "$built/libgpuvm.so.1" "-Wl,-rpath,$PWD/$built" || fail "an example does not link"
if "$2" --version | sed 's/.* //' | grep -qxF "$("$gpuvm" --version | sed 's/.* //')"; then
    expect 0 "spawn_frame" "$work/spawn_frame" "$payload"
    [ "$(cut -d ' ' -f 2 "$work/out" | sort | uniq -c | tr -d ' ')" = \
        "$(cut -f 3 "$work/golden" | sort | uniq -c | tr -d ' ')" ] || fail "spawn_frame: $(cat "$work/out")"
fi
expect 3 "spawn_frame" "$work/spawn_frame" "$work/cut.gvp"
expect 2 "--serve by hand" "$2" --serve
says "$work/err" "is for libgpuvm" "--serve by hand"
finish

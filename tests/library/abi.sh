#!/bin/sh
# A program that was built with version 1 of the library runs with this one, and what the
# library shows is what it promised to.
#   abi.sh GPUVM
. tests/cli/lib.sh
gpuvm=$1 built=build/library kept=tests/library/abi
has_device "$gpuvm" || skip "no Vulkan device"
export XDG_CACHE_HOME="$work/cache"

# Its list, with versions, is the package's: the words that are kept.
sed -n 's/^ \(gpuvm_[a-z_]*@LIBGPUVM_[0-9]*\) .*/\1/p' debian/libgpuvm1.symbols | LC_ALL=C sort >"$work/promised"
nm -D --defined-only "$built/libgpuvm.so.1" | awk '$2 != "A" { sub(/@@/, "@", $3); print $3 }' |
    LC_ALL=C sort >"$work/shown"
same "$work/shown" "$work/promised" "what nm -D lists"
LC_ALL=C comm -23 "$kept/old_symbols.txt" "$work/shown" >"$work/gone"
[ ! -s "$work/gone" ] || fail "gone: $(cat "$work/gone")"

# The library of that time, as far as a linker looks at it: its names, their version.
sed 's/@.*//' "$kept/old_symbols.txt" >"$work/names"
sed 's/.*/void &(void);\nvoid &(void) { }/' "$work/names" >"$work/old.c"
{
    echo "LIBGPUVM_1 { global:"
    sed 's/$/;/' "$work/names"
    echo "local: *; };"
} >"$work/old.map"
gcc -shared -fPIC "$work/old.c" -o "$work/libgpuvm.so.1" -Wl,-soname,libgpuvm.so.1 \
    -Wl,--version-script="$work/old.map" || fail "the old library"
flags="-std=c11 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -pedantic -Werror -I."
# shellcheck disable=SC2086 # words are options
gcc $flags "$kept/old_host.c" -o "$work/old_host" "$work/libgpuvm.so.1" || fail "the old program"
nm -D --undefined-only "$work/old_host" | awk '/gpuvm_/ { print $2 }' | LC_ALL=C sort >"$work/needed"
same "$work/needed" "$kept/old_symbols.txt" "what the old program needs"
# The same source with the header of today: structs lie as they did.
sed 's|"tests/library/abi/gpuvm_1.h"|"tools/library/gpuvm.h"|' "$kept/old_host.c" >"$work/new_host.c"
# shellcheck disable=SC2086
gcc $flags "$work/new_host.c" -o "$work/new_host" "$built/libgpuvm.so.1" || fail "structs of today"

cat >"$work/scene.gvt" <<'END'
.export bytes buffer
.const noise repeat 4096 ( hex 00112233 44556677 8899aabb ccddeeff )
b = buffer_create(65536, STORAGE)
buffer_upload(b, 0, noise)
i = image_create(2D, R8G8B8A8_UNORM, width=64, height=64, usage=SAMPLED)
image_clear_color(i, 0, 1, 0, 1, 1.0, 0, 0, 1.0)
command 1
present(i, width=64, height=64)
post_buffer(bytes, b, size=65536)
frame_end()
command 2
image_clear_color(i, 0, 1, 0, 1, 0, 1.0, 0, 1.0)
present(i, width=64, height=64)
frame_end()
END
expect 0 "asm" "$gpuvm" asm "$work/scene.gvt" -o "$work/scene.gvp"
export LD_LIBRARY_PATH="$PWD/$built"
expect 0 "the new program" "$work/new_host" "$work/scene.gvp" "$work"
cp "$work/out" "$work/new"
expect 0 "the old program" "$work/old_host" "$work/scene.gvp" "$work"
same "$work/out" "$work/new" "what both print"
says "$work/out" '^65536 bytes, format ' "an export"
[ "$(grep -c '^64x64 [0-9a-f]*$' "$work/out")" -eq 2 ] || fail "pictures: $(cat "$work/out")"
finish

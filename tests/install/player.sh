#!/bin/sh
# The player is small and asks little of a device: no compiler, and what only some payloads
# need (libcurl, SDL2) is loaded when it is needed.
#   player.sh PLAYER
. tests/cli/lib.sh
strip -o "$work/player" "$1" || fail "strip"
size=$(stat -c %s "$work/player")
[ "$size" -lt 2500000 ] || fail "stripped it has $size bytes, not under 2500000"
expect 0 "stripped" "$work/player" --version
objdump -p "$1" | awk '$1 == "NEEDED" { print $2 }' | grep -v '^ld-linux' | sort >"$work/needed"
printf '%s\n' libc.so.6 libm.so.6 libstdc++.so.6 libzstd.so.1 >"$work/wanted"
grep -vxFf "$work/wanted" "$work/needed" >"$work/more" && fail "it needs $(cat "$work/more")"
# Packed relocations need a loader that the package has to ask for.
if objdump -p "$1" | grep -q GLIBC_ABI_DT_RELR; then
    sed -n '/^Package: gpuvm-player/,/^$/p' debian/control | grep -q '^Depends:.*libc6 (>= 2\.36)' ||
        fail "debian/control: the player's loader is of glibc 2.36"
fi
# Names of glslang, of SPIRV-Cross, of SPIRV-Tools' optimizer, and what calls a compiler.
nm -C "$1" | grep -E 'glslang|spirv_cross|spvtools::opt::|gv_compile$|gv_glsl' | head -n 3 >"$work/more"
[ ! -s "$work/more" ] || fail "a compiler in it: $(cat "$work/more")"
echo "$size bytes"
# What is inside that is not named as a dependency: by the linker's command.
expect 0 "built using" tools/built-using.sh build/gpuvm-player
for source in libdeflate libseccomp nettle spirv-tools; do
    says "$work/out" "(^|, )$source \\(= [^)]+\\)" "built using $source"
done
grep -q glibc "$work/out" && fail "built using what is shared"
expect 1 "of no program" tools/built-using.sh build/none
finish

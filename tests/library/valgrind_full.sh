#!/bin/sh
# The example that saves a PNG, under valgrind: nothing of ours is lost, read too far or used
# before it has a value. What drivers lose among themselves is theirs.
#   valgrind_full.sh GPUVM MAKE_AEROGPU
. tests/cli/lib.sh
gpuvm=$1 make=$2 built=build/library
command -v valgrind >/dev/null || skip "no valgrind"
has_device "$gpuvm" || skip "no Vulkan device"
export XDG_CACHE_HOME="$work/cache"
"$make" demo "$work/demo" && "$gpuvm" compile "$work/demo" -o "$work/demo.gvp" >/dev/null || fail "no payload"
gcc -g -std=c11 -I. tests/library/examples/save_frame.c -o "$work/save_frame" \
    "$built/libgpuvm.so.1" "-Wl,-rpath,$PWD/$built" -lpng || fail "the example"
# Valgrind knows no AVX-512, which lavapipe would use.
GALLIUM_OVERRIDE_CPU_CAPS=sse4.1 expect 0 "save_frame" valgrind --leak-check=full \
    --show-leak-kinds=definite,indirect --num-callers=60 "$work/save_frame" "$work/demo.gvp" 1 "$work/frame.png"
says "$work/err" 'ERROR SUMMARY' "valgrind"
[ -s "$work/frame.png" ] || fail "no picture"
# Who is at fault is the first in a stack that is not valgrind's own malloc, memcpy and such.
awk '/ at 0x/ { looking = 1 }
    looking && / (at|by) 0x/ && !/vgpreload_/ { looking = 0; print }' "$work/err" |
    grep -E '(gv_|gpuvm_)[a-z_]+ \(|libgpuvm|save_frame\.c' >"$work/ours" && fail "$(cat "$work/ours")"
grep 'definitely lost\|ERROR SUMMARY' "$work/err"
finish

#!/bin/sh
# A thousand small pipelines within --mem-mb 208, in the child, whose addresses the kernel
# bounds.
#   many_pipelines.sh GPUVM LATER_SPV
. tests/cli/lib.sh
gpuvm=$1 shader=$(realpath "$2")
has_device "$gpuvm" || skip "no Vulkan device"
export XDG_CACHE_HOME="$work/cache"
cat >"$work/text" <<END
.const shader file "$(basename "$shader")"
.compute step {
    binding 3 0 STORAGE_BUFFER COMPUTE
    binding 3 1 STORAGE_BUFFER COMPUTE
}
cs = shader_create(shader)
loop 1000
kept = pipeline_create_compute(desc=step, compute=cs)
loop_end
frame_end()
END
expect 0 "assemble" "$gpuvm" asm "$work/text" --include "$(dirname "$shader")" -o "$work/x.gvp"
expect 0 "a thousand pipelines" "$gpuvm" run "$work/x.gvp" --mem-mb 208
expect 5 "more than memory holds" "$gpuvm" run "$work/x.gvp" --mem-mb 64
finish

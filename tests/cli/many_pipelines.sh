#!/bin/sh
# A thousand small pipelines within --mem-mb 208, in the child, whose addresses the kernel
# bounds; many that run for the first time in one frame.
#   many_pipelines.sh GPUVM LATER_SPV INCREMENT_SPV
. tests/cli/lib.sh
gpuvm=$1 shader=$(realpath "$2") increment=$(realpath "$3")
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

# Software drivers compile a pipeline when it runs: 60 that do so in one frame are no single
# submission, of which nobody could tell that it goes on. Those that ran before are.
cat >"$work/text" <<END
.const shader file "$(basename "$increment")"
.compute increment {
    binding 3 0 STORAGE_BUFFER COMPUTE
}
cs = shader_create(shader)
a = buffer_create(1024, STORAGE)
bind_buffer(3, 0, 0, a)
loop 60
p = pipeline_create_compute(desc=increment, compute=cs)
bind_pipeline(p)
dispatch(1, 1, 1)
loop_end
frame_end()
loop 60
dispatch(1, 1, 1)
loop_end
frame_end()
END
expect 0 "assemble" "$gpuvm" asm "$work/text" --include "$(dirname "$increment")" -o "$work/x.gvp"
if [ "$("$gpuvm" devices --json | grep -c '"type":"cpu"')" -gt 0 ]; then
    expect 0 "run for the first time" "$gpuvm" run "$work/x.gvp" --stats
    says "$work/out" "^stat	submissions	11$" "few first runs in a submission"
fi
finish

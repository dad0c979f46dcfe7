#!/bin/sh
# Cancelling from another thread, in each phase.
#   cancel.sh GPUVM MAKE_AEROGPU TEST_CANCEL ENDLESS.SPV STEP.SPV
. tests/cli/lib.sh
gpuvm=$1 make=$2 cancel=$3
has_device "$gpuvm" || skip "no Vulkan device"
export XDG_CACHE_HOME="$work/cache"
cp "$4" "$work/endless.spv" && cp "$5" "$work/step.spv" || fail "no shader"
"$make" demo "$work/demo" && "$gpuvm" compile "$work/demo" -o "$work/demo.gvp" >/dev/null &&
    "$gpuvm" compile "$work/demo" --thin --store "$work/store" -o "$work/thin.gvp" >/dev/null ||
    fail "no payload"

# cancelled PHASE PAYLOAD [MILLISECONDS]
cancelled() {
    expect 0 "$*" "$cancel" "$@"
    sed "s|^|$(basename "$2"): |" "$work/out"
}
cancelled pipe "$work/demo.gvp"
cancelled server none
cancelled object "$work/thin.gvp"
expect 0 "much code" "$cancel" write "$work/long.gvp"
expect 0 "much code" "$gpuvm" verify "$work/long.gvp"
cancelled verify "$work/long.gvp"

# Pipelines, one like the other but for a constant, each of them used.
{
    echo '.resource words file "step.spv"'
    for i in $(seq 600); do
        echo ".compute d$i {
            binding 3 0 STORAGE_BUFFER COMPUTE
            binding 3 1 STORAGE_BUFFER COMPUTE
            binding 3 2 STORAGE_IMAGE COMPUTE
            spec COMPUTE 0 $i
        }"
    done
    echo 's = shader_create(words)
b = buffer_create(64, STORAGE)
i = image_create(2D, R32_UINT, width=1, height=1, usage=STORAGE)
bind_buffer(set=3, binding=0, buffer=b)
bind_buffer(set=3, binding=1, buffer=b)
bind_storage_image(3, 2, 0, i, 2D)'
    for i in $(seq 600); do
        echo "p$i = pipeline_create_compute(desc=d$i, compute=s)
bind_pipeline(p$i)
dispatch(1, 1, 1)"
    done
    echo "frame_end()"
} >"$work/pipelines.gvt"
# Modules, each to be looked at; a shader that does not end; code that does not.
{
    for i in $(seq 100); do
        echo ".resource m$i u32 ( 0x07230203 0x00010600 0 9 0   # magic, version, bound
            0x00020011 1   0x0003000e 0 1                       # Shader, memory model
            0x0005000f 5 1 0x6e69616d 0   0x00060010 1 17 1 1 1 # main, of one invocation
            0x00030004 $((0x20202020 + i)) 0                    # the remark
            0x00020013 2   0x00030021 3 2   0x00040015 4 32 0   # void, function, uint
            0x00040020 5 7 4   0x0004002b 4 6 1                 # pointer, the constant 1
            0x00050036 2 1 0 3   0x000200f8 7   0x0004003b 5 8 7
            ) repeat 20000 ( u32 0x0003003e 8 6                 # stores
            ) u32 ( 0x000100fd 0x00010038 )"
    done
    for i in $(seq 100); do
        echo "s$i = shader_create(m$i)"
    done
    echo "frame_end()"
} >"$work/modules.gvt"
cat >"$work/endless.gvt" <<'END'
.resource words file "endless.spv"
.compute d { binding 3 0 STORAGE_BUFFER COMPUTE }
s = shader_create(words)
p = pipeline_create_compute(desc=d, compute=s)
b = buffer_create(64, STORAGE)
bind_pipeline(p)
bind_buffer(set=3, binding=0, buffer=b)
dispatch(60000, 60000, 1)
frame_end()
END
cat >"$work/loops.gvt" <<'END'
loop 1000000000
loop 4000000000
push 1
drop
loop_end
loop_end
frame_end()
END
cat >"$work/frames.gvt" <<'END'
i = image_create(2D, R8G8B8A8_UNORM, width=512, height=512, usage=SAMPLED)
loop 1000000
image_clear_color(i, 0, 1, 0, 1, 1.0, 0, 0, 1.0)
loop_end
present(i, width=512, height=512)
frame_end()
END
for what in pipelines modules loops frames endless; do
    expect 0 "asm $what" "$gpuvm" asm "$work/$what.gvt" -o "$work/$what.gvp"
    # What the device does not give back is left to the end of the process.
    [ $what != endless ] || export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0"
    cancelled run "$work/$what.gvp"
done
finish

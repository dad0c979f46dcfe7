#!/bin/sh
# Cancelling from another thread, in each phase.
#   cancel.sh GPUVM MAKE_AEROGPU TEST_CANCEL ENDLESS.SPV STEP.SPV
. tests/cli/lib.sh
. tests/cli/endless.sh
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
{
    long_modules 100
    for i in $(seq 100); do
        echo "s$i = shader_create(m$i)"
    done
    echo "frame_end()"
} >"$work/modules.gvt"
endless_shader >"$work/endless.gvt"
endless_loops >"$work/loops.gvt"
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

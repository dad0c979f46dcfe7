#!/bin/sh
# Payloads that ask for memory without end: each call in a loop, each object hoarded. Every
# process together stays below --mem-mb and 300 MB.
#   memory.sh GPUVM PEAK_MEMORY SHADERS [NAME]
. tests/cli/lib.sh
gpuvm=$1 hold=$2 shaders=$(realpath "$3") only=${4-}
has_device "$gpuvm" || skip "no Vulkan device"
export XDG_CACHE_HOME="$work/cache"
case $gpuvm in
*/asan/*) skip "sanitizers take memory of their own" ;;
esac
limit_mb=64 over=0 count=0

# What the programs share. Names of files count from $shaders.
prologue() {
    cat <<'END'
.const vs file "cover.vert.spv"
.const fs file "solid.frag.spv"
.const cs file "later.comp.spv"
.const ts file "texture_2d.frag.spv"
.const four u32 ( 1 1 1 1 )
.const page zero 4096
.const large zero 1048576
.const colour f32 ( 1 0 0 1 )
.export out buffer
.export picture image R8G8B8A8_UNORM 4 4
.graphics gd {
    color 0 R8G8B8A8_UNORM
    binding 1 0 UNIFORM_BUFFER_DYNAMIC FRAGMENT
}
.graphics td {
    color 0 R8G8B8A8_UNORM
    binding 2 0 COMBINED_IMAGE_SAMPLER FRAGMENT
}
.compute cd {
    binding 3 0 STORAGE_BUFFER COMPUTE
    binding 3 1 STORAGE_BUFFER COMPUTE
}
.sampler sd { }
END
}

# Objects that programs may use.
objects() {
    cat <<'END'
v = shader_create(vs)
f = shader_create(fs)
t = shader_create(ts)
c = shader_create(cs)
pg = pipeline_create_graphics(desc=gd, vertex=v, fragment=f)
pt = pipeline_create_graphics(desc=td, vertex=v, fragment=t)
pc = pipeline_create_compute(desc=cd, compute=c)
a = buffer_create(65536, STORAGE|INDIRECT|INDEX|VERTEX)
b = buffer_create(65536, STORAGE)
x = image_create(2D, R8G8B8A8_UNORM, width=4, height=4, mips=3, usage=COLOR_ATTACHMENT|SAMPLED)
y = image_create(2D, R8G8B8A8_UNORM, width=4, height=4, usage=COLOR_ATTACHMENT|SAMPLED)
m = image_create(2D, R8G8B8A8_UNORM, width=4, height=4, samples=4, usage=COLOR_ATTACHMENT)
d = image_create(2D, D32_SFLOAT, width=4, height=4, usage=DEPTH_STENCIL_ATTACHMENT)
q = query_create(OCCLUSION, 64)
s = query_create(TIMESTAMP, 64)
buffer_upload(a, 0, four)
bind_pipeline(pg)
bind_pipeline(pc)
bind_uniform_bytes(1, 0, colour)
bind_buffer(set=3, binding=0, buffer=b)
bind_buffer(set=3, binding=1, buffer=b)
bind_index_buffer(a, 32, UINT16)
set_viewport(0, 0, 0, 4, 4, 0, 1)
set_scissor(0, 0, 0, 4, 4)
END
}

# run NAME: the program $work/text runs to its end, or to an error that is exhaustion.
run() {
    [ -z "$only" ] || [ "$only" = "$1" ] || return
    count=$((count + 1))
    expect 0 "$1: assemble" "$gpuvm" asm "$work/text" --include "$shaders" -o "$work/x.gvp" ||
        return
    "$hold" "$work/report" --seconds 300 -- "$gpuvm" run "$work/x.gvp" --mem-mb $limit_mb \
        --export out="$work/out.bin" >"$work/out" 2>"$work/err"
    IFS='	' read -r code peak _ <"$work/report"
    echo "$1: $code, $peak MiB: $(head -n 1 "$work/err")"
    case $code in
    exit:0 | exit:5) ;;
    *) fail "$1: $code" ;;
    esac
    [ $peak -lt $((limit_mb + 286)) ] || { # MiB; 300 MB
        fail "$1: $peak MiB with --mem-mb $limit_mb"
        over=$((over + 1))
    }
}

# attack NAME TIMES BODY: the body in a loop, and the end of a frame.
attack() {
    {
        prologue
        objects
        echo 'post_buffer(out, b, 0, 4)'
        printf 'loop %d\n%s\nloop_end\nframe_end()\n' "$2" "$3"
    } >"$work/text"
    run "$1"
}

# in_pass NAME TIMES BODY: the same inside one pass.
in_pass() {
    {
        prologue
        objects
        printf 'post_buffer(out, b, 0, 4)\npass_color(image=x)\npass_begin(4, 4, 1)\n'
        printf 'loop %d\n%s\nloop_end\npass_end()\nframe_end()\n' "$2" "$3"
    } >"$work/text"
    run "$1"
}

n=1000000
attack fill $n 'buffer_fill(b, 0, 64, 1)'
attack copy $n 'buffer_copy(a, 0, b, 0, 64)'
attack copy_rows 40000 'buffer_copy_rows(a, 0, 16, b, 0, 16, 8, 200)'
attack upload $n 'buffer_upload(b, 0, four)'
attack upload_large 3000 'buffer_upload(a, 0, large, 65536)'
attack upload_rows 40000 'buffer_upload_rows(b, 0, 4, 64, 200, page, 800)'
attack map 200000 'k = buffer_map(b, 0, 64)
buffer_unmap(k)'
attack map_flush 60000 'k = buffer_map(b, 0, 64)
loop 8
map_flush(k, 0, 64)
loop_end
buffer_unmap(k)'
attack image_upload 200000 'image_upload(x, width=4, height=4, data=page, size=64)'
attack image_copy 200000 'image_copy(dst=x, src=y, width=4, height=4)'
attack blit 200000 'image_blit(dst=x, dst_x1=4, dst_y1=4, dst_z1=1, src=y, src_x1=2, src_y1=2, src_z1=1)'
attack resolve 100000 'image_resolve(dst=x, src=m, width=4, height=4)'
attack mipmaps 60000 'image_mipmaps(x, 0, 3, 0, 1)'
attack clear 200000 'image_clear_color(x, 0, 3, 0, 1)'
attack clear_depth 200000 'image_clear_depth_stencil(d, DEPTH, 0, 1, 0, 1)'
attack to_buffer 200000 'image_to_buffer(b, 0, image=y, width=4, height=4)'
attack to_image 200000 'buffer_to_image(y, width=4, height=4, buffer=b)'
attack passes 150000 'pass_color(image=x)
pass_begin(4, 4, 1)
pass_end()'
attack query_reset $n 'query_reset(q, 0, 64)'
attack queries 100000 'query_reset(q, 0, 1)
query_begin(q, 0)
query_end(q, 0)'
attack query_copy 20000 'query_reset(s, 0, 64)
query_timestamp(s, 0)
query_copy(s, 0, 1, b, 0, 8, 1)'
attack timestamps $n 'query_reset(s, 0, 1)
query_timestamp(s, 0)'
attack dispatches 50000 'dispatch(1, 1, 1)'
attack dispatches_indirect 20000 'dispatch_indirect(a, 0)'
attack present 100000 'present(x, width=4, height=4)'
attack posts 300000 'post_buffer(out, b, 0, 4, true)'
attack posts_large 4000 'post_buffer(out, b, 0, 65536, true)'
attack posts_of_images 50000 'post_image(picture, x)'
in_pass draws 100000 'draw(3)'
in_pass draws_of_bytes 100000 'bind_uniform_bytes(1, 0, colour)
draw(3)'
in_pass draws_indirect 20000 'draw_indirect(a, 0, 1, 16)'
in_pass draws_indexed 50000 'draw_indexed(3)'
in_pass clears_inside 100000 'clear_color(0, 0, 0, 4, 4, 0, 1)'
in_pass queries_inside 20000 'draw(3)'

# Made and destroyed.
attack buffers_churn 150000 'o = buffer_create(64, STORAGE)
buffer_destroy(o)'
attack images_churn 10000 'o = image_create(2D, R8G8B8A8_UNORM, width=4, height=4, usage=SAMPLED)
image_destroy(o)'
attack samplers_churn $n 'o = sampler_create(sd)
sampler_destroy(o)'
attack shaders_churn 100000 'o = shader_create(fs)
shader_destroy(o)'
attack compute_churn 2500 'buffer_fill(b, 0, 4, 0)
o = pipeline_create_compute(desc=cd, compute=c)
pipeline_destroy(o)'
attack graphics_churn 2500 'buffer_fill(b, 0, 4, 0)
o = pipeline_create_graphics(desc=gd, vertex=v, fragment=f)
pipeline_destroy(o)'
attack queries_churn 3000 'buffer_fill(b, 0, 4, 0)
o = query_create(OCCLUSION, 4096)
query_destroy(o)'
in_pass pipelines_inside 2500 'o = pipeline_create_graphics(desc=gd, vertex=v, fragment=f)
pipeline_destroy(o)'
attack uniforms_churn $n 'bind_uniform_bytes(1, 0, colour)'
attack bind_churn $n 'bind_buffer(set=3, binding=0, buffer=b)'

# Made and kept: as many as there may be, and more than memory holds.
attack buffers_kept 1000000 'o = buffer_create(4, STORAGE)'
attack buffers_used 300000 'o = buffer_create(4, STORAGE)
buffer_fill(o, 0, 4, 1)'
attack images_kept 300000 'o = image_create(2D, R8G8B8A8_UNORM, width=1, height=1, usage=SAMPLED)'
attack samplers_kept 1000000 'o = sampler_create(sd)'
attack shaders_kept 1000000 'o = shader_create(fs)'
attack compute_kept 100000 'o = pipeline_create_compute(desc=cd, compute=c)'
attack graphics_kept 100000 'o = pipeline_create_graphics(desc=gd, vertex=v, fragment=f)'
attack queries_kept 100000 'o = query_create(OCCLUSION, 1)'
attack queries_large 2000 'o = query_create(OCCLUSION, 65536)'
attack maps_kept 1000000 'o = buffer_map(b, 0, 64)'

# Code: translated at once, 24 bytes for each.
{
    prologue
    objects
    awk 'BEGIN { for (i = 0; i < 400000; i++) print "push 0\ndrop" }'
    echo 'post_buffer(out, b, 0, 4)'
    echo 'frame_end()'
} >"$work/text"
run code
echo "$over of $count above $limit_mb + 286 MiB"
finish

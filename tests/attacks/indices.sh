#!/bin/sh
# Each kind of memory that a shader indexes (memories.tsv, stages.tsv), read, written and with
# atomics, far outside, before its begin and just behind its end. What is read is an element
# or nothing, and neighbours stay as they are; or the shader is refused.
. tests/attacks/lib.sh
needs_device
export GPUVM_TIMEOUT=60 # compiling may take long

# compile FILE: GLSL to FILE.spv.
compile() {
    glslangValidator -V --quiet --target-env vulkan1.3 -o "$1.spv" "$1" >made-err 2>&1 &&
        return 0
    failed "cannot be compiled	0	0	-	$(head -n 1 made-err)"
    cd "$top" || exit 1
    return 1
}

# shader DECLARATIONS SET-UP ACCESS
shader() {
    for text in "$@"; do
        [ "$text" != - ] || text=
        set -- "$@" "$text"
        shift
    done
    cat <<GLSL
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : enable
#extension GL_EXT_nonuniform_qualifier : enable
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) uniform Where { int where; };
layout(set = 3, binding = 0) buffer Data { uint found[]; };
layout(set = 3, binding = 1) buffer Guard { uint guard[]; };
$1
void main()
{
    uint lane = gl_LocalInvocationIndex, v = 7u, near = 0u;
    uint before[16], after[16];
    for (int i = 0; i < 16; i++)
        before[i] = after[i] = 5u;
    $2
    barrier();
    $3
    barrier();
    for (int i = 0; i < 16; i++)
        near += before[i] + after[i] + guard[i];
    if (lane == 0u) {
        found[0] = v;
        found[1] = near;
    }
}
GLSL
}

compute_payload() {
    cat <<GVT
.resource cs file "a.comp.spv"
.export data buffer
.const where i32 ( $1 0 0 0 )
.compute d {
    binding 0 0 UNIFORM_BUFFER_DYNAMIC COMPUTE
    binding 0 1 UNIFORM_BUFFER count=2 COMPUTE
    binding 2 0 COMBINED_IMAGE_SAMPLER count=2 COMPUTE
    binding 2 1 UNIFORM_TEXEL_BUFFER COMPUTE
    binding 3 0 STORAGE_BUFFER COMPUTE
    binding 3 1 STORAGE_BUFFER COMPUTE
    binding 3 2 STORAGE_BUFFER count=2 COMPUTE
    binding 3 3 STORAGE_IMAGE count=2 COMPUTE
    binding 3 4 STORAGE_TEXEL_BUFFER COMPUTE
}
.sampler ds { max_lod = 1000 }
cs_module = shader_create(cs)
p = pipeline_create_compute(desc=d, compute=cs_module)
s = sampler_create(ds)
guard0 = buffer_create(64, STORAGE)
rows = buffer_create(64, STORAGE|UNIFORM|UNIFORM_TEXEL|STORAGE_TEXEL)
guard = buffer_create(64, STORAGE)
more = buffer_create(64, STORAGE|UNIFORM)
kept = buffer_create(64, STORAGE)
i = image_create(2D, R32_UINT, width=4, height=4, usage=STORAGE|SAMPLED)
j = image_create(2D, R32_UINT, width=4, height=4, usage=STORAGE|SAMPLED)
buffer_fill(guard0, 0, 64, 5)
buffer_fill(guard, 0, 64, 5)
buffer_fill(rows, 0, 64, 7)
buffer_fill(more, 0, 64, 7)
image_clear_color(i, 0, 1, 0, 1, 7, 7, 7, 7)
image_clear_color(j, 0, 1, 0, 1, 7, 7, 7, 7)
bind_pipeline(p)
bind_uniform_bytes(0, 0, where)
bind_buffer(0, 1, 0, rows)
bind_buffer(0, 1, 1, more)
bind_texture(2, 0, 0, i, 2D, swizzle=iiii, sampler=s)
bind_texture(2, 0, 1, j, 2D, swizzle=iiii, sampler=s)
bind_texel_buffer(2, 1, 0, rows, 0, 64, R32_UINT)
bind_buffer(3, 0, 0, kept)
bind_buffer(3, 1, 0, guard)
bind_buffer(3, 2, 0, rows)
bind_buffer(3, 2, 1, more)
bind_storage_image(3, 3, 0, i, 2D)
bind_storage_image(3, 3, 1, j, 2D)
bind_texel_buffer(3, 4, 0, rows, 0, 64, R32_UINT)
dispatch(1, 1, 1)
post_buffer(data, kept, size=8)
frame_end()
GVT
}

# What a run that ends with 0 has to have found: 7 or nothing, and guards of 5.
found_well() {
    set -- $(od -An -tu4 -v data 2>/dev/null)
    case "${1:-}" in 0 | 7) ;; *)
        echo "read ${1:-nothing}"
        return
        ;;
    esac
    [ "$2" = 240 ] || echo "neighbours sum up to $2"
}

# at_indices NAME LENGTH RUN: RUN for each of the three indices. NAME-far and so on.
at_indices() {
    "$3" "$1-far" 100000000
    "$3" "$1-negative" -400
    "$3" "$1-behind" "$2"
}

in_memory() {
    begin "$1" || return
    cp "$work/a.comp.spv" . && compute_payload "$2" | make_here || return
    attack "0 3" - -- "$gpuvm" run a.gvp --export data=data
}

# Shaders of this folder instead of those of the tests.
make_here() {
    shaders=. make a
}

tab=$(printf '\t')
check=found_well
while IFS=$tab read -r memory declarations set_up read write atomic; do
    case $memory in \#*) continue ;; esac
    for access in read write atomic; do
        eval "text=\$$access"
        [ "$text" != - ] || continue
        name=$part/$memory-$access
        shader "$declarations" "$set_up" "$text" >"$work/a.comp"
        cd "$work" && compile a.comp || continue
        cd "$top" || exit 1
        case $memory in
        *rows | *vector | vector | matrix | constant | *component | uniform | shared-rows) length=4 ;;
        *buffers | textures | images) length=2 ;;
        private-large) length=2048 ;;
        *) length=16 ;;
        esac
        at_indices "$memory-$access" $length in_memory
    done
done <"$here/memories.tsv"

# stage STAGE STATEMENTS: the shader of a stage, which ends with the statements.
stage() {
    echo "#version 460"
    echo "layout(set = 0, binding = 0) uniform Where { int where; };"
    case $1 in
    vert)
        echo "out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[3]; };
layout(location = 0) out float many[4];
layout(location = 4) out float shade;
layout(location = 5) out float first;
void main() {
    gl_Position = vec4[3](vec4(-1, -1, 0, 1), vec4(3, -1, 0, 1), vec4(-1, 3, 0, 1))[gl_VertexIndex % 3];
    for (int i = 0; i < 3; i++) gl_ClipDistance[i] = 1.0;
    for (int i = 0; i < 4; i++) many[i] = 0.5;
    shade = first = 0.5;"
        ;;
    tesc)
        echo "layout(vertices = 3) out;
in gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[3]; } gl_in[];
layout(location = 0) in float many[][4];
layout(location = 0) out float one[];
layout(location = 1) patch out float shades[3];
void main() {
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
    one[gl_InvocationID] = 0.5;
    for (int i = 0; i < 4; i++) gl_TessLevelOuter[i] = 1.0;
    gl_TessLevelInner[0] = gl_TessLevelInner[1] = 1.0;
    for (int i = 0; i < 3; i++) shades[i] = 0.5;"
        ;;
    tese)
        echo "layout(triangles) in;
layout(location = 0) in float one[];
layout(location = 1) patch in float shades[3];
layout(location = 0) out float many[4];
layout(location = 4) out float shade;
layout(location = 5) out float first;
out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[3]; };
void main() {
    gl_Position = gl_in[0].gl_Position * gl_TessCoord.x + gl_in[1].gl_Position * gl_TessCoord.y +
        gl_in[2].gl_Position * gl_TessCoord.z;
    for (int i = 0; i < 3; i++) gl_ClipDistance[i] = 1.0;
    for (int i = 0; i < 4; i++) many[i] = 0.5;
    shade = first = 0.5;"
        ;;
    geom)
        echo "layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
in gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[3]; } gl_in[];
layout(location = 0) in float many[][4];
layout(location = 0) out float gave[4];
layout(location = 4) out float shade;
layout(location = 5) out float first;
out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[3]; };
void main() {
    float gives = 0.5;"
        ;;
    frag)
        echo "layout(location = 0) in float many[4];
layout(location = 4) in float shade;
layout(location = 5) sample in float first;
in float gl_ClipDistance[3];
layout(location = 0) out vec4 target;
void main() {
    target = vec4(many[0], shade, first, 0.5);"
        ;;
    esac
    echo "    $2"
    [ "$1" != geom ] || echo "    for (int i = 0; i < 3; i++) {
        gl_Position = gl_in[i].gl_Position;
        for (int k = 0; k < 3; k++) gl_ClipDistance[k] = 1.0;
        for (int k = 0; k < 4; k++) gave[k] = 0.5;
        shade = first = gives;
        EmitVertex();
    }"
    echo "}"
}

# graphics_payload INDEX STAGES
graphics_payload() {
    between= topology= modules="vertex=v, fragment=f"
    case $2 in
    *tesc*)
        modules="$modules, tessellation_control=tc, tessellation_evaluation=te"
        topology="topology = PATCH_LIST
patch_control_points = 3"
        between="tcs tc tesc
tes te tese"
        ;;
    *geom*)
        modules="$modules, geometry=g"
        between="gs g geom"
        ;;
    esac
    printf 'vs v vert\nfs f frag\n%s\n' "$between" | sed '/^$/d' |
        while read -r resource module file; do
            echo ".resource $resource file \"a.$file.spv\""
        done
    cat <<GVT
.const where i32 ( $1 0 0 0 )
.graphics d {
    color 0 R8G8B8A8_UNORM
    samples = 4
    binding 0 0 UNIFORM_BUFFER_DYNAMIC VERTEX|TESSELLATION_CONTROL|TESSELLATION_EVALUATION|GEOMETRY|FRAGMENT
    $topology
}
GVT
    printf 'vs v vert\nfs f frag\n%s\n' "$between" | sed '/^$/d' |
        while read -r resource module file; do
            echo "$module = shader_create($resource)"
        done
    cat <<GVT
p = pipeline_create_graphics(desc=d, $modules)
ms = image_create(2D, R8G8B8A8_UNORM, width=8, height=8, samples=4, usage=COLOR_ATTACHMENT)
rt = image_create(2D, R8G8B8A8_UNORM, width=8, height=8, usage=COLOR_ATTACHMENT)
pass_color(image=ms, load=CLEAR)
pass_resolve(image=rt)
pass_begin(8, 8, 1)
bind_pipeline(p)
bind_uniform_bytes(0, 0, where)
set_viewport(0, 0, 0, 8, 8, 0, 1)
set_scissor(0, 0, 0, 8, 8)
draw(3)
pass_end()
present(rt, width=8, height=8)
frame_end()
GVT
}

# Colours are nothing, a half, whole, or an average of four samples of these.
painted_well() {
    [ -s frame_000000.raw ] || echo "no picture"
    for byte in $(od -An -tu1 -v frame_000000.raw 2>/dev/null); do
        echo "$byte"
    done | sort -un | awk '{ off = ($1 * 8) % 255; if (off > 8 && off < 247) print "painted " $1 }' |
        head -n 1
}

in_stage() {
    begin "$1" || return
    cp "$work"/a.*.spv . && graphics_payload "$2" "$stages" | make_here || return
    attack "0 3" - -- "$gpuvm" run a.gvp --screenshots 0 --screenshot-dir . \
        --screenshot-format raw
}

check=painted_well
while IFS=$tab read -r title at text; do
    case $title in \#*) continue ;; esac
    case $at in
    tes?) stages="vert tesc tese frag" ;;
    geom) stages="vert geom frag" ;;
    *) stages="vert frag" ;;
    esac
    name=$part/$title
    cd "$work" || exit 1
    for kind in $stages; do
        last=
        [ $kind != $at ] || last=$text
        stage $kind "$last" >a.$kind
        compile a.$kind || continue 2
    done
    cd "$top" || exit 1
    at_indices "$title" 4 in_stage
done <"$here/stages.tsv"
finish

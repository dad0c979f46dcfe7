#!/bin/sh
# What a draw costs: processor time (user + system) of draws between which nothing, the
# texture, the pipeline or uniform bytes change, and of passes beside many images.
# Binaries are run by turns, so that what else runs hits all of them alike. JSON lines: of
# each case and binary the median and the least of the runs, in ns a draw or pass.
#   draws.sh SPIRV_FOLDER SCRATCH GPUVM...
# SPIRV_FOLDER holds plain.vert.spv and texture_at.frag.spv.
# GPUVM_BENCH_RUNS (5), GPUVM_BENCH_DRAWS (200) thousands of draws, GPUVM_BENCH_CASES (all).
set -eu
spirv=$1 scratch=$2
shift 2
where=outside
runs=${GPUVM_BENCH_RUNS:-5} thousands=${GPUVM_BENCH_DRAWS:-200}

# The objects all cases share: textures, two pipelines of one layout, a target. The
# triangle lies outside of the picture: what a driver does for triangles that it sees is
# counted by the cases seen_* alone.
objects() {
    cat <<END
.resource vs file "plain.vert.spv"
.const outside f32 ( 2 0 0 1   3 0 0 1   2 1 0 1 )
.const inside f32 ( 0 0 0 1   0.1 0 0 1   0 0.1 0 1 )
.resource fs file "texture_at.frag.spv"
.sampler near {
}
.graphics opaque {
    vertex_binding 0 rate=VERTEX
    attribute 0 slot=0 format=R32G32B32A32_SFLOAT offset=0
    color 0 R8G8B8A8_UNORM
    binding 1 0 UNIFORM_BUFFER_DYNAMIC FRAGMENT
    binding 2 0 COMBINED_IMAGE_SAMPLER FRAGMENT
}
.graphics blended {
    vertex_binding 0 rate=VERTEX
    attribute 0 slot=0 format=R32G32B32A32_SFLOAT offset=0
    color 0 R8G8B8A8_UNORM
    blend 0 enable src_color=ONE dst_color=ONE
    binding 1 0 UNIFORM_BUFFER_DYNAMIC FRAGMENT
    binding 2 0 COMBINED_IMAGE_SAMPLER FRAGMENT
}
.const at0 f32 ( 0 0 0 0 )
.const at1 f32 ( 0.5 0.5 0 0 )
vsm = shader_create(vs)
fsm = shader_create(fs)
p0 = pipeline_create_graphics(desc=opaque, vertex=vsm, fragment=fsm)
p1 = pipeline_create_graphics(desc=blended, vertex=vsm, fragment=fsm)
sam = sampler_create(near)
vb = buffer_create(48, VERTEX)
buffer_upload(vb, 0, $where)
rt = image_create(2D, R8G8B8A8_UNORM, width=64, height=64, usage=COLOR_ATTACHMENT)
END
    i=0
    while [ $i -lt "${1:-4}" ]; do
        echo "t$i = image_create(2D, R8G8B8A8_UNORM, width=4, height=4, usage=SAMPLED)"
        i=$((i + 1))
    done
}
begin() {
    cat <<END
pass_color(image=rt, load=CLEAR, c3=1.0)
pass_begin(64, 64, 1)
set_viewport(0, 0, 0, 64, 64, 0, 1)
set_scissor(0, 0, 0, 1, 1)
bind_pipeline(p0)
bind_vertex_buffer(buffer=vb, stride=16)
bind_uniform_bytes(1, 0, at0)
END
    texture 0
}
texture() {
    echo "bind_texture(2, 0, 0, image=t$1, sampler=sam, type=2D, mips=1, layers=1, aspect=COLOR)"
}
# The loop's body: four draws, with what changes before each.
four_draws() {
    for i in 0 1 2 3; do
        case $1 in
        texture) texture $i ;;
        pipeline) echo "bind_pipeline(p$((i % 2)))" ;;
        both) texture $i; echo "bind_pipeline(p$((i % 2)))" ;;
        bytes) echo "bind_uniform_bytes(1, 0, at$((i % 2)))" ;;
        esac
        echo "draw(3)"
    done
}
draws() {
    objects
    frame=0
    while [ $frame -lt $((thousands / 10)) ]; do
        begin
        echo "loop 2500"
        four_draws "$1"
        printf 'loop_end\npass_end()\nframe_end()\n'
        frame=$((frame + 1))
    done
}
# Passes of one draw beside N images.
passes() {
    objects "$1"
    echo "loop 20000"
    begin
    printf 'draw(3)\npass_end()\nloop_end\nframe_end()\n'
}
# The same without draws, to be subtracted.
empty() {
    objects "${1:-4}"
    begin
    printf 'draw(3)\npass_end()\nframe_end()\n'
}

# Seconds of processor time of a command; `times` prints those of children last.
cpu() {
    (
        "$@" >/dev/null 2>"$scratch/log" || exit
        times
    ) | awk '
        function s(t, p) { split(t, p, /[ms]/); return p[1] * 60 + p[2] }
        NR == 2 { print s($1) + s($2) }'
}
# measure GPUVM...: $name.gvp less $base.gvp, divided by $count, of each binary by turns.
measure() {
    run=0
    rm -f "$scratch"/cost.*
    while [ $run -lt "$runs" ]; do
        b=0
        for gpuvm; do
            cpu "$gpuvm" run "$scratch/$name.gvp" --mem-mb 8192 >"$scratch/whole"
            cpu "$gpuvm" run "$scratch/$base.gvp" --mem-mb 8192 >"$scratch/start"
            paste "$scratch/whole" "$scratch/start" |
                awk -v n="$count" '{ printf "%.0f\n", ($1 - $2) / n * 1e9 }' \
                    >>"$scratch/cost.$b"
            b=$((b + 1))
        done
        run=$((run + 1))
    done
    b=0
    for gpuvm; do
        sort -n "$scratch/cost.$b" | awk -v name="$name" -v gpuvm="$gpuvm" '
            { v[NR] = $1 }
            END { printf "{\"bench\":\"draw_%s\",\"value\":%d,\"least\":%d,", name,
                         v[int((NR + 1) / 2)], v[1]
                  printf "\"unit\":\"ns\",\"gpuvm\":\"%s\"}\n", gpuvm }'
        b=$((b + 1))
    done
}
make() {
    "$1" asm "$scratch/$2.gvt" --include "$spirv" -o "$scratch/$2.gvp" >/dev/null
}

mkdir -p "$scratch"
empty >"$scratch/start4.gvt"
make "$1" start4
cases="nothing texture pipeline both bytes seen_nothing seen_texture seen_pipeline"
for name in ${GPUVM_BENCH_CASES:-$cases}; do
    where=outside
    case $name in seen_*) where=inside ;; esac
    draws "${name#seen_}" >"$scratch/$name.gvt"
    make "$1" $name
    base=start4 count=$((thousands * 1000))
    measure "$@"
done
where=outside
[ -z "${GPUVM_BENCH_CASES-}" ] || exit 0
for n in 10 1000; do
    empty $n >"$scratch/start$n.gvt"
    make "$1" start$n
    name=passes_$n base=start$n count=20000
    passes $n >"$scratch/$name.gvt"
    make "$1" $name
    measure "$@"
done

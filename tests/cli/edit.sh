#!/bin/sh
# edit: each kind of edit makes the pictures that a changed program makes; what it refuses.
#   edit.sh GPUVM MAKE_AEROGPU PROGRAM VERTEX.SPV FRAGMENT.SPV
. tests/cli/lib.sh
gpuvm=$(realpath "$1")
export XDG_CACHE_HOME="$work/cache"
"$2" demo "$work/demo.aerogputrace" || fail "no capture"
cp "$3" "$work/base.gvt" && cp "$4" "$work/cover.vert.spv" && cp "$5" "$work/facing.frag.spv" || fail "no program"
cd "$work" || exit 1
"$gpuvm" asm base.gvt -o base.gvp && "$gpuvm" compile -q demo.aerogputrace --apart -o demo.gvp >/dev/null ||
    fail "no payloads"
cat >blue.frag <<'END'
#version 460
layout(location = 0) out vec4 target;
void main() { target = vec4(0, 0, 1, 1); }
END
cat >reads.frag <<'END'
#version 460
layout(location = 5) in vec2 coord;
layout(location = 0) out vec4 target;
void main() { target = vec4(coord, 0, 1); }
END

edit() {
    edit_from=$1
    shift
    expect 0 "edit $*" "$gpuvm" edit "$edit_from" "$@" -o edited.gvp
    mv out said
    expect 0 "verify" "$gpuvm" verify edited.gvp --deep
}

# ---- against a program that is changed in its text ----

has_device "$gpuvm" && device=1
# as AWK EDIT...: of the base program.
as() {
    awk "$1" base.gvt >changed.gvt
    cmp -s base.gvt changed.gvt && fail "the text is as it was: $1"
    shift
    expect 0 "assemble" "$gpuvm" asm changed.gvt -o changed.gvp
    edit base.gvp "$@"
    [ -n "${device-}" ] || return 0
    expect 0 "run" "$gpuvm" run edited.gvp --hash xxh3-rgba -q
    mv out edited.hash
    expect 0 "run" "$gpuvm" run changed.gvp --hash xxh3-rgba -q
    same edited.hash out "$*"
    expect 0 "run" "$gpuvm" run base.gvp --hash xxh3-rgba -q
    cmp -s edited.hash out && fail "$*: nothing has changed"
}
# Draw 4 is the first of pipeline `front`, which is o4.
as '/cull = FRONT$/ { sub("FRONT", "BACK") } { print }' --set o4.cull=BACK
as '/^draw/ { n++ } n == 5 && /^draw/ { print "bind_pipeline(ccw)"; print; print "bind_pipeline(front)"; next }
    { print }' --set f0.d4/pipeline.cull=0
as '/^set_viewport.0, 1,/ { sub("1, 1, 1, -1", "0, 1, 1, -1") } { print }' --set f0.d1/state.viewport0.x=0
as '/^draw/ && n++ == 1 { next } { print }' --skip f0.d1
as '/^draw/ && n++ == 1 { sub("3", "2") } { print }' --set f0.d1.vertex_count=2
as '/^pass_color/ { sub("CLEAR", "CLEAR, c2=1.0") } { print }' --set c0.pass_color.c2=0x3f800000
as '/^draw/ { n++ } n == 1 && /^draw/ { print "bind_pipeline(cw)\nset_viewport(0, 0.5, 0, 1, 1, 0, 1)"; print
    print "bind_pipeline(ccw)"; next } { print }' \
    --set f0.d0/pipeline.front_face=COUNTER_CLOCKWISE --set f0.d0/state.viewport0.x=0.5

# A shader at every place is the shader everywhere.
edit base.gvp --replace o1=blue.frag
[ -n "${device-}" ] && "$gpuvm" run edited.gvp --hash xxh3-rgba -q >want
i=0
while [ $i -lt 10 ]; do
    echo "replace f0.d$i.fs=blue.frag  "
    i=$((i + 1))
done >list
echo "# a comment" >>list
edit base.gvp --edits list
[ -n "${device-}" ] && "$gpuvm" run edited.gvp --hash xxh3-rgba -q >out && same want out "the same shader"

# ---- textures, frames, undefined contents ----

{
    printf 'P6 32 32 255\n'
    head -c 3072 /dev/zero
} >black.ppm
edit demo.gvp --replace o3=black.ppm --skip f2.d1 --undefined pattern
says said '^edited.gvp: 3 edits, 0 commands left out, 10 of 10 groups as before$' "groups keep their ids"
cp edited.gvp first.gvp
edit demo.gvp --replace o3=black.ppm --skip f2.d1 --undefined pattern
same first.gvp edited.gvp "the same edits"
expect 0 "provenance" "$gpuvm" info edited.gvp --json
says out '"provenance":\{"edited":\{"base":"[0-9a-f]{32}","edits":\["skip f2.d1","replace o3=black.ppm"' "provenance"
edit first.gvp --skip f1.d1
expect 0 "provenance" "$gpuvm" info edited.gvp --json
says out '"provenance":\{"edited_2":\{"base":"[0-9a-f]{32}","edits":\["skip f1.d1"\]\},"edited":' "both"
edit demo.gvp --keep f1-f2
[ -n "${device-}" ] && {
    "$gpuvm" run demo.gvp --frames 1-2 --hash xxh3-rgba -q >want
    "$gpuvm" run edited.gvp --frames 1-2 --hash xxh3-rgba -q >out
    same want out "frames that are kept"
    "$gpuvm" run first.gvp --frames 1 --hash xxh3-rgba -q >out
    grep -qxFf out want && fail "another texture, the same picture"
}
"$gpuvm" inspect demo.gvp f1/ | sed -n 's/^f1.d2	command \([0-9]*\)	.*/\1/p' >command
expect 0 "skip commands" "$gpuvm" edit demo.gvp --skip "$(cat command)" -o edited.gvp --json
says out '"edits":0,"skipped":1,' "json"
expect 0 "one less" "$gpuvm" inspect edited.gvp f1/
[ "$(grep -c . out)" = "$(($("$gpuvm" inspect demo.gvp f1/ | grep -c .) - 1))" ] || fail "a draw less"
# Thin payloads stay thin.
expect 0 "thin" "$gpuvm" thin demo.gvp --store store -o thin.gvp
expect 0 "edit it" "$gpuvm" edit thin.gvp --replace o3=black.ppm -o edited.gvp
expect 0 "verify it" "$gpuvm" verify edited.gvp --deep --store store

# One call may have set both faces, of which one has been set since: the other stays.
awk '/^draw/ && !n++ { print "set_stencil_masks(FRONT|BACK, 3, 3)\nset_stencil_masks(BACK, 5, 5)" } { print }' \
    base.gvt >faces.gvt
expect 0 "assemble" "$gpuvm" asm faces.gvt -o faces.gvp
edit faces.gvp --set f0.d0/state.stencil_masks.front.compare=9 --set f0.d0/state.stencil_masks.back.write=7
"$gpuvm" dump edited.gvp | sed -n 's/^ *set_stencil_masks//p' | tr -d '\n' >out
says out '^\(FRONT.BACK, 3, 3\)\(BACK, 5, 5\)\(FRONT, 9, 3\)\(BACK, 5, 7\)\(FRONT, 3, 3\)\(BACK, 5, 5\)$' "faces"

# Uploads: of the first layer alone pictures say something, and only where that is.
image() {
    cat >image.gvt <<END
.resource data u32 ( 0 0 0 0 0 0 0 0 )
i = image_create(2D, R8G8B8A8_UNORM, width=4, height=4, mips=3, layers=2, usage=SAMPLED)
image_upload(i, $1, data=data, size=$2)
END
    expect 0 "assemble" "$gpuvm" asm image.gvt -o image.gvp
}
{
    printf 'P6 4 4 255\n'
    head -c 48 /dev/zero
} >four.ppm
image "x=1, y=3, width=3, height=1" 12
edit image.gvp --replace o0=four.ppm
image "mip=2, width=1, height=1" 4
edit image.gvp --replace o0=four.ppm

# Passes that clear stay as they are, in loops too.
passes() {
    cat >passes.gvt <<END
a = image_create(2D, R8G8B8A8_UNORM, width=4, height=4, usage=COLOR_ATTACHMENT)
loop 3
pass_color(image=a, load=$1)
pass_begin(4, 4, 1)
pass_end()
loop_end
present(a, width=4, height=4)
frame_end()
END
    expect 0 "assemble" "$gpuvm" asm passes.gvt -o passes.gvp
}
passes CLEAR
edit passes.gvp --undefined zero

# ---- what is refused: nothing is written ----

printf 'P6 31 33 255\n%3069s' "" >odd.ppm
echo "no shader" | tee wrong.frag >wrong.spv
printf 'skip f0.d0\nsett f0.d0.vertex_count=1\n' >lines

refuse() {
    refuse_code=$1 refuse_says=$2
    shift 2
    rm -f none.gvp
    expect "$refuse_code" "$*" "$gpuvm" edit "$@" -o none.gvp
    says err "$refuse_says" "$*"
    [ -e none.gvp ] && fail "$*: something is written"
}
refuse 2 "no edit is asked for" base.gvp
refuse 2 "f9.d0: the last frame is 0" base.gvp --set f9.d0.vertex_count=1
refuse 2 "draw has no 'vertices'" base.gvp --set f0.d0.vertices=1
refuse 2 "vertex_count: '-1' is no value of it" base.gvp --set f0.d0.vertex_count=-1
refuse 2 "cull: 'SIDE' is no value of it" base.gvp --set o4.cull=SIDE
refuse 2 "has no field 'culling'" base.gvp --set o4.culling=NONE
refuse 2 "samples: " base.gvp --set o4.samples=3
refuse 2 "there are [0-9]+ objects" base.gvp --set o99.cull=NONE
refuse 2 "pipelines and samplers have fields" base.gvp --set o0.cull=NONE
refuse 2 "state.vb0 is not set there" base.gvp --set f0.d0/state.vb0.offset=4
refuse 2 "'index' says which state it is" base.gvp --set f0.d0/state.viewport0.index=1
refuse 2 "'faces' says which state it is" faces.gvp --set f0.d0/state.stencil_masks.back.faces=FRONT
refuse 2 "expected PATH.FIELD=VALUE" base.gvp --set f0.d0
refuse 2 "expected fN.dN, cN or oN" base.gvp --set ../x=1
refuse 2 "the command makes [0-9]+ calls" base.gvp --set c0.draw.vertex_count=1
refuse 3 "unsupported: edit of pipeline: objects and bytes" base.gvp --set f0.d0/state.pipeline.pipeline=o3
refuse 2 "has 32 x 32 texels, the picture 31 x 33" demo.gvp --replace o3=odd.ppm
image "layer=1, width=2, height=2" 16
refuse 3 "an image that is not uploaded" image.gvp --replace o0=four.ppm
image "layers=2, width=2, height=2" 32
refuse 3 "an image that is not uploaded" image.gvp --replace o0=four.ppm
image "width=0, height=0" 4
refuse 3 "an image that is not uploaded" image.gvp --replace o0=four.ppm
image "width=5, height=1" 20
refuse 3 "an upload passes its image" image.gvp --replace o0=four.ppm
image "mip=1, x=1, width=2, height=1" 8
refuse 3 "an upload passes its image" image.gvp --replace o0=four.ppm
image "mip=3, width=1, height=1" 4
refuse 3 "an upload passes its image" image.gvp --replace o0=four.ppm
refuse 3 "not written: .*location 5" base.gvp --replace f0.d0.fs=reads.frag
refuse 3 "wrong.frag: " base.gvp --replace o1=wrong.frag
refuse 3 "no SPIR-V" base.gvp --replace o1=wrong.spv
refuse 2 "expected a picture" base.gvp --replace o1=blue.txt
refuse 2 "line 2: 'sett': expected skip" base.gvp --edits lines
refuse 2 "nothing of command" demo.gvp --skip 0
refuse 3 "" wrong.frag --skip f0.d0
passes DONT_CARE
refuse 3 "edit of a call in a loop" passes.gvp --undefined zero
refuse 2 "keep: 'end' is no frame" demo.gvp --keep 1,end
refuse 2 "1f2" demo.gvp --keep 1f2
echo 1 >f1.txt
edit demo.gvp --keep @f1.txt
cat f1.txt command >lists
for word in "--keep f0,@f1.txt" "--skip @command"; do
    # shellcheck disable=SC2086 # an option and its SET
    expect 2 "$word" "$gpuvm" edit demo.gvp $word -o "${word#*@}"
    says err "${word#*@} is an input" "$word"
done
cat f1.txt command >out
same lists out "lists"
rm -f none.gvp
expect 2 "onto itself" "$gpuvm" edit base.gvp --skip f0.d0 -o base.gvp
finish

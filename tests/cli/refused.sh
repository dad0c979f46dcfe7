#!/bin/sh
# What a payload or a text does wrong is exit 3 and says where, never the user's exit 2.
#   refused.sh GPUVM VERTEX.SPV FRAGMENT.SPV
. tests/cli/lib.sh
gpuvm=$1
cp "$2" "$work/vertex.spv" && cp "$3" "$work/fragment.spv" || fail "no shaders"
export XDG_CACHE_HOME="$work/cache"

# Exact texts whose tables contradict each other.
refuse_text() {
    { cat "$work/exact.gvt"; echo "$2"; } >"$work/text.gvt"
    expect 3 "$1" "$gpuvm" asm "$work/text.gvt" -o "$work/text.gvp"
    [ ! -e "$work/text.gvp" ] || fail "$1: a payload was written"
}
echo "frame_end()" >"$work/plain.gvt"
expect 0 "assemble" "$gpuvm" asm "$work/plain.gvt" -o "$work/plain.gvp"
expect 0 "dump" "$gpuvm" dump "$work/plain.gvp" -o "$work/exact.gvt"
refuse_text "debug rows that go back" '.source 5 1 "a"; .source 3 2 "b"'
refuse_text "a frame past the last chunk" ".frame chunks=9 commands=0-1 size=0x0 schedule=0"
refuse_text "a frame that goes back" ".frame chunks=1 commands=5-1 size=0x0 schedule=0"
refuse_text "provenance twice" '.provenance "a"; .provenance "b"'

has_device "$gpuvm" || {
    echo "the rest needs a Vulkan device"
    finish
}

# refuse NAME PATTERN: the calls on standard input, the last of them at command 1.
refuse() {
    {
        cat <<'END'
.resource vs file "vertex.spv"
.resource fs file "fragment.spv"
.graphics d {
    color 0 R8G8B8A8_UNORM
    binding 1 0 UNIFORM_BUFFER_DYNAMIC FRAGMENT
}
v = shader_create(vs)
f = shader_create(fs)
p = pipeline_create_graphics(desc=d, vertex=v, fragment=f)
b = buffer_create(64, INDEX|INDIRECT|STORAGE)
i = image_create(2D, R8G8B8A8_UNORM, width=4, height=4, usage=COLOR_ATTACHMENT)
bind_pipeline(p)
bind_index_buffer(b, 0, UINT16)
command
END
        cat
        echo "frame_end()"
    } >"$work/call.gvt"
    expect 0 "assemble $1" "$gpuvm" asm "$work/call.gvt" -o "$work/call.gvp"
    expect 3 "$1" "$gpuvm" run "$work/call.gvp"
    says "$work/err" "$2.* \(code byte [0-9]+, command 1\)\$" "$1"
}
pass='pass_color(image=i, load=CLEAR)
pass_begin(4, 4, 1)
command'
refuse "indices outside" "draw_indexed: indices 30\+9 of 32" <<END
$pass
draw_indexed(9, first_index=30)
END
refuse "indirect stride" "draw_indirect: stride: 6 for records of 16" <<END
$pass
draw_indirect(b, 0, 2, 6)
END
refuse "indirect count" "draw_indirect: buffer: .* of a buffer of 64" <<END
$pass
draw_indirect(b, 0, 100000000, 16)
END
refuse "a pass without size" "pass_begin: a pass of 0x4x1" <<END
pass_color(image=i, load=CLEAR)
command
pass_begin(0, 4, 1)
END
refuse "a pass larger than its target" "pass_begin: 5x4 is larger than an attachment" <<END
pass_color(image=i, load=CLEAR)
command
pass_begin(5, 4, 1)
END
refuse "no viewport" "set_viewport: x -?nan" <<END
command
set_viewport(0, 0x7fc00000, 0, 4, 4, 0, 1)
END
refuse "line width" "set_line_width: width -1" <<END
command
set_line_width(-1)
END
refuse "layers" "image_to_buffer: layer: 2 layers" <<END
command
image_to_buffer(buffer=b, image=i, layers=2, width=4, height=4)
END
refuse "no query" "query_create: count: 0" <<END
command
q = query_create(OCCLUSION, 0)
END
refuse "no SPIR-V" "shader_create: data byte 0: not a SPIR-V module" <<END
.const words u8 ( 1 2 3 4 )
command
s = shader_create(words)
END
# What the device misses is told once, and what the message has no room for is counted.
for i in 1 2 3 4 5 6 7 8 9; do
    echo ".require feature \"aFeatureOfNoDevice$i\""
done >"$work/misses.gvt"
echo "frame_end()" >>"$work/misses.gvt"
expect 0 "assemble misses" "$gpuvm" asm "$work/misses.gvt" -o "$work/misses.gvp"
expect 5 "misses" "$gpuvm" run "$work/misses.gvp"
says "$work/err" "misses: feature aFeatureOfNoDevice1, feature aFeatureOfNoDevice2, .* and 5 more\$" "misses"
[ "$(grep -c "misses" "$work/err")" -eq 1 ] || fail "misses are told more than once"
expect 0 "devices" "$gpuvm" devices "$work/misses.gvp"
says "$work/out" "^	feature aFeatureOfNoDevice9\$" "devices lists all"

cat >"$work/silent.gvt" <<'END'
.export never buffer
frame_end()
END
expect 0 "assemble an export" "$gpuvm" asm "$work/silent.gvt" -o "$work/silent.gvp"
expect 3 "an export that nothing posts" "$gpuvm" run "$work/silent.gvp" --export never="$work/never"
says "$work/err" "was not posted" "the export"
[ ! -e "$work/never" ] || fail "a file for an export that nothing posted"
expect 2 "a device that is not there" "$gpuvm" run "$work/silent.gvp" --device "no such device"
finish

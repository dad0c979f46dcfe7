#!/bin/sh
# inspect: lists, state and objects of payloads and captures, and paths that lead nowhere,
# without a device; with one, what objects hold.
#   inspect.sh GPUVM MAKE_AEROGPU MAKE_PSX
. tests/cli/lib.sh
gpuvm=$(realpath "$1") make=$2 make_psx=$3
icds=${VK_DRIVER_FILES-unset}
export VK_DRIVER_FILES=/nonexistent VK_ICD_FILENAMES=/nonexistent
"$make" demo "$work/demo.aerogputrace" || fail "no capture"
"$make_psx" demo "$work/demo.psxgpu" || fail "no dump"
"$gpuvm" compile -q "$work/demo.aerogputrace" --apart -o "$work/demo.gvp" >/dev/null || fail "no payload"
cd "$work" || exit 1

# ---- lists ----

expect 0 "frames" "$gpuvm" inspect demo.gvp
frames=$("$gpuvm" info demo.gvp | sed -n 's/^frames  *//p')
[ "$(grep -c "^f[0-9]*	command [0-9]*	-	commands=[0-9]* width=[0-9]* height=[0-9]*\$" "$work/out")" = "$frames" ] ||
    fail "not $frames frames"
expect 0 "the same" "$gpuvm" inspect demo.gvp /
expect 0 "work" "$gpuvm" inspect demo.gvp f1/
says "$work/out" "^f1\.d0	command [0-9]+	(draw|dispatch)[a-z_]*	" "work"
draws=$(grep -c . "$work/out")
expect 0 "objects" "$gpuvm" inspect demo.gvp end/objects
says "$work/out" "^o[0-9]+	command [0-9]+	-	kind=image format=[A-Z0-9_]+ width=[0-9]+" "objects"
expect 0 "names" "$gpuvm" inspect demo.gvp f1.d0/
says "$work/out" "^f1\.d0/state\.pipeline	command [0-9]+	bind_pipeline	\$" "names"

# ---- state ----

expect 0 "state" "$gpuvm" inspect demo.gvp f01.d00
says "$work/out" "^f1\.d0/state\.pipeline	command [0-9]+	bind_pipeline	pipeline=o[0-9]+\$" "state"
says "$work/out" "^f1\.d0/state\.color0	command [0-9]+	pass_color	index=0 image=o[0-9]+ " "the pass"
command=$(sed -n 's/^f1\.d0\/state\.color0	command \([0-9]*\)	.*/\1/p' "$work/out")
expect 0 "in front of who set it" "$gpuvm" inspect demo.gvp "^c$command" "c$command"
says "$work/out" "^c$command/state\.color0	command $command	pass_color" "who set it"
grep -q "^\^c$command/state\.color0	command $command	" "$work/out" && fail "set before it was"
# What is printed can be asked for.
expect 0 "one by one" "$gpuvm" inspect demo.gvp f1.d0/
cut -f 1 "$work/out" >"$work/paths"
while read -r path; do
    expect 0 "$path" "$gpuvm" inspect demo.gvp "$path"
    [ "$(cut -f 1 "$work/out" | sort -u)" = "$path" ] || fail "$path is another"
done <"$work/paths"
expect 0 "all of a frame" "$gpuvm" inspect demo.gvp "f1.d$((draws - 1))" f1.p0 ^f1 f1 end
expect 0 "a capture" "$gpuvm" inspect demo.aerogputrace f1.d0/state.pipeline
says "$work/out" "bind_pipeline" "a capture"
expect 0 "a dump" "$gpuvm" inspect demo.psxgpu f1.d0/state.compute_pipeline f1/
says "$work/out" "^f1\.d0	command [0-9]+	dispatch	x=[0-9]+" "a dump"
# Resources are not looked at.
"$gpuvm" thin demo.gvp --store store -o thin.gvp >/dev/null || fail "no thin payload"
expect 0 "thin, without its store" "$gpuvm" inspect thin.gvp f1.d0

# ---- uniform bytes that are computed ----

cat >computed.gvt <<'end'
.resource code u32 ( 1 2 3 4 )
.resource bytes u8 ( 9 8 7 6 )
.volatile v 64
.compute kernel {
    binding 0 0 UNIFORM_BUFFER_DYNAMIC COMPUTE
    binding 0 1 UNIFORM_BUFFER_DYNAMIC COMPUTE
}
s = shader_create(code)
p = pipeline_create_compute(desc=kernel, compute=s)
b = buffer_create(64, UNIFORM)
bind_pipeline(p)
command
push 17
volatile v
store32
bind_uniform_bytes(0, 0, v, 20)
dispatch(1, 1, 1)
command
push 34
volatile v
store32
bind_uniform_bytes(0, 0, v, 20)
dispatch(1, 1, 1)
push 51
volatile v
store32
bind_uniform_bytes(0, 1, v, 4)
dispatch(1, 1, 1)
frame_end()
command
push 68
volatile v
store32
m = buffer_map(b, 0, 64)
buffer_unmap(m)
bind_uniform_bytes(0, 0, v, 20)
dispatch(1, 1, 1)
frame_end()
command
volatile v
fetch bytes
bind_uniform_bytes(0, 1, v, 4)
end
expect 0 "asm" "$gpuvm" asm computed.gvt -o computed.gvp
bytes() { # PLACE BINDING HEX
    expect 0 "$1" "$gpuvm" inspect computed.gvp "$1/state.uniform.0.$2"
    says "$work/out" "data=\\[[0-9]+\\]:$3\$" "$1, binding $2"
}
zeros=00000000000000000000000000000000
bytes f0.d0 0 "11000000$zeros"
bytes ^f0.d1 0 "22000000$zeros"
bytes f0.d1 0 "22000000$zeros"
bytes f0.d2 1 33000000
bytes c0 0 "11000000$zeros"
bytes ^c1 0 "11000000$zeros"
bytes c1 0 "22000000$zeros"
bytes f0 1 33000000
bytes ^f1 0 "22000000$zeros"
bytes f1.d0 0 "44000000$zeros"
bytes f1 1 33000000
bytes end 1 09080706
expect 0 "some of them" "$gpuvm" inspect computed.gvp f0.d0
says "$work/out" "data=\\[20\\]:1100000000000000000000000000[0-9a-f]{4}\$" "some of them"
"$gpuvm" thin computed.gvp --store store -o thin.gvp >/dev/null || fail "no thin payload"
expect 0 "elsewhere" "$gpuvm" inspect thin.gvp end/state.uniform.0.1
says "$work/out" "data=\\[4\\]\$" "elsewhere"

# Nobody waits for a loop that hardly ends.
sed '0,/^dispatch/s/^dispatch.*/&\nloop 4000000000\nloop 1000000\nloop_end\nloop_end/' computed.gvt >endless.gvt
expect 0 "asm" "$gpuvm" asm endless.gvt -o endless.gvp
expect 0 "endless" timeout 20 "$gpuvm" inspect endless.gvp f0.d0/state.uniform.0.0
says "$work/out" "data=\\[20\\]\$" "endless"

# ---- dead work ----

cat >dead.gvt <<'end'
.graphics flat {
    topology = TRIANGLE_LIST
    color 0 R8_UNORM
}
.resource code u32 ( 1 2 3 4 )
s = shader_create(code)
p = pipeline_create_graphics(desc=flat, vertex=s)
i = image_create(2D, R8_UNORM, width=4, height=4, usage=COLOR_ATTACHMENT)
j = image_create(2D, R8_UNORM, width=4, height=4, usage=COLOR_ATTACHMENT)
bind_pipeline(p)
command
pass_color(0, j, load=CLEAR)
pass_begin(4, 4)
draw(3)
pass_end()
pass_color(0, i, load=CLEAR)
pass_begin(4, 4)
draw(3)
pass_end()
present(i, width=4, height=4)
frame_end()
command
pass_color(0, i, load=LOAD)
pass_begin(4, 4)
draw(3)
pass_end()
pass_color(0, i, load=CLEAR)
pass_begin(4, 4)
draw(3)
pass_end()
present(i, width=4, height=4)
frame_end()
end
expect 0 "asm" "$gpuvm" asm dead.gvt -o dead.gvp
expect 0 "dead work" "$gpuvm" inspect dead.gvp /dead
[ "$(cut -f 1,3 "$work/out" | tr '\n\t' '; ')" = "f0.d0 draw;f1.d0 draw;" ] || fail "dead work: $(cat "$work/out")"
wrong_place() { expect 2 "$1" "$gpuvm" inspect dead.gvp "$1"; }
wrong_place f0/dead

# ---- paths that lead nowhere ----

wrong() { # CODE PATH MESSAGE
    expect "$1" "$2" "$gpuvm" inspect demo.gvp "$2"
    says "$work/err" "$3" "$2"
}
wrong 2 f999 "f999: the last frame is $((frames - 1))\$"
wrong 2 f1.d999 "f1\.d999: the last work of the frame is $((draws - 1))\$"
wrong 2 f1.p999 "f1\.p999: the last pass of the frame is [0-9]+\$"
wrong 2 c99999999 "c99999999: the last command is [0-9]+\$"
wrong 2 f1.d0/state.pipelin "there is no state pipelin; the nearest is pipeline\$"
wrong 2 12 "path '12': expected fN"
wrong 2 f1.d0/state.nothing "there is no state nothing"
wrong 2 f1.d0/state.xfb3 "xfb3 is not set there"
wrong 2 f1/nothing "path 'f1/nothing': expected state"
wrong 3 f1.d0/source "unsupported: path f1\.d0/source"
wrong 5 f1.d0/color0 "no Vulkan driver"
wrong 3 c12.5 "unsupported: path c12\.5: parts of a command"
expect 2 "a path before the file" "$gpuvm" inspect nowhere.gvp 12
says "$work/err" "path '12'" "a path before the file"
head -c 500 demo.gvp >cut.gvp
expect 3 "damaged" "$gpuvm" inspect cut.gvp f1
expect 2 "-o without contents" "$gpuvm" inspect demo.gvp f1 -o x.png
[ -e /dev/full ] && { "$gpuvm" inspect demo.gvp f1 >/dev/full 2>"$work/err"; [ $? = 7 ] || fail "a full disk"; }

# ---- contents ----

unset VK_DRIVER_FILES VK_ICD_FILENAMES
[ "$icds" = unset ] || export VK_DRIVER_FILES="$icds"
has_device "$gpuvm" || finish
last=$((draws - 1))
# Behind the last draw it is the picture of the frame.
expect 0 "the frame" "$gpuvm" run demo.gvp --frames 1 -o frame.png -q
expect 0 "color0" "$gpuvm" inspect demo.gvp f1/color0 -o color.png
expect 0 "the same picture" "$gpuvm" compare frame.png color.png
says "$work/out" "" "the same picture"
# All paths of a call in one replay: as each alone, whatever their order.
paths="f1.d$last/color0 ^f1.d0/color0 f1.d0/color0 f0.d0/vb0 f1.d0/vb0[0x0+12]:f32x3"
expect 0 "several" "$gpuvm" inspect demo.gvp $paths
cp "$work/out" several
for path in $paths; do
    "$gpuvm" inspect demo.gvp "$path" || fail "$path"
done >each
same several each "in one replay"
before=$(sed -n 's/^^f1\.d0\/color0	.*hash=//p' each)
after=$(sed -n 's/^f1\.d0\/color0	.*hash=//p' each)
[ -n "$before" ] && [ "$before" != "$after" ] || fail "the draw changes nothing"
says each "^f1\.d0/vb0\[0x0\+12\]:f32x3	command [0-9]+	-	value=-?[0-9.e-]+,-?[0-9.e-]+,-?[0-9.e-]+\$" "typed"
# Keyframes are begun with, and give the same.
"$gpuvm" keyframe demo.gvp --every 1 -o keyed.gvp -q >/dev/null || fail "no keyframes"
for path in $paths; do
    "$gpuvm" inspect keyed.gvp "$path" || fail "$path of keyframes"
done >keys
same keys each "from keyframes"
expect 0 "one texel" "$gpuvm" inspect demo.gvp "f1/color0[3,4,1x1]"
says "$work/out" " width=1 height=1 least=[0-9.]+ most=[0-9.]+ 3,4=[0-9.,]+ bytes=4 " "one texel"
expect 0 "raw" "$gpuvm" inspect demo.gvp "f1/color0[3,4,2x2]" -o texels.raw
[ "$(wc -c <texels.raw)" = 16 ] || fail "not 16 bytes"
expect 0 "a folder" "$gpuvm" inspect demo.gvp f1/color0 f0.d0/vb0 f1.d0/vs --dir made/here --json
[ -s made/here/f1_color0.png ] && [ -s made/here/f0.d0_vb0.raw ] && [ -s made/here/f1.d0_vs.spv ] || fail "no files"
same made/here/f1_color0.png color.png "in a folder"
# Names of paths may be those of inputs, or of each other.
mkdir named && cp demo.gvp named/f0.d0_vb0.raw
expect 2 "a file that is an input" "$gpuvm" inspect named/f0.d0_vb0.raw f0.d0/vb0 --dir named
cmp -s named/f0.d0_vb0.raw demo.gvp || fail "the payload was replaced"
expect 2 "two of one name" "$gpuvm" inspect demo.gvp f0.d0/vb0 f0.d0/vb0 --dir twice
expect 0 "files of a run" "$gpuvm" inspect demo.gvp f0.d0/vb0 --dir twice
expect 0 "files of an earlier run" "$gpuvm" inspect demo.gvp f0.d0/vb0 --dir twice
expect 0 "GLSL" "$gpuvm" inspect demo.gvp f1.d0/fs -o fs.glsl
says fs.glsl "^void main\(\)" "GLSL"
expect 0 "assembly" "$gpuvm" inspect demo.gvp f1.d0/fs -o fs.spvasm
says fs.spvasm "OpEntryPoint Fragment" "assembly"
expect 0 "a range" "$gpuvm" inspect demo.gvp f1/color0 -o half.png --range 0,0.5
says "$work/out" " black=0 white=0\.5 " "a range"
cmp -s half.png color.png && fail "a range changes nothing"
expect 0 "VRAM" "$gpuvm" inspect demo.psxgpu end/vram -o vram.png
"$gpuvm" run demo.psxgpu --export vram=export.png -q || fail "no export"
expect 0 "VRAM is what is exported" "$gpuvm" compare export.png vram.png
expect 0 "VRAM at 8 bits" "$gpuvm" inspect demo.psxgpu "end/vram[0,0,8x4]:b8" -o vram8.png

expect 0 "a box of VRAM" "$gpuvm" inspect demo.psxgpu "end/vram[4,2,8x4]"
says "$work/out" " bytes=64 " "no more than the box"
for box in 1020,0,8x8 0,510,8x8; do
    expect 2 "a box beside VRAM" "$gpuvm" inspect demo.psxgpu "end/vram[$box]"
    says "$work/err" "VRAM has 1024x512 cells" "how much there is"
done

# One set and binding: what is asked for must be of the kind that is bound there.
expect 0 "uniform bytes" "$gpuvm" inspect computed.gvp end/uniform.0.0
expect 2 "no texture there" "$gpuvm" inspect computed.gvp end/tex.0.0
says "$work/err" "tex.0.0.0: nothing that has contents is bound there" "no texture there"
wrong 2 f1.d0/color7 "color7: not there; there are color0"
wrong 2 f1/o9999 "the last object is [0-9]+\$"
wrong 2 f1/color0.mip9 "the last mip is [0-9]+\$"
wrong 2 "f1/color0[0,0,99999x1]" "there are [0-9]+x[0-9]+ texels"
wrong 2 "f0.d0/vb0[0+99999999]" "there are [0-9]+ bytes"
wrong 2 f1.d0/gs "the pipeline has no such stage"
wrong 2 ^f0/color0 "nothing has been made yet"
expect 2 "two paths, one file" "$gpuvm" inspect demo.gvp f1/color0 f1/depth -o x.png
expect 2 "no picture" "$gpuvm" inspect demo.gvp f0.d0/vb0 -o x.png
expect 2 "no range" "$gpuvm" inspect demo.gvp f1/color0 -o x.png --range 1,0
expect 3 "damaged" "$gpuvm" inspect cut.gvp f1/color0 -o x.png
expect 7 "nowhere" "$gpuvm" inspect demo.gvp f1/color0 -o no/x.png
[ ! -e x.png ] || fail "a partial file"
finish

#!/bin/sh
# diff: edits are what it tells, and nothing else; recordings with a draw more stay aligned.
#   diff.sh GPUVM MAKE_AEROGPU MAKE_PSX
. tests/cli/lib.sh
gpuvm=$(realpath "$1")
export XDG_CACHE_HOME="$work/cache"
"$2" demo "$work/demo.aerogputrace" && "$3" demo "$work/demo.psxgpu" || fail "no captures"
cd "$work" || exit 1
"$gpuvm" compile -q demo.aerogputrace --apart -o demo.gvp >/dev/null || fail "no payload"
cat >red.frag <<'END'
#version 460
layout(location = 0) out vec4 target;
void main() { target = vec4(1, 0, 0, 1); }
END
printf 'P6 32 32 255\n%3072s' "" >grey.ppm

# told PATTERN EDIT...: of the edited demo one line, which matches.
told() {
    told_what=$1
    shift
    expect 0 "edit $*" "$gpuvm" edit demo.gvp "$@" -o other.gvp -q
    expect 1 "diff $*" "$gpuvm" diff demo.gvp other.gvp --state
    [ "$(grep -c . out)" = 1 ] || fail "$*: $(grep -c . out) lines"
    says out "^$told_what\$" "$*"
}
told 'missing	f1\.d3	-	-	draw vertex_count=50 .*	-' --skip f1.d3
told 'changed	f1\.d0	f1\.d0	vertex_count	6	3' --set f1.d0.vertex_count=3
told 'changed	f2\.d4	f2\.d4	first_vertex	0	7' --set f2.d4.first_vertex=7
told 'state	f1\.d2	f1\.d2	viewport0\.width	256 \(c25\)	100 \(c[0-9]+\)' --set f1.d2/state.viewport0.width=100
told 'state	f3\.d1	f3\.d1	scissor0\.height	256 \(c25\)	9 \(c[0-9]+\)' --set f3.d1/state.scissor0.height=9
told 'state	f1\.d1	f1\.d1	vb0\.stride	28 \(c[0-9]+\)	24 \(c[0-9]+\)' --set f1.d1/state.vb0.stride=24
told 'description	f1\.d0	f1\.d0	pipeline\.cull	BACK	FRONT' --set f1.d0/pipeline.cull=FRONT
told 'description	f4\.d5	f4\.d5	pipeline\.blend0\.src_color	SRC_ALPHA	ONE' \
    --set f4.d5/pipeline.blend0.src_color=ONE
told 'description	f1\.d0	f1\.d0	sampler\.2\.288\.0\.min_filter	LINEAR	NEAREST' \
    --set f1.d0/sampler.2.288.0.min_filter=NEAREST
told 'description	f0\.d0	f0\.d0	sampler\.2\.288\.0\.mag_filter	LINEAR	NEAREST' --set o4.mag_filter=NEAREST
told 'shader	f1\.d0	f1\.d0	fragment	339 words, .*	[0-9]+ words, .*' --replace f1.d0.fs=red.frag
told 'changed	c13\.image_upload	c13\.image_upload	data	#[0-9a-f]{16}	#[0-9a-f]{16}' --replace o3=grey.ppm

# A draw more, in the middle: the others stay where they are.
"$gpuvm" dump demo.gvp -o demo.gvt
awk '{ sub(/instructions=[0-9]+/, "instructions=99999"); print } /^    draw\(/ && ++n == 12 { print "    draw(1, 1, 0, 0)" }' demo.gvt >more.gvt
expect 0 "assemble" "$gpuvm" asm more.gvt --resources demo.gvp -o more.gvp
expect 1 "a draw more" "$gpuvm" diff demo.gvp more.gvp --state
says out '^inserted	-	f1\.d3	-	-	draw vertex_count=1 ' "it is told"
[ "$(grep -c . out)" = 1 ] || fail "nothing else"
expect 1 "the other way" "$gpuvm" diff more.gvp demo.gvp --state
says out '^missing	f1\.d3	-	-	draw vertex_count=1 ' "it is told"

# A frame less; the same; other files; places.
expect 0 "fewer frames" "$gpuvm" edit demo.gvp --keep f0-f9 -o few.gvp
expect 1 "fewer frames" "$gpuvm" diff demo.gvp few.gvp --state
says out '^missing	f10	-	-	-	-$' "a frame"
expect 0 "the same" "$gpuvm" diff demo.gvp demo.gvp --state
expect 0 "captures" "$gpuvm" diff demo.psxgpu demo.psxgpu --state --json
says out '"differences":\[\],"status":"ok"' "json"
expect 1 "two draws" "$gpuvm" diff demo.gvp --at f1.d0 --at f1.d2
says out '^changed	f1\.d0	f1\.d2	vertex_count	6	50$' "two draws"
expect 0 "one draw" "$gpuvm" diff demo.gvp demo.gvp --at f1.d0
if has_device "$gpuvm"; then
    expect 0 "edit" "$gpuvm" edit demo.gvp --skip f3.d3 -o other.gvp -q
    expect 1 "pictures" "$gpuvm" diff demo.gvp other.gvp
    says out '^picture	f3	f3	-	[0-9a-f]{32}	[0-9a-f]{32}$' "a picture"
    [ "$(grep -c . out)" = 2 ] || fail "one picture"
    expect 0 "keep" "$gpuvm" edit demo.gvp --keep f1 -o other.gvp -q
    expect 1 "no picture" "$gpuvm" diff demo.gvp other.gvp
    says out '^picture	.*	-$' "a frame that shows nothing"
fi

expect 2 "one file" "$gpuvm" diff demo.gvp
expect 2 "no such place" "$gpuvm" diff demo.gvp --at f99.d0
for place in f1.d0/color0 f1.d0/state.viewport0 ^f1.d0 f1; do
    expect 2 "more than work: $place" "$gpuvm" diff demo.gvp --at $place
done
expect 2 "no path" "$gpuvm" diff demo.gvp --at nowhere
expect 2 "no file" "$gpuvm" diff demo.gvp nowhere.gvp
head -c 20000 demo.gvp >damaged.gvp
expect 3 "damaged" "$gpuvm" diff demo.gvp damaged.gvp --state
finish

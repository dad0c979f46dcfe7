#!/bin/sh
# Every cell of the table of formats and uses (runtime/vk/device/format_ways.def): a device
# that lacks the use draws the same.
#   formats.sh DRIVER GPUVM LAYERS SHADERS PICTURE_DISTANCE [EVERY]
# What a format's texels are uploaded, copied, blitted to the nearest, cleared and drawn to
# without blending, comes out to the bit; what is filtered and blended, within a step of the
# format, which its own rounding and a kernel's may be apart.
. tests/cli/lib.sh
. tests/drivers/lib.sh
driver=$1 gpuvm=$2 layers=$3 shaders=$4 distance=$5
use_driver "$driver" "$gpuvm"
export XDG_CACHE_HOME="$work/cache"

hidden() {
    rules=$1
    shift
    env GV_HIDE="$rules" VK_ADD_LAYER_PATH="$layers" \
        VK_INSTANCE_LAYERS=VK_LAYER_GPUVM_hide "$@"
}

# Bits that are no exponent of an infinity in any format.
texels() {
    i=0
    while [ $i -lt 4096 ]; do
        printf ' %d' $((i * 37 + i / 16 * 11 & 0x55))
        i=$((i + 1))
    done
}

# Colours of 16 x 16 texels that go both ways from 0.
gradient() {
    i=0
    while [ $i -lt 256 ]; do
        x=$((i % 16)) y=$((i / 16))
        printf ' %d.%02d %d.%02d %d.%02d %d.%02d' 0 $((x * 6)) 0 $((y * 6)) \
            0 $(((x + y) * 3)) 0 $((99 - x * 3))
        i=$((i + 1))
    done
}

# exact FORMAT BITS: its texels as they are.
exact() {
    cat <<END
.require format "$1" $2
.const texels u8 ($bytes )
.export whole image $1 16 16
.export half image $1 8 8
.export copied image $1 16 16
.export cleared image $1 16 16
a = image_create(2D, $1, width=16, height=16, usage=SAMPLED|COLOR_ATTACHMENT)
image_upload(a, width=16, height=16, data=texels)
post_image(whole, a)
h = image_create(2D, $1, width=8, height=8, usage=SAMPLED|COLOR_ATTACHMENT)
image_blit(h, dst_x1=8, dst_y1=8, dst_z1=1, src=a, src_x1=16, src_y0=16, src_z1=1)
post_image(half, h)
c = image_create(2D, $1, width=16, height=16, usage=SAMPLED|COLOR_ATTACHMENT)
image_copy(c, src=a, width=16, height=16)
post_image(copied, c)
pass_color(image=c, load=CLEAR, c0=$3, c1=$3, c2=$3, c3=$3)
pass_begin(16, 16, 1)
pass_end()
post_image(cleared, c)
END
}

# filtered FORMAT BITS: blits to and from it, mips, blended draws, and all that sampled.
filtered() {
    cat <<END
.require format "$1" $2
.resource cover file "cover.vert.spv"
.resource solid file "solid.frag.spv"
.resource look file "texture_2d.frag.spv"
.const colors f32 ($gradient )
.const red f32 ( 0.9 0.2 0.1 0.4 )
.sampler nearest {
}
.graphics blended {
    color 0 $1
    binding 1 0 UNIFORM_BUFFER_DYNAMIC FRAGMENT
    blend 0 enable src_color=SRC_ALPHA dst_color=ONE_MINUS_SRC_ALPHA color_op=ADD src_alpha=ONE dst_alpha=ONE alpha_op=ADD
}
.graphics shown {
    color 0 R8G8B8A8_UNORM
    binding 2 0 COMBINED_IMAGE_SAMPLER FRAGMENT
}
v = shader_create(cover)
s = shader_create(solid)
l = shader_create(look)
over = pipeline_create_graphics(desc=blended, vertex=v, fragment=s)
show = pipeline_create_graphics(desc=shown, vertex=v, fragment=l)
sm = sampler_create(nearest)
g = image_create(2D, R32G32B32A32_SFLOAT, width=16, height=16, usage=SAMPLED)
image_upload(g, width=16, height=16, data=colors)
a = image_create(2D, $1, width=16, height=16, mips=5, usage=SAMPLED|COLOR_ATTACHMENT)
image_blit(a, dst_x1=16, dst_y1=16, dst_z1=1, src=g, src_x0=14, src_x1=1, src_y0=2, src_y1=15, src_z1=1, filter=LINEAR)
image_mipmaps(a, mips=5, layers=1, filter=LINEAR)
b = image_create(2D, $1, width=16, height=16, usage=SAMPLED|COLOR_ATTACHMENT)
image_clear_color(b, mips=1, layers=1, c0=0.3, c1=0.6, c2=0.8, c3=0.5)
image_blit(b, dst_x0=3, dst_x1=15, dst_y0=2, dst_y1=12, dst_z1=1, src=a, src_x1=16, src_y1=16, src_z1=1, filter=LINEAR)
pass_color(image=b, load=LOAD)
pass_begin(16, 16, 1)
set_viewport(x=0, y=0, width=16, height=16)
set_scissor(x=0, y=0, width=10, height=16)
bind_uniform_bytes(1, 0, red)
bind_pipeline(over)
draw(3)
draw(3)
pass_end()
rt = image_create(2D, R8G8B8A8_UNORM, width=64, height=16, usage=COLOR_ATTACHMENT)
pass_color(image=rt, load=CLEAR)
pass_begin(64, 16, 1)
bind_pipeline(show)
bind_sampler(2, 0, 0, sm)
$(view 0 a 0)
$(view 16 a 1)
$(view 32 a 2)
$(view 48 b 0)
pass_end()
present(rt, width=64, height=16)
frame_end()
END
}

# view X IMAGE MIP: shown there.
view() {
    cat <<END
set_viewport(x=$1, y=0, width=16, height=16)
set_scissor(x=$1, y=0, width=16, height=16)
bind_texture(2, 0, 0, $2, 2D, mip=$3, mips=1)
draw(3)
END
}

# Bits of requirements.
sampled=1 color=128 blend=256 blits=3072 linear=4096

# make NAME FUNCTION FORMAT BITS [CLEAR]
make() {
    name=$1 function=$2
    shift 2
    "$function" "$@" >"$work/$name.gvt"
    expect 0 "$1: asm" "$gpuvm" asm "$work/$name.gvt" --include "$shaders" -o "$work/$name.gvp"
}

# run NAME OUT [RULES]: what comes out of it is in that folder.
run() {
    rm -rf "$work/$2"
    mkdir "$work/$2"
    case $1 in
    exact)
        set -- "$@" "" # so that there is a third
        expect 0 "$format: $1: ${3:-plain}" hidden "$3" "$gpuvm" run "$work/$1.gvp" \
            --export "whole=$work/$2/whole" --export "half=$work/$2/half" \
            --export "copied=$work/$2/copied" --export "cleared=$work/$2/cleared"
        ;;
    *)
        expect 0 "$format: $1: ${3:-plain}" hidden "${3:-}" "$gpuvm" run "$work/$1.gvp" \
            --screenshots all --screenshot-dir "$work/$2"
        ;;
    esac
}

# step FORMAT: levels that it may be apart: a step of its coarsest colour, two after two draws.
step() {
    case $1 in
    *4_UNORM* | R4*) echo 34 ;;
    *5_UNORM* | *5A1_UNORM* | A1R5*) echo 19 ;;
    *SNORM*) echo 5 ;;
    E5B9*) echo 3 ;;
    B10G11*) echo 9 ;;
    *) echo 3 ;;
    esac
}

bytes=$(texels)
gradient=$(gradient)
cells=0
slice=${6:-1} number=0
for format in $(sed -n 's/^GV_FORMAT_WIDER(\([A-Z0-9_]*\),.*/\1/p' runtime/vk/device/format_ways.def); do
    number=$((number + 1))
    [ $((number % slice)) -eq 0 ] || continue
    clear=0.4
    need=$((sampled + color + blits))
    case $format in
    *D24*) continue ;; # depth24.gvt
    *UINT*) clear=3 ;;
    *SINT*) clear=-1 ;;
    esac
    make exact exact "$format" $need $clear || continue
    run exact plain || continue
    uses="blit_dst,blit_src color sampled,color,blit_src,blit_dst"
    for use in $uses; do
        # A shared exponent has many forms of one value, of which a wider format keeps none.
        case $format,$use in E5B9*,*color*) continue ;; esac
        run exact hidden "hide format $format $(echo "$use" | tr , ' ')" || continue
        diff -r "$work/plain" "$work/hidden" >"$work/out" || fail "$format: $use: $(cat "$work/out")"
        cells=$((cells + 1))
    done
    case $format in *INT*) continue ;; esac
    make filtered filtered "$format" $((need + blend + linear)) || continue
    run filtered plain || continue
    for use in blit_dst blit_src linear color,blend blend sampled,linear,color,blend,blit_src,blit_dst; do
        # SwiftShader blends these as if they had another order of components.
        case $driver,$format,$use in swiftshader,A8B8G8R8*blend*) continue ;; esac
        run filtered hidden "hide format $format $(echo "$use" | tr , ' ')" || continue
        largest=$("$distance" "$work/plain/frame_000000.png" "$work/hidden/frame_000000.png" |
            cut -d ' ' -f 2)
        [ "$largest" -le "$(step "$format")" ] ||
            fail "$format: $use: $largest levels, not $(step "$format")"
        cells=$((cells + 1))
    done
done
[ $((cells * slice)) -gt 300 ] || fail "$cells cells tried"
finish

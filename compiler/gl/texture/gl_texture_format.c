#include "compiler/gl/texture/gl_texture_format.h"

#include "compiler/gl/base/gl_enums.h"
#include "compiler/gl/texture/gl_pixels.h"
#include "compiler/texels/astc_decode.h"
#include "compiler/texels/bc6h_decode.h"
#include "compiler/texels/channel_decode.h"
#include "compiler/texels/stored_texels.h"
#include "vm/formats.h"

enum {
    ZERO = GV_STORED_ZERO,
    ONE = GV_STORED_ONE,
    V0 = GV_SWIZZLE_ZERO,
    V1 = GV_SWIZZLE_ONE,
    VR = GV_SWIZZLE_R,
    VG = GV_SWIZZLE_G,
    VB = GV_SWIZZLE_B,
    VA = GV_SWIZZLE_A,
};

// clang-format off
#define LAYOUT_RGBA { { 0, 1, 2, 3 }, { VR, VG, VB, VA } }
#define LAYOUT_RGB { { 0, 1, 2, ONE }, { VR, VG, VB, V1 } }
#define LAYOUT_RG { { 0, 1, ZERO, ONE }, { VR, VG, V0, V1 } }
#define LAYOUT_RED { { 0, ZERO, ZERO, ONE }, { VR, V0, V0, V1 } }
#define LAYOUT_ALPHA { { 3, ZERO, ZERO, ONE }, { V0, V0, V0, VR } }
#define LAYOUT_LUMINANCE { { 0, ZERO, ZERO, ONE }, { VR, VR, VR, V1 } }
#define LAYOUT_LUMINANCE_ALPHA { { 0, 3, ZERO, ONE }, { VR, VR, VR, VG } }
#define LAYOUT_INTENSITY { { 0, ZERO, ZERO, ONE }, { VR, VR, VR, VR } }
#define LAYOUT_LUMINANCE_RGBA { { 0, 0, 0, ONE }, { VR, VR, VR, V1 } }
#define LAYOUT_LUMINANCE_ALPHA_RGBA { { 0, 0, 0, 3 }, { VR, VR, VR, VA } }
#define LAYOUT_ALPHA_RGBA { { ZERO, ZERO, ZERO, 3 }, { V0, V0, V0, VA } }
#define LAYOUT_DEPTH { { 0, ZERO, ZERO, ONE }, { VR, V0, V0, V1 } }
// clang-format on

#define KEPT(digits)                                                             \
    {                                                                            \
        (digits) >> 12 & 15, (digits) >> 8 & 15, (digits) >> 4 & 15, (digits)&15 \
    }

static const struct gv_gl_texture_format rows[] = {
#define GV_GL_FORMAT(internal, base, format, layout, kept) \
    { internal, base, GV_FORMAT_##format, LAYOUT_##layout, KEPT(kept) },
#include "compiler/gl/texture/gl_texture_format.def"
#undef GV_GL_FORMAT
};

const struct gv_gl_texture_format *gv_gl_texture_format(uint32_t internal)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].internal == internal)
            return &rows[i];
    return NULL;
}

uint32_t gv_gl_plain_format(uint32_t format)
{
    return format == GV_FORMAT_R8G8B8A8_SRGB ? GV_FORMAT_R8G8B8A8_UNORM : format;
}

bool gv_gl_is_integer(uint32_t format)
{
    const struct gv_format_info *info = gv_format_info(format);
    return info && info->aspects == GV_ASPECT_COLOR &&
           (info->kind == GV_FORMAT_KIND_UINT || info->kind == GV_FORMAT_KIND_SINT);
}

// ---- formats that pixels decide ----

// Where the internal format is that of the pixels, of 16 bits a component.
static uint32_t sized_by_short(uint32_t internal)
{
    static const struct {
        uint32_t base, sized;
    } sizes[] = {
        { GL_ALPHA, GL_ALPHA16 },
        { GL_LUMINANCE, GL_LUMINANCE16 },
        { GL_LUMINANCE_ALPHA, GL_LUMINANCE16_ALPHA16 },
        { GL_RED, GL_R16 },
        { GL_RG, GL_RG16 },
        { GL_RGBA, GL_RGBA16 },
    };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i].base == internal)
            return sizes[i].sized;
    return internal;
}

// Where the internal format is GL_RGB or GL_RGBA: as many bits as the pixels have.
static uint32_t sized_by_type(uint32_t internal, uint32_t type)
{
    bool alpha = internal == GL_RGBA;
    switch (type) {
    case GL_UNSIGNED_SHORT_5_6_5:
    case GL_UNSIGNED_SHORT_5_6_5_REV:
        return alpha ? internal : GL_RGB565;
    case GL_UNSIGNED_SHORT_4_4_4_4:
    case GL_UNSIGNED_SHORT_4_4_4_4_REV:
        return alpha ? GL_RGBA4 : internal;
    case GL_UNSIGNED_SHORT_5_5_5_1:
        return alpha ? GL_RGB5_A1 : GL_RGB5;
    case GL_UNSIGNED_SHORT_1_5_5_5_REV:
        return alpha ? GL_RGB5_A1 : internal;
    case GL_UNSIGNED_BYTE_3_3_2:
    case GL_UNSIGNED_BYTE_2_3_3_REV:
        return alpha ? internal : GL_R3_G3_B2;
    case GL_UNSIGNED_INT_2_10_10_10_REV:
        return alpha ? GL_RGB10_A2 : GL_RGB10;
    default:
        return internal;
    }
}

// GLES: pixels of floats are kept as floats (OES_texture_float).
static uint32_t sized_by_float(uint32_t internal, uint32_t type)
{
    static const struct {
        uint32_t base, half, full;
    } sizes[] = {
        { GL_RGBA, GL_RGBA16F, GL_RGBA32F },
        { GL_RGB, GL_RGB16F, GL_RGB32F },
        { GL_ALPHA, GL_ALPHA16F_ARB, GL_ALPHA32F_ARB },
        { GL_LUMINANCE, GL_LUMINANCE16F_ARB, GL_LUMINANCE32F_ARB },
        { GL_LUMINANCE_ALPHA, GL_LUMINANCE_ALPHA16F_ARB, GL_LUMINANCE_ALPHA32F_ARB },
    };
    bool half = type == GL_HALF_FLOAT || type == GV_GL_HALF_FLOAT_OES;
    for (size_t i = 0; (half || type == GL_FLOAT) && i < sizeof sizes / sizeof *sizes;
         i++)
        if (sizes[i].base == internal)
            return half ? sizes[i].half : sizes[i].full;
    return internal;
}

const struct gv_gl_texture_format *
gv_gl_texture_format_unpacked(const struct gv_gl_texture_format *f)
{
    const struct gv_format_info *info = f ? gv_format_info(f->format) : NULL;
    if (!info || !info->compressed)
        return f;
    switch (f->format) {
    case GV_FORMAT_BC1_RGB_SRGB_BLOCK:
    case GV_FORMAT_ETC2_R8G8B8_SRGB_BLOCK:
        return gv_gl_texture_format(GL_SRGB8);
    case GV_FORMAT_BC1_RGBA_SRGB_BLOCK:
    case GV_FORMAT_BC2_SRGB_BLOCK:
    case GV_FORMAT_BC3_SRGB_BLOCK:
    case GV_FORMAT_BC7_SRGB_BLOCK:
    case GV_FORMAT_ETC2_R8G8B8A1_SRGB_BLOCK:
    case GV_FORMAT_ETC2_R8G8B8A8_SRGB_BLOCK:
        return gv_gl_texture_format(GL_SRGB8_ALPHA8);
    case GV_FORMAT_BC6H_SFLOAT_BLOCK:
    case GV_FORMAT_BC6H_UFLOAT_BLOCK:
        return gv_gl_texture_format(GL_RGB16F);
    case GV_FORMAT_BC4_SNORM_BLOCK:
        return gv_gl_texture_format(f->base == GL_RED ? GL_R8_SNORM : f->base);
    case GV_FORMAT_BC5_SNORM_BLOCK:
        return gv_gl_texture_format(f->base == GL_RG ? GL_RG8_SNORM : f->base);
    default:
        return gv_gl_texture_format(f->base);
    }
}

// The blocks that Mesa makes where a generic format leaves the choice to it; alpha and
// intensity alone, and sRGB luminance, stay plain.
static uint32_t chosen_blocks(uint32_t internal)
{
    static const struct {
        uint32_t generic, blocks;
    } choices[] = {
        { GL_COMPRESSED_RGB, GL_COMPRESSED_RGB_S3TC_DXT1_EXT },
        { GL_COMPRESSED_RGBA, GL_COMPRESSED_RGBA_S3TC_DXT5_EXT },
        { GL_COMPRESSED_SRGB, GL_COMPRESSED_SRGB_S3TC_DXT1_EXT },
        { GL_COMPRESSED_SRGB_ALPHA, GL_COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT },
        { GL_COMPRESSED_RED, GL_COMPRESSED_RED_RGTC1 },
        { GL_COMPRESSED_RG, GL_COMPRESSED_RG_RGTC2 },
        { GL_COMPRESSED_LUMINANCE, GL_COMPRESSED_LUMINANCE_LATC1_EXT },
        { GL_COMPRESSED_LUMINANCE_ALPHA, GL_COMPRESSED_LUMINANCE_ALPHA_LATC2_EXT },
    };
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
        if (choices[i].generic == internal)
            return choices[i].blocks;
    return internal;
}

const struct gv_gl_texture_format *
gv_gl_texture_format_for(uint32_t internal, const struct gv_gl_pixels *p, bool es,
                         bool blocks)
{
    uint32_t sized = blocks ? chosen_blocks(internal) : internal;
    if (!p->texel.swap && (internal == GL_RGB || internal == GL_RGBA))
        sized = sized_by_type(internal, p->type);
    if (!p->texel.swap && internal == p->format && p->type == GL_UNSIGNED_SHORT)
        sized = sized_by_short(internal);
    if (es)
        sized = sized_by_float(sized, p->type);
    return gv_gl_texture_format(sized);
}

bool gv_gl_texture_format_has_blocks(uint32_t internal)
{
    const struct gv_gl_texture_format *f =
        gv_gl_texture_format(chosen_blocks(internal));
    return f && gv_format_info(f->format)->compressed;
}

// ---- stand-ins ----

const struct gv_gl_texture_format *
gv_gl_texture_format_wide(const struct gv_gl_texture_format *f)
{
#define WIDE(bits, kind)                                               \
    { GV_FORMAT_R##bits##_##kind,                                      \
      { GL_ALPHA,                                                      \
        GL_ALPHA,                                                      \
        GV_FORMAT_R##bits##G##bits##B##bits##A##bits##_##kind,         \
        LAYOUT_ALPHA_RGBA,                                             \
        { 0 } } },                                                     \
    {                                                                  \
        GV_FORMAT_R##bits##G##bits##_##kind,                           \
        {                                                              \
            GL_LUMINANCE_ALPHA, GL_LUMINANCE_ALPHA,                    \
                GV_FORMAT_R##bits##G##bits##B##bits##A##bits##_##kind, \
                LAYOUT_LUMINANCE_ALPHA_RGBA,                           \
            {                                                          \
                0                                                      \
            }                                                          \
        }                                                              \
    }
    static const struct {
        uint32_t narrow;
        struct gv_gl_texture_format as;
    } wide[] = {
        WIDE(8, UNORM),   WIDE(8, SNORM),   WIDE(8, UINT),  WIDE(8, SINT),
        WIDE(16, UNORM),  WIDE(16, SNORM),  WIDE(16, UINT), WIDE(16, SINT),
        WIDE(16, SFLOAT), WIDE(32, SFLOAT), WIDE(32, UINT), WIDE(32, SINT),
    };
#undef WIDE
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        if (wide[i].narrow == f->format && wide[i].as.base == f->base)
            return &wide[i].as;
    return f;
}

uint32_t gv_gl_texture_device_format(const struct gv_builder *b,
                                     const struct gv_gl_texture_format *f)
{
    static const struct {
        uint32_t format, instead;
    } stand_ins[] = {
        { GV_FORMAT_R16_UNORM, GV_FORMAT_R32_SFLOAT },
        { GV_FORMAT_R16_SNORM, GV_FORMAT_R32_SFLOAT },
        { GV_FORMAT_R16G16_UNORM, GV_FORMAT_R32G32_SFLOAT },
        { GV_FORMAT_R16G16_SNORM, GV_FORMAT_R32G32_SFLOAT },
        { GV_FORMAT_R16G16B16A16_UNORM, GV_FORMAT_R32G32B32A32_SFLOAT },
        { GV_FORMAT_R16G16B16A16_SNORM, GV_FORMAT_R32G32B32A32_SFLOAT },
        { GV_FORMAT_X8_D24_UNORM_PACK32, GV_FORMAT_D32_SFLOAT },
        { GV_FORMAT_D24_UNORM_S8_UINT, GV_FORMAT_D32_SFLOAT_S8_UINT },
        { GV_FORMAT_S8_UINT, GV_FORMAT_D32_SFLOAT_S8_UINT },
    };
    if (gv_builder_target_has_format(b, f->format))
        return f->format;
    for (size_t i = 0; i < sizeof stand_ins / sizeof *stand_ins; i++)
        if (stand_ins[i].format == f->format)
            return stand_ins[i].instead;
    uint32_t channels = gv_channels_plain_format(f->format);
    for (size_t i = 0; channels && i < sizeof stand_ins / sizeof *stand_ins; i++)
        if (stand_ins[i].format == channels &&
            !gv_builder_target_has_format(b, channels))
            return stand_ins[i].instead;
    uint32_t plain = channels ? channels : gv_bc_plain_format(f->format, NULL);
    if (!plain)
        plain = gv_astc_plain_format(f->format);
    if (gv_bc6h_is_format(f->format))
        plain = GV_FORMAT_R16G16B16A16_SFLOAT;
    return plain ? plain : f->format;
}

bool gv_gl_texture_is_known(const struct gv_builder *b,
                            const struct gv_gl_texture_format *f)
{
    return gv_builder_target_has_format(b, gv_gl_texture_device_format(b, f));
}

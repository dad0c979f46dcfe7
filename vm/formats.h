// Texel formats: the rows of formats.def as constants and facts. Values are VkFormat's.
#ifndef GV_FORMATS_H
#define GV_FORMATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum gv_format {
    GV_FORMAT_NONE = 0,
#define GV_FORMAT(name, value, ...) GV_FORMAT_##name = value,
#include "vm/formats.def"
#undef GV_FORMAT
};

// A format that only the export of a buffer may name, for texels that Vulkan 1.3 cannot
// view: five bits each of red, green and blue from the lowest up, and a bit that is not
// part of the picture. The value is that of A1B5G5R5 in VK_KHR_maintenance5.
#define GV_FORMAT_X1B5G5R5_UNORM_PACK16 1000470000

// How the bits of a component are read.
enum gv_format_kind {
    GV_FORMAT_KIND_UNORM,
    GV_FORMAT_KIND_SNORM,
    GV_FORMAT_KIND_USCALED,
    GV_FORMAT_KIND_SSCALED,
    GV_FORMAT_KIND_UINT,
    GV_FORMAT_KIND_SINT,
    GV_FORMAT_KIND_UFLOAT,
    GV_FORMAT_KIND_SFLOAT,
    GV_FORMAT_KIND_SRGB,
};

// The compatibility classes of Vulkan ("Compatible Formats"): image_copy works between
// formats of one class, views of MUTABLE_FORMAT images may reinterpret within it.
enum gv_format_class {
    GV_FORMAT_CLASS_C8,
    GV_FORMAT_CLASS_C16,
    GV_FORMAT_CLASS_C24,
    GV_FORMAT_CLASS_C32,
    GV_FORMAT_CLASS_C48,
    GV_FORMAT_CLASS_C64,
    GV_FORMAT_CLASS_C96,
    GV_FORMAT_CLASS_C128,
    GV_FORMAT_CLASS_C192,
    GV_FORMAT_CLASS_C256,
    GV_FORMAT_CLASS_D16,
    GV_FORMAT_CLASS_D24,
    GV_FORMAT_CLASS_D32,
    GV_FORMAT_CLASS_S8,
    GV_FORMAT_CLASS_D16S8,
    GV_FORMAT_CLASS_D24S8,
    GV_FORMAT_CLASS_D32S8,
    GV_FORMAT_CLASS_BC1_RGB,
    GV_FORMAT_CLASS_BC1_RGBA,
    GV_FORMAT_CLASS_BC2,
    GV_FORMAT_CLASS_BC3,
    GV_FORMAT_CLASS_BC4,
    GV_FORMAT_CLASS_BC5,
    GV_FORMAT_CLASS_BC6H,
    GV_FORMAT_CLASS_BC7,
    GV_FORMAT_CLASS_ETC2_RGB,
    GV_FORMAT_CLASS_ETC2_RGBA,
    GV_FORMAT_CLASS_ETC2_EAC_RGBA,
    GV_FORMAT_CLASS_EAC_R,
    GV_FORMAT_CLASS_EAC_RG,
    GV_FORMAT_CLASS_ASTC_4X4,
    GV_FORMAT_CLASS_ASTC_5X4,
    GV_FORMAT_CLASS_ASTC_5X5,
    GV_FORMAT_CLASS_ASTC_6X5,
    GV_FORMAT_CLASS_ASTC_6X6,
    GV_FORMAT_CLASS_ASTC_8X5,
    GV_FORMAT_CLASS_ASTC_8X6,
    GV_FORMAT_CLASS_ASTC_8X8,
    GV_FORMAT_CLASS_ASTC_10X5,
    GV_FORMAT_CLASS_ASTC_10X6,
    GV_FORMAT_CLASS_ASTC_10X8,
    GV_FORMAT_CLASS_ASTC_10X10,
    GV_FORMAT_CLASS_ASTC_12X10,
    GV_FORMAT_CLASS_ASTC_12X12,
};

struct gv_format_info {
    const char *name; // without VK_FORMAT_
    uint32_t value;   // enum gv_format
    uint8_t block_bytes, block_width, block_height;
    uint8_t format_class; // enum gv_format_class
    uint8_t aspects;      // GV_ASPECT_* bits
    uint8_t kind;         // enum gv_format_kind, of the first component
    bool compressed;
    uint8_t component_count;
    char components[5]; // letters in the order of the name: "BGRA", "DS"
    uint8_t bits[4];    // of each component; 0 when compressed
};

// The facts of a format, or NULL if `value` is none that a payload may name (0
// included).
const struct gv_format_info *gv_format_info(uint64_t value);

// The same for what an export may name.
const struct gv_format_info *gv_export_format_info(uint64_t value);

// The format of that name (without VK_FORMAT_), or GV_FORMAT_NONE.
uint32_t gv_format_find(const char *name);

// Whether both have the same components of the same sizes, whatever their order. Views
// of one as the other are more than portable devices allow where they have not.
bool gv_format_same_components(const struct gv_format_info *a,
                               const struct gv_format_info *b);

// Whether a view's swizzle (four GV_SWIZZLE_* of four bits, red lowest) leaves every
// component where it is.
bool gv_swizzle_is_straight(uint32_t swizzle);

// Every row, ascending by value; for listings.
extern const struct gv_format_info gv_formats[];
extern const size_t gv_format_count;

// Bytes of one block of one aspect (a GV_ASPECT_* bit) as uploads and posts hold it:
// depth is D16, f32, or u32 with 24 low bits; stencil is one byte. 0 if the format has
// no such aspect.
uint32_t gv_format_aspect_bytes(const struct gv_format_info *info, uint32_t aspect);

// The format of four components of 32 bits that holds the same values as vertex data
// of `info`; GV_FORMAT_NONE where there is none, or the conversion is not known.
uint32_t gv_format_wide(const struct gv_format_info *info);

// Bytes that addresses of a vertex attribute are a multiple of ("Vertex Input
// Extraction"): those of a component, or of the whole of a packed format.
uint32_t gv_format_vertex_alignment(const struct gv_format_info *info);

// A box of texels in bytes: `slices` (depth times layers) one after another, each
// `rows` block rows of `row_bytes`; 0 means tight for either.
struct gv_texel_box {
    uint32_t width, height; // texels
    uint32_t slices;
    uint32_t row_bytes, rows;
};

// The bytes that the box needs; its very last row may be tight. False if a size is 0,
// the format lacks the aspect, `row_bytes` or `rows` are smaller than the box, or the
// result overflows.
bool gv_format_box_bytes(const struct gv_format_info *info, uint32_t aspect,
                         const struct gv_texel_box *box, uint64_t *bytes);

// Bytes of one tight row of blocks. The format must have the aspect.
uint64_t gv_format_row_bytes(const struct gv_format_info *info, uint32_t aspect,
                             uint32_t width);

// The size of mip level `mip` of an image side: halved `mip` times, at least 1.
static inline uint32_t gv_mip_size(uint32_t size, uint32_t mip)
{
    uint32_t shrunk = mip < 32 ? size >> mip : 0;
    return shrunk ? shrunk : 1;
}

#endif

// Names of functions to their rows.
#include "compiler/gl/gl_functions.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>

#include "compiler/gl/assembly/gl_assembly.h"
#include "compiler/gl/base/gl_buffer.h"
#include "compiler/gl/base/gl_conditions.h"
#include "compiler/gl/draw/gl_copy_texture.h"
#include "compiler/gl/draw/gl_draw.h"
#include "compiler/gl/draw/gl_egl_image.h"
#include "compiler/gl/draw/gl_framebuffer.h"
#include "compiler/gl/geometry/gl_array.h"
#include "compiler/gl/geometry/gl_evaluator.h"
#include "compiler/gl/geometry/gl_list.h"
#include "compiler/gl/gl_attributes.h"
#include "compiler/gl/gl_compute.h"
#include "compiler/gl/gl_queries.h"
#include "compiler/gl/gl_query_buffer.h"
#include "compiler/gl/gl_visual.h"
#include "compiler/gl/program/gl_program.h"
#include "compiler/gl/state/gl_setters.h"
#include "compiler/gl/texture/gl_image_unit.h"
#include "compiler/gl/texture/gl_texture.h"
#include "resources/base/cursor.h"
#include "resources/hash.h"

const struct gv_gl_row *const gv_gl_function_tables[] = {
    gv_gl_glx_rows,
    gv_gl_egl_rows,
    gv_gl_wgl_rows,
    gv_gl_visual_rows,
    gv_gl_frame_rows,
    gv_gl_viewport_rows,
    gv_gl_attribute_rows,
    gv_gl_enable_rows,
    gv_gl_matrix_rows,
    gv_gl_light_rows,
    gv_gl_rasterization_rows,
    gv_gl_fragment_rows,
    gv_gl_blend_rows,
    gv_gl_texture_environment_rows,
    gv_gl_pixel_state_rows,
    gv_gl_buffer_rows,
    gv_gl_buffer_point_rows,
    gv_gl_texture_rows,
    gv_gl_texture_image_rows,
    gv_gl_texture_sub_image_rows,
    gv_gl_texture_named_rows,
    gv_gl_texture_samples_rows,
    gv_gl_texture_view_rows,
    gv_gl_texture_content_rows,
    gv_gl_texture_buffer_rows,
    gv_gl_buffer_clear_rows,
    gv_gl_image_unit_rows,
    gv_gl_texture_compressed_rows,
    gv_gl_texture_storage_rows,
    gv_gl_copy_texture_rows,
    gv_gl_texture_mipmap_rows,
    gv_gl_texture_parameter_rows,
    gv_gl_sampler_rows,
    gv_gl_assembly_rows,
    gv_gl_assembly_parameter_rows,
    gv_gl_shader_rows,
    gv_gl_shader_binary_rows,
    gv_gl_program_rows,
    gv_gl_varying_rows,
    gv_gl_transform_feedback_rows,
    gv_gl_program_query_rows,
    gv_gl_uniform_rows,
    gv_gl_program_pipeline_rows,
    gv_gl_subroutine_rows,
    gv_gl_shader_include_rows,
    gv_gl_compute_rows,
    gv_gl_condition_rows,
    gv_gl_query_result_rows,
    gv_gl_framebuffer_rows,
    gv_gl_framebuffer_named_rows,
    gv_gl_renderbuffer_rows,
    gv_gl_egl_image_rows,
    gv_gl_clear_rows,
    gv_gl_accum_rows,
    gv_gl_vertex_rows,
    gv_gl_list_rows,
    gv_gl_array_rows,
    gv_gl_array_enable_rows,
    gv_gl_array_format_rows,
    gv_gl_array_interleaved_rows,
    gv_gl_array_indirect_rows,
    gv_gl_array_draw_rows,
    gv_gl_array_captured_rows,
    gv_gl_vertex_array_rows,
    gv_gl_rect_rows,
    gv_gl_map_rows,
    gv_gl_evaluator_rows,
    gv_gl_feedback_rows,
    gv_gl_raster_pos_rows,
    gv_gl_bitmap_rows,
    gv_gl_draw_texture_rows,
    gv_gl_draw_pixels_rows,
    gv_gl_copy_pixels_rows,
    gv_gl_blit_rows,
    gv_gl_copy_image_rows,
    gv_gl_read_pixels_rows,
    gv_gl_query_rows, // behind all others
    NULL,
};

#define SLOTS 8192u // a power of two, more than twice the rows
#define ROOM 512u   // more rows than a table has
// Of which table and row, plus one: pointers would touch four times the pages.
static uint16_t slots[SLOTS];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static uint32_t place(const char *name, size_t length)
{
    const struct gv_hash hash = gv_hash_bytes(name, length);
    return gv_load_u32(hash.bytes) % SLOTS;
}

static const struct gv_gl_row *row_at(const uint16_t *slot)
{
    return *slot ? &gv_gl_function_tables[(*slot - 1u) / ROOM][(*slot - 1u) % ROOM]
                 : NULL;
}

// Where a name is, or the free place where it would be.
static uint16_t *find(const char *name, size_t length)
{
    uint32_t at = place(name, length);
    for (const struct gv_gl_row *row; (row = row_at(&slots[at])) != NULL;) {
        if (!strncmp(row->name, name, length) && !row->name[length])
            break;
        at = (at + 1) % SLOTS;
    }
    return &slots[at];
}

// Of two rows of one name the first one counts.
static void fill(void)
{
    for (size_t t = 0; gv_gl_function_tables[t]; t++)
        for (size_t r = 0; gv_gl_function_tables[t][r].name; r++) {
            const char *name = gv_gl_function_tables[t][r].name;
            uint16_t *slot = find(name, strlen(name));
            assert(t < UINT16_MAX / ROOM && r < ROOM);
            if (!*slot)
                *slot = (uint16_t)(t * ROOM + r + 1);
        }
}

// Extensions' functions that take other arguments than the core's of the same name.
static bool is_its_own(const char *name)
{
    static const char *const prefixes[] = { "glTexture", "glMultiTex", "glVertexArray",
                                            "glNamedProgram" };
    static const char *const names[] = {
        "glVertexPointerEXT",        "glNormalPointerEXT",
        "glColorPointerEXT",         "glIndexPointerEXT",
        "glTexCoordPointerEXT",      "glEdgeFlagPointerEXT",
        "glUniformBufferEXT",        "glSampleMaskSGIS",
        "glMultiTexCoordPointerEXT", "glVertexAttribPointerNV",
        "glVertexAttribFormatNV",    "glVertexAttribIFormatNV",
        "glVertexAttribLFormatNV",
    };
    size_t length = strlen(name);
    if (!strncmp(name, "glMultiTexCoord", 15))
        return !strcmp(name, names[8]);
    if (!strcmp(name, "glTextureViewEXT")) // of GLES: its suffix says no more
        return false;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (!strncmp(name, prefixes[i], strlen(prefixes[i])) && length > 3 &&
            !strcmp(name + length - 3, "EXT"))
            return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

// The length of a name without its extension's suffix, or 0: it has none.
static size_t core_length(const char *name)
{
    static const char *const suffixes[] = {
        "ARB", "EXT", "OES", "NV",   "ATI",  "APPLE", "SGIS", "SGIX", "KHR",
        "AMD", "IBM", "SUN", "MESA", "QCOM", "ANGLE", "IMG",  "HP",   "SGI",
    };
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        size_t n = strlen(suffixes[i]);
        if (length > n + 3 && !strcmp(name + length - n, suffixes[i]))
            return is_its_own(name) ? 0 : length - n;
    }
    return 0;
}

const struct gv_gl_row *gv_gl_function(const char *name)
{
    pthread_once(&once, fill);
    const struct gv_gl_row *row = row_at(find(name, strlen(name)));
    size_t length = row ? 0 : core_length(name);
    return length ? row_at(find(name, length)) : row;
}

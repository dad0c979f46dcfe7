// glEnable and glDisable, and their forms for one draw buffer or unit.
#include "compiler/gl/base/gl_geometry.h"
#include "compiler/gl/base/gl_material.h"
#include "compiler/gl/state/gl_setters.h"

// ---- plain flags ----

static bool *flag_of_vertices(struct gv_gl_context *c, uint32_t cap)
{
    struct gv_gl_state *s = &c->state;
    if (cap >= GL_LIGHT0 && cap < GL_LIGHT0 + GV_GL_LIGHTS)
        return &s->lighting.lights[cap - GL_LIGHT0].enabled;
    switch (cap) {
    case GL_LIGHTING:
        return &s->lighting.enabled;
    case GL_COLOR_MATERIAL:
        return &s->lighting.color_material;
    case GL_NORMALIZE:
        return &s->transform.normalize;
    case GL_RESCALE_NORMAL:
        return &s->transform.rescale_normal;
    case GL_DEPTH_CLAMP:
        return &s->transform.depth_clamp;
    case GL_AUTO_NORMAL:
        return &s->evaluation.auto_normal;
    case GL_RASTERIZER_DISCARD:
        return &c->discards;
    case GL_PRIMITIVE_RESTART:
        return &c->client.primitive_restart;
    case GL_PRIMITIVE_RESTART_FIXED_INDEX:
        return &c->client.primitive_restart_fixed;
    default:
        return NULL;
    }
}

static bool *flag_of_rasterization(struct gv_gl_state *s, uint32_t cap)
{
    switch (cap) {
    case GL_CULL_FACE:
        return &s->polygon.cull;
    case GL_POLYGON_SMOOTH:
        return &s->polygon.smooth;
    case GL_POLYGON_STIPPLE:
        return &s->polygon.stipple;
    case GL_POLYGON_OFFSET_FILL:
        return &s->polygon.offset_fill;
    case GL_POLYGON_OFFSET_LINE:
        return &s->polygon.offset_line;
    case GL_POLYGON_OFFSET_POINT:
        return &s->polygon.offset_point;
    case GL_LINE_SMOOTH:
        return &s->line.smooth;
    case GL_LINE_STIPPLE:
        return &s->line.stipple;
    case GL_POINT_SMOOTH:
        return &s->point.smooth;
    case GL_POINT_SPRITE:
        return &s->point.sprite;
    case GL_VERTEX_PROGRAM_ARB:
        return &s->assembly[0];
    case GL_FRAGMENT_PROGRAM_ARB:
        return &s->assembly[1];
    case GL_VERTEX_PROGRAM_TWO_SIDE:
        return &s->lighting.by_program;
    case GL_PROGRAM_POINT_SIZE:
        return &s->point.by_program;
    case GL_MULTISAMPLE:
        return &s->multisample.enabled;
    case GL_SAMPLE_ALPHA_TO_COVERAGE:
        return &s->multisample.alpha_to_coverage;
    case GL_SAMPLE_ALPHA_TO_ONE:
        return &s->multisample.alpha_to_one;
    case GL_SAMPLE_COVERAGE:
        return &s->multisample.coverage;
    case GL_SAMPLE_MASK:
        return &s->multisample.masked;
    case GL_SAMPLE_SHADING:
        return &s->multisample.shading;
    default:
        return NULL;
    }
}

static bool *flag_of_fragments(struct gv_gl_state *s, uint32_t cap)
{
    switch (cap) {
    case GL_FOG:
        return &s->fog.enabled;
    case GL_COLOR_SUM:
        return &s->fog.color_sum;
    case GL_DEPTH_TEST:
        return &s->depth.test;
    case GL_STENCIL_TEST:
        return &s->stencil.test;
    case GL_STENCIL_TEST_TWO_SIDE_EXT:
        return &s->stencil.two_side;
    case GL_COLOR_LOGIC_OP:
        return &s->color.logic_op;
    case GL_ALPHA_TEST:
        return &s->color.alpha_test;
    case GL_DITHER:
        return &s->color.dither;
    case GL_FRAMEBUFFER_SRGB:
        return &s->color.srgb;
    case GL_TEXTURE_CUBE_MAP_SEAMLESS:
        return &s->texture.seamless;
    default:
        return NULL;
    }
}

static bool *flag_of(struct gv_gl_context *c, uint32_t cap)
{
    bool *flag = flag_of_vertices(c, cap);
    if (!flag)
        flag = flag_of_rasterization(&c->state, cap);
    return flag ? flag : flag_of_fragments(&c->state, cap);
}

// ---- bits ----

static void set_bits(uint32_t *word, uint32_t bits, bool on)
{
    *word = on ? *word | bits : *word & ~bits;
}

// The bit of a texture target in gv_gl_unit.enabled; 0: none.
static uint32_t target_bit(uint32_t cap)
{
    switch (cap) {
    case GL_TEXTURE_1D:
        return 1u << GV_GL_TARGET_1D;
    case GL_TEXTURE_2D:
        return 1u << GV_GL_TARGET_2D;
    case GL_TEXTURE_RECTANGLE:
        return 1u << GV_GL_TARGET_RECTANGLE;
    case GL_TEXTURE_3D:
        return 1u << GV_GL_TARGET_3D;
    case GL_TEXTURE_CUBE_MAP:
        return 1u << GV_GL_TARGET_CUBE;
    case GL_TEXTURE_EXTERNAL_OES:
        return 1u << GV_GL_TARGET_EXTERNAL;
    default:
        return 0;
    }
}

// Coordinates that a capability generates, a bit each; 0: none.
static uint32_t generated(uint32_t cap)
{
    if (cap >= GL_TEXTURE_GEN_S && cap <= GL_TEXTURE_GEN_Q)
        return 1u << (cap - GL_TEXTURE_GEN_S);
    return cap == GL_TEXTURE_GEN_STR_OES ? 7 : 0;
}

// Whether `cap` is of a texture unit; it is set then.
static bool set_of_unit(struct gv_gl_unit *unit, uint32_t cap, bool on)
{
    const uint32_t target = target_bit(cap), coordinates = generated(cap);
    set_bits(&unit->enabled, target, on);
    for (uint32_t i = 0; i < 4; i++)
        if (coordinates >> i & 1)
            unit->texgen[i].enabled = on;
    return target || coordinates;
}

static bool set_of_planes_and_maps(struct gv_gl_state *s, uint32_t cap, bool on)
{
    if (cap >= GL_CLIP_PLANE0 && cap < GL_CLIP_PLANE0 + GV_GL_CLIP_PLANES)
        set_bits(&s->transform.clip_enabled, 1u << (cap - GL_CLIP_PLANE0), on);
    else if (cap >= GL_MAP1_COLOR_4 && cap <= GL_MAP1_VERTEX_4)
        set_bits(&s->evaluation.map1, 1u << (cap - GL_MAP1_COLOR_4), on);
    else if (cap >= GL_MAP2_COLOR_4 && cap <= GL_MAP2_VERTEX_4)
        set_bits(&s->evaluation.map2, 1u << (cap - GL_MAP2_COLOR_4), on);
    else
        return false;
    return true;
}

// ---- what is known and not lowered, and what shows in no picture ----

static const struct {
    uint32_t cap;
    const char *name; // NULL: no effect
} others[] = {
    { GL_INDEX_LOGIC_OP, NULL }, // there are no windows of colour indices
    { GL_DEBUG_OUTPUT, NULL },
    { GL_DEBUG_OUTPUT_SYNCHRONOUS, NULL },
    { GL_FRAGMENT_SHADER_ATI, "GL_FRAGMENT_SHADER_ATI" },
    { GL_DEPTH_BOUNDS_TEST_EXT, "GL_DEPTH_BOUNDS_TEST_EXT" },
    { GL_SAMPLE_SHADING, "GL_SAMPLE_SHADING" },
    { GL_BLEND_ADVANCED_COHERENT_KHR, NULL },
    { GL_VERTEX_BLEND_ARB, "GL_VERTEX_BLEND_ARB" },
    { GL_MATRIX_PALETTE_ARB, "GL_MATRIX_PALETTE_OES" },
    { GL_SHARED_TEXTURE_PALETTE_EXT, "GL_SHARED_TEXTURE_PALETTE_EXT" },
};

static bool set_other(struct gv_gl_context *c, struct gv_gl_sink *sink, uint32_t cap,
                      bool on)
{
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (others[i].cap == cap)
            return !on || !others[i].name ||
                   gv_gl_unsupported_of(sink, GV_GL_LACK(VALUE), others[i].name);
    if (c->core || cap == GL_PRIMITIVE_RESTART_NV)
        return gv_gl_reject(sink, GL_INVALID_ENUM);
    return gv_gl_switch_array(c, sink, cap,
                              on); // as EXT_vertex_array had it, and Mesa has
}

// ---- calls ----

static void set_blend(struct gv_gl_color *c, uint32_t first, uint32_t end, bool on)
{
    for (uint32_t i = first; i < end; i++)
        c->blend[i].enabled = on;
}

// Of all viewports.
static void set_scissors(struct gv_gl_state *s, bool on)
{
    s->scissor.enabled = on;
    for (uint32_t i = 0; i < GV_GL_VIEWPORTS - 1; i++)
        s->scissors[i].enabled = on;
}

static bool set(struct gv_gl_context *c, struct gv_gl_sink *sink, uint32_t cap, bool on)
{
    bool *flag = flag_of(c, cap);
    if (flag) {
        const bool tracks = cap == GL_COLOR_MATERIAL && on != *flag;
        *flag = on;
        if (tracks) {
            gv_gl_material_ask(c);
            gv_gl_material_track(&c->state);
        }
        gv_gl_settle_stencil(&c->state.stencil);
        return true;
    }
    if (cap == GL_BLEND) {
        set_blend(&c->state.color, 0, GV_GL_DRAW_BUFFERS, on);
        return true;
    }
    if (cap == GL_SCISSOR_TEST) {
        set_scissors(&c->state, on);
        return true;
    }
    if (target_bit(cap) || generated(cap)) {
        const uint32_t unit = c->state.texture.active;
        if (unit >= GV_GL_UNITS)
            return gv_gl_reject(sink, GL_INVALID_OPERATION);
        return set_of_unit(&c->state.texture.units[unit], cap, on);
    }
    return set_of_planes_and_maps(&c->state, cap, on) || set_other(c, sink, cap, on);
}

static bool set_indexed(struct gv_gl_context *c, struct gv_gl_sink *sink, uint32_t cap,
                        uint32_t index, bool on)
{
    uint32_t count = GV_GL_UNITS;
    if (cap == GL_BLEND)
        count = GV_GL_DRAW_BUFFERS;
    else if (cap == GL_SCISSOR_TEST)
        count = GV_GL_VIEWPORTS;
    else if (!target_bit(cap) && !generated(cap))
        return gv_gl_reject(sink, GL_INVALID_ENUM);
    if (index >= count)
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    if (cap == GL_BLEND)
        set_blend(&c->state.color, index, index + 1, on);
    else if (cap != GL_SCISSOR_TEST)
        set_of_unit(&c->state.texture.units[index], cap, on);
    else
        *(index ? &c->state.scissors[index - 1].enabled : &c->state.scissor.enabled) =
            on;
    return true;
}

static bool set_Enable(struct gv_gl_context *c, struct gv_gl_sink *sink,
                       const struct gv_trace_call *call)
{
    return set(c, sink, gv_gl_uint(call, 0), true);
}
GV_GL_SETTER(Enable)

static bool set_Disable(struct gv_gl_context *c, struct gv_gl_sink *sink,
                        const struct gv_trace_call *call)
{
    return set(c, sink, gv_gl_uint(call, 0), false);
}
GV_GL_SETTER(Disable)

static bool set_Enablei(struct gv_gl_context *c, struct gv_gl_sink *sink,
                        const struct gv_trace_call *call)
{
    return set_indexed(c, sink, gv_gl_uint(call, 0), gv_gl_uint(call, 1), true);
}
GV_GL_SETTER(Enablei)

static bool set_Disablei(struct gv_gl_context *c, struct gv_gl_sink *sink,
                         const struct gv_trace_call *call)
{
    return set_indexed(c, sink, gv_gl_uint(call, 0), gv_gl_uint(call, 1), false);
}
GV_GL_SETTER(Disablei)

const struct gv_gl_row gv_gl_enable_rows[] = {
    { "glEnable", gl_Enable, GV_GL_LISTED },
    { "glDisable", gl_Disable, GV_GL_LISTED },
    { "glEnablei", gl_Enablei, GV_GL_LISTED },
    { "glDisablei", gl_Disablei, GV_GL_LISTED },
    { "glEnableIndexedEXT", gl_Enablei, GV_GL_LISTED },
    { "glDisableIndexedEXT", gl_Disablei, GV_GL_LISTED },
    { 0 },
};

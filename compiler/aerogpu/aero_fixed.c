// Draws without any shader: what the replayers take slot 0 to mean, by its stride
// ("Fixed interpretation when no shaders are bound").
#include "compiler/aerogpu/aero.h"

#include "compiler/shader/glsl/glsl.h"

#define STRIDE_POS3_COLOR 28u
#define STRIDE_POS2_COLOR 24u
#define STRIDE_POS3_UV 20u

static const char *const texts[] = {
    [GV_AERO_FIXED_POS3_COLOR] = "#version 460\n"
                                 "layout(location = 0) in vec3 p;\n"
                                 "layout(location = 1) in vec4 c;\n"
                                 "layout(location = 0) out vec4 v;\n"
                                 "void main() { gl_Position = vec4(p, 1); v = c; }\n",
    [GV_AERO_FIXED_POS2_COLOR] =
        "#version 460\n"
        "layout(location = 0) in vec2 p;\n"
        "layout(location = 1) in vec4 c;\n"
        "layout(location = 0) out vec4 v;\n"
        "void main() { gl_Position = vec4(p, 0, 1); v = c; }\n",
    [GV_AERO_FIXED_POS3_UV] =
        "#version 460\n"
        "layout(location = 0) in vec3 p;\n"
        "layout(location = 1) in vec2 c;\n"
        "layout(location = 0) out vec4 v;\n"
        "void main() { gl_Position = vec4(p, 1); v = vec4(c, 0, 0); "
        "}\n",
    [GV_AERO_FIXED_FS_COLOR] = "#version 460\n"
                               "layout(location = 0) in vec4 v;\n"
                               "layout(location = 0) out vec4 o;\n"
                               "void main() { o = v; }\n",
    // The pixel stage's texture 0 and sampler 0, as dxbc_types.h numbers them.
    [GV_AERO_FIXED_FS_TEXTURE] =
        "#version 460\n"
        "layout(location = 0) in vec4 v;\n"
        "layout(set = 2, binding = 160) uniform texture2D t;\n"
        "layout(set = 2, binding = 288) uniform sampler s;\n"
        "layout(location = 0) out vec4 o;\n"
        "void main() { o = texture(sampler2D(t, s), v.xy); }\n",
};

static struct gv_dxbc_texture fixed_texture = {
    .dimension = GV_DXBC_TEXTURE_2D,
    .set = 2,
    .binding = 160,
    .type = GV_BINDING_SAMPLED_IMAGE,
};
static struct gv_dxbc_sampler fixed_sampler = { .set = 2,
                                                .binding = 288,
                                                .type = GV_BINDING_SAMPLER };

struct gv_aero_variant *
gv_aero_fixed_variant(struct gv_aero *a, enum gv_aero_fixed which, struct gv_error *err)
{
    if (a->shaders.fixed[which])
        return a->shaders.fixed[which];
    bool fragment = which >= GV_AERO_FIXED_FS_COLOR;
    struct gv_aero_variant *v = gv_arena_alloc(a->arena, sizeof *v);
    if (!v) {
        gv_out_of_memory(err);
        return NULL;
    }
    const struct gv_glsl_text text = { fragment ? GV_STAGE_FRAGMENT : GV_STAGE_VERTEX,
                                       texts[which] };
    if (!gv_glsl_compile(&text, 1, 0, a->arena, &v->code.spirv, err))
        return NULL;
    v->serial = ++a->next_serial;
    v->code.stage = fragment ? GV_DXBC_PIXEL : GV_DXBC_VERTEX;
    v->code.targets = fragment;
    if (which == GV_AERO_FIXED_FS_TEXTURE) {
        v->code.textures = &fixed_texture;
        v->code.samplers = &fixed_sampler;
        v->code.texture_count = v->code.sampler_count = 1;
    }
    return a->shaders.fixed[which] = v;
}

enum gv_aero_fixed gv_aero_fixed_for(const struct gv_aero_context *x)
{
    const struct gv_aero_vertex_stream *s = &x->streams[0];
    if (!s->buffer || s->stride < STRIDE_POS3_UV)
        return GV_AERO_FIXED_NONE;
    if (s->stride >= STRIDE_POS3_COLOR)
        return GV_AERO_FIXED_POS3_COLOR;
    return s->stride >= STRIDE_POS2_COLOR ? GV_AERO_FIXED_POS2_COLOR
                                          : GV_AERO_FIXED_POS3_UV;
}

void gv_aero_fixed_input(enum gv_aero_fixed which, struct gv_graphics_desc *desc,
                         struct gv_lower_slots *slots)
{
    bool flat = which == GV_AERO_FIXED_POS2_COLOR, uv = which == GV_AERO_FIXED_POS3_UV;
    desc->vertex_binding_count = 1;
    desc->vertex_bindings[0].slot = 0;
    desc->vertex_bindings[0].rate = GV_INPUT_RATE_VERTEX;
    desc->vertex_bindings[0].divisor = 1;
    desc->vertex_attribute_count = 2;
    desc->vertex_attributes[0].location = 0;
    desc->vertex_attributes[0].format =
        flat ? GV_FORMAT_R32G32_SFLOAT : GV_FORMAT_R32G32B32_SFLOAT;
    desc->vertex_attributes[1].location = 1;
    desc->vertex_attributes[1].format =
        uv ? GV_FORMAT_R32G32_SFLOAT : GV_FORMAT_R32G32B32A32_SFLOAT;
    desc->vertex_attributes[1].offset = flat ? 8 : 12;
    slots->used = 1;
    slots->extents[0] = flat ? STRIDE_POS2_COLOR
                        : uv ? STRIDE_POS3_UV
                             : STRIDE_POS3_COLOR;
}

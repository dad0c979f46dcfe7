// Attribute stacks: each group comes back, and no other.
#include "compiler/gl/base/gl_material.h"
#include "compiler/gl/texture/texture_object.h"
#include "tests/gl/state_machine.h"
#include "tests/test.h"

// Something of each group, in a state: set to one of two values, and read back.
struct probed {
    const char *name;
    uint32_t bit; // that it belongs to, besides GL_ALL_ATTRIB_BITS
    void (*set)(struct state_machine *m, bool second);
    bool (*get)(const struct gv_gl_context *c);
};

static void enable(struct state_machine *m, uint32_t cap, bool on)
{
    run(m, on ? "glEnable" : "glDisable", "e", cap);
}

#define ENABLED(function, cap, member)                           \
    static void set_##function(struct state_machine *m, bool on) \
    {                                                            \
        enable(m, cap, on);                                      \
    }                                                            \
    static bool get_##function(const struct gv_gl_context *c)    \
    {                                                            \
        return c->state.member;                                  \
    }
ENABLED(lighting, GL_LIGHTING, lighting.enabled)
ENABLED(light, GL_LIGHT2, lighting.lights[2].enabled)
ENABLED(tracking, GL_COLOR_MATERIAL, lighting.color_material)
ENABLED(fog, GL_FOG, fog.enabled)
ENABLED(sum, GL_COLOR_SUM, fog.color_sum)
ENABLED(normalize, GL_NORMALIZE, transform.normalize)
ENABLED(plane, GL_CLIP_PLANE3, transform.clip_enabled & 8)
ENABLED(scissor, GL_SCISSOR_TEST, scissor.enabled)
ENABLED(depth, GL_DEPTH_TEST, depth.test)
ENABLED(stencil, GL_STENCIL_TEST, stencil.test)
ENABLED(alpha, GL_ALPHA_TEST, color.alpha_test)
ENABLED(blend, GL_BLEND, color.blend[3].enabled)
ENABLED(dither, GL_DITHER, color.dither)
ENABLED(logic, GL_COLOR_LOGIC_OP, color.logic_op)
ENABLED(cull, GL_CULL_FACE, polygon.cull)
ENABLED(offset, GL_POLYGON_OFFSET_LINE, polygon.offset_line)
ENABLED(stipple, GL_POLYGON_STIPPLE, polygon.stipple)
ENABLED(line, GL_LINE_STIPPLE, line.stipple)
ENABLED(point, GL_POINT_SMOOTH, point.smooth)
ENABLED(sprite, GL_POINT_SPRITE, point.sprite)
ENABLED(samples, GL_SAMPLE_COVERAGE, multisample.coverage)
ENABLED(image, GL_TEXTURE_2D, texture.units[0].enabled)
ENABLED(generated, GL_TEXTURE_GEN_T, texture.units[0].texgen[1].enabled)
ENABLED(map, GL_MAP2_VERTEX_3, evaluation.map2)
ENABLED(normals, GL_AUTO_NORMAL, evaluation.auto_normal)

#define NUMBER(function, call, kinds, first, second, member)             \
    static void set_##function(struct state_machine *m, bool second_one) \
    {                                                                    \
        run(m, call, kinds, second_one ? (second) : (first));            \
    }                                                                    \
    static bool get_##function(const struct gv_gl_context *c)            \
    {                                                                    \
        return c->member == (second);                                    \
    }
NUMBER(width, "glLineWidth", "f", 2.0, 3.0, state.line.width)
NUMBER(size, "glPointSize", "f", 2.0, 3.0, state.point.size)
NUMBER(face, "glCullFace", "e", GL_FRONT, GL_BACK, state.polygon.cull_face)
NUMBER(shade, "glShadeModel", "e", GL_SMOOTH, GL_FLAT, state.lighting.shade_model)
NUMBER(func, "glDepthFunc", "e", GL_LESS, GL_LEQUAL, state.depth.func)
NUMBER(mask, "glStencilMask", "e", 1u, 2u, state.stencil.face[1].write_mask)
NUMBER(mode, "glMatrixMode", "e", GL_MODELVIEW, GL_TEXTURE, state.transform.matrix_mode)
NUMBER(active, "glActiveTexture", "e", GL_TEXTURE0, GL_TEXTURE1 * 1u,
       state.texture.active + GL_TEXTURE0)
NUMBER(equation, "glBlendEquation", "e", GL_MAX, GL_MIN, state.color.blend[0].equation)

#define BOTH(bit) ((bit) | GL_ENABLE_BIT)
#define ROW(name, bit)                     \
    {                                      \
#name, bit, set_##name, get_##name \
    }
static const struct probed probed[] = {
    ROW(lighting, BOTH(GL_LIGHTING_BIT)),
    ROW(light, BOTH(GL_LIGHTING_BIT)),
    ROW(tracking, BOTH(GL_LIGHTING_BIT)),
    ROW(fog, BOTH(GL_FOG_BIT)),
    ROW(sum, BOTH(GL_FOG_BIT)),
    ROW(normalize, BOTH(GL_TRANSFORM_BIT)),
    ROW(plane, BOTH(GL_TRANSFORM_BIT)),
    ROW(scissor, BOTH(GL_SCISSOR_BIT)),
    ROW(depth, BOTH(GL_DEPTH_BUFFER_BIT)),
    ROW(stencil, BOTH(GL_STENCIL_BUFFER_BIT)),
    ROW(alpha, BOTH(GL_COLOR_BUFFER_BIT)),
    ROW(blend, BOTH(GL_COLOR_BUFFER_BIT)),
    ROW(dither, BOTH(GL_COLOR_BUFFER_BIT)),
    ROW(logic, BOTH(GL_COLOR_BUFFER_BIT)),
    ROW(cull, BOTH(GL_POLYGON_BIT)),
    ROW(offset, BOTH(GL_POLYGON_BIT)),
    ROW(stipple, BOTH(GL_POLYGON_BIT)),
    ROW(line, BOTH(GL_LINE_BIT)),
    ROW(point, BOTH(GL_POINT_BIT)),
    ROW(sprite, BOTH(GL_POINT_BIT)),
    ROW(samples, BOTH(GL_MULTISAMPLE_BIT)),
    ROW(image, BOTH(GL_TEXTURE_BIT)),
    ROW(generated, BOTH(GL_TEXTURE_BIT)),
    ROW(map, BOTH(GL_EVAL_BIT)),
    ROW(normals, BOTH(GL_EVAL_BIT)),
    ROW(width, GL_LINE_BIT),
    ROW(size, GL_POINT_BIT),
    ROW(face, GL_POLYGON_BIT),
    ROW(shade, GL_LIGHTING_BIT),
    ROW(func, GL_DEPTH_BUFFER_BIT),
    ROW(mask, GL_STENCIL_BUFFER_BIT),
    ROW(mode, GL_TRANSFORM_BIT),
    ROW(active, GL_TEXTURE_BIT),
    ROW(equation, GL_COLOR_BUFFER_BIT),
};

// Saved under one mask bit, changed, restored: back if it belongs to the bit.
static void check_groups(struct state_machine *m)
{
    for (size_t i = 0; i < sizeof(probed) / sizeof(probed[0]); i++)
        for (uint32_t bit = 1; bit <= GL_MULTISAMPLE_BIT; bit <<= 1)
            for (int saved = 0; saved < 2; saved++) {
                const struct probed *p = &probed[i];
                p->set(m, saved);
                run(m, "glPushAttrib", "e", bit);
                p->set(m, !saved);
                CHECK_ROW(p->name, p->get(m->gl->context) == !saved);
                run(m, "glPopAttrib", "");
                const bool wanted = p->bit & bit ? saved : !saved;
                CHECK_ROW(p->name, p->get(m->gl->context) == wanted);
                // Units have enables of their own.
                run(m, "glActiveTexture", "e", GL_TEXTURE0);
            }
}

// What no enable and no single number is.
static void check_values(struct state_machine *m)
{
    struct gv_gl_context *c = m->gl->context;
    c->state.current.slots[GV_GL_COLOR][0] = 0.5f;
    c->draw_buffers[0] = GL_FRONT;
    c->read_buffer = GL_FRONT;
    c->state.pixel.scale[1] = 3;
    c->state.pixel.maps[2].size = 4;
    c->state.polygon.pattern[5] = 0x1234;
    c->state.texture.bound[1][GV_GL_TARGET_2D] = 17;
    c->state.list_base = 9;
    run(m, "glPushAttrib", "e", GL_ALL_ATTRIB_BITS);
    c->state.current.slots[GV_GL_COLOR][0] = 0.25f;
    c->draw_buffers[0] = GL_BACK;
    c->read_buffer = GL_BACK;
    c->state.pixel.scale[1] = 5;
    c->state.pixel.maps[2].size = 8;
    c->state.polygon.pattern[5] = 0;
    c->state.texture.bound[1][GV_GL_TARGET_2D] = 18;
    c->state.list_base = 10;
    run(m, "glPopAttrib", "");
    CHECK(c->state.current.slots[GV_GL_COLOR][0] == 0.5f);
    CHECK(c->draw_buffers[0] == GL_FRONT && c->read_buffer == GL_FRONT);
    CHECK(c->state.pixel.scale[1] == 3);
    CHECK(c->state.pixel.maps[2].size == 8); // maps are not saved
    CHECK(c->state.polygon.pattern[5] == 0x1234);
    CHECK(c->state.texture.bound[1][GV_GL_TARGET_2D] == 17);
    CHECK(c->state.list_base == 9);
    // GL_POLYGON_BIT leaves the pattern alone.
    run(m, "glPushAttrib", "e", GL_POLYGON_BIT);
    c->state.polygon.pattern[5] = 7;
    run(m, "glPopAttrib", "");
    CHECK(c->state.polygon.pattern[5] == 7);
}

static uint32_t filter_of(struct state_machine *m, uint32_t name)
{
    return gv_gl_texture_find(&m->gl->objects, GV_GL_TARGET_2D, name)
        ->params.mag_filter;
}

// GL_TEXTURE_BIT saves parameters of what is bound, and the bindings.
static void check_textures(struct state_machine *m)
{
    run(m, "glActiveTexture", "e", GL_TEXTURE0);
    run(m, "glBindTexture", "ei", GL_TEXTURE_2D, 5);
    run(m, "glTexParameteri", "eee", GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    run(m, "glPushAttrib", "e", GL_TEXTURE_BIT);
    run(m, "glTexParameteri", "eee", GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    run(m, "glBindTexture", "ei", GL_TEXTURE_2D, 6);
    run(m, "glTexParameteri", "eee", GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    CHECK(filter_of(m, 5) == GL_LINEAR);
    run(m, "glPopAttrib", "");
    CHECK(m->gl->context->state.texture.bound[0][GV_GL_TARGET_2D] == 5);
    CHECK(filter_of(m, 5) == GL_NEAREST);
    CHECK(filter_of(m, 6) == GL_NEAREST); // was not bound: stays as it is
    // The texture without a name; other groups leave parameters alone.
    run(m, "glBindTexture", "ei", GL_TEXTURE_2D, 0);
    run(m, "glPushAttrib", "e", GL_ENABLE_BIT);
    run(m, "glPushAttrib", "e", GL_ALL_ATTRIB_BITS);
    run(m, "glTexParameteri", "eee", GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    run(m, "glPopAttrib", "");
    CHECK(filter_of(m, 0) == GL_LINEAR);
    run(m, "glTexParameteri", "eee", GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    run(m, "glPopAttrib", "");
    CHECK(filter_of(m, 0) == GL_NEAREST);
    run(m, "glPushAttrib", "e", GL_TEXTURE_BIT); // freed with the context
}

static void check_depth(struct state_machine *m)
{
    run(m, "glLineWidth", "f", 1.0);
    for (int i = 0; i < 20; i++) {
        run(m, "glPushAttrib", "e", GL_LINE_BIT);
        run(m, "glLineWidth", "f", 2.0 + i);
    }
    for (int i = 0; i < 15; i++)
        run(m, "glPopAttrib", "");
    CHECK(m->gl->context->state.line.width == 2);
    for (int i = 0; i < 5; i++)
        run(m, "glPopAttrib", "");
    CHECK(m->gl->context->state.line.width == 1);
}

// The material that tracked a colour holds what it was when tracking was saved.
static void check_tracked_material(struct state_machine *m)
{
    struct gv_gl_context *c = m->gl->context;
    const float red[4] = { 1, 0, 0, 1 }, blue[4] = { 0, 0, 1, 1 };
    run(m, "glColorMaterial", "ee", GL_FRONT_AND_BACK, GL_DIFFUSE);
    enable(m, GL_COLOR_MATERIAL, true);
    memcpy(c->state.current.slots[GV_GL_COLOR], red, sizeof(red));
    gv_gl_material_flush(c);
    run(m, "glPushAttrib", "e", GL_LIGHTING_BIT);
    enable(m, GL_COLOR_MATERIAL, false);
    CHECK(memcmp(c->state.lighting.material[0].diffuse, red, sizeof(red)) == 0);
    run(m, "glMaterialfv", "eeF", GL_FRONT_AND_BACK, GL_DIFFUSE, FLOATS(0, 1, 0, 1));
    CHECK(c->state.lighting.material[1].diffuse[1] == 1);
    run(m, "glPopAttrib", "");
    memcpy(c->state.current.slots[GV_GL_COLOR], blue, sizeof(blue));
    gv_gl_material_flush(c);
    // Tracked parts refuse glMaterial, others take it.
    run(m, "glMaterialfv", "eeF", GL_FRONT, GL_DIFFUSE, FLOATS(0, 1, 0, 1));
    run(m, "glMaterialfv", "eeF", GL_FRONT, GL_AMBIENT, FLOATS(0, 1, 0, 1));
    enable(m, GL_COLOR_MATERIAL, false);
    CHECK(memcmp(c->state.lighting.material[0].diffuse, blue, sizeof(blue)) == 0);
    CHECK(c->state.lighting.material[0].ambient[1] == 1);
}

static void check_client(struct state_machine *m)
{
    struct gv_gl_client *c = &m->gl->context->client;
    run(m, "glPixelStorei", "ei", GL_UNPACK_ALIGNMENT, 2);
    run(m, "glPixelStorei", "ei", GL_PACK_ROW_LENGTH, 5);
    c->vertex_array->arrays[GV_GL_COLOR].enabled = true;
    c->array_buffer = 3;
    run(m, "glPushClientAttrib", "e", GL_CLIENT_PIXEL_STORE_BIT);
    run(m, "glPushClientAttrib", "e", GL_CLIENT_VERTEX_ARRAY_BIT);
    run(m, "glPixelStorei", "ei", GL_UNPACK_ALIGNMENT, 8);
    run(m, "glPixelStorei", "ei", GL_PACK_ROW_LENGTH, 6);
    c->vertex_array->arrays[GV_GL_COLOR].enabled = false;
    c->vertex_array->bindings[GV_GL_COLOR].copy = 6;
    c->array_buffer = 4;
    run(m, "glPopClientAttrib", "");
    CHECK(c->vertex_array->arrays[GV_GL_COLOR].enabled && c->array_buffer == 3);
    CHECK(c->vertex_array->bindings[GV_GL_COLOR].copy == 6);
    CHECK(c->unpack.alignment == 8);
    run(m, "glPopClientAttrib", "");
    CHECK(c->unpack.alignment == 2 && c->pack.row_length == 5);
    CHECK(run(m, "glPopClientAttrib", ""));
    CHECK(c->unpack.alignment == 2);
}

// The width that an outer level leaves behind, of changes to 2 before, to 3 in and to 4
// after an inner level that does not cover them.
static float nested_width(struct state_machine *m, bool before, bool after,
                          uint32_t inner)
{
    run(m, "glLineWidth", "f", 1.0);
    run(m, "glPushAttrib", "e", GL_LINE_BIT);
    if (before)
        run(m, "glLineWidth", "f", 2.0);
    run(m, "glPushAttrib", "e", inner);
    run(m, "glLineWidth", "f", 3.0);
    run(m, "glPopAttrib", "");
    if (after)
        run(m, "glLineWidth", "f", 4.0);
    run(m, "glPopAttrib", "");
    return m->gl->context->state.line.width;
}

static void check_nested(struct state_machine *m)
{
    CHECK(nested_width(m, false, false, GL_FOG_BIT) == 3); // as Mesa has it
    CHECK(nested_width(m, true, false, GL_FOG_BIT) == 1);
    CHECK(nested_width(m, false, true, GL_FOG_BIT) == 1);
    CHECK(nested_width(m, false, false, GL_LINE_BIT) == 1);
    CHECK(nested_width(m, true, true, GL_LINE_BIT) == 1);
}

int main(void)
{
    static struct state_machine m;
    state_machine_begin(&m);
    state_machine_context(&m);
    check_groups(&m);
    check_values(&m);
    check_nested(&m);
    check_depth(&m);
    check_textures(&m);
    check_tracked_material(&m);
    check_client(&m);
    state_machine_end(&m);
    return TEST_RESULT();
}

// Setters: what each form of a call means, and what is refused.
#include <math.h>

#include "compiler/gl/base/gl_material.h"
#include "compiler/gl/base/gl_matrix.h"
#include "tests/gl/state_machine.h"
#include "tests/test.h"

static bool equal(const float *got, float x, float y, float z, float w)
{
    const float wanted[4] = { x, y, z, w };
    for (int i = 0; i < 4; i++)
        if (!(fabsf(got[i] - wanted[i]) < 1e-5f))
            return false;
    return true;
}

static void check_lights(struct state_machine *m)
{
    const struct gv_gl_lighting *l = &current_state(m)->lighting;
    CHECK(equal(l->lights[0].diffuse, 1, 1, 1, 1));
    CHECK(equal(l->lights[1].diffuse, 0, 0, 0, 1));
    // Positions and directions become those of the eye.
    run(m, "glLoadIdentity", "");
    run(m, "glTranslatef", "fff", 1.0, 2.0, 3.0);
    run(m, "glRotatef", "ffff", 90.0, 0.0, 0.0, 1.0);
    run(m, "glLightfv", "eeF", GL_LIGHT2, GL_POSITION, FLOATS(1, 0, 0, 1));
    run(m, "glLightfv", "eeF", GL_LIGHT2, GL_SPOT_DIRECTION, FLOATS(1, 0, 0));
    CHECK(equal(l->lights[2].position, 1, 3, 3, 1));
    CHECK(fabsf(l->lights[2].spot_direction[0]) < 1e-6f);
    CHECK(l->lights[2].spot_direction[1] == 1);
    run(m, "glLightfv", "eeF", GL_LIGHT3, GL_POSITION, FLOATS(1, 0, 0, 0));
    CHECK(equal(l->lights[3].position, 0, 1, 0, 0));
    run(m, "glLoadIdentity", "");
    CHECK(equal(l->lights[2].position, 1, 3, 3, 1));
    // Integers are fractions of the largest one; not of positions.
    run(m, "glLightiv", "eeI", GL_LIGHT0, GL_AMBIENT,
        INTEGERS(INT32_MAX, INT32_MIN, 0, INT32_MAX));
    CHECK(equal(l->lights[0].ambient, 1, -1, 0, 1));
    run(m, "glLightiv", "eeI", GL_LIGHT0, GL_POSITION, INTEGERS(3, 4, 5, 1));
    CHECK(equal(l->lights[0].position, 3, 4, 5, 1));
    run(m, "glLightx", "eei", GL_LIGHT0, GL_SPOT_CUTOFF, 45 << 16);
    CHECK(l->lights[0].spot_cutoff == 45);
    run(m, "glLightf", "eef", GL_LIGHT0, GL_QUADRATIC_ATTENUATION, 0.5);
    CHECK(l->lights[0].attenuation[2] == 0.5f);
    CHECK(UNCHANGED(m, "glLightf", "eef", GL_LIGHT0, GL_SPOT_CUTOFF, 91.0));
    CHECK(UNCHANGED(m, "glLightf", "eef", GL_LIGHT0, GL_SPOT_EXPONENT, -1.0));
    CHECK(UNCHANGED(m, "glLightf", "eef", GL_LIGHT0, GL_AMBIENT, 1.0));
    CHECK(UNCHANGED(m, "glLightf", "eef", GL_LIGHT0 + 8, GL_SPOT_CUTOFF, 10.0));
    CHECK(UNCHANGED(m, "glLightfv", "eeF", GL_LIGHT0, GL_DIFFUSE, FLOATS(1, 2, 3)));
    CHECK(UNCHANGED(m, "glLightfv", "een", GL_LIGHT0, GL_DIFFUSE));
}

static void check_light_models(struct state_machine *m)
{
    const struct gv_gl_lighting *l = &current_state(m)->lighting;
    // Enumerants come as such also where the form is of floats.
    run(m, "glLightModelf", "ee", GL_LIGHT_MODEL_COLOR_CONTROL,
        GL_SEPARATE_SPECULAR_COLOR);
    CHECK(l->color_control == GL_SEPARATE_SPECULAR_COLOR);
    run(m, "glLightModelf", "ef", GL_LIGHT_MODEL_COLOR_CONTROL,
        (double)GL_SINGLE_COLOR);
    CHECK(l->color_control == GL_SINGLE_COLOR);
    run(m, "glLightModeli", "ei", GL_LIGHT_MODEL_TWO_SIDE, 1);
    run(m, "glLightModelfv", "eF", GL_LIGHT_MODEL_LOCAL_VIEWER, FLOATS(1));
    CHECK(l->two_side && l->local_viewer);
    run(m, "glLightModelxv", "eI", GL_LIGHT_MODEL_AMBIENT,
        INTEGERS(65536, 32768, 0, 65536));
    CHECK(equal(l->model_ambient, 1, 0.5f, 0, 1));
    run(m, "glMaterialfv", "eeF", GL_FRONT, GL_AMBIENT_AND_DIFFUSE, FLOATS(1, 2, 3, 4));
    CHECK(equal(l->material[0].ambient, 1, 2, 3, 4));
    CHECK(equal(l->material[0].diffuse, 1, 2, 3, 4));
    CHECK(equal(l->material[1].diffuse, 0.25f, 1, 1, 1));
    run(m, "glMateriali", "eei", GL_BACK, GL_SHININESS, 128);
    CHECK(l->material[1].shininess == 128 && l->material[0].shininess == 0);
    CHECK(UNCHANGED(m, "glMaterialf", "eef", GL_FRONT, GL_SHININESS, 129.0));
    CHECK(UNCHANGED(m, "glMaterialf", "eef", GL_FRONT, GL_DIFFUSE, 1.0));
    CHECK(UNCHANGED(m, "glMaterialfv", "eeF", GL_LEFT, GL_DIFFUSE, FLOATS(1, 1, 1, 1)));
    CHECK(UNCHANGED(m, "glColorMaterial", "ee", GL_FRONT, GL_SHININESS));
}

// What glMaterial has just given stays, once tracked, until the colour changes.
static void check_stuck_material(struct state_machine *m)
{
    struct gv_gl_context *c = m->gl->context;
    struct gv_gl_state *s = current_state(m);
    const struct gv_gl_material *material = s->lighting.material;
    float *color = s->current.slots[GV_GL_COLOR];
    gv_gl_material_flush(c);
    run(m, "glMaterialfv", "eeF", GL_FRONT, GL_AMBIENT, FLOATS(0.5f, 0, 0, 1));
    run(m, "glColorMaterial", "ee", GL_FRONT_AND_BACK, GL_AMBIENT_AND_DIFFUSE);
    run(m, "glEnable", "e", GL_COLOR_MATERIAL);
    CHECK(equal(material[0].ambient, 1, 1, 1, 1));
    CHECK(gv_gl_material_tracked(&s->lighting, 1) ==
          (GV_GL_MATERIAL_AMBIENT | GV_GL_MATERIAL_DIFFUSE));
    CHECK(c->given.waits);
    gv_gl_material_flush(c); // the next call that changes state, or a primitive
    CHECK(equal(material[0].ambient, 0.5f, 0, 0, 1));
    CHECK(equal(material[0].diffuse, 1, 1, 1, 1));
    color[0] = 0.25f;
    gv_gl_material_hear(c);
    CHECK(equal(material[0].ambient, 0.25f, 1, 1, 1));
    // Parts that are tracked refuse; others stay.
    run(m, "glColorMaterial", "ee", GL_BACK, GL_SPECULAR);
    run(m, "glMaterialfv", "eeF", GL_FRONT_AND_BACK, GL_SPECULAR, FLOATS(0, 0, 1, 1));
    CHECK(equal(material[0].specular, 0, 0, 1, 1));
    CHECK(equal(material[1].specular, 0.25f, 1, 1, 1));
    run(m, "glDisable", "e", GL_COLOR_MATERIAL);
    color[0] = 1;
    gv_gl_material_flush(c);
    CHECK(equal(material[1].specular, 0.25f, 1, 1, 1));
}

static void check_fog(struct state_machine *m)
{
    const struct gv_gl_fog *f = &current_state(m)->fog;
    run(m, "glFogi", "ee", GL_FOG_MODE, GL_LINEAR);
    CHECK(f->mode == GL_LINEAR);
    run(m, "glFogx", "ee", GL_FOG_MODE, GL_EXP2); // no fixed-point number
    CHECK(f->mode == GL_EXP2);
    run(m, "glFogx", "ei", GL_FOG_END, 3 << 16);
    run(m, "glFogf", "ef", GL_FOG_START, -2.0);
    CHECK(f->end == 3 && f->start == -2);
    run(m, "glFogfv", "eF", GL_FOG_COLOR, FLOATS(0.5f, 2, -1, 1));
    CHECK(equal(f->color, 0.5f, 1, 0, 1));
    run(m, "glFogi", "ee", GL_FOG_COORDINATE_SOURCE, GL_FOG_COORDINATE);
    CHECK(f->coordinate == GL_FOG_COORDINATE);
    CHECK(UNCHANGED(m, "glFogf", "ef", GL_FOG_DENSITY, -1.0));
    CHECK(UNCHANGED(m, "glFogf", "ef", GL_FOG_DENSITY, (double)NAN));
    CHECK(UNCHANGED(m, "glFogi", "ee", GL_FOG_MODE, GL_NEAREST));
    CHECK(UNCHANGED(m, "glFogf", "ef", GL_FOG_COLOR, 1.0));
}

static void check_stencil(struct state_machine *m)
{
    const struct gv_gl_stencil *s = &current_state(m)->stencil;
    run(m, "glStencilFunc", "eie", GL_EQUAL, 3, 0xfu);
    CHECK(s->face[0].func == GL_EQUAL && s->face[1].reference == 3);
    run(m, "glStencilOpSeparate", "eeee", GL_BACK, GL_INCR, GL_DECR, GL_INVERT);
    CHECK(s->face[0].pass == GL_KEEP && s->face[1].pass == GL_INVERT);
    run(m, "glStencilFuncSeparateATI", "eeie", GL_LESS, GL_GREATER, 5, 1u);
    CHECK(s->face[0].func == GL_LESS && s->face[1].func == GL_GREATER);
    CHECK(s->face[1].value_mask == 1 && s->face[0].reference == 5);
    // The extension's back face, whether it is drawn with or not.
    run(m, "glActiveStencilFaceEXT", "e", GL_BACK);
    run(m, "glStencilFunc", "eie", GL_NEVER, 9, 2u);
    run(m, "glStencilMask", "e", 4u);
    CHECK(s->face[1].func == GL_GREATER);
    run(m, "glActiveStencilFaceEXT", "e", GL_FRONT);
    run(m, "glEnable", "e", GL_STENCIL_TEST_TWO_SIDE_EXT);
    CHECK(s->face[1].func == GL_NEVER && s->face[1].write_mask == 4);
    run(m, "glStencilMask", "e", 7u);
    CHECK(s->face[0].write_mask == 7 && s->face[1].write_mask == 4);
    run(m, "glDisable", "e", GL_STENCIL_TEST_TWO_SIDE_EXT);
    CHECK(s->face[1].func == GL_GREATER && s->face[1].write_mask == 7);
    CHECK(UNCHANGED(m, "glStencilFunc", "eie", GL_KEEP, 0, 0u));
    CHECK(UNCHANGED(m, "glStencilOp", "eee", GL_KEEP, GL_KEEP, GL_LESS));
    CHECK(UNCHANGED(m, "glStencilMaskSeparate", "ee", GL_LEFT, 0u));
}

static void check_fragments(struct state_machine *m)
{
    const struct gv_gl_state *s = current_state(m);
    run(m, "glAlphaFuncx", "ei", GL_GREATER, 32768);
    CHECK(s->color.alpha_func == GL_GREATER && s->color.alpha_reference == 0.5f);
    run(m, "glBlendFuncSeparate", "eeee", GL_ONE, GL_ZERO, GL_SRC_ALPHA, GL_DST_ALPHA);
    run(m, "glBlendFunci", "iee", 2, GL_DST_COLOR, GL_SRC_COLOR);
    CHECK(s->color.blend[0].src_alpha == GL_SRC_ALPHA);
    CHECK(s->color.blend[2].src_alpha == GL_DST_COLOR &&
          s->color.blend[3].src == GL_ONE);
    run(m, "glBlendEquationSeparate", "ee", GL_MIN, GL_FUNC_SUBTRACT);
    CHECK(s->color.blend[1].equation_alpha == GL_FUNC_SUBTRACT);
    run(m, "glColorMaski", "iiiii", 1, 0, 1, 0, 1);
    CHECK(!s->color.mask[1][0] && s->color.mask[1][1] && s->color.mask[0][0]);
    run(m, "glClearColorx", "iiii", 65536, 0, 32768, 0);
    CHECK(equal(s->color.clear, 1, 0, 0.5f, 0));
    run(m, "glClearDepth", "f", 2.0);
    run(m, "glDepthRangex", "ii", 32768, 131072);
    CHECK(s->depth.clear == 1 && s->viewport.near == 0.5 && s->viewport.far == 1);
    run(m, "glEnablei", "ei", GL_BLEND, 3);
    CHECK(s->color.blend[3].enabled && !s->color.blend[0].enabled);
    CHECK(UNCHANGED(m, "glBlendFunc", "ee", GL_ONE, GL_TEXTURE));
    CHECK(UNCHANGED(m, "glBlendEquation", "e", GL_ONE));
    CHECK(UNCHANGED(m, "glEnablei", "ei", GL_BLEND, 99));
    CHECK(UNCHANGED(m, "glEnable", "e", GL_SMOOTH));
    CHECK(UNCHANGED(m, "glDepthFunc", "e", GL_KEEP));
    CHECK(UNCHANGED(m, "glLogicOp", "e", GL_SET + 1));
    CHECK(UNCHANGED(m, "glScissor", "iiii", 0, 0, -1, 5));
}

static void check_rasterization(struct state_machine *m)
{
    const struct gv_gl_state *s = current_state(m);
    run(m, "glPolygonMode", "ee", GL_BACK, GL_LINE);
    CHECK(s->polygon.mode[0] == GL_FILL && s->polygon.mode[1] == GL_LINE);
    run(m, "glLineStipple", "ie", 1000, 0xAAAAu);
    CHECK(s->line.factor == 256 && s->line.pattern == 0xAAAA);
    run(m, "glPointParameterfv", "eF", GL_POINT_DISTANCE_ATTENUATION, FLOATS(1, 2, 3));
    run(m, "glPointParameteri", "ee", GL_POINT_SPRITE_COORD_ORIGIN, GL_LOWER_LEFT);
    CHECK(s->point.attenuation[2] == 3 && s->point.origin == GL_LOWER_LEFT);
    int64_t rows[128] = { [0] = 0x80, [4] = 0x01, [127] = 0x03 };
    run(m, "glPolygonStipple", "I", (size_t)128, rows);
    CHECK(s->polygon.pattern[0] == 0x80000000u && s->polygon.pattern[1] == 0x01000000u);
    CHECK(s->polygon.pattern[31] == 3);
    run(m, "glPixelStorei", "ei", GL_UNPACK_LSB_FIRST, 1);
    run(m, "glPolygonStipple", "I", (size_t)128, rows);
    CHECK(s->polygon.pattern[0] == 0x01000000u && s->polygon.pattern[31] == 0xC0);
    run(m, "glPixelStorei", "ei", GL_UNPACK_LSB_FIRST, 0);
    CHECK(UNCHANGED(m, "glPolygonStipple", "n"));
    CHECK(UNCHANGED(m, "glLineWidth", "f", 0.0));
    CHECK(UNCHANGED(m, "glPointSize", "f", -1.0));
    CHECK(UNCHANGED(m, "glPolygonMode", "ee", GL_FRONT, GL_TRIANGLES));
    CHECK(UNCHANGED(m, "glCullFace", "e", GL_CW));
    // Planes and generated coordinates are the eye's: x = 1 seen from x = 3.
    run(m, "glMatrixMode", "e", GL_MODELVIEW);
    run(m, "glLoadIdentity", "");
    run(m, "glTranslatef", "fff", 3.0, 0.0, 0.0);
    run(m, "glClipPlane", "eF", GL_CLIP_PLANE1, FLOATS(1, 0, 0, -1));
    CHECK(equal(s->transform.clip_planes[1], 1, 0, 0, -4));
    run(m, "glTexGenfv", "eeF", GL_T, GL_EYE_PLANE, FLOATS(1, 0, 0, -1));
    run(m, "glTexGenfv", "eeF", GL_T, GL_OBJECT_PLANE, FLOATS(1, 0, 0, -1));
    CHECK(equal(s->texture.units[0].texgen[1].eye_plane, 1, 0, 0, -4));
    CHECK(equal(s->texture.units[0].texgen[1].object_plane, 1, 0, 0, -1));
}

static void check_units(struct state_machine *m)
{
    const struct gv_gl_unit *u = current_state(m)->texture.units;
    run(m, "glActiveTexture", "e", GL_TEXTURE2);
    run(m, "glEnable", "e", GL_TEXTURE_3D);
    CHECK(u[2].enabled == 1u << GV_GL_TARGET_3D && u[0].enabled == 0);
    run(m, "glTexEnvf", "eee", GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_COMBINE);
    run(m, "glTexEnvi", "eee", GL_TEXTURE_ENV, GL_COMBINE_ALPHA, GL_ADD_SIGNED);
    run(m, "glTexEnvi", "eee", GL_TEXTURE_ENV, GL_SOURCE1_RGB, GL_TEXTURE4);
    run(m, "glTexEnvi", "eee", GL_TEXTURE_ENV, GL_OPERAND2_ALPHA,
        GL_ONE_MINUS_SRC_ALPHA);
    run(m, "glTexEnvx", "eei", GL_TEXTURE_ENV, GL_RGB_SCALE, 2 << 16);
    CHECK(u[2].env_mode == GL_COMBINE && u[2].combine.function[1] == GL_ADD_SIGNED);
    CHECK(u[2].combine.source[0][1] == GL_TEXTURE4 && u[2].combine.scale[0] == 2);
    CHECK(u[2].combine.operand[1][2] == GL_ONE_MINUS_SRC_ALPHA);
    run(m, "glMultiTexEnvfvEXT", "eeeF", GL_TEXTURE5, GL_TEXTURE_ENV,
        GL_TEXTURE_ENV_COLOR, FLOATS(1, 0.5f, 7, 0));
    CHECK(equal(u[5].env_color, 1, 0.5f, 1, 0));
    run(m, "glTexEnvi", "eei", GL_POINT_SPRITE, GL_COORD_REPLACE, 1);
    run(m, "glTexEnvf", "eef", GL_TEXTURE_FILTER_CONTROL, GL_TEXTURE_LOD_BIAS, -2.5);
    CHECK(u[2].coord_replace && u[2].lod_bias == -2.5f);
    run(m, "glTexGeni", "eee", GL_R, GL_TEXTURE_GEN_MODE, GL_REFLECTION_MAP);
    run(m, "glEnable", "e", GL_TEXTURE_GEN_R);
    CHECK(u[2].texgen[2].mode == GL_REFLECTION_MAP && u[2].texgen[2].enabled);
    CHECK(UNCHANGED(m, "glTexGeni", "eee", GL_R, GL_TEXTURE_GEN_MODE, GL_SPHERE_MAP));
    CHECK(UNCHANGED(m, "glTexEnvf", "eef", GL_TEXTURE_ENV, GL_RGB_SCALE, 3.0));
    CHECK(UNCHANGED(m, "glTexEnvi", "eee", GL_TEXTURE_ENV, GL_COMBINE_ALPHA,
                    GL_DOT3_RGB));
    CHECK(UNCHANGED(m, "glTexEnvi", "eee", GL_TEXTURE_ENV, GL_SOURCE0_RGB, GL_LIGHT0));
    CHECK(UNCHANGED(m, "glTexEnvi", "eee", GL_TEXTURE_ENV, GL_LIGHT0, GL_LIGHT0));
    CHECK(UNCHANGED(m, "glActiveTexture", "e", GL_TEXTURE0 + 192));
    // Units without coordinates have no environment.
    run(m, "glActiveTexture", "e", GL_TEXTURE20);
    CHECK(UNCHANGED(m, "glEnable", "e", GL_TEXTURE_2D));
    CHECK(
        UNCHANGED(m, "glTexEnvi", "eee", GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_ADD));
}

static void check_pixels(struct state_machine *m)
{
    const struct gv_gl_pixel *p = &current_state(m)->pixel;
    const struct gv_gl_client *c = &m->gl->context->client;
    run(m, "glPixelStoref", "ef", GL_UNPACK_ROW_LENGTH, 17.0);
    run(m, "glPixelStorei", "ei", GL_PACK_ALIGNMENT, 1);
    CHECK(c->unpack.row_length == 17 && c->pack.alignment == 1);
    run(m, "glPixelStorei", "ei", GL_UNPACK_ALIGNMENT, 3);
    run(m, "glPixelStorei", "ei", GL_UNPACK_ROW_LENGTH, -1);
    CHECK(c->unpack.row_length == 17 && c->unpack.alignment == 4);
    run(m, "glPixelTransferf", "ef", GL_BLUE_BIAS, 0.25);
    run(m, "glPixelTransferi", "ei", GL_MAP_COLOR, 1);
    CHECK(p->bias[2] == 0.25f && p->map_color);
    run(m, "glPixelMapusv", "eiI", GL_PIXEL_MAP_R_TO_R, 3, INTEGERS(0, 65535, 32768));
    CHECK(p->maps[6].size == 3 && p->maps[6].values[1] == 1);
    CHECK(fabsf(p->maps[6].values[2] - 0.5f) < 1e-4f);
    run(m, "glPixelMapuiv", "eiI", GL_PIXEL_MAP_S_TO_S, 2, INTEGERS(5, 6));
    CHECK(p->maps[1].values[1] == 6);
    CHECK(UNCHANGED(m, "glPixelMapfv", "eiF", GL_PIXEL_MAP_I_TO_R, 3, FLOATS(0, 0, 0)));
    CHECK(UNCHANGED(m, "glPixelMapfv", "eiF", GL_PIXEL_MAP_A_TO_A, 257, FLOATS(0)));
    CHECK(UNCHANGED(m, "glPixelMapfv", "eip", GL_PIXEL_MAP_A_TO_A, 4, UINT64_C(64)));
    run(m, "glPixelZoom", "ff", -1.0, 2.5);
    CHECK(p->zoom[0] == -1 && p->zoom[1] == 2.5f);
}

int main(void)
{
    static struct state_machine m;
    state_machine_begin(&m);
    state_machine_context(&m);
    check_lights(&m);
    check_stuck_material(&m);
    check_light_models(&m);
    check_fog(&m);
    check_stencil(&m);
    check_fragments(&m);
    check_rasterization(&m);
    check_units(&m);
    check_pixels(&m);
    state_machine_end(&m);
    return TEST_RESULT();
}

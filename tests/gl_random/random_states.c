#include "tests/gl_random/gl_random.h"

#include "compiler/gl/base/gl_enums.h"

static void enable(struct gl_random *r, int what, unsigned percent)
{
    if (random_chance(r, percent))
        CALL("glEnable", "i", what);
    else
        CALL("glDisable", "i", what);
}

// ---- fragments ----

static int factor(struct gl_random *r)
{
    return PICK(GL_ZERO, GL_ONE, GL_SRC_COLOR, GL_ONE_MINUS_SRC_COLOR, GL_DST_COLOR,
                GL_ONE_MINUS_DST_COLOR, GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA,
                GL_DST_ALPHA, GL_ONE_MINUS_DST_ALPHA, GL_CONSTANT_COLOR,
                GL_ONE_MINUS_CONSTANT_ALPHA, GL_SRC_ALPHA_SATURATE);
}

static int equation(struct gl_random *r)
{
    return r->api == RANDOM_ES2
               ? PICK(GL_FUNC_ADD, GL_FUNC_SUBTRACT, GL_FUNC_REVERSE_SUBTRACT)
               : PICK(GL_FUNC_ADD, GL_FUNC_ADD, GL_FUNC_SUBTRACT,
                      GL_FUNC_REVERSE_SUBTRACT, GL_MIN, GL_MAX);
}

static void blend(struct gl_random *r)
{
    enable(r, GL_BLEND, 70);
    if (random_chance(r, 50))
        CALL("glBlendFunc", "ii", factor(r), factor(r));
    else
        CALL("glBlendFuncSeparate", "iiii", factor(r), factor(r), factor(r), factor(r));
    if (random_chance(r, 30))
        CALL("glBlendEquationSeparate", "ii", equation(r), equation(r));
    CALL("glBlendColor", "ffff", random_real(r, 0, 1), random_real(r, 0, 1),
         random_real(r, 0, 1), random_real(r, 0, 1));
}

static void blend_one(struct gl_random *r)
{
    const int i = random_between(r, 0, 1);
    CALL("glEnablei", "ii", GL_BLEND, i);
    CALL("glBlendFunci", "iii", i, factor(r), factor(r));
    CALL("glBlendEquationi", "ii", i, equation(r));
}

static int comparison(struct gl_random *r)
{
    return random_chance(r, 60)
               ? PICK(GL_LESS, GL_LEQUAL, GL_ALWAYS)
               : PICK(GL_NEVER, GL_EQUAL, GL_GREATER, GL_NOTEQUAL, GL_GEQUAL);
}

static void depth(struct gl_random *r)
{
    enable(r, GL_DEPTH_TEST, 70);
    CALL("glDepthFunc", "i", comparison(r));
    CALL("glDepthMask", "i", random_chance(r, 80));
    if (random_has(r, RANDOM_GL) && random_chance(r, 20))
        CALL("glDepthRange", "ff", random_real(r, 0, 1), random_real(r, 0, 1));
    if (random_has(r, RANDOM_GL) && random_chance(r, 20))
        enable(r, GL_DEPTH_CLAMP, 60);
}

static int stencil_operation(struct gl_random *r)
{
    return PICK(GL_KEEP, GL_ZERO, GL_REPLACE, GL_INCR, GL_DECR, GL_INVERT, GL_INCR_WRAP,
                GL_DECR_WRAP);
}

static void stencil(struct gl_random *r)
{
    enable(r, GL_STENCIL_TEST, 70);
    const int face = PICK(GL_FRONT, GL_BACK, GL_FRONT_AND_BACK);
    CALL("glStencilFuncSeparate", "iiii", face, comparison(r),
         random_between(r, 0, 255), PICK(255, 255, 15, 1));
    CALL("glStencilOpSeparate", "iiii", face, stencil_operation(r),
         stencil_operation(r), stencil_operation(r));
    if (random_chance(r, 30))
        CALL("glStencilMask", "i", PICK(255, 15, 240, 0));
}

static void scissor(struct gl_random *r)
{
    enable(r, GL_SCISSOR_TEST, 50);
    CALL("glScissor", "iiii", random_between(r, -4, 24), random_between(r, -4, 24),
         random_between(r, 10, 60), random_between(r, 10, 60));
}

static void color_mask(struct gl_random *r)
{
    if (random_has(r, RANDOM_GL) && random_chance(r, 30))
        CALL("glColorMaski", "iiiii", random_between(r, 0, 1), random_chance(r, 60),
             random_chance(r, 60), random_chance(r, 60), random_chance(r, 60));
    else
        CALL("glColorMask", "iiii", random_chance(r, 70), random_chance(r, 70),
             random_chance(r, 70), random_chance(r, 70));
}

static void logic(struct gl_random *r)
{
    enable(r, GL_COLOR_LOGIC_OP, 50);
    CALL("glLogicOp", "i", random_between(r, GL_CLEAR, GL_SET));
}

static void alpha(struct gl_random *r)
{
    enable(r, GL_ALPHA_TEST, 60);
    CALL("glAlphaFunc", "if", comparison(r), random_real(r, 0.1, 0.9));
}

static void coverage(struct gl_random *r)
{
    if (random_chance(r, 40))
        enable(r, GL_SAMPLE_ALPHA_TO_COVERAGE, 50);
    enable(r, GL_SAMPLE_COVERAGE, 50);
    CALL("glSampleCoverage", "fi", PICK(0, 1, 1) ? 0.5 : 1.0, random_chance(r, 50));
    if (random_has(r, RANDOM_GL) && random_chance(r, 50)) {
        enable(r, GL_SAMPLE_MASK, 50);
        CALL("glSampleMaski", "ii", 0, random_between(r, 0, 15));
    }
}

static void encode(struct gl_random *r)
{
    enable(r, GL_FRAMEBUFFER_SRGB, 50);
}

// ---- primitives ----

static void culling(struct gl_random *r)
{
    enable(r, GL_CULL_FACE, 40);
    CALL("glCullFace", "i", PICK(GL_FRONT, GL_BACK, GL_BACK));
    CALL("glFrontFace", "i", PICK(GL_CW, GL_CCW));
}

static void polygon(struct gl_random *r)
{
    if (r->api == RANDOM_COMPAT && random_chance(r, 50))
        CALL("glPolygonMode", "ii", PICK(GL_FRONT, GL_BACK),
             PICK(GL_FILL, GL_LINE, GL_POINT));
    else if (random_has(r, RANDOM_GL) && random_chance(r, 30))
        CALL("glPolygonMode", "ii", GL_FRONT_AND_BACK,
             PICK(GL_FILL, GL_LINE, GL_POINT));
    enable(r, GL_POLYGON_OFFSET_FILL, 50);
    CALL("glPolygonOffset", "ff", random_real(r, -2, 2), random_real(r, -8, 8));
}

static void lines(struct gl_random *r)
{
    CALL("glLineWidth", "f", r->api == RANDOM_CORE ? 1.0 : (double)PICK(1, 1, 2, 3, 5));
    if (random_has(r, RANDOM_GL))
        CALL("glPointSize", "f", (double)PICK(1, 2, 3, 4, 7));
    if (!random_has(r, RANDOM_OLD))
        return;
    enable(r, GL_LINE_STIPPLE, 40);
    CALL("glLineStipple", "ii", random_between(r, 1, 4), random_between(r, 1, 65535));
}

static void stipple(struct gl_random *r)
{
    int bits[128];
    for (unsigned i = 0; i < COUNT(bits); i++)
        bits[i] = random_between(r, 0, 255);
    enable(r, GL_POLYGON_STIPPLE, 60);
    CALL("glPixelStorei", "ii", GL_UNPACK_ALIGNMENT, 1);
    CALL("glPixelStorei", "ii", GL_UNPACK_ROW_LENGTH, 0);
    CALL("glPixelStorei", "ii", GL_UNPACK_SKIP_ROWS, 0);
    CALL("glPixelStorei", "ii", GL_UNPACK_SKIP_PIXELS, 0);
    CALL("glPolygonStipple", "a", COUNT(bits), bits);
}

static void viewport(struct gl_random *r)
{
    const struct random_target *to = &r->targets[r->draw];
    const int x = random_between(r, 0, to->width / 2),
              y = random_between(r, 0, to->height / 2);
    CALL("glViewport", "iiii", x, y, random_between(r, 1, to->width - x),
         random_between(r, 1, to->height - y));
}

static void shading(struct gl_random *r)
{
    if (random_has(r, RANDOM_OLD))
        CALL("glShadeModel", "i", PICK(GL_FLAT, GL_SMOOTH));
    CALL("glProvokingVertex", "i",
         PICK(GL_FIRST_VERTEX_CONVENTION, GL_LAST_VERTEX_CONVENTION));
}

// ---- the fixed function ----

static const float *color(struct gl_random *r)
{
    static float rgba[4];
    for (int i = 0; i < 4; i++)
        rgba[i] = (float)random_real(r, 0, 1);
    return rgba;
}

static void lighting(struct gl_random *r)
{
    enable(r, GL_LIGHTING, 60);
    const int light = GL_LIGHT0 + random_between(r, 0, 2);
    const float at[] = { (float)random_real(r, -2, 2), (float)random_real(r, -2, 2),
                         (float)random_real(r, 0.5, 2),
                         (float)random_between(r, 0, 1) };
    enable(r, light, 80);
    CALL("glLightfv", "iiv", light, GL_POSITION, 4u, at);
    CALL("glLightfv", "iiv", light, PICK(GL_DIFFUSE, GL_AMBIENT, GL_SPECULAR), 4u,
         color(r));
    if (random_chance(r, 20))
        CALL("glLightf", "iif", light, GL_LINEAR_ATTENUATION, random_real(r, 0, 1));
    CALL("glLightModeli", "ii", GL_LIGHT_MODEL_TWO_SIDE, random_chance(r, 30));
    CALL("glLightModeli", "ii", GL_LIGHT_MODEL_LOCAL_VIEWER, random_chance(r, 30));
    CALL("glMaterialfv", "iiv", PICK(GL_FRONT, GL_BACK, GL_FRONT_AND_BACK),
         PICK(GL_DIFFUSE, GL_AMBIENT, GL_SPECULAR, GL_EMISSION), 4u, color(r));
    CALL("glMaterialf", "iif", GL_FRONT_AND_BACK, GL_SHININESS, random_real(r, 1, 20));
    enable(r, GL_COLOR_MATERIAL, 30);
    enable(r, GL_NORMALIZE, 30);
}

static void fog(struct gl_random *r)
{
    enable(r, GL_FOG, 50);
    CALL("glFogi", "ii", GL_FOG_MODE, PICK(GL_LINEAR, GL_EXP, GL_EXP2));
    CALL("glFogf", "if", GL_FOG_DENSITY, random_real(r, 0, 2));
    CALL("glFogf", "if", GL_FOG_START, random_real(r, -1, 0));
    CALL("glFogf", "if", GL_FOG_END, random_real(r, 0.5, 1.5));
    CALL("glFogfv", "iv", GL_FOG_COLOR, 4u, color(r));
}

static void plane(struct gl_random *r)
{
    const float values[] = { (float)random_real(r, -1, 1), (float)random_real(r, -1, 1),
                             (float)random_real(r, -1, 1),
                             (float)random_real(r, -0.5, 1) };
    enable(r, GL_CLIP_PLANE0, 50);
    CALL("glClipPlane", "iv", GL_CLIP_PLANE0, 4u, values);
}

static void generation(struct gl_random *r)
{
    const int i = random_between(r, 0, 1);
    const float values[] = { (float)random_real(r, -1, 1), (float)random_real(r, -1, 1),
                             0.3f, (float)random_real(r, -1, 1) };
    CALL("glActiveTexture", "i", GL_TEXTURE0 + random_between(r, 0, RANDOM_UNITS - 1));
    enable(r, GL_TEXTURE_GEN_S + i, 50);
    CALL("glTexGeni", "iii", GL_S + i, GL_TEXTURE_GEN_MODE,
         PICK(GL_OBJECT_LINEAR, GL_EYE_LINEAR, GL_SPHERE_MAP));
    CALL("glTexGenfv", "iiv", GL_S + i, PICK(GL_OBJECT_PLANE, GL_EYE_PLANE), 4u,
         values);
    CALL("glActiveTexture", "i", GL_TEXTURE0);
}

static void combine(struct gl_random *r)
{
    static const int sources[] = { GL_SOURCE0_RGB, GL_SOURCE1_RGB, GL_SOURCE2_RGB,
                                   GL_SOURCE0_ALPHA, GL_SOURCE1_ALPHA };
    CALL("glTexEnvi", "iii", GL_TEXTURE_ENV, GL_COMBINE_RGB,
         PICK(GL_REPLACE, GL_MODULATE, GL_ADD, GL_ADD_SIGNED, GL_INTERPOLATE,
              GL_SUBTRACT, GL_DOT3_RGB));
    CALL("glTexEnvi", "iii", GL_TEXTURE_ENV, GL_COMBINE_ALPHA,
         PICK(GL_REPLACE, GL_MODULATE, GL_ADD));
    for (unsigned i = 0; i < COUNT(sources); i++)
        CALL("glTexEnvi", "iii", GL_TEXTURE_ENV, sources[i],
             PICK(GL_TEXTURE, GL_PRIMARY_COLOR, GL_PREVIOUS, GL_CONSTANT));
    CALL("glTexEnvf", "iif", GL_TEXTURE_ENV, GL_RGB_SCALE, (double)PICK(1, 1, 2, 4));
}

static void environment(struct gl_random *r)
{
    CALL("glActiveTexture", "i", GL_TEXTURE0 + random_between(r, 0, RANDOM_UNITS - 1));
    const int mode = PICK(GL_MODULATE, GL_REPLACE, GL_DECAL, GL_BLEND, GL_ADD,
                          GL_COMBINE, GL_COMBINE);
    CALL("glTexEnvi", "iii", GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, mode);
    CALL("glTexEnvfv", "iiv", GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, 4u, color(r));
    if (mode == GL_COMBINE)
        combine(r);
    CALL("glActiveTexture", "i", GL_TEXTURE0);
}

static void matrices(struct gl_random *r)
{
    CALL("glMatrixMode", "i", PICK(GL_MODELVIEW, GL_PROJECTION, GL_TEXTURE));
    switch (random_below(r, 4)) {
    case 0:
        CALL("glLoadIdentity", "");
        break;
    case 1:
        CALL("glRotatef", "ffff", random_real(r, 0, 360), 0.0, random_real(r, 0, 0.3),
             1.0);
        break;
    case 2:
        CALL("glScalef", "fff", random_real(r, 0.5, 1.2), random_real(r, 0.5, 1.2),
             1.0);
        break;
    default:
        CALL("glTranslatef", "fff", random_real(r, -0.3, 0.3),
             random_real(r, -0.3, 0.3), 0.0);
    }
    CALL("glMatrixMode", "i", GL_MODELVIEW);
}

static void current(struct gl_random *r)
{
    const float *c = color(r);
    CALL("glColor4f", "ffff", (double)c[0], (double)c[1], (double)c[2], (double)c[3]);
    CALL("glNormal3f", "fff", random_real(r, -1, 1), random_real(r, -1, 1), 1.0);
    CALL("glSecondaryColor3f", "fff", random_real(r, 0, 0.5), random_real(r, 0, 0.5),
         0.0);
    enable(r, GL_COLOR_SUM, 30);
}

static void saved(struct gl_random *r)
{
    CALL("glPushAttrib", "i",
         PICK(GL_ALL_ATTRIB_BITS & 0xFFFFF, GL_COLOR_BUFFER_BIT, GL_ENABLE_BIT,
              GL_LIGHTING_BIT | GL_CURRENT_BIT, GL_DEPTH_BUFFER_BIT));
    random_state_deed(r);
    random_draw_deed(r);
    CALL("glPopAttrib", "");
}

// ---- back to defaults ----

static void reset_old(struct gl_random *r)
{
    static const int enables[] = {
        GL_ALPHA_TEST,    GL_LINE_STIPPLE, GL_POLYGON_STIPPLE,  GL_LIGHTING,
        GL_FOG,           GL_CLIP_PLANE0,  GL_COLOR_SUM,        GL_TEXTURE_1D,
        GL_TEXTURE_2D,    GL_TEXTURE_3D,   GL_TEXTURE_CUBE_MAP, GL_TEXTURE_RECTANGLE,
        GL_TEXTURE_GEN_S, GL_TEXTURE_GEN_T
    };
    for (int unit = RANDOM_UNITS - 1; unit >= 0; unit--) {
        CALL("glActiveTexture", "i", GL_TEXTURE0 + unit);
        for (unsigned i = 0; i < COUNT(enables); i++)
            CALL("glDisable", "i", enables[i]);
        CALL("glTexEnvi", "iii", GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_MODULATE);
        CALL("glMatrixMode", "i", GL_TEXTURE);
        CALL("glLoadIdentity", "");
    }
    CALL("glMatrixMode", "i", GL_PROJECTION);
    CALL("glLoadIdentity", "");
    CALL("glMatrixMode", "i", GL_MODELVIEW);
    CALL("glLoadIdentity", "");
    CALL("glShadeModel", "i", GL_SMOOTH);
    CALL("glColor4f", "ffff", 1.0, 1.0, 1.0, 1.0);
}

static void reset_desktop(struct gl_random *r)
{
    static const int enables[] = { GL_COLOR_LOGIC_OP, GL_DEPTH_CLAMP, GL_SAMPLE_MASK,
                                   GL_FRAMEBUFFER_SRGB };
    for (unsigned i = 0; i < COUNT(enables); i++)
        CALL("glDisable", "i", enables[i]);
    CALL("glPolygonMode", "ii", GL_FRONT_AND_BACK, GL_FILL);
    CALL("glDepthRange", "ff", 0.0, 1.0);
    if (random_has(r, RANDOM_OLD))
        reset_old(r);
}

void random_reset_states(struct gl_random *r)
{
    static const int enables[] = { GL_BLEND,           GL_DEPTH_TEST,
                                   GL_STENCIL_TEST,    GL_SCISSOR_TEST,
                                   GL_CULL_FACE,       GL_POLYGON_OFFSET_FILL,
                                   GL_SAMPLE_COVERAGE, GL_SAMPLE_ALPHA_TO_COVERAGE };
    for (unsigned i = 0; i < COUNT(enables); i++)
        CALL("glDisable", "i", enables[i]);
    CALL("glColorMask", "iiii", 1, 1, 1, 1);
    CALL("glDepthMask", "i", 1);
    CALL("glStencilMask", "i", 255);
    if (random_has(r, RANDOM_GL))
        reset_desktop(r);
}

void random_state_deed(struct gl_random *r)
{
    static const struct random_deed deeds[] = {
        { blend, 10, RANDOM_ALL },
        { blend_one, 2, RANDOM_GL },
        { depth, 10, RANDOM_ALL },
        { stencil, 6, RANDOM_ALL },
        { scissor, 5, RANDOM_ALL },
        { color_mask, 4, RANDOM_ALL },
        { logic, 2, RANDOM_GL },
        { alpha, 4, RANDOM_OLD },
        { coverage, 2, RANDOM_ALL },
        { encode, 2, RANDOM_GL },
        { culling, 4, RANDOM_ALL },
        { polygon, 4, RANDOM_ALL },
        { lines, 4, RANDOM_ALL },
        { stipple, 2, RANDOM_OLD },
        { viewport, 4, RANDOM_ALL },
        { shading, 3, RANDOM_GL },
        { lighting, 8, RANDOM_OLD },
        { fog, 4, RANDOM_OLD },
        { plane, 2, RANDOM_OLD },
        { generation, 4, RANDOM_OLD },
        { environment, 8, RANDOM_OLD },
        { matrices, 6, RANDOM_OLD },
        { current, 6, RANDOM_OLD },
        { saved, 3, RANDOM_OLD },
        { random_reset_states, 3, RANDOM_ALL },
    };
    random_do(r, deeds, COUNT(deeds));
}

// Generated programs of the fixed function: every state compiles, what text does not
// depend on makes no new one, and the texts of a few states are as committed
// (tests/golden/gl_fixed_NAME.glsl; `test_gl_fixed write` makes them anew).
#include "compiler/shader/glsl/glsl.h"
#include "tests/gl/fixed_scene.h"
#include "tests/test.h"

#define SLOT(name) (1u << GV_GL_##name)
#define RANDOM_STATES 1000

static struct gv_gl_context context;
static struct gv_gl_fixed_inputs in;

static bool compiles(const char *text, uint32_t stage)
{
    struct gv_arena arena = { 0 };
    struct gv_error err = { 0 };
    struct gv_shader_stage out;
    const struct gv_glsl_text glsl = { stage ? GV_STAGE_FRAGMENT : GV_STAGE_VERTEX,
                                       text };
    bool ok = gv_glsl_compile(&glsl, 1, 0, &arena, &out, &err);
    if (!ok)
        fprintf(stderr, "%s\n%s\n", err.message, text);
    gv_arena_finish(&arena);
    return ok;
}

// ---- golden texts ----

static void plain(void)
{
    in.varying |= SLOT(COLOR);
}

static void textured(void)
{
    in.varying |= SLOT(COLOR) | SLOT(TEXCOORD);
    fixed_scene_texture(&in, 0, GL_RGBA);
    in.units[0].clamp = 2;
}

static void lit(void)
{
    in.varying |= SLOT(NORMAL);
    context.state.lighting.enabled = true;
    context.state.lighting.lights[0].enabled = true;
    context.state.lighting.material[0].shininess = 20;
}

static void spots(void)
{
    struct gv_gl_lighting *l = &context.state.lighting;
    lit();
    in.varying |= SLOT(COLOR);
    l->two_side = l->local_viewer = l->color_material = true;
    l->color_control = GL_SEPARATE_SPECULAR_COLOR;
    l->lights[3].enabled = true;
    l->lights[3].position[3] = 1;
    l->lights[3].spot_cutoff = 30;
    l->lights[3].attenuation[1] = 2;
    context.state.transform.normalize = true;
}

static void shiny(void)
{
    struct gv_gl_unit *u = context.state.texture.units;
    in.varying |= SLOT(NORMAL) | SLOT(COLOR);
    fixed_scene_texture(&in, 0, GL_RGB);
    u->env_mode = GL_DECAL;
    for (int i = 0; i < 2; i++) {
        u->texgen[i].enabled = true;
        u->texgen[i].mode = GL_SPHERE_MAP;
    }
    context.texture[0].entries[0].m[12] = 1;
}

static void combined(void)
{
    struct gv_gl_combine *c = &context.state.texture.units[1].combine;
    in.varying |= SLOT(COLOR) | SLOT(TEXCOORD);
    fixed_scene_texture(&in, 0, GL_LUMINANCE_ALPHA);
    fixed_scene_texture(&in, 1, GL_RGBA);
    context.state.texture.units[0].env_mode = GL_BLEND;
    context.state.texture.units[1].env_mode = GL_COMBINE;
    c->function[0] = GL_INTERPOLATE;
    c->source[0][0] = GL_TEXTURE0;
    c->operand[0][1] = GL_ONE_MINUS_SRC_COLOR;
    c->scale[0] = 2;
    c->function[1] = GL_SUBTRACT;
}

static void shadowed(void)
{
    in.varying |= SLOT(TEXCOORD);
    fixed_scene_texture(&in, 0, GL_DEPTH_COMPONENT);
    in.units[0].shadow = 1;
    in.units[0].depth_mode = GL_INTENSITY;
}

static void foggy(void)
{
    in.varying |= SLOT(COLOR);
    context.state.fog.enabled = true;
    context.state.fog.mode = GL_EXP2;
    context.state.color.alpha_test = true;
    context.state.color.alpha_func = GL_GREATER;
    in.alpha_bits8 = true;
}

static void stippled(void)
{
    in.varying |= SLOT(COLOR);
    in.polygon_stipple = in.flipped = true;
    context.state.lighting.shade_model = GL_FLAT;
}

static void sprites(void)
{
    in.drawn = GV_GL_CLASS_POINTS;
    in.varying |= SLOT(COLOR);
    fixed_scene_texture(&in, 0, GL_ALPHA);
    context.state.point.sprite = true;
    context.state.point.attenuation[1] = 1;
    context.state.texture.units[0].coord_replace = true;
}

static void round_points(void)
{
    in.drawn = GV_GL_CLASS_POINTS;
    in.point_smooth = context.state.point.smooth = true;
}

static void clipped(void)
{
    context.state.transform.clip_enabled = 5;
    in.depth_zero_to_one = true;
}

static const struct {
    const char *name;
    void (*set)(void);
} goldens[] = {
    { "plain", plain },       { "textured", textured },
    { "lit", lit },           { "spots", spots },
    { "shiny", shiny },       { "combined", combined },
    { "shadowed", shadowed }, { "foggy", foggy },
    { "stippled", stippled }, { "sprites", sprites },
    { "clipped", clipped },   { "round_points", round_points },
};

static char *both_texts(void)
{
    char *vertex = gv_gl_fixed_text(&in, 0), *fragment = gv_gl_fixed_text(&in, 1);
    size_t size = strlen(vertex) + strlen(fragment) + 2;
    char *both = malloc(size);
    if (both)
        snprintf(both, size, "%s\n%s", vertex, fragment);
    CHECK(compiles(vertex, 0) && compiles(fragment, 1));
    free(vertex);
    free(fragment);
    return both;
}

static void golden(const char *name, const char *text, bool write)
{
    char path[128], line[1 << 14];
    snprintf(path, sizeof path, "tests/golden/gl_fixed_%s.glsl", name);
    FILE *f = fopen(path, write ? "w" : "r");
    CHECK_ROW(name, f);
    if (!f)
        return;
    if (write) {
        fputs(text, f);
    } else {
        size_t n = fread(line, 1, sizeof line - 1, f);
        line[n] = 0;
        CHECK_ROW(name, strcmp(line, text) == 0);
    }
    fclose(f);
}

// ---- any state ----

static uint32_t seed = 1;

static uint32_t dice(uint32_t sides)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % sides;
}

#define PICK(...)        \
    ((const uint32_t[]){ \
        __VA_ARGS__ }[dice(sizeof(uint32_t[]){ __VA_ARGS__ } / sizeof(uint32_t))])

static void random_light(struct gv_gl_light *light)
{
    light->enabled = !dice(3);
    light->position[3] = (float)dice(2);
    light->spot_cutoff = dice(2) ? 180 : 45;
    light->attenuation[1] = (float)dice(2);
}

static void random_combine(struct gv_gl_combine *c)
{
    for (int half = 0; half < 2; half++) {
        c->function[half] =
            PICK(GL_REPLACE, GL_MODULATE, GL_ADD, GL_ADD_SIGNED, GL_INTERPOLATE,
                 GL_SUBTRACT, GL_DOT3_RGB, GL_DOT3_RGBA, GL_DOT3_RGB_EXT,
                 GL_MODULATE_ADD_ATI, GL_MODULATE_SUBTRACT_ATI, 0);
        c->scale[half] = (float)(1u << dice(3));
        for (int i = 0; i < 4; i++) {
            c->source[half][i] = PICK(GL_TEXTURE, GL_PREVIOUS, GL_CONSTANT, GL_ONE,
                                      GL_ZERO, GL_PRIMARY_COLOR, GL_TEXTURE3, 7);
            c->operand[half][i] = PICK(GL_SRC_COLOR, GL_SRC_ALPHA,
                                       GL_ONE_MINUS_SRC_ALPHA, GL_ONE_MINUS_SRC_COLOR);
        }
    }
}

static void random_unit(uint32_t number)
{
    struct gv_gl_unit *u = &context.state.texture.units[number];
    u->env_mode = PICK(GL_REPLACE, GL_MODULATE, GL_DECAL, GL_BLEND, GL_ADD, GL_COMBINE,
                       GL_COMBINE4_NV);
    random_combine(&u->combine);
    for (int i = 0; i < 4; i++) {
        u->texgen[i].enabled = !dice(3);
        u->texgen[i].mode = PICK(GL_OBJECT_LINEAR, GL_EYE_LINEAR, GL_SPHERE_MAP,
                                 GL_REFLECTION_MAP, GL_NORMAL_MAP);
    }
    u->coord_replace = dice(2);
    fixed_scene_texture(&in, number,
                        PICK(GL_ALPHA, GL_LUMINANCE, GL_LUMINANCE_ALPHA, GL_INTENSITY,
                             GL_RGB, GL_RGBA, GL_DEPTH_COMPONENT));
    in.units[number].there = dice(2);
    in.units[number].target =
        (uint8_t)PICK(GV_GL_TARGET_1D, GV_GL_TARGET_2D, GV_GL_TARGET_RECTANGLE,
                      GV_GL_TARGET_3D, GV_GL_TARGET_CUBE);
    in.units[number].shadow = (uint8_t)dice(2);
    in.units[number].clamp = (uint8_t)dice(8);
    in.units[number].depth_mode =
        (uint16_t)PICK(GL_LUMINANCE, GL_INTENSITY, GL_ALPHA, GL_RED);
    context.texture[number].entries[0].m[0] = (float)dice(2);
}

static void random_state(void)
{
    struct gv_gl_state *s = &context.state;
    fixed_scene_init(&context, &in);
    in.varying |= dice(1u << GV_GL_GENERIC);
    in.drawn = (enum gv_gl_primitive_class)dice(3);
    in.polygon_stipple = dice(2);
    in.flipped = dice(2);
    in.point_smooth = dice(2);
    in.alpha_bits8 = dice(2);
    in.depth_zero_to_one = dice(2);
    s->lighting.enabled = dice(2);
    s->lighting.two_side = dice(2);
    s->lighting.local_viewer = dice(2);
    s->lighting.color_material = dice(2);
    s->lighting.color_material_face = PICK(GL_FRONT, GL_BACK, GL_FRONT_AND_BACK);
    s->lighting.color_material_mode =
        PICK(GL_AMBIENT, GL_DIFFUSE, GL_SPECULAR, GL_EMISSION, GL_AMBIENT_AND_DIFFUSE);
    s->lighting.color_control = PICK(GL_SINGLE_COLOR, GL_SEPARATE_SPECULAR_COLOR);
    s->lighting.material[0].shininess = (float)dice(2);
    s->lighting.shade_model = PICK(GL_FLAT, GL_SMOOTH);
    for (int i = 0; i < 8; i++)
        random_light(&s->lighting.lights[i]);
    s->transform.normalize = dice(2);
    s->transform.rescale_normal = dice(2);
    s->transform.clip_enabled = dice(4) ? 0 : dice(256);
    s->fog.enabled = dice(2);
    s->fog.color_sum = dice(2);
    s->fog.mode = PICK(GL_LINEAR, GL_EXP, GL_EXP2);
    s->fog.coordinate = PICK(GL_FRAGMENT_DEPTH, GL_FOG_COORDINATE);
    s->color.alpha_test = dice(2);
    s->color.alpha_func = GL_NEVER + dice(8);
    s->point.sprite = dice(2);
    s->point.attenuation[1] = (float)dice(2);
    for (uint32_t u = 0; u < GV_GL_UNITS; u++)
        random_unit(u);
}

static void any_state_compiles(void)
{
    for (int i = 0; i < RANDOM_STATES; i++) {
        random_state();
        for (uint32_t stage = 0; stage < 2; stage++) {
            char *text = gv_gl_fixed_text(&in, stage);
            CHECK(text && compiles(text, stage));
            free(text);
        }
    }
}

// Outputs are those that have an image, as validation wants it.
static void outputs_have_images(void)
{
    static const uint8_t outputs[] = { 0, 1, 2, 3 };
    for (size_t i = 0; i < sizeof outputs; i++) {
        fixed_scene_init(&context, &in);
        in.outputs = outputs[i];
        char *text = gv_gl_fixed_text(&in, 1);
        CHECK(text && compiles(text, 1));
        CHECK(text && !strstr(text, "(location = 0) out") == (outputs[i] == 2));
        CHECK(text && !strstr(text, "(location = 1) out") == (outputs[i] < 2));
        free(text);
    }
}

// ---- values are no text ----

static void moved(void)
{
    struct gv_gl_lighting *l = &context.state.lighting;
    l->lights[3].position[0] += 7;
    l->lights[3].spot_cutoff = 50;
    l->lights[0].diffuse[1] = 0.5f;
    l->material[1].shininess = 3;
    l->material[0].specular[2] = 1;
    context.modelview.entries[0].m[13] = 9;
    context.projection.entries[0].m[11] = -1;
    context.state.current.slots[GV_GL_COLOR][0] = 1;
}

static void switched(void)
{
    context.state.lighting.lights[3].enabled = false;
}

static const struct {
    const char *name;
    void (*change)(void);
    bool same;
} changes[] = { { "moved", moved, true }, { "switched", switched, false } };

static void change(size_t i)
{
    fixed_scene_init(&context, &in);
    spots();
    char *before = both_texts();
    changes[i].change();
    char *after = both_texts();
    CHECK_ROW(changes[i].name, (strcmp(before, after) == 0) == changes[i].same);
    free(before);
    free(after);
}

int main(int argc, char **argv)
{
    bool write = argc > 1 && strcmp(argv[1], "write") == 0;
    for (size_t i = 0; i < sizeof goldens / sizeof *goldens; i++) {
        fixed_scene_init(&context, &in);
        goldens[i].set();
        char *text = both_texts();
        golden(goldens[i].name, text, write);
        free(text);
    }
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        change(i);
    any_state_compiles();
    outputs_have_images();
    return TEST_RESULT();
}

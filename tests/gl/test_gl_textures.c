// Texture objects: names, images, completeness, what units sample, what is refused.
#include "compiler/gl/texture/texture_object.h"
#include "tests/gl/state_machine.h"
#include "tests/test.h"
#include "vm/formats.h"

#define BYTES(...)                                              \
    sizeof((const uint8_t[]){ __VA_ARGS__ }), (const uint8_t[]) \
    {                                                           \
        __VA_ARGS__                                             \
    }

static const uint8_t zeros[1 << 16];

static void image_2d(struct state_machine *m, uint32_t target, int level, int width,
                     int height)
{
    run(m, "glTexImage2D", "eieiiieeB", target, level, GL_RGBA, width, height, 0,
        GL_RGBA, GL_UNSIGNED_BYTE, (size_t)width * (size_t)height * 4, zeros);
}

static void parameter(struct state_machine *m, uint32_t target, uint32_t name,
                      uint32_t value)
{
    run(m, "glTexParameteri", "eee", target, name, value);
}

static struct gv_gl_texture *bound(struct state_machine *m, uint32_t target)
{
    current_state(m);
    return gv_gl_texture_bound(m->gl->context, &m->gl->objects, 0, target);
}

static struct gv_gl_sampled sampled(struct state_machine *m)
{
    struct gv_gl_sampled out;
    current_state(m);
    CHECK(gv_gl_texture_sampled(m->gl, 0, &out, &m->err));
    return out;
}

// ---- names ----

static void test_names(void)
{
    struct state_machine m;
    state_machine_enter(&m);
    CHECK(bound(&m, GV_GL_TARGET_2D) ==
          &m.gl->objects.textures->defaults[GV_GL_TARGET_2D]);
    run(&m, "glBindTexture", "ei", GL_TEXTURE_2D, 77); // never generated
    struct gv_gl_texture *t = bound(&m, GV_GL_TARGET_2D);
    CHECK(t && t->named.name == 77);
    run(&m, "glBindTexture", "ei", GL_TEXTURE_3D, 77); // has a target
    CHECK(current_state(&m)->texture.bound[0][GV_GL_TARGET_3D] == 0);
    run(&m, "glBindTexture", "ei", 0x1234, 77);
    run(&m, "glActiveTexture", "e", GL_TEXTURE1);
    run(&m, "glBindTexture", "ei", GL_TEXTURE_2D, 77);
    run(&m, "glDeleteTextures", "iI", 3, INTEGERS(0, 77, 77));
    CHECK(current_state(&m)->texture.bound[0][GV_GL_TARGET_2D] == 0);
    CHECK(current_state(&m)->texture.bound[1][GV_GL_TARGET_2D] == 0);
    CHECK(!gv_gl_texture_find(&m.gl->objects, GV_GL_TARGET_2D, 77));
    run(&m, "glBindTexture", "ei", GL_TEXTURE_3D, 77); // free for any target
    CHECK(current_state(&m)->texture.bound[1][GV_GL_TARGET_3D] == 77);
    state_machine_leave(&m);
}

// ---- completeness ----

// Sides of levels, as many as there are.
static const struct {
    const char *name;
    int sides[5];
    uint32_t min_filter, base, max;
    bool complete;
    uint32_t mips; // that are seen
} chains[] = {
    { "no image", { 0 }, GL_LINEAR, 0, 1000, false, 0 },
    { "one level", { 8 }, GL_LINEAR, 0, 1000, true, 1 },
    { "one level, mips", { 8 }, GL_LINEAR_MIPMAP_LINEAR, 0, 1000, false, 0 },
    { "all levels", { 8, 4, 2, 1 }, GL_NEAREST_MIPMAP_NEAREST, 0, 1000, true, 4 },
    { "one is missing", { 8, 4, 0, 1 }, GL_LINEAR_MIPMAP_LINEAR, 0, 1000, false, 0 },
    { "a wrong size", { 8, 4, 3, 1 }, GL_LINEAR_MIPMAP_LINEAR, 0, 1000, false, 0 },
    { "nobody looks there", { 8, 4, 3, 1 }, GL_LINEAR, 0, 1000, true, 1 },
    { "up to the last", { 8, 4 }, GL_LINEAR_MIPMAP_LINEAR, 0, 1, true, 2 },
    { "from the second", { 5, 4, 2, 1 }, GL_LINEAR_MIPMAP_LINEAR, 1, 1000, true, 3 },
    { "odd sides", { 5, 2, 1 }, GL_LINEAR_MIPMAP_LINEAR, 0, 1000, true, 3 },
    { "no base", { 8, 4 }, GL_LINEAR, 3, 1000, false, 0 },
    { "base above all", { 8 }, GL_LINEAR, 999, 1000, false, 0 },
    { "last before the first", { 8, 4 }, GL_LINEAR, 1, 0, false, 0 },
};

static void test_completeness(void)
{
    for (size_t i = 0; i < sizeof(chains) / sizeof(chains[0]); i++) {
        struct state_machine m;
        state_machine_enter(&m);
        run(&m, "glEnable", "e", GL_TEXTURE_2D);
        parameter(&m, GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, chains[i].min_filter);
        parameter(&m, GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, chains[i].base);
        parameter(&m, GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, chains[i].max);
        for (int level = 0; level < 5; level++)
            if (chains[i].sides[level])
                image_2d(&m, GL_TEXTURE_2D, level, chains[i].sides[level],
                         chains[i].sides[level]);
        const struct gv_gl_sampled s = sampled(&m);
        CHECK_ROW(chains[i].name, s.image.there == chains[i].complete);
        CHECK_ROW(chains[i].name, s.texture.mips == chains[i].mips);
        state_machine_leave(&m);
    }
}

static void test_cubes(void)
{
    struct state_machine m;
    state_machine_enter(&m);
    run(&m, "glEnable", "e", GL_TEXTURE_CUBE_MAP);
    parameter(&m, GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    for (uint32_t face = 0; face < 5; face++)
        image_2d(&m, GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, 4, 4);
    CHECK(!sampled(&m).image.there);
    image_2d(&m, GL_TEXTURE_CUBE_MAP_NEGATIVE_Z, 0, 2, 2);
    CHECK(!sampled(&m).image.there);
    image_2d(&m, GL_TEXTURE_CUBE_MAP_NEGATIVE_Z, 0, 4, 2); // faces are squares
    CHECK(!sampled(&m).image.there);
    image_2d(&m, GL_TEXTURE_CUBE_MAP_NEGATIVE_Z, 0, 4, 4);
    CHECK(sampled(&m).image.there && sampled(&m).texture.layers == 6);
    state_machine_leave(&m);
}

// The strongest target that is enabled and complete.
static void test_strength(void)
{
    struct state_machine m;
    state_machine_enter(&m);
    run(&m, "glEnable", "e", GL_TEXTURE_2D);
    run(&m, "glEnable", "e", GL_TEXTURE_3D);
    parameter(&m, GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    parameter(&m, GL_TEXTURE_3D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    image_2d(&m, GL_TEXTURE_2D, 0, 2, 2);
    CHECK(sampled(&m).image.target == GV_GL_TARGET_2D);
    run(&m, "glTexImage3D", "eieiiiieen", GL_TEXTURE_3D, 0, GL_RGB, 2, 2, 2, 0, GL_RGB,
        GL_UNSIGNED_BYTE);
    CHECK(sampled(&m).image.target == GV_GL_TARGET_3D);
    CHECK(sampled(&m).image.base_format == GL_RGB);
    run(&m, "glDisable", "e", GL_TEXTURE_3D);
    CHECK(sampled(&m).image.target == GV_GL_TARGET_2D);
    run(&m, "glDisable", "e", GL_TEXTURE_2D);
    CHECK(!sampled(&m).image.there);
    state_machine_leave(&m);
}

// ---- samplers ----

static void test_wraps(void)
{
    static const struct {
        const char *name;
        uint32_t min, mag, wrap_s, wrap_t;
        uint8_t clamp;
    } rows[] = {
        { "repeat", GL_LINEAR, GL_LINEAR, GL_REPEAT, GL_REPEAT, 0 },
        { "clamped", GL_LINEAR, GL_LINEAR, GL_CLAMP, GL_REPEAT, 1 },
        { "both", GL_LINEAR, GL_LINEAR, GL_CLAMP, GL_CLAMP, 3 },
        { "no filter", GL_NEAREST, GL_NEAREST, GL_CLAMP, GL_CLAMP, 0 },
        { "one filter", GL_LINEAR, GL_NEAREST, GL_REPEAT, GL_CLAMP,
          2 | GV_GL_CLAMP_SHORT },
        { "edge", GL_LINEAR, GL_LINEAR, GL_CLAMP_TO_EDGE, GL_CLAMP_TO_BORDER, 0 },
    };
    struct state_machine m;
    state_machine_enter(&m);
    run(&m, "glEnable", "e", GL_TEXTURE_2D);
    image_2d(&m, GL_TEXTURE_2D, 0, 2, 2);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        parameter(&m, GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, rows[i].min);
        parameter(&m, GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, rows[i].mag);
        parameter(&m, GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, rows[i].wrap_s);
        parameter(&m, GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, rows[i].wrap_t);
        const struct gv_gl_sampled s = sampled(&m);
        CHECK_ROW(rows[i].name, s.image.there && s.image.clamp == rows[i].clamp);
    }
    state_machine_leave(&m);
}

static void test_parameters(void)
{
    static const struct {
        uint32_t target, name, value;
    } refused[] = {
        { GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR_MIPMAP_LINEAR },
        { GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_LINEAR },
        { GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_LEQUAL },
        { GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, (uint32_t)-1 },
        { GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY_EXT, 0 },
        { GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, 1 },
        { GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_R, GL_LUMINANCE },
        { GL_TEXTURE_RECTANGLE, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR },
        { GL_TEXTURE_RECTANGLE, GL_TEXTURE_WRAP_T, GL_REPEAT },
        { GL_TEXTURE_RECTANGLE, GL_TEXTURE_BASE_LEVEL, 1 },
    };
    struct state_machine m;
    state_machine_enter(&m);
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        uint32_t target;
        CHECK(gv_gl_texture_target(refused[i].target, &target));
        const struct gv_gl_texture_params before = bound(&m, target)->params;
        run(&m, "glTexParameteri", "eei", refused[i].target, refused[i].name,
            (int)refused[i].value);
        CHECK(memcmp(&before, &bound(&m, target)->params, sizeof(before)) == 0);
    }
    run(&m, "glTexParameteriv", "eeI", GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR,
        INTEGERS(INT32_MAX, 0, INT32_MIN, INT32_MAX));
    const float *border = bound(&m, GV_GL_TARGET_2D)->params.border;
    CHECK(border[0] == 1 && border[1] < 1e-9f && border[2] == -1);
    run(&m, "glTexParameterx", "eei", GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY_EXT,
        4 << 16);
    CHECK(bound(&m, GV_GL_TARGET_2D)->params.anisotropy == 4);
    state_machine_leave(&m);
}

// ---- images ----

static const struct {
    const char *name;
    uint32_t target, internal, format, type;
    int level, width, height, border;
    bool taken;
} definitions[] = {
    { "plain", GL_TEXTURE_2D, GL_RGBA, GL_RGBA, GL_UNSIGNED_BYTE, 0, 4, 4, 0, true },
    { "number", GL_TEXTURE_2D, 3, GL_RGBA, GL_UNSIGNED_BYTE, 0, 4, 4, 0, true },
    { "largest", GL_TEXTURE_2D, GL_RGB, GL_RGB, GL_UNSIGNED_BYTE, 0, 16384, 1, 0,
      true },
    { "too large", GL_TEXTURE_2D, GL_RGB, GL_RGB, GL_UNSIGNED_BYTE, 0, 16385, 1, 0,
      false },
    { "for its level", GL_TEXTURE_2D, GL_RGB, GL_RGB, GL_UNSIGNED_BYTE, 1, 8193, 1, 0,
      false },
    { "negative", GL_TEXTURE_2D, GL_RGB, GL_RGB, GL_UNSIGNED_BYTE, 0, -1, 1, 0, false },
    { "level", GL_TEXTURE_2D, GL_RGB, GL_RGB, GL_UNSIGNED_BYTE, 15, 1, 1, 0, false },
    { "negative level", GL_TEXTURE_2D, GL_RGB, GL_RGB, GL_UNSIGNED_BYTE, -1, 1, 1, 0,
      false },
    { "border", GL_TEXTURE_2D, GL_RGB, GL_RGB, GL_UNSIGNED_BYTE, 0, 6, 6, 1, true },
    { "thick border", GL_TEXTURE_2D, GL_RGB, GL_RGB, GL_UNSIGNED_BYTE, 0, 8, 8, 2,
      false },
    { "format", GL_TEXTURE_2D, GL_RGB, 0x1234, GL_UNSIGNED_BYTE, 0, 4, 4, 0, false },
    { "type", GL_TEXTURE_2D, GL_RGB, GL_RGB, 0x1234, 0, 4, 4, 0, false },
    { "internal", GL_TEXTURE_2D, 5, GL_RGB, GL_UNSIGNED_BYTE, 0, 4, 4, 0, false },
    { "depth of colours", GL_TEXTURE_2D, GL_DEPTH_COMPONENT, GL_RGB, GL_UNSIGNED_BYTE,
      0, 4, 4, 0, false },
    { "colours of depth", GL_TEXTURE_2D, GL_RGB, GL_DEPTH_COMPONENT, GL_UNSIGNED_BYTE,
      0, 4, 4, 0, false },
    { "rectangle's level", GL_TEXTURE_RECTANGLE, GL_RGB, GL_RGB, GL_UNSIGNED_BYTE, 1, 4,
      4, 0, false },
    { "cube that is none", GL_TEXTURE_CUBE_MAP_POSITIVE_X, GL_RGB, GL_RGB,
      GL_UNSIGNED_BYTE, 0, 4, 2, 0, false },
    { "whole cube", GL_TEXTURE_CUBE_MAP, GL_RGB, GL_RGB, GL_UNSIGNED_BYTE, 0, 4, 4, 0,
      false },
    { "proxy", GL_PROXY_TEXTURE_2D, GL_RGB, GL_RGB, GL_UNSIGNED_BYTE, 0, 4, 4, 0,
      false },
};

static bool has_image(struct state_machine *m)
{
    bool any = false;
    for (uint32_t target = 0; target < GV_GL_TARGETS; target++)
        for (uint32_t level = 0; level < GV_GL_LEVELS; level++)
            any = any || bound(m, target)->images[0][level];
    return any;
}

static void test_definitions(void)
{
    for (size_t i = 0; i < sizeof(definitions) / sizeof(definitions[0]); i++) {
        struct state_machine m;
        state_machine_enter(&m);
        CHECK_ROW(definitions[i].name,
                  run(&m, "glTexImage2D", "eieiiieen", definitions[i].target,
                      definitions[i].level, definitions[i].internal,
                      definitions[i].width, definitions[i].height,
                      definitions[i].border, definitions[i].format,
                      definitions[i].type));
        CHECK_ROW(definitions[i].name, has_image(&m) == definitions[i].taken);
        state_machine_leave(&m);
    }
}

// A border's texels are not there.
static void test_border(void)
{
    struct state_machine m;
    state_machine_enter(&m);
    run(&m, "glPixelStorei", "ei", GL_UNPACK_ALIGNMENT, 1);
    run(&m, "glTexImage2D", "eieiiieeB", GL_TEXTURE_2D, 0, GL_ALPHA, 4, 3, 1, GL_ALPHA,
        GL_UNSIGNED_BYTE, BYTES(1, 1, 1, 1, 1, 7, 8, 1, 1, 1, 1, 1));
    const struct gv_gl_texture_image *i = bound(&m, GV_GL_TARGET_2D)->images[0][0];
    CHECK(i && i->width == 2 && i->height == 1 && i->first && i->first->data[0] == 7 &&
          i->first->data[1] == 8);
    state_machine_leave(&m);
}

static void test_storage_of_pixels(void)
{
    struct state_machine m;
    state_machine_enter(&m);
    run(&m, "glPixelStorei", "ei", GL_UNPACK_ALIGNMENT, 4);
    run(&m, "glPixelStorei", "ei", GL_UNPACK_ROW_LENGTH, 3);
    run(&m, "glPixelStorei", "ei", GL_UNPACK_SKIP_PIXELS, 1);
    run(&m, "glPixelStorei", "ei", GL_UNPACK_SKIP_ROWS, 1);
    run(&m, "glTexImage2D", "eieiiieeB", GL_TEXTURE_2D, 0, GL_LUMINANCE, 2, 2, 0,
        GL_LUMINANCE, GL_UNSIGNED_BYTE, BYTES(0, 0, 0, 0, 0, 1, 2, 0, 0, 3, 4));
    const struct gv_gl_texture_image *i = bound(&m, GV_GL_TARGET_2D)->images[0][0];
    static const uint8_t expected[] = { 1, 2, 3, 4 };
    CHECK(i && i->first && memcmp(i->first->data, expected, 4) == 0);
    state_machine_leave(&m);
}

// Its one row is where rows that are skipped end.
static void test_one_dimension_skips_rows(void)
{
    struct state_machine m;
    state_machine_enter(&m);
    run(&m, "glPixelStorei", "ei", GL_UNPACK_ALIGNMENT, 1);
    run(&m, "glPixelStorei", "ei", GL_UNPACK_ROW_LENGTH, 3);
    run(&m, "glPixelStorei", "ei", GL_UNPACK_SKIP_PIXELS, 1);
    run(&m, "glPixelStorei", "ei", GL_UNPACK_SKIP_ROWS, 1);
    run(&m, "glTexImage1D", "eieiieeB", GL_TEXTURE_1D, 0, GL_LUMINANCE, 2, 0,
        GL_LUMINANCE, GL_UNSIGNED_BYTE, BYTES(0, 0, 0, 0, 7, 8));
    const struct gv_gl_texture_image *i = bound(&m, GV_GL_TARGET_1D)->images[0][0];
    CHECK(i && i->first && i->first->data[0] == 7 && i->first->data[1] == 8);
    state_machine_leave(&m);
}

static void test_parts(void)
{
    static const struct {
        const char *name;
        int level, x, y, width, height;
        bool taken;
    } rows[] = {
        { "inside", 0, 1, 1, 3, 3, true },        { "at the end", 0, 2, 0, 2, 4, true },
        { "beyond", 0, 2, 0, 3, 4, false },       { "before", 0, -1, 0, 2, 2, false },
        { "far", 0, 0x7FFFFFFF, 0, 2, 2, false }, { "no level", 1, 0, 0, 1, 1, false },
        { "negative", 0, 0, 0, -1, 1, false },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct state_machine m;
        state_machine_enter(&m);
        run(&m, "glTexImage2D", "eieiiieen", GL_TEXTURE_2D, 0, GL_RGBA, 4, 4, 0,
            GL_RGBA, GL_UNSIGNED_BYTE);
        CHECK_ROW(rows[i].name,
                  run(&m, "glTexSubImage2D", "eiiiiieeB", GL_TEXTURE_2D, rows[i].level,
                      rows[i].x, rows[i].y, rows[i].width, rows[i].height, GL_RGBA,
                      GL_UNSIGNED_BYTE, sizeof(zeros), zeros));
        CHECK_ROW(rows[i].name,
                  (m.gl->objects.textures->pending != 0) == rows[i].taken);
        state_machine_leave(&m);
    }
}

// ---- memory ----

static void test_memory(void)
{
    struct state_machine m;
    state_machine_enter(&m);
    run(&m, "glTexImage2D", "eieiiieen", GL_TEXTURE_2D, 0, GL_RGBA, 16384, 16384, 0,
        GL_RGBA, GL_UNSIGNED_BYTE);
    CHECK(m.gl->objects.textures->pending == 0);
    // Rows that lie over each other would make a gigabyte of 128 kilobytes.
    run(&m, "glPixelStorei", "ei", GL_UNPACK_ROW_LENGTH, 1);
    run(&m, "glTexSubImage2D", "eiiiiieeB", GL_TEXTURE_2D, 0, 0, 0, 16384, 16384,
        GL_RGBA, GL_UNSIGNED_BYTE, sizeof(zeros), zeros);
    CHECK(m.gl->objects.textures->pending == 0);
    state_machine_leave(&m);
}

// What the device has is not uploaded again; what is laid over it is.
static void test_same_texels(void)
{
    struct state_machine m;
    state_machine_enter(&m);
    run(&m, "glEnable", "e", GL_TEXTURE_2D);
    parameter(&m, GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    image_2d(&m, GL_TEXTURE_2D, 0, 4, 4);
    CHECK(m.gl->objects.textures->pending == 64);
    const struct gv_image first = sampled(&m).texture.image;
    CHECK(m.gl->objects.textures->pending == 0);
    image_2d(&m, GL_TEXTURE_2D, 0, 4, 4);
    CHECK(m.gl->objects.textures->pending == 0);
    run(&m, "glTexSubImage2D", "eiiiiieeB", GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RGBA,
        GL_UNSIGNED_BYTE, BYTES(1, 2, 3, 4));
    CHECK(m.gl->objects.textures->pending == 4);
    image_2d(&m, GL_TEXTURE_2D, 0, 4, 4);
    CHECK(m.gl->objects.textures->pending == 64);
    CHECK(sampled(&m).texture.image.id == first.id); // the shape is the same
    image_2d(&m, GL_TEXTURE_2D, 0, 8, 4);
    CHECK(sampled(&m).image.there);
    state_machine_leave(&m);
}

static void test_mipmaps(void)
{
    struct state_machine m;
    state_machine_enter(&m);
    run(&m, "glEnable", "e", GL_TEXTURE_2D);
    run(&m, "glGenerateMipmap", "e", GL_TEXTURE_2D); // of nothing
    parameter(&m, GL_TEXTURE_2D, GL_GENERATE_MIPMAP, 1);
    image_2d(&m, GL_TEXTURE_2D, 0, 5, 3);
    CHECK(sampled(&m).texture.mips == 3); // 5x3, 2x1, 1x1
    const struct gv_gl_texture *t = bound(&m, GV_GL_TARGET_2D);
    CHECK(t->images[0][2] && t->images[0][2]->width == 1 && !t->images[0][3]);
    state_machine_leave(&m);
}

static void test_immutable(void)
{
    struct state_machine m;
    state_machine_enter(&m);
    run(&m, "glEnable", "e", GL_TEXTURE_2D);
    run(&m, "glTexStorage2D", "eieii", GL_TEXTURE_2D, 5, GL_RGBA8, 8,
        2); // one too many
    CHECK(!has_image(&m));
    run(&m, "glTexStorage2D", "eieii", GL_TEXTURE_2D, 3, GL_RGBA8, 8, 2);
    CHECK(sampled(&m).image.there && sampled(&m).texture.mips == 3);
    image_2d(&m, GL_TEXTURE_2D, 0, 4, 4);
    CHECK(bound(&m, GV_GL_TARGET_2D)->images[0][0]->width == 8);
    parameter(&m, GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 7); // the last one counts
    CHECK(sampled(&m).image.there && sampled(&m).texture.mips == 1);
    state_machine_leave(&m);
}

static void test_compressed(void)
{
    static const struct {
        const char *name;
        uint32_t internal;
        int width, height, size;
        bool taken;
    } rows[] = {
        { "dxt1", GL_COMPRESSED_RGB_S3TC_DXT1_EXT, 5, 4, 16, true },
        { "size", GL_COMPRESSED_RGB_S3TC_DXT1_EXT, 5, 4, 8, false },
        { "negative size", GL_COMPRESSED_RGB_S3TC_DXT1_EXT, 5, 4, -1, false },
        { "no blocks", GL_RGBA, 4, 4, 64, false },
        { "palette", GV_GL_PALETTE4_RGB8_OES, 2, 2, 50, true },
        { "cut palette", GV_GL_PALETTE4_RGB8_OES, 2, 2, 49, false },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct state_machine m;
        state_machine_enter(&m);
        CHECK_ROW(rows[i].name,
                  run(&m, "glCompressedTexImage2D", "eieiiiiB", GL_TEXTURE_2D, 0,
                      rows[i].internal, rows[i].width, rows[i].height, 0, rows[i].size,
                      sizeof(zeros), zeros));
        CHECK_ROW(rows[i].name, has_image(&m) == rows[i].taken);
        state_machine_leave(&m);
    }
}

// ---- what samplers of programs see ----

static struct gv_gl_sampled of_unit(struct state_machine *m, uint32_t target,
                                    bool shadow, uint32_t texels)
{
    const struct gv_gl_texture_use use = { .target = (uint8_t)target,
                                           .shadow = shadow,
                                           .texels = texels };
    struct gv_gl_sampled out;
    current_state(m);
    CHECK(gv_gl_texture_of_unit(m->gl, 0, &use, &out, &m->err));
    return out;
}

static bool stands_in(const struct gv_gl_sampled *s)
{
    return !s->image.there && s->texture.image.id && s->texture.sampler.id;
}

static void test_units_of_programs(void)
{
    struct state_machine m;
    struct gv_gl_sampled s;
    state_machine_enter(&m);
    for (uint32_t target = 0; target < GV_GL_TARGETS; target++)
        if (target != GV_GL_TARGET_BUFFER) {
            s = of_unit(&m, target, false, GV_LOWER_TEXELS_SINT);
            CHECK(stands_in(&s));
        }
    image_2d(&m, GL_TEXTURE_2D, 0, 4, 4);
    s = of_unit(&m, GV_GL_TARGET_2D, false, GV_LOWER_TEXELS_FLOAT);
    CHECK(stands_in(&s)); // no mips
    parameter(&m, GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    s = of_unit(&m, GV_GL_TARGET_2D, false, GV_LOWER_TEXELS_FLOAT);
    CHECK(s.image.there);
    s = of_unit(&m, GV_GL_TARGET_2D, false, GV_LOWER_TEXELS_UINT);
    CHECK(stands_in(&s)); // of another kind
    s = of_unit(&m, GV_GL_TARGET_2D, true, GV_LOWER_TEXELS_FLOAT);
    CHECK(stands_in(&s)); // no depth
    run(&m, "glTexImage2D", "eieiiieeB", GL_TEXTURE_2D, 0, GL_RGBA8UI, 4, 4, 0,
        GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, (size_t)64, zeros);
    s = of_unit(&m, GV_GL_TARGET_2D, false, GV_LOWER_TEXELS_UINT);
    CHECK(stands_in(&s)); // integers are not filtered
    parameter(&m, GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    parameter(&m, GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    s = of_unit(&m, GV_GL_TARGET_2D, false, GV_LOWER_TEXELS_UINT);
    CHECK(s.image.there);
    run(&m, "glTexImage2D", "eieiiieeB", GL_TEXTURE_2D, 0, GL_DEPTH24_STENCIL8, 4, 4, 0,
        GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, (size_t)64, zeros);
    parameter(&m, GL_TEXTURE_2D, GL_DEPTH_TEXTURE_MODE, GL_ALPHA);
    s = of_unit(&m, GV_GL_TARGET_2D, false, GV_LOWER_TEXELS_FLOAT);
    CHECK(s.texture.swizzle == (GV_SWIZZLE_R << 12 | GV_SWIZZLE_ZERO * 0x111u));
    struct gv_gl_texture_use modern = { .target = GV_GL_TARGET_2D, .modern = true };
    CHECK(gv_gl_texture_of_unit(m.gl, 0, &modern, &s, &m.err) &&
          s.texture.swizzle == GV_SWIZZLE_R * 0x1111u);
    s = of_unit(&m, GV_GL_TARGET_2D, true, GV_LOWER_TEXELS_FLOAT);
    CHECK(s.image.there && s.texture.aspect == GV_ASPECT_DEPTH);
    parameter(&m, GL_TEXTURE_2D, GL_DEPTH_STENCIL_TEXTURE_MODE, GL_STENCIL_INDEX);
    s = of_unit(&m, GV_GL_TARGET_2D, false, GV_LOWER_TEXELS_UINT);
    CHECK(s.image.there && s.texture.aspect == GV_ASPECT_STENCIL);
    s = of_unit(&m, GV_GL_TARGET_2D, true, GV_LOWER_TEXELS_FLOAT);
    CHECK(stands_in(&s)); // stencil is not compared
    state_machine_leave(&m);
}

// Pixels fit formats of their kind alone.
static void test_integer_pixels(void)
{
    struct state_machine m;
    state_machine_enter(&m);
    run(&m, "glTexImage2D", "eieiiieeB", GL_TEXTURE_2D, 0, GL_RGBA8UI, 4, 4, 0, GL_RGBA,
        GL_UNSIGNED_BYTE, (size_t)64, zeros);
    CHECK(!bound(&m, GV_GL_TARGET_2D)->images[0][0]);
    run(&m, "glTexImage2D", "eieiiieeB", GL_TEXTURE_2D, 0, GL_RGBA8, 4, 4, 0,
        GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, (size_t)64, zeros);
    CHECK(!bound(&m, GV_GL_TARGET_2D)->images[0][0]);
    run(&m, "glTexImage2D", "eieiiieeB", GL_TEXTURE_2D, 0, GL_STENCIL_INDEX8, 4, 4, 0,
        GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, (size_t)64, zeros);
    CHECK(bound(&m, GV_GL_TARGET_2D)->images[0][0] != NULL);
    state_machine_leave(&m);
}

// ---- textures by name ----

static void test_named(void)
{
    struct state_machine m;
    state_machine_enter(&m);
    run(&m, "glCreateTextures", "eiI", GL_TEXTURE_CUBE_MAP, 1, INTEGERS(5));
    run(&m, "glTextureStorage2D", "eieii", 5, 2, GL_RGBA8, 8, 8);
    struct gv_gl_texture *t = gv_gl_texture_find(&m.gl->objects, 0, 5);
    CHECK(t && t->target == GV_GL_TARGET_CUBE && t->immutable_levels == 2 &&
          t->images[5][1] && t->images[5][1]->width == 4);
    run(&m, "glTextureSubImage3D", "eiiiiiiieeB", 5, 0, 0, 0, 2, 8, 8, 3, GL_RGBA,
        GL_UNSIGNED_BYTE, (size_t)768, zeros);
    if (!t)
        return;
    CHECK(!t->images[1][0]->first && t->images[2][0]->first && t->images[4][0]->first &&
          !t->images[5][0]->first);
    run(&m, "glTextureSubImage3D", "eiiiiiiieeB", 5, 0, 0, 0, 5, 8, 8, 2, GL_RGBA,
        GL_UNSIGNED_BYTE, (size_t)512, zeros);
    CHECK(!t->images[5][0]->first); // there are six faces
    run(&m, "glTextureParameteri", "eee", 5, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    CHECK(t->params.min_filter == GL_NEAREST);
    run(&m, "glTextureParameteri", "eee", 6, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    run(&m, "glBindTextureUnit", "ee", 3, 5);
    CHECK(current_state(&m)->texture.bound[3][GV_GL_TARGET_CUBE] == 5);
    run(&m, "glBindTextures", "eiI", 2, 2, INTEGERS(5, 0));
    CHECK(current_state(&m)->texture.bound[2][GV_GL_TARGET_CUBE] == 5 &&
          current_state(&m)->texture.bound[3][GV_GL_TARGET_CUBE] == 0);
    run(&m, "glTextureImage2DEXT", "eeieiiieeB", 9, GL_TEXTURE_2D, 0, GL_RGBA, 4, 4, 0,
        GL_RGBA, GL_UNSIGNED_BYTE, (size_t)64, zeros);
    t = gv_gl_texture_find(&m.gl->objects, 0, 9);
    CHECK(t && t->target == GV_GL_TARGET_2D && t->images[0][0]);
    CHECK(!m.gl->objects.textures->named);
    state_machine_leave(&m);
}

// A view is written and read where the original is.
static void test_views(void)
{
    struct state_machine m;
    state_machine_enter(&m);
    run(&m, "glCreateTextures", "eiI", GL_TEXTURE_2D_ARRAY, 1, INTEGERS(5));
    run(&m, "glTextureStorage3D", "eieiii", 5, 3, GL_RGBA8, 8, 8, 12);
    run(&m, "glTextureView", "eeeeeeee", 6, GL_TEXTURE_CUBE_MAP, 5, GL_RGBA8UI, 1, 9, 6,
        6);
    struct gv_gl_texture *t = gv_gl_texture_find(&m.gl->objects, 0, 5),
                         *v = gv_gl_texture_find(&m.gl->objects, 0, 6);
    CHECK(v && v->immutable_levels == 2 && v->view_level == 1 && v->view_layer == 6 &&
          v->images[5][1] && v->images[5][1]->width == 2 &&
          v->images[5][1]->depth == 1);
    CHECK(v && v->images[0][0]->store == t->images[0][0]->store);
    run(&m, "glTextureSubImage3D", "eiiiiiiieeB", 6, 0, 0, 0, 2, 4, 4, 1,
        GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, (size_t)64, zeros);
    CHECK(v && !v->images[2][0]->first); // it is there at once
    run(&m, "glTextureView", "eeeeeeee", 7, GL_TEXTURE_2D, 5, GL_RGBA16, 0, 1, 0, 1);
    run(&m, "glTextureView", "eeeeeeee", 8, GL_TEXTURE_3D, 5, GL_RGBA8, 0, 1, 0, 1);
    run(&m, "glTextureView", "eeeeeeee", 9, GL_TEXTURE_2D, 5, GL_RGBA8, 3, 1, 0, 1);
    for (uint32_t name = 7; name < 10; name++)
        CHECK(!gv_gl_texture_find(&m.gl->objects, 0, name));
    run(&m, "glDeleteTextures", "iI", 1, INTEGERS(5));
    CHECK(v && v->images[0][0]->store->references == 12);
    state_machine_leave(&m);
}

int main(void)
{
    test_names();
    test_completeness();
    test_cubes();
    test_strength();
    test_wraps();
    test_parameters();
    test_definitions();
    test_border();
    test_storage_of_pixels();
    test_one_dimension_skips_rows();
    test_parts();
    test_memory();
    test_same_texels();
    test_mipmaps();
    test_immutable();
    test_compressed();
    test_units_of_programs();
    test_integer_pixels();
    test_named();
    test_views();
    return TEST_RESULT();
}

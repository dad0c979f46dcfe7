// Buffer textures: ranges and formats, what of them draws see, what is refused.
#include "compiler/gl/texture/texture_object.h"
#include "tests/gl/state_machine.h"
#include "tests/test.h"
#include "vm/formats.h"

static const uint8_t zeros[128];

static struct gv_gl_texels texels_of(struct state_machine *m, uint32_t kind)
{
    struct gv_gl_texels out;
    current_state(m);
    CHECK(gv_gl_texels_of_unit(m->gl, 0, kind, &out, &m->err));
    return out;
}

static void test_texel_buffers(void)
{
    const uint32_t FLOAT = GV_LOWER_TEXELS_FLOAT, UINT = GV_LOWER_TEXELS_UINT;
    struct state_machine m;
    state_machine_enter(&m);
    run(&m, "glBindBuffer", "ee", GL_TEXTURE_BUFFER, 3);
    run(&m, "glBufferData", "eiBe", GL_TEXTURE_BUFFER, 70, (size_t)70, zeros,
        GL_STATIC_DRAW);
    run(&m, "glBindTexture", "ee", GL_TEXTURE_BUFFER, 4);
    CHECK(!texels_of(&m, FLOAT).buffer.id);
    run(&m, "glTexBuffer", "eee", GL_TEXTURE_BUFFER, GL_RGBA32F, 3);
    struct gv_gl_texels texels = texels_of(&m, FLOAT);
    CHECK(texels.size == 64 && texels.buffer.id &&
          texels.format == GV_FORMAT_R32G32B32A32_SFLOAT);
    CHECK(!texels_of(&m, UINT).buffer.id); // of another kind
    run(&m, "glTexBufferRange", "eeepp", GL_TEXTURE_BUFFER, GL_R8UI, 3, (uint64_t)32,
        (uint64_t)38);
    CHECK(texels_of(&m, UINT).size == 38);
    run(&m, "glTexBuffer", "eee", GL_TEXTURE_BUFFER, GL_RGBA4, 3);
    run(&m, "glTexBuffer", "eee", GL_TEXTURE_BUFFER, GL_RGBA, 3); // no size
    run(&m, "glTexBuffer", "eee", GL_TEXTURE_BUFFER, GL_R8, 99);
    run(&m, "glTexBufferRange", "eeepp", GL_TEXTURE_BUFFER, GL_R8, 3, (uint64_t)32,
        (uint64_t)39);
    run(&m, "glTexBufferRange", "eeepp", GL_TEXTURE_BUFFER, GL_R8, 3, (uint64_t)8,
        (uint64_t)16);
    CHECK(texels_of(&m, UINT).size == 38); // all refused
    run(&m, "glBufferData", "eiBe", GL_TEXTURE_BUFFER, 40, (size_t)40, zeros,
        GL_STATIC_DRAW);
    CHECK(texels_of(&m, UINT).size == 8); // what is left of it
    run(&m, "glDeleteBuffers", "iI", 1, INTEGERS(3));
    CHECK(texels_of(&m, UINT).size == 8); // it lives on there
    run(&m, "glTexBuffer", "eee", GL_TEXTURE_BUFFER, GL_RGBA8, 0);
    CHECK(!texels_of(&m, FLOAT).buffer.id);
    run(&m, "glDeleteTextures", "iI", 1, INTEGERS(4));
    state_machine_leave(&m);
}

// What no device need read from buffers has four components there.
static void test_texel_formats(void)
{
    static const struct {
        const char *name;
        uint32_t internal, kind, format;
        uint64_t size; // of 48 bytes
    } rows[] = {
        { "r8", GL_R8, GV_LOWER_TEXELS_FLOAT, GV_FORMAT_R8_UNORM, 48 },
        { "rg16f", GL_RG16F, GV_LOWER_TEXELS_FLOAT, GV_FORMAT_R16G16_SFLOAT, 48 },
        { "rgba32ui", GL_RGBA32UI, GV_LOWER_TEXELS_UINT, GV_FORMAT_R32G32B32A32_UINT,
          48 },
        { "r16", GL_R16, GV_LOWER_TEXELS_FLOAT, GV_FORMAT_R32G32B32A32_SFLOAT, 384 },
        { "rgba16", GL_RGBA16, GV_LOWER_TEXELS_FLOAT, GV_FORMAT_R32G32B32A32_SFLOAT,
          96 },
        { "rgb32f", GL_RGB32F, GV_LOWER_TEXELS_FLOAT, GV_FORMAT_R32G32B32A32_SFLOAT,
          64 },
        { "rgb32i", GL_RGB32I, GV_LOWER_TEXELS_SINT, GV_FORMAT_R32G32B32A32_SINT, 64 },
        { "alpha8", GL_ALPHA8, GV_LOWER_TEXELS_FLOAT, GV_FORMAT_R8G8B8A8_UNORM, 192 },
        { "luminance_alpha16f_arb", GL_LUMINANCE_ALPHA16F_ARB, GV_LOWER_TEXELS_FLOAT,
          GV_FORMAT_R16G16B16A16_SFLOAT, 96 },
        { "intensity16", GL_INTENSITY16, GV_LOWER_TEXELS_FLOAT,
          GV_FORMAT_R32G32B32A32_SFLOAT, 384 },
        { "luminance8ui_ext", GL_LUMINANCE8UI_EXT, GV_LOWER_TEXELS_UINT,
          GV_FORMAT_R8G8B8A8_UINT, 192 },
        { "rgb16f", GL_RGB16F, GV_LOWER_TEXELS_FLOAT, 0, 0 },
        { "rgb8", GL_RGB8, GV_LOWER_TEXELS_FLOAT, 0, 0 },
        { "r8_snorm", GL_R8_SNORM, GV_LOWER_TEXELS_FLOAT, 0, 0 },
        { "rgb10_a2ui", GL_RGB10_A2UI, GV_LOWER_TEXELS_UINT, 0, 0 },
        { "depth_component16", GL_DEPTH_COMPONENT16, GV_LOWER_TEXELS_FLOAT, 0, 0 },
        { "alpha4", GL_ALPHA4, GV_LOWER_TEXELS_FLOAT, 0, 0 },
    };
    struct state_machine m;
    state_machine_enter(&m);
    run(&m, "glBindBuffer", "ee", GL_TEXTURE_BUFFER, 3);
    run(&m, "glBufferData", "eiBe", GL_TEXTURE_BUFFER, 48, (size_t)48, zeros,
        GL_STATIC_DRAW);
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        run(&m, "glBindTexture", "ee", GL_TEXTURE_BUFFER, 4 + i);
        run(&m, "glTexBuffer", "eee", GL_TEXTURE_BUFFER, rows[i].internal, 3);
        const struct gv_gl_texels texels = texels_of(&m, rows[i].kind);
        CHECK_ROW(rows[i].name, texels.size == rows[i].size);
        CHECK_ROW(rows[i].name, !texels.size || texels.format == rows[i].format);
    }
    state_machine_leave(&m);
}

int main(void)
{
    test_texel_buffers();
    test_texel_formats();
    return TEST_RESULT();
}

#include "tests/aerogpu/aerogpu_minimal.h"

#include <string.h>

enum { BUFFER = 1, VS = 2, FS = 3, PIPELINE = 4 };

static void packet(struct aero_scene *f, uint32_t opcode, const uint32_t *operands,
                   size_t count)
{
    struct gv_bytes b = { 0 };
    gv_bytes_u32(&b, opcode);
    gv_bytes_u32(&b, (uint32_t)(2 + count));
    for (size_t i = 0; i < count; i++)
        gv_bytes_u32(&b, operands[i]);
    aero_record(&f->file, GV_TRACE_PACKET, b.data, b.size);
    gv_bytes_finish(&b);
}

#define PACKET(f, opcode, ...)                               \
    packet((f), (opcode), (const uint32_t[]){ __VA_ARGS__ }, \
           sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))

static uint32_t text_blob(struct aero_scene *f, uint32_t kind, const char *text)
{
    return text ? (uint32_t)aero_blob(&f->file, kind, text, strlen(text)) : 0;
}

static void shader(struct aero_scene *f, uint32_t id, uint32_t stage,
                   const struct aero_minimal_stage *s)
{
    uint32_t glsl = text_blob(f, GV_BLOB_GLSL, s->glsl);
    uint32_t wgsl = text_blob(f, GV_BLOB_WGSL, s->wgsl);
    uint32_t dxbc = text_blob(f, GV_BLOB_DXBC, s->stub ? "DXBCSTUB" : NULL);
    PACKET(f, 3, id, stage, glsl, 0, wgsl, 0, dxbc, 0);
}

void aero_minimal_begin(struct aero_scene *f, const struct aero_minimal_stage *vs,
                        const struct aero_minimal_stage *fs)
{
    memset(f, 0, sizeof *f);
    f->width[0] = f->height[0] = AERO_SIDE;
    aero_file_begin(&f->file, 1, GV_TRACE_ABI_APPENDIX_A);
    aero_begin_frame(&f->file);
    shader(f, VS, 0, vs);
    shader(f, FS, 1, fs);
    PACKET(f, 4, PIPELINE, VS, FS);
    PACKET(f, 5, PIPELINE);
    PACKET(f, 7, 0, 0);
    PACKET(f, 8, 0, 0, 0, 0);
}

void aero_minimal_draw(struct aero_scene *f, uint32_t vertices, uint32_t first)
{
    PACKET(f, 9, vertices, first);
}

void aero_minimal_fill(struct aero_scene *f, float r, float g, float b, float a)
{
    static const float corners[6][2] = { { -1, -1 }, { 1, -1 }, { 1, 1 },
                                         { -1, -1 }, { 1, 1 },  { -1, 1 } };
    float v[6][6];
    for (size_t i = 0; i < 6; i++) {
        const float vertex[6] = { corners[i][0], corners[i][1], r, g, b, a };
        memcpy(v[i], vertex, sizeof vertex);
    }
    uint32_t blob = (uint32_t)aero_blob(&f->file, GV_BLOB_BUFFER, v, sizeof v);
    PACKET(f, 1, BUFFER, sizeof v, 1);
    PACKET(f, 2, BUFFER, 0, sizeof v, blob, 0);
    PACKET(f, 6, BUFFER, 24, 0, 8);
    aero_minimal_draw(f, 6, 0);
}

void aero_minimal_end(struct aero_scene *f)
{
    packet(f, 10, NULL, 0);
    aero_present_record(&f->file);
    aero_end_frame(&f->file);
    aero_file_end(&f->file);
    f->frame = 1;
}

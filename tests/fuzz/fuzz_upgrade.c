// Any text as GLSL of any dialect: upgraded or refused, never a fault. The first byte
// chooses stage, context and variant; a byte of 1 ends an object and begins one of the
// next stage. What glslang itself makes of the text is not the target.
#include "compiler/shader/glsl/upgrade_program.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MAX_OBJECTS 4

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct gv_upgrade_options variant(uint8_t byte)
{
    const unsigned kind = byte / 12;
    return (struct gv_upgrade_options){
        .es = byte & 1,
        .target = (enum gv_glsl_target)(kind % 3),
        .depth_zero_to_one = kind & 1,
        .two_sided = kind & 2,
        .flat_colors = kind & 4,
        .vertex_base = kind & 8,
        .clip_planes = kind & 2 ? 0x81 : 0,
        .coord_replace = kind & 4 ? 3 : 0,
        .color_outputs = kind,
        .blend = (enum gv_glsl_blend)(kind % (GV_GLSL_BLEND_HSL_LUMINOSITY + 1)),
        .alpha_test = kind & 8 ? GV_GLSL_ALPHA_LESS : GV_GLSL_ALPHA_OFF,
    };
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gv_arena arena = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    struct gv_glsl_text texts[MAX_OBJECTS];
    struct glsl_upgraded out;
    size_t count = 0;
    if (size < 1)
        return 0;
    struct gv_upgrade_options options = variant(data[0]);
    char *copy = malloc(size); // one byte less than `size`, one more for the NUL
    if (!copy)
        return 0;
    memcpy(copy, data + 1, size - 1);
    copy[size - 1] = 0;
    for (char *at = copy; at && count < MAX_OBJECTS; count++) {
        texts[count] = (struct gv_glsl_text){ 1u << ((data[0] >> 1) + count) % 6, at };
        at = strchr(at, 1);
        if (at)
            *at++ = 0;
    }
    if (!glsl_upgrade_program(texts, count, &options, &arena, &out, &err) &&
        err.status == GV_OK)
        abort(); // refused in silence
    free(copy);
    gv_arena_finish(&arena);
    return 0;
}

// Any text as GLSL of any dialect: upgraded or refused, never a fault. The first byte
// chooses stage and context. What glslang itself makes of the text is not the target.
#include "compiler/shader/glsl/upgrade.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gv_arena arena = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    if (size < 1)
        return 0;
    struct gv_upgrade_options options = { .es = data[0] & 1 };
    struct gv_glsl_text text = { .stage = 1u << (data[0] >> 1) % 6 };
    const char *out;
    char *copy = malloc(size); // one byte less than `size`, one more for the NUL
    if (!copy)
        return 0;
    memcpy(copy, data + 1, size - 1);
    copy[size - 1] = 0;
    text.text = copy;
    if (!gv_glsl_upgrade(&text, &options, &arena, &out, &err) && err.status == GV_OK)
        abort(); // refused in silence
    free(copy);
    gv_arena_finish(&arena);
    return 0;
}

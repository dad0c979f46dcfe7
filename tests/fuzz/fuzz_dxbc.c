// Any bytes as a Direct3D shader blob: translated or refused, never a fault. The first
// two bytes choose options, so that both dialects and D3D9 rules are reached.
#include "compiler/shader/d3d/dxbc.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gv_arena arena = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    struct gv_dxbc_options options = { 0 };
    struct gv_dxbc_shader shader;
    if (size < 2)
        return 0;
    options.half_pixel = data[0] & 1;
    options.merged_constants = data[0] & 2;
    options.alpha_test = data[0] >> 2 & 15;
    options.missing_inputs = data[0] >> 6;
    memset(options.dimensions, data[1] % (GV_DXBC_TEXTURE_CUBE_ARRAY + 1),
           sizeof options.dimensions);
    // A copy of its exact size: the sanitizer sees a read past its end.
    uint8_t *blob = malloc(size - 2 ? size - 2 : 1);
    if (!blob)
        return 0;
    memcpy(blob, data + 2, size - 2);
    if (!gv_dxbc_translate(blob, size - 2, 0, &options, &arena, &shader, &err) &&
        err.status == GV_OK)
        abort(); // refused in silence
    gv_dxbc_is_d3d9(blob, size - 2);
    free(blob);
    gv_arena_finish(&arena);
    return 0;
}

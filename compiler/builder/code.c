#include "compiler/builder/code.h"

#include <stdlib.h>

void gv_code_finish(struct gv_code *code)
{
    gv_bytes_finish(&code->bytes);
    free(code->patches);
    *code = (struct gv_code){ 0 };
}

uint8_t *gv_put_resource(struct gv_code *code, uint8_t *p, enum gv_op op,
                         uint32_t resource)
{
    // A chunk states where its RES_NEXT starts, so its first resource always follows.
    if (!code->resource_named) {
        code->resource_named = true;
        code->first_resource = code->next_resource = resource;
    }
    bool next = resource == code->next_resource;
    code->next_resource = resource + 1;
    if (!next)
        return gv_put_op(p, op, resource);
    *p++ = op == GV_OP_RES ? GV_OP_RES_NEXT : GV_OP_FETCH_NEXT;
    return p;
}

bool gv_code_patch(struct gv_code *code, struct gv_patch patch)
{
    if (code->patch_count == code->patch_capacity) {
        size_t capacity = code->patch_capacity ? code->patch_capacity * 2 : 256;
        struct gv_patch *grown = realloc(code->patches, capacity * sizeof *grown);
        if (!grown)
            return false;
        code->patches = grown;
        code->patch_capacity = capacity;
    }
    code->patches[code->patch_count++] = patch;
    return true;
}

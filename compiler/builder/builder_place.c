// Places: code that is written now and stands further ahead. A window with a place is
// deferred as one with observations is; what goes to the place is gathered apart, by
// exchanging the code that is being written, and put in when the window closes.
#include "compiler/builder/builder_private.h"

bool gv_builder_without_place(struct gv_builder *b, const char *what)
{
    return !b->place.open ||
           gv_builder_fail(b, GV_ERR_USAGE, "%s while a place is open", what);
}

void gv_builder_place_open(struct gv_builder *b)
{
    struct gv_code *code = &b->code;
    if (b->failed || !gv_builder_outside_branch(b, "a place opens") ||
        !gv_builder_without_place(b, "a place opens"))
        return;
    // Two places of one window would need two pieces of code.
    if (b->place.marked && !gv_builder_close_window(b))
        return;
    uint8_t *p = gv_builder_begin_call(b);
    if (!p)
        return;
    gv_code_advance(&code->bytes, p);
    const struct gv_patch patch = { code->bytes.size, GV_PATCH_PLACE, 0, 0 };
    if (!gv_code_patch(code, patch)) {
        gv_builder_no_memory(b);
        return;
    }
    code->deferred = true;
    b->place.open = b->place.marked = true;
    gv_slots_open_place(&b->slots);
}

// Exchanges what is written where; what holds for the whole payload stays.
static void exchange(struct gv_builder *b)
{
    struct gv_code *code = &b->code, *inner = &b->place.inner, held = *inner;
    inner->bytes = code->bytes;
    inner->chunk_start = code->chunk_start;
    inner->open = code->open;
    inner->command = code->command;
    inner->patches = code->patches;
    inner->patch_count = code->patch_count;
    inner->patch_capacity = code->patch_capacity;
    code->bytes = held.bytes;
    code->chunk_start = held.chunk_start;
    code->open = held.open;
    code->command = held.command;
    code->patches = held.patches;
    code->patch_count = held.patch_count;
    code->patch_capacity = held.patch_capacity;
}

void gv_builder_place_begin(struct gv_builder *b)
{
    if (b->failed)
        return;
    if (!b->place.open || b->place.here || b->either_depth) {
        gv_builder_fail(b, GV_ERR_USAGE, "nothing can be put at a place here");
        return;
    }
    exchange(b);
    b->code.open = true;
    b->code.command = b->command; // no marks: what is put there is that command's
    b->place.here = b->slots.early = true;
}

void gv_builder_place_end(struct gv_builder *b)
{
    if (!b->place.here)
        return;
    exchange(b);
    b->place.here = b->slots.early = false;
}

void gv_builder_place_close(struct gv_builder *b)
{
    gv_builder_place_end(b);
    b->place.open = false;
}

bool gv_builder_place_is_open(const struct gv_builder *b)
{
    return b->place.open;
}

bool gv_builder_place_is_far(const struct gv_builder *b)
{
    return b->place.open && b->code.bytes.size >= GV_WINDOW_CODE;
}

bool gv_builder_resolve_place(struct gv_builder *b)
{
    struct gv_code *inner = &b->place.inner;
    bool ok = gv_builder_resolve_code(b, inner);
    inner->bytes.size = 0;
    inner->patch_count = 0;
    return ok;
}

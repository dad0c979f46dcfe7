// Layouts of transform feedback (xfb_buffer, xfb_offset, xfb_stride) of a text: noted,
// and erased.
#include "compiler/shader/glsl/upgrade_captures.h"
#include "resources/base/bytes.h"

static const char *const words[] = { "xfb_buffer", "xfb_offset", "xfb_stride" };

static void drop_words(struct glsl_unit *u, const struct glsl_declaration *d)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        glsl_unit_drop_word(u, d, words[i]);
}

static int number(struct glsl_unit *u, const struct glsl_declaration *d, unsigned word)
{
    return glsl_layout_number(&u->code, d, words[word]);
}

static bool add(struct glsl_unit *u, const char *name, int buffer, int offset)
{
    struct glsl_stage *s = u->stage;
    if (!name)
        return gv_out_of_memory(u->err);
    if (s->layout_capture_count == GLSL_MAX_CAPTURES)
        return gv_fail(u->err, GV_ERR_LIMIT, GV_NO_OFFSET,
                       "glsl: more than %u captured variables", GLSL_MAX_CAPTURES);
    if (!s->layout_captures) {
        s->layout_captures =
            gv_arena_array(u->arena, GLSL_MAX_CAPTURES, sizeof *s->layout_captures);
        if (!s->layout_captures)
            return gv_out_of_memory(u->err);
    }
    s->layout_captures[s->layout_capture_count++] = (struct glsl_capture){
        .own_name = name, .buffer = (unsigned)buffer, .offset = offset
    };
    return true;
}

static bool set_stride(struct glsl_unit *u, int buffer, int stride)
{
    if (buffer < 0 || (unsigned)buffer >= GV_MAX_GLSL_CAPTURE_BUFFERS)
        return gv_fail(u->err, GV_ERR_LIMIT, GV_NO_OFFSET, "glsl: xfb_buffer %d",
                       buffer);
    if (stride >= 0)
        u->stage->capture_strides[buffer] = (unsigned)stride;
    return true;
}

// `Block.member`, of a block without a name the member's alone.
static const char *member_name(struct glsl_unit *u,
                               const struct glsl_declaration *block,
                               const struct glsl_declaration *member)
{
    const char *name = glsl_unit_text(u, member->name);
    if (block->name == GLSL_NO_TOKEN || !name ||
        glsl_token_is(glsl_unit_token(u, block->type), "gl_PerVertex"))
        return name;
    const struct glsl_token *type = glsl_unit_token(u, block->type);
    struct gv_bytes text = { 0 };
    gv_bytes_printf(&text, "%.*s.%s", (int)type->size, type->text, name);
    const char *out =
        text.failed ? NULL : gv_arena_copy(u->arena, text.data, text.size);
    gv_bytes_finish(&text);
    return out;
}

static bool take_members(struct glsl_unit *u, const struct glsl_declaration *d,
                         int buffer, int offset)
{
    struct glsl_declarations members;
    if (!glsl_declare(&u->code, d->open + 1, d->close, u->arena, &members, u->err))
        return false;
    for (size_t i = 0; i < members.count; i++) {
        const struct glsl_declaration *m = &members.items[i];
        const int own = number(u, m, 1);
        if (m->name == GLSL_NO_TOKEN)
            continue;
        if ((own >= 0 || offset >= 0) && !add(u, member_name(u, d, m), buffer,
                                              own >= 0 ? own
                                              : i      ? -1
                                                       : offset))
            return false;
        drop_words(u, m);
    }
    return true;
}

bool glsl_take_captured(struct glsl_unit *u, const struct glsl_declaration *d)
{
    const int given = number(u, d, 0), offset = number(u, d, 1);
    const int buffer = given >= 0 ? given : u->capture_buffer;
    if (!set_stride(u, buffer, number(u, d, 2)))
        return false;
    if (d->what == GLSL_DECLARES_NOTHING && given >= 0)
        u->capture_buffer = given;
    if (d->what == GLSL_DECLARES_VARIABLE && d->name != GLSL_NO_TOKEN && offset >= 0 &&
        !add(u, glsl_unit_text(u, d->name), buffer, offset))
        return false;
    if (d->what == GLSL_DECLARES_BLOCK && !take_members(u, d, buffer, offset))
        return false;
    drop_words(u, d);
    if (d->what == GLSL_DECLARES_NOTHING && d->layout != GLSL_NO_TOKEN &&
        glsl_unit_token(u, d->layout)->replacement)
        glsl_unit_erase(u, d->first, d->last);
    return true;
}

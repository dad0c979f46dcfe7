// Declarations at global scope: qualifiers of old dialects, layouts, what the prelude
// declares instead, notes for reflection.
#include "compiler/shader/glsl/text/glsl_constants.h"
#include "compiler/shader/glsl/upgrade_captures.h"

#include <string.h>

static struct glsl_token *token(struct glsl_unit *u, size_t i)
{
    return &u->code.tokens[i];
}

static bool token_is(struct glsl_unit *u, size_t i, const char *text)
{
    return i != GLSL_NO_TOKEN && glsl_token_is(token(u, i), text);
}

// ---- layouts ----

void glsl_unit_drop_word(struct glsl_unit *u, const struct glsl_declaration *d,
                         const char *word)
{
    if (d->layout == GLSL_NO_TOKEN)
        return;
    size_t open = glsl_next(&u->code, d->layout), kept = 0;
    size_t close = glsl_closing(&u->code, open, u->code.count);
    for (size_t k = glsl_next(&u->code, open); k < close;) {
        size_t end = k;
        while (end < close && !token_is(u, end, ","))
            end++;
        bool dropped = token_is(u, k, word);
        if (dropped)
            glsl_unit_erase(u, k, end < close ? end : end - 1);
        kept += !dropped && !token(u, k)->replacement;
        k = end < close ? glsl_next(&u->code, end) : close;
    }
    if (kept == 0)
        glsl_unit_erase(u, d->layout, close);
}

// Mesa's software rasterizer lays `shared` and `packed` out as std430.
static void one_layout(struct glsl_unit *u, const struct glsl_declaration *d)
{
    if (d->layout == GLSL_NO_TOKEN)
        return;
    size_t open = glsl_next(&u->code, d->layout);
    size_t close = glsl_closing(&u->code, open, u->code.count);
    for (size_t i = open; i < close; i++)
        if (token_is(u, i, "shared") || token_is(u, i, "packed"))
            token(u, i)->replacement = "std430";
}

// ---- notes ----

static bool add_note(struct glsl_unit *u, const struct glsl_declaration *d)
{
    struct glsl_stage *s = u->stage;
    if (s->note_count == GLSL_MAX_NOTES)
        return gv_fail(u->err, GV_ERR_LIMIT, GV_NO_OFFSET,
                       "glsl: more than %u variables of interfaces", GLSL_MAX_NOTES);
    if (s->note_count == s->note_capacity) {
        size_t more = s->note_capacity ? 2 * s->note_capacity : 32;
        struct glsl_note *notes = gv_arena_array(u->arena, more, sizeof *notes);
        if (!notes)
            return gv_out_of_memory(u->err);
        if (s->note_count)
            memcpy(notes, s->notes, s->note_count * sizeof *notes);
        s->notes = notes;
        s->note_capacity = more;
    }
    bool block = d->what == GLSL_DECLARES_BLOCK;
    struct glsl_note *n = &s->notes[s->note_count++];
    *n = (struct glsl_note){
        .name = glsl_unit_text(u, block ? d->type : d->name),
        .type = glsl_unit_text(u, d->type),
        .qualifiers = d->qualifiers,
        .location = glsl_layout_number(&u->code, d, "location"),
        .binding = glsl_layout_number(&u->code, d, "binding"),
        .index = glsl_layout_number(&u->code, d, "index"),
        .offset = glsl_layout_number(&u->code, d, "offset"),
        .unit = u,
        .declaration = *d,
    };
    return n->name && n->type;
}

// ---- locations of members ----

// One location, whatever precedes it: 0 where that is not known from its words.
static int locations_of(struct glsl_unit *u, const struct glsl_declaration *d)
{
    const struct glsl_token *t = token(u, d->type);
    const bool wide = t->size > 3 && (t->text[0] == 'd' || !memcmp(t->text, "mat", 3));
    static const char *const plain[] = { "float", "int", "uint" };
    bool known = !wide && t->size >= 4 && !memcmp(t->text + t->size - 4, "vec", 3);
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        known |= glsl_token_is(t, plain[i]);
    return known && d->dims == GLSL_NO_TOKEN;
}

// Vulkan wants locations of all members or of none; the linker gives blocks theirs. The
// block is where its first member is, if the others follow on.
static bool take_member_locations(struct glsl_unit *u, const struct glsl_declaration *d,
                                  struct glsl_note *note)
{
    struct glsl_declarations all;
    if (!glsl_declare(&u->code, d->open + 1, d->close, u->arena, &all, u->err))
        return false;
    int *placed = gv_arena_array(u->arena, all.count, sizeof *placed);
    int next = -1;
    bool together = all.count > 0;
    if (!placed)
        return gv_out_of_memory(u->err);
    for (size_t i = 0; i < all.count; i++) {
        const struct glsl_declaration *m = &all.items[i];
        const int location = glsl_layout_number(&u->code, m, "location");
        if (location >= 0)
            placed[note->placed_count++] = location;
        together &=
            i == 0 ? location >= 0 : next >= 0 && (location < 0 || location == next);
        const int count = m->type != GLSL_NO_TOKEN ? locations_of(u, m) : 0;
        next = count ? (location >= 0 ? location : next) + count : -1;
        glsl_unit_drop_word(u, m, "location");
        glsl_unit_drop_word(u, m, "component");
    }
    note->placed = placed;
    if (together && note->location < 0)
        note->location = placed[0];
    return true;
}

// ---- redeclared built-ins ----

static unsigned size_of(struct glsl_unit *u, const struct glsl_declaration *d)
{
    unsigned n = 0;
    if (d->dims == GLSL_NO_TOKEN)
        return 0;
    const struct glsl_token *t = token(u, glsl_next(&u->code, d->dims));
    for (size_t i = 0; t->kind == GLSL_NUMBER && i < t->size && n < 1000; i++)
        n = t->text[i] >= '0' && t->text[i] <= '9'
                ? 10 * n + (unsigned)(t->text[i] - '0')
                : n;
    return n;
}

static void erase_statement(struct glsl_unit *u, const struct glsl_declaration *d)
{
    glsl_unit_erase(u, d->first, d->last);
}

// gl_PerVertex with members that GLSL 4.60 has not: the block that is there anyway.
static bool old_block(struct glsl_unit *u, const struct glsl_declaration *d)
{
    if (d->what != GLSL_DECLARES_BLOCK || !token_is(u, d->type, "gl_PerVertex"))
        return false;
    for (size_t i = d->open; i < d->close; i++) {
        const struct glsl_token *t = token(u, i);
        bool known =
            glsl_token_is(t, "gl_Position") || glsl_token_is(t, "gl_PointSize") ||
            glsl_token_is(t, "gl_ClipDistance") || glsl_token_is(t, "gl_CullDistance");
        if (t->size > 3 && !memcmp(t->text, "gl_", 3) && !known)
            return true;
    }
    return false;
}

// What the prelude declares if it is used.
static bool take_redeclared(struct glsl_unit *u, const struct glsl_declaration *d)
{
    struct glsl_stage *s = u->stage;
    if (old_block(u, d)) {
        erase_statement(u, d);
        return true;
    }
    if (d->what != GLSL_DECLARES_VARIABLE || d->name == GLSL_NO_TOKEN)
        return false;
    if (token_is(u, d->name, "gl_FragCoord")) {
        s->coord_integer |= glsl_layout_has(&u->code, d, "pixel_center_integer");
        s->coord_upper |= glsl_layout_has(&u->code, d, "origin_upper_left");
        erase_statement(u, d);
        return true;
    }
    if (token_is(u, d->name, "gl_ClipDistance")) {
        unsigned n = size_of(u, d);
        s->clip_distances = n ? n : s->clip_distances;
        s->clip_sized |= n > 0;
        if (s->stage == GV_STAGE_FRAGMENT)
            erase_statement(u, d);
        return s->stage == GV_STAGE_FRAGMENT;
    }
    bool output =
        s->stage == GV_STAGE_FRAGMENT &&
        (token_is(u, d->name, "gl_FragColor") || token_is(u, d->name, "gl_FragData") ||
         token_is(u, d->name, "gl_LastFragData") ||
         token_is(u, d->name, "gl_LastFragColorARM") ||
         token_is(u, d->name, "gl_LastFragDepthARM") ||
         token_is(u, d->name, "gl_LastFragStencilARM"));
    if (!output &&
        glsl_find_variable(token(u, d->name), s->stage) == GLSL_VARIABLE_COUNT)
        return false;
    if (token_is(u, d->name, "gl_TexCoord")) {
        unsigned n = size_of(u, d);
        s->tex_coords = n > s->tex_coords ? n : s->tex_coords;
    }
    erase_statement(u, d);
    return true;
}

// ---- qualifiers ----

static bool is_integer_type(const struct glsl_token *t)
{
    static const char *const types[] = { "int",    "uint",  "ivec2", "ivec3",
                                         "ivec4",  "uvec2", "uvec3", "uvec4",
                                         "double", "dvec2", "dvec3", "dvec4" };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (glsl_token_is(t, types[i]))
            return true;
    return false;
}

static void drop_invariant(struct glsl_unit *u, const struct glsl_declaration *d)
{
    if (d->what == GLSL_DECLARES_NOTHING) { // says nothing else
        erase_statement(u, d);
        return;
    }
    for (size_t i = d->first; i < d->type; i++)
        if (token_is(u, i, "invariant"))
            glsl_unit_erase(u, i, i);
}

static void upgrade_storage(struct glsl_unit *u, const struct glsl_declaration *d)
{
    if (d->storage == GLSL_NO_TOKEN || d->what == GLSL_DECLARES_FUNCTION)
        return;
    struct glsl_token *t = token(u, d->storage);
    bool fragment = u->stage->stage == GV_STAGE_FRAGMENT;
    bool varying = glsl_token_is(t, "varying");
    bool input = varying ? fragment : glsl_token_is(t, "in");
    bool flat = fragment && input && !(d->qualifiers & GLSL_FLAT) &&
                d->what == GLSL_DECLARES_VARIABLE && d->type != GLSL_NO_TOKEN &&
                is_integer_type(token(u, d->type));
    if (varying || glsl_token_is(t, "attribute") || flat)
        t->replacement = varying && !fragment ? "out" : flat ? "flat in" : "in";
}

static void upgrade_uniform(struct glsl_unit *u, const struct glsl_declaration *d)
{
    glsl_unit_drop_word(u, d, "location");
    one_layout(u, d);
    u->stage->blocks |=
        (d->qualifiers & GLSL_UNIFORM) &&
        (d->what == GLSL_DECLARES_BLOCK || d->what == GLSL_DECLARES_NOTHING);
}

// What stands as a qualifier is one, in versions too that have the word by an
// extension.
static bool keep_qualifiers(struct glsl_unit *u, const struct glsl_declaration *d)
{
    for (size_t i = d->first; d->type != GLSL_NO_TOKEN && i < d->type; i++) {
        struct glsl_token *t = token(u, i);
        bool precision = glsl_token_is(t, "lowp") || glsl_token_is(t, "mediump") ||
                         glsl_token_is(t, "highp");
        if (i == d->layout)
            i = glsl_closing(&u->code, glsl_next(&u->code, i), d->type);
        else if (t->kind == GLSL_IDENTIFIER && !t->replacement && !precision &&
                 !(t->replacement = glsl_unit_text(u, i)))
            return false;
    }
    return true;
}

static bool upgrade_declaration(struct glsl_unit *u, struct glsl_declaration *d)
{
    const unsigned interface =
        GLSL_UNIFORM | GLSL_BUFFER | GLSL_IN | GLSL_OUT | GLSL_VARYING;
    bool fragment = u->stage->stage == GV_STAGE_FRAGMENT;
    if (!fragment && d->qualifiers & GLSL_OUT && d->layout != GLSL_NO_TOKEN &&
        !glsl_take_captured(u, d))
        return false;
    if (take_redeclared(u, d))
        return true;
    if (fragment)
        glsl_take_blend_support(u, d);
    if (fragment && d->what == GLSL_DECLARES_VARIABLE && d->storage != GLSL_NO_TOKEN &&
        token_is(u, d->storage, "inout") && !glsl_take_fetched(u, d))
        return false;
    if (d->qualifiers & (GLSL_UNIFORM | GLSL_BUFFER))
        upgrade_uniform(u, d);
    if (fragment && (d->qualifiers & GLSL_INVARIANT))
        drop_invariant(u, d);
    upgrade_storage(u, d);
    if (d->qualifiers && !keep_qualifiers(u, d))
        return false;
    const bool block = d->what == GLSL_DECLARES_BLOCK;
    bool noted =
        block || (d->what == GLSL_DECLARES_VARIABLE && d->name != GLSL_NO_TOKEN);
    if (!noted || !(d->qualifiers & interface))
        return true;
    if (!add_note(u, d))
        return false;
    return !block || (d->qualifiers & (GLSL_UNIFORM | GLSL_BUFFER)) ||
           take_member_locations(u, d, &u->stage->notes[u->stage->note_count - 1]);
}

bool glsl_upgrade_statements(struct glsl_unit *u)
{
    if (!glsl_declare(&u->code, 0, u->code.count, u->arena, &u->declared, u->err))
        return false;
    for (size_t i = 0; i < u->declared.count; i++)
        if (!upgrade_declaration(u, &u->declared.items[i]))
            return false;
    glsl_loosen_constants(&u->code, &u->declared);
    return true;
}

#include "tools/diff/diff_compare.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/diff/diff_align.h"
#include "tools/diff/diff_table.h"
#include "vm/inspect/inspect.h"

#define ROW_NAME 256
#define TOLD_LOOKED_AT 4096u   // of what was told before: so far back
#define MOVES_LOOKED_AT 65536u // calls of B around one of A

struct comparer {
    const struct gv_diff_record *a, *b;
    gv_diff_tell *tell;
    void *context;
    struct gv_error *err;
    struct gv_bytes told;    // uint64_t: pairs of sets whose difference was told
    struct gv_desc *desc[2]; // owned
    bool *gone, *come;       // owned: calls of A and of B without a partner
};

const char *gv_diff_kind_name(enum gv_diff_kind kind)
{
    static const char *const names[] = {
        "changed", "state",    "description", "shader",
        "missing", "inserted", "moved",       "picture"
    };
    return names[kind];
}

// ---- texts ----

static void path_of(const struct gv_diff_call *c, char out[GV_DIFF_PATH])
{
    if (c->work != GV_DIFF_NONE)
        snprintf(out, GV_DIFF_PATH, "f%" PRIu32 ".d%" PRIu32, c->frame, c->work);
    else
        snprintf(out, GV_DIFF_PATH, "c%" PRIu64 ".%s", c->command,
                 gv_call_infos[c->call].name);
}

static void put_value(const struct gv_diff_value *v, const struct gv_arg_info *info,
                      struct gv_bytes *out)
{
    const union gv_arg arg = { .u = v->raw };
    if (info->kind == GV_ARG_BYTES)
        gv_bytes_printf(out, "#%016" PRIx64, v->raw);
    else
        gv_inspect_value(info, &arg, out);
}

// All values of a call in a row.
static void put_call(const struct gv_diff_record *r, const struct gv_diff_call *c,
                     struct gv_bytes *out)
{
    const struct gv_call_info *info = &gv_call_infos[c->call];
    gv_bytes_printf(out, "%s", info->name);
    for (size_t i = 0; i < info->arg_count; i++) {
        gv_bytes_printf(out, " %s=", info->args[i].name);
        put_value(&gv_diff_values(r)[c->values + i], &info->args[i], out);
    }
}

static bool tell(struct comparer *c, struct gv_diff_row *row, struct gv_bytes *a,
                 struct gv_bytes *b)
{
    gv_bytes_u8(a, 0);
    gv_bytes_u8(b, 0);
    bool ok = !(a->failed || b->failed) || gv_out_of_memory(c->err);
    row->a_value = a->size > 1 ? (const char *)a->data : "-";
    row->b_value = b->size > 1 ? (const char *)b->data : "-";
    ok = ok && c->tell(c->context, row, c->err);
    gv_bytes_finish(a);
    gv_bytes_finish(b);
    return ok;
}

static struct gv_diff_row row_of(enum gv_diff_kind kind, const char *a, const char *b,
                                 const char *name)
{
    return (struct gv_diff_row){
        .kind = kind,
        .a = a,
        .b = b,
        .name = name,
        .a_setter = GV_DIFF_NO_COMMAND,
        .b_setter = GV_DIFF_NO_COMMAND,
    };
}

// ---- values of two calls ----

struct sides {
    const char *a, *b; // paths
    const struct gv_diff_call *call_a, *call_b;
};

// `but`: the argument that was told already; GV_MAX_ARGS: none was.
static bool compare_values(struct comparer *c, const struct sides *s,
                           enum gv_diff_kind kind, const char *prefix, size_t but)
{
    const struct gv_call_info *info = &gv_call_infos[s->call_a->call];
    for (size_t i = 0; i < info->arg_count; i++) {
        const struct gv_diff_value *a = &gv_diff_values(c->a)[s->call_a->values + i];
        const struct gv_diff_value *b = &gv_diff_values(c->b)[s->call_b->values + i];
        struct gv_bytes text_a = { 0 }, text_b = { 0 };
        char name[ROW_NAME];
        if (a->same == b->same || i == but)
            continue;
        snprintf(name, sizeof name, "%s%s%s", prefix, *prefix ? "." : "",
                 info->args[i].name);
        struct gv_diff_row row = row_of(kind, s->a, s->b, name);
        if (kind == GV_DIFF_STATE) {
            row.a_setter = s->call_a->command;
            row.b_setter = s->call_b->command;
        }
        put_value(a, &info->args[i], &text_a);
        put_value(b, &info->args[i], &text_b);
        if (!tell(c, &row, &text_a, &text_b))
            return false;
    }
    return true;
}

// ---- descriptions ----

static bool decode(const struct gv_diff_record *r, const struct gv_diff_object *o,
                   struct gv_desc *out, struct gv_error *err)
{
    const struct gv_diff_call *made = &gv_diff_sets(r)[o->made];
    const struct gv_span bytes = { r->descs.data + o->desc, o->desc_size };
    return gv_desc_decode(out, (enum gv_enum_id)gv_call_infos[made->call].args[0].of,
                          bytes, err);
}

static bool compare_fields(struct comparer *c, const struct sides *s,
                           const char *prefix)
{
    struct gv_desc_walk walk = { 0 };
    struct gv_desc_place place;
    while (gv_desc_next(c->desc[0]->kind, &walk, &place)) {
        const union gv_arg a = { .u = gv_desc_value(c->desc[0], &place) };
        const union gv_arg b = { .u = gv_desc_value(c->desc[1], &place) };
        struct gv_bytes text_a = { 0 }, text_b = { 0 };
        char name[ROW_NAME];
        if (a.u == b.u)
            continue;
        snprintf(name, sizeof name, "%.128s.%s", prefix, place.name);
        struct gv_diff_row row = row_of(GV_DIFF_DESC, s->a, s->b, name);
        gv_inspect_value(&place.field->info, &a, &text_a);
        gv_inspect_value(&place.field->info, &b, &text_b);
        if (!tell(c, &row, &text_a, &text_b))
            return false;
    }
    return true;
}

// Modules differ: how large they are, and the first word that is another.
static void put_module(const struct gv_diff_record *r, uint64_t raw, size_t at,
                       struct gv_bytes *out)
{
    const struct gv_diff_object *o = raw ? &gv_diff_objects(r)[raw - 1] : NULL;
    uint32_t word = 0;
    if (!o)
        return;
    if (at + sizeof word <= o->desc_size)
        memcpy(&word, r->descs.data + o->desc + at, sizeof word);
    gv_bytes_printf(out, "%zu words, word %zu is 0x%08" PRIx32, o->desc_size / 4,
                    at / 4, word);
}

static size_t first_difference(const struct comparer *c, uint64_t a, uint64_t b)
{
    size_t at = 5 * sizeof(uint32_t); // behind the header, which has the bound of ids
    if (!a || !b)
        return 0;
    const struct gv_diff_object *x = &gv_diff_objects(c->a)[a - 1];
    const struct gv_diff_object *y = &gv_diff_objects(c->b)[b - 1];
    while (at < x->desc_size && at < y->desc_size &&
           c->a->descs.data[x->desc + at] == c->b->descs.data[y->desc + at])
        at++;
    return at / 4 * 4;
}

static bool compare_stages(struct comparer *c, const struct sides *s)
{
    const struct gv_call_info *info = &gv_call_infos[s->call_a->call];
    for (size_t i = 2; i < info->arg_count; i++) {
        const struct gv_diff_value *a = &gv_diff_values(c->a)[s->call_a->values + i];
        const struct gv_diff_value *b = &gv_diff_values(c->b)[s->call_b->values + i];
        struct gv_bytes text_a = { 0 }, text_b = { 0 };
        if (a->same == b->same)
            continue;
        const size_t at = first_difference(c, a->raw, b->raw);
        struct gv_diff_row row = row_of(GV_DIFF_SHADER, s->a, s->b, info->args[i].name);
        put_module(c->a, a->raw, at, &text_a);
        put_module(c->b, b->raw, at, &text_b);
        if (!tell(c, &row, &text_a, &text_b))
            return false;
    }
    return true;
}

// Of two bound objects, how they are made; true in `*told` if that says it all.
static bool compare_made(struct comparer *c, const struct sides *s, const char *prefix,
                         uint64_t a, uint64_t b, bool *told)
{
    *told = false;
    if (!a || !b)
        return true;
    const struct gv_diff_object *x = &gv_diff_objects(c->a)[a - 1];
    const struct gv_diff_object *y = &gv_diff_objects(c->b)[b - 1];
    const struct sides made = { s->a, s->b, &gv_diff_sets(c->a)[x->made],
                                &gv_diff_sets(c->b)[y->made] };
    if (made.call_a->call != made.call_b->call ||
        (x->kind != GV_KIND_PIPELINE && x->kind != GV_KIND_SAMPLER))
        return true;
    *told = true;
    return decode(c->a, x, c->desc[0], c->err) && decode(c->b, y, c->desc[1], c->err) &&
           compare_fields(c, &made, prefix) &&
           (x->kind != GV_KIND_PIPELINE || compare_stages(c, &made));
}

// ---- state ----

// Whether the two were told to differ before; they are from now on.
static bool is_told(struct comparer *c, uint32_t a, uint32_t b)
{
    const uint64_t pair = (uint64_t)a << 32 | b;
    const uint64_t *told = (const void *)c->told.data;
    const size_t count = c->told.size / sizeof pair;
    for (size_t i = count; i-- > 0 && i + TOLD_LOOKED_AT > count;)
        if (told[i] == pair)
            return true;
    gv_bytes_put(&c->told, &pair, sizeof pair);
    return false;
}

// Two calls that set it: of a pipeline or a sampler rather how that is made.
static bool compare_set(struct comparer *c, const struct sides *s, const char *name)
{
    const struct gv_call_info *info = &gv_call_infos[s->call_a->call];
    size_t made = info->arg_count ? info->arg_count - 1u : 0;
    const struct gv_diff_value *a = &gv_diff_values(c->a)[s->call_a->values + made];
    const struct gv_diff_value *b = &gv_diff_values(c->b)[s->call_b->values + made];
    const uint8_t kind = info->args[made].kind;
    char prefix[ROW_NAME];
    bool told = false;
    if (a->same != b->same && (kind == GV_ARG_PIPELINE || kind == GV_ARG_SAMPLER_OPT)) {
        snprintf(prefix, sizeof prefix, "%s%s", name,
                 strncmp(name, "tex", 3) == 0 ? ".sampler" : "");
        if (!compare_made(c, s, prefix, a->raw, b->raw, &told))
            return false;
    }
    return compare_values(c, s, GV_DIFF_STATE, name, told ? made : GV_MAX_ARGS);
}

static uint32_t set_of(const struct gv_diff_record *r, const struct gv_diff_call *c,
                       const char *name)
{
    for (uint32_t i = 0; i < c->state_count; i++)
        if (strcmp(gv_diff_keys(r)[i].name, name) == 0)
            return gv_diff_states(r)[c->state + i];
    return GV_DIFF_NONE;
}

// Only one of them has it.
static bool tell_unset(struct comparer *c, const struct sides *s, const char *name,
                       uint32_t a, uint32_t b)
{
    struct gv_diff_row row = row_of(GV_DIFF_STATE, s->a, s->b, name);
    struct gv_bytes text_a = { 0 }, text_b = { 0 };
    if (a != GV_DIFF_NONE) {
        put_call(c->a, &gv_diff_sets(c->a)[a], &text_a);
        row.a_setter = gv_diff_sets(c->a)[a].command;
    }
    if (b != GV_DIFF_NONE) {
        put_call(c->b, &gv_diff_sets(c->b)[b], &text_b);
        row.b_setter = gv_diff_sets(c->b)[b].command;
    }
    return tell(c, &row, &text_a, &text_b);
}

static bool compare_key(struct comparer *c, const struct sides *s, const char *name)
{
    const uint32_t a = set_of(c->a, s->call_a, name);
    const uint32_t b = set_of(c->b, s->call_b, name);
    if (a == GV_DIFF_NONE || b == GV_DIFF_NONE)
        return a == b || is_told(c, a, b) || tell_unset(c, s, name, a, b);
    const struct gv_diff_call *x = &gv_diff_sets(c->a)[a], *y = &gv_diff_sets(c->b)[b];
    const struct sides sets = { s->a, s->b, x, y };
    if (x->own == y->own || is_told(c, a, b))
        return true;
    return x->call == y->call ? compare_set(c, &sets, name)
                              : tell_unset(c, s, name, a, b);
}

static bool compare_state(struct comparer *c, const struct sides *s)
{
    for (uint32_t i = 0; i < s->call_a->state_count; i++)
        if (!compare_key(c, s, gv_diff_keys(c->a)[i].name))
            return false;
    for (uint32_t i = 0; i < s->call_b->state_count; i++) {
        const char *name = gv_diff_keys(c->b)[i].name;
        if (set_of(c->a, s->call_a, name) == GV_DIFF_NONE && !compare_key(c, s, name))
            return false;
    }
    return true;
}

static bool compare_calls(struct comparer *c, const struct gv_diff_call *a,
                          const struct gv_diff_call *b)
{
    char path_a[GV_DIFF_PATH], path_b[GV_DIFF_PATH];
    const struct sides s = { path_a, path_b, a, b };
    if (a->all == b->all)
        return true;
    path_of(a, path_a);
    path_of(b, path_b);
    return compare_values(c, &s, GV_DIFF_CHANGED, "", GV_MAX_ARGS) &&
           (a->work == GV_DIFF_NONE || compare_state(c, &s));
}

// ---- calls of two frames ----

enum level { BY_ALL, BY_OWN, BY_SHAPE, LEVELS };

static uint64_t key_of(const struct gv_diff_call *c, enum level level)
{
    return level == BY_ALL   ? c->all
           : level == BY_OWN ? c->own
                             : (uint64_t)c->call << 32 | c->name;
}

struct range {
    uint32_t a, a_end, b, b_end;
};

// What is without a partner between two that have one is looked at again, less closely.
static bool match_range(struct comparer *c, struct range r, enum level level,
                        uint32_t *match);

static bool match_gaps(struct comparer *c, struct range r, enum level level,
                       uint32_t *match)
{
    struct range gap = r;
    for (uint32_t i = r.a; i <= r.a_end; i++) {
        if (i < r.a_end && match[i] == GV_ALIGN_NONE)
            continue;
        gap.a_end = i;
        gap.b_end = i < r.a_end ? match[i] : r.b_end;
        if (gap.a < gap.a_end && gap.b < gap.b_end &&
            !match_range(c, gap, level, match))
            return false;
        gap.a = i + 1;
        gap.b = gap.b_end + 1;
    }
    return true;
}

static bool match_range(struct comparer *c, struct range r, enum level level,
                        uint32_t *match)
{
    const size_t n = r.a_end - r.a, m = r.b_end - r.b;
    uint64_t *keys = malloc((n + m + 1) * sizeof *keys);
    bool ok = keys != NULL;
    for (size_t i = 0; ok && i < n; i++)
        keys[i] = key_of(&gv_diff_calls(c->a)[r.a + i], level);
    for (size_t i = 0; ok && i < m; i++)
        keys[n + i] = key_of(&gv_diff_calls(c->b)[r.b + i], level);
    ok = ok && gv_diff_align(keys, n, keys + n, m, match + r.a);
    free(keys);
    if (!ok)
        return gv_out_of_memory(c->err);
    for (uint32_t i = r.a; i < r.a_end; i++)
        if (match[i] != GV_ALIGN_NONE)
            match[i] += r.b;
    return level + 1 == LEVELS || match_gaps(c, r, (enum level)(level + 1), match);
}

// Calls of a range in their order: pairs, and what is without a partner is noted.
static bool compare_range(struct comparer *c, struct range r, uint32_t *match)
{
    if (!match_range(c, r, BY_ALL, match))
        return false;
    for (uint32_t i = r.b; i < r.b_end; i++)
        c->come[i] = true;
    for (uint32_t i = r.a; i < r.a_end; i++) {
        c->gone[i] = match[i] == GV_ALIGN_NONE;
        if (c->gone[i])
            continue;
        c->come[match[i]] = false;
        if (!compare_calls(c, &gv_diff_calls(c->a)[i], &gv_diff_calls(c->b)[match[i]]))
            return false;
    }
    return true;
}

// ---- frames ----

static uint64_t frame_key(const struct gv_diff_record *r, size_t frame,
                          enum level level)
{
    const uint32_t *frames = gv_diff_frames(r);
    uint64_t key = 1;
    for (uint32_t i = frames[frame]; i < frames[frame + 1]; i++)
        key = key * UINT64_C(0x100000001b3) ^ key_of(&gv_diff_calls(r)[i], level);
    return key;
}

static size_t frame_count(const struct gv_diff_record *r)
{
    return r->frames.size / sizeof(uint32_t) - 1;
}

static bool tell_frame(struct comparer *c, enum gv_diff_kind kind, size_t frame)
{
    char path[GV_DIFF_PATH];
    struct gv_bytes a = { 0 }, b = { 0 };
    snprintf(path, sizeof path, "f%zu", frame);
    struct gv_diff_row row = row_of(kind, kind == GV_DIFF_MISSING ? path : "-",
                                    kind == GV_DIFF_MISSING ? "-" : path, "");
    return tell(c, &row, &a, &b);
}

static const struct gv_hash *picture_of(const struct gv_diff_record *r, size_t frame)
{
    const struct gv_hash *pictures = (const void *)r->pictures.data;
    return frame < r->pictures.size / sizeof *pictures ? &pictures[frame] : NULL;
}

// A frame without a picture has no hash.
static void put_picture(const struct gv_hash *picture, struct gv_bytes *out)
{
    const struct gv_hash none = { 0 };
    char hex[GV_HASH_HEX];
    gv_hash_to_hex(picture, hex);
    gv_bytes_printf(out, "%s", gv_hash_equal(picture, &none) ? "-" : hex);
}

static bool compare_pictures(struct comparer *c, size_t a, size_t b)
{
    const struct gv_hash *x = picture_of(c->a, a), *y = picture_of(c->b, b);
    char path_a[GV_DIFF_PATH], path_b[GV_DIFF_PATH];
    struct gv_bytes text_a = { 0 }, text_b = { 0 };
    if (!x || !y || gv_hash_equal(x, y))
        return true;
    snprintf(path_a, sizeof path_a, "f%zu", a);
    snprintf(path_b, sizeof path_b, "f%zu", b);
    struct gv_diff_row row = row_of(GV_DIFF_PICTURE, path_a, path_b, "");
    put_picture(x, &text_a);
    put_picture(y, &text_b);
    return tell(c, &row, &text_a, &text_b);
}

static bool compare_frame(struct comparer *c, size_t a, size_t b, uint32_t *match)
{
    const uint32_t *x = gv_diff_frames(c->a), *y = gv_diff_frames(c->b);
    const struct range r = { x[a], x[a + 1], y[b], y[b + 1] };
    return compare_range(c, r, match) && compare_pictures(c, a, b);
}

// Frames that are the same, then those of one shape, are pairs; others by their order.
static bool match_frames(struct comparer *c, uint32_t *match)
{
    const size_t n = frame_count(c->a), m = frame_count(c->b);
    uint64_t *keys = malloc((n + m + 1) * sizeof *keys);
    bool ok = keys != NULL;
    const enum level level = n == m ? BY_ALL : BY_SHAPE;
    for (size_t i = 0; ok && i < n; i++)
        keys[i] = frame_key(c->a, i, level);
    for (size_t i = 0; ok && i < m; i++)
        keys[n + i] = frame_key(c->b, i, level);
    ok = ok && gv_diff_align(keys, n, keys + n, m, match);
    free(keys);
    for (size_t i = 0, next = 0; ok && i < n; i++) {
        size_t end = i;
        while (end < n && match[end] == GV_ALIGN_NONE)
            end++;
        const size_t until = end < n ? match[end] : m;
        if (match[i] == GV_ALIGN_NONE && next < until)
            match[i] = (uint32_t)next;
        if (match[i] != GV_ALIGN_NONE)
            next = match[i] + 1;
    }
    return ok || gv_out_of_memory(c->err);
}

static bool compare_frames(struct comparer *c, const uint32_t *frames, uint32_t *match)
{
    const size_t n = frame_count(c->a), m = frame_count(c->b);
    size_t next = 0;
    for (size_t i = 0; i < n; i++) {
        if (frames[i] == GV_ALIGN_NONE) {
            if (!tell_frame(c, GV_DIFF_MISSING, i))
                return false;
            continue;
        }
        for (; next < frames[i]; next++)
            if (!tell_frame(c, GV_DIFF_INSERTED, next))
                return false;
        next = frames[i] + 1;
        if (!compare_frame(c, i, frames[i], match))
            return false;
    }
    for (; next < m; next++)
        if (!tell_frame(c, GV_DIFF_INSERTED, next))
            return false;
    return true;
}

// ---- what has no partner ----

static bool tell_alone(struct comparer *c, const struct gv_diff_call *a,
                       const struct gv_diff_call *b)
{
    char path_a[GV_DIFF_PATH] = "-", path_b[GV_DIFF_PATH] = "-";
    struct gv_bytes text_a = { 0 }, text_b = { 0 };
    if (a) {
        path_of(a, path_a);
        put_call(c->a, a, &text_a);
    }
    if (b) {
        path_of(b, path_b);
        put_call(c->b, b, &text_b);
    }
    struct gv_diff_row row = row_of(a && b ? GV_DIFF_MOVED
                                    : a    ? GV_DIFF_MISSING
                                           : GV_DIFF_INSERTED,
                                    path_a, path_b, "");
    return tell(c, &row, &text_a, &text_b);
}

// Calls of B without a partner, as lists of what is the same; numbers are + 1.
struct moves {
    struct gv_diff_table first; // by gv_diff_call.all
    uint32_t *next;             // owned; by call
    size_t count;
};

static bool list_moves(struct comparer *c, struct moves *moves)
{
    const struct gv_diff_call *b = gv_diff_calls(c->b);
    moves->count = c->b->calls.size / sizeof *b;
    moves->next = calloc(moves->count + 1, sizeof *moves->next);
    if (!moves->next)
        return gv_out_of_memory(c->err);
    for (size_t k = moves->count; k-- > 0;) {
        uint32_t *first = c->come[k] ? gv_diff_table_at(&moves->first, b[k].all) : NULL;
        if (c->come[k] && !first)
            return gv_out_of_memory(c->err);
        if (!first)
            continue;
        moves->next[k] = *first;
        *first = (uint32_t)k + 1;
    }
    return true;
}

// Where call `i` of A went, taken off its list. What is too far behind one call is so
// for those that follow it.
static bool take_move(struct moves *moves, size_t i, uint64_t all, size_t *out)
{
    const size_t from = i > MOVES_LOOKED_AT / 2 ? i - MOVES_LOOKED_AT / 2 : 0;
    uint32_t *first = gv_diff_table_at(&moves->first, all);
    while (first && *first && *first - 1 < from)
        *first = moves->next[*first - 1];
    if (!first || !*first || *first - 1 >= from + MOVES_LOOKED_AT)
        return false;
    *out = *first - 1;
    *first = moves->next[*out];
    return true;
}

static bool tell_lists(struct comparer *c, struct moves *moves)
{
    const struct gv_diff_call *a = gv_diff_calls(c->a), *b = gv_diff_calls(c->b);
    const size_t n = c->a->calls.size / sizeof *a;
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        if (!c->gone[i])
            continue;
        const bool moved = take_move(moves, i, a[i].all, &k);
        if (moved)
            c->come[k] = false;
        if (!tell_alone(c, &a[i], moved ? &b[k] : NULL))
            return false;
    }
    for (size_t k = 0; k < moves->count; k++)
        if (c->come[k] && !tell_alone(c, NULL, &b[k]))
            return false;
    return true;
}

static bool tell_rest(struct comparer *c)
{
    struct moves moves = { .count = 0 };
    const bool ok = list_moves(c, &moves) && tell_lists(c, &moves);
    gv_diff_table_finish(&moves.first);
    free(moves.next);
    return ok;
}

// ---- all of it ----

static bool open_comparer(struct comparer *c)
{
    const size_t n = c->a->calls.size / sizeof(struct gv_diff_call);
    const size_t m = c->b->calls.size / sizeof(struct gv_diff_call);
    for (size_t i = 0; i < 2; i++)
        c->desc[i] = malloc(sizeof *c->desc[i]);
    c->gone = calloc(n + 1, sizeof *c->gone);
    c->come = calloc(m + 1, sizeof *c->come);
    return (c->desc[0] && c->desc[1] && c->gone && c->come) || gv_out_of_memory(c->err);
}

static void close_comparer(struct comparer *c)
{
    gv_bytes_finish(&c->told);
    free(c->desc[0]);
    free(c->desc[1]);
    free(c->gone);
    free(c->come);
}

bool gv_diff_compare(const struct gv_diff_record *a, const struct gv_diff_record *b,
                     gv_diff_tell *tell_row, void *context, struct gv_error *err)
{
    struct comparer c = { a, b, tell_row, context, err, { 0 }, { 0 }, NULL, NULL };
    uint32_t *frames = malloc((frame_count(a) + 1) * sizeof *frames);
    uint32_t *match =
        malloc((a->calls.size / sizeof(struct gv_diff_call) + 1) * sizeof *match);
    const bool ok = ((frames && match) || gv_out_of_memory(err)) && open_comparer(&c) &&
                    match_frames(&c, frames) && compare_frames(&c, frames, match) &&
                    tell_rest(&c);
    free(frames);
    free(match);
    close_comparer(&c);
    return ok;
}

static const struct gv_diff_call *work_at(const struct gv_diff_record *r,
                                          const struct gv_place *place,
                                          struct gv_error *err)
{
    const struct gv_diff_call *calls = gv_diff_calls(r);
    char text[GV_PATH_TEXT];
    for (size_t i = 0; i < r->calls.size / sizeof *calls; i++)
        if (calls[i].frame == place->frame && calls[i].work == place->number &&
            place->kind == GV_PLACE_WORK)
            return &calls[i];
    gv_place_print(place, text);
    gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "%.64s: no draw or dispatch is there",
            text);
    return NULL;
}

bool gv_diff_compare_at(const struct gv_diff_record *a, const struct gv_place *at_a,
                        const struct gv_diff_record *b, const struct gv_place *at_b,
                        gv_diff_tell *tell_row, void *context, struct gv_error *err)
{
    struct comparer c = { a, b, tell_row, context, err, { 0 }, { 0 }, NULL, NULL };
    const struct gv_diff_call *x = work_at(a, at_a, err);
    const struct gv_diff_call *y = x ? work_at(b, at_b, err) : NULL;
    char path_a[GV_DIFF_PATH], path_b[GV_DIFF_PATH];
    if (!y)
        return false;
    path_of(x, path_a);
    path_of(y, path_b);
    const struct sides s = { path_a, path_b, x, y };
    const bool ok =
        open_comparer(&c) &&
        (x->call == y->call ? compare_values(&c, &s, GV_DIFF_CHANGED, "", GV_MAX_ARGS)
                            : tell_alone(&c, x, y)) &&
        compare_state(&c, &s);
    close_comparer(&c);
    return ok;
}

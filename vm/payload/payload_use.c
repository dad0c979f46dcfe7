// Asking an open payload: paces, source positions, and the groups that travel in it.
#include "vm/payload/payload_segments.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- frames ----

uint32_t gv_payload_frame_of(const struct gv_payload *p, uint64_t command)
{
    size_t low = 0, high = p->frame_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (p->frames[middle].command_end <= command)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint32_t)low;
}

struct gv_pace gv_payload_pace(const struct gv_payload *payload, uint64_t frame)
{
    size_t low = 0, high = payload->pace_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (payload->paces[middle].frame <= frame)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? payload->paces[low - 1] : (struct gv_pace){ 0 };
}

// ---- source positions ----

static struct gv_debug_walk *start_walk(const struct gv_payload *payload,
                                        struct gv_debug_walk **walk)
{
    if (*walk)
        gv_debug_walk_finish(*walk);
    else
        *walk = calloc(1, sizeof **walk);
    if (*walk)
        (*walk)->c = payload->debug;
    return *walk;
}

uint64_t gv_payload_source(const struct gv_payload *payload, uint64_t command,
                           const char **name)
{
    struct gv_payload_private *private = payload->private;
    struct gv_debug_walk *walk = private->walk;
    if (name)
        *name = "";
    if (!walk || (walk->rows && walk->row.command > command))
        walk = start_walk(payload, &private->walk);
    if (!walk)
        return GV_NO_OFFSET;
    while (!walk->rows || walk->row.command < command)
        if (!gv_debug_walk_next(walk, &private->arena))
            return GV_NO_OFFSET;
    if (walk->row.command != command)
        return GV_NO_OFFSET;
    if (name)
        *name = walk->row.name;
    return walk->row.offset;
}

const char *gv_command_kind_name(unsigned kind)
{
    static const char *const names[GV_COMMAND_KINDS] = { "draw", "frame", "target" };
    return names[kind];
}

bool gv_payload_source_next(const struct gv_payload *payload, uint64_t *position,
                            struct gv_source_row *row)
{
    struct gv_payload_private *private = payload->private;
    struct gv_debug_walk *walk = private->next;
    if (!walk || walk->rows != *position)
        walk = start_walk(payload, &private->next);
    while (walk && walk->rows <= *position) {
        if (!gv_debug_walk_next(walk, &private->arena))
            return false;
    }
    if (!walk)
        return false;
    *row = walk->row;
    *position = walk->rows;
    return true;
}

// ---- groups ----

struct payload_source {
    struct gv_source base;            // first: the functions cast back
    const struct gv_payload *payload; // borrowed
    struct gv_codec_state *codec;     // owned
    struct gv_dictionaries dictionaries;
    // Owned: all groups by hash. Sorted, since a hash table could be made to collide.
    const struct gv_group **groups;
    size_t count;
};

static int compare_groups(const void *a, const void *b)
{
    const struct gv_group *const *x = a, *const *y = b;
    int order = memcmp((*x)->hash.bytes, (*y)->hash.bytes, sizeof(*x)->hash.bytes);
    if (order)
        return order;
    return ((*x)->raw_size > (*y)->raw_size) - ((*x)->raw_size < (*y)->raw_size);
}

// The group of that id and size, or NULL.
static const struct gv_group *find_group(const struct payload_source *s,
                                         const struct gv_hash *hash, uint64_t raw_size)
{
    const struct gv_group wanted = { .hash = *hash, .raw_size = raw_size };
    const struct gv_group *key = &wanted;
    // NOLINTNEXTLINE(bugprone-sizeof-expression): pointers are what it holds
    const size_t each = sizeof *s->groups;
    const struct gv_group **found =
        bsearch(&key, s->groups, s->count, each, compare_groups);
    return found && (*found)->file_offset && !s->payload->remote ? *found : NULL;
}

bool gv_group_damaged(const struct gv_group *group, bool in_run, const char *why,
                      struct gv_error *err)
{
    char hex[GV_HASH_HEX], place[40] = "";
    gv_hash_to_hex(&group->hash, hex);
    if (in_run)
        snprintf(place, sizeof place, " at byte %" PRIu64, group->file_offset);
    return gv_fail(err, GV_ERR_FORMAT, in_run ? GV_NO_OFFSET : group->file_offset,
                   "resource group %s%s is damaged: %s", hex, place, why);
}

// What groups are read with.
struct expander {
    const struct gv_payload *payload;
    struct gv_codec_state *codec;
    struct gv_dictionaries *dictionaries;
    bool in_run; // gv_group_damaged
};

static bool expand_group(const struct expander *x, const struct gv_group *group,
                         uint8_t *out, struct gv_error *err);

// The dictionary of a group, which has none itself (vm/payload/payload_read_bulk.c).
static bool find_dictionary(const struct expander *x, uint32_t number,
                            struct gv_span *dictionary, struct gv_error *err)
{
    *dictionary = gv_dictionaries_find(x->dictionaries, number);
    if (dictionary->data)
        return true;
    const struct gv_group *group = &x->payload->groups[number];
    uint8_t *raw = malloc((size_t)group->raw_size);
    if (!raw)
        return gv_out_of_memory(err);
    const struct gv_span all = { raw, (size_t)group->raw_size };
    bool ok = expand_group(x, group, raw, err) &&
              gv_dictionaries_keep(x->dictionaries, number, all, err);
    free(raw);
    *dictionary = gv_dictionaries_find(x->dictionaries, number);
    return ok;
}

static bool expand_group(const struct expander *x, const struct gv_group *group,
                         uint8_t *out, struct gv_error *err)
{
    struct gv_error mine = GV_ERROR_INIT;
    struct gv_codec_frame frame = { .stored = { x->payload->file.data +
                                                    group->file_offset,
                                                (size_t)group->stored_size } };
    if (group->codec == GV_CODEC_DICTIONARY &&
        !find_dictionary(x, group->dictionary, &frame.dictionary, err))
        return false;
    if (group->codec == GV_CODEC_RAW)
        memcpy(out, frame.stored.data, (size_t)group->raw_size);
    else if (!gv_codec_decompress_with(x->codec, &frame, out, (size_t)group->raw_size,
                                       &mine))
        return gv_group_damaged(group, x->in_run, mine.message, err);
    struct gv_hash hash = gv_hash_bytes(out, (size_t)group->raw_size);
    return gv_hash_equal(&hash, &group->hash) ||
           gv_group_damaged(group, x->in_run, "its bytes have another hash", err);
}

static bool fetch(struct gv_source *source, struct gv_fetch *items, size_t count,
                  struct gv_error *err)
{
    struct payload_source *s = (struct payload_source *)source;
    const struct expander x = { s->payload, s->codec, &s->dictionaries, true };
    for (size_t i = 0; i < count; i++) {
        const struct gv_group *group =
            items[i].found ? NULL : find_group(s, &items[i].hash, items[i].raw_size);
        if (!group)
            continue;
        if (!expand_group(&x, group, items[i].data, err))
            return false;
        items[i].found = true;
    }
    return true;
}

// Hashed here, since what is borrowed has arrived. Where that fails, fetch reports it.
static const uint8_t *borrow(struct gv_source *source, const struct gv_hash *hash,
                             uint64_t raw_size)
{
    struct payload_source *s = (struct payload_source *)source;
    const struct gv_group *group = find_group(s, hash, raw_size);
    if (!group || group->codec != GV_CODEC_RAW)
        return NULL;
    const uint8_t *bytes = s->payload->file.data + group->file_offset;
    struct gv_hash actual = gv_hash_bytes(bytes, (size_t)raw_size);
    return gv_hash_equal(&actual, hash) ? bytes : NULL;
}

static void destroy(struct gv_source *source)
{
    struct payload_source *s = (struct payload_source *)source;
    gv_codec_destroy(s->codec);
    gv_dictionaries_finish(&s->dictionaries);
    free(s->groups);
    free(s);
}

struct gv_source *gv_payload_open_source(const struct gv_payload *payload,
                                         struct gv_error *err)
{
    struct payload_source *s = calloc(1, sizeof *s);
    size_t count = payload->streamed ? 0 : payload->group_count; // there is no file
    if (s) {
        s->base = (struct gv_source){ .name = "payload",
                                      .fetch = fetch,
                                      .borrow = borrow,
                                      .destroy = destroy,
                                      .storeless = true };
        s->payload = payload;
        s->codec = gv_codec_create();
        // NOLINTNEXTLINE(bugprone-sizeof-expression): pointers are what it holds
        s->groups = calloc(count + 1, sizeof *s->groups);
    }
    if (!s || !s->codec || !s->groups) {
        if (s)
            destroy(&s->base);
        gv_out_of_memory(err);
        return NULL;
    }
    s->count = count;
    for (size_t i = 0; i < count; i++)
        s->groups[i] = &payload->groups[i];
    // NOLINTNEXTLINE(bugprone-sizeof-expression): likewise
    qsort(s->groups, count, sizeof *s->groups, compare_groups);
    return &s->base;
}

// ---- all that travels, and what is read of it ----

static bool fetch_group(const struct gv_group *group, struct gv_source *const *sources,
                        size_t source_count, uint8_t *raw, struct gv_error *err)
{
    struct gv_fetch item = { group->hash, group->raw_size, raw, false };
    for (size_t i = 0; !item.found && i < source_count; i++)
        if (!sources[i]->fetch(sources[i], &item, 1, err))
            return false;
    return item.found ||
           gv_source_fail_absent(&group->hash, sources, source_count, err);
}

static bool is_elsewhere(const struct gv_payload *payload, const struct gv_group *group)
{
    return !group->file_offset || payload->remote;
}

bool gv_payload_hold(const struct gv_payload *payload, uint64_t bytes,
                     struct gv_error *err)
{
    return gv_payload_charge(payload->private, bytes, err);
}

void gv_payload_release(const struct gv_payload *payload, uint64_t bytes)
{
    payload->private->memory_used -= bytes;
}

uint8_t *gv_payload_read_group(const struct gv_payload *payload,
                               const struct gv_group *group,
                               struct gv_source *const *sources, size_t source_count,
                               struct gv_error *err)
{
    if (!gv_payload_hold(payload, group->raw_size, err))
        return NULL;
    const struct expander x = { payload, payload->private->codec,
                                &payload->private->dictionaries, false };
    uint8_t *raw = malloc((size_t)group->raw_size);
    bool ok = raw ? is_elsewhere(payload, group)
                        ? fetch_group(group, sources, source_count, raw, err)
                        : expand_group(&x, group, raw, err)
                  : gv_out_of_memory(err);
    if (ok)
        return raw;
    gv_payload_drop_group(payload, group, raw);
    return NULL;
}

void gv_payload_drop_group(const struct gv_payload *payload,
                           const struct gv_group *group, uint8_t *raw)
{
    free(raw);
    gv_payload_release(payload, group->raw_size);
}

bool gv_payload_verify_deep(const struct gv_payload *payload,
                            struct gv_source *const *sources, size_t source_count,
                            struct gv_error *err)
{
    bool ok = true;
    for (size_t i = 0; ok && i < payload->group_count; i++) {
        uint8_t *raw = gv_payload_read_group(payload, &payload->groups[i], sources,
                                             source_count, err);
        ok = raw != NULL;
        if (ok)
            gv_payload_drop_group(payload, &payload->groups[i], raw);
    }
    return ok;
}

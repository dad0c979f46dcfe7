#include "compiler/agi/agi_capture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_GROUPS 4096u // open at once: a thread has one
#define MOST_POOLS (1u << 22)
#define MOST_THREADS (1u << 20)

enum group_kind { COMMAND, STATE, OTHER };

struct group {
    struct gv_agi_mapped_object head; // by the number of its chunk
    struct group *next_open, *previous_open;
    enum group_kind kind;
    const struct gv_vk_id_info *function;
    struct gv_agi_message message, call, state;
    uint64_t offset;
    bool called, aborted;
    struct gv_agi_observation *observations, **observations_end;
    struct gv_agi_extra *extras, **extras_end;
    struct gv_arena arena;
};

struct pool {
    struct gv_agi_mapped_object head;
    struct gv_agi_memory memory;
};

struct thread {
    struct gv_agi_mapped_object head;
    uint64_t number;
};

struct gv_agi_capture {
    struct gv_arena arena;
    struct gv_agi_pack pack;
    struct gv_agi_header header;
    struct gv_agi_counts counts;
    struct gv_agi_world world;
    uint64_t limit; // bytes

    struct gv_span *resources; // by index - 1; owned
    uint64_t resource_count, resource_capacity;

    uint64_t thread_count;
    struct gv_agi_map groups, pools, threads;
    struct group *open; // those that have not ended
    struct group *done; // the event's
};

struct gv_agi_capture *gv_agi_open(struct gv_cursor bytes,
                                   const struct gv_compile_params *params,
                                   struct gv_error *err)
{
    struct gv_agi_capture *c = calloc(1, sizeof *c);
    if (!c) {
        gv_out_of_memory(err);
        return NULL;
    }
    c->limit = params->memory_limit ? params->memory_limit : GV_COMPILE_MEMORY;
    gv_agi_map_init(&c->groups, &c->arena, sizeof(struct group), MOST_GROUPS);
    gv_agi_map_init(&c->pools, &c->arena, sizeof(struct pool), MOST_POOLS);
    gv_agi_map_init(&c->threads, &c->arena, sizeof(struct thread), MOST_THREADS);
    gv_agi_templates_init(&c->world.templates, &c->arena);
    const bool ok =
        gv_agi_pack_open(&c->pack, bytes, &c->arena, err) &&
        (gv_agi_handles_init(&c->world.handles, &c->arena) || gv_out_of_memory(err));
    c->pack.allow_truncated = params->allow_truncated;
    if (!ok) {
        gv_agi_close(c);
        return NULL;
    }
    return c;
}

void gv_agi_close(struct gv_agi_capture *c)
{
    if (!c)
        return;
    for (struct group *g = c->open; g; g = g->next_open)
        gv_arena_finish(&g->arena);
    if (c->done)
        gv_arena_finish(&c->done->arena);
    for (struct pool *p = NULL; (p = gv_agi_map_next(&c->pools, p)) != NULL;)
        gv_agi_memory_finish(&p->memory);
    gv_agi_memory_finish(&c->world.memory);
    gv_agi_pack_finish(&c->pack);
    free(c->resources);
    gv_arena_finish(&c->arena);
    free(c);
}

const struct gv_agi_header *gv_agi_header(const struct gv_agi_capture *c)
{
    return &c->header;
}

const struct gv_agi_counts *gv_agi_counts(const struct gv_agi_capture *c)
{
    return &c->counts;
}

const struct gv_agi_pack *gv_agi_pack_of(const struct gv_agi_capture *c)
{
    return &c->pack;
}

struct gv_agi_world *gv_agi_world_of(struct gv_agi_capture *c)
{
    return &c->world;
}

uint64_t gv_agi_limit(const struct gv_agi_capture *c)
{
    return c->limit;
}

const struct gv_agi_memory *gv_agi_pool(const struct gv_agi_capture *c, uint32_t pool)
{
    const struct pool *p = gv_agi_map_find(&c->pools, pool);
    return p ? &p->memory : NULL;
}

static bool bad(const struct gv_agi_chunk *chunk, struct gv_error *err,
                const char *format, unsigned long long a, unsigned long long b)
{
    char text[120];
    snprintf(text, sizeof text, format, a, b);
    gv_fail(err, GV_ERR_FORMAT, chunk->offset, "chunk %llu: %s",
            (unsigned long long)chunk->number, text);
    return gv_error_at_command(err, chunk->number);
}

// All that is kept of a capture, against the limit.
static bool fits(const struct gv_agi_capture *c, const struct gv_agi_chunk *chunk,
                 struct gv_error *err)
{
    const uint64_t kept = c->arena.total +
                          c->world.memory.pieces * sizeof(struct gv_agi_piece) +
                          c->resource_capacity * sizeof(struct gv_span);
    return kept <= c->limit ||
           gv_fail(err, GV_ERR_LIMIT, chunk->offset,
                   "chunk %llu: more than %llu bytes are kept of the capture",
                   (unsigned long long)chunk->number, (unsigned long long)c->limit);
}

// ---- objects without a group ----

static uint8_t alignment(const struct gv_agi_message *layout, const char *field)
{
    const struct gv_agi_message m = gv_agi_inner(layout, field);
    const uint64_t align = gv_agi_number(&m, "alignment");
    return align == 4 ? 4 : 8;
}

static void copy_text(char *to, size_t room, struct gv_span from)
{
    const size_t n = from.size < room ? from.size : room - 1;
    if (n)
        memcpy(to, from.data, n);
    to[n] = 0;
}

// The first device of the recorder's drivers.
static void read_device(struct gv_agi_header *h, const struct gv_agi_message *header)
{
    const struct gv_agi_message device = gv_agi_inner(header, "device");
    const struct gv_agi_message all = gv_agi_inner(&device, "configuration");
    const struct gv_agi_message drivers = gv_agi_inner(&all, "drivers");
    const struct gv_agi_message vulkan = gv_agi_inner(&drivers, "vulkan");
    struct gv_agi_values found = gv_agi_repeated(&vulkan, "physical_devices");
    if (!gv_agi_next_value(&found))
        return;
    copy_text(h->device, sizeof h->device, gv_agi_bytes(&found.inner, "device_name"));
    h->device_api = (uint32_t)gv_agi_number(&found.inner, "api_version");
}

static bool read_header(struct gv_agi_capture *c, const struct gv_agi_chunk *chunk,
                        struct gv_error *err)
{
    enum { GAPID = 3, AGI = 4, BIG_ENDIAN_KIND = 1 };
    struct gv_agi_header *h = &c->header;
    const struct gv_agi_message abi = gv_agi_inner(&chunk->message, "ABI");
    const struct gv_agi_message layout = gv_agi_inner(&abi, "memory_layout");
    const struct gv_agi_message pointer = gv_agi_inner(&layout, "pointer");
    const uint64_t size = gv_agi_number(&pointer, "size");
    h->version = gv_agi_number(&chunk->message, "version");
    if (h->version != GAPID && h->version != AGI)
        return gv_fail(err, GV_ERR_UNSUPPORTED, chunk->offset,
                       "unsupported: AGI capture with a header of version %llu",
                       (unsigned long long)h->version);
    if (size != 4 && size != 8)
        return bad(chunk, err, "pointers of %llu bytes", size, 0);
    if (gv_agi_number(&layout, "endian") == BIG_ENDIAN_KIND)
        return gv_fail(err, GV_ERR_UNSUPPORTED, chunk->offset,
                       "unsupported: big-endian AGI capture");
    const struct gv_agi_abi found = { .pointer = (uint8_t)size,
                                      .wide_align = alignment(&layout, "i64"),
                                      .double_align = alignment(&layout, "f64") };
    if (h->known && memcmp(&found, &h->abi, sizeof found) != 0)
        return bad(chunk, err, "another ABI than the first header has", 0, 0);
    read_device(h, &chunk->message);
    if (h->known)
        return true;
    h->known = true;
    h->abi = found;
    copy_text(h->abi_name, sizeof h->abi_name, gv_agi_bytes(&abi, "name"));
    c->world.layout = gv_agi_layout_make(&h->abi, &c->arena);
    return c->world.layout || gv_out_of_memory(err);
}

static bool read_resource(struct gv_agi_capture *c, const struct gv_agi_chunk *chunk,
                          struct gv_error *err)
{
    const uint64_t index = gv_agi_number(&chunk->message, "index");
    if (index != c->resource_count + 1)
        return bad(chunk, err, "resource %llu where %llu is due", index,
                   c->resource_count + 1);
    if (c->resource_count == c->resource_capacity) {
        const uint64_t capacity = c->resource_capacity ? 2 * c->resource_capacity : 256;
        struct gv_span *more = realloc(c->resources, capacity * sizeof *more);
        if (!more)
            return gv_out_of_memory(err);
        c->resources = more;
        c->resource_capacity = capacity;
    }
    c->resources[c->resource_count++] = gv_agi_bytes(&chunk->message, "data");
    c->counts.resources++;
    return true;
}

// ---- groups ----

static bool is_of(const struct gv_agi_message *m, const char *name)
{
    return !strcmp(m->type->name, name);
}

static bool begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

static bool refuse_api(const struct gv_agi_chunk *chunk, struct gv_error *err)
{
    return !begins(chunk->message.type->name, "gles.") ||
           gv_fail(err, GV_ERR_UNSUPPORTED, chunk->offset,
                   "unsupported: OpenGL ES capture of AGI (%s)",
                   chunk->message.type->name);
}

static bool open_group(struct gv_agi_capture *c, const struct gv_agi_chunk *chunk,
                       struct gv_error *err)
{
    if (gv_agi_map_full(&c->groups))
        return gv_fail(err, GV_ERR_LIMIT, chunk->offset,
                       "chunk %llu: more than %u groups are open",
                       (unsigned long long)chunk->number, MOST_GROUPS);
    struct group *g = gv_agi_map_add(&c->groups, chunk->number);
    if (!g)
        return gv_out_of_memory(err);
    g->message = chunk->message;
    g->offset = chunk->offset;
    g->observations_end = &g->observations;
    g->extras_end = &g->extras;
    g->function = gv_agi_function(chunk->message.type->name);
    if (is_of(&chunk->message, "capture.GlobalState"))
        g->kind = STATE;
    else if (g->function)
        g->kind = COMMAND;
    else if (begins(chunk->message.type->name, "vulkan.vk"))
        return gv_fail(err, GV_ERR_UNSUPPORTED, chunk->offset,
                       "unsupported: %s (chunk %llu)", chunk->message.type->name + 7,
                       (unsigned long long)chunk->number);
    else
        g->kind = OTHER;
    g->next_open = c->open;
    if (c->open)
        c->open->previous_open = g;
    c->open = g;
    c->counts.groups++;
    if (g->kind != OTHER && !c->header.known)
        return bad(chunk, err, "comes before the header", 0, 0);
    return true;
}

static bool read_observation(struct gv_agi_capture *c, struct group *g,
                             const struct gv_agi_chunk *chunk, struct gv_error *err)
{
    const struct gv_agi_message *m = &chunk->message;
    struct gv_agi_observation *o = gv_arena_alloc(&g->arena, sizeof *o);
    if (!o)
        return gv_out_of_memory(err);
    o->address = gv_agi_number(m, "base");
    o->size = gv_agi_number(m, "size");
    o->pool = (uint32_t)gv_agi_number(m, "pool");
    o->written = g->called;
    o->offset = chunk->offset;
    const uint64_t index = gv_agi_number(m, "res_index");
    if (o->size) {
        if (index - 1 >= c->resource_count)
            return bad(chunk, err, "observes resource %llu of %llu", index,
                       c->resource_count);
        if (o->size > c->resources[index - 1].size)
            return bad(chunk, err, "observes %llu bytes of %llu of its resource",
                       o->size, c->resources[index - 1].size);
        if (o->address + o->size < o->address)
            return bad(chunk, err, "an observation past the end of the memory", 0, 0);
        o->bytes = c->resources[index - 1].data;
    }
    *g->observations_end = o;
    g->observations_end = &o->next;
    c->counts.observations++;
    c->counts.observed_bytes += o->size;
    return true;
}

static bool is_call_of(const struct group *g, const struct gv_agi_message *m)
{
    const char *name = g->message.type->name;
    const size_t length = strlen(name);
    return is_of(m, "api.CmdCall") || (!strncmp(m->type->name, name, length) &&
                                       !strcmp(m->type->name + length, "Call"));
}

static bool add_to_group(struct gv_agi_capture *c, struct group *g,
                         const struct gv_agi_chunk *chunk, struct gv_error *err)
{
    const struct gv_agi_message *m = &chunk->message;
    if (is_of(m, "memory.Observation"))
        return read_observation(c, g, chunk, err);
    if (g->kind == COMMAND && is_call_of(g, m)) {
        g->call = *m;
        g->called = true;
    } else if (is_of(m, "api.ErrCmdAborted")) {
        g->aborted = true;
    } else if (is_of(m, "vulkan.State")) {
        g->state = *m;
    } else {
        struct gv_agi_extra *extra = gv_arena_alloc(&g->arena, sizeof *extra);
        if (!extra)
            return gv_out_of_memory(err);
        extra->message = *m;
        *g->extras_end = extra;
        g->extras_end = &extra->next;
    }
    return true;
}

static bool read_object(struct gv_agi_capture *c, const struct gv_agi_chunk *chunk,
                        struct gv_error *err)
{
    const struct gv_agi_message *m = &chunk->message;
    c->counts.objects++;
    if (chunk->parent) {
        struct group *g = gv_agi_map_find(&c->groups, chunk->parent);
        return g ? add_to_group(c, g, chunk, err)
                 : bad(chunk, err, "chunk %llu, its parent, is no open group",
                       chunk->parent, 0);
    }
    if (is_of(m, "capture.Header"))
        return read_header(c, chunk, err);
    return !is_of(m, "capture.Resource") || read_resource(c, chunk, err);
}

// ---- events ----

static struct gv_agi_memory *memory_of(struct gv_agi_capture *c, uint32_t number)
{
    if (!number)
        return &c->world.memory;
    struct pool *p = gv_agi_map_find(&c->pools, number);
    p = p ? p : gv_agi_map_add(&c->pools, number);
    return p ? &p->memory : NULL;
}

static bool observe(struct gv_agi_capture *c, const struct group *g,
                    struct gv_error *err)
{
    for (const struct gv_agi_observation *o = g->observations; o; o = o->next) {
        struct gv_agi_memory *m = memory_of(c, o->pool);
        if (!m || !gv_agi_memory_observe(m, o->address, o->bytes, o->size))
            return gv_out_of_memory(err);
    }
    return true;
}

// Threads by the order in which they come: the recorder's numbers are addresses.
static uint64_t thread_of(struct gv_agi_capture *c, const struct group *g)
{
    const uint64_t number = gv_agi_number(&g->message, "thread");
    struct thread *t = gv_agi_map_find(&c->threads, number);
    if (!t && (t = gv_agi_map_add(&c->threads, number)) != NULL)
        t->number = ++c->thread_count;
    return t ? t->number : 1;
}

static void take_group(struct gv_agi_capture *c, struct group *g)
{
    if (g->previous_open)
        g->previous_open->next_open = g->next_open;
    else
        c->open = g->next_open;
    if (g->next_open)
        g->next_open->previous_open = g->previous_open;
    c->done = g;
}

static void drop_group(struct gv_agi_capture *c)
{
    struct group *g = c->done;
    if (!g)
        return;
    gv_arena_finish(&g->arena);
    gv_agi_map_remove(&c->groups, g);
    c->done = NULL;
}

static bool make_event(struct gv_agi_capture *c, struct group *g,
                       const struct gv_agi_chunk *end, struct gv_agi_event *out,
                       struct gv_error *err)
{
    *out = (struct gv_agi_event){ .kind = g->kind == STATE ? GV_AGI_STATE : GV_AGI_CALL,
                                  .observations = g->observations,
                                  .extras = g->extras,
                                  .arena = &g->arena,
                                  .state = g->state };
    out->place = (struct gv_vk_place){ .offset = g->offset, .block = end->number };
    if (!observe(c, g, err) || !fits(c, end, err))
        return false;
    if (g->kind == STATE)
        return true;
    out->place.thread = thread_of(c, g);
    out->command = (struct gv_agi_command){ .function = g->function,
                                            .message = g->message,
                                            .call = g->call,
                                            .place = out->place };
    // One that the program's end or the recorder's cut off has no result.
    out->aborted = g->aborted || !g->called;
    out->call.place = out->place;
    return out->aborted || gv_agi_decode(&c->world, &out->command, &g->arena, c->limit,
                                         &out->call, err);
}

static bool end_group(struct gv_agi_capture *c, const struct gv_agi_chunk *chunk,
                      struct gv_agi_event *out, bool *made, struct gv_error *err)
{
    struct group *g = gv_agi_map_find(&c->groups, chunk->parent);
    if (!g)
        return bad(chunk, err, "chunk %llu, which it ends, is no open group",
                   chunk->parent, 0);
    take_group(c, g);
    *made = g->kind != OTHER;
    return !*made || make_event(c, g, chunk, out, err);
}

static bool at_end(struct gv_agi_capture *c, struct gv_error *err)
{
    struct group *g = c->open;
    if (!g || c->pack.allow_truncated) {
        c->pack.was_cut = c->pack.was_cut || g;
        return c->header.known ||
               gv_fail(err, GV_ERR_FORMAT, c->pack.bytes.pos, "no header");
    }
    while (g->next_open) // the first one that was opened
        g = g->next_open;
    gv_fail(err, GV_ERR_FORMAT, g->offset, "chunk %llu: the file ends in its group",
            (unsigned long long)g->head.named.name);
    return gv_error_at_command(err, g->head.named.name);
}

bool gv_agi_next(struct gv_agi_capture *c, struct gv_agi_event *out, bool *ended,
                 struct gv_error *err)
{
    struct gv_agi_chunk chunk;
    bool made = false;
    while (!made) {
        drop_group(c);
        if (!gv_agi_pack_next(&c->pack, &chunk, ended, err))
            return false;
        if (*ended)
            return at_end(c, err);
        bool ok = true;
        if (chunk.kind == GV_AGI_GROUP_END)
            ok = end_group(c, &chunk, out, &made, err);
        else if (chunk.kind != GV_AGI_DEFINITION)
            ok = refuse_api(&chunk, err) &&
                 (chunk.kind == GV_AGI_OBJECT ? read_object(c, &chunk, err)
                                              : open_group(c, &chunk, err));
        if (!ok)
            return false;
    }
    return true;
}

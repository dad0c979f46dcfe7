#include "tools/diff/diff_record.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/diff/diff_table.h"
#include "tools/replay/null_host.h"
#include "tools/replay/replay_core.h"
#include "tools/watch/watch_host.h"

// More than this many instructions would be waited for.
#define MOST_INSTRUCTIONS (UINT64_C(1) << 32)
#define MOST_VALUES (UINT64_C(1) << 27)

struct recorder {
    struct gv_diff_record *record;
    struct gv_payload *payload;
    struct gv_null_host null;
    struct gv_watch watch;
    struct gv_bytes current;    // uint32_t: set of each key; GV_DIFF_NONE
    struct gv_bytes objects;    // uint32_t by handle: object + 1, or 0
    struct gv_diff_table alike; // objects so far by how they were made
    struct gv_diff_table keys;  // keys by hash of the name: number + 1
    bool failed;                // memory ran out
    uint32_t frame, work;
    uint64_t position; // in the debug map
    struct gv_source_row row;
    bool more;
};

// ---- hashes ----

static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t x = (a ^ (b + UINT64_C(0x9e3779b97f4a7c15) + (a << 6) + (a >> 2))) *
                 UINT64_C(0xff51afd7ed558ccd);
    return x ^ x >> 33;
}

static uint64_t hash_of(const void *data, uint64_t size)
{
    const struct gv_hash hash = gv_hash_bytes(data, (size_t)size);
    uint64_t out;
    memcpy(&out, hash.bytes, sizeof out);
    return mix(out, size);
}

// ---- names of commands ----

static uint32_t name_at(struct recorder *r, uint64_t command)
{
    while (r->more && r->row.command < command)
        r->more = gv_payload_source_next(r->payload, &r->position, &r->row);
    if (!r->more || r->row.command != command || !r->row.name)
        return 0;
    return (uint32_t)hash_of(r->row.name, strlen(r->row.name));
}

// ---- objects ----

static uint32_t object_of(const struct recorder *r, uint64_t handle)
{
    const uint32_t *objects = (const void *)r->objects.data;
    return handle < r->objects.size / sizeof *objects ? objects[handle] : 0;
}

// Those made alike are counted: the second image of a kind is the second in both.
static uint32_t count_alike(struct recorder *r, uint64_t own)
{
    uint32_t *count = gv_diff_table_at(&r->alike, own);
    r->failed = r->failed || !count;
    return count ? (*count)++ : 0;
}

static void add_object(struct recorder *r, uint8_t kind, uint32_t set, uint64_t handle,
                       struct gv_span desc)
{
    struct gv_diff_record *record = r->record;
    const struct gv_diff_call *made = &gv_diff_sets(record)[set];
    struct gv_diff_object o = { .kind = kind,
                                .made = set,
                                .same = made->own,
                                .desc = record->descs.size,
                                .desc_size = desc.size };
    const bool contents = kind == GV_KIND_IMAGE || kind == GV_KIND_BUFFER ||
                          kind == GV_KIND_QUERY || kind == GV_KIND_MAP;
    uint32_t number = (uint32_t)(record->objects.size / sizeof o) + 1, none = 0;
    if (contents)
        o.same = mix(made->own, made->state); // the count of those alike
    if (desc.size)
        gv_bytes_put(&record->descs, desc.data, desc.size);
    gv_bytes_put(&record->objects, &o, sizeof o);
    while (r->objects.size / sizeof none <= handle && !r->objects.failed)
        gv_bytes_put(&r->objects, &none, sizeof none);
    if (!r->objects.failed)
        memcpy(r->objects.data + handle * sizeof number, &number, sizeof number);
}

// ---- values ----

static struct gv_diff_value value_of(const struct recorder *r, uint8_t call, size_t i,
                                     const union gv_arg *args)
{
    const struct gv_arg_info *info = &gv_call_infos[call].args[i];
    struct gv_diff_value v = { args[i].u, args[i].u };
    bool optional;
    if (info->kind == GV_ARG_BYTES) {
        v.raw = v.same = hash_of(args[i].data, args[i + 1].u);
    } else if (gv_arg_object_kind((enum gv_arg_kind)info->kind, &optional)) {
        v.raw = object_of(r, args[i].u);
        v.same = v.raw ? gv_diff_objects(r->record)[v.raw - 1].same : 0;
    }
    return v;
}

static struct gv_diff_call make_call(struct recorder *r, uint8_t call,
                                     const union gv_arg *args)
{
    struct gv_diff_record *record = r->record;
    struct gv_diff_call c = {
        .call = call,
        .name = name_at(r, r->watch.command),
        .frame = r->frame,
        .work = GV_DIFF_NONE,
        .values = (uint32_t)(record->values.size / sizeof(struct gv_diff_value)),
        .command = r->watch.command,
        .own = call,
    };
    for (size_t i = 0; i < gv_call_infos[call].arg_count; i++) {
        const struct gv_diff_value v = value_of(r, call, i, args);
        c.own = mix(c.own, v.same);
        gv_bytes_put(&record->values, &v, sizeof v);
    }
    c.all = c.own;
    return c;
}

// ---- state ----

// The word of a state, and how many of the first arguments are its numbers.
static const struct word {
    uint8_t call;
    const char *word;
    uint8_t numbers;
    bool dotted;
} words[] = {
    { GV_CALL_bind_index_buffer, "ib", 0, false },
    { GV_CALL_bind_vertex_buffer, "vb", 1, false },
    { GV_CALL_bind_uniform_bytes, "uniform", 2, true },
    { GV_CALL_bind_buffer, "buffer", 3, true },
    { GV_CALL_bind_texel_buffer, "texels", 3, true },
    { GV_CALL_bind_texture, "tex", 3, true },
    { GV_CALL_bind_sampler, "sampler", 3, true },
    { GV_CALL_bind_storage_image, "image", 3, true },
    { GV_CALL_set_viewport, "viewport", 1, false },
    { GV_CALL_set_scissor, "scissor", 1, false },
    { GV_CALL_set_blend_constants, "blend_constants", 0, false },
    { GV_CALL_set_depth_bias, "depth_bias", 0, false },
    { GV_CALL_set_line_width, "line_width", 0, false },
    { GV_CALL_set_line_stipple, "line_stipple", 0, false },
    { GV_CALL_set_depth_bounds, "depth_bounds", 0, false },
    { GV_CALL_feedback_bind, "xfb", 1, false },
    { GV_CALL_pass_color, "color", 1, false },
    { GV_CALL_pass_resolve, "resolve", 1, false },
    { GV_CALL_pass_depth_stencil, "depth", 0, false },
    { GV_CALL_pass_begin, "pass", 0, false },
};

static const struct word *find_word(uint8_t call)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i].call == call)
            return &words[i];
    return NULL;
}

static void put_set(struct recorder *r, const char *name, uint32_t set)
{
    struct gv_diff_record *record = r->record;
    struct gv_diff_key key = { "" };
    uint32_t *number = gv_diff_table_at(&r->keys, hash_of(name, strlen(name)));
    r->failed = r->failed || !number || record->keys.failed || r->current.failed;
    if (r->failed)
        return;
    if (*number) {
        memcpy(r->current.data + (*number - 1) * sizeof set, &set, sizeof set);
        return;
    }
    *number = (uint32_t)(record->keys.size / sizeof key) + 1;
    snprintf(key.name, sizeof key.name, "%s", name);
    gv_bytes_put(&record->keys, &key, sizeof key);
    gv_bytes_put(&r->current, &set, sizeof set);
}

static void forget_targets(struct recorder *r)
{
    const struct gv_diff_key *keys = gv_diff_keys(r->record);
    const uint32_t none = GV_DIFF_NONE;
    for (size_t i = 0; i < r->record->keys.size / sizeof *keys; i++)
        if (strncmp(keys[i].name, "color", 5) == 0 ||
            strncmp(keys[i].name, "resolve", 7) == 0 ||
            strcmp(keys[i].name, "depth") == 0 || strcmp(keys[i].name, "pass") == 0)
            memcpy(r->current.data + i * sizeof none, &none, sizeof none);
}

static void set_faces(struct recorder *r, uint8_t call, uint64_t faces, uint32_t set)
{
    const bool masks = call == GV_CALL_set_stencil_masks;
    if (faces & GV_FACE_FRONT)
        put_set(r, masks ? "stencil_masks.front" : "stencil_reference.front", set);
    if (faces & GV_FACE_BACK)
        put_set(r, masks ? "stencil_masks.back" : "stencil_reference.back", set);
}

static void set_pipeline(struct recorder *r, uint64_t handle, uint32_t set)
{
    const uint32_t object = object_of(r, handle);
    const uint32_t made =
        object ? gv_diff_objects(r->record)[object - 1].made : GV_DIFF_NONE;
    const bool compute = made != GV_DIFF_NONE && gv_diff_sets(r->record)[made].call ==
                                                     GV_CALL_pipeline_create_compute;
    put_set(r, compute ? "compute_pipeline" : "pipeline", set);
}

static void note_state(struct recorder *r, uint8_t call, const union gv_arg *args,
                       uint32_t set)
{
    const struct word *w = find_word(call);
    char name[GV_DIFF_KEY];
    int length;
    if (call == GV_CALL_bind_pipeline) {
        set_pipeline(r, args[0].u, set);
        return;
    }
    if (call == GV_CALL_set_stencil_masks || call == GV_CALL_set_stencil_reference) {
        set_faces(r, call, args[0].u, set);
        return;
    }
    if (!w)
        return;
    length = snprintf(name, sizeof name, "%s", w->word);
    for (size_t i = 0; i < w->numbers; i++)
        length += snprintf(name + length, sizeof name - (size_t)length, "%s%" PRIu32,
                           w->dotted ? "." : "", (uint32_t)args[i].u);
    put_set(r, name, set);
}

// ---- calls ----

static bool is_state(uint8_t call)
{
    const uint32_t sets = gv_call_infos[call].sets;
    return (sets & GV_STATE_ALL_DRAW &
                ~(uint32_t)(GV_STATE_QUERY | GV_STATE_CONDITION) &&
            call != GV_CALL_pass_end && call != GV_CALL_feedback_begin &&
            call != GV_CALL_feedback_end) ||
           call == GV_CALL_show;
}

static bool gives_up(uint8_t call)
{
    const struct gv_call_info *info = &gv_call_infos[call];
    return info->arg_count && info->args[0].role == GV_ROLE_DESTROY &&
           info->args[0].kind != GV_ARG_MAP;
}

static uint32_t add_set(struct recorder *r, const struct gv_diff_call *c)
{
    gv_bytes_put(&r->record->sets, c, sizeof *c);
    return (uint32_t)(r->record->sets.size / sizeof *c) - 1;
}

static void add_work(struct recorder *r, struct gv_diff_call *c)
{
    struct gv_diff_record *record = r->record;
    const uint32_t *current = (const void *)r->current.data;
    c->work = r->work++;
    c->state = (uint32_t)(record->states.size / sizeof *current);
    c->state_count = (uint32_t)(r->current.size / sizeof *current);
    for (size_t i = 0; i < c->state_count; i++) {
        const uint64_t name =
            hash_of(gv_diff_keys(record)[i].name, strlen(gv_diff_keys(record)[i].name));
        if (current[i] != GV_DIFF_NONE) // in whatever order keys were first set
            c->all += mix(name, gv_diff_sets(record)[current[i]].own);
    }
    gv_bytes_put(&record->states, current, r->current.size);
}

static void end_frame(struct recorder *r)
{
    const uint32_t at = (uint32_t)(r->record->calls.size / sizeof(struct gv_diff_call));
    gv_bytes_put(&r->record->frames, &at, sizeof at);
    r->frame++;
    r->work = 0;
}

static void note_made(struct recorder *r, uint8_t call, const union gv_arg *args,
                      uint64_t handle)
{
    struct gv_diff_call c = make_call(r, call, args);
    const struct gv_call_info *info = &gv_call_infos[call];
    struct gv_span desc = { NULL, 0 };
    if (info->args[0].kind == GV_ARG_BYTES)
        desc = (struct gv_span){ args[0].data, (size_t)args[1].u };
    else
        c.state = count_alike(r, c.own);
    const uint32_t set = add_set(r, &c);
    add_object(r, info->result, set, handle, desc);
}

static void note(struct recorder *r, uint8_t call, const union gv_arg *args,
                 uint64_t result)
{
    if (call == GV_CALL_frame_end) {
        end_frame(r);
    } else if (gv_call_infos[call].result) {
        note_made(r, call, args, result);
    } else if (is_state(call)) {
        const struct gv_diff_call c = make_call(r, call, args);
        note_state(r, call, args, add_set(r, &c));
    } else if (call == GV_CALL_pass_end) {
        forget_targets(r);
    } else if (!gives_up(call)) {
        struct gv_diff_call c = make_call(r, call, args);
        if (gv_call_infos[call].sets & GV_STATE_WORK)
            add_work(r, &c);
        gv_bytes_put(&r->record->calls, &c, sizeof c);
    }
}

static bool watch(void *context, uint8_t call, const union gv_arg *args,
                  uint64_t *result, struct gv_error *err)
{
    struct recorder *r = context;
    struct gv_diff_record *record = r->record;
    if (!gv_watch_pass(&r->watch, call, args, result, err))
        return false;
    note(r, call, args, result ? *result : 0);
    if (record->values.size / sizeof(struct gv_diff_value) > MOST_VALUES ||
        record->states.size / sizeof(uint32_t) > MOST_VALUES)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "too many calls to compare");
    return !(record->calls.failed || record->sets.failed || record->values.failed ||
             record->states.failed || record->keys.failed || record->objects.failed ||
             record->descs.failed || record->frames.failed || r->current.failed ||
             r->objects.failed || r->failed) ||
           gv_out_of_memory(err);
}

static bool run(struct recorder *r, uint64_t memory_limit, struct gv_error *err)
{
    struct gv_replay replay = { 0 };
    enum gv_stop stop = GV_STOP_FRAME;
    const uint64_t limit = memory_limit ? memory_limit : UINT64_MAX;
    const uint32_t first = 0;
    gv_null_host_init(&r->null, limit);
    gv_watch_init(&r->watch, &r->null.host, watch, r);
    r->more = gv_payload_source_next(r->payload, &r->position, &r->row);
    gv_bytes_put(&r->record->frames, &first, sizeof first);
    const struct gv_vm_params machine = { .host = &r->watch.host, .once = true };
    gv_replay_open_without_device(&replay, r->payload, memory_limit);
    bool ok = gv_replay_open_machine(&replay, &machine, err);
    while (ok && stop != GV_STOP_END)
        ok = gv_replay_run(&replay, &stop, err);
    gv_replay_close(&replay);
    end_frame(r); // what is behind the last one
    gv_null_host_finish(&r->null);
    return ok;
}

bool gv_diff_record_make(struct gv_diff_record *record, struct gv_payload *payload,
                         uint64_t memory_limit, struct gv_error *err)
{
    if (payload->limits.instructions > MOST_INSTRUCTIONS)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                       "the code runs over 2^32 instructions");
    struct recorder *r = calloc(1, sizeof *r);
    if (!r)
        return gv_out_of_memory(err);
    r->record = record;
    r->payload = payload;
    const bool ok = run(r, memory_limit, err);
    gv_bytes_finish(&r->current);
    gv_bytes_finish(&r->objects);
    gv_diff_table_finish(&r->alike);
    gv_diff_table_finish(&r->keys);
    free(r);
    return ok;
}

void gv_diff_record_finish(struct gv_diff_record *record)
{
    gv_bytes_finish(&record->calls);
    gv_bytes_finish(&record->sets);
    gv_bytes_finish(&record->values);
    gv_bytes_finish(&record->states);
    gv_bytes_finish(&record->keys);
    gv_bytes_finish(&record->objects);
    gv_bytes_finish(&record->descs);
    gv_bytes_finish(&record->pictures);
    gv_bytes_finish(&record->frames);
}

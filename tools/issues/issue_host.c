#include "tools/issues/issue_host.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/issues/issue_objects.h"
#include "tools/watch/probes.h"
#include "vm/payload/payload.h"

#define PASS_PROBES 8192u // draws of a pass that are counted
#define MESSAGE_KEY 96    // characters that tell one message from another

// What is bound for shaders as an element of a binding.
struct bound {
    uint64_t handle; // 0: nothing
    uint32_t mips;   // bits
};

// A draw whose samples the device counts.
struct counted {
    uint64_t frame, command;
    uint32_t work;
    uint8_t call;
};

struct gv_issue_host {
    struct gv_watch watch;
    const struct gv_payload *payload;
    struct gv_issues *issues;
    struct gv_issue_objects objects;
    struct gv_probes probes;
    struct gv_bytes counted; // struct counted each
    // Of each set and binding: struct bound each, by element.
    struct gv_bytes bound[GV_MAX_SETS * GV_MAX_BINDING_NUMBER];
    struct gv_bytes messages; // uint64_t each: hashes of those that were told
    uint64_t vertex[32], index, graphics, compute;
    uint64_t frame, command;
    uint32_t works;
    uint8_t call; // under way; 0: none
    bool empty_scissor, feedback;
    bool inside;                  // of a pass
    unsigned queries, conditions; // under way
};

// ---- telling ----

static void place_work(const struct gv_issue_host *h, struct gv_issue *issue)
{
    snprintf(issue->place, sizeof issue->place, "f%" PRIu64 ".d%" PRIu32, h->frame,
             h->works);
}

static struct gv_issue issue_of(const struct gv_issue_host *h,
                                enum gv_issue_severity severity, const char *code)
{
    return (struct gv_issue){ .severity = severity,
                              .code = code,
                              .command = h->watch.command,
                              .offset = GV_NO_OFFSET };
}

void gv_issue_host_message(struct gv_issue_host *h, const char *text)
{
    const size_t length = strlen(text) < MESSAGE_KEY ? strlen(text) : MESSAGE_KEY;
    const uint64_t key = gv_hash_xxh64(text, length);
    for (size_t i = 0; i < h->messages.size; i += sizeof key)
        if (memcmp(h->messages.data + i, &key, sizeof key) == 0)
            return;
    gv_bytes_put(&h->messages, &key, sizeof key);
    struct gv_issue one = issue_of(h, GV_ISSUE_ERROR, "validation");
    if (!h->call)
        one.command = GV_NO_COMMAND;
    snprintf(one.text, sizeof one.text, "%s: %s",
             h->call ? gv_call_infos[h->call].name : "device", text);
    gv_issues_add(h->issues, h->payload, &one);
}

// ---- reads ----

static void read_object(struct gv_issue_host *h, uint64_t handle, uint32_t mips,
                        const char *how)
{
    struct gv_issue_object *o = gv_issue_objects_find(&h->objects, handle);
    if (!o || o->told || (o->kind != GV_KIND_BUFFER && o->kind != GV_KIND_IMAGE) ||
        o->written & mips)
        return;
    o->told = true;
    struct gv_issue one = issue_of(h, GV_ISSUE_WARNING, "read-unwritten");
    if (gv_call_infos[h->call].sets & GV_STATE_WORK)
        place_work(h, &one);
    snprintf(one.text, sizeof one.text, "%s reads %s of which nothing was written (%s)",
             gv_call_infos[h->call].name,
             o->kind == GV_KIND_IMAGE ? "an image" : "a buffer", how);
    gv_issues_add(h->issues, h->payload, &one);
}

// What the roles of its row say that a call reads.
static void read_roles(struct gv_issue_host *h, uint8_t call, const union gv_arg *args)
{
    const struct gv_call_info *info = &gv_call_infos[call];
    if (call == GV_CALL_post_buffer || call == GV_CALL_post_image)
        return; // exports show memory as it is, such as an empty VRAM
    for (unsigned i = 0; i < info->arg_count; i++)
        if (info->args[i].role == GV_ROLE_READ)
            read_object(h, args[i].u, gv_issue_mips(call, args, i), info->args[i].name);
}

static void mark_written(struct gv_issue_host *h, uint64_t handle, uint32_t mips)
{
    struct gv_issue_object *o = gv_issue_objects_find(&h->objects, handle);
    if (o)
        gv_issue_written(o, mips);
}

static bool bind(struct gv_issue_host *h, uint8_t call, const union gv_arg *args)
{
    const uint64_t set = args[0].u, binding = args[1].u, element = args[2].u;
    const struct bound what = { args[3].u, gv_issue_mips(call, args, 3) };
    const struct bound none = { 0 };
    if (set >= GV_MAX_SETS || binding >= GV_MAX_BINDING_NUMBER ||
        element >= GV_MAX_BINDING_ELEMENTS)
        return true; // no pipeline has it
    struct gv_bytes *all = &h->bound[set * GV_MAX_BINDING_NUMBER + binding];
    while (all->size <= element * sizeof none && !all->failed)
        gv_bytes_put(all, &none, sizeof none);
    if (all->failed)
        return false;
    memcpy(all->data + element * sizeof what, &what, sizeof what);
    return true;
}

static bool is_storage(uint32_t type)
{
    return type == GV_BINDING_STORAGE_IMAGE ||
           type == GV_BINDING_STORAGE_TEXEL_BUFFER || type == GV_BINDING_STORAGE_BUFFER;
}

// What shaders of the pipeline may read or write of what is bound.
static void use_bindings(struct gv_issue_host *h, const struct gv_issue_pipeline *p)
{
    for (uint32_t i = 0; i < p->binding_count; i++) {
        const struct gv_binding_desc *b = &p->bindings[i];
        char how[48];
        if (b->set >= GV_MAX_SETS || b->binding >= GV_MAX_BINDING_NUMBER)
            continue;
        const struct gv_bytes *all =
            &h->bound[b->set * GV_MAX_BINDING_NUMBER + b->binding];
        const struct bound *what = (const void *)all->data;
        snprintf(how, sizeof how, "set %" PRIu32 " binding %" PRIu32, b->set,
                 b->binding);
        for (size_t e = 0; e < b->count && e < all->size / sizeof *what; e++) {
            if (!what[e].handle)
                continue;
            if (is_storage(b->type))
                mark_written(h, what[e].handle, what[e].mips);
            else
                read_object(h, what[e].handle, what[e].mips, how);
        }
    }
}

static bool is_indexed(uint8_t call)
{
    return call == GV_CALL_draw_indexed || call == GV_CALL_draw_indexed_indirect;
}

static void use_vertices(struct gv_issue_host *h, const struct gv_issue_pipeline *p)
{
    for (uint32_t i = 0; i < 32; i++)
        if (p->vertices >> i & 1)
            read_object(h, h->vertex[i], 1, "vertices");
    if (is_indexed(h->call))
        read_object(h, h->index, 1, "indices");
}

// ---- draws without effect ----

// Why nothing can come of it; NULL: something may.
static const char *why_idle(const struct gv_issue_host *h,
                            const struct gv_issue_pipeline *p, const union gv_arg *args)
{
    if (h->call == GV_CALL_dispatch)
        return args[0].u && args[1].u && args[2].u ? NULL : "no workgroups";
    if ((h->call == GV_CALL_draw || h->call == GV_CALL_draw_indexed) && !args[0].u)
        return "no vertices";
    if ((h->call == GV_CALL_draw || h->call == GV_CALL_draw_indexed) && !args[1].u)
        return "no instances";
    if (!p || !p->graphics || p->stores || h->feedback || h->queries)
        return NULL;
    if (p->discards)
        return "rasterisation is off, and nothing captures vertices";
    if (!p->writes)
        return "no target may be written";
    return h->empty_scissor ? "the scissor is empty" : NULL;
}

static void tell_idle(struct gv_issue_host *h, const char *why)
{
    struct gv_issue one = issue_of(h, GV_ISSUE_NOTE, "no-effect");
    place_work(h, &one);
    snprintf(one.text, sizeof one.text, "%s has no effect: %s",
             gv_call_infos[h->call].name, why);
    gv_issues_add(h->issues, h->payload, &one);
}

static bool can_count(const struct gv_issue_host *h, const struct gv_issue_pipeline *p)
{
    return p && p->graphics && !p->stores && !h->feedback && !h->queries &&
           !h->conditions && h->probes.query && h->probes.used < GV_PROBES_SLOTS;
}

static bool do_work(struct gv_issue_host *h, uint8_t call, const union gv_arg *args,
                    uint64_t *result, struct gv_error *err)
{
    const bool compute = call == GV_CALL_dispatch || call == GV_CALL_dispatch_indirect;
    const struct gv_issue_object *o =
        gv_issue_objects_find(&h->objects, compute ? h->compute : h->graphics);
    const struct gv_issue_pipeline *p = o ? o->pipeline : NULL;
    const char *why = why_idle(h, p, args);
    const bool counts = !compute && !why && can_count(h, p);
    if (p && !why) {
        use_bindings(h, p);
        use_vertices(h, p);
        read_roles(h, call, args);
    }
    if (why)
        tell_idle(h, why);
    if (counts) {
        const struct counted one = { h->frame, h->watch.command, h->works, call };
        gv_bytes_put(&h->counted, &one, sizeof one);
    }
    const bool ok = (!counts || gv_probes_begin(&h->probes, err)) &&
                    gv_watch_pass(&h->watch, call, args, result, err) &&
                    (!counts || gv_probes_end(&h->probes, err));
    h->works++;
    return ok;
}

// ---- other calls ----

// False: no memory.
static bool follow_state(struct gv_issue_host *h, uint8_t call,
                         const union gv_arg *args)
{
    switch (call) {
    case GV_CALL_bind_pipeline: {
        const struct gv_issue_object *o = gv_issue_objects_find(&h->objects, args[0].u);
        if (o && o->pipeline && o->pipeline->graphics)
            h->graphics = args[0].u;
        else
            h->compute = args[0].u;
        break;
    }
    case GV_CALL_bind_vertex_buffer:
        h->vertex[args[0].u & 31] = args[1].u;
        break;
    case GV_CALL_bind_index_buffer:
        h->index = args[0].u;
        break;
    case GV_CALL_bind_buffer:
    case GV_CALL_bind_texel_buffer:
    case GV_CALL_bind_texture:
    case GV_CALL_bind_storage_image:
        return bind(h, call, args);
    case GV_CALL_feedback_bind:
        mark_written(h, args[1].u, UINT32_MAX);
        break;
    case GV_CALL_set_scissor:
        if (args[0].u == 0)
            h->empty_scissor = !args[3].u || !args[4].u;
        break;
    default:
        break;
    }
    return true;
}

static void follow_spans(struct gv_issue_host *h, uint8_t call)
{
    h->inside = call == GV_CALL_pass_begin || (h->inside && call != GV_CALL_pass_end);
    h->feedback =
        call == GV_CALL_feedback_begin || (h->feedback && call != GV_CALL_feedback_end);
    h->queries += call == GV_CALL_query_begin;
    h->queries -= call == GV_CALL_query_end && h->queries;
    h->conditions += call == GV_CALL_condition_begin;
    h->conditions -= call == GV_CALL_condition_end && h->conditions;
    if (call == GV_CALL_frame_end) {
        h->frame++;
        h->works = 0;
    }
}

static bool is_upload(uint8_t call)
{
    return call == GV_CALL_buffer_upload || call == GV_CALL_buffer_upload_rows ||
           call == GV_CALL_image_upload;
}

static void note_upload(struct gv_issue_host *h, uint8_t call, const union gv_arg *args)
{
    struct gv_issue_object *o = gv_issue_objects_find(&h->objects, args[0].u);
    if (!o)
        return;
    if (gv_issue_upload(o, call, args)) {
        struct gv_issue one = issue_of(h, GV_ISSUE_NOTE, "upload-again");
        snprintf(one.text, sizeof one.text, "%s of bytes that %s holds already",
                 gv_call_infos[call].name,
                 o->kind == GV_KIND_IMAGE ? "the image" : "the buffer");
        gv_issues_add(h->issues, h->payload, &one);
    }
    o->written |= gv_issue_mips(call, args, 0);
}

// What the roles of its row say that a call writes or gives up.
static void follow_roles(struct gv_issue_host *h, uint8_t call,
                         const union gv_arg *args)
{
    const struct gv_call_info *info = &gv_call_infos[call];
    for (unsigned i = 0; i < info->arg_count; i++) {
        const uint8_t role = info->args[i].role;
        if (role == GV_ROLE_WRITE || role == GV_ROLE_UPDATE || role == GV_ROLE_TARGET)
            mark_written(h, args[i].u, gv_issue_mips(call, args, i));
        else if (role == GV_ROLE_DESTROY)
            gv_issue_objects_destroy(&h->objects, args[i].u);
    }
}

static bool watched(void *context, uint8_t call, const union gv_arg *args,
                    uint64_t *result, struct gv_error *err)
{
    struct gv_issue_host *h = context;
    h->call = call;
    if (call == GV_CALL_pass_begin && !gv_probes_reserve(&h->probes, PASS_PROBES, err))
        return false;
    if (gv_call_infos[call].sets & GV_STATE_WORK)
        return do_work(h, call, args, result, err);
    if (!gv_watch_pass(&h->watch, call, args, result, err))
        return false;
    if (gv_call_infos[call].result &&
        !gv_issue_objects_make(&h->objects, call, args, *result))
        return gv_out_of_memory(err);
    if (is_upload(call))
        note_upload(h, call, args);
    read_roles(h, call, args);
    if (!is_upload(call))
        follow_roles(h, call, args);
    follow_spans(h, call);
    return follow_state(h, call, args) || gv_out_of_memory(err);
}

// ---- life ----

struct gv_issue_host *gv_issue_host_create(struct gv_runtime *runtime,
                                           const struct gv_payload *payload,
                                           struct gv_issues *issues,
                                           struct gv_error *err)
{
    struct gv_issue_host *h = calloc(1, sizeof *h);
    if (!h) {
        gv_out_of_memory(err);
        return NULL;
    }
    h->payload = payload;
    h->issues = issues;
    h->probes = (struct gv_probes){ .watch = &h->watch,
                                    .runtime = runtime,
                                    .type = GV_QUERY_TYPE_OCCLUSION };
    gv_watch_init(&h->watch, gv_runtime_host(runtime), watched, h);
    return h;
}

void gv_issue_host_destroy(struct gv_issue_host *h)
{
    if (!h)
        return;
    gv_issue_objects_finish(&h->objects);
    gv_probes_finish(&h->probes);
    gv_bytes_finish(&h->counted);
    for (size_t i = 0; i < sizeof h->bound / sizeof *h->bound; i++)
        gv_bytes_finish(&h->bound[i]);
    gv_bytes_finish(&h->messages);
    free(h);
}

const struct gv_host *gv_issue_host_calls(const struct gv_issue_host *h)
{
    return &h->watch.host;
}

bool gv_issue_host_end(struct gv_issue_host *h, struct gv_error *err)
{
    // A run that ended within a pass cannot copy what was counted since the last one.
    if (!h->inside && !gv_probes_read(&h->probes, err))
        return false;
    const struct counted *all = (const void *)h->counted.data;
    const size_t read = h->probes.results.size / sizeof(uint64_t);
    for (size_t i = 0; i < h->counted.size / sizeof *all && i < read; i++) {
        uint64_t samples = 0;
        memcpy(&samples, h->probes.results.data + i * sizeof samples, sizeof samples);
        h->frame = all[i].frame;
        h->works = all[i].work;
        h->call = all[i].call;
        h->watch.command = all[i].command;
        if (!samples)
            tell_idle(h, "no sample passes the tests");
    }
    return !h->issues->items.failed || gv_out_of_memory(err);
}

// `gpuvm store gc` and `pack`: what payloads need, kept or gathered in one file.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/output_file.h"
#include "tools/store/place.h"
#include "tools/store/store_verbs.h"
#include "tools/store/stores.h"

// ---- what payloads need ----

// One object, and what the payload has for its dictionary.
struct need {
    struct gv_hash id; // first: it is searched for
    struct gv_hash dictionary;
    bool has_dictionary;
    int level; // of the payload
};

// In the order in which the payloads use them; `sorted` once it is asked for.
struct needed {
    struct need *items; // owned
    size_t count, capacity;
};

static bool add_need(struct needed *n, const struct gv_payload *payload,
                     const struct gv_group *group, struct gv_error *err)
{
    const struct gv_hash *dictionary = gv_store_dictionary_of(payload, group);
    if (n->count == n->capacity) {
        size_t capacity = n->capacity ? 2 * n->capacity : 256;
        void *grown = realloc(n->items, capacity * sizeof *n->items);
        if (!grown)
            return gv_out_of_memory(err);
        n->items = grown;
        n->capacity = capacity;
    }
    struct need *need = &n->items[n->count++];
    *need = (struct need){ .id = group->hash, .level = payload->level };
    need->has_dictionary = dictionary != NULL;
    if (dictionary)
        need->dictionary = *dictionary;
    return true;
}

static bool read_needed(struct gv_store_job *job, const char *const *files,
                        size_t count, struct needed *n, struct gv_error *err)
{
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        struct gv_store_payload p;
        ok = gv_store_open_payload(&p, job, files[i], err);
        for (size_t k = 0; ok && k < p.payload.group_count; k++)
            ok = add_need(n, &p.payload, &p.payload.groups[k], err);
        gv_store_close_payload(&p);
    }
    return ok;
}

// Ids, or what begins with one.
static int compare_ids(const void *a, const void *b)
{
    return gv_hash_compare(a, b);
}

static bool is_needed(void *context, const struct gv_hash *hash)
{
    const struct needed *n = context;
    return n->count && bsearch(hash, n->items, n->count, sizeof *n->items, compare_ids);
}

// ---- a new pack in the place of another ----

struct packing {
    struct gv_store_job *job;
    struct gv_place *from, *to;
    const struct needed *needed; // sorted; NULL: everything
    struct gv_collected *out;    // may be NULL
};

static bool pack_object(struct packing *p, const struct need *need,
                        struct gv_error *err)
{
    struct gv_pack_object object = {
        .hash = need->id,
        .dictionary = need->has_dictionary ? &need->dictionary : NULL,
        .level = need->level,
    };
    if (gv_packfile_find(p->to->pack, &need->id))
        return true; // a group that several payloads have
    if (!gv_place_copy(p->to, p->from, &object, err))
        return false;
    p->job->objects++;
    p->job->bytes += object.raw.size;
    return true;
}

static bool is_wanted(const struct packing *p, const struct gv_hash *hash)
{
    return !p->needed || is_needed((void *)(uintptr_t)p->needed, hash);
}

// The dictionary of an object first, if it is to be in the new pack, too.
static bool pack_dictionary(struct packing *p, const struct gv_hash *hash,
                            struct gv_error *err)
{
    const struct gv_pack_row *row =
        p->from->pack ? gv_packfile_find(p->from->pack, hash) : NULL;
    const struct gv_hash *id = row ? gv_packfile_needs(p->from->pack, row) : NULL;
    if (!id || !is_wanted(p, id) || !gv_packfile_find(p->from->pack, id))
        return true;
    const struct need need = { .id = *id, .level = GV_CODEC_DEFAULT_LEVEL };
    return pack_object(p, &need, err);
}

static bool pack_stored(void *context, const struct gv_stored *object,
                        struct gv_error *err)
{
    struct packing *p = context;
    const struct need need = { .id = object->hash, .level = GV_CODEC_DEFAULT_LEVEL };
    bool wanted = is_wanted(p, &object->hash);
    if (object->leftover)
        return true;
    if (p->out && !wanted) {
        p->out->objects++;
        p->out->bytes += object->stored;
    }
    return !wanted ||
           (pack_dictionary(p, &object->hash, err) && pack_object(p, &need, err)) ||
           gv_place_vanished(err);
}

// What is to be in the new pack, in this order.
typedef bool (*pack_fill)(struct packing *p, const void *context, struct gv_error *err);

static bool fill_walk(struct packing *p, const void *context, struct gv_error *err)
{
    (void)context;
    return gv_place_walk(p->from, pack_stored, p, err);
}

static bool fill_in_order(struct packing *p, const void *context, struct gv_error *err)
{
    const struct needed *order = context;
    bool ok = true;
    for (size_t i = 0; ok && i < order->count; i++)
        ok = pack_object(p, &order->items[i], err) || gv_place_missing(err);
    return ok;
}

// Writes a new pack to `path`, which is one file or the other at any time.
static bool write_pack(struct packing *p, const char *path, pack_fill fill,
                       const void *context, struct gv_error *err)
{
    struct gv_output_file out = { 0 };
    struct gv_place to = { 0 };
    p->to = &to;
    bool ok = gv_output_file_init(&out, path, err) && gv_output_file_open(&out, err);
    if (ok && !out.temporary)
        ok = gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET,
                     "%s is no regular file, as a pack has to be", path);
    if (ok)
        ok = (to.codec = gv_codec_create()) || gv_out_of_memory(err);
    ok = ok && (to.pack = gv_packfile_append(out.temporary, err)) &&
         fill(p, context, err) && gv_place_close(&to, err) &&
         gv_output_file_close(&out, err) && gv_output_file_keep(&out, err);
    p->to = NULL;
    gv_place_finish(&to);
    gv_output_file_finish(&out);
    return ok;
}

// ---- gc ----

static void print_collected(struct gv_store_job *job, const struct gv_collected *c)
{
    const char *done = job->options.dry_run ? "would go" : "removed";
    if (!job->options.json) {
        printf("%" PRIu64 " object%s and %" PRIu64 " left over %s, %" PRIu64
               " bytes; %" PRIu64 " kept\n",
               c->objects, gv_plural(c->objects), c->leftovers, done, c->bytes,
               c->kept);
        return;
    }
    gv_json_number(&job->json, "removed", c->objects);
    gv_json_number(&job->json, "left_over", c->leftovers);
    gv_json_number(&job->json, "bytes", c->bytes);
    gv_json_number(&job->json, "kept", c->kept);
}

static bool count_stored(void *context, const struct gv_stored *object,
                         struct gv_error *err)
{
    struct packing *p = context;
    (void)err;
    if (is_needed((void *)(uintptr_t)p->needed, &object->hash)) {
        p->job->objects++;
    } else {
        p->out->objects++;
        p->out->bytes += object->stored;
    }
    return true;
}

// A pack is written anew without what nobody needs; who waits to add to it meanwhile
// goes on with the new one.
static bool collect_pack(struct gv_store_job *job, const struct needed *needed,
                         struct gv_collected *out, struct gv_error *err)
{
    struct gv_place from = { 0 };
    struct packing p = { .job = job, .from = &from, .needed = needed, .out = out };
    bool ok = gv_place_open(&from, job->store, !job->options.dry_run, err);
    if (ok && job->options.dry_run)
        ok = gv_place_walk(&from, count_stored, &p, err);
    else if (ok)
        ok = write_pack(&p, gv_packfile_path(from.pack), fill_walk, NULL, err);
    out->kept = job->objects;
    gv_place_finish(&from);
    return ok;
}

static bool collect_folder(struct gv_store_job *job, struct needed *needed,
                           struct gv_collected *out, struct gv_error *err)
{
    struct gv_place place = { 0 };
    const struct gv_collect_params params = {
        .keeps = is_needed,
        .context = needed,
        .age_s = job->options.age,
        .dry = job->options.dry_run,
    };
    bool ok = gv_place_open(&place, job->store, false, err) &&
              gv_store_collect(place.folder, &params, out, err);
    gv_place_finish(&place);
    return ok;
}

// Whether the store is there, and which kind it is: gc makes none.
static bool look(struct gv_store_job *job, bool *pack, struct gv_error *err)
{
    struct gv_place place = { 0 };
    bool ok = gv_place_open(&place, job->store, false, err);
    *pack = place.pack != NULL;
    gv_place_finish(&place);
    return ok;
}

bool gv_store_collect_files(struct gv_store_job *job, struct gv_error *err)
{
    struct needed needed = { 0 };
    struct gv_collected out = { 0 };
    bool pack = false;
    job->subject = job->store;
    bool ok = look(job, &pack, err) &&
              read_needed(job, job->files, job->file_count, &needed, err);
    if (ok) {
        job->subject = job->store;
        if (needed.count)
            qsort(needed.items, needed.count, sizeof *needed.items, compare_ids);
        ok = pack ? collect_pack(job, &needed, &out, err)
                  : collect_folder(job, &needed, &out, err);
    }
    if (ok)
        print_collected(job, &out);
    free(needed.items);
    return ok;
}

// ---- pack ----

static void print_packed(struct gv_store_job *job)
{
    if (!job->options.json) {
        printf("%" PRIu64 " object%s, %" PRIu64 " bytes\n", job->objects,
               gv_plural(job->objects), job->bytes);
        return;
    }
    gv_json_number(&job->json, "objects", job->objects);
    gv_json_number(&job->json, "bytes", job->bytes);
}

static bool guard_pack(const struct gv_store_job *job, const char *path,
                       struct gv_error *err)
{
    struct gv_input_guard inputs = { 0 };
    gv_guard_store(&inputs, job->store);
    for (size_t i = 1; i < job->file_count; i++)
        gv_guard_input(&inputs, job->files[i]);
    bool ok = gv_guard_output(&inputs, path, err);
    gv_guard_finish(&inputs);
    return ok;
}

// Waits for who adds to a pack that is to be replaced, and keeps others waiting. Only a
// pack or an empty file is replaced: the name of a payload stands there easily.
static bool hold(const char *path, struct gv_packfile **held, struct gv_error *err)
{
    struct stat st;
    struct gv_error why = GV_ERROR_INIT;
    *held = NULL;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || !st.st_size)
        return true;
    *held = gv_packfile_append(path, &why);
    return (why.status != GV_ERR_FORMAT && why.status != GV_ERR_UNSUPPORTED) ||
           gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "not written: %.64s: %s", path,
                   why.message);
}

bool gv_store_pack(struct gv_store_job *job, struct gv_error *err)
{
    const char *path = job->files[0];
    struct gv_place from = { 0 };
    struct needed order = { 0 };
    struct packing p = { .job = job, .from = &from };
    job->subject = job->store;
    bool ok = gv_place_open(&from, job->store, false, err) &&
              guard_pack(job, path, err) &&
              read_needed(job, job->files + 1, job->file_count - 1, &order, err);
    struct gv_packfile *held = NULL;
    if (ok)
        job->subject = job->store;
    ok = ok && hold(path, &held, err);
    if (ok) {
        job->phase = GV_PHASE_LOAD;
        ok = write_pack(&p, path, job->file_count > 1 ? fill_in_order : fill_walk,
                        &order, err);
    }
    gv_packfile_destroy(held);
    if (ok)
        print_packed(job);
    free(order.items);
    gv_place_finish(&from);
    return ok;
}

// `gpuvm store add`: resources of payloads, objects of other stores, files as they are.
#include <string.h>

#include "resources/base/path_kind.h"
#include "tools/store/place.h"
#include "tools/store/store_verbs.h"

struct adding {
    struct gv_store_job *job;
    struct gv_place *to, *from; // `from`: of another store
};

// `dictionary`: id of the object that may be the dictionary, or NULL.
static bool add_bytes(struct adding *a, struct gv_span raw,
                      const struct gv_hash *dictionary, struct gv_error *err)
{
    if (raw.size > GV_STORE_MAX_OBJECT)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "an object is over %llu bytes",
                       (unsigned long long)GV_STORE_MAX_OBJECT);
    const struct gv_pack_object object = { .hash = gv_hash_bytes(raw.data, raw.size),
                                           .raw = raw,
                                           .dictionary = dictionary,
                                           .level = (int)a->job->options.level };
    if (!gv_place_put(a->to, &object, err))
        return false;
    gv_store_print_object(a->job, &object.hash, raw.size, 0);
    return true;
}

// ---- a payload ----

static bool add_group(struct adding *a, struct gv_payload *payload,
                      const struct gv_group *group, struct gv_error *err)
{
    if (!group->file_offset)
        return gv_fail(err, GV_ERR_FETCH, GV_NO_OFFSET,
                       "the payload is thin: its resources are elsewhere");
    uint8_t *raw = gv_payload_read_group(payload, group, NULL, 0, err);
    const struct gv_hash *dictionary = gv_store_dictionary_of(payload, group);
    bool ok = raw && add_bytes(a, (struct gv_span){ raw, (size_t)group->raw_size },
                               dictionary, err);
    if (raw)
        gv_payload_drop_group(payload, group, raw);
    return ok;
}

static bool add_payload(struct adding *a, const struct gv_input *input,
                        struct gv_error *err)
{
    struct gv_payload payload;
    uint64_t limit = gv_input_memory_left(input, a->job->options.mem_mb << 20);
    if (!gv_payload_open_memory(&payload, input->file.data, input->file.size, limit,
                                err))
        return false;
    bool ok = true;
    for (size_t i = 0; ok && i < payload.group_count; i++)
        ok = add_group(a, &payload, &payload.groups[i], err);
    gv_payload_finish(&payload);
    return ok;
}

// ---- a store ----

static bool add_stored(void *context, const struct gv_stored *object,
                       struct gv_error *err)
{
    struct adding *a = context;
    struct gv_pack_object copy = { .hash = object->hash,
                                   .level = (int)a->job->options.level };
    if (object->leftover)
        return true;
    if (!gv_place_copy(a->to, a->from, &copy, err))
        return gv_place_vanished(err);
    gv_store_print_object(a->job, &copy.hash, copy.raw.size, 0);
    return true;
}

static bool add_store(struct adding *a, const char *location, struct gv_error *err)
{
    struct gv_place from = { 0 };
    a->from = &from;
    bool ok = gv_place_open(&from, location, false, err) &&
              gv_place_walk(&from, add_stored, a, err);
    a->from = NULL;
    gv_place_finish(&from);
    return ok;
}

// ---- any file ----

static bool is_pack(const struct gv_input *input)
{
    return input->file.size >= 8 && memcmp(input->file.data, GV_PACKFILE_MAGIC, 8) == 0;
}

static bool add_file(struct adding *a, const char *path, struct gv_error *err)
{
    struct gv_store_job *job = a->job;
    struct gv_input input;
    job->subject = path;
    job->phase = GV_PHASE_OPEN;
    if (gv_path_kind(path) == GV_PATH_FOLDER)
        return add_store(a, path, err);
    if (!gv_input_open(&input, path, job->options.mem_mb << 20, job->options.json, err))
        return false;
    job->phase = GV_PHASE_LOAD;
    bool ok = input.kind == GV_INPUT_PAYLOAD ? add_payload(a, &input, err)
              : is_pack(&input)
                  ? add_store(a, path, err)
                  : add_bytes(a, (struct gv_span){ input.file.data, input.file.size },
                              NULL, err);
    gv_input_close(&input);
    return ok;
}

bool gv_store_add_files(struct gv_store_job *job, struct gv_error *err)
{
    struct gv_place place = { 0 };
    struct adding a = { .job = job, .to = &place };
    job->subject = job->store;
    bool ok = gv_place_open(&place, job->store, true, err);
    for (size_t i = 0; ok && i < job->file_count; i++)
        ok = add_file(&a, job->files[i], err);
    // What came before a failure stays, and is found.
    struct gv_error closing = GV_ERROR_INIT;
    if ((place.pack || place.folder) && !gv_place_close(&place, &closing) && ok) {
        job->subject = job->store;
        *err = closing;
        ok = false;
    }
    gv_place_finish(&place);
    return ok;
}

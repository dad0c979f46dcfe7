// `gpuvm store get`, `ls` and `check`: what a store has.
#include <inttypes.h>
#include <stdio.h>

#include "tools/output_file.h"
#include "tools/store/place.h"
#include "tools/store/store_verbs.h"
#include "tools/store/stores.h"

// ---- get ----

static bool guard(const struct gv_store_job *job, const char *output,
                  struct gv_error *err)
{
    struct gv_input_guard inputs = { 0 };
    gv_guard_store(&inputs, job->store);
    bool ok = gv_guard_output(&inputs, output, err);
    gv_guard_finish(&inputs);
    return ok;
}

static bool write_out(const struct gv_store_job *job, const struct gv_bytes *raw,
                      struct gv_error *err)
{
    const char *path = job->options.output ? gv_output_name(job->options.output) : "-";
    return guard(job, path, err) && gv_output_file_put(path, raw->data, raw->size, err);
}

bool gv_store_get_object(struct gv_store_job *job, struct gv_error *err)
{
    struct gv_place place = { 0 };
    struct gv_bytes raw = { 0 };
    struct gv_hash hash;
    job->subject = job->store;
    if (!gv_hash_from_hex(job->files[0], &hash))
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "'%.64s' is no id of 32 hexadecimal digits", job->files[0]);
    bool ok = gv_place_open(&place, job->store, false, err);
    if (ok)
        job->phase = GV_PHASE_LOAD;
    ok = ok && (gv_place_read(&place, &hash, &raw, err) || gv_place_missing(err)) &&
         write_out(job, &raw, err);
    gv_bytes_finish(&raw);
    gv_place_finish(&place);
    return ok;
}

// ---- ls ----

static bool list_object(void *context, const struct gv_stored *object,
                        struct gv_error *err)
{
    (void)err;
    if (!object->leftover)
        gv_store_print_object(context, &object->hash, object->raw_size, object->stored);
    return true;
}

bool gv_store_list(struct gv_store_job *job, struct gv_error *err)
{
    struct gv_place place = { 0 };
    job->subject = job->store;
    bool ok = gv_place_open(&place, job->store, false, err) &&
              gv_place_walk(&place, list_object, job, err);
    gv_place_finish(&place);
    return ok;
}

// ---- check ----

struct checking {
    struct gv_store_job *job;
    struct gv_place *place;
    uint64_t whole, damaged, leftover;
};

static void print_damaged(struct gv_store_job *job, const struct gv_hash *hash,
                          const char *why)
{
    char hex[GV_HASH_HEX];
    gv_hash_to_hex(hash, hex);
    if (!job->options.json) {
        printf("damaged\t%s\t", hex);
        gv_print_foreign(stdout, why);
        printf("\n");
        return;
    }
    gv_json_begin(&job->json, NULL);
    gv_json_text(&job->json, "id", hex);
    gv_json_text(&job->json, "error", why);
    gv_json_end(&job->json);
}

static bool check_object(void *context, const struct gv_stored *object,
                         struct gv_error *err)
{
    struct checking *c = context;
    struct gv_error why = GV_ERROR_INIT;
    struct gv_bytes raw = { 0 };
    if (object->leftover) {
        c->leftover++;
        return true;
    }
    bool whole = gv_place_read(c->place, &object->hash, &raw, &why);
    bool size_differs = whole && raw.size != object->raw_size;
    gv_bytes_finish(&raw);
    if (!whole && why.status == GV_ERR_MEMORY)
        return gv_out_of_memory(err);
    if (!whole && gv_place_vanished(&why))
        return true;
    if (whole && !size_differs)
        c->whole++;
    else
        print_damaged(c->job, &object->hash,
                      size_differs ? "the index has another size" : why.message);
    c->damaged += !whole || size_differs;
    return true;
}

static void print_checked(const struct checking *c, bool torn)
{
    struct gv_store_job *job = c->job;
    if (!job->options.json) {
        printf("%" PRIu64 " object%s whole, %" PRIu64 " damaged, %" PRIu64
               " left over%s\n",
               c->whole, gv_plural(c->whole), c->damaged, c->leftover,
               torn ? ", no index" : "");
        return;
    }
    gv_json_array_end(&job->json);
    gv_json_number(&job->json, "whole", c->whole);
    gv_json_number(&job->json, "left_over", c->leftover);
    gv_json_bool(&job->json, "torn", torn);
}

bool gv_store_check(struct gv_store_job *job, struct gv_error *err)
{
    struct gv_place place = { 0 };
    struct checking c = { .job = job, .place = &place };
    job->subject = job->store;
    bool ok = gv_place_open(&place, job->store, false, err);
    if (ok && job->options.json)
        gv_json_array(&job->json, "damaged");
    ok = ok && gv_place_walk(&place, check_object, &c, err);
    const bool torn = ok && place.pack && gv_packfile_torn(place.pack);
    if (ok)
        print_checked(&c, torn);
    gv_place_finish(&place);
    job->phase = GV_PHASE_LOAD;
    job->told = ok;
    if (torn && !c.whole && !c.damaged)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "the pack was cut short, and no object is left");
    return ok && (!c.damaged || gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                                        "%" PRIu64 " object%s damaged", c.damaged,
                                        c.damaged == 1 ? " is" : "s are"));
}

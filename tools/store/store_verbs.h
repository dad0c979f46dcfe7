// What `gpuvm store VERB` does, each in a file of its subject.
#ifndef GV_STORE_VERBS_H
#define GV_STORE_VERBS_H

#include "tools/base/json.h"
#include "tools/input.h"

struct gv_store_options {
    uint64_t mem_mb, level, age;
    const char *output;
    bool json, dry_run;
};

struct gv_store_job {
    const struct gv_program *program;
    struct gv_store_options options;
    const char *store;        // location
    const char *const *files; // the other operands
    size_t file_count;
    const char *subject;     // of an error: what was worked on
    enum gv_phase phase;     // likewise
    struct gv_json json;     // the result, with --json
    bool told;               // it is whole there, and belongs to an error, too
    uint64_t objects, bytes; // listed so far; raw bytes
};

// Each works on what is in `job`, prints, and fills `err` where it fails.
bool gv_store_add_files(struct gv_store_job *job, struct gv_error *err);
bool gv_store_get_object(struct gv_store_job *job, struct gv_error *err);
bool gv_store_list(struct gv_store_job *job, struct gv_error *err);
bool gv_store_check(struct gv_store_job *job, struct gv_error *err);
bool gv_store_collect_files(struct gv_store_job *job, struct gv_error *err);
bool gv_store_pack(struct gv_store_job *job, struct gv_error *err);

// One object of a list: a line, or a member of the JSON array that is open. `stored` is
// left out where it is 0.
void gv_store_print_object(struct gv_store_job *job, const struct gv_hash *hash,
                           uint64_t raw_size, uint64_t stored);

// The payload FILE `path`; anything else is GV_ERR_USAGE. Finished by
// gv_store_close_payload, also where this fails.
struct gv_store_payload {
    struct gv_input input;
    struct gv_payload payload;
    bool open;
};
bool gv_store_open_payload(struct gv_store_payload *p, struct gv_store_job *job,
                           const char *path, struct gv_error *err);
void gv_store_close_payload(struct gv_store_payload *p);

// The id of the group whose end is the dictionary of another; NULL: that needs none.
const struct gv_hash *gv_store_dictionary_of(const struct gv_payload *payload,
                                             const struct gv_group *group);

#endif

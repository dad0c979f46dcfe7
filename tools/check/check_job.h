// One capture of a check, from its first process to its result.
#ifndef GV_CHECK_JOB_H
#define GV_CHECK_JOB_H

#include "resources/hash.h"
#include "tools/check/check_child.h"
#include "tools/check/check_compare.h"
#include "tools/check/check_fails.h"
#include "tools/check/check_items.h"
#include "tools/check/check_params.h"

// What all of them share.
struct gv_check_shared {
    const struct gv_check_params *params;
    const char *program;           // its name
    const char *scratch;           // a folder for pictures until they are judged
    struct gv_check_device device; // that a run gets, as far as is known before
    struct gv_check_fails fails;
    uint64_t mem_mb; // of each; 0: the default
};

#define GV_CHECK_ARGS 192
#define GV_CHECK_PICTURES 16 // differing frames of a capture that leave pictures

// Zero-initialise.
struct gv_check_job {
    const struct gv_check_shared *shared;
    const struct gv_check_item *item;
    size_t slot;                   // its number among those that run at once
    char device[GV_GOLDEN_DEVICE]; // short name, or ""
    struct gv_golden golden;
    struct gv_check_seen seen;
    struct gv_check_difference difference;
    enum gv_hash_form form; // of the run that is on
    unsigned forms;         // that were made
    bool picturing;         // the run that is on makes pictures
    enum gv_word word;
    char note[40], why[512];
    char golden_id[GV_HASH_HEX]; // of what it is compared with
    uint64_t ns;
    // Arguments of the next process.
    const char *args[GV_CHECK_ARGS];
    char texts[6][4200];
    size_t text_count;
};

// GV_ERR_USAGE: its golden file is none.
bool gv_check_job_begin(struct gv_check_job *job, const struct gv_check_shared *shared,
                        const struct gv_check_item *item, size_t slot,
                        struct gv_error *err);

// The arguments of its next process, as long as there is one: NULL at the end.
char *const *gv_check_job_next(struct gv_check_job *job);

// Takes in what the process left. False: the check cannot go on (GV_ERR_OUTPUT, ...).
// `*again`: it needs another process.
bool gv_check_job_heard(struct gv_check_job *job, const struct gv_check_child *child,
                        bool *again, struct gv_error *err);

// The result, put behind the others of `results`. False as above.
bool gv_check_job_result(struct gv_check_job *job, struct gv_results *results,
                         struct gv_error *err);
void gv_check_job_finish(struct gv_check_job *job);

// The folder of its pictures.
bool gv_check_job_scratch(const struct gv_check_job *job, char path[GV_GOLDEN_PATH],
                          struct gv_error *err);

#endif

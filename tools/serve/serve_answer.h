// What a served program gets: answers, and what is too large for them in memory that
// both sides have.
#ifndef GV_SERVE_ANSWER_H
#define GV_SERVE_ANSWER_H

#include "tools/base/shared_memory.h"
#include "tools/library/spawn_line.h"

struct gv_serve_results {
    struct gv_shared_memory memory;
    bool is_new; // the program does not have it yet
};

void gv_serve_results_init(struct gv_serve_results *results);
void gv_serve_results_finish(struct gv_serve_results *results);

// These fill the answer `m`: what the replay says, or that memory has run out.
void gv_serve_put_facts(struct gv_serve_results *results, struct gv_spawn_message *m,
                        const gpuvm_payload *payload);
void gv_serve_put_picture(struct gv_serve_results *results, struct gv_spawn_message *m,
                          gpuvm_replay *replay);
void gv_serve_put_export(struct gv_serve_results *results, struct gv_spawn_message *m,
                         gpuvm_replay *replay);

// Sends it, with what the replay (NULL: there is none) has counted. False: the program
// is gone.
bool gv_serve_answer(struct gv_serve_results *results, struct gv_spawn_message *m,
                     const gpuvm_replay *replay, int line);

#endif

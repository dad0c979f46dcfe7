// What the program that a child replays for gets: answers, and what is too large for
// them in memory that both sides have.
#ifndef GV_CHILD_ANSWER_H
#define GV_CHILD_ANSWER_H

#include "tools/base/shared_memory.h"
#include "tools/library/spawn_line.h"

struct gv_child_results {
    struct gv_shared_memory memory;
    bool is_new; // the program does not have it yet
};

void gv_child_results_init(struct gv_child_results *results);
void gv_child_results_finish(struct gv_child_results *results);

// These fill the answer `m`: what the replay says, or that memory has run out.
void gv_child_put_facts(struct gv_child_results *results, struct gv_spawn_message *m,
                        const gpuvm_payload *payload);
void gv_child_put_picture(struct gv_child_results *results, struct gv_spawn_message *m,
                          gpuvm_replay *replay);
void gv_child_put_export(struct gv_child_results *results, struct gv_spawn_message *m,
                         gpuvm_replay *replay);

// Sends it, with what the replay (NULL: there is none) has counted. False: the program
// is gone.
bool gv_child_answer(struct gv_child_results *results, struct gv_spawn_message *m,
                     const gpuvm_replay *replay, int line);

#endif

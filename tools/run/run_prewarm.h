// All of a run that can be done before anybody asks for a frame: its pipelines are
// made.
#ifndef GV_RUN_PREWARM_H
#define GV_RUN_PREWARM_H

#include "runtime/runtime.h"
#include "vm/payload/pipeline_list.h"

// Makes the pipelines of the list, each once, which the runtime keeps for the run;
// `*made` is how many. What this device refuses is left to the run, which may not need
// it. GV_ERR_LOST, GV_ERR_MEMORY.
bool gv_run_prewarm(struct gv_runtime *runtime, struct gv_vm *vm,
                    const struct gv_payload *payload,
                    const struct gv_pipeline_list *list, size_t *made,
                    struct gv_error *err);

#endif

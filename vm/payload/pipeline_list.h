// The pipelines that a payload makes, and of what: as far as the verifier can tell
// without running it.
#ifndef GV_PIPELINE_LIST_H
#define GV_PIPELINE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GV_IN_CONSTANTS UINT32_MAX // in the place of a resource
#define GV_STAGE_EMPTY UINT32_MAX

// Bytes that stand in the payload.
struct gv_payload_bytes {
    uint32_t resource; // or GV_IN_CONSTANTS
    uint64_t offset, size;
};

// A call of shader_create.
struct gv_made_shader {
    struct gv_payload_bytes spirv;
    uint64_t at; // code offset of the call, over all chunks
};

// A call of pipeline_create_graphics or, if `compute`, pipeline_create_compute.
struct gv_made_pipeline {
    struct gv_payload_bytes desc;
    uint32_t shaders[5]; // of the list: in the order of stages, or compute alone
    bool compute;
    uint64_t at;
};

// Zero-initialise before use.
struct gv_pipeline_list {
    struct gv_made_shader *shaders;     // owned, in the order of code
    struct gv_made_pipeline *pipelines; // likewise; those whose parts are all known
    size_t shader_count, shader_capacity, pipeline_count, pipeline_capacity;
};

// Append a copy. False: out of memory, or more than numbers can name.
bool gv_pipeline_list_shader(struct gv_pipeline_list *list,
                             const struct gv_made_shader *shader);
bool gv_pipeline_list_add(struct gv_pipeline_list *list,
                          const struct gv_made_pipeline *pipeline);

void gv_pipeline_list_finish(struct gv_pipeline_list *list);

#endif

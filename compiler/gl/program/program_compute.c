// Compute stages: which program's runs, and its pipeline.
#include <string.h>

#include "compiler/gl/program/program_joined.h"

#define COMPUTE_STAGE 5u // of pipelines' stages, by bit of GV_STAGE_*

struct gv_gl_program *gv_gl_compute_program(const struct gv_gl_context *c)
{
    const struct gv_gl_program_pipeline *p = c->pipelined ? c->pipelined->bound : NULL;
    return c->used || !p ? c->used : p->joined.stages[COMPUTE_STAGE];
}

bool gv_gl_compute_pipeline(struct gv_builder *b, const struct gv_gl_variant *v,
                            const struct gv_gl_stages *stages, struct gv_pipeline *out,
                            struct gv_error *err)
{
    struct gv_gl_compiled *c = v->compiled;
    struct gv_lower_part parts[GV_LOWER_STAGES] = { 0 };
    struct gv_lower_place places[GV_GL_BLOCKS];
    struct gv_compute_desc *desc;
    *out = c->compute;
    uint64_t blocks = 0;
    for (uint32_t i = 0; i < stages->block_count; i++)
        blocks |= UINT64_C(1) << stages->blocks[i].place.binding % 64;
    if (c->compute.id && c->compute_blocks == blocks)
        return true;
    c->compute_blocks = blocks;
    desc = gv_arena_alloc(&c->arena, sizeof *desc);
    if (!desc)
        return gv_out_of_memory(err);
    for (uint32_t i = 0; i < stages->block_count; i++)
        memcpy(&places[i], &stages->blocks[i].place, sizeof *places);
    parts[GV_LOWER_COMPUTE] = (struct gv_lower_part){ stages->codes[GV_LOWER_COMPUTE],
                                                      stages->modules[GV_LOWER_COMPUTE],
                                                      places, stages->block_count };
    if (!gv_lower_interface(parts, &desc->interface, err))
        return false;
    *out = c->compute = gv_builder_compute(b, desc, stages->modules[GV_LOWER_COMPUTE]);
    return !gv_builder_failed(b, err);
}

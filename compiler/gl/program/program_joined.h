// Program pipelines from the inside: programs whose stages run together as one
// (program_joined.c, gl_program_pipelines.c).
#ifndef GV_PROGRAM_JOINED_H
#define GV_PROGRAM_JOINED_H

#include "compiler/gl/program/program_object.h"

// Programs whose stages run together as one.
struct gv_gl_joined {
    struct gv_gl_program *stages[GV_MAX_GLSL_STAGES]; // held; by bit of GV_STAGE_*
    uint64_t serials[GV_MAX_GLSL_STAGES]; // of their executables when they were joined
    struct gv_gl_program *parts[GV_MAX_GLSL_STAGES]; // each once, in order of stages
    uint32_t part_count;
    bool refused; // they may not draw together
};

struct gv_gl_program_pipeline {
    struct gv_named named;
    struct gv_gl_program program; // what draws run
    struct gv_gl_joined joined;
    struct gv_gl_program *active; // held; glActiveShaderProgram
};

// Program pipelines of a context.
struct gv_gl_pipelined {
    struct gv_id_map names;
    struct gv_gl_program_pipeline *bound; // NULL: none
    struct gv_gl_pipelined *next;         // in gv_gl_programs
};

// Says what draws of the context run, after something was bound or used.
void gv_gl_settle_program(struct gv_gl_context *c);

// Joins the stages of a pipeline's program as they are linked now; of all other
// programs nothing. False: `err`.
bool gv_gl_join_stages(struct gv_gl *gl, struct gv_gl_program *p, struct gv_error *err);

// The program that has a uniform or block of a reflected name, and its own name there:
// `p` itself, or what a pipeline's is made of.
const struct gv_gl_program *gv_gl_owner_of_uniform(const struct gv_gl_program *p,
                                                   const char **name);
const struct gv_gl_program *gv_gl_owner_of_block(const struct gv_gl_program *p,
                                                 const char **name);

// Frees what all pipelines hold.
void gv_gl_pipelines_finish(struct gv_gl_programs *programs);

#endif

// A program while its stages are linked, for the files that do it.
#ifndef GV_GLSL_LINKER_H
#define GV_GLSL_LINKER_H

#include "compiler/shader/glsl/glsl_notes.h"
#include "compiler/shader/glsl/glsl_program.h"
#include "compiler/shader/spirv/spirv_flat.h"
#include "compiler/shader/spirv/spirv_scan.h"
#include "compiler/shader/spirv/spirv_wide.h"

// One stage while its interface is being rewritten.
struct glsl_linked_stage {
    uint32_t bit;
    uint32_t *words; // a copy to patch
    size_t count;
    struct gv_spirv_variables module;
    // By variables: the first one at its location, of outputs and of inputs; NULL: 0.
    uint8_t *components, *read_components;
    struct gv_spirv_flats flats;      // that were arrays of arrays
    const struct gv_spirv_wide *wide; // inputs of doubles
    size_t wide_count;
    const struct glsl_stage *text; // what its text says
};

struct glsl_linker {
    const struct gv_glsl_program_params *params;
    struct glsl_upgraded *upgraded;
    struct gv_glsl_program *out;
    struct glsl_linked_stage stages[GV_MAX_GLSL_STAGES];
    uint32_t next_binding[GV_MAX_SETS];
    struct gv_arena *arena;
    struct gv_error *err;
};

// NULL: the program has no such stage.
struct glsl_linked_stage *glsl_linked_stage(struct glsl_linker *l, uint32_t bit);
// Variables of blocks are matched by the block's name, all others by their own.
const char *glsl_link_name(const struct gv_spirv_variable *v);
void glsl_set_location(struct glsl_linked_stage *s, struct gv_spirv_variable *v,
                       uint32_t location);
// Of an interface that stages or the API match by location; no built-in.
bool glsl_on_interface(const struct gv_spirv_variable *v, SpvStorageClass storage);
// The location that the text gives a variable, -1: none.
int glsl_text_location(const struct glsl_linked_stage *s,
                       const struct gv_spirv_variable *v);
bool glsl_out_of_locations(struct glsl_linker *l, const struct gv_spirv_variable *v);

bool glsl_link_varyings(struct glsl_linker *l);   // glsl_link_varyings.c
bool glsl_link_attributes(struct glsl_linker *l); // glsl_link_attributes.c
bool glsl_link_outputs(struct glsl_linker *l);    // likewise
bool glsl_link_captures(struct glsl_linker *l);   // glsl_link_captures.c
void glsl_read_modes(struct gv_glsl_program *p);  // glsl_link_modes.c
// Whether its only gl_Position is ftransform() or that product; likewise.
bool glsl_places_as_fixed(const struct glsl_upgraded *upgraded);
bool glsl_link_resources(struct glsl_linker *l); // glsl_link_resources.c

#endif

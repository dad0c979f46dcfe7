// What the builder's files share. Nobody else includes this.
#ifndef GV_BUILDER_PRIVATE_H
#define GV_BUILDER_PRIVATE_H

#include "compiler/builder/blocks.h"
#include "compiler/builder/builder.h"
#include "compiler/builder/call_rules.h"
#include "compiler/builder/code.h"
#include "compiler/builder/dedup.h"
#include "compiler/builder/diagnostics.h"
#include "compiler/builder/matrices.h"
#include "compiler/builder/modules.h"
#include "compiler/builder/objects.h"
#include "compiler/builder/observations.h"
#include "compiler/builder/require.h"
#include "compiler/builder/slots.h"
#include "compiler/builder/state_cache.h"
#include "compiler/builder/targets.h"
#include "vm/payload/payload_writer.h"

#define GV_NOWHERE 0xffu // no such argument or class

// A row of calls.def, prepared for emission.
struct gv_call_plan {
    const struct gv_call_info *info;  // NULL: no such call
    uint8_t count;                    // arguments
    uint8_t object_kind[GV_MAX_ARGS]; // of handle arguments, else GV_KIND_NONE
    bool optional[GV_MAX_ARGS];
    uint16_t at[GV_MAX_ARGS + 1]; // in the struct of values; behind the last: its end
    uint8_t destroys;             // the argument whose object ends, or GV_NOWHERE
    // Of calls that set binding or dynamic state: the class (a bit number), and which
    // arguments select within it. A FLAGS index selects one state per bit.
    uint8_t state_class; // or GV_NOWHERE
    uint8_t index_count, indices[3];
    uint8_t index_flags; // or GV_NOWHERE
    bool large;          // its BYTES are always a resource
    bool watched;        // requirements depend on it
    bool imported;
    uint32_t import;
};

#define GV_EITHER_DEPTH 4
#define GV_EITHER_ROWS 4

// Code that runs only where a condition holds, or only where it does not, inside that
// of another such branch or of none. Numbered from 1; 0 is what always runs.
struct gv_branch {
    uint32_t parent;
    bool missed; // runs where some row is not met
    uint8_t row_count;
    uint32_t rows[GV_EITHER_ROWS]; // requirements of the payload, by number
};

// An open pair of branches.
struct gv_either {
    uint32_t first, branch; // the branch where the rows are met; the one being written
    size_t noted;           // states noted before it (state_cache.h)
    uint32_t same;          // what the next object made stands for too; 0: nothing
    struct gv_requirements needs[2]; // of the two branches
};

// Code that is put at a place which lies behind (builder_place.c).
struct gv_place {
    bool open, here;      // it exists; calls go there now
    bool marked;          // one stands in the window, open or not
    struct gv_code inner; // bytes and patches of what stands there, or, while calls go
                          // there, of the window
};

// What a call that was left out has made: an object that every call refuses.
#define GV_REFUSED_OBJECT UINT32_MAX

// Calls that a run would refuse, and what depends on them (builder_refused.c).
struct gv_refused {
    bool forgives;                    // they are left out: no failure
    bool targets_lost, pass_lost;     // of the next pass; the open one
    bool graphics_lost, compute_lost; // the pipelines of draws and dispatches
    bool reads_lost; // what the draws or dispatches of this command have bound
    struct gv_named_targets targets; // of the next pass
    struct gv_spirv_module module;   // of the shader being made
};

struct gv_builder {
    struct gv_builder_params params;
    struct gv_target target; // the default, where the caller gave none
    struct gv_error error;   // the first failure
    bool failed;
    struct gv_call_plan plans[GV_CALL_LIMIT];
    // Position.
    uint64_t command, offset;
    const char *command_name;
    uint64_t number;   // the command's own
    uint8_t kinds;     // GV_COMMAND_*
    uint64_t commands; // number of the last command plus one
    uint64_t sourced;  // commands below have their debug row
    // Encoding.
    struct gv_code code;
    struct gv_bytes resolved; // a deferred window's chunk under final encoding
    uint32_t chunks;
    // The open frame.
    struct gv_frame frame;
    uint64_t frames, uses;
    // Contents.
    struct gv_dedup constants, resources;
    uint64_t constant_bytes, resource_count, resource_bytes;
    struct gv_observations observations;
    uint64_t observation_base; // sequence number of the window's first observation
    uint64_t command_observed; // ... of the current command's first one
    struct gv_blocks blocks;
    struct gv_matrices matrices;
    uint64_t matrix_clock; // what was used since then stays where it is
    struct gv_state_cache state;
    struct gv_slots slots;
    uint64_t map_bytes, most_map_bytes; // live shadows
    bool beyond_memory;                 // was warned of
    struct gv_object_cache objects;
    struct gv_modules modules;
    struct gv_refused refused;
    struct gv_requirements requirements;
    struct gv_diagnostics diagnostics;
    struct gv_export *exports; // owned; names too
    uint32_t export_count;
    // Branches (builder_either.c).
    struct gv_branch *branches; // owned; number n at n - 1
    uint32_t branch_count;
    struct gv_either eithers[GV_EITHER_DEPTH];
    uint32_t either_depth;
    size_t skips[GV_EITHER_DEPTH]; // where the skips being resolved begin
    uint32_t skip_depth;
    struct gv_place place;
};

// Records the first failure with the current position. Returns false.
bool gv_builder_fail(struct gv_builder *b, enum gv_status status, const char *format,
                     ...) GV_PRINTF(3, 4);
bool gv_builder_no_memory(struct gv_builder *b);

// A number for these bytes, the same for the same bytes while they are remembered.
// False: failed.
bool gv_builder_constant(struct gv_builder *b, const void *data, size_t size,
                         uint32_t *address);
bool gv_builder_resource(struct gv_builder *b, const void *data, uint64_t size,
                         uint32_t *number);

// Whether these bytes are a constant or a resource already, as their size says.
bool gv_builder_knows(struct gv_builder *b, const void *data, uint64_t size);

// Makes parts of a block that are made of matrices (builder_matrix.c), where that takes
// less than their words. What it holds then is what it had, but for them.
bool gv_builder_put_matrices(struct gv_builder *b, struct gv_held_block *block,
                             const uint8_t *data, size_t size);

// Writes bytes to a place in volatile memory.
void gv_builder_put_run(struct gv_builder *b, uint64_t place, const uint8_t *data,
                        uint64_t size);

// A run would refuse the current call: a failure, or an unsupported command. False.
bool gv_builder_refuse(struct gv_builder *b, const char *format, ...) GV_PRINTF(2, 3);
// The call was refused; what depends on it will be left out too. What it has made.
uint32_t gv_builder_leave_out(struct gv_builder *b, enum gv_call call);
// Whether the call depends on one that was refused.
bool gv_builder_is_left_out(struct gv_builder *b, enum gv_call call);
// Whether a run takes the call, whose objects are live. If not it is refused.
bool gv_builder_keeps_rules(struct gv_builder *b, enum gv_call call,
                            const void *values);
// The call of shader_create that keeps the rules has made this object, or failed (0).
bool gv_builder_made_shader(struct gv_builder *b, uint32_t object);

// Whether writing the changes is better than the whole.
bool gv_block_is_near(const uint8_t *held, const uint8_t *data, size_t size);

// Whether so many bytes become a constant rather than a resource.
bool gv_builder_inline(const struct gv_builder *b, uint64_t size);

// Opens a chunk, marks the command and leaves room for one call (GV_CALL_BYTES).
// NULL: failed.
uint8_t *gv_builder_begin_call(struct gv_builder *b);

// RES or FETCH at `p`, in its final form or as a patch.
uint8_t *gv_builder_put_resource(struct gv_builder *b, uint8_t *p, enum gv_op op,
                                 uint32_t resource);

// Ends the open chunk; what it waits for, if deferred, is resolved now.
bool gv_builder_close_window(struct gv_builder *b);

// The branch being written; 0 outside all.
uint32_t gv_builder_branch(const struct gv_builder *b);

// Whether code here may use what exists in `branch`.
bool gv_builder_in_branch(const struct gv_builder *b, uint32_t branch);

// Where what calls need here is gathered.
struct gv_requirements *gv_builder_needs(struct gv_builder *b);

// Fails, and returns false, inside a branch: `what` must not happen there.
bool gv_builder_outside_branch(struct gv_builder *b, const char *what);

// The object that the one being made is another form of (gv_builder_either_same), or 0.
// Fails if the two cannot share a slot.
uint32_t gv_builder_join(struct gv_builder *b, const struct gv_live_object *object);

// Resolves GV_PATCH_SKIP, the `index`-th patch of the window, and its end.
bool gv_builder_resolve_skip(struct gv_builder *b, size_t index);
bool gv_builder_resolve_skip_end(struct gv_builder *b);
// RES of `resource` in its final form, with its use.
uint8_t *gv_builder_put_final_resource(struct gv_builder *b, uint8_t *p, enum gv_op op,
                                       uint32_t resource);
void gv_builder_finish_branches(struct gv_builder *b);

// Puts code with patches in its final form behind what is resolved.
bool gv_builder_resolve_code(struct gv_builder *b, const struct gv_code *code);

// What stands at the place, in its final form.
bool gv_builder_resolve_place(struct gv_builder *b);

// Fails, and returns false, while a place is open: `what` must not happen then.
bool gv_builder_without_place(struct gv_builder *b, const char *what);

// An OBSERVED value as index into the window's list and offset, or false (failed).
bool gv_builder_observed(struct gv_builder *b, uint64_t number, uint64_t size,
                         uint32_t *index, uint64_t *offset);

#endif

// The AeroGPU replayer's own header: what a capture has made so far, by rooms that have
// headers of their own, and what turns it into work.
//
// Flow: aero_replay.c walks records and hands each packet to its handler (the row of
// cmds.def). Handlers of state only note it and set dirty bits; aero_draw.c turns dirty
// bits into calls when a draw, clear or dispatch needs them.
#ifndef GV_AERO_H
#define GV_AERO_H

#include "compiler/aerogpu/aero_blobs.h"
#include "compiler/aerogpu/aero_enums.h"
#include "compiler/aerogpu/aero_frames.h"
#include "compiler/aerogpu/aero_guest.h"
#include "compiler/aerogpu/trace/cmd_stream.h"
#include "compiler/frontend.h"
#include "vm/formats.h"

#define GV_AERO_MAX_DRAW_VERTICES (1u << 26) // vertices times instances of a draw
#define GV_AERO_MAX_GROUPS 65535u            // of a dispatch, per dimension

struct gv_aero_pipeline {
    struct gv_lower_pipeline base;
    const struct gv_aero_variant *variants[GV_DXBC_STAGE_COUNT]; // NULL = none
};

// A translation as a stage of a pipeline.
struct gv_aero_part {
    struct gv_lower_part part;
    struct gv_lower_place places[GV_DXBC_CBUFFER_BINDINGS];
    uint32_t count; // of places
};

// What a capture has made so far. Rooms of their own have headers of their own.
struct gv_aero {
    const struct gv_compile_params *params;
    struct gv_arena *arena;
    struct gv_builder *b;
    struct gv_gpu_trace trace;
    struct gv_aero_blob_map blobs;
    uint64_t command;            // number of the next packet
    const struct gv_cmd *packet; // the running one, of which errors tell
    uint32_t abi;                // of the running stream

    struct gv_id_map objects; // by handle
    uint64_t next_serial;     // of objects and translations
    struct gv_aero_tokens tokens;
    struct gv_aero_shaders shaders;
    struct gv_aero_guest guest;
    struct gv_aero_contexts contexts;
    struct gv_aero_frames frames;
    struct gv_aero_appendix *appendix; // minimal packets' objects, or NULL

    // compiler/lower/
    struct gv_lower_pass pass;
    struct gv_lower_buffers buffers;
    struct gv_aero_images images;
    struct gv_lower_stand_ins stand_ins;
    struct gv_lower_pipelines pipelines;

    struct gv_sampler default_sampler;
    struct gv_compute_desc compute; // being described
    uint8_t *padded;                // 64 KiB of scratch for constants
};

// Fails with the byte offset and number of the current packet.
bool gv_aero_fail(struct gv_aero *a, enum gv_status status, struct gv_error *err,
                  const char *format, ...) GV_PRINTF(4, 5);

// The same with an error that something told without a place.
bool gv_aero_refuse(struct gv_aero *a, const struct gv_error *inner,
                    struct gv_error *err);

// ---- aero_input.c ----

// Fills vertex input of `desc` for a vertex shader, and what it reads.
bool gv_aero_input(struct gv_aero *a, const struct gv_aero_context *x,
                   const struct gv_dxbc_shader *vs, struct gv_graphics_desc *desc,
                   struct gv_lower_slots *slots, struct gv_error *err);

// ---- aero_pipeline.c, aero_bindings.c, aero_draw.c ----

bool gv_aero_pipeline_update(struct gv_aero *a, struct gv_aero_context *x,
                             const struct gv_lower_targets *targets,
                             struct gv_error *err);
// A stage of a pipeline, of its constant buffers those of `dynamic` as bytes.
void gv_aero_part(struct gv_aero *a, struct gv_aero_variant *v, uint16_t dynamic,
                  struct gv_aero_part *out);
// The builder's state is about to be this context's; NULL: somebody else's.
void gv_aero_use_context(struct gv_aero *a, struct gv_aero_context *x);
// A dispatch may have written the UAVs: copies go back, constants of them are stale.
void gv_aero_buffers_written(struct gv_aero *a, struct gv_aero_context *x);
// Which constant buffers of a stage are fed as bytes; `limit` at most.
uint16_t gv_aero_dynamic_constants(const struct gv_aero_context *x,
                                   const struct gv_aero_variant *v, uint32_t stage,
                                   uint32_t limit);
// What the scissor leaves of the context's targets; false if that is nothing.
bool gv_aero_scissor(const struct gv_aero_context *x, struct gv_lower_rectangle *out);
bool gv_aero_bind_stage(struct gv_aero *a, struct gv_aero_context *x, uint32_t stage,
                        const struct gv_aero_variant *v, uint16_t dynamic,
                        struct gv_error *err);

// ---- aero_appendix.c ----

// Executes one appendix-A packet: the payload of a Packet record.
bool gv_aero_appendix_packet(struct gv_aero *a, const uint8_t *data, uint32_t size,
                             uint64_t offset, struct gv_error *err);

// ---- handlers: one per packet, named in cmds.def ----

#define GV_AERO_HANDLER(name)                                                       \
    bool name(struct gv_aero *a, struct gv_aero_context *x, const struct gv_cmd *c, \
              struct gv_error *err)
#define GV_CMD(name, opcode, min, count_at, element, handler) GV_AERO_HANDLER(handler);
#define GV_FIELD(name, field, offset, kind)
#define GV_CMD_END
#include "compiler/aerogpu/trace/cmds.def"
#undef GV_CMD
#undef GV_FIELD
#undef GV_CMD_END

#endif

// From front-ends' explicit work to bytecode: the only way front-ends make a payload.
//
// A front-end says what happens, in source order: commands, calls with values, memory
// that commands read, frame ends. The builder owns everything about the encoding: stack
// order, constants and resources (deduplicated by content), slots (dense, recycled, one
// kind each), redundant state, observation islands, chunks, schedule, frame index,
// debug map, requirements and limits. Output is a function of the calls made, nothing
// else.
//
// Failures (out of memory, output errors) stick: calls become no-ops returning 0 and
// gv_builder_error tells. One builder belongs to one thread.
#ifndef GV_BUILDER_H
#define GV_BUILDER_H

#include "compiler/builder/emit.h"
#include "resources/base/error.h"
#include "vm/descs.h"
#include "vm/payload/payload.h"

// ---- positions ----

// The next source command begins; calls until the next one carry its position.
// `offset`: its byte in the capture; `name`: static string. Numbers ascend from 0.
void gv_builder_command(struct gv_builder *b, uint64_t command, uint64_t offset,
                        const char *name);
// What the source itself calls the current command, where that is not its place in
// order; and its kinds (GV_COMMAND_*). It has a row in the debug map then, with calls
// or without.
void gv_builder_command_is(struct gv_builder *b, uint64_t number, uint8_t kinds);
// Work of several commands stands, or may, with the last of them: pictures between
// commands would lack some.
void gv_builder_joins(struct gv_builder *b);
// How frames are shown where they come from, beginning with the one that ends next;
// `frame` of it is no matter. Said again, it costs nothing.
void gv_builder_pace(struct gv_builder *b, const struct gv_pace *pace);
// Emits frame_end; `width` and `height` are those presented, 0 = no picture.
void gv_builder_frame_end(struct gv_builder *b, uint32_t width, uint32_t height);

// ---- calls: gv_emit (compiler/builder/emit.h) ----

// A call of an object that does not live, or that is of another kind, is the builder's
// failure: GV_ERR_FORMAT. After this it is left out instead, and so is what a run would
// refuse whatever the device (vm/rules/), with what depends on it: calls with the
// object that it would have made, draws and dispatches of its pipeline, all of its
// pass. Each is GV_UNSUPPORTED by the name of its command, and work goes on.
void gv_builder_forgive(struct gv_builder *b);
// A draw or dispatch binds all that it reads: what was refused of earlier ones, in the
// same command, leaves it alone.
void gv_builder_binds_anew(struct gv_builder *b);

// Objects by description: the same description is the same object. Cached for the whole
// compile; never destroyed by front-ends.
struct gv_sampler gv_builder_sampler(struct gv_builder *b,
                                     const struct gv_sampler_desc *desc);
struct gv_shader gv_builder_shader(struct gv_builder *b, const uint32_t *words,
                                   size_t count);
struct gv_stage_shaders {
    struct gv_shader vertex, tessellation_control, tessellation_evaluation, geometry,
        fragment;
};
struct gv_pipeline gv_builder_graphics(struct gv_builder *b,
                                       const struct gv_graphics_desc *desc,
                                       const struct gv_stage_shaders *shaders);
struct gv_pipeline gv_builder_compute(struct gv_builder *b,
                                      const struct gv_compute_desc *desc,
                                      struct gv_shader shader);

// ---- one way or another ----

// What runs depends on the device: calls between _begin and _else where it meets all
// `count` (1 to 4) requirements, those between _else and _end where it does not. Rows
// are written with strength `alternative`: both ways must make the same pixels.
//
//   gv_builder_either_begin(b, &wide, 1);
//   struct gv_pipeline lines = gv_builder_graphics(b, &thick, &stages);
//   gv_builder_either_else(b);
//   if (gv_builder_either_same(b, lines))
//       gv_builder_graphics(b, &quads, &other_stages); // returns `lines`
//   gv_builder_either_end(b);
//
// Rules: a pair lies within one command and may lie in a branch of another (four deep).
// No observation, command or frame end inside. What was made outside is not destroyed
// inside. An object made inside can be used in branches of the same condition alone,
// unless its counterpart in the other branch was made the same. State set in either is
// unknown afterwards. What both need becomes a need of the payload, what one needs is
// what the condition is for.
void gv_builder_either_begin(struct gv_builder *b, const struct gv_requirement *rows,
                             size_t count);
void gv_builder_either_else(struct gv_builder *b);
void gv_builder_either_end(struct gv_builder *b);

// In the second branch: the next object made is what `first`, made in the first branch
// by the same call, is here; making it returns `first`, which may be used everywhere
// from now on. False: `first` is so already (an object by description, asked for
// again).
#define gv_builder_either_same(b, first) gv_builder_either_same_id((b), (first).id)
bool gv_builder_either_same_id(struct gv_builder *b, uint32_t first);

// A compute pipeline that is one or the other.
struct gv_compute_form {
    const struct gv_compute_desc *desc;
    const uint32_t *words; // SPIR-V
    size_t word_count;
};
struct gv_pipeline gv_builder_compute_either(struct gv_builder *b,
                                             const struct gv_requirement *rows,
                                             size_t count,
                                             const struct gv_compute_form *met,
                                             const struct gv_compute_form *missed);

// ---- places ----

// A place lies between two calls of the open frame; what must be ahead of work is put
// there when it is known. Draws of a pass, say, read vertices that are uploaded at once
// before the pass, when the last of them is known:
//
//   gv_builder_place_open(b);
//   gv_builder_place_begin(b);
//   struct gv_buffer stream = gv_emit(b, buffer_create, ...);
//   gv_builder_place_end(b);
//   ... a pass begins, draws use `stream` ...
//   gv_builder_place_begin(b);
//   gv_emit(b, buffer_upload, .buffer = stream, ...);
//   gv_builder_place_end(b);
//   gv_builder_place_close(b);
//
// Rules: one place at a time, open across commands but not across a frame end, and not
// inside a branch. Between _begin and _end stand calls that set no state and destroy
// nothing, and no command, branch or observation; what they use was made there or
// before the place. What is made there can be used by all that is emitted later.
void gv_builder_place_open(struct gv_builder *b);
void gv_builder_place_begin(struct gv_builder *b);
void gv_builder_place_end(struct gv_builder *b);
void gv_builder_place_close(struct gv_builder *b);

bool gv_builder_place_is_open(const struct gv_builder *b);

// Whether the place should close soon: all code behind it waits in memory.
bool gv_builder_place_is_far(const struct gv_builder *b);

// ---- memory observations ----

// The current command reads [address, address + size) of the application's memory space
// `space` (a front-end's own number), whose content now is `data`. Use the result
// (plus gv_observed_at for a part of it) for BYTES in calls of the same command.
// The window's observations are merged into disjoint islands of volatile memory that
// keep the address modulo 64; unchanged 4 KiB blocks are not stored or fetched again.
struct gv_contents gv_builder_observe(struct gv_builder *b, uint32_t space,
                                      uint64_t address, const void *data,
                                      uint64_t size);
// The address `offset` bytes into an observed range.
struct gv_contents gv_observed_at(struct gv_contents observed, uint64_t offset);

// Bytes for a call's BYTES argument that were nearly the same last time: a block of
// volatile memory, one per `id` (a front-end's own number), into which only the words
// that changed are written. The result is good for calls until the next
// gv_builder_block of that id, with a SIZE of at most `size`; `data` must last as long.
// Where a block would not pay (small or huge contents, those that differ everywhere,
// too many ids) it is gv_data(data). A block may be read shorter or longer than last
// time.
struct gv_contents gv_builder_block(struct gv_builder *b, uint64_t id, const void *data,
                                    uint64_t size);
#define GV_BLOCK_MAX_BYTES ((uint64_t)1 << 20)

// What a front-end computes of 4x4 matrices (vm/matrix/matrix.h): blocks that hold it
// are then made of the factors where these take less, by the machine. It is found by
// content, on multiples of 16 bytes of a block: the product whole, of the inverse three
// columns. What is not true to the bit is not taken.
void gv_builder_product(struct gv_builder *b, const float product[16],
                        const float left[16], const float right[16]);
void gv_builder_inverse(struct gv_builder *b, const float of[16]);

// Writes bytes into a live MAP object (from buffer_map) at `offset`: the machine copies
// them there before the next call; map_flush or buffer_unmap hands them on
// (map_close does not).
void gv_builder_map_write(struct gv_builder *b, struct gv_map map, uint64_t offset,
                          const void *data, uint64_t size);

// Pointers into [base, base + size) stay valid, and their bytes unchanged, until the
// builder is destroyed (a mapped capture): what lies there is never copied.
void gv_builder_set_stable(struct gv_builder *b, const void *base, size_t size);

// ---- tables ----

uint32_t gv_builder_export(struct gv_builder *b,
                           const struct gv_export *e); // by name, once
// Features, extensions and formats follow from the calls; front-ends add what cannot be
// seen.
void gv_builder_require(struct gv_builder *b, const struct gv_requirement *r);
// Counted once per (severity, code, text); the first position is kept. What is left out
// is GV_UNSUPPORTED, code "unsupported", and its name as the text.
void gv_builder_diagnose(struct gv_builder *b, enum gv_severity severity,
                         const char *code, const char *format, ...) GV_PRINTF(4, 5);
// All of them so far; borrowed until the next call of the builder.
const struct gv_diagnostics *gv_builder_diagnostics(const struct gv_builder *b);
// Whether the target of this compile has a format (GV_FORMAT_*). A front-end decodes
// ahead of time what it lacks.
bool gv_builder_target_has_format(const struct gv_builder *b, uint32_t format);
// Whether the target is known to have a feature, as Vulkan spells it. A front-end takes
// another way, or two (gv_builder_either_begin), where it is not.
bool gv_builder_target_has_feature(const struct gv_builder *b, const char *feature);
// The byte and command of the current position, for errors; the command by its own
// number.
uint64_t gv_builder_offset(const struct gv_builder *b);
uint64_t gv_builder_current_command(const struct gv_builder *b);

// True (and `err` filled) once something has failed. Front-ends look now and then.
bool gv_builder_failed(const struct gv_builder *b, struct gv_error *err);

// ---- lifetime: for gv_compile and tests, not for front-ends ----

struct gv_payload_writer;
struct gv_target;

struct gv_builder_params {
    struct gv_payload_writer *writer; // borrowed; closed by the caller afterwards
    const struct gv_target
        *target;           // compiler/builder/targets.h; borrowed; NULL = desktop
    bool strict;           // an `unsupported` diagnostic is an error
    bool live;             // a batch of the payload ends with every frame
    uint64_t memory_limit; // bytes declared beyond which it warns; 0: none
};

struct gv_builder_totals {
    uint64_t commands, frames, instructions, resources, resource_bytes;
    uint64_t unsupported; // occurrences
};

// NULL when memory runs out.
struct gv_builder *gv_builder_create(const struct gv_builder_params *params,
                                     struct gv_error *err);
void gv_builder_destroy(struct gv_builder *b);

// Writes what is still open: the tail, diagnostics, final limits and requirements.
// `totals` may be NULL.
bool gv_builder_finish(struct gv_builder *b, struct gv_builder_totals *totals,
                       struct gv_error *err);

#endif

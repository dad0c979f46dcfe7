// Writes AeroGPU captures: containers of both versions, command streams, blobs,
// submissions. For tests and generators; checks nothing, so that it can write what
// readers must refuse.
#ifndef GV_AEROGPU_ENCODER_H
#define GV_AEROGPU_ENCODER_H

#include "compiler/aerogpu/trace/cmd_stream.h"
#include "compiler/aerogpu/trace/gpu_trace.h"
#include "resources/base/bytes.h"

#define AERO_ABI 0x00010004u // the newest command stream

// ---- command streams ----

// Zero-initialise, then aero_stream_begin.
struct aero_stream {
    struct gv_bytes bytes;
    size_t packet; // start of the last one
};

void aero_stream_begin(struct aero_stream *s, uint32_t abi);
void aero_stream_end(struct aero_stream *s); // fills in the size
void aero_stream_finish(struct aero_stream *s);

// One packet of dwords. AERO_CMD(s, CLEAR, 1, ...) takes them as arguments.
void aero_cmd(struct aero_stream *s, uint32_t opcode, const uint32_t *dwords,
              size_t count);
#define AERO_CMD(s, name, ...)                                      \
    aero_cmd((s), GV_CMD_##name, (const uint32_t[]){ __VA_ARGS__ }, \
             sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))
// Appends bytes to the last packet, padded to 4.
void aero_cmd_data(struct aero_stream *s, const void *data, size_t size);

uint32_t aero_f32(float value); // its bits

void aero_create_buffer(struct aero_stream *s, uint32_t handle, uint32_t usage,
                        uint64_t size);
void aero_create_texture(struct aero_stream *s, uint32_t handle, uint32_t usage,
                         uint32_t format, uint32_t width, uint32_t height,
                         uint32_t mips, uint32_t layers);
void aero_upload(struct aero_stream *s, uint32_t handle, uint64_t offset,
                 const void *data, size_t size);
// A buffer with its content.
void aero_make_buffer(struct aero_stream *s, uint32_t handle, uint32_t usage,
                      const void *data, size_t size);
void aero_create_shader(struct aero_stream *s, uint32_t handle, uint32_t stage,
                        const void *blob, size_t size);
void aero_bind_shaders(struct aero_stream *s, uint32_t vs, uint32_t ps);
void aero_set_target(struct aero_stream *s, uint32_t color, uint32_t depth);
void aero_set_viewport(struct aero_stream *s, float x, float y, float w, float h);
void aero_clear(struct aero_stream *s, uint32_t flags, float r, float g, float b,
                float a, float depth, uint32_t stencil);
void aero_set_vertex_buffer(struct aero_stream *s, uint32_t slot, uint32_t buffer,
                            uint32_t stride, uint32_t offset);
void aero_draw(struct aero_stream *s, uint32_t vertices);
void aero_present(struct aero_stream *s);

// One element of an ILAY blob.
struct aero_element {
    const char *semantic; // upper case
    uint32_t index, format, slot, offset, instance, step;
};
void aero_create_layout(struct aero_stream *s, uint32_t handle,
                        const struct aero_element *elements, size_t count);

// ---- files ----

// Zero-initialise, then aero_file_begin.
struct aero_file {
    struct gv_bytes bytes;
    uint32_t version;
    uint64_t next_blob, frame_start, present;
    uint32_t frame_count;
    struct gv_bytes toc; // entries so far
    bool in_frame;
};

struct aero_memory {
    uint32_t alloc_id, flags;
    uint64_t gpa;
    const void *data;
    size_t size;
};

void aero_file_begin(struct aero_file *f, uint32_t version, uint32_t abi);
void aero_record(struct aero_file *f, uint8_t type, const void *payload, size_t size);
uint64_t aero_blob(struct aero_file *f, uint32_t kind, const void *data, size_t size);
void aero_begin_frame(struct aero_file *f);
void aero_present_record(struct aero_file *f);
void aero_end_frame(struct aero_file *f);
// Writes the stream as a blob and a submission of it with its memory; an allocation
// table too where memory has flags.
void aero_submit(struct aero_file *f, uint32_t context, struct aero_stream *s,
                 const struct aero_memory *memory, size_t count);
// A whole frame of one submission: begin, submit, Present, end.
void aero_frame(struct aero_file *f, struct aero_stream *s);
// Table of contents and footer.
void aero_file_end(struct aero_file *f);
void aero_file_finish(struct aero_file *f);

#endif

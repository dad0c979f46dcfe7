#include "tests/aerogpu/aerogpu_encoder.h"

#include <string.h>

// ---- command streams ----

uint32_t aero_f32(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void patch_u32(struct gv_bytes *b, size_t at, size_t value)
{
    for (size_t i = 0; i < 4; i++)
        b->data[at + i] = (uint8_t)(value >> (8 * i));
}

void aero_stream_begin(struct aero_stream *s, uint32_t abi)
{
    s->bytes.size = 0;
    gv_bytes_u32(&s->bytes, GV_CMD_STREAM_MAGIC);
    gv_bytes_u32(&s->bytes, abi);
    for (size_t i = 0; i < 4; i++)
        gv_bytes_u32(&s->bytes, 0);
}

void aero_stream_end(struct aero_stream *s)
{
    patch_u32(&s->bytes, 8, s->bytes.size);
}

void aero_stream_finish(struct aero_stream *s)
{
    gv_bytes_finish(&s->bytes);
}

void aero_cmd(struct aero_stream *s, uint32_t opcode, const uint32_t *dwords,
              size_t count)
{
    s->packet = s->bytes.size;
    gv_bytes_u32(&s->bytes, opcode);
    gv_bytes_u32(&s->bytes, (uint32_t)(8 + 4 * count));
    for (size_t i = 0; i < count; i++)
        gv_bytes_u32(&s->bytes, dwords[i]);
}

void aero_cmd_data(struct aero_stream *s, const void *data, size_t size)
{
    gv_bytes_put(&s->bytes, data, size);
    while ((s->bytes.size - s->packet) % 4)
        gv_bytes_u8(&s->bytes, 0);
    patch_u32(&s->bytes, s->packet + 4, s->bytes.size - s->packet);
}

void aero_create_buffer(struct aero_stream *s, uint32_t handle, uint32_t usage,
                        uint64_t size)
{
    AERO_CMD(s, CREATE_BUFFER, handle, usage, (uint32_t)size, (uint32_t)(size >> 32), 0,
             0, 0, 0);
}

void aero_create_texture(struct aero_stream *s, uint32_t handle, uint32_t usage,
                         uint32_t format, uint32_t width, uint32_t height,
                         uint32_t mips, uint32_t layers)
{
    AERO_CMD(s, CREATE_TEXTURE2D, handle, usage, format, width, height, mips, layers, 0,
             0, 0, 0, 0);
}

void aero_upload(struct aero_stream *s, uint32_t handle, uint64_t offset,
                 const void *data, size_t size)
{
    AERO_CMD(s, UPLOAD_RESOURCE, handle, 0, (uint32_t)offset, (uint32_t)(offset >> 32),
             (uint32_t)size, 0);
    aero_cmd_data(s, data, size);
}

void aero_make_buffer(struct aero_stream *s, uint32_t handle, uint32_t usage,
                      const void *data, size_t size)
{
    aero_create_buffer(s, handle, usage, size);
    aero_upload(s, handle, 0, data, size);
}

void aero_create_shader(struct aero_stream *s, uint32_t handle, uint32_t stage,
                        const void *blob, size_t size)
{
    AERO_CMD(s, CREATE_SHADER_DXBC, handle, stage, (uint32_t)size, 0);
    aero_cmd_data(s, blob, size);
}

void aero_bind_shaders(struct aero_stream *s, uint32_t vs, uint32_t ps)
{
    AERO_CMD(s, BIND_SHADERS, vs, ps, 0, 0);
}

void aero_set_target(struct aero_stream *s, uint32_t color, uint32_t depth)
{
    AERO_CMD(s, SET_RENDER_TARGETS, color ? 1 : 0, depth, color, 0, 0, 0, 0, 0, 0, 0);
}

void aero_set_viewport(struct aero_stream *s, float x, float y, float w, float h)
{
    AERO_CMD(s, SET_VIEWPORT, aero_f32(x), aero_f32(y), aero_f32(w), aero_f32(h),
             aero_f32(0), aero_f32(1));
}

void aero_clear(struct aero_stream *s, uint32_t flags, float r, float g, float b,
                float a, float depth, uint32_t stencil)
{
    AERO_CMD(s, CLEAR, flags, aero_f32(r), aero_f32(g), aero_f32(b), aero_f32(a),
             aero_f32(depth), stencil);
}

void aero_set_vertex_buffer(struct aero_stream *s, uint32_t slot, uint32_t buffer,
                            uint32_t stride, uint32_t offset)
{
    AERO_CMD(s, SET_VERTEX_BUFFERS, slot, 1, buffer, stride, offset, 0);
}

void aero_draw(struct aero_stream *s, uint32_t vertices)
{
    AERO_CMD(s, DRAW, vertices, 1, 0, 0);
}

void aero_present(struct aero_stream *s)
{
    AERO_CMD(s, PRESENT, 0, 0);
}

static uint32_t fnv1a(const char *text)
{
    uint32_t hash = 2166136261u;
    for (; *text; text++)
        hash = (hash ^ (uint8_t)*text) * 16777619u;
    return hash;
}

void aero_create_layout(struct aero_stream *s, uint32_t handle,
                        const struct aero_element *elements, size_t count)
{
    struct gv_bytes blob = { 0 };
    gv_bytes_put(&blob, "ILAY", 4);
    gv_bytes_u32(&blob, 1);
    gv_bytes_u32(&blob, (uint32_t)count);
    gv_bytes_u32(&blob, 0);
    for (size_t i = 0; i < count; i++) {
        const struct aero_element *e = &elements[i];
        const uint32_t words[] = { fnv1a(e->semantic), e->index,    e->format, e->slot,
                                   e->offset,          e->instance, e->step };
        for (size_t k = 0; k < 7; k++)
            gv_bytes_u32(&blob, words[k]);
    }
    AERO_CMD(s, CREATE_INPUT_LAYOUT, handle, (uint32_t)blob.size, 0);
    aero_cmd_data(s, blob.data, blob.size);
    gv_bytes_finish(&blob);
}

// ---- files ----

void aero_file_begin(struct aero_file *f, uint32_t version, uint32_t abi)
{
    static const char meta[] = "{\"emulator_version\":\"gpuvm-tests\"}";
    f->version = version;
    f->next_blob = 1;
    gv_bytes_put(&f->bytes, GV_TRACE_MAGIC, 8);
    gv_bytes_u32(&f->bytes, GV_TRACE_HEADER_SIZE);
    gv_bytes_u32(&f->bytes, version);
    gv_bytes_u32(&f->bytes, abi);
    gv_bytes_u32(&f->bytes, 0);
    gv_bytes_u32(&f->bytes, sizeof meta - 1);
    gv_bytes_u32(&f->bytes, 0);
    gv_bytes_put(&f->bytes, meta, sizeof meta - 1);
}

static void record_header(struct aero_file *f, uint8_t type, size_t size)
{
    gv_bytes_u8(&f->bytes, type);
    gv_bytes_u8(&f->bytes, 0);
    gv_bytes_u16(&f->bytes, 0);
    gv_bytes_u32(&f->bytes, (uint32_t)size);
}

void aero_record(struct aero_file *f, uint8_t type, const void *payload, size_t size)
{
    record_header(f, type, size);
    gv_bytes_put(&f->bytes, payload, size);
}

uint64_t aero_blob(struct aero_file *f, uint32_t kind, const void *data, size_t size)
{
    record_header(f, GV_TRACE_BLOB, size + GV_TRACE_BLOB_HEADER);
    gv_bytes_u64(&f->bytes, f->next_blob);
    gv_bytes_u32(&f->bytes, kind);
    gv_bytes_u32(&f->bytes, 0);
    gv_bytes_put(&f->bytes, data, size);
    return f->next_blob++;
}

void aero_begin_frame(struct aero_file *f)
{
    f->frame_start = f->bytes.size;
    f->present = 0;
    record_header(f, GV_TRACE_BEGIN_FRAME, 4);
    gv_bytes_u32(&f->bytes, f->frame_count);
}

void aero_present_record(struct aero_file *f)
{
    f->present = f->bytes.size;
    record_header(f, GV_TRACE_PRESENT, 4);
    gv_bytes_u32(&f->bytes, f->frame_count);
}

void aero_end_frame(struct aero_file *f)
{
    gv_bytes_u32(&f->toc, f->frame_count++);
    gv_bytes_u32(&f->toc, 0);
    gv_bytes_u64(&f->toc, f->frame_start);
    gv_bytes_u64(&f->toc, f->present);
    gv_bytes_u64(&f->toc, f->bytes.size);
}

// The allocation table that says the flags of the memory; 0 where there are none.
static uint64_t alloc_table(struct aero_file *f, const struct aero_memory *memory,
                            size_t count)
{
    struct gv_bytes table = { 0 };
    uint32_t flags = 0;
    for (size_t i = 0; i < count; i++)
        flags |= memory[i].flags;
    if (!flags)
        return 0;
    const uint32_t head[] = { 0x434F4C41,      0x10000, (uint32_t)(24 + 32 * count),
                              (uint32_t)count, 32,      0 };
    for (size_t i = 0; i < 6; i++)
        gv_bytes_u32(&table, head[i]);
    for (size_t i = 0; i < count; i++) {
        gv_bytes_u32(&table, memory[i].alloc_id);
        gv_bytes_u32(&table, memory[i].flags);
        gv_bytes_u64(&table, memory[i].gpa);
        gv_bytes_u64(&table, memory[i].size);
        gv_bytes_u64(&table, 0);
    }
    uint64_t id = aero_blob(f, GV_BLOB_ALLOC_TABLE, table.data, table.size);
    gv_bytes_finish(&table);
    return id;
}

void aero_submit(struct aero_file *f, uint32_t context, struct aero_stream *s,
                 const struct aero_memory *memory, size_t count)
{
    uint64_t blobs[16];
    aero_stream_end(s);
    uint64_t commands = aero_blob(f, GV_BLOB_COMMANDS, s->bytes.data, s->bytes.size);
    for (size_t i = 0; i < count; i++)
        blobs[i] = aero_blob(f, GV_BLOB_MEMORY, memory[i].data, memory[i].size);
    uint64_t table = alloc_table(f, memory, count);
    record_header(f, GV_TRACE_SUBMISSION,
                  GV_TRACE_SUBMISSION_SIZE + count * GV_TRACE_RANGE_SIZE);
    const uint32_t head[] = { 1, GV_TRACE_SUBMISSION_SIZE, 1, context, 0, 0 };
    for (size_t i = 0; i < 6; i++)
        gv_bytes_u32(&f->bytes, head[i]);
    gv_bytes_u64(&f->bytes, 1); // fence
    gv_bytes_u64(&f->bytes, commands);
    gv_bytes_u64(&f->bytes, table);
    gv_bytes_u32(&f->bytes, (uint32_t)count);
    gv_bytes_u32(&f->bytes, 0);
    for (size_t i = 0; i < count; i++) {
        gv_bytes_u32(&f->bytes, memory[i].alloc_id);
        gv_bytes_u32(&f->bytes, memory[i].flags);
        gv_bytes_u64(&f->bytes, memory[i].gpa);
        gv_bytes_u64(&f->bytes, memory[i].size);
        gv_bytes_u64(&f->bytes, blobs[i]);
    }
}

void aero_frame(struct aero_file *f, struct aero_stream *s)
{
    aero_begin_frame(f);
    aero_submit(f, 0, s, NULL, 0);
    aero_present_record(f);
    aero_end_frame(f);
}

void aero_file_end(struct aero_file *f)
{
    uint64_t toc = f->bytes.size;
    gv_bytes_put(&f->bytes, "AEROTOC\0", 8);
    gv_bytes_u32(&f->bytes, 1);
    gv_bytes_u32(&f->bytes, f->frame_count);
    if (f->toc.size)
        gv_bytes_put(&f->bytes, f->toc.data, f->toc.size);
    uint64_t size = f->bytes.size - toc;
    gv_bytes_put(&f->bytes, "AEROGPUF", 8);
    gv_bytes_u32(&f->bytes, GV_TRACE_HEADER_SIZE);
    gv_bytes_u32(&f->bytes, f->version);
    gv_bytes_u64(&f->bytes, toc);
    gv_bytes_u64(&f->bytes, size);
}

void aero_file_finish(struct aero_file *f)
{
    gv_bytes_finish(&f->bytes);
    gv_bytes_finish(&f->toc);
}

#include "tests/vm/vm_fixture.h"

#include "tests/helpers.h"
#include "tests/test.h"
#include "vm/descs.h"
#include "vm/formats.h"
#include "vm/payload/payload_writer.h"

static const enum gv_call imports[F_IMPORT_COUNT] = {
    [F_BUFFER_CREATE] = GV_CALL_buffer_create,
    [F_UPLOAD] = GV_CALL_buffer_upload,
    [F_MAP] = GV_CALL_buffer_map,
    [F_FLUSH] = GV_CALL_map_flush,
    [F_FRAME_END] = GV_CALL_frame_end,
    [F_DRAW] = GV_CALL_draw,
    [F_SAMPLER] = GV_CALL_sampler_create,
    [F_POST] = GV_CALL_post_buffer,
    [F_DISPATCH] = GV_CALL_dispatch,
    [F_BIND_VERTEX] = GV_CALL_bind_vertex_buffer,
    [F_BIND_INDEX] = GV_CALL_bind_index_buffer,
    [F_TEXEL] = GV_CALL_bind_texel_buffer,
    [F_UNMAP] = GV_CALL_buffer_unmap,
    [F_CLEAR] = GV_CALL_clear_color,
};

static void add_constants(struct gv_payload_writer *w)
{
    struct gv_bytes constants = { 0 };
    gv_sampler_desc_encode(&(struct gv_sampler_desc){ .max_lod = 4 }, &constants);
    CHECK(constants.size == F_DESC_SIZE);
    while (constants.size < F_CONSTANTS)
        gv_bytes_u8(&constants, (uint8_t)constants.size);
    CHECK(gv_writer_constant(w, constants.data, constants.size, 1) == 0);
    gv_bytes_finish(&constants);
}

static void add_resource(struct gv_payload_writer *w, size_t size, uint8_t first)
{
    uint8_t bytes[F_RESOURCE_0 + F_RESOURCE_1];
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)(first + i);
    gv_writer_resource(w, bytes, size);
}

static uint32_t stack_cells(uint32_t stack)
{
    return stack == F_NO_STACK ? 0 : stack ? stack : F_STACK;
}

static void add_tables(struct gv_payload_writer *w, const struct fixture_params *p)
{
    gv_writer_provenance(w, "{}");
    for (uint8_t i = 0; i < F_REQUIREMENTS; i++) // needed, preferred, alternative
        CHECK(gv_writer_require(w, &(struct gv_requirement){ GV_REQUIRE_FEATURE, i,
                                                             "wideLines", 0, "" }) ==
              i);
    for (size_t i = 0; i < F_IMPORT_COUNT; i++)
        CHECK(gv_writer_import(w, imports[i]) == i);
    gv_writer_slot(w, (struct gv_slot_info){ GV_KIND_BUFFER, 0 });
    gv_writer_slot(w, (struct gv_slot_info){ GV_KIND_MAP, F_MAP_SIZE });
    gv_writer_slot(w, (struct gv_slot_info){ GV_KIND_SAMPLER, 0 });
    gv_writer_limits(
        w, &(struct gv_limits){
               .volatile_bytes = p->volatile_bytes ? p->volatile_bytes : F_VOLATILE,
               .map_bytes = F_MAP_SIZE,
               .stack_cells = stack_cells(p->stack),
               .objects = 8,
               .instructions = p->instructions ? p->instructions : 1000,
               .object_bytes = 4096,
           });
    gv_writer_export(w, &(struct gv_export){ "data", GV_KIND_BUFFER, 0, 0, 0 });
    gv_writer_export(w, &(struct gv_export){ "color0", GV_KIND_IMAGE,
                                             GV_FORMAT_R8G8B8A8_UNORM, 4, 4 });
    add_constants(w);
    add_resource(w, F_RESOURCE_0, 0);
    add_resource(w, F_RESOURCE_1, 100);
}

static void add_code(struct gv_payload_writer *w, const struct fixture_params *p)
{
    gv_writer_commands(w, UINT32_MAX);
    for (size_t i = 0; i < p->use_count; i++)
        gv_writer_use(w, p->uses[i]);
    uint64_t command = 0;
    for (uint32_t i = 0; i < p->chunk_count; i++) {
        const struct fixture_chunk *c = &p->chunks[i];
        gv_writer_chunk(w, c->code, c->size, c->first_command, c->first_resource);
        if (i >= p->frame_count)
            continue;
        bool last = i + 1 == p->chunk_count;
        // A frame owns the commands that begin in it, the next one those that follow.
        struct gv_frame frame = {
            .chunk_begin = i,
            .chunk_end = i + 1,
            .command_begin = command,
            .command_end = last ? UINT32_MAX : c[1].first_command + 1,
            .schedule = c->schedule,
        };
        gv_writer_frame(w, &frame);
        command = frame.command_end;
    }
}

void fixture_open(struct vm_fixture *f, const struct fixture_params *params)
{
    struct gv_error err = GV_ERROR_INIT;
    memset(f, 0, sizeof *f);
    struct gv_payload_writer *w = gv_payload_writer_create(
        &(struct gv_writer_params){
            .write = gv_test_append, .context = &f->file, .level = 3, .jobs = 1 },
        &err);
    if (w) {
        add_tables(w, params);
        add_code(w, params);
    }
    bool good = w && gv_writer_close(w, true, &err) && !f->file.failed &&
                gv_payload_open_memory(&f->payload, f->file.data, f->file.size,
                                       UINT64_C(1) << 30, &err);
    gv_payload_writer_destroy(w);
    if (!good) {
        fprintf(stderr, "fixture: %s\n", err.message);
        exit(EXIT_FAILURE);
    }
}

void fixture_close(struct vm_fixture *f)
{
    gv_payload_finish(&f->payload);
    gv_bytes_finish(&f->file);
}

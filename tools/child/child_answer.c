#include "tools/child/child_answer.h"

#include <string.h>

#include "tools/library/library.h"

void gv_child_results_init(struct gv_child_results *results)
{
    *results = (struct gv_child_results){ .memory = GV_SHARED_MEMORY_NONE };
}

void gv_child_results_finish(struct gv_child_results *results)
{
    gv_shared_memory_finish(&results->memory);
}

// Room for so many bytes. False: `m` says that there is none.
static bool make_room(struct gv_child_results *results, uint64_t size,
                      struct gv_spawn_message *m)
{
    struct gv_error err = GV_ERROR_INIT;
    if (size <= (results->memory.bytes ? results->memory.size : 0))
        return true;
    gv_shared_memory_finish(&results->memory);
    results->is_new = size <= SIZE_MAX / 2 &&
                      gv_shared_memory_make(&results->memory, (size_t)size, &err);
    if (results->is_new)
        return true;
    gv_out_of_memory(&err);
    gv_library_fail(&m->error, &err, GV_PHASE_RUN, NULL);
    return false;
}

void gv_child_put_facts(struct gv_child_results *results, struct gv_spawn_message *m,
                        const gpuvm_payload *payload)
{
    struct gv_spawn_facts facts = {
        .frames = gpuvm_frame_count(payload),
        .commands = gpuvm_command_count(payload),
        .exports = gpuvm_export_count(payload),
        .thin = (uint32_t)gpuvm_is_thin(payload),
    };
    for (uint64_t i = 0; i < facts.exports; i++)
        facts.name_bytes += strlen(gpuvm_export_name(payload, i)) + 1;
    const uint64_t row = sizeof(struct gpuvm_frame);
    if (!make_room(results, facts.frames * row + facts.name_bytes, m))
        return;
    uint8_t *to = results->memory.bytes;
    for (uint64_t i = 0; i < facts.frames; i++, to += row) {
        struct gpuvm_frame frame;
        gpuvm_frame_info(payload, i, &frame);
        memcpy(to, &frame, row);
    }
    for (uint64_t i = 0; i < facts.exports; i++) {
        const char *name = gpuvm_export_name(payload, i);
        memcpy(to, name, strlen(name) + 1);
        to += strlen(name) + 1;
    }
    m->facts = facts;
}

void gv_child_put_picture(struct gv_child_results *results, struct gv_spawn_message *m,
                          gpuvm_replay *replay)
{
    struct gpuvm_picture picture;
    m->width = m->height = 0;
    if (gpuvm_get_picture(replay, &picture, &m->error) != GPUVM_OK)
        return;
    const uint64_t size = (uint64_t)picture.width * picture.height * 4;
    if (size == 0 || !make_room(results, size, m))
        return;
    memcpy(results->memory.bytes, picture.rgba, (size_t)size);
    m->width = picture.width;
    m->height = picture.height;
}

void gv_child_put_export(struct gv_child_results *results, struct gv_spawn_message *m,
                         gpuvm_replay *replay)
{
    struct gpuvm_export bytes;
    m->count = 0;
    if (gpuvm_get_export(replay, gv_spawn_text(m), &bytes, &m->error) != GPUVM_OK ||
        !make_room(results, bytes.size, m))
        return;
    if (bytes.size)
        memcpy(results->memory.bytes, bytes.data, bytes.size);
    m->count = bytes.size;
    m->format = bytes.format;
    m->width = bytes.width;
    m->height = bytes.height;
}

bool gv_child_answer(struct gv_child_results *results, struct gv_spawn_message *m,
                     const gpuvm_replay *replay, int line)
{
    const int passed = results->is_new ? results->memory.fd : -1;
    m->word = GV_SPAWN_ANSWER;
    m->number = results->memory.size;
    if (replay)
        gpuvm_get_stats(replay, &m->stats, sizeof m->stats);
    results->is_new = false;
    return gv_spawn_line_send(line, m, passed);
}

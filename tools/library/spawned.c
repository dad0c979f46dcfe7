#include "tools/library/spawned.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tools/library/spawn_ask.h"
#include "tools/library/spawn_process.h"

#define CLOSE_STEPS 250 // of 20 ms, in which a child may end its work
#define CLOSE_STEP_MS 20

static void ask_for(struct gv_spawned *s, enum gv_spawn_word word, uint64_t number)
{
    s->m.word = word;
    s->m.number = number;
    s->m.size = 0;
}

int gv_spawned_run(struct gv_spawned *s, enum gv_spawn_word word, uint64_t number,
                   struct gpuvm_error *error)
{
    ask_for(s, word, number);
    s->running = true;
    return gv_spawn_ask(s, -1, error);
}

// Whether the child has handed over so many bytes; if not, it is ended.
static bool has_bytes(struct gv_spawned *s, uint64_t wanted, int *status,
                      struct gpuvm_error *error)
{
    if (wanted == 0 || (s->results.bytes && wanted <= s->results.size))
        return true;
    *status =
        gv_spawn_lose(s, "lost: what the driver's process says makes no sense", error);
    return false;
}

int gv_spawned_picture(struct gv_spawned *s, struct gpuvm_picture *picture,
                       struct gpuvm_error *error)
{
    *picture = (struct gpuvm_picture){ 0 };
    ask_for(s, GV_SPAWN_PICTURE, 0);
    int status = gv_spawn_ask(s, -1, error);
    if (status != GPUVM_OK)
        return status;
    // Both are below 2^32: four times their product may be above 2^64.
    const uint64_t pixels = (uint64_t)s->m.width * s->m.height;
    if (has_bytes(s, pixels > UINT64_MAX / 4 ? UINT64_MAX : pixels * 4, &status, error))
        *picture = (struct gpuvm_picture){
            .width = s->m.width,
            .height = s->m.height,
            .rgba = pixels ? s->results.bytes : NULL,
        };
    return status;
}

int gv_spawned_export(struct gv_spawned *s, const char *name, struct gpuvm_export *out,
                      struct gpuvm_error *error)
{
    *out = (struct gpuvm_export){ 0 };
    ask_for(s, GV_SPAWN_EXPORT, 0);
    gv_spawn_put_text(&s->m, name);
    int status = gv_spawn_ask(s, -1, error);
    if (status == GPUVM_OK && has_bytes(s, s->m.count, &status, error))
        *out = (struct gpuvm_export){
            .data = s->m.count ? s->results.bytes : NULL,
            .size = (size_t)s->m.count,
            .format = s->m.format,
            .width = s->m.width,
            .height = s->m.height,
        };
    return status;
}

struct gpuvm_stats gv_spawned_stats(const struct gv_spawned *s)
{
    return s->stats;
}

const char *gv_spawned_device(const struct gv_spawned *s)
{
    return s->device;
}

const gpuvm_payload *gv_spawned_payload(const struct gv_spawned *s)
{
    return &s->facts;
}

// It saves what it keeps between runs, and closes its line.
static void wait_for_end(struct gv_spawned *s)
{
    enum gv_spawn_heard heard = GV_SPAWN_HEARD;
    shutdown(s->line, SHUT_WR);
    for (int i = 0; i < CLOSE_STEPS && heard != GV_SPAWN_ENDS; i++) {
        int passed = -1;
        heard = gv_spawn_line_take(s->line, &s->m, &passed, CLOSE_STEP_MS);
        if (heard == GV_SPAWN_HEARD && passed >= 0)
            close(passed);
    }
}

void gv_spawned_close(struct gv_spawned *s)
{
    if (!s)
        return;
    if (s->pid > 0 && s->open)
        wait_for_end(s);
    bool killed;
    if (s->pid > 0)
        gv_spawn_process_end(s->pid, &killed);
    if (s->line >= 0)
        close(s->line);
    if (s->position >= 0)
        close(s->position);
    gv_shared_memory_finish(&s->flag);
    gv_shared_memory_finish(&s->results);
    gv_bytes_finish(&s->object);
    free(s->facts.payload.frames);
    free(s->facts.payload.exports);
    free(s->names);
    free(s);
}

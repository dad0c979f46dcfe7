// A replay of the library: a payload, a runtime, and how far they are.
#include <stdlib.h>
#include <string.h>

#include "resources/base/foreign.h"
#include "tools/library/library.h"
#include "tools/library/spawned.h"
#include "tools/replay/replay_core.h"
#include "vm/machine/vm.h"

struct gpuvm_replay {
    struct gv_spawned *spawned;    // owned: a child does all of it; NULL
    struct gpuvm_payload *payload; // borrowed
    struct gpuvm_settings settings;
    struct gpuvm_cancel own_cancel; // where the caller gave none
    struct gpuvm_cancel *cancel;    // one of both
    struct gv_log log;
    struct gv_replay replay;
    enum gv_replay_place place;
    uint64_t frames_run;       // ended in all
    bool lost;                 // which the caller was told
    enum gv_phase phase;       // of what fails
    struct gv_picture picture; // handed out
    struct gv_bytes exported;  // handed out
};

static void write_log(void *context, enum gv_log_level level, const char *text)
{
    const struct gpuvm_replay *r = context;
    char line[1024];
    size_t length = strnlen(text, sizeof line - 1);
    memcpy(line, text, length);
    line[length] = '\0';
    gv_foreign_mask(line);
    r->settings.log(r->settings.context, (int)level, line);
}

static void drop_results(struct gpuvm_replay *r)
{
    gv_picture_finish(&r->picture);
    gv_bytes_finish(&r->exported);
}

static int fail(struct gpuvm_replay *r, struct gpuvm_error *error,
                const struct gv_error *err)
{
    const bool began = r->replay.vm && r->phase == GV_PHASE_RUN && !r->lost;
    gv_replay_failed(&r->replay, err);
    r->lost = r->replay.lost;
    return gv_library_fail_in(error, err, r->phase, r->cancel,
                              began ? gv_vm_frame(r->replay.vm) : GPUVM_NONE);
}

// Of what a caller asks, which spoils nothing.
static int refuse(struct gpuvm_error *error, const char *what, uint64_t number)
{
    struct gv_error err = GV_ERROR_INIT;
    gv_fail(&err, GV_ERR_USAGE, GV_NO_OFFSET, "%s %llu does not exist", what,
            (unsigned long long)number);
    return gv_library_fail(error, &err, GV_PHASE_RUN, NULL);
}

// ---- life ----

static bool open_device(struct gpuvm_replay *r, struct gv_progress *progress,
                        struct gv_error *err)
{
    const struct gpuvm_settings *s = &r->settings;
    const size_t count = r->payload->payload.export_count;
    struct gv_runtime_vulkan host;
    if (s->vulkan)
        host = gv_library_vulkan(s->vulkan);
    bool *wanted = malloc(count + 1);
    if (!wanted)
        return gv_out_of_memory(err);
    memset(wanted, s->flags & GPUVM_EXPORTS ? 1 : 0, count + 1);
    const struct gv_runtime_params params = {
        .device = s->device,
        .validate = s->flags & GPUVM_VALIDATE && !s->vulkan,
        .vulkan = s->vulkan ? &host : NULL,
        .memory_limit = s->memory,
        .timeout_ns = (uint64_t)s->timeout_ms * 1000000u,
        .cache_folder = s->cache_folder,
        .log = s->log ? &r->log : NULL,
        .progress = progress,
        .cancel = gv_library_flag(r->cancel),
    };
    const bool ok =
        gv_replay_open_device(&r->replay, &r->payload->payload, &params, wanted, err);
    free(wanted);
    return ok;
}

static bool open_machine(struct gpuvm_replay *r, struct gv_error *err)
{
    const struct gpuvm_settings *s = &r->settings;
    struct gv_source **sources =
        calloc(s->source_count + 1, sizeof(struct gv_source *));
    if (!sources)
        return gv_out_of_memory(err);
    for (size_t i = 0; i < s->source_count; i++)
        sources[i] = gv_library_source(s->sources[i]);
    const struct gv_vm_params machine = {
        .sources = sources,
        .source_count = s->source_count,
    };
    const bool ok = gv_replay_open_machine(&r->replay, &machine, err);
    free(sources);
    return ok;
}

#define ALL_FLAGS (GPUVM_VALIDATE | GPUVM_EXPORTS | GPUVM_IMAGES | GPUVM_NO_PICTURES)

// Whether the members behind ours, which a caller with a newer header has, are zero.
static bool is_known(const struct gpuvm_settings *s)
{
    const unsigned char *bytes = (const unsigned char *)s;
    for (size_t i = sizeof *s; i < s->size; i++)
        if (bytes[i])
            return false;
    return true;
}

const char *gv_library_settings(struct gpuvm_settings *own,
                                const struct gpuvm_settings *given)
{
    *own = (struct gpuvm_settings){ 0 };
    if (!given)
        return "no settings";
    // Members may be left out at the end, but not half of one.
    if (given->size == 0 || given->size % sizeof(void *))
        return "settings whose size is not set";
    memcpy(own, given, given->size < sizeof *own ? given->size : sizeof *own);
    if (!is_known(given) || own->flags & ~(uint32_t)ALL_FLAGS)
        return "settings that this version does not know";
    for (size_t i = 0; i < own->source_count; i++)
        if (!own->sources || !own->sources[i])
            return "a source that is none";
    if (!own->memory)
        own->memory = GV_LIBRARY_MEMORY;
    return own->vulkan ? gv_library_vulkan_fault(own->vulkan, true) : NULL;
}

gpuvm_replay *gpuvm_replay_create(gpuvm_payload *payload,
                                  const struct gpuvm_settings *settings,
                                  struct gpuvm_error *error)
{
    return gv_library_replay(payload, settings, NULL, error);
}

gpuvm_replay *gv_library_replay_in(struct gv_spawned *spawned, struct gv_error *err)
{
    struct gpuvm_replay *r = calloc(1, sizeof *r);
    if (r)
        r->spawned = spawned;
    else
        gv_out_of_memory(err);
    return r;
}

gpuvm_replay *gv_library_replay(gpuvm_payload *payload,
                                const struct gpuvm_settings *settings,
                                struct gv_progress *progress, struct gpuvm_error *error)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gpuvm_settings own;
    const char *fault = payload ? gv_library_settings(&own, settings) : "no payload";
    if (fault) {
        gv_library_misuse(error, fault);
        return NULL;
    }
    struct gpuvm_replay *r = calloc(1, sizeof *r);
    if (!r) {
        gv_out_of_memory(&err);
        gv_library_fail(error, &err, GV_PHASE_RUN, NULL);
        return NULL;
    }
    r->settings = own;
    r->payload = payload;
    r->cancel = r->settings.cancel ? r->settings.cancel : &r->own_cancel;
    r->log = (struct gv_log){ write_log, r };
    r->phase = GV_PHASE_RUN;
    bool opened = open_device(r, progress, &err);
    if (opened) // limits that fail now are what the payload declares
        r->phase = GV_PHASE_LOAD;
    if (opened && open_machine(r, &err)) {
        r->phase = GV_PHASE_RUN;
        gv_library_ok(error);
        return r;
    }
    fail(r, error, &err);
    gpuvm_replay_close(r);
    return NULL;
}

void gpuvm_replay_close(gpuvm_replay *r)
{
    if (!r)
        return;
    drop_results(r);
    gv_spawned_close(r->spawned);
    gv_replay_close(&r->replay);
    free(r);
}

// ---- running ----

static void want(struct gpuvm_replay *r, bool wanted)
{
    uint32_t flags = r->settings.flags;
    struct gv_runtime *runtime = r->replay.runtime;
    gv_runtime_want_pictures(runtime, wanted && !(flags & GPUVM_NO_PICTURES));
    gv_runtime_want_images(runtime, wanted && (flags & GPUVM_IMAGES));
}

static bool ended_frame(struct gpuvm_replay *r, struct gv_error *err)
{
    const struct gpuvm_settings *s = &r->settings;
    uint64_t frame = gv_vm_frame(r->replay.vm);
    r->frames_run++;
    if (!s->progress ||
        !s->progress(s->context, frame, r->payload->payload.frame_count))
        return true;
    atomic_store(&r->cancel->flag, true);
    return gv_fail_cancelled(err);
}

// One step. `*stop` is what ended it.
static bool step(struct gpuvm_replay *r, enum gv_stop *stop, struct gv_error *err)
{
    if (gv_is_cancelled(&r->cancel->flag))
        return gv_fail_cancelled(err);
    return gv_replay_run(&r->replay, stop, err) &&
           (*stop != GV_STOP_FRAME || ended_frame(r, err));
}

// Exports may have been posted before a keyframe, and by what a slice leaves out.
static bool run_to_frame(struct gpuvm_replay *r, uint64_t frame, struct gv_error *err)
{
    bool anew;
    if (!(r->settings.flags & GPUVM_EXPORTS
              ? gv_replay_near(&r->replay, frame, 0, &anew, err)
              : gv_replay_jump(&r->replay, frame, &anew, err)))
        return false;
    while (r->replay.next <= frame) {
        enum gv_stop stop = GV_STOP_END;
        want(r, r->replay.next == frame);
        if (!step(r, &stop, err))
            return false;
        if (stop == GV_STOP_END)
            return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                           "the code ends before the frame");
    }
    return true;
}

// Goes on if all of the code has run so far: between commands and behind the last frame
// there may be to see what keyframes and slices of frames have not.
static bool go_whole(struct gpuvm_replay *r, bool behind, struct gv_error *err)
{
    return (!behind && gv_replay_is_whole(&r->replay)) ||
           gv_replay_begin_anew(&r->replay, 0, err);
}

static bool run_to_command(struct gpuvm_replay *r, uint64_t command,
                           struct gv_error *err)
{
    enum gv_stop stop = GV_STOP_END;
    if (!go_whole(r, r->replay.ended || gv_vm_command(r->replay.vm) > command, err))
        return false;
    want(r, false);
    gv_vm_stop_at(r->replay.vm, command);
    do {
        if (!step(r, &stop, err))
            return false;
    } while (stop == GV_STOP_FRAME);
    return true;
}

static bool run_to_end(struct gpuvm_replay *r, struct gv_error *err)
{
    enum gv_stop stop = GV_STOP_END;
    uint64_t count = r->payload->payload.frame_count;
    if (!go_whole(r, false, err))
        return false;
    do {
        want(r, r->replay.next + 1 >= count);
        if (!step(r, &stop, err))
            return false;
    } while (stop != GV_STOP_END);
    return gv_runtime_finish(r->replay.runtime, err);
}

// Whether it stands there already.
static bool is_there(const struct gpuvm_replay *r, enum gv_replay_place place,
                     uint64_t number)
{
    return !r->replay.broken && r->place == place &&
           (place == GV_REPLAY_AT_END ||
            (place == GV_REPLAY_AT_FRAME && r->replay.next == number + 1));
}

static bool run_on(struct gpuvm_replay *r, enum gv_replay_place place, uint64_t number,
                   struct gv_error *err)
{
    switch (place) {
    case GV_REPLAY_AT_START:
        break;
    case GV_REPLAY_AT_FRAME:
        return run_to_frame(r, number, err);
    case GV_REPLAY_AT_COMMAND:
        return run_to_command(r, number, err);
    case GV_REPLAY_AT_END:
        return run_to_end(r, err);
    }
    return true;
}

static int run_to(struct gpuvm_replay *r, enum gv_replay_place place, uint64_t number,
                  struct gpuvm_error *error)
{
    struct gv_error err = GV_ERROR_INIT;
    static const enum gv_spawn_word words[] = {
        [GV_REPLAY_AT_FRAME] = GV_SPAWN_TO_FRAME,
        [GV_REPLAY_AT_COMMAND] = GV_SPAWN_TO_COMMAND,
        [GV_REPLAY_AT_END] = GV_SPAWN_TO_END,
    };
    if (r->spawned)
        return gv_spawned_run(r->spawned, words[place], number, error);
    drop_results(r);
    if (r->cancel == &r->own_cancel) // one that progress() has raised
        gpuvm_cancel_reset(r->cancel);
    if (is_there(r, place, number))
        return gv_library_ok(error);
    r->place = GV_REPLAY_AT_START; // unless it gets there
    bool ok = r->replay.lost ? gv_fail(&err, GV_ERR_LOST, GV_NO_OFFSET,
                                       "the device was lost before")
                             : run_on(r, place, number, &err);
    if (!ok)
        return fail(r, error, &err);
    r->place = place;
    return gv_library_ok(error);
}

int gpuvm_run_to_frame(gpuvm_replay *r, uint64_t frame, struct gpuvm_error *error)
{
    return frame < gpuvm_frame_count(gpuvm_replay_payload(r))
               ? run_to(r, GV_REPLAY_AT_FRAME, frame, error)
               : refuse(error, "frame", frame);
}

int gpuvm_run_to_command(gpuvm_replay *r, uint64_t command, struct gpuvm_error *error)
{
    return command < gpuvm_command_count(gpuvm_replay_payload(r))
               ? run_to(r, GV_REPLAY_AT_COMMAND, command, error)
               : refuse(error, "command", command);
}

int gpuvm_run_to_end(gpuvm_replay *r, struct gpuvm_error *error)
{
    return run_to(r, GV_REPLAY_AT_END, 0, error);
}

// ---- results ----

static bool take_picture(struct gpuvm_replay *r, struct gv_error *err)
{
    if (r->replay.broken || r->place == GV_REPLAY_AT_START)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "nothing was run");
    if (r->settings.flags & GPUVM_NO_PICTURES)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "pictures were not asked for");
    return gv_replay_picture(&r->replay, r->place, &r->picture, err);
}

// Misuse spoils nothing; what the device refuses does.
static int result(struct gpuvm_replay *r, bool ok, const struct gv_error *err,
                  struct gpuvm_error *error)
{
    if (ok)
        return gv_library_ok(error);
    return err->status == GV_ERR_USAGE ? gv_library_fail(error, err, GV_PHASE_RUN, NULL)
                                       : fail(r, error, err);
}

int gpuvm_get_picture(gpuvm_replay *r, struct gpuvm_picture *picture,
                      struct gpuvm_error *error)
{
    struct gv_error err = GV_ERROR_INIT;
    if (r->spawned)
        return gv_spawned_picture(r->spawned, picture, error);
    drop_results(r);
    bool ok = take_picture(r, &err);
    *picture = (struct gpuvm_picture){
        .width = r->picture.width,
        .height = r->picture.height,
        .rgba = r->picture.rgba,
    };
    return result(r, ok, &err, error);
}

int gpuvm_get_image(gpuvm_replay *r, struct gpuvm_image *image,
                    struct gpuvm_error *error)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_runtime_image own = { 0 };
    drop_results(r);
    bool ok = true;
    if (r->spawned)
        ok = gv_fail(&err, GV_ERR_USAGE, GV_NO_OFFSET,
                     "images of a child's device are not to be had");
    else if (!(r->settings.flags & GPUVM_IMAGES))
        ok = gv_fail(&err, GV_ERR_USAGE, GV_NO_OFFSET, "images were not asked for");
    else if (r->replay.broken || r->place == GV_REPLAY_AT_START ||
             r->place == GV_REPLAY_AT_COMMAND)
        ok = gv_fail(&err, GV_ERR_USAGE, GV_NO_OFFSET, "no frame was run");
    else
        ok = gv_runtime_frame_image(r->replay.runtime, &own, &err);
    *image = (struct gpuvm_image){
        .image = own.image,
        .format = own.format,
        .width = own.width,
        .height = own.height,
        .flipped = own.flipped,
        .opaque = own.opaque,
        .semaphore = own.semaphore,
        .value = own.value,
    };
    return result(r, ok, &err, error);
}

static bool find_export(const struct gv_payload *p, const char *name, uint32_t *number,
                        struct gv_error *err)
{
    for (*number = 0; *number < p->export_count; ++*number)
        if (strcmp(p->exports[*number].name, name) == 0)
            return true;
    return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                   "the payload has no export \"%.64s\"", name);
}

int gpuvm_get_export(gpuvm_replay *r, const char *name, struct gpuvm_export *out,
                     struct gpuvm_error *error)
{
    struct gv_error err = GV_ERROR_INIT;
    uint32_t number;
    if (r->spawned)
        return gv_spawned_export(r->spawned, name, out, error);
    drop_results(r);
    *out = (struct gpuvm_export){ 0 };
    bool ok = find_export(&r->payload->payload, name, &number, &err);
    if (ok && !(r->settings.flags & GPUVM_EXPORTS))
        ok = gv_fail(&err, GV_ERR_USAGE, GV_NO_OFFSET, "exports were not asked for");
    ok = ok && gv_runtime_export(r->replay.runtime, number, &r->exported, &out->format,
                                 &out->width, &out->height, &err);
    if (err.status == GV_ERR_FORMAT) // not posted yet: that spoils nothing
        err.status = GV_ERR_USAGE;
    out->data = r->exported.data;
    out->size = r->exported.size;
    return result(r, ok, &err, error);
}

static struct gpuvm_stats count(const struct gpuvm_replay *r)
{
    struct gv_vm_stats vm = { 0 };
    struct gv_runtime_stats rt = { 0 };
    gv_vm_get_stats(r->replay.vm, &vm);
    gv_runtime_get_stats(r->replay.runtime, &rt);
    return (struct gpuvm_stats){
        .frames = r->frames_run,
        .instructions = vm.instructions,
        .calls = vm.calls,
        .commands = vm.commands,
        .fetched_items = vm.fetched_items,
        .fetched_bytes = vm.fetched_bytes,
        .submissions = rt.submissions,
        .draws = rt.draws,
        .dispatches = rt.dispatches,
        .passes = rt.passes,
        .barriers = rt.barriers,
        .uploads = rt.uploads,
        .upload_bytes = rt.upload_bytes,
        .pipelines = rt.pipelines,
        .allocated_bytes = rt.allocated_bytes,
        .peak_allocated_bytes = rt.peak_allocated_bytes,
        .record_ns = rt.record_ns,
        .wait_ns = rt.wait_ns,
        .validation_messages = gv_runtime_validation_messages(r->replay.runtime),
        .exact = gv_replay_is_exact(&r->replay),
    };
}

void gpuvm_get_stats(const gpuvm_replay *r, struct gpuvm_stats *stats, size_t size)
{
    const struct gpuvm_stats all = r->spawned ? gv_spawned_stats(r->spawned) : count(r);
    memset(stats, 0, size);
    memcpy(stats, &all, size < sizeof all ? size : sizeof all);
}

const char *gpuvm_device_name(const gpuvm_replay *r)
{
    return r->spawned ? gv_spawned_device(r->spawned) : r->replay.device.name;
}

const gpuvm_payload *gpuvm_replay_payload(const gpuvm_replay *r)
{
    return r->spawned ? gv_spawned_payload(r->spawned) : r->payload;
}

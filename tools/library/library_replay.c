// A replay of the library: a payload, a runtime, and how far they are.
#include <stdlib.h>
#include <string.h>

#include "resources/base/foreign.h"
#include "tools/library/library.h"
#include "tools/library/spawned.h"
#include "vm/machine/vm.h"

// What was run to, which is what pictures are of.
enum place { AT_START, AT_FRAME, AT_COMMAND, AT_END };

struct gpuvm_replay {
    struct gv_spawned *spawned;    // owned: a child does all of it; NULL
    struct gpuvm_payload *payload; // borrowed
    struct gv_progress *progress;  // borrowed; may be NULL
    struct gpuvm_settings settings;
    struct gpuvm_cancel own_cancel; // where the caller gave none
    struct gpuvm_cancel *cancel;    // one of both
    struct gv_log log;
    struct gv_runtime *runtime;
    struct gv_vm *vm;
    struct gv_device_info device;
    enum place place;
    struct gv_payload view; // owned: the payload from a keyframe on
    bool late;              // that is what runs: what is older has not been made
    bool foreign;           // with contents that another device had
    uint64_t frames_done;   // ended, or passed over, since the beginning
    uint64_t frames_run;    // ended in all
    bool failed, lost;
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
    const bool began = r->vm && r->phase == GV_PHASE_RUN && !r->lost;
    int status = gv_library_fail_in(error, err, r->phase, r->cancel,
                                    began ? gv_vm_frame(r->vm) : GPUVM_NONE);
    r->failed = true;
    r->lost = r->lost || status == GPUVM_LOST;
    return status;
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

static bool keep_exports(struct gpuvm_replay *r, struct gv_error *err)
{
    size_t count = r->payload->payload.export_count;
    bool *wanted = malloc(count + 1);
    if (!wanted)
        return gv_out_of_memory(err);
    memset(wanted, r->settings.flags & GPUVM_EXPORTS ? 1 : 0, count + 1);
    gv_runtime_want_exports(r->runtime, wanted, count);
    free(wanted);
    return true;
}

static bool open_runtime(struct gpuvm_replay *r, struct gv_error *err)
{
    const struct gpuvm_settings *s = &r->settings;
    struct gv_runtime_vulkan host;
    if (s->vulkan)
        host = gv_library_vulkan(s->vulkan);
    const struct gv_runtime_params params = {
        .device = s->device,
        .validate = s->flags & GPUVM_VALIDATE && !s->vulkan,
        .memory_limit = s->memory,
        .timeout_ns = (uint64_t)s->timeout_ms * 1000000u,
        .cache_folder = s->cache_folder,
        .log = s->log ? &r->log : NULL,
        .progress = r->progress,
        .payload = &r->payload->payload,
        .vulkan = s->vulkan ? &host : NULL,
        .cancel = gv_library_flag(r->cancel),
    };
    r->runtime = gv_runtime_create(&params, err);
    if (!r->runtime)
        return false;
    gv_runtime_device(r->runtime, &r->device);
    return keep_exports(r, err);
}

static bool open_vm(struct gpuvm_replay *r, struct gv_error *err)
{
    const struct gpuvm_settings *s = &r->settings;
    struct gv_source **sources =
        calloc(s->source_count + 1, sizeof(struct gv_source *));
    if (!sources)
        return gv_out_of_memory(err);
    for (size_t i = 0; i < s->source_count; i++)
        sources[i] = gv_library_source(s->sources[i]);
    const struct gv_vm_params params = {
        .payload = &r->payload->payload,
        .host = gv_runtime_host(r->runtime),
        .sources = sources,
        .source_count = s->source_count,
        .memory_limit = s->memory,
        .log = s->log ? &r->log : NULL,
        .progress = r->progress,
        .cancel = gv_library_flag(r->cancel),
    };
    r->vm = gv_vm_create(&params, err);
    free(sources);
    return r->vm && gv_runtime_charge(r->runtime, gv_vm_memory(r->vm), err);
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
    r->progress = progress;
    r->cancel = r->settings.cancel ? r->settings.cancel : &r->own_cancel;
    r->log = (struct gv_log){ write_log, r };
    r->phase = GV_PHASE_RUN;
    bool opened = open_runtime(r, &err);
    if (opened) // limits that fail now are what the payload declares
        r->phase = GV_PHASE_LOAD;
    if (opened && open_vm(r, &err)) {
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
    if (!r->lost) {
        gv_vm_destroy(r->vm);
        gv_runtime_destroy(r->runtime);
    }
    gv_payload_view_finish(&r->view);
    free(r);
}

// ---- running ----

// With the first frame, or with a keyframe.
static bool begin(struct gpuvm_replay *r, const struct gv_keyframe *keyframe,
                  struct gv_error *err)
{
    struct gv_payload *p = &r->payload->payload;
    r->place = AT_START;
    r->frames_done = keyframe ? keyframe->frame : 0;
    if (!gv_runtime_reset(r->runtime, err))
        return false;
    gv_payload_view_finish(&r->view);
    r->late = keyframe != NULL;
    r->foreign = r->foreign ||
                 (keyframe &&
                  gv_keyframe_is_foreign(keyframe, r->device.name, r->device.driver));
    if (keyframe &&
        !gv_payload_view(&r->view, p, (size_t)(keyframe - p->keyframes), err))
        return false;
    if (!gv_vm_enter(r->vm, keyframe ? &r->view : p, NULL, err))
        return false;
    r->failed = false;
    return true;
}

static void want(struct gpuvm_replay *r, bool wanted)
{
    uint32_t flags = r->settings.flags;
    gv_runtime_want_pictures(r->runtime, wanted && !(flags & GPUVM_NO_PICTURES));
    gv_runtime_want_images(r->runtime, wanted && (flags & GPUVM_IMAGES));
}

static bool ended_frame(struct gpuvm_replay *r, struct gv_error *err)
{
    const struct gpuvm_settings *s = &r->settings;
    uint64_t frame = gv_vm_frame(r->vm);
    r->frames_done = frame + 1;
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
    return gv_vm_run(r->vm, stop, err) &&
           (*stop != GV_STOP_FRAME || ended_frame(r, err));
}

// `frame`: one that lies ahead.
static bool run_to_frame(struct gpuvm_replay *r, uint64_t frame, struct gv_error *err)
{
    while (r->frames_done <= frame) {
        enum gv_stop stop = GV_STOP_END;
        want(r, r->frames_done == frame);
        if (!step(r, &stop, err))
            return false;
        if (stop == GV_STOP_END)
            return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                           "the code ends before the frame");
    }
    r->place = AT_FRAME;
    return true;
}

static bool run_to_command(struct gpuvm_replay *r, uint64_t command,
                           struct gv_error *err)
{
    enum gv_stop stop = GV_STOP_END;
    want(r, false);
    gv_vm_stop_at(r->vm, command);
    do {
        if (!step(r, &stop, err))
            return false;
    } while (stop == GV_STOP_FRAME);
    r->place = AT_COMMAND;
    return true;
}

static bool run_to_end(struct gpuvm_replay *r, struct gv_error *err)
{
    enum gv_stop stop = GV_STOP_END;
    uint64_t count = r->payload->payload.frame_count;
    do {
        want(r, r->frames_done + 1 >= count);
        if (!step(r, &stop, err))
            return false;
    } while (stop != GV_STOP_END);
    r->place = AT_END;
    return gv_runtime_finish(r->runtime, err);
}

// Whether what is wanted lies behind, so that all begins anew.
static bool is_behind(const struct gpuvm_replay *r, enum place place, uint64_t number)
{
    if (r->failed)
        return true;
    // A frame in whose middle a command ended may have been presented, unseen.
    if (place == AT_FRAME)
        return r->frames_done > number ||
               (r->place == AT_COMMAND && r->frames_done == number);
    return place == AT_COMMAND && (r->place == AT_END || gv_vm_command(r->vm) > number);
}

// That a run to a frame may begin with. Exports may have been posted before it.
static const struct gv_keyframe *nearest(const struct gpuvm_replay *r, uint64_t frame)
{
    const struct gv_payload *p = &r->payload->payload;
    const size_t k = gv_payload_keyframe(p, frame);
    return k < p->keyframe_count && !(r->settings.flags & GPUVM_EXPORTS)
               ? &p->keyframes[k]
               : NULL;
}

// Goes on, or begins anew. What is between commands and behind the last frame may show
// what keyframes have not.
static bool approach(struct gpuvm_replay *r, enum place place, uint64_t number,
                     struct gv_error *err)
{
    const bool behind = is_behind(r, place, number);
    const struct gv_keyframe *k = place == AT_FRAME ? nearest(r, number) : NULL;
    if (place == AT_FRAME ? behind || (k && k->frame > r->frames_done)
                          : behind || r->late)
        return begin(r, k, err);
    return true;
}

static int run_to(struct gpuvm_replay *r, enum place place, uint64_t number,
                  struct gpuvm_error *error)
{
    struct gv_error err = GV_ERROR_INIT;
    static const enum gv_spawn_word words[] = {
        [AT_FRAME] = GV_SPAWN_TO_FRAME,
        [AT_COMMAND] = GV_SPAWN_TO_COMMAND,
        [AT_END] = GV_SPAWN_TO_END,
    };
    if (r->spawned)
        return gv_spawned_run(r->spawned, words[place], number, error);
    drop_results(r);
    if (r->cancel == &r->own_cancel) // one that progress() has raised
        gpuvm_cancel_reset(r->cancel);
    if (place == AT_FRAME && r->place == AT_FRAME && !r->failed &&
        r->frames_done == number + 1)
        return gv_library_ok(error);
    if (place == AT_END && r->place == AT_END && !r->failed)
        return gv_library_ok(error);
    bool ok =
        r->lost ? gv_fail(&err, GV_ERR_LOST, GV_NO_OFFSET, "the device was lost before")
                : approach(r, place, number, &err);
    if (ok && place == AT_FRAME)
        ok = run_to_frame(r, number, &err);
    else if (ok && place == AT_COMMAND)
        ok = run_to_command(r, number, &err);
    else if (ok)
        ok = run_to_end(r, &err);
    return ok ? gv_library_ok(error) : fail(r, error, &err);
}

int gpuvm_run_to_frame(gpuvm_replay *r, uint64_t frame, struct gpuvm_error *error)
{
    return frame < gpuvm_frame_count(gpuvm_replay_payload(r))
               ? run_to(r, AT_FRAME, frame, error)
               : refuse(error, "frame", frame);
}

int gpuvm_run_to_command(gpuvm_replay *r, uint64_t command, struct gpuvm_error *error)
{
    return command < gpuvm_command_count(gpuvm_replay_payload(r))
               ? run_to(r, AT_COMMAND, command, error)
               : refuse(error, "command", command);
}

int gpuvm_run_to_end(gpuvm_replay *r, struct gpuvm_error *error)
{
    return run_to(r, AT_END, 0, error);
}

// ---- results ----

static bool take_picture(struct gpuvm_replay *r, struct gv_error *err)
{
    if (r->failed || r->place == AT_START)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "nothing was run");
    if (r->settings.flags & GPUVM_NO_PICTURES)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "pictures were not asked for");
    if (r->place == AT_COMMAND)
        return gv_runtime_target_picture(r->runtime, &r->picture, err);
    bool ok = gv_runtime_frame_picture(r->runtime, &r->picture, err);
    // The end shows what was presented last, or else what was drawn to.
    if (ok && r->place == AT_END && r->picture.width == 0)
        ok = gv_runtime_target_picture(r->runtime, &r->picture, err);
    return ok;
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
    else if (r->failed || r->place == AT_START || r->place == AT_COMMAND)
        ok = gv_fail(&err, GV_ERR_USAGE, GV_NO_OFFSET, "no frame was run");
    else
        ok = gv_runtime_frame_image(r->runtime, &own, &err);
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
    ok = ok && gv_runtime_export(r->runtime, number, &r->exported, &out->format,
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
    gv_vm_get_stats(r->vm, &vm);
    gv_runtime_get_stats(r->runtime, &rt);
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
        .validation_messages = gv_runtime_validation_messages(r->runtime),
        .exact = gv_runtime_exact(r->runtime) && !r->foreign,
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
    return r->spawned ? gv_spawned_device(r->spawned) : r->device.name;
}

const gpuvm_payload *gpuvm_replay_payload(const gpuvm_replay *r)
{
    return r->spawned ? gv_spawned_payload(r->spawned) : r->payload;
}

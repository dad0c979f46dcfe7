// Mutants that are replayed on the device, and pictures taken of them.
#include "tests/fuzz/mutants.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "resources/base/file.h"
#include "resources/hash.h"
#include "runtime/runtime.h"
#include "vm/verify/verify.h"

#define TIMEOUT_NS UINT64_C(2000000000)
#define MAX_INSTRUCTIONS 1000000 // of a replay that is no matter of minutes

// What a replay holds.
struct replay {
    struct gv_payload payload;
    struct gv_runtime *runtime;
    struct gv_vm *vm;
};

static bool open_runtime(struct replay *r, const char *cache, struct gv_error *err)
{
    const struct gv_runtime_params params = {
        .memory_limit = MUTANTS_MEMORY,
        .timeout_ns = TIMEOUT_NS,
        .payload = r->payload.segments ? &r->payload : NULL,
        .cache_folder = cache,
    };
    r->runtime = gv_runtime_create(&params, err);
    if (!r->runtime)
        return false;
    size_t count = r->payload.export_count;
    bool *wanted = calloc(count ? count : 1, sizeof *wanted);
    for (size_t i = 0; wanted && i < count; i++)
        wanted[i] = true;
    gv_runtime_want_exports(r->runtime, wanted, count);
    free(wanted);
    return true;
}

static bool take_picture(struct replay *r, struct gv_error *err)
{
    struct gv_picture picture = { 0 };
    bool ok = gv_runtime_frame_picture(r->runtime, &picture, err);
    gv_picture_finish(&picture);
    return ok;
}

static bool take_exports(struct replay *r, struct gv_error *err)
{
    for (size_t i = 0; i < r->payload.export_count; i++) {
        struct gv_bytes bytes = { 0 };
        uint32_t format, width, height;
        bool ok = gv_runtime_export(r->runtime, (uint32_t)i, &bytes, &format, &width,
                                    &height, err);
        gv_bytes_finish(&bytes);
        // What was never posted is the user's to know.
        if (!ok && err->status == GV_ERR_LOST)
            return false;
        gv_error_clear(err);
    }
    return true;
}

bool mutants_too_long(const struct gv_bytes *bytes)
{
    struct gv_payload payload = { 0 };
    bool ok = gv_payload_open_memory(&payload, bytes->data, bytes->size, MUTANTS_MEMORY,
                                     NULL);
    bool too_long = ok && payload.limits.instructions > MAX_INSTRUCTIONS;
    gv_payload_finish(&payload);
    return too_long;
}

// All frames, the tail, pictures and exports.
static bool run(struct replay *r, size_t *frames, struct gv_error *err)
{
    const struct gv_vm_params params = { .payload = &r->payload,
                                         .host = gv_runtime_host(r->runtime),
                                         .memory_limit = MUTANTS_MEMORY };
    enum gv_stop stop = GV_STOP_FRAME;
    r->vm = gv_vm_create(&params, err);
    bool ok = r->vm != NULL;
    while (ok && stop != GV_STOP_END) {
        ok = gv_vm_run(r->vm, &stop, err);
        if (ok && stop == GV_STOP_FRAME) {
            *frames += 1;
            ok = take_picture(r, err);
        }
    }
    return ok && gv_runtime_finish(r->runtime, err) && take_exports(r, err);
}

// A lost runtime is left as it is: its device may still be at work.
static void close_replay(struct replay *r, const struct gv_error *err)
{
    gv_vm_destroy(r->vm);
    if (err->status == GV_ERR_LOST)
        return;
    gv_runtime_destroy(r->runtime);
    gv_payload_finish(&r->payload);
}

enum verdict mutants_replay_payload(const struct mutants_options *o,
                                    const struct gv_bytes *bytes, struct gv_error *err,
                                    char why[256])
{
    const struct gv_verify_params params = { .memory_limit = MUTANTS_MEMORY };
    struct replay r = { 0 };
    size_t frames = 0;
    enum verdict verdict = VERDICT_DONE;
    if (!gv_payload_open_memory(&r.payload, bytes->data, bytes->size, MUTANTS_MEMORY,
                                err))
        return mutants_refusal(err, GV_PHASE_LOAD, why);
    if (!gv_verify(&r.payload, &params, err))
        verdict = mutants_refusal(err, GV_PHASE_CODE, why);
    else if (r.payload.limits.instructions > MAX_INSTRUCTIONS)
        verdict = VERDICT_SKIPPED;
    else if (!open_runtime(&r, NULL, err))
        verdict = mutants_refusal(err, GV_PHASE_LOAD, why);
    else {
        ++*o->reached;
        if (!run(&r, &frames, err))
            verdict = mutants_refusal(err, GV_PHASE_RUN, why);
    }
    if (verdict == VERDICT_DONE && frames != r.payload.frame_count) {
        snprintf(why, 256, "%zu of %zu frames, and no word", frames,
                 r.payload.frame_count);
        verdict = VERDICT_WRONG;
    }
    close_replay(&r, err);
    return err->status == GV_ERR_LOST ? VERDICT_LOST : verdict;
}

// A cache of pipelines with the hash that it wants: the driver reads the rest.
static enum verdict load_cache(const struct mutants_options *o, const char *name,
                               const struct gv_bytes *mutant, char why[256])
{
    char path[4096];
    const char *base = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
    struct gv_error err = GV_ERROR_INIT;
    struct replay r = { 0 };
    snprintf(path, sizeof path, "%s/%s", o->work, base);
    if (mutant->size > sizeof(struct gv_hash)) {
        struct gv_hash hash =
            gv_hash_bytes(mutant->data + sizeof hash, mutant->size - sizeof hash);
        memcpy(mutant->data, &hash, sizeof hash);
    }
    if (!gv_file_write(path, mutant->data, mutant->size, &err) ||
        !open_runtime(&r, o->work, &err)) {
        snprintf(why, 256, "%.200s", err.message);
        return VERDICT_WRONG; // a run needs no cache
    }
    ++*o->reached;
    close_replay(&r, &err);
    return VERDICT_DONE;
}

enum verdict mutants_replay(const struct mutants_options *o, const char *name,
                            const struct gv_bytes *mutant, char why[256])
{
    if (mutants_is(name, ".bin"))
        return load_cache(o, name, mutant, why);
    struct gv_bytes payload = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    enum verdict verdict = VERDICT_DONE;
    if (mutants_payload(o, name, mutant, &payload, &verdict, why))
        verdict = mutants_replay_payload(o, &payload, &err, why);
    gv_bytes_finish(&payload);
    return verdict;
}

static void be_program(const struct mutants_options *o, const char *path)
{
    int null = open("/dev/null", O_RDWR);
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    setenv("XDG_CACHE_HOME", o->work, 1);
    execl(o->program, o->program, "run", path, "--mem-mb", "256", "--timeout", "5",
          "--hash", "xxh3-rgba", (char *)NULL);
    _exit(127);
}

enum verdict mutants_program(const struct mutants_options *o, const char *name,
                             const struct gv_bytes *mutant, char why[256])
{
    char path[4096];
    struct gv_bytes payload = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    enum verdict verdict = VERDICT_DONE;
    int status = 0;
    snprintf(path, sizeof path, "%s/mutant", o->work);
    if (!mutants_payload(o, name, mutant, &payload, &verdict, why)) {
        gv_bytes_finish(&payload);
        return verdict;
    }
    gv_file_write(path, payload.data, payload.size, &err);
    gv_bytes_finish(&payload);
    ++*o->reached;
    pid_t child = fork();
    if (child == 0)
        be_program(o, path);
    if (child < 0 || waitpid(child, &status, 0) != child)
        return VERDICT_SKIPPED;
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (code == GV_EXIT_OK)
        return VERDICT_DONE;
    if (code > GV_EXIT_USAGE && code < GV_EXIT_OUTPUT)
        return VERDICT_REFUSED;
    snprintf(why, 256, "exit %d", code);
    return VERDICT_WRONG;
}

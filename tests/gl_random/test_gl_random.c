// Captures of random OpenGL compile; deep verification accepts what comes out, and it
// runs.
//   test_gl_random [COUNT [FIRST [tell]]]   seeds FIRST (1) to FIRST + COUNT (100) - 1;
//                                           tell: prints what each compile said
// Seeds run in processes of some dozens, so that one that dies or hangs is named.
#define _GNU_SOURCE // MAP_ANONYMOUS
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compiler/compiler.h"
#include "runtime/shader_fit.h"
#include "tests/gl_random/gl_random.h"
#include "tests/helpers.h"
#include "tests/runtime/replay_capture.h"
#include "tests/test.h"
#include "vm/verify/verify.h"

#define BATCH 50   // seeds of a process
#define SECONDS 60 // for one
#define MOST_FAILURES 50

// What a process is at, for the one that waits.
struct state {
    uint32_t seed, failures, frames;
    uint64_t unsupported, errors;
    const char *phase;
};

struct told {
    struct state *state;
    bool tell;
};

static void diagnosed(void *context, const struct gv_diagnostic *list, size_t count)
{
    struct told *told = context;
    for (size_t i = 0; i < count; i++) {
        const bool refused = strcmp(list[i].code, "unsupported") == 0;
        *(refused ? &told->state->unsupported : &told->state->errors) += list[i].count;
        if (told->tell)
            printf("%u %s: %s\n", told->state->seed, list[i].code, list[i].text);
    }
}

static bool verify_deep(const struct gv_bytes *bytes, struct gv_error *err)
{
    struct gv_payload payload;
    struct gv_pipeline_list pipelines = { 0 };
    const struct gv_verify_params params = { .pipelines = &pipelines };
    if (!gv_payload_open_memory(&payload, bytes->data, bytes->size, 0, err))
        return false;
    bool ok = gv_verify(&payload, &params, err) &&
              gv_payload_verify_deep(&payload, NULL, 0, err) &&
              gv_shaders_fit(&payload, &pipelines, NULL, 0, err);
    gv_pipeline_list_finish(&pipelines);
    gv_payload_finish(&payload);
    return ok;
}

static bool replay(const struct gl_random *r, struct told *told, struct gv_error *err)
{
    struct gv_replay_result result = { 0 };
    struct gv_bytes payload = { 0 };
    struct state *s = told->state;
    const struct gv_compile_params params = {
        .level = 1, .jobs = 1, .diagnosed = diagnosed, .diagnosed_context = told
    };
    s->phase = "compile";
    bool ok = gv_compile(r->t.w.out.data, r->t.w.out.size, &params, gv_test_append,
                         &payload, NULL, err);
    s->phase = "verify --deep";
    ok = ok && verify_deep(&payload, err);
    s->phase = "run";
    ok = ok && gv_replay_payload(payload.data, payload.size, false, &result, err);
    s->frames += (uint32_t)result.frame_count;
    gv_replay_result_finish(&result);
    gv_bytes_finish(&payload);
    return ok;
}

static void try_seed(struct told *told)
{
    static struct gl_random r;
    struct gv_error err = GV_ERROR_INIT;
    alarm(SECONDS);
    told->state->phase = "write";
    random_capture(&r, told->state->seed);
    if (!replay(&r, told, &err)) {
        fprintf(stderr, "seed %u: %s: %s\n", told->state->seed, told->state->phase,
                err.message);
        told->state->failures++;
    }
    trace_gl_finish(&r.t);
}

static void child(struct told *told, uint32_t end)
{
    for (; told->state->seed < end; told->state->seed++)
        try_seed(told);
    fflush(stdout);
    _exit(0);
}

// Runs seeds from `state->seed` to before `end`; the seed that ends a process is one of
// those that fail.
static void batch(struct told *told, uint32_t end)
{
    struct state *s = told->state;
    while (s->seed < end) {
        fflush(stdout);
        const pid_t pid = fork();
        int status = 0;
        if (pid == 0)
            child(told, end);
        if (pid < 0 || waitpid(pid, &status, 0) != pid)
            abort();
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            return;
        fprintf(stderr, "seed %u: %s: %s\n", s->seed, s->phase,
                WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ? "takes too long"
                                                                   : "dies");
        s->failures++;
        s->seed++;
    }
}

// Asked in a process of its own: what drivers start does not survive a fork.
static bool device_present(void)
{
    int status = 0;
    const pid_t pid = fork();
    if (pid == 0)
        _exit(gv_replay_device_present() ? 0 : 1);
    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

int main(int argc, char **argv)
{
    const uint32_t count = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 100;
    const uint32_t first = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 1;
    if (!device_present())
        return gv_test_skip("no Vulkan device");
    struct state *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE,
                           MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (s == MAP_FAILED)
        abort();
    struct told told = { s, argc > 3 };
    s->seed = first;
    while (s->seed < first + count && s->failures < MOST_FAILURES) {
        const uint32_t end = s->seed + BATCH;
        batch(&told, end < first + count ? end : first + count);
    }
    printf("%u captures, %u frames, %u failures; %llu commands unsupported, %llu other "
           "notes\n",
           s->seed - first, s->frames, s->failures, (unsigned long long)s->unsupported,
           (unsigned long long)s->errors);
    gv_test_failures = (int)s->failures;
    CHECK(s->frames >= 2 * (s->seed - first) || s->failures);
    return TEST_RESULT();
}

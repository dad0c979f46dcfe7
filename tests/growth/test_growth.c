// Looks for work that grows faster than its input: programs of n and of 4 n steps, made
// from rows of statements, are assembled and run by a gpuvm that counts its basic
// blocks (tests/growth/counter.c). Less what the program without them costs, the larger
// may cost at most five times the smaller: a loop over all that lives makes that
// sixteen.
//
// Captures of either front-end are compiled likewise.
//
//   test_growth GPUVM TESTS            every row; TESTS: the folder with the makers of
//                                      captures, and in `runtime/programs` the shaders
//   test_growth GPUVM TESTS NAME       rows whose name contains this
//   test_growth GPUVM TESTS --random SEED COUNT
//                                      programs of random phases over the same objects
#include "resources/base/bytes.h"
#include "resources/base/error.h"
#include "tests/test.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define SMALL 1000u
#define FACTOR 4u
#define MOST_RATIO 5.0
#define NOISE 100000u // steps that may come and go
#define MAX_PHASES 6

enum order { UP, DOWN, MIXED, ONCE };

struct phase {
    enum order order;
    const char *text;
};

struct row {
    const char *name;
    struct phase phases[MAX_PHASES];
};

#include "tests/growth/growth_rows.h"

// ---- programs ----

static uint64_t random_state;

static uint32_t random_below(uint32_t limit)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % limit;
}

// The phase's statement for object `i`.
static void write_statement(struct gv_bytes *out, const char *text, uint32_t i)
{
    for (; *text; text++)
        if (*text == '@')
            gv_bytes_printf(out, "%u", i);
        else if (*text == '%')
            gv_bytes_printf(out, "%u", i % 1000);
        else if (*text == '$')
            gv_bytes_printf(out, "%u", i / 1000);
        else
            gv_bytes_put(out, text, 1);
    gv_bytes_put(out, "\n", 1);
}

static void write_phase(struct gv_bytes *out, const struct phase *phase, uint32_t n)
{
    uint32_t *numbers = malloc((n + 1) * sizeof *numbers);
    CHECK(numbers != NULL);
    for (uint32_t i = 0; numbers && i < n; i++)
        numbers[i] = phase->order == DOWN ? n - 1 - i : i;
    for (uint32_t i = n; numbers && phase->order == MIXED && i > 1; i--) {
        uint32_t other = random_below(i), kept = numbers[other];
        numbers[other] = numbers[i - 1];
        numbers[i - 1] = kept;
    }
    for (uint32_t i = 0; numbers && i < (phase->order == ONCE ? 1 : n); i++)
        write_statement(out, phase->text, numbers[i]);
    free(numbers);
}

static bool write_program(const char *path, const struct row *row, uint32_t n)
{
    struct gv_bytes out = { 0 };
    gv_bytes_put(&out, head, sizeof head - 1);
    for (size_t i = 0; i < MAX_PHASES && row->phases[i].text; i++)
        write_phase(&out, &row->phases[i], n);
    gv_bytes_put(&out, tail, sizeof tail - 1);
    FILE *file = fopen(path, "w");
    bool ok = file && !out.failed && fwrite(out.data, 1, out.size, file) == out.size;
    if (file)
        ok = fclose(file) == 0 && ok;
    gv_bytes_finish(&out);
    return ok;
}

// ---- runs ----

struct bench {
    const char *gpuvm, *tests;
    char shaders[256];
    char folder[32], text[64], payload[64], slice[64], steps[64];
};

// Runs a program, named by its path; NULL ends the arguments.
static bool spawn(const struct bench *b, const char *const *arguments)
{
    pid_t pid = fork();
    if (pid == 0) {
        setenv("GV_STEPS", b->steps, 1);
        execv(arguments[0], (char *const *)(uintptr_t)arguments);
        _exit(127);
    }
    int status = 0;
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Steps of all programs since the last call; 0 when they cannot be told.
static uint64_t take_steps(const struct bench *b)
{
    uint64_t sum = 0;
    unsigned long long one;
    FILE *file = fopen(b->steps, "r");
    while (file && fscanf(file, "%llu", &one) == 1)
        sum += one;
    if (file)
        fclose(file);
    unlink(b->steps);
    return sum;
}

// What counts: the assembler (with the verifier), the run, and the slicer with the
// writer of slices.
enum { ASSEMBLE, RUN, SLICE, PROGRAMS };

static const char *const program_names[PROGRAMS] = { "asm", "run", "slice" };

// Assembles, runs and slices n steps of the row. False: one of these failed.
static bool measure(const struct bench *b, const struct row *row, uint32_t n,
                    uint64_t steps[PROGRAMS])
{
    const char *const assemble[] = { b->gpuvm,   "asm", b->text,    "--include",
                                     b->shaders, "-o",  b->payload, NULL };
    const char *const run[] = { b->gpuvm, "run", "--no-child", b->payload, NULL };
    const char *const slice[] = { b->gpuvm,    "slice", b->payload, "--frames", "last",
                                  "--exports", "-o",    b->slice,   "--json",   NULL };
    unlink(b->payload);
    bool ok = write_program(b->text, row, n) && spawn(b, assemble);
    steps[ASSEMBLE] = take_steps(b);
    ok = ok && spawn(b, run);
    steps[RUN] = take_steps(b);
    ok = ok && spawn(b, slice);
    steps[SLICE] = take_steps(b);
    return ok && steps[ASSEMBLE] && steps[RUN] && steps[SLICE];
}

static void check_growth(const char *name, uint64_t base, uint64_t small,
                         uint64_t large, const char *program)
{
    double less = small > base ? (double)(small - base) : 0;
    double more = large > base ? (double)(large - base) : 0;
    bool grows = more > MOST_RATIO * less + NOISE;
    printf("%-40s %s %12.0f %12.0f  %5.1f%s\n", name, program, less, more,
           less > 0 ? more / less : 0, grows ? "  GROWS" : "");
    fflush(stdout);
    CHECK_ROW(name, !grows);
}

// `refusable`: nobody says that the program is a right one.
static void check_row(const struct bench *b, const struct row *row,
                      const uint64_t base[PROGRAMS], bool refusable)
{
    uint64_t small[PROGRAMS], large[PROGRAMS];
    bool ok = measure(b, row, SMALL, small) && measure(b, row, SMALL * FACTOR, large);
    CHECK_ROW(row->name, ok || refusable);
    for (int i = 0; ok && i < PROGRAMS; i++)
        check_growth(row->name, base[i], small[i], large[i], program_names[i]);
}

// ---- captures ----

static bool measure_capture(const struct bench *b, const struct capture_row *row,
                            const char *const *sizes, uint64_t *steps)
{
    char maker[256];
    snprintf(maker, sizeof maker, "%s/%s", b->tests, row->maker);
    const char *const make[] = {
        maker, row->small[0], b->text, sizes[1], sizes[2], NULL
    };
    const char *const compile[] = { b->gpuvm, "compile", "--no-child", "-j1",
                                    b->text,  "-o",      b->payload,   NULL };
    bool ok = spawn(b, make) && spawn(b, compile);
    *steps = take_steps(b);
    return ok && *steps;
}

static void check_capture(const struct bench *b, const struct capture_row *row)
{
    uint64_t small, large;
    bool ok = measure_capture(b, row, row->small, &small) &&
              measure_capture(b, row, row->large, &large);
    CHECK_ROW(row->name, ok);
    if (ok)
        check_growth(row->name, 0, small, large, "compile");
}

// ---- random programs ----

// Objects of one kind, and what is done to them, in any order.
static void random_row(struct row *row, char name[64], uint64_t seed)
{
    random_state = seed * 2654435761u + 1;
    uint32_t kind = random_below(sizeof kinds / sizeof *kinds);
    uint32_t uses = 0, count = 0;
    while (uses < MAX_USES && kinds[kind].uses[uses])
        uses++;
    *row = (struct row){ .name = name };
    row->phases[count++] = (struct phase){ UP, kinds[kind].make };
    for (uint32_t left = 1 + random_below(3); left && uses; left--)
        row->phases[count++] = (struct phase){ (enum order)random_below(3),
                                               kinds[kind].uses[random_below(uses)] };
    if (random_below(3))
        row->phases[count++] =
            (struct phase){ (enum order)random_below(3), kinds[kind].give_up };
    int used = snprintf(name, 64, "seed %" PRIu64 ": %s", seed, kinds[kind].name);
    for (uint32_t i = 0; i < count && used < 64; i++)
        used += snprintf(name + used, (size_t)(64 - used), " %.8s%c",
                         row->phases[i].text, "^v~1"[row->phases[i].order]);
}

int main(int argc, char **argv)
{
    struct bench b = { .folder = "/tmp/gpuvm-growth-XXXXXX" };
    const struct row nothing = { .name = "nothing" };
    uint64_t base[PROGRAMS] = { 0 };
    if (argc < 3 || !mkdtemp(b.folder))
        return 2;
    b.gpuvm = argv[1];
    b.tests = argv[2];
    snprintf(b.shaders, sizeof b.shaders, "%s/runtime/programs", b.tests);
    snprintf(b.text, sizeof b.text, "%s/text", b.folder);
    snprintf(b.payload, sizeof b.payload, "%s/payload", b.folder);
    snprintf(b.slice, sizeof b.slice, "%s/slice", b.folder);
    snprintf(b.steps, sizeof b.steps, "%s/steps", b.folder);
    setenv("XDG_CACHE_HOME", b.folder, 1);
    bool device = measure(&b, &nothing, 0, base);
    device = device && measure(&b, &nothing, 0, base); // pipelines are cached now
    CHECK(base[ASSEMBLE]);                             // which needs no device
    if (!device)
        printf("skipped: no Vulkan device\n");
    else if (argc > 5 && strcmp(argv[3], "--random") == 0)
        for (uint64_t i = 0; i < strtoull(argv[5], NULL, 0); i++) {
            struct row row;
            char name[64];
            random_row(&row, name, strtoull(argv[4], NULL, 0) + i);
            check_row(&b, &row, base, true);
        }
    else
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            if (argc < 4 || strstr(rows[i].name, argv[3]))
                check_row(&b, &rows[i], base, false);
    for (size_t i = 0; argc < 5 && i < sizeof captures / sizeof *captures; i++)
        if (argc < 4 || strstr(captures[i].name, argv[3]))
            check_capture(&b, &captures[i]);
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", b.folder);
    CHECK(system(command) == 0);
    return device || !base[ASSEMBLE] ? TEST_RESULT() : 77;
}

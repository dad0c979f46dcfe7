// Makes mutants of good inputs and tries each, in a process that may die of it:
//   mutants ACTION [OPTION...] SEED-FILE...
// ACTION is read (in this process: readers, compiler, verifier, interpreter), replay
// (then on the device at hand), agree (verified deeply and replayed, which must not
// differ) or program (by GPUVM run, for its exit codes). By the
// ends of their names seeds are .gvt texts, .gvp payloads, .zst objects of a store,
// .progress files, .bin caches of pipelines, .psxgpu dumps, .aerogputrace and
// .trace captures.
//
//   --runs N  --seconds T  --seed S    the first that is reached ends it; S picks the
//   mutants
//   --from N       the number of the first mutant: `--from N --runs 1` is one again
//   --work DIR     for files, and findings/ in it: what killed, hung or ended wrongly
//   --shaders DIR  files that texts name        --program GPUVM
//   --hang T       seconds that a mutant may take (60)
//   --keep N       replays that one device serves (256); 1: each has its own
//   --leaks N      after each N mutants memory must not be lost (LeakSanitizer); 0:
//   never
//
// Prints ACTION <TAB> runs <TAB> reached <TAB> done <TAB> refused <TAB> skipped <TAB>
// crashes <TAB> hangs <TAB> wrong (leaks too), and exits with 1 where one of the last
// three is not 0.
#define _GNU_SOURCE // MAP_ANONYMOUS
#include "tests/fuzz/mutants.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "resources/base/file.h"
#include "tests/fuzz/kept_device.h"
#include "tools/leak_check.h"

#define MOST_BYTES ((size_t)16 << 20)
#define MOST_SEEDS 4096
#define POLL_NS 20000000

// What both processes see: a mutant stays here when it kills.
struct board {
    _Atomic uint64_t run; // of the mutant at hand
    _Atomic uint64_t reached;
    _Atomic uint64_t verdicts[VERDICT_COUNT];
    _Atomic uint64_t leaks;
    size_t size;
    uint8_t mutant[MOST_BYTES];
};

struct driver {
    struct mutants_options options;
    const char *action;
    mutants_fn act;
    uint64_t runs, reached, seconds, seed, from, hang, keep, leak_every;
    struct gv_seed seeds[MOST_SEEDS];
    size_t seed_count;
    struct board *board;
    uint64_t crashes, hangs, start;
};

static uint64_t now_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec;
}

static gv_mutate_fn mutator_of(const char *name)
{
    static const struct {
        const char *ending;
        gv_mutate_fn mutate;
    } rows[] = {
        { ".gvt", gv_mutate_text },    { ".gvp", gv_mutate_payload },
        { ".psxgpu", gv_mutate_psx },  { ".aerogputrace", gv_mutate_aerogpu },
        { ".trace", gv_mutate_trace }, { ".png", gv_mutate_picture },
        { ".pnm", gv_mutate_picture }, { ".tsv", gv_mutate_text },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (mutants_is(name, rows[i].ending))
            return rows[i].mutate;
    return gv_mutate_bytes;
}

static const struct gv_seed *pick(const struct driver *d, uint64_t run,
                                  struct gv_bytes *out)
{
    struct gv_dice dice = { d->seed * 0x100000001b3u + run };
    gv_dice_next(&dice);
    const struct gv_seed *seed = &d->seeds[gv_dice_below(&dice, d->seed_count)];
    const struct gv_seed *other = &d->seeds[gv_dice_below(&dice, d->seed_count)];
    gv_mutate_fn mutate = mutator_of(seed->name);
    mutate(&dice, seed, mutator_of(other->name) == mutate ? other : seed, out);
    return seed;
}

// Keeps the mutant on the board: DIR/findings/ACTION-RUN.KIND, and beside it why.
static void keep(const struct driver *d, uint64_t run, const char *why)
{
    char path[4096];
    struct gv_bytes unused = { 0 };
    const char *name = pick(d, run, &unused)->name;
    const char *kind = strrchr(name, '.') ? strrchr(name, '.') : "";
    gv_bytes_finish(&unused);
    snprintf(path, sizeof path, "%s/findings", d->options.work);
    gv_make_folders(path, NULL);
    snprintf(path, sizeof path, "%s/findings/%s-%" PRIu64 "-%" PRIu64 "%s",
             d->options.work, d->action, d->seed, run, kind);
    gv_file_write(path, d->board->mutant, d->board->size, NULL);
    printf("finding\t%s\t%s\t%s\n", path, name, why);
    fflush(stdout);
}

static enum verdict try_one(struct driver *d, uint64_t run)
{
    struct board *board = d->board;
    struct gv_bytes mutant = { 0 };
    char why[256] = "";
    board->run = run;
    board->size = 0;
    const struct gv_seed *seed = pick(d, run, &mutant);
    if (mutant.failed || mutant.size > MOST_BYTES) {
        gv_bytes_finish(&mutant);
        board->verdicts[VERDICT_SKIPPED]++;
        return VERDICT_SKIPPED;
    }
    if (mutant.size)
        memcpy(board->mutant, mutant.data, mutant.size);
    board->size = mutant.size;
    enum verdict verdict = d->act(&d->options, seed->name, &mutant, why);
    gv_bytes_finish(&mutant);
    board->verdicts[verdict]++;
    if (verdict == VERDICT_WRONG)
        keep(d, run, why);
    return verdict;
}

static bool is_over(const struct driver *d, uint64_t run)
{
    return run >= d->from + d->runs || d->board->reached >= d->reached ||
           (d->seconds && now_seconds() - d->start >= d->seconds);
}

// Those since the last look, of which this is the last, may have lost memory.
static bool leaks(const struct driver *d, uint64_t run)
{
    if (!d->leak_every || (run - d->from) % d->leak_every != d->leak_every - 1 ||
        !gv_leak_check_finds())
        return false;
    d->board->leaks++;
    keep(d, run, "memory is lost, here or since the last look");
    return true;
}

static _Noreturn void be_worker(struct driver *d, uint64_t run)
{
    // What the device still does ends with us, and so does what was told of leaks.
    for (; !is_over(d, run); run++)
        if (try_one(d, run) == VERDICT_LOST || leaks(d, run))
            _exit(EXIT_SUCCESS);
    d->board->run = run;
    exit(EXIT_SUCCESS);
}

// Waits for the end of a worker. False: it was killed for standing still.
static bool await(const struct driver *d, pid_t worker, int *status)
{
    const struct timespec pause = { 0, POLL_NS };
    uint64_t run = d->board->run, since = now_seconds();
    while (waitpid(worker, status, WNOHANG) == 0) {
        nanosleep(&pause, NULL);
        if (d->board->run != run) {
            run = d->board->run;
            since = now_seconds();
        } else if (now_seconds() - since > d->hang) {
            kill(worker, SIGKILL);
            waitpid(worker, status, 0);
            return false;
        }
    }
    return true;
}

static void work(struct driver *d)
{
    uint64_t run = d->from;
    d->start = now_seconds();
    while (!is_over(d, run)) {
        int status = 0;
        char why[64];
        fflush(NULL);
        pid_t worker = fork();
        if (worker == 0)
            be_worker(d, run);
        if (worker < 0)
            exit(EXIT_FAILURE);
        if (!await(d, worker, &status)) {
            d->hangs++;
            keep(d, d->board->run, "hangs");
        } else if (!WIFEXITED(status) || WEXITSTATUS(status) != EXIT_SUCCESS) {
            d->crashes++;
            snprintf(why, sizeof why, "dies: %s %d",
                     WIFSIGNALED(status) ? "signal" : "exit",
                     WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
            keep(d, d->board->run, why);
        } else if (is_over(d, d->board->run))
            break;
        run = d->board->run + 1;
    }
}

static bool load_seed(struct driver *d, const char *path)
{
    struct gv_file file;
    struct gv_error err = GV_ERROR_INIT;
    if (!gv_file_open(&file, path, &err)) {
        fprintf(stderr, "mutants: %s: %s\n", path, err.message);
        return false;
    }
    if (file.size > 0 && file.size < MOST_BYTES / 2)
        d->seeds[d->seed_count++] = (struct gv_seed){ path, file.data, file.size };
    return true; // the file stays open for as long as the driver runs
}

static bool set_number(struct driver *d, const char *name, const char *value)
{
    const struct {
        const char *name;
        uint64_t *to;
    } rows[] = {
        { "--runs", &d->runs },       { "--reached", &d->reached },
        { "--seconds", &d->seconds }, { "--seed", &d->seed },
        { "--from", &d->from },       { "--hang", &d->hang },
        { "--keep", &d->keep },       { "--leaks", &d->leak_every },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(name, rows[i].name) != 0)
            continue;
        *rows[i].to = strtoull(value, NULL, 10);
        return true;
    }
    return false;
}

static bool set_text(struct driver *d, const char *name, const char *value)
{
    const char **to = strcmp(name, "--work") == 0      ? &d->options.work
                      : strcmp(name, "--shaders") == 0 ? &d->options.shaders
                      : strcmp(name, "--program") == 0 ? &d->options.program
                                                       : NULL;
    if (to)
        *to = value;
    return to != NULL;
}

static bool parse(struct driver *d, int argc, char **argv)
{
    static const struct {
        const char *name;
        mutants_fn act;
    } actions[] = {
        { "read", mutants_read },
        { "replay", mutants_replay },
        { "agree", mutants_agree },
        { "program", mutants_program },
    };
    int i = 2;
    for (size_t k = 0; argc > 1 && k < sizeof actions / sizeof *actions; k++)
        if (strcmp(argv[1], actions[k].name) == 0)
            d->act = actions[k].act;
    for (; i + 1 < argc && strncmp(argv[i], "--", 2) == 0; i += 2)
        if (!set_number(d, argv[i], argv[i + 1]) && !set_text(d, argv[i], argv[i + 1]))
            return false;
    d->action = argv[1];
    for (; i < argc; i++)
        if (d->seed_count == MOST_SEEDS || !load_seed(d, argv[i]))
            return false;
    return d->act && d->seed_count > 0;
}

int main(int argc, char **argv)
{
    struct driver d = { .runs = UINT64_MAX / 2,
                        .reached = UINT64_MAX,
                        .hang = 60,
                        .keep = 256,
                        .options = { .work = ".", .program = "build/gpuvm" } };
    d.board = mmap(NULL, sizeof *d.board, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (d.board == MAP_FAILED || !parse(&d, argc, argv)) {
        fprintf(stderr,
                "usage: mutants read|replay|agree|program [OPTION...] SEED-FILE...\n");
        return 2;
    }
    d.options.reached = &d.board->reached;
    kept_device_serves(d.keep);
    work(&d);
    uint64_t died = d.crashes + d.hangs, runs = died;
    for (size_t i = 0; i < VERDICT_COUNT; i++)
        runs += d.board->verdicts[i];
    const _Atomic uint64_t *v = d.board->verdicts;
    printf("%s", d.action);
    const uint64_t columns[] = {
        runs,
        d.board->reached,
        v[VERDICT_DONE],
        v[VERDICT_REFUSED],
        v[VERDICT_SKIPPED],
        v[VERDICT_LOST],
        d.crashes,
        d.hangs,
        v[VERDICT_WRONG] + d.board->leaks,
    };
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        printf("\t%" PRIu64, columns[i]);
    printf("\n");
    return died + v[VERDICT_WRONG] + d.board->leaks ? EXIT_FAILURE : EXIT_SUCCESS;
}

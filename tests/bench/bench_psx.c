// How fast PlayStation dumps replay, beside the oracle on one core and the console.
//
//   bench_psx NAME=DUMP...     `demo`, `random` and `small` alone: of our own writer
//
// Prints JSON lines; psx.sh says what for.
#include "compiler/builder/builder.h"
#include "compiler/compiler.h"
#include "compiler/decompress.h"
#include "compiler/psx/lower.h"
#include "compiler/psx/replay.h"
#include "resources/base/file.h"
#include "runtime/runtime.h"
#include "tests/bench/bench.h"
#include "tests/bench/psx_clock.h"
#include "tests/helpers.h"
#include "tests/psx/psx_oracle.h"
#include "tests/psx/psx_writer.h"
#include "vm/machine/vm.h"
#include "vm/verify/verify.h"

#include <stdlib.h>
#include <string.h>

#define MAX_DUMP ((uint64_t)1 << 28) // bytes
#define RUNS 5                       // of which the fastest counts: neighbours vary
#define ORACLE_SECONDS 0.5
#define LEVELS 2 // of compression: the default and the highest

static void die(const char *what, const struct gv_error *err)
{
    fprintf(stderr, "bench_psx: %s: %s\n", what, err ? err->message : "failed");
    exit(EXIT_FAILURE);
}

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct figures {
    uint64_t primitives, frames, cells;
    double rate;            // of the console, frames/s
    double oracle;          // s of one core
    uint64_t batches;       // of records drawn by one dispatch
    uint64_t splits;        // batches that ended for a hazard
    double wall, processor; // s of a whole run, its pictures fetched
    double create;          // of them, creating pipelines
    struct psx_clock clock; // of another run, with timestamps
    uint64_t payload[LEVELS];
    double compile; // s of a processor, default level
};

// ---- the oracle ----

struct play {
    struct gv_psx_gpu gpu;
    struct figures *figures; // NULL: not counted
};

// Clocks of a field: "13.1" counts lines x clocks of NTSC and PAL.
static double field_rate(uint32_t mode)
{
    bool pal = mode & 1 << 3, interlaced = mode & 1 << 5;
    if (interlaced)
        return pal ? 50.0 : 59.94;
    return pal ? 49.761 : 59.826;
}

static bool count_frame(void *context, bool live, struct gv_error *err)
{
    struct play *p = context;
    (void)err;
    if (live && p->figures) {
        p->figures->frames++;
        p->figures->rate = field_rate(p->gpu.mode);
    }
    return true;
}

static void oracle_plays(const struct gv_bytes *dump, struct figures *f)
{
    struct {
        struct gv_psx_oracle oracle;
        struct play play;
    } *room = calloc(1, sizeof *room);
    if (!room)
        die("oracle", NULL);
    struct gv_psx_sink sink = gv_psx_oracle_sink(&room->oracle);
    const struct gv_psx_listener listener = { .context = &room->play,
                                              .vsync = count_frame };
    struct gv_error err = GV_ERROR_INIT;
    double all = 0;
    f->oracle = 1e9;
    for (int i = 0; i == 0 || all < ORACLE_SECONDS; i++) {
        memset(&room->oracle.vram, 0, sizeof room->oracle.vram);
        room->oracle.pixels = 0;
        room->oracle.readback.size = 0;
        room->play.figures = i == 0 ? f : NULL;
        gv_psx_gpu_init(&room->play.gpu, &sink);
        room->oracle.gpu = &room->play.gpu;
        double start = processor_seconds();
        if (!gv_psx_replay(gv_cursor_make(dump->data, dump->size), &room->play.gpu,
                           &listener, false, &err))
            die("oracle", &err);
        double took = processor_seconds() - start;
        all += took;
        f->oracle = took < f->oracle ? took : f->oracle;
        f->primitives = room->play.gpu.primitives;
        gv_psx_gpu_finish(&room->play.gpu);
    }
    f->cells = room->oracle.pixels;
    gv_bytes_finish(&room->oracle.readback);
    free(room);
}

// ---- batches ----

static bool drop(void *context, const void *data, size_t size, struct gv_error *err)
{
    (void)context, (void)data, (void)size, (void)err;
    return true;
}

struct lowering {
    struct gv_psx_gpu gpu;
    struct gv_psx_device device;
    struct gv_psx_group group;
    struct gv_psx_lower lower;
    struct gv_psx_known known;
};

static bool end_frame(void *context, bool live, struct gv_error *err)
{
    struct lowering *l = context;
    (void)err;
    if (live)
        gv_psx_group_flush(&l->group);
    return true;
}

static void count_batches(const struct gv_bytes *dump, struct figures *f)
{
    struct gv_error err = GV_ERROR_INIT;
    const struct gv_writer_params writer_params = { .level = 1, .write = drop };
    struct gv_payload_writer *writer = gv_payload_writer_create(&writer_params, &err);
    const struct gv_builder_params params = { .writer = writer };
    struct gv_builder *builder = writer ? gv_builder_create(&params, &err) : NULL;
    struct lowering *l = calloc(1, sizeof *l);
    if (!builder || !l)
        die("batches", &err);
    const struct gv_psx_device_params device = { .rows = 1024,
                                                 .tile_w = 8,
                                                 .tile_h = 4 };
    gv_psx_device_init(&l->device, builder, &device);
    gv_psx_group_init(&l->group, &l->device, UINT32_MAX);
    l->lower =
        (struct gv_psx_lower){ .gpu = &l->gpu, .group = &l->group, .known = &l->known };
    struct gv_psx_sink sink = gv_psx_lower_sink(&l->lower);
    const struct gv_psx_listener listener = { .context = l, .vsync = end_frame };
    gv_psx_gpu_init(&l->gpu, &sink);
    if (!gv_psx_replay(gv_cursor_make(dump->data, dump->size), &l->gpu, &listener,
                       false, &err))
        die("batches", &err);
    gv_psx_group_flush(&l->group);
    f->batches = l->group.batches + l->group.ordered;
    f->splits = l->group.splits;
    gv_psx_gpu_finish(&l->gpu);
    gv_psx_lower_finish(&l->lower);
    gv_psx_group_finish(&l->group);
    free(l);
    gv_builder_destroy(builder);
    gv_payload_writer_destroy(writer);
}

// ---- the payload ----

static void compile(const struct gv_bytes *dump, int level, struct gv_bytes *out)
{
    struct gv_error err = GV_ERROR_INIT;
    const struct gv_compile_params params = { .level = level, .jobs = 1 };
    if (!gv_compile(dump->data, dump->size, &params, gv_test_append, out, NULL, &err))
        die("compile", &err);
}

// Runs all frames, fetching each picture as `gpuvm run --hash` does.
static void run_frames(struct gv_payload *payload, struct gv_runtime *runtime)
{
    struct gv_error err = GV_ERROR_INIT;
    const struct gv_vm_params params = { .payload = payload,
                                         .host = gv_runtime_host(runtime) };
    struct gv_vm *vm = gv_vm_create(&params, &err);
    bool ok = vm != NULL;
    for (enum gv_stop stop = GV_STOP_FRAME; ok && stop != GV_STOP_END;) {
        struct gv_picture picture = { 0 };
        ok = gv_vm_run(vm, &stop, &err) &&
             (stop != GV_STOP_FRAME ||
              gv_runtime_frame_picture(runtime, &picture, &err));
        gv_picture_finish(&picture);
    }
    if (!ok || !gv_runtime_finish(runtime, &err))
        die("run", &err);
    gv_vm_destroy(vm);
}

static void run_payload(struct gv_payload *payload, bool timestamps, struct figures *f)
{
    struct gv_error err = GV_ERROR_INIT;
    struct psx_clock clock;
    const struct gv_runtime_params params = { .timeout_ns = 60000000000u,
                                              .payload = payload };
    struct gv_runtime *runtime = gv_runtime_create(&params, &err);
    if (!runtime || !psx_clock_start(runtime, timestamps))
        die("device", &err);
    double start = bench_seconds(), processor = processor_seconds();
    run_frames(payload, runtime);
    double wall = bench_seconds() - start;
    processor = processor_seconds() - processor;
    if (!psx_clock_stop(&clock))
        die("timestamps", NULL);
    if (timestamps) {
        f->clock = clock;
    } else if (wall < f->wall) {
        f->wall = wall;
        f->processor = processor;
        f->create = clock.create;
    }
    gv_runtime_destroy(runtime);
}

static void replay(const struct gv_bytes *dump, struct figures *f)
{
    static const int levels[LEVELS] = { 3, 19 };
    struct gv_error err = GV_ERROR_INIT;
    const struct gv_verify_params verify = { 0 };
    for (int i = 0; i < LEVELS; i++) {
        struct gv_bytes bytes = { 0 };
        double start = processor_seconds();
        compile(dump, levels[i], &bytes);
        f->payload[i] = bytes.size;
        if (i == 0) {
            f->compile = processor_seconds() - start;
            struct gv_payload payload;
            if (!gv_payload_open_memory(&payload, bytes.data, bytes.size, 0, &err) ||
                !gv_verify(&payload, &verify, &err))
                die("payload", &err);
            f->wall = 1e9;
            for (int run = 0; run < RUNS; run++)
                run_payload(&payload, false, f);
            run_payload(&payload, true, f);
            gv_payload_finish(&payload);
        }
        gv_bytes_finish(&bytes);
    }
}

// ---- telling ----

static void tell(const char *name, const char *figure, double value, const char *unit)
{
    char full[96];
    snprintf(full, sizeof full, "psx_%s_%s", name, figure);
    bench_print(full, value, unit);
}

static void tell_all(const char *name, const struct gv_bytes *dump,
                     const struct figures *f)
{
    static const char *const kinds[PSX_CLOCK_KINDS] = { "dispatch", "first_dispatch",
                                                        "barrier",  "upload",
                                                        "picture",  "readback" };
    double frames = f->frames ? (double)f->frames : 1, device = 0;
    // What is spent once, on pipelines, is not what a frame costs.
    double once = f->create + f->clock.seconds[PSX_CLOCK_FIRST];
    double steady = f->wall > once ? f->wall - once : f->wall;
    tell(name, "frames", (double)f->frames, "frames");
    tell(name, "primitives", (double)f->primitives, "primitives");
    tell(name, "cells_per_frame", (double)f->cells / frames, "cells");
    tell(name, "oracle_primitives", (double)f->primitives / f->oracle, "primitives/s");
    tell(name, "oracle_frames", frames / f->oracle, "frames/s");
    tell(name, "replay_frames", frames / f->wall, "frames/s");
    tell(name, "replay_primitives", (double)f->primitives / f->wall, "primitives/s");
    tell(name, "replay_against_oracle", f->oracle / f->wall, "ratio");
    tell(name, "replay_against_console", frames / f->wall / f->rate, "ratio");
    tell(name, "steady_frames", frames / steady, "frames/s");
    tell(name, "steady_primitives", (double)f->primitives / steady, "primitives/s");
    tell(name, "steady_against_oracle", f->oracle / steady, "ratio");
    tell(name, "pipelines", once * 1e3, "ms");
    tell(name, "replay_processor", f->processor / frames * 1e3, "ms/frame");
    tell(name, "batches", (double)f->batches / frames, "1/frame");
    tell(name, "splits", (double)f->splits / frames, "1/frame");
    for (int i = 0; i < PSX_CLOCK_KINDS; i++)
        device += i == PSX_CLOCK_FIRST ? 0 : f->clock.seconds[i];
    for (int i = 0; i < PSX_CLOCK_KINDS; i++)
        if (i != PSX_CLOCK_FIRST)
            tell(name, kinds[i], f->clock.seconds[i] / device, "of device time");
    tell(name, "device", device / frames * 1e3, "ms/frame");
    tell(name, "compile", f->compile / (double)dump->size * 1e6, "s/MB");
    tell(name, "dump", (double)dump->size, "bytes");
    tell(name, "payload_level3", (double)f->payload[0], "bytes");
    tell(name, "payload_level19", (double)f->payload[1], "bytes");
}

static void measure(const char *name, const struct gv_bytes *dump)
{
    struct figures f = { 0 };
    oracle_plays(dump, &f);
    count_batches(dump, &f);
    replay(dump, &f);
    tell_all(name, dump, &f);
}

// ---- dumps ----

static void load(const char *path, struct gv_bytes *out)
{
    struct gv_decompressed raw = { 0 };
    struct gv_file file;
    struct gv_error err = GV_ERROR_INIT;
    const struct gv_decompress_params params = { .limit = MAX_DUMP };
    if (!gv_file_open(&file, path, &err))
        die(path, &err);
    enum gv_layer layer = gv_layer_detect(file.data, file.size);
    if (layer == GV_LAYER_NONE)
        gv_bytes_put(out, file.data, file.size);
    else if (!gv_decompress(layer, (struct gv_span){ file.data, file.size }, &params,
                            &raw, &err))
        die(path, &err);
    else
        *out = raw.bytes;
    gv_file_close(&file);
    if (out->failed)
        die(path, NULL);
}

// Frames of three hundred random commands: none is like a game's, all are work.
static void write_random(struct gv_psx_writer *w, int frames)
{
    w->random = 1;
    gv_psx_write_header(w, false);
    gv_psx_write_defaults(w);
    for (int frame = 0; frame < frames; frame++) {
        for (int i = 0; i < 300; i++)
            gv_psx_write_random(w);
        gv_psx_write_vsync(w);
    }
}

// What an argument names: a file after `=`, or a dump of our own writer.
static void make_dump(const char *argument, struct gv_bytes *out)
{
    struct gv_psx_writer w = { 0 };
    const char *equals = strchr(argument, '=');
    if (equals) {
        load(equals + 1, out);
        return;
    }
    if (strcmp(argument, "random") == 0)
        write_random(&w, 60);
    else if (strcmp(argument, "small") == 0)
        write_random(&w, 2);
    else
        gv_psx_write_demo(&w);
    *out = w.out;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        struct gv_bytes dump = { 0 };
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(argv[i], "="), argv[i]);
        make_dump(argv[i], &dump);
        measure(name, &dump);
        gv_bytes_finish(&dump);
    }
    return 0;
}

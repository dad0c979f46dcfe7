// Writes traces as apitrace does.
//   make_apitrace tour FILE VERSION CONTAINER [PART]   every value and event
//   make_apitrace game FILE MEGABYTES CONTAINER        frames until the stream is so
//   long
//   make_apitrace lists FILE CALLS raw                 a list, called so often
//   make_apitrace windowless FILE CALLS raw            likewise, in no context
//   make_apitrace scenes FOLDER 0 CONTAINER            each of trace_scenes.h
// CONTAINER: raw snappy gzip zstd zstd-seekable brotli.
#include "tests/apitrace/trace_pack.h"
#include "tests/apitrace/trace_scenes.h"
#include "tests/apitrace/trace_tour.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PART_BYTES ((size_t)1 << 20)

static bool find_container(const char *name, enum gv_trace_container *out)
{
    for (int i = GV_TRACE_RAW; i <= GV_TRACE_BROTLI; i++) {
        *out = (enum gv_trace_container)i;
        if (strcmp(gv_trace_container_name(*out), name) == 0)
            return true;
    }
    return false;
}

static bool flush(struct gv_bytes *bytes, FILE *file)
{
    bool ok =
        !bytes->failed && fwrite(bytes->data, 1, bytes->size, file) == bytes->size;
    bytes->size = 0;
    return ok;
}

static bool write_tour(FILE *file, unsigned version, enum gv_trace_container container,
                       size_t part)
{
    struct trace_writer w = { 0 };
    struct gv_bytes out = { 0 };
    trace_write_tour(&w, version);
    trace_pack(container, &w.out, part ? part : PART_BYTES, &out);
    bool ok = flush(&out, file);
    trace_writer_finish(&w);
    gv_bytes_finish(&out);
    return ok;
}

static bool write_game(FILE *file, unsigned long megabytes,
                       enum gv_trace_container container)
{
    struct trace_writer w = { 0 };
    struct gv_bytes out = { 0 };
    struct trace_packer p = { .container = container };
    unsigned long parts = 0;
    uint32_t random = 1;
    bool ok = true;
    trace_begin(&w, 6, NULL);
    while (ok && parts < megabytes) {
        while (w.out.size < PART_BYTES)
            trace_write_frame(&w, 2000, 1024, &random);
        trace_pack_part(&p, w.out.data, PART_BYTES, &out);
        memmove(w.out.data, w.out.data + PART_BYTES, w.out.size - PART_BYTES);
        w.out.size -= PART_BYTES;
        ok = flush(&out, file);
        parts++;
    }
    trace_pack_part(&p, w.out.data, w.out.size, &out);
    trace_pack_end(&p, &out);
    ok = ok && flush(&out, file);
    trace_writer_finish(&w);
    gv_bytes_finish(&out);
    return ok;
}

static bool write_lists(FILE *file, unsigned long calls)
{
    struct trace_gl t;
    trace_gl_begin(&t);
    trace_write_lists(&t, 3000, (unsigned)calls);
    trace_gl_swap(&t);
    bool ok = flush(&t.w.out, file);
    trace_gl_finish(&t);
    return ok;
}

// As of a program whose window system was not recorded.
static bool write_windowless(FILE *file, unsigned long calls)
{
    struct trace_gl t = { 0 };
    trace_begin(&t.w, 6, NULL);
    trace_write_lists(&t, 3, (unsigned)calls);
    bool ok = flush(&t.w.out, file);
    trace_gl_finish(&t);
    return ok;
}

static bool write_scenes(const char *folder, enum gv_trace_container container)
{
    bool ok = true;
    for (size_t i = 0; ok && i < trace_scene_count; i++) {
        char path[4096];
        struct trace_gl t;
        snprintf(path, sizeof path, "%s/%s.trace", folder, trace_scenes[i].name);
        trace_write_scene(&t, &trace_scenes[i]);
        struct gv_bytes out = { 0 };
        trace_pack(container, &t.w.out, PART_BYTES, &out);
        FILE *file = fopen(path, "wb");
        ok = file && flush(&out, file);
        ok = file && fclose(file) == 0 && ok;
        gv_bytes_finish(&out);
        trace_gl_finish(&t);
    }
    return ok;
}

int main(int argc, char **argv)
{
    enum gv_trace_container container = GV_TRACE_RAW;
    const char *what = argc > 4 && find_container(argv[4], &container) ? argv[1] : "";
    bool tour = strcmp(what, "tour") == 0, game = strcmp(what, "game") == 0;
    bool lists = strcmp(what, "lists") == 0;
    bool windowless = strcmp(what, "windowless") == 0;
    if (strcmp(what, "scenes") == 0)
        return write_scenes(argv[2], container) ? EXIT_SUCCESS : EXIT_FAILURE;
    // brotli comes in one piece.
    if ((!tour && !game && !lists && !windowless) ||
        (game && container == GV_TRACE_BROTLI)) {
        fprintf(stderr, "usage: make_apitrace tour FILE VERSION CONTAINER [PART]\n"
                        "       make_apitrace game FILE MEGABYTES CONTAINER\n"
                        "       make_apitrace lists FILE CALLS raw\n"
                        "       make_apitrace windowless FILE CALLS raw\n"
                        "       make_apitrace scenes FOLDER 0 CONTAINER\n");
        return EXIT_FAILURE;
    }
    FILE *file = fopen(argv[2], "wb");
    unsigned long number = strtoul(argv[3], NULL, 10);
    bool ok = file != NULL;
    if (ok && tour)
        ok = write_tour(file, (unsigned)number, container,
                        argc > 5 ? strtoul(argv[5], NULL, 10) : 0);
    else if (ok && lists)
        ok = write_lists(file, number);
    else if (ok && windowless)
        ok = write_windowless(file, number);
    else if (ok)
        ok = write_game(file, number, container);
    ok = file && fclose(file) == 0 && ok;
    if (!ok)
        perror(argv[2]);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

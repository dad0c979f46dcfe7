// Bytes as the packets of a PlayStation dump: played into a sink that checks what the
// GPU promises, described, printed and compiled. What compiles must verify. (Any bytes
// as a whole file: fuzz_compile.)
//
//   input = flags, packets; flags: 1 = 14-byte magic, 2 = cut dumps are taken
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "compiler/compiler.h"
#include "compiler/psx/replay.h"
#include "tests/helpers.h"
#include "tests/promise.h"
#include "vm/verify/verify.h"

#define COMPILE_BYTES 2048 // larger ones are only played

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_draw(const struct gv_psx_draw *d)
{
    gv_promise(d->area_x0 >= 0 && d->area_x0 < 1024 && d->area_y0 >= 0 &&
                   d->area_y0 < 1024 && d->area_x1 >= 0 && d->area_x1 < 1024 &&
                   d->area_y1 >= 0 && d->area_y1 < 1024,
               "drawing area");
    gv_promise(d->page_x < 1024 && d->page_y < 1024, "texture page");
    gv_promise(d->depth <= 2 && d->blend <= 3, "depth and blend mode");
    gv_promise(d->skip_parity >= -1 && d->skip_parity <= 1, "skipped rows");
}

static void check_near(const struct gv_psx_vertex *a, const struct gv_psx_vertex *b)
{
    gv_promise(abs(a->x) <= 2048 && abs(a->y) <= 2048, "vertex range");
    gv_promise(abs(a->x - b->x) < 1024 && abs(a->y - b->y) < 512, "size rule");
}

static void triangle(void *context, const struct gv_psx_draw *d,
                     const struct gv_psx_vertex v[3], bool gouraud)
{
    (void)context, (void)gouraud;
    check_draw(d);
    for (int i = 0; i < 3; i++)
        check_near(&v[i], &v[(i + 1) % 3]);
}

static void line(void *context, const struct gv_psx_draw *d,
                 const struct gv_psx_vertex v[2])
{
    (void)context;
    check_draw(d);
    check_near(&v[0], &v[1]);
    gv_promise(!d->textured, "lines have no texture");
}

static void rectangle(void *context, const struct gv_psx_draw *d,
                      const struct gv_psx_vertex *corner, uint32_t w, uint32_t h)
{
    (void)context;
    check_draw(d);
    gv_promise(corner->x >= -1024 && corner->x < 1024 && corner->y >= -1024 &&
                   corner->y < 1024,
               "rectangle corner");
    gv_promise(w - 1 < 1023 && h - 1 < 511, "rectangle size");
}

static void check_place(const struct gv_psx_place *p)
{
    gv_promise(p->x < 1024 && p->y < 1024, "transfer corner");
    gv_promise(p->w - 1 < 1024 && p->h - 1 < 512, "transfer size");
}

static void check_cells(const struct gv_psx_place *p, struct gv_psx_cells cells)
{
    uint32_t all = gv_psx_place_cells(p);
    check_place(p);
    gv_promise(cells.count && cells.first < all && cells.count <= all - cells.first,
               "cells of a transfer");
}

static void clut(void *context, uint32_t x, uint32_t y, uint32_t entries)
{
    (void)context;
    check_place(&(struct gv_psx_place){ x, y, 1, 1 });
    gv_promise(x % 16 == 0 && (entries == 16 || entries == 256), "palette");
}

static void fill(void *context, const struct gv_psx_place *to, uint16_t cell,
                 int8_t skip)
{
    (void)context, (void)skip;
    check_place(to);
    gv_promise(to->x % 16 == 0 && to->w % 16 == 0 && cell < 0x8000, "fill");
}

static void copy(void *context, const struct gv_psx_place *from,
                 const struct gv_psx_place *to, struct gv_psx_mask mask)
{
    (void)context, (void)mask;
    check_place(from);
    check_place(to);
    gv_promise(from->w == to->w && from->h == to->h, "places of one size");
}

static void upload(void *context, const struct gv_psx_place *to,
                   struct gv_psx_cells cells, const uint8_t *data,
                   struct gv_psx_mask mask)
{
    (void)context, (void)mask;
    check_cells(to, cells);
    // Reading the ends lets a sanitizer see them.
    gv_promise(data[0] + data[2 * (size_t)cells.count - 1] <= 510, "bytes");
}

static void read_cells(void *context, const struct gv_psx_place *from,
                       struct gv_psx_cells cells, bool keep)
{
    (void)context, (void)keep;
    check_cells(from, cells);
    gv_promise(cells.count % 2 == 0 ||
                   cells.first + cells.count == gv_psx_place_cells(from),
               "whole words are read");
}

static void latch(void *context, uint32_t word, uint32_t from_vram, bool keep)
{
    (void)context, (void)keep;
    gv_promise((word & from_vram) == 0, "latch bits have one source");
}

static bool vsync(void *context, bool live, struct gv_error *err)
{
    (void)live, (void)err;
    const struct gv_psx_gpu *gpu = context;
    struct gv_psx_display d = gv_psx_display_area(gpu);
    gv_promise(d.width <= 2048 && d.height <= 2048 && d.x < 1024 && d.y < 1024,
               "display");
    gv_promise(gpu->field <= 1, "field");
    return true;
}

static void play(const struct gv_bytes *dump, bool allow_truncated)
{
    const struct gv_psx_sink sink = { NULL, triangle, line,   rectangle,  clut,
                                      fill, copy,     upload, read_cells, latch };
    struct gv_psx_gpu gpu;
    struct gv_error err = GV_ERROR_INIT;
    const struct gv_psx_listener listener = { .context = &gpu, .vsync = vsync };
    gv_psx_gpu_init(&gpu, &sink);
    bool ok = gv_psx_replay(gv_cursor_make(dump->data, dump->size), &gpu, &listener,
                            allow_truncated, &err);
    gv_promise(ok == (err.status == GV_OK), "an error for each refusal");
    gv_promise(ok || err.offset < dump->size, "an offset for each refusal");
    gv_psx_gpu_finish(&gpu);
}

static void compile(const struct gv_bytes *dump, const struct gv_compile_params *params)
{
    struct gv_bytes out = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    struct gv_payload payload;
    if (gv_compile(dump->data, dump->size, params, gv_test_append, &out, NULL, NULL)) {
        gv_promise(gv_payload_open_memory(&payload, out.data, out.size, 0, &err),
                   err.message);
        gv_promise(gv_verify(&payload, &(struct gv_verify_params){ 0 }, &err),
                   err.message);
        gv_payload_finish(&payload);
    }
    gv_bytes_finish(&out);
}

static void describe(const struct gv_bytes *dump,
                     const struct gv_compile_params *params)
{
    struct gv_bytes text = { 0 };
    struct gv_describe facts = { 0 };
    gv_capture_info(dump->data, dump->size, params, &facts, NULL);
    gv_describe_finish(&facts);
    gv_capture_dump(dump->data, dump->size, params, gv_test_append, &text, NULL);
    gv_bytes_finish(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gv_bytes dump = { 0 };
    uint8_t flags = size ? data[0] : 0;
    const struct gv_compile_params params = { .level = 1,
                                              .jobs = 1,
                                              .allow_truncated = flags & 2 };
    if (flags & 1)
        gv_bytes_put(&dump, "PSXGPUDUMPv1\0\0", 14);
    else
        gv_bytes_put(&dump, "PSXGPUDUMPv1r1\0\0", 16);
    if (size > 1)
        gv_bytes_put(&dump, data + 1, size - 1);
    if (!dump.failed) {
        play(&dump, flags & 2);
        describe(&dump, &params);
        if (size <= COMPILE_BYTES)
            compile(&dump, &params);
    }
    gv_bytes_finish(&dump);
    return 0;
}

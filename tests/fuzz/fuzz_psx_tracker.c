// Bytes as PlayStation GPU work: they become commands that are whole more often than
// not. The same words in one packet and in many must make the GPU do the same, and what
// is compiled from them must verify.
//
//   input = steps; step = a byte and what it needs
//   byte     below 0xC0: a GP0 command of that opcode (0xA0 and up shifted to 0xE0..)
//            and its parameters; above: see step()
//   word     a byte below 0xE0: that many in both halves; else the next four bytes
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/compiler.h"
#include "compiler/psx/gp0.h"
#include "compiler/psx/replay.h"
#include "tests/helpers.h"
#include "tests/psx/psx_notes.h"
#include "tests/psx/psx_writer.h"
#include "vm/verify/verify.h"

#define MAX_STEPS 60
#define MAX_DATA 64 // words of an upload or polyline that one step gives

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
    const uint8_t *data;
    size_t size, pos;
};

// The same dump twice: `joined` in few packets, `split` with one word in each.
struct dumps {
    struct gv_psx_writer joined, split;
};

static uint8_t next(struct input *in)
{
    return in->pos < in->size ? in->data[in->pos++] : 0;
}

static uint32_t word(struct input *in)
{
    uint32_t b = next(in), v = 0;
    if (b < 0xE0)
        return b | (b ^ 5) << 16;
    for (int i = 0; i < 4; i++)
        v |= (uint32_t)next(in) << 8 * i;
    return v;
}

static void gp0(struct dumps *d, uint32_t w)
{
    gv_psx_write_gp0(&d->joined, w);
    gv_psx_write_packet(&d->split, GV_PSX_GP0, &w, 1);
}

static void packet(struct dumps *d, uint32_t type, const uint32_t *words, uint32_t n)
{
    gv_psx_write_packet(&d->joined, type, words, n);
    gv_psx_write_packet(&d->split, type, words, n);
}

static void command(struct dumps *d, struct input *in, uint32_t opcode)
{
    uint32_t color = next(in) * 0x010503u & 0xffffff;
    uint32_t first = opcode << 24 | color, words = gv_psx_command_words(first);
    if (opcode >= 0xe0)
        first = opcode << 24 | (word(in) & 0xffffff);
    gp0(d, first);
    for (uint32_t i = 1; i < words; i++)
        gp0(d, word(in));
    uint32_t tail = next(in);
    if (opcode >> 5 == 1 && (opcode & 8)) // the quad's fourth vertex
        tail = 1u + !!(opcode & 4) + !!(opcode & 16);
    else if (opcode >> 5 != 5 && !(opcode >> 5 == 2 && (opcode & 8)))
        tail = 0;
    for (uint32_t i = 0; i < tail && i < MAX_DATA; i++)
        gp0(d, word(in));
    if (opcode >> 5 == 2 && (opcode & 8))
        gp0(d, 0x55555555);
}

static void step(struct dumps *d, struct input *in)
{
    uint8_t b = next(in);
    uint32_t w;
    if (b < 0xC0) {
        command(d, in, b < 0xA0 ? b : b + 0x40u);
        return;
    }
    switch (b & 7) {
    case 0:
        command(d, in, 0xa0);
        break;
    case 1:
        command(d, in, 0xc0);
        break;
    case 2:
        packet(d, GV_PSX_VSYNC, NULL, 0);
        break;
    case 3:
    case 4:
        w = word(in);
        packet(d, (b & 7) == 3 ? GV_PSX_DISCARD : GV_PSX_READBACK, &w, 1);
        break;
    case 5:
        w = (uint32_t)(next(in) & 0x3f) << 24 | (word(in) & 0xffffff);
        packet(d, GV_PSX_GP1, &w, 1);
        break;
    case 6: // a command of the upper half, or data of one in progress
        gp0(d, word(in));
        break;
    default: // interlaced, or the upper 512 rows
        w = b & 8 ? 0x08000027 : 0x09000001;
        packet(d, GV_PSX_GP1, &w, 1);
        break;
    }
}

static bool vsync(void *context, bool live, struct gv_error *err)
{
    (void)live, (void)err;
    struct gv_psx_notes *notes = context;
    gv_bytes_printf(&notes->text, " V");
    return true;
}

static void play(const struct gv_bytes *dump, struct gv_psx_notes *notes)
{
    struct gv_psx_sink sink = gv_psx_notes_sink(notes);
    struct gv_psx_gpu gpu;
    const struct gv_psx_listener listener = { .context = notes, .vsync = vsync };
    gv_psx_gpu_init(&gpu, &sink);
    if (!gv_psx_replay(gv_cursor_make(dump->data, dump->size), &gpu, &listener, false,
                       NULL))
        abort();
    struct gv_psx_display area = gv_psx_display_area(&gpu);
    gv_bytes_printf(&notes->text, " %08x %u,%u %ux%u %llu", gv_psx_gpustat(&gpu),
                    area.x, area.y, area.width, area.height,
                    (unsigned long long)gpu.primitives);
    gv_psx_gpu_finish(&gpu);
}

static void check_equal(const struct dumps *d)
{
    struct gv_psx_notes a = { .full = true }, b = { .full = true };
    play(&d->joined.out, &a);
    play(&d->split.out, &b);
    if (!a.text.failed && !b.text.failed &&
        (a.text.size != b.text.size ||
         memcmp(a.text.data, b.text.data, a.text.size) != 0)) {
        fprintf(stderr, "one packet: %.*s\nmany:       %.*s\n", (int)a.text.size,
                (const char *)a.text.data, (int)b.text.size, (const char *)b.text.data);
        abort();
    }
    gv_bytes_finish(&a.text);
    gv_bytes_finish(&b.text);
}

static void check_compile(const struct gv_bytes *dump)
{
    const struct gv_compile_params params = { .jobs = 1, .level = 1 };
    struct gv_bytes out = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    struct gv_payload payload = { 0 };
    bool ok =
        gv_compile(dump->data, dump->size, &params, gv_test_append, &out, NULL, &err) &&
        gv_payload_open_memory(&payload, out.data, out.size, 0, &err) &&
        gv_verify(&payload, &(struct gv_verify_params){ 0 }, &err);
    if (!ok) { // every stream of words is a capture
        fprintf(stderr, "refused: %s\n", err.message);
        abort();
    }
    gv_payload_finish(&payload);
    gv_bytes_finish(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = { data, size, 0 };
    struct dumps d = { 0 };
    uint32_t version = 1u + next(&in) % 3;
    gv_psx_write_header(&d.joined, false);
    gv_psx_write_header(&d.split, false);
    packet(&d, GV_PSX_GPU_VERSION, &version, 1);
    if (next(&in) & 1)
        gv_psx_write_defaults(&d.joined), gv_psx_write_defaults(&d.split);
    for (int i = 0; i < MAX_STEPS && in.pos < in.size; i++)
        step(&d, &in);
    gv_psx_write_end(&d.joined);
    gv_psx_write_end(&d.split);
    check_equal(&d);
    check_compile(&d.joined.out);
    gv_bytes_finish(&d.joined.out);
    gv_bytes_finish(&d.split.out);
    return 0;
}

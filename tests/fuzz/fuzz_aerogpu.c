// Bytes as AeroGPU packets: they become well-framed packets of known opcodes with small
// operands, run after a set-up that makes objects worth naming. Whatever the front-end
// accepts must verify. (Any bytes as a whole file: fuzz_compile.)
//
//   input = packets; packet = row, then its dwords, then trailing bytes by row
//   row      a byte: which opcode, modulo their number
//   dword    a byte below 0xE0: that byte, the low 4 bits moved into the range of live
//            handles where bit 4 is set; else the next four bytes as they are
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/compiler.h"
#include "tests/aerogpu/aerogpu_encoder.h"
#include "tests/helpers.h"
#include "vm/verify/verify.h"

#define MAX_PACKETS 200
#define MAX_DWORDS 40
#define FIRST_HANDLE 16u // of the objects that the set-up makes, up to 31
#define MEMORY_ID 7u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
    const uint8_t *data;
    size_t size, pos;
};

static uint8_t next(struct input *in)
{
    return in->pos < in->size ? in->data[in->pos++] : 0;
}

static uint32_t dword(struct input *in)
{
    uint8_t b = next(in);
    if (b < 0xE0)
        return b & 0x10 ? FIRST_HANDLE + (b & 15) : b;
    uint32_t v = 0;
    for (int i = 0; i < 4; i++)
        v |= (uint32_t)next(in) << (8 * i);
    return v;
}

static void set_up(struct aero_stream *s)
{
    static const uint8_t zeros[64 * 28];
    aero_create_texture(s, FIRST_HANDLE, 0x10, 3, 16, 16, 1, 1);
    aero_create_texture(s, FIRST_HANDLE + 1, 0x18, 1, 16, 16, 5, 2);
    aero_create_texture(s, FIRST_HANDLE + 2, 0x20, 32, 16, 16, 1, 1);
    aero_create_texture(s, FIRST_HANDLE + 3, 8, 64, 8, 8, 2, 1);
    aero_create_texture(s, FIRST_HANDLE + 4, 8, 9, 4, 4, 1, 6);
    aero_make_buffer(s, FIRST_HANDLE + 5, 1, zeros, sizeof zeros);
    aero_make_buffer(s, FIRST_HANDLE + 6, 4, zeros, 256);
    aero_make_buffer(s, FIRST_HANDLE + 7, 3, zeros, 64);
    AERO_CMD(s, CREATE_SAMPLER, FIRST_HANDLE + 8, 0, 1, 1, 1);
    AERO_CMD(s, CREATE_TEXTURE_VIEW, FIRST_HANDLE + 9, FIRST_HANDLE + 1, 7, 1, 0, 1, 1,
             0, 0);
    AERO_CMD(s, CREATE_BUFFER, FIRST_HANDLE + 10, 5, 64, 0, MEMORY_ID, 0, 0, 0);
    AERO_CMD(s, CREATE_TEXTURE2D, FIRST_HANDLE + 11, 8, 3, 4, 4, 1, 1, 16, MEMORY_ID,
             64, 0, 0);
}

// The rows of cmds.def in order.
static const uint16_t opcodes[] = {
#define GV_CMD(name, opcode, min, count_at, element, handler) opcode,
#define GV_FIELD(name, field, offset, kind)
#define GV_CMD_END
#include "compiler/aerogpu/trace/cmds.def"
#undef GV_CMD
#undef GV_FIELD
#undef GV_CMD_END
};

static void packet(struct input *in, struct aero_stream *s)
{
    uint32_t dwords[MAX_DWORDS] = { 0 };
    uint32_t opcode = opcodes[next(in) % (sizeof opcodes / sizeof opcodes[0])];
    const struct gv_cmd_info *info = gv_cmd_find(opcode);
    size_t count = info->min / 4 - 2;
    for (size_t i = 0; i < count; i++)
        dwords[i] = dword(in);
    size_t bytes = 0;
    if (info->element && dwords[info->count_at / 4 - 2] < 64)
        bytes = (size_t)dwords[info->count_at / 4 - 2] * info->element;
    if (opcode == GV_CMD_UPLOAD_RESOURCE)
        bytes = dwords[4] < 256 ? dwords[4] : 0;
    aero_cmd(s, opcode, dwords, count);
    uint8_t tail[1024];
    if (bytes > sizeof tail)
        bytes = sizeof tail;
    for (size_t i = 0; i + 4 <= bytes; i += 4) {
        uint32_t v = dword(in);
        memcpy(tail + i, &v, 4);
    }
    if (bytes)
        aero_cmd_data(s, tail, bytes);
}

static void check_payload(const struct gv_bytes *bytes)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_payload payload;
    if (!gv_payload_open_memory(&payload, bytes->data, bytes->size, 0, &err) ||
        !gv_verify(&payload, &(struct gv_verify_params){ 0 }, &err)) {
        fprintf(stderr, "the payload is refused: %s\n", err.message);
        abort();
    }
    gv_payload_finish(&payload);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct gv_compile_params params = { .jobs = 1, .level = 1 };
    struct input in = { data, size, 0 };
    struct aero_file f = { 0 };
    struct aero_stream s = { 0 };
    struct gv_bytes out = { 0 };
    uint8_t memory[256] = { 0 };
    const struct aero_memory m = { MEMORY_ID, 0, 0x1000, memory, sizeof memory };
    aero_file_begin(&f, 2, AERO_ABI);
    aero_begin_frame(&f);
    aero_stream_begin(&s, AERO_ABI);
    set_up(&s);
    for (size_t i = 0; i < MAX_PACKETS && in.pos < in.size; i++)
        packet(&in, &s);
    aero_present(&s);
    aero_submit(&f, 0, &s, &m, 1);
    aero_present_record(&f);
    aero_end_frame(&f);
    aero_file_end(&f);
    if (gv_compile(f.bytes.data, f.bytes.size, &params, gv_test_append, &out, NULL,
                   NULL))
        check_payload(&out);
    gv_bytes_finish(&out);
    aero_stream_finish(&s);
    aero_file_finish(&f);
    return 0;
}

// Any bytes as a trace: read, described, dumped; what compiles must verify. The stream
// is read as it is and in chunks of snappy, whose sizes must change nothing. (Any bytes
// as a whole file: fuzz_compile.)
//
//   input = flags, stream; flags: 1 = cut streams are taken, 2 = no header of its own
#include <snappy-c.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/apitrace/trace/trace_reader.h"
#include "compiler/compiler.h"
#include "tests/apitrace/trace_print.h"
#include "tests/helpers.h"
#include "tests/promise.h"
#include "vm/verify/verify.h"

#define MEMORY ((uint64_t)64 << 20)
#define COMPILE_BYTES 8192 // larger ones are only read

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// All calls as text. What is refused is refused with a byte.
static size_t print(const struct gv_bytes *file, bool cut, struct gv_bytes *text,
                    struct gv_error *err)
{
    size_t calls = trace_print_file(text, file->data, file->size, cut, err);
    gv_promise(err->status == GV_OK || err->status == GV_ERR_MEMORY ||
                   err->offset != GV_NO_OFFSET,
               "an offset for each refusal");
    return calls;
}

static void put_chunk(struct gv_bytes *file, const uint8_t *stream, size_t size)
{
    size_t room = snappy_max_compressed_length(size), at = file->size;
    gv_bytes_u32(file, 0);
    uint8_t *to = gv_bytes_grow(file, room);
    gv_promise(to && snappy_compress((const char *)stream, size, (char *)to, &room) ==
                         SNAPPY_OK,
               "snappy packs");
    file->size = at + 4 + room;
    for (unsigned i = 0; i < 4; i++)
        file->data[at + i] = (uint8_t)(room >> (8 * i));
}

static void in_chunks(const struct gv_bytes *stream, size_t chunk, struct gv_bytes *out)
{
    gv_bytes_put(out, "at", 2);
    for (size_t at = 0; at < stream->size; at += chunk) {
        size_t left = stream->size - at;
        put_chunk(out, stream->data + at, left < chunk ? left : chunk);
    }
}

static void compare(const struct gv_bytes *stream, bool cut, size_t chunk)
{
    struct gv_bytes packed = { 0 }, a = { 0 }, b = { 0 };
    struct gv_error at_a = GV_ERROR_INIT, at_b = GV_ERROR_INIT;
    in_chunks(stream, stream->size, &packed);
    print(&packed, cut, &a, &at_a);
    packed.size = 0;
    in_chunks(stream, chunk, &packed);
    print(&packed, cut, &b, &at_b);
    gv_promise(a.size == b.size && (!a.size || !memcmp(a.data, b.data, a.size)),
               "chunks change no call");
    gv_promise(at_a.status == at_b.status && at_a.offset == at_b.offset,
               "chunks change no refusal");
    gv_bytes_finish(&packed);
    gv_bytes_finish(&a);
    gv_bytes_finish(&b);
}

static void look(const struct gv_bytes *file, const struct gv_compile_params *params)
{
    struct gv_describe facts = { 0 };
    struct gv_bytes text = { 0 }, out = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    struct gv_payload payload;
    gv_capture_info(file->data, file->size, params, &facts, NULL);
    gv_describe_finish(&facts);
    gv_capture_dump(file->data, file->size, params, gv_test_append, &text, NULL);
    gv_bytes_finish(&text);
    if (file->size <= COMPILE_BYTES &&
        gv_compile(file->data, file->size, params, gv_test_append, &out, NULL, NULL)) {
        gv_promise(gv_payload_open_memory(&payload, out.data, out.size, 0, &err),
                   err.message);
        gv_promise(gv_verify(&payload, &(struct gv_verify_params){ 0 }, &err),
                   err.message);
        gv_payload_finish(&payload);
    }
    gv_bytes_finish(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t flags = size ? data[0] : 0;
    struct gv_bytes stream = { 0 }, file = { 0 };
    static const char *const options[] = { "gl.work=1", NULL };
    const struct gv_compile_params params = { .level = 1,
                                              .options = options,
                                              .jobs = 1,
                                              .allow_truncated = flags & 1,
                                              .verbose = true,
                                              .memory_limit = MEMORY };
    if (!(flags & 2))
        gv_bytes_put(&stream, "\6\6\0", 3);
    if (size > 1)
        gv_bytes_put(&stream, data + 1, size - 1);
    if (stream.size) {
        compare(&stream, flags & 1, 1 + flags / 4);
        in_chunks(&stream, stream.size, &file);
        look(&file, &params);
    }
    gv_bytes_finish(&file);
    gv_bytes_finish(&stream);
    return 0;
}

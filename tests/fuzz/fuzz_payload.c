// Any bytes: opened as a payload, verified, and run on the recording host. Whatever
// they are, that ends in a refusal or a finished run.
// The same bytes as what a web server answers where the end of a payload was asked for:
// the ranges that are then fetched lie within the file, ascending.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "resources/http/http_client.h"
#include "tests/fuzz/interpret.h"
#include "vm/payload/payload_remote.h"
#include "vm/verify/verify.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_ranges(const struct gv_payload_range *ranges, size_t count,
                         uint64_t from)
{
    uint64_t end = 0;
    for (size_t i = 0; i < count; i++) {
        if (ranges[i].from < end || ranges[i].from > from ||
            ranges[i].size > from - ranges[i].from)
            abort();
        end = ranges[i].from + ranges[i].size;
    }
}

static void try_file(const uint8_t *data, size_t size)
{
    uint64_t from = 0;
    struct gv_payload_range *ranges = NULL;
    size_t count = 0;
    if (!gv_payload_remote_directory(data + size - GV_PAYLOAD_REMOTE_TRAILER, size,
                                     &from, NULL))
        return;
    if (from >= size)
        abort();
    if (gv_payload_remote_ranges(data + from, from, size, &ranges, &count, NULL))
        check_ranges(ranges, count, from);
    free(ranges);
}

static void try_text(const uint8_t *data, size_t size)
{
    char text[256] = { 0 }, shown[64];
    uint64_t first, last, total;
    memcpy(text, data, size < sizeof text - 1 ? size : sizeof text - 1);
    if (gv_http_read_range(text, &first, &last, &total) &&
        (first > last || last >= total))
        abort();
    gv_http_show_url(text, shown, sizeof shown);
}

static void mend(uint8_t *trailer, uint64_t size)
{
    memcpy(trailer + 8, &size, sizeof size);
    memset(trailer + 32, 0, 8);
    struct gv_hash hash = gv_hash_bytes(trailer, 40);
    memcpy(trailer + 40, hash.bytes, sizeof hash.bytes);
    memcpy(trailer + 56, "GPUVMEND", 8);
}

// The trailer's hash is made right in the second try.
static void try_remote(const uint8_t *data, size_t size)
{
    try_text(data, size);
    if (size < GV_PAYLOAD_REMOTE_TRAILER)
        return;
    uint8_t *copy = malloc(size);
    if (!copy)
        return;
    memcpy(copy, data, size);
    try_file(copy, size);
    mend(copy + size - GV_PAYLOAD_REMOTE_TRAILER, size);
    try_file(copy, size);
    free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct gv_verify_params params = { .memory_limit = INTERPRET_MEMORY };
    struct gv_payload payload;
    try_remote(data, size);
    if (!gv_payload_open_memory(&payload, data, size, INTERPRET_MEMORY, NULL))
        return 0;
    if (gv_verify(&payload, &params, NULL) && interpret_is_short(&payload)) {
        interpret(&payload, NULL);
        interpret_keyframes(&payload);
    }
    gv_payload_finish(&payload);
    return 0;
}

// A payload file taken apart and put together again, with all its hashes: for tests
// that change what is in it. Contents are decompressed, and stored raw.
#ifndef GV_TESTS_PAYLOAD_PARTS_H
#define GV_TESTS_PAYLOAD_PARTS_H

#include "resources/base/bytes.h"
#include "vm/payload/payload.h"

#include <stdbool.h>

#define PAYLOAD_PARTS_MAX 256

struct payload_part {
    uint16_t kind;  // enum gv_segment, or any number
    uint16_t flags; // without GV_SEGMENT_ZSTD
    struct gv_bytes content;
    size_t fixed; // bytes at the begin of the content that say how the rest is cut
};

struct payload_parts {
    uint8_t header[64], trailer[64];
    struct payload_part items[PAYLOAD_PARTS_MAX];
    size_t count;
    bool keeps_groups; // set before the split: they stay compressed, with dictionaries
};

// Takes a well-formed payload apart. False where it is none, or has too many segments.
bool payload_parts_split(struct payload_parts *parts, const uint8_t *data, size_t size);
// Appends the file. Hashes, sizes and offsets follow from the parts; ids of groups from
// their bytes, where RESOURCES and RESOURCE_BYTES still agree.
void payload_parts_join(struct payload_parts *parts, struct gv_bytes *out);
void payload_parts_finish(struct payload_parts *parts);

#endif

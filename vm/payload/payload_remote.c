#include "vm/payload/payload_remote.h"

#include <stdlib.h>

#include "vm/payload/payload_segments.h"

static bool read_trailer(const uint8_t *trailer, uint64_t file_size,
                         struct gv_trailer *out, struct gv_error *err)
{
    struct gv_payload unused = { 0 };
    uint64_t at = file_size - GV_TRAILER_BYTES;
    if (file_size < GV_HEADER_BYTES + GV_TRAILER_BYTES)
        return gv_fail(err, GV_ERR_FORMAT, 0, "too short for a payload");
    if (!gv_payload_read_trailer(&unused, trailer, at, out, err))
        return false;
    uint64_t rows = (uint64_t)out->segment_count * GV_DIRECTORY_ROW_BYTES;
    return (out->segment_count <= GV_MAX_SEGMENTS &&
            out->directory >= GV_HEADER_BYTES && out->directory < at &&
            at - out->directory >= GV_SEGMENT_HEADER_BYTES + rows) ||
           gv_fail(err, GV_ERR_FORMAT, at, "the trailer names no directory");
}

bool gv_payload_remote_directory(const uint8_t *trailer, uint64_t file_size,
                                 uint64_t *from, struct gv_error *err)
{
    struct gv_trailer t = { 0 };
    if (!read_trailer(trailer, file_size, &t, err))
        return false;
    *from = t.directory;
    return true;
}

// What of a segment is needed: of resources' bytes the header alone.
static bool range_of(const uint8_t *row, uint64_t previous_end, uint64_t directory,
                     struct gv_payload_range *out, struct gv_error *err)
{
    uint64_t offset = gv_load_u64(row + 8), size = gv_load_u64(row + 16);
    if (offset < previous_end || offset > directory ||
        directory - offset < GV_SEGMENT_HEADER_BYTES ||
        size > directory - offset - GV_SEGMENT_HEADER_BYTES)
        return gv_fail(err, GV_ERR_FORMAT, offset, "a segment is out of its place");
    bool bytes = gv_load_u16(row) == GV_SEGMENT_RESOURCE_BYTES;
    *out = (struct gv_payload_range){ offset,
                                      GV_SEGMENT_HEADER_BYTES + (bytes ? 0 : size) };
    return true;
}

bool gv_payload_remote_ranges(const uint8_t *end, uint64_t from, uint64_t file_size,
                              struct gv_payload_range **ranges, size_t *count,
                              struct gv_error *err)
{
    struct gv_trailer t = { 0 };
    if (!read_trailer(end + (file_size - GV_TRAILER_BYTES - from), file_size, &t, err))
        return false;
    struct gv_payload_range *list = calloc(t.segment_count + 1u, sizeof *list);
    if (!list)
        return gv_out_of_memory(err);
    list[0] = (struct gv_payload_range){ 0, GV_HEADER_BYTES };
    bool ok = true;
    for (size_t i = 0; ok && i < t.segment_count; i++)
        ok = range_of(end + GV_SEGMENT_HEADER_BYTES + i * GV_DIRECTORY_ROW_BYTES,
                      list[i].from + list[i].size, from, &list[i + 1], err);
    if (!ok) {
        free(list);
        return false;
    }
    *ranges = list;
    *count = t.segment_count + 1u;
    return true;
}

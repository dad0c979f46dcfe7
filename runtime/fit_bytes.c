#include "runtime/fit_bytes.h"

#define WORK_FLOOR (UINT64_C(256) << 20)
#define WORK_FACTOR 8

void gv_fit_bytes_init(struct gv_fit_bytes *bytes, const struct gv_payload *payload,
                       struct gv_source *const *sources, size_t source_count)
{
    uint64_t total = payload->constant_size;
    *bytes = (struct gv_fit_bytes){ payload, sources, source_count, NULL, NULL, 0, 0 };
    // At most 2^24 groups of 2^32 bytes each.
    for (size_t i = 0; i < payload->group_count; i++)
        total += payload->groups[i].raw_size;
    bytes->most_work = WORK_FLOOR + WORK_FACTOR * total;
}

static void drop(struct gv_fit_bytes *bytes)
{
    if (bytes->raw)
        gv_payload_drop_group(bytes->payload, bytes->group, bytes->raw);
    bytes->raw = NULL;
    bytes->group = NULL;
}

void gv_fit_bytes_finish(struct gv_fit_bytes *bytes)
{
    drop(bytes);
}

static uint64_t group_of(const struct gv_fit_bytes *bytes,
                         const struct gv_payload_bytes *place)
{
    return place->resource == GV_IN_CONSTANTS
               ? 0
               : (uint64_t)bytes->payload->resources[place->resource].group + 1;
}

// In the raw bytes of the group, or in the constants.
static uint64_t offset_of(const struct gv_fit_bytes *bytes,
                          const struct gv_payload_bytes *place)
{
    return place->resource == GV_IN_CONSTANTS
               ? place->offset
               : bytes->payload->resources[place->resource].offset + place->offset;
}

int gv_fit_bytes_compare(const struct gv_fit_bytes *bytes,
                         const struct gv_payload_bytes *a,
                         const struct gv_payload_bytes *b)
{
    const uint64_t x[] = { group_of(bytes, a), offset_of(bytes, a), a->size };
    const uint64_t y[] = { group_of(bytes, b), offset_of(bytes, b), b->size };
    for (size_t i = 0; i < sizeof x / sizeof *x; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

const uint8_t *gv_fit_bytes_of(struct gv_fit_bytes *bytes,
                               const struct gv_payload_bytes *place,
                               struct gv_error *err)
{
    const struct gv_payload *p = bytes->payload;
    uint64_t number = group_of(bytes, place), offset = offset_of(bytes, place);
    if (!number)
        return p->constants + offset;
    const struct gv_group *group = &p->groups[number - 1];
    if (bytes->group != group) {
        drop(bytes);
        bytes->raw =
            gv_payload_read_group(p, group, bytes->sources, bytes->source_count, err);
        bytes->group = bytes->raw ? group : NULL;
    }
    return bytes->raw ? bytes->raw + offset : NULL;
}

bool gv_fit_bytes_work(struct gv_fit_bytes *bytes, uint64_t count, struct gv_error *err)
{
    bytes->work += count; // sizes are below 2^36
    return bytes->work <= bytes->most_work ||
           gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                   "unsupported: shaders and pipelines of over %llu MiB in all, as "
                   "often as they are read",
                   (unsigned long long)(bytes->most_work >> 20));
}

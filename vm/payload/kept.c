#include "vm/payload/kept.h"

#include <stdlib.h>

#include "vm/decode.h"

void gv_kept_finish(struct gv_kept *kept)
{
    free(kept->runs);
    free(kept->chunk_runs);
    *kept = (struct gv_kept){ 0 };
}

void gv_kept_uses_finish(struct gv_kept_uses *uses)
{
    free(uses->resources);
    free(uses->frame_cursor);
    *uses = (struct gv_kept_uses){ 0 };
}

static bool put_use(struct gv_kept_uses *uses, uint32_t resource, struct gv_error *err)
{
    if (uses->count == uses->capacity) {
        size_t capacity = uses->capacity ? uses->capacity * 2 : 256;
        uint32_t *grown = realloc(uses->resources, capacity * sizeof *grown);
        if (!grown)
            return gv_out_of_memory(err);
        uses->resources = grown;
        uses->capacity = capacity;
    }
    uses->resources[uses->count++] = resource;
    return true;
}

bool gv_kept_uses_of_run(const struct gv_kept_run *run, const uint8_t *code,
                         struct gv_kept_uses *uses, struct gv_error *err)
{
    uint32_t next = run->next_resource;
    struct gv_instruction in;
    for (uint32_t at = run->begin; at < run->end;) {
        size_t n = gv_decode_step(code + at, run->end - at, next, &in);
        if (!n)
            return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                           "the code is not what was verified");
        at += (uint32_t)n;
        if (!gv_names_resource(&in))
            continue;
        next = (uint32_t)in.operand + 1;
        if (!put_use(uses, (uint32_t)in.operand, err))
            return false;
    }
    return true;
}

bool gv_kept_uses_make(const struct gv_kept *kept, struct gv_payload *payload,
                       struct gv_kept_uses *uses, struct gv_error *err)
{
    *uses = (struct gv_kept_uses){ 0 };
    uses->frame_cursor = calloc(payload->frame_count + 1, sizeof(uint64_t));
    if (!uses->frame_cursor)
        return gv_out_of_memory(err);
    size_t frame = 0;
    for (size_t chunk = 0; chunk < kept->chunk_count; chunk++) {
        for (; frame < payload->frame_count &&
               payload->frames[frame].chunk_begin <= chunk;
             frame++)
            uses->frame_cursor[frame] = uses->count;
        uint32_t run = kept->chunk_runs[chunk], end = kept->chunk_runs[chunk + 1];
        const uint8_t *code = run < end ? gv_payload_chunk(payload, chunk, err) : NULL;
        if (run < end && !code)
            return false;
        for (; run < end; run++)
            if (!gv_kept_uses_of_run(&kept->runs[run], code, uses, err))
                return false;
    }
    for (; frame <= payload->frame_count; frame++)
        uses->frame_cursor[frame] = uses->count;
    return true;
}

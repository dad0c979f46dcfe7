// The front-end row of AGI's captures.
#include "compiler/agi/agi.h"

#include "compiler/agi/agi_pack.h"

#include <string.h>

static enum gv_match probe(struct gv_cursor head)
{
    const size_t length = strlen(GV_AGI_MAGIC);
    const bool is = head.size >= length && (!memcmp(head.data, GV_AGI_MAGIC, length) ||
                                            !memcmp(head.data, "protopack", 9));
    return is ? GV_MATCH_SURE : GV_MATCH_NO;
}

const struct gv_frontend gv_frontend_agi = {
    .name = "agi",
    .what = "AGI capture",
    .probe = probe,
    .streams = GV_STREAMS_NOT,
    .compile = gv_agi_compile,
    .info = gv_agi_info,
    .dump = gv_agi_dump,
    .dumps_calls = true,
};

#include "tools/payload_json.h"

void gv_payload_id(const struct gv_payload *payload, char hex[GV_HASH_HEX])
{
    struct gv_hash id = { 0 };
    for (size_t i = 0; i < payload->segment_count; i++)
        gv_hash_chain(&id, &payload->segments[i].hash);
    gv_hash_to_hex(&id, hex);
}

void gv_payload_json(struct gv_json *out, const struct gv_payload *payload)
{
    char hex[GV_HASH_HEX];
    if (payload->segment_count == 0)
        return;
    gv_payload_id(payload, hex);
    gv_json_text(out, "payload_id", hex);
}

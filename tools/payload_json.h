// Payloads as members of JSON objects.
#ifndef GV_PAYLOAD_JSON_H
#define GV_PAYLOAD_JSON_H

#include "tools/base/json.h"
#include "vm/payload/payload.h"

// The hash of its segments' hashes, in the order of the file.
void gv_payload_id(const struct gv_payload *payload, char hex[GV_HASH_HEX]);

// "payload_id": the hash of its segments' hashes, in the order of the file. Nothing of
// a payload that ran while it came: its segments are gone.
void gv_payload_json(struct gv_json *out, const struct gv_payload *payload);

#endif

// PSXGPUDUMP containers: magic and packets. Knows bytes, not the GPU.
//
// Two headers exist: 16 bytes "PSXGPUDUMPv1r1\0\0" (the specification) and 14 bytes
// "PSXGPUDUMPv1\0\0" (DuckStation). Packets follow without alignment: a word of payload
// length in words (bits 0-23) and type (bits 24-31), then the payload.
#ifndef GV_PSX_GPU_DUMP_H
#define GV_PSX_GPU_DUMP_H

#include "resources/base/cursor.h"
#include "resources/base/error.h"

enum gv_psx_packet_type {
    GV_PSX_GP0 = 0x00,
    GV_PSX_GP1 = 0x01,
    GV_PSX_VSYNC = 0x02,
    GV_PSX_DISCARD = 0x03,
    GV_PSX_READBACK = 0x04,
    GV_PSX_TRACE_BEGIN = 0x05,
    GV_PSX_GPU_VERSION = 0x06,
    GV_PSX_GAME_ID = 0x10,
    GV_PSX_VIDEO_FORMAT = 0x11,
    GV_PSX_COMMENT = 0x12,
};

struct gv_psx_packet {
    uint32_t type;       // enum gv_psx_packet_type, or one to skip
    uint64_t offset;     // of the packet header, bytes from the start of the dump
    const uint8_t *data; // borrowed: `words` little-endian words, unaligned
    uint32_t words;
};

// The words of a packet, little-endian.
uint32_t gv_psx_packet_word(const struct gv_psx_packet *packet, uint32_t index);

// Reads the magic. Returns the header's length (14 or 16), or 0 and GV_ERR_FORMAT
// (offset of the first byte that differs) / GV_ERR_UNSUPPORTED (an unknown version).
size_t gv_psx_dump_header(const struct gv_cursor *head, struct gv_error *err);

// Reads the next packet. False at the end of the dump (err stays GV_OK) or where a
// packet is cut off (GV_ERR_FORMAT at its header).
bool gv_psx_packet_next(struct gv_cursor *c, struct gv_psx_packet *packet,
                        struct gv_error *err);

// The name of a packet type, for dumps; NULL if unknown.
const char *gv_psx_packet_name(uint32_t type);

#endif

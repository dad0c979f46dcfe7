#include "compiler/psx/gpu_dump.h"

#include <string.h>

#define IDENTIFIER "PSXGPUDUMPv1"
#define IDENTIFIER_SIZE 12

uint32_t gv_psx_packet_word(const struct gv_psx_packet *packet, uint32_t index)
{
    return gv_load_u32(packet->data + (size_t)index * 4);
}

size_t gv_psx_dump_header(const struct gv_cursor *head, struct gv_error *err)
{
    size_t compared = head->size < IDENTIFIER_SIZE ? head->size : IDENTIFIER_SIZE;
    for (size_t i = 0; i < compared; i++)
        if (head->data[i] != (uint8_t)IDENTIFIER[i]) {
            bool version = i >= 10; // "PSXGPUDUMP" is the magic, "v1" the version
            gv_fail(err, version ? GV_ERR_UNSUPPORTED : GV_ERR_FORMAT, i,
                    version ? "unsupported: dump version"
                            : "the magic is not PSXGPUDUMP");
            return 0;
        }
    struct gv_cursor revision = *head;
    revision.pos = compared;
    const uint8_t *r = gv_cursor_take(&revision, 2);
    if (r && r[0] == 0 && r[1] == 0)
        return 14;
    const uint8_t *zeros = gv_cursor_take(&revision, 2);
    if (r && zeros && r[0] == 'r' && r[1] == '1' && zeros[0] == 0 && zeros[1] == 0)
        return 16;
    if (zeros)
        gv_fail(err, GV_ERR_UNSUPPORTED, IDENTIFIER_SIZE,
                "unsupported: dump revision other than r1");
    else
        gv_fail(err, GV_ERR_FORMAT, head->size, "the dump ends inside its magic");
    return 0;
}

bool gv_psx_packet_next(struct gv_cursor *c, struct gv_psx_packet *packet,
                        struct gv_error *err)
{
    size_t at = c->pos;
    if (gv_cursor_left(c) == 0)
        return false;
    uint32_t header = gv_cursor_u32(c);
    uint32_t words = header & 0xffffff;
    const uint8_t *data = gv_cursor_take(c, (size_t)words * 4);
    if (c->bad)
        return gv_fail(err, GV_ERR_FORMAT, at, "packet passes the end of the dump");
    *packet = (struct gv_psx_packet){ header >> 24, at, data, words };
    return true;
}

const char *gv_psx_packet_name(uint32_t type)
{
    static const struct {
        uint32_t type;
        const char *name;
    } names[] = {
        { GV_PSX_GP0, "gp0" },
        { GV_PSX_GP1, "gp1" },
        { GV_PSX_VSYNC, "vsync" },
        { GV_PSX_DISCARD, "discard" },
        { GV_PSX_READBACK, "readback" },
        { GV_PSX_TRACE_BEGIN, "trace-begin" },
        { GV_PSX_GPU_VERSION, "gpu-version" },
        { GV_PSX_GAME_ID, "game-id" },
        { GV_PSX_VIDEO_FORMAT, "video-format" },
        { GV_PSX_COMMENT, "comment" },
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].type == type)
            return names[i].name;
    return NULL;
}

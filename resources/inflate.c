#include "resources/inflate.h"

#include <stdlib.h>
#include <zlib.h>

#define STEP_BYTES ((size_t)256 * 1024) // zlib counts in `uInt`

struct gv_inflate {
    z_stream z;
    bool ended; // the member
};

struct gv_inflate *gv_inflate_create(void)
{
    struct gv_inflate *inflate = calloc(1, sizeof *inflate);
    if (!inflate)
        return NULL;
    if (inflateInit2(&inflate->z, 16 + MAX_WBITS) == Z_OK) // 16: gzip alone
        return inflate;
    free(inflate);
    return NULL;
}

void gv_inflate_destroy(struct gv_inflate *inflate)
{
    if (!inflate)
        return;
    inflateEnd(&inflate->z);
    free(inflate);
}

static uInt clamp(size_t n)
{
    return n > STEP_BYTES ? (uInt)STEP_BYTES : (uInt)n;
}

enum gv_step gv_inflate_step(struct gv_inflate *from, struct gv_step_io *io)
{
    z_stream *z = &from->z;
    if (from->ended) // "A gzip file consists of a series of members", RFC 1952, 2.2
        inflateReset(z);
    uInt give = clamp(io->in_size), room = clamp(io->out_size);
    z->next_in = (z_const Bytef *)io->in;
    z->avail_in = give;
    z->next_out = io->out;
    z->avail_out = room;
    int result = inflate(z, Z_NO_FLUSH);
    io->in += give - z->avail_in;
    io->in_size -= give - z->avail_in;
    io->out += room - z->avail_out;
    io->out_size -= room - z->avail_out;
    from->ended = result == Z_STREAM_END;
    if (result == Z_MEM_ERROR)
        return GV_STEP_MEMORY;
    if (result == Z_STREAM_END)
        return GV_STEP_ENDED;
    return result == Z_OK || result == Z_BUF_ERROR ? GV_STEP_MORE : GV_STEP_DAMAGED;
}

bool gv_inflate_whole(const void *stored, size_t stored_size, void *raw,
                      size_t raw_size)
{
    uLongf made = raw_size;
    uLong taken = stored_size;
    return uncompress2(raw, &made, stored, &taken) == Z_OK && made == raw_size &&
           taken == stored_size;
}

#include "compiler/apitrace/trace/trace_probe.h"

#include "compiler/apitrace/trace/trace_brotli.h"
#include "resources/base/cursor.h"

#include <ctype.h>
#include <string.h>

#define HEAD_BYTES 4096u // of a stream are enough to know it
#define MAX_NAME 512u    // bytes of a function's name, or a property's
#define MAX_ARGUMENTS 64u

// "string": its length, then bytes. NULL: there is no such.
static const uint8_t *take_string(struct gv_cursor *c, size_t *length)
{
    uint64_t size = gv_cursor_uleb(c);
    *length = (size_t)size;
    return size > MAX_NAME ? NULL : gv_cursor_take(c, (size_t)size);
}

// A function, or one of its arguments: "glXCreateContext", "IDirect3D9::Release".
static bool take_name(struct gv_cursor *c)
{
    size_t length;
    const uint8_t *name = take_string(c, &length);
    for (size_t i = 0; name && i < length; i++)
        if (!isalnum(name[i]) && name[i] != '_' && name[i] != ':' && name[i] != '~')
            return false;
    return name && length > 0;
}

// Version, semantic version, properties.
static bool take_header(struct gv_cursor *c, uint64_t *version)
{
    *version = gv_cursor_uleb(c);
    if (*version > GV_TRACE_NEWEST_VERSION)
        return false;
    if (*version < 6)
        return true;
    if (gv_cursor_uleb(c) > *version)
        return false;
    for (size_t length = 1; length && !c->bad;) {
        const uint8_t *name = take_string(c, &length);
        size_t value;
        if (!name || (length && !take_string(c, &value)))
            return false;
    }
    return true;
}

bool gv_trace_is_stream(const uint8_t *data, size_t size)
{
    struct gv_cursor c = gv_cursor_make(data, size < HEAD_BYTES ? size : HEAD_BYTES);
    uint64_t version;
    if (!take_header(&c, &version) || gv_cursor_u8(&c) != 0)
        return false;
    if (version >= 4)
        gv_cursor_uleb(&c); // the thread
    gv_cursor_uleb(&c);     // the function's number
    if (!take_name(&c))
        return false;
    uint64_t arguments = gv_cursor_uleb(&c);
    if (arguments > MAX_ARGUMENTS)
        return false;
    for (; arguments; arguments--)
        if (!take_name(&c))
            return false;
    return !c.bad;
}

// u32 size, and raw snappy: the size it unpacks to, and elements, of which the first
// can only be a literal.
bool gv_trace_is_snappy(const uint8_t *data, size_t size)
{
    struct gv_cursor c = gv_cursor_make(data, size);
    const uint8_t *magic = gv_cursor_take(&c, 2);
    if (!magic || memcmp(magic, "at", 2) != 0)
        return false;
    uint64_t packed = gv_cursor_u32(&c);
    size_t start = c.pos;
    uint64_t unpacked = gv_cursor_uleb(&c);
    uint8_t tag = gv_cursor_u8(&c);
    return !c.bad && (tag & 3) == 0 && unpacked > 0 && packed >= c.pos - start;
}

bool gv_trace_is_brotli(const uint8_t *data, size_t size)
{
    uint8_t head[HEAD_BYTES];
    struct gv_brotli *brotli = gv_brotli_create();
    struct gv_step_io io = { data, size, head, sizeof head };
    if (!brotli)
        return false;
    gv_brotli_step(brotli, &io);
    gv_brotli_destroy(brotli);
    return gv_trace_is_stream(head, sizeof head - io.out_size);
}

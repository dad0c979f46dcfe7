#include "compiler/foreign_capture.h"

#include "compiler/brotli_head.h"
#include "resources/base/cursor.h"

#include <ctype.h>
#include <string.h>

#define HEAD_BYTES 4096u // of a stream are enough to know it

// ---- apitrace ----

#define APITRACE_VERSION 6u // the newest there is
#define MAX_NAME 512u       // bytes of a function's name, or a property's
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
    if (*version > APITRACE_VERSION)
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

// The first event enters a function, which is defined there.
static bool is_apitrace_stream(const uint8_t *data, size_t size)
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

// "at", then chunks: u32 size, and raw snappy: the size it unpacks to, and elements, of
// which the first can only be a literal. It holds the version.
static bool is_apitrace_snappy(const uint8_t *data, size_t size)
{
    struct gv_cursor c = gv_cursor_make(data, size);
    const uint8_t *magic = gv_cursor_take(&c, 2);
    if (!magic || memcmp(magic, "at", 2) != 0)
        return false;
    uint64_t packed = gv_cursor_u32(&c);
    size_t start = c.pos;
    uint64_t unpacked = gv_cursor_uleb(&c);
    uint8_t tag = gv_cursor_u8(&c);
    unsigned length_bytes = tag >> 2 < 60 ? 0 : (tag >> 2) - 59;
    gv_cursor_take(&c, length_bytes);
    uint8_t version = gv_cursor_u8(&c);
    return !c.bad && (tag & 3) == 0 && unpacked > 0 && packed >= c.pos - start &&
           version <= APITRACE_VERSION;
}

static bool is_apitrace(const uint8_t *data, size_t size)
{
    uint8_t head[HEAD_BYTES];
    return is_apitrace_snappy(data, size) || is_apitrace_stream(data, size) ||
           is_apitrace_stream(head, gv_brotli_head(data, size, head, sizeof head));
}

// ---- those with a magic ----

static const struct {
    const char *magic, *name;
} magics[] = {
    { "GFXR", "gfxreconstruct capture" },
    { "RDOC", "RenderDoc capture" },
    { "ProtoPack", "AGI capture" }, // `.gfxtrace`, also of GAPID; in its newer form
    { "protopack", "AGI capture" },
};

const char *gv_foreign_capture(const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++) {
        size_t length = strlen(magics[i].magic);
        if (size >= length && memcmp(data, magics[i].magic, length) == 0)
            return magics[i].name;
    }
    return is_apitrace(data, size) ? "apitrace trace" : NULL;
}

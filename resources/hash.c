#include "resources/hash.h"

#include <string.h>

#include "resources/hash_wide.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

static struct gv_hash canonical(XXH128_hash_t digest)
{
    XXH128_canonical_t form;
    struct gv_hash hash;
    XXH128_canonicalFromHash(&form, digest);
    memcpy(hash.bytes, form.digest, sizeof hash.bytes);
    return hash;
}

uint64_t gv_hash_xxh64(const void *data, size_t size)
{
    return XXH64(data, size, 0);
}

struct gv_hash gv_hash_bytes(const void *data, size_t size)
{
    struct gv_hash hash;
    if (size >= GV_HASH_WIDE_LEAST && gv_hash_wide(data, size, &hash))
        return hash;
    return canonical(XXH3_128bits(size ? data : "", size));
}

void gv_hash_chain(struct gv_hash *chain, const struct gv_hash *next)
{
    const struct gv_hash both[2] = { *chain, *next };
    *chain = gv_hash_bytes(both, sizeof both);
}

// One and the same.
static XXH3_state_t *state(struct gv_hash_stream *stream)
{
    return (XXH3_state_t *)(void *)stream;
}

struct gv_hash_stream *gv_hash_stream_create(void)
{
    XXH3_state_t *made = XXH3_createState();
    if (made)
        XXH3_128bits_reset(made);
    return (struct gv_hash_stream *)(void *)made;
}

void gv_hash_stream_destroy(struct gv_hash_stream *stream)
{
    if (stream)
        XXH3_freeState(state(stream));
}

void gv_hash_stream_add(struct gv_hash_stream *stream, const void *data, size_t size)
{
    if (size)
        XXH3_128bits_update(state(stream), data, size);
}

struct gv_hash gv_hash_stream_result(const struct gv_hash_stream *stream)
{
    return canonical(XXH3_128bits_digest((const XXH3_state_t *)(const void *)stream));
}

bool gv_hash_equal(const struct gv_hash *a, const struct gv_hash *b)
{
    return memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

void gv_hash_to_hex(const struct gv_hash *hash, char hex[GV_HASH_HEX])
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < sizeof hash->bytes; i++) {
        hex[2 * i] = digits[hash->bytes[i] >> 4];
        hex[2 * i + 1] = digits[hash->bytes[i] & 15];
    }
    hex[GV_HASH_HEX - 1] = '\0';
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

bool gv_hash_from_hex(const char *hex, struct gv_hash *hash)
{
    struct gv_hash out;
    for (size_t i = 0; i < sizeof out.bytes; i++) {
        int high = hex_digit(hex[2 * i]);
        int low = high < 0 ? -1 : hex_digit(hex[2 * i + 1]);
        if (low < 0)
            return false;
        out.bytes[i] = (uint8_t)(high << 4 | low);
    }
    if (hex[GV_HASH_HEX - 1] != '\0')
        return false;
    *hash = out;
    return true;
}

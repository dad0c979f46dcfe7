#include "resources/base/bytes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void gv_bytes_finish(struct gv_bytes *b)
{
    free(b->data);
    *b = (struct gv_bytes){ 0 };
}

static bool reserve(struct gv_bytes *b, size_t n)
{
    if (b->failed)
        return false;
    if (n <= b->capacity - b->size)
        return true;
    size_t capacity = b->capacity ? b->capacity : 256;
    while (capacity - b->size < n) {
        if (capacity > SIZE_MAX / 2) {
            b->failed = true;
            return false;
        }
        capacity *= 2;
    }
    uint8_t *data = realloc(b->data, capacity);
    if (!data) {
        b->failed = true;
        return false;
    }
    b->data = data;
    b->capacity = capacity;
    return true;
}

uint8_t *gv_bytes_grow(struct gv_bytes *b, size_t n)
{
    if (!reserve(b, n ? n : 1)) // NULL is for want of memory alone
        return NULL;
    uint8_t *at = b->data + b->size;
    b->size += n;
    return at;
}

void gv_bytes_put(struct gv_bytes *b, const void *data, size_t n)
{
    if (n == 0)
        return;
    uint8_t *at = gv_bytes_grow(b, n);
    if (at)
        memcpy(at, data, n);
}

void gv_bytes_u8(struct gv_bytes *b, uint8_t v)
{
    uint8_t *at = gv_bytes_grow(b, 1);
    if (at)
        *at = v;
}

static void put_le(struct gv_bytes *b, uint64_t v, size_t n)
{
    uint8_t *at = gv_bytes_grow(b, n);
    for (size_t i = 0; at && i < n; i++)
        at[i] = (uint8_t)(v >> (8 * i));
}

void gv_bytes_u16(struct gv_bytes *b, uint16_t v)
{
    put_le(b, v, 2);
}

void gv_bytes_u32(struct gv_bytes *b, uint32_t v)
{
    put_le(b, v, 4);
}

void gv_bytes_u64(struct gv_bytes *b, uint64_t v)
{
    put_le(b, v, 8);
}

void gv_bytes_f32(struct gv_bytes *b, float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    gv_bytes_u32(b, bits);
}

void gv_bytes_uleb(struct gv_bytes *b, uint64_t v)
{
    while (v >= 0x80) {
        gv_bytes_u8(b, (uint8_t)(v | 0x80));
        v >>= 7;
    }
    gv_bytes_u8(b, (uint8_t)v);
}

void gv_bytes_sleb(struct gv_bytes *b, int64_t v)
{
    while (v < -64 || v > 63) {
        gv_bytes_u8(b, (uint8_t)((uint64_t)v | 0x80));
        v = v < 0 ? ~(int64_t)(~(uint64_t)v >> 7) : v >> 7;
    }
    gv_bytes_u8(b, (uint8_t)((uint64_t)v & 0x7f));
}

void gv_bytes_zero_to(struct gv_bytes *b, size_t alignment)
{
    size_t n = (alignment - (b->size & (alignment - 1))) & (alignment - 1);
    uint8_t *at = n ? gv_bytes_grow(b, n) : NULL;
    if (at)
        memset(at, 0, n);
}

void gv_bytes_printf(struct gv_bytes *b, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (n > 0 && reserve(b, (size_t)n + 1)) {
        vsnprintf((char *)b->data + b->size, (size_t)n + 1, format, again);
        b->size += (size_t)n;
    }
    va_end(again);
}

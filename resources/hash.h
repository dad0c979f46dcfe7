// Content ids: XXH3-128 of raw bytes. hash.c and hash_wide.c alone use xxHash.
#ifndef GV_HASH_H
#define GV_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Canonical (big-endian) XXH3-128 digest, as written in files and names.
struct gv_hash {
    uint8_t bytes[16];
};

#define GV_HASH_HEX 33 // characters of the hexadecimal form, NUL included

struct gv_hash gv_hash_bytes(const void *data, size_t size);

// Makes `chain` the hash of itself and, behind it, `next`: of a sequence, one by one.
void gv_hash_chain(struct gv_hash *chain, const struct gv_hash *next);

// XXH64 without a seed: the hash that Mesa's tables of names use.
uint64_t gv_hash_xxh64(const void *data, size_t size);

// The same of bytes that come one after the other.
struct gv_hash_stream;
struct gv_hash_stream *gv_hash_stream_create(void); // NULL when memory runs out
void gv_hash_stream_destroy(struct gv_hash_stream *stream);
void gv_hash_stream_add(struct gv_hash_stream *stream, const void *data, size_t size);
struct gv_hash gv_hash_stream_result(const struct gv_hash_stream *stream); // so far

bool gv_hash_equal(const struct gv_hash *a, const struct gv_hash *b);
void gv_hash_to_hex(const struct gv_hash *hash, char hex[GV_HASH_HEX]); // lower case
bool gv_hash_from_hex(const char *hex, struct gv_hash *hash); // exactly 32 digits

#endif

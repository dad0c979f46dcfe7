#include "resources/hash_wide.h"

#include <string.h>

#if defined __x86_64__
// xxHash chooses its vectors while it is compiled. Its choice at run time (Debian's
// xxh_x86dispatch.h) is in the shared library alone.
#include <immintrin.h>
#include <sys/platform/x86.h>
#define XXH_VECTOR 2 // XXH_AVX2
#define XXH_INLINE_ALL
#if defined __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
#include <xxhash.h>

static void hash_long(const void *data, size_t size, struct gv_hash *out)
{
    XXH128_canonical_t form;
    if (size < GV_HASH_WIDE_LEAST)
        __builtin_unreachable(); // the ways of short ones are not made again
    XXH128_canonicalFromHash(&form, XXH3_128bits(data, size));
    _mm256_zeroupper(); // gcc leaves it out: all that follows would be slow
    memcpy(out->bytes, form.digest, sizeof out->bytes);
}
#if defined __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

bool gv_hash_wide(const void *data, size_t size, struct gv_hash *out)
{
    if (!x86_cpu_active(x86_cpu_AVX2))
        return false;
    hash_long(data, size, out);
    return true;
}
#else
bool gv_hash_wide(const void *data, size_t size, struct gv_hash *out)
{
    (void)data;
    (void)size;
    memset(out, 0, sizeof *out);
    return false;
}
#endif

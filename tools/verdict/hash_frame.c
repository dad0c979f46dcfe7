#include "tools/verdict/hash_frame.h"

#include <nettle/md5.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "resources/hash.h"

static const char *const form_names[GV_HASH_FORM_COUNT] = {
    [GV_HASH_SHA256_RGBA] = "sha256-rgba", [GV_HASH_SHA256_RGB] = "sha256-rgb",
    [GV_HASH_MD5_RGBA] = "md5-rgba",       [GV_HASH_MD5_RGB] = "md5-rgb",
    [GV_HASH_XXH3_RGBA] = "xxh3-rgba",     [GV_HASH_SHA1_RGB] = "sha1-rgb",
};

const char *gv_hash_form_name(enum gv_hash_form form)
{
    return form_names[form];
}

size_t gv_hash_form_digits(enum gv_hash_form form)
{
    bool sha256 = form == GV_HASH_SHA256_RGBA || form == GV_HASH_SHA256_RGB;
    return sha256 ? 64 : form == GV_HASH_SHA1_RGB ? 40 : 32;
}

bool gv_hash_form_find(const char *name, size_t length, enum gv_hash_form *form)
{
    for (int i = 0; i < GV_HASH_FORM_COUNT; i++) {
        if (strlen(form_names[i]) != length || memcmp(form_names[i], name, length) != 0)
            continue;
        *form = (enum gv_hash_form)i;
        return true;
    }
    return false;
}

static void put_u32(uint8_t *out, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        out[i] = (uint8_t)(value >> 8 * i);
}

static size_t sha256(uint8_t *digest, const uint8_t *head, const uint8_t *pixels,
                     size_t size)
{
    struct sha256_ctx context;
    sha256_init(&context);
    if (head)
        sha256_update(&context, 8, head);
    sha256_update(&context, size, pixels);
    sha256_digest(&context, SHA256_DIGEST_SIZE, digest);
    return SHA256_DIGEST_SIZE;
}

static size_t md5(uint8_t *digest, const uint8_t *pixels, size_t size)
{
    struct md5_ctx context;
    md5_init(&context);
    md5_update(&context, size, pixels);
    md5_digest(&context, MD5_DIGEST_SIZE, digest);
    return MD5_DIGEST_SIZE;
}

static size_t sha1(uint8_t *digest, const uint8_t *pixels, size_t size)
{
    struct sha1_ctx context;
    sha1_init(&context);
    sha1_update(&context, size, pixels);
    sha1_digest(&context, SHA1_DIGEST_SIZE, digest);
    return SHA1_DIGEST_SIZE;
}

static size_t xxh3(uint8_t *digest, const uint8_t *pixels, size_t size)
{
    struct gv_hash hash = gv_hash_bytes(pixels, size);
    memcpy(digest, hash.bytes, sizeof hash.bytes);
    return sizeof hash.bytes;
}

static uint8_t *drop_alpha(const uint8_t *rgba, size_t texels)
{
    uint8_t *rgb = malloc(3 * texels + 1);
    for (size_t i = 0; rgb && i < texels; i++)
        memcpy(rgb + 3 * i, rgba + 4 * i, 3);
    return rgb;
}

// Returns what follows the number, or NULL.
static const char *skip_number(const char *text)
{
    const size_t digits = strspn(text, "0123456789");
    return digits == 0 || (text[0] == '0' && digits > 1) ? NULL : text + digits;
}

bool gv_hash_is_number(const char *text)
{
    const char *rest = skip_number(text);
    return rest && !*rest;
}

bool gv_hash_is_size(const char *text)
{
    const char *rest = skip_number(text);
    rest = rest && *rest == 'x' ? skip_number(rest + 1) : NULL;
    return strcmp(text, "-") == 0 || (rest && !*rest);
}

bool gv_hash_frame(char text[GV_HASH_FRAME_TEXT], enum gv_hash_form form,
                   const uint8_t *rgba, uint32_t width, uint32_t height)
{
    size_t texels = (size_t)width * height, length = 0;
    uint8_t head[8], digest[SHA256_DIGEST_SIZE];
    put_u32(head, width);
    put_u32(head + 4, height);
    bool opaque = form == GV_HASH_SHA256_RGB || form == GV_HASH_MD5_RGB ||
                  form == GV_HASH_SHA1_RGB;
    uint8_t *rgb = opaque ? drop_alpha(rgba, texels) : NULL;
    if (opaque && !rgb)
        return false;
    switch (form) {
    case GV_HASH_SHA256_RGBA:
        length = sha256(digest, head, rgba, 4 * texels);
        break;
    case GV_HASH_SHA256_RGB:
        length = sha256(digest, NULL, rgb, 3 * texels);
        break;
    case GV_HASH_MD5_RGBA:
        length = md5(digest, rgba, 4 * texels);
        break;
    case GV_HASH_MD5_RGB:
        length = md5(digest, rgb, 3 * texels);
        break;
    case GV_HASH_XXH3_RGBA:
        length = xxh3(digest, rgba, 4 * texels);
        break;
    case GV_HASH_SHA1_RGB:
        length = sha1(digest, rgb, 3 * texels);
        break;
    }
    free(rgb);
    int at = snprintf(text, GV_HASH_FRAME_TEXT, "%s:", form_names[form]);
    for (size_t i = 0; i < length; i++)
        snprintf(text + at + 2 * i, 3, "%02x", digest[i]);
    return true;
}

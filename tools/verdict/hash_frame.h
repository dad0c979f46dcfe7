// Hashes of pictures, in the forms that `run --hash` prints.
#ifndef GV_HASH_FRAME_H
#define GV_HASH_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum gv_hash_form {
    GV_HASH_SHA256_RGBA, // over u32le width, u32le height, RGBA8 rows
    GV_HASH_SHA256_RGB,  // the others: over the pixel rows alone
    GV_HASH_MD5_RGBA,
    GV_HASH_MD5_RGB,
    GV_HASH_XXH3_RGBA, // 128 bits
    GV_HASH_SHA1_RGB,
};

#define GV_HASH_FORM_COUNT 6
#define GV_HASH_FORMS "sha256-rgba, sha256-rgb, sha1-rgb, md5-rgba, md5-rgb, xxh3-rgba"
#define GV_HASH_FRAME_TEXT 96 // "FORM:hex" and its NUL

const char *gv_hash_form_name(enum gv_hash_form form);
size_t gv_hash_form_digits(enum gv_hash_form form); // hexadecimal ones after "FORM:"
bool gv_hash_form_find(const char *name, size_t length, enum gv_hash_form *form);

// What stands beside a hash: a frame's number as --hash prints it (no leading zeros),
// and a size: "64x48", or "-" for any.
bool gv_hash_is_number(const char *text);
bool gv_hash_is_size(const char *text);

// "FORM:hex" in lower case. `rgba[height][width][4]`. False when memory runs out.
bool gv_hash_frame(char text[GV_HASH_FRAME_TEXT], enum gv_hash_form form,
                   const uint8_t *rgba, uint32_t width, uint32_t height);

#endif

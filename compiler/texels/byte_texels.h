// Texels whose components are whole bytes, as programs hand them over and as images
// hold them: from one to the other in one step.
#ifndef GV_BYTE_TEXELS_H
#define GV_BYTE_TEXELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler/texels/client_texels.h"
#include "compiler/texels/stored_texels.h"

// Where the bytes of a texel come from: byte i is byte at[i] of the other's, as far as
// mask[i] says, with the bits of ones[i].
struct gv_texel_bytes {
    uint8_t at[4], mask[4], ones[4];
    uint8_t bytes; // of the texel that is made
};

// RGBA of 8 bits from a program's texels; false: not made of whole bytes.
bool gv_client_bytes(const struct gv_client_texel *c, struct gv_texel_bytes *out);
// An image's texels from RGBA of 8 bits; false: not made of whole bytes.
bool gv_stored_bytes(const struct gv_stored_texel *s, struct gv_texel_bytes *out);
// What `second` makes of what `first` makes.
struct gv_texel_bytes gv_texel_bytes_through(const struct gv_texel_bytes *first,
                                             const struct gv_texel_bytes *second);

// Makes `count` texels of as many of `from_bytes` (> 0) each.
void gv_texel_bytes_make(const struct gv_texel_bytes *b, const uint8_t *from,
                         size_t from_bytes, size_t count, uint8_t *to);

#endif

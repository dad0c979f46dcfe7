// A small assembler for Direct3D shader blobs, for tests: one text, two encodings.
//
//   vs_4_0                       first line: stage and model
//   in POSITION 0 v0.xyz         signature entries: in, out, patch; then, optionally,
//   out SV_Position 0 o0 sv=1    sv=N (system value) and type=float|uint|int
//   word 0x0000110c 3            raw tokens
//   dcl_...                      declarations, where the encoding has them (see .c)
//   mul_sat r0.xyz, v0, cb0[3].x operands: masks, swizzles, -r0, |r0|, -|r0|, x0[r1.x +
//   2], ld_raw r0, l(0x10), t0       d(1.5) one double, d(1, 2) two;
//                                    l(1) one value, l(1.0, 2, 3, 4) four; 1.0 is a
//   float, 1 an if_nz r0.x                   integer; mnemonics of aero_sm4.def and
//   sm4.def with the ret                          suffixes _sat, _z, _nz, _eq, _ne,
//   _gt, _ge, _lt, _le
//                                and @N: control bits as they stand in the token
#ifndef GV_TESTS_DXBC_ASSEMBLER_H
#define GV_TESTS_DXBC_ASSEMBLER_H

#include "resources/base/bytes.h"

enum dxbc_encoding {
    DXBC_ENCODING_AERO,     // hand-made SM4/SM5: no checksum, no component types
    DXBC_ENCODING_OFFICIAL, // Direct3D's own SM4/SM5 tokens, checksum filled in
};

// Appends a whole DXBC container. False: `error` (may be NULL, 160 bytes) says which
// line.
bool dxbc_assemble(const char *text, enum dxbc_encoding encoding, struct gv_bytes *out,
                   char *error);

// Wraps D3D9 tokens in a container without signatures. `tokens` has `count` words.
void dxbc_wrap_tokens(const uint32_t *tokens, size_t count, struct gv_bytes *out);

// The checksum that official tools demand, written into the container at `blob`.
void dxbc_sign(uint8_t *blob, size_t size);

#endif

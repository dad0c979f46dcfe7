// What compiler and shaders agree on, in the common subset of the C and GLSL
// preprocessors. All buffers are arrays of 32-bit words.
#ifndef GV_PSX_LAYOUT_H
#define GV_PSX_LAYOUT_H

#define PSX_SET_UNIFORM 0
#define PSX_SET_TEXTURE 2
#define PSX_SET_STORAGE 3

// Bindings of PSX_SET_STORAGE.
#define PSX_BIND_VRAM 0    // two cells a word, the lower x in the low half
#define PSX_BIND_RECORDS 1 // of a group: states, records, spans, CLUT loads
#define PSX_BIND_SETUP 2   // prepared records
#define PSX_BIND_BINS 3    // bits of the records that may touch a tile
#define PSX_BIND_CLUT 4    // PSX_CLUT_SLOTS palettes
#define PSX_BIND_STAGING 5 // cells to store, or words read
#define PSX_BIND_PICTURE 6 // of the display area
// Of PSX_SET_TEXTURE: buffers again as texels, which some devices read faster.
#define PSX_BIND_VRAM_TEXELS 1  // R16_UINT: one cell each
#define PSX_BIND_SETUP_TEXELS 2 // R32G32B32A32_UINT: PSX_SETUP_TEXELS a record
#define PSX_BIND_CLUT_TEXELS 3  // R16_UINT: one entry each
#define PSX_BIND_BIN_TEXELS 4   // R32_UINT
#define PSX_BIND_VRAM_WORDS 5   // R32_UINT
// Of PSX_SET_UNIFORM: parameters of one dispatch.
#define PSX_BIND_PARAMS 0
#define PSX_PARAM_WORDS 16

// A compact record. A group's records are stored word by word (all first words, then
// all second words, ...), which compresses far better than record by record. A quad is
// one record that becomes two prepared ones; which records are quads is a bit mask in
// front.
#define PSX_RECORD_WORDS 12
#define PSX_KIND_TRIANGLE 0u  // 0: kind | PSX_GOURAUD | PSX_UNBINNED | state << 8
#define PSX_KIND_RECTANGLE 1u // 1: colour 0; 2..4: positions (rectangle: corner, size)
#define PSX_KIND_LINE 2u      // 5, 6: colours 1, 2
#define PSX_KIND_SPAN 3u      // 7: u0 v0 u1 v1; 8: u2 v2, CLUT slot << 16
#define PSX_KIND_QUAD 4u      // 9: position 3; 10: colour 3; 11: u3 v3
// A span's 2: row; 3: first | last << 16 column; 4: index of its planes
#define PSX_GOURAUD 8u
#define PSX_UNBINNED 16u  // drawn alone: not in the bins
#define PSX_SPAN_WORDS 10 // base and dx of r, g, b, u, v at column 0

// A draw state: clip rectangle (x0 | y0 << 16, x1 | y1 << 16), flags, texture window.
#define PSX_STATE_WORDS 4
#define PSX_STATE_PAGE_X(s) ((s & 15u) * 64u)
#define PSX_STATE_PAGE_Y(s) (s >> 4 & 1023u)
#define PSX_STATE_DEPTH(s) (s >> 14 & 3u)
#define PSX_STATE_BLEND(s) (s >> 16 & 3u)
#define PSX_STATE_TEXTURED (1u << 18)
#define PSX_STATE_RAW (1u << 19)
#define PSX_STATE_SEMI (1u << 20)
#define PSX_STATE_DITHER (1u << 21)
#define PSX_STATE_MASK_SET (1u << 22)
#define PSX_STATE_MASK_CHECK (1u << 23)
#define PSX_STATE_FLIP_U (1u << 24)
#define PSX_STATE_FLIP_V (1u << 25)
#define PSX_STATE_MODULATE_5 (1u << 26)
#define PSX_STATE_SKIP(s) (s >> 27 & 3u) // 1 + the parity of rows not drawn; 0 = none
#define PSX_STATE_ROWS_1024 (1u << 29)

// A prepared record: one form for all kinds. A cell is drawn where it lies inside the
// bounds and a*x + b*y + c >= 0 for all three edges; an attribute there is
// (base + dx*x + dy*y) >> 24.
#define PSX_SETUP_TEXELS 8 // of four words:
//   0: first column | first row << 16, last column | last row << 16 (clipped; last
//   below
//      first: nothing), flags, texture window
//   1..3: a, b, c of an edge; 1 also: CLUT slot
//   4: base of r, g, b, u   5: of v; dx of r, g, b   6: dx of u, v; dy of r, g
//   7: dy of b, u, v

// The dither matrix: offsets of columns 0..3 as signed nibbles, lowest first.
#define PSX_DITHER_0 0x1d0cu
#define PSX_DITHER_1 0xf3e2u
#define PSX_DITHER_2 0x0c1du
#define PSX_DITHER_3 0xe2f3u

#define PSX_MOVE_LANES 64u  // of a workgroup of the move shader
#define PSX_SETUP_LANES 32u // and of the set-up shader: records

#define PSX_CLUT_SLOTS 1024
#define PSX_CLUT_ENTRIES 256u // of a slot
#define PSX_CLUT_SLOT_WORDS 128

// Bins of a tile: a word with a bit for each of the next words that is not zero, then
// those words, a bit for each record that may touch the tile.
#define PSX_GROUP_RECORDS 1024u // prepared records at most: 32 such words
#define PSX_BIN_STRIDE(words) (1u + words)

// A workgroup of the raster shader: tiles side by side and one below the other, each of
// eight invocations (one dimension, since some devices fill their lanes along it
// alone).
#define PSX_TILE_LANES 8u
#define PSX_GROUP_TILES 4u
#define PSX_GROUP_TILES_W 2u
#define PSX_MAX_ROWS 8u
// A batch that leaves much of its rectangle alone is drawn by blocks of VRAM instead,
// from a list of them (column | row << 16).
#define PSX_BLOCK 32u // cells, both ways

// Its specialisation constants.
#define PSX_SPEC_TILE_W 0   // invocations in a row of a tile; each owns two columns
#define PSX_SPEC_ROWS 1     // rows that an invocation owns
#define PSX_SPEC_TEXTURES 2 // from here on: what some record of the batch needs
#define PSX_SPEC_BLENDING 3
#define PSX_SPEC_MODULATE_5 4

#endif

// What compiler and shaders agree on, in the common subset of the C and GLSL
// preprocessors. All buffers are arrays of 32-bit words.
#ifndef GV_PSX_LAYOUT_H
#define GV_PSX_LAYOUT_H

// Bindings of set 3 (storage buffers).
#define PSX_BIND_VRAM 0    // two cells a word, the lower x in the low half
#define PSX_BIND_RECORDS 1 // of a group: states, records, spans, CLUT loads
#define PSX_BIND_SETUP 2   // prepared records
#define PSX_BIND_BINS 3    // a bit per record and tile
#define PSX_BIND_CLUT 4    // PSX_CLUT_SLOTS palettes
#define PSX_BIND_STAGING 5 // cells to store, or words read
// Set 2: the picture.
#define PSX_BIND_PICTURE 0
// Set 0: parameters of one dispatch.
#define PSX_BIND_PARAMS 0
#define PSX_PARAM_WORDS 16

// A compact record. A group's records are stored word by word (all first words, then
// all second words, ...), which compresses far better than record by record. A quad is
// one record that becomes two prepared ones; which records are quads is a bit mask in
// front.
#define PSX_RECORD_WORDS 12
#define PSX_KIND_TRIANGLE 0u  // 0: kind | gouraud << 3 | state << 8
#define PSX_KIND_RECTANGLE 1u // 1: colour 0; 2..4: positions (rectangle: corner, size)
#define PSX_KIND_LINE 2u      // 5, 6: colours 1, 2
#define PSX_KIND_FILL 3u      // 7: u0 v0 u1 v1; 8: u2 v2, CLUT slot << 16
#define PSX_KIND_SPAN 4u // 2: row; 3: first | last << 16 column; 4: index of its planes
#define PSX_KIND_QUAD 5u // 9: position 3; 10: colour 3; 11: u3 v3
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

// A prepared record.
#define PSX_SETUP_WORDS 32
#define PSX_SETUP_KIND 0  // kind | gouraud << 3
#define PSX_SETUP_MIN 1   // first column | first row << 16, clipped
#define PSX_SETUP_MAX 2   // last column | last row << 16; below MIN: nothing
#define PSX_SETUP_EDGES 3 // 3 x (a, b, c): covered where a*x + b*y + c >= 0 for all
#define PSX_SETUP_LINE 3  // lines: x, y, dx, dy, k
#define PSX_SETUP_PLANES \
    12                     // 5 x (base, dx, dy): r, g, b, u, v; lines: (start, step, 0)
#define PSX_SETUP_STATE 27 // flags, window
#define PSX_SETUP_CLUT 29  // slot
#define PSX_SETUP_CELL 30  // of a fill

// The dither matrix: offsets of columns 0..3 as signed nibbles, lowest first.
#define PSX_DITHER_0 0x1d0cu
#define PSX_DITHER_1 0xf3e2u
#define PSX_DITHER_2 0x0c1du
#define PSX_DITHER_3 0xe2f3u

#define PSX_CLUT_SLOTS 1024
#define PSX_CLUT_SLOT_WORDS 128

// Specialisation constants of the raster shader.
#define PSX_SPEC_TILE_W 0 // invocations; each owns two columns
#define PSX_SPEC_TILE_H 1
#define PSX_SPEC_TEXTURES 2
#define PSX_SPEC_LINES 3

#endif

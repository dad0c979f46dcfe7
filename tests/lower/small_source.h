// A source API made for tests: a handful of packets with state, names and contexts,
// enough to need what every such API needs, and nothing of any real one. Its front-end
// (small_source.c) is the least that stands in front of compiler/lower/.
//
// A capture is packets of little-endian words: code, context, words that follow, words.
#ifndef GV_SMALL_SOURCE_H
#define GV_SMALL_SOURCE_H

#include "compiler/builder/builder.h"
#include "resources/base/arena.h"
#include "resources/base/bytes.h"
#include "resources/base/cursor.h"

#define SMALL_SIDE 16u // of the picture

enum small_code {
    SMALL_CONTEXT = 1,   // other: the packet's context is made, sharing with it (or 0)
    SMALL_BUFFER,        // name, bytes: a buffer of zeros
    SMALL_BUFFER_DATA,   // name, offset, bytes, data
    SMALL_TEXTURE,       // name, format (enum small_format), width, height
    SMALL_TEXTURE_DATA,  // name, offset, bytes, data of the linear image
    SMALL_USE_VERTICES,  // name, offset, stride: x and y as floats, then RGBA8
    SMALL_USE_CONSTANTS, // name: two floats are added to positions
    SMALL_USE_TEXTURE,   // name (0: none), multiplied with the vertices' colour
    SMALL_CLEAR,         // four floats
    SMALL_DRAW,          // primitive (enum gv_primitive), first vertex, vertices
    SMALL_FORGET,        // kind (enum small_kind), name: the name is free again
    SMALL_SHOW,          // the picture; a frame ends
};

enum small_format { SMALL_RGBA8, SMALL_BC1 };
enum small_kind { SMALL_KIND_BUFFER, SMALL_KIND_TEXTURE };

// Compiles a capture. As struct gv_frontend's.
bool small_compile(struct gv_cursor input, struct gv_arena *arena,
                   struct gv_builder *out, struct gv_error *err);

#endif

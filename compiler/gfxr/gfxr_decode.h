// The parameters of a call, as blocks of gfxreconstruct's files hold them, to the
// structs of Vulkan's headers. One routine over vk_api.def decodes every function; what
// does not follow its rule are rows at the top of the .c file.
#ifndef GV_GFXR_DECODE_H
#define GV_GFXR_DECODE_H

#include "compiler/vulkan/api/vk_call.h"
#include "resources/base/cursor.h"
#include "resources/base/error.h"

struct gv_gfxr_room {
    struct gv_arena *arena;
    uint64_t limit; // bytes that the arena may take; 0: none
};

// Before a block is decoded: an arena that keeps much is emptied. What blocks decode to
// is small, and they share room, since the system would be asked for each of them.
void gv_gfxr_forget(struct gv_arena *arena);

// Decodes `bytes`, the parameters of the function with this id, which must use them up.
// `out->place` is set before, for errors too. Everything comes from the room: at
// most some 20 times the bytes. GV_ERR_FORMAT, naming the parameter and the byte;
// GV_ERR_UNSUPPORTED, by name, for functions and structs that vk_api.def does not
// describe; GV_ERR_MEMORY.
bool gv_gfxr_decode(uint32_t id, struct gv_cursor bytes, const struct gv_gfxr_room *to,
                    struct gv_vk_call *out, struct gv_error *err);

#endif

// A command of a capture to a call of Vulkan: parameters out of its message, what they
// point to out of the recorded program's memory. One routine over vk_api.def decodes
// every function; what does not follow its rule are rows at the top of the .c file.
#ifndef GV_AGI_DECODE_H
#define GV_AGI_DECODE_H

#include "compiler/agi/agi_handles.h"
#include "compiler/agi/agi_layout.h"
#include "compiler/agi/agi_memory.h"
#include "compiler/agi/agi_proto.h"

// Templates of descriptor updates, by id: their data is raw memory.
struct gv_agi_templates {
    struct gv_arena *arena;
    struct gv_agi_map map;
};

// What calls are decoded with; lasts as long as the capture.
struct gv_agi_world {
    const struct gv_agi_layout *layout;
    struct gv_agi_memory memory;
    struct gv_agi_handles handles;
    struct gv_agi_templates templates;
};

// One command. `message` has its parameters, `call` (of no type if it is missing) its
// result; all that it observed is in the memory.
struct gv_agi_command {
    const struct gv_vk_id_info *function;
    struct gv_agi_message message, call;
    struct gv_vk_place place;
};

// The function that "vulkan.vkCmdDraw" names; NULL: none.
const struct gv_vk_id_info *gv_agi_function(const char *type_name);

// Everything comes from `arena`, at most `limit` bytes (0: any). `out->place` is the
// command's. Errors name the parameter: GV_ERR_FORMAT, GV_ERR_UNSUPPORTED by name,
// GV_ERR_MEMORY.
bool gv_agi_decode(struct gv_agi_world *world, const struct gv_agi_command *command,
                   struct gv_arena *arena, uint64_t limit, struct gv_vk_call *out,
                   struct gv_error *err);

// After the call: handles that it destroyed may come again.
void gv_agi_forget(struct gv_agi_world *world, const struct gv_agi_command *command,
                   const struct gv_vk_call *call);

void gv_agi_templates_init(struct gv_agi_templates *templates, struct gv_arena *arena);

#endif

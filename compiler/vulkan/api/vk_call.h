// A call of Vulkan as a capture holds it: the function and its arguments, in the
// structs of Vulkan's own headers. All of it follows from vk_api.def.
#ifndef GV_VK_CALL_H
#define GV_VK_CALL_H

#include "compiler/vulkan/api/vk_headers.h"
#include "resources/base/arena.h"

#include <stdbool.h>
#include <stddef.h>

// GV_VK_vkCmdDraw ...: every function of the registry, once. Aliases are the function
// that they are an alias of.
enum gv_vk_function {
#define GV_VK_FUNCTION(name, result) GV_VK_##name,
#include "compiler/vulkan/api/vk_api.def"
    GV_VK_FUNCTION_COUNT
};

// struct gv_vk_args_vkCmdDraw ...: the parameters of a function as it declares them.
#define GV_VK_FUNCTION(name, result) struct gv_vk_args_##name {
#define GV_VK_ARGUMENT(function, type, name, ...) type name;
#define GV_VK_END_FUNCTION(name) \
    }                            \
    ;
#include "compiler/vulkan/api/vk_api.def"

// A handle holds the number that the capture gave the object; 0 is VK_NULL_HANDLE.
#define GV_VK_ID(handle) ((uint64_t)(uintptr_t)(handle))

// Where something stands in the capture.
struct gv_vk_place {
    uint64_t offset; // bytes from the start of the (unpacked) capture
    uint64_t block;  // of the file, the first is 1
    uint64_t thread;
};

// A reader vouches for this:
// - every pointer is NULL, or points to as much as the parameter or member that counts
//   it says, and strings end with a NUL;
// - a pointer that Vulkan wants is there, unless it counts 0 elements. It may be NULL
//   in column MAYBE of vk_api.def, and, of one that the function writes to, where the
//   call failed or counts none;
// - a framebuffer that is not imageless has its attachments;
// - of VkWriteDescriptorSet those arrays are there that its type uses, the others NULL;
// - a chain (pNext) holds structs that vk_api.def knows, 64 at most, each with its own
//   sType.
// It does not look at values: enumerators, ids and counts may be any. Handles of
// descriptors that the type does not use are garbage.
struct gv_vk_call {
    enum gv_vk_function function;
    const void *args; // struct gv_vk_args_NAME
    int64_t result;   // VkResult, VkBool32, address ...; 0 of void
    struct gv_vk_place place;
};

// The arguments of CALL as the struct of FUNCTION.
#define GV_VK_ARGS(function, call) ((const struct gv_vk_args_##function *)(call)->args)

// What `pData` of vkUpdateDescriptorSetWithTemplate,
// vkCmdPushDescriptorSetWithTemplateKHR and their aliases points to: the descriptors,
// already gathered from the program's memory, those of each class in the order of the
// template's entries and of their elements.
struct gv_vk_template_data {
    bool known; // whether the recorder knew the template; then nothing else is there
    uint64_t image_count, buffer_count, texel_count;
    const VkDescriptorImageInfo *images;
    const VkDescriptorBufferInfo *buffers;
    const VkBufferView *texels;
    uint64_t acceleration_count; // refused where they are used
    const VkAccelerationStructureKHR *accelerations;
};

// A copy that lasts as long as the arena, everything the arguments point to included: a
// call is only there until the next is read. Left out, and NULL in the copy, is what
// only acceleration structures and micromaps have: geometries, and pointers to
// pointers. NULL when memory runs out.
const struct gv_vk_call *gv_vk_call_copy(const struct gv_vk_call *call,
                                         struct gv_arena *arena);

// "vkCmdDraw".
const char *gv_vk_function_name(enum gv_vk_function function);

#endif

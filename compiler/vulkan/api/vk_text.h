// Calls of Vulkan as text: parameters, members and enumerators by name, handles as the
// ids that the capture has for them.
#ifndef GV_VK_TEXT_H
#define GV_VK_TEXT_H

#include "compiler/vulkan/api/vk_call.h"
#include "resources/base/bytes.h"

// "vkCmdDraw(commandBuffer = 26, vertexCount = 3, ...)", " = VK_SUCCESS" where there is
// a result; no newline. Bytes, shaders among them, are told by their beginning and
// size. `name` is that of the function called, which may be an alias.
void gv_vk_put_call(struct gv_bytes *out, const char *name,
                    const struct gv_vk_call *call);

// Text of a capture in quotes, up to its end or `most` bytes; control characters as
// hexadecimal escapes.
void gv_vk_put_quoted(struct gv_bytes *out, const char *text, size_t most);

#endif

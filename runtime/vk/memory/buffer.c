#include "runtime/vk/memory/buffer.h"

#include "runtime/vk/context.h"
#include "vm/rules/buffer_rules.h"

struct gv_vk_buffer *gv_vk_buffer_find(const struct gv_handles *handles,
                                       uint64_t handle, const char *argument,
                                       struct gv_error *err)
{
    return gv_handles_find(handles, GV_KIND_BUFFER, handle, argument, err);
}

uint64_t gv_vk_buffer_words(const struct gv_vk_buffer *buffer)
{
    const uint64_t unit =
        buffer->usage & GV_BUFFER_USAGE_UNIFORM ? GV_VK_UNIFORM_UNIT : 4;
    return (buffer->size + unit - 1) & ~(unit - 1);
}

bool gv_vk_buffer_check_usage(const struct gv_vk_buffer *buffer, uint32_t usage,
                              const char *argument, struct gv_error *err)
{
    if ((buffer->usage & usage) == usage)
        return true;
    uint32_t missing = usage & ~buffer->usage;
    const char *name =
        gv_enum_value_name(GV_ENUM_ID_BUFFER_USAGE, missing & (~missing + 1));
    return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                   "%s: the buffer was created without usage %s", argument,
                   name ? name : "?");
}

bool gv_vk_buffer_check_range(const struct gv_vk_buffer *buffer, uint64_t offset,
                              uint64_t size, const char *argument, struct gv_error *err)
{
    return gv_rule_buffer_range(buffer->size, offset, size, argument, err);
}

bool gv_vk_buffer_check_bind(const struct gv_vk_buffer *buffer, uint64_t offset,
                             uint64_t *size, const char *argument, struct gv_error *err)
{
    if (*size == 0 && offset < buffer->size)
        *size = buffer->size - offset;
    return gv_vk_buffer_check_range(buffer, offset, *size, argument, err);
}

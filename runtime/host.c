#include "runtime/host.h"

#include "runtime/vk/context.h"
#include "runtime/vk/device/device.h"
#include "runtime/vk/memory/buffer_content.h"
#include "runtime/vk/memory/commands.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool gv_host_name_call(const char *call, struct gv_error *err)
{
    char message[sizeof(err->message)];
    if (!err)
        return false;
    memcpy(message, err->message, sizeof(message));
    // What does not fit is cut off: the front says more than the end.
    int length = snprintf(err->message, sizeof(err->message), "%s: ", call);
    if (err->offset != GV_NO_OFFSET)
        length = snprintf(err->message, sizeof(err->message),
                          "%s: data byte %" PRIu64 ": ", call, err->offset);
    err->offset = GV_NO_OFFSET;
    size_t room = sizeof(err->message) - (size_t)length - 1;
    size_t size = strlen(message);
    size = size < room ? size : room;
    memcpy(err->message + length, message, size);
    err->message[(size_t)length + size] = 0;
    return false;
}

// One function of the host's type for each row.
#define GV_CALL(name, code, result, sets, reads, doc)                         \
    static bool call_##name(void *context, const union gv_arg *args,          \
                            uint64_t *result_handle, struct gv_error *err)    \
    {                                                                         \
        const struct gv_args_##name *a = (const struct gv_args_##name *)args; \
        return (gv_do_##name(context, a, result_handle, err) &&               \
                gv_vk_commands_throttle(context, err)) ||                     \
               gv_host_name_call(#name, err);                                 \
    }
#define GV_ARG(name, kind, of, role)
#define GV_CALL_END
#include "vm/calls.def"
#undef GV_CALL
#undef GV_ARG
#undef GV_CALL_END

static uint8_t *map_memory(void *context, uint64_t handle, uint64_t *size)
{
    const struct gv_runtime *rt = context;
    const struct gv_vk_map *map = gv_handles_get(&rt->handles, GV_KIND_MAP, handle);
    if (!map)
        return NULL;
    *size = map->size;
    return map->data;
}

static bool meets(void *context, uint32_t requirement)
{
    const struct gv_runtime *rt = context;
    return requirement < rt->device->met_count && rt->device->met[requirement];
}

static void command(void *context, uint64_t number)
{
    struct gv_runtime *rt = context;
    rt->commands->command = number;
}

void gv_host_init(struct gv_host *host, struct gv_runtime *rt)
{
    host->context = rt;
    host->map_memory = map_memory;
    host->meets = meets;
    host->command = command;
#define GV_CALL(name, code, result, sets, reads, doc) host->calls[code] = call_##name;
#define GV_ARG(name, kind, of, role)
#define GV_CALL_END
#include "vm/calls.def"
#undef GV_CALL
#undef GV_ARG
#undef GV_CALL_END
}

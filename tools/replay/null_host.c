#include "tools/replay/null_host.h"

#include <stdlib.h>

struct gv_null_map {
    uint64_t handle, size;
    uint8_t *data; // owned; NULL: closed
};

static bool do_nothing(void *context, const union gv_arg *args, uint64_t *result,
                       struct gv_error *err)
{
    (void)context;
    (void)args;
    (void)result;
    (void)err;
    return true;
}

static bool make(void *context, const union gv_arg *args, uint64_t *result,
                 struct gv_error *err)
{
    struct gv_null_host *n = context;
    (void)args;
    (void)err;
    *result = ++n->handles;
    return true;
}

static struct gv_null_map *find(const struct gv_null_host *n, uint64_t handle)
{
    for (size_t i = 0; i < n->map_count; i++)
        if (n->maps[i].handle == handle && n->maps[i].data)
            return &n->maps[i];
    return NULL;
}

// A closed one's place, or one more.
static struct gv_null_map *place(struct gv_null_host *n)
{
    for (size_t i = 0; i < n->map_count; i++)
        if (!n->maps[i].data)
            return &n->maps[i];
    struct gv_null_map *grown = realloc(n->maps, (n->map_count + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    n->maps = grown;
    grown[n->map_count] = (struct gv_null_map){ 0 };
    return &grown[n->map_count++];
}

static bool open_map(void *context, const union gv_arg *args, uint64_t *result,
                     struct gv_error *err)
{
    struct gv_null_host *n = context;
    const struct gv_args_buffer_map *a = (const struct gv_args_buffer_map *)args;
    if (a->size.u > n->map_limit - n->map_bytes)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "maps pass the memory limit");
    struct gv_null_map *map = place(n);
    if (map)
        map->data = calloc(1, (size_t)a->size.u + 1);
    if (!map || !map->data)
        return gv_out_of_memory(err);
    map->size = a->size.u;
    map->handle = *result = ++n->handles;
    n->map_bytes += map->size;
    return true;
}

static bool close_map(void *context, const union gv_arg *args, uint64_t *result,
                      struct gv_error *err)
{
    struct gv_null_host *n = context;
    struct gv_null_map *map = find(n, args[0].u);
    (void)result;
    if (!map)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "a map that is not open");
    n->map_bytes -= map->size;
    free(map->data);
    map->data = NULL;
    return true;
}

static uint8_t *map_memory(void *context, uint64_t handle, uint64_t *size)
{
    const struct gv_null_map *map = find(context, handle);
    *size = map ? map->size : 0;
    return map ? map->data : NULL;
}

static bool meets(void *context, uint32_t requirement)
{
    (void)context;
    (void)requirement;
    return true;
}

void gv_null_host_init(struct gv_null_host *n, uint64_t map_limit)
{
    *n = (struct gv_null_host){
        .host = { .context = n, .map_memory = map_memory, .meets = meets },
        .map_limit = map_limit,
    };
    for (size_t i = 0; i < GV_CALL_LIMIT; i++)
        if (gv_call_infos[i].name)
            n->host.calls[i] = gv_call_infos[i].result ? make : do_nothing;
    n->host.calls[GV_CALL_buffer_map] = open_map;
    n->host.calls[GV_CALL_buffer_unmap] = n->host.calls[GV_CALL_map_close] = close_map;
}

void gv_null_host_finish(struct gv_null_host *n)
{
    for (size_t i = 0; i < n->map_count; i++)
        free(n->maps[i].data);
    free(n->maps);
    n->maps = NULL;
    n->map_count = 0;
}

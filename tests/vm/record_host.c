#include "tests/vm/record_host.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAP_BUDGET (UINT64_C(256) << 20)
#define BYTES_SHOWN 16

static void put_bytes(struct record_host *host, const uint8_t *data, uint64_t size)
{
    gv_bytes_printf(&host->text, "[%" PRIu64 "]", size);
    for (uint64_t i = 0; i < size && i < BYTES_SHOWN; i++)
        gv_bytes_printf(&host->text, "%s%02x", i ? "" : ":", data[i]);
}

static void put_arg(struct record_host *host, const struct gv_arg_info *info,
                    const union gv_arg *arg)
{
    bool optional;
    const char *word = NULL;
    gv_bytes_printf(&host->text, " %s=", info->name);
    if (info->kind == GV_ARG_ENUM)
        word = gv_enum_value_name(info->of, arg->u);
    if (word)
        gv_bytes_printf(&host->text, "%s", word);
    else if (info->kind == GV_ARG_BYTES)
        put_bytes(host, arg->data, arg[1].u);
    else if (info->kind == GV_ARG_F32)
        gv_bytes_printf(&host->text, "%g", (double)gv_arg_f32(*arg));
    else if (info->kind == GV_ARG_I32)
        gv_bytes_printf(&host->text, "%" PRIi64, arg->i);
    else if (gv_arg_object_kind(info->kind, &optional))
        gv_bytes_printf(&host->text, "#%" PRIu64, arg->u);
    else
        gv_bytes_printf(&host->text, "%" PRIu64, arg->u);
}

// Reads every byte it is given, so that a sanitiser sees a bad range.
static void read_bytes(struct record_host *host, const struct gv_call_info *info,
                       const union gv_arg *args)
{
    for (size_t i = 0; i < info->arg_count; i++)
        if (info->args[i].kind == GV_ARG_BYTES)
            for (uint64_t k = 0; k < args[i + 1].u; k++)
                host->byte_sum += args[i].data[k];
}

static bool open_map(struct record_host *host, const union gv_arg *args,
                     uint64_t handle, struct gv_error *err)
{
    const struct gv_args_buffer_map *a = (const struct gv_args_buffer_map *)args;
    if (a->size.u > host->map_budget - host->map_bytes)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "maps pass the host's budget");
    struct record_map *maps = realloc(host->maps, (host->map_count + 1) * sizeof *maps);
    uint8_t *data = calloc(1, (size_t)a->size.u + 1);
    if (maps)
        host->maps = maps;
    if (!maps || !data) {
        free(data);
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "no memory for a map");
    }
    host->maps[host->map_count++] = (struct record_map){ handle, a->size.u, data };
    host->map_bytes += a->size.u;
    // cppcheck-suppress memleak; the map owns it
    return true;
}

static struct record_map *find_map(struct record_host *host, uint64_t handle)
{
    for (size_t i = 0; i < host->map_count; i++)
        if (host->maps[i].handle == handle && host->maps[i].data)
            return &host->maps[i];
    return NULL;
}

static bool close_map(struct record_host *host, const union gv_arg *args,
                      struct gv_error *err)
{
    struct record_map *map = find_map(host, args[0].u);
    if (!map)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "no such map");
    host->map_bytes -= map->size;
    free(map->data);
    *map = host->maps[--host->map_count];
    return true;
}

static bool perform(struct record_host *host, enum gv_call call,
                    const union gv_arg *args, uint64_t *result, struct gv_error *err)
{
    const struct gv_call_info *info = &gv_call_infos[call];
    host->calls++;
    host->count[call]++;
    read_bytes(host, info, args);
    if (host->refuse == (int)call)
        return gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET, "refused by the test");
    if (info->result)
        *result = ++host->handles;
    if (host->keep_text) {
        gv_bytes_printf(&host->text, "%s", info->name);
        for (size_t i = 0; i < info->arg_count; i++)
            put_arg(host, &info->args[i], &args[i]);
        if (info->result)
            gv_bytes_printf(&host->text, " -> #%" PRIu64, *result);
        gv_bytes_u8(&host->text, '\n');
    }
    if (call == GV_CALL_buffer_map)
        return open_map(host, args, *result, err);
    if (call == GV_CALL_buffer_unmap || call == GV_CALL_map_close)
        return close_map(host, args, err);
    return true;
}

#define GV_CALL(name, code, result, sets, reads, doc)                                 \
    static bool record_##name(void *context, const union gv_arg *args, uint64_t *out, \
                              struct gv_error *err)                                   \
    {                                                                                 \
        return perform(context, GV_CALL_##name, args, out, err);                      \
    }
#define GV_ARG(name, kind, of, role)
#define GV_CALL_END
#include "vm/calls.def"
#undef GV_CALL
#undef GV_ARG
#undef GV_CALL_END

static uint8_t *map_memory(void *context, uint64_t handle, uint64_t *size)
{
    struct record_map *map = find_map(context, handle);
    if (!map)
        return NULL;
    *size = map->size;
    return map->data;
}

static bool meets(void *context, uint32_t requirement)
{
    const struct record_host *host = context;
    return requirement < 64 && host->met >> requirement & 1;
}

static void command(void *context, uint64_t number)
{
    struct record_host *host = context;
    host->commands++;
    if (host->keep_text)
        gv_bytes_printf(&host->text, "command %" PRIu64 "\n", number);
}

void record_host_init(struct record_host *host, bool keep_text)
{
    *host = (struct record_host){
        .host = { .context = host,
                  .map_memory = map_memory,
                  .meets = meets,
                  .command = command },
        .keep_text = keep_text,
        .refuse = -1,
        .map_budget = MAP_BUDGET,
    };
#define GV_CALL(name, code, result, sets, reads, doc) \
    host->host.calls[code] = record_##name;
#define GV_ARG(name, kind, of, role)
#define GV_CALL_END
#include "vm/calls.def"
#undef GV_CALL
#undef GV_ARG
#undef GV_CALL_END
}

void record_host_finish(struct record_host *host)
{
    for (size_t i = 0; i < host->map_count; i++)
        free(host->maps[i].data);
    free(host->maps);
    gv_bytes_finish(&host->text);
    memset(host, 0, sizeof *host);
}

const char *record_host_text(struct record_host *host)
{
    gv_bytes_u8(&host->text, 0);
    if (!host->text.failed)
        host->text.size--;
    return host->text.failed ? "" : (const char *)host->text.data;
}

static bool do_nothing(void *context, const union gv_arg *args, uint64_t *result,
                       struct gv_error *err)
{
    (void)context;
    (void)args;
    (void)err;
    *result = 1;
    return true;
}

void null_host_init(struct gv_host *host)
{
    *host = (struct gv_host){ 0 };
    for (size_t i = 0; i < GV_CALL_LIMIT; i++)
        if (gv_call_infos[i].name)
            host->calls[i] = do_nothing;
}

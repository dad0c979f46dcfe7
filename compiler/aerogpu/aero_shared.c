// Shared surfaces: tokens that stand for resources, and handles that alias them.
#include "compiler/aerogpu/aero.h"

#include <string.h>

#define MAX_TOKENS 65536u

static struct gv_aero_token *find_token(struct gv_aero *a, uint64_t token)
{
    for (uint32_t i = 0; i < a->tokens.count; i++)
        if (a->tokens.items[i].token == token)
            return &a->tokens.items[i];
    return NULL;
}

static bool add_token(struct gv_aero *a, uint64_t token, struct gv_aero_object *o,
                      struct gv_error *err)
{
    if (a->tokens.count == MAX_TOKENS)
        return gv_aero_fail(a, GV_ERR_LIMIT, err, "more than %u tokens", MAX_TOKENS);
    if (a->tokens.count == a->tokens.capacity) {
        uint32_t capacity = a->tokens.capacity ? a->tokens.capacity * 2 : 64;
        struct gv_aero_token *t = gv_arena_array(a->arena, capacity, sizeof *t);
        if (!t)
            return gv_out_of_memory(err);
        if (a->tokens.count)
            memcpy(t, a->tokens.items, a->tokens.count * sizeof *t);
        a->tokens.items = t;
        a->tokens.capacity = capacity;
    }
    a->tokens.items[a->tokens.count++] = (struct gv_aero_token){ token, o };
    return true;
}

void gv_aero_tokens_retire(struct gv_aero_tokens *tokens,
                           const struct gv_aero_object *o)
{
    for (uint32_t i = 0; i < tokens->count; i++)
        if (tokens->items[i].object == o)
            tokens->items[i].object = NULL;
}

GV_AERO_HANDLER(gv_aero_export_shared_surface)
{
    (void)x;
    uint32_t handle = GV_CMD_U32(c, EXPORT_SHARED_SURFACE, resource);
    uint64_t token = GV_CMD_U64(c, EXPORT_SHARED_SURFACE, token);
    struct gv_aero_object *o = gv_aero_find(a, handle);
    if (!token)
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "token 0 is no token");
    if (!o || (o->kind != GV_AERO_BUFFER && o->kind != GV_AERO_TEXTURE))
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "handle %u is no resource", handle);
    const struct gv_aero_token *t = find_token(a, token);
    if (!t)
        return add_token(a, token, o, err);
    if (t->object == o)
        return true;
    return gv_aero_fail(a, GV_ERR_FORMAT, err, "token %llu is %s",
                        (unsigned long long)token,
                        t->object ? "bound to another resource" : "retired");
}

GV_AERO_HANDLER(gv_aero_import_shared_surface)
{
    (void)x;
    uint32_t handle = GV_CMD_U32(c, IMPORT_SHARED_SURFACE, out_handle);
    const struct gv_aero_token *t =
        find_token(a, GV_CMD_U64(c, IMPORT_SHARED_SURFACE, token));
    if (!t || !t->object)
        return gv_aero_fail(
            a, GV_ERR_FORMAT, err, "token %llu is not exported",
            (unsigned long long)GV_CMD_U64(c, IMPORT_SHARED_SURFACE, token));
    if (gv_aero_find(a, handle) == t->object)
        return true; // the same alias again
    return gv_aero_alias(a, handle, t->object, err);
}

GV_AERO_HANDLER(gv_aero_release_shared_surface)
{
    (void)x, (void)err;
    struct gv_aero_token *t =
        find_token(a, GV_CMD_U64(c, RELEASE_SHARED_SURFACE, token));
    if (t)
        t->object = NULL;
    return true;
}

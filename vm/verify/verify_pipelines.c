// Which shaders a payload makes pipelines of: what slots hold, followed along the code.
// What a loop or a skip stores is known inside of it alone, since behind it nobody
// knows which of its ways were gone.
#include <stdlib.h>

#include "vm/verify/verify_internal.h"

struct held_shader {
    uint32_t number;  // in the list and one more; 0: not known
    uint64_t control; // the loop or skip that stored it, 0: none
};

bool gv_verify_watch_pipelines(struct verifier *v)
{
    if (!v->pipelines)
        return true;
    v->held = calloc(v->payload->slot_count + 1, sizeof *v->held);
    return v->held ||
           gv_fail(v->err, GV_ERR_LIMIT, GV_NO_OFFSET, "no memory for the verifier");
}

static uint64_t here(const struct verifier *v)
{
    return v->code_offset + v->at;
}

static bool is_open(const struct verifier *v, uint64_t control)
{
    for (size_t i = 0; i < v->control_depth; i++)
        if (v->control[i].serial == control)
            return true;
    return control == 0;
}

void gv_verify_note_store(struct verifier *v, uint64_t slot, const struct cell *c)
{
    if (v->held && c->kind == GV_KIND_SHADER)
        v->held[slot] = (struct held_shader){
            c->index, v->control_depth ? v->control[v->control_depth - 1].serial : 0
        };
}

// The bytes of an argument and its size, whose range has been checked; false of memory
// that the payload fills as it runs.
static bool bytes_of(const struct cell *c, struct gv_payload_bytes *out)
{
    *out =
        (struct gv_payload_bytes){ c->type == CELL_CONST ? GV_IN_CONSTANTS : c->index,
                                   c->value, c[1].value };
    return c->type == CELL_CONST || c->type == CELL_RESOURCE;
}

// False: not known.
static bool shader_of(const struct verifier *v, const struct cell *c, uint32_t *number)
{
    uint32_t one_more = 0;
    *number = GV_STAGE_EMPTY;
    if (c->type == CELL_KNOWN) // none
        return true;
    if (c->type == CELL_RESULT)
        one_more = c->index;
    else if (is_open(v, v->held[c->index].control))
        one_more = v->held[c->index].number;
    *number = one_more - 1;
    return one_more != 0;
}

static bool note_pipeline(struct verifier *v, const struct cell *args, uint32_t stages)
{
    struct gv_made_pipeline row = { .compute = stages == 1, .at = here(v) };
    bool known = bytes_of(args, &row.desc);
    for (uint32_t i = 0; i < 5; i++)
        row.shaders[i] = GV_STAGE_EMPTY;
    for (uint32_t i = 0; known && i < stages; i++)
        known = shader_of(v, &args[2 + i], &row.shaders[i]);
    return !known || gv_pipeline_list_add(v->pipelines, &row);
}

static bool note_shader(struct verifier *v, const struct cell *args, uint32_t *one_more)
{
    struct gv_made_shader row = { .at = here(v) };
    if (!bytes_of(args, &row.spirv))
        return true;
    bool ok = gv_pipeline_list_shader(v->pipelines, &row);
    *one_more = (uint32_t)v->pipelines->shader_count;
    return ok;
}

// calls.def: bytes, their size, then the shaders by stage.
bool gv_verify_note_call(struct verifier *v, uint32_t call, const struct cell *args,
                         uint32_t *one_more)
{
    bool ok = true;
    *one_more = 0;
    if (!v->held)
        return true;
    if (call == GV_CALL_shader_create)
        ok = note_shader(v, args, one_more);
    else if (call == GV_CALL_pipeline_create_graphics)
        ok = note_pipeline(v, args, 5);
    else if (call == GV_CALL_pipeline_create_compute)
        ok = note_pipeline(v, args, 1);
    return ok ||
           gv_fail(v->err, GV_ERR_LIMIT, GV_NO_OFFSET, "no memory for the verifier");
}

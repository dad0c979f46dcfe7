// effects.def: what the roles of calls leave out is said, and said once.
#include "tests/test.h"
#include "vm/calls.h"
#include "vm/ops.h"

static const char *const calls[GV_CALL_LIMIT] = {
#define GV_CALL_EFFECTS(call, rule, text) [GV_CALL_##call] = text,
#define GV_OP_EFFECTS(op, text)
#include "vm/effects.def"
#undef GV_CALL_EFFECTS
#undef GV_OP_EFFECTS
};

static const char *const ops[256] = {
#define GV_CALL_EFFECTS(call, rule, text)
#define GV_OP_EFFECTS(op, text) [GV_OP_##op] = text,
#include "vm/effects.def"
#undef GV_CALL_EFFECTS
#undef GV_OP_EFFECTS
};

// Whether a row's roles cannot tell all: maps stand for buffers, targets and passes for
// images, work for all that is bound; and which part an UPDATE changes is nowhere.
static bool needs_words(const struct gv_call_info *info)
{
    const uint32_t state = GV_STATE_WORK | GV_STATE_PASS | GV_STATE_FEEDBACK |
                           GV_STATE_QUERY | GV_STATE_CONDITION;
    bool needs = ((info->sets | info->reads) & state) != 0;
    for (size_t i = 0; i < info->arg_count; i++) {
        const struct gv_arg_info *a = &info->args[i];
        needs |= a->role == GV_ROLE_UPDATE || a->role == GV_ROLE_TARGET ||
                 a->kind == GV_ARG_MAP;
    }
    return needs;
}

int main(void)
{
    for (int i = 0; i < GV_CALL_LIMIT; i++) {
        const struct gv_call_info *info = &gv_call_infos[i];
        if (info->name)
            CHECK_ROW(info->name, calls[i] || !needs_words(info));
    }
    CHECK(ops[GV_OP_FETCH] && ops[GV_OP_COPY] && ops[GV_OP_STORE8] && ops[GV_OP_LOOP]);
    CHECK(ops[GV_OP_PRODUCT] && ops[GV_OP_INVERSE]);
    return TEST_RESULT();
}

// The dispatch loop: computed goto, or a switch (GV_NO_COMPUTED_GOTO), from one list.
#include <inttypes.h>
#include <string.h>

#include "resources/base/cancel.h"
#include "resources/base/cursor.h"
#include "vm/machine/interp_internal.h"
#include "vm/machine/progress.h"
#include "vm/matrix/matrix.h"

// ---- memory ----

static bool fetch(struct gv_vm *vm, uint32_t resource, uint64_t to,
                  struct gv_error *err)
{
    const uint8_t *from = gv_vm_resource(vm, resource, err);
    uint8_t *dst = from ? gv_vm_write(vm, to, err) : NULL;
    if (dst)
        memcpy(dst, from, (size_t)vm->payload->resources[resource].size);
    gv_cache_release(vm->cache);
    return dst != NULL;
}

static bool copy(struct gv_vm *vm, uint64_t to, uint64_t from, uint64_t size,
                 struct gv_error *err)
{
    const uint8_t *src = gv_vm_read(vm, from, err);
    uint8_t *dst = src ? gv_vm_write(vm, to, err) : NULL;
    if (dst)
        memmove(dst, src, (size_t)size);
    gv_cache_release(vm->cache);
    return dst != NULL;
}

// sp[0]: to; sp[1]: the matrix; sp[2]: its factors.
static bool product(struct gv_vm *vm, const uint64_t *sp, uint64_t factors,
                    struct gv_error *err)
{
    float sum[GV_MATRIX_FLOATS], factor[GV_MATRIX_FLOATS];
    const uint8_t *left = gv_vm_read(vm, sp[1], err);
    const uint8_t *right = left ? gv_vm_read(vm, sp[2], err) : NULL;
    uint8_t *dst = right ? gv_vm_write(vm, sp[0], err) : NULL;
    if (dst) {
        memcpy(sum, left, sizeof sum);
        for (uint64_t i = 0; i < factors; i++, right += sizeof factor) {
            memcpy(factor, right, sizeof factor);
            gv_matrix_product(sum, sum, factor);
        }
        memcpy(dst, sum, sizeof sum);
    }
    gv_cache_release(vm->cache);
    return dst != NULL;
}

// sp[0]: to; sp[1]: the matrix.
static bool inverse(struct gv_vm *vm, const uint64_t *sp, uint32_t columns,
                    struct gv_error *err)
{
    float m[GV_MATRIX_FLOATS];
    const uint8_t *src = gv_vm_read(vm, sp[1], err);
    uint8_t *dst = src ? gv_vm_write(vm, sp[0], err) : NULL;
    if (dst) {
        memcpy(m, src, sizeof m);
        gv_matrix_inverse(m, m);
        memcpy(dst, m, (size_t)columns * GV_MATRIX_COLUMN_BYTES);
    }
    gv_cache_release(vm->cache);
    return dst != NULL;
}

static bool load(struct gv_vm *vm, uint64_t *cell, unsigned width, struct gv_error *err)
{
    const uint8_t *from = gv_vm_read(vm, *cell, err);
    if (!from)
        return false;
    uint64_t value = 0;
    for (unsigned i = width; i-- > 0;)
        value = value << 8 | from[i];
    *cell = value;
    gv_cache_release(vm->cache);
    return true;
}

static bool store(struct gv_vm *vm, uint64_t to, uint64_t value, unsigned width,
                  struct gv_error *err)
{
    uint8_t *dst = gv_vm_write(vm, to, err);
    if (!dst)
        return false;
    for (unsigned i = 0; i < width; i++)
        dst[i] = (uint8_t)(value >> 8 * i);
    return true;
}

// ---- calls ----

static bool call_failed(const struct callee *callee, struct gv_error *err)
{
    if (err && err->status == GV_OK) // a host that says no without a reason
        gv_fail(err, GV_ERR_DEVICE, GV_NO_OFFSET, "%s failed", callee->info->name);
    return false;
}

static bool argument_fits(uint8_t pass, uint64_t cell)
{
    switch ((enum pass)pass) {
    case PASS_U32:
        return cell <= UINT32_MAX;
    case PASS_I32:
        return cell + UINT64_C(0x80000000) <= UINT32_MAX;
    case PASS_BOOL:
        return cell <= 1;
    case PASS_PLAIN:
    case PASS_BYTES:
    case PASS_MAP:
        break;
    }
    return true;
}

static bool pass_argument(struct gv_vm *vm, const struct callee *callee, size_t index,
                          uint64_t cell, union gv_arg *arg, struct gv_error *err)
{
    uint8_t pass = callee->pass[index];
    if (!argument_fits(pass, cell))
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "argument-range: %s.%s: %" PRIi64 " does not fit",
                       callee->info->name, callee->info->args[index].name,
                       (int64_t)cell);
    arg->u = cell;
    if (pass == PASS_BYTES)
        arg->data = gv_vm_read(vm, cell, err);
    else if (pass == PASS_MAP)
        arg->u = vm->slots[CELL_INDEX(cell)];
    return pass != PASS_BYTES || arg->data;
}

static bool invoke(struct gv_vm *vm, const struct callee *callee,
                   const union gv_arg *args, uint64_t **sp, struct gv_error *err)
{
    uint64_t result = 0;
    bool good = callee->call(vm->host->context, args, &result, err);
    gv_cache_release(vm->cache);
    vm->stats.calls++;
    if (callee->result)
        *(*sp)++ = result;
    return good || call_failed(callee, err);
}

// A call whose arguments are cells on the stack.
static bool call(struct gv_vm *vm, const struct callee *callee, uint64_t **sp,
                 struct gv_error *err)
{
    union gv_arg args[GV_MAX_ARGS + 1] = { { 0 } };
    *sp -= callee->arg_count;
    for (size_t i = 0; i < callee->arg_count; i++)
        if (!pass_argument(vm, callee, i, (*sp)[i], &args[i], err))
            return false;
    return invoke(vm, callee, args, sp, err);
}

static bool fix(struct gv_vm *vm, union word *args, const union word *fixup,
                struct gv_error *err)
{
    union gv_arg *arg = &args[fixup[0].u >> 8].arg;
    if ((fixup[0].u >> 1 & 1) == FIXUP_SLOT) {
        arg->u = vm->slots[fixup[1].u];
        return true;
    }
    arg->data = gv_vm_read(vm, fixup[1].u, err);
    return arg->data != NULL;
}

// A call that carries its arguments: fills in those that depend on slots and resources.
static bool call_ready(struct gv_vm *vm, union word *ip, uint64_t **sp,
                       struct gv_error *err)
{
    const struct callee *callee = &vm->callees[HEAD_A(ip[0])];
    union word *args = ip + 2;
    const union word *fixups = args + COUNTS_ARGS(ip[1]) + 1;
    for (uint32_t i = 0; i < COUNTS_FIXUPS(ip[1]); i++)
        if (!fix(vm, args, fixups + 2 * (size_t)i, err))
            return false;
    return invoke(vm, callee, &args->arg, sp, err);
}

// ---- positions ----

// Whether a stop is due before command `next` begins.
static bool stop_due(struct gv_vm *vm, uint64_t next)
{
    if (vm->next_stop >= vm->params.stop_command_count ||
        vm->params.stop_commands[vm->next_stop] >= next)
        return false;
    vm->next_stop++;
    return true;
}

static void enter_command(struct gv_vm *vm, uint64_t command)
{
    if (vm->announced && vm->command == command) // a chunk goes on with it
        return;
    vm->command = command;
    vm->announced = true;
    vm->stats.commands++;
    gv_progress_recorded(vm->params.progress, vm->frame, command);
    if (vm->host->command)
        vm->host->command(vm->host->context, command);
}

// ---- the loop ----

#ifdef GV_NO_COMPUTED_GOTO
#define CASE(name) case MICRO_##name:
#define DISPATCH() goto dispatch
#define LOOP_BEGIN \
    dispatch:      \
    switch ((enum micro)HEAD_OP(*ip)) {
#define LOOP_FINISH }
#else
#define CASE(name) label_##name:
#define DISPATCH() __extension__({ goto *labels[HEAD_OP(*ip)]; })
#define LOOP_BEGIN DISPATCH();
#define LOOP_FINISH
#endif

// Goes on after an instruction of `size` words.
#define NEXT(size)      \
    do {                \
        ip += (size);   \
        instructions++; \
        DISPATCH();     \
    } while (0)

bool gv_vm_dispatch(struct gv_vm *vm, bool *stopped, enum gv_stop *stop,
                    struct gv_error *err)
{
#ifndef GV_NO_COMPUTED_GOTO
    __extension__ static const void *const labels[] = {
#define GV_MICRO(name, words, ...) &&label_##name,
#include "vm/machine/micro_ops.def"
#undef GV_MICRO
    };
#endif
    union word *ip = vm->ip;
    uint64_t *sp = vm->sp;
    uint64_t instructions = 0;
    *stopped = false;
    LOOP_BEGIN
#define GV_MICRO(name, words, ...) \
    CASE(name)                     \
    {                              \
        __VA_ARGS__ NEXT(words);   \
    }
#include "vm/machine/micro_ops.def"
#undef GV_MICRO
    LOOP_FINISH

frame_ended:
    instructions++;
    vm->ended_frame = true;
    *stop = GV_STOP_FRAME;
stopping:
    *stopped = true;
    vm->ip = ip;
leave:
    vm->sp = sp;
    vm->stats.instructions += instructions;
    return true;
cancelled:
    gv_fail_cancelled(err);
fail:
    vm->stats.instructions += instructions;
    if (err && err->offset == GV_NO_OFFSET)
        err->offset = vm->payload->chunks[vm->chunk - 1].code_offset + HEAD_OFFSET(*ip);
    return gv_error_at_command(err, vm->command);
}

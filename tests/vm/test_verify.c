// The verifier: good code passes, and each rule refuses what breaks it, by name and at
// the right byte. The last test sees to it that no rule is without such a row.
#include "resources/base/bytes.h"
#include "tests/test.h"
#include "tests/vm/vm_fixture.h"
#include "vm/verify/verify.h"

#define CODE(...)                             \
    .code = (const uint8_t[]){ __VA_ARGS__ }, \
    .size = sizeof((const uint8_t[]){ __VA_ARGS__ })
#define FIN C(F_FRAME_END), OP(END)

struct row {
    const char *name, *rule;
    const uint8_t *code;
    size_t size;
    uint64_t offset;       // of the refusal
    const char *uses;      // resources used, as digits; NULL = none
    enum gv_status status; // 0 = GV_ERR_FORMAT
};

static bool verify(const struct row *row, uint32_t stack, struct gv_error *err)
{
    uint32_t uses[8];
    size_t use_count = row->uses ? strlen(row->uses) : 0;
    for (size_t i = 0; i < use_count; i++)
        uses[i] = (uint32_t)(row->uses[i] - '0');
    struct fixture_chunk chunk = { row->code, row->size, 5, 0, 0 };
    struct vm_fixture f;
    fixture_open(
        &f, &(struct fixture_params){ &chunk, 1, 1, uses, use_count, stack, 0, 0 });
    bool good = gv_verify(&f.payload, NULL, err);
    fixture_close(&f);
    return good;
}

// ---- good code ----

#define HANDLE OP(LOAD_SLOT), F_SLOT_BUFFER
#define MAPPED OP(LOAD_SLOT), F_SLOT_MAP
static const struct {
    struct row row;
    uint32_t stack; // the cells it needs
} good[] = {
    { { "empty frame", NULL, CODE(FIN), 0, NULL, 0 }, 0 },
    { { "create and store", NULL,
        CODE(P(64), P(32), C(F_BUFFER_CREATE), OP(STORE_SLOT), F_SLOT_BUFFER, FIN), 0,
        NULL, 0 },
      2 },
    { { "upload constants", NULL,
        CODE(HANDLE, P(0), OP(CONST), 0, P(64), C(F_UPLOAD), FIN), 0, NULL, 0 },
      4 },
    { { "upload resource", NULL,
        CODE(HANDLE, P(0), OP(RES_NEXT), OP(ADD_IMM), 6, P(10), C(F_UPLOAD), FIN), 0,
        "0", 0 },
      4 },
    { { "fetch to the end of volatile", NULL, CODE(OP(VOLATILE), 96, OP(FETCH), 1, FIN),
        0, "1", 0 },
      1 },
    { { "map, fill, flush, unmap", NULL,
        CODE(HANDLE, P(0), P(64), C(F_MAP), OP(STORE_SLOT), F_SLOT_MAP, MAPPED,
             OP(ADD_IMM), 32, OP(FETCH), 1, MAPPED, P(0), P(64), C(F_FLUSH), MAPPED,
             C(F_UNMAP), FIN),
        0, "1", 0 },
      3 },
    { { "loop of arithmetic", NULL,
        CODE(P(0), OP(VOLATILE), 0, OP(STORE32), OP(LOOP), 9, OP(VOLATILE), 0,
             OP(LOAD32), P(3), OP(ADD), OP(VOLATILE), 0, OP(STORE32), OP(LOOP_END),
             FIN),
        0, NULL, 0 },
      2 },
    { { "skip over a draw", NULL,
        CODE(OP(VOLATILE), 8, OP(LOAD8), OP(SKIP_ZERO), 5, P(3), P(1), P(0), P(0),
             C(F_DRAW), FIN),
        0, NULL, 0 },
      4 },
    { { "either way", NULL,
        CODE(OP(MEETS), 2, OP(MEETS), 1, OP(AND), OP(SKIP_ZERO), 5, P(3), P(1), P(0),
             P(0), C(F_DRAW), OP(MEETS), 2, P(1), OP(LESS), OP(SKIP_ZERO), 5, P(6),
             P(1), P(0), P(0), C(F_DRAW), FIN),
        0, NULL, 0 },
      4 },
    { { "nested skips with one end, in a loop", NULL,
        CODE(OP(LOOP), 2, P(1), OP(SKIP_ZERO), 5, P(1), OP(SKIP_ZERO), 2, P(0),
             OP(DROP), OP(LOOP_END), FIN),
        0, NULL, 0 },
      1 },
    { { "computed numbers", NULL,
        CODE(OP(VOLATILE), 0, OP(LOAD32), P(1), P(0), P(0), C(F_DRAW), FIN), 0, NULL,
        0 },
      4 },
    { { "sampler", NULL,
        CODE(OP(CONST), 0, P(F_DESC_SIZE), C(F_SAMPLER), OP(STORE_SLOT), F_SLOT_SAMPLER,
             FIN),
        0, NULL, 0 },
      2 },
    { { "no ranges", NULL,
        CODE(P(1), P(1), P(1), OP(CONST), 0, P(0), C(F_DISPATCH), FIN), 0, NULL, 0 },
      5 },
    { { "no buffer", NULL, CODE(P(0), P(0), P(0), P(0), P(0), C(F_BIND_VERTEX), FIN), 0,
        NULL, 0 },
      5 },
    { { "post", NULL, CODE(P(0), HANDLE, P(0), P(4), P(1), C(F_POST), FIN), 0, NULL,
        0 },
      5 },
    { { "commands", NULL, CODE(OP(CMD), 2, OP(CMD_NEXT), FIN), 0, NULL, 0 }, 0 },
    { { "constant size", NULL,
        CODE(HANDLE, P(0), OP(CONST), 0, P(60), P(2), OP(MUL), P(88), OP(SUB),
             C(F_UPLOAD), FIN),
        0, NULL, 0 },
      5 },
    { { "signed argument", NULL,
        CODE(P(0), OP(PUSH), 0x7f, P(0), P(1), P(1), P(0), P(1), P(0), P(0), P(0), P(0),
             C(F_CLEAR), FIN),
        0, NULL, 0 },
      11 },
};

static void accepts(void)
{
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct gv_error err = GV_ERROR_INIT;
        uint32_t stack = good[i].stack ? good[i].stack : F_NO_STACK;
        bool ok = verify(&good[i].row, stack, &err);
        CHECK_ROW(good[i].row.name, ok);
        if (!ok)
            fprintf(stderr, "  %s at %d\n", err.message, (int)err.offset);
    }
}

// ---- bad code ----

static const struct row bad[] = {
    { "trap", "opcode", CODE(P(1), OP(TRAP), FIN), 1, NULL, 0 },
    { "no such opcode", "opcode", CODE(0x27, FIN), 0, NULL, 0 },
    { "operand cut", "operand-cut", CODE(OP(CONST)), 0, NULL, 0 },
    { "float cut", "operand-cut", CODE(OP(PUSH_F32), 0, 0, 0), 0, NULL, 0 },
    { "operand padded", "operand-padded", CODE(OP(CONST), 0x80, 0, FIN), 0, NULL, 0 },
    { "65 bits", "operand-padded",
      CODE(OP(CONST), 255, 255, 255, 255, 255, 255, 255, 255, 255, 2, FIN), 0, NULL,
      0 },
    { "push that has a short form", "operand-family", CODE(OP(PUSH), 5, FIN), 0, NULL,
      0 },
    { "call that has a short form", "operand-family", CODE(OP(CALL), 4, FIN), 0, NULL,
      0 },
    { "command that has a short form", "operand-family", CODE(OP(CMD), 1, FIN), 0, NULL,
      0 },
    { "no end", "chunk-end", CODE(P(0), OP(DROP)), 1, NULL, 0 },
    { "early end", "chunk-end", CODE(OP(END), FIN), 0, NULL, 0 },
    { "open loop", "chunk-open", CODE(OP(LOOP), 2, OP(END)), 2, NULL, 0 },
    { "stack not empty", "chunk-stack", CODE(P(0), FIN), 2, NULL, 0 },
    { "nesting", "nesting",
      CODE(OP(LOOP), 1, OP(LOOP), 1, OP(LOOP), 1, OP(LOOP), 1, OP(LOOP), 1, OP(LOOP), 1,
           OP(LOOP), 1, OP(LOOP), 1, OP(LOOP), 1, OP(LOOP), 1, OP(LOOP), 1, OP(LOOP), 1,
           OP(LOOP), 1, OP(LOOP), 1, OP(LOOP), 1, OP(LOOP), 1, OP(LOOP), 1, FIN),
      32, NULL, 0 },
    { "loop zero times", "loop-count", CODE(OP(LOOP), 0, OP(LOOP_END), FIN), 0, NULL,
      0 },
    { "end of no loop", "loop-end", CODE(OP(LOOP_END), FIN), 0, NULL, 0 },
    { "skip leaves a loop", "loop-end",
      CODE(OP(LOOP), 1, P(0), OP(SKIP_ZERO), 1, OP(LOOP_END), FIN), 5, NULL, 0 },
    { "loop pushes", "loop-state", CODE(OP(LOOP), 2, P(1), OP(LOOP_END), FIN), 3, NULL,
      0 },
    { "loop names a resource", "loop-state",
      CODE(OP(LOOP), 2, OP(RES_NEXT), OP(DROP), OP(LOOP_END), FIN), 4, "0", 0 },
    { "loop counts commands", "loop-state",
      CODE(OP(LOOP), 2, OP(CMD_NEXT), OP(LOOP_END), FIN), 3, NULL, 0 },
    { "skip past the chunk", "skip-target", CODE(P(0), OP(SKIP_ZERO), 2, FIN), 1, NULL,
      0 },
    { "skip into an operand", "skip-target",
      CODE(P(0), OP(SKIP_ZERO), 1, OP(CONST), 0, OP(DROP), FIN), 5, NULL, 0 },
    { "skip into a loop", "skip-target",
      CODE(P(0), OP(SKIP_ZERO), 2, OP(LOOP), 2, OP(LOOP), 1, OP(LOOP_END), OP(LOOP_END),
           FIN),
      9, NULL, 0 },
    { "skip out of a skip", "skip-target",
      CODE(P(0), OP(SKIP_ZERO), 4, P(0), OP(SKIP_ZERO), 2, P(0), OP(DROP), FIN), 4,
      NULL, 0 },
    { "skip over a push", "skip-state",
      CODE(P(0), OP(SKIP_ZERO), 1, P(0), OP(DROP), FIN), 4, NULL, 0 },
    { "skip over a command", "skip-state",
      CODE(P(0), OP(SKIP_ZERO), 1, OP(CMD_NEXT), FIN), 4, NULL, 0 },
    { "command wraps", "command",
      CODE(OP(CMD), 255, 255, 255, 255, 255, 255, 255, 255, 255, 1, FIN), 0, NULL, 0 },
    { "pop of nothing", "stack-underflow", CODE(OP(DROP), FIN), 0, NULL, 0 },
    { "call of too little", "stack-underflow", CODE(P(0), C(F_DRAW), FIN), 1, NULL, 0 },
    { "pop below a loop", "stack-floor",
      CODE(P(0), OP(LOOP), 2, OP(DROP), P(0), OP(LOOP_END), OP(DROP), FIN), 3, NULL,
      0 },
    { "arguments below a skip", "stack-floor",
      CODE(P(0), P(0), P(0), P(0), P(1), OP(SKIP_ZERO), 1, C(F_DRAW), FIN), 7, NULL,
      0 },
    { "stack too high", "stack-overflow",
      CODE(P(0), P(0), P(0), P(0), P(0), P(0), P(0), P(0), P(0), P(0), P(0), P(0), P(0),
           P(0), P(0), P(0), P(0), FIN),
      16, NULL, 0 },
    { "sum of a handle", "type-integer", CODE(HANDLE, P(1), OP(ADD), FIN), 3, NULL, 0 },
    { "successor of a handle", "type-integer", CODE(HANDLE, OP(ADD_IMM), 1, FIN), 2,
      NULL, 0 },
    { "stored handle", "type-integer", CODE(HANDLE, OP(VOLATILE), 0, OP(STORE64), FIN),
      4, NULL, 0 },
    { "stored address", "type-integer",
      CODE(OP(CONST), 0, OP(VOLATILE), 0, OP(STORE64), FIN), 4, NULL, 0 },
    { "requirement that does not exist", "requirement-index",
      CODE(OP(MEETS), 3, OP(DROP), FIN), 0, NULL, 0 },
    { "what the device meets is no size", "argument-unknown",
      CODE(HANDLE, P(0), OP(CONST), 0, OP(MEETS), 0, C(F_UPLOAD), FIN), 7, NULL, 0 },
    { "test of an address", "type-integer", CODE(OP(CONST), 0, OP(SKIP_ZERO), 0, FIN),
      2, NULL, 0 },
    { "load from a number", "type-address", CODE(P(0), OP(LOAD8), FIN), 1, NULL, 0 },
    { "fetch to a handle", "type-address", CODE(HANDLE, OP(FETCH), 0, FIN), 2, "0", 0 },
    { "past the constants", "constant-range", CODE(OP(CONST), 65, FIN), 0, NULL, 0 },
    { "past volatile", "volatile-range", CODE(OP(VOLATILE), 0x81, 1, FIN), 0, NULL, 0 },
    { "no such resource", "resource-index", CODE(OP(RES), 2, FIN), 0, NULL, 0 },
    { "no next resource", "resource-index",
      CODE(OP(RES), 1, OP(DROP), OP(RES_NEXT), FIN), 3, "1", 0 },
    { "no such slot", "slot-index", CODE(OP(LOAD_SLOT), 3, FIN), 0, NULL, 0 },
    { "store to no slot", "slot-index", CODE(P(0), OP(STORE_SLOT), 3, FIN), 1, NULL,
      0 },
    { "number into a slot", "slot-store", CODE(P(0), OP(STORE_SLOT), 0, FIN), 1, NULL,
      0 },
    { "old handle into a slot", "slot-store", CODE(HANDLE, OP(STORE_SLOT), 0, FIN), 2,
      NULL, 0 },
    { "buffer into a sampler slot", "slot-store",
      CODE(P(64), P(32), C(F_BUFFER_CREATE), OP(STORE_SLOT), F_SLOT_SAMPLER, FIN), 3,
      NULL, 0 },
    { "map of another size", "map-size",
      CODE(HANDLE, P(0), P(63), C(F_MAP), OP(STORE_SLOT), F_SLOT_MAP, FIN), 5, NULL,
      0 },
    { "map of unknown size", "map-size",
      CODE(HANDLE, P(0), OP(VOLATILE), 0, OP(LOAD8), C(F_MAP), FIN), 6, NULL, 0 },
    { "load across the end", "address-range",
      CODE(OP(CONST), 61, OP(LOAD32), OP(DROP), FIN), 2, NULL, 0 },
    { "address below its space", "address-range",
      CODE(OP(CONST), 0, OP(ADD_IMM), 0x7f, OP(DROP), FIN), 2, NULL, 0 },
    { "fetch without room", "address-range", CODE(OP(VOLATILE), 97, OP(FETCH), 1, FIN),
      2, "1", 0 },
    { "fetch past a map", "address-range",
      CODE(MAPPED, OP(ADD_IMM), 33, OP(FETCH), 1, FIN), 4, "1", 0 },
    { "copy past the constants", "address-range",
      CODE(OP(VOLATILE), 0, OP(CONST), 32, OP(COPY), 33, FIN), 4, NULL, 0 },
    { "product past the constants", "address-range",
      CODE(OP(VOLATILE), 0, OP(VOLATILE), 0, OP(CONST), 0, OP(PRODUCT), 2, FIN), 6,
      NULL, 0 },
    { "product of 2^58 matrices", "address-range",
      CODE(OP(VOLATILE), 0, OP(VOLATILE), 0, OP(CONST), 0, OP(PRODUCT), 0x80, 0x80,
           0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 4, FIN),
      6, NULL, 0 },
    { "product of part of a matrix", "address-range",
      CODE(OP(VOLATILE), 0, OP(CONST), 1, OP(CONST), 0, OP(PRODUCT), 1, FIN), 6, NULL,
      0 },
    { "product without room", "address-range",
      CODE(OP(VOLATILE), 65, OP(CONST), 0, OP(CONST), 0, OP(PRODUCT), 1, FIN), 6, NULL,
      0 },
    { "product of a number", "type-address",
      CODE(OP(VOLATILE), 0, P(0), OP(CONST), 0, OP(PRODUCT), 1, FIN), 5, NULL, 0 },
    { "inverse of part of a matrix", "address-range",
      CODE(OP(VOLATILE), 0, OP(CONST), 1, OP(INVERSE), 4, FIN), 4, NULL, 0 },
    { "inverse without room", "address-range",
      CODE(OP(VOLATILE), 81, OP(CONST), 0, OP(INVERSE), 3, FIN), 4, NULL, 0 },
    { "no column of an inverse", "matrix-columns",
      CODE(OP(VOLATILE), 0, OP(CONST), 0, OP(INVERSE), 0, FIN), 4, NULL, 0 },
    { "five columns of an inverse", "matrix-columns",
      CODE(OP(VOLATILE), 0, OP(CONST), 0, OP(INVERSE), 5, FIN), 4, NULL, 0 },
    { "load past a resource", "address-range",
      CODE(OP(RES), 0, OP(ADD_IMM), 15, OP(LOAD16), OP(DROP), FIN), 4, "0", 0 },
    { "address plus number", "address-unknown",
      CODE(OP(VOLATILE), 0, P(4), OP(ADD), OP(LOAD8), OP(DROP), FIN), 3, NULL, 0 },
    { "difference of addresses", "address-unknown",
      CODE(OP(VOLATILE), 0, OP(VOLATILE), 0, OP(SUB), OP(DROP), FIN), 4, NULL, 0 },
    { "store to a constant", "address-read-only",
      CODE(P(1), OP(CONST), 0, OP(STORE8), FIN), 3, NULL, 0 },
    { "product to a constant", "address-read-only",
      CODE(OP(CONST), 0, OP(CONST), 0, OP(CONST), 0, OP(PRODUCT), 1, FIN), 6, NULL, 0 },
    { "inverse to a constant", "address-read-only",
      CODE(OP(CONST), 0, OP(CONST), 0, OP(INVERSE), 4, FIN), 4, NULL, 0 },
    { "fetch to a resource", "address-read-only", CODE(OP(RES), 1, OP(FETCH), 0, FIN),
      2, "10", 0 },
    { "no such import", "call-index", CODE(C(F_IMPORT_COUNT), FIN), 0, NULL, 0 },
    { "33 bits", "argument-range",
      CODE(OP(PUSH), 0x80, 0x80, 0x80, 0x80, 0x10, P(1), P(0), P(0), C(F_DRAW), FIN), 9,
      NULL, 0 },
    { "negative count", "argument-range",
      CODE(OP(PUSH), 0x7f, P(1), P(0), P(0), C(F_DRAW), FIN), 5, NULL, 0 },
    { "truth of 2", "argument-range",
      CODE(P(0), HANDLE, P(0), P(4), P(2), C(F_POST), FIN), 6, NULL, 0 },
    { "signed 33 bits", "argument-range",
      CODE(P(0), OP(PUSH), 0x80, 0x80, 0x80, 0x80, 0x08, P(0), P(1), P(1), P(0), P(1),
           P(0), P(0), P(0), P(0), C(F_CLEAR), FIN),
      16, NULL, 0 },
    { "size out of memory", "argument-unknown",
      CODE(HANDLE, P(0), OP(CONST), 0, OP(VOLATILE), 0, OP(LOAD8), C(F_UPLOAD), FIN), 8,
      NULL, 0 },
    { "format out of memory", "argument-unknown",
      CODE(P(2), P(0), P(0), P(0), P(0), P(0), OP(VOLATILE), 0, OP(LOAD8), C(F_TEXEL),
           FIN),
      9, NULL, 0 },
    { "flags out of memory", "argument-unknown",
      CODE(P(1), OP(VOLATILE), 0, OP(LOAD8), C(F_BUFFER_CREATE), OP(DROP), FIN), 4,
      NULL, 0 },
    { "no such usage", "argument-enum",
      CODE(P(1), P(1), C(F_BUFFER_CREATE), OP(DROP), FIN), 2, NULL, 0 },
    { "no such index type", "argument-enum",
      CODE(HANDLE, P(0), P(2), C(F_BIND_INDEX), FIN), 4, NULL, 0 },
    { "no format", "argument-format",
      CODE(P(2), P(0), P(0), P(0), P(0), P(0), P(0), C(F_TEXEL), FIN), 7, NULL, 0 },
    { "number for a buffer", "argument-kind",
      CODE(P(7), P(0), OP(CONST), 0, P(4), C(F_UPLOAD), FIN), 5, NULL, 0 },
    { "sampler for a buffer", "argument-kind",
      CODE(OP(LOAD_SLOT), F_SLOT_SAMPLER, P(0), P(0), C(F_BIND_INDEX), FIN), 4, NULL,
      0 },
    { "number for bytes", "argument-kind",
      CODE(HANDLE, P(0), P(0), P(4), C(F_UPLOAD), FIN), 5, NULL, 0 },
    { "address for a number", "argument-kind",
      CODE(OP(CONST), 0, P(1), P(0), P(0), C(F_DRAW), FIN), 5, NULL, 0 },
    { "moved map base for a map", "argument-kind",
      CODE(MAPPED, OP(ADD_IMM), 1, P(0), P(1), C(F_FLUSH), FIN), 6, NULL, 0 },
    { "bytes past the constants", "argument-bytes",
      CODE(HANDLE, P(0), OP(CONST), 1, P(64), C(F_UPLOAD), FIN), 6, NULL, 0 },
    { "bytes past a resource", "argument-bytes",
      CODE(HANDLE, P(0), OP(RES), 0, P(17), C(F_UPLOAD), FIN), 6, "0", 0 },
    { "no such export", "argument-export",
      CODE(P(2), HANDLE, P(0), P(4), P(0), C(F_POST), FIN), 6, NULL, 0 },
    { "image export for a buffer", "argument-export",
      CODE(P(1), HANDLE, P(0), P(4), P(0), C(F_POST), FIN), 6, NULL, 0 },
    { "damaged description", "description",
      CODE(OP(CONST), 1, P(F_DESC_SIZE), C(F_SAMPLER), OP(DROP), FIN), 3, NULL, 0 },
    { "empty description", "description",
      CODE(OP(CONST), 0, P(0), C(F_SAMPLER), OP(DROP), FIN), 3, NULL, 0 },
    { "damaged ranges", "description",
      CODE(P(1), P(1), P(1), OP(CONST), 60, P(4), C(F_DISPATCH), FIN), 6, NULL, 0 },
    { "use that is not scheduled", "schedule", CODE(OP(RES), 1, OP(DROP), FIN), 0, "0",
      0 },
    { "schedule too short", "schedule", CODE(OP(RES), 1, OP(DROP), FIN), 0, NULL, 0 },
    { "schedule too long", "schedule", CODE(FIN), GV_NO_OFFSET, "0", 0 },
    { "too much work", "limit-instructions",
      CODE(OP(LOOP), 100, OP(LOOP), 100, P(0), OP(DROP), OP(LOOP_END), OP(LOOP_END),
           FIN),
      6, NULL, 0 },
    { "work past 64 bits", "limit-instructions",
      CODE(OP(LOOP), 255, 255, 255, 255, 15, OP(LOOP), 255, 255, 255, 255, 15, OP(LOOP),
           2, FIN),
      6, NULL, 0 },
    { "no frame_end", "frame-end", CODE(OP(END)), GV_NO_OFFSET, NULL, 0 },
    { "two frame_ends", "frame-end", CODE(C(F_FRAME_END), FIN), 1, NULL, 0 },
    { "frame_end in a loop", "frame-end",
      CODE(OP(LOOP), 2, C(F_FRAME_END), OP(LOOP_END), OP(END)), 2, NULL, 0 },
    { "command past its frame", "frame-commands",
      CODE(OP(CMD), 0x80, 0x80, 0x80, 0x80, 0x10, FIN), GV_NO_OFFSET, NULL, 0 },
    { "stack declared too high", "limit-stack", CODE(P(0), OP(DROP), FIN), GV_NO_OFFSET,
      NULL, 0 },
};

static const char *seen[256];
static size_t seen_count;

static void check_refusal(const char *name, const char *rule, uint64_t offset,
                          enum gv_status status, const struct gv_error *err)
{
    size_t n = strlen(rule);
    bool named = strncmp(err->message, rule, n) == 0 && err->message[n] == ':';
    CHECK_ROW(name, named);
    CHECK_ROW(name, err->offset == offset);
    CHECK_ROW(name, err->status == (status ? status : GV_ERR_FORMAT));
    if (!named || err->offset != offset)
        fprintf(stderr, "  %s at %lld\n", err->message, (long long)err->offset);
    seen[seen_count++] = rule;
}

static void refuses_code(void)
{
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct gv_error err = GV_ERROR_INIT;
        CHECK_ROW(bad[i].name, !verify(&bad[i], 0, &err));
        check_refusal(bad[i].name, bad[i].rule, bad[i].offset, bad[i].status, &err);
    }
}

// ---- bad tables ----

// Two frames and a tail, good as they stand. Each row changes one field of one table.
static const uint8_t frame_code[] = { P(1),         OP(DROP), OP(CMD_NEXT),
                                      OP(RES_NEXT), OP(DROP), FIN };
static const uint8_t tail_code[] = { OP(CMD_NEXT), OP(END) };

static void open_tables(struct vm_fixture *f)
{
    static const struct fixture_chunk chunks[] = {
        { frame_code, sizeof frame_code, 5, 0, 0 },
        { frame_code, sizeof frame_code, 10, 1, 1 },
        { tail_code, sizeof tail_code, 12, 0, 2 },
    };
    static const uint32_t uses[] = { 0, 1 };
    fixture_open(f, &(struct fixture_params){ chunks, 3, 2, uses, 2, 1, 16, 0 });
}

#define TABLES(F)                                                                   \
    F("import-unknown", "no such call", imports[1].call = 0xff, GV_ERR_UNSUPPORTED) \
    F("import-unknown", "code past all", imports[1].call = 256, GV_ERR_UNSUPPORTED) \
    F("import-signature", "other signature", imports[1].signature ^= 1,             \
      GV_ERR_UNSUPPORTED)                                                           \
    F("import-twice", "twice", imports[1] = p->imports[0], 0)                       \
    F("slot-count", "slots", slot_count = (1u << 20) + 1, 0)                        \
    F("slot-kind", "no kind", slots[0].kind = 0, 0)                                 \
    F("slot-kind", "unknown kind", slots[0].kind = 8, 0)                            \
    F("slot-map-size", "map of none", slots[1].map_size = 0, 0)                     \
    F("slot-map-size", "size of no map", slots[0].map_size = 1, 0)                  \
    F("limit-maps", "maps", limits.map_bytes = 63, 0)                               \
    F("resource-count", "resources", resource_count = (1u << 24) + 1, 0)            \
    F("resource-group", "group", resources[1].group = 9, 0)                         \
    F("resource-range", "offset", resources[1].offset += 1, 0)                      \
    F("resource-range", "wraps", resources[1].offset = UINT64_MAX, 0)               \
    F("export-kind", "sampler", exports[0].kind = GV_KIND_SAMPLER, 0)               \
    F("export-format", "format", exports[0].format = 999, 0)                        \
    F("export-format", "no format", exports[1].format = 0, 0)                       \
    F("frame-chunks", "gap", frames[1].chunk_begin = 2, 0)                          \
    F("frame-chunks", "empty", frames[0].chunk_end = 0, 0)                          \
    F("frame-chunks", "past the end", frames[1].chunk_end = 4, 0)                   \
    F("frame-chunks", "tail", tail_begin = 3, 0)                                    \
    F("frame-commands", "falling", frames[1].command_begin = 6, 0)                  \
    F("frame-commands", "backwards", frames[1].command_end = 9, 0)                  \
    F("frame-commands", "early command", frames[0].command_begin = 7, 0)            \
    F("command-count", "tail", command_count = 13, 0)                               \
    F("frame-schedule", "cursor", frames[1].schedule = 2, 0)                        \
    F("limit-memory", "budget", limits.object_bytes = 1u << 20, GV_ERR_LIMIT)       \
    F("limit-memory", "wraps", limits.object_bytes = UINT64_MAX, GV_ERR_LIMIT)      \
    F("limit-stack", "absurd", limits.stack_cells = 4097, 0)                        \
    F("chunk-size", "none", chunks[1].size = 0, 0)                                  \
    F("chunk-size", "absurd", chunks[1].size = (16u << 20) + 1, 0)                  \
    F("chunk-offset", "offset", chunks[1].code_offset += 1, 0)                      \
    F("chunk-command", "backwards", chunks[1].first_command = 4, 0)                 \
    F("chunk-command", "into the one before", chunks[1].first_command = 5, 0)

static void refuses_tables(void)
{
    const struct gv_verify_params params = { .memory_limit = 1u << 20 };
    struct gv_error err = GV_ERROR_INIT;
    struct vm_fixture f;
    struct gv_payload *p = &f.payload;
    open_tables(&f);
    CHECK(gv_verify(p, &params, &err));
    CHECK(p->instruction_count == 2 * 7 + 2); // of two frames and the tail
    if (err.status)
        fprintf(stderr, "  %s\n", err.message);
    fixture_close(&f);
#define F(rule, name, change, status)                      \
    open_tables(&f);                                       \
    gv_error_clear(&err);                                  \
    p->change;                                             \
    CHECK_ROW(name, !gv_verify(p, &params, &err));         \
    check_refusal(name, rule, GV_NO_OFFSET, status, &err); \
    fixture_close(&f);
    TABLES(F)
#undef F
    open_tables(&f); // only without a budget does volatile memory meet its own limit
    gv_error_clear(&err);
    p->limits.volatile_bytes = UINT64_C(1) << 37;
    CHECK(!gv_verify(p, NULL, &err));
    check_refusal("volatile", "limit-volatile", GV_NO_OFFSET, 0, &err);
    fixture_close(&f);
    CHECK(strstr(err.message, "limit-volatile: 137438953472 bytes"));
}

// Many overlapping descriptions, each of them long: refused before they take long.
static bool verify_ranges(uint32_t calls, struct gv_error *err)
{
    enum { TABLE = 40000, ONE = 20000 };
    static uint8_t ranges[TABLE]; // five zeros are a range: a whole image
    struct gv_bytes code = { 0 };
    for (uint32_t i = 0; i < calls; i++) {
        gv_bytes_put(&code, (const uint8_t[]){ P(1), P(1), P(1), OP(CONST) }, 4);
        gv_bytes_uleb(&code, i * 5);
        gv_bytes_u8(&code, OP(PUSH));
        gv_bytes_sleb(&code, ONE);
        gv_bytes_u8(&code, C(F_DISPATCH));
    }
    gv_bytes_put(&code, (const uint8_t[]){ FIN }, 2);
    struct fixture_chunk chunk = { code.data, code.size, 0, 0, 0 };
    struct vm_fixture f;
    fixture_open(&f, &(struct fixture_params){ &chunk, 1, 1, NULL, 0, 5, 10000, 0 });
    uint8_t *constants = f.payload.constants;
    f.payload.constants = ranges;
    f.payload.constant_size = TABLE;
    bool ok = gv_verify(&f.payload, NULL, err);
    f.payload.constants = constants;
    fixture_close(&f);
    gv_bytes_finish(&code);
    return ok;
}

static void refuses_description_work(void)
{
    struct gv_error err = GV_ERROR_INIT;
    CHECK(verify_ranges(500, &err)); // 10 MB: under the floor
    CHECK(!verify_ranges(1000, &err));
    check_refusal("20 MB of ranges", "description-work", err.offset, 0, &err);
    CHECK(err.offset > 8500 && err.offset < 9900);
}

// Of keyframes, behind a program that is good.
static const struct {
    const char *name, *rule;
    const uint8_t *code;
    size_t size;
    uint32_t stack;
    uint64_t offset; // of the refusal, from its first byte; UINT64_MAX: it passes
} keyframes[] = {
    { "upload", "", CODE(HANDLE, P(0), OP(RES_NEXT), P(10), C(F_UPLOAD), OP(END)), 4,
      UINT64_MAX },
    { "resources in no schedule", "",
      CODE(OP(VOLATILE), 0, OP(FETCH), 1, OP(RES), 0, OP(DROP), OP(END)), 1,
      UINT64_MAX },
    { "frame_end", "keyframe", CODE(C(F_FRAME_END), OP(END)), 0, 1 },
    { "command", "keyframe", CODE(OP(CMD_NEXT), OP(END)), 0, 1 },
    { "stack declared too high", "keyframe", CODE(P(1), OP(DROP), OP(END)), 2, 2 },
    { "stack declared too low", "stack-overflow", CODE(P(1), OP(DROP), OP(END)), 0, 0 },
    { "no such resource", "resource-index", CODE(OP(RES), 2, OP(DROP), OP(END)), 1, 0 },
    { "no end", "chunk-end", CODE(P(1), OP(DROP)), 1, 1 },
    { "no import", "call-index", CODE(C(F_IMPORT_COUNT), OP(END)), 0, 0 },
    { "no opcode", "opcode", CODE(0), 0, 0 },
    { "too much work", "limit-instructions",
      CODE(OP(LOOP), 0xff, 0x7f, P(0), OP(DROP), OP(LOOP_END), OP(END)), 1, 5 },
};

static void refuses_keyframes(void)
{
    for (size_t i = 0; i < sizeof keyframes / sizeof keyframes[0]; i++) {
        struct gv_error err = GV_ERROR_INIT;
        struct vm_fixture f;
        open_tables(&f);
        struct gv_payload *p = &f.payload;
        p->keyframes = calloc(1, sizeof *p->keyframes);
        CHECK(p->keyframes);
        if (!p->keyframes)
            return;
        p->keyframe_count = 1;
        p->limits.instructions += 20;
        p->keyframes[0] = (struct gv_keyframe){ .frame = 1,
                                                .stack_cells = keyframes[i].stack,
                                                .size = (uint32_t)keyframes[i].size,
                                                .code = keyframes[i].code,
                                                .code_offset = 1000 };
        bool passes = keyframes[i].offset == UINT64_MAX;
        CHECK_ROW(keyframes[i].name, gv_verify(p, NULL, &err) == passes);
        if (!passes)
            check_refusal(keyframes[i].name, keyframes[i].rule,
                          1000 + keyframes[i].offset, 0, &err);
        else if (err.status)
            fprintf(stderr, "  %s\n", err.message);
        fixture_close(&f);
    }
}

static void every_rule_has_a_row(void)
{
    for (const struct gv_rule *rule = gv_verify_rules; rule->name; rule++) {
        bool found = false;
        for (size_t i = 0; i < seen_count; i++)
            found |= strcmp(seen[i], rule->name) == 0;
        CHECK_ROW(rule->name, found);
        CHECK_ROW(rule->name, rule->what[0]);
    }
}

int main(void)
{
    accepts();
    refuses_code();
    refuses_tables();
    refuses_description_work();
    refuses_keyframes();
    every_rule_has_a_row();
    return TEST_RESULT();
}

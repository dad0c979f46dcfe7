#include "tests/fuzz/spirv_maker.h"

#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/spirv.h>
#include <string.h>

enum { SCALARS = 24, MEMORIES = 6, MAX_STEPS = 40 };

// Fixed ids; others follow.
enum {
    GLSL = 1,
    MAIN,
    VOID,
    FUNCTION,
    ENTRY,
    UINT,
    INT,
    SHORT,
    LONG,
    VEC,
    BUFFER_ARRAY,
    BUFFER,
    PTR_BUFFER,
    PTR_WORD,
    X,
    LENGTH_SPEC,
    INDEX_SPEC,
    PTR_LOCAL,
    LOCAL,
    PTR_INPUT,
    LANE,
    C0,
    C1,
    C16,
    FREE
};

struct memory {
    uint32_t variable, element_pointer, levels, storage;
};

struct maker {
    const uint8_t *data;
    size_t size;
    uint32_t *words;
    size_t count;
    uint32_t next_id;
    uint32_t scalars[SCALARS], scalar_count; // 32-bit unsigned values
    uint32_t wide[4], wide_count;            // indices of other types
    struct memory memories[MEMORIES];
    uint32_t memory_count;
};

static uint32_t byte(struct maker *m)
{
    if (m->size == 0)
        return 0;
    m->size--;
    return *m->data++;
}

static void emit(struct maker *m, uint32_t op, const uint32_t *operands, size_t n)
{
    m->words[m->count++] = (uint32_t)(n + 1) << 16 | op;
    memcpy(m->words + m->count, operands, n * sizeof *operands);
    m->count += n;
}

#define EMIT(m, op, ...)                               \
    emit((m), (op), (const uint32_t[]){ __VA_ARGS__ }, \
         sizeof((const uint32_t[]){ __VA_ARGS__ }) / 4)

static uint32_t pick(struct maker *m)
{
    return m->scalars[byte(m) % m->scalar_count];
}

static void keep(struct maker *m, uint32_t id)
{
    if (m->scalar_count < SCALARS)
        m->scalars[m->scalar_count++] = id;
    else
        m->scalars[byte(m) % SCALARS] = id;
}

// ---- declarations ----

static void preamble(struct maker *m)
{
    static const uint32_t glsl[] = { GLSL, 0x4c534c47, 0x6474732e, 0x3035342e, 0 };
    static const uint32_t name[] = { SpvExecutionModelGLCompute, MAIN, 0x6e69616d, 0,
                                     LANE };
    static const uint32_t capabilities[] = { SpvCapabilityShader, SpvCapabilityInt16,
                                             SpvCapabilityInt64 };
    for (int i = 0; i < 3; i++)
        emit(m, SpvOpCapability, &capabilities[i], 1);
    emit(m, SpvOpExtInstImport, glsl, 5);
    EMIT(m, SpvOpMemoryModel, SpvAddressingModelLogical, SpvMemoryModelGLSL450);
    emit(m, SpvOpEntryPoint, name, 5);
    EMIT(m, SpvOpExecutionMode, MAIN, SpvExecutionModeLocalSize, 1 + byte(m) % 16, 1,
         1);
    EMIT(m, SpvOpDecorate, BUFFER_ARRAY, SpvDecorationArrayStride, 4);
    EMIT(m, SpvOpDecorate, BUFFER, SpvDecorationBlock);
    EMIT(m, SpvOpMemberDecorate, BUFFER, 0, SpvDecorationOffset, 0);
    EMIT(m, SpvOpDecorate, X, SpvDecorationDescriptorSet, 3);
    EMIT(m, SpvOpDecorate, X, SpvDecorationBinding, 0);
    EMIT(m, SpvOpDecorate, LENGTH_SPEC, SpvDecorationSpecId, byte(m));
    EMIT(m, SpvOpDecorate, INDEX_SPEC, SpvDecorationSpecId, 256);
    EMIT(m, SpvOpDecorate, LANE, SpvDecorationBuiltIn, SpvBuiltInLocalInvocationIndex);
    uint32_t strange = byte(m);
    for (uint32_t n = strange % 8 == 7 ? strange >> 6 : 0; n > 0; n--)
        EMIT(m, SpvOpDecorate, byte(m), byte(m) % 48, byte(m));
}

static void types(struct maker *m)
{
    EMIT(m, SpvOpTypeVoid, VOID);
    EMIT(m, SpvOpTypeFunction, FUNCTION, VOID);
    EMIT(m, SpvOpTypeInt, UINT, 32, 0);
    EMIT(m, SpvOpTypeInt, INT, 32, 1);
    EMIT(m, SpvOpTypeInt, SHORT, 16, 1);
    EMIT(m, SpvOpTypeInt, LONG, 64, 1);
    EMIT(m, SpvOpTypeVector, VEC, UINT, 4);
    EMIT(m, SpvOpConstant, UINT, C0, 0);
    EMIT(m, SpvOpConstant, UINT, C1, 1);
    EMIT(m, SpvOpConstant, UINT, C16, 16);
    EMIT(m, SpvOpSpecConstant, UINT, LENGTH_SPEC, 1 + byte(m) % 9);
    EMIT(m, SpvOpSpecConstant, UINT, INDEX_SPEC, byte(m) << 20 | byte(m));
    EMIT(m, SpvOpTypeArray, BUFFER_ARRAY, UINT, C16);
    EMIT(m, SpvOpTypeStruct, BUFFER, BUFFER_ARRAY);
    EMIT(m, SpvOpTypePointer, PTR_BUFFER, SpvStorageClassStorageBuffer, BUFFER);
    EMIT(m, SpvOpTypePointer, PTR_WORD, SpvStorageClassStorageBuffer, UINT);
    EMIT(m, SpvOpTypePointer, PTR_LOCAL, SpvStorageClassFunction, UINT);
    EMIT(m, SpvOpTypePointer, PTR_INPUT, SpvStorageClassInput, UINT);
    EMIT(m, SpvOpVariable, PTR_BUFFER, X, SpvStorageClassStorageBuffer);
    EMIT(m, SpvOpVariable, PTR_INPUT, LANE, SpvStorageClassInput);
    m->scalars[m->scalar_count++] = C0;
    m->scalars[m->scalar_count++] = C1;
    m->scalars[m->scalar_count++] = C16;
    m->scalars[m->scalar_count++] = INDEX_SPEC;
}

static uint32_t constant(struct maker *m, uint32_t value)
{
    uint32_t id = m->next_id++;
    EMIT(m, SpvOpConstant, UINT, id, value);
    return id;
}

static void constants(struct maker *m)
{
    static const uint32_t odd[] = { 100000000,  0xfffffe70, 0x7fffffff, 0xffffffff,
                                    0x80000000, 17,         15,         31 };
    for (uint32_t n = 1 + byte(m) % 6; n > 0; n--) {
        uint32_t b = byte(m);
        keep(m, constant(m, b & 1 ? odd[b >> 1 & 7] : b >> 1));
    }
    uint32_t id = m->next_id++;
    EMIT(m, SpvOpConstant, LONG, id, byte(m), byte(m) & 1);
    m->wide[m->wide_count++] = id;
}

// An array of arrays of words or vectors, one to three levels of indices.
static void memory(struct maker *m, uint32_t storage)
{
    struct memory *out = &m->memories[m->memory_count++];
    uint32_t b = byte(m), type = UINT;
    out->storage = storage;
    if (b & 1) {
        type = VEC;
        out->levels = 1;
    }
    for (uint32_t n = 1 + (b >> 1) % 2; n > 0; n--) {
        uint32_t id, length = b & 8 ? LENGTH_SPEC : constant(m, 1 + byte(m) % 9);
        id = m->next_id++;
        EMIT(m, SpvOpTypeArray, id, type, length);
        type = id;
        out->levels++;
    }
    uint32_t pointer = m->next_id++;
    EMIT(m, SpvOpTypePointer, pointer, storage, type);
    out->element_pointer = m->next_id++;
    EMIT(m, SpvOpTypePointer, out->element_pointer, storage, UINT);
    out->variable = pointer; // the type, until the variable stands
}

// Pointers of one kind to words are one type: each may be declared only once.
static void memories(struct maker *m)
{
    static const uint32_t kinds[] = { SpvStorageClassWorkgroup,
                                      SpvStorageClassPrivate };
    for (int i = 0; i < 2; i++) {
        memory(m, kinds[i]);
        struct memory *made = &m->memories[m->memory_count - 1];
        uint32_t type = made->variable;
        made->variable = m->next_id++;
        EMIT(m, SpvOpVariable, type, made->variable, kinds[i]);
    }
    memory(m, SpvStorageClassFunction);
}

// ---- steps ----

static uint32_t value(struct maker *m, uint32_t op, uint32_t a, uint32_t b)
{
    uint32_t id = m->next_id++;
    EMIT(m, op, UINT, id, a, b);
    return id;
}

static uint32_t index_of(struct maker *m)
{
    uint32_t b = byte(m);
    if (b % 8 == 7 && m->wide_count)
        return m->wide[(b >> 3) % m->wide_count];
    return pick(m);
}

static uint32_t chain(struct maker *m, const struct memory *memory)
{
    uint32_t id = m->next_id++;
    uint32_t w[8] = { memory->element_pointer, id, memory->variable };
    for (uint32_t i = 0; i < memory->levels; i++)
        w[3 + i] = index_of(m);
    emit(m, byte(m) & 1 ? SpvOpAccessChain : SpvOpInBoundsAccessChain, w,
         3 + memory->levels);
    return id;
}

static void access(struct maker *m)
{
    const struct memory *memory = &m->memories[byte(m) % m->memory_count];
    uint32_t pointer = chain(m, memory), id = m->next_id++;
    switch (byte(m) % 3) {
    case 0:
        EMIT(m, SpvOpLoad, UINT, id, pointer);
        keep(m, id);
        break;
    case 1:
        EMIT(m, SpvOpStore, pointer, pick(m));
        break;
    default:
        if (memory->storage != SpvStorageClassWorkgroup)
            break;
        EMIT(m, SpvOpAtomicIAdd, UINT, id, pointer, C1, C0, pick(m));
        keep(m, id);
        break;
    }
}

static void arithmetic(struct maker *m)
{
    static const uint32_t ops[] = {
        SpvOpIAdd,
        SpvOpISub,
        SpvOpIMul,
        SpvOpUDiv,
        SpvOpUMod,
        SpvOpBitwiseAnd,
        SpvOpBitwiseOr,
        SpvOpBitwiseXor,
        SpvOpShiftRightLogical,
        SpvOpShiftLeftLogical,
        SpvOpShiftRightArithmetic,
        SpvOpSDiv,
        SpvOpSRem,
        SpvOpSMod,
    };
    keep(m, value(m, ops[byte(m) % (sizeof ops / sizeof *ops)], pick(m), pick(m)));
}

static void extended(struct maker *m)
{
    static const uint32_t two[] = { GLSLstd450UMin, GLSLstd450UMax, GLSLstd450SMin };
    uint32_t b = byte(m), id = m->next_id++;
    if (b % 8 == 6)
        EMIT(m, SpvOpBitFieldUExtract, UINT, id, pick(m), pick(m), pick(m));
    else if (b & 1)
        EMIT(m, SpvOpExtInst, UINT, id, GLSL, two[b / 2 % 3], pick(m), pick(m));
    else
        EMIT(m, SpvOpExtInst, UINT, id, GLSL,
             b & 2 ? GLSLstd450UClamp : GLSLstd450SClamp, pick(m), pick(m), pick(m));
    keep(m, id);
}

// Of one vector and another: components in any order, also undefined ones.
static uint32_t shuffle(struct maker *m, uint32_t a, uint32_t b)
{
    uint32_t id = m->next_id++, w[8] = { VEC, id, a, b };
    for (int i = 0; i < 4; i++) {
        uint32_t component = byte(m) % 16;
        w[4 + i] = component < 8 ? component : UINT32_MAX;
    }
    emit(m, SpvOpVectorShuffle, w, 8);
    return id;
}

static void vectors(struct maker *m)
{
    uint32_t made = m->next_id++, changed = m->next_id++, id = m->next_id++;
    EMIT(m, SpvOpCompositeConstruct, VEC, made, pick(m), pick(m), pick(m), pick(m));
    EMIT(m, SpvOpVectorInsertDynamic, VEC, changed, made, pick(m), index_of(m));
    uint32_t b = byte(m);
    if (b % 4 > 1) // of `made`, of which more is known
        changed = shuffle(m, made, b & 4 ? made : changed);
    if (b & 1)
        EMIT(m, SpvOpVectorExtractDynamic, UINT, id, changed, index_of(m));
    else
        EMIT(m, SpvOpCompositeExtract, UINT, id, changed, byte(m) % 4);
    keep(m, id);
}

static void other(struct maker *m)
{
    uint32_t id = m->next_id++, b = byte(m);
    switch (b % 5) {
    case 0:
        EMIT(m, SpvOpLoad, UINT, id, LANE);
        keep(m, id);
        break;
    case 1:
        EMIT(m, SpvOpUndef, UINT, id);
        keep(m, id);
        break;
    case 2:
        EMIT(m, SpvOpStore, LOCAL, pick(m));
        break;
    case 3:
        EMIT(m, SpvOpLoad, UINT, id, LOCAL);
        keep(m, id);
        break;
    default:
        EMIT(m, SpvOpSConvert, b & 8 ? SHORT : LONG, id, pick(m));
        if (m->wide_count < 4)
            m->wide[m->wide_count++] = id;
        break;
    }
}

static void body(struct maker *m)
{
    struct memory *local = &m->memories[m->memory_count - 1];
    uint32_t type = local->variable;
    EMIT(m, SpvOpFunction, VOID, MAIN, SpvFunctionControlMaskNone, FUNCTION);
    EMIT(m, SpvOpLabel, ENTRY);
    EMIT(m, SpvOpVariable, PTR_LOCAL, LOCAL, SpvStorageClassFunction);
    local->variable = m->next_id++;
    EMIT(m, SpvOpVariable, type, local->variable, SpvStorageClassFunction);
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t pointer = m->next_id++, id = m->next_id++;
        EMIT(m, SpvOpAccessChain, PTR_WORD, pointer, X, C0, i ? C1 : C0);
        EMIT(m, SpvOpLoad, UINT, id, pointer);
        keep(m, id);
    }
    for (int i = 0; i < MAX_STEPS && m->size; i++) {
        static void (*const steps[])(struct maker *) = {
            access, access, arithmetic, arithmetic, extended, vectors, other
        };
        steps[byte(m) % 7](m);
    }
    uint32_t pointer = m->next_id++;
    EMIT(m, SpvOpAccessChain, PTR_WORD, pointer, X, C0, C1);
    EMIT(m, SpvOpStore, pointer, pick(m));
    m->words[m->count++] = 1u << 16 | SpvOpReturn;
    m->words[m->count++] = 1u << 16 | SpvOpFunctionEnd;
}

size_t spirv_make(const uint8_t *data, size_t size, uint32_t words[SPIRV_MAKER_WORDS])
{
    struct maker m = { .data = data, .size = size, .words = words, .next_id = FREE };
    m.count = 5;
    preamble(&m);
    types(&m);
    constants(&m);
    memories(&m);
    body(&m);
    const uint32_t header[5] = { SpvMagicNumber, 0x10300, 0, m.next_id, 0 };
    memcpy(words, header, sizeof header);
    return m.count;
}

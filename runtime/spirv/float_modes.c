#include "runtime/spirv/float_modes.h"

#include <string.h>

// SPIR-V specification, 2.3 and 3.32.
enum {
    HEADER_WORDS = 5,
    OP_EXECUTION_MODE = 16,
    OP_CAPABILITY = 17,
    OP_FUNCTION = 54,
};

static const struct {
    uint32_t mode, capability, width;
} rows[] = {
#define GV_FLOAT_MODE(mode, capability, width, family, property) \
    { mode, capability, width },
#include "vm/spirv/float_modes.def"
#undef GV_FLOAT_MODE
};
#define ROWS (sizeof rows / sizeof rows[0])

uint32_t gv_vk_float_modes(const VkPhysicalDeviceVulkan12Properties *p)
{
    enum { DENORM, VALUES, ROUNDING };
    const bool apart[] = {
        [DENORM] =
            p->denormBehaviorIndependence != VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE,
        [VALUES] = true,
        [ROUNDING] =
            p->roundingModeIndependence != VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE,
    };
    const bool offered[] = {
#define GV_FLOAT_MODE(mode, capability, width, family, property) \
    p->property &&apart[family],
#include "vm/spirv/float_modes.def"
#undef GV_FLOAT_MODE
    };
    uint32_t bits = 0;
    for (size_t i = 0; i < ROWS; i++)
        bits |= (uint32_t)offered[i] << i;
    return bits;
}

// What an instruction is to the rows: the bit of its mode, or 0.
static uint32_t mode_bit(const uint32_t *w, size_t length)
{
    if ((w[0] & 0xffff) != OP_EXECUTION_MODE || length < 4)
        return 0;
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].mode == w[2] && rows[i].width == w[3])
            return 1u << i;
    return 0;
}

// Steps to the next instruction of a module's head; false at its end.
static bool next(const uint32_t *words, size_t count, size_t *at, size_t *length)
{
    *at += *length;
    if (*at >= count || (words[*at] & 0xffff) == OP_FUNCTION)
        return false;
    *length = words[*at] >> 16;
    return *length && *length <= count - *at;
}

// Bits of all modes that a module asks for.
static uint32_t modes_of(const uint32_t *words, size_t count)
{
    uint32_t bits = 0;
    size_t at = HEADER_WORDS, length = 0;
    while (next(words, count, &at, &length))
        bits |= mode_bit(words + at, length);
    return bits;
}

bool gv_spirv_lacks_float_modes(const uint32_t *words, size_t count, uint32_t offered)
{
    return modes_of(words, count) & ~offered;
}

// Whether a capability is there for the sake of modes that go, and for none that stays.
static bool is_idle(const uint32_t *w, size_t length, uint32_t gone, uint32_t kept)
{
    uint32_t users = 0;
    if ((w[0] & 0xffff) != OP_CAPABILITY || length < 2)
        return false;
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].capability == w[1])
            users |= 1u << i;
    return users & gone && !(users & kept);
}

size_t gv_spirv_strip_float_modes(const uint32_t *words, size_t count, uint32_t offered,
                                  uint32_t *out)
{
    uint32_t asked = modes_of(words, count), gone = asked & ~offered;
    size_t at = HEADER_WORDS, length = 0, n = HEADER_WORDS;
    memcpy(out, words, HEADER_WORDS * sizeof *words);
    while (next(words, count, &at, &length)) {
        if (mode_bit(words + at, length) & gone ||
            is_idle(words + at, length, gone, asked & offered))
            continue;
        memcpy(out + n, words + at, length * sizeof *words);
        n += length;
    }
    if (at < count)
        memcpy(out + n, words + at, (count - at) * sizeof *words);
    return n + (at < count ? count - at : 0);
}

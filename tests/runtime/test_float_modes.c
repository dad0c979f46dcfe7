// Float controls of a module that goes to the driver: what a device offers stays, what
// it lacks goes, with the capability that nothing needs any more.
#include "runtime/spirv/float_modes.h"
#include "tests/test.h"

#define HEADER 0x07230203, 0x00010500, 0, 10, 0
#define CAPABILITY(c) 2u << 16 | 17u, (c)
#define MODE(mode, width) 4u << 16 | 16u, 1, (mode), (width)
#define LOCAL_SIZE 6u << 16 | 16u, 1, 17, 8, 8, 1
#define FUNCTION 5u << 16 | 54u, 1, 2, 0, 3
enum { PRESERVE = 4459, FLUSH, VALUES, TO_EVEN, TO_ZERO };
enum { CAN_PRESERVE = 4464, CAN_FLUSH, CAN_KEEP_VALUES, CAN_ROUND_TO_EVEN };

// What a device offers.
#define FLUSH_32 (1u << 4)
#define VALUES_16 (1u << 6)
#define VALUES_32 (1u << 7)

static const struct {
    const char *name;
    uint32_t offered;
    uint32_t words[48];
    size_t count;
    uint32_t left[48];
    size_t left_count;
} rows[] = {
#define WORDS(...) \
    { __VA_ARGS__ }, sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t)
#define BOTH                                                                         \
    WORDS(HEADER, CAPABILITY(CAN_FLUSH), CAPABILITY(CAN_KEEP_VALUES), CAPABILITY(1), \
          LOCAL_SIZE, MODE(FLUSH, 32), MODE(VALUES, 32), FUNCTION)
    { "all", FLUSH_32 | VALUES_32, BOTH, BOTH },
    { "one", VALUES_32, BOTH,
      WORDS(HEADER, CAPABILITY(CAN_KEEP_VALUES), CAPABILITY(1), LOCAL_SIZE,
            MODE(VALUES, 32), FUNCTION) },
    { "none", 0, BOTH, WORDS(HEADER, CAPABILITY(1), LOCAL_SIZE, FUNCTION) },
    { "other_width", VALUES_16, BOTH,
      WORDS(HEADER, CAPABILITY(1), LOCAL_SIZE, FUNCTION) },
    { "capability_shared", VALUES_32,
      WORDS(HEADER, CAPABILITY(CAN_KEEP_VALUES), MODE(VALUES, 16), MODE(VALUES, 32),
            FUNCTION),
      WORDS(HEADER, CAPABILITY(CAN_KEEP_VALUES), MODE(VALUES, 32), FUNCTION) },
    { "capability_alone", 0, WORDS(HEADER, CAPABILITY(CAN_FLUSH), FUNCTION),
      WORDS(HEADER, CAPABILITY(CAN_FLUSH), FUNCTION) },
    { "not_in_code", 0, WORDS(HEADER, FUNCTION, MODE(FLUSH, 32)),
      WORDS(HEADER, FUNCTION, MODE(FLUSH, 32)) },
    { "rounding", 0,
      WORDS(HEADER, CAPABILITY(CAN_ROUND_TO_EVEN), MODE(TO_EVEN, 32), LOCAL_SIZE),
      WORDS(HEADER, LOCAL_SIZE) },
};

static void test_strip(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t out[48];
        size_t n = gv_spirv_strip_float_modes(rows[i].words, rows[i].count,
                                              rows[i].offered, out);
        bool same = n == rows[i].count && !memcmp(out, rows[i].words, n * 4);
        CHECK_ROW(rows[i].name, n == rows[i].left_count);
        CHECK_ROW(rows[i].name, !memcmp(out, rows[i].left, n * 4));
        CHECK_ROW(rows[i].name, gv_spirv_lacks_float_modes(rows[i].words, rows[i].count,
                                                           rows[i].offered) == !same);
    }
}

// Modes of a single width are no use where the widths go together.
static void test_offer(void)
{
    VkPhysicalDeviceVulkan12Properties p = {
        .denormBehaviorIndependence = VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_32_BIT_ONLY,
        .roundingModeIndependence = VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE,
        .shaderDenormFlushToZeroFloat32 = VK_TRUE,
        .shaderSignedZeroInfNanPreserveFloat32 = VK_TRUE,
        .shaderRoundingModeRTEFloat32 = VK_TRUE,
    };
    CHECK(gv_vk_float_modes(&p) == (FLUSH_32 | VALUES_32));
    p.denormBehaviorIndependence = VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE;
    CHECK(gv_vk_float_modes(&p) == VALUES_32);
    p.shaderSignedZeroInfNanPreserveFloat32 = VK_FALSE;
    CHECK(gv_vk_float_modes(&p) == 0);
}

int main(void)
{
    test_strip();
    test_offer();
    return TEST_RESULT();
}

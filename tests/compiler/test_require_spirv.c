// What a module's head asks of a device: capabilities and the sizes of its execution
// modes, read from any words.
#include "compiler/builder/require.h"
#include "tests/test.h"
#include "vm/spirv/point_size.h"
#include "vm/spirv/spirv_capability.h"
#include "vm/spirv/spirv_words.h"

#include <inttypes.h>

#define HEADER 0x07230203, 0x00010500, 0, 10, 0
#define CAPABILITY(c) 2u << 16 | 17u, (c)
#define MODE(m) 3u << 16 | 16u, 1, (m)
#define LOCAL_SIZE(x, y, z) 6u << 16 | 16u, 1, 17, (x), (y), (z)
#define FLOAT_MODE(mode, operand) 4u << 16 | 16u, 1, (mode), (operand)
#define OUTPUT_VERTICES(n) 4u << 16 | 16u, 1, 26, (n)
#define FUNCTION 5u << 16 | 54u, 1, 2, 0, 3

static const struct {
    const char *name;
    uint32_t words[24];
    size_t count;
    const char *needs; // "NAME VALUE, ..." in order; ~: preferred, =: alternative
} rows[] = {
    { "nothing", { HEADER }, 5, "" },
    { "geometry", { HEADER, CAPABILITY(2) }, 7, "geometryShader 0" },
    { "feature_of_an_extension",
      { HEADER, CAPABILITY(6033) },
      7,
      "VK_EXT_shader_atomic_float 0, shaderBufferFloat32AtomicAdd 0" },
    { "extension_alone",
      { HEADER, CAPABILITY(5013) },
      7,
      "VK_EXT_shader_stencil_export 0" },
    { "two_features",
      { HEADER, CAPABILITY(52) },
      7,
      "sampleRateShading 0, shaderSampleRateInterpolationFunctions 0" },
    { "points_of_patches", { HEADER, MODE(10) }, 8, "tessellationPointMode 0" },
    { "lines_of_patches", { HEADER, MODE(25) }, 8, "tessellationIsolines 0" },
    { "subgroups", { HEADER, CAPABILITY(61) }, 7, "" },
    { "shuffle_and_vote",
      { HEADER, CAPABILITY(61), CAPABILITY(65), CAPABILITY(62) },
      11,
      "subgroupSupportedOperations 18" },
    { "small_group", { HEADER, LOCAL_SIZE(16, 8, 1) }, 11, "" },
    { "many_invocations",
      { HEADER, LOCAL_SIZE(16, 16, 4) },
      11,
      "maxComputeWorkGroupInvocations 1024" },
    { "wide_and_deep",
      { HEADER, LOCAL_SIZE(129, 1, 65) },
      11,
      "maxComputeWorkGroupSize[0] 129, maxComputeWorkGroupSize[2] 65, "
      "maxComputeWorkGroupInvocations 8385" },
    { "float_modes",
      { HEADER, FLOAT_MODE(4460, 32), FLOAT_MODE(4461, 32), FLOAT_MODE(4461, 16),
        FLOAT_MODE(17, 32) },
      21,
      "=shaderDenormFlushToZeroFloat32 1, ~shaderSignedZeroInfNanPreserveFloat32 1" },
    { "vertices", { HEADER, OUTPUT_VERTICES(256) }, 9, "" },
    { "many_vertices",
      { HEADER, OUTPUT_VERTICES(257) },
      9,
      "maxGeometryOutputVertices 257" },
    { "behind_a_function", { HEADER, FUNCTION, CAPABILITY(2) }, 12, "" },
    { "mode_cut_off", { HEADER, LOCAL_SIZE(129, 1, 65) }, 10, "" },
    { "no_words", { HEADER, 16u, CAPABILITY(2) }, 8, "" },
    { "too_long", { HEADER, 0xffffu << 16 | 17u, 2 }, 7, "" },
};

// The requirements as "NAME VALUE, ..." in order; ~: preferred, =: alternative.
static void list(const struct gv_requirements *r, char text[256])
{
    static const char *const marks[] = { "", "~", "=" }; // by strength
    *text = 0;
    for (size_t k = 0; k < r->count; k++) {
        const struct gv_requirement *row = &r->rows[k].requirement;
        size_t at = strlen(text);
        snprintf(text + at, 256 - at, "%s%s%s %" PRIu64, k ? ", " : "",
                 marks[row->strength], row->name, row->value);
    }
}

// Capabilities that are easily forgotten: those beyond Vulkan 1.0's features.
static const struct {
    uint32_t code;
    const char *needs;
} alone[] = {
    { SpvCapabilityInt64Atomics, "shaderBufferInt64Atomics 0" },
    { SpvCapabilityMinLod, "shaderResourceMinLod 0" },
    { SpvCapabilityGroupNonUniformVote, "subgroupSupportedOperations 2" },
    { SpvCapabilityGroupNonUniformArithmetic, "subgroupSupportedOperations 4" },
    { SpvCapabilityGroupNonUniformBallot, "subgroupSupportedOperations 8" },
    { SpvCapabilityGroupNonUniformShuffle, "subgroupSupportedOperations 16" },
    { SpvCapabilityGroupNonUniformShuffleRelative, "subgroupSupportedOperations 32" },
    { SpvCapabilityGroupNonUniformClustered, "subgroupSupportedOperations 64" },
    { SpvCapabilityGroupNonUniformQuad, "subgroupSupportedOperations 128" },
    { SpvCapabilityDrawParameters, "=shaderDrawParameters 0" },
    { SpvCapabilityStorageInputOutput16, "storageInputOutput16 0" },
    { SpvCapabilitySampleMaskPostDepthCoverage, "VK_EXT_post_depth_coverage 0" },
    { SpvCapabilityStencilExportEXT, "VK_EXT_shader_stencil_export 0" },
    { SpvCapabilityShaderViewportIndexLayerEXT,
      "VK_EXT_shader_viewport_index_layer 0" },
    { SpvCapabilityVulkanMemoryModelKHR, "vulkanMemoryModel 0" },
    { SpvCapabilityVulkanMemoryModelDeviceScopeKHR, "vulkanMemoryModelDeviceScope 0" },
    { SpvCapabilityDotProductInputAll, "shaderIntegerDotProduct 0" },
    { SpvCapabilityDotProductInput4x8Bit, "shaderIntegerDotProduct 0" },
    { SpvCapabilityDotProductInput4x8BitPacked, "shaderIntegerDotProduct 0" },
    { SpvCapabilityDotProduct, "shaderIntegerDotProduct 0" },
    { SpvCapabilityTransformFeedback,
      "VK_EXT_transform_feedback 0, transformFeedback 0" },
};

static void each_alone(void)
{
    for (size_t i = 0; i < sizeof alone / sizeof alone[0]; i++) {
        const uint32_t words[] = { HEADER, CAPABILITY(alone[i].code) };
        struct gv_requirements r = { 0 };
        char text[256];
        CHECK(gv_require_spirv(&r, words, sizeof words));
        list(&r, text);
        CHECK_ROW(alone[i].needs, strcmp(text, alone[i].needs) == 0);
        gv_requirements_finish(&r);
    }
}

// Whether the runtime can be asked for it: under another name a payload would run on no
// device.
static bool known_to_runtime(const char *name)
{
    static const char *const names[] = {
#define GV_FEATURE(member, field) "." #field,
#define GV_EXTENSION(member, extension) "." extension,
#include "runtime/vk/device/features.def"
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(strrchr(names[i], '.') + 1, name) == 0)
            return true;
    return strcmp(name, "subgroupSupportedOperations") == 0;
}

// Whatever the table says a capability needs is stated, by a name that the runtime
// knows; what needs nothing states nothing.
static void every_row(void)
{
    for (size_t i = 0; i < gv_spirv_capability_count; i++) {
        const struct gv_spirv_capability *row = &gv_spirv_capabilities[i];
        const uint32_t words[] = { HEADER, CAPABILITY(row->code) };
        const char *needs = gv_spirv_capability_needs(row);
        bool said = !*needs;
        struct gv_requirements r = { 0 };
        CHECK(gv_require_spirv(&r, words, sizeof words));
        for (size_t k = 0; k < r.count; k++) {
            const struct gv_requirement *need = &r.rows[k].requirement;
            said = said || strcmp(need->name, needs) == 0 ||
                   (row->subgroup_bit && need->value == row->subgroup_bit);
            CHECK_ROW(need->name, known_to_runtime(need->name));
        }
        CHECK_ROW(row->name, said && (*needs || r.count == 0));
        CHECK_ROW(row->name, i == 0 || row[-1].code <= row->code);
        gv_requirements_finish(&r);
    }
}

// A block 1 whose member 1 is PointSize, behind pointer 2 and variable 3; the constants
// 5 (the member) and 7 (1.0); 9 points to the member.
#define BLOCK 5u << 16 | 72u, 1, 1, 11, 1, 4u << 16 | 32u, 2, 3, 1
#define VARIABLE 4u << 16 | 59u, 2, 3, 3
#define CONSTANTS 4u << 16 | 43u, 4, 5, 1, 4u << 16 | 43u, 6, 7, 0x3f800000
#define CHAIN(base) 5u << 16 | 65u, 8, 9, (base), 5
#define STORE(to, value) 3u << 16 | 62u, (to), (value)

static const struct {
    const char *name;
    uint32_t words[48];
    size_t count;
    uint32_t traits;
} points[] = {
    { "none", { HEADER }, 5, 0 },
    { "one", { HEADER, BLOCK, VARIABLE, CONSTANTS, CHAIN(3), STORE(9, 7) }, 34, 0 },
    { "other",
      { HEADER, BLOCK, VARIABLE, CONSTANTS, CHAIN(3), STORE(9, 6) },
      34,
      GV_POINTS_SIZED },
    { "other_block",
      { HEADER, BLOCK, VARIABLE, CONSTANTS, CHAIN(4), STORE(9, 6) },
      34,
      0 },
    { "variable",
      { HEADER, 4u << 16 | 71u, 3, 11, 1, STORE(3, 6) },
      12,
      GV_POINTS_SIZED },
    { "store_cut_off", { HEADER, 4u << 16 | 71u, 3, 11, 1, STORE(3, 6) }, 11, 0 },
    { "far_ids", { HEADER, 4u << 16 | 71u, 99, 11, 1, STORE(99, 6) }, 12, 0 },
    { "input_block_after", // decorated later, and stored to first
      { HEADER, BLOCK, 5u << 16 | 72u, 8, 0, 11, 1, VARIABLE, CONSTANTS, CHAIN(3),
        STORE(9, 6) },
      39,
      GV_POINTS_SIZED },
    { "points_of_geometry", { HEADER, MODE(27) }, 8, GV_POINTS_MADE },
    { "points_of_domain", { HEADER, MODE(10) }, 8, GV_POINTS_MADE },
    { "captured", { HEADER, 2u << 16 | 17u, 53 }, 7, GV_POINTS_CAPTURED },
    { "not_captured", { HEADER, 2u << 16 | 17u, 1 }, 7, 0 },
    { "lines_of_geometry", { HEADER, MODE(28) }, 8, 0 },
};

static void point_sizes(void)
{
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++)
        CHECK_ROW(points[i].name,
                  gv_point_traits(points[i].words, points[i].count * 4) ==
                      points[i].traits);
}

int main(void)
{
    each_alone();
    every_row();
    point_sizes();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct gv_requirements r = { 0 };
        char text[256];
        CHECK(gv_require_spirv(&r, rows[i].words, rows[i].count * 4));
        list(&r, text);
        CHECK_ROW(rows[i].name, strcmp(text, rows[i].needs) == 0);
        gv_requirements_finish(&r);
    }
    return TEST_RESULT();
}

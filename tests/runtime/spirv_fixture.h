// A device for tests of the gate before the driver, and the assembly that their modules
// begin with.
#ifndef GV_TEST_SPIRV_FIXTURE_H
#define GV_TEST_SPIRV_FIXTURE_H

#include "vm/spirv/spirv_module.h"

// The limits of such a device; `...` are what a test chooses: .max_vertex_inputs, .has.
#define SPIRV_LIMITS(...)                                                            \
    {                                                                                \
        .max_workgroup_size = { 1024, 1024, 64 }, .max_workgroup_invocations = 1024, \
        .max_shared_bytes = 32768, .max_clip_distances = 8, .max_cull_distances = 8, \
        .max_clip_and_cull_distances = 8, .max_geometry_output_vertices = 256,       \
        .max_geometry_invocations = 32, .max_geometry_output_components = 1024,      \
        .max_patch_size = 32, .max_color_attachments = 8, .max_feedback_buffers = 4, \
        .max_feedback_stride = 512, .max_feedback_streams = 4, __VA_ARGS__           \
    }

static inline bool spirv_has_all(const void *context, const char *feature)
{
    (void)context;
    (void)feature;
    return true;
}

#define HEAD(capabilities) \
    "OpCapability Shader\n" capabilities "OpMemoryModel Logical GLSL450\n"
#define COMPUTE(size)                         \
    "OpEntryPoint GLCompute %main \"main\"\n" \
    "OpExecutionMode %main LocalSize " size "\n"
#define TYPES                       \
    "%void = OpTypeVoid\n"          \
    "%fn = OpTypeFunction %void\n"  \
    "%uint = OpTypeInt 32 0\n"      \
    "%float = OpTypeFloat 32\n"     \
    "%v4 = OpTypeVector %float 4\n" \
    "%u3 = OpTypeVector %uint 3\n"  \
    "%c0 = OpConstant %uint 0\n"    \
    "%c2 = OpConstant %uint 2\n"    \
    "%c9 = OpConstant %uint 9\n"    \
    "%big = OpConstant %uint 100000\n"
#define MAIN                              \
    "%main = OpFunction %void None %fn\n" \
    "%entry = OpLabel\n"                  \
    "OpReturn\n"                          \
    "OpFunctionEnd\n"

#endif

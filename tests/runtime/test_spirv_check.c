// What passes the gate before the driver and what does not, and by which words.
#include "runtime/spirv/spirv_check.h"
#include "tests/runtime/spirv_assemble.h"
#include "tests/runtime/spirv_fixture.h"
#include "tests/test.h"
#include "vm/spirv/spirv_match.h"

// The header defines this in every C file that includes it.
#define kDefaultMaxIdBound test_max_id_bound
#include <spirv-tools/libspirv.h>
#include <stdbool.h>

#define BLOCK                   \
    "OpDecorate %block Block\n" \
    "OpMemberDecorate %block 0 Offset 0\n"
#define BLOCK_TYPE(class)                         \
    "%block = OpTypeStruct %v4\n"                 \
    "%pointer = OpTypePointer " class " %block\n" \
                                      "%var = OpVariable %pointer " class "\n"

static bool has(const void *context, const char *feature)
{
    (void)context;
    return strcmp(feature, "shaderFloat64") == 0 ||
           strcmp(feature, "tessellationShader") == 0 ||
           strcmp(feature, "geometryShader") == 0 ||
           strcmp(feature, "uniformBufferStandardLayout") == 0;
}

static const struct gv_spirv_limits limits =
    SPIRV_LIMITS(.max_vertex_inputs = 16, .has = has);

static const struct {
    const char *name, *text;
    enum gv_status status;
    const char *message;
} cases[] = {
    { "plain", HEAD("") COMPUTE("8 8 1") TYPES MAIN, GV_OK, "" },
    { "feature_there", HEAD("OpCapability Float64\n") COMPUTE("1 1 1") TYPES MAIN,
      GV_OK, "" },
    { "feature_missing", HEAD("OpCapability Int64\n") COMPUTE("1 1 1") TYPES MAIN,
      GV_ERR_UNSUPPORTED, "unsupported: SPIR-V capability Int64" },
    { "capability_unknown",
      HEAD("OpCapability VariablePointers\nOpCapability "
           "VariablePointersStorageBuffer\n") COMPUTE("1 1 1") TYPES MAIN,
      GV_ERR_UNSUPPORTED, "unsupported: SPIR-V capability 444" },
    { "physical_pointers",
      "OpCapability Shader\nOpCapability PhysicalStorageBufferAddresses\n"
      "OpMemoryModel PhysicalStorageBuffer64 GLSL450\n" COMPUTE("1 1 1") TYPES MAIN,
      GV_ERR_UNSUPPORTED, "unsupported: SPIR-V capability 5347" },
    { "invalid", HEAD("") COMPUTE("1 1 1") "%void = OpTypeVoid\n" MAIN, GV_ERR_FORMAT,
      "invalid SPIR-V: " },
    { "other_name",
      HEAD("") "OpEntryPoint GLCompute %main \"start\"\nOpExecutionMode %main "
               "LocalSize 1 1 1\n" TYPES MAIN,
      GV_ERR_FORMAT, "entry point is not `main`" },
    { "two_entries",
      HEAD("") "OpEntryPoint Vertex %main \"main\"\n"
               "OpEntryPoint GLCompute %other \"main\"\n"
               "OpExecutionMode %other LocalSize 1 1 1\n" TYPES MAIN
               "%other = OpFunction %void None %fn\n%begin = OpLabel\n"
               "OpReturn\nOpFunctionEnd\n",
      GV_ERR_UNSUPPORTED, "several entry points" },
    { "workgroup_wide", HEAD("") COMPUTE("1025 1 1") TYPES MAIN, GV_ERR_LIMIT,
      "workgroup of 1025x1x1" },
    { "workgroup_many", HEAD("") COMPUTE("64 32 1") TYPES MAIN, GV_ERR_LIMIT,
      "workgroup of 64x32x1" },
    { "shared",
      HEAD("") COMPUTE("1 1 1") TYPES
      "%array = OpTypeArray %uint %big\n%pointer = OpTypePointer Workgroup %array\n"
      "%var = OpVariable %pointer Workgroup\n" MAIN,
      GV_ERR_LIMIT, "workgroup variables take over 32768 bytes" },
    { "private",
      HEAD("") COMPUTE("1 1 1") TYPES
      "%array = OpTypeArray %uint %big\n%pointer = OpTypePointer Private %array\n"
      "%var = OpVariable %pointer Private\n" MAIN,
      GV_ERR_UNSUPPORTED, "private variables take over" },
    { "function",
      HEAD("") COMPUTE("1 1 1") TYPES
      "%array = OpTypeArray %uint %big\n%pointer = OpTypePointer Function %array\n"
      "%main = OpFunction %void None %fn\n%entry = OpLabel\n"
      "%var = OpVariable %pointer Function\nOpReturn\nOpFunctionEnd\n",
      GV_ERR_UNSUPPORTED, "private variables take over" },
    { "push_constants",
      HEAD("") COMPUTE("1 1 1") BLOCK TYPES BLOCK_TYPE("PushConstant") MAIN,
      GV_ERR_UNSUPPORTED, "unsupported: SPIR-V push constants" },
    { "instruction_set",
      "OpCapability Shader\n%set = OpExtInstImport \"OpenCL.DebugInfo.100\"\n"
      "OpMemoryModel Logical GLSL450\n" COMPUTE("1 1 1") TYPES MAIN,
      GV_ERR_UNSUPPORTED, "unsupported: SPIR-V instruction set OpenCL.DebugInfo.100" },
    { "extension",
      "OpCapability Shader\nOpExtension \"SPV_AMD_gcn_shader\"\n"
      "OpMemoryModel Logical GLSL450\n" COMPUTE("1 1 1") TYPES MAIN,
      GV_ERR_UNSUPPORTED, "unsupported: SPIR-V extension SPV_AMD_gcn_shader" },
    { "location",
      HEAD("") "OpEntryPoint Vertex %main \"main\" %var\n"
               "OpDecorate %var Location 32\n" TYPES
               "%pointer = OpTypePointer Output %v4\n%var = OpVariable %pointer "
               "Output\n" MAIN,
      GV_ERR_UNSUPPORTED, "passes location 32" },
    { "locations_array",
      HEAD("") "OpEntryPoint Vertex %main \"main\" %var\n"
               "OpDecorate %var Location 30\n" TYPES
               "%array = OpTypeArray %v4 %c9\n%pointer = OpTypePointer Output %array\n"
               "%var = OpVariable %pointer Output\n" MAIN,
      GV_ERR_UNSUPPORTED, "passes location 32" },
    { "vertex_inputs",
      HEAD("") "OpEntryPoint Vertex %main \"main\" %var\n"
               "OpDecorate %var Location 16\n" TYPES
               "%pointer = OpTypePointer Input %v4\n%var = OpVariable %pointer "
               "Input\n" MAIN,
      GV_ERR_LIMIT, "vertex stage uses location 16" },
    { "descriptor_index",
      HEAD("") "OpEntryPoint GLCompute %main \"main\" %var\n"
               "OpExecutionMode %main LocalSize 1 1 1\n" BLOCK
               "OpDecorate %var DescriptorSet 0\nOpDecorate %var Binding 0\n" TYPES
               "%block = OpTypeStruct %v4\n%array = OpTypeArray %block %c2\n"
               "%pointer = OpTypePointer Uniform %array\n%var = OpVariable %pointer "
               "Uniform\n"
               "%inner = OpTypePointer Uniform %v4\n"
               "%main = OpFunction %void None %fn\n%entry = OpLabel\n"
               "%chain = OpAccessChain %inner %var %c9 %c0\n%load = OpLoad %v4 %chain\n"
               "OpReturn\nOpFunctionEnd\n",
      GV_ERR_FORMAT, "descriptor index 9 of an array of 2" },
    { "vertex_stores",
      HEAD("") "OpEntryPoint Vertex %main \"main\"\n" BLOCK
               "OpDecorate %var DescriptorSet 0\nOpDecorate %var Binding 0\n" TYPES
                   BLOCK_TYPE("StorageBuffer") MAIN,
      GV_ERR_UNSUPPORTED, "lacks vertexPipelineStoresAndAtomics" },
    { "vertex_subgroups",
      HEAD(
          "OpCapability GroupNonUniform\n") "OpEntryPoint Vertex %main \"main\"\n" TYPES
          MAIN,
      GV_ERR_UNSUPPORTED, "unsupported: subgroup operations in the vertex stage" },
    { "vertex_reads",
      HEAD("") "OpEntryPoint Vertex %main \"main\"\n" BLOCK
               "OpMemberDecorate %block 0 NonWritable\n"
               "OpDecorate %var DescriptorSet 0\nOpDecorate %var Binding 0\n" TYPES
                   BLOCK_TYPE("StorageBuffer") MAIN,
      GV_OK, "" },
    { "decoration_group",
      HEAD("") "OpEntryPoint Vertex %main \"main\" %var\n"
               "OpDecorate %group XfbBuffer 0\n%group = OpDecorationGroup\n"
               "OpGroupDecorate %group %var\nOpDecorate %var Location 0\n" TYPES
               "%pointer = OpTypePointer Output %v4\n%var = OpVariable %pointer "
               "Output\n" MAIN,
      GV_ERR_UNSUPPORTED, "unsupported: SPIR-V OpDecorationGroup" },
    { "decoration_largest",
      HEAD("") "OpEntryPoint Vertex %main \"main\" %var\n"
               "OpDecorate %var Location 0\nOpDecorate %x SpecId 4294967295\n" TYPES
               "%x = OpSpecConstant %uint 1\n"
               "%pointer = OpTypePointer Output %v4\n%var = OpVariable %pointer "
               "Output\n" MAIN,
      GV_ERR_UNSUPPORTED, "SPIR-V decoration 1 of 4294967295" },
    { "undefined_pointer",
      HEAD("") COMPUTE("1 1 1") TYPES
      "%pointer = OpTypePointer Private %u3\n%inner = OpTypePointer Private %uint\n"
      "%main = OpFunction %void None %fn\n%entry = OpLabel\n"
      "%bad = OpUndef %pointer\n%chain = OpAccessChain %inner %bad %c0\n"
      "%load = OpLoad %uint %chain\nOpReturn\nOpFunctionEnd\n",
      GV_ERR_UNSUPPORTED, "undefined value that is no data" },
    { "no_elements",
      HEAD("") COMPUTE("1 1 1") "OpDecorate %x SpecId 1\n" TYPES
                                "%x = OpSpecConstant %uint 0\n%sum = OpSpecConstantOp "
                                "%uint IAdd %x %c0\n"
                                "%array = OpTypeArray %uint %sum\n%pointer = "
                                "OpTypePointer Private %array\n"
                                "%var = OpVariable %pointer Private\n" MAIN,
      GV_ERR_FORMAT, "SPIR-V array of no elements" },
    { "patch_vertices",
      "OpCapability Tessellation\nOpMemoryModel Logical GLSL450\n"
      "OpEntryPoint TessellationControl %main \"main\" %var\n"
      "OpExecutionMode %main OutputVertices 3\nOpDecorate %var Location 0\n" TYPES
      "%array = OpTypeArray %v4 %big\n%pointer = OpTypePointer Input %array\n"
      "%var = OpVariable %pointer Input\n" MAIN,
      GV_ERR_LIMIT, "SPIR-V input of 100000 vertices, where there are 32" },
    { "control_vertices",
      "OpCapability Tessellation\nOpMemoryModel Logical GLSL450\n"
      "OpEntryPoint TessellationControl %main \"main\" %var\n"
      "OpExecutionMode %main OutputVertices 3\nOpDecorate %var Location 0\n" TYPES
      "%array = OpTypeArray %v4 %c9\n%pointer = OpTypePointer Output %array\n"
      "%var = OpVariable %pointer Output\n" MAIN,
      GV_ERR_FORMAT, "SPIR-V output of 9 vertices, where there are 3" },
    { "geometry_vertices",
      "OpCapability Geometry\nOpMemoryModel Logical GLSL450\n"
      "OpEntryPoint Geometry %main \"main\" %var\n"
      "OpExecutionMode %main Triangles\nOpExecutionMode %main OutputPoints\n"
      "OpExecutionMode %main OutputVertices 3\nOpDecorate %var Location 0\n" TYPES
      "%array = OpTypeArray %v4 %c9\n%pointer = OpTypePointer Input %array\n"
      "%var = OpVariable %pointer Input\n" MAIN,
      GV_ERR_FORMAT, "SPIR-V input of 9 vertices, where there are 3" },
    { "sample_mask",
      HEAD(
          "") "OpEntryPoint Fragment %main \"main\" %var\n"
              "OpExecutionMode %main OriginUpperLeft\n"
              "OpDecorate %var BuiltIn SampleMask\n" TYPES
              "%array = OpTypeArray %uint %c9\n%pointer = OpTypePointer Output %array\n"
              "%var = OpVariable %pointer Output\n" MAIN,
      GV_ERR_UNSUPPORTED, "SPIR-V sample mask of 9 words" },
};

static void test_cases(struct gv_spirv_checker *checker)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gv_error err = GV_ERROR_INIT;
        spv_binary binary = NULL;
        CHECK_ROW(cases[i].name,
                  gv_test_assemble(cases[i].text, strlen(cases[i].text), &binary));
        if (!binary)
            continue;
        // Twice: the second verdict comes from memory and must be the same.
        for (int again = 0; again < 2; again++) {
            gv_error_clear(&err);
            const struct gv_spirv_checked *checked =
                gv_spirv_check(checker, binary->code, binary->wordCount * 4, &err);
            CHECK_ROW(cases[i].name, !checked == (cases[i].status != GV_OK));
            CHECK_ROW(cases[i].name, err.status == cases[i].status);
            CHECK_ROW(cases[i].name, strstr(err.message, cases[i].message) != NULL);
            if (err.status != cases[i].status || !strstr(err.message, cases[i].message))
                fprintf(stderr, "  said: %s\n", err.message);
        }
        spvBinaryDestroy(binary);
    }
}

static void test_bytes(struct gv_spirv_checker *checker)
{
    static const uint32_t magic[5] = { 0x07230203, 0x00010000, 0, 5, 0 };
    static const uint32_t swapped[5] = { 0x03022307, 0x00000100, 0, 0x05000000, 0 };
    static const struct {
        const char *name;
        const void *data;
        size_t size;
        const char *message;
    } rows[] = {
        { "empty", "", 0, "not a SPIR-V module" },
        { "odd", "abcdef", 6, "not whole words" },
        { "magic_only", magic, 4, "not a SPIR-V module" },
        { "header_only", magic, 20, "invalid SPIR-V" },
        { "big_endian", swapped, 20, "not a SPIR-V module" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct gv_error err = GV_ERROR_INIT;
        CHECK_ROW(rows[i].name,
                  !gv_spirv_check(checker, rows[i].data, rows[i].size, &err));
        CHECK_ROW(rows[i].name, err.status == GV_ERR_FORMAT);
        CHECK_ROW(rows[i].name, strstr(err.message, rows[i].message) != NULL);
    }
}

// Damaged modules get a verdict, whichever, and no crash.
static void test_damage(struct gv_spirv_checker *checker)
{
    uint32_t random = 1;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        spv_binary binary = NULL;
        if (!gv_test_assemble(cases[i].text, strlen(cases[i].text), &binary))
            continue;
        for (int n = 0; n < 60; n++) {
            random = random * 1664525 + 1013904223;
            uint32_t *word = &binary->code[(random >> 8) % binary->wordCount];
            uint32_t before = *word;
            *word ^= n & 1 ? 1u << (random >> 27) : random;
            struct gv_error err = GV_ERROR_INIT;
            bool ok = gv_spirv_check(checker, binary->code, binary->wordCount * 4,
                                     &err) != NULL;
            CHECK_ROW(cases[i].name, ok == (err.status == GV_OK));
            *word = before;
        }
        spvBinaryDestroy(binary);
    }
}

// ---- specialisation, matching ----

static const char specialised[] =
    HEAD("") "OpEntryPoint GLCompute %main \"main\"\n"
             "OpExecutionMode %main LocalSize 1 1 1\n"
             "OpDecorate %size BuiltIn WorkgroupSize\nOpDecorate %x SpecId 7\n" TYPES
             "%x = OpSpecConstant %uint 8\n"
             "%size = OpSpecConstantComposite %u3 %x %c2 %c2\n"
             "%twice = OpSpecConstantOp %uint IMul %x %c2\n"
             "%array = OpTypeArray %uint %twice\n"
             "%pointer = OpTypePointer Workgroup %array\n"
             "%var = OpVariable %pointer Workgroup\n" MAIN;

static void test_specialisation(void)
{
    static const struct {
        const char *name;
        struct gv_spec_constant spec;
        enum gv_status status;
        uint32_t x;
    } rows[] = {
        { "set", { GV_STAGE_COMPUTE, 7, 100 }, GV_OK, 100 },
        { "other_id", { GV_STAGE_COMPUTE, 8, 100 }, GV_OK, 8 },
        { "other_stage", { GV_STAGE_VERTEX, 7, 100 }, GV_OK, 8 },
        { "too_large", { GV_STAGE_COMPUTE, 7, 1000 }, GV_ERR_LIMIT, 0 },
        { "zero", { GV_STAGE_COMPUTE, 7, 0 }, GV_ERR_FORMAT, 0 },
        { "shared", { GV_STAGE_COMPUTE, 7, 1u << 30 }, GV_ERR_LIMIT, 0 },
    };
    spv_binary binary = NULL;
    CHECK(gv_test_assemble(specialised, strlen(specialised), &binary));
    for (size_t i = 0; binary && i < sizeof rows / sizeof *rows; i++) {
        struct gv_error err = GV_ERROR_INIT;
        struct gv_spirv_module module = { 0 };
        bool ok = gv_spirv_module_read(binary->code, binary->wordCount, &rows[i].spec,
                                       1, &limits, &module, &err);
        CHECK_ROW(rows[i].name, ok == (rows[i].status == GV_OK));
        CHECK_ROW(rows[i].name, err.status == rows[i].status);
        CHECK_ROW(rows[i].name, module.workgroup[0] == rows[i].x);
        CHECK_ROW(rows[i].name, !ok || module.has_spec_constants);
        gv_spirv_module_finish(&module);
    }
    spvBinaryDestroy(binary);
}

static void test_bindings(void)
{
    struct gv_spirv_binding binding = { .set = 1, .binding = 3, .count = 2 };
    const struct gv_spirv_module module = { .stage = GV_STAGE_FRAGMENT,
                                            .bindings = &binding,
                                            .binding_count = 1 };
    static struct gv_interface_desc desc;
    static const struct {
        const char *name;
        uint32_t declared;
        struct gv_binding_desc listed;
        const char *message;
    } rows[] = {
        { "same",
          GV_BINDING_STORAGE_BUFFER,
          { 1, 3, GV_BINDING_STORAGE_BUFFER, 2, GV_STAGE_FRAGMENT },
          "" },
        { "dynamic",
          GV_BINDING_UNIFORM_BUFFER,
          { 1, 3, GV_BINDING_UNIFORM_BUFFER_DYNAMIC, 4, 0x11 },
          "" },
        { "set",
          GV_BINDING_STORAGE_BUFFER,
          { 0, 3, GV_BINDING_STORAGE_BUFFER, 2, GV_STAGE_FRAGMENT },
          "is not in the pipeline's list" },
        { "type",
          GV_BINDING_STORAGE_BUFFER,
          { 1, 3, GV_BINDING_UNIFORM_BUFFER, 2, GV_STAGE_FRAGMENT },
          "has another type" },
        { "count",
          GV_BINDING_STORAGE_BUFFER,
          { 1, 3, GV_BINDING_STORAGE_BUFFER, 1, GV_STAGE_FRAGMENT },
          "has fewer elements" },
        { "stage",
          GV_BINDING_STORAGE_BUFFER,
          { 1, 3, GV_BINDING_STORAGE_BUFFER, 2, GV_STAGE_VERTEX },
          "is not listed for this stage" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct gv_error err = GV_ERROR_INIT;
        binding.type = rows[i].declared;
        desc.bindings[0] = rows[i].listed;
        desc.binding_count = 1;
        bool ok = gv_spirv_match_bindings(&module, &desc, &err);
        CHECK_ROW(rows[i].name, ok == !*rows[i].message);
        CHECK_ROW(rows[i].name, strstr(err.message, rows[i].message) != NULL);
    }
}

static void test_stages(void)
{
    static const struct {
        const char *name;
        struct gv_spirv_slot out, in;
        bool patch, ok;
    } rows[] = {
        { "same",
          { 0xf, GV_SPIRV_FLOAT, 32 },
          { 0xf, GV_SPIRV_FLOAT, 32 },
          false,
          true },
        { "fewer_read", { 0xf, GV_SPIRV_FLOAT, 32 }, { 0x3, 0, 32 }, false, true },
        { "unread", { 0xf, GV_SPIRV_FLOAT, 32 }, { 0 }, false, true },
        { "unwritten", { 0 }, { 0x1, GV_SPIRV_FLOAT, 32 }, false, false },
        { "more_read", { 0x3, GV_SPIRV_FLOAT, 32 }, { 0x7, 0, 32 }, false, false },
        { "kind",
          { 0xf, GV_SPIRV_UINT, 32 },
          { 0xf, GV_SPIRV_FLOAT, 32 },
          false,
          false },
        { "width", { 0xf, GV_SPIRV_FLOAT, 64 }, { 0xf, 0, 32 }, false, false },
        { "patch",
          { 0xf, GV_SPIRV_FLOAT, 32 },
          { 0xf, GV_SPIRV_FLOAT, 32 },
          true,
          true },
        { "patch_unwritten", { 0 }, { 0xf, GV_SPIRV_FLOAT, 32 }, true, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct gv_spirv_module earlier = { .stage = GV_STAGE_VERTEX };
        struct gv_spirv_module later = { .stage = GV_STAGE_FRAGMENT };
        (rows[i].patch ? earlier.outputs.patch : earlier.outputs.slots)[5] =
            rows[i].out;
        (rows[i].patch ? later.inputs.patch : later.inputs.slots)[5] = rows[i].in;
        struct gv_error err = GV_ERROR_INIT;
        CHECK_ROW(rows[i].name,
                  gv_spirv_match_stages(&earlier, &later, &err) == rows[i].ok);
        CHECK_ROW(rows[i].name, rows[i].ok || strstr(err.message, "input location 5"));
    }
}

int main(void)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_spirv_checker *checker = gv_spirv_checker_create(&limits, true, &err);
    CHECK(checker != NULL);
    if (!checker)
        return TEST_RESULT();
    test_cases(checker);
    test_bytes(checker);
    test_damage(checker);
    test_specialisation();
    test_bindings();
    test_stages();
    gv_spirv_checker_destroy(checker);
    gv_spirv_checker_destroy(NULL);
    return TEST_RESULT();
}

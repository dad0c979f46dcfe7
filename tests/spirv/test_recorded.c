// SPIR-V of Vulkan captures: what of a module is told and written for one entry point,
// and hostile modules, which are refused.
#include "compiler/shader/recorded/recorded.h"
#include "tests/runtime/spirv_assemble.h"
#include "tests/test.h"

// The header defines this in every C file that includes it.
#define kDefaultMaxIdBound test_recorded_id_bound
#include <spirv-tools/libspirv.h>
#include <spirv/unified1/spirv.h>

// Two entry points that share a function. The vertex stage has push constants with an
// array of std430, and (7, 3); the fragment stage (5, 1), and a function of its own.
static const char two_entries[] =
    "OpCapability Shader\n"
    "OpExtension \"SPV_KHR_non_semantic_info\"\n"
    "%set = OpExtInstImport \"NonSemantic.Notes\"\n"
    "OpMemoryModel Logical GLSL450\n"
    "OpEntryPoint Vertex %vs \"transform\" %position %at %constants %camera\n"
    "OpEntryPoint Fragment %fs \"shade\" %colour %t\n"
    "OpExecutionMode %fs OriginUpperLeft\n"
    "%file = OpString \"scene.hlsl\"\n"
    "OpSource HLSL 600 %file\n"
    "OpName %vs \"vs\"\nOpName %fs \"fs\"\nOpName %tint \"tint\"\nOpName %t \"t\"\n"
    "OpDecorate %position BuiltIn Position\n"
    "OpDecorate %at Location 2\nOpDecorate %colour Location 0\n"
    "OpDecorate %weights ArrayStride 4\n"
    "OpDecorate %pushed Block\nOpMemberDecorate %pushed 0 Offset 0\n"
    "OpMemberDecorate %pushed 1 Offset 12\n"
    "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n"
    "OpDecorate %camera DescriptorSet 7\nOpDecorate %camera Binding 3\n"
    "OpDecorate %t DescriptorSet 5\nOpDecorate %t Binding 1\n"
    "OpDecorate %size SpecId 11\n"
    "OpDecorate %mixed RelaxedPrecision\n"
    "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n"
    "%float = OpTypeFloat 32\n%v4 = OpTypeVector %float 4\n%v2 = OpTypeVector %float "
    "2\n"
    "%int = OpTypeInt 32 1\n%uint = OpTypeInt 32 0\n"
    "%c0 = OpConstant %int 0\n%c1 = OpConstant %int 1\n%c3 = OpConstant %uint 3\n"
    "%size = OpSpecConstant %float 2\n"
    "%weights = OpTypeArray %float %c3\n%pushed = OpTypeStruct %weights %float\n"
    "%p_pushed = OpTypePointer PushConstant %pushed\n"
    "%p_weight = OpTypePointer PushConstant %float\n"
    "%constants = OpVariable %p_pushed PushConstant\n"
    "%block = OpTypeStruct %v4\n%p_block = OpTypePointer Uniform %block\n"
    "%p_v4 = OpTypePointer Uniform %v4\n%camera = OpVariable %p_block Uniform\n"
    "%image = OpTypeImage %float 2D 0 0 0 1 Unknown\n%sampled = OpTypeSampledImage "
    "%image\n"
    "%p_sampled = OpTypePointer UniformConstant %sampled\n"
    "%t = OpVariable %p_sampled UniformConstant\n"
    "%p_out = OpTypePointer Output %v4\n%p_in = OpTypePointer Input %v4\n"
    "%position = OpVariable %p_out Output\n%at = OpVariable %p_in Input\n"
    "%colour = OpVariable %p_out Output\n"
    "%scaling = OpTypeFunction %v4 %v4\n"
    "%vs = OpFunction %void None %fn\n%l1 = OpLabel\n"
    "%w = OpAccessChain %p_weight %constants %c0 %c1\n%weight = OpLoad %float %w\n"
    "%from = OpLoad %v4 %at\n"
    "%wide = OpVectorTimesScalar %v4 %from %weight\n"
    "%called = OpFunctionCall %v4 %scale %wide\n"
    "%c = OpAccessChain %p_v4 %camera %c0\n%move = OpLoad %v4 %c\n"
    "%moved = OpFAdd %v4 %called %move\n"
    "OpStore %position %moved\nOpReturn\nOpFunctionEnd\n"
    "%scale = OpFunction %v4 None %scaling\n%x = OpFunctionParameter %v4\n%l2 = "
    "OpLabel\n"
    "%scaled = OpVectorTimesScalar %v4 %x %size\nOpReturnValue %scaled\nOpFunctionEnd\n"
    "%tint = OpFunction %v4 None %scaling\n%y = OpFunctionParameter %v4\n%l3 = "
    "OpLabel\n"
    "OpLine %file 4 2\n"
    "%mixed = OpFAdd %v4 %y %y\nOpReturnValue %mixed\nOpFunctionEnd\n"
    "%fs = OpFunction %void None %fn\n%l4 = OpLabel\n"
    "%note = OpExtInst %void %set 1 %c0\n"
    "%tt = OpLoad %sampled %t\n%where = OpCompositeConstruct %v2 %size %size\n"
    "%texel = OpImageSampleImplicitLod %v4 %tt %where\n"
    "%tinted = OpFunctionCall %v4 %tint %texel\n"
    "%all = OpFunctionCall %v4 %scale %tinted\n"
    "OpStore %colour %all\nOpReturn\nOpFunctionEnd\n";

// ---- helpers ----

static bool read(const struct spv_binary_t *module, const char *entry, uint32_t stage,
                 struct gv_arena *arena, struct gv_recorded *out, struct gv_error *err)
{
    const struct gv_recorded_source source = { .words = module->code,
                                               .count = module->wordCount,
                                               .entry = entry,
                                               .stage = stage };
    return gv_recorded_read(&source, arena, out, err);
}

static char *disassemble(const uint32_t *words, size_t count)
{
    spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_5);
    spv_text text = NULL;
    char *copy = NULL;
    if (spvBinaryToText(context, words, count, SPV_BINARY_TO_TEXT_OPTION_NO_HEADER,
                        &text, NULL) == SPV_SUCCESS)
        copy = strdup(text->str);
    spvTextDestroy(text);
    spvContextDestroy(context);
    return copy;
}

static void check_text(const char *name, const struct gv_shader_stage *stage,
                       const char *golden)
{
    char *text = disassemble(stage->words, stage->word_count);
    CHECK_ROW(name, text && strcmp(text, golden) == 0);
    if (text && strcmp(text, golden) != 0)
        fprintf(stderr, "%s\n", text);
    free(text);
}

// ---- one of two entry points ----

static const char vertex_golden[] = "OpCapability Shader\n"
                                    "OpExtension \"SPV_KHR_non_semantic_info\"\n"
                                    "OpMemoryModel Logical GLSL450\n"
                                    "OpEntryPoint Vertex %2 \"main\" %3 %4 %5 %6\n"
                                    "OpName %2 \"vs\"\n"
                                    "OpDecorate %5 DescriptorSet 0\n"
                                    "OpDecorate %5 Binding 0\n"
                                    "OpDecorate %3 BuiltIn Position\n"
                                    "OpDecorate %4 Location 2\n"
                                    "OpDecorate %12 ArrayStride 4\n"
                                    "OpDecorate %13 Block\n"
                                    "OpMemberDecorate %13 0 Offset 0\n"
                                    "OpMemberDecorate %13 1 Offset 12\n"
                                    "OpDecorate %14 Block\n"
                                    "OpMemberDecorate %14 0 Offset 0\n"
                                    "OpDecorate %6 DescriptorSet 0\n"
                                    "OpDecorate %6 Binding 4\n"
                                    "OpDecorate %15 SpecId 11\n"
                                    "%17 = OpTypeVoid\n"
                                    "%18 = OpTypeFunction %17\n"
                                    "%19 = OpTypeFloat 32\n"
                                    "%20 = OpTypeVector %19 4\n"
                                    "%21 = OpTypeVector %19 2\n"
                                    "%22 = OpTypeInt 32 1\n"
                                    "%23 = OpTypeInt 32 0\n"
                                    "%24 = OpConstant %22 0\n"
                                    "%25 = OpConstant %22 1\n"
                                    "%26 = OpConstant %23 3\n"
                                    "%15 = OpSpecConstant %19 2\n"
                                    "%12 = OpTypeArray %19 %26\n"
                                    "%13 = OpTypeStruct %12 %19\n"
                                    "%27 = OpTypePointer Uniform %13\n"
                                    "%28 = OpTypePointer Uniform %19\n"
                                    "%5 = OpVariable %27 Uniform\n"
                                    "%14 = OpTypeStruct %20\n"
                                    "%29 = OpTypePointer Uniform %14\n"
                                    "%30 = OpTypePointer Uniform %20\n"
                                    "%6 = OpVariable %29 Uniform\n"
                                    "%31 = OpTypeImage %19 2D 0 0 0 1 Unknown\n"
                                    "%32 = OpTypeSampledImage %31\n"
                                    "%33 = OpTypePointer UniformConstant %32\n"
                                    "%34 = OpTypePointer Output %20\n"
                                    "%35 = OpTypePointer Input %20\n"
                                    "%3 = OpVariable %34 Output\n"
                                    "%4 = OpVariable %35 Input\n"
                                    "%36 = OpTypeFunction %20 %20\n"
                                    "%2 = OpFunction %17 None %18\n"
                                    "%37 = OpLabel\n"
                                    "%38 = OpAccessChain %28 %5 %24 %25\n"
                                    "%39 = OpLoad %19 %38\n"
                                    "%40 = OpLoad %20 %4\n"
                                    "%41 = OpVectorTimesScalar %20 %40 %39\n"
                                    "%42 = OpFunctionCall %20 %43 %41\n"
                                    "%44 = OpAccessChain %30 %6 %24\n"
                                    "%45 = OpLoad %20 %44\n"
                                    "%46 = OpFAdd %20 %42 %45\n"
                                    "OpStore %3 %46\n"
                                    "OpReturn\n"
                                    "OpFunctionEnd\n"
                                    "%43 = OpFunction %20 None %36\n"
                                    "%47 = OpFunctionParameter %20\n"
                                    "%48 = OpLabel\n"
                                    "%49 = OpVectorTimesScalar %20 %47 %15\n"
                                    "OpReturnValue %49\n"
                                    "OpFunctionEnd\n";
static const char fragment_golden[] = "OpCapability Shader\n"
                                      "OpExtension \"SPV_KHR_non_semantic_info\"\n"
                                      "OpMemoryModel Logical GLSL450\n"
                                      "OpEntryPoint Fragment %7 \"main\" %8 %9\n"
                                      "OpExecutionMode %7 OriginUpperLeft\n"
                                      "OpName %7 \"fs\"\n"
                                      "OpName %11 \"tint\"\n"
                                      "OpName %9 \"t\"\n"
                                      "OpDecorate %8 Location 0\n"
                                      "OpDecorate %12 ArrayStride 4\n"
                                      "OpDecorate %13 Block\n"
                                      "OpMemberDecorate %13 0 Offset 0\n"
                                      "OpMemberDecorate %13 1 Offset 12\n"
                                      "OpDecorate %14 Block\n"
                                      "OpMemberDecorate %14 0 Offset 0\n"
                                      "OpDecorate %9 DescriptorSet 2\n"
                                      "OpDecorate %9 Binding 9\n"
                                      "OpDecorate %15 SpecId 11\n"
                                      "OpDecorate %16 RelaxedPrecision\n"
                                      "%17 = OpTypeVoid\n"
                                      "%18 = OpTypeFunction %17\n"
                                      "%19 = OpTypeFloat 32\n"
                                      "%20 = OpTypeVector %19 4\n"
                                      "%21 = OpTypeVector %19 2\n"
                                      "%22 = OpTypeInt 32 1\n"
                                      "%23 = OpTypeInt 32 0\n"
                                      "%24 = OpConstant %22 0\n"
                                      "%25 = OpConstant %22 1\n"
                                      "%26 = OpConstant %23 3\n"
                                      "%15 = OpSpecConstant %19 2\n"
                                      "%12 = OpTypeArray %19 %26\n"
                                      "%13 = OpTypeStruct %12 %19\n"
                                      "%27 = OpTypePointer PushConstant %13\n"
                                      "%28 = OpTypePointer PushConstant %19\n"
                                      "%14 = OpTypeStruct %20\n"
                                      "%29 = OpTypePointer Uniform %14\n"
                                      "%30 = OpTypePointer Uniform %20\n"
                                      "%31 = OpTypeImage %19 2D 0 0 0 1 Unknown\n"
                                      "%32 = OpTypeSampledImage %31\n"
                                      "%33 = OpTypePointer UniformConstant %32\n"
                                      "%9 = OpVariable %33 UniformConstant\n"
                                      "%34 = OpTypePointer Output %20\n"
                                      "%35 = OpTypePointer Input %20\n"
                                      "%8 = OpVariable %34 Output\n"
                                      "%36 = OpTypeFunction %20 %20\n"
                                      "%43 = OpFunction %20 None %36\n"
                                      "%47 = OpFunctionParameter %20\n"
                                      "%48 = OpLabel\n"
                                      "%49 = OpVectorTimesScalar %20 %47 %15\n"
                                      "OpReturnValue %49\n"
                                      "OpFunctionEnd\n"
                                      "%11 = OpFunction %20 None %36\n"
                                      "%50 = OpFunctionParameter %20\n"
                                      "%51 = OpLabel\n"
                                      "%16 = OpFAdd %20 %50 %50\n"
                                      "OpReturnValue %16\n"
                                      "OpFunctionEnd\n"
                                      "%7 = OpFunction %17 None %18\n"
                                      "%52 = OpLabel\n"
                                      "%54 = OpLoad %32 %9\n"
                                      "%55 = OpCompositeConstruct %21 %15 %15\n"
                                      "%56 = OpImageSampleImplicitLod %20 %54 %55\n"
                                      "%57 = OpFunctionCall %20 %11 %56\n"
                                      "%58 = OpFunctionCall %20 %43 %57\n"
                                      "OpStore %8 %58\n"
                                      "OpReturn\n"
                                      "OpFunctionEnd\n";

static void test_vertex(const struct spv_binary_t *module, struct gv_arena *arena)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_recorded r;
    struct gv_recorded_stage out;
    const struct gv_recorded_place place = { 7, 3, 0, 4 };
    const struct gv_recorded_map map = {
        .places = &place, .count = 1, .push_set = 0, .push_binding = 0
    };
    CHECK(read(module, "transform", GV_STAGE_VERTEX, arena, &r, &err));
    CHECK(r.binding_count == 1 && r.bindings[0].set == 7 && r.bindings[0].binding == 3);
    CHECK(r.bindings[0].type == GV_BINDING_UNIFORM_BUFFER && r.bindings[0].count == 1);
    CHECK(r.push_bytes == 16);
    CHECK(r.input_locations == 1u << 2 && r.output_locations == 0);
    CHECK(gv_recorded_write(&r, &map, arena, &out, &err));
    CHECK(out.feature && strcmp(out.feature, "uniformBufferStandardLayout") == 0);
    CHECK(out.stage.binding_count == 2);
    CHECK(out.stage.bindings[0].type == GV_BINDING_UNIFORM_BUFFER_DYNAMIC);
    CHECK(out.stage.bindings[1].binding == 4);
    check_text("transform", &out.stage, vertex_golden);
    gv_error_clear(&err);
}

static void test_fragment(const struct spv_binary_t *module, struct gv_arena *arena)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_recorded r;
    struct gv_recorded_stage out;
    const struct gv_recorded_place place = { 5, 1, 2, 9 };
    const struct gv_recorded_map map = { .places = &place, .count = 1 };
    CHECK(read(module, "shade", GV_STAGE_FRAGMENT, arena, &r, &err));
    CHECK(r.binding_count == 1 &&
          r.bindings[0].type == GV_BINDING_COMBINED_IMAGE_SAMPLER);
    CHECK(r.push_bytes == 0 && r.output_locations == 1);
    CHECK(gv_recorded_write(&r, &map, arena, &out, &err));
    CHECK(!out.feature);
    check_text("shade", &out.stage, fragment_golden);
    gv_error_clear(&err);
}

// ---- views and input attachments ----

// A fragment stage that reads an input attachment of several samples and the view it
// renders, and has a specialisation constant. The image's type but for the dimension is
// there already.
static const char of_a_subpass[] =
    "OpCapability Shader\nOpCapability InputAttachment\nOpCapability MultiView\n"
    "OpExtension \"SPV_KHR_multiview\"\n"
    "OpMemoryModel Logical GLSL450\n"
    "OpEntryPoint Fragment %main \"main\" %colour %view %before %other\n"
    "OpExecutionMode %main OriginUpperLeft\n"
    "OpName %before \"before\"\nOpName %view \"view\"\n"
    "OpDecorate %view BuiltIn ViewIndex\nOpDecorate %view Flat\n"
    "OpDecorate %colour Location 0\nOpDecorate %k SpecId 4\n"
    "OpDecorate %before DescriptorSet 1\nOpDecorate %before Binding 7\n"
    "OpDecorate %before InputAttachmentIndex 2\n"
    "OpDecorate %other DescriptorSet 1\nOpDecorate %other Binding 8\n"
    "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n"
    "%float = OpTypeFloat 32\n%v4 = OpTypeVector %float 4\n"
    "%int = OpTypeInt 32 1\n%i2 = OpTypeVector %int 2\n"
    "%k = OpSpecConstant %int 1\n%c0 = OpConstant %int 0\n"
    "%here = OpConstantComposite %i2 %c0 %c0\n"
    "%image = OpTypeImage %float 2D 0 0 1 1 Unknown\n"
    "%p_image = OpTypePointer UniformConstant %image\n"
    "%input = OpTypeImage %float SubpassData 0 0 1 2 Unknown\n"
    "%p_input = OpTypePointer UniformConstant %input\n"
    "%other = OpVariable %p_image UniformConstant\n"
    "%before = OpVariable %p_input UniformConstant\n"
    "%p_out = OpTypePointer Output %v4\n%colour = OpVariable %p_out Output\n"
    "%p_int = OpTypePointer Input %int\n%view = OpVariable %p_int Input\n"
    "%main = OpFunction %void None %fn\n%l = OpLabel\n"
    "%v = OpLoad %int %view\n%sample = OpIAdd %int %v %k\n"
    "%from = OpLoad %input %before\n"
    "%texel = OpImageRead %v4 %from %here Sample %sample\n"
    "%second = OpLoad %image %other\n"
    "%fetched = OpImageFetch %v4 %second %here Sample %c0\n"
    "%sum = OpFAdd %v4 %texel %fetched\n"
    "OpStore %colour %sum\nOpReturn\nOpFunctionEnd\n";

static const char subpass_golden[] = "OpCapability Shader\n"
                                     "OpMemoryModel Logical GLSL450\n"
                                     "OpEntryPoint Fragment %1 \"main\" %2 %4 %5 %29\n"
                                     "OpExecutionMode %1 OriginUpperLeft\n"
                                     "OpName %4 \"before\"\n"
                                     "OpName %3 \"view\"\n"
                                     "OpDecorate %3 SpecId 5\n"
                                     "OpDecorate %2 Location 0\n"
                                     "OpDecorate %6 SpecId 4\n"
                                     "OpDecorate %4 DescriptorSet 2\n"
                                     "OpDecorate %4 Binding 3\n"
                                     "OpDecorate %5 DescriptorSet 2\n"
                                     "OpDecorate %5 Binding 4\n"
                                     "OpDecorate %29 BuiltIn FragCoord\n"
                                     "%7 = OpTypeVoid\n"
                                     "%8 = OpTypeFunction %7\n"
                                     "%9 = OpTypeFloat 32\n"
                                     "%10 = OpTypeVector %9 4\n"
                                     "%11 = OpTypeInt 32 1\n"
                                     "%12 = OpTypeVector %11 2\n"
                                     "%6 = OpSpecConstant %11 1\n"
                                     "%13 = OpConstant %11 0\n"
                                     "%14 = OpConstantComposite %12 %13 %13\n"
                                     "%15 = OpTypeImage %9 2D 0 0 1 1 Unknown\n"
                                     "%16 = OpTypePointer UniformConstant %15\n"
                                     "%17 = OpTypeImage %9 2D 2 0 1 1 Unknown\n"
                                     "%18 = OpTypePointer UniformConstant %17\n"
                                     "%5 = OpVariable %16 UniformConstant\n"
                                     "%4 = OpVariable %18 UniformConstant\n"
                                     "%19 = OpTypePointer Output %10\n"
                                     "%2 = OpVariable %19 Output\n"
                                     "%20 = OpTypePointer Input %11\n"
                                     "%3 = OpSpecConstant %11 0\n"
                                     "%30 = OpTypeVector %9 2\n"
                                     "%31 = OpTypeInt 32 0\n"
                                     "%32 = OpConstant %31 0\n"
                                     "%33 = OpTypePointer Input %10\n"
                                     "%29 = OpVariable %33 Input\n"
                                     "%1 = OpFunction %7 None %8\n"
                                     "%21 = OpLabel\n"
                                     "%22 = OpCopyObject %11 %3\n"
                                     "%23 = OpIAdd %11 %22 %6\n"
                                     "%24 = OpLoad %17 %4\n"
                                     "%34 = OpLoad %10 %29\n"
                                     "%35 = OpVectorShuffle %30 %34 %34 0 1\n"
                                     "%36 = OpConvertFToS %12 %35\n"
                                     "%37 = OpIAdd %12 %36 %14\n"
                                     "%25 = OpImageFetch %10 %24 %37 Sample %23\n"
                                     "%26 = OpLoad %15 %5\n"
                                     "%27 = OpImageFetch %10 %26 %14 Sample %13\n"
                                     "%28 = OpFAdd %10 %25 %27\n"
                                     "OpStore %2 %28\n"
                                     "OpReturn\n"
                                     "OpFunctionEnd\n";

static void test_subpass(struct gv_arena *arena)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_recorded r;
    struct gv_recorded_stage out;
    spv_binary module = NULL;
    const struct gv_recorded_place places[2] = { { 1, 7, 2, 3 }, { 1, 8, 2, 4 } };
    const struct gv_recorded_map map = { .places = places, .count = 2 };
    CHECK(gv_test_assemble(of_a_subpass, strlen(of_a_subpass), &module));
    CHECK(read(module, "main", GV_STAGE_FRAGMENT, arena, &r, &err));
    CHECK(r.view_spec == 5);
    CHECK(r.binding_count == 2 && r.bindings[0].type == GV_BINDING_SAMPLED_IMAGE);
    CHECK(gv_recorded_write(&r, &map, arena, &out, &err));
    check_text("subpass", &out.stage, subpass_golden);
    spvBinaryDestroy(module);
    gv_error_clear(&err);
}

// ---- what is refused ----

static void check_refused(const char *name, const struct spv_binary_t *module,
                          const char *entry, enum gv_status status, const char *says)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_arena arena = { 0 };
    struct gv_recorded r;
    CHECK_ROW(name, !read(module, entry, GV_STAGE_VERTEX, &arena, &r, &err));
    CHECK_ROW(name, err.status == status && strstr(err.message, says));
    if (!strstr(err.message, says))
        fprintf(stderr, "%s\n", err.message);
    gv_arena_finish(&arena);
    gv_error_clear(&err);
}

static void test_places(const struct spv_binary_t *module, struct gv_arena *arena)
{
    static const struct {
        const char *name;
        struct gv_recorded_place place;
        enum gv_status status;
    } rows[] = {
        { "none", { 7, 4, 0, 1 }, GV_ERR_FORMAT },
        { "set", { 7, 3, 4, 1 }, GV_ERR_UNSUPPORTED },
        { "number", { 7, 3, 0, 1024 }, GV_ERR_UNSUPPORTED },
        { "push constants'", { 7, 3, 0, 0 }, GV_ERR_FORMAT },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct gv_error err = GV_ERROR_INIT;
        struct gv_recorded r;
        struct gv_recorded_stage out;
        const struct gv_recorded_map map = { .places = &rows[i].place, .count = 1 };
        CHECK(read(module, "transform", GV_STAGE_VERTEX, arena, &r, &err));
        CHECK_ROW(rows[i].name, !gv_recorded_write(&r, &map, arena, &out, &err));
        CHECK_ROW(rows[i].name, err.status == rows[i].status);
        gv_error_clear(&err);
    }
}

#define EMPTY(capability, decorations)                                           \
    "OpCapability Shader\n" capability "OpMemoryModel Logical GLSL450\n"         \
    "OpEntryPoint Vertex %main \"main\" %u\n" decorations "%void = OpTypeVoid\n" \
    "%fn = OpTypeFunction %void\n%float = OpTypeFloat 32\n"                      \
    "%block = OpTypeStruct %float\n%p = OpTypePointer Uniform %block\n"          \
    "%q = OpTypePointer Uniform %float\n%int = OpTypeInt 32 0\n"                 \
    "%c0 = OpConstant %int 0\n%u = OpVariable %p Uniform\n"                      \
    "%main = OpFunction %void None %fn\n%l = OpLabel\n%a = OpAccessChain %q %u " \
    "%c0\n%v = OpLoad %float %a\nOpReturn\nOpFunctionEnd\n"
#define BLOCK "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n"
#define SET(n) "OpDecorate %u DescriptorSet " n "\nOpDecorate %u Binding 0\n"

static void test_refused(void)
{
    static const struct {
        const char *name, *text;
        enum gv_status status;
        const char *says;
    } rows[] = {
        { "capability", EMPTY("OpCapability Kernel\n", BLOCK SET("0")),
          GV_ERR_UNSUPPORTED, "unsupported: SPIR-V capability Kernel" },
        { "no block", EMPTY("", SET("0")), GV_ERR_FORMAT, "invalid SPIR-V" },
        { "no set", EMPTY("", BLOCK), GV_ERR_FORMAT, "missing DescriptorSet" },
        { "the set of push constants", EMPTY("", BLOCK SET("4294967294")),
          GV_ERR_FORMAT, "descriptor set 4294967294" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        spv_binary module = NULL;
        CHECK_ROW(rows[i].name,
                  gv_test_assemble(rows[i].text, strlen(rows[i].text), &module));
        check_refused(rows[i].name, module, "main", rows[i].status, rows[i].says);
        spvBinaryDestroy(module);
    }
}

// Every prefix of a module, and every word of it changed to what is hostile: an error
// or a module, never more.
static void test_damaged(const struct spv_binary_t *module)
{
    static const uint32_t bad[] = { 0, 1, 0xffff, 0x00010000, 0x7fffffff, UINT32_MAX };
    uint32_t *words = malloc(module->wordCount * sizeof *words);
    struct spv_binary_t copy = { words, module->wordCount };
    size_t taken = 0, refused = 0;
    for (size_t i = 0; words && i < module->wordCount * sizeof bad / sizeof *bad; i++) {
        struct gv_error err = GV_ERROR_INIT;
        struct gv_arena arena = { 0 };
        struct gv_recorded r;
        memcpy(words, module->code, module->wordCount * sizeof *words);
        words[i / (sizeof bad / sizeof *bad)] = bad[i % (sizeof bad / sizeof *bad)];
        *(read(&copy, "transform", GV_STAGE_VERTEX, &arena, &r, &err) ? &taken
                                                                      : &refused) += 1;
        gv_arena_finish(&arena);
        gv_error_clear(&err);
    }
    CHECK(taken && refused > taken);
    for (copy.wordCount = 0; copy.wordCount < module->wordCount; copy.wordCount++)
        check_refused("cut", &copy, "transform", GV_ERR_FORMAT, "");
    free(words);
}

int main(void)
{
    struct gv_arena arena = { 0 };
    spv_binary module = NULL;
    CHECK(gv_test_assemble(two_entries, strlen(two_entries), &module));
    if (!module)
        return TEST_RESULT();
    test_vertex(module, &arena);
    test_fragment(module, &arena);
    test_places(module, &arena);
    test_subpass(&arena);
    test_refused();
    check_refused("no such name", module, "main", GV_ERR_FORMAT,
                  "no entry point main of the vertex stage");
    check_refused("another stage's", module, "shade", GV_ERR_FORMAT, "no entry point");
    test_damaged(module);
    spvBinaryDestroy(module);
    gv_arena_finish(&arena);
    return TEST_RESULT();
}

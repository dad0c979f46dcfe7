// Broken and unsupported shader blobs: each fault with its status, offset and message,
// and every cut and every changed byte of good ones (no crash, no silence).
#include "compiler/shader/d3d/dxbc.h"
#include "resources/base/file.h"
#include "tests/shader/dxbc_assembler.h"
#include "tests/test.h"

#define BASE 1000 // where the blob stands in its capture

// "ps_4_0 / in COLOR 0 v0 / out SV_Target 0 o0 / mov o0, v0 / ret" in Aero encoding:
//   0 head, 32 three offsets, 44 ISGN (8 + 40), 92 OSGN (8 + 44), 144 SHDR (8 + 32),
//   152 version, 156 length, 160 mov, 164 o0, 168 its index, 172 v0, 176, 180 ret
static const char text[] =
    "ps_4_0\nin COLOR 0 v0\nout SV_Target 0 o0\nmov o0, v0\nret\n";

static const struct {
    const char *name;
    size_t at; // byte of the blob
    uint32_t value;
    enum gv_status status;
    uint64_t offset; // in the capture
    const char *message;
} faults[] = {
    { "magic", 0, 0x43425845, GV_ERR_FORMAT, 1000, "neither a dxbc container" },
    { "total_size", 24, 0x10000, GV_ERR_FORMAT, 1024, "dxbc size 65536 in a blob" },
    { "chunk_count", 28, 0x7fffffff, GV_ERR_FORMAT, 1028,
      "dxbc with 2147483647 chunks" },
    { "chunk_offset_low", 32, 8, GV_ERR_FORMAT, 1032, "dxbc chunk offset 8" },
    { "chunk_offset_high", 36, 0xfffffff0, GV_ERR_FORMAT, 1036, "dxbc chunk offset" },
    { "chunk_size", 48, 0xffffffff, GV_ERR_FORMAT, 1044, "dxbc chunk passes the end" },
    { "no_tokens", 144, 0x41414141, GV_ERR_FORMAT, 1000, "dxbc without a token chunk" },
    { "dxil", 144, 0x4c495844, GV_ERR_UNSUPPORTED, 1000, "unsupported: dxil" },
    { "signature_count", 52, 0x10000000, GV_ERR_FORMAT, 1052,
      "signature of 268435456" },
    { "semantic_name", 60, 0x1000, GV_ERR_FORMAT, 1060, "semantic name passes" },
    { "register", 76, 40, GV_ERR_FORMAT, 1060, "signature register 40" },
    { "shader_type", 152, 0x00090040, GV_ERR_FORMAT, 1152,
      "shader of unknown type 0x9" },
    { "declared_length", 156, 99, GV_ERR_FORMAT, 1156,
      "aero shader: 99 tokens declared" },
    { "length_one", 156, 1, GV_ERR_FORMAT, 1156, "aero shader: 1 tokens declared" },
    { "length_zero", 160, 0x00000001, GV_ERR_FORMAT, 1160,
      "aero shader: instruction of" },
    { "length_past_end", 160, 0x00008001, GV_ERR_FORMAT, 1160,
      "aero shader: instruction" },
    { "operand_cut", 160, 0x00002001, GV_ERR_FORMAT, 1160,
      "aero shader: operand passes" },
    { "opcode", 160, 0x00002803, GV_ERR_UNSUPPORTED, 1160,
      "unsupported: aero opcode 0x03" },
    { "opcode_high", 160, 0x000028ff, GV_ERR_UNSUPPORTED, 1160,
      "unsupported: aero opcode 0xff" },
    { "operand_count", 160, 0x00002802, GV_ERR_FORMAT, 1160,
      "ADD with 2 operands rather than 3" },
    { "operand_type", 164, 0x0010f092, GV_ERR_UNSUPPORTED, 1160,
      "unsupported: aero operand type 9" },
    { "relative", 164, 0x0050f022, GV_ERR_UNSUPPORTED, 1160,
      "unsupported: aero relative addressing" },
    { "write_to_input", 164, 0x0010f012, GV_ERR_FORMAT, 1160,
      "MOV: operand 0 is of the wrong kind" },
    { "output_index", 168, 4000, GV_ERR_FORMAT, 1160, "register index 4000" },
    { "endif_alone", 180, 0x0000082a, GV_ERR_FORMAT, 1180, "ENDIF out of place" },
    { "loop_open", 180, 0x0000082f, GV_ERR_FORMAT, 1180, "a block is not closed" },
    { "emit_in_pixel", 180, 0x0000083f, GV_ERR_FORMAT, 1180, "EMIT outside" },
};

static void assemble(const char *source, enum dxbc_encoding encoding,
                     struct gv_bytes *blob)
{
    char error[160] = "";
    bool ok = dxbc_assemble(source, encoding, blob, error);
    CHECK_ROW(error, ok);
}

static void store(uint8_t *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> (8 * i));
}

static void test_faults(void)
{
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct gv_bytes blob = { 0 };
        struct gv_arena arena = { 0 };
        struct gv_error err = GV_ERROR_INIT;
        struct gv_dxbc_shader shader;
        assemble(text, DXBC_ENCODING_AERO, &blob);
        store(blob.data + faults[i].at, faults[i].value);
        bool ok =
            gv_dxbc_translate(blob.data, blob.size, BASE, NULL, &arena, &shader, &err);
        CHECK_ROW(faults[i].name, !ok);
        if (err.status != faults[i].status || err.offset != faults[i].offset ||
            strncmp(err.message, faults[i].message, strlen(faults[i].message)))
            fprintf(stderr, "[%s] %d at %llu: %s\n", faults[i].name, err.status,
                    (unsigned long long)err.offset, err.message);
        CHECK_ROW(faults[i].name, err.status == faults[i].status);
        CHECK_ROW(faults[i].name, err.offset == faults[i].offset);
        CHECK_ROW(faults[i].name,
                  !strncmp(err.message, faults[i].message, strlen(faults[i].message)));
        gv_arena_finish(&arena);
        gv_bytes_finish(&blob);
    }
}

// Official shaders (aero_: of the dialect) that are refused, at their last instruction
// but `ret`: what is wrong with it, and what is right but not translated.
#define HEAD "in COLOR 0 v0\nout SV_Target 0 o0\n"
#define CS "cs_5_0\ndcl_thread_group 1, 1, 1\n"
static const struct {
    const char *name, *text;
    enum gv_status status;
    const char *message;
} refused[] = {
    { "group_too_deep", "cs_5_0\ndcl_thread_group 1, 1, 65\nret\n", GV_ERR_FORMAT,
      "thread group size is out of range" },
    { "group_too_large", "cs_5_0\ndcl_thread_group 32, 33, 1\nret\n", GV_ERR_FORMAT,
      "thread group of more than 1024 threads" },
    { "output_in_compute", CS "mov r0, o0\nret\n", GV_ERR_FORMAT, "MOV: a register" },
    { "thread_in_pixel", "ps_5_0\n" HEAD "mov o0, vThreadID\nret\n", GV_ERR_FORMAT,
      "MOV: a register that this stage" },
    { "domain_in_vertex", "vs_5_0\nout SV_Position 0 o0 sv=1\nmov o0, vDomain\nret\n",
      GV_ERR_FORMAT, "MOV: a register" },
    { "thread_as_index", "ps_5_0\n" HEAD "mov o0, cb0[vThreadID.x]\nret\n",
      GV_ERR_FORMAT, "MOV: a register" },
    { "derivative_in_compute", CS "deriv_rtx r0, r1\nret\n", GV_ERR_FORMAT,
      "DERIV_X outside" },
    { "discard_in_compute", CS "discard_nz r0.x\nret\n", GV_ERR_FORMAT,
      "DISCARD outside" },
    { "counter_of_raw", CS "dcl_uav_raw u0\nimm_atomic_alloc r0.x, u0\nret\n",
      GV_ERR_FORMAT, "IMM_ALLOC of no structured buffer" },
    { "control_point_outside",
      "hs_5_0\nin POSITION 0 v0\nout POSITION 0 o0\npatch EXTRA 0 o0\nhs_decls\n"
      "dcl_input_points@3\ndcl_output_points@2\nhs_fork_phase\nmov o0, "
      "vocp[2][0]\nret\n",
      GV_ERR_FORMAT, "control point 2 is not" },
    { "aero_control_point_phase_second",
      "hs_5_0\nin SV_Position 0 v0\nout POSITION 0 o0\npatch EXTRA 0 o0\nword 0x091b\n"
      "mov o0, l(1.0)\nword 0x091a\nmov o0, v0\nret\n",
      GV_ERR_FORMAT, "aero shader: control point phase is not the first" },
    { "vertex_position_unindexed",
      "gs_5_0\nin SV_Position 0 v0 sv=1\nout SV_Position 0 o0 sv=1\n"
      "dcl_gs_primitive@1\ndcl_gs_topology@1\ndcl_maxout 1\nmov o0, v0\nemit\nret\n",
      GV_ERR_FORMAT, "input v0 is read without a vertex index" },
    { "pixel_input_of_vertex_by_register",
      "ps_5_0\nin COLOR 0 v0\nin COLOR 1 v1\nout SV_Target 0 o0\nmov r0.x, l(1)\n"
      "add o0, v[r0.x], v0[1]\nret\n",
      GV_ERR_FORMAT, "input v1 is read with and without a vertex index" },
    { "stream_1",
      "gs_5_0\nin SV_Position 0 v0 sv=1\nout SV_Position 0 o0 "
      "sv=1\ndcl_gs_primitive@1\n"
      "dcl_gs_topology@1\ndcl_maxout 1\nmov o0, v0[0]\nemit_stream m1\nret\n",
      GV_ERR_UNSUPPORTED, "unsupported: geometry stream 1" },
    { "half_double", CS "dadd r0.xyz, r1, r2\nret\n", GV_ERR_FORMAT,
      "DADD of half a double" },
    { "feedback", CS "word 0x010000ea\nret\n", GV_ERR_UNSUPPORTED,
      "unsupported: sm4 check_access_fully_mapped" },
    { "model_5_1", "cs_5_1\ndcl_thread_group 1, 1, 1\nret\n", GV_ERR_UNSUPPORTED,
      "unsupported: shader model 5.1" },
    { "model_6", "ps_6_0\n" HEAD "mov o0, v0\nret\n", GV_ERR_UNSUPPORTED,
      "unsupported: shader model 6.0" },
    { "uav_declared", CS "dcl_uav_raw u8\nret\n", GV_ERR_UNSUPPORTED,
      "unsupported: register u8" },
    { "uav_used", CS "store_raw u63.x, l(0), l(0)\nret\n", GV_ERR_UNSUPPORTED,
      "unsupported: register u63" },
    { "uav_past", CS "store_raw u64.x, l(0), l(0)\nret\n", GV_ERR_FORMAT,
      "register index 64 is out of range" },
    { "uav_declared_past", CS "dcl_uav_raw u64\nret\n", GV_ERR_FORMAT,
      "sm4 shader: resource register is out of range" },
    { "inner_coverage",
      "ps_5_0\n" HEAD "word 0x04000036 0x00102012 0 0x0002a001\nret\n",
      GV_ERR_UNSUPPORTED, "unsupported: sm4 operand type 42, inner coverage" },
    { "cycle_counter", CS "word 0x04000036 0x00100012 0 0x00028001\nret\n",
      GV_ERR_UNSUPPORTED, "unsupported: sm4 operand type 40, cycle counter" },
    { "rasterizer_as_number",
      "ps_5_0\n" HEAD "word 0x04000036 0x00102012 0 0x0000e001\nret\n", GV_ERR_FORMAT,
      "MOV: operand 1 is of the wrong kind" },
    { "rasterizer_in_compute", CS "sampleinfo r0, rasterizer\nret\n", GV_ERR_FORMAT,
      "SAMPLEINFO: a register that this stage" },
    { "feedback", CS "word 0x010000db\nret\n", GV_ERR_UNSUPPORTED,
      "unsupported: sm4 gather4_feedback" },
    { "feedback_load", CS "word 0x010000e3\nret\n", GV_ERR_UNSUPPORTED,
      "unsupported: sm4 ld_structured_feedback" },
    { "feedback_check", CS "word 0x010000ea\nret\n", GV_ERR_UNSUPPORTED,
      "unsupported: sm4 check_access_fully_mapped" },
    { "call_of_interface", CS "word 0x01000078\nret\n", GV_ERR_UNSUPPORTED,
      "unsupported: sm4" },
};

static void test_refused(void)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct gv_bytes blob = { 0 };
        struct gv_arena arena = { 0 };
        struct gv_error err = GV_ERROR_INIT;
        struct gv_dxbc_shader shader = { 0 };
        bool aero = !strncmp(refused[i].name, "aero_", 5);
        assemble(refused[i].text, aero ? DXBC_ENCODING_AERO : DXBC_ENCODING_OFFICIAL,
                 &blob);
        bool ok =
            gv_dxbc_translate(blob.data, blob.size, BASE, NULL, &arena, &shader, &err);
        bool as_said =
            !ok && err.status == refused[i].status && err.offset >= BASE &&
            err.offset < BASE + blob.size &&
            !strncmp(err.message, refused[i].message, strlen(refused[i].message));
        if (!as_said)
            fprintf(stderr, "[%s] %d at %llu: %s\n%s", refused[i].name, err.status,
                    (unsigned long long)err.offset, err.message,
                    shader.glsl ? shader.glsl : "");
        CHECK_ROW(refused[i].name, as_said);
        gv_arena_finish(&arena);
        gv_bytes_finish(&blob);
    }
}

static void translate(const uint8_t *data, size_t size, const char *name)
{
    struct gv_arena arena = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    struct gv_dxbc_shader shader;
    bool ok = gv_dxbc_translate(data, size, BASE, NULL, &arena, &shader, &err);
    CHECK_ROW(name, ok || (err.status != GV_OK && err.message[0]));
    // Whatever is wrong with tokens, our own GLSL is not.
    if (strstr(err.message, "syntax error") || strstr(err.message, "undeclared"))
        fprintf(stderr, "[%s] %s\n%s\n", name, err.message, shader.glsl);
    CHECK_ROW(name, !strstr(err.message, "syntax error"));
    gv_arena_finish(&arena);
}

static const char official[] =
    "ps_5_0\nin TEXCOORD 0 v0\nout SV_Target 0 o0\ndcl_constantbuffer cb0[4]\n"
    "dcl_resource@3 t0, 0x5555\nif_nz v0.x\nsample r0, v0, t0, s0\nendif\n"
    "umul r1, r2, r0, cb0[2]\nmovc o0, r1, l(1.0), r2\nret\n";

// Each cut, and each byte with two changes. The file is copied to its exact size, so
// that the sanitizer sees a read past its end.
static void test_damage(const char *source, enum dxbc_encoding encoding, size_t step)
{
    struct gv_bytes blob = { 0 };
    assemble(source, encoding, &blob);
    for (size_t n = 0; n < blob.size; n += step) {
        uint8_t *copy = malloc(n ? n : 1);
        if (copy && n)
            memcpy(copy, blob.data, n);
        if (copy)
            translate(copy, n, "cut");
        free(copy);
    }
    for (size_t at = 0; at < blob.size; at += step) {
        uint8_t kept = blob.data[at];
        blob.data[at] = (uint8_t)(kept ^ 0x01);
        translate(blob.data, blob.size, "bit");
        blob.data[at] = 0xff;
        translate(blob.data, blob.size, "ff");
        blob.data[at] = kept;
    }
    gv_bytes_finish(&blob);
}

int main(void)
{
    test_faults();
    test_refused();
    test_damage(text, DXBC_ENCODING_AERO, 1);
    test_damage(official, DXBC_ENCODING_OFFICIAL, 3);
    return TEST_RESULT();
}

// The text form: programs assemble into payloads that verify; text and bytes round-trip
// exactly; what is wrong is named with its line.
#include "tests/helpers.h"
#include "tests/test.h"
#include "vm/ops.h"
#include "vm/payload/payload_writer.h"
#include "vm/text/text.h"
#include "vm/verify/verify.h"

#include <math.h>
#include <stdint.h>
#include <unistd.h>

// ---- programs ----

// Every kind of statement, and code of shapes that no call line stands for.
static const char everything[] =
    "# everything\n"
    ".payload level=5 incomplete\n"
    ".provenance \"{\\\"front-end\\\":\\\"test\\\",\\\"tab\\\":\\\"\\t\\\"}\"\n"
    ".require feature \"geometryShader\"\n"
    ".require preferred limit \"maxImageDimension2D\" 16384 fallback \"halved\"\n"
    ".require alternative feature \"wideLines\" fallback \"quads\"\n"
    ".require memory 1000000\n"
    ".value side 64\n"
    ".const tri f32 ( -1 -1 0x3f800000\n   1.5e0 -0 1e-3 )\n"
    ".const mixed align=4 u8 1 2 255 i16 -1 u32 1.0 hex 00 ff abCD text \"a\\x00b\" "
    "zero 3 repeat 2 ( u16 7 text \"-\" )\n"
    ".resource small u32 1 2 3\n"
    ".resource next u32 4 5 6\n"
    ".resource large repeat 70000 ( f32 0.25 )\n"
    ".resource code u32 0x07230203 0 0 0 0\n"
    ".volatile scratch 256\n"
    ".volatile more 16 align=16\n"
    ".graphics pipe {\n"
    "  topology = TRIANGLE_STRIP ; depth_test = true\n"
    "  cull = FRONT|BACK\n"
    "  attribute 1 slot=0 format=R32G32_SFLOAT offset=8\n"
    "  attribute 0 slot=0 format=R32G32_SFLOAT\n"
    "  vertex_binding 1 rate=INSTANCE divisor=3\n"
    "  vertex_binding 0\n"
    "  color 0 R8G8B8A8_UNORM\n"
    "  blend 0 enable src_color=SRC_ALPHA dst_color=ONE_MINUS_SRC_ALPHA "
    "write_mask=R|A\n"
    "  depth_stencil_format = D32_SFLOAT_S8_UINT\n"
    "  stencil KEEP REPLACE ZERO LESS\n"
    "  min_sample_shading = 0.5\n"
    "  binding 2 1 COMBINED_IMAGE_SAMPLER FRAGMENT\n"
    "  binding 0 0 UNIFORM_BUFFER_DYNAMIC VERTEX|FRAGMENT\n"
    "  spec VERTEX 3 1.0\n"
    "}\n"
    ".compute work { binding 3 0 STORAGE_BUFFER count=2 COMPUTE }\n"
    ".sampler near { mag_filter = LINEAR; max_lod = 4; border_values = 0 0 0 0 }\n"
    ".ranges touched { read 3 0 offset=16 bytes=64 ; write 3 0 element=1 bytes=4 "
    "stride=8 rows=2 }\n"
    ".export color0 image R8G8B8A8_UNORM 64 64\n"
    ".export \"bytes\" buffer\n"
    ".slot buffer spare\n"
    "command\n"
    "shader vs = shader_create(code)\n"
    "fs = shader_create(spirv=code)\n"
    "p = pipeline_create_graphics(desc=pipe, vertex=vs, fragment=fs)\n"
    "cs = shader_create(code, 20)\n"
    "c = pipeline_create_compute(work, compute=cs)\n"
    "sampler smp = sampler_create(near)\n"
    ".source 0 128 \"create things\"\n"
    ".source 1 132 \"upload\"\n"
    "command 1\n"
    "vb = buffer_create(size=256, usage=VERTEX|INDEX|0x10)\n"
    "buffer_upload(vb, 0, tri, 24)\n"
    "buffer_upload(vb, 32, mixed+4, 4)\n"
    "buffer_upload(vb, 64, res 0+4, 8)\n"
    "buffer_upload(vb, 64, large+16, 8)\n"
    "m = buffer_map(vb, 0, 128)\n"
    "load_slot m ; fetch next\n"
    "map_flush(m, 0, 128)\n"
    "buffer_upload(vb, 128, map m+8, 16)\n"
    "buffer_unmap(m)\n"
    "volatile scratch+8 ; fetch_next\n" // large: 280000 bytes behind it
    "buffer_upload(vb, 0, scratch+8, 16)\n"
    "rt = image_create(2D, R8G8B8A8_UNORM, width=side, height=side, "
    "usage=SAMPLED|COLOR_ATTACHMENT)\n"
    "pass_color(image=rt, load=CLEAR, c0=0.5, c3=1.0)\n"
    "pass_begin(side, side, 1)\n"
    "bind_pipeline(p)\n"
    "bind_texture(set=2, binding=1, image=rt, type=2D, swizzle=bg01, sampler=smp)\n"
    "bind_vertex_buffer(buffer=none, stride=8)\n"
    "set_viewport(0, -1.25, -0, 64, 64, 0, 0x7f800000)\n"
    "draw(3)\n"
    "draw_indexed(3, 1, 0, -5, 0)\n"
    "pass_end()\n"
    "dispatch(1, 1, 1, touched)\n"
    "dispatch(1, 1, 1)\n"
    "query q = query_create(OCCLUSION, 2)\n"
    "query_copy(q, 0, 1, vb, 0, 8, 1|WAIT)\n"
    "post_image(color0, rt)\n"
    "post_buffer(bytes, vb, 0, 16, true)\n"
    "command 9\n"
    "loop 1000\n  volatile scratch\n  load32\n  add_imm 1\n  volatile scratch\n"
    "  store32\n loop_end\n"
    "volatile scratch ; load8 ; skip_zero past\n"
    "volatile scratch ; load8 ; skip_zero inner ; push 1000 ; drop ; inner:\n"
    "push -129\n drop\n push_f32 2.5\n drop\n"
    "past: push 0\n drop\n"
    "volatile scratch ; const tri ; copy 16\n"
    "push 300 ; dup ; sub ; drop\n"
    "present(rt, width=side, height=side, flags=FLIP_Y|OPAQUE)\n"
    "frame_end()\n"
    ".pace frame=0 rate=60000 per=1001 width=4 height=3\n"
    ".pace frame=7 rate=0 per=0 width=0 height=0\n"
    "push 3 ; push 1 ; push 0 ; push 0 ; push 9 ; drop ; drop ; push 0 ; call draw\n"
    "res small ; drop ; res_next ; drop ; fetch_into:\n"
    "command ; command\n"
    ".source 10 500 \"last\"\n"
    ".diagnostic warning \"unknown-opcode\" command=3 count=2 \"opcode 9 skipped\"\n"
    ".diagnostic unsupported \"unsupported\" \"glFoo\"\n";

static void complain(const struct gv_error *err)
{
    if (err->status != GV_OK)
        fprintf(stderr, "  %s: %s\n", gv_status_name(err->status), err->message);
}

static bool assemble(const char *text, struct gv_payload *resources,
                     struct gv_bytes *out, struct gv_error *err)
{
    const struct gv_assemble_params params = { .resources = resources };
    gv_error_clear(err);
    return gv_text_assemble(text, strlen(text), &params, out, err);
}

static bool same(const struct gv_bytes *a, const struct gv_bytes *b)
{
    return a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
}

// bytes -> text -> bytes -> text: nothing changes.
static void check_round_trip(const char *name, const struct gv_bytes *bytes)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_bytes text = { 0 }, again = { 0 }, text_again = { 0 };
    struct gv_payload payload, second;
    bool opened = gv_payload_open_memory(&payload, bytes->data, bytes->size, 0, &err);
    CHECK_ROW(name, opened);
    if (opened) {
        CHECK_ROW(name, gv_text_disassemble(&payload, &text, &err));
        gv_bytes_u8(&text, 0);
        bool ok = assemble((const char *)text.data, &payload, &again, &err);
        CHECK_ROW(name, ok);
        CHECK_ROW(name, same(bytes, &again));
        ok = ok && gv_payload_open_memory(&second, again.data, again.size, 0, &err);
        if (ok) {
            CHECK_ROW(name, gv_text_disassemble(&second, &text_again, &err));
            gv_bytes_u8(&text_again, 0);
            CHECK_ROW(name, same(&text, &text_again));
            gv_payload_finish(&second);
        }
        if (gv_test_failures && text.size < 8000 && !same(bytes, &again))
            fprintf(stderr, "%s\n", (const char *)text.data);
        gv_payload_finish(&payload);
    }
    complain(&err);
    gv_bytes_finish(&text);
    gv_bytes_finish(&again);
    gv_bytes_finish(&text_again);
}

static void test_everything(void)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_bytes bytes = { 0 };
    struct gv_payload p;
    bool ok = assemble(everything, NULL, &bytes, &err);
    CHECK(ok);
    complain(&err);
    if (!ok || !gv_payload_open_memory(&p, bytes.data, bytes.size, 0, &err))
        return;
    CHECK(gv_verify(&p, NULL, &err));
    complain(&err);
    CHECK(!p.complete && p.level == 5 && p.frame_count == 1 && p.frames[0].width == 64);
    CHECK(p.pace_count == 2 && gv_payload_pace(&p, 6).rate == 60000);
    CHECK(gv_payload_pace(&p, 7).frame == 7 && gv_payload_pace(&p, 7).width == 0);
    CHECK(p.requirement_count == 4 && p.requirements[1].value == 16384);
    CHECK(p.requirements[1].strength == GV_PREFERRED);
    CHECK(p.requirements[2].strength == GV_ALTERNATIVE);
    CHECK(strcmp(p.requirements[2].fallback, "quads") == 0);
    CHECK(p.resource_count == 4 && p.resources[2].size == 280000);
    CHECK(p.export_count == 2 && p.diagnostic_count == 2);
    CHECK(p.diagnostics[0].command == 3 && p.diagnostics[1].severity == GV_UNSUPPORTED);
    CHECK(gv_payload_source(&p, 1, NULL) == 132 && p.command_count == 12);
    CHECK(memcmp(p.constants + 8, "\0\0\x80\x3f\0\0\xc0\x3f\0\0\0\x80", 12) == 0);
    static const char mixed[] = "\1\2\377\377\377\0\0\200\77\0\377\253\315a\0b\0\0\0"
                                "\7\0-\7\0-";
    CHECK(memcmp(p.constants + 24, mixed, sizeof mixed - 1) == 0);
    CHECK(p.limits.volatile_bytes >= 280008 && p.limits.instructions >= 6000);
    gv_payload_finish(&p);
    check_round_trip("everything", &bytes);
    gv_bytes_finish(&bytes);
}

// How much volatile memory there is, where no text states it: what instructions touch.
static void test_memory(void)
{
    static const struct {
        const char *name, *text;
        uint64_t bytes; // rounded up to 64
    } rows[] = {
        { "load", "volatile 120 ; load8 ; drop", 128 },
        { "copy", "volatile 1056 ; const m ; copy 64", 1152 },
        { "copy_within", "volatile 1056 ; volatile 0 ; copy 64", 1152 },
        { "product", "volatile 544 ; const m ; const m ; product 1", 640 },
        { "product_of_places", "volatile 0 ; volatile 512 ; volatile 1024 ; product 3",
          1216 },
        { "inverse", "volatile 544 ; const m ; inverse 3", 640 },
        { "inverse_of_place", "volatile 0 ; volatile 1056 ; inverse 1", 1152 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[256];
        struct gv_bytes bytes = { 0 };
        struct gv_payload p;
        struct gv_error err = GV_ERROR_INIT;
        snprintf(text, sizeof text, ".const m zero 64\n%s\nframe_end()\n",
                 rows[i].text);
        const bool ok = gv_text_assemble(text, strlen(text), NULL, &bytes, &err);
        CHECK_ROW(rows[i].name, ok);
        complain(&err);
        if (ok && gv_payload_open_memory(&p, bytes.data, bytes.size, 0, &err)) {
            CHECK_ROW(rows[i].name, p.limits.volatile_bytes == rows[i].bytes);
            gv_payload_finish(&p);
        }
        gv_bytes_finish(&bytes);
    }
}

// A keyframe behind a program, in exact text.
static void test_keyframe(void)
{
    static const char program[] = "b = buffer_create(8, STORAGE)\nframe_end()\n"
                                  "frame_end()\nframe_end()\n";
    static const char keyframe[] =
        ".flush\n.keyframe frame=1 stack=2 exact device \"d \\\"1\\\"\" driver \"x\"\n"
        "s0 = buffer_create(8, STORAGE)\nend\n"
        ".flush\n.keyframe frame=2 stack=1 device \"\" driver \"x\"\n"
        "push 1\nskip_zero l\npush 2\ndrop\nl:\nend\n";
    struct gv_error err = GV_ERROR_INIT;
    struct gv_bytes plain = { 0 }, text = { 0 }, bytes = { 0 };
    struct gv_payload p;
    CHECK(assemble(program, NULL, &plain, &err));
    CHECK(gv_payload_open_memory(&p, plain.data, plain.size, 0, &err));
    CHECK(gv_text_disassemble(&p, &text, &err));
    gv_bytes_put(&text, keyframe, sizeof keyframe);
    gv_payload_finish(&p);
    bool ok = assemble((const char *)text.data, NULL, &bytes, &err);
    CHECK(ok);
    complain(&err);
    ok = ok && gv_payload_open_memory(&p, bytes.data, bytes.size, 0, &err);
    if (ok) {
        CHECK(p.keyframe_count == 2 && p.keyframes[1].frame == 2);
        CHECK(strcmp(p.keyframes[0].device, "d \"1\"") == 0 && p.keyframes[0].exact);
        CHECK(p.keyframes[1].size == 6 && p.chunk_count == 3);
        gv_payload_finish(&p);
        check_round_trip("keyframe", &bytes);
    }
    gv_bytes_finish(&plain);
    gv_bytes_finish(&text);
    gv_bytes_finish(&bytes);
}

// What the assembler made of short programs: their code, byte by byte.
static const struct {
    const char *name, *text;
    const char *code; // of the first chunk
    size_t size;
} encodings[] = {
    { "end_is_added", "push 5\ndrop\n", "\x85\x1e\x01", 3 },
    { "end_is_kept", "push 127; drop; end\n", "\xff\x1e\x01", 3 },
    { "push_long", "push 128; drop; push -1; drop", "\x04\x80\x01\x1e\x04\x7f\x1e\x01",
      8 },
    { "float", "push_f32 1.0; drop", "\x05\0\0\x80\x3f\x1e\x01", 7 },
    { "float_zero", "push_f32 0; drop", "\x05\0\0\0\0\x1e\x01", 7 },
    { "command", "command 3; push 1; drop; command; push 1; drop; command 8",
      "\x81\x1e\x03\x81\x1e\x02\x04\x01", 8 },
    { "call", "draw(1, 2, 3, 200)", "\x81\x82\x83\x04\xc8\x01\x40\x01", 8 },
    { "call_defaults", "draw(3)", "\x83\x81\x80\x80\x40\x01", 6 },
    { "call_names", "draw(first_vertex=7, vertex_count=3)", "\x83\x81\x87\x80\x40\x01",
      6 },
    { "negative", "draw_indexed(3, 1, 0, -5, 0)", "\x83\x81\x80\x04\x7b\x80\x40\x01",
      8 },
    { "f32_argument", "set_line_width(0.0); set_line_width(2)",
      "\x80\x40\x05\0\0\0\x40\x40\x01", 9 },
    { "f32_minus_zero", "set_line_width(-0)", "\x05\0\0\0\x80\x40\x01", 7 },
    { "result", "b = buffer_create(4); buffer_destroy(b)",
      "\x84\x80\x40\x0b\0\x0a\0\x41\x01", 9 },
    { "resource",
      ".resource a u8 1\n.resource b u8 2\n"
      "x = shader_create(b); x = shader_create(a); x = shader_create(b)",
      "\x09\x81\x40\x0b\0\x08\0\x81\x40\x0b\0\x09\x81\x40\x0b\0\x01", 17 },
    { "skip", "push 1; skip_zero l; push 128; drop; l: push 2; drop",
      "\x81\x22\x04\x04\x80\x01\x1e\x82\x1e\x01", 10 },
    { "skip_empty", "push 1; skip_zero l; l: push 2; drop", "\x81\x22\0\x82\x1e\x01",
      6 },
    { "skip_nested",
      "push 1; skip_zero l; push 1; skip_zero k; k: push 2; drop; l: push 2; drop",
      "\x81\x22\x05\x81\x22\0\x82\x1e\x82\x1e\x01", 11 },
};

static void test_encodings(void)
{
    for (size_t i = 0; i < sizeof encodings / sizeof encodings[0]; i++) {
        struct gv_error err = GV_ERROR_INIT;
        struct gv_bytes bytes = { 0 };
        struct gv_payload p;
        const char *name = encodings[i].name;
        bool ok = assemble(encodings[i].text, NULL, &bytes, &err);
        CHECK_ROW(name, ok);
        complain(&err);
        if (!ok || !gv_payload_open_memory(&p, bytes.data, bytes.size, 0, &err))
            continue;
        const uint8_t *code = gv_payload_chunk(&p, 0, &err);
        CHECK_ROW(name, code && p.chunks[0].size == encodings[i].size);
        CHECK_ROW(name, code && p.chunks[0].size == encodings[i].size &&
                            memcmp(code, encodings[i].code, encodings[i].size) == 0);
        gv_payload_finish(&p);
        check_round_trip(name, &bytes);
        gv_bytes_finish(&bytes);
    }
}

// ---- errors ----

static const struct {
    const char *name, *text, *message;
} errors[] = {
    { "no_call", "\n\nfrobnicate(1)\n", "line 3: no call \"frobnicate\"" },
    { "no_instruction", "push 1\npsh 2", "line 2: \"psh\" is no call" },
    { "no_directive", ".frob", "line 1: unknown directive \".frob\"" },
    { "no_argument", "draw(3, first_vertx=1)", "draw: no argument \"first_vertx\"" },
    { "too_many", "draw(1, 2, 3, 4, 5)", "draw: takes 4 arguments" },
    { "twice", "draw(1, vertex_count=2)", "\"vertex_count\" stands twice" },
    { "position_behind_name", "draw(vertex_count=2, 1)", "a value behind names" },
    { "missing_handle", "bind_pipeline()", "bind_pipeline: \"pipeline\" is missing" },
    { "missing_format", "x = image_create(2D)", "\"format\" is missing" },
    { "missing_size", "x = shader_create(const+4)", "\"size\" is missing" },
    { "no_slot", "bind_pipeline(p)", "no slot \"p\"" },
    { "no_slot_number", "bind_pipeline(s0)", "no slot \"s0\"" },
    { "no_enum", "x = buffer_create(4, VRTEX)", "\"VRTEX\" is no BUFFER_USAGE" },
    { "no_format", "x = image_create(2D, RGBA)", "\"RGBA\" is no format" },
    { "no_result", "x = draw(3)", "draw has no result" },
    { "wrong_kind", "image x = buffer_create(4)", "does not make a image" },
    { "no_bytes", "x = shader_create(vs)", "no constant, resource or memory \"vs\"" },
    { "defined_twice", ".const a u8 1\n.const a u8 1",
      "line 2: \"a\" is defined twice" },
    { "number_name", ".const 12 u8 1", "cannot be a name" },
    { "empty_resource", ".resource a", "the resource \"a\" is empty" },
    { "no_file", ".resource a file \"/nonexistent/x.spv\"", "cannot open" },
    { "no_type", ".const a f64 1", "\"f64\" is no data type" },
    { "does_not_fit", ".const a u8 256", "does not fit 8 bits" },
    { "negative_fits", ".const a i8 -129", "does not fit 8 bits" },
    { "much_data", ".const a repeat 4000000000 ( u64 1 )", "too much data" },
    { "much_zero", ".const a zero 99999999999", "too much data" },
    { "open_string", ".provenance \"abc\n", "does not end on its line" },
    { "escape", ".provenance \"\\q\"", "unknown escape" },
    { "character", "push $5", "unexpected character 0x24" },
    { "rest", "push 1 2", "unexpected \"2\"" },
    { "field", ".graphics p { frob = 1 }", "no field \"frob\"" },
    { "field_value", ".graphics p { topology = ROUND }", "\"ROUND\" is no TOPOLOGY" },
    { "description", ".graphics p { samples = 3\ncolor 0 R8_UNORM }", "line 1: p: " },
    { "range_access", ".ranges r { reads 3 0 }",
      "expected read, write, overwrite or unused" },
    { "range_whole", ".ranges r { overwrite 3 0 }", "a range is malformed" },
    { "open_block", ".graphics p { samples = 1\n", "expected a field" },
    { "target", ".graphics p { color 8 R8_UNORM }", "targets are numbered below 8" },
    { "label", "push 1\nskip_zero far\n", "no label \"far\" in this chunk" },
    { "label_back", "l: push 1; skip_zero l", "label \"l\" is not ahead" },
    { "label_twice", "l: push 1\nl: drop", "line 2: label \"l\" stands twice" },
    { "command_back", "command 5\npush 1; drop; command 5",
      "line 2: command numbers ascend" },
    { "exact_code", ".payload exact\npush 1", "line 2: exact text has code behind" },
    { "exact_const", ".payload exact\n.const a u8 1", "exact text has .constants" },
    { "exact_default", ".payload exact\n.chunk command=0 resource=0\ndraw(3)",
      "draw: \"instance_count\" is missing" },
    { "hand_chunk", ".chunk command=0 resource=0", ".chunk belongs to exact text" },
    { "hand_keyframe", ".keyframe frame=1 stack=0 device \"a\" driver \"b\"",
      ".keyframe belongs to exact text" },
    { "keyframe_words", ".payload exact\n.keyframe frame=1 device \"a\"",
      "expected frame=N stack=N" },
    { "keyframe_stack",
      ".payload exact\n.keyframe frame=1 stack=4097 device \"a\" driver \"b\"",
      "no such stack" },
    { "late_payload", ".value a 1\n.payload exact", ".payload must be the first" },
    { "level", ".payload level=20", "the level is not in 1..19" },
    { "group_bytes", ".payload exact\n.group 00112233445566778899aabbccddeeff 4",
      "line 2: the bytes of group 00112233445566778899aabbccddeeff are not at hand" },
    { "group_id", ".payload exact\n.group 0011 4", "\"0011\" is no content id" },
    { "signature", ".import draw 0x1", "draw has another signature here" },
    { "limit", ".limits speed=4", "\"speed\" is no limit" },
    { "limit_wide", ".limits stack=4294967296", "does not fit 32 bits" },
};

static void test_errors(void)
{
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        struct gv_error err = GV_ERROR_INIT;
        struct gv_bytes bytes = { 0 };
        CHECK_ROW(errors[i].name, !assemble(errors[i].text, NULL, &bytes, &err));
        CHECK_ROW(errors[i].name, err.status == GV_ERR_FORMAT);
        bool named = strstr(err.message, errors[i].message) != NULL;
        CHECK_ROW(errors[i].name, named);
        if (!named)
            complain(&err);
        CHECK_ROW(errors[i].name, strncmp(err.message, "line ", 5) == 0);
        CHECK_ROW(errors[i].name, err.offset <= strlen(errors[i].text));
        CHECK_ROW(errors[i].name, bytes.size == 0);
        gv_bytes_finish(&bytes);
    }
}

// Nothing worse than an error comes of text that stops anywhere or has a byte changed.
static void test_broken_text(void)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_bytes bytes = { 0 };
    char *copy = malloc(sizeof everything);
    for (size_t size = 0; size < sizeof everything - 1; size += 7) {
        memcpy(copy, everything, size);
        gv_error_clear(&err);
        bool ok = gv_text_assemble(copy, size, NULL, &bytes, &err);
        CHECK(ok == (err.status == GV_OK));
        bytes.size = 0;
    }
    uint32_t seed = 1;
    for (int i = 0; i < 300; i++) {
        memcpy(copy, everything, sizeof everything);
        for (int k = 0; k < 3; k++) {
            seed = seed * 1664525u + 1013904223u;
            copy[(seed >> 8) % (sizeof everything - 1)] = (char)(seed >> 3);
        }
        gv_error_clear(&err);
        bool ok = gv_text_assemble(copy, sizeof everything - 1, NULL, &bytes, &err);
        CHECK(ok == (err.status == GV_OK));
        bytes.size = 0;
    }
    free(copy);
    gv_bytes_finish(&bytes);
}

// ---- payloads from the writer ----

// Several batches, groups cut by size, by large resources and by flushes.
static void write_batches(struct gv_payload_writer *w, struct gv_error *err)
{
    static uint8_t large[300000], small[1000];
    uint32_t resource = 0;
    static const uint8_t code[] = { GV_OP_CMD_NEXT, GV_OP_PUSH_0 + 5, GV_OP_DROP,
                                    GV_OP_END };
    for (uint32_t batch = 0; batch < 4; batch++) {
        gv_writer_slot(w, (struct gv_slot_info){ GV_KIND_IMAGE, 0 });
        gv_writer_limits(
            w, &(struct gv_limits){ .volatile_bytes = (uint64_t)64 * (batch / 2) });
        gv_writer_constant(w, "0123456789", 10, 4);
        for (uint32_t i = 0; i < 1200; i++) {
            memset(small, (int)(i * batch), sizeof small);
            resource = gv_writer_resource(w, small, 1 + i % 999);
            gv_writer_use(w, i % 3 ? resource : resource / 2);
            if (i == 600) {
                memset(large, (int)batch, sizeof large);
                gv_writer_resource(w, large, sizeof large);
            }
        }
        gv_writer_chunk(w, code, sizeof code, batch, resource);
        gv_writer_source(
            w, &(struct gv_source_row){
                   batch, (uint64_t)batch * 1000, batch ? "draw" : "init", batch ^ 1,
                   batch ? GV_COMMAND_DRAW | GV_COMMAND_FRAME : GV_COMMAND_TARGET });
        gv_writer_frame(
            w, &(struct gv_frame){ batch, batch + 1, batch, batch + 1, 8, 8, batch });
        CHECK(gv_writer_flush(w, batch != 2, err));
    }
    gv_writer_joined(w);
    CHECK(gv_writer_close(w, false, err));
    complain(err);
}

static void make_batches(struct gv_store *store, int level, bool strip,
                         struct gv_bytes *out)
{
    struct gv_error err = GV_ERROR_INIT;
    const struct gv_writer_params params = { .write = gv_test_append,
                                             .context = out,
                                             .level = level,
                                             .jobs = 2,
                                             .strip = strip,
                                             .store = store };
    struct gv_payload_writer *w = gv_payload_writer_create(&params, &err);
    write_batches(w, &err);
    gv_payload_writer_destroy(w);
}

static void test_batches(void)
{
    struct gv_bytes bytes = { 0 };
    make_batches(NULL, 3, false, &bytes);
    check_round_trip("batches", &bytes);
    bytes.size = 0;
    make_batches(NULL, 12, false, &bytes);
    check_round_trip("high_level", &bytes);
    bytes.size = 0;
    make_batches(NULL, 3, true, &bytes);
    check_round_trip("stripped", &bytes);
    gv_bytes_finish(&bytes);
}

static void test_thin(void)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_bytes bytes = { 0 };
    char folder[] = "/tmp/gpuvm-test-text-XXXXXX", command[64];
    CHECK(mkdtemp(folder) != NULL);
    struct gv_store *store = gv_store_create(folder, &err);
    make_batches(store, 3, false, &bytes);
    check_round_trip("thin", &bytes);
    gv_store_destroy(store);
    gv_bytes_finish(&bytes);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    CHECK(system(command) == 0);
}

// ---- code of any shape ----

static uint32_t random_below(uint32_t *seed, uint32_t limit)
{
    return gv_test_random(seed) % limit;
}

// Mostly pushes and calls, some other instructions, now and then a byte of noise.
static void random_code(uint32_t *seed, struct gv_bytes *code)
{
    static const uint8_t with_operand[] = {
        GV_OP_CONST,      GV_OP_VOLATILE, GV_OP_LOAD_SLOT, GV_OP_RES,
        GV_OP_STORE_SLOT, GV_OP_FETCH,    GV_OP_COPY,      GV_OP_LOOP,
        GV_OP_MEETS,      GV_OP_PRODUCT,  GV_OP_INVERSE
    };
    static const uint8_t plain[] = { GV_OP_RES_NEXT, GV_OP_FETCH_NEXT, GV_OP_CMD_NEXT,
                                     GV_OP_LOAD32,   GV_OP_DUP,        GV_OP_LOOP_END };
    for (uint32_t left = 1 + random_below(seed, 60); left; left--) {
        uint32_t pick = random_below(seed, 100);
        if (pick < 45) {
            gv_bytes_u8(code, (uint8_t)(GV_OP_PUSH_0 + random_below(seed, 128)));
        } else if (pick < 60) {
            gv_bytes_u8(code, (uint8_t)(GV_OP_CALL_0 + random_below(seed, 5)));
        } else if (pick < 75) {
            gv_bytes_u8(code, with_operand[random_below(seed, sizeof with_operand)]);
            gv_bytes_uleb(code, random_below(seed, 3));
        } else if (pick < 85) {
            gv_bytes_u8(code, plain[random_below(seed, 6)]);
        } else if (pick < 92) {
            gv_bytes_u8(code, pick < 88 ? GV_OP_ADD_IMM : GV_OP_PUSH);
            gv_bytes_sleb(code, (int64_t)random_below(seed, 1 << 20) - (1 << 19));
        } else if (pick < 98) {
            gv_bytes_u8(code, GV_OP_PUSH_F32);
            gv_bytes_u32(code, random_below(seed, 1 << 24) << random_below(seed, 9));
        } else {
            gv_bytes_u8(code, (uint8_t)random_below(seed, 256));
        }
    }
}

static void make_random(uint32_t *seed, struct gv_bytes *out)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_bytes code = { 0 };
    const struct gv_writer_params params = {
        .write = gv_test_append, .context = out, .level = 3, .jobs = 1
    };
    struct gv_payload_writer *w = gv_payload_writer_create(&params, &err);
    gv_writer_import(w, GV_CALL_draw);
    gv_writer_import(w, GV_CALL_buffer_create);
    gv_writer_import(w, GV_CALL_buffer_upload);
    gv_writer_import(w, GV_CALL_bind_pipeline);
    gv_writer_import(w, GV_CALL_set_depth_bias);
    for (int i = 0; i < 3; i++)
        gv_writer_resource(w, "abc", 3);
    random_code(seed, &code);
    gv_writer_chunk(w, code.data, code.size, random_below(seed, 3),
                    random_below(seed, 4));
    gv_writer_commands(w, 1000);
    CHECK(gv_writer_close(w, true, &err));
    gv_payload_writer_destroy(w);
    gv_bytes_finish(&code);
}

// Whatever the code, its text says exactly that or is refused; folded calls stand for
// the instructions they were folded from.
static void test_random_code(void)
{
    uint32_t seed = 5, exact = 0, folded = 0;
    for (int i = 0; i < 3000; i++) {
        struct gv_error err = GV_ERROR_INIT;
        struct gv_bytes bytes = { 0 }, text = { 0 }, again = { 0 };
        struct gv_payload payload;
        make_random(&seed, &bytes);
        CHECK(gv_payload_open_memory(&payload, bytes.data, bytes.size, 0, &err));
        CHECK(gv_text_disassemble(&payload, &text, &err));
        gv_bytes_u8(&text, 0);
        folded += strchr((const char *)text.data, '(') != NULL;
        if (assemble((const char *)text.data, &payload, &again, &err)) {
            exact++;
            CHECK(same(&bytes, &again));
            if (!same(&bytes, &again))
                fprintf(stderr, "%s\n", (const char *)text.data);
        }
        gv_payload_finish(&payload);
        gv_bytes_finish(&bytes);
        gv_bytes_finish(&text);
        gv_bytes_finish(&again);
    }
    CHECK(exact > 2000 && folded > 100);
}

int main(void)
{
    test_random_code();
    test_everything();
    test_memory();
    test_keyframe();
    test_encodings();
    test_errors();
    test_broken_text();
    test_batches();
    test_thin();
    return TEST_RESULT();
}

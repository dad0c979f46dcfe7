// Writes payloads for the fuzzer to start from:  fuzz_seed_payload FOLDER
#include "resources/base/file.h"
#include "tests/test.h"
#include "tests/vm/vm_fixture.h"
#include "vm/text/text.h"
#include "vm/verify/verify.h"

#define FIN C(F_FRAME_END), OP(END)
#define HANDLE OP(LOAD_SLOT), F_SLOT_BUFFER
#define MAPPED OP(LOAD_SLOT), F_SLOT_MAP
#define BUFFER P(64), P(32), C(F_BUFFER_CREATE), OP(STORE_SLOT), F_SLOT_BUFFER

static const uint8_t draw[] = { P(3), P(1), P(0), P(0), C(F_DRAW), OP(CMD_NEXT), FIN };
static const uint8_t upload[] = {
    BUFFER, HANDLE, P(0), OP(RES_NEXT), P(10), C(F_UPLOAD), FIN,
};
static const uint8_t loop[] = {
    OP(LOOP),      5, OP(VOLATILE), 0, OP(LOAD32), OP(ADD_IMM), 2,        OP(DUP),
    OP(SKIP_ZERO), 4, OP(VOLATILE), 8, OP(LOAD8),  OP(DROP),    OP(DROP), OP(LOOP_END),
    FIN,
};
static const uint8_t map[] = {
    BUFFER,     HANDLE,     P(0),      P(64),      C(F_MAP), OP(STORE_SLOT),
    F_SLOT_MAP, MAPPED,     OP(FETCH), 0,          MAPPED,   P(0),
    P(16),      C(F_FLUSH), MAPPED,    C(F_UNMAP), FIN,
};
static const uint8_t sampler[] = {
    OP(CONST), 0, P(F_DESC_SIZE), C(F_SAMPLER), OP(STORE_SLOT), F_SLOT_SAMPLER, FIN,
};

static const struct {
    const char *name;
    struct fixture_chunk chunk;
    size_t uses; // of resource 0
    uint32_t stack;
} seeds[] = {
    { "draw", { draw, sizeof draw, 0, 0, 0 }, 0, 4 },
    { "upload", { upload, sizeof upload, 0, 0, 0 }, 1, 4 },
    { "loop", { loop, sizeof loop, 0, 0, 0 }, 0, 2 },
    { "map", { map, sizeof map, 0, 0, 0 }, 1, 3 },
    { "sampler", { sampler, sizeof sampler, 0, 0, 0 }, 0, 2 },
};

// A program with a keyframe, out of its exact text.
static void write_keyframe(const char *folder)
{
    static const char program[] =
        "b = buffer_create(8, STORAGE)\n.resource r u8 ( 1 2 3 4 5 6 7 8 )\n"
        "buffer_upload(b, 0, r, 8)\nframe_end()\nframe_end()\n"
        "buffer_fill(b, 0, 4, 1)\nframe_end()\n";
    static const char keyframe[] =
        "\n.flush\n.keyframe frame=1 stack=4 device \"d\" driver \"e\"\n"
        "s0 = buffer_create(8, STORAGE)\nbuffer_upload(s0, 0, res 0, 8)\nend\n"
        ".flush\n.keyframe frame=2 stack=2 exact device \"d\" driver \"e\"\n"
        "s0 = buffer_create(8, STORAGE)\nend\n";
    struct gv_error err = GV_ERROR_INIT;
    struct gv_bytes plain = { 0 }, text = { 0 }, out = { 0 };
    struct gv_payload p = { 0 };
    char path[512];
    struct gv_assemble_params params = { .resources = &p };
    snprintf(path, sizeof path, "%s/keyframe.gvp", folder);
    CHECK(gv_text_assemble(program, sizeof program - 1, NULL, &plain, &err) &&
          gv_payload_open_memory(&p, plain.data, plain.size, 0, &err) &&
          gv_text_disassemble(&p, &text, &err));
    // Its instructions are few: more may run behind a keyframe.
    const char *limits = strstr((const char *)text.data, "instructions=");
    CHECK(limits != NULL);
    if (!limits)
        return;
    gv_bytes_put(&out, text.data, (size_t)(limits - (const char *)text.data));
    gv_bytes_printf(&out, "instructions=1%s", limits + strlen("instructions="));
    gv_bytes_put(&out, keyframe, sizeof keyframe - 1);
    struct gv_bytes bytes = { 0 };
    CHECK(gv_text_assemble((const char *)out.data, out.size, &params, &bytes, &err) &&
          gv_file_write(path, bytes.data, bytes.size, &err));
    if (err.status)
        fprintf(stderr, "  %s\n", err.message);
    gv_payload_finish(&p);
    CHECK(gv_payload_open_memory(&p, bytes.data, bytes.size, 0, &err) &&
          gv_verify(&p, NULL, &err) && p.keyframe_count == 2);
    gv_payload_finish(&p);
    gv_bytes_finish(&plain);
    gv_bytes_finish(&text);
    gv_bytes_finish(&out);
    gv_bytes_finish(&bytes);
}

int main(int argc, char **argv)
{
    if (argc != 2 || !gv_make_folders(argv[1], NULL)) {
        fprintf(stderr, "usage: fuzz_seed_payload FOLDER\n");
        return EXIT_FAILURE;
    }
    static const uint32_t uses[] = { 0 };
    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++) {
        struct vm_fixture f;
        struct gv_error err = GV_ERROR_INIT;
        char path[512];
        fixture_open(&f,
                     &(struct fixture_params){ &seeds[i].chunk, 1, 1, uses,
                                               seeds[i].uses, seeds[i].stack, 100, 0 });
        CHECK_ROW(seeds[i].name, gv_verify(&f.payload, NULL, &err));
        if (err.status)
            fprintf(stderr, "  %s\n", err.message);
        snprintf(path, sizeof path, "%s/%s.gvp", argv[1], seeds[i].name);
        CHECK_ROW(path, gv_file_write(path, f.file.data, f.file.size, &err));
        fixture_close(&f);
    }
    write_keyframe(argv[1]);
    return TEST_RESULT();
}

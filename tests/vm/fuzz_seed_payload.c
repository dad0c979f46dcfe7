// Writes payloads for the fuzzer to start from:  fuzz_seed_payload FOLDER
#include "resources/base/file.h"
#include "tests/test.h"
#include "tests/vm/vm_fixture.h"
#include "vm/verify.h"

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
    return TEST_RESULT();
}

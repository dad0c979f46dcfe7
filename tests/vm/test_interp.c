// The interpreter on a host that writes down every call: what programs do, where they
// stop, how they fail. Built twice, once per form of dispatch.
#include "resources/base/bytes.h"
#include "tests/test.h"
#include "tests/vm/record_host.h"
#include "tests/vm/vm_fixture.h"
#include "vm/machine/progress.h"
#include "vm/verify/verify.h"

#define CODE(...)                             \
    .code = (const uint8_t[]){ __VA_ARGS__ }, \
    .size = sizeof((const uint8_t[]){ __VA_ARGS__ })
#define FIN C(F_FRAME_END), OP(END)
#define HANDLE OP(LOAD_SLOT), F_SLOT_BUFFER
#define MAPPED OP(LOAD_SLOT), F_SLOT_MAP
// Makes buffer #1, and opens its map #2.
#define BUFFER P(64), P(32), C(F_BUFFER_CREATE), OP(STORE_SLOT), F_SLOT_BUFFER
#define MAP BUFFER, HANDLE, P(0), P(64), C(F_MAP), OP(STORE_SLOT), F_SLOT_MAP
// Loads a 32-bit word of volatile memory and shows it as the count of a draw.
#define SHOW(at) OP(VOLATILE), (at), OP(LOAD32), P(0), P(0), P(0), C(F_DRAW)
// Two matrices at 0 and 64: twice as large, moved by 3; moved by 1.
#define WORD(at, sign_and_exponent, fraction) \
    OP(PUSH_F32), 0, 0, (fraction), (sign_and_exponent), OP(VOLATILE), (at), OP(STORE32)
#define MATRICES                                                                  \
    WORD(0, 0x40, 0), WORD(20, 0x40, 0), WORD(40, 0x40, 0), WORD(48, 0x40, 0x40), \
        WORD(60, 0x3f, 0x80), WORD(64, 0x3f, 0x80), WORD(84, 0x3f, 0x80),         \
        WORD(104, 0x3f, 0x80), WORD(112, 0x3f, 0x80), WORD(124, 0x3f, 0x80)
#define DREW(n) \
    "draw vertex_count=" #n " instance_count=0 first_vertex=0 first_instance=0\n"
#define BUFFER_TEXT "buffer_create size=64 usage=32 -> #1\n"
#define MAP_TEXT BUFFER_TEXT "buffer_map buffer=#1 offset=0 size=64 -> #2\n"

struct row {
    const char *name;
    const uint8_t *code;
    size_t size;
    uint32_t stack;
    const char *uses;      // of resources, as digits
    uint64_t instructions; // executed, END included
    const char *text;      // after "command 5\n" and before "frame_end\n"; or the error
};

static const struct row rows[] = {
    { "nothing", CODE(FIN), F_NO_STACK, "", 2, "" },
    { "literals", CODE(P(3), P(1), P(0), P(7), C(F_DRAW), FIN), 4, "", 7,
      "draw vertex_count=3 instance_count=1 first_vertex=0 first_instance=7\n" },
    { "slot", CODE(BUFFER, HANDLE, P(4), OP(CONST), 31, P(5), C(F_UPLOAD), FIN), 4, "",
      11,
      BUFFER_TEXT "buffer_upload buffer=#1 offset=4 data=[5]:1f2021222"
                  "3 size=5\n" },
    { "resource",
      CODE(BUFFER, HANDLE, P(0), OP(RES), 1, OP(ADD_IMM), 3, P(4), C(F_UPLOAD), FIN), 4,
      "1", 12,
      BUFFER_TEXT "buffer_upload buffer=#1 offset=0 data=[4]:6768696a size=4\n" },
    { "next resources",
      CODE(BUFFER, HANDLE, P(0), OP(RES_NEXT), P(2), C(F_UPLOAD), HANDLE, P(0),
           OP(RES_NEXT), P(2), C(F_UPLOAD), FIN),
      4, "01", 16,
      BUFFER_TEXT "buffer_upload buffer=#1 offset=0 data=[2]:0001 size=2\n"
                  "buffer_upload buffer=#1 offset=0 data=[2]:6465 size=2\n" },
    { "fetch and load", CODE(OP(VOLATILE), 8, OP(FETCH), 0, SHOW(12), FIN), 4, "0", 10,
      DREW(117835012) },
    { "load widths",
      CODE(OP(RES_NEXT), OP(LOAD8), OP(RES), 0, OP(ADD_IMM), 1, OP(LOAD16), OP(RES), 0,
           OP(ADD_IMM), 4, OP(LOAD32), P(0), C(F_DRAW), FIN),
      4, "000", 12,
      "draw vertex_count=0 instance_count=513 first_vertex=117835012 "
      "first_instance=0\n" },
    { "load 64",
      CODE(BUFFER, HANDLE, OP(RES_NEXT), OP(LOAD64), OP(CONST), 0, P(0), C(F_UPLOAD),
           FIN),
      4, "0", 12,
      BUFFER_TEXT
      "buffer_upload buffer=#1 offset=506097522914230528 data=[0] size=0\n" },
    { "store widths",
      CODE(OP(PUSH), 0x7f, OP(VOLATILE), 0, OP(STORE64), P(0), OP(VOLATILE), 0,
           OP(STORE16), P(1), OP(VOLATILE), 3, OP(STORE8), SHOW(0), P(9), OP(VOLATILE),
           0, OP(STORE32), SHOW(0), SHOW(4), FIN),
      4, "", 32, DREW(33488896) DREW(9) DREW(4294967295) },
    { "copy",
      CODE(OP(VOLATILE), 64, OP(FETCH), 1, OP(VOLATILE), 64, OP(VOLATILE), 65, OP(COPY),
           8, SHOW(64), FIN),
      4, "1", 13, DREW(1751606885) },
    { "product of none", // a copy
      CODE(MATRICES, OP(VOLATILE), 64, OP(VOLATILE), 0, OP(CONST), 64, OP(PRODUCT), 0,
           SHOW(112), FIN),
      4, "", 42, DREW(1077936128) }, // 3
    { "product over its factors",    // 2 (2 (x + 1) + 3) + 3
      CODE(MATRICES, OP(VOLATILE), 0, OP(VOLATILE), 0, OP(VOLATILE), 0, OP(PRODUCT), 2,
           SHOW(0), SHOW(48), FIN),
      4, "", 48, DREW(1082130432) DREW(1095761920) }, // 4, 13
    { "columns of an inverse",
      CODE(MATRICES, OP(VOLATILE), 64, OP(VOLATILE), 0, OP(INVERSE), 3, SHOW(64),
           SHOW(112), OP(VOLATILE), 0, OP(VOLATILE), 0, OP(INVERSE), 4, SHOW(48), FIN),
      4, "", 56, DREW(1056964608) DREW(1065353216) DREW(3217031168) }, // .5, 1, -1.5
    { "arithmetic",
      CODE(P(7), P(5), OP(SUB), P(3), OP(MUL), P(1), OP(ADD), P(6), P(3), OP(AND), P(1),
           P(2), OP(LESS), P(2), P(1), OP(LESS), C(F_DRAW), FIN),
      5, "", 19,
      "draw vertex_count=7 instance_count=2 first_vertex=1 first_instance=0\n" },
    { "dup and drop",
      CODE(P(2), OP(DUP), P(9), OP(DROP), OP(DUP), OP(DUP), C(F_DRAW), FIN), 4, "", 9,
      "draw vertex_count=2 instance_count=2 first_vertex=2 first_instance=2\n" },
    { "loop",
      CODE(OP(LOOP), 5, OP(VOLATILE), 0, OP(LOAD32), OP(ADD_IMM), 2, OP(VOLATILE), 0,
           OP(STORE32), OP(LOOP_END), SHOW(0), FIN),
      4, "", 39, DREW(10) },
    { "nested loops",
      CODE(OP(LOOP), 3, OP(LOOP), 4, OP(VOLATILE), 0, OP(LOAD32), OP(ADD_IMM), 1,
           OP(VOLATILE), 0, OP(STORE32), OP(LOOP_END), OP(LOOP_END), SHOW(0), FIN),
      4, "", 87, DREW(12) },
    { "calls in a loop",
      CODE(BUFFER, OP(LOOP), 2, HANDLE, P(0), OP(CONST), 31, P(1), C(F_UPLOAD),
           OP(LOOP_END), FIN),
      4, "", 19,
      BUFFER_TEXT "buffer_upload buffer=#1 offset=0 data=[1]:1f size=1\n"
                  "buffer_upload buffer=#1 offset=0 data=[1]:1f size=1\n" },
    { "skip taken",
      CODE(P(0), OP(SKIP_ZERO), 5, P(1), P(0), P(0), P(0), C(F_DRAW), FIN), 4, "", 4,
      "" },
    { "skip not taken",
      CODE(P(1), OP(SKIP_ZERO), 5, P(1), P(0), P(0), P(0), C(F_DRAW), FIN), 4, "", 9,
      DREW(1) },
    { "met and missed", // the recording host meets requirement 1 alone
      CODE(OP(MEETS), 0, OP(ADD_IMM), 7, OP(MEETS), 1, OP(MEETS), 2, OP(MEETS), 1,
           C(F_DRAW), FIN),
      4, "", 8,
      "draw vertex_count=7 instance_count=1 first_vertex=0 first_instance=1\n" },
    { "one way of two",
      CODE(OP(MEETS), 1, OP(SKIP_ZERO), 5, P(1), P(0), P(0), P(0), C(F_DRAW), OP(MEETS),
           1, P(1), OP(LESS), OP(SKIP_ZERO), 5, P(2), P(0), P(0), P(0), C(F_DRAW), FIN),
      4, "", 13, DREW(1) },
    { "the other way of two",
      CODE(OP(MEETS), 2, OP(SKIP_ZERO), 5, P(1), P(0), P(0), P(0), C(F_DRAW), OP(MEETS),
           2, P(1), OP(LESS), OP(SKIP_ZERO), 5, P(2), P(0), P(0), P(0), C(F_DRAW), FIN),
      4, "", 13, DREW(2) },
    { "argument pushed before a skip",
      CODE(P(4), P(0), OP(SKIP_ZERO), 2, P(1), OP(DROP), P(0), P(0), P(0), C(F_DRAW),
           FIN),
      4, "", 9, DREW(4) },
    { "map",
      CODE(MAP, MAPPED, OP(FETCH), 0, HANDLE, P(0), MAPPED, OP(ADD_IMM), 4, P(3),
           C(F_UPLOAD), MAPPED, P(0), P(16), C(F_FLUSH), MAPPED, C(F_UNMAP), FIN),
      4, "0", 25,
      MAP_TEXT "buffer_upload buffer=#1 offset=0 data=[3]:040506 size=3\n"
               "map_flush map=#2 offset=0 size=16\nbuffer_unmap map=#2\n" },
    { "map handle from the stack",
      CODE(MAP, MAPPED, OP(VOLATILE), 0, OP(LOAD8), P(4), C(F_FLUSH), FIN), 3, "", 16,
      MAP_TEXT "map_flush map=#2 offset=0 size=4\n" },
    { "bytes from the stack",
      CODE(BUFFER, HANDLE, OP(VOLATILE), 0, OP(LOAD8), OP(RES_NEXT), P(2), C(F_UPLOAD),
           FIN),
      4, "0", 12,
      BUFFER_TEXT "buffer_upload buffer=#1 offset=0 data=[2]:0001 size=2\n" },
    { "store to a map",
      CODE(MAP, P(77), MAPPED, OP(ADD_IMM), 60, OP(STORE32), MAPPED, OP(ADD_IMM), 60,
           OP(LOAD8), P(0), P(0), P(0), C(F_DRAW), FIN),
      4, "", 22, MAP_TEXT DREW(77) },
    { "commands", CODE(P(0), OP(DROP), OP(CMD_NEXT), OP(CMD), 3, FIN), 1, "", 6,
      "command 6\ncommand 9\n" },
    // Errors: of the run, not of the code.
    { "closed map", CODE(MAPPED, OP(FETCH), 0, FIN), 1, "0", 0,
      "map-live: slot 1 holds no open map of 64 bytes at 2" },
    { "computed number too large",
      CODE(OP(VOLATILE), 0, OP(FETCH), 0, OP(VOLATILE), 0, OP(LOAD64), P(0), P(0), P(0),
           C(F_DRAW), FIN),
      4, "0", 0,
      "argument-range: draw.vertex_count: 506097522914230528 does not fit at 10" },
};

static bool is_error(const struct row *row)
{
    return row->instructions == 0;
}

static void open_row(struct vm_fixture *f, const struct row *row)
{
    uint32_t uses[8];
    size_t count = strlen(row->uses);
    for (size_t i = 0; i < count; i++)
        uses[i] = (uint32_t)(row->uses[i] - '0');
    struct fixture_chunk chunk = { row->code, row->size, 5, 0, 0 };
    fixture_open(
        f, &(struct fixture_params){ &chunk, 1, 1, uses, count, row->stack, 0, 0 });
    struct gv_error err = GV_ERROR_INIT;
    CHECK_ROW(row->name, gv_verify(&f->payload, NULL, &err));
    if (err.status)
        fprintf(stderr, "  %s at %d\n", err.message, (int)err.offset);
}

static void check_text(const char *name, const char *expected, const char *actual)
{
    bool same = strcmp(expected, actual) == 0;
    CHECK_ROW(name, same);
    if (!same)
        fprintf(stderr, "expected:\n%sgot:\n%s", expected, actual);
}

static void run_good(const struct row *row, struct gv_vm *vm, struct record_host *host)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_vm_stats stats;
    enum gv_stop stop = GV_STOP_END;
    char expected[1024];
    snprintf(expected, sizeof expected, "command 5\n%sframe_end\n", row->text);
    // The second after a restart, those behind it of code that was kept.
    for (unsigned pass = 0; pass < 4; pass++) {
        host->text.size = 0;
        host->handles = 0;
        CHECK_ROW(row->name, gv_vm_run(vm, &stop, &err) && stop == GV_STOP_FRAME);
        CHECK_ROW(row->name, gv_vm_frame(vm) == 0);
        CHECK_ROW(row->name, gv_vm_run(vm, &stop, &err) && stop == GV_STOP_END);
        CHECK_ROW(row->name, gv_vm_run(vm, &stop, &err) && stop == GV_STOP_END);
        check_text(row->name, expected, record_host_text(host));
        gv_vm_get_stats(vm, &stats);
        CHECK_ROW(row->name, stats.instructions == row->instructions * (pass + 1));
        if (stats.instructions != row->instructions * (pass + 1))
            fprintf(stderr, "  %d instructions\n", (int)stats.instructions);
        if (err.status)
            fprintf(stderr, "  %s\n", err.message);
        gv_vm_restart(vm);
    }
}

static void run_bad(const struct row *row, struct gv_vm *vm)
{
    struct gv_error err = GV_ERROR_INIT;
    enum gv_stop stop;
    char actual[256];
    CHECK_ROW(row->name, !gv_vm_run(vm, &stop, &err));
    snprintf(actual, sizeof actual, "%s at %d", err.message, (int)err.offset);
    check_text(row->name, row->text, actual);
    CHECK_ROW(row->name, err.command == 5);
    gv_error_clear(&err);
    CHECK_ROW(row->name, !gv_vm_run(vm, &stop, &err) && err.status == GV_ERR_USAGE);
}

static struct gv_vm *create(struct vm_fixture *f, const struct gv_host *host)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_vm *vm = gv_vm_create(
        &(struct gv_vm_params){ .payload = &f->payload, .host = host }, &err);
    if (!vm) {
        fprintf(stderr, "create: %s\n", err.message);
        exit(EXIT_FAILURE);
    }
    return vm;
}

static void programs(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct vm_fixture f;
        struct record_host host;
        open_row(&f, &rows[i]);
        record_host_init(&host, true);
        host.met = 1u << 1;
        struct gv_vm *vm = create(&f, &host.host);
        if (is_error(&rows[i]))
            run_bad(&rows[i], vm);
        else
            run_good(&rows[i], vm, &host);
        gv_vm_destroy(vm);
        record_host_finish(&host);
        fixture_close(&f);
    }
}

static void refusals(void)
{
    const struct row row = { "refused", CODE(P(3), P(1), P(0), P(7), C(F_DRAW), FIN),
                             4,         "",
                             0,         "refused by the test at 4" };
    struct vm_fixture f;
    struct record_host host;
    struct gv_error err = GV_ERROR_INIT;
    open_row(&f, &row);
    record_host_init(&host, true);
    host.refuse = GV_CALL_draw;
    struct gv_vm *vm = create(&f, &host.host);
    run_bad(&row, vm);
    gv_vm_destroy(vm);

    struct gv_vm_params params = { .payload = &f.payload, .host = &host.host };
    host.host.calls[GV_CALL_sampler_create] = NULL;
    CHECK(!gv_vm_create(&params, &err));
    CHECK(err.status == GV_ERR_UNSUPPORTED &&
          !strcmp(err.message, "unsupported: sampler_create"));
    record_host_finish(&host);

    null_host_init(&host.host); // has no maps
    gv_error_clear(&err);
    CHECK(!gv_vm_create(&params, &err));
    CHECK(!strcmp(err.message, "unsupported: map_memory"));

    record_host_init(&host, false);
    params.memory_limit = 100; // volatile memory alone is 128 bytes
    gv_error_clear(&err);
    CHECK(!gv_vm_create(&params, &err) && err.status == GV_ERR_LIMIT);
    record_host_finish(&host);
    fixture_close(&f);
}

// ---- frames, stops, tail ----

static const uint8_t frame_code[] = { P(1),         OP(DROP), OP(CMD_NEXT),
                                      OP(RES_NEXT), OP(DROP), FIN };
static const uint8_t tail_code[] = { OP(CMD), 3, OP(END) };
static const struct fixture_chunk chunks[] = {
    { frame_code, sizeof frame_code, 5, 0, 0 },
    { frame_code, sizeof frame_code, 6, 1, 1 },
    { tail_code, sizeof tail_code, 12, 0, 2 },
};
static const uint32_t uses[] = { 0, 1 };

static void run_to(struct gv_vm *vm, enum gv_stop stop, uint32_t frame,
                   uint64_t command)
{
    struct gv_error err = GV_ERROR_INIT;
    enum gv_stop got;
    CHECK(gv_vm_run(vm, &got, &err));
    CHECK(got == stop);
    CHECK(gv_vm_frame(vm) == frame);
    CHECK(gv_vm_command(vm) == command);
}

static void stops(void)
{
    static const uint64_t wanted[] = { 5, 6, 8, 15 };
    struct vm_fixture f;
    struct record_host host;
    fixture_open(&f, &(struct fixture_params){ chunks, 3, 2, uses, 2, 1, 16, 0 });
    CHECK(gv_verify(&f.payload, NULL, NULL));
    record_host_init(&host, true);
    struct gv_progress *progress = gv_progress_create("test_interp.progress", NULL);
    struct gv_vm *vm = gv_vm_create(
        &(struct gv_vm_params){
            .payload = &f.payload,
            .host = &host.host,
            .progress = progress,
            .stop_commands = wanted,
            .stop_command_count = 4,
        },
        NULL);
    CHECK(vm);
    for (int pass = 0; pass < 3 && vm; pass++) {
        run_to(vm, GV_STOP_COMMAND, 0, 5);
        run_to(vm, GV_STOP_FRAME, 0, 6);
        run_to(vm, GV_STOP_COMMAND, 1, 6); // command 6 reaches into frame 1
        run_to(vm, GV_STOP_FRAME, 1, 7);
        run_to(vm, GV_STOP_COMMAND, 2, 7); // command 8 does not exist
        run_to(vm, GV_STOP_COMMAND, 2, 15);
        run_to(vm, GV_STOP_END, 2, 15);
        run_to(vm, GV_STOP_END, 2, 15);
        gv_vm_restart(vm);
    }
    struct gv_progress_state state;
    CHECK(gv_progress_read("test_interp.progress", &state, NULL));
    CHECK(state.recorded_frame == 2 && state.recorded_command == 15);
    struct gv_vm_stats stats;
    gv_vm_get_stats(vm, &stats);
    CHECK(stats.commands == 3 * 4 && stats.calls == 3 * 2);
    remove("test_interp.progress");
    gv_progress_destroy(progress);
    gv_vm_destroy(vm);
    record_host_finish(&host);
    fixture_close(&f);
}

// A jump of code that was kept stays in it, whatever was translated since.
static void kept_jumps(void)
{
    static const uint8_t skips[] = { P(0), OP(SKIP_ZERO), 5,         P(1), P(0),
                                     P(0), P(0),          C(F_DRAW), FIN };
    static const uint8_t draws[] = { P(2), P(0), P(0), P(0),      C(F_DRAW), P(3),
                                     P(0), P(0), P(0), C(F_DRAW), FIN };
    static const struct fixture_chunk two[] = {
        { skips, sizeof skips, 5, 0, 0 },
        { draws, sizeof draws, 6, 0, 0 },
    };
    struct vm_fixture f;
    struct record_host host;
    fixture_open(&f, &(struct fixture_params){ two, 2, 2, NULL, 0, 4, 0, 0 });
    CHECK(gv_verify(&f.payload, NULL, NULL));
    record_host_init(&host, true);
    struct gv_vm *vm = create(&f, &host.host);
    for (int pass = 0; pass < 4; pass++) {
        host.text.size = 0;
        run_to(vm, GV_STOP_FRAME, 0, 5);
        run_to(vm, GV_STOP_FRAME, 1, 6);
        run_to(vm, GV_STOP_END, 2, 6);
        check_text("kept jumps",
                   "command 5\nframe_end\ncommand 6\n" DREW(2) DREW(3) "frame_end\n",
                   record_host_text(&host));
        gv_vm_restart(vm);
    }
    gv_vm_destroy(vm);
    record_host_finish(&host);
    fixture_close(&f);
}

// What is fetched is hashed: damaged bytes never arrive.
static void damaged_resource(void)
{
    const struct row row = { "damaged", CODE(OP(VOLATILE), 0, OP(FETCH), 0, FIN),
                             1,         "0",
                             0,         "" };
    struct vm_fixture f;
    struct record_host host;
    struct gv_error err = GV_ERROR_INIT;
    enum gv_stop stop;
    open_row(&f, &row);
    for (size_t i = 0; i < f.payload.group_count; i++)
        f.payload.groups[i].hash.bytes[3] ^= 1;
    record_host_init(&host, false);
    struct gv_vm *vm = create(&f, &host.host);
    CHECK(!gv_vm_run(vm, &stop, &err));
    CHECK(err.status == GV_ERR_FORMAT && err.command == 5);
    gv_vm_destroy(vm);
    record_host_finish(&host);
    fixture_close(&f);
}

// Without constants there is still an address of no bytes among them.
static void no_constants(void)
{
    const struct row row = { "no constants",
                             CODE(BUFFER, HANDLE, OP(VOLATILE), 0, OP(LOAD8), OP(CONST),
                                  0, P(0), C(F_UPLOAD), FIN),
                             4,
                             "",
                             12,
                             BUFFER_TEXT
                             "buffer_upload buffer=#1 offset=0 data=[0] size=0\n" };
    struct vm_fixture f;
    struct record_host host;
    open_row(&f, &row);
    free(f.payload.constants);
    f.payload.constants = NULL;
    f.payload.constant_size = 0;
    record_host_init(&host, true);
    struct gv_vm *vm = create(&f, &host.host);
    run_good(&row, vm, &host);
    gv_vm_destroy(vm);
    record_host_finish(&host);
    fixture_close(&f);
}

// The end of the largest map is an address of that map, not of the slot after it.
static void largest_map(void)
{
    static const uint8_t code[] = { MAPPED,   OP(ADD_IMM), 0x80, 0x80,         0x80,
                                    0x80,     0x80,        2,    OP(VOLATILE), 0,
                                    OP(COPY), 0,           FIN };
    struct fixture_chunk chunk = { code, sizeof code, 5, 0, 0 };
    struct vm_fixture f;
    struct record_host host;
    struct gv_error err = GV_ERROR_INIT;
    enum gv_stop stop;
    fixture_open(&f, &(struct fixture_params){ &chunk, 1, 1, NULL, 0, 2, 16, 0 });
    f.payload.slots[F_SLOT_MAP].map_size = f.payload.limits.map_bytes = UINT64_C(1)
                                                                        << 36;
    CHECK(gv_verify(&f.payload, NULL, &err));
    record_host_init(&host, false);
    struct gv_vm *vm = create(&f, &host.host);
    CHECK(!gv_vm_run(vm, &stop, &err));
    CHECK(strstr(err.message, "map-live: slot 1 ") != NULL);
    gv_vm_destroy(vm);
    record_host_finish(&host);
    fixture_close(&f);
}

// A gibibyte of volatile memory that is hardly touched costs little (or the test box,
// with its memory limit, would show it).
static void large_volatile(void)
{
    static const uint8_t code[] = { P(1), OP(VOLATILE), 0x80, 0x80, 0x80, 0xf0,
                                    3,    OP(STORE32),  FIN };
    struct fixture_chunk chunk = { code, sizeof code, 5, 0, 0 };
    struct vm_fixture f;
    struct record_host host;
    enum gv_stop stop;
    fixture_open(&f, &(struct fixture_params){ &chunk, 1, 1, NULL, 0, 2, 16,
                                               UINT64_C(1) << 30 });
    CHECK(gv_verify(&f.payload, NULL, NULL));
    record_host_init(&host, false);
    struct gv_vm *vm = create(&f, &host.host);
    CHECK(gv_vm_run(vm, &stop, NULL) && stop == GV_STOP_FRAME);
    gv_vm_destroy(vm);
    record_host_finish(&host);
    fixture_close(&f);
}

int main(void)
{
    programs();
    refusals();
    stops();
    kept_jumps();
    damaged_resource();
    no_constants();
    largest_map();
    large_volatile();
    return TEST_RESULT();
}

// Paths, and state at places: against a replay that notes every call.
//   test_inspect [COUNT [FIRST]]    programs of so many seeds (60) from one on (1)
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/test.h"
#include "tests/vm/record_host.h"
#include "tests/vm/slice_program.h"
#include "vm/inspect/inspect.h"
#include "vm/text/text.h"
#include "vm/verify/verify.h"

// ---- paths ----

static const struct {
    const char *text;
    enum gv_status status;
    const char *canonical;
} paths[] = {
    { "f12", GV_OK, "f12/state" },
    { "f12/", GV_OK, "f12/" },
    { "/", GV_OK, "/" },
    { "/dead", GV_OK, "/dead" },
    { "/death", GV_ERR_USAGE, NULL },
    { "f012.d007", GV_OK, "f12.d7/state" },
    { "^f12.d40/state", GV_OK, "^f12.d40/state" },
    { "f0.p3/state.viewport0", GV_OK, "f0.p3/state.viewport0" },
    { "c1406/state.tex.0.1.0", GV_OK, "c1406/state.tex.0.1.0" },
    { "^end/objects", GV_OK, "^end/objects" },
    { "", GV_ERR_USAGE, NULL },
    { "^", GV_ERR_USAGE, NULL },
    { "12", GV_ERR_USAGE, NULL },
    { "f", GV_ERR_USAGE, NULL },
    { "f-1", GV_ERR_USAGE, NULL },
    { "f12.", GV_ERR_USAGE, NULL },
    { "f12.q1", GV_ERR_USAGE, NULL },
    { "f12.d", GV_ERR_USAGE, NULL },
    { "f12 ", GV_ERR_USAGE, NULL },
    { "f99999999999999999999", GV_ERR_USAGE, NULL },
    { "//", GV_ERR_USAGE, NULL },
    { "/state", GV_ERR_USAGE, NULL },
    { "endless", GV_ERR_USAGE, NULL },
    { "f1/states", GV_ERR_USAGE, NULL },
    { "f1/state.", GV_ERR_USAGE, NULL },
    { "f1/state/vb0", GV_ERR_USAGE, NULL },
    { "c12.5", GV_ERR_UNSUPPORTED, NULL },
    { "f12.d40/color0", GV_OK, "f12.d40/color0" },
    { "f12.d40/color00.sample3", GV_OK, "f12.d40/color0.sample3" },
    { "f12.d40/fs", GV_OK, "f12.d40/fs" },
    { "f12/tex.0.1.mip2", GV_OK, "f12/tex.0.1.0.mip2" },
    { "f12/tex.0.1.2.mip2.layer1[4,5,6x7]", GV_OK,
      "f12/tex.0.1.2.mip2.layer1[4,5,6x7]" },
    { "f12/o7[256+0x40]", GV_OK, "f12/o7[0x100+64]" },
    { "f12/vb0[0+0]:f32x3", GV_OK, "f12/vb0[0x0+0]:f32x3" },
    { "f12/uniform.0.1:u8", GV_OK, "f12/uniform.0.1.0:u8" },
    { "end/vram[0,0,1024x512]:b15", GV_OK, "end/vram[0,0,1024x512]:b15" },
    { "f12/color", GV_ERR_USAGE, NULL },
    { "f12/color0.", GV_ERR_USAGE, NULL },
    { "f12/color0.mip", GV_ERR_USAGE, NULL },
    { "f12/color0.layer1.mip2", GV_ERR_USAGE, NULL },
    { "f12/color0[1,2,0x4]", GV_ERR_USAGE, NULL },
    { "f12/color0[1,2,3x4", GV_ERR_USAGE, NULL },
    { "f12/vb0[0x+4]", GV_ERR_USAGE, NULL },
    { "f12/vb0[0x11223344556677889+4]", GV_ERR_USAGE, NULL },
    { "f12/vb0:f32x5", GV_ERR_USAGE, NULL },
    { "f12/vb0:b15", GV_ERR_USAGE, NULL },
    { "f12/tex.0", GV_ERR_USAGE, NULL },
    { "f12/depths", GV_ERR_USAGE, NULL },
    { "f12/source.viewport", GV_ERR_UNSUPPORTED, NULL },
    { "f12/\"sky\"", GV_ERR_UNSUPPORTED, NULL },
};

static void test_paths(void)
{
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct gv_error err = GV_ERROR_INIT;
        struct gv_path path;
        char text[GV_PATH_TEXT];
        const bool ok = gv_path_parse(&path, paths[i].text, &err);
        CHECK_ROW(paths[i].text, err.status == paths[i].status && ok == !err.status);
        if (!ok)
            continue;
        gv_path_print(&path, text);
        CHECK_ROW(paths[i].text, strcmp(text, paths[i].canonical) == 0);
        CHECK_ROW(text, gv_path_parse(&path, text, &err));
    }
}

// ---- a replay that notes ----

#define NOTES 512
#define MOST_BYTES ((size_t)16 << 20) // of a payload
#define OBJECTS 4096
#define BYTES 16

struct note {
    char key[48];
    uint8_t call; // 0: free
    uint64_t command;
    union gv_arg args[GV_MAX_ARGS + 1];
    uint8_t bytes[BYTES]; // of its BYTES argument, as many as fit
};

struct noter {
    struct gv_host host;
    struct record_host inner;
    struct note notes[NOTES];
    bool compute[OBJECTS]; // pipelines, by handle
    uint64_t command;
    uint64_t frame, works, passes; // that run, in this frame
    struct comparison *comparison;
    struct gv_payload *payload; // NULL: no work is compared
};

static bool compare_at(struct comparison *c, struct gv_payload *payload,
                       const struct gv_place *place, struct gv_error *err);

static struct note *find_note(struct noter *n, const char *key)
{
    for (size_t i = 0; i < NOTES; i++)
        if (n->notes[i].call && strcmp(n->notes[i].key, key) == 0)
            return &n->notes[i];
    for (size_t i = 0; i < NOTES; i++)
        if (!n->notes[i].call)
            return &n->notes[i];
    abort();
}

// The entry of the state that a call sets; `face` of those that set two.
static bool put_key(char key[48], const struct gv_call_info *info,
                    const union gv_arg *args, bool compute, unsigned face)
{
    size_t length =
        info->sets & GV_STATE_RESOURCE
            ? (size_t)snprintf(key, 48, "binding")
            : (size_t)snprintf(key, 48, "%s%s", info->name, compute ? " compute" : "");
    size_t indices = 0;
    for (size_t i = 0; i < info->arg_count; i++) {
        if (info->args[i].role != GV_ROLE_INDEX)
            continue;
        indices++;
        if (info->args[i].kind == GV_ARG_FLAGS && !(args[i].u >> face & 1))
            return false;
        length +=
            (size_t)snprintf(key + length, 48 - length, " %" PRIu64,
                             info->args[i].kind == GV_ARG_FLAGS ? face : args[i].u);
    }
    if (info->sets & GV_STATE_RESOURCE && indices == 2)
        snprintf(key + length, 48 - length, " 0");
    return true;
}

static void keep(struct noter *n, uint8_t call, const union gv_arg *args, unsigned face)
{
    const struct gv_call_info *info = &gv_call_infos[call];
    char key[48];
    const bool compute =
        call == GV_CALL_bind_pipeline && n->compute[args[0].u % OBJECTS];
    if (!put_key(key, info, args, compute, face))
        return;
    struct note *note = find_note(n, key);
    *note = (struct note){ .call = call, .command = n->command };
    strcpy(note->key, key);
    for (size_t i = 0; i < info->arg_count; i++) {
        note->args[i] = args[i];
        if (info->args[i].kind == GV_ARG_BYTES)
            memcpy(note->bytes, args[i].data,
                   args[i + 1].u < BYTES ? args[i + 1].u : BYTES);
    }
}

// Attachments are those of the next pass, then of the pass.
static void go_through(struct noter *n, uint8_t call)
{
    for (size_t i = 0; i < NOTES; i++) {
        struct note *note = &n->notes[i];
        if (call == GV_CALL_pass_end && note->key[0] == '(')
            note->call = 0;
        else if (call == GV_CALL_pass_begin && note->call &&
                 gv_call_infos[note->call].sets & GV_STATE_TARGETS) {
            char key[48];
            snprintf(key, sizeof key, "(%.40s", note->key);
            strcpy(note->key, key);
        }
    }
}

// Behind a call (or in front of it): the places that are named by it.
static bool look(struct noter *n, uint8_t call, bool before, struct gv_error *err)
{
    const bool work = gv_call_infos[call].sets & GV_STATE_WORK;
    if (!n->payload ||
        !(work || call == (before ? GV_CALL_pass_begin : GV_CALL_pass_end)))
        return true;
    const struct gv_place place = { work ? GV_PLACE_WORK : GV_PLACE_PASS, before,
                                    n->frame, work ? n->works : n->passes };
    return compare_at(n->comparison, n->payload, &place, err);
}

static void count(struct noter *n, uint8_t call)
{
    n->works += (gv_call_infos[call].sets & GV_STATE_WORK) != 0;
    n->passes += call == GV_CALL_pass_end;
    if (call != GV_CALL_frame_end)
        return;
    n->frame++;
    n->works = n->passes = 0;
}

static bool perform(struct noter *n, uint8_t call, const union gv_arg *args,
                    uint64_t *result, struct gv_error *err)
{
    const struct gv_call_info *info = &gv_call_infos[call];
    if (!look(n, call, true, err))
        return false;
    if (!n->inner.host.calls[call](&n->inner, args, result, err))
        return false;
    if (info->result == GV_KIND_PIPELINE)
        n->compute[*result % OBJECTS] = call == GV_CALL_pipeline_create_compute;
    if (call == GV_CALL_pass_end || call == GV_CALL_pass_begin)
        go_through(n, call);
    const uint32_t kept = (GV_STATE_TARGETS << 1) - 1;
    if (info->sets & kept || call == GV_CALL_show || call == GV_CALL_feedback_bind)
        for (unsigned face = 0; face < 2; face++)
            keep(n, call, args, face);
    if (!look(n, call, false, err))
        return false;
    count(n, call);
    return true;
}

#define GV_CALL(name, code, result, sets, reads, doc)                               \
    static bool note_##name(void *context, const union gv_arg *args, uint64_t *out, \
                            struct gv_error *err)                                   \
    {                                                                               \
        return perform(context, GV_CALL_##name, args, out, err);                    \
    }
#define GV_ARG(name, kind, of, role)
#define GV_CALL_END
#include "vm/calls.def"
#undef GV_CALL
#undef GV_ARG
#undef GV_CALL_END

static uint8_t *map_memory(void *context, uint64_t map, uint64_t *size)
{
    struct noter *n = context;
    return n->inner.host.map_memory(&n->inner, map, size);
}

static bool meets(void *context, uint32_t requirement)
{
    struct noter *n = context;
    return n->inner.host.meets(&n->inner, requirement);
}

static void at_command(void *context, uint64_t command)
{
    struct noter *n = context;
    n->command = command;
}

static void noter_init(struct noter *n, bool met)
{
    record_host_init(&n->inner, false);
    n->inner.met = met ? UINT64_MAX : 0;
    n->host = (struct gv_host){
        .context = n, .map_memory = map_memory, .meets = meets, .command = at_command
    };
#define GV_CALL(name, code, result, sets, reads, doc) n->host.calls[code] = note_##name;
#define GV_ARG(name, kind, of, role)
#define GV_CALL_END
#include "vm/calls.def"
#undef GV_CALL
#undef GV_ARG
#undef GV_CALL_END
}

// ---- against it ----

struct comparison {
    struct noter *noter;
    uint64_t step; // commands from one place to the next
    bool skips;    // objects of skips are counted, though they may not be made
    uint64_t compared, values;
    bool met[NOTES]; // notes that a row is equal to
};

static bool same_args(const struct comparison *c, const struct gv_state_row *row,
                      const struct note *note)
{
    bool optional;
    for (size_t i = 0; i < row->call->arg_count; i++) {
        const struct gv_arg_info *info = &row->call->args[i];
        if (info->kind == GV_ARG_BYTES) {
            const uint64_t size = note->args[i + 1].u;
            if (row->bytes &&
                memcmp(row->bytes, note->bytes, size < BYTES ? size : BYTES))
                return false;
        } else if (gv_arg_object_kind(info->kind, &optional) && c->skips) {
            if (!row->args[i].u != !note->args[i].u)
                return false;
        } else if (row->args[i].u != note->args[i].u) {
            return false;
        }
    }
    return true;
}

static bool compare(void *context, const struct gv_state_row *row, struct gv_error *err)
{
    struct comparison *c = context;
    char key[48], inside[52];
    const bool compute = strcmp(row->name, "compute_pipeline") == 0;
    const bool back = strstr(row->name, ".back") != NULL;
    if (row->call == &gv_call_infos[GV_CALL_pass_begin])
        return true;
    put_key(key, row->call, row->args, compute, back);
    snprintf(inside, sizeof inside, "(%s", key);
    bool found = false;
    for (size_t i = 0; i < NOTES; i++) {
        const struct note *note = &c->noter->notes[i];
        if (!note->call ||
            (strcmp(note->key, key) != 0 && strcmp(note->key, inside) != 0))
            continue;
        if (&gv_call_infos[note->call] != row->call || note->command != row->command ||
            !same_args(c, row, note))
            continue;
        found = c->met[i] = true;
    }
    c->values += row->call->arg_count;
    return found || row->maybe ||
           gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                   "%s of command %" PRIu64 " was not noted", row->name, row->command);
}

static bool compare_at(struct comparison *c, struct gv_payload *payload,
                       const struct gv_place *place, struct gv_error *err)
{
    struct gv_inspect in;
    memset(c->met, 0, sizeof c->met);
    bool ok = gv_inspect_go(&in, payload, place, 0, err) &&
              gv_inspect_each_row(&in, compare, c, err);
    gv_inspect_finish(&in);
    for (size_t i = 0; ok && i < NOTES; i++)
        if (c->noter->notes[i].call && !c->met[i])
            ok = gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "no row for %s",
                         c->noter->notes[i].key);
    c->compared++;
    return ok;
}

// At the end of each frame and behind each command.
static bool run(struct comparison *c, struct gv_payload *payload, struct gv_error *err)
{
    uint64_t *stops = calloc(payload->command_count + 1, sizeof *stops);
    const uint64_t count = (payload->command_count + c->step - 1) / c->step;
    for (uint64_t i = 0; stops && i < count; i++)
        stops[i] = i * c->step;
    const struct gv_vm_params params = { .payload = payload,
                                         .host = &c->noter->host,
                                         .stop_commands = stops,
                                         .stop_command_count = count };
    struct gv_vm *vm = gv_vm_create(&params, err);
    enum gv_stop stop = GV_STOP_FRAME;
    uint64_t next = 0;
    bool ok = vm && stops;
    while (ok && stop != GV_STOP_END) {
        ok = gv_vm_run(vm, &stop, err);
        struct gv_place place = { GV_PLACE_END, false, 0, 0 };
        if (stop == GV_STOP_COMMAND)
            place = (struct gv_place){ GV_PLACE_COMMAND, false, 0, next++ * c->step };
        else if (stop == GV_STOP_FRAME)
            place = (struct gv_place){ GV_PLACE_FRAME, false, gv_vm_frame(vm), 0 };
        ok = ok && compare_at(c, payload, &place, err);
    }
    gv_vm_destroy(vm);
    free(stops);
    return ok;
}

static bool open_program(struct slice_program *k, struct gv_payload *payload,
                         struct gv_bytes *bytes, struct gv_error *err)
{
    const struct gv_assemble_params params = { 0 };
    slice_program_write(k);
    return gv_text_assemble((const char *)k->text.data, k->text.size, &params, bytes,
                            err) &&
           gv_payload_open_memory(payload, bytes->data, bytes->size, 0, err) &&
           gv_verify(payload, &(struct gv_verify_params){ 0 }, err);
}

// `text`: of the program, as far as it is known.
static void test_payload(struct gv_payload *payload, const char *text, bool met,
                         const char *name, struct comparison *total)
{
    struct gv_error err = GV_ERROR_INIT;
    struct noter *noter = calloc(1, sizeof *noter);
    if (!noter)
        abort();
    noter_init(noter, met);
    total->noter = noter;
    total->skips = strstr(text, "skip") != NULL;
    noter->comparison = total;
    // What is in a loop has one number, however often it runs; what is in no frame,
    // none.
    noter->payload = strstr(text, "loop") || !payload->frame_count ? NULL : payload;
    // Whose work may or may not run nothing is known of.
    if (!run(total, payload, &err) && err.status != GV_ERR_UNSUPPORTED) {
        fprintf(stderr, "%s: %s\n", name, err.message);
        gv_test_failures++;
    }
    record_host_finish(&noter->inner);
    free(noter);
}

static void test_seed(uint64_t seed, struct comparison *total)
{
    struct slice_program k = { .state = seed * 7919 };
    struct gv_payload payload = { 0 };
    struct gv_bytes bytes = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    char name[32];
    snprintf(name, sizeof name, "seed %" PRIu64, seed);
    total->step = 1;
    if (open_program(&k, &payload, &bytes, &err)) {
        gv_bytes_u8(&k.text, 0);
        test_payload(&payload, (const char *)k.text.data, seed % 2, name, total);
    } else {
        fprintf(stderr, "%s: %s\n", name, err.message);
        gv_test_failures++;
    }
    gv_payload_finish(&payload);
    gv_bytes_finish(&bytes);
    slice_program_finish(&k);
}

// A payload of the reader's: at so many places, evenly.
static void test_file(const char *path, uint64_t places)
{
    static uint8_t bytes[MOST_BYTES];
    struct comparison total = { 0 };
    struct gv_payload payload = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    FILE *file = fopen(path, "rb");
    const size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file)
        fclose(file);
    if (gv_payload_open_memory(&payload, bytes, size, 0, &err) &&
        gv_verify(&payload, &(struct gv_verify_params){ 0 }, &err)) {
        total.step = payload.command_count / places + 1;
        test_payload(&payload, "", true, path, &total);
    } else {
        fprintf(stderr, "%s: %s\n", path, err.message);
        gv_test_failures++;
    }
    gv_payload_finish(&payload);
    printf("%s: %" PRIu64 " places, %" PRIu64 " values\n", path, total.compared,
           total.values);
}

//   test_inspect [COUNT [FIRST]]      random programs
//   test_inspect file PLACES FILE...  payloads
int main(int argc, char **argv)
{
    if (argc > 3 && strcmp(argv[1], "file") == 0) {
        for (int i = 3; i < argc; i++)
            test_file(argv[i], strtoull(argv[2], NULL, 10));
        return TEST_RESULT();
    }
    const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 60;
    const uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    struct comparison total = { 0 };
    test_paths();
    for (uint64_t seed = first; seed < first + count && gv_test_failures < 10; seed++)
        test_seed(seed, &total);
    printf("%" PRIu64 " places, %" PRIu64 " values\n", total.compared, total.values);
    CHECK(count < 60 || (total.compared > 1000 && total.values > 10000));
    return TEST_RESULT();
}

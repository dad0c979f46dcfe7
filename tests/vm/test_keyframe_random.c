// Random programs on a model of a GPU: from a keyframe in front of each frame on all
// pictures are those of the whole run.
//   test_keyframe_random [COUNT [FIRST]]    as test_slice_random
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/test.h"
#include "tests/vm/keyframe_check.h"
#include "tests/vm/slice_program.h"
#include "vm/text/text.h"
#include "vm/verify/verify.h"

struct totals {
    uint64_t keyframes, wishes, served;
};

struct subject {
    struct slice_program *program;
    struct gv_payload *payload;
    struct gv_cutter *cutter;
};

// Outputs of a frame or a later one: exports as last posted, and what is drawn to
// behind some commands.
static bool check_frame(struct subject *s, uint64_t frame, struct totals *totals,
                        struct gv_error *err)
{
    struct slice_program *k = s->program;
    struct gv_payload *payload = s->payload;
    const bool exports[2] = { slice_program_roll(k, 2), slice_program_roll(k, 2) };
    const uint64_t last =
        frame + slice_program_roll(k, (uint32_t)(payload->frame_count - frame));
    uint64_t calls[2] = { last * 32 + slice_program_roll(k, 32), 0 };
    calls[1] = calls[0] + 1 + slice_program_roll(k, 20);
    const struct gv_slice_params wanted = {
        .calls = calls,
        .call_count = slice_program_roll(k, 3),
        .frames = &last,
        .frame_count = 1,
        .last_frame = last,
        .exports = slice_program_roll(k, 2) ? NULL : exports,
    };
    const struct keyframe_wish wish = { .frame = frame,
                                        .cutter = s->cutter,
                                        .exports = slice_program_roll(k, 2),
                                        .outputs = { &wanted,
                                                     slice_program_roll(k, 2) } };
    bool made = false, served = false;
    bool ok = keyframe_check(payload, &wish, &made, &served, err);
    const bool more = wanted.call_count || wanted.exports;
    totals->keyframes += made;
    totals->wishes += made && more;
    totals->served += served && more;
    return ok;
}

static bool check_frames(struct slice_program *program, struct gv_payload *payload,
                         struct totals *totals, struct gv_error *err)
{
    struct subject subject = { program, payload, gv_cutter_create(payload, 0, err) };
    bool ok = subject.cutter != NULL;
    for (uint64_t frame = 1; ok && frame < payload->frame_count; frame++)
        ok = check_frame(&subject, frame, totals, err);
    gv_cutter_destroy(subject.cutter);
    return ok;
}

static void test_seed(uint64_t seed, bool show, struct totals *totals)
{
    struct slice_program program = { .state = seed * 7919 };
    struct gv_error err = GV_ERROR_INIT;
    struct gv_payload payload = { 0 };
    struct gv_bytes bytes = { 0 };
    slice_program_write(&program);
    const char *text = (const char *)program.text.data;
    if (show)
        printf("%.*s", (int)program.text.size, text);
    bool ok = gv_text_assemble(text, program.text.size, NULL, &bytes, &err) &&
              gv_payload_open_memory(&payload, bytes.data, bytes.size, 0, &err) &&
              gv_verify(&payload, NULL, &err) &&
              check_frames(&program, &payload, totals, &err);
    if (!ok) {
        fprintf(stderr, "seed %" PRIu64 ": %s\n", seed,
                err.status == GV_OK ? "pictures differ" : err.message);
        gv_test_failures++;
    }
    gv_payload_finish(&payload);
    gv_bytes_finish(&bytes);
    slice_program_finish(&program);
}

int main(int argc, char **argv)
{
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 300;
    uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    struct totals totals = { 0 };
    for (uint64_t seed = first; seed < first + count && gv_test_failures < 10; seed++)
        test_seed(seed, count == 1, &totals);
    printf("%" PRIu64 " programs, %" PRIu64 " keyframes, which serve %" PRIu64
           " of %" PRIu64 " wishes\n",
           count, totals.keyframes, totals.served, totals.wishes);
    CHECK(count < 100 || (totals.keyframes > count / 4 && totals.served > count / 20));
    return TEST_RESULT();
}

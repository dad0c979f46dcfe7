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

static bool check_frames(struct slice_program *program, struct gv_payload *payload,
                         uint64_t *keyframes, struct gv_error *err)
{
    for (uint64_t frame = 1; frame < payload->frame_count; frame++) {
        bool made = false;
        if (!keyframe_check(payload, frame, slice_program_roll(program, 2), &made, err))
            return false;
        *keyframes += made;
    }
    return true;
}

static void test_seed(uint64_t seed, bool show, uint64_t *keyframes)
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
              check_frames(&program, &payload, keyframes, &err);
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
    uint64_t keyframes = 0;
    for (uint64_t seed = first; seed < first + count && gv_test_failures < 10; seed++)
        test_seed(seed, count == 1, &keyframes);
    printf("%" PRIu64 " programs, %" PRIu64 " keyframes\n", count, keyframes);
    CHECK(count < 100 || keyframes > count / 4);
    return TEST_RESULT();
}

// Mutants that are verified deeply and run: what one accepts, the other refuses for the
// device alone.
#include "tests/fuzz/mutants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/rehearsal.h"
#include "runtime/shader_fit.h"
#include "vm/verify/verify.h"

// What a process of its own says, which has the loader of no driver.
struct answer {
    bool ok;
    bool chooses; // code runs that may not run here
    struct gv_error err;
};

static int to_verifier = -1, from_verifier;

static bool has_choices(const struct gv_payload *payload)
{
    for (size_t i = 0; i < payload->requirement_count; i++)
        if (payload->requirements[i].strength != GV_NEEDED)
            return true;
    return false;
}

static bool verify_deep(const uint8_t *data, size_t size, struct answer *answer)
{
    struct gv_error *err = &answer->err;
    struct gv_payload payload = { 0 };
    struct gv_pipeline_list pipelines = { 0 };
    const struct gv_verify_params params = { .memory_limit = MUTANTS_MEMORY,
                                             .pipelines = &pipelines };
    bool ok = gv_payload_open_memory(&payload, data, size, MUTANTS_MEMORY, err) &&
              gv_verify(&payload, &params, err) &&
              gv_payload_verify_deep(&payload, NULL, 0, err) &&
              gv_shaders_fit(&payload, &pipelines, NULL, 0, err) &&
              gv_rehearse(&payload, NULL, 0, err);
    answer->chooses = has_choices(&payload);
    gv_pipeline_list_finish(&pipelines);
    gv_payload_finish(&payload);
    return ok;
}

static bool read_all(int file, void *to, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t n = read(file, (char *)to + done, size - done);
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    return true;
}

static bool write_all(int file, const void *from, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t n = write(file, (const char *)from + done, size - done);
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    return true;
}

static _Noreturn void be_verifier(int questions, int answers)
{
    size_t size;
    while (read_all(questions, &size, sizeof size)) {
        uint8_t *data = malloc(size ? size : 1);
        struct answer answer = { .err = GV_ERROR_INIT };
        if (!data || !read_all(questions, data, size))
            break;
        answer.ok = verify_deep(data, size, &answer);
        free(data);
        if (!write_all(answers, &answer, sizeof answer))
            break;
    }
    _exit(EXIT_SUCCESS);
}

// Before this process has a driver, and its threads.
static bool start_verifier(void)
{
    int questions[2], answers[2];
    if (pipe(questions) != 0 || pipe(answers) != 0)
        return false;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        close(questions[1]);
        close(answers[0]);
        be_verifier(questions[0], answers[1]);
    }
    close(questions[0]);
    close(answers[1]);
    to_verifier = questions[1];
    from_verifier = answers[0];
    return child > 0;
}

static bool ask(const struct gv_bytes *payload, struct answer *answer)
{
    return (to_verifier >= 0 || start_verifier()) &&
           write_all(to_verifier, &payload->size, sizeof payload->size) &&
           write_all(to_verifier, payload->data, payload->size) &&
           read_all(from_verifier, answer, sizeof *answer);
}

// Whether only one of them refuses, and has no right to: to the device's or the host's
// matter, or where verifying looks at another way than the one that runs here.
static bool differ(const struct answer *answer, const struct gv_error *err,
                   enum verdict verdict)
{
    if (answer->ok)
        return verdict == VERDICT_REFUSED &&
               (err->status == GV_ERR_FORMAT || err->status == GV_ERR_UNSUPPORTED);
    return verdict == VERDICT_DONE && !answer->chooses;
}

enum verdict mutants_agree(const struct mutants_options *o, const char *name,
                           const struct gv_bytes *mutant, char why[256])
{
    struct gv_bytes payload = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    struct answer answer;
    enum verdict verdict = VERDICT_DONE;
    bool made = mutants_payload(o, name, mutant, &payload, &verdict, why);
    if (made && mutants_too_long(&payload)) {
        verdict = VERDICT_SKIPPED;
    } else if (made && !ask(&payload, &answer)) {
        abort(); // with the mutant on the board: what verifies has died of it
    } else if (made) {
        verdict = mutants_replay_payload(o, &payload, &err, why);
        if (differ(&answer, &err, verdict)) {
            snprintf(why, 256, "only %s refuses: %.200s", answer.ok ? "run" : "verify",
                     answer.ok ? err.message : answer.err.message);
            verdict = VERDICT_WRONG;
        }
    }
    gv_bytes_finish(&payload);
    return verdict;
}

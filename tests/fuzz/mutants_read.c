// Mutants that are read: described, dumped, compiled, verified, interpreted.
#include "tests/fuzz/mutants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/compiler.h"
#include "resources/base/file.h"
#include "resources/codec.h"
#include "resources/store.h"
#include "tests/fuzz/interpret.h"
#include "tests/helpers.h"
#include "vm/machine/progress.h"
#include "vm/text/text.h"
#include "vm/verify/verify.h"

#define CAPTURE_MEMORY ((uint64_t)256 << 20)

bool mutants_is(const char *name, const char *ending)
{
    size_t length = strlen(name), tail = strlen(ending);
    return length >= tail && strcmp(name + length - tail, ending) == 0;
}

enum verdict mutants_refusal(const struct gv_error *err, enum gv_phase phase,
                             char why[256])
{
    enum gv_exit code = gv_exit_of(err->status, phase);
    if (code != GV_EXIT_OK && code != GV_EXIT_USAGE && code != GV_EXIT_OUTPUT &&
        err->message[0])
        return VERDICT_REFUSED;
    snprintf(why, 256, "status %d, exit %d: %s", (int)err->status, (int)code,
             err->message[0] ? err->message : "refused in silence");
    return VERDICT_WRONG;
}

// Described, dumped, and compiled to `out`.
static bool compile(const struct gv_bytes *mutant, struct gv_bytes *out,
                    struct gv_error *err)
{
    static const char *const options[] = { "gl.work=4", NULL };
    const struct gv_compile_params params = {
        .level = 1, .options = options, .jobs = 1, .memory_limit = CAPTURE_MEMORY
    };
    struct gv_describe facts = { 0 };
    struct gv_bytes text = { 0 };
    struct gv_compile_stats stats;
    gv_capture_info(mutant->data, mutant->size, &params, &facts, NULL);
    gv_describe_finish(&facts);
    gv_capture_dump(mutant->data, mutant->size, &params, gv_test_append, &text, NULL);
    gv_bytes_finish(&text);
    return gv_compile(mutant->data, mutant->size, &params, gv_test_append, out, &stats,
                      err);
}

bool mutants_payload(const struct mutants_options *o, const char *name,
                     const struct gv_bytes *mutant, struct gv_bytes *out,
                     enum verdict *verdict, char why[256])
{
    struct gv_error err = GV_ERROR_INIT;
    const struct gv_assemble_params assemble = { .include_folder = o->shaders };
    bool ok = true;
    if (mutants_is(name, ".gvt"))
        ok = gv_text_assemble((const char *)mutant->data, mutant->size, &assemble, out,
                              &err);
    else if (mutants_is(name, ".gvp"))
        gv_bytes_put(out, mutant->data, mutant->size);
    else
        ok = compile(mutant, out, &err);
    // Text names files, which need not be there.
    if (!ok && mutants_is(name, ".gvt") && err.status == GV_ERR_NOT_FOUND)
        *verdict = VERDICT_REFUSED;
    else if (!ok)
        *verdict = mutants_refusal(&err, GV_PHASE_LOAD, why);
    return ok;
}

// An object of a store under its own name: what is read is what the name says, or
// nothing.
static enum verdict read_object(const struct mutants_options *o, const char *name,
                                const struct gv_bytes *mutant, char why[256])
{
    char path[4096], hex[GV_HASH_HEX];
    const char *base = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
    struct gv_error err = GV_ERROR_INIT;
    static uint8_t raw[1 << 20];
    struct gv_fetch item = { .data = raw };
    snprintf(hex, sizeof hex, "%.32s", base);
    snprintf(path, sizeof path, "%s/cas/%.2s", o->work, hex);
    if (!gv_hash_from_hex(hex, &item.hash) || !gv_make_folders(path, &err))
        return VERDICT_SKIPPED;
    snprintf(path, sizeof path, "%s/cas/%.2s/%s.zst", o->work, hex, hex);
    gv_file_write(path, mutant->data, mutant->size, &err);
    if (!gv_codec_raw_size(mutant->data, mutant->size, sizeof raw, &item.raw_size,
                           NULL))
        item.raw_size = sizeof raw;
    struct gv_store *store = gv_store_open(o->work, &err);
    bool ok = store && gv_store_get(store, &item, &err);
    gv_store_destroy(store);
    if (!ok)
        return mutants_refusal(&err, GV_PHASE_RUN, why);
    struct gv_hash now = gv_hash_bytes(raw, (size_t)item.raw_size);
    if (item.found && gv_hash_equal(&item.hash, &now))
        return VERDICT_DONE;
    snprintf(why, 256, "%s",
             item.found ? "bytes of another id are handed out" : "not found");
    return VERDICT_WRONG;
}

static enum verdict read_progress(const struct mutants_options *o,
                                  const struct gv_bytes *mutant, char why[256])
{
    char path[4096];
    struct gv_progress_state state;
    struct gv_error err = GV_ERROR_INIT;
    snprintf(path, sizeof path, "%s/progress", o->work);
    gv_file_write(path, mutant->data, mutant->size, &err);
    return gv_progress_read(path, &state, &err)
               ? VERDICT_DONE
               : mutants_refusal(&err, GV_PHASE_LOAD, why);
}

// Printed, verified and interpreted. A payload that we made ourselves must verify.
static enum verdict use_payload(const struct mutants_options *o,
                                const struct gv_bytes *bytes, bool ours, char why[256])
{
    const struct gv_verify_params params = { .memory_limit =
                                                 ours ? 0 : INTERPRET_MEMORY };
    struct gv_error err = GV_ERROR_INIT;
    struct gv_payload payload;
    struct gv_bytes text = { 0 };
    enum verdict verdict = VERDICT_DONE;
    if (!gv_payload_open_memory(&payload, bytes->data, bytes->size, CAPTURE_MEMORY,
                                &err))
        return mutants_refusal(&err, GV_PHASE_LOAD, why);
    gv_text_disassemble(&payload, &text, NULL);
    gv_bytes_finish(&text);
    gv_payload_verify_deep(&payload, NULL, 0, NULL);
    if (!gv_verify(&payload, &params, &err)) {
        verdict = mutants_refusal(&err, GV_PHASE_CODE, why);
        if (ours) {
            snprintf(why, 256, "made, then refused: %.200s", err.message);
            verdict = VERDICT_WRONG;
        }
    } else if (!interpret_is_short(&payload))
        verdict = VERDICT_SKIPPED;
    else {
        ++*o->reached;
        if (!interpret(&payload, &err))
            verdict = mutants_refusal(&err, GV_PHASE_RUN, why);
    }
    gv_payload_finish(&payload);
    return verdict;
}

enum verdict mutants_read(const struct mutants_options *o, const char *name,
                          const struct gv_bytes *mutant, char why[256])
{
    if (mutants_is(name, ".zst"))
        return read_object(o, name, mutant, why);
    if (mutants_is(name, ".progress"))
        return read_progress(o, mutant, why);
    if (mutants_is(name, ".png") || mutants_is(name, ".pnm"))
        return mutants_picture(o, mutant, why);
    if (mutants_is(name, ".tsv"))
        return mutants_golden(o, mutant, why);
    struct gv_bytes payload = { 0 };
    enum verdict verdict = VERDICT_DONE;
    bool capture = !mutants_is(name, ".gvp") && !mutants_is(name, ".gvt");
    if (mutants_payload(o, name, mutant, &payload, &verdict, why))
        verdict = use_payload(o, &payload, capture, why);
    // What comes through a pipe has its keyframes passed over, whatever they are.
    if (verdict != VERDICT_WRONG && !strstr(name, "/keyed_") &&
        !stream_agrees(payload.data, payload.size)) {
        snprintf(why, 256, "taken from a pipe, but not as a file");
        verdict = VERDICT_WRONG;
    }
    gv_bytes_finish(&payload);
    return verdict;
}

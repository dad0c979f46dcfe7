// Any text as a path: what is understood is printed in one form that means the same. At
// the place that it names in a random program, which the other bytes decide, each row
// of the state has a name and can be printed.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/vm/slice_program.h"
#include "vm/inspect/inspect.h"
#include "vm/text/text.h"
#include "vm/verify/verify.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
    if (!ok)
        abort();
}

static bool put_row(void *context, const struct gv_state_row *row, struct gv_error *err)
{
    struct gv_bytes *out = context;
    (void)err;
    must(row->name[0] && row->call);
    for (size_t i = 0; i < row->call->arg_count; i++)
        gv_state_value(row, i, 16, out);
    return true;
}

static bool put_object(void *context, uint64_t number, uint64_t command,
                       const struct gv_track_object *object, struct gv_error *err)
{
    (void)context;
    (void)number;
    (void)command;
    (void)err;
    must(object->kind != 0);
    return true;
}

static void look(struct gv_payload *payload, const struct gv_place *place)
{
    struct gv_inspect in = { 0 };
    struct gv_bytes out = { 0 };
    if (place->kind != GV_PLACE_ALL && gv_inspect_go(&in, payload, place, 0, NULL)) {
        must(in.done <= in.track->unit_count);
        gv_inspect_each_object(&in, put_object, NULL, NULL);
        gv_inspect_each_row(&in, put_row, &out, NULL);
        if (place->kind == GV_PLACE_FRAME)
            gv_inspect_each_work(&in, place->frame, put_row, &out, NULL);
    }
    gv_inspect_finish(&in);
    gv_bytes_finish(&out);
}

static void try_program(const struct gv_place *place, const uint8_t *data, size_t size)
{
    struct slice_program k = { .state = 1, .bytes = data, .left = size };
    struct gv_payload payload = { 0 };
    struct gv_bytes bytes = { 0 };
    const struct gv_assemble_params params = { 0 };
    slice_program_write(&k);
    if (gv_text_assemble((const char *)k.text.data, k.text.size, &params, &bytes,
                         NULL) &&
        gv_payload_open_memory(&payload, bytes.data, bytes.size, 0, NULL) &&
        gv_verify(&payload, &(struct gv_verify_params){ 0 }, NULL))
        look(&payload, place);
    gv_payload_finish(&payload);
    gv_bytes_finish(&bytes);
    slice_program_finish(&k);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[GV_PATH_TEXT] = "", again[GV_PATH_TEXT];
    struct gv_path path, same;
    const uint8_t *line = size ? memchr(data, '\n', size) : NULL;
    const size_t length = line ? (size_t)(line - data) : size;
    if (length >= sizeof text)
        return 0;
    if (length)
        memcpy(text, data, length);
    if (!gv_path_parse(&path, text, NULL))
        return 0;
    gv_path_print(&path, again);
    must(gv_path_parse(&same, again, NULL));
    must(same.place.kind == path.place.kind && same.place.before == path.place.before &&
         same.place.frame == path.place.frame &&
         same.place.number == path.place.number && !strcmp(same.word, path.word));
    if (line)
        try_program(&path.place, line + 1, size - length - 1);
    return 0;
}

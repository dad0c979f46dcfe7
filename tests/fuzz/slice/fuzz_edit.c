// Lines of edits, applied to a random program that the other bytes decide: what is
// written opens; of no edit at all it verifies, too.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/vm/slice_program.h"
#include "vm/edit/edit.h"
#include "vm/text/text.h"
#include "vm/verify/verify.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define ITEMS 8
#define LINE 128

// "s TARGET", "= TARGET VALUE", "u VALUE", "v TARGET WORDS", "p TARGET": by the letter.
struct edits {
    struct gv_edit_item items[ITEMS];
    char texts[ITEMS][LINE];
    uint8_t rgba[64 * 64 * 4];
    size_t count;
};

static void must(bool ok)
{
    if (!ok)
        abort();
}

static bool put(void *context, const void *data, size_t size, struct gv_error *err)
{
    (void)err;
    gv_bytes_put(context, data, size);
    return true;
}

static void add(struct edits *e, const uint8_t *line, size_t size)
{
    static const char letters[] = "s=vpu";
    if (size < 3 || size >= LINE || e->count == ITEMS || memchr(line, 0, size))
        return;
    const char *letter = strchr(letters, line[0]);
    char *text = e->texts[e->count];
    struct gv_edit_item *item = &e->items[e->count];
    if (!letter)
        return;
    memcpy(text, line + 2, size - 2);
    item->kind = (enum gv_edit_kind)(letter - letters);
    item->target = item->value = text;
    char *blank = strchr(text, ' ');
    if (item->kind == GV_EDIT_SET && !blank)
        return;
    if (blank && item->kind != GV_EDIT_UNDEFINED) {
        *blank = '\0';
        item->value = blank + 1;
        item->bytes = (struct gv_span){ blank + 1, strlen(blank + 1) };
    }
    if (item->kind == GV_EDIT_PICTURE) {
        item->bytes = (struct gv_span){ e->rgba, sizeof e->rgba };
        item->width = line[size - 1] & 1 ? 16 : 64;
        item->height = 64 * 64 / item->width / (line[size - 1] & 1 ? 16 : 1);
    }
    e->count++;
}

static void edit(struct gv_payload *payload, const struct edits *e)
{
    struct gv_bytes out = { 0 };
    struct gv_payload again = { 0 };
    const struct gv_writer_params writer = { put, &out, 1, 1, false, 0, NULL, false };
    const struct gv_edit_params params = {
        .payload = payload, .items = e->items, .item_count = e->count, .writer = &writer
    };
    if (gv_edit_write(&params, NULL)) {
        must(gv_payload_open_memory(&again, out.data, out.size, 0, NULL));
        const bool verifies = gv_verify(&again, &(struct gv_verify_params){ 0 }, NULL);
        must(verifies || e->count);
        gv_payload_finish(&again);
    }
    gv_bytes_finish(&out);
}

static void try_program(const struct edits *e, const uint8_t *data, size_t size)
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
        edit(&payload, e);
    gv_payload_finish(&payload);
    gv_bytes_finish(&bytes);
    slice_program_finish(&k);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct edits *e = calloc(1, sizeof *e);
    must(e);
    while (size) { // an empty line ends them
        const uint8_t *newline = memchr(data, '\n', size);
        const size_t length = newline ? (size_t)(newline - data) : size;
        add(e, data, length);
        data += length + (newline != NULL);
        size -= length + (newline != NULL);
        if (!length)
            break;
    }
    try_program(e, data, size);
    free(e);
    return 0;
}

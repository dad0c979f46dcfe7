// The code of some payloads as text, compared with tests/golden/.
//   test_aerogpu_golden FOLDER [--update]
// Tables before the code (hashes, versions) are left out: other tests cover them.
#include "compiler/compiler.h"
#include "resources/base/file.h"
#include "tests/aerogpu/aerogpu_scene.h"
#include "tests/helpers.h"
#include "tests/test.h"
#include "vm/text/text.h"

static const char *const names[] = {
    "blend_over",           "texture_bc1",     "indexed_u16_unaligned", "compute_copy",
    "backed_texture_dirty", "constants_order", "d3d9_stencil_incr",     "two_contexts",
};

static const struct aero_fixture *find(const char *name)
{
    for (size_t t = 0; t < aero_fixture_table_count; t++)
        for (const struct aero_fixture *r = aero_fixture_tables[t]; r->name; r++)
            if (!strcmp(r->name, name))
                return r;
    return NULL;
}

// The text from the first chunk on.
static void code_of(const char *name, struct gv_bytes *text)
{
    static struct aero_scene f;
    const struct gv_compile_params params = { 0 };
    const struct aero_fixture *row = find(name);
    struct gv_error err = GV_ERROR_INIT;
    struct gv_bytes payload = { 0 };
    struct gv_payload p;
    CHECK_ROW(name, row);
    if (!row)
        return;
    row->make(&f, row->variant);
    bool ok = gv_compile(f.file.bytes.data, f.file.bytes.size, &params, gv_test_append,
                         &payload, NULL, &err) &&
              gv_payload_open_memory(&p, payload.data, payload.size, 0, &err);
    CHECK_ROW(name, ok);
    if (ok) {
        CHECK_ROW(name, gv_text_disassemble(&p, text, &err));
        gv_payload_finish(&p);
        gv_bytes_u8(text, 0);
        const char *at = strstr((const char *)text->data, "\n# chunk 0");
        CHECK_ROW(name, at);
        text->size = at ? strlen(at + 1) : 0;
        if (at)
            memmove(text->data, at + 1, text->size);
    }
    gv_bytes_finish(&payload);
    aero_scene_finish(&f);
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : "tests/golden";
    bool update = argc > 2 && !strcmp(argv[2], "--update");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[4096];
        struct gv_bytes text = { 0 };
        struct gv_error err = GV_ERROR_INIT;
        struct gv_file file;
        snprintf(path, sizeof path, "%s/aerogpu_%s.gvt", folder, names[i]);
        code_of(names[i], &text);
        if (update) {
            CHECK_ROW(names[i], gv_file_write(path, text.data, text.size, &err));
        } else if (gv_file_open(&file, path, &err)) {
            CHECK_ROW(names[i], text.data && file.size == text.size &&
                                    !memcmp(file.data, text.data, text.size));
            gv_file_close(&file);
        } else {
            fprintf(stderr, "[%s] %s\n", names[i], err.message);
            gv_test_failures++;
        }
        gv_bytes_finish(&text);
    }
    return TEST_RESULT();
}

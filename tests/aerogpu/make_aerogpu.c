// Writes AeroGPU captures.
//   make_aerogpu demo FILE                     the demo picture
//   make_aerogpu fixtures FOLDER               every fixture, and FOLDER/expect.tsv
//   make_aerogpu stress-uploads FILE MB        uploads
//   make_aerogpu stress-noise FILE MB          noise, in one frame
//   make_aerogpu stress-commands FILE MB       small packets
//   make_aerogpu stress-frames FILE FRAMES DRAWS
//   make_aerogpu stress-constants FILE FRAMES BYTES
#include "resources/base/file.h"
#include "tests/aerogpu/aerogpu_stress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int say(const struct gv_error *err)
{
    fprintf(stderr, "make_aerogpu: %s\n", err->message);
    return 1;
}

static int write_file(const char *path, struct aero_file *f)
{
    struct gv_error err = GV_ERROR_INIT;
    bool ok =
        !f->bytes.failed && gv_file_write(path, f->bytes.data, f->bytes.size, &err);
    aero_file_finish(f);
    return ok ? 0 : say(&err);
}

// A row of expect.tsv for each frame, with the columns of the public corpus.
static void expect_rows(const struct aero_fixture *row, const struct aero_scene *f,
                        struct gv_bytes *out)
{
    for (uint32_t frame = 0; frame < f->frame; frame++) {
        gv_bytes_printf(out, "%s.aerogputrace\t%u\t%u\t%u\t-\t", row->name, frame,
                        f->width[frame], f->height[frame]);
        const char *separator = "";
        for (uint32_t i = 0; i < f->probe_count; i++) {
            const struct aero_probe *p = &f->probes[i];
            if (p->frame != frame)
                continue;
            gv_bytes_printf(out, "%s%u,%u,%u,%u,%u,%u", separator, p->x, p->y,
                            p->rgba[0], p->rgba[1], p->rgba[2], p->rgba[3]);
            separator = ";";
        }
        gv_bytes_printf(out, "\t%u\t-\trule\t%s\n", f->tolerance, row->rule);
    }
}

static int write_fixtures(const char *folder)
{
    static struct aero_scene f;
    struct gv_bytes table = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    bool ok = gv_make_folders(folder, &err);
    gv_bytes_printf(&table, "# file\tframe\twidth\theight\tgolden\tpixels\ttolerance\t"
                            "sha256\tsource\tnote\n");
    for (size_t t = 0; ok && t < aero_fixture_table_count; t++)
        for (const struct aero_fixture *r = aero_fixture_tables[t]; ok && r->name;
             r++) {
            char path[4096];
            r->make(&f, r->variant);
            expect_rows(r, &f, &table);
            snprintf(path, sizeof path, "%s/%s.aerogputrace", folder, r->name);
            ok = gv_file_write(path, f.file.bytes.data, f.file.bytes.size, &err);
            aero_scene_finish(&f);
        }
    if (ok) {
        char path[4096];
        snprintf(path, sizeof path, "%s/expect.tsv", folder);
        ok = gv_file_write(path, table.data, table.size, &err);
    }
    gv_bytes_finish(&table);
    return ok ? 0 : say(&err);
}

int main(int argc, char **argv)
{
    struct aero_file f = { 0 };
    const char *what = argc > 2 ? argv[1] : "";
    uint32_t n = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 0;
    uint32_t m = argc > 4 ? (uint32_t)strtoul(argv[4], NULL, 10) : 0;
    if (!strcmp(what, "fixtures"))
        return write_fixtures(argv[2]);
    if (!strcmp(what, "demo"))
        aero_demo(&f);
    else if (!strcmp(what, "stress-uploads") && n)
        aero_stress_uploads(&f, n);
    else if (!strcmp(what, "stress-noise") && n)
        aero_stress_noise(&f, n);
    else if (!strcmp(what, "stress-commands") && n)
        aero_stress_commands(&f, n);
    else if (!strcmp(what, "stress-frames") && n && m)
        aero_stress_frames(&f, n, m);
    else if (!strcmp(what, "stress-constants") && n && m)
        aero_stress_constants(&f, n, m);
    else {
        fprintf(stderr, "usage: make_aerogpu demo FILE | fixtures FOLDER |\n"
                        "       stress-uploads FILE MB | stress-noise FILE MB |\n"
                        "       stress-commands FILE MB |\n"
                        "       stress-frames FILE FRAMES DRAWS |\n"
                        "       stress-constants FILE FRAMES BYTES\n");
        return 2;
    }
    return write_file(argv[2], &f);
}

// `gpuvm compare`: two pictures, or those of two folders, and what differs.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "resources/base/file.h"
#include "tools/base/json.h"
#include "tools/input_guard.h"
#include "tools/output_file.h"
#include "tools/picture/picture_file.h"
#include "tools/process/memory_bound.h"
#include "tools/program.h"
#include "tools/verdict/picture_pairs.h"
#include "tools/verdict/verdict.h"

struct compare_options {
    const char *tolerance, *mask, *diff;
    uint64_t mem_mb;
    bool alpha, flip, header, json;
};

struct comparing {
    const struct compare_options *options;
    struct gv_verdict_params params;
    struct gv_picture_pairs pairs;
    struct gv_pixels mask;
    struct gv_input_guard guard;
    struct gv_picture_encoder encoder;
    struct gv_json json;
    const char *subject; // of an error: a file, or NULL
    size_t failed;       // pairs that are not as expected
    enum gv_exit code;   // GV_EXIT_REJECTED: some picture could not be read
};

// ---- what differs ----

// Whether another pair has the name up to its ending, too.
static bool is_shared(const struct comparing *c, const struct gv_picture_pair *pair,
                      size_t stem)
{
    for (size_t i = 0; i < c->pairs.count; i++) {
        const char *name = c->pairs.items[i].name, *dot = strrchr(name, '.');
        if (&c->pairs.items[i] != pair && dot && (size_t)(dot - name) == stem &&
            memcmp(name, pair->name, stem) == 0)
            return true;
    }
    return false;
}

// Of a pair of files the name that was given; of folders one in the folder: b.png of
// b.ppm, or b.ppm.png where there is another b.
static bool diff_path(const struct comparing *c, const struct gv_picture_pair *pair,
                      char path[4096], struct gv_error *err)
{
    const char *end = c->pairs.folders ? strrchr(pair->name, '.') : NULL;
    size_t kept = end ? (size_t)(end - pair->name) : 0;
    if (end && is_shared(c, pair, kept))
        kept = strlen(pair->name);
    const int length = end ? snprintf(path, 4096, "%s/%.*s.png", c->options->diff,
                                      (int)kept, pair->name)
                           : snprintf(path, 4096, "%s", c->options->diff);
    return (length > 0 && length < 4096) ||
           gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET, "file name too long");
}

static bool write_diff(struct comparing *c, const struct gv_picture_pair *pair,
                       const struct gv_pixels *a, const struct gv_pixels *b,
                       struct gv_error *err)
{
    char path[4096];
    struct gv_pixels diff = { 0 };
    const uint8_t *data;
    size_t size;
    const bool ok = diff_path(c, pair, path, err) &&
                    (!c->pairs.folders || gv_make_folders_of(path, err)) &&
                    gv_guard_check(&c->guard, path, err) &&
                    gv_verdict_diff(&diff, a, b, &c->params, err) &&
                    gv_picture_encode(&c->encoder, GV_PICTURE_PNG, diff.rgba,
                                      diff.width, diff.height, &data, &size, err) &&
                    gv_output_file_put(path, data, size, err);
    gv_pixels_finish(&diff);
    return ok;
}

// ---- lines ----

static void print_header(void)
{
    printf("verdict\tname\tsize\tover_0_%%\tover_1_%%\tover_2_%%\tover_8_%%\tlargest\t"
           "largest_at\tbox\tpsnr\tflip_mean\tflip_p99\twhy\n");
}

// Figures of pictures of one size; "-" for what is not known.
static void print_figures(const struct gv_verdict *v)
{
    printf("%ux%u", v->width, v->height);
    for (int i = 0; i < GV_VERDICT_STEPS; i++)
        printf("\t%.4f", gv_verdict_share(v, v->off[i]));
    printf("\t%u", v->largest);
    if (v->off[0])
        printf("\t%u,%u\t%u,%u,%u,%u", v->largest_x, v->largest_y, v->left, v->top,
               v->right, v->bottom);
    else
        printf("\t-\t-");
    if (isfinite(v->psnr))
        printf("\t%.3f", v->psnr);
    else
        printf("\tinf");
    if (v->perceptual)
        printf("\t%.5f\t%.5f", v->flip_mean, v->flip_p99);
    else
        printf("\t-\t-");
}

static void print_row(const char *word, const char *name, const struct gv_verdict *v,
                      const char *why)
{
    printf("%s\t", word);
    gv_print_foreign(stdout, name);
    putchar('\t');
    if (v && gv_verdict_same_size(v))
        print_figures(v);
    else
        printf("-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-");
    putchar('\t');
    gv_print_foreign(stdout, why);
    putchar('\n');
}

static void put_row(struct comparing *c, const char *word, const char *name,
                    const struct gv_verdict *v, const char *why)
{
    const bool pass = v && v->pass;
    c->failed += !pass;
    if (!c->options->json) {
        print_row(word, name, v, why);
        return;
    }
    gv_json_begin(&c->json, NULL);
    gv_json_text(&c->json, "name", name);
    gv_json_text(&c->json, "verdict", word);
    if (!pass)
        gv_json_text(&c->json, "why", why);
    if (v)
        gv_verdict_json(v, &c->json);
    gv_json_end(&c->json);
}

// ---- pairs ----

// A picture that cannot be read is told, and the others are compared all the same.
static bool load(struct comparing *c, struct gv_pixels *pixels, const char *path,
                 const char *name, struct gv_error *err)
{
    struct gv_error mine = GV_ERROR_INIT;
    if (gv_pixels_load(pixels, path, &mine))
        return true;
    if (!c->pairs.folders) {
        c->subject = path;
        *err = mine;
        return false;
    }
    char why[300];
    gv_error_describe(why, sizeof why, NULL, &mine, GV_PHASE_LOAD);
    gv_say("%s: %s", path, why);
    put_row(c, "error", name, NULL, why);
    c->code = gv_exit_of(mine.status, GV_PHASE_LOAD);
    return false;
}

static bool compare_pixels(struct comparing *c, const struct gv_picture_pair *pair,
                           const struct gv_pixels *a, const struct gv_pixels *b,
                           struct gv_error *err)
{
    struct gv_verdict v;
    if (!gv_verdict_make(&v, a, b, &c->params, err))
        return false;
    put_row(c, v.pass ? "pass" : "fail", pair->name, &v, v.why);
    const bool wanted = c->options->diff &&
                        (!c->pairs.folders || v.off[0] || !gv_verdict_same_size(&v));
    return !wanted || write_diff(c, pair, a, b, err);
}

static bool compare_pair(struct comparing *c, const struct gv_picture_pair *pair,
                         struct gv_error *err)
{
    struct gv_pixels a = { 0 }, b = { 0 };
    if (!pair->expected || !pair->actual) {
        put_row(c, pair->expected ? "missing" : "extra", pair->name, NULL,
                pair->expected ? "there is none in the second folder"
                               : "there is none in the first folder");
        return true;
    }
    bool ok = true;
    if (load(c, &a, pair->expected, pair->name, err) &&
        load(c, &b, pair->actual, pair->name, err))
        ok = compare_pixels(c, pair, &a, &b, err);
    gv_pixels_finish(&a);
    gv_pixels_finish(&b);
    return ok && err->status == GV_OK;
}

static bool prepare(struct comparing *c, const char *const paths[2],
                    struct gv_error *err)
{
    const struct compare_options *o = c->options;
    if (!gv_tolerance_parse(o->tolerance, &c->params.tolerance, err) ||
        !gv_picture_pairs_find(&c->pairs, paths[0], paths[1], err))
        return false;
    gv_guard_input(&c->guard, o->mask);
    for (size_t i = 0; i < c->pairs.count; i++) {
        gv_guard_input(&c->guard, c->pairs.items[i].expected);
        gv_guard_input(&c->guard, c->pairs.items[i].actual);
    }
    c->subject = o->mask;
    if (o->mask && !gv_pixels_load(&c->mask, o->mask, err))
        return false;
    c->subject = NULL;
    c->params.mask = o->mask ? &c->mask : NULL;
    return gv_guard_output(&c->guard, "-", err) &&
           (!o->diff || !c->pairs.folders || gv_make_folders(o->diff, err));
}

static void begin_json(struct comparing *c, const char *const paths[2])
{
    gv_json_result(&c->json);
    gv_json_text(&c->json, "expected", paths[0]);
    gv_json_text(&c->json, "actual", paths[1]);
    gv_json_text(&c->json, "tolerance", c->options->tolerance);
    gv_json_array(&c->json, "pictures");
}

static void end_json(struct comparing *c, enum gv_exit code)
{
    gv_json_array_end(&c->json);
    gv_json_number(&c->json, "compared", c->pairs.count);
    gv_json_number(&c->json, "failed", c->failed);
    gv_json_text(&c->json, "status", gv_exit_word(code));
    gv_json_end(&c->json);
    gv_json_print(&c->json);
}

static enum gv_exit compare(struct comparing *c, const char *const paths[2])
{
    const struct compare_options *o = c->options;
    struct gv_error err = GV_ERROR_INIT;
    if (!prepare(c, paths, &err))
        return gv_report_error(c->subject, &err, GV_PHASE_OPEN, o->json);
    if (o->json)
        begin_json(c, paths);
    else if (o->header || isatty(STDOUT_FILENO))
        print_header();
    bool ok = true;
    for (size_t i = 0; ok && i < c->pairs.count; i++)
        ok = compare_pair(c, &c->pairs.items[i], &err);
    if (!ok)
        return gv_report_error(c->subject, &err, GV_PHASE_LOAD, o->json);
    if (c->code == GV_EXIT_OK && c->failed)
        c->code = GV_EXIT_DIFFER;
    if (o->json)
        end_json(c, c->code);
    return c->code;
}

// clang-format off
static const struct gv_option options[] = {
    { .name = "tolerance",
      .kind = GV_OPTION_TEXT,
      .argument = "T",
      .offset = GV_OPTION_AT(compare_options, tolerance),
      .help = GV_TOLERANCE_FORMS " (exact)" },
    { .name = "mask",
      .kind = GV_OPTION_TEXT,
      .argument = "PNG",
      .offset = GV_OPTION_AT(compare_options, mask),
      .help = "pixels that are black there are not compared" },
    { .name = "alpha",
      .kind = GV_OPTION_FLAG,
      .offset = GV_OPTION_AT(compare_options, alpha),
      .help = "compare alpha like a colour; otherwise nobody looks at it" },
    { .name = "flip",
      .kind = GV_OPTION_FLAG,
      .offset = GV_OPTION_AT(compare_options, flip),
      .help = "show FLIP differences, whatever the tolerance" },
    { .name = "diff",
      .kind = GV_OPTION_TEXT,
      .argument = "PNG",
      .offset = GV_OPTION_AT(compare_options, diff),
      .help = "picture of what differs, amplified; grey where equal; of folders a folder" },
    { .name = "header",
      .kind = GV_OPTION_FLAG,
      .offset = GV_OPTION_AT(compare_options, header),
      .help = "names of columns, as on a terminal" },
    GV_OPTION_MEM_MB(compare_options, "private", "1024"),
    GV_OPTION_JSON(compare_options, "print JSON"),
    { 0 },
};
// clang-format on

static enum gv_exit run(const struct gv_program *program, int argc, char **argv)
{
    struct compare_options o = { .tolerance = "exact", .mem_mb = GV_LOOK_MEM_MB };
    struct gv_operands operands;
    enum gv_exit code;
    if (!gv_options_parse(program, &gv_cmd_compare, argc, argv, &o, &operands, &code))
        return code;
    if (o.json &&
        !gv_options_idle(&operands.given, "header", "--json has names", &code))
        return code;
    gv_bound_memory(o.mem_mb);
    struct comparing c = { .options = &o,
                           .params = { .alpha = o.alpha, .perceptual = o.flip } };
    code = compare(&c, operands.items);
    gv_picture_encoder_finish(&c.encoder);
    gv_guard_finish(&c.guard);
    gv_pixels_finish(&c.mask);
    gv_picture_pairs_finish(&c.pairs);
    gv_json_finish(&c.json);
    return code;
}

const struct gv_command gv_cmd_compare = {
    .name = "compare",
    .operands = "EXPECTED ACTUAL",
    .operand_min = 2,
    .operand_max = 2,
    .what = "compare two pictures, or those of two folders",
    .run = run,
    .options = options,
    .examples =
        "compare expected.png actual.png --tolerance gl\n"
        "compare expected.png actual.png --tolerance perceptual --diff diff.png\n"
        "compare expected actual --tolerance 2,0.5 --header\n",
    .notes =
        "EXPECTED and ACTUAL: two PNG or PNM files, or two folders of them.\n"
        "SHARE and SHARE-OF-DRAWN: per cent of pixels that may be off by more than\n"
        "LEVELS, of all and of those that differ from the commonest colour.\n"
        "gl: 2,0.5,2. MEAN and P99: FLIP differences, from 0 to 1.\n",
};

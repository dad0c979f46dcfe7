#include "tools/run/run_interactive.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "resources/base/file.h"
#include "tools/base/report.h"
#include "tools/picture/picture_file.h"
#include "tools/verdict/hash_frame.h"
#include "vm/machine/progress.h"

struct talk {
    struct gv_run_walk *walk;
    struct gv_run_session *session;
    struct gv_picture picture; // of frame `number`, if there is one
    uint64_t number;
    bool shown;
    struct gv_picture_encoder encoder;
};

bool gv_run_interactive_check(const struct gv_run_options *o, struct gv_error *err)
{
    const struct {
        const char *name;
        bool given;
    } others[] = {
        { "--frames", o->frames },
        { "--screenshots", o->screenshots || o->differing },
        { "--calls", o->calls.count },
        { "--expect", o->expect },
        { "--export", o->exports.count },
        { "--hash-export", o->hash_exports.count },
        { "--loop", o->loop > 1 },
        { "--json", o->json },
    };
    for (size_t i = 0; o->interactive && i < sizeof others / sizeof *others; i++)
        if (others[i].given)
            return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                           "--interactive goes without %s: frames come as lines",
                           others[i].name);
    return !(o->interactive || o->prewarm) || strcmp(o->file, "-") != 0 ||
           gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                   "standard input is for lines: FILE cannot be `-`");
}

// ---- frames ----

// Runs to a frame: from where the pass is, from a keyframe or from the beginning, all
// of the code or what it needs.
static bool run_to(struct talk *t, uint64_t number, struct gv_error *err)
{
    struct gv_run_walk *w = t->walk;
    gv_picture_finish(&t->picture);
    t->shown = false;
    const struct gv_replay *r = &t->session->replay;
    if (!gv_run_walk_jump(w, number, err))
        return false;
    while (r->next <= number)
        if (!gv_run_walk_on(w, r->next == number ? &t->picture : NULL, err))
            return false;
    t->shown = true;
    t->number = number;
    return true;
}

static bool show(struct talk *t, uint64_t number, struct gv_error *err)
{
    uint64_t count = t->session->plan->frame_count;
    if (number >= count)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "frame %" PRIu64 " is out of range: there are %" PRIu64, number,
                       count);
    return (t->shown && t->number == number) || run_to(t, number, err);
}

// ---- answers ----

static void put_frame(const struct talk *t, const char *last)
{
    printf("frame\t%" PRIu64 "\t", t->number);
    if (t->picture.width)
        printf("%ux%u\t", t->picture.width, t->picture.height);
    else
        printf("none\t");
    gv_print_foreign(stdout, last);
    putchar('\n');
}

static bool answer_hash(struct talk *t, struct gv_error *err)
{
    char hash[GV_HASH_FRAME_TEXT] = "none";
    const struct gv_picture *p = &t->picture;
    if (p->width &&
        !gv_hash_frame(hash, t->session->plan->forms[0], p->rgba, p->width, p->height))
        return gv_out_of_memory(err);
    put_frame(t, hash);
    return true;
}

// The file of a name that somebody sends: in the folder that was named beforehand, and
// nowhere else, as for all that the run writes.
static bool path_of(const struct talk *t, const char *name, char path[GV_RUN_PATH],
                    enum gv_picture_format *format, struct gv_error *err)
{
    const char *folder = t->session->plan->folder;
    if (!folder)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "pictures need --screenshot-dir DIR");
    if (strchr(name, '/') || name[0] == '.')
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "'%.64s' is no name in the folder for pictures", name);
    if (!gv_picture_format_of_path(name, format))
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "'%.64s' ends in neither .png nor .ppm", name);
    int length = snprintf(path, GV_RUN_PATH, "%s/%s", folder, name);
    return (length > 0 && length < GV_RUN_PATH) ||
           gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET, "file name too long");
}

static bool answer_file(struct talk *t, const char *name, struct gv_error *err)
{
    char path[GV_RUN_PATH];
    enum gv_picture_format format;
    const uint8_t *data;
    size_t size;
    const struct gv_picture *p = &t->picture;
    if (!path_of(t, name, path, &format, err) ||
        !gv_guard_check(t->session->guard, path, err))
        return false;
    if (!p->width)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                       "frame %" PRIu64 " has no picture", t->number);
    if (!gv_picture_encode(&t->encoder, format, p->rgba, p->width, p->height, &data,
                           &size, err) ||
        !gv_file_write(path, data, size, err))
        return false;
    put_frame(t, path);
    return true;
}

// "N" or "N FILE"
static bool answer(struct talk *t, const char *line, struct gv_error *err)
{
    char *end;
    errno = 0;
    uint64_t number = strtoull(line, &end, 10);
    if (!isdigit((unsigned char)line[0]) || errno || (*end && *end != ' '))
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "'%.64s' is none of N, N FILE, quit", line);
    while (*end == ' ')
        end++;
    return show(t, number, err) &&
           (*end ? answer_file(t, end, err) : answer_hash(t, err));
}

static void put_error(const struct gv_error *err)
{
    printf("error\t");
    gv_print_foreign(stdout, err->message);
    putchar('\n');
}

#define WAIT_MS 1000 // how often somebody who waits says so

// An answer is a sign of life, and who does not read it yet is waited for.
static void send_answer(struct gv_progress *progress)
{
    struct pollfd out = { .fd = STDOUT_FILENO, .events = POLLOUT };
    do
        gv_progress_alive(progress);
    while (poll(&out, 1, WAIT_MS) == 0);
    fflush(stdout);
}

// False: the end of all, with `err` or without.
static bool answer_next(struct talk *t, struct gv_line_reader *lines,
                        struct gv_error *err)
{
    char line[GV_LINE_BYTES];
    bool ended;
    struct gv_error mine = GV_ERROR_INIT;
    bool read = gv_line_reader_next(lines, line, &ended, &mine);
    if (read && (ended || strcmp(line, "quit") == 0))
        return false;
    if (!read || !answer(t, line, &mine))
        put_error(&mine);
    send_answer(lines->progress);
    bool over = mine.status == GV_ERR_LOST || (!read && mine.status == GV_ERR_SYSTEM);
    if (over)
        *err = mine;
    return !over && !ferror(stdout);
}

bool gv_run_interactive(struct gv_run_walk *walk, struct gv_line_reader *lines,
                        struct gv_error *err)
{
    struct talk t = { .walk = walk, .session = walk->session };
    while (answer_next(&t, lines, err)) {
    }
    gv_picture_finish(&t.picture);
    gv_picture_encoder_finish(&t.encoder);
    return err->status == GV_OK;
}

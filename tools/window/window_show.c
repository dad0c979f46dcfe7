#define _GNU_SOURCE // ppoll
#include "tools/window/window_show.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "resources/base/now.h"
#include "tools/base/child_line.h"
#include "tools/base/report.h"
#include "tools/window/sdl_library.h"
#include "tools/window/window_line.h"
#include "tools/window/window_play.h"
#include "tools/window/window_view.h"

#define DEFAULT_MILLIHZ 60000
#define AHEAD 2             // frames asked for beyond the one that is next
#define LOOK_NS 8000000u    // how often the window system is asked for events
#define TITLE_NS 250000000u // how often a running title changes
#define NOTE_NS 2000000000u // how long a note is there
#define BAR_NS 1500000000u  // how long the bar is there behind the mouse
#define FIRST_WIDTH 640
#define FIRST_HEIGHT 480
#define SHORT_TEXT 512

// One file that is played.
struct file {
    char name[GV_WINDOW_TEXT], prefix[GV_WINDOW_TEXT];
    char device[SHORT_TEXT];
    char said[SHORT_TEXT];     // the last line of standard error
    char sentence[SHORT_TEXT]; // over the picture: why it does not go on
    int code;                  // with which it ended, once there is a sentence
    uint64_t index, count;     // of the list
    int replay;                // the line to who replays, or -1
    bool hello;                // heard of it
    bool once;                 // its frames come once
    struct gv_window_memory memory;
    struct gv_play play;
    struct gv_recent recent;
    uint64_t asked[GV_WINDOW_SLOTS]; // frames on their way, or GV_PLAY_NONE
};

struct show {
    const struct gv_window_params *params;
    struct gv_sdl *sdl;
    struct gv_canvas canvas;
    int program;
    struct file file;
    bool sized; // the window has had its first picture's size
    bool other; // there are other files to look at, or was one before
    bool dirty, info, help, full, dragging, over;
    char note[SHORT_TEXT], title[SHORT_TEXT];
    uint64_t note_until, bar_until, title_at; // 0: not now
};

// Whom to tell, should a library end the process: that of X does when its server goes.
static struct {
    int program, replay;
    bool over;
} last = { -1, -1, true };

static void on_exit_by_library(void)
{
    if (last.over)
        return;
    if (last.replay >= 0)
        gv_window_line_say(last.replay, GV_WINDOW_GONE, "");
    gv_window_line_say(last.program, GV_WINDOW_CLOSED, "");
    _exit(GV_EXIT_OUTPUT);
}

static void put_note(struct show *s, const char *text)
{
    snprintf(s->note, sizeof s->note, "%.500s", text);
    s->note_until = gv_now_ns() + NOTE_NS;
    s->dirty = true;
}

// ---- the file ----

static void close_replay(struct file *f)
{
    if (f->replay >= 0)
        close(f->replay);
    f->replay = last.replay = -1;
    gv_window_memory_finish(&f->memory);
    for (size_t i = 0; i < GV_WINDOW_SLOTS; i++)
        f->asked[i] = GV_PLAY_NONE;
}

static void leave_replay(struct file *f)
{
    if (f->replay >= 0)
        gv_window_line_say(f->replay, GV_WINDOW_LEAVE, "");
    close_replay(f);
}

static void clear_file(struct file *f)
{
    leave_replay(f);
    gv_recent_clear(&f->recent);
    *f = (struct file){ .replay = -1, .memory = GV_WINDOW_MEMORY_NONE };
    for (size_t i = 0; i < GV_WINDOW_SLOTS; i++)
        f->asked[i] = GV_PLAY_NONE;
}

// How evenly it was shown, of frames since the last pause.
static void say_how(const struct show *s)
{
    const uint64_t shown = s->file.play.times;
    const struct gv_pacing *p = &s->file.play.pacing;
    const uint64_t rate = gv_pacing_run_millihz(p);
    if (s->params->quiet || !shown)
        return;
    char even[64] = "";
    if (rate)
        snprintf(even, sizeof even, ", lately %" PRIu64 ".%03" PRIu64 " a second",
                 rate / 1000, rate % 1000);
    gv_say("%s: showed %" PRIu64 " frame%s%s; %" PRIu64 " late", s->file.name, shown,
           gv_plural(shown), even, p->late);
}

static void open_file(struct show *s, const struct gv_window_message *m, int passed)
{
    struct file *f = &s->file;
    const char *behind = strchr(m->text, '\n');
    s->other = s->params->list || f->name[0];
    say_how(s);
    clear_file(f);
    snprintf(f->name, sizeof f->name, "%.*s", (int)strcspn(m->text, "\n"), m->text);
    snprintf(f->prefix, sizeof f->prefix, "%s", behind ? behind + 1 : "");
    f->index = m->frame;
    f->count = m->count;
    f->replay = last.replay = passed;
    gv_play_init(&f->play, 0, 1, DEFAULT_MILLIHZ);
    s->dirty = true;
}

static void end_file(struct show *s, int code)
{
    struct file *f = &s->file;
    const bool failed = code != GV_EXIT_OK;
    f->code = code;
    if (failed)
        snprintf(f->sentence, sizeof f->sentence, "%s",
                 f->said[0] ? f->said : gv_exit_word((enum gv_exit)code));
    // One that nobody has seen anything of is told about on standard error alone.
    if (failed && !s->other && f->recent.count == 0)
        s->over = true;
    close_replay(f);
    s->dirty = true;
}

static void hear_program(struct show *s)
{
    struct gv_window_message m;
    int passed = -1;
    const enum gv_window_heard heard =
        gv_window_line_take(s->program, &m, &passed, false);
    if (heard == GV_WINDOW_ENDS)
        s->over = true;
    if (heard == GV_WINDOW_HEARD && m.word == GV_WINDOW_OPEN) {
        open_file(s, &m, passed);
        return;
    }
    if (heard == GV_WINDOW_HEARD && m.word == GV_WINDOW_SAID)
        snprintf(s->file.said, sizeof s->file.said, "%.500s", m.text);
    if (heard == GV_WINDOW_HEARD && m.word == GV_WINDOW_ENDED)
        end_file(s, m.number);
    if (passed >= 0)
        close(passed);
}

// ---- who replays ----

// What was asked for, else what its source says.
static uint32_t rate_of(const struct show *s, uint32_t millihz)
{
    if (s->params->millihz)
        return s->params->millihz;
    return millihz >= GV_PACING_MIN_MILLIHZ && millihz <= GV_PACING_MAX_MILLIHZ
               ? millihz
               : DEFAULT_MILLIHZ;
}

static struct gv_aspect aspect_of(const struct show *s,
                                  const struct gv_window_message *m)
{
    const struct gv_aspect own = { m->aspect_width, m->aspect_height };
    if (s->params->has_aspect)
        return s->params->aspect;
    return own.width && own.height && own.width <= GV_CANVAS_MAX &&
                   own.height <= GV_CANVAS_MAX
               ? own
               : (struct gv_aspect){ 0, 0 };
}

static void take_hello(struct show *s, const struct gv_window_message *m, int passed)
{
    struct file *f = &s->file;
    if (f->hello || passed < 0 || !gv_window_memory_map(&f->memory, passed, m->bytes))
        return;
    f->hello = true;
    snprintf(f->device, sizeof f->device, "%.500s", m->text);
    f->once = m->number != 0;
    if (f->once)
        gv_play_init_stream(&f->play, rate_of(s, 0));
    else
        gv_play_init(&f->play, m->count, s->params->passes, rate_of(s, 0));
    if (m->count == 0 && !f->once)
        put_note(s, "there are no frames");
}

// No more come: what was asked for beyond them is not on its way.
static void take_end(struct show *s, uint64_t count)
{
    struct file *f = &s->file;
    if (!f->play.comes || count < f->play.count)
        return;
    gv_play_came_all(&f->play, count);
    for (size_t i = 0; i < GV_WINDOW_SLOTS; i++)
        f->asked[i] = GV_PLAY_NONE;
    if (count == 0)
        put_note(s, "there are no frames");
    s->title_at = 0;
}

static void first_size(struct show *s, const struct gv_window_picture *picture)
{
    int width, height;
    if (s->sized || !picture->width || s->full)
        return;
    gv_layout_first_size(picture->width, picture->height, picture->aspect, &width,
                         &height);
    gv_sdl_resize(s->sdl, width, height);
    s->sized = true;
}

static void take_picture(struct show *s, const struct gv_window_message *m)
{
    struct file *f = &s->file;
    const uint64_t size = (uint64_t)m->width * m->height * 4;
    if (!f->memory.shared.bytes || m->slot >= GV_WINDOW_SLOTS ||
        m->width > GV_CANVAS_MAX || m->height > GV_CANVAS_MAX ||
        size > f->memory.bytes || f->asked[m->slot] != m->frame)
        return;
    const struct gv_window_picture picture = {
        .frame = m->frame,
        .command = m->command,
        .stalls = m->stalls,
        .width = size ? m->width : 0,
        .height = size ? m->height : 0,
        .millihz = rate_of(s, m->millihz),
        .aspect = aspect_of(s, m),
        .rgba = gv_window_memory_slot(&f->memory, m->slot),
    };
    f->asked[m->slot] = GV_PLAY_NONE;
    first_size(s, &picture);
    if (!gv_recent_add(&f->recent, &picture))
        put_note(s, "out of memory");
    if (f->once && f->recent.count)
        gv_play_came(&f->play, m->frame, f->recent.items[0].frame);
}

static void hear_replay(struct show *s)
{
    struct file *f = &s->file;
    struct gv_window_message m;
    while (f->replay >= 0) {
        int passed = -1;
        const enum gv_window_heard heard =
            gv_window_line_take(f->replay, &m, &passed, false);
        if (heard == GV_WINDOW_HEARD && m.word == GV_WINDOW_HELLO) {
            take_hello(s, &m, passed);
            continue; // the memory has taken what came with it
        }
        if (passed >= 0)
            close(passed);
        if (heard == GV_WINDOW_ENDS)
            close_replay(f);
        if (heard != GV_WINDOW_HEARD)
            return;
        if (m.word == GV_WINDOW_PICTURE)
            take_picture(s, &m);
        if (m.word == GV_WINDOW_CAME)
            take_end(s, m.count);
        if (m.word == GV_WINDOW_SAID)
            snprintf(f->said, sizeof f->said, "%.500s", m.text);
    }
}

// ---- what is wanted ----

static bool is_asked(const struct file *f, uint64_t frame)
{
    for (size_t i = 0; i < GV_WINDOW_SLOTS; i++)
        if (f->asked[i] == frame)
            return true;
    return false;
}

static bool ask(struct file *f, uint64_t frame)
{
    for (uint32_t i = 0; i < GV_WINDOW_SLOTS; i++) {
        if (f->asked[i] != GV_PLAY_NONE)
            continue;
        const struct gv_window_message m = { .word = GV_WINDOW_SHOW,
                                             .slot = i,
                                             .frame = frame };
        f->asked[i] = frame;
        return gv_window_line_send(f->replay, &m, -1);
    }
    return false;
}

// Asks for what is shown next, and while it plays for what follows. A jump waits for
// what is on its way: of many jumps (the mouse) only the last one counts.
static void ask_ahead(struct file *f)
{
    const bool jump = f->play.target != GV_PLAY_NONE;
    uint64_t frame = gv_play_next(&f->play);
    if (f->replay < 0 || !f->hello)
        return;
    for (int i = 0; i <= AHEAD && frame != GV_PLAY_NONE; i++) {
        const bool there = gv_recent_find(&f->recent, frame) || is_asked(f, frame);
        if (!there && jump)
            for (size_t k = 0; k < GV_WINDOW_SLOTS; k++)
                if (f->asked[k] != GV_PLAY_NONE)
                    return;
        if ((!there && !ask(f, frame)) || jump)
            return;
        frame = gv_play_after(&f->play, frame);
    }
}

// Shows what is there and due.
static void go_on(struct show *s)
{
    struct file *f = &s->file;
    const uint64_t now = gv_now_ns(), next = gv_play_next(&f->play);
    if (next == GV_PLAY_NONE || now < gv_play_due_ns(&f->play))
        return;
    const struct gv_window_picture *picture = gv_recent_find(&f->recent, next);
    if (!picture)
        return;
    gv_play_show(&f->play, now);
    gv_pacing_set_rate(&f->play.pacing, picture->millihz);
    s->dirty = true;
}

// ---- words over the picture ----

static void put_speed(char *text, size_t size, int speed)
{
    if (speed < 0)
        snprintf(text, size, "1/%dx", 1 << -speed);
    else
        snprintf(text, size, "%dx", 1 << speed);
}

static void put_title(struct show *s)
{
    const struct file *f = &s->file;
    const struct gv_play *p = &f->play;
    struct {
        char list[64], frame[96], speed[16], loop[64];
    } t = { "", "", "", "" };
    char title[SHORT_TEXT];
    if (f->count > 1)
        snprintf(t.list, sizeof t.list, "[%" PRIu64 "/%" PRIu64 "] ", f->index + 1,
                 f->count);
    if (p->comes && p->shown != GV_PLAY_NONE)
        snprintf(t.frame, sizeof t.frame, " - frame %" PRIu64, p->shown);
    else if (p->count && p->shown != GV_PLAY_NONE)
        snprintf(t.frame, sizeof t.frame, " - frame %" PRIu64 " of %" PRIu64, p->shown,
                 p->count);
    if (p->pacing.speed)
        put_speed(t.speed, sizeof t.speed, p->pacing.speed);
    if (p->loop == GV_PLAY_LOOP_BEGUN)
        snprintf(t.loop, sizeof t.loop, " - loop %" PRIu64 "-", p->loop_begin);
    if (p->loop == GV_PLAY_LOOPS)
        snprintf(t.loop, sizeof t.loop, " - loop %" PRIu64 "-%" PRIu64, p->loop_begin,
                 p->loop_end);
    snprintf(title, sizeof title, "%s%.200s%s%s%s%s%s%s%s", t.list, f->name, t.frame,
             f->sentence[0]     ? " - ended: "
             : !f->hello        ? " - loading"
             : p->paused        ? " - paused"
             : gv_play_ended(p) ? " - at the end"
                                : "",
             f->sentence[0] ? gv_exit_word((enum gv_exit)f->code) : "",
             t.speed[0] ? " - " : "", t.speed, t.loop, s->full ? " - full screen" : "");
    if (strcmp(title, s->title) == 0)
        return;
    snprintf(s->title, sizeof s->title, "%s", title);
    gv_sdl_title(s->sdl, title);
}

static void put_help(char *text, size_t size)
{
    size_t at = 0;
    text[0] = '\0';
    for (size_t i = 0; i < gv_window_key_count && at < size; i++)
        if (gv_window_keys[i].keys)
            at += (size_t)snprintf(text + at, size - at, "%-11s%s\n",
                                   gv_window_keys[i].keys, gv_window_keys[i].what);
}

static void put_info(const struct show *s, char *text, size_t size)
{
    const struct file *f = &s->file;
    const struct gv_pacing *pacing = &f->play.pacing;
    const struct gv_window_picture *p = gv_recent_find(&f->recent, f->play.shown);
    const uint64_t measured = gv_pacing_measured_millihz(pacing);
    char speed[16];
    put_speed(speed, sizeof speed, pacing->speed);
    if (!p) {
        snprintf(text, size, "%.1000s\n", f->name);
        return;
    }
    snprintf(text, size,
             "frame %" PRIu64 " of %" PRIu64 ", command %" PRIu64 "\n"
             "%" PRIu64 ".%02" PRIu64 " of %u.%02u fps, %s, %" PRIu64 " late\n"
             "%ux%u, stalls %" PRIu64 "\n%s\n",
             p->frame, f->play.count, p->command, measured / 1000, measured % 1000 / 10,
             pacing->millihz / 1000, pacing->millihz % 1000 / 10, speed, pacing->late,
             p->width, p->height, p->stalls, f->device);
}

static void draw(struct show *s)
{
    const struct file *f = &s->file;
    char corner[2048];
    int width, height;
    const uint64_t now = gv_now_ns();
    gv_sdl_size(s->sdl, &width, &height);
    if (!gv_canvas_resize(&s->canvas, width, height))
        return; // minimised
    if (s->help)
        put_help(corner, sizeof corner);
    else if (s->info)
        put_info(s, corner, sizeof corner);
    const struct gv_window_view view = {
        .picture = gv_recent_find(&f->recent, f->play.shown),
        .corner = s->help || s->info ? corner : NULL,
        .sentence = f->sentence[0] ? f->sentence : NULL,
        .note = now < s->note_until ? s->note : NULL,
        .bar = s->dragging || now < s->bar_until,
        .at = f->play.shown == GV_PLAY_NONE ? 0 : f->play.shown,
        .count = f->play.count,
        .loops = f->play.loop == GV_PLAY_LOOPS,
        .loop_begin = f->play.loop_begin,
        .loop_end = f->play.loop_end,
    };
    gv_window_draw(&s->canvas, &view);
    s->dirty = !gv_sdl_show(s->sdl, &s->canvas);
}

// ---- keys and the mouse ----

static void save(struct show *s)
{
    const struct file *f = &s->file;
    const struct gv_window_picture *p = gv_recent_find(&f->recent, f->play.shown);
    struct gv_error err = GV_ERROR_INIT;
    char path[GV_WINDOW_TEXT + 32], note[GV_WINDOW_TEXT + 64];
    if (!p || !p->width) {
        put_note(s, "there is no picture");
        return;
    }
    snprintf(path, sizeof path, "%s%06" PRIu64 ".png", f->prefix, p->frame);
    if (s->params->save(path, p->rgba, p->width, p->height, &err))
        snprintf(note, sizeof note, "saved %s", path);
    else
        snprintf(note, sizeof note, "%s", err.message);
    put_note(s, note);
}

// The program hears of it once nobody replays.
static void want_file(struct show *s, enum gv_window_word word, int by,
                      const char *name)
{
    struct gv_window_message m = { .word = word, .number = by };
    if (word == GV_WINDOW_MOVE && s->file.count < 2) {
        put_note(s, "there is no other file");
        return;
    }
    snprintf(m.text, sizeof m.text, "%s", name);
    leave_replay(&s->file);
    gv_window_line_send(s->program, &m, -1);
}

static void act(struct show *s, const struct gv_window_key *key)
{
    switch (key->action) {
    case GV_WINDOW_SAVE:
        save(s);
        break;
    case GV_WINDOW_INFO:
        s->info = !s->info;
        break;
    case GV_WINDOW_HELP:
        s->help = !s->help;
        break;
    case GV_WINDOW_FULL_SCREEN:
        s->full = !s->full;
        gv_sdl_full_screen(s->sdl, s->full);
        break;
    case GV_WINDOW_FILE:
        want_file(s, GV_WINDOW_MOVE, key->number, "");
        break;
    case GV_WINDOW_QUIT:
        s->over = true;
        break;
    case GV_WINDOW_NONE:
    case GV_WINDOW_PAUSE:
    case GV_WINDOW_STEP:
    case GV_WINDOW_SEEK:
    case GV_WINDOW_SPEED:
    case GV_WINDOW_LOOP:
        gv_play_act(&s->file.play, key->action, key->number, gv_now_ns());
        s->title_at = 0;
        break;
    }
    s->dirty = true;
}

static void on_mouse(struct show *s, const struct gv_sdl_event *event)
{
    const struct gv_canvas_area bar = gv_layout_bar(s->canvas.width, s->canvas.height);
    const bool over = event->y >= bar.y && event->y < bar.y + bar.height;
    struct gv_play *play = &s->file.play;
    s->dragging = event->down && (over || s->dragging);
    if (s->dragging && play->count) {
        gv_play_seek(play, gv_layout_bar_frame(s->canvas.width, event->x, play->count));
        s->title_at = 0;
    }
    s->bar_until = gv_now_ns() + BAR_NS;
    s->dirty = true;
}

static void on_event(struct show *s, const struct gv_sdl_event *event)
{
    const struct gv_window_key *key;
    switch (event->kind) {
    case GV_SDL_KEY:
        key = gv_window_key_find(event->name);
        if (key)
            act(s, key);
        break;
    case GV_SDL_MOUSE:
        on_mouse(s, event);
        break;
    case GV_SDL_RESIZE:
        s->dirty = true;
        break;
    case GV_SDL_DROP:
        want_file(s, GV_WINDOW_DROP, 0, event->name);
        break;
    case GV_SDL_CLOSE:
        s->over = true;
        break;
    }
}

// ---- time ----

// What was there for a while goes.
static void expire(struct show *s, uint64_t now)
{
    uint64_t *const until[] = { &s->note_until, &s->bar_until };
    for (size_t i = 0; i < sizeof until / sizeof *until; i++)
        if (*until[i] && now >= *until[i]) {
            *until[i] = 0;
            s->dirty = true;
        }
    if (now < s->title_at)
        return;
    put_title(s);
    s->title_at = now + (s->file.play.paused ? LOOK_NS : TITLE_NS);
}

// Until a frame is due or somebody says something, but no longer than LOOK_NS.
static void rest(const struct show *s)
{
    const struct file *f = &s->file;
    const uint64_t next = gv_play_next(&f->play), now = gv_now_ns();
    uint64_t ns = LOOK_NS;
    if (next != GV_PLAY_NONE && gv_recent_find(&f->recent, next)) {
        const uint64_t due = gv_play_due_ns(&f->play);
        const uint64_t left = due > now ? due - now : 0;
        ns = left < ns ? left : ns;
    }
    struct pollfd pollers[] = { { .fd = s->program, .events = POLLIN },
                                { .fd = f->replay, .events = POLLIN } };
    ppoll(pollers, 2, &(struct timespec){ .tv_nsec = (long)ns }, NULL);
}

static void play(struct show *s)
{
    struct gv_sdl_event event;
    while (!s->over) {
        while (!s->over && gv_sdl_event(s->sdl, &event))
            on_event(s, &event);
        hear_program(s);
        hear_replay(s);
        ask_ahead(&s->file);
        go_on(s);
        expire(s, gv_now_ns());
        if (s->dirty)
            draw(s);
        rest(s);
    }
}

int gv_window_show(const struct gv_window_params *params, int program)
{
    static struct show show; // large, and the only one of its process
    struct gv_error err = GV_ERROR_INIT;
    show = (struct show){
        .params = params,
        .program = program,
        .dirty = true,
        .file = { .replay = -1, .memory = GV_WINDOW_MEMORY_NONE },
    };
    clear_file(&show.file);
    show.sdl = gv_sdl_create("gpuvm", FIRST_WIDTH, FIRST_HEIGHT, &err);
    gv_child_line_answer(program, &err);
    if (!show.sdl)
        return GV_EXIT_OUTPUT;
    last.program = program;
    last.over = false;
    atexit(on_exit_by_library);
    play(&show);
    last.over = true;
    say_how(&show);
    leave_replay(&show.file);
    gv_window_line_say(program, GV_WINDOW_CLOSED, "");
    gv_sdl_destroy(show.sdl);
    gv_recent_clear(&show.file.recent);
    gv_canvas_finish(&show.canvas);
    return GV_EXIT_OK;
}

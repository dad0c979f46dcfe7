// Children that lie: this program is also what it starts, and says over the line what
// no player would. Whoever asked gets an error, believes no number and touches nothing
// that is not there.
//   test_spawn_lies
#define _GNU_SOURCE // memfd_create, F_ADD_SEALS
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "resources/hash.h"
#include "tests/test.h"
#include "tools/base/child_line.h"
#include "tools/library/gpuvm.h"
#include "tools/library/spawn_line.h"
#include "tools/version.h"

#define LINE STDIN_FILENO
#define PAGE 4096

static struct gv_spawn_message m;

// ---- the child ----

static void take(enum gv_spawn_word until)
{
    int passed;
    do {
        passed = -1;
        if (gv_spawn_line_take(LINE, &m, &passed, -1) != GV_SPAWN_HEARD)
            _exit(0);
        if (passed >= 0)
            close(passed);
    } while (m.word != until);
}

static void say(enum gv_spawn_word word, int passed)
{
    m.word = word;
    if (!gv_spawn_line_send(LINE, &m, passed))
        _exit(0);
}

static void say_hello(const char *version)
{
    m = (struct gv_spawn_message){ .number = GV_SPAWN_PROTOCOL };
    gv_spawn_put_text(&m, version);
    say(GV_SPAWN_HELLO, -1);
}

static int memory(size_t size, int seals)
{
    static const char letters[PAGE] = { 'a', 'b', 'c', 0, 'd' };
    int fd = memfd_create("lie", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0 || (size && write(fd, letters, size) != (ptrdiff_t)size) ||
        fcntl(fd, F_ADD_SEALS, seals) != 0)
        _exit(9);
    return fd;
}

// Greets, and is opened with `frames` and `exports` of which memory of `size` tells.
static void open_with(uint64_t frames, uint64_t exports, uint64_t name_bytes,
                      size_t size)
{
    say_hello(GV_VERSION);
    take(GV_SPAWN_OPEN);
    m = (struct gv_spawn_message){ .number = size };
    m.facts = (struct gv_spawn_facts){
        .frames = frames, .commands = 1, .exports = exports, .name_bytes = name_bytes
    };
    gv_spawn_put_text(&m, "liar\033[2J");
    say(GV_SPAWN_ANSWER, size ? memory(size, F_SEAL_SHRINK) : -1);
}

static void old_version(void)
{
    say_hello("0.0.0");
}

static void dies(void)
{
    raise(SIGTERM);
}

static void aborts(void)
{
    raise(SIGABRT);
}

static void stops(void)
{
    raise(SIGSTOP);
}

static void exits(void)
{
    _exit(5);
}

// Its line is gone, and it is not.
static void hangs_up(void)
{
    close(LINE);
    for (;;)
        pause();
}

static void no_message(void)
{
    if (write(LINE, "hello", 5) != 5)
        _exit(9);
}

static void half_a_message(void)
{
    m = (struct gv_spawn_message){ .word = GV_SPAWN_HELLO, .size = 5 };
    if (write(LINE, &m, offsetof(struct gv_spawn_message, data)) < 0)
        _exit(9);
}

static void size_wraps(void)
{
    m = (struct gv_spawn_message){ .word = GV_SPAWN_HELLO, .size = UINT32_MAX };
    if (write(LINE, &m, sizeof m) < 0)
        _exit(9);
}

static void no_facts(void)
{
    open_with(UINT64_MAX, 0, 0, 0);
}

static void many_frames(void)
{
    open_with(UINT64_MAX / sizeof(struct gpuvm_frame) + 1, 0, 0, PAGE);
}

static void long_names(void)
{
    open_with(1, 1, PAGE, PAGE);
}

static void many_names(void)
{
    open_with(0, PAGE + 1, PAGE, PAGE);
}

static void unsealed(void)
{
    say_hello(GV_VERSION);
    take(GV_SPAWN_OPEN);
    m = (struct gv_spawn_message){ .number = PAGE };
    say(GV_SPAWN_ANSWER, memory(PAGE, 0));
}

// Which can be cut short while it is read.
static void ordinary_file(void)
{
    static const char bytes[PAGE];
    FILE *file = tmpfile();
    if (!file || fwrite(bytes, sizeof bytes, 1, file) != 1 || fflush(file) != 0)
        _exit(9);
    say_hello(GV_VERSION);
    take(GV_SPAWN_OPEN);
    m = (struct gv_spawn_message){ .number = PAGE, .facts = { .commands = 1 } };
    say(GV_SPAWN_ANSWER, fileno(file));
}

static void short_memory(void)
{
    say_hello(GV_VERSION);
    take(GV_SPAWN_OPEN);
    m = (struct gv_spawn_message){ .number = (uint64_t)PAGE << 20 };
    say(GV_SPAWN_ANSWER, memory(PAGE, F_SEAL_SHRINK));
}

static void no_memory_at_all(void)
{
    say_hello(GV_VERSION);
    take(GV_SPAWN_OPEN);
    m = (struct gv_spawn_message){ .number = UINT64_MAX };
    say(GV_SPAWN_ANSWER, memory(PAGE, F_SEAL_SHRINK));
}

static void unknown_status(void)
{
    say_hello(GV_VERSION);
    take(GV_SPAWN_OPEN);
    m = (struct gv_spawn_message){ .error = { .status = 77 } };
    say(GV_SPAWN_ANSWER, -1);
}

static void raw_words(void)
{
    say_hello(GV_VERSION);
    take(GV_SPAWN_OPEN);
    m = (struct gv_spawn_message){ .error = { .status = GPUVM_REJECTED } };
    memset(m.error.message, '\033', sizeof m.error.message);
    say(GV_SPAWN_ANSWER, -1);
}

static void answer_picture(uint32_t width, uint32_t height)
{
    open_with(1, 0, 0, PAGE);
    take(GV_SPAWN_TO_END);
    m = (struct gv_spawn_message){ .size = 0 };
    say(GV_SPAWN_ANSWER, -1);
    take(GV_SPAWN_PICTURE);
    m = (struct gv_spawn_message){ .width = width, .height = height };
    say(GV_SPAWN_ANSWER, -1);
}

static void large_picture(void)
{
    answer_picture(33, 32);
}

static void huge_picture(void)
{
    answer_picture(UINT32_MAX, UINT32_MAX);
}

static void long_export(void)
{
    open_with(1, 0, 0, PAGE);
    take(GV_SPAWN_TO_END);
    m = (struct gv_spawn_message){ .size = 0 };
    say(GV_SPAWN_ANSWER, -1);
    take(GV_SPAWN_EXPORT);
    m = (struct gv_spawn_message){ .count = PAGE + 1 };
    say(GV_SPAWN_ANSWER, -1);
}

static void unknown_word(void)
{
    open_with(1, 0, 0, PAGE);
    take(GV_SPAWN_TO_END);
    say(99, -1);
    take(GV_SPAWN_TO_END); // for ever
}

static void want(const char *name, uint64_t begin, uint64_t size, uint64_t outcome)
{
    m = (struct gv_spawn_message){ .number = begin, .count = size };
    gv_spawn_put_text(&m, name);
    say(GV_SPAWN_WANT, -1);
    take(GV_SPAWN_PIECE);
    if (m.number != outcome || (outcome != 1 && m.size))
        _exit(9);
}

// Of the object that there is: eight ones.
static const char *object(void)
{
    static char name[GV_HASH_HEX];
    const uint8_t ones[8] = { 1, 1, 1, 1, 1, 1, 1, 1 };
    const struct gv_hash hash = gv_hash_bytes(ones, sizeof ones);
    gv_hash_to_hex(&hash, name);
    return name;
}

// Of what there is not, and beyond what there is; logs without end and frames of none.
static void odd_wishes(void)
{
    open_with(1, 0, 0, PAGE);
    take(GV_SPAWN_TO_END);
    want("no name", 0, 8, 2);
    want("", 0, 0, 2);
    want(object(), 0, UINT64_MAX, 2);
    want(object(), 0, 8, 1);
    if (m.size != 8 || m.data[7] != 1)
        _exit(9);
    want(object(), 0, 16, 2); // damaged: it is no object of so many
    want(object(), 0, 8, 1);
    want(object(), 8, 8, 1);
    want(object(), UINT64_MAX, 8, 1);
    if (m.size)
        _exit(9);
    for (int i = 0; i < 1000; i++) {
        m = (struct gv_spawn_message){ .level = 99, .size = GV_SPAWN_DATA };
        memset(m.data, '\a', sizeof m.data);
        say(GV_SPAWN_LOG, -1);
    }
    m = (struct gv_spawn_message){ .number = UINT64_MAX, .count = 1 };
    say(GV_SPAWN_FRAME, -1);
    take(GV_SPAWN_GO_ON);
    m = (struct gv_spawn_message){ .error = { .status = GPUVM_OK } };
    say(GV_SPAWN_ANSWER, -1);
    take(GV_SPAWN_PICTURE);
    m = (struct gv_spawn_message){ .error = { .status = GPUVM_USAGE } };
    say(GV_SPAWN_ANSWER, -1);
}

// Asks and asks, and reads nothing.
static void deaf(void)
{
    open_with(1, 0, 0, PAGE);
    take(GV_SPAWN_TO_END);
    for (;;) {
        m = (struct gv_spawn_message){ .count = 8 };
        gv_spawn_put_text(&m, object());
        say(GV_SPAWN_WANT, -1);
    }
}

// Takes the message `word`: what comes with it.
static int take_passed(enum gv_spawn_word word)
{
    for (;;) {
        int passed = -1;
        if (gv_spawn_line_take(LINE, &m, &passed, -1) != GV_SPAWN_HEARD)
            _exit(0);
        if (m.word == word)
            return passed;
        if (passed >= 0)
            close(passed);
    }
}

// The descriptor is none of the caller's: nothing can be written, and no position
// moved.
static void writes_payload(void)
{
    char bytes[2];
    say_hello(GV_VERSION);
    const int payload = take_passed(GV_SPAWN_PAYLOAD);
    const bool mine = write(payload, "x", 1) < 0 && read(payload, bytes, 2) == 2 &&
                      memcmp(bytes, "ne", 2) == 0;
    take(GV_SPAWN_OPEN);
    m = (struct gv_spawn_message){ .error = { .status = GPUVM_REJECTED } };
    snprintf(m.error.message, sizeof m.error.message, "%s",
             mine ? "read" : "the caller's own");
    say(GV_SPAWN_ANSWER, -1);
}

// Talks, more often than anybody looks at a clock, for longer than anybody waits.
static void talk(const volatile uint8_t *stop)
{
    for (int i = 0; i < 15000 && !(stop && *stop); i++) {
        m = (struct gv_spawn_message){ .size = 0 };
        gv_spawn_put_text(&m, "so it goes");
        say(GV_SPAWN_LOG, -1);
        nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
    }
    m = (struct gv_spawn_message){ .error = { .status = GPUVM_OK } };
}

static void talkative(void)
{
    open_with(1, 0, 0, PAGE);
    take(GV_SPAWN_TO_END);
    talk(NULL);
    say(GV_SPAWN_ANSWER, -1);
}

// One that stops, as soon as the flag says so.
static void talks_and_heeds(void)
{
    say_hello(GV_VERSION);
    const int flag = take_passed(GV_SPAWN_FLAG);
    const uint8_t *stop = mmap(NULL, 1, PROT_READ, MAP_SHARED, flag, 0);
    if (stop == MAP_FAILED)
        _exit(9);
    take(GV_SPAWN_OPEN);
    m = (struct gv_spawn_message){ .facts = { .commands = 1 } };
    say(GV_SPAWN_ANSWER, -1);
    take(GV_SPAWN_TO_END);
    talk(stop);
    m.error.status = *stop ? GPUVM_CANCELLED : GPUVM_OK;
    strcpy(m.error.message, "heard of it");
    say(GV_SPAWN_ANSWER, -1);
}

// ---- who asked ----

enum step { AT_OPEN, AT_RUN, AT_PICTURE, AT_EXPORT };

static const struct {
    const char *name;
    void (*lie)(void);
    enum step step; // where it comes out
    int status;
    const char *said;
    uint32_t timeout_ms; // 0: a minute
    bool cancels;        // once it says something
} rows[] = {
    { "old version", old_version, AT_OPEN, GPUVM_USAGE, "is of version 0.0.0", 0,
      false },
    { "dies", dies, AT_OPEN, GPUVM_LOST, "lost: the driver's process died (Terminated)",
      0, false },
    { "aborts", aborts, AT_OPEN, GPUVM_LOST, "died (Aborted)", 0, false },
    { "stops", stops, AT_OPEN, GPUVM_LOST, "said nothing for 5 s", 1, false },
    { "exits", exits, AT_OPEN, GPUVM_USAGE, "is no gpuvm-player", 0, false },
    { "hangs up", hangs_up, AT_OPEN, GPUVM_USAGE, "is no gpuvm-player", 0, false },
    { "no message", no_message, AT_OPEN, GPUVM_USAGE, "is no gpuvm-player", 0, false },
    { "half a message", half_a_message, AT_OPEN, GPUVM_USAGE, "is no gpuvm-player", 0,
      false },
    { "size wraps", size_wraps, AT_OPEN, GPUVM_USAGE, "is no gpuvm-player", 0, false },
    { "no facts", no_facts, AT_OPEN, GPUVM_LOST, "makes no sense", 0, false },
    { "many frames", many_frames, AT_OPEN, GPUVM_LOST, "makes no sense", 0, false },
    { "long names", long_names, AT_OPEN, GPUVM_LOST, "makes no sense", 0, false },
    { "many names", many_names, AT_OPEN, GPUVM_LOST, "makes no sense", 0, false },
    { "unsealed", unsealed, AT_OPEN, GPUVM_LOST, "makes no sense", 0, false },
    { "ordinary file", ordinary_file, AT_OPEN, GPUVM_LOST, "makes no sense", 0, false },
    { "short memory", short_memory, AT_OPEN, GPUVM_LOST, "makes no sense", 0, false },
    { "no memory", no_memory_at_all, AT_OPEN, GPUVM_LOST, "makes no sense", 0, false },
    { "unknown status", unknown_status, AT_OPEN, GPUVM_LOST, "makes no sense", 0,
      false },
    { "raw words", raw_words, AT_OPEN, GPUVM_REJECTED, "", 0, false },
    { "large picture", large_picture, AT_PICTURE, GPUVM_LOST, "makes no sense", 0,
      false },
    { "huge picture", huge_picture, AT_PICTURE, GPUVM_LOST, "makes no sense", 0,
      false },
    { "long export", long_export, AT_EXPORT, GPUVM_LOST, "makes no sense", 0, false },
    { "unknown word", unknown_word, AT_RUN, GPUVM_LOST, "lost: ", 0, false },
    { "odd wishes", odd_wishes, AT_PICTURE, GPUVM_USAGE, "", 0, false },
    { "deaf", deaf, AT_RUN, GPUVM_LOST, "lost: ", 0, false },
    { "writes payload", writes_payload, AT_OPEN, GPUVM_REJECTED, "read", 0, false },
    { "talks", talkative, AT_RUN, GPUVM_LOST, "time-out: ", 1, false },
    { "talks, cancelled", talkative, AT_RUN, GPUVM_CANCELLED, "cancelled", 0, true },
    { "talks and heeds", talks_and_heeds, AT_RUN, GPUVM_CANCELLED, "heard", 0, true },
};

static int give_anything(void *context, const char *name, void *data, uint64_t size)
{
    (void)context;
    CHECK(strlen(name) == GV_HASH_HEX - 1);
    memset(data, 1, (size_t)size);
    return 1;
}

static void note_line(void *context, int level, const char *text)
{
    (void)level;
    CHECK(!strchr(text, '\a'));
    if (context)
        gpuvm_cancel_now(context);
}

static int no_stop(void *context, uint64_t frame, uint64_t count)
{
    (void)context;
    CHECK(frame < count);
    return 0;
}

// The status, where it comes out.
static int ask(gpuvm_replay *replay, enum step step, struct gpuvm_error *error)
{
    struct gpuvm_picture picture = { 0 };
    struct gpuvm_export bytes = { 0 };
    int status = gpuvm_run_to_end(replay, error);
    if (status == GPUVM_OK && step == AT_PICTURE)
        status = gpuvm_get_picture(replay, &picture, error);
    if (status == GPUVM_OK && step == AT_EXPORT)
        status = gpuvm_get_export(replay, "x", &bytes, error);
    CHECK(picture.width == 0 && !picture.rgba && bytes.size == 0 && !bytes.data);
    return status;
}

static void check_row(size_t i, gpuvm_source *source, int payload)
{
    char number[16];
    struct gpuvm_error error = { 0 };
    gpuvm_cancel *cancel = gpuvm_cancel_create();
    const struct gpuvm_spawn_params params = {
        .size = sizeof params,
        .player = "/proc/self/exe",
        .fd = payload,
    };
    const struct gpuvm_settings settings = {
        .size = sizeof settings,
        .memory = 1 << 20,
        .timeout_ms = rows[i].timeout_ms ? rows[i].timeout_ms : 60000,
        .cancel = cancel,
        .context = rows[i].cancels ? cancel : NULL,
        .sources = &source,
        .source_count = 1,
        .log = note_line,
        .progress = no_stop,
    };
    snprintf(number, sizeof number, "%zu", i);
    setenv("TEST_LIE", number, 1);
    gpuvm_replay *replay = gpuvm_spawn(&params, &settings, &error);
    CHECK_ROW(rows[i].name, !replay == (rows[i].step == AT_OPEN));
    if (replay) {
        CHECK_ROW(rows[i].name, !strchr(gpuvm_device_name(replay), '\033'));
        CHECK_ROW(rows[i].name, ask(replay, rows[i].step, &error) == rows[i].status);
    }
    CHECK_ROW(rows[i].name, error.status == rows[i].status);
    CHECK_ROW(rows[i].name, strstr(error.message, rows[i].said));
    CHECK_ROW(rows[i].name, !strchr(error.message, '\033'));
    gpuvm_replay_close(replay);
    gpuvm_cancel_destroy(cancel);
    CHECK_ROW(rows[i].name, waitpid(-1, NULL, WNOHANG) < 0);
    CHECK_ROW(rows[i].name, lseek(payload, 0, SEEK_CUR) == 2);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], GV_CHILD_ARGUMENT) == 0) {
        rows[strtoul(getenv("TEST_LIE"), NULL, 10)].lie();
        for (;;)
            take(GV_SPAWN_OPEN);
    }
    const int payload = memfd_create("payload", MFD_CLOEXEC);
    CHECK(write(payload, "none", 4) == 4 && lseek(payload, 2, SEEK_SET) == 2);
    gpuvm_source *source = gpuvm_source_callback(give_anything, NULL, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_row(i, source, payload);
    close(payload);
    gpuvm_source_destroy(source);
    return TEST_RESULT();
}

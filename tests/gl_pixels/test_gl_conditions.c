// Conditional rendering: what is drawn if an occlusion query counted something.
#include "compiler/gl/base/gl_enums.h"
#include "tests/gl_pixels/draw_scene.h"

static void count(struct scene *s, int query, double x)
{
    call(s, "glBeginQuery", "ei", GL_SAMPLES_PASSED, query);
    color(s, BLUE);
    quad(s, x, 16, x + 8, 24);
    call(s, "glEndQuery", "e", GL_SAMPLES_PASSED);
}

// A square of 8, red; above it one that is cleared, white.
static void decide(struct scene *s, int query, uint32_t mode, int x)
{
    call(s, "glBeginConditionalRender", "ie", query, mode);
    color(s, RED);
    quad(s, x, 0, x + 8, 8);
    call(s, "glEnable", "e", GL_SCISSOR_TEST);
    call(s, "glScissor", "iiii", x, 8, 8, 8);
    clear_to(s, WHITE);
    call(s, "glDisable", "e", GL_SCISSOR_TEST);
    call(s, "glEndConditionalRender", "");
}

// The device counts and decides.
static void asked(struct scene *s)
{
    count(s, 1, 0);
    count(s, 2, 64); // out of sight
    decide(s, 1, GL_QUERY_WAIT, 0);
    decide(s, 2, GL_QUERY_NO_WAIT, 8);
    decide(s, 1, GL_QUERY_WAIT_INVERTED, 16);
    decide(s, 2, GL_QUERY_BY_REGION_NO_WAIT_INVERTED, 24);
}

// What the trace says needs no device; a query in which nothing is drawn counts
// nothing.
static void known(struct scene *s)
{
    count(s, 1, 0);
    call(s, "glGetQueryObjectuiv", "ieI", 1, GL_QUERY_RESULT_AVAILABLE, INTEGERS(0));
    call(s, "glGetQueryObjectuiv", "ieI", 1, GL_QUERY_RESULT, INTEGERS(64));
    call(s, "glBeginQuery", "ei", GL_ANY_SAMPLES_PASSED, 2);
    call(s, "glEndQuery", "e", GL_ANY_SAMPLES_PASSED);
    decide(s, 1, GL_QUERY_WAIT, 0);
    decide(s, 1, GL_QUERY_WAIT_INVERTED, 8);
    decide(s, 2, GL_QUERY_WAIT, 16);
    decide(s, 2, GL_QUERY_WAIT_INVERTED, 24);
}

// Results that go to a buffer are in no trace: named, and not taken for known.
static void into_buffers(struct scene *s)
{
    count(s, 1, 0);
    call(s, "glBindBuffer", "ei", GL_QUERY_BUFFER, 4);
    call(s, "glBufferData", "eine", GL_QUERY_BUFFER, 8, GL_STATIC_DRAW);
    call(s, "glGetQueryObjectuiv", "iep", 1, GL_QUERY_RESULT, UINT64_C(4));
    call(s, "glBindBuffer", "ei", GL_QUERY_BUFFER, 0);
    call(s, "glGetQueryBufferObjectuiv", "iiei", 1, 4, GL_QUERY_RESULT, 0);
    s->unsupported = 2;
    decide(s, 1, GL_QUERY_WAIT, 0);
}

static void count_into(struct scene *s, int query)
{
    call(s, "glBindBuffer", "ei", GL_QUERY_BUFFER, 4);
    call(s, "glGetQueryObjectuiv", "iep", query, GL_QUERY_RESULT, P(0));
    call(s, "glBindBuffer", "ei", GL_QUERY_BUFFER, 0);
}

// Counted in the frame before, in a buffer behind a draw of this one, and counted anew:
// a run refuses a copy of a count that is gone by then.
static void into_buffers_and_again(struct scene *s)
{
    call(s, "glBindBuffer", "ei", GL_QUERY_BUFFER, 4);
    call(s, "glBufferData", "eine", GL_QUERY_BUFFER, 8, GL_STATIC_DRAW);
    count(s, 1, 0);
    show(s);
    clear_to(s, BLACK);
    color(s, RED);
    quad(s, 0, 0, 8, 8);
    count_into(s, 1);
    count(s, 1, 64);
}

// What is refused changes nothing; names are used again.
static void refused(struct scene *s)
{
    call(s, "glEndConditionalRender", "");
    decide(s, 7, GL_QUERY_WAIT, 0); // no query: it is drawn
    count(s, 1, 64);
    call(s, "glBeginConditionalRender", "ie", 1, GL_QUERY_WAIT);
    decide(s, 1, GL_QUERY_WAIT, 8); // a second begin; its end counts
    decide(s, 1, GL_RED, 16);
    call(s, "glBeginQuery", "ei", GL_SAMPLES_PASSED, 1);
    call(s, "glBeginQuery", "ei", GL_SAMPLES_PASSED, 2);
    call(s, "glBeginQuery", "ei", GL_TIME_ELAPSED, 3);
    call(s, "glEndQuery", "e", GL_ANY_SAMPLES_PASSED);
    call(s, "glDeleteQueries", "iI", 1, INTEGERS(1)); // in use: not yet
    color(s, BLUE);
    quad(s, 24, 16, 32, 24);
    call(s, "glEndQuery", "e", GL_SAMPLES_PASSED);
    decide(s, 1, GL_QUERY_WAIT_INVERTED, 24);
    call(s, "glDeleteQueries", "iI", 1, INTEGERS(1));
    count(s, 1, 0);
    decide(s, 1, GL_QUERY_WAIT, 24);
}

// Counted in the frame before, asked and counted anew in this one.
static void over_frames(struct scene *s)
{
    count(s, 1, 0);
    count(s, 2, 64);
    show(s);
    clear_to(s, BLACK);
    decide(s, 1, GL_QUERY_WAIT, 0);
    count(s, 1, 64);
    decide(s, 2, GL_QUERY_WAIT_INVERTED, 8);
    count(s, 2, 8);
    decide(s, 1, GL_QUERY_WAIT, 16);
    decide(s, 2, GL_QUERY_WAIT, 24);
}

// A query and a condition that a frame's end is inside of.
static void across(struct scene *s)
{
    call(s, "glBeginQuery", "ei", GL_SAMPLES_PASSED, 1);
    quad(s, 0, 16, 8, 24);
    show(s);
    clear_to(s, BLACK);
    call(s, "glEndQuery", "e", GL_SAMPLES_PASSED);
    count(s, 1, 0);
    decide(s, 1, GL_QUERY_WAIT, 0);
    call(s, "glBeginConditionalRender", "ie", 1, GL_QUERY_WAIT_INVERTED);
    show(s);
    clear_to(s, WHITE);
}

// What is never ended.
static void left_open(struct scene *s)
{
    count(s, 1, 64);
    call(s, "glBeginConditionalRender", "ie", 1, GL_QUERY_WAIT);
    call(s, "glBeginQuery", "ei", GL_SAMPLES_PASSED, 2);
    color(s, RED);
    quad(s, 0, 0, 8, 8);
}

static const struct draw_row rows[] = {
    { "asked",
      asked,
      SIDE,
      { { 4, 4, RED },
        { 4, 12, WHITE },
        { 12, 4, BLACK },
        { 12, 12, BLACK },
        { 20, 4, BLACK },
        { 20, 12, BLACK },
        { 28, 4, RED },
        { 28, 12, WHITE } },
      7,
      6 },
    { "known",
      known,
      SIDE,
      { { 4, 4, RED },
        { 4, 12, WHITE },
        { 12, 4, BLACK },
        { 12, 12, BLACK },
        { 20, 4, BLACK },
        { 20, 12, BLACK },
        { 28, 4, RED },
        { 28, 12, WHITE } },
      2,
      3 },
    { "into_buffers", into_buffers, SIDE, { { 4, 4, RED }, { 4, 12, WHITE } }, 3, 2 },
    { "into_buffers_and_again",
      into_buffers_and_again,
      SIDE,
      { { 4, 4, RED }, { 4, 28, BLACK } },
      4,
      3 },
    { "refused",
      refused,
      SIDE,
      { { 4, 4, RED },
        { 12, 4, BLACK },
        { 20, 4, RED },
        { 20, 12, WHITE },
        { 28, 4, RED },
        { 4, 20, BLUE },
        { 28, 20, BLUE } },
      7,
      8 },
    { "over frames",
      over_frames,
      SIDE,
      { { 4, 4, RED },
        { 4, 12, WHITE },
        { 12, 4, RED },
        { 20, 4, BLACK },
        { 28, 4, RED },
        { 12, 20, BLUE } },
      10,
      8 },
    { "across", across, SIDE, { { 4, 4, RED }, { 4, 20, BLUE } }, 6, 3 },
    { "left open", left_open, SIDE, { { 4, 4, BLACK } }, 3, 2 },
};

int main(void)
{
    return check_draws(rows, sizeof rows / sizeof rows[0]);
}

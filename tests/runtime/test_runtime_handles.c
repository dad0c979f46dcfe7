// Handles: stale, foreign and made-up numbers find nothing.
#include "runtime/vk/handles.h"
#include "tests/test.h"

static void test_generations(void)
{
    struct gv_handles handles = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    int objects[3];
    uint64_t a = gv_handles_add(&handles, GV_KIND_BUFFER, &objects[0], &err);
    uint64_t b = gv_handles_add(&handles, GV_KIND_IMAGE, &objects[1], &err);
    CHECK(a && b && a != b);
    CHECK(gv_handles_get(&handles, GV_KIND_BUFFER, a) == &objects[0]);
    CHECK(gv_handles_get(&handles, GV_KIND_IMAGE, a) == NULL);
    CHECK(gv_handles_get(&handles, GV_KIND_NONE, 0) == NULL);
    CHECK(gv_handles_get(&handles, GV_KIND_BUFFER, 0) == NULL);
    CHECK(gv_handles_get(&handles, GV_KIND_BUFFER, UINT64_MAX) == NULL);
    CHECK(gv_handles_get(&handles, GV_KIND_BUFFER, a + 2) == NULL);

    CHECK(gv_handles_remove(&handles, GV_KIND_IMAGE, a) == NULL);
    CHECK(gv_handles_remove(&handles, GV_KIND_BUFFER, a) == &objects[0]);
    CHECK(gv_handles_remove(&handles, GV_KIND_BUFFER, a) == NULL);
    uint64_t c = gv_handles_add(&handles, GV_KIND_BUFFER, &objects[2], &err);
    CHECK(c != a); // the same slot, another generation
    CHECK(gv_handles_get(&handles, GV_KIND_BUFFER, a) == NULL);
    CHECK(gv_handles_get(&handles, GV_KIND_BUFFER, c) == &objects[2]);
    CHECK(gv_handles_find(&handles, GV_KIND_BUFFER, a, "src", &err) == NULL);
    CHECK(err.status == GV_ERR_FORMAT);
    CHECK(strcmp(err.message, "src: no live buffer has this handle") == 0);

    uint32_t index = 0, seen = 0;
    enum gv_kind kind;
    uint64_t handle;
    void *object;
    while ((object = gv_handles_next(&handles, &index, &kind, &handle))) {
        CHECK(gv_handles_get(&handles, kind, handle) == object);
        seen++;
    }
    CHECK(seen == 2);
    gv_handles_finish(&handles);
}

// The table grows, and ends at its limit.
static void test_limit(void)
{
    struct gv_handles handles = { 0 };
    struct gv_error err = GV_ERROR_INIT;
    int objects[2];
    uint64_t b = gv_handles_add(&handles, GV_KIND_IMAGE, &objects[1], &err);
    uint64_t last = 1;
    while (handles.live < GV_MAX_OBJECTS && last)
        last = gv_handles_add(&handles, GV_KIND_MAP, &objects[0], &err);
    CHECK(last != 0);
    CHECK(gv_handles_add(&handles, GV_KIND_MAP, &objects[0], &err) == 0);
    CHECK(err.status == GV_ERR_LIMIT);
    CHECK(gv_handles_get(&handles, GV_KIND_IMAGE, b) == &objects[1]);
    gv_handles_finish(&handles);
}

// Or at what is declared, as often as one is given up.
static void test_declared(void)
{
    struct gv_handles handles = { .most = 2 };
    struct gv_error err = GV_ERROR_INIT;
    int objects[3];
    uint64_t a = gv_handles_add(&handles, GV_KIND_MAP, &objects[0], &err), b;
    for (int i = 0; i < 3; i++) {
        b = gv_handles_add(&handles, GV_KIND_MAP, &objects[1], &err);
        CHECK(b && gv_handles_remove(&handles, GV_KIND_MAP, b));
    }
    b = gv_handles_add(&handles, GV_KIND_MAP, &objects[1], &err);
    CHECK(a && b && err.status == GV_OK);
    CHECK(!gv_handles_add(&handles, GV_KIND_MAP, &objects[2], &err));
    CHECK(err.status == GV_ERR_FORMAT);
    gv_handles_finish(&handles);
}

int main(void)
{
    test_generations();
    test_limit();
    test_declared();
    return TEST_RESULT();
}

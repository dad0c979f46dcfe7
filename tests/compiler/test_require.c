// The set of requirements: what two needs of one name come to, together and in common.
#include "compiler/builder/require.h"
#include "tests/test.h"

static const struct {
    const char *what;
    uint8_t kind;
    const char *name;
    uint64_t a, b;
    uint64_t both, common; // common 0: no row
} rows[] = {
    { "at_least", GV_REQUIRE_LIMIT, "maxImageDimension2D", 8192, 16384, 16384, 8192 },
    { "at_most", GV_REQUIRE_LIMIT, "minUniformBufferOffsetAlignment", 64, 16, 16, 64 },
    { "bits", GV_REQUIRE_LIMIT, "framebufferColorSampleCounts", 2, 10, 10, 2 },
    { "bits_apart", GV_REQUIRE_LIMIT, "framebufferColorSampleCounts", 2, 8, 10, 0 },
    { "bits_of_a_property", GV_REQUIRE_LIMIT, "subgroupSupportedOperations", 4, 6, 6,
      4 },
    { "least_of_a_property", GV_REQUIRE_LIMIT, "subgroupSize", 4, 8, 8, 4 },
    { "not_listed", GV_REQUIRE_LIMIT, "maxDreams", 4, 8, 8, 4 },
    { "format", GV_REQUIRE_FORMAT, "R8G8B8A8_UNORM", 0x81, 0x101, 0x181, 1 },
    { "memory", GV_REQUIRE_MEMORY, "", 5, 6, 6, 5 },
};

static struct gv_requirement row_of(size_t i, uint64_t value)
{
    return (struct gv_requirement){ .kind = rows[i].kind,
                                    .name = rows[i].name,
                                    .value = value };
}

static void merge(size_t i)
{
    struct gv_requirements together = { 0 }, a = { 0 }, b = { 0 }, common = { 0 };
    struct gv_requirement first = row_of(i, rows[i].a), second = row_of(i, rows[i].b);
    CHECK(gv_requirements_add(&together, &first));
    CHECK(gv_requirements_add(&together, &second));
    CHECK_ROW(rows[i].what, together.count == 1 &&
                                together.rows[0].requirement.value == rows[i].both);
    CHECK(gv_requirements_add(&a, &first) && gv_requirements_add(&b, &second));
    CHECK(gv_requirements_common(&common, &a, &b));
    CHECK_ROW(rows[i].what, common.count == (rows[i].common != 0));
    CHECK_ROW(rows[i].what,
              common.count == 0 || common.rows[0].requirement.value == rows[i].common);
    gv_requirements_finish(&together);
    gv_requirements_finish(&a);
    gv_requirements_finish(&b);
    gv_requirements_finish(&common);
}

int main(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        merge(i);
    return TEST_RESULT();
}

// What is said of calls that are not lowered: by the rows of unsupported.def, each with
// the function that met it.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "compiler/gl/base/gl_machine.h"
#include "compiler/gl/draw/gl_draw_vertices.h"
#include "compiler/gl/draw/gl_fetch.h"
#include "compiler/gl/program/gl_stages.h"
#include "compiler/gl/program/program_object.h"

const struct gv_gl_lack gv_gl_lacks[GV_GL_LACK_COUNT] = {
#define LACK(name, detail, why, limit) [GV_GL_LACK_##name] = { detail, why, limit },
#include "compiler/gl/base/unsupported.def"
#undef LACK
};

// "FUNCTION(DETAIL)", and ": WHY" if there is one.
static bool say(struct gv_gl_sink *sink, const char *detail, const char *why)
{
    gv_builder_diagnose(sink->b, GV_UNSUPPORTED, "unsupported", "%s%s%s%s%s%s",
                        sink->call ? sink->call->function->name : "?",
                        detail ? "(" : "", detail ? detail : "", detail ? ")" : "",
                        why ? ": " : "", why ? why : "");
    return true;
}

// A row's `why` with its limit, which it names as "%u".
static void fill(const struct gv_gl_lack *lack, char *out, size_t size)
{
    const char *at = lack->limit ? strstr(lack->why, "%u") : NULL;
    if (at)
        snprintf(out, size, "%.*s%u%s", (int)(at - lack->why), lack->why, lack->limit,
                 at + 2);
    else
        snprintf(out, size, "%s", lack->why ? lack->why : "");
}

bool gv_gl_unsupported_of(struct gv_gl_sink *sink, const struct gv_gl_lack *lack,
                          const char *detail)
{
    char why[160];
    fill(lack, why, sizeof why);
    return say(sink, detail, lack->why ? why : NULL);
}

bool gv_gl_unsupported(struct gv_gl_sink *sink, const struct gv_gl_lack *lack)
{
    return gv_gl_unsupported_of(sink, lack, lack->detail);
}

bool gv_gl_unsupported_over(struct gv_gl_sink *sink, const struct gv_gl_lack *lack,
                            uint64_t count, uint64_t most)
{
    char why[160];
    snprintf(why, sizeof why, "%" PRIu64 " %s (limit %" PRIu64 ")", count, lack->why,
             most);
    return say(sink, lack->detail, why);
}

bool gv_gl_unsupported_because(struct gv_gl_sink *sink, const struct gv_gl_lack *lack,
                               const char *reason)
{
    char why[160];
    snprintf(why, sizeof why, "%s: %.120s", lack->why, reason);
    return say(sink, lack->detail, why);
}

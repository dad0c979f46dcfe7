#include "tools/window/window_pacing.h"

#include <stdlib.h>
#include <string.h>

#define NS_MILLI 1000000000000u // nanoseconds of a thousand seconds
#define TIMES (sizeof((struct gv_pacing *)0)->times_ns / sizeof(uint64_t))

bool gv_pacing_parse(const char *text, uint32_t *millihz, struct gv_error *err)
{
    const size_t whole = strspn(text, "0123456789");
    const char *point = text + whole;
    const size_t part = *point == '.' ? strspn(point + 1, "0123456789") : 0;
    unsigned long value = 0;
    if (whole > 0 && whole <= 4 && part <= 3 && (part ? !point[1 + part] : !*point)) {
        value = strtoul(text, NULL, 10) * 1000;
        for (size_t i = 0, worth = 100; i < part; i++, worth /= 10)
            value += worth * (unsigned long)(point[1 + i] - '0');
    }
    if (value < GV_PACING_MIN_MILLIHZ || value > GV_PACING_MAX_MILLIHZ)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "--fps '%.32s' is not a number from 1 to 1000 with up to three "
                       "decimals",
                       text);
    *millihz = (uint32_t)value;
    return true;
}

void gv_pacing_init(struct gv_pacing *p, uint32_t millihz)
{
    *p = (struct gv_pacing){ .millihz = millihz };
}

// So long are `frames` of them. Whole seconds first: a product of all could be too
// large.
static uint64_t span_ns(const struct gv_pacing *p, uint64_t frames)
{
    uint64_t rate = p->millihz; // in eighths, so that slower speeds are whole
    rate = p->speed >= 0 ? rate * 8 << p->speed : rate * 8 >> -p->speed;
    const uint64_t per = NS_MILLI * 8;
    return frames / rate * per + frames % rate * (per / rate) +
           frames % rate * (per % rate) / rate;
}

void gv_pacing_set_rate(struct gv_pacing *p, uint32_t millihz)
{
    if (millihz == p->millihz)
        return;
    p->anchor_ns += span_ns(p, p->since_anchor);
    p->since_anchor = 0;
    p->millihz = millihz;
}

bool gv_pacing_change_speed(struct gv_pacing *p, int by, uint64_t now_ns)
{
    const int speed = p->speed + by;
    if (speed < GV_PACING_SLOWEST || speed > GV_PACING_FASTEST)
        return false;
    p->speed = speed;
    gv_pacing_restart(p, now_ns);
    return true;
}

static void count_from(struct gv_pacing *p, uint64_t now_ns)
{
    p->anchor_ns = now_ns;
    p->since_anchor = 0;
}

void gv_pacing_restart(struct gv_pacing *p, uint64_t now_ns)
{
    count_from(p, now_ns);
    p->before = p->shown;
    p->begun_ns = now_ns;
}

uint64_t gv_pacing_due_ns(const struct gv_pacing *p)
{
    return p->anchor_ns + span_ns(p, p->since_anchor + 1);
}

void gv_pacing_shown(struct gv_pacing *p, uint64_t now_ns)
{
    const uint64_t due = gv_pacing_due_ns(p), period = span_ns(p, 1);
    p->times_ns[p->shown++ % TIMES] = now_ns;
    p->since_anchor++;
    if (now_ns > due + period / 2)
        p->late++;
    if (now_ns > due + period)
        count_from(p, now_ns);
}

uint64_t gv_pacing_measured_millihz(const struct gv_pacing *p)
{
    const uint64_t fresh = p->shown - p->before, kept = fresh < TIMES ? fresh : TIMES;
    if (kept < 2)
        return 0;
    const uint64_t last = p->times_ns[(p->shown - 1) % TIMES];
    const uint64_t first = p->times_ns[(p->shown - kept) % TIMES];
    return last > first ? NS_MILLI * (kept - 1) / (last - first) : 0;
}

uint64_t gv_pacing_run_millihz(const struct gv_pacing *p)
{
    const uint64_t frames = p->shown - p->before;
    const uint64_t last = p->times_ns[(p->shown - 1) % TIMES];
    return frames && last > p->begun_ns ? NS_MILLI * frames / (last - p->begun_ns) : 0;
}

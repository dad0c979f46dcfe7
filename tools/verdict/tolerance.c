#include "tools/verdict/tolerance.h"

#include <stdlib.h>
#include <string.h>

#define NUMBERS 3

// Reads up to `most` numbers between commas, none above its bound. Returns how many
// there are, or 0 for text of another kind.
static int take_numbers(const char *text, const double *bounds, int most,
                        double numbers[NUMBERS])
{
    for (int count = 0; count < most;) {
        const size_t length = strspn(text, "0123456789.");
        char *end;
        const double number = strtod(text, &end);
        if (length == 0 || end != text + length || number > bounds[count])
            return 0;
        numbers[count++] = number;
        if (!*end)
            return count;
        if (*end != ',')
            return 0;
        text = end + 1;
    }
    return 0;
}

static bool take_levels(const char *text, struct gv_tolerance *out)
{
    static const double bounds[] = { 255, 100, 100 };
    double numbers[NUMBERS] = { 0, 0, 100 };
    if (!take_numbers(text, bounds, 3, numbers) ||
        numbers[0] != (double)(unsigned)numbers[0])
        return false;
    *out = (struct gv_tolerance){ .levels = (unsigned)numbers[0],
                                  .share = numbers[1],
                                  .share_of_drawn = numbers[2] };
    return true;
}

static bool take_perceptual(const char *text, struct gv_tolerance *out)
{
    static const double bounds[] = { 1, 1 };
    double numbers[NUMBERS] = { 0.05, 0.3 };
    if (strcmp(text, "") != 0 &&
        (*text != ':' || !take_numbers(text + 1, bounds, 2, numbers)))
        return false;
    *out = (struct gv_tolerance){ .kind = GV_TOLERANCE_PERCEPTUAL,
                                  .mean = numbers[0],
                                  .p99 = numbers[1] };
    return true;
}

bool gv_tolerance_parse(const char *text, struct gv_tolerance *out,
                        struct gv_error *err)
{
    static const char perceptual[] = "perceptual";
    const size_t length = sizeof perceptual - 1;
    if (strcmp(text, "exact") == 0) {
        *out = (struct gv_tolerance){ 0 };
        return true;
    }
    if (strcmp(text, "gl") == 0)
        text = "2,0.5,2";
    if (strncmp(text, perceptual, length) == 0 ? take_perceptual(text + length, out)
                                               : take_levels(text, out))
        return true;
    return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "no tolerance '%.64s': %s", text,
                   GV_TOLERANCE_FORMS);
}

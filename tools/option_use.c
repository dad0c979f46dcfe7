// Options that change nothing, and variables that set no option.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/nearest.h"
#include "tools/program.h"

extern char **environ;

#define PREFIX "GPUVM_"

// A warning, or with --pedantic the error of the command; then false.
static bool warn(const struct gv_given *given, const char *text, enum gv_exit *code)
{
    if (given->pedantic) {
        *code = gv_usage(given->command, given->json, "%s", text);
        return false;
    }
    gv_say("%s: %s", given->command->name, text);
    return true;
}

// The row that a word of `names` begins with, and `*names` is behind it; NULL: no more.
static const struct gv_option *next_named(const struct gv_option *options,
                                          const char **names)
{
    *names += strspn(*names, " ");
    const size_t length = strcspn(*names, " ");
    const struct gv_option *o = options;
    if (length == 0)
        return NULL;
    while (strlen(o->name) != length || strncmp(o->name, *names, length) != 0)
        o++;
    *names += length;
    return o;
}

static uint64_t bit_of(const struct gv_given *given, const struct gv_option *option)
{
    return UINT64_C(1) << (option - given->command->options);
}

bool gv_options_idle(const struct gv_given *given, const char *names, const char *why,
                     enum gv_exit *code)
{
    const struct gv_option *o;
    char text[160];
    while (given->options && (o = next_named(given->command->options, &names))) {
        snprintf(text, sizeof text, "--%s has no effect: %s", o->name, why);
        if ((given->options & bit_of(given, o)) && !warn(given, text, code))
            return false;
    }
    return true;
}

// "it needs --screenshots or --calls"
static void tell_needs(char *text, size_t size, const char *needs)
{
    if (strcmp(needs, GV_NEEDS_URL) == 0) {
        snprintf(text, size, "nothing here is on the web");
        return;
    }
    size_t length = (size_t)snprintf(text, size, "it needs ");
    for (const char *c = needs; *c; c += strspn(c, " ")) {
        const int word = (int)strcspn(c, " ");
        if (length < size)
            length += (size_t)snprintf(text + length, size - length, "%s--%.*s",
                                       c == needs ? "" : " or ", word, c);
        c += word;
    }
}

static bool is_met(const struct gv_given *given, const char *needs)
{
    const struct gv_option *needed;
    bool met = false;
    if (strcmp(needs, GV_NEEDS_URL) == 0)
        return given->urls;
    while ((needed = next_named(given->command->options, &needs)))
        met = met || (given->known & bit_of(given, needed));
    return met;
}

static bool check_twice(const struct gv_given *given, enum gv_exit *code)
{
    char text[160];
    for (const struct gv_option *o = given->command->options; o->name; o++) {
        snprintf(text, sizeof text, "--%s is given again: the last one counts",
                 o->name);
        if ((given->twice & bit_of(given, o)) && !warn(given, text, code))
            return false;
    }
    return true;
}

static bool check_needs(const struct gv_given *given, enum gv_exit *code)
{
    for (const struct gv_option *o = given->command->options; o->name; o++) {
        if (!o->needs || !(given->options & bit_of(given, o)))
            continue;
        char why[120];
        tell_needs(why, sizeof why, o->needs);
        if (!is_met(given, o->needs) && !gv_options_idle(given, o->name, why, code))
            return false;
    }
    return true;
}

// ---- variables ----

// Those of benches, tests and the library, which are no options.
static const char *const others[] = { "GPUVM_BENCH_",  "GPUVM_CORPUS",
                                      "GPUVM_KEEP",    "GPUVM_NAME",
                                      "GPUVM_PLAYER",  "GPUVM_PSX_LIMITS",
                                      "GPUVM_REVERSE", "GPUVM_X=" };

static bool is_other(const char *variable)
{
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strncmp(variable, others[i], strlen(others[i])) == 0)
            return true;
    return false;
}

// "MEM_MB" as options are written: "mem-mb".
static void option_name(char name[64], const char *variable, size_t length)
{
    snprintf(name, 64, "%.*s", (int)length, variable);
    for (char *c = name; *c; c++) {
        if (*c == '_')
            *c = '-';
        else
            *c = (char)tolower((unsigned char)*c);
    }
}

static void offer_options(struct gv_nearest *near, const struct gv_command *command,
                          bool *known)
{
    for (const struct gv_option *o = command->options; o->name; o++) {
        if (strcmp(o->name, near->word) == 0)
            *known = true;
        gv_nearest_offer(near, o->name);
    }
}

static bool check_variable(const struct gv_program *program,
                           const struct gv_given *given, const char *variable,
                           enum gv_exit *code)
{
    const char *word = variable + strlen(PREFIX);
    char name[64], text[160];
    const size_t length = strcspn(word, "=");
    option_name(name, word, length);
    struct gv_nearest near;
    bool known = is_other(variable);
    gv_nearest_init(&near, name, strlen(name));
    for (const struct gv_command *const *c = program->commands; !known && *c; c++) {
        const struct gv_command *verb;
        offer_options(&near, *c, &known);
        for (size_t i = 0; (*c)->verb && (verb = (*c)->verb(i)); i++)
            offer_options(&near, verb, &known);
    }
    if (known)
        return true;
    int end = snprintf(text, sizeof text, PREFIX "%.*s sets no option",
                       length < 48 ? (int)length : 48, word);
    if (near.best)
        snprintf(text + end, sizeof text - (size_t)end, "; did you mean that of --%s?",
                 near.best);
    return warn(given, text, code);
}

bool gv_options_used(const struct gv_program *program, const struct gv_given *given,
                     enum gv_exit *code)
{
    if (!check_twice(given, code) || !check_needs(given, code))
        return false;
    // The player lacks commands whose options may well be set.
    for (char **v = environ; program->captures && *v; v++)
        if (strncmp(*v, PREFIX, strlen(PREFIX)) == 0 &&
            !check_variable(program, given, *v, code))
            return false;
    return true;
}

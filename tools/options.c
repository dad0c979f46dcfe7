#include "tools/options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/json.h"
#include "tools/nearest.h"
#include "tools/program.h"
#include "tools/version.h"

#define MAX_OPTIONS 48
#define FIRST_LONG 256 // getopt's value of a table row: this plus its index
#define PEDANTIC (FIRST_LONG - 1)

const struct gv_option gv_common_options[] = {
    { .name = "pedantic",
      .kind = GV_OPTION_FLAG,
      .help = "an option without effect is an error" },
    { .name = "help", .letter = 'h', .kind = GV_OPTION_FLAG, .help = "print this" },
    { 0 },
};

static size_t option_count(const struct gv_option *options)
{
    size_t count = 0;
    while (options[count].name)
        count++;
    return count;
}

static enum gv_exit fail_usage(bool json, const struct gv_error *err)
{
    return gv_report_error(NULL, err, GV_PHASE_OPEN, json);
}

enum gv_exit gv_usage(const struct gv_command *command, bool json, const char *format,
                      ...)
{
    char text[160];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    struct gv_error err = GV_ERROR_INIT;
    gv_fail(&err, GV_ERR_USAGE, GV_NO_OFFSET, "%s: %s", command->name, text);
    return fail_usage(json, &err);
}

static bool parse_number(const char *text, const struct gv_option *option,
                         uint64_t *out)
{
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (!isdigit((unsigned char)text[0]) || *end || errno)
        return false;
    *out = number;
    return number >= option->minimum && number <= option->maximum;
}

static bool is_off(const char *value)
{
    return !*value || strcmp(value, "0") == 0 || strcmp(value, "no") == 0 ||
           strcmp(value, "false") == 0;
}

static bool is_on(const char *value)
{
    return strcmp(value, "1") == 0 || strcmp(value, "yes") == 0 ||
           strcmp(value, "true") == 0;
}

static bool is_folder(const struct gv_option *option)
{
    return option->argument && (strcmp(option->argument, "DIR") == 0 ||
                                strcmp(option->argument, "STORE") == 0);
}

// `source`: "--name" or "GPUVM_NAME", for messages. The value of a flag may be NULL.
static bool set_option(const struct gv_option *option, const char *source,
                       const char *value, void *values, struct gv_error *err)
{
    void *at = (char *)values + option->offset;
    // Elsewhere - is a standard stream, which has no names below it.
    if (is_folder(option) && strcmp(value, "-") == 0)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "%s: a folder, not - (./- is one of that name)", source);
    switch (option->kind) {
    case GV_OPTION_FLAG:
        *(bool *)at = !value || is_on(value);
        return !value || is_on(value) || is_off(value) ||
               gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "%s: '%.32s' is neither 1 nor 0", source, value);
    case GV_OPTION_TEXT:
        *(const char **)at = value;
        return true;
    case GV_OPTION_NUMBER:
        if (!parse_number(value, option, at))
            return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                           "%s: '%s' is not a number from %" PRIu64 " to %" PRIu64,
                           source, value, option->minimum, option->maximum);
        return true;
    case GV_OPTION_LIST: {
        struct gv_option_list *list = at;
        if (list->count == GV_OPTION_LIST_MAX)
            return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "%s: more than %d times",
                           source, GV_OPTION_LIST_MAX);
        list->items[list->count++] = value;
        return true;
    }
    case GV_OPTION_REFUSED:
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: %s in this version", source);
    }
    return true;
}

// --mem-mb is GPUVM_MEM_MB.
static void variable_name(char name[64], const struct gv_option *option)
{
    snprintf(name, 64, "GPUVM_%s", option->name);
    for (char *c = name; *c; c++) {
        if (*c == '-')
            *c = '_';
        else
            *c = (char)toupper((unsigned char)*c);
    }
}

// Of an option's value, which may be NULL, or an operand.
static bool is_url(const char *text)
{
    return text && strstr(text, "://");
}

static bool read_environment(const struct gv_option *options, void *values,
                             struct gv_given *given, struct gv_error *err)
{
    for (const struct gv_option *o = options; o->name; o++) {
        char name[64];
        variable_name(name, o);
        const char *value = getenv(name);
        if (!value || !*value)
            continue;
        const bool flag = !o->argument;
        if (flag && is_off(value))
            continue;
        if (!set_option(o, name, flag ? NULL : value, values, err))
            return false;
        given->urls = given->urls || is_url(value);
        given->known |= UINT64_C(1) << (o - options);
    }
    return true;
}

static void print_option(const struct gv_option *o)
{
    char left[64];
    int n = o->letter ? snprintf(left, sizeof left, "  -%c, ", o->letter)
                      : snprintf(left, sizeof left, "      ");
    snprintf(left + n, sizeof left - (size_t)n, "--%s%s%s", o->name,
             o->argument ? " " : "", o->argument ? o->argument : "");
    printf("%-32s %s%s\n", left, o->help,
           o->kind == GV_OPTION_REFUSED ? " (not in this version)" : "");
}

static void print_examples(const struct gv_program *program,
                           const struct gv_command *command)
{
    if (!command->examples)
        return;
    printf("\nexamples:\n");
    for (const char *line = command->examples, *end; (end = strchr(line, '\n'));
         line = end + 1)
        printf("  %s %.*s\n", program->name, (int)(end - line), line);
}

static void print_help(const struct gv_program *program,
                       const struct gv_command *command)
{
    printf("%s %s [OPTIONS] %s\n  %s\n\n", program->name, command->name,
           command->operands, command->what);
    for (const struct gv_option *o = command->options; o->name; o++)
        print_option(o);
    for (const struct gv_option *o = gv_common_options; o->name; o++)
        print_option(o);
    if (command->notes)
        printf("\n%s", command->notes);
    print_examples(program, command);
}

bool gv_options_json(int argc, char **argv)
{
    const char *variable = getenv("GPUVM_JSON");
    bool json = variable && !is_off(variable);
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--json") == 0)
            json = true;
        else if (strncmp(argv[i], "--json=", 7) == 0)
            json = is_on(argv[i] + 7);
    return json;
}

static void make_getopt_tables(const struct gv_option *options, size_t count,
                               struct option longs[], char *shorts)
{
    *shorts++ = ':';
    *shorts++ = 'h';
    for (size_t i = 0; i < count; i++) {
        longs[i] = (struct option){
            .name = options[i].name,
            .has_arg = options[i].argument ? required_argument : optional_argument,
            .val = FIRST_LONG + (int)i,
        };
        if (!options[i].letter)
            continue;
        *shorts++ = options[i].letter;
        if (options[i].argument)
            *shorts++ = ':';
    }
    longs[count] = (struct option){ .name = "help", .val = 'h' };
    longs[count + 1] = (struct option){ .name = "pedantic", .val = PEDANTIC };
    longs[count + 2] = (struct option){ 0 };
    *shorts = '\0';
}

static const struct gv_option *find_option(const struct gv_option *options, int value)
{
    if (value >= FIRST_LONG)
        return &options[value - FIRST_LONG];
    const struct gv_option *o = options;
    while (o->letter != value)
        o++;
    return o;
}

// The argument in which getopt met the letter `optopt`: the one before `optind` if the
// letter ends it, else the one it is still at.
static const char *word_of_letter(int argc, char **argv)
{
    const char *before = argv[optind - 1];
    size_t length = strlen(before);
    bool ends = length > 1 && before[0] == '-' && before[length - 1] == optopt;
    return ends || optind >= argc ? before : argv[optind];
}

// "--s may be --screenshots, --store": false if fewer than two begin so.
static bool fail_ambiguous(const struct gv_command *command, const char *word,
                           struct gv_error *err)
{
    char names[160] = "";
    size_t length = 0, count = 0;
    const size_t begun = strlen(word) - 2;
    for (const struct gv_option *o = command->options; o->name; o++) {
        if (strncmp(o->name, word + 2, begun) != 0)
            continue;
        if (length < sizeof names)
            length += (size_t)snprintf(names + length, sizeof names - length, "%s--%s",
                                       count ? ", " : "", o->name);
        count++;
    }
    if (count < 2)
        return false;
    gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "%s: %.32s may be %s", command->name, word,
            names);
    return true;
}

// "unknown option WORD", and what may have been meant.
static bool fail_unknown(const struct gv_command *command, const char *word,
                         struct gv_error *err)
{
    struct gv_nearest near;
    const char *name = word + strspn(word, "-");
    if (strncmp(word, "--", 2) == 0 && fail_ambiguous(command, word, err))
        return false;
    gv_nearest_init(&near, name, strcspn(name, "="));
    for (const struct gv_option *o = command->options; o->name; o++)
        gv_nearest_offer(&near, o->name);
    for (const struct gv_option *o = gv_common_options; o->name; o++)
        gv_nearest_offer(&near, o->name);
    return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "%s: unknown option %.64s%s%s%s",
                   command->name, word, near.best ? "; did you mean --" : "",
                   near.best ? near.best : "", near.best ? "?" : "");
}

// What getopt could not take, said of the argument that holds it.
static bool fail_argument(const struct gv_command *command, int argc, char **argv,
                          int value, struct gv_error *err)
{
    bool letter = optopt > 0 && optopt < FIRST_LONG;
    const char *word = letter ? word_of_letter(argc, argv) : argv[optind - 1];
    if (value == ':')
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "%s: %.64s needs an argument",
                       command->name, word);
    if (optopt >= FIRST_LONG || (optopt == 'h' && word[1] == '-'))
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "%s: %.*s takes no argument",
                       command->name, (int)strcspn(word, "="), word);
    return fail_unknown(command, word, err);
}

// Whether one of which the last counts had another text before.
static bool replaces(const struct gv_option *o, const char *text, const void *values)
{
    const void *at = (const char *)values + o->offset;
    if (o->kind == GV_OPTION_NUMBER)
        return strtoull(text, NULL, 10) != *(const uint64_t *)at;
    const char *before = o->kind == GV_OPTION_TEXT ? *(const char *const *)at : NULL;
    return before && strcmp(text, before) != 0;
}

// Reads the options and leaves `optind` at the operands. Sets `*help`.
static bool read_arguments(const struct gv_command *command, int argc, char **argv,
                           void *values, struct gv_given *given, bool *help,
                           struct gv_error *err)
{
    struct option longs[MAX_OPTIONS + 3];
    char shorts[2 * MAX_OPTIONS + 3];
    make_getopt_tables(command->options, option_count(command->options), longs, shorts);
    opterr = 0;
    optind = 0; // glibc: start afresh
    int value;
    while ((value = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
        if (value == 'h') {
            *help = true;
            return true;
        }
        if (value == PEDANTIC) {
            given->pedantic = true;
            continue;
        }
        if (value == ':' || value == '?')
            return fail_argument(command, argc, argv, value, err);
        const struct gv_option *o = find_option(command->options, value);
        char source[64];
        const uint64_t bit = UINT64_C(1) << (o - command->options);
        snprintf(source, sizeof source, "--%s", o->name);
        if ((given->options & bit) && replaces(o, optarg, values))
            given->twice |= bit;
        if (!set_option(o, source, optarg, values, err))
            return false;
        given->urls = given->urls || is_url(optarg);
        given->options |= bit;
    }
    return true;
}

static void keep_operands(struct gv_operands *operands, int argc, char **argv)
{
    operands->count = (size_t)(argc - optind);
    for (size_t i = 0; i < operands->count; i++) {
        operands->items[i] = argv[optind + (int)i];
        operands->given.urls = operands->given.urls || is_url(operands->items[i]);
    }
}

bool gv_options_parse(const struct gv_program *program,
                      const struct gv_command *command, int argc, char **argv,
                      void *values, struct gv_operands *operands, enum gv_exit *code)
{
    struct gv_error err = GV_ERROR_INIT;
    bool help = false;
    bool json = gv_options_json(argc, argv);
    gv_json_about(GV_VERSION, command->name); // of a verb the whole name
    *operands = (struct gv_operands){ .given = { .command = command, .json = json } };
    if (!read_environment(command->options, values, &operands->given, &err) ||
        !read_arguments(command, argc, argv, values, &operands->given, &help, &err)) {
        *code = fail_usage(json, &err);
        return false;
    }
    if (help) {
        print_help(program, command);
        *code = gv_finish_stdout(GV_EXIT_OK);
        return false;
    }
    size_t count = (size_t)(argc - optind);
    if (count < command->operand_min || count > command->operand_max) {
        *code = gv_usage(command, json, "usage: %s %s [OPTIONS] %s", program->name,
                         command->name, command->operands);
        return false;
    }
    keep_operands(operands, argc, argv);
    operands->given.known |= operands->given.options;
    return gv_options_used(program, &operands->given, code);
}

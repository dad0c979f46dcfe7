// `gpuvm devices`: the Vulkan devices; with a payload, what each of them misses.
#define _DEFAULT_SOURCE // strndup
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/runtime.h"
#include "tools/base/cache_folder.h"
#include "tools/base/json.h"
#include "tools/device_text.h"
#include "tools/input.h"
#include "tools/leak_check.h"
#include "tools/payload_json.h"
#include "tools/process/driver_cache.h"
#include "tools/process/memory_bound.h"

struct devices_options {
    uint64_t mem_mb;
    bool json;
};

// A line each.
static void print_missing(const char *missing)
{
    char *copy = strdup(missing), *rest = copy;
    for (char *line; copy && (line = strtok_r(rest, "\n", &rest));) {
        putchar('\t');
        gv_print_foreign(stdout, line);
        putchar('\n');
    }
    free(copy);
}

static void print_text(const struct gv_device_info *d, size_t index, bool judged)
{
    char version[32];
    gv_device_api_text(version, sizeof version, d->api_version);
    printf("%zu\t", index);
    gv_print_foreign(stdout, d->name);
    printf("\t%s\tVulkan %s\t", d->type, version);
    gv_print_foreign(stdout, d->driver);
    printf("\t%" PRIu64 " MiB%s\n", d->memory_bytes >> 20,
           !judged                       ? ""
           : d->missing && d->missing[0] ? "\tmisses:"
                                         : "\tfits");
    if (!judged || !d->missing)
        return;
    print_missing(d->missing);
    for (size_t i = 0; i < d->fallback_count; i++) {
        printf("\t%s ", d->fallbacks[i].strength);
        gv_print_foreign(stdout, d->fallbacks[i].missed);
        printf(", else ");
        gv_print_foreign(stdout, d->fallbacks[i].fallback);
        putchar('\n');
    }
}

static void print_fallbacks(struct gv_json *out, const struct gv_device_info *d)
{
    gv_json_array(out, "fallbacks");
    for (size_t i = 0; i < d->fallback_count; i++) {
        gv_json_begin(out, NULL);
        gv_json_text(out, "strength", d->fallbacks[i].strength);
        gv_json_text(out, "missing", d->fallbacks[i].missed);
        gv_json_text(out, "fallback", d->fallbacks[i].fallback);
        gv_json_end(out);
    }
    gv_json_array_end(out);
}

// One requirement a line, as a list.
static void put_missing(struct gv_json *out, const struct gv_device_info *d)
{
    gv_json_array(out, "missing");
    for (const char *line = d->missing ? d->missing : ""; *line;) {
        size_t length = strcspn(line, "\n");
        char *one = strndup(line, length);
        if (one && length)
            gv_json_text(out, NULL, one);
        free(one);
        line += length + (line[length] == '\n');
    }
    gv_json_array_end(out);
}

static void print_json(const struct gv_device_info *devices, size_t count,
                       const struct gv_payload *payload)
{
    struct gv_json out = { 0 };
    gv_json_result(&out);
    gv_json_text(&out, "status", "ok");
    if (payload)
        gv_payload_json(&out, payload);
    gv_json_array(&out, "devices");
    for (size_t i = 0; i < count; i++) {
        const struct gv_device_info *d = &devices[i];
        gv_json_begin(&out, NULL);
        gv_json_number(&out, "index", i);
        gv_device_json(&out, d);
        if (payload) {
            put_missing(&out, d);
            print_fallbacks(&out, d);
        }
        gv_json_end(&out);
    }
    gv_json_array_end(&out);
    gv_json_end(&out);
    gv_json_print(&out);
}

static enum gv_exit list(const struct gv_payload *payload, bool json)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_device_info *devices = NULL;
    size_t count = 0;
    char cache[4096];
    gv_driver_cache_prepare(gv_cache_folder(cache, sizeof cache), NULL);
    gv_runtime_skip_drivers(NULL);
    gv_leak_check_keep_libraries();
    if (!gv_runtime_devices(payload, &devices, &count, &err))
        return gv_report_error(NULL, &err, GV_PHASE_RUN, json);
    if (json)
        print_json(devices, count, payload);
    for (size_t i = 0; !json && i < count; i++)
        print_text(&devices[i], i, payload != NULL);
    gv_device_infos_free(devices, count);
    return GV_EXIT_OK;
}

static enum gv_exit list_for(const struct gv_program *program, const char *path,
                             const struct devices_options *o)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_input input;
    struct gv_loaded loaded;
    if (!gv_input_open(&input, path, o->mem_mb << 20, o->json, &err))
        return gv_report_error(path, &err, GV_PHASE_OPEN, o->json);
    enum gv_exit code;
    if (gv_loaded_init(&loaded, program, &input, o->mem_mb << 20, NULL, &err))
        code = list(&loaded.payload, o->json);
    else
        code = gv_report_error(path, &err, GV_PHASE_LOAD, o->json);
    gv_loaded_finish(&loaded);
    gv_input_close(&input);
    return code;
}

static const struct gv_option options[] = {
    GV_OPTION_MEM_MB(devices_options, "private", "1024"),
    GV_OPTION_JSON(devices_options, "print JSON"),
    { 0 },
};

static enum gv_exit run(const struct gv_program *program, int argc, char **argv)
{
    struct devices_options o = { .mem_mb = GV_LOOK_MEM_MB };
    struct gv_operands operands;
    enum gv_exit code;
    if (!gv_options_parse(program, &gv_cmd_devices, argc, argv, &o, &operands, &code))
        return code;
    return operands.count ? list_for(program, operands.items[0], &o)
                          : list(NULL, o.json);
}

const struct gv_command gv_cmd_devices = {
    .name = "devices",
    .operands = "[FILE]",
    .operand_max = 1,
    .what = "list Vulkan devices; with a file, what each misses",
    .run = run,
    .options = options,
    .examples = "devices\n"
                "devices game.gvp\n"
                "devices --json\n",
};

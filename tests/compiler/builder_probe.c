#include "tests/compiler/builder_probe.h"

#include "tests/helpers.h"
#include "vm/decode.h"
#include "vm/payload/payload_writer.h"
#include "vm/verify/verify.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void begin(struct probe *probe, struct gv_builder_params *params, int jobs)
{
    *probe = (struct probe){ .err = GV_ERROR_INIT };
    const struct gv_writer_params writer = {
        .write = gv_test_append, .context = &probe->bytes, .level = 3, .jobs = jobs
    };
    probe->writer = gv_payload_writer_create(&writer, &probe->err);
    params->writer = probe->writer;
    probe->builder = gv_builder_create(params, &probe->err);
}

void probe_begin(struct probe *probe, bool strict, int jobs)
{
    begin(probe, &(struct gv_builder_params){ .strict = strict }, jobs);
}

void probe_begin_for(struct probe *probe, const struct gv_target *target)
{
    begin(probe, &(struct gv_builder_params){ .target = target }, 1);
}

bool probe_end(struct probe *probe)
{
    probe->open = gv_builder_finish(probe->builder, &probe->totals, &probe->err) &&
                  gv_writer_close(probe->writer, true, &probe->err) &&
                  gv_payload_open_memory(&probe->payload, probe->bytes.data,
                                         probe->bytes.size, 0, &probe->err);
    return probe->open && gv_verify(&probe->payload, NULL, &probe->err);
}

void probe_finish(struct probe *probe)
{
    gv_builder_destroy(probe->builder);
    gv_payload_writer_destroy(probe->writer);
    if (probe->open)
        gv_payload_finish(&probe->payload);
    gv_bytes_finish(&probe->bytes);
}

static void put_instruction(const struct gv_payload *p, const struct gv_instruction *in,
                            struct gv_bytes *out)
{
    static const struct {
        uint8_t op;
        const char *format;
    } forms[] = {
        { GV_OP_END, "end" },
        { GV_OP_CMD, "cmd+%" PRIu64 " " },
        { GV_OP_CMD_NEXT, "cmd+1 " },
        { GV_OP_PUSH_F32, "f%08" PRIx64 " " },
        { GV_OP_CONST, "c%" PRIu64 " " },
        { GV_OP_VOLATILE, "v%" PRIu64 " " },
        { GV_OP_RES, "r%" PRIu64 " " },
        { GV_OP_RES_NEXT, "r+ " },
        { GV_OP_LOAD_SLOT, "s%" PRIu64 " " },
        { GV_OP_STORE_SLOT, "=s%" PRIu64 " " },
        { GV_OP_FETCH, "fetch%" PRIu64 " " },
        { GV_OP_FETCH_NEXT, "fetch+ " },
        { GV_OP_COPY, "copy%" PRIu64 " " },
        { GV_OP_PRODUCT, "product%" PRIu64 " " },
        { GV_OP_INVERSE, "inverse%" PRIu64 " " },
        { GV_OP_STORE32, "store32 " },
        { GV_OP_ADD_IMM, "+%" PRIu64 " " },
        { GV_OP_MEETS, "meets%" PRIu64 " " },
        { GV_OP_AND, "and " },
        { GV_OP_LESS, "less " },
        { GV_OP_DROP, "drop " },
        { GV_OP_SKIP_ZERO, "skip%" PRIu64 " " },
    };
    if (in->op == GV_OP_PUSH)
        gv_bytes_printf(out, "%" PRId64 " ", (int64_t)in->operand);
    if (in->op == GV_OP_CALL)
        gv_bytes_printf(out, "%s ", gv_call_infos[p->imports[in->operand].call].name);
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (forms[i].op == in->op) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-extra-args"
            gv_bytes_printf(out, forms[i].format, in->operand);
#pragma GCC diagnostic pop
        }
}

void probe_code(struct probe *probe, struct gv_bytes *out)
{
    struct gv_payload *p = &probe->payload;
    for (size_t i = 0; i < p->chunk_count; i++) {
        const struct gv_chunk *chunk = &p->chunks[i];
        const uint8_t *code = gv_payload_chunk(p, i, &probe->err);
        gv_bytes_printf(out, "@%" PRIu64 " r%" PRIu32 ": ", chunk->first_command,
                        chunk->first_resource);
        for (size_t at = 0; code && at < chunk->size;) {
            struct gv_instruction in;
            size_t size = gv_decode(code + at, chunk->size - at, &in);
            if (!size)
                break;
            put_instruction(p, &in, out);
            at += size;
        }
        gv_bytes_u8(out, '\n');
    }
    gv_bytes_u8(out, 0);
}

bool probe_code_is(struct probe *probe, const char *name, const char *code)
{
    struct gv_bytes got = { 0 };
    probe_code(probe, &got);
    const bool same = strcmp((const char *)got.data, code) == 0;
    if (!same)
        fprintf(stderr, "[%s] wanted:\n%sgot:\n%s", name, code, (const char *)got.data);
    gv_bytes_finish(&got);
    return same;
}

bool probe_writes(const struct probe_program *row)
{
    struct probe probe;
    probe_begin(&probe, false, 1);
    row->build(probe.builder);
    const bool written =
        probe_end(&probe) && probe_code_is(&probe, row->name, row->code);
    probe_finish(&probe);
    return written;
}

bool probe_fails(const struct probe_failure *row, void (*draw)(struct gv_builder *b))
{
    struct probe probe;
    probe_begin(&probe, true, 1);
    gv_builder_command(probe.builder, 3, 77, "bad");
    row->build(probe.builder);
    draw(probe.builder);
    gv_builder_frame_end(probe.builder, 0, 0);
    const struct gv_error *err = &probe.err;
    bool refused = !probe_end(&probe);
    bool said = err->status == row->status && strcmp(err->message, row->message) == 0 &&
                err->offset == 77 && err->command == 3;
    if (!refused || !said)
        fprintf(stderr, "[%s] %s\n", row->name, refused ? err->message : "not refused");
    probe_finish(&probe);
    return refused && said;
}

bool probe_host_make(void *context, const union gv_arg *args, uint64_t *result,
                     struct gv_error *err)
{
    (void)context, (void)args, (void)err;
    *result = 1;
    return true;
}

bool probe_host_skip(void *context, const union gv_arg *args, uint64_t *result,
                     struct gv_error *err)
{
    (void)context, (void)args, (void)result, (void)err;
    return true;
}

bool probe_run(struct gv_vm *vm)
{
    struct gv_error err = GV_ERROR_INIT;
    enum gv_stop stop = GV_STOP_FRAME;
    bool good = vm != NULL;
    while (good && stop != GV_STOP_END)
        good = gv_vm_run(vm, &stop, &err);
    if (!good)
        fprintf(stderr, "%s\n", err.message);
    return good;
}

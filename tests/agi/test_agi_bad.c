// Damaged captures: each is refused with its place and reason, when it is dumped and
// when it is compiled. Rows are bytes behind a good beginning of 13 chunks, whose types
// are 1 capture.Header, 5 vulkan.vkDeviceWaitIdle, 6 capture.Resource, 7
// memory.Observation.
#include "tests/agi/agi_writer.h"

#include "compiler/agi/agi_proto.h"
#include "compiler/compiler.h"
#include "tests/helpers.h"
#include "tests/test.h"

enum part {
    FILE_ITSELF, // nothing before it
    TAIL,        // behind the last chunk
    BODY,        // of an object
    DEFINITION,
    IN_GROUP,  // an object of an open group
    OBSERVING, // the same, where resource 1 has 4 bytes
    CREATING,  // memory at 0x5000, which vkCreateBuffer has as pCreateInfo
};

#define OVER "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"
#define INFO "\x0c\0\0\0\0\0\0\0" // sType of a buffer's
#define ZEROS "\0\0\0\0\0\0\0\0"
#define REST ZEROS ZEROS ZEROS ZEROS // what follows pNext, up to the queues
#define FIELD "\x12\x07\x0a\x01x\x18\x01\x28\x12"

static const struct row {
    const char *name;
    enum part part;
    const char *bytes;
    size_t size;
    const char *want;
} rows[] = {
#define ROW(name, part, bytes, want)               \
    {                                              \
        name, part, bytes, sizeof(bytes) - 1, want \
    }
    ROW("head cut", FILE_ITSELF, "ProtoPack\r\n2.", "the file ends in its head"),
    ROW("version 1", FILE_ITSELF, "protopack1.0\0\0\0\0", "AGI capture of version 1"),
    ROW("version 3", FILE_ITSELF, "ProtoPack\r\n3.0\n\0", "AGI capture of version 3.0"),
    ROW("version x", FILE_ITSELF, "ProtoPack\r\n2x0\n\0",
        "a version that is no number"),
    ROW("no end of the version", FILE_ITSELF, "ProtoPack\r\n2.0\n1", "no number"),
    ROW("head alone", FILE_ITSELF, "ProtoPack\r\n2.0\n\0", "no header"),
    ROW("no header", FILE_ITSELF, "ProtoPack\r\n2.0\n\0\0", "no header"),
    ROW("group first", FILE_ITSELF,
        "ProtoPack\r\n2.0\n\0\x29\x14vulkan.vkEndCommandBuffer", "ends in it"),
    ROW("command before the header", FILE_ITSELF,
        "ProtoPack\r\n2.0\n\0\x2f\x17vulkan.vkDeviceWaitIdle\x04\0\x01",
        "chunk 2: comes before the header"),
    ROW("size over 10 bytes", TAIL, "\xff" OVER, "chunk 14: a size over 10 bytes"),
    ROW("size cut", TAIL, "\x80", "chunk 14: the file ends in it"),
    ROW("size past the end", TAIL, "\x80\x01\0\x0c", "chunk 14: the file ends in it"),
    ROW("negative size past the end", TAIL, "\x0f\x01",
        "chunk 14: the file ends in it"),
    ROW("largest size", TAIL, "\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01" ZEROS,
        "the file ends in it"),
    ROW("smallest size", TAIL, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01" ZEROS,
        "the file ends in it"),
    ROW("parent ahead", BODY, "\x7f\x0c", "lies ahead of the first chunk"),
    ROW("parent over", BODY, OVER "\x0c", "a parent or type that ends early"),
    ROW("type cut", BODY, "\0\x80", "a parent or type that ends early"),
    ROW("type over", BODY, "\0" OVER, "a parent or type that ends early"),
    ROW("type undefined", BODY, "\0\x7e", "a type that is not defined"),
    ROW("group's type undefined", BODY, "\0\x7d", "a type that is not defined"),
    ROW("type of largest number", BODY, "\0\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01",
        "a type that is not defined"),
    ROW("end of none", BODY, "\0", "ends a group and names none"),
    ROW("end of an end", BODY, "\x01", "chunk 13, which it ends, is no open group"),
    ROW("end of what ended", BODY, "\x0b", "chunk 8, which it ends, is no open group"),
    ROW("child of what ended", BODY, "\x0b\x0e", "chunk 8, its parent, is no open"),
    ROW("child of an object", BODY, "\x03\x0e", "chunk 12, its parent, is no open"),
    ROW("child of a definition", BODY, "\x0d\x0e", "chunk 7, its parent, is no open"),
    ROW("group without end", BODY, "\0\x09", "chunk 14: the file ends in its group"),
    ROW("key cut", BODY, "\0\x0c\x80", "a field's key that ends early"),
    ROW("key over", BODY, "\0\x0c" OVER, "a field's key that ends early"),
    ROW("field 0", BODY, "\0\x0c\0", "a number that no message has"),
    ROW("field 2^32", BODY, "\0\x0c\x80\x80\x80\x80\x80\x01", "that no message has"),
    ROW("integer cut", BODY, "\0\x0c\x08\x80", "an integer that ends early"),
    ROW("integer over", BODY, "\0\x0c\x08" OVER, "an integer that ends early"),
    ROW("bytes past the end", BODY, "\0\x0c\x12\x05 ", "bytes past the end of their"),
    ROW("bytes of 2^63", BODY, "\0\x0c\x12\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01",
        "bytes past the end of their"),
    ROW("64 bits cut", BODY, "\0\x0c\x19 ", "a field past the end of its message"),
    ROW("32 bits cut", BODY, "\0\x0c\x1d ", "a field past the end of its message"),
    ROW("wire type 3", BODY, "\0\x0c\x0b", "a wire type that there is not"),
    ROW("wire type 4", BODY, "\0\x0c\x0c", "a wire type that there is not"),
    ROW("wire type 6", BODY, "\0\x0c\x0e", "a wire type that there is not"),
    ROW("wire type 7", BODY, "\0\x0c\x0f", "a wire type that there is not"),
    ROW("number as bytes", BODY, "\0\x0c\x0a\0", "in another form than its type has"),
    ROW("bytes as number", BODY, "\0\x0c\x10\0", "in another form than its type has"),
    ROW("resource 2", BODY, "\0\x0c\x08\x04", "resource 2 where 1 is due"),
    ROW("resource 0", BODY, "\0\x0c", "resource 0 where 1 is due"),
    ROW("resource -1", BODY, "\0\x0c\x08\x01", "where 1 is due"),
    ROW("header 0", BODY, "\0\x02", "a header of version 0"),
    ROW("header 5", BODY, "\0\x02\x18\x0a", "a header of version 5"),
    ROW("header 2", BODY, "\0\x02\x18\x04", "a header of version 2"),
    ROW("header without ABI", BODY, "\0\x02\x18\x08", "pointers of 0 bytes"),
    ROW("wide pointers", BODY, "\0\x02\x18\x08\x12\x06\x22\x04\x12\x02\x08\x10",
        "pointers of 16 bytes"),
    ROW("another ABI", BODY, "\0\x02\x18\x08\x12\x06\x22\x04\x12\x02\x08\x04",
        "another ABI than the first header has"),
    ROW("no name", DEFINITION, "\0", "a type without its name"),
    ROW("name past the end", DEFINITION,
        "\x05"
        "ab",
        "a type without its name"),
    ROW("name with NUL", DEFINITION, "\x02q\0", "a type without its name"),
    ROW("definition's key cut", DEFINITION, "\x01q\x80", "a field's key that ends"),
    ROW("definition's field no message", DEFINITION, "\x01q\x10\0",
        "a field that is no message"),
    ROW("definition's field past the end", DEFINITION, "\x01q\x12\x7f ",
        "bytes past the end of their message"),
    ROW("field without name", DEFINITION, "\x01q\x12\x02\x18\x01",
        "a field without name, number or type"),
    ROW("field of type 19", DEFINITION, "\x01q\x12\x02\x28\x13",
        "a field of a type that there is not"),
    ROW("field's name with NUL", DEFINITION, "\x01q\x12\x04\x0a\x02w\0",
        "a name that is no text"),
    ROW("field's name no text", DEFINITION, "\x01q\x12\x02\x08\x01",
        "a name that is no text"),
    ROW("two of one number", DEFINITION, "\x01q" FIELD FIELD, "two fields of one"),
    ROW("observation of none", IN_GROUP, "\x01\x0e\x10\x05\x18\x02",
        "observes resource 1 of 0"),
    ROW("observation of number 0", OBSERVING, "\x01\x0e\x10\x01",
        "observes resource 0 of 1"),
    ROW("observation of number 2", OBSERVING, "\x01\x0e\x10\x01\x18\x04",
        "observes resource 2 of 1"),
    ROW("observation of number -1", OBSERVING, "\x01\x0e\x10\x01\x18\x01", "of 1"),
    ROW("observation longer than it is", OBSERVING, "\x01\x0e\x10\x05\x18\x02",
        "observes 5 bytes of 4 of its resource"),
    ROW("address wraps", OBSERVING,
        "\x01\x0e\x08\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01\x10\x04\x18\x02",
        "past the end of the memory"),
    ROW("argument not observed", CREATING, "", "0x5000 was not observed"),
    ROW("argument observed in part", CREATING, INFO ZEROS REST,
        "0x5000 was not observed"),
    ROW("another struct", CREATING, "\x0d\0\0\0\0\0\0\0" ZEROS REST ZEROS,
        "a struct with the sType of another"),
    ROW("chain not observed", CREATING, INFO "\0\x60\0\0\0\0\0\0" REST ZEROS,
        "pNext: 0x6000 was not observed"),
    ROW("chain of itself", CREATING, INFO "\0\x50\0\0\0\0\0\0" REST ZEROS,
        "structs nested too deep"),
    ROW("chain past what was observed", CREATING,
        INFO "\x20\x50\0\0\0\0\0\0" REST ZEROS, "pNext: 0x5020 was not observed"),
    ROW("chain of no struct", CREATING,
        INFO "\x10\x50\0\0\0\0\0\0\xff\xff\xff\x7f" ZEROS ZEROS ZEROS ZEROS "\0\0\0\0",
        "unsupported: structure type 2147483647"),
};

static void put_resource(struct agi_writer *w, const void *bytes, size_t size)
{
    struct gv_bytes m = { 0 };
    agi_field_number(&m, 1, ++w->resources);
    agi_field_bytes(&m, 2, bytes, size);
    agi_put_object(w, 0, 6, &m);
    gv_bytes_finish(&m);
}

// vkCreateBuffer with what stands at 0x5000.
static void put_creating(struct agi_writer *w, const struct row *row)
{
    static const struct agi_field fields[] = {
        { "device", 8, GV_AGI_SINT64, false, NULL },
        { "pCreateInfo", 9, GV_AGI_SINT64, false, NULL },
        { "pBuffer", 10, GV_AGI_SINT64, false, NULL },
    };
    struct gv_bytes m = { 0 }, seen = { 0 };
    const uint32_t type = agi_define(w, "vulkan.vkCreateBuffer", fields, 3);
    const uint32_t called = agi_define(w, "vulkan.vkCreateBufferCall", NULL, 0);
    agi_field_number(&m, 9, 0x5000);
    const uint64_t group = agi_put_object(w, 0, -(int64_t)type, &m);
    put_resource(w, row->bytes, row->size);
    agi_varint(&seen, 1 << 3);
    agi_varint(&seen, 0x5000);
    agi_varint(&seen, 2 << 3);
    agi_varint(&seen, row->size);
    agi_field_number(&seen, 3, w->resources);
    agi_put_object(w, group, 7, &seen);
    m.size = 0;
    agi_put_object(w, group, called, &m);
    agi_put_end(w, group);
    gv_bytes_finish(&m);
    gv_bytes_finish(&seen);
}

static void put_row(struct agi_writer *w, const struct row *row)
{
    struct gv_bytes body = { 0 }, nothing = { 0 };
    gv_bytes_put(&body, row->bytes, row->size);
    switch (row->part) {
    case FILE_ITSELF:
        w->out.size = 0;
        gv_bytes_put(&w->out, row->bytes, row->size);
        break;
    case TAIL:
        gv_bytes_put(&w->out, row->bytes, row->size);
        break;
    case BODY:
        agi_put_chunk(w, (int64_t)body.size, &body);
        break;
    case DEFINITION:
        agi_put_chunk(w, -(int64_t)body.size, &body);
        break;
    case OBSERVING:
        put_resource(w, "four", 4);
        agi_put_object(w, 0, -5, &nothing);
        agi_put_chunk(w, (int64_t)body.size, &body);
        break;
    case IN_GROUP:
        agi_put_object(w, 0, -5, &nothing);
        agi_put_chunk(w, (int64_t)body.size, &body);
        break;
    case CREATING:
        put_creating(w, row);
        break;
    }
    gv_bytes_finish(&body);
}

static void begin(struct agi_writer *w)
{
    static const struct gv_vk_args_vkDeviceWaitIdle args;
    agi_begin(w, AGI_LP64, 4);
    agi_put_call(
        w, &(struct gv_vk_call){ .function = GV_VK_vkDeviceWaitIdle, .args = &args },
        0);
    CHECK(w->chunks == 13);
}

static bool dump(const struct gv_bytes *file, bool cut, struct gv_error *err)
{
    const struct gv_compile_params params = { .verbose = true, .allow_truncated = cut };
    struct gv_bytes text = { 0 };
    uint8_t *exact = malloc(file->size + 1); // sanitizers see what is read past it
    memcpy(exact, file->data, file->size);
    const bool ok =
        gv_capture_dump(exact, file->size, &params, gv_test_append, &text, err);
    free(exact);
    gv_bytes_finish(&text);
    return ok;
}

static void test_rows(void)
{
    static struct agi_writer w;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *row = &rows[i];
        const struct gv_compile_params params = { .level = 1, .jobs = 1 };
        struct gv_error err = GV_ERROR_INIT, again = GV_ERROR_INIT;
        struct gv_bytes payload = { 0 };
        begin(&w);
        put_row(&w, row);
        CHECK_ROW(row->name, !dump(&w.out, false, &err));
        if (!strstr(err.message, row->want))
            fprintf(stderr, "%s: \"%s\", not \"%s\"\n", row->name, err.message,
                    row->want);
        CHECK_ROW(row->name, strstr(err.message, row->want));
        CHECK_ROW(row->name, err.offset <= w.out.size);
        CHECK_ROW(row->name, !gv_compile(w.out.data, w.out.size, &params,
                                         gv_test_append, &payload, NULL, &again));
        gv_bytes_finish(&payload);
        agi_finish(&w);
    }
    CHECK(sizeof rows / sizeof *rows >= 60);
}

// Cut anywhere it is refused, or taken up to there where that is allowed.
static void test_cut(void)
{
    static struct agi_writer w;
    begin(&w);
    struct gv_bytes file = w.out;
    for (size_t size = 0; size < w.out.size; size++) {
        struct gv_error err = GV_ERROR_INIT;
        file.size = size;
        const bool whole = dump(&file, false, &err);
        CHECK(whole || err.offset <= size || err.offset == GV_NO_OFFSET);
        if (size > 600) // behind the header
            CHECK(dump(&file, true, &err) || whole);
    }
    agi_finish(&w);
}

int main(void)
{
    test_rows();
    test_cut();
    return TEST_RESULT();
}

// The bytes of a pack file, both ways: header, records, index, trailer
// (docs/stores.md). Nothing here reads or writes files.
#ifndef GV_PACK_FORMAT_H
#define GV_PACK_FORMAT_H

#include "resources/base/bytes.h"
#include "resources/base/error.h"
#include "resources/hash.h"

#define GV_PACKFILE_MAGIC "GPUVMPK\n"
#define GV_PACKFILE_END_MAGIC "GPUVMPKE"
#define GV_PACKFILE_MAJOR 1
#define GV_PACKFILE_HEADER_BYTES 64
#define GV_PACKFILE_RECORD_BYTES 48  // a record's header
#define GV_PACKFILE_ROW_BYTES 40     // of the index
#define GV_PACKFILE_TRAILER_BYTES 64 // the end of the index's record, and of the file
#define GV_PACKFILE_ALIGNMENT 16     // of records

enum gv_record_kind { GV_RECORD_OBJECT = 1, GV_RECORD_INDEX = 2 };

struct gv_record {
    uint32_t kind;       // enum gv_record_kind
    uint64_t size;       // of what follows the header, without padding, in bytes
    uint64_t raw_size;   // of the object, in bytes; of an index, its number of rows
    struct gv_hash hash; // of the object's raw bytes: its id; of an index, of its rows
};

// One object as the index has it.
struct gv_pack_row {
    struct gv_hash hash; // id
    uint64_t offset;     // of the record's header in the file
    uint64_t stored;     // bytes of the frame
    uint64_t raw_size;   // bytes of the object
    uint32_t dictionary; // not in a pack: number + 1 of what it needs, or 0
};

struct gv_pack_trailer {
    uint64_t index;     // offset of the index's record
    uint64_t file_size; // with the trailer
    uint64_t rows;
    struct gv_hash hash; // of the rows
};

// From one record to the next, header and padding included; 0: no file can hold that.
uint64_t gv_record_stride(uint64_t size);

// Bytes of an index's record behind its header: rows, padding and trailer.
uint64_t gv_index_size(uint64_t rows);

void gv_pack_put_header(struct gv_bytes *out);
// GV_ERR_FORMAT, GV_ERR_UNSUPPORTED (another major version).
bool gv_pack_check_header(const uint8_t header[GV_PACKFILE_HEADER_BYTES],
                          struct gv_error *err);

void gv_pack_put_record(struct gv_bytes *out, const struct gv_record *record);
// False: these are no record's header.
bool gv_pack_read_record(const uint8_t bytes[GV_PACKFILE_RECORD_BYTES],
                         struct gv_record *record);

// The whole record of an index that stands at `offset` of the file. Rows ascend.
void gv_pack_put_index(struct gv_bytes *out, const struct gv_pack_row *rows,
                       size_t count, uint64_t offset);
// False: these are no trailer.
bool gv_pack_read_trailer(const uint8_t bytes[GV_PACKFILE_TRAILER_BYTES],
                          struct gv_pack_trailer *trailer);
// Decodes `count` rows out of `bytes`, of count * GV_PACKFILE_ROW_BYTES, that belong to
// the trailer: hash, order, and that every record ends before the index begins.
// GV_ERR_FORMAT.
bool gv_pack_read_rows(const uint8_t *bytes, const struct gv_pack_trailer *trailer,
                       struct gv_pack_row *rows, struct gv_error *err);

int gv_hash_compare(const struct gv_hash *a, const struct gv_hash *b);

#endif

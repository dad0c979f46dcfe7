// The bytes of a pack file, both ways: header, records, index, trailer
// (docs/stores.md). Nothing here reads or writes files.
#ifndef GV_PACK_FORMAT_H
#define GV_PACK_FORMAT_H

#include "resources/base/bytes.h"
#include "resources/base/error.h"
#include "resources/dictionaries.h"
#include "resources/hash.h"

#define GV_PACKFILE_MAGIC "GPUVMPK\n"
#define GV_PACKFILE_END_MAGIC "GPUVMPKE"
#define GV_PACKFILE_PLAIN 1 // major version without dictionaries
#define GV_PACKFILE_MAJOR 2
#define GV_PACKFILE_HEADER_BYTES 64
#define GV_PACKFILE_RECORD_BYTES 48  // a record's header
#define GV_PACKFILE_NAME_BYTES 16    // id of a dictionary's object, before the frame
#define GV_PACKFILE_TRAILER_BYTES 64 // the end of the index's record, and of the file
#define GV_PACKFILE_ALIGNMENT 16     // of records

enum gv_record_kind {
    GV_RECORD_OBJECT = 1,
    GV_RECORD_INDEX = 2,
    GV_RECORD_DEPENDENT = 3, // an object that needs a dictionary; not in version 1
};

struct gv_record {
    uint32_t kind;       // enum gv_record_kind
    uint64_t size;       // of what follows the header, without padding, in bytes
    uint64_t raw_size;   // of the object, in bytes; of an index, its number of rows
    struct gv_hash hash; // of the object's raw bytes: its id; of an index, of its rows
    struct gv_hash dictionary; // of GV_RECORD_DEPENDENT: id of the other object; behind
                               // the header, and part of `size`
};

// One object as the index has it.
struct gv_pack_row {
    struct gv_hash hash; // id
    uint64_t offset;     // of the record's header in the file
    uint64_t stored;     // bytes of the frame
    uint64_t raw_size;   // bytes of the object
    uint32_t dictionary; // place + 1 of what it needs among its kind, or 0
};

// A pack's row that needs more dictionaries than a pack may have.
#define GV_PACK_BEYOND UINT32_MAX

// The objects of a pack, by ascending id where they are an index.
struct gv_pack_index {
    unsigned version; // major, of the pack
    struct gv_pack_row *rows;
    size_t count;
    struct gv_hash dictionaries[GV_DICTIONARY_MOST]; // ids, by place
    size_t dictionary_count;
};

struct gv_pack_trailer {
    unsigned version;   // major, of the pack
    uint64_t index;     // offset of the index's record
    uint64_t file_size; // with the trailer
    uint64_t rows;
    struct gv_hash hash; // of the rows
};

// From one record to the next, header and padding included; 0: no file can hold that.
uint64_t gv_record_stride(uint64_t size);

// Of all rows, without padding.
uint64_t gv_pack_rows_size(const struct gv_pack_trailer *trailer);

// Where the frame begins, and what is between the record's header and it.
uint64_t gv_pack_lead(const struct gv_pack_row *row);
uint64_t gv_pack_frame_at(const struct gv_pack_row *row);

// The place + 1 of an object that is a dictionary, which gets one if it has none.
// GV_PACK_BEYOND: there are too many.
uint32_t gv_pack_dictionary_place(struct gv_pack_index *index,
                                  const struct gv_hash *id);

// Why `other` (NULL: there is none) cannot be the dictionary of `row`. NULL: it can.
const char *gv_pack_dictionary_fault(const struct gv_pack_row *row,
                                     const struct gv_pack_row *other);

void gv_pack_put_header(struct gv_bytes *out, unsigned version);
// GV_ERR_FORMAT, GV_ERR_UNSUPPORTED (another major version).
bool gv_pack_check_header(const uint8_t header[GV_PACKFILE_HEADER_BYTES],
                          unsigned *version, struct gv_error *err);

// The header, and the dictionary's id if it needs one.
void gv_pack_put_record(struct gv_bytes *out, const struct gv_record *record);
// False: these are no record's header.
bool gv_pack_read_record(const uint8_t bytes[GV_PACKFILE_RECORD_BYTES],
                         struct gv_record *record);

// The whole record of an index that stands at `offset` of the file. Dictionaries have
// rows.
void gv_pack_put_index(struct gv_bytes *out, const struct gv_pack_index *index,
                       uint64_t offset);
// False: these are no trailer.
bool gv_pack_read_trailer(const uint8_t bytes[GV_PACKFILE_TRAILER_BYTES],
                          struct gv_pack_trailer *trailer);
// Decodes the trailer's rows out of `bytes` (gv_pack_rows_size) into `index`, whose
// `rows` are the caller's: hash, order, that every record ends before the index begins,
// and that dictionaries are what they have to be. GV_ERR_FORMAT.
bool gv_pack_read_rows(const uint8_t *bytes, const struct gv_pack_trailer *trailer,
                       struct gv_pack_index *index, struct gv_error *err);
// Of rows by ascending id. NULL: there is no such object.
const struct gv_pack_row *gv_pack_find(const struct gv_pack_row *rows, size_t count,
                                       const struct gv_hash *id);

int gv_hash_compare(const struct gv_hash *a, const struct gv_hash *b);

#endif

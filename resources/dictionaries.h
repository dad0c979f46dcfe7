// Dictionaries: the last bytes of some objects, with which other objects were
// compressed. Who reads the latter needs the former, once.
#ifndef GV_DICTIONARIES_H
#define GV_DICTIONARIES_H

#include "resources/base/bytes.h"
#include "resources/base/error.h"

#define GV_DICTIONARY_BYTES ((size_t)1 << 18) // at most
#define GV_DICTIONARY_MOST 16u                // different ones, so that all can stay
// Of an object whose last bytes are one: reading a small object never costs more.
#define GV_DICTIONARY_OBJECT ((uint64_t)8 << 20)

// Zero-initialise; gv_dictionaries_finish when done.
struct gv_dictionaries {
    struct {
        uint32_t number; // of its object
        uint8_t *bytes;  // owned
        size_t size;
    } items[GV_DICTIONARY_MOST];
    size_t count;
};

// What of an object's raw bytes is a dictionary.
struct gv_span gv_dictionary_of(struct gv_span raw);

// That of object `number`; no data if it is not kept.
struct gv_span gv_dictionaries_find(const struct gv_dictionaries *d, uint32_t number);

// Keeps that of an object whose raw bytes are these. GV_ERR_LIMIT: memory, or there are
// GV_DICTIONARY_MOST.
bool gv_dictionaries_keep(struct gv_dictionaries *d, uint32_t number,
                          struct gv_span raw, struct gv_error *err);

void gv_dictionaries_finish(struct gv_dictionaries *d);

#endif

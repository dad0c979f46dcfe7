// Which of many objects, compressed one after the other, become dictionaries of those
// behind them. What is chosen depends on the objects alone.
#ifndef GV_DICTIONARY_OFFERS_H
#define GV_DICTIONARY_OFFERS_H

#include "resources/codec.h"
#include "resources/dictionaries.h"

// Zero-initialise but for the level; gv_dictionary_offers_finish when done. What has
// been offered stays: other threads may compress with it while more is added.
struct gv_dictionary_offers {
    int level;
    size_t looked_at; // objects that could have become one
    struct {
        uint32_t number; // of its object
        struct gv_codec_dictionary *dictionary;
    } items[GV_DICTIONARY_MOST];
    size_t count;
};

// How large an object has to be that is to be looked at next; 0: none will be.
size_t gv_dictionary_offers_want(const struct gv_dictionary_offers *o);

// Looks at an object, and offers it (`offered`) if what there is does not fit it. The
// first always is. One that is offered is compressed without a dictionary.
bool gv_dictionary_offers_look(struct gv_dictionary_offers *o, uint32_t number,
                               struct gv_span raw, struct gv_codec_state *codec,
                               bool *offered, struct gv_error *err);

// Offers an object whatever it is. GV_ERR_LIMIT: memory, or too many.
bool gv_dictionary_offers_add(struct gv_dictionary_offers *o, uint32_t number,
                              struct gv_span raw, struct gv_error *err);

// Compressing an object with what was offered before it.
struct gv_dictionary_trial {
    const struct gv_dictionary_offers *offers;
    size_t first, end; // of the offers
    size_t least;      // bytes that it has to save
    // Out; the caller finishes `frame`, which is empty if none saves enough.
    struct gv_bytes frame;
    uint32_t number; // of the dictionary's object
};

// `plain`: bytes that it takes without. GV_ERR_LIMIT (memory).
bool gv_dictionary_try(struct gv_dictionary_trial *trial, struct gv_codec_state *codec,
                       struct gv_span raw, size_t plain, struct gv_error *err);

void gv_dictionary_offers_finish(struct gv_dictionary_offers *o);

#endif

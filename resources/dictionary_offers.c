#include "resources/dictionary_offers.h"

// Two suffice: what most objects are like is in the first (a capture's first frame,
// which also makes what lives long), or in the first after it (what frames are like).
#define MOST_LOOKED_AT 2
#define FIRST_BYTES 1
#define SECOND_BYTES 65536 // so that it holds what more than one frame has
#define FITS 4             // an object that this part of is saved by what there is

size_t gv_dictionary_offers_want(const struct gv_dictionary_offers *o)
{
    if (o->looked_at == MOST_LOOKED_AT)
        return 0;
    return o->looked_at ? SECOND_BYTES : FIRST_BYTES;
}

bool gv_dictionary_offers_add(struct gv_dictionary_offers *o, uint32_t number,
                              struct gv_span raw, struct gv_error *err)
{
    if (o->count == GV_DICTIONARY_MOST)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "too many dictionaries");
    struct gv_codec_dictionary *dictionary =
        gv_codec_dictionary_create(o->level, gv_dictionary_of(raw), err);
    if (!dictionary)
        return false;
    o->items[o->count].number = number;
    o->items[o->count++].dictionary = dictionary;
    return true;
}

// Judged by the object's end, which is what would be offered. Nothing fits where there
// is nothing.
static bool fits(struct gv_dictionary_offers *o, struct gv_span end,
                 struct gv_codec_state *codec, bool *result, struct gv_error *err)
{
    struct gv_bytes plain = { 0 };
    struct gv_dictionary_trial trial = { .offers = o, .end = o->count };
    *result = false;
    if (o->count == 0)
        return true;
    bool ok = gv_codec_compress(codec, o->level, end, &plain, err);
    trial.least = plain.size / FITS;
    ok = ok && gv_dictionary_try(&trial, codec, end, plain.size, err);
    *result = trial.frame.size > 0;
    gv_bytes_finish(&plain);
    gv_bytes_finish(&trial.frame);
    return ok;
}

bool gv_dictionary_offers_look(struct gv_dictionary_offers *o, uint32_t number,
                               struct gv_span raw, struct gv_codec_state *codec,
                               bool *offered, struct gv_error *err)
{
    size_t want = gv_dictionary_offers_want(o);
    bool fit = false;
    *offered = false;
    if (!want || raw.size < want || raw.size > GV_DICTIONARY_OBJECT)
        return true;
    o->looked_at++;
    if (!fits(o, gv_dictionary_of(raw), codec, &fit, err))
        return false;
    *offered = !fit;
    return fit || gv_dictionary_offers_add(o, number, raw, err);
}

bool gv_dictionary_try(struct gv_dictionary_trial *trial, struct gv_codec_state *codec,
                       struct gv_span raw, size_t plain, struct gv_error *err)
{
    size_t best = plain - (trial->least < plain ? trial->least : plain);
    bool ok = true;
    for (size_t i = trial->first; ok && i < trial->end; i++) {
        struct gv_bytes frame = { 0 };
        ok = gv_codec_compress_with(codec, trial->offers->items[i].dictionary, raw,
                                    &frame, err);
        if (!ok || frame.size > best) {
            gv_bytes_finish(&frame);
            continue;
        }
        gv_bytes_finish(&trial->frame);
        trial->frame = frame;
        trial->number = trial->offers->items[i].number;
        best = frame.size - 1; // of two that are as good the first
    }
    return ok;
}

void gv_dictionary_offers_finish(struct gv_dictionary_offers *o)
{
    for (size_t i = 0; i < o->count; i++)
        gv_codec_dictionary_destroy(o->items[i].dictionary);
    *o = (struct gv_dictionary_offers){ .level = o->level };
}

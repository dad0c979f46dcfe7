// Which bytes and texels of objects are still wanted: going backward, what reads adds
// to them and what overwrites takes from them. Bounded: where it would grow too fine it
// says that more is wanted than is, never less.
#ifndef GV_SLICE_LIVE_H
#define GV_SLICE_LIVE_H

#include "vm/effects/effects.h"

struct gv_live;

struct gv_live *gv_live_create(const struct gv_track *track, uint64_t memory_limit,
                               struct gv_error *err);
void gv_live_destroy(struct gv_live *live);

// Whether any of it is wanted; then gv_live_reader is a unit that wants it.
bool gv_live_hits(struct gv_live *live, const struct gv_effect *effect);
uint32_t gv_live_reader(const struct gv_live *live);
// Wants it, for a unit; no longer wants it.
void gv_live_add(struct gv_live *live, const struct gv_effect *effect, uint32_t reader);
void gv_live_remove(struct gv_live *live, const struct gv_effect *effect);

// Nothing of an object: it does not exist yet.
void gv_live_forget(struct gv_live *live, uint32_t object);

// What is wanted of an object, piece by piece (they may overlap): bytes, or texels of
// one plane, mip and slice. `all`: as if everything were. False: a visit was, or there
// are too many.
typedef bool (*gv_live_visit)(void *context, const struct gv_effect *piece);
bool gv_live_each(const struct gv_live *live, uint32_t object, bool all,
                  gv_live_visit visit, void *context);

// What has been done so far, in pieces looked at: the caller bounds it.
uint64_t gv_live_work(const struct gv_live *live);
// Whether memory has run out; then everything is wanted.
bool gv_live_failed(const struct gv_live *live);

#endif

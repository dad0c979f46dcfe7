// A bearer token that can be read but once, as from a pipe, for all the processes that
// speak to servers.
#ifndef GV_TOKEN_H
#define GV_TOKEN_H

#include "tools/child/fetcher.h"

// If `token_file` is no regular file, reads it now: what it names from then on is a
// copy in memory, for as long as `params` stays where it is and this process lives.
// GV_ERR_USAGE: it cannot be read, or is too large for a token.
bool gv_token_hold(struct gv_fetch_params *params, struct gv_error *err);

// In a process that needs it no more.
void gv_token_let_go(const struct gv_fetch_params *params);

#endif

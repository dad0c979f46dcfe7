// What an error says more of a capture that ends early and could be taken so.
#ifndef GV_CUT_HINT_H
#define GV_CUT_HINT_H

#define GV_CUT_HINT ": --allow-truncated takes what there is"

#endif

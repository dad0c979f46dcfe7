// A list that its members leave, from anywhere, in constant time. The holder of a
// member contains its link; a list is a pointer to the first link, NULL when it is
// empty.
#ifndef GV_LINK_H
#define GV_LINK_H

#include <stdbool.h>
#include <stddef.h>

struct gv_link {
    struct gv_link *next;
    struct gv_link **at; // what points here; NULL: on no list
};

// The struct of `type` whose `member` this link is.
#define GV_LINK_HOLDER(link, type, member) \
    ((type *)(void *)((char *)(link)-offsetof(type, member)))

static inline bool gv_link_listed(const struct gv_link *link)
{
    return link->at != NULL;
}

// Puts a link that is on no list in front.
static inline void gv_link_add(struct gv_link **list, struct gv_link *link)
{
    *link = (struct gv_link){ *list, list };
    if (*list)
        (*list)->at = &link->next;
    *list = link;
}

// Takes it off its list, if it is on one.
static inline void gv_link_remove(struct gv_link *link)
{
    if (!link->at)
        return;
    *link->at = link->next;
    if (link->next)
        link->next->at = link->at;
    *link = (struct gv_link){ NULL, NULL };
}

// The link is a copy of one that goes away: it takes its place.
static inline void gv_link_moved(struct gv_link *link)
{
    if (!link->at)
        return;
    *link->at = link;
    if (link->next)
        link->next->at = &link->next;
}

#endif

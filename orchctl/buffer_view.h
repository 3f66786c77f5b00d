/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_BUFFER_VIEW_H
#define ORCHD_ORCHCTL_BUFFER_VIEW_H

/* What the buffer holds, as bars: each pool by guaranteed, shared, headroom and
 * free, and each lossless priority group (PG) that holds something against the
 * fill at which it asserts XOFF now.
 *
 * The numbers are those of "show live", all in bytes. */

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct buffer_pool {
    const char *name, *type; /* Borrowed from the reply. */
    double size; /* Without headroom; negative: the switch reports no use. */
    double room; /* For headroom. */
    double guaranteed, shared, headroom; /* In use; negative: unknown, only
                                          * without a size. */
    double peak;                         /* Of 'shared'; negative: unknown. */
};

struct buffer_pg {
    char *name; /* "Ethernet0|3" */
    double used;
    double guaranteed, shared;
    double headroom; /* Parts of 'used'; negative: unknown. */
    double room;     /* For headroom. */
    double xoff;     /* Asserts XOFF there; negative: unknown. */
    bool paused;     /* It asserts XOFF now. */
};

struct buffer_view {
    struct buffer_pool *pools;
    struct buffer_pg *pgs; /* The fullest first. */
    size_t n_pools, n_pgs;
    size_t n_lossless; /* PGs, also those that hold nothing. */
    size_t n_unknown;  /* Those of which it is not known what they hold. */
    double whole;      /* Where the bars of PGs end. */
};

/* Makes '*view' of the data of "show live", which has to outlive it.  End with
 * buffer_view_fini(). */
void buffer_view_make(const json_t *data, struct buffer_view *view);
void buffer_view_fini(struct buffer_view *view);

/* Prints bars of characters, as wide as the terminal, or 80 characters. */
void buffer_view_print(const struct buffer_view *view);

#endif /* orchctl/buffer_view.h */

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_REHEARSE_STAND_H
#define ORCHD_REHEARSE_STAND_H

/* What one scenario runs on: private to this folder. */

#include <stddef.h>

#include <sai.h>

#include "breakpoint/bench.h"
#include "breakpoint/target.h"
#include "orchd/rehearse/answers.h"
#include "orchd/rehearse/blocks.h"
#include "orchd/rehearse/flows.h"

struct facts;
struct local;
struct sai_backend;
struct softasic_ops;

struct stand {
    struct target target; /* First: what the runner holds. */
    struct local *local;  /* NULL before it is configured. */
    struct facts *facts;
    struct sai_backend *backend;         /* Of 'local'. */
    const struct softasic_ops *softasic; /* Of the library. */
    struct answers_book answers;
    struct blocks blocks;
    struct flows flows;

    /* Ports of which frames are noted in order; owned. */
    sai_object_id_t *traced;
    size_t n_traced;

    const char *sai; /* Path of the library, for messages. */
};

/* Ends what 'stand' holds, so that it can begin anew. */
void stand_fini(struct stand *stand);

#endif /* orchd/rehearse/stand.h */

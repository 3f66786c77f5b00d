/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_REMOTE_CALL_H
#define ORCHD_SAI_REMOTE_CALL_H

/* A SAI call on objects of one type, as bytes, and its answer.
 *
 * One form for all verbs of sai/core/backend.h, on one object or on several.  A
 * call on more objects than a message takes is sent in parts; a part after the
 * first says so, so that what stops at an error stops in the others as well. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#include "sai/core/backend.h"
#include "sai/remote/values.h"
#include "sai/remote/wire.h"

struct arena;

/* Most counters that are asked for at once. */
#define CALL_STATS_MAX UINT32_C(1024)

/* What is asked. */
struct call {
    enum op op; /* Not OP_INTRODUCE; OP_GET_STATS is of several, too. */
    sai_object_type_t type;
    sai_bulk_op_error_mode_t mode;
    bool continued; /* Not the first part. */
    uint32_t n;
    sai_object_key_t *keys; /* Not of objects to be created. */

    /* Of OP_CREATE, OP_SET and OP_GET: of each object, what the wire said. */
    struct values *values;

    /* Of OP_GET_STATS. */
    sai_stats_mode_t stats_mode;
    uint32_t n_stats;
    sai_stat_id_t *stats;
};

/* What came of it.  Arrays have as many elements as the call has objects. */
struct call_answer {
    sai_status_t result;
    sai_status_t *statuses;
    sai_object_id_t *oids; /* Of what was created, if it was. */

    /* Of OP_GET_STATS: 'n_stats' for each. */
    uint64_t *counters;

    /* Of OP_GET: what the counts of lists were, for all attributes. */
    const uint32_t *rooms;
};

/* Writes objects 'first' to 'first' + 'n' of 'many'; their attributes begin at
 * 'attributes'.  OP_GET_STATS is written by call_put_stats(). */
void call_put(struct wire_out *out, const struct backend_many *many,
              uint32_t first, uint32_t n, const sai_attribute_t *attributes);
void call_put_stats(struct wire_out *out, sai_object_type_t type, uint32_t n,
                    const sai_object_key_t *keys, uint32_t n_stats,
                    const sai_stat_id_t *stats, sai_stats_mode_t mode);

/* Reads a call, with memory of 'arena'.  False if it is none. */
bool call_get(struct wire_in *in, struct arena *arena, struct call *call);

/* Returns whether the call changes anything. */
bool call_writes(const struct call *call);

void call_put_answer(struct wire_out *out, const struct call *call,
                     const struct call_answer *answer);

/* Reads the answer to what call_put() has written with the same arguments into
 * the arrays of 'many': statuses, ids, attributes.  '*result' is what the other
 * side made of it.  False if it is none. */
bool call_get_answer(struct wire_in *in, const struct backend_many *many,
                     uint32_t first, uint32_t n, sai_attribute_t *attributes,
                     sai_status_t *result);

/* The same for call_put_stats(). */
bool call_get_stats(struct wire_in *in, uint32_t n, uint32_t n_stats,
                    sai_status_t *statuses, uint64_t *counters,
                    sai_status_t *result);

#endif /* sai/remote/call.h */

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_REMOTE_CALL_H
#define ORCHD_SAI_REMOTE_CALL_H

/* A SAI call on objects of one type, and its result, in the form of a message.
 *
 * There is one form for all operations of sai/core/backend.h, on one object or
 * on several.  A call on more objects than a message can have is sent in parts.
 * Each part after the first is marked, so that an error that stops the call
 * stops the later parts as well. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#include "sai/core/backend.h"
#include "sai/remote/values.h"
#include "sai/remote/wire.h"

struct arena;

/* The largest number of counters of a call. */
#define CALL_STATS_MAX UINT32_C(1024)

/* A call as received. */
struct call {
    enum op op; /* Not OP_SNAPSHOT; OP_GET_STATS is of several, too. */
    sai_object_type_t type;
    sai_bulk_op_error_mode_t mode;
    bool continued; /* Not the first part. */
    uint32_t n;
    sai_object_key_t *keys; /* Not for objects to create. */

    /* For OP_CREATE, OP_SET and OP_GET: the attributes of each object. */
    struct values *values;

    /* For OP_GET_STATS. */
    sai_stats_mode_t stats_mode;
    uint32_t n_stats;
    sai_stat_id_t *stats;
};

/* The result.  Arrays have as many elements as the call has objects. */
struct call_answer {
    sai_status_t result;
    sai_status_t *statuses;
    sai_object_id_t *oids; /* Of created objects. */

    /* For OP_GET_STATS: 'n_stats' for each object. */
    uint64_t *counters;

    /* For OP_GET: the capacities of the lists, for all attributes. */
    const uint32_t *rooms;
};

/* Writes objects 'first' to 'first' + 'n' of 'many'; their attributes begin at
 * 'attributes'.  OP_GET_STATS is written by call_put_stats(). */
void call_put(struct wire_out *out, const struct backend_many *many,
              uint32_t first, uint32_t n, const sai_attribute_t *attributes);
void call_put_stats(struct wire_out *out, sai_object_type_t type, uint32_t n,
                    const sai_object_key_t *keys, uint32_t n_stats,
                    const sai_stat_id_t *stats, sai_stats_mode_t mode);

/* Parses a call, with memory from 'arena'.  Returns false if it is malformed.
 */
bool call_get(struct wire_in *in, struct arena *arena, struct call *call);

/* Returns whether the call creates object 'i' by connecting to the existing
 * switch: INIT_SWITCH is false. */
bool call_is_connection(const struct call *call, uint32_t i);

/* Returns whether the call changes anything.  To connect does not. */
bool call_writes(const struct call *call);

void call_put_answer(struct wire_out *out, const struct call *call,
                     const struct call_answer *answer);

/* Parses the answer to a call_put() with the same arguments into the arrays of
 * 'many': statuses, ids, attributes.  '*result' is the overall status.  Returns
 * false if the answer is malformed. */
bool call_get_answer(struct wire_in *in, const struct backend_many *many,
                     uint32_t first, uint32_t n, sai_attribute_t *attributes,
                     sai_status_t *result);

/* The same for call_put_stats(). */
bool call_get_stats(struct wire_in *in, uint32_t n, uint32_t n_stats,
                    sai_status_t *statuses, uint64_t *counters,
                    sai_status_t *result);

#endif /* sai/remote/call.h */

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_REMOTE_QUERY_H
#define ORCHD_SAI_REMOTE_QUERY_H

/* The queries of SAI that backends do not have, in the form of messages.  There
 * is one form for all queries and one for all answers; each query uses the
 * members that it needs. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#include "sai/remote/values.h"
#include "sai/remote/wire.h"

struct arena;

/* X(member, element): the queries, and the elements of the list in the answer.
 */
#define QUERY_LIST(X)                                                          \
    X(TYPE_OF, NOTHING)                                                        \
    X(SWITCH_OF, NOTHING)                                                      \
    X(MAX_ATTRIBUTES, NOTHING)                                                 \
    X(COUNT, NOTHING)                                                          \
    X(AVAILABILITY, NOTHING)                                                   \
    X(ATTRIBUTE_CAPABILITY, NOTHING)                                           \
    X(OBJECT_STAGE, NOTHING)                                                   \
    X(KEYS, KEY)                                                               \
    X(ENUM_VALUES, NUMBER)                                                     \
    X(STATS_CAPABILITY, PAIR)                                                  \
    X(DUMP, BYTE)                                                              \
    X(CLEAR_PORT, NOTHING)                                                     \
    X(REMOVE_NEIGHBORS, NOTHING)                                               \
    X(FLUSH_FDB, NOTHING)                                                      \
    X(LOG, NOTHING)                                                            \
    X(TESTERS, BYTE)

enum query_kind {
#define X(member, element) QUERY_##member,
    QUERY_LIST(X)
#undef X
        QUERY_N,
};

/* The largest number of elements of a list. */
#define QUERY_ROOM_MAX UINT32_C(1048576)

struct query {
    enum query_kind kind;
    sai_object_id_t oid; /* The object, or the switch. */
    sai_object_type_t type;
    uint32_t id;   /* Of an attribute; for QUERY_LOG the API. */
    uint32_t room; /* Capacity in elements; for QUERY_LOG the level. */
    struct values values;
};

/* The bits for the capabilities of an attribute in 'number'. */
#define QUERY_CREATE UINT64_C(1)
#define QUERY_SET    UINT64_C(2)
#define QUERY_GET    UINT64_C(4)

struct query_answer {
    sai_status_t status;
    uint64_t number;
    uint32_t count; /* Of existing elements. */

    /* The elements, if the status is success: keys, int32_t,
     * sai_stat_capability_t or bytes. */
    void *list;
};

/* Returns the size in memory of an element of the answer, 0 if it has none. */
size_t query_element_bytes(enum query_kind kind);

/* Writes a query; 'attributes' are of 'query->type'. */
void query_put(struct wire_out *out, const struct query *query, uint32_t n,
               const sai_attribute_t *attributes);

/* Parses a query, with memory from 'arena'.  Returns false if it is malformed.
 */
bool query_get(struct wire_in *in, struct arena *arena, struct query *query);

/* Returns whether a query changes state. */
bool query_writes(enum query_kind kind);

void query_put_answer(struct wire_out *out, const struct query *query,
                      const struct query_answer *answer);

/* Parses the answer to 'query'.  'answer->list' has room for 'query->room'
 * elements, or is NULL.  Returns false if the answer is malformed. */
bool query_get_answer(struct wire_in *in, const struct query *query,
                      struct query_answer *answer);

#endif /* sai/remote/query.h */

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_FACTS_FACTS_H
#define ORCHD_FACTS_FACTS_H

/* What the ASIC says, asked by name.
 *
 * Facts come from SAI at the moment of the question, never from what orchd
 * remembers to have set; a difference between the two is just what people look
 * for.  On softasic the state of the buffer comes from its own table besides,
 * because SAI has no words for it.
 *
 * Counters are named by the tail of their SAI name in lower case:
 * SAI_QUEUE_STAT_SHARED_WATERMARK_BYTES is "shared_watermark_bytes".  Which of
 * them a vendor has is learnt at the first question for each object type. */

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

#include "base/status.h"

struct agent;
struct facts;
struct sai_backend;
struct softasic_ops;

/* X(member, word, type, indexed).  Objects that have counters. */
#define FACTS_KIND_LIST(X)                                                     \
    X(PORT, "port", SAI_OBJECT_TYPE_PORT, false)                               \
    X(PG, "pg", SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP, true)                  \
    X(QUEUE, "queue", SAI_OBJECT_TYPE_QUEUE, true)                             \
    X(POOL, "pool", SAI_OBJECT_TYPE_BUFFER_POOL, false)

enum facts_kind {
#define X(member, word, type, indexed) FACTS_##member,
    FACTS_KIND_LIST(X)
#undef X
        N_FACTS_KINDS
};

/* An object; 'name' is that of its port or pool, borrowed. */
struct facts_object {
    enum facts_kind kind;
    const char *name;
    unsigned int index;
    sai_object_id_t oid;
};

/* Most priority groups or queues of a port that are looked at. */
#define FACTS_PLACES_MAX 128

/* Returns what answers questions about the ASIC behind 'backend' (NULL: there
 * is none yet), with objects named as 'agent' does; 'softasic' is NULL if it is
 * not ours.  All are borrowed.  It remembers which counters there are. */
struct facts *facts_create(const struct agent *agent,
                           struct sai_backend *backend,
                           const struct softasic_ops *softasic);

/* Frees 'facts'.  Accepts NULL. */
void facts_destroy(struct facts *facts);

/* Fail with a reason unless there is an ASIC; unless it is softasic. */
enum st facts_check(struct facts *facts, struct err *err) ST_WARN_UNUSED;
enum st facts_check_soft(struct facts *facts, struct err *err) ST_WARN_UNUSED;

/* Fills 'err' with what SAI said when asked to do 'what'; ST_OK for success,
 * when 'err' stays as it is. */
enum st facts_status(sai_status_t status, const char *what, struct err *err);

/* Finds a port by name. */
enum st facts_port(struct facts *facts, const char *name, sai_object_id_t *oid,
                   struct err *err) ST_WARN_UNUSED;

/* Finds the object of a kind's 'word' ("pg"), name and index. */
enum st facts_find(struct facts *facts, const char *word, const char *name,
                   unsigned int index, struct facts_object *object,
                   struct err *err) ST_WARN_UNUSED;

/* Returns the word of 'kind', for example "pg"; and whether such objects have
 * an index. */
const char *facts_kind_word(enum facts_kind kind);
bool facts_kind_indexed(enum facts_kind kind);

/* Returns the SAI type of objects of 'kind'. */
sai_object_type_t facts_type(enum facts_kind kind);

/* Stores the ids of the priority groups (FACTS_PG) or queues of 'port' in
 * 'oids', which has room for FACTS_PLACES_MAX, and returns how many. */
uint32_t facts_places(struct facts *facts, sai_object_id_t port,
                      enum facts_kind kind, sai_object_id_t *oids);

/* Reads one attribute; false if SAI does not tell. */
bool facts_get(struct facts *facts, sai_object_type_t type, sai_object_id_t oid,
               sai_attr_id_t id, sai_attribute_value_t *value);

/* Returns all counters and states of 'object' as a JSON object, {} if SAI has
 * none.  Nothing is cleared. */
json_t *facts_stats(struct facts *facts, const struct facts_object *object);

/* Returns whether the number 'name' only grows, one more each time that
 * something happens; else it tells a level, a limit or a state. */
bool facts_counts(const char *name);

/* Makes the watermarks of 'object' start anew at what it holds. */
enum st facts_clear(struct facts *facts, const struct facts_object *object,
                    struct err *err) ST_WARN_UNUSED;

/* Returns {"kind": ..., "name": ..., "index": ..., "stats": {...}}. */
json_t *facts_snapshot(struct facts *facts, const struct facts_object *object);

#endif /* orchd/facts/facts.h */

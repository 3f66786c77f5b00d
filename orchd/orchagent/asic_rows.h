/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHAGENT_ASIC_ROWS_H
#define ORCHD_ORCHAGENT_ASIC_ROWS_H

/* What orchagent and syncd report about a switch, in memory: the rows of
 * ASIC_DB, the name maps of COUNTERS_DB, and what STATE_DB says of ports.
 *
 * syncd keeps a row for each SAI object: ASIC_STATE:TYPE:oid:0x.., with the
 * attributes that were set, as text.  Its id is the virtual id that orchagent
 * uses.  Which object is which port, queue, priority group or pool is in hashes
 * of COUNTERS_DB; other objects have no name.  A row may be incomplete: objects
 * that exist from the start have only the attributes that a client has set, and
 * syncd writes the fields of a new one one by one.
 *
 * Pure: the owner hands in the hashes (asic_reader.h). */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

struct asic_rows;
struct asic_row;
struct asic_states;
struct field;
struct metadata_attribute;

/* X(MEMBER, database, key of the hash).  Hashes that are read as a whole. */
#define ASIC_MAP_LIST(X)                                                       \
    X(PORTS, COUNTERS_DB, "COUNTERS_PORT_NAME_MAP")                            \
    X(PGS, COUNTERS_DB, "COUNTERS_PG_NAME_MAP")                                \
    X(QUEUES, COUNTERS_DB, "COUNTERS_QUEUE_NAME_MAP")                          \
    X(POOLS, COUNTERS_DB, "COUNTERS_BUFFER_POOL_NAME_MAP")                     \
    X(LANES, ASIC_DB, "LANES")                                                 \
    X(RIDS, ASIC_DB, "RIDTOVID")

enum asic_map {
#define X(member, database, key) ASIC_MAP_##member,
    ASIC_MAP_LIST(X)
#undef X
        N_ASIC_MAPS
};

/* Returns an empty collection; free it with asic_rows_destroy(), which accepts
 * NULL. */
struct asic_rows *asic_rows_create(void);
void asic_rows_destroy(struct asic_rows *rows);

/* Returns whether rows of 'type' are kept. */
bool asic_rows_keeps(sai_object_type_t type);

/* Returns a number that increases with each change. */
uint64_t asic_rows_epoch(const struct asic_rows *rows);

/* Return the epoch of the last change of a row of 'type', and of a map; 0:
 * there was none. */
uint64_t asic_rows_epoch_of(const struct asic_rows *rows,
                            sai_object_type_t type);
uint64_t asic_rows_maps_epoch(const struct asic_rows *rows);

/* Returns a number that increases whenever something is set, changed or not;
 * the second function removes all rows, also those of STATE_DB, that were not
 * set since it was 'moment'. */
uint64_t asic_rows_moment(const struct asic_rows *rows);
void asic_rows_sweep(struct asic_rows *rows, uint64_t moment);

/* Sets the row of 'oid' to these fields; none: it is gone.  Fields that are no
 * attributes of 'type' are ignored, as is the placeholder "NULL". */
void asic_rows_put(struct asic_rows *rows, sai_object_type_t type,
                   sai_object_id_t oid, const struct field *fields, size_t n);

/* Sets a map to these fields. */
void asic_rows_put_map(struct asic_rows *rows, enum asic_map map,
                       const struct field *fields, size_t n);

/* Sets what the row 'key' of asic_states.h says; no fields: it is gone. */
void asic_rows_put_state(struct asic_rows *rows, const char *key,
                         const struct field *fields, size_t n);

/* Finds a row by its id, or NULL.  Borrowed until the next asic_rows_put(). */
const struct asic_row *asic_rows_get(const struct asic_rows *rows,
                                     sai_object_id_t oid);

/* Walks the rows of 'type'; see hash_index_next(). */
const struct asic_row *asic_rows_next(const struct asic_rows *rows,
                                      sai_object_type_t type, size_t *place);

/* Return what a row is; and a number that no other content of it has had. */
sai_object_id_t asic_row_oid(const struct asic_row *row);
sai_object_type_t asic_row_type(const struct asic_row *row);
uint64_t asic_row_epoch(const struct asic_row *row);

/* Returns attribute 'id', NULL if the row does not have it, or has something
 * that is no value of it. */
const sai_attribute_value_t *asic_row_value(const struct asic_row *row,
                                            sai_attr_id_t id);

/* Returns the metadata of the i-th attribute; NULL after the last one. */
const struct metadata_attribute *asic_row_each(const struct asic_row *row,
                                               size_t i);

/* Returns the id that 'map' has for 'name', such as "Ethernet0:3";
 * SAI_NULL_OBJECT_ID: none. */
sai_object_id_t asic_rows_named(const struct asic_rows *rows, enum asic_map map,
                                const char *name);

/* Returns the number of entries of 'map' for the port 'name': one more than the
 * highest index. */
uint32_t asic_rows_count(const struct asic_rows *rows, enum asic_map map,
                         const char *name);

/* Calls 'fn' for each entry of 'map' that is an id. */
void asic_rows_each_named(const struct asic_rows *rows, enum asic_map map,
                          void (*fn)(void *context, const char *name,
                                     sai_object_id_t oid),
                          void *context);

/* Returns the lanes of port 'oid' in ascending order, and their number in '*n';
 * the caller frees them.  NULL: syncd does not report them. */
uint32_t *asic_rows_lanes(const struct asic_rows *rows, sai_object_id_t oid,
                          uint32_t *n);

/* Returns what STATE_DB and APPL_STATE_DB say (asic_states.h). */
const struct asic_states *asic_rows_states(const struct asic_rows *rows);

#endif /* orchd/orchagent/asic_rows.h */

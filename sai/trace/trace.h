/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_TRACE_TRACE_H
#define ORCHD_SAI_TRACE_TRACE_H

/* A SAI call as a line of text; sai/trace/trace_parse.h goes the way back.
 *
 *   STAMP OPERATION TYPE [OID] ITEM... => STATUS ITEM... LATENCYus
 *
 * for example (broken here, one line in a record)
 *
 *   2026-01-02T03:04:05.678Z create SAI_OBJECT_TYPE_WRED
 *     SAI_WRED_ATTR_GREEN_ENABLE=true => SAI_STATUS_SUCCESS
 *     oid:0x1300000001 1.250us
 *   2026-01-02T03:04:05.679Z get SAI_OBJECT_TYPE_SWITCH oid:0x2100000001
 *     SAI_SWITCH_ATTR_PORT_LIST[0] => SAI_STATUS_BUFFER_OVERFLOW
 *     SAI_SWITCH_ATTR_PORT_LIST=#32 0.480us
 *
 * What is before the arrow is written before the call is made, and the rest
 * after it has returned.  So a line without an arrow is a call that was never
 * answered, and one that does not end in "us" was cut: both are what a crash
 * leaves, and both parse as a call that is not finished.
 *
 * Items are separated by single blanks and have none inside:
 *
 *   create, set     NAME=VALUE, values as sai/core/serialize.h has them
 *   get             NAME, for lists NAME[CAPACITY]; after the arrow, unless the
 *                   call failed, NAME=VALUE, or NAME=#COUNT for a list that did
 *                   not fit
 *   get_stats       MODE, then NAME; after the arrow NAME=VALUE
 *
 * Operations on several objects have the mode, and then for each object
 *
 *   create_many     #N, how many attributes follow, and these; an entry has its
 *                   KEY before that
 *   remove_many     KEY
 *   set_many        KEY NAME=VALUE
 *   get_many        KEY #N and what is asked, as for get
 *   get_stats_many  KEY; the mode, which is that of get_stats, is followed by
 *                   #N, how many counters are read of each, and their NAMEs
 *
 * A key is an id or an entry as sai/core/entry.h has it, without the type.
 * After the arrow comes the status of each object unless all are SUCCESS, and
 * then the ids of the objects that were created, or the answers of those that
 * answered; counters of several objects are mere numbers.
 *
 * Bytes of values that are not printable ASCII, blanks and '%' are written as
 * %XX.  Attributes, counters and types that metadata do not know have their
 * number for a name; a value that has no text is "?". */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#include "sai/core/op.h"

struct text;

/* Room for any stamp, as RFC 3339 has them. */
#define TRACE_STAMP_SIZE 40

/* A call and its outcome.  Arrays are borrowed, or pieces of the arena of
 * trace_parse(). */
struct trace_call {
    enum op op;
    sai_object_type_t type;
    sai_object_id_t oid; /* Not for create, and not for several. */

    uint32_t n;                        /* Attributes, counters, or objects. */
    const sai_attribute_t *attributes; /* With values but for get. */
    const uint32_t *capacities;        /* For get; 0 where it is no list. */
    sai_object_key_t *keys;            /* Of several; created ones included,
                                        * once they are. */
    const uint32_t *counts;            /* As in struct backend_many. */
    const sai_stat_id_t *stats;        /* For get_stats, also of several. */
    uint32_t n_stats;                  /* Of several; for one it is 'n'. */
    sai_stats_mode_t stats_mode;
    sai_bulk_op_error_mode_t bulk_mode;
    bool opaque; /* A value has no text: the call cannot be made again. */

    bool finished; /* All that follows is known. */
    sai_status_t status;
    sai_object_id_t created;        /* By create, if it succeeded. */
    const sai_attribute_t *answers; /* To get and get_many. */
    const uint64_t *counters;       /* From get_stats, if it succeeded; of
                                     * several 'n_stats' each. */
    const sai_status_t *statuses;   /* Of several; NULL: all SUCCESS. */
    int64_t latency_ns;
};

/* Returns how many attributes 'call' has, of all its objects. */
uint32_t trace_total(const struct trace_call *call);

/* Appends what stands before the arrow. */
void trace_write_call(const char *stamp, const struct trace_call *call,
                      struct text *text);

/* Appends the arrow and the rest, with the end of the line. */
void trace_write_result(const struct trace_call *call, struct text *text);

/* Appends 'string' in the %XX form. */
void trace_escape(const char *string, struct text *text);

#endif /* sai/trace/trace.h */

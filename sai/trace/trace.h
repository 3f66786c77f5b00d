/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_TRACE_TRACE_H
#define ORCHD_SAI_TRACE_TRACE_H

/* A SAI call as a line of text; sai/trace/trace_parse.h parses it.
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
 * The part before the arrow is written before the call is made, and the rest
 * after it returns.  So a line without an arrow is a call that did not return,
 * and a line that does not end in "us" is truncated.  A crash leaves such
 * lines; both parse as an unfinished call.
 *
 * Items are separated by single spaces and contain none:
 *
 *   create, set     NAME=VALUE, values in the form of sai/core/serialize.h
 *   get             NAME, for lists NAME[CAPACITY]; after the arrow, unless the
 *                   call failed, NAME=VALUE, or NAME=#COUNT for a list that did
 *                   not fit
 *   get_stats       MODE, then NAME; after the arrow NAME=VALUE
 *
 * Bulk operations have the error mode, and then for each object
 *
 *   create_many     #N, the number of attributes, and the attributes; for an
 *                   entry its KEY first
 *   remove_many     KEY
 *   set_many        KEY NAME=VALUE
 *   get_many        KEY #N and the items of get
 *   get_stats_many  KEY; the mode, which is that of get_stats, is followed by
 *                   #N, the number of counters of each object, and their NAMEs
 *
 * A key is an id or an entry in the form of sai/core/entry.h, without the type.
 * After the arrow follow the status of each object, unless all are SUCCESS, and
 * then the ids of the created objects, or the values of the objects that could
 * be read; counters of several objects are numbers without names.
 *
 * Spaces, '%' and bytes of values that are not printable ASCII are written as
 * %XX. Attributes, counters and types that the metadata do not know are written
 * as numbers; a value without a text form is "?". */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#include "sai/core/op.h"

struct text;

/* Room for any stamp, as RFC 3339 has them. */
#define TRACE_STAMP_SIZE 40

/* A call and its result.  Arrays are borrowed, or allocated from the arena of
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

/* Returns the number of attributes of all objects of 'call'. */
uint32_t trace_total(const struct trace_call *call);

/* Appends the part before the arrow. */
void trace_write_call(const char *stamp, const struct trace_call *call,
                      struct text *text);

/* Appends the arrow and the rest of the line, with its newline. */
void trace_write_result(const struct trace_call *call, struct text *text);

/* Appends 'string' in the %XX form. */
void trace_escape(const char *string, struct text *text);

#endif /* sai/trace/trace.h */

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_TRACE_H
#define ORCHD_SAI_TRACE_H

/* A SAI call as a line of text, and back.
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
 *   create, set     NAME=VALUE, values as sai/serialize.h has them
 *   set_many        MODE, then OID NAME=VALUE for each object; after the arrow
 *                   the status of each unless all are SUCCESS
 *   get             NAME, for lists NAME[CAPACITY]; after the arrow, unless the
 *                   call failed, NAME=VALUE, or NAME=#COUNT for a list that did
 *                   not fit
 *   get_stats       MODE, then NAME; after the arrow NAME=VALUE
 *
 * Bytes of values that are not printable ASCII, blanks and '%' are written as
 * %XX.  Attributes, counters and types that metadata do not know have their
 * number for a name; a value that has no text is "?". */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#include "base/status.h"
#include "sai/op.h"

struct arena;
struct text;

/* Room for any stamp, as RFC 3339 has them. */
#define TRACE_STAMP_SIZE 40

/* A call and its outcome.  Arrays are borrowed, or pieces of the arena of
 * trace_parse(). */
struct trace_call {
    enum op op;
    sai_object_type_t type;
    sai_object_id_t oid; /* Not for create and set_many. */

    uint32_t n; /* Attributes, counters, or objects of set_many. */
    const sai_attribute_t *attributes; /* With values but for get. */
    const uint32_t *capacities;        /* For get; 0 where it is no list. */
    const sai_object_id_t *oids;       /* For set_many. */
    const sai_stat_id_t *stats;        /* For get_stats. */
    sai_stats_mode_t stats_mode;
    sai_bulk_op_error_mode_t bulk_mode;
    bool opaque; /* A value has no text: the call cannot be made again. */

    bool finished; /* All that follows is known. */
    sai_status_t status;
    sai_object_id_t created;        /* By create, if it succeeded. */
    const sai_attribute_t *answers; /* To get. */
    const uint64_t *counters;       /* From get_stats, if it succeeded. */
    const sai_status_t *statuses;   /* From set_many; NULL: all SUCCESS. */
    int64_t latency_ns;
};

/* Appends what stands before the arrow. */
void trace_write_call(const char *stamp, const struct trace_call *call,
                      struct text *text);

/* Appends the arrow and the rest, with the end of the line. */
void trace_write_result(const struct trace_call *call, struct text *text);

/* Parses 'line', which has no end of line, into '*call'; lists and arrays are
 * pieces of 'arena'.  An answer whose list did not fit has its count and a list
 * of NULL.  ST_INVALID: it is no such line, and 'err' says what is wrong. */
enum st trace_parse(struct arena *arena, const char *line,
                    struct trace_call *call, struct err *err) ST_WARN_UNUSED;

/* Append and undo the %XX form; the latter is allocated from 'arena' and stops
 * at what is no such form. */
void trace_escape(const char *string, struct text *text);
char *trace_unescape(struct arena *arena, const char *string, size_t length);

#endif /* sai/trace.h */

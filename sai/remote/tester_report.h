/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_REMOTE_TESTER_REPORT_H
#define ORCHD_SAI_REMOTE_TESTER_REPORT_H

/* What the testers of a switch have changed, in the form of a message: the
 * answer to QUERY_TESTERS (query.h), a list of bytes.
 *
 * The report has the testers that are connected, and those that have
 * disconnected since the writer asked for the last time: of these what they
 * have left changed. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#include "sai/remote/message.h"
#include "sai/remote/wire.h"

/* Room for the text of a value: a number, an address or an object id. */
enum { TESTER_VALUE_BYTES = 48 };

/* One attribute that a tester has set, or one object that it has created. */
struct tester_change {
    sai_object_type_t type;
    sai_object_id_t oid;
    bool is_object;                  /* It has created the object. */
    sai_attr_id_t attribute;         /* Else: what it has set, ... */
    char before[TESTER_VALUE_BYTES]; /* ... from this value, "?": unknown, */
    char after[TESTER_VALUE_BYTES];  /* to this one. */
};

struct tester_entry {
    char name[MESSAGE_TEXT_BYTES]; /* From its HELLO. */
    uint64_t since_s;              /* Time of day, seconds since 1970. */
    bool connected;
    uint32_t n_changes;
};

/* Appends an entry, whose changes follow, and a change. */
void tester_report_put_entry(struct wire_out *out,
                             const struct tester_entry *entry);
void tester_report_put_change(struct wire_out *out,
                              const struct tester_change *change);

/* Calls 'on_entry' for each entry and, after it, 'on_change' for each of its
 * changes.  Both borrow their arguments.  Returns false if the report is
 * malformed; what comes before the error was passed on. */
typedef void tester_entry_fn(void *context, const struct tester_entry *entry);
typedef void tester_change_fn(void *context,
                              const struct tester_change *change);
bool tester_report_read(struct wire_in *in, tester_entry_fn *on_entry,
                        tester_change_fn *on_change, void *context);

#endif /* sai/remote/tester_report.h */

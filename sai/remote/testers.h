/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_REMOTE_TESTERS_H
#define ORCHD_SAI_REMOTE_TESTERS_H

/* The testers of a host: clients that may change a little beside the writer
 * (tester_rule.h), and the record of what they have changed.
 *
 * The record is for the writer, which asks for it to tell changes of a test
 * from drift, and for the log of the host.
 *
 * When a tester disconnects, attributes stay as it has set them: a suite may
 * rely on that, and only the writer knows the value that should be there.  What
 * differs from before is reported.  Objects that it has created are removed,
 * because nobody else knows their ids, and a suite that never removes a
 * scheduler would fill the table of the chip.  An object that the
 * library does not remove, such as one in use, is reported, and tried again
 * whenever a tester connects or disconnects. */

#include <stdbool.h>

#include <sai.h>

#include "sai/core/backend.h"
#include "sai/remote/call.h"
#include "sai/remote/wire.h"

/* The most changes and objects that are recorded together; a tester that would
 * exceed it is refused. */
#define TESTERS_RECORDS_MAX 8192

struct host_objects;
struct tester;
struct testers;

/* Reports what a tester has left, for the log: one line.  'warn': something
 * stays changed. */
typedef void testers_note_fn(void *context, bool warn, const char *name,
                             const char *text);

/* Creates the record for the switch of 'backend'.  'objects', of the host,
 * forgets what testers leave and is removed; NULL: the library lists its
 * objects.  Both are borrowed. */
struct testers *testers_create(struct sai_backend *backend,
                               struct host_objects *objects);

/* Frees the record, whose testers have left.  Accepts NULL. */
void testers_destroy(struct testers *testers);

/* Adds tester 'name'; testers_leave() removes it. */
struct tester *testers_join(struct testers *testers, const char *name);

/* Ends a tester, as described above. */
void testers_leave(struct tester *tester, testers_note_fn *note, void *context);

/* Returns NULL if 'tester' may make 'call', which changes something; else why
 * not, static. */
const char *testers_refuse(const struct tester *tester,
                           const struct call *call);

/* Call before and after a permitted call was made: record what it changes. */
void testers_before(struct tester *tester, const struct call *call);
void testers_after(struct tester *tester, const struct call *call,
                   const struct call_answer *answer);

/* Call after each call of any client: forgets objects that it has removed,
 * whose ids may come again, and all changes when the switch is removed. */
void testers_follow(struct testers *testers, const struct call *call,
                    const struct call_answer *answer);

/* Writes the report (tester_report.h). */
void testers_put(const struct testers *testers, struct wire_out *out);

/* Forgets the testers that have left, because the writer has the report. */
void testers_forget(struct testers *testers);

/* Returns how many testers are connected. */
unsigned int testers_n(const struct testers *testers);

#endif /* sai/remote/testers.h */

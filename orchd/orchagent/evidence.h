/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHAGENT_EVIDENCE_H
#define ORCHD_ORCHAGENT_EVIDENCE_H

/* A switch that orchagent programs, as a backend: judges by ASIC_DB whether
 * what was asked for is there.
 *
 * Problem: orchagent applies what is published for it in APPL_DB, late, and
 * reports almost nothing.  The reconciler asks the backend of a switch for
 * objects and attributes, and expects statuses.
 *
 * Idea: this backend changes nothing.  It remembers what it was asked for, and
 * answers by comparing that with the rows of ASIC_DB (asic_rows.h):
 *
 *   SAI_STATUS_SUCCESS        it is there
 *   SAI_STATUS_NOT_EXECUTED   it is not there yet
 *   SAI_STATUS_FAILURE        nor was it within the patience of
 *                             evidence_create()
 *
 * The reconciler tries the last two again (orchd/reconcile/confirmation.h), so
 * each row gets its answer from the state of the switch, never from an event.
 *
 * Identity.  Ports, priority groups, queues and pools have names in
 * COUNTERS_DB.  Profiles, maps, schedulers and WRED profiles have none.  For
 * them, an object of ASIC_DB is the wanted one if all its attributes are as
 * wanted: those that were asked for are equal, those that some row could set
 * but none does have their defaults, and references lead to objects that are
 * themselves as wanted.  Objects with equal content are interchangeable: the
 * switch does the same with either.  A binding is confirmed if the object that
 * is bound is as wanted.
 *
 * So the ids that this backend hands out are its own.  Where an object has a
 * name, its id is the one of ASIC_DB when it was first seen; orchagent may give
 * it another one after a restart, which changes nothing here.
 *
 * An attribute that a row of ASIC_DB lacks has its default, if SAI defines one;
 * else it is unknown, which is never a confirmation: a row that syncd is still
 * writing is not misread.
 *
 * Scheduler groups: ASIC_DB does not say which queues a group serves.  Each
 * queue gets a group of its own here; a scheduler is confirmed for it if at
 * least as many groups of the switch have the scheduler as queues want it.
 *
 * A confirmation is not final.  evidence_review() compares again, and reports
 * what is no longer as it was.
 *
 * Pure: knows no clock; the owner sets the time. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

/* How long the limits of a port that has appeared are waited for. */
#define EVIDENCE_LIMITS_NS (INT64_C(10) * 1000 * 1000 * 1000)

struct adopted_values;
struct asic_rows;
struct confirmation;
struct evidence;
struct sai_backend;

/* Returns a backend for the switch in 'rows', borrowed, that waits
 * 'patience_ns' for each change.  Free it with evidence_destroy(), which
 * accepts NULL. */
struct evidence *evidence_create(const struct asic_rows *rows,
                                 int64_t patience_ns);
void evidence_destroy(struct evidence *evidence);

/* Sets the time. */
void evidence_set_now(struct evidence *evidence, int64_t now);

/* Sets the lanes of the port 'name' as its row has them ("1,2,3,4"), in their
 * order, which syncd does not report; NULL: there is no such row. */
void evidence_set_lanes(struct evidence *evidence, const char *name,
                        const char *lanes);

/* Returns how many ports have rows, how many of these are in ASIC_DB, and of
 * how many of those STATE_DB has the limits (BUFFER_MAX_PARAM_TABLE). */
size_t evidence_n_ports(const struct evidence *evidence, size_t *n_there,
                        size_t *n_limited);

/* Returns whether ASIC_DB has a switch.  The backend must not be used
 * before. */
bool evidence_has_switch(struct evidence *evidence);

/* The backend; the names of objects that are to be created, for the agent; the
 * explanations, likewise.  Borrowed. */
struct sai_backend *evidence_backend(struct evidence *evidence);
const struct adopted_values *evidence_names(const struct evidence *evidence);
const struct confirmation *
evidence_confirmation(const struct evidence *evidence);

/* See wishes_left_over() (wish.h). */
bool evidence_left_over(const struct evidence *evidence, sai_object_type_t type,
                        const char *name, sai_attr_id_t id);

/* Compares all confirmed attributes with ASIC_DB again.  Returns whether some
 * are no longer as asked for; evidence_doubts() then says which, until the next
 * call. */
bool evidence_review(struct evidence *evidence);
bool evidence_doubts(void *evidence, sai_object_id_t oid, sai_attr_id_t id);

/* Returns a number that increases with each change of what was asked for. */
uint64_t evidence_epoch(const struct evidence *evidence);

#endif /* orchd/orchagent/evidence.h */

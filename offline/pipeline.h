/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_OFFLINE_PIPELINE_H
#define ORCHD_OFFLINE_PIPELINE_H

/* The whole flow in this process, without database and daemon: rows in, a
 * switch of its own, a clock that stands still between calls.
 *
 * Motivation: a dry run and a breakpoint test want the very code that will run
 * on the switch (intent, derive, translate, reconcile, SAI), at once and with
 * the same result every time.  Only the edges differ: rows come from a caller
 * instead of Redis, answers are asked for instead of published, and time
 * passes when pipeline_settle() says so.
 *
 * The switch is made by a libsai, softasic unless told otherwise, of the model
 * that its profile names, else of the one that fits the hwsku of the row
 * DEVICE_METADATA|localhost.  All calls go through the guard
 * (sai/stack/guard.h) as they do in the daemon, and are remembered by a journal
 * (sai/stack/journal.h).
 *
 * One at a time in a process: a libsai cannot be loaded twice. */

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "orchd/intent/field.h"
#include "sai/loader/loader.h"

struct agent;
struct chip;
struct journal;
struct pipeline;
struct listener;
struct schema;

struct pipeline_options {
    const char *yang_dir;
    const char *sai;                   /* Path of the library. */
    const struct loader_pair *profile; /* As for loader_open(); copied. */
    size_t n_profile;
    bool strict; /* Unknown fields are errors. */

    /* The YANG modules of 'yang_dir' if the caller has read them before;
     * borrowed.  NULL: they are read. */
    struct schema *schema;

    /* Told what becomes of rows and objects; NULL: nobody.  Borrowed. */
    const struct listener *listener;
};

/* Makes a flow that has no switch yet.  Fails as schema_create() does. */
enum st pipeline_create(const struct pipeline_options *options,
                        struct pipeline **pipeline,
                        struct err *err) ST_WARN_UNUSED;

/* Ends it with its switch.  Accepts NULL. */
void pipeline_destroy(struct pipeline *pipeline);

/* The flow, to be read. */
struct agent *pipeline_agent(struct pipeline *pipeline);

/* Says that CONFIG_DB has exactly the 'n' 'rows': others that were there are
 * gone.  Rows of tables that orchd does not know are passed over; returns how
 * many those were. */
size_t pipeline_set_rows(struct pipeline *pipeline,
                         const struct field_row *rows, size_t n);

/* Changes one row, or with 'row->fields' NULL removes it.  Returns whether
 * orchd knows the table. */
bool pipeline_put_row(struct pipeline *pipeline, const struct field_row *row);

/* Creates the switch and gives it to the flow.  To be called once, after the
 * row that tells the model.  Fails as loader_open() does. */
enum st pipeline_start(struct pipeline *pipeline,
                       struct err *err) ST_WARN_UNUSED;

/* Ends the flow and begins it anew with the rows in force, on the switch as it
 * is: what the flow made before is found there and adopted
 * (sai/stack/adoption.h). pipeline_agent() and pipeline_journal() are others
 * then.  Only after pipeline_start().  Nothing is done yet, so that a watchdog
 * can be attached before; pipeline_end_adoption() settles, and removes what
 * nobody asked for. */
enum st pipeline_restart(struct pipeline *pipeline,
                         struct err *err) ST_WARN_UNUSED;
void pipeline_end_adoption(struct pipeline *pipeline);

/* Lets time pass until all rows are applied or judged.  (Calls that the device
 * refused for the moment are retried by time; that is not waited for.) */
void pipeline_settle(struct pipeline *pipeline);

/* The switch: all calls so far, and a symbol of its library that is not SAI
 * (NULL if it has none of that name).  Only after pipeline_start(). */
struct journal *pipeline_journal(struct pipeline *pipeline);
void *pipeline_symbol(struct pipeline *pipeline, const char *name);

/* Finds the description of its chip; see switch_create_chip(). */
enum st pipeline_chip(struct pipeline *pipeline, struct chip **chip,
                      struct err *err) ST_WARN_UNUSED;

#endif /* offline/pipeline.h */

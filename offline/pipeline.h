/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_OFFLINE_PIPELINE_H
#define ORCHD_OFFLINE_PIPELINE_H

/* The whole pipeline from rows to SAI in this process, without database and
 * daemon: it has its own switch and a clock that stands still between calls.
 *
 * Motivation: a dry run and a breakpoint test need the same code as the switch
 * (intent, derive, translate, reconcile, SAI), fast and with the same result
 * every time.  Only the edges differ: rows come from the caller instead of
 * Redis, the caller queries answers that are otherwise published, and time
 * passes only in pipeline_settle().
 *
 * A libsai (default: softasic) creates the switch, with the chip that its
 * profile names, else the one that matches the hwsku of the row
 * DEVICE_METADATA|localhost.  All calls go through the guard
 * (sai/stack/guard.h) as in the daemon, and a journal (sai/stack/journal.h)
 * records them.
 *
 * A process can have only one at a time: a libsai cannot be loaded twice.  This
 * does not hold for pipelines on switches of their caller
 * (pipeline_start_on()). */

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "orchd/intent/field.h"
#include "sai/loader/loader.h"

struct adoption_figures;
struct adoption_lister;
struct agent;
struct chip;
struct dynamic_state_chip;
struct journal;
struct pipeline;
struct listener;
struct sai_backend;
struct schema;
struct softasic_ops;
struct switch_identity;

struct pipeline_options {
    const char *yang_dir;
    const char *sai; /* Path of the library; NULL: pipeline_start_on(). */
    const struct loader_pair *profile; /* As for loader_open(); copied. */
    size_t n_profile;
    bool strict; /* Unknown fields are errors. */

    /* The YANG modules of 'yang_dir' if the caller has already read them;
     * borrowed.  NULL: read them. */
    struct schema *schema;

    /* Notified about rows and objects; may be NULL.  Borrowed. */
    const struct listener *listener;
};

/* Creates a pipeline that has no switch yet.  Fails as schema_create() does. */
enum st pipeline_create(const struct pipeline_options *options,
                        struct pipeline **pipeline,
                        struct err *err) ST_WARN_UNUSED;

/* Destroys the pipeline and its switch.  Accepts NULL. */
void pipeline_destroy(struct pipeline *pipeline);

/* Returns the agent, for queries. */
struct agent *pipeline_agent(struct pipeline *pipeline);

/* Makes CONFIG_DB consist of exactly the 'n' 'rows' and removes all others.
 * Skips rows of tables that orchd does not know, and returns their number. */
size_t pipeline_set_rows(struct pipeline *pipeline,
                         const struct field_row *rows, size_t n);

/* Changes one row, or removes it if 'row->fields' is NULL.  Returns whether
 * orchd knows the table. */
bool pipeline_put_row(struct pipeline *pipeline, const struct field_row *row);

/* Sets the inputs of the dynamic buffer model that replace those of the chip
 * file if they are known.  Call it before pipeline_start(). */
void pipeline_set_parameters(struct pipeline *pipeline,
                             const struct dynamic_state_chip *parameters);

/* Creates the switch and attaches the agent to it.  Call it once, after the row
 * that determines the chip.  Fails as loader_open() does. */
enum st pipeline_start(struct pipeline *pipeline,
                       struct err *err) ST_WARN_UNUSED;

/* Attaches the agent to the switch behind 'backend', with chip 'chip', instead
 * of creating one: both are borrowed and must outlive the pipeline.  Any number
 * of such pipelines can exist.  Only the functions for a switch of a library
 * (pipeline_restart(), pipeline_symbol(), pipeline_identity(),
 * pipeline_chip()) are not for them.  Fails as agent_attach() does. */
enum st pipeline_start_on(struct pipeline *pipeline,
                          struct sai_backend *backend, const struct chip *chip,
                          struct err *err) ST_WARN_UNUSED;

/* Does the same for a switch that has been programmed with these rows already,
 * and adopts its objects, which 'lister' lists (sai/stack/adoption.h): nothing
 * on the switch changes.  Lets the pipeline settle. */
enum st pipeline_adopt_on(struct pipeline *pipeline,
                          struct sai_backend *backend,
                          const struct adoption_lister *lister,
                          const struct chip *chip,
                          struct err *err) ST_WARN_UNUSED;

/* Stores what pipeline_adopt_on() or pipeline_restart(), one of which was
 * called before, has found so far (sai/stack/adoption.h). */
void pipeline_adoption(const struct pipeline *pipeline,
                       struct adoption_figures *figures);

/* Restarts the agent with the rows in force while the switch keeps its state:
 * the new agent adopts the existing objects (sai/stack/adoption.h).
 * pipeline_agent() and pipeline_journal() return new objects afterwards.  Only
 * after pipeline_start().  The agent does nothing yet, so that a watchdog can
 * be attached first; pipeline_end_adoption() lets it settle and removes stale
 * objects. */
enum st pipeline_restart(struct pipeline *pipeline,
                         struct err *err) ST_WARN_UNUSED;
void pipeline_end_adoption(struct pipeline *pipeline);

/* Lets time pass until all rows have a final answer.  (The agent retries calls
 * that the device refused temporarily; this function does not wait for the
 * retries.) */
void pipeline_settle(struct pipeline *pipeline);

/* Return the journal of all calls so far, and a non-SAI symbol of the switch's
 * library (NULL if it has none of that name).  Only after pipeline_start(). */
struct journal *pipeline_journal(struct pipeline *pipeline);
void *pipeline_symbol(struct pipeline *pipeline, const char *name);

/* Returns what softasic can do beyond SAI; NULL: the library is another one.
 * Only after pipeline_start(). */
const struct softasic_ops *pipeline_softasic(struct pipeline *pipeline);

/* Returns the description of the switch; borrowed.  Only after
 * pipeline_start(). */
const struct switch_identity *
pipeline_identity(const struct pipeline *pipeline);

/* Finds the chip file of the switch; see switch_create_chip(). */
enum st pipeline_chip(struct pipeline *pipeline, struct chip **chip,
                      struct err *err) ST_WARN_UNUSED;

#endif /* offline/pipeline.h */

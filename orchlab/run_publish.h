/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHLAB_RUN_PUBLISH_H
#define ORCHD_ORCHLAB_RUN_PUBLISH_H

/* The command "publish SWITCH" of a run that stands still, and --publish: which
 * switch is in Redis (lab/publish/publication.h), again at each stand. */

#include <stdio.h>

#include "base/status.h"

struct run;
struct run_options;
struct run_publish;
struct scenario;

struct run_publish_options {
    const char *redis; /* --redis */
    const char *name;  /* --publish; NULL: none at first. */
    const struct run_options *files;
    const struct scenario *scenario;
    FILE *output; /* Says what is published, and how to read it. */
};

/* Publishes nothing yet.  All of 'options' is borrowed. */
struct run_publish *
run_publish_create(const struct run_publish_options *options);

/* Ends what is published.  Accepts NULL. */
void run_publish_destroy(struct run_publish *publish);

/* "publish NAME": publishes that switch of 'run' now and at each later stand;
 * "off" ends that.  ST_INVALID, ST_NOT_FOUND: there is no such switch; others
 * as publication_create() and publication_show(). */
enum st run_publish_set(struct run_publish *publish, struct run *run,
                        const char *name, struct err *err) ST_WARN_UNUSED;

/* The run has come to a stand: publishes the switch again, if there is one.  A
 * failure ends that until the next run_publish_set(). */
enum st run_publish_again(struct run_publish *publish, struct run *run,
                          struct err *err) ST_WARN_UNUSED;

#endif /* orchlab/run_publish.h */

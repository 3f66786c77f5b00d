/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_PUBLISH_PUBLICATION_H
#define ORCHD_LAB_PUBLISH_PUBLICATION_H

/* A switch of a fabric at one moment, in Redis, for SONiC tools and orchctl.
 *
 * Problem: what orchd writes for a box (the status of rows, name maps,
 * counters, watermarks) is the work of the whole daemon.  A second writer for
 * simulated switches would be another truth.
 *
 * Idea: the daemon itself does it.  A copy of this process serves the switch as
 * it stands (switch_server.h), Redis gets its configuration (snapshot_db.h),
 * and an orchd connects to both, as to a switch that kept running while orchd
 * was restarted: it finds every object as its rows want it, programs nothing,
 * reads the counters and publishes them.  So the numbers in COUNTERS_DB are
 * those of the simulated switch, and orchctl talks to that orchd.
 *
 * It stays as it is while the run goes on, until the next one replaces it.  The
 * switch can be read only: orchd answers rows that a user changes in this
 * Redis as refused by the device.
 *
 * In a directory of its own a publication has asic.sock (the switch),
 * control.sock (of orchd), redis.sock (if Redis is private), and the logs
 * orchd.log and sync.log. */

#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

struct asic;
struct publication;

/* All texts are borrowed. */
struct publication_options {
    const char *redis; /* As orchd's --redis: "spawn", "unix:/x.sock". */
    const char *orchd; /* Programs: a path, or a name in PATH. */
    const char *orchctl;
    const char *library; /* libsai-softasic.so */
    const char *chips_dir;
    const char *yang_dir;
};

/* The switch to publish.  All borrowed. */
struct publication_subject {
    struct asic *asic;
    const char *name;     /* In the fabric: "t0-0". */
    const char *scenario; /* "incast, seed 1" */
    int64_t t_ps;         /* Now. */
    const char *config;   /* The configuration in force, as JSON. */
};

/* Checks an address of Redis.  ST_INVALID: 'err' says what is allowed. */
enum st publication_check_redis(const char *address,
                                struct err *err) ST_WARN_UNUSED;

/* Checks 'options' and prepares the directory; publishes nothing yet.
 * ST_INVALID: the address of Redis; ST_IO: the directory. */
enum st publication_create(const struct publication_options *options,
                           struct publication **publication,
                           struct err *err) ST_WARN_UNUSED;

/* Ends all processes and removes what they have left in the directory, but for
 * the logs if a message of publication_show() refers to them.  Accepts NULL. */
void publication_destroy(struct publication *publication);

/* Publishes '*subject' in place of the one before, and returns when every
 * counter is in Redis.  On failure nothing is published: ST_NOT_FOUND, a
 * program is missing; ST_EXISTS, the Redis belongs to something else; ST_IO, a
 * process ended or does not answer. */
enum st publication_show(struct publication *publication,
                         const struct publication_subject *subject,
                         struct err *err) ST_WARN_UNUSED;

/* Prints what is published, and the commands that read it. */
void publication_print(const struct publication *publication, FILE *stream);

#endif /* lab/publish/publication.h */

/* SPDX-License-Identifier: Apache-2.0 */

/* Waits for the model, and loads the library. */

#include <config.h>

#include "orchd/daemon/daemon_switch.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "base/timeline.h"
#include "orchd/intent/intent.h"
#include "orchd/switch/switch_create.h"
#include "orchd/switch/switch_identity.h"
#include "orchd/switch/switch_voq.h"
#include "process/log.h"
#include "process/loop.h"

struct daemon_switch {
    struct loop *loop;
    struct log *log;
    const struct intent *intent;
    struct loader_options options; /* As the user gave them. */
    struct loader *loader;         /* NULL before it is loaded. */
    char *hwsku;                   /* That the switch was created with. */
    char *warned;                  /* Another hwsku that was warned about. */

    bool reading;       /* A complete reading is in progress. */
    bool port_seen;     /* A PORT row exists. */
    bool changed;       /* DEVICE_METADATA has changed. */
    int64_t first_row;  /* When the first PORT row came, if one did. */
    int64_t last_row;   /* When the last row came that says something about the
                         * switch: PORT, SYSTEM_PORT, DEVICE_METADATA. */
    int64_t not_until;  /* When to try again after a failure; 0: none failed. */
    int64_t pause_ns;   /* After the next failure. */
    struct err trouble; /* The last failure. */
    struct timer timer;
};

struct daemon_switch *
daemon_switch_create(struct loop *loop, struct log *log,
                     const struct intent *intent,
                     const struct loader_options *options)
{
    struct daemon_switch *asic = check_calloc(1, sizeof *asic);

    asic->loop = loop;
    asic->log = log;
    asic->intent = intent;
    asic->options = *options;
    asic->pause_ns = DAEMON_SWITCH_RETRY_MIN_NS;
    asic->timer.fire = timer_wake;
    return asic;
}

void
daemon_switch_destroy(struct daemon_switch *asic)
{
    if (asic) {
        timeline_cancel(loop_timeline(asic->loop), &asic->timer);
        loader_close(asic->loader);
        free(asic->hwsku);
        free(asic->warned);
        free(asic);
    }
}

void
daemon_switch_row(struct daemon_switch *asic, enum table table)
{
    if (table == TABLE_PORT || table == TABLE_SYSTEM_PORT ||
        table == TABLE_DEVICE_METADATA) {
        asic->last_row = loop_now(asic->loop);
        if (table == TABLE_PORT && !asic->port_seen) {
            asic->port_seen = true;
            asic->first_row = asic->last_row;
        }
        asic->changed |= table == TABLE_DEVICE_METADATA;
    }
}

void
daemon_switch_reading(struct daemon_switch *asic, bool ended)
{
    asic->reading = !ended;
}

/* Returns the hwsku that CONFIG_DB has, or NULL. */
static const char *
find_hwsku(const struct daemon_switch *asic)
{
    const struct row *row =
        intent_get(asic->intent, TABLE_DEVICE_METADATA, "localhost");
    const char *hwsku = row && row->present ? row_field(row, "hwsku") : NULL;

    return hwsku && *hwsku ? hwsku : NULL;
}

/* Returns whether the switch is one of a chassis, which is created with all
 * rows of SYSTEM_PORT. */
static bool
is_voq(const struct daemon_switch *asic)
{
    struct switch_voq voq;
    bool voq_switch;

    switch_voq_init(&voq, asic->intent);
    voq_switch = voq.n != 0;
    switch_voq_fini(&voq);
    return voq_switch;
}

/* Returns when the switch may be created, INT64_MAX if that is unknown. */
static int64_t
when_known(const struct daemon_switch *asic)
{
    const int64_t patience = asic->first_row + DAEMON_SWITCH_PATIENCE_NS;
    int64_t when = INT64_MAX;

    if (switch_create_names_chip(&asic->options)) {
        when = asic->not_until;
    } else if (asic->reading) {
        return INT64_MAX;
    } else if (find_hwsku(asic)) {
        when = is_voq(asic) ? asic->last_row + DAEMON_SWITCH_QUIET_NS
                            : asic->not_until;
    } else if (asic->port_seen) {
        when = asic->last_row + DAEMON_SWITCH_QUIET_NS;
        when = when < patience ? when : patience;
    }
    return when < asic->not_until ? asic->not_until : when;
}

/* Waits after a failure, each time longer.  Logs each reason once. */
static void
wait_to_retry(struct daemon_switch *asic, const struct err *err)
{
    const int64_t max_ns = strcmp(err->code, "sai-no-host")
                               ? DAEMON_SWITCH_RETRY_MAX_NS
                               : DAEMON_SWITCH_RETRY_NO_HOST_NS;

    if (!asic->not_until || strcmp(asic->trouble.reason, err->reason) != 0) {
        log_write(asic->log, LOG_ERROR, err->code, asic->options.path,
                  "%s; rows wait until orchd, which keeps trying, has created "
                  "the switch%s%s",
                  err->reason, *err->remedy ? ": " : "", err->remedy);
    }
    asic->trouble = *err;
    asic->not_until = loop_now(asic->loop) + asic->pause_ns;
    asic->pause_ns *= 2;
    if (asic->pause_ns > max_ns) {
        asic->pause_ns = max_ns;
    }
    timeline_set(loop_timeline(asic->loop), &asic->timer, asic->not_until);
}

/* Creates the switch, or logs why that fails. */
static struct loader *
create(struct daemon_switch *asic)
{
    const char *hwsku = find_hwsku(asic);
    struct loader *loader = NULL;
    struct switch_voq voq;
    struct err err;
    enum st status;

    switch_voq_init(&voq, asic->intent);
    status = switch_create_open(&asic->options, hwsku, voq.n, voq.attributes,
                                &loader, &err);
    switch_voq_fini(&voq);
    if (status) {
        wait_to_retry(asic, &err);
        return NULL;
    }
    asic->loader = loader;
    asic->hwsku = check_strdup(hwsku);
    log_write(asic->log, LOG_INFO, "switch-created", asic->options.path,
              "created the switch%s%s", hwsku ? " with hwsku " : "",
              hwsku ? hwsku : "");
    if (loader_is_dated(loader)) {
        log_write(asic->log, LOG_WARN, "sai-dated", asic->options.path,
                  "this libsai implements a SAI release older than 1.12, whose "
                  "structures differ; ask its vendor for a newer one");
    }
    return loader;
}

const char *
daemon_switch_hwsku(const struct daemon_switch *asic)
{
    if (!asic->loader || switch_create_names_chip(&asic->options)) {
        return NULL;
    }
    return asic->hwsku ? asic->hwsku : "";
}

bool
daemon_switch_is_coming(const struct daemon_switch *asic)
{
    return !asic->loader && !asic->not_until && when_known(asic) != INT64_MAX;
}

const struct err *
daemon_switch_trouble(const struct daemon_switch *asic)
{
    return !asic->loader && asic->not_until ? &asic->trouble : NULL;
}

const struct err *
daemon_switch_absence(const struct daemon_switch *asic)
{
    static const struct err unknown = {
        .status = ST_NOT_FOUND,
        .code = "no-switch",
        .reason = "the model of the switch is not known yet",
        .remedy = "write DEVICE_METADATA|localhost with its hwsku, or PORT "
                  "rows; or start orchd with --profile SOFTASIC_MODEL=NAME",
    };

    if (asic->loader || asic->reading || daemon_switch_is_coming(asic)) {
        return NULL;
    }
    return asic->not_until ? &asic->trouble : &unknown;
}

enum st
daemon_switch_chip(const struct daemon_switch *asic, struct chip **chip,
                   struct err *err)
{
    return switch_create_chip(&asic->options, asic->loader, asic->hwsku, chip,
                              err);
}

void
daemon_switch_identify(const struct daemon_switch *asic, struct loader *loader,
                       const struct chip *chip,
                       struct switch_identity *identity)
{
    switch_identity_find(&asic->options, loader, asic->hwsku, chip, identity);
}

/* Warns once about each hwsku other than the one of the switch. */
static void
check_hwsku(struct daemon_switch *asic)
{
    const char *hwsku = find_hwsku(asic);
    bool same = !hwsku || (asic->hwsku && !strcmp(hwsku, asic->hwsku));
    bool warned = hwsku && asic->warned && !strcmp(hwsku, asic->warned);

    if (!same && !warned && !switch_create_names_chip(&asic->options)) {
        free(asic->warned);
        asic->warned = check_strdup(hwsku);
        log_write(asic->log, LOG_WARN, "restart-required",
                  "DEVICE_METADATA|localhost",
                  "hwsku is now %s, but the switch was created with %s; "
                  "restart orchd to apply it",
                  hwsku, asic->hwsku ? asic->hwsku : "no hwsku");
    }
}

struct loader *
daemon_switch_turn(struct daemon_switch *asic)
{
    int64_t when;

    if (asic->loader) {
        if (asic->changed) {
            asic->changed = false;
            check_hwsku(asic);
        }
        return NULL;
    }
    when = when_known(asic);
    if (when > loop_now(asic->loop)) {
        if (when != INT64_MAX) {
            timeline_set(loop_timeline(asic->loop), &asic->timer, when);
        }
        return NULL;
    }
    return create(asic);
}

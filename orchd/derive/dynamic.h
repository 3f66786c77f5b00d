/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_DYNAMIC_H
#define ORCHD_DERIVE_DYNAMIC_H

/* The dynamic buffer model: computes what rows leave out.
 *
 *     BUFFER_PG|Ethernet0|3-4        profile NULL
 *     BUFFER_POOL|egress_lossy_pool  type egress, mode dynamic
 *
 * The user's rows keep their identity and their status; only their content is
 * *completed* before it is translated.  A priority group without a profile gets
 * the name of a generated one (generated_profiles.h), a pool without a size
 * gets one (pool_sizing.h), and a profile with headroom_type "dynamic", which
 * only provides its alpha, becomes idle. dynamic_take() returns each row whose
 * completion changed.
 *
 * Ports have limits (headroom_limit.h).  A group that would exceed the limit of
 * its port keeps what it has and reports the error.  Whenever something about
 * the port changes, all its groups are tried again, those that free room
 * first. */

#include "orchd/derive/dynamic_state.h"

struct port_input;

/* How a row applies. */
enum completion_kind {
    COMPLETION_NONE,   /* As the user wrote it. */
    COMPLETION_FIELDS, /* With these fields instead. */
    COMPLETION_IDLE,   /* It has no effect of its own. */
    COMPLETION_ABSENT, /* It cannot be applied yet. */
};

/* All borrowed, valid until the next call that takes a non-const model. */
struct completion {
    enum table table;
    const char *key;
    enum completion_kind kind;
    const struct field *fields;
    size_t n_fields;
    const struct err *err; /* Why the row does not get all that it asks for. */
    const char *warning;   /* About the row, a slug with detail; NULL: none. */
};

/* dynamic_init() zeroes 'model' and sets what it borrows. dynamic_fini() clears
 * the bindings of ports, so call it before port_inputs_fini(). */
void dynamic_init(struct dynamic_state *model, struct port_inputs *inputs,
                  struct derived_rows *derived_rows);
void dynamic_fini(struct dynamic_state *model);

/* Hands in a row of a buffer table.  Returns true if dynamic_take() will return
 * it; otherwise it applies as the user wrote it. */
bool dynamic_put_row(struct dynamic_state *model, const struct row *row);

/* Switches the model on or off. While it is off it keeps no rows, so when it is
 * switched on it needs all of them: dynamic_wants_rows() returns true once. */
void dynamic_switch(struct dynamic_state *model, bool on);
bool dynamic_wants_rows(struct dynamic_state *model);

/* Derives 'port' again. */
void dynamic_port(struct dynamic_state *model, struct port_input *port);

/* Finishes after the ports: profiles and pools.  Returns whether that changed
 * ports. */
bool dynamic_settle(struct dynamic_state *model);

/* Fills '*completion' for the next row whose completion changed; false if there
 * is none. */
bool dynamic_take(struct dynamic_state *model, struct completion *completion);

#endif /* orchd/derive/dynamic.h */

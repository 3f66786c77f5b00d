/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_DYNAMIC_H
#define ORCHD_DERIVE_DYNAMIC_H

/* The dynamic buffer model: rows that leave out what can be computed.
 *
 *     BUFFER_PG|Ethernet0|3-4        profile NULL
 *     BUFFER_POOL|egress_lossy_pool  type egress, mode dynamic
 *
 * The user's rows stay the ones that are spoken of, with their status; only
 * what they say is *completed* before it is translated.  A priority group
 * without a profile gets the name of a generated one (generated_profiles.h), a
 * pool without a size gets one (pool_sizing.h), and a profile with
 * headroom_type "dynamic", which only lends its alpha, becomes idle.
 * dynamic_take() hands out each row whose completion changed.
 *
 * Ports have limits (headroom_limit.h).  A group that would exceed that of its
 * port keeps what it has and says so; whenever something about the port
 * changes, all its groups are tried again, those that free room first. */

#include "orchd/derive/dynamic_state.h"

struct port_input;

/* How a row is to be read. */
enum completion_kind {
    COMPLETION_NONE,   /* As the user wrote it. */
    COMPLETION_FIELDS, /* With these fields instead. */
    COMPLETION_IDLE,   /* It is to have no effect of its own. */
    COMPLETION_ABSENT, /* Nothing can be done about it yet. */
};

/* All borrowed, until the next call that takes a non-const model. */
struct completion {
    enum table table;
    const char *key;
    enum completion_kind kind;
    const struct field *fields;
    size_t n_fields;
    const struct err *err; /* Why it is not all that the row asks for. */
};

/* Zeroes 'model' and gives it what it borrows.  dynamic_fini() empties what
 * is on ports, so it comes before port_inputs_fini(). */
void dynamic_init(struct dynamic_state *model, struct port_inputs *inputs,
                  struct derived_rows *derived_rows);
void dynamic_fini(struct dynamic_state *model);

/* Takes in a row of a buffer table.  Returns whether it will come out of
 * dynamic_take(); otherwise it is as the user wrote it. */
bool dynamic_put_row(struct dynamic_state *model, const struct row *row);

/* Switches the model on or off.  While it is off it keeps no rows, so when it
 * is switched on it wants all of them: dynamic_wants_rows() says so once. */
void dynamic_switch(struct dynamic_state *model, bool on);
bool dynamic_wants_rows(struct dynamic_state *model);

/* Works out what 'port' has, anew. */
void dynamic_port(struct dynamic_state *model, struct port_input *port);

/* Finishes what ports left: profiles and pools.  Returns whether ports changed
 * by it. */
bool dynamic_settle(struct dynamic_state *model);

/* Fills '*completion' with the next row whose completion changed; false if
 * there is none. */
bool dynamic_take(struct dynamic_state *model, struct completion *completion);

#endif /* orchd/derive/dynamic.h */

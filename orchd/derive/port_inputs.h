/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_PORT_INPUTS_H
#define ORCHD_DERIVE_PORT_INPUTS_H

/* What the rows say about each port, gathered.
 *
 * A port may be spoken of by several rows of a table: CABLE_LENGTH is merged
 * from all its rows, and PORT_QOS_MAP takes lists of ports.  So what a row says
 * is kept as a *saying* per port, and each fact is settled from the sayings:
 * lengths of cable have to agree; of the rows of PORT_QOS_MAP the one with the
 * fewest ports wins, then the one with the smallest key.
 *
 * A port of which something changed is put into a list, from which
 * ports_facts_take() returns it once. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uthash.h>

#include "orchd/derive/pool.h"
#include "orchd/intent/intent.h"

/* What one row says of one port. */
struct row_value {
    char *row;      /* The key of the row.  Owned. */
    size_t n_ports; /* That it speaks of in its key. */
    uint32_t value; /* Metres, or a mask of priorities. */
    bool stale;     /* While a row is taken in: not said again yet. */
    struct row_value *next;
};

struct err;
struct derived_row;
struct binding;

struct port_input {
    char *name; /* Owned. */

    /* Of the row PORT. */
    bool exists;
    bool admin_up;
    uint32_t speed_mbps; /* 0: not said. */
    uint32_t n_lanes;
    uint32_t mtu;
    bool autoneg;
    uint32_t advertised_mbps; /* The highest; 0: no particular ones. */

    /* Of the port on the ASIC, if that is known; 0: it does not tell. */
    bool placed;
    bool is_up;
    uint64_t max_headroom_bytes;
    uint32_t supported_mbps; /* The highest. */
    uint32_t n_groups, n_queues;

    struct row_value *cables;
    struct row_value *masks;

    /* For derive.c: what was derived for the port; one reference to each. */
    struct derived_row **derived_rows;
    size_t n_derived_rows;

    /* For the dynamic model (dynamic.h): rows of buffer tables that speak of
     * the port, what it contributes to the pools, and whether a reference of
     * it is missing.  'fresh': what is bound was chosen before the limits of
     * the port were known. */
    struct binding *bindings;
    struct pool_sums sums;
    bool incomplete;
    bool fresh;
    bool shut; /* Its buffers were taken away. */

    bool changed;
    struct port_input *next_changed;

    /* In the list of those of which somebody may want to know more. */
    bool unexplained;
    struct port_input *next_unexplained;
    UT_hash_handle hh;
};

struct port_inputs {
    struct port_input *ports;
    struct port_input *changed_first, *changed_last;
    struct port_input *unexplained_first, *unexplained_last;
    struct port_input *explained; /* That was taken last; or NULL. */
};

/* Frees all ports, which have no outcomes any more, and zeroes 'inputs'. */
void port_inputs_fini(struct port_inputs *inputs);

/* Takes in a row of PORT, CABLE_LENGTH or PORT_QOS_MAP. */
void port_inputs_put_port(struct port_inputs *inputs, const struct row *row);
void port_inputs_put_cables(struct port_inputs *inputs, const struct row *row);
void port_inputs_put_masks(struct port_inputs *inputs, const struct row *row);

/* Returns the port 'name', made if nobody spoke of it yet; or NULL if it is not
 * there. */
struct port_input *port_inputs_get_port(struct port_inputs *inputs,
                                        const char *name);
struct port_input *port_inputs_find_port(const struct port_inputs *inputs,
                                         const char *name);

/* Says that 'port' changed. */
void port_inputs_mark(struct port_inputs *inputs, struct port_input *port);

/* Returns a changed port, NULL if there is none. */
struct port_input *port_inputs_take(struct port_inputs *inputs);

/* The same for ports whose explanation may have changed.  One that is taken is
 * there until the next call. */
void port_inputs_unexplain(struct port_inputs *inputs, struct port_input *port);
struct port_input *port_inputs_take_unexplained(struct port_inputs *inputs);

/* Frees 'port', which has no outcomes, if no row speaks of it any more and
 * it is in none of these lists. */
void port_inputs_forget(struct port_inputs *inputs, struct port_input *port);

/* Says that all ports changed. */
void port_inputs_mark_all(struct port_inputs *inputs);

/* Stores the length of the cable.  Returns false if no row says one.  If rows
 * differ, '*other' is the second of two that do, else NULL. */
bool port_input_cable(const struct port_input *port, uint32_t *cable_m,
                      const struct row_value **other);

/* Explains in 'err', code "contradiction", that 'other' and the first row
 * differ about the cable. */
void port_input_contradict(const struct port_input *port,
                           const struct row_value *other, struct err *err);

/* Returns whether traffic passes the port, or is to: it is up until the ASIC
 * has shut it, so that nothing is taken from a port whose shutting is
 * refused. */
bool port_input_is_up(const struct port_input *port);

/* The speed at which the port runs, autonegotiation considered; 0: unknown. */
uint32_t port_input_speed(const struct port_input *port);

/* Returns the mask of lossless priorities, 0 if no row says one. */
uint32_t port_input_mask(const struct port_input *port);

#endif /* orchd/derive/port_inputs.h */

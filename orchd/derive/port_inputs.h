/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_PORT_INPUTS_H
#define ORCHD_DERIVE_PORT_INPUTS_H

/* What the rows say about each port, merged.
 *
 * Several rows of a table may apply to a port: CABLE_LENGTH is merged from all
 * its rows, and PORT_QOS_MAP has lists of ports in its keys. So each port keeps
 * the value that each row gives it, and the effective value follows from these:
 * cable lengths have to agree; of the rows of PORT_QOS_MAP the one with the
 * fewest ports wins, then the one with the smallest key.
 *
 * Changed ports are in a list, from which port_inputs_take() returns each
 * once. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uthash.h>

#include "base/status.h"
#include "orchd/derive/pool.h"
#include "orchd/intent/intent.h"

/* The value that one row gives to one port. */
struct row_value {
    char *row;      /* The key of the row.  Owned. */
    size_t n_ports; /* Ports in its key. */
    uint32_t value; /* Metres, or a mask of priorities. */
    bool stale;     /* Not seen yet in the row being read. */
    struct row_value *next;
};

struct derived_row;
struct binding;

struct port_input {
    char *name; /* Owned. */

    /* From the row PORT. */
    bool exists;
    bool admin_up;
    uint32_t speed_mbps; /* 0: not set. */
    uint32_t n_lanes;
    uint32_t mtu;
    bool autoneg;
    uint32_t advertised_mbps; /* The highest; 0: none in particular. */

    /* From the port on the ASIC, once it is known; 0: not reported. */
    bool placed;
    bool is_up;
    uint64_t max_headroom_bytes;
    uint32_t supported_mbps; /* The highest. */
    uint32_t n_groups, n_queues;

    struct row_value *cables;
    struct row_value *masks;

    /* For derive.c: what was derived for the port, with a reference to each
     * row. */
    struct derived_row **derived_rows;
    size_t n_derived_rows;

    /* For the dynamic model (dynamic.h): rows of buffer tables that apply to
     * the port, what it contributes to the pools, and whether it refers to
     * something missing. 'fresh': its bindings were chosen before the limits of
     * the port were known. */
    struct binding *bindings;
    struct pool_sums sums;
    bool incomplete;
    bool fresh;
    bool shut; /* Its buffers were reclaimed. */

    bool changed;
    struct port_input *next_changed;

    /* In the list of ports whose explanation may have changed. */
    bool unexplained;
    struct port_input *next_unexplained;
    UT_hash_handle hh;
};

struct port_inputs {
    struct port_input *ports;
    struct port_input *changed_first, *changed_last;
    struct port_input *unexplained_first, *unexplained_last;
    struct port_input *explained; /* The port taken last, or NULL. */
};

/* Frees all ports, which have no derived rows left, and zeroes 'inputs'. */
void port_inputs_fini(struct port_inputs *inputs);

/* Reads a row of PORT, CABLE_LENGTH or PORT_QOS_MAP. */
void port_inputs_put_port(struct port_inputs *inputs, const struct row *row);
void port_inputs_put_cables(struct port_inputs *inputs, const struct row *row);
void port_inputs_put_masks(struct port_inputs *inputs, const struct row *row);

/* Returns the port 'name': the first creates it if needed, the second returns
 * NULL if it does not exist. */
struct port_input *port_inputs_get_port(struct port_inputs *inputs,
                                        const char *name);
struct port_input *port_inputs_find_port(const struct port_inputs *inputs,
                                         const char *name);

/* Marks 'port' as changed. */
void port_inputs_mark(struct port_inputs *inputs, struct port_input *port);

/* Returns the next changed port, or NULL. */
struct port_input *port_inputs_take(struct port_inputs *inputs);

/* The same for ports whose explanation may have changed.  A port that is taken
 * stays valid until the next call. */
void port_inputs_unexplain(struct port_inputs *inputs, struct port_input *port);
struct port_input *port_inputs_take_unexplained(struct port_inputs *inputs);

/* Frees 'port', which has no derived rows, if no row applies to it and it is in
 * neither list. */
void port_inputs_forget(struct port_inputs *inputs, struct port_input *port);

/* Marks all ports as changed. */
void port_inputs_mark_all(struct port_inputs *inputs);

/* Stores the cable length.  Returns false if no row gives one.  If rows differ,
 * '*other' is one that differs from the first, else NULL. */
bool port_input_cable(const struct port_input *port, uint32_t *cable_m,
                      const struct row_value **other);

/* Reports in 'err', code "contradiction", that 'other' and the first row differ
 * about the cable. */
void port_input_contradict(const struct port_input *port,
                           const struct row_value *other, struct err *err);

/* Returns ST_OK if the speed of 'port' is known and 'has_cable' is true;
 * otherwise ST_NOT_FOUND, and 'err', code "no-speed" or "no-cable", says what
 * to write. */
enum st port_input_check(const struct port_input *port, bool has_cable,
                         struct err *err) ST_WARN_UNUSED;

/* Returns whether traffic passes the port or will.  It is up until the ASIC has
 * shut it, so that a port whose shutdown fails keeps its buffers. */
bool port_input_is_up(const struct port_input *port);

/* Returns the speed at which the port runs, including autonegotiation; 0:
 * unknown. */
uint32_t port_input_speed(const struct port_input *port);

/* Returns the mask of lossless priorities; 0 if no row gives one. */
uint32_t port_input_mask(const struct port_input *port);

#endif /* orchd/derive/port_inputs.h */

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_LLR_PORTS_H
#define ORCHD_DERIVE_LLR_PORTS_H

/* The profiles that ports with link-level retry get from the lookup table.
 *
 *     PORT|Ethernet0 speed 400000   \
 *     CABLE_LENGTH|AZURE   40m       >  LLR_PROFILE|llr_400000_40m_profile
 *     LLR_PORT|Ethernet0  llr_local /   LLR_PORT|Ethernet0 llr_profile of that
 *                          enabled                         name
 *
 * A row of LLR_PORT that enables a direction, and names no profile or one that
 * has no content in force (it does not exist, or lacks a field), is completed
 * with the profile of its speed and cable.  That profile is a derived row; it
 * is gone with its last port.
 *
 *   - The profile that the row names has a content: nothing is derived.
 *   - No lookup table, no direction, or llr_mode dynamic: neither.
 *   - No speed or cable, or a pair that the table lacks: a row that names no
 *     profile says why, and its directions are off meanwhile; one that names a
 *     profile applies as it is, which is to wait for that profile.
 *
 * Part of derive.h; for its callers only. */

#include <stdbool.h>

#include "orchd/derive/llr_lookup.h"

struct completion;
struct derived_rows;
struct llr_port;
struct llr_profile;
struct port_inputs;
struct row;

struct llr_ports {
    struct llr_lookup lookup;
    const struct port_inputs *inputs; /* Borrowed. */
    struct derived_rows *derived_rows;
    struct llr_port *ports;       /* With a row in LLR_PORT. */
    struct llr_profile *profiles; /* Rows of LLR_PROFILE with a content. */
    struct llr_port *changed;     /* Ports to derive again. */
    struct llr_port *due;         /* Ports whose row is to be handed on. */
};

/* llr_ports_init() zeroes 'ports' and sets what it borrows; llr_ports_fini()
 * frees what it holds and drops its derived rows. */
void llr_ports_init(struct llr_ports *ports, const struct port_inputs *inputs,
                    struct derived_rows *derived_rows);
void llr_ports_fini(struct llr_ports *ports);

/* Sets the lookup table and takes ownership of its content; an empty one means
 * none. */
void llr_ports_set_lookup(struct llr_ports *ports, struct llr_lookup *lookup);

/* Hand in a row of LLR_PROFILE, or of LLR_PORT.  The second returns true if
 * llr_ports_take() will return the row; otherwise it applies as it is. */
void llr_ports_put_profile(struct llr_ports *ports, const struct row *row);
bool llr_ports_put_port(struct llr_ports *ports, const struct row *row);

/* Notes that the speed or the cable of the port 'name' may have changed. */
void llr_ports_note(struct llr_ports *ports, const char *name);

/* Derives what has changed. */
void llr_ports_settle(struct llr_ports *ports);

/* Fills '*completion' for the next row of LLR_PORT that was handed in or whose
 * completion changed; false if there is none.  Valid until the next call that
 * takes a non-const 'ports'. */
bool llr_ports_take(struct llr_ports *ports, struct completion *completion);

#endif /* orchd/derive/llr_ports.h */

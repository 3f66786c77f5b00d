/* SPDX-License-Identifier: Apache-2.0 */

/* Groups, queues and lists of a port. */

#include <config.h>

#include "orchd/derive/pool_users.h"

#include "base/parse.h"
#include "base/text.h"
#include "orchd/derive/dynamic_state.h"
#include "orchd/derive/port_inputs.h"

enum {
    GROUPS = 8,
    QUEUES = 64,
    EIGHT_LANES = 8,
};

/* Counts a reference of 'port' to a profile. */
static void
count(const struct dynamic_state *model, struct port_facts *port,
      const char *name, const struct generated_profiles *made, bool from_list)
{
    const struct profile_facts facts = dynamic_state_profile(model, name, made);
    const struct pool_reference reference = {
        .headroom = facts.headroom,
        .lossy_ingress = facts.ingress && !facts.lossless,
        .from_list = from_list,
        .eight_lanes = port->n_lanes == EIGHT_LANES,
    };

    port->incomplete |= !facts.complete;
    pool_sums_refer(&port->sums, &reference, 1);
    if (facts.lossless && facts.ingress && !from_list) {
        port->sums.n_lossless_ports = 1;
    }
}

static void
pool_users_list(const struct dynamic_state *model, struct port_facts *port,
                enum table table)
{
    const struct place *place = place_of(port, table, 0);
    const char *cursor = place && !place->zero
                             ? buffer_rows_field(place->row, "profile_list")
                             : NULL;
    const char *item;
    size_t length;

    while (cursor && parse_list_next(&cursor, &item, &length)) {
        struct text name = {0};

        text_add_bytes(&name, item, length);
        count(model, port, text_string(&name), NULL, true);
        text_fini(&name);
    }
}

void
pool_users_port(const struct dynamic_state *model, struct port_facts *port)
{
    const struct place *place;

    port->sums = (struct pool_sums){0};
    port->incomplete = false;
    if (!port->exists) {
        return;
    }
    port->sums.n_up = port_facts_is_up(port);
    port->sums.n_up_8 = port->sums.n_up && port->n_lanes == EIGHT_LANES;
    for (unsigned int i = 0; i < GROUPS; i++) {
        place = place_of(port, TABLE_BUFFER_PG, i);
        if (place && place->name && !place->zero) {
            count(model, port, place->name, place->made, false);
        }
    }
    for (unsigned int i = 0; i < QUEUES; i++) {
        place = place_of(port, TABLE_BUFFER_QUEUE, i);
        if (place && !place->zero && buffer_rows_field(place->row, "profile")) {
            count(model, port, buffer_rows_field(place->row, "profile"), NULL,
                  false);
        }
    }
    pool_users_list(model, port, TABLE_BUFFER_PORT_INGRESS_PROFILE_LIST);
    pool_users_list(model, port, TABLE_BUFFER_PORT_EGRESS_PROFILE_LIST);
}

/* SPDX-License-Identifier: Apache-2.0 */

/* The groups, queues and lists of a port. */

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
count(const struct dynamic_state *model, struct port_input *port,
      const char *name, const struct generated_profile *generated,
      bool from_list)
{
    const struct profile_summary summary =
        dynamic_state_profile(model, name, generated);
    const struct pool_reference reference = {
        .headroom = summary.headroom,
        .lossy_ingress = summary.ingress && !summary.lossless,
        .from_list = from_list,
        .eight_lanes = port->n_lanes == EIGHT_LANES,
    };

    port->incomplete |= !summary.complete;
    pool_sums_refer(&port->sums, &reference, 1);
    if (summary.lossless && summary.ingress && !from_list) {
        port->sums.n_lossless_ports = 1;
    }
}

static void
pool_users_list(const struct dynamic_state *model, struct port_input *port,
                enum table table)
{
    const struct binding *binding = buffer_rows_binding(port, table, 0);
    const char *cursor = binding && !binding->zero
                             ? buffer_rows_field(binding->row, "profile_list")
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
pool_users_port(const struct dynamic_state *model, struct port_input *port)
{
    const struct binding *binding;

    port->sums = (struct pool_sums){0};
    port->incomplete = false;
    if (!port->exists) {
        return;
    }
    port->sums.n_up = port_input_is_up(port);
    port->sums.n_up_8 = port->sums.n_up && port->n_lanes == EIGHT_LANES;
    for (unsigned int i = 0; i < GROUPS; i++) {
        binding = buffer_rows_binding(port, TABLE_BUFFER_PG, i);
        if (binding && binding->name && !binding->zero) {
            count(model, port, binding->name, binding->generated, false);
        }
    }
    for (unsigned int i = 0; i < QUEUES; i++) {
        binding = buffer_rows_binding(port, TABLE_BUFFER_QUEUE, i);
        if (binding && !binding->zero &&
            buffer_rows_field(binding->row, "profile")) {
            count(model, port, buffer_rows_field(binding->row, "profile"), NULL,
                  false);
        }
    }
    pool_users_list(model, port, TABLE_BUFFER_PORT_INGRESS_PROFILE_LIST);
    pool_users_list(model, port, TABLE_BUFFER_PORT_EGRESS_PROFILE_LIST);
}

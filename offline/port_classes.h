/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_OFFLINE_PORT_CLASSES_H
#define ORCHD_OFFLINE_PORT_CLASSES_H

/* Sorts ports into classes that behave alike. */

#include <stdbool.h>
#include <stddef.h>

#include "orchd/lint/lint_input.h"

struct agent;

struct port_class {
    const struct lint_port **ports; /* Those of the class, by name. */
    size_t n;
    bool up; /* Their admin_status. */
};

/* Memory is in the arena of 'input'. */
struct port_classes {
    struct lint_input input;
    struct port_class *classes;
    size_t n;
};

/* Finds the classes of the ports of 'agent': their speed, cable, profiles, WRED
 * profiles, maps, PFC and admin_status are the same.  End with
 * port_classes_fini(). */
void port_classes_init(struct port_classes *classes, struct agent *agent);
void port_classes_fini(struct port_classes *classes);

/* Finds a DSCP that 'port' maps to traffic class 'tc'; false if there is
 * none. */
bool port_classes_dscp(struct agent *agent, const char *port, unsigned int tc,
                       unsigned int *dscp);

#endif /* offline/port_classes.h */

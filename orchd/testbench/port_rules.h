/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTBENCH_PORT_RULES_H
#define ORCHD_TESTBENCH_PORT_RULES_H

/* Access lists of ports that a scenario sets directly through SAI: of each port
 * one rule for what arrives there. */

#include <stddef.h>

#include <sai.h>

#include "base/status.h"

struct sai_backend;
struct target_acl;

struct port_rule {
    sai_object_id_t port, table, entry;
};

/* Zeroed, it is empty. */
struct port_rules {
    struct port_rule *list; /* Owned. */
    size_t n;
};

/* Replaces the rule of 'port' by that of 'acl', or removes it.  ST_INVALID: it
 * has no such field, action or value.  ST_BUSY: the port has an access list
 * that is not of a scenario.  On failure the port has no rule of a scenario. */
enum st port_rules_set(struct port_rules *lists,
                         struct sai_backend *backend, sai_object_id_t port,
                         const struct target_acl *acl,
                         struct err *err) ST_WARN_UNUSED;

/* Removes all rules.  Tries all, and returns the first failure. */
enum st port_rules_remove_all(struct port_rules *lists,
                                struct sai_backend *backend,
                                struct err *err) ST_WARN_UNUSED;

/* Frees the contents; the switch keeps its state. */
void port_rules_fini(struct port_rules *lists);

#endif /* orchd/testbench/port_rules.h */

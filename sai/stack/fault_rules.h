/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_STACK_FAULT_RULES_H
#define ORCHD_SAI_STACK_FAULT_RULES_H

/* Fault rules (sai/stack/faults.h) as JSON, from a file or the control socket.
 *
 *   {"op": "create", "type": "buffer_pool", "attribute": "size",
 *    "nth": 3, "status": "insufficient_resources"}
 *
 *   op         create, remove, set, get or get_stats (default: any)
 *   type       SAI_OBJECT_TYPE_BUFFER_POOL, or only buffer_pool in any case
 *   attribute  SAI_BUFFER_POOL_ATTR_SIZE, or if there is a type only size
 *   counter    SAI_PORT_STAT_PAUSE_RX_PKTS, or if there is a type only
 *              pause_rx_pkts: calls that read this counter, perhaps with others
 *   nth, every, percent (with seed)      which calls; at most one of them
 *   status     SAI_STATUS_FAILURE, or only failure
 *   unsupported  true: the same as status attr_not_supported_0, or with a
 *              counter not_supported
 *   delay_us   delay before the call
 *
 * One of status, unsupported and delay_us is needed.  A file is an array of
 * such objects. */

#include <jansson.h>

#include "base/status.h"
#include "sai/stack/faults.h"

/* Parses a rule.  ST_INVALID: 'err' has the field and its allowed values. */
enum st fault_rules_parse(const json_t *json, struct faults_rule *rule,
                          struct err *err) ST_WARN_UNUSED;

/* Adds the rules in file 'path' to 'faults', all or none.  ST_IO: the file
 * cannot be read.  ST_INVALID: 'err' describes the error and its position (line
 * and column, or number of the rule). */
enum st fault_rules_load(struct faults *faults, const char *path,
                         struct err *err) ST_WARN_UNUSED;

/* Returns an active rule in the same form, with "id", "matches" and
 * "strikes". */
json_t *fault_rules_show(const struct faults_entry *entry);

#endif /* sai/stack/fault_rules.h */

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_STACK_FAULT_RULES_H
#define ORCHD_SAI_STACK_FAULT_RULES_H

/* Rules of sai/stack/faults.h as JSON, from a file or from the control socket.
 *
 *   {"op": "create", "type": "buffer_pool", "attribute": "size",
 *    "nth": 3, "status": "insufficient_resources"}
 *
 *   op         create, remove, set, get or get_stats (default: any)
 *   type       SAI_OBJECT_TYPE_BUFFER_POOL, or its tail in any case
 *   attribute  SAI_BUFFER_POOL_ATTR_SIZE, or with a type its tail
 *   counter    SAI_PORT_STAT_PAUSE_RX_PKTS, or with a type its tail: calls that
 *              read this one, perhaps among others
 *   nth, every, percent (with seed)      which calls; at most one of them
 *   status     SAI_STATUS_FAILURE, or its tail
 *   unsupported  true: the same as status attr_not_supported_0, or with a
 *              counter not_supported
 *   delay_us   time that passes before
 *
 * One of status, unsupported and delay_us is needed.  A file is an array of
 * such objects. */

#include <jansson.h>

#include "base/status.h"
#include "sai/stack/faults.h"

/* Reads a rule.  ST_INVALID: 'err' names the field and what it may be. */
enum st fault_rules_parse(const json_t *json, struct faults_rule *rule,
                          struct err *err) ST_WARN_UNUSED;

/* Adds the rules in file 'path' to 'faults', all or none.  ST_IO: it cannot be
 * read; ST_INVALID: 'err' says where (line and column, or number of the rule)
 * and what. */
enum st fault_rules_load(struct faults *faults, const char *path,
                         struct err *err) ST_WARN_UNUSED;

/* Returns a rule at work in the same form, with "id", "matches" and
 * "strikes". */
json_t *fault_rules_show(const struct faults_entry *entry);

#endif /* sai/stack/fault_rules.h */

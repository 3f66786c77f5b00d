/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_REMOTE_TESTER_RULE_H
#define ORCHD_SAI_REMOTE_TESTER_RULE_H

/* What a client with the role tester may change: one table.
 *
 * Suites that test a switch write beside its control plane: they hold back what
 * a port sends, by PKT_TX_ENABLE or by a scheduler of one byte per second, and
 * clear counters.  A tester may do that and nothing else:
 *
 *   set     PORT   ADMIN_STATE, PKT_TX_ENABLE, QOS_SCHEDULER_PROFILE_ID
 *   set     SWITCH SRC_MAC_ADDRESS, CREDIT_WD
 *   create  SCHEDULER
 *   remove  SCHEDULER, if a tester has created it
 *   clear   the counters of any object
 *   start, stop  storms of pause frames, on a simulated switch (the extensions
 *           of the library say which of them do that)
 *
 * It may read everything, as a reader does.  The host enforces the table;
 * clients use it to explain a refusal. */

#include <stdbool.h>

#include <sai.h>

#include "sai/core/op.h"

/* Returns whether a tester may perform 'op', on one object or several, of
 * 'type'; of OP_SET 'attribute' only.  OP_GET and OP_GET_STATS: always, also in
 * a mode that clears the counters.  Whether an object to remove is one of a
 * tester is the caller's to check. */
bool tester_rule_allows(enum op op, sai_object_type_t type,
                        sai_attr_id_t attribute);

/* Returns what a tester may do and which role may do more, for people; static.
 */
const char *tester_rule_text(void);

#endif /* sai/remote/tester_rule.h */

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_DESCRIBE_H
#define ORCHD_ORCHCTL_DESCRIBE_H

/* The steps of a scenario in words. */

#include "breakpoint/scenario.h"
#include "breakpoint/target.h"

struct text;

/* Appends what 'step' does: "send Ethernet0 to Ethernet4, 64 B, DSCP 3, until
 * xoff".  Of a step that expects something only the verb: its claims have words
 * of their own. */
void describe_step(const struct step *step, struct text *text);

/* Appends what came of a send: "4,898 sent, 1 dropped at ingress, PFC XOFF". */
void describe_sent(const struct target_sent *sent, struct text *text);

#endif /* orchctl/describe.h */

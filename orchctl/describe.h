/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_DESCRIBE_H
#define ORCHD_ORCHCTL_DESCRIBE_H

/* Describes the steps of a scenario in words. */

#include "breakpoint/scenario.h"
#include "breakpoint/target.h"

struct text;

/* Appends what 'step' does: "send Ethernet0 to Ethernet4, 64 B, DSCP 3, until
 * xoff".  For an expect step it appends only the verb; its claims have their
 * own texts. */
void describe_step(const struct step *step, struct text *text);

/* Appends the result of a send: "4,898 sent, 1 dropped at ingress, PFC
 * XOFF". */
void describe_sent(const struct target_sent *sent, struct text *text);

#endif /* orchctl/describe.h */

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_HEADROOM_PRINT_H
#define ORCHD_ORCHCTL_HEADROOM_PRINT_H

/* Prints a plan of headroom (orchctl/headroom_plan.h) for people, on standard
 * output:
 *
 *   - a table of the groups of ports: what their PGs need
 *   - a table of private and shared headroom: what is left to share
 *   - if the plan fits, the thresholds that follow and what to configure
 *   - what a shared headroom pool could change
 *   - the xoff of the vendor's table beside that of the formula, and why they
 *     differ (orchctl/headroom_lookup.h)
 *   - a warning where the formula grants less than packets may need
 *     (orchctl/headroom_need.h)
 *   - whether the plan fits */

struct pg_profile_lookup;
struct plan_answer;
struct plan_question;

struct plan_report {
    const struct plan_question *question;
    const struct plan_answer *answer;
    const struct pg_profile_lookup *lookup; /* NULL: no table. */
    const char *lookup_hwsku;               /* Of a shipped table, else "". */
};

void headroom_print(const struct plan_report *report);

#endif /* orchctl/headroom_print.h */

/* SPDX-License-Identifier: Apache-2.0 */

/* The rules: first those of platforms, then those by what a switch offers, the
 * best first. */

#include <config.h>

#include "orchd/watchdog/detection/storm_rule.h"

#include <stddef.h>
#include <string.h>

#define QUEUE (STORM_PACKETS | STORM_OCCUPANCY)

/* The rules of platforms use the counters known to work there; extra measures,
 * if offered, only make a rule more exact. */
static const struct storm_rule platform_rules[] = {
    {.name = "mellanox",
     .needs = QUEUE | STORM_DURATION,
     .uses = QUEUE | STORM_FRAMES | STORM_DURATION | STORM_ENDS | STORM_STATUS,
     .clauses = {STORM_IF_STUCK | STORM_IF_WHOLE},
     .live_disabled = STORM_FRAMES,
     .forwards = true,
     .lag_us = 1000},
    /* A duration that stays 0 fails the second clause, not the first. */
    {.name = "vs",
     .needs = QUEUE | STORM_FRAMES,
     .uses = QUEUE | STORM_FRAMES | STORM_DURATION,
     .clauses = {STORM_IF_STALLED | STORM_IF_FRAMES,
                 STORM_IF_IDLE | STORM_IF_WHOLE},
     .live_disabled = STORM_FRAMES,
     .forwards = true,
     .lag_us = 1000},
    {.name = "marvell-teralynx",
     .needs = QUEUE | STORM_FRAMES | STORM_DURATION,
     .uses = QUEUE | STORM_FRAMES | STORM_DURATION,
     .clauses = {STORM_IF_STALLED | STORM_IF_FRAMES | STORM_IF_WHOLE,
                 STORM_IF_IDLE | STORM_IF_FRAMES | STORM_IF_WHOLE},
     .live_disabled = STORM_FRAMES,
     .forwards = true,
     .lag_us = 1000},
    /* Each gap in a choppy storm breaks the first clause, but not the second as
     * long as no packet leaves in the gaps. */
    {.name = "broadcom",
     .needs = STORM_FRAMES | STORM_ENDS | STORM_STATUS,
     .uses = QUEUE | STORM_FRAMES | STORM_ENDS | STORM_STATUS,
     .clauses = {STORM_IF_FRAMES | STORM_IF_UNBROKEN | STORM_IF_PAUSED,
                 STORM_IF_STALLED | STORM_IF_FRAMES | STORM_IF_PAUSED},
     .live_disabled = STORM_FRAMES,
     .forwards = true,
     .lag_us = 1000},
    {.name = "cisco-8000",
     .needs = STORM_STATUS,
     .uses = STORM_PACKETS | STORM_FRAMES | STORM_STATUS,
     .clauses = {STORM_IF_PAUSED},
     .drop = STORM_DROP_RECOVERY,
     .forwards = false,
     .live_disabled = STORM_FRAMES | STORM_STATUS,
     .lag_us = 1000},
};

/* Platforms with the same counters as another one. */
static const struct {
    const char *name, *same;
} aliases[] = {
    {"barefoot", "vs"},
    {"nephos", "vs"},
    {"clounix", "vs"},
    {"marvell-prestera", "vs"},
};

static const struct storm_rule offered_rules[] = {
    /* The beginning of a pause is known to the microsecond. */
    {.name = "exact",
     .needs = QUEUE | STORM_FRAMES | STORM_DURATION | STORM_ENDS | STORM_STATUS,
     .uses = QUEUE | STORM_FRAMES | STORM_DURATION | STORM_ENDS | STORM_STATUS,
     .clauses = {STORM_IF_STUCK | STORM_IF_WHOLE},
     .live_disabled = STORM_FRAMES,
     .forwards = true,
     .lag_us = 1000},
    {.name = "duration",
     .needs = QUEUE | STORM_FRAMES | STORM_DURATION,
     .uses = QUEUE | STORM_FRAMES | STORM_DURATION,
     .clauses = {STORM_IF_STUCK | STORM_IF_WHOLE},
     .live_disabled = STORM_FRAMES,
     .forwards = true,
     .lag_us = 1000},
    {.name = "stalled",
     .needs = QUEUE | STORM_FRAMES,
     .uses = QUEUE | STORM_FRAMES | STORM_STATUS,
     .clauses = {STORM_IF_STALLED | STORM_IF_FRAMES},
     .live_disabled = STORM_FRAMES,
     .forwards = true,
     .lag_us = 1000},
    {.name = "status",
     .needs = STORM_STATUS,
     .uses = QUEUE | STORM_FRAMES | STORM_STATUS,
     .clauses = {STORM_IF_PAUSED},
     .live_disabled = STORM_FRAMES,
     .forwards = true,
     .lag_us = 1000},
};

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

static const struct storm_rule *
find_in(const struct storm_rule *rules, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++) {
        if (!strcmp(rules[i].name, name)) {
            return &rules[i];
        }
    }
    return NULL;
}

const struct storm_rule *
storm_rule_find(const char *name)
{
    const struct storm_rule *rule;

    for (size_t i = 0; i < N_OF(aliases); i++) {
        if (!strcmp(aliases[i].name, name)) {
            name = aliases[i].same;
        }
    }
    rule = find_in(platform_rules, N_OF(platform_rules), name);
    return rule ? rule : find_in(offered_rules, N_OF(offered_rules), name);
}

bool
storm_rule_suits(const struct storm_rule *rule, unsigned int offered)
{
    return !(rule->needs & ~offered);
}

const struct storm_rule *
storm_rule_choose(unsigned int offered)
{
    for (size_t i = 0; i < N_OF(offered_rules); i++) {
        if (storm_rule_suits(&offered_rules[i], offered)) {
            return &offered_rules[i];
        }
    }
    return NULL;
}

void
storm_rule_each(void (*visit)(const struct storm_rule *rule, void *context),
                void *context)
{
    for (size_t i = 0; i < N_OF(platform_rules); i++) {
        visit(&platform_rules[i], context);
    }
    for (size_t i = 0; i < N_OF(offered_rules); i++) {
        visit(&offered_rules[i], context);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */

/* Single and two rate three color markers, with integers. */

#include <config.h>

#include "twin/qos/policer.h"

#include "base/check.h"

__extension__ typedef unsigned __int128 wide;

#define PS_PER_SECOND UINT64_C(1000000000000)

/* Returns the tokens that 'rate' adds in 'elapsed_ps', at most UINT64_MAX.
 * '*remainder' is carried. */
static uint64_t
tokens_of(uint64_t rate, uint64_t elapsed_ps, uint64_t *remainder)
{
    const wide sum = (wide)rate * elapsed_ps + *remainder;
    const wide tokens = sum / PS_PER_SECOND;

    *remainder = (uint64_t)(sum % PS_PER_SECOND);
    return tokens > UINT64_MAX ? UINT64_MAX : (uint64_t)tokens;
}

/* Adds 'added' tokens to the '*tokens' of a bucket of 'size'.  Returns how many
 * did not fit. */
static uint64_t
fill(uint64_t *tokens, uint64_t size, uint64_t added)
{
    const uint64_t room = size - *tokens;
    const uint64_t taken = added < room ? added : room;

    *tokens += taken;
    return added - taken;
}

/* Fills both buckets up to 'now_ps'. */
static void
update(struct policer *policer, int64_t now_ps)
{
    const struct policer_config *config = &policer->config;
    const uint64_t elapsed_ps = (uint64_t)(now_ps - policer->updated_ps);
    const uint64_t added =
        tokens_of(config->cir, elapsed_ps, &policer->remainder_c);
    const uint64_t spilled = fill(&policer->tokens_c, config->cbs, added);
    bool is_full = policer->tokens_c == config->cbs;

    orch_assert(now_ps >= policer->updated_ps);
    if (config->has_two_rates) {
        fill(&policer->tokens_p, config->pbs,
             tokens_of(config->pir, elapsed_ps, &policer->remainder_p));
        if (policer->tokens_p == config->pbs) {
            policer->remainder_p = 0;
        }
    } else {
        fill(&policer->tokens_p, config->pbs, spilled);
        is_full &= policer->tokens_p == config->pbs;
    }
    if (is_full) {
        policer->remainder_c = 0;
    }
    policer->updated_ps = now_ps;
}

void
policer_init(struct policer *policer, const struct policer_config *config,
             int64_t now_ps)
{
    *policer = (struct policer){.config = *config,
                                .updated_ps = now_ps,
                                .tokens_c = config->cbs,
                                .tokens_p = config->pbs};
}

void
policer_set(struct policer *policer, const struct policer_config *config,
            int64_t now_ps)
{
    update(policer, now_ps);
    policer->config = *config;
    if (policer->tokens_c > config->cbs) {
        policer->tokens_c = config->cbs;
    }
    if (policer->tokens_p > config->pbs) {
        policer->tokens_p = config->pbs;
    }
}

/* Takes 'n' from '*tokens' if there are as many, and returns whether. */
static bool
take(uint64_t *tokens, uint64_t n)
{
    if (*tokens < n) {
        return false;
    }
    *tokens -= n;
    return true;
}

/* RFC 2697 section 3: 'color' is POLICER_GREEN if the policer is not aware of
 * colors. */
static enum policer_color
meter_one_rate(struct policer *policer, uint64_t n, enum policer_color color)
{
    if (color == POLICER_GREEN && take(&policer->tokens_c, n)) {
        return POLICER_GREEN;
    }
    if (color != POLICER_RED && take(&policer->tokens_p, n)) {
        return POLICER_YELLOW;
    }
    return POLICER_RED;
}

/* RFC 2698 section 3. */
static enum policer_color
meter_two_rates(struct policer *policer, uint64_t n, enum policer_color color)
{
    if (color == POLICER_RED || !take(&policer->tokens_p, n)) {
        return POLICER_RED;
    }
    return color == POLICER_GREEN && take(&policer->tokens_c, n)
               ? POLICER_GREEN
               : POLICER_YELLOW;
}

enum policer_color
policer_meter(struct policer *policer, uint32_t length_bytes,
              enum policer_color color, int64_t now_ps)
{
    const struct policer_config *config = &policer->config;
    const uint64_t n = config->by_packets ? 1 : length_bytes;

    if (!config->is_color_aware) {
        color = POLICER_GREEN;
    }
    update(policer, now_ps);
    color = config->has_two_rates ? meter_two_rates(policer, n, color)
                                  : meter_one_rate(policer, n, color);
    policer->counts[color].packets++;
    policer->counts[color].bytes += length_bytes;
    return color;
}

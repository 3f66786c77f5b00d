/* SPDX-License-Identifier: Apache-2.0 */

/* The parameters of queue pairs. */

#include <config.h>

#include "twin/transport/bounds.h"
#include "twin/transport/rc.h"

const struct rc_config rc_config_default = {
    .mtu_bytes = 1024,
    .recovery = RC_GO_BACK_N,
    .timeout_exponent = 14,
    .retry_limit = 7,
    .rnr_retry_limit = 7,
    .rnr_timer = 12,
    .ack_every = 16,
    .max_reads = RC_MAX_READS,
    .send_depth = 16,
};

static bool
is_power_of_2(uint32_t n)
{
    return n && !(n & (n - 1));
}

static enum st
check_bounds(const struct rc_config *config, struct err *err)
{
    const struct bound bounds[] = {
        {"mtu_bytes", config->mtu_bytes, 1, UINT16_MAX},
        {"recovery", (int64_t)config->recovery, RC_GO_BACK_N, RC_SELECTIVE},
        {"recovery_delay_ps", config->recovery_delay_ps, 0,
         RC_MAX_RECOVERY_DELAY_PS},
        {"registration_ps", config->registration_ps, 0,
         RC_MAX_RECOVERY_DELAY_PS},
        {"timeout_exponent", config->timeout_exponent, 0, 31},
        {"rnr_timer", config->rnr_timer, 0, 31},
        {"ack_every", config->ack_every, 1, UINT16_MAX},
        {"max_reads", config->max_reads, 0, RC_MAX_READS},
        {"send_depth", config->send_depth, 1, 32768},
        {"receive_depth", config->receive_depth, 0, 32768},
    };

    return bounds_check(bounds, sizeof bounds / sizeof bounds[0], err);
}

static enum st
check_powers(const struct rc_config *config, struct err *err)
{
    if (!is_power_of_2(config->send_depth) ||
        (config->receive_depth && !is_power_of_2(config->receive_depth))) {
        return err_set(err, ST_INVALID, "power-of-2",
                       "send_depth and receive_depth must be powers of 2, not "
                       "%u and %u",
                       config->send_depth, config->receive_depth);
    }
    if (config->recovery == RC_SELECTIVE &&
        (!is_power_of_2(config->reorder_packets) ||
         config->reorder_packets < 64 || config->reorder_packets > 65536)) {
        return err_set(err, ST_INVALID, "power-of-2",
                       "reorder_packets must be a power of 2 from 64 to 65536, "
                       "not %u",
                       config->reorder_packets);
    }
    return ST_OK;
}

static enum st
check_window(const struct rc_config *config, struct err *err)
{
    const uint32_t chunk_bytes =
        config->recovery == RC_GO_BACK_0 ? config->go_back_chunk_bytes : 0;

    if (chunk_bytes % config->mtu_bytes) {
        return err_set(err, ST_INVALID, "multiple",
                       "go_back_chunk_bytes, %u, must be a multiple of the "
                       "MTU, %u",
                       chunk_bytes, config->mtu_bytes);
    }
    if (config->window_bytes > 0 && config->window_bytes < config->mtu_bytes) {
        return err_set(err, ST_INVALID, "range",
                       "window_bytes, %llu, must not be below the MTU, %u",
                       (unsigned long long)config->window_bytes,
                       config->mtu_bytes);
    }
    return ST_OK;
}

enum st
rc_config_check(const struct rc_config *config, struct err *err)
{
    enum st status = check_bounds(config, err);

    if (status == ST_OK) {
        status = check_powers(config, err);
    }
    if (status == ST_OK) {
        status = check_window(config, err);
    }
    return status;
}

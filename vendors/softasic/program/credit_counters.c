/* SPDX-License-Identifier: Apache-2.0 */

/* Counters of credit-based flow control, as an extension of SAI. */

#include <config.h>

#include "vendors/softasic/program/credit_counters.h"

#include "twin/switch/port_credit.h"
#include "vendors/softasic/cbfc.h"

enum { VC_STRIDE = 8, RANGE_END = 0x1000ffff };

bool
credit_counters_have(sai_object_type_t type, sai_stat_id_t id)
{
    return type == SAI_OBJECT_TYPE_PORT &&
           id >= SAI_PORT_STAT_SOFTASIC_CBFC_START && id <= RANGE_END;
}

/* Stores counter 'stat' of VC 'vc'; false: there is no such counter. */
static bool
read_vc(const struct sim_credit_stats *stats, uint32_t vc, uint32_t stat,
        uint64_t *value)
{
    const uint64_t values[SOFTASIC_CBFC_VC_STATS] = {
        [SOFTASIC_CBFC_VC_SENDER_USED] = credit_sender_used(&stats->sender, vc),
        [SOFTASIC_CBFC_VC_SENDER_CONSUMED] = stats->sender.vcs[vc].consumed,
        [SOFTASIC_CBFC_VC_SENDER_FREED] = stats->sender.vcs[vc].freed,
        [SOFTASIC_CBFC_VC_SENDER_USED_WATERMARK] =
            stats->sender.vcs[vc].used_watermark,
        [SOFTASIC_CBFC_VC_RECEIVER_CONSUMED] = stats->receiver.vcs[vc].consumed,
        [SOFTASIC_CBFC_VC_RECEIVER_FREED] = stats->receiver.vcs[vc].freed,
    };

    if (stat >= SOFTASIC_CBFC_VC_STATS) {
        return false;
    }
    *value = values[stat];
    return true;
}

/* Stores counter 'id'; false: there is no such counter. */
static bool
read_stat(const struct sim_credit_stats *stats, sai_stat_id_t id,
          uint64_t *value)
{
    switch ((int)id) {
    case SAI_PORT_STAT_SOFTASIC_CBFC_SENDER_USED:
        *value = stats->sender.used;
        return true;
    case SAI_PORT_STAT_SOFTASIC_CBFC_SENDER_USED_WATERMARK:
        *value = stats->sender.used_watermark;
        return true;
    case SAI_PORT_STAT_SOFTASIC_CBFC_CC_TX:
        *value = stats->cc_tx;
        return true;
    case SAI_PORT_STAT_SOFTASIC_CBFC_CF_TX:
        *value = stats->cf_tx;
        return true;
    case SAI_PORT_STAT_SOFTASIC_CBFC_CC_RX:
        *value = stats->cc_rx;
        return true;
    case SAI_PORT_STAT_SOFTASIC_CBFC_CF_RX:
        *value = stats->cf_rx;
        return true;
    default:
        break;
    }
    if (id < SAI_PORT_STAT_SOFTASIC_CBFC_VC_START ||
        id >= SOFTASIC_CBFC_VC_STAT(CREDIT_MAX_VCS, 0)) {
        return false;
    }
    id -= SAI_PORT_STAT_SOFTASIC_CBFC_VC_START;
    return read_vc(stats, id / VC_STRIDE, id % VC_STRIDE, value);
}

sai_status_t
credit_counters_read(const struct asic *asic, const struct objects_item *port,
                     uint32_t n, const sai_stat_id_t *ids,
                     sai_stats_mode_t mode, uint64_t *values)
{
    struct sim_credit_stats stats;
    uint64_t value;

    if (port == asic->cpu_port || mode != SAI_STATS_MODE_READ) {
        return SAI_STATUS_NOT_SUPPORTED;
    }
    if (sim_port_get_credits(asic->sim, port->handle, &stats)) {
        stats = (struct sim_credit_stats){0};
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!read_stat(&stats, ids[i], &value)) {
            return SAI_STATUS_INVALID_PARAMETER;
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        (void)read_stat(&stats, ids[i], &values[i]);
    }
    return SAI_STATUS_SUCCESS;
}

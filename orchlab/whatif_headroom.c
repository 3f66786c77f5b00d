/* SPDX-License-Identifier: Apache-2.0 */

/* How much headroom links of another length need. */

#include <config.h>

#include "orchlab/whatif_headroom.h"

#include "base/ethernet.h"
#include "lab/oracle/buffer.h"

enum { SPARE_FRAMES = 2 };

uint64_t
whatif_headroom_bytes(const struct topology_link *link, int64_t length_mm,
                      int64_t response_ps, uint32_t frame, uint32_t cell)
{
    const uint32_t wire = frame + ETHERNET_WIRE_OVERHEAD_BYTES;
    const struct buffer_link lossless = {
        .rate_bps = link->rate_bps,
        .length_mm = (uint64_t)length_mm,
        .response_ps = response_ps,
        .pause_bytes = ETHERNET_MIN_BYTES + ETHERNET_WIRE_OVERHEAD_BYTES,
        .own_bytes = wire,
        .peer_bytes = wire};
    const uint64_t frames =
        (buffer_headroom_bytes(&lossless) + wire - 1) / wire + SPARE_FRAMES;

    return frames * ((frame + cell - 1) / cell) * cell;
}

uint32_t
whatif_headroom_frame(const struct scenario *scenario)
{
    enum { RETH_BYTES = 16 };
    const struct host_spec *host = &scenario->hosts[0];
    int64_t longest = host->mtu_bytes + host->header_bytes + RETH_BYTES;

    for (size_t i = 0; i < scenario->n_traffic; i++) {
        if (scenario->traffic[i].kind == TRAFFIC_RAW &&
            scenario->traffic[i].frame_bytes > longest) {
            longest = scenario->traffic[i].frame_bytes;
        }
    }
    return (uint32_t)longest - ETHERNET_FCS_BYTES;
}

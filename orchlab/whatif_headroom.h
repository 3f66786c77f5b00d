/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHLAB_WHATIF_HEADROOM_H
#define ORCHD_ORCHLAB_WHATIF_HEADROOM_H

/* How much headroom links of another length need. */

#include <stdint.h>

#include "lab/builder/topology.h"
#include "lab/scenario/scenario.h"

/* Returns how many bytes a PG needs for what arrives over a link of the rate of
 * 'link' and of 'length_mm' after it asks for a pause, which its sender obeys
 * after 'response_ps', in frames of 'frame' bytes and cells of 'cell'. */
uint64_t whatif_headroom_bytes(const struct topology_link *link,
                               int64_t length_mm, int64_t response_ps,
                               uint32_t frame, uint32_t cell);

/* Returns the longest frame of the scenario in bytes, without FCS. */
uint32_t whatif_headroom_frame(const struct scenario *scenario);

#endif /* orchlab/whatif_headroom.h */

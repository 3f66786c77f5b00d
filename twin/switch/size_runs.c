/* SPDX-License-Identifier: Apache-2.0 */

/* Counts of frames by size. */

#include <config.h>

#include "twin/switch/size_runs.h"

#include "base/ethernet.h"

#define RUN_MASK ((UINT64_C(1) << SIZE_RUN_SHIFT) - 1)

/* Returns the class of frames of 'length_bytes'. */
static enum sim_size
size_of(uint32_t length_bytes)
{
    /* The longest of each class but the last, with FCS. */
    static const uint16_t most[SIM_N_SIZES - 1] = {
        63, 64, 127, 255, 511, 1023, 1518, 2047, 4095, 9216, 16383,
    };
    const uint32_t bytes = length_bytes + ETHERNET_FCS_BYTES;
    unsigned int size = 0;

    while (size < SIM_N_SIZES - 1 && bytes > most[size]) {
        size++;
    }
    return (enum sim_size)size;
}

void
size_totals_add(struct size_totals *totals, uint32_t length_bytes, uint64_t n)
{
    totals->packets += n;
    totals->octets += n * length_bytes;
    totals->sizes[size_of(length_bytes)] += n;
}

/* Moves what 'run' has counted to 'totals'. */
static void
end(uint64_t run, struct size_totals *totals)
{
    size_totals_add(totals, (uint32_t)(run >> SIZE_RUN_SHIFT), run & RUN_MASK);
}

void
size_runs_end(struct size_runs *runs, struct size_totals *totals)
{
    for (int i = 0; i < 2; i++) {
        end(runs->runs[i], totals);
        runs->runs[i] &= ~RUN_MASK;
    }
}

void
size_run_change__(uint64_t *run, struct size_totals *totals,
                  uint32_t length_bytes)
{
    end(*run, totals);
    if (length_bytes <= UINT16_MAX) {
        *run = (uint64_t)length_bytes << SIZE_RUN_SHIFT | 1;
    } else { /* A tag was added to the longest frame. */
        *run = 0;
        size_totals_add(totals, length_bytes, 1);
    }
}

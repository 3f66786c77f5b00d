/* SPDX-License-Identifier: Apache-2.0 */

/* Limits of trimming, as numbers and as text. */

#include <config.h>

#include "twin/chip/chip_trimming.h"

#include "base/text.h"

bool
chip_trimming_has_size(const struct chip_trimming *trimming,
                       uint32_t size_bytes)
{
    return size_bytes >= trimming->min_bytes &&
           size_bytes <= trimming->max_bytes &&
           (size_bytes - trimming->min_bytes) % trimming->step_bytes == 0;
}

bool
chip_trimming_has_queue(const struct chip_trimming *trimming, uint32_t n,
                        uint32_t index)
{
    return index < n && (!trimming->queues || (trimming->queues >> index & 1));
}

void
chip_trimming_add_sizes(const struct chip_trimming *trimming, struct text *text)
{
    text_addf(text, "%u", trimming->min_bytes);
    if (trimming->max_bytes != trimming->min_bytes) {
        text_addf(text, "..%u", trimming->max_bytes);
    }
    if (trimming->step_bytes > 1) {
        text_addf(text, " in steps of %u", trimming->step_bytes);
    }
}

void
chip_trimming_add_queues(const struct chip_trimming *trimming, uint32_t n,
                         struct text *text)
{
    char number[16];

    if (!trimming->queues) {
        text_addf(text, "0..%u", n - 1);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (chip_trimming_has_queue(trimming, n, i)) {
            text_format(number, sizeof number, "%u", i);
            text_add_item(text, ", ", number);
        }
    }
}

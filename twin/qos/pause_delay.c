/* SPDX-License-Identifier: Apache-2.0 */

/* Received pause frames between their arrival and their effect. */

#include <config.h>

#include "twin/qos/pause_delay.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"

enum { FIRST_ROOM = 2 };

void
pause_delay_add(struct pause_delay *delay, const struct pause_frame *frame,
                int64_t effect_ps)
{
    if (delay->n && delay->items[delay->n - 1].effect_ps > effect_ps) {
        effect_ps = delay->items[delay->n - 1].effect_ps;
    }
    if (delay->n == delay->room) {
        delay->room = delay->room ? 2 * delay->room : FIRST_ROOM;
        delay->items =
            check_realloc(delay->items, delay->room * sizeof *delay->items);
    }
    delay->items[delay->n++] =
        (struct pause_delay_item){.frame = *frame, .effect_ps = effect_ps};
}

bool
pause_delay_take(struct pause_delay *delay, int64_t now_ps,
                 struct pause_frame *frame)
{
    if (pause_delay_next_ps(delay) > now_ps) {
        return false;
    }
    *frame = delay->items[0].frame;
    memmove(delay->items, delay->items + 1, --delay->n * sizeof *delay->items);
    return true;
}

int64_t
pause_delay_next_ps(const struct pause_delay *delay)
{
    return delay->n ? delay->items[0].effect_ps : INT64_MAX;
}

void
pause_delay_fini(struct pause_delay *delay)
{
    free(delay->items);
    *delay = (struct pause_delay){0};
}

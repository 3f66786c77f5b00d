/* SPDX-License-Identifier: Apache-2.0 */

/* Finding what was read. */

#include <config.h>

#include "orchd/counters/counted.h"

struct reading *
counted_reading(const struct counted *object, int group)
{
    return object->readings ? object->readings[group] : NULL;
}

bool
counted_value(const struct counted *object, enum counter_group group,
              sai_stat_id_t id, uint64_t *value)
{
    const struct reading *reading = counted_reading(object, (int)group);

    if (!reading || !reading->known) {
        return false;
    }
    for (uint32_t i = 0; i < reading->list->n; i++) {
        if (reading->list->ids[i] == id) {
            *value = reading->values[i];
            return true;
        }
    }
    return false;
}

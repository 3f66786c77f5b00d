/* SPDX-License-Identifier: Apache-2.0 */

/* Finds values by group and counter. */

#include <config.h>

#include "orchd/telemetry/polling/polled_object.h"

struct polled_reading *
polled_object_reading(const struct polled_object *object, int group)
{
    return object->readings ? object->readings[group] : NULL;
}

bool
polled_object_value(const struct polled_object *object,
                    enum counter_group group, sai_stat_id_t id, uint64_t *value)
{
    const struct polled_reading *reading =
        polled_object_reading(object, (int)group);

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

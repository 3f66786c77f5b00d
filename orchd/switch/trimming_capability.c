/* SPDX-License-Identifier: Apache-2.0 */

/* Asks for the six attributes of the switch, and for the values of two. */

#include <config.h>

#include "orchd/switch/trimming_capability.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <sai.h>

#include "base/text.h"
#include "sai/core/backend.h"
#include "sai/core/capability.h"
#include "sai/loader/loader.h"

enum { MAX_VALUES = 16 };

/* A mode: its attribute, its two values with their names, and the attribute
 * that belongs to each. */
struct mode {
    sai_attr_id_t id;
    struct {
        int32_t value;
        const char *name;
        sai_attr_id_t needs; /* 0: none. */
    } values[2];
};

static const struct mode dscp_mode = {
    SAI_SWITCH_ATTR_PACKET_TRIM_DSCP_RESOLUTION_MODE,
    {{SAI_PACKET_TRIM_DSCP_RESOLUTION_MODE_DSCP_VALUE, "DSCP_VALUE",
      SAI_SWITCH_ATTR_PACKET_TRIM_DSCP_VALUE},
     {SAI_PACKET_TRIM_DSCP_RESOLUTION_MODE_FROM_TC, "FROM_TC",
      SAI_SWITCH_ATTR_PACKET_TRIM_TC_VALUE}}};

static const struct mode queue_mode = {
    SAI_SWITCH_ATTR_PACKET_TRIM_QUEUE_RESOLUTION_MODE,
    {{SAI_PACKET_TRIM_QUEUE_RESOLUTION_MODE_STATIC, "STATIC",
      SAI_SWITCH_ATTR_PACKET_TRIM_QUEUE_INDEX},
     {SAI_PACKET_TRIM_QUEUE_RESOLUTION_MODE_DYNAMIC, "DYNAMIC", 0}}};

static bool
can_set(struct loader *loader, sai_attr_id_t id)
{
    return (loader_capability(loader, SAI_OBJECT_TYPE_SWITCH, id) &
            CAPABILITY_SET) != 0;
}

/* Stores the values that attribute 'id' can have in 'values', and returns how
 * many; 0 if the library does not say. */
static uint32_t
list_values(struct loader *loader, sai_attr_id_t id, int32_t *values)
{
    void *symbol =
        loader_symbol(loader, "sai_query_attribute_enum_values_capability");
    __typeof__(sai_query_attribute_enum_values_capability) *query;
    sai_s32_list_t list = {.count = MAX_VALUES, .list = values};

    if (!symbol) {
        return 0;
    }
    memcpy(&query, &symbol, sizeof query);
    return query(loader_backend(loader)->switch_id, SAI_OBJECT_TYPE_SWITCH, id,
                 &list) == SAI_STATUS_SUCCESS
               ? list.count
               : 0;
}

/* Writes the values that 'mode' can have to 'text'.  Returns whether there is
 * one, and all that they need can be set. */
static bool
read_mode(struct loader *loader, const struct mode *mode, char *text,
          size_t size)
{
    int32_t values[MAX_VALUES];
    const uint32_t n =
        can_set(loader, mode->id) ? list_values(loader, mode->id, values) : 0;
    struct text list = {0};
    bool complete = true;

    for (size_t i = 0; i < 2; i++) {
        const sai_attr_id_t needs = mode->values[i].needs;

        for (uint32_t j = 0; j < n; j++) {
            if (values[j] == mode->values[i].value) {
                text_add_item(&list, ",", mode->values[i].name);
                complete &= !needs || can_set(loader, needs);
            }
        }
    }
    complete &= list.length > 0;
    text_copy(text, size, list.length ? text_string(&list) : "N/A");
    text_fini(&list);
    return complete;
}

void
trimming_capability_read(struct loader *loader,
                         struct trimming_capability *capability)
{
    capability->capable = can_set(loader, SAI_SWITCH_ATTR_PACKET_TRIM_SIZE);
    capability->capable &= read_mode(loader, &dscp_mode, capability->dscp_modes,
                                     sizeof capability->dscp_modes);
    capability->capable &=
        read_mode(loader, &queue_mode, capability->queue_modes,
                  sizeof capability->queue_modes);
}

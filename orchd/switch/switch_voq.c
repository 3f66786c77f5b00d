/* SPDX-License-Identifier: Apache-2.0 */

/* Collects system ports. */

#include <config.h>

#include "orchd/switch/switch_voq.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "orchd/intent/intent.h"
#include "orchd/reconcile/chassis_ports.h"

/* Adds a row of SYSTEM_PORT to the list. */
static void
add_row(const struct row *row, void *context)
{
    struct switch_voq *voq = context;
    sai_system_port_config_list_t *list =
        &voq->attributes[SWITCH_VOQ_MAX_ATTRIBUTES - 1].value.sysportconfiglist;

    if (row->table != TABLE_SYSTEM_PORT || !row->present || !row->effective) {
        return;
    }
    voq->ports =
        check_realloc(voq->ports, (list->count + 1u) * sizeof *voq->ports);
    list->list = voq->ports;
    chassis_ports_config(row->fields, row->n_fields,
                         &list->list[list->count++]);
}

/* Returns the number in 'field' of 'row', whose form was checked. */
static uint32_t
number_of(const struct row *row, const char *field)
{
    return (uint32_t)strtoul(row_field(row, field), NULL, 10);
}

void
switch_voq_init(struct switch_voq *voq, const struct intent *intent)
{
    const struct row *row =
        intent_get(intent, TABLE_DEVICE_METADATA, "localhost");
    const char *type =
        row && row->present ? row_field(row, "switch_type") : NULL;

    *voq = (struct switch_voq){.n = 0};
    if (!type || strcmp(type, "voq") != 0 || !row_field(row, "switch_id") ||
        !row_field(row, "max_cores")) {
        return;
    }
    voq->attributes[0] =
        (sai_attribute_t){SAI_SWITCH_ATTR_TYPE, {.s32 = SAI_SWITCH_TYPE_VOQ}};
    voq->attributes[1] = (sai_attribute_t){
        SAI_SWITCH_ATTR_SWITCH_ID, {.u32 = number_of(row, "switch_id")}};
    voq->attributes[2] = (sai_attribute_t){
        SAI_SWITCH_ATTR_MAX_SYSTEM_CORES, {.u32 = number_of(row, "max_cores")}};
    voq->attributes[3] =
        (sai_attribute_t){.id = SAI_SWITCH_ATTR_SYSTEM_PORT_CONFIG_LIST};
    voq->n = SWITCH_VOQ_MAX_ATTRIBUTES;
    intent_each(intent, add_row, voq);
}

void
switch_voq_fini(struct switch_voq *voq)
{
    free(voq->ports);
    *voq = (struct switch_voq){.n = 0};
}

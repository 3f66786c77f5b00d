/* SPDX-License-Identifier: Apache-2.0 */

/* Collects system ports. */

#include <config.h>

#include "orchd/switch/switch_voq.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "orchd/intent/intent.h"
#include "orchd/reconcile/chassis_ports.h"

/* The rows of SYSTEM_PORT. */
struct port_rows {
    const struct row **rows; /* Owned. */
    size_t n;
};

/* Adds a row to the list. */
static void
add_row(const struct row *row, void *context)
{
    struct port_rows *list = context;

    if (row->table == TABLE_SYSTEM_PORT && row->present && row->effective) {
        list->rows =
            check_realloc(list->rows, (list->n + 1) * sizeof *list->rows);
        list->rows[list->n++] = row;
    }
}

static int
compare_keys(const void *a, const void *b)
{
    const struct row *const *left = a;
    const struct row *const *right = b;

    return strcmp((*left)->key, (*right)->key);
}

/* Makes system ports of all rows but those that repeat the numbers of another
 * one, for which the library would refuse to create the switch. */
static void
list_ports(struct switch_voq *voq, const struct intent *intent)
{
    sai_system_port_config_list_t *list =
        &voq->attributes[SWITCH_VOQ_MAX_ATTRIBUTES - 1].value.sysportconfiglist;
    struct port_rows all = {NULL, 0};

    intent_each(intent, add_row, &all);
    qsort(all.rows, all.n, sizeof *all.rows, compare_keys);
    voq->ports = check_calloc(all.n + 1, sizeof *voq->ports);
    list->list = voq->ports;
    for (size_t i = 0; i < all.n; i++) {
        sai_system_port_config_t config;
        bool is_repeated = false;

        chassis_ports_config(all.rows[i]->fields, all.rows[i]->n_fields,
                             &config);
        for (uint32_t k = 0; k < list->count; k++) {
            is_repeated |= chassis_ports_conflict(&list->list[k], &config);
        }
        if (!is_repeated) {
            list->list[list->count++] = config;
        }
    }
    free(all.rows);
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
    list_ports(voq, intent);
}

void
switch_voq_fini(struct switch_voq *voq)
{
    free(voq->ports);
    *voq = (struct switch_voq){.n = 0};
}

/* SPDX-License-Identifier: Apache-2.0 */

/* The tables of groups and counters. */

#include <config.h>

#include "orchd/orchagent/syncd_counters.h"

#include <string.h>

#include "base/parse.h"
#include "base/text.h"
#include "orchd/intent/content.h"
#include "orchd/intent/field.h"
#include "sai/core/metadata.h"

#define N(array) (sizeof(array) / sizeof *(array))

#define PREFIX SYNCD_COUNTERS_PREFIX

#define PORT  SAI_OBJECT_TYPE_PORT
#define POOL  SAI_OBJECT_TYPE_BUFFER_POOL
#define PG    SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP
#define QUEUE SAI_OBJECT_TYPE_QUEUE

/* The groups of orchd. */
enum {
    POOL_OCCUPANCY,
    POOL_HEADROOM,
    PG_OCCUPANCY,
    PG_SHARED,
    PG_HEADROOM,
    PG_DROPS,
    QUEUE_OCCUPANCY,
    QUEUE_TRAFFIC,
    QUEUE_MARKS,
    PORT_TRAFFIC,
    PORT_PFC,
    N_OWN,
    NOT_ASKED = N_OWN, /* For counters: only recognized. */
    ANY_GROUP = -1,
};

static const struct {
    const char *name;
    sai_object_type_t type;
} own_groups[N_OWN] = {
    [POOL_OCCUPANCY] = {PREFIX "POOL_OCCUPANCY", POOL},
    [POOL_HEADROOM] = {PREFIX "POOL_HEADROOM", POOL},
    [PG_OCCUPANCY] = {PREFIX "PG_OCCUPANCY", PG},
    [PG_SHARED] = {PREFIX "PG_SHARED", PG},
    [PG_HEADROOM] = {PREFIX "PG_HEADROOM", PG},
    [PG_DROPS] = {PREFIX "PG_DROPS", PG},
    [QUEUE_OCCUPANCY] = {PREFIX "QUEUE_OCCUPANCY", QUEUE},
    [QUEUE_TRAFFIC] = {PREFIX "QUEUE_TRAFFIC", QUEUE},
    [QUEUE_MARKS] = {PREFIX "QUEUE_MARKS", QUEUE},
    [PORT_TRAFFIC] = {PREFIX "PORT_TRAFFIC", PORT},
    [PORT_PFC] = {PREFIX "PORT_PFC", PORT},
};

/* The counters; bit i of a set stands for counters[i]. */
static const struct {
    sai_object_type_t type;
    int group; /* That asks for it. */
    sai_stat_id_t id;
} counters[] = {
    {POOL, POOL_OCCUPANCY, SAI_BUFFER_POOL_STAT_CURR_OCCUPANCY_BYTES},
    {POOL, POOL_HEADROOM, SAI_BUFFER_POOL_STAT_XOFF_ROOM_CURR_OCCUPANCY_BYTES},
    {POOL, NOT_ASKED, SAI_BUFFER_POOL_STAT_WATERMARK_BYTES},
    {PG, PG_OCCUPANCY, SAI_INGRESS_PRIORITY_GROUP_STAT_CURR_OCCUPANCY_BYTES},
    {PG, PG_SHARED,
     SAI_INGRESS_PRIORITY_GROUP_STAT_SHARED_CURR_OCCUPANCY_BYTES},
    {PG, PG_HEADROOM,
     SAI_INGRESS_PRIORITY_GROUP_STAT_XOFF_ROOM_CURR_OCCUPANCY_BYTES},
    {PG, PG_DROPS, SAI_INGRESS_PRIORITY_GROUP_STAT_DROPPED_PACKETS},
    {QUEUE, QUEUE_OCCUPANCY, SAI_QUEUE_STAT_CURR_OCCUPANCY_BYTES},
    {QUEUE, QUEUE_TRAFFIC, SAI_QUEUE_STAT_PACKETS},
    {QUEUE, QUEUE_TRAFFIC, SAI_QUEUE_STAT_DROPPED_PACKETS},
    {QUEUE, QUEUE_MARKS, SAI_QUEUE_STAT_WRED_ECN_MARKED_PACKETS},
    {PORT, PORT_TRAFFIC, SAI_PORT_STAT_IF_IN_OCTETS},
    {PORT, PORT_TRAFFIC, SAI_PORT_STAT_IF_OUT_OCTETS},
    {PORT, PORT_TRAFFIC, SAI_PORT_STAT_IF_IN_DISCARDS},
    {PORT, PORT_TRAFFIC, SAI_PORT_STAT_IF_OUT_DISCARDS},
    {PORT, PORT_PFC, SAI_PORT_STAT_PFC_0_RX_PKTS},
    {PORT, PORT_PFC, SAI_PORT_STAT_PFC_0_TX_PKTS},
    {PORT, PORT_PFC, SAI_PORT_STAT_PFC_1_RX_PKTS},
    {PORT, PORT_PFC, SAI_PORT_STAT_PFC_1_TX_PKTS},
    {PORT, PORT_PFC, SAI_PORT_STAT_PFC_2_RX_PKTS},
    {PORT, PORT_PFC, SAI_PORT_STAT_PFC_2_TX_PKTS},
    {PORT, PORT_PFC, SAI_PORT_STAT_PFC_3_RX_PKTS},
    {PORT, PORT_PFC, SAI_PORT_STAT_PFC_3_TX_PKTS},
    {PORT, PORT_PFC, SAI_PORT_STAT_PFC_4_RX_PKTS},
    {PORT, PORT_PFC, SAI_PORT_STAT_PFC_4_TX_PKTS},
    {PORT, PORT_PFC, SAI_PORT_STAT_PFC_5_RX_PKTS},
    {PORT, PORT_PFC, SAI_PORT_STAT_PFC_5_TX_PKTS},
    {PORT, PORT_PFC, SAI_PORT_STAT_PFC_6_RX_PKTS},
    {PORT, PORT_PFC, SAI_PORT_STAT_PFC_6_TX_PKTS},
    {PORT, PORT_PFC, SAI_PORT_STAT_PFC_7_RX_PKTS},
    {PORT, PORT_PFC, SAI_PORT_STAT_PFC_7_TX_PKTS},
};

_Static_assert(N(counters) <= 32, "a set has 32 bits");

/* The field with the list of counters of each type. */
static const struct {
    sai_object_type_t type;
    const char *field;
} lists[] = {
    {PORT, "PORT_COUNTER_ID_LIST"},
    {POOL, "BUFFER_POOL_COUNTER_ID_LIST"},
    {PG, "PG_COUNTER_ID_LIST"},
    {QUEUE, "QUEUE_COUNTER_ID_LIST"},
};

_Static_assert(N_OWN == SYNCD_COUNTERS_GROUPS, "all groups are listed");

int
syncd_counters_find(const char *name)
{
    int i = 0;

    while (i < N_OWN && strcmp(own_groups[i].name, name) != 0) {
        i++;
    }
    return i;
}

const char *
syncd_counters_group(int group)
{
    return own_groups[group].name;
}

sai_object_type_t
syncd_counters_type(int group)
{
    return own_groups[group].type;
}

const char *
syncd_counters_list(int group)
{
    size_t i = 0;

    while (lists[i].type != own_groups[group].type) {
        i++;
    }
    return lists[i].field;
}

/* Returns the counters of 'type' that 'group' asks for, or ANY_GROUP: all. */
static uint32_t
select_counters(sai_object_type_t type, int group)
{
    uint32_t set = 0;

    for (size_t i = 0; i < N(counters); i++) {
        if (counters[i].type == type &&
            (group == ANY_GROUP || counters[i].group == group)) {
            set |= UINT32_C(1) << i;
        }
    }
    return set;
}

uint32_t
syncd_counters_of_group(int group)
{
    return select_counters(own_groups[group].type, group);
}

uint32_t
syncd_counters_of_type(sai_object_type_t type)
{
    return select_counters(type, ANY_GROUP);
}

uint32_t
syncd_counters_bit(sai_object_type_t type, sai_stat_id_t id)
{
    for (size_t i = 0; i < N(counters); i++) {
        if (counters[i].type == type && counters[i].id == id) {
            return UINT32_C(1) << i;
        }
    }
    return 0;
}

/* Returns the counters of 'type' that 'list' names. */
static uint32_t
parse_set(sai_object_type_t type, const char *list)
{
    uint32_t set = 0;
    const char *item;
    size_t length;

    while (parse_list_next(&list, &item, &length)) {
        for (size_t i = 0; i < N(counters); i++) {
            const char *name = counters[i].type == type
                                   ? metadata_stat(type, counters[i].id)->name
                                   : "";

            if (strlen(name) == length && !strncmp(name, item, length)) {
                set |= UINT32_C(1) << i;
            }
        }
    }
    return set;
}

uint32_t
syncd_counters_parse(const struct field *fields, size_t n)
{
    uint32_t set = 0;

    for (size_t i = 0; i < N(lists); i++) {
        const char *list = content_search(fields, n, lists[i].field);

        set |= list ? parse_set(lists[i].type, list) : 0;
    }
    return set;
}

void
syncd_counters_names(uint32_t set, struct text *text)
{
    for (size_t i = 0; i < N(counters); i++) {
        if (set & UINT32_C(1) << i) {
            text_add_item(
                text, ",",
                metadata_stat(counters[i].type, counters[i].id)->name);
        }
    }
}

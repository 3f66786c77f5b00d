/* SPDX-License-Identifier: Apache-2.0 */

/* Calls of SAI that must succeed, and the notes of a port. */

#include <config.h>

#include "tests/support/qos_setup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { CLASSES = 8 };

int
qos_setup_setup_plain(void **state, const char *set)
{
    struct qos_setup *f = calloc(1, sizeof *f);

    if (asic_setup_setup((void **)&f->bench, "generic", set) != 0) {
        return -1;
    }
    for (uint32_t i = 0; i < QOSRIG_PORTS; i++) {
        f->ports[i] = asic_setup_add_port(f->bench, 1 + i);
        qos_setup_set_port(f, i, SAI_PORT_ATTR_ADMIN_STATE, BOOL(true));
    }
    *state = f;
    return 0;
}

int
qos_setup_setup(void **state, const char *set)
{
    static const struct {
        sai_qos_map_type_t type;
        sai_port_attr_t attribute;
    } maps[] = {
        {SAI_QOS_MAP_TYPE_DSCP_TO_TC, SAI_PORT_ATTR_QOS_DSCP_TO_TC_MAP},
        {SAI_QOS_MAP_TYPE_TC_TO_PRIORITY_GROUP,
         SAI_PORT_ATTR_QOS_TC_TO_PRIORITY_GROUP_MAP},
        {SAI_QOS_MAP_TYPE_TC_TO_QUEUE, SAI_PORT_ATTR_QOS_TC_TO_QUEUE_MAP},
    };

    if (qos_setup_setup_plain(state, set) != 0) {
        return -1;
    }
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++) {
        const sai_object_id_t map = qos_setup_map_same(*state, maps[i].type);

        for (uint32_t port = 0; port < QOSRIG_PORTS; port++) {
            qos_setup_set_port(*state, port, maps[i].attribute, OID(map));
        }
    }
    return 0;
}

int
qos_setup_teardown(void **state)
{
    struct qos_setup *f = *state;

    asic_setup_teardown((void **)&f->bench);
    free(f);
    return 0;
}

sai_object_id_t
qos_setup_map(struct qos_setup *f, sai_qos_map_type_t type, uint32_t n,
              const sai_qos_map_t *pairs)
{
    const sai_attribute_t attributes[] = {
        {SAI_QOS_MAP_ATTR_TYPE, {.s32 = (sai_int32_t)type}},
        {SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST,
         {.qosmap = {n, (sai_qos_map_t *)(uintptr_t)pairs}}},
    };
    sai_object_id_t map = SAI_NULL_OBJECT_ID;

    OK(f->bench->map_api->create_qos_map(&map, f->bench->sw, 2, attributes));
    return map;
}

sai_object_id_t
qos_setup_map_same(struct qos_setup *f, sai_qos_map_type_t type)
{
    sai_qos_map_t pairs[CLASSES] = {0};

    for (uint8_t i = 0; i < CLASSES; i++) {
        pairs[i].key = (sai_qos_map_params_t){.tc = i, .dscp = i};
        pairs[i].value =
            (sai_qos_map_params_t){.tc = i, .pg = i, .queue_index = i};
    }
    return qos_setup_map(f, type, CLASSES, pairs);
}

void
qos_setup_set_port(struct qos_setup *f, uint32_t index, sai_attr_id_t id,
                   sai_attribute_value_t value)
{
    const sai_attribute_t attribute = {id, value};

    OK(f->bench->port_api->set_port_attribute(f->ports[index], &attribute));
}

void
qos_setup_set_queue(struct qos_setup *f, uint32_t index, sai_attr_id_t id,
                    sai_attribute_value_t value)
{
    const sai_attribute_t attribute = {id, value};

    OK(f->bench->queue_api->set_queue_attribute(qos_setup_queue(f, index),
                                                &attribute));
}

sai_object_id_t
qos_setup_queue(struct qos_setup *f, uint32_t index)
{
    return asic_setup_child(f->bench, f->ports[1], SAI_PORT_ATTR_QOS_QUEUE_LIST,
                            index);
}

uint64_t
qos_setup_port_stat(struct qos_setup *f, uint32_t index, sai_stat_id_t id)
{
    uint64_t value = UINT64_MAX;

    OK(f->bench->port_api->get_port_stats(f->ports[index], 1, &id, &value));
    return value;
}

uint64_t
qos_setup_queue_stat(struct qos_setup *f, uint32_t index, sai_stat_id_t id)
{
    uint64_t value = UINT64_MAX;

    OK(f->bench->queue_api->get_queue_stats(qos_setup_queue(f, index), 1, &id,
                                            &value));
    return value;
}

void
qos_setup_block(struct qos_setup *f, bool blocked)
{
    qos_setup_set_port(f, 1, SAI_PORT_ATTR_PKT_TX_ENABLE, BOOL(!blocked));
}

void
qos_setup_watch(struct qos_setup *f)
{
    OK(f->bench->ops->trace(f->ports[1], QOSRIG_FRAMES));
}

void
qos_setup_drain(struct qos_setup *f)
{
    OK(f->bench->ops->settle(NULL));
    f->n_left = QOSRIG_FRAMES;
    OK(f->bench->ops->traced(f->ports[1], &f->n_left, f->left));
}

uint32_t
qos_setup_count(const struct qos_setup *f, uint32_t first, uint32_t n,
                uint32_t queue)
{
    uint32_t count = 0;

    for (uint32_t i = first; i < first + n && i < f->n_left; i++) {
        count += f->left[i].queue_index == queue;
    }
    return count;
}

/* SPDX-License-Identifier: Apache-2.0 */

/* Counters by priority, and attributes of many objects. */

#include <config.h>

#include "orchd/watchdog/storm_reader.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/pfc.h"
#include "base/text.h"
#include "sai/core/metadata.h"

enum {
    /* Queues that are read at the same time.  It does no harm if one was paused
     * half a millisecond later than recorded
     * (orchd/watchdog/detection/storm_rule.h, 'lag_us'); a call for all queues
     * of a large switch might take longer. */
    SLICE = 64,
};

/* Returns the counter of a port for 'measure' and 'priority'. */
static sai_stat_id_t
port_stat(unsigned int measure, unsigned int priority)
{
    static const sai_stat_id_t frames[] = {
        SAI_PORT_STAT_PFC_0_RX_PKTS, SAI_PORT_STAT_PFC_1_RX_PKTS,
        SAI_PORT_STAT_PFC_2_RX_PKTS, SAI_PORT_STAT_PFC_3_RX_PKTS,
        SAI_PORT_STAT_PFC_4_RX_PKTS, SAI_PORT_STAT_PFC_5_RX_PKTS,
        SAI_PORT_STAT_PFC_6_RX_PKTS, SAI_PORT_STAT_PFC_7_RX_PKTS,
    };
    static const sai_stat_id_t durations[] = {
        SAI_PORT_STAT_PFC_0_RX_PAUSE_DURATION_US,
        SAI_PORT_STAT_PFC_1_RX_PAUSE_DURATION_US,
        SAI_PORT_STAT_PFC_2_RX_PAUSE_DURATION_US,
        SAI_PORT_STAT_PFC_3_RX_PAUSE_DURATION_US,
        SAI_PORT_STAT_PFC_4_RX_PAUSE_DURATION_US,
        SAI_PORT_STAT_PFC_5_RX_PAUSE_DURATION_US,
        SAI_PORT_STAT_PFC_6_RX_PAUSE_DURATION_US,
        SAI_PORT_STAT_PFC_7_RX_PAUSE_DURATION_US,
    };
    static const sai_stat_id_t ends[] = {
        SAI_PORT_STAT_PFC_0_ON2OFF_RX_PKTS, SAI_PORT_STAT_PFC_1_ON2OFF_RX_PKTS,
        SAI_PORT_STAT_PFC_2_ON2OFF_RX_PKTS, SAI_PORT_STAT_PFC_3_ON2OFF_RX_PKTS,
        SAI_PORT_STAT_PFC_4_ON2OFF_RX_PKTS, SAI_PORT_STAT_PFC_5_ON2OFF_RX_PKTS,
        SAI_PORT_STAT_PFC_6_ON2OFF_RX_PKTS, SAI_PORT_STAT_PFC_7_ON2OFF_RX_PKTS,
    };

    orch_assert(priority < sizeof frames / sizeof *frames);
    return measure == STORM_FRAMES     ? frames[priority]
           : measure == STORM_DURATION ? durations[priority]
                                       : ends[priority];
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const unsigned int port_measures[] = {STORM_FRAMES, STORM_DURATION,
                                             STORM_ENDS};
static const unsigned int queue_measures[] = {STORM_PACKETS, STORM_OCCUPANCY};

static sai_stat_id_t
queue_stat(unsigned int measure)
{
    return measure == STORM_PACKETS ? SAI_QUEUE_STAT_PACKETS
                                    : SAI_QUEUE_STAT_CURR_OCCUPANCY_BYTES;
}

static bool
get_stats(struct storm_reader *reader, sai_object_type_t type,
          sai_object_id_t oid, uint32_t n, const sai_stat_id_t *ids,
          uint64_t *values)
{
    struct sai_backend *backend = reader->backend;

    reader->n_calls++;
    return backend->ops->get_stats(backend, type, oid, n, ids,
                                   SAI_STATS_MODE_READ,
                                   values) == SAI_STATUS_SUCCESS;
}

/* Stores a counter in 'sample'. */
static void
store(struct storm_sample *sample, unsigned int measure, uint64_t value)
{
    switch (measure) {
    case STORM_PACKETS:
        sample->packets = value;
        break;
    case STORM_OCCUPANCY:
        sample->occupancy_bytes = value;
        break;
    case STORM_FRAMES:
        sample->frames = value;
        break;
    case STORM_DURATION:
        sample->pause_us = value;
        break;
    default:
        sample->ends = value;
    }
    sample->measures |= measure;
}

/* A group of items with the same counter ids. */
struct same_ids {
    sai_object_type_t type;
    uint32_t n_ids;
    sai_stat_id_t ids[3];
    unsigned int measures[3]; /* Of these ids. */
    uint32_t n;
    struct reader_item *items[SLICE];
};

/* Reads the counters of a group in one call. */
static void
read_group(struct storm_reader *reader, const struct same_ids *group)
{
    const bool port = group->type == SAI_OBJECT_TYPE_PORT;
    sai_object_key_t keys[SLICE];
    sai_status_t statuses[SLICE];
    uint64_t values[SLICE * 3];
    const struct backend_stats call = {.type = group->type,
                                       .mode = SAI_STATS_MODE_READ,
                                       .n = group->n,
                                       .keys = keys,
                                       .n_ids = group->n_ids,
                                       .ids = group->ids,
                                       .values = values,
                                       .statuses = statuses};

    if (!group->n || !group->n_ids) {
        return;
    }
    for (uint32_t i = 0; i < group->n; i++) {
        const struct reader_ids *ids = &group->items[i]->ids;

        keys[i].key.object_id = port ? ids->port : ids->queue;
    }
    reader->n_calls++;
    (void)backend_get_stats_many(reader->backend, &call);
    for (uint32_t i = 0; i < group->n; i++) {
        for (uint32_t k = 0; k < group->n_ids && !statuses[i]; k++) {
            store(&group->items[i]->sample, group->measures[k],
                  values[i * group->n_ids + k]);
        }
    }
}

/* Adds those of 'measures' that are in 'list' to 'group'. */
static void
add_ids(struct same_ids *group, unsigned int measures, const unsigned int *list,
        size_t n, unsigned int priority)
{
    for (size_t i = 0; i < n; i++) {
        if (measures & list[i]) {
            group->ids[group->n_ids] = group->type == SAI_OBJECT_TYPE_PORT
                                           ? port_stat(list[i], priority)
                                           : queue_stat(list[i]);
            group->measures[group->n_ids++] = list[i];
        }
    }
}

/* Reads those of 'measures' that are counters, of the ports (each priority has
 * its own) and then of the queues of a slice. */
static void
read_counters(struct storm_reader *reader, unsigned int measures,
              struct reader_item *items, size_t n)
{
    struct same_ids queues = {.type = SAI_OBJECT_TYPE_QUEUE};

    for (unsigned int priority = 0; priority < PFC_N_PRIORITIES; priority++) {
        struct same_ids ports = {.type = SAI_OBJECT_TYPE_PORT};

        add_ids(&ports, measures, port_measures, 3, priority);
        for (size_t i = 0; i < n; i++) {
            if (items[i].ids.priority == priority) {
                ports.items[ports.n++] = &items[i];
            }
        }
        read_group(reader, &ports);
    }
    add_ids(&queues, measures, queue_measures, 2, 0);
    for (size_t i = 0; i < n; i++) {
        queues.items[queues.n++] = &items[i];
    }
    read_group(reader, &queues);
}

/* Reads one attribute of an object of each of 'items'. */
static void
read_attribute(struct storm_reader *reader, sai_object_type_t type,
               sai_attr_id_t id, struct reader_item *items, size_t n)
{
    bool port = type == SAI_OBJECT_TYPE_PORT;
    sai_object_key_t *keys = check_calloc(n, sizeof *keys);
    sai_attribute_t *attributes = check_calloc(n, sizeof *attributes);
    sai_status_t *statuses = check_calloc(n, sizeof *statuses);
    uint32_t *counts = check_calloc(n, sizeof *counts);
    const struct backend_many call = {.op = OP_GET_MANY,
                                      .type = type,
                                      .mode =
                                          SAI_BULK_OP_ERROR_MODE_IGNORE_ERROR,
                                      .n = (uint32_t)n,
                                      .keys = keys,
                                      .counts = counts,
                                      .attributes = attributes,
                                      .statuses = statuses};

    for (size_t i = 0; i < n; i++) {
        keys[i].key.object_id = port ? items[i].ids.port : items[i].ids.queue;
        attributes[i].id = id;
        counts[i] = 1;
    }
    reader->n_calls++;
    (void)backend_do_many(reader->backend, &call);
    for (size_t i = 0; i < n; i++) {
        struct storm_sample *sample = &items[i].sample;

        if (port) { /* Without an answer, the port counts as up. */
            sample->link_up = statuses[i] || attributes[i].value.s32 !=
                                                 SAI_PORT_OPER_STATUS_DOWN;
        } else if (!statuses[i]) {
            sample->paused = attributes[i].value.booldata;
            sample->measures |= STORM_STATUS;
        }
    }
    free(keys);
    free(attributes);
    free(statuses);
    free(counts);
}

bool
storm_reader_counts(struct storm_reader *reader, const struct reader_ids *ids,
                    struct storm_counts *counts)
{
    static const sai_stat_id_t queue_ids[] = {SAI_QUEUE_STAT_PACKETS,
                                              SAI_QUEUE_STAT_DROPPED_PACKETS};
    static const sai_stat_id_t pg_ids[] = {
        SAI_INGRESS_PRIORITY_GROUP_STAT_PACKETS,
        SAI_INGRESS_PRIORITY_GROUP_STAT_DROPPED_PACKETS};
    uint64_t tx[2], rx[2] = {0, 0};

    if (!get_stats(reader, SAI_OBJECT_TYPE_QUEUE, ids->queue, 2, queue_ids,
                   tx)) {
        return false;
    }
    if (ids->pg != SAI_NULL_OBJECT_ID) {
        (void)get_stats(reader, SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP, ids->pg,
                        2, pg_ids, rx);
    }
    *counts = (struct storm_counts){tx[0], tx[1], rx[0], rx[1]};
    return true;
}

/* Reads the counters of up to SLICE queues, at 'now_ns'. */
static void
read_slice(struct storm_reader *reader, unsigned int measures,
           struct reader_item *items, size_t n, int64_t now_ns)
{
    for (size_t i = 0; i < n; i++) {
        items[i].sample.at_ns = now_ns;
    }
    read_counters(reader, measures, items, n);
}

void
storm_reader_read(struct storm_reader *reader, unsigned int measures,
                  struct reader_item *items, size_t n, reader_clock_fn *clock,
                  void *context)
{
    if (!n) {
        return;
    }
    measures &= reader->offered;
    for (size_t i = 0; i < n; i++) {
        items[i].sample = (struct storm_sample){0};
    }
    /* Attributes are read right before the counters, so that a pause that began
     * in between is not missing from the duration. */
    read_attribute(reader, SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_OPER_STATUS,
                   items, n);
    if (measures & STORM_STATUS) {
        read_attribute(reader, SAI_OBJECT_TYPE_QUEUE,
                       SAI_QUEUE_ATTR_PAUSE_STATUS, items, n);
    }
    for (size_t i = 0; i < n; i += SLICE) {
        read_slice(reader, measures, &items[i], n - i < SLICE ? n - i : SLICE,
                   clock(context));
    }
    for (size_t i = 0; i < n; i++) {
        items[i].counted =
            items[i].counts_wanted &&
            storm_reader_counts(reader, &items[i].ids, &items[i].counts);
    }
}

void
storm_reader_init(struct storm_reader *reader, struct sai_backend *backend,
                  const struct reader_ids *ids)
{
    struct reader_item item = {.ids = *ids};

    *reader = (struct storm_reader){.backend = backend};
    for (unsigned int i = 0; i < N_STORM_MEASURES; i++) {
        read_counters(reader, 1u << i, &item, 1);
    }
    read_attribute(reader, SAI_OBJECT_TYPE_QUEUE, SAI_QUEUE_ATTR_PAUSE_STATUS,
                   &item, 1);
    reader->offered = item.sample.measures;
}

void
storm_reader_port_names(unsigned int measures, unsigned int priorities,
                        struct text *names)
{
    for (unsigned int n = 0; n < PFC_N_PRIORITIES; n++) {
        for (size_t i = 0; i < COUNT(port_measures); i++) {
            if (priorities & 1u << n && measures & port_measures[i]) {
                text_add_item(names, ",",
                              metadata_stat(SAI_OBJECT_TYPE_PORT,
                                            port_stat(port_measures[i], n))
                                  ->name);
            }
        }
    }
}

void
storm_reader_queue_names(unsigned int measures, struct text *counters,
                         struct text *attributes)
{
    for (size_t i = 0; i < COUNT(queue_measures); i++) {
        if (measures & queue_measures[i]) {
            text_add_item(counters, ",",
                          metadata_stat(SAI_OBJECT_TYPE_QUEUE,
                                        queue_stat(queue_measures[i]))
                              ->name);
        }
    }
    if (measures & STORM_STATUS) {
        text_add_item(attributes, ",", "SAI_QUEUE_ATTR_PAUSE_STATUS");
    }
}

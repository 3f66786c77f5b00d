/* SPDX-License-Identifier: Apache-2.0 */

/* Counters of ports, queues, priority groups and pools: one row per metric. */

#include <config.h>

#include <string.h>

#include "base/parse.h"
#include "base/text.h"
#include "orchd/publish/publish.h"
#include "orchd/reconcile/agent.h"
#include "orchd/reconcile/graph.h"
#include "orchd/telemetry/metrics/exposition.h"
#include "orchd/telemetry/metrics/metrics.h"
#include "orchd/telemetry/polling/poller.h"
#include "orchd/telemetry/port_rates.h"

struct metric {
    const char *name, *help;
    enum exposition_type type;
    enum counter_group group;
    sai_stat_id_t id;
};

#define TOTAL(name, group, id, help)                                           \
    {                                                                          \
        "orchd_" name "_total", help, EXPOSITION_COUNTER,                      \
            COUNTER_GROUP_##group, id                                          \
    }
#define BYTES(name, group, id, help)                                           \
    {                                                                          \
        "orchd_" name "_bytes", help, EXPOSITION_GAUGE, COUNTER_GROUP_##group, \
            id                                                                 \
    }
#define PORT(name, id, help) TOTAL("port_" name, PORT, SAI_PORT_STAT_##id, help)
#define LLR(name, id, help)                                                    \
    TOTAL("port_llr_" name, LLR, SAI_PORT_STAT_LLR_##id, help)
#define PG(id) SAI_INGRESS_PRIORITY_GROUP_STAT_##id

static const struct metric metrics[] = {
    PORT("receive_bytes", IF_IN_OCTETS, "Bytes received."),
    PORT("transmit_bytes", IF_OUT_OCTETS, "Bytes sent."),
    PORT("receive_unicast_packets", IF_IN_UCAST_PKTS,
         "Unicast packets received."),
    PORT("transmit_unicast_packets", IF_OUT_UCAST_PKTS,
         "Unicast packets sent."),
    PORT("receive_other_packets", IF_IN_NON_UCAST_PKTS,
         "Multicast and broadcast packets received."),
    PORT("transmit_other_packets", IF_OUT_NON_UCAST_PKTS,
         "Multicast and broadcast packets sent."),
    PORT("receive_errors", IF_IN_ERRORS, "Packets received with errors."),
    PORT("transmit_errors", IF_OUT_ERRORS,
         "Packets not sent because of errors."),
    PORT("receive_discards", IF_IN_DISCARDS, "Packets discarded at ingress."),
    PORT("transmit_discards", IF_OUT_DISCARDS, "Packets discarded at egress."),
    TOTAL("port_receive_dropped_packets", PORT_BUFFER_DROP,
          SAI_PORT_STAT_IN_DROPPED_PKTS,
          "Packets dropped at ingress because the buffer was full."),
    TOTAL("port_transmit_dropped_packets", PORT_BUFFER_DROP,
          SAI_PORT_STAT_OUT_DROPPED_PKTS,
          "Packets dropped at egress because the buffer was full."),
    TOTAL("port_wred_dropped_packets", WRED_ECN_PORT,
          SAI_PORT_STAT_WRED_DROPPED_PACKETS, "Packets dropped by WRED."),
    TOTAL("port_ecn_marked_packets", WRED_ECN_PORT,
          SAI_PORT_STAT_ECN_MARKED_PACKETS, "Packets marked by ECN."),
    PORT("trimmed_packets", TRIM_PACKETS,
         "Packets that queues of a port did not admit, and trimmed."),
    PORT("trimmed_sent_packets", TX_TRIM_PACKETS, "Trimmed packets sent."),
    PORT("trimmed_dropped_packets", DROPPED_TRIM_PACKETS,
         "Trimmed packets dropped."),
    LLR("transmit_init_sets", TX_INIT_CTL_OS, "Ordered sets sent: INIT."),
    LLR("transmit_init_echo_sets", TX_INIT_ECHO_CTL_OS,
        "Ordered sets sent: INIT_ECHO."),
    LLR("transmit_ack_sets", TX_ACK_CTL_OS, "Ordered sets sent: ACK."),
    LLR("transmit_nack_sets", TX_NACK_CTL_OS, "Ordered sets sent: NACK."),
    LLR("transmit_discarded_frames", TX_DISCARD,
        "Frames discarded while the peer did not answer."),
    LLR("transmit_frames", TX_OK, "Frames sent, each time that they were."),
    LLR("transmit_poisoned_frames", TX_POISONED,
        "Frames sent that were damaged before."),
    LLR("replays", TX_REPLAY, "Replays that have ended."),
    LLR("receive_init_sets", RX_INIT_CTL_OS, "Ordered sets received: INIT."),
    LLR("receive_init_echo_sets", RX_INIT_ECHO_CTL_OS,
        "Ordered sets received: INIT_ECHO."),
    LLR("receive_ack_sets", RX_ACK_CTL_OS, "Ordered sets received: ACK."),
    LLR("receive_nack_sets", RX_NACK_CTL_OS, "Ordered sets received: NACK."),
    LLR("receive_sequence_errors", RX_ACK_NACK_SEQ_ERROR,
        "ACKs and NACKs of frames that were not outstanding."),
    LLR("receive_frames", RX_OK, "Frames received intact."),
    LLR("receive_poisoned_frames", RX_POISONED,
        "Frames received that were damaged before."),
    LLR("receive_bad_frames", RX_BAD, "Frames that the link has damaged."),
    LLR("receive_expected_frames", RX_EXPECTED_SEQ_GOOD,
        "Frames received in order and intact."),
    LLR("receive_expected_poisoned_frames", RX_EXPECTED_SEQ_POISONED,
        "Frames received in order that were damaged before."),
    LLR("receive_expected_bad_frames", RX_EXPECTED_SEQ_BAD,
        "Frames in order that the link has damaged."),
    LLR("receive_gaps", RX_MISSING_SEQ, "Gaps in the sequence numbers."),
    LLR("receive_duplicate_frames", RX_DUPLICATE_SEQ, "Frames received again."),
    LLR("receive_replays", RX_REPLAY, "Replays that the peer began."),
    TOTAL("queue_packets", QUEUE, SAI_QUEUE_STAT_PACKETS, "Packets sent."),
    TOTAL("queue_bytes", QUEUE, SAI_QUEUE_STAT_BYTES, "Bytes sent."),
    TOTAL("queue_dropped_packets", QUEUE, SAI_QUEUE_STAT_DROPPED_PACKETS,
          "Packets dropped."),
    TOTAL("queue_dropped_bytes", QUEUE, SAI_QUEUE_STAT_DROPPED_BYTES,
          "Bytes dropped."),
    TOTAL("queue_trimmed_packets", QUEUE, SAI_QUEUE_STAT_TRIM_PACKETS,
          "Packets that a queue did not admit, and trimmed."),
    TOTAL("queue_trimmed_sent_packets", QUEUE, SAI_QUEUE_STAT_TX_TRIM_PACKETS,
          "Trimmed packets of a queue sent, by whichever queue."),
    TOTAL("queue_trimmed_dropped_packets", QUEUE,
          SAI_QUEUE_STAT_DROPPED_TRIM_PACKETS,
          "Trimmed packets of a queue dropped, by whichever queue."),
    TOTAL("queue_wred_dropped_packets", WRED_ECN_QUEUE,
          SAI_QUEUE_STAT_WRED_DROPPED_PACKETS, "Packets dropped by WRED."),
    TOTAL("queue_ecn_marked_packets", WRED_ECN_QUEUE,
          SAI_QUEUE_STAT_WRED_ECN_MARKED_PACKETS, "Packets marked by ECN."),
    BYTES("queue_watermark", QUEUE_WATERMARK,
          SAI_QUEUE_STAT_SHARED_WATERMARK_BYTES,
          "Most shared buffer held in the last polling interval."),
    TOTAL("pg_dropped_packets", PG_DROP, PG(DROPPED_PACKETS),
          "Packets dropped; 0 for a lossless group that works."),
    BYTES("pg_watermark", PG_WATERMARK, PG(SHARED_WATERMARK_BYTES),
          "Most shared buffer held in the last polling interval."),
    BYTES("pg_headroom_watermark", PG_WATERMARK, PG(XOFF_ROOM_WATERMARK_BYTES),
          "Most headroom held in the last polling interval."),
    BYTES("pool_occupancy", BUFFER_POOL_WATERMARK,
          SAI_BUFFER_POOL_STAT_CURR_OCCUPANCY_BYTES, "Held when last read."),
    BYTES("pool_watermark", BUFFER_POOL_WATERMARK,
          SAI_BUFFER_POOL_STAT_WATERMARK_BYTES,
          "Most held in the last polling interval."),
    BYTES("pool_headroom_occupancy", BUFFER_POOL_WATERMARK,
          SAI_BUFFER_POOL_STAT_XOFF_ROOM_CURR_OCCUPANCY_BYTES,
          "Shared headroom held when last read."),
    BYTES("pool_headroom_watermark", BUFFER_POOL_WATERMARK,
          SAI_BUFFER_POOL_STAT_XOFF_ROOM_WATERMARK_BYTES,
          "Most shared headroom held in the last polling interval."),
    TOTAL("switch_trimmed_sent_packets", SWITCH,
          SAI_SWITCH_STAT_TX_TRIM_PACKETS, "Trimmed packets sent."),
    TOTAL("switch_trimmed_dropped_packets", SWITCH,
          SAI_SWITCH_STAT_DROPPED_TRIM_PACKETS, "Trimmed packets dropped."),
};

/* The metric to print, and the text that receives it. */
struct metric_output {
    struct text *text;
    const struct metric *metric;
};

/* Fills in the labels of an object; returns how many. */
static size_t
make_labels(const struct polled_object_id *id, struct label labels[3],
            char index[12])
{
    static const char *const kinds[] = {
        [SAI_QUEUE_TYPE_ALL] = "all",
        [SAI_QUEUE_TYPE_UNICAST] = "unicast",
        [SAI_QUEUE_TYPE_MULTICAST] = "multicast",
        [SAI_QUEUE_TYPE_UNICAST_VOQ] = "voq",
    };
    const bool pool = id->type == SAI_OBJECT_TYPE_BUFFER_POOL;

    if (id->type == SAI_OBJECT_TYPE_SWITCH) {
        return 0;
    }
    labels[0] = (struct label){pool ? "pool" : "port", id->name};
    text_format(index, 12, "%u", id->index);
    if (id->type == SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP) {
        labels[1] = (struct label){"pg", index};
        return 2;
    }
    if (id->type == SAI_OBJECT_TYPE_QUEUE) {
        labels[1] = (struct label){"queue", index};
        labels[2] = (struct label){
            "type", id->kind >= 0 && id->kind <= SAI_QUEUE_TYPE_UNICAST_VOQ
                        ? kinds[id->kind]
                        : "other"};
        return 3;
    }
    return 1;
}

static void
print_sample(void *output_, const struct polled_object *object)
{
    const struct metric_output *output = output_;
    const struct metric *metric = output->metric;
    const sai_object_type_t type = object->id.type;
    struct label labels[3];
    char index[12];
    uint64_t value;
    size_t n;

    if (!polled_object_value(object, metric->group, metric->id, &value) ||
        (value == 0 && (type == SAI_OBJECT_TYPE_QUEUE ||
                        type == SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP))) {
        return;
    }
    n = make_labels(&object->id, labels, index);
    exposition_count(output->text, metric->name, labels, n, value);
}

/* One field of the rows of pools, and the text that receives it. */
struct sizes {
    struct text *text;
    struct agent *agent;
    const char *name, *field;
};

static void
print_size(void *sizes_, const struct polled_object *pool)
{
    const struct sizes *sizes = sizes_;
    const struct row *row =
        agent_row(sizes->agent, TABLE_BUFFER_POOL, pool->id.name);
    const char *text = row ? row_field(row, sizes->field) : NULL;
    const struct label label = {"pool", pool->id.name};
    uint64_t bytes;

    if (text && !parse_u64(text, 0, UINT64_MAX, &bytes)) {
        exposition_count(sizes->text, sizes->name, &label, 1, bytes);
    }
}

/* Prints the headroom of a priority group if it has used some. */
static void
print_headroom(void *sizes_, const struct polled_object *pg)
{
    const struct sizes *sizes = sizes_;
    const struct polled_object_id *id = &pg->id;
    const struct object *object =
        agent_object(sizes->agent, TABLE_BUFFER_PG, id->name, (int)id->index);
    const struct object *profile =
        object ? object_target(object,
                               SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE)
               : NULL;
    const sai_attribute_value_t *size =
        profile ? object_value(profile, SAI_BUFFER_PROFILE_ATTR_XOFF_TH) : NULL;
    struct label labels[3];
    char index[12];
    uint64_t used;

    if (size &&
        polled_object_value(pg, COUNTER_GROUP_PG_WATERMARK,
                            PG(XOFF_ROOM_WATERMARK_BYTES), &used) &&
        used) {
        exposition_count(sizes->text, sizes->name, labels,
                         make_labels(id, labels, index), size->u64);
    }
}

static void
print_sizes(struct text *text, const struct metrics_sources *sources)
{
    const struct poller *poller = publisher_poller(sources->publisher);
    struct sizes sizes = {text, sources->agent, "orchd_pool_size_bytes",
                          "size"};

    exposition_family(text, sizes.name, EXPOSITION_GAUGE,
                      "Size of a pool, as configured or computed.");
    poller_each(poller, SAI_OBJECT_TYPE_BUFFER_POOL, print_size, &sizes);
    sizes.name = "orchd_pool_headroom_size_bytes";
    sizes.field = "xoff";
    exposition_family(text, sizes.name, EXPOSITION_GAUGE,
                      "Size of the shared headroom of a pool.");
    poller_each(poller, SAI_OBJECT_TYPE_BUFFER_POOL, print_size, &sizes);
    sizes.name = "orchd_pg_headroom_size_bytes";
    exposition_family(text, sizes.name, EXPOSITION_GAUGE,
                      "Headroom that a priority group may use; only for "
                      "groups that have used some.");
    poller_each(poller, SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP, print_headroom,
                &sizes);
}

/* The sums of ports, and the text that receives their drop reasons. */
struct drops_output {
    struct text *text;
    const struct port_rates *ports;
};

static void
print_drops_of(void *output_, const struct polled_object *port)
{
    const struct drops_output *output = output_;
    const struct drop_source *source = port_rates_drops(output->ports);
    const struct port_sums *sums = port_rates_get(output->ports, port->id.oid);

    for (uint32_t i = 0; sums && i < source->n; i++) {
        const struct label labels[] = {{"port", port->id.name},
                                       {"reason", source->names[i]}};

        if (sums->drops[i]) {
            exposition_count(output->text, "orchd_port_drops_total", labels, 2,
                             sums->drops[i]);
        }
    }
}

/* Prints the drop reasons if there is a source of them. */
static void
print_drops(struct text *text, const struct publisher *publisher)
{
    struct drops_output output = {text, publisher_ports(publisher)};

    exposition_family(
        text, "orchd_port_drops_total", EXPOSITION_COUNTER,
        "Packets that a port dropped, by the reason that the twin "
        "gives.");
    poller_each(publisher_poller(publisher), SAI_OBJECT_TYPE_PORT,
                print_drops_of, &output);
}

void
metrics_print_counters(struct text *text, const struct metrics_sources *sources)
{
    const struct poller *poller = publisher_poller(sources->publisher);

    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++) {
        struct metric_output output = {text, &metrics[i]};
        struct poller_figures figures;

        exposition_family(text, metrics[i].name, metrics[i].type,
                          metrics[i].help);
        /* What was read before a group was disabled is out of date. */
        poller_figures(poller, metrics[i].group, &figures);
        if (figures.enabled) {
            poller_each(poller, counter_group_info(metrics[i].group)->type,
                        print_sample, &output);
        }
    }
    print_drops(text, sources->publisher);
    print_sizes(text, sources);
}

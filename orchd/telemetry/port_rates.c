/* SPDX-License-Identifier: Apache-2.0 */

/* Computes the differences between two readings of a port. */

#include <config.h>

#include "orchd/telemetry/port_rates.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/check.h"
#include "base/pfc.h"
#include "base/text.h"
#include "orchd/db/redis.h"
#include "orchd/telemetry/counter_rows.h"
#include "orchd/telemetry/polling/live_counters.h"
#include "orchd/telemetry/polling/poller.h"
#include "process/loop.h"

/* Counters of one priority. */
enum pause_counter {
    RX_FRAMES,
    RX_ENDS,
    RX_US,
    TX_FRAMES,
    TX_US,
    N_PAUSE_COUNTERS
};

#define PFC(n)                                                                 \
    {                                                                          \
        SAI_PORT_STAT_PFC_##n##_RX_PKTS,                                       \
            SAI_PORT_STAT_PFC_##n##_ON2OFF_RX_PKTS,                            \
            SAI_PORT_STAT_PFC_##n##_RX_PAUSE_DURATION_US,                      \
            SAI_PORT_STAT_PFC_##n##_TX_PKTS,                                   \
            SAI_PORT_STAT_PFC_##n##_TX_PAUSE_DURATION_US                       \
    }

static const sai_stat_id_t pause_ids[PFC_N_PRIORITIES][N_PAUSE_COUNTERS] = {
    PFC(0), PFC(1), PFC(2), PFC(3), PFC(4), PFC(5), PFC(6), PFC(7)};

/* Which priorities of a port have flow control, a bit each. */
struct flow_control {
    bool separate; /* By 'received' and 'sent' instead of 'both'. */
    uint8_t both, received, sent;
};

struct port {
    sai_object_id_t oid; /* Key. */
    uint32_t mbps;       /* 0: unknown. */
    struct flow_control pfc;
    bool paused;            /* In the last interval. */
    struct port_sums *sums; /* Owned; NULL before the first counters. */
    UT_hash_handle hh;
};

struct port_rates {
    struct loop *loop;
    struct redis *redis;
    struct port *ports;
    struct drop_source drops; /* No reasons: there is no source. */

    /* The positions of the counters in 'list', the last one that was used; -1:
     * a counter is not in it. */
    const struct counter_list *list;
    int positions[PFC_N_PRIORITIES][N_PAUSE_COUNTERS];
};

struct port_rates *
port_rates_create(struct loop *loop, struct redis *redis)
{
    struct port_rates *port_rates = check_calloc(1, sizeof *port_rates);

    port_rates->loop = loop;
    port_rates->redis = redis;
    return port_rates;
}

void
port_rates_set_drops(struct port_rates *port_rates,
                     const struct drop_source *source)
{
    port_rates->drops = source ? *source : (struct drop_source){0};
    orch_assert(port_rates->drops.n <= PORT_RATES_REASONS);
}

const struct drop_source *
port_rates_drops(const struct port_rates *port_rates)
{
    return &port_rates->drops;
}

static struct port *
find_port(const struct port_rates *port_rates, sai_object_id_t oid)
{
    struct port *port;

    HASH_FIND(hh, port_rates->ports, &oid, sizeof oid, port);
    return port;
}

static struct port *
get_port(struct port_rates *port_rates, sai_object_id_t oid)
{
    struct port *port = find_port(port_rates, oid);

    if (!port) {
        port = check_calloc(1, sizeof *port);
        port->oid = oid;
        HASH_ADD(hh, port_rates->ports, oid, sizeof port->oid, port);
    }
    return port;
}

void
port_rates_destroy(struct port_rates *port_rates)
{
    struct port *port, *next;

    if (!port_rates) {
        return;
    }
    HASH_ITER(hh, port_rates->ports, port, next)
    {
        port_rates_gone(port_rates, port->oid);
    }
    free(port_rates);
}

void
port_rates_attribute(struct port_rates *port_rates, sai_object_id_t oid,
                     sai_attr_id_t id, const sai_attribute_value_t *value)
{
    switch (id) {
    case SAI_PORT_ATTR_SPEED:
        get_port(port_rates, oid)->mbps = value->u32;
        break;
    case SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL_MODE:
        get_port(port_rates, oid)->pfc.separate =
            value->s32 == SAI_PORT_PRIORITY_FLOW_CONTROL_MODE_SEPARATE;
        break;
    case SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL:
        get_port(port_rates, oid)->pfc.both = value->u8;
        break;
    case SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL_RX:
        get_port(port_rates, oid)->pfc.received = value->u8;
        break;
    case SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL_TX:
        get_port(port_rates, oid)->pfc.sent = value->u8;
        break;
    default:
        break;
    }
}

void
port_rates_gone(struct port_rates *port_rates, sai_object_id_t oid)
{
    struct port *port = find_port(port_rates, oid);

    if (port) {
        HASH_DEL(port_rates->ports, port);
        free(port->sums);
        free(port);
    }
}

const struct port_sums *
port_rates_get(const struct port_rates *port_rates, sai_object_id_t oid)
{
    const struct port *port = find_port(port_rates, oid);

    return port ? port->sums : NULL;
}

bool
port_rates_frames(const struct polled_object *port, int priority, bool sent,
                  uint64_t *value)
{
    return polled_object_value(
        port, COUNTER_GROUP_PORT,
        pause_ids[priority][sent ? TX_FRAMES : RX_FRAMES], value);
}

bool
port_rates_live(const struct live_reading *port, int priority, bool sent,
                struct pause_reading *reading)
{
    const sai_stat_id_t *ids = pause_ids[priority];

    *reading = (struct pause_reading){0};
    reading->us_known =
        live_counters_value(port, ids[sent ? TX_US : RX_US], &reading->us);
    /* No switch counts the ends of pauses that it sends. */
    reading->ends_known =
        !sent && live_counters_value(port, ids[RX_ENDS], &reading->ends);
    return live_counters_value(port, ids[sent ? TX_FRAMES : RX_FRAMES],
                               &reading->frames);
}

/* Returns the position of a counter in 'list', -1 if it is not in it. */
static int
position_in(const struct counter_list *list, sai_stat_id_t id)
{
    for (uint32_t i = 0; i < list->n; i++) {
        if (list->ids[i] == id) {
            return (int)i;
        }
    }
    return -1;
}

/* Puts the values of 'list' in the order of enum rate_input; counters that the
 * switch lacks are 0. */
static void
order_inputs(const struct counter_list *list, const uint64_t *values,
             uint64_t inputs[N_RATE_INPUTS])
{
    const struct counter_group_info *info =
        counter_group_info(COUNTER_GROUP_PORT_RATES);

    for (uint32_t i = 0; i < N_RATE_INPUTS; i++) {
        const int position = position_in(list, info->ids[i]);

        inputs[i] = position < 0 ? 0 : values[position];
    }
}

static void
update_rates(struct port_rates *port_rates, struct port *port,
             const struct counter_list *list, const uint64_t *values,
             const uint64_t *old, int64_t elapsed)
{
    const struct rates last = port->sums->rates;
    uint64_t inputs[N_RATE_INPUTS], before[N_RATE_INPUTS];

    if (!old) {
        if (last.known) {
            counter_rows_rates(port_rates->redis, port->oid, &last, NULL);
        }
        return;
    }
    order_inputs(list, values, inputs);
    order_inputs(list, old, before);
    if (rates_update(&port->sums->rates, inputs, before, elapsed)) {
        counter_rows_rates(port_rates->redis, port->oid, &port->sums->rates,
                           last.known ? &last : NULL);
    }
}

/* Pauses --------------------------------------------------------------- */

/* Finds the counters of pauses in 'list'. */
static void
use_list(struct port_rates *port_rates, const struct counter_list *list)
{
    port_rates->list = list;
    for (int n = 0; n < PFC_N_PRIORITIES; n++) {
        for (int i = 0; i < N_PAUSE_COUNTERS; i++) {
            port_rates->positions[n][i] = position_in(list, pause_ids[n][i]);
        }
    }
}

/* Sets '*value' to the counter at 'position', 0 if there is none.  Returns
 * whether there is one. */
static bool
value_at(const uint64_t *values, int position, uint64_t *value)
{
    *value = position < 0 ? 0 : values[position];
    return position >= 0;
}

static struct pause_reading
received(const struct port_rates *port_rates, const uint64_t *values,
         int priority)
{
    const int *positions = port_rates->positions[priority];
    struct pause_reading reading;

    (void)value_at(values, positions[RX_FRAMES], &reading.frames);
    reading.ends_known = value_at(values, positions[RX_ENDS], &reading.ends);
    reading.us_known = value_at(values, positions[RX_US], &reading.us);
    return reading;
}

/* No switch counts the ends of pauses that it sends. */
static struct pause_reading
sent(const struct port_rates *port_rates, const uint64_t *values, int priority)
{
    const int *positions = port_rates->positions[priority];
    struct pause_reading reading = {0};

    (void)value_at(values, positions[TX_FRAMES], &reading.frames);
    reading.us_known = value_at(values, positions[TX_US], &reading.us);
    return reading;
}

/* Publishes the history of pauses that a port received for 'priority'. */
static void
publish_pause(const struct port_rates *port_rates, const struct port *port,
              int priority)
{
    const struct pause_history *history = &port->sums->received[priority];
    const struct {
        const char *name;
        uint64_t value;
        bool published;
    } all[] = {
        {"RECENT_PAUSE_TIMESTAMP", (uint64_t)history->recent_ns / 1000, true},
        {"RECENT_PAUSE_TIME_US", history->recent_us, true},
        {"RX_PAUSE_DURATION_US", history->us, history->us_estimated},
        {"ON2OFF_RX_PKTS", history->n, history->ends_estimated},
    };
    char key[64], names[4][64], values[4][24];
    struct field fields[4];
    size_t n = 0;

    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (all[i].published) {
            text_format(names[n], sizeof names[n], "EST_PORT_STAT_PFC_%d_%s",
                        priority, all[i].name);
            text_format(values[n], sizeof values[n], "%" PRIu64, all[i].value);
            fields[n] = (struct field){names[n], values[n]};
            n++;
        }
    }
    text_format(key, sizeof key, "COUNTERS:oid:0x%" PRIx64, port->oid);
    redis_hset(port_rates->redis, COUNTERS_DB, key, fields, n);
}

/* Updates the history of a priority in one direction.  If durations are
 * estimated, leaves out frames that are not obeyed.  Returns whether the
 * priority was paused. */
static bool
update_pause(struct pause_history *history, struct pause_reading now,
             const struct pause_reading *before, bool obeyed,
             const struct port *port, int64_t old_wall, int64_t elapsed)
{
    if (!obeyed && !now.us_known) {
        now.frames = before->frames;
    }
    return pause_update(history, &now, before, old_wall, elapsed, port->mbps);
}

static void
update_pauses(struct port_rates *port_rates, struct port *port,
              const uint64_t *values, const uint64_t *old,
              const struct polled_time *at, const struct polled_time *old_at)
{
    const struct flow_control *pfc = &port->pfc;
    const uint8_t in = pfc->separate ? pfc->received : pfc->both;
    const uint8_t out = pfc->separate ? pfc->sent : pfc->both;
    const int64_t elapsed = at->switch_ns - old_at->switch_ns;
    const int64_t old_wall = loop_wall(port_rates->loop) -
                             (loop_now(port_rates->loop) - old_at->when);
    bool paused = false;

    for (int n = 0; n < PFC_N_PRIORITIES; n++) {
        struct pause_reading before = received(port_rates, old, n);

        if (update_pause(&port->sums->received[n],
                         received(port_rates, values, n), &before, in & 1u << n,
                         port, old_wall, elapsed)) {
            publish_pause(port_rates, port, n);
            paused = true;
        }
        before = sent(port_rates, old, n);
        paused |=
            update_pause(&port->sums->sent[n], sent(port_rates, values, n),
                         &before, out & 1u << n, port, old_wall, elapsed);
    }
    port->paused = paused;
}

/* Publishes all histories of a port again. */
static void
republish_pauses(const struct port_rates *port_rates, const struct port *port)
{
    for (int n = 0; n < PFC_N_PRIORITIES; n++) {
        if (port->sums->received[n].recent_ns) {
            publish_pause(port_rates, port, n);
        }
    }
}

/* Drops ---------------------------------------------------------------- */

/* Returns the field for a reason, "ingress-pg", as text of 'buffer'. */
static const char *
drop_field(const char *reason, char *buffer, size_t size)
{
    text_format(buffer, size, "SOFTASIC_PORT_STAT_DROP_%s_PKTS", reason);
    for (char *c = buffer; *c; c++) {
        *c = *c == '-' ? '_' : *c >= 'a' && *c <= 'z' ? (char)(*c - 32) : *c;
    }
    return buffer;
}

/* Reads why a port dropped packets, and publishes the reasons whose count has
 * changed; 'all': all that are not 0. */
static void
update_drops(struct port_rates *port_rates, struct port *port, bool all)
{
    const struct drop_source *source = &port_rates->drops;
    uint64_t packets[PORT_RATES_REASONS];
    char key[64], names[PORT_RATES_REASONS][64], values[PORT_RATES_REASONS][24];
    struct field fields[PORT_RATES_REASONS];
    size_t n = 0;

    if (!source->n || !source->read(source->context, port->oid, packets)) {
        return;
    }
    for (uint32_t i = 0; i < source->n; i++) {
        if (packets[i] != port->sums->drops[i] || (all && packets[i])) {
            port->sums->drops[i] = packets[i];
            fields[n].name =
                drop_field(source->names[i], names[n], sizeof names[n]);
            text_format(values[n], sizeof values[n], "%" PRIu64, packets[i]);
            fields[n].value = values[n];
            n++;
        }
    }
    text_format(key, sizeof key, "COUNTERS:oid:0x%" PRIx64, port->oid);
    redis_hset(port_rates->redis, COUNTERS_DB, key, fields, n);
}

void
port_rates_update(struct port_rates *port_rates, sai_object_id_t oid,
                  const struct counter_list *list, const uint64_t *values,
                  const uint64_t *old, const struct polled_time *at,
                  const struct polled_time *old_at)
{
    struct port *port = get_port(port_rates, oid);

    if (!port->sums) {
        port->sums = check_calloc(1, sizeof *port->sums);
    }
    if (list->group == COUNTER_GROUP_PORT_RATES) {
        update_rates(port_rates, port, list, values, old,
                     at->when - old_at->when);
    } else if (list->group == COUNTER_GROUP_PORT_BUFFER_DROP) {
        update_drops(port_rates, port, !old);
    } else if (list->group == COUNTER_GROUP_PORT && !old) {
        republish_pauses(port_rates, port);
    } else if (list->group == COUNTER_GROUP_PORT &&
               (port->paused ||
                memcmp(values, old, list->n * sizeof *values) != 0)) {
        if (list != port_rates->list) {
            use_list(port_rates, list);
        }
        update_pauses(port_rates, port, values, old, at, old_at);
    }
}

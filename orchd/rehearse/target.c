/* SPDX-License-Identifier: Apache-2.0 */

/* The verbs on a switch in this process. */

#include <config.h>

#include "orchd/rehearse/target.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/text.h"
#include "orchd/agent.h"
#include "orchd/facts/facts.h"
#include "orchd/local/local.h"
#include "orchd/rehearse/stand.h"
#include "sai/journal.h"
#include "sai/metadata.h"
#include "sai/serialize.h"
#include "vendors/softasic/softasic.h"

/* Frames of a port that are remembered in their order. */
#define TRACE_FRAMES (UINT32_C(1) << 20)

#define ATTRIBUTE_SIZE 128

static struct stand *
stand_of(struct target *target)
{
    return (struct stand *)(void *)target;
}

/* Returns an object of the scenario as facts have it; flows and peers are not
 * among them. */
static enum st
find_object(struct stand *stand, const struct target_object *object,
            struct facts_object *found, struct err *err)
{
    return facts_find(stand->facts, target_kind_word(object->kind),
                      object->name, object->index, found, err);
}

/* --- Configuration ------------------------------------------------------- */

/* Makes the flow and its switch, of the rows that are there by then. */
static enum st
start(struct stand *stand, struct err *err)
{
    const struct softasic_ops *ops = NULL;
    softasic_ops_fn *get_ops;
    void *symbol;
    enum st st = local_start(stand->local, err);

    if (st) {
        return st;
    }
    symbol = local_symbol(stand->local, SOFTASIC_OPS_SYMBOL);
    if (symbol) {
        memcpy(&get_ops, &symbol, sizeof get_ops);
        ops = get_ops(SOFTASIC_OPS_VERSION);
    }
    if (!ops) {
        return err_set(err, ST_UNSUPPORTED, "not-softasic",
                       "%s is not softasic: it cannot send packets or stop "
                       "time",
                       stand->sai);
    }
    stand->softasic = ops;
    stand->backend = journal_backend(local_journal(stand->local));
    stand->facts = facts_create(local_agent(stand->local), stand->backend, ops);
    return ST_OK;
}

/* Hands one row in; '*answer' is filled if orchd does not know its table. */
static void
put_row(struct stand *stand, const struct target_row *row, struct arena *arena,
        struct target_answer *answer)
{
    struct field *fields =
        arena_alloc(arena, row->n_fields + 1, sizeof *fields);
    struct field_row put = {row->key, row->removed ? NULL : fields,
                            row->n_fields};

    for (size_t i = 0; i < row->n_fields; i++) {
        fields[i] = (struct field){row->fields[i].name, row->fields[i].value};
    }
    *answer = (struct target_answer){"", "", ""};
    if (!local_put_row(stand->local, &put)) {
        *answer = (struct target_answer){"unsupported", "unknown-table",
                                         "orchd has no table of that name"};
    }
}

static enum st
target_configure(struct target *target, const struct target_row *rows, size_t n,
                 struct arena *arena, struct target_answer *answers,
                 struct err *err)
{
    struct stand *stand = stand_of(target);
    struct intent *intent = agent_intent(local_agent(stand->local));
    bool first = !stand->facts;
    enum st st = ST_OK;

    if (first) {
        intent_reading_begin(intent);
    }
    for (size_t i = 0; i < n; i++) {
        put_row(stand, &rows[i], arena, &answers[i]);
    }
    if (first) {
        intent_reading_end(intent, 0);
        st = start(stand, err);
    }
    if (st) {
        return st;
    }
    local_settle(stand->local);
    for (size_t i = 0; i < n; i++) {
        if (!*answers[i].state) {
            answers_get(&stand->answers, rows[i].key, arena, &answers[i]);
        }
    }
    return ST_OK;
}

static enum st
target_set(struct target *target, const struct target_object *object,
           const char *name, const char *text, struct err *err)
{
    struct stand *stand = stand_of(target);
    const struct metadata_attribute *attribute;
    struct arena *arena;
    struct facts_object found;
    char full[ATTRIBUTE_SIZE];
    sai_object_type_t type;
    sai_attribute_t set;
    enum st st = find_object(stand, object, &found, err);

    if (st) {
        return st;
    }
    text_format(full, sizeof full, "SAI_%s_ATTR_%s",
                metadata_type_name(facts_type(found.kind)) +
                    strlen("SAI_OBJECT_TYPE_"),
                name);
    attribute = metadata_attribute_by_name(full, &type);
    if (!attribute) {
        return err_set(err, ST_INVALID, "no-attribute",
                       "SAI has no attribute %s", full);
    }
    arena = arena_create(0);
    set.id = attribute->id;
    st = serialize_parse_value(arena, attribute, text, &set.value, err);
    st = st ? st
            : facts_status(stand->backend->ops->set(stand->backend,
                                                    facts_type(found.kind),
                                                    found.oid, &set),
                           name, err);
    arena_destroy(arena);
    return st;
}

static enum st
target_block(struct target *target, const struct target_block *block,
             bool blocked, struct err *err)
{
    struct stand *stand = stand_of(target);

    return blocks_set(&stand->blocks, stand->backend, stand->facts, block,
                      blocked, err);
}

/* --- Traffic and time ---------------------------------------------------- */

/* Sends 'n' frames as 'send' says. */
static enum st
send_some(struct stand *stand, struct softasic_send *send,
          const struct softasic_ip *ip, uint64_t n, struct softasic_sent *sent,
          struct err *err)
{
    send->n_frames = n;
    return facts_status(ip ? stand->softasic->send_ip(send, ip, sent)
                           : stand->softasic->send(send, sent),
                        "send (is the port up?)", err);
}

/* Adds what came of a part of a send. */
static void
add_sent(const struct softasic_send *send, const struct softasic_sent *part,
         struct target_sent *sent)
{
    sent->sent += part->n_frames;
    sent->dropped_ingress += part->n_dropped_ingress;
    sent->dropped_egress += part->n_dropped_egress;
    sent->reached = part->event == send->until;
    sent->xoff = part->xoff;
}

/* Sends the flows of a send one after another, as equal parts as can be. */
static enum st
send_flows(struct stand *stand, const struct target_send *wanted,
           struct softasic_send *send, struct target_sent *sent,
           struct err *err)
{
    struct softasic_ip ip = {
        .source = {SAI_IP_ADDR_FAMILY_IPV4, {.ip4 = 0x0100000a}},
        .destination = {SAI_IP_ADDR_FAMILY_IPV4, {.ip4 = 0x0200000a}},
        .ttl = wanted->header.ttl,
        .protocol = 17,
        .destination_port = 4791,
    };
    enum st st = ST_OK;

    for (uint64_t i = 0; !st && i < wanted->flows; i++) {
        uint64_t n =
            wanted->count / wanted->flows + (i < wanted->count % wanted->flows);
        struct softasic_sent part;

        ip.source_port = (uint16_t)(49152 + i);
        st = send_some(stand, send, &ip, n, &part, err);
        if (!st) {
            add_sent(send, &part, sent);
        }
    }
    return st;
}

/* Sends one frame after another until the PG is in XON. */
static enum st
send_until_xon(struct stand *stand, const struct target_send *wanted,
               struct softasic_send *send, struct target_sent *sent,
               struct err *err)
{
    struct softasic_sent part;
    enum st st = send_some(stand, send, NULL, 0, &part, err);

    send->until = SOFTASIC_UNTIL_COUNT;
    while (!st && part.xoff && sent->sent < wanted->count) {
        st = send_some(stand, send, NULL, 1, &part, err);
        if (!st) {
            add_sent(send, &part, sent);
        }
    }
    if (!st) {
        sent->xoff = part.xoff;
        sent->reached = !part.xoff;
    }
    return st;
}

/* Finds the ports of a send, and where its frames will go. */
static enum st
prepare_send(struct stand *stand, const struct target_send *wanted,
             struct softasic_send *send, struct target_sent *sent,
             struct err *err)
{
    struct softasic_class class;
    enum st st = facts_port(stand->facts, wanted->from, &send->from, err);

    st = st ? st : facts_port(stand->facts, wanted->to, &send->to, err);
    if (!st && send->from == send->to) {
        st = err_set(err, ST_INVALID, "usage",
                     "packets cannot leave by the port they enter, %s",
                     wanted->to);
    }
    st = st ? st
            : facts_status(stand->softasic->classify(send->from, send->to,
                                                     wanted->dscp, &class),
                           "classify", err);
    if (!st) {
        sent->pg = class.pg_index;
        sent->queue = class.queue_index;
    }
    return st;
}

static enum st
target_send(struct target *target, const struct target_send *wanted,
            struct target_sent *sent, struct err *err)
{
    static const enum softasic_until untils[N_TARGET_UNTIL] = {
        [TARGET_UNTIL_COUNT] = SOFTASIC_UNTIL_COUNT,
        [TARGET_UNTIL_XOFF] = SOFTASIC_UNTIL_XOFF,
        [TARGET_UNTIL_DROP] = SOFTASIC_UNTIL_DROP,
        [TARGET_UNTIL_XON] = SOFTASIC_UNTIL_COUNT,
    };
    struct stand *stand = stand_of(target);
    struct softasic_send send = {.frame_bytes = wanted->size_bytes,
                                 .dscp = wanted->dscp,
                                 .ecn = wanted->ecn,
                                 .until = untils[wanted->until],
                                 .has_tag = wanted->header.has_tag,
                                 .vlan = wanted->header.vlan,
                                 .pcp = wanted->header.pcp,
                                 .is_not_ip = wanted->header.is_not_ip,
                                 .ip_id = wanted->header.ip_id};
    struct softasic_sent part;
    enum st st;

    memset(sent, 0, sizeof *sent);
    st = prepare_send(stand, wanted, &send, sent, err);
    if (st) {
        return st;
    }
    if (wanted->flows > 1) {
        return send_flows(stand, wanted, &send, sent, err);
    }
    if (wanted->until == TARGET_UNTIL_XON) {
        return send_until_xon(stand, wanted, &send, sent, err);
    }
    st = send_some(stand, &send, NULL, wanted->count, &part, err);
    if (!st) {
        add_sent(&send, &part, sent);
    }
    return st;
}

static enum st
target_settle(struct target *target, struct err *err)
{
    const sai_status_t status = stand_of(target)->softasic->settle(NULL);

    if (status == SAI_STATUS_OBJECT_IN_USE) {
        return err_set(err, ST_INVALID, "usage",
                       "a flow without end is under way: stop it first, or let "
                       "time pass with run");
    }
    return facts_status(status, "settle", err);
}

static struct flows_switch
switch_of(const struct stand *stand)
{
    return (struct flows_switch){local_agent(stand->local), stand->facts,
                                 stand->softasic};
}

static enum st
target_peer(struct target *target, const struct target_peer *peer,
            struct err *err)
{
    struct stand *stand = stand_of(target);
    const struct flows_switch sw = switch_of(stand);

    return flows_peer(&stand->flows, &sw, peer, err);
}

static enum st
target_flow_start(struct target *target, const struct target_flow *flow,
                  struct err *err)
{
    struct stand *stand = stand_of(target);
    const struct flows_switch sw = switch_of(stand);

    return flows_start(&stand->flows, &sw, flow, err);
}

static enum st
target_flow_stop(struct target *target, const char *name, struct err *err)
{
    struct stand *stand = stand_of(target);
    const struct flows_switch sw = switch_of(stand);

    return flows_stop(&stand->flows, &sw, name, err);
}

static enum st
target_storm_start(struct target *target, const struct target_storm *storm,
                   struct err *err)
{
    struct stand *stand = stand_of(target);
    const struct flows_switch sw = switch_of(stand);

    return flows_storm(&stand->flows, &sw, storm, err);
}

static enum st
target_storm_stop(struct target *target, const char *port, struct err *err)
{
    struct stand *stand = stand_of(target);
    const struct flows_switch sw = switch_of(stand);

    return flows_storm_stop(&stand->flows, &sw, port, err);
}

static enum st
target_run(struct target *target, uint64_t ns, struct err *err)
{
    if (ns > INT64_MAX / 1000) {
        return err_set(err, ST_INVALID, "usage", "so much time is too much");
    }
    return facts_status(stand_of(target)->softasic->run((int64_t)ns * 1000),
                        "run", err);
}

/* --- Counters ------------------------------------------------------------ */

/* Turns counters as JSON into '*reading'. */
static void
take_stats(json_t *stats, struct arena *arena, struct target_reading *reading)
{
    struct target_stat *list =
        arena_alloc(arena, json_object_size(stats) + 1, sizeof *list);
    const char *name;
    json_t *value;
    size_t n = 0;

    json_object_foreach(stats, name, value)
    {
        list[n].name = arena_strdup(arena, name);
        list[n++].value = (uint64_t)json_integer_value(value);
    }
    reading->stats = list;
    reading->n = n;
}

static enum st
target_read(struct target *target, const struct target_object *objects,
            size_t n, struct arena *arena, struct target_reading *readings,
            struct err *err)
{
    struct stand *stand = stand_of(target);
    const struct flows_switch sw = switch_of(stand);
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < n; i++) {
        struct facts_object found;
        json_t *stats;

        if (objects[i].kind == TARGET_FLOW || objects[i].kind == TARGET_PEER) {
            st = flows_read(&stand->flows, &sw, &objects[i], arena,
                            &readings[i], err);
            continue;
        }
        st = find_object(stand, &objects[i], &found, err);
        if (!st) {
            stats = facts_stats(stand->facts, &found);
            take_stats(stats, arena, &readings[i]);
            json_decref(stats);
        }
    }
    return st;
}

static enum st
target_clear(struct target *target, const struct target_object *objects,
             size_t n, struct err *err)
{
    struct stand *stand = stand_of(target);
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < n; i++) {
        struct facts_object found;

        st = find_object(stand, &objects[i], &found, err);
        st = st ? st : facts_clear(stand->facts, &found, err);
    }
    return st;
}

static enum st
target_trace(struct target *target, const char *port, struct err *err)
{
    struct stand *stand = stand_of(target);
    sai_object_id_t oid;
    enum st st = facts_port(stand->facts, port, &oid, err);

    st = st ? st
            : facts_status(stand->softasic->trace(oid, TRACE_FRAMES), "trace",
                           err);
    if (!st) {
        stand->traced = check_realloc(stand->traced, (stand->n_traced + 1) *
                                                         sizeof *stand->traced);
        stand->traced[stand->n_traced++] = oid;
    }
    return st;
}

/* Tells frames in their order. */
static enum st
traced_rows(struct stand *stand, sai_object_id_t port, struct arena *arena,
            const struct target_frames **rows, size_t *n, struct err *err)
{
    struct softasic_departure *departures;
    struct target_frames *list;
    uint32_t n_frames = 0;
    enum st st = ST_OK;

    (void)stand->softasic->traced(port, &n_frames, NULL);
    if (n_frames == TRACE_FRAMES) {
        return err_set(err, ST_NO_RESOURCE, "trace",
                       "more than %u frames have left between two looks: take "
                       "a snap in between",
                       TRACE_FRAMES - 1);
    }
    departures = check_calloc((size_t)n_frames + 1, sizeof *departures);
    list = arena_alloc(arena, (size_t)n_frames + 1, sizeof *list);
    st = facts_status(stand->softasic->traced(port, &n_frames, departures),
                      "tell what left the port", err);
    for (uint32_t i = 0; !st && i < n_frames; i++) {
        const struct softasic_departure *departure = &departures[i];

        list[i] = (struct target_frames){
            .dscp = departure->dscp < 0 ? 0 : (uint8_t)departure->dscp,
            .queue = departure->queue_index,
            .ecn = departure->ecn,
            .pcp = departure->pcp,
            .vlan = departure->vlan,
            .ip_id = departure->ip_id,
            .size_bytes = departure->frame_bytes,
            .frames = 1,
        };
    }
    free(departures);
    *rows = list;
    *n = n_frames;
    return st;
}

/* Tells frames by DSCP, queue and mark. */
static enum st
counted_rows(struct stand *stand, sai_object_id_t port, struct arena *arena,
             const struct target_frames **rows, size_t *n, struct err *err)
{
    struct softasic_received *received;
    struct target_frames *list;
    uint32_t n_rows = 0;
    enum st st;

    (void)stand->softasic->received(port, &n_rows, NULL);
    received = check_calloc((size_t)n_rows + 1, sizeof *received);
    list = arena_alloc(arena, (size_t)n_rows + 1, sizeof *list);
    st = facts_status(stand->softasic->received(port, &n_rows, received),
                      "tell what left the port", err);
    for (uint32_t i = 0; !st && i < n_rows; i++) {
        list[i] = (struct target_frames){
            .dscp = received[i].dscp,
            .queue = received[i].queue_index,
            .ecn = received[i].ce ? TARGET_ECN_CE : 0,
            .frames = received[i].n_frames,
        };
    }
    free(received);
    *rows = list;
    *n = n_rows;
    return st;
}

static enum st
target_received(struct target *target, const char *port, struct arena *arena,
                const struct target_frames **rows, size_t *n, struct err *err)
{
    struct stand *stand = stand_of(target);
    sai_object_id_t oid;
    enum st st = facts_port(stand->facts, port, &oid, err);

    for (size_t i = 0; !st && i < stand->n_traced; i++) {
        if (stand->traced[i] == oid) {
            return traced_rows(stand, oid, arena, rows, n, err);
        }
    }
    return st ? st : counted_rows(stand, oid, arena, rows, n, err);
}

const struct target_ops rehearse_target_ops = {
    .block = target_block,
    .send = target_send,
    .settle = target_settle,
    .run = target_run,
    .read = target_read,
    .clear = target_clear,
    .trace = target_trace,
    .received = target_received,
    .configure = target_configure,
    .set = target_set,
    .peer = target_peer,
    .flow_start = target_flow_start,
    .flow_stop = target_flow_stop,
    .storm_start = target_storm_start,
    .storm_stop = target_storm_stop,
};

/* SPDX-License-Identifier: Apache-2.0 */

/* Derives answers from the graph.
 *
 * Answers are derived when no plan is in progress.  So each remaining
 * difference has a cause: it waits, was refused, or is blocked by users.  If no
 * cause can be found, the row gets no new answer, and the last one stays; tests
 * check the property that this does not happen.
 *
 * Each answer must depend only on what evaluate.h and execute.h mark.  An
 * answer that depends on another object's state is derived again only if a
 * change of that state marks this row. */

#include <config.h>

#include "orchd/reconcile/row_answer.h"

#include <string.h>

#include "base/check.h"
#include "orchd/intent/content.h"
#include "orchd/intent/key.h"
#include "orchd/reconcile/chassis_ports.h"
#include "orchd/reconcile/claim_state.h"
#include "orchd/reconcile/confirmation.h"
#include "orchd/reconcile/graph.h"
#include "orchd/reconcile/headroom_order.h"
#include "orchd/reconcile/lane_claims.h"
#include "orchd/reconcile/llr_answer.h"
#include "orchd/reconcile/pool_warnings.h"
#include "orchd/reconcile/ports.h"
#include "orchd/reconcile/references.h"
#include "orchd/reconcile/scheduler_groups.h"
#include "orchd/reconcile/slot_diff.h"
#include "orchd/reconcile/source.h"
#include "orchd/reconcile/trimming_answer.h"
#include "sai/core/status.h"

void
row_answer_fini(struct row_answer *answer)
{
    text_fini(&answer->blocked_by);
    text_fini(&answer->referenced_by);
    text_fini(&answer->warnings);
    memset(answer, 0, sizeof *answer);
}

/* Says in 'err' whether orchd retries what failed with 'st', and what helps. */
static void
set_retry_remedy(struct err *err, enum st st)
{
    switch (st_retry(st)) {
    case ST_RETRY_NEVER:
        err_set_remedy(err, "change the row, or a row that it refers "
                            "to: orchd does not retry it unchanged");
        break;
    case ST_RETRY_EDGE:
    case ST_RETRY_BACKOFF:
        err_set_remedy(err, "orchd retries by itself, periodically and when a "
                            "related row changes");
        break;
    }
}

/* Returns whether the backend only waits for a change that another program
 * makes; if so, fills 'status' with what it waits for. */
static bool
row_answer_unconfirmed(struct row_status *status, const struct object *object,
                       const struct refusal *refusal,
                       const struct metadata_attribute *meta)
{
    const struct confirmation *confirmation = object->graph->confirmation;
    const struct confirmation_request request = {
        .type = object->type,
        .oid = object->oid,
        .name = object->id,
        .attribute = meta ? meta->id : 0,
        .whole = !meta,
        .status = refusal->status,
    };

    if (!confirmation ||
        !confirmation->explain(confirmation->context, &request, &status->err)) {
        return false;
    }
    status->state =
        status->err.status == ST_BUSY ? ROW_STATE_WAITING : ROW_STATE_FAILED;
    status->unconfirmed = status->err.status == ST_BUSY;
    status->attempts = refusal->attempts;
    return true;
}

/* --- Deleted rows ------------------------------------------------------- */

/* Returns whether the ASIC still holds something for 'claim', whose row was
 * deleted, that no other row wants.  What another row of the table has claimed
 * since does not count. */
static bool
claim_lingers(const struct claim *claim)
{
    const struct object *object = claim->object;

    if (claim->source->demand.defines) {
        return (object_exists(object) && !object->wanted) ||
               object->former_versions;
    }
    for (size_t i = 0; i < object->n_slots; i++) {
        const struct slot *slot = &object->slots[i];

        if (slot->owner == claim->source->table && slot->held && !slot->want) {
            return true;
        }
    }
    return false;
}

/* Returns the refusal to undo 'claim', NULL if SAI refused nothing; of the
 * attribute '*meta', or (NULL) of the object as a whole. */
static const struct refusal *
lingering_refusal(const struct claim *claim,
                  const struct metadata_attribute **meta)
{
    const struct object *object = claim->object;

    *meta = NULL;
    for (size_t i = 0; i < object->n_slots; i++) {
        const struct slot *slot = &object->slots[i];

        if (slot->owner == claim->source->table && !slot->want &&
            slot->refusal.status != SAI_STATUS_SUCCESS) {
            *meta = slot->meta;
            return &slot->refusal;
        }
    }
    return claim->source->demand.defines &&
                   object->refusal.status != SAI_STATUS_SUCCESS
               ? &object->refusal
               : NULL;
}

/* Answers a deleted row; returns false if the ASIC holds nothing of it any
 * more. */
static bool
row_answer_gone(struct row_answer *answer, const struct source *source)
{
    struct row_status *status = &answer->status;

    for (size_t i = 0; i < source->n_claims; i++) {
        const struct object *object = source->claims[i].object;
        const struct metadata_attribute *meta;
        const struct refusal *refusal;

        if (!claim_lingers(&source->claims[i])) {
            continue;
        }
        if (source->table == TABLE_SWITCH_TRIMMING) {
            trimming_answer_deleted(&answer->status);
            return true;
        }
        references_name(&answer->referenced_by, object);
        refusal = lingering_refusal(&source->claims[i], &meta);
        if (refusal && row_answer_unconfirmed(status, object, refusal, meta)) {
            status->state = ROW_STATE_PENDING_DELETE;
            return true;
        }
        status->state = ROW_STATE_PENDING_DELETE;
        if (refusal) {
            char name[64];

            status->attempts = refusal->attempts;
            err_set(
                &status->err, st_from_sai(refusal->status), "remove-refused",
                "the row was deleted, but the ASIC refused to undo its effect "
                "on %s "
                "(%s)",
                object->id, status_name(refusal->status, name, sizeof name));
            set_retry_remedy(&status->err, st_from_sai(refusal->status));
        } else if (answer->referenced_by.length) {
            err_set(&status->err, ST_BUSY, "in-use",
                    "the row was deleted, but other rows still use %s",
                    object->id);
            err_set_remedy(&status->err,
                           "delete or change the rows that use it, or write "
                           "this row again");
        } else {
            err_set(
                &status->err, ST_BUSY, "removing",
                "the row was deleted, and orchd is undoing its effect on %s",
                object->id);
        }
        return true;
    }
    return false;
}

/* --- Existing rows ------------------------------------------------------ */

/* Returns the name of the call on 'object', as a whole, that was refused. */
static const char *
refused_call(const struct object *object)
{
    switch (object->blocking) {
    case SAI_OBJECT_TYPE_VLAN_MEMBER:
        return "the removal of a VLAN member (SAI_OBJECT_TYPE_VLAN_MEMBER) "
               "that uses the lanes";
    case SAI_OBJECT_TYPE_BRIDGE_PORT:
        return "the removal of a bridge port (SAI_OBJECT_TYPE_BRIDGE_PORT) "
               "that uses the lanes";
    case SAI_OBJECT_TYPE_PORT:
        return "the removal of a port (SAI_OBJECT_TYPE_PORT) that uses the "
               "lanes";
    default:
        return object->former_versions && !object_needs_replacement(object)
                   ? "the removal of a former version"
                   : "the creation";
    }
}

/* Fills 'status' from a refusal of 'meta' (NULL: of the whole object). */
static void
row_answer_refusal(struct row_status *status, const struct object *object,
                   const struct refusal *refusal,
                   const struct metadata_attribute *meta,
                   const struct want *want)
{
    enum st st = st_from_sai(refusal->status);
    char name[64], code[sizeof status->err.code];

    if (row_answer_unconfirmed(status, object, refusal, meta)) {
        err_set_field(&status->err, want ? want->field : "", "", "");
        return;
    }
    status->state =
        st == ST_UNSUPPORTED ? ROW_STATE_UNSUPPORTED : ROW_STATE_FAILED;
    status->attempts = refusal->attempts;
    status_name(refusal->status, name, sizeof name);
    text_format(code, sizeof code, "sai:%s", name);
    err_set(&status->err, st, code, "the ASIC refused %s of %s: %s",
            meta ? meta->name : refused_call(object), object->id,
            st_sentence(st));
    err_set_field(&status->err, want ? want->field : "", "", "");
    if (st == ST_NO_RESOURCE && object_needs_replacement(object)) {
        err_set_remedy(
            &status->err,
            "it has to be replaced, and the ASIC has no room for a second "
            "one: free resources, or set allow_disruptive=true");
        return;
    }
    set_retry_remedy(&status->err, st);
}

/* Returns whether the ASIC refused the lanes of a PORT row, some of which no
 * port there has.  If so, answers the row. */
static bool
row_answer_unknown_lanes(struct row_answer *answer, const struct claim *claim,
                         const struct claim_refusal *refusal)
{
    const struct want *want = refusal->want;
    const struct ports *ports = claim->source->graph->ports;
    struct err *err = &answer->status.err;
    char value[16], allowed[48];
    uint32_t least, most, i = 0;

    if (!want || want->meta->kind != KIND_U32LIST ||
        st_from_sai(refusal->refusal->status) != ST_INVALID ||
        !ports_lane_range(ports, &least, &most)) {
        return false;
    }
    while (i < want->value.u32list.count &&
           want->value.u32list.list[i] >= least &&
           want->value.u32list.list[i] <= most) {
        i++;
    }
    if (i == want->value.u32list.count) {
        return false;
    }
    answer->status.state = ROW_STATE_REJECTED;
    text_format(value, sizeof value, "%u", want->value.u32list.list[i]);
    text_format(allowed, sizeof allowed, "%u..%u", least, most);
    err_set(err, ST_INVALID, "unknown-lane",
            "the ASIC refuses lane %s; its ports have the lanes %s", value,
            allowed);
    err_set_field(err, want->field, value, allowed);
    err_set_remedy(err, "use lanes of this switch; %s",
                   object_exists(claim->object)
                       ? "the port keeps its former lanes until then"
                       : "see the file of its chip or its port_config.ini");
    return true;
}

/* Returns a port that has as many lanes as the row of 'port' names, and so the
 * same speeds, as far as known: itself if possible; NULL if there is none. */
static const struct object *
find_model(const struct object *port)
{
    const struct want *lanes = lane_claims_wanted(port);
    const struct object *found = NULL;

    for (const struct object *other = port->graph->ports_first; other && lanes;
         other = other->port_children->next_port) {
        const sai_attribute_value_t *held =
            object_value(other, SAI_PORT_ATTR_HW_LANE_LIST);

        if (other->port_children->n_speeds && held &&
            held->u32list.count == lanes->value.u32list.count &&
            (!found || other == port)) {
            found = other;
        }
    }
    return found;
}

/* Returns whether the ASIC refused the speed of a PORT row.  If so, answers the
 * row with the speeds that the port can have. */
static bool
row_answer_speed(struct row_answer *answer, const struct claim *claim,
                 const struct claim_refusal *refusal)
{
    struct err *err = &answer->status.err;
    const struct want *want = refusal->want;
    const struct object *model;
    struct text allowed = {0};
    char value[16];

    if (!want || want->type != SAI_OBJECT_TYPE_PORT ||
        want->meta->id != SAI_PORT_ATTR_SPEED ||
        st_from_sai(refusal->refusal->status) != ST_INVALID) {
        return false;
    }
    model = find_model(claim->object);
    for (uint32_t i = 0; model && i < model->port_children->n_speeds; i++) {
        char speed[16];

        text_format(speed, sizeof speed, "%u",
                    model->port_children->speeds_mbps[i]);
        text_add_item(&allowed, ", ", speed);
    }
    answer->status.state = ROW_STATE_REJECTED;
    text_format(value, sizeof value, "%u", want->value.u32);
    err_set(err, ST_INVALID, "unsupported-speed",
            "the ASIC refuses a speed of %s Mb/s for these lanes", value);
    err_set_field(err, want->field, value, text_string(&allowed));
    err_set_remedy(err, "use a speed that the port supports%s",
                   object_exists(claim->object)
                       ? "; it keeps its former speed until then"
                       : "");
    text_fini(&allowed);
    return true;
}

/* Answers with the refusal of the object of 'claim'. */
static void
row_answer_failed(struct row_answer *answer, const struct claim *claim)
{
    struct claim_refusal refusal = claim_state_refusal(claim);

    if (row_answer_unknown_lanes(answer, claim, &refusal) ||
        row_answer_speed(answer, claim, &refusal)) {
        return;
    }
    row_answer_refusal(&answer->status, claim->object, refusal.refusal,
                       refusal.meta, refusal.want);
    if (claim->object->type == SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP &&
        answer->status.err.status == ST_NO_RESOURCE &&
        claim->source->graph->pools_reserve) {
        err_set_remedy(&answer->status.err,
                       "reduce size or xoff of the ingress pools: this chip "
                       "takes them from its memory, and guarantees must fit "
                       "beside them; orchd then retries by itself");
    }
}

/* Lists the rows that 'claim' has to wait for. */
static void
row_answer_in_use(struct row_answer *answer, const struct claim *claim)
{
    const struct object *pool =
        claim->object->pinned ? object_awaited_pool(claim->object) : NULL;

    answer->status.state = ROW_STATE_WAITING;
    if (pool) {
        err_set(&answer->status.err, ST_BUSY, "in-use",
                "%s can use %s only after that has changed its direction, "
                "which rows that use it do not allow",
                claim->object->id, pool->id);
        err_set_remedy(&answer->status.err,
                       "see the status of the row in blocked_by");
        text_add_item(&answer->blocked_by, ",", pool->id);
        return;
    }
    err_set(&answer->status.err, ST_BUSY, "in-use",
            "this change replaces %s, which is still in use by rows that "
            "cannot move to the new one",
            claim->object->id);
    err_set_remedy(&answer->status.err,
                   "change the rows in blocked_by first (see their status)");
    references_name(&answer->blocked_by, claim->object);
}

/* Names the object that has to change first. */
static void
row_answer_held_back(struct row_answer *answer, const struct claim *claim)
{
    const struct object *other = headroom_order_waits_for(claim->object);

    answer->status.state = ROW_STATE_WAITING;
    err_set(&answer->status.err, ST_BUSY, "shared-headroom",
            "%s can change only after %s, or lossless traffic would lose its "
            "headroom",
            claim->object->id, other->id);
    err_set_remedy(&answer->status.err,
                   "see the status of the row in blocked_by");
    text_add_item(&answer->blocked_by, ",", other->id);
}

static void
row_answer_lanes(struct row_answer *answer, const struct claim *claim)
{
    const struct object *holder = claim_state_lane_holder(claim);

    answer->status.state = ROW_STATE_WAITING;
    err_set(&answer->status.err, ST_BUSY, "lanes-in-use",
            "%s uses some of the lanes of this row%s", holder->id,
            object_exists(claim->object)
                ? "; the port keeps what it has until they are free"
                : "");
    err_set_field(&answer->status.err, "lanes", "", "");
    err_set_remedy(&answer->status.err, "delete the other row, or correct the "
                                        "lanes of one of the two");
    text_add_item(&answer->blocked_by, ",", holder->id);
}

static void
row_answer_out_of_range(struct row_answer *answer, const struct claim *claim)
{
    const struct object *port = claim->object->parent;
    bool pg = claim->object->type == SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP;
    const char *what = pg ? "priority groups" : "queues";
    char index[16], allowed[32];
    uint32_t n;

    if (llr_answer_concerns(claim->source)) {
        llr_answer_lacking(&answer->status, claim->source);
        return;
    }
    if (!port) {
        trimming_answer_limit(&answer->status, claim);
        return;
    }
    n = pg ? port->port_children->n_pgs : port->port_children->n_queues;
    text_format(index, sizeof index, "%d", claim->index);
    answer->status.state = ROW_STATE_REJECTED;
    if (n == 0) {
        err_set(&answer->status.err, ST_INVALID, "range", "%s has no %s",
                port->name.name, what);
        err_set_field(&answer->status.err, "key", index, "");
        err_set_remedy(&answer->status.err, "delete the row");
        return;
    }
    text_format(allowed, sizeof allowed, "0..%u", n - 1);
    err_set(&answer->status.err, ST_INVALID, "range", "%s has only %u %s",
            port->name.name, n, what);
    err_set_field(&answer->status.err, "key", index, allowed);
    err_set_remedy(&answer->status.err, "use an index below %u", n);
}

/* Explains what orchd does not support on the CPU port. */
static void
row_answer_cpu_port(struct row_answer *answer, const struct claim *claim)
{
    struct err *err = &answer->status.err;
    bool queue = claim->object != claim->missing;

    answer->status.state = ROW_STATE_UNSUPPORTED;
    err_set(err, ST_UNSUPPORTED, "cpu-port",
            queue ? "this switch lists no queues for its CPU port"
                  : "orchd manages only the queues of the CPU port");
    err_set_field(err, "key", source_key(claim->source),
                  "ports that have a row PORT");
    err_set_remedy(err, queue ? "delete the row: the queues of the CPU port "
                                "keep the defaults of the switch"
                              : "delete the row, or remove CPU from its key");
}

/* Explains why the switch does not have the system port of a row. */
static void
row_answer_system_port(struct row_answer *answer, const struct claim *claim)
{
    struct err *err = &answer->status.err;
    const bool any = chassis_ports_count(claim->object->graph) > 0;
    const char *rival = any ? chassis_ports_rival(claim->source) : NULL;

    answer->status.state = ROW_STATE_UNSUPPORTED;
    if (rival) {
        err_set(err, ST_UNSUPPORTED, "no-system-port",
                "SYSTEM_PORT|%s has the same system_port_id, or the same "
                "switch_id, core_index and core_port_index",
                rival);
        err_set_remedy(err, "correct the numbers of one of the rows, and "
                            "restart orchd");
        return;
    }
    err_set(err, ST_UNSUPPORTED, "no-system-port",
            any ? "the switch was created without a system port of these "
                  "numbers"
                : "the switch was not created as one of a chassis with virtual "
                  "output queues");
    err_set_remedy(err,
                   any ? "restart orchd, which creates the switch with all "
                         "rows of SYSTEM_PORT"
                       : "set switch_type to voq, switch_id and max_cores in "
                         "DEVICE_METADATA|localhost, and restart orchd without "
                         "a chip in its profile: a switch whose chip is named "
                         "there is created before rows are read");
}

/* Explains why the object of 'claim' and another must not be combined. */
static void
row_answer_conflict(struct row_answer *answer, const struct claim *claim)
{
    struct err *err = &answer->status.err;
    const struct object *object = claim->object, *other = claim->conflict;
    const char *field = claim->source->demand.wants[0].field;

    answer->status.state = ROW_STATE_REJECTED;
    text_add_item(&answer->blocked_by, ",", other->id);
    if (other->type == SAI_OBJECT_TYPE_BUFFER_POOL) {
        err_set(
            err, ST_INVALID, "wrong-direction",
            "a profile with xoff is lossless and needs an ingress pool, but "
            "%s is an egress pool",
            other->id);
        err_set_field(err, "pool", other->name.name, "a pool of type ingress");
        err_set_remedy(err, "remove xoff, or set pool to one of type ingress");
    } else if (object->type == SAI_OBJECT_TYPE_BUFFER_PROFILE) {
        err_set(err, ST_INVALID, "trim",
                "%s uses this profile, and only queues can trim packets",
                other->id);
        err_set_field(err, "packet_discard_action", "trim", "drop");
        err_set_remedy(err, "set packet_discard_action to drop, or bind this "
                            "profile to queues only");
    } else if (other->trims) {
        err_set(err, ST_INVALID, "trim",
                "%s trims packets, which only a queue can do", other->id);
        err_set_field(err, field, other->name.name,
                      "a profile that does not trim");
        err_set_remedy(
            err,
            "use another profile, or set packet_discard_action of %s to drop",
            other->id);
    } else {
        bool egress = other->direction == SAI_BUFFER_POOL_TYPE_EGRESS;

        err_set(err, ST_INVALID, "wrong-direction",
                "%s uses an %s pool, but %s needs an %s pool", other->id,
                egress ? "egress" : "ingress", object->id,
                egress ? "ingress" : "egress");
        err_set_field(err, field, other->name.name,
                      egress ? "a profile of an ingress pool"
                             : "a profile of an egress pool");
        err_set_remedy(err, "use a profile whose pool has type %s or both",
                       egress ? "ingress" : "egress");
    }
}

/* Names the row that wins over that of 'claim'. */
static void
row_answer_shadowed(struct row_answer *answer, const struct claim *claim)
{
    const struct claim *winner = claim->object->claims;

    while (winner &&
           (!winner->wins || winner->source->table != claim->source->table)) {
        winner = winner->next_on_object;
    }
    answer->status.state = ROW_STATE_SHADOWED;
    if (winner && key_is_internal(source_key(winner->source))) {
        err_set(&answer->status.err, ST_EXISTS, "pfc-storm",
                "the PFC watchdog drops all packets to %s while its PFC storm "
                "lasts",
                claim->object->id);
        err_set_remedy(&answer->status.err,
                       "stop the device that sends the pause frames: the row "
                       "is in force again when the storm is over");
        text_add(&answer->blocked_by, "PFC_WD|");
        text_add(&answer->blocked_by, claim->object->name.name);
        return;
    }
    err_set(&answer->status.err, ST_EXISTS, "shadowed",
            "%s is configured by the more specific row %s", claim->object->id,
            winner ? winner->source->id : "");
    if (winner) {
        text_add_item(&answer->blocked_by, ",", winner->source->id);
    }
    err_set_remedy(&answer->status.err,
                   "delete one of the two rows, or exclude "
                   "this index from this row's key");
}

/* The queue of 'claim' exists, but is in no scheduler group. */
static void
row_answer_no_group(struct row_answer *answer, const struct claim *claim)
{
    answer->status.state = ROW_STATE_FAILED;
    err_set(&answer->status.err, ST_UNSUPPORTED, "no-scheduler-group",
            "queue %d of %s is in no scheduler group, so it cannot have a "
            "scheduler",
            claim->index, claim->object->name.name);
    err_set_field(&answer->status.err, scheduler_groups_want(claim)->field, "",
                  "");
    err_set_remedy(&answer->status.err,
                   "if this switch sets schedulers at queues, start orchd with "
                   "--set scheduler_target=queue");
}

/* Names the row that decides for the group of 'claim'. */
static void
row_answer_overruled(struct row_answer *answer, const struct claim *claim)
{
    const struct claim *leader = scheduler_groups_leader(claim->object);

    answer->status.state = ROW_STATE_SHADOWED;
    err_set(&answer->status.err, ST_EXISTS, "shared-group",
            "queues %d and %d of %s share one scheduler group, and %s sets "
            "another scheduler",
            leader->index, claim->index, claim->object->name.name,
            leader->source->id);
    err_set_field(&answer->status.err, scheduler_groups_want(claim)->field, "",
                  "");
    text_add_item(&answer->blocked_by, ",", leader->source->id);
    err_set_remedy(
        &answer->status.err,
        "set the same scheduler in both rows, or remove it from one");
}

/* Adds 'missing' to what a row waits for; the reason is about the first one. */
static void
row_answer_waiting(struct row_answer *answer, const struct object *missing)
{
    if (answer->status.state != ROW_STATE_WAITING) {
        const struct source *source = graph_find_source(
            missing->graph, missing->name.table, missing->name.name);

        answer->status.state = ROW_STATE_WAITING;
        err_set(&answer->status.err, ST_NOT_FOUND, "missing-ref", "%s %s",
                missing->id,
                source && source->present ? "exists, but is not applied"
                                          : "does not exist");
        err_set_remedy(&answer->status.err,
                       source && source->present
                           ? "see the status of that row"
                           : "write that row, or correct the name in this row");
    }
    if (!text_lists(&answer->blocked_by, missing->id)) {
        text_add_item(&answer->blocked_by, ",", missing->id);
    }
}

/* Returns the row that says something other than 'text' about the object of
 * 'edge', or NULL. */
static const struct source *
contradictor(const struct edge *edge, const char *text)
{
    for (const struct edge *other = edge->object->referrers; other;
         other = other->next) {
        const struct source *source = other->source;
        const struct want *want =
            source->demand.wants + (other - source_first_edge(source));

        if (source->table == edge->source->table &&
            strcmp(want->text + strspn(want->text, "0"),
                   text + strspn(text, "0"))) {
            return source;
        }
    }
    return NULL;
}

/* Answers a row that claims no object but mentions some, one in each of its
 * wants: these must exist, and no other row may say something different about
 * them. */
static void
row_answer_mentions(struct row_answer *answer, const struct source *source)
{
    for (size_t i = 0; i < source->n_edges; i++) {
        const struct edge *edge = &source_first_edge(source)[i];
        const struct want *want = &source->demand.wants[i];
        const struct source *other = contradictor(edge, want->text);

        if (other) {
            struct err *err = &answer->status.err;

            answer->status.state = ROW_STATE_REJECTED;
            err_set(err, ST_INVALID, "contradiction",
                    "%s has a different value for %s", other->id,
                    edge->object->name.name);
            err_set_field(err, want->field, want->text,
                          "the same value in all rows");
            err_set_remedy(
                err, "name %s in only one of these rows, or use the same value",
                edge->object->name.name);
            text_clear(&answer->blocked_by);
            text_add(&answer->blocked_by, other->id);
            return;
        }
        if (!edge->object->available) {
            row_answer_waiting(answer, edge->object);
        }
    }
}

/* Returns whether the row names another hwsku than the one that the switch was
 * created with. */
static bool
row_answer_other_hwsku(struct row_answer *answer, const struct graph *graph)
{
    const char *made = graph->hwsku_made;
    const char *wanted = graph->hwsku_wanted;

    if (!made || !wanted || !strcmp(made, wanted)) {
        return false;
    }
    answer->status.state = ROW_STATE_FAILED;
    err_set(&answer->status.err, ST_UNSUPPORTED, "restart-required",
            "the switch was created %s%s",
            *made ? "with hwsku " : "without a hwsku", made);
    err_set_field(&answer->status.err, "hwsku", wanted, made);
    err_set_remedy(&answer->status.err,
                   "restart orchd to create the switch with the new hwsku");
    return true;
}

/* Answers a row that only waits for the ASIC. */
static void
row_answer_absent(struct row_answer *answer, const struct graph *graph)
{
    answer->status.state = ROW_STATE_WAITING;
    answer->status.err = *graph->absence;
}

/* How to answer each state of a claim, the most important first.  The patient
 * ones give way to a missing reference. */
static const struct {
    enum claim_state state;
    bool patient;
    void (*make)(struct row_answer *answer, const struct claim *claim);
} answers[] = {
    {CLAIM_OUT_OF_RANGE, false, row_answer_out_of_range},
    {CLAIM_CONFLICT, false, row_answer_conflict},
    {CLAIM_CPU_PORT, false, row_answer_cpu_port},
    {CLAIM_SYSTEM_PORT, false, row_answer_system_port},
    {CLAIM_FAILED, false, row_answer_failed},
    {CLAIM_LANES_IN_USE, false, row_answer_lanes},
    {CLAIM_NO_GROUP, false, row_answer_no_group},
    {CLAIM_IN_USE, false, row_answer_in_use},
    {CLAIM_OVERRULED, true, row_answer_overruled},
    {CLAIM_HELD_BACK, false, row_answer_held_back},
    {CLAIM_SHADOWED, true, row_answer_shadowed},
    {CLAIM_UNSUPPORTED, true, row_answer_failed},
};

/* Answers a row with the most serious state of its claims: first what its
 * author must fix, then what SAI refused, what it waits for, and which row is
 * more specific.  'waiting' lists all that is missing, the others only the
 * first one. Returns false if a plan can and will still change something for
 * it. */
static bool
row_answer_claims(struct row_answer *answer, const struct source *source)
{
    const struct claim *first[N_CLAIM_STATES] = {NULL};

    if (source->table == TABLE_DEVICE_METADATA &&
        row_answer_other_hwsku(answer, source->graph)) {
        return true;
    }
    if (source->n_claims == 0) {
        row_answer_mentions(answer, source);
    }
    for (size_t i = 0; i < source->n_claims; i++) {
        const struct claim *claim = &source->claims[i];
        enum claim_state state = claim_state_of(claim);

        if (state == CLAIM_UNFINISHED && !source->graph->absence) {
            return false;
        }
        if (state == CLAIM_MISSING) {
            row_answer_waiting(answer, claim->missing);
        }
        first[state] = first[state] ? first[state] : claim;
    }
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        const struct claim *claim = first[answers[i].state];

        if (claim && !(answers[i].patient && first[CLAIM_MISSING])) {
            answers[i].make(answer, claim);
            return true;
        }
    }
    if (trimming_answer_removed(&answer->status, source)) {
        return true;
    }
    if (first[CLAIM_UNFINISHED] && !first[CLAIM_MISSING]) {
        row_answer_absent(answer, source->graph);
    }
    return true;
}

/* Warns of another port that has one lane of this row as well. */
static void
row_answer_shared_lane(struct row_answer *answer, const struct source *source)
{
    const struct port_children *children =
        source->table == TABLE_PORT && source->n_claims
            ? source->claims[0].object->port_children
            : NULL;

    if (source->present && children && children->lanes_partner) {
        text_add_item(&answer->warnings, ", ", "shared-lane ");
        text_add(&answer->warnings, children->lanes_partner->id);
    }
}

/* Returns whether the ASIC holds all that the content in force wants. */
static bool
holds_content(const struct source *source)
{
    for (size_t i = 0; i < source->n_claims; i++) {
        if (claim_state_of(&source->claims[i]) != CLAIM_DONE) {
            return false;
        }
    }
    return true;
}

/* Returns whether one of the objects of the row is on the ASIC. */
static bool
has_object(const struct source *source)
{
    for (size_t i = 0; i < source->n_claims; i++) {
        if (object_exists(source->claims[i].object)) {
            return true;
        }
    }
    return false;
}

/* Returns the content that the ASIC holds of a row in 'state', NULL if none. */
static struct content *
accepted_content(const struct source *source, enum row_state state)
{
    if (!source->present) {
        return state == ROW_STATE_PENDING_DELETE ? source->accepted : NULL;
    }
    if (!source->in_force) {
        return NULL;
    }
    if (state == ROW_STATE_APPLIED || state == ROW_STATE_SHADOWED) {
        return source->content;
    }
    if ((source->verdict == ROW_REJECTED || source->verdict == ROW_WITHHELD) &&
        holds_content(source)) {
        return source->content; /* What is wrong is another content. */
    }
    return has_object(source) ? source->accepted : NULL;
}

/* Begins an answer with what a row is. */
static void
row_answer_begin(struct row_answer *answer, const struct source *source)
{
    struct row_status *status = &answer->status;

    text_clear(&answer->blocked_by);
    text_clear(&answer->referenced_by);
    text_clear(&answer->warnings);
    memset(status, 0, sizeof *status);
    status->table = source->table;
    status->key = source_key(source);
    status->origin = source->generated ? "auto"
                     : source->partial ? "user+auto"
                                       : "user";
    status->state = ROW_STATE_APPLIED;
    status->generation = source->generation;
    status->changed_in = source->changed_in;
    if (source->present && source->in_force) {
        status->fields = source->content->fields;
        status->n_fields = source->content->n;
    }
}

/* Adds the warnings about 'source' and what it shares with others. */
static void
row_answer_warn(struct row_answer *answer, const struct source *source)
{
    if (source->trouble && source->trouble->warnings) {
        text_add(&answer->warnings, source->trouble->warnings);
    }
    if (source->table == TABLE_DEVICE_METADATA && source->graph->chip_warning) {
        text_add_item(&answer->warnings, ", ", source->graph->chip_warning);
    }
    row_answer_shared_lane(answer, source);
    if (source->table == TABLE_BUFFER_POOL && source->present &&
        answer->status.state == ROW_STATE_APPLIED) {
        pool_warnings_add(source, &answer->warnings);
    }
}

/* Determines the state of a row that is present.  Returns whether it is to be
 * answered. */
static bool
row_answer_present(struct row_answer *answer, const struct source *source)
{
    const struct err *err = source->trouble ? source->trouble->err : NULL;
    struct row_status *status = &answer->status;
    bool answered = true;

    switch (source->verdict) {
    case ROW_UNSUPPORTED:
        status->state = ROW_STATE_UNSUPPORTED;
        if (err && err->status == ST_NOT_FOUND) {
            status->state = ROW_STATE_WAITING; /* For another buffer model. */
            text_add(&answer->blocked_by, graph_switch(source->graph)->id);
        }
        break;
    case ROW_REJECTED:
        status->state = ROW_STATE_REJECTED;
        break;
    case ROW_WITHHELD:
        status->state = ROW_STATE_WAITING;
        break;
    default:
        answered = row_answer_claims(answer, source);
        break;
    }
    if (err) {
        status->err = *err;
    }
    return answered;
}

bool
row_answer_make(struct row_answer *answer, const struct source *source,
                bool *gone)
{
    struct row_status *status = &answer->status;
    bool answered;

    row_answer_begin(answer, source);
    answered = source->present ? row_answer_present(answer, source)
                               : row_answer_gone(answer, source);
    *gone = !source->present && !answered;
    row_answer_warn(answer, source);
    answer->accepted = accepted_content(source, status->state);
    if (answer->accepted) {
        status->accepted = answer->accepted->fields;
        status->n_accepted = answer->accepted->n;
    }
    status->blocked_by = text_string(&answer->blocked_by);
    status->referenced_by = text_string(&answer->referenced_by);
    status->warnings = text_string(&answer->warnings);
    return answered;
}

/* SPDX-License-Identifier: Apache-2.0 */

/* "asic ...": traffic and time on softasic, port blocking on any ASIC. */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/parse.h"
#include "base/picoseconds.h"
#include "base/text.h"
#include "orchd/control/advance.h"
#include "orchd/control/command.h"
#include "orchd/control/effort.h"
#include "orchd/switch/switch_query.h"
#include "sai/core/backend.h"
#include "twin/chip/chip_parameters.h"
#include "vendors/softasic/softasic.h"

/* Packets sent in the first turn of the loop; less than a millisecond. */
#define FIRST_FRAMES 64

/* The longest interval between the frames of a storm: an hour. */
#define STORM_US_MAX (INT64_C(3600) * 1000 * 1000)

#define FRAMES_MAX INT64_C(100000000)
#define HOUR_NS    (INT64_C(3600) * 1000 * 1000 * 1000)

static const char *const until_words[] = {"count", "xoff", "drop", NULL};

static const enum softasic_until untils[] = {
    SOFTASIC_UNTIL_COUNT,
    SOFTASIC_UNTIL_XOFF,
    SOFTASIC_UNTIL_DROP,
};

/* Sets PKT_TX_ENABLE of all ports of 'call'; of none if one is unknown. */
static void
set_transmission(struct call *call, bool enabled)
{
    const json_t *names = json_object_get(call->arguments, "ports");
    const struct command_context *context = call->context;
    struct err err = {0};
    sai_object_id_t oid;
    json_t *name;
    size_t i;
    enum st st = ST_OK;

    json_array_foreach(names, i, name)
    {
        st = st ? st
                : switch_query_port(context->query, json_string_value(name),
                                    &oid, &err);
    }
    json_array_foreach(names, i, name)
    {
        sai_attribute_t attribute = {.id = SAI_PORT_ATTR_PKT_TX_ENABLE,
                                     .value.booldata = enabled};

        st = st ? st
                : switch_query_port(context->query, json_string_value(name),
                                    &oid, &err);
        if (!st) {
            st = switch_query_status(
                context->backend->ops->set(
                    context->backend, SAI_OBJECT_TYPE_PORT, oid, &attribute),
                "set PKT_TX_ENABLE", &err);
        }
    }
    call_end(call, &err, NULL);
}

static void
asic_block(struct call *call)
{
    set_transmission(call, false);
}

static void
asic_unblock(struct call *call)
{
    set_transmission(call, true);
}

/* A send in progress: the packets left to send, and the results so far. */
struct sending {
    struct softasic_send send;
    struct effort effort;
    uint64_t n_left;
    uint64_t n_sent;
    uint64_t n_dropped_ingress;
    uint64_t n_dropped_egress;
    struct softasic_class class;
};

/* Makes the reply of a send from its sums and its last part. */
static json_t *
sending_result(const struct sending *sending, const struct softasic_sent *last)
{
    bool reached = last->event == sending->send.until;

    return json_pack("{s:I, s:I, s:I, s:b, s:b, s:i, s:i, s:i, s:I}", "sent",
                     (json_int_t)sending->n_sent, "dropped_ingress",
                     (json_int_t)sending->n_dropped_ingress, "dropped_egress",
                     (json_int_t)sending->n_dropped_egress, "reached", reached,
                     "xoff", last->xoff, "tc", (int)sending->class.tc, "pg",
                     (int)sending->class.pg_index, "queue",
                     (int)sending->class.queue_index, "now_ps",
                     (json_int_t)last->now_ps);
}

/* Sends as much as one turn allows. */
static void
send_some(struct call *call)
{
    const struct command_context *context = call->context;
    struct sending *sending = call->state;
    struct softasic_sent sent;
    struct err err = {0};
    enum st st = switch_query_check_soft(context->query, &err);

    if (!moment_move(&call->context->moment)) {
        call_each_turn(call, send_some);
        return;
    }
    sending->send.n_frames = sending->n_left < sending->effort.n
                                 ? sending->n_left
                                 : sending->effort.n;
    if (!st) {
        memset(&sent, 0, sizeof sent);
        effort_begin(&sending->effort);
        st = switch_query_status(context->softasic->send(&sending->send, &sent),
                                 "send (is the port up?)", &err);
        effort_end(&sending->effort, sent.n_frames);
    }
    if (st) {
        call_end(call, &err, NULL);
        return;
    }
    sending->n_sent += sent.n_frames;
    sending->n_left -= sent.n_frames;
    sending->n_dropped_ingress += sent.n_dropped_ingress;
    sending->n_dropped_egress += sent.n_dropped_egress;
    if (sending->n_left && sent.event == SOFTASIC_UNTIL_COUNT &&
        sent.n_frames) {
        call_each_turn(call, send_some);
        return;
    }
    call_done(call, sending_result(sending, &sent));
}

/* Returns the index of 'word' in 'words'; check_words() has checked it. */
static size_t
word_index(const char *const *words, const char *word)
{
    size_t i = 0;

    while (words[i] && strcmp(words[i], word)) {
        i++;
    }
    orch_assert(words[i]);
    return i;
}

/* Starts a send.  Classifies the packets first, so that the reply tells which
 * PG and queue they use. */
static void
asic_send(struct call *call)
{
    const struct command_context *context = call->context;
    struct sending *sending = check_calloc(1, sizeof *sending);
    struct softasic_send *send = &sending->send;
    struct err err = {0};
    enum st st = switch_query_check_soft(context->query, &err);

    call->state = sending;
    effort_init(&sending->effort, FIRST_FRAMES, SOFTASIC_FRAMES_MAX);
    send->until = untils[word_index(until_words,
                                    call_text(call, "until", until_words[0]))];
    send->frame_bytes = (uint32_t)call_number(call, "size", 64);
    send->dscp = (uint8_t)call_number(call, "dscp", 0);
    send->ecn = (uint8_t)call_number(call, "ecn", 0);
    sending->n_left = (uint64_t)call_number(call, "count", 1);
    st = st ? st
            : switch_query_port(context->query, call_text(call, "from", ""),
                                &send->from, &err);
    st = st ? st
            : switch_query_port(context->query, call_text(call, "to", ""),
                                &send->to, &err);
    if (!st && send->from == send->to) {
        st = err_set(&err, ST_INVALID, "usage",
                     "packets cannot leave through the port where they enter");
        err_set_field(&err, "to", call_text(call, "to", ""), NULL);
    }
    st = st ? st
            : switch_query_status(
                  context->softasic->classify(send->from, send->to, send->dscp,
                                              &sending->class),
                  "classify", &err);
    if (st) {
        call_end(call, &err, NULL);
        return;
    }
    send_some(call);
}

static void
settled(struct call *call)
{
    call_done(call, json_pack("{s:I}", "transmitted",
                              (json_int_t)advance_n_sent(call)));
}

/* Runs the chip until all its queues are empty or paused. */
static void
asic_settle(struct call *call)
{
    advance_settle(call, settled);
}

static void
has_run(struct call *call)
{
    struct err err = {0};
    int64_t now_ps = 0;
    json_t *data = NULL;

    if (!switch_query_status(call->context->softasic->now(&now_ps), "run",
                             &err)) {
        data = json_pack("{s:I}", "now_ps", (json_int_t)now_ps);
    }
    call_end(call, &err, data);
}

/* Advances the time of the chip; the reply has the new time. */
static void
asic_run(struct call *call)
{
    advance_run(call, call_number(call, "ns", 0), has_run);
}

/* Reads the priorities of a storm. */
static enum st
read_priorities(const char *text, uint8_t *mask, struct err *err)
{
    if (parse_priorities(text, mask)) {
        err_set(err, ST_INVALID, "usage", "'%s' is not a list of priorities",
                text);
        err_set_field(err, "priorities", text,
                      "0..7, as a comma list; or none");
        return ST_INVALID;
    }
    return ST_OK;
}

/* Replaces the storm of the peer of 'port', if it sends one, with 'storm';
 * connects a peer if there is none and the port has no real interface. */
static sai_status_t
set_storm(const struct softasic_ops *soft, sai_object_id_t port,
          const struct softasic_storm *storm)
{
    const struct softasic_peer peer = {.cable_m = 1};
    struct softasic_peer_state state;
    sai_status_t status = SAI_STATUS_SUCCESS;

    if (soft->peer_state(port, &state) == SAI_STATUS_SUCCESS) {
        status = soft->storm_stop(port);
    } else if (storm->pause.priorities) {
        status = soft->peer(port, &peer);
        status =
            status == SAI_STATUS_OBJECT_IN_USE ? SAI_STATUS_SUCCESS : status;
    }
    return status || !storm->pause.priorities ? status
                                              : soft->storm(port, storm);
}

/* Makes 'port' send a storm itself ('sent'), or its peer do that; no priorities
 * stop both. */
static sai_status_t
set_any_storm(const struct softasic_ops *soft, sai_object_id_t port, bool sent,
              const struct softasic_storm *storm)
{
    const uint8_t priorities = storm->pause.priorities;
    sai_status_t status = SAI_STATUS_SUCCESS;

    if (sent || !priorities) {
        status = soft->storm_sent(port, priorities);
    }
    return status || (sent && priorities) ? status
                                          : set_storm(soft, port, storm);
}

/* Returns ST_OK unless 'call' has an argument that a storm which the port sends
 * itself does not have. */
static enum st
check_sent(const struct call *call, struct err *err)
{
    static const char *const others[] = {"quanta", "interval_us", "count"};

    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (json_object_get(call->arguments, others[i])) {
            return err_set(
                err, ST_INVALID, "usage",
                "a port that sends a storm itself repeats its pauses "
                "as PFC does: sent takes no %s",
                others[i]);
        }
    }
    return ST_OK;
}

/* Starts or stops a storm of pause frames at a port.  The default interval is
 * so short that pauses of the longest time leave no gap at any speed. */
static void
asic_storm(struct call *call)
{
    const struct command_context *context = call->context;
    struct softasic_storm storm = {
        .pause.quanta = (uint16_t)call_number(call, "quanta", UINT16_MAX),
        .interval_ps = call_number(call, "interval_us", 20) * PS_PER_US,
        .n_frames = (uint64_t)call_number(call, "count", 0),
    };
    const bool sent = call_flag(call, "sent");
    sai_object_id_t port = SAI_NULL_OBJECT_ID;
    struct err err = {0};
    enum st st = switch_query_check_soft(context->query, &err);

    st = st ? st
            : read_priorities(call_text(call, "priorities", ""),
                              &storm.pause.priorities, &err);
    st = st || !sent ? st : check_sent(call, &err);
    st = st ? st
            : switch_query_port(context->query, call_text(call, "port", ""),
                                &port, &err);
    st = st ? st
            : switch_query_status(
                  set_any_storm(context->softasic, port, sent, &storm), "storm",
                  &err);
    call_end(call, &err, st ? NULL : json_object());
}

/* Makes the reply of asic_received(). */
static json_t *
received_rows(const struct softasic_received *rows, uint32_t n)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < n; i++) {
        json_array_append_new(
            list,
            json_pack("{s:i, s:i, s:b, s:I, s:I}", "dscp", (int)rows[i].dscp,
                      "queue", (int)rows[i].queue_index, "ce", (int)rows[i].ce,
                      "frames", (json_int_t)rows[i].n_frames, "bytes",
                      (json_int_t)rows[i].n_bytes));
    }
    return list;
}

/* Answers with the frames that have left a port since the last call. */
static void
asic_received(struct call *call)
{
    const struct command_context *context = call->context;
    struct softasic_received *rows;
    struct err err = {0};
    sai_object_id_t port = SAI_NULL_OBJECT_ID;
    json_t *data = NULL;
    uint32_t n = 2048; /* 64 DSCPs, 16 queues, marked or not. */
    enum st st = switch_query_check_soft(context->query, &err);

    st = st ? st
            : switch_query_port(context->query, call_text(call, "port", ""),
                                &port, &err);
    if (!st) {
        rows = check_calloc(n, sizeof *rows);
        st = switch_query_status(context->softasic->received(port, &n, rows),
                                 "read the frames that left the port", &err);
        data = st ? NULL : received_rows(rows, n);
        free(rows);
    }
    call_end(call, &err, data);
}

/* Answers with the description of the chip, by the names of its file. */
static void
asic_chip(struct call *call)
{
    const struct chip *chip = call->context->chip;
    json_t *data = json_object();
    struct text text = {0};
    const char *name;
    struct err err = {0};
    enum st st = switch_query_check(call->context->query, &err);

    if (!st && !chip) {
        st = err_set(&err, ST_NOT_FOUND, "no-chip",
                     "the chip is unknown: it is not softasic, and no "
                     "description in chips/ names its hwsku");
    }
    for (size_t i = 0; !st && (name = chip_parameter_name(i)); i++) {
        text_clear(&text);
        st = chip_parameter_get(chip, name, &text, &err);
        json_object_set_new(data, name, json_string(text_string(&text)));
    }
    text_fini(&text);
    if (st) {
        json_decref(data);
        data = NULL;
    }
    call_end(call, &err, data);
}

static const struct argument ports_arguments[] = {
    {"ports", ARGUMENT_TEXTS, true, 0, 0, NULL},
    {NULL, ARGUMENT_TEXT, false, 0, 0, NULL},
};

static const struct argument send_arguments[] = {
    {"from", ARGUMENT_TEXT, true, 0, 0, NULL},
    {"to", ARGUMENT_TEXT, true, 0, 0, NULL},
    {"until", ARGUMENT_TEXT, false, 0, 0, until_words},
    {"count", ARGUMENT_NUMBER, true, 0, FRAMES_MAX, NULL},
    {"size", ARGUMENT_NUMBER, false, SOFTASIC_FRAME_BYTES_MIN,
     SOFTASIC_FRAME_BYTES_MAX, NULL},
    {"dscp", ARGUMENT_NUMBER, false, 0, 63, NULL},
    {"ecn", ARGUMENT_NUMBER, false, 0, 3, NULL},
    {NULL, ARGUMENT_TEXT, false, 0, 0, NULL},
};

static const struct argument storm_arguments[] = {
    {"port", ARGUMENT_TEXT, true, 0, 0, NULL},
    {"priorities", ARGUMENT_TEXT, true, 0, 0, NULL},
    {"quanta", ARGUMENT_NUMBER, false, 0, UINT16_MAX, NULL},
    {"interval_us", ARGUMENT_NUMBER, false, 1, STORM_US_MAX, NULL},
    {"count", ARGUMENT_NUMBER, false, 0, FRAMES_MAX, NULL},
    {"sent", ARGUMENT_FLAG, false, 0, 0, NULL},
    {NULL, ARGUMENT_TEXT, false, 0, 0, NULL},
};

static const struct argument run_arguments[] = {
    {"ns", ARGUMENT_NUMBER, true, 0, HOUR_NS, NULL},
    {NULL, ARGUMENT_TEXT, false, 0, 0, NULL},
};

static const struct argument received_arguments[] = {
    {"port", ARGUMENT_TEXT, true, 0, 0, NULL},
    {NULL, ARGUMENT_TEXT, false, 0, 0, NULL},
};

const struct command asic_commands[] = {
    {"asic", "block", asic_block, ports_arguments, COMMAND_CHANGES},
    {"asic", "chip", asic_chip, NULL, COMMAND_VIEWS},
    {"asic", "received", asic_received, received_arguments, COMMAND_CHANGES},
    {"asic", "run", asic_run, run_arguments, COMMAND_CHANGES},
    {"asic", "send", asic_send, send_arguments, COMMAND_CHANGES},
    {"asic", "settle", asic_settle, NULL, COMMAND_CHANGES},
    {"asic", "storm", asic_storm, storm_arguments, COMMAND_CHANGES},
    {"asic", "unblock", asic_unblock, ports_arguments, COMMAND_CHANGES},
    {NULL, NULL, NULL, NULL, COMMAND_VIEWS},
};

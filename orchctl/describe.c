/* SPDX-License-Identifier: Apache-2.0 */

/* Describes each kind of step in words. */

#include <config.h>

#include "orchctl/describe.h"

#include "base/text.h"
#include "command/grid.h"

/* Appends the properties of frames. */
static void
add_look(struct text *text, uint32_t size_bytes, uint8_t dscp, uint8_t ecn,
         const struct target_header *header)
{
    text_addf(text, ", %u B", size_bytes);
    if (header->is_not_ip) {
        text_add(text, ", not IP");
    } else {
        text_addf(text, ", DSCP %u", dscp);
    }
    if (ecn) {
        text_addf(text, ", ECN %u", ecn);
    }
    if (header->has_tag) {
        text_addf(text, ", VLAN %u PCP %u", header->vlan, header->pcp);
    }
}

/* Appends how many frames are sent. */
static void
add_times(struct text *text, uint64_t n)
{
    char number[GRID_NUMBER_SIZE];

    text_addf(text, ", %s time%s", grid_group((int64_t)n, number),
              text_plural(n));
}

static void
send_words(const struct step *step, struct text *text)
{
    const struct target_send *send = &step->send;

    text_addf(text, "send %s to %s", send->from, send->to);
    add_look(text, send->size_bytes, send->dscp, send->ecn, &send->header);
    if (send->flows > 1) {
        text_addf(text, ", %u flows", send->flows);
    }
    if (send->until == TARGET_UNTIL_COUNT) {
        add_times(text, send->count);
    } else {
        text_addf(text, ", until %s", target_until_word(send->until));
    }
}

static void
block_words(const struct step *step, struct text *text)
{
    static const char *const ways[] = {
#define X(member, word) word,
        TARGET_BLOCK_LIST(X)
#undef X
    };

    for (size_t i = 0; i < step->block.n; i++) {
        text_addf(text, "%s%s", i ? ", " : " ", step->block.blocks[i].port);
    }
    if (step->block.n && step->block.blocks[0].way != TARGET_BLOCK_TX_ENABLE) {
        text_addf(text, " by %s", ways[step->block.blocks[0].way]);
    }
}

/* Appends a time in the largest unit that is exact. */
static void
add_time(struct text *text, uint64_t ns)
{
    static const struct {
        uint64_t ns;
        const char *unit;
    } units[] = {{1000000000, "s"}, {1000000, "ms"}, {1000, "us"}, {1, "ns"}};
    size_t i = 0;

    while (units[i].ns > 1 && ns % units[i].ns) {
        i++;
    }
    text_addf(text, " %llu %s", (unsigned long long)(ns / units[i].ns),
              units[i].unit);
}

static void
run_words(const struct step *step, struct text *text)
{
    add_time(text, step->run_ns);
}

static void
clear_words(const struct step *step, struct text *text)
{
    char name[160];

    for (size_t i = 0; i < step->clear.n; i++) {
        target_object_text(&step->clear.objects[i], name, sizeof name);
        text_addf(text, "%s%s", i ? ", " : " ", name);
    }
}

static void
snap_words(const struct step *step, struct text *text)
{
    text_addf(text, "%s%s", step->snap.name ? " " : "",
              step->snap.name ? step->snap.name : "");
}

static void
cfg_words(const struct step *step, struct text *text)
{
    for (size_t i = 0; i < step->cfg.n; i++) {
        const struct config_row *row = &step->cfg.rows[i];

        text_addf(text, "%s%s%s%s", i ? ", " : " ", row->row.key,
                  row->row.removed ? " removed" : "",
                  row->expected ? ": " : "");
        text_add(text, row->expected ? row->expected : "");
    }
}

static void
sai_words(const struct step *step, struct text *text)
{
    char name[160];

    target_object_text(&step->set.object, name, sizeof name);
    text_addf(text, " %s %s = %s", name, step->set.attribute, step->set.value);
}

static void
acl_words(const struct step *step, struct text *text)
{
    text_addf(text, " of %s: %s of packets with %s", step->acl.port,
              step->acl.action, step->acl.match);
}

static void
peer_words(const struct step *step, struct text *text)
{
    const struct target_peer *peer = &step->peer;

    text_addf(text, " of %s, %u m of cable", peer->port, peer->cable_m);
    if (peer->obeys) {
        text_add(text, ", obeys PFC of");
        for (unsigned int i = 0; i < 8; i++) {
            if (peer->obeys >> i & 1) {
                text_addf(text, " %u", i);
            }
        }
    }
    text_add(text, peer->obeys_global ? ", obeys 802.3x" : "");
    if (peer->response_ns) {
        text_add(text, ", after");
        add_time(text, peer->response_ns);
    }
}

static void
flow_words(const struct step *step, struct text *text)
{
    const struct target_flow *flow = &step->flow;
    char number[GRID_NUMBER_SIZE];

    text_addf(text, " %s: %s to %s", flow->name, flow->from, flow->to);
    add_look(text, flow->size_bytes, flow->dscp, flow->ecn, &flow->header);
    if (flow->rate_ppm) {
        text_addf(text, ", %llu.%llu %%",
                  (unsigned long long)(flow->rate_ppm / 10000),
                  (unsigned long long)(flow->rate_ppm / 1000 % 10));
    } else if (flow->rate_bps) {
        text_addf(text, ", %s Mb/s",
                  grid_group((int64_t)(flow->rate_bps / 1000000), number));
    }
    if (flow->burst) {
        text_addf(text, ", bursts of %s",
                  grid_group((int64_t)flow->burst, number));
    }
    if (flow->count) {
        add_times(text, flow->count);
    }
}

static void
stop_words(const struct step *step, struct text *text)
{
    for (size_t i = 0; i < step->stop.n_flows; i++) {
        text_addf(text, " %s", step->stop.flows[i]);
    }
    for (size_t i = 0; i < step->stop.n_storms; i++) {
        text_addf(text, " storm of %s", step->stop.storms[i]);
    }
}

static void
storm_words(const struct step *step, struct text *text)
{
    const struct target_storm *storm = &step->storm;

    text_addf(text, " into %s: %s", storm->port,
              storm->is_global ? "802.3x" : "PFC");
    for (unsigned int i = 0; i < 8 && !storm->is_global; i++) {
        if (storm->priorities >> i & 1) {
            text_addf(text, " %u", i);
        }
    }
    text_addf(text, ", %u quanta each", storm->quanta);
    add_time(text, storm->interval_ns);
    if (storm->count) {
        add_times(text, storm->count);
    }
}

static void (*const words[N_STEP_KINDS])(const struct step *step,
                                         struct text *text) = {
    [STEP_BLOCK] = block_words, [STEP_UNBLOCK] = block_words,
    [STEP_RUN] = run_words,     [STEP_WAIT] = run_words,
    [STEP_SNAP] = snap_words,   [STEP_CLEAR_WM] = clear_words,
    [STEP_CFG] = cfg_words,     [STEP_SAI] = sai_words,
    [STEP_ACL] = acl_words,
    [STEP_PEER] = peer_words,   [STEP_FLOW] = flow_words,
    [STEP_STOP] = stop_words,   [STEP_STORM] = storm_words,
};

void
describe_step(const struct step *step, struct text *text)
{
    if (step->kind == STEP_SEND) {
        send_words(step, text);
    } else if (step->kind != STEP_SAY) {
        text_add(text, step_verb(step->kind));
        if (words[step->kind]) {
            words[step->kind](step, text);
        }
    }
}

void
describe_sent(const struct target_sent *sent, struct text *text)
{
    char number[GRID_NUMBER_SIZE];

    text_addf(text, "%s sent", grid_group((int64_t)sent->sent, number));
    if (sent->dropped_ingress) {
        text_addf(text, ", %s dropped at ingress",
                  grid_group((int64_t)sent->dropped_ingress, number));
    }
    if (sent->dropped_egress) {
        text_addf(text, ", %s dropped at egress",
                  grid_group((int64_t)sent->dropped_egress, number));
    }
    text_add(text, sent->xoff ? ", PFC XOFF" : "");
}

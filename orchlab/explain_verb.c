/* SPDX-License-Identifier: Apache-2.0 */

/* "orchlab explain": why a flow took its time, why a port was paused, why a
 * frame was dropped, from what the results file has. */

#include <config.h>

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "base/parse.h"
#include "base/text.h"
#include "lab/measure/metric.h"
#include "lab/measure/reader.h"
#include "orchlab/rows.h"
#include "orchlab/run_files.h"
#include "orchlab/verb.h"
#include "results/database.h"

/* A part of an explanation: rows of 'sql', whose parameters are the run and the
 * number of the thing. */
struct part {
    const char *name; /* In JSON. */
    const char *title;
    const char *sql;
};

/* A kind of thing that can be explained. */
struct subject {
    const char *name;
    const char *exists; /* Selects a row if it exists. */
    const struct part *parts;
    size_t n;
    /* Prints the conclusion, after the parts; or NULL. */
    enum st (*conclude)(struct reader *reader, int64_t id, json_t *data,
                        struct err *err);
};

static const struct part flow_parts[] = {
    {"flow", "Flow",
     "SELECT flow, group_name, source, destination, priority, state, start_ps,"
     " end_ps, fct_ps, bytes, goodput_bps FROM flow_list"
     " WHERE run = ?1 AND flow = ?2"},
    {"transport", "Transport",
     "SELECT packets, retransmitted, timeouts, marked, cnps, skipped, lost,"
     " error"
     " FROM flow_list WHERE run = ?1 AND flow = ?2"},
    /* For each hop: its queue, and how long its port was paused in the time of
     * the flow. */
    {"hops", "Path",
     "SELECT h.hop, n.name AS node, p.name AS port, p.speed_bps,"
     " q.peak_bytes, q.marked, q.dropped,"
     " (SELECT coalesce(sum(min(coalesce(u.end_ps, f.end_ps), f.end_ps) -"
     " max(u.start_ps, f.start_ps)), 0) FROM pauses u WHERE u.run = h.run AND"
     " u.node = h.node AND u.port = h.port AND u.priority = f.priority AND"
     " u.start_ps < f.end_ps AND coalesce(u.end_ps, f.end_ps) > f.start_ps)"
     " AS paused_ps FROM paths h JOIN flows f ON f.run = h.run AND f.flow ="
     " h.flow LEFT JOIN nodes n ON n.run = h.run AND n.node = h.node"
     " LEFT JOIN ports p ON p.run = h.run AND p.node = h.node AND p.port ="
     " h.port LEFT JOIN queues q ON q.run = h.run AND q.node = h.node AND"
     " q.port = h.port AND q.queue = f.priority"
     " WHERE h.run = ?1 AND h.flow = ?2 ORDER BY h.hop"},
    {"drops", "Drops",
     "SELECT reason, node, port, count(*) AS frames, min(t_ps) AS first_ps,"
     " max(t_ps) AS last_ps FROM drop_list WHERE run = ?1 AND flow = ?2"
     " GROUP BY reason, node, port"},
    {"oracles", "Theory",
     "SELECT name AS oracle, value FROM oracle_list"
     " WHERE run = ?1 AND object = 'flow ' || ?2"},
};

static const struct part pause_parts[] = {
    {"pause", "Pause",
     "SELECT pause, node, port, priority, peer, peer_port, start_ps, end_ps,"
     " duration_ps, congested_port FROM pause_list"
     " WHERE run = ?1 AND pause = ?2"},
    /* The pause, what caused it, and so on to the root. */
    {"causes", "Caused by",
     "WITH RECURSIVE chain(step, pause) AS (SELECT 0, ?2 UNION SELECT step + 1,"
     " cause FROM chain JOIN pauses USING (pause) WHERE run = ?1 AND cause IS"
     " NOT NULL AND step < 1000)"
     " SELECT step, l.pause, node, port, peer, congested_port, start_ps,"
     " duration_ps FROM chain JOIN pause_list l USING (pause)"
     " WHERE run = ?1 AND step > 0 ORDER BY step"},
    /* All that follows from the root, by how many pauses are in between. */
    {"tree", "Pauses from the same root, by distance",
     "WITH RECURSIVE up(step, pause) AS (SELECT 0, ?2 UNION SELECT step + 1,"
     " cause FROM up JOIN pauses USING (pause) WHERE run = ?1 AND cause IS NOT"
     " NULL AND step < 1000), down(depth, pause) AS (SELECT 0, (SELECT pause"
     " FROM up ORDER BY step DESC LIMIT 1) UNION SELECT depth + 1, p.pause FROM"
     " down JOIN pauses p ON p.cause = down.pause AND p.run = ?1 WHERE depth <"
     " 1000)"
     " SELECT depth, count(*) AS pauses, count(DISTINCT u.node * 65536 +"
     " u.port) AS ports, count(DISTINCT CASE n.tier WHEN -1 THEN u.node END) AS"
     " hosts, min(start_ps) AS first_ps, max(coalesce(end_ps, (SELECT"
     " virtual_ps FROM runs r WHERE r.run = ?1))) AS last_ps FROM down JOIN"
     " pauses u ON u.run = ?1 AND u.pause = down.pause JOIN nodes n ON n.run ="
     " ?1 AND n.node = u.node GROUP BY depth ORDER BY depth"},
    {"effects", "It caused",
     "SELECT pause, node, port, peer, start_ps, duration_ps FROM pause_list"
     " WHERE run = ?1 AND cause = ?2 ORDER BY start_ps LIMIT 50"},
    {"flows", "Flows behind it",
     "SELECT f.flow, f.group_name, f.source, f.destination, f.state, f.fct_ps"
     " FROM paths h JOIN pauses u ON u.run = h.run AND u.node = h.node AND"
     " u.port = h.port JOIN flow_list f ON f.run = h.run AND f.flow = h.flow"
     " AND f.priority = u.priority AND f.start_ps < coalesce(u.end_ps,"
     " f.end_ps) AND f.end_ps > u.start_ps"
     " WHERE u.run = ?1 AND u.pause = ?2 ORDER BY f.flow LIMIT 50"},
};

static const struct part drop_parts[] = {
    {"drop", "Drop",
     "SELECT drop_id, t_ps, node, port, priority, reason, flow, psn, bytes"
     " FROM drop_list WHERE run = ?1 AND drop_id = ?2"},
    {"alike", "The same reason at this port",
     "SELECT count(*) AS frames, min(o.t_ps) AS first_ps, max(o.t_ps) AS"
     " last_ps FROM drops d JOIN drops o USING (run, node, port, priority,"
     " reason) WHERE d.run = ?1 AND d.drop_id = ?2"},
    {"pauses", "Pauses that the node had asked for",
     "SELECT u.pause, u.node AS paused, u.port, u.start_ps, u.end_ps,"
     " d.t_ps - u.start_ps AS before_ps FROM drops d JOIN pauses p ON p.run ="
     " d.run AND p.by_node = d.node AND p.priority = d.priority AND p.start_ps"
     " <= d.t_ps AND coalesce(p.end_ps, d.t_ps) >= d.t_ps JOIN pause_list u ON"
     " u.run = p.run AND u.pause = p.pause"
     " WHERE d.run = ?1 AND d.drop_id = ?2 ORDER BY u.start_ps LIMIT 50"},
    {"queue", "Queue",
     "SELECT q.packets, q.bytes, q.dropped, q.marked, q.peak_bytes"
     " FROM drops d JOIN queues q ON q.run = d.run AND q.node = d.node AND"
     " q.port = d.port AND q.queue = d.priority"
     " WHERE d.run = ?1 AND d.drop_id = ?2"},
    {"flow", "Its flow",
     "SELECT f.flow, f.group_name, f.source, f.destination, f.state,"
     " f.retransmitted, f.timeouts FROM drops d JOIN flow_list f ON f.run ="
     " d.run AND f.flow = d.flow WHERE d.run = ?1 AND d.drop_id = ?2"},
};

static const struct part side_parts[] = {
    {"intervals", "Intervals",
     "SELECT interval, side, reason, n, latency_ps, ideal_ps, sender_ps,"
     " network_ps, receiver_ps, asked_ps, obeyed_ps, cnps, naks, rnr_naks,"
     " timeouts, clock_ps FROM"
     " side_list WHERE run = ?1 AND flow = ?2 LIMIT 50"},
    {"operations", "Operations of the whole run, as hosts see them",
     "SELECT posted_by, name, state, n, total_mean_ps, total_p99_ps,"
     " nic_mean_ps, nic_p99_ps, poll_mean_ps, poll_p99_ps FROM estats_list"
     " WHERE run = ?1 AND flow = ?2 AND interval = 'run'"},
    {"parts", "Where their time was, which only the model knows",
     "SELECT posted_by, name, state, part_post_ps, part_send_ps,"
     " part_network_ps, part_finish_ps, part_poll_ps FROM estats_list"
     " WHERE run = ?1 AND flow = ?2 AND interval = 'run'"},
};

/* Returns a query with its parameters set. */
static struct query *
query_of(struct reader *reader, const char *sql, int64_t id)
{
    struct query *query = reader_query(reader, sql);

    query_set_number(query, 2, id);
    return query;
}

/* Runs 'sql', which selects a sentence or nothing, and prints it or puts it
 * into 'data'. */
static enum st
conclude(struct reader *reader, const char *sql, int64_t id, json_t *data,
         struct err *err)
{
    struct query *query = query_of(reader, sql, id);
    bool row = false;
    const enum st st = query_next(query, &row, err);

    if (!st && row && data) {
        json_object_set_new(data, "conclusion",
                            json_string(query_text(query, 0)));
    } else if (!st && row) {
        printf("%s\n", query_text(query, 0));
    }
    query_finish(query);
    return st;
}

/* What cost the flow most. */
static enum st
conclude_flow(struct reader *reader, int64_t id, json_t *data, struct err *err)
{
    return conclude(
        reader,
        "WITH paused(ps) AS (SELECT sum(min(coalesce(u.end_ps, f.end_ps),"
        " f.end_ps) - max(u.start_ps, f.start_ps)) FROM flows f JOIN paths h ON"
        " h.run = f.run AND h.flow = f.flow JOIN pauses u ON u.run = f.run AND"
        " u.node = h.node AND u.port = h.port AND u.priority = f.priority AND"
        " u.start_ps < f.end_ps AND coalesce(u.end_ps, f.end_ps) > f.start_ps"
        " WHERE f.run = ?1 AND f.flow = ?2)"
        " SELECT CASE"
        " WHEN state = 'failed' THEN 'Its queue pair failed after ' || timeouts"
        " || ' timeouts.'"
        " WHEN timeouts > 0 THEN 'It waited for ' || timeouts || ' timeouts and"
        " sent ' || retransmitted || ' packets again.'"
        " WHEN lost > 0 THEN lost || ' of its messages had no answer in time.'"
        " WHEN skipped > 0 THEN skipped || ' of its messages were not posted:"
        " more were due than it could send.'"
        " WHEN retransmitted > 0 THEN 'It sent ' || retransmitted || ' of ' ||"
        " packets || ' packets again.'"
        " WHEN cnps > 0 AND coalesce(ps, 0) * 10 < end_ps - start_ps THEN"
        " 'Congestion control slowed it: ' || cnps || ' CNPs for ' || marked ||"
        " ' marked packets.'"
        " WHEN ps > 0 THEN 'Ports of its path were paused for ' ||"
        " round(100.0 * ps / (end_ps - start_ps), 1) || ' % of its time.'"
        " WHEN NOT EXISTS (SELECT 1 FROM paths WHERE run = ?1 AND flow = ?2)"
        " THEN 'It lost nothing. Its path is not recorded, so pauses on it are"
        " not known.'"
        " WHEN marked > 0 THEN 'Nothing held it up: ' || marked || ' packets"
        " were marked, but no CNP came back.'"
        " ELSE 'Nothing held it up: no pause, mark, or loss.' END"
        " FROM flows, paused WHERE run = ?1 AND flow = ?2",
        id, data, err);
}

/* What the receive pipelines of hosts have done, as sentences. */
#define PIPELINES                                                              \
    ", pipelines(node, text) AS (SELECT node, CASE WHEN"                       \
    " pcie_switch_utilization > max(pcie_utilization, lookup_utilization)"     \
    " THEN printf(' A PCIe switch above its adapter was busy for %.1f %% of"   \
    " the time.', 100 * pcie_switch_utilization) WHEN lookup_utilization <="   \
    " pcie_utilization THEN printf(' Its PCIe bus was busy for %.1f %% of the" \
    " time%s.', 100 * pcie_utilization, CASE WHEN loopback > 0 THEN"           \
    " printf(', %.1f %% of it with what it sends to itself', 100 * loopback)"  \
    " ELSE '' END) ELSE printf(' Its adapter waited for"                       \
    " the memory of the host for %.1f %% of the time, because %.1f %% of its"  \
    " lookups %s missed.', 100 * lookup_utilization, 100 - 100 * CASE WHEN"    \
    " mtt_misses >= context_misses THEN mtt_hit_ratio ELSE context_hit_ratio"  \
    " END, CASE WHEN mtt_misses >= context_misses THEN 'in the MTT' ELSE"      \
    " 'of contexts' END) END FROM host_list WHERE run = ?1 AND"                \
    " pcie_utilization IS NOT NULL)"

/* The root of the chain of pauses. */
static enum st
conclude_pause(struct reader *reader, int64_t id, json_t *data, struct err *err)
{
    return conclude(
        reader,
        "WITH RECURSIVE chain(step, pause) AS (SELECT 0, ?2 UNION SELECT step +"
        " 1, cause FROM chain JOIN pauses USING (pause) WHERE run = ?1 AND"
        " cause IS NOT NULL AND step < 1000)" PIPELINES
        " SELECT CASE WHEN congested_port IS NULL THEN 'The root is ' || peer"
        " || ', which asks for the pause itself' || CASE WHEN end_ps <"
        " virtual_ps THEN ', for ' || round(1e-6 * duration_ps, 1) || ' us: a"
        " slow receiver, or a storm that is over.' ELSE ' and has not ended it:"
        " a storm, unless it drains slowly.' END || coalesce((SELECT text FROM"
        " pipelines WHERE node = peer), '')"
        " ELSE 'The root is the queue of ' || peer || ' towards ' ||"
        " congested_port || coalesce((SELECT printf(', which %s had paused"
        " before: pause number %d of this queue ended %.1f us earlier.%s',"
        " q.peer, count(*), 1e-6 * (l.start_ps - max(q.end_ps)), "
        "coalesce((SELECT text FROM pipelines WHERE node ="
        " q.peer), '')) FROM pause_list q WHERE q.run = ?1 AND q.node = l.peer"
        " AND q.port = l.congested_port AND q.priority = l.priority AND"
        " q.end_ps <= l.start_ps HAVING count(*) > 0), ', which nothing paused:"
        " more arrives for it than the link carries.') END FROM chain JOIN"
        " pause_list l USING (pause) JOIN runs USING (run) WHERE run = ?1 "
        "ORDER BY step DESC LIMIT 1",
        id, data, err);
}

/* What the reason of a drop means here. */
static enum st
conclude_drop(struct reader *reader, int64_t id, json_t *data, struct err *err)
{
    return conclude(
        reader,
        "SELECT CASE reason WHEN 'headroom' THEN 'The headroom of this"
        " lossless class was full: it is too small for the link, or the sender"
        " ignored the pause.' WHEN 'ingress' THEN 'The PG and its pool had no"
        " room.' WHEN 'egress' THEN 'The queue had reached its limit.'"
        " WHEN 'wred' THEN 'WRED dropped it because its queue was long and the"
        " packet is not ECN-capable.' WHEN 'no-route' THEN 'The switch had no"
        " route or neighbour for it.' WHEN 'link-down' THEN 'The link, or the"
        " port at one end, was down.' WHEN 'mtu' THEN 'It is longer than the"
        " MTU of the link or of the router interface.' WHEN 'filtered' THEN"
        " 'The switch forwards it nowhere: look at its VLAN and addresses.'"
        " WHEN 'trapped' THEN 'It went to the processor of the switch, which"
        " does not forward it.' WHEN 'fault' THEN 'The scenario asked for this "
        "loss.'"
        " WHEN 'rx-fifo' THEN 'The receive FIFO of the adapter was full.'"
        " WHEN 'watchdog' THEN 'A PFC watchdog had disabled the queue.'"
        " WHEN 'ttl' THEN 'Its TTL had expired: look for a routing loop.'"
        " ELSE 'Reason: ' || reason END FROM drops"
        " WHERE run = ?1 AND drop_id = ?2",
        id, data, err);
}

/* A column as microseconds. */
#define US(column) "printf('%.1f us', 1e-6 * " column ")"

/* The whole run of a flow; of a READ the payload comes from its destination. */
#define SIDE_OF_RUN                                                            \
    " FROM (SELECT *, CASE WHEN reads THEN destination ELSE source END AS"     \
    " data_from, CASE WHEN reads THEN source ELSE destination END AS data_to"  \
    " FROM (SELECT *, EXISTS (SELECT 1 FROM estats e WHERE e.run = t.run AND"  \
    " e.flow = t.flow AND e.operation = 'read') AS reads FROM side_list t))"   \
    " WHERE run = ?1 AND flow = ?2 AND interval = 'run'"

/* Which side makes the flow slow. */
static enum st
conclude_side(struct reader *reader, int64_t id, json_t *data, struct err *err)
{
    /* clang-format off */
    return conclude(
        reader,
        "SELECT CASE WHEN n = 0 THEN 'No operation has ended.'"
        " WHEN side = 'none' THEN 'Nothing makes it slow: an operation takes '"
        " || " US("latency_ps") " || ' on average, and its path and what was"
        " before it need ' || " US("ideal_ps") " || '.'"
        " ELSE CASE side WHEN 'sender' THEN 'The sender, ' || data_from || ','"
        " WHEN 'receiver' THEN 'The receiver, ' || data_to || ','"
        " ELSE 'The network between ' || source || ' and ' || destination END"
        " || ' makes it slow: ' || reason || '. An operation takes ' || "
        US("latency_ps") " || ' on average. Its path and what was before it"
        " need ' || " US("ideal_ps") " || '; the sender adds ' || "
        US("sender_ps") " || ', the network ' || " US("network_ps")
        " || ', and the receiver ' || " US("receiver_ps") " || '.' END"
        SIDE_OF_RUN,
        id, data, err);
    /* clang-format on */
}

#define PARTS(parts) parts, sizeof parts / sizeof parts[0]

static const struct subject subjects[] = {
    {"flow", "SELECT 1 FROM flows WHERE run = ?1 AND flow = ?2",
     PARTS(flow_parts), conclude_flow},
    {"pause", "SELECT 1 FROM pauses WHERE run = ?1 AND pause = ?2",
     PARTS(pause_parts), conclude_pause},
    {"drop", "SELECT 1 FROM drops WHERE run = ?1 AND drop_id = ?2",
     PARTS(drop_parts), conclude_drop},
    {"side", "SELECT 1 FROM sides WHERE run = ?1 AND flow = ?2",
     PARTS(side_parts), conclude_side},
};

#define N_SUBJECTS (sizeof subjects / sizeof subjects[0])

/* Finds the subject called 'name'. */
static const struct subject *
find_subject(const char *name, struct err *err)
{
    struct choices choices;

    for (size_t i = 0; i < N_SUBJECTS; i++) {
        if (!strcmp(subjects[i].name, name)) {
            return &subjects[i];
        }
    }
    choices_init(&choices, name);
    for (size_t i = 0; i < N_SUBJECTS; i++) {
        choices_add(&choices, subjects[i].name);
    }
    err_set(err, ST_INVALID, "usage", "cannot explain '%s'", name);
    (void)choices_explain(&choices, "subject", err);
    return NULL;
}

static enum st
check_exists(struct reader *reader, const struct subject *subject, int64_t id,
             struct err *err)
{
    struct query *query = query_of(reader, subject->exists, id);
    bool row = false;
    const enum st st = query_next(query, &row, err);

    query_finish(query);
    if (!st && !row) {
        err_set(err, ST_INVALID, "unknown", "the run has no %s %lld",
                subject->name, (long long)id);
        err_set_remedy(err, "see orchlab show RUN %ss", subject->name);
        return ST_INVALID;
    }
    return st;
}

/* Prints the parts as tables with titles, those without rows not at all. */
static enum st
print_parts(struct reader *reader, const struct subject *subject, int64_t id,
            struct err *err)
{
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < subject->n; i++) {
        const struct part *part = &subject->parts[i];
        struct query *probe = query_of(reader, part->sql, id);
        bool row = false;
        uint64_t n = 0;

        st = query_next(probe, &row, err);
        query_finish(probe);
        if (!st && row) {
            struct query *query = query_of(reader, part->sql, id);

            printf("%s\n", part->title);
            st = rows_print(query, ROWS_TABLE, "", &n, err);
            printf("\n");
            query_finish(query);
        }
    }
    return st ? st : subject->conclude(reader, id, NULL, err);
}

static enum st
print_json(struct reader *reader, const struct subject *subject, int64_t id,
           struct err *err)
{
    json_t *data = json_object();
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < subject->n; i++) {
        struct query *query = query_of(reader, subject->parts[i].sql, id);
        json_t *rows = NULL;

        st = rows_to_json(query, &rows, err);
        query_finish(query);
        if (!st) {
            json_object_set_new(data, subject->parts[i].name, rows);
        }
    }
    st = st ? st : subject->conclude(reader, id, data, err);
    if (st) {
        json_decref(data);
        return st;
    }
    verb_print_json(data);
    return ST_OK;
}

int
explain_verb(const struct invocation *invocation)
{
    const char *run =
        invocation->n_operands > 2 ? invocation->operands[2] : "last";
    struct reader *reader;
    struct err err = {0};
    const struct subject *subject = find_subject(invocation->operands[0], &err);
    int64_t id;
    enum st st;

    if (!subject) {
        return verb_fail(&err);
    }
    if (parse_s64(invocation->operands[1], 0, INT64_MAX, &id)) {
        err_set(&err, ST_INVALID, "usage", "'%s' is not the number of a %s",
                invocation->operands[1], subject->name);
        return verb_fail(&err);
    }
    if (run_files_open(invocation->folder, run, &reader, &err)) {
        return verb_fail(&err);
    }
    st = check_exists(reader, subject, id, &err);
    st = st                 ? st
         : invocation->json ? print_json(reader, subject, id, &err)
                            : print_parts(reader, subject, id, &err);
    reader_close(reader);
    return st ? verb_fail(&err) : LAB_DONE;
}

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RESULTS_SCHEMA_TABLES_H
#define ORCHD_RESULTS_SCHEMA_TABLES_H

/* The tables and views of a results file, version 9.
 *
 * docs/reference/orchlab.md describes them; scripts/check_docs.py compares.
 * Every table has the number of the run first, so that files can be merged.
 * Times end in _ps, rates in _bps, sizes in _bytes, lengths in _mm. */

/* X(table, columns) */
#define SCHEMA_TABLES(X)                                                       \
    X(runs,                                                                    \
      "run INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, name TEXT NOT NULL," \
      " path TEXT, scenario TEXT, seed INTEGER NOT NULL, version TEXT,"        \
      " started TEXT, state TEXT NOT NULL, reason TEXT,"                       \
      " virtual_ps INTEGER, stop_ps INTEGER, hops INTEGER, drops INTEGER,"     \
      " pauses INTEGER, marks INTEGER, wall_ns INTEGER, hash TEXT,"            \
      " chip TEXT")                                                            \
    X(params, "run INTEGER, name TEXT, value TEXT")                            \
    X(nodes, "run INTEGER, node INTEGER, name TEXT, role TEXT, tier INTEGER")  \
    X(ports, "run INTEGER, node INTEGER, port INTEGER, name TEXT,"             \
             " peer_node INTEGER, peer_port INTEGER, speed_bps INTEGER,"       \
             " length_mm INTEGER")                                             \
    X(groups, "run INTEGER, group_id INTEGER, name TEXT")                      \
    X(flows, "run INTEGER, flow INTEGER, group_id INTEGER, source INTEGER,"    \
             " destination INTEGER, priority INTEGER, state TEXT,"             \
             " error INTEGER, start_ps INTEGER, end_ps INTEGER,"               \
             " bytes INTEGER, packets INTEGER, retransmitted INTEGER,"         \
             " marked INTEGER, cnps INTEGER, timeouts INTEGER,"                \
             " skipped INTEGER, lost INTEGER, cwnd_bytes INTEGER")             \
    X(messages,                                                                \
      "run INTEGER, flow INTEGER, group_id INTEGER, message INTEGER,"          \
      " start_ps INTEGER, end_ps INTEGER, bytes INTEGER,"                      \
      " lost INTEGER")                                                         \
    X(ios, "run INTEGER, io INTEGER, disk TEXT, verb TEXT, client INTEGER,"    \
           " server INTEGER, node INTEGER, copies INTEGER, bytes INTEGER,"     \
           " start_ps INTEGER, end_ps INTEGER, stored_ps INTEGER,"             \
           " front_bytes INTEGER, back_bytes INTEGER")                         \
    X(spans, "run INTEGER, io INTEGER, step INTEGER, name TEXT,"               \
             " from_node INTEGER, to_node INTEGER, start_ps INTEGER,"          \
             " end_ps INTEGER")                                                \
    X(paths, "run INTEGER, flow INTEGER, hop INTEGER, node INTEGER,"           \
             " port INTEGER")                                                  \
    X(pauses, "run INTEGER, pause INTEGER, node INTEGER, port INTEGER,"        \
              " by_node INTEGER, by_port INTEGER, priority INTEGER,"           \
              " start_ps INTEGER, end_ps INTEGER, cause INTEGER,"              \
              " congested_port INTEGER")                                       \
    X(storms, "run INTEGER, node INTEGER, port INTEGER, priority INTEGER,"     \
              " watchdog TEXT, paused_ps INTEGER, detected_ps INTEGER,"        \
              " quiet_ps INTEGER, restored_ps INTEGER")                        \
    X(deadlocks, "run INTEGER, deadlock INTEGER, step INTEGER, node INTEGER,"  \
                 " port INTEGER, priority INTEGER, packets INTEGER,"           \
                 " bytes INTEGER, start_ps INTEGER, found_ps INTEGER,"         \
                 " end_ps INTEGER")                                            \
    X(estats, "run INTEGER, flow INTEGER, interval INTEGER,"                   \
              " start_ps INTEGER, end_ps INTEGER, posted_by TEXT,"             \
              " operation TEXT, status TEXT, n INTEGER, bytes INTEGER,"        \
              " total_mean_ps INTEGER, total_p50_ps INTEGER,"                  \
              " total_p99_ps INTEGER, total_max_ps INTEGER,"                   \
              " nic_mean_ps INTEGER, nic_p50_ps INTEGER, nic_p99_ps INTEGER,"  \
              " nic_max_ps INTEGER, poll_mean_ps INTEGER,"                     \
              " poll_p50_ps INTEGER, poll_p99_ps INTEGER,"                     \
              " poll_max_ps INTEGER, part_post_ps INTEGER,"                    \
              " part_send_ps INTEGER, part_network_ps INTEGER,"                \
              " part_finish_ps INTEGER, part_poll_ps INTEGER")                 \
    X(sides, "run INTEGER, flow INTEGER, interval INTEGER,"                    \
             " start_ps INTEGER, end_ps INTEGER, side TEXT, reason TEXT,"      \
             " n INTEGER, latency_ps INTEGER, ideal_ps INTEGER,"               \
             " sender_ps INTEGER, network_ps INTEGER, receiver_ps INTEGER,"    \
             " bytes INTEGER, retransmitted INTEGER, naks INTEGER,"            \
             " rnr_naks INTEGER, timeouts INTEGER, cnps INTEGER,"              \
             " asked_ps INTEGER, obeyed_ps INTEGER, clock_ps INTEGER")         \
    X(drops, "run INTEGER, drop_id INTEGER, t_ps INTEGER, node INTEGER,"       \
             " port INTEGER, priority INTEGER, reason TEXT, flow INTEGER,"     \
             " psn INTEGER, bytes INTEGER")                                    \
    X(queues, "run INTEGER, node INTEGER, port INTEGER, queue INTEGER,"        \
              " packets INTEGER, bytes INTEGER, dropped INTEGER,"              \
              " marked INTEGER, peak_bytes INTEGER")                           \
    X(marks, "run INTEGER, node INTEGER, port INTEGER, queue INTEGER,"         \
             " packets INTEGER, first_ps INTEGER, first_depth_bytes INTEGER,"  \
             " last_ps INTEGER")                                               \
    X(counters, "run INTEGER, node INTEGER, port INTEGER, priority INTEGER,"   \
                " name TEXT, value INTEGER")                                   \
    X(series, "run INTEGER, series INTEGER, metric TEXT, object TEXT,"         \
              " unit TEXT")                                                    \
    X(samples, "run INTEGER, series INTEGER, t_ps INTEGER, value INTEGER")     \
    X(histograms, "run INTEGER, name TEXT, object TEXT, n INTEGER,"            \
                  " sum INTEGER, min INTEGER, max INTEGER")                    \
    X(hist, "run INTEGER, name TEXT, object TEXT, bucket INTEGER,"             \
            " low INTEGER, high INTEGER, n INTEGER")                           \
    X(oracles, "run INTEGER, oracle TEXT, object TEXT, value REAL")            \
    X(verdicts, "run INTEGER, number INTEGER, text TEXT, passed INTEGER,"      \
                " known INTEGER, value REAL, reason TEXT")                     \
    X(changes, "run INTEGER, number INTEGER, t_ps INTEGER, change TEXT")       \
    X(measurements, "run INTEGER, snapshot TEXT, t_ps INTEGER, object TEXT,"   \
                    " name TEXT, value INTEGER")

#define SCHEMA_OF_NODE(what, column)                                           \
    "(SELECT " what " FROM nodes n WHERE n.run = t.run AND n.node = t." column \
    ")"
#define SCHEMA_NODE(column) SCHEMA_OF_NODE("name", column)
#define SCHEMA_PORT(node, port)                                                \
    "(SELECT name FROM ports p WHERE p.run = t.run AND p.node = t." node       \
    " AND p.port = t." port ")"
#define SCHEMA_GROUP                                                           \
    "(SELECT name FROM groups g WHERE g.run = t.run AND g.group_id ="          \
    " t.group_id)"
#define SCHEMA_OF_FLOW(what)                                                   \
    "(SELECT " what " FROM flow_list f WHERE f.run = t.run AND f.flow ="       \
    " t.flow)"
#define SCHEMA_FLOW_ENDS                                                       \
    SCHEMA_OF_FLOW("group_name")                                               \
    " AS group_name, " SCHEMA_OF_FLOW(                                         \
        "source") " AS source, " SCHEMA_OF_FLOW("destination") " AS "          \
                                                               "destination"
/* The node at the other end of the link of a port. */
#define SCHEMA_PEER                                                            \
    "(SELECT n.name FROM ports p JOIN nodes n ON n.run = p.run AND n.node ="   \
    " p.peer_node WHERE p.run = t.run AND p.node = t.node AND p.port ="        \
    " t.port)"
#define SCHEMA_PLACE                                                           \
    SCHEMA_NODE("node")                                                        \
    " AS node, " SCHEMA_OF_NODE("role", "node") " AS role, " SCHEMA_OF_NODE(   \
        "tier", "node") " AS tier, " SCHEMA_PORT("node", "port") " AS port, "

/* A counter of a port, NULL if it is not there; that of a host, then 0. */
#define SCHEMA_OF_PORT(counter)                                                \
    "(SELECT value FROM counters c WHERE c.run = t.run AND c.node = t.node"    \
    " AND c.port = t.port AND c.name = '" counter "')"
#define SCHEMA_OF_HOST(counter)                                                \
    "coalesce(" SCHEMA_OF_PORT(counter) ", 0) AS " counter

/* Hosts, with the counters of their PCIe; without it, its times are NULL. */
#define SCHEMA_HOSTS                                                           \
    "SELECT run, " SCHEMA_PLACE SCHEMA_OF_HOST(                                \
        "lookup_busy_ps") ", " SCHEMA_OF_HOST("pcie_switch_busy_ps") ", "      \
    SCHEMA_OF_HOST("mtt_hits") ", " SCHEMA_OF_HOST("mtt_misses") ", "          \
    SCHEMA_OF_HOST("context_hits") ", " SCHEMA_OF_HOST("context_misses") ", "  \
    SCHEMA_OF_HOST("rx_bytes") ", " SCHEMA_OF_HOST("loopback_bytes") ", "      \
    SCHEMA_OF_HOST("cpu_busy_ps") ", " SCHEMA_OF_HOST("cpu_messages_ps") ", "  \
    SCHEMA_OF_HOST("cpu_cores") ", "                                           \
    SCHEMA_OF_PORT("pcie_busy_ps") " AS pcie_busy_ps,"                         \
    " EXISTS (SELECT 1 FROM pauses p WHERE p.run = t.run AND p.node ="         \
    " t.node) AS paused, (SELECT nullif(virtual_ps, 0) FROM runs r WHERE"      \
    " r.run = t.run) AS virtual_ps FROM ports t WHERE node IN (SELECT node"    \
    " FROM nodes n WHERE n.run = t.run AND n.tier = -1)"

/* X(view, select): the same with names in place of numbers.  Labels of metrics
 * are columns of these. */
#define SCHEMA_VIEWS(X)                                                        \
    X(flow_list,                                                               \
      "SELECT run, flow, " SCHEMA_GROUP                                        \
      " AS group_name, " SCHEMA_NODE("source") " AS source, " SCHEMA_NODE(     \
          "destination") " AS destination, priority, state, error, start_ps, " \
                         "end_ps,"                                             \
                         " CASE state WHEN 'done' THEN end_ps - start_ps END " \
                         "AS fct_ps, bytes,"                                   \
                         " CASE WHEN end_ps > start_ps THEN bytes * 8e12 / "   \
                         "(end_ps - start_ps)"                                 \
                         " END AS goodput_bps, packets, retransmitted, "       \
                         "marked, cnps, timeouts, skipped, lost, cwnd_bytes"   \
                         " FROM flows t")                                      \
    X(message_list,                                                            \
      "SELECT run, flow, message, " SCHEMA_GROUP                               \
      " AS group_name, " SCHEMA_OF_FLOW(                                       \
          "source") " AS source, " SCHEMA_OF_FLOW("destination") " AS "        \
                                                                 "destination" \
                                                                 ", CASE "     \
                                                                 "lost WHEN "  \
                                                                 "0 THEN "     \
                                                                 "'done' "     \
                                                                 "ELSE "       \
                                                                 "'lost' END " \
                                                                 "AS"          \
                                                                 " state, "    \
                                                                 "start_ps, "  \
                                                                 "end_ps, "    \
                                                                 "end_ps - "   \
                                                                 "start_ps "   \
                                                                 "AS "         \
                                                                 "latency_ps," \
                                                                 " bytes"      \
                                                                 " FROM "      \
                                                                 "messages t") \
    X(io_list,                                                                 \
      "SELECT run, io, disk AS group_name, verb AS name, " SCHEMA_NODE(        \
          "client") " AS source, " SCHEMA_NODE("server") " AS destination, "   \
      SCHEMA_NODE("node") " AS node, copies, bytes, start_ps, end_ps,"         \
      " end_ps - start_ps AS latency_ps, stored_ps - start_ps AS storing_ps,"  \
      " end_ps - stored_ps AS answering_ps, front_bytes, back_bytes"           \
      " FROM ios t")                                                           \
    X(span_list,                                                               \
      "SELECT run, io, step, (SELECT disk FROM ios i WHERE i.run = t.run AND"  \
      " i.io = t.io) AS group_name, name, " SCHEMA_NODE(                       \
          "from_node") " AS source, " SCHEMA_NODE("to_node") " AS"             \
      " destination, start_ps, end_ps, end_ps - start_ps AS duration_ps FROM"  \
      " spans t")                                                              \
    X(pause_list,                                                              \
      "SELECT run, pause, " SCHEMA_PLACE                                       \
          SCHEMA_NODE("by_node") " AS peer, " SCHEMA_PORT(                     \
              "by_node",                                                       \
              "by_port") " AS peer_port,"                                      \
                         " priority, start_ps, end_ps, end_ps - start_ps AS "  \
                         "duration_ps, cause, " SCHEMA_PORT(                   \
                             "by_node",                                        \
                             "congested_port") " AS congested_port FROM "      \
                                               "pauses t")                     \
    X(storm_list,                                                              \
      "SELECT run, " SCHEMA_PLACE SCHEMA_PEER " AS peer, priority,"            \
      " watchdog AS name, paused_ps, detected_ps, quiet_ps, restored_ps,"      \
      " detected_ps - paused_ps AS detection_ps, restored_ps - quiet_ps AS"    \
      " restoration_ps FROM storms t")                                         \
    X(deadlock_list,                                                           \
      "SELECT run, deadlock, step, " SCHEMA_PLACE SCHEMA_PEER " AS peer,"      \
      " priority, packets, bytes, start_ps, found_ps, end_ps, CASE WHEN"       \
      " end_ps IS NULL THEN 'lasting' ELSE 'over' END AS state,"               \
      " coalesce(end_ps, (SELECT virtual_ps FROM runs r WHERE r.run = t.run))" \
      " - start_ps AS duration_ps FROM deadlocks t")                           \
    X(estats_list,                                                             \
      "SELECT run, flow, " SCHEMA_FLOW_ENDS                                    \
      ", coalesce(interval, 'run') AS interval, posted_by, operation AS name," \
      " status AS state, n, bytes, total_mean_ps, total_p99_ps, nic_mean_ps,"  \
      " nic_p99_ps, poll_mean_ps, poll_p99_ps, part_post_ps, part_send_ps,"    \
      " part_network_ps, part_finish_ps, part_poll_ps FROM estats t")          \
    X(side_list,                                                               \
      "SELECT run, flow, " SCHEMA_FLOW_ENDS                                    \
      ", coalesce(interval, 'run') AS interval, side, reason, n, latency_ps,"  \
      " ideal_ps, sender_ps, network_ps, receiver_ps, bytes, retransmitted,"   \
      " naks, rnr_naks, timeouts, cnps, asked_ps, obeyed_ps, clock_ps FROM"    \
      " sides t")                                                              \
    X(drop_list, "SELECT run, drop_id, t_ps, " SCHEMA_PLACE                    \
                 "priority, reason, flow, " SCHEMA_OF_FLOW(                    \
                     "group_name") " AS group_name, psn, bytes FROM drops t")  \
    X(queue_list,                                                              \
      "SELECT *, CASE WHEN first_mark_ps <= coalesce(first_pause_ps,"          \
      " first_mark_ps) THEN 'mark' WHEN first_pause_ps IS NOT NULL THEN"       \
      " 'pause' END AS fired_first FROM"                                       \
      " (SELECT run, " SCHEMA_PLACE SCHEMA_PEER " AS peer, queue AS priority," \
      " packets, bytes, dropped, marked, peak_bytes,"                          \
      " (SELECT first_ps FROM marks m WHERE m.run = t.run AND m.node ="        \
      " t.node AND m.port = t.port AND m.queue = t.queue) AS first_mark_ps,"   \
      " (SELECT min(start_ps) FROM pauses p WHERE p.run = t.run AND"           \
      " p.by_node = t.node AND p.congested_port = t.port AND p.priority ="     \
      " t.queue) AS first_pause_ps FROM queues t)")                            \
    X(link_list,                                                               \
      "SELECT *, tx_bytes * 8e12 / virtual_ps AS rate_bps,"                    \
      " tx_bytes * 8e12 / virtual_ps / speed_bps AS utilization FROM"          \
      " (SELECT run, " SCHEMA_PLACE SCHEMA_PEER " AS peer, speed_bps,"         \
      " length_mm, " SCHEMA_OF_PORT(                                           \
          "tx_bytes") " AS tx_bytes, (SELECT nullif(virtual_ps, 0) FROM"       \
      " runs r WHERE r.run ="                                                  \
      " t.run) AS virtual_ps, (SELECT count(*) FROM paths h WHERE h.run ="     \
      " t.run AND h.node = t.node AND h.port = t.port) AS flows"               \
      " FROM ports t)")                                                        \
    X(host_list,                                                               \
      "SELECT run, node, role, tier, port, paused, pcie_busy_ps * 1.0 /"       \
      " virtual_ps AS pcie_utilization, pcie_switch_busy_ps * 1.0 / virtual_ps"\
      " AS pcie_switch_utilization, loopback_bytes * 1.0 / nullif(rx_bytes +"  \
      " loopback_bytes, 0) AS loopback, CASE WHEN pcie_busy_ps IS NOT NULL"    \
      " THEN lookup_busy_ps * 1.0 / virtual_ps END AS lookup_utilization,"     \
      " mtt_hits, mtt_misses, mtt_hits * 1.0 /"                                \
      " nullif(mtt_hits + mtt_misses, 0) AS mtt_hit_ratio, context_hits,"      \
      " context_misses, context_hits * 1.0 / nullif(context_hits +"            \
      " context_misses, 0) AS context_hit_ratio, nullif(cpu_cores, 0) AS"      \
      " cpu_cores, cpu_busy_ps * 1.0 / nullif(cpu_cores, 0) / virtual_ps AS"   \
      " cpu_utilization, cpu_messages_ps * 1.0 / nullif(cpu_cores, 0) /"       \
      " virtual_ps AS cpu_messages FROM (" SCHEMA_HOSTS ")")                   \
    X(path_list,                                                               \
      "SELECT run, flow, " SCHEMA_OF_FLOW(                                     \
          "group_name") " AS group_name, hop,"                                 \
                        " " SCHEMA_PLACE SCHEMA_PEER " AS peer FROM paths t")  \
    X(counter_list,                                                            \
      "SELECT run, " SCHEMA_PLACE "priority, name, value FROM counters t")     \
    X(sample_list,                                                             \
      "SELECT t.run, s.metric AS name, s.object AS object, t_ps, value,"       \
      " s.unit AS unit FROM samples t JOIN series s ON s.run = t.run AND"      \
      " s.series = t.series")                                                  \
    X(oracle_list, "SELECT run, oracle AS name, object, value FROM oracles t")

/* For the lookups of the views. */
#define SCHEMA_INDEXES                                                         \
    "CREATE INDEX nodes_by_number ON nodes (run, node);"                       \
    "CREATE INDEX ports_by_number ON ports (run, node, port);"                 \
    "CREATE INDEX groups_by_number ON groups (run, group_id);"                 \
    "CREATE INDEX flows_by_number ON flows (run, flow);"                       \
    "CREATE INDEX ios_by_number ON ios (run, io);"                             \
    "CREATE INDEX paths_by_port ON paths (run, node, port);"                   \
    "CREATE INDEX marks_by_queue ON marks (run, node, port, queue);"           \
    "CREATE INDEX counters_by_port ON counters (run, node, port, name);"       \
    "CREATE INDEX pauses_by_node ON pauses (run, node);"                       \
    "CREATE INDEX pauses_by_congestion ON pauses"                              \
    " (run, by_node, congested_port, priority);"                               \
    "CREATE INDEX open_pauses ON pauses (run) WHERE end_ps IS NULL;"

/* Made when the run ends, as it would slow down a run with many samples. */
#define SCHEMA_LATE_INDEXES                                                    \
    "CREATE INDEX samples_by_series ON samples (run, series, t_ps);"

/* Made when a sweep ends: its tables are looked up by name. */
#define SCHEMA_SWEEP_INDEXES                                                   \
    "CREATE INDEX params_by_name ON params (run, name);"                       \
    "CREATE INDEX verdicts_by_run ON verdicts (run, number);"                  \
    "CREATE INDEX measurements_by_name ON measurements"                        \
    " (object, name, snapshot, run);"

#endif /* results/schema_tables.h */

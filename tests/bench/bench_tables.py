#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""All buffer and QoS tables at once, at three sizes of switch.

    bench_tables.py [PORTS...]               (default: 32 128 512)

Per port there are 8 BUFFER_PG, 20 BUFFER_QUEUE and 8 QUEUE rows, all of the
latter with a scheduler and two with a WRED profile, and a PORT_QOS_MAP; for all
of them 3 pools, 4 profiles, and maps.  Run by "make bench"; needs top_srcdir
and top_builddir in the environment.  Prints one JSON object per line:

  tables_objects      from the first row written to an empty database until the
                      last write to ASIC_DB, as another client sees it
  tables_answers      until the summary says that every row is applied
  tables_change_one   from one HSET of dynamic_th until ASIC_DB has it, median
                      of 200: must not grow with the number of ports
  tables_cpu          what orchd has used of a processor until all is applied,
                      which other load on the machine does not disturb
  tables_rss          resident memory of orchd then, the twin in it included"""

import os
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bench_daemon  # noqa: E402  (the path is set above)
from bench_daemon import harness  # noqa: E402

N_RUNS = 3


def intent(n_ports):
    """The rows of a switch with 'n_ports' ports."""
    rows = {key: fields for key, fields in bench_daemon.generated(0).items()}
    rows["PFC_PRIORITY_TO_PRIORITY_GROUP_MAP|AZURE"] = {"3": "3", "4": "4"}
    rows["MAP_PFC_PRIORITY_TO_QUEUE|AZURE"] = {"3": "3", "4": "4"}
    rows["SCHEDULER|lossless"] = {"type": "DWRR", "weight": "15"}
    rows["SCHEDULER|lossy"] = {"type": "DWRR", "weight": "14"}
    rows["WRED_PROFILE|AZURE_LOSSLESS"] = {
        "wred_green_enable": "true", "green_min_threshold": "250000",
        "green_max_threshold": "1048576", "green_drop_probability": "5",
        "ecn": "ecn_all"}
    for i in range(n_ports):
        port = f"Ethernet{i}"
        rows[f"PORT|{port}"] = {"lanes": str(i + 1), "speed": "100000",
                                "mtu": "9100", "admin_status": "up"}
        rows[f"PORT_QOS_MAP|{port}"] = {
            "dscp_to_tc_map": "AZURE", "tc_to_queue_map": "AZURE",
            "tc_to_pg_map": "AZURE", "pfc_to_pg_map": "AZURE",
            "pfc_to_queue_map": "AZURE", "pfc_enable": "3,4"}
        for j in range(20):
            kind = "lossless" if j in (3, 4) else "lossy"
            rows[f"BUFFER_QUEUE|{port}|{j}"] = {"profile": f"egress_{kind}"}
            if j < 8:
                rows[f"BUFFER_PG|{port}|{j}"] = {"profile": f"ingress_{kind}"}
                queue = {"scheduler": kind}
                if kind == "lossless":
                    queue["wred_profile"] = "AZURE_LOSSLESS"
                rows[f"QUEUE|{port}|{j}"] = queue
    return rows


class Watcher(threading.Thread):
    """Another client, which notes when ASIC_DB was written to last."""

    def __init__(self, client):
        super().__init__(daemon=True)
        self.client = client
        self.last = None
        client("PSUBSCRIBE", f"__keyspace@{harness.ASIC_DB}__:*")
        self.start()

    def run(self):
        try:
            while self.client.socket.recv(1 << 20):
                self.last = time.monotonic()
        except OSError:
            pass  # The test is over.


class Bench(bench_daemon.Bench):

    def applied(self, client):
        summary = client.hash(harness.STATE_DB, "ORCHD_SUMMARY|global")
        return summary.get("applied") == str(len(self.rows))

    def cpu_s(self):
        with open(f"/proc/{self.orchd_process.pid}/stat",
                  encoding="utf-8") as file:
            fields = file.read().rpartition(")")[2].split()
        return ((int(fields[11]) + int(fields[12])) /
                os.sysconf("SC_CLK_TCK"))

    def apply(self):
        """Returns the seconds until the last object, the last answer, and those
        of the processor."""
        self.client_ = client = self.start_redis()
        self.start_orchd()
        self.wait_log("redis-up")
        watcher = Watcher(self.client())
        before = self.cpu_s()
        start = time.monotonic()
        client.pipeline(harness.as_commands(self.rows))
        harness.wait_until(lambda: self.applied(client),
                           "every row is applied")
        end = time.monotonic()
        return watcher.last - start, end - start, self.cpu_s() - before


def main():
    for n_ports in map(int, sys.argv[1:] or (32, 128, 512)):
        rows = intent(n_ports)
        params = {"ports": n_ports, "rows": len(rows)}
        runs, medians, rss = [], [], []
        for _ in range(N_RUNS):
            bench = Bench(rows)
            bench.setUp()
            try:
                runs.append(bench.apply())
                rss.append(bench.rss_kb())
                medians.append(bench.change()[bench_daemon.N_CHANGES // 2])
            finally:
                bench.tearDown()
        for name, took in zip(("objects", "answers", "cpu"), zip(*runs)):
            bench_daemon.emit("tables_" + name, params,
                              sorted(took)[N_RUNS // 2] * 1e3, "ms")
        bench_daemon.emit("tables_change_one", params,
                          sorted(medians)[N_RUNS // 2] * 1e3, "ms")
        bench_daemon.emit("tables_rss", params,
                          sorted(rss)[N_RUNS // 2] / 1024, "MiB")


if __name__ == "__main__":
    main()

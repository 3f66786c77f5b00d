#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the dynamic buffer model costs a user: the daemon, a real redis-server,
the twin.

    bench_model.py [PORTS...]                (default: 32 512)

Run by "make bench"; needs top_srcdir and top_builddir in the environment.
Prints one JSON object per line:

  model_apply     from the first row written to an empty database, with an empty
                  ASIC behind, until every row is answered
  model_cable     from one HSET of a cable until the other profile of its port
                  is in APPL_DB, where it comes after the ASIC; median and p99
                  of 200
  model_ratio     from one HSET of over_subscribe_ratio, on and off, which
                  changes all profiles and pools, until all of it is applied
  model_ratio_calls     the SAI calls of that
"""

import json
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bench_daemon  # noqa: E402  (the path is set above)
import harness       # noqa: E402  (bench_daemon has set the path)

N_CHANGES = 200
N_RUNS = 3

ASIC_TABLE = [{"ASIC_TABLE:VS-ASIC": {
    "cell_size": "128", "pipeline_latency": "18", "mac_phy_delay": "0.8",
    "peer_response_time": "3.8"}, "OP": "SET"}]
CABLES = "CABLE_LENGTH|AZURE"
DEFAULTS = "DEFAULT_LOSSLESS_BUFFER_PARAMETER|AZURE"


def rows_of(n_ports):
    """Ports of 100G with cables of five lengths, two lossless groups and lossy
    queues; headroom is shared."""
    lengths = ("5m", "15m", "40m", "100m", "300m")
    rows = {
        "DEVICE_METADATA|localhost": {"buffer_model": "dynamic",
                                      "platform": "x86_64-kvm_x86_64-r0"},
        DEFAULTS: {"default_dynamic_th": "0", "over_subscribe_ratio": "2"},
        CABLES: {f"Ethernet{i}": lengths[i % 5] for i in range(n_ports)},
        "BUFFER_POOL|ingress_lossless_pool": {"type": "ingress",
                                              "mode": "dynamic"},
        "BUFFER_POOL|egress_lossy_pool": {"type": "egress", "mode": "dynamic"},
        "BUFFER_PROFILE|egress_lossy_profile": {
            "pool": "egress_lossy_pool", "size": "1518", "dynamic_th": "3"},
    }
    for i in range(n_ports):
        port = f"Ethernet{i}"
        rows[f"PORT|{port}"] = {"lanes": str(i + 1), "speed": "100000",
                                "admin_status": "up"}
        rows[f"BUFFER_PG|{port}|3-4"] = {"profile": "NULL"}
        rows[f"BUFFER_QUEUE|{port}|0-2"] = {"profile": "egress_lossy_profile"}
    return rows


class Bench(bench_daemon.Bench):

    def start_orchd(self, *options, redis=None):
        path = os.path.join(self.directory, "asic.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(ASIC_TABLE, file)
        super().start_orchd("--set", "asic_table=" + path, *options,
                            redis=redis)

    def cable(self):
        """Returns the sorted times of N_CHANGES changes of one cable."""
        listener = self.client()
        listener("SUBSCRIBE", f"__keyspace@{harness.APPL_DB}__:"
                              "BUFFER_PG_TABLE:Ethernet0:3-4")
        self.client_.on(harness.CONFIG_DB, "PING")
        took = []
        for i in range(N_CHANGES):
            start = time.monotonic()
            self.client_("HSET", CABLES, "Ethernet0", ("40m", "5m")[i % 2])
            listener.read()
            took.append(time.monotonic() - start)
        return sorted(took)

    def calls(self):
        answer = self.control("show", "sai-stats")
        return sum(op["calls"] for op in answer["data"]["sai_stats"])

    def ratio(self):
        """Returns the middle time of a change of the ratio, and the most SAI
        calls that one took."""
        took, calls = [], []
        for i in range(2 * N_RUNS):
            before = self.calls()
            start = time.monotonic()
            self.client_.on(harness.CONFIG_DB, "HSET", DEFAULTS,
                            "over_subscribe_ratio", ("0", "2")[i % 2])
            answer = self.control("config", "sync")
            assert answer["exit"] == 0, answer
            took.append(time.monotonic() - start)
            calls.append(self.calls() - before)
        return sorted(took)[N_RUNS], max(calls)


def measure(n_ports):
    rows = rows_of(n_ports)
    params = {"ports": n_ports, "rows": len(rows)}
    applies = []
    for _ in range(N_RUNS):
        bench = Bench(rows)
        bench.setUp()
        try:
            applies.append(bench.apply())
            took = bench.cable()
            ratio, calls = bench.ratio()
        finally:
            bench.tearDown()
    bench_daemon.emit("model_apply", params, sorted(applies)[N_RUNS // 2] * 1e3,
                      "ms")
    bench_daemon.emit("model_cable_median", params, took[N_CHANGES // 2] * 1e3,
                      "ms")
    bench_daemon.emit("model_cable_p99", params,
                      took[N_CHANGES * 99 // 100] * 1e3, "ms")
    bench_daemon.emit("model_ratio", params, ratio * 1e3, "ms")
    bench_daemon.emit("model_ratio_calls", params, calls, "calls")


def main():
    for n_ports in [int(word) for word in sys.argv[1:]] or (32, 512):
        measure(n_ports)


if __name__ == "__main__":
    main()

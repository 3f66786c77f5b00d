#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a user waits for: the daemon, a real redis-server, the twin.

    bench_daemon.py [CONFIG_DB.json...]      (default: the example, and 512
                                              generated ports)

Run by "make bench"; needs top_srcdir and top_builddir in the environment.
Prints one JSON object per line:

  apply           from the first row written to an empty database, with an
                  empty ASIC behind, until the summary says that every row is
                  answered; the objects are in the ASIC and in ASIC_DB before
  change_one      from one HSET of a profile until the attribute is in ASIC_DB
                  (SAI has it before that), median and p99 of 200
  rss             resident memory of orchd with the configuration applied
"""

import json
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "integration"))
import harness  # noqa: E402  (the path is set above)

N_CHANGES = 200
N_RUNS = 3


def generated(n_ports):
    """A leaf of 'n_ports' ports, with 8 PGs and 8 queues configured each."""
    rows = {
        "DEVICE_METADATA|localhost": {"hwsku": "generated"},
        "BUFFER_POOL|ingress_lossless_pool":
            {"type": "ingress", "mode": "dynamic", "size": "100000000"},
        "BUFFER_POOL|egress_lossless_pool":
            {"type": "egress", "mode": "static", "size": "160000000"},
        "BUFFER_POOL|egress_lossy_pool":
            {"type": "egress", "mode": "dynamic", "size": "80000000"},
        "BUFFER_PROFILE|ingress_lossless":
            {"pool": "ingress_lossless_pool", "size": "2048", "xon": "2048",
             "xoff": "40960", "dynamic_th": "-2"},
        "BUFFER_PROFILE|ingress_lossy":
            {"pool": "ingress_lossless_pool", "size": "0", "dynamic_th": "3"},
        "BUFFER_PROFILE|egress_lossless":
            {"pool": "egress_lossless_pool", "size": "0",
             "static_th": "160000000"},
        "BUFFER_PROFILE|egress_lossy":
            {"pool": "egress_lossy_pool", "size": "0", "dynamic_th": "3"},
        "DSCP_TO_TC_MAP|AZURE": {str(d): str(d // 8) for d in range(64)},
        "TC_TO_QUEUE_MAP|AZURE": {str(t): str(t) for t in range(8)},
        "TC_TO_PRIORITY_GROUP_MAP|AZURE": {str(t): str(t) for t in range(8)},
    }
    for i in range(n_ports):
        port = f"Ethernet{i}"
        rows[f"PORT|{port}"] = {"lanes": str(i + 1), "speed": "100000",
                                "mtu": "9100", "admin_status": "up"}
        rows[f"PORT_QOS_MAP|{port}"] = {
            "dscp_to_tc_map": "AZURE", "tc_to_queue_map": "AZURE",
            "tc_to_pg_map": "AZURE", "pfc_enable": "3,4"}
        for j in range(8):
            kind = "lossless" if j in (3, 4) else "lossy"
            rows[f"BUFFER_PG|{port}|{j}"] = {"profile": f"ingress_{kind}"}
            rows[f"BUFFER_QUEUE|{port}|{j}"] = {"profile": f"egress_{kind}"}
    return rows


class Bench(harness.System):
    """A redis-server and an orchd for one measurement of 'rows'."""

    def __init__(self, rows):
        super().__init__()
        self.rows = rows
        self.client_ = None

    def runTest(self):
        """Needed by unittest; the measurements are called by name."""

    def answered(self, client, n_rows):
        summary = client.hash(harness.STATE_DB, "ORCHD_SUMMARY|global")
        states = ("applied", "waiting", "rejected", "failed", "shadowed",
                  "unsupported")
        return sum(int(summary.get(s, 0)) for s in states) >= n_rows

    def apply(self):
        """Returns the seconds until every row is answered."""
        self.client_ = client = self.start_redis()
        self.start_orchd()
        self.wait_log("redis-up")
        start = time.monotonic()
        client.pipeline(harness.as_commands(self.rows))
        harness.wait_until(lambda: self.answered(client, len(self.rows)),
                           "every row is answered")
        return time.monotonic() - start

    def change(self):
        """Returns the sorted times of N_CHANGES single changes."""
        client = self.client_
        profile = next(k for k, f in self.rows.items()
                       if k.startswith("BUFFER_PROFILE|") and "dynamic_th" in f)
        oid = self.asic_key(client, profile)
        listener = self.client()
        listener("SUBSCRIBE", f"__keyspace@{harness.ASIC_DB}__:{oid}")
        client.on(harness.CONFIG_DB, "PING")
        took = []
        for i in range(N_CHANGES):
            start = time.monotonic()
            client("HSET", profile, "dynamic_th", str(i % 2 + 1))
            listener.read()
            took.append(time.monotonic() - start)
        return sorted(took)

    @staticmethod
    def asic_key(client, name):
        """The key in ASIC_DB of the profile that changes when this one does."""
        before = client.hashes(harness.ASIC_DB, "*BUFFER_PROFILE:*")
        client.on(harness.CONFIG_DB, "HSET", name, "dynamic_th", "-5")
        th = "SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH"

        def changed():
            after = client.hashes(harness.ASIC_DB, "*BUFFER_PROFILE:*")
            return next((k for k in after if before.get(k, {}).get(th) != "-5"
                         and after[k].get(th) == "-5"), None)

        return harness.wait_until(changed, "the change is in ASIC_DB")

    def rss_kb(self):
        with open(f"/proc/{self.orchd_process.pid}/status",
                  encoding="utf-8") as file:
            line = next(x for x in file if x.startswith("VmRSS"))
        return int(line.split()[1])


def emit(name, config, value, unit):
    print(json.dumps({"bench": name, "params": config,
                      "value": round(value, 3), "unit": unit}), flush=True)


def measure(label, rows):
    params = {"config": label,
              "ports": sum(k.startswith("PORT|") for k in rows),
              "rows": len(rows)}
    applies, medians, p99s, rss = [], [], [], []
    for _ in range(N_RUNS):
        bench = Bench(rows)
        bench.setUp()
        try:
            applies.append(bench.apply())
            rss.append(bench.rss_kb())
            took = bench.change()
            medians.append(took[N_CHANGES // 2])
            p99s.append(took[N_CHANGES * 99 // 100])
        finally:
            bench.tearDown()
    middle = N_RUNS // 2
    emit("apply", params, sorted(applies)[middle] * 1e3, "ms")
    emit("change_one_median", params, sorted(medians)[middle] * 1e3, "ms")
    emit("change_one_p99", params, sorted(p99s)[middle] * 1e3, "ms")
    emit("rss", params, sorted(rss)[middle] / 1024, "MiB")


def main():
    paths = sys.argv[1:]
    for path in paths:
        measure(os.path.basename(path), harness.rows_of(path))
    if not paths:
        example = os.path.join(harness.SOURCE, "examples",
                               "leaf-32x100g.config_db.json")
        measure(os.path.basename(example), harness.rows_of(example))
        measure("generated", generated(512))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long rows wait while orchctl asks for something expensive.

    bench_requests.py [PORTS [NAME...]]   (default: 512, all requests)

Run by "make bench"; needs top_srcdir and top_builddir in the environment.  A
client changes a profile again and again; meanwhile another one makes each of
the requests below, again and again for at least a second.  One JSON object per
request and line:

  request         how long one took, median
  row_p99         from HSET to the attribute in ASIC_DB, p99 of all changes
  row_max         the longest
  longest_turn    processor time of the longest turn of the loop: how long rows
                  wait on a machine that does nothing else (turn_clock.c, with
                  the compiler $CC, or cc; left out if there is none)
"""

import json
import mmap
import os
import shlex
import struct
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bench_daemon  # noqa: E402  (the path is set above)
from bench_daemon import harness  # noqa: E402

SECONDS = 1
SEND = {"from": "Ethernet0", "to": "Ethernet1", "size": 200}


def requests(rows, generation=1):
    """Names and requests (noun, verb, arguments)."""
    tables = {}
    for key, fields in rows.items():
        table, _, name = key.partition("|")
        tables.setdefault(table, {})[name] = fields
    shows = ("drops", "live", "maps", "pauses", "pfc", "pgs", "pools", "ports",
             "profiles", "queues", "sai-stats", "schedulers", "status",
             "waiting", "watchdog", "watermarks", "wred")
    profile = next(k for k in rows if k.startswith("BUFFER_PROFILE|"))
    tables.pop("BUFFER_PROFILE")  # Its changes are measured.
    ports = tables["PORT"]
    queues = [{"kind": "queue", "name": port, "index": i}
              for port in ports for i in range(8)]
    return [("none", None),
            *[(f"show {verb}", ("show", verb, {})) for verb in shows],
            ("show queues all", ("show", "queues", {"all": True})),
            ("show ports stats", ("show", "ports", {"stats": True})),
            ("config status", ("config", "status", {})),
            ("config explain", ("config", "explain", {"row": profile})),
            ("config lint", ("config", "lint", {})),
            ("config diff", ("config", "diff", {})),
            ("config history", ("config", "history", {})),
            ("config history-diff",
             ("config", "history-diff", {"from": generation})),
            ("config rollback-plan",
             ("config", "rollback-plan", {"generation": generation})),
            ("config wait", ("config", "wait", {"row": profile})),
            ("config save", ("config", "save", {})),
            ("config load", ("config", "load", {"tables": tables})),
            ("config sync", ("config", "sync", {})),
            ("asic snapshot", ("asic", "snapshot", {})),
            ("asic snapshot queues", ("asic", "snapshot",
                                      {"objects": queues})),
            ("asic clear", ("asic", "clear", {"objects": queues})),
            ("asic block", ("asic", "block", {"ports": list(ports)})),
            ("asic unblock", ("asic", "unblock", {"ports": list(ports)})),
            ("asic chip", ("asic", "chip", {})),
            ("asic send 1M", ("asic", "send", {**SEND, "count": 1000000})),
            ("asic settle", ("asic", "settle", {})),
            ("asic run 1 s", ("asic", "run", {"ns": 1000000000})),
            ("asic run, storms", ("asic", "run", {"ns": 200000})),
            ("asic send, storms", ("asic", "send", {**SEND, "count": 10000}))]


class TurnClock:
    """The longest turn of orchd; None if it cannot be measured."""

    def __init__(self, directory):
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                              "turn_clock.c")
        self.library = os.path.join(directory, "turn_clock.so")
        self.file = os.path.join(directory, "turns")
        with open(self.file, "wb") as file:
            file.write(bytes(24))
        command = [*shlex.split(os.environ.get("CC", "cc")), "-shared",
                   "-fPIC", "-O2", "-o", self.library, source, "-ldl"]
        try:
            subprocess.run(command, check=True)
        except (OSError, subprocess.CalledProcessError):
            self.library = None
        with open(self.file, "r+b") as file:
            self.numbers = mmap.mmap(file.fileno(), 24)

    def environment(self):
        if not self.library:
            return {}
        return {"LD_PRELOAD": self.library, "TURN_CLOCK": self.file}

    def begin(self):
        self.numbers[:] = bytes(24)

    def longest_ms(self):
        longest, count, _ = struct.unpack("3Q", self.numbers[:])
        return longest / 1e6 if count else None


class Changes(threading.Thread):
    """Changes a profile until it is stopped, and measures each change."""

    def __init__(self, bench):
        super().__init__()
        self.profile = next(
            k for k, f in bench.rows.items()
            if k.startswith("BUFFER_PROFILE|") and "dynamic_th" in f)
        self.client = bench.client()
        self.listener = bench.client()
        oid = bench.asic_key(self.client, self.profile)
        self.listener("SUBSCRIBE", f"__keyspace@{harness.ASIC_DB}__:{oid}")
        self.client.on(harness.CONFIG_DB, "PING")
        self.took = []
        self.ended = False

    def run(self):
        value = 1
        while not self.ended:
            start = time.monotonic()
            self.client("HSET", self.profile, "dynamic_th", str(value))
            self.listener.read()
            self.took.append(time.monotonic() - start)
            value = 3 - value


def storm(bench, rows, priorities):
    """All peers send a pause frame each microsecond; or none."""
    if priorities == bench.storms:
        return
    bench.storms = priorities
    for key in rows:
        table, _, port = key.partition("|")
        if table == "PORT":
            answer = bench.control("asic", "storm", port=port, interval_us=1,
                                   priorities=priorities)
            if answer["exit"]:
                raise AssertionError(answer)


def measure(bench, clock, name, request):
    changes = Changes(bench)
    changes.start()
    took = []
    begin = time.monotonic()
    clock.begin()
    while time.monotonic() < begin + SECONDS:
        start = time.monotonic()
        if request:
            noun, verb, arguments = request
            answer = bench.control(noun, verb, **arguments)
            if answer["exit"] == 2:
                raise AssertionError(answer)
        else:
            threading.Event().wait(SECONDS)
        took.append(time.monotonic() - start)
    changes.ended = True
    changes.join()
    longest = clock.longest_ms()
    rows = sorted(changes.took)
    params = {"request": name, "changes": len(rows), "requests": len(took)}
    bench_daemon.emit("request", params, sorted(took)[len(took) // 2] * 1e3,
                      "ms")
    bench_daemon.emit("row_p99", params, rows[len(rows) * 99 // 100] * 1e3,
                      "ms")
    bench_daemon.emit("row_max", params, rows[-1] * 1e3, "ms")
    if longest is not None:
        bench_daemon.emit("longest_turn", params, longest, "ms")


def main():
    rows = bench_daemon.generated(int(sys.argv[1]) if sys.argv[1:] else 512)
    only = sys.argv[2:]
    bench = bench_daemon.Bench(rows)
    bench.storms = "none"
    bench.setUp()
    try:
        state = os.path.join(bench.directory, "state")
        bench.client_ = client = bench.start_redis()
        client.pipeline(harness.as_commands(rows) +
                        [("SET", "CONFIG_DB_INITIALIZED", "1")])
        clock = TurnClock(bench.directory)
        os.environ.update(clock.environment())
        bench.start_orchd("--state-dir", state)
        for variable in clock.environment():
            del os.environ[variable]
        harness.wait_until(lambda: bench.answered(client, len(rows)),
                           "every row is answered")
        generation = bench.control("config", "comment", comment="begin")[
            "data"]["generation"]
        for name, request in requests(rows, generation):
            if not only or name in only:
                storm(bench, rows, "3" if name.endswith("storms") else "none")
                measure(bench, clock, name, request)
    finally:
        bench.tearDown()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long one change takes while another client never stops writing.

    bench_churn.py [PORTS [CHANGES_PER_S [SECONDS]]]    (default: 514 20000 20)

A client changes the profile of priority groups of all ports in turn, at that
rate, in batches every 5 ms; all tables of bench_tables.py are there.  Run by
"make bench"; needs top_srcdir and top_builddir in the environment.  Prints one
JSON object per line:

  churn_change_median  from one HSET of another profile until ASIC_DB has it
  churn_change_p99     ... of all changes in that time
  churn_cpu            share of a core that orchd takes
  backlog_turn         processor time of the longest turn of the loop after all
                       these changes have been made while orchd was stopped
                       (turn_clock.c; left out without a compiler)
  churn_late           by how much the client itself was late at most: a machine
                       that does other work delays everything

A machine with less than two free cores measures its scheduler: run it alone."""

import os
import random
import signal
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bench_daemon  # noqa: E402  (the path is set above)
import bench_requests  # noqa: E402
import bench_tables  # noqa: E402
from bench_daemon import harness  # noqa: E402

TICK_S = 0.005
PAUSE_S = 0.003  # Between two measured changes.
PROBE = "BUFFER_PROFILE|probe"
PROFILES = ("ingress_lossy", "ingress_other")
LOSSY = (0, 1, 2, 5, 6, 7)


def intent(n_ports):
    """All tables, and the two profiles that change."""
    rows = bench_tables.intent(n_ports)
    lossy = rows["BUFFER_PROFILE|ingress_lossy"]
    rows["BUFFER_PROFILE|ingress_other"] = dict(lossy, dynamic_th="1")
    rows[PROBE] = dict(lossy, dynamic_th="2")
    return rows


def changes(n_ports):
    """Each priority group gets the other profile, then the first one again."""
    rng = random.Random(1)
    keys = [f"BUFFER_PG|Ethernet{i}|{j}" for i in range(n_ports)
            for j in LOSSY]
    commands = []
    for profile in reversed(PROFILES):
        rng.shuffle(keys)
        commands += [("HSET", key, "profile", profile) for key in keys]
    return commands


class Writer(threading.Thread):
    """Writes 'commands' again and again, 'rate' per second, until end()."""

    def __init__(self, client, commands, rate):
        super().__init__(daemon=True)
        self.client = client
        size = max(1, int(rate * TICK_S))
        self.size = size
        self.batches = [b"".join(client.encode(c) for c in commands[i:i + size])
                        for i in range(0, len(commands) - size + 1, size)]
        self.sent = 0
        self.late_s = 0.0
        self.ended = False
        client.on(harness.CONFIG_DB, "PING")
        self.reader = threading.Thread(target=self.read, daemon=True)

    def read(self):
        """Takes the answers, which are numbers."""
        try:
            while self.client.socket.recv(1 << 20):
                pass
        except OSError:
            pass  # The test is over.

    def run(self):
        self.reader.start()
        due = time.monotonic()
        i = 0
        while not self.ended:
            self.client.socket.sendall(self.batches[i])
            self.sent += self.size
            i = (i + 1) % len(self.batches)
            due += TICK_S
            now = time.monotonic()
            self.late_s = max(self.late_s, now - due)
            if due > now:
                threading.Event().wait(due - now)

    def end(self):
        self.ended = True
        self.join()


class Bench(bench_tables.Bench):

    def begin(self, n_ports, *options):
        self.client_ = client = self.start_redis()
        client.pipeline(harness.as_commands(self.rows) +
                        [("SET", "CONFIG_DB_INITIALIZED", "1")])
        self.start_orchd(*options)
        harness.wait_until(lambda: self.applied(client),
                           "every row is applied")
        return changes(n_ports)

    def probe(self, seconds):
        """Returns the sorted times of changes of one profile."""
        client = self.client_
        oid = self.asic_key(client, PROBE)
        listener = self.client()
        listener("SUBSCRIBE", f"__keyspace@{harness.ASIC_DB}__:{oid}")
        client.on(harness.CONFIG_DB, "PING")
        took, value = [], 1
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            start = time.monotonic()
            client("HSET", PROBE, "dynamic_th", str(value))
            listener.read()
            took.append(time.monotonic() - start)
            value = 3 - value
            threading.Event().wait(PAUSE_S)
        listener.close()
        return sorted(took)


def backlog(n_ports):
    """Returns the longest turn, in milliseconds, of an orchd with a backlog of
    notifications; None if it cannot be measured."""
    bench = Bench(intent(n_ports))
    bench.setUp()
    try:
        clock = bench_requests.TurnClock(bench.directory)
        os.environ.update(clock.environment())
        commands = bench.begin(n_ports)
        for variable in clock.environment():
            del os.environ[variable]
        pid = bench.orchd_process.pid
        bench.control("config", "sync")
        os.kill(pid, signal.SIGSTOP)
        bench.client_.pipeline([("SELECT", harness.CONFIG_DB)] + commands)
        clock.begin()
        os.kill(pid, signal.SIGCONT)
        bench.control("config", "sync")
        return clock.longest_ms()
    finally:
        bench.tearDown()


def main():
    n_ports, rate, seconds = (
        int(sys.argv[i]) if len(sys.argv) > i else default
        for i, default in ((1, 514), (2, 20000), (3, 20)))
    bench = Bench(intent(n_ports))
    bench.setUp()
    try:
        commands = bench.begin(n_ports)
        for name, wanted in (("quiet", 0), ("churn", rate)):
            params = {"ports": n_ports, "changes_per_s": wanted}
            writer = Writer(bench.client(), commands, wanted or 1)
            if wanted:
                writer.start()
            begin, cpu = time.monotonic(), bench.cpu_s()
            took = bench.probe(seconds if wanted else 2)
            share = (bench.cpu_s() - cpu) / (time.monotonic() - begin)
            if wanted:
                writer.end()
            bench_daemon.emit(name + "_change_median", params,
                              took[len(took) // 2] * 1e3, "ms")
            bench_daemon.emit(name + "_change_p99", params,
                              took[len(took) * 99 // 100] * 1e3, "ms")
            bench_daemon.emit(name + "_cpu", params, share * 100, "%")
        bench_daemon.emit("churn_late", params, writer.late_s * 1e3, "ms")
    finally:
        bench.tearDown()
    longest = backlog(n_ports)
    if longest is not None:
        bench_daemon.emit("backlog_turn", {"ports": n_ports}, longest, "ms")


if __name__ == "__main__":
    main()

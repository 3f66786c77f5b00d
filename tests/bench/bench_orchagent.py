# SPDX-License-Identifier: Apache-2.0
"""How fast orchd publishes for orchagent (output=orchagent).

Prints the time from the command that fills an empty CONFIG_DB with 32 ports
until the last row of APPL_DB is published, and from the command that changes a
profile until that is; both by the clock of Redis (MONITOR), so that the time of
this script does not count.  On a machine that does other work, the processor
time of orchd says more.  The same change is then made for a client that has
nothing to judge (bare_publisher.c): what is left is Redis and the machine.

    make tests/bench/bare_publisher
    top_srcdir=DIR top_builddir=BUILD python3 tests/bench/bench_orchagent.py
"""

import os
import re
import statistics
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "integration"))
from harness import (APPL_DB, BUILD, CONFIG_DB, SOURCE, STATE_DB, System,  # noqa: E402
                     as_commands, rows_of, wait_until)

sys.path.insert(0, os.path.join(SOURCE, "tests", "support"))
from orchagent_double import TABLES, Double  # noqa: E402

EXAMPLE = os.path.join(SOURCE, "examples", "leaf-32x100g.config_db.json")
BARE = os.path.join(BUILD, "tests", "bench", "bare_publisher")
N_FILLS, N_CHANGES = 5, 200


class Bench(System):

    def lines(self, monitor, client):
        """What Redis has executed: (seconds, words)."""
        client("ECHO", "the end")
        found = []
        while True:
            line = monitor.read()
            words = re.findall(r'"((?:[^"\\]|\\.)*)"', line)
            if words[:2] == ["ECHO", "the end"]:
                return found
            if words:
                found.append((float(line.split()[0]), words))

    def published(self, client, n):
        return sum(client.on(APPL_DB, "SCARD", table + "_TABLE_KEY_SET")
                   for table in TABLES) >= n

    def processor_ms(self):
        """What orchd has used so far."""
        path = f"/proc/{self.orchd_process.pid}/schedstat"
        with open(path, encoding="ascii") as file:
            return int(file.read().split()[0]) / 1e6

    def fill(self, config):
        client = self.start_redis()
        self.start_orchd_only("--set", "output=orchagent")
        self.wait_log("redis-up")
        monitor = self.client()
        monitor("MONITOR")
        n = sum(row.partition("|")[0] in TABLES for row in config)
        used = self.processor_ms()
        client.pipeline([("SELECT", CONFIG_DB), ("MULTI",)] +
                        as_commands(config)[1:] +
                        [("SET", "CONFIG_DB_INITIALIZED", "1"), ("EXEC",)])
        wait_until(lambda: self.published(client, n), "all is published")
        used = self.processor_ms() - used
        lines = self.lines(monitor, client)
        begin = min(time for time, words in lines if words[0] == "HSET" and
                    words[1].startswith("PORT|"))
        end = max(time for time, words in lines if words[0] == "PUBLISH" and
                  words[1].endswith("_CHANNEL@0"))
        self.stop_orchd()
        self.kill_redis()
        return (end - begin) * 1e3, used

    def settle(self, client, double):
        """Lets orchagent carry out all, and orchd see that, so that the next
        change finds it idle."""
        def confirmed():
            double.step()
            summary = client.hash(STATE_DB, "ORCHD_SUMMARY|global")
            return summary.get("waiting") == "0"

        wait_until(confirmed, "all is confirmed")
        self.control("config", "sync")

    def changes(self, config):
        client = self.start_redis()
        client.pipeline(as_commands(config) +
                        [("SET", "CONFIG_DB_INITIALIZED", "1")])
        ports = {key.partition("|")[2]: row for key, row in config.items()
                 if key.startswith("PORT|")}
        double = Double(client, ports)
        double.boot()
        self.start_orchd_only("--set", "output=orchagent")

        def applied():
            double.step()
            return self.status(client, "BUFFER_PG|Ethernet0|3-4").get(
                "state") == "applied"
        wait_until(applied, "rows are applied")
        profile = config["BUFFER_PG|Ethernet0|3-4"]["profile"]
        self.settle(client, double)
        times = []
        for i in range(N_CHANGES):
            used = self.processor_ms()
            times.append((self.change(client, profile, i),
                          self.processor_ms() - used))
            self.settle(client, double)
        self.stop_orchd()
        return times, self.bare_changes(client, profile)

    def change(self, client, profile, i):
        """Returns the time in ms from a change to what it publishes.  Sleeps
        until the publication, and reads MONITOR afterwards: whatever this
        script did in between would take a processor that orchd waits for."""
        monitor, subscriber = self.client(), self.client()
        monitor("MONITOR")
        subscriber("SUBSCRIBE", "BUFFER_PROFILE_TABLE_CHANNEL@0")
        client.on(CONFIG_DB, "HSET", "BUFFER_PROFILE|" + profile, "xoff",
                  str(40000 + i))
        subscriber.read()
        lines = self.lines(monitor, client)
        begin = min(time for time, words in lines
                    if words[:2] == ["HSET", "BUFFER_PROFILE|" + profile])
        end = min(time for time, words in lines
                  if words[:2] == ["PUBLISH", "BUFFER_PROFILE_TABLE_CHANNEL@0"])
        key = "_BUFFER_PROFILE_TABLE:" + profile
        self.assertEqual(client.hash(APPL_DB, key)["xoff"], str(40000 + i))
        for one in (monitor, subscriber):
            one.close()
            self.clients.remove(one)
        return (end - begin) * 1e3

    def bare_changes(self, client, profile):
        """The same by a client that only reads and writes."""
        with subprocess.Popen([BARE, self.socket, profile], text=True,
                              stdout=subprocess.PIPE) as bare:
            try:
                self.assertEqual(bare.stdout.readline(), "ready\n")
                return [(self.change(client, profile, N_CHANGES + i), 0)
                        for i in range(N_CHANGES)]
            finally:
                bare.kill()

    def test_bench(self):
        config = rows_of(EXAMPLE)
        self.show("from empty to APPL_DB complete",
                  [self.fill(config) for _ in range(N_FILLS)])
        orchd, bare = self.changes(config)
        self.show("one change to APPL_DB", orchd)
        self.show("the same by a client that does nothing else", bare)

    @staticmethod
    def show(what, times):
        passed, used = zip(*times)
        own = (f"; processor time {statistics.median(used):.3f} ms"
               if any(used) else "")
        print(f"{what}: {min(passed):.3f} ms at best, "
              f"{statistics.median(passed):.3f} ms in the median of "
              f"{len(times)}{own}")


if __name__ == "__main__":
    import unittest
    unittest.main()

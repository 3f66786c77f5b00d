#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether orchd takes more and more memory or descriptors.

    soak.py [MINUTES [PORTS [CHANGES_PER_S]]]           (default: 30 514 20000)

A client changes priority groups of all ports without end (bench_churn.py), with
all counters enabled, a history, and clients of the control socket that come and
go.  Once a minute it prints one JSON object with what orchd takes:

  rss_kb, anonymous_kb  resident memory, and the part that is no file
  descriptors           open files and sockets
  cpu                   share of a core since the last line
  lost                  lost connections to Redis: after each, orchd reads and
                        publishes everything again, and takes half as much
                        memory again for a moment
  sent                  changes that the client has written so far

It fails if the last third of these lines takes more memory than the second one
by over 1 % (the first one fills buffers), or if there are always more
descriptors than there ever were in the first.  "make soak MINUTES=n" runs it."""

import json
import os
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bench_churn  # noqa: E402  (the path is set above)
from bench_counters import GROUPS  # noqa: E402
from bench_daemon import harness  # noqa: E402

MINUTE_S = 60
PAUSE_S = 1  # Between two clients.
GROWTH = 1.01


def status_kb(pid, name):
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        line = next(x for x in file if x.startswith(name + ":"))
    return int(line.split()[1])


class Soak(bench_churn.Bench):

    def sample(self, minute, writer, cpu_s, wall_s):
        pid = self.orchd_process.pid
        line = {"minute": minute,
                "rss_kb": status_kb(pid, "VmRSS"),
                "anonymous_kb": status_kb(pid, "RssAnon"),
                "descriptors": len(os.listdir(f"/proc/{pid}/fd")),
                "cpu": round((self.cpu_s() - cpu_s) / wall_s, 3),
                "lost": self.log_text().count(" redis-lost "),
                "sent": writer.sent}
        print(json.dumps(line), flush=True)
        return line

    def soak(self, minutes, n_ports, rate):
        commands = self.begin(n_ports, "--state-dir",
                              os.path.join(self.directory, "state"))
        self.client_.pipeline(
            [("SELECT", harness.CONFIG_DB)] +
            [("HSET", "FLEX_COUNTER_TABLE|" + group, "FLEX_COUNTER_STATUS",
              "enable") for group in GROUPS])
        writer = bench_churn.Writer(self.client(), commands, rate)
        writer.start()
        lines = []
        for minute in range(minutes + 1):
            begin, cpu_s = time.monotonic(), self.cpu_s()
            while time.monotonic() < begin + (MINUTE_S if minute else 5):
                if self.control("show", "pools")["exit"]:
                    raise AssertionError("show pools has failed")
                threading.Event().wait(PAUSE_S)
            lines.append(self.sample(minute, writer, cpu_s,
                                     time.monotonic() - begin))
        writer.end()
        return lines


def judge(lines):
    """Returns what is wrong, or None."""
    third = len(lines) // 3
    middle, last = (max(line["rss_kb"] for line in part)
                    for part in (lines[third:-third], lines[-third:]))
    if (min(line["descriptors"] for line in lines[-third:]) >
            max(line["descriptors"] for line in lines[:third])):
        return "descriptors have become more"
    if last > middle * GROWTH:
        return f"memory has grown from {middle} to {last} kB"
    return None


def main():
    minutes, n_ports, rate = (
        int(sys.argv[i]) if len(sys.argv) > i else default
        for i, default in ((1, 30), (2, 514), (3, 20000)))
    soak = Soak(bench_churn.intent(n_ports))
    soak.setUp()
    try:
        trouble = judge(soak.soak(max(minutes, 3), n_ports, rate))
    finally:
        soak.tearDown()
    if trouble:
        sys.exit(trouble)


if __name__ == "__main__":
    main()

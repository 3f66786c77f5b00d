#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What polling costs: the daemon, a real redis-server, the twin, all groups of
counters enabled with their default intervals, and no traffic.

    bench_counters.py [PORTS...]             (default: 32 512)

Run by "make bench"; needs top_srcdir and top_builddir in the environment.
Prints one JSON object per line:

  counters_first_poll       from enabling all groups until each has been read
                            completely once and is in Redis
  counters_idle_cpu         share of a core that orchd takes, over 30 s ...
  counters_off_cpu          ... and with all groups disabled
  counters_redis_first      bytes that are written to Redis at first, ...
  counters_redis_memory     ... what they take there, ...
  counters_redis_bytes      ... and bytes per second after that
  counters_scrape           the time of one scrape of /metrics, median of 11
  counters_scrape_bytes     its size
"""

import os
import socket
import sys
import threading
import time
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "integration"))
sys.path.insert(0, HERE)
import harness  # noqa: E402  (the path is set above)
from bench_daemon import emit, generated  # noqa: E402

GROUPS = ("PORT", "PORT_RATES", "PORT_BUFFER_DROP", "QUEUE", "QUEUE_WATERMARK",
          "PG_WATERMARK", "PG_DROP", "BUFFER_POOL_WATERMARK", "WRED_ECN_QUEUE",
          "WRED_ECN_PORT")
IDLE_S = 30
N_SCRAPES = 11


class Bench(harness.System):
    """A redis-server and an orchd with 'rows'."""

    def __init__(self, rows):
        super().__init__()
        self.rows = rows
        self.port = None

    def runTest(self):
        """Needed by unittest; the measurements are called by name."""

    def start(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            self.port = taken.getsockname()[1]
        client = self.start_redis()
        client.pipeline(harness.as_commands(self.rows) +
                        [("SET", "CONFIG_DB_INITIALIZED", "1")])
        self.start_orchd("--set", f"metrics_port={self.port}")
        harness.wait_until(
            lambda: client.hash(harness.STATE_DB, "ORCHD_SUMMARY|global").get(
                "applied") == str(len(self.rows)), "every row is applied")
        return client

    def scrape(self):
        with urllib.request.urlopen(
                f"http://127.0.0.1:{self.port}/metrics") as answer:
            return answer.read().decode()

    def all_read(self):
        rounds = [line for line in self.scrape().splitlines()
                  if line.startswith("orchd_poll_rounds_total")]
        return all(float(line.rsplit(" ", 1)[1]) >= 1 for line in rounds)

    def cpu_s(self):
        with open(f"/proc/{self.orchd_process.pid}/stat",
                  encoding="utf-8") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def idle(self, client):
        """Returns the share of a core and the bytes per second of IDLE_S."""
        written, cpu, start = received(client), self.cpu_s(), time.monotonic()
        threading.Event().wait(IDLE_S)
        took = time.monotonic() - start
        return (self.cpu_s() - cpu) / took, (received(client) - written) / took


def received(client):
    return int(client("INFO", "stats").split(
        "total_net_input_bytes:")[1].split()[0])


def wait_quiet(client):
    """Waits until Redis has taken in what was written."""
    seen = [received(client)]

    def quiet():
        threading.Event().wait(1)
        seen.append(received(client))
        return seen[-1] - seen[-2] < 4096

    harness.wait_until(quiet, "Redis has taken everything in")


def memory_kb(client):
    return int(client("INFO", "memory").split("used_memory:")[1].split()[0]) \
        / 1024


def enable(client, status):
    client.pipeline([("SELECT", harness.CONFIG_DB)] +
                    [("HSET", "FLEX_COUNTER_TABLE|" + group,
                      "FLEX_COUNTER_STATUS", status) for group in GROUPS])


def measure(n_ports):
    params = {"ports": n_ports}
    bench = Bench(generated(n_ports))
    bench.setUp()
    try:
        client = bench.start()
        wait_quiet(client)
        before, written = memory_kb(client), received(client)
        enable(client, "enable")
        start = time.monotonic()
        harness.wait_until(bench.all_read, "all groups are read")
        emit("counters_first_poll", params, (time.monotonic() - start) * 1e3,
             "ms")
        wait_quiet(client)
        emit("counters_redis_first", params,
             (received(client) - written) / 2**20, "MiB")
        emit("counters_redis_memory", params,
             (memory_kb(client) - before) / 1024, "MiB")
        cpu, written = bench.idle(client)
        emit("counters_idle_cpu", params, cpu * 100, "%")
        emit("counters_redis_bytes", params, written, "B/s")
        took = []
        for _ in range(N_SCRAPES):
            start = time.monotonic()
            page = bench.scrape()
            took.append(time.monotonic() - start)
        emit("counters_scrape", params, sorted(took)[N_SCRAPES // 2] * 1e3,
             "ms")
        emit("counters_scrape_bytes", params, len(page), "B")
        enable(client, "disable")
        emit("counters_off_cpu", params, bench.idle(client)[0] * 100, "%")
    finally:
        bench.tearDown()


def main():
    for n_ports in map(int, sys.argv[1:] or ("32", "512")):
        measure(n_ports)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What polling costs: the daemon, a real redis-server, the twin, all groups of
counters enabled with their default intervals, without traffic and with a packet
from each port every second.

    bench_counters.py [PORTS...]             (default: 32 512)

Run by "make bench"; needs top_srcdir and top_builddir in the environment.
Prints one JSON object per line:

  counters_first_poll       from enabling all groups until each has been read
                            completely once and is in Redis
  counters_first_poll_cpu   what orchd computed meanwhile
  counters_first_poll_calls how many SAI calls it made
  counters_idle_cpu         share of a core that orchd takes, over 30 s ...
  counters_off_cpu          ... and with all groups disabled
  counters_redis_first      bytes that are written to Redis at first, ...
  counters_redis_memory     ... what they take there, ...
  counters_redis_bytes      ... and bytes per second after that
  counters_scrape           the time of one scrape of /metrics, median of 11
  counters_scrape_cpu       what orchd computes for one
  counters_scrape_bytes     its size
  counters_busy_cpu         share of a core with traffic, that of the twin and
                            of the control socket included
  counters_busy_bytes       bytes per second that are written to Redis then

Times of computing are from the kernel's accounts in nanoseconds, and hardly
depend on what else the machine does; the others do.
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
BUSY_S = 20
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
        """What orchd, of one thread, has computed."""
        with open(f"/proc/{self.orchd_process.pid}/schedstat",
                  encoding="utf-8") as file:
            return int(file.read().split()[0]) / 1e9

    def calls(self):
        """SAI calls for counters so far."""
        return sum(line["calls"] for line in self.control(
            "show", "sai-stats")["data"]["sai_stats"]
                   if line["op"].startswith("get_stats"))

    def during(self, client, what):
        """Returns the share of a core and the bytes per second of what()."""
        written, cpu, start = received(client), self.cpu_s(), time.monotonic()
        what()
        took = time.monotonic() - start
        return (self.cpu_s() - cpu) / took, (received(client) - written) / took

    def idle(self, client):
        return self.during(client, lambda: threading.Event().wait(IDLE_S))

    def busy(self, client, n_ports):
        """A packet from each port to the next one, every second."""
        def send():
            for second in range(BUSY_S):
                until = time.monotonic() + 1
                for i in range(n_ports):
                    self.control("asic", "send", **{
                        "from": f"Ethernet{i}", "size": 100,
                        "to": f"Ethernet{(i + 1) % n_ports}",
                        "dscp": second % 8, "count": 1})
                threading.Event().wait(max(0, until - time.monotonic()))

        return self.during(client, send)


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
        calls, cpu = bench.calls(), bench.cpu_s()
        enable(client, "enable")
        start = time.monotonic()
        while not bench.all_read():
            threading.Event().wait(n_ports / 5000)
        emit("counters_first_poll", params, (time.monotonic() - start) * 1e3,
             "ms")
        emit("counters_first_poll_cpu", params, (bench.cpu_s() - cpu) * 1e3,
             "ms")
        emit("counters_first_poll_calls", params, bench.calls() - calls,
             "calls")
        wait_quiet(client)
        emit("counters_redis_first", params,
             (received(client) - written) / 2**20, "MiB")
        emit("counters_redis_memory", params,
             (memory_kb(client) - before) / 1024, "MiB")
        cpu, written = bench.idle(client)
        emit("counters_idle_cpu", params, cpu * 100, "%")
        emit("counters_redis_bytes", params, written, "B/s")
        took, cpu = [], bench.cpu_s()
        for _ in range(N_SCRAPES):
            start = time.monotonic()
            page = bench.scrape()
            took.append(time.monotonic() - start)
        emit("counters_scrape_cpu", params,
             (bench.cpu_s() - cpu) / N_SCRAPES * 1e3, "ms")
        emit("counters_scrape", params, sorted(took)[N_SCRAPES // 2] * 1e3,
             "ms")
        emit("counters_scrape_bytes", params, len(page), "B")
        cpu, written = bench.busy(client, n_ports)
        emit("counters_busy_cpu", params, cpu * 100, "%")
        emit("counters_busy_bytes", params, written, "B/s")
        enable(client, "disable")
        emit("counters_off_cpu", params, bench.idle(client)[0] * 100, "%")
    finally:
        bench.tearDown()


def main():
    for n_ports in map(int, sys.argv[1:] or ("32", "512")):
        measure(n_ports)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the live page costs orchd.

    bench_page.py [PORTS [VIEWERS]]        (default: 514 10)

Run by "make bench"; needs top_srcdir and top_builddir in the environment.  64
ports send a packet to a port that is blocked, ten times a second, so that 64
priority groups change all the time.  Each viewer watches "show live" at 10 Hz,
as the page does.  One JSON object per line:

  page_files      bytes of all files of the page, as a browser gets them
  page_first      bytes of the first states of a viewer
  page_cpu        share of a core that orchd takes, the traffic included, ...
  page_idle_cpu   ... and without traffic, by the number of viewers
  page_bytes      bytes per second of a viewer, with traffic ...
  page_idle_bytes ... and without
  page_rate       events per second of a viewer, with traffic
  row_p99         from HSET to the attribute in ASIC_DB, p99 of all changes,
  row_p50         and median, with traffic

The accounts of the kernel are exact; rows share the machine with the viewers.
"""

import gzip
import http.client
import json
import os
import re
import socket
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bench_daemon  # noqa: E402  (the path is set above)
from bench_daemon import harness  # noqa: E402
from bench_requests import Changes  # noqa: E402

SECONDS = 10
BUSY = 64
REQUEST = ("GET /events?interval=100&topic=show/live%3Fpart%3Dvalues"
           "&topic=1000:show/live%3Fpart%3Dnames HTTP/1.1\r\n"
           "Host: localhost\r\n\r\n")


# What the files of the page load.
LOADED = re.compile(r'"(?:\./|/page/)([a-z_.]+\.(?:js|css|svg))"')


def files(port):
    """Loads the page; returns how many files it has, and their bytes."""
    n_bytes, found, todo = 0, set(), ["/"]
    while todo:
        path = todo.pop()
        found.add(path)
        connection = http.client.HTTPConnection("127.0.0.1", port)
        connection.request("GET", path, headers={"Accept-Encoding": "gzip"})
        answer = connection.getresponse()
        body = answer.read()
        n_bytes += len(str(answer.headers)) + len(body)
        if answer.headers["Content-Encoding"] == "gzip":
            body = gzip.decompress(body)
        for name in LOADED.findall(body.decode()):
            if "/page/" + name not in found.union(todo):
                todo.append("/page/" + name)
    return len(found), n_bytes


class Viewer(threading.Thread):
    """Counts what it reads until its connection ends."""

    def __init__(self, port):
        super().__init__()
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.sendall(REQUEST.encode())
        self.n_bytes = self.n_events = 0
        self.start()

    def run(self):
        while True:
            data = self.socket.recv(1 << 20)
            if not data:
                return
            self.n_bytes += len(data)
            self.n_events += data.count(b"event: delta")

    def end(self):
        self.socket.shutdown(socket.SHUT_RDWR)
        self.join()
        self.socket.close()


class Traffic(threading.Thread):
    """Adds a packet to 64 priority groups, ten times a second."""

    def __init__(self, bench, n_ports):
        super().__init__()
        self.to = f"Ethernet{n_ports - 1}"
        bench.control("asic", "block", ports=[self.to])
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(os.path.join(bench.directory, "control.sock"))
        self.file = self.socket.makefile("rb")
        self.ended = False
        self.start()

    def run(self):
        due = time.monotonic()
        while not self.ended:
            for i in range(BUSY):
                request = {"noun": "asic", "verb": "send", "args": {
                    "from": f"Ethernet{i}", "to": self.to, "size": 500,
                    "dscp": 24, "count": 1}}
                self.socket.sendall(json.dumps(request).encode() + b"\n")
                self.file.readline()
            due += 0.1
            threading.Event().wait(max(0, due - time.monotonic()))

    def end(self, bench):
        self.ended = True
        self.join()
        self.file.close()
        self.socket.close()
        bench.control("asic", "unblock", ports=[self.to])
        bench.control("asic", "settle")


def cpu_s(bench):
    """What orchd, of one thread, has computed."""
    with open(f"/proc/{bench.orchd_process.pid}/schedstat",
              encoding="utf-8") as file:
        return int(file.read().split()[0]) / 1e9


def during(bench, viewers):
    """Returns share of a core, bytes and events per second and viewer."""
    def now():
        return (time.monotonic(), cpu_s(bench),
                sum(v.n_bytes for v in viewers),
                sum(v.n_events for v in viewers))

    before = now()
    threading.Event().wait(SECONDS)
    took, cpu, n_bytes, n_events = (b - a for a, b in zip(before, now()))
    n = max(len(viewers), 1)
    return cpu / took, n_bytes / took / n, n_events / took / n


def rows(bench, params):
    changes = Changes(bench)
    changes.start()
    threading.Event().wait(SECONDS)
    changes.ended = True
    changes.join()
    took = sorted(changes.took)
    for name, value in (("row_p50", took[len(took) // 2]),
                        ("row_p99", took[len(took) * 99 // 100])):
        bench_daemon.emit(name, {**params, "changes": len(took)}, value * 1e3,
                          "ms")


def measure(bench, port, n_ports, n):
    params = {"ports": n_ports, "viewers": n}
    viewers = [Viewer(port) for _ in range(n)]
    threading.Event().wait(2)
    if n:
        bench_daemon.emit("page_first", params, viewers[0].n_bytes, "B")
    cpu, n_bytes, _ = during(bench, viewers)
    bench_daemon.emit("page_idle_cpu", params, cpu * 100, "%")
    bench_daemon.emit("page_idle_bytes", params, n_bytes, "B/s")
    traffic = Traffic(bench, n_ports)
    threading.Event().wait(1)
    cpu, n_bytes, rate = during(bench, viewers)
    bench_daemon.emit("page_cpu", params, cpu * 100, "%")
    bench_daemon.emit("page_bytes", params, n_bytes, "B/s")
    bench_daemon.emit("page_rate", params, rate, "/s")
    rows(bench, params)
    traffic.end(bench)
    for viewer in viewers:
        viewer.end()


def main():
    n_ports = int(sys.argv[1]) if sys.argv[1:] else 514
    n_viewers = int(sys.argv[2]) if sys.argv[2:] else 10
    configuration = bench_daemon.generated(n_ports)
    bench = bench_daemon.Bench(configuration)
    bench.setUp()
    try:
        port = harness.free_port()
        bench.client_ = client = bench.start_redis()
        client.pipeline(harness.as_commands(configuration) +
                        [("SET", "CONFIG_DB_INITIALIZED", "1")])
        bench.start_orchd("--http", str(port), "--set", "page_dir=" +
                          os.path.join(harness.SOURCE, "page"))
        harness.wait_until(lambda: bench.answered(client, len(configuration)),
                           "every row is answered")
        n_files, n_bytes = files(port)
        bench_daemon.emit("page_files", {"files": n_files}, n_bytes, "B")
        for n in (0, 1, n_viewers, 0):
            measure(bench, port, n_ports, n)
    finally:
        bench.tearDown()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long rows wait while clients fill the listeners of orchd.

    bench_listeners.py [CLIENTS]                        (default: 10000)

For each listener as many clients connect, and say a part of a request; others
change a profile meanwhile, and after that, while all are connected.  Part of
"make bench"; needs top_srcdir and top_builddir in the environment, and a hard
limit of descriptors above CLIENTS.  Prints one JSON object per line:

  half_open_change_median  from HSET to the attribute in ASIC_DB
  half_open_change_p99     ... of all changes
  half_open_log            lines that orchd has logged for these clients"""

import os
import resource
import socket
import sys
import threading

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bench_churn  # noqa: E402  (the path is set above)
import bench_daemon  # noqa: E402
from bench_daemon import harness  # noqa: E402

N_PORTS = 32
SECONDS = 2


class Flood(threading.Thread):
    """Connects clients to one listener, and keeps them."""

    def __init__(self, family, address, said, n):
        super().__init__(daemon=True)
        self.family, self.address, self.said, self.n = family, address, said, n
        self.held = []

    def run(self):
        for _ in range(self.n):
            connection = socket.socket(self.family)
            self.held.append(connection)
            connection.connect(self.address)  # Waits while too many wait.
            try:
                connection.sendall(self.said)
            except (BrokenPipeError, ConnectionResetError):
                pass  # Refused.

    def release(self):
        for connection in self.held:
            connection.close()


def measure(bench, name, flood):
    params = {"listener": name, "clients": flood.n}
    before = len(bench.log_text().splitlines())
    flood.start()
    took = []
    while flood.is_alive():
        took += bench.probe(0.2)
    took = sorted(took + bench.probe(SECONDS))
    flood.release()
    lines = len(bench.log_text().splitlines()) - before
    bench_daemon.emit("half_open_change_median", params,
                      took[len(took) // 2] * 1e3, "ms")
    bench_daemon.emit("half_open_change_p99", params,
                      took[len(took) * 99 // 100] * 1e3, "ms")
    bench_daemon.emit("half_open_log", params, lines, "lines")


def main():
    n = int(sys.argv[1]) if sys.argv[1:] else 10000
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, n + 1000), hard))
    bench = bench_churn.Bench(bench_churn.intent(N_PORTS))
    bench.setUp()
    try:
        port = harness.free_port()
        bench.begin(N_PORTS, "--http", str(port))
        listeners = [("control.sock", b'{"noun"'), ("view.sock", b'{"noun"'),
                     ("http", b"GET /metrics HTTP/1.1\r\nX: ")]
        for name, said in listeners:
            family, address = (
                (socket.AF_INET, ("127.0.0.1", port)) if name == "http" else
                (socket.AF_UNIX, os.path.join(bench.directory, name)))
            measure(bench, name, Flood(family, address, said, n))
    finally:
        bench.tearDown()


if __name__ == "__main__":
    main()

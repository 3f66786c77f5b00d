# SPDX-License-Identifier: Apache-2.0
"""Listeners under attack: more clients than connections, half-open ones, and
none left for orchd itself."""

import json
import os
import resource
import socket
import subprocess
import unittest
import urllib.request

from harness import (PATIENCE_S, System, as_commands, free_port, needs_sai, once,
                     wait_until)

# How many connections are made to each listener.
N = int(os.environ.get("LISTENER_CLIENTS", "1000"))
CONFIG = {"PORT|Ethernet0": {"lanes": "1,2,3,4", "speed": "100000"}}


@once
class Listeners(System):

    def setUp(self):
        super().setUp()
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE,
                           (min(hard, max(soft, N + 1000)), hard))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE,
                        (soft, hard))
        self.held = []
        self.addCleanup(self.release)

    def release(self):
        for connection in self.held:
            connection.close()
        self.held.clear()

    def path(self, name):
        return os.path.join(self.directory, name)

    def flood(self, family, address, said):
        """Opens N connections that say a part of a request."""
        for _ in range(N):
            connection = socket.socket(family)
            self.held.append(connection)
            connection.connect(address)  # Waits while too many wait.
            try:
                connection.sendall(said)
            except (BrokenPipeError, ConnectionResetError):
                pass  # Refused.

    def works(self, name="control.sock"):
        """Whether orchctl is served; "too many" is an answer, but no service.
        """
        try:
            return self.control("show", "status",
                                socket_name=name).get("exit") == 0
        except OSError:
            return False

    def lines(self, text):
        return len(text.splitlines())

    def start(self, *options):
        client = self.start_redis()
        client.pipeline(as_commands(CONFIG) +
                        [("SET", "CONFIG_DB_INITIALIZED", "1")])
        self.start_orchd(*options)
        self.wait_applied(client, CONFIG)
        return client

    def test_control_sockets(self):
        client = self.start()
        before = self.lines(self.log_text())
        for name in ("control.sock", "view.sock"):
            self.flood(socket.AF_UNIX, self.path(name), b'{"noun"')
            # The others are still connected: the one that is idle for longest
            # has to make room.
            wait_until(lambda: self.works(name), "a new client is served")
            self.release()
        wait_until(self.works, "it is served")
        client.on(4, "HSET", "PORT|Ethernet0", "mtu", "9100")
        self.assertEqual(self.control("config", "sync")["exit"], 0)
        self.assertLess(self.lines(self.log_text()) - before, 100)
        self.stop_orchd()

    def test_http(self):
        port = free_port()
        self.start("--http", str(port))
        before = self.lines(self.log_text())
        self.flood(socket.AF_INET, ("127.0.0.1", port),
                   b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nX: ")

        def scrape():
            try:
                with urllib.request.urlopen(
                        f"http://127.0.0.1:{port}/metrics",
                        timeout=PATIENCE_S) as answer:
                    return "orchd_redis_up 1" in answer.read().decode()
            except OSError:
                return False

        # The half-open ones are still there.
        wait_until(scrape, "it is served")
        # Redis can be reached again, and so can orchd.
        self.kill_redis()
        client = self.start_redis()
        client.pipeline(as_commands(CONFIG) +
                        [("SET", "CONFIG_DB_INITIALIZED", "1")])
        self.wait_applied(client, CONFIG)
        self.release()
        wait_until(scrape, "it is served again")
        self.assertTrue(self.works())
        self.assertLess(self.lines(self.log_text()) - before, 100)
        self.stop_orchd()

    @needs_sai
    def test_host(self):
        self.start_host()
        before = self.lines(self.host_text())
        self.flood(socket.AF_UNIX, self.host_socket, b"\0")
        # A client that knows the protocol replaces one that does not.
        client = self.start_redis()
        client.pipeline(as_commands(CONFIG) +
                        [("SET", "CONFIG_DB_INITIALIZED", "1")])
        with open(self.log, "wb") as log:
            self.orchd_process = subprocess.Popen(
                self.command(remote=True), stderr=log)
        self.wait_applied(client, CONFIG)
        self.assertLess(self.lines(self.host_text()) - before, 100)
        self.assertIn("INFO client-connected", self.host_text())

    @needs_sai
    def test_long_requests_keep_nobody_waiting(self):
        config = {f"PORT|{name}": {"lanes": lanes, "speed": "100000",
                                   "admin_status": "up"}
                  for name, lanes in (("Ethernet0", "1,2,3,4"),
                                      ("Ethernet4", "5,6,7,8"))}
        client = self.start_redis()
        client.pipeline(as_commands(config) +
                        [("SET", "CONFIG_DB_INITIALIZED", "1")])
        self.start_orchd()
        self.wait_applied(client, config)
        long = {"noun": "asic", "verb": "send", "args": {
            "from": "Ethernet0", "to": "Ethernet4", "count": 100000000}}
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(self.path("control.sock"))
            connection.sendall(json.dumps(long).encode() + b"\n")
            # Other clients and rows are served before it is done.
            self.assertTrue(self.works())
            client.on(4, "HSET", "PORT|Ethernet0", "mtu", "9100")
            self.assertEqual(self.control("config", "sync")["exit"], 0)
            self.assertEqual(self.control("show", "queues")["exit"], 0)
            connection.setblocking(False)
            with self.assertRaises(BlockingIOError):
                connection.recv(1)
        # It ends with its client.
        self.wait_log("audit asic send: ")
        self.assertRegex(self.log_text(), "audit asic send: .*: client-gone")
        self.stop_orchd()

    def test_no_descriptor_left(self):
        client = self.start()
        pid = self.orchd_process.pid
        used = len(os.listdir(f"/proc/{pid}/fd"))
        limits = resource.prlimit(pid, resource.RLIMIT_NOFILE)
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (used, limits[1]))
        self.assertFalse(self.works())
        self.wait_log("listener-paused control")
        # It answers whom it has already, and does not spin.
        client.on(4, "HSET", "PORT|Ethernet0", "mtu", "9100")
        wait_until(lambda: int(self.status(client, "PORT|Ethernet0").get(
            "generation", "0")) > 1, "rows are served")
        self.assertFalse(self.works())
        resource.prlimit(pid, resource.RLIMIT_NOFILE, limits)
        wait_until(self.works, "clients are accepted again")
        self.wait_log("listener-resumed control")
        self.assertTrue(self.works())
        for text in ("listener-paused", "listener-resumed"):
            self.assertEqual(self.log_text().count(text), 1)
        self.stop_orchd()


if __name__ == "__main__":
    unittest.main()

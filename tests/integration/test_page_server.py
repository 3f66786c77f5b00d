# SPDX-License-Identifier: Apache-2.0
"""What the live page gets from orchd: files, verbs and events by HTTP."""

import gzip
import http.client
import json
import os
import socket
import subprocess
import sys
import time
import unittest

from harness import (BUILD, CONFIG_DB, PATIENCE_S, SOURCE, System, as_commands,
                     free_port, needs_packets, needs_sai, once, wait_until)

sys.path.insert(0, os.path.join(SOURCE, "tests", "bench"))
from bench_daemon import generated  # noqa: E402  (the path is set above)

N_PORTS = 4
LONG = "export const longer = true;\n" * 1000
OTHER = 54321  # A user who is in no group.


class UnixConnection(http.client.HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, path):
        super().__init__("localhost", timeout=PATIENCE_S)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


def apply(old, change):
    """Applies a change as docs/reference/http.md says."""
    if not isinstance(change, dict):
        return change
    if "=" in change:
        return change["="]
    new = dict(enumerate(old)) if isinstance(old, list) else dict(old)
    for name, member in change.items():
        key = int(name) if isinstance(old, list) else name
        if member is None:
            del new[key]
        else:
            new[key] = apply(new.get(key), member)
    return [new[i] for i in range(len(new))] if isinstance(old, list) else new


class Events:
    """A stream of events, and the states of its topics."""

    def __init__(self, connection, target, headers=None):
        self.connection = connection
        connection.request("GET", target, headers=headers or {})
        self.answer = connection.getresponse()
        self.hello = None
        self.states = {}
        self.fulls = 0

    def read(self):
        """Reads one event, and takes it in."""
        event = {}
        while True:
            line = self.answer.fp.readline()
            if not line:
                raise ConnectionError("the stream has ended")
            line = line.decode().rstrip("\n")
            if not line and event:
                break
            name, _, value = line.partition(": ")
            if name in ("event", "data"):
                event[name] = value
        data = json.loads(event["data"])
        if event["event"] == "hello":
            self.hello = data
        elif event["event"] == "full":
            self.fulls += 1
            self.states[data["topic"]] = data
        else:
            state = self.states[data["topic"]]
            state["data"] = apply(state["data"], data["changes"])

    def until(self, question):
        """Reads until question(states) is true."""
        deadline = time.monotonic() + PATIENCE_S
        while not question(self.states):
            if time.monotonic() > deadline:
                raise AssertionError(f"not within {PATIENCE_S} s")
            self.read()

    def close(self):
        self.connection.close()


class Server(System):

    def serve(self, n_ports=N_PORTS, where=None):
        """Starts orchd, and waits until all is applied."""
        self.rows = generated(n_ports)
        client = self.start_redis()
        client.pipeline(as_commands(self.rows) +
                        [("SET", "CONFIG_DB_INITIALIZED", "1")])
        self.port = free_port()
        self.where = where or str(self.port)
        self.pages = os.path.join(self.directory, "page")
        os.mkdir(self.pages)
        for name, text in (("index.html", "<!DOCTYPE html>"),
                           ("page.js", "export {};"), ("page.css", "p {}"),
                           ("long.js", LONG), (".hidden.js", ""),
                           ("secret.key", "x")):
            with open(os.path.join(self.pages, name), "w",
                      encoding="utf-8") as file:
                file.write(text)
        self.restart()
        self.wait_applied(client, self.rows)
        return client

    def restart(self):
        self.start_orchd("--http", self.where, "--set",
                         f"page_dir={self.pages}")

    def connect(self):
        if self.where.startswith("unix:"):
            return UnixConnection(self.where[5:])
        return http.client.HTTPConnection("127.0.0.1", self.port,
                                          timeout=PATIENCE_S)

    def get(self, target, method="GET", headers=None):
        """Returns status, headers and body."""
        connection = self.connect()
        connection.request(method, target, headers=headers or {})
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, answer.headers, body

    def api(self, target, method="GET"):
        status, headers, body = self.get("/api/" + target, method)
        self.assertEqual(headers["Content-Type"], "application/json")
        return status, json.loads(body)

    def send(self, count, to="Ethernet1", dscp=24):
        self.control("asic", "send", **{"from": "Ethernet0", "to": to,
                                        "size": 1000, "dscp": dscp,
                                        "count": count})

    @staticmethod
    def place(live, table, port, index):
        """The row of a priority group or queue."""
        names = live["names"]
        before = names["ports"]["name"].index(port)
        first = sum(names["ports"][table][:before])
        n = names["ports"][table][before]
        return first + names[table]["index"][first:first + n].index(index)

    @once
    def test_files(self):
        self.serve()
        status, headers, body = self.get("/")
        self.assertEqual((status, body), (200, b"<!DOCTYPE html>"))
        self.assertEqual(headers["Content-Type"], "text/html; charset=utf-8")
        self.assertEqual(headers["Cache-Control"], "no-cache")
        self.assertIn("default-src 'self'", headers["Content-Security-Policy"])
        self.assertIn("frame-ancestors 'none'",
                      headers["Content-Security-Policy"])
        self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
        self.assertEqual(headers["Referrer-Policy"], "no-referrer")
        status, headers, body = self.get("/page/page.js")
        self.assertEqual((status, body), (200, b"export {};"))
        self.assertEqual(headers["Content-Type"],
                         "text/javascript; charset=utf-8")
        etag = headers["ETag"]
        status, headers, body = self.get("/page/page.js", headers={
            "If-None-Match": f'"x", {etag}'})
        self.assertEqual((status, body, headers["ETag"]), (304, b"", etag))
        self.assertEqual(self.get("/page/page.css", headers={
            "If-None-Match": etag})[0], 200)
        self.assertEqual(self.get("/page/page.css", "HEAD")[1][
            "Content-Length"], "4")
        for name in ("", "other.js", ".hidden.js", "secret.key",
                     "../page/page.js", "..%2Fpage%2Fpage.js", "%2e%2e/x.js",
                     "page.js/", "/etc/passwd", "index.html%00"):
            self.assertEqual(self.get("/page/" + name)[0], 404, name)
        self.stop_orchd()

    def test_files_are_compressed_for_who_takes_it(self):
        self.serve()
        zipped = {"Accept-Encoding": "deflate, gzip;q=0.8"}
        status, headers, plain = self.get("/page/long.js")
        self.assertEqual((status, plain), (200, LONG.encode()))
        self.assertNotIn("Content-Encoding", headers)
        self.assertEqual(headers["Vary"], "Accept-Encoding")
        tags = [headers["ETag"]]
        status, headers, body = self.get("/page/long.js", headers=zipped)
        self.assertEqual((status, gzip.decompress(body)), (200, plain))
        self.assertLess(len(body), len(plain) // 20)
        self.assertEqual(
            (headers["Content-Encoding"], headers["Vary"],
             headers["Content-Type"], headers["Content-Length"]),
            ("gzip", "Accept-Encoding", "text/javascript; charset=utf-8",
             str(len(body))))
        self.assertIn("default-src 'self'", headers["Content-Security-Policy"])
        tags.append(headers["ETag"])
        # The tag of one form is none of the other.
        for i, accepted in enumerate(({}, zipped)):
            for k, tag in enumerate(tags):
                status, headers, body = self.get("/page/long.js", headers={
                    **accepted, "If-None-Match": tag})
                self.assertEqual(status, 304 if i == k else 200)
                self.assertEqual((headers["ETag"], headers["Vary"]),
                                 (tags[i], "Accept-Encoding"))
                if i == k:
                    self.assertEqual(body, b"")
                    self.assertNotIn("Content-Encoding", headers)
        for accepted, length in ((zipped, len(self.get(
                "/page/long.js", headers=zipped)[2])), ({}, len(plain))):
            status, headers, body = self.get("/page/long.js", "HEAD", accepted)
            self.assertEqual((status, body, headers["Content-Length"]),
                             (200, b"", str(length)))
        # What is no smaller stays as it is; answers are never compressed.
        for target in ("/page/page.js", "/api/show/status", "/metrics"):
            status, headers, body = self.get(target, headers=zipped)
            self.assertEqual(status, 200)
            self.assertNotIn("Content-Encoding", headers)
        self.stop_orchd()

    @once
    def test_without_files(self):
        self.serve()
        self.stop_orchd()
        self.pages = os.path.join(self.directory, "missing")
        self.restart()
        wait_until(lambda: "http-ready" in self.log_text(), "orchd listens")
        self.assertIn(f"WARN page-missing {self.pages}: ", self.log_text())
        self.assertNotIn("serving the live page", self.log_text())
        self.assertIn(b"not installed", self.get("/")[2])
        self.assertEqual(self.get("/page/dygraph.min.js")[0], 404)
        wait_until(lambda: self.get("/healthz")[0] == 200, "orchd can work")
        self.stop_orchd()

    @needs_packets
    def test_verbs_answer_as_on_the_control_socket(self):
        self.serve()
        self.control("asic", "block", ports=["Ethernet1"])
        self.send(30)
        for verb, query, arguments in (
                ("pools", "", {}), ("pgs", "?name=Ethernet0%7C3",
                                    {"name": "Ethernet0|3"}),
                ("queues", "?name=Ethernet1&all=true",
                 {"name": "Ethernet1", "all": True}),
                ("ports", "?stats", {"stats": True}),
                ("live", "?ports=Ethernet0&ports=Ethernet1",
                 {"ports": ["Ethernet0", "Ethernet1"]}),
                ("profiles", "?name=none", {"name": "none"})):
            status, answer = self.api(f"show/{verb}{query}")
            self.assertEqual(status, 200)
            self.assertEqual(answer, self.control("show", verb, **arguments))
        self.stop_orchd()

    @once
    def test_what_is_refused_by_tcp(self):
        self.serve()
        nouns = self.api("nothing/ports")[1]["error"]["allowed"].split(", ")
        self.assertEqual(sorted(nouns), sorted(set(nouns)))
        self.assertIn("show", nouns)
        for target, status, code in (
                ("show/nothing", 404, "usage"), ("nothing/ports", 404, "usage"),
                ("show/ports?other=1", 400, "usage"),
                ("show/ports?stats=maybe", 400, "usage"),
                ("show/ports?name=a&name=b", 400, "usage"),
                ("show/ports?name=%zz", 400, "usage"),
                ("show", 400, "usage"), ("show/ports/x", 400, "usage"),
                ("asic/block?ports=Ethernet0", 403, "denied"),
                ("config/resume", 403, "denied"),
                ("log/level?module=redis&level=debug", 403, "denied")):
            answer = self.api(target)
            self.assertEqual((answer[0], answer[1]["error"]["code"]),
                             (status, code), target)
        self.assertEqual(self.api("log/level")[0], 200)
        for headers, status in (
                ({"Origin": "http://evil.example"}, 403),
                ({"Host": "evil.example"}, 421),
                ({"Origin": f"http://127.0.0.1:{self.port}"}, 200)):
            self.assertEqual(self.get("/api/show/status", headers=headers)[0],
                             status)
            connection = self.connect()
            connection.request("GET", "/events", headers=headers)
            self.assertEqual(connection.getresponse().status, status)
            connection.close()
        for target in ("asic/unblock?ports=Ethernet0", "show/status"):
            self.assertEqual(self.get("/api/" + target, "POST")[0], 403)
        self.assertNotIn("audit", self.log_text())
        self.stop_orchd()

    @once
    @unittest.skipUnless(os.geteuid() == 0, "needs root")
    @needs_sai
    def test_a_unix_socket_has_roles(self):
        os.chmod(self.directory, 0o711)
        path = os.path.join(self.directory, "http.sock")
        self.serve(where="unix:" + path)
        # Anybody may connect; what they may do is another question.
        os.chmod(path, 0o666)
        target = "asic/block?ports=Ethernet0"
        self.assertEqual(self.api(target)[0], 403)
        self.assertEqual(self.get("/api/" + target, "POST", {
            "Origin": "http://evil.example"})[0], 403)
        status, answer = self.api(target, "POST")
        self.assertEqual((status, answer["exit"]), (200, 0))
        self.assertIn("audit asic block: uid 0 (root)", self.log_text())
        self.assertEqual(self.as_other(target), 403)
        self.assertEqual(self.as_other("show/status"), 200)
        self.assertIn("denied asic block", self.log_text())
        with_role = Events(self.connect(), "/events")
        with_role.until(lambda states: with_role.hello)
        self.assertTrue(with_role.hello["writing"])
        ranges = with_role.hello["asic"]["send"]
        self.assertEqual(ranges["dscp"], [0, 63])
        # They are those that orchd takes.
        low, high = ranges["size"]
        for size, code in ((low - 1, 400), (low, 200), (high, 200),
                           (high + 1, 400)):
            self.assertEqual(self.api(
                "asic/send?from=Ethernet0&to=Ethernet4&count=0&size="
                f"{size}", "POST")[0], code, size)
        with_role.close()
        self.stop_orchd()

    def as_other(self, target):
        """The status of a POST by a user without a group."""
        reader, writer = os.pipe()
        child = os.fork()
        if not child:
            os.setgroups([])
            os.setgid(OTHER)
            os.setuid(OTHER)
            os.write(writer, str(self.get("/api/" + target,
                                          "POST")[0]).encode())
            os._exit(0)
        os.close(writer)
        os.waitpid(child, 0)
        with os.fdopen(reader) as file:
            return int(file.read())

    @needs_packets
    def test_events_follow_the_switch(self):
        client = self.serve()
        events = Events(self.connect(), "/events?interval=50"
                        "&topic=show/live%3Fpart%3Dvalues"
                        "&topic=show/live%3Fpart%3Dnames"
                        "&topic=show/pools&topic=show/nothing")
        events.until(lambda states: len(states) == 4)
        self.assertEqual(events.answer.headers["Content-Type"],
                         "text/event-stream")
        self.assertFalse(events.hello["writing"])
        self.assertNotIn("asic", events.hello)
        self.assertTrue(events.hello["simulated"])
        self.assertEqual(events.states[3]["exit"], 2)
        live = {"names": events.states[1]["data"]}
        pg = self.place(live, "pgs", "Ethernet0", 3)
        queue = self.place(live, "queues", "Ethernet1", 3)

        def used(states):
            values = states[0]["data"]
            return (values["pgs"]["used"][pg],
                    values["queues"]["used"][queue])

        self.assertEqual(used(events.states), (0, 0))
        self.control("asic", "block", ports=["Ethernet1"])
        self.send(30)
        fulls = events.fulls
        expected = self.control("show", "pgs", name="Ethernet0|3")["data"][
            "pgs"][0]["stats"]
        self.assertGreater(expected["curr_occupancy_bytes"], 0)
        events.until(lambda states: used(states) == (
            expected["curr_occupancy_bytes"],) * 2)
        values = events.states[0]["data"]
        self.assertEqual(values["pgs"]["threshold"][pg],
                         expected["limit_bytes"])
        self.assertEqual(values["pgs"]["xoff"][pg], expected["xoff"])
        pools = self.control("show", "pools")["data"]
        events.until(lambda states: states[2]["data"] == pools)
        self.assertEqual(events.fulls, fulls)
        # A row changes the names.
        client.on(CONFIG_DB, "HSET", "BUFFER_PG|Ethernet0|3", "profile",
                  "ingress_lossy")

        def profile(names):
            return names["profiles"]["name"][names["pgs"]["profile"][pg]]

        events.until(lambda states: profile(states[1]["data"]) ==
                     "ingress_lossy")
        events.until(lambda states: states[0]["data"]["layout"] ==
                     states[1]["data"]["layout"])
        self.control("asic", "unblock", ports=["Ethernet1"])
        self.control("asic", "settle")
        events.until(lambda states: used(states) == (0, 0))
        expected = self.control("show", "live", part="values")["data"]
        events.until(lambda states: states[0]["data"] == expected)
        events.close()
        self.stop_orchd()

    @needs_packets
    def test_a_pause_is_seen(self):
        self.serve()
        self.control("asic", "block", ports=["Ethernet1"])
        events = Events(self.connect(),
                        "/events?interval=50&topic=show/live")
        events.until(lambda states: states)
        live = events.states[0]["data"]
        pg = self.place(live, "pgs", "Ethernet0", 3)
        queue = self.place(live, "queues", "Ethernet2", 4)
        self.control("asic", "send", **{"from": "Ethernet0", "to": "Ethernet1",
                                        "dscp": 24, "count": 1000000,
                                        "until": "xoff"})
        self.control("asic", "storm", port="Ethernet2", priorities="4",
                     quanta=65535)
        self.control("asic", "run", ns=10000)
        events.until(lambda states: states[0]["data"]["values"]["pgs"]["xoff"][
            pg] == 1 and states[0]["data"]["values"]["queues"]["paused"][queue])
        values = events.states[0]["data"]["values"]
        self.assertEqual(values["ports"]["xoff"], [8, 0, 0, 0])
        self.assertEqual(sum(values["queues"]["paused"]), 1)
        events.close()
        self.stop_orchd()

    @needs_packets
    def test_orchctl_prints_what_is_in_use(self):
        self.serve()
        self.assertEqual([line.split()[:2] for line in self.ctl()[1:]], [
            ["egress_lossless_pool", "pool"], ["egress_lossy_pool", "pool"],
            ["ingress_lossless_pool", "pool"]])
        self.control("asic", "block", ports=["Ethernet1"])
        self.send(30)
        stats = self.control("show", "pgs", name="Ethernet0|3")["data"]["pgs"][
            0]["stats"]
        used = f"{stats['curr_occupancy_bytes']:,}"
        self.assertEqual([line.split()[:4] for line in self.ctl()[4:]], [
            ["Ethernet0|3", "pg", "ingress_lossless", used],
            ["Ethernet1|3", "queue", "egress_lossless", used]])
        lines = self.ctl("Ethernet1", "--sort", "used")
        self.assertEqual([line.split()[0] for line in lines[1:3]],
                         ["egress_lossless_pool", "Ethernet1|3"])
        self.assertEqual(len(lines), 5)
        self.assertEqual(len(self.ctl("Ethernet1", "--all")), 4 + 8 + 8)
        self.assertIn("did you mean", self.ctl("Ethernet9", code=1)[0])
        self.assertEqual(json.loads("\n".join(self.ctl("--json"))),
                         self.control("show", "live")["data"])
        self.stop_orchd()

    def ctl(self, *words, code=0):
        """The lines that "orchctl show live" prints."""
        result = subprocess.run(
            [os.path.join(BUILD, "orchctl", "orchctl"), "--control",
             os.path.join(self.directory, "control.sock"), "show", "live",
             *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            check=False, timeout=PATIENCE_S)
        self.assertEqual(result.returncode, code, result.stdout)
        return result.stdout.decode().rstrip().split("\n")

    @once
    def test_a_restart_is_survived(self):
        self.serve()
        target = "/events?topic=show/live%3Fpart%3Dnames"
        events = Events(self.connect(), target)
        events.until(lambda states: states)
        before = events.hello["started"]
        self.kill_orchd()
        with self.assertRaises((ConnectionError, http.client.HTTPException)):
            while True:
                events.read()
        events.close()
        self.restart()
        wait_until(lambda: "http-ready" in self.log_text(), "orchd listens")
        events = Events(self.connect(), target,
                        {"Last-Event-ID": str(before)})
        # It may have no switch yet.
        events.until(lambda states: states and "data" in states[0] and len(
            states[0]["data"]["pgs"]["index"]) == 8 * N_PORTS)
        self.assertGreater(events.hello["started"], before)
        events.close()
        self.stop_orchd()

    @once
    @needs_packets
    def test_a_large_switch(self):
        self.serve(514)
        events = Events(self.connect(), "/events?topic=show/live")
        events.until(lambda states: states)
        live = events.states[0]["data"]
        self.assertEqual(len(live["names"]["ports"]["name"]), 514)
        self.assertEqual(len(live["values"]["pgs"]["used"]), 514 * 8)
        self.assertEqual(len(live["values"]["queues"]["used"]), 514 * 8)
        # One that was idle, and is read in turns, or because it is busy.
        self.control("asic", "block", ports=["Ethernet513"])
        self.send(3, "Ethernet513")
        pg = self.place(live, "pgs", "Ethernet0", 3)
        queue = self.place(live, "queues", "Ethernet513", 3)

        def used(states):
            values = states[0]["data"]["values"]
            return (values["pgs"]["used"][pg],
                    values["queues"]["used"][queue])

        events.until(lambda states: all(used(states)))
        self.assertEqual(len(set(used(events.states))), 1)
        events.close()
        self.stop_orchd()


if __name__ == "__main__":
    unittest.main()

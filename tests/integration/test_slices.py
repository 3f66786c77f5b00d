# SPDX-License-Identifier: Apache-2.0
"""Requests that take many turns, while rows change, clients vanish, and orchd
ends."""

import json
import os
import socket
import threading
import unittest

from harness import (CONFIG_DB, PATIENCE_S, System, as_commands, needs_sai,
                     once, wait_until)

PORTS = 64
PROFILE = "BUFFER_PROFILE|ingress_lossy"


def configuration():
    """A switch of PORTS ports, with rows that wait, too."""
    rows = {
        "DEVICE_METADATA|localhost": {"hwsku": "slices"},
        "BUFFER_POOL|ingress": {"type": "ingress", "mode": "dynamic",
                                "size": "100000000"},
        "BUFFER_POOL|egress": {"type": "egress", "mode": "dynamic",
                               "size": "80000000"},
        PROFILE: {"pool": "ingress", "size": "0", "dynamic_th": "3"},
        "BUFFER_PROFILE|egress_lossy": {"pool": "egress", "size": "0",
                                        "dynamic_th": "3"},
        "OTHER_PROGRAM|row": {"field": "value", "list@": "a,b"},
    }
    for i in range(PORTS):
        port = f"Ethernet{i}"
        rows[f"PORT|{port}"] = {"lanes": str(i + 1), "speed": "100000",
                                "admin_status": "up"}
        for j in range(8):
            rows[f"BUFFER_PG|{port}|{j}"] = {
                "profile": "ingress_lossy" if j else "missing"}
            rows[f"BUFFER_QUEUE|{port}|{j}"] = {"profile": "egress_lossy"}
    return rows


def tables_of(rows):
    tables = {}
    for key, fields in rows.items():
        table, _, name = key.partition("|")
        tables.setdefault(table, {})[name] = fields
    return tables


class Changes(threading.Thread):
    """Changes a row, and adds and removes others, until it is stopped."""

    def __init__(self, client):
        super().__init__()
        self.client, self.n, self.ended = client, 0, False

    def run(self):
        while not self.ended:
            self.client.on(CONFIG_DB, "HSET", PROFILE, "dynamic_th",
                           str(self.n % 4))
            row = f"BUFFER_PROFILE|extra{self.n % 50}"
            if self.n % 100 < 50:
                self.client.on(CONFIG_DB, "HSET", row, "pool", "ingress",
                               "size", "0", "dynamic_th", "1")
            else:
                self.client.on(CONFIG_DB, "DEL", row)
            self.n += 1


class Slices(System):

    def start(self):
        self.rows = configuration()
        client = self.start_redis()
        client.pipeline(as_commands(self.rows) +
                        [("SET", "CONFIG_DB_INITIALIZED", "1")])
        self.start_orchd("--state-dir", os.path.join(self.directory, "state"))
        wait_until(lambda: self.status(client, f"BUFFER_QUEUE|Ethernet{PORTS - 1}|7")
                   .get("state") == "applied", "the last row is applied")
        self.control("config", "sync")
        self.generation = self.control(
            "config", "comment", comment="the begin")["data"]["generation"]
        return client

    def requests(self):
        """What takes several turns."""
        return [("show", "waiting", {}), ("show", "queues", {"all": True}),
                ("show", "maps", {}), ("config", "status", {}),
                ("config", "explain", {"row": PROFILE}),
                ("config", "lint", {}), ("config", "diff", {}),
                ("config", "history", {}),
                ("config", "history-diff", {"from": self.generation}),
                ("config", "rollback-plan",
                 {"generation": self.generation}),
                ("config", "save", {}),
                ("config", "load", {"tables": tables_of(self.rows)}),
                ("config", "load", {"tables": tables_of(self.rows),
                                    "wait": True}),
                ("config", "sync", {"all": True}), ("asic", "snapshot", {}),
                ("asic", "clear", {"objects": [
                    {"kind": "port", "name": f"Ethernet{i}"}
                    for i in range(PORTS)]})]

    def begin(self, noun, verb, arguments):
        """Sends a request; returns the connection."""
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(PATIENCE_S)
        connection.connect(os.path.join(self.directory, "control.sock"))
        connection.sendall(json.dumps({"noun": noun, "verb": verb,
                                       "args": arguments}).encode() + b"\n")
        return connection

    @needs_sai
    def test_answers_while_rows_change(self):
        self.start()
        changes = Changes(self.client())
        changes.start()
        try:
            for _ in range(2):
                status = self.control("config", "status")["data"]
                self.assertEqual(status["counts"]["waiting"], PORTS)
                self.assertEqual(sum(row["state"] == "waiting"
                                     for row in status["rows"]), PORTS)
                waiting = self.control("show", "waiting")["data"]["waiting"]
                self.assertEqual(
                    {row["blocked_by"] for row in waiting},
                    {"BUFFER_PROFILE|missing"})
                self.assertEqual(len(waiting), PORTS)
                saved = self.control("config", "save")["data"]
                for key, fields in self.rows.items():
                    table, _, name = key.partition("|")
                    row = saved["tables"].get(table, {}).get(name)
                    if key == "OTHER_PROGRAM|row":
                        self.assertEqual(row, {"field": "value",
                                               "list": ["a", "b"]})
                    elif fields.get("profile") == "missing":
                        self.assertIsNone(row)
                    elif key != PROFILE:
                        self.assertEqual(row, fields, key)
                self.assertLessEqual(saved["first_generation"],
                                     saved["generation"])
                explained = self.control("config", "explain", row=PROFILE)
                self.assertEqual(len(explained["data"]["objects"]), 1)
                answer = self.control("config", "load", wait=True,
                                      tables=tables_of(self.rows))
                self.assertEqual(answer["error"]["code"], "not-applied")
                self.assertEqual(answer["data"]["counts"]["waiting"], PORTS)
        finally:
            changes.ended = True
            changes.join()
        self.assertGreater(changes.n, 10)
        self.stop_orchd()

    @once
    def test_long_requests(self):
        """They are parsed in slices: right and wrong ones, and some whose
        client does not wait."""
        client = self.start()
        rows = {f"row{i}": {"field": "x" * 100} for i in range(10000)}
        load = {"tables": {"OTHER_PROGRAM": rows}}
        self.begin("config", "load", load).close()
        self.assertEqual(self.control("config", "load", **load)["exit"], 0)
        wait_until(lambda: client.on(CONFIG_DB, "HGET", "OTHER_PROGRAM|row9999",
                                     "field") == "x" * 100, "the rows are there")
        for request, code in (
                ({"noun": "config", "verb": "none", "args": load}, "usage"),
                ({"noun": "config", "verb": "load",
                  "args": {**load, "wait": 1}}, "usage")):
            self.assertEqual(self.raw(json.dumps(request))["error"]["code"],
                             code)
        text = json.dumps({"noun": "config", "verb": "load", "args": load})
        for wrong in (text[:-1], text + "}", text.replace("row5000", "row\\"),
                      text.replace('"row9999"', '"row9998"')):
            answer = self.raw(wrong)
            self.assertEqual((answer["exit"], answer["error"]["code"]),
                             (2, "json"))
        self.stop_orchd()

    def raw(self, text):
        """Sends a line; returns the answer."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(PATIENCE_S)
            connection.connect(os.path.join(self.directory, "control.sock"))
            connection.sendall(text.encode() + b"\n")
            with connection.makefile("rb") as file:
                return json.loads(file.readline())

    @needs_sai
    def test_time_passes_in_slices(self):
        """Days of a busy switch: others are answered meanwhile, and rows are
        applied."""
        client = self.start()
        with socket.socket(socket.AF_UNIX) as connection, \
                connection.makefile("rb") as file:
            connection.settimeout(PATIENCE_S)
            connection.connect(os.path.join(self.directory, "control.sock"))

            def ask(verb, **arguments):
                connection.sendall(json.dumps(
                    {"noun": "breakpoint", "verb": verb,
                     "args": arguments}).encode() + b"\n")

            def do(verb, **arguments):
                ask(verb, **arguments)
                answer = json.loads(file.readline())
                self.assertEqual(answer["exit"], 0, answer)
                return answer.get("data")

            send = {"until": "count", "from": "Ethernet0", "to": "Ethernet1",
                    "size": 200}
            do("begin")
            self.assertEqual(do("send", count=1000, **send)["sent"], 1000)
            self.assertEqual(
                do("send", count=1001, flows=7, **send)["sent"], 1001)
            do("settle")
            for i in range(0, PORTS, 2):
                do("peer", port=f"Ethernet{i}", cable=1)
                do("peer", port=f"Ethernet{i + 1}", cable=1)
                do("flow", name=f"flow{i}", pattern="constant", size=200,
                   count=10 ** 12, **{"from": f"Ethernet{i}",
                                      "to": f"Ethernet{i + 1}"})
            do("run", ns=1000)
            ask("settle")  # Not answered.
            for request in (("asic", "settle", {}),
                            ("asic", "run", {"ns": 3600 * 10 ** 9}),
                            ("asic", "send", {"from": "Ethernet0",
                                              "to": "Ethernet2", "size": 200,
                                              "count": 10 ** 8})):
                with self.begin(*request):
                    for value in ("1", "2"):
                        self.assertEqual(
                            self.control("show", "pools")["exit"], 0)
                        client.on(CONFIG_DB, "HSET", PROFILE, "dynamic_th",
                                  value)
                        self.control("config", "sync")
                        self.wait_state(client, PROFILE, "applied")
        self.stop_orchd()

    @once
    def test_clients_vanish(self):
        self.start()
        for request in self.requests():
            self.begin(*request).close()
        for request in self.requests():
            self.assertIn(self.control(request[0], request[1],
                                       **request[2])["exit"], (0, 1), request)
        self.stop_orchd()

    @once
    def test_orchd_ends(self):
        """Each request is answered: done, or orchd-ended."""
        self.start()
        connections = [self.begin(*request) for request in self.requests()]
        self.stop_orchd()
        for request, connection in zip(self.requests(), connections):
            with connection, connection.makefile("rb") as file:
                try:
                    line = file.readline()
                except ConnectionResetError:
                    line = b""  # It had not been read.
            if line:
                answer = json.loads(line)
                self.assertIn(answer["exit"], (0, 1), request)
                if answer["exit"] == 1:
                    self.assertIn(answer["error"]["code"],
                                  ("orchd-ended", "not-applied", "redis-lost",
                                   "differs"), request)


if __name__ == "__main__":
    unittest.main()

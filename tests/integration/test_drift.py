# SPDX-License-Identifier: Apache-2.0
"""orchd reports in Redis what another process changed on the ASIC, and repairs
it if the settings say so."""

import json
import os
import re
import signal
import socket
import subprocess
import unittest

from harness import (BUILD, CHIPS, CONFIG_DB, COUNTERS_DB, LIBSAI, PATIENCE_S,
                     STATE_DB, System, as_commands, asic_objects, asic_picture,
                     needs_packets, needs_sai, wait_until)

CONFIG = {
    "DEVICE_METADATA|localhost": {"hwsku": "example"},
    "PORT|Ethernet0": {"lanes": "1,2,3,4", "speed": "100000"},
    "BUFFER_POOL|in": {"type": "ingress", "mode": "dynamic",
                       "size": "10000000"},
    "BUFFER_POOL|out": {"type": "egress", "mode": "dynamic",
                        "size": "10000000"},
}
KEY = "ORCHD_DRIFT|BUFFER_POOL|in"


SOFTASICD = os.path.join(BUILD, "saihostd", "softasicd")
ORCHCTL = os.path.join(BUILD, "orchctl", "orchctl")
# More than a pool, so that there is something of each kind to meddle with.
WHOLE = {
    **CONFIG,
    "PORT|Ethernet4": {"lanes": "5,6,7,8", "speed": "100000",
                       "admin_status": "up"},
    "BUFFER_PROFILE|p": {"pool": "in", "size": "1024", "dynamic_th": "1",
                         "xon": "1024", "xoff": "20480"},
    "BUFFER_PG|Ethernet0|3": {"profile": "p"},
    "BUFFER_PG|Ethernet4|3-4": {"profile": "p"},
    "DSCP_TO_TC_MAP|m": {"3": "3"},
    "PORT_QOS_MAP|Ethernet4": {"dscp_to_tc_map": "m", "pfc_enable": "3,4"},
}


def events(client):
    """All events, the last one first."""
    return [json.loads(event) for event in
            client.on(STATE_DB, "LRANGE", "ORCHD_EVENTS", 0, -1)]


class Drift(System):

    def start(self, client, *options):
        """Starts orchd on a switch that once says that it has no such pool."""
        path = os.path.join(self.directory, "faults.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump([{"op": "get", "type": "buffer_pool",
                        "attribute": "size", "nth": 1,
                        "status": "item_not_found"}], file)
        client.pipeline(as_commands(CONFIG) +
                        [("SET", "CONFIG_DB_INITIALIZED", "1")])
        self.start_orchd("--sai-faults", path, "--set", "drift_seconds=1",
                         *options)
        self.wait_applied(client, CONFIG)

    @needs_sai
    def test_drift_is_reported_while_it_lasts(self):
        client = self.start_redis()
        client.on(STATE_DB, "HSET", "ORCHD_DRIFT|PORT|Ethernet99", "since",
                  "an earlier run")
        self.start(client)
        row = wait_until(lambda: client.hash(STATE_DB, KEY) or client.hash(
            STATE_DB, KEY.replace("|in", "|out")), "a pool is missed")
        size = "SAI_BUFFER_POOL_ATTR_SIZE"
        self.assertEqual(row["intended:" + size], "10000000")
        self.assertEqual(row["found:" + size], "missing")
        self.assertEqual(row["repair"], "report")
        self.assertEqual(row["since"], row["checked"])
        wait_until(lambda: not client.keys(STATE_DB, "ORCHD_DRIFT|*"),
                   "the pool is back, and what is old is gone")
        [over, begun] = [event for event in events(client)
                         if "drifted" in (event["old"], event["new"])]
        self.assertEqual((begun["table"], begun["old"], begun["new"]),
                         ("BUFFER_POOL", "as-intended", "drifted"))
        self.assertIn(begun["key"], ("in", "out"))
        self.assertEqual((over["key"], over["old"], over["new"]),
                         (begun["key"], "drifted", "as-intended"))
        self.wait_log(" drift ")
        self.stop_orchd()

    @needs_sai
    def test_nothing_is_read_back_unless_asked(self):
        client = self.start_redis()
        self.start(client, "--set", "repair=off")
        # Had it been read back, the first reading would fail.
        answer = self.control("config", "diff")
        [pool] = answer["data"]["differences"]
        self.assertEqual((pool["attribute"], pool["found"]),
                         ("SIZE", "missing"))
        self.assertEqual(client.keys(STATE_DB, "ORCHD_DRIFT|*"), [])


@needs_packets
class BehindItsBack(System):
    """orchd as the client of a softasicd that lets a second one write."""

    def command(self, *options, redis=None, remote=True):
        return super().command(*options, redis=redis, remote=remote)

    def start_host(self, *options):
        self.kill_host()
        with open(self.host_log, "wb") as log:
            self.host_process = subprocess.Popen(
                [SOFTASICD, "--socket", self.host_socket, "--sai", LIBSAI,
                 "--model", "generic", "--profile", *CHIPS, "--rescue",
                 *options], stderr=log)
        wait_until(lambda: "host-ready" in self.host_text(), "there is a chip")

    def write_config(self, client):
        client.pipeline(as_commands(WHOLE) +
                        [("SET", "CONFIG_DB_INITIALIZED", "1")])

    def begin(self, repair):
        self.start_host()
        client = self.start_redis()
        self.write_config(client)
        self.run_orchd(client, repair)
        return client

    def run_orchd(self, client, repair):
        """Starts orchd; without drift all is as intended."""
        self.start_orchd_only("--set", "drift_seconds=1", "--set",
                              "repair=" + repair)
        self.wait_applied(client, WHOLE)
        wait_until(lambda: self.diff() == {}, "the chip is as intended")

    # The other one.

    def call(self, *words, rescue=True):
        """One call beside orchd; returns the status and the whole line."""
        run = subprocess.run(
            [ORCHCTL, "--json", "sai", "call", "--host", self.host_socket,
             "--sai", os.path.join(BUILD, ".libs", "libsai-remote.so"),
             *(["--rescue"] if rescue else []), *words],
            capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        self.assertIn(run.returncode, (0, 1), run.stderr)
        answer = json.loads(run.stdout)
        self.assertEqual(run.returncode == 0,
                         answer["status"] == "SAI_STATUS_SUCCESS")
        return answer["status"], answer["line"]

    def do(self, *words):
        self.assertEqual(self.call(*words)[0], "SAI_STATUS_SUCCESS", words)

    def oid(self, client, kind, name):
        return client.hash(COUNTERS_DB, f"COUNTERS_{kind}_NAME_MAP")[name]

    def read_oids(self, kind, oid, attribute):
        """The object ids in an attribute."""
        line = self.call("get", "SAI_OBJECT_TYPE_" + kind, oid,
                         f"SAI_{kind}_ATTR_{attribute}")[1]
        return re.findall("oid:0x[0-9a-f]+", line.split("=>")[1])

    def remove_port(self, client, port):
        """Removes what uses the port first: the member of the default VLAN and
        the bridge port."""
        [switch] = [oid for oid, (kind, _) in asic_objects(client).items()
                    if kind == "SAI_OBJECT_TYPE_SWITCH"]
        [vlan] = self.read_oids("SWITCH", switch, "DEFAULT_VLAN_ID")
        [bridge] = self.read_oids("SWITCH", switch, "DEFAULT_1Q_BRIDGE_ID")
        [used] = [oid for oid in self.read_oids("BRIDGE", bridge, "PORT_LIST")
                  if self.read_oids("BRIDGE_PORT", oid, "PORT_ID") == [port]]
        [member] = [
            oid for oid in self.read_oids("VLAN", vlan, "MEMBER_LIST")
            if self.read_oids("VLAN_MEMBER", oid, "BRIDGE_PORT_ID") == [used]]
        for kind, oid in (("VLAN_MEMBER", member), ("BRIDGE_PORT", used),
                          ("PORT", port)):
            self.do("remove", "SAI_OBJECT_TYPE_" + kind, oid)

    def the_profile(self, client):
        """The only one, once what an earlier orchd had made has left ASIC_DB.
        """
        def only():
            found = [oid for oid, (kind, _) in asic_objects(client).items()
                     if kind == "SAI_OBJECT_TYPE_BUFFER_PROFILE"]
            return found[0] if len(found) == 1 else None

        return wait_until(only, "ASIC_DB has one profile")

    def meddle(self, client):
        """Sets one thing and removes others; returns what that is."""
        pg = "SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE=oid:0x0"
        profile = self.the_profile(client)
        self.do("set", "SAI_OBJECT_TYPE_BUFFER_POOL",
                self.oid(client, "BUFFER_POOL", "in"),
                "SAI_BUFFER_POOL_ATTR_SIZE=5000000")
        self.do("set", "SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP",
                self.oid(client, "PG", "Ethernet0:3"), pg)
        self.remove_port(client, self.oid(client, "PORT", "Ethernet4"))
        self.do("remove", "SAI_OBJECT_TYPE_BUFFER_PROFILE", profile)
        return {"BUFFER_POOL|in", "BUFFER_PG|Ethernet0|3", "BUFFER_PROFILE|p",
                "PORT|Ethernet4", "BUFFER_PG|Ethernet4|3",
                "BUFFER_PG|Ethernet4|4"}

    # What orchd says.

    def diff(self):
        """{object: attributes} of what "orchctl config diff" finds; None if
        there is nothing to compare yet."""
        try:
            data = self.control("config", "diff").get("data") or {}
        except OSError:
            return None
        if not data.get("compared"):
            return None
        found = {}
        for entry in data["differences"]:
            found.setdefault(entry["object"], set()).add(entry["attribute"])
        return found

    def drifted(self, client):
        return {key.split("|", 1)[1]
                for key in client.keys(STATE_DB, "ORCHD_DRIFT|*")}

    def wait_drifted(self, client, names):
        wait_until(lambda: self.drifted(client) == names, f"{names} drifted")

    def test_single_calls_say_what_is_wrong(self):
        self.start_host()
        remote = os.path.join(BUILD, ".libs", "libsai-remote.so")
        pool = ["SAI_OBJECT_TYPE_BUFFER_POOL", "oid:0x18000000000100"]
        size = "SAI_BUFFER_POOL_ATTR_SIZE"

        def run(code, expected, *words, host=self.host_socket):
            done = subprocess.run(
                [ORCHCTL, "sai", "call", *(["--host", host] if host else []),
                 "--sai", remote, *words],
                capture_output=True, text=True, timeout=PATIENCE_S, check=False)
            self.assertEqual(done.returncode, code, done)
            self.assertIn(expected, done.stdout + done.stderr)

        for words, expected in (
                (["set"], "needs OPERATION TYPE"),
                (["put", *pool], "expected"),
                (["set", "SAI_OBJECT_TYPE_X", "oid:0x1"], "TYPE_X'"),
                (["get", pool[0]], "an object id is missing"),
                (["get", *pool], "get needs the name of an attribute"),
                (["get_stats", *pool], "a mode (1 to read, 2 to read and clear) is"),
                (["get_stats", *pool, "1"], "get_stats needs the name of a"),
                (["set", *pool], "set takes one attribute"),
                (["set", *pool, size], "expected"),
                (["set", *pool, size + "=much"], "allowed: 0.."),
                (["get", *pool, "SAI_QUEUE_ATTR_TYPE"], "SAI_QUEUE_ATTR_TYPE"),
                (["set", *pool, size + "=1", size + "=2"],
                 "set takes one attribute"),
                (["snapshot", *pool, size + "=1"], "is not a SAI call")):
            with self.subTest(words):
                run(2, expected, *words)
                run(2, "remedy: ", *words)
        run(2, "--host SOCKET is required", "get", *pool, size, host=None)
        run(1, "cannot reach", "get", *pool, size, host=self.host_socket + "x")
        # What SAI says is printed as a record has it.
        run(1, " ".join(["get", *pool, size, "=> SAI_STATUS_INVALID_OBJECT_ID"]),
            "get", *pool, size)
        run(0, "=> SAI_STATUS_SUCCESS oid:0x", "create",
            "SAI_OBJECT_TYPE_SWITCH", "SAI_SWITCH_ATTR_INIT_SWITCH=true")
        kind = "SAI_BUFFER_POOL_ATTR_TYPE=SAI_BUFFER_POOL_TYPE_EGRESS"
        run(0, "=> SAI_STATUS_SUCCESS oid:0x", "create", pool[0], kind,
            size + "=4096")

    def test_refused_clients_are_logged(self):
        self.start_redis()
        self.start_host()
        with socket.socket(socket.AF_UNIX) as stranger:
            stranger.settimeout(PATIENCE_S)
            stranger.connect(self.host_socket)
            stranger.sendall(b"GET / HTTP/1.1\r\n\r\n")
            self.assertEqual(stranger.recv(1), b"")
        self.assertIn("does not speak the protocol", self.host_text())
        # A second writer is refused by the name of the first.
        self.start_orchd_only()
        owner = f"process {self.orchd_process.pid}"
        wait_until(lambda: "switch-created" in self.log_text(), "it is there")
        done = subprocess.run(
            [ORCHCTL, "sai", "call", "--host", self.host_socket, "--sai",
             os.path.join(BUILD, ".libs", "libsai-remote.so"), "set",
             "SAI_OBJECT_TYPE_BUFFER_POOL", "oid:0x1",
             "SAI_BUFFER_POOL_ATTR_SIZE=1"],
            capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"another client writes already: {owner}", done.stderr)
        self.assertIn("another program has the switch", done.stderr)
        self.assertRegex(self.host_text(), "client-refused process [0-9]+: "
                         "a client was disconnected: another client writes "
                         f"already: {owner}")
        # Clients that say nothing do not keep others out: the oldest of them
        # gives way to the next.
        silent = [socket.socket(socket.AF_UNIX) for _ in range(70)]
        for one in silent:
            one.connect(self.host_socket)
            one.settimeout(PATIENCE_S)
        done = subprocess.run(
            [ORCHCTL, "sai", "call", "--host", self.host_socket, "--sai",
             os.path.join(BUILD, ".libs", "libsai-remote.so"), "get",
             "SAI_OBJECT_TYPE_SWITCH", "oid:0x0",
             "SAI_SWITCH_ATTR_NUMBER_OF_ACTIVE_PORTS"],
            capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        self.assertNotIn("clients already", done.stderr)
        self.assertEqual([one.makefile("rb").read() for one in silent],
                         [b""] * len(silent))
        self.assertIn("sent no HELLO", self.host_text())
        for one in silent:
            one.close()

    def test_drift_is_reported_until_repaired(self):
        client = self.begin("report")
        names = self.meddle(client)
        self.wait_drifted(client, names)
        row = client.hash(STATE_DB, "ORCHD_DRIFT|BUFFER_POOL|in")
        size = "SAI_BUFFER_POOL_ATTR_SIZE"
        self.assertEqual((row["intended:" + size], row["found:" + size],
                          row["repair"]), ("10000000", "5000000", "report"))
        self.assertEqual(client.hash(STATE_DB, "ORCHD_DRIFT|PORT|Ethernet4")[
            "found:SAI_PORT_ATTR_SPEED"], "missing")
        self.assertEqual(set(self.diff()), names)
        self.assertEqual(self.diff()["BUFFER_POOL|in"], {"SIZE"})
        self.assertEqual({event["table"] + "|" + event["key"] for event in
                          events(client) if event["new"] == "drifted"}, names)
        # Rows are not to blame.
        self.wait_applied(client, WHOLE)
        # orchd publishes it again in an empty Redis.
        self.kill_redis()
        client = self.start_redis()
        self.write_config(client)
        self.wait_drifted(client, names)
        self.do("set", "SAI_OBJECT_TYPE_BUFFER_POOL",
                self.oid(client, "BUFFER_POOL", "in"), size + "=10000000")
        self.wait_drifted(client, names - {"BUFFER_POOL|in"})
        self.assertEqual([event["new"] for event in events(client) if
                          event["key"] == "in" and "drifted" in
                          (event["old"], event["new"])],
                         ["as-intended", "drifted"])
        # A daemon that starts programs everything as wanted, and trusts none
        # of the earlier reports.
        self.kill_orchd()
        self.run_orchd(client, "off")
        self.wait_drifted(client, set())
        # Only the drift is reported.
        names = self.meddle(client)
        self.assertEqual(set(self.diff()), names)
        self.assertEqual(self.drifted(client), set())
        self.stop_orchd()

    def test_it_is_repaired(self):
        client = self.begin("on")
        before = asic_picture(client)
        # An audit in between would repair the first of the changes, and use the
        # profile again that the last one removes.
        self.orchd_process.send_signal(signal.SIGSTOP)
        names = self.meddle(client)
        self.orchd_process.send_signal(signal.SIGCONT)

        def repaired():
            return (self.diff() == {} and not self.drifted(client) and
                    "drifted" in {event["new"] for event in events(client)})

        wait_until(repaired, "all is as it was")
        self.wait_applied(client, WHOLE)
        wait_until(lambda: asic_picture(client) == before, "ASIC_DB as well")
        repairs = {event["table"] + "|" + event["key"]: event["reason"]
                   for event in events(client) if event["new"] == "drifted"}
        self.assertLessEqual(set(repairs), names)
        self.assertIn("orchd repairs it", repairs["BUFFER_POOL|in"])
        over = {event["table"] + "|" + event["key"] for event in events(client)
                if event["old"] == "drifted"}
        self.assertLessEqual({"BUFFER_POOL|in", "PORT|Ethernet4",
                              "BUFFER_PROFILE|p"}, over)
        status, line = self.call(
            "get", "SAI_OBJECT_TYPE_PORT",
            self.oid(client, "PORT", "Ethernet4"),
            "SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL", "SAI_PORT_ATTR_HW_LANE_LIST",
            "SAI_PORT_ATTR_ADMIN_STATE", rescue=False)
        self.assertEqual(status, "SAI_STATUS_SUCCESS")
        self.assertIn("PRIORITY_FLOW_CONTROL=24 SAI_PORT_ATTR_HW_LANE_LIST="
                      "4:5,6,7,8 SAI_PORT_ATTR_ADMIN_STATE=true", line)
        # A chip that was replaced is programmed, and drifts like any other.
        self.start_host()
        wait_until(lambda: self.drifted(client) == set() and self.diff() == {},
                   "the new chip is as intended")
        self.do("set", "SAI_OBJECT_TYPE_BUFFER_POOL",
                self.oid(client, "BUFFER_POOL", "in"),
                "SAI_BUFFER_POOL_ATTR_SIZE=5000000")
        wait_until(lambda: [event["new"] for event in events(client)
                            if event["key"] == "in"][:2] ==
                   ["as-intended", "drifted"], "that is repaired")
        self.stop_orchd()


if __name__ == "__main__":
    unittest.main()

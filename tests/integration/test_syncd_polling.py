# SPDX-License-Identifier: Apache-2.0
"""output=orchagent: the counters that orchd lets syncd poll, and what is shown
of them, beside the stand-in for syncd (tests/support/orchagent_double.py)."""

import json
import os
import subprocess
import unittest

from harness import COUNTERS_DB, PATIENCE_S, not_beside, once, wait_until

from test_cli import ORCHCTL
from test_orchagent import SMALL, Beside

setUpModule = not_beside("it is in this mode already")

FLEX = 5
GROUPS, OBJECTS = "FLEX_COUNTER_GROUP_TABLE:", "FLEX_COUNTER_TABLE:"
PG = "SAI_INGRESS_PRIORITY_GROUP_STAT_"
POOL, QUEUE, PORT = ("SAI_BUFFER_POOL_STAT_", "SAI_QUEUE_STAT_",
                     "SAI_PORT_STAT_")
GROUP_KIND = "INGRESS_PRIORITY_GROUP"

# What orchagent lets syncd poll of ports.
TRAFFIC = [PORT + name for name in ("IF_IN_OCTETS", "IF_IN_ERRORS",
                                    "IF_OUT_OCTETS", "IF_IN_DISCARDS",
                                    "IF_OUT_DISCARDS")]


@once
class Polling(Beside):

    def own(self, client, table):
        """The rows of orchd's groups."""
        return {key[len(table):]: row for key, row in
                client.hashes(FLEX, table + "ORCHD_*").items()}

    def port_group(self, client, double, status):
        """orchagent's group of ports."""
        client.on(FLEX, "HSET", GROUPS + "PORT_STAT_COUNTER", "POLL_INTERVAL",
                  "1000", "STATS_MODE", "STATS_MODE_READ",
                  "FLEX_COUNTER_STATUS", status)
        for name in double.ports:
            client.on(FLEX, "HSET", OBJECTS + "PORT_STAT_COUNTER:" +
                      double.names["PORT", name], "PORT_COUNTER_ID_LIST",
                      ",".join(TRAFFIC))

    def wait_groups(self, client, double, has, lacks=()):
        """Serves until groups of orchd are there, and others are not."""
        def there():
            double.serve()
            groups = self.own(client, GROUPS)
            return (all("ORCHD_" + name in groups for name in has) and
                    not any("ORCHD_" + name in groups for name in lacks))
        wait_until(there, f"groups {has} are there, and not {lacks}")

    def wait_rows(self, client, double, group, expected):
        """Serves until a group has these rows."""
        def rows():
            double.serve()
            return {key.partition(":")[2]: row for key, row in
                    self.own(client, OBJECTS).items()
                    if key.startswith(group + ":")}
        wait_until(lambda: rows() == expected, f"{group} has {expected}")

    def of_port(self, double, names):
        """Rows about all ports."""
        return {double.names["PORT", name]: {"PORT_COUNTER_ID_LIST":
                                             ",".join(names)}
                for name in double.ports}

    def live(self, kind, column, name, index=None):
        """A cell of "show live"."""
        data = self.control("show", "live")["data"]
        names, values = data["names"], data["values"][kind][column]
        if index is None:
            return values[names[kind]["name"].index(name)]
        ports = names["ports"]
        first = sum(ports[kind][:ports["name"].index(name)])
        return values[first + names[kind]["index"][first:].index(index)]

    def test_requests(self):
        """The wire, and which counters are asked for."""
        client, double = self.begin(SMALL)
        queue = "FLEX_COUNTER_TABLE_KEY_VALUE_OP_QUEUE"
        self.wait_all(client, double, SMALL)
        key = "ORCHD_PG_OCCUPANCY:" + double.names[GROUP_KIND, "Ethernet4:3"]
        value = json.dumps(["PG_COUNTER_ID_LIST", PG + "CURR_OCCUPANCY_BYTES"],
                           separators=(",", ":"))

        def requests():
            words = client.on(FLEX, "LRANGE", queue, "0", "-1")
            return [tuple(words[i:i + 3]) for i in range(0, len(words), 3)]
        wait_until(lambda: ("SSET", value, key) in requests(), "a request")
        self.assertIn(
            ["SSET", '["POLL_INTERVAL","1000","STATS_MODE","STATS_MODE_READ",'
             '"FLEX_COUNTER_STATUS","enable"]', "ORCHD_PG_OCCUPANCY"],
            [list(words) for words in zip(*[iter(client.on(
                FLEX, "LRANGE", "FLEX_COUNTER_GROUP_TABLE_KEY_VALUE_OP_QUEUE",
                "0", "-1"))] * 3)])
        self.wait_groups(client, double, ["POOL_OCCUPANCY", "QUEUE_MARKS",
                                          "PORT_TRAFFIC", "PORT_PFC"])
        self.wait_rows(client, double, "ORCHD_POOL_OCCUPANCY", {
            double.names["BUFFER_POOL", name]: {
                "BUFFER_POOL_COUNTER_ID_LIST": POOL + "CURR_OCCUPANCY_BYTES"}
            for name in ("in", "out")})
        self.wait_rows(client, double, "ORCHD_QUEUE_TRAFFIC", {
            vid: {"QUEUE_COUNTER_ID_LIST":
                  QUEUE + "PACKETS," + QUEUE + "DROPPED_PACKETS"}
            for (kind, _), vid in double.names.items() if kind == "QUEUE"})
        self.assertNotIn("WATERMARK", str(self.own(client, OBJECTS)))

    def test_what_others_poll_is_left_out(self):
        """Counters of orchagent's enabled groups are not asked for; its rows
        stay as they are, through the end of orchd's groups."""
        client, double = self.begin(SMALL, boot=False)
        double.boot()
        self.port_group(client, double, "disable")
        self.wait_all(client, double, SMALL)
        asked = [name for name in TRAFFIC if "ERRORS" not in name]
        asked = [asked[0], asked[1], asked[2], asked[3]]
        self.wait_rows(client, double, "ORCHD_PORT_TRAFFIC",
                       self.of_port(double, asked))
        self.port_group(client, double, "enable")
        self.wait_groups(client, double, ["PORT_PFC"], ["PORT_TRAFFIC"])
        self.wait_rows(client, double, "ORCHD_PORT_TRAFFIC", {})
        # One port is not polled any more.
        vid = double.names["PORT", "Ethernet4"]
        client.on(FLEX, "HSET", f"{OBJECTS}PORT_STAT_COUNTER:{vid}",
                  "PORT_COUNTER_ID_LIST", TRAFFIC[0])
        self.wait_rows(client, double, "ORCHD_PORT_TRAFFIC", {
            vid: {"PORT_COUNTER_ID_LIST": ",".join(asked[1:])}})
        before = self.foreign(client)
        self.stop_orchd()
        self.assertTrue(self.own(client, GROUPS))
        double.serve()
        self.assertEqual({row["FLEX_COUNTER_STATUS"] for row in
                          self.own(client, GROUPS).values()}, {"disable"})
        self.assertEqual(self.foreign(client), before)

    def test_off(self):
        """With 0 nothing is asked for, and what a killed run has left is
        removed; of another release, too."""
        client, double = self.begin(SMALL)
        self.wait_groups(client, double, ["PG_OCCUPANCY"])
        self.kill_orchd()
        client.on(FLEX, "HSET", GROUPS + "ORCHD_OLD", "POLL_INTERVAL", "9")
        client.on(FLEX, "HSET", OBJECTS + "ORCHD_OLD:oid:0x15000000000001",
                  "QUEUE_COUNTER_ID_LIST", "SAI_X")
        self.port_group(client, double, "enable")
        before = self.foreign(client)
        self.start_orchd_only("--set", "output=orchagent", "--poll-seconds",
                              "0")

        def gone():
            double.serve()
            return not self.own(client, GROUPS)
        wait_until(gone, "the groups are gone")
        self.assertEqual(self.own(client, OBJECTS), {})
        self.assertEqual(self.foreign(client), before)

    def test_lost_requests(self):
        """After a flush everything is asked for again, and a port that has gone
        is not."""
        client, double = self.begin(SMALL)
        self.wait_all(client, double, SMALL)
        self.wait_groups(client, double, ["PG_OCCUPANCY", "PORT_PFC"])
        for number in (FLEX, COUNTERS_DB):
            client.on(number, "FLUSHDB")
        double.resume()
        self.wait_groups(client, double, ["PG_OCCUPANCY", "PORT_PFC"])
        key = "ORCHD_PORT_PFC:" + double.names["PORT", "Ethernet4"]
        wait_until(lambda: (double.serve(), key in self.own(client, OBJECTS))[1],
                   "the port is polled again")
        client.on(COUNTERS_DB, "HDEL", "COUNTERS_PORT_NAME_MAP", "Ethernet4")
        wait_until(lambda: (double.serve(),
                            key not in self.own(client, OBJECTS))[1],
                   "the port is not polled")

    def show(self, verb):
        return subprocess.run(
            [ORCHCTL, "--control",
             os.path.join(self.directory, "control.sock"), "show", verb],
            capture_output=True, text=True, timeout=PATIENCE_S, check=True).stdout

    def test_what_is_shown(self):
        """Values are shown while they are polled; one that the switch lacks
        stays unknown, and spoils no other."""
        client, double = self.begin(SMALL)
        self.wait_all(client, double, SMALL)
        pg = double.names[GROUP_KIND, "Ethernet4:3"]
        pool, port = double.names["BUFFER_POOL", "in"], double.names[
            "PORT", "Ethernet4"]
        double.lacking = {PG + "SHARED_CURR_OCCUPANCY_BYTES"}
        double.counted = {(pg, PG + "CURR_OCCUPANCY_BYTES"): 5000,
                          (pool, POOL + "CURR_OCCUPANCY_BYTES"): 7000,
                          (port, PORT + "PFC_3_RX_PKTS"): 9}
        self.assertIsNone(self.live("pgs", "used", "Ethernet4", 3))

        def used():
            double.poll()
            return self.live("pgs", "used", "Ethernet4", 3) == 5000
        wait_until(used, "the PG holds 5000 bytes")
        self.assertEqual(self.live("pgs", "used", "Ethernet0", 3), 0)
        self.assertIsNone(self.live("pgs", "shared", "Ethernet4", 3))
        self.assertEqual(self.live("pools", "shared", "in"), 7000)
        pauses = {(pause["priority"], pause["direction"]): pause for pause in
                  self.control("show", "pauses", name="Ethernet4")["data"][
                      "pauses"]}
        self.assertEqual(len(pauses), 16)
        self.assertEqual(pauses[3, "received"]["frames"], 9)
        self.assertEqual(pauses[3, "sent"]["frames"], 0)
        self.assertIsNone(pauses[3, "sent"]["paused_us"])
        text = self.show("buffer")
        self.assertIn("in, ingress: 7,000 bytes + 0 in headroom\n", text)
        self.assertRegex(text, r"Ethernet4\|3 .* 5,000 ")
        stats = self.control("show", "pgs", name="Ethernet4|3")["data"]["pgs"]
        self.assertEqual(stats[0]["stats"]["curr_occupancy_bytes"], 5000)
        self.assertNotIn("shared_curr_occupancy_bytes", stats[0]["stats"])
        # Nobody polls any more.
        wait_until(lambda: self.live("pgs", "used", "Ethernet4", 3) is None,
                   "what the PG holds is unknown")
        self.assertIsNone(self.live("pools", "shared", "in"))
        self.assertIn("in, ingress: unknown", self.show("buffer"))
        for pause in self.control("show", "pauses")["data"]["pauses"]:
            self.assertIsNone(pause["frames"])
        stats = self.control("show", "pgs", name="Ethernet4|3")["data"]["pgs"]
        self.assertNotIn("curr_occupancy_bytes", stats[0]["stats"])
        # syncd comes back, possibly without what it was asked for.
        double.serve()
        double.poll()
        wait_until(lambda: any(key.startswith("ORCHD_QUEUE_OCCUPANCY:")
                               for key in client.on(
                                   FLEX, "LRANGE", OBJECTS[:-1] +
                                   "_KEY_VALUE_OP_QUEUE", "0", "-1")),
                   "everything is asked for again")
        wait_until(used, "the PG holds 5000 bytes again")


if __name__ == "__main__":
    unittest.main(verbosity=2)

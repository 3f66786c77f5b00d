# SPDX-License-Identifier: Apache-2.0
"""Counters and watermarks as the SONiC tools find them in Redis."""

import fcntl
import json
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import unittest

from harness import (BUILD, CONFIG_DB, COUNTERS_DB, PATIENCE_S, REMOTE, System,
                     as_commands, needs_packets, not_beside, wait_until)

setUpModule = not_beside("syncd polls the counters")

FLEX_COUNTER_DB = 5
ORCHCTL = os.path.join(BUILD, "orchctl", "orchctl")

PORTS = {
    "PORT|Ethernet0": {"lanes": "1,2,3,4", "speed": "100000",
                       "admin_status": "up"},
    "PORT|Ethernet4": {"lanes": "5,6,7,8", "speed": "100000",
                       "admin_status": "up"},
}
POOL = "BUFFER_POOL|ingress_lossless_pool"
CONFIG = {
    "DEVICE_METADATA|localhost": {"hwsku": "example"},
    **PORTS,
    POOL: {"type": "ingress", "mode": "dynamic", "size": "10000000",
           "xoff": "1000000"},
    "BUFFER_POOL|egress": {"type": "egress", "mode": "dynamic",
                           "size": "10000000"},
    "BUFFER_PROFILE|in": {"pool": "ingress_lossless_pool", "size": "0",
                          "dynamic_th": "3"},
    "BUFFER_PROFILE|out": {"pool": "egress", "size": "0", "dynamic_th": "3"},
    "BUFFER_PG|Ethernet0|0": {"profile": "in"},
}
GROUPS = {"PORT": "PORT_STAT_COUNTER", "PORT_RATES": "PORT_RATE_COUNTER",
          "PORT_BUFFER_DROP": "PORT_BUFFER_DROP_STAT",
          "QUEUE": "QUEUE_STAT_COUNTER",
          "QUEUE_WATERMARK": "QUEUE_WATERMARK_STAT_COUNTER",
          "PG_WATERMARK": "PG_WATERMARK_STAT_COUNTER",
          "PG_DROP": "PG_DROP_STAT_COUNTER",
          "BUFFER_POOL_WATERMARK": "BUFFER_POOL_WATERMARK_STAT_COUNTER",
          "WRED_ECN_QUEUE": "WRED_ECN_QUEUE_STAT_COUNTER",
          "WRED_ECN_PORT": "WRED_ECN_PORT_STAT_COUNTER"}
# What the tools look for in the rows of each kind of object.
PFC = [f"SAI_PORT_STAT_PFC_{n}_{way}_PKTS" for n in range(8)
       for way in ("RX", "TX")]
NEEDED = {
    "COUNTERS_PORT_NAME_MAP":
        PFC + ["SAI_PORT_STAT_IN_DROPPED_PKTS",
               "SAI_PORT_STAT_OUT_DROPPED_PKTS", "SAI_PORT_STAT_IF_IN_OCTETS",
               "SAI_PORT_STAT_GREEN_WRED_DROPPED_PACKETS",
               "SAI_PORT_STAT_YELLOW_WRED_DROPPED_PACKETS",
               "SAI_PORT_STAT_RED_WRED_DROPPED_PACKETS",
               "SAI_PORT_STAT_WRED_DROPPED_PACKETS"],
    "COUNTERS_QUEUE_NAME_MAP":
        ["SAI_QUEUE_STAT_PACKETS", "SAI_QUEUE_STAT_BYTES",
         "SAI_QUEUE_STAT_DROPPED_PACKETS", "SAI_QUEUE_STAT_DROPPED_BYTES",
         "SAI_QUEUE_STAT_WRED_DROPPED_PACKETS",
         "SAI_QUEUE_STAT_WRED_DROPPED_BYTES",
         "SAI_QUEUE_STAT_WRED_ECN_MARKED_PACKETS",
         "SAI_QUEUE_STAT_WRED_ECN_MARKED_BYTES",
         "SAI_QUEUE_STAT_SHARED_WATERMARK_BYTES"],
    "COUNTERS_PG_NAME_MAP":
        ["SAI_INGRESS_PRIORITY_GROUP_STAT_DROPPED_PACKETS",
         "SAI_INGRESS_PRIORITY_GROUP_STAT_XOFF_ROOM_WATERMARK_BYTES",
         "SAI_INGRESS_PRIORITY_GROUP_STAT_SHARED_WATERMARK_BYTES"],
    "COUNTERS_BUFFER_POOL_NAME_MAP":
        ["SAI_BUFFER_POOL_STAT_WATERMARK_BYTES",
         "SAI_BUFFER_POOL_STAT_XOFF_ROOM_WATERMARK_BYTES"],
}
WATERMARKS = {
    "COUNTERS_QUEUE_NAME_MAP": ["SAI_QUEUE_STAT_SHARED_WATERMARK_BYTES"],
    "COUNTERS_PG_NAME_MAP": NEEDED["COUNTERS_PG_NAME_MAP"][1:],
    "COUNTERS_BUFFER_POOL_NAME_MAP": NEEDED["COUNTERS_BUFFER_POOL_NAME_MAP"],
}
TABLES = ("USER", "PERSISTENT", "PERIODIC")


def group_rows(milliseconds="100", status="enable", groups=GROUPS):
    return {"FLEX_COUNTER_TABLE|" + group:
            {"FLEX_COUNTER_STATUS": status, "POLL_INTERVAL": milliseconds}
            for group in groups}


class Counters(System):
    """What the tests below need."""

    def start(self, config, *options):
        client = self.start_redis()
        client.pipeline(as_commands(config) +
                        [("SET", "CONFIG_DB_INITIALIZED", "1")])
        self.start_orchd(*options)
        self.wait_applied(client, config)
        return client

    def write(self, client, key, **fields):
        client.on(CONFIG_DB, "HSET", key,
                  *[word for pair in fields.items() for word in pair])

    def map(self, client, name):
        return client.hash(COUNTERS_DB, name)

    def row(self, client, oid, table="COUNTERS"):
        return client.hash(COUNTERS_DB, f"{table}:{oid}")

    def wait_fields(self, client, oid, names, table="COUNTERS"):
        """Waits until the row has the fields; they are numbers."""
        row = wait_until(
            lambda: (lambda row: row if set(names) <= set(row) else None)(
                self.row(client, oid, table)),
            f"{table}:{oid} has {names}")
        for name in names:
            self.assertRegex(row[name], "^[0-9]+$")
        return row

    def asic(self, verb, **arguments):
        answer = self.control("asic", verb, **arguments)
        self.assertEqual(answer["exit"], 0, answer)

    def faults(self, **refused):
        """Options with which counters, {type: [tails]}, are refused."""
        path = os.path.join(self.directory, "faults.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump([{"type": kind, "counter": name, "unsupported": True}
                       for kind, names in refused.items() for name in names],
                      file)
        return "--sai-faults", path


class Rows(Counters):

    @needs_packets
    def test_rows_have_what_the_tools_read(self):
        client = self.start({**CONFIG, **group_rows()})
        for name, fields in NEEDED.items():
            objects = self.map(client, name)
            self.assertTrue(objects, name)
            for oid in objects.values():
                self.wait_fields(client, oid, fields)
        for name, fields in WATERMARKS.items():
            for oid in self.map(client, name).values():
                for table in TABLES:
                    self.wait_fields(client, oid, fields,
                                     table + "_WATERMARKS")
        for oid in self.map(client, "COUNTERS_PORT_NAME_MAP").values():
            rates = wait_until(lambda o=oid: self.row(client, o, "RATES"),
                               "rates are there")
            for name in ("RX_BPS", "RX_PPS", "TX_BPS", "TX_PPS"):
                self.assertEqual(float(rates[name]), 0)
        self.stop_orchd()

    def test_description_of_the_plan(self):
        client = self.start({**CONFIG, **group_rows()})
        ports = self.map(client, "COUNTERS_PORT_NAME_MAP")
        for group, flex in GROUPS.items():
            wait_until(lambda f=flex: client.keys(
                FLEX_COUNTER_DB, f"FLEX_COUNTER_TABLE:{f}:*"),
                       f"{group} is described")
            row = client.hash(FLEX_COUNTER_DB,
                              "FLEX_COUNTER_GROUP_TABLE:" + flex)
            self.assertEqual(row, {
                "POLL_INTERVAL": "100", "FLEX_COUNTER_STATUS": "enable",
                "STATS_MODE": "STATS_MODE_READ_AND_CLEAR"
                              if "WATERMARK" in group else "STATS_MODE_READ"})
        row = client.hash(FLEX_COUNTER_DB, "FLEX_COUNTER_TABLE:"
                          "PORT_BUFFER_DROP_STAT:" + ports["Ethernet4"])
        self.assertEqual(row, {"PORT_COUNTER_ID_LIST":
                               "SAI_PORT_STAT_IN_DROPPED_PKTS,"
                               "SAI_PORT_STAT_OUT_DROPPED_PKTS"})

    def test_groups_have_defaults_and_go_back_to_them(self):
        client = self.start({**CONFIG, "FLEX_COUNTER_TABLE|PG_DROP": {
            "FLEX_COUNTER_STATUS": "enable", "FLEX_COUNTER_DELAY_STATUS":
            "true", "BULK_CHUNK_SIZE": "16", "POLL_INTERVAL": "500"}})
        key = "FLEX_COUNTER_GROUP_TABLE:PG_DROP_STAT_COUNTER"

        def field(name):
            return client.hash(FLEX_COUNTER_DB, key).get(name)

        wait_until(lambda: field("POLL_INTERVAL") == "500", "it is set")
        self.assertEqual(field("BULK_CHUNK_SIZE"), "16")
        client.on(CONFIG_DB, "HDEL", "FLEX_COUNTER_TABLE|PG_DROP",
                  "POLL_INTERVAL", "BULK_CHUNK_SIZE")
        wait_until(lambda: field("POLL_INTERVAL") == "10000", "the default")
        self.assertIsNone(field("BULK_CHUNK_SIZE"))
        self.assertEqual(field("FLEX_COUNTER_STATUS"), "enable")
        client.on(CONFIG_DB, "DEL", "FLEX_COUNTER_TABLE|PG_DROP")
        wait_until(lambda: field("FLEX_COUNTER_STATUS") == "disable",
                   "without a row nothing is polled")
        for row, fields, code in (
                ("ACL", {"FLEX_COUNTER_STATUS": "enable"}, "other-group"),
                ("PORT", {"POLL_INTERVAL": "99"}, "range"),
                ("QUEUE", {"FLEX_COUNTER_STATUS": "on"}, "enum")):
            self.write(client, "FLEX_COUNTER_TABLE|" + row, **fields)
            status = wait_until(
                lambda r=row: self.status(client, "FLEX_COUNTER_TABLE|" + r),
                "there is an answer")
            self.assertEqual(status["code"], code)

    def test_counters_of_many_objects_are_read_by_one_call(self):
        client = self.start({**CONFIG, **group_rows(groups=("QUEUE",))})
        queues = self.map(client, "COUNTERS_QUEUE_NAME_MAP")

        def calls():
            """{operation: how often} on queues."""
            return {line["op"]: line["calls"]
                    for line in self.control("show", "sai-stats")["data"][
                        "sai_stats"]
                    if line["type"] == "SAI_OBJECT_TYPE_QUEUE" and
                    line["op"].startswith("get_stats")}

        wait_until(lambda: calls().get("get_stats_many", 0) >= 3,
                   "they are read again and again")
        # The first ones of each kind found out what there is.
        before = calls()["get_stats"]
        self.assertLess(before, len(queues))
        again = calls()["get_stats_many"] + 2
        wait_until(lambda: calls()["get_stats_many"] >= again, "again")
        self.assertEqual(calls()["get_stats"], before)

    @needs_packets
    def test_traffic_is_counted(self):
        client = self.start({**CONFIG, **group_rows()})
        ports = self.map(client, "COUNTERS_PORT_NAME_MAP")
        queues = self.map(client, "COUNTERS_QUEUE_NAME_MAP")
        send = {"from": "Ethernet0", "to": "Ethernet4", "dscp": 3,
                "size": 300, "count": 100}
        self.asic("send", **send)
        self.asic("settle")
        wait_until(lambda: self.row(client, ports["Ethernet4"]).get(
            "SAI_PORT_STAT_IF_OUT_UCAST_PKTS") == "100", "packets are counted")
        wait_until(lambda: self.row(client, queues["Ethernet4:0"]).get(
            "SAI_QUEUE_STAT_PACKETS") == "100", "by queue as well")
        wait_until(lambda: float(self.row(client, ports["Ethernet0"],
                                          "RATES").get("RX_BPS", 0)) > 0,
                   "and how fast they came")
        self.assertEqual(self.row(client, ports["Ethernet4"]).get(
            "SAI_PORT_STAT_IF_IN_UCAST_PKTS"), "0")

    @needs_packets
    def test_watermarks_and_who_clears_them(self):
        shared = "SAI_INGRESS_PRIORITY_GROUP_STAT_SHARED_WATERMARK_BYTES"
        client = self.start({
            **CONFIG, **group_rows(),
            "WATERMARK_TABLE|TELEMETRY_INTERVAL": {"interval": "86400"}})
        oid = self.map(client, "COUNTERS_PG_NAME_MAP")["Ethernet0:0"]

        def marks():
            return [self.row(client, oid, table + "_WATERMARKS").get(shared)
                    for table in TABLES]

        def wait_marks(expected):
            wait_until(lambda: marks() == expected, f"{expected} of {marks()}")

        wait_marks(["0", "0", "0"])
        self.asic("block", ports=["Ethernet4"])
        self.asic("send", **{"from": "Ethernet0", "to": "Ethernet4", "size": 200, "count": 10})
        wait_marks(["2560", "2560", "2560"])
        self.asic("unblock", ports=["Ethernet4"])
        self.asic("settle")
        # The hardware's own watermark restarts with each reading.
        wait_until(lambda: self.row(client, oid).get(shared) == "0",
                   "the raw one is that of the last interval")
        self.assertEqual(marks(), ["2560", "2560", "2560"])
        for message in ("[\"PERIODIC\", \"PG_SHARED\"]", "nonsense", "[1,2]",
                        "[\"USER\", \"PG\"]"):
            client("PUBLISH", "WATERMARK_CLEAR_REQUEST", message)
        self.wait_log("watermark-request")
        client("PUBLISH", "WATERMARK_CLEAR_REQUEST",
               json.dumps(["USER", "PG_HEADROOM"]))
        client("PUBLISH", "WATERMARK_CLEAR_REQUEST",
               json.dumps(["USER", "PG_SHARED"]))
        wait_marks(["0", "2560", "2560"])
        # F5: the time of the reset is published.
        times = client.hash(COUNTERS_DB, "WATERMARK_LAST_RESET_TIME")
        self.assertRegex(times["USER:PG_SHARED"], "^20..-..-..T.*Z$")
        self.assertEqual(set(times), {"USER:PG_SHARED", "USER:PG_HEADROOM"})
        # A shorter interval counts from the start of the longer one.
        self.write(client, "WATERMARK_TABLE|TELEMETRY_INTERVAL", interval=1)
        wait_marks(["0", "2560", "0"])
        self.assertIn("PERIODIC", client.hash(COUNTERS_DB,
                                              "WATERMARK_LAST_RESET_TIME"))


class Refused(Counters):
    """A switch that does not have all counters."""

    def test_what_is_refused_is_dropped_with_one_line(self):
        client = self.start({**CONFIG, **group_rows(
            groups=("WRED_ECN_QUEUE", "PG_DROP"))}, *self.faults(
                queue=["wred_ecn_marked_bytes", "wred_dropped_bytes"],
                ingress_priority_group=["dropped_packets"]))
        queues = self.map(client, "COUNTERS_QUEUE_NAME_MAP")
        for oid in queues.values():
            row = self.wait_fields(client, oid, [
                "SAI_QUEUE_STAT_WRED_DROPPED_PACKETS",
                "SAI_QUEUE_STAT_WRED_ECN_MARKED_PACKETS"])
            self.assertEqual(len(row), 2)
            self.assertEqual(client.hash(
                FLEX_COUNTER_DB,
                "FLEX_COUNTER_TABLE:WRED_ECN_QUEUE_STAT_COUNTER:" + oid),
                {"QUEUE_COUNTER_ID_LIST":
                 "SAI_QUEUE_STAT_WRED_DROPPED_PACKETS,"
                 "SAI_QUEUE_STAT_WRED_ECN_MARKED_PACKETS"})
        # Many rounds later it is logged once, and objects without such
        # counters not at all.
        def rounds():
            return sum(line["calls"] for line in self.control(
                "show", "sai-stats")["data"]["sai_stats"]
                       if line["op"] == "get_stats_many")

        later = rounds() + 20
        wait_until(lambda: rounds() >= later, "time passes")
        lines = [line for line in self.log_text().splitlines()
                 if "counters-refused" in line]
        self.assertEqual(len(lines), 2, lines)
        for names in ("SAI_QUEUE_STAT_WRED_DROPPED_BYTES,"
                      "SAI_QUEUE_STAT_WRED_ECN_MARKED_BYTES",
                      "SAI_INGRESS_PRIORITY_GROUP_STAT_DROPPED_PACKETS"):
            self.assertEqual(sum(line.endswith(names) for line in lines), 1)
        self.assertEqual(client.keys(FLEX_COUNTER_DB,
                                     "FLEX_COUNTER_TABLE:PG_DROP*"), [])
        self.stop_orchd()

    @needs_packets
    def test_pauses_are_estimated_from_frames_and_marked(self):
        client = self.start(
            {**CONFIG, **group_rows(),
             "PORT_QOS_MAP|Ethernet4": {"pfc_enable": "3,4"}},
            *self.faults(port=[f"pfc_{n}_{name}" for n in (3, 5) for name in (
                "rx_pause_duration_us", "on2off_rx_pkts")]))
        oid = self.map(client, "COUNTERS_PORT_NAME_MAP")["Ethernet4"]
        self.wait_fields(client, oid, ["SAI_PORT_STAT_PFC_3_RX_PKTS"])
        self.asic("storm", port="Ethernet4", priorities="3,4,5", count=2,
                  interval_us=1000)
        self.asic("run", ns=5000000)

        def pauses():
            return {pause["priority"]: pause for pause in self.control(
                "show", "pauses", name="Ethernet4")["data"]["pauses"]
                    if pause["direction"] == "received"}

        found = wait_until(
            lambda: (lambda p: p if p[3]["pauses"] and p[4]["pauses"] else
                     None)(pauses()), "pauses are seen")
        self.assertEqual((found[3]["estimated"], found[4]["estimated"]),
                         (True, False))
        row = self.row(client, oid)
        # At 100G 65535 quanta are 335.5 us; there are no pauses without.
        frames = int(row["SAI_PORT_STAT_PFC_3_RX_PKTS"])
        self.assertEqual(frames, 2)
        self.assertEqual(row["EST_PORT_STAT_PFC_3_RX_PAUSE_DURATION_US"],
                         str(found[3]["paused_us"]))
        self.assertIn(found[3]["paused_us"], (670, 671))
        self.assertNotIn("EST_PORT_STAT_PFC_4_RX_PAUSE_DURATION_US", row)
        for name in ("RX_PAUSE_DURATION_US", "ON2OFF_RX_PKTS"):
            self.assertNotIn("SAI_PORT_STAT_PFC_3_" + name, row)
            self.assertIn("SAI_PORT_STAT_PFC_4_" + name, row)
        # A port ignores pauses of a priority without flow control.
        self.assertEqual((found[5]["frames"], found[5]["paused_us"],
                          found[5]["pauses"]), (2, 0, 0))
        self.assertFalse([name for name in row if "EST_PORT_STAT_PFC_5" in name])
        # With asymmetric flow control all are obeyed.
        self.write(client, "PORT|Ethernet4", pfc_asym="on")
        self.wait_state(client, "PORT|Ethernet4", "applied")
        self.asic("storm", port="Ethernet4", priorities="5", count=2,
                  interval_us=1000)
        self.asic("run", ns=5000000)
        found = wait_until(lambda: (lambda p: p if p[5]["paused_us"] else None)(
            pauses()), "pauses are seen")
        self.assertIn(found[5]["paused_us"], (670, 671))
        self.assertTrue(found[5]["estimated"])


class Scope(Counters):
    """create_only_config_db_buffers: what has no buffers is not counted."""

    MAPS = {"QUEUE": ("NAME", "PORT", "INDEX", "TYPE"),
            "PG": ("NAME", "PORT", "INDEX")}

    def set_scope(self, client, value):
        self.write(client, "DEVICE_METADATA|localhost",
                   create_only_config_db_buffers=value)

    def wait_places(self, client, **expected):
        """Waits until exactly these places are in the maps, and counted."""
        def found():
            for kind, maps in self.MAPS.items():
                names = self.map(client, f"COUNTERS_{kind}_NAME_MAP")
                if kind in expected and set(names) != set(expected[kind]):
                    return False
                oids = set(names.values())
                if any(set(self.map(client, f"COUNTERS_{kind}_{name}_MAP")) !=
                       oids for name in maps[1:]):
                    return False
            known = set().union(*(self.map(client, name).values()
                                  for name in NEEDED))
            counted = {key.split(":", 1)[1] for key in
                       client.keys(COUNTERS_DB, "COUNTERS:oid:*")}
            return counted == known

        wait_until(found, f"{expected} is counted")

    def test_only_what_has_a_profile_is_counted(self):
        config = {**CONFIG, **group_rows(),
                  "BUFFER_PROFILE|egress_zero_profile": {
                      "pool": "egress", "size": "0", "dynamic_th": "-8"},
                  "BUFFER_QUEUE|Ethernet4|3-4": {"profile": "out"}}
        client = self.start({**config, "DEVICE_METADATA|localhost": {
            "hwsku": "example", "create_only_config_db_buffers": "true"}})
        queues = ["Ethernet4:3", "Ethernet4:4"]
        self.wait_places(client, QUEUE=queues, PG=["Ethernet0:0"])
        before = self.map(client, "COUNTERS_QUEUE_NAME_MAP")
        # Rows come, get a zero profile, get a real one, and go.
        row = "BUFFER_QUEUE|Ethernet0|2"
        self.write(client, row, profile="out")
        self.wait_places(client, QUEUE=queues + ["Ethernet0:2"])
        oid = self.map(client, "COUNTERS_QUEUE_NAME_MAP")["Ethernet0:2"]
        self.write(client, row, profile="egress_zero_profile")
        self.wait_places(client, QUEUE=queues)
        self.assertEqual(client.keys(FLEX_COUNTER_DB, "*" + oid), [])
        self.write(client, row, profile="out")
        self.wait_places(client, QUEUE=queues + ["Ethernet0:2"])
        client.on(CONFIG_DB, "DEL", row)
        self.wait_places(client, QUEUE=queues, PG=["Ethernet0:0"])
        self.assertEqual(self.map(client, "COUNTERS_QUEUE_NAME_MAP"), before)
        # A port that comes has none.
        client.on(CONFIG_DB, "DEL", "BUFFER_QUEUE|Ethernet4|3-4")
        self.wait_places(client, QUEUE=[], PG=["Ethernet0:0"])

    def test_it_can_be_changed_at_any_time(self):
        client = self.start({**CONFIG, **group_rows()})
        every = set(self.map(client, "COUNTERS_QUEUE_NAME_MAP"))
        self.wait_places(client, QUEUE=every)
        self.set_scope(client, "true")
        self.wait_places(client, QUEUE=[], PG=["Ethernet0:0"])
        self.set_scope(client, "false")
        self.wait_places(client, QUEUE=every)
        # The same while Redis is away.
        self.kill_redis()
        self.wait_log("redis")
        client = self.start_redis()
        client.pipeline(as_commands({
            **CONFIG, **group_rows(), "DEVICE_METADATA|localhost": {
                "hwsku": "example", "create_only_config_db_buffers": "true"}})
                        + [("SET", "CONFIG_DB_INITIALIZED", "1")])
        self.wait_places(client, QUEUE=[], PG=["Ethernet0:0"])
        self.stop_orchd()


class PeerBugs(Counters):
    """PEER_BUGS F, one by one.  F6 is in tests/unit/test_counters.c."""

    def rows_of_port(self, client, name):
        """The ids of a port and of all that it has."""
        oids = {self.map(client, "COUNTERS_PORT_NAME_MAP").get(name)}
        for kind in ("QUEUE", "PG"):
            oids |= {oid for place, oid in self.map(
                client, f"COUNTERS_{kind}_NAME_MAP").items()
                if place.startswith(name + ":")}
        return oids - {None}

    def check_maps(self, client):
        """All maps are of the same objects, whose ports are known."""
        for kind in ("QUEUE", "PG"):
            names = self.map(client, f"COUNTERS_{kind}_NAME_MAP")
            ports = self.map(client, f"COUNTERS_{kind}_PORT_MAP")
            indexes = self.map(client, f"COUNTERS_{kind}_INDEX_MAP")
            self.assertTrue(names)
            self.assertEqual(set(names.values()), set(ports))
            self.assertEqual(set(ports), set(indexes))
            self.assertLessEqual(set(ports.values()), set(self.map(
                client, "COUNTERS_PORT_NAME_MAP").values()))
            if kind == "QUEUE":
                self.assertEqual(set(ports), set(self.map(
                    client, "COUNTERS_QUEUE_TYPE_MAP")))

    def test_f1_maps_agree_when_ports_come_and_go(self):
        client = self.start({**CONFIG, **group_rows()})
        oids = self.rows_of_port(client, "Ethernet4")
        for oid in oids:
            wait_until(lambda o=oid: self.row(client, o), "it is counted")
        client.on(CONFIG_DB, "DEL", "PORT|Ethernet4")
        wait_until(lambda: not self.rows_of_port(client, "Ethernet4"),
                   "the port is gone")
        self.check_maps(client)
        for number in (COUNTERS_DB, FLEX_COUNTER_DB):
            for oid in oids:
                self.assertEqual(client.keys(number, "*" + oid), [])
        self.write(client, "PORT|Ethernet4", **PORTS["PORT|Ethernet4"])
        new = wait_until(lambda: self.rows_of_port(client, "Ethernet4"),
                         "it is back")
        for oid in new:
            wait_until(lambda o=oid: self.row(client, o), "it is counted")
        self.check_maps(client)
        # Counters that no map names are not polled.
        known = set().union(*(self.map(client, name).values()
                              for name in NEEDED))
        counted = {key.split(":", 1)[1]
                   for key in client.keys(COUNTERS_DB, "COUNTERS:oid:*")}
        self.assertEqual(counted, known)

    def test_f1_maps_of_a_port_change_in_one_step(self):
        client = self.start({**CONFIG, **group_rows()})
        oids = self.rows_of_port(client, "Ethernet4")
        for oid in oids:
            wait_until(lambda o=oid: self.row(client, o), "it is counted")
        watcher = self.client()
        self.assertEqual(watcher("MONITOR"), "OK")
        client.on(CONFIG_DB, "DEL", "PORT|Ethernet4")
        wait_until(lambda: not self.rows_of_port(client, "Ethernet4"),
                   "the port is gone")
        self.write(client, "PORT|Ethernet4", **PORTS["PORT|Ethernet4"])
        wait_until(lambda: self.rows_of_port(client, "Ethernet4"),
                   "it is back")
        client("ECHO", "that is all")
        # What was written: 'm' of maps, 'c' of counters, by transaction.
        seen, words = "", []
        while "that is all" not in words:
            words = re.findall(r'"((?:[^"\\]|\\.)*)"', watcher.read())
            name = words[0].upper()
            if name in ("MULTI", "EXEC"):
                seen += {"MULTI": "(", "EXEC": ")"}[name]
            elif name in ("HSET", "HDEL") and words[1].endswith("_MAP"):
                seen += "m+"[name == "HSET"]
            elif name == "DEL" and words[1].startswith("COUNTERS:oid"):
                seen += "c"
        seen = seen.replace("()", "")
        removed, _, added = seen.partition("m)")
        # Counters go first; then all entries at once; then all come at once.
        self.assertRegex(removed, r"^[^m]*c[^m]*\(m+$")
        self.assertNotIn("c", added)
        self.assertRegex(added, r"^[^+]*\([+]{8}\)[^+]*$")

    def test_f1_what_an_earlier_run_counted_is_removed(self):
        client = self.start_redis()
        stale = "oid:0xdead"
        for group in ("QUEUE_STAT_COUNTER", "PFC_WD"):
            client.on(FLEX_COUNTER_DB, "HSET",
                      f"FLEX_COUNTER_TABLE:{group}:{stale}", "x", "y")
        others = ("FLEX_COUNTER_TABLE:RIF_STAT_COUNTER:" + stale,
                  "FLEX_COUNTER_TABLE:QUEUE_STAT_COUNTER:nothing")
        for key in others:
            client.on(FLEX_COUNTER_DB, "HSET", key, "x", "y")
        for table in ("COUNTERS", "USER_WATERMARKS", "RATES"):
            client.on(COUNTERS_DB, "HSET", f"{table}:{stale}", "x", "1")
        client.pipeline(as_commands({**CONFIG, **group_rows()}) +
                        [("SET", "CONFIG_DB_INITIALIZED", "1")])
        self.start_orchd()
        wait_until(lambda: client.keys(COUNTERS_DB, "*" + stale) == [],
                   "it is gone")
        wait_until(lambda: sorted(
            client.keys(FLEX_COUNTER_DB, "*" + stale) +
            client.keys(FLEX_COUNTER_DB, "*:nothing")) == sorted(others),
                   "of others' nothing is")

    @needs_packets
    def test_f2_clearing_is_for_ports_that_came_later_too(self):
        name = "SAI_QUEUE_STAT_SHARED_WATERMARK_BYTES"
        config = {**CONFIG, **group_rows()}
        del config["PORT|Ethernet4"]
        client = self.start(config)
        client("PUBLISH", "WATERMARK_CLEAR_REQUEST",
               json.dumps(["USER", "Q_SHARED_UNI"]))
        wait_until(lambda: client.hash(COUNTERS_DB,
                                       "WATERMARK_LAST_RESET_TIME"),
                   "all are cleared")
        self.write(client, "PORT|Ethernet4", **PORTS["PORT|Ethernet4"])
        self.write(client, "BUFFER_QUEUE|Ethernet4|0", profile="out")
        self.wait_state(client, "BUFFER_QUEUE|Ethernet4|0", "applied")
        oid = self.map(client, "COUNTERS_QUEUE_NAME_MAP")["Ethernet4:0"]

        def mark():
            return self.row(client, oid, "USER_WATERMARKS").get(name)

        self.asic("block", ports=["Ethernet4"])
        self.asic("send", **{"from": "Ethernet0", "to": "Ethernet4", "size": 200, "count": 10})
        wait_until(lambda: mark() == "2560", "a watermark is there")
        self.asic("unblock", ports=["Ethernet4"])
        self.asic("settle")
        wait_until(lambda: self.row(client, oid).get(name) == "0", "it passed")
        client("PUBLISH", "WATERMARK_CLEAR_REQUEST",
               json.dumps(["USER", "Q_SHARED_UNI"]))
        wait_until(lambda: mark() == "0", "it is cleared")
        oids = self.rows_of_port(client, "Ethernet0")
        client.on(CONFIG_DB, "DEL", "PORT|Ethernet0", "BUFFER_PG|Ethernet0|0")
        wait_until(lambda: not self.rows_of_port(client, "Ethernet0"),
                   "the other port is gone")
        # Its group had a watermark, which does not come back as 0.
        client("PUBLISH", "WATERMARK_CLEAR_REQUEST",
               json.dumps(["PERSISTENT", "PG_SHARED"]))
        wait_until(lambda: "PERSISTENT:PG_SHARED" in client.hash(
            COUNTERS_DB, "WATERMARK_LAST_RESET_TIME"), "all are cleared again")
        for oid in oids:
            self.assertEqual(client.keys(COUNTERS_DB, "*" + oid), [])

    def test_f3_watermarks_of_queues_need_no_other_group(self):
        client = self.start({**CONFIG, **group_rows(
            groups=("QUEUE_WATERMARK",))})
        for oid in self.map(client, "COUNTERS_QUEUE_NAME_MAP").values():
            self.wait_fields(client, oid,
                             ["SAI_QUEUE_STAT_SHARED_WATERMARK_BYTES"],
                             "USER_WATERMARKS")
        self.assertEqual(client.keys(FLEX_COUNTER_DB,
                                     "FLEX_COUNTER_TABLE:QUEUE_STAT*"), [])

    @needs_packets
    def test_f4_changes_take_effect_at_once_and_stale_values_say_so(self):
        client = self.start({**CONFIG, **group_rows("86400000")})
        oid = self.map(client, "COUNTERS_PORT_NAME_MAP")["Ethernet4"]
        key = "FLEX_COUNTER_GROUP_TABLE:PORT_STAT_COUNTER"

        def sent():
            return self.row(client, oid).get("SAI_PORT_STAT_IF_OUT_UCAST_PKTS")

        wait_until(lambda: sent() == "0", "it is counted once")
        self.asic("send", **{"from": "Ethernet0", "to": "Ethernet4", "size": 64, "count": 7})
        self.asic("settle")
        self.write(client, "FLEX_COUNTER_TABLE|PORT", POLL_INTERVAL="100")
        wait_until(lambda: sent() == "7", "it is counted again")
        self.assertNotIn("stale_since", client.hash(FLEX_COUNTER_DB, key))
        self.write(client, "FLEX_COUNTER_TABLE|PORT",
                   FLEX_COUNTER_STATUS="disable")
        row = wait_until(
            lambda: (lambda row: row if "stale_since" in row else None)(
                client.hash(FLEX_COUNTER_DB, key)), "it says so")
        self.assertEqual(row["FLEX_COUNTER_STATUS"], "disable")
        self.assertEqual(sent(), "7")
        self.write(client, "FLEX_COUNTER_TABLE|PORT",
                   FLEX_COUNTER_STATUS="enable")
        wait_until(lambda: "stale_since" not in client.hash(FLEX_COUNTER_DB,
                                                            key),
                   "Redis answers again")

    @needs_packets
    def test_f2_what_was_cleared_stays_so_when_all_is_written_again(self):
        name = "SAI_INGRESS_PRIORITY_GROUP_STAT_SHARED_WATERMARK_BYTES"
        client = self.start({**CONFIG, **group_rows()})
        oid = self.map(client, "COUNTERS_PG_NAME_MAP")["Ethernet0:0"]

        def mark(table):
            return self.row(client, oid, table + "_WATERMARKS").get(name)

        self.asic("block", ports=["Ethernet4"])
        self.asic("send", **{"from": "Ethernet0", "to": "Ethernet4",
                             "size": 200, "count": 10})
        wait_until(lambda: mark("USER") == "2560", "a watermark is there")
        # From now on nothing is read, and the last reading stays.
        self.write(client, "FLEX_COUNTER_TABLE|PG_WATERMARK",
                   FLEX_COUNTER_STATUS="disable")
        wait_until(lambda: "stale_since" in client.hash(
            FLEX_COUNTER_DB,
            "FLEX_COUNTER_GROUP_TABLE:PG_WATERMARK_STAT_COUNTER"), "it stands")
        client("PUBLISH", "WATERMARK_CLEAR_REQUEST",
               json.dumps(["USER", "PG_SHARED"]))
        wait_until(lambda: mark("USER") == "0", "it is cleared")
        client.on(COUNTERS_DB, "FLUSHDB")
        wait_until(lambda: mark("PERSISTENT") == "2560", "all is there again")
        self.assertEqual(mark("USER"), "0")
        self.assertEqual(self.row(client, oid)[name], "2560")

    def test_f5_when_watermarks_were_cleared_is_reported(self):
        client = self.start({**CONFIG, **group_rows(), **{
            "WATERMARK_TABLE|TELEMETRY_INTERVAL": {"interval": "1"}}})

        def times():
            return client.hash(COUNTERS_DB, "WATERMARK_LAST_RESET_TIME")

        client("PUBLISH", "WATERMARK_CLEAR_REQUEST",
               json.dumps(["PERSISTENT", "BUFFER_POOL"]))
        first = wait_until(lambda: times().get("PERSISTENT:BUFFER_POOL"),
                           "the request is done")
        wait_until(lambda: "PERIODIC" in times(), "the timer has expired")
        again = times()["PERIODIC"]
        wait_until(lambda: times()["PERIODIC"] > again, "once more")
        # Each table has a time of its own.
        self.assertEqual(times()["PERSISTENT:BUFFER_POOL"], first)
        self.assertEqual(len(times()), 2)

    def test_ids_and_rows_outlive_orchd(self):
        client = self.start({**CONFIG, **group_rows()})
        maps = {name: self.map(client, name) for name in NEEDED}
        self.stop_orchd()
        if REMOTE:
            self.start_orchd_only()
        else:
            self.start_orchd()
        self.wait_log("redis-up")
        for name, found in maps.items():
            wait_until(lambda n=name, f=found: self.map(client, n) == f,
                       f"{name} is as before")

    def test_everything_is_written_again_to_an_empty_redis(self):
        client = self.start({**CONFIG, **group_rows("86400000")})
        names = set(NEEDED)
        before = wait_until(
            lambda: (lambda rows: rows if len(rows) > 50 else None)(
                client.hashes(COUNTERS_DB, "[CU]*:oid*")), "rows are there")
        wait_until(lambda: client.keys(FLEX_COUNTER_DB,
                                       "*WRED_ECN_PORT_STAT*oid*"), "all")
        before = client.hashes(COUNTERS_DB, "[CU]*:oid*")
        described = client.hashes(FLEX_COUNTER_DB, "*")
        client.on(COUNTERS_DB, "FLUSHDB")
        client.on(FLEX_COUNTER_DB, "FLUSHDB")
        wait_until(lambda: client.hashes(COUNTERS_DB, "[CU]*:oid*") == before,
                   "all is there again")
        wait_until(lambda: client.hashes(FLEX_COUNTER_DB, "*") == described,
                   "and how it is read as well")
        for name in names:
            self.assertTrue(self.map(client, name))

    def test_maps_are_never_empty(self):
        """All is written again, and what is wrong goes; nobody who reads the
        maps meanwhile finds less than there is."""
        client = self.start({**CONFIG, **group_rows()})
        maps = {name: client.hash(COUNTERS_DB, name)
                for name in client.keys(COUNTERS_DB, "COUNTERS_*_MAP")}
        self.assertLessEqual(set(NEEDED), set(maps))
        ports = maps["COUNTERS_PORT_NAME_MAP"]
        # Nothing has this name or this id; and something else has this name.
        for name in maps:
            client.on(COUNTERS_DB, "HSET", name, "oid:0xdead", "1", "nobody",
                      "oid:0xdead", "Ethernet9", ports["Ethernet0"],
                      "odd", "value")
        watcher = self.client()
        self.assertEqual(watcher("MONITOR"), "OK")
        client.on(FLEX_COUNTER_DB, "FLUSHDB")
        for name, found in maps.items():
            wait_until(lambda n=name, f=found:
                       client.hash(COUNTERS_DB, n) == f, f"{name} is as before")
        client("ECHO", "that is all")
        removed, words = set(), []
        while "that is all" not in words:
            words = re.findall(r'"((?:[^"\\]|\\.)*)"', watcher.read())
            self.assertFalse(words[0].upper() == "DEL" and
                             words[1].endswith("_MAP"), words)
            if words[0].upper() == "HDEL" and words[1] in maps:
                removed.update(words[2:])
        self.assertEqual(removed, {"oid:0xdead", "nobody", "Ethernet9", "odd"})


class Show(Counters):
    """orchctl show, of what was counted."""

    # Lossless group 3 of Ethernet0 pauses at 4 kB and drops after 100 kB more.
    LOSSLESS = {
        **CONFIG,
        "BUFFER_PROFILE|lossless": {
            "pool": "ingress_lossless_pool", "size": "2048", "xon": "2048",
            "xoff": "100000", "static_th": "4096"},
        POOL: {**CONFIG[POOL], "mode": "static"},
        "BUFFER_PROFILE|in": {"pool": "ingress_lossless_pool", "size": "0",
                              "static_th": "100000"},
        "BUFFER_PG|Ethernet0|3": {"profile": "lossless"},
        "DSCP_TO_TC_MAP|m": {"3": "3"},
        "TC_TO_PRIORITY_GROUP_MAP|m": {"3": "3"},
        "PORT_QOS_MAP|Ethernet0": {"pfc_enable": "3", "dscp_to_tc_map": "m",
                                   "tc_to_pg_map": "m"},
    }

    def ctl(self, *words, code=0, **environment):
        run = subprocess.run(
            [ORCHCTL, "--control", os.path.join(self.directory,
                                                "control.sock"), *words],
            capture_output=True, text=True, timeout=PATIENCE_S, check=False,
            env={**os.environ, **environment})
        self.assertEqual(run.returncode, code, run.stderr)
        return run.stdout if code == 0 else run.stderr

    def data(self, *words):
        return json.loads(self.ctl("--json", "show", *words))

    @needs_packets
    def test_lists_are_sorted_and_filtered(self):
        client = self.start({**CONFIG, **group_rows(),
                             "BUFFER_QUEUE|Ethernet4|0": {"profile": "out"},
                             "BUFFER_PG|Ethernet4|0": {"profile": "in"}})
        for oid in self.map(client, "COUNTERS_QUEUE_NAME_MAP").values():
            self.wait_fields(client, oid,
                             ["SAI_QUEUE_STAT_SHARED_WATERMARK_BYTES"])
        self.asic("block", ports=["Ethernet4"])
        self.asic("send", **{"from": "Ethernet0", "to": "Ethernet4",
                             "size": 200, "count": 10})
        marks = wait_until(lambda: self.data(
            "watermarks", "Ethernet4", "--nonzero")["watermarks"],
                           "there is a watermark")
        self.assertEqual(
            [(m["kind"], m["index"], m["class"], m["user"]) for m in marks],
            [("queue", 0, "shared", 2560)])
        self.assertGreater(len(self.data("watermarks")["watermarks"]), 50)
        pgs = self.data("pgs", "--sort", "used")["pgs"]
        self.assertEqual([pg["name"] for pg in pgs],
                         ["Ethernet0", "Ethernet4"])
        self.assertEqual(self.data("pgs", "--sort", "PG")["pgs"], pgs)
        queues = self.data("queues", "--all", "--nonzero")["queues"]
        self.assertEqual([(q["name"], q["index"]) for q in queues],
                         [("Ethernet4", 0)])
        pools = self.data("pools", "--sort", "peak")["pools"]
        self.assertEqual({p["name"] for p in pools},
                         {"egress", "ingress_lossless_pool"})
        table = self.ctl("show", "watermarks", "--nonzero", "--sort", "user")
        self.assertIn("PERSISTENT (B)", table)
        self.assertEqual(table.count("Ethernet4"), 1)
        self.assertIn("allowed: pool, type, mode",
                      self.ctl("show", "pools", "--sort", "nix", code=2))
        self.ctl("show", "watermarks", "nix", code=1)
        self.ctl("show", "maps", "--nonzero", code=2)

    @needs_packets
    def test_pauses_of_ports(self):
        client = self.start({**self.LOSSLESS, **group_rows()})
        self.assertEqual(self.data("pauses", "--nonzero"), {"pauses": []})
        self.assertEqual(self.ctl("show", "pauses", "--nonzero"),
                         "All counters of 32 rows are zero.\n")
        self.asic("block", ports=["Ethernet4"])
        self.asic("send", **{"from": "Ethernet0", "to": "Ethernet4", "dscp": 3,
                             "size": 1000, "count": 20})
        self.asic("run", ns=1000000)
        [pause] = wait_until(
            lambda: self.data("pauses", "Ethernet0", "--nonzero")["pauses"],
            "a pause is seen")
        self.assertEqual((pause["port"], pause["priority"],
                          pause["direction"], pause["estimated"]),
                         ("Ethernet0", 3, "sent", False))
        wait_until(lambda: self.data("pauses", "Ethernet0", "--nonzero")[
            "pauses"][0]["paused_us"] >= 900, "for about a millisecond")
        [port] = self.data("pfc", "--nonzero")["pfc"]
        self.assertEqual(port["name"], "Ethernet0")
        self.assertGreater(port["stats"]["sent_us"], 0)
        oid = self.map(client, "COUNTERS_PORT_NAME_MAP")["Ethernet0"]
        wait_until(lambda: int(self.row(client, oid)[
            "SAI_PORT_STAT_PFC_3_TX_PKTS"]) > 0, "the row has the frames")

    def overfill(self):
        """Makes group 3 of Ethernet0 pause its sender, and drop."""
        self.asic("block", ports=["Ethernet4"])
        self.asic("send", **{"from": "Ethernet0", "to": "Ethernet4", "dscp": 3,
                             "size": 1000, "count": 200})
        self.asic("run", ns=1000000)

    def assert_overfilled(self):
        """The commands show it."""
        [drop] = self.data("drops", "--nonzero")["drops"]
        self.assertEqual((drop["port"], drop["reason"]),
                         ("Ethernet0", "headroom"))
        self.assertGreater(drop["packets"], 0)
        [port] = self.data("pfc", "--nonzero")["pfc"]
        self.assertEqual(port["name"], "Ethernet0")
        self.assertGreater(port["stats"]["sent_frames"], 0)
        [pause] = self.data("pauses", "--nonzero")["pauses"]
        self.assertEqual((pause["port"], pause["priority"],
                          pause["direction"]), ("Ethernet0", 3, "sent"))
        self.assertGreater(pause["frames"], 0)
        return drop, port["stats"], pause

    @needs_packets
    def test_what_is_not_polled_is_read_from_the_switch(self):
        client = self.start(self.LOSSLESS)
        self.overfill()
        _, stats, pause = self.assert_overfilled()
        self.assertGreaterEqual(stats["sent_us"], 900)
        self.assertEqual(pause["paused_us"], stats["sent_us"])
        # What only polling can find out is unknown, not 0.
        self.assertEqual(
            [pause[name] for name in ("longest_us", "share_ppm", "histogram",
                                      "pauses", "not_polled")],
            [None, None, None, None, "PORT"])
        self.assertIn("Not polled: enable FLEX_COUNTER_TABLE|PORT\n",
                      self.ctl("show", "pauses"))
        # A question clears nothing: the second answer is the first.
        marks = self.data("watermarks", "Ethernet0", "--nonzero")["watermarks"]
        self.assertEqual([(m["kind"], m["class"], m["user"], m["not_polled"])
                          for m in marks],
                         [("pg", "shared", None, "PG_WATERMARK"),
                          ("pg", "headroom", None, "PG_WATERMARK")])
        for name in ("Ethernet0", "Ethernet0|3", "Ethernet0:3"):
            self.assertEqual(self.data("watermarks", name, "--nonzero"),
                             {"watermarks": marks})
        self.assertIn("no counters of 'Ethernet0|99'",
                      self.ctl("show", "watermarks", "Ethernet0|99", code=1))
        table = self.ctl("show", "watermarks")
        for group in ("PG", "QUEUE", "BUFFER_POOL"):
            self.assertIn(f"FLEX_COUNTER_TABLE|{group}_WATERMARK", table)
        # What is polled from then on has all.
        client.pipeline(as_commands(group_rows(groups=("PORT",
                                                       "PG_WATERMARK"))))
        pause = wait_until(lambda: (lambda p: None if p["longest_us"] is None
                                    else p)(self.assert_overfilled()[2]),
                           "pauses are polled")
        self.assertNotIn("not_polled", pause)
        self.assertEqual(len(pause["histogram"]), 7)
        wait_until(lambda: [m for m in self.data("watermarks", "Ethernet0")[
            "watermarks"] if m["kind"] == "pg" and m["index"] == 3 and
                            m["user"] == marks[0]["last"]], "a mark is kept")
        # And is unknown again when it is polled no longer.
        client.on(CONFIG_DB, "HSET", "FLEX_COUNTER_TABLE|PORT",
                  "FLEX_COUNTER_STATUS", "disable")
        wait_until(lambda: self.assert_overfilled()[2]["longest_us"] is None,
                   "pauses are polled no longer")

    @needs_packets
    def test_queues_show_marks_and_delay(self):
        self.start({**self.LOSSLESS,
                    "WRED_PROFILE|early": {
                        "ecn": "ecn_green", "wred_green_enable": "true",
                        "green_min_threshold": "2000",
                        "green_max_threshold": "2000",
                        "green_drop_probability": "100"},
                    "QUEUE|Ethernet4|0": {"wred_profile": "early"}})
        self.asic("block", ports=["Ethernet4"])
        self.asic("send", **{"from": "Ethernet0", "to": "Ethernet4", "dscp": 0,
                             "ecn": 2, "size": 1000, "count": 20})
        self.asic("run", ns=1000000)
        self.asic("unblock", ports=["Ethernet4"])
        self.asic("settle")
        [queue] = self.data("queues", "Ethernet4|0")["queues"]
        marks = queue["stats"]["wred_ecn_marked_packets"]
        self.assertIn(marks, range(1, 20))
        delay = queue["stats"]["delay_watermark_ns"]
        self.assertIn(delay, range(1000000, 1010000))
        # Most frames find an idle port from now on.
        self.asic("send", **{"from": "Ethernet0", "to": "Ethernet4", "dscp": 0,
                             "size": 1000, "count": 100})
        self.asic("settle")
        [queue] = self.data("queues", "Ethernet4|0")["queues"]
        p50, p99 = (queue["stats"][f"{part}_delay_ps"] // 1000
                    for part in ("p50", "p99"))
        self.assertEqual(queue["stats"]["max_delay_ps"] // 1000, delay)
        self.assertLess(p50, 100000)
        self.assertIn(p99, range(1000000, delay + 1))
        header, line = self.ctl("show", "queues", "Ethernet4|0").splitlines()
        self.assertIn("P50 DELAY (ns) P99 DELAY (ns) PEAK DELAY (ns)", header)
        self.assertIn("MARKS", header)
        self.assertEqual(line.split()[-5:], [
            f"{p50:,}", f"{p99:,}", f"{delay:,}", str(marks), "0"])
        # A queue that has sent nothing has no delay, which is not one of 0.
        [idle] = self.data("queues", "Ethernet0|0", "--all")["queues"]
        self.assertNotIn("p50_delay_ps", idle["stats"])
        self.ctl("asic", "clear", "queue", "Ethernet4|0")
        [queue] = self.data("queues", "Ethernet4|0")["queues"]
        self.assertNotIn("p99_delay_ps", queue["stats"])

    @needs_packets
    def test_drops_are_those_of_now_whatever_the_interval(self):
        client = self.start({**self.LOSSLESS, **group_rows("86400000")})
        oid = self.map(client, "COUNTERS_PORT_NAME_MAP")["Ethernet0"]
        self.wait_fields(client, oid, ["SAI_PORT_STAT_IN_DROPPED_PKTS",
                                       "SAI_PORT_STAT_PFC_3_TX_PKTS"])
        self.overfill()
        self.assert_overfilled()

    @needs_packets
    def test_what_the_switch_does_not_count_is_unknown(self):
        self.start(self.LOSSLESS,
                   *self.faults(port=["pfc_3_tx_pause_duration_us"]))
        self.overfill()
        _, stats, pause = self.assert_overfilled()
        self.assertIsNone(stats["sent_us"])
        self.assertEqual((pause["paused_us"], pause["estimated"]), (None, None))
        self.assertEqual(stats["received_us"], 0)
        self.assertIn("Not polled: enable FLEX_COUNTER_TABLE|PORT\n",
                      self.ctl("show", "pfc"))

    def test_watching_shows_again(self):
        self.start(CONFIG)
        with subprocess.Popen(
                [ORCHCTL, "--control", os.path.join(
                    self.directory, "control.sock"), "show", "pools",
                 "--watch", "1", "--sort", "size"],
                stdout=subprocess.PIPE, text=True) as process:
            seen = [process.stdout.readline() for _ in range(6)]
            self.assertEqual(sum("PEAK XOFF" in line for line in seen), 2)
            self.assertNotIn("\033", "".join(seen))
            self.stop_orchd()
            # Then there is no queue to watch.
            process.stdout.read()
            self.assertEqual(process.wait(60), 3)

    @needs_packets
    def test_tables_leave_out_columns_that_do_not_fit(self):
        self.start({**self.LOSSLESS, "DSCP_TO_TC_MAP|m": {
            "3": "3", "5": "0", "7": "1", "9": "2", "11": "0"}})
        hidden = 0
        for verb in ("drops", "maps", "pauses", "pfc", "pgs", "pools", "ports",
                     "profiles", "queues", "sai-stats", "watermarks"):
            words = ("show", verb, "--all") if verb in (
                "pgs", "queues") else ("show", verb)
            full = self.ctl(*words).splitlines()
            fitted = self.ctl(*words, COLUMNS="70").splitlines()
            self.assertNotIn("Left out", "".join(full))
            notes = [line for line in fitted if line.startswith("Left out of ")]
            table = [line for line in fitted
                     if not line.startswith(("Left out of ", "- is not"))]
            self.assertLessEqual(max(map(len, table)), 70, verb)
            # What is left out is named, and all else is there.
            self.assertEqual(len(notes), max(
                len(line) for line in full
                if not line.startswith("- is not")) > 70, verb)
            for note in notes:
                hidden += 1
                names = note.split(": ", 1)[1].split(", ")
                for name in names:
                    self.assertIn(name, full[0])
                self.assertEqual(
                    sum(map(len, names)) + len("".join(fitted[0].split())),
                    len("".join(full[0].split())) +
                    sum(name.count(" ") for name in names))
        self.assertGreater(hidden, 3)
        # Texts that are too long continue on the next line.
        wide = self.ctl("show", "maps").splitlines()
        wrapped = self.ctl("show", "maps", COLUMNS="50").splitlines()
        self.assertGreater(len(wrapped), len(wide))
        self.assertLessEqual(max(len(line) for line in wrapped
                                 if not line.startswith("Left out")), 50)
        for entry in ("3>3", "5>0", "7>1", "9>2", "11>0"):
            self.assertIn(entry, " ".join(wrapped).split())
        # Rows are identified, and losses seen, on the narrowest terminal.
        narrow = self.ctl("show", "pgs", COLUMNS="1").splitlines()[0].split()
        self.assertEqual((narrow[0], narrow[-1]), ("PG", "DROPS"))

    def on_terminal(self, *words, **environment):
        """Returns what orchctl prints on a terminal of 200 columns."""
        try:
            ours, theirs = pty.openpty()
        except OSError as error:
            self.skipTest(f"no terminal can be made here: {error}")
        fcntl.ioctl(theirs, termios.TIOCSWINSZ,
                    struct.pack("HHHH", 24, 200, 0, 0))
        known = {name: value for name, value in os.environ.items()
                 if name not in ("NO_COLOR", "COLUMNS")}
        run = subprocess.run(
            [ORCHCTL, "--control", os.path.join(self.directory,
                                                "control.sock"), *words],
            stdout=theirs, timeout=PATIENCE_S, check=True, env={**known, **environment})
        self.assertEqual(run.returncode, 0)
        os.close(theirs)
        seen = b""
        try:
            while part := os.read(ours, 65536):
                seen += part
        except OSError:
            pass  # The end, on Linux.
        os.close(ours)
        return seen.decode().replace("\r\n", "\n")

    @needs_packets
    def test_a_terminal_has_colours_unless_they_are_unwanted(self):
        self.start(self.LOSSLESS)
        self.overfill()
        words = ("show", "pgs", "Ethernet0|3")
        plain = self.ctl(*words)
        self.assertNotIn("\033", plain)
        self.assertIn("XOFF", plain)
        seen = self.on_terminal(*words, TERM="xterm")
        self.assertRegex(seen, "\033\\[[0-9;]+mXOFF\033")
        self.assertEqual(self.on_terminal(*words, TERM="dumb"), plain)
        self.assertEqual(self.on_terminal(*words, TERM="xterm", NO_COLOR="1"),
                         plain)
        words = ("config", "status", "BUFFER_PG|Ethernet0|3")
        self.assertRegex(self.on_terminal(*words, TERM="xterm"),
                         "\033\\[[0-9;]+mapplied\033")
        self.assertEqual(self.on_terminal(*words, TERM="xterm", NO_COLOR="1"),
                         self.ctl(*words))

    def test_a_picture_fits_into_its_terminal(self):
        ports = {f"PORT|Ethernet{4 * i}": {
            "lanes": ",".join(str(4 * i + k) for k in range(1, 5)),
            "speed": "40000", "admin_status": "up"} for i in range(12)}
        try:
            ours, theirs = pty.openpty()
        except OSError as error:
            self.skipTest(f"no terminal can be made here: {error}")
        self.start({**CONFIG, **ports})
        fcntl.ioctl(theirs, termios.TIOCSWINSZ,
                    struct.pack("HHHH", 12, 40, 0, 0))
        with subprocess.Popen(
                [ORCHCTL, "--control", os.path.join(
                    self.directory, "control.sock"), "show", "pfc",
                 "--watch", "1"], stdout=theirs) as process:
            os.close(theirs)
            seen = ""
            while seen.count("more: use") < 2:
                seen += os.read(ours, 65536).decode()
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(60), -signal.SIGINT)
        os.close(ours)
        # Each picture begins at the top and ends before the bottom; lines do
        # not wrap in it, and do again behind it.
        pictures = [text.split("\033[?7h")[0]
                    for text in seen.split("\033[H\033[J\033[?7l")[1:]]
        self.assertEqual(len(pictures), 2)
        for text in pictures:
            lines = text.split("\r\n")
            self.assertLess(len(lines), 12)
            self.assertTrue(lines[3].startswith("Ethernet0 "))
            self.assertIn("Left out of 40 columns: ", lines[-3])
            self.assertTrue(lines[-2].startswith("... and 8 more: "))
        self.assertTrue(seen.endswith("\033[?7h"))


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""The PFC watchdog through the unmodified daemon, on a switch whose time is
made to pass: what it does to the ASIC, and what SONiC's tools see of it.

A name like E5 refers to a weakness of other implementations: what they do wrong
there must go right here."""

import json
import os
import random
import re
import time
import unittest

from harness import (APPL_DB, ASIC_DB, CONFIG_DB, COUNTERS_DB, STATE_DB,
                     asic_objects, needs_packets, wait_until)
from test_qos import Qos

WATCH = "PFC_WD|Ethernet0"
PORT_QOS = {"dscp_to_tc_map": "AZURE", "tc_to_queue_map": "AZURE",
            "tc_to_pg_map": "AZURE", "pfc_enable": "3,4",
            "pfcwd_sw_enable": "3,4"}
ROWS = {
    "PORT|Ethernet0": {"lanes": "1,2,3,4", "speed": "100000",
                       "admin_status": "up"},
    "PORT|Ethernet4": {"lanes": "5,6,7,8", "speed": "100000",
                       "admin_status": "up"},
    "BUFFER_POOL|out": {"type": "egress", "mode": "static",
                        "size": "12000000"},
    "BUFFER_PROFILE|lossless": {"pool": "out", "size": "0",
                                "static_th": "12000000"},
    "BUFFER_QUEUE|Ethernet0|3-4": {"profile": "lossless"},
    "DSCP_TO_TC_MAP|AZURE": {"0": "0", "3": "3", "4": "4"},
    "TC_TO_QUEUE_MAP|AZURE": {"0": "0", "3": "3", "4": "4"},
    "TC_TO_PRIORITY_GROUP_MAP|AZURE": {"0": "0", "3": "3", "4": "4"},
    "PORT_QOS_MAP|Ethernet0": PORT_QOS,
    "PORT_QOS_MAP|Ethernet4": PORT_QOS,
    WATCH: {"detection_time": "200", "restoration_time": "400",
            "action": "drop"},
}
STATS = "PFC_WD_QUEUE_STATS_"
IN_STORM = "PFC_WD_TABLE_INSTORM:Ethernet0"


class Storms(Qos):
    """What tests of both ways of detection have in common."""

    DETECTION = "software"
    options = ()

    def start_orchd_only(self, *options, redis=None):
        super().start_orchd_only(
            "--set", "storm_detection=" + self.DETECTION, *self.options,
            *options, redis=redis)

    def begin(self, rows=None):
        client = super().begin({**ROWS, **(rows or {})})
        self.wait_watched(client)
        return client

    def counters(self, client, index=3):
        oid = client.hash(COUNTERS_DB, "COUNTERS_QUEUE_NAME_MAP").get(
            f"Ethernet0:{index}")
        return client.hash(COUNTERS_DB, f"COUNTERS:{oid}") if oid else {}

    def wait_watched(self, client, index=3):
        wait_until(lambda: "PFC_WD_STATUS" in self.counters(client, index),
                   "the queue is watched")

    def wait_counter(self, client, field, value):
        def ask():
            return self.counters(client).get(field) == value

        try:
            wait_until(ask, f"{field} is {value}")
        except AssertionError as error:
            raise AssertionError(
                f"{error}; there is {self.counters(client)}") from error

    def storm(self, priorities="3", **options):
        words = [word for name, value in options.items()
                 for word in ("--" + name, str(value))]
        self.ctl("asic", "storm", "Ethernet0", "--priorities", priorities,
                 *words)

    def pass_ms(self, ms):
        self.ctl("asic", "run", "--ms", str(ms))

    def send(self, count):
        self.ctl("asic", "send", "--from", "Ethernet4", "--to", "Ethernet0",
                 "--dscp", "3", "--count", str(count))

    def begin_storm(self):
        """Pauses the port permanently, with frames to send."""
        self.storm()
        self.pass_ms(5)
        self.send(50)

    def mask(self):
        return self.data("show", "pfc", "Ethernet0")["pfc"][0]["both"]


@needs_packets
class Watchdog(Storms):

    def test_storm_is_detected_dropped_counted_and_restored(self):
        client = self.begin()
        self.begin_storm()
        self.pass_ms(180)
        self.assertEqual(self.mask(), 0x18)
        self.pass_ms(60)
        self.assertEqual(self.mask(), 0x10)
        self.wait_counter(client, "PFC_WD_STATUS", "stormed")
        self.assertEqual(client.hash(APPL_DB, IN_STORM), {"3": "storm"})
        self.wait_state(client, "BUFFER_QUEUE|Ethernet0|3-4", "shadowed")
        self.assertEqual(
            self.status(client, "BUFFER_QUEUE|Ethernet0|3-4")["code"],
            "pfc-storm")
        self.send(1000)
        self.pass_ms(1100)
        self.wait_counter(client, STATS + "TX_DROPPED_PACKETS", "1000")
        self.wait_counter(client, STATS + "TX_PACKETS", "50")
        self.assertEqual(self.mask(), 0x10)
        self.storm("none")
        self.pass_ms(390)
        self.assertEqual(self.mask(), 0x10)
        self.send(7)  # They count, too.
        self.pass_ms(130)
        self.assertEqual(self.mask(), 0x18)
        self.wait_counter(client, "PFC_WD_STATUS", "operational")
        self.wait_counter(client, STATS + "DEADLOCK_DETECTED", "1")
        self.wait_counter(client, STATS + "DEADLOCK_RESTORED", "1")
        self.wait_counter(client, STATS + "TX_DROPPED_PACKETS_LAST", "1007")
        self.assertEqual(client.hash(APPL_DB, IN_STORM), {})
        self.wait_state(client, "BUFFER_QUEUE|Ethernet0|3-4", "applied")
        events = [json.loads(event) for event in
                  client.on(STATE_DB, "LRANGE", "ORCHD_EVENTS", "0", "-1")]
        self.assertEqual(
            [(e["old"], e["new"]) for e in events
             if e["table"] == "PFC_WD" and e["old"] != ""
             and e["key"] == "Ethernet0" and "queue 3" in e["reason"]],
            [("stormed", "operational"), ("operational", "stormed")])
        self.stop_orchd()

    def test_what_the_tools_show(self):
        client = self.begin()
        row = self.counters(client)
        self.assertEqual(row["PFC_WD_DETECTION_TIME"], "200000")
        self.assertEqual(row["PFC_WD_RESTORATION_TIME"], "400000")
        self.assertEqual(row["PFC_WD_ACTION"], "drop")
        self.assertEqual(row["PFC_WD_STATUS"], "operational")
        # What is ours alone is not among the buffers that they list.
        self.assertEqual(client.keys(APPL_DB, "BUFFER_POOL_TABLE:*"),
                         ["BUFFER_POOL_TABLE:out"])
        self.assertEqual(
            set(client.hash(COUNTERS_DB, "COUNTERS_BUFFER_POOL_NAME_MAP")),
            {"out"})
        self.assertEqual(
            [kind for kind, _ in asic_objects(client).values()
             if kind == "SAI_OBJECT_TYPE_BUFFER_POOL"],
            ["SAI_OBJECT_TYPE_BUFFER_POOL"] * 2)
        self.put(client, {WATCH: None})
        self.wait_state(client, WATCH, None)
        wait_until(lambda: "PFC_WD_STATUS" not in self.counters(client),
                   "the queue is not watched any more")
        self.assertIn(STATS + "DEADLOCK_DETECTED", self.counters(client))
        wait_until(lambda: len(client.keys(
            ASIC_DB, "*BUFFER_POOL:*")) == 1, "our own pool is gone")
        self.stop_orchd()

    def test_short_pauses_and_bursts_are_let_alone(self):
        client = self.begin()
        for _ in range(15):
            self.storm(count=2500)  # 50 ms.
            self.send(5)
            self.pass_ms(100)
        self.storm(count=9000)  # 180 ms.
        self.send(5)
        self.pass_ms(500)
        self.assertEqual(self.counters(client)[STATS + "DEADLOCK_DETECTED"],
                         "0")
        self.assertEqual(self.mask(), 0x18)
        self.stop_orchd()

    def test_alert_touches_nothing(self):
        client = self.begin({WATCH: {"detection_time": "200",
                                     "restoration_time": "400",
                                     "action": "alert"}})
        self.begin_storm()
        self.pass_ms(300)
        self.wait_counter(client, "PFC_WD_STATUS", "stormed")
        self.assertEqual(self.mask(), 0x18)
        self.storm("none")
        self.pass_ms(520)
        self.wait_counter(client, "PFC_WD_STATUS", "operational")
        self.stop_orchd()

    def test_E2_storm_that_becomes_xon_is_restored(self):
        client = self.begin()
        self.begin_storm()
        self.pass_ms(300)
        self.wait_counter(client, "PFC_WD_STATUS", "stormed")
        self.storm(quanta=0)
        self.pass_ms(1200)
        self.wait_counter(client, "PFC_WD_STATUS", "operational")
        self.assertEqual(self.mask(), 0x18)
        self.stop_orchd()

    def test_E1_storm_of_all_priorities_does_not_flap(self):
        client = self.begin()
        self.storm("0,1,2,3,4,5,6,7")
        self.pass_ms(5)
        self.send(50)
        self.pass_ms(6000)
        self.wait_counter(client, STATS + "DEADLOCK_DETECTED", "1")
        self.wait_counter(client, STATS + "DEADLOCK_RESTORED", "0")
        self.stop_orchd()

    def test_E5_storm_of_an_earlier_run_ends_if_it_is_over(self):
        client = self.begin()
        self.begin_storm()
        self.pass_ms(300)
        self.wait_counter(client, STATS + "DEADLOCK_DETECTED", "1")
        self.kill_orchd()
        # The switch of a new run has no storm.
        self.start_orchd()
        self.wait_log("was in a PFC storm before")
        wait_until(lambda: self.mask() == 0x10, "the storm is replayed")
        self.pass_ms(300)
        self.assertEqual(self.mask(), 0x10)
        self.pass_ms(220)
        self.wait_counter(client, "PFC_WD_STATUS", "operational")
        self.assertEqual(self.mask(), 0x18)
        self.wait_counter(client, STATS + "DEADLOCK_DETECTED", "1")
        self.wait_counter(client, STATS + "DEADLOCK_RESTORED", "1")
        self.assertEqual(client.hash(APPL_DB, IN_STORM), {})
        self.stop_orchd()

    def test_E5_notes_that_make_no_sense_are_ignored(self):
        client = self.start_redis()
        for key, field, value in (
                ("Ethernet0", "8", "storm"), ("Ethernet0", "-1", "storm"),
                ("Ethernet0", "x", "storm"), ("Ethernet0", "", "storm"),
                ("Ethernet0", "3", "Storm"), ("Ethernet0", "4", ""),
                ("nobody", "3", "storm"), ("", "3", "storm")):
            client.on(APPL_DB, "HSET", f"PFC_WD_TABLE_INSTORM:{key}", field,
                      value)
        self.start_orchd()
        self.put(client, ROWS)
        self.wait_applied(client, ROWS)
        self.wait_watched(client)
        self.pass_ms(1000)
        self.assertEqual(self.mask(), 0x18)
        self.stop_orchd()

    def test_E6_times_action_and_queues_change_at_once(self):
        client = self.begin({WATCH: {"detection_time": "5000",
                                     "action": "alert"}})
        self.begin_storm()
        self.pass_ms(400)
        self.put(client, {WATCH: {"detection_time": "200", "action": "drop"}})
        self.wait_counter(client, "PFC_WD_DETECTION_TIME", "200000")
        self.pass_ms(110)
        self.wait_counter(client, "PFC_WD_STATUS", "stormed")
        self.assertEqual(self.mask(), 0x10)
        self.put(client, {"PORT_QOS_MAP|Ethernet0":
                          {**PORT_QOS, "pfcwd_sw_enable": "4"}})
        wait_until(lambda: self.mask() == 0x18, "queue 3 is let go")
        self.stop_orchd()

    def test_E8_priorities_that_change_meanwhile(self):
        client = self.begin()
        self.begin_storm()
        self.pass_ms(300)
        self.put(client, {"PORT_QOS_MAP|Ethernet0":
                          {**PORT_QOS, "pfc_enable": "3,4,5"}})
        wait_until(lambda: self.mask() == 0x30, "the new one is added")
        self.storm("none")
        self.pass_ms(520)
        self.assertEqual(self.mask(), 0x38)
        self.stop_orchd()

    def test_E15_big_red_switch_and_interval_end_with_their_row(self):
        client = self.begin()
        self.put(client, {"PFC_WD|GLOBAL": {"POLL_INTERVAL": "200",
                                            "BIG_RED_SWITCH": "enable"}})
        wait_until(lambda: self.mask() == 0, "all are dropped")
        self.wait_counter(client, "BIG_RED_SWITCH_MODE", "enable")
        self.pass_ms(3000)
        self.assertEqual(self.mask(), 0)
        self.put(client, {"PFC_WD|GLOBAL": None})
        wait_until(lambda: self.mask() == 0x18, "all are let go")
        wait_until(lambda: "BIG_RED_SWITCH_MODE" not in self.counters(client),
                   "the mode is gone")
        self.stop_orchd()

    def test_hooks_for_tests(self):
        client = self.begin()
        names = client.hash(COUNTERS_DB, "COUNTERS_QUEUE_NAME_MAP")
        oid = names["Ethernet0:3"]
        client("PUBLISH", "PFC_WD_ACTION", "no json")
        client("PUBLISH", "PFC_WD_ACTION", json.dumps(["oid:0xg", "storm"]))
        client("PUBLISH", "PFC_WD_ACTION", json.dumps([oid, "storm"]))
        wait_until(lambda: self.mask() == 0x10, "a storm was ordered")
        client("PUBLISH", "PFC_WD_ACTION", json.dumps([oid, "restore"]))
        wait_until(lambda: self.mask() == 0x18, "and its end")
        client.on(COUNTERS_DB, "HSET", f"COUNTERS:{oid}", "DEBUG_STORM",
                  "enabled")
        for _ in range(8):
            self.pass_ms(100)
        self.wait_counter(client, "PFC_WD_STATUS", "stormed")
        self.stop_orchd()

    def test_orders_of_another_program(self):
        # With buffers pushed into APPL_DB the tables of others are read there.
        self.options = ("--set", "input=appl_db")
        client = self.start()
        rows = {name: row for name, row in ROWS.items()
                if not name.startswith("BUFFER_")}
        self.put(client, rows)
        self.wait_applied(client, rows)
        self.wait_watched(client)
        key = "PFC_WD_TABLE:Ethernet0"
        for field, value in (("8", "storm"), ("-1", "storm"), ("x", "storm"),
                             ("", "storm"), ("4", "Storm"), ("4", "")):
            client.on(APPL_DB, "HSET", key, field, value)
        client.on(APPL_DB, "HSET", "PFC_WD_TABLE:nobody", "3", "storm")
        client.on(APPL_DB, "HSET", "PFC_WD_TABLE:", "3", "storm")

        def passes_until(ask, what):
            def run():
                self.pass_ms(100)
                return ask()
            wait_until(run, what)

        passes_until(lambda: "which is ignored" in self.log_text(),
                     "the log says that orchd ignores them")
        self.assertEqual(self.mask(), 0x18)
        client.on(APPL_DB, "HSET", key, "3", "storm")
        passes_until(lambda: self.mask() == 0x10, "a storm was ordered")
        self.pass_ms(2000)
        self.assertEqual(self.mask(), 0x10)
        client.on(APPL_DB, "DEL", key)
        passes_until(lambda: self.mask() == 0x18, "and its end")
        self.wait_counter(client, STATS + "DEADLOCK_DETECTED", "1")
        self.wait_counter(client, STATS + "DEADLOCK_RESTORED", "1")
        self.assertEqual(self.log_text().count("which is ignored"), 1)
        self.stop_orchd()

    def test_what_orchctl_shows(self):
        self.begin()
        self.begin_storm()
        self.pass_ms(300)
        self.send(9)
        self.pass_ms(200)
        shown = {queue["index"]: queue for queue in self.data(
            "show", "watchdog", "Ethernet0")["watchdog"]}
        self.assertEqual(sorted(shown), [3, 4])
        self.assertEqual(
            [shown[3][name] for name in (
                "state", "detects", "action", "poll_ms", "detection_ms",
                "restoration_ms", "detected", "restored", "tx_dropped")],
            ["stormed", "orchd", "drop", 100, 200, 400, 1, 0, 9])
        self.assertEqual(shown[4]["state"], "operational")
        self.assertRegex(self.ctl("show", "watchdog"),
                         r"Ethernet0\|3 +stormed +orchd +drop +200 +400 +1 +0")
        self.ctl("show", "watchdog", "Ethernet4", code=1)
        self.stop_orchd()

    def test_rows_that_cannot_be(self):
        client = self.begin()
        for row in ({"detection_time": "99"}, {"detection_time": "5001"},
                    {"detection_time": "two"},
                    {"detection_time": "200", "action": "explode"},
                    {"detection_time": "200", "pfc_stat_history": "yes"}):
            self.put(client, {WATCH: row})
            self.wait_state(client, WATCH, "rejected")
            self.put(client, {WATCH: {"detection_time": "300",
                                      "action": "drop",
                                      "pfc_stat_history": "disable"}})
            self.wait_state(client, WATCH, "applied")
        for row in ({"POLL_INTERVAL": "99"}, {"POLL_INTERVAL": "1001"},
                    {"POLL_INTERVAL": ""}, {"POLL_INTERVAL": "-1"},
                    {"POLL_INTERVAL": "1e2"}, {"BIG_RED_SWITCH": "on"},
                    {"POLL_INTERVAL": "200", "action": "drop"}):
            self.put(client, {"PFC_WD|GLOBAL": row})
            self.wait_state(client, "PFC_WD|GLOBAL", "rejected")
            self.put(client, {"PFC_WD|GLOBAL": None})
            self.wait_state(client, "PFC_WD|GLOBAL", None)
        self.put(client, {"PFC_WD|Ethernet99": {"detection_time": "200"}})
        self.wait_state(client, "PFC_WD|Ethernet99", "waiting")
        # None of it has done anything to what was there.
        self.begin_storm()
        self.pass_ms(410)
        self.wait_counter(client, "PFC_WD_STATUS", "stormed")
        self.stop_orchd()

    def history(self, client):
        """Returns what "pfcstat --history" reads: the counters of the switch,
        otherwise the estimates of orchd."""
        oid = client.hash(COUNTERS_DB, "COUNTERS_PORT_NAME_MAP")["Ethernet0"]
        row = client.hash(COUNTERS_DB, f"COUNTERS:{oid}")
        found = {}
        for name in ("ON2OFF_RX_PKTS", "RX_PAUSE_DURATION_US",
                     "RECENT_PAUSE_TIMESTAMP", "RECENT_PAUSE_TIME_US"):
            for source in ("SAI", "EST"):
                field = f"{source}_PORT_STAT_PFC_3_{name}"
                if field in row:
                    found.setdefault(name, row[field])
        return found

    def test_history_of_pauses(self):
        before_us = time.time_ns() // 1000
        client = self.begin({WATCH: {"detection_time": "5000",
                                     "action": "alert",
                                     "pfc_stat_history": "enable"}})
        self.storm(count=5000)  # 100 ms.
        self.pass_ms(3000)

        def pauses():
            return int(self.history(client).get("RX_PAUSE_DURATION_US", "0"))

        wait_until(lambda: 99000 < pauses() < 102000, "100 ms were paused")
        began_us = int(self.history(client)["RECENT_PAUSE_TIMESTAMP"])
        self.assertTrue(before_us < began_us < time.time_ns() // 1000)
        # It stays, however far the time of the switch is stepped, and is
        # written again with the next storm.
        self.pass_ms(60000)
        self.storm(count=1000)
        self.pass_ms(3000)
        wait_until(lambda: pauses() > 110000, "20 ms more were paused")
        self.assertGreater(
            int(self.history(client)["RECENT_PAUSE_TIMESTAMP"]), began_us)
        self.assertLess(
            int(self.history(client)["RECENT_PAUSE_TIMESTAMP"]),
            time.time_ns() // 1000)
        self.stop_orchd()

    def test_all_tools_tell_one_story_about_a_storm(self):
        """On a switch whose time is stepped, what pfcstat --history reads is
        what show pauses shows; the history of the watchdog, which sees pauses
        only as often as it polls, does not overwrite it."""
        client = self.begin({WATCH: {"detection_time": "5000",
                                     "action": "alert",
                                     "pfc_stat_history": "enable"},
                             "FLEX_COUNTER_TABLE|PORT": {
                                 "FLEX_COUNTER_STATUS": "enable",
                                 "POLL_INTERVAL": "100"}})
        n = 0

        def ask():
            shown = [p for p in self.data("show", "pauses", "Ethernet0")[
                "pauses"] if (p["priority"], p["direction"]) ==
                     (3, "received")][0]
            return shown if shown["pauses"] == n and sum(
                shown["histogram"]) == n else None

        for count, step_ms in ((500, 3000), (2500, 1000), (50, 7000)):
            if n == 1:  # Earlier than the reading before the third pause.
                before_us = time.time_ns() // 1000
            self.storm(count=count)
            self.pass_ms(step_ms)
            n += 1
            shown = wait_until(ask, "all pauses were polled")
        self.assertEqual((shown["estimated"], shown["paused_us"] // 1000),
                         (False, 61))
        self.assertTrue(50000 < shown["longest_us"] < 51000, shown)
        self.assertTrue(1000 <= shown["recent_us"] < 1400, shown)
        row = wait_until(
            lambda: (lambda r: r if r["RECENT_PAUSE_TIME_US"] ==
                     str(shown["recent_us"]) else None)(self.history(client)),
            "the row is written")
        self.assertEqual(
            (row["RX_PAUSE_DURATION_US"], row["ON2OFF_RX_PKTS"]),
            (str(shown["paused_us"]), str(n)))
        began_us = int(row["RECENT_PAUSE_TIMESTAMP"])
        self.assertTrue(before_us < began_us < time.time_ns() // 1000)
        seconds, milliseconds = divmod(began_us // 1000, 1000)
        self.assertEqual(
            shown["recent_at"],
            time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) +
            f".{milliseconds:03}Z")
        # The watchdog goes on polling as the time of the switch passes.
        self.pass_ms(5000)
        self.assertEqual(self.history(client), row)
        self.stop_orchd()


@needs_packets
class HardwareRecovery(Storms):
    """The switch detects storms and recovers from them itself; orchd reports
    the same."""

    DETECTION = "hardware"

    def begin(self, rows=None):
        client = super().begin(rows)
        self.wait_log("pfcwd-guard")
        return client

    def test_storm_is_detected_dropped_counted_and_restored(self):
        client = self.begin()
        self.begin_storm()
        self.pass_ms(190)
        self.wait_counter(client, "PFC_WD_STATUS", "operational")
        self.pass_ms(60)
        self.wait_counter(client, "PFC_WD_STATUS", "stormed")
        # Nothing is configured otherwise for it.
        self.assertEqual(self.mask(), 0x18)
        self.assertEqual(client.hash(APPL_DB, IN_STORM),
                         {"3": "storm", "3|by": "switch"})
        self.wait_state(client, "BUFFER_QUEUE|Ethernet0|3-4", "applied")
        self.send(1000)
        self.pass_ms(1100)
        # The fifty that waited are dropped with the others.
        self.wait_counter(client, STATS + "TX_DROPPED_PACKETS", "1050")
        self.wait_counter(client, STATS + "TX_PACKETS", "0")
        self.storm("none")
        self.pass_ms(390)
        self.wait_counter(client, "PFC_WD_STATUS", "stormed")
        self.send(7)  # They count, too.
        self.pass_ms(130)
        self.wait_counter(client, "PFC_WD_STATUS", "operational")
        self.wait_counter(client, STATS + "DEADLOCK_DETECTED", "1")
        self.wait_counter(client, STATS + "DEADLOCK_RESTORED", "1")
        self.wait_counter(client, STATS + "TX_DROPPED_PACKETS_LAST", "1057")
        self.assertEqual(client.hash(APPL_DB, IN_STORM), {})
        self.send(5)
        self.pass_ms(10)
        self.wait_counter(client, STATS + "TX_DROPPED_PACKETS_LAST", "1057")
        events = [json.loads(event) for event in
                  client.on(STATE_DB, "LRANGE", "ORCHD_EVENTS", "0", "-1")]
        self.assertEqual(
            [(e["old"], e["new"]) for e in events
             if e["table"] == "PFC_WD" and e["old"] != ""
             and e["key"] == "Ethernet0" and "queue 3" in e["reason"]],
            [("stormed", "operational"), ("operational", "stormed")])
        self.stop_orchd()

    def detectors(self):
        """Who watches each queue."""
        return {(row["port"], row["index"]): row["detects"]
                for row in self.data("show", "watchdog")["watchdog"]}

    def test_rows_in_any_order_are_watched_by_the_switch(self):
        """No virtual time passes, and so no poll: the switch's own detection
        begins with the rows."""
        client = self.begin()
        ports = ("Ethernet0", "Ethernet4", "Ethernet8")
        watch = ROWS[WATCH]
        rows = {}
        for i, port in enumerate(ports):
            lanes = ",".join(str(4 * i + lane) for lane in range(1, 5))
            rows["PORT|" + port] = {**ROWS["PORT|Ethernet0"], "lanes": lanes}
            rows["PORT_QOS_MAP|" + port] = PORT_QOS
            rows["PFC_WD|" + port] = watch
        wanted = {(port, queue): "switch" for port in ports
                  for queue in (3, 4)}
        for seed in range(int(os.environ.get("WATCHDOG_SEEDS", "12"))):
            draw = random.Random(seed)
            for key in draw.sample(sorted(rows), 6):
                client.on(CONFIG_DB, "DEL", key)
                if draw.random() < 0.5:
                    self.run_ctl("config", "sync")
            for key in draw.sample(sorted(rows), len(rows)):
                self.put(client, {key: rows[key]})
                if draw.random() < 0.5:
                    self.run_ctl("config", "sync")
            self.wait_applied(client, rows)
            self.assertEqual(self.detectors(), wanted, f"seed {seed}")
        self.assertNotIn("pfcwd-unguarded", self.log_text())
        self.stop_orchd()

    def test_a_change_during_a_storm_continues_in_software(self):
        client = self.begin()
        self.begin_storm()
        self.pass_ms(250)
        self.wait_counter(client, "PFC_WD_STATUS", "stormed")
        self.assertEqual(self.mask(), 0x18)
        # A switch cannot alone say that there is a storm: orchd takes over.
        self.put(client, {WATCH: {"detection_time": "200",
                                  "restoration_time": "400",
                                  "action": "alert"}})
        self.wait_counter(client, "PFC_WD_ACTION", "alert")
        self.pass_ms(1000)
        self.wait_counter(client, "PFC_WD_STATUS", "stormed")
        self.storm("none")
        self.pass_ms(700)
        self.wait_counter(client, "PFC_WD_STATUS", "operational")
        self.wait_counter(client, STATS + "DEADLOCK_DETECTED", "1")
        self.wait_counter(client, STATS + "DEADLOCK_RESTORED", "1")
        self.stop_orchd()

    def test_E5_storm_of_an_earlier_run_ends_if_it_is_over(self):
        client = self.begin()
        self.begin_storm()
        self.pass_ms(300)
        self.wait_counter(client, STATS + "DEADLOCK_DETECTED", "1")
        self.kill_orchd()
        # The switch of a new run recovers from nothing.
        self.start_orchd()
        self.wait_log("was in a PFC storm before")
        self.wait_counter(client, "PFC_WD_STATUS", "stormed")
        self.assertEqual(self.mask(), 0x18)
        self.pass_ms(520)
        self.wait_counter(client, "PFC_WD_STATUS", "operational")
        self.assertEqual(self.mask(), 0x18)
        self.wait_counter(client, STATS + "DEADLOCK_DETECTED", "1")
        self.wait_counter(client, STATS + "DEADLOCK_RESTORED", "1")
        # And the next one is the switch's again.
        self.begin_storm()
        self.pass_ms(250)
        self.wait_counter(client, STATS + "DEADLOCK_DETECTED", "2")
        self.assertEqual(self.mask(), 0x18)
        self.stop_orchd()


@needs_packets
class Restarted(Storms):
    """orchd is killed in a storm, on a switch that goes on."""

    MASK = 0x10
    DROPPED = "27"
    # What ASIC_DB does not have: a guard is not ended, either.
    GUARD = {"SAI_QUEUE_ATTR_ENABLE_PFC_DLDR": "true"}
    ADOPTED = re.compile(r"switch-adopted .*; created (\d+), set (\d+) "
                         r"and removed (\d+)")
    SET = re.compile(r"(oid:0x\w+) (SAI_\w+)=(\S+)")

    def command(self, *options, redis=None, remote=True):
        return super().command(*options, redis=redis, remote=remote)

    def start_orchd(self, *options, redis=None):
        self.start_host()
        self.start_orchd_only(*options, redis=redis)

    def begin_storm_of(self, action):
        client = self.begin({WATCH: {**ROWS[WATCH], "action": action}})
        self.begin_storm()
        self.pass_ms(250)
        self.wait_counter(client, "PFC_WD_STATUS", "stormed")
        self.send(20)
        self.pass_ms(1100)
        return client

    def restart(self, client):
        """Nothing is asked of the switch but what it holds: that never gets
        there."""
        held = asic_objects(client)
        record = os.path.join(self.directory, "record")
        self.kill_orchd()
        self.start_orchd_only("--record", record)
        self.wait_log("was in a PFC storm before")
        adopted = wait_until(lambda: self.ADOPTED.search(self.log_text()),
                             "the switch is adopted")
        self.assertEqual(adopted.groups(), ("0", "0", "0"))
        self.ctl("config", "sync")
        self.pass_ms(200)
        self.assertEqual(asic_objects(client), held)
        with open(record, encoding="utf-8") as file:
            asked = [words for line in file if " set" in line
                     for words in self.SET.findall(line)]
        self.assertTrue(asked)
        for oid, name, value in asked:
            known = {**self.GUARD, **held[oid][1]}
            self.assertEqual(value, known.get(name, value), (oid, name))

    def end(self, client, dropped):
        self.pass_ms(1100)
        self.wait_counter(client, "PFC_WD_STATUS", "stormed")
        self.wait_counter(client, STATS + "DEADLOCK_DETECTED", "1")
        self.wait_counter(client, STATS + "DEADLOCK_RESTORED", "0")
        self.send(7)
        self.storm("none")
        self.pass_ms(520)
        self.wait_counter(client, "PFC_WD_STATUS", "operational")
        self.wait_counter(client, STATS + "DEADLOCK_DETECTED", "1")
        self.wait_counter(client, STATS + "DEADLOCK_RESTORED", "1")
        self.wait_counter(client, STATS + "TX_DROPPED_PACKETS_LAST", dropped)
        self.assertEqual(self.mask(), 0x18)
        self.assertEqual(client.hash(APPL_DB, IN_STORM), {})
        self.stop_orchd()

    def test_drop_stays_in_force(self):
        client = self.begin_storm_of("drop")
        self.assertEqual(self.mask(), self.MASK)
        self.restart(client)
        self.end(client, self.DROPPED)

    def test_forward_stays_in_force(self):
        client = self.begin_storm_of("forward")
        self.assertEqual(self.mask(), self.MASK)
        self.restart(client)
        self.end(client, "0")

    def test_alert_stays_in_force(self):
        client = self.begin_storm_of("alert")
        self.restart(client)
        self.end(client, "0")

    def test_a_storm_that_is_not_watched_any_more_ends_at_once(self):
        client = self.begin_storm_of("drop")
        self.kill_orchd()
        client.on(CONFIG_DB, "DEL", WATCH)
        self.start_orchd_only()
        wait_until(lambda: self.ADOPTED.search(self.log_text()),
                   "the switch is adopted")
        self.assertEqual(self.mask(), 0x18)
        self.stop_orchd()


class RestartedHardwareRecovery(Restarted):
    DETECTION = "hardware"
    MASK = 0x18
    DROPPED = "77"  # The fifty that waited, too.


del Qos, Storms  # Their tests are run elsewhere.

if __name__ == "__main__":
    unittest.main()

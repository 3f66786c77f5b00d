# SPDX-License-Identifier: Apache-2.0
"""Breakpoint scenarios on the switch behind a running orchd: in its process, and
in one of its own (softasicd).  What a scenario does there is undone, however it
ends."""

import csv
import json
import os
import signal
import socket
import subprocess
import unittest

from harness import (BUILD, CHIPS, CONFIG_DB, LIBSAI, PATIENCE_S, REMOTE, SOURCE,
                     System, as_commands, needs_packets, rows_of, wait_until)

ORCHCTL = os.path.join(BUILD, "orchctl", "orchctl")
SOFTASICD = os.path.join(BUILD, "saihostd", "softasicd")
EXAMPLE = os.path.join(SOURCE, "examples", "leaf-32x100g.config_db.json")
CASES = os.path.join(SOURCE, "tests", "breakpoint")
DONE, NO, USAGE, UNREACHABLE = range(4)

# Of some kinds one: a threshold, a watermark, maps, schedulers, ECN, pauses in
# both directions.
SELECTION = ("xoff", "wm_pool", "map_dot1p_pg", "dwrr", "ecn_curve",
             "pfc_frame_format", "headroom_response")

# A scenario that touches all there is, and does not end well.
UNRULY = """
name: unruly
params: {a: Ethernet0, b: Ethernet4, c: Ethernet8}
steps:
  - block: $b
  - block: {ports: $c, by: port_scheduler}
  - block: {ports: $a, by: queue_pir, queues: [3]}
  - sai: {obj: port $c, attr: PRIORITY_FLOW_CONTROL, value: 0}
  - cfg:
      BUFFER_PROFILE|pg_lossless_100000_5m_profile: {dynamic_th: 0}
      BUFFER_PG|Ethernet12|3-4:
      BUFFER_POOL|new: {type: egress, mode: dynamic, size: 4096}
  - peer: {port: $a, obeys: [3]}
  - flow: {name: f, from: $a, to: $b, dscp: 3, size: 1024, percent: 50}
  - storm: {port: $c, prios: [3]}
  - run: {us: 100}
  - expect: {obj: queue $b.3, stat: frames, ">": 100}
  - expect: {obj: flow f, stat: sent, ">": 100}
  - expect: {obj: peer $c, stat: pauses_sent, ==: 10}
  - expect: {obj: pg $a.3, stat: packets, ==: 0}
"""

# Flows of single hosts of a peer, which a peer that is one host does not have.
PEER_WITH_HOSTS = """
name: hosts
steps:
  - peer: {port: Ethernet8, hosts: 3}
  - flow: {name: one, from: Ethernet8.1, to: Ethernet0, n: 10, size: 1000, dscp: 3}
  - flow: {name: two, from: Ethernet8.3, to: Ethernet4, n: 20, size: 1000, dscp: 3}
  - run: {us: 100}
  - settle:
  - snap: end
  - expect:
      - {obj: flow one, stat: received, ==: 10}
      - {obj: flow two, stat: received, ==: 20}
"""

# A storm that the PFC watchdog finds, and its end.  The switch recovers the queue
# itself, and drops what waits there.
WATCHED = """
name: watched
steps:
  - cfg:
      PORT_QOS_MAP|Ethernet4: {pfcwd_sw_enable: "3,4"}
      PFC_WD|Ethernet4: {action: drop, detection_time: 200, restoration_time: 200}
  - run: {ms: 100}
  - storm: {port: Ethernet4, prios: [3], interval_us: 100}
  - run: {us: 100}
  - send: {from: Ethernet0, to: Ethernet4, n: 10, dscp: 3}
  - wait_until: {obj: queue Ethernet4.3, stat: stormed, ==: 1, limit_us: 500000, step_us: 10000}
  - send: {from: Ethernet0, to: Ethernet4, n: 7, dscp: 3}
  - settle
  - expect: {obj: queue Ethernet4.3, stat: dropped_packets, ==: 17}
  - stop: {storms: Ethernet4}
  - wait_until: {obj: queue Ethernet4.3, stat: stormed, ==: 0, limit_us: 500000, step_us: 10000}
  - expect: {obj: queue Ethernet4.3, stat: storm_deadlock_restored, ==: 1}
"""

# A lossless class until it pauses its sender.
SWEEP = """
include: %s
params: {a: Ethernet0, b: Ethernet4}
steps:
  - block: $b
  - send: {from: $a, to: $b, until: xoff, limit: 100000, dscp: 3, size: 300}
  - snap: {name: paused, show: [pg $a|3]}
""" % os.path.join(CASES, "common", "lossless.yaml")
SWEPT = "row(BUFFER_PROFILE|pg_lossless_profile).dynamic_th"
PAUSED_AT = "paused:pg Ethernet0|3:shared_bytes"


@needs_packets
@unittest.skipIf(REMOTE, "remote is one of its classes")
class Live(System):
    MODEL = "th"
    SELECTION = SELECTION

    def setUp(self):
        super().setUp()
        self.control_path = os.path.join(self.directory, "control.sock")

    def begin(self):
        self.redis = self.start_redis()
        self.redis.pipeline(as_commands(rows_of(EXAMPLE)))
        # Fields and tables that orchd does not know come back as well.
        self.redis.on(CONFIG_DB, "HSET", "PORT|Ethernet0", "unheard", "of")
        self.redis.on(CONFIG_DB, "HSET", "UNKNOWN_TABLE|key", "this", "row")
        self.start_switch()
        wait_until(self.listens, "orchd listens")
        self.ctl("config", "sync")
        self.before = self.state()

    def start_switch(self):
        self.start_orchd()

    def listens(self):
        with socket.socket(socket.AF_UNIX) as connection:
            return connection.connect_ex(self.control_path) == 0

    def ctl(self, *words, code=DONE):
        result = subprocess.run(
            [ORCHCTL, "--control", self.control_path, *words],
            capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        self.assertEqual(result.returncode, code,
                         f"{words}: {result.stdout}{result.stderr}")
        return result.stdout + result.stderr

    def live(self, *words, code=DONE):
        return self.ctl("breakpoint", "run", "--live", *words, code=code)

    def write(self, text):
        path = os.path.join(self.directory, "x.yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def rows(self):
        return self.redis.hashes(CONFIG_DB, "*|*")

    def state(self):
        """All rows, and of ports, queues and groups all but their counters."""
        switch = [json.loads(self.ctl("--json", "show", noun))[noun]
                  for noun in ("ports", "queues", "pgs", "pools", "profiles")]
        for item in (item for items in switch for item in items):
            item.pop("stats", None)
            item.pop("oid", None) # An object may be recreated.
        return {"rows": self.rows(), "switch": switch}

    def assert_as_before(self):
        self.ctl("config", "sync")
        now = self.state()
        self.assertEqual(now["rows"], self.before["rows"])
        self.assertEqual(now["switch"], self.before["switch"])
        # Nothing runs, nothing is held.
        self.ctl("asic", "settle")
        output = json.loads(self.ctl("--json", "asic", "snapshot", "pool",
                                     "ingress_lossless_pool"))
        self.assertEqual(output["objects"][0]["stats"]["used_bytes"], 0)

    def prompt(self, path, steps):
        """A run that has done 'steps' and waits for input."""
        process = subprocess.Popen(
            [ORCHCTL, "--control", self.control_path, "breakpoint", "run",
             "--live", path, "--until", str(steps)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stdin.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        process.stdin.write("say: ready\n")
        process.stdin.flush()
        output = ""
        while "ready" not in output:
            line = process.stdout.readline()
            self.assertTrue(line, output)
            output += line
        return process

    def test_the_catalogue(self):
        self.begin()
        paths = [os.path.join(CASES, name + ".yaml") for name in self.SELECTION]
        output = self.live("--configure", *paths)
        for name in self.SELECTION:
            self.assertRegex(output, rf"PASS {name}\[")
        self.assertRegex(output, r"SKIP xoff\[td2.*: it needs chip td2, but this "
                               r"switch has th\n")
        self.assert_as_before()

    def test_as_it_is_configured(self):
        self.begin()
        path = os.path.join(SOURCE, "examples", "breakpoint", "xoff.yaml")
        for _ in range(2):
            self.assertIn("PASS xoff", self.live(path))
        self.assert_as_before()

    def test_a_peer_has_hosts(self):
        self.begin()
        path = self.write(PEER_WITH_HOSTS)
        self.assertIn("PASS hosts", self.live(path))
        self.assert_as_before()

    def results(self, *words):
        """The rows of a sweep, without what differs from run to run."""
        path = os.path.join(self.directory, f"{self.id()}.csv")
        output = self.ctl("breakpoint", "run", *words, "--results", path)
        with open(path, encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        os.unlink(path)
        for row in rows:
            del row["milliseconds"]
        return output, rows

    def test_a_sweep_measures_as_it_does_offline(self):
        self.begin()
        path = self.write(SWEEP)
        words = (path, "--param", f"{SWEPT}=-4..1..2",
                 "--param", "topology.cable=5,305", "--repeat", "2")
        output, live = self.results("--live", "--configure", *words)
        self.assertIn("12 cases: 12 passed", output)
        self.assert_as_before()
        _, offline = self.results(
            "--sai", LIBSAI, "--chips", os.path.join(SOURCE, "chips"),
            "--yang-dir", os.path.join(SOURCE, "schemas"), *words)
        for row in live + offline:
            # Not known of a live switch.
            row["time_ps"] = row["packets"] = None
        self.assertEqual(live, offline)
        self.assertLess(int(live[0][PAUSED_AT]), int(live[-1][PAUSED_AT]))

    def test_a_sweep_of_the_switch_as_it_is(self):
        self.begin()
        path = self.write("""
params: {size: 64, th: -3}
steps:
  - cfg: {BUFFER_PROFILE|pg_lossless_100000_5m_profile: {dynamic_th: $th}}
  - block: Ethernet4
  - send: {from: Ethernet0, to: Ethernet4, until: xoff, limit: 1000000, dscp: 3, size: $size}
  - snap: {name: paused, show: [pg Ethernet0|3]}
""")
        _, rows = self.results("--live", path, "--param", "th=-4..0",
                               "--param", "size=64,1500")
        self.assert_as_before()
        found = [(row["th"], row["size"], int(row[PAUSED_AT])) for row in rows]
        self.assertEqual([each[:2] for each in found], [
            (str(th), size) for th in range(-4, 1) for size in ("64", "1500")])
        points = [each[2] for each in found if each[1] == "64"]
        self.assertEqual(points, sorted(set(points)))
        # Of a live switch it is not known how many packets it has received.
        self.assertEqual({row["packets"] for row in rows}, {""})

    def test_a_sweep_without_effect_is_refused(self):
        self.begin()
        path = self.write(SWEEP)
        for name in (SWEPT, "topology.cable",
                     "config.BUFFER_POOL|ingress_lossless_pool.size"):
            output = self.live(path, "--param", f"{name}=1,2", code=USAGE)
            self.assertEqual(output.count("keeps its own configuration"), 1,
                             output)
            self.assertIn("remedy: add --configure", output)
        output = self.live(path, "--configure", "--param",
                           "chip.memory_bytes=1000000,2000000", code=USAGE)
        self.assertEqual(output.count("cannot be changed"), 1, output)
        self.assert_as_before()

    def test_a_sweep_ends_with_orchd(self):
        self.begin()
        process = subprocess.Popen(
            [ORCHCTL, "--control", self.control_path, "breakpoint", "run",
             "--live", self.write("steps:\n  - run: {us: 1}\n"),
             "--repeat", "10000", "--param", "steps.0.run.us=1", "--trace"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.assertTrue(process.stdout.readline())  # It has begun.
        self.kill_orchd()
        output = process.stdout.read()
        self.assertEqual(process.wait(PATIENCE_S), UNREACHABLE, output)
        self.assertIn("orchd", output)

    def test_a_failure_leaves_nothing(self):
        self.begin()
        path = self.write(UNRULY)
        output = self.live(path, code=NO)
        self.assertIn("failed at step 13 of 13", output)
        self.assert_as_before()
        # Once more, from the same beginning.
        self.assertEqual(self.live(path, code=NO), output)
        self.assert_as_before()

    def test_a_row_is_changed_and_not_replaced(self):
        self.begin()
        path = self.write("""
steps:
  - cfg: {PORT|Ethernet0: {mtu: 1500, fec: }}
  - say: "$row(PORT|Ethernet0).lanes"
""")
        process = self.prompt(path, 2)
        row = dict(self.before["rows"]["PORT|Ethernet0"], mtu="1500")
        del row["fec"]
        self.assertEqual(self.rows()["PORT|Ethernet0"], row)
        process.stdin.close()
        self.assertEqual(process.wait(PATIENCE_S), DONE)
        self.assert_as_before()

    def test_an_interrupt_leaves_nothing(self):
        self.begin()
        for number in (signal.SIGINT, signal.SIGKILL):
            process = self.prompt(self.write(UNRULY), 12)
            self.assertNotEqual(self.rows(), self.before["rows"])
            output = self.live(self.write(UNRULY), code=NO)
            self.assertIn("another client runs a breakpoint scenario", output)
            process.send_signal(number)
            process.wait(PATIENCE_S)
            wait_until(lambda: self.rows() == self.before["rows"],
                       "rows are written back")
            self.assert_as_before()

    def test_orchd_itself_puts_back_what_it_has_written(self):
        self.begin()
        process = self.prompt(self.write(UNRULY), 12)
        self.stop_orchd()
        self.assertEqual(self.rows(), self.before["rows"])
        process.stdin.write("settle\n")
        process.stdin.close()
        self.assertIn("orchd", process.stdout.read())
        self.assertEqual(process.wait(PATIENCE_S), UNREACHABLE)

    def test_watchdog_follows_the_time_of_the_switch(self):
        self.begin()
        self.live(self.write(WATCHED))
        self.assert_as_before()


class Remote(Live):
    """The same on a switch that outlives orchd."""
    SELECTION = SELECTION[0], SELECTION[3], SELECTION[6]

    def start_switch(self):
        with open(self.host_log, "wb") as log:
            self.host_process = subprocess.Popen(
                [SOFTASICD, "--socket", self.host_socket, "--model", self.MODEL,
                 "--profile", *CHIPS, "--sai",
                 os.path.join(BUILD, ".libs", "libsai-softasic.so")],
                stderr=log)
        wait_until(lambda: "host-ready" in self.host_text(), "there is a host")
        with open(self.log, "wb") as log:
            self.orchd_process = subprocess.Popen(
                self.command(remote=True), stderr=log)

    def test_orchd_itself_puts_back_what_it_has_written(self):
        super().test_orchd_itself_puts_back_what_it_has_written()
        # Another one finds a switch that is not blocked.
        self.orchd_process = subprocess.Popen(
            self.command(remote=True), stderr=subprocess.DEVNULL)
        wait_until(self.listens, "orchd listens")
        self.ctl("config", "sync")
        self.assert_as_before()


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""Traces of breakpoint scenarios: their numbers are those of the counters, and
the figures that are drawn from them."""

import collections
import csv
import json
import os
import resource
import shutil
import signal
import struct
import subprocess
import tempfile
import unittest

from harness import BUILD, LIBSAI, PATIENCE_S, SOURCE

ORCHCTL = os.path.abspath(os.path.join(BUILD, "orchctl", "orchctl"))
OFFLINE = ["--sai", LIBSAI, "--chips", os.path.join(SOURCE, "chips"),
           "--yang-dir", os.path.join(SOURCE, "schemas")]
CATALOGUE = os.path.join(SOURCE, "tests", "breakpoint")
DONE, FAILED, USAGE = 0, 1, 2

# A lossless class fills its headroom and loses packets.
FILL = """
include: %s/common/lossless.yaml
params: {a: Ethernet0, b: Ethernet4, c: Ethernet8, size: 300}
steps:
  - block: $b
  - send: {from: $c, to: $b, n: 40, dscp: 4, size: 64}
  - send: {from: $a, to: $b, until: drop, limit: 100000, dscp: 3, size: $size}
  - send: {from: $a, to: $b, n: 9, dscp: 3, size: $size}
  - unblock: $b
  - settle:
  - snap: {name: end, show: [pg $a|3, pg $c|4, queue $b|3, queue $b|4,
      port $a, port $b, pool ingress_lossless_pool,
      pool egress_lossless_pool]}
  - expect: {obj: pg $a|3, stat: dropped_packets, ==: 10}
""" % CATALOGUE

# Packets go through without a wait, beside pauses of a peer.
PAUSES = """
include: %s/common/lossless.yaml
params: {a: Ethernet0, b: Ethernet4}
steps:
  - peer: {port: $a, obeys: [3]}
  - storm: {port: $b, prios: [3], quanta: 1000, n: 3, interval_us: 20}
  - flow: {name: f, from: $a, to: $b, dscp: 3, size: 1000, percent: 50}
  - run: {us: 100}
  - snap: {name: end, show: [port $a, port $b, pg $a|3, queue $b|3]}
""" % CATALOGUE

MARKS = """
include: %s/common/ecn.yaml
params: {k_packets: 20, pg_th: 0}
steps:
  - block: $sink
  - send: {from: $source, to: $sink, n: 50, dscp: $prio, ecn: 2}
  - unblock: $sink
  - settle:
  - snap: {name: end, show: [queue $sink.3, port $sink]}
""" % CATALOGUE

LONG = """
include: %s/common/lossless.yaml
params: {a: Ethernet0, b: Ethernet4, size: 64}
steps:
  - send: {from: $a, to: $b, n: 3, dscp: 3, size: $size}
  - settle:
""" % CATALOGUE


def number(row, column):
    return int(row[column] or 0)


class Trace(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def orchctl(self, *words, code=DONE, given=None, prepare=None):
        result = subprocess.run([ORCHCTL, *words], capture_output=True,
                                text=True, timeout=PATIENCE_S, check=False,
                                input=given, preexec_fn=prepare)
        self.assertEqual(result.returncode, code,
                         result.stdout + result.stderr)
        return result.stdout + result.stderr

    def run_file(self, file, *words, **options):
        return self.orchctl("breakpoint", "run", file, *OFFLINE, *words,
                            **options)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def run_traced(self, text, name="t"):
        """The rows of the trace of a scenario, and its last snapshot."""
        self.run_file(self.write(f"{name}.yaml", text), "--trace-file",
                      self.path(f"{name}.csv"), "--results",
                      self.path(f"{name}.jsonl"))
        with open(self.path(f"{name}.jsonl"), encoding="utf-8") as file:
            run = json.loads(file.readline())
        return self.read(f"{name}.csv"), run["measurements"]["end"], run

    def levels(self, rows, thing):
        return [row for row in rows
                if row["event"] == "level" and row["object"] == thing]

    def events(self, rows, event, thing):
        return [row for row in rows
                if row["event"] == event and row["object"] == thing]

    def length(self, rows, port, kind):
        """The time between all 'kind'_pause and 'kind'_resume in ps."""
        edges = [row for row in rows if row["object"] == f"port {port}"
                 and row["event"] in (f"{kind}_pause", f"{kind}_resume")]
        self.assertEqual([row["event"] for row in edges],
                         [f"{kind}_pause", f"{kind}_resume"]
                         * (len(edges) // 2))
        return sum(int(end["time_ps"]) - int(begin["time_ps"])
                   for begin, end in zip(edges[::2], edges[1::2]))


class Numbers(Trace):

    def test_levels_drops_and_pauses_are_those_of_the_counters(self):
        rows, end, run = self.run_traced(FILL)
        pg, queue = self.levels(rows, "pg Ethernet0|3"), \
            self.levels(rows, "queue Ethernet4|3")
        counted = end["pg Ethernet0|3"]
        for column, name in (("shared_bytes", "shared_watermark_bytes"),
                             ("headroom_bytes", "xoff_room_watermark_bytes")):
            self.assertEqual(max(number(row, column) for row in pg),
                             counted[name])
        held = [sum(number(row, f"{part}_bytes")
                    for part in ("reserved", "shared", "headroom"))
                for row in pg]
        self.assertEqual(max(held), counted["watermark_bytes"])
        self.assertEqual(max(number(row, "reserved_bytes")
                             + number(row, "shared_bytes") for row in queue),
                         end["queue Ethernet4|3"]["watermark_bytes"])
        for pool in ("ingress_lossless_pool", "egress_lossless_pool"):
            self.assertEqual(max(number(row, "shared_bytes") for row in
                                 self.levels(rows, f"pool {pool}")),
                             end[f"pool {pool}"]["watermark_bytes"])
        drops = self.events(rows, "drop", "pg Ethernet0|3")
        self.assertEqual(len(drops), counted["dropped_packets"])
        self.assertEqual({(row["reason"], row["frame_bytes"])
                          for row in drops}, {("headroom", "300")})
        self.assertEqual(
            self.length(rows, "Ethernet0", "tx") // 1000000,
            end["port Ethernet0"]["pfc_3_tx_pause_duration_us"])
        self.assertEqual(rows[-1]["event"], "end")
        self.assertEqual(int(rows[-1]["time_ps"]), run["time_ps"])
        times = [int(row["time_ps"]) for row in rows]
        self.assertEqual(times, sorted(times))

    def test_xoff_comes_at_the_threshold_of_its_moment(self):
        rows, _, _ = self.run_traced(FILL)
        place = [i for i, row in enumerate(rows) if row["event"] == "xoff"]
        self.assertEqual(len(place), 1)
        before, at = self.levels(rows[:place[0]], "pg Ethernet0|3")[-2:]
        self.assertLess(number(before, "shared_bytes"),
                        number(before, "threshold_bytes"))
        self.assertGreaterEqual(number(at, "shared_bytes"),
                                number(at, "threshold_bytes"))
        self.assertEqual(at["time_ps"], rows[place[0]]["time_ps"])
        # A full PG takes of the threshold of the other one, too.
        thresholds = [number(row, "threshold_bytes")
                      for row in self.levels(rows, "pg Ethernet8|4")]
        self.assertGreater(len(set(thresholds)), 100)

    def test_what_enters_is_what_leaves(self):
        rows, _, _ = self.run_traced(FILL)
        last, sides = {}, ("pg ", "queue ")
        held = collections.Counter()
        pools = {"pg ": "pool ingress_lossless_pool",
                 "queue ": "pool egress_lossless_pool"}
        for i, row in enumerate(rows):
            if row["event"] != "level":
                continue
            level = number(row, "reserved_bytes") + number(row, "shared_bytes")
            for side in sides:
                if row["object"].startswith(side):
                    held[side] += level - last.get(row["object"], 0)
            last[row["object"]] = level
            if rows[i + 1]["time_ps"] != row["time_ps"]:
                for side in sides:
                    self.assertEqual(held[side], last[pools[side]], row)
        self.assertEqual(set(last.values()), {0})

    def test_pauses_of_a_peer(self):
        rows, end, _ = self.run_traced(PAUSES)
        counted = end["port Ethernet4"]
        self.assertEqual(self.length(rows, "Ethernet4", "rx") // 1000000,
                         counted["pfc_3_rx_pause_duration_us"])
        pauses = self.events(rows, "rx_pause", "port Ethernet4")
        self.assertGreater(len(pauses), 0)
        self.assertEqual(len(pauses), counted["pfc_3_on2off_rx_pkts"])
        self.assertEqual({row["priority"] for row in pauses}, {"3"})
        # Also packets that went through at once count in watermarks.
        for thing in ("pg Ethernet0|3", "queue Ethernet4|3"):
            self.assertEqual(max(number(row, "reserved_bytes")
                                 + number(row, "shared_bytes")
                                 for row in self.levels(rows, thing)),
                             end[thing]["watermark_bytes"])

    def test_marks(self):
        rows, end, _ = self.run_traced(MARKS)
        queue = "queue Ethernet4|3"
        marks = self.events(rows, "mark", queue)
        self.assertGreater(len(marks), 0)
        self.assertEqual(len(marks), end[queue]["wred_ecn_marked_packets"])
        self.assertEqual(sum(number(row, "frame_bytes") for row in marks),
                         end[queue]["wred_ecn_marked_bytes"])

    def test_storms_of_the_watchdog(self):
        self.run_file(os.path.join(CATALOGUE, "pfcwd_drop.yaml"), "--variant",
                      "single,td2,traditional", "--trace-file",
                      self.path("w.csv"))
        rows = self.read("w.csv")
        for event, reason in (("storm", "drop"), ("restored", "")):
            found = self.events(rows, event, "queue Ethernet4|3")
            self.assertEqual([row["reason"] for row in found], [reason] * 2)
        # Of each of two storms 100 and 7 packets are dropped.
        self.assertEqual(len(self.events(rows, "drop", "queue Ethernet4|3")),
                         2 * 107)
        storm = self.events(rows, "storm", "queue Ethernet4|3")[0]
        pause = self.events(rows, "rx_pause", "port Ethernet4")[0]
        waited = int(storm["time_ps"]) - int(pause["time_ps"])
        # More than detection_time, at most a poll later.
        self.assertGreater(waited, 200 * 10**9)
        self.assertLessEqual(waited, 300 * 10**9)

    def test_a_trace_changes_nothing(self):
        file = self.write("t.yaml", PAUSES)
        plain = json.loads(self.run_file(file, "--json"))
        traced = json.loads(self.run_file(file, "--json", "--trace-file",
                                          self.path("t.csv")))
        framed = json.loads(self.run_file(file, "--json", "--trace-file",
                                          self.path("t.pcap")))
        for result in (plain, traced, framed):
            for run in result if isinstance(result, list) \
                    else result.get("runs", [result]):
                run.pop("milliseconds", None)
                run.pop("trace", None)
        self.assertEqual(plain, traced)
        self.assertEqual(plain, framed)


class Frames(Trace):

    def frames(self, name):
        with open(self.path(name), "rb") as file:
            data = file.read()
        magic, _, _, _, _, link = struct.unpack("<IIIIII", data[:24])
        self.assertEqual((magic, link), (0xa1b23c4d, 1))
        at, result = 24, []
        while at < len(data):
            second, nano, kept, length = struct.unpack_from("<IIII", data, at)
            self.assertEqual(kept, length)
            result.append((second * 10**9 + nano,
                           data[at + 16:at + 16 + kept]))
            at += 16 + kept
        return result

    def test_frames_that_leave_and_pauses(self):
        file = self.write("p.yaml", PAUSES)
        self.run_file(file, "--trace-file", self.path("p.pcap"), "--results",
                      self.path("p.jsonl"))
        with open(self.path("p.jsonl"), encoding="utf-8") as lines:
            end = json.loads(lines.readline())["measurements"]["end"]
        frames = self.frames("p.pcap")
        pauses = [data for _, data in frames
                  if data[12:16] == b"\x88\x08\x01\x01"]
        data = [data for _, data in frames if data[12:14] == b"\x08\x00"]
        self.assertEqual(len(pauses),
                         end["port Ethernet4"]["pfc_3_rx_pkts"]
                         + end["port Ethernet0"]["pfc_3_tx_pkts"])
        self.assertGreater(len(pauses), 0)
        self.assertEqual(len(data), end["port Ethernet4"]["if_out_ucast_pkts"])
        self.assertEqual({len(frame) for frame in data}, {1000})
        self.assertEqual({frame[15] >> 2 for frame in data}, {3})
        times = [time for time, _ in frames]
        self.assertEqual(times, sorted(times))

    def test_the_longest_packets_and_longer_frames(self):
        cases = {9274: b"\x08\x00", 9278: b"\x88\xb5", 9400: b"\x88\xb5"}
        self.run_file(self.write("l.yaml", LONG), "--param", "size=" + ",".join(
            map(str, cases)), "--trace-file", self.path("l.pcap"))
        for i, (size, kind) in enumerate(cases.items(), 1):
            self.assertEqual([(len(data), data[12:14]) for _, data in
                              self.frames(f"l-{i}.pcap")], 3 * [(size, kind)])

    def test_marked_frames_are_ce(self):
        self.run_file(self.write("m.yaml", MARKS), "--trace-file",
                      self.path("m.pcap"), "--results", self.path("m.jsonl"))
        with open(self.path("m.jsonl"), encoding="utf-8") as lines:
            end = json.loads(lines.readline())["measurements"]["end"]
        marked = [data for _, data in self.frames("m.pcap")
                  if data[12:14] == b"\x08\x00" and data[15] & 3 == 3]
        self.assertEqual(len(marked), end["queue Ethernet4|3"]
                         ["wred_ecn_marked_packets"])


class Cases(Trace):

    def test_a_sweep_has_a_file_per_point(self):
        text = self.run_file(self.write("t.yaml", FILL), "--param",
                             "size=64,300,1500", "--trace-file",
                             self.path("t.csv"))
        self.assertIn("3 traces: ", text)
        self.assertFalse(os.path.exists(self.path("t.csv")))
        for i, size in enumerate((64, 300, 1500), 1):
            drops = self.events(self.read(f"t-{i}.csv"), "drop",
                                "pg Ethernet0|3")
            self.assertEqual({row["frame_bytes"] for row in drops},
                             {str(size)})

    def test_until_ends_the_trace(self):
        file = self.write("t.yaml", FILL)
        self.run_file(file, "--until", "2", "--trace-file",
                      self.path("t.csv"), given="quit\n")
        rows = self.read("t.csv")
        self.assertEqual(rows[-1]["event"], "end")
        self.assertFalse(self.levels(rows, "pg Ethernet0|3"))
        self.assertEqual(number(self.levels(rows, "queue Ethernet4|4")[-1],
                                "reserved_bytes")
                         + number(self.levels(rows, "queue Ethernet4|4")[-1],
                                  "shared_bytes"), 40 * 208)

    def test_a_skipped_scenario_has_no_picture(self):
        file = self.write("t.yaml", FILL + "when: 0\n")
        for words in (("--until", "2"), ()):
            text = self.run_file(file, *words, "--trace-file",
                                 self.path("t.csv"), "--plot",
                                 self.path("t.svg"), "--figure", "occupancy")
            self.assertIn("its condition does not hold", text)
            self.assertIn("t.svg is not drawn: no step ran, so there is no "
                          "trace", text)
            self.assertFalse(os.path.exists(self.path("t.csv")))
            self.assertFalse(os.path.exists(self.path("t.svg")))

    def test_wrong_options(self):
        file = self.write("t.yaml", FILL)
        for words, expected in (
                (["--trace-file", self.path("t.txt")],
                 "the suffix chooses the format"),
                (["--trace-file", self.path("t.txt")], ".csv, .pcap"),
                (["--trace-file", self.path("t.csv"), "--live"],
                 "cannot be combined with --live"),
                (["--trace-file", self.path("t.csv"), "--dry-run"],
                 "cannot be combined with --dry-run"),
                (["--plot", self.path("x.png"), "--figure", "occupancy"],
                 "from the trace of --trace-file FILE.csv"),
                (["--plot", self.path("x.png"), "--figure", "occupancy",
                  "--trace-file", self.path("t.pcap")],
                 "from the trace of --trace-file FILE.csv"),
                (["--plot", self.path("x.png"), "--figure", "occupancy",
                  "--trace-file", self.path("t.csv"), "--measure", "a:b:c"],
                 "--measure is for figures of sweeps"),
                (["--plot", self.path("x.png"), "--figure", "occupancy",
                  "--trace-file", self.path("t.csv"), "--param",
                  "size=64,300"], "of a single case, and there are 2")):
            self.assertIn(expected, self.run_file(file, *words, code=USAGE))
        self.assertEqual(os.listdir(self.folder), ["t.yaml"])

    def test_files_that_cannot_be_written(self):
        file = self.write("t.yaml", FILL)
        self.write("t.csv", "mine")
        text = self.run_file(file, "--trace-file", self.path("t.csv"),
                             code=USAGE)
        self.assertIn("t.csv' exists", text)
        self.assertIn("remove it", text)
        with open(self.path("t.csv"), encoding="utf-8") as kept:
            self.assertEqual(kept.read(), "mine")
        self.assertIn("cannot create", self.run_file(
            file, "--trace-file", self.path("none/t.csv"), code=USAGE))

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))

        for name in ("f.csv", "f.pcap"):
            text = self.run_file(file, "--trace-file", self.path(name),
                                 code=FAILED, prepare=limit)
            self.assertIn(f"cannot write '{self.path(name)}'", text)
            self.assertIn("the incomplete trace was removed", text)
            self.assertFalse(os.path.exists(self.path(name)))

    def test_a_case_that_does_not_run_leaves_no_file(self):
        for text, words, code in (
                (FILL.replace("block:", "halt:"), [], USAGE),
                (FILL + "when: 0\n", [], DONE),
                (FILL + "when: 0\n", ["--until", "2"], DONE)):
            file = self.write("t.yaml", text)
            said = self.run_file(file, "--trace-file", self.path("t.csv"),
                                 "--plot", self.path("x.svg"), "--figure",
                                 "occupancy", *words, code=code)
            self.assertNotIn("t.csv", said)
            self.assertEqual(os.listdir(self.folder), ["t.yaml"])

    def test_the_end_of_a_switch_is_not_in_the_next_trace(self):
        kept = FILL[:FILL.index("  - unblock")]
        for name, text in (("a", kept), ("b", MARKS)):
            self.write(f"{name}.yaml", text)
        self.run_file(self.folder, "--trace-file", self.path("t.csv"))
        for number_of in (1, 2):
            rows = self.read(f"t-{number_of}.csv")
            times = [int(row["time_ps"]) for row in rows]
            self.assertEqual(times, sorted(times))
        self.assertEqual(self.events(self.read("t-2.csv"), "drop",
                                     "pg Ethernet0|3"), [])


class Figures(Trace):

    def plot(self, *words, code=DONE, name="t.csv"):
        return self.orchctl("sweep", "plot", self.path(name),
                            self.path("x.svg"), *words, code=code)

    def data(self, *words):
        folder = self.path("data")
        self.plot(*words, "--data", folder)
        result = {}
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                result[name] = [line.split("\t") for line in
                                file.read().splitlines() if line]
        return result

    def test_the_peak_of_a_long_trace_is_drawn(self):
        rows, end, _ = self.run_traced(FILL)
        held = self.data()["held.dat"]
        self.assertEqual(held[0], ['"pg Ethernet0|3"'])
        self.assertEqual(
            max(float(line[1]) for line in held[1:]),
            max(number(row, "shared_bytes") + number(row, "headroom_bytes")
                for row in self.levels(rows, "pg Ethernet0|3")))
        times = [float(line[0]) for line in held[1:]]
        self.assertEqual(times, sorted(times))
        self.assertEqual(times[0], 0)
        self.assertAlmostEqual(times[-1], int(rows[-1]["time_ps"]) * 1e-6)
        self.assertLess(len(held), 10000)
        self.assertTrue(end)

    def test_a_window_begins_with_the_level_of_its_begin(self):
        rows, _, _ = self.run_traced(FILL)
        held = self.data("--window", "10us..12us", "--object",
                         "pg Ethernet0|3")["held.dat"]
        level = [row for row in self.levels(rows, "pg Ethernet0|3")
                 if int(row["time_ps"]) < 10 * 10**6][-1]
        first = held[1]
        self.assertEqual(float(first[0]), 10000)  # In ns.
        self.assertEqual(float(first[1]), number(level, "shared_bytes"))
        self.assertEqual(float(held[-1][0]), 12000)

    def test_the_time_line_of_the_watchdog(self):
        self.run_file(os.path.join(CATALOGUE, "pfcwd_drop.yaml"), "--variant",
                      "single,td2,traditional", "--trace-file",
                      self.path("t.csv"))
        data = self.data("--figure", "watchdog")
        self.assertEqual([line[-1] for line in data["lanes.dat"][1:]],
                         ['"Ethernet4|3  paused by peer"',
                          '"Ethernet4|3  storm"', '"Ethernet4|3  drops"'])
        storms = data["storm.dat"][1:]
        self.assertEqual([line[-1] for line in storms],
                         ['"action drop, restored"'] * 2)
        rows = self.read("t.csv")
        begins = [int(row["time_ps"]) * 1e-9 for row in
                  self.events(rows, "storm", "queue Ethernet4|3")]
        ends = [int(row["time_ps"]) * 1e-9 for row in
                self.events(rows, "restored", "queue Ethernet4|3")]
        for line, begin, end in zip(storms, begins, ends):
            self.assertAlmostEqual(float(line[0]), begin)
            self.assertAlmostEqual(float(line[2]), end - begin)
        self.assertNotIn("storm.dat", [name for name, lines in self.data(
            "--figure", "watchdog", "--window", "0ms..150ms").items()
            if lines])

    def test_wrong_input(self):
        self.run_traced(FILL)
        for words, expected in (
                (["--object", "pg Ethernet0|4x"], "no object"),
                (["--object", "pg Ethernet0|33"],
                 "did you mean 'pg Ethernet0|3'?"),
                (["--object", "queue Ethernet8|3", "--figure", "watchdog"],
                 "no object"),
                (["--object", "port Ethernet_", "--figure", "watchdog"],
                 "no object"),
                (["--object", "port ethernet0", "--figure", "watchdog"],
                 "no object"),
                (["--window", "5..9"], "is not FROM..TO"),
                (["--window", "9us..5us"], "is not FROM..TO"),
                (["--window", "5s..9s"], "after the end of the trace"),
                (["--figure", "watchdog", "--window", "0us..1us"],
                 "no pause, storm or deadlock"),
                (["--figure", "xoff"], "is drawn from a sweep"),
                (["--by", "size"], "--by is for figures of sweeps"),
                (["--object", "pg Ethernet0|3"] * 9, "is given 9 times")):
            self.assertIn(expected, self.plot(*words, code=USAGE), words)
        self.write("e.csv", "")
        self.assertIn("it is empty", self.plot(name="e.csv", code=USAGE))
        self.write("n.csv", "a,b\n1,2\n")
        self.assertIn("line 1: not a line of a trace",
                      self.plot(name="n.csv", code=USAGE))
        with open(self.path("t.csv"), encoding="utf-8") as file:
            text = file.read()
        self.write("c.csv", text[:text.rindex("\n", 0, 50000) + 1])
        self.assertIn("was cut", self.plot(name="c.csv", code=USAGE))
        self.write("h.csv", text[:50000])
        self.assertIn("not a line of a trace",
                      self.plot(name="h.csv", code=USAGE))
        self.assertIn("cannot read", self.plot(name="none.csv", code=FAILED))
        self.orchctl("breakpoint", "run", self.path("t.yaml"), *OFFLINE,
                     "--param", "size=64", "--results", self.path("r.sqlite"))
        self.assertIn("is drawn from a trace", self.plot(
            "--figure", "occupancy", name="r.sqlite", code=USAGE))

    @unittest.skipUnless(shutil.which("gnuplot"), "no gnuplot")
    def test_pictures(self):
        file = self.write("t.yaml", FILL)
        text = self.run_file(file, "--trace-file", self.path("t.csv"),
                             "--plot", self.path("o.svg"), "--figure",
                             "occupancy", "--object", "pg Ethernet0|3",
                             "--object", "queue Ethernet4|3")
        self.assertNotIn("warning", text)
        with open(self.path("o.svg"), encoding="utf-8") as picture:
            drawn = picture.read()
        for word in ("Occupancy and thresholds", "pg Ethernet0|3 threshold",
                     "XOFF", "XON", "dropped", "simulated time, us",
                     "threshold of queue Ethernet4|3"):
            self.assertIn(word, drawn)
        text = self.plot("--figure", "watchdog")
        self.assertNotIn("warning", text)
        with open(self.path("x.svg"), encoding="utf-8") as picture:
            self.assertIn("pauses peer", picture.read())


if __name__ == "__main__":
    unittest.main()

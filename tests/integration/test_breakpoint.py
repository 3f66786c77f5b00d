# SPDX-License-Identifier: Apache-2.0
"""orchctl breakpoint: scenarios on a switch of their own, without a daemon and
without Redis; and what is printed."""

import json
import os
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

from harness import BUILD, LIBSAI, PATIENCE_S, SOURCE

ORCHCTL = os.path.abspath(os.path.join(BUILD, "orchctl", "orchctl"))
COMMON = os.path.join(SOURCE, "tests", "breakpoint", "common", "lossless.yaml")
PASSED, FAILED, INVALID = 0, 1, 2

# Two ports of th, $a and $b, and what most scenarios configure.
HEAD = """
include: %s
params: {a: Ethernet0, b: Ethernet4}
""" % COMMON

FILL = HEAD + """
about: A lossy queue fills.
steps:
  - block: $b
  - snap: start
  - send: {from: $a, to: $b, n: 10, dscp: 8}
  - expect: {obj: queue $b|0, stat: frames, ==: $n}
  - unblock: $b
  - settle
  - expect_rx: {port: $b, n: 10, where: {queue: 0}}
"""


class Breakpoint(unittest.TestCase):

    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)

    def write(self, name, text):
        path = os.path.join(self.directory.name, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def run_it(self, *words, code=PASSED, lines=""):
        result = subprocess.run(
            [ORCHCTL, "breakpoint", "run", *words, "--sai", LIBSAI, "--chips",
             os.path.join(SOURCE, "chips"), "--yang-dir",
             os.path.join(SOURCE, "schemas")],
            input=lines, capture_output=True, text=True, timeout=PATIENCE_S,
            check=False)
        self.assertEqual(result.returncode, code,
                         result.stdout + result.stderr)
        return result.stdout + result.stderr

    def steps(self, text, code=PASSED):
        return self.run_it(self.write("x.yaml", HEAD + "steps:\n" + text),
                           code=code)

    def three(self):
        """A directory with a case that passes, one that does not and one that
        cannot be loaded."""
        self.write("set/one.yaml", FILL.replace("$n", "10"))
        self.write("set/below/two.yaml", FILL.replace("$n", "11"))
        self.write("set/three.yaml", FILL.replace("$n", "$nix"))
        self.write("set/common/four.yaml", "not: a scenario\n")
        self.write("set/five.txt", "neither\n")
        return os.path.join(self.directory.name, "set")

    def test_one_case_is_reported_step_by_step(self):
        path = self.write("x.yaml", FILL.replace("$n", "10"))
        output = self.run_it(path)
        self.assertIn("A lossy queue fills.", output)
        self.assertIn("send Ethernet0 to Ethernet4, 64 B, DSCP 8, 10 times",
                      output)
        self.assertIn("PASS x: 7 steps.", output)
        self.assertEqual(output, self.run_it(path))

    def test_of_many_those_that_fail(self):
        output = self.run_it(self.three(), code=INVALID)
        self.assertRegex(output, r"PASS one \(7 steps, [0-9.]+ ms\)")
        self.assertIn("expected == 11, got 10", output)
        self.assertIn("set/below/two.yaml:10:14", output)
        self.assertRegex(output, r"FAIL three: invalid\n +.*three\.yaml:10:\d+: "
                               r"in ==: there is no parameter 'nix'")
        # Each of two sent ten packets.
        self.assertRegex(output, r"3 cases: 1 passed, 2 failed, 0 skipped; "
                               r"[0-9.]+ s, 20 packets, [0-9,]+ per second\.")
        self.assertNotIn("four", output)

    def test_processes_change_nothing_but_the_time(self):
        path = self.three()
        runs = [json.loads(self.run_it(path, "--format", "json", "--jobs", n,
                                       code=INVALID).partition("orchctl:")[0])
                for n in ("1", "2", "9")]
        for run in runs:
            for case in run:
                self.assertGreater(case.pop("milliseconds"), 0)
        self.assertEqual(runs[0], runs[1])
        self.assertEqual(runs[0], runs[2])
        self.assertEqual([(c["name"], c["outcome"]) for c in runs[0]],
                         [("two", "failed"), ("one", "passed"),
                          ("three", "invalid")])

    def test_formats(self):
        path = self.three()
        tap = self.run_it(path, "--format", "tap", code=INVALID).splitlines()
        self.assertEqual(tap[:3], ["TAP version 13", "1..3", "not ok 1 - two"])
        self.assertIn("ok 2 - one", tap)
        self.assertIn("not ok 3 - three", tap)
        text = self.run_it(path, "--format", "junit", code=INVALID)
        suite = xml.etree.ElementTree.fromstring(text.partition("orchctl:")[0])
        self.check_junit(suite)
        self.assertEqual([suite.get(name) for name in
                          ("tests", "failures", "errors", "skipped")],
                         ["3", "1", "1", "0"])
        failure = suite.find("testcase[@name='two']/failure")
        self.assertIn("expected == 11, got 10", failure.text)
        error = suite.find("testcase[@name='three']/error")
        self.assertRegex(error.get("message"), r"three\.yaml:10:\d+: in ==")
        self.assertIn("text, tap, junit or json",
                      self.run_it(path, "--format", "html", code=INVALID))

    # What the schema of Jenkins and of Ant allows, as far as it is used here:
    # attributes that are needed, those that may be, and elements within.
    JUNIT = {
        "testsuite": ({"name", "tests", "failures", "errors"},
                      {"skipped", "time"}, {"testcase"}),
        "testcase": ({"name", "classname", "time"}, set(),
                     {"skipped", "failure", "error"}),
        "skipped": (set(), {"message"}, set()),
        "failure": ({"type"}, {"message"}, set()),
        "error": ({"type"}, {"message"}, set()),
    }


    def check_junit(self, element):
        needed, allowed, within = self.JUNIT[element.tag]
        names = set(element.keys())
        self.assertLessEqual(needed, names, element.tag)
        self.assertLessEqual(names, needed | allowed, element.tag)
        for name in ("tests", "failures", "errors", "skipped"):
            self.assertRegex(element.get(name, "0"), r"^\d+$")
        self.assertGreaterEqual(float(element.get("time", "0")), 0)
        if element.tag == "testcase":
            self.assertLessEqual(len(element), 1)
        for child in element:
            self.assertIn(child.tag, within)
            self.check_junit(child)

    def test_what_is_skipped_says_why(self):
        path = self.write("x.yaml", "variants: {a<b: {d: 1}, c: {d: 0}}\n"
                          "when: $d\n" + FILL.replace("$n", "10"))
        tap = self.run_it(path, "--format", "tap").splitlines()
        self.assertEqual(tap[2:], ["ok 1 - x[a<b]", "ok 2 - x[c] # SKIP its "
                                   "condition does not hold"])
        suite = xml.etree.ElementTree.fromstring(
            self.run_it(path, "--format", "junit"))
        self.check_junit(suite)
        self.assertEqual(suite.get("skipped"), "1")
        self.assertEqual(suite.find("testcase[@name='x[c]']/skipped").get(
            "message"), "its condition does not hold")
        self.assertIn("x[c] is skipped: its condition does not hold",
                      self.run_it(path, "--variant", "c", "--until", "1"))

    def test_one_variant(self):
        path = self.write("x.yaml", "matrix: {chip_model: [td2, th]}\n" +
                          FILL.replace("$n", "10"))
        output = self.run_it(path, "--variant", "th")
        self.assertIn("PASS x[th]: 7 steps.", output)
        self.assertNotIn("td2", output)
        output = self.run_it(path, "--variant", "th", "--until", "3",
                             code=PASSED, lines="continue\n")
        self.assertIn("PASS x[th]", output)
        self.assertIn("name a variant with --variant",
                      self.run_it(path, "--until", "3", code=INVALID))
        self.assertRegex(self.run_it(path, "--variant", "td3", code=INVALID),
                         r"unknown variant 'td3'\n  allowed: td2  th\n")

    def test_unknown_names_are_reported_with_known_ones(self):
        for steps, code, pattern in (
                ("  - send: {from: Ethernet5, to: $b, n: 1}\n", FAILED,
                 r"no port Ethernet5 on the ASIC \(did you mean 'Ethernet0'\?\)"
                 r"\n +at .*\n +there are:\n"
                 r" +Ethernet0, Ethernet4, Ethernet8, Ethernet12\n"),
                ("  - flow: {name: fast, from: $a, to: $b, n: 1}\n"
                 "  - expect: {obj: flow fsat, stat: sent, ==: 1}\n", INVALID,
                 r":6:19: no earlier step starts a flow 'fsat' \(did you mean "
                 r"'fast'\?\)"),
                ("  - cfg: {BUFFER_POOL|p: {type: in, mode: static, size: 1}}\n",
                 FAILED, "it is rejected.*allowed: ingress, egress, both\n"),
                ("  - expect: {obj: pg $a|3, stat: packts, ==: 0}\n", INVALID,
                 r"pg Ethernet0\|3 has no stat 'packts' \(did you mean "
                 r"'packets'\?\)\n +at .*\n +there are:\n +packets, bytes")):
            self.assertRegex(self.steps(steps, code=code), pattern)

    def test_list_and_dry_run(self):
        path = self.write("x.yaml", "matrix: {chip_model: [td2, th]}\n" +
                          FILL.replace("$n", "10"))
        output = subprocess.run([ORCHCTL, "breakpoint", "list", path],
                                capture_output=True, text=True, check=True)
        self.assertEqual(output.stdout,
                         "%s [td2]\n%s [th]\n" % (path, path))
        output = self.run_it(path, "--dry-run")
        self.assertIn("x[th]", output)
        self.assertIn("queue Ethernet4|0 frames == 10", output)
        self.assertNotIn("PASS", output)

    def test_until_a_step_and_then_by_hand(self):
        path = self.write("x.yaml", FILL.replace("$n", "13"))
        output = self.run_it(
            path, "--until", "3", code=FAILED,
            lines="send: {from: Ethernet0, to: Ethernet4, n: 3, dscp: 8}\n"
                  "snd: 3\nhelp\nshow queue Ethernet4|0\nnext\ncontinue\n")
        self.assertRegex(output, r"queue Ethernet4\|0\n(.*\n)* +frames +10\n")
        self.assertRegex(output, r" +frames +13\n")
        self.assertIn("did you mean 'send'?", output)
        self.assertIn("FAIL x: failed at step 7 of 7", output)
        output = self.run_it(path, "--until", "4", code=FAILED)
        self.assertIn("FAIL x: failed at step 4 of 7", output)

    def test_trace_and_saved_snapshots(self):
        path = self.write("x.yaml", FILL.replace("$n", "10"))
        output = self.run_it(path, "--trace", "--save", self.directory.name)
        self.assertRegex(output, r"\| queue Ethernet4\|0: .*frames 0 -> 10")
        self.assertRegex(output, r"\| queue Ethernet4\|0: .*frames 9 -> 0")
        with open(os.path.join(self.directory.name, "x.start.json"),
                  encoding="utf-8") as file:
            [queue] = json.load(file)["objects"]
        self.assertEqual((queue["kind"], queue["name"], queue["index"]),
                         ("queue", "Ethernet4", 0))
        self.assertEqual(queue["stats"]["frames"], 0)

    def test_snapshots_that_cannot_be_saved_fail_the_run(self):
        path = self.write("x.yaml", FILL.replace("$n", "10"))
        missing = os.path.join(self.directory.name, "missing")
        for more in ([], ["--jobs", "2"], ["--until", "9"]):
            output = self.run_it(path, "--save", missing, *more, code=FAILED)
            self.assertIn("cannot write files in " + missing +
                          ": No such file or directory", output)
            self.assertIn("mkdir -p " + missing, output)
            self.assertNotIn("PASS", output)
        # The disk is full, which only closing the file finds.
        os.symlink("/dev/full", os.path.join(self.directory.name,
                                             "x.start.json"))
        for more in ([], ["--jobs", "2"], ["--until", "9"],
                     ["--format", "junit"]):
            output = self.run_it(path, "--save", self.directory.name, *more,
                                 code=FAILED)
            self.assertIn("x.start.json': No space left on device", output)
            self.assertNotIn("PASS", output)

    def test_saved_snapshots_are_compared(self):
        path = self.write("x.yaml", FILL.replace("$n", "10").replace(
            "  - unblock", "  - snap: full\n  - unblock"))
        self.run_it(path, "--save", self.directory.name)
        start, full = (os.path.join(self.directory.name, "x.%s.json" % name)
                       for name in ("start", "full"))

        def diff(*words):
            return subprocess.run([ORCHCTL, *words], capture_output=True,
                                  text=True, check=False)
        output = diff("asic", "diff", start, full)
        self.assertEqual(output.returncode, FAILED)
        self.assertRegex(output.stdout, r"queue Ethernet4\|0\n(.*\n)* +frames +"
                                      r"0 -> 10 \(\+10\)\n")
        output = diff("--json", "asic", "diff", full, start)
        self.assertEqual(
            json.loads(output.stdout)["queue Ethernet4|0"]["frames"], [10, 0])
        output = diff("asic", "diff", full, full)
        self.assertEqual((output.returncode, output.stdout), (PASSED, ""))
        output = diff("asic", "diff", full, path)
        self.assertEqual(output.returncode, INVALID)
        self.assertIn("x.yaml:2:", output.stderr)

    def test_a_row_in_the_middle(self):
        output = self.steps("""
  - cfg: {BUFFER_PROFILE|pg_lossless_profile: {dynamic_th: 1}}
  - snap: {show: [pg $a|3]}
  - cfg: [{rows: {BUFFER_PROFILE|pg_lossless_profile: {dynamic_th: 42}},
           expect: rejected}]
""")
        self.assertIn("PASS x", output)
        output = self.steps("""
  - cfg: {BUFFER_PROFILE|pg_lossless_profile: {dynamic_th: 42}}
""", code=FAILED)
        self.assertIn("expected applied, but it is rejected (range)", output)
        self.assertIn("x.yaml:6:11", output)

    def test_a_configuration_that_is_refused_is_no_test(self):
        path = self.write("x.yaml", HEAD + """
config:
  - BUFFER_POOL|ingress_lossless_pool: {type: sideways}
steps: [settle]
""")
        output = self.run_it(path, code=INVALID)
        self.assertRegex(output, r"x\.yaml:6:5: BUFFER_POOL\|ingress_lossless_"
                               r"pool: expected applied, but it is rejected")

    # An ordinary RoCE configuration: WRED marks the lossless queues.
    LEAF = os.path.join(SOURCE, "examples", "leaf-32x100g.config_db.json")
    WRED = {"wred_green_enable": "true", "ecn": "ecn_all",
            "green_min_threshold": "50000", "green_max_threshold": "200000",
            "green_drop_probability": "5"}

    def roce(self):
        with open(self.LEAF, encoding="utf-8") as file:
            config = json.load(file)
        config["WRED_PROFILE"] = {"AZURE": self.WRED}
        config["QUEUE"] = {"Ethernet4|3-4": {"wred_profile": "AZURE"},
                           "Ethernet8|3-4": {"wred_profile": "AZURE"}}
        return self.write("roce.json", json.dumps(config))

    def probe(self, *words, code=PASSED):
        result = subprocess.run(
            [ORCHCTL, "breakpoint", "probe", *words, "--from", "Ethernet0",
             "--to", "Ethernet4", "--sai", LIBSAI, "--chips",
             os.path.join(SOURCE, "chips"), "--yang-dir",
             os.path.join(SOURCE, "schemas")],
            capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        self.assertEqual(result.returncode, code,
                         result.stdout + result.stderr)
        return result.stdout + result.stderr

    def test_a_probe_names_wred_and_ecn_avoids_it(self):
        config = ("--config", self.roce())
        for kind in (["xoff"], ["drop"], ["xon", "--other", "Ethernet8"]):
            output = self.probe(*kind, *config, code=INVALID)
            self.assertRegex(output, r"WRED dropped \d+ packets? at queue "
                                     r"Ethernet4\|3 ")
            self.assertIn("--ecn 2", output)
            self.assertNotIn("NOT as found", output)
            # With ECN they find what is found without WRED.
            plain = self.probe(*kind, "--config", self.LEAF)
            self.assertIn(": as found", plain)
            self.assertEqual(self.probe(*kind, *config, "--ecn", "2"), plain)

    def test_a_probe_takes_the_settings_of_orchd(self):
        with open(self.LEAF, encoding="utf-8") as file:
            config = json.load(file)
        plain = self.probe("xoff", "--config", self.LEAF)
        # The lossless group is not written, but derived from a lookup table: one
        # with a length of cable that the shipped tables do not have.
        profile = "pg_lossless_100000_5m_profile"
        fields = config["BUFFER_PROFILE"].pop(profile)
        config["BUFFER_PG"] = {key: row for key, row in
                               config["BUFFER_PG"].items()
                               if row["profile"] != profile}
        config["CABLE_LENGTH"] = {"AZURE": {port: "7m"
                                            for port in config["PORT"]}}
        lookup = self.write("lookup.ini", " ".join(
            ["100000 7m"] + [fields[name] for name in (
                "size", "xon", "xoff", "dynamic_th", "xon_offset")]) + "\n")
        config = ("--config", self.write("x.json", json.dumps(config)))
        self.assertIn("lossy", self.probe("xoff", *config, code=INVALID))
        for words in (["--lookup", lookup], ["--set", "lookup_file=" + lookup]):
            output = self.probe("xoff", *config, *words)
            self.assertEqual(output.splitlines()[0], plain.splitlines()[0])
        self.assertIn("there is no setting", self.probe(
            "xoff", *config, "--set", "x=1", code=INVALID))
        self.assertIn("orchd has the settings of orchd", self.probe(
            "xoff", "--live", "--lookup", lookup, code=INVALID))

    def test_an_xoff_that_never_comes_says_why(self):
        head = "config: " + self.roce() + """
steps:
  - block: Ethernet4
  - send: {from: Ethernet0, to: Ethernet4, until: xoff, limit: 20000, """
        for look, words in (
                ("dscp: 0}", r"DSCP 0 -> TC 1 -> PG Ethernet0\|0, lossy; queue "
                             r"Ethernet4\|1 dropped \d+ packets, over its "
                             r"limit"),
                ("dscp: 3}", r"PG Ethernet0\|3, lossless; queue Ethernet4\|3 "
                             r"dropped \d+ packets, all by WRED \(they are "
                             r"not ECN-capable: ecn 2 is\)")):
            output = self.run_it(self.write("x.yaml", head + look + "\n"),
                                 code=FAILED)
            self.assertRegex(output, words)
        self.run_it(self.write("x.yaml", head + "dscp: 3, ecn: 2}\n"))

    def test_ways_to_block(self):
        for way in ("tx_enable", "port_scheduler", "queue_scheduler",
                    "queue_pir"):
            self.steps("""
  - block: {ports: $b, by: %s}
  - send: {from: $a, to: $b, n: 20, dscp: 8}
  - run: {ms: 1}
  - expect: {obj: queue $b|0, stat: frames, in: 18..20}
  - unblock: {ports: $b, by: %s}
  - run: {ms: 1}
  - expect: {obj: queue $b|0, stat: frames, ==: 0}
""" % (way, way))

    def test_an_attribute(self):
        self.steps("""
  - sai: {obj: port $b, attr: PKT_TX_ENABLE, value: 'false'}
  - send: {from: $a, to: $b, n: 2, dscp: 8}
  - settle
  - expect: {obj: port $b, stat: queued, ==: 2}
  - sai: {obj: port $b, attr: PKT_TX_ENABLE, value: 'true'}
  - settle
  - expect: {obj: port $b, stat: queued, ==: 0}
""")
        self.assertIn("no attribute SAI_PORT_ATTR_PKT", self.steps(
            "  - sai: {obj: port $b, attr: PKT, value: 1}\n", code=INVALID))

    def test_an_access_list(self):
        rule = "  - acl: {port: $a, match: %s, action: %s}\n"
        drop = "PACKET_ACTION=SAI_PACKET_ACTION_DROP"
        self.steps(rule % ("'DSCP=8&mask:0x3f'", drop) + """
  - send: {from: $a, to: $b, n: 2, dscp: 8}
  - send: {from: $a, to: $b, n: 3, dscp: 9}
  - send: {from: $b, to: $a, n: 4, dscp: 8}
  - settle
  - expect_rx: {port: $b, n: 3}
  - expect_rx: {port: $a, n: 4}
  - acl: {port: $a, action: %s}
  - snap: all
  - send: {from: $a, to: $b, n: 3, dscp: 9}
  - settle
  - expect_rx: {port: $b, n: 0, vs: all}
  - acl: {port: $a, action: none}
  - send: {from: $a, to: $b, n: 2, dscp: 8}
  - settle
  - expect_rx: {port: $b, n: 2, vs: all}
""" % drop)
        for match, action, words in (
                ("DSCPS=8", drop, "SAI_ACL_ENTRY_ATTR_FIELD_NAME"),
                ("DSCP", drop, "'DSCP': write NAME=VALUE"),
                ("DSCP=x", drop, "DATA&mask:MASK"),
                ("any", "DROP", "SAI_ACL_ENTRY_ATTR_ACTION_NAME"),
                ("any", "PACKET_ACTION=DROP",
                 "no value of SAI_ACL_ENTRY_ATTR_ACTION_PACKET_ACTION")):
            with self.subTest(match=match, action=action):
                self.assertIn(words, self.steps(rule % (match, action),
                                                code=INVALID))

    def test_order_ids_and_tags_of_what_leaves(self):
        output = self.steps("""
  - block: $b
  - send: {from: $a, to: $b, n: 4, dscp: 8, ip_id: 7}
  - send: {from: $a, to: $b, n: 4, dscp: 46, ip_id: 9}
  - snap: full
  - unblock: $b
  - settle
  - expect_rx:
      - {port: $b, n: 4, where: {ip_id: 7}}
      - {port: $b, permille: 500, where: {queue: 5}, vs: full}
      - {port: $b, first: 1, n: 1}
      - {port: $b, n: 8, where: {size: 64}}
""")
        self.assertIn("PASS", output)
        output = self.steps("""
  - send: {from: $a, to: $b, n: 1, dscp: 8, ip_id: 7}
  - send: {from: $a, to: $b, n: 1, dscp: 46, ip_id: 9}
  - settle
  - expect_rx: {port: $b, order: [{ip_id: 7}, {ip_id: 9}]}
  - expect_rx: {port: $b, order: [{ip_id: 9}, {ip_id: 7}]}
""", code=FAILED)
        self.assertIn("failed at step 5 of 5", output)

    def test_flows_that_obey_lose_nothing(self):
        flows = """
  - peer: {port: Ethernet0, obeys: [%s]}
  - peer: {port: Ethernet4, obeys: [%s]}
  - flow: {name: one, from: Ethernet0, to: Ethernet8, dscp: 3, size: 1024}
  - flow: {name: two, from: Ethernet4, to: Ethernet8, dscp: 3, size: 1024}
  - run: {us: 500}
  - stop: [one, two]
  - settle
  - expect: {obj: flow one, stat: lost, "%s": 0}
  - expect: {obj: port Ethernet0, stat: if_in_discards, "%s": 0}
"""
        self.steps(flows % ("3, 4", "3, 4", "==", "=="))
        self.steps(flows % ("4", "4", ">", ">"))

    def test_latency_and_marks_are_columns(self):
        text = self.steps("""
  - flow: {name: one, from: $a, to: $b, dscp: 3, size: 1000, percent: 50, n: 500}
  - settle
  - snap: {name: end, show: [flow one, queue $b|3]}
  - expect: {obj: flow one, stat: received, ==: 500}
""")
        header = next(line for line in text.splitlines() if "P50 NS" in line)
        for column in ("SENT", "RECEIVED", "P99 NS", "MAX NS", "CE"):
            self.assertIn(column, header)
        row = next(line for line in text.splitlines()
                   if line.strip().startswith("flow one "))
        p50, p99, most = (int(word.replace(",", ""))
                          for word in row.split()[4:7])
        self.assertTrue(0 < p50 <= p99, row)
        self.assertLessEqual(p99, most * 1.04)

    def test_what_never_comes_is_reported(self):
        output = self.steps("""
  - wait_until: {obj: queue $b|0, stat: frames, ==: 1, limit_us: 50}
""", code=FAILED)
        self.assertIn("expected == 1, got 0", output)
        output = self.steps("""
  - flow: {name: f, from: $a, to: $b}
  - settle
""", code=INVALID)
        self.assertIn("an endless flow is running", output)


if __name__ == "__main__":
    unittest.main()

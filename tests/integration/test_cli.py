# SPDX-License-Identifier: Apache-2.0
"""orchctl and the control socket: the shipped example from loading to the
breakpoint test, wrong commands, and clients that mean no good."""

import concurrent.futures
import json
import os
import random
import re
import shutil
import socket
import subprocess
import threading
import unittest

from harness import (BESIDE, BUILD, CONFIG_DB, PATIENCE_S, REMOTE, SOURCE,
                     STATE_DB, VENDOR, System, as_commands, asic_objects,
                     needs_packets, needs_sai, once, rows_of, wait_until)

ORCHCTL = os.path.join(BUILD, "orchctl", "orchctl")
EXAMPLE = os.path.join(SOURCE, "examples", "leaf-32x100g.config_db.json")
XOFF = os.path.join(SOURCE, "examples", "breakpoint", "xoff.yaml")
# Where the parts of a switch in orchctl are, before they are installed: always
# the twin, whatever orchd itself is tested with.
HERMETIC = ("--sai", os.path.join(BUILD, ".libs", "libsai-softasic.so"),
            "--chips", os.path.join(SOURCE, "chips"),
            "--yang-dir", os.path.join(SOURCE, "schemas"))

DONE, NO, USAGE, UNREACHABLE = range(4)


class Cli(System):
    MODEL = None
    HWSKU = "Celestica-DX010-C32"

    def setUp(self):
        super().setUp()
        self.control = os.path.join(self.directory, "control.sock")

    def listens(self):
        """Whether orchd can be reached; its socket is there a bit earlier."""
        with socket.socket(socket.AF_UNIX) as connection:
            try:
                connection.connect(self.control)
            except OSError:
                return False
        return True

    def start(self):
        client = self.start_redis()
        self.start_orchd()
        wait_until(self.listens, "orchd listens")
        return client

    def ask(self, noun, verb, **arguments):
        return System.control(self, noun, verb, **arguments)

    def run_ctl(self, *words):
        return subprocess.run([ORCHCTL, "--control", self.control, *words],
                              capture_output=True, text=True, timeout=PATIENCE_S,
                              check=False)

    def ctl(self, *words, code=DONE):
        """What orchctl prints; it must exit with 'code'."""
        result = self.run_ctl(*words)
        self.assertEqual(result.returncode, code,
                         f"{words}: {result.stdout}{result.stderr}")
        self.assertNotIn("Sanitizer", result.stderr)
        return result.stdout

    def data(self, *words, code=DONE):
        return json.loads(self.ctl("--json", *words, code=code))

    def refuse(self, code, pattern, *words):
        """orchctl must exit with 'code' and complain in these words."""
        result = self.run_ctl(*words)
        self.assertEqual(result.returncode, code,
                         f"{words}: {result.stdout}{result.stderr}")
        self.assertRegex(result.stderr, pattern, f"{words}")

    def write(self, name, text):
        path = os.path.join(self.directory, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def load(self, config, *options, code=DONE):
        path = self.write("config.json", json.dumps(config))
        return self.data("config", "load", path, *options, code=code)

    def start_example(self):
        client = self.start()
        self.ctl("config", "load", EXAMPLE, "--wait")
        return client


class Output(unittest.TestCase):
    """What cannot be printed is not a success."""

    PLAN = ("headroom", "plan", "--model", "th", "4x100G@40m", *HERMETIC[2:4])

    @staticmethod
    def run_into(target, *words):
        with open(target, "w", encoding="utf-8") as output:
            return subprocess.run(words, stdout=output, stderr=subprocess.PIPE,
                                  text=True, timeout=PATIENCE_S, check=False)

    def test_a_full_disk_is_a_failure(self):
        orchd = os.path.join(BUILD, "orchd", "orchd")
        host = os.path.join(BUILD, "saihostd", "saihostd")
        # The help is shorter and longer than the buffer of stdio.
        for words in ([ORCHCTL, "--help"], [ORCHCTL, "--version"],
                      [orchd, "--help"], [orchd, "--version"],
                      [host, "--help"],
                      [ORCHCTL, *self.PLAN]):
            result = self.run_into("/dev/full", *words)
            self.assertEqual(result.returncode, NO, words)
            self.assertIn("No space left on device", result.stderr, words)
            self.assertEqual(self.run_into("/dev/null", *words).returncode,
                             DONE, words)

    def test_rows_that_cannot_be_written_are_a_failure(self):
        for path, reason in (("/dev/full", "No space left on device"),
                             ("/nowhere/x", "No such file or directory")):
            result = self.run_into(
                "/dev/null", ORCHCTL, *self.PLAN, "--emit", path)
            self.assertEqual(result.returncode, NO)
            self.assertIn(f"cannot write '{path}': {reason}", result.stderr)


@once
@needs_sai
class Status(Cli):
    """What orchd is and works on; above all, that the switch is none."""

    def check(self, client, chosen, warning=""):
        """All places say the same about the switch; its chip."""
        status = self.data("status")
        switch = status["switch"]
        self.assertTrue(switch["simulated"])
        self.assertEqual((switch["chosen"], switch["warning"]),
                         (chosen, warning))
        row = client.hash(STATE_DB, "ORCHD_SWITCH|global")
        self.assertEqual(row, {
            "kind": "SIMULATED", "library": switch["library"],
            "chip": switch["chip"], "chosen": chosen, "warning": warning})
        text = self.ctl("status")
        self.assertRegex(text, r"(?m)^Switch +SIMULATED, by .*softasic")
        self.assertRegex(text, rf"(?m)^Chip +{switch['chip']}, by {chosen}$")
        self.assertEqual("Warning" in text, bool(warning))
        self.assertIn("SIMULATED", self.log_text())
        self.assertEqual("chip-fallback" in self.log_text(), bool(warning))
        return switch["chip"]

    def test_the_page_has_everything(self):
        client = self.start()
        self.assertIsNone(self.data("status")["switch"])
        self.assertIn("none until CONFIG_DB", self.ctl("status"))
        self.ctl("config", "load", EXAMPLE, "--wait")
        self.assertEqual(self.check(client, "hwsku Celestica-DX010-C32"), "th")
        client.on(CONFIG_DB, "HSET", "FLEX_COUNTER_TABLE|PG_DROP",
                  "FLEX_COUNTER_STATUS", "enable", "POLL_INTERVAL", "2000")
        client.on(CONFIG_DB, "HSET", "BUFFER_POOL|x", "size", "many")
        self.run_ctl("config", "sync")
        status = self.data("show", "status")
        self.assertEqual(status["pid"], self.orchd_process.pid)
        self.assertGreaterEqual(status["uptime_seconds"], 0)
        self.assertTrue(status["redis"]["up"])
        self.assertEqual(status["rows"]["rejected"], 1)
        self.assertGreater(status["rows"]["applied"], 200)
        self.assertRegex(status["last_error"], r"^BUFFER_POOL\|x: ")
        self.assertIn({"group": "PG_DROP", "milliseconds": 2000},
                      status["counters"])
        self.assertEqual(status["watchdog"], {"queues": 0, "stormed": 0})
        text = self.ctl("status")
        self.assertEqual(text.count("\n"), self.ctl("show", "status").count(
            "\n"))
        for words in ("orchd +0", "Up +0 d 00:", "Redis +unix:.*, connected",
                      "Rows .*1 rejected", "Last error +BUFFER_POOL",
                      r"Counters .*PG_DROP \(2000 ms\)",
                      "Watchdog +0 queues watched, 0 in a storm"):
            self.assertRegex(text, "(?m)^" + words)
        self.stop_orchd()

    def check_fallback(self, hwsku, warning):
        client = self.start()
        row = "DEVICE_METADATA|localhost"
        client.on(CONFIG_DB, "HSET", row, "hwsku", hwsku)
        self.ctl("config", "sync")
        self.assertEqual(self.check(client, "default", warning), "generic")
        self.assertIn(f"Warning: {row}: {warning}",
                      self.ctl("config", "status"))
        self.stop_orchd()
        # Without orchd as well.
        path = self.write("x.json", json.dumps(
            {"DEVICE_METADATA": {"localhost": {"hwsku": hwsku}}}))
        for verb in ("plan", "lint"):
            result = self.run_ctl("config", verb, path, *HERMETIC)
            self.assertEqual(result.returncode, DONE, result.stderr)
            self.assertIn("warning: " + warning, result.stderr)
            self.assertEqual("", self.run_ctl(
                "config", verb, path, *HERMETIC, "--model", "th").stderr)

    def test_an_unknown_hwsku_is_a_warning_everywhere(self):
        self.check_fallback("Unheard-Of", "no chip file knows hwsku "
                            "Unheard-Of: the simulated chip is generic")

    def test_a_chip_without_a_file_is_named(self):
        self.check_fallback("montara", "no chip file describes the tofino of "
                            "hwsku montara: the simulated chip is generic")

    def test_a_host_of_a_switch_warns_as_well(self):
        for hwsku, warns in (("montara", True), ("Force10-Z9100-C32", False)):
            self.start_host("--profile", "SONIC_HWSKU=" + hwsku)
            self.assertEqual("no chip file describes the tofino of hwsku "
                             "montara: the simulated chip is generic"
                             in self.host_text(), warns)
            self.assertEqual("chip-fallback" in self.host_text(), warns)

    def test_a_chip_that_the_user_names_is_no_fallback(self):
        client = self.start_redis()
        self.start_orchd("--profile", "SOFTASIC_MODEL=td3")
        wait_until(lambda: "switch-identity" in self.log_text(), "a switch")
        client.on(CONFIG_DB, "HSET", "DEVICE_METADATA|localhost", "hwsku", "x")
        self.ctl("config", "sync")
        self.assertEqual(self.check(client, "SOFTASIC_MODEL=td3"), "td3")
        self.stop_orchd()

    def test_what_a_previous_switch_was_is_forgotten(self):
        client = self.start_redis()
        client.on(STATE_DB, "HSET", "ORCHD_SWITCH|global", "kind", "libsai")
        self.start_orchd()
        wait_until(lambda: not client.hash(STATE_DB, "ORCHD_SWITCH|global"),
                   "the stale row is gone")
        self.stop_orchd()


class Example(Cli):

    def test_applies_completely(self):
        self.start()
        loaded = self.data("config", "load", EXAMPLE, "--wait")
        self.assertEqual(loaded["rows"], [])
        self.assertEqual(loaded["counts"]["applied"], loaded["rows_written"])
        status = self.data("config", "status")
        self.assertEqual(status["rows"], [])
        self.assertTrue(status["redis"]["up"])
        self.assertIn("235 applied", self.ctl("config", "status"))
        self.assertEqual(self.data("show", "waiting"), {"waiting": []})
        self.stop_orchd()

    def test_is_shown_as_configured(self):
        self.start_example()
        ports = {p["name"]: p for p in self.data("show", "ports")["ports"]}
        self.assertEqual(len(ports), 32)
        port = ports["Ethernet4"]
        self.assertEqual(port["lanes"], [5, 6, 7, 8])
        self.assertEqual(port["speed"], 100000)
        self.assertEqual(port["pfc_mask"], 0b11000)
        if not BESIDE:  # orchagent does not set it.
            self.assertTrue(port["tx_enabled"])
        self.assertEqual(port["dscp_to_tc_map"], "AZURE")
        self.assertEqual(port["configured"]["alias"], "hundredGigE1/2")

        pools = {p["name"]: p for p in self.data("show", "pools")["pools"]}
        pool = pools["ingress_lossless_pool"]
        self.assertEqual((pool["size"], pool["xoff"]), (11648000, 4259840))
        self.assertEqual((pool["type"], pool["mode"]), ("ingress", "dynamic"))
        if not BESIDE:
            self.assertEqual(pool["stats"]["watermark_bytes"], 0)

        [profile] = self.data("show", "profiles",
                              "pg_lossless_100000_5m_profile")["profiles"]
        self.assertEqual(profile["pool"], "ingress_lossless_pool")
        self.assertEqual(profile["references"], 64)
        self.assertEqual(profile["dynamic_th"], -3)

        pgs = self.data("show", "pgs", "Ethernet8")["pgs"]
        self.assertEqual([(p["index"], p["profile"]) for p in pgs],
                         [(0, "ingress_lossy_profile"),
                          (3, "pg_lossless_100000_5m_profile"),
                          (4, "pg_lossless_100000_5m_profile")])
        self.assertEqual(
            len(self.data("show", "pgs", "Ethernet8", "--all")["pgs"]), 8)
        self.assertEqual(len(self.data("show", "queues")["queues"]), 32 * 7)

        maps = {m["type"]: m for m in self.data("show", "maps")["maps"]}
        self.assertEqual(len(maps["dscp_to_tc"]["entries"]), 64)
        self.assertIn({"from": 46, "to": 5}, maps["dscp_to_tc"]["entries"])
        self.assertEqual(maps["tc_to_priority_group"]["references"], 32)
        for noun in ("ports", "pools", "profiles", "pgs", "queues", "maps"):
            table = self.ctl("show", noun)
            self.assertRegex(table.splitlines()[0], r"^[A-Z]")
        self.refuse(NO, "there is no 'nix' on the ASIC", "show", "ports", "nix")

    @needs_packets
    def test_marks_are_a_column_of_ports_and_queues(self):
        client = self.start_example()
        client.on(CONFIG_DB, "HSET", "WRED_PROFILE|ecn", "ecn", "ecn_all",
                  "wred_green_enable", "true", "green_min_threshold", "100000",
                  "green_max_threshold", "300000", "green_drop_probability",
                  "100")
        client.on(CONFIG_DB, "HSET", "QUEUE|Ethernet4|3-4", "wred_profile",
                  "ecn")
        self.ctl("config", "sync")
        self.ctl("asic", "block", "Ethernet4")
        self.ctl("asic", "send", "--from", "Ethernet0", "--to", "Ethernet4",
                 "--dscp", "3", "--ecn", "--count", "1500")
        self.ctl("asic", "unblock", "Ethernet4")
        self.ctl("asic", "settle")
        ce = re.search(r"(?m)^ +3 +3 CE +(\d+) ",
                       self.ctl("asic", "received", "Ethernet4"))[1]
        self.assertGreater(int(ce), 0)
        lines = self.ctl("show", "ports", "--stats", "--sort",
                         "marks").splitlines()
        self.assertRegex(lines[0], r"^PORT +RX UNICAST .* MARKS$")
        self.assertRegex(lines[1], rf"^Ethernet4 .* 1,500 .* {ce}$")
        self.assertRegex(lines[2], r"^Ethernet.* 0$")
        for words in (("port", "Ethernet4"), ("queue", "Ethernet4|3")):
            header, row = self.ctl("asic", "snapshot", *words).splitlines()
            self.assertEqual(row[:header.index(" CE ") + 3].split()[-1], ce)
        self.stop_orchd()

    @needs_packets
    @unittest.skipUnless(shutil.which("gnuplot"), "gnuplot is not installed")
    def test_long_names_fit_beside_the_bars_of_a_picture(self):
        self.start()
        with open(EXAMPLE, encoding="utf-8") as file:
            config = file.read()
        self.load(json.loads(config.replace(
            "egress_lossy_pool", "egress_lossy_pool_of_the_storage_network")),
            "--wait")
        name = os.path.join(self.directory, "buffer.svg")
        self.ctl("show", "buffer", "--plot", name)
        with open(name, encoding="utf-8") as file:
            picture = file.read()
        for word in ("ingress_lossless_pool", "egress_los...e_network"):
            self.assertIn(word, picture)
        self.assertNotIn("of_the_storage", picture)
        self.stop_orchd()

    @needs_packets
    def test_the_buffer_as_bars(self):
        self.start_example()
        self.assertIn("All 64 lossless PGs are empty.",
                      self.ctl("show", "buffer"))
        self.ctl("asic", "block", "Ethernet4")
        self.ctl("asic", "send", "--from", "Ethernet0", "--to", "Ethernet4",
                 "--dscp", "3", "--until", "drop")
        data = self.data("show", "buffer", "Ethernet0")
        self.assertEqual(data["names"], self.data("show", "live", "Ethernet0")
                         ["names"])
        place = data["names"]["pgs"]["index"].index(3)
        pg = {key: value[place] for key, value in data["values"]["pgs"].items()}
        xoff = pg["used"] - pg["shared"] - pg["headroom"] + pg["threshold"]
        for locale, full, width in (("C.UTF-8", "█", 72), ("C", "#", 100),
                                    ("C", "#", 70)):
            environment = {**os.environ, "LC_ALL": locale, "TERM": "xterm",
                           "COLUMNS": str(width)}
            text = subprocess.run(
                [ORCHCTL, "--control", self.control, "show", "buffer",
                 "--plot"], capture_output=True, text=True, timeout=PATIENCE_S,
                check=True, env=environment).stdout
            self.assertRegex(text, rf"(?m)^  Ethernet0\|3 .*{full}.* "
                             rf"{pg['used']:,} +{xoff:,}" +
                             (rf" +{pg['headroom']:,}" if width > 70 else "") +
                             " XOFF$")
            self.assertRegex(text, rf"(?m)^  headroom +{full}.*{pg['headroom']:,}"
                             r" +\d+\.\d %$")
            self.assertLessEqual(max(map(len, text.splitlines())), width)
            self.assertNotIn("Ethernet8", text)
        self.refuse(USAGE, r"'x.jpg' is no format of pictures\n.*\.svg",
                    "show", "buffer", "--plot", "x.jpg")
        if shutil.which("gnuplot"):
            name = os.path.join(self.directory, "buffer.svg")
            self.assertEqual(self.ctl("show", "buffer", "--plot", name),
                             name + "\n")
            with open(name, encoding="utf-8") as file:
                picture = file.read()
            for word in ("Ethernet0|3", "ingress_lossless_pool", "headroom",
                         "Lossless PGs in use: 1 of 64"):
                self.assertIn(word, picture)
        self.stop_orchd()

    @needs_packets
    def test_breakpoint_holds_to_the_packet(self):
        self.start_example()
        for _ in range(2):
            output = self.ctl("breakpoint", "run", "--live", XOFF)
            self.assertIn("1,561 sent, PFC XOFF", output)
            self.assertIn("797 sent, 1 dropped at ingress", output)
            self.assertIn("PASS xoff", output)
        [run] = self.data("breakpoint", "run", "--live", XOFF)
        self.assertEqual(run["outcome"], "passed")
        sends = [s["result"] for s in run["steps"] if s["verb"] == "send"]
        self.assertEqual([s["sent"] for s in sends], [1561, 797])
        claims = [c for s in run["steps"] for c in s.get("claims", [])]
        self.assertTrue(claims)
        self.assertTrue(all(c["passed"] for c in claims))
        # A field that orchd would ignore is refused before.
        self.refuse(USAGE, r"has no field sise \(did you mean 'size'\?\)",
                    "breakpoint", "run", "--live", "--configure", XOFF,
                    "--param",
                    "row(BUFFER_POOL|ingress_lossless_pool).sise=1")
        self.stop_orchd()

    @needs_packets
    def test_probe_finds_what_the_scenario_knows(self):
        self.start_example()
        ports = ("--from", "Ethernet0", "--to", "Ethernet4")
        for place in (("--live",), (XOFF, *HERMETIC),
                      ("--config", EXAMPLE, "--chip", "th", *HERMETIC)):
            found = self.data("breakpoint", "probe", "xoff", *ports, *place)
            self.assertEqual((found["packets"], found["implied"]),
                             (1561, 1561))
            self.assertEqual(found["object"], "pg Ethernet0|3")
            # Six cells are guaranteed.
            self.assertEqual(found["at"], {"reserved_bytes": 6 * 208,
                                           "shared_bytes": 1555 * 208,
                                           "headroom_bytes": 0})
            trials = {t["packets"]: t["crossed"] for t in found["trials"]}
            self.assertEqual((trials[1560], trials[1561]), (False, True))
            found = self.data("breakpoint", "probe", "drop", *ports, *place)
            self.assertEqual(found["packets"], 1561 + 797)
        output = self.ctl("breakpoint", "probe", "xon", "--live", *ports,
                          "--other", "Ethernet8")
        self.assertIn("pauses at packet 1561", output)
        self.assertIn(": as found", output)
        # It leaves no trace.
        for name in ("Ethernet4", "Ethernet8"):
            [port] = self.data("show", "ports", name)["ports"]
            self.assertTrue(port["tx_enabled"])
        self.assertIn("PASS xoff",
                      self.ctl("breakpoint", "run", "--live", XOFF))
        self.refuse_probes(ports)
        self.stop_orchd()

    def refuse_probes(self, ports):
        """orchctl reports what it cannot find."""
        live = ("--live", *ports)
        for code, pattern, words in (
                (USAGE, "pg Ethernet0|0, which DSCP 0 maps to, is lossy",
                 ("xoff", "--dscp", "0", *live)),
                (NO, "100 packets from Ethernet0 to Ethernet4 do not reach the threshold",
                 ("xoff", "--limit", "100", *live)),
                (USAGE, "dropped at ingress before that",
                 ("egress-drop", *live)),
                (USAGE, "unknown threshold 'xof'", ("xof", *live)),
                (USAGE, "'64' is not a DSCP", ("xoff", "--dscp", "64", *live)),
                (USAGE, "xon needs a second port", ("xon", *live)),
                (USAGE, "at least two ports", ("headroom-pool", *live)),
                (USAGE, "a probe needs --from",
                 ("xoff", "--live", "--to", "Ethernet4")),
                (NO, "there is no port Ethernet5",
                 ("xoff", "--live", "--from", "Ethernet5", "--to",
                  "Ethernet4")),
                (USAGE, "FILE, --config FILE, or --live",
                 ("xoff", XOFF, *live)),
                (USAGE, "/nix", ("xoff", "--config", "/nix", *ports,
                                 *HERMETIC))):
            self.refuse(code, pattern, "breakpoint", "probe", *words)

    @needs_packets
    def test_breakpoint_leaves_no_access_list(self):
        client = self.start_example()
        path = self.write("acl.yaml", """
name: acl
steps:
  - acl: {port: Ethernet0, action: PACKET_ACTION=SAI_PACKET_ACTION_DROP}
  - send: {from: Ethernet0, to: Ethernet4, n: 3}
  - settle
  - expect_rx: {port: Ethernet4, n: 0}
""")
        for _ in range(2):
            self.ctl("breakpoint", "run", "--live", path)
            self.assertIn("PASS xoff",
                          self.ctl("breakpoint", "run", "--live", XOFF))
        self.assertFalse([kind for kind, _ in asic_objects(client).values()
                          if "ACL" in kind])
        self.stop_orchd()

    @needs_packets
    def test_breakpoint_follows_the_configuration(self):
        client = self.start_example()
        client.on(CONFIG_DB, "HSET",
                  "BUFFER_PROFILE|pg_lossless_100000_5m_profile",
                  "dynamic_th", "-2")
        self.ctl("config", "sync")
        output = self.ctl("breakpoint", "run", "--live", XOFF)
        self.assertIn("2,806 sent, PFC XOFF", output)
        with open(XOFF, encoding="utf-8") as file:
            text = file.read()
        text = re.sub("per_alpha: .*", "per_alpha: 8", text)
        text = re.sub("config: .*", "config: " + EXAMPLE, text)
        path = self.write("x.yaml", text)
        output = self.ctl("breakpoint", "run", "--live", path, code=NO)
        self.assertRegex(output, r"expected == 1561, got 2806\n")
        self.assertRegex(output, r"x\.yaml:\d+:\d+\n")
        self.assertIn("FAIL xoff: failed at step 6", output)
        # The port is not left blocked, and the buffer not full.
        [port] = self.data("show", "ports", "Ethernet4")["ports"]
        self.assertTrue(port["tx_enabled"])

    def test_a_bad_row_is_explained_and_harms_nothing(self):
        client = self.start_example()
        row = "BUFFER_PROFILE|egress_lossy_profile"
        client.on(CONFIG_DB, "HSET", row, "dynamic_th", "much")
        counts = self.data("config", "sync", code=NO)["counts"]
        self.assertEqual(counts["rejected"], 1)
        status = self.data("config", "status", code=NO)
        [bad] = status["rows"]
        self.assertEqual((bad["table"], bad["field"], bad["value"]),
                         ("BUFFER_PROFILE", "dynamic_th", "much"))
        self.assertTrue(bad["reason"])
        [full] = self.data("config", "status", row, code=NO)["rows"]
        self.assertEqual(full["fields"]["dynamic_th"], "3")
        text = self.ctl("config", "status", code=NO)
        self.assertIn(f"{row}: rejected", text)
        self.assertIn("1 row is not applied", self.ctl("show", "profiles"))
        # A unique beginning is enough.
        self.assertEqual(self.ctl("sh", "pr"), self.ctl("show", "profiles"))
        [fine] = self.data("config", "status",
                           "BUFFER_POOL|egress_lossy_pool")["rows"]
        self.assertEqual(fine["state"], "applied")
        self.refuse(NO, "no row", "config", "status", "BUFFER_POOL|nix")
        self.refuse(USAGE, "no table 'NIX'", "config", "status", "NIX")
        client.on(CONFIG_DB, "HSET", row, "dynamic_th", "2")
        self.assertEqual(self.data("config", "sync")["counts"]["rejected"], 0)

    def test_a_row_written_while_orchd_starts_is_of_the_call(self):
        client = self.start_redis()
        client.pipeline(as_commands(rows_of(EXAMPLE)))
        self.start_orchd()
        self.wait_log("redis-up")
        client.on(CONFIG_DB, "HSET", "BUFFER_QUEUE|Ethernet0|7", "profile",
                  "missing")
        [row] = self.data("config", "sync", code=NO)["rows"]
        self.assertEqual(row["key"], "Ethernet0|7")

    def test_a_load_while_orchd_starts_is_not_of_the_next_call(self):
        client = self.start_redis()
        self.start_orchd()
        self.wait_log("redis-up")
        self.ctl("config", "load", EXAMPLE, "--wait")
        client.on(CONFIG_DB, "HSET", "SCHEDULER|s", "type", "STRICT")
        self.assertEqual(self.data("config", "sync")["rows_changed"], 1)

    def test_sync_fails_for_rows_of_this_call_only(self):
        client = self.start_example()
        waiting = "BUFFER_QUEUE|Ethernet0|7"
        client.on(CONFIG_DB, "HSET", waiting, "profile", "missing")
        # Asked again, the answer is the same.
        for _ in range(2):
            answer = self.data("config", "sync", code=NO)
            [row] = answer["rows"]
            self.assertEqual((row["key"], row["state"]),
                             ("Ethernet0|7", "waiting"))
            self.assertEqual(answer["rows_changed"], 1)
        self.refuse(NO, "1 row is not applied", "config", "sync")
        # It is no concern of who writes another row.
        before = answer["generation"]
        client.on(CONFIG_DB, "HSET", "SCHEDULER|s", "type", "STRICT")
        answer = self.data("config", "sync")
        self.assertEqual((answer["rows"], answer["rows_changed"],
                          answer["others_not_applied"]), ([], 1, 1))
        self.assertEqual(answer["counts"]["waiting"], 1)
        self.assertIn("Not applied, and unchanged since before: 1 row",
                      self.ctl("config", "sync"))
        self.refuse(NO, "1 row is not applied", "config", "sync", "--all")
        # A rejected row, for which there is no plan, is a change as well.
        client.on(CONFIG_DB, "HSET", "SCHEDULER|s", "type", "none")
        self.refuse(NO, "1 row is not applied", "config", "sync")
        # Removals are changes, too.
        client.on(CONFIG_DB, "DEL", "BUFFER_PG|Ethernet0|0")
        self.ctl("config", "sync")
        # Other clients do not matter to one that knows where it began.
        self.assertEqual([row["table"] for row in self.data(
            "config", "sync", "--since-generation", str(before), code=NO)
                          ["rows"]], ["SCHEDULER"])
        newest = self.data("config", "sync")["generation"]
        self.ctl("config", "sync", "--since-generation", str(newest))
        self.refuse(NO, f"does not exist yet; the newest is {newest}",
                    "config", "sync", "--since-generation", str(newest + 1))

    def test_sync_after_a_load(self):
        self.start_example()
        bad = {"BUFFER_QUEUE": {"Ethernet0|7": {"profile": "missing"}}}
        # A load that waits has answered.
        self.load(bad, "--wait", code=NO)
        self.ctl("config", "sync")
        # One that does not leaves that to sync.
        bad["BUFFER_QUEUE"]["Ethernet0|7"]["profile"] = "other"
        self.load(bad)
        self.refuse(NO, "1 row is not applied", "config", "sync")

    def test_rows_that_orchd_found_are_of_no_call(self):
        client = self.start_example()
        client.on(CONFIG_DB, "HSET", "BUFFER_QUEUE|Ethernet0|7", "profile",
                  "missing")
        self.stop_orchd()
        self.start_orchd()
        wait_until(self.listens, "orchd listens")
        self.assertEqual(self.data("config", "sync")["others_not_applied"], 1)
        self.ctl("config", "sync", "--all", code=NO)

    def test_removals_that_are_held_back_are_reported_once(self):
        client = self.start()
        client.on(CONFIG_DB, "HSET", "DEVICE_METADATA|localhost", "hwsku",
                  self.HWSKU)
        for name in "ab":
            client.on(CONFIG_DB, "HSET", f"BUFFER_POOL|{name}", "type",
                      "egress", "mode", "static", "size", "1000000")
        self.ctl("config", "sync")
        for name in "ab":
            client.on(CONFIG_DB, "DEL", f"BUFFER_POOL|{name}")
            self.refuse(NO, "stays? in force: CONFIG_DB has no PORT rows",
                        "config", "sync")
            self.ctl("config", "sync")
            client.on(CONFIG_DB, "HSET", "SCHEDULER|s", "type", "STRICT",
                      "weight", str(ord(name)))
            self.ctl("config", "sync")
        self.refuse(NO, "2 rows were removed", "config", "sync", "--all")
        self.assertIn("Removals are postponed", self.ctl("config", "status",
                                                         code=NO))
        self.ctl("config", "resume")
        self.ctl("config", "sync", "--all")

    def test_wait_for_a_row(self):
        client = self.start_example()
        row = "BUFFER_QUEUE|Ethernet0|7"
        self.assertIn(f"{row}: applied", self.waited(row, lambda: (
            client.on(CONFIG_DB, "HSET", row, "profile", "late"),
            client.on(CONFIG_DB, "HSET", "BUFFER_PROFILE|late", "pool",
                      "egress_lossy_pool", "size", "0", "dynamic_th", "1"))))
        self.ctl("config", "wait", row)
        self.refuse(NO, "CONFIG_DB still has no row SCHEDULER.x", "config",
                    "wait", "SCHEDULER|x", "--timeout", "1")
        client.on(CONFIG_DB, "HSET", row, "profile", "later")
        self.refuse(NO, "is still not applied: .*BUFFER_PROFILE.later", "config", "wait",
                    row, "--timeout", "1")
        # What is wrong remains so.
        client.on(CONFIG_DB, "HSET", "SCHEDULER|x", "type", "none")
        self.assertIn("SCHEDULER|x: rejected",
                      self.ctl("config", "wait", "SCHEDULER|x", code=NO))
        self.refuse(USAGE, "use 'TABLE.KEY'", "config", "wait", "SCHEDULER")
        self.refuse(USAGE, "no table 'PRT'.*mean 'PORT'", "config", "wait",
                    "PRT|Ethernet0")
        self.refuse(NO, "no row PORT.Ethernet99 .*mean 'Ethernet9", "config",
                    "wait", "PORT|Ethernet99", "--timeout", "1")

    def waited(self, row, do):
        """What orchctl prints that waits for a row while do() is done."""
        with subprocess.Popen([ORCHCTL, "--control", self.control, "config",
                               "wait", row], stdout=subprocess.PIPE,
                              text=True) as process:
            do()
            output = process.communicate(timeout=PATIENCE_S)[0]
        self.assertEqual(process.returncode, DONE)
        return output

    @needs_sai
    def test_what_this_version_does_nothing_with_is_named(self):
        client = self.start_example()
        client.on(CONFIG_DB, "HSET", "SYSTEM_PORT|lc1|asic0|Ethernet0",
                  "system_port_id", "1", "switch_id", "0", "core_index", "0",
                  "core_port_index", "1", "speed", "100000", "num_voq", "8")
        client.on(CONFIG_DB, "HSET", "FLEX_COUNTER_TABLE|ACL",
                  "POLL_INTERVAL", "1000")
        self.ctl("config", "sync")
        # The rows of the same tables that are applied do not hide them.
        client.on(CONFIG_DB, "HSET", "FLEX_COUNTER_TABLE|QUEUE",
                  "POLL_INTERVAL", "1000")
        self.ctl("config", "sync")
        self.assertIn("Not supported by this version: "
                      "SYSTEM_PORT|lc1|asic0|Ethernet0, "
                      "FLEX_COUNTER_TABLE|ACL.",
                      self.ctl("config", "status"))
        client.on(CONFIG_DB, "HSET", "FLEX_COUNTER_TABLE|ROUTE",
                  "POLL_INTERVAL", "1000")
        self.ctl("config", "sync")
        self.assertIn(", FLEX_COUNTER_TABLE (2).", self.ctl("config", "status"))

    def test_a_typing_error_in_a_field_is_pointed_out(self):
        client = self.start_example()
        client.on(CONFIG_DB, "HSET", "BUFFER_POOL|egress_lossy_pool", "sise",
                  "5")
        for name in ("one", "two"):
            client.on(CONFIG_DB, "HSET", f"SCHEDULER|{name}",
                      "weight", "5", "priority", "1")
        self.data("config", "sync")
        text = self.ctl("config", "status")
        self.assertIn("Warning: BUFFER_POOL|egress_lossy_pool: "
                      "unknown-field sise", text)
        self.assertIn("Warning: 2 rows of SCHEDULER: "
                      "unsupported-field priority", text)


class Load(Cli):

    METADATA = {"DEVICE_METADATA": {"localhost": {"hwsku": "example"}}}

    def test_values_become_what_sonic_would_have_stored(self):
        client = self.start()
        self.load({"ANY": {"row": {"text": "a b", "whole": 12, "real": 1.5,
                                   "list": ["x", 3], "none": []},
                           "bare": {}}})
        self.assertEqual(client.hash(CONFIG_DB, "ANY|row"),
                         {"text": "a b", "whole": "12", "real": "1.5",
                          "list@": "x,3", "none@": ""})
        self.assertEqual(client.hash(CONFIG_DB, "ANY|bare"), {"NULL": "NULL"})

    def test_merges_unless_it_is_to_replace(self):
        client = self.start()
        self.load(self.METADATA)
        self.load({"A": {"1": {"x": "1"}, "2": {"x": "1"}}})
        self.load({"A": {"1": {"y": "2"}}})
        self.assertEqual(client.hash(CONFIG_DB, "A|1"), {"x": "1", "y": "2"})
        self.assertEqual(client.keys(CONFIG_DB, "*|*"),
                         ["A|1", "A|2", "DEVICE_METADATA|localhost"])
        self.load({"A": {"1": {"y": "3"}}}, "--replace")
        self.assertEqual(client.hash(CONFIG_DB, "A|1"), {"y": "3"})
        self.assertEqual(client.keys(CONFIG_DB, "*|*"), ["A|1"])

    def test_with_wait_the_answer_is_about_these_rows(self):
        self.start()
        pool = {"type": "ingress", "mode": "dynamic", "size": "1000000"}
        loaded = self.load({**self.METADATA, "BUFFER_POOL": {"p": pool}},
                           "--wait")
        self.assertEqual(loaded["counts"]["applied"], 2)
        loaded = self.load({"BUFFER_PROFILE": {
            "q": {"pool": "nix", "size": "0", "dynamic_th": "0"}}}, "--wait",
            code=NO)
        [row] = loaded["rows"]
        self.assertEqual(row["state"], "waiting")
        self.assertIn("BUFFER_POOL|nix", row["blocked_by"])
        [waits] = self.data("show", "waiting")["waiting"]
        self.assertEqual(waits["key"], "q")
        # Others' trouble is not this file's.
        self.load({"BUFFER_POOL": {"p": pool}}, "--wait")

    def test_files_that_are_wrong_change_nothing(self):
        client = self.start()
        for text, pattern in (
                ('{"A":\n {"b": }}', r":2:\d+: "),
                ('[1]', r":1:1: expected an object of tables"),
                ('{"A": 1}', "'A' has to be the name of a table"),
                ('{"A|B": {}}', r"'A\|B' has to be the name of a table"),
                ('{"A": {"b": 1}}', r"A\|b must be a JSON object of fields"),
                ('{"A": {"": {}}}', "empty key"),
                ('{"A": {"b": {"c": true}}}', r"A\|b: the value of 'c'"),
                ('{"A": {"b": {"c": [[1]]}}}', r"A\|b: the value of 'c'"),
                ('{"A": {"b": {"x": "1"}, "c": {"y": null}}}',
                 r"A\|c: the value of 'y'"),
                ('{"A": {"b": {"x": "1", "x": "2"}}}', "duplicate")):
            path = self.write("bad.json", text)
            self.refuse(USAGE, pattern, "config", "load", path)
        self.refuse(USAGE, "/nix", "config", "load", "/nix")
        self.assertEqual(client.keys(CONFIG_DB, "*"), [])

    @once
    def test_without_redis_it_says_so(self):
        self.start()
        self.ctl("config", "sync")
        self.kill_redis()
        path = self.write("config.json", json.dumps(self.METADATA))
        self.refuse(NO, "(?i)redis", "config", "load", path)
        self.stop_orchd()


class Asic(Cli):

    @needs_packets
    def test_traffic_by_hand(self):
        self.start_example()
        send = ("asic", "send", "--from", "Ethernet0", "--to", "Ethernet4",
                "--dscp", "3")
        self.ctl("asic", "block", "Ethernet4", "Ethernet8")
        sent = self.data(*send, "--count", "100", "--size", "300")
        self.assertEqual((sent["sent"], sent["pg"], sent["queue"]),
                         (100, 3, 3))
        [pg] = self.data("asic", "snapshot", "pg", "Ethernet0.3")["objects"]
        self.assertEqual(pg["stats"]["curr_occupancy_cells"], 200)
        table = self.ctl("asic", "snapshot")
        self.assertIn("pg Ethernet0|3", table)
        self.assertNotIn("pg Ethernet0|4", table)
        # One name for a group, and others are understood.
        for name in ("Ethernet0|3", "Ethernet0:3", "Ethernet0.3"):
            self.assertEqual(self.data("asic", "snapshot", "pg", name)[
                "objects"][0]["index"], 3)
            self.assertEqual(
                [(pg["name"], pg["index"])
                 for pg in self.data("show", "pgs", name)["pgs"]],
                [("Ethernet0", 3)])
            [line] = [line.split()[0] for line in self.ctl(
                "show", "queues", name).splitlines()[1:]]
            self.assertEqual(line, "Ethernet0|3")
        self.refuse(NO, r"no 'Ethernet0\|99' on the ASIC", "show", "pgs",
                    "Ethernet0:99")
        sent = self.data(*send, "--until", "drop", "--limit", "10")
        self.assertEqual((sent["sent"], sent["reached"]), (10, False))
        self.ctl("asic", "unblock", "Ethernet4", "Ethernet8")
        self.assertEqual(self.data("asic", "settle")["transmitted"], 110)
        [row] = self.data("asic", "received", "Ethernet4")
        self.assertEqual((row["frames"], row["dscp"]), (110, 3))
        self.assertEqual(self.data("asic", "received", "Ethernet4"), [])
        self.ctl("asic", "clear", "pg", "Ethernet0.3")
        [pg] = self.data("asic", "snapshot", "pg", "Ethernet0.3")["objects"]
        self.assertEqual(pg["stats"]["shared_watermark_bytes"], 0)
        before = self.data("asic", "run", "--us", "1")["now_ps"]
        after = self.data("asic", "run", "--ms", "1", "--ns", "5")["now_ps"]
        self.assertEqual(after - before, 1000005 * 1000)
        for words, pattern in (
                (("asic", "block", "Ethernet4", "nix"), "no port nix"),
                (("asic", "snapshot", "pool", "nix"), "no pool nix"),
                (("asic", "snapshot", "queue", "Ethernet4.99"), r"no queue Ethernet4\|99"),
                (("asic", "received", "nix"), "no port nix")):
            self.refuse(NO, pattern, *words)
        [port] = self.data("show", "ports", "Ethernet4")["ports"]
        self.assertTrue(port["tx_enabled"])

    @needs_packets
    def test_a_long_send_does_not_keep_others_waiting(self):
        self.start_example()
        with subprocess.Popen(
                [ORCHCTL, "--control", self.control, "asic", "send", "--from",
                 "Ethernet0", "--to", "Ethernet4", "--count", "2000000"],
                stdout=subprocess.PIPE) as sender:
            answered = 0
            while sender.poll() is None:
                self.ctl("config", "status")
                answered += 1
            self.assertIn(b"Sent 2,000,000", sender.stdout.read())
        self.assertGreater(answered, 3)

    @needs_packets
    def test_a_snapshot_is_of_one_moment(self):
        """Frames that enter at the first port stay in the queues of the last
        one, or are counted as dropped: in every snapshot none is missing."""
        self.start_example()
        self.ctl("asic", "block", "Ethernet124")
        send = {"from": "Ethernet0", "to": "Ethernet124", "dscp": 3,
                "count": 20000, "size": 300}
        clear = [{"kind": "pg", "name": "Ethernet0", "index": i}
                 for i in range(8)] * 40
        enough = threading.Event()

        def busy(verb, **arguments):
            """Asks for it again and again, and returns the last answer."""
            while True:
                answer = self.ask("asic", verb, **arguments)
                if enough.is_set() or answer["exit"] != DONE:
                    return answer

        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            sent = pool.submit(busy, "send", **send)
            cleared = pool.submit(busy, "clear", objects=clear)
            held = set()
            try:
                while len(held) < 20 and not sent.done():
                    answer = self.ask("asic", "snapshot")
                    ports = {o["name"]: o["stats"]
                             for o in answer["data"]["objects"]
                             if o["kind"] == "port"}
                    first = ports.get("Ethernet0", {"rx_frames": 0})
                    last = ports.get("Ethernet124",
                                     {"queued": 0, "tx_dropped": 0})
                    self.assertEqual(
                        first["rx_frames"], first.get("rx_dropped", 0) +
                        last["queued"] + last["tx_dropped"])
                    held.add(answer["data"]["now_ps"])
            finally:
                enough.set()
        self.assertEqual(sent.result()["data"]["sent"], 20000)
        self.assertEqual(cleared.result()["exit"], DONE)
        self.assertEqual(len(held), 20)

    @needs_packets
    def test_a_reader_of_a_moment_may_vanish(self):
        self.start_example()
        for _ in range(20):
            with socket.socket(socket.AF_UNIX) as connection:
                connection.connect(self.control)
                connection.sendall(b'{"noun": "asic", "verb": "snapshot"}\n')
        self.assertEqual(self.ask("asic", "run", ns=1000)["exit"], DONE)
        self.assertEqual(self.ask("asic", "snapshot")["exit"], DONE)

    @unittest.skipIf(VENDOR == "softasic", "softasic has packets")
    def test_without_packets_it_says_so(self):
        self.start_example()
        send = ("asic", "send", "--from", "Ethernet0", "--to", "Ethernet4",
                "--count", "1")
        for words in (send, ("asic", "settle"), ("asic", "run", "--us", "1"),
                      ("asic", "received", "Ethernet4")):
            result = self.run_ctl(*words)
            self.assertEqual(result.returncode, NO, words)
            self.assertRegex(result.stdout + result.stderr,
                             "libsai.*not softasic.*cannot send packets",
                             words)
        self.refuse(USAGE, r"xoff\.yaml:\d+:\d+: in cell: the chip is "
                    "unknown: it is not softasic", "breakpoint", "run",
                    "--live", XOFF)
        # What any ASIC can do, this one does.
        self.ctl("asic", "block", "Ethernet4")
        [port] = self.data("show", "ports", "Ethernet4")["ports"]
        self.assertFalse(port["tx_enabled"])
        self.ctl("asic", "unblock", "Ethernet4")
        [pg] = self.data("asic", "snapshot", "pg", "Ethernet0.3")["objects"]
        self.assertEqual(pg["stats"]["shared_watermark_bytes"], 0)
        # The same of a scenario, whose time is that of the clock.
        steps = """
steps:
  - block: Ethernet4
  - cfg: {BUFFER_PROFILE|pg_lossless_100000_5m_profile: {dynamic_th: 0}}
  - clear_wm: pg Ethernet0|3
  - run: {us: 10}
  - expect: {obj: pg Ethernet0|3, stat: shared_watermark_bytes, ==: 0}
"""
        path = self.write("x.yaml", steps)
        self.assertIn("PASS x", self.ctl("breakpoint", "run", "--live", path))
        for verb in ("send: {from: Ethernet0, to: Ethernet4, n: 1}", "settle",
                     "peer: {port: Ethernet0, obeys: [3]}",
                     "flow: {name: f, from: Ethernet0, to: Ethernet4}",
                     "storm: {port: Ethernet0, prios: [3]}"):
            path = self.write("x.yaml", f"{steps}  - {verb}\n")
            output = self.ctl("breakpoint", "run", "--live", path, code=NO)
            self.assertRegex(output, r"not softasic, or is that of another "
                                   r"build: it cannot send packets or "
                                   r"stop time\n +at .*x\.yaml:8:5\n")
        [port] = self.data("show", "ports", "Ethernet4")["ports"]
        self.assertTrue(port["tx_enabled"])
        self.stop_orchd()

    @unittest.skipIf(REMOTE, "softasicd knows which switch it is")
    @needs_sai
    def test_before_there_is_an_asic(self):
        self.start()
        for words in (("show", "ports"), ("asic", "settle"),
                      ("asic", "snapshot"), ("asic", "block", "x"),
                      ("breakpoint", "run", "--live", XOFF)):
            result = self.run_ctl(*words)
            self.assertEqual(result.returncode, NO, words)
            self.assertIn("not initialized", result.stdout + result.stderr)
        # A pool does not tell which switch this is, so it is not applied.
        path = self.write("pool.json", json.dumps({"BUFFER_POOL": {"p": {
            "type": "ingress", "mode": "dynamic", "size": "1000000"}}}))
        self.refuse(NO, "no switch yet", "config", "load", path, "--wait")


class Usage(Cli):

    def test_wrong_commands_say_what_is_allowed(self):
        bad = self.write("bad.yaml", "steps:\n  - jump: 1\n")
        for pattern, *words in (
                ("the noun is missing", ),
                ("unknown noun 'nix'\n  allowed: config, show", "nix"),
                ("^orchctl: unable to open /nix: No such file", "asic", "diff",
                 "/nix", "/nix"),
                ("verb is missing after 'show'\n  allowed: buffer, drops, env, live",
                 "show"),
                ("verb is missing after 'show'", "sh"),
                ("'s' is ambiguous\n  allowed: show, sai, sweep\n", "s", "ports"),
                ("'show po' is ambiguous\n  allowed: pools, ports\n",
                 "sh", "po"),
                ("show has no verb 'portsx'", "sh", "portsx"),
                ("verb is missing after 'show'", "sh", ""),
                ("config has no verb 'nix'\n  allowed: diff, explain, history", "config", "nix"),
                (r"config has no verb 'explian' \(did you mean 'explain'\?\)",
                 "config", "explian"),
                (r"unknown noun 'Config' \(did you mean 'config'\?\)",
                 "Config", "status"),
                (r"unknown option --form \(did you mean '--from'\?\)", "asic",
                 "send", "--form", "a"),
                ("needs FILE", "config", "load"),
                (r"takes \[PORT\], not 'b'", "show", "ports", "a", "b"),
                ("takes no operands", "config", "sync", "x"),
                ("unknown option --nix\n  allowed: --from", "asic", "send",
                 "--nix"),
                ("write it behind the verb; these have it: config lint, "
                 "config plan, config rollback, breakpoint probe",
                 "--yang-dir", "x", "config", "lint", "y"),
                ("unknown option --nix\n  allowed: --control.*\n"
                 "  remedy: see orchctl --help", "--nix"),
                ("--from needs a value: PORT", "asic", "send", "--from"),
                ("needs --to PORT", "asic", "send", "--from", "a"),
                ("either --count N or --until", "asic", "send", "--from", "a",
                 "--to", "b"),
                ("either --count N or --until", "asic", "send", "--from", "a",
                 "--to", "b", "--count", "1", "--until", "drop"),
                (r"--dscp must be a whole number in 0\.\.63, not '64'",
                 "asic", "send", "--dscp", "64"),
                ("xoff or drop, not 'nix'", "asic", "send", "--from", "a",
                 "--to", "b", "--until", "nix"),
                ("two words", "asic", "snapshot", "pg"),
                ("'pgs' is not a kind", "asic", "snapshot", "pgs", "a.1"),
                ("expected pg 'PORT.INDEX'", "asic", "snapshot", "pg", "a"),
                ("needs --ms N, --us N or --ns N", "asic", "run"),
                ("--json takes no value", "show", "ports", "--json=1"),
                (r"bad\.yaml:2:5: a step has no key 'jump'", "breakpoint",
                 "run", bad, *HERMETIC),
                ("cannot read '/nix", "breakpoint", "run", "/nix")):
            self.refuse(USAGE, pattern, *words)

    def test_tables_that_orchd_does_not_read_are_named(self):
        client = self.start_example()
        path = os.path.join(self.directory, "misspelt.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"BUFFER_POL": {"p": {"size": "1"}},
                       "NTP_SERVER": {"a": {}, "b": {}}}, file)
        named = [r"Warning: orchd has no table BUFFER_POL \(1 row\): did you "
                 r"mean BUFFER_POOL\?\n",
                 r"Tables that orchd does not read: NTP_SERVER \(2 rows\)\.\n"]
        for text in (self.ctl("config", "load", path),
                     self.ctl("config", "load", path, "--wait"),
                     self.ctl("config", "status")):
            for pattern in named:
                self.assertRegex(text, pattern)
        self.assertIn("Wrote 3 rows of 2 tables",
                      self.ctl("config", "load", path))
        client.on(CONFIG_DB, "HSET", "buffer_pg|Ethernet0|3", "profile", "x")
        client.on(CONFIG_DB, "DEL", "BUFFER_POL|p")
        text = self.ctl("config", "status")
        self.assertIn("no table buffer_pg (1 row): did you mean BUFFER_PG?",
                      text)
        self.assertNotIn("BUFFER_POL", text)

    def test_misspelt_references_and_fields_are_corrected(self):
        client = self.start_example()
        client.on(CONFIG_DB, "HSET", "BUFFER_PROFILE|p", "pool",
                  "ingress_losless_pool", "size", "0", "dynamic_th", "1")
        client.on(CONFIG_DB, "HSET", "BUFFER_PG|ethernet0|7", "profile",
                  "ingress_lossy_profile")
        client.on(CONFIG_DB, "HSET", "BUFFER_PROFILE|q", "pool",
                  "ingress_lossless_pool", "size", "0", "dynamic_th", "1",
                  "Xoff_Size", "2", "Dynamic_th", "3")
        client.on(CONFIG_DB, "HSET", "FLEX_COUNTER_TABLE|Queue",
                  "FLEX_COUNTER_STATUS", "enable")
        client.on(CONFIG_DB, "HSET", "PORT_QOS_MAP|Global", "dscp_to_tc_map",
                  "AZURE")
        client.on(CONFIG_DB, "HSET", "BUFFER_POOL|r", "type", "Ingress",
                  "mode", "dynamic", "size", "1")
        self.run_ctl("config", "sync")
        text = self.ctl("config", "status", code=NO)
        for part in (
                "BUFFER_POOL|ingress_losless_pool does not exist (did you mean "
                "'ingress_lossless_pool'?)",
                "PORT|ethernet0 does not exist (did you mean 'Ethernet0'?)",
                "is Queue, in the wrong case (did you mean 'QUEUE'?)",
                "is Global, in the wrong case (did you mean 'global'?)",
                "unknown-field Dynamic_th (did you mean 'dynamic_th'?)",
                "not one of the allowed words (did you mean 'ingress'?)"):
            self.assertIn(part, text)

    def test_misspelt_names_are_corrected(self):
        self.start_example()
        for pattern, *words in (
                (r"there is no 'Ethernet99' on the ASIC \(did you mean "
                 r"'Ethernet92'\?\)\n  allowed: Ethernet92, Ethernet96, .*"
                 r"Ethernet\d+, \.\.\.\n", "show", "ports", "Ethernet99"),
                (r"no 'ethernet4' .*mean 'Ethernet4'", "show", "pgs",
                 "ethernet4"),
                (r"no 'egress_losy_pool' .*mean 'egress_lossy_pool'", "show",
                 "pools", "egress_losy_pool"),
                (r"no row BUFFER_PG.Ethernet0.34 .*mean 'Ethernet0.3-4'",
                 "config", "explain", "BUFFER_PG|Ethernet0|34"),
                (r"no row PORT.ethernet0 .*mean 'Ethernet0'", "config",
                 "status", "PORT|ethernet0"),
                (r"no counters of 'Ethernet400'.*mean 'Ethernet40'", "show",
                 "drops", "Ethernet400")):
            self.refuse(NO, pattern, *words)
        for pattern, *words in (
                (r"no table 'BUFFER_POL' .*mean 'BUFFER_POOL'.*", "config",
                 "status", "BUFFER_POL"),
                (r"no table 'buffer_pg' .*mean 'BUFFER_PG'", "config",
                 "explain", "buffer_pg|Ethernet0|3")):
            self.refuse(USAGE, pattern, *words)

    def test_log_levels_change_at_run_time(self):
        self.start_example()
        levels = {level["module"]: level["level"]
                  for level in self.data("log", "level")["levels"]}
        self.assertEqual(levels, dict.fromkeys(
            ("daemon", "redis", "publish", "counters", "watchdog", "sai"),
            "info"))
        text = self.ctl("log", "level", "redis", "debug")
        self.assertRegex(text, r"redis +debug")
        self.assertRegex(text, r"sai +info")
        for pattern, *words in (
                ("no module 'reddis' .did you mean 'redis'", "reddis", "info"),
                ("allowed: daemon, redis", "nix", "info"),
                ("no level 'warning' .did you mean 'warn'", "redis",
                 "warning"),
                ("takes MODULE LEVEL, or nothing", "redis")):
            self.refuse(USAGE, pattern, "log", "level", *words)
        self.assertRegex(self.ctl("log", "level"), r"redis +debug")

    def test_no_orchd_on_the_socket(self):
        for words in (("show", "ports"), ("config", "load", EXAMPLE),
                      ("breakpoint", "run", "--live", XOFF)):
            self.refuse(UNREACHABLE,
                        re.escape(self.control) + r".*\n.*orchd --redis spawn",
                        *words)

    def test_every_command_has_help(self):
        text = self.ctl("--help")
        verbs = re.findall(r"^  ([a-z]+) ([a-z]+) ", text, re.MULTILINE)
        self.assertGreater(len(verbs), 15)
        for words in verbs:
            output = self.ctl(*words, "--help")
            self.assertIn(f"{words[0]} {words[1]}", output.splitlines()[0])
        self.assertIn("orchctl", self.ctl("--version"))


class Socket(Cli):
    """Clients that speak to the socket themselves."""

    def dial(self):
        client = socket.socket(socket.AF_UNIX)
        client.settimeout(PATIENCE_S)
        client.connect(self.control)
        self.addCleanup(client.close)
        return client

    def ask(self, line):
        """The answer to one line, {} if the connection ends instead."""
        client = self.dial()
        with client.makefile("rwb") as file:
            file.write(line + b"\n")
            file.flush()
            answer = file.readline()
        client.close()
        return json.loads(answer) if answer else {}

    def test_requests_that_make_no_sense(self):
        self.start_example()
        for request, code in (
                (b"", "json"), (b"x", "json"), (b"[]", "usage"),
                (b"{}", "usage"), (b'{"noun": 1, "verb": 2}', "usage"),
                (b'{"noun": "nix", "verb": "x"}', "usage"),
                (b'{"noun": "asic", "verb": "x"}', "usage"),
                (b'{"noun": "asic", "verb": "settle", "args": []}', "usage"),
                (b'{"noun": "asic", "verb": "settle", "args": {"a": 1}}',
                 "usage"),
                (b'{"noun": "asic", "verb": "block"}', "usage"),
                (b'{"noun": "asic", "verb": "block", "args": {"ports": 1}}',
                 "usage"),
                (b'{"noun": "asic", "verb": "block", "args": {"ports": [1]}}',
                 "usage"),
                (b'{"noun": "asic", "verb": "run", "args": {"ns": -1}}',
                 "usage"),
                (b'{"noun": "asic", "verb": "snapshot", "args": '
                 b'{"objects": [1, {}]}}', "usage"),
                (b'{"noun": "asic", "verb": "snapshot", "args": {"objects": '
                 b'[{"kind": "pg", "name": "Ethernet0", "index": -1}]}}',
                 "usage"),
                (b'{"noun": "asic", "noun": "asic", "verb": "settle"}',
                 "json"),
                (b'{"noun": "\xff\xfe", "verb": "x"}', "json"),
                (b"[" * 100000, "json")):
            answer = self.ask(request)
            self.assertEqual(answer["exit"], USAGE, request[:60])
            self.assertEqual(answer["error"]["code"], code, request[:60])

    def test_garbage_and_huge_lines_never_harm(self):
        self.start_example()
        pid = self.orchd_process.pid
        chance = random.Random(5)
        for _ in range(30):
            client = self.dial()
            try:
                client.sendall(chance.randbytes(chance.randrange(20000)))
            except OSError:
                pass
            client.close()
        requests = [
            b'{"noun": "asic", "verb": "send", "args": {"from": "Ethernet0", '
            b'"to": "Ethernet4", "count": 5, "dscp": 3}}',
            b'{"noun": "config", "verb": "status", "args": {"row": "PORT"}}',
            b'{"noun": "show", "verb": "pgs", "args": {"name": "Ethernet0"}}']
        for _ in range(300):
            line = bytearray(chance.choice(requests))
            for _ in range(chance.randrange(1, 4)):
                line[chance.randrange(len(line))] = chance.randrange(11, 256)
            self.assertIn(self.ask(bytes(line)).get("exit"), range(4))
        answer = self.ask(b"x" * (16 * 1024 * 1024 + 1))
        self.assertEqual(answer["error"]["code"], "too-long")
        self.assertIn("235 applied", self.ctl("config", "status"))
        self.assertEqual(self.orchd_process.pid, pid)
        self.assertIsNone(self.orchd_process.poll())
        self.stop_orchd()

    def test_a_client_that_does_not_read_blocks_no_other(self):
        self.start_example()
        deaf = self.dial()
        deaf.setblocking(False)
        try:
            for _ in range(10000):
                deaf.send(b'{"noun": "show", "verb": "queues"}\n')
        except BlockingIOError:
            pass
        self.ctl("config", "status")
        self.stop_orchd()

    def test_one_daemon_per_socket(self):
        self.start()
        second = subprocess.run(self.command(), capture_output=True,
                                text=True, timeout=PATIENCE_S, check=False)
        self.assertNotEqual(second.returncode, 0)
        self.assertIn(self.control, second.stderr)
        self.ctl("config", "sync")
        self.kill_orchd()
        self.assertTrue(os.path.exists(self.control))
        self.start_orchd()
        wait_until(lambda: self.run_ctl("config", "sync").returncode == DONE,
                   "the next orchd has taken the socket over")
        self.assertEqual(os.stat(self.control).st_mode & 0o777, 0o660)
        self.stop_orchd()
        self.assertFalse(os.path.exists(self.control))


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""orchctl config lint: each rule finds what it is about, and nothing in what
is sound."""

import copy
import json
import os
import re
import unittest

from harness import CONFIG_DB, LIBSAI, SOURCE, needs_sai
from test_cli import DONE, EXAMPLE, NO, UNREACHABLE, USAGE, Cli

LOSSLESS = "pg_lossless_100000_5m_profile"

# What the shipped example has: it bypasses lossy admission at ingress with a
# static threshold of the whole memory, and has no watchdog.
KNOWN = {"no-watchdog", "static-th-above-pool", "threshold-kind"}


def wred(**fields):
    return {"WRED_PROFILE": {"W": {"wred_green_enable": "false",
                                   "ecn": "ecn_all",
                                   "green_min_threshold": "100000",
                                   "green_max_threshold": "200000", **fields}},
            "QUEUE": {"Ethernet0|3": {"wred_profile": "W"}}}


def llr(window, **fields):
    return {"LLR_PROFILE": {"L": {"max_outstanding_frames": "1000",
                                  "max_outstanding_bytes": window, **fields}},
            "LLR_PORT": {"Ethernet0": {"llr_profile": "L",
                                       "llr_remote": "enabled"}},
            "CABLE_LENGTH": {"AZURE": {"Ethernet0": "40m"}}}


def trimming(queue):
    return {"SWITCH_TRIMMING": {"GLOBAL": {"size": "206", "dscp_value": "48",
                                           "queue_index": str(queue)}},
            "BUFFER_PROFILE": {"egress_lossy_profile":
                               {"packet_discard_action": "trim"}}}


# All groups of all 32 ports are lossless: 256 groups of 165,568 bytes.
EIGHT_GROUPS = {"BUFFER_PG": {f"Ethernet{4 * port}|{groups}":
                              {"profile": LOSSLESS}
                              for port in range(32)
                              for groups in ("0", "1-2", "5-7")}}

# Code, changes to the example (a field None removes it), and words that the
# finding must have.  Numbers are of the example: chip th, 16,640 kB in four
# partitions; S of a partition is 11,648,000 / 4 = 2,912,000; alpha 1/8.
CASES = (
    ("reserved-exceeds-memory",
     # 64 groups of 300,000 bytes.
     {"BUFFER_PROFILE": {LOSSLESS: {"size": "300000"}}},
     "23459840 bytes are reserved at ingress, but the chip has 17039360"),
    ("no-room-for-headroom",
     {"BUFFER_POOL": {"ingress_lossless_pool": {"size": "16000000"}}},
     "bytes, but the chip has 17039360"),
    ("egress-limits-lossless",
     {"BUFFER_PROFILE": {"egress_lossless_profile": {"static_th": "1000000"}}},
     "lets this queue hold 999856 bytes"),
    ("egress-lossy-above-ingress",
     {"BUFFER_POOL": {"egress_lossy_pool": {"size": "12000000"}}},
     "it has 12000000 bytes, but ingress_lossless_pool"),
    ("lossy-ingress-limits",
     {"BUFFER_PROFILE": {"ingress_lossy_profile": {"static_th": "100000"}}},
     "it lets a group hold 99840 bytes"),
    # One group pauses at 6 cells + 2,912,000 / 9 = 324,803 bytes.
    ("ecn-after-pfc", wred(green_min_threshold="400000",
                           green_max_threshold="500000"),
     "Kmin is 400000 bytes, and a group"),
    # n groups at 6 cells + 2,912,000 / (8 + n): 8 of them at 183,248.
    ("ecn-after-pfc-at-scale", wred(green_min_threshold="190000"),
     "ECN marks first while at most 7 groups"),
    # 100G over 300 m: 300 m are 2 * 300 * 100e9 / 1.98e8 / 8 = 37,879 bytes
    # of cable alone.
    ("headroom-too-small",
     {"BUFFER_PROFILE": {LOSSLESS: {"xoff": "30000"}},
      "CABLE_LENGTH": {"AZURE": {"Ethernet0": "300m"}}},
     "100000 Mb/s over 300 m"),
    # 9,100 and the window, in whole kB; the cable and a slow peer are less.
    ("headroom-too-small",
     {**llr("200000"), "LLR_PORT": {"Ethernet0": {"llr_profile": "L",
                                                  "llr_local": "enabled"}}},
     "a window of 200000 bytes that the peer may resend need 209920"),
    # 20 frames of 9,100 bytes.
    ("headroom-too-small",
     {**llr("200000", max_outstanding_frames="20"),
      "LLR_PORT": {"Ethernet0": {"llr_profile": "L", "llr_local": "enabled"}}},
     "a window of 182000 bytes"),
    # Two frames of 9,100, 631 bytes of cable (5 m), 819 of MAC and PHY, and
    # 394 quanta of 64 bytes to stop: 44,866, in whole kB 45,056.
    ("headroom-needs-fast-peer",
     {"BUFFER_PROFILE": {LOSSLESS: {"xoff": "44000"}},
      "CABLE_LENGTH": {"AZURE": {"Ethernet0": "5m"}}},
     "need 45056 even if"),
    # One byte less than a sixteenth of 256 groups of 165,568.
    ("headroom-oversubscribed",
     {"BUFFER_POOL": {"ingress_lossless_pool": {"xoff": "2649087"}},
      **EIGHT_GROUPS},
     "groups of 165568 that can pause at once: 3"),
    # A partition has 50,000 bytes, and one group alone may need 165,568.
    ("headroom-oversubscribed",
     {"BUFFER_POOL": {"ingress_lossless_pool": {"xoff": "200000"}}},
     "groups of 165568 that can pause at once: 0"),
    ("pfc-without-lossless-pg",
     {"PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3,4,6"}},
      "TC_TO_PRIORITY_GROUP_MAP": {"AZURE": {"6": "6"}}},
     "PFC is enabled for it, but it has no profile"),
    ("lossless-pg-without-pfc",
     {"PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3"}}},
     "has headroom, and no priority of the group"),
    ("mixed-pg",
     {"TC_TO_PRIORITY_GROUP_MAP": {"AZURE": {"5": "3"}}},
     "traffic class 3, with PFC, and 5, without"),
    ("mixed-queue",
     {"TC_TO_QUEUE_MAP": {"AZURE": {"5": "4"}}},
     "traffic class 4, with PFC, and 5, without"),
    ("wred-does-nothing", wred(ecn="ecn_none"), "no colour is enabled"),
    ("wred-drops-lossless", wred(wred_green_enable="true"),
     "above 100000 bytes"),
    ("size-below-xon",
     {"BUFFER_POOL": {"ingress_lossless_pool": {"xoff": None}},
      "BUFFER_PROFILE": {LOSSLESS: {"size": "1248"}}},
     "size is 1248, but xon is 2288"),
    ("shared-lane",
     {"PORT": {"Ethernet132": {"lanes": "128", "speed": "10000"}}},
     "another port has lane 128 as well"),
    # 100G over 40 m, 400 ns, hold 5,000 bytes, and 2,048 are acknowledged.
    ("llr-window-too-small", llr("7047"),
     "40 m, acknowledged every 2048 bytes, need 7048: the link carries at most "
     "99 %"),
    ("llr-window-too-small", llr("5399", ctlos_spacing_bytes="400"),
     "need 5400"),
    ("trimmed-to-lossless-queue", trimming(3),
     "trimmed packets go to queue 3, which is lossless at Ethernet0"),
    ("trimming-does-nothing", {"SWITCH_TRIMMING": {"GLOBAL": {
        "size": "206", "queue_index": "6"}}},
     "no profile of a queue has packet_discard_action trim"),
    ("pool-exceeds-memory",
     {"BUFFER_POOL": {"ingress_lossless_pool": {"size": "99999999999"}}},
     "size is 99999999999, but the chip has 17039360"),
    ("xoff-exceeds-pool",
     {"BUFFER_POOL": {"ingress_lossless_pool": {"size": "4000000"}}},
     "xoff is 4259840, but size is 4000000"),
    ("lossless-pool-without-size",
     {"BUFFER_POOL": {"ingress_lossless_pool": {"size": "0"}}},
     "size is 0"),
    # Tomahawk 6, whose pools and guarantees share 636,183 cells of 420 bytes.
    ("pool-leaves-no-guarantees",
     {"DEVICE_METADATA": {"localhost": {"hwsku": "NH-4210-F-P128"}},
      "BUFFER_POOL": {"ingress_lossless_pool": {
          "size": "258035400", "xoff": "81553920"}}},
     "add up to 339589320, but the chip has 267196860"),
    # What lies just beyond a bound, and what must not distract.
    ("egress-limits-lossless",
     {"BUFFER_PROFILE": {"egress_lossless_profile":
                         {"static_th": "15987600"}}},
     "ingress may admit 15987712 lossless bytes"),
    ("lossy-ingress-limits",
     {"BUFFER_PROFILE": {"ingress_lossy_profile": {"static_th": "100000"},
                         "unused": {"pool": "egress_lossy_pool", "size": "0",
                                    "static_th": "50000"}}},
     "it lets a group hold 99840 bytes"),
    # 14,000 cells at ingress, 11,200 at egress, where alpha is 8 and 8 cells
    # are reserved.
    ("lossy-ingress-limits",
     {"BUFFER_PROFILE": {"ingress_lossy_profile": {"static_th": None,
                                                   "dynamic_th": "0"}}},
     "it lets a group hold 1456000 bytes, but egress_lossy_profile, the "
     "tightest of the lossy queues, 2072512"),
    ("lossy-ingress-limits",
     {"BUFFER_PROFILE": {"ingress_lossy_profile": {"static_th": None,
                                                   "dynamic_th": "-1"}}},
     "it lets a group hold 970528 bytes"),
    ("ecn-after-pfc-at-scale", wred(green_min_threshold="183248"),
     "ECN marks first while at most 7 groups"),
    # Two groups at 6 cells + 2,912,000 / 10 = 292,448 bytes.
    ("ecn-after-pfc-at-scale", wred(green_min_threshold="300000",
                                    green_max_threshold="400000"),
     "ECN marks first while at most 1 group "),
    # A class that no map sends anywhere goes to the group of its number.
    ("ecn-after-pfc",
     {**wred(green_min_threshold="400000", green_max_threshold="500000"),
      "TC_TO_PRIORITY_GROUP_MAP": {"AZURE": {"3": None}}},
     "Kmin is 400000 bytes, and a group"),
    ("mixed-pg",
     {"DOT1P_TO_TC_MAP": {"D": {"7": "7"}},
      "PORT_QOS_MAP": {"Ethernet0": {"dot1p_to_tc_map": "D"}},
      "TC_TO_PRIORITY_GROUP_MAP": {"AZURE": {"7": "3"}}},
     "traffic class 3, with PFC, and 7, without"),
)

# Changes that are on the right side of a bound by nothing, or that look like
# what a rule is about: it must not find them.
SOUND = (
    ("trimmed-to-lossless-queue", trimming(6)),
    ("trimmed-to-lossless-queue", trimming("dynamic")),
    ("trimming-does-nothing", trimming(6)),
    ("pool-exceeds-memory",
     {"BUFFER_POOL": {"ingress_lossless_pool": {"size": "17039360"}}}),
    ("xoff-exceeds-pool",
     {"BUFFER_POOL": {"ingress_lossless_pool": {"size": "4259840"}}}),
    # On Tomahawk a size is a limit.
    ("pool-leaves-no-guarantees",
     {"BUFFER_POOL": {"ingress_lossless_pool": {"size": "17039360"}}}),
    # As corrected by the vendor of such a switch.
    ("pool-leaves-no-guarantees",
     {"DEVICE_METADATA": {"localhost": {"hwsku": "NH-4210-F-P128"}},
      "BUFFER_POOL": {"ingress_lossless_pool": {
          "size": "176481480", "xoff": "81553920"}}}),
    ("egress-lossy-above-ingress",
     {"BUFFER_POOL": {"egress_lossy_pool": {"size": "11648000"}}}),
    # The pool is for lossless queues, too, and so has to be large.
    ("egress-lossy-above-ingress",
     {"BUFFER_QUEUE": {"Ethernet0|0": {"profile": "egress_lossless_profile"}}}),
    ("egress-limits-lossless",
     {"BUFFER_PROFILE": {"egress_lossless_profile":
                         {"static_th": "15988000"}}}),
    # Exactly what ingress may admit.
    ("egress-limits-lossless",
     {"BUFFER_PROFILE": {"egress_lossless_profile":
                         {"static_th": "15987712"}}}),
    # The lossless groups of EIGHT_GROUPS need 16 times this.
    ("headroom-oversubscribed",
     {"BUFFER_POOL": {"ingress_lossless_pool": {"xoff": "2649088"}},
      **EIGHT_GROUPS}),
    ("size-below-xon",
     {"BUFFER_POOL": {"ingress_lossless_pool": {"xoff": None}},
      "BUFFER_PROFILE": {LOSSLESS: {"size": "2288"}}}),
    ("headroom-needs-fast-peer",
     {"BUFFER_PROFILE": {LOSSLESS: {"xoff": "45056"}},
      "CABLE_LENGTH": {"AZURE": {"Ethernet0": "5m"}}}),
    # 2 * 9,190 instead of 2 * 9,100 are still less than 44 kB.
    ("headroom-needs-fast-peer",
     {"BUFFER_PROFILE": {LOSSLESS: {"xoff": "45056"}},
      "CABLE_LENGTH": {"AZURE": {"Ethernet0": "5m"}},
      "PORT": {"Ethernet0": {"mtu": "9190"}}}),
    ("headroom-too-small",
     {"BUFFER_PROFILE": {LOSSLESS: {"xoff": "100"}},
      "CABLE_LENGTH": {"AZURE": {"Ethernet0": "0m"}}}),
    # 9,100 + 155,000 in whole kB are 164,864, and xoff is 165,568.
    ("headroom-too-small",
     {**llr("155000"), "LLR_PORT": {"Ethernet0": {"llr_profile": "L",
                                                  "llr_local": "enabled"}}}),
    ("headroom-needs-fast-peer",
     {**llr("155000"), "LLR_PORT": {"Ethernet0": {"llr_profile": "L",
                                                  "llr_local": "enabled"}}}),
    # What it may resend itself is up to its peer.
    ("headroom-too-small", llr("200000")),
    ("wred-does-nothing", wred()),
    # No packet is of class 7.
    ("mixed-pg", {"TC_TO_PRIORITY_GROUP_MAP": {"AZURE": {"7": "3"}}}),
    ("llr-window-too-small", llr("7048")),
    ("llr-window-too-small", llr("5400", ctlos_spacing_bytes="400")),
    # Only what it sends waits for acknowledgements.
    ("llr-window-too-small",
     {**llr("1"), "LLR_PORT": {"Ethernet0": {"llr_profile": "L",
                                             "llr_local": "enabled"}}}),
    # PFC is sent for 3 and 4 in this mode as well.
    ("lossless-pg-without-pfc", {"PORT": {"Ethernet0": {"pfc_asym": "on"}}}),
)


THERE = "lc2|asic0|Ethernet0"

# An ASIC of a chassis, with a VOQ for class 3 of a port of another device.
VOQ = {
    "DEVICE_METADATA": {"localhost": {
        "hwsku": "JR2-Chassis-4x8x100G", "switch_type": "voq",
        "switch_id": "0", "max_cores": "16", "hostname": "lc1",
        "asic_name": "asic0"}},
    "PORT": {"Ethernet0": {"lanes": "1,2", "speed": "100000"}},
    "SYSTEM_PORT": {port: {
        "system_port_id": number, "switch_id": number, "core_index": "0",
        "core_port_index": "1", "speed": "100000", "num_voq": "8"}
                    for port, number in (("lc1|asic0|Ethernet0", "0"),
                                         (THERE, "2"))},
    "BUFFER_POOL": {
        "in": {"type": "ingress", "mode": "dynamic", "size": "10000000",
               "xoff": "1000000"},
        "out": {"type": "egress", "mode": "static", "size": "10000000"}},
    "BUFFER_PROFILE": {
        "pg": {"pool": "in", "size": "0", "xoff": "100000", "xon": "0",
               "dynamic_th": "0"},
        "voq": {"pool": "out", "size": "0", "static_th": "10000000"}},
    "BUFFER_PG": {"Ethernet0|3": {"profile": "pg"}},
    "DSCP_TO_TC_MAP": {"A": {"3": "3", "5": "5"}},
    "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3", "dscp_to_tc_map": "A",
                                   "pfcwd_sw_enable": "3"}},
    "PFC_WD": {"Ethernet0": {"action": "drop", "detection_time": "200",
                             "restoration_time": "200"}},
    "WRED_PROFILE": {"W": {"wred_green_enable": "false", "ecn": "ecn_all",
                           "green_min_threshold": "100000",
                           "green_max_threshold": "200000"}},
    "BUFFER_QUEUE": {THERE + "|3": {"profile": "voq"}},
    "QUEUE": {THERE + "|3": {"wred_profile": "W"}},
}

# As CASES, for VOQ, with the row.
VOQ_CASES = (
    ("egress-limits-lossless", f"BUFFER_QUEUE|{THERE}|3",
     {"BUFFER_PROFILE": {"voq": {"static_th": "1000000"}}},
     "voq lets this queue hold"),
    ("wred-drops-lossless", f"QUEUE|{THERE}|3",
     {"WRED_PROFILE": {"W": {"wred_green_enable": "true"}}},
     "above 100000 bytes"),
    # Half of 10,000,000 bytes, of which the chip has some for itself.
    ("ecn-after-pfc", "WRED_PROFILE|W",
     {"WRED_PROFILE": {"W": {"green_min_threshold": "5100000",
                             "green_max_threshold": "5200000"}}},
     "Kmin is 5100000 bytes, and a group with pg"),
    ("threshold-kind", "BUFFER_PROFILE|voq",
     {"BUFFER_PROFILE": {"voq": {"static_th": None, "dynamic_th": "3"}}},
     "it has a dynamic threshold, but out is static"),
    ("static-th-above-pool", "BUFFER_PROFILE|voq",
     {"BUFFER_PROFILE": {"voq": {"static_th": "10000001"}}},
     "static_th is 10000001, but out has only 10000000"),
    ("wred-does-nothing", "WRED_PROFILE|W",
     {"WRED_PROFILE": {"W": {"ecn": "ecn_none"}}}, "no colour is enabled"),
)


def merge(config, changes):
    config = copy.deepcopy(config)
    for table, rows in changes.items():
        for key, fields in rows.items():
            row = config.setdefault(table, {}).setdefault(key, {})
            for name, value in fields.items():
                if value is None:
                    row.pop(name, None)
                else:
                    row[name] = value
    return config


class Lint(Cli):

    def setUp(self):
        super().setUp()
        with open(EXAMPLE, encoding="utf-8") as file:
            self.config = json.load(file)

    def words(self, config):
        path = self.write("lint.json", json.dumps(config))
        return ("config", "lint", path, "--sai", LIBSAI, "--chips",
                os.path.join(SOURCE, "chips"), "--yang-dir",
                os.path.join(SOURCE, "schemas"))

    def findings(self, config):
        result = self.run_ctl("--json", *self.words(config))
        data = json.loads(result.stdout)
        self.assertEqual(result.returncode, NO if data["warnings"] else DONE)
        return data

    def test_the_example_has_notes_only(self):
        data = self.findings(self.config)
        self.assertEqual(data["warnings"], 0)
        self.assertEqual({f["code"] for f in data["findings"]}, KNOWN)
        self.assertEqual(data["notes"], len(data["findings"]))

    def test_each_rule_finds_what_it_is_about(self):
        for code, changes, words in CASES:
            with self.subTest(code):
                data = self.findings(merge(self.config, changes))
                found = [f for f in data["findings"] if f["code"] == code]
                self.assertEqual(len(found), 1, data["findings"])
                self.assertIn(words, found[0]["reason"])
                self.assertTrue(found[0]["remedy"] and
                                found[0]["explanation"])

    def test_what_is_sound_is_left_alone(self):
        for code, changes in SOUND:
            with self.subTest(f"{code} {changes}"):
                data = self.findings(merge(self.config, changes))
                self.assertNotIn(code, {f["code"] for f in data["findings"]},
                                 data["findings"])

    def test_voqs_are_judged_as_queues(self):
        self.assertEqual(
            {f["code"] for f in self.findings(VOQ)["findings"]}, set())
        for code, row, changes, words in VOQ_CASES:
            with self.subTest(code):
                found = {f["code"]: f for f in self.findings(
                    merge(VOQ, changes))["findings"]}
                self.assertIn(code, found)
                self.assertEqual(found[code]["row"], row)
                self.assertIn(words, found[code]["reason"])

    def test_voqs_of_other_classes_are_lossy(self):
        """Nothing with PFC waits in them."""
        for code, row, changes, _ in VOQ_CASES[:3]:
            config = merge(VOQ, changes)
            for table in ("BUFFER_QUEUE", "QUEUE"):
                config[table] = {THERE + "|5": config[table][THERE + "|3"]}
            codes = {f["code"] for f in self.findings(config)["findings"]}
            self.assertNotIn(code, codes, row)

    def test_shared_headroom_is_enough_or_not_by_a_byte(self):
        code = "headroom-oversubscribed"
        # A quarter of it is in each partition.
        one = {"Ethernet0|3": {"profile": LOSSLESS}}
        two = {"Ethernet0|3-4": {"profile": LOSSLESS}}
        for groups, xoff, found in ((one, 4 * 165568, False),
                                    (one, 4 * 165568 - 4, True),
                                    (two, 8 * 165568, False),
                                    (two, 8 * 165568 - 4, True)):
            config = merge(self.config, {"BUFFER_POOL": {
                "ingress_lossless_pool": {"xoff": str(xoff)}}})
            config["BUFFER_PG"] = groups
            codes = {f["code"] for f in self.findings(config)["findings"]}
            self.assertEqual(code in codes, found, (groups, xoff))

    def test_the_partition_with_most_groups_counts(self):
        config = merge(self.config, wred(green_min_threshold="300000",
                                         green_max_threshold="400000"))
        for ports, found in (("Ethernet0,Ethernet4,Ethernet124", True),
                             ("Ethernet0,Ethernet124", False)):
            config["BUFFER_PG"] = {ports + "|3": {"profile": LOSSLESS}}
            codes = {f["code"] for f in self.findings(config)["findings"]}
            self.assertEqual("ecn-after-pfc-at-scale" in codes, found, ports)

    def test_a_queue_that_is_not_watched_is_named_apart(self):
        data = self.findings(merge(self.config, {
            "PFC_WD": {"Ethernet0": {"action": "drop",
                                     "detection_time": "200"}},
            "PORT_QOS_MAP": {"Ethernet0": {"pfcwd_sw_enable": "3"}}}))
        found = {f["row"]: f["reason"] for f in data["findings"]
                 if f["code"] == "no-watchdog"}
        self.assertIn("some of its lossless queues",
                      found["PORT_QOS_MAP|Ethernet0"])
        self.assertIn("PORT_QOS_MAP|Ethernet4", found)

    def test_the_same_of_many_ports_is_one_finding(self):
        data = self.findings(merge(self.config, {"PORT_QOS_MAP": {
            port: {"pfc_enable": "3"} for port in self.config["PORT"]}}))
        found = [f for f in data["findings"]
                 if f["code"] == "lossless-pg-without-pfc"]
        self.assertEqual(len(found), 1)
        self.assertEqual(found[0]["row"], "BUFFER_PG|Ethernet0|4")
        self.assertEqual(found[0]["n_more"], 31)

    def test_every_rule_is_tried_and_documented(self):
        with open(os.path.join(SOURCE, "orchd", "lint", "rule.h"),
                  encoding="utf-8") as file:
            codes = set(re.findall(r'X\(\w+, "([a-z-]+)", (?:WARNING|NOTE)',
                                   file.read()))
        self.assertEqual(codes, KNOWN | {case[0] for case in CASES})
        with open(os.path.join(SOURCE, "docs", "reference", "lint.md"),
                  encoding="utf-8") as file:
            documented = set(re.findall(r"^## `([a-z-]+)`", file.read(), re.M))
        self.assertEqual(codes, documented)

    @needs_sai
    def test_impossible_pools_are_applied_with_warnings(self):
        client = self.start()
        self.ctl("config", "load", EXAMPLE, "--wait")
        row = "BUFFER_POOL|ingress_lossless_pool"
        for fields, warning in (
                (("size", "99999999999"),
                 "size-exceeds-memory 99999999999 of 17039360"),
                (("size", "4000000"), "xoff-exceeds-size 4259840 of 4000000"),
                (("size", "0"), "size-0-with-lossless-groups"),
                (("size", "17039360"), None)):
            client.on(CONFIG_DB, "HSET", row, *fields)
            self.ctl("config", "sync")
            status = self.data("config", "status", row)["rows"][0]
            self.assertEqual(status["state"], "applied")
            self.assertEqual(status.get("warnings"), warning)
            if warning:
                self.assertIn(f"Warning: {row}: {warning}\n",
                              self.ctl("config", "status"))

    def test_a_switch_that_was_shipped_with_too_large_pools(self):
        """A public case: Tomahawk 6 refuses the guarantees of all groups beside
        these pools, until the pool is corrected."""
        ports = {f"Ethernet{8 * i}":
                 {"lanes": ",".join(str(8 * i + j) for j in range(1, 9)),
                  "speed": "800000"} for i in range(12)}
        config = {
            "DEVICE_METADATA": {"localhost": {"hwsku": "NH-4210-F-P128"}},
            "PORT": ports,
            "BUFFER_POOL": {"ingress_lossless_pool": {
                "type": "ingress", "mode": "dynamic", "size": "258035400",
                "xoff": "81553920"}},
            "BUFFER_PROFILE": {"lossless": {
                "pool": "ingress_lossless_pool", "size": "4620", "xon": "0",
                "xoff": "1249080", "xon_offset": "3360", "dynamic_th": "0"}},
            "BUFFER_PG": {f"{port}|3-4": {"profile": "lossless"}
                          for port in ports}}
        options = self.words(config)[3:]
        shipped = self.write("shipped.json", json.dumps(config))
        plan = self.data("config", "plan", shipped, *options, code=NO)
        refused = [call for call in plan["calls"] if "refused" in call]
        self.assertEqual([call["refused"] for call in refused],
                         ["SAI_STATUS_INSUFFICIENT_RESOURCES"] * 24)
        self.assertEqual(plan["counts"]["failed"], 12)
        self.assertIn("size or xoff of the ingress pools",
                      plan["rows"][-1]["remedy"])
        self.assertIn("pool-leaves-no-guarantees",
                      {f["code"] for f in plan["lint"]["findings"]})
        self.assertEqual([row["warnings"] for row in plan["rows"]
                          if row["table"] == "BUFFER_POOL"],
                         ["size-and-xoff-exceed-memory 339589320 of 267196416"])
        config["BUFFER_POOL"]["ingress_lossless_pool"]["size"] = "176481480"
        plan = self.data("config", "plan",
                         self.write("fixed.json", json.dumps(config)),
                         "--from", shipped, *options)
        self.assertEqual(plan["rows"], [])
        self.assertEqual(len(plan["calls"]), 25)

    @needs_sai
    def test_orchd_says_the_same_of_what_is_in_force(self):
        client = self.start()
        self.ctl("config", "load", EXAMPLE, "--wait")
        data = self.data("config", "lint")
        self.assertEqual(data.pop("first_generation"), data.pop("generation"))
        self.assertEqual(data, self.findings(self.config))
        client.on(CONFIG_DB, "HSET", "BUFFER_PROFILE|" + LOSSLESS, "size",
                  "300000")
        self.ctl("config", "sync", code=NO)
        text = self.ctl("config", "lint", code=NO)
        self.assertIn("reserved-exceeds-memory (warning)", text)
        self.assertIn("remedy", text)

    def test_what_cannot_be_run(self):
        self.refuse(USAGE, "No such file", *self.words(self.config)[:2],
                    os.path.join(self.directory, "missing"),
                    *self.words(self.config)[3:])
        self.refuse(UNREACHABLE, "orchd", "config", "lint")


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""orchctl twin check: what the hardware will do with a configuration, and how
near the watermarks of a switch have come to that."""

import json
import os
import pty
import subprocess
import unittest

from harness import CONFIG_DB, COUNTERS_DB, PATIENCE_S, needs_sai, wait_until
from test_cli import (DONE, EXAMPLE, HERMETIC, NO, ORCHCTL, UNREACHABLE, USAGE,
                      Cli)

# Of the example: chip th has cells of 208 bytes; a packet of 1,500 takes 8. One
# group pauses at 6 cells + 2,912,000 / 9 = 324,803 bytes, and has 165,568 bytes
# of headroom.
PACKET = 8 * 208
XOFF = 324803
HEADROOM = 165568


def example(**changes):
    with open(EXAMPLE, encoding="utf-8") as file:
        tables = json.load(file)
    for table, rows in changes.items():
        for key, fields in rows.items():
            tables.setdefault(table, {}).setdefault(key, {}).update(fields)
    return tables


def marking(kmin):
    """The example with ECN from 'kmin' bytes on in queue 3 of all ports."""
    return example(
        WRED_PROFILE={"W": {"wred_green_enable": "false", "ecn": "ecn_all",
                            "green_min_threshold": str(kmin),
                            "green_max_threshold": "800000"}},
        QUEUE={f"Ethernet{4 * port}|3": {"wred_profile": "W"}
               for port in range(32)})


class Twin(Cli):

    def check_file(self, tables, *options, code=DONE):
        path = self.write("checked.json", json.dumps(tables))
        return self.data("twin", "check", path, *HERMETIC, *options, code=code)

    def test_points_of_a_class(self):
        data = self.check_file(example())
        self.assertEqual(data["chip"], "th")
        self.assertIn("Celestica-DX010-C32", data["chosen_by"])
        self.assertIsNone(data["live"])
        [ports] = data["classes"]
        self.assertEqual(len(ports["ports"]), 32)
        [group] = ports["groups"]
        self.assertEqual(group["pgs"], [3, 4])
        self.assertLessEqual(XOFF, group["xoff"]["bytes"])
        self.assertLess(group["xoff"]["bytes"], XOFF + PACKET)
        self.assertLessEqual(group["drop"]["headroom_bytes"], HEADROOM)
        self.assertLess(HEADROOM - PACKET, group["drop"]["headroom_bytes"])
        self.assertEqual(ports["queues"][0]["queues"], [0, 1, 2, 5, 6])
        self.assertEqual(ports["queues"][0]["drop"]["by"], "queue")
        # Small packets: nearer to the point.
        small = self.check_file(example(), "--size", "64")
        xoff = small["classes"][0]["groups"][0]["xoff"]["bytes"]
        self.assertLess(abs(xoff - XOFF), 2 * 208)

    def test_the_order_of_ecn_and_pfc(self):
        for kmin, late, code in ((400000, True, NO), (200000, False, DONE)):
            data = self.check_file(marking(kmin), code=code)
            [group] = data["classes"][0]["groups"]
            found = [finding["code"] for finding in data["findings"]]
            self.assertEqual(group["pgs"], [3, 4])
            self.assertEqual(group["mark_from_bytes"], kmin)
            self.assertEqual(group["pfc_before_ecn"], late)
            self.assertEqual("ecn-after-pfc" in found, late)

    def test_classes(self):
        tables = example(PORT={"Ethernet4": {"admin_status": "down"},
                               "Ethernet8": {"speed": "40000"}})
        data = self.check_file(tables)
        classes = {ports["ports"][0]: ports for ports in data["classes"]}
        self.assertEqual(set(classes), {"Ethernet0", "Ethernet4", "Ethernet8"})
        self.assertFalse(classes["Ethernet4"]["up"])
        self.assertEqual(classes["Ethernet4"]["groups"], [])
        self.assertEqual(classes["Ethernet8"]["speed_mbps"], 40000)
        # Packets of a port alone in its class congest one of another class.
        self.assertIn("bytes", classes["Ethernet8"]["groups"][0]["xoff"])

    def test_what_is_not_mapped_is_not_measured(self):
        tables = example()
        for row in tables["DSCP_TO_TC_MAP"].values():
            for dscp, traffic_class in row.items():
                row[dscp] = "0" if traffic_class == "3" else traffic_class
        data = self.check_file(tables)
        group = data["classes"][0]["groups"][0]
        self.assertIn("mapped", group["xoff"]["reason"])

    def test_text(self):
        path = self.write("checked.json", json.dumps(marking(400000)))
        text = self.ctl("twin", "check", path, *HERMETIC, code=NO)
        self.assertIn("Assumed chip: th, by hwsku Celestica-DX010-C32", text)
        self.assertIn("32 ports of 100000 Mbit/s", text)
        self.assertRegex(text, r"pauses +at 32\d{4} bytes")
        self.assertIn("PFC: it pauses a sender before ECN slows it down", text)
        self.assertIn("a file was checked", text)
        self.assertIn("What this cannot know", text)

    def test_a_terminal_shows_progress(self):
        ours, theirs = pty.openpty()
        with os.fdopen(ours, "rb", buffering=0) as terminal:
            subprocess.run([ORCHCTL, "twin", "check", EXAMPLE, *HERMETIC],
                           stdout=subprocess.DEVNULL, stderr=theirs,
                           timeout=PATIENCE_S, check=True)
            os.close(theirs)
            shown = terminal.read(4096).decode()
        self.assertIn("\rmeasurement 1: xoff of Ethernet0", shown)
        self.assertIn("measurement 3: egress-drop of Ethernet0", shown)
        self.assertRegex(shown, r"\r +\r$")  # Nothing of it stays.
        self.assertEqual(self.run_ctl("twin", "check", EXAMPLE,
                                      *HERMETIC).stderr, "")

    def headroom(self, tables):
        """What is said about headroom, in numbers and in words."""
        path = self.write("checked.json", json.dumps(tables))
        text = self.run_ctl("twin", "check", path, *HERMETIC).stdout
        [line] = [line for line in text.splitlines()
                  if line.startswith("Headroom: ")]
        data = json.loads(self.run_ctl("--json", "twin", "check", path,
                                       *HERMETIC).stdout)
        counts = data["headroom"]
        return [counts[name] for name in ("groups", "judged", "too_small")], line

    def test_headroom_is_judged_only_where_it_can_be(self):
        cables = {"AZURE": {f"Ethernet{4 * port}": "5m" for port in range(32)}}
        self.assertEqual(self.headroom(example()), (
            [64, 0, 0],
            "Headroom: not judged: the cable length is not known (add the "
            "ports to a row of CABLE_LENGTH)"))
        self.assertEqual(self.headroom(example(CABLE_LENGTH=cables)), (
            [64, 64, 0], "Headroom: enough for what may arrive after a pause, "
            "in 64 priority groups"))
        lossless = {"pg_lossless_100000_5m_profile": {"xoff": "1000"}}
        self.assertEqual(self.headroom(example(
            CABLE_LENGTH=cables, BUFFER_PROFILE=lossless)), (
            [64, 64, 64], "Headroom: too little for 64 of 64 priority groups, "
            "see the findings"))
        del cables["AZURE"]["Ethernet0"]
        counts, line = self.headroom(example(CABLE_LENGTH=cables))
        self.assertEqual(counts, [64, 62, 0])
        self.assertIn("in 62 priority groups; 2 more not judged: the cable "
                      "length is not known (add", line)

    def test_another_chip(self):
        data = self.check_file(example(), "--model", "td2", code=NO)
        self.assertEqual(data["chip"], "td2")

    def test_errors(self):
        self.refuse(USAGE, "there are no 'hourly' watermarks", "twin", "check",
                    EXAMPLE, "--watermarks", "hourly")
        for options in (["--all"], ["--watermarks", "periodic"]):
            self.refuse(USAGE, options[0] + " is about live watermarks",
                        "twin", "check", EXAMPLE, *options, *HERMETIC)
        self.refuse(USAGE, r"no chip th33 \(did you mean 'th3'\?\).* td2, ",
                    "twin", "check", EXAMPLE, *HERMETIC, "--model", "th33")
        self.refuse(UNREACHABLE, "control.sock", "twin", "check", *HERMETIC)
        self.refuse(USAGE, "No such file", "twin", "check", "/nowhere",
                    *HERMETIC)

    def peaks(self, *options):
        return self.data("twin", "check", *HERMETIC, *options)["live"]

    @needs_sai
    def test_live_watermarks(self):
        client = self.start_example()
        live = self.peaks()
        self.assertEqual(live["peaks"], [])
        self.assertIn("counterpoll watermark enable", live["reason"])
        client.on(CONFIG_DB, "HSET", "FLEX_COUNTER_TABLE|PG_WATERMARK",
                  "FLEX_COUNTER_STATUS", "enable")
        oid = wait_until(lambda: client.on(
            COUNTERS_DB, "HGET", "COUNTERS_PG_NAME_MAP", "Ethernet8:3"),
            "the group has a name")
        wait_until(lambda: client.hash(COUNTERS_DB, "PERSISTENT_WATERMARKS:" +
                                       oid), "its watermarks are polled")
        self.assertIn("all are 0", self.peaks("--watermarks", "persistent")[
            "reason"])
        client.on(COUNTERS_DB, "HSET", "PERIODIC_WATERMARKS:" + oid,
                  "SAI_INGRESS_PRIORITY_GROUP_STAT_SHARED_WATERMARK_BYTES",
                  "161512")
        [peak] = self.peaks("--watermarks", "periodic")["peaks"]
        self.assertEqual((peak["object"], peak["of"], peak["peak_bytes"]),
                         ("PG Ethernet8|3", "its XOFF point", 161512))
        self.assertEqual(peak["percent"],
                         peak["peak_bytes"] * 100 // peak["point_bytes"])
        text = self.ctl("twin", "check", *HERMETIC, "--watermarks", "periodic")
        self.assertRegex(text, r"PG Ethernet8\|3 peaked at \d\d % of its XOFF "
                               r"point \(161512 of \d+ bytes\)")


if __name__ == "__main__":
    unittest.main()

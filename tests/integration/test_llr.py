# SPDX-License-Identifier: Apache-2.0
"""Link-level retry from CONFIG_DB, on switches without it."""

import json
import os
import unittest
import urllib.request

from harness import (PATIENCE_S, VENDOR, asic_objects, free_port,
                     needs_packets, not_beside, wait_until)
from test_cli import HERMETIC
from test_counters import FLEX_COUNTER_DB
from test_qos import PORTS, Qos
from test_rollback import History

setUpModule = not_beside("the stand-in for orchagent has no link-level retry")

PROFILE = {"max_outstanding_frames": "100", "max_outstanding_bytes": "9000"}
PORT = {"llr_profile": "a", "llr_local": "enabled", "llr_remote": "enabled"}
ROWS = {"LLR_PROFILE|a": PROFILE, "LLR_PORT|Ethernet0": PORT}
# The metrics, in the order of SAI_PORT_STAT_LLR_*, which begin at 204.
COUNTERS = [
    "transmit_init_sets", "transmit_init_echo_sets", "transmit_ack_sets",
    "transmit_nack_sets", "transmit_discarded_frames", "transmit_frames",
    "transmit_poisoned_frames", "replays", "receive_init_sets",
    "receive_init_echo_sets", "receive_ack_sets", "receive_nack_sets",
    "receive_sequence_errors", "receive_frames", "receive_poisoned_frames",
    "receive_bad_frames", "receive_expected_frames",
    "receive_expected_poisoned_frames", "receive_expected_bad_frames",
    "receive_gaps", "receive_duplicate_frames", "receive_replays"]


class Llr(Qos, History):
    """Rows, and what orchd says about them."""

    @unittest.skipIf(VENDOR != "softasic",
                     "the other libraries do not say what they can do")
    def test_a_switch_without_it_is_not_asked(self):
        client = self.start_redis()
        self.start_with_state()
        self.put(client, {**PORTS, **ROWS})
        for row in ROWS:
            self.wait_state(client, row, "unsupported")
            found = self.status(client, row)
            self.assertEqual(found["code"], "no-llr")
            self.assertIn("LLR_CAPABLE", found["remedy"])
        self.wait_applied(client, PORTS)
        self.assertEqual(self.data("show", "llr")["llr"],
                         [{"port": "Ethernet0", "state": "unsupported",
                           "code": "no-llr"}])
        self.assertIn("unsupported", self.ctl("show", "llr"))
        for _, attributes in asic_objects(client).values():
            self.assertFalse([name for name in attributes if "LLR" in name])

    def test_its_counters_are_a_group(self):
        client = self.start_redis()
        self.start_with_state()
        group = {"FLEX_COUNTER_TABLE|LLR": {"FLEX_COUNTER_STATUS": "enable",
                                            "POLL_INTERVAL": "100"}}
        self.put(client, {**PORTS, **group})
        self.wait_applied(client, group)
        key = "FLEX_COUNTER_GROUP_TABLE:LLR_PORT_STAT_COUNTER"
        found = wait_until(lambda: client.hash(FLEX_COUNTER_DB, key),
                           "the group is described")
        self.assertEqual(found["POLL_INTERVAL"], "100")
        self.assertEqual(found["FLEX_COUNTER_STATUS"], "enable")
        if VENDOR == "softasic":
            self.wait_log("counters-refused")
            lists = client.hashes(FLEX_COUNTER_DB,
                                  "*LLR_PORT_STAT_COUNTER:oid*")
            self.assertFalse(any(lists.values()), lists)

    @unittest.skipIf(VENDOR == "softasic", "it has none")
    def test_a_port_gets_the_profile_of_its_cable(self):
        os.environ["STORE_VERSION"] = "1.18.0"
        self.addCleanup(os.environ.pop, "STORE_VERSION", None)
        client = self.start_redis()
        table = self.write("llr.ini",
                           "speed cable outstanding_frames outstanding_bytes\n"
                           "100000 40m 100 9000\n")
        self.start_with_state("--set", "llr_lookup_file=" + table)
        rows = {"CABLE_LENGTH|AZURE": {"Ethernet0": "40m"},
                "LLR_PORT|Ethernet0": {"llr_local": "enabled",
                                       "llr_remote": "enabled"}}
        profile = "llr_100000_40m_profile"
        self.put(client, {**PORTS, **rows})
        self.wait_applied(client, rows)
        found, = self.data("show", "llr")["llr"]
        self.assertEqual(
            {name: found[name] for name in ("port", "state", "profile", "send",
                                            "receive")},
            {"port": "Ethernet0", "state": "applied", "profile": profile,
             "send": True, "receive": True})
        self.assertEqual(self.status(client, "LLR_PROFILE|" + profile)["origin"],
                         "auto")
        text = self.ctl("config", "explain", "LLR_PROFILE|" + profile)
        self.assertIn("the setting llr_lookup_file", text)
        self.assertEqual(self.data("show", "llr", "Ethernet4")["llr"], [])
        self.assertIn("LLR_PORT", self.ctl("show", "llr", "Ethernet4"))

    @unittest.skipIf(VENDOR == "softasic", "it has none")
    def test_its_counters_are_metrics(self):
        """Each counter of this store is its own id: so each metric shows that
        it is of the counter that its name says."""
        os.environ["STORE_VERSION"] = "1.18.0"
        self.addCleanup(os.environ.pop, "STORE_VERSION", None)
        client = self.start_redis()
        port = free_port()
        group = {"FLEX_COUNTER_TABLE|LLR": {"FLEX_COUNTER_STATUS": "enable",
                                            "POLL_INTERVAL": "100"}}
        self.start_with_state("--profile", "STORE_COUNTERS=ids",
                              "--set", f"metrics_port={port}")
        self.put(client, {**PORTS, **group})
        self.wait_applied(client, {**PORTS, **group})

        def samples():
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics",
                                        timeout=PATIENCE_S) as answer:
                lines = answer.read().decode().splitlines()
            return {name: int(value) for name, value in
                    (line.rsplit(" ", 1) for line in lines)
                    if name.startswith("orchd_port_llr_")}

        expected = {f'orchd_port_llr_{name}_total{{port="{port}"}}': 204 + i
                    for i, name in enumerate(COUNTERS)
                    for port in ("Ethernet0", "Ethernet4")}
        wait_until(lambda: samples() == expected, "all counters are reported")
        self.put(client, {"FLEX_COUNTER_TABLE|LLR": {
            "FLEX_COUNTER_STATUS": "disable"}})
        wait_until(lambda: not samples(), "the group is not enabled")

    @needs_packets
    def test_a_plan_says_so(self):
        path = self.write("plan.json", json.dumps(
            {"LLR_PROFILE": {"a": PROFILE}}))
        text = self.ctl("config", "plan", path, *HERMETIC)
        self.assertIn("no-llr", text)
        self.assertNotIn("PORT_LLR_PROFILE", text)


if __name__ == "__main__":
    unittest.main()

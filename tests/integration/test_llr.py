# SPDX-License-Identifier: Apache-2.0
"""Link-level retry from CONFIG_DB, on switches without it."""

import json
import os
import unittest

from harness import (VENDOR, asic_objects, needs_packets, not_beside,
                     wait_until)
from test_cli import HERMETIC
from test_counters import FLEX_COUNTER_DB
from test_qos import PORTS, Qos
from test_rollback import History

setUpModule = not_beside("the stand-in for orchagent has no link-level retry")

PROFILE = {"max_outstanding_frames": "100", "max_outstanding_bytes": "9000"}
PORT = {"llr_profile": "a", "llr_local": "enabled", "llr_remote": "enabled"}
ROWS = {"LLR_PROFILE|a": PROFILE, "LLR_PORT|Ethernet0": PORT}


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

    @needs_packets
    def test_a_plan_says_so(self):
        path = self.write("plan.json", json.dumps(
            {"LLR_PROFILE": {"a": PROFILE}}))
        text = self.ctl("config", "plan", path, *HERMETIC)
        self.assertIn("no-llr", text)
        self.assertNotIn("PORT_LLR_PROFILE", text)


if __name__ == "__main__":
    unittest.main()

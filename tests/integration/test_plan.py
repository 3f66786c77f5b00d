# SPDX-License-Identifier: Apache-2.0
"""orchctl config plan: the flow on a switch of orchctl's own, without a daemon
and without Redis."""

import copy
import json
import os
import unittest

from harness import LIBSAI, SOURCE
from test_cli import DONE, EXAMPLE, NO, USAGE, Cli


class Plan(Cli):

    def setUp(self):
        super().setUp()
        with open(EXAMPLE, encoding="utf-8") as file:
            self.config = json.load(file)

    def words(self, config, *options):
        path = self.write("plan.json", json.dumps(config))
        return ("config", "plan", path, "--sai", LIBSAI, "--chips",
                os.path.join(SOURCE, "chips"), "--yang-dir",
                os.path.join(SOURCE, "schemas"), *options)

    def plan(self, config, *options, code=DONE):
        return self.data(*self.words(config, *options), code=code)

    def changed(self, table, key, **fields):
        config = copy.deepcopy(self.config)
        config.setdefault(table, {}).setdefault(key, {}).update(fields)
        return config

    def test_an_empty_switch_gets_everything_in_the_order_of_references(self):
        plan = self.plan(self.config)
        calls = plan["calls"]
        places = {}
        for i, call in enumerate(calls):
            self.assertNotIn("refused", call)
            places.setdefault(call["object"], i)
        profile = calls[places["BUFFER_PROFILE|egress_lossy_profile"]]
        self.assertEqual(profile["op"], "create")
        self.assertEqual(profile["type"], "SAI_OBJECT_TYPE_BUFFER_PROFILE")
        self.assertEqual(profile["attributes"]["POOL_ID"],
                         "BUFFER_POOL|egress_lossy_pool")
        for earlier, later in (
                ("BUFFER_POOL|egress_lossy_pool",
                 "BUFFER_PROFILE|egress_lossy_profile"),
                ("BUFFER_PROFILE|egress_lossy_profile",
                 "BUFFER_QUEUE|Ethernet0|0"),
                ("DSCP_TO_TC_MAP|AZURE", "PORT|Ethernet0")):
            self.assertLess(places[earlier], places[later])
        self.assertEqual(plan["violations"], [])
        before, after = (plan["resources"][when]
                         for when in ("before", "after"))
        self.assertEqual(before["pools"], 0)
        # 64 lossless groups of 1,248 bytes; the pool for their headroom.
        lossless = self.config["BUFFER_PROFILE"][
            "pg_lossless_100000_5m_profile"]
        self.assertEqual(after["ingress_reserved_bytes"],
                         64 * int(lossless["size"]))
        self.assertEqual(after["headroom_demand_bytes"],
                         64 * int(lossless["xoff"]))
        self.assertEqual(after["lossless_pgs"], 64)

    def test_two_refused_ports_with_the_same_lanes_come_to_an_end(self):
        """The chip refuses both, and each gives way to the other once."""
        port = {"lanes": "65", "speed": "100000", "admin_status": "up"}
        plan = self.plan({"PORT": {"Ethernet0": port, "Ethernet4": port}},
                         "--model", "td3", code=NO)
        self.assertEqual(
            [(row["key"], row["state"], row["code"]) for row in plan["rows"]],
            [("Ethernet0", "rejected", "unsupported-speed"),
             ("Ethernet4", "waiting", "lanes-in-use")])

    def test_the_same_configuration_again_needs_no_call(self):
        plan = self.plan(self.config, "--from", EXAMPLE)
        self.assertEqual(plan["calls"], [])
        self.assertEqual(plan["resources"]["before"],
                         plan["resources"]["after"])

    def test_one_changed_field_is_one_call(self):
        plan = self.plan(self.changed("BUFFER_PROFILE", "egress_lossy_profile",
                                      dynamic_th="-2"), "--from", EXAMPLE)
        self.assertEqual(plan["calls"], [{
            "op": "set", "type": "SAI_OBJECT_TYPE_BUFFER_PROFILE",
            "object": "BUFFER_PROFILE|egress_lossy_profile",
            "attributes": {"SHARED_DYNAMIC_TH": "-2"}}])

    def test_a_create_only_change_makes_before_it_breaks(self):
        plan = self.plan(self.changed("BUFFER_POOL", "egress_lossy_pool",
                                      mode="static"), "--from", EXAMPLE)
        steps = [(call["op"], call["object"]) for call in plan["calls"]]
        pool = "BUFFER_POOL|egress_lossy_pool"
        profile = "BUFFER_PROFILE|egress_lossy_profile"
        order = [steps.index(step) for step in (
            ("create", pool), ("create", profile),
            ("set", "BUFFER_QUEUE|Ethernet0|0"), ("remove", profile),
            ("remove", pool))]
        self.assertEqual(order, sorted(order))

    def test_a_deleted_row_is_removed(self):
        config = copy.deepcopy(self.config)
        for key in list(config["BUFFER_QUEUE"]):
            del config["BUFFER_QUEUE"][key]
        plan = self.plan(config, "--from", EXAMPLE)
        self.assertTrue(plan["calls"])
        for call in plan["calls"]:
            self.assertEqual((call["op"], call["attributes"]),
                             ("set", {"BUFFER_PROFILE_ID": None}))
        self.assertEqual(plan["resources"]["after"]["egress_reserved_bytes"],
                         0)

    def test_a_bad_row_is_answered_and_the_exit_code_says_so(self):
        plan = self.plan(self.changed("BUFFER_POOL", "egress_lossy_pool",
                                      size="12x"), code=NO)
        self.assertEqual(plan["counts"]["rejected"], 1)
        # Its profile, and all that would use that.
        users = [row for row in self.config["BUFFER_QUEUE"].values()
                 if row["profile"] == "egress_lossy_profile"]
        self.assertEqual(plan["counts"]["waiting"], 1 + len(users))
        text = self.ctl(*self.words(self.changed(
            "BUFFER_POOL", "egress_lossy_pool", size="12x")), code=NO)
        self.assertIn("BUFFER_POOL|egress_lossy_pool: rejected (type)", text)
        self.assertIn("BUFFER_POOL|egress_lossy_pool exists, but is not applied",
                      text)
        # All that wait for the same have one paragraph.
        self.assertIn(f"BUFFER_QUEUE|Ethernet0|0-2 and {len(users) - 1} more "
                      "rows: waiting (missing-ref)", text)
        self.assertEqual(text.count("egress_lossy_profile exists, but "
                                    "is not applied"), 1)

    def test_pfc_without_headroom_is_reported(self):
        self.assertNotIn("Warning", self.ctl(*self.words(self.config)))
        self.assertEqual(self.plan(self.config)["lint"]["warnings"], 0)
        config = copy.deepcopy(self.config)
        del config["BUFFER_PG"]
        text = self.ctl(*self.words(config))
        self.assertIn("Warning: BUFFER_PG|Ethernet0|3 and 63 more: PFC is "
                      "enabled for it, but it has no profile", text)
        self.assertIn("lookup_file", text)

    def test_more_than_the_chip_has_is_reported(self):
        config = self.changed("BUFFER_PROFILE", "pg_lossless_100000_5m_profile",
                              size="1000000")
        plan = self.plan(config, code=NO)
        # 64 groups of 1,000,000 bytes, and 4,259,840 of shared headroom.
        self.assertEqual(len(plan["violations"]), 1)
        self.assertIn("68259840 bytes are reserved at ingress, but the chip has only 17039360",
                      plan["violations"][0])
        self.assertTrue([call for call in plan["calls"] if "refused" in call])
        self.assertTrue(plan["counts"]["failed"])

    def test_all_of_the_chip_is_not_more_than_it_has(self):
        # (17,039,360 - 4,259,840) / 64 groups.
        for size, n in ((199680, 0), (199681, 1)):
            config = self.changed("BUFFER_PROFILE",
                                  "pg_lossless_100000_5m_profile",
                                  size=str(size))
            plan = json.loads(self.run_ctl(
                "--json", *self.words(config)).stdout)
            self.assertEqual(len(plan["violations"]), n, plan["violations"])

    def test_the_dynamic_model_knows_the_chip(self):
        config = self.changed("DEVICE_METADATA", "localhost",
                              buffer_model="dynamic")
        config["DEFAULT_LOSSLESS_BUFFER_PARAMETER"] = {
            "AZURE": {"default_dynamic_th": "0"}}
        config["CABLE_LENGTH"] = {"AZURE": {"Ethernet0": "5m"}}
        config["BUFFER_PG"] = {"Ethernet0|3-4": {"profile": "NULL"}}
        plan = self.plan(config)
        self.assertTrue([call for call in plan["calls"]
                         if call["object"] ==
                         "BUFFER_PROFILE|pg_lossless_100000_5m_profile"])

    def test_what_counts_as_trouble(self):
        # A reference that nothing in the file resolves.
        plan = self.plan(self.changed("BUFFER_PG", "Ethernet0|0",
                                      profile="nobody"), code=NO)
        self.assertEqual(plan["counts"]["waiting"], 1)
        # What no version could do, and what is merely strange.
        plan = self.plan(self.changed("FLEX_COUNTER_TABLE", "ACL",
                                      POLL_INTERVAL="1000"))
        self.assertEqual(plan["counts"]["unsupported"], 1)
        plan = self.plan(self.changed("PORT", "Ethernet0", nonsense="1"))
        self.assertEqual([(row["key"], row["state"], row["warnings"])
                          for row in plan["rows"]],
                         [("Ethernet0", "applied", "unknown-field nonsense")])
        # A row that does not exist.
        lookup = self.write("lookup.ini", "40000 5m 1248 2288 165568 0 2288\n")
        config = self.changed("CABLE_LENGTH", "AZURE", Ethernet0="5m")
        del config["BUFFER_PG"]["Ethernet0|3-4"]
        plan = self.plan(config, "--lookup", lookup)
        self.assertEqual(plan["counts"]["waiting"], 0)

    def test_text_groups_what_is_said_of_many(self):
        text = self.ctl(*self.words(self.config))
        self.assertIn("set    BUFFER_PG|Ethernet0|3 BUFFER_PROFILE="
                      "BUFFER_PROFILE|pg_lossless_100000_5m_profile\n"
                      "         and the same for 63 more\n", text)
        self.assertLess(len(text.splitlines()), 60)

    def test_settings_are_those_of_the_daemon(self):
        config = self.changed("SCHEDULER", "s", type="DWRR", weight="5")
        config.setdefault("QUEUE", {})["Ethernet0|3"] = {"scheduler": "s"}

        def target(*options):
            calls = self.plan(config, *options)["calls"]
            return [call["type"] for call in calls
                    if call["object"].endswith("QUEUE|Ethernet0|3") and
                    "SCHEDULER_PROFILE_ID" in str(call)]

        group = "SAI_OBJECT_TYPE_SCHEDULER_GROUP"
        queue = "SAI_OBJECT_TYPE_QUEUE"
        self.assertEqual(target(), [group])
        self.assertEqual(target("--set", "scheduler_target=queue"), [queue])
        path = self.write("orchd.conf", "scheduler_target = queue\n")
        self.assertEqual(target("--config", path), [queue])
        # The last word counts, as it does for orchd.
        self.assertEqual(target("--config", path, "--set", "strict=no", "--set",
                                "scheduler_target=group"), [group])

        config = self.changed("PORT", "Ethernet0", nonsense="1")
        self.plan(config)
        self.plan(config, "--set", "strict=yes", code=NO)

    def test_wrong_settings_are_usage(self):
        words = self.words(self.config)
        self.refuse(USAGE, "expected KEY = VALUE, found 'x'", *words, "--set",
                    "x")
        self.refuse(USAGE, "group|queue", *words, "--set",
                    "scheduler_target=x")
        self.refuse(USAGE, "config file /nowhere cannot be read", *words,
                    "--config", "/nowhere")
        self.refuse(USAGE, "open /nowhere: No such", *words, "--set",
                    "asic_table=/nowhere")

    def test_what_cannot_be_run_is_explained(self):
        words = self.words(self.config)
        self.refuse(USAGE, "No such file", *words[:2],
                    os.path.join(self.directory, "missing"), *words[3:])
        self.refuse(USAGE, "is a directory", *words[:2], self.directory,
                    *words[3:])
        self.refuse(USAGE, "/nolookup: No such", *words, "--lookup",
                    "/nolookup")
        self.refuse(USAGE, "there is no chip nosuchchip in .*; there are .*td2",
                    *words, "--model", "nosuchchip")
        path = self.write("torn.json", '{"PORT": {')
        self.refuse(USAGE, "torn.json:1:", *words[:2], path, *words[3:])
        self.refuse(USAGE, "nosuchchip", *words, "--model", "nosuchchip")
        self.refuse(USAGE, "nosuchlib", *words, "--sai", "/nosuchlib.so")
        self.refuse(USAGE, "nosuchdir", *words, "--yang-dir", "/nosuchdir")


if __name__ == "__main__":
    unittest.main()

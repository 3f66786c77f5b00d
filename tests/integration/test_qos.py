# SPDX-License-Identifier: Apache-2.0
"""QoS tables through the unmodified daemon: what tools write, in the order and
with the mistakes that are known of them.

A name like A3 refers to a weakness of other implementations: what they do wrong
there must go right here."""

import itertools
import json
import unittest

from harness import (CONFIG_DB, COUNTERS_DB, STATE_DB, VENDOR, asic_objects,
                     needs_packets, not_beside, wait_until)
from test_cli import NO, Cli

setUpModule = not_beside("orchagent reads QoS rows itself, and makes mistakes of its own")

PORTS = {"PORT|Ethernet0": {"lanes": "1,2,3,4", "speed": "100000"},
         "PORT|Ethernet4": {"lanes": "5,6,7,8", "speed": "100000"}}
PROFILES = {
    "DSCP_TO_TC_MAP|AZURE": {"0": "0", "3": "3", "46": "5"},
    "TC_TO_QUEUE_MAP|AZURE": {"0": "0", "3": "3", "5": "5"},
    "TC_TO_DOT1P_MAP|AZURE": {"3": "4"},
    "SCHEDULER|low": {"type": "DWRR", "weight": "14"},
    "SCHEDULER|high": {"type": "STRICT"},
    "SCHEDULER|shaper": {"pir": "9000000000", "pbs": "8192"},
    "WRED_PROFILE|AZURE_LOSSLESS": {
        "wred_green_enable": "true", "ecn": "ecn_all",
        "green_min_threshold": "1000000", "green_max_threshold": "2000000",
        "green_drop_probability": "5"},
}
BINDINGS = {
    "PORT_QOS_MAP|global": {"dscp_to_tc_map": "AZURE"},
    "PORT_QOS_MAP|Ethernet0": {
        "dscp_to_tc_map": "AZURE", "tc_to_queue_map": "AZURE",
        "tc_to_dot1p_map": "AZURE", "scheduler": "shaper",
        "pfc_enable": "3,4"},
    "QUEUE|Ethernet0|0-2": {"scheduler": "low"},
    "QUEUE|Ethernet0|3": {"scheduler": "high",
                          "wred_profile": "AZURE_LOSSLESS"},
}
ALL = {**PORTS, **PROFILES, **BINDINGS}
WRED = "WRED_PROFILE|AZURE_LOSSLESS"
GROUP = "SAI_SCHEDULER_GROUP_ATTR_SCHEDULER_PROFILE_ID"
NULL = "oid:0x0"


class Qos(Cli):

    def put(self, client, rows):
        """Writes rows; one that is None is deleted."""
        client.pipeline([("SELECT", CONFIG_DB)] + [
            ("DEL", row) if fields is None else
            ("HSET", row, *itertools.chain.from_iterable(fields.items()))
            for row, fields in rows.items()])

    def begin(self, rows=None):
        client = self.start()
        self.put(client, ALL if rows is None else rows)
        self.wait_applied(client, ALL if rows is None else rows)
        return client

    def attributes(self, client, kind):
        return [row for found, row in asic_objects(client).values()
                if found == "SAI_OBJECT_TYPE_" + kind]

    def picture(self, client):
        """What the ASIC holds, with contents in the place of ids."""
        objects = asic_objects(client)

        def contents(oid):
            if not oid.startswith("oid:") or oid == NULL:
                return oid
            kind, row = objects.get(oid, ("?", {}))
            if kind == "SAI_OBJECT_TYPE_PORT":
                return row.get("SAI_PORT_ATTR_HW_LANE_LIST")
            return (kind, tuple(sorted((k, contents(v)) for k, v in row.items()
                                       if v != NULL)))

        return sorted(str(contents(oid)) for oid, (kind, row) in objects.items()
                      if kind != "SAI_OBJECT_TYPE_SWITCH") + sorted(
            str(sorted((k, contents(v)) for k, v in row.items() if v != NULL))
            for kind, row in objects.values()
            if kind == "SAI_OBJECT_TYPE_PORT")

    def fault(self, **rule):
        words = itertools.chain.from_iterable(
            ["--" + key] if value is True else ["--" + key, str(value)]
            for key, value in rule.items())
        self.data("sai", "fault", "add", *words)


class CpuPort(Qos):
    """The queues of the port of the switch's own processor."""

    def queues(self, client):
        return [row for row in self.attributes(client, "QUEUE")
                if row.get("SAI_QUEUE_ATTR_WRED_PROFILE_ID", NULL) != NULL]

    @needs_packets
    def test_are_programmed_where_there_are_any(self):
        client = self.begin({**PORTS, **PROFILES})
        rows = {"QUEUE|CPU|0-1": {"scheduler": "low",
                                  "wred_profile": "AZURE_LOSSLESS"}}
        self.put(client, rows)
        self.wait_applied(client, rows)
        self.assertEqual(len(self.queues(client)), 2)
        self.assertEqual(len([row for row in self.attributes(
            client, "SCHEDULER_GROUP") if row.get(GROUP, NULL) != NULL]), 2)
        # None of the ports of the configuration was meant.
        self.assertNotIn("CPU", client.hash(COUNTERS_DB,
                                            "COUNTERS_PORT_NAME_MAP"))
        self.put(client, {"QUEUE|CPU|8": {"scheduler": "low"}})
        self.wait_state(client, "QUEUE|CPU|8", "rejected")
        self.assertEqual(self.status(client, "QUEUE|CPU|8")["reason"],
                         "CPU has only 8 queues")
        self.put(client, {"QUEUE|CPU|0-1": None})
        wait_until(lambda: not self.queues(client), "the queues are let go")
        self.stop_orchd()

    @unittest.skipIf(VENDOR == "softasic", "its switch has them")
    def test_are_unsupported_where_there_are_none(self):
        client = self.begin({**PORTS, **PROFILES})
        self.put(client, {"QUEUE|CPU|0": {"scheduler": "low"}})
        self.wait_state(client, "QUEUE|CPU|0", "unsupported")
        self.assertEqual(self.status(client, "QUEUE|CPU|0")["code"],
                         "cpu-port")
        self.stop_orchd()


class Mistakes(Qos):
    """What users get wrong."""

    def test_A1_a_bad_number_stops_nothing_else(self):
        client = self.begin(PORTS)
        bad = {"DSCP_TO_TC_MAP|a": {"3": "much"},
               "SCHEDULER|a": {"meter_type": "bits"},
               "WRED_PROFILE|a": {"ecn": "ecn_blue"},
               "QUEUE|Ethernet0|4-3": {"scheduler": "b"}}
        good = {"DSCP_TO_TC_MAP|b": {"3": "4"},
                "SCHEDULER|b": {"meter_type": "packets"},
                "WRED_PROFILE|b": {"ecn": "ecn_all"},
                "QUEUE|Ethernet0|4": {"scheduler": "b"}}
        self.put(client, {**bad, **good})
        self.wait_applied(client, good)
        for row in bad:
            self.wait_state(client, row, "rejected")
        self.assertEqual(self.status(client, "DSCP_TO_TC_MAP|a")["field"], "3")
        self.assertIn("packets, bytes",
                      self.status(client, "SCHEDULER|a")["allowed"])
        self.stop_orchd()

    def test_a_table_in_the_place_of_a_row_is_pointed_out(self):
        client = self.begin(PORTS)
        for table in ("SCHEDULER", "QUEUE", "PORT", "FLEX_COUNTER_TABLE"):
            self.put(client, {table: {"size": "1"}})
            self.wait_state(client, table + "|", "rejected")
            self.assertEqual(self.status(client, table + "|")["reason"],
                             f"the key of a {table} row is empty")
            self.put(client, {table: None})
            wait_until(lambda: not self.status(client, table + "|"),
                       "the answer goes with the key")
        self.stop_orchd()

    def test_A2_what_is_missing_is_named(self):
        client = self.begin(PORTS)
        self.put(client, {"PORT_QOS_MAP|Ethernet0": {
            "dscp_to_tc_map": "none", "scheduler": "nobody",
            "pfc_enable": "3"}})
        self.wait_state(client, "PORT_QOS_MAP|Ethernet0", "waiting")
        self.assertEqual(
            self.status(client, "PORT_QOS_MAP|Ethernet0")["blocked_by"],
            "DSCP_TO_TC_MAP|none")
        [row] = self.data("show", "waiting")["waiting"]
        self.assertEqual(row["key"], "Ethernet0")
        # Nothing of it is applied before all of it can be.
        self.assertFalse(any(
            "SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL" in port
            for port in self.attributes(client, "PORT")))
        self.put(client, {"DSCP_TO_TC_MAP|none": {"1": "1"},
                          "SCHEDULER|nobody": {"pir": "5"}})
        self.wait_state(client, "PORT_QOS_MAP|Ethernet0", "applied")
        self.stop_orchd()

    def test_A9_no_value_is_cut_to_eight_bits(self):
        client = self.begin(PORTS)
        bad = {"DSCP_TO_TC_MAP|a": {"300": "1"},
               "TC_TO_QUEUE_MAP|a": {"1": "257"},
               "SCHEDULER|a": {"weight": "300"},
               "WRED_PROFILE|a": {"green_drop_probability": "256"},
               "PORT_QOS_MAP|Ethernet0": {"pfc_enable": "3,9"}}
        self.put(client, bad)
        for row in bad:
            self.wait_state(client, row, "rejected")
            self.assertTrue(self.status(client, row)["allowed"], row)
        for kind in ("QOS_MAP", "SCHEDULER", "WRED"):
            self.assertEqual(self.attributes(client, kind), [])
        self.stop_orchd()

    def test_A10_priority_of_a_scheduler_is_ignored_with_a_warning(self):
        client = self.begin({**PORTS, "SCHEDULER|s": {"weight": "7",
                                                      "priority": "2"}})
        self.assertIn("priority",
                      self.status(client, "SCHEDULER|s")["warnings"])
        [scheduler] = self.attributes(client, "SCHEDULER")
        self.assertEqual(
            scheduler["SAI_SCHEDULER_ATTR_SCHEDULING_WEIGHT"], "7")
        self.stop_orchd()

    def test_A11_ranges_that_overlap_have_one_owner(self):
        client = self.begin({**PORTS, **PROFILES})
        narrow, wide = "QUEUE|Ethernet0|3-3", "QUEUE|Ethernet0|0-7"
        self.put(client, {narrow: {"scheduler": "high"},
                          wide: {"scheduler": "low"}})
        self.wait_state(client, narrow, "applied")
        self.wait_state(client, wide, "shadowed")
        groups = [g[GROUP] for g in self.attributes(client, "SCHEDULER_GROUP")]
        self.assertEqual(len(groups), 8)
        self.assertEqual(len(set(groups)), 2)
        self.put(client, {narrow: None})
        self.wait_state(client, wide, "applied")
        groups = [g[GROUP] for g in self.attributes(client, "SCHEDULER_GROUP")]
        self.assertEqual(len(set(groups)), 1)
        self.assertNotIn(NULL, groups)
        self.stop_orchd()

    def test_G_old_references_and_limits_without_guarantee(self):
        client = self.begin({**PORTS, **PROFILES})
        rows = {"QUEUE|Ethernet0|3": {
                    "scheduler": "[SCHEDULER|low]",
                    "wred_profile": "[WRED_PROFILE|AZURE_LOSSLESS]"},
                "PORT_QOS_MAP|Ethernet0": {
                    "tc_to_dot1p_map": "[TC_TO_DOT1P_MAP|AZURE]",
                    "scheduler": "[SCHEDULER|shaper]"}}
        self.put(client, rows)
        self.wait_applied(client, rows)
        for row in rows:
            self.assertIn("legacy-reference",
                          self.status(client, row)["warnings"])
        self.assertEqual(client.hash(CONFIG_DB, "QUEUE|Ethernet0|3"),
                         rows["QUEUE|Ethernet0|3"])
        self.stop_orchd()


class Refusals(Qos):
    """What the device refuses."""

    def test_A3_a_refusal_does_not_end_the_batch(self):
        client = self.begin({**PORTS, **PROFILES})
        self.fault(op="set", type="scheduler_group", nth=2,
                   status="invalid_parameter")
        rows = [f"QUEUE|Ethernet0|{i}" for i in range(4)]
        self.put(client, {row: {"scheduler": "low"} for row in rows})
        wait_until(lambda: all(self.status(client, row) for row in rows),
                   "all rows are answered")
        states = sorted(self.status(client, row)["state"] for row in rows)
        self.assertEqual(states, ["applied"] * 3 + ["failed"])
        self.stop_orchd()

    def test_A4_lack_of_resources_is_retried_until_it_is_applied(self):
        client = self.begin({**PORTS, **PROFILES})
        self.fault(op="set", type="queue", attribute="wred_profile_id", nth=1,
                   status="insufficient_resources")
        row = "QUEUE|Ethernet0|3"
        self.put(client, {row: {"wred_profile": "AZURE_LOSSLESS"}})
        self.wait_state(client, row, "failed")
        self.assertEqual(self.status(client, row)["code"],
                         "sai:SAI_STATUS_INSUFFICIENT_RESOURCES")
        self.wait_state(client, row, "applied")
        [queue] = self.attributes(client, "QUEUE")
        self.assertNotEqual(queue["SAI_QUEUE_ATTR_WRED_PROFILE_ID"], NULL)
        self.stop_orchd()

    def test_A5_a_failure_is_never_called_a_success(self):
        client = self.begin({**PORTS, **PROFILES})
        for status in ("object_in_use", "item_not_found"):
            with self.subTest(status):
                self.fault(op="set", type="scheduler_group", status=status)
                self.fault(op="set", type="port",
                           attribute="priority_flow_control", status=status)
                rows = {"QUEUE|Ethernet0|3": {"scheduler": "low"},
                        "PORT_QOS_MAP|Ethernet0": {"pfc_enable": "3"}}
                self.put(client, rows)
                for row in rows:
                    self.wait_state(client, row, "failed")
                self.assertEqual(
                    self.data("show", "pfc", "Ethernet0")["pfc"][0]["both"], 0)
                self.ctl("sai", "fault", "clear")
                self.put(client, {row: None for row in rows})
                for row in rows:
                    self.wait_state(client, row, None)
        self.stop_orchd()

    def test_A6_what_the_device_lacks_is_left_out(self):
        client = self.begin(PORTS)
        self.fault(type="wred", attribute="ecn_mark_mode", unsupported=True)
        self.fault(type="switch", attribute="qos_dscp_to_tc_map",
                   unsupported=True)
        self.fault(type="port", attribute="qos_tc_and_color_to_dot1p_map",
                   unsupported=True)
        self.put(client, ALL)
        lacking = {WRED: "ecn", "PORT_QOS_MAP|global": "dscp_to_tc_map",
                   "PORT_QOS_MAP|Ethernet0": "tc_to_dot1p_map"}
        for row, field in lacking.items():
            self.wait_state(client, row, "unsupported")
            status = self.status(client, row)
            self.assertEqual(status["field"], field)
            self.assertIn("ATTR_NOT_SUPPORTED", status["code"])
        self.wait_applied(client, set(ALL) - set(lacking))
        [wred] = self.attributes(client, "WRED")
        self.assertEqual(wred["SAI_WRED_ATTR_GREEN_MAX_THRESHOLD"], "2000000")
        self.assertTrue(any(
            port.get("SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL") == "24"
            for port in self.attributes(client, "PORT")))
        # It is trouble, unlike what only a later version will do.
        self.assertIn("cannot do this", self.ctl("config", "status", code=NO))
        self.stop_orchd()

    def test_A7_no_refusal_ends_the_daemon(self):
        client = self.begin(PORTS)
        for kind in ("qos_map", "scheduler", "wred"):
            self.fault(op="create", type=kind, status="failure")
        self.put(client, ALL)
        for row in PROFILES:
            self.wait_state(client, row, "failed")
        for row in BINDINGS:
            self.wait_state(client, row, "waiting")
        self.ctl("sai", "fault", "clear")
        self.wait_applied(client, ALL)
        self.stop_orchd()

    def test_A8_every_row_has_an_answer(self):
        client = self.begin()
        self.assertEqual(
            {key.split("|", 1)[1]
             for key in client.keys(STATE_DB, "ORCHD_STATUS|*")}, set(ALL))
        self.stop_orchd()


class Order(Qos):
    """Rows that come, go and change in an awkward order."""

    def test_B1_a_row_of_an_unknown_port_holds_nothing(self):
        client = self.begin({**PORTS, **PROFILES})
        rows = {"QUEUE|Ethernet8|3": {"scheduler": "low"},
                "PORT_QOS_MAP|Ethernet0,Ethernet8": {"scheduler": "low"}}
        self.put(client, rows)
        for row in rows:
            self.wait_state(client, row, "waiting")
            self.assertEqual(self.status(client, row)["blocked_by"],
                             "PORT|Ethernet8")
        self.put(client, {**{row: None for row in rows},
                          "SCHEDULER|low": None})
        self.wait_state(client, "SCHEDULER|low", None)
        self.assertEqual(len(self.attributes(client, "SCHEDULER")), 2)
        self.stop_orchd()

    def test_B2_deleting_and_rewriting_all_in_any_order_ends_the_same(self):
        client = self.begin()
        before = self.picture(client)
        for rows in (ALL, dict(reversed(ALL.items()))):
            rows = {row: ALL[row] for row in rows if row not in PORTS}
            self.put(client, {row: None for row in rows})
            for row in rows:
                self.wait_state(client, row, None)
            for kind in ("QOS_MAP", "SCHEDULER", "WRED"):
                self.assertEqual(self.attributes(client, kind), [])
            self.put(client, rows)
            self.wait_applied(client, rows)
            self.assertEqual(self.picture(client), before)
        self.stop_orchd()

    def test_B3_a_port_that_comes_late_gets_its_qos(self):
        client = self.begin({**PROFILES,
                             "PORT|Ethernet4": PORTS["PORT|Ethernet4"]})
        self.put(client, BINDINGS)
        self.wait_state(client, "PORT_QOS_MAP|Ethernet0", "waiting")
        self.wait_state(client, "QUEUE|Ethernet0|3", "waiting")
        self.put(client, PORTS)
        self.wait_applied(client, ALL)
        late = self.picture(client)
        self.stop_orchd()
        self.kill_redis()
        self.assertEqual(late, self.picture(self.begin()))
        self.stop_orchd()

    def test_B6_removed_fields_are_undone(self):
        client = self.begin()
        for row, field in (("SCHEDULER|low", "weight"),
                           ("SCHEDULER|shaper", "pbs"),
                           (WRED, "ecn"), (WRED, "green_max_threshold"),
                           ("PORT_QOS_MAP|Ethernet0", "scheduler"),
                           ("QUEUE|Ethernet0|3", "scheduler")):
            client.on(CONFIG_DB, "HDEL", row, field)
        self.ctl("config", "sync")
        [wred] = self.attributes(client, "WRED")
        self.assertEqual(wred["SAI_WRED_ATTR_ECN_MARK_MODE"],
                         "SAI_ECN_MARK_MODE_NONE")
        self.assertEqual(wred["SAI_WRED_ATTR_GREEN_MAX_THRESHOLD"], "0")
        self.assertEqual(
            sorted(s.get("SAI_SCHEDULER_ATTR_SCHEDULING_WEIGHT", "1")
                   for s in self.attributes(client, "SCHEDULER")),
            ["1", "1", "1"])
        [shaper] = [s for s in self.attributes(client, "SCHEDULER")
                    if "SAI_SCHEDULER_ATTR_MAX_BANDWIDTH_RATE" in s]
        self.assertEqual(
            shaper["SAI_SCHEDULER_ATTR_MAX_BANDWIDTH_BURST_RATE"], "0")
        self.assertIn(NULL, [
            port.get("SAI_PORT_ATTR_QOS_SCHEDULER_PROFILE_ID")
            for port in self.attributes(client, "PORT")])
        self.assertIn(NULL, [
            group[GROUP]
            for group in self.attributes(client, "SCHEDULER_GROUP")])
        self.stop_orchd()

    def test_B7_a_profile_made_anew_knows_nothing_of_the_old_one(self):
        client = self.begin()
        low = {"green_min_threshold": "1000000",
               "green_max_threshold": "2000000"}
        high = {"green_min_threshold": "3000000",
                "green_max_threshold": "4000000"}
        self.fault(op="set", type="wred", attribute="green_max_threshold",
                   status="invalid_parameter")
        self.put(client, {WRED: high})
        self.wait_state(client, WRED, "failed")
        [wred] = self.attributes(client, "WRED")
        # What was refused of the one must not be crossed by the other.
        self.assertEqual(wred["SAI_WRED_ATTR_GREEN_MIN_THRESHOLD"], "1000000")
        self.ctl("sai", "fault", "clear")
        self.put(client, {"QUEUE|Ethernet0|3": None, WRED: None})
        self.wait_state(client, WRED, None)
        for values in (low, high, low):
            self.put(client, {WRED: values})
            self.wait_state(client, WRED, "applied")
            self.ctl("config", "sync")
            [wred] = self.attributes(client, "WRED")
            self.assertEqual(wred["SAI_WRED_ATTR_GREEN_MIN_THRESHOLD"],
                             values["green_min_threshold"])
            self.assertEqual(wred["SAI_WRED_ATTR_GREEN_MAX_THRESHOLD"],
                             values["green_max_threshold"])
        self.stop_orchd()

    def test_B8_fields_written_one_by_one_are_judged_together(self):
        client = self.begin()
        for low, high in ((1, 2), (7, 8), (3, 9), (1, 1)):
            for field, value in (("max", high), ("min", low)):
                client.on(CONFIG_DB, "HSET", WRED, f"green_{field}_threshold",
                          str(value))
            self.ctl("config", "sync")
            self.assertEqual(self.status(client, WRED)["state"], "applied")
            [wred] = self.attributes(client, "WRED")
            self.assertEqual(wred["SAI_WRED_ATTR_GREEN_MIN_THRESHOLD"],
                             str(low))
        events = client.on(STATE_DB, "KEYS", "ORCHD_EVENTS*")
        warnings = json.dumps([client.on(STATE_DB, "LRANGE", key, "0", "-1")
                               if client.on(STATE_DB, "TYPE", key) == "list" else
                               client.on(STATE_DB, "XRANGE", key, "-", "+")
                               for key in events])
        self.assertNotIn("min-above-max", warnings)
        self.stop_orchd()

    def test_B9_who_holds_a_deleted_row_is_named(self):
        client = self.begin()
        for row, holders in (
                ("SCHEDULER|low", "QUEUE|Ethernet0|0-2"),
                (WRED, "QUEUE|Ethernet0|3"),
                ("SCHEDULER|shaper", "PORT_QOS_MAP|Ethernet0"),
                ("DSCP_TO_TC_MAP|AZURE",
                 "PORT_QOS_MAP|Ethernet0,PORT_QOS_MAP|global")):
            self.put(client, {row: None})
            self.wait_state(client, row, "pending-delete")
            self.assertEqual(self.status(client, row)["referenced_by"],
                             holders)
            self.put(client, {row: ALL[row]})
            self.wait_state(client, row, "applied")
        self.stop_orchd()


class Shown(Qos):

    def test_objects_are_shown_beside_their_rows(self):
        client = self.begin()
        self.put(client, {"PORT|Ethernet0": {"pfc_asym": "on"}})
        self.ctl("config", "sync")
        schedulers = {s["name"]: s for s in
                      self.data("show", "schedulers")["schedulers"]}
        self.assertEqual(schedulers["low"]["weight"], 14)
        self.assertEqual(schedulers["high"]["type"], "strict")
        self.assertEqual(schedulers["shaper"]["pir"], 9000000000)
        self.assertEqual(schedulers["low"]["references"], 3)
        [wred] = self.data("show", "wred", "AZURE_LOSSLESS")["wred"]
        self.assertEqual((wred["green_min"], wred["green_max"],
                          wred["green_probability"], wred["green_enable"],
                          wred["ecn"]), (1000000, 2000000, 5, True, "all"))
        [pfc] = self.data("show", "pfc", "Ethernet0")["pfc"]
        self.assertEqual((pfc["mode"], pfc["tx"], pfc["rx"]),
                         ("separate", 0x18, 0xff))
        maps = {m["type"]: m["entries"]
                for m in self.data("show", "maps")["maps"]}
        self.assertEqual(maps["tc_and_color_to_dot1p"],
                         [{"from": 3, "to": 4}])
        queues = {q["index"]: q for q in
                  self.data("show", "queues", "Ethernet0")["queues"]}
        self.assertEqual(set(queues), {0, 1, 2, 3})
        self.assertEqual((queues[3]["scheduler"], queues[3]["wred"]),
                         ("high", "AZURE_LOSSLESS"))
        self.assertIsNone(queues[0]["wred"])
        self.assertRegex(self.ctl("show", "schedulers"), r"low +dwrr +14")
        self.assertIn("1,000,000-2,000,000 5 %", self.ctl("show", "wred"))
        self.assertRegex(self.ctl("show", "pfc"),
                         r"Ethernet0 +separate +3,4 +0,1,2,3,4,5,6,7")
        self.assertRegex(self.ctl("show", "queues"), r"Ethernet0\|3 .*high")
        self.stop_orchd()


if __name__ == "__main__":
    unittest.main(verbosity=2)

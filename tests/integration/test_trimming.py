# SPDX-License-Identifier: Apache-2.0
"""Packet trimming from CONFIG_DB to the switch and back."""

import json
import unittest
import urllib.request

from harness import (CONFIG_DB, COUNTERS_DB, STATE_DB, VENDOR,
                     asic_objects, free_port, needs_packets, not_beside,
                     wait_until)
from test_cli import NO, HERMETIC
from test_counters import FLEX_COUNTER_DB
from test_qos import PORTS, Qos
from test_rollback import History

setUpModule = not_beside("the stand-in for orchagent sets no trimming")

ROW = "SWITCH_TRIMMING|GLOBAL"
FIRST = {"size": "100", "dscp_value": "10", "queue_index": "1"}
PREFIX = "SAI_SWITCH_ATTR_PACKET_TRIM_"


POOL = "BUFFER_POOL|out"
ALIKE = {str(i): str(i) for i in range(8)}
# Queue 1 holds 4 packets and trims the others for queue 6, which holds 3.
CONGESTED = {
    **{port: {**fields, "admin_status": "up"}
       for port, fields in PORTS.items()},
    ROW: {"size": "128", "dscp_value": "48", "queue_index": "6"},
    POOL: {"type": "egress", "mode": "dynamic", "size": "10000000"},
    "BUFFER_PROFILE|trims": {"pool": "out", "size": "0", "static_th": "1024",
                             "packet_discard_action": "trim"},
    "BUFFER_PROFILE|small": {"pool": "out", "size": "0", "static_th": "768"},
    "BUFFER_QUEUE|Ethernet4|1": {"profile": "trims"},
    "BUFFER_QUEUE|Ethernet4|6": {"profile": "small"},
    "DSCP_TO_TC_MAP|alike": ALIKE, "TC_TO_QUEUE_MAP|alike": ALIKE,
    "PORT_QOS_MAP|Ethernet0,Ethernet4": {"dscp_to_tc_map": "alike",
                                         "tc_to_queue_map": "alike"},
    **{"FLEX_COUNTER_TABLE|" + group: {"FLEX_COUNTER_STATUS": "enable",
                                       "POLL_INTERVAL": "1000"}
       for group in ("SWITCH", "PORT", "QUEUE")},
}


class Trimming(Qos, History):
    """Rows, and what orchd says about them."""

    def trimming(self, client):
        """What orchd has set, by the ends of the names of attributes."""
        return {name.removeprefix(PREFIX): value
                for kind, row in asic_objects(client).values()
                if kind == "SAI_OBJECT_TYPE_SWITCH"
                for name, value in row.items() if name.startswith(PREFIX)}

    def test_the_switch_says_what_it_can_do(self):
        client = self.begin_with({ROW: FIRST})
        found = client.hash(STATE_DB, "SWITCH_CAPABILITY|switch")
        if VENDOR == "softasic":
            self.assertEqual(found, {
                "SWITCH_TRIMMING_CAPABLE": "true",
                "SWITCH|PACKET_TRIMMING_DSCP_RESOLUTION_MODE":
                    "DSCP_VALUE,FROM_TC",
                "SWITCH|PACKET_TRIMMING_QUEUE_RESOLUTION_MODE":
                    "STATIC,DYNAMIC",
                "SWITCH|NUMBER_OF_TRAFFIC_CLASSES": "16",
                "SWITCH|NUMBER_OF_UNICAST_QUEUES": "10",
                "LLR_CAPABLE": "false",
                "LLR_SUPPORTED_PROFILE_ATTRIBUTES": ""})
        else:  # Its library does not list values.
            self.assertEqual(found["SWITCH_TRIMMING_CAPABLE"], "false")
        client.on(STATE_DB, "DEL", "SWITCH_CAPABILITY|switch")
        self.restart_redis_notice(client)
        self.assertEqual(client.hash(STATE_DB, "SWITCH_CAPABILITY|switch"),
                         found)

    def restart_redis_notice(self, client):
        """Has orchd publish everything again."""
        client.on(STATE_DB, "FLUSHALL")
        wait_until(lambda: client.hash(STATE_DB, "SWITCH_CAPABILITY|switch"),
                   "the capabilities are published again")

    def begin_with(self, rows):
        client = self.start_redis()
        self.start_with_state()
        self.put(client, {**PORTS, **rows})
        self.wait_applied(client, rows)
        return client

    def test_rows_that_are_refused_change_nothing(self):
        client = self.begin_with({ROW: FIRST})
        before = self.trimming(client)
        self.assertEqual(before["SIZE"], "100")
        self.assertEqual(before["QUEUE_INDEX"], "1")
        bad = [("size", value) for value in ("", "-1", "4294967296")]
        bad += [("dscp_value", value) for value in ("", "-1", "64")]
        bad += [(field, value) for field in ("tc_value", "queue_index")
                for value in ("", "-1", "256")]
        if VENDOR == "softasic":  # What this chip lacks.
            bad += [("size", "59"), ("tc_value", "16"), ("queue_index", "10")]
        for field, value in bad:
            self.put(client, {ROW: {**FIRST, field: value}})
            self.wait_state(client, ROW, "rejected")
            found = self.status(client, ROW)
            self.assertEqual((found["field"], found.get("value", "")), (field, value))
            self.assertTrue(found["allowed"] and found["remedy"], found)
            self.assertEqual(self.trimming(client), before)
            self.put(client, {ROW: None})
            self.put(client, {ROW: FIRST})
            self.wait_state(client, ROW, "applied")

    def test_what_is_removed_stays(self):
        client = self.begin_with({ROW: FIRST})
        before = self.trimming(client)
        client.on(CONFIG_DB, "DEL", ROW)
        self.wait_state(client, ROW, "pending-delete")
        self.assertEqual(self.status(client, ROW)["code"], "kept")
        self.assertEqual(self.trimming(client), before)
        self.assertIn("cannot be undone",
                      self.ctl("config", "explain", ROW))

    def test_back_to_what_was(self):
        client = self.begin_with({ROW: FIRST})
        before = self.trimming(client)
        self.ctl("config", "sync")
        first = self.generations()[0]
        self.put(client, {ROW: {"size": "200", "dscp_value": "from-tc",
                                "tc_value": "5", "queue_index": "dynamic"}})
        wait_until(lambda: self.trimming(client)["SIZE"] == "200",
                   "the row is applied")
        self.ctl("config", "sync")
        self.assertIn("TC_VALUE", self.trimming(client))
        self.ctl("config", "rollback", str(first), "--yes")
        self.ctl("config", "sync")
        found = self.trimming(client)
        found.pop("TC_VALUE")  # It has no effect in this mode.
        self.assertEqual(found, before)

    @needs_packets
    def test_a_plan_names_each_call_in_order(self):
        def calls(chip, row, code=0):
            path = self.write("plan.json", json.dumps(
                {"SWITCH_TRIMMING": {"GLOBAL": row}}))
            return self.ctl("config", "plan", path, *HERMETIC, "--model",
                            chip, code=code)

        text = calls("generic", {**FIRST, "dscp_value": "from-tc",
                                 "tc_value": "3"})
        places = [text.index(" PACKET_TRIM_" + name) for name in (
            "SIZE", "DSCP_RESOLUTION_MODE", "TC_VALUE",
            "QUEUE_RESOLUTION_MODE", "QUEUE_INDEX")]
        self.assertEqual(places, sorted(places))
        text = calls("th5", FIRST, code=NO)
        self.assertIn("206", text)
        self.assertIn("PACKET_TRIM_SIZE=206", calls("th5", {"size": "206",
                                                     "queue_index": "9"}))
        text = calls("spc4", {"size": "255"}, code=NO)
        self.assertIn("256..4084 in steps of 4", text)

    @needs_packets
    def test_counters_of_queue_port_and_switch(self):
        client = self.start_redis()
        http = free_port()
        self.start_with_state("--set", f"metrics_port={http}")
        self.put(client, CONGESTED)
        self.wait_applied(client, CONGESTED)
        self.ctl("asic", "block", "Ethernet4")
        self.ctl("asic", "send", "--from", "Ethernet0", "--to", "Ethernet4",
                 "--count", "10", "--size", "200", "--dscp", "1")
        waits = {"of": "Ethernet4", "queue": None, "trimmed": 6, "sent": 0,
                 "dropped": 3, "waiting": 3}
        found = self.data("show", "trimming")["trimming"]
        self.assertEqual(found, [
            {"of": "switch", "queue": None, "trimmed": None, "sent": 0,
             "dropped": 3, "waiting": None},
            {**waits, "of": "Ethernet0", "trimmed": 0, "dropped": 0,
             "waiting": 0},
            waits, {**waits, "queue": 1}])
        self.ctl("asic", "unblock", "Ethernet4")
        self.ctl("asic", "settle")
        self.assertEqual(self.data("show", "trimming", "Ethernet4")["trimming"],
                         [{**waits, "sent": 3, "waiting": 0},
                          {**waits, "queue": 1, "sent": 3, "waiting": 0}])
        oid = client.hash(COUNTERS_DB, "COUNTERS_SWITCH_NAME_MAP")["ASIC"]
        self.assertEqual(
            client.hash(FLEX_COUNTER_DB,
                        "FLEX_COUNTER_GROUP_TABLE:SWITCH_STAT_COUNTER")
            ["POLL_INTERVAL"], "1000")
        self.assertEqual(
            set(client.hash(FLEX_COUNTER_DB, "FLEX_COUNTER_TABLE:"
                            "SWITCH_STAT_COUNTER:" + oid)
                ["SWITCH_COUNTER_ID_LIST"].split(",")),
            {"SAI_SWITCH_STAT_TX_TRIM_PACKETS",
             "SAI_SWITCH_STAT_DROPPED_TRIM_PACKETS"})
        queue = client.hash(COUNTERS_DB, "COUNTERS_QUEUE_NAME_MAP")["Ethernet4:1"]
        port = client.hash(COUNTERS_DB, "COUNTERS_PORT_NAME_MAP")["Ethernet4"]
        for kind, of, trims in (("SWITCH", oid, False), ("PORT", port, True),
                                ("QUEUE", queue, True)):
            wait_until(lambda: client.hash(COUNTERS_DB, "COUNTERS:" + of).get(
                f"SAI_{kind}_STAT_TX_TRIM_PACKETS") == "3", f"{kind} is polled")
            values = client.hash(COUNTERS_DB, "COUNTERS:" + of)
            self.assertEqual(
                values[f"SAI_{kind}_STAT_DROPPED_TRIM_PACKETS"], "3")
            self.assertEqual(values.get(f"SAI_{kind}_STAT_TRIM_PACKETS"),
                             "6" if trims else None)
        with urllib.request.urlopen(f"http://127.0.0.1:{http}/metrics") as page:
            text = page.read().decode()
        self.assertIn("orchd_switch_trimmed_sent_packets_total 3", text)
        self.assertIn('orchd_port_trimmed_packets_total{port="Ethernet4"} 6',
                      text)
        self.assertIn('orchd_queue_trimmed_dropped_packets_total{'
                      'port="Ethernet4",queue="1",type="unicast"} 3', text)


if __name__ == "__main__":
    unittest.main()

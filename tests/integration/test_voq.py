#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An ASIC of a chassis with virtual output queues: system ports, and rows of
queues of ports of other devices."""

import unittest

import harness

NUMBERS = {"core_index": "0", "speed": "100000", "num_voq": "8"}
METADATA = {"hwsku": "JR2-Chassis-4x8x100G", "switch_type": "voq",
            "switch_id": "0", "max_cores": "16", "hostname": "lc1",
            "asic_name": "asic0"}
HERE = "lc1|asic0|Ethernet0"
THERE = "lc2|asic0|Ethernet0"
ROWS = {
    "PORT|Ethernet0": {"lanes": "1,2", "speed": "100000",
                       "admin_status": "up"},
    "SYSTEM_PORT|" + HERE: {"system_port_id": "1", "switch_id": "0",
                            "core_port_index": "1", **NUMBERS},
    "SYSTEM_PORT|" + THERE: {"system_port_id": "2", "switch_id": "2",
                             "core_port_index": "1", **NUMBERS},
    "BUFFER_POOL|out": {"type": "egress", "mode": "dynamic",
                        "size": "1000000"},
    "BUFFER_PROFILE|lossy": {"pool": "out", "size": "0", "dynamic_th": "0"},
    "SCHEDULER|s": {"type": "DWRR", "weight": "10"},
    "WRED_PROFILE|w": {"ecn": "ecn_all"},
    f"BUFFER_QUEUE|{HERE}|0-2": {"profile": "lossy"},
    f"BUFFER_QUEUE|{THERE}|3": {"profile": "lossy"},
    f"QUEUE|{THERE}|3-4": {"wred_profile": "w", "scheduler": "s"},
    "QUEUE|Ethernet0|3": {"scheduler": "s"},
}


@unittest.skipIf(harness.REMOTE or harness.BESIDE or
                 harness.VENDOR != "softasic",
                 "the switch has to be created with what CONFIG_DB says")
class Voq(harness.System):
    MODEL = None

    def begin(self, **metadata):
        client = self.start_redis()
        client.pipeline(harness.as_commands(
            {"DEVICE_METADATA|localhost": METADATA | metadata, **ROWS}))
        self.start_orchd()
        return client

    def bound(self, client, attribute):
        """How many queues have something in 'attribute'."""
        rows = client.hashes(harness.ASIC_DB,
                             "ASIC_STATE:SAI_OBJECT_TYPE_QUEUE:*")
        return sum(row.get(attribute, "oid:0x0") != "oid:0x0"
                   for row in rows.values())

    def test_queues_of_all_devices_are_programmed(self):
        client = self.begin()
        self.wait_applied(client, list(ROWS))
        self.assertEqual(self.bound(client, "SAI_QUEUE_ATTR_BUFFER_PROFILE_ID"),
                         4)
        self.assertEqual(self.bound(client, "SAI_QUEUE_ATTR_WRED_PROFILE_ID"),
                         2)
        self.assertIn("ignored-field scheduler",
                      self.status(client, f"QUEUE|{THERE}|3-4")["warnings"])
        # The maps by which "queuestat --voq" finds the queues.
        ports = client.hash(harness.COUNTERS_DB,
                            "COUNTERS_SYSTEM_PORT_NAME_MAP")
        self.assertEqual(set(ports), {HERE, THERE})
        queues = client.hash(harness.COUNTERS_DB, "COUNTERS_VOQ_NAME_MAP")
        self.assertEqual(set(queues), {f"{port}:{queue}" for port in ports
                                       for queue in range(8)})
        owners = client.hash(harness.COUNTERS_DB, "COUNTERS_QUEUE_PORT_MAP")
        kinds = client.hash(harness.COUNTERS_DB, "COUNTERS_QUEUE_TYPE_MAP")
        self.assertEqual(owners[queues[THERE + ":3"]], ports[THERE])
        self.assertEqual(kinds[queues[THERE + ":3"]],
                         "SAI_QUEUE_TYPE_UNICAST_VOQ")
        self.assertEqual(set(client.hash(harness.COUNTERS_DB,
                                         "COUNTERS_PORT_NAME_MAP")),
                         {"Ethernet0"})
        # SONiC's programs find the row under the name of the system port.
        self.assertEqual(
            client.hash(harness.APPL_DB, f"BUFFER_QUEUE_TABLE:{THERE}:3"),
            {"profile": "lossy"})
        client.on(harness.CONFIG_DB, "DEL", f"BUFFER_QUEUE|{THERE}|3")
        harness.wait_until(
            lambda: self.bound(
                client, "SAI_QUEUE_ATTR_BUFFER_PROFILE_ID") == 3,
            "the queue has lost its profile")

    def test_switch_is_created_with_rows_that_come_after_its_name(self):
        client = self.start_redis()
        self.start_orchd()
        self.wait_log("redis-up")
        client.pipeline(harness.as_commands(
            {"DEVICE_METADATA|localhost": METADATA, **ROWS}))
        self.wait_applied(client, list(ROWS))

    def test_wrong_names_and_numbers_are_explained(self):
        client = self.begin()
        self.wait_applied(client, list(ROWS))
        client.pipeline(harness.as_commands({
            f"BUFFER_QUEUE|{THERE}|8": {"profile": "lossy"},
            "BUFFER_QUEUE|lc3|asic0|Ethernet0|3": {"profile": "lossy"},
            "SYSTEM_PORT|lc3|asic0|Ethernet4": {
                "system_port_id": "9", "switch_id": "4",
                "core_port_index": "1", **NUMBERS}}))
        self.wait_state(client, f"BUFFER_QUEUE|{THERE}|8", "rejected")
        self.assertEqual(self.status(
            client, f"BUFFER_QUEUE|{THERE}|8")["allowed"], "0..7")
        self.wait_state(client, "BUFFER_QUEUE|lc3|asic0|Ethernet0|3",
                        "waiting")
        self.wait_state(client, "SYSTEM_PORT|lc3|asic0|Ethernet4",
                        "unsupported")
        status = self.status(client, "SYSTEM_PORT|lc3|asic0|Ethernet4")
        self.assertEqual(status["code"], "no-system-port")
        self.assertIn("restart orchd", status["remedy"])

    def test_other_switches_have_no_system_ports(self):
        client = self.begin(switch_type="npu")
        self.wait_state(client, "SYSTEM_PORT|" + THERE, "unsupported")
        self.assertIn("switch_type",
                      self.status(client, "SYSTEM_PORT|" + THERE)["remedy"])
        self.wait_state(client, f"BUFFER_QUEUE|{THERE}|3", "waiting")
        self.wait_applied(client, ["QUEUE|Ethernet0|3"])


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An ASIC of a chassis with virtual output queues: system ports, and rows of
queues of ports of other devices."""

import itertools
import unittest

import harness

setUpModule = harness.not_beside("orchagent makes the objects of a chassis")

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

MORE = {
    "BUFFER_PROFILE|other": {"pool": "out", "size": "0", "dynamic_th": "1"},
    "WRED_PROFILE|v": {"ecn": "ecn_none", "wred_green_enable": "true",
                       "green_min_threshold": "10000",
                       "green_max_threshold": "20000",
                       "green_drop_probability": "50"},
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

    def shown(self, name=None):
        """The queues of "show queues", by name and number."""
        words = {"name": name} if name else {}
        return {(queue["name"], queue["index"]): queue for queue in
                self.control("show", "queues", **words)["data"]["queues"]}

    def test_queues_of_system_ports_count(self):
        client = self.begin()
        client.pipeline(harness.as_commands({
            "PORT|Ethernet4": {"lanes": "3,4", "speed": "100000",
                               "admin_status": "up"},
            "FLEX_COUNTER_TABLE|QUEUE": {"FLEX_COUNTER_STATUS": "enable",
                                         "POLL_INTERVAL": "100"},
            "FLEX_COUNTER_TABLE|QUEUE_WATERMARK": {
                "FLEX_COUNTER_STATUS": "enable", "POLL_INTERVAL": "100"}}))
        self.wait_applied(client, [*ROWS, "PORT|Ethernet4"])
        sent = self.control("asic", "send", **{
            "from": "Ethernet4", "to": "Ethernet0", "dscp": 0, "count": 100,
            "size": 1000})["data"]
        self.assertEqual((sent["sent"], sent["queue"]), (100, 0))
        self.control("asic", "run", ns=1000000)
        # Where "queuestat --voq" looks.
        queues = client.hash(harness.COUNTERS_DB, "COUNTERS_VOQ_NAME_MAP")
        ports = client.hash(harness.COUNTERS_DB, "COUNTERS_QUEUE_NAME_MAP")

        def counters(queue):
            return client.hash(harness.COUNTERS_DB, "COUNTERS:" + queue)

        harness.wait_until(
            lambda: counters(queues[HERE + ":0"]).get(
                "SAI_QUEUE_STAT_PACKETS") == "100", "the VOQ has counted")
        here = counters(queues[HERE + ":0"])
        self.assertEqual(here["SAI_QUEUE_STAT_BYTES"], "100000")
        self.assertEqual(here["SAI_QUEUE_STAT_DROPPED_PACKETS"], "0")
        self.assertEqual(here["SAI_QUEUE_STAT_CREDIT_WD_DELETED_PACKETS"], "0")
        harness.wait_until(
            lambda: counters(ports["Ethernet0:0"]).get(
                "SAI_QUEUE_STAT_PACKETS") == "100", "so has the queue")
        harness.wait_until(
            lambda: counters(queues[THERE + ":0"]).get(
                "SAI_QUEUE_STAT_PACKETS") == "0", "nothing was for the other")
        harness.wait_until(
            lambda: int(client.hash(
                harness.COUNTERS_DB, "USER_WATERMARKS:" +
                queues[HERE + ":0"]).get(
                    "SAI_QUEUE_STAT_SHARED_WATERMARK_BYTES", "0")) > 0,
            "it has a watermark")
        shown = self.shown()
        self.assertEqual(shown[HERE, 0]["stats"]["packets"], 100)
        self.assertEqual((shown[THERE, 3]["profile"], shown[THERE, 3]["wred"]),
                         ("lossy", "w"))
        self.assertEqual(shown[THERE, 3]["stats"]["packets"], 0)
        self.assertEqual(set(self.shown(THERE)), {(THERE, 3), (THERE, 4)})
        self.assertEqual(set(self.shown(THERE + "|3")), {(THERE, 3)})
        self.assertEqual(self.control("show", "queues", name="lc9|asic0|X|3")[
            "error"]["code"], "no-object")
        marks = self.control("show", "watermarks", name=HERE)["data"]
        self.assertTrue(marks["watermarks"], marks)

    def on_queue(self, client, name, attribute):
        """What VOQ 'name' has in an attribute: the row that made it; None:
        nothing."""
        queues = client.hash(harness.COUNTERS_DB, "COUNTERS_VOQ_NAME_MAP")
        oid = client.hash(
            harness.ASIC_DB, "ASIC_STATE:SAI_OBJECT_TYPE_QUEUE:" +
            queues[name]).get("SAI_QUEUE_ATTR_" + attribute, "oid:0x0")
        if oid == "oid:0x0":
            return None
        table = ("BUFFER_PROFILE|*" if attribute == "BUFFER_PROFILE_ID" else
                 "WRED_PROFILE|*")
        return {self.explain(row)["objects"][0]["oid"]: row
                for row in client.keys(harness.CONFIG_DB, table)}[oid]

    def explain(self, row):
        return self.control("config", "explain", row=row)["data"]

    def test_changes_and_removals_reach_the_queue_of_the_row(self):
        client = self.begin()
        client.pipeline(harness.as_commands(MORE))
        self.wait_applied(client, [*ROWS, *MORE])

        def profiles():
            """Those of VOQs 2 to 4 of both ports."""
            return [self.on_queue(client, f"{port}:{queue}",
                                  "BUFFER_PROFILE_ID")
                    for port in (HERE, THERE) for queue in (2, 3, 4)]

        def wreds():
            return [self.on_queue(client, f"{THERE}:{queue}",
                                  "WRED_PROFILE_ID") for queue in (2, 3, 4)]

        def write(*words):
            client.on(harness.CONFIG_DB, *words)

        lossy, other = "BUFFER_PROFILE|lossy", "BUFFER_PROFILE|other"
        self.assertEqual(profiles(), [lossy, None, None, None, lossy, None])
        self.assertEqual(wreds(), [None, "WRED_PROFILE|w", "WRED_PROFILE|w"])
        self.assertEqual(
            [(found["object"], found["attributes"][0]["found"]) for found in
             self.explain(f"QUEUE|{THERE}|3-4")["objects"]],
            [(f"BUFFER_QUEUE|{THERE}|{queue}", "WRED_PROFILE|w")
             for queue in (3, 4)])
        write("HSET", f"BUFFER_QUEUE|{THERE}|3", "profile", "other")
        write("HSET", f"BUFFER_QUEUE|{HERE}|3", "profile", "other")
        write("HSET", f"QUEUE|{THERE}|3-4", "wred_profile", "v")
        harness.wait_until(
            lambda: profiles() == [lossy, other, None, None, other, None] and
            wreds() == [None, "WRED_PROFILE|v", "WRED_PROFILE|v"],
            "the queues have the new profiles")
        write("DEL", f"BUFFER_QUEUE|{THERE}|3")
        write("DEL", f"BUFFER_QUEUE|{HERE}|0-2")
        write("DEL", f"QUEUE|{THERE}|3-4")
        harness.wait_until(
            lambda: profiles() == [None, other, None, None, None, None] and
            wreds() == [None, None, None], "the queues have lost them")
        # Nothing keeps the profiles on the ASIC.
        write("DEL", "WRED_PROFILE|v")
        write("DEL", "BUFFER_PROFILE|lossy")
        for row in ("WRED_PROFILE|v", "BUFFER_PROFILE|lossy"):
            harness.wait_until(lambda row=row: not self.status(client, row),
                               row + " is gone")

    def test_rows_wait_for_their_system_port(self):
        """A row about a port that no row SYSTEM_PORT names says which, and is
        programmed when that comes."""
        late = "lc3|asic0|Ethernet0"
        client = self.start_redis()
        rows = {**ROWS, f"BUFFER_QUEUE|{late}|3": {"profile": "lossy"}}
        there = rows.pop("SYSTEM_PORT|" + THERE)
        client.pipeline(harness.as_commands(
            {"DEVICE_METADATA|localhost": METADATA, **rows,
             "SYSTEM_PORT|" + THERE: there}))
        self.start_orchd()
        self.wait_applied(client, list(ROWS))
        self.wait_state(client, f"BUFFER_QUEUE|{late}|3", "waiting")
        status = self.status(client, f"BUFFER_QUEUE|{late}|3")
        self.assertEqual((status["code"], status["blocked_by"]),
                         ("missing-ref", "SYSTEM_PORT|" + late))
        # The name of the port that the switch has is another one now.
        client.on(harness.CONFIG_DB, "DEL", "SYSTEM_PORT|" + THERE)
        client.pipeline(harness.as_commands({"SYSTEM_PORT|" + late: there}))
        self.wait_applied(client, [f"BUFFER_QUEUE|{late}|3"])
        self.wait_state(client, f"BUFFER_QUEUE|{THERE}|3", "waiting")
        self.assertEqual(
            self.on_queue(client, late + ":3", "BUFFER_PROFILE_ID"),
            "BUFFER_PROFILE|lossy")

    def test_rows_wait_when_their_system_port_goes(self):
        client = self.begin()
        self.wait_applied(client, list(ROWS))
        rows = [f"BUFFER_QUEUE|{THERE}|3", f"QUEUE|{THERE}|3-4"]
        client.on(harness.CONFIG_DB, "DEL", "SYSTEM_PORT|" + THERE)
        for row in rows:
            self.wait_state(client, row, "waiting")
            status = self.status(client, row)
            self.assertEqual((status["code"], status["blocked_by"]),
                             ("missing-ref", "SYSTEM_PORT|" + THERE))
        # Neither the ASIC nor the counters have it any longer.
        harness.wait_until(
            lambda: (self.bound(client, "SAI_QUEUE_ATTR_BUFFER_PROFILE_ID"),
                     self.bound(client, "SAI_QUEUE_ATTR_WRED_PROFILE_ID")) ==
            (3, 0), "the queues have lost their profiles")
        harness.wait_until(
            lambda: set(client.hash(
                harness.COUNTERS_DB, "COUNTERS_SYSTEM_PORT_NAME_MAP")) ==
            {HERE}, "the port has no name")
        client.pipeline(harness.as_commands(
            {"SYSTEM_PORT|" + THERE: ROWS["SYSTEM_PORT|" + THERE]}))
        self.wait_applied(client, rows)
        self.assertEqual(
            (self.on_queue(client, THERE + ":3", "BUFFER_PROFILE_ID"),
             self.on_queue(client, THERE + ":4", "WRED_PROFILE_ID")),
            ("BUFFER_PROFILE|lossy", "WRED_PROFILE|w"))

    def test_profiles_bound_what_waits_for_own_ports(self):
        client = self.begin()
        rows = {"PORT|Ethernet4": {"lanes": "3,4", "speed": "100000",
                                   "admin_status": "up"},
                "BUFFER_POOL|own": {"type": "egress", "mode": "static",
                                    "size": "1000000"},
                "BUFFER_PROFILE|tight": {"pool": "own", "size": "0",
                                         "static_th": "10000"},
                f"BUFFER_QUEUE|{HERE}|0-2": {"profile": "tight"}}
        client.pipeline(harness.as_commands(rows))
        self.wait_applied(client, list(rows))

        def dropped():
            data = self.control("asic", "send", **{
                "from": "Ethernet4", "to": "Ethernet0", "dscp": 0,
                "count": 100, "size": 1000})["data"]
            self.control("asic", "run", ns=1000000)
            return data["dropped_egress"]

        self.assertGreater(dropped(), 50)
        self.assertGreater(self.shown()[HERE, 0]["stats"]["dropped"], 50)
        client.on(harness.CONFIG_DB, "DEL", f"BUFFER_QUEUE|{HERE}|0-2")
        harness.wait_until(
            lambda: self.on_queue(client, HERE + ":0",
                                  "BUFFER_PROFILE_ID") is None,
            "the queue has lost its profile")
        self.assertEqual(dropped(), 0)

    def test_names_of_device_and_asic_decide_which_ports_are_own(self):
        client = self.begin()
        rows = {f"QUEUE|{HERE}|5": {"scheduler": "s", "wred_profile": "w"},
                f"QUEUE|{THERE}|6": {"scheduler": "s"}}
        client.pipeline(harness.as_commands(rows))
        self.wait_applied(client, list(rows))
        # Schedulers are for the queues of the port, WRED is for its VOQs.
        self.assertNotIn("ignored-field", self.status(
            client, f"QUEUE|{HERE}|5").get("warnings", ""))
        self.assertEqual(self.status(client, f"QUEUE|{THERE}|6")["warnings"],
                         "ignored-field scheduler")
        shown = self.shown()
        self.assertEqual((shown["Ethernet0", 5]["scheduler"],
                          shown["Ethernet0", 5]["wred"]), ("s", None))
        self.assertEqual(shown[HERE, 5]["wred"], "w")
        self.assertNotIn(("Ethernet0", 6), shown)
        # The same rows on the other line card.
        client.on(harness.CONFIG_DB, "HSET", "DEVICE_METADATA|localhost",
                  "hostname", "lc2")
        harness.wait_until(
            lambda: {("Ethernet0", 5), ("Ethernet0", 6)} & set(self.shown()) ==
            {("Ethernet0", 6)}, "the port is that of lc2")
        self.assertEqual(self.shown()["Ethernet0", 6]["scheduler"], "s")
        self.assertEqual(self.status(client, f"QUEUE|{HERE}|5")["warnings"],
                         "ignored-field scheduler")
        self.assertEqual(self.status(client, f"QUEUE|{THERE}|6").get(
            "warnings", ""), "")

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

    def test_rows_with_the_same_numbers(self):
        """They do not keep the switch from being created: the row whose key is
        greater has no system port."""
        twin = "SYSTEM_PORT|lc3|asic0|Ethernet0"
        for numbers in ({"system_port_id": "2", "switch_id": "4"},
                        {"system_port_id": "9", "switch_id": "2"},
                        {"system_port_id": "2", "switch_id": "2"}):
            with self.subTest(numbers):
                client = self.start_redis()
                client.pipeline(harness.as_commands({
                    twin: {**numbers, "core_port_index": "1", **NUMBERS},
                    "DEVICE_METADATA|localhost": METADATA, **ROWS}))
                self.start_orchd()
                self.wait_applied(client, list(ROWS))
                self.wait_state(client, twin, "unsupported")
                status = self.status(client, twin)
                self.assertEqual(status["code"], "no-system-port")
                self.assertIn(f"SYSTEM_PORT|{THERE} has the same",
                              status["reason"])
                self.assertIn("correct the numbers", status["remedy"])
                # Also if the row whose key is less comes later.
                if numbers["system_port_id"] == numbers["switch_id"]:
                    first = "SYSTEM_PORT|lc1|asic0|Ethernet4"
                    client.on(harness.CONFIG_DB, "HSET", first, *itertools.chain(
                        *ROWS["SYSTEM_PORT|" + THERE].items()))
                    self.wait_state(client, "SYSTEM_PORT|" + THERE,
                                    "unsupported")
                    self.wait_applied(client, [first])
                self.stop_orchd()
                self.kill_redis()

    def test_other_switches_have_no_system_ports(self):
        client = self.begin(switch_type="npu")
        self.wait_state(client, "SYSTEM_PORT|" + THERE, "unsupported")
        self.assertIn("switch_type",
                      self.status(client, "SYSTEM_PORT|" + THERE)["remedy"])
        self.wait_state(client, f"BUFFER_QUEUE|{THERE}|3", "waiting")
        self.wait_applied(client, ["QUEUE|Ethernet0|3"])


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""PORT rows that cannot be as they are: what becomes of them, and that no
working port suffers."""

import sys
import unittest

from harness import CONFIG_DB, System, asic_objects, needs_packets, not_beside

setUpModule = not_beside("frames enter the switch")


@needs_packets
class PortRows(System):
    """A Trident 3, whose ports have the lanes 1 to 128 at start."""

    MODEL = "td3"

    def setUp(self):
        super().setUp()
        self.redis = self.start_redis()
        self.start_orchd()
        self.put("PORT|Ethernet0", lanes="1,2,3,4", speed="100000")
        self.put("PORT|Ethernet4", lanes="5,6,7,8", speed="100000")
        self.wait_applied(self.redis, {"PORT|Ethernet0": {},
                                       "PORT|Ethernet4": {}})

    def put(self, key, **fields):
        self.redis.on(CONFIG_DB, "HSET", key,
                      *[word for pair in fields.items() for word in pair])

    def answer(self, key):
        self.control("config", "sync")
        return self.status(self.redis, key)

    def lanes(self):
        """The lanes of all ports that orchd has programmed."""
        return sorted(
            row["SAI_PORT_ATTR_HW_LANE_LIST"]
            for _, row in asic_objects(self.redis).values()
            if "SAI_PORT_ATTR_HW_LANE_LIST" in row)

    def test_other_lanes_than_those_the_switch_starts_with(self):
        """Ports that the default bridge and VLAN use have to leave them."""
        rows = {f"PORT|Ethernet{8 + i}": {"lanes": f"{9 + i},{10 + i}",
                                          "speed": "50000"}
                for i in range(0, 16, 2)}
        for key, fields in rows.items():
            self.put(key, **fields)
        self.wait_applied(self.redis, rows)
        for key in rows:
            self.redis.on(CONFIG_DB, "DEL", key)
        self.put("PORT|Ethernet8", lanes="9,10,11,12", speed="100000")
        self.wait_applied(self.redis, {"PORT|Ethernet8": {}})

    def test_lanes_of_another_port_are_waited_for(self):
        before = self.lanes()
        for lanes in ("4,9,10,11,12", "5,6,7,8", "3,4,9,10"):
            self.put("PORT|Ethernet8", lanes=lanes, speed="100000")
            answer = self.answer("PORT|Ethernet8")
            self.assertEqual((answer["state"], answer["code"]),
                             ("waiting", "lanes-in-use"), lanes)
            self.assertIn(answer["blocked_by"],
                          ("PORT|Ethernet0", "PORT|Ethernet4"))
            self.assertEqual(self.lanes(), before)

    def test_a_lane_twice_is_rejected(self):
        self.put("PORT|Ethernet0", lanes="1,1,2,3")
        answer = self.answer("PORT|Ethernet0")
        self.assertEqual((answer["state"], answer["code"]),
                         ("rejected", "duplicate"))
        self.assertEqual(len(self.lanes()), 2)

    def test_one_shared_lane_is_a_warning(self):
        self.put("PORT|Ethernet8", lanes="8", speed="10000")
        self.assertEqual(self.answer("PORT|Ethernet8")["state"], "applied")
        self.assertEqual(self.answer("PORT|Ethernet8")["warnings"],
                         "shared-lane PORT|Ethernet4")
        self.assertEqual(self.answer("PORT|Ethernet4")["warnings"],
                         "shared-lane PORT|Ethernet8")

    def test_a_port_keeps_its_lanes_until_it_can_have_others(self):
        before = self.lanes()
        self.put("PORT|Ethernet0", lanes="5,6,7,8")
        self.assertEqual(self.answer("PORT|Ethernet0")["state"], "waiting")
        self.assertEqual(self.lanes(), before)
        self.put("PORT|Ethernet0", lanes="1000")
        self.assertEqual(self.answer("PORT|Ethernet0")["state"], "rejected")
        self.assertEqual(self.lanes(), before)
        # The same lanes for both: they change places.
        self.redis.pipeline([
            ("SELECT", CONFIG_DB), ("MULTI",),
            ("HSET", "PORT|Ethernet0", "lanes", "5,6,7,8"),
            ("HSET", "PORT|Ethernet4", "lanes", "1,2,3,4"), ("EXEC",)])
        self.assertEqual(self.answer("PORT|Ethernet0")["state"], "applied")
        self.assertEqual(self.answer("PORT|Ethernet4")["state"], "applied")

    def test_lanes_that_the_chip_has_not_are_rejected(self):
        self.put("PORT|Ethernet8", lanes="1000", speed="10000")
        answer = self.answer("PORT|Ethernet8")
        self.assertEqual((answer["state"], answer["code"], answer["value"],
                          answer["allowed"]),
                         ("rejected", "unknown-lane", "1000", "1..128"))
        # A management port.
        self.put("PORT|Ethernet8", lanes="129")
        self.assertEqual(self.answer("PORT|Ethernet8")["state"], "applied")

    def test_a_speed_that_the_port_cannot_have_is_rejected(self):
        self.put("PORT|Ethernet0", speed="123", mtu="1500")
        answer = self.answer("PORT|Ethernet0")
        self.assertEqual((answer["state"], answer["code"], answer["field"]),
                         ("rejected", "unsupported-speed", "speed"))
        self.assertEqual(answer["allowed"],
                         "1000, 10000, 25000, 40000, 50000, 100000")
        # New ports: four lanes of 25 Gb/s, and one.
        self.put("PORT|Ethernet8", lanes="9,10,11,12", speed="400000")
        self.assertEqual(self.answer("PORT|Ethernet8")["state"], "rejected")
        self.put("PORT|Ethernet8", speed="100000")
        self.assertEqual(self.answer("PORT|Ethernet8")["state"], "applied")
        self.put("PORT|Ethernet12", lanes="13", speed="50000")
        self.assertEqual(self.answer("PORT|Ethernet12")["code"],
                         "unsupported-speed")
        self.put("PORT|Ethernet12", speed="25000")
        self.assertEqual(self.answer("PORT|Ethernet12")["state"], "applied")

    def test_an_unknown_fec_is_rejected(self):
        self.put("PORT|Ethernet0", fec="xx")
        answer = self.answer("PORT|Ethernet0")
        self.assertEqual((answer["state"], answer["field"], answer["allowed"]),
                         ("rejected", "fec", "none, rs, fc, auto"))

    def test_all_is_no_port(self):
        self.put("PFC_WD|ALL", detection_time="200", restoration_time="200")
        answer = self.answer("PFC_WD|ALL")
        self.assertEqual((answer["state"], answer["reason"]),
                         ("waiting", "PORT|ALL does not exist"))


if __name__ == "__main__":
    sys.exit(unittest.main())

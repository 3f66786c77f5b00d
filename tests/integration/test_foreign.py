# SPDX-License-Identifier: Apache-2.0
"""The same tests on a libsai that is not softasic: another scheme of object
ids, an old release, no bulk functions, attributes that are missing, counters
that cannot be read.  Whatever orchd assumes of softasic shows here.

Some more are about what only such a library does."""

import os
import sys
import unittest

os.environ["ORCHD_TEST_SAI"] = "store"
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
# All tests of these modules become tests of this one.
# pylint: disable=wildcard-import,unused-wildcard-import,wrong-import-position
from test_cli import *  # noqa: E402,F401,F403
from test_configs import *  # noqa: E402,F401,F403
from test_db import *  # noqa: E402,F401,F403
from test_llr import Llr  # noqa: E402,F401
import harness  # noqa: E402
from sonic_tools import Tools  # noqa: E402

setUpModule = harness.not_beside("it is about another libsai")

POOL = "BUFFER_POOL|in"
PROFILE = "BUFFER_PROFILE|p"
PG = "BUFFER_PG|Ethernet0|3-4"
ROWS = {
    "PORT|Ethernet0": {"lanes": "1,2,3,4", "speed": "100000", "mtu": "9100"},
    POOL: {"type": "ingress", "mode": "dynamic", "size": "1000000"},
    PROFILE: {"pool": "in", "size": "0", "dynamic_th": "3",
              "xon_offset": "1000"},
    PG: {"profile": "p"},
}


class Foreign(harness.System):

    def attributes(self, client, kind):
        found = client.hashes(harness.ASIC_DB,
                              f"ASIC_STATE:SAI_OBJECT_TYPE_{kind}:*")
        return list(found.values())

    def begin(self, *profile):
        client = self.start_redis()
        client.pipeline(harness.as_commands(ROWS))
        self.start_orchd(*[word for pair in profile
                           for word in ("--profile", pair)])
        return client

    def test_what_it_lacks_is_named_and_the_rest_applied(self):
        """A library may say so beforehand, or only when it is asked."""
        for options in ((), ("STORE_CAPABILITY=tell",)):
            with self.subTest(options):
                client = self.begin(
                    "STORE_LACKS=SAI_PORT_ATTR_MTU,"
                    "SAI_BUFFER_PROFILE_ATTR_XON_OFFSET_TH", *options)
                self.wait_applied(client, [POOL, PG])
                for row, field in (("PORT|Ethernet0", "mtu"),
                                   (PROFILE, "xon_offset")):
                    self.wait_state(client, row, "unsupported")
                    status = self.status(client, row)
                    self.assertEqual(status["field"], field)
                    self.assertIn("the device cannot do this",
                                  status["reason"])
                [profile] = self.attributes(client, "BUFFER_PROFILE")
                self.assertEqual(
                    profile["SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH"], "3")
                self.assertNotIn("SAI_BUFFER_PROFILE_ATTR_XON_OFFSET_TH",
                                 profile)
                client.on(harness.CONFIG_DB, "HDEL", PROFILE, "xon_offset")
                client.on(harness.CONFIG_DB, "HDEL", "PORT|Ethernet0", "mtu")
                self.wait_applied(client, ROWS)
                self.stop_orchd()
                self.kill_redis()

    def test_releases_from_the_floor_to_the_pin(self):
        for version, dated in (("1.9.0", True), ("1.11.0", True),
                               ("1.12.0", False), ("1.15.0", False),
                               ("1.18.1", False)):
            for bulk in ("refuse", "absent"):
                with self.subTest(version=version, bulk=bulk):
                    os.environ["STORE_VERSION"] = version
                    self.addCleanup(os.environ.pop, "STORE_VERSION", None)
                    client = self.begin("STORE_BULK=" + bulk)
                    self.wait_applied(client, ROWS)
                    self.assertEqual("sai-dated" in self.log_text(), dated)
                    self.stop_orchd()
                    self.kill_redis()

    def test_types_of_queues_that_the_tools_know(self):
        """OBSERVABILITY 1: another type would end them."""
        client = self.begin("STORE_QUEUE_TYPES=1,1,2,3,4,0,3,5")
        self.wait_applied(client, [POOL, PG])

        def read(name):
            return client.hash(harness.COUNTERS_DB, f"COUNTERS_{name}_MAP")

        names, voqs = read("QUEUE_NAME"), read("VOQ_NAME")
        types, indexes = read("QUEUE_TYPE"), read("QUEUE_INDEX")
        self.assertEqual(
            {name: (types[oid], indexes[oid]) for name, oid in names.items()},
            {"Ethernet0:0": ("SAI_QUEUE_TYPE_UNICAST", "0"),
             "Ethernet0:1": ("SAI_QUEUE_TYPE_UNICAST", "1"),
             "Ethernet0:2": ("SAI_QUEUE_TYPE_MULTICAST", "2"),
             "Ethernet0:5": ("SAI_QUEUE_TYPE_ALL", "5")})
        self.assertEqual(
            {name: (types[oid], indexes[oid]) for name, oid in voqs.items()},
            {"Ethernet0:0": ("SAI_QUEUE_TYPE_UNICAST_VOQ", "3"),
             "Ethernet0:1": ("SAI_QUEUE_TYPE_UNICAST_VOQ", "6")})
        places = {*names.values(), *voqs.values()}
        for name in ("QUEUE_TYPE", "QUEUE_INDEX", "QUEUE_PORT"):
            self.assertEqual(set(read(name)), places)
        self.assertEqual(read("SYSTEM_PORT_NAME"), read("PORT_NAME"))
        tools = Tools(client)
        self.assertEqual(set(tools.queuestat(voq=True)["Ethernet0"]),
                         {"VOQ3", "VOQ6"})
        self.assertEqual(set(tools.queuestat()["Ethernet0"]),
                         {"UC0", "UC1", "MC2", "ALL5"})
        for kind in Tools.WATERMARKS:
            tools.watermarkstat(kind)
        client.on(harness.CONFIG_DB, "DEL", "PORT|Ethernet0")
        for name in ("VOQ_NAME", "SYSTEM_PORT_NAME", "QUEUE_TYPE"):
            harness.wait_until(lambda n=name: read(n) == {}, f"{name} is empty")
        self.stop_orchd()

    def test_other_lanes_than_those_of_the_default_bridge(self):
        """The ports that the device starts with are in the way, and in use."""
        client = self.start_redis()
        rows = {f"PORT|Ethernet{i}": {"lanes": f"{2 * i + 1},{2 * i + 2}",
                                      "speed": "50000"} for i in range(8)}
        client.pipeline(harness.as_commands(rows))
        ports = ";".join(f"{4 * i + 1},{4 * i + 2},{4 * i + 3},{4 * i + 4}"
                         for i in range(4))
        self.start_orchd("--profile", "STORE_PORTS=" + ports,
                         "--profile", "STORE_BRIDGE=initial")
        self.wait_applied(client, rows)
        self.stop_orchd()

    def test_a_release_below_the_floor_is_refused(self):
        os.environ["STORE_VERSION"] = "1.8.3"
        self.addCleanup(os.environ.pop, "STORE_VERSION", None)
        client = self.begin()
        self.wait_log("sai-too-old")
        self.assertNotEqual(self.status(client, POOL).get("state"), "applied")
        self.stop_orchd()


if __name__ == "__main__":
    unittest.main(verbosity=2)

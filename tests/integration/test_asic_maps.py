# SPDX-License-Identifier: Apache-2.0
"""The setting compat: the hashes of ASIC_DB that syncd keeps beside the
objects."""

import re
import subprocess
import unittest

from harness import (ASIC_DB, CONFIG_DB, STATE_DB, VENDOR, System, as_commands,
                     asic_objects, not_beside, wait_until)

setUpModule = not_beside("orchd writes what is in ASIC_DB only with output=sai")

HASHES = ("VIDTORID", "RIDTOVID", "HIDDEN", "COLDVIDS", "LANES")
OID = re.compile(r"oid:0x[1-9a-f][0-9a-f]*$")
ROWS = {
    "PORT|Ethernet0": {"lanes": "1,2,3,4", "speed": "100000"},
    "BUFFER_POOL|in": {"type": "ingress", "mode": "dynamic",
                       "size": "10000000"},
    "BUFFER_PROFILE|a": {"pool": "in", "size": "0", "dynamic_th": "1"},
}


class Maps(System):
    def begin(self, *options):
        client = self.start_redis()
        client.pipeline(as_commands(ROWS))
        for name in HASHES:
            client.on(ASIC_DB, "HSET", name, "left", "by syncd")
        self.start_orchd(*options)
        self.wait_applied(client, ROWS)
        self.sync()
        return client

    def sync(self):
        self.assertEqual(self.control("config", "sync")["exit"], 0)

    def maps(self, client):
        return [client.hash(ASIC_DB, name) for name in HASHES]

    def test_every_object_is_its_own(self):
        client = self.begin("--compat")

        def agree():
            vids, rids, hidden, cold, lanes = self.maps(client)
            objects = asic_objects(client)
            return (objects and set(objects) <= set(vids) and vids == rids and
                    all(oid == rid for oid, rid in vids.items()) and
                    (objects, vids, hidden, cold, lanes))

        objects, vids, hidden, cold, lanes = wait_until(
            agree, "all objects are in the maps")
        self.assertNotIn("left", {**vids, **hidden, **cold, **lanes})
        # What is not an object that orchd mirrors is one that the switch names.
        self.assertEqual(set(vids) - set(objects),
                         set(hidden.values()) - set(objects))
        for name, oid in hidden.items():
            self.assertRegex(name, "^SAI_SWITCH_ATTR_")
            self.assertRegex(oid, OID)
            self.assertIn(oid, cold)
        if VENDOR == "softasic":
            self.assertIn("SAI_SWITCH_ATTR_CPU_PORT", hidden)
        for oid, (kind, row) in objects.items():
            ours = kind in ("SAI_OBJECT_TYPE_BUFFER_POOL",
                            "SAI_OBJECT_TYPE_BUFFER_PROFILE")
            self.assertEqual(cold.get(oid), None if ours else kind)
            if kind == "SAI_OBJECT_TYPE_PORT" and \
                    row.get("SAI_PORT_ATTR_HW_LANE_LIST") == "4:1,2,3,4":
                self.assertEqual([lanes[lane] for lane in "1234"], [oid] * 4)
        self.assertTrue({"1", "2", "3", "4"} <= set(lanes))
        # An object that goes, goes from the maps.
        profile = [oid for oid, (kind, _) in objects.items()
                   if kind == "SAI_OBJECT_TYPE_BUFFER_PROFILE"]
        client.on(CONFIG_DB, "DEL", "BUFFER_PROFILE|a")
        wait_until(lambda: not set(profile) & set(
            client.hash(ASIC_DB, "VIDTORID")), "the profile is gone")
        self.assertFalse(set(profile) &
                         set(client.hash(ASIC_DB, "RIDTOVID")))
        # The next orchd publishes them again, whatever is there.
        self.stop_orchd()
        client.on(ASIC_DB, "FLUSHDB")
        self.start_orchd_only("--compat")
        wait_until(agree, "all objects are in the maps again")
        self.stop_orchd()

    def test_without_a_switch_those_of_others_stay(self):
        # orchd was started beside a syncd, and there is no switch for it.
        client = self.start_redis()
        client.pipeline(as_commands(ROWS))
        mirrored = "ASIC_STATE:SAI_OBJECT_TYPE_SWITCH:oid:0x21000000000000"
        for name in (*HASHES, mirrored):
            client.on(ASIC_DB, "HSET", name, "left", "by syncd")
        with open(self.log, "wb") as log:
            self.orchd_process = subprocess.Popen(
                self.command(redis=None, remote=True), stderr=log)
        wait_until(lambda: client.hash(STATE_DB, "ORCHD_STATUS|PORT|Ethernet0"),
                   "the row has a status")
        for name in (*HASHES, mirrored):
            self.assertEqual(client.hash(ASIC_DB, name), {"left": "by syncd"})
        self.stop_orchd()

    def test_without_the_setting_there_are_none(self):
        client = self.begin()
        self.assertEqual(self.maps(client), [{}] * len(HASHES))
        self.assertTrue(asic_objects(client))
        self.stop_orchd()


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""What has changed on the ASIC behind orchd's back is told in Redis."""

import json
import os
import unittest

from harness import STATE_DB, System, as_commands, wait_until

CONFIG = {
    "DEVICE_METADATA|localhost": {"hwsku": "example"},
    "PORT|Ethernet0": {"lanes": "1,2,3,4", "speed": "100000"},
    "BUFFER_POOL|in": {"type": "ingress", "mode": "dynamic",
                       "size": "10000000"},
    "BUFFER_POOL|out": {"type": "egress", "mode": "dynamic",
                        "size": "10000000"},
}
KEY = "ORCHD_DRIFT|BUFFER_POOL|in"


class Drift(System):

    def start(self, client, *options):
        """Starts orchd on a switch that once says that it has no such pool."""
        path = os.path.join(self.directory, "faults.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump([{"op": "get", "type": "buffer_pool",
                        "attribute": "size", "nth": 1,
                        "status": "item_not_found"}], file)
        client.pipeline(as_commands(CONFIG) +
                        [("SET", "CONFIG_DB_INITIALIZED", "1")])
        self.start_orchd("--sai-faults", path, "--set", "drift_seconds=1",
                         *options)
        self.wait_applied(client, CONFIG)

    def events(self, client):
        return [json.loads(event) for event in
                client.on(STATE_DB, "LRANGE", "ORCHD_EVENTS", 0, -1)]

    def test_drift_is_told_while_it_lasts(self):
        client = self.start_redis()
        client.on(STATE_DB, "HSET", "ORCHD_DRIFT|PORT|Ethernet99", "since",
                  "an earlier run")
        self.start(client)
        row = wait_until(lambda: client.hash(STATE_DB, KEY) or client.hash(
            STATE_DB, KEY.replace("|in", "|out")), "a pool is missed")
        size = "SAI_BUFFER_POOL_ATTR_SIZE"
        self.assertEqual(row["intended:" + size], "10000000")
        self.assertEqual(row["found:" + size], "missing")
        self.assertEqual(row["repair"], "off")
        self.assertEqual(row["since"], row["checked"])
        wait_until(lambda: not client.keys(STATE_DB, "ORCHD_DRIFT|*"),
                   "the pool is back, and what is old is gone")
        [over, begun] = [event for event in self.events(client)
                         if "drifted" in (event["old"], event["new"])]
        self.assertEqual((begun["table"], begun["old"], begun["new"]),
                         ("BUFFER_POOL", "as-intended", "drifted"))
        self.assertIn(begun["key"], ("in", "out"))
        self.assertEqual((over["key"], over["old"], over["new"]),
                         (begun["key"], "drifted", "as-intended"))
        self.wait_log(" drift ")
        self.stop_orchd()

    def test_nothing_is_read_back_if_nobody_wants_it(self):
        client = self.start_redis()
        self.start(client, "--set", "repair=off")
        # Had it been read back, the first reading would fail.
        answer = self.control("config", "diff")
        self.assertEqual(answer["data"]["unread"][0]["status"],
                         "SAI_STATUS_ITEM_NOT_FOUND")
        self.assertEqual(client.keys(STATE_DB, "ORCHD_DRIFT|*"), [])


if __name__ == "__main__":
    unittest.main()

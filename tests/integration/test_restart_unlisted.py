# SPDX-License-Identifier: Apache-2.0
"""orchd is restarted on a switch whose libsai cannot list its objects
(sai_get_object_key): nothing may be created twice."""

import os
import random
import re
import subprocess
import sys
import unittest

os.environ["ORCHD_TEST_SAI"] = "store"
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
# pylint: disable=wrong-import-position
from harness import (ASIC_DB, BUILD, CONFIG_DB, System,  # noqa: E402
                     as_commands, asic_objects, asic_picture, not_beside,
                     wait_until)

setUpModule = not_beside("it counts the SAI calls of orchd")

ADOPTED = re.compile(r"switch-adopted .* adopted (\d+) objects and (\d+) values "
                     r"as they were; created (\d+), set (\d+) and removed "
                     r"(\d+)")
FOUND = re.compile(r"switch-resumed .* holds (\d+) objects?")
NAMES = "ORCHD_OBJECTS"
TYPES = ("BUFFER_POOL", "BUFFER_PROFILE", "QOS_MAP", "SCHEDULER", "WRED")
ROWS = {
    "PORT|Ethernet0": {"lanes": "1,2,3,4", "speed": "100000"},
    "BUFFER_POOL|in": {"type": "ingress", "mode": "dynamic",
                       "size": "10000000"},
    "BUFFER_POOL|out": {"type": "egress", "mode": "dynamic",
                        "size": "10000000"},
    "BUFFER_PROFILE|a": {"pool": "in", "size": "0", "dynamic_th": "1"},
    "BUFFER_PROFILE|b": {"pool": "out", "size": "0", "dynamic_th": "2"},
    # Nothing refers to it.
    "BUFFER_PROFILE|spare": {"pool": "out", "size": "0", "dynamic_th": "2"},
    "BUFFER_PG|Ethernet0|3-4": {"profile": "a"},
    "BUFFER_QUEUE|Ethernet0|0-6": {"profile": "b"},
    "DSCP_TO_TC_MAP|AZURE": {str(n): str(n % 8) for n in range(64)},
    "PORT_QOS_MAP|Ethernet0": {"dscp_to_tc_map": "AZURE"},
    "SCHEDULER|s": {"type": "DWRR", "weight": "20"},
    "WRED_PROFILE|w": {"wred_green_enable": "true", "ecn": "ecn_all",
                       "green_min_threshold": "100000",
                       "green_max_threshold": "200000"},
    "QUEUE|Ethernet0|3": {"scheduler": "s", "wred_profile": "w"},
}


class Unlisted(System):
    CLIENT = "libsai-remote.so"

    def command(self, *options, redis=None, remote=True):
        words = super().command(*options, redis=redis, remote=remote)
        if remote:
            place = words.index("--sai") + 1
            words[place] = os.path.join(BUILD, ".libs", self.CLIENT)
        return words

    def setUp(self):
        super().setUp()
        self.rows = dict(ROWS)

    def wait_settled(self, client):
        def settled():
            try:
                return self.control("config", "sync")["exit"] == 0
            except OSError:
                return False
        wait_until(settled, "orchd has done what there is to do")
        self.wait_applied(client, self.rows)

    def begin(self):
        client = self.start_redis()
        client.pipeline(as_commands(self.rows))
        self.start_host()
        self.start_orchd_only()
        self.wait_settled(client)
        return client

    def again(self, client):
        """Starts orchd on the same switch; returns what it found and did."""
        self.start_orchd_only()
        adopted = wait_until(lambda: ADOPTED.search(self.log_text()),
                             "the switch is adopted")
        self.wait_settled(client)
        found = FOUND.search(self.log_text())
        return dict(zip(("found", "adopted", "same", "created", "set",
                         "removed"), map(int, found.groups() +
                                         adopted.groups())))

    def write(self, client, rows):
        for row, fields in rows.items():
            client.on(CONFIG_DB, "DEL", row)
            self.rows.pop(row, None)
            if fields:
                self.rows[row] = fields
                client.pipeline(as_commands({row: fields}))

    def created(self, client):
        """How many objects that orchd creates are in ASIC_DB."""
        return sum(kind in [f"SAI_OBJECT_TYPE_{name}" for name in TYPES]
                   for kind, _ in asic_objects(client).values())

    def assert_nothing_is_left(self, client):
        """The host, which saw all calls, knows no object that is not wanted."""
        self.kill_orchd()
        self.CLIENT = "libsai-remote.so"
        did = self.again(client)
        self.assertEqual((did["created"], did["set"], did["removed"]),
                         (0, 0, 0), did)
        self.assertEqual((did["found"], did["adopted"]),
                         (self.created(client),) * 2, did)


class BehindHost(Unlisted):
    """The host lists what the library cannot list."""

    def test_killed_anywhere_nothing_is_created_twice(self):
        client = self.begin()
        record = os.path.join(self.directory, "record")
        chance = random.Random(7)
        self.stop_orchd()
        self.start_host()
        for n in range(10):
            size = chance.randrange(1, 20000)
            self.start_orchd_only("--record", record)
            wait_until(lambda size=size: (
                os.path.exists(record) and os.path.getsize(record) >= size
                or ADOPTED.search(self.log_text())), "calls")
            self.kill_orchd()
            os.rename(record, record + ".old")
            self.write(client, {
                "BUFFER_PROFILE|spare": {**ROWS["BUFFER_PROFILE|spare"],
                                         "size": str(chance.randrange(9))},
                f"BUFFER_PROFILE|p{n}": {"pool": "out", "size": str(n),
                                         "dynamic_th": "0"},
                f"BUFFER_PROFILE|p{n - 1}": None,
                "BUFFER_QUEUE|Ethernet0|7": {"profile": f"p{n}"}})
            if n % 3 == 2:
                client.on(ASIC_DB, "DEL", NAMES)
        self.again(client)
        self.assert_nothing_is_left(client)


class ByNames(Unlisted):
    """The client has no function that lists objects, either: the names in
    ORCHD_OBJECTS say which ones there are."""

    CLIENT = "libsai-remote-unlisted.so"

    def test_what_was_recorded_is_found(self):
        client = self.begin()
        before = client.hash(ASIC_DB, NAMES)
        picture = asic_picture(client)
        self.assertEqual(len(before), self.created(client))
        for end in (self.kill_orchd, self.stop_orchd):
            end()
            did = self.again(client)
            self.assertEqual(
                (did["found"], did["adopted"], did["created"], did["set"],
                 did["removed"]), (len(before), len(before), 0, 0, 0))
            self.assertEqual(client.hash(ASIC_DB, NAMES), before)
            self.assertEqual(asic_picture(client), picture)
        self.assert_nothing_is_left(client)

    def test_changes_meanwhile_are_made_on_the_same_objects(self):
        client = self.begin()
        before = client.hash(ASIC_DB, NAMES)
        self.kill_orchd()
        self.write(client, {
            "BUFFER_PROFILE|b": {**ROWS["BUFFER_PROFILE|b"],
                                 "dynamic_th": "-3"},
            "BUFFER_PROFILE|spare": None,
            "BUFFER_PROFILE|new": {"pool": "in", "size": "7",
                                   "dynamic_th": "0"}})
        did = self.again(client)
        self.assertEqual((did["created"], did["set"], did["removed"]),
                         (1, 1, 1), did)
        after = client.hash(ASIC_DB, NAMES)
        self.assertEqual(after["BUFFER_PROFILE|b"], before["BUFFER_PROFILE|b"])
        self.assertNotIn("BUFFER_PROFILE|spare", after)
        self.assert_nothing_is_left(client)

    def test_wrong_names_are_not_believed(self):
        client = self.begin()
        before = client.hash(ASIC_DB, NAMES)
        self.kill_orchd()
        pool = before["BUFFER_POOL|in"].split(":", 1)[1]
        client.on(ASIC_DB, "HSET", NAMES,
                  "BUFFER_PROFILE|gone", "SAI_OBJECT_TYPE_BUFFER_PROFILE:" +
                  "oid:0x19000000012345",
                  "BUFFER_PROFILE|pool", "SAI_OBJECT_TYPE_BUFFER_PROFILE:" +
                  pool, "BUFFER_PROFILE|text", "oid:0x")
        did = self.again(client)
        self.assertEqual((did["found"], did["created"], did["removed"]),
                         (len(before), 0, 0), did)
        self.assertEqual(client.hash(ASIC_DB, NAMES), before)
        self.assert_nothing_is_left(client)

    def test_another_switch_has_none_of_the_objects(self):
        """The host is a new one, whose ids were given to other objects."""
        client = self.begin()
        n = len(client.hash(ASIC_DB, NAMES))
        picture = asic_picture(client)
        self.kill_orchd()
        self.start_host()
        self.start_orchd_only()
        self.wait_settled(client)
        self.assertEqual(asic_picture(client), picture)
        self.assertEqual(len(client.hash(ASIC_DB, NAMES)), n)
        self.assert_nothing_is_left(client)


class InProcess(Unlisted):
    """The switch ends with orchd; what Redis still says about it is void."""

    def test_killed_it_starts_from_nothing(self):
        client = self.start_redis()
        client.pipeline(as_commands(self.rows))
        picture = None
        for _ in range(3):
            with open(self.log, "wb") as log:
                self.orchd_process = subprocess.Popen(
                    self.command(remote=False), stderr=log)
            self.wait_settled(client)
            picture = picture or asic_picture(client)
            self.assertEqual(asic_picture(client), picture)
            self.assertEqual(len(client.hash(ASIC_DB, NAMES)),
                             self.created(client))
            self.assertNotIn("switch-resumed", self.log_text())
            self.kill_orchd()


if __name__ == "__main__":
    unittest.main()

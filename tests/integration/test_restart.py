# SPDX-License-Identifier: Apache-2.0
"""orchd dies and comes back on a switch that has gone on without it."""

import json
import os
import re
import signal
import sys
import unittest

os.environ["ORCHD_TEST_REMOTE"] = "yes"
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
# pylint: disable=wrong-import-position
from harness import (CONFIG_DB, SOURCE, STATE_DB, System, asic_objects,  # noqa: E402
                     asic_picture, as_commands, rows_of, wait_until)

EXAMPLE = os.path.join(SOURCE, "examples", "leaf-32x100g.config_db.json")
ADOPTED = re.compile(r"switch-adopted .*, (\d+) objects and (\d+) values are "
                     r"as wanted; (\d+) were created, (\d+) set and (\d+) "
                     r"removed")


class Restart(System):
    MODEL = None
    HWSKU = "Celestica-DX010-C32"
    PATIENCE_MS = None  # Of orchd with its switch.

    def command(self, *options, **places):
        if self.PATIENCE_MS:
            options += ("--profile",
                        f"SAI_REMOTE_TIMEOUT_MS={self.PATIENCE_MS}")
        return super().command(*options, **places)

    def begin(self):
        client = self.start_redis()
        self.rows = rows_of(EXAMPLE)
        client.pipeline(as_commands(self.rows))
        self.start_orchd()
        self.wait_settled(client)
        return client

    def wait_settled(self, client):
        """All rows are judged, and nothing is under way."""
        def settled():
            try:
                answer = self.control("config", "sync")
            except OSError:
                return False
            return answer["exit"] == 0
        wait_until(settled, "orchd has done what there is to do")
        self.wait_applied(client, [row for row in self.rows
                                   if row.startswith("BUFFER_")])

    def again(self, client):
        """Starts orchd on the same switch; returns what it found and did."""
        self.start_orchd_only()
        self.wait_settled(client)
        found = wait_until(lambda: ADOPTED.search(self.log_text()),
                           "the switch is adopted")
        return dict(zip(("adopted", "same", "created", "set", "removed"),
                        map(int, found.groups())))

    def counters(self):
        answer = self.control("asic", "snapshot")
        self.assertEqual(answer["exit"], 0, answer)
        return answer["data"]

    def test_nothing_is_done_to_a_switch_that_is_as_wanted(self):
        client = self.begin()
        before = asic_objects(client)
        self.control("asic", "block", ports=["Ethernet4"])
        sent = self.control("asic", "send", **{
            "from": "Ethernet0", "to": "Ethernet4", "dscp": 3, "count": 100,
            "size": 300})
        self.assertEqual(sent["exit"], 0, sent)
        counters = self.counters()
        self.assertIn("Ethernet0", json.dumps(counters))
        self.kill_orchd()
        did = self.again(client)
        made = [kind for kind, _ in before.values()
                if re.search("_(POOL|PROFILE|QOS_MAP|SCHEDULER|WRED)$", kind)]
        self.assertEqual(did["adopted"], len(made), did)
        self.assertEqual(
            (did["created"], did["set"], did["removed"]), (0, 0, 0), did)
        self.assertEqual(asic_objects(client), before)
        # Frames are still in the buffer, and what was counted is counted.
        self.assertEqual(self.counters(), counters)

    def test_only_what_has_changed_meanwhile_is_done(self):
        client = self.begin()
        before = set(asic_objects(client))
        self.kill_orchd()
        profile = next(row for row in self.rows
                       if row.startswith("BUFFER_PROFILE|pg_lossless"))
        client.on(CONFIG_DB, "HSET", profile, "dynamic_th", "-2")
        self.rows[profile]["dynamic_th"] = "-2"
        did = self.again(client)
        self.assertEqual(did["created"], 1, did)
        self.assertEqual(did["removed"], 1, did)
        after = set(asic_objects(client))
        self.assertEqual((len(before - after), len(after - before)), (1, 1))
        picture = asic_picture(client)
        # The same as on a switch that was never left alone.
        self.stop_orchd()
        self.start_orchd()
        self.wait_settled(client)
        self.assertEqual(asic_picture(client), picture)

    def test_killed_anywhere_it_ends_in_the_same_place(self):
        client = self.begin()
        picture = asic_picture(client)
        self.stop_orchd()
        self.start_host()
        for n_objects in (1, 10, 20, 30):
            # Killed when so many objects are there.
            client.on(1, "FLUSHDB")
            self.start_orchd_only()
            wait_until(lambda n=n_objects: len(asic_objects(client)) >= n,
                       f"{n_objects} objects")
            self.kill_orchd()
        self.again(client)
        self.assertEqual(asic_picture(client), picture)

    def generation(self, client):
        return int(client.hash(STATE_DB, "ORCHD_SUMMARY|global")
                   ["config_generation"])

    def test_a_switch_that_is_lost_is_programmed_again(self):
        client = self.begin()
        picture = asic_picture(client)
        generation = self.generation(client)
        pool = next(row for row in self.rows
                    if row.startswith("BUFFER_POOL|"))
        for _ in range(2):
            # The switch is gone, orchd is not: its rows wait, and say why.
            self.kill_host()
            self.wait_state(client, pool, "waiting")
            answer = self.status(client, pool)
            self.assertEqual(answer["code"], "sai-refused")
            self.assertIn(self.host_socket, answer["remedy"])
            shown = self.control("show", "pfc")
            self.assertIn(self.host_socket, shown["error"]["remedy"])
            self.start_host()
            self.wait_state(client, pool, "applied")
            self.wait_settled(client)
            self.assertEqual(asic_picture(client), picture)
        self.assertEqual(self.log_text().count("switch-lost"), 2)
        # Plans are counted on, for whoever waits for one.
        self.assertGreater(self.generation(client), generation)
        self.stop_orchd()

    def test_a_host_that_was_late_is_taken_up_again(self):
        self.PATIENCE_MS = 300
        client = self.begin()
        before = asic_objects(client)
        self.control("asic", "block", ports=["Ethernet4"])
        self.control("asic", "send", **{
            "from": "Ethernet0", "to": "Ethernet4", "dscp": 3, "count": 100,
            "size": 300})
        counters = self.counters()
        self.host_process.send_signal(signal.SIGSTOP)
        self.control("config", "diff")  # Which asks the switch, in vain.
        self.wait_log("switch-lost")
        self.host_process.send_signal(signal.SIGCONT)
        found = wait_until(lambda: ADOPTED.search(self.log_text()),
                           "the switch is adopted")
        self.wait_settled(client)
        # The switch never was away, and nothing was done to it.
        self.assertEqual(found.groups()[2:], ("0", "0", "0"))
        self.assertEqual(asic_objects(client), before)
        self.assertEqual(self.counters(), counters)
        self.stop_orchd()


if __name__ == "__main__":
    unittest.main(verbosity=2)

# SPDX-License-Identifier: Apache-2.0
"""orchctl config history and rollback."""

import os
import unittest

from harness import CONFIG_DB, asic_picture, wait_until
from test_cli import EXAMPLE, NO, USAGE, Cli

PROFILE = "BUFFER_PROFILE|egress_lossy_profile"


class Rollback(Cli):

    def start_with_state(self):
        self.state = os.path.join(self.directory, "state")
        os.makedirs(self.state, exist_ok=True)
        self.start_orchd("--state-dir", self.state)
        wait_until(self.listens, "orchd listens")

    def generations(self):
        return [entry["generation"] for entry in
                self.data("config", "history")["generations"]]

    def begin(self):
        client = self.start_redis()
        self.start_with_state()
        self.ctl("config", "load", EXAMPLE, "--wait")
        return client

    def change(self, client, *fields, row=PROFILE):
        client.on(CONFIG_DB, "HSET", row, *fields)
        self.ctl("config", "sync")

    def test_back_to_what_was(self):
        client = self.begin()
        first = self.generations()[0]
        rows = client.hashes(CONFIG_DB, "*|*")
        picture = asic_picture(client)
        self.change(client, "dynamic_th", "-3", "colour", "green")
        self.change(client, "type", "egress", "mode", "dynamic", "size", "4096",
                    row="BUFFER_POOL|another")
        client.on(CONFIG_DB, "DEL", "BUFFER_PG|Ethernet0|3-4")
        self.ctl("config", "sync")
        self.change(client, "answer", "42", row="OTHER_TABLE|x")
        self.assertNotEqual(asic_picture(client), picture)

        data = self.data("config", "rollback", str(first))
        self.assertEqual(data["rows_written"], 2)
        self.assertEqual(data["rows_removed"], 1)
        self.assertEqual(data["counts"]["applied"], 2)
        rows["OTHER_TABLE|x"] = {"answer": "42"}
        self.assertEqual(client.hashes(CONFIG_DB, "*|*"), rows)
        self.ctl("config", "sync")
        self.assertEqual(asic_picture(client), picture)
        # That was a change like any other: it can be taken back as well.
        second = self.generations()[1]
        self.ctl("config", "rollback", str(second))
        self.assertEqual(client.hash(CONFIG_DB, PROFILE)["colour"], "green")

    def test_it_survives_orchd(self):
        client = self.begin()
        first = self.generations()[0]
        self.change(client, "dynamic_th", "-3")
        last = self.generations()[0]
        self.kill_orchd()
        client.on(CONFIG_DB, "HSET", PROFILE, "dynamic_th", "-4")
        self.start_with_state()
        self.ctl("config", "sync")
        wait_until(lambda: self.generations()[0] > last, "a new generation")
        self.ctl("config", "rollback", str(last))
        self.assertEqual(client.hash(CONFIG_DB, PROFILE)["dynamic_th"], "-3")
        self.ctl("config", "rollback", str(first))
        self.assertEqual(client.hash(CONFIG_DB, PROFILE)["dynamic_th"], "3")

    def test_what_cannot_be(self):
        self.begin()
        self.refuse(NO, "generation 999999 is not in the history", "config",
                    "rollback", "999999")
        self.refuse(USAGE, "'last' is not a generation number", "config", "rollback",
                    "last")
        self.refuse(USAGE, "needs GENERATION", "config", "rollback")

    def test_without_a_state_directory(self):
        self.start()
        self.refuse(NO, "keeps no history", "config", "history")
        self.refuse(NO, "--state-dir", "config", "rollback", "1")


if __name__ == "__main__":
    unittest.main()

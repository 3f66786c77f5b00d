# SPDX-License-Identifier: Apache-2.0
"""Derived rows of the traditional buffer model, and whether they are written
into CONFIG_DB."""

import unittest

from harness import CONFIG_DB, as_commands, wait_until
from test_cli import Cli

LOOKUP = """# speed cable size xon xoff threshold
100000 5m 1248 2288 165568 0
100000 40m 1248 2288 177632 0
"""

CABLES = "CABLE_LENGTH|AZURE"
GROUP = "BUFFER_PG|Ethernet0|3-4"
P5 = "pg_lossless_100000_5m_profile"
P40 = "pg_lossless_100000_40m_profile"

CONFIG = {
    "BUFFER_POOL|ingress_lossless_pool": {
        "type": "ingress", "mode": "dynamic", "size": "10000000",
        "xoff": "1000000"},
    "PORT|Ethernet0": {"lanes": "1,2,3,4", "speed": "100000",
                       "admin_status": "up"},
    "PORT_QOS_MAP|Ethernet0": {"pfc_enable": "3,4"},
    CABLES: {"Ethernet0": "5m"},
}


class Writeback(Cli):
    MODEL = "generic"

    def begin(self, *options):
        client = self.start_redis()
        client.pipeline(as_commands(CONFIG) +
                        [("SET", "CONFIG_DB_INITIALIZED", "1")])
        self.run_orchd(*options)
        self.wait_state(client, GROUP, "applied")
        return client

    def run_orchd(self, *options):
        path = self.write("lookup.ini", LOOKUP)
        self.start_orchd("--set", "lookup_file=" + path, *options)
        wait_until(self.listens, "orchd listens")

    def buffers(self, client):
        return client.hashes(CONFIG_DB, "BUFFER_P[GR]*")

    def expect(self, client, profile, xoff):
        expected = {
            GROUP: {"profile": profile},
            "BUFFER_PROFILE|" + profile: {
                "pool": "ingress_lossless_pool", "size": "1248", "xon": "2288",
                "xoff": xoff, "dynamic_th": "0"}}
        self.ctl("config", "sync")
        self.assertEqual(self.buffers(client), expected)
        self.assertEqual(self.status(client, GROUP)["origin"], "auto")

    def test_nothing_is_written_unless_asked(self):
        client = self.begin()
        self.ctl("config", "sync")
        self.assertEqual(self.buffers(client), {})
        self.stop_orchd()

    def test_rows_are_written_and_follow(self):
        client = self.begin("--set", "writeback=yes")
        self.expect(client, P5, "165568")
        generation = self.status(client, GROUP)["generation"]
        # What was written is not taken for news.
        writes = client.on(CONFIG_DB, "INFO", "commandstats")
        self.ctl("config", "sync")
        self.assertEqual(
            [line for line in writes.splitlines() if "cmdstat_hset:" in line],
            [line for line in client.on(CONFIG_DB, "INFO", "commandstats")
             .splitlines() if "cmdstat_hset:" in line])
        self.assertEqual(self.status(client, GROUP)["generation"], generation)
        client.on(CONFIG_DB, "HSET", CABLES, "Ethernet0", "40m")
        self.expect(client, P40, "177632")
        client.on(CONFIG_DB, "DEL", "PORT_QOS_MAP|Ethernet0")
        wait_until(lambda: self.buffers(client) == {}, "all is gone")
        self.stop_orchd()

    def test_a_row_of_the_users_is_his(self):
        client = self.begin("--set", "writeback=yes")
        self.expect(client, P5, "165568")
        client.on(CONFIG_DB, "HSET", "BUFFER_PROFILE|own", "pool",
                  "ingress_lossless_pool", "size", "0", "dynamic_th", "1")
        client.on(CONFIG_DB, "HSET", GROUP, "profile", "own")
        wait_until(lambda: self.status(client, GROUP).get("origin", "user") ==
                   "user", "it is the user's")
        client.on(CONFIG_DB, "HSET", CABLES, "Ethernet0", "40m")
        self.ctl("config", "sync")
        self.assertEqual(client.hash(CONFIG_DB, GROUP), {"profile": "own"})
        client.on(CONFIG_DB, "DEL", GROUP)
        wait_until(lambda: client.hash(CONFIG_DB, GROUP) == {"profile": P40},
                   "the derived row is back")
        self.stop_orchd()

    def test_what_an_earlier_run_wrote_is_not_the_users(self):
        client = self.begin("--set", "writeback=yes")
        self.expect(client, P5, "165568")
        self.kill_orchd()
        self.run_orchd("--set", "writeback=yes")
        wait_until(lambda: self.status(client, GROUP).get("origin") == "auto",
                   "it is derived")
        self.expect(client, P5, "165568")
        client.on(CONFIG_DB, "HSET", CABLES, "Ethernet0", "40m")
        wait_until(lambda: "BUFFER_PROFILE|" + P5 not in self.buffers(client),
                   "the old profile is gone")
        self.expect(client, P40, "177632")
        self.stop_orchd()


if __name__ == "__main__":
    unittest.main()

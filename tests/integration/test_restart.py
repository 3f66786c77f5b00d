# SPDX-License-Identifier: Apache-2.0
"""orchd dies and comes back on a switch that has gone on without it."""

import json
import os
import random
import re
import signal
import socket
import sys
import unittest

os.environ["ORCHD_TEST_REMOTE"] = "yes"
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
# pylint: disable=wrong-import-position
from harness import (ASIC_DB, CONFIG_DB, PATIENCE_S, SOURCE,  # noqa: E402
                     STATE_DB, System, asic_objects, asic_picture, as_commands,
                     not_beside, rows_of, wait_until)

setUpModule = not_beside("a switch that goes on without orchd")

EXAMPLE = os.path.join(SOURCE, "examples", "leaf-32x100g.config_db.json")
FOUND = re.compile(r"switch-resumed .* holds (\d+) objects?")
ADOPTED = re.compile(r"switch-adopted .* adopted (\d+) objects and (\d+) values "
                     r"as they were; created (\d+), set (\d+) and removed "
                     r"(\d+)")


# What the example does not have.
MORE = {
    "SCHEDULER|s": {"type": "DWRR", "weight": "20"},
    "WRED_PROFILE|w": {"wred_green_enable": "true", "ecn": "ecn_all",
                       "green_min_threshold": "100000",
                       "green_max_threshold": "200000"},
    "QUEUE|Ethernet0|3-4": {"scheduler": "s", "wred_profile": "w"},
    "BUFFER_PROFILE|spare": {"pool": "egress_lossy_pool", "size": "3328",
                             "dynamic_th": "1"},
    "BUFFER_QUEUE|Ethernet0|7": {"profile": "spare"},
    "BUFFER_PORT_EGRESS_PROFILE_LIST|Ethernet8":
        {"profile_list": "egress_lossless_profile,egress_lossy_profile"},
    "PORT_QOS_MAP|global": {"dscp_to_tc_map": "AZURE"},
}
LOSSLESS = "BUFFER_PROFILE|pg_lossless_100000_5m_profile"


class Restart(System):
    MODEL = None
    HWSKU = "Celestica-DX010-C32"
    PATIENCE_MS = None  # Of orchd with its switch.

    def command(self, *options, **places):
        if self.PATIENCE_MS:
            options += ("--profile",
                        f"SAI_REMOTE_TIMEOUT_MS={self.PATIENCE_MS}")
        return super().command(*options, **places)

    def begin(self, more=None):
        client = self.start_redis()
        self.rows = {**rows_of(EXAMPLE), **(more or {})}
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
        adopted = wait_until(lambda: ADOPTED.search(self.log_text()),
                             "the switch is adopted")
        self.wait_settled(client)
        # Nothing is programmed before all of CONFIG_DB is known.
        text = self.log_text()
        self.assertLess(text.index(" redis-up "), text.index(" switch-created "))
        found = FOUND.search(text)
        return dict(zip(("found", "adopted", "same", "created", "set",
                         "removed"), map(int, found.groups() +
                                         adopted.groups())))

    def done(self, did):
        """How much was created, set and removed."""
        return did["created"], did["set"], did["removed"]

    def write(self, client, rows):
        """Changes CONFIG_DB; None is a row that goes."""
        for row, fields in rows.items():
            client.on(CONFIG_DB, "DEL", row)
            self.rows.pop(row, None)
            if fields:
                self.rows[row] = fields
                client.pipeline(as_commands({row: fields}))

    def assert_nothing_is_left(self, client):
        """The next orchd finds what is wanted, and nothing besides."""
        self.kill_orchd()
        did = self.again(client)
        self.assertEqual(self.done(did), (0, 0, 0), did)
        self.assertEqual(did["found"], did["adopted"], did)
        picture = asic_picture(client)
        self.kill_orchd()
        client("FLUSHALL")
        client.pipeline(as_commands(self.rows))
        self.start_orchd()
        self.wait_settled(client)
        self.assertEqual(asic_picture(client), picture)

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

    def test_one_client_goes_once(self):
        self.begin()
        pid = self.orchd_process.pid
        self.stop_orchd()
        wait_until(lambda: "client-gone" in self.host_text(), "orchd is gone")
        # The end of the host shows all that it had to say.
        self.host_process.terminate()
        self.host_process.wait(PATIENCE_S)
        self.assertEqual(self.host_text().count("client-gone"), 1)
        self.assertIn(f"process {pid}", self.host_text())

    def test_only_what_has_changed_meanwhile_is_done(self):
        client = self.begin(MORE)
        before = asic_objects(client)
        made = client.hash(ASIC_DB, "ORCHD_OBJECTS")
        self.control("asic", "block", ports=["Ethernet4"])
        self.control("asic", "send", **{
            "from": "Ethernet0", "to": "Ethernet4", "dscp": 3, "count": 100,
            "size": 300})
        counters = self.counters()
        self.kill_orchd()
        # Both thresholds of WRED rise above what they were.
        self.write(client, {
            LOSSLESS: {**self.rows[LOSSLESS], "dynamic_th": "-2"},
            "BUFFER_POOL|egress_lossy_pool":
                {**self.rows["BUFFER_POOL|egress_lossy_pool"],
                 "size": "9000000"},
            "TC_TO_QUEUE_MAP|AZURE":
                {**self.rows["TC_TO_QUEUE_MAP|AZURE"], "7": "6"},
            "SCHEDULER|s": {"type": "DWRR", "weight": "30"},
            "WRED_PROFILE|w": {**MORE["WRED_PROFILE|w"],
                               "green_min_threshold": "300000",
                               "green_max_threshold": "400000"},
            "BUFFER_QUEUE|Ethernet0|7": {"profile": "egress_lossy_profile"}})
        did = self.again(client)
        self.assertEqual(self.done(did), (0, 7, 0), did)
        self.assertEqual(set(asic_objects(client)), set(before))
        self.assertEqual(client.hash(ASIC_DB, "ORCHD_OBJECTS"), made)
        # Counters, watermarks, and the frames that are still there; what a
        # threshold is programmed as may differ.
        def counted(seen):
            return re.sub("'limit_bytes': [0-9]+", "", str(seen["objects"]))

        self.assertEqual(counted(self.counters()), counted(counters))
        self.assertIn("'if_in_ucast_pkts': 100", counted(counters))
        self.assertRegex(counted(counters), "watermark[a-z_]*': [1-9]")
        self.assert_nothing_is_left(client)

    def test_rows_that_went_and_came_meanwhile(self):
        client = self.begin(MORE)
        before = client.hash(ASIC_DB, "ORCHD_OBJECTS")
        self.kill_orchd()
        renamed = dict(self.rows[LOSSLESS])
        self.write(client, {
            LOSSLESS: None, "BUFFER_PROFILE|renamed": renamed,
            **{row: {"profile": "renamed"} for row, fields
               in list(self.rows.items()) if row.startswith("BUFFER_PG|")
               and fields["profile"] in LOSSLESS}})
        did = self.again(client)
        # What it was called does not matter to the switch.
        self.assertEqual(self.done(did), (0, 0, 0), did)
        after = client.hash(ASIC_DB, "ORCHD_OBJECTS")
        self.assertEqual(after.pop("BUFFER_PROFILE|renamed"),
                         before.pop(LOSSLESS))
        self.assertEqual(after, before)
        self.kill_orchd()
        self.write(client, {
            "BUFFER_PROFILE|new": {"pool": "egress_lossy_pool", "size": "1",
                                   "dynamic_th": "2"},
            "BUFFER_QUEUE|Ethernet0|7": {"profile": "new"},
            "BUFFER_PROFILE|spare": None,
            "BUFFER_PG|Ethernet0|0": None,
            "QUEUE|Ethernet0|3-4": {"scheduler": "s"},
            "WRED_PROFILE|w": None,
            "BUFFER_PORT_EGRESS_PROFILE_LIST|Ethernet8": None,
            "PORT_QOS_MAP|global": None,
            "PORT_QOS_MAP|Ethernet4": None})
        did = self.again(client)
        # A queue is bound to the new profile; a group, two queues, a list of
        # profiles, the map of the switch, three maps and the PFC of a port are
        # as if never set.
        self.assertEqual(self.done(did), (1, 1 + 1 + 2 + 1 + 1 + 4, 2), did)
        # A port goes with all its rows: 8 queues and 2 groups with profiles,
        # 2 with a scheduler, 3 maps, and PFC.
        self.kill_orchd()
        self.write(client, {row: None for row in list(self.rows)
                            if "|Ethernet0" in row})
        self.write(client, {"BUFFER_PROFILE|new": None})
        did = self.again(client)
        self.assertEqual(self.done(did), (0, 8 + 2 + 2 + 3 + 1, 1), did)
        self.assertNotIn("switch-stale-objects", self.log_text())
        self.assert_nothing_is_left(client)

    def test_what_redis_says_of_objects_is_only_a_hint(self):
        client = self.begin(MORE)
        before = asic_objects(client)
        made = client.hash(ASIC_DB, "ORCHD_OBJECTS")
        pool, spare = made["BUFFER_POOL|egress_lossy_pool"], \
            made["BUFFER_PROFILE|spare"]
        lies = {
            "none is left": None,
            "of another type": {"BUFFER_PROFILE|spare": pool,
                                "SCHEDULER|s": spare},
            "nowhere": {"BUFFER_PROFILE|spare":
                        "SAI_OBJECT_TYPE_BUFFER_PROFILE:oid:0x19000000ffff",
                        "WRED_PROFILE|w": "nonsense",
                        "BUFFER_POOL|gone": pool},
            "twice": {"BUFFER_PROFILE|egress_lossy_profile": spare,
                      "BUFFER_PROFILE|spare": spare}}
        for name, lie in lies.items():
            with self.subTest(name):
                self.kill_orchd()
                if lie:
                    client.on(ASIC_DB, "HSET", "ORCHD_OBJECTS",
                              *[word for pair in lie.items() for word in pair])
                else:
                    client("FLUSHALL")
                    client.pipeline(as_commands(self.rows))
                did = self.again(client)
                self.assertEqual(self.done(did), (0, 0, 0), did)
                self.assertEqual(set(asic_objects(client)), set(before))
                self.assertEqual(set(client.hash(ASIC_DB, "ORCHD_OBJECTS")),
                                 set(made))
        self.assert_nothing_is_left(client)

    def test_a_row_that_is_wrong_takes_nothing_away(self):
        client = self.begin(MORE)
        before, rows = asic_objects(client), dict(self.rows)
        self.kill_orchd()
        self.write(client, {
            "BUFFER_QUEUE|Ethernet0|7": {"profile": "missing"},
            "BUFFER_PG|Ethernet4|0": {"nonsense": "x"},
            "QUEUE|Ethernet0|3-4": {"scheduler": "missing",
                                    "wred_profile": "w"}})
        client.on(CONFIG_DB, "HSET", LOSSLESS, "dynamic_th", "x")
        self.start_orchd_only()
        wait_until(lambda: ADOPTED.search(self.log_text()), "it is adopted")
        self.wait_log("switch-stale-objects")
        self.kill_orchd()
        self.write(client, {row: fields for row, fields in rows.items()
                            if self.rows[row] != fields or row == LOSSLESS})
        did = self.again(client)
        self.assertEqual(self.done(did), (0, 0, 0), did)
        self.assertEqual(set(asic_objects(client)), set(before))

    def test_what_a_wrong_row_kept_goes_when_it_is_right(self):
        client = self.begin(MORE)
        self.kill_orchd()
        # Nothing remembers these two rows; their tables have a wrong row.
        self.write(client, {"BUFFER_QUEUE|Ethernet0|7": None,
                            "BUFFER_PROFILE|spare": None,
                            "BUFFER_QUEUE|Ethernet4|7": {"nonsense": "x"}})
        self.start_orchd_only()
        self.wait_log("switch-stale-objects")
        self.write(client, {"BUFFER_QUEUE|Ethernet4|7": None})
        self.wait_log("switch-tidied")
        self.assertRegex(self.log_text(), "set 1 stale values? .* removed 1 "
                         "stale object")
        self.assert_nothing_is_left(client)

    def test_killed_anywhere_it_ends_in_the_same_place(self):
        client = self.begin(MORE)
        record = os.path.join(self.directory, "record")
        chance = random.Random(5)
        spare = "BUFFER_PROFILE|spare"

        def is_late(size):
            return (os.path.exists(record) and os.path.getsize(record) >= size
                    or ADOPTED.search(self.log_text()))

        self.stop_orchd()
        self.start_host()
        for n in range(12):
            # Killed after so much was written about its calls, and changed.
            self.start_orchd_only("--record", record)
            size = chance.randrange(1, 60000)
            wait_until(lambda size=size: is_late(size), "calls")
            self.kill_orchd()
            os.rename(record, record + ".old")
            self.write(client, {
                spare: {**self.rows[spare], "size": str(chance.randrange(9)),
                        "dynamic_th": str(chance.randrange(-6, 7))},
                f"BUFFER_PROFILE|p{n}": {"pool": "egress_lossy_pool",
                                         "size": str(n), "dynamic_th": "0"},
                f"BUFFER_PROFILE|p{n - 1}": None,
                "BUFFER_QUEUE|Ethernet4|7": {"profile": f"p{n}"},
                "BUFFER_QUEUE|Ethernet0|7":
                    chance.choice([None, {"profile": "spare"}]),
                "BUFFER_PG|Ethernet8|0":
                    chance.choice([None, self.rows["BUFFER_PG|Ethernet0|0"]])})
            if chance.randrange(3) == 0:
                client.on(ASIC_DB, "FLUSHDB")
        self.again(client)
        self.assert_nothing_is_left(client)

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
            self.assertEqual(answer["code"], "sai-no-host")
            self.assertIn(self.host_socket, answer["remedy"])
            shown = self.control("show", "pfc")
            self.assertIn(self.host_socket, shown["error"]["remedy"])
            self.start_host()
            self.wait_state(client, pool, "applied")
            self.wait_settled(client)
            self.assertEqual(asic_picture(client), picture)
        self.assertEqual(self.log_text().count("switch-lost"), 2)
        # The generation keeps rising, for clients that wait for one.
        self.assertGreater(self.generation(client), generation)
        self.stop_orchd()

    def test_who_waits_hears_that_orchd_ends(self):
        """The request in progress is answered, and no other one is begun."""
        self.begin()
        with socket.socket(socket.AF_UNIX) as waiting:
            waiting.settimeout(PATIENCE_S)
            waiting.connect(os.path.join(self.directory, "control.sock"))
            for noun, verb, arguments in (
                    ("config", "wait", {"row": "BUFFER_PROFILE|none"}),
                    ("log", "level", {"level": "debug"})):
                waiting.sendall(json.dumps(
                    {"noun": noun, "verb": verb, "args": arguments}).encode() +
                    b"\n")
            # It has read what was sent before.
            for _ in range(2):
                self.control("show", "status")
            self.stop_orchd()
            with waiting.makefile("rb") as file:
                answers = [json.loads(line) for line in file]
        self.assertEqual([(a["exit"], a["error"]["code"]) for a in answers],
                         [(1, "orchd-ended")])

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
        # This asks the switch, which does not answer.
        answer = self.control("config", "diff")
        self.assertEqual(answer["exit"], 1)
        self.assertTrue(answer["error"]["reason"])
        self.wait_log("switch-lost")
        self.host_process.send_signal(signal.SIGCONT)
        # A host that was late at the start as well has had its switch adopted
        # before.
        found = wait_until(
            lambda: ADOPTED.search(self.log_text().partition("switch-lost")[2]),
            "the switch is adopted")
        self.wait_settled(client)
        # The switch never was away, and nothing was done to it.
        self.assertEqual(found.groups()[2:], ("0", "0", "0"))
        self.assertEqual(asic_objects(client), before)
        self.assertEqual(self.counters(), counters)
        self.stop_orchd()


if __name__ == "__main__":
    unittest.main(verbosity=2)

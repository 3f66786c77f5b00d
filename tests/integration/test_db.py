# SPDX-License-Identifier: Apache-2.0
"""CONFIG_DB in, answers and mirrors out: with a real Redis, which is started
wrongly, emptied, killed and brought back."""

import json
import os
import pwd
import random
import signal
import subprocess
import threading
import unittest

from harness import (ASIC_DB, CONFIG_DB, COUNTERS_DB, PATIENCE_S, REMOTE,
                     STATE_DB, Client, RedisError,
                     System, as_commands, asic_objects, asic_picture,
                     is_running, needs_sai, once, wait_until)

POOL = "BUFFER_POOL|ingress_lossless_pool"
PROFILE = "BUFFER_PROFILE|lossless"

CONFIG = {
    "DEVICE_METADATA|localhost": {"hwsku": "example", "type": "LeafRouter"},
    "PORT|Ethernet0": {"lanes": "1,2,3,4", "speed": "100000",
                       "admin_status": "up"},
    "PORT|Ethernet4": {"lanes": "5,6,7,8", "speed": "100000",
                       "admin_status": "up"},
    POOL: {"type": "ingress", "mode": "dynamic", "size": "10000000"},
    "BUFFER_POOL|egress_lossless_pool": {"type": "egress", "mode": "static",
                                         "size": "12000000"},
    PROFILE: {"pool": "ingress_lossless_pool", "size": "1248",
              "dynamic_th": "-3", "xon": "2288", "xoff": "160000"},
    "BUFFER_PROFILE|egress": {"pool": "egress_lossless_pool", "size": "0",
                              "static_th": "12000000"},
    "BUFFER_PG|Ethernet0,Ethernet4|3-4": {"profile": "lossless"},
    "BUFFER_QUEUE|Ethernet0|3-4": {"profile": "egress"},
    "DSCP_TO_TC_MAP|AZURE": {str(i): str(i % 8) for i in range(64)},
    "TC_TO_QUEUE_MAP|AZURE": {str(i): str(i) for i in range(8)},
    "TC_TO_PRIORITY_GROUP_MAP|AZURE": {str(i): "3" if i == 3 else "0"
                                       for i in range(8)},
    "PORT_QOS_MAP|Ethernet0": {"dscp_to_tc_map": "AZURE",
                               "tc_to_queue_map": "AZURE",
                               "tc_to_pg_map": "AZURE", "pfc_enable": "3,4"},
}

INITIALIZED = [("SELECT", CONFIG_DB), ("SET", "CONFIG_DB_INITIALIZED", "1")]


class Database(System):

    def start(self, *options):
        """A Redis with CONFIG in it, and an orchd that has applied it."""
        client = self.start_redis()
        client.pipeline(as_commands(CONFIG) + INITIALIZED)
        self.start_orchd(*options)
        self.wait_applied(client, CONFIG)
        return client

    def attribute(self, client, kind, name):
        """The values of one attribute of all objects of a type."""
        return {row[name] for key, row in client.hashes(
            ASIC_DB, f"ASIC_STATE:SAI_OBJECT_TYPE_{kind}:*").items()
                if name in row}

    def sizes(self, client):
        return self.attribute(client, "BUFFER_POOL",
                              "SAI_BUFFER_POOL_ATTR_SIZE")

    def settle(self, client):
        """Returns when what was removed before would be gone: a bad verdict
        waits for the same quiet as a removal."""
        client.on(CONFIG_DB, "HSET", "BUFFER_POOL|marker", "type", "sideways",
                  "mode", "static", "size", "1")
        self.wait_state(client, "BUFFER_POOL|marker", "rejected")

    def statuses(self, client):
        """All answers, without times and numbers of plans."""
        rows = client.hashes(STATE_DB, "ORCHD_STATUS|*")
        return {key: {name: value for name, value in row.items()
                      if name not in ("updated", "generation")}
                for key, row in rows.items()}

    def hold(self, client):
        return client.hash(STATE_DB, "ORCHD_SUMMARY|global").get("hold")

    def test_a_row_without_a_name_is_answered(self):
        client = self.start()
        client.on(CONFIG_DB, "HSET", "BUFFER_POOL|", "size", "1")
        self.wait_state(client, "BUFFER_POOL|", "rejected")
        self.assertIn("is empty", self.status(client, "BUFFER_POOL|")["reason"])
        client.on(CONFIG_DB, "DEL", "BUFFER_POOL|")
        self.wait_state(client, "BUFFER_POOL|", None)
        # So is one that is there from the start.
        self.stop_orchd()
        client.on(CONFIG_DB, "HSET", "PORT|", "lanes", "1")
        self.start_orchd()
        self.wait_state(client, "PORT|", "rejected")
        self.wait_applied(client, [POOL])

    def test_rows_arrive_change_and_go(self):
        client = self.start()
        self.assertIn("10000000", self.sizes(client))
        self.assertEqual(self.status(client, POOL).keys(),
                         {"state", "generation", "updated"})

        client.on(CONFIG_DB, "HSET", POOL, "size", "9000000")
        wait_until(lambda: "9000000" in self.sizes(client), "the new size")

        row = "BUFFER_PG|Ethernet0,Ethernet4|3-4"
        client.on(CONFIG_DB, "DEL", row)
        self.wait_state(client, row, None)
        bound = self.attribute(
            client, "INGRESS_PRIORITY_GROUP",
            "SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE")
        self.assertLessEqual(bound, {"oid:0x0"})
        self.stop_orchd()

    def test_a_status_has_no_fields_of_an_earlier_one(self):
        client = self.start()
        client.on(CONFIG_DB, "HSET", POOL, "mode", "sometimes")
        self.wait_state(client, POOL, "rejected")
        bad = self.status(client, POOL)
        self.assertEqual((bad["field"], bad["value"], bad["origin"]),
                         ("mode", "sometimes", "user"))
        self.assertTrue(bad["code"] and bad["reason"])
        client.on(CONFIG_DB, "HSET", POOL, "mode", "dynamic")
        self.wait_state(client, POOL, "applied")
        self.assertEqual(self.status(client, POOL).keys(),
                         {"state", "generation", "updated"})
        events = [json.loads(event) for event in
                  client.on(STATE_DB, "LRANGE", "ORCHD_EVENTS", 0, 1)]
        self.assertEqual([(e["table"], e["old"], e["new"]) for e in events],
                         [("BUFFER_POOL", "rejected", "applied"),
                          ("BUFFER_POOL", "applied", "rejected")])

    @needs_sai
    def test_names_lead_to_objects(self):
        client = self.start()
        ports = client.hash(COUNTERS_DB, "COUNTERS_PORT_NAME_MAP")
        self.assertEqual(ports.keys(), {"Ethernet0", "Ethernet4"})
        pools = client.hash(COUNTERS_DB, "COUNTERS_BUFFER_POOL_NAME_MAP")
        objects = asic_objects(client)
        self.assertEqual(
            objects[pools["ingress_lossless_pool"]][1]
            ["SAI_BUFFER_POOL_ATTR_SIZE"], "10000000")
        for kind, tables in (("QUEUE", ("PORT", "INDEX", "TYPE")),
                             ("PG", ("PORT", "INDEX"))):
            names = client.hash(COUNTERS_DB, f"COUNTERS_{kind}_NAME_MAP")
            self.assertIn("Ethernet0:3", names)
            for table in tables:
                found = client.hash(COUNTERS_DB,
                                    f"COUNTERS_{kind}_{table}_MAP")
                self.assertEqual(found.keys(), set(names.values()))
                if table == "PORT":
                    self.assertLessEqual(set(found.values()),
                                         set(ports.values()))

    def test_order_of_arrival_does_not_matter(self):
        pictures = []
        for seed in range(4):
            client = self.start_redis()
            self.start_orchd()
            self.wait_log("redis-up")
            commands = as_commands(CONFIG)[1:]
            random.Random(seed).shuffle(commands)
            for command in commands:
                client.on(CONFIG_DB, *command)
            self.wait_applied(client, CONFIG)
            pictures.append(asic_picture(client))
            self.stop_orchd()
            self.kill_redis()
        for seed, picture in enumerate(pictures):
            self.assertEqual(picture, pictures[0], f"seed {seed}")

    def test_other_kinds_of_keys_do_no_harm(self):
        client = self.start()
        client.on(CONFIG_DB, "SET", "BUFFER_POOL|text", "x")
        client.on(CONFIG_DB, "RPUSH", "PORT|list", "x")
        client.on(CONFIG_DB, "HSET", "SOMEBODY_ELSES|x", "a", "b")
        client.on(CONFIG_DB, "HSET", "NOSEPARATOR", "a", "b")
        client.on(CONFIG_DB, "HSET", b"PORT|nul\0nul", "a", "b")
        client.on(CONFIG_DB, "HSET", "BUFFER_POOL|cut", "type", "ingress",
                  "mode", "static", "size", b"12\0abc")
        self.wait_state(client, "BUFFER_POOL|cut", "rejected")
        self.wait_log("row-not-a-hash")
        self.assertNotIn("12", self.sizes(client))
        self.assertEqual(self.status(client, "SOMEBODY_ELSES|x"), {})

    def test_keys_that_are_no_rows_are_answered(self):
        client = self.start()
        row = "BUFFER_QUEUE|Ethernet0|3-4"
        held = client.hash(STATE_DB, "ORCHD_STATUS|" + row)
        picture = asic_picture(client)
        client.on(CONFIG_DB, "SET", "BUFFER_POOL|text", "x")
        client.on(CONFIG_DB, "RPUSH", "PORT|list", "x")
        client.on(CONFIG_DB, "SET", row, "x")
        client.on(CONFIG_DB, "HSET", b"PORT|nul\0nul", "a", "b")
        client.on(CONFIG_DB, "HSET", "BUFFER_POOL|bytes", "type", "ingress",
                  "mode", "static", "size", b"1\xff2")
        for bad, code, reason in (
                ("BUFFER_POOL|text", "not-a-hash", "is not a hash"),
                ("PORT|list", "not-a-hash", "is not a hash"),
                (row, "not-a-hash", "is not a hash"),
                (r"PORT|nul\x00nul", "key", r"NUL, written here as \x00"),
                ("BUFFER_POOL|bytes", "type", "not a whole number")):
            self.wait_state(client, bad, "rejected")
            status = self.status(client, bad)
            self.assertEqual(status["code"], code, status)
            self.assertIn(reason, status["reason"])
            self.assertTrue(status["remedy"])
        answer = self.control("config", "status", row="BUFFER_POOL|bytes")
        self.assertEqual(answer["data"]["rows"][0]["reason"],
                         r'size is "1\xff2", which is not a whole number')
        # What was accepted stays in force, and comes back as it was.
        self.assertEqual(asic_picture(client), picture)
        client.on(CONFIG_DB, "DEL", row)
        client.on(CONFIG_DB, "HSET", row, *[
            word for pair in CONFIG[row].items() for word in pair])
        self.wait_state(client, row, held["state"])
        self.assertEqual(asic_picture(client), picture)
        for bad in ("BUFFER_POOL|text", "PORT|list", b"PORT|nul\0nul"):
            client.on(CONFIG_DB, "DEL", bad)
        for bad in ("BUFFER_POOL|text", "PORT|list", r"PORT|nul\x00nul"):
            self.wait_state(client, bad, None)

    def test_notifications_are_switched_on(self):
        client = self.start_redis("--notify-keyspace-events", "x")
        self.start_orchd("--set", "audit_seconds=3600")
        self.wait_log("redis-up")
        letters = client("CONFIG", "GET", "notify-keyspace-events")[1]
        needed = "gh$lszt"
        self.assertLessEqual(set("K" + needed), set(letters) | (
            set(needed) if "A" in letters else set()))
        client.pipeline(as_commands(CONFIG))
        self.wait_applied(client, CONFIG)
        for command, *words in (("RPUSH", "x"), ("SADD", "x"),
                                ("ZADD", "1", "x"), ("XADD", "*", "x", "y")):
            client.on(CONFIG_DB, command, "PORT|" + command, *words)
            self.wait_state(client, "PORT|" + command, "rejected")
        # A client switches them off; the next audit switches them on again.
        self.stop_orchd()
        self.start_orchd("--set", "audit_seconds=1")
        self.wait_applied(client, CONFIG)
        client("CONFIG", "SET", "notify-keyspace-events", "")
        client.on(CONFIG_DB, "HSET", POOL, "size", "7000000")
        wait_until(lambda: "7000000" in self.sizes(client), "the new size")
        wait_until(lambda: client("CONFIG", "GET",
                                  "notify-keyspace-events")[1],
                   "notifications are on again")

    def test_a_barrier_sees_what_was_written_without_notifications(self):
        client = self.start("--set", "audit_seconds=3600")
        client("CONFIG", "SET", "notify-keyspace-events", "")
        client.on(CONFIG_DB, "HSET", POOL, "size", "7000000")
        self.assertEqual(self.control("config", "sync")["exit"], 0)
        self.assertIn("7000000", self.sizes(client))
        letters = client("CONFIG", "GET", "notify-keyspace-events")[1]
        self.assertIn("K", letters)
        self.wait_log("another client has disabled keyspace notifications")
        # Disabled and enabled again: the row in between was not announced.
        client.pipeline([
            ("CONFIG", "SET", "notify-keyspace-events", ""),
            ("SELECT", CONFIG_DB), ("HSET", POOL, "size", "7000001"),
            ("CONFIG", "SET", "notify-keyspace-events", letters)])
        self.assertEqual(self.control("config", "sync")["exit"], 0)
        self.assertIn("7000001", self.sizes(client))
        self.assertEqual(
            self.log_text().count("another client has disabled"), 1)

    def test_disabled_notifications_are_enabled_without_an_audit(self):
        client = self.start("--set", "audit_seconds=3600")
        client("CONFIG", "SET", "notify-keyspace-events", "")
        client.on(CONFIG_DB, "HSET", POOL, "size", "7000000")
        wait_until(lambda: "7000000" in self.sizes(client), "the new size")
        self.assertIn("K", client("CONFIG", "GET",
                                  "notify-keyspace-events")[1])

    @once
    def test_without_notifications_it_reads_again_and_again(self):
        client = self.start_redis("--notify-keyspace-events", "")
        client("ACL", "SETUSER", "default", "-config")
        client.pipeline(as_commands(CONFIG) + INITIALIZED)
        self.start_orchd("--set", "audit_seconds=3600")
        self.wait_applied(client, CONFIG)
        self.wait_log("notify-keyspace-events AKE")
        client.on(CONFIG_DB, "HSET", POOL, "size", "7000000")
        wait_until(lambda: "7000000" in self.sizes(client), "the new size")
        client.on(CONFIG_DB, "DEL", "BUFFER_QUEUE|Ethernet0|3-4")
        self.wait_state(client, "BUFFER_QUEUE|Ethernet0|3-4", None)
        self.assertEqual(client.on(
            CONFIG_DB, "EXISTS", "CONFIG_DB_INITIALIZED"), 1)
        with self.assertRaises(RedisError):
            client("CONFIG", "GET", "save")

    @needs_sai
    def test_an_emptied_database_removes_nothing(self):
        client = self.start()
        before = asic_picture(client)
        client("FLUSHALL")
        wait_until(lambda: self.hold(client), "removals are held")
        self.settle(client)
        self.assertEqual(asic_picture(client), before)
        self.assertEqual(self.status(client, POOL)["state"], "applied")

        # The barrier does not wait for what will not come, and says so.
        answer = self.control("config", "sync")
        self.assertEqual(answer["exit"], 1)
        self.assertEqual(answer["error"]["code"], "held")
        self.assertIn(f"{len(CONFIG)} rows", answer["error"]["reason"])
        removals = self.control("config", "status")["data"]["removals"]
        self.assertTrue(removals["held"])
        self.assertEqual(removals["rows"], len(CONFIG))

        # Filled again, and marked as complete: what is not in it goes.
        config = {key: row for key, row in CONFIG.items()
                  if not key.startswith("BUFFER_PG")}
        client.pipeline(as_commands(config))
        self.settle(client)
        client.pipeline(INITIALIZED)
        self.wait_state(client, "BUFFER_PG|Ethernet0,Ethernet4|3-4", None)
        self.wait_applied(client, config)
        wait_until(lambda: not self.hold(client), "removals are not held")
        self.assertEqual(
            self.attribute(client, "BUFFER_POOL", "SAI_BUFFER_POOL_ATTR_SIZE"),
            {"10000000", "12000000"})
        self.stop_orchd()

    @once
    def test_a_swapped_database_removes_nothing(self):
        # Long before the periodic reading would find out, after a minute.
        client = self.start()
        before = asic_picture(client)
        client("SWAPDB", str(CONFIG_DB), "9")
        wait_until(lambda: self.hold(client), "removals are held")
        self.wait_log("exchanged with SWAPDB")
        self.settle(client)
        self.assertEqual(asic_picture(client), before)
        self.assertEqual(self.status(client, POOL)["state"], "applied")
        client("SWAPDB", str(CONFIG_DB), "9")
        client.on(CONFIG_DB, "HSET", POOL, "size", "9000000")
        wait_until(lambda: "9000000" in self.sizes(client), "the new size")
        wait_until(lambda: not self.hold(client), "removals are not held")

    def test_quiet_ports_are_a_sign_as_well(self):
        client = self.start_redis()
        client.pipeline(as_commands(CONFIG))
        self.start_orchd()
        self.wait_applied(client, CONFIG)
        wait_until(lambda: self.hold(client) == "", "removals are not held")
        client.on(CONFIG_DB, "DEL", "BUFFER_QUEUE|Ethernet0|3-4")
        self.wait_state(client, "BUFFER_QUEUE|Ethernet0|3-4", None)

    @once
    def test_writes_without_end_do_not_hold_removals_back(self):
        client, writer = self.start_redis(), self.client()
        client.pipeline(as_commands(CONFIG))
        writer.on(CONFIG_DB, "PING")
        ended = threading.Event()

        def write():
            i = 0
            while not ended.wait(0.002):
                i += 1
                writer("HSET", "PORT|Ethernet4", "description", i)
                writer("HSET", "BUFFER_POOL|new", "type", "ingress", "mode",
                       "static", "size", ("x", 1000000 + i)[i % 2])

        self.start_orchd()
        self.wait_applied(client, CONFIG)
        thread = threading.Thread(target=write)
        thread.start()
        try:
            # The connection is new: it is to be read again, without quiet.
            for number in client("CLIENT", "LIST", "TYPE", "pubsub").split():
                if number.startswith("id="):
                    client("CLIENT", "KILL", "ID", number[3:])
            wait_until(lambda: self.hold(client), "removals are held")
            client.on(CONFIG_DB, "DEL", "BUFFER_QUEUE|Ethernet0|3-4")
            answer = self.control("config", "sync")
            self.assertIn("still_changing", answer["data"])
            self.wait_state(client, "BUFFER_QUEUE|Ethernet0|3-4", None)
        finally:
            ended.set()
            thread.join()
        self.assertRegex(self.log_text(), "WARN hold-over .* clients have not "
                         "stopped writing for 5 s")
        self.stop_orchd()

    def test_redis_is_killed_and_comes_back_empty(self):
        client = self.start()
        picture, statuses = asic_picture(client), self.statuses(client)
        objects = asic_objects(client)
        for _ in range(3):
            self.kill_redis()
            self.wait_log("hold CONFIG_DB: the connection to Redis is lost")
            client = self.start_redis()
            # All is published again from memory, and nothing is removed.
            wait_until(lambda: asic_objects(client) == objects, "ASIC_DB")
            wait_until(lambda: self.statuses(client) == statuses, "STATE_DB")
        self.assertTrue(self.hold(client))
        self.settle(client)
        self.assertEqual(asic_picture(client), picture)
        # Its configuration comes back, one profile with another value.
        config = dict(CONFIG)
        config[PROFILE] = dict(CONFIG[PROFILE], dynamic_th="1")
        client.pipeline(as_commands(config) + INITIALIZED)
        wait_until(lambda: "1" in self.attribute(
            client, "BUFFER_PROFILE",
            "SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH"), "the new value")
        wait_until(lambda: not self.hold(client), "removals are not held")
        self.assertIn("redis-lost", self.log_text())
        self.stop_orchd()

    @needs_sai
    def test_orchd_is_killed_and_comes_back(self):
        client = self.start()
        client.on(CONFIG_DB, "HSET", "BUFFER_POOL|bad", "type", "x")
        self.wait_state(client, "BUFFER_POOL|bad", "rejected")
        objects, statuses = asic_objects(client), self.statuses(client)
        maps = client.hashes(COUNTERS_DB, "COUNTERS_*")
        self.kill_orchd()
        # What an earlier run left and what is no longer wanted is removed.
        client.on(STATE_DB, "HSET", "ORCHD_STATUS|PORT|Ethernet99", "state",
                  "applied")
        client.on(STATE_DB, "HSET", "ORCHD_STATUS|" + POOL, "reason", "old")
        client.on(ASIC_DB, "HSET",
                  "ASIC_STATE:SAI_OBJECT_TYPE_BUFFER_POOL:oid:0xdead", "a", "b")
        client.on(COUNTERS_DB, "HSET", "COUNTERS_PORT_NAME_MAP", "Ethernet99",
                  "oid:0xdead")
        self.start_orchd()
        wait_until(lambda: asic_picture(client) and
                   self.statuses(client) == statuses, "the same answers")
        wait_until(lambda: asic_objects(client) == objects, "the same objects")
        wait_until(lambda: client.hashes(COUNTERS_DB, "COUNTERS_*") == maps,
                   "the same names")
        self.stop_orchd()

    def test_b11_the_audit_finds_silent_changes(self):
        client = self.start("--set", "audit_seconds=1")
        # Redis sends no notification of SWAPDB.
        for key in CONFIG:
            client.on(CONFIG_DB, "COPY", key, key, "DB", 9)
        client.on(9, "SET", "CONFIG_DB_INITIALIZED", "1")
        client.on(9, "HSET", POOL, "size", "5000000")
        client("SWAPDB", 9, CONFIG_DB)
        wait_until(lambda: "5000000" in self.sizes(client), "the new size")

    def test_a_barrier_is_behind_all_that_was_written_before(self):
        client = self.start()
        for i in range(20):
            size = str(9000000 + i)
            client.on(CONFIG_DB, "HSET", POOL, "size", size)
            self.assertEqual(self.control("config", "sync")["exit"], 0)
            self.assertIn(size, self.sizes(client))
            client.on(CONFIG_DB, "HSET", POOL, "mode", "x" * (i + 1))
            self.control("config", "sync")
            self.assertEqual(self.status(client, POOL)["value"], "x" * (i + 1))
            client.on(CONFIG_DB, "HSET", POOL, "mode", "dynamic")

    def test_a_barrier_is_behind_the_switch_that_the_first_row_brings(self):
        client = self.start_redis()
        self.start_orchd()
        wait_until(lambda: "redis-up" in self.log_text(), "orchd is there")
        client.on(CONFIG_DB, "HSET", "PORT|Ethernet0", "lanes", "1,2,3,4",
                  "speed", "100000")
        answer = self.control("config", "sync")
        self.assertEqual(answer["data"]["counts"]["applied"], 1)
        self.assertEqual(answer["exit"], 0)

    def test_a_barrier_without_notifications(self):
        client = self.start_redis("--notify-keyspace-events", "")
        client("ACL", "SETUSER", "default", "-config")
        client.pipeline(as_commands(CONFIG) + INITIALIZED)
        self.start_orchd("--set", "audit_seconds=3600")
        self.wait_applied(client, CONFIG)
        for i in range(10):
            size = str(9000000 + i)
            client.on(CONFIG_DB, "HSET", POOL, "size", size)
            self.assertEqual(self.control("config", "sync")["exit"], 0)
            self.assertIn(size, self.sizes(client))

    def test_rows_are_merged_or_replace_all_others(self):
        client = self.start_redis()
        client.pipeline(INITIALIZED + [
            ("HSET", "BUFFER_POOL|old", "type", "ingress", "mode", "static",
             "size", "1000000"),
            ("HSET", POOL, "xoff", "1"), ("HSET", "FOREIGN|row", "a", "b")])
        # There is nothing yet that tells what the switch is.
        self.start_orchd("--profile", "SOFTASIC_MODEL=generic")
        self.wait_state(client, "BUFFER_POOL|old", "applied")
        tables = {}
        for key, fields in CONFIG.items():
            table, name = key.split("|", 1)
            tables.setdefault(table, {})[name] = fields
        tables["BUFFER_POOL"]["empty"] = {}

        answer = self.control("config", "load", tables=tables, wait=True)
        self.assertIn("data", answer)
        self.assertEqual(client.hash(CONFIG_DB, POOL),
                         dict(CONFIG[POOL], xoff="1"))
        self.assertEqual(client.hash(CONFIG_DB, "BUFFER_POOL|empty"),
                         {"NULL": "NULL"})
        self.assertIn("BUFFER_POOL|old", client.keys(CONFIG_DB, "*"))

        self.control("config", "load", tables=tables, wait=True, replace=True)
        self.assertEqual(client.hash(CONFIG_DB, POOL), CONFIG[POOL])
        self.assertEqual(set(client.keys(CONFIG_DB, "*")),
                         set(CONFIG) | {"CONFIG_DB_INITIALIZED",
                                        "BUFFER_POOL|empty"})
        self.assertEqual(self.status(client, "BUFFER_POOL|old"), {})

    @once
    def test_a_redis_that_does_not_answer(self):
        client = self.start("--set", "audit_seconds=1")
        os.kill(self.redis_process.pid, signal.SIGSTOP)
        try:
            self.wait_log("redis-lost")
            self.assertEqual(self.control("config", "sync")["exit"], 1)
            answer = self.control("config", "load", tables={})
            self.assertEqual(answer["exit"], 1)
        finally:
            os.kill(self.redis_process.pid, signal.SIGCONT)
        client.on(CONFIG_DB, "HSET", POOL, "size", "7000000")
        wait_until(lambda: "7000000" in self.sizes(client), "the new size")
        self.stop_orchd()

    def test_a_backlog_of_notifications_is_read_in_few_turns(self):
        """Each row is read once per turn, and not once per notification."""
        client = self.start()
        rows = [f"BUFFER_PROFILE|backlog{i}" for i in range(100)]
        rounds, batch = 30, 10
        writes = [("HSET", row, "pool", "ingress_lossless_pool", "size", "0",
                   "dynamic_th", "0") for row in rows]
        client.pipeline([("SELECT", CONFIG_DB)] + writes)
        self.control("config", "sync")

        def reads():
            stats = client("INFO", "commandstats")
            return int(stats.split("cmdstat_hgetall:calls=")[1].split(",")[0])

        before = reads()
        os.kill(self.orchd_process.pid, signal.SIGSTOP)
        try:
            for _ in range(rounds):
                client.pipeline([("SELECT", CONFIG_DB)] + batch * writes)
        finally:
            os.kill(self.orchd_process.pid, signal.SIGCONT)
        self.assertEqual(self.control("config", "sync")["exit"], 0)
        # Redis writes 64 KiB at a time, over 500 notifications: the rows are
        # read once for each.  A turn of the loop alone reads 16 KiB.
        n_notified = rounds * batch * len(rows)
        self.assertLess(reads() - before, n_notified // 500 * len(rows))
        self.assertNotIn("redis-lost", self.log_text())

    def test_orchd_stopped_for_long_reads_all_again(self):
        """Redis disconnects a subscriber that does not read; orchd says so, and
        no change is lost."""
        client = self.start("--set", "audit_seconds=3600")
        client("CONFIG", "SET", "client-output-buffer-limit",
               "pubsub 1mb 0 0")
        os.kill(self.orchd_process.pid, signal.SIGSTOP)
        try:
            for i in range(30):
                client.pipeline([("SELECT", CONFIG_DB)] +
                                1000 * [("HSET", POOL, "size", str(7000000 + i))])
        finally:
            os.kill(self.orchd_process.pid, signal.SIGCONT)
        wait_until(lambda: str(7000000 + 29) in self.sizes(client),
                   "the last size")
        wait_until(lambda: self.log_text().count("redis-up") == 2,
                   "orchd is connected again")
        self.assertEqual(self.log_text().count("WARN redis-lost"), 1)
        self.stop_orchd()

    def test_what_redis_refused_is_written_again(self):
        client = self.start("--set", "audit_seconds=1")
        client.on(STATE_DB, "SET", "ORCHD_STATUS|" + POOL, "not a hash")
        client.on(CONFIG_DB, "HSET", POOL, "mode", "sometimes")
        self.wait_log("redis-refused")

        def written_again():
            try:
                return self.status(client, POOL).get("state") == "rejected"
            except RedisError:
                return False

        wait_until(written_again, "the status is a hash again")
        self.stop_orchd()

    @once
    def test_what_a_full_redis_refused_is_written_once_it_has_memory(self):
        client = self.start()  # With an audit after a minute.
        client("CONFIG", "SET", "maxmemory", "1")
        client.on(CONFIG_DB, "HDEL", POOL, "size")  # Is allowed even then.
        self.wait_log("redis-refused")
        self.control("config", "sync")
        self.assertEqual(self.status(client, POOL)["state"], "applied")
        client("CONFIG", "SET", "maxmemory", "0")
        self.wait_state(client, POOL, "rejected")
        self.wait_log("INFO redis-accepts")
        self.stop_orchd()

    @once
    def test_a_redis_that_loads_its_data_is_waited_for(self):
        client = self.start()
        client("SAVE")
        statuses = self.statuses(client)
        self.kill_redis()
        self.redis_process = subprocess.Popen(
            ["redis-server", "--port", "0", "--unixsocket", self.socket,
             "--dir", self.directory, "--key-load-delay", "100000",
             "--loading-process-events-interval-bytes", "1024"],
            stdout=subprocess.DEVNULL)
        self.wait_log("LOADING Redis is loading the dataset in memory")
        loading = Client(self.socket)
        self.clients.append(loading)
        loading("CONFIG", "SET", "key-load-delay", "0")
        client = self.client()
        client.on(CONFIG_DB, "HSET", POOL, "size", "9000000")
        wait_until(lambda: "9000000" in self.sizes(client), "the new size")
        self.wait_applied(client, CONFIG)
        self.assertEqual(set(self.statuses(client)), set(statuses))
        self.assertNotIn("owner-unlocked", self.log_text())
        self.stop_orchd()

    @once
    @needs_sai
    def test_what_another_client_removes_comes_back_at_the_audit(self):
        client = self.start("--set", "audit_seconds=1")
        statuses, objects = self.statuses(client), asic_objects(client)
        client.on(STATE_DB, "DEL", "ORCHD_STATUS|" + POOL)
        wait_until(lambda: self.statuses(client) == statuses, "the status")
        self.wait_log("WARN redis-missing ORCHD_STATUS|*")
        client.on(ASIC_DB, "DEL", client.keys(ASIC_DB, "ASIC_STATE:*")[0])
        wait_until(lambda: asic_objects(client) == objects, "the object")
        self.wait_log("WARN redis-missing ASIC_STATE:*")
        self.stop_orchd()

    def test_the_operator_ends_a_hold(self):
        client = self.start_redis()
        row = "BUFFER_POOL|alone"
        client.on(CONFIG_DB, "HSET", row, "type", "ingress", "mode", "static",
                  "size", "1000000")
        self.start_orchd("--profile", "SOFTASIC_MODEL=generic")
        self.wait_state(client, row, "applied")
        client.on(CONFIG_DB, "DEL", row)
        self.settle(client)
        self.assertEqual(self.status(client, row)["state"], "applied")
        self.assertTrue(self.hold(client))
        self.assertEqual(self.control("config", "resume")["exit"], 0)
        self.wait_state(client, row, None)
        self.assertEqual(self.sizes(client), set())

    @needs_sai
    def test_numbers_and_separators_come_from_a_file(self):
        client = self.start_redis()
        path = os.path.join(self.directory, "database_config.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"INSTANCES": {"redis": {"unix_socket_path":
                                               self.socket}},
                       "DATABASES": {
                           "CONFIG_DB": {"id": 11, "separator": "|",
                                         "instance": "redis"},
                           "STATE_DB": {"id": 12, "separator": "|",
                                        "instance": "redis"}}}, file)
        client.pipeline([("SELECT", 11)] + as_commands(CONFIG)[1:])
        command = self.command("--database-config", path)
        del command[1:3]  # No --redis: the file says where it is.
        if REMOTE:
            self.start_host()
        with open(self.log, "ab") as log:
            self.orchd_process = subprocess.Popen(command, stderr=log)
        wait_until(lambda: client.hash(12, "ORCHD_STATUS|" + POOL).get(
            "state") == "applied", "the row is applied")
        client.on(11, "HSET", POOL, "size", "7000000")
        wait_until(lambda: "7000000" in self.sizes(client), "the new size")
        self.assertEqual(client.keys(STATE_DB, "*"), [])

    def test_a_redis_of_its_own(self):
        directory = os.path.join(self.directory, "own")
        path = os.path.join(directory, "redis.sock")
        self.start_orchd(redis="spawn:" + directory)
        client = self.client(path)
        client.pipeline(as_commands(CONFIG) + INITIALIZED)
        self.wait_applied(client, CONFIG)
        objects = asic_objects(client)
        os.kill(self.redis_pid(client), 9)
        self.wait_log("redis-died")
        client = self.client(path)
        wait_until(lambda: asic_objects(client) == objects, "ASIC_DB")
        second = self.command(redis="spawn:" + directory)
        taken = subprocess.run(second, capture_output=True, text=True,
                               check=False)
        self.assertEqual(taken.returncode, 1)
        self.assertIn("serves at", taken.stderr)
        # It ends with orchd, even if that is killed.
        pid = self.redis_pid(client)
        self.kill_orchd()
        wait_until(lambda: not is_running(pid), "its Redis is gone")

    def test_a_load_into_a_redis_of_its_own_says_that_it_is_filled(self):
        """SONiC's tools wait for that.  Elsewhere SONiC itself says so."""
        directory = os.path.join(self.directory, "own")
        tables = {"BUFFER_POOL": {"in": {"type": "ingress", "mode": "dynamic",
                                         "size": "1000000"}}}
        for redis, filled in (("spawn:" + directory, "1"), (None, None)):
            client = None if redis else self.start_redis()
            self.start_orchd(redis=redis)
            client = client or self.client(
                os.path.join(directory, "redis.sock"))
            self.assertIsNone(
                client.on(CONFIG_DB, "GET", "CONFIG_DB_INITIALIZED"))
            self.wait_log("redis-up")
            self.control("config", "load", tables=tables)
            self.assertEqual(
                client.on(CONFIG_DB, "GET", "CONFIG_DB_INITIALIZED"), filled)
            self.stop_orchd()

    def test_a_redis_of_its_own_in_a_relative_directory(self):
        directory = os.path.join(self.directory, "own")
        self.start_orchd(redis="spawn:" + os.path.relpath(directory))
        client = self.client(os.path.join(directory, "redis.sock"))
        client.pipeline(as_commands(CONFIG) + INITIALIZED)
        self.wait_applied(client, CONFIG)
        self.assertNotIn("redis-died", self.log_text())

    def test_a_redis_of_its_own_in_a_directory_of_others(self):
        directory = os.path.join(self.directory, "own")
        os.mkdir(directory, 0o777)
        os.chmod(directory, 0o777)
        with open(os.path.join(self.directory, "kept"), "w",
                  encoding="utf-8") as file:
            file.write("kept")
        for name in ("redis.sock", "redis.log"):
            os.symlink("../kept", os.path.join(directory, name))
        self.start_orchd(redis="spawn:" + directory)
        self.assertEqual(self.orchd_process.wait(PATIENCE_S), 2)
        self.assertIn(directory + " can be written by other users",
                      self.log_text())
        self.assertEqual(sorted(os.listdir(directory)),
                         ["redis.log", "redis.sock"])
        self.assertEqual(self.text_of(os.path.join(self.directory, "kept")),
                         "kept")

    def test_a_redis_that_is_not_there_yet(self):
        self.start_orchd()
        wait_until(lambda: "started" in self.log_text(), "orchd runs")
        self.wait_log(f"redis-waiting unix:{self.socket}: orchd waits for "
                      "Redis: No such file or directory")
        # That is the first it says of Redis.
        text = self.log_text()
        self.assertEqual(text.count("redis-waiting"), 1)
        self.assertNotIn("redis-lost", text.split("redis-waiting")[0])
        client = self.start_redis()
        client.pipeline(as_commands(CONFIG) + INITIALIZED)
        self.wait_applied(client, CONFIG)

    @once
    @unittest.skipIf(os.geteuid(), "needs root")
    def test_root_starts_orchd_as_another_user(self):
        user = pwd.getpwnam("nobody")
        if subprocess.run(["test", "-x", self.command()[0]], check=False,
                          user=user.pw_uid, group=user.pw_gid).returncode:
            self.skipTest("other users may not read the build")
        os.chmod(self.directory, 0o777)
        client = self.start_redis()
        os.chmod(self.socket, 0o777)
        client.pipeline(as_commands(CONFIG) + INITIALIZED)
        self.start_orchd("--user", "nobody")
        self.wait_applied(client, CONFIG)
        with open(f"/proc/{self.orchd_process.pid}/status",
                  encoding="utf-8") as file:
            lines = dict(line.split(":", 1) for line in file)
        self.assertEqual(set(lines["Uid"].split()), {str(user.pw_uid)})
        self.assertEqual(set(lines["Gid"].split()), {str(user.pw_gid)})
        self.assertEqual(int(lines["CapPrm"], 16), 0)
        control = os.path.join(self.directory, "control.sock")
        self.assertEqual(os.stat(control).st_uid, user.pw_uid)
        self.assertEqual(self.control("config", "sync")["exit"], 0)
        self.stop_orchd()

    def test_too_few_descriptors_start_nothing(self):
        ended = subprocess.run(
            ["prlimit", "--nofile=64:64", *self.command()], capture_output=True,
            text=True, check=False, timeout=PATIENCE_S)
        self.assertEqual(ended.returncode, 1)
        self.assertIn("may have only 64 open files, and needs 128",
                      ended.stderr)
        self.assertIn("ulimit -n", ended.stderr)

    @needs_sai
    def test_bad_options_start_nothing(self):
        missing = os.path.join(self.directory, "missing")
        for options, words in (
                (["--redis", "nowhere"], ["nowhere", "unix:PATH"]),
                (["--frobnicate"], ["--frobnicate", "--help"]),
                (["--database-config", missing], [missing]),
                (["--yang-dir", missing], [missing]),
                (["--sai", missing + ".so"], [missing + ".so", "--sai"]),
                (["--sai", "/etc/passwd"], ["not a shared library", "--sai"]),
                (["--config", missing], ["config file", missing]),
                (["--set", "strict"], ["KEY = VALUE", "'strict'"]),
                (["--user", "rot"], ["no user 'rot'", "'root'", "useradd"]),
                (["--set", "lookup_file=" + missing], [missing]),
                (["--set", "asic_table=" + missing], [missing]),
                (["--record", missing + "/file"],
                 [missing + "/file", "--record"])):
            ended = subprocess.run(self.command(*options), capture_output=True,
                                   text=True, check=False, timeout=PATIENCE_S)
            self.assertEqual(ended.returncode, 2, ended.stderr)
            for word in words:
                self.assertIn(word, ended.stderr)
        self.assertEqual(os.listdir(self.directory), [])


if __name__ == "__main__":
    unittest.main(verbosity=2)

# SPDX-License-Identifier: Apache-2.0
"""What the other programs of SONiC find in Redis: the buffer tables of APPL_DB,
APPL_STATE_DB and STATE_DB, and word of what became of a row."""

import json
import os
import unittest

from harness import (APPL_DB, CONFIG_DB, REMOTE, STATE_DB, System, as_commands,
                     not_beside, wait_until)

setUpModule = not_beside("orchagent publishes what its consumers read")

APPL_STATE_DB = 14

POOL = "BUFFER_POOL|ingress_lossless_pool"
PROFILE = "BUFFER_PROFILE|lossless"

CONFIG = {
    "DEVICE_METADATA|localhost": {"hwsku": "example"},
    "PORT|Ethernet0": {"lanes": "1,2,3,4", "speed": "100000"},
    "PORT|Ethernet4": {"lanes": "5,6,7,8", "speed": "100000"},
    POOL: {"type": "ingress", "mode": "dynamic", "size": "10000000",
           "xoff": "1000000"},
    "BUFFER_POOL|egress": {"type": "egress", "mode": "dynamic",
                           "size": "12000000"},
    PROFILE: {"pool": "ingress_lossless_pool", "size": "2288",
              "dynamic_th": "-3", "xon": "2288", "xoff": "160000"},
    "BUFFER_PROFILE|lossy": {"pool": "ingress_lossless_pool", "size": "0",
                             "dynamic_th": "3"},
    "BUFFER_PROFILE|leaving": {"pool": "egress", "size": "0",
                               "dynamic_th": "1"},
    "BUFFER_PG|Ethernet0,Ethernet4|3-4": {"profile": "lossless"},
    "BUFFER_QUEUE|Ethernet0|3": {"profile": "leaving"},
    "BUFFER_PORT_INGRESS_PROFILE_LIST|Ethernet0": {"profile_list": "lossy"},
    "BUFFER_PORT_EGRESS_PROFILE_LIST|Ethernet0": {"profile_list@": "leaving"},
    "CABLE_LENGTH|AZURE": {"Ethernet0": "5m"},
}


def mirrored(config):
    """What APPL_DB has of 'config'."""
    return {key.replace("|", "_TABLE|", 1).replace("|", ":"):
            {name.rstrip("@"): value for name, value in fields.items()}
            for key, fields in config.items() if key.startswith("BUFFER_")}


class Publish(System):

    def start(self, config=None):
        client = self.start_redis()
        client.pipeline(as_commands(config or CONFIG) +
                        [("SET", "CONFIG_DB_INITIALIZED", "1")])
        self.start_orchd()
        self.wait_applied(client, config or CONFIG)
        return client

    def appl(self, client):
        return client.hashes(APPL_DB, "BUFFER_*")

    def shown(self, client, database, separator):
        rows = client.hashes(database, "BUFFER_P[OR]*")
        self.assertLessEqual({key.split(separator)[0] for key in rows},
                             {"BUFFER_POOL_TABLE", "BUFFER_PROFILE_TABLE"})
        return rows

    def wait_equal(self, question, expected):
        try:
            wait_until(lambda: question() == expected, "it is as expected")
        except AssertionError:
            self.assertEqual(question(), expected)

    def test_tables_are_as_configured(self):
        client = self.start()
        self.wait_equal(lambda: self.appl(client), mirrored(CONFIG))
        both = {key.replace("|", "_TABLE|", 1): fields
                for key, fields in CONFIG.items()
                if key.startswith(("BUFFER_POOL|", "BUFFER_PROFILE|"))}
        self.wait_equal(lambda: self.shown(client, STATE_DB, "|"), both)
        self.wait_equal(
            lambda: self.shown(client, APPL_STATE_DB, ":"),
            {"BUFFER_POOL_TABLE:ingress_lossless_pool": {"xoff": "1000000"},
             "BUFFER_PROFILE_TABLE:lossless": CONFIG[PROFILE]})
        # buffershow takes the text between the first two bars as the name.
        for prefix in ("DEFAULT_LOSSLESS_BUFFER_PARAMETER", "BUFFER_POOL",
                       "BUFFER_PROFILE"):
            for key in client.keys(STATE_DB, prefix + "*"):
                self.assertEqual(key.count("|"), 1)

    @unittest.skipIf(REMOTE, "a host knows which switch it is")
    def test_rows_say_what_a_switch_needs(self):
        self.MODEL = None
        client = self.start_redis()
        self.start_orchd()
        client.pipeline(as_commands({POOL: CONFIG[POOL]}))
        self.wait_state(client, POOL, "waiting")
        answer = self.status(client, POOL)
        self.assertEqual(answer["code"], "no-switch")
        self.assertIn("DEVICE_METADATA", answer["remedy"])
        client.pipeline(as_commands(CONFIG))
        self.wait_applied(client, CONFIG)

    def test_a_field_that_is_gone_is_gone_everywhere(self):
        client = self.start()
        client.on(CONFIG_DB, "HDEL", PROFILE, "xon", "xoff")
        client.on(CONFIG_DB, "HDEL", POOL, "xoff")
        left = {"pool": "ingress_lossless_pool", "size": "2288",
                "dynamic_th": "-3"}
        self.wait_equal(lambda: client.hash(
            APPL_DB, "BUFFER_PROFILE_TABLE:lossless"), left)
        self.wait_equal(lambda: client.hash(
            STATE_DB, "BUFFER_PROFILE_TABLE|lossless"), left)
        self.wait_equal(lambda: self.shown(client, APPL_STATE_DB, ":"), {})

    def test_only_what_is_applied_is_echoed(self):
        client = self.start()
        client.on(CONFIG_DB, "HSET", "BUFFER_PROFILE|early", "pool", "none",
                  "size", "1", "xoff", "1", "dynamic_th", "0")
        self.wait_state(client, "BUFFER_PROFILE|early", "waiting")
        self.assertNotIn("BUFFER_PROFILE_TABLE:early", self.appl(client))
        self.assertNotIn("BUFFER_PROFILE_TABLE|early",
                         self.shown(client, STATE_DB, "|"))
        self.assertNotIn("BUFFER_PROFILE_TABLE:early",
                         self.shown(client, APPL_STATE_DB, ":"))
        client.on(CONFIG_DB, "HSET", PROFILE, "dynamic_th", "9")
        self.wait_state(client, PROFILE, "rejected")
        for database, key in ((APPL_DB, "BUFFER_PROFILE_TABLE:lossless"),
                              (STATE_DB, "BUFFER_PROFILE_TABLE|lossless"),
                              (APPL_STATE_DB,
                               "BUFFER_PROFILE_TABLE:lossless")):
            self.assertEqual(client.hash(database, key), CONFIG[PROFILE])

    def test_a_row_that_waits_keeps_what_is_in_force(self):
        client = self.start()
        queue = "BUFFER_QUEUE|Ethernet0|3"
        before = self.appl(client)
        client.on(CONFIG_DB, "HSET", PROFILE, "pool", "none", "xoff", "7")
        self.wait_state(client, PROFILE, "waiting")
        client.on(CONFIG_DB, "HSET", queue, "profile", "none")
        self.wait_state(client, queue, "waiting")
        self.assertEqual(self.appl(client), before)
        # The same after Redis has lost it.
        client.on(APPL_DB, "FLUSHDB")
        self.wait_equal(lambda: self.appl(client), before)
        # Without its port nothing of the queue is in force.
        client.on(CONFIG_DB, "DEL", "PORT|Ethernet0")
        wait_until(lambda: "BUFFER_QUEUE_TABLE:Ethernet0:3" not in
                   self.appl(client), "APPL_DB has no such queue")
        client.pipeline(as_commands(CONFIG))
        self.wait_applied(client, CONFIG)
        self.wait_equal(lambda: self.appl(client), before)

    def test_a_reload_finds_the_pools_gone(self):
        client = self.start()
        buffers = [key for key in CONFIG if key.startswith("BUFFER_")]
        client.on(CONFIG_DB, "DEL", *buffers)
        wait_until(lambda: not client.keys(APPL_DB, "BUFFER_POOL_TABLE:*"),
                   "APPL_DB has no pools")
        self.wait_equal(lambda: self.appl(client), {})
        self.assertEqual(self.shown(client, STATE_DB, "|"), {})
        self.assertEqual(self.shown(client, APPL_STATE_DB, ":"), {})
        client.pipeline(as_commands(CONFIG))
        self.wait_applied(client, CONFIG)
        self.wait_equal(lambda: self.appl(client), mirrored(CONFIG))

    def test_what_an_earlier_run_left_is_cleared(self):
        client = self.start_redis()
        for database, key in ((APPL_DB, "BUFFER_PG_TABLE:Ethernet9:3"),
                              (APPL_DB, "BUFFER_PROFILE_TABLE:lossless"),
                              (STATE_DB, "BUFFER_POOL_TABLE|old"),
                              (APPL_STATE_DB, "BUFFER_POOL_TABLE:old")):
            client.on(database, "HSET", key, "old", "1")
        client.on(APPL_DB, "SADD", "BUFFER_PG_TABLE_KEY_SET", "x")
        client.pipeline(as_commands(CONFIG))
        self.start_orchd()
        self.wait_applied(client, CONFIG)
        self.wait_equal(lambda: client.hashes(APPL_DB, "BUFFER_*_TABLE:*"),
                        mirrored(CONFIG))
        self.wait_equal(lambda: len(self.shown(client, STATE_DB, "|")), 5)
        self.wait_equal(lambda: len(self.shown(client, APPL_STATE_DB, ":")), 2)
        self.assertEqual(client.on(APPL_DB, "EXISTS",
                                   "BUFFER_PG_TABLE_KEY_SET"), 1)
        # And what is lost is written again.
        client.on(APPL_DB, "FLUSHDB")
        self.wait_equal(lambda: self.appl(client), mirrored(CONFIG))

    def test_outcomes_are_reported_on_the_channel_of_the_table(self):
        client = self.start()
        listener = self.client()
        listener("PSUBSCRIBE", "APPL_DB_*_RESPONSE_CHANNEL")

        def heard(table):
            kind, _, channel, message = listener.read()
            self.assertEqual((kind, channel), (
                "pmessage", f"APPL_DB_{table}_RESPONSE_CHANNEL"))
            return json.loads(message)

        client.on(CONFIG_DB, "HSET", "BUFFER_PG|Ethernet0|1", "profile",
                  "lossy")
        self.assertEqual(heard("BUFFER_PG_TABLE"),
                         ["SWSS_RC_SUCCESS", "Ethernet0:1", "err_str", "",
                          "profile", "lossy"])
        client.on(CONFIG_DB, "HSET", "BUFFER_PG|Ethernet0|1", "profile",
                  "leaving")
        answer = heard("BUFFER_PG_TABLE")
        self.assertEqual(answer[:3], ["SWSS_RC_INVALID_PARAM", "Ethernet0:1",
                                      "err_str"])
        self.assertTrue(answer[3].startswith("[OrchAgent] "), answer)
        self.assertEqual(len(answer), 4)
        client.on(CONFIG_DB, "DEL", "BUFFER_PG|Ethernet0|1")
        self.assertEqual(heard("BUFFER_PG_TABLE"),
                         ["SWSS_RC_SUCCESS", "Ethernet0:1", "err_str", ""])
        client.on(CONFIG_DB, "HSET", "TC_TO_QUEUE_MAP|m", "0", "1")
        self.assertEqual(heard("TC_TO_QUEUE_MAP"),
                         ["SWSS_RC_SUCCESS", "m", "err_str", "", "0", "1"])

    PUSH = ("local n = redis.call('SADD', ARGV[1] .. '_KEY_SET', ARGV[2]) "
            "for i = 3, #ARGV, 2 do redis.call('HSET', '_' .. ARGV[1] .. ':' "
            ".. ARGV[2], ARGV[i], ARGV[i + 1]) end "
            "if n > 0 then redis.call('PUBLISH', ARGV[1] .. '_CHANNEL@0', 'G') "
            "end")
    DROP = ("local n = redis.call('SADD', ARGV[1] .. '_KEY_SET', ARGV[2]) "
            "redis.call('SADD', ARGV[1] .. '_DEL_SET', ARGV[2]) "
            "redis.call('DEL', '_' .. ARGV[1] .. ':' .. ARGV[2]) "
            "if n > 0 then redis.call('PUBLISH', ARGV[1] .. '_CHANNEL@0', 'G') "
            "end")

    def push(self, client, row, **fields):
        """What a ProducerStateTable of SONiC does."""
        table, key = row.split("|", 1)
        script = self.PUSH if fields else self.DROP
        client.on(APPL_DB, "EVAL", script, 0, table + "_TABLE",
                  key.replace("|", ":"),
                  *[word for pair in fields.items() for word in pair])

    def test_rows_that_others_push_are_consumed(self):
        client = self.start_redis()
        ports = {key: fields for key, fields in CONFIG.items()
                 if not key.startswith(("BUFFER_", "CABLE"))}
        client.pipeline(as_commands(ports) + [
            ("HSET", "BUFFER_POOL|not_read", "type", "x"),
            ("SET", "CONFIG_DB_INITIALIZED", "1")])
        # Some before there is a consumer, some after.
        self.push(client, "BUFFER_POOL|in", type="ingress", mode="dynamic",
                  size="1000000")
        self.push(client, "BUFFER_PG|Ethernet0|3-4",
                  profile="[BUFFER_PROFILE_TABLE:p]")
        self.start_orchd("--input", "appl_db")
        self.wait_state(client, "BUFFER_PG|Ethernet0|3-4", "waiting")
        self.push(client, "BUFFER_PROFILE|p", pool="in", size="10",
                  dynamic_th="0", xoff="7")
        rows = ("BUFFER_POOL|in", "BUFFER_PROFILE|p",
                "BUFFER_PG|Ethernet0|3-4")
        self.wait_applied(client, rows)
        self.assertEqual(self.status(client, "BUFFER_POOL|not_read"), {})
        self.assertEqual(client.hash(APPL_DB, "BUFFER_PROFILE_TABLE:p"),
                         {"pool": "in", "size": "10", "dynamic_th": "0",
                          "xoff": "7"})
        # A set keeps the fields that it does not name.
        self.push(client, "BUFFER_PROFILE|p", size="20")
        self.wait_equal(lambda: client.hash(
            STATE_DB, "BUFFER_PROFILE_TABLE|p").get("size"), "20")
        self.assertEqual(client.hash(APPL_DB, "BUFFER_PROFILE_TABLE:p")
                         ["xoff"], "7")
        # Removed and set in one go: only the new fields are left.
        client.on(APPL_DB, "MULTI")
        for script, words in ((self.DROP, ()), (self.PUSH, (
                "pool", "in", "size", "30", "dynamic_th", "1"))):
            client("EVAL", script, 0, "BUFFER_PROFILE_TABLE", "p", *words)
        client("EXEC")
        self.wait_equal(lambda: client.hash(
            STATE_DB, "BUFFER_PROFILE_TABLE|p"),
            {"pool": "in", "size": "30", "dynamic_th": "1"})
        self.push(client, "BUFFER_PG|Ethernet0|3-4")
        self.wait_state(client, "BUFFER_PG|Ethernet0|3-4", None)
        self.wait_equal(lambda: client.keys(APPL_DB, "*BUFFER_*"),
                        ["BUFFER_POOL_TABLE:in", "BUFFER_PROFILE_TABLE:p"])
        # A restart finds them where they are.
        self.stop_orchd()
        client.on(STATE_DB, "FLUSHDB")
        self.start_orchd("--input", "appl_db")
        self.wait_applied(client, rows[:2])
        self.stop_orchd()

    def test_c1_generated_rows_stay_out_of_config_db(self):
        lookup = os.path.join(self.directory, "lookup.ini")
        with open(lookup, "w", encoding="utf-8") as file:
            file.write("100000 5m 1248 2288 165568 0 2288\n")
        config = {key: fields for key, fields in CONFIG.items()
                  if not key.startswith("BUFFER_PG|")}
        config["PORT|Ethernet0"] = dict(CONFIG["PORT|Ethernet0"],
                                        admin_status="up")
        config["PORT_QOS_MAP|Ethernet0"] = {"pfc_enable": "3,4"}
        client = self.start_redis()
        client.pipeline(as_commands(config) +
                        [("SET", "CONFIG_DB_INITIALIZED", "1")])
        before = client.hashes(CONFIG_DB, "*|*")
        self.start_orchd("--set", "lookup_file=" + lookup)
        generated = "BUFFER_PG|Ethernet0|3-4"
        profile = "pg_lossless_100000_5m_profile"
        self.wait_applied(client, list(config) +
                          [generated, "BUFFER_PROFILE|" + profile])
        self.assertEqual(self.status(client, generated)["origin"], "auto")
        self.assertEqual(self.appl(client)["BUFFER_PG_TABLE:Ethernet0:3-4"],
                         {"profile": profile})
        self.assertEqual(client.hashes(CONFIG_DB, "*|*"), before)

        # The same for the rows and sizes of the dynamic model.
        client.on(CONFIG_DB, "HSET",
                  "DEFAULT_LOSSLESS_BUFFER_PARAMETER|AZURE",
                  "default_dynamic_th", "0")
        client.on(CONFIG_DB, "HDEL", POOL, "size", "xoff")
        client.on(CONFIG_DB, "HSET", generated, "profile", "NULL")
        client.on(CONFIG_DB, "HSET", "DEVICE_METADATA|localhost",
                  "buffer_model", "dynamic")
        before = client.hashes(CONFIG_DB, "*|*")
        self.wait_equal(lambda: self.status(client, generated).get("state"),
                        "applied")
        self.wait_equal(lambda: "size" in client.hash(
            STATE_DB, "BUFFER_POOL_TABLE|ingress_lossless_pool"), True)
        self.control("config", "sync")
        self.assertEqual(client.hashes(CONFIG_DB, "*|*"), before)

    def test_the_summary_knows_the_buffers(self):
        client = self.start()

        def summary():
            fields = client.hash(STATE_DB, "ORCHD_SUMMARY|global")
            return [fields.get(name) for name in
                    ("buffer_model", "shp", "pools_ready")]

        self.wait_equal(summary, ["traditional", "size", "true"])
        client.on(CONFIG_DB, "HSET", POOL, "xoff", "0")
        self.wait_equal(summary, ["traditional", "off", "true"])
        client.on(CONFIG_DB, "HSET", "BUFFER_POOL|bad", "type", "x")
        self.wait_equal(summary, ["traditional", "off", "false"])
        client.on(CONFIG_DB, "DEL", "BUFFER_POOL|bad")
        self.wait_equal(summary, ["traditional", "off", "true"])

    def summary(self, client, name):
        return client.hash(STATE_DB, "ORCHD_SUMMARY|global").get(name)

    def test_the_summary_says_what_is_promised_of_the_buffer(self):
        client = self.start()

        def occupied():
            return int(self.summary(client, "occupied"))

        # Four groups of 2288 bytes, a queue of none, and xoff of the pool.
        self.wait_equal(occupied, 4 * 2288 + 1000000)
        client.on(CONFIG_DB, "HSET", "BUFFER_PROFILE|leaving", "size", "100")
        self.wait_equal(occupied, 4 * 2288 + 100 + 1000000)
        client.on(CONFIG_DB, "HSET", PROFILE, "size", "3000")
        self.wait_equal(occupied, 4 * 3000 + 100 + 1000000)
        client.on(CONFIG_DB, "DEL", "BUFFER_PG|Ethernet0,Ethernet4|3-4")
        self.wait_equal(occupied, 100 + 1000000)
        # A pool that is replaced, since its mode cannot change, counts once.
        client.on(CONFIG_DB, "HSET", POOL, "mode", "static", "xoff", "5000")
        self.wait_equal(occupied, 100 + 5000)
        client.on(CONFIG_DB, "HDEL", POOL, "xoff")
        self.wait_equal(occupied, 100)

    def test_the_summary_says_which_generation_was_reached(self):
        client = self.start()
        names = ["config_generation", "applied_generation"]

        def generations():
            return [int(self.summary(client, name)) for name in names]

        first = generations()
        self.assertEqual(first[0], first[1])
        client.on(CONFIG_DB, "HSET", PROFILE, "dynamic_th", "-1")
        self.wait_equal(generations, [first[0] + 1] * 2)
        # Nothing changes for the switch: no plan.
        client.on(CONFIG_DB, "HSET", PROFILE, "dynamic_th", "-1")
        self.control("config", "sync")
        self.assertEqual(generations(), [first[0] + 1] * 2)

    def test_the_summary_knows_how_shared_headroom_came_to_be(self):
        config = dict(CONFIG)
        config["DEVICE_METADATA|localhost"] = {"hwsku": "example",
                                               "buffer_model": "dynamic"}
        config["DEFAULT_LOSSLESS_BUFFER_PARAMETER|AZURE"] = {
            "default_dynamic_th": "0", "over_subscribe_ratio": "2"}
        client = self.start(config)
        self.wait_equal(lambda: self.summary(client, "shp"), "size")
        occupied = int(self.summary(client, "occupied"))
        client.on(CONFIG_DB, "HDEL", POOL, "xoff")
        self.wait_equal(lambda: self.summary(client, "shp"), "ratio")
        xoff = int(client.hash(STATE_DB,
                               "BUFFER_POOL_TABLE|ingress_lossless_pool")
                   ["xoff"])
        self.wait_equal(lambda: int(self.summary(client, "occupied")),
                        occupied - 1000000 + xoff)
        client.on(CONFIG_DB, "HSET",
                  "DEFAULT_LOSSLESS_BUFFER_PARAMETER|AZURE",
                  "over_subscribe_ratio", "0")
        self.wait_equal(lambda: self.summary(client, "shp"), "off")


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""Redis with an access list: a login, and no more rights than documented."""

import json
import os
import re
import sys
import unittest

from harness import (APPL_DB, CONFIG_DB, PATIENCE_S, SOURCE, STATE_DB, System,
                     as_commands, asic_objects, not_beside, once, rows_of,
                     wait_until)

sys.path.insert(0, os.path.join(SOURCE, "tests", "support"))
from orchagent_double import Double  # noqa: E402

setUpModule = not_beside("it is about the rights for output=sai")

HOWTO = os.path.join(SOURCE, "docs", "howto", "redis-login.md")
HOWTO_SONIC = os.path.join(SOURCE, "docs", "howto", "on-sonic.md")
PASSWORD = "correct-horse-battery"
EXAMPLE = os.path.join(SOURCE, "examples", "leaf-32x100g.config_db.json")


def documented_rights(howto):
    """The rights that a how-to gives the user orchd."""
    with open(howto, encoding="utf-8") as file:
        text = file.read()
    rules = re.search(r"^    user orchd on (.*?)\n\n", text, re.M | re.S)[1]
    return [word for word in rules.replace("\\\n", " ").split()
            if not word.startswith((">", "#"))]


@once
class Login(System):
    MODEL = None
    HWSKU = "ACS-MSN2700"

    def start(self, howto=HOWTO):
        """Starts a Redis that only lets users in."""
        rules = " ".join(documented_rights(howto))
        path = os.path.join(self.directory, "users.acl")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"user default on nopass ~* &* +@all\n"
                       f"user orchd on >{PASSWORD} {rules}\n")
        client = self.start_redis("--aclfile", path,
                                  "--notify-keyspace-events", "AKE")
        client("ACL", "LOG", "RESET")
        return client

    def wait_state(self, client, row, state):
        try:
            super().wait_state(client, row, state)
        except AssertionError as error:
            raise AssertionError(f"{error}: {client('ACL', 'LOG')}") from error

    def secret(self, text=PASSWORD + "\n", mode=0o600):
        path = os.path.join(self.directory, "password")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)
        return path

    def login(self, path):
        return ["--set", "redis_user=orchd", "--set",
                f"redis_password_file={path}"]

    def test_the_documented_rights_are_enough(self):
        client = self.start()
        rows = rows_of(EXAMPLE)
        client.pipeline(as_commands(rows) +
                        [("SET", "CONFIG_DB_INITIALIZED", "1")])
        self.start_orchd("--state-dir", os.path.join(self.directory, "state"),
                         *self.login(self.secret()))
        port = next(k for k in rows if k.startswith("PORT|")).split("|")[1]
        self.wait_state(client, "PORT|" + port, "applied")
        self.assertEqual(self.control("config", "sync")["exit"], 0)
        self.assertTrue(asic_objects(client))
        # What else orchd does with Redis.
        for group in ("PORT", "QUEUE", "PG_WATERMARK", "PFCWD"):
            client.on(CONFIG_DB, "HSET", "FLEX_COUNTER_TABLE|" + group,
                      "FLEX_COUNTER_STATUS", "enable")
        client.on(CONFIG_DB, "HSET", f"PFC_WD|{port}", "action", "drop",
                  "detection_time", "200", "restoration_time", "200")
        wait_until(lambda: client.keys(2, "COUNTERS:oid:*"), "counters")
        wait_until(lambda: client.keys(2, "RATES*"), "rates")
        with open(EXAMPLE, encoding="utf-8") as file:
            tables = json.load(file)
        profile = next(iter(tables["BUFFER_PROFILE"]))
        change = {"BUFFER_PROFILE": {profile: {
            **tables["BUFFER_PROFILE"][profile], "dynamic_th": "1"}}}
        self.assertEqual(self.control("config", "load", tables=change,
                                      wait=True)["exit"], 0)
        self.assertEqual(self.control("config", "save")["exit"], 0)
        history = wait_until(
            lambda: self.control("config", "history")["data"]["generations"],
            "history")
        self.control("config", "rollback", generation=min(
            entry["generation"] for entry in history))
        client.on(STATE_DB, "DEL", f"ORCHD_STATUS|PORT|{port}")
        self.check_nothing_was_denied(client)

    def check_nothing_was_denied(self, client):
        """Ends orchd; Redis must have denied it nothing."""
        self.stop_orchd()
        denied = [dict(zip(entry[::2], entry[1::2]))
                  for entry in client("ACL", "LOG", "128")]
        self.assertEqual([(entry["reason"], entry["object"])
                          for entry in denied], [])
        for code in ("redis-refused", "redis-notify", "owner-unlocked",
                     "redis-lost"):
            self.assertNotIn(code, self.log_text())
        self.assertNotIn(PASSWORD, self.log_text())
        # Nobody keeps the lock of Redis.
        self.assertEqual(client.keys(STATE_DB, "ORCHD_OWNER*"), [])

    def test_the_rights_beside_orchagent_are_enough(self):
        client = self.start(HOWTO_SONIC)
        rows = rows_of(EXAMPLE)
        client.pipeline(as_commands(rows) +
                        [("SET", "CONFIG_DB_INITIALIZED", "1")])
        client.pipeline([("SELECT", APPL_DB), ("HSET", "BUFFER_POOL_TABLE:old",
                                               "type", "ingress")])
        double = Double(client, {row.partition("|")[2]: fields
                                 for row, fields in rows.items()
                                 if row.startswith("PORT|")})
        double.boot()
        self.start_orchd_only("--set", "output=orchagent", "--state-dir",
                              os.path.join(self.directory, "state"),
                              *self.login(self.secret()))

        def all_applied():
            double.step()
            return all(self.status(client, row).get("state") == "applied"
                       for row in rows if row.startswith("BUFFER_"))
        try:
            wait_until(all_applied, "buffers are applied")
        except AssertionError as error:
            raise AssertionError(f"{error}: {client('ACL', 'LOG')}") from error
        row = next(row for row in rows if row.startswith("BUFFER_QUEUE|"))
        client.on(CONFIG_DB, "DEL", row)
        wait_until(lambda: (double.step(), not self.status(client, row))[1],
                   "a row is removed")
        self.assertEqual(client.hash(APPL_DB, "BUFFER_POOL_TABLE:old"), {})
        double.restart(cold=True)
        # Nothing is applied until it goes on.
        self.assertEqual(self.control("config", "sync", seconds=0)["exit"], 1)
        rows.pop(row)
        wait_until(all_applied, "buffers are applied again")
        for verb in (("config", "save"), ("config", "diff"),
                     ("config", "history"), ("show", "watchdog"),
                     ("twin", "watermarks"), ("show", "status")):
            self.assertEqual(self.control(*verb)["exit"], 0, verb)
        self.check_nothing_was_denied(client)

    def test_what_is_not_allowed_beside_orchagent(self):
        self.start(HOWTO_SONIC)
        other = self.client()
        other("AUTH", "orchd", PASSWORD)
        for words in (("FLUSHALL",), ("HSET", "ASIC_STATE:X", "a", "b"),
                      ("HSET", "BUFFER_PG|Ethernet0|3", "profile", "x"),
                      ("HSET", "PORT_TABLE:Ethernet0", "speed", "1"),
                      ("HSET", "COUNTERS:oid:0x1", "a", "1"),
                      ("HSET", "BUFFER_MAX_PARAM_TABLE|global", "a", "1"),
                      ("LPUSH", "ASIC_STATE_KEY_VALUE_OP_QUEUE", "x"),
                      ("PUBLISH", "ASIC_STATE_CHANNEL@1", "G")):
            with self.assertRaisesRegex(Exception, "NOPERM", msg=words):
                other(*words)

    def test_what_is_not_allowed(self):
        self.start()
        other = self.client()
        other("AUTH", "orchd", PASSWORD)
        for words in (("FLUSHALL",), ("CONFIG", "SET", "maxmemory", "1"),
                      ("HSET", "TACPLUS|global", "passkey", "x"),
                      ("ACL", "LIST"), ("SHUTDOWN",), ("KEYS", "*"),
                      ("SCRIPT", "FLUSH")):
            with self.assertRaisesRegex(Exception, "NOPERM", msg=words):
                other(*words)

    def test_a_wrong_password_is_reported_and_a_new_one_is_read(self):
        client = self.start()
        path = self.secret("wrong\n")
        self.start_orchd(*self.login(path))
        self.wait_log("refuses the login of user orchd: WRONGPASS")
        self.assertNotIn("wrong", self.log_text())
        self.secret()
        self.wait_log("redis-up")
        self.assertTrue(client("PING"))

    def test_files_that_are_refused(self):
        self.start()
        for text, mode, reason in ((PASSWORD, 0o604, "every user can read"),
                                   ("\n", 0o600, "1 to 512 bytes"),
                                   ("x" * 600, 0o600, "1 to 512 bytes")):
            self.start_orchd(*self.login(self.secret(text, mode)))
            self.assertEqual(self.orchd_process.wait(PATIENCE_S), 2)
            self.assertIn(reason, self.log_text())
            self.assertNotIn(PASSWORD, self.log_text())
        self.start_orchd(*self.login(os.path.join(self.directory, "none")))
        self.assertEqual(self.orchd_process.wait(PATIENCE_S), 2)
        self.start_orchd("--set", "redis_user=orchd")
        self.assertEqual(self.orchd_process.wait(PATIENCE_S), 2)
        self.assertIn("without redis_password_file", self.log_text())


if __name__ == "__main__":
    unittest.main()

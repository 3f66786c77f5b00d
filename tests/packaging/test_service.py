# SPDX-License-Identifier: Apache-2.0
"""What the daemons report to their service manager."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ.get("top_srcdir", "."), "tests", "integration"))
from harness import (BUILD, CHIPS, CONFIG_DB, LIBSAI, PATIENCE_S, SOURCE, System)  # noqa: E402
from service_manager import Manager  # noqa: E402

EXAMPLE = os.path.join(SOURCE, "examples", "leaf-32x100g.config_db.json")


class Service(System):
    """A daemon whose service manager is the test."""

    def setUp(self):
        super().setUp()
        self.manager = Manager(os.path.join(self.directory, "notify"))
        self.addCleanup(self.manager.close)

    def start_service(self, *options, redis=None, watchdog_s=None):
        with open(self.log, "wb") as log:
            self.orchd_process = subprocess.Popen(
                self.command(*options, redis=redis, remote=False), stderr=log,
                env=self.manager.environment(watchdog_s))

    def load_example(self, client):
        with open(EXAMPLE, encoding="utf-8") as file:
            tables = json.load(file)
        rows = [(f"{table}|{key}", fields) for table, keys in tables.items()
                for key, fields in keys.items()]
        client.pipeline([("SELECT", CONFIG_DB)] + [
            ("HSET", row, *[word for pair in fields.items() for word in pair])
            for row, fields in rows if fields])
        return len(rows)

    def test_orchd_is_ready_when_the_configuration_is_judged(self):
        self.start_service()
        self.manager.wait("^STATUS=Rows: none; Redis .* is not connected")
        self.assertNotIn("READY=1", self.manager.messages)
        client = self.start_redis()
        # Written while orchd may already be reading: it waits for all of it.
        client.pipeline([("SELECT", CONFIG_DB), ("HSET", "BUFFER_POOL|p", "type", "ingress",
                                                 "mode", "dynamic", "size", "huge")])
        self.load_example(client)
        client.on(CONFIG_DB, "SET", "CONFIG_DB_INITIALIZED", "1")
        self.manager.wait("^READY=1$")
        rows = self.control("show", "status")["data"]["rows"]
        self.assertGreater(sum(rows.values()), 0)
        self.control("config", "sync")
        self.manager.wait("^STATUS=Rows: [0-9]{3} applied, 1 rejected$")
        self.stop_orchd()
        self.manager.wait("^STOPPING=1$")
        self.assertEqual(self.manager.messages.count("READY=1"), 1)

    def test_an_empty_configuration_is_judged_too(self):
        self.start_redis()
        self.start_service(watchdog_s=0.2)
        ready = self.manager.wait("^READY=1$")
        self.manager.wait("^STATUS=Rows: none; removals are held back: ", ready)
        self.manager.wait("^WATCHDOG=1$")
        self.assertTrue(self.control("show", "status")["data"]["redis"]["up"])

    def test_sighup_reloads_and_does_not_end_a_service(self):
        self.start_redis()
        self.start_service()
        ready = self.manager.wait("^READY=1$")
        self.orchd_process.send_signal(signal.SIGHUP)
        begun = self.manager.wait(r"^RELOADING=1\nMONOTONIC_USEC=\d+$", ready)
        self.manager.wait("^READY=1$", begun)
        self.stop_orchd()

    def test_a_private_redis_does_not_report(self):
        self.start_service(redis="spawn:" + self.directory)
        self.manager.wait("^READY=1$")
        self.socket = re.search(r"redis-cli -s (\S+)", self.log_text()).group(1)
        with open(f"/proc/{self.redis_pid(self.client())}/environ", "rb") as file:
            self.assertNotIn(b"NOTIFY_SOCKET", file.read())
        self.stop_orchd()

    def test_a_switch_is_ready_when_it_listens(self):
        programs = {"softasicd": ["--model", "generic", "--sai", LIBSAI],
                    "saihostd": ["--sai", LIBSAI, "--profile", "SOFTASIC_MODEL=generic"]}
        for name, options in programs.items():
            path = os.path.join(self.directory, name + ".sock")
            after = len(self.manager.messages)
            with open(self.host_log, "wb") as log:
                self.host_process = subprocess.Popen(
                    [os.path.join(BUILD, "saihostd", name), "--socket", path, *options,
                     "--profile", CHIPS[0]],
                    stderr=log, env=self.manager.environment(0.2))
            ready = self.manager.wait("^READY=1$", after)
            with socket.socket(socket.AF_UNIX) as connection:
                connection.connect(path)
            self.manager.wait(f"^STATUS=Serving .* at {path}$", after)
            self.manager.wait("^WATCHDOG=1$", ready)
            self.host_process.send_signal(signal.SIGTERM)
            self.assertEqual(self.host_process.wait(PATIENCE_S), 0, self.host_text())
            self.manager.wait("^STOPPING=1$", ready)


if __name__ == "__main__":
    unittest.main()

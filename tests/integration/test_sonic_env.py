# SPDX-License-Identifier: Apache-2.0
"""SONiC's tools on the Redis of --redis spawn: its database_config.json, and
the namespaces of "orchctl env"."""

import json
import os
import shlex
import shutil
import stat
import subprocess
import sys
import unittest

from harness import (BUILD, CONFIG_DB, PATIENCE_S, STATE_DB, System,
                     as_commands, is_running, wait_until)

ORCHCTL = os.path.abspath(os.path.join(BUILD, "orchctl", "orchctl"))
TOOL = [sys.executable, os.path.join(os.path.dirname(
    os.path.abspath(__file__)), "sonic_db_cli.py")]
POOL = "BUFFER_POOL|ingress_lossless_pool"
CONFIG = {POOL: {"type": "ingress", "mode": "dynamic", "size": "10000000"}}

# A name that a shell must not take apart.
NAME = "it's a $HOME"


def refused_namespaces():
    """Why this system does not let a user make namespaces; "": it does."""
    done = subprocess.run(
        ["unshare", "--map-root-user", "--mount", "--net", "true"],
        capture_output=True, text=True, check=False)
    return done.stderr.strip() if done.returncode else ""


REFUSED = refused_namespaces()
NEEDS_NAMESPACES = unittest.skipIf(REFUSED, f"no namespaces here: {REFUSED}")
NEEDS_TCP = unittest.skipUnless(shutil.which("socat") and shutil.which("ip"),
                                "socat or ip is not installed")


class SonicEnv(System):

    def setUp(self):
        super().setUp()
        self.own = os.path.join(self.directory, NAME)
        self.file = os.path.join(self.own, "sonic-db", "database_config.json")

    def start_private(self):
        """An orchd with a Redis of its own; returns a client of that."""
        self.start_orchd(redis="spawn:" + self.own)
        client = self.client(os.path.join(self.own, "redis.sock"))
        self.wait_log("redis-up")
        client.pipeline(as_commands(CONFIG))
        return client

    def env(self, *words):
        return subprocess.run(
            [ORCHCTL, "--control", os.path.join(
                self.directory, "control.sock"), "env", *words],
            capture_output=True, text=True, check=False)

    def run_tool(self, *words):
        """What a command prints in the namespaces that --json describes."""
        done = subprocess.run(
            json.loads(self.env("--json").stdout)["run"] + list(words),
            capture_output=True, text=True, check=False, timeout=PATIENCE_S)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    @NEEDS_NAMESPACES
    def test_a_tool_finds_the_database_by_its_socket(self):
        client = self.start_private()
        self.assertEqual(self.run_tool(*TOOL, "-s", "CONFIG_DB", "HGET", POOL,
                                       "size"), "10000000")
        self.run_tool(*TOOL, "-s", "STATE_DB", "HSET", "TOOL|x", "a", "b")
        self.assertEqual(client.on(STATE_DB, "HGET", "TOOL|x", "a"), "b")

    @NEEDS_NAMESPACES
    @NEEDS_TCP
    def test_a_tool_finds_the_database_by_tcp(self):
        client = self.start_private()
        self.assertEqual(self.run_tool(*TOOL, "CONFIG_DB", "HGET", POOL,
                                       "size"), "10000000")
        self.run_tool(*TOOL, "CONFIG_DB", "HSET", POOL, "size", "20000000")
        self.assertEqual(client.on(CONFIG_DB, "HGET", POOL, "size"),
                         "20000000")

    @NEEDS_NAMESPACES
    @NEEDS_TCP
    def test_every_database_of_the_file_can_be_opened(self):
        """Some tools open all."""
        self.start_private()
        with open(self.file, encoding="utf-8") as file:
            names = list(json.load(file)["DATABASES"])
        self.assertIn("PFC_WD_DB", names)
        for name in names:
            self.assertEqual(self.run_tool(*TOOL, name, "PING"), "PONG", name)

    @NEEDS_NAMESPACES
    def test_a_shell_takes_the_text(self):
        self.start_private()
        text = self.env().stdout
        tool = shlex.join([*TOOL, "-s", "CONFIG_DB", "HGET", POOL, "size"])
        done = subprocess.run(
            ["sh", "-c", f'eval "$1"\nsonic_run {tool}\n'
             "sonic_run sh -c 'exit 7'\n"
             'echo $?\ncat "$SONIC_DATABASE_CONFIG"', "sh", text],
            capture_output=True, text=True, check=False, timeout=PATIENCE_S)
        size, code, config = done.stdout.split("\n", 2)
        self.assertEqual((size, code), ('"10000000"', "7"), done.stderr)
        self.assertEqual(json.loads(config)["INSTANCES"]["redis"][
            "unix_socket_path"], os.path.join(self.own, "redis.sock"))

    @NEEDS_NAMESPACES
    @NEEDS_TCP
    def test_nothing_is_left_of_a_tool(self):
        """What forwards TCP ends with it, even if it is killed."""
        self.start_private()
        run = json.loads(self.env("--json").stdout)["run"]
        with subprocess.Popen(run + ["sh", "-c", "echo; read line"],
                              stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as tool:
            tool.stdout.readline()
            path = f"/proc/{tool.pid}/task/{tool.pid}/children"
            with open(path, encoding="ascii") as file:
                children = file.read().split()
            tool.kill()
        self.assertTrue(children)
        for child in children:
            wait_until(lambda pid=child: not os.path.exists(f"/proc/{pid}/exe"),
                       f"{child} has ended")

    def test_where_the_files_are(self):
        self.start_private()
        found = json.loads(self.env("--json").stdout)
        run = found.pop("run")
        self.assertEqual(found, {
            "directory": self.own,
            "socket": os.path.join(self.own, "redis.sock"),
            "database_config": self.file})
        self.assertEqual((run[0], run[-1]), ("unshare", self.own))

    def test_the_file_is_private_and_goes_with_the_server(self):
        self.start_private()
        for path, mode in ((os.path.dirname(self.file), 0o700),
                           (self.file, 0o600)):
            found = os.stat(path)
            self.assertEqual((stat.S_IMODE(found.st_mode), found.st_uid),
                             (mode, os.geteuid()), path)
        self.stop_orchd()
        self.assertEqual(os.listdir(self.own), [])

    def test_a_file_of_a_killed_run_is_replaced(self):
        pid = self.redis_pid(self.start_private())
        self.kill_orchd()
        wait_until(lambda: not is_running(pid), "its Redis is gone")
        for name in (self.file, self.file + ".new"):
            with open(name, "w", encoding="utf-8") as file:
                file.write("{")
        other = os.path.join(os.path.dirname(self.file), "other")
        with open(other, "w", encoding="utf-8"):
            pass
        self.start_private()
        with open(self.file, encoding="utf-8") as file:
            self.assertEqual(json.load(file)["VERSION"], "1.0")
        self.stop_orchd()
        # A file of the user stays.
        self.assertEqual(os.listdir(os.path.dirname(self.file)), ["other"])

    def test_a_folder_that_leads_elsewhere_is_refused(self):
        elsewhere = os.path.join(self.directory, "elsewhere")
        os.mkdir(elsewhere)
        kept = os.path.join(elsewhere, "database_config.json")
        with open(kept, "w", encoding="utf-8") as file:
            file.write("kept")
        os.mkdir(self.own, 0o700)
        os.symlink(elsewhere, os.path.dirname(self.file))
        self.start_orchd_only(redis="spawn:" + self.own)
        self.assertEqual(self.orchd_process.wait(PATIENCE_S), 2)
        self.assertIn("sonic-db is not a directory that only its user can "
                      "change", self.log_text())
        self.assertEqual(self.text_of(kept), "kept")
        self.assertEqual(os.listdir(elsewhere), ["database_config.json"])

    def test_another_redis_has_no_such_files(self):
        self.start_redis()
        self.start_orchd()
        self.wait_log("redis-up")
        for words in ((), ("--json",)):
            done = self.env(*words)
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"(unix:{self.socket})", done.stderr)
            self.assertIn("--redis spawn:DIR", done.stderr)
            self.assertNotIn("sonic_run", done.stdout)


if __name__ == "__main__":
    unittest.main()

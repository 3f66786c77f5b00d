# SPDX-License-Identifier: Apache-2.0
"""orchctl techsupport: what is in the archive, what is missing, and that no
secret is in it."""

import json
import os
import socket
import stat
import subprocess
import tarfile
import unittest

from harness import BUILD, PATIENCE_S, System, once, wait_until

ORCHCTL = os.path.join(BUILD, "orchctl", "orchctl")
# Each is somewhere in the configuration below.
SECRETS = ("hunter2", "s3cret", "pa55", "t0ken")
CONFIG = {
    "TACPLUS|global": {"passkey": "hunter2", "timeout": "5"},
    "SNMP_COMMUNITY|s3cret": {"TYPE": "RO"},
    "PORT|Ethernet0": {"lanes": "0", "speed": "25000"},
    "BUFFER_POOL|ingress_pool": {"type": "ingress", "mode": "dynamic",
                                 "size": "1000000"},
}


@once
class Techsupport(System):

    def collect(self, *words):
        archive = os.path.join(self.directory, "found.tar.gz")
        done = subprocess.run(
            [ORCHCTL, "techsupport", archive, *words, "--control",
             os.path.join(self.directory, "control.sock")],
            capture_output=True, text=True, timeout=PATIENCE_S)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(stat.S_IMODE(os.stat(archive).st_mode), 0o600)
        with tarfile.open(archive) as tar:
            files = {os.path.basename(one.name):
                     tar.extractfile(one).read().decode(errors="replace")
                     for one in tar if one.isfile()}
        return done.stdout, files

    def start(self):
        conf = os.path.join(self.directory, "orchd.conf")
        log = os.path.join(self.directory, "some.log")
        with open(conf, "w", encoding="utf-8") as file:
            file.write("# ours\nprofile = MY_PASSWORD=pa55\n")
        with open(log, "w", encoding="utf-8") as file:
            file.write("one line\nlogin with auth_token: t0ken, done\n")
        client = self.start_redis()
        client.pipeline([("SELECT", 4)] + [
            ("HSET", key, *[word for pair in row.items() for word in pair])
            for key, row in CONFIG.items()] +
            [("SET", "CONFIG_DB_INITIALIZED", "1")])
        self.start_orchd_only(
            "--config", conf, "--state-dir",
            os.path.join(self.directory, "state"), "--record",
            os.path.join(self.directory, "sai.rec"))

        def applied():
            done = subprocess.run(
                [ORCHCTL, "show", "pools", "--json", "--control",
                 os.path.join(self.directory, "control.sock")],
                capture_output=True, text=True)
            return "ingress_pool" in done.stdout

        wait_until(applied, "the pool is on the ASIC")
        wait_until(lambda: self.text_of(os.path.join(
            self.directory, "state", "history.jsonl")), "there is a history")
        return log

    def test_everything_is_there_but_secrets(self):
        log = self.start()
        text, files = self.collect("--log", log)
        for name in ("status.json", "settings.json", "config_db.json",
                     "config-history.json", "asic-differences.json",
                     "asic-snapshot.json", "ports.json", "pools.json",
                     "sai-calls.json", "version.json", "process-status.txt",
                     "orchd.conf", "sai-record.txt", "history.jsonl",
                     "log-1.txt"):
            self.assertIn(name, files, text)
            self.assertTrue(files[name], name)
        self.assertIn("ingress_pool", files["pools.json"])
        self.assertIn("create", files["sai-record.txt"].lower())
        config = json.loads(files["config_db.json"])
        self.assertEqual(config["PORT"]["Ethernet0"]["speed"], "25000")
        self.assertEqual(config["TACPLUS"]["global"]["passkey"], "(masked)")
        self.assertEqual(config["TACPLUS"]["global"]["timeout"], "5")
        self.assertIn("MY_PASSWORD=(masked)", files["orchd.conf"])
        self.assertIn("auth_token: (masked), done", files["log-1.txt"])
        for secret in SECRETS:
            for name, content in files.items():
                self.assertNotIn(secret, content, name)

    def test_without_orchd(self):
        text, files = self.collect()
        self.assertIn("version.json", files)
        self.assertNotIn("status.json", files)
        self.assertRegex(files["MISSING"], r"status.json to log-levels.json "
                         r"\(25 items\): cannot reach orchd")
        self.assertIn("cannot reach orchd", text)

    def test_of_a_long_log_the_end_is_kept(self):
        log = os.path.join(self.directory, "long.log")
        with open(log, "w", encoding="utf-8") as file:
            file.write("the first line\n")
            file.write(("x" * 1023 + "\n") * (33 * 1024))
            file.write("the last line\n")
        _, files = self.collect("--log", log)
        text = files["log-1.txt"]
        self.assertTrue(text.startswith("(the end of "), text[:40])
        self.assertNotIn("the first line", text)
        self.assertTrue(text.endswith("the last line\n"))
        self.assertLessEqual(len(text), 32 * 1024 * 1024 + 100)

    def test_an_archive_that_cannot_be_packed_is_removed(self):
        archive = os.path.join(self.directory, "none.tar")
        done = subprocess.run(
            [ORCHCTL, "techsupport", archive], capture_output=True, text=True,
            timeout=PATIENCE_S, env={**os.environ, "PATH": self.directory})
        self.assertEqual(done.returncode, 1)
        self.assertIn("tar cannot be run: No such file", done.stderr)
        self.assertFalse(os.path.exists(archive))
        done = subprocess.run(
            [ORCHCTL, "techsupport", archive], capture_output=True, text=True,
            timeout=PATIENCE_S, env={**os.environ, "TMPDIR": archive + ".none"})
        self.assertEqual(done.returncode, 1)
        self.assertIn("set TMPDIR", done.stderr)
        self.assertFalse(os.path.exists(archive))

    def test_a_daemon_that_does_not_answer_is_asked_once(self):
        path = os.path.join(self.directory, "control.sock")
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(path)
            listener.listen(100)
            text, _ = self.collect("--timeout", "1")
            listener.setblocking(False)
            listener.accept()[0].close()
            with self.assertRaises(BlockingIOError):
                listener.accept()
        self.assertIn("status.json to log-levels.json (25 items)", text)

    def test_a_file_that_is_there_stays(self):
        path = os.path.join(self.directory, "mine.tar.xz")
        with open(path, "w", encoding="utf-8") as file:
            file.write("mine")
        for target, text, code in (
                (path, "File exists", 1),
                (os.path.join(self.directory, "no", "x.tar.gz"),
                 "No such file", 1),
                (os.path.join(self.directory, "x.zip"),
                 "not the name of an archive", 2)):
            done = subprocess.run([ORCHCTL, "techsupport", target],
                                  capture_output=True, text=True, timeout=PATIENCE_S)
            self.assertEqual(done.returncode, code)
            self.assertIn(text, done.stderr)
            self.assertIn("remedy", done.stderr)
        self.assertEqual(self.text_of(path), "mine")


if __name__ == "__main__":
    unittest.main()

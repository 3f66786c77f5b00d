# SPDX-License-Identifier: Apache-2.0
"""Only one orchd works on a Redis: the lock in STATE_DB, and who gets it."""

import os
import signal
import subprocess
import unittest

from harness import (ASIC_DB, CONFIG_DB, PATIENCE_S, STATE_DB,
                     needs_sai, once, wait_until)
from test_cli import DONE, EXAMPLE, NO, ORCHCTL, UNREACHABLE, Cli

KEY = "ORCHD_OWNER|global"
NOBODY = 65534


@once
class Owner(Cli):

    def owner(self, client):
        return client.hash(STATE_DB, KEY)

    def wait_owner(self, client):
        """Waits until the orchd of this test has the lock, and has read."""
        wait_until(lambda: "redis-up" in self.log_text(), "orchd has read")
        owner = self.owner(client)
        self.assertEqual(owner["pid"], str(self.orchd_process.pid))
        self.assertEqual(owner["control"], self.control)
        self.assertGreater(client.on(STATE_DB, "PTTL", KEY), 0)
        return owner

    def second(self, *options):
        """Starts another orchd on the same Redis."""
        words = self.command(*options)
        words[words.index("--control") + 1] = os.path.join(
            self.directory, "second.sock")
        return subprocess.Popen(words, stderr=subprocess.PIPE, text=True)

    def refused(self, process):
        """Another orchd ends as it is not allowed to work; what it says."""
        _, text = process.communicate(timeout=PATIENCE_S)
        self.assertEqual(process.returncode, NO, text)
        return text

    def hold(self, client, owner, *expiry):
        """Lets another process have the lock."""
        client.on(STATE_DB, "HSET", KEY,
                  *[word for pair in owner.items() for word in pair])
        if expiry:
            client.on(STATE_DB, "PEXPIRE", KEY, *expiry)

    STRANGER = {"id": "far/boot/1/7/9", "host": "far", "pid": "7",
                "control": "/far.sock", "since": "2026-01-02T03:04:05.678Z"}

    # How long that one's lock lasts: on a loaded machine orchd may come only
    # after a short time, and then it finds nothing to wait for.
    PATIENCES_MS = (400, 2000, 10000)

    def test_a_second_orchd_says_who_works_and_ends(self):
        client = self.start_example()
        self.wait_owner(client)
        before = client.hashes(ASIC_DB, "*")
        text = self.refused(self.second())
        self.assertIn("owner-held", text)
        self.assertIn(f"process {self.orchd_process.pid} on host", text)
        self.assertIn(self.control, text)
        self.assertIn("--force-owner", text)
        self.assertEqual(client.hashes(ASIC_DB, "*"), before)
        self.wait_owner(client)
        self.stop_orchd()

    def test_an_end_gives_the_lock_back(self):
        client = self.start()
        self.wait_owner(client)
        self.stop_orchd()
        self.assertEqual(self.owner(client), {})

    def test_a_killed_orchd_keeps_nobody_waiting(self):
        client = self.start()
        first = self.wait_owner(client)
        self.kill_orchd()
        self.assertEqual(self.owner(client), first)
        self.start_orchd()
        self.assertNotEqual(self.wait_owner(client)["id"], first["id"])
        self.assertIn("owner-ended", self.log_text())
        self.assertNotIn("owner-wait", self.log_text())
        self.stop_orchd()

    def test_a_pid_that_is_used_again_keeps_nobody_waiting(self):
        client = self.start()
        owner = self.wait_owner(client)
        self.stop_orchd()
        # This test runs, but is not the orchd that once had its pid.
        place = owner["id"].rsplit("/", 2)[0]
        self.hold(client, {**owner, "id": f"{place}/{os.getpid()}/1",
                           "pid": os.getpid()}, 60000)
        self.start_orchd()
        self.wait_owner(client)
        self.stop_orchd()

    def test_force_takes_the_lock_and_the_other_stops(self):
        client = self.start_example()
        self.wait_owner(client)
        second = self.second("--force-owner")
        self.addCleanup(second.wait)
        self.addCleanup(second.stderr.close)
        self.addCleanup(second.kill)
        self.assertEqual(self.orchd_process.wait(PATIENCE_S), NO)
        self.assertIn("owner-lost", self.log_text())
        self.assertIn(f"process {second.pid} on host", self.log_text())
        # What the first one might still have written does not come after.
        client.on(CONFIG_DB, "HSET", "BUFFER_PROFILE|egress_lossy_profile",
                  "dynamic_th", "2")
        result = subprocess.run(
            [ORCHCTL, "--control", os.path.join(self.directory, "second.sock"),
             "config", "sync"], capture_output=True, check=False)
        self.assertEqual(result.returncode, DONE)
        self.assertEqual(self.owner(client)["pid"], str(second.pid))
        second.send_signal(signal.SIGTERM)
        self.assertEqual(second.wait(PATIENCE_S), DONE)
        self.assertEqual(self.owner(client), {})

    def test_a_lock_that_vanished_is_taken_again(self):
        client = self.start()
        first = self.wait_owner(client)
        client("FLUSHALL")
        wait_until(lambda: self.owner(client) == first, "the lock is back")
        self.kill_redis()
        client = self.start_redis()
        wait_until(lambda: self.owner(client) == first, "and once more")
        self.stop_orchd()
        self.assertEqual(self.owner(client), {})

    def test_a_lock_that_was_taken_meanwhile_is_lost(self):
        client = self.start()
        self.wait_owner(client)
        self.kill_redis()
        # No orchd can connect before the other one is there.
        os.rename(self.socket, self.socket + ".away")
        moved, self.socket = self.socket, self.socket + ".other"
        client = self.start_redis()
        self.hold(client, self.STRANGER, 60000)
        os.rename(self.socket, moved)
        self.assertEqual(self.orchd_process.wait(PATIENCE_S), NO)
        self.assertIn("owner-lost", self.log_text())
        self.assertIn("process 7 on host far", self.log_text())
        self.assertEqual(client.hashes(STATE_DB, "ORCHD_S*"), {})

    def test_a_holder_elsewhere_is_given_time(self):
        client = self.start_redis()
        for patience_ms in self.PATIENCES_MS:
            self.hold(client, self.STRANGER, patience_ms)
            self.start_orchd()
            self.wait_owner(client)
            self.stop_orchd()
            if "owner-wait" in self.log_text():
                break
        self.assertIn("owner-wait", self.log_text())

    def test_a_holder_elsewhere_that_renews_keeps_the_lock(self):
        client = self.start_redis()
        for patience_ms in self.PATIENCES_MS:
            self.hold(client, self.STRANGER, patience_ms)
            second = self.second()
            # The lock is renewed after orchd has seen it, before it expires.
            seen = next(word for line in second.stderr
                        for word in ("owner-wait", "redis-up") if word in line)
            if seen == "owner-wait" and client.on(STATE_DB, "PEXPIRE", KEY,
                                                  60000):
                break
            second.terminate()
            second.communicate(timeout=PATIENCE_S)
        self.assertIn("process 7 on host far", self.refused(second))
        self.assertEqual(self.owner(client), self.STRANGER)

    def test_a_lock_without_an_end_is_not_waited_for(self):
        client = self.start_redis()
        self.hold(client, self.STRANGER)
        text = self.refused(self.second())
        self.assertIn("process 7 on host far", text)
        self.assertNotIn("owner-wait", text)

    @needs_sai
    def test_without_scripts_orchd_works_unlocked_and_says_so(self):
        client = self.start_redis()
        client("ACL", "SETUSER", "default", "-eval")
        self.start_orchd()
        wait_until(lambda: "redis-up" in self.log_text(), "orchd has read")
        self.assertIn("owner-unlocked", self.log_text())
        self.ctl("config", "load", EXAMPLE, "--wait")
        self.assertEqual(self.owner(client), {})
        self.stop_orchd()


@once
class Denied(Cli):
    """A user who may not use the control socket."""

    def as_nobody(self):
        try:
            return subprocess.run(
                [ORCHCTL, "--control", self.control, "config", "status"],
                capture_output=True, text=True, check=False, timeout=PATIENCE_S,
                user=NOBODY, group=NOBODY, extra_groups=[])
        except PermissionError as error:
            return self.skipTest(f"nobody cannot run orchctl: {error}")

    def test_the_reason_is_named_and_no_second_orchd(self):
        if os.geteuid() != 0:
            self.skipTest("not root, so it cannot be another user")
        self.start()
        for mode, words in ((0o755, "only user root and group root may "
                                    "connect (mode 0660)"),
                            (0o700, "may not look into its directory")):
            os.chmod(self.directory, mode)
            result = self.as_nobody()
            self.assertEqual(result.returncode, UNREACHABLE, result.stderr)
            self.assertIn("Permission denied", result.stderr)
            self.assertIn(words, result.stderr)
            self.assertIn("sudo", result.stderr)
            self.assertNotIn("start orchd", result.stderr)
        self.stop_orchd()


if __name__ == "__main__":
    unittest.main()

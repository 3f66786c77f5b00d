# SPDX-License-Identifier: Apache-2.0
"""softasicd, which parses frames, has no capability; a helper has them."""

import grp
import os
import shutil
import signal
import subprocess
import tempfile
import unittest

from harness import HOST, PATIENCE_S, not_beside
from test_ports import (CHIPS, CONFIG_DB, EXAMPLE, LIBSAI, PATIENCE_S, PORTS,
                        SOFTASICD, Switch, as_commands, frame, mark_of, rows_of,
                        skip_without_rights, wait_until)

setUpModule = not_beside("it is about the host of a libsai")

ADMIN, RAW, BROADCAST, SYS_ADMIN = 1 << 12, 1 << 13, 1 << 11, 1 << 21
NOBODY = "65534"
# A device for TAPs that other users may open, whatever this machine has.
WITH_TUN = """
mount -t tmpfs none /dev/net && mknod -m 666 /dev/net/tun c 10 200 || exit 78
exec "$@"
"""
AS_NOBODY = ("setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups")


def of_process(pid, name):
    """One line of /proc/PID/status."""
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        return next(line.split()[1] for line in file
                    if line.startswith(name + ":"))


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        return [int(word) for word in file.read().split()]


def has_ended(pid):
    try:
        return of_process(pid, "State") == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


class Separated(Switch):

    def capabilities(self, pid, name="CapEff"):
        return int(of_process(pid, name), 16)

    def has_none(self, pid):
        for name in ("CapEff", "CapPrm", "CapInh", "CapAmb"):
            self.assertEqual(self.capabilities(pid, name), 0, name)
        self.assertEqual(of_process(pid, "NoNewPrivs"), "1")

    def helper(self):
        """The only child of the switch; checks what it may do."""
        (helper,) = children(self.host_process.pid)
        self.assertEqual(of_process(helper, "Name"), "softasicd-priv")
        self.assertEqual(of_process(helper, "Seccomp"),
                         of_process(self.host_process.pid, "Seccomp"))
        return helper


class Privileges(Separated):
    """Root starts it."""

    def test_frames_are_parsed_without_capabilities(self):
        self.begin()
        switch, helper = self.host_process.pid, self.helper()
        self.assertEqual(self.capabilities(helper) &
                         ~(ADMIN | RAW | BROADCAST | SYS_ADMIN), 0)
        self.assertTrue(self.capabilities(helper) & ADMIN)
        wires = [self.wire(i) for i in (0, 1)]
        for i in range(100):
            wires[0].send(frame(0, 1, mark=i + 1))
            wires[1].wait(lambda frames, i=i: i + 1 in map(mark_of, frames),
                          "a frame")
            self.has_none(switch)
        self.assertEqual(self.capabilities(switch, "CapBnd"), 0)
        self.assertIn("capabilities of this process: none", self.host_text())
        # Only root can look into the helper, by a core dump or otherwise.
        self.assertEqual(os.stat(f"/proc/{helper}/status").st_uid, 0)

    def test_taps_can_be_made_later(self):
        self.begin()
        self.has_none(self.host_process.pid)
        self.panel.ip("link", "del", "Ethernet12")
        wait_until(lambda: "Ethernet12:" in self.panel.ip("-o", "link"),
                   "it is made again")
        self.wait_oper("Ethernet12", "up")

    def test_the_end_of_the_helper_is_that_of_the_switch(self):
        self.begin()
        os.kill(self.helper(), signal.SIGKILL)
        self.assertEqual(self.host_process.wait(PATIENCE_S), 1)
        self.assertIn("ERROR helper-ended softasicd-priv: the helper process "
                      "for interfaces has ended (signal 9 (Killed)), so this "
                      "process ends", self.host_text())
        self.assertNotIn("Ethernet12", self.panel.ip("-o", "link"))
        self.host_process = None

    def test_the_end_of_the_switch_is_that_of_the_helper(self):
        self.begin()
        helper = self.helper()
        self.host_process.kill()
        self.host_process.wait(PATIENCE_S)
        wait_until(lambda: has_ended(helper), "the helper has ended")
        self.assertNotIn("Ethernet12", self.panel.ip("-o", "link"))
        self.host_process = None
        self.start_host("--tap", "Ethernet")
        wait_until(lambda: "Ethernet12:" in self.panel.ip("-o", "link"),
                   "orchd has programmed the new one")

    def test_a_helper_that_hangs_ends_the_switch(self):
        self.begin()
        os.kill(self.helper(), signal.SIGSTOP)
        self.redis.on(CONFIG_DB, "HSET", "PORT|Ethernet0", "mtu", "1500")
        self.assertEqual(self.host_process.wait(PATIENCE_S), 1)
        self.assertIn("Ethernet0: admin state up, MTU 1500: the helper process "
                      "for interfaces does not answer", self.host_text())
        self.assertIn("ERROR helper-ended", self.host_text())
        self.host_process = None

    def test_signals_of_a_terminal_are_for_the_switch(self):
        self.begin()
        helper = self.helper()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            os.kill(helper, number)
        self.assertEqual(self.port(PORTS[0])["oper"], "up")
        self.assertFalse(has_ended(helper))
        # A stopped one does not keep the switch from ending.
        os.kill(helper, signal.SIGSTOP)
        self.end_host()
        self.assertTrue(has_ended(helper))
        self.host_process = None


class Users(Separated):
    """Other users than root, with capabilities and without."""

    def setUp(self):
        super().setUp()
        self.place = tempfile.mkdtemp(prefix="orchd-test-")
        os.chmod(self.place, 0o777)
        self.host_socket = os.path.join(self.place, "host.sock")
        for path in (SOFTASICD, LIBSAI):
            if subprocess.run([*AS_NOBODY, "test", "-r", path],
                              check=False).returncode:
                self.skipTest("other users may not read the build")

    def tearDown(self):
        try:
            super().tearDown()
        finally:
            shutil.rmtree(self.place)

    def start_as_nobody(self, capabilities, *options):
        words = [f"+{name}" for name in capabilities]
        given = ([f"--inh-caps={','.join(words)}",
                  f"--ambient-caps={','.join(words)}"] if words else [])
        self.start_by((*AS_NOBODY, *given), *options)

    def start_by(self, starter, *options,
                 program=(SOFTASICD, "--model", "td2")):
        with open(self.host_log, "wb") as log:
            self.host_process = subprocess.Popen(
                self.panel.words("unshare", "-m", "sh", "-c", WITH_TUN, "sh",
                                 *starter, *program, "--socket",
                                 self.host_socket, "--sai", LIBSAI,
                                 "--profile", CHIPS[0], *options), stderr=log)
        wait_until(lambda: "host-ready" in self.host_text() or
                   self.host_process.poll() is not None, "it has started")
        if self.host_process.returncode == 78:
            self.host_process = None
            self.skipTest("no right to make a device for TAPs")

    def test_given_capabilities_are_of_the_helper(self):
        self.start_as_nobody(("net_admin", "net_raw"), "--tap", "Ethernet")
        self.assertIsNone(self.host_process.poll(), self.host_text())
        self.has_none(self.host_process.pid)
        self.assertEqual(of_process(self.host_process.pid, "Uid"), NOBODY)
        self.assertEqual(self.capabilities(self.helper()), ADMIN | RAW)
        # The helper is of the same user, but belongs to root.
        self.assertEqual(os.stat(f"/proc/{self.helper()}/status").st_uid, 0)

    def test_root_starts_it_as_another_user(self):
        self.start_by((), "--tap", "Ethernet", "--user", "nobody:daemon")
        self.assertIsNone(self.host_process.poll(), self.host_text())
        switch, helper = self.host_process.pid, self.helper()
        self.has_none(switch)
        for pid in (switch, helper):
            self.assertEqual(of_process(pid, "Uid"), NOBODY)
            self.assertEqual(of_process(pid, "Gid"),
                             str(grp.getgrnam("daemon").gr_gid))
        self.assertEqual(self.capabilities(helper) &
                         ~(ADMIN | RAW | BROADCAST | SYS_ADMIN), 0)
        self.assertTrue(self.capabilities(helper) & ADMIN)
        self.redis = self.start_redis()
        self.rows = rows_of(EXAMPLE)
        self.redis.pipeline(as_commands(self.rows))
        self.start_orchd_only()
        self.wait_settled()
        self.assertIn(f"{PORTS[0]}:", self.panel.ip("-o", "link"))
        self.assertEqual(os.stat(self.host_socket).st_uid, int(NOBODY))
        # It may end a helper that hangs, whose user it is.
        os.kill(helper, signal.SIGSTOP)
        self.end_host()
        self.assertTrue(has_ended(helper))
        self.host_process = None

    def test_another_user_without_interfaces(self):
        self.start_by((), "--user", "nobody")
        self.assertIsNone(self.host_process.poll(), self.host_text())
        self.has_none(self.host_process.pid)
        self.assertEqual(of_process(self.host_process.pid, "Uid"), NOBODY)
        self.end_host()
        # The same options under a supervisor that has changed the user.
        self.start_as_nobody((), "--user", "nobody")
        self.assertIsNone(self.host_process.poll(), self.host_text())

    def test_the_host_of_another_libsai_changes_its_user(self):
        self.start_by((), "--user", "nobody:daemon",
                      program=(HOST, "--profile", "SOFTASIC_MODEL=td2"))
        host = self.host_process.pid
        self.assertIsNone(self.host_process.poll(), self.host_text())
        self.has_none(host)
        self.assertEqual(of_process(host, "Uid"), NOBODY)
        self.assertEqual(of_process(host, "Gid"),
                         str(grp.getgrnam("daemon").gr_gid))
        self.assertEqual(os.stat(self.host_socket).st_uid, int(NOBODY))
        self.redis = self.start_redis()
        self.rows = rows_of(EXAMPLE)
        self.redis.pipeline(as_commands(self.rows))
        self.start_orchd_only()
        self.wait_settled()

    def test_users_that_it_cannot_be(self):
        for starter, user, words in (
                ((), "nobdy", ["no user 'nobdy'", "did you mean 'nobody'?",
                               "useradd --system nobdy"]),
                ((), "nobody:daemn", ["no group 'daemn'",
                                      "did you mean 'daemon'?"]),
                ((), "nobody:", ["'nobody:' is not NAME or NAME:GROUP"]),
                (AS_NOBODY, "root", ["only root can change to another user",
                                     "uid 65534 (nobody)",
                                     "leave --user out"])):
            self.start_by(starter, "--user", user)
            self.assertEqual(self.host_process.wait(PATIENCE_S), 2)
            self.host_process = None
            for word in words:
                self.assertIn(word, self.host_text())
            self.assertFalse(os.path.exists(self.host_socket))

    def test_without_any_there_are_no_taps(self):
        self.start_as_nobody((), "--tap", "Ethernet")
        self.assertEqual(self.host_process.wait(PATIENCE_S), 1)
        self.host_process = None
        self.assertIn("cannot make TAP Ethernet0: Operation not permitted",
                      self.host_text())
        self.assertIn("run it with CAP_NET_ADMIN", self.host_text())

    def test_without_interfaces_there_is_no_helper(self):
        self.start_as_nobody(("net_admin",))
        self.has_none(self.host_process.pid)
        self.assertEqual(children(self.host_process.pid), [])
        self.assertIn("given up: CAP_NET_ADMIN); there is no helper",
                      self.host_text())
        self.end_host()
        self.start_as_nobody(())
        self.has_none(self.host_process.pid)
        self.assertEqual(children(self.host_process.pid), [])
        self.assertIn("(given up: none)", self.host_text())


if __name__ == "__main__":
    skip_without_rights("setpriv", "unshare")
    unittest.main(verbosity=2)

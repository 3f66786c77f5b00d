# SPDX-License-Identifier: Apache-2.0
"""Who may do what on the control sockets, and the audit log.

The tests with other users need root; the rule itself is in
tests/unit/test_access.c."""

import grp
import json
import os
import socket
import subprocess
import unittest

from harness import BUILD, PATIENCE_S, System, as_commands, once, wait_until

CONFIG = {"PORT|Ethernet0": {"lanes": "1,2,3,4", "speed": "100000"}}
# Groups that Debian always has, in place of orchd and orchd-view.
OPERATORS, VIEWERS = "games", "users"
USER = 54321
needs_root = unittest.skipUnless(os.geteuid() == 0, "needs root")


def gid(name):
    return grp.getgrnam(name).gr_gid


@once
class Roles(System):

    def start(self, *options):
        os.chmod(self.directory, 0o711)
        client = self.start_redis()
        client.pipeline(as_commands(CONFIG) +
                        [("SET", "CONFIG_DB_INITIALIZED", "1")])
        self.start_orchd(*options)
        self.wait_applied(client, CONFIG)
        return client

    def ask(self, path, *requests, groups=None, primary=USER):
        """Sends requests (noun, verb, arguments) over one connection, as a
        user with these groups besides the primary one; returns the answers, or the errno of a
        connection that is refused."""
        def talk():
            with socket.socket(socket.AF_UNIX) as connection:
                try:
                    connection.connect(os.path.join(self.directory, path))
                except OSError as error:
                    return error.errno
                connection.sendall(b"".join(
                    json.dumps({"noun": n, "verb": v, "args": a}).encode() +
                    b"\n" for n, v, a in requests))
                with connection.makefile("rb") as file:
                    return [json.loads(file.readline()) for _ in requests]

        if groups is None:
            return talk()
        reader, writer = os.pipe()
        child = os.fork()
        if not child:
            try:
                os.setgroups(groups)
                os.setgid(primary)
                os.setuid(USER)
                os.write(writer, json.dumps(talk()).encode())
            finally:
                os._exit(0)
        os.close(writer)
        with os.fdopen(reader) as file:
            answer = json.load(file)
        os.waitpid(child, 0)
        return answer

    VIEW = ("show", "status", {})
    CHANGE = ("log", "level", {"module": "redis", "level": "debug"})

    def exits(self, answers):
        return [answer["exit"] for answer in answers]

    def test_the_view_socket_changes_nothing(self):
        self.start()
        self.assertEqual(self.exits(self.ask("control.sock", self.VIEW,
                                             self.CHANGE)), [0, 0])
        view, change = self.ask("view.sock", self.VIEW, self.CHANGE)
        self.assertEqual(view["exit"], 0)
        self.assertEqual((change["exit"], change["error"]["code"]),
                         (1, "denied"))
        self.assertIn("log level", change["error"]["reason"])
        self.assertIn(os.path.join(self.directory, "control.sock"),
                      change["error"]["remedy"])
        mode = os.stat(os.path.join(self.directory, "view.sock")).st_mode
        self.assertEqual(mode & 0o7777, 0o660)
        self.stop_orchd()
        self.assertFalse(os.path.exists(
            os.path.join(self.directory, "view.sock")))

    def test_the_audit_says_who_changed_what(self):
        self.start()
        me = f"uid {os.getuid()} ("
        pid = f"pid {os.getpid()} ("
        self.ask("control.sock", self.VIEW, self.CHANGE, self.CHANGE,
                 ("log", "level", {"module": "redis", "level": "loud"}),
                 self.CHANGE)
        self.wait_log("2 more on this connection")
        lines = [line.split("audit ", 1)[1]
                 for line in self.log_text().splitlines() if " audit " in line]
        self.assertEqual(len(lines), 3, lines)
        for line, outcome in zip(lines, ("): done", "): usage",
                                         "done, 2 more on this connection")):
            self.assertTrue(line.startswith("log level: " + me), line)
            self.assertIn(pid, line)
            self.assertTrue(line.endswith(outcome), line)
        self.ask("control.sock", self.CHANGE, self.CHANGE)
        self.wait_log("done, 1 more on this connection")
        # However many there are, none is suppressed.
        for _ in range(30):
            self.ask("control.sock", self.CHANGE)
        wait_until(lambda: self.log_text().count("INFO audit") == 35,
                   "each is written")
        self.ask("view.sock", self.CHANGE)
        self.wait_log("WARN denied log level: " + me)

    @needs_root
    def test_groups_decide(self):
        self.start("--set", f"control_group={OPERATORS}",
                   "--set", f"view_group={VIEWERS}")
        operator, viewer = [gid(OPERATORS)], [gid(VIEWERS)]
        for path, groups, expected in (
                ("control.sock", operator, [0, 0]),
                ("view.sock", viewer, [0, 1]),
                ("control.sock", viewer, 13), ("control.sock", [], 13),
                ("view.sock", operator, 13), ("view.sock", [], 13)):
            answer = self.ask(path, self.VIEW, self.CHANGE, groups=groups)
            self.assertEqual(answer if isinstance(answer, int)
                             else self.exits(answer), expected, (path, groups))
        # The primary group counts, too.
        self.assertEqual(self.exits(self.ask(
            "control.sock", self.VIEW, self.CHANGE, groups=viewer,
            primary=operator[0])), [0, 0])
        [listed, denied] = self.ask("view.sock", ("log", "level", {}), self.CHANGE,
                                    groups=viewer)
        self.assertEqual(listed["exit"], 0)
        self.assertIn(f"needs group {OPERATORS}, of which uid {USER}",
                      denied["error"]["reason"])
        self.assertIn(f"usermod -aG {OPERATORS}", denied["error"]["remedy"])
        # A socket that is opened to everybody is one for viewers.
        os.chmod(os.path.join(self.directory, "control.sock"), 0o666)
        self.assertEqual(self.exits(self.ask("control.sock", self.VIEW,
                                             self.CHANGE, groups=[])), [0, 1])
        self.wait_log(f"INFO audit log level: uid {USER} (?), pid ")

    @needs_root
    def test_orchctl_finds_the_socket_that_the_user_may_use(self):
        self.start("--set", f"control_group={OPERATORS}",
                   "--set", f"view_group={VIEWERS}")
        orchctl = os.path.join(BUILD, "orchctl", "orchctl")

        def run(*words):
            try:
                return subprocess.run(
                    [orchctl, "--control",
                     os.path.join(self.directory, "control.sock"), *words],
                    capture_output=True, text=True, check=False, user=USER,
                    group=USER, extra_groups=[gid(VIEWERS)])
            except PermissionError:
                self.skipTest("another user may not read the build")

        self.assertEqual(run("show", "ports").returncode, 0)
        refused = run("log", "level", "redis", "debug")
        self.assertEqual(refused.returncode, 1)
        self.assertIn(f"needs group {OPERATORS}", refused.stderr)

    @needs_root
    def test_the_sockets_of_a_switch_belong_to_their_groups(self):
        self.start_host("--group", OPERATORS, "--view-group", VIEWERS)
        for path, group in ((self.host_socket, OPERATORS),
                            (self.host_view_socket(), VIEWERS)):
            file = os.stat(path)
            self.assertEqual((file.st_gid, file.st_mode & 0o7777),
                             (gid(group), 0o660))
        self.host_process.terminate()
        self.assertEqual(self.host_process.wait(30), 0)
        self.host_process = None
        self.assertFalse(os.path.exists(self.host_view_socket()))

    def host_view_socket(self):
        return self.host_socket.replace(".sock", "-view.sock")

    def call(self, words, path=None, groups=()):
        """orchctl sai call on the host; as another user with these groups,
        as this one with None."""
        other = {} if groups is None else {
            "user": USER, "group": USER, "extra_groups": list(map(gid, groups))}
        try:
            return subprocess.run(
                [os.path.join(BUILD, "orchctl", "orchctl"), "sai", "call",
                 *words, "--host", path or self.host_socket, "--sai",
                 os.path.join(BUILD, ".libs", "libsai-remote.so")],
                capture_output=True, text=True, check=False, timeout=PATIENCE_S, **other)
        except PermissionError:
            self.skipTest("another user may not read the build")

    GET = ("get", "SAI_OBJECT_TYPE_BUFFER_POOL", "oid:0x1",
           "SAI_BUFFER_POOL_ATTR_SIZE")
    CREATE = ("create", "SAI_OBJECT_TYPE_SWITCH",
              "SAI_SWITCH_ATTR_INIT_SWITCH=true")

    @needs_root
    def test_viewers_of_a_switch_read_and_change_nothing(self):
        os.chmod(self.directory, 0o711)
        self.start_host("--group", OPERATORS, "--view-group", VIEWERS)
        view = self.host_view_socket()
        # On the socket for viewers nobody writes, not even root.
        for groups, path in ((None, view), ((OPERATORS, VIEWERS), view)):
            refused = self.call(self.CREATE, path, groups)
            self.assertEqual(refused.returncode, 1, refused.stdout)
            self.assertIn(f"writing needs group {OPERATORS} and "
                          f"{self.host_socket}", refused.stderr)
        # The reason names the group that a viewer would need.
        refused = self.call(self.CREATE, view, (VIEWERS,))
        self.assertEqual(refused.returncode, 1, refused.stdout)
        self.assertIn(f"writing needs group {OPERATORS}, of which uid {USER}",
                      refused.stderr)
        refused = self.call(self.CREATE, groups=(VIEWERS,))
        self.assertIn("Permission denied", refused.stderr)
        self.assertNotIn("INFO audit", self.host_text())
        # Who is in no group connects to nothing.
        self.assertIn("Permission denied", self.call(self.GET).stderr)
        done = self.call(self.CREATE, groups=(OPERATORS,))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(self.host_text(),
                         rf"INFO audit create: uid {USER} \(.*\), pid .*: done")
        for path in (None, view):
            found = self.call(self.GET, path, (VIEWERS,))
            # The switch has answered: there is no such pool.
            self.assertIn("=> SAI_STATUS_", found.stdout, found.stderr)

    def test_groups_that_cannot_be_used(self):
        self.start_redis()
        self.start_orchd_only("--set", "control_group=no-such-group")
        self.assertEqual(self.orchd_process.wait(30), 2)
        self.assertIn("control_group: there is no group 'no-such-group'",
                      self.log_text())
        self.assertIn("groupadd", self.log_text())

    def test_groups_of_a_switch_that_do_not_exist(self):
        for program in ("softasicd", "saihostd"):
            for option in ("--group", "--view-group"):
                done = subprocess.run(
                    [os.path.join(BUILD, "saihostd", program), "--socket",
                     self.host_socket, option, "no-such-group"],
                    capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 2)
                self.assertEqual(
                    done.stderr,
                    f"{program}: {option}: there is no group 'no-such-group'\n"
                    "  remedy: create it: sudo groupadd --system "
                    "no-such-group; or leave the option out\n")

    @needs_root
    def test_a_group_needs_a_member(self):
        os.chmod(self.directory, 0o777)
        try:
            done = subprocess.run(
                self.command("--set", f"control_group={OPERATORS}",
                             remote=False),
                capture_output=True, text=True, check=False, user=USER,
                group=USER, extra_groups=[gid(VIEWERS)], timeout=PATIENCE_S)
        except PermissionError:
            self.skipTest("another user may not read the build")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(f"cannot give its socket to group '{OPERATORS}'",
                      done.stderr)
        self.assertIn("SupplementaryGroups=", done.stderr)


if __name__ == "__main__":
    unittest.main()

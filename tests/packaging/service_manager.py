# SPDX-License-Identifier: Apache-2.0
"""A service manager for tests: starts the ExecStart of a unit as systemd does, and
receives what the daemon reports to NOTIFY_SOCKET."""

import grp
import os
import pwd
import re
import select
import shlex
import socket
import subprocess
import time

PATIENCE_S = 30


class Manager:
    """The socket that NOTIFY_SOCKET names, and what has arrived there."""

    def __init__(self, path):
        self.path = path
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(path)
        os.chmod(path, 0o666)
        self.messages = []

    def close(self):
        """Leaves the file to the folder that it is in."""
        self.socket.close()

    def environment(self, watchdog_s=None):
        environment = dict(os.environ, NOTIFY_SOCKET=self.path)
        if watchdog_s:
            environment["WATCHDOG_USEC"] = str(int(watchdog_s * 1e6))
        return environment

    def wait(self, pattern, after=0):
        """Returns the index of the first message from 'after' on that matches."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            for index in range(after, len(self.messages)):
                if re.search(pattern, self.messages[index]):
                    return index
            after = max(after, len(self.messages))
            if not select.select([self.socket], [], [],
                                 max(0, deadline - time.monotonic()))[0]:
                raise AssertionError(f"no message {pattern}; there were {self.messages}")
            self.messages.append(self.socket.recv(4096).decode())


class Unit:
    """A unit file, of which only what its process depends on is read."""

    def __init__(self, path, instance=""):
        self.values = {}
        self.instance = instance
        with open(path, encoding="utf-8") as file:
            for line in file:
                name, equals, value = line.strip().partition("=")
                if equals and not name.startswith("#"):
                    self.values.setdefault(name, []).append(self.expand(value))

    def expand(self, text):
        return text.replace("%i", self.instance).replace("%I", self.instance)

    def environment(self):
        """What Environment and EnvironmentFile set."""
        found = {}
        for value in self.values.get("Environment", []):
            found.update(word.split("=", 1) for word in shlex.split(value))
        for value in self.values.get("EnvironmentFile", []):
            optional, path = value.startswith("-"), value.lstrip("-")
            if optional and not os.path.exists(path):
                continue
            with open(path, encoding="utf-8") as file:
                for line in file:
                    if "=" in line and not line.startswith("#"):
                        name, text = line.strip().split("=", 1)
                        found[name] = " ".join(shlex.split(text))
        return found

    def command(self):
        """The words of ExecStart; $NAME as a word becomes the words of its value."""
        variables, words = self.environment(), []
        for word in shlex.split(self.values["ExecStart"][-1]):
            words += variables.get(word[1:], "").split() if word.startswith("$") else [word]
        return words

    def make_folders(self, user, group):
        for key, root in (("RuntimeDirectory", "/run"), ("StateDirectory", "/var/lib")):
            for name in self.values.get(key, []):
                path = os.path.join(root, name)
                os.makedirs(path, exist_ok=True)
                os.chown(path, user, group)

    def start(self, manager, **keys):
        """Starts the process as the user of the unit, if this test is root."""
        user = pwd.getpwnam(self.values.get("User", ["root"])[-1])
        group = grp.getgrnam(self.values["Group"][-1])
        others = [grp.getgrnam(name).gr_gid for name in
                  " ".join(self.values.get("SupplementaryGroups", [])).split()]
        self.make_folders(user.pw_uid, group.gr_gid)
        environment = {"PATH": os.environ["PATH"], "NOTIFY_SOCKET": manager.path,
                       "WATCHDOG_USEC": "1000000"}
        environment.update(self.environment())
        return subprocess.Popen(
            self.command(), env=environment, user=user.pw_uid, group=group.gr_gid,
            extra_groups=others, umask=int(self.values.get("UMask", ["022"])[-1], 8),
            **keys)

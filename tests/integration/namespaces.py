# SPDX-License-Identifier: Apache-2.0
"""Network namespaces, and interfaces in them, for tests with real frames."""

import ctypes
import os
import select
import shutil
import socket
import subprocess
import sys
import time
from contextlib import contextmanager

from harness import PATIENCE_S

CLONE_NEWNET = 0x40000000
SOL_PACKET, PACKET_IGNORE_OUTGOING = 263, 23
SO_RCVBUFFORCE = 33
ETH_P_ALL = 3
LIBC = ctypes.CDLL(None, use_errno=True)


def can_open(path):
    try:
        os.close(os.open(path, os.O_RDWR))
    except OSError:
        return False
    return True


def has_namespaces():
    """Some containers let one be made, but nothing run in it."""
    def ip(*words):
        return not subprocess.run(["ip", "netns", *words], capture_output=True,
                                  check=False).returncode

    name = name_of("try")
    if not ip("add", name):
        return False
    works = ip("exec", name, "true")
    ip("del", name)
    return works


def skip_without_rights(*programs):
    """Ends the program, as skipped, where there can be no namespaces, or one of
    the programs is missing."""
    reason = None
    missing = [name for name in ("ip", *programs) if not shutil.which(name)]
    if missing:
        reason = "not installed: " + ", ".join(missing)
    elif os.geteuid() != 0:
        reason = "not root, so no network namespaces"
    elif not can_open("/dev/net/tun"):
        reason = "no /dev/net/tun, or no right to open it"
    elif not has_namespaces():
        reason = "no right to make network namespaces and to run in them"
    if reason:
        print("skipped:", reason)
        sys.exit(77)


def name_of(word):
    return f"orchd-{os.getpid()}-{word}"


class Namespace:
    """A network namespace without IPv6, whose chatter would be in the way."""

    def __init__(self, word):
        self.name = name_of(word)
        self.run_here("ip", "netns", "add", self.name)
        self.set_ipv6("1")

    def set_ipv6(self, disabled):
        """Returns whether there is such a thing here."""
        paths = [f"/proc/sys/net/ipv6/conf/{which}/disable_ipv6"
                 for which in ("all", "default")]
        with self.inside():
            for path in filter(os.path.exists, paths):
                with open(path, "w", encoding="ascii") as file:
                    file.write(disabled)
            return os.path.exists(paths[0])

    def allow_ipv6(self):
        """The same, for those who want it."""
        return self.set_ipv6("0")

    def close(self):
        self.run_here("ip", "netns", "del", self.name)

    @staticmethod
    def run_here(*words):
        subprocess.run(words, check=True, capture_output=True)

    @contextmanager
    def inside(self):
        """What is opened meanwhile is in the namespace."""
        with open("/proc/self/ns/net", "rb") as home, \
                open(f"/run/netns/{self.name}", "rb") as there:
            self.enter(there)
            try:
                yield
            finally:
                self.enter(home)

    @staticmethod
    def enter(file):
        if LIBC.setns(file.fileno(), CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), "setns")

    def words(self, *words):
        return ["ip", "netns", "exec", self.name, *map(str, words)]

    def run(self, *words):
        """Runs a program inside; returns what it printed."""
        done = subprocess.run(self.words(*words), capture_output=True,
                              text=True, timeout=PATIENCE_S, check=False)
        if done.returncode:
            raise AssertionError(f"{words}: {done.stdout}{done.stderr}")
        return done.stdout

    def start(self, *words):
        return subprocess.Popen(self.words(*words), text=True,
                                stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT)

    def ip(self, *words):
        return self.run("ip", *words)

    def take(self, interface, other):
        """Takes 'interface' from namespace 'other', and brings it up."""
        other.ip("link", "set", interface, "netns", self.name)
        self.ip("link", "set", interface, "up")

    def has(self, interface, *flags):
        """Whether all 'flags' ("LOWER_UP") of an interface are set."""
        words = self.ip("-o", "link", "show", interface)
        return set(flags) <= set(words.split("<")[1].split(">")[0].split(","))


class Wire:
    """What an interface sends and receives, frame by frame."""

    def __init__(self, namespace, interface):
        with namespace.inside():
            self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
            self.socket.setsockopt(SOL_PACKET, PACKET_IGNORE_OUTGOING, 1)
            self.socket.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 1 << 25)
            self.socket.bind((interface, ETH_P_ALL))
        self.socket.setblocking(False)
        self.frames = []

    def close(self):
        self.socket.close()

    def send(self, *frames):
        for frame in frames:
            select.select([], [self.socket], [], PATIENCE_S)
            self.socket.send(bytes(frame))

    def poll(self):
        """Takes what has arrived; returns all of it so far."""
        while True:
            try:
                self.frames.append(self.socket.recv(65536))
            except BlockingIOError:
                return self.frames

    def wait(self, condition, what):
        """Waits until condition(frames) is true, and returns that."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            found = condition(self.poll())
            if found:
                return found
            left = deadline - time.monotonic()
            if left < 0:
                raise AssertionError(f"not within {PATIENCE_S} s: {what}; "
                                     f"{len(self.frames)} frames arrived")
            select.select([self.socket], [], [], min(left, 1))

    def take(self):
        """Returns what has arrived, and forgets it."""
        frames, self.frames = self.poll(), []
        return frames

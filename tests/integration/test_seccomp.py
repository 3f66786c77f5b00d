# SPDX-License-Identifier: Apache-2.0
"""The filter of system calls: it is in force, and nothing misses a call."""

import os
import resource
import shutil
import signal
import stat
import subprocess
import unittest

from harness import (BUILD, CHIPS, LIBSAI, ORCHD, PATIENCE_S, SOURCE, System,
                     not_beside, once, wait_until)

setUpModule = not_beside("the processes that SAI calls run in")

ORCHCTL = os.path.join(BUILD, "orchctl", "orchctl")
SOFTASICD = os.path.join(BUILD, "saihostd", "softasicd")
THRIFTD = os.path.join(BUILD, "thriftd", "softasic-thriftd")
EXAMPLE = os.path.join(SOURCE, "examples", "leaf-32x100g.config_db.json")


def has_filters():
    """Whether this build has any, and this kernel."""
    with open("/proc/self/status", encoding="utf-8") as file:
        known = "Seccomp_filters:" in file.read()
    built = subprocess.run([ORCHD, "--version"], capture_output=True,
                           text=True, check=True).stdout
    return known and "libseccomp" in built


def allow_core():
    """In a child: lets it dump core if it may."""
    _, most = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (most, most))


def of_process(pid, name):
    """One line of /proc/PID/status."""
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        return next(line.split()[1] for line in file
                    if line.startswith(name + ":"))


def filters(pid):
    """How many filters the process has; a container may have one for all."""
    return int(of_process(pid, "Seccomp_filters"))


@once
@unittest.skipUnless(has_filters(), "there are no filters of system calls")
class Seccomp(System):

    HWSKU = MODEL = None

    def check(self, pid, on=True):
        self.assertEqual(filters(pid) - filters("self"), 1 if on else 0)
        if on:
            self.assertEqual(of_process(pid, "Seccomp"), "2")
        self.assertEqual(of_process(pid, "NoNewPrivs"), "1")
        self.assertTrue(int(of_process(pid, "Umask"), 8) & 0o7 == 0o7)

    def seccomp(self):
        return self.control("show", "status")["data"]["seccomp"]

    def ctl(self, *words):
        done = subprocess.run(
            [ORCHCTL, *words, "--control",
             os.path.join(self.directory, "control.sock")],
            capture_output=True, text=True, timeout=PATIENCE_S)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def start_remote(self, *options, redis=None):
        """softasicd, and orchd as its client."""
        with open(self.host_log, "wb") as log:
            self.host_process = subprocess.Popen(
                [SOFTASICD, "--socket", self.host_socket, "--sai", LIBSAI,
                 "--model", "th", "--profile", CHIPS[0]], stderr=log)
        wait_until(lambda: "host-ready" in self.host_text(), "there is a host")
        with open(self.log, "wb") as log:
            self.orchd_process = subprocess.Popen(
                self.command(*options, redis=redis, remote=True), stderr=log)
        self.wait_ready()

    def wait_ready(self):
        wait_until(lambda: os.path.exists(
            os.path.join(self.directory, "control.sock")), "orchd listens")

    def load(self):
        self.assertIn("applied", self.ctl("config", "load", EXAMPLE, "--wait"))

    def test_the_server_of_hardware_suites(self):
        path = os.path.join(self.directory, "thrift.log")
        with open(path, "wb") as log:
            server = subprocess.Popen(
                [THRIFTD, "--socket", self.host_socket, "--listen",
                 "127.0.0.1:0"], stderr=log)
        try:
            wait_until(lambda: "rpc-failed" in self.text_of(path),
                       "it has tried to reach the switch")
            self.check(server.pid)
            self.assertEqual(of_process(server.pid, "CapEff").strip("0"), "")
            self.assertIn("filter of system calls: on\n", self.text_of(path))
        finally:
            server.send_signal(signal.SIGTERM)
            self.assertEqual(server.wait(30), 0, self.text_of(path))

    def test_a_switch_in_another_process(self):
        self.start_redis()
        conf = os.path.join(self.directory, "orchd.conf")
        with open(conf, "w", encoding="utf-8") as file:
            file.write("drift_seconds = 300\n")
        state = os.path.join(self.directory, "state")
        record = os.path.join(self.directory, "sai.record")
        web = os.path.join(self.directory, "http.sock")
        self.start_remote("--config", conf, "--state-dir", state, "--record",
                          record, "--http", "unix:" + web)
        self.check(self.orchd_process.pid)
        self.check(self.host_process.pid)
        self.assertEqual(self.seccomp(), "on")
        self.assertRegex(self.ctl("status"), r"(?m)^Seccomp +on$")
        self.assertRegex(self.ctl("show", "settings"), r"(?m)^seccomp +auto ")
        self.assertIn("filter of system calls: on\n", self.log_text())
        self.assertIn("filter of system calls: on\n", self.host_text())
        self.load()
        # Files are not for other users.
        self.assertEqual(stat.S_IMODE(os.stat(record).st_mode) & 0o7, 0)

        # What an operator does later.
        with open(conf, "w", encoding="utf-8") as file:
            file.write("drift_seconds = 301\n")
        self.ctl("config-file", "reload")
        self.orchd_process.send_signal(signal.SIGHUP)
        archive = os.path.join(self.directory, "found.tar.gz")
        self.ctl("techsupport", archive)
        self.assertGreater(os.path.getsize(archive), 1000)
        self.ctl("config", "history")

        # Redis and the switch go, and come back.
        self.kill_redis()
        wait_until(lambda: not self.control("show", "status")["data"]["redis"][
            "up"], "orchd has lost Redis")
        self.start_redis()
        self.load()
        self.check(self.orchd_process.pid)
        self.stop_orchd()
        self.host_process.send_signal(signal.SIGTERM)
        self.assertEqual(self.host_process.wait(30), 0, self.host_text())

    def test_a_private_redis(self):
        self.start_remote(redis="spawn:" + os.path.join(self.directory, "own"))
        self.assertEqual(self.seccomp(),
                         "on; may start programs, for the private Redis")
        self.load()
        socket = os.path.join(self.directory, "own", "redis.sock")
        client = self.client(socket)
        first = self.redis_pid(client)
        self.check(first)
        os.kill(first, signal.SIGKILL)
        wait_until(lambda: "redis-died" in self.log_text(), "Redis has died")
        client = self.client(socket)
        self.assertNotEqual(self.redis_pid(client), first)
        # A server saves and rewrites in processes of its own.
        client("BGSAVE")
        wait_until(lambda: "rdb_last_bgsave_status:ok" in client(
            "INFO", "persistence") and os.path.exists(os.path.join(
                self.directory, "own", "dump.rdb")), "Redis has saved")
        self.load()
        self.stop_orchd()

    def test_a_switch_in_the_same_process(self):
        self.start_redis()
        with open(self.log, "wb") as log:
            self.orchd_process = subprocess.Popen(
                self.command(remote=False), stderr=log)
        self.wait_ready()
        self.load()
        self.check(self.orchd_process.pid)
        self.assertEqual(self.seccomp(), "on")
        self.stop_orchd()

    def test_another_libsai_has_no_filter(self):
        other = os.path.join(self.directory, "libsai.so")
        shutil.copy(LIBSAI, other)
        self.start_redis()
        with open(self.log, "wb") as log:
            self.orchd_process = subprocess.Popen(
                self.command("--sai", other, remote=False), stderr=log)
        self.wait_ready()
        self.check(self.orchd_process.pid, on=False)
        self.assertEqual(self.seccomp(), f"off: {other} is in this process "
                         "and may need any system call")
        self.load()
        self.stop_orchd()

    def test_an_administrator_can_do_without(self):
        self.start_redis()
        with open(self.log, "wb") as log:
            self.orchd_process = subprocess.Popen(
                self.command("--seccomp", "off", remote=False), stderr=log)
        self.wait_ready()
        self.check(self.orchd_process.pid, on=False)
        self.assertEqual(self.seccomp(), "off: by the setting seccomp")
        self.stop_orchd()
        for value, status in (("off", 0), ("on", 2)):
            done = subprocess.run(
                [SOFTASICD, "--socket", self.host_socket, "--model", "th",
                 "--seccomp", value, "--help"], capture_output=True,
                text=True, timeout=PATIENCE_S)
            self.assertEqual(done.returncode, status)

    def dumps_core(self, *options):
        """Whether the end of such an orchd by SIGABRT leaves a core dump."""
        with open(self.log, "wb") as log:
            self.orchd_process = subprocess.Popen(
                self.command(*options, remote=False), stderr=log,
                cwd=self.directory, preexec_fn=allow_core)
        self.wait_ready()
        self.assertEqual(self.seccomp(), "on")
        wait_until(lambda: self.control("show", "status")["data"]["redis"][
            "up"], "orchd has logged in")
        self.orchd_process.send_signal(signal.SIGABRT)
        _, status = os.waitpid(self.orchd_process.pid, 0)
        self.orchd_process.returncode = -os.WTERMSIG(status)
        self.assertEqual(os.WTERMSIG(status), signal.SIGABRT)
        os.unlink(os.path.join(self.directory, "control.sock"))
        return os.WCOREDUMP(status)

    def test_a_password_is_in_no_core_dump(self):
        password = os.path.join(self.directory, "password")
        with open(password, "w", encoding="utf-8") as file:
            file.write("s3cret\n")
        os.chmod(password, 0o600)
        client = self.start_redis()
        dumps = self.dumps_core()
        client("CONFIG", "SET", "requirepass", "s3cret")
        self.assertFalse(self.dumps_core("--redis-password-file", password))
        if not dumps:
            self.skipTest("this machine writes no core dumps")


if __name__ == "__main__":
    unittest.main()

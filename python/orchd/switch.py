# SPDX-License-Identifier: Apache-2.0
"""A switch for a test: an orchd with a Redis and a softasic of its own.

Everything is in one folder below the temporary files and listens on Unix
sockets only, so any number of switches can run at the same time.  The time of
the switch passes only in the verbs that let it (Bench.run(), until(), settle()),
and the same calls give the same numbers every time.
"""

from __future__ import annotations

import os
import select
import shutil
import socket
import subprocess
import tempfile
import time
import weakref
from collections.abc import Sequence
from types import TracebackType
from typing import Literal

from .bench import Bench
from .client import Client
from .configuration import Config, port_rows, read_config
from .errors import ExpectationError, OrchdError, StartError, Unreachable
from .programs import Programs, find_programs

__all__ = ["Switch"]

SUN_PATH_MAX = 106  # Bytes of the path of a socket of Redis, as orchd has it.
END_S = 10  # How long orchd may take to end.
TAIL_LINES = 20


class Process:
    """An orchd in a folder of its own, which ends with this object, with this
    process, or when end() is called."""

    def __init__(self, programs: Programs, options: Sequence[str],
                 timeout: float) -> None:
        self.folder = tempfile.mkdtemp(prefix="orchd-")
        self.log = os.path.join(self.folder, "orchd.log")
        self.control = os.path.join(self.folder, "control.sock")
        self.child: subprocess.Popen[bytes] | None = None
        try:
            self._start(programs, options, timeout)
        except BaseException as error:
            self.end()
            if isinstance(error, StartError) and os.path.exists(self.log):
                error.add_note(f"log of orchd: {self.log}")
            else:
                shutil.rmtree(self.folder, ignore_errors=True)
            raise
        self.finalizer = weakref.finalize(self, clean, self.child, self.folder)

    def _start(self, programs: Programs, options: Sequence[str],
               timeout: float) -> None:
        ready = os.path.join(self.folder, "notify.sock")
        redis = os.path.join(self.folder, "redis")
        # The longest path of a socket is that of Redis.
        if len(os.fsencode(redis)) + len("/redis.sock") > SUN_PATH_MAX:
            raise StartError(
                f"the path {self.folder} is too long for sockets",
                code="path", remedy="set TMPDIR to a folder with a short path")
        if not shutil.which("redis-server"):
            raise StartError("redis-server is not installed", code="no-redis",
                             remedy="install the package redis-server")
        command = [programs.orchd,
                   "--redis", "spawn:" + redis,
                   "--control", self.control, *programs.options(), *options]
        # The kernel ends orchd if this process is killed, which no handler
        # here could do.  It also does so when this thread ends.
        if setpriv := shutil.which("setpriv"):
            command = [setpriv, "--pdeathsig", "TERM", "--", *command]
        surroundings = {name: value for name, value in os.environ.items()
                        if not name.startswith("ORCHD_")}
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notices, \
                open(self.log, "wb") as log:
            notices.bind(ready)
            # A session of its own: Ctrl-C is for the tests, which then end it.
            self.child = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                start_new_session=True,
                env={**surroundings, "NOTIFY_SOCKET": ready,
                     "ORCHD_CONFIG": "/dev/null"})
            self._wait_ready(notices, timeout)

    def _wait_ready(self, notices: socket.socket, timeout: float) -> None:
        """Waits until orchd says that it is ready, or has ended."""
        assert self.child
        deadline = time.monotonic() + timeout
        ended = os.pidfd_open(self.child.pid)
        try:
            while True:
                readable, _, _ = select.select(
                    [notices, ended], [], [], deadline - time.monotonic()
                    if deadline > time.monotonic() else 0)
                if notices in readable and b"READY=1" in notices.recv(4096):
                    return
                if ended in readable:
                    raise StartError(
                        f"orchd has ended:\n{self.tail()}", code="ended",
                        remedy="see its messages above")
                if not readable:
                    raise StartError(
                        f"orchd was not ready after {timeout:g} s:\n"
                        f"{self.tail()}", code="timeout",
                        remedy="allow more with Switch(..., timeout=SECONDS)")
        finally:
            os.close(ended)

    def tail(self) -> str:
        """The last lines that orchd wrote."""
        try:
            with open(self.log, encoding="utf-8", errors="replace") as file:
                return "".join(file.readlines()[-TAIL_LINES:]).rstrip()
        except OSError:
            return ""

    def end(self) -> None:
        """Ends orchd, which ends its Redis."""
        end_child(self.child)


def end_child(child: subprocess.Popen[bytes] | None) -> None:
    """Ends a process that was started here."""
    if child and child.poll() is None:
        child.terminate()
        try:
            child.wait(END_S)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


def clean(child: subprocess.Popen[bytes] | None, folder: str) -> None:
    """What is left to do if nobody has closed a switch."""
    end_child(child)
    shutil.rmtree(folder, ignore_errors=True)


class Switch(Bench):
    """A switch of chip 'chip' with a configuration, and the verbs of Bench.

        with Switch("td2", "config_db.json", ports=4) as switch:
            switch.block("Ethernet4")
            switch.send("Ethernet0", "Ethernet4", until="xoff", dscp=3)

    'chip' is a file of chips/, such as "td3".  'config' is a config_db.json,
    tables, rows, or several of these, which add up.  'ports', a number or names,
    adds ports, with 'speed', 'lanes' and 'cable' as the chip has them or 5 m, as
    'topology' in scenarios does; 'buffer_model' and 'hwsku' are those of
    DEVICE_METADATA.  'options' are options of orchd: ["--strict"].

    A row that orchd does not apply is an ExpectationError that names it.
    Linux ends orchd with the thread that made the switch.
    Attributes: ``client``, all commands of orchd; ``log``, the path of its log;
    ``chip``.
    """

    def __init__(self, chip: str, config: Config | Sequence[Config] = (), *,
                 ports: int | Sequence[str] = (), speed: int | None = None,
                 lanes: int | None = None, cable: int = 5,
                 buffer_model: Literal["traditional", "dynamic"] | None = None,
                 hwsku: str | None = None, options: Sequence[str] = (),
                 build: str | os.PathLike[str] | None = None,
                 timeout: float = 60.0) -> None:
        rows = read_config(config)
        programs = find_programs(build)
        self._keep = False
        # Storms are detected by orchd, in steps of the time of the switch, as
        # in scenarios.
        self._process = Process(programs, [
            "--profile", f"SOFTASIC_MODEL={programs.model(chip)}",
            "--storm-detection", "software", *options], timeout)
        self.log = self._process.log
        try:
            super().__init__(Client(self._process.control, timeout=timeout))
            if ports:
                rows = read_config([port_rows(
                    ports, first_lane=self.number("first_lane"),
                    lanes=lanes or self.number("lanes_per_port"),
                    speed=speed or self.number("port_speed_mbps"),
                    cable=cable), rows])
            metadata = {"buffer_model": buffer_model, "hwsku": hwsku}
            rows = read_config([rows, {"DEVICE_METADATA|localhost": {
                name: value for name, value in metadata.items() if value}}])
            with self._step(f"configuration of {len(rows)} rows"):
                self._configure(rows, "all")
        except BaseException as error:
            self._keep = isinstance(error, (OrchdError, ExpectationError))
            self._note_log(error)
            self.close()
            raise
        self.steps.clear()

    def __enter__(self) -> Switch:
        return self

    def __exit__(self, kind: type[BaseException] | None,
                 error: BaseException | None,
                 traceback: TracebackType | None) -> None:
        if error and isinstance(error, Exception):
            self.keep_log()
            self._note_log(error)
        self.close()

    def keep_log(self) -> None:
        """Lets the log stay when the switch is closed."""
        self._keep = True

    def log_tail(self) -> str:
        """The last lines of the log of orchd."""
        return self._process.tail()

    def _note_log(self, error: BaseException) -> None:
        if self._keep:
            error.add_note(f"log of orchd: {self.log}")

    def close(self) -> None:
        """Ends the switch, and removes its files but a log to keep."""
        if hasattr(self, "client"):
            self.client.close()
        process = self._process
        process.end()
        process.finalizer.detach()
        if not self._keep:
            shutil.rmtree(process.folder, ignore_errors=True)

    @property
    def pid(self) -> int:
        """The process of orchd."""
        if not self._process.child:
            raise Unreachable("orchd was not started")
        return self._process.child.pid

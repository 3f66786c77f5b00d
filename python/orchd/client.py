# SPDX-License-Identifier: Apache-2.0
"""A connection to orchd: one request, one answer.

The protocol is lines of JSON on a Unix socket (orchd/control/protocol.h).  The
methods of Client are the commands of orchd, one each, made from its own table
when the package was built (commands.py).
"""

from __future__ import annotations

import json
import os
import socket
from types import TracebackType
from typing import Any

from .commands import Commands
from .errors import Unreachable, command_error

__all__ = ["Client", "default_socket"]

SERVICE_SOCKET = "/run/orchd/control.sock"


def default_socket() -> str:
    """Where orchctl would look: the orchd of this user, else the service."""
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    if runtime and os.geteuid() != 0:
        own = os.path.join(runtime, "orchd.sock")
        if os.path.exists(own) or not os.path.exists(SERVICE_SOCKET):
            return own
    return SERVICE_SOCKET


class Client(Commands):
    """A connection to the control socket of an orchd, or its socket for viewers.

    It may be used by one thread at a time.  Breakpoint commands reserve the
    switch for the connection, and what they have changed is undone when it is
    closed: use a client in a ``with`` statement.
    """

    def __init__(self, socket_path: str | os.PathLike[str] | None = None, *,
                 timeout: float = 60.0) -> None:
        """Connects to 'socket_path', by default that of orchctl.  Requests fail
        if the answer takes longer than 'timeout' seconds.  Raises Unreachable
        if there is no orchd."""
        self.socket_path = os.fspath(socket_path or default_socket())
        self.timeout = timeout
        self._input = bytearray()
        self._socket: socket.socket | None = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(timeout)
        try:
            self._socket.connect(self.socket_path)
        except OSError as error:
            self.close()
            raise Unreachable(
                f"cannot reach orchd at {self.socket_path}: "
                f"{error.strerror or error}", code="unreachable",
                remedy="start orchd, or give its socket; "
                       "orchd.Switch starts one for a test") from error

    def __enter__(self) -> Client:
        return self

    def __exit__(self, kind: type[BaseException] | None,
                 error: BaseException | None,
                 traceback: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Ends the connection; more than once does no harm."""
        if self._socket:
            self._socket.close()
            self._socket = None

    def call(self, noun: str, verb: str, arguments: dict[str, Any]) -> Any:
        """Sends one request and returns the data of the answer.  Arguments that
        are None are left out.

        Raises UsageError, AccessDenied or another CommandError as orchd
        answers, and Unreachable.  After the latter the connection is closed: an
        answer that comes late would be taken for that of the next request.
        """
        args = {name: value for name, value in arguments.items()
                if value is not None}
        line = json.dumps({"noun": noun, "verb": verb, "args": args})
        answer = json.loads(self._talk(line.encode() + b"\n"))
        if answer.get("exit") != 0:
            raise command_error(noun, verb, answer)
        return answer.get("data")

    def _talk(self, request: bytes) -> bytes:
        if not self._socket:
            raise Unreachable("the connection to orchd is closed",
                              code="unreachable", remedy="make a new Client")
        try:
            self._socket.sendall(request)
            return self._receive(self._socket)
        except TimeoutError as error:
            self.close()
            raise Unreachable(
                f"orchd at {self.socket_path} did not answer in "
                f"{self.timeout:g} s", code="timeout",
                remedy="allow more time with Client(..., timeout=SECONDS)"
            ) from error
        except OSError as error:
            self.close()
            raise Unreachable(
                f"lost the connection to orchd at {self.socket_path}: "
                f"{error.strerror or error}", code="unreachable",
                remedy="see the log of orchd") from error
        except BaseException:  # Such as Ctrl-C in the middle of an answer.
            self.close()
            raise

    def _receive(self, connection: socket.socket) -> bytes:
        """One line; the rest stays for the next one."""
        scanned = 0
        while (end := self._input.find(b"\n", scanned)) < 0:
            scanned = len(self._input)
            part = connection.recv(1 << 20)
            if not part:
                raise ConnectionError("orchd closed it")
            self._input += part
        line = bytes(self._input[:end])
        del self._input[:end + 1]
        return line

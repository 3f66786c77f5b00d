# SPDX-License-Identifier: Apache-2.0
"""What can go wrong between a client and orchd."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["AccessDenied", "CommandError", "ExpectationError", "OrchdError",
           "StartError", "Unreachable", "UsageError"]


class OrchdError(Exception):
    """The base of all errors of this package, except ExpectationError.

    ``exit`` is the exit code that orchctl would have; ``code`` is stable, for
    programs; ``reason`` and ``remedy`` are for people.  ``field``, ``value``
    and ``allowed`` say which value is wrong, and what it may be.  What does not
    apply is "".
    """

    exit = 1

    def __init__(self, reason: str, *, code: str = "", field: str = "",
                 value: str = "", allowed: str = "", remedy: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.code = code
        self.field = field
        self.value = value
        self.allowed = allowed
        self.remedy = remedy

    def __str__(self) -> str:
        text = self.reason
        if self.allowed and self.allowed not in text:
            text += f"\n  allowed: {self.allowed}"
        if self.remedy:
            text += f"\n  remedy: {self.remedy}"
        return text


class Unreachable(OrchdError):
    """No orchd listens at the socket, it has closed the connection, or has not
    answered in time (``code`` "timeout")."""

    exit = 3


class StartError(OrchdError):
    """A switch could not be started: a program or a file is missing, or orchd
    has ended.  ``reason`` has what orchd wrote last."""

    exit = 2


class CommandError(OrchdError):
    """orchd has refused a command, or its answer is no: ``exit`` is 1.

    ``data`` is the data of the answer, such as the rows that are not applied;
    None if there is none.
    """

    def __init__(self, reason: str, *, data: Any = None, **members: str) -> None:
        super().__init__(reason, **members)
        self.data = data


class AccessDenied(CommandError):
    """This user may only view."""


class UsageError(CommandError):
    """The request is invalid: orchd has no such verb, or an argument is wrong.
    ``exit`` is 2."""

    exit = 2


class ExpectationError(AssertionError):
    """The switch does not do what a test expects.  The text says what was
    expected and found, and what has changed since."""


def command_error(noun: str, verb: str, answer: Mapping[str, Any]
                  ) -> CommandError:
    """The error in an answer whose exit code is not 0."""
    error = answer.get("error") or {}
    members = {name: str(error.get(name, "")) for name in
               ("code", "field", "value", "allowed", "remedy")}
    reason = str(error.get("reason") or f"{noun} {verb} says no")
    kind = (UsageError if answer.get("exit") == 2 else
            AccessDenied if members["code"] == "denied" else CommandError)
    return kind(reason, data=answer.get("data"), **members)

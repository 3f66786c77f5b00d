# SPDX-License-Identifier: Apache-2.0
"""Names of objects and what to say about names that do not exist."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["KINDS", "ObjectName", "nearest", "parse_object"]

# Kinds of objects, and whether they have an index in a port.
KINDS = {"port": False, "pg": True, "queue": True, "pool": False,
         "flow": False, "peer": False}


@dataclass(frozen=True)
class ObjectName:
    """An object as in scenarios: "pg Ethernet0|3"."""

    kind: str
    name: str
    index: int = 0

    def __str__(self) -> str:
        return (f"{self.kind} {self.name}|{self.index}" if KINDS[self.kind]
                else f"{self.kind} {self.name}")

    def request(self) -> dict[str, str | int]:
        """What orchd expects."""
        return {"kind": self.kind, "name": self.name, "index": self.index}


def nearest(word: str, known: Iterable[str]) -> str:
    """A hint about a word that is not known: the nearest one, and all."""
    words = sorted(known)
    lower = {one.lower(): one for one in reversed(words)}
    near = difflib.get_close_matches(word.lower(), lower, 1, 0.5)
    hint = f": did you mean {lower[near[0]]}?" if near else ""
    return f"{hint}\n  there are: {', '.join(words) or 'none'}"


def parse_object(text: str) -> ObjectName:
    """Reads "port NAME", "pg PORT|INDEX", "queue PORT|INDEX", "pool NAME",
    "flow NAME" or "peer PORT"; ":" and "." are accepted for "|".  Raises
    ValueError."""
    kind, _, name = text.partition(" ")
    if kind not in KINDS or not name:
        raise ValueError(f"'{text}' is no object: it is 'port NAME', "
                         "'pg PORT|INDEX', 'queue PORT|INDEX', 'pool NAME', "
                         "'flow NAME' or 'peer PORT'")
    if not KINDS[kind]:
        return ObjectName(kind, name)
    match = re.fullmatch(r"(.+)[|:.](\d+)", name)
    if not match:
        raise ValueError(f"'{text}' has no index: it is '{kind} PORT|INDEX', "
                         f"such as '{kind} Ethernet0|3'")
    return ObjectName(kind, match[1], int(match[2]))

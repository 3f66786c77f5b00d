# SPDX-License-Identifier: Apache-2.0
"""The frames that have left a port, and how many of them look how."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

__all__ = ["COUNTED", "FrameLog", "Look", "Mark", "check_where"]


class Look(NamedTuple):
    """What a frame looks like; 'ecn' 3 is "congestion experienced"."""

    dscp: int
    queue: int
    ecn: int
    pcp: int
    vlan: int
    ip_id: int
    size: int


KEYS = (*Look._fields, "ce")
# What is known without a trace.
COUNTED = ("dscp", "queue", "ce")


def check_where(where: Mapping[str, int]) -> None:
    """Raises ValueError for a key that frames do not have."""
    for key in where:
        if key not in KEYS:
            raise ValueError(f"frames have no '{key}': they have "
                             f"{', '.join(KEYS)}")


def matches(look: Look, where: Mapping[str, int]) -> bool:
    """Whether a frame is one of those that 'where' selects."""
    return all((int(look.ecn == 3) if key == "ce" else getattr(look, key)) ==
               value for key, value in where.items())


class Mark(NamedTuple):
    """A moment in the log of a port."""

    frames: int
    looks: Mapping[Look, int]


class FrameLog:
    """All frames that have left a port; in their order if it is traced."""

    def __init__(self, traced: bool) -> None:
        self.traced = traced
        self.rows: list[tuple[Look, int]] = []
        self.looks: Counter[Look] = Counter()
        self.frames = 0

    def add(self, rows: Sequence[Sequence[Any]]) -> None:
        """Adds what "breakpoint received" has returned."""
        for row in rows:
            look, frames = Look(*row[:7]), int(row[7])
            self.looks[look] += frames
            self.frames += frames
            if self.traced:
                self.rows.append((look, frames))

    def mark(self) -> Mark:
        """This moment."""
        return Mark(self.frames, dict(self.looks))

    def count(self, where: Mapping[str, int], since: Mark | None,
              first: int | None = None, last: int | None = None) -> int:
        """The frames since 'since' that 'where' selects; among the 'first' or
        'last' so many, if the port is traced."""
        if first is None and last is None:
            before: Mapping[Look, int] = since.looks if since else {}
            return sum(n - before.get(look, 0)
                       for look, n in self.looks.items() if matches(look, where))
        begin = since.frames if since else 0
        end = self.frames
        if first is not None:
            end = min(end, begin + first)
        if last is not None:
            begin = max(begin, end - last)
        at = total = 0
        for look, n in self.rows:
            part = min(at + n, end) - max(at, begin)
            total += part if part > 0 and matches(look, where) else 0
            at += n
        return total

    def disorder(self, order: Sequence[Mapping[str, int]],
                 since: Mark | None) -> int:
        """How many frames left after one that a later item of 'order'
        selects."""
        begin = since.frames if since else 0
        at = reached = total = 0
        for look, n in self.rows:
            at += n
            item = next((i for i, where in enumerate(order)
                         if matches(look, where)), None)
            if at <= begin or item is None:
                continue
            if item < reached:
                total += at - max(at - n, begin)
            else:
                reached = item
        return total

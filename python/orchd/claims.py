# SPDX-License-Identifier: Apache-2.0
"""What a counter is expected to be."""

from __future__ import annotations

import re
from typing import TypeAlias

__all__ = ["Claim", "Expected"]

Claim: TypeAlias = "int | tuple[int, int] | range | str"

LEAST, MOST = -(1 << 63), (1 << 63) - 1
TRENDS = {"stable": (0, 0), "increasing": (1, MOST), "decreasing": (LEAST, -1)}
COMPARISON = re.compile(r"(==|<=|>=|<|>)\s*(-?\d+)")


class Expected:
    """The values that satisfy a claim: a number; the pair of the lowest and the
    highest one, or a range; a comparison as in scenarios, ">= 10", or several,
    "> 3 and < 9"; a trend, "stable", "increasing" or "decreasing", of which the
    value is the change since a snapshot."""

    def __init__(self, claim: Claim, margin: int = 0) -> None:
        self.trend = isinstance(claim, str) and claim in TRENDS
        self.low, self.high = LEAST, MOST
        if isinstance(claim, str):
            self.text = claim
            self._read(claim)
        elif isinstance(claim, int):
            self.text = f"== {int(claim)}"
            self.low = self.high = int(claim)
        elif isinstance(claim, range) and claim.step == 1 and claim:
            self.text = f"in [{claim[0]}, {claim[-1]}]"
            self.low, self.high = claim[0], claim[-1]
        elif isinstance(claim, tuple) and len(claim) == 2 and \
                claim[0] <= claim[1]:
            self.text = f"in [{claim[0]}, {claim[1]}]"
            self.low, self.high = claim
        else:
            raise ValueError(f"{claim!r} is no claim: it is a number, "
                             "(lowest, highest), '>= 10', or 'stable', "
                             "'increasing' or 'decreasing'")
        if margin:
            self.text += f" +- {margin}"
            self.low = self.low - margin if self.low > LEAST else LEAST
            self.high = self.high + margin if self.high < MOST else MOST

    def _read(self, text: str) -> None:
        if self.trend:
            self.low, self.high = TRENDS[text]
            return
        for part in text.split(" and "):
            match = COMPARISON.fullmatch(part.strip())
            if not match:
                raise ValueError(
                    f"'{text}' is no claim: a comparison is '== 3', '> 3', "
                    "'>= 3', '< 3' or '<= 3', several are '> 3 and < 9', and a "
                    f"trend is one of {', '.join(TRENDS)}")
            sign, value = match[1], int(match[2])
            if sign in ("==", ">=", ">"):
                self.low = max(self.low, value + (sign == ">"))
            if sign in ("==", "<=", "<"):
                self.high = min(self.high, value - (sign == "<"))

    def holds(self, value: int) -> bool:
        """Whether 'value' satisfies the claim."""
        return self.low <= value <= self.high

    def missed_by(self, value: int) -> str:
        """How far a value that does not satisfy the claim is away from it."""
        return (f"{self.low - value:,} too few" if value < self.low else
                f"{value - self.high:,} too many")

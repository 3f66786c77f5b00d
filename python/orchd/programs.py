# SPDX-License-Identifier: Apache-2.0
"""Finds orchd, its libraries and its data.

In this order: a build tree, given by the caller or by ORCHD_BUILD; the program
that ORCHD names; an installed orchd, in PATH or in the folders for daemons.
"""

from __future__ import annotations

import glob
import os
import re
import shutil
from dataclasses import dataclass

from .errors import StartError
from .names import nearest

__all__ = ["Programs", "find_programs"]

DAEMON_PATH = "/usr/local/sbin:/usr/sbin:/sbin"


@dataclass(frozen=True)
class Programs:
    """The paths that a switch needs; those that are None are the defaults of
    the installed orchd."""

    orchd: str
    sai: str | None
    yang: str | None
    chips: str

    def options(self) -> list[str]:
        """The options of orchd that follow."""
        options = ["--profile", f"SOFTASIC_MODEL_DIR={self.chips}"]
        options += ["--sai", self.sai] if self.sai else []
        return options + (["--yang-dir", self.yang] if self.yang else [])

    def models(self) -> list[str]:
        """The chips there are."""
        return sorted(os.path.basename(path)[:-len(".yaml")]
                      for path in glob.glob(os.path.join(self.chips, "*.yaml")))

    def model(self, chip: str) -> str:
        """The name of the file of 'chip', upper or lower case: "TD2" is "td2".
        Raises StartError."""
        models = self.models()
        for model in models:
            if model.lower() == chip.lower():
                return model
        raise StartError(f"there is no chip '{chip}'{nearest(chip, models)}",
                         code="no-chip", field="chip", value=chip)


def find_programs(build: str | os.PathLike[str] | None = None) -> Programs:
    """Finds the programs, in the build tree 'build' if it is given.  Raises
    StartError, which says where it has looked."""
    tree = build or os.environ.get("ORCHD_BUILD")
    if tree:
        return in_tree(os.path.abspath(tree))
    orchd = os.environ.get("ORCHD")
    if orchd and not os.access(orchd, os.X_OK):
        raise StartError(f"ORCHD={orchd} is no program that can be run",
                         code="no-orchd", remedy="correct or unset ORCHD")
    path = os.environ.get("PATH", "") + ":" + DAEMON_PATH
    orchd = orchd or shutil.which("orchd", path=path)
    if not orchd:
        raise StartError(
            f"orchd is not installed: it is not in {path}", code="no-orchd",
            remedy="install the package orchd, or name a program with ORCHD, "
                   "or a build tree with ORCHD_BUILD")
    prefix = os.path.dirname(os.path.dirname(os.path.realpath(orchd)))
    for top in (prefix, "/usr/local", "/usr"):
        chips = os.path.join(top, "share", "orchd", "chips")
        if os.path.isdir(chips):
            return Programs(orchd, None, None, chips)
    raise StartError(f"the descriptions of chips are not in {prefix}/share/"
                     "orchd/chips", code="no-chips",
                     remedy="install the package softasic")


def in_tree(build: str) -> Programs:
    """What a build tree has."""
    orchd = os.path.join(build, "orchd", "orchd")
    try:
        with open(os.path.join(build, "Makefile"), encoding="utf-8") as file:
            match = re.search(r"^abs_top_srcdir = (.*)$", file.read(), re.M)
    except OSError:
        match = None
    if not match or not os.access(orchd, os.X_OK):
        raise StartError(f"{build} is no build tree of orchd, or nothing is "
                         "built there", code="no-build",
                         remedy="configure and make there, or correct "
                                "ORCHD_BUILD")
    source = match[1]
    return Programs(orchd, os.path.join(build, ".libs", "libsai-softasic.so"),
                    os.path.join(source, "schemas"),
                    os.path.join(source, "chips"))

# SPDX-License-Identifier: Apache-2.0
"""The same tests with output=orchagent, beside the stand-in for orchagent and
syncd (tests/support/orchagent_double.py): whatever needs no SAI call of orchd
must not depend on who makes them.

BESIDE=all runs all files that start an orchd, else a part of them.  What needs
such calls says so: a test by harness.needs_sai, a file by not_beside().
"""

import glob
import importlib
import os
import re
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))

os.environ["ORCHD_TEST_OUTPUT"] = "orchagent"
sys.path.insert(0, HERE)

from harness import System  # noqa: E402 pylint: disable=wrong-import-position

# Tests of other files once more.
OTHERS = ["test_beside", "test_remote"]
PART = ["test_cli.Load", "test_rollback.Rollback", "test_writeback",
        "test_configs.Configurations.test_example"]


def is_tried(name):
    """Whether a file starts an orchd by the harness, and does not say that it
    has no part in this: some of these cannot even be imported everywhere."""
    with open(os.path.join(HERE, name + ".py"), encoding="utf-8") as file:
        text = file.read()
    return ("not_beside(" not in text and
            re.search(r"^(from|import) (harness|test_)", text, re.M) and
            any(isinstance(value, type) and issubclass(value, System)
                for value in vars(importlib.import_module(name)).values()))


def all_files():
    """So a new file is tried here unless it says otherwise."""
    names = [os.path.basename(path).removesuffix(".py")
             for path in sorted(glob.glob(os.path.join(HERE, "test_*.py")))]
    return [name for name in names if name not in OTHERS and is_tried(name)]


def load_tests(loader, _tests, _pattern):
    """Called by unittest."""
    return unittest.TestSuite(map(
        loader.loadTestsFromName,
        all_files() if os.environ.get("BESIDE") == "all" else PART))


if __name__ == "__main__":
    unittest.main(verbosity=2)

# SPDX-License-Identifier: Apache-2.0
"""The same tests with output=orchagent, beside the stand-in for orchagent and
syncd (tests/support/orchagent_double.py): whatever needs no SAI call of orchd
must not depend on who makes them.

BESIDE=all runs all of these tests, else a part of them.
"""

import os
import sys
import unittest

os.environ["ORCHD_TEST_OUTPUT"] = "orchagent"
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

# Each skips what needs such calls (harness.needs_sai).
ALL = ["test_cli", "test_configs", "test_db", "test_dynamic", "test_headroom",
       "test_lint", "test_metrics", "test_owner", "test_page_server",
       "test_plan", "test_roles", "test_rollback", "test_settings",
       "test_slices", "test_sonic_env", "test_techsupport", "test_tools",
       "test_version", "test_writeback"]
PART = ["test_cli.Load", "test_rollback.Rollback", "test_writeback",
        "test_configs.Configurations.test_example"]


def load_tests(loader, _tests, _pattern):
    """Called by unittest."""
    return unittest.TestSuite(map(
        loader.loadTestsFromName,
        ALL if os.environ.get("BESIDE") == "all" else PART))


if __name__ == "__main__":
    unittest.main(verbosity=2)

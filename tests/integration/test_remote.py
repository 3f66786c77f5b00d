# SPDX-License-Identifier: Apache-2.0
"""The same tests with the switch in a process of its own: whatever orchd and
orchctl do must not depend on where it lives."""

import os
import sys
import unittest

os.environ["ORCHD_TEST_REMOTE"] = "yes"
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
# All tests of these modules become tests of this one.
# pylint: disable=wildcard-import,unused-wildcard-import,wrong-import-position
from test_cli import *  # noqa: E402,F401,F403
from test_db import *  # noqa: E402,F401,F403
from test_qos import *  # noqa: E402,F401,F403

if __name__ == "__main__":
    unittest.main(verbosity=2)

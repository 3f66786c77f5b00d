# SPDX-License-Identifier: Apache-2.0
"""An upgrade in service: another orchd takes the switch over while frames wait
in it.  It makes no SAI call that changes something, and no frame is lost.

ORCHD_TEST_OLD and ORCHD_TEST_OLD_SOURCE name the build and the source of an
older version (scripts/upgrade_check.sh builds one); without them it is this
one.
"""

import os
import re
import sys
import unittest

os.environ["ORCHD_TEST_REMOTE"] = "yes"
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
# pylint: disable=wrong-import-position
import harness  # noqa: E402
from harness import (BUILD, SOURCE, System, as_commands,  # noqa: E402
                     asic_objects, rows_of, wait_until)

setUpModule = harness.not_beside("frames wait in the switch")

OLD = os.environ.get("ORCHD_TEST_OLD", BUILD)
OLD_SOURCE = os.environ.get("ORCHD_TEST_OLD_SOURCE", SOURCE)
EXAMPLE = os.path.join(SOURCE, "examples", "leaf-32x100g.config_db.json")
# The switch is of the older version, and stays.
harness.HOST = os.path.join(OLD, "saihostd", "saihostd")
harness.LIBSAI = os.path.join(OLD, ".libs", "libsai-softasic.so")
ADOPTED = re.compile(r"switch-adopted .* adopted (\d+) objects and (\d+) values "
                     r"as they were; created (\d+), set (\d+) and removed "
                     r"(\d+)")
N_FRAMES = 50


class Upgrade(System):
    MODEL = None
    HWSKU = "Celestica-DX010-C32"

    def setUp(self):
        super().setUp()
        self.old = False

    def command(self, *options, **places):
        """The command line of the version that is to start; what the older one
        reads beside its program is of its version, too."""
        options += ("--state-dir", os.path.join(self.directory, "state"))
        words = super().command(*options, **places)
        if self.old:
            words = [word.replace(BUILD, OLD, 1) if word.startswith(BUILD)
                     else word for word in words]
            place = words.index("--yang-dir") + 1
            words[place] = os.path.join(OLD_SOURCE, "schemas")
        return words

    def settle(self):
        def settled():
            try:
                return self.control("config", "sync", all=True)["exit"] == 0
            except (OSError, ConnectionError):
                return False
        wait_until(settled, "all rows are applied")

    def counters(self):
        answer = self.control("asic", "snapshot")
        self.assertEqual(answer["exit"], 0, answer)
        return answer["data"]

    def generations(self):
        answer = self.control("config", "history")
        self.assertEqual(answer["exit"], 0, answer)
        return answer["data"]["generations"]

    def assert_untouched(self):
        """The orchd that runs has changed nothing on the switch: no call of
        its reached the library that creates, sets or removes."""
        adopted = wait_until(lambda: ADOPTED.search(self.log_text()),
                             "the switch is adopted")
        self.settle()
        self.assertEqual([int(n) for n in adopted.groups()[2:]], [0, 0, 0])

    def upgrade(self, old_first):
        client = self.start_redis()
        client.pipeline(as_commands(rows_of(EXAMPLE)))
        self.old = old_first
        self.start_orchd()
        self.settle()
        self.control("asic", "block", ports=["Ethernet4"])
        sent = self.control("asic", "send", **{
            "from": "Ethernet0", "to": "Ethernet4", "dscp": 3,
            "count": N_FRAMES, "size": 300})
        self.assertEqual(sent["exit"], 0, sent)
        before, counters = asic_objects(client), self.counters()
        generations = self.generations()
        self.assertTrue(generations)
        self.stop_orchd()
        self.old = not old_first
        self.start_orchd_only()
        self.assert_untouched()
        self.assertEqual(asic_objects(client), before)
        self.assertEqual(self.counters(), counters)
        self.assertEqual(self.generations()[:len(generations)], generations)
        # The frames that have waited all the time leave the switch now.
        self.control("asic", "unblock", ports=["Ethernet4"])
        self.control("asic", "settle")
        received = self.control("asic", "received", port="Ethernet4")
        self.assertEqual(received["exit"], 0, received)
        self.assertEqual(sum(row["frames"] for row in received["data"]),
                         N_FRAMES)

    def test_an_older_orchd_is_replaced_by_this_one(self):
        self.upgrade(old_first=True)


if __name__ == "__main__":
    unittest.main()

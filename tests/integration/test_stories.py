# SPDX-License-Identifier: Apache-2.0
"""scripts/check_stories.py: what it counts as the story of an outage, and what
it says about a page whose story is too short or too long; and which expectations
of scenarios it finds without a name."""
import os
import sys
import unittest

from harness import SOURCE

sys.path.insert(0, os.path.join(SOURCE, "scripts"))
import check_stories  # noqa: E402

STORY = """# An outage

The first. In *A Paper* (NSDI 2023, section 8.1) the second. 3 is a number, e.g. of
hosts: the third! `name` begins the fourth. Is this the fifth? *Emphasis* begins
the sixth.

[A link](page.md) begins the seventh. It is 1.5 times the eighth. The
ninth (Addanki et al., 2022) follows. The tenth ends it.

"""


class Stories(unittest.TestCase):
    def test_ten_sentences_are_a_story(self):
        for rest in ("    orchlab run file.yaml\n\nMore text. And more.\n",
                     "| a table | b |\n|---|---|\n\nMore text.\n",
                     "- a list. With sentences.\n", "## A section\n\nText.\n",
                     ""):
            self.assertEqual(len(check_stories.sentences(STORY + rest)), 10, rest)
            self.assertIsNone(check_stories.problem(STORY + rest), rest)

    def test_others_are_named_with_their_number(self):
        for text, message in (
                (STORY.replace(" The tenth ends it.", ""),
                 'has 9 sentences, not 10; the last begins "The ninth'),
                (STORY + "One more.\n\n    command\n",
                 'has 11 sentences, not 10; the last begins "One more.'),
                ("# An outage\n\n    orchlab run file.yaml\n\nText.\n",
                 "has 0 sentences, not 10"),
                ("", "has 0 sentences, not 10")):
            self.assertIn(message, check_stories.problem(text))

    def test_expectations_without_a_name_are_found(self):
        self.assertEqual(check_stories.unnamed("\n".join((
            "name: some",
            "faults:",
            "  - {loss: 1, link: a.b}",
            "expect:",
            "  - {name: nothing is lost, metric: sum(drop.packets), is: 0}",
            "  # A comment.",
            "  - {metric: sum(pause.count), is: 0}",
            "  - {name: 'it grows: always', metric: max(queue.peak),",
            "     across: variant, order: [",
            "       - small",
            "     ]}",
            "  - metric: sum(flow.failed)",
            "    is: 0",
            "  - name: all transfers end",
            "    metric: sum(flow.failed)",
            "  - {name: , metric: sum(flow.failed), is: 0}",
            "sweep:",
            "  - {of: something else}"))), [7, 12, 16])

    def test_all_pages_and_scenarios_are_complete(self):
        self.assertEqual(check_stories.check(), [])


if __name__ == "__main__":
    unittest.main()

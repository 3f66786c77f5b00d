#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""orchlab deadlock: sentences, rows, and exit codes."""
import json
import os
import subprocess
import unittest

BUILD = os.environ.get('top_builddir', '.')
SOURCE = os.environ.get('top_srcdir', '.')


def run(*words):
    return subprocess.run(
        [f'{BUILD}/orchlab/orchlab', *words, '--chips', f'{SOURCE}/chips',
         '--configs', f'{SOURCE}/lab/configs', '--yang-dir',
         f'{SOURCE}/schemas'], capture_output=True, text=True)


class Deadlock(unittest.TestCase):
    def test_floods(self):
        """The cycle that runs of the same scenario end in."""
        file = f'{SOURCE}/lab/scenarios/c6/deadlock.yaml'
        answer = run('--json', 'deadlock', file, '--only', 'flood')
        self.assertEqual(answer.returncode, 1, answer.stderr)
        start, silent = json.loads(answer.stdout)
        self.assertEqual(start['condition'], 'at the start')
        self.assertEqual(start['cycle'], [])
        # A direction of each of 4 links, in two priorities.
        self.assertEqual(start['channels'], 16)
        self.assertEqual(
            [(row['node'], row['peer'], row['destination'])
             for row in silent['cycle']],
            [('t1-0', 't0-0', 'h-0-0'), ('t0-0', 't1-1', 'h-1-0'),
             ('t1-1', 't0-1', 'h-1-0'), ('t0-1', 't1-0', 'h-0-0')])

    def test_remedies(self):
        file = f'{SOURCE}/lab/scenarios/c6/deadlock.yaml'
        for variant in ('drop-lossless', 'equal-timers', 'hosts-only'):
            answer = run('deadlock', file, '--only', variant)
            self.assertEqual(answer.returncode, 0, answer.stdout)
            self.assertIn(f'{variant}: at the start, no queues can wait for '
                          'each other in a cycle (16 channels', answer.stdout)
            self.assertEqual(answer.stdout.count('\n'), 2)

    def test_failed_links(self):
        answer = run('deadlock', f'{SOURCE}/lab/scenarios/c6/bounce.yaml')
        self.assertEqual(answer.returncode, 1, answer.stderr)
        self.assertIn('shortest: when the links that fail between switches are '
                      'down, 4 queues can wait for each other in a cycle, '
                      'each for the one below it:', answer.stdout)
        self.assertIn('t0-2', answer.stdout)
        self.assertIn('valley-free: when the links that fail between switches '
                      'are down, no queues can wait', answer.stdout)

    def test_wrong_file(self):
        answer = run('deadlock', 'no-such-file.yaml')
        self.assertEqual(answer.returncode, 3)
        self.assertIn('no-such-file.yaml', answer.stderr)
        answer = run('deadlock', f'{SOURCE}/lab/scenarios/c6/bounce.yaml',
                     '--set', 'routing=longest')
        self.assertEqual(answer.returncode, 2)
        self.assertIn('valley_free', answer.stderr)


if __name__ == '__main__':
    unittest.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""orchlab deadlock: sentences, rows, and exit codes."""
import json
import os
import subprocess
import tempfile
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
        self.assertIn('shortest: when t0-0.t1-1, t0-1.t1-0 are down, 4 queues '
                      'can wait for each other in a cycle, each for the one '
                      'below it:', answer.stdout)
        self.assertIn('t0-2', answer.stdout)
        self.assertIn('valley-free: when t0-0.t1-1, t0-1.t1-0 are down, no '
                      'queues can wait', answer.stdout)

    def test_links_that_fail_one_after_the_other(self):
        """Each state of the links is examined; one link alone is harmless, and
        two that do not overlap are."""
        file = f'{SOURCE}/lab/scenarios/c6/bounce.yaml'
        faults = ('faults=[{down: true, link: t0-0.t1-1, at: 1ms, for: 2ms}, '
                  '{down: true, link: t0-1.t1-0, at: %s}]')
        answer = run('--json', 'deadlock', file, '--only', 'shortest', '--set',
                     faults % '2ms')
        self.assertEqual(answer.returncode, 1, answer.stderr)
        self.assertEqual(
            [(one['condition'], len(one['cycle']))
             for one in json.loads(answer.stdout)],
            [('at the start', 0), ('when t0-0.t1-1 is down', 0),
             ('when t0-0.t1-1, t0-1.t1-0 are down', 4),
             ('when t0-1.t1-0 is down', 0)])
        answer = run('deadlock', file, '--only', 'shortest', '--set',
                     faults % '3ms')
        self.assertEqual(answer.returncode, 0, answer.stdout)

    def test_nothing_is_lossless(self):
        """The rollout of this scenario enables PFC."""
        file = f'{SOURCE}/lab/scenarios/c10/onboarding.yaml'
        answer = run('deadlock', file, '--only', 'none')
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertEqual(answer.stdout, (
            'none: at the start, no queues can wait for each other in a cycle: '
            'no class is lossless between switches.\n'
            '  The rollout may change that, and is not examined: put what it '
            'sets into fabric.switch with --set.\n'))
        rows = "fabric.switch.%s={config: %s}"
        sets = [word for tier, config in (('t0', 't0-32x40g'),
                                          ('t1', 't1-64x40g'),
                                          ('t2', 't1-64x40g'))
                for word in ('--set', rows % (tier, config))]
        answer = run('deadlock', file, '--only', 'none', *sets)
        self.assertRegex(answer.stdout, r'in a cycle \([1-9]\d* channels')

    def test_runs_of_a_sweep_have_names(self):
        with tempfile.NamedTemporaryFile('w', suffix='.yaml') as file:
            file.write('name: swept\n'
                       'seed: 1..2\n'
                       'fabric: {clos: {t0: 2, t1: 1, hosts: 1}}\n'
                       'stop: 1ms\n'
                       'sweep: {fabric.clos.t1: [1, 2]}\n')
            file.flush()
            answer = run('--json', 'deadlock', file.name)
        self.assertEqual(
            [one['run'] for one in json.loads(answer.stdout)],
            ['fabric.clos.t1=1', 'fabric.clos.t1=2'], answer.stderr)

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

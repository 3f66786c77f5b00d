#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""orchlab whatif fail: what failures do to hosts."""
import json
import os
import shutil
import subprocess
import tempfile
import unittest

BUILD = os.environ.get('top_builddir', '.')
SOURCE = os.environ.get('top_srcdir', '.')

# Two hosts at each of two T0, which two T1 connect: pairs of one T0 and the
# other, so that no packet stays at its T0.
SCENARIO = """
name: pairs
fabric:
  clos: {t0: 2, t1: 2, hosts: 2, rate: 40G}
  convergence: 1ms
  switch:
    t0: {config: t0-32x40g}
    t1: {config: t1-64x40g}
hosts: {default: {rc: {timeout: 4}}}
traffic:
  - {name: load,
     rc: {pattern: pairs, from: 'h-0-*', to: 'h-1-*', both_ways: true,
          size: 64KB, repeat: inf, qps: 8}}
stop: 8ms
faults: [{down: true, link: t0-0.t1-0, at: 1ms}]
"""


class Whatif(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix='lab-whatif')
        self.addCleanup(shutil.rmtree, self.folder)
        self.file = os.path.join(self.folder, 'pairs.yaml')
        with open(self.file, 'w', encoding='utf-8') as file:
            file.write(SCENARIO)

    def run_lab(self, *words):
        return subprocess.run(
            [f'{BUILD}/orchlab/orchlab', '--results', self.folder, *words,
             '--chips', f'{SOURCE}/chips', '--configs', f'{SOURCE}/lab/configs',
             '--yang-dir', f'{SOURCE}/schemas'], capture_output=True, text=True)

    def ask(self, *words):
        answer = self.run_lab('--json', 'whatif', 'fail', self.file, '--quiet',
                              *words)
        self.assertIn(answer.returncode, (0, 1), answer.stderr)
        data = json.loads(answer.stdout)
        self.assertEqual(answer.returncode,
                         int(data['failures'][0]['hosts_affected'] > 0))
        return data

    def test_switches(self):
        data = self.ask('--each', 'switch')
        by_name = {one['fails']: one for one in data['failures']}
        self.assertEqual(set(by_name), {'t0-0', 't0-1', 't1-0', 't1-1'})
        self.assertEqual((data['hosts'], data['at_ps']), (4, 2 * 10**9))
        # Nothing passes a T0 that is down, whichever it is: until the end.
        for name in ('t0-0', 't0-1'):
            self.assertEqual(by_name[name]['hosts_affected'], 4)
            self.assertGreaterEqual(by_name[name]['affected_ps'], 5.5e9)
        # Sorted by what they do.
        affected = [one['hosts_affected'] for one in data['failures']]
        self.assertEqual(affected, sorted(affected, reverse=True))
        # Without a failure all is well, in spite of the fault in the file.
        self.assertEqual(data['without_failure']['hosts_affected'], 0)
        self.assertEqual(data['without_failure']['drops'], 0)
        for one in data['failures']:
            self.assertLess(one['bytes'], data['without_failure']['bytes'])

    def test_routes_follow(self):
        """The sooner they do, the more arrives."""
        words = ('--link', 't0-0.t1-0', '--every', '50us')
        [slow] = self.ask(*words)['failures']
        [fast] = self.ask(*words, '--set', 'convergence=100us')['failures']
        [short] = self.ask(*words, '--for', '200us')['failures']
        self.assertGreater(slow['bytes'], 0)
        self.assertGreater(fast['bytes'], slow['bytes'])
        self.assertGreater(short['bytes'], slow['bytes'])
        self.assertLessEqual(fast['affected_ps'], slow['affected_ps'])

    def test_text(self):
        answer = self.run_lab('whatif', 'fail', self.file, '--switch', 't0-0',
                              '--quiet')
        self.assertEqual(answer.returncode, 1, answer.stderr)
        self.assertIn('1 of 1 failures at 2 ms affects hosts; the worst is that '
                      'of t0-0: up to 4 of 4 hosts, for ', answer.stdout)
        self.assertIn('Routes follow 1 ms after a failure', answer.stdout)
        self.assertRegex(answer.stdout, r'\(nothing\) +0 +- +0 +100.0 %')

    def test_mistakes(self):
        for code, text, words in (
                (2, 'no question', ('fial', self.file)),
                (2, '--each is link or switch', ('fail', self.file, '--each',
                                                 'host')),
                (2, "no link 'h-0-0.t0-0'", ('fail', self.file, '--link',
                                             'h-0-0.t0-0')),
                (2, "did you mean 't0-1'", ('fail', self.file, '--switch',
                                            't0-11')),
                (2, 'not within', ('fail', self.file, '--at', '8ms')),
                (2, 'has no unit', ('fail', self.file, '--at', '3')),
                (2, 'about one run', ('fail', self.file, '--seed', '1..2')),
                (3, 'no-such.yaml', ('fail', 'no-such.yaml'))):
            with self.subTest(words):
                answer = self.run_lab('whatif', *words)
                self.assertEqual(answer.returncode, code, answer.stderr)
                self.assertIn(text, answer.stderr)


if __name__ == '__main__':
    unittest.main()

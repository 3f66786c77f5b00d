#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The rows of lab/scenarios, run and judged by what papers and theory expect.

"make check" runs the first seed of those that are short.  With LAB_FULL=1
("make lab-full"), all seeds of all files are run, which takes an hour."""
import glob
import json
import os
import shutil
import subprocess
import tempfile
import unittest

BUILD = os.environ.get('top_builddir', '.')
SOURCE = os.environ.get('top_srcdir', '.')
FULL = bool(os.environ.get('LAB_FULL'))

# Too long for "make check".
LONG = {'a39/watchdog', 'a9/rtt-fairness', 'a11/pfc-storm', 'a27/dcqcn-queue',
        'a28/sparse-marking', 'b5/clos60'}

# Runs of "make check" where the first seed of all of them would be too long.
ONLY = {
    'a10/watchdog': ['orchd', 'card-long'],
    'a29/faults': ['none', 'all'],
    'a30/restart': ['warm', 'fast'],
    'a37/macsec': ['clear-protected', 'protected-both'],
    'a11/pfc-storm-small': ['none', 'switch', 'adapter-and-switch'],
    'a22/headroom-pool': ['ratio-4'],
    'b1/drift': ['small'],
    'b5/clos60-small': ['paper', 'shared-entropy'],
    'c5/go-back-0': ['livelock', 'packets-32'],
    'c5/livelock': ['write-go-back-0', 'read-go-back-0', 'write-go-back-n',
                    'write-selective'],
    'b7/polarization': ['same', 'per-switch-offset', 'addresses-only'],
    'c10/onboarding': ['none', 'corrupt'],
    'c6/bounce': ['shortest'],
    'c6/deadlock': ['flood'],
    'a39/loopback': ['off', '25-percent'],
    'a41/gpu-host': ['one-switch', 'two-switches'],
    'c8/mtt': ['0', '2', '9'],
    'd2/spread': ['0', '1'],
    'c9/victim': ['pfc', 'dcqcn'],
}


def has_runner():
    run = subprocess.run([f'{BUILD}/orchlab/orchlab', 'run'],
                         capture_output=True, text=True)
    return 'unknown verb' not in run.stderr


@unittest.skipUnless(has_runner(), 'orchlab has no verb "run"')
class Rows(unittest.TestCase):
    def orchlab(self, file, *words):
        return subprocess.run(
            [f'{BUILD}/orchlab/orchlab', '--results', self.folder, '--json',
             'run', file, '--quiet', '--chips', f'{SOURCE}/chips',
             '--configs', f'{SOURCE}/lab/configs', '--yang-dir',
             f'{SOURCE}/schemas', *words], capture_output=True, text=True)

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix='lab-rows')

    def tearDown(self):
        shutil.rmtree(self.folder)

    def check(self, row):
        if FULL:
            choices = [[]]
        else:
            choices = [['--seed', '1', *words] for words in
                       [['--only', variant] for variant in ONLY.get(row, [])]
                       or [[]]]
        for words in choices:
            self.check_runs(row, *words)

    def check_runs(self, row, *words):
        run = self.orchlab(f'{SOURCE}/lab/scenarios/{row}.yaml', *words)
        self.assertIn(run.returncode, (0, 1), run.stderr)
        answer = json.loads(run.stdout)
        failed = [f'{one["label"]}: {verdict["text"]}: {verdict["reason"]}'
                  for one in answer['runs'] for verdict in one['verdicts']
                  if not verdict['passed'] and not verdict['report']]
        failed += [f'{verdict["runs"]}: {verdict["text"]}: {verdict["reason"]}'
                   for verdict in answer['across']
                   if not verdict['passed'] and not verdict['report']]
        self.assertEqual(failed, [])
        self.assertEqual(run.returncode, 0)
        judged = sum(len(one['verdicts']) for one in answer['runs'])
        self.assertGreater(judged, 0)


def make_test(row):
    def test(self):
        self.check(row)
    test.__doc__ = row
    return test


for path in sorted(glob.glob(f'{SOURCE}/lab/scenarios/*/*.yaml')):
    name = '/'.join(path.split('/')[-2:])[:-len('.yaml')]
    if FULL or name not in LONG:
        setattr(Rows, 'test_' + name.replace('/', '_').replace('-', '_'),
                make_test(name))


if __name__ == '__main__':
    unittest.main()

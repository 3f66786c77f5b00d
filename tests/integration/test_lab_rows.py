#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The rows of lab/scenarios, run and judged by what papers and theory expect.

"make check" runs the first seed of some that are short (LAB_SIZE=quick),
check-full the first seed of nearly all (ci), and "make lab-full" all seeds of all
files (full), which takes an hour.  Runs of full that are complete are kept for
the next time, until the program changes.  Of what ci and full have run, the page of
"orchlab papers" is made and judged at the end."""
import atexit
import glob
import hashlib
import json
import os
import re
import shutil
import statistics
import subprocess
import tempfile
import unittest

BUILD = os.environ.get('top_builddir', '.')
SOURCE = os.environ.get('top_srcdir', '.')
SIZE = os.environ.get('LAB_SIZE', 'quick')
FULL = SIZE == 'full'

# Those of "make check": what each outage and each theory needs, in 20 seconds.
QUICK = {'a1/share', 'a2/rtt', 'a3/deep-buffers', 'a7/go-back-n',
         'a8/host-costs', 'a10/watchdog', 'a21/headroom',
         'a25/too-many-cnps', 'a44/as-data',
         'a45/last-steps', 'a22/headroom-pool',
         'a28/first-mark', 'a29/faults', 'a30/restart', 'a31/repair',
         'a37/macsec', 'b1/drift', 'b3/pingmesh', 'c1/trust', 'c3/cells',
         'c4/verbs', 'c5/livelock', 'c6/bounce', 'c8/mtt', 'c10/onboarding',
         'd1/timeouts', 'd6/flight', 'd8/tags', 'd11/ecmp', 'a13/modes',
         'a18/sides', 'cbfc/lossless', 'cbfc/pool', 'llr/go-back-n',
         'trim/incast'}

# Too long for a first seed.
LONG = {'a39/watchdog', 'a9/rtt-fairness', 'a11/pfc-storm', 'a27/dcqcn-queue',
        'a28/sparse-marking', 'b5/clos60', 'llr/sweep'}

# The runs of a file where all of a first seed would be too long.
ONLY = {
    'a3/deep-buffers': ['shallow', 'deep'],
    'a8/host-costs': ['0', '2'],
    'a10/watchdog': ['orchd', 'card-long'],
    'a29/faults': ['none', 'all'],
    'a30/restart': ['warm', 'fast'],
    'a31/repair': ['closed', 'forced'],
    'a37/macsec': ['clear-protected', 'protected-both'],
    'a11/pfc-storm-small': ['none', 'switch', 'adapter-and-switch'],
    'a22/headroom-pool': ['ratio-4'],
    'a24/context-misses': ['packets', 'bursts'],
    'a25/too-many-cnps': ['mixed', 'fixed', 'onset'],
    'a26/interoperation': ['few-none', 'few-limiter-window-bursts',
                           'many-none', 'many-limiter-window-bursts'],
    'a36/fence': ['fixed', 'fixed-deep'],
    'b1/drift': ['small'],
    'b4/service': ['short'],
    'b6/two-tier': ['short'],
    'b5/clos60-small': ['paper', 'shared-entropy'],
    'c5/go-back-0': ['livelock', 'packets-32'],
    'c5/livelock': ['write-go-back-0', 'read-go-back-0', 'write-go-back-n',
                    'read-go-back-n', 'write-selective'],
    'b7/polarization': ['same', 'per-switch-offset', 'addresses-only'],
    'c10/onboarding': ['none', 'corrupt'],
    'c6/bounce': ['shortest'],
    'c6/deadlock': ['flood'],
    'a39/loopback': ['off', '25-percent'],
    'a41/gpu-host': ['one-switch', 'two-switches'],
    'c7/pause-storm': ['none', 'adapter', 'switch-repaired'],
    'c8/mtt': ['0', '2', '9'],
    'd1/timeouts': ['20ms', '250ms'],
    'd2/spread': ['0', '1'],
    'd12/bulk': ['16-ranks', '64-ranks', 'quiet'],
    'd9/incast': ['2MB', 'small-buffer', 'dctcp'],
    'd10/lasting': ['srd', 'tcp'],
    'c9/victim': ['pfc', 'dcqcn'],
    'cbfc/lossless': ['300m-pfc', '300m-pfc-less', '300m-credits',
                      '300m-credits-less', '20m-rate', '20m-rate-less'],
    'llr/go-back-n': ['20m-1e-6', '500m-1e-7', 'small-window', 'page-1e-7',
                      'flush', 'no-retry'],
}

# Those of which check-full has all runs: what has to be so with each remedy.
WHOLE = {'a10/watchdog', 'a11/pfc-storm-small', 'a29/faults', 'a30/restart',
         'c5/livelock', 'c6/bounce', 'c6/deadlock', 'c10/onboarding'}


def kept_results():
    """The folder for the results of this very program."""
    with open(f'{BUILD}/orchlab/orchlab', 'rb') as file:
        name = hashlib.sha256(file.read()).hexdigest()[:16]
    for other in glob.glob(f'{BUILD}/lab-full/*'):
        if os.path.basename(other) != name:
            shutil.rmtree(other)
    folder = f'{BUILD}/lab-full/{name}'
    os.makedirs(folder, exist_ok=True)
    return folder


def temporary_results():
    """A folder for the results of all tests of this process."""
    folder = tempfile.mkdtemp(prefix='lab-rows')
    atexit.register(shutil.rmtree, folder)
    return folder


RESULTS = kept_results() if FULL else temporary_results()
PLACES = ['--chips', f'{SOURCE}/chips', '--configs', f'{SOURCE}/lab/configs',
          '--yang-dir', f'{SOURCE}/schemas']


def has_runner():
    run = subprocess.run([f'{BUILD}/orchlab/orchlab', 'run'],
                         capture_output=True, text=True)
    return 'unknown verb' not in run.stderr


@unittest.skipUnless(has_runner(), 'orchlab has no verb "run"')
class Rows(unittest.TestCase):
    def orchlab(self, file, *words):
        return subprocess.run(
            [f'{BUILD}/orchlab/orchlab', '--results', self.folder, '--json',
             'run', file, '--quiet', *PLACES, *words],
            capture_output=True, text=True)

    def setUp(self):
        self.folder = RESULTS

    def check(self, row):
        if FULL:
            choices = [[]]
        elif SIZE == 'ci' and row in WHOLE:
            choices = [['--seed', '1']]
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


    def test_latency_behind_the_fence_correlates_with_the_round_trip(self):
        """Section 8.3: T5 - T1 has a strong correlation with the round-trip
        time, and one SEND is outstanding: 16 requests take 16 round trips."""
        self.folder = tempfile.mkdtemp(prefix='lab-rows')
        self.addCleanup(shutil.rmtree, self.folder)
        for variant in ('one', 'fence'):
            self.check_runs('a36/fence', '--seed', '1', '--only', variant)
        data = f'{self.folder}/data'
        subprocess.run(
            [f'{BUILD}/orchlab/orchlab', '--results', self.folder, 'plot',
             'a36-fence', 'a36_latency', '--figures', f'{SOURCE}/lab/figs',
             '--data', data], check=True)
        with open(f'{data}/latency.dat', encoding='utf-8') as text:
            blocks = text.read().split('\n\n\n')
        slopes = {}
        for block in blocks:
            name, *points = block.strip().split('\n')
            self.assertEqual(len(points), 8)
            times = [tuple(map(float, point.split())) for point in points]
            self.assertGreater(statistics.correlation(*zip(*times)), 0.99)
            slopes[name] = statistics.linear_regression(*zip(*times)).slope
        self.assertAlmostEqual(slopes['"one"'], 1, delta=0.02)
        # The first ones of a run wait for fewer.
        self.assertGreater(slopes['"fence"'], 15)
        self.assertLess(slopes['"fence"'], 16)


@unittest.skipUnless(has_runner(), 'orchlab has no verb "run"')
@unittest.skipIf(SIZE == 'quick', 'few scenarios are run')
class Board(unittest.TestCase):
    """The page of all published experiments, with what Rows has run."""
    LIMIT = 5000000
    PICTURE = 100 * 1024  # The largest that is put on the page.

    @unittest.skipUnless(shutil.which('gnuplot'), 'gnuplot is not installed')
    def test_the_page_has_all_rows_and_stays_below_5_MB(self):
        path = f'{RESULTS}/papers.html'
        words = [f'{BUILD}/orchlab/orchlab', '--results', RESULTS, '--json',
                 'papers', '--scenarios', f'{SOURCE}/lab/scenarios', '--nics',
                 f'{SOURCE}/nics', '--figures', f'{SOURCE}/lab/figs', '--html',
                 path]
        subprocess.run(words, check=True, capture_output=True)
        with open(path, encoding='utf-8') as file:
            page = file.read()
        del words[-2:]
        words.remove('--figures')
        words.remove(f'{SOURCE}/lab/figs')
        rows = json.loads(subprocess.run(words, check=True, text=True,
                                         capture_output=True).stdout)
        sections = dict(re.findall(
            r'(?s)<section id="(\w+)">(.*?)</section>', page))
        self.assertEqual(list(sections), [row['row'] for row in rows])
        pictures = self.pictures()
        missing = 0
        for row in rows:
            parts = sections[row['row']].split('<h3>')[1:]
            self.assertEqual(len(parts), len(row['scenarios']))
            if not parts:
                self.assertIn('<p>not built</p>', sections[row['row']])
            for part, scenario in zip(parts, row['scenarios']):
                with self.subTest(scenario['name']):
                    verdict = scenario['verdict']
                    self.assertIn(f' complete: {verdict}.</p>', part)
                    self.assertEqual(part.count('<p>Assumptions:'), 1)
                    for one in scenario['expectations']:
                        self.assertTrue(one['text'])
                    self.assertNotIn('too large', part)
                    file = '/'.join(scenario['file'].split('/')[-2:])
                    if not FULL and file.removesuffix('.yaml') in LONG:
                        self.assertEqual(verdict, 'not-run')
                        missing += pictures.get(scenario['name'], 1)
                        continue
                    self.assertIn(verdict, ('pass', 'deviates', 'partial'))
                    self.assertGreater(part.count('<svg'), 0)
        # What is not run could have the largest pictures.
        size = os.path.getsize(path)
        print(f'page of papers: {size} bytes, {page.count("<svg")} figures, '
              f'{missing} more at most')
        self.assertLess(size + missing * self.PICTURE, self.LIMIT)

    @staticmethod
    def pictures():
        """How many figures scenarios have, by name."""
        n = {}
        for path in glob.glob(f'{SOURCE}/lab/figs/*.gp'):
            with open(path, encoding='utf-8') as file:
                for names in re.findall(r'(?m)^# of: (.*)', file.read()):
                    for name in names.split():
                        n[name] = n.get(name, 0) + 1
        return n


class Names(unittest.TestCase):
    def test_every_name_above_is_a_file(self):
        for row in QUICK | LONG | set(ONLY) | WHOLE:
            self.assertTrue(
                os.path.exists(f'{SOURCE}/lab/scenarios/{row}.yaml'), row)


def make_test(row):
    def test(self):
        self.check(row)
    test.__doc__ = row
    return test


for path in sorted(glob.glob(f'{SOURCE}/lab/scenarios/*/*.yaml')):
    name = '/'.join(path.split('/')[-2:])[:-len('.yaml')]
    if FULL or name in QUICK or (SIZE == 'ci' and name not in LONG):
        setattr(Rows, 'test_' + name.replace('/', '_').replace('-', '_'),
                make_test(name))


def load_tests(loader, _tests, _pattern):
    """The page is made of what has been run."""
    return unittest.TestSuite(loader.loadTestsFromTestCase(one)
                              for one in (Names, Rows, Board))


if __name__ == '__main__':
    unittest.main()

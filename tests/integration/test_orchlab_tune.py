#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""orchlab tune: three stages, and rows that orchctl config plan takes."""
import glob
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

BUILD = os.environ.get('top_builddir', '.')
SOURCE = os.environ.get('top_srcdir', '.')
DONE, NO, USAGE, UNREACHABLE = range(4)

# Streams that fill their links, and incasts beside them.
FABRIC = '''name: little
fabric: {star: {hosts: 8, rate: 100G}, switch: {t0: {config: star-32x100g}}}
hosts: {default: {dcqcn: paper}}
traffic:
  - {name: stream, jitter: 50us,
     rc: {pattern: permutation, size: 512KB, repeat: inf}}
  - {name: burst, jitter: 100us,
     rc: {pattern: fan_in, n: 5, size: 64KB, repeat: inf, every: 200us}}
stop: 1200us
'''

# Its fabric does not count.
UNSEEN = '''name: unseen
fabric: {star: {hosts: 12, rate: 100G}}
traffic:
  - {name: read, jitter: 300us,
     rc: {pattern: fan_in, n: 6, size: 128KB, repeat: inf, every: 300us}}
  - {name: copy, jitter: 100us,
     rc: {pattern: permutation, size: 1MB, repeat: inf, every: 300us}}
stop: 1200us
'''


class Tune(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix='lab-tune')
        self.addCleanup(shutil.rmtree, self.folder)
        self.fabric = self.write('fabric', FABRIC)
        self.unseen = self.write('unseen', UNSEEN)

    def write(self, name, text):
        path = os.path.join(self.folder, f'{name}.yaml')
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)
        return path

    def run_lab(self, *words):
        return subprocess.run(
            [f'{BUILD}/orchlab/orchlab', '--results', self.folder, *words,
             '--chips', f'{SOURCE}/chips', '--configs', f'{SOURCE}/lab/configs',
             '--yang-dir', f'{SOURCE}/schemas'], capture_output=True, text=True)

    def ask(self, question, *words, fabric=None, load=None):
        answer = self.run_lab('--json', 'tune', question, '--quiet', '--fabric',
                              fabric or self.fabric, '--load',
                              load or self.fabric, *words)
        self.assertIn(answer.returncode, (DONE, NO), answer.stderr)
        data = json.loads(answer.stdout)
        data['code'] = answer.returncode
        return data

    def plan(self, role):
        """What orchctl says of the recommended configuration."""
        run = subprocess.run(
            [f'{BUILD}/orchctl/orchctl', 'config', 'plan',
             f'{self.folder}/rows/{role}.json', '--from',
             f'{self.folder}/rows/{role}.now.json',
             '--sai', f'{BUILD}/.libs/libsai-softasic.so',
             '--yang-dir', f'{SOURCE}/schemas', '--chips', f'{SOURCE}/chips'],
            capture_output=True, text=True)
        self.assertEqual(run.returncode, DONE, run.stdout + run.stderr)
        return run.stdout

    def has_gsl(self):
        with open(f'{BUILD}/Makefile', encoding='utf-8') as file:
            return '\nGSL_LIBS = -l' in file.read()

    def test_better_ecn_on_loads_not_seen(self):
        if not self.has_gsl():
            self.skipTest('built without GSL')
        data = self.ask('ecn', '--candidates', '5', '--unseen', self.unseen,
                        '--rows', f'{self.folder}/rows')
        self.assertEqual(data['code'], DONE, data['answer'])
        present, best = data['candidates'][0], data['candidates']
        best = next(one for one in best if one['recommended'])
        self.assertEqual(present['values'], {
            'kmin_bytes': 100000, 'kmax_bytes': 400000, 'pmax_percent': 20})
        self.assertEqual(len(data['candidates']), 6)
        # The gate: on a load not seen, and at equal goodput.
        self.assertLess(best['unseen_p99_ratio'], 1)
        self.assertGreaterEqual(best['unseen_goodput_ratio'], 0.99)
        for stage in (False, True):
            old, new = (
                [outcome for outcome in one['outcomes']
                 if outcome['unseen'] == stage] for one in (present, best))
            self.assertEqual(len(new), 1)
            self.assertAlmostEqual(
                new[0]['p99_s'] / old[0]['p99_s'],
                best['unseen_p99_ratio' if stage else 'p99_ratio'])
            self.assertEqual(new[0]['dropped'], 0)
        # What stage 2 has tried is in order, and the front is one.
        fit = [one['p99_ratio'] for one in data['candidates'][1:]
               if one['goodput_ratio'] >= 0.99]
        self.assertEqual(fit, sorted(fit))
        for one in data['candidates']:
            beaten = any(
                other['p99_ratio'] <= one['p99_ratio'] and
                other['goodput_ratio'] >= one['goodput_ratio'] and
                other['paused_s'] <= one['paused_s'] and
                (other['p99_ratio'], other['goodput_ratio'], other['paused_s'])
                != (one['p99_ratio'], one['goodput_ratio'], one['paused_s'])
                for other in data['candidates'])
            self.assertEqual(one['front'], not beaten)
        # The rows are what was run, and orchd takes them.
        row = data['rows']['t0']['WRED_PROFILE']['AZURE_LOSSLESS']
        self.assertEqual(row['ecn'], 'ecn_all')
        for field, name in (('green_min_threshold', 'kmin_bytes'),
                            ('green_max_threshold', 'kmax_bytes'),
                            ('green_drop_probability', 'pmax_percent')):
            self.assertEqual(float(row[field]), best['values'][name])
        said = self.plan('t0')
        self.assertIn(f'GREEN_MIN_THRESHOLD={row["green_min_threshold"]}', said)
        self.assertRegex(said, r'Rows: [0-9]+ applied\.\n')

    def test_stage_1_forecasts(self):
        if not self.has_gsl():
            self.skipTest('built without GSL')
        data = self.ask('ecn', '--candidates', '2', '--unseen', self.unseen)
        self.assertGreater(data['grid'], 100)
        for one in data['candidates']:
            self.assertGreaterEqual(one['forecast']['completion'], 0.9)
            self.assertGreater(one['forecast']['queue_bytes'], 0)
            # PFC would be first above.
            self.assertLess(one['values']['kmax_bytes'], 11000000)
        queues = [one['forecast']['queue_bytes']
                  for one in data['candidates'][1:]]
        low = self.ask('ecn', '--candidates', '3', '--unseen', self.unseen,
                       '--set', 'fabric.switch.t0.set={"BUFFER_PROFILE|pg_'
                       'lossless_100000_5m_profile": {dynamic_th: "-6"}}')
        for one in low['candidates'][1:]:
            self.assertLess(one['values']['kmax_bytes'], 350000)
        self.assertLess(low['grid'], data['grid'])
        # From both ends of the front: the quickest has the longest queue.
        self.assertGreater(max(queues), 3 * min(queues))

    def test_without_forecasts_a_coarse_grid(self):
        data = self.ask('ecn', '--candidates', '3', '--unseen', self.unseen,
                        '--set', 'hosts.default.dcqcn=off')
        self.assertRegex(data['answer'], 'Stage 1 was left out, because')
        self.assertLess(data['grid'], 40)
        self.assertTrue(all(one['forecast'] is None
                            for one in data['candidates']))
        # Nothing slows down, so nothing is better.
        self.assertEqual(data['code'], NO)
        self.assertRegex(data['answer'], 'Keep the present values: of 3')
        self.assertEqual(data['rows'], {})

    def test_alpha(self):
        data = self.ask('alpha', '--unseen', self.unseen, '--rows',
                        f'{self.folder}/rows', '--candidates', '4')
        values = [one['values']['dynamic_th'] for one in data['candidates']]
        self.assertEqual(values[0], 0)
        self.assertEqual(data['grid'], 9)
        pauses = {one['values']['dynamic_th']: one['paused_s']
                  for one in data['candidates']}
        self.assertGreaterEqual(pauses[min(values)], pauses[max(values)])
        if data['code'] == DONE:
            self.assertRegex(self.plan('t0'), 'BUFFER_PROFILE.*SHARED_DYNAMIC')

    def test_headroom(self):
        data = self.ask('headroom', '--rows', f'{self.folder}/rows',
                        '--candidates', '3')
        self.assertEqual(data['grid'], 10)
        for one in data['candidates']:
            self.assertEqual(sum(outcome['dropped']
                                 for outcome in one['outcomes']), 0)
        # What the headroom pool gives away is for bursts: fewer pauses.
        pauses = {tuple(one['values'].values()): one['paused_s']
                  for one in data['candidates']}
        self.assertLessEqual(min(pauses.values()), pauses[0, 0])
        self.assertRegex(self.plan('t0'), r'Rows: [0-9]+ applied\.\n')

    def test_by_an_executor_and_drawn(self):
        if not shutil.which('parallel') or not shutil.which('gnuplot'):
            self.skipTest('needs GNU parallel and gnuplot')
        words = ('ecn', '--candidates', '2', '--unseen', self.unseen)
        here = self.ask(*words)
        for path in glob.glob(f'{self.folder}/*.sqlite'):
            os.unlink(path)
        picture = f'{self.folder}/front.svg'
        there = self.ask(*words, '--executor', 'local:2', '--output', picture)
        self.assertEqual(here, there)
        with open(picture, encoding='utf-8') as file:
            self.assertIn('p99 of messages', file.read())

    def test_text(self):
        if not self.has_gsl():
            self.skipTest('built without GSL')
        run = self.run_lab('tune', 'ecn', '--quiet', '--fabric', self.fabric,
                           '--load', self.fabric, '--unseen', self.unseen,
                           '--candidates', '3')
        self.assertEqual(run.returncode, DONE, run.stderr)
        self.assertRegex(run.stdout, r'Kmin 100 KB, Kmax 400 KB, Pmax 20 % .*'
                                     r' 1\.000 .* present\n')
        self.assertRegex(run.stdout, r'\nSet Kmin .* that nothing was chosen by')
        self.assertIn('\nRows of t0:\n{\n  "WRED_PROFILE"', run.stdout)

    def test_wrong_use(self):
        several = self.write('several', FABRIC + 'seed: 1..2\n')
        far = self.write('far', UNSEEN.replace('pattern: permutation',
                                               "pattern: pairs, from: h-0-9, "
                                               "to: h-0-10"))
        idle = self.write('idle', re.sub('(?s)traffic:.*', 'stop: 1ms\n',
                                         FABRIC))
        files = ('--fabric', self.fabric, '--load', self.fabric)
        for words, pattern in (
                (('ecm', *files), "no question 'ecm'.*\n.*ecn"),
                (('ecn', '--fabric', self.fabric), 'needs --fabric FILE and.*'
                 '--load is missing\n.*same file'),
                (('ecn', '--load', self.fabric), '--fabric is missing'),
                (('ecn', '--fabric', self.fabric, '--load', idle),
                 'idle.yaml has no traffic, so it is no load\n.*traffic by'),
                (('ecn', *files, '--unseen', idle), 'idle.yaml has no traffic'),
                (('ecn', *files, '--candidates', '0'), r'1\.\.63, not .0.'),
                (('ecn', *files, '--executor', 'ssh:,'), 'names no host'),
                (('ecn', '--fabric', several, '--load', self.fabric),
                 'one run of each file, and .* has 2'),
                (('ecn', *files, *(['--unseen', self.unseen] * 8)),
                 'at most 8 loads'),
                (('ecn', *files, '--unseen', far), "h-0-9"),
                (('ecn', *files, '--output', 'x.gif'), 'gif'),
                (('ecn', *files, '--candidates', '64'), 'candidates')):
            run = self.run_lab('tune', *words)
            self.assertEqual(run.returncode, USAGE, run.stderr)
            self.assertRegex(run.stderr, pattern)

    @unittest.skipIf(os.environ.get('LAB_SIZE', 'quick') == 'quick',
                     'takes a minute')
    def test_gate_on_three_loads(self):
        at = f'{SOURCE}/lab/scenarios/tune'
        loads = ('replicas', 'degraded', 'shuffle')
        unseen = [word for name in loads
                  for word in ('--unseen', f'{at}/{name}.yaml')]
        data = self.ask('ecn', *unseen, fabric=f'{at}/fabric.yaml',
                        load=f'{at}/fabric.yaml')
        self.assertEqual(data['code'], DONE)
        best = next(one for one in data['candidates'] if one['recommended'])
        for old, new in zip(data['candidates'][0]['outcomes'],
                            best['outcomes']):
            self.assertLess(new['p99_s'], old['p99_s'])
            self.assertGreaterEqual(new['goodput_bps'],
                                    0.99 * old['goodput_bps'])


if __name__ == '__main__':
    unittest.main()

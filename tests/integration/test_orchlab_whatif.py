#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""orchlab whatif: what failures and changes do."""
import json
import os
import re
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


# Two podsets send to a third at full speed, so that the spine pauses them.
FAR = """
name: far
fabric:
  podsets: {podsets: 3, t0: 1, hosts: 1, t1: 1, t2: 1, rate: 40G}
  switch:
    t0: {config: t0-32x40g}
    t1: {config: t1-64x40g}
    t2:
      config: t1-64x40g
      set:
        'WRED_PROFILE|*': {wred_green_enable: 'false'}
        'BUFFER_PROFILE|pg_lossless_40000_300m_profile': {dynamic_th: '-8'}
traffic:
  - {name: load, priority: 3,
     raw: {pattern: incast, from: [h-0-0-0, h-1-0-0], to: h-2-0-0,
           frame: 1086B}}
stop: 500us
"""


class Lab(unittest.TestCase):
    scenario = None

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix='lab-whatif')
        self.addCleanup(shutil.rmtree, self.folder)
        self.file = os.path.join(self.folder, 'scenario.yaml')
        with open(self.file, 'w', encoding='utf-8') as file:
            file.write(self.scenario)

    def run_lab(self, *words):
        return subprocess.run(
            [f'{BUILD}/orchlab/orchlab', '--results', self.folder, *words,
             '--chips', f'{SOURCE}/chips', '--configs', f'{SOURCE}/lab/configs',
             '--yang-dir', f'{SOURCE}/schemas'], capture_output=True, text=True)


class Fail(Lab):
    scenario = SCENARIO

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

    def test_each_counts_once(self):
        """However often it is named, and from whichever end."""
        data = self.ask('--link', 't0-0.t1-0', '--link', 't1-0.t0-0',
                        '--switch', 't1-1', '--each', 'switch', '--switch',
                        't1-1')
        self.assertEqual(sorted(one['fails'] for one in data['failures']),
                         ['t0-0', 't0-0.t1-0', 't0-1', 't1-0', 't1-1'])

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
                (2, "'t0-0.h-0-0' is the link of a host; only links between "
                 "switches can be chosen (did you mean 't0-0.t1-0'?)",
                 ('fail', self.file, '--link', 't0-0.h-0-0')),
                # In the order of its ends that was asked for.
                (2, "no link 't1-0.t0-9' in the scenario (did you mean "
                 "'t1-0.t0-0'?)", ('fail', self.file, '--link', 't1-0.t0-9')),
                (2, "did you mean 't0-1'", ('fail', self.file, '--switch',
                                            't0-11')),
                (2, 'not within', ('fail', self.file, '--at', '8ms')),
                (2, 'it stops after 7000 ns, and 8 us are needed\n'
                 "  remedy: give it a later 'stop'",
                 ('fail', self.file, '--set', 'stop=7us', '--set',
                  'faults=[]')),
                (2, 'has no unit', ('fail', self.file, '--at', '3')),
                (2, 'about one run', ('fail', self.file, '--seed', '1..2')),
                (3, 'no-such.yaml', ('fail', 'no-such.yaml'))):
            with self.subTest(words):
                answer = self.run_lab('whatif', *words)
                self.assertEqual(answer.returncode, code, answer.stderr)
                self.assertIn(text, answer.stderr)

    def test_after_all_traffic(self):
        """Then nobody can be affected, which is no answer."""
        words = ('whatif', 'fail', self.file, '--quiet', '--each', 'switch',
                 '--set', 'traffic.load.rc.repeat=4')
        answer = self.run_lab(*words)
        self.assertEqual(answer.returncode, 2, answer.stdout)
        self.assertEqual(answer.stdout, '')
        self.assertRegex(answer.stderr, 'a failure at 2 ms affects nobody: the '
                         'last flow ends at [0-9.]+ us')
        at = re.search('--at ([0-9]+us)', answer.stderr).group(1)
        answer = self.run_lab(*words, '--at', at)
        self.assertEqual(answer.returncode, 1, answer.stderr)

    def test_figure(self):
        if not shutil.which('gnuplot'):
            self.skipTest('no gnuplot')
        picture = os.path.join(self.folder, 'fail.svg')
        self.run_lab('whatif', 'fail', self.file, '--switch', 't0-0', '--quiet',
                     '--figures', f'{SOURCE}/lab/figs', '--output', picture)
        with open(picture, encoding='utf-8') as file:
            self.assertIn('hosts affected', file.read())


DROPS = 'sum(drop.packets)'
HEADROOM = 'sum(drop.packets{reason=headroom})'
PROFILE = 'pg_lossless_40000_300m_profile'


class Asking(Lab):
    scenario = FAR

    def ask(self, *words, code=0):
        answer = self.run_lab('--json', 'whatif', words[0], self.file,
                              '--quiet', *words[1:])
        self.assertEqual(answer.returncode, code, answer.stderr)
        return json.loads(answer.stdout)


class Change(Asking):
    def test_longer_link(self):
        """It loses packets, and the rows that are printed mend that."""
        data = self.ask('link', '--link', 't1-0-0.t2-0', '--length', '10km',
                        code=1)
        self.assertEqual(data['before'][DROPS], 0)
        self.assertGreater(data['after'][HEADROOM], 0)
        self.assertEqual(data['with_rows'][DROPS], 0)
        rows = data['rows']['t2']
        self.assertEqual(rows['CABLE_LENGTH']['AZURE'],
                         {f'Ethernet{4 * i}': '10000m' for i in range(3)})
        # 2 * 10 km * 5 ns/m * 40 Gb/s are 500,000 bytes.
        self.assertGreater(int(rows['BUFFER_PROFILE'][PROFILE]['xoff']), 500000)
        self.assertIn('packets are dropped instead of 0', data['answer'])
        self.assertTrue(data['answer'].endswith(
            'With the rows below, no packets are dropped.'), data['answer'])

    def test_a_link_too_long_for_the_chip(self):
        """What it does without the rows is the answer."""
        words = ('link', '--link', 't0-0-0.t1-0-0', '--set', 'stop=2ms',
                 '--length')
        data = self.ask(*words, '10km', code=1)
        self.assertGreater(data['after'][HEADROOM], 0)
        self.assertEqual((data['with_rows'], data['rows']), (None, {}))
        self.assertRegex(data['answer'], 'Rows with that much are refused: .*'
                                         'BUFFER_PG.* is failed')
        answer = self.run_lab('whatif', words[0], self.file, '--quiet',
                              *words[1:], '2km,10km', '--figures',
                              f'{SOURCE}/lab/figs', '--output',
                              os.path.join(self.folder, 'too-long.svg'))
        self.assertEqual(answer.returncode, 1, answer.stderr)
        self.assertIn('For 1 of the values the switch has no room for the '
                      'headroom.', answer.stdout)
        self.assertRegex(answer.stdout, r'(?m)^2km .* 0$')
        self.assertRegex(answer.stdout, r'(?m)^10km .* -$')

    def test_headroom(self):
        data = self.ask('headroom', '--factor', '0.02', code=1)
        self.assertEqual(data['before'][DROPS], 0)
        self.assertGreater(data['after'][HEADROOM], 0)
        self.assertEqual(data['rows']['t2']['BUFFER_PROFILE'][PROFILE]['xoff'],
                         str(132288 // 50))
        # Where the size of a profile contains the headroom, it follows.
        t0 = data['rows']['t0']['BUFFER_PROFILE'][
            'pg_lossless_40000_40m_profile']
        self.assertEqual(int(t0['size']) - int(t0['xoff']), 18512)

    def test_shared_headroom(self):
        data = self.ask('headroom', '--ratio', '1024', code=1)
        self.assertEqual(data['before'][DROPS], 0)
        self.assertGreater(data['after'][HEADROOM], 0)
        # 64 ports with 2 lossless priorities.
        self.assertEqual(
            data['rows']['t2']['BUFFER_POOL']['ingress_lossless_pool']['xoff'],
            str(64 * 2 * 132288 // 1024))
        self.assertIn('over-subscribed 1024:1', data['answer'])

    def test_room_for_bursts(self):
        """What the headroom pool does not take, all may share: SIZE less
        guarantees and headroom / ratio, in cells of 208 bytes."""
        headroom = 64 * 2 * 132288
        data = self.ask('headroom', '--ratio', '1,2,8')
        rooms = [one['burst_room']['t2'] for one in data['values']]
        for room, ratio in zip(rooms, (1, 2, 8)):
            self.assertAlmostEqual(room['gained'], headroom - headroom / ratio,
                                   delta=208)
            self.assertEqual(room['after'] - room['before'], room['gained'])
        [one] = [one for one in data['values'] if one['value'] == '8']
        self.assertIn('Before the first pause, t2 has room for bursts of '
                      '%.2f' % (rooms[2]['after'] / 1e6), one['answer'])
        self.assertNotIn('room for bursts', data['values'][0]['answer'].replace(
            't0 has room for bursts', ''))
        answer = self.run_lab('whatif', 'headroom', self.file, '--quiet',
                              '--ratio', '8')
        self.assertRegex(answer.stdout, r'(?m)^room for bursts, t2 +[0-9.]+ MB '
                                        r'+[0-9.]+ MB$')

    def test_values_that_a_variant_sets(self):
        """They come after those of the question, which would have no effect."""
        with open(self.file, 'a', encoding='utf-8') as file:
            file.write("variants:\n  pool:\n    fabric.switch.t2.set:\n      "
                       "'BUFFER_POOL|ingress_lossless_pool': {xoff: '2000000'}\n")
        answer = self.run_lab('whatif', 'headroom', self.file, '--ratio', '8')
        self.assertEqual(answer.returncode, 2, answer.stdout)
        self.assertIn('the run sets BUFFER_POOL|ingress_lossless_pool of t2 '
                      'itself, so that it cannot be changed\n  remedy: ask about '
                      "a scenario that has these values in 'fabric'",
                      answer.stderr)

    def test_adapters(self):
        # At the speed of the link bursts are what they were without.
        data = self.ask('nic', '--nic', 'gen1')
        self.assertEqual(data['before'], data['after'])
        data = self.ask('nic', '--nic', 'gen1', '--set',
                        'traffic.load.raw.rate=30G')
        self.assertEqual(data['rows'], {})
        self.assertNotEqual(data['before'], data['after'])
        self.assertEqual(data['answer'], 'With nic gen1, no packets are '
                         'dropped, as before, and the payload is the same.')

    def test_nothing_changes(self):
        data = self.ask('headroom', '--factor', '2')
        self.assertEqual(data['before'], data['after'])
        self.assertRegex(data['answer'], '^With 2 times the headroom, nothing '
                         'changes: no packets are dropped, as before, and the '
                         'payload is the same\\.')

    def test_chip(self):
        data = self.ask('model', '--role', 't1', '--chip', 'th3')
        self.assertNotEqual(data['before'], data['after'])

    def test_mistakes(self):
        for text, words in (
                ("no link 't1-0-0.t2-9' in the scenario (did you mean "
                 "'t1-0-0.t2-0'?)", ('link', '--link', 't1-0-0.t2-9',
                                     '--length', '1km')),
                ('needs one --link', ('link', '--length', '1km')),
                ('unknown unit', ('link', '--link', 't1-0-0.t2-0', '--length',
                                  '1k')),
                ('needs a --factor', ('headroom',)),
                ('or a --ratio', ('headroom', '--factor', '2', '--ratio',
                                  '4')),
                ("--factor: 'much'", ('headroom', '--factor', 'much')),
                ('needs --nic or --dcqcn', ('nic',)),
                ('whatif nic has no option --length, which belongs to whatif '
                 'link', ('nic', '--nic', 'gen1', '--length', '1km')),
                ('allowed: --factor', ('headroom', '--factor', '2', '--at',
                                       '1ms')),
                ("cannot draw 'x.txt': a figure is a file .svg, .png or .pdf",
                 ('nic', '--nic', 'gen1', '--output', 'x.txt')),
                ("did you mean 'gen1'", ('nic', '--nic', 'gen9')),
                ('needs the --role', ('model', '--chip', 'th3')),
                ("no switch with the role 't3'", ('model', '--role', 't3',
                                                  '--chip', 'th3')),
                ("did you mean 'th3'", ('model', '--role', 't1', '--chip',
                                        'th33')),
                ("did you mean 'headroom'", ('hedroom',))):
            with self.subTest(words):
                answer = self.run_lab('whatif', words[0], self.file, *words[1:])
                self.assertEqual(answer.returncode, 2, answer.stderr)
                self.assertIn(text, answer.stderr)


class Values(Asking):
    """One question for several values."""

    def test_lengths(self):
        """Each answer is what the question about its value alone says."""
        words = ('link', '--link', 't1-0-0.t2-0', '--length')
        data = self.ask(*words, '300m,5km..10km', code=1)
        answers = data['values']
        self.assertEqual([one['value'] for one in answers],
                         ['300m', '5km', '10km'])
        for one in answers:
            self.assertEqual(one.pop('value') != '300m',
                             one['with_rows'] is not None)
            self.assertEqual(one['before'], answers[0]['before'])
        self.assertEqual(self.ask(*words, '10km', code=1), answers[2])
        self.assertEqual([one['after'][DROPS] > 0 for one in answers],
                         [False, True, True])
        self.assertIn('With 2 of 3 values more packets are dropped than '
                      'without a change; the first is 5km.  With t1_t2 links '
                      'of 5km instead of 300 m, ', data['answer'])
        self.assertIn('2 of the values need the headroom below; with these '
                      'rows no packets are dropped.', data['answer'])

    def test_ratios(self):
        data = self.ask('headroom', '--ratio', '4..5,1024', code=1)
        pools = [one['rows']['t2']['BUFFER_POOL']['ingress_lossless_pool'][
            'xoff'] for one in data['values']]
        self.assertEqual(pools, [str(64 * 2 * 132288 // n)
                                 for n in (4, 5, 1024)])
        self.assertIn('over-subscribed 1024:1, ', data['answer'])
        self.assertIn('With 1 of 3 values', data['answer'])
        self.assertNotIn('headroom below', data['answer'])

    def test_factors(self):
        data = self.ask('headroom', '--factor', '1,2')
        self.assertIn('With none of 2 values more packets are dropped than '
                      'without a change (0).', data['answer'])
        self.assertEqual(data['values'][0]['rows'], {})

    def test_text(self):
        answer = self.run_lab('whatif', 'headroom', self.file, '--quiet',
                              '--ratio', '2,1024')
        self.assertEqual(answer.returncode, 1, answer.stderr)
        lines = answer.stdout.splitlines()
        self.assertEqual(lines[0].split()[:4],
                         ['value', 'dropped', 'for', 'headroom'])
        self.assertEqual([line.split('  ')[0] for line in lines[1:4]],
                         ['(no change)', '2', '1024'])
        for value in ('2', '1024'):
            self.assertIn(f'Rows of CONFIG_DB for t2 with {value}:\n',
                          answer.stdout)

    def test_figure(self):
        if not shutil.which('gnuplot'):
            self.skipTest('no gnuplot')
        picture = os.path.join(self.folder, 'values.svg')
        for words, curve in (
                (('headroom', self.file, '--ratio', '1,1024'), False),
                (('link', self.file, '--link', 't1-0-0.t2-0', '--length',
                  '5km,10km'), True)):
            self.run_lab('whatif', *words, '--quiet', '--figures',
                         f'{SOURCE}/lab/figs', '--output', picture)
            with open(picture, encoding='utf-8') as file:
                drawn = file.read()
            self.assertIn('packets dropped', drawn)
            self.assertEqual('with the rows of the answer' in drawn, curve)

    def test_mistakes(self):
        for text, words in (
                ('--ratio: 0 is not within 1..65535', ('--ratio', '4,0')),
                ('ratios have none', ('--factor', '0.9..1.1')),
                ('or a --ratio', ('--factor', '2,3', '--ratio', '4,8'))):
            with self.subTest(words):
                answer = self.run_lab('whatif', 'headroom', self.file, *words)
                self.assertEqual(answer.returncode, 2, answer.stderr)
                self.assertIn(text, answer.stderr)


if __name__ == '__main__':
    unittest.main()

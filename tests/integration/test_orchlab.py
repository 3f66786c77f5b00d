#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""orchlab on results files of a synthetic run (tests/support/lab_results.h), and
on runs of small scenarios."""
import csv
import io
import glob
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import unittest

BUILD = os.environ.get('top_builddir', '.')
SOURCE = os.environ.get('top_srcdir', '.')
DONE, NO, USAGE, UNREACHABLE = range(4)


class Lab(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix='orchlab')
        for name, how in (('a', 'finish'), ('b', 'other'), ('c', 'die')):
            subprocess.run([f'{BUILD}/tests/support/write_run',
                            f'{cls.folder}/{name}.sqlite', how])

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def run_lab(self, *words, **environment):
        return subprocess.run(
            [f'{BUILD}/orchlab/orchlab', '--results', self.folder, *words],
            capture_output=True, text=True,
            env={**os.environ, 'COLUMNS': '200', **environment,
                 'ORCHLAB_FIGURES': f'{SOURCE}/lab/figs'})

    def lab(self, *words, code=DONE, **environment):
        """Runs orchlab on run 'a' where RUN stands; returns its output."""
        words = [f'{self.folder}/a.sqlite' if w == 'RUN' else w for w in words]
        run = self.run_lab(*words, **environment)
        self.assertEqual(run.returncode, code, f'{words}: {run.stderr}')
        return run.stdout

    def json(self, *words, code=DONE):
        return json.loads(self.lab('--json', *words, code=code))

    def refuse(self, code, pattern, *words):
        words = [f'{self.folder}/a.sqlite' if w == 'RUN' else w for w in words]
        run = self.run_lab(*words)
        self.assertEqual(run.returncode, code, f'{words}: {run.stderr}')
        self.assertRegex(run.stderr, pattern, f'{words}')
        self.assertEqual(run.stdout, '')


class Lists(Lab):
    def test_completion_looks_into_the_folder_of_results(self):
        with tempfile.TemporaryDirectory() as empty:
            for words, environment, names in (
                    (['--results', self.folder], '', ['last', 'two-racks']),
                    ([], self.folder, ['last', 'two-racks']),
                    (['--results', self.folder], empty, ['last', 'two-racks']),
                    (['--results', empty], self.folder, ['last']),
                    (['--json', '--results', self.folder], empty,
                     ['last', 'two-racks']),
                    ([], empty, ['last'])):
                out = subprocess.check_output(
                    [os.path.abspath(f'{BUILD}/orchlab/orchlab'), '--complete',
                     *words, 'show', ''], text=True, cwd=empty,
                    env={**os.environ, 'ORCHLAB_RESULTS': environment})
                self.assertEqual(sorted(line.split('\t')[0] for line in
                                        out.splitlines()), names, words)

    def test_list_says_what_is_complete(self):
        rows = self.json('list')
        self.assertEqual([row['state'] for row in rows],
                         ['complete', 'complete', 'incomplete'])
        self.assertEqual(rows[2]['virtual_ps'], 99000000)
        self.assertRegex(self.lab('list'), r'00000000 two-racks +7 incomplete')

    def test_a_missing_folder_is_empty_unless_it_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            missing = os.path.join(folder, 'missing')
            run = self.run_lab('list', '--results', missing)
        self.assertEqual((run.returncode, run.stdout), (UNREACHABLE, ''))
        self.assertIn(f"cannot read folder '{missing}': No such file",
                      run.stderr)
        with tempfile.TemporaryDirectory() as folder:
            run = subprocess.run([f'{os.path.abspath(BUILD)}/orchlab/orchlab',
                                  'list'], cwd=folder, capture_output=True,
                                 text=True, check=False)
        self.assertEqual((run.returncode, run.stdout),
                         (DONE, 'No results in results\n'))

    def test_broken_files_are_counted(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(f'{folder}/x.sqlite', 'w', encoding='utf-8') as file:
                file.write('no database')
            run = self.run_lab('--results', folder, 'list')
            self.assertIn('1 file cannot be read', run.stdout)

    def test_runs_are_found_by_name_and_key(self):
        for word in ('last', 'two-racks', '0000', '00000000deadbeef'):
            # The newest of equal ones is the last by name.
            self.assertEqual(self.json('show', word)['state'], 'incomplete')
        self.refuse(UNREACHABLE, r"no run 'two-rack'.*did you mean 'two-racks'",
                    'show', 'two-rack')


class Show(Lab):
    def test_summary(self):
        text = self.lab('show', 'RUN')
        self.assertIn('two-racks, seed 7: complete at 200 us of 200 us', text)
        self.assertRegex(text, r'read +flow.fct +9 +50 us +50 us +90 us')
        self.assertEqual(self.json('show', 'RUN')['hops'], 123456)

    def test_lists_select_order_and_limit(self):
        rows = self.json('show', 'RUN', 'flows', '--where',
                         'group=read, source=h-0-1', '--order', 'fct_ps',
                         '--limit', '2')
        self.assertEqual([row['flow'] for row in rows], [7, 5])
        # As the table calls the column.
        self.assertEqual(rows, self.json('show', 'RUN', 'flows', '--where',
                                         'group=read, source=h-0-1', '--order',
                                         'fct', '--limit', '2'))
        self.assertIn('2 rows are shown', self.lab('show', 'RUN', 'flows',
                                                   '--limit', '2'))

    def test_every_list_in_every_form(self):
        for name in ('flows messages links pauses queues drops paths counters '
                     'series oracles params latency errors verdicts summary '
                     'storms deadlocks').split():
            self.assertTrue(self.lab('show', 'RUN', name), name)
            self.json('show', 'RUN', name)
            if name not in ('latency', 'summary'):
                self.assertTrue(self.lab('show', 'RUN', name, '--csv'), name)

    def test_queues_say_what_fired_first(self):
        row, = self.json('show', 'RUN', 'queues')
        self.assertEqual(row['fired_first'], 'mark')
        self.assertEqual(row['first_mark_ps'], 30000000)
        self.assertEqual(row['first_pause_ps'], 40000000)

    def test_csv_is_read_by_others(self):
        text = self.lab('show', 'RUN', 'pauses', '--csv')
        rows = list(csv.DictReader(io.StringIO(text)))
        self.assertEqual([row['duration_ps'] for row in rows],
                         ['20000000', '5000000', ''])
        self.assertEqual(rows[1]['cause'], '1')

    def test_a_killed_run_can_be_shown(self):
        text = self.lab('show', f'{self.folder}/c.sqlite')
        self.assertIn('two-racks, seed 7: incomplete at 99 us of 200 us', text)
        self.assertRegex(text, r'read +flow.fct +9')

    def test_other_programs_read_the_file(self):
        with sqlite3.connect(f'{self.folder}/a.sqlite') as file:
            self.assertEqual(file.execute('PRAGMA user_version').fetchone(),
                             (9,))
            self.assertEqual(
                file.execute("SELECT count(*) FROM flow_list WHERE source ="
                             " 'h-0-0' AND state = 'done'").fetchone(), (5,))


    def test_options_without_effect_are_refused(self):
        self.refuse(USAGE, "--csv does not apply to 'latency'", 'show', 'RUN',
                    'latency', '--csv')
        self.refuse(USAGE, "--where does not apply to 'verdicts'", 'show',
                    'RUN', 'verdicts', '--where', 'group=x')
        self.refuse(USAGE, "--limit does not apply to 'summary'", 'show',
                    'RUN', '--limit', '3')


class Explain(Lab):
    def test_a_flow_with_its_path(self):
        text = self.lab('explain', 'flow', '3', 'RUN')
        self.assertRegex(text, r'0 +h-0-1 +t0-0 +100 Gb/s')
        self.assertRegex(text, r'headroom +t1-0 +t0-1 +3')
        self.assertIn('It sent 3 of 1003 packets again.', text)
        data = self.json('explain', 'flow', '3', 'RUN')
        self.assertEqual([hop['paused_ps'] for hop in data['hops']],
                         [0, 5000000, 0, 0])
        self.assertIn('failed after 7 timeouts',
                      self.lab('explain', 'flow', '9', 'RUN'))

    def test_a_pause_up_to_its_root(self):
        data = self.json('explain', 'pause', '2', 'RUN')
        self.assertEqual([row['pause'] for row in data['causes']], [1])
        self.assertIn('The root is the queue of t1-0 towards t0-1',
                      data['conclusion'])
        data = self.json('explain', 'pause', '1', 'RUN')
        self.assertEqual([row['pause'] for row in data['effects']], [2])

    def test_a_drop(self):
        data = self.json('explain', 'drop', '1', 'RUN')
        self.assertEqual(data['drop'][0]['psn'], 101)
        self.assertEqual(data['alike'][0]['frames'], 3)
        self.assertIn('headroom', data['conclusion'])

    def test_what_does_not_exist(self):
        self.refuse(USAGE, 'the run has no flow 99', 'explain', 'flow', '99',
                    'RUN')
        self.refuse(USAGE, "'x' is not the number of a drop", 'explain',
                    'drop', 'x', 'RUN')
        self.refuse(USAGE, r"cannot explain 'flows' \(did you mean 'flow'",
                    'explain', 'flows', '1', 'RUN')


class Probe(Lab):
    def test_an_adapter(self):
        path = f'{self.folder}/own.yaml'
        with open(path, 'w', encoding='utf-8') as file:
            file.write('name: own\nabout: x\nfmr: {time: 3us, fence: true}\n')
        found = self.json('probe', 'nic', path)
        self.assertEqual(
            [found[key] for key in ('name', 'notifies', 'reacts', 'recovery',
                                    'contexts', 'registration_fence')],
            ['own', False, False, 'go_back_n', 0, True])
        self.assertAlmostEqual(found['registration'], 3e-6, delta=3e-8)
        text = self.lab('probe', 'nic', path)
        self.assertRegex(text, r'registration of memory +3 us')
        self.assertRegex(text, r'CNPs +none')

    def test_mistakes(self):
        path = f'{self.folder}/bad.yaml'
        with open(path, 'w', encoding='utf-8') as file:
            file.write('name: bad\nabout: x\nbursts: 3\n')
        self.refuse(USAGE, r"bad.yaml:3:1: .*'bursts' \(did you mean 'burst'",
                    'probe', 'nic', path)
        self.refuse(USAGE, "can probe 'nic', not 'chip'", 'probe', 'chip', path)
        self.refuse(UNREACHABLE, 'cannot read', 'probe', 'nic', path + 'x')


class Compare(Lab):
    def test_a_run_equals_itself(self):
        self.assertIn('The results are the same',
                      self.lab('compare', 'RUN', 'RUN'))
        self.assertTrue(self.json('compare', 'RUN', 'RUN')['same'])

    def test_the_first_difference(self):
        other = f'{self.folder}/b.sqlite'
        data = self.json('compare', 'RUN', other, code=NO)
        self.assertEqual(data['first_difference'][1]['t_ps'], 71500000)
        self.assertIn('wred', data['first_difference'][1]['what'])
        self.assertEqual(data['metrics']['sum(drop.packets)'], [4, 5])
        text = self.lab('compare', 'RUN', other, code=NO)
        self.assertRegex(text, r'sum\(drop.packets\) +4 +5 +\+25 %')
        self.assertIn('B: 71.500000 us  drop at t1-0 t0-1 priority 3 wred',
                      text)


class Metrics(Lab):
    def test_values(self):
        self.assertEqual(
            self.lab('metric', 'p50(flow.fct)', 'RUN'),
            '50 us, 95 % between 20 us and 80 us (9 values)\n')
        self.assertEqual(self.json('metric', 'sum(drop.packets)', 'RUN')
                         ['value'], 4)
        self.lab('metric', 'max(flow.fct{group=none})', 'RUN', code=NO)

    def test_list(self):
        names = [row['quantity'] for row in self.json('metric')]
        self.assertIn('flow.fct', names)
        self.assertIn('queue.first_mark', names)

    def test_errors(self):
        self.refuse(USAGE, r"unknown aggregate 'flow.fc'\n.*allowed: count, sum"
                    r".*p99\.9\n.*remedy: .*mean\(flow\.fct\)", 'metric',
                    'flow.fc')
        self.refuse(USAGE, r"did you mean 'flow.fct'", 'metric',
                    'max(flow.ftc)', 'RUN')


class Plot(Lab):
    def test_every_template_has_data(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in os.listdir(f'{SOURCE}/lab/figs'):
                if not name.endswith('.gp'):
                    continue
                # The run has no messages, no PCIe, no TCP and no SRD, counts no
                # affected hosts and no gaps, changes nothing, and has no
                # estats and no variants.
                code = (NO if name in ('a1.gp', 'a18.gp', 'a23.gp', 'a24.gp',
                                       'a31.gp', 'a33.gp', 'a34.gp',
                                       'a36.gp', 'a36_latency.gp',
                                       'estats.gp', 'parts.gp', 'sides.gp',
                                       'affected.gp', 'b4.gp',
                                       'b5.gp', 'b6.gp', 'buffers.gp',
                                       'd10.gp', 'd11.gp', 'd3.gp',
                                       'd9_cdf.gp', 'd9.gp',
                                       'frontier.gp', 'gaps.gp', 'hosts.gp',
                                       'latency.gp', 'rollout.gp',
                                       'share.gp', 'sweep.gp') else DONE)
                self.lab('plot', 'RUN', name[:-3], '--data', folder, code=code)
            with open(f'{folder}/cdf.dat', encoding='utf-8'):
                pass

    def test_list(self):
        self.assertRegex(self.lab('plot', 'RUN'), r'fct +Completion times')
        names = [row['figure'] for row in self.json('plot', 'RUN')]
        self.assertEqual(names, sorted(
            name[:-3] for name in os.listdir(f'{SOURCE}/lab/figs')
            if name.endswith('.gp')))

    def test_data(self):
        with tempfile.TemporaryDirectory() as folder:
            self.lab('plot', 'RUN', 'fct', '--data', folder)
            with open(f'{folder}/cdf.dat', encoding='utf-8') as file:
                lines = file.read().split('\n')
            self.assertEqual(lines[0], '"read"')
            self.assertEqual(lines[1].split(), ['10', '0.111111111111'])
            with open(f'{folder}/plot.gp', encoding='utf-8') as file:
                self.assertIn('cdf_blocks = 1\n', file.read())

    @unittest.skipUnless(shutil.which('gnuplot'), 'gnuplot is not installed')
    def test_gnuplot_draws(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ('fct', 'goodput', 'links', 'pauses', 'series'):
                output = f'{folder}/{name}.svg'
                self.lab('plot', 'RUN', name, '--output', output)
                with open(output, encoding='utf-8') as file:
                    self.assertIn('<svg', file.read())

    def test_without_gnuplot(self):
        run = self.run_lab('plot', f'{self.folder}/a.sqlite', 'fct',
                           PATH='/nowhere')
        self.assertEqual(run.returncode, UNREACHABLE)
        self.assertIn('install gnuplot-nox', run.stderr)

    def test_a_figure_without_data_says_what_it_needs(self):
        self.refuse(NO, r"no data for 'How long flows got nothing'\n"
                    r".*remedy: the scenario needs 'record: \{gaps: TIME\}'",
                    'plot', 'RUN', 'gaps', '--output', f'{self.folder}/x.svg')

    def test_errors(self):
        self.refuse(USAGE, r"cannot draw 'fct\.jpg': a figure is a file \.svg, "
                    r"\.png or \.pdf", 'plot', 'RUN', 'fct', '--output',
                    'fct.jpg')
        self.refuse(USAGE, r"no figure 'ftc' \(did you mean 'fct'", 'plot',
                    'RUN', 'ftc')
        with tempfile.TemporaryDirectory() as folder:
            for text, pattern in (
                    ('# nothing', 'has no line'),
                    ('# figure: X\n# data a b', 'wrong line of data'),
                    ('# figure: X\n# data a: SELEC', 'wrong SQL')):
                with open(f'{folder}/x.gp', 'w', encoding='utf-8') as file:
                    file.write(text)
                self.refuse(USAGE, pattern, 'plot', 'RUN', 'x', '--figures',
                            folder, '--data', folder)


class Usage(Lab):
    def test_help(self):
        text = self.lab('--help')
        for verb in ('run', 'list', 'show', 'explain', 'metric', 'plot', 'compare'):
            self.assertIn(verb, text)
            self.assertIn(f'usage: orchlab [--results FOLDER] [--json] {verb}',
                          self.lab(verb, '--help'))
        self.assertRegex(self.lab('--version'), r'^orchlab \d')

    def test_wrong_commands_say_what_is_allowed(self):
        for pattern, *words in (
                ('the verb is missing\n  allowed: ',),
                (r"unknown verb 'shw' \(did you mean 'show'\?\)", 'shw'),
                ('show needs RUN', 'show'),
                ("compare takes A B, not 'x'", 'compare', 'RUN', 'RUN', 'x'),
                (r"unknown option --ordr \(did you mean '--order'\?\)",
                 'show', 'RUN', 'flows', '--ordr', 'x'),
                ('write it behind the verb; these have it: run$',
                 '--again', 'run', 'x.yaml'),
                ('--limit must be a whole number', 'show', 'RUN', 'flows',
                 '--limit', '0'),
                (r"no list 'flow' \(did you mean 'flows'", 'show', 'RUN',
                 'flow'),
                (r"no column 'fct_p' \(did you mean 'fct_ps'", 'show', 'RUN',
                 'flows', '--order', 'fct_p'),
                (r"no label 'groop' \(did you mean 'group'", 'show', 'RUN',
                 'flows', '--where', 'groop=x')):
            self.refuse(USAGE, pattern, *words)

    def test_files_that_cannot_be_read(self):
        self.refuse(UNREACHABLE, "cannot read '/nowhere/x.sqlite'", 'show',
                    '/nowhere/x.sqlite')
        self.refuse(USAGE, 'is not a results file', 'show', __file__)

    def test_a_lost_output_is_a_failure(self):
        with open('/dev/full', 'w', encoding='utf-8') as full:
            run = subprocess.run(
                [f'{BUILD}/orchlab/orchlab', 'show',
                 f'{self.folder}/a.sqlite'], stdout=full,
                stderr=subprocess.PIPE, text=True)
        self.assertEqual(run.returncode, NO)
        self.assertIn('No space left', run.stderr)


STAR = """
name: pair
seed: 1
fabric: {star: {hosts: 2, rate: 100G}}
hosts: {default: {dcqcn: off}}
traffic:
  - {name: load, rc: {pattern: incast, from: h-0-1, to: h-0-0, size: 2MB}}
stop: 10ms
expect:
  - {name: lossless, metric: sum(drop.packets), is: 0}
  - {name: one flow, metric: count(flow.fct), is: 1}
"""
# One flow still goes on when the other is done.
MIXED = """
name: mixed
seed: 1
fabric: {star: {hosts: 4, rate: 100G}}
hosts: {default: {dcqcn: off}}
traffic:
  - {name: load, rc: {pattern: incast, from: h-0-1, to: h-0-0, size: 200KB}}
  - {name: back,
     rc: {pattern: incast, from: h-0-2, to: h-0-3, size: 1MB, repeat: inf}}
stop: 10ms
"""
CLOS = """
name: clos
seed: 1..2
fabric:
  clos: {t0: 2, t1: 2, hosts: 2, rate: 100G}
  links: {host: 3m, t0_t1: 20m}
hosts: {default: {dcqcn: off}}
traffic:
  - {name: load, rc: {pattern: permutation, from: all, size: 200KB}}
stop: 10ms
variants:
  short: {links.t0_t1: 20m}
  long: {links.t0_t1: 2km}
expect:
  - {name: lossless, metric: sum(drop.packets), is: 0}
  - {name: distance costs time, metric: max(flow.fct), across: variant,
     order: [short, long]}
"""
# Its flow takes 170 us.
CUT = MIXED.replace('200KB', '2MB').replace('10ms', '1ms')
# It does not end while a test looks at it.
ENDLESS = MIXED.replace('200KB', 'inf').replace('10ms', '1000s')


class Run(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix='orchlab')
        self.addCleanup(shutil.rmtree, self.folder)
        self.environment = {
            **os.environ, 'COLUMNS': '200',
            'ORCHLAB_RESULTS': f'{self.folder}/results',
            'ORCHLAB_CHIPS': f'{SOURCE}/chips',
            'ORCHLAB_CONFIGS': f'{SOURCE}/lab/configs',
            'ORCHLAB_YANG_DIR': f'{SOURCE}/schemas'}

    def write(self, text):
        path = f'{self.folder}/x.yaml'
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)
        return path

    def start(self, *words):
        return subprocess.Popen(
            [f'{BUILD}/orchlab/orchlab', *words], env=self.environment,
            text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)

    def lab(self, *words, code=DONE, commands=''):
        """Runs orchlab; returns what it prints."""
        process = self.start(*words)
        out, err = process.communicate(commands)
        self.assertEqual(process.returncode, code, f'{words}: {out}{err}')
        return out + err

    def run_file(self, text, *words, code=DONE, commands=''):
        return self.lab('run', self.write(text), *words, '--quiet', code=code,
                        commands=commands)

    def json(self, text, *words, code=DONE):
        return json.loads(self.run_file(text, '--json', *words, code=code))

    def test_figures_compare_all_runs_of_a_scenario(self):
        text = ('name: lanes\n'
                'fabric: {star: {hosts: 4, rate: 40G},\n'
                '         switch: {t0: {config: t0-32x40g}}}\n'
                'traffic:\n'
                '  - {name: load, priority: 0, raw: {pattern: incast,\n'
                '     from: all, to: h-0-0, n: 3, frames: 400}}\n'
                'stop: 1ms\n'
                'sweep: {traffic.load.raw.n: [1, 3]}\n'
                'variants:\n'
                '  large: {}\n'
                '  small:\n'
                '    fabric.switch.t0.set:\n'
                "      'BUFFER_POOL|egress_lossy_pool': {size: '100000'}\n")
        for words in ((), ('--again',)):  # Repeated runs do not count twice.
            self.run_file(text, *words)
        out = f'{self.folder}/figure'
        self.lab('plot', 'lanes', 'frontier', '--figures',
                 f'{SOURCE}/lab/figs', '--data', out)
        with open(f'{out}/cells.dat', encoding='utf-8') as file:
            rows = [line.split() for line in file.read().split('\n')[1:]
                    if line]
        self.assertEqual([(row[3], row[4].strip('"')) for row in rows],
                         [('1', 'large'), ('1', 'small'),
                          ('3', 'large'), ('3', 'small')])
        lost = [int(float(row[2])) for row in rows]
        self.assertEqual(lost[:3], [0, 0, 0])
        self.assertGreater(lost[3], 100)
        copy = f'{self.folder}/copy.sqlite'
        shutil.copy(glob.glob(f'{self.folder}/results/*.sqlite')[0], copy)
        self.assertIn("there are no runs of 'lanes' in",
                      self.lab('plot', copy, 'frontier', '--figures',
                               f'{SOURCE}/lab/figs', '--data', out,
                               '--results', f'{self.folder}/none',
                               code=UNREACHABLE))

    def test_estats_name_the_side(self):
        text = ('name: sides\n'
                'fabric: {star: {hosts: 2, rate: 40G}}\n'
                'hosts:\n'
                '  default: {cpu: {cores: 1}, rc: {window: 256KB}}\n'
                '  groups: {slow: {of: h-0-1,\n'
                '    pcie: {generation: 3, lanes: 2}}}\n'
                'traffic:\n'
                '  - {name: load, rc: {pattern: pairs, from: h-0-0,\n'
                '     to: h-0-1, size: 64KB, depth: 2, repeat: inf}}\n'
                '  - {name: back, rc: {pattern: pairs, from: h-0-1, verb: read,\n'
                '     to: h-0-0, size: 64KB, depth: 2, repeat: inf}}\n'
                '  - {name: probe, rc: {pattern: pairs, from: h-0-1,\n'
                '     to: h-0-0, size: 64, every: 50us, repeat: inf}}\n'
                'stop: 3ms\n'
                'record: {estats: {interval: 1ms, sync: 1ms}}\n'
                'expect:\n'
                "  - {metric: 'count(side.verdict{group=load, side=receiver,"
                " interval=run})', is: 1}\n"
                "  - {metric: 'max(estats.nic{group=load, interval=1})',"
                " min: 30us}\n")
        self.run_file(text)
        rows = json.loads(self.lab('--json', 'show', 'sides', 'sides',
                                   '--where', 'group=load'))
        self.assertEqual([row['interval'] for row in rows],
                         [0, 1, 2, 'run'])
        self.assertEqual({row['side'] for row in rows}, {'receiver'})
        rows = json.loads(self.lab('--json', 'show', 'sides', 'estats',
                                   '--where', 'interval=run'))
        self.assertEqual([row['name'] for row in rows],
                         ['write', 'read', 'write'])
        self.assertGreater(rows[0]['n'], 30)
        self.assertEqual(sum(rows[0][f'part_{part}_ps'] for part in
                             'post send network finish poll'.split()) // 10,
                         rows[0]['total_mean_ps'] // 10)
        # Of a READ the payload comes from the destination.
        for flow in ('0', '1'):
            self.assertRegex(
                self.lab('explain', 'side', flow, 'sides'),
                r'The receiver, h-0-1, makes it slow: its PCIe or its lookups'
                r' were busy\. An operation takes [\d.]+ us on average\.')
        self.assertIn('the run has no side 9',
                      self.lab('explain', 'side', '9', 'sides', code=USAGE))
        out = f'{self.folder}/estats'
        for name in ('sides', 'parts', 'estats'):
            self.lab('plot', 'sides', name, '--figures',
                     f'{SOURCE}/lab/figs', '--data', out)
        with open(f'{out}/times.dat', encoding='utf-8') as file:
            self.assertEqual([line.strip('"\n') for line in file
                              if line[0] == '"'], ['T6-T1', 'T6-T5', 'T5-T1'])

    def test_a_run_is_judged_and_recorded(self):
        out = self.run_file(STAR)
        self.assertRegex(out, r'pair, seed 1: complete at \d+ us, \d+ hops, '
                              '0 drops, 0 pauses')
        self.assertRegex(out, r'passed +lossless +0, wanted 0')
        row, = json.loads(self.lab('--json', 'list'))
        self.assertEqual((row['state'], row['expected'], row['passed']),
                         ('complete', 2, 2))
        self.assertIn(row['hash'], out)
        flow, = json.loads(self.lab('--json', 'show', 'pair', 'flows'))
        self.assertEqual((flow['source'], flow['destination'], flow['bytes']),
                         ('h-0-1', 'h-0-0', 2000000))

    def test_a_failed_expectation_is_an_exit_code(self):
        text = STAR.replace('is: 1}', 'is: 2}')
        self.assertRegex(self.run_file(text, code=NO),
                         r'FAILED +one flow +1, wanted 2')
        text = STAR.replace('is: 1}', 'is: 2, report: true}')
        self.assertRegex(self.run_file(text), r'reported +one flow')

    def test_complete_runs_are_not_repeated(self):
        first, = self.json(STAR)['runs']
        self.assertFalse(first['existed'])
        second, = self.json(STAR)['runs']
        self.assertTrue(second['existed'])
        self.assertEqual(second['verdicts'], first['verdicts'])
        third, = self.json(STAR, '--again')['runs']
        self.assertFalse(third['existed'])
        self.assertIn('is reached', self.run_file(STAR, '--break', '2us',
                                                  commands='continue\n'))
        # A wish of the scenario makes another run of it.
        other, = self.json(STAR, '--set', 'links={host: 30m}')['runs']
        self.assertNotEqual(other['key'], first['key'])
        self.assertEqual(len(os.listdir(f'{self.folder}/results')), 2)

    def test_the_hash_does_not_depend_on_pieces(self):
        hashes = {self.json(MIXED, '--again')['runs'][0]['hash']
                  for _ in range(2)}
        for commands in ('continue\n', 'step 300\nstep 1\ncontinue 9us\n'
                         'continue 12345ns\ncontinue\n'):
            out = self.run_file(MIXED, '--again', '--break', '3us',
                                '--interactive', commands='continue\n' +
                                commands)
            hashes.add(out.split('Hash ')[1][:16])
        self.assertEqual(len(hashes), 1)

    def test_several_runs(self):
        data = self.json(CLOS)
        self.assertEqual([run['label'] for run in data['runs']],
                         ['short, seed=1', 'short, seed=2', 'long, seed=1',
                          'long, seed=2'])
        self.assertEqual([(row['runs'], row['passed'])
                          for row in data['across']],
                         [('seed=1', True), ('seed=2', True)])
        self.assertEqual(len({run['hash'] for run in data['runs']}), 4)
        self.run_file(CLOS.replace('[short, long]', '[long, short]'), code=NO)

    def test_runs_are_chosen(self):
        rows = self.json(CLOS, '--runs')
        self.assertEqual(rows[2], {'run': 2, 'seed': 1, 'variant': 'long',
                                   'label': 'long, seed=1'})
        self.assertFalse(os.path.exists(f'{self.folder}/results'))
        for only, numbers in (('3', [3]), ('short', [0, 1]),
                              ('long, seed=2', [3])):
            rows = self.json(CLOS, '--runs', '--only', only)
            self.assertEqual([row['run'] for row in rows], numbers)
        rows = self.json(CLOS, '--runs', '--seed', '7')
        self.assertEqual([row['seed'] for row in rows], [7, 7])
        data = self.json(CLOS, '--only', '0')
        self.assertEqual((data['across'], data['across_left_out']), ([], 1))

    def test_wrong_files_have_a_position(self):
        for text, words, pattern in (
                (STAR.replace('stop:', 'stopp:'), (),
                 r"x.yaml:8:1: a scenario has no key 'stopp'"),
                (STAR.replace('h-0-1', 'h-0-9'), (), r'x.yaml:7:\d+: .*h-0-9'),
                (STAR.replace('drop.packets', 'drop.pakets'), (),
                 r"x.yaml:10:\d+: 'metric': unknown quantity 'drop.pakets'"),
                (CLOS.replace('2km', '2kn'), (), r"x.yaml:13:\d+: .*2kn"),
                (STAR, ('--set', 'stop=1'),
                 r"^orchlab: --set stop=1: 'stop': '1' has no unit"),
                (STAR, ('--set', 'stop'), 'needs PATH=VALUE'),
                (STAR, ('--set', 'stop=9ms', '--seed', 'x'),
                 "--seed=x: 'seed' is 'x'"),
                (CLOS, ('--only', 'lonk'), "did you mean 'long'"),
                (STAR, ('--break', 'dorp'), "cannot stop at 'dorp'")):
            self.assertRegex(self.run_file(text, *words, code=USAGE), pattern)
        self.assertFalse(os.path.exists(f'{self.folder}/results'))

    def test_what_cannot_be_read_or_written(self):
        self.lab('run', f'{self.folder}/none.yaml', code=UNREACHABLE)
        self.run_file(STAR, '--chips', '/nowhere', code=UNREACHABLE)
        out = self.run_file(STAR, '--results', '/proc/x', code=UNREACHABLE)
        self.assertIn('cannot create folder /proc/x', out)

    def test_commands_at_breaks(self):
        out = self.run_file(
            STAR, '--break', '2us', code=NO,
            commands='bogus\nhelp\nstep 5\nbreak 5us\ncontinue\ncontinue 7us\n'
                     'quit\n')
        self.assertIn('virtual time 2.000 us is reached', out)
        self.assertIn("unknown command 'bogus'", out)
        self.assertIn('  continue [TIME]\n', out)
        self.assertIn('virtual time 5.000 us is reached', out)
        self.assertIn('> 7 us of 10 ms', out)
        self.assertIn('interrupted at 7 us', out)
        row, = json.loads(self.lab('--json', 'list'))
        self.assertEqual((row['state'], row['virtual_ps']),
                         ('interrupted', 7000000))
        # It is not complete, so the next one replaces it.
        self.assertFalse(self.json(STAR)['runs'][0]['existed'])

    def test_breaks_have_no_limit(self):
        breaks = [word for i in range(1, 101)
                  for word in ('--break', f'{i}us')]
        out = self.run_file(STAR, *breaks, commands='continue\n' * 100)
        self.assertEqual(out.count('is reached'), 100)

    def set_and_finish(self, *changes, text=MIXED):
        """The results of a run with changes at 10 us."""
        out = self.run_file(text, '--again', '--break', '10us', commands=''
                            .join(f'set {change}\n' for change in changes) +
                            'continue\n')
        return out.split('Hash ')[1][:16], out

    def shown(self, what):
        return json.loads(self.lab('--json', 'show', 'last', what))

    def test_a_row_of_a_switch_can_be_changed(self):
        text = MIXED.replace('200KB', '2MB').replace(
            'incast, from: h-0-1', 'incast, from: [h-0-1, h-0-2]')
        plain, _ = self.set_and_finish(text=text)
        pauses = len(self.shown('pauses'))
        change = 't0-0 BUFFER_PROFILE|pg_lossless_100000_5m_profile dynamic_th'
        changed, out = self.set_and_finish(f'{change} -8', text=text)
        self.assertIn('mixed, seed 1: changed at', out)
        self.assertNotEqual(changed, plain)
        self.assertGreater(len(self.shown('pauses')), pauses)
        self.assertEqual(self.shown('changes'), [
            {'number': 0, 't_ps': 10000000, 'change': f'{change} -8'}])
        # The same again; another value; a change without effect.
        self.assertEqual(self.set_and_finish(f'{change} -8', text=text)[0],
                         changed)
        hashes = {plain, changed}
        for value in ('-7', '-1'):
            hashes.add(self.set_and_finish(f'{change} {value}', text=text)[0])
        self.assertEqual(len(hashes), 4)
        # What was changed is no result of the scenario.
        run, = self.json(text)['runs']
        self.assertFalse(run['existed'])
        self.assertEqual(run['hash'], plain)

    def test_a_link_can_be_changed(self):
        self.set_and_finish('link h-0-1 t0-0 down', text=CUT)
        flow = self.shown('flows')[0]
        self.assertNotEqual(flow['state'], 'done')
        self.assertLess(flow['bytes'], 2000000)
        self.set_and_finish('link h-0-1 t0-0 loss 100%', text=CUT)
        self.assertNotEqual(self.shown('flows')[0]['state'], 'done')
        _, out = self.set_and_finish(
            'link h-0-1 t0-0 down', 'link t0-0.h-0-1 down',
            'link t0-0.h-0-1 up', 'link t0-0.h-0-1 up', text=CUT)
        self.assertIn('the link is down already', out)
        self.assertIn('the link is up already', out)
        self.assertEqual([row['change'] for row in self.shown('changes')],
                         ['link h-0-1 t0-0 down', 'link t0-0.h-0-1 up'])
        self.set_and_finish('link h-0-2 t0-0 loss 1%',
                            'link h-0-1 t0-0 drop_every 10', text=CUT)
        drops = self.shown('drops')
        self.assertEqual({row['reason'] for row in drops}, {'fault'})
        self.assertGreater(sum(row['flow'] == 0 for row in drops), 5)
        self.set_and_finish('link h-0-1 t0-0 drop_every 10',
                            'link h-0-1 t0-0 loss 0', text=CUT)
        self.assertEqual(self.shown('drops'), [])

    def test_a_host_can_be_changed(self):
        # A slow bus behind the receiver: it asks for pauses.
        slow = MIXED.replace('{dcqcn: off}', '{pcie: gen3x16, '
                             'rx_fifo: {size: 300KB, xoff: 60KB, xon: 30KB}}')
        self.set_and_finish(text=slow)
        without = len(self.shown('pauses'))
        hash_, out = self.set_and_finish("host h-0-* pcie.lanes 1", text=slow)
        self.assertIn('changed at', out)
        self.assertGreater(len(self.shown('pauses')), without)
        self.assertEqual([row['change'] for row in self.shown('changes')],
                         ['host h-0-* pcie.lanes 1'])
        self.assertEqual(hash_, self.set_and_finish(
            "host h-0-* pcie.lanes 1", text=slow)[0])

    def test_the_response_of_a_switch_can_be_changed(self):
        # A slow bus behind the receiver asks for pauses after the change, so
        # all is as if the response was so from the start: too slow for the
        # FIFO.
        text = MIXED.replace('{dcqcn: off}', '{pcie: gen3x16, '
                             'rx_fifo: {size: 300KB, xoff: 200KB, xon: 90KB}}')
        slow = text.replace('100G}', '100G}, '
                            'switch: {t0: {pfc_response: 20us}}')
        lanes = 'host h-0-* pcie.lanes 1'

        def losses(text, *changes):
            self.set_and_finish(lanes, *changes, text=text)
            return [(row['t_ps'], row['node']) for row in self.shown('drops')]

        self.assertEqual(losses(text), [])
        changed = losses(text, 't0-0 pfc_response 20us')
        self.assertEqual([row['change'] for row in self.shown('changes')],
                         [lanes, 't0-0 pfc_response 20us'])
        self.assertNotEqual(changed, [])
        self.assertEqual(changed, losses(slow))
        self.assertEqual(losses(slow, 't0-0 pfc_response 0ns'), [])

    def test_wrong_changes_are_refused(self):
        cases = (
                ('', 'set needs what to change\n  remedy: set SWITCH'),
                ('t0-0', "expected: set SWITCH"),
                ('t0-0 PORT Ethernet0 mtu 9100', "expected: set SWITCH"),
                ('t0-0 PORT|Ethernet0 mtu', "expected: set SWITCH"),
                ('t0-1 PORT|Ethernet0 mtu 9100', "did you mean 't0-0'"),
                ('t0-0 PORT|Ethernet0 mut 9100', r"\(did you mean 'mtu'\?\)"),
                ('t0-0 BUFFER_PROFILE|pg_lossless_100000_5m_profile'
                 ' dynamic_th 42', 'out of range\n  allowed: -8..7'),
                ('t0-0 BUFFER_POOL|ingress_lossless_pool null', 'pending-delete'),
                ('t0-0 pfc_response', 'expected: set SWITCH pfc_response'),
                ('t0-0 pfc_response 1us now', 'expected: set SWITCH pfc_resp'),
                ('t0-1 pfc_response 1us', "did you mean 't0-0'"),
                ('t0-0 pfc_response 5', 'has no unit'),
                ('t0-0 pfc_response 2ms', "'2ms'; allowed is 0..1ms"),
                ('t0-0 pfc_response -1us', "'-1us'"),
                ('link', "expected: set link"),
                ('link h-0-1', "expected: set link"),
                ('link h-0-1 t0-0', "expected: set link"),
                ('link h-0-1 h-0-2 down', 'h-0-1.t0-0'),
                ('link h-0-1 t0-0 dwon', "did you mean 'down'"),
                ('link h-0-1 t0-0 down now', "expected: set link"),
                ('link h-0-1 t0-0 loss 2', "loss is a number in 0..1, not '2'"),
                ('link h-0-1 t0-0 loss x', "'x'"),
                ('link h-0-1 t0-0 drop_every 0', "in 1..4294967295, not '0'"),
                ('link h-0-1 t0-0 loss 0', 'loses nothing already'),
                ('host', 'expected: set host'),
                ('host h-0-1 burst', 'expected: set host'),
                ('host h-0-99 burst 2', 'there is no host'),
                ('host h-0-1 brust 2', r"\(did you mean 'burst'\?\)"),
                ('host h-0-1 mtu 512', "'mtu' of a host cannot be changed"),
                ('host h-0-1 burst 0', "'burst' is '0'; allowed is 1..256"),
                ('host h-0-1 burst {}', "no value of 'burst'"),
                ('host h-0-1 pfc.response 5', 'has no unit'),
                ('host h-0-1 pcie.lanes 4', "the host has no 'pcie'"),
                ('host h-0-1 rx_fifo.xon 4', "the host has no 'rx_fifo'"),
                ('host h-0-1 dcqcn.timer 5us', "the host has no 'dcqcn'"))
        hash_, out = self.set_and_finish(*(change for change, _ in cases))
        errors = out.split('orchlab: ')[1:]
        self.assertEqual(len(errors), len(cases))
        for (change, pattern), error in zip(cases, errors):
            self.assertRegex(error, pattern, change)
        # None of them has changed anything.
        self.assertIn('complete at', out)
        self.assertEqual(hash_, self.json(MIXED, '--again')['runs'][0]['hash'])

    def wait_for_progress(self, process):
        """Waits until the run has reported some virtual time."""
        for line in process.stderr:
            if json.loads(line)['virtual_ps'] > 0:
                return
        self.fail('the run has ended')

    def test_a_signal_interrupts(self):
        process = self.start('run', self.write(ENDLESS))
        self.wait_for_progress(process)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate()
        self.assertEqual(process.returncode, NO)
        self.assertIn('interrupted at', out)
        row, = json.loads(self.lab('--json', 'list'))
        self.assertEqual(row['state'], 'interrupted')
        flows = json.loads(self.lab('--json', 'show', 'last', 'flows'))
        self.assertEqual({flow['state'] for flow in flows}, {'running'})

    def test_a_killed_run_is_incomplete(self):
        process = self.start('run', self.write(ENDLESS))
        self.wait_for_progress(process)
        process.kill()
        process.communicate()
        row, = json.loads(self.lab('--json', 'list'))
        self.assertEqual(row['state'], 'incomplete')
        self.assertGreater(row['virtual_ps'], 0)
        self.assertIn('incomplete', self.lab('show', 'last'))

    def test_csv(self):
        self.run_file(STAR, '--csv', f'{self.folder}/csv')
        name, = (name for name in os.listdir(f'{self.folder}/csv')
                 if name.endswith('.flows.csv'))
        with open(f'{self.folder}/csv/{name}', encoding='utf-8') as file:
            row, = csv.DictReader(file)
        self.assertEqual(row['bytes'], '2000000')


if __name__ == '__main__':
    unittest.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""orchlab on results files of a synthetic run (tests/support/lab_results.h)."""
import csv
import io
import json
import os
import shutil
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
    def test_list_says_what_is_complete(self):
        rows = self.json('list')
        self.assertEqual([row['state'] for row in rows],
                         ['complete', 'complete', 'incomplete'])
        self.assertEqual(rows[2]['virtual_ps'], 99000000)
        self.assertRegex(self.lab('list'), r'00000000 two-racks +7 incomplete')

    def test_a_missing_folder_is_empty(self):
        run = self.run_lab('list', '--results', '/nowhere')
        self.assertEqual((run.returncode, run.stdout),
                         (DONE, 'No results in /nowhere\n'))

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
        self.assertIn('2 rows are shown', self.lab('show', 'RUN', 'flows',
                                                   '--limit', '2'))

    def test_every_list_in_every_form(self):
        for name in ('flows messages links pauses queues drops paths counters '
                     'series oracles params latency verdicts summary').split():
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
                             (1,))
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
        self.refuse(USAGE, r"did you mean 'flow.fct'", 'metric',
                    'max(flow.ftc)', 'RUN')


class Plot(Lab):
    def test_every_template_has_data(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in os.listdir(f'{SOURCE}/lab/figs'):
                # The run has no messages.
                code = NO if name == 'latency.gp' else DONE
                self.lab('plot', 'RUN', name[:-3], '--data', folder, code=code)
            with open(f'{folder}/cdf.dat', encoding='utf-8'):
                pass

    def test_list(self):
        self.assertRegex(self.lab('plot', 'RUN'), r'fct +Completion times')
        names = [row['figure'] for row in self.json('plot', 'RUN')]
        self.assertEqual(names, ['fct', 'goodput', 'latency', 'links',
                                 'pauses', 'series'])

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

    def test_errors(self):
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
        for verb in ('list', 'show', 'explain', 'metric', 'plot', 'compare'):
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
        self.refuse(UNREACHABLE, 'cannot read /nowhere/x.sqlite', 'show',
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


if __name__ == '__main__':
    unittest.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""orchlab run --merge: one results file for all runs of a sweep, whatever is
killed."""
import contextlib
import fcntl
import glob
import json
import os
import shutil
import sqlite3
import subprocess
import tempfile
import time
import unittest

BUILD = os.environ.get('top_builddir', '.')
ORCHLAB = os.path.abspath(f'{BUILD}/orchlab/orchlab')
DONE, NO, USAGE, UNREACHABLE = range(4)
PATIENCE_S = 180

SCENARIO = '''name: little
fabric: {star: {hosts: 4}}
traffic: [{rc: {pattern: incast, from: all, to: h-0-0, size: 4KB}}]
stop: 50us
expect: [{name: 'figure: fct', metric: max(flow.fct), max: 1s}]
sweep: {traffic.0.rc.size: [4KB, 8KB, 16KB]}
'''


class Merge(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix='merge')
        self.addCleanup(shutil.rmtree, self.folder)
        self.results = f'{self.folder}/results'
        self.merged = f'{self.results}/little.sqlite'
        self.file = f'{self.folder}/little.yaml'
        with open(self.file, 'w', encoding='utf-8') as file:
            file.write(SCENARIO)

    def lab(self, *words, code=DONE, results=None):
        run = subprocess.run(
            [ORCHLAB, '--json', '--results', results or self.results, *words],
            capture_output=True, text=True, timeout=PATIENCE_S)
        self.assertEqual(run.returncode, code, run.stderr)
        return run

    def runs(self, *words, code=DONE, results=None):
        run = self.lab('run', self.file, '--quiet', *words, code=code,
                       results=results)
        return json.loads(run.stdout)['runs']

    def alone(self, *words):
        """The same runs, each with a file of its own."""
        return self.runs(*words, results=f'{self.folder}/alone')

    @staticmethod
    def select(path, sql):
        with contextlib.closing(sqlite3.connect(
                f'file:{path}?mode=ro', uri=True)) as file:
            return file.execute(sql).fetchall()

    def tables(self, path):
        return [name for name, in self.select(
            path, "SELECT name FROM sqlite_master WHERE type = 'table'")]

    def contents(self, path, table, run):
        """The rows of a run without its number and what no two runs share."""
        with contextlib.closing(sqlite3.connect(
                f'file:{path}?mode=ro', uri=True)) as file:
            rows = file.execute(f'SELECT * FROM {table} WHERE run = {run}')
            names = [column[0] for column in rows.description]
            return [tuple(value for name, value in zip(names, row) if name not
                          in ('run', 'wall_ns', 'started')) for row in rows]

    def check(self, n):
        """There is one file, with the results of the runs of 'n' seeds."""
        self.assertEqual(os.listdir(self.results), ['little.sqlite'])
        alone = self.alone('--seed', f'1..{n}')
        rows = self.select(self.merged, 'SELECT key, hash, state FROM runs')
        self.assertEqual(
            sorted(rows),
            sorted((run['key'], run['hash'], 'complete') for run in alone))
        numbers = dict(self.select(self.merged, 'SELECT key, run FROM runs'))
        for run in alone[:6]:
            for table in ('params', 'flows', 'verdicts', 'counters'):
                self.assertEqual(
                    self.contents(self.merged, table, numbers[run['key']]),
                    self.contents(run['file'], table, 1))
        for table in self.tables(self.merged):
            self.assertEqual(
                self.select(self.merged, f'SELECT count(*) FROM {table} WHERE '
                                         'run NOT IN (SELECT run FROM runs)'),
                [(0,)])
        self.assertEqual(self.select(self.merged, 'PRAGMA integrity_check'),
                         [('ok',)])

    def test_rows_are_those_of_single_files(self):
        alone = self.alone('--seed', '1..2')
        runs = self.runs('--seed', '1..2', '--merge')
        self.assertEqual(len(runs), 6)
        tables = self.tables(self.merged)
        self.assertIn('verdicts', tables)
        for one, other in zip(alone, runs):
            path, number = other['file'].split('#')
            self.assertEqual(path, self.merged)
            self.assertEqual({**one, 'file': '', 'wall_ns': 0, 'hops_per_s': 0},
                             {**other, 'file': '', 'wall_ns': 0,
                              'hops_per_s': 0})
            for table in tables:
                self.assertEqual(self.contents(one['file'], table, 1),
                                 self.contents(path, table, number))
        with open(self.merged, 'rb') as file:
            self.assertEqual(file.read(20)[18:], b'\1\1')  # Not in WAL mode.
        self.check(2)

    def test_runs_that_are_merged_are_not_repeated(self):
        first = self.runs('--seed', '1', '--merge')
        for words in (['--merge'], [], ['--executor', 'local', '--merge']):
            runs = self.runs('--seed', '1', *words)
            self.assertEqual([run['existed'] for run in runs], [True] * 3)
            self.assertEqual([run['file'] for run in runs],
                             [run['file'] for run in first])
            self.assertEqual([run['verdicts'] for run in runs],
                             [run['verdicts'] for run in first])
        runs = self.runs('--seed', '1..2', '--merge')
        self.assertEqual([run['existed'] for run in runs],
                         [True, False] * 3)
        self.check(2)
        again = self.runs('--seed', '1..2', '--merge', '--again')
        self.assertEqual([run['existed'] for run in again], [False] * 6)
        self.assertEqual([run['file'] for run in again],
                         [run['file'] for run in runs])
        self.check(2)

    @unittest.skipUnless(shutil.which('parallel'), 'needs GNU parallel')
    def test_runs_of_an_executor_and_earlier_ones(self):
        self.runs('--seed', '1..2')
        self.runs('--seed', '1..4', '--merge', '--executor', 'local:2')
        self.check(4)

    def test_killed_at_any_time(self):
        n = 20
        words = [ORCHLAB, '--results', self.results, 'run', self.file,
                 '--quiet', '--seed', f'1..{n}', '--merge']
        end = time.monotonic() + PATIENCE_S
        before = 0
        for _ in range(5):
            with subprocess.Popen(words, stdout=subprocess.DEVNULL) as lab:
                count = before
                while count < before + 3 and lab.poll() is None:
                    self.assertLess(time.monotonic(), end)
                    with contextlib.suppress(sqlite3.OperationalError):
                        count = self.select(self.merged,
                                            'SELECT count(*) FROM runs')[0][0]
                lab.kill()
            now = self.select(self.merged, 'SELECT count(*) FROM runs')[0][0]
            self.assertGreaterEqual(now, count)  # What was there stays.
            before = now
        runs = self.runs('--seed', f'1..{n}', '--merge')
        self.assertGreaterEqual(sum(run['existed'] for run in runs), 3)
        for path in glob.glob(f'{self.results}/*.lock'):
            os.unlink(path)  # Of the runs that were killed.
        self.check(n)

    def test_killed_before_the_single_file_was_removed(self):
        run = self.alone('--seed', '1')[1]
        self.runs('--seed', '1', '--merge')
        shutil.copy(run['file'], self.results)
        runs = self.runs('--seed', '1', '--merge')
        self.assertEqual([run['existed'] for run in runs], [True] * 3)
        self.check(1)

    def test_another_process_moves_a_run_meanwhile(self):
        self.runs('--seed', '1', '--only', '1', '--merge')
        other = f'{self.folder}/other.sqlite'
        os.rename(self.merged, other)
        path = self.runs('--seed', '1', '--only', '1')[0]['file']
        with open(f'{path}.lock', 'w', encoding='ascii') as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            with subprocess.Popen(
                    [ORCHLAB, '--json', '--results', self.results, 'run',
                     self.file, '--seed', '1', '--only', '1', '--merge'],
                    stdout=subprocess.PIPE, text=True) as lab:
                end = time.monotonic() + PATIENCE_S
                while not self.waits(lab.pid):
                    self.assertLess(time.monotonic(), end)
                    self.assertIsNone(lab.poll())
                with contextlib.closing(sqlite3.connect(self.merged)) as file:
                    file.execute('ATTACH ? AS other', (other,))
                    file.execute('INSERT INTO runs SELECT * FROM other.runs')
                    file.commit()
                os.unlink(path)
                fcntl.flock(lock, fcntl.LOCK_UN)
                run = json.loads(lab.communicate()[0])['runs'][0]
        self.assertEqual((run['state'], run['file']),
                         ('complete', f'{self.merged}#1'))

    @staticmethod
    def waits(pid):
        """Whether the process waits for a lock."""
        with open('/proc/locks', encoding='ascii') as file:
            return any(line.split()[1] == '->' and f' {pid} ' in line
                       for line in file)

    def test_files_that_cannot_have_runs(self):
        """The first run has not begun then, and the file is as before."""
        def write_text():
            with open(self.merged, 'w', encoding='ascii') as file:
                file.write('no database')

        def write_other():
            with contextlib.closing(sqlite3.connect(self.merged)) as file:
                file.execute('CREATE TABLE other (column)')

        def write_older():
            self.runs('--seed', '1', '--merge')
            with contextlib.closing(sqlite3.connect(self.merged)) as file:
                file.execute('PRAGMA user_version = 8')

        for write, reason in ((write_text, 'is not a results file'),
                              (write_other, 'is not a results file'),
                              (write_older, 'has version 8')):
            os.mkdir(self.results)
            write()
            with open(self.merged, 'rb') as file:
                before = file.read()
            run = self.lab('run', self.file, '--merge', '--again', code=USAGE)
            self.assertIn(reason, run.stderr)
            self.assertIn('--results FOLDER', run.stderr)
            self.assertEqual(os.listdir(self.results), ['little.sqlite'])
            with open(self.merged, 'rb') as file:
                self.assertEqual(file.read(), before)
            shutil.rmtree(self.results)
        os.makedirs(self.merged)
        run = self.lab('run', self.file, '--merge', code=USAGE)
        self.assertIn('is not a file', run.stderr)
        self.assertEqual(os.listdir(self.results), ['little.sqlite'])

    def test_numbers_of_runs(self):
        self.runs('--seed', '1', '--merge')
        self.lab('show', f'{self.merged}#3')
        for word, code, reason in (
                ('#7', UNREACHABLE, 'its last run is #3'),
                ('#x', USAGE, "'x' is no number of a run"),
                ('#', USAGE, "'' is no number of a run"),
                ('#0', USAGE, "'0' is no number of a run"),
                ('', USAGE, 'has 3 runs')):
            for before, behind in ((['show'], []), (['plot'], ['fct']),
                                   (['compare', f'{self.merged}#1'], []),
                                   (['explain', 'flow', '0'], [])):
                run = self.lab(*before, self.merged + word, *behind, code=code)
                self.assertIn(reason, run.stderr)

    def test_killed_before_there_were_tables(self):
        os.mkdir(self.results)
        with open(self.merged, 'wb'):
            pass
        self.runs('--seed', '1', '--merge')
        self.check(1)

    def test_two_commands_at_a_time(self):
        labs = [subprocess.Popen(
            [ORCHLAB, '--results', self.results, 'run', self.file, '--quiet',
             '--seed', seeds, '--merge'], stdout=subprocess.DEVNULL)
            for seeds in ('1..4', '3..6')]
        for lab in labs:
            self.assertEqual(lab.wait(PATIENCE_S), DONE)
        self.check(6)

    @unittest.skipUnless(shutil.which('parallel'), 'needs GNU parallel')
    def test_a_failed_run_is_a_row_with_its_reason(self):
        path = self.runs('--seed', '1', '--only', '1')[0]['file']
        os.unlink(path)
        os.mkdir(path)  # Where its results would be.
        words = ('--seed', '1', '--merge', '--executor', 'local')
        runs = self.runs(*words, code=NO)
        self.assertEqual([run['state'] for run in runs],
                         ['complete', 'failed', 'complete'])
        number = runs[1]['file'].split('#')[1]
        rows = self.select(self.merged, 'SELECT state, reason, seed FROM runs '
                                        f'WHERE run = {number}')
        self.assertEqual(rows, [('failed', runs[1]['reason'], 1)])
        self.assertIn('cannot replace', runs[1]['reason'])
        self.assertEqual(
            self.select(self.merged, 'SELECT name, value FROM params WHERE '
                                     f'run = {number}'),
            [('traffic.0.rc.size', '8KB')])
        # It fails again, and then does not: the row is the same.
        self.runs(*words, code=NO)
        os.rmdir(path)
        again = self.runs(*words)
        self.assertEqual([run['existed'] for run in again],
                         [True, False, True])
        self.assertEqual(again[1]['file'], runs[1]['file'])
        self.check(1)

    def test_read_as_other_files(self):
        alone = f'{self.folder}/alone'
        single = self.alone('--seed', '1')
        merged = self.runs('--seed', '1', '--merge')
        listed = [json.loads(self.lab('list', results=folder).stdout)
                  for folder in (alone, self.results)]
        self.assertEqual(*[sorted((run['key'], run['hash'], run['passed'])
                                  for run in runs) for runs in listed])
        for one, other in zip(single, merged):
            for before, after in ((['show'], []), (['show'], ['flows']),
                                  (['show'], ['counters']),
                                  (['explain', 'flow', '0'], []),
                                  (['metric', 'max(flow.fct)'], [])):
                shown = [json.loads(self.lab(*before, run['file'],
                                             *after).stdout)
                         for run in (one, other)]
                for answer in shown:
                    for key in ('file', 'wall_ns', 'started'):
                        if isinstance(answer, dict):
                            answer.pop(key, None)
                self.assertEqual(*shown)
            self.lab('compare', one['file'], other['file'])
            by_key = json.loads(self.lab('show', one['key'][:8]).stdout)
            self.assertEqual(by_key['hash'], one['hash'])
        self.lab('compare', merged[0]['file'], merged[1]['file'], code=NO)
        data = []
        for folder in (alone, self.results):
            self.lab('plot', 'little', 'sweep', '--data', f'{folder}.data',
                     results=folder)
            texts = []
            for path in sorted(glob.glob(f'{folder}.data/*')):
                with open(path, encoding='utf-8') as file:
                    texts.append(file.read().replace(folder, ''))
            data.append(texts)
        self.assertTrue(data[0])
        self.assertEqual(*data)
        run = self.lab('show', f'{self.merged}#99', code=UNREACHABLE)
        self.assertIn('little.sqlite has no run 99', run.stderr)

    def test_csv_has_a_file_for_each_run(self):
        self.runs('--seed', '1', '--merge')
        runs = self.runs('--seed', '1', '--merge', '--csv',
                         f'{self.folder}/csv')
        self.assertEqual(
            sorted(os.path.basename(path) for path in
                   glob.glob(f'{self.folder}/csv/*.flows.csv')),
            sorted(f'little-{run["key"][:8]}.flows.csv' for run in runs))


if __name__ == '__main__':
    unittest.main()

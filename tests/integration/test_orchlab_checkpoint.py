#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""orchlab run --checkpoint: a run that goes on after kill -9 of everything."""
import contextlib
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
SOURCE = os.environ.get('top_srcdir', '.')
ORCHLAB = os.path.abspath(f'{BUILD}/orchlab/orchlab')
DONE, NO, USAGE, UNREACHABLE = range(4)
PATIENCE_S = 180

# Marks, pauses, random numbers, and an event long after the first checkpoint.
SCENARIO = '''name: long
fabric:
  clos: {t0: 2, t1: 2, hosts: 4, rate: 100G}
  switch: {t0: {config: t0-32x100g}, t1: {config: t1-64x100g}}
hosts: {default: {dcqcn: paper}}
traffic:
  - {name: a, jitter: 50us,
     rc: {pattern: permutation, size: 256KB, repeat: inf}}
  - {name: b, jitter: 300us,
     rc: {pattern: fan_in, n: 5, size: 64KB, repeat: inf, every: 200us}}
faults: [{down: true, link: t0-0.t1-0, at: 2ms, for: 300us}]
stop: 3ms
record: {messages: true, series: {every: 50us, of: queue.depth, at: t0-0}}
'''


class Checkpoint(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix='checkpoint')
        self.addCleanup(shutil.rmtree, self.folder)
        self.results = f'{self.folder}/results'
        self.file = self.write(SCENARIO)

    def write(self, text):
        path = f'{self.folder}/long.yaml'
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)
        return path

    def words(self, *words, results=None):
        return [ORCHLAB, '--json', '--results', results or self.results, 'run',
                self.file, *words]

    def run_lab(self, *words, code=DONE, results=None):
        run = subprocess.run(self.words(*words, results=results),
                             capture_output=True, text=True,
                             timeout=PATIENCE_S)
        if '--checkpoint needs Linux' in run.stderr:
            self.skipTest(run.stderr)
        self.assertEqual(run.returncode, code, run.stderr)
        return run

    @staticmethod
    def children(pid):
        found = subprocess.run(['pgrep', '-P', str(pid)], capture_output=True,
                               text=True)
        return [int(word) for word in found.stdout.split()]

    def saved(self):
        """When the last checkpoint was written."""
        try:
            return max(os.stat(path).st_mtime_ns for path in
                       glob.glob(f'{self.results}/*.checkpoint'))
        except (ValueError, FileNotFoundError):
            return 0

    def kill_after_a_checkpoint(self):
        """Runs up to the next checkpoint, and kills everything then."""
        before = self.saved()
        end = time.monotonic() + PATIENCE_S
        with subprocess.Popen(self.words('--checkpoint', 'every=500us'),
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) as lab:
            while self.saved() == before:
                self.assertLess(time.monotonic(), end)
                if lab.poll() is not None:
                    errors = lab.stderr.read()
                    if '--checkpoint needs Linux' in errors:
                        self.skipTest(errors)
                    self.fail(errors)
            runs = self.children(lab.pid)
            lab.kill()
            said = lab.stderr.read()
        # The run ends with the command.
        while any(os.path.exists(f'/proc/{pid}') for pid in runs):
            self.assertLess(time.monotonic(), end)
        return said

    @staticmethod
    def contents(path, table, columns='*'):
        """The rows, without what differs between runs unless it is named."""
        left = {'wall_ns', 'started'} if columns == '*' else set()
        with contextlib.closing(
                sqlite3.connect(f'file:{path}?mode=ro', uri=True)) as file:
            rows = file.execute(f'SELECT {columns} FROM {table}')
            names = [column[0] for column in rows.description]
            return sorted(
                (tuple(value for name, value in zip(names, row)
                       if name not in left) for row in rows), key=repr)

    def test_goes_on_after_kills(self):
        alone = json.loads(self.run_lab(results=f'{self.folder}/alone').stdout)
        said = [self.kill_after_a_checkpoint() for _ in range(3)]
        self.assertNotIn('goes on', said[0])
        self.assertIn('goes on from its checkpoint at 500 us', said[1])
        self.assertIn('goes on from its checkpoint at 1000 us', said[2])
        started = self.contents(glob.glob(f'{self.results}/*.sqlite')[0],
                                'runs', 'started')
        # Another environment moves what is on the stack at first.
        os.environ['CHECKPOINT_TEST'] = 1000 * 'x'
        self.addCleanup(os.environ.pop, 'CHECKPOINT_TEST')
        run = self.run_lab('--checkpoint', 'every=500us')
        self.assertIn('goes on from its checkpoint at 1500 us', run.stderr)
        runs = json.loads(run.stdout)['runs']
        self.assertEqual((runs[0]['state'], runs[0]['hash']),
                         ('complete', alone['runs'][0]['hash']))
        # Everything that was recorded, not only the hash.
        self.assertEqual(self.contents(runs[0]['file'], 'runs', 'started'),
                         started)
        tables = [name for name, in self.contents(
            runs[0]['file'], "sqlite_master WHERE type = 'table'", 'name')]
        self.assertIn('messages', tables)
        for table in tables:
            self.assertEqual(self.contents(runs[0]['file'], table),
                             self.contents(alone['runs'][0]['file'], table))
        self.assertEqual(self.contents(runs[0]['file'],
                                       'pragma_integrity_check'), [('ok',)])
        with open(runs[0]['file'], 'rb') as file:
            self.assertEqual(file.read(20)[18:], b'\1\1')  # Not in WAL mode.
        # Nothing is left, and the run is not repeated.
        self.assertEqual(os.listdir(self.results),
                         [os.path.basename(runs[0]['file'])])
        again = json.loads(self.run_lab('--checkpoint', 'every=500us').stdout)
        self.assertTrue(again['runs'][0]['existed'])

    def test_only_the_run_is_killed(self):
        self.kill_after_a_checkpoint()
        with subprocess.Popen(self.words('--checkpoint', 'every=500us'),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as lab:
            end = time.monotonic() + PATIENCE_S
            before = self.saved()
            while self.saved() == before:
                self.assertLess(time.monotonic(), end)
                self.assertIsNone(lab.poll())
            for pid in self.children(lab.pid):
                os.kill(pid, 9)
            out, errors = lab.communicate(timeout=PATIENCE_S)
        self.assertNotEqual(lab.returncode, DONE, errors)
        run = self.run_lab('--checkpoint', 'every=500us')
        self.assertIn('goes on from its checkpoint', run.stderr)
        alone = json.loads(self.run_lab(results=f'{self.folder}/alone').stdout)
        self.assertEqual(json.loads(run.stdout)['runs'][0]['hash'],
                         alone['runs'][0]['hash'])

    def test_no_checkpoint_in_the_file(self):
        self.kill_after_a_checkpoint()
        path = glob.glob(f'{self.results}/*.checkpoint')[0]
        with open(path, 'r+b') as file:
            file.write(b'something')
        run = self.run_lab('--checkpoint', 'every=1ms')
        self.assertIn('the run begins again: ', run.stderr)
        self.assertEqual(json.loads(run.stdout)['runs'][0]['state'],
                         'complete')

    def test_an_image_of_another_program(self):
        self.kill_after_a_checkpoint()
        path = glob.glob(f'{self.results}/*.checkpoint')[0]
        with open(path, 'r+b') as file:
            image = file.read()
            # A file that is mapped elsewhere.
            file.seek(image.index(b'libsqlite3'))
            file.write(b'libsqlite4')
        run = self.run_lab('--checkpoint', 'every=1ms')
        self.assertIn('of another program, library or kernel', run.stderr)
        self.assertEqual(json.loads(run.stdout)['runs'][0]['state'],
                         'complete')

    def test_wrong_use(self):
        for words, pattern in (
                (['--checkpoint', '5ms'], "'5ms' is no interval.*\n.*every="),
                (['--checkpoint', 'every=0'], 'is no interval'),
                (['--checkpoint', 'every=5'], 'is no interval'),
                (['--checkpoint', 'every=1ms', '--seed', '1..2'],
                 'for one run, and 2 are chosen'),
                (['--checkpoint', 'every=1ms', '--executor', 'local'],
                 'cannot be combined'),
                (['--checkpoint', 'every=1ms', '--interactive'],
                 'cannot be combined'),
                (['--checkpoint', 'every=1ms', '--set',
                  'record={pcap: t0-0.t1-0}'], 'captures has no checkpoints')):
            run = self.run_lab(*words, code=USAGE)
            self.assertRegex(run.stderr, pattern)


if __name__ == '__main__':
    unittest.main()

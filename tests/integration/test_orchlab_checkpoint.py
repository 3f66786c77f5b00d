#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""orchlab run --checkpoint: a run that goes on after kill -9 of everything."""
import contextlib
import ctypes
import glob
import json
import os
import re
import resource
import select
import shutil
import signal
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
IN_MOVED_TO = 0x80  # <sys/inotify.h>

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
    hash_alone = None  # The result of SCENARIO without checkpoints.

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

    def expect_hash(self, run):
        """The result is that of a run without checkpoints."""
        if Checkpoint.hash_alone is None:
            alone = self.run_lab(results=f'{self.folder}/alone')
            Checkpoint.hash_alone = json.loads(alone.stdout)['runs'][0]['hash']
        self.assertEqual((run['state'], run['hash']),
                         ('complete', Checkpoint.hash_alone))

    def wait_for_checkpoint(self, lab, before):
        """Waits until there is a newer checkpoint than 'before', without taking
        the processor from what writes it."""
        os.makedirs(self.results, exist_ok=True)
        libc = ctypes.CDLL(None, use_errno=True)
        watch = libc.inotify_init1(0)
        try:
            self.assertGreaterEqual(libc.inotify_add_watch(
                watch, self.results.encode(), IN_MOVED_TO), 0)
            end = time.monotonic() + PATIENCE_S
            while self.saved() == before:
                self.assertLess(time.monotonic(), end)
                if lab.poll() is not None:
                    errors = lab.stderr.read()
                    if '--checkpoint needs Linux' in errors:
                        self.skipTest(errors)
                    self.fail(errors)
                # A second, as the end of the run gives no name to a file.
                if select.select([watch], [], [], 1)[0]:
                    os.read(watch, 4096)
        finally:
            os.close(watch)

    def wait_for_end(self, process):
        """Waits until a process that is not a child of the test has ended."""
        with contextlib.suppress(ProcessLookupError):
            handle = os.pidfd_open(process)
            ended, _, _ = select.select([handle], [], [], PATIENCE_S)
            os.close(handle)
            self.assertTrue(ended)

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
        with subprocess.Popen(self.words('--checkpoint', 'every=500us'),
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) as lab:
            self.wait_for_checkpoint(lab, before)
            runs = self.children(lab.pid)
            lab.kill()
            said = lab.stderr.read()
        for run in runs:  # It ends with the command.
            self.wait_for_end(run)
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
            self.wait_for_checkpoint(lab, self.saved())
            for pid in self.children(lab.pid):
                os.kill(pid, 9)
            out, errors = lab.communicate(timeout=PATIENCE_S)
        self.assertNotEqual(lab.returncode, DONE, errors)
        run = self.run_lab('--checkpoint', 'every=500us')
        self.assertIn('goes on from its checkpoint', run.stderr)
        self.expect_hash(json.loads(run.stdout)['runs'][0])

    def checkpoint(self):
        return glob.glob(f'{self.results}/*.checkpoint')[0]

    def finish(self, *patterns, at=None):
        """Runs to the end; 'patterns' are in what it says, in this order, and
        'at' is from when it goes on, None: it begins again."""
        run = self.run_lab('--checkpoint', 'every=500us')
        self.assertRegex(run.stderr, '(?s)' + '.*'.join(patterns))
        if at is None:
            self.assertNotIn('goes on from', run.stderr)
        else:
            self.assertIn(f'goes on from its checkpoint at {at} us', run.stderr)
            self.assertNotIn('begins again', run.stderr)
        runs = json.loads(run.stdout)['runs']
        self.expect_hash(runs[0])
        self.assertEqual(os.listdir(self.results),
                         [os.path.basename(runs[0]['file'])])

    @staticmethod
    def cut(path, by=1):
        os.truncate(path, os.stat(path).st_size - by)

    @staticmethod
    def damage(path, at):
        """Changes a bit, 'at' of the way through the file."""
        with open(path, 'r+b') as file:
            place = int(at * os.stat(path).st_size)
            file.seek(place)
            byte = file.read(1)[0]
            file.seek(place)
            file.write(bytes([byte ^ 4]))

    def test_no_checkpoint_in_the_file(self):
        self.kill_after_a_checkpoint()
        with open(self.checkpoint(), 'wb') as file:
            file.write(b'something')
        self.finish('refused: .* is no checkpoint', 'The run begins again')

    def test_a_cut_file_gives_way_to_the_one_before(self):
        self.kill_after_a_checkpoint()
        self.kill_after_a_checkpoint()
        size = os.stat(self.checkpoint()).st_size
        self.cut(self.checkpoint())
        self.finish('refused: .* is cut: it has '
                    f'{size - 1} bytes of {size}', at=500)

    def test_a_damaged_file_gives_way_to_the_one_before(self):
        for at in (0.00003, 0.5, 0.9999):
            self.kill_after_a_checkpoint()
            self.kill_after_a_checkpoint()
            self.damage(self.checkpoint(), at)
            self.finish('refused: .* is damaged', at=500)
            shutil.rmtree(self.results)

    def test_a_refused_file_does_not_replace_the_one_before(self):
        self.kill_after_a_checkpoint()  # 500 us
        self.kill_after_a_checkpoint()  # 1000 us
        self.damage(self.checkpoint(), 0.5)
        self.kill_after_a_checkpoint()  # 1000 us again, from 500 us.
        self.damage(self.checkpoint(), 0.5)
        self.finish('refused: .* is damaged', at=500)

    def test_two_bad_files_are_no_start(self):
        self.kill_after_a_checkpoint()
        self.kill_after_a_checkpoint()
        self.cut(self.checkpoint())
        self.cut(self.checkpoint() + '.old', by=100)
        self.finish('refused: .*checkpoint is cut',
                    'refused: .*checkpoint.old is cut', 'The run begins again')

    def test_killed_between_both_names(self):
        self.kill_after_a_checkpoint()
        os.rename(self.checkpoint(), self.checkpoint() + '.old')
        self.finish(at=500)

    def test_another_program(self):
        self.kill_after_a_checkpoint()
        os.environ['LD_PRELOAD'] = 'libBrokenLocale.so.1'
        self.addCleanup(os.environ.pop, 'LD_PRELOAD')
        self.finish('refused: .* another program, library or kernel',
                    'The run begins again')

    def start(self, every, **options):
        """Starts a run; returns it after its first checkpoint."""
        lab = subprocess.Popen(self.words('--checkpoint', f'every={every}'),
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True, **options)
        self.addCleanup(lab.communicate)
        self.wait_for_checkpoint(lab, 0)
        return lab

    def test_a_run_does_not_outlive_its_command(self):
        """Also one that reads no commands."""
        lab = self.start('100us')
        run, = self.children(lab.pid)
        os.kill(run, signal.SIGSTOP)
        lab.kill()
        self.wait_for_end(run)

    def test_a_signal_interrupts(self):
        """A terminal sends it to the run, too."""
        lab = self.start('100us')
        run, = self.children(lab.pid)
        lab.send_signal(signal.SIGINT)
        os.kill(run, signal.SIGINT)
        said, _ = lab.communicate(timeout=PATIENCE_S)
        self.assertEqual(lab.returncode, NO)
        self.assertEqual(json.loads(said)['runs'][0]['state'], 'interrupted')
        run = self.run_lab('--checkpoint', 'every=500us')
        self.assertIn('goes on from its checkpoint', run.stderr)
        self.expect_hash(json.loads(run.stdout)['runs'][0])

    def test_a_full_disk(self):
        # Without SIGXFSZ a file that is too long is as a full disk.
        lab = self.start('100us', restore_signals=False)
        resource.prlimit(lab.pid, resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
        out, errors = lab.communicate(timeout=PATIENCE_S)
        self.assertEqual(lab.returncode, DONE, errors)
        self.assertRegex(errors, r'no checkpoint at \d+ us: cannot write .*File '
                                 r'too large\n  the one of \d+00 us stays\n')
        self.expect_hash(json.loads(out)['runs'][0])

    def test_what_a_full_disk_leaves(self):
        lab = self.start('100us', restore_signals=False)
        resource.prlimit(lab.pid, resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
        stays = re.search(r'the one of (\d+) us stays', lab.stderr.readline() +
                          lab.stderr.readline())
        lab.kill()
        lab.communicate()
        self.assertFalse(glob.glob(f'{self.results}/*.new'))
        self.finish(at=stays[1])

    def test_a_reader_of_the_results(self):
        lab = self.start('100us')
        path = glob.glob(f'{self.results}/*.sqlite')[0]
        with contextlib.closing(sqlite3.connect(path)) as file:
            rows = file.execute('SELECT * FROM nodes')
            rows.fetchone()  # It holds the file until all are read.
            errors = lab.stderr.readline()
            self.assertRegex(errors, r'no checkpoint at \d+ us: another process'
                                     f' reads {path}\n')
            rows.close()
        _, errors = lab.communicate(timeout=PATIENCE_S)
        self.assertEqual(lab.returncode, DONE, errors)

    def test_folders_that_cannot_be_written(self):
        file = f'{self.folder}/file'
        with open(file, 'w', encoding='ascii'):
            pass
        for folder, pattern in (
                (file, 'there is a file of that name'),
                (f'{file}/below', 'Not a directory'),
                ('/proc/nowhere', 'No such file or directory')):
            run = self.run_lab('--checkpoint', 'every=10us', code=UNREACHABLE,
                               results=folder)
            self.assertRegex(run.stderr, f'cannot create folder {folder}: '
                                         f'{pattern}\n.*--results FOLDER')

    def test_wrong_use(self):
        for words, pattern in (
                (['--checkpoint', '5ms'], "'5ms' is no interval.*\n.*every="),
                (['--checkpoint', 'every=0'], 'is no interval.*\n  allowed: '
                 'every=TIME, more than 0, before the end'),
                (['--checkpoint', 'every=-1ms'], 'is no interval'),
                (['--checkpoint', 'evry=1ms'], 'is no interval'),
                (['--checkpoint', 'every=315360000s'], 'is no interval'),
                (['--checkpoint', 'every=1000s'], 'the run ends at 3000 us, '
                 'before its first.*1000000000 us\n.*shorter'),
                (['--checkpoint', 'every=3ms'], 'before its first checkpoint'),
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

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mpirun -n N orchlab run --checkpoint: a run on several ranks that goes on after
kill -9 of everything.

RANKS_LIBRARY=openmpi or mpich says with which MPI the program was built; without
it nothing is tested.  CHECKPOINT_SEED chooses the moments of kills, and
CHECKPOINT_KILLS how many there are."""
import contextlib
import glob
import os
import random
import re
import resource
import shutil
import signal
import struct
import subprocess
import tempfile
import time
import unittest

from test_orchlab_ranks import (BUILD, LIBRARY, SECONDS, TABLES, descendants,
                                outermost, rank_of, rows_of, words_of)

SEED = int(os.environ.get('CHECKPOINT_SEED', '1'))
KILLS = int(os.environ.get('CHECKPOINT_KILLS', '3'))
DONE, NO, USAGE = range(3)
HEADER = struct.Struct('<8sqQIIqq')  # Of checkpoint_file.c, up to its number.

# Marks, random numbers, and flows between ranks; few and long windows.
SCENARIO = '''name: long
seed: 7
fabric: {clos: {t0: 4, hosts: 2, t1: 1, rate: 100G}, links: {t0_t1: 2km}}
hosts: {default: {dcqcn: paper}}
traffic:
  - {name: a, jitter: 50us,
     rc: {pattern: permutation, size: 64KB, repeat: inf}}
  - {name: b, jitter: 100us,
     rc: {pattern: fan_in, n: 3, size: 32KB, repeat: inf, every: 100us}}
record: {messages: true, series: {every: 50us, of: queue.depth, at: t0-0}}
stop: 1500us
'''
EVERY_US = 200
EVERY = ['--checkpoint', f'every={EVERY_US}us']
SELDOM = ['--checkpoint', 'every=1400us']


@unittest.skipUnless(LIBRARY, 'RANKS_LIBRARY is not set')
class RanksCheckpoint(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix='ranks-checkpoint')
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.file = f'{cls.folder}/long.yaml'
        with open(cls.file, 'w', encoding='utf-8') as file:
            file.write(SCENARIO)
        cls.alone = f'{cls.folder}/alone'
        answer = subprocess.run(words_of(1, cls.alone, cls.file, '--quiet'),
                                text=True, capture_output=True,
                                timeout=SECONDS, check=True)
        cls.hash = re.search('Hash ([0-9a-f]+)', answer.stdout).group(1)

    def setUp(self):
        self.results = f'{self.folder}/results'
        self.addCleanup(shutil.rmtree, self.results, ignore_errors=True)

    def words(self, n, *more):
        return words_of(n, self.results, self.file, *EVERY, *more)

    def paths(self, ending):
        return glob.glob(f'{self.results}/*.checkpoint.{ending}')

    def path(self, rank, old=False):
        """Of a checkpoint that is there."""
        path, = self.paths(f'{rank}.old' if old else str(rank))
        return path

    def stock(self, rank):
        """{(time in us, number)} of the checkpoints of a rank."""
        found = set()
        for path in self.paths(str(rank)) + self.paths(f'{rank}.old'):
            try:
                with open(path, 'rb') as file:
                    fields = HEADER.unpack(file.read(HEADER.size))
            except FileNotFoundError:
                continue
            found.add((fields[5] // 1000000, fields[6]))
        return found

    def common(self, n):
        """The latest checkpoint that all ranks have, in us; None: none."""
        every = set.intersection(*(self.stock(rank) for rank in range(n)))
        return max(every)[0] if every else None

    def wait(self, launcher, is_there):
        """Waits until something is there, without a break."""
        end = time.monotonic() + SECONDS
        while not is_there():
            self.assertLess(time.monotonic(), end)
            if launcher.poll() is not None:
                self.fail(launcher.communicate()[1])

    def wait_for_ends(self, pids):
        end = time.monotonic() + SECONDS
        while any(rank_of(pid) is not None for pid in pids):
            self.assertLess(time.monotonic(), end)

    def start(self, n=2, within=()):
        """Starts a run, each rank by the words 'within'."""
        words = self.words(n)
        place = words.index(f'{BUILD}/orchlab/orchlab')
        words[place:place] = within
        launcher = subprocess.Popen(words, text=True, stdout=subprocess.PIPE,
                                    stderr=subprocess.PIPE)
        self.addCleanup(launcher.communicate)
        self.addCleanup(launcher.kill)
        return launcher

    def kill_all(self, launcher, shuffle=sorted):
        """Kills all processes, in an order that 'shuffle' makes."""
        pids = [launcher.pid, *descendants(launcher.pid)]
        for pid in shuffle(pids):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        _, said = launcher.communicate(timeout=SECONDS)
        self.wait_for_ends(pids)
        return said

    def kill_later(self, n_more):
        """Kills a run when both ranks have so many more checkpoints; returns
        when the latest was that both have, which can be a later one."""
        wanted = (self.common(2) or 0) + n_more * EVERY_US
        launcher = self.start()
        self.wait(launcher, lambda: (self.common(2) or 0) >= wanted)
        self.kill_all(launcher)
        return self.common(2)

    def finish(self, n=2, at=None):
        """Runs to the end; 'at' is from when it goes on, None: it begins.
        Returns what it says."""
        run = subprocess.run(self.words(n, *SELDOM), text=True,
                             capture_output=True, timeout=SECONDS)
        self.assertEqual(run.returncode, DONE, run.stdout + run.stderr)
        self.assertEqual(re.findall(r'goes on from its checkpoint at (\d+) us',
                                    run.stderr), [str(at)] if at else [])
        self.assertEqual(re.findall('Hash ([0-9a-f]+)', run.stdout),
                         [self.hash])
        names = os.listdir(self.results)
        self.assertEqual(len(names), 1, names)
        self.assertTrue(names[0].endswith('.sqlite'))
        return run.stderr

    def test_goes_on_after_kills(self):
        choice = random.Random(SEED)
        for i in range(KILLS):
            common = self.common(2)
            launcher = self.start()
            ending = choice.choice(['0.new', '1.new', '0', '1'])

            def seen():
                return {os.stat(path).st_mtime_ns
                        for path in self.paths(ending)
                        if os.path.exists(path)}
            try:
                before = seen()
                self.wait(launcher, lambda: seen() - before)
            except FileNotFoundError:
                pass  # It has another name now: as good a moment.
            said = self.kill_all(
                launcher, lambda pids: choice.sample(pids, len(pids)))
            with self.subTest(seed=SEED, kill=i, ending=ending):
                if common:
                    self.assertNotIn('begins again', said)
                    self.assertGreaterEqual(self.common(2), common)
        self.finish(at=self.common(2))
        for table in TABLES:
            self.assertEqual(rows_of(self.results, table),
                             rows_of(self.alone, table), table)

    def test_files_of_ranks(self):
        """What a kill, a user, or a bad disk makes of the files."""
        at = self.kill_later(2)
        kept = f'{self.folder}/kept'
        self.addCleanup(shutil.rmtree, kept)
        shutil.copytree(self.results, kept)

        def prepare():
            shutil.rmtree(self.results)
            shutil.copytree(kept, self.results)

        with self.subTest('as they were'):
            self.finish(at=at)
        with self.subTest('killed between the names of both ranks'):
            prepare()
            os.rename(self.path(1, old=True), self.path(1))
            self.assertNotIn('refused', self.finish(at=at - EVERY_US))
        with self.subTest('killed between both names of a rank'):
            prepare()
            os.remove(self.path(0))
            self.finish(at=at - EVERY_US)
        with self.subTest('a file that not all have does not stay'):
            prepare()
            os.rename(self.path(1, old=True), self.path(1))
            self.kill_later(1)
            self.assertEqual(self.stock(0), self.stock(1))
            self.finish(at=self.common(2))
        with self.subTest('another checkpoint of the same time'):
            prepare()
            with open(self.path(1), 'rb') as file:
                other = file.read()
            os.rename(self.path(1, old=True), self.path(1))
            later = self.kill_later(1)
            if later == at:
                with open(self.path(1), 'wb') as file:
                    file.write(other)
                later -= EVERY_US
            self.finish(at=later)
        with self.subTest('damaged'):
            prepare()
            with open(self.path(1), 'r+b') as file:
                file.seek(100000)
                byte = file.read(1)[0]
                file.seek(100000)
                file.write(bytes([byte ^ 1]))
            said = self.finish(at=at - EVERY_US)
            self.assertRegex(said, r'refused: .*checkpoint\.1 is damaged')
        with self.subTest('a rank has none'):
            prepare()
            path = self.path(1)
            os.remove(path)
            os.remove(path + '.old')
            said = self.finish()
            self.assertIn(f'rank 1 has no checkpoint {path}\n', said)
            self.assertEqual(said.count('The run begins again'), 1)
        with self.subTest('none of the same time'):
            prepare()
            os.remove(self.path(0, old=True))
            os.rename(self.path(1, old=True), self.path(1))
            said = self.finish()
            self.assertIn('the ranks have no checkpoint of the same time', said)
            self.assertEqual(said.count('The run begins again'), 1)
        with self.subTest('files of ranks exchanged'):
            prepare()
            zero, one = self.path(0), self.path(1)
            os.rename(zero, zero + '.x')
            os.rename(one, zero)
            os.rename(zero + '.x', one)
            self.assertRegex(self.finish(at=at - EVERY_US),
                             r'refused: .*checkpoint\.1 is of rank 0')
        for n in (1, 3):
            with self.subTest('another number of ranks', n=n):
                prepare()
                said = self.finish(n)
                self.assertEqual(
                    re.findall(r'refused: (\S+) is of a run on 2 ranks, and '
                               rf'this one has {n}\n', said)[:1],
                    [self.path_of_first], said)
                self.assertEqual(said.count('The run begins again'), 1)

    @property
    def path_of_first(self):
        name, = os.listdir(self.results)
        return f'{self.results}/{name[:-len(".sqlite")]}.checkpoint.0'

    def test_from_one_rank_to_two(self):
        launcher = self.start(1)
        self.wait(launcher, lambda: glob.glob(f'{self.results}/*.checkpoint'))
        self.kill_all(launcher)
        said = self.finish(2)
        self.assertRegex(said, r'refused: .*\.checkpoint is of a run on 1 rank, '
                               'and this one has 2\n')
        self.assertEqual(said.count('The run begins again'), 1)

    def lose(self, which, pattern):
        """Kills a process of rank 1 after a checkpoint."""
        launcher = self.start()
        self.wait(launcher, lambda: self.common(2))
        pids = [pid for pid in descendants(launcher.pid)
                if rank_of(pid) is not None]
        ones = [pid for pid in pids if rank_of(pid) == 1]
        # What the launcher knows, what has MPI, the run.
        self.assertEqual(len(ones), 3)
        os.kill(ones[which], signal.SIGKILL)
        _, said = launcher.communicate(timeout=SECONDS)
        self.assertNotEqual(launcher.returncode, 0)
        if pattern:
            self.assertRegex(said, pattern.format(pid=ones[which]))
        self.wait_for_ends(pids)
        self.finish(at=self.common(2))

    def test_the_run_of_a_rank_dies(self):
        self.lose(2, r'orchlab: rank 1 \(process {pid} on .*\) has died: Killed')

    def test_the_process_with_mpi_dies(self):
        self.lose(1, r'orchlab: rank 1 \(process {pid} on .*\) has died: Killed')

    def test_what_the_launcher_knows_dies(self):
        self.lose(0, None)

    def check_interrupted(self, launcher, pids):
        """What a run says that signals have ended; then it goes on."""
        said = ''.join(launcher.communicate(timeout=SECONDS))
        self.assertIn('interrupted', rows_of(self.results, 'runs')[0], said)
        self.assertRegex(said, '(?m)^long, seed 7: interrupted at')
        self.assertNotIn('has died', said)
        self.wait_for_ends(pids)
        self.finish(at=self.common(2))

    def test_a_signal_interrupts(self):
        launcher = self.start()
        self.wait(launcher, lambda: self.common(2))
        pids = descendants(launcher.pid)
        for pid in outermost(pids):
            os.kill(pid, signal.SIGTERM)
        self.check_interrupted(launcher, pids)

    def test_a_signal_comes_late_at_a_rank(self):
        """When that of another rank has interrupted both: at any moment up to
        the end."""
        for first in (0, 1):
            with self.subTest(first=first):
                shutil.rmtree(self.results, ignore_errors=True)
                launcher = self.start()
                self.wait(launcher, lambda: self.common(2))
                pids = descendants(launcher.pid)
                ranks = outermost(pids)
                os.kill(ranks[first], signal.SIGTERM)
                while rank_of(ranks[1 - first]) is not None:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(ranks[1 - first], signal.SIGTERM)
                self.check_interrupted(launcher, pids)

    def test_a_full_disk_of_a_rank(self):
        # Without SIGXFSZ a file that is too long is as a full disk.
        launcher = self.start(
            within=['sh', '-c', 'trap "" XFSZ; exec "$@"', 'sh'])
        self.wait(launcher, lambda: self.common(2))
        with_mpi = [pid for pid in descendants(launcher.pid)
                    if rank_of(pid) == 1][1]
        resource.prlimit(with_mpi, resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
        for _ in range(2):
            said = launcher.stderr.readline() + launcher.stderr.readline()
            stays = re.fullmatch(
                r'orchlab: no checkpoint of rank 1 at \d+ us: cannot write the '
                r'image: File too large\n  the one of (\d+) us stays\n', said)
            self.assertTrue(stays, said)
        self.kill_all(launcher)
        self.assertFalse(self.paths('1.new'))
        self.assertEqual(self.common(2), int(stays[1]))
        self.finish(at=int(stays[1]))

    def test_refused_once(self):
        for words, pattern in (
                (['--set', 'stop=100us'], 'before its first checkpoint'),
                (['--set', 'faults=[{link: t0-0.t1-0, down: true, at: 1us}]'],
                 "several ranks cannot have 'faults'")):
            run = subprocess.run(self.words(2, *words), text=True,
                                 capture_output=True, timeout=SECONDS)
            self.assertNotEqual(run.returncode, DONE)
            self.assertEqual(len(re.findall(pattern, run.stderr)), 1,
                             run.stderr)


if __name__ == '__main__':
    unittest.main()

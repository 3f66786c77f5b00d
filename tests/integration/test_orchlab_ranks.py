#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mpirun -n N orchlab run: the same results on every number of ranks, and what
becomes of a run whose rank dies.

RANKS_LIBRARY=openmpi or mpich says with which MPI the program was built; without
it, only what orchlab says that finds no other ranks is tested: more ranks than
processors take their time."""
import contextlib
import json
import os
import re
import signal
import sqlite3
import subprocess
import tempfile
import unittest

BUILD = os.environ.get('top_builddir', '.')
SOURCE = os.environ.get('top_srcdir', '.')
LIBRARY = os.environ.get('RANKS_LIBRARY')
# A run that stands still ends a test.
SECONDS = 300

# Few and long windows, because ranks outnumber processors.
SCENARIO = '''name: ranks
seed: 7
fabric:
  clos: {t0: 8, hosts: 2, t1: 2, rate: 100G}
  links: {host: 40m, t0_t1: 2km}
  switch:
    t0:
      config: t0-32x100g
      set: {'BUFFER_PROFILE|pg_lossless_100000_40m_profile':
              {dynamic_th: '-7'}}
hosts: {default: {pcie: gen3x8, rx_fifo: {size: 256KB, xoff: 128KB, xon: 64KB}}}
traffic:
  - {name: incast, rc: {pattern: incast, from: 'h-[1..7]-*', to: h-0-0,
                        size: 200KB}}
  - {name: many, rc: {pattern: permutation, size: 40KB, repeat: 2}}
  - {name: probe, ping: {pattern: pairs, from: [h-1-0], to: [h-3-1],
                         every: 20us, repeat: 4}}
  - {name: stream, tcp: {pattern: pairs, from: [h-2-0], to: [h-0-1],
                         size: 30KB, repeat: 3, depth: 2}}
record:
  messages: true
  paths: true
  histograms: [fct, message, pause]
  series: [{every: 20us, of: [port.pause, flow.bytes], at: [t0-0]}]
stop: 300us
expect:
  - {metric: sum(pause.count), min: 1}
  - {metric: sum(flow.failed), is: 0}
'''

# For the death of a rank: it runs until it is killed.
ENDLESS = '''name: endless
fabric: {clos: {t0: 2, hosts: 2, t1: 1, rate: 100G},
         links: {t0_t1: 2km}}
traffic: [{rc: {pattern: permutation, size: 40KB, repeat: inf}}]
record: {messages: true}
stop: 100s
'''

TABLES = ('params', 'nodes', 'ports', 'groups', 'series', 'flows', 'messages',
          'pauses', 'drops', 'marks', 'samples', 'queues', 'counters',
          'histograms', 'hist', 'paths', 'oracles', 'verdicts')


def words_of(n, folder, file, *more):
    words = [f'{BUILD}/orchlab/orchlab', '--results', folder, 'run', file,
             '--chips', f'{SOURCE}/chips', '--configs', f'{SOURCE}/lab/configs',
             '--yang-dir', f'{SOURCE}/schemas', *more]
    if n == 1:
        return words
    if LIBRARY == 'openmpi':
        return ['mpirun.openmpi', '--allow-run-as-root', '--oversubscribe',
                '-n', str(n), *words]
    return ['mpirun.mpich', '-n', str(n), *words]


def run(n, folder, text, *more):
    os.makedirs(folder, exist_ok=True)
    file = f'{folder}/scenario.yaml'
    with open(file, 'w', encoding='utf-8') as stream:
        stream.write(text)
    return subprocess.run(words_of(n, folder, file, *more), text=True,
                          capture_output=True, timeout=SECONDS, check=False)


def rows_of(folder, table):
    name = next(n for n in os.listdir(folder) if n.endswith('.sqlite'))
    database = sqlite3.connect(f'{folder}/{name}')
    order = sorted(database.execute(f'SELECT * FROM {table}').fetchall(),
                   key=repr)
    database.close()
    return order


def rank_of(pid):
    """The rank of a process, None if it has none."""
    try:
        with open(f'/proc/{pid}/environ', encoding='utf-8') as file:
            environment = file.read()
    except OSError:
        return None
    found = re.search('(?:OMPI_COMM_WORLD_RANK|PMI_RANK)=([0-9]+)\0',
                      environment)
    return int(found.group(1)) if found else None


def parent_of(pid):
    with open(f'/proc/{pid}/stat', encoding='ascii') as file:
        return int(file.read().rsplit(')', 1)[1].split()[1])


def outermost(pids):
    """The process of each rank that the launcher knows."""
    found = {rank_of(pid): pid for pid in pids if rank_of(pid) is not None and
             rank_of(pid) != rank_of(parent_of(pid))}
    return [found[rank] for rank in sorted(found)]


def descendants(pid):
    """The processes below 'pid', parents first."""
    result = []
    try:
        with open(f'/proc/{pid}/task/{pid}/children', encoding='utf-8') as file:
            children = [int(word) for word in file.read().split()]
    except OSError:
        children = []
    for child in children:
        result += [child, *descendants(child)]
    return result


def without_leaks():
    """Options of AddressSanitizer for a program that starts MPI: Open MPI loses
    some of its own memory, in modules that it has unloaded when leaks are
    looked for, so no suppression can name them."""
    return os.environ.get('ASAN_OPTIONS', '') + ':detect_leaks=0'


class WithoutLauncher(unittest.TestCase):
    def test_says_so(self):
        with tempfile.TemporaryDirectory() as folder:
            file = f'{folder}/x.yaml'
            with open(file, 'w', encoding='utf-8') as stream:
                stream.write(ENDLESS)
            with open(f'{BUILD}/config.status', encoding='utf-8') as stream:
                has_mpi = 'S["HAVE_MPI_TRUE"]=""' in stream.read()
            answer = subprocess.run(
                words_of(1, folder, file), text=True, capture_output=True,
                env={**os.environ, 'PMI_SIZE': '2', 'PMI_RANK': '1',
                     'ASAN_OPTIONS': without_leaks()},
                check=False)
        self.assertEqual(answer.returncode, 2, answer.stderr)
        # Nothing but these variables has started it.
        self.assertIn('of different MPI libraries' if has_mpi else
                      'was built without MPI', answer.stderr)
        self.assertIn('mpirun', answer.stderr)


@unittest.skipUnless(LIBRARY, 'RANKS_LIBRARY is not set')
class Ranks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_equal_results(self):
        """Everything in the results file, not only the hash."""
        alone = f'{self.folder}/1'
        answer = run(1, alone, SCENARIO, '--quiet')
        self.assertEqual(answer.returncode, 0, answer.stdout + answer.stderr)
        wanted = re.search('Hash ([0-9a-f]+)', answer.stdout).group(1)
        self.assertTrue(rows_of(alone, 'pauses'))
        for n in (2, 4, 8):
            with self.subTest(ranks=n):
                folder = f'{self.folder}/{n}'
                answer = run(n, folder, SCENARIO, '--quiet')
                self.assertEqual(answer.returncode, 0,
                                 answer.stdout + answer.stderr)
                self.assertEqual(
                    re.findall('Hash ([0-9a-f]+)', answer.stdout), [wanted])
                for table in TABLES:
                    self.assertEqual(rows_of(folder, table),
                                     rows_of(alone, table), table)

    def test_existing_results(self):
        first = run(2, self.folder, SCENARIO, '--quiet')
        self.assertEqual(first.returncode, 0, first.stderr)
        again = run(2, self.folder, SCENARIO, '--quiet')
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn('exist', again.stdout)

    def test_refused_once(self):
        answer = run(2, self.folder, ENDLESS + 'faults: '
                     '[{link: t0-0.t1-0, down: true, at: 1us}]\n', '--quiet')
        self.assertNotEqual(answer.returncode, 0)
        self.assertEqual(
            answer.stderr.count("on several ranks cannot have 'faults'"), 1,
            answer.stderr)

    def start_endless(self):
        """Starts a run on two ranks; returns the launcher when it runs."""
        file = f'{self.folder}/endless.yaml'
        with open(file, 'w', encoding='utf-8') as stream:
            stream.write(ENDLESS)
        launcher = subprocess.Popen(words_of(2, self.folder, file), text=True,
                                    stdout=subprocess.PIPE,
                                    stderr=subprocess.PIPE)
        self.addCleanup(launcher.communicate)
        self.addCleanup(launcher.kill)
        # Progress is printed when it has been saved.
        for line in launcher.stderr:
            if line.startswith('{') and json.loads(line)['hops'] > 10000:
                break
        return launcher

    def test_signals_of_both_ranks(self):
        """The first interrupts both ranks; that of the other can come at any
        moment up to the end."""
        launcher = self.start_endless()
        pids = descendants(launcher.pid)
        first, second = outermost(pids)
        os.kill(first, signal.SIGTERM)
        while rank_of(second) is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(second, signal.SIGTERM)
        said = ''.join(launcher.communicate(timeout=SECONDS))
        self.assertIn('interrupted', rows_of(self.folder, 'runs')[0], said)
        self.assertRegex(said, '(?m)^endless, seed 1: interrupted at')
        self.assertNotIn('has died', said)

    def test_rank_that_dies(self):
        """The message names it, the launcher ends the others, and what rank 0
        has recorded can be read."""
        launcher = self.start_endless()
        victims = [pid for pid in descendants(launcher.pid)
                   if rank_of(pid) == 1]
        # The last one runs; it is the child of what the launcher knows.
        os.kill(victims[-1], signal.SIGKILL)
        _, rest = launcher.communicate(timeout=SECONDS)
        self.assertNotEqual(launcher.returncode, 0)
        self.assertRegex(rest, r'orchlab: rank 1 \(process [0-9]+ on .*\) has '
                         'died: Killed')
        shown = subprocess.run(
            [f'{BUILD}/orchlab/orchlab', '--results', self.folder, '--json',
             'list'], text=True, capture_output=True, check=True)
        self.assertIn('incomplete', shown.stdout)
        self.assertTrue(rows_of(self.folder, 'messages'))
        self.assertEqual([pid for pid in victims if rank_of(pid) is not None],
                         [])


if __name__ == '__main__':
    unittest.main()

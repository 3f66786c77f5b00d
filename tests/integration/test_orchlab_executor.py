#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""orchlab run --executor: runs in processes of their own, here and over ssh, and
what is left when these are killed."""
import fcntl
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from executors import HAS_SLURM, HAS_SSHD, start_sshd, with_slurm

BUILD = os.environ.get('top_builddir', '.')
ORCHLAB = os.path.abspath(f'{BUILD}/orchlab/orchlab')
DONE, NO, USAGE, UNREACHABLE = range(4)
PATIENCE_S = 180

SCENARIO = '''name: little
fabric: {star: {hosts: 3}}
traffic: [{rc: {pattern: incast, from: all, to: h-0-0, size: 4KB}}]
stop: 50us
'''


@unittest.skipUnless(shutil.which('parallel'), 'needs GNU parallel')
class Executor(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix='executor')
        self.addCleanup(shutil.rmtree, self.folder)
        self.results = f'{self.folder}/results'
        # A quote and a space: every word has to come through the shells.
        self.file = f"{self.folder}/it's one.yaml"
        with open(self.file, 'w', encoding='utf-8') as file:
            file.write(SCENARIO)

    def words(self, *words, results=None):
        return [ORCHLAB, '--json', '--results', results or self.results,
                'run', self.file, *words]

    def run_lab(self, *words, code=DONE, results=None):
        run = subprocess.run(self.words(*words, results=results),
                             capture_output=True, text=True)
        self.assertEqual(run.returncode, code, run.stderr)
        return run

    def runs(self, *words, code=DONE, results=None):
        run = self.run_lab(*words, code=code, results=results)
        return json.loads(run.stdout)['runs']

    def left(self):
        """The files in the folder of results that are no results."""
        return [name for name in os.listdir(self.results)
                if not name.endswith('.sqlite')]

    def has_ended(self):
        """Whether a run has."""
        try:
            return os.stat(f'{self.results}/little-runs/ended').st_size > 0
        except FileNotFoundError:
            return False

    def test_runs_are_those_of_one_process(self):
        options = ('--seed', '3..6', '--set', 'stop=40us')
        shown = ('run', 'label', 'seed', 'key', 'state', 'hash', 'hops',
                'existed', 'virtual_ps')
        alone = self.runs(*options, results=f'{self.folder}/alone')
        self.assertEqual(
            [[run[key] for key in shown] for run in alone],
            [[run[key] for key in shown]
             for run in self.runs(*options, '--executor', 'local:2')])
        self.assertEqual(self.left(), [])

    def test_progress_and_csv(self):
        run = self.run_lab('--seed', '1..2', '--executor', 'local',
                           '--csv', f'{self.folder}/csv')
        self.assertRegex(run.stderr, r'\A(1 of 2 runs have ended\n)?'
                                     r'2 of 2 runs have ended\n\Z')
        self.assertEqual(len(glob.glob(f'{self.folder}/csv/*.flows.csv')), 2)
        run = self.run_lab('--seed', '3', '--executor', 'local', '--quiet')
        self.assertEqual(run.stderr, '')

    def test_one_command_at_a_time_for_a_scenario_and_a_folder(self):
        os.makedirs(f'{self.results}/little-runs')
        folder = os.open(f'{self.results}/little-runs', os.O_RDONLY)
        self.addCleanup(os.close, folder)
        fcntl.flock(folder, fcntl.LOCK_EX)
        run = self.run_lab('--executor', 'local', code=NO)
        self.assertRegex(run.stderr, "another command .* 'little'.*\n.*--results")
        fcntl.flock(folder, fcntl.LOCK_UN)
        self.run_lab('--executor', 'local')
        self.assertEqual(self.left(), [])

    def test_complete_runs_are_not_repeated_unless_asked(self):
        first = self.runs('--seed', '1..2', '--executor', 'local')
        times = {run['file']: os.stat(run['file']).st_mtime_ns for run in first}
        both = self.runs('--seed', '1..3', '--executor', 'local')
        self.assertEqual([run['existed'] for run in both], [True, True, False])
        for path, written in times.items():
            self.assertEqual(os.stat(path).st_mtime_ns, written)
        run = self.run_lab('--seed', '1..2', '--executor', 'local', '--again')
        self.assertIn('2 of 2 runs have ended', run.stderr)  # Not here.
        again = json.loads(run.stdout)['runs']
        self.assertEqual([run['existed'] for run in again], [False, False])
        for path, written in times.items():
            self.assertNotEqual(os.stat(path).st_mtime_ns, written)

    def test_only_chosen_runs_are_carried_out(self):
        runs = self.runs('--seed', '1..9', '--only', '4', '--executor', 'local')
        self.assertEqual([(run['run'], run['seed']) for run in runs], [(4, 5)])
        self.assertEqual(len(os.listdir(self.results)), 1)

    def test_a_killed_executor_loses_and_doubles_nothing(self):
        n = 30
        words = ('--seed', f'1..{n}', '--executor', 'local:2')
        with subprocess.Popen(self.words(*words), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as lab:
            end = time.monotonic() + PATIENCE_S
            while not self.has_ended():
                self.assertLess(time.monotonic(), end)
                self.assertIsNone(lab.poll())
            children = subprocess.check_output(
                ['pgrep', '-P', str(lab.pid), '-f', 'parallel'], text=True)
            os.kill(int(children.split()[0]), signal.SIGKILL)
            _, errors = lab.communicate(timeout=PATIENCE_S)
            self.assertEqual(lab.returncode, UNREACHABLE, errors)
            self.assertRegex(errors, 'parallel has been killed before all runs')
            self.assertRegex(errors, 'give the same command again')
        runs = self.runs(*words)
        self.assertEqual([run['state'] for run in runs], ['complete'] * n)
        self.assertTrue(any(run['existed'] for run in runs))
        self.assertTrue(any(not run['existed'] for run in runs))
        self.assertEqual(sorted(run['file'] for run in runs),
                         sorted(glob.glob(f'{self.results}/*.sqlite')))
        self.assertEqual(self.left(), [])

    def test_a_run_that_fails_is_a_row_with_its_reason(self):
        path = self.runs('--only', '1', '--seed', '1..3')[0]['file']
        os.unlink(path)
        os.mkdir(path)  # Where its results would be.
        runs = self.runs('--seed', '1..3', '--executor', 'local', code=NO)
        self.assertEqual([run['state'] for run in runs],
                         ['complete', 'failed', 'complete'])
        self.assertRegex(runs[1]['reason'],
                         f'^on {os.uname().nodename}: orchlab: cannot replace')
        self.assertEqual(runs[0]['reason'], '')

    def test_half_a_line_is_no_end(self):
        """A line that is being written is read when all of it is there."""
        go, path = f'{self.folder}/go', f'{self.folder}/parallel'
        with open(path, 'w', encoding='ascii') as file:
            file.write('#!/bin/sh\nprintf "0 0 host\\n1 0 ho" >>"$ENDED"\n'
                       'until [ -e "$GO" ]; do :; done\n'
                       'printf "st\\n" >>"$ENDED"\n')
        os.chmod(path, 0o755)
        with subprocess.Popen(
                self.words('--seed', '1..2', '--executor', 'local'),
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                env={**os.environ, 'GO': go, 'PATH':
                     f'{self.folder}:{os.environ["PATH"]}', 'ENDED':
                     f'{self.results}/little-runs/ended'}) as lab:
            said = lab.stderr.readline()
            with open(go, 'w', encoding='ascii'):
                pass
            out, _ = lab.communicate(timeout=PATIENCE_S)
        self.assertEqual(said, '1 of 2 runs have ended\n')
        self.assertEqual([run['reason'] for run in json.loads(out)['runs']],
                         ['on host: exit code 0'] * 2)

    def test_a_run_that_another_process_carries_out_is_waited_for(self):
        lab = subprocess.Popen(
            self.words('--interactive'), stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(lab.stdin.close)
        end = time.monotonic() + PATIENCE_S
        while not glob.glob(f'{self.results}/*.sqlite'):
            self.assertLess(time.monotonic(), end)
        other = subprocess.Popen(self.words(), stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True)
        while not self.waits(other.pid):
            self.assertLess(time.monotonic(), end)
            self.assertIsNone(other.poll())
        out, errors = lab.communicate('continue\n', timeout=PATIENCE_S)
        self.assertEqual(lab.returncode, DONE, errors)
        out, errors = other.communicate(timeout=PATIENCE_S)
        self.assertEqual(other.returncode, DONE, errors)
        self.assertTrue(json.loads(out)['runs'][0]['existed'])
        self.assertEqual(self.left(), [])

    @staticmethod
    def waits(pid):
        """Whether the process waits for a lock."""
        with open('/proc/locks', encoding='ascii') as file:
            return any(line.split()[1] == '->' and f' {pid} ' in line
                       for line in file)

    def several_ranks(self, *prefix, executor, **environment):
        """Runs variants with two ranks each; one of them is refused then."""
        with open(self.file, 'a', encoding='utf-8') as file:
            file.write('variants:\n  a: {stop: 40us}\n  b: {stop: 45us}\n'
                       '  gaps: {record: {gaps: 5us}}\n')
        run = subprocess.run(
            [*prefix, *self.words('--executor', executor, '--ranks', '2')],
            capture_output=True, text=True, env={**os.environ, **environment})
        if 'was built without MPI' in run.stderr:
            self.skipTest('built without MPI')
        self.assertEqual(run.returncode, NO, run.stderr)
        runs = json.loads(run.stdout)['runs']
        alone = self.runs(results=f'{self.folder}/alone')
        self.assertEqual([one['state'] for one in alone], ['complete'] * 3)
        self.assertEqual([(one['state'], one['hash']) for one in runs[:2]],
                         [('complete', one['hash']) for one in alone[:2]])
        self.assertEqual(runs[2]['state'], 'failed')
        self.assertRegex(runs[2]['reason'], 'rank')
        self.assertEqual(self.left(), [])

    @unittest.skipUnless(shutil.which('mpirun'), 'needs mpirun')
    def test_several_ranks_of_each_run(self):
        self.several_ranks(executor='local:1', OMPI_ALLOW_RUN_AS_ROOT='1',
                           OMPI_ALLOW_RUN_AS_ROOT_CONFIRM='1',
                           OMPI_MCA_rmaps_base_oversubscribe='1')

    @unittest.skipUnless(HAS_SLURM, 'needs slurm-wlm, and to be root')
    def test_several_ranks_of_each_run_by_srun(self):
        self.several_ranks(*with_slurm(f'{self.folder}/cluster'),
                           executor='slurm', WITH_SLURM_CPUS='2')

    def test_ranks_need_an_executor(self):
        run = self.run_lab('--ranks', '2', code=USAGE)
        self.assertRegex(run.stderr, '--ranks needs --executor')

    def empty_hosts(self):
        """A file without a host, which parallel takes for this machine."""
        path = f'{self.folder}/none'
        with open(path, 'w', encoding='ascii') as file:
            file.write('# one day\n\n')
        return path

    def test_folders_that_cannot_be_written(self):
        with open(f'{self.folder}/file', 'w', encoding='ascii'):
            pass
        for words in ([], ['--executor', 'local'], ['--executor', 'slurm']):
            for folder, pattern in (
                    (f'{self.folder}/file', 'there is a file of that name'),
                    (f'{self.folder}/file/below', 'Not a directory'),
                    ('/proc/nowhere', 'No such file or directory')):
                run = self.run_lab(*words, code=UNREACHABLE, results=folder)
                self.assertRegex(run.stderr, f'cannot create folder {folder}: '
                                             f'{pattern}\n.*--results FOLDER')
            run = self.run_lab(*words, code=UNREACHABLE, results='/proc')
            self.assertRegex(run.stderr, '/proc/little')
        run = self.run_lab('--csv', f'{self.folder}/file', code=UNREACHABLE)
        self.assertRegex(run.stderr, 'file of that name\n.*--csv FOLDER')

    @unittest.skipUnless(os.geteuid() == 0, 'needs to mount a disk')
    def test_a_full_disk(self):
        os.mkdir(self.results)

        def run(size, *words):
            return subprocess.run(
                ['unshare', '--mount', 'sh', '-c', 'mount -t tmpfs -o size='
                 f'{size} none "$1" && shift && exec "$@"', 'sh', self.results,
                 *self.words(*words)], capture_output=True, text=True,
                timeout=PATIENCE_S)

        for size, words in (('100k', []), ('400k', ['--seed', '1..9']),
                            ('400k', ['--seed', '1..9', '--merge'])):
            full = run(size, *words)
            self.assertEqual(full.returncode, UNREACHABLE, full.stderr)
            self.assertRegex(full.stderr, f'cannot use {self.results}/.*: '
                                          'database or disk is full\n.*free '
                                          'space')
        full = run('400k', '--seed', '1..4', '--executor', 'local:1')
        self.assertEqual(full.returncode, NO, full.stderr)
        runs = json.loads(full.stdout)['runs']
        self.assertEqual(runs[0]['state'], 'complete')
        self.assertEqual(runs[3]['state'], 'failed')
        self.assertIn('database or disk is full', runs[3]['reason'])

    def test_wrong_numbers_of_ranks(self):
        for ranks in ('0', '-1', '9999', 'two'):
            run = self.run_lab('--ranks', ranks, '--executor', 'local',
                               code=USAGE)
            self.assertRegex(run.stderr, rf"--ranks .*1\.\.4096, not '{ranks}'")

    def test_wrong_executors_are_refused(self):
        for executor, pattern in (
                ('locl', "no executor 'locl'.*\n.*local:JOBS, ssh:HOST"),
                ('slurm:', "no executor 'slurm:'"),
                ('ssh', "no executor 'ssh'"),
                ('ssh:', "no executor 'ssh:'"),
                ('loc', r"'loc' \(did you mean 'local'\?\)"),
                ('slrum', "did you mean 'slurm'"),
                ('ssh:,', "'ssh:,' names no host\n.*ssh:HOST"),
                ('ssh: ', "names no host"),
                ('ssh:a,,b', "a comma without a host\n.*ssh:HOST"),
                ('ssh:a,', 'a comma without a host'),
                ('ssh:/tmp', "'ssh:/tmp' names no host"),
                (f'ssh:{self.empty_hosts()}', 'names no host'),
                ('local:0', "'0' is not a number of jobs; allowed: 1 to"),
                ('local:x', "'x' is not a number of jobs")):
            run = self.run_lab('--executor', executor, code=USAGE)
            self.assertRegex(run.stderr, pattern)
        for words in (['--interactive'], ['--break', 'drop']):
            run = self.run_lab('--executor', 'local', *words, code=USAGE)
            self.assertRegex(run.stderr, 'cannot stand still')
        run = subprocess.run(self.words('--executor', 'local'), text=True,
                             capture_output=True, env={'PATH': '/nowhere'})
        self.assertEqual(run.returncode, UNREACHABLE, run.stderr)
        self.assertRegex(run.stderr, 'parallel is not installed.*\n.*apt')
        run = subprocess.run(self.words('--executor', 'slurm'), text=True,
                             capture_output=True, env={'PATH': '/nowhere'})
        self.assertEqual(run.returncode, UNREACHABLE, run.stderr)
        self.assertRegex(run.stderr, 'sbatch of Slurm is not inst.*\n.*slurm-c')

    def test_a_host_that_cannot_be_reached(self):
        hosts = f'{self.folder}/hosts'
        with open(hosts, 'w', encoding='ascii') as file:
            file.write('1/ssh -F none -o BatchMode=yes -p 1 127.0.0.1\n')
        runs = self.runs('--executor', f'ssh:{hosts}', code=NO)
        self.assertEqual(runs[0]['state'], 'failed')
        self.assertRegex(runs[0]['reason'], 'killed, or never started')

    @unittest.skipUnless(HAS_SSHD, 'needs sshd, and to be root')
    def test_over_ssh(self):
        hosts = f'{self.folder}/hosts'
        with open(hosts, 'w', encoding='ascii') as file:
            file.write(f'2/{start_sshd(self, self.folder)}\n')
        runs = self.runs('--seed', '1..4', '--executor', f'ssh:{hosts}')
        self.assertEqual([run['state'] for run in runs], ['complete'] * 4)
        self.assertEqual(self.left(), [])

    @unittest.skipUnless(HAS_SSHD, 'needs sshd, and to be root')
    def test_a_host_that_cannot_be_reached_beside_one_that_can(self):
        hosts = f'{self.folder}/hosts'
        with open(hosts, 'w', encoding='ascii') as file:
            file.write('1/ssh -F none -o BatchMode=yes -p 1 127.0.0.1\n'
                       f'1/{start_sshd(self, self.folder)}\n')
        runs = self.runs('--seed', '1..4', '--executor', f'ssh:{hosts}',
                         code=NO)
        states = {run['state'] for run in runs}
        self.assertEqual(states, {'complete', 'failed'})
        with open(hosts, 'w', encoding='ascii') as file:
            file.write('2/:\n')  # This machine, as parallel calls it.
        runs = self.runs('--seed', '1..4', '--executor', f'ssh:{hosts}')
        self.assertEqual({run['state'] for run in runs}, {'complete'})

    @unittest.skipUnless(HAS_SLURM, 'needs slurm-wlm, and to be root')
    def test_over_slurm_with_a_node_that_dies(self):
        n = 60
        words = self.words('--seed', f'1..{n}', '--executor', 'slurm')
        with subprocess.Popen(
                [*with_slurm(f'{self.folder}/cluster'), *words], text=True,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE) as lab:
            end = time.monotonic() + PATIENCE_S
            while not self.has_ended():
                self.assertLess(time.monotonic(), end)
                self.assertIsNone(lab.poll())
            with open(f'{self.folder}/cluster/n1.pid', encoding='ascii') as file:
                os.kill(int(file.read()), signal.SIGKILL)
            out, errors = lab.communicate(timeout=PATIENCE_S)
            self.assertEqual(lab.returncode, DONE, errors)
        # Progress says what each node has done.
        last = re.findall(rf'{n} of {n} runs have ended: (.*)', errors)[-1]
        done = dict(word.split() for word in last.split(', '))
        self.assertLessEqual(set(done), {'n1', 'n2'})
        self.assertEqual(sum(map(int, done.values())), n)
        runs = json.loads(out)['runs']
        self.assertEqual([run['state'] for run in runs], ['complete'] * n)
        self.assertEqual(len(set(run['file'] for run in runs)), n)
        self.assertEqual(len(glob.glob(f'{self.results}/*.sqlite')), n)
        self.assertEqual(self.left(), [])


if __name__ == '__main__':
    unittest.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares runs on one rank with runs on several, in pairs.

    bench_ranks.py BUILD [--mpirun 'mpirun.openmpi --oversubscribe'] [--ranks 2]
                   [--pairs 5] [--k 16] [--length 200m] [--stop 200us]
                   [--checkpoint every=190us]

A pair is a run on one rank and one on several, directly after each other, in
turns.  With --checkpoint both are on several, the second with that option.
Prints for each the time, the speed-up, the share of the time that rank 0
was in MPI, windows, bytes in each, and the largest resident set of a rank.  Each
rank needs a processor of its own; the load of the machine is printed, and figures
of a machine that does something else say nothing about speed.  The hashes have
to be equal."""
import argparse
import json
import os
import re
import statistics
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))

SCENARIO = '''name: ranks
fabric: {{fat_tree: {{k: {k}, rate: 100G}},
         links: {{host: {length}, t0_t1: {length}, t1_t2: {length}}}}}
hosts: {{default: {{dcqcn: paper}}}}
traffic: [{{rc: {{pattern: permutation, size: inf}}}}]
stop: {stop}
'''


def run(words, folder):
    """Returns the run as JSON, what was said about ranks, and the peak of the
    resident set of one process in KiB."""
    out, errors = f'{folder}/out', f'{folder}/errors'
    pid = os.fork()
    if not pid:
        for number, path in ((1, out), (2, errors)):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
        os.execvp(words[0], words)
    _, status, usage = os.wait4(pid, 0)
    with open(errors, encoding='utf-8') as file:
        said = file.read()
    if status:
        sys.exit(f'{" ".join(words)} fails:\n{said}')
    with open(out, encoding='utf-8') as file:
        answer = json.load(file)['runs'][0]
    found = re.search(r'ranks: (\d+) windows, (\d+) bytes .* ([0-9.]+) %', said)
    return answer, found, usage.ru_maxrss


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', 1)[0])
    parser.add_argument('build')
    parser.add_argument('--mpirun', default='mpirun')
    parser.add_argument('--ranks', type=int, default=2)
    parser.add_argument('--pairs', type=int, default=5)
    parser.add_argument('--k', default='16')
    parser.add_argument('--length', default='200m')
    parser.add_argument('--stop', default='200us')
    parser.add_argument('--checkpoint')
    options = parser.parse_args()
    ratios = []
    print(f'load {os.getloadavg()[0]:.1f}, {os.cpu_count()} processors')
    with tempfile.TemporaryDirectory() as folder:
        with open(f'{folder}/x.yaml', 'w', encoding='utf-8') as file:
            file.write(SCENARIO.format(k=options.k, length=options.length,
                                       stop=options.stop))
        words = [f'{options.build}/orchlab/orchlab', '--json', '--results',
                 folder, 'run', f'{folder}/x.yaml', '--again', '--chips',
                 f'{SOURCE}/chips', '--configs', f'{SOURCE}/lab/configs',
                 '--yang-dir', f'{SOURCE}/schemas']
        launcher = [*options.mpirun.split(), '-n', str(options.ranks)]
        first, second = words, [*launcher, *words]
        if options.checkpoint:
            first, second = second, [*second, '--checkpoint',
                                     options.checkpoint]
        for _ in range(options.pairs):
            alone, found, alone_kib = run(first, folder)
            shared, later, shared_kib = run(second, folder)
            if alone['hash'] != shared['hash']:
                sys.exit(f'hash {alone["hash"]} and {shared["hash"]}')
            ratios.append(alone['wall_ns'] / shared['wall_ns'])
            windows, sent, share = (later or found).groups()
            print(f'{alone["wall_ns"] / 1e9:.2f} s and '
                  f'{shared["wall_ns"] / 1e9:.2f} s for {alone["hops"]} hops: '
                  f'{ratios[-1]:.2f}; {windows} windows of {sent} bytes, '
                  f'{share} % in MPI; {alone_kib // 1024} and '
                  f'{shared_kib // 1024} MiB')
    print(f'median {statistics.median(ratios):.2f}')


if __name__ == '__main__':
    main()

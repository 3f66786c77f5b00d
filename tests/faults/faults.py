#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds softasic with one fault at a time and runs the breakpoint catalogue.

    faults.py [--table] [--build-only] [NAME...]

Each fault of faults.toml has to be caught: at least one case of the catalogue
fails with it and none without.  Prints a line per fault with the cases that
catch it, or with --table the same as a table for docs/breakpoints.md.  Exits 1
if a fault is not caught or does not build.

Run from a build tree ('make faults'): top_srcdir and top_builddir say where the
sources and the libraries are.  Nothing in either is changed: what a fault
changes is compiled beside it, and linked in front of what it replaces.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
import tomllib

HERE = os.path.dirname(os.path.abspath(__file__))
SRC = os.path.abspath(os.environ.get('top_srcdir', os.path.join(HERE, '..', '..')))
BUILD = os.path.abspath(os.environ.get('top_builddir',
                                       os.path.join(SRC, 'build')))
CC = os.environ.get('CC', 'cc').split()
FLAGS = ['-std=gnu11', '-O2', '-fPIC', '-DHAVE_CONFIG_H', '-w']
# What libsai-softasic.so is made of, and what that needs.
ARCHIVES = ['softasic', 'store', 'chip', 'sai-core', 'base']
LIBRARIES = ['-lfyaml', '-ljansson']
CATALOGUE = os.path.join(SRC, 'tests', 'breakpoint')


class Trouble(Exception):
    """A fault that cannot be built as it is described."""


def change(text, change_, name):
    """Returns 'text' with one change made, which must fit exactly once."""
    old = change_['from'].lstrip('\n')
    if text.count(old) != 1:
        raise Trouble('%s: "%s" occurs %d times' %
                      (name, old.split('\n')[0].strip(), text.count(old)))
    return text.replace(old, change_['to'].lstrip('\n'))


def build(fault, where):
    """Builds the switch with 'fault' in directory 'where'; returns its path."""
    changed = os.path.join(where, fault['file'])
    with open(os.path.join(SRC, fault['file'])) as file:
        text = change(file.read(), fault, fault['name'])
    for further in fault.get('and', []):
        text = change(text, further, fault['name'])
    os.makedirs(os.path.dirname(changed))
    with open(changed, 'w') as file:
        file.write(text)
    sources = [os.path.join(SRC, source) for source in fault.get('compile', [])]
    library = os.path.join(where, 'libsai-softasic.so')
    includes = ['-I' + path for path in
                (where, BUILD, SRC, os.path.join(SRC, 'sai', 'include'))]
    archives = [os.path.join(BUILD, '.libs', 'lib%s.a' % name)
                for name in ARCHIVES]
    command = CC + FLAGS + includes + [
        '-shared', '-o', library, '-Wl,-z,muldefs'] + (
        sources or [changed]) + ['-Wl,--whole-archive'] + archives + [
        '-Wl,--no-whole-archive'] + LIBRARIES + [
        '-Wl,--version-script=' + os.path.join(BUILD, '.libs',
                                               'libsai-softasic.ver')]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise Trouble('%s does not build: %s' % (fault['name'], done.stderr))
    return library


def cases():
    """Returns the files of the catalogue."""
    return sorted(os.path.join(CATALOGUE, name)
                  for name in os.listdir(CATALOGUE) if name.endswith('.yaml'))


def failing(library):
    """Returns the cases of the catalogue that fail with 'library'."""
    done = subprocess.run(
        [os.path.join(BUILD, 'orchctl', 'orchctl'), 'breakpoint', 'run',
         '--sai', library, '--chips', os.path.join(SRC, 'chips'),
         '--yang-dir', os.path.join(SRC, 'schemas')] + cases(),
        capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise Trouble('the catalogue does not run (%d): %s' %
                      (done.returncode, done.stderr[-500:]))
    return re.findall(r'^FAIL ([\w-]+)', done.stdout, re.M)

def judge(fault, build_only):
    """Returns the names of what catches 'fault'; None if only built."""
    with tempfile.TemporaryDirectory(prefix='fault-') as where:
        library = build(fault, where)
        return None if build_only else sorted(set(failing(library)))


def tell(fault, cases, as_table):
    """Prints what became of 'fault'."""
    if as_table:
        print('| %s | %s | %s |' % (fault['name'], fault['about'],
                                    ', '.join(cases) or 'none'))
    elif cases is None:
        print('%-36s builds' % fault['name'])
    else:
        print('%-36s %s' % (fault['name'], 'NOT CAUGHT' if not cases else
                            'caught by %d: %s' %
                            (len(cases), ', '.join(cases[:4]))))
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--table', action='store_true')
    parser.add_argument('--build-only', action='store_true')
    parser.add_argument('name', nargs='*')
    options = parser.parse_args()
    with open(os.path.join(SRC, 'tests', 'faults', 'faults.toml'), 'rb') as file:
        faults = tomllib.load(file)['fault']
    unknown = set(options.name) - {fault['name'] for fault in faults}
    if unknown:
        sys.exit('no such fault: ' + ', '.join(sorted(unknown)))
    if options.table:
        print('| Fault | What the switch does | Caught by |\n|---|---|---|')
    missed = 0
    for fault in faults:
        if options.name and fault['name'] not in options.name:
            continue
        try:
            cases = judge(fault, options.build_only)
        except Trouble as trouble:
            print(trouble)
            missed += 1
            continue
        tell(fault, cases, options.table)
        missed += cases == []
    sys.exit(1 if missed else 0)


if __name__ == '__main__':
    main()

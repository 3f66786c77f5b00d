#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the switch with one fault at a time and runs the breakpoint catalogue.

    faults.py [--write] [--build-only] [--check] [NAME...]

Each fault of faults.toml has to be caught: at least one case of the catalogue
fails with it and none without.  Prints a line per fault with the cases that
catch it.  With --write it updates the table in tests/faults/README.md;
rows of faults that were not named stay.  --check runs nothing: it
looks whether each fault fits the sources and has its row there.  Exits 1 if a
fault is not caught, does not build, or has no row.

A fault in softasic's sources is built into a library of its own; one in orchd's
into an orchctl of its own, where the daemon's parts are for scenarios; one with
"test" into that unit test, of which at least one case has to fail.

Run from a build tree ('make faults'): top_srcdir and top_builddir say where the
sources and the libraries are.  Nothing in either is changed: what a fault
changes is compiled beside it, and linked in front of what it replaces.
"""
import argparse
import glob
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
FLAGS = ['-std=gnu11', '-O2', '-fPIC', '-DHAVE_CONFIG_H', '-w',
         '-DDOCDIR="docs"']
# What libsai-softasic.so and orchctl are linked from, besides objects.
ARCHIVES = os.environ.get('SOFTASIC_ARCHIVES', '').split()
LIBRARIES = os.environ.get('SOFTASIC_LIBS', '').split()
ORCHCTL_LIBRARIES = os.environ.get('ORCHCTL_LIBS', '').split()
PAGE = os.path.join(SRC, 'tests', 'faults', 'README.md')
HEAD = '| Fault | What it does | Cases that fail |\n|---|---|---|\n'
ROW = re.compile(r'^\| ([\w-]+) \| [^|]* \| [^|]* \|\n', re.M)
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


def apply(fault):
    """Returns the changed files of 'fault': {path: text}."""
    texts = {}
    for step in [fault] + fault.get('and', []):
        path = step.get('file', fault['file'])
        try:
            if path not in texts:
                with open(os.path.join(SRC, path)) as file:
                    texts[path] = file.read()
            texts[path] = change(texts[path], step, fault['name'])
        except OSError as error:
            raise Trouble('%s: %s' % (fault['name'], error)) from error
    return texts


def compile_library(sources, includes, where):
    """Links a softasic of 'sources' before what they replace."""
    library = os.path.join(where, 'libsai-softasic.so')
    archives = [os.path.join(BUILD, name) for name in ARCHIVES]
    return library, CC + FLAGS + includes + [
        '-shared', '-o', library, '-Wl,-z,muldefs'] + sources + [
        '-Wl,--whole-archive'] + archives + [
        '-Wl,--no-whole-archive'] + LIBRARIES + [
        '-Wl,--version-script=' + os.path.join(BUILD, '.libs',
                                               'libsai-softasic.ver')]


def compile_orchctl(sources, includes, where):
    """The same with an orchctl."""
    program = os.path.join(where, 'orchctl')
    objects = sorted(glob.glob(os.path.join(BUILD, 'orchctl', 'orchctl-*.o')))
    libraries = [os.path.join(BUILD, name) if name.endswith('.a') else name
                 for name in ORCHCTL_LIBRARIES]
    return program, CC + FLAGS + includes + [
        '-o', program, '-Wl,-z,muldefs'] + sources + objects + libraries


def compile_test(sources, includes, where):
    """The same with a unit test, which is among 'sources'."""
    program = os.path.join(where, 'test')
    libraries = [os.path.join(BUILD, name)
                 for name in ('libtwin.a', 'libbase.a')]
    return program, CC + FLAGS + includes + [
        '-o', program, '-Wl,-z,muldefs'] + sources + libraries + ['-lcmocka']


def compile_of(fault):
    if 'test' in fault:
        return compile_test
    return compile_orchctl if of_watchdog(fault) else compile_library


def of_watchdog(fault):
    return fault['file'].startswith('orchd/')


def build(fault, where):
    """Builds 'fault' in directory 'where'; returns (orchctl, softasic)."""
    sources = [os.path.join(SRC, source)
               for source in fault.get('compile', []) +
               [fault[key] for key in ('test',) if key in fault]]
    for path, text in apply(fault).items():
        changed = os.path.join(where, path)
        os.makedirs(os.path.dirname(changed), exist_ok=True)
        with open(changed, 'w') as file:
            file.write(text)
        if path.endswith('.c'):
            sources = [changed] + [source for source in sources if
                                   source != os.path.join(SRC, path)]
    includes = ['-I' + path for path in
                (where, BUILD, SRC, os.path.join(SRC, 'sai', 'include'))]
    in_orchctl = of_watchdog(fault)
    result, command = compile_of(fault)(sources, includes, where)
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise Trouble('%s does not build: %s' %
                      (fault['name'], done.stderr[-2000:]))
    if in_orchctl:
        return result, os.path.join(BUILD, '.libs', 'libsai-softasic.so')
    return os.path.join(BUILD, 'orchctl', 'orchctl'), result


def cases(fault):
    """Returns the files of the catalogue that are run with 'fault': those of the
    watchdog, of trimming or of asymmetric PFC if it is one of these, else
    all."""
    pattern = ('*_asym.yaml' if fault['name'].startswith('asym-') else
               'pfcwd_*.yaml' if of_watchdog(fault) else
               'trim_*.yaml' if fault['name'].startswith('trim-') else
               '*.yaml')
    return sorted(glob.glob(os.path.join(CATALOGUE, pattern)))


def failing(orchctl, library, files):
    """Returns the cases of 'files' that fail with these two."""
    done = subprocess.run(
        [orchctl, 'breakpoint', 'run', '--jobs', str(os.cpu_count() or 1),
         '--sai', library, '--chips', os.path.join(SRC, 'chips'),
         '--yang-dir', os.path.join(SRC, 'schemas')] + files,
        capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise Trouble('the catalogue does not run (%d): %s' %
                      (done.returncode, done.stderr[-500:]))
    return re.findall(r'^FAIL ([\w-]+)', done.stdout, re.M)


def failing_tests(program):
    """Returns the cases of a unit test that fail, or its name if it ends."""
    try:
        done = subprocess.run([program], capture_output=True, text=True,
                              timeout=60)
    except subprocess.TimeoutExpired:
        return ['(it does not end)']
    names = re.findall(r'^\[  FAILED  \] (\w+)$', done.stdout + done.stderr,
                       re.M)
    return names or (['(it aborts)'] if done.returncode else [])


def judge(fault, build_only):
    """Returns the names of what catches 'fault'; None if only built."""
    with tempfile.TemporaryDirectory(prefix='fault-') as where:
        built = build(fault, where)
        if build_only:
            return None
        return sorted(set(failing_tests(built[1]) if 'test' in fault else
                          failing(*built, cases(fault))))


def tell(fault, cases):
    """Prints what became of 'fault'."""
    if cases is None:
        print('%-36s builds' % fault['name'])
    else:
        print('%-36s %s' % (fault['name'], 'NOT CAUGHT' if not cases else
                            'caught by %d: %s' %
                            (len(cases), ', '.join(cases[:4]))))
    sys.stdout.flush()


def rows_there():
    """Returns {fault: its row} of the page."""
    with open(PAGE) as file:
        table = file.read().partition(HEAD)[2]
    return {row.group(1): row.group(0) for row in ROW.finditer(table)}


def write(faults, caught):
    """Puts a table of all faults into the page."""
    rows = rows_there()
    for fault in faults:
        if caught.get(fault['name']):
            names = caught[fault['name']]
            rows[fault['name']] = '| %s | %s | %d: %s |\n' % (
                fault['name'], fault['about'], len(names),
                ', '.join(names[:4]))
    with open(PAGE) as file:
        before, head, after = file.read().partition(HEAD)
    while ROW.match(after):
        after = after[ROW.match(after).end():]
    with open(PAGE, 'w') as file:
        file.write(before + head + ''.join(
            rows[fault['name']] for fault in faults
            if fault['name'] in rows) + after)


def check(faults):
    """Returns how many faults do not fit the sources or have no row."""
    rows, wrong = rows_there(), 0
    for fault in faults:
        row = rows.pop(fault['name'], '')
        try:
            apply(fault)
            if fault['about'] not in row:
                raise Trouble('%s has no such row in tests/faults/README.md: '
                              'make faults FAULTS="--write %s"' %
                              (fault['name'], fault['name']))
        except Trouble as trouble:
            print(trouble)
            wrong += 1
    for name in rows:
        print('tests/faults/README.md has a row of an unknown fault, %s' % name)
    return wrong + len(rows)


def run(faults, build_only):
    """Returns {fault: the cases that catch it}, without those in trouble."""
    caught = {}
    for fault in faults:
        try:
            caught[fault['name']] = judge(fault, build_only)
        except Trouble as trouble:
            print(trouble)
            continue
        tell(fault, caught[fault['name']])
    return caught


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--write', action='store_true')
    parser.add_argument('--build-only', action='store_true')
    parser.add_argument('--check', action='store_true')
    parser.add_argument('name', nargs='*')
    options = parser.parse_args()
    with open(os.path.join(SRC, 'tests', 'faults', 'faults.toml'), 'rb') as file:
        faults = tomllib.load(file)['fault']
    unknown = set(options.name) - {fault['name'] for fault in faults}
    if unknown:
        sys.exit('no such fault: ' + ', '.join(sorted(unknown)))
    if options.check:
        sys.exit(1 if check(faults) else 0)
    wanted = [fault for fault in faults
              if not options.name or fault['name'] in options.name]
    caught = run(wanted, options.build_only)
    if options.write:
        write(faults, caught)
    good = [name for name, cases in caught.items() if cases != []]
    sys.exit(0 if len(good) == len(wanted) else 1)


if __name__ == '__main__':
    main()

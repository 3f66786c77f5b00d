#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the catalogue with its index, and makes the page about it.

    index.py [--write]

Every name of index.toml has to have its cases, on two chips at least and with
both buffer models where it says so; every file has to have a name; and
tests/breakpoint/catalogue.md has to match them; --write updates it.
Prints what is wrong and exits 1.

Run from a build tree ('make check', 'make catalogue'): top_srcdir and
top_builddir say where the catalogue and orchctl are.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tomllib

HERE = os.path.dirname(os.path.abspath(__file__))
SRC = os.path.abspath(os.environ.get('top_srcdir',
                                     os.path.join(HERE, '..', '..')))
BUILD = os.path.abspath(os.environ.get('top_builddir', '.'))
CATALOGUE = os.path.join(SRC, 'tests', 'breakpoint')
PAGE = os.path.join(SRC, 'tests', 'breakpoint', 'catalogue.md')
MODELS = {'traditional', 'dynamic'}

INTRO = """\
# The catalogue of breakpoint tests

What the public QoS test suites ask of a switch, and the files of
`tests/breakpoint` that ask the same here. Each case runs on the chips named,
with margin 0 unless it says why. `make breakpoint` and `make check` run all of
them. `make catalogue` generates this page from `tests/breakpoint/index.toml`.
`make check` fails on a name that has no case or runs on one chip only, and on a
file without a name.
"""


def list_cases():
    """Returns {name of a file: the words in the brackets of each case}."""
    done = subprocess.run(
        [os.path.join(BUILD, 'orchctl', 'orchctl'), 'breakpoint', 'list',
         '--json', CATALOGUE], capture_output=True, text=True, check=True)
    cases = {}
    for case in json.loads(done.stdout):
        name = os.path.splitext(os.path.basename(case['file']))[0]
        words = case.get('variant') or ''
        cases.setdefault(name, []).append(words.split(','))
    return cases


def chips():
    return {name[:-5] for name in os.listdir(os.path.join(SRC, 'chips'))
            if name.endswith('.yaml')}


def find(cases, wanted):
    """Returns the words of the cases that 'wanted', "file[word]", means."""
    name, word = re.fullmatch(r'([\w-]+)(?:\[([\w-]+)\])?', wanted).groups()
    return [words for words in cases.get(name, [])
            if word is None or word in words]


def judge(entry, cases, known):
    """Yields what is wrong with a name; notes its chips and models in it."""
    words = set()
    for wanted in entry['cases']:
        found = find(cases, wanted)
        if not found:
            yield 'there is no case %s' % wanted
        for each in found:
            words.update(each)
    if len(words & known) < 2:
        yield 'it is run on less than two chips'
    if entry.get('models') and not MODELS <= words:
        yield 'it is not run with both buffer models'
    entry['chips'] = sorted(words & known)
    entry['both'] = MODELS <= words


def page(groups, n_cases):
    lines = [INTRO, '%d names, %d cases in %d files.' % (
        sum(len(group['names']) for group in groups),
        sum(n_cases.values()), len(n_cases))]
    for group in groups:
        lines += ['', '## ' + group['title'], '',
                  '| Asked | Files | Chips | Buffer models |', '|---|---|---|---|']
        lines += ['| %s | %s | %s | %s |' % (
            entry['name'], ', '.join('`%s`' % case for case in entry['cases']),
            ', '.join(entry['chips']), 'both' if entry['both'] else 'one')
            for entry in group['names']]
    return '\n'.join(lines) + '\n'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--write', action='store_true')
    options = parser.parse_args()
    with open(os.path.join(CATALOGUE, 'index.toml'), 'rb') as file:
        groups = tomllib.load(file)['group']
    cases, known, wrong = list_cases(), chips(), []
    for group in groups:
        for entry in group['names']:
            wrong += ['%s, %s: %s' % (group['title'], entry['name'], what)
                      for what in judge(entry, cases, known)]
    named = {case.split('[')[0] for group in groups
             for entry in group['names'] for case in entry['cases']}
    wrong += ['%s.yaml has no name in index.toml' % name
              for name in sorted(set(cases) - named)]
    text = page(groups, {name: len(words) for name, words in cases.items()})
    if options.write:
        with open(PAGE, 'w') as file:
            file.write(text)
    else:
        with open(PAGE) as file:
            if file.read() != text:
                wrong.append('tests/breakpoint/catalogue.md is out of date: '
                             'make catalogue')
    print('\n'.join(wrong), end='\n' if wrong else '')
    sys.exit(1 if wrong else 0)


if __name__ == '__main__':
    main()

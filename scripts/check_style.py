#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the rules of this code that a script can check.

  layers     folders include only what is below them, pure folders only what
             does no I/O
  cycles     no module needs itself by way of others
  headers    guard, first lines, own header first, each compiles alone
  text       line length, tabs, unfinished work
  words      none of those that scripts/words.txt refuses; spelling (codespell)
  files      each is listed in a makefile, or it would be missing in a package
  fuzzers    they are linked with everything that their subject needs
  tests      a test that a document names exists
  documents  they agree with the tables of the program (check_docs.py)
  stories    each page about an outage tells it in ten sentences, and
             expectations of scenarios have names (check_stories.py)

Prints FILE:LINE: rule, and exits 1 if there is one.  No arguments.
"""
import os
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
import check_docs  # noqa: E402
import check_stories  # noqa: E402
import tree  # noqa: E402

TOP = tree.TOP

# Which folders a folder may include headers from, itself aside.  The flow goes
# from intent to sai; what is not listed may include nothing of ours.
LAYERS = {
    'base': [],
    'process': ['base'],
    'netdev': ['base'],
    'sai/core': ['base'],
    'sai/loader': ['base', 'sai/core'],
    'sai/trace': ['base', 'sai/core'],
    'sai/stack': ['base', 'sai/core', 'sai/loader', 'sai/trace'],
    'sai/replay': ['base', 'sai/core', 'sai/loader', 'sai/stack', 'sai/trace'],
    'sai/remote': ['base', 'sai/core'],
    'twin/chip': ['base'],
    'twin/chip/yaml': ['base', 'twin/chip'],
    'twin/event': ['base'],
    'twin/mmu': ['base', 'twin/chip'],
    'twin/qos': ['base', 'twin/event'],
    'twin/forwarding': ['base', 'twin/event'],
    'twin/switch': ['base', 'twin/chip', 'twin/event', 'twin/forwarding',
                    'twin/mmu', 'twin/qos'],
    'twin/link': ['base', 'twin/event', 'twin/forwarding', 'twin/switch'],
    'twin/host': ['base', 'twin/event', 'twin/forwarding', 'twin/link',
                  'twin/qos'],
    'twin/transport': ['base'],
    'twin/nic': ['base', 'twin/event', 'twin/forwarding', 'twin/qos',
                 'twin/transport'],
    'twin/fabric': ['base', 'twin/event', 'twin/forwarding', 'twin/host',
                    'twin/link', 'twin/mmu', 'twin/nic', 'twin/qos',
                    'twin/switch'],
    'vendors/libsai': ['base', 'sai/core'],
    'vendors/objects': ['base', 'sai/core'],
    'vendors/remote': ['base', 'sai/core', 'sai/remote', 'vendors/libsai'],
    'vendors/store': ['base', 'sai/core', 'vendors/libsai', 'vendors/objects'],
    'vendors/softasic': ['base', 'sai/core', 'twin/chip', 'twin/mmu',
                         'twin/switch', 'vendors/objects'],
    'vendors/softasic/program': [
        'base', 'sai/core', 'twin/chip', 'twin/forwarding', 'twin/mmu',
        'twin/qos', 'twin/switch', 'vendors/objects', 'vendors/softasic'],
    'vendors/softasic/traffic': [
        'base', 'sai/core', 'twin/chip', 'twin/event', 'twin/fabric',
        'twin/forwarding', 'twin/host', 'twin/link', 'twin/mmu', 'twin/qos',
        'twin/switch', 'vendors/objects', 'vendors/softasic',
        'vendors/softasic/program'],
    'vendors/softasic/sai': [
        'base', 'sai/core', 'twin/chip', 'twin/chip/yaml', 'twin/mmu',
        'twin/switch', 'vendors/libsai', 'vendors/objects', 'vendors/remote',
        'vendors/softasic', 'vendors/softasic/program',
        'vendors/softasic/traffic'],
    'vendors/softasic/remote': [
        'base', 'sai/core', 'sai/remote', 'vendors/libsai', 'vendors/remote',
        'vendors/softasic', 'vendors/softasic/program', 'vendors/softasic/sai',
        'vendors/softasic/traffic'],
    'saihostd': ['base', 'netdev', 'process', 'sai/core', 'sai/loader',
                 'sai/remote', 'vendors/softasic', 'vendors/softasic/remote'],
    'thriftd': ['base', 'process', 'saihostd', 'sai/core', 'sai/remote'],
    'orchd/intent': ['base'],
    'orchd/derive': ['base', 'orchd/intent', 'twin/chip'],
    'orchd/translate': ['base', 'sai/core', 'orchd/intent'],
    'orchd/watchdog/detection': ['base', 'orchd/intent'],
    'orchd/reconcile': ['base', 'sai/core', 'orchd/derive', 'orchd/intent',
                        'orchd/translate', 'orchd/watchdog/detection',
                        'twin/chip'],
    'orchd/db': ['base', 'process', 'orchd/intent'],
    'orchd/watchdog': ['base', 'sai/core', 'orchd/db', 'orchd/intent',
                       'orchd/reconcile', 'orchd/watchdog/detection'],
    'orchd/telemetry/polling': ['base', 'sai/core'],
    'orchd/telemetry': ['base', 'process', 'sai/core', 'orchd/db',
                        'orchd/intent', 'orchd/reconcile',
                        'orchd/telemetry/polling'],
    'orchd/publish': ['base', 'process', 'sai/core', 'sai/stack',
                      'orchd/db', 'orchd/derive', 'orchd/intent',
                      'orchd/reconcile', 'orchd/switch', 'orchd/telemetry',
                      'orchd/translate'],
    'orchd/orchagent': ['base', 'sai/core', 'orchd/db', 'orchd/intent',
                        'orchd/reconcile', 'orchd/translate'],
    'orchd/telemetry/metrics': [
        'base', 'process', 'sai/core', 'sai/stack', 'orchd/db',
        'orchd/publish', 'orchd/reconcile', 'orchd/telemetry',
        'orchd/telemetry/polling', 'orchd/watchdog/detection'],
    'orchd/history': ['base', 'orchd/intent'],
    'orchd/http': ['base', 'process'],
    'orchd/page': ['base', 'process', 'orchd/control', 'orchd/http'],
    'orchd/files': ['base', 'orchd/derive', 'orchd/intent'],
    'orchd/lint': ['base', 'orchd/derive', 'orchd/reconcile', 'twin/chip',
                   'twin/mmu'],
    'orchd/report': ['base', 'sai/core', 'orchd/derive', 'orchd/intent',
                     'orchd/lint', 'orchd/reconcile', 'orchd/translate',
                     'twin/chip'],
    'orchd/switch': ['base', 'sai/core', 'sai/loader', 'orchd/derive',
                     'orchd/intent', 'orchd/reconcile', 'twin/chip',
                     'twin/chip/yaml', 'vendors/softasic'],
    'orchd/testbench': ['base', 'breakpoint', 'sai/core', 'orchd/reconcile',
                        'orchd/switch', 'vendors/softasic'],
    'orchd/control': ['base', 'breakpoint', 'process', 'sai/core', 'sai/stack',
                      'orchd/db', 'orchd/files', 'orchd/history',
                      'orchd/intent', 'orchd/reconcile', 'orchd/report',
                      'orchd/switch', 'orchd/testbench',
                      'orchd/translate', 'twin/chip', 'vendors/softasic'],
    'orchd/daemon': ['base', 'process', 'sai/core', 'sai/loader',
                     'sai/remote', 'sai/stack', 'orchd/control', 'orchd/db', 'orchd/derive',
                     'orchd/files', 'orchd/history', 'orchd/http',
                     'orchd/intent', 'orchd/orchagent', 'orchd/page',
                     'orchd/publish', 'orchd/reconcile', 'orchd/report',
                     'orchd/switch', 'orchd/telemetry',
                     'orchd/telemetry/metrics', 'orchd/telemetry/polling',
                     'orchd/translate', 'orchd/watchdog',
                     'orchd/watchdog/detection', 'twin/chip',
                     'twin/chip/yaml', 'vendors/softasic'],
    'offline': ['base', 'breakpoint', 'sai/core', 'sai/loader', 'sai/stack',
                'orchd/db', 'orchd/derive', 'orchd/intent', 'orchd/lint',
                'orchd/reconcile', 'orchd/switch', 'orchd/testbench',
                'orchd/watchdog', 'twin/chip', 'twin/chip/yaml',
                'vendors/softasic'],
    'breakpoint': ['base', 'yaml'],
    'yaml': ['base'],
    'lab/scenario': ['base', 'yaml'],
    'lab/builder': ['base', 'lab/scenario', 'offline', 'orchd/files',
                    'orchd/intent', 'orchd/reconcile', 'orchd/watchdog',
                    'sai/core', 'sai/stack', 'twin/chip', 'twin/chip/yaml',
                    'twin/event', 'twin/forwarding', 'twin/mmu',
                    'vendors/softasic/program', 'vendors/softasic/sai'],
    'lab/oracle': ['base'],
    'lab/estats': ['base'],
    'lab/storage': ['base'],
    'lab/fluid': ['base', 'lab/oracle'],
    'results': ['base'],
    'lab/measure': ['base', 'results'],
    'lab/exec': ['base', 'lab/builder', 'lab/estats', 'lab/fluid',
                 'lab/measure', 'lab/oracle', 'lab/scenario', 'lab/storage',
                 'orchd/watchdog/detection', 'results',
                 'twin/chip', 'twin/fabric', 'twin/forwarding', 'twin/host',
                 'twin/nic', 'twin/qos', 'twin/switch', 'twin/transport'],
    'lab/publish': ['base', 'orchd/db', 'process', 'saihostd', 'sai/remote',
                    'vendors/softasic/remote'],
    'command': ['base'],
    'lab/probe': ['base', 'lab/builder', 'lab/exec', 'lab/scenario'],
    'orchlab': ['base', 'command', 'lab/builder', 'lab/exec', 'lab/fluid',
                'lab/measure', 'lab/probe', 'lab/oracle', 'lab/publish', 'lab/scenario', 'process',
                'results'],
    'orchctl': ['base', 'breakpoint', 'command', 'offline', 'process',
                'orchd/control', 'orchd/daemon', 'orchd/derive',
                'orchd/files', 'orchd/reconcile', 'orchd/report',
                'orchd/switch', 'results', 'sai/core', 'sai/loader',
                'sai/remote', 'sai/replay', 'sai/stack', 'sai/trace',
                'twin/chip', 'twin/chip/yaml', 'vendors/softasic'],
}

# Folders without I/O, clock and environment, and what they may include of libc.
PURE = ['base', 'lab/estats', 'lab/oracle', 'lab/storage', 'twin/chip',
        'twin/event', 'twin/fabric',
        'twin/forwarding', 'twin/host', 'twin/link', 'twin/mmu', 'twin/nic',
        'twin/qos', 'twin/switch', 'twin/transport',
        'orchd/derive', 'orchd/lint', 'orchd/reconcile',
        'orchd/telemetry/polling', 'orchd/translate',
        'orchd/watchdog/detection']
PURE_SYSTEM = {'assert.h', 'config.h', 'inttypes.h', 'limits.h', 'math.h',
               'stdarg.h', 'stdbool.h', 'stddef.h', 'stdint.h', 'stdlib.h',
               'string.h', 'uthash.h', 'utlist.h', 'Random123/philox.h'}
# Modules that exist so that no other pure one needs these.
PURE_EXCEPTIONS = {('base/check.c', 'stdio.h'), ('base/text.c', 'stdio.h')}

# Libraries, and the only folders that may know them.
LIBRARIES = {
    'hiredis/': ['lab/publish', 'orchd/db'],
    'event2/': ['process', 'orchd/db', 'orchd/control',
                'orchd/http', 'saihostd', 'thriftd'],
    'gsl/': ['lab/fluid'],
    'libyang/': ['orchd/intent'],
    'libfyaml.h': ['twin/chip/yaml', 'breakpoint', 'lab/scenario', 'yaml'],
    'libsmartcols/': ['command'],
    'Random123/': ['twin/event'],
    'netlink/': ['netdev'],
    'sqlite3.h': ['results'],
    'zlib.h': ['orchd/page'],
}

# The words that are refused, and the files in which they are looked for.
WORDS = 'scripts/words.txt'
TEXTS = ('.c', '.h', '.def', '.md', '.py', '.sh', '.mk', '.am', '.ac', '.yang',
         '.yaml', '.yml', '.toml', '.dot')
# What codespell takes for mistakes and is none: terms and names of SAI.
SPELLED_RIGHT = ['ake', 'clos', 'conext', 'ect', 'expct', 'nd', 'parms', 'ser', 'sise', 'statics',
                 'te', 'untils']

UNFINISHED = re.compile(r'\b(XXX|FIXME|HACK)\b|\bTODO\b(?!\(#\d+\))')
SLEEP = re.compile(r'\b(u?sleep|nanosleep)\s*\(|time\.sleep')

# Where wait_until() lives, which asks again until a condition holds.
WAITERS = {'tests/integration/harness.py'}

problems = []
# What the modules of the product include, by their names without suffix.
includes = {}


def report(path, line, text):
    problems.append('%s:%d: %s' % (path, line, text))


def folder_of(path):
    return os.path.dirname(path)


def check_include(path, number, name, system):
    folder = folder_of(path)
    if path.startswith('tests/'):
        return
    if not system:
        includes.setdefault(path[:-2], set()).add(name[:-2])
    for prefix, folders in LIBRARIES.items():
        if name.startswith(prefix) and folder not in folders:
            report(path, number, '%s is known only to %s' %
                   (name, ', '.join(folders)))
    if system:
        if folder in PURE and name not in PURE_SYSTEM \
                and not name.startswith('sai') \
                and (path, name) not in PURE_EXCEPTIONS:
            report(path, number, '%s in a pure folder' % name)
        return
    other = folder_of(name)
    if other and other != folder and name.endswith('.h'):
        if other not in LAYERS.get(folder, []):
            report(path, number, '%s may not include from %s' %
                   (folder, other))


def check_header(path, text):
    guard = re.search(r'^#ifndef (\w+)\n#define (\w+)$', text, re.M)
    folder = os.path.basename(folder_of(path)).upper()
    if not guard or guard.group(1) != guard.group(2):
        report(path, 1, 'no include guard')
    elif not guard.group(1).startswith('ORCHD_') \
            or folder not in guard.group(1):
        report(path, 1, 'guard %s does not name its folder' % guard.group(1))
    if not re.search(r'^/\*.{20,}', text.split('#define', 1)[-1], re.M):
        report(path, 1, 'no purpose comment')


def check_source(path, text):
    own = path[:-2] + '.h'
    first = [name for name in re.findall(r'^#include [<"]([^>"]+)', text, re.M)
             if name != 'config.h']
    if os.path.exists(os.path.join(TOP, own)) and (not first
                                                   or first[0] != own):
        report(path, 1, 'does not include its own header first')
    if 'config.h' in text and '#include <config.h>' not in text:
        report(path, 1, 'config.h is included as <config.h>')
    if not path.startswith('tests/') and re.search(r'^extern ', text, re.M):
        report(path, 1, 'extern in a .c file')


def check_text(path, text):
    code = path.endswith(('.c', '.h', '.def'))
    for number, line in enumerate(text.split('\n'), 1):
        if code and len(line) > 80:
            report(path, number, 'longer than 80 columns')
        if code and '\t' in line:
            report(path, number, 'tab')
        if line.rstrip() != line and not path.endswith('.md'):
            report(path, number, 'blank at the end of the line')
        if UNFINISHED.search(line) and path != 'scripts/check_style.py':
            report(path, number, 'unfinished work without an issue')
        if path.startswith('tests/') and SLEEP.search(line) \
                and path not in WAITERS:
            report(path, number, 'sleep in a test')
        match = re.match(r'\s*#\s*include\s*([<"])([^>"]+)', line)
        if code and match:
            check_include(path, number, match.group(2), match.group(1) == '<')


def compile_alone(headers):
    """Compiles the headers that no source includes first: all others compile
    with their source (check_source())."""
    flags = subprocess.run(
        ['pkg-config', '--cflags', 'libevent', 'libfyaml', 'hiredis',
         'jansson', 'smartcols', 'libyang', 'libnl-route-3.0'],
        capture_output=True, text=True).stdout.split()
    for path in headers:
        if os.path.exists(os.path.join(TOP, path[:-2] + '.c')):
            continue
        run = subprocess.run(
            ['gcc', '-std=gnu11', '-fsyntax-only', '-Wall', '-Werror',
             '-I' + TOP, '-I' + os.path.join(TOP, 'sai/include')] + flags +
            ['-x', 'c', '-include', os.path.join(TOP, path), '/dev/null'],
            capture_output=True, text=True)
        if run.returncode:
            report(path, 1, 'does not compile alone: ' +
                   run.stderr.strip().split('\n')[0])


def check_cycles():
    """A module, which is x.c with x.h, may not need itself by way of others.
    Reports every module on a cycle."""
    reaches = {}
    for unit in includes:
        seen, todo = set(), list(includes[unit])
        while todo:
            other = todo.pop()
            if other in includes and other not in seen:
                seen.add(other)
                todo.extend(includes[other])
        reaches[unit] = seen
    for unit in sorted(includes):
        others = sorted(other for other in reaches[unit]
                        if other != unit and unit in reaches[other])
        if others:
            report(unit + '.h', 1, 'needs itself by way of %s' %
                   ', '.join(others))


def make_variables():
    """Returns what the makefiles assign, by name."""
    values = {}
    for path in tree.files():
        if path.endswith(('.mk', '.am')):
            with open(os.path.join(TOP, path), encoding='utf-8') as file:
                text = file.read().replace('\\\n', ' ')
            for name, value in re.findall(r'^(\w+) \+?= *(.*)$', text, re.M):
                values[name] = values.get(name, '') + ' ' + value
    return values


def check_fuzzers():
    """"make fuzz" compiles the product again, from a list of libraries.  The
    fuzzers are built rarely, but their replays always: each library that the
    replays are linked with has to be in the list, except that of the daemon,
    of which the fuzzers use single files."""
    values = make_variables()
    listed = set(re.findall(r'\$\((lib\w+_a)_SOURCES\)',
                            values['libfuzzed_a_SOURCES'] +
                            values['libfuzzed_model_a_SOURCES']))
    seen, todo = {'daemon_libs'}, [
        value for name, value in values.items()
        if re.match(r'tests_fuzz_replay_\w+_LDADD$', name)]
    while todo:
        value = todo.pop()
        for name in re.findall(r'(lib[\w-]+)\.a', value):
            name = name.replace('-', '_') + '_a'
            if name not in listed | seen:
                seen.add(name)
                report('tests/fuzz/automake.mk', 1,
                       '%s is in neither library of the fuzzers' % name)
        for name in re.findall(r'\$\((\w+_libs)\)', value):
            if name not in seen:
                seen.add(name)
                todo.append(values[name])


def check_conditions(path, text):
    """Flags of a target that one branch of a condition sets are empty in the
    other one, where not even those of all files are used."""
    branches = []
    for number, line in enumerate(text.splitlines(), 1):
        found = re.match(r'(\w+_(?:CFLAGS|CPPFLAGS|LDFLAGS)) = ', line)
        if re.match(r'if ', line):
            branches.append([{}])
        elif re.match(r'else\b', line):
            branches[-1].append({})
        elif re.match(r'endif\b', line):
            one, *other = branches.pop()
            for name in set(one) ^ set(other[0]) if other else ():
                report(path, one.get(name, other[0].get(name)),
                       '%s is set in one branch only' % name)
        elif found and branches:
            branches[-1][-1][found[1]] = number


def check_named_tests():
    """Documents say which test proves a clause: there has to be one."""
    tests = set()
    for path in tree.files():
        if path.startswith('tests/') and path.endswith(('.c', '.py')):
            with open(os.path.join(TOP, path), encoding='utf-8') as file:
                tests |= set(re.findall(r'^(?: *def )?(test_\w+)\(', file.read(),
                                        re.M))
            tests.add(os.path.splitext(os.path.basename(path))[0])
    for path in tree.files():
        if not path.endswith('.md'):
            continue
        with open(os.path.join(TOP, path), encoding='utf-8') as file:
            for number, line in enumerate(file, 1):
                for name in re.findall(r'`(test_\w+)(?:\.\w+)?`', line):
                    if name not in tests:
                        report(path, number, 'there is no ' + name)


def check_files():
    """A file that no makefile lists is in the repository and not in a package:
    the package then lacks a chip, or its tests fail to build."""
    values = make_variables()
    listed = set(re.sub(r'\$\(\w+\)', ' ', ' '.join(values.values())).split())
    # A program whose sources are not named is built from the file of its name.
    listed |= {path + '.c' for path in listed}
    for path in tree.files():
        parts = path.split('/')
        if parts[0] in ('.ci', '.gitignore', 'Makefile.am', 'configure.ac') \
                or parts[-1] in ('automake.mk', '.gitignore'):
            continue
        folders = {'/'.join(parts[:n]) for n in range(1, len(parts))}
        if path not in listed and not folders & listed:
            report(path, 1, 'is not listed in a makefile')


def check_words():
    """Words that this project does not use, and what it says instead."""
    rules = []
    with open(os.path.join(TOP, WORDS), encoding='utf-8') as file:
        for line in file:
            if line.strip() and not line.startswith('#'):
                pattern, _, better = line.rstrip('\n').partition(' -> ')
                rules.append((re.compile(r'\b(?:%s)\b' % pattern.strip(), re.I),
                              better))
    paths = [path for path in tree.files()
             if path != WORDS and not path.startswith(('tests/fuzz/corpus/', 'tests/lab/bad/'))
             and path.endswith(TEXTS + ('check', 'quickstart'))]
    # Most lines have none of them: one search says so.
    anything = re.compile('|'.join(pattern.pattern for pattern, _ in rules),
                          re.I)
    for path in paths:
        with open(os.path.join(TOP, path), encoding='utf-8') as file:
            for number, line in enumerate(file, 1):
                for pattern, better in rules if anything.search(line) else ():
                    match = pattern.search(line)
                    if match:
                        report(path, number, '"%s": %s' %
                               (match.group(0), better))
    check_spelling(paths)


def check_spelling(paths):
    if not shutil.which('codespell'):
        report('scripts/packages', 1, 'codespell is not installed')
        return
    run = subprocess.run(['codespell', '--ignore-words-list',
                          ','.join(SPELLED_RIGHT)] + paths, cwd=TOP,
                         capture_output=True, text=True)
    for line in run.stdout.splitlines():
        path, number, text = line.split(':', 2)
        report(path, int(number), 'spelling:' + text)


def main():
    headers = []
    for path in tree.files():
        if not path.endswith(('.c', '.h', '.def', '.py', '.sh', '.mk', '.am',
                              '.yang', '.yaml')):
            continue
        with open(os.path.join(TOP, path), encoding='utf-8') as file:
            text = file.read()
        check_text(path, text)
        if path.endswith(('.c', '.h')) and \
                'SPDX-License-Identifier: Apache-2.0' not in text[:200]:
            report(path, 1, 'no SPDX line')
        if path.endswith('.h'):
            headers.append(path)
            check_header(path, text)
        elif path.endswith('.c'):
            check_source(path, text)
        elif path.endswith(('.mk', '.am')):
            check_conditions(path, text)
    check_cycles()
    check_fuzzers()
    check_named_tests()
    check_files()
    check_words()
    compile_alone(headers)
    problems.extend(check_docs.check())
    problems.extend(check_stories.check())
    for problem in problems:
        print(problem)
    print('%d breaches' % len(problems) if problems
          else 'all rules hold')
    sys.exit(1 if problems else 0)


if __name__ == '__main__':
    main()

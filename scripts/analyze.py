#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a static analyzer over C files and prints what nobody has reviewed.

  analyze.py [--jobs N] [--folder FOLDER]... TOOL BUILD

TOOL is clang-tidy, clang (the analyzer that scan-build runs), or gcc (-fanalyzer).
BUILD is a build directory for this alone, configured and not built: its make says how
each file would be compiled.
--folder, also more than once, leaves out what is in other folders.

BUILD/TOOL/FILE.txt keeps what the tool said about a file, with a hash of the file,
its headers and its command: after an interruption or a change only those files that need it are analyzed.

Findings are reviewed one at a time: scripts/findings lists those that are no bugs,
each with the reason.  Which checks clang-tidy makes, and why not the others, is in
.clang-tidy.  Exits 1 if a finding is not in the list, if a file cannot be analyzed
or, without --folder, if the list has something that is no longer found.
"""
import argparse
import concurrent.futures
import fnmatch
import hashlib
import os
import re
import shlex
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIST = os.path.join(TOP, 'scripts', 'findings')

# The hash function of uthash is expanded at each use, and its many paths tell an analyzer
# nothing: with it gcc needs a minute for process/log.c, without a tenth of a second.
PLAIN_HASH = ('-DHASH_FUNCTION(key,length,value)='
              '((value)=(unsigned)*(const char*)(key)+(unsigned)(length))')

# What each tool is started with; the flags of the compiler and the file follow.
# --config-file: clang-tidy itself would look for one above the file.
TOOLS = {
    'clang-tidy': ['clang-tidy', '--quiet', '--config-file=%s/.clang-tidy' % TOP],
    'clang': ['clang', '--analyze', PLAIN_HASH, '-Xclang', '-analyzer-output=text',
              '-Xclang', '-analyzer-checker=valist,security.FloatLoopCounter,'
              'optin.portability'],
    'gcc': ['gcc', '-fanalyzer', PLAIN_HASH, '-O0', '-c', '-o', '/dev/null',
            '-fdiagnostics-plain-output'],
}
FINDING = re.compile(r'(\S+?):(\d+):\d+: (?:warning|error): (.*) \[([\w.,-]+)\]')
FUNCTION = re.compile(r'\b(\w+)\(')
# A job that needs more than this is reported as one that failed.
SECONDS = 900


def commands(build):
    """{file: flags} of all that a build compiles, which has not begun in that directory.
    Not of the tests: those run with sanitizers and valgrind, and a pointer that an
    assertion of cmocka has checked is still NULL for an analyzer."""
    subprocess.run(['make', '-s', '-C', build, 'version_commit.h'], check=True)
    plan = subprocess.run(['make', '-n', '-C', build, 'V=1', 'all', 'check', 'TESTS='],
                          capture_output=True, text=True, check=True).stdout
    if any(name.endswith('.o') for _, _, names in os.walk(build) for name in names):
        sys.exit('analyze: %s has objects; give it a directory of its own' % build)
    found = {}
    for line in plan.replace('\\\n', ' ').splitlines():
        match = re.search(r"(?:libtool .*?--mode=compile )?\bgcc (-D.* -c .*\.c)\b", line)
        if not match:
            continue
        words = shlex.split(re.sub(r'`test -f.*`', '', match[1]))
        path = os.path.relpath(os.path.join(build, words[-1]), TOP)
        if not os.path.exists(os.path.join(TOP, path)):
            path = words[-1]
        if path.startswith('tests/'):
            continue
        flags, skip = [], False
        for word in words[:-1]:
            if skip:
                skip = False
            elif word in ('-MT', '-MF', '-o'):
                skip = True
            elif not re.match(r'-(c|MD|MP|O.|g.?|Werror)$', word):
                flags.append(word)
        found.setdefault(path, flags)
    return found


def digest(build, source, flags, command):
    """A hash of all that the result for a file depends on."""
    names = subprocess.run(['gcc', '-MM', '-MG'] + flags + [source], cwd=build,
                           capture_output=True, text=True).stdout
    total = hashlib.sha256(repr(command).encode())
    settings = [os.path.join(TOP, '.clang-tidy')] if 'clang-tidy' in command else []
    for name in settings + names.replace('\\\n', ' ').split()[1:]:
        try:
            with open(os.path.join(build, name), 'rb') as file:
                total.update(file.read())
        except OSError:
            total.update(b'missing')
    return total.hexdigest()


def analyze(tool, build, path, flags):
    """What the tool says about a file, from the last run if nothing has changed."""
    source = os.path.join(TOP, path)
    command = TOOLS[tool] + ([source, '--'] + flags if tool == 'clang-tidy'
                             else flags + [source])
    key = digest(build, source, flags, command)
    kept = os.path.join(build, tool, path + '.txt')
    try:
        with open(kept) as file:
            if file.readline().strip() == key:
                return file.read()
    except OSError:
        pass
    try:
        run = subprocess.run(command, cwd=build, capture_output=True, text=True,
                             timeout=SECONDS, env=dict(os.environ, LC_ALL='C'))
    except subprocess.TimeoutExpired:
        return '%s:1:1: error: more than %u s [timeout]\n' % (source, SECONDS)
    text = run.stdout + run.stderr
    if run.returncode and not FINDING.search(text):
        return '%s:1:1: error: %s failed: %s [failed]\n' % (
            source, tool, ' '.join(text.split())[:200])
    os.makedirs(os.path.dirname(kept), exist_ok=True)
    with open(kept + '.new', 'w') as file:
        file.write(key + '\n' + text)
    os.rename(kept + '.new', kept)
    return text


def lines_of(path, cache={}):
    if path not in cache:
        try:
            with open(os.path.join(TOP, path)) as file:
                cache[path] = file.read().splitlines()
        except OSError:
            cache[path] = []
    return cache[path]


def function_at(path, number):
    """The function that a line is in: "{" in the first column starts one."""
    lines = lines_of(path)
    at = min(number, len(lines)) - 1
    while at > 0 and not lines[at].startswith('{'):
        if lines[at].startswith('}') and at != number - 1:
            return '-'
        at -= 1
    while at > 0:
        at -= 1
        # Where a name starts a line or follows a type, and not an argument.
        if lines[at] and not lines[at][0].isspace():
            match = FUNCTION.search(lines[at])
            return match[1] if match else '-'
    return '-'


def findings(text, build):
    """(check, file, function, line, message) of each finding, once; not of the headers of
    libraries and of what configure has made in the build directory."""
    found = {}
    for match in re.finditer('^' + FINDING.pattern + '$', text, re.M):
        path = os.path.normpath(os.path.join(build, match[1]))
        if path.startswith(build + '/') or not path.startswith(TOP + '/'):
            continue
        path, line = os.path.relpath(path, TOP), int(match[2])
        found[(match[4], path, function_at(path, line), line, match[3])] = True
    return list(found)


def reviewed(tool):
    """[(check, file, place)] of the list; each entry has a reason."""
    entries, last = [], None
    with open(LIST) as file:
        for number, line in enumerate(file, 1):
            if line.startswith('#') or not line.strip():
                continue
            if line[0].isspace():
                last = None
                continue
            words = line.split()
            if last or len(words) != 4 or words[0] not in TOOLS:
                sys.exit('%s:%u: not "TOOL CHECK FILE PLACE" and a reason' % (LIST, number))
            last = words
            if words[0] == tool:
                entries.append(tuple(words[1:]))
    if last:
        sys.exit('%s: the last entry has no reason' % LIST)
    return entries


def fits(entry, finding):
    """Whether an entry of the list is about a finding."""
    (check, path, place), (found, source, function, line, message) = entry, finding
    if check != found or not fnmatch.fnmatchcase(source, path):
        return False
    if place.startswith('@'):
        text = ''.join(lines_of(source)[line - 1:line]) + ' ' + message
        return fnmatch.fnmatchcase(text, '*%s*' % place[1:])
    return fnmatch.fnmatchcase(function, place)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('--folder', action='append', default=[])
    parser.add_argument('tool', choices=TOOLS)
    parser.add_argument('build')
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    entries = reviewed(options.tool)
    used, new = set(), {}
    files = commands(build)
    if options.folder:
        chosen = [p for folder in options.folder for p in files
                  if p.startswith(folder.rstrip('/') + '/')]
        files = {p: files[p] for p in chosen}
    if not files:
        sys.exit('analyze: no files')
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        texts = pool.map(lambda p: analyze(options.tool, build, p, files[p]), files)
        for text in texts:
            for finding in findings(text, build):
                entry = next((e for e in entries if fits(e, finding)), None)
                if entry:
                    used.add(entry)
                elif finding not in new:
                    new[finding] = True
                    check, path, function, line, message = finding
                    print('%s:%u: %s: %s [%s]' % (path, line, function, message, check),
                          flush=True)
    unused = [] if options.folder else [e for e in entries if e not in used]
    for entry in unused:
        print('scripts/findings: no longer found: %s %s' % (options.tool, ' '.join(entry)))
    print('%s: %u files, %u findings not reviewed' % (options.tool, len(files), len(new)))
    return 1 if new or unused else 0


if __name__ == '__main__':
    sys.exit(main())

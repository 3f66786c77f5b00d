#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what the documents say with what the program knows.

check_style.py calls check(); by itself this prints what is wrong.  Nothing is
built: names are read from the tables of the sources (X-macros, arrays, calls),
and from the documents the names in backticks in the first column of a table.
Both have to be the same, in both directions.  Besides, each link leads to a
page that exists, and each file that a page names exists.
"""

import ast
import glob
import json
import os
import re
import sys

sys.dont_write_bytecode = True
import tree  # noqa: E402

TOP = tree.TOP
DOCS = ('base', 'process', 'sai', 'vendors', 'twin', 'netdev', 'saihostd',
        'thriftd', 'orchd', 'offline', 'breakpoint', 'orchctl', 'yaml', 'lab', 'command',
        'orchlab', 'results')

problems = []


def report(path, text):
    problems.append('%s: %s' % (path, text))


def read(path):
    with open(os.path.join(TOP, path), encoding='utf-8') as file:
        return file.read()


def sources():
    """The text of all C sources of the product, by path."""
    texts = {}
    for folder in DOCS:
        for path in glob.glob(os.path.join(TOP, folder, '**', '*.[ch]'),
                              recursive=True):
            name = os.path.relpath(path, TOP)
            texts[name] = read(name)
    return texts


# What the sources say.

def macro(text, name):
    """The body of the X-macro 'name', with its lines joined."""
    match = re.search(r'#define %s\(X\)(.*?[^\\])\n' % name, text, re.S)
    return match.group(1).replace('\\\n', ' ') if match else ''


def defined(texts, name):
    """The body of the X-macro 'name', wherever it is defined."""
    return next((body for body in (macro(text, name) for text in texts.values())
                 if body), '')


def in_macro(texts, name, pattern):
    """What 'pattern' finds in each item of the X-macro 'name'."""
    return re.findall(r'\bX\(\s*' + pattern, defined(texts, name))


def arguments(text, call):
    """The arguments of each call of 'call' in 'text', as lists of texts."""
    for match in re.finditer(call, text):
        depth, start, words = 1, match.end(), []
        i = start
        while i < len(text) and depth:
            c = text[i]
            if c == '"':
                i += 1
                while text[i] != '"':
                    i += 2 if text[i] == '\\' else 1
            elif c in '([{':
                depth += 1
            elif c in ')]}':
                depth -= 1
            if (c == ',' and depth == 1) or depth == 0:
                words.append(text[start:i].strip())
                start = i + 1
            i += 1
        yield words


# Where a code of the log is an argument: the call, and which argument.
LOGS = ((r'\blog_write\(', 2), (r'\bpfcwd_log__\(', 2), (r'->note\(', 1))
CODE = re.compile(r'"([a-z][a-z0-9-]+)"')


def log_codes(texts):
    """The codes that are written as literals where a line is logged."""
    codes = set()
    for call, index in LOGS:
        n = 0
        for path, text in texts.items():
            for words in arguments(text, call):
                if len(words) > index:
                    found = CODE.findall(words[index].split('?')[-1])
                    n += len(found)
                    codes |= set(found)
        if not n:
            report('scripts/check_docs.py', 'no code is logged by ' + call)
    for text in texts.values():
        codes |= set(re.findall(r'\[WATCHDOG_\w+\] = "([a-z-]+)"', text))
    return codes


def verbs(texts):
    """'noun verb' of all verbs of orchctl."""
    found = set()
    for path, text in texts.items():
        if path.startswith('orchctl/'):
            found |= {noun + ' ' + verb for noun, verb in re.findall(
                r'^    \{"([a-z-]+)", "([a-z-]+)",\s*(?:"|NULL|\n)[^}]*?\d,',
                text, re.M) if noun in NOUNS}
            found |= {'show ' + verb for verb in
                      re.findall(r'\bSHOW\(\s*"([a-z-]+)"', text)}
    return found


NOUNS = {'asic', 'breakpoint', 'config', 'config-file', 'headroom', 'log', 'sai', 'show',
         'sweep', 'twin'}


def metrics(texts):
    """The names of all metrics."""
    names = set()
    for path, text in texts.items():
        if path.startswith('orchd/telemetry/metrics/'):
            names |= set(re.findall(r'"(orchd_\w+)"', text))
            for first, suffix in (('orchd_" name "_total', '_total'),
                                  ('orchd_" name "_bytes', '_bytes')):
                if first in text:
                    names |= made_metrics(text, first, suffix)
    return names


def made_metrics(text, first, suffix):
    """The names that a macro builds of "orchd_", its argument and 'suffix', or
    that another macro builds with it."""
    kind = re.findall(r'#define (\w+)\(', text[:text.index(first)])[-1]
    made = [(kind, '')] + re.findall(
        r'#define (\w+)\(name,(?:[^\n]|\\\n)*?\b%s\("(\w+)" name' % kind, text)
    return {'orchd_' + prefix + name + suffix for macro_name, prefix in made
            for name in re.findall(r'\b%s\(\s*"([a-z_]+)",' % macro_name, text)}


# What the documents say.

def expand(word):
    """The words that "a_{b,c}_d" stands for."""
    match = re.search(r'\{([\w,]*)\}', word)
    if not match:
        return [word]
    return [done for part in match.group(1).split(',') for done in
            expand(word[:match.start()] + part + word[match.end():])]


def column(path, heading=None):
    """The names in backticks in the first columns of the tables of a page, or
    of one of its sections."""
    text = read(path)
    if heading:
        match = re.search(r'^#+ %s\n(.*?)(?=^#|\Z)' % re.escape(heading), text,
                          re.S | re.M)
        if not match:
            report(path, 'no section "%s"' % heading)
            return set()
        text = match.group(1)
    names = set()
    for line in text.split('\n'):
        if line.startswith('|'):
            first = re.split(r'(?<!\\)\|', line)[1]
            for word in re.findall(r'`([^`]+)`', first):
                names |= set(expand(word))
    return names


def same(path, what, documented, known):
    """Reports each name that is only in one of the two sets."""
    if not known:
        report(path, 'no %s found in the sources' % what)
    for name in sorted(known - documented):
        report(path, '%s %s is not documented' % (what, name))
    for name in sorted(documented - known):
        report(path, 'there is no %s %s' % (what, name))


REFERENCE = 'docs/reference/'


def check_settings(texts):
    path = REFERENCE + 'settings.md'
    same(path, 'setting', column(path),
         set(in_macro(texts, 'SETTINGS_LIST', r'(\w+),')))
    rows = {words[1].strip(' `'): (words[2].strip(), words[3].strip())
            for words in (line.split('|') for line in read(path).split('\n'))
            if len(words) > 4}
    for name, low, high in in_macro(
            texts, 'SETTINGS_LIST', r'(\w+), NUMBER, \d+, (\d+), (\d+)'):
        if name in rows and rows[name][0] != '%s..%s' % (low, high):
            report(path, '%s is %s..%s' % (name, low, high))
    for name, default in in_macro(texts, 'SETTINGS_LIST',
                                  r'(\w+), NUMBER, (\d+)'):
        if name in rows and rows[name][1] != default:
            report(path, 'the default of %s is %s' % (name, default))


def check_tables(texts):
    path = REFERENCE + 'schema.md'
    same(path, 'table', column(path, 'Tables'),
         set(re.findall(r'^TABLE\((\w+),', read('orchd/intent/tables.def'), re.M)))


def check_verbs(texts):
    path = REFERENCE + 'cli.md'
    same(path, 'verb', column(path, 'orchctl'), verbs(texts))


def check_options(texts):
    path = REFERENCE + 'cli.md'
    names = set()
    for text in texts.values():
        names |= set(re.findall(r'\bX\(\w+,\s*"([a-z-]+)"',
                                macro(text, 'OPTION_LIST')))
    names |= set(re.findall(r'\bX\([A-Z_]+,\s*"([a-z-]+)"',
                            texts['saihostd/options.c']))
    same(path, 'option', {word.lstrip('-') for word in
                          column(path, 'orchd, softasicd and saihostd')}, names)


def check_log(texts):
    path = REFERENCE + 'log.md'
    documented, logged = column(path), log_codes(texts)
    for code in sorted(logged - documented):
        report(path, 'code %s is not documented' % code)
    everything = '\n'.join(texts.values())
    for code in sorted(documented):
        if '"%s"' % code not in everything and not code.endswith('*'):
            report(path, 'there is no code ' + code)


def check_lint(texts):
    path = REFERENCE + 'lint.md'
    documented = dict(re.findall(r'^## `([a-z-]+)`\n(\w+)', read(path), re.M))
    known = dict(in_macro(texts, 'LINT_RULES',
                          r'\w+, "([a-z-]+)",\s*(WARNING|NOTE)'))
    same(path, 'rule', set(documented), set(known))
    for code in sorted(set(documented) & set(known)):
        if documented[code].upper() != known[code]:
            report(path, '%s is a %s' % (code, known[code].lower()))


def check_metrics(texts):
    path = REFERENCE + 'metrics.md'
    same(path, 'metric', column(path), metrics(texts))


def expressions(item):
    """All expressions for Prometheus in a dashboard of Grafana."""
    if isinstance(item, dict):
        for key, value in item.items():
            if key in ('expr', 'query') and isinstance(value, str):
                yield value
            yield from expressions(value)
    elif isinstance(item, list):
        for value in item:
            yield from expressions(value)


def check_monitoring(texts):
    """Dashboards and alerts use metrics that exist."""
    known = metrics(texts)
    known |= {name + suffix for name in known
              for suffix in ('_bucket', '_count', '_sum')
              if name.endswith('_seconds')}
    used = {'examples/prometheus/alerts.yml':
            ' '.join(re.findall(r'(?s)expr:(.*?)(?:labels|annotations|for):',
                                read('examples/prometheus/alerts.yml')))}
    for path in glob.glob(os.path.join(TOP, 'examples/grafana/*.json')):
        path = os.path.relpath(path, TOP)
        board = json.loads(read(path))
        used[path] = ' '.join(expressions(board))
        ids = [panel['id'] for panel in board['panels']]
        if len(ids) != len(set(ids)):
            report(path, 'two panels have the same id')
    for path, text in used.items():
        names = set(re.findall(r'\borchd_\w+', text))
        if not names:
            report(path, 'has no metric')
        for name in sorted(names - known):
            report(path, 'there is no metric ' + name)


def check_groups(texts):
    path = REFERENCE + 'counters.md'
    same(path, 'group', column(path, 'What is polled'),
         set(in_macro(texts, 'COUNTER_GROUP_LIST', r'\w+, "(\w+)"')) |
         {'PFCWD'})


def check_chips(texts):
    path = REFERENCE + 'chips.md'
    same(path, 'chip', column(path, 'Shipped chips'),
         {os.path.basename(name)[:-5] for name in
          glob.glob(os.path.join(TOP, 'chips', '*.yaml'))})
    fields = texts['twin/chip/yaml/chip_fields.c']
    fields = fields[fields.index('chip_fields[] = {'):]
    same(path, 'key', column(path, 'Keys'),
         set(re.findall(r'^    \{"(\w+)",', fields, re.M)))


def check_steps(texts):
    path = REFERENCE + 'breakpoints.md'
    known = {verb for macro in ('STEP_LIST', 'TARGET_STEP_LIST') for verb in
             in_macro(texts, macro, r'[A-Z_]+,(?: \w+, \w+,)? "(\w+)"')}
    text = read(path)
    for verb in sorted(known):
        if not re.search(r'`%s\b' % verb, text):
            report(path, 'step %s is not documented' % verb)
    section = text[text.index('## Steps'):text.index('## Every verb once')]
    for line in section.split('\n'):
        match = re.match(r'\| `(\w+)(?::|`)', line)
        if match and match.group(1) not in known | OBJECTS:
            report(path, 'there is no step ' + match.group(1))
    if not known:
        report(path, 'no step found in the sources')


OBJECTS = {'pg', 'queue', 'pool', 'flow', 'peer', 'port'}


# The tables of keys of scenarios: file, table, section, and which table of the
# section.
SCENARIO_TABLES = (
    ('scenario_read', 'scenario', 'Scenario', 0),
    ('section_fabric', 'fabric', 'Fabric', 0),
    ('section_fabric', 'star', 'star', 0),
    ('section_fabric', 'clos', 'clos', 0),
    ('section_fabric', 'fat_tree', 'fat_tree', 0),
    ('section_fabric', 'podsets', 'podsets', 0),
    ('section_fabric', 'region', 'region', 0),
    ('section_graph', 'graph', 'graph', 0),
    ('section_graph', 'graph_switch', 'graph', 1),
    ('section_graph', 'graph_link', 'graph', 2),
    ('section_fabric', 'levels', 'links', 0),
    ('section_fabric', 'level', 'links', 1),
    ('section_roles', 'ecmp', 'ecmp', 0),
    ('section_roles', 'role', 'switch', 0),
    ('section_hosts', 'hosts', 'Hosts', 0),
    ('section_adapter', 'host', 'Hosts', 1),
    ('section_adapter', 'rc', 'rc', 0),
    ('section_adapter', 'fmr', 'fmr', 0),
    ('section_tcp', 'tcp', 'tcp', 0),
    ('section_srd', 'srd', 'srd', 0),
    ('section_cpu', 'cpu', 'cpu', 0),
    ('section_adapter', 'dcqcn', 'dcqcn', 0),
    ('section_pcie', 'pcie', 'pcie', 0),
    ('section_pcie', 'caches', 'caches', 0),
    ('section_pcie', 'switch', 'pcie_switches', 0),
    ('section_adapter', 'rx_fifo', 'rx_fifo', 0),
    ('section_adapter', 'pfc', 'pfc', 0),
    ('section_traffic', 'item', 'Traffic', 0),
    ('section_traffic', 'rc', 'rc traffic', 0),
    ('section_traffic', 'ping', 'ping traffic', 0),
    ('section_traffic', 'tcp', 'tcp traffic', 0),
    ('section_traffic', 'srd', 'srd traffic', 0),
    ('section_traffic', 'raw', 'raw traffic', 0),
    ('section_pingmesh', 'pingmesh', 'pingmesh traffic', 0),
    ('section_faults', 'fault', 'Faults', 0),
    ('section_repairs', 'repair', 'Repairs', 0),
    ('section_record', 'record', 'Record', 0),
    ('section_record', 'series', 'Record', 1),
    ('section_record', 'estats', 'Record', 2),
    ('section_expect', 'expect', 'Expect', 0),
)
SCENARIO_ROW = re.compile(
    r'\{\s*"(\w+)",\s*FIELD_\w+,\s*(?:AT|offsetof)\([^)]*\),\s*(NULL|"[^"]*"),'
    r'\s*(NULL|"[^"]*"|field_required),\s*(\w+),?\s*\}')


def scenario_rows(text, table):
    """Range, default and name of the list of words of each key of a table."""
    text = text.replace('\\\n', ' ')
    for name, body in re.findall(r'^#define (\w+_FIELDS?)\s+(.*)$', text, re.M):
        text = re.sub(r'(?m)^    %s,' % name, body + ',', text)
    match = re.search(r'\bfield %s_fields\[\] = \{(.*?)^\};' % table, text,
                      re.S | re.M)
    rows = SCENARIO_ROW.findall(match.group(1) if match else '')
    return {key: (limits.strip('"'), initial.strip('"'), words)
            for key, limits, initial, words in rows}


def scenario_words(texts, text, name):
    """The words of a list, which is written out or made of an X-macro."""
    body = re.search(r'\b%s\[\] = \{(.*?)\};' % name, text, re.S).group(1)
    found = re.search(r'^\s*(\w+)\(X\)', body, re.M)
    if not found:
        return re.findall(r'"([^"]+)"', body)
    return re.findall(r'\bX\([^")]*"([^"]+)"', defined(texts, found.group(1)))


def scenario_documented(path, heading, number):
    """The rows of a table of a section: value and default by key."""
    match = re.search(r'^#+ %s\n(.*?)(?=^#|\Z)' % heading, read(path),
                      re.S | re.M)
    tables = re.findall(r'^\| key .*\n\|[-|]*\n((?:\|.*\n)+)',
                        match.group(1) if match else '', re.M)
    if number >= len(tables):
        report(path, 'section "%s" has no table %d' % (heading, number + 1))
        return {}
    rows = [[cell.strip() for cell in re.split(r'(?<!\\)\|', line)[1:5]]
            for line in tables[number].splitlines()]
    return {row[0].strip('`'): (row[1], row[2].strip('`')) for row in rows}


def check_scenarios(texts):
    path = REFERENCE + 'orchlab-scenario.md'
    for file, table, heading, number in SCENARIO_TABLES:
        text = texts['lab/scenario/%s.c' % file]
        known = scenario_rows(text, table)
        documented = scenario_documented(path, heading, number)
        same(path, 'key of "%s"' % heading, set(documented), set(known))
        for key in sorted(set(known) & set(documented)):
            limits, initial, words = known[key]
            value, default = documented[key]
            if limits != 'NULL' and limits not in value:
                report(path, '%s: %s is %s' % (heading, key, limits))
            initial = {'field_required': 'required'}.get(initial, initial)
            if initial != 'NULL' and default != initial:
                report(path, '%s: the default of %s is %s' %
                       (heading, key, initial))
            for word in scenario_words(texts, text, words) \
                    if words != 'NULL' else ():
                if not re.search(r'(?<![\w.-])%s(?![\w.-])' %
                                 re.escape(word), value):
                    report(path, '%s: %s can be %s' % (heading, key, word))


# Links and files.

def check_orchlab(texts):
    path = REFERENCE + 'orchlab.md'
    same(path, 'verb', column(path, 'Verbs'),
         set(re.findall(r'^    \{"(\w+)", "', texts['orchlab/verbs.c'], re.M)))
    same(path, 'list', column(path, 'Lists'),
         set(in_macro(texts, 'READER_LISTS', r'\w+, "([a-z]+)"')))
    known = set(in_macro(texts, 'METRIC_AGGREGATES', r'\w+, "(\w+)"'))
    known |= set(in_macro(texts, 'METRIC_QUANTITIES', r'\w+,\s*"([\w.]+)"'))
    same(path, 'metric', column(path, 'Metrics'), known)
    same(path, 'key of hosts that can be changed',
         {name for name in column(path, 'Changes') if ' ' not in name},
         set(re.findall(r'X\("([\w.]+)"\)', defined(texts, 'HOST_CHANGES'))))
    same(path, 'figure', column(path, 'Figures'),
         {os.path.basename(name)[:-3] for name in
          glob.glob(os.path.join(TOP, 'lab/figs/*.gp'))})
    same(REFERENCE + 'breakpoints.md', 'figure',
         column(REFERENCE + 'breakpoints.md', 'Show and draw'),
         {os.path.basename(name)[:-3] for name in
          glob.glob(os.path.join(TOP, 'orchctl/figs/*.gp'))})
    known = set(in_macro(texts, 'SCHEMA_TABLES', r'(\w+),'))
    known |= set(in_macro(texts, 'SCHEMA_VIEWS', r'(\w+),'))
    known |= set(in_macro(texts, 'SINK_DROP_REASONS', r'\w+, "([a-z-]+)"'))
    same(path, 'table, view or reason', column(path, 'Results files'), known)


def python_names(path, name, arguments=False):
    """The public methods of a class of the package for Python, or the arguments
    of its constructor."""
    found = next(node for node in ast.parse(read(path)).body
                 if isinstance(node, ast.ClassDef) and node.name == name)
    methods = {node.name: node for node in found.body
               if isinstance(node, ast.FunctionDef)}
    if arguments:
        made = methods['__init__'].args
        return {one.arg for one in made.args + made.kwonlyargs} - {'self'}
    return {one for one in methods if not one.startswith('_')}


def check_python(texts):
    path = REFERENCE + 'python.md'
    text = read(path)
    parts = dict(part.split('\n', 1) for part in text.split('\n## ')[1:])
    for heading, known in (
            ('Bench', python_names('python/orchd/bench.py', 'Bench')),
            ('Switch', python_names('python/orchd/switch.py', 'Switch', True)),
            ('Client', set(re.findall(r'^class (\w+)\(', read(
                'python/orchd/errors.py'), re.M)) - {'OrchdError',
                                                    'ExpectationError'})):
        documented = {name for line in parts[heading].split('\n')
                      if line.startswith('| `')
                      for name in re.findall(r'`(\w+)`', line.split('|')[1])}
        same(path, heading, documented, known)


def anchor(heading):
    return re.sub(r'[^\w\- ]', '', heading.lower()).replace(' ', '-')


def pages():
    out = glob.glob(os.path.join(TOP, 'docs', '**', '*.md'), recursive=True)
    out += [os.path.join(TOP, name) for name in
            ('README.md', 'CONTRIBUTING.md', 'chips/README.md')]
    out += glob.glob(os.path.join(TOP, 'tests', '**', '*.md'), recursive=True)
    return sorted(os.path.relpath(path, TOP) for path in out
                  if os.path.exists(path))


def check_links():
    for path in pages():
        text = re.sub(r'^    .*$', '', read(path), flags=re.M)
        for target in re.findall(r'\]\(([^)\s]+)\)', text):
            name, _, mark = target.partition('#')
            if re.match(r'\w+:', name):
                continue
            other = os.path.normpath(os.path.join(os.path.dirname(path), name)
                                     ) if name else path
            if not os.path.exists(os.path.join(TOP, other)):
                report(path, 'the link to %s leads nowhere' % target)
            elif mark and other.endswith('.md') and mark not in {
                    anchor(h) for h in re.findall(r'^#+ (.*)$', read(other),
                                                  re.M)}:
                report(path, '%s has no section %s' % (other, mark))


ROOTS = DOCS + ('docs', 'tests', 'examples', 'chips', 'schemas', 'scripts')
# What a build makes, and what stands for a name.
MADE = {'docs/sai', 'docs/codemap.svg', 'orchctl/orchctl', 'orchd/orchd',
        'orchlab/orchlab',
        'tests/bench/calibrate', 'tests/bench/headroom_proof'}
PLACEHOLDER = re.compile(r'NAME|NOUN|\.log$')


def check_files():
    """Files that pages name in backticks, and pages that sources name."""
    for path in pages():
        for word in re.findall(r'`([\w./+-]+)`', read(path)):
            if word.split('/')[0] not in ROOTS or '/' not in word or \
                    PLACEHOLDER.search(word):
                continue
            name = word.rstrip('/')
            if name not in MADE and not name.startswith('docs/sai/') and \
                    not glob.glob(os.path.join(TOP, name) + '*'):
                report(path, 'there is no ' + word)
    for word in re.findall(r'[\w/*]+/[\w*]+\.(?:[ch]|yang)\b',
                           read('docs/codemap.dot').replace('\\n', ' ')):
        if not glob.glob(os.path.join(TOP, word)):
            report('docs/codemap.dot', 'there is no ' + word)
    for path in tree.files():
        if not path.endswith(('.c', '.h', '.py', '.sh', '.yaml', '.yml', '.mk',
                              '.toml', '.md')) or path.startswith('docs/'):
            continue
        try:
            text = read(path)
        except (OSError, UnicodeDecodeError):
            continue
        names = re.findall(r'\bdocs/([\w/-]+\.md)', text)
        names += re.findall(r'DOCDIR\s*"/([\w/-]+\.md)', text)
        for name in names:
            if not name.startswith('sai/') and not os.path.exists(
                    os.path.join(TOP, 'docs', name)):
                report(path, 'there is no docs/' + name)


def check_index():
    """Each page is in the index and is installed."""
    index, makefile = read('docs/README.md'), read('docs/automake.mk')
    for path in pages():
        if path.startswith('docs/') and not path.startswith('docs/sai/'):
            if path not in makefile:
                report('docs/automake.mk', path + ' is not installed')
            if path[5:] not in index and path != 'docs/README.md':
                report('docs/README.md', path + ' is not in the index')


def check():
    """Returns what is wrong, a line for each."""
    texts = sources()
    for each in (check_settings, check_tables, check_verbs, check_options,
                 check_log, check_lint, check_metrics, check_monitoring,
                 check_groups, check_chips, check_steps, check_orchlab,
                 check_scenarios, check_python):
        each(texts)
    check_links()
    check_files()
    check_index()
    return problems


def main():
    for problem in check():
        print(problem)
    sys.exit(1 if problems else 0)


if __name__ == '__main__':
    main()

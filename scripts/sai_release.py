#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a newer release of SAI changes for this project.

usage: sai_release.py OLD NEW [--headers DIR]

OLD and NEW are facts of two releases (docs/howto/move-to-a-sai-release.md
says what they hold and where they come from).  DIR has our headers
(sai/include).  Prints what would break a library or a program that was built
with OLD, then what has other properties, then what is new: in headers that
we have, with the file in which it belongs, and in headers that we do not.

Exit status: 0 nothing breaks, 1 something does, 2 wrong usage or a file that
is no facts of a release.
"""
import argparse
import json
import os
import sys

# Section of the facts, its rows, and where their names and numbers are.
SECTIONS = ('enums', 'attributes', 'stats', 'structs', 'fn_types', 'apis',
            'status')
NUMBERED = (('enums', 'members'), ('attributes', 'attrs'), ('stats', 'stats'))
PROPERTIES = ('type', 'flags', 'default', 'objects', 'condition', 'validonly',
              'allownull')


def is_mark(row):
    """A name for the end of an enumeration, not for a value."""
    return (row.get('role') in ('sentinel', 'mark') or
            row['name'].endswith(('_END', '_MAX', '_START', '_RANGE_BASE')))


def numbered(facts):
    """Yields (name of the group, its header, row) of all that has a number."""
    for section, rows in NUMBERED:
        for name, group in facts[section].items():
            for row in group[rows]:
                yield name, group['header'], row
    for row in facts['status']:
        yield 'sai_status_t', 'inc/saistatus.h', row


class Report:
    """The lines of each part, in the order of the facts."""

    def __init__(self, old, new, headers):
        self.old, self.new, self.headers = old, new, headers
        self.breaks, self.properties = [], []
        self.ours, self.others = {}, {}
        self.names()
        self.structs()
        self.calls()

    def add(self, header, line):
        """Something new: it is ours if we have its header."""
        name = os.path.basename(header)
        known = not self.headers or os.path.exists(
            os.path.join(self.headers, name))
        (self.ours if known else self.others).setdefault(name, []).append(line)

    def names(self):
        before = {row['name']: row for _, _, row in numbered(self.old)}
        after = set()
        for group, header, row in numbered(self.new):
            name = row['name']
            after.add(name)
            if name not in before:
                if not is_mark(row):
                    self.add(header, '%s: %s = %d' % (group, name,
                                                      row['value']))
            elif before[name]['value'] != row['value']:
                if not is_mark(row):
                    self.breaks.append('%s was %d and is %d' % (
                        name, before[name]['value'], row['value']))
            else:
                self.compare(before[name], row)
        for name, row in before.items():
            if name not in after and not is_mark(row):
                self.breaks.append('%s is gone' % name)

    def compare(self, old, new):
        for key in PROPERTIES:
            if old.get(key) != new.get(key) and key in old and key in new:
                self.properties.append('%s: %s was %s and is %s' % (
                    new['name'], key, old[key], new[key]))

    def structs(self):
        for name, new in self.new['structs'].items():
            old = self.old['structs'].get(name)
            if not old:
                self.add(new['header'], '%s: %d bytes' % (name, new['sizeof']))
                continue
            if old['sizeof'] != new['sizeof']:
                self.breaks.append('%s had %d bytes and has %d' % (
                    name, old['sizeof'], new['sizeof']))
            fields = {field['name']: field for field in old['fields']}
            for field in new['fields']:
                was = fields.pop(field['name'], None)
                if not was:
                    self.add(new['header'], '%s: %s at %d' % (
                        name, field['name'], field['offset']))
                elif (was['offset'], was['size']) != (field['offset'],
                                                      field['size']):
                    self.breaks.append('%s.%s is elsewhere' % (
                        name, field['name']))
            self.breaks += ['%s.%s is gone' % (name, field)
                            for field in fields]

    def calls(self):
        for name, new in self.new['fn_types'].items():
            old = self.old['fn_types'].get(name)
            if old and (old['ret'], old['args']) != (new['ret'], new['args']):
                self.breaks.append('%s takes other arguments' % name)
        for name, new in self.new['apis'].items():
            old = self.old['apis'].get(name)
            if not old:
                self.add(new['header'], 'API %s = %d' % (new['api_enum'],
                                                         new['api_id']))
                continue
            slots = [slot['name'] for slot in new['slots']]
            was = [slot['name'] for slot in old['slots']]
            if slots[:len(was)] != was:
                self.breaks.append('%s: functions have moved' % new['table'])
            for slot in slots[len(was):]:
                self.add(new['header'], '%s: %s()' % (new['table'], slot))

    def print(self):
        part('breaks what was built with the old release', self.breaks)
        part('other properties', self.properties)
        for title, headers in (('new, in headers that we have', self.ours),
                               ('new, in other headers', self.others)):
            lines = []
            for header in sorted(headers):
                lines += [header] + ['  ' + line for line in headers[header]]
            part(title, lines)


def part(title, lines):
    print('%s: %s' % (title, len(lines) or 'nothing'))
    for line in lines:
        print('  ' + line)


def fail(path, reason):
    """Ends the program: not with 1, which says that something breaks."""
    print('%s: %s; docs/howto/move-to-a-sai-release.md says what facts are' %
          (path, reason), file=sys.stderr)
    sys.exit(2)


def read(path):
    try:
        with open(path, encoding='utf-8') as file:
            facts = json.load(file)
    except (OSError, ValueError) as error:
        fail(path, error)
    for key in SECTIONS:
        if not isinstance(facts, dict) or key not in facts:
            fail(path, 'these are no facts of a release: there is no "%s"' %
                 key)
    try:    # All that a comparison reads is in a comparison with itself.
        Report(facts, facts, None)
    except (AttributeError, KeyError, TypeError) as error:
        fail(path, 'these are no facts of a release: %s: %s' %
             (type(error).__name__, error))
    return facts


def main():
    parser = argparse.ArgumentParser(
        description='What a newer release of SAI changes for this project.')
    parser.add_argument('old', help='facts of the release that we follow')
    parser.add_argument('new', help='facts of the newer one')
    parser.add_argument('--headers', metavar='DIR',
                        help='our headers (sai/include)')
    options = parser.parse_args()
    if options.headers and not os.path.isdir(options.headers):
        parser.error('%s: there is no such folder' % options.headers)
    if options.headers and not os.path.exists(
            os.path.join(options.headers, 'sai.h')):
        parser.error('%s: there is no sai.h; ours is in sai/include' %
                     options.headers)
    report = Report(read(options.old), read(options.new), options.headers)
    report.print()
    return 1 if report.breaks else 0


if __name__ == '__main__':
    sys.exit(main())

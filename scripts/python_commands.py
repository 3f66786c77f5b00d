#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the module orchd.commands: a method for each command of orchd.

    python_commands.py ORCHD.json ORCHCTL.json >commands.py

The first file is what "orchd --help-json" prints, with the table of commands
(orchd/control/command_table.h); the second is that of orchctl, which describes
the verbs that both have.  It is an error if neither describes a command.
"""

import json
import keyword
import sys
import textwrap

TYPES = {'text': 'str', 'texts': 'Sequence[str]', 'number': 'int',
         'flag': 'bool', 'object': 'Mapping[str, Any]',
         'array': 'Sequence[Any]'}

HEAD = '''\
# SPDX-License-Identifier: Apache-2.0
"""The commands of orchd, made from its table by scripts/python_commands.py."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

__all__ = ["Commands"]


class Commands:
    """A method for each command; see ``orchd.Client``.

    Arguments have the names and types that orchd has, with _ for -, and _ after
    a word of Python: ``from_``.  Those that are None are left out, and orchd
    takes its default.  The answer is the data of orchd: what the verb of orchctl
    prints with --json.
    """

    def call(self, noun: str, verb: str, arguments: dict[str, Any]) -> Any:
        """Sends a command and returns the data of its answer."""
        raise NotImplementedError
'''

EFFECTS = {'changes': 'Operators only.',
           'sets': 'Operators only, except without arguments.', 'views': ''}


def identifier(words):
    """The words of orchd as a name of Python."""
    name = words.replace(' ', '_').replace('-', '_')
    return name + '_' if keyword.iskeyword(name) else name


def annotation(argument):
    """The type of an argument."""
    if 'words' in argument:
        kind = 'Literal[%s]' % ', '.join('"%s"' % word
                                         for word in argument['words'])
    else:
        kind = TYPES[argument['type']]
    return kind if argument['required'] else kind + ' | None = None'


def note(argument):
    """The line of the docstring about an argument, or None."""
    if argument['type'] == 'number':
        return '%s: %d to %d' % (identifier(argument['name']),
                                 argument['min'], argument['max'])
    return None


def method(command, summary):
    """The source of one method."""
    noun, verb = command['noun'], command['verb']
    arguments = command['arguments']
    parameters = ['self'] + (['*'] if arguments else []) + [
        '%s: %s' % (identifier(one['name']), annotation(one))
        for one in arguments]
    start = '    def %s(' % identifier(noun + ' ' + verb)
    lines = textwrap.wrap(', '.join(parameters) + ')\0->\0Any:',
                          79 - len(start), break_long_words=False,
                          break_on_hyphens=False)
    lines = [line.replace('\0', ' ') for line in lines]
    source = [start + lines[0]] + [' ' * len(start) + line
                                   for line in lines[1:]]
    text = summary[:1].upper() + summary[1:].rstrip('.') + '.'
    paragraph = ' '.join(filter(None, [text, EFFECTS[command['effect']]]))
    notes = [line for line in map(note, arguments) if line]
    doc = textwrap.wrap('"""' + paragraph, 71)
    if notes:
        doc += [''] + ['    ' + line for line in notes] + ['"""']
    else:
        doc = textwrap.wrap('"""' + paragraph + '"""', 71)
    source += ['        ' + line if line else '' for line in doc]
    source += ['        return self.call("%s", "%s", {' % (noun, verb)]
    source += ['            "%s": %s,' % (one['name'], identifier(one['name']))
               for one in arguments]
    source += ['        })'] if arguments else []
    if not arguments:
        source[-1] += '})'
    return '\n'.join(source) + '\n'


def main():
    """Prints the module."""
    with open(sys.argv[1], encoding='utf-8') as file:
        commands = json.load(file)['commands']
    with open(sys.argv[2], encoding='utf-8') as file:
        verbs = {(verb['noun'], verb['verb']): verb['summary']
                 for verb in json.load(file)['verbs']}
    methods = []
    for command in sorted(commands, key=lambda one: (one['noun'], one['verb'])):
        summary = command.get('summary') or verbs.get(
            (command['noun'], command['verb']))
        if not summary:
            sys.exit('%s %s has no description: add one to summaries in '
                     'orchd/control/command_table.c' % (command['noun'],
                                                        command['verb']))
        methods.append(method(command, summary))
    print(HEAD + '\n' + '\n'.join(methods), end='')


if __name__ == '__main__':
    main()

# SPDX-License-Identifier: Apache-2.0
"""Checks that each page about an outage tells its story in ten sentences, and
that each expectation of the scenarios behind these pages has a name.

The story is what comes before the first commands, table or section: for readers
who do not know the paper.  The name of an expectation is its first key;
"orchlab papers" prints YAML for one without.  check_style.py calls check(); by
itself this prints what is wrong."""
import glob
import os
import re
import sys

sys.dont_write_bytecode = True
import tree  # noqa: E402

FOLDER = 'docs/explanation/outages'
SENTENCES = 10
SCENARIOS = 'lab/scenarios/*/*.yaml'

# Where the story ends: indented commands, a table, a list, a section.
END = re.compile(r'^(?:    \S|\||[-*] |#)', re.M)
# A sentence begins with a capital letter, a number, a name in backticks, a link
# or emphasis; so that "sections 3.1" and "et al., 2022" are none.
BETWEEN = re.compile(r'(?<=[.!?])\s+(?=[A-Z0-9`*\[])')

# An item of "expect:", and one whose first key is its name.  Lists within an item
# are indented more.
ITEM = re.compile(r' {0,2}- ')
NAMED = re.compile(r' {0,2}- \{?name: +[^,}\s]')


def sentences(text):
    """The sentences of the story of a page."""
    _, _, body = text.partition('\n')
    end = END.search(body)
    story = body[:end.start()] if end else body
    return [one for one in BETWEEN.split(' '.join(story.split())) if one]


def problem(text):
    """What is wrong with the story of a page, or None."""
    found = sentences(text)
    if len(found) == SENTENCES:
        return None
    return ('its story, which is all before the first commands, table or '
            'section, has %d sentences, not %d%s' %
            (len(found), SENTENCES,
             '; the last begins "%s"' % found[-1][:40] if found else ''))


def unnamed(text):
    """The numbers of the lines of a scenario where an expectation begins that
    has no name."""
    found, inside = [], False
    for number, line in enumerate(text.split('\n'), 1):
        if line[:1] not in ('', ' ', '#', '-'):
            inside = line.startswith('expect:')
        if inside and ITEM.match(line) and not NAMED.match(line):
            found.append(number)
    return found


def check_scenarios():
    """Returns what is wrong with expectations, a line for each."""
    problems = []
    paths = sorted(glob.glob(os.path.join(tree.TOP, SCENARIOS)))
    if not paths:
        problems.append('%s: no such scenarios' % SCENARIOS)
    for path in paths:
        with open(path, encoding='utf-8') as file:
            problems.extend(
                '%s:%d: an expectation that does not begin with its name'
                % (os.path.relpath(path, tree.TOP), number)
                for number in unnamed(file.read()))
    return problems


def check():
    """Returns what is wrong, a line for each."""
    problems = check_scenarios()
    paths = sorted(glob.glob(os.path.join(tree.TOP, FOLDER, '*.md')))
    if not paths:
        problems.append('%s: has no page' % FOLDER)
    for path in paths:
        with open(path, encoding='utf-8') as file:
            wrong = problem(file.read())
        if wrong:
            problems.append('%s: %s' % (os.path.relpath(path, tree.TOP), wrong))
    return problems


def main():
    problems = check()
    for one in problems:
        print(one)
    sys.exit(1 if problems else 0)


if __name__ == '__main__':
    main()

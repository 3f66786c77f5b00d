#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the compiled metadata with the facts of the pinned SAI release.

usage: compare_metadata.py DUMP ABI_JSON...

DUMP is what dump_metadata printed.  Every attribute, alias and counter of the
object types in scope must be there, with the same properties, and no other.
"""
import json
import re
import sys

FLAGS = {'MANDATORY_ON_CREATE': 1, 'CREATE_ONLY': 2, 'CREATE_AND_SET': 4,
         'READ_ONLY': 8, 'KEY': 16}


def release(since):
    major, minor, revision = since.lstrip('<=v').split('.')
    return int(major) * 10000 + int(minor) * 100 + int(revision)


class Facts:
    def __init__(self, abi):
        self.abi = abi
        self.numbers = {'true': 1, 'false': 0, 'NULL': 0, '""': 0,
                        'SAI_NULL_OBJECT_ID': 0, '0.0.0.0': 0, 'disabled': 0,
                        ':'.join(['ffff'] * 8): -1}
        for enumeration in abi['enums'].values():
            for member in enumeration['members']:
                self.numbers[member['name']] = member['value']
        for enumeration in abi['attributes'].values():
            for attr in enumeration['attrs']:
                self.numbers[attr['name']] = attr['value']

    def number(self, text):
        return self.numbers[text] if text in self.numbers else int(text, 0)

    def condition(self, attr):
        for tag in ('condition', 'validonly'):
            if tag in attr:
                words = ' and ' in attr[tag], ' or ' in attr[tag]
                joint = {(True, True): 'first and any',
                         (True, False): 'all'}.get(words, 'any')
                terms = [term.strip('() ').split(' == ') for term in
                         re.split(' and | or ', attr[tag])]
                return '%s %s' % (tag, joint), [
                    [self.number(a), self.number(b)] for a, b in terms]
        return 'always', []

    def attribute(self, attr):
        condition, terms = self.condition(attr)
        default = attr['default']
        if attr['default_kind'] == 'attrvalue':
            default = default.split()[1]
        known = attr['default_kind'] in ('const', 'attrvalue')
        return {
            'name': attr['name'], 'id': attr['value'],
            'kind': attr['union_member'],
            'flags': sum(FLAGS[f] for f in attr['flags']),
            'since': release(attr['since']),
            'default_kind': attr['default_kind'],
            'default': self.number(default) if known else 0,
            'enum': attr.get('element_enum') or '',
            'null': attr['allownull'], 'objects': attr.get('objects', []),
            'condition': condition, 'terms': terms,
        }

    def object(self, short):
        rows = self.abi['attributes']['sai_%s_attr_t' % short.lower()]
        stats = self.abi['stats'].get('sai_%s_stat_t' % short.lower())
        attrs = sorted(rows['attrs'], key=lambda attr: attr['value'])
        return {
            'name': 'SAI_OBJECT_TYPE_' + short,
            'type': rows['object_type_value'],
            'attributes': [self.attribute(a) for a in attrs
                           if a['role'] == 'attr'],
            'aliases': [[a['name'], a['value']] for a in attrs
                        if a['role'] == 'alias'],
            'stats': [[s['name'], s['value'], release(s['since'])]
                      for s in (stats['stats'] if stats else [])
                      if s.get('role') != 'sentinel'],
        }


def differences(path, ours, theirs):
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key in sorted(set(ours) | set(theirs)):
            yield from differences(path + [key], ours.get(key),
                                   theirs.get(key))
    elif (isinstance(ours, list) and isinstance(theirs, list) and
          len(ours) == len(theirs)):
        for i, pair in enumerate(zip(ours, theirs)):
            name = pair[1].get('name', i) if isinstance(pair[1], dict) else i
            yield from differences(path + [name], *pair)
    elif ours != theirs:
        yield '%s: ours %s, fact %s' % ('.'.join(map(str, path)),
                                        str(ours)[:200], str(theirs)[:200])


def main():
    with open(sys.argv[1]) as file:
        ours = {o['name']: o for o in json.load(file)}
    with open(sys.argv[2]) as file:
        abi = json.load(file)
    for path in sys.argv[3:]:
        with open(path) as file:
            more = json.load(file)
        for section in 'enums', 'attributes', 'stats':
            abi[section] = {**more[section], **abi[section]}
    facts = Facts(abi)
    theirs = {o['name']: o for o in (
        facts.object(name[len('sai_'):-len('_attr_t')].upper())
        for name in facts.abi['attributes'])}
    for name in sorted(set(ours) - set(theirs)):
        print('%s: not compared, as the facts do not have it' % name)
        del ours[name]
    found = list(differences([], ours, theirs))
    for line in found[:50]:
        print(line)
    print('%d object types, %d attributes, %d counters: %d differences' % (
        len(theirs), sum(len(o['attributes']) for o in theirs.values()),
        sum(len(o['stats']) for o in theirs.values()), len(found)))
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Proves on programs and libraries that they are hardened, with readelf.

  check_hardening.py [--without NAME]... [--main FOLDER] FILE...

  pie        a program that is loaded at a random address
  relro      relocated data is read-only, and everything is bound at the start
  stack      no stack can be executed
  protector  overflows of the stack are noticed (-fstack-protector-strong)
  fortify    checked versions of functions of libc are called (FORTIFY_SOURCE)
  cet        functions start with ENDBR64, or BTI on arm64 (-fcf-protection)
  zero       variables are zeroed (-ftrivial-auto-var-init=zero); only the
             debugging information says so: "not visible" without it
  paths      no RPATH and no RUNPATH

--without leaves a property out: "fortify" for a build with -O0, "cet" and "zero" for
compilers that lack them.  Prints a line per file, and exits 1 if one lacks a
property, 2 if a file cannot be read.
"""
import argparse
import os
import re
import subprocess
import sys

PROPERTIES = ('pie', 'relro', 'stack', 'protector', 'fortify', 'cet', 'zero', 'paths')

# Functions of libc with a checked version, of which a program calls one or more.
FORTIFIED = re.compile(r'\b__\w+_chk\b')

# ENDBR64; BTI C, or PACIASP, which counts as one.
MARKS = {'x86': (b'\xf3\x0f\x1e\xfa',),
         'arm': (b'\x5f\x24\x03\xd5', b'\x3f\x23\x03\xd5')}


def readelf(*arguments):
    run = subprocess.run(('readelf', '-W') + arguments, capture_output=True, text=True,
                         env=dict(os.environ, LC_ALL='C'))
    if run.returncode or 'Not an ELF file' in run.stderr:
        sys.exit('check_hardening: %s: %s' % (arguments[-1], run.stderr.strip()))
    return run.stdout


def is_marked(path, machine):
    """Whether functions start with the instruction that indirect branches must
    reach.  The unwind tables say where functions start, also without symbols.
    Compilers leave the instruction out of functions that nobody calls by address,
    and the files of libc that begin a program lack it, so that a tenth of the
    functions is enough: without the option none has it."""
    starts = {int(start, 16) for start in
              re.findall(r' FDE .* pc=([0-9a-f]+)\.\.', readelf('--debug-dump=frames', path))}
    segments = [tuple(int(n, 16) for n in found) for found in re.findall(
        r'LOAD +(0x[0-9a-f]+) (0x[0-9a-f]+) 0x[0-9a-f]+ (0x[0-9a-f]+)', readelf('-l', path))]
    with open(path, 'rb') as file:
        code = file.read()
    marked = 0
    for address in starts:
        for offset, start, size in segments:
            if start <= address < start + size:
                first = code[offset + address - start:][:4]
                marked += first in MARKS[machine]
    return marked > 0 and 10 * marked >= len(starts)


def zeroed(path):
    """Whether each unit in C was compiled with the option; None: not visible."""
    info = readelf('--debug-dump=info', '--dwarf-depth=1', path)
    producers = re.findall(r'DW_AT_producer +: (.*)', info)
    producers = [text.split('): ', 1)[-1] for text in producers if 'GNU C' in text]
    if not producers:
        return None
    return all('-ftrivial-auto-var-init=zero' in text for text in producers)


def examine(path):
    """The properties of a file: True, False, or None (does not apply)."""
    header, dynamic = readelf('-h', path), readelf('-d', path)
    program = 'INTERP' in readelf('-l', path)
    names = readelf('--dyn-syms', path)
    stack = re.search(r'GNU_STACK +\S+ +\S+ +\S+ +\S+ +\S+ +(\w+)', readelf('-l', path))
    machine = 'x86' if 'X86-64' in header else 'arm' if 'AArch64' in header else ''
    checked = [name for name in FORTIFIED.findall(names) if name != '__stack_chk_fail']
    return {
        'pie': bool(re.search(r'FLAGS_1.*\bPIE\b', dynamic)) if program else None,
        'relro': 'GNU_RELRO' in readelf('-l', path) and
                 bool(re.search(r'BIND_NOW|FLAGS_1.*\bNOW\b', dynamic)),
        'stack': bool(stack) and 'E' not in stack.group(1),
        'protector': '__stack_chk_fail' in names,
        'fortify': bool(checked),
        'cet': is_marked(path, machine) if machine else None,
        'zero': zeroed(path),
        'paths': not re.search(r'\((RPATH|RUNPATH)\)', dynamic),
    }


def main():
    parser = argparse.ArgumentParser(description='Proves that binaries are hardened.')
    parser.add_argument('--without', action='append', default=[], choices=PROPERTIES,
                        help='leave a property out; may be repeated')
    parser.add_argument('files', nargs='+', metavar='FILE')
    arguments = parser.parse_args()
    lacking = False
    for path in arguments.files:
        words = []
        for name, value in examine(path).items():
            if name in arguments.without:
                continue
            if value is None and name == 'zero':
                words.append('zero: not visible')
            elif value is not None:
                words.append(name if value else 'NO ' + name)
                lacking |= not value
        print('%s: %s' % (path, ', '.join(words)))
    sys.exit(1 if lacking else 0)


if __name__ == '__main__':
    main()

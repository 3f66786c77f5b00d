#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the constants of our SAI headers as a module for Python.

    sai_headers.py FOLDER COMPILER [OPTION...]

FOLDER has sai.h; "COMPILER OPTION... -E" is the preprocessor.  Suites that
import the module find each enumerator, and each macro that is a number or a
string, under its name in SAI.
"""

import re
import subprocess
import sys

ENUM = re.compile(r"\benum\b[^{};]*\{([^}]*)\}")
MACRO = re.compile(r"^#define (SAI_\w+) (.+)$", re.MULTILINE)
SUFFIX = re.compile(r"\b(0[xX][0-9a-fA-F]+|\d+)[uUlL]+\b")
# Of objects that our headers leave out; suites import them by name.
OTHERS = {"SAI_STP_ATTR_VLAN_LIST": 0}
CAST = re.compile(r"\(\s*(?:const\s+)?\w+_t\s*\)")


def preprocess(command, folder, text, *options):
    """What the preprocessor makes of 'text'."""
    return subprocess.run(
        [*command, "-E", "-P", *options, "-I" + folder, "-x", "c", "-"],
        input=text, capture_output=True, text=True, check=True).stdout


def value(expression, known):
    """The value of a constant expression of C; None if it is none."""
    plain = CAST.sub("", SUFFIX.sub(r"\1", expression)).strip()
    try:
        found = eval(plain, {"__builtins__": {}}, known)
    except (SyntaxError, NameError, TypeError):
        return None
    return found if isinstance(found, (int, str)) else None


def enumerators(text):
    """The values of all enumerators, in their order."""
    known = {}
    for body in ENUM.findall(text):
        following = 0
        for item in filter(None, map(str.strip, body.split(","))):
            name, _, expression = item.partition("=")
            found = value(expression, known) if expression else following
            if found is None:
                raise SystemExit(f"sai_headers.py: what is {item}?")
            known[name.strip()] = found
            following = found + 1
    return known


def macros(command, folder, known):
    """The values of the macros without arguments."""
    source = '#include "sai.h"\n'
    names = [name for name, _ in
             MACRO.findall(preprocess(command, folder, source, "-dM"))]
    text = preprocess(command, folder, source + "".join(
        f'"@"{name}\n' for name in names))
    lines = [line[3:] for line in text.splitlines() if line.startswith('"@"')]
    if len(lines) != len(names):
        raise SystemExit("sai_headers.py: a macro has more than one line")
    found = {name: value(line, known) for name, line in zip(names, lines)}
    return {name: found[name] for name in sorted(found)
            if found[name] is not None}


def main():
    folder, *command = sys.argv[1:]
    known = enumerators(preprocess(command, folder, '#include "sai.h"\n'))
    known |= macros(command, folder, known) | OTHERS
    print('"""The constants of SAI."""\n')
    for name, number in known.items():
        if name.startswith("SAI_"):
            print(f"{name} = {number!r}")


if __name__ == "__main__":
    main()

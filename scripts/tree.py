# SPDX-License-Identifier: Apache-2.0
"""The files of the project: what Git knows or, in an unpacked release, what
lies in its folders."""
import os
import re
import subprocess

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# What autogen.sh, configure, make and Python write into the tree.
MADE = re.compile(r'\.|build(-.*)?$|autom4te\.cache$|m4$|deb$|__pycache__$')


def walk():
    for where, folders, names in os.walk(TOP):
        folders[:] = [name for name in folders if not MADE.match(name)]
        for name in names:
            path = os.path.relpath(os.path.join(where, name), TOP)
            if '/' in path and not name.endswith(('.log', '.trs', '~')) or \
                    name.endswith(('.am', '.ac', '.md')):
                yield path


def files():
    """Their paths, relative to TOP."""
    try:
        paths = subprocess.run(['git', 'ls-files', '-co', '--exclude-standard'],
                               cwd=TOP, capture_output=True, text=True,
                               check=True).stdout.split('\n')
    except (OSError, subprocess.CalledProcessError):
        paths = sorted(walk())
    return [path for path in paths
            if path and os.path.isfile(os.path.join(TOP, path))]

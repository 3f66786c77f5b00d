# SPDX-License-Identifier: Apache-2.0
"""The documents: what they say that commands print, the commands print.

In a page of PAGES each indented block with a line "$ COMMAND" is run, and the
lines below the command are compared with what it prints.  A line "..." stands
for any lines.  Times are not compared.  A block after a paragraph that ends in
"Save this as `NAME`:" is written to that file.  "$ orchd ... &" starts an orchd
for the rest of the page; without one, commands that need it are left out.
/tmp/orchd-demo stands for the directory of the test.

With WRITE_DOCS=1 in the environment, the pages are updated: what a command
prints replaces the lines below it, unless these have a "...".
"""

import glob
import os
import re
import shlex
import signal
import subprocess
import tempfile
import unittest

from harness import BUILD, LIBSAI, PATIENCE_S, SOURCE, wait_until

PAGES = sorted(glob.glob(os.path.join(SOURCE, "docs", "tutorials", "*.md"))) + [
    os.path.join(SOURCE, "docs", name)
    for name in ("reference/breakpoints.md", "explanation/watchdog.md",
                 "explanation/headroom.md")]
WRITE = os.environ.get("WRITE_DOCS") == "1"
ORCHCTL = os.path.abspath(os.path.join(BUILD, "orchctl", "orchctl"))
ORCHLAB = os.path.abspath(os.path.join(BUILD, "orchlab", "orchlab"))
ORCHD = os.path.abspath(os.path.join(BUILD, "orchd", "orchd"))
CHIPS = ["--chips", os.path.abspath(os.path.join(SOURCE, "chips"))]
PARTS = ["--sai", os.path.abspath(LIBSAI), *CHIPS, "--yang-dir",
         os.path.abspath(os.path.join(SOURCE, "schemas"))]
# Where the parts of verbs are that need no daemon, before they are installed.
OFFLINE = {"breakpoint run": PARTS, "breakpoint probe": PARTS,
           "config plan": PARTS, "config lint": PARTS, "headroom plan": CHIPS}
# Where the parts of orchlab are before they are installed.
LAB = {"ORCHLAB_CHIPS": CHIPS[1], "ORCHLAB_YANG_DIR": PARTS[-1],
       "ORCHLAB_CONFIGS": os.path.abspath(os.path.join(SOURCE, "lab", "configs")),
       "ORCHLAB_FIGURES": os.path.abspath(os.path.join(SOURCE, "lab", "figs")),
       "COLUMNS": "150"}
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
DEMO = "/tmp/orchd-demo"
SAVE = re.compile(r"Save this as `([\w.-]+)`:$")


def clean(text):
    """The lines of 'text' without what differs from run to run."""
    lines = [TIME.sub("TIME", line.rstrip()) for line in text.split("\n")]
    # Said while CONFIG_DB is new, so it depends on how fast one types.
    lines = [line for line in lines if not line.startswith("Removals are postponed")]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def find(part, lines, start):
    """Where 'part' begins in 'lines' at 'start' or later; -1: nowhere."""
    for i in range(start, len(lines) - len(part) + 1):
        if lines[i:i + len(part)] == part:
            return i
    return -1


def fits(expected, seen):
    """Whether 'seen' is 'expected', whose "..." stand for any lines."""
    parts = [[]]
    for line in expected:
        if line == "...":
            parts.append([])
        else:
            parts[-1].append(line)
    if len(parts) == 1:
        return expected == seen
    if seen[:len(parts[0])] != parts[0]:
        return False
    at = len(parts[0])
    for part in parts[1:-1]:
        at = find(part, seen, at)
        if at < 0:
            return False
        at += len(part)
    return at <= len(seen) - len(parts[-1]) and \
        seen[len(seen) - len(parts[-1]):] == parts[-1]


class Page:
    """One page, its files and its orchd."""

    def __init__(self, path, directory):
        self.path, self.directory, self.orchd = path, directory, None
        self.control = os.path.join(directory, "control.sock")
        with open(path, encoding="utf-8") as file:
            self.lines = file.read().split("\n")
        for name in ("examples", "tests"):
            os.symlink(os.path.abspath(os.path.join(SOURCE, name)),
                       os.path.join(directory, name))

    def blocks(self):
        """Pairs (number of the first line, number after the last) of blocks."""
        first = None
        for number, line in enumerate(self.lines + ["end"]):
            if line.startswith("    "):
                first = number if first is None else first
            elif line and first is not None:
                end = number
                while not self.lines[end - 1]:
                    end -= 1
                yield first, end
                first = None

    def save(self, first, end):
        """Writes the block to its file, if it is one."""
        match = SAVE.search(self.lines[first - 2]) if first > 1 else None
        if match:
            with open(os.path.join(self.directory, match.group(1)), "w",
                      encoding="utf-8") as file:
                file.write("\n".join(line[4:] for line in
                                     self.lines[first:end]) + "\n")
        return bool(match)

    def start(self, words):
        """Starts orchd as the page does."""
        with open(os.path.join(self.directory, "orchd.log"), "wb") as log:
            self.orchd = subprocess.Popen(
                [ORCHD, *words, "--control", self.control, "--sai",
                 os.path.abspath(LIBSAI), "--profile",
                 "SOFTASIC_MODEL_DIR=" + CHIPS[1], "--yang-dir", PARTS[-1]],
                cwd=self.directory, stderr=log)
        wait_until(lambda: self.run(["orchctl", "config", "sync"])[1] == 0,
                   "orchd has read its Redis")

    def stop(self):
        """Ends orchd; returns its status."""
        if not self.orchd:
            return 0
        self.orchd.send_signal(signal.SIGTERM)
        return self.orchd.wait(PATIENCE_S)

    def run(self, words):
        """Returns what a command prints, and its status."""
        environment = None
        if words[0] == "orchctl":
            extra = OFFLINE.get(" ".join(words[1:3]), [])
            if words[1:] == ["config", "lint"] or "--live" in words:
                extra = []
            words = [ORCHCTL, *words[1:], *extra, "--control", self.control]
        if words[0] == "orchlab":
            words = [ORCHLAB, *words[1:]]
            environment = {**os.environ, **LAB}
        done = subprocess.run(words, cwd=self.directory, text=True, timeout=PATIENCE_S,
                              check=False, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, env=environment)
        return clean(done.stdout), done.returncode

    def runs(self, words):
        """Whether the page can run a command: it has what that needs."""
        return words[0] == "orchlab" or words[0] in ("orchctl", "redis-cli") and (
            self.orchd is not None or (" ".join(words[1:3]) in OFFLINE
                                       and "--live" not in words))

    def check(self):
        """Yields (command, expected, seen) of each command; with WRITE,
        completes the page."""
        written, last = [], 0
        for first, end in self.blocks():
            if self.save(first, end):
                continue
            numbers = [n for n in range(first, end)
                       if self.lines[n].startswith("    $ ")]
            for number, after in zip(numbers, numbers[1:] + [end]):
                command = self.lines[number][6:]
                words = [word.replace(DEMO, self.directory)
                         for word in shlex.split(command)]
                expected = clean("\n".join(line[4:] for line in
                                           self.lines[number + 1:after]))
                if words[-1] == "&":
                    self.start(words[1:-1])
                elif self.runs(words):
                    seen = self.run(words)[0]
                    if WRITE and "..." not in expected and expected != seen:
                        written += self.lines[last:number + 1] + [
                            ("    " + line).rstrip() for line in seen]
                        last, expected = after, seen
                    yield command, expected, seen
        if written:
            with open(self.path, "w", encoding="utf-8") as file:
                file.write("\n".join(written + self.lines[last:]))


class Documents(unittest.TestCase):
    """Each page prints what its commands print."""

    def test_commands_print_what_the_pages_say(self):
        for path in PAGES:
            n = 0
            with tempfile.TemporaryDirectory(prefix="docs-") as directory:
                page = Page(path, directory)
                try:
                    for command, expected, seen in page.check():
                        n += 1
                        with self.subTest(page=os.path.basename(path),
                                          command=command):
                            self.assertTrue(
                                fits(expected, seen),
                                "the page:\n%s\nthe command:\n%s" %
                                ("\n".join(expected), "\n".join(seen)))
                finally:
                    status = page.stop()
                self.assertEqual(status, 0, path)
            self.assertGreater(n, 0, path + ": no command was run")


if __name__ == "__main__":
    unittest.main()

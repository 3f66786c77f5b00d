# SPDX-License-Identifier: Apache-2.0
"""A second SAI program beside orchd: the commands of its how-to guide, with the
program of the examples."""

import os
import re
import shlex
import shutil
import subprocess
import unittest

from harness import (BUILD, CHIPS, LIBSAI, PATIENCE_S, SOURCE, System,
                     not_beside, wait_until)

setUpModule = not_beside("it is about SAI calls of another program")

PAGE = os.path.join(SOURCE, "docs", "howto", "add-a-sai-program.md")
SOCKET = "/run/orchd/asic.sock"
READING = re.compile(r"\d+ packets in, (\d+) out, queue 3 had at most (\d+) bytes")


class SecondProgram(System):
    """Runs the page up to its first heading."""

    def setUp(self):
        super().setUp()
        self.started = []
        # Where everything is before it is installed.
        self.places = {
            SOCKET: os.path.join(self.directory, "asic.sock"),
            "/usr/include/orchd/sai": os.path.join(SOURCE, "sai", "include"),
            "/usr/lib/orchd": os.path.abspath(os.path.join(BUILD, ".libs")),
        }
        self.options = {
            "softasicd": ["--sai", LIBSAI, "--profile", CHIPS[0]],
            "orchd": ["--control", self.control_path(), "--sai", LIBSAI,
                      "--yang-dir", os.path.join(SOURCE, "schemas")],
            "orchctl": ["--control", self.control_path()],
        }
        self.programs = {
            "softasicd": os.path.join(BUILD, "saihostd", "softasicd"),
            "orchd": os.path.join(BUILD, "orchd", "orchd"),
            "orchctl": os.path.join(BUILD, "orchctl", "orchctl"),
            "cc": shutil.which("cc") or shutil.which("gcc"),
        }
        os.symlink(os.path.abspath(os.path.join(SOURCE, "examples")),
                   os.path.join(self.directory, "examples"))

    def tearDown(self):
        for process in reversed(self.started):
            process.terminate()
            process.wait()
        super().tearDown()

    def control_path(self):
        return os.path.join(self.directory, "control.sock")

    def words(self, line):
        for place, here in self.places.items():
            line = line.replace(place, here)
        words = shlex.split(line)
        name = words[0]
        if name in self.programs:
            self.assertTrue(self.programs[name], name)
            words[0] = os.path.abspath(self.programs[name])
        return [os.path.abspath(word) if os.path.exists(word) else word
                for word in words + self.options.get(name, [])]

    def run_line(self, line):
        """Runs a command of the page; returns what it prints."""
        fails = line.startswith("! ")
        background = line.endswith(" &")
        words = self.words(line.removeprefix("! ").removesuffix(" &"))
        if background:
            log = os.path.join(self.directory, "log")
            with open(log, "ab") as file:
                self.started.append(subprocess.Popen(
                    words, cwd=self.directory, stderr=file))
            ready = "host-ready" if len(self.started) == 1 else "switch-up"
            wait_until(lambda: self.is_ready(log, ready), f"{line}: {ready}")
            return ""
        done = subprocess.run(words, cwd=self.directory, text=True,
                              capture_output=True, timeout=PATIENCE_S, check=False)
        self.assertEqual(done.returncode, 1 if fails else 0,
                         f"{line}: {done.stdout}{done.stderr}")
        return done.stdout

    def is_ready(self, log, word):
        for process in self.started:
            with open(log, encoding="utf-8") as file:
                text = file.read()
            self.assertIsNone(process.poll(), text)
        return word in text or (word == "switch-up" and
                                os.path.exists(self.control_path()))

    def test_the_commands_of_the_page(self):
        with open(PAGE, encoding="utf-8") as file:
            page = file.read().split("\n## ")[0]
        lines = [line[4:] for line in page.split("\n")
                 if line.startswith("    ")]
        expected = [line for line in lines if READING.fullmatch(line)]
        self.assertEqual(len(expected), 2)
        output = "".join(self.run_line(line) for line in lines
                         if not READING.fullmatch(line))
        found = READING.findall(output)
        self.assertEqual(found, [("0", "0")] + [
            READING.fullmatch(line).groups() for line in expected])
        with open(os.path.join(self.directory, "log"),
                  encoding="utf-8") as file:
            self.assertIn("host-rescue", file.read())


if __name__ == "__main__":
    unittest.main(verbosity=2)

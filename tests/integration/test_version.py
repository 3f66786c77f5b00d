# SPDX-License-Identifier: Apache-2.0
"""--version of all programs, and the check before a release."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest

from harness import BUILD, SOURCE, once

PROGRAMS = ("orchd/orchd", "orchctl/orchctl", "orchlab/orchlab",
            "saihostd/softasicd", "saihostd/saihostd")
EXPECTED = {"orchd": {"hiredis", "jansson", "libevent", "libyang", "zlib"},
            "orchctl": {"jansson", "smartcols", "libyang"},
            "orchlab": {"jansson", "sqlite"},
            "softasicd": {"libevent", "libnl"}, "saihostd": {"libevent"}}


@once
class Version(unittest.TestCase):

    def test_each_program_says_what_it_is_made_of(self):
        commits = set()
        for path in PROGRAMS:
            name = os.path.basename(path)
            text, plain = (subprocess.check_output(
                [os.path.join(BUILD, path), "--version", *words], text=True)
                for words in (["--json"], []))
            found = json.loads(text)
            self.assertEqual(found["program"], name)
            self.assertRegex(found["version"], r"^\d+\.\d+\.\d+$")
            self.assertRegex(found["sai"], r"^1\.\d+\.\d+$")
            libraries = {one["name"]: one for one in found["libraries"]}
            self.assertLessEqual(EXPECTED[name], set(libraries))
            for one in libraries.values():
                self.assertRegex(one["built"], r"^\d+\.\d+")
                self.assertRegex(one["running"], r"\d")
            commits.add(found["commit"])
            self.assertEqual(plain.split("\n")[0],
                             f"{name} {found['version']}")
            self.assertIn("commit " + found["commit"], plain)
        self.assertEqual(len(commits), 1)
        self.assertRegex(commits.pop(), r"^([0-9a-f]{12}\+?|unknown)$")


@once
class ReleaseCheck(unittest.TestCase):

    def setUp(self):
        self.tree = tempfile.mkdtemp(prefix="orchd-release-")
        self.addCleanup(shutil.rmtree, self.tree)
        self.write("CHANGELOG.md", "# Changes\n\n## 0.2.0 - 2026-01-02\n")
        self.git("init", "-q")
        self.git("add", ".")
        self.git("commit", "-q", "-m", "one")
        self.git("tag", "v0.1.0")

    def write(self, name, text):
        with open(os.path.join(self.tree, name), "w",
                  encoding="utf-8") as file:
            file.write(text)

    def git(self, *words):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=b@c",
                        *words], cwd=self.tree, check=True)

    def check(self, version):
        done = subprocess.run(
            [os.path.abspath(os.path.join(SOURCE, "scripts/release_check.sh")),
             self.tree, version], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def test_a_good_release(self):
        self.assertEqual(self.check("0.2.0"), (
            0, "release-check: 0.2.0 can be tagged as v0.2.0\n"))

    def test_what_is_missing(self):
        for version, text in (("0.3.0", "CHANGELOG.md begins with"),
                              ("0.2", "MAJOR.MINOR.PATCH"),
                              ("0.1.0", "not newer than the last tag v0.1.0"),
                              ("0.0.9", "not newer than the last tag v0.1.0")):
            code, found = self.check(version)
            self.assertEqual(code, 1)
            self.assertIn(text, found)
        self.write("new", "")
        code, found = self.check("0.2.0")
        self.assertEqual(code, 1)
        self.assertIn("not committed", found)

    def test_the_commit_of_a_tree(self):
        script = os.path.abspath(os.path.join(SOURCE, "scripts/commit.sh"))

        def commit():
            return subprocess.check_output([script, self.tree],
                                           text=True).strip()

        first = commit()
        self.assertRegex(first, r"^[0-9a-f]{12}$")
        self.write("CHANGELOG.md", "changed")
        self.assertEqual(commit(), first + "+")
        shutil.rmtree(os.path.join(self.tree, ".git"))
        self.assertEqual(commit(), "unknown")
        self.write(".commit", "0123456789ab\n")
        self.assertEqual(commit(), "0123456789ab")


if __name__ == "__main__":
    unittest.main()

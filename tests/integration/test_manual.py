# SPDX-License-Identifier: Apache-2.0
"""Manual pages and completion: made from the tables, free of warnings, the same
in each build, and right when a shell asks."""

import filecmp
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from harness import BUILD, PATIENCE_S, SOURCE, System, once, wait_until

MAN = os.path.join(BUILD, "docs", "man")
PROGRAMS = {"orchd": "orchd/orchd", "softasicd": "saihostd/softasicd",
            "saihostd": "saihostd/saihostd",
            "softasic-thriftd": "thriftd/softasic-thriftd",
            "orchctl": "orchctl/orchctl",
            "orchlab": "orchlab/orchlab"}


def path_of(program):
    return os.path.abspath(os.path.join(BUILD, PROGRAMS[program]))


def pages():
    return sorted(os.path.join(MAN, name) for name in os.listdir(MAN)
                  if name.rsplit(".", 1)[-1] in ("1", "5", "8"))


def text_of(name):
    with open(os.path.join(MAN, name), encoding="utf-8") as file:
        return file.read().replace("\\-", "-").replace("\\(aq", "'")


def tables(program):
    return json.loads(subprocess.check_output([path_of(program),
                                               "--help-json"]))


@once
class Pages(unittest.TestCase):

    def test_mandoc_and_groff_have_no_warning(self):
        self.assertTrue(pages())
        for tool, words in (("mandoc", ["-Tlint"]),
                            ("groff", ["-ww", "-man", "-Tutf8", "-z"])):
            if not shutil.which(tool):
                self.skipTest(tool + " is not installed")
            for page in pages():
                done = subprocess.run([tool, *words, page],
                                      capture_output=True, text=True)
                self.assertEqual(done.stdout + done.stderr, "", page)

    def test_every_verb_option_and_setting_has_its_entry(self):
        for verb in tables("orchctl")["verbs"]:
            page = text_of(f"orchctl-{verb['noun']}.1")
            self.assertIn(f".SS {verb['noun']} {verb['verb']}", page)
            for option in verb["options"]:
                self.assertIn(f"\\fB--{option['name']}\\fR", page)
                if option["letter"]:
                    self.assertIn(f"\\fB{option['letter']}\\fR, \\fB--"
                                  f"{option['name']}\\fR", page)
        for verb in tables("orchlab")["verbs"]:
            self.assertIn(f".SS {verb['verb']}", text_of("orchlab.1"))
        for program in ("orchd", "softasicd", "saihostd", "softasic-thriftd"):
            for option in tables(program)["options"]:
                self.assertIn(f"\\fB--{option['name']}\\fR",
                              text_of(program + ".8"))
        for setting in tables("orchd")["settings"]:
            self.assertIn(f"\\fB{setting['key']}\\fR = ",
                          text_of("orchd.conf.5"))

    def test_the_date_is_that_of_the_source(self):
        made = []
        names = [os.path.relpath(os.path.join(folder, name), MAN)
                 for folder, _, files in os.walk(MAN) for name in files
                 if name != "stamp" and not name.endswith(".json")]
        for _ in range(2):
            out = tempfile.mkdtemp(prefix="orchd-man-")
            self.addCleanup(shutil.rmtree, out)
            subprocess.run(
                [sys.executable, os.path.join(SOURCE, "scripts/manual.py"),
                 "--version", "1.2.3", "--source", SOURCE, "--out", out,
                 *[os.path.join(MAN, name + ".json") for name in PROGRAMS],
                 "--", *names],
                env={**os.environ, "SOURCE_DATE_EPOCH": "86400"}, check=True)
            made.append(out)
        same, other, wrong = filecmp.cmpfiles(*made, names, shallow=False)
        self.assertEqual((sorted(same), other, wrong), (sorted(names), [], []))
        with open(os.path.join(made[0], "orchd.8"), encoding="utf-8") as file:
            self.assertIn('ORCHD 8 1970-01-02 "orchd 1.2.3"', file.read())

    def test_a_file_that_is_not_listed_is_an_error(self):
        out = tempfile.mkdtemp(prefix="orchd-man-")
        self.addCleanup(shutil.rmtree, out)
        done = subprocess.run(
            [sys.executable, os.path.join(SOURCE, "scripts/manual.py"),
             "--version", "1", "--source", SOURCE, "--out", out,
             os.path.join(MAN, "orchlab.json"), "--", "orchlab.1", "none.1"],
            capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("bash/orchlab: not listed", done.stderr)
        self.assertIn("none.1: not made", done.stderr)


class Shell:
    """What a shell offers for the last of some words."""

    @staticmethod
    def bash(program, *words, cwd=None):
        script = ('source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($#-1));'
                  f' _{program} "$1"; printf "%s\\n" "${{COMPREPLY[@]}}"')
        return Shell.run(["bash", "--norc", "-c", script, "bash",
                          os.path.join(MAN, "bash", program),
                          path_of(program), *words], cwd)

    @staticmethod
    def zsh(program, *words, cwd=None):
        script = ('compadd() { while [[ $1 != -- ]]; do shift; done; shift; '
                  'print -l -- "$@" }; '
                  '_files() { print files "$@" }; '
                  'words=("${@[2,-1]}"); CURRENT=${#words}; complete_it() '
                  '{ source "$1" }; complete_it "$1"')
        return Shell.run(["zsh", "-f", "-c", script, "zsh",
                          os.path.join(MAN, "zsh", "_" + program),
                          path_of(program), *words], cwd)

    @staticmethod
    def run(command, cwd):
        done = subprocess.run(command, capture_output=True, text=True, cwd=cwd,
                              timeout=PATIENCE_S)
        assert not done.stderr, done.stderr
        return sorted(done.stdout.split("\n")[:-1])


@once
class Completion(System):

    def test_nouns_verbs_options_and_words(self):
        nobody = ("--control", os.path.join(self.directory, "none"))
        for shell in (Shell.bash, Shell.zsh):
            if not shutil.which(shell.__name__):
                continue
            self.assertEqual(shell("orchctl", "br"), ["breakpoint"])
            self.assertEqual(shell("orchctl", "stat"), ["status"])
            self.assertEqual(shell("orchctl", "show", "po"),
                             ["pools", "ports"])
            self.assertEqual(shell("orchctl", "config", "load", "--re"),
                             ["--replace"])
            self.assertEqual(shell("orchctl", "asic", "send", "--until", "d"),
                             ["drop"])
            self.assertEqual(shell("orchctl", "config", "plan", "--set", "aud"),
                             ["audit_seconds="])
            # Without orchd there are no names, and no complaint.
            self.assertEqual(shell("orchctl", *nobody, "show", "ports", "E"),
                             [""] if shell is Shell.bash else [])
        self.assertEqual(Shell.bash("orchctl", "asic", "send", "--until", "=",
                                    "x"), ["xoff"])
        self.assertEqual(Shell.bash("orchlab", "ex"), ["explain"])
        self.assertEqual(Shell.bash("orchlab", "explain", "f"), ["flow"])

    def test_files(self):
        for name in ("one.json", "two.json"):
            with open(os.path.join(self.directory, name), "w",
                      encoding="utf-8"):
                pass
        os.mkdir(os.path.join(self.directory, "one.dir"))
        self.assertEqual(Shell.bash("orchctl", "config", "plan", "one",
                                    cwd=self.directory),
                         ["one.dir", "one.json"])
        self.assertEqual(Shell.bash("orchctl", "config", "plan", "--chips",
                                    "one", cwd=self.directory), ["one.dir"])
        for option in ("--output", "-o"):
            self.assertEqual(Shell.bash("orchctl", "sweep", "report", option,
                                        "tw", cwd=self.directory),
                             ["two.json"])
            self.assertEqual(Shell.bash("orchctl", "report", option, "tw",
                                        cwd=self.directory), ["two.json"])
        self.assertEqual(Shell.bash("orchctl", "report", "tw",
                                    cwd=self.directory), ["two.json"])
        self.assertEqual(Shell.bash("orchctl", "report", "--ou"),
                         ["--output"])
        self.assertEqual(Shell.bash("orchctl", "sweep", "report", "-"),
                         Shell.bash("orchctl", "sweep", "report", "--") +
                         ["-h", "-o"])
        self.assertEqual(Shell.bash("orchd", "--config", "tw",
                                    cwd=self.directory), ["two.json"])

    def test_daemons(self):
        self.assertEqual(Shell.bash("orchd", "--audit"), ["--audit-seconds"])
        self.assertEqual(Shell.bash("orchd", "--repair", ""),
                         ["off", "on", "report"])
        self.assertEqual(Shell.bash("orchd", "--repair", "=", "r"),
                         ["report"])
        self.assertIn("--dilation", Shell.bash("softasicd", "--"))
        self.assertNotIn("--dilation", Shell.bash("saihostd", "--"))
        if shutil.which("zsh"):
            for name in os.listdir(os.path.join(MAN, "zsh")):
                subprocess.run(["zsh", "-n", os.path.join(MAN, "zsh", name)],
                               check=True)

    def test_names_come_from_the_running_daemon(self):
        client = self.start_redis()
        client.pipeline([
            ("SELECT", 4),
            ("HSET", "PORT|Ethernet0", "lanes", "0", "speed", "25000"),
            ("HSET", "PORT|Ethernet4", "lanes", "4", "speed", "25000"),
            ("HSET", "BUFFER_POOL|ingress_pool", "type", "ingress", "mode",
             "dynamic", "size", "1000000"),
            ("SET", "CONFIG_DB_INITIALIZED", "1")])
        self.start_orchd_only()
        here = ("--control", os.path.join(self.directory, "control.sock"))
        wait_until(lambda: Shell.bash("orchctl", *here, "show", "ports", "E") ==
                   ["Ethernet0", "Ethernet4"], "ports are offered")
        wait_until(lambda: Shell.bash("orchctl", *here, "show", "pools", "") ==
                   ["ingress_pool"], "the pool is offered")
        self.assertEqual(Shell.bash("orchctl", *here, "config", "explain",
                                    "'PORT|"),
                         ["PORT|Ethernet0", "PORT|Ethernet4"])
        self.assertEqual(Shell.bash("orchctl", *here, "config", "explain",
                                    "BUFFER_P"),
                         ["BUFFER_POOL\\|ingress_pool"])
        self.assertEqual(Shell.bash("orchctl", *here, "asic", "snapshot",
                                    "port", "Ethernet4"), ["Ethernet4"])
        self.assertEqual(Shell.bash("orchctl", *here, "asic", "send",
                                    "--from", "Ethernet0"), ["Ethernet0"])
        self.assertEqual(Shell.bash("orchctl", *here, "log", "level", "red"),
                         ["redis"])


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""The configuration file of orchd: check, precedence, reload, and what
"orchctl show settings" says about it."""

import json
import os
import signal
import subprocess
import unittest

from harness import BUILD, ORCHD, PATIENCE_S, SOURCE, System, once, wait_until

# No path contains it.
SECRET = "(not to be shown)"
ORCHCTL = os.path.join(BUILD, "orchctl", "orchctl")


def run_orchd(*words, **environment):
    return subprocess.run([ORCHD, *words], capture_output=True, text=True,
                          env={**os.environ, **environment}, timeout=PATIENCE_S)


@once
class Settings(System):

    def setUp(self):
        super().setUp()
        self.file = os.path.join(self.directory, "orchd.conf")

    def write(self, text):
        with open(self.file, "w", encoding="utf-8") as file:
            file.write(text)

    def orchctl(self, *words):
        return subprocess.run(
            [ORCHCTL, *words, "--control",
             os.path.join(self.directory, "control.sock")],
            capture_output=True, text=True, timeout=PATIENCE_S)

    def settings(self):
        done = self.orchctl("show", "settings", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = json.loads(done.stdout)["settings"]
        return {row["key"]: row for row in rows}

    def start(self, text, *options):
        self.write(text)
        self.start_redis()
        self.start_orchd_only("--config", self.file, *options)
        wait_until(lambda: self.orchctl("show", "status").returncode == 0,
                   "orchd answers")

    def test_check_reports_all_errors_with_lines(self):
        self.write("strikt = yes\n\naudit_seconds = 0\nprofile = x\n"
                   "redis = nowhere\nstrict = on\nstrict = on\n"
                   "http = 99999\nmetrics_port = 9478\n")
        done = run_orchd("--check-config", self.file)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stdout, "")
        for line, text in ((1, "'strict'?"), (3, "1..86400"), (4, "KEY=VALUE"),
                           (5, "unix:PATH"), (7, "twice"), (8, "'99999'"),
                           (9, "alias of http")):
            self.assertIn(f"{self.file}:{line}: ", done.stderr)
            self.assertIn(text, done.stderr)
        self.write("strict = yes\n")
        done = run_orchd("--check-config", self.file)
        self.assertEqual((done.returncode, done.stdout),
                         (0, f"{self.file}: no errors\n"))
        done = run_orchd("--check-config", self.file, ORCHD_STRIKT="yes")
        self.assertEqual(done.returncode, 0)
        self.assertIn("warning: the environment has ORCHD_STRIKT", done.stderr)
        done = run_orchd("--check-config", self.file + ".none")
        self.assertEqual(done.returncode, 2)
        self.assertIn("cannot be read", done.stderr)
        done = run_orchd("--config", self.directory)
        self.assertEqual(done.returncode, 2)
        self.assertIn("Is a directory", done.stderr)
        self.assertIn("remedy: ", done.stderr)

    def test_an_invalid_file_stops_the_start_and_names_all_lines(self):
        self.write("audit_second = 5\nrepair = maybe\n")
        done = run_orchd("--config", self.file)
        self.assertEqual(done.returncode, 2)
        self.assertIn(":1: ", done.stderr)
        self.assertIn(":2: ", done.stderr)

    def test_an_unusable_file_names_its_setting(self):
        for key in ("lookup_file", "llr_lookup_file", "asic_table",
                    "zero_profiles", "redis_password_file"):
            done = run_orchd(*self.command("--set", f"{key}={self.file}.none",
                                           remote=False)[1:])
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(f"the setting {key}\n", done.stderr)
            self.assertNotIn(":-1", done.stderr)

    def test_a_wrong_line_of_a_table_is_named(self):
        self.write("speed cable outstanding_frames outstanding_bytes\n"
                   "400000 40m 100 x\n")
        done = run_orchd(*self.command("--set", "llr_lookup_file=" + self.file,
                                       remote=False)[1:])
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(f"{self.file}:2: outstanding_bytes must be "
                      "0..4294967295, not 'x'", done.stderr)

    def test_print_config_keeps_what_is_given(self):
        sample = run_orchd("--print-config").stdout
        self.assertFalse([line for line in sample.split("\n")
                          if line and not line.startswith("#")])
        self.write(run_orchd("--print-config", "--strict", "--profile",
                             "A=b c", ORCHD_REPAIR="on").stdout)
        again = run_orchd("--config", self.file, "--print-config").stdout
        values = [line for line in again.split("\n")
                  if line and not line.startswith("#")]
        self.assertEqual(values, ["profile = A=b c", "strict = true",
                                  "repair = on"])
        self.assertIn(f"# From {self.file}:", again)

    def test_show_says_where_values_come_from(self):
        os.environ["ORCHD_DRIFT_SECONDS"] = "99"
        try:
            self.start("# ours\naudit_seconds = 50\nprofile = MY_SECRET=" +
                       SECRET + "\n",
                       "--log-level", "debug")
        finally:
            del os.environ["ORCHD_DRIFT_SECONDS"]
        found = self.settings()
        for key, value, source, change in (
                ("audit_seconds", "50", self.file + ":2", "reload"),
                ("drift_seconds", "99", "ORCHD_DRIFT_SECONDS", "reload"),
                ("log_level", "debug", "--log-level", "reload"),
                ("strict", "false", "default", "restart")):
            row = found[key]
            self.assertEqual((row["value"], row["source"], row["change"]),
                             (value, source, change))
        text = self.orchctl("show", "settings").stdout
        self.assertIn("Configuration file: " + self.file, text)
        self.assertIn("MY_SECRET=(masked)", text)
        self.assertNotIn(SECRET, text)

    def test_reload_takes_over_what_it_can(self):
        self.start("audit_seconds = 50\n")
        done = self.orchctl("config-file", "reload")
        self.assertEqual(done.returncode, 0)
        self.assertIn("nothing has changed", done.stdout)
        self.write("audit_seconds = 51\nstrict = yes\nlog_level = debug\n")
        done = self.orchctl("config-file", "reload", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        self.assertEqual({(c["key"], c["from"], c["to"])
                          for c in report["applied"]},
                         {("audit_seconds", "50", "51"),
                          ("log_level", "info", "debug")})
        self.assertEqual([c["key"] for c in report["restart"]], ["strict"])
        levels = self.orchctl("log", "level", "--json")
        self.assertEqual({row["level"] for row in
                          json.loads(levels.stdout)["levels"]}, {"debug"})
        found = self.settings()
        self.assertEqual(found["audit_seconds"]["value"], "51")
        self.assertEqual((found["strict"]["value"], found["strict"]["next"]),
                         ("false", "true"))
        self.assertIn("strict becomes true after a restart",
                      self.orchctl("show", "settings").stdout)

    def test_a_reload_with_errors_changes_nothing(self):
        self.start("audit_seconds = 50\n")
        self.write("audit_seconds = 51\nrepair = maybe\nstrikt = 1\n")
        done = self.orchctl("config-file", "reload")
        self.assertEqual(done.returncode, 1)
        self.assertIn(":2: ", done.stdout)
        self.assertIn(":3: ", done.stdout)
        self.assertIn("2 errors", done.stderr)
        self.assertEqual(self.settings()["audit_seconds"]["value"], "50")
        missing = os.path.join(self.directory, "missing")
        self.write(f"lookup_file = {missing}\naudit_seconds = 51\n")
        done = self.orchctl("config-file", "reload")
        self.assertEqual(done.returncode, 1)
        self.assertIn(missing, done.stdout)
        self.assertEqual(self.settings()["audit_seconds"]["value"], "50")

    def test_a_hangup_reloads(self):
        self.start("audit_seconds = 50\n")
        self.write("audit_seconds = 52\n")
        self.orchd_process.send_signal(signal.SIGHUP)
        wait_until(lambda: self.settings()["audit_seconds"]["value"] == "52",
                   "the new value is in force")
        self.assertIn("setting-changed", self.log_text())


@once
class Switch(System):
    """softasicd reads its options from a file and from the environment."""

    def run_switch(self, text, *words, **environment):
        path = os.path.join(self.directory, "softasicd.conf")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        done = subprocess.run(
            [os.path.join(BUILD, "saihostd", "softasicd"), *words],
            capture_output=True, text=True, timeout=PATIENCE_S,
            env={**os.environ, "SOFTASICD_CONFIG": path, **environment})
        return path, done

    def test_each_source_names_its_errors(self):
        for text, words, environment, expected in (
                ("# ours\nmodell = td2\n", [], {},
                 "{0}:2: there is no option 'modell' (did you mean 'model'?)"),
                ("socket\n", [], {}, "{0}:1: expected NAME = VALUE"),
                ("rescue = 1\n", [], {}, "{0}:1: rescue must be true or false"),
                ("call-timeout = x\n", [], {}, "{0}:1: invalid value \"x\""),
                ("call-timeout = 5\n", [], {"SOFTASICD_CALL_TIMEOUT": "y"},
                 "SOFTASICD_CALL_TIMEOUT: invalid value \"y\""),
                ("call-timeout = 5\n", ["--call-timeout", "z"], {},
                 "softasicd: invalid value \"z\" for --call-timeout"),
                ("", ["--modle", "td2"], {}, "(did you mean '--model'?)"),
                ("", ["--soket=x"], {}, "(did you mean '--socket'?)"),
                ("", ["--socket"], {}, "--socket needs an argument"),
                ("", ["word"], {}, "unexpected argument word"),
                ("", ["--json"], {}, "--json goes with --version only")):
            path, done = self.run_switch(text, *words, **environment)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(expected.format(path), done.stderr)
        # Where nothing is near, what there is.
        _, done = self.run_switch("zzzzzzzz = 1\n")
        self.assertIn("  allowed: socket, ", done.stderr)

    def test_names_in_a_directory(self):
        _, done = self.run_switch(
            f"socket = {self.directory}/s\nmodel = td2\ntap = x\n"
            f"names = {self.directory}\nprofile = SOFTASIC_MODEL_DIR=" +
            os.path.join(SOURCE, "chips"), SOFTASICD_SAI=os.path.join(
                BUILD, ".libs", "libsai-softasic.so"))
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(f"--names: {self.directory} is a directory", done.stderr)

    def test_later_sources_override(self):
        for text, words, environment, expected in (
                ("", [], {}, "--socket PATH is required"),
                ("socket = /dev/null/a\nmodel = td2\n", [], {},
                 "cannot listen on /dev/null/a"),
                ("socket = /dev/null/a\nmodel = td2\n", [],
                 {"SOFTASICD_SOCKET": "/dev/null/b"}, "on /dev/null/b"),
                ("socket = /dev/null/a\nmodel = td2\n",
                 ["--socket", "/dev/null/c"],
                 {"SOFTASICD_SOCKET": "/dev/null/b"}, "on /dev/null/c"),
                # The unit's variable, which systemd also puts on the command line.
                ("socket = /dev/null/a\nmodel = td2\n", [],
                 {"SOFTASICD_OPTIONS": "--model no"}, "on /dev/null/a")):
            _, done = self.run_switch(
                text, *words, SOFTASICD_SAI=os.path.join(
                    BUILD, ".libs", "libsai-softasic.so"),
                SOFTASICD_PROFILE="SOFTASIC_MODEL_DIR=" +
                os.path.join(SOURCE, "chips"), **environment)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(expected, done.stderr)


if __name__ == "__main__":
    unittest.main()

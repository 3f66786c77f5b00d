# SPDX-License-Identifier: Apache-2.0
"""Sweeps of orchctl: a scenario with many values of a parameter, and what is
made of the results."""

import csv
import glob
import json
import os
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
import unittest

from executors import HAS_SLURM, HAS_SSHD, start_sshd, with_slurm
from harness import BUILD, LIBSAI, PATIENCE_S, SOURCE

ORCHCTL = os.path.abspath(os.path.join(BUILD, "orchctl", "orchctl"))
OFFLINE = ["--sai", LIBSAI, "--chips", os.path.join(SOURCE, "chips"),
           "--yang-dir", os.path.join(SOURCE, "schemas")]
DONE, FAILED, USAGE, UNREACHABLE = range(4)

# A lossless class until it pauses its sender.
XOFF = """
include: %s
params: {a: Ethernet0, b: Ethernet4, size: 64, most: 1000000}
steps:
  - block: $b
  - send: {from: $a, to: $b, until: xoff, limit: 100000, dscp: 3, size: $size}
  - snap: {name: paused, show: [pg $a|3]}
  - expect: {obj: pg $a|3, stat: packets, <=: $most}
""" % os.path.join(SOURCE, "tests", "breakpoint", "common", "lossless.yaml")

TH = "row(BUFFER_PROFILE|pg_lossless_profile).dynamic_th"
SHARED = "paused:pg Ethernet0|3:shared_bytes"


def read_terminal(terminal):
    """What is written to the other side until that is closed; a terminal gives
    it in pieces."""
    said = b""
    while True:
        try:
            said += os.read(terminal, 65536)
        except OSError: # All is read, and the other side is closed.
            return said.decode()


class Sweep(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.file = self.path("xoff.yaml")
        with open(self.file, "w", encoding="utf-8") as file:
            file.write(XOFF)

    def path(self, name):
        return os.path.join(self.folder, name)

    def orchctl(self, *words, code=DONE):
        result = subprocess.run([ORCHCTL, *words], capture_output=True,
                                text=True, timeout=PATIENCE_S, check=False)
        self.assertEqual(result.returncode, code,
                         result.stdout + result.stderr)
        return result.stdout + result.stderr

    def sweep(self, *words, code=DONE):
        return self.orchctl("breakpoint", "run", self.file, *OFFLINE, *words,
                            code=code)

    def rows(self, name, sql):
        with sqlite3.connect(self.path(name)) as file:
            return file.execute(sql).fetchall()


class Run(Sweep):

    def test_three_formats_have_the_same_numbers(self):
        names = [self.path(f"r.{suffix}")
                 for suffix in ("sqlite", "csv", "jsonl")]
        text = self.sweep("--param", f"{TH}=-4..1", "--param", "size=64,300",
                          "--repeat", "2", "--results", names[0],
                          "--results", names[1], "--results", names[2])
        self.assertIn("24 cases: 24 passed", text)
        self.assertIn(names[0], text)
        with open(names[1], encoding="utf-8") as file:
            table = list(csv.DictReader(file))
        with open(names[2], encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        stored = self.rows("r.sqlite", "SELECT run, value, t_ps FROM"
                           " measurements WHERE name = 'shared_bytes'"
                           " ORDER BY run")
        self.assertEqual(len(table), 24)
        self.assertEqual([int(row[SHARED]) for row in table],
                         [value for _, value, _ in stored])
        self.assertEqual([line["measurements"]["paused"]["pg Ethernet0|3"]
                          ["shared_bytes"] for line in lines],
                         [value for _, value, _ in stored])
        self.assertTrue(all(t_ps > 0 for _, _, t_ps in stored))
        self.assertEqual([(row[TH], row["size"], row["repetition"])
                          for row in table[:5]],
                         [("-4", "64", "1"), ("-4", "64", "2"),
                          ("-4", "300", "1"), ("-4", "300", "2"),
                          ("-3", "64", "1")])
        # The same point is the same switch; a larger alpha pauses later.
        self.assertEqual(table[0][SHARED], table[1][SHARED])
        self.assertLess(int(table[0][SHARED]), int(table[4][SHARED]))
        self.assertEqual(
            self.rows("r.sqlite", "SELECT text, passed, value FROM verdicts"
                      " WHERE run = 1"),
            [("pg Ethernet0|3 packets <= 1000000", 1,
              float(table[0]["packets"]))])
        self.assertEqual(
            self.rows("r.sqlite", "SELECT name, value FROM params WHERE"
                      " run = 3 ORDER BY name"),
            [(TH, "-4"), ("size", "300")])

    def test_names_are_shown_in_the_characters_of_the_locale(self):
        with open(self.file, "w", encoding="utf-8") as file:
            file.write("name: größe" + XOFF)
        name = self.path("u.sqlite")
        self.sweep("--param", "size=64,300", "--results", name)
        for locale, shown in (("C.UTF-8", "größe[size=64]"),
                              ("C", r"gr\xc3\xb6\xc3\x9fe[size=64]")):
            text = subprocess.run(
                [ORCHCTL, "sweep", "show", name], capture_output=True,
                timeout=PATIENCE_S, check=True,
                env={**os.environ, "LC_ALL": locale}).stdout.decode()
            self.assertIn(shown, text)

    def test_processes_do_not_change_the_results(self):
        for jobs in ("1", "3"):
            self.sweep("--param", "size=64..164..20", "--jobs", jobs,
                       "--results", self.path(f"{jobs}.jsonl"))
        results = []
        for name in ("1.jsonl", "3.jsonl"):
            with open(self.path(name), encoding="utf-8") as file:
                results.append([json.loads(line) for line in file])
        for line in results[0] + results[1]:
            del line["milliseconds"]
        self.assertEqual(*results)

    def test_a_value_of_the_chip_and_of_the_file(self):
        self.sweep("--param", "chip.memory_bytes=8000000,16000000",
                   "--results", self.path("chip.csv"))
        with open(self.path("chip.csv"), encoding="utf-8") as file:
            small, large = (int(row[SHARED]) for row in csv.DictReader(file))
        self.assertAlmostEqual(large / small, 2, delta=0.01)
        self.assertIn("2 cases: 2 passed",
                      self.sweep("--param", "steps.1.send.size=64,65"))

    def test_points_that_fail(self):
        text = self.sweep("--param", "size=64,3000", "--param", "most=1000",
                          "--results", self.path("f.sqlite"), code=FAILED)
        self.assertRegex(text, r"FAIL xoff\[size=64,most=1000\]: pg "
                         r"Ethernet0\|3 packets: expected <= 1000, got \d+\n")
        self.assertIn("2 cases: 1 passed, 1 failed", text)
        self.assertEqual(self.rows("f.sqlite", "SELECT state FROM runs"),
                         [("failed",), ("passed",)])

    def test_mistakes_are_reported_once_and_leave_no_file(self):
        name = self.path("none.sqlite")
        text = self.sweep("--param", "sise=1..50", "--results", name,
                          code=USAGE)
        self.assertEqual(text.count("sise"), 2)
        self.assertIn("--param sise=1: the scenario has no parameter 'sise' "
                      "(did you mean 'size'?)", text)
        self.assertIn("allowed: ", text)
        self.assertFalse(os.path.exists(name))
        self.assertIn("the suffix chooses the format\n  allowed: .sqlite, "
                      ".csv, .jsonl", self.sweep("--results", "x.xls",
                                                 code=USAGE))
        self.assertIn("it is rejected (range): dynamic_th",
                      self.sweep("--param", f"{TH}=42,43", code=USAGE))

    def test_mistakes_name_what_is_allowed(self):
        pool = "row(BUFFER_POOL|ingress_lossless_pool)"
        for param, reason, allowed in (
                (f"{pool}.sise", "BUFFER_POOL has no field sise (did you mean "
                 "'size'?)", "type, mode, size, xoff"),
                ("row(BUFFER_POL|ingress_lossless_pool).size",
                 "no row BUFFER_POL|ingress_lossless_pool (did you mean "
                 "'BUFFER_POOL|ingress_lossless_pool'?)",
                 "BUFFER_POOL|ingress_lossless_pool, "),
                ("row(BUFFER_POOL|pool).size", "no row BUFFER_POOL|pool",
                 "BUFFER_POOL|egress_lossy_pool, "),
                ("chip.cel_bytes", "--param chip.cel_bytes=1: cel_bytes: no "
                 "such key in a chip file (did you mean 'cell_bytes'?)",
                 "cell_bytes, "),
                ("chip.xoff", "--param chip.xoff=1: xoff: not one ",
                 "in_headroom, before_headroom")):
            with self.subTest(param=param):
                text = self.sweep("--param", f"{param}=1", code=USAGE)
                self.assertIn(reason, text)
                self.assertRegex(text, f"\n  allowed: .*{re.escape(allowed)}")

    def test_progress_on_a_plain_terminal(self):
        """The line is replaced without control sequences."""
        ours, theirs = os.openpty()
        done = subprocess.run(
            [ORCHCTL, "breakpoint", "run", self.file, *OFFLINE, "--param",
             "size=64..103"], stdout=subprocess.DEVNULL, stderr=theirs,
            env={**os.environ, "TERM": "dumb"}, timeout=PATIENCE_S, check=False)
        os.close(theirs)
        said = read_terminal(ours)
        os.close(ours)
        self.assertEqual(done.returncode, DONE)
        self.assertNotIn("\x1b", said)
        lines = said.split("\r")
        self.assertRegex(lines[1], r"^\d+ of 40, \d+ %, ETA \d+:\d\d$")
        self.assertEqual(lines[-2].strip(), "")
        self.assertEqual(lines[-1], "")

    def test_a_sweep_that_is_stopped_keeps_its_results(self):
        for number, jobs in ((signal.SIGINT, "1"), (signal.SIGTERM, "2")):
            with self.subTest(jobs=jobs):
                self.stop_a_sweep(number, jobs)

    def stop_a_sweep(self, number, jobs):
        """Stops one of 100,000 points when the first have ended."""
        results = self.path(f"{jobs}.sqlite")
        ours, theirs = os.openpty()
        with subprocess.Popen(
                [ORCHCTL, "breakpoint", "run", self.file, *OFFLINE, "--jobs",
                 jobs, "--param", "size=64..1063", "--repeat", "100",
                 "--results", results, "--results", self.path(f"{jobs}.csv")],
                stdout=subprocess.DEVNULL, stderr=theirs) as process:
            os.close(theirs)
            said = ""
            while " of 100000" not in said:
                said += os.read(ours, 65536).decode()
            process.send_signal(number)
            self.assertEqual(process.wait(timeout=PATIENCE_S), FAILED)
        while "cases" not in said:
            said += os.read(ours, 65536).decode()
        os.close(ours)
        stopped, = re.findall(r"orchctl: stopped after (\d+) of 100000 cases",
                              said)
        self.assertEqual(self.rows(results, "SELECT state, count(*) FROM runs"),
                         [("passed", int(stopped))])
        with open(self.path(f"{jobs}.csv"), encoding="utf-8") as file:
            self.assertEqual(len(file.readlines()), int(stopped) + 1)

    def test_the_example_holds_at_all_points(self):
        """Of the how-to guide, the help, and its own comment."""
        example = os.path.join(SOURCE, "examples", "breakpoint",
                               "threshold.yaml")
        for words in (("--param", "alpha=-4..3", "--param",
                       "frame=64,300,1500,9100"),
                      ("--param", "alpha=-6..3", "--param",
                       "chip_model=th,th2,td3")):
            self.orchctl("breakpoint", "run", example, *OFFLINE, *words)

    def test_results_that_do_not_fit_leave_no_file(self):
        """A limit on the size of files instead of a disk that is full."""
        too_large = "cannot write '{}': File too large"
        for suffix, most, said in (("sqlite", 60000, "cannot use {}"),
                                   ("csv", 5000, too_large),
                                   ("jsonl", 5000, too_large)):
            def limit(most=most):
                resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

            results = self.path("r." + suffix)
            done = subprocess.run(  # SIGXFSZ is ignored, as Python does.
                [ORCHCTL, "breakpoint", "run", self.file, *OFFLINE, "--jobs",
                 "1", "--param", "size=64..103", "--results", results],
                capture_output=True, text=True, timeout=PATIENCE_S, check=False,
                preexec_fn=limit, restore_signals=False)
            self.assertEqual(done.returncode, FAILED, done.stdout + done.stderr)
            self.assertIn(said.format(results), done.stderr)
            self.assertIn("remedy: make room, and run again", done.stderr)
            self.assertEqual(glob.glob(results + "*"), [])

    def test_files_are_not_overwritten(self):
        for suffix in ("sqlite", "csv"):
            name = self.path(f"old.{suffix}")
            with open(name, "w", encoding="utf-8") as file:
                file.write("mine")
            self.assertIn(f"{name} exists\n  remedy: choose another name",
                          self.sweep("--param", "size=64,65", "--results",
                                     name, code=FAILED))
            with open(name, encoding="utf-8") as file:
                self.assertEqual(file.read(), "mine")


class Results(Sweep):
    """What is shown and drawn of a sweep."""

    def setUp(self):
        super().setUp()
        self.results = self.path("r.sqlite")
        self.sweep("--param", f"{TH}=-2..1", "--param", "size=64,300",
                   "--results", self.results)

    def test_show(self):
        listed = json.loads(self.orchctl("sweep", "show", self.results,
                                         "--list", "--json"))
        self.assertIn(SHARED, [item["measurement"] for item in listed])
        rows = json.loads(self.orchctl("sweep", "show", self.results,
                                       "--measure", SHARED, "--json"))
        self.assertEqual(
            [(row[TH], row["size"], row[SHARED]) for row in rows],
            self.rows("r.sqlite", "SELECT (SELECT value FROM params p WHERE"
                      " p.run = m.run AND p.name LIKE 'row%'), (SELECT value"
                      " FROM params p WHERE p.run = m.run AND p.name = 'size'),"
                      " value FROM measurements m WHERE name = 'shared_bytes'"
                      " ORDER BY run"))
        text = self.orchctl("sweep", "show", self.results, "--measure", SHARED)
        # The mean of both sizes rises with alpha; a column for each of four.
        self.assertRegex(text, re.escape(SHARED) + r"\n  (_[.:]?.[-=+*]#|▁.+█)"
                         r"  \d{3},\d{3} to [\d,]+ over dynamic_th from"
                         r" -2 to 1\n")
        text = self.orchctl("sweep", "show", self.results)
        self.assertIn("outcome", text)
        self.assertEqual(text.count("passed"), 8)
        lines = self.orchctl("sweep", "show", self.results, "--csv")
        self.assertEqual(len(lines.splitlines()), 9)

    def test_show_says_why_a_run_failed(self):
        failed = self.path("failed.sqlite")
        self.sweep("--param", "size=64,3000", "--param", "most=1000",
                   "--results", failed, code=FAILED)
        rows = json.loads(self.orchctl("sweep", "show", failed, "--json"))
        self.assertEqual({row["outcome"]: row["reason"] and
                          row["reason"].split(",")[0] for row in rows},
                         {"failed": "expected pg Ethernet0|3 packets <= 1000",
                          "passed": None})

    def test_show_names_what_is_wrong(self):
        for words, expected in (
                (["--measure", SHARED.replace("shared", "shard")],
                 "shard_bytes' (did you mean 'paused:pg "
                 "Ethernet0|3:shared_bytes'?)"),
                (["--measure", "x"], "is not SNAPSHOT:OBJECT:COUNTER")):
            self.assertIn(expected, self.orchctl(
                "sweep", "show", self.results, *words, code=USAGE))

    def test_a_wrong_figure_is_named_before_missing_measurements(self):
        text = self.orchctl("sweep", "plot", self.results, "x.svg",
                            "--figure", "xof", code=USAGE)
        self.assertIn("no figure 'xof' (did you mean 'xoff'?)", text)
        self.assertNotIn("--measure", text)
        self.assertIn("--measure is given 0 times", self.orchctl(
            "sweep", "plot", self.results, "x.svg", "--figure", "xoff",
            code=USAGE))
        self.assertIn("is not a results file", self.orchctl(
            "sweep", "show", self.file, code=USAGE))
        self.assertIn("cannot read", self.orchctl(
            "sweep", "show", self.path("none.sqlite"), code=FAILED))

    def test_the_data_of_each_figure(self):
        names = [item["figure"] for item in
                 json.loads(self.orchctl("sweep", "plot", "--json"))
                 if item["of"] == "sweep"]
        self.assertIn("xoff", names)
        stored = self.rows("r.sqlite", "SELECT value FROM measurements WHERE"
                           " name = 'shared_bytes' AND run % 2 = 1"
                           " ORDER BY run")
        for name in names:
            folder = self.path(name)
            self.orchctl("sweep", "plot", self.results, "x.svg", "--figure",
                         name, "--by", "size", "--measure", SHARED, "--data",
                         folder)
            with open(os.path.join(folder, "points.dat"),
                      encoding="utf-8") as file:
                blocks = file.read().split("\n\n\n")
            if name == "frontier":
                continue
            self.assertEqual(len(blocks), 2)
            lines = blocks[0].splitlines()
            self.assertEqual(lines[0], '"size 64"')
            points = [tuple(map(float, line.split())) for line in lines[1:]]
            self.assertEqual([x for x, _ in points], [-2, -1, 0, 1])
            if name != "shares":
                self.assertEqual([y for _, y in points],
                                 [y for y, in stored])

    @unittest.skipUnless(shutil.which("gnuplot"), "no gnuplot")
    def test_pictures(self):
        for suffix, magic in (("svg", b"<?xml"), ("png", b"\x89PNG"),
                              ("pdf", b"%PDF")):
            name = self.path(f"f.{suffix}")
            self.orchctl("sweep", "plot", self.results, name, "--figure",
                         "xoff", "--by", "size", "--measure", SHARED)
            with open(name, "rb") as file:
                self.assertTrue(file.read().startswith(magic))
        for counter in ("packets", "dropped"):  # Everything, and nothing.
            self.orchctl("sweep", "plot", self.results, self.path("x.png"),
                         "--figure", "frontier", "--by", "size", "--measure",
                         f"paused:pg Ethernet0|3:{counter}")
        self.sweep("--param", "size=64,300", "--results",
                   self.path("q.sqlite"), "--plot", self.path("q.svg"),
                   "--measure", SHARED)
        with open(self.path("q.svg"), encoding="utf-8") as file:
            self.assertIn("Measurements against a parameter", file.read())

    def page(self, *words):
        """The report with these words, and the text of its cells by table."""
        path = self.path("report.html")
        self.orchctl("report", *words, "-o", path)
        with open(path, encoding="utf-8") as file:
            page = file.read()
        self.assertNotIn("<script", page)
        self.assertNotRegex(page, r"""(?:src|href)=["']?https?:""")
        self.assertLess(len(page), 2000000)
        return page, [re.findall(r"<td[^>]*>(.*?)</td>", row)
                      for row in re.findall(r"<tr>(.*?)</tr>", page)]

    def test_report(self):
        failed = self.path("<f>.sqlite")
        self.sweep("--param", "size=64,3000", "--param", "most=1000",
                   "--results", failed, code=FAILED)
        page, rows = self.page(self.results, failed)
        self.assertIn("&lt;f&gt;.sqlite</h2>", page)
        self.assertIn("until: xoff, limit: 100000", page)
        self.assertIn(["pg Ethernet0|3 packets &lt;= 1000000", "passed", "8",
                       "0"], [row[:4] for row in rows])
        self.assertIn(["pg Ethernet0|3 packets &lt;= 1000", "failed", "2",
                       "1"], [row[:4] for row in rows])
        run = [row for row in rows
               if row[1:2] == ["xoff[size=64,most=1000]"]][0]
        self.assertEqual(run[2:5], ["th", "64", "1000"])
        self.assertIn("failed", run)
        self.assertRegex(run[-1], r"^expected pg Ethernet0\|3 packets &lt;= 1000"
                         r", got \d+$")

    def test_runs_of_a_report_have_what_was_measured(self):
        measured = {}
        for name, measurement, value in self.rows(
                "r.sqlite", "SELECT r.name, m.snapshot || ':' || m.object || "
                "':' || m.name, m.value FROM runs r JOIN measurements m USING "
                "(run)"):
            measured.setdefault(measurement, {})[name] = str(int(value))
        for words in ((), ("--measure", SHARED)):
            if words and not shutil.which("gnuplot"):
                continue
            page, _ = self.page(self.results, *words)
            [head] = [re.findall("<th>(.*?)</th>", row)
                      for row in re.findall("<thead>(.*?)</thead>", page)
                      if "simulated us" in row]
            self.assertEqual(head[3:5], [TH, "size"])
            [table] = re.findall(r"<h3>Runs</h3>(.*?)</table>", page, re.S)
            rows = [re.findall(r"<td[^>]*>(.*?)</td>", row)
                    for row in re.findall(r"<tr>(.*?)</tr>", table)]
            shown = [column for column in head if column in measured]
            self.assertEqual(shown, [SHARED] if words else shown)
            self.assertIn(len(shown), range(1, 9))
            for column in shown:
                values = {row[1]: row[head.index(column)] for row in rows if row}
                self.assertEqual(values, measured[column])
                # Without a choice, those that tell runs apart.
                self.assertGreater(len(set(values.values())), 1)
        self.assertIn("<h3>Measurements</h3>", page)

    def test_a_report_without_gnuplot_has_no_figure(self):
        path = self.path("report.html")
        done = subprocess.run(
            [ORCHCTL, "report", self.results, "--measure", SHARED, "-o", path],
            capture_output=True, text=True, timeout=PATIENCE_S, check=False,
            env={**os.environ, "PATH": self.folder})
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertIn("cannot run gnuplot: No such file", done.stderr)
        with open(path, encoding="utf-8") as file:
            page = file.read()
        self.assertIn("gnuplot was not installed", page)
        self.assertIn("<h3>Runs</h3>", page)

    def test_a_table_fits_into_its_terminal(self):
        words = ("sweep", "show", self.results, "--measure", SHARED)
        full = self.orchctl(*words).split(SHARED + "\n")[0]
        self.assertGreater(max(map(len, full.splitlines())), 120)
        done = subprocess.run(
            [ORCHCTL, *words], capture_output=True, text=True, timeout=PATIENCE_S,
            check=True, env={**os.environ, "COLUMNS": "120"})
        table = done.stdout.split("Left out of 120 columns: ")
        self.assertLessEqual(max(map(len, table[0].splitlines())), 120)
        self.assertEqual(table[1].splitlines()[0], "name, time_us")
        self.assertIn(TH, table[0])

    def test_a_report_says_what_it_leaves_out(self):
        files = [self.path(f"{i}.yaml") for i in range(7)]
        for file in files:
            shutil.copy(self.file, file)
        with open(files[0], "a", encoding="utf-8") as file:
            file.write("# a comment\n" * 10000)
        self.orchctl("breakpoint", "run", *files, *OFFLINE, "--results",
                     self.path("seven.sqlite"))
        page, _ = self.page(self.path("seven.sqlite"))
        self.assertEqual(page.count("<details>"), 5)
        self.assertIn("The first 5 of 7 scenarios.", page)
        self.assertEqual(len(re.findall(r"The first \d{6} bytes\.", page)), 1)

    @unittest.skipUnless(shutil.which("gnuplot"), "no gnuplot")
    def test_report_with_a_figure(self):
        page, _ = self.page(self.results, "--by", "size", "--measure", SHARED)
        self.assertIn("<svg", page)

    def test_a_large_report_is_a_page_still(self):
        many = self.path("many.sqlite")
        with sqlite3.connect(self.results) as file:
            file.execute("WITH RECURSIVE n (i) AS (SELECT 100 UNION ALL SELECT"
                         " i + 1 FROM n WHERE i < 9000) INSERT INTO runs (run,"
                         " key, name, path, seed, state) SELECT i, i,"
                         " 'a rather long name of a point ' || i, 'p', 1,"
                         " 'passed' FROM n")
        shutil.copy(self.results, many)
        page, rows = self.page(many)
        self.assertIn("The first 1000 of 8909 rows", page)
        self.assertGreater(len(rows), 1000)

    def full(self, name):
        """A file on a disk that is full."""
        os.symlink("/dev/full", self.path(name))
        return self.path(name)

    def test_a_report_does_not_replace_its_results(self):
        other = self.path("other.html")
        os.symlink(self.results, other)
        for page in (self.results, other):
            self.assertIn("would replace the results", self.orchctl(
                "report", self.results, "-o", page, code=USAGE))
        self.assertEqual(len(self.rows("r.sqlite", "SELECT run FROM runs")), 8)

    def test_a_full_disk_leaves_no_part_of_a_page(self):
        page = self.full("full.html")
        self.assertIn("No space left on device", self.orchctl(
            "report", self.results, "-o", page, code=FAILED))
        self.assertFalse(os.path.lexists(page))

    @unittest.skipUnless(shutil.which("gnuplot"), "no gnuplot")
    def test_a_full_disk_leaves_no_part_of_a_picture(self):
        for suffix in ("svg", "png", "pdf"):
            with self.subTest(suffix=suffix):
                picture = self.full("full." + suffix)
                said = self.orchctl("sweep", "plot", self.results, picture,
                                    "--measure", SHARED, code=FAILED)
                self.assertIn("No space left on device", said)
                self.assertIn("the incomplete file was removed", said)
                self.assertFalse(os.path.lexists(picture))
        away = self.path("nowhere/a.svg")
        self.assertEqual(
            self.orchctl("sweep", "plot", self.results, away, "--measure",
                         SHARED, code=FAILED).splitlines(),
            [f"orchctl: cannot write '{away}': No such file or directory"])

    def test_plot_names_what_is_wrong(self):
        for words, expected in (
                (["f.gif", "--measure", SHARED], "allowed: .svg, .png, .pdf"),
                (["f.svg"], "--measure is given 0 times"),
                (["f.svg", "--measure", SHARED, "--figure", "xof"],
                 "there is no figure 'xof' (did you mean 'xoff'?)"),
                (["f.svg", "--measure", SHARED, "--x", "sise"],
                 "no parameter 'sise' (did you mean 'size'?)")):
            self.assertIn(expected, self.orchctl(
                "sweep", "plot", self.results, *words, code=USAGE))
        self.assertIn("--plot draws from a file of --results",
                      self.sweep("--param", "size=64,65", "--plot", "x.svg",
                                 code=USAGE))



@unittest.skipUnless(shutil.which("parallel"), "needs GNU parallel")
class Executor(Sweep):
    """Points in processes of their own, and results that are kept."""

    POINTS = ["--param", "size=64,300,1500", "--param", f"{TH}=-2..1"]

    def kept(self):
        """The files of results, and their contents."""
        contents = {}
        for name in os.listdir(self.path("kept")):
            with open(self.path(f"kept/{name}"), encoding="utf-8") as file:
                contents[name] = file.read()
        return contents

    def test_points_are_those_of_one_process(self):
        columns = ("SELECT run, state, virtual_ps, hops, params.name, value "
                   "FROM runs JOIN params USING (run) ORDER BY 1, 5")
        self.sweep(*self.POINTS, "--results", self.path("here.sqlite"))
        said = self.sweep(*self.POINTS, "--results", self.path("there.sqlite"),
                          "--keep", self.path("kept"), "--executor", "local:2")
        self.assertIn("12 of 12 runs have ended", said)
        self.assertEqual(self.rows("there.sqlite", columns),
                         self.rows("here.sqlite", columns))
        measured = ("SELECT run, object, name, value FROM measurements "
                    "ORDER BY 1, 2, 3, 4")
        self.assertEqual(self.rows("there.sqlite", measured),
                         self.rows("here.sqlite", measured))
        self.assertEqual(len(self.kept()), 12)

    def test_what_is_kept_does_not_run_again(self):
        keep = ["--keep", self.path("kept")]
        self.sweep(*self.POINTS, *keep, "--only", "7")
        self.assertEqual(len(self.kept()), 1)
        self.sweep(*self.POINTS, *keep, "--executor", "local:2")
        first = self.kept()
        self.assertEqual(len(first), 12)
        # Its text is all that is looked at.
        name = sorted(first)[3]
        changed = {**json.loads(first[name]), "outcome": "failed"}
        with open(self.path(f"kept/{name}"), "w", encoding="utf-8") as file:
            json.dump(changed, file)
        for executor in ([], ["--executor", "local:2"]):
            said = self.sweep(*self.POINTS, *keep, *executor, code=FAILED)
            self.assertIn("1 failed", said)
            self.assertNotIn("have ended", said)
        os.unlink(self.path(f"kept/{name}"))
        said = self.sweep(*self.POINTS, *keep, "--executor", "local")
        self.assertIn("1 of 1 runs have ended", said)
        self.assertEqual(sorted(self.kept()), sorted(first))

    def test_other_scenarios_have_other_results(self):
        keep = ["--keep", self.path("kept"), "--param", "size=64"]
        self.sweep(*keep)
        for change in (XOFF.replace("limit: 100000", "limit: 90000"),
                       XOFF.replace("common/lossless.yaml",
                                    "common/../common/lossless.yaml")):
            n = len(self.kept())
            with open(self.file, "w", encoding="utf-8") as file:
                file.write(change)
            self.sweep(*keep)
            self.assertEqual(len(self.kept()), n + 1)
        # An included file.
        n = len(self.kept())
        base = self.path("base.yaml")
        shutil.copy(os.path.join(SOURCE, "tests", "breakpoint", "common",
                                 "lossless.yaml"), base)
        with open(self.file, "w", encoding="utf-8") as file:
            file.write(re.sub("include: .*", "include: base.yaml", XOFF))
        self.sweep(*keep)
        with open(base, "a", encoding="utf-8") as file:
            file.write("# changed\n")
        self.sweep(*keep)
        self.assertEqual(len(self.kept()), n + 2)

    def test_processes_choose_among_cases_alike(self):
        cases = ("SELECT scenario, state, params.name, value FROM runs "
                 "LEFT JOIN params USING (run) ORDER BY run, 3")
        self.file = os.path.join(SOURCE, "tests", "breakpoint",
                                 "hdrm_pool.yaml")
        choices = [(["--every", "3"], 4),
                   (["--variant", "td3,dynamic", "--repeat", "2"], 2)]
        for i, (words, n) in enumerate(choices):
            here, there = f"here{i}.sqlite", f"there{i}.sqlite"
            self.sweep(*words, "--results", self.path(here))
            said = self.sweep(*words, "--results", self.path(there), "--keep",
                              self.path(f"kept{i}"), "--executor", "local:2")
            self.assertIn(f"{n} of {n} runs have ended", said)
            self.assertEqual(self.rows(there, "SELECT count(*) FROM runs"),
                             [(n,)])
            self.assertEqual(self.rows(there, cases), self.rows(here, cases))

    def test_cases_that_differ_have_results_of_their_own(self):
        keep = ["--keep", self.path("kept"), "--param", "size=64"]
        self.sweep(*keep, "--repeat", "3", "--executor", "local")
        self.assertEqual(len(self.kept()), 3)
        # A result has the name of its file.
        shutil.copy(self.file, self.path("copy.yaml"))
        self.file = self.path("copy.yaml")
        self.sweep(*keep)
        self.assertEqual(len(self.kept()), 4)

    def test_each_file_has_results_of_its_own(self):
        other = self.path("other.yaml")
        shutil.copy(self.file, other)
        for n in (2, 3):
            self.orchctl("breakpoint", "run", self.file, other, *OFFLINE,
                         "--keep", self.path("kept"))
            self.assertEqual(len(self.kept()), n)
            with open(other, "a", encoding="utf-8") as file:
                file.write("# changed\n")

    def test_other_chips_have_other_results(self):
        chips = self.path("chips")
        shutil.copytree(os.path.join(SOURCE, "chips"), chips)
        words = ["breakpoint", "run", self.file, *OFFLINE, "--param", "size=64",
                 "--keep", self.path("kept")]
        words[words.index("--chips") + 1] = chips
        for n in (1, 2):
            for _ in range(2):
                self.orchctl(*words)
                self.assertEqual(len(self.kept()), n)
            with open(sorted(glob.glob(f"{chips}/*.yaml"))[0], "a",
                      encoding="utf-8") as file:
                file.write("# changed\n")

    def test_a_killed_sweep_goes_on(self):
        words = [ORCHCTL, "breakpoint", "run", self.file, *OFFLINE, "--param",
                 "size=64..103", "--keep", self.path("kept"), "--executor",
                 "local:2"]
        with subprocess.Popen(words, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True) as sweep:
            end = time.monotonic() + PATIENCE_S
            while not glob.glob(self.path("kept/*.json")):
                self.assertLess(time.monotonic(), end)
                self.assertIsNone(sweep.poll())
            children = subprocess.check_output(
                ["pgrep", "-P", str(sweep.pid), "-f", "parallel"], text=True)
            os.kill(int(children.split()[0]), signal.SIGKILL)
            sweep.kill()
            sweep.communicate(timeout=PATIENCE_S)
        self.sweep(*words[len(OFFLINE) + 4:], "--results",
                   self.path("all.sqlite"))
        rows = self.rows("all.sqlite", "SELECT value, count(*), min(state) "
                                       "FROM runs JOIN params USING (run) "
                                       "GROUP BY value")
        self.assertEqual(len(rows), 40)
        self.assertEqual({row[1:] for row in rows}, {(1, "passed")})
        self.assertEqual(len([name for name in self.kept()
                              if name.endswith(".json")]), 40)

    MEASURED = ("SELECT run, object, name, value FROM measurements "
                "ORDER BY 1, 2, 3, 4")

    def check_elsewhere(self, executor, prefix=()):
        """Cases that 'executor' carries out are those of one process, and one
        that fails says where and why."""
        self.sweep(*self.POINTS, "--results", self.path("here.sqlite"))
        words = [*prefix, ORCHCTL, "breakpoint", "run", self.file, *OFFLINE,
                 *self.POINTS, "--keep", self.path("kept"), "--executor",
                 executor]
        run = subprocess.run(
            [*words, "--results", self.path("there.sqlite")], text=True,
            capture_output=True, timeout=PATIENCE_S, check=False)
        self.assertEqual(run.returncode, DONE, run.stdout + run.stderr)
        self.assertRegex(run.stderr, r"12 of 12 runs have ended: \S+ \d+")
        self.assertEqual(self.rows("there.sqlite", self.MEASURED),
                         self.rows("here.sqlite", self.MEASURED))
        self.assertEqual(len(self.kept()), 12)
        return run.stderr

    @unittest.skipUnless(HAS_SSHD, "needs sshd, and to be root")
    def test_over_ssh(self):
        hosts = self.path("hosts")
        with open(hosts, "w", encoding="ascii") as file:
            file.write(f"2/{start_sshd(self, self.folder)}\n")
        self.check_elsewhere(f"ssh:{hosts}")
        # What is kept there is not carried out again.
        self.assertNotIn("have ended", self.sweep(
            *self.POINTS, "--keep", self.path("kept"), "--executor",
            f"ssh:{hosts}"))

    def test_a_host_that_cannot_be_reached(self):
        hosts = self.path("hosts")
        with open(hosts, "w", encoding="ascii") as file:
            file.write("1/ssh -F none -o BatchMode=yes -p 1 127.0.0.1\n")
        said = self.sweep("--param", "size=64", "--keep", self.path("kept"),
                          "--executor", f"ssh:{hosts}", code=FAILED)
        self.assertIn("its process was killed, or never started", said)
        self.assertEqual(self.kept(), {})

    @unittest.skipUnless(HAS_SLURM, "needs slurm-wlm, and to be root")
    def test_over_slurm(self):
        said = self.check_elsewhere("slurm",
                                    with_slurm(self.path("cluster")))
        last = re.findall("12 of 12 runs have ended: (.*)", said)[-1]
        done = dict(word.split() for word in last.split(", "))
        self.assertLessEqual(set(done), {"n1", "n2"})
        self.assertEqual(sum(map(int, done.values())), 12)

    @unittest.skipUnless(HAS_SLURM, "needs slurm-wlm, and to be root")
    def test_over_slurm_with_a_node_that_dies(self):
        words = [*with_slurm(self.path("cluster")), ORCHCTL, "breakpoint",
                 "run", self.file, *OFFLINE, "--param", "size=64..93",
                 "--keep", self.path("kept"), "--executor", "slurm"]
        with subprocess.Popen(words, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True) as sweep:
            end = time.monotonic() + PATIENCE_S
            while not glob.glob(self.path("kept/*.json")):
                self.assertLess(time.monotonic(), end)
                self.assertIsNone(sweep.poll())
            with open(self.path("cluster/n1.pid"), encoding="ascii") as file:
                os.kill(int(file.read()), signal.SIGKILL)
            said, _ = sweep.communicate(timeout=PATIENCE_S)
        self.assertEqual(sweep.returncode, DONE, said)
        self.assertIn("30 cases: 30 passed", said)
        self.assertEqual(len(self.kept()), 30)

    def test_a_case_without_a_result_has_failed(self):
        os.makedirs(self.path("kept"))
        os.chmod(self.path("kept"), 0o777)
        words = ["--param", "size=64,300", "--keep", self.path("kept")]
        self.sweep(*words)
        name = sorted(os.listdir(self.path("kept")))[0]
        os.unlink(self.path(f"kept/{name}"))
        os.mkdir(self.path(f"kept/{name}"))  # Where its result would be.
        said = self.sweep(*words, "--executor", "local", code=FAILED)
        self.assertRegex(said, "1 failed")

    def test_folders_that_cannot_be_written(self):
        file = self.path("xoff.yaml")
        for executor in ([], ["--executor", "local"]):
            for folder, pattern in ((file, "there is a file of that name"),
                                    (f"{file}/below", "Not a directory"),
                                    ("/proc/nowhere",
                                     "No such file or directory")):
                said = self.sweep("--keep", folder, *executor, code=UNREACHABLE)
                self.assertRegex(said, f"cannot create folder {folder}: "
                                       f"{pattern}\\n.*--keep FOLDER")

    def test_wrong_use(self):
        keep = ["--keep", self.path("kept")]
        for words, pattern in (
                (["--executor", "local"], "--executor needs --keep"),
                ([*keep, "--executor", "ssh:"], "no executor 'ssh:'"),
                ([*keep, "--executor", "ssh:,"], "'ssh:,' names no host"),
                ([*keep, "--executor", "local:0"], "not a number of jobs"),
                ([*keep, "--executor", "locl"], "no executor 'locl'"),
                ([*keep, "--trace"], "--keep cannot be combined"),
                (["--only", "3"], "--only 3: there are cases 0 to 0")):
            self.assertRegex(self.sweep(*words, code=USAGE), pattern)


if __name__ == "__main__":
    unittest.main()

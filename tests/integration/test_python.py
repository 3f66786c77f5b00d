# SPDX-License-Identifier: Apache-2.0
"""The package for Python: its client, the switches that it starts for tests, its
examples, which give the same numbers as the scenarios of the same names, and
what it says about mistakes."""

import glob
import importlib.util
import inspect
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

BUILD = os.environ.get("top_builddir", ".")
SOURCE = os.environ.get("top_srcdir", ".")
PACKAGE = os.path.join(BUILD, "python", "lib")
EXAMPLES = os.path.join(SOURCE, "examples", "pytest")
ORCHCTL = os.path.join(BUILD, "orchctl", "orchctl")
CONFIG = os.path.join(EXAMPLES, "lossless-4x.config_db.json")
PATIENCE_S = 180
U64 = (1 << 64) - 1  # JSON has the largest numbers as negative ones.


def has_pytest(python):
    """Whether an interpreter has pytest."""
    return os.access(python, os.X_OK) and not subprocess.run(
        [python, "-c", "import pytest"], stderr=subprocess.DEVNULL,
        check=False).returncode


# Debian's pytest is one of Debian's Python, which another one may hide.
DEBIAN = "/usr/bin/python3"
if not has_pytest(sys.executable) and has_pytest(DEBIAN):
    os.execv(DEBIAN, [DEBIAN, *sys.argv])

os.environ["ORCHD_BUILD"] = BUILD
os.environ["PYTHONPATH"] = PACKAGE
sys.path.insert(0, PACKAGE)

import orchd  # noqa: E402
from orchd import claims, commands, frames  # noqa: E402

HAS_PYTEST = importlib.util.find_spec("pytest") is not None
needs_pytest = unittest.skipUnless(HAS_PYTEST, "pytest is not installed")


class Recorder(orchd.Switch):
    """A switch that keeps its snapshots."""

    def __init__(self, *arguments, **options):
        self.kept = {}
        super().__init__(*arguments, **options)

    def snapshot(self, name, *objects):
        kept = super().snapshot(name, *objects)
        self.kept[name] = kept.counters
        return kept


def load(path):
    """The module at 'path'."""
    spec = importlib.util.spec_from_file_location("example", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def object_key(entry):
    """The name of an object in a saved snapshot."""
    index = f"|{entry['index']}" if entry["kind"] in ("pg", "queue") else ""
    return f"{entry['kind']} {entry['name']}{index}"


@needs_pytest
class Examples(unittest.TestCase):
    """The tests in examples/pytest, and the scenarios there."""

    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="orchd-test-")
        self.addCleanup(shutil.rmtree, self.directory)

    def scenario(self, name):
        """Runs a scenario; returns {case: {snapshot: {object: counters}}}."""
        subprocess.run(
            [ORCHCTL, "breakpoint", "run", os.path.join(EXAMPLES, name),
             "--save", self.directory, "--sai",
             os.path.join(BUILD, ".libs", "libsai-softasic.so"),
             "--chips", os.path.join(SOURCE, "chips"),
             "--yang-dir", os.path.join(SOURCE, "schemas")],
            check=True, stdout=subprocess.DEVNULL)
        cases = {}
        for path in glob.glob(os.path.join(self.directory, "*.json")):
            case, snapshot, _ = os.path.basename(path).rsplit(".", 2)
            with open(path, encoding="utf-8") as file:
                cases.setdefault(case, {})[snapshot] = {
                    object_key(one): {name: value & U64 for name, value in
                                      one["stats"].items()}
                    for one in json.load(file)["objects"]}
        return cases

    def compare(self, name):
        """Runs the test and the scenario 'name'."""
        module = load(os.path.join(EXAMPLES, f"test_{name}.py"))
        test = getattr(module, f"test_{name}")
        cases = self.scenario(f"{name}.yaml")
        self.assertTrue(cases)
        for case, snapshots in cases.items():
            made = []

            def make(*arguments, made=made, **options):
                made.append(Recorder(*arguments, **options))
                return made[0]

            chip = case.partition("[")[2].rstrip("]")
            try:
                test(make, chip) if chip else test(make)
            finally:
                for one in made:
                    one.close()
            self.assertEqual(set(made[0].kept), set(snapshots))
            for snapshot, objects in snapshots.items():
                self.assertTrue(objects)
                for key, counters in objects.items():
                    self.assertGreater(len(counters), 10)
                    seen = made[0].kept[snapshot][key]
                    self.assertEqual({stat: (value, seen.get(stat))
                                      for stat, value in counters.items()
                                      if seen.get(stat) != value}, {},
                                     f"{case}: {key} at {snapshot}")
                    self.assertEqual(set(seen), set(counters))

    def test_first_pause(self):
        self.compare("first_pause")

    def test_lossy_drop(self):
        self.compare("lossy_drop")

    def test_ecn_marks(self):
        self.compare("ecn_marks")

    def test_headroom_pool(self):
        self.compare("headroom_pool")

    def test_pfc_watchdog(self):
        self.compare("pfc_watchdog")

    def test_each_has_a_scenario(self):
        tests = {os.path.basename(path)[len("test_"):-len(".py")]
                 for path in glob.glob(os.path.join(EXAMPLES, "test_*.py"))}
        scenarios = {os.path.basename(path)[:-len(".yaml")]
                     for path in glob.glob(os.path.join(EXAMPLES, "*.yaml"))}
        self.assertEqual(tests, scenarios)
        for name in tests:
            self.assertTrue(hasattr(self, f"test_{name}"), name)


FAILING = '''
import pytest

@pytest.mark.chips("TD2", "th")
def test_wrong(switch, chip):
    device = switch(chip, CONFIG, ports=4)
    device.block("Ethernet4")
    start = device.snapshot("start")
    device.send("Ethernet0", "Ethernet4", 5, dscp=3)
    device.expect("pg Ethernet0|3", packets=6, dropped_packets=0, vs=start)

def test_two(switch):
    one, two = switch("td3", ports=2), switch("td3", ports=2)
    one.run(ms=3)
    assert one.pid != two.pid and one.log != two.log
    assert one.chip == two.chip == "td3"

def test_unmarked(chip):
    pass
'''.replace("CONFIG", repr(CONFIG))


@needs_pytest
class Plugin(unittest.TestCase):
    """The fixtures, in a pytest of their own, as tests find them."""

    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="orchd-test-")
        self.addCleanup(shutil.rmtree, self.directory)

    def pytest(self, text, *options, **surroundings):
        """Runs a file of tests; returns the exit code and the output."""
        path = os.path.join(self.directory, "test_it.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        run = subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q",
             *options, path], cwd=self.directory, timeout=PATIENCE_S,
            env={**os.environ, "TMPDIR": self.directory, **surroundings},
            capture_output=True, text=True, check=False)
        return run.returncode, run.stdout + run.stderr

    def test_failure(self):
        code, output = self.pytest(FAILING)
        self.assertEqual(code, 1, output)
        for text in (
                "2 failed, 1 passed, 1 error", "test_wrong[td2]", "test_wrong[th]",
                "packets: expected == 6, found 5 (1 too few)",
                "changed since start:", "pg Ethernet0|3: packets +5",
                "queue Ethernet4|3: ", "steps before:", "1 block Ethernet4",
                "3 send Ethernet0 to Ethernet4, 64 B, DSCP 3, 5 times: 5 sent",
                "switch td2: steps", "log of orchd, " + self.directory,
                "the fixture 'chip' needs a mark"):
            self.assertIn(text, output)
        self.assertNotIn("dropped_packets: expected", output)
        logs = glob.glob(os.path.join(self.directory, "orchd-*", "orchd.log"))
        self.assertEqual(len(logs), 2, "only those of the failed tests stay")

    def test_unknown_chip(self):
        code, output = self.pytest(
            "import pytest\n@pytest.mark.chips('td9')\n"
            "def test_it(switch, chip): pass\n")
        self.assertEqual(code, 2, output)  # Nothing has run.
        self.assertIn("there is no chip 'td9': did you mean td", output)
        self.assertIn("tofino2", output)

    def test_parallel(self):
        if not importlib.util.find_spec("xdist"):
            self.skipTest("python3-pytest-xdist is not installed")
        code, output = self.pytest(
            "import pytest\n@pytest.mark.parametrize('n', range(4))\n"
            "def test_it(switch, n):\n"
            "    device = switch('td2', ports=2)\n"
            "    device.run(us=n)\n", "-n", "2")
        self.assertEqual(code, 0, output)
        self.assertIn("4 passed", output)

    def test_killed(self):
        """A pytest that is killed leaves no orchd behind."""
        pytest = subprocess.Popen(
            [sys.executable, "-c",
             "import sys, orchd\n"
             "switch = orchd.Switch('td2')\n"
             "print(switch.pid, flush=True)\n"
             "sys.stdin.read()\n"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "TMPDIR": self.directory})
        with pytest:
            daemon = os.pidfd_open(int(pytest.stdout.readline()))
            pytest.kill()
        ended, _, _ = select.select([daemon], [], [], PATIENCE_S)
        os.close(daemon)
        self.assertTrue(ended, "orchd still runs")


class Mistakes(unittest.TestCase):
    """What the package says about them."""

    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.mkdtemp(prefix="t-")
        cls.addClassCleanup(shutil.rmtree, cls.directory)
        cls.enterClassContext(mock.patch.object(tempfile, "tempdir",
                                                cls.directory))
        cls.switch = orchd.Switch("td3", CONFIG, ports=4)
        cls.addClassCleanup(cls.switch.close)

    def fails(self, kind, texts, function, *arguments, **options):
        with self.assertRaises(kind) as caught:
            function(*arguments, **options)
        said = "\n".join([str(caught.exception),
                          *getattr(caught.exception, "__notes__", [])])
        for text in texts:
            self.assertIn(text, said)
        return caught.exception

    def test_request(self):
        client = self.switch.client
        error = self.fails(orchd.UsageError, ["config has no verb 'lode'",
                                              "load"],
                           client.call, "config", "lode", {})
        self.assertEqual((error.exit, error.code), (2, "usage"))
        error = self.fails(orchd.UsageError, ["'dscp'", "0..63"],
                           self.switch.send, "Ethernet0", "Ethernet4", 1,
                           dscp=64)
        self.assertEqual(error.field, "dscp")
        error = self.fails(orchd.CommandError, ["Ethernet7", "in step"],
                           self.switch.block, "Ethernet7")
        self.assertEqual(error.exit, 1)
        self.assertEqual(client.show_pgs(name="Ethernet0|3")["pgs"][0]["name"],
                         "Ethernet0")

    def test_rows(self):
        self.fails(orchd.ExpectationError,
                   ["BUFFER_PROFILE|pg_lossless: rejected", "dynamic_th"],
                   self.switch.cfg,
                   {"BUFFER_PROFILE|pg_lossless": {"dynamic_th": 42}})
        self.switch.cfg({"BUFFER_PROFILE|pg_lossless": {"dynamic_th": 42}},
                        expect="rejected")
        self.switch.cfg({"BUFFER_PROFILE|pg_lossless": {"dynamic_th": -3}})
        self.fails(orchd.ExpectationError, ["BUFFER_POLL|p", "unknown-table"],
                   self.switch.cfg, {"BUFFER_POLL|p": {"size": 1}})

    def test_names(self):
        self.fails(KeyError, ["dropped_packet", "did you mean dropped_packets"],
                   self.switch.expect, "pg Ethernet0|3", dropped_packet=0)
        self.fails(ValueError, ["has no index"], self.switch.read,
                   "pg Ethernet0")
        self.fails(ValueError, ["is no object"], self.switch.read, "grp x")
        self.fails(KeyError, ["did you mean cell_bytes"], self.switch.fact,
                   "cell_byte")
        self.fails(ValueError, ["is no claim"], self.switch.expect,
                   "pg Ethernet0|3", packets="=> 3")
        self.fails(ValueError, ["needs vs"], self.switch.expect,
                   "pg Ethernet0|3", packets="stable")
        self.fails(ValueError, ["either n or until"], self.switch.send,
                   "Ethernet0", "Ethernet4")
        self.fails(ValueError, ["is not traced", "trace('Ethernet4')"],
                   self.switch.expect_rx, "Ethernet4", 0, where={"vlan": 7})
        self.fails(ValueError, ["frames have no 'tc'"],
                   self.switch.expect_rx, "Ethernet4", 0, where={"tc": 7})
        for extra in ({"where": {"dscp": 3}}, {"first": 1}, {"last": 1},
                      {"margin": 1}):
            self.fails(ValueError, ["order takes no where"],
                       self.switch.expect_rx, "Ethernet4",
                       order=[{"dscp": 3}, {"dscp": 0}], **extra)
        self.fails(ValueError, ["needs a priority"],
                   self.switch.expect_pfc, "Ethernet0", [], state="xoff")

    def test_changes(self):
        """Each failure says what has changed since the snapshots, and nothing
        of objects that are in none."""
        with orchd.Switch("td3", CONFIG, ports=4) as switch:
            switch.block("Ethernet4")
            switch.snapshot("start", "queue Ethernet4|3")
            for n in (1, 2):
                switch.send("Ethernet0", "Ethernet4", 1, dscp=3)
                error = self.fails(
                    orchd.ExpectationError,
                    [f"packets: expected == 9, found {n}",
                     "changed since the snapshots:\n    queue Ethernet4|3: "],
                    switch.expect, "pg Ethernet0|3", packets=9)
                self.assertNotIn("    pg Ethernet0|3: ", str(error))

    def test_until(self):
        self.fails(orchd.ExpectationError,
                   ["pfc_3_xoff == 1 within 20 us", "found 0"],
                   self.switch.until, "port Ethernet0", pfc_3_xoff=1,
                   limit_us=20)
        seen = []
        self.assertEqual(self.switch.until(
            lambda: seen.append(1) or len(seen) == 3, limit_us=100), 20)

    def test_send_until(self):
        self.fails(orchd.ExpectationError,
                   ["xoff within 10 packets", "DSCP 0 -> TC 1 -> PG "
                    "Ethernet0|0, lossy"],
                   self.switch.send, "Ethernet0", "Ethernet8", until="xoff",
                   limit=10)

    def test_trace(self):
        self.switch.trace("Ethernet12")
        mark = self.switch.snapshot("traced", "port Ethernet12")
        for dscp in (3, 0, 3):
            self.switch.send("Ethernet0", "Ethernet12", 2, dscp=dscp, ip_id=9)
            self.switch.settle()
        self.switch.expect_rx("Ethernet12", 6, where={"ip_id": 9}, vs=mark)
        self.switch.expect_rx("Ethernet12", 2, where={"dscp": 3}, first=3,
                              vs=mark)
        self.fails(orchd.ExpectationError, ["== 0", "2"],
                   self.switch.expect_rx, "Ethernet12",
                   order=[{"dscp": 3}, {"dscp": 0}], vs=mark)
        change = self.switch.diff(mark)["port Ethernet12"]
        self.assertEqual(change["tx_frames"], 6)

    def test_start(self):
        self.fails(orchd.StartError, ["there is no chip 'td4'", "did you mean",
                                      "spc1"], orchd.Switch, "td4")
        self.fails(orchd.StartError, ["cannot read missing.json"],
                   orchd.Switch, "td3", "missing.json")
        self.fails(orchd.StartError, ["BUFFER_POOL|p", "mapping of fields"],
                   orchd.Switch, "td3", {"BUFFER_POOL": {"p": "1"}})
        self.fails(orchd.ExpectationError,
                   ["BUFFER_PG|Ethernet0|3", "log of orchd"], orchd.Switch,
                   "td3", {"BUFFER_PG|Ethernet0|3": {"profile": "none"}},
                   ports=1)
        error = self.fails(orchd.StartError,
                           ["orchd has ended", "--bogus", "log of orchd: "],
                           orchd.Switch, "td3", options=["--bogus"])
        log = error.__notes__[0].removeprefix("log of orchd: ")
        with open(log, encoding="utf-8") as file:
            self.assertIn("--bogus", file.read())
        self.fails(orchd.StartError, ["no build tree"], orchd.Switch, "td3",
                   build="/nonexistent")

    def test_long_path(self):
        """The path of Redis's socket is the longest one."""
        fits = os.path.join(self.directory, "x" * (
            orchd.switch.SUN_PATH_MAX - len(self.directory) -
            len("//orchd-12345678/redis/redis.sock")))
        for folder in (fits, fits + "y"):
            os.mkdir(folder)
        with mock.patch.object(tempfile, "tempdir", fits):
            orchd.Switch("td3").close()
        with mock.patch.object(tempfile, "tempdir", fits + "y"):
            error = self.fails(orchd.StartError, ["too long", "TMPDIR"],
                               orchd.Switch, "td3")
        self.assertEqual(error.code, "path")
        self.assertEqual(os.listdir(fits + "y"), [])

    def test_no_orchd(self):
        script = ("import orchd\n"
                  "try:\n    orchd.Switch('td3')\n"
                  "except orchd.StartError as error:\n    print(error)\n")
        empty = {"PYTHONPATH": PACKAGE, "PATH": ""}
        if not shutil.which("orchd", path=orchd.switch.find_programs.__globals__
                            ["DAEMON_PATH"]):
            said = subprocess.run([sys.executable, "-c", script], env=empty,
                                  capture_output=True, text=True, check=True)
            self.assertIn("orchd is not installed", said.stdout)
            self.assertIn("ORCHD_BUILD", said.stdout)
        said = subprocess.run([sys.executable, "-c", script], check=True,
                              env={**empty, "ORCHD": "/nonexistent/orchd"},
                              capture_output=True, text=True)
        self.assertIn("ORCHD=/nonexistent/orchd is no program", said.stdout)

    def test_client(self):
        error = self.fails(orchd.Unreachable, ["/nonexistent.sock"],
                           orchd.Client, "/nonexistent.sock")
        self.assertEqual(error.exit, 3)
        with orchd.Client(self.switch.client.socket_path) as other:
            self.assertIn("td3", str(other.show_status()))
            self.fails(orchd.CommandError, ["another client"],
                       orchd.Bench, other)
        self.fails(orchd.Unreachable, ["is closed"], other.show_status)
        viewers = os.path.join(os.path.dirname(self.switch.log), "view.sock")
        with orchd.Client(viewers) as viewer:
            viewer.show_status()
            error = self.fails(orchd.AccessDenied, ["remedy"],
                               viewer.config_resume)
            self.assertEqual(error.code, "denied")


class Package(unittest.TestCase):
    """The modules themselves."""

    def test_types(self):
        if not shutil.which("mypy"):
            self.skipTest("mypy is not installed")
        with tempfile.TemporaryDirectory() as cache:
            run = subprocess.run(
                ["mypy", "--strict", "--no-error-summary", "--cache-dir", cache,
                 os.path.join(PACKAGE, "orchd")],
                capture_output=True, text=True, check=False)
        self.assertEqual((run.returncode, run.stdout + run.stderr), (0, ""))

    def test_commands(self):
        """Each command of orchd is a method with its arguments and a text."""
        with open(os.path.join(BUILD, "docs", "man", "orchd.json"),
                  encoding="utf-8") as file:
            table = json.load(file)["commands"]
        self.assertGreater(len(table), 50)
        for command in table:
            name = f"{command['noun']}_{command['verb']}".replace("-", "_")
            method = getattr(commands.Commands, name)
            self.assertTrue(method.__doc__, name)
            parameters = inspect.signature(method).parameters
            self.assertEqual(
                [one.rstrip("_") for one in parameters][1:],
                [one["name"].replace("-", "_")
                 for one in command["arguments"]])
            for one in command["arguments"]:
                key = one["name"].replace("-", "_")
                found = parameters.get(key) or parameters[key + "_"]
                self.assertEqual(found.default is inspect.Parameter.empty,
                                 one["required"], f"{name} {key}")

    def test_claims(self):
        for claim, good, bad in ((3, 3, 4), ((2, 5), 5, 6), (range(2, 5), 4, 5),
                                 ("> 3", 4, 3), (">= 3 and < 9", 8, 9),
                                 ("stable", 0, 1), ("increasing", 1, 0),
                                 ("decreasing", -1, 0), ("<= 3", 3, 4)):
            self.assertTrue(claims.Expected(claim).holds(good), claim)
            self.assertFalse(claims.Expected(claim).holds(bad), claim)
        self.assertTrue(claims.Expected(3, margin=1).holds(4))
        self.assertFalse(claims.Expected(3, margin=1).holds(5))
        for claim in ((5, 2), "~ 3", range(0), range(0, 9, 2), (1, 2, 3)):
            with self.assertRaises(ValueError):
                claims.Expected(claim)

    def test_frames(self):
        log = frames.FrameLog(True)
        log.add([[3, 3, 0, 0, 0, 0, 64, 5], [0, 1, 3, 0, 0, 0, 64, 2]])
        mark = log.mark()
        log.add([[3, 3, 3, 0, 0, 0, 64, 4]])
        self.assertEqual(log.count({"dscp": 3}, None), 9)
        self.assertEqual(log.count({"dscp": 3}, mark), 4)
        self.assertEqual(log.count({"ce": 1}, None, last=5), 5)
        self.assertEqual(log.count({"ce": 1}, None, first=6), 1)
        self.assertEqual(log.disorder([{"dscp": 3}, {"dscp": 0}], None), 4)
        self.assertEqual(log.disorder([{"dscp": 3}, {"dscp": 0}], mark), 0)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""What integration tests need: a Redis, an orchd, and patience with a limit.

Everything lives in a temporary directory on Unix sockets, and only processes
that were started here are ended, each by its id.  Nothing sleeps for a fixed
time: wait_until() asks again until a condition holds or the time is up.
"""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

SOURCE = os.environ.get("top_srcdir", ".")
BUILD = os.environ.get("top_builddir", ".")
ORCHD = os.path.join(BUILD, "orchd", "orchd")

# The libsai under orchd: softasic, or the attribute store, which shares nothing
# with it but what SAI says.
VENDOR = os.environ.get("ORCHD_TEST_SAI", "softasic")
LIBSAI = os.path.join(BUILD, ".libs", f"libsai-{VENDOR}.so")
CHIPS = ["SOFTASIC_MODEL_DIR=" + os.path.join(SOURCE, "chips")]
PROFILES = {
    "softasic": CHIPS,
    # A port that the tests name, one that shares a lane with such, and another;
    # without attributes that nothing depends on.
    "store": ["STORE_PORTS=1,2,3,4;8,9;100", "STORE_QUEUES=20",
              "STORE_LACKS=SAI_PORT_ATTR_FEC_MODE,SAI_PORT_ATTR_AUTO_NEG_MODE"],
}
# With this the libsai is in a process of its own, and orchd is its client.
REMOTE = os.environ.get("ORCHD_TEST_REMOTE") == "yes"
HOST = os.path.join(BUILD, "saihostd", "saihostd")
CLIENTS = {"softasic": ("libsai-softasic.so", "SOFTASIC_SOCKET"),
           "store": ("libsai-remote.so", "SAI_REMOTE_SOCKET")}
# With "orchagent", orchd is in the place of buffermgrd: the switch is that of
# tests/support/orchagent_double.py, a process that follows APPL_DB and CONFIG_DB.
BESIDE = os.environ.get("ORCHD_TEST_OUTPUT") == "orchagent"
# No row fails because the stand-in is slow.
BESIDE_OPTIONS = ["--set", "output=orchagent", "--set", "confirm_seconds=3600"]
DOUBLE = os.path.join(SOURCE, "tests", "support", "orchagent_double.py")
# The store has no scheduler groups.
OPTIONS = {"softasic": [], "store": ["--set", "scheduler_target=queue"]}
needs_packets = unittest.skipIf(VENDOR != "softasic" or BESIDE,
                                "this switch has no packets")
# Its own SAI calls, counters and mirror of the switch; or other numbers of
# databases than those of the stand-in.
needs_sai = unittest.skipIf(BESIDE, "orchd makes no SAI calls")
# For what takes seconds and no switch has a part in.
once = unittest.skipIf(REMOTE or VENDOR != "softasic",
                       "tried on softasic in the same process")

APPL_DB, ASIC_DB, COUNTERS_DB, CONFIG_DB, STATE_DB = 0, 1, 2, 4, 6

# A limit for what hangs: programs with sanitizers beside seven other tests on two
# slow processors take a minute for what is meant to take a second.
PATIENCE_S = 180

# No configuration file of this machine is read.
os.environ["ORCHD_CONFIG"] = "/dev/null"

# Where a script runs tests in the background, interrupts are ignored, by what
# is started here as well.
signal.signal(signal.SIGINT, signal.default_int_handler)


def not_beside(reason):
    """The setUpModule() of a file whose tests are all skipped with
    output=orchagent, as they need SAI or as 'reason' says otherwise.
    test_beside.py tries all other files."""
    def skip():
        if BESIDE:
            raise unittest.SkipTest(reason)
    return skip


def wait_until(question, what):
    """Returns the first true answer of question(); fails after PATIENCE_S."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        answer = question()
        if answer:
            return answer
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {PATIENCE_S} s: {what}")
        time.sleep(0.005)


def free_port():
    """A TCP port of 127.0.0.1 that is free now."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


class RedisError(Exception):
    """Redis refused a command."""


class Client:
    """A connection to Redis, as little of one as will do (RESP2)."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        try:
            self.socket.connect(path)
        except OSError:
            self.socket.close()
            raise
        self.file = self.socket.makefile("rb")

    def close(self):
        self.file.close()
        self.socket.close()

    @staticmethod
    def encode(words):
        words = [w if isinstance(w, bytes) else str(w).encode() for w in words]
        parts = [b"*%d\r\n" % len(words)]
        parts += [b"$%d\r\n%s\r\n" % (len(w), w) for w in words]
        return b"".join(parts)

    def read(self):
        line = self.file.readline()
        if not line.endswith(b"\r\n"):
            raise ConnectionError("Redis closed the connection")
        kind, rest = line[:1], line[1:-2]
        if kind == b"+":
            return rest.decode()
        if kind == b"-":
            return RedisError(rest.decode())
        if kind == b":":
            return int(rest)
        n = int(rest)
        if n < 0:
            return None
        if kind == b"$":
            return self.file.read(n + 2)[:-2].decode(errors="replace")
        return [self.read() for _ in range(n)]

    def answers(self, commands):
        """Sends all commands, then returns all answers, errors as well."""
        self.socket.sendall(b"".join(self.encode(c) for c in commands))
        return [self.read() for _ in commands]

    def pipeline(self, commands):
        """Sends all commands, then returns all answers."""
        answers = self.answers(commands)
        for answer in answers:
            if isinstance(answer, RedisError):
                raise answer
        return answers

    def __call__(self, *words):
        return self.pipeline([words])[0]

    def on(self, number, *words):
        """One command in database 'number'."""
        return self.pipeline([("SELECT", number), words])[1]

    def keys(self, number, pattern):
        return sorted(self.on(number, "KEYS", pattern))

    def hash(self, number, key):
        flat = self.on(number, "HGETALL", key)
        return dict(zip(flat[::2], flat[1::2]))

    def hashes(self, number, pattern):
        """All hashes whose keys match 'pattern'."""
        return self.hashes_of(number, self.keys(number, pattern))

    def hashes_of(self, number, keys):
        """Those of 'keys' that are hashes; {} if there is no such key."""
        rows = self.answers([("SELECT", number)] +
                            [("HGETALL", key) for key in keys])[1:]
        return {key: dict(zip(row[::2], row[1::2]))
                for key, row in zip(keys, rows)
                if not isinstance(row, RedisError)}


def is_running(pid):
    """Whether there is such a process and it has not ended."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def rows_of(path):
    """The rows of a config_db.json as SONiC's own tools store them:
    {"TABLE|key": {field: value}}."""
    with open(path, encoding="utf-8") as file:
        tables = json.load(file)
    rows = {}
    for table, entries in tables.items():
        for key, fields in entries.items():
            row = {}
            for name, value in fields.items():
                if isinstance(value, list):
                    row[name + "@"] = ",".join(map(str, value))
                else:
                    row[name] = str(value)
            rows[f"{table}|{key}"] = row or {"NULL": "NULL"}
    return rows


def as_commands(config):
    """The commands that write a configuration {"TABLE|key": {field: value}}."""
    return [("SELECT", CONFIG_DB)] + [
        ("HSET", key, *[word for pair in fields.items() for word in pair])
        for key, fields in config.items()]


def connect(path):
    """A connection to the Redis at 'path', once it answers: its socket exists
    before it listens."""
    def attempt():
        try:
            client = Client(path)
        except OSError:
            return None
        try:
            client("PING")
        except (RedisError, ConnectionError):
            client.close()
            return None
        return client

    return wait_until(attempt, "Redis answers")


class System(unittest.TestCase):
    """A test with its own directory, Redis and orchd."""

    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="orchd-test-")
        self.socket = os.path.join(self.directory, "redis.sock")
        self.log = os.path.join(self.directory, "orchd.log")
        self.redis_process = None
        self.orchd_process = None
        self.host_process = None
        self.double_process = None
        self.double_redis = None
        self.host_socket = os.path.join(self.directory, "host.sock")
        self.host_log = os.path.join(self.directory, "host.log")
        self.clients = []

    def tearDown(self):
        for client in self.clients:
            client.close()
        doubles = [self.double_process] if self.double_process else []
        ended = [double for double in doubles if double.poll() is not None]
        for process in (self.orchd_process, self.redis_process,
                        self.host_process, *doubles):
            if process and process.poll() is None:
                process.kill()
                process.wait()
        result = self._outcome.result if self._outcome else None
        failed = result and any(test is self for test, _ in
                                result.failures + result.errors)
        if failed or getattr(self, "show_log", False):
            print(self.log_text(), flush=True)
            print(self.host_text(), flush=True)
        shutil.rmtree(self.directory)
        self.assertEqual(ended, [], "the stand-in for orchagent has ended")

    @staticmethod
    def text_of(path):
        if not os.path.exists(path):
            return ""
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()

    def log_text(self):
        return self.text_of(self.log)

    def host_text(self):
        return self.text_of(self.host_log)

    # Redis.

    def start_redis(self, *options):
        """Starts a Redis without data and returns a client of it.  A switch that
        an orchd knows is still the same."""
        if not self.is_up():
            self.kill_double()
        if not options:
            options = ("--notify-keyspace-events", "AKE")
        self.redis_process = subprocess.Popen(
            ["redis-server", "--port", "0", "--unixsocket", self.socket,
             "--save", "", "--appendonly", "no", "--dir", self.directory,
             *options],
            stdout=subprocess.DEVNULL)
        client = self.client()
        if BESIDE and self.is_up():
            self.start_double()
        return client

    def client(self, path=None):
        client = connect(path or self.socket)
        self.clients.append(client)
        return client

    def redis_pid(self, client):
        """The process behind 'client'."""
        info = client("INFO", "server")
        return int(info.split("process_id:")[1].split()[0])

    def is_up(self):
        """Whether orchd runs."""
        return self.orchd_process and self.orchd_process.poll() is None

    def kill_redis(self):
        self.redis_process.kill()
        self.redis_process.wait()

    # orchd.

    # The chip, where the configuration does not name it; and the hardware name
    # that it does, for a host, which does not read it.
    MODEL = "generic"
    HWSKU = None

    def profile(self):
        profile = list(PROFILES[VENDOR])
        if self.MODEL and VENDOR == "softasic":
            profile.append("SOFTASIC_MODEL=" + self.MODEL)
        elif self.HWSKU and REMOTE:
            profile.append("SONIC_HWSKU=" + self.HWSKU)
        return [word for pair in profile for word in ("--profile", pair)]

    def command(self, *options, redis=None, remote=REMOTE):
        libsai, profile = LIBSAI, self.profile()
        if remote:
            name, key = CLIENTS[VENDOR]
            libsai = os.path.join(BUILD, ".libs", name)
            profile = [word for pair in (*CHIPS, f"{key}={self.host_socket}")
                       for word in ("--profile", pair)]
        return [ORCHD, "--redis", redis or "unix:" + self.socket,
                "--control", os.path.join(self.directory, "control.sock"),
                "--sai", libsai, *profile,
                "--yang-dir", os.path.join(SOURCE, "schemas"),
                *OPTIONS[VENDOR], *(BESIDE_OPTIONS if BESIDE else []), *options]

    def start_host(self, *options):
        """Starts the libsai as a process of its own, with a new switch."""
        self.kill_host()
        with open(self.host_log, "wb") as log:
            self.host_process = subprocess.Popen(
                [HOST, "--socket", self.host_socket, "--sai", LIBSAI,
                 *self.profile(), *options], stderr=log)
        wait_until(lambda: "host-ready" in self.host_text(), "there is a host")

    def start_double(self, redis=None):
        """Starts the stand-in for orchagent and syncd, unless it follows the
        Redis at this socket already."""
        redis = redis or self.socket
        if redis != self.double_redis:
            self.kill_double()
            self.double_redis = redis
            self.double_process = subprocess.Popen(
                [sys.executable, DOUBLE, redis])

    def wait_double(self):
        """Waits for the switch of the stand-in."""
        client = connect(self.socket)
        wait_until(lambda: client.on(APPL_DB, "EXISTS",
                                     "PORT_TABLE:PortInitDone"),
                   "there is a switch")
        client.close()

    def kill_double(self):
        self.double_redis = None
        if self.double_process:
            self.assertIsNone(self.double_process.poll(),
                              "the stand-in for orchagent has ended")
            self.double_process.kill()
            self.double_process.wait()
            self.double_process = None

    def kill_host(self):
        if self.host_process:
            self.host_process.kill()
            self.host_process.wait()
            self.host_process = None

    def start_orchd(self, *options, redis=None):
        if REMOTE:
            # Which chip it is, is for the host to know.
            chip = [word for i, word in enumerate(options)
                    if "--profile" in options[max(i - 1, 0):i + 1]]
            options = [word for word in options if word not in chip]
            self.start_host(*chip)
        self.start_orchd_only(*options, redis=redis)

    def start_orchd_only(self, *options, redis=None):
        """Starts orchd; the switch is the one that is there, if it is in a
        process of its own."""
        if (BESIDE and not redis and self.redis_process and
                self.redis_process.poll() is None):
            self.start_double()
            self.wait_double()
        with open(self.log, "wb") as log:
            self.orchd_process = subprocess.Popen(
                self.command(*options, redis=redis), stderr=log)
        if BESIDE and redis and redis.startswith("spawn:"):
            self.start_double(os.path.join(redis.partition(":")[2],
                                           "redis.sock"))

    def stop_orchd(self):
        """Ends orchd politely; it must end well (and, with sanitizers, clean).
        """
        self.orchd_process.send_signal(signal.SIGTERM)
        self.assertEqual(self.orchd_process.wait(PATIENCE_S), 0,
                         self.log_text())

    def kill_orchd(self):
        self.orchd_process.kill()
        self.orchd_process.wait()

    def control(self, noun, verb, socket_name="control.sock", **arguments):
        """One request to the control socket; returns the answer."""
        request = {"noun": noun, "verb": verb, "args": arguments}
        path = os.path.join(self.directory, socket_name)
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(max(PATIENCE_S,
                                      arguments.get("seconds", 0) + 10))
            connection.connect(path)
            connection.sendall(json.dumps(request).encode() + b"\n")
            with connection.makefile("rb") as file:
                answer = file.readline()
        if not answer:
            raise ConnectionError("orchd has ended the connection")
        return json.loads(answer)

    def wait_log(self, text):
        wait_until(lambda: text in self.log_text(), f"the log says {text}")

    # What orchd says.

    def status(self, client, row):
        return client.hash(STATE_DB, "ORCHD_STATUS|" + row)

    def wait_state(self, client, row, state):
        """Waits until the row is in 'state' (None: has no status)."""
        def ask():
            found = self.status(client, row).get("state")
            return found == state or (state is None and found is None)

        try:
            wait_until(ask, f"{row} is {state}")
        except AssertionError as error:
            raise AssertionError(
                f"{error}; it is {self.status(client, row)}") from error

    def wait_applied(self, client, config):
        for row in config:
            if "|" in row:
                self.wait_state(client, row, "applied")


def asic_objects(client):
    """The objects of ASIC_DB as {oid: (type, attributes)}."""
    objects = {}
    for key, row in client.hashes(ASIC_DB, "ASIC_STATE:*").items():
        _, kind, oid = key.split(":", 2)
        objects[oid] = (kind, row)
    return objects


def asic_picture(client):
    """ASIC_DB without ids: a sorted list of objects, in which each reference
    is replaced by what it refers to.  Equal for equal configurations, whatever
    the order in which the objects were made."""
    objects = asic_objects(client)

    def describe(oid):
        kind, row = objects.get(oid, ("other", {}))
        return f"{kind}{{{', '.join(sorted(map(attribute, row.items())))}}}"

    def attribute(pair):
        name, value = pair
        return name + "=" + re.sub("oid:0x[0-9a-f]+", lambda oid: describe(
            oid[0]) if oid[0] in objects else oid[0], value)

    return sorted(map(describe, objects))

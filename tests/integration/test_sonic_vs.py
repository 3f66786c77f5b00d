# SPDX-License-Identifier: Apache-2.0
"""softasic in the place of libsaivs: start-softasicd with the files of a hardware
SKU, and a program that loads libsaivs.so.0 and calls SAI as syncd does."""

import ctypes
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
# pylint: disable=wrong-import-position
from harness import BUILD, PATIENCE_S, SOURCE, wait_until  # noqa: E402
from namespaces import Namespace, Wire, can_open, has_namespaces  # noqa: E402

CHIPS = os.path.abspath(os.path.join(SOURCE, "chips"))
START = os.path.join(SOURCE, "packaging", "sonic-vs", "start-softasicd")
SOFTASICD = os.path.join(BUILD, "saihostd", "softasicd")
LIBRARY = os.path.abspath(os.path.join(BUILD, ".libs", "libsai-softasic.so"))
HWSKU = "Force10-S6000"
# Lanes as in the files of that SKU: not in the order of the ports.
LANES = {"Ethernet0": "29,30,31,32", "Ethernet4": "25,26,27,28"}
FRAME = bytes.fromhex("ffffffffffff" "020000000001" "88b5") + bytes(50)


def number_of(name):
    """The value of an attribute or API, from the SAI headers of this tree."""
    for folder, _, files in os.walk(os.path.join(SOURCE, "sai", "include")):
        for file in files:
            with open(os.path.join(folder, file), encoding="utf-8") as text:
                found = re.search(
                    rf"^SAI_(?:ATTR|ENUM_VALUE)\({name}, (\d+)", text.read(),
                    re.M)
            if found:
                return int(found.group(1))
    raise KeyError(name)


class Value(ctypes.Structure):
    _fields_ = [("count", ctypes.c_uint32), ("list", ctypes.c_void_p),
                ("rest", ctypes.c_uint64 * 3)]


class Attribute(ctypes.Structure):
    """sai_attribute_t, its value as a list."""
    _fields_ = [("id", ctypes.c_uint32), ("value", Value)]


class Services(ctypes.Structure):
    GET = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_uint32, ctypes.c_char_p)
    _fields_ = [("get", GET), ("next", ctypes.c_void_p)]


class Syncd:
    """Calls SAI through the entry points of a library, and nothing else."""

    CREATE = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.POINTER(ctypes.c_uint64),
                              ctypes.c_uint32, ctypes.c_void_p)
    SET = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_uint64, ctypes.c_void_p)
    GET = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_uint64, ctypes.c_uint32,
                           ctypes.c_void_p)

    def __init__(self, library, profile):
        self.library = ctypes.CDLL(library)
        self.profile = {key.encode(): ctypes.create_string_buffer(
            value.encode()) for key, value in profile.items()}
        self.services = Services(Services.GET(self.look_up), None)
        assert self.library.sai_api_initialize(
            ctypes.c_uint64(0), ctypes.byref(self.services)) == 0
        self.switch_api = self.table("SAI_API_SWITCH")
        self.port_api = self.table("SAI_API_PORT")
        self.switch = ctypes.c_uint64()
        init = Attribute(number_of("SAI_SWITCH_ATTR_INIT_SWITCH"), Value(1))
        self.status = self.CREATE(self.switch_api[0])(
            ctypes.byref(self.switch), 1, ctypes.byref(init))

    def look_up(self, _, name):
        value = self.profile.get(name)
        return ctypes.addressof(value) if value else None

    def table(self, name):
        table = ctypes.POINTER(ctypes.c_void_p)()
        assert self.library.sai_api_query(
            number_of(name), ctypes.byref(table)) == 0
        return table

    def get(self, table, oid, name, room=0, kind=ctypes.c_uint64):
        """A number, or a list with room for some."""
        items = (kind * max(room, 1))()
        attribute = Attribute(number_of(name))
        if room:
            attribute.value = Value(room, ctypes.addressof(items))
        status = self.GET(table[3])(oid, 1, ctypes.byref(attribute))
        assert status == 0, (name, status)
        return list(items[:attribute.value.count]) if room \
            else attribute.value.count

    def ports(self):
        """Port ids by their first lane."""
        oids = self.get(self.switch_api, self.switch,
                        "SAI_SWITCH_ATTR_PORT_LIST", 512)
        return {self.get(self.port_api, oid, "SAI_PORT_ATTR_HW_LANE_LIST", 16,
                         ctypes.c_uint32)[0]: oid for oid in oids}

    def bring_up(self, oid, up=True):
        up = Attribute(number_of("SAI_PORT_ATTR_ADMIN_STATE"), Value(int(up)))
        assert self.SET(self.port_api[2])(oid, ctypes.byref(up)) == 0

    def end(self):
        assert self.library.sai_api_uninitialize() == 0


class Files(unittest.TestCase):
    """A folder with the files of a hardware SKU."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="orchd-vs.")
        self.addCleanup(shutil.rmtree, self.folder)
        self.socket = os.path.join(self.folder, "asic.sock")
        self.write("sai.profile", f"SOFTASIC_SOCKET={self.socket}\n"
                   f"SOFTASIC_MODEL_DIR={CHIPS}\n"
                   "SAI_VS_SWITCH_TYPE=SAI_VS_SWITCH_TYPE_BCM56850\n")

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
        return path

    def write_ports(self, interfaces):
        self.write("lanemap.ini", "".join(
            f"{interface}:{lanes}\n" for interface, lanes
            in zip(interfaces, LANES.values())))
        self.write("port_config.ini", "# name lanes alias index\n" + "".join(
            f"{name}  {lanes}  fortyGigE0/{i}  {i}\n"
            for i, (name, lanes) in enumerate(LANES.items())))

    def environment(self, **more):
        return {**os.environ, "SONIC_HWSKU_DIR": self.folder, **more}


class Start(Files):
    """What start-softasicd asks of softasicd."""

    def setUp(self):
        super().setUp()
        self.fake = self.write("softasicd", "#!/bin/sh\nprintf '%s\\n' \"$@\"\n")
        os.chmod(self.fake, stat.S_IRWXU)

    def start(self, *words, **more):
        return subprocess.run(
            [START, *words], capture_output=True, text=True, check=False,
            env=self.environment(SOFTASICD=self.fake, **more))

    def test_time_is_real_without_interfaces_too(self):
        done = self.start(HWSKU=HWSKU)
        self.assertEqual(done.stdout.split(), [
            "--profile", "SOFTASIC_LEAK_OUT=on", "--dilation", "1",
            "--sai-profile", f"{self.folder}/sai.profile", "--profile", f"SONIC_HWSKU={HWSKU}"])

    def test_files_and_arguments_are_passed_on(self):
        self.write_ports(["eth1", "eth2"])
        with open(os.path.join(self.folder, "sai.profile"), "a",
                  encoding="ascii") as file:
            file.write("SOFTASIC_LEAK_OUT = off\n")
        words = self.start("--dilation", "100", HWSKU=HWSKU).stdout.split()
        self.assertEqual(words, [
            "--names", f"{self.folder}/port_config.ini",
            "--lanemap", f"{self.folder}/lanemap.ini", "--dilation", "1",
            "--sai-profile", f"{self.folder}/sai.profile",
            "--profile", f"SONIC_HWSKU={HWSKU}", "--dilation", "100"])

    def test_sku_is_that_of_config_db(self):
        tool = self.write("sonic-db-cli", "#!/bin/sh\n"
                          "test \"$*\" = 'CONFIG_DB HGET "
                          "DEVICE_METADATA|localhost hwsku' && echo SKU\n")
        os.chmod(tool, stat.S_IRWXU)
        done = self.start(PATH=f"{self.folder}:{os.environ['PATH']}")
        self.assertIn("SONIC_HWSKU=SKU", done.stdout.split())

    def test_a_database_that_does_not_answer_has_no_sku(self):
        tool = self.write("sonic-db-cli", "#!/bin/sh\nexit 1\n")
        os.chmod(tool, stat.S_IRWXU)
        done = self.start(PATH=f"{self.folder}:{os.environ['PATH']}")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no hardware SKU: set HWSKU", done.stderr)

    def test_what_is_missing_is_named(self):
        profile = os.path.join(self.folder, "sai.profile")
        self.write("sai.profile", "SAI_VS_HOSTIF_USE_TAP_DEVICE=true\n")
        for text, prepare in (("SOFTASIC_SOCKET=PATH", lambda: None),
                              (profile, lambda: os.unlink(profile))):
            prepare()
            done = self.start(HWSKU=HWSKU)
            self.assertEqual(done.returncode, 1)
            self.assertIn(text, done.stderr)

    def test_softasicd_refuses_files_with_their_line(self):
        for name, option, text in (("lanemap.ini", "--lanemap", "eth1:1\neth2\n"),
                                   ("sai.profile", "--sai-profile", "A=b\nword\n"),
                                   ("port_config.ini", "--names", "# x\nE0 y\n")):
            path = self.write(name, text)
            more = ["--bind", "Ethernet0=lo"] if option == "--names" else []
            done = subprocess.run(
                [SOFTASICD, "--socket", self.socket, "--model", "td2",
                 "--profile", f"SOFTASIC_MODEL_DIR={CHIPS}", "--sai", LIBRARY,
                 option, path, *more], capture_output=True, text=True, check=False,
                timeout=PATIENCE_S)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(f"{path}:2: ", done.stderr)


class Switch(Files):
    """The real softasicd, and a client that loads libsaivs.so.0."""

    def start(self, *words):
        process = subprocess.Popen(
            [START, "--sai", LIBRARY, *words], stderr=subprocess.PIPE, text=True,
            env=self.environment(SOFTASICD=SOFTASICD, HWSKU=HWSKU))
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)
        wait_until(lambda: os.path.exists(self.socket) or
                   process.poll() is not None, "the socket")
        self.assertIsNone(process.poll(), process.poll() is not None and
                          process.stderr.read())

    def connect(self):
        link = os.path.join(self.folder, "libsaivs.so.0")
        os.symlink(LIBRARY, link)
        client = Syncd(link, {"SOFTASIC_SOCKET": self.socket})
        self.addCleanup(client.end)
        self.assertEqual(client.status, 0)
        return client

    def test_the_chip_is_that_of_the_sku(self):
        self.start()
        client = self.connect()
        self.assertEqual(client.get(client.switch_api, client.switch,
                                    "SAI_SWITCH_ATTR_TOTAL_BUFFER_SIZE"),
                         12779520 // 1024)
        self.assertEqual(len(client.ports()), client.get(
            client.switch_api, client.switch,
            "SAI_SWITCH_ATTR_NUMBER_OF_ACTIVE_PORTS"))

    @unittest.skipUnless(os.geteuid() == 0 and can_open("/dev/net/tun") and
                         shutil.which("ip") and has_namespaces(),
                         "needs network namespaces")
    def test_interfaces_are_ports_by_their_lanes(self):
        switch, hosts = Namespace("vs"), Namespace("vs-hosts")
        self.addCleanup(switch.close)
        self.addCleanup(hosts.close)
        for i in (1, 2):
            switch.ip("link", "add", f"eth{i}", "type", "veth", "peer",
                      "name", f"h{i}", "netns", hosts.name)
            hosts.ip("link", "set", f"h{i}", "up")
        self.write_ports(["eth1", "eth2"])
        self.start("--netns", switch.name)
        client = self.connect()
        ports = client.ports()
        for lane in (29, 25):
            client.bring_up(ports[lane])
        wires = [Wire(hosts, f"h{i}") for i in (1, 2)]
        for wire in wires:
            self.addCleanup(wire.close)
        for i in (1, 2):
            wait_until(lambda i=i: switch.has(f"eth{i}", "LOWER_UP") and
                       hosts.has(f"h{i}", "LOWER_UP"), "the links are up")
        wires[0].send(FRAME)
        wires[1].wait(lambda frames: FRAME in frames, "the frame")
        # Port 25 is eth2, and no other: without it nothing arrives there.
        client.bring_up(ports[25], False)
        wait_until(lambda: not hosts.has("h2", "LOWER_UP"), "the link is down")
        self.assertTrue(hosts.has("h1", "LOWER_UP"))


if __name__ == "__main__":
    unittest.main()

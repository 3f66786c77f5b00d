# SPDX-License-Identifier: Apache-2.0
"""Suites for QoS on hardware: softasic-thriftd beside orchd on softasicd.

The client is Apache Thrift's own for Python, made by its compiler from the IDL
in the tree, so both ends of the protocol have different authors.  Numbers that
it reads are compared with those of a breakpoint scenario of the same steps.
"""

import contextlib
import importlib
import json
import os
import shutil
import socket
import struct
import subprocess
import sys
import unittest

from harness import (BUILD, CHIPS, COUNTERS_DB, LIBSAI, PATIENCE_S, REMOTE,
                     SOURCE, STATE_DB, VENDOR, System, as_commands, free_port,
                     not_beside, rows_of, wait_until)

setUpModule = not_beside("it is about SAI calls of another program")

# Debian's package is for its own Python, and works with others.
sys.path.append("/usr/lib/python3/dist-packages")
try:
    from thrift.Thrift import TApplicationException
    from thrift.protocol import TBinaryProtocol
    from thrift.transport import TSocket, TTransport
except ImportError:
    TSocket = None

ORCHCTL = os.path.join(BUILD, "orchctl", "orchctl")
SOFTASICD = os.path.join(BUILD, "saihostd", "softasicd")
THRIFTD = os.path.join(BUILD, "thriftd", "softasic-thriftd")
MAKE_CLIENT = os.path.join(SOURCE, "thriftd", "make-client")
INTERFACE = os.environ.get("ORCHD_SHARED", os.path.join(
    SOURCE, "..", "shared")) + "/data/saithrift.json"
EXAMPLE = os.path.join(SOURCE, "examples", "leaf-32x100g.config_db.json")
SOURCE_PORT, SINK = "Ethernet0", "Ethernet4"
N_PACKETS = 100

# SAI's numbers of attributes.
PORT_NUMBER, PORT_LIST, SRC_MAC = 0, 2, 83
QUEUE_LIST, PG_LIST, ADMIN_STATE, SCHEDULER, TX_ENABLE, MTU = (
    5, 27, 34, 82, 97, 54)
SCHEDULING_TYPE, MAX_RATE = 0, 5

# Counters as suites ask for them, by the names of scenarios.
PORT_STATS = {
    "if_out_discards": 12, "if_in_discards": 3, "pfc_0_tx_pkts": 104,
    "pfc_1_tx_pkts": 106, "pfc_2_tx_pkts": 108, "pfc_3_tx_pkts": 110,
    "pfc_4_tx_pkts": 112, "pfc_5_tx_pkts": 114, "pfc_6_tx_pkts": 116,
    "pfc_7_tx_pkts": 118, "if_out_octets": 9, "if_out_ucast_pkts": 10,
    "in_dropped_pkts": 99, "out_dropped_pkts": 100, "if_in_ucast_pkts": 1,
    "if_in_non_ucast_pkts": 2, "if_out_non_ucast_pkts": 11, "if_out_qlen": 14}
QUEUE_STATS = {"packets": 0, "shared_watermark_bytes": 27,
               "curr_occupancy_bytes": 24}
PG_STATS = {"packets": 0, "dropped_packets": 8, "shared_watermark_bytes": 5,
            "xoff_room_watermark_bytes": 7, "curr_occupancy_bytes": 2}
POOL_STATS = {"watermark_bytes": 1, "xoff_room_watermark_bytes": 20}


def load_client(directory):
    """Makes and imports the package of the client."""
    folder = os.path.join(directory, "client")
    subprocess.run([MAKE_CLIENT, folder], check=True, capture_output=True,
                   timeout=PATIENCE_S, env={**os.environ, "SAI_HEADERS":
                                            os.path.join(BUILD, "thriftd",
                                                         "sai_headers.py")})
    sys.path.insert(0, folder)
    return [importlib.import_module("switch_sai_thrift." + name)
            for name in ("switch_sai_rpc", "ttypes", "sai_headers")]


@unittest.skipIf(VENDOR != "softasic" or REMOTE, "tried once, on softasicd")
@unittest.skipUnless(TSocket and shutil.which("thrift"),
                     "needs python3-thrift and thrift-compiler")
class Suite(System):
    def setUp(self):
        super().setUp()
        self.thrift_process = None
        self.thrift_log = os.path.join(self.directory, "thrift.log")
        self.port = free_port()
        self.rpc, self.types, self.constants = load_client(self.directory)
        self.open = contextlib.ExitStack()

    def tearDown(self):
        self.open.close()
        if self.thrift_process and self.thrift_process.poll() is None:
            self.thrift_process.kill()
            self.thrift_process.wait()
        if any(error for _, error in getattr(self._outcome, "errors", [])):
            print(self.text_of(self.thrift_log), flush=True)
        super().tearDown()

    # What is started.

    def command(self, *options, redis=None, remote=True):
        return super().command(*options, redis=redis, remote=remote)

    def start_switch(self):
        with open(self.host_log, "wb") as log:
            self.host_process = subprocess.Popen(
                [SOFTASICD, "--socket", self.host_socket, "--sai", LIBSAI,
                 "--model", "th", "--profile", *CHIPS], stderr=log)
        wait_until(lambda: "host-ready" in self.host_text(), "there is a chip")

    def start_server(self, *options):
        with open(self.thrift_log, "wb") as log:
            self.thrift_process = subprocess.Popen(
                [THRIFTD, "--socket", self.host_socket, "--listen",
                 f"127.0.0.1:{self.port}", *options], stderr=log)
        wait_until(lambda: "rpc-ready" in self.text_of(self.thrift_log),
                   "the server listens")

    def start_all(self):
        self.start_switch()
        client = self.start_redis()
        config = rows_of(EXAMPLE)
        client.pipeline(as_commands(config) +
                        [("SET", "CONFIG_DB_INITIALIZED", "1"),
                         *[("HSET", f"FLEX_COUNTER_TABLE|{group}",
                            "FLEX_COUNTER_STATUS", "enable")
                           for group in ("PORT", "QUEUE", "BUFFER_POOL_WATERMARK")]])
        self.start_orchd_only("--set", "drift_seconds=1",
                              "--set", "repair=report")
        self.wait_applied(client, config)
        self.start_server()
        return client

    # The client.

    def connect(self):
        """Returns a client, which is closed at the end."""
        transport = TTransport.TBufferedTransport(
            TSocket.TSocket("127.0.0.1", self.port))
        transport.open()
        self.open.callback(transport.close)
        client = self.rpc.Client(TBinaryProtocol.TBinaryProtocol(transport))
        client.close = transport.close
        return client

    def attribute(self, number, **value):
        return self.types.sai_thrift_attribute_t(
            id=number,
            value=self.types.sai_thrift_attribute_value_t(**value))

    @staticmethod
    def by_id(attributes):
        return {one.id: one.value for one in attributes.attr_list}

    def lists(self, rpc, port):
        found = self.by_id(rpc.sai_thrift_get_port_attribute(port))
        return (found[QUEUE_LIST].objlist.object_id_list,
                found[PG_LIST].objlist.object_id_list)

    def read_all(self, rpc, pool):
        """All counters of the case by object, as a scenario calls them."""
        ports = [rpc.sai_thrift_get_port_id_by_front_port(name)
                 for name in (SOURCE_PORT, SINK)]
        queue = self.lists(rpc, ports[1])[0][3]
        group = self.lists(rpc, ports[0])[1][3]
        found = {}
        for name, oid in zip((SOURCE_PORT, SINK), ports):
            found[f"port {name}"] = dict(zip(
                PORT_STATS, rpc.sai_thrift_get_port_stats(
                    oid, list(PORT_STATS.values()), len(PORT_STATS))))
        found[f"queue {SINK}|3"] = {
            name: rpc.sai_thrift_get_queue_stats(queue, [number], 1)[0]
            for name, number in QUEUE_STATS.items()}
        found[f"pg {SOURCE_PORT}|3"] = dict(zip(
            PG_STATS, rpc.sai_thrift_get_pg_stats(
                group, list(PG_STATS.values()), len(PG_STATS))))
        found["pool ingress_lossless_pool"] = {
            name: rpc.sai_thrift_get_buffer_pool_stats(pool, [number])[0]
            for name, number in POOL_STATS.items()}
        return found

    def send(self, n):
        answer = self.control("asic", "send", **{
            "from": SOURCE_PORT, "to": SINK, "count": n, "size": 64, "dscp": 3})
        self.assertEqual(answer["exit"], 0, answer)

    def pool(self, client):
        names = client.hash(COUNTERS_DB, "COUNTERS_BUFFER_POOL_NAME_MAP")
        return int(names["ingress_lossless_pool"].split(":")[1], 16)

    def expect_offline(self, block, readings):
        """A scenario of the same steps must read the same."""
        def claims(found):
            return {"expect": [{"obj": obj, "stat": stat, "==": value}
                               for obj, stats in found.items()
                               for stat, value in stats.items()]}

        # Time stands still behind orchd as well: what leaves does so at once.
        steps = [block, {"send": {"from": SOURCE_PORT, "to": SINK,
                                  "n": N_PACKETS, "size": 64, "dscp": 3}},
                 claims(readings[0]),
                 {"unblock": block["block"]}, "settle", claims(readings[1])]
        path = os.path.join(self.directory, "case.yaml")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"name": "case", "topology": {"chip": "th"},
                       "config": os.path.abspath(EXAMPLE), "steps": steps},
                      file)
        run = subprocess.run(
            [ORCHCTL, "breakpoint", "run", path, "--sai", LIBSAI, "--chips",
             os.path.join(SOURCE, "chips"), "--yang-dir",
             os.path.join(SOURCE, "schemas")],
            capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertGreater(sum(map(len, readings[0].values())), 40)

    def drifted(self, client):
        return {key.split("|", 1)[1]
                for key in client.keys(STATE_DB, "ORCHD_DRIFT|*")}

    def connected(self):
        return self.control("show", "status")["data"]["testers"]

    # The tests.

    def check_case(self, scenario_block, block, unblock):
        """Blocks, sends, reads, unblocks, reads."""
        client = self.start_all()
        rpc = self.connect()
        sink = rpc.sai_thrift_get_port_id_by_front_port(SINK)
        self.assertNotEqual(sink, 0)
        pool = self.pool(client)
        rpc.sai_thrift_clear_buffer_pool_stats(pool, [1])
        before = self.read_all(rpc, pool)
        self.assertEqual(before[f"port {SINK}"]["if_out_ucast_pkts"], 0)
        block(rpc, sink)
        self.send(N_PACKETS)
        held = self.read_all(rpc, pool)
        self.assertEqual(held[f"queue {SINK}|3"]["packets"], 0)
        self.assertGreater(held[f"queue {SINK}|3"]["shared_watermark_bytes"], 0)
        unblock(rpc, sink)
        self.assertEqual(self.control("asic", "settle")["exit"], 0)
        free = self.read_all(rpc, pool)
        self.assertEqual(free[f"port {SINK}"]["if_out_ucast_pkts"], N_PACKETS)
        self.assertEqual(free[f"queue {SINK}|3"]["packets"], N_PACKETS)
        self.expect_offline(scenario_block, [held, free])
        return client, rpc, sink

    def test_a_case_with_blocked_transmission(self):
        def set_transmission(rpc, port, on):
            self.assertEqual(rpc.sai_thrift_set_port_attribute(
                port, self.attribute(TX_ENABLE, booldata=on)), 0)

        _, rpc, _ = self.check_case(
            {"block": SINK}, lambda rpc, port: set_transmission(rpc, port, 0),
            lambda rpc, port: set_transmission(rpc, port, 1))
        rpc.close()
        # It has put everything back.
        wait_until(lambda: "attributes set: 1, not as before: 0" in self.host_text(),
                   "softasicd says what stays")
        self.assertRegex(self.host_text(), "audit set: uid")

    def test_a_case_with_a_scheduler(self):
        made = []

        def limit(rpc, port, rate):
            made.append(rpc.sai_thrift_create_scheduler_profile([
                self.attribute(MAX_RATE, u64=rate),
                self.attribute(SCHEDULING_TYPE, s32=0)]))
            self.assertEqual(rpc.sai_thrift_set_port_attribute(
                port, self.attribute(SCHEDULER, oid=made[-1])), 0)

        client, rpc, sink = self.check_case(
            {"block": {"ports": SINK, "by": "port_scheduler"}},
            lambda rpc, port: limit(rpc, port, 1),
            lambda rpc, port: limit(rpc, port, 0))
        [tester] = self.connected()
        self.assertEqual(len(tester["changes"]), 3)
        # The scheduler that the port still has cannot be removed yet, the
        # other one is.
        rpc.close()
        wait_until(lambda: "host-tester" in self.host_text() and
                   "is in use" in self.host_text(), "it is reported")
        self.assertIn("objects left: 2, not removed: 1", self.host_text())
        wait_until(lambda: self.connected() == [], "orchd knows that it is gone")
        # A later tester takes it off the port; then it goes.
        rpc = self.connect()
        self.assertEqual(rpc.sai_thrift_set_port_attribute(
            sink, self.attribute(SCHEDULER, oid=0)), 0)
        rpc.close()
        wait_until(lambda: self.host_text().count("attributes set:") ==
                   self.host_text().count("has connected as a tester") == 2,
                   "the second is gone")
        for oid in made:
            run = subprocess.run(
                [ORCHCTL, "--json", "sai", "call", "--host", self.host_socket,
                 "--sai", os.path.join(BUILD, ".libs", "libsai-remote.so"),
                 "get", "SAI_OBJECT_TYPE_SCHEDULER", f"oid:0x{oid:x}",
                 "SAI_SCHEDULER_ATTR_MAX_BANDWIDTH_RATE"],
                capture_output=True, text=True, timeout=PATIENCE_S, check=False)
            self.assertEqual(json.loads(run.stdout)["status"],
                             "SAI_STATUS_INVALID_OBJECT_ID")
        self.assertEqual(client.hash(STATE_DB, "ORCHD_STATUS|PORT|" + SINK)[
            "state"], "applied")

    def test_setup_and_what_is_not_served(self):
        self.start_all()
        rpc = self.connect()
        found = self.by_id(rpc.sai_thrift_get_switch_attribute())
        ports = found[PORT_LIST].objlist.object_id_list
        self.assertEqual(len(ports), 32)
        self.assertEqual(found[PORT_NUMBER].u32, 32)
        self.assertEqual(rpc.sai_thrift_set_switch_attribute(
            self.attribute(SRC_MAC, mac="00:77:66:55:44:00")), 0)
        for port in ports:
            self.assertEqual(rpc.sai_thrift_set_port_attribute(
                port, self.attribute(ADMIN_STATE, booldata=1)), 0)
        listed = rpc.sai_thrift_get_port_list_by_front_port()
        self.assertEqual(
            listed.value.objlist.object_id_list,
            [rpc.sai_thrift_get_port_id_by_front_port(f"Ethernet{4 * i}")
             for i in range(32)])
        self.assertEqual(rpc.sai_thrift_get_port_id_by_front_port("eth"), 0)
        queues, groups = self.lists(rpc, ports[0])
        self.assertGreaterEqual(len(queues), 8)
        self.assertEqual(len(groups), 8)
        port = self.by_id(rpc.sai_thrift_get_port_attribute(ports[0]))
        self.assertEqual(port[MTU].u32, 9122)
        # Numbers of counters and of objects that there are not.
        with self.assertRaisesRegex(TApplicationException, "counter 999999"):
            rpc.sai_thrift_get_port_stats(ports[0], [12, 999999], 2)
        with self.assertRaisesRegex(TApplicationException, "oid:0x7"):
            rpc.sai_thrift_get_queue_stats(7, [0], 1)
        with self.assertRaisesRegex(TApplicationException, "list of ids has 1"):
            rpc.sai_thrift_get_pg_stats(groups[0], [0], 5)
        self.assertEqual(rpc.sai_thrift_get_pg_stats(groups[0], [], 0), [])
        # Virtual output queues.
        self.assertEqual(rpc.sai_thrift_get_sys_port_obj_id_by_port_id(3), 0)
        with self.assertRaisesRegex(TApplicationException, "no VOQ switch"):
            rpc.sai_thrift_get_system_port_attribute(1)
        # Clearing.
        self.send(7)
        stats = list(PORT_STATS.values())
        self.assertEqual(rpc.sai_thrift_get_port_stats(
            ports[0], stats, 18)[14], 7)
        self.assertEqual(rpc.sai_thrift_clear_port_all_stats(ports[0]), 0)
        self.assertEqual(rpc.sai_thrift_get_port_stats(
            ports[0], stats, 18)[14], 0)
        queue = self.lists(rpc, ports[1])[0][3]
        self.control("asic", "settle")
        self.assertEqual(rpc.sai_thrift_get_queue_stats(queue, [0], 1), [7])
        self.assertEqual(rpc.sai_thrift_clear_queue_stats(queue, [0], 1), 0)
        self.assertEqual(rpc.sai_thrift_get_queue_stats(queue, [0], 1), [0])
        # What the interface has beside that.
        rpc._oprot.writeMessageBegin("sai_thrift_create_vlan", 1, 5)
        rpc._oprot.writeStructBegin("args")
        rpc._oprot.writeFieldStop()
        rpc._oprot.trans.flush()
        name, kind, sequence = rpc._iprot.readMessageBegin()
        error = TApplicationException()
        error.read(rpc._iprot)
        self.assertEqual((name, kind, sequence, error.type),
                         ("sai_thrift_create_vlan", 3, 5,
                          TApplicationException.UNKNOWN_METHOD))
        self.assertIn("is not served", error.message)

    def test_a_tester_may_not_do_more(self):
        self.start_all()
        rpc = self.connect()
        port = rpc.sai_thrift_get_port_id_by_front_port(SINK)
        with self.assertRaisesRegex(TApplicationException,
                                    "SAI_PORT_ATTR_MTU.*needs the role writer"):
            rpc.sai_thrift_set_port_attribute(port, self.attribute(MTU, u32=9))
        with self.assertRaisesRegex(TApplicationException, "value.booldata"):
            rpc.sai_thrift_set_port_attribute(
                port, self.attribute(TX_ENABLE, oid=1))
        with self.assertRaisesRegex(TApplicationException, "value.mac"):
            rpc.sai_thrift_set_switch_attribute(
                self.attribute(SRC_MAC, mac="00:77:66:55:44"))
        # The host does not rely on its clients.
        def call(*words, code, said):
            run = subprocess.run(
                [ORCHCTL, "sai", "call", "--host", self.host_socket, "--sai",
                 os.path.join(BUILD, ".libs", "libsai-remote.so"), "--tester",
                 *words], capture_output=True, text=True, timeout=PATIENCE_S,
                check=False)
            self.assertEqual(run.returncode, code, run)
            self.assertRegex(run.stdout + run.stderr, said)

        name = f"oid:0x{port:x}"
        call("set", "SAI_OBJECT_TYPE_PORT", name, "SAI_PORT_ATTR_MTU=1500",
             code=1, said="(?s)OBJECT_IN_USE.*needs the role writer")
        call("set", "SAI_OBJECT_TYPE_PORT", name,
             "SAI_PORT_ATTR_ADMIN_STATE=true", code=0, said="SUCCESS")
        call("create", "SAI_OBJECT_TYPE_WRED", code=1, said="role writer")
        call("remove", "SAI_OBJECT_TYPE_SCHEDULER", "oid:0x17000000000100",
             code=1, said="remove those of testers")
        self.assertRegex(self.host_text(),
                         "denied set: .*a tester may set ADMIN_STATE")

    def test_orchd_knows_of_testers(self):
        client = self.start_all()
        rpc = self.connect()
        port = rpc.sai_thrift_get_port_id_by_front_port(SINK)
        self.wait_log("tester-connected thrift client 127.0.0.1")
        self.assertEqual(rpc.sai_thrift_set_port_attribute(
            port, self.attribute(ADMIN_STATE, booldata=0)), 0)
        [tester] = wait_until(
            lambda: [t for t in self.connected() if t["changes"]], "a change")
        self.assertEqual(tester["changes"], [
            f"oid:0x{port:x} SAI_PORT_ATTR_ADMIN_STATE=false"])
        status = subprocess.run(
            [ORCHCTL, "--control", os.path.join(self.directory, "control.sock"),
             "status"], capture_output=True, text=True, timeout=PATIENCE_S,
            check=True)
        self.assertRegex(status.stdout, "Tester +thrift client .*, 1 change\n")
        # While it is connected, another difference is drift, and its own not:
        # orchd reads everything back meanwhile.
        subprocess.run(
            [ORCHCTL, "sai", "call", "--host", self.host_socket, "--sai",
             os.path.join(BUILD, ".libs", "libsai-remote.so"), "--tester",
             "set", "SAI_OBJECT_TYPE_PORT",
             f"oid:0x{rpc.sai_thrift_get_port_id_by_front_port('Ethernet8'):x}",
             "SAI_PORT_ATTR_ADMIN_STATE=false"], check=True,
            capture_output=True, timeout=PATIENCE_S)
        wait_until(lambda: self.drifted(client) == {"PORT|Ethernet8"},
                   "what the other has left is drift")
        wait_until(lambda: client.hash(
            STATE_DB, "ORCHD_DRIFT|PORT|Ethernet8").get("checked") !=
            client.hash(STATE_DB, "ORCHD_DRIFT|PORT|Ethernet8").get("since"),
            "all was read back once more")
        self.assertEqual(self.drifted(client), {"PORT|Ethernet8"})
        # Afterwards it is drift as usual.
        rpc.close()
        self.wait_log("tester-gone thrift client")
        wait_until(lambda: self.drifted(client) ==
                   {f"PORT|{SINK}", "PORT|Ethernet8"}, "drift")
        self.assertRegex(self.host_text(),
                         "host-tester thrift client .*ADMIN_STATE is false and "
                         "was true before")
        self.stop_orchd()

    def test_hostile_clients(self):
        self.start_all()
        good = self.connect()
        for words in (b"GET / HTTP/1.1\r\n\r\n", b"\x80\x02\x00\x01",
                      b"\x80\x01\x00\x01\xff\xff\xff\xff",
                      b"\x80\x01\x00\x01\x7f\xff\xff\xff",
                      # A list of 2^31-1 numbers, and a nest of structures.
                      b"\x80\x01\x00\x01\0\0\0\x01x\0\0\0\x01\x0f\0\x01\x0a"
                      b"\x7f\xff\xff\xff",
                      b"\x80\x01\x00\x01\0\0\0\x01x\0\0\0\x01" +
                      b"\x0c\0\x01" * 20):
            with self.subTest(words), socket.create_connection(
                    ("127.0.0.1", self.port)) as bad:
                bad.settimeout(PATIENCE_S)
                bad.sendall(words)
                self.assertEqual(bad.recv(1), b"")
        self.assertIn("the connection was closed", self.text_of(self.thrift_log))
        # Half a message, while others are served, and then the rest.
        call = (b"\x80\x01\x00\x01" + struct.pack(">I", 38) +
                b"sai_thrift_get_port_list_by_front_port" +
                struct.pack(">I", 9) + b"\0")
        with socket.create_connection(("127.0.0.1", self.port)) as slow:
            slow.settimeout(PATIENCE_S)
            slow.sendall(call[:20])
            self.assertEqual(
                good.sai_thrift_get_port_id_by_front_port("eth"), 0)
            slow.sendall(call[20:])
            strict = slow.makefile("rb").read(8)
            self.assertEqual(strict, b"\x80\x01\x00\x02\0\0\0\x26")
        # The old form, without a version, is answered in its own form.
        with socket.create_connection(("127.0.0.1", self.port)) as old:
            old.settimeout(PATIENCE_S)
            old.sendall(call[4:46] + b"\x01" + call[46:])
            self.assertEqual(old.makefile("rb").read(43),
                             call[4:46] + b"\x02")
        # More connections than there is room for: the idle ones give way, or
        # the new ones are refused; the server goes on.
        crowd = [socket.create_connection(("127.0.0.1", self.port))
                 for _ in range(80)]
        for one in crowd:
            one.close()
        wait_until(lambda: self.try_again(), "it serves clients again")

    def try_again(self):
        try:
            rpc = self.connect()
            return rpc.sai_thrift_get_port_id_by_front_port("eth") == 0
        except (OSError, TTransport.TTransportException):
            return False

    def test_calls_that_do_not_wait_for_answers(self):
        self.start_all()
        rpc = self.connect()
        for _ in range(50):
            rpc.send_sai_thrift_get_switch_attribute()
        answers = [rpc.recv_sai_thrift_get_switch_attribute()
                   for _ in range(50)]
        self.assertTrue(answers[0].attr_list)
        self.assertEqual([len(answer.attr_list) for answer in answers],
                         [len(answers[0].attr_list)] * 50)

    def test_without_a_switch(self):
        self.start_server()
        wait_until(lambda: "each call tries again" in
                   self.text_of(self.thrift_log), "the server says so at once")
        rpc = self.connect()
        with self.assertRaisesRegex(TApplicationException, "no process|cannot "
                                    "reach|no such|listens"):
            rpc.sai_thrift_get_switch_attribute()
        self.start_switch()
        with self.assertRaisesRegex(TApplicationException, "no switch yet"):
            rpc.sai_thrift_get_switch_attribute()

    def test_options(self):
        for words, code, said in (
                ((), 2, "--socket PATH is required"),
                (("--socket", "x", "--listen", "here:1"), 2, "--listen"),
                (("--socket", "x", "--listen", "70000"), 2, "invalid value"),
                (("--sockt", "x"), 2, "--socket"),
                (("--socket", "x", "--names", "/nonexistent"), 2,
                 "/nonexistent"),
                (("--help",), 0, "namespace"),
                (("--version",), 0, "softasic-thriftd")):
            with self.subTest(words):
                run = subprocess.run([THRIFTD, *words], capture_output=True,
                                     text=True, timeout=PATIENCE_S, check=False)
                self.assertEqual(run.returncode, code, run)
                self.assertIn(said, run.stdout + run.stderr)
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            run = subprocess.run(
                [THRIFTD, "--socket", "x", "--listen", str(port)],
                capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        self.assertEqual(run.returncode, 1)
        self.assertIn("cannot listen", run.stderr)


@unittest.skipIf(VENDOR != "softasic" or REMOTE, "tried once")
@unittest.skipUnless(TSocket and shutil.which("thrift"),
                     "needs python3-thrift and thrift-compiler")
class Interface(unittest.TestCase):
    """The IDL against the published interface, where that is at hand."""

    @unittest.skipUnless(os.path.exists(INTERFACE), "needs the interface")
    def test_names_and_ids(self):
        with open(INTERFACE, encoding="utf-8") as file:
            published = json.load(file)
        directory = os.path.join(os.environ.get("TMPDIR", "/tmp"),
                                 f"orchd-idl-{os.getpid()}")
        os.makedirs(directory)
        try:
            rpc, types, constants = load_client(directory)
        finally:
            shutil.rmtree(directory)
        kinds = {"bool": 2, "byte": 3, "i16": 6, "i32": 8, "i64": 10,
                 "string": 11}

        def kind_of(kind):
            return kinds.get(kind, 15 if kind.startswith("list<") else 12)

        def fields(spec):
            return {entry[2]: (entry[0], entry[1]) for entry in spec if entry}

        # Suites import these by name.
        self.assertEqual({name: getattr(constants, name, None)
                          for name in published["sai_headers_names"]},
                         {name: entry["value"] for name, entry in
                          published["sai_headers_names"].items()})
        n = 0
        for name, method in published["service"]["methods"].items():
            needed = any(word in method["use"]
                         for word in ("essential", "setup", "other suites"))
            self.assertEqual(hasattr(rpc.Client, name), needed, name)
            if needed:
                n += 1
                spec = getattr(rpc, name + "_args").thrift_spec or ()
                self.assertEqual(fields(spec), {
                    arg["name"]: (arg["id"], kind_of(arg["type"]))
                    for arg in method["args"]}, name)
                result = getattr(rpc, name + "_result").thrift_spec[0]
                self.assertEqual(result[1], kind_of(method["result"]), name)
        self.assertEqual(n, 16)
        for name, structure in published["structs"].items():
            made = getattr(types, name, None)
            if made:
                whole = {f["name"]: (f["id"], kind_of(f["type"]))
                         for f in structure["fields"]}
                ours = fields(made.thrift_spec)
                self.assertLessEqual(ours.items(), whole.items(), name)


if __name__ == "__main__":
    unittest.main()

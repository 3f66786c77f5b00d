# SPDX-License-Identifier: Apache-2.0
"""softasicd with real interfaces: programs that know nothing of it send frames
through the switch, from one network namespace to another."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import unittest

os.environ["ORCHD_TEST_REMOTE"] = "yes"
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
# pylint: disable=wrong-import-position
from harness import (BUILD, CHIPS, CONFIG_DB, LIBSAI, PATIENCE_S,  # noqa: E402
                     SOURCE, STATE_DB, System, as_commands, asic_picture,
                     not_beside, rows_of, wait_until)
from namespaces import Namespace, Wire, skip_without_rights  # noqa: E402

setUpModule = not_beside("frames enter the switch")

DEBIAN_PYTHON = "/usr/bin/python3"

try:
    from scapy.all import IP, UDP, Dot1Q, Ether, Raw, wrpcap
    from scapy.contrib.mac_control import MACControlClassBasedFlowControl
except ImportError:
    # python3-scapy is installed for Debian's own Python.
    if sys.executable != DEBIAN_PYTHON and os.path.exists(DEBIAN_PYTHON):
        os.execv(DEBIAN_PYTHON, [DEBIAN_PYTHON] + sys.argv)
    print("skipped: scapy is not installed (python3-scapy)")
    sys.exit(77)

EXAMPLE = os.path.join(SOURCE, "examples", "leaf-32x100g.config_db.json")
SOFTASICD = os.path.join(BUILD, "saihostd", "softasicd")
# A port of 100G carries 50 Mb/s: 1,000 bytes take 160 us, the longest pause
# 671 ms.
DILATION = 2000
N_PORTS = 3
PAUSE_ADDRESS = "01:80:c2:00:00:01"
ECT1, CE = 1, 3
UDP_SEGMENT = 103  # Of Linux: one call, many datagrams.
PORTS = [f"Ethernet{4 * i}" for i in range(N_PORTS)]


def mac_of(host):
    return f"02:00:00:00:00:{host + 1:02x}"


def frame(source, target, dscp=0, ecn=0, size=1000, mark=0):
    """A UDP datagram from host to host; 'mark' is its source port."""
    packet = (Ether(src=mac_of(source), dst=mac_of(target)) /
              IP(src=f"10.0.0.{source + 1}", dst=f"10.0.0.{target + 1}",
                 tos=dscp << 2 | ecn) / UDP(sport=mark, dport=9))
    return packet / Raw(bytes(size - len(packet)))


def mark_of(raw):
    """The mark of a frame, None if it is not one of ours."""
    packet = Ether(raw)
    return packet[UDP].sport if UDP in packet and packet[UDP].dport == 9 \
        else None


def kernel():
    """The release of the kernel: (6, 1)."""
    return tuple(map(int, os.uname().release.split(".")[:2]))


def received(ping):
    """How many answers ping has counted, at most one per request.  With -w it
    sends until -c answers are there: on a busy machine it sends more requests
    than that, whose answers arrive together."""
    sent, answered = map(int, re.search(
        r"(\d+) packets transmitted, (\d+) received", ping).groups())
    if "duplicates" in ping or answered > sent:
        raise AssertionError("a frame was duplicated:\n" + ping)
    return answered


def is_pause(raw):
    return raw[:6] == bytes.fromhex(PAUSE_ADDRESS.replace(":", ""))


class Switch(System):
    """A switch with a host of its own behind each of its first ports."""

    MODEL = None
    HWSKU = "Celestica-DX010-C32"

    def setUp(self):
        super().setUp()
        self.spaces = []
        self.wires = []
        self.panel = self.space("panel")
        self.hosts = [self.space(f"h{i}") for i in range(N_PORTS)]
        self.programs = []

    def tearDown(self):
        for program in self.programs:
            if program.poll() is None:
                program.kill()
            program.wait()
            program.stdout.close()
        for wire in self.wires:
            wire.close()
        try:
            self.end_host()
        finally:
            super().tearDown()
            for space in self.spaces:
                space.close()

    def end_host(self):
        """Ends the switch politely; with sanitizers it says what it leaks."""
        if self.host_process:
            self.host_process.send_signal(signal.SIGTERM)
            self.assertEqual(self.host_process.wait(PATIENCE_S), 0,
                             self.host_text())

    def space(self, word):
        space = Namespace(word)
        self.spaces.append(space)
        return space

    def start_host(self, *options):
        self.kill_host()
        with open(self.host_log, "wb") as log:
            self.host_process = subprocess.Popen(
                [SOFTASICD, "--socket", self.host_socket, "--sai", LIBSAI,
                 "--dilation", str(DILATION), "--netns", self.panel.name,
                 *self.profile(), *options], stderr=log)
        wait_until(lambda: "host-ready" in self.host_text(), "there is a host")

    def begin(self, *options):
        """Starts it all with the example, and gives the hosts their ports."""
        self.redis = self.start_redis()
        self.rows = rows_of(EXAMPLE)
        self.redis.pipeline(as_commands(self.rows))
        self.start_host("--tap", "Ethernet", *options)
        self.start_orchd_only()
        self.wait_settled()
        for host, port in zip(self.hosts, PORTS):
            if not any(word.startswith(port + "=") for word in options):
                host.take(port, self.panel)
        for port in PORTS:
            self.wait_oper(port, "up")

    def wire(self, host):
        wire = Wire(self.hosts[host], PORTS[host])
        self.wires.append(wire)
        return wire

    def iperf(self, source, target, address, limit=51e6):
        """Sends 4 MB by TCP, no faster than the port is."""
        server = target.start("iperf3", "-s", "-1", "--forceflush")
        self.programs.append(server)
        line = server.stdout.readline()
        while line and "listening" not in line:
            line = server.stdout.readline()
        self.assertTrue(line, "iperf3 ended")
        report = json.loads(source.run("iperf3", "-c", address, "-n", "4M",
                                       "-J"))
        received = report["end"]["sum_received"]
        self.assertGreater(received["bytes"], 2 << 20)
        self.assertLess(received["bits_per_second"], limit)

    def wait_settled(self):
        def settled():
            try:
                return self.control("config", "sync")["exit"] == 0
            except OSError:
                return False
        wait_until(settled, "orchd has done what there is to do")

    def port(self, name):
        ports = self.control("show", "ports")["data"]["ports"]
        return {row["name"]: row for row in ports}[name]

    def wait_oper(self, port, state):
        """Waits until the switch and STATE_DB agree on the link of a port."""
        wait_until(lambda: self.port(port)["oper"] == state and
                   self.state_row(port)["netdev_oper_status"] == state,
                   f"{port} is {state}")

    def state_row(self, port):
        return self.redis.hash(STATE_DB, "PORT_TABLE|" + port)


class Starts(Switch):
    """softasicd reports errors before it creates anything."""

    def refuse(self, *words, model="td2"):
        """What softasicd says instead of starting."""
        done = subprocess.run(
            [SOFTASICD, "--socket", self.host_socket, "--sai", LIBSAI,
             "--profile", CHIPS[0], "--model", model, *words],
            capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        self.assertIn(done.returncode, (1, 2), done.stderr)
        self.assertFalse(os.path.exists(self.host_socket))
        self.assertNotIn("Ethernet", self.panel.ip("-o", "link"))
        return done.stderr

    def test_what_cannot_be_is_refused(self):
        there = ("--netns", self.panel.name)
        for words, reason in (
                (("--dilation", "0"), "(1 to 1000000;"),
                (("--dilation", "1e99"), "(1 to 1000000;"),
                (("--bind", "Ethernet0"), "--bind PORT=INTERFACE"),
                (("--bind", "Ethernet0=absent"), '"ip link" shows'),
                (("--bind", "port1=lo"), "Ethernet0, Ethernet4, ..."),
                (("--tap", "twelve-chars"), "1 to 11 characters"),
                (("--tap", "Ethernet", "--tap-queue", "0"),
                 "(1 to 100000; default: 10000)"),
                (("--tap-queue", "9"), "it needs --tap"),
                (("--tap", "Ethernet", "--bind", "Ethernet0=absent"),
                 "cannot bind to absent"),
                (("--netns", "/dev/null", "--tap", "Ethernet"),
                 "the name of one"),
                (("--what",), "see softasicd --help")):
            self.assertIn(reason, self.refuse(
                *(there if "--bind" in words or "--tap" in words else ()),
                *words), words)
        self.assertIn("there is no chip td9", self.refuse(model="td9"))
        self.assertIn("td2, td3, th,", self.refuse(model="td9"))
        # Nor may anything be there already.
        self.panel.ip("link", "add", "sw0", "type", "veth")
        self.assertIn("choose another prefix",
                      self.refuse(*there, "--tap", "sw"))
        self.start_host("--tap", "sw1")
        done = subprocess.run(
            [SOFTASICD, "--socket", self.host_socket, "--sai", LIBSAI,
             *self.profile()], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("another host listens", done.stderr)


class Frames(Switch):
    """What happens to frames: classified, paused, marked, counted."""

    def stats(self, kind, name, index=None):
        """The counters of a port, priority group or queue."""
        wanted = {"kind": kind, "name": name}
        if index is not None:
            wanted["index"] = index
        answer = self.control("asic", "snapshot", objects=[wanted])
        self.assertEqual(answer["exit"], 0, answer)
        return answer["data"]["objects"][0]["stats"]

    def learn(self):
        """Gives every host a wire, and lets the switch know where it is."""
        wires = [self.wire(i) for i in range(N_PORTS)]
        for i, wire in enumerate(wires):
            wire.send(frame(i, (i + 1) % N_PORTS, mark=1))
        for wire in wires:
            wire.wait(lambda frames: any(mark_of(f) == 1 for f in frames),
                      "the first frame of another host")
        # The answers go to one port each, so what is flooded is over.
        for i, wire in enumerate(wires):
            wire.send(frame(i, (i + 1) % N_PORTS, mark=2))
        for wire in wires:
            wire.wait(lambda frames: any(mark_of(f) == 2 for f in frames),
                      "a frame that is not flooded")
            wire.take()
        return wires

    def test_dscp_decides_on_group_and_queue(self):
        self.begin()
        wires = self.learn()
        before = {n: self.stats("queue", "Ethernet8", n)["packets"]
                  for n in (0, 1, 3, 4)}
        # By the map AZURE: DSCP 3 and 4 are classes 3 and 4, 8 is class 0.
        sent = {3: 10, 4: 7, 8: 5}
        for dscp, n in sent.items():
            wires[0].send(*[frame(0, 2, dscp=dscp, ecn=1)] * n)
        frames = wires[2].wait(lambda f: len(f) >= 22 and f, "all frames")
        self.assertEqual(frames[0], bytes(frame(0, 2, dscp=3, ecn=1)))
        for queue, n in {0: 5, 1: 0, 3: 10, 4: 7}.items():
            stats = self.stats("queue", "Ethernet8", queue)
            self.assertEqual(stats["packets"] - before[queue], n, queue)
        for group, n in {3: 10, 4: 7}.items():
            stats = self.stats("pg", "Ethernet0", group)
            self.assertEqual(stats["packets"], n, (group, stats))
            self.assertEqual(stats["bytes"], 1000 * n, (group, stats))

    def test_pauses_go_both_ways_by_priority(self):
        # A pause lasts 7 s then, longer than a loaded machine needs to send.
        self.begin("--dilation", "20000")
        wires = self.learn()
        def pause(quanta):
            wires[2].send(Ether(dst=PAUSE_ADDRESS, src=mac_of(2)) /
                          MACControlClassBasedFlowControl(
                              c3_enabled=1, c3_pause_time=quanta))

        pause(65535)
        wait_until(lambda: self.stats("port", "Ethernet8")["pfc_3_rx_pkts"],
                   "the pause is there")
        # More than priority 3 may share of the buffer, 324 kB, and less than
        # that and its headroom, 489 kB; priority 0 goes on.
        wires[0].send(*[frame(0, 2, dscp=3, size=9000, mark=3)] * 45)
        wires[0].send(*[frame(0, 2, dscp=8, mark=8)] * 5)
        wires[2].wait(lambda f: len(f) >= 5, "what is not paused")
        wires[0].wait(lambda f: any(map(is_pause, f)), "the switch pauses us")
        pause(0)
        frames = wires[2].wait(lambda f: len(f) >= 50 and f,
                               "what was held, after the release")
        # Frames of priority 0 overtook; nothing was lost.
        self.assertEqual(list(map(mark_of, frames)), [8] * 5 + [3] * 45)
        wires[0].wait(lambda f: len([1 for x in f if is_pause(x)]) >= 2 and f,
                      "pause and release by the switch")
        self.check_with_tshark([f for f in wires[0].take() if is_pause(f)])

    def storm(self, *words):
        answer = self.control("asic", "storm", port="Ethernet8",
                              **dict(words))
        self.assertEqual(answer["exit"], 0, answer)

    def test_a_storm_from_inside_needs_no_other_end(self):
        # A pause of these quanta lasts 0.7 s then, and is renewed before.
        self.begin("--dilation", "20000")
        wires = self.learn()
        self.storm(("priorities", "3"), ("quanta", 6553), ("interval_us", 20))
        wait_until(lambda: self.stats("port", "Ethernet8")["pfc_3_rx_pkts"] > 1,
                   "pauses arrive")
        wires[0].send(frame(0, 2, dscp=3, mark=3), frame(0, 2, dscp=8, mark=8))
        frames = wires[2].wait(lambda f: f and f, "what is not paused")
        self.assertEqual(list(map(mark_of, frames)), [8])
        before = self.stats("port", "Ethernet8")["pfc_3_rx_pkts"]
        wait_until(lambda: self.stats("port", "Ethernet8")["pfc_3_rx_pkts"] >
                   before + 1, "they go on")
        self.assertEqual(list(map(mark_of, wires[2].take())), [8])
        self.storm(("priorities", "none"))
        frames = wires[2].wait(lambda f: f and f, "the storm is over")
        # The other end has got none of its frames, and sends as before.
        self.assertEqual(list(map(mark_of, frames)), [3])
        wires[2].send(frame(2, 0, mark=4))
        wires[0].wait(lambda f: any(mark_of(x) == 4 for x in f), "it sends")

    def test_a_port_sends_a_storm_to_its_interface(self):
        # Of 7 s, a new pause each 3.4 s.
        self.begin("--dilation", "20000")
        wires = self.learn()
        answer = self.control("asic", "storm", port="Ethernet8", sent=True,
                              priorities="3", quanta=1)
        self.assertEqual(answer["exit"], 2, answer)
        self.assertIn("sent takes no quanta", answer["error"]["reason"])
        self.storm(("priorities", "3"), ("sent", True))
        wires[2].wait(lambda f: len([x for x in f if is_pause(x)]) >= 2,
                      "pauses, and their repetition")
        self.storm(("priorities", "none"))
        frames = wires[2].wait(
            lambda f: len([x for x in f if is_pause(x)]) >= 3 and f, "release")
        self.check_with_tshark([f for f in frames if is_pause(f)])
        self.assertGreaterEqual(
            self.stats("port", "Ethernet8")["pfc_3_tx_pkts"], 3)

    def test_a_tester_starts_storms_beside_the_writer(self):
        self.begin("--dilation", "20000")
        wires = self.learn()

        def storm(*words, code=0):
            done = subprocess.run(
                [os.path.join(BUILD, "orchctl", "orchctl"), "sai", "storm",
                 "--host", self.host_socket, "--sai", LIBSAI, *words],
                capture_output=True, text=True, check=False, timeout=PATIENCE_S)
            self.assertEqual(done.returncode, code, done.stderr)
            return done.stderr

        # Lane 9 is the first of Ethernet8.
        storm("9", "--priorities", "3", "--quanta", "6553")
        wait_until(lambda: self.stats("port", "Ethernet8")["pfc_3_rx_pkts"] > 1,
                   "pauses arrive")
        storm("9", "--priorities", "3", "--sent")
        wires[2].wait(lambda f: any(map(is_pause, f)), "pauses are sent")
        storm("9", "--priorities", "none")
        frames = wires[2].wait(
            lambda f: len([x for x in f if is_pause(x)]) >= 2 and f, "release")
        self.check_with_tshark([f for f in frames if is_pause(f)])
        count = self.stats("port", "Ethernet8")["pfc_3_rx_pkts"]
        wires[0].send(frame(0, 2, dscp=3, mark=3))
        wires[2].wait(lambda f: any(mark_of(x) == 3 for x in f), "no pause")
        # One may have been on its way.
        self.assertLessEqual(
            self.stats("port", "Ethernet8")["pfc_3_rx_pkts"], count + 1)
        self.assertIn("begins with lane 10", storm("10", "--priorities", "3",
                                                   code=1))
        self.assertIn("0 to 7", storm("9", "--priorities", "8", code=2))

    def check_with_tshark(self, frames):
        """Our pause frames, as tshark reads them."""
        path = os.path.join(self.directory, "pauses.pcap")
        wrpcap(path, [Ether(f) for f in frames])
        fields = ("eth.dst", "macc.opcode", "macc.cbfc.enbv",
                  "macc.cbfc.pause_time.c3", "frame.len")
        out = subprocess.run(
            ["tshark", "-r", path, "-T", "fields",
             *[word for field in fields for word in ("-e", field)]],
            capture_output=True, text=True, check=True).stdout
        rows = [line.split("\t") for line in out.splitlines()]
        self.assertEqual(len(rows), len(frames), out)
        for row in rows:
            self.assertEqual(row[0], PAUSE_ADDRESS)
            self.assertEqual(int(row[1], 0), 0x0101, row)
            self.assertEqual(int(row[2], 0), 1 << 3, row)
            self.assertEqual(row[4], "60", row)
        times = [int(row[3], 0) for row in rows]
        self.assertEqual((times[0], times[-1]), (65535, 0), times)

    def test_congestion_is_marked(self):
        self.begin()
        self.redis.pipeline(as_commands({
            "WRED_PROFILE|MARK": {
                "ecn": "ecn_all", "wred_green_enable": "true",
                "green_min_threshold": "10000",
                "green_max_threshold": "20000",
                "green_drop_probability": "100"},
            "QUEUE|Ethernet8|3": {"wred_profile": "MARK"}}))
        self.wait_settled()
        wires = self.learn()
        # While the port may not send, its queue grows beyond 20 kB.
        self.control("asic", "block", ports=["Ethernet8"])
        for sender in (0, 1):
            wires[sender].send(*[frame(sender, 2, dscp=3, ecn=ECT1, size=8000,
                                       mark=10)] * 20)
        wait_until(lambda: all(self.stats("pg", port, 3)["packets"] == 20
                               for port in PORTS[:2]), "all is in the switch")
        self.control("asic", "unblock", ports=["Ethernet8"])
        frames = wires[2].wait(lambda f: len(f) >= 40 and f, "all frames")
        codes = [Ether(f)[IP].tos & 3 for f in frames]
        # This chip marks what leaves more than that behind it.
        self.assertEqual(codes, sorted(codes, reverse=True))
        self.assertEqual((codes[0], codes[-1]), (CE, ECT1))
        self.assertGreater(codes.count(CE), 30)
        for raw in frames:
            packet = Ether(raw)
            found = packet[IP].chksum
            del packet[IP].chksum
            self.assertEqual(Ether(bytes(packet))[IP].chksum, found)
        self.assertEqual(
            self.stats("queue", "Ethernet8", 3)["wred_ecn_marked_packets"],
            codes.count(CE))

    def test_a_change_comes_after_what_was_sent_before(self):
        self.begin()
        wires = self.learn()
        before = self.stats("port", "Ethernet0")["if_in_ucast_pkts"]
        # 48 ms at the speed of the port, which goes down at once.
        wires[0].send(*[frame(0, 2, dscp=3, size=1500, mark=3)] * 200)
        self.redis.on(CONFIG_DB, "HSET", "PORT|Ethernet0", "admin_status",
                      "down")
        self.wait_oper("Ethernet0", "down")
        self.assertEqual(
            self.stats("port", "Ethernet0")["if_in_ucast_pkts"] - before, 200)
        frames = wires[2].wait(lambda f: len(f) >= 200 and f, "all frames")
        self.assertEqual(len(frames), 200)

    def test_a_counter_is_read_after_what_was_sent_before(self):
        self.begin()
        wires = self.learn()
        before = {port: self.stats("port", port) for port in PORTS[:3]}
        wires[0].send(*[frame(0, 2, dscp=3, size=1500, mark=3)] * 2000)
        # Nothing waits: 480 ms at the speed of the port have not passed.
        after = {port: self.stats("port", port) for port in PORTS[:3]}

        def counted(port, name):
            return after[port][name] - before[port][name]
        self.assertEqual(counted(PORTS[0], "if_in_ucast_pkts"), 2000)
        self.assertEqual(counted(PORTS[2], "if_out_ucast_pkts"), 2000)
        self.assertEqual(counted(PORTS[0], "if_in_discards"), 0)

    def test_a_drain_takes_all_that_a_long_queue_holds(self):
        self.begin("--tap-queue", "30000")
        wires = self.learn()
        before = self.stats("port", PORTS[0])["if_in_ucast_pkts"]
        one = frame(0, 2, dscp=3, size=64, mark=3)
        self.host_process.send_signal(signal.SIGSTOP)
        for _ in range(20):
            wires[0].send(*[one] * 1000)
        self.host_process.send_signal(signal.SIGCONT)
        self.assertEqual(self.stats("port", PORTS[0])["if_in_ucast_pkts"] -
                         before, 20000)

    def test_frames_that_the_kernel_drops_are_counted(self):
        self.begin("--tap-queue", "5")
        wires = self.learn()
        before = self.stats("port", PORTS[0])["if_in_ucast_pkts"]
        self.host_process.send_signal(signal.SIGSTOP)
        wires[0].send(*[frame(0, 2, size=100, mark=3)] * 25)
        self.host_process.send_signal(signal.SIGCONT)
        self.assertEqual(self.stats("port", PORTS[0])["if_in_ucast_pkts"] -
                         before, 5)
        wait_until(lambda: "the kernel dropped 20 frames" in self.host_text(),
                   "the log has them")
        self.redis.pipeline(as_commands({
            "FLEX_COUNTER_TABLE|PORT_BUFFER_DROP": {
                "FLEX_COUNTER_STATUS": "enable", "POLL_INTERVAL": "1000"}}))

        def drops():
            answer = self.control("show", "drops", name=PORTS[0])
            return {row["reason"]: row["packets"]
                    for row in answer["data"]["drops"]}
        wait_until(lambda: drops().get("interface") == 20,
                   "show drops has them")

    def test_a_capture_is_replayed(self):
        self.begin()
        wires = self.learn()
        path = os.path.join(self.directory, "replay.pcap")
        wrpcap(path, [frame(0, 2, dscp=4, size=100 + 10 * i, mark=100 + i)
                      for i in range(100)])
        self.hosts[0].run("tcpreplay", "-q", "--topspeed", "-i", PORTS[0], path)
        frames = wires[2].wait(lambda f: len(f) >= 100 and f, "all frames")
        self.assertEqual([mark_of(f) for f in frames],
                         list(range(100, 200)))
        self.assertEqual(self.stats("pg", "Ethernet0", 4)["packets"], 100)


class Links(Switch):
    """What ports and interfaces know of each other."""

    def address(self, *hosts):
        for i in hosts:
            self.hosts[i].ip("addr", "add", f"10.0.0.{i + 1}/24", "dev",
                             PORTS[i])

    def ping(self, source, target, *words):
        return self.hosts[source].run("ping", "-c", 3, "-i", "0.01", "-w", 20,
                                      *words, f"10.0.0.{target + 1}")

    def test_hosts_talk_over_the_switch(self):
        self.begin()
        self.address(0, 1)
        self.assertGreaterEqual(received(self.ping(0, 1)), 3)
        # Larger than fits a frame of 1500: the MTU of CONFIG_DB is 9100.
        self.ping(1, 0, "-s", 8900, "-M", "do")
        self.iperf(self.hosts[0], self.hosts[1], "10.0.0.2")
        # Slower from now on: 20 Mb/s.
        self.redis.on(CONFIG_DB, "HSET", "PORT|Ethernet4", "speed", "40000")
        wait_until(lambda: self.state_row("Ethernet4")["speed"] == "40000",
                   "the speed is there")
        self.iperf(self.hosts[0], self.hosts[1], "10.0.0.2", 20.5e6)

    def test_the_interface_follows_the_port(self):
        self.begin()
        host = self.hosts[0]
        self.assertTrue(host.has("Ethernet0", "UP", "LOWER_UP"))
        self.assertIn("100000Mb/s", host.run("ethtool", "Ethernet0"))
        self.redis.on(CONFIG_DB, "HSET", "PORT|Ethernet0", "mtu", "1400",
                      "speed", "40000")
        wait_until(lambda: "mtu 1400 " in host.ip("link", "show", "Ethernet0"),
                   "the MTU is there")
        wait_until(lambda: "40000Mb/s" in host.run("ethtool", "Ethernet0"),
                   "the speed is there")
        wait_until(lambda: self.state_row("Ethernet0") == {
            "state": "ok", "netdev_oper_status": "up", "admin_status": "up",
            "mtu": "1400", "speed": "40000"}, "STATE_DB says so")
        self.redis.on(CONFIG_DB, "HSET", "PORT|Ethernet0", "admin_status",
                      "down")
        wait_until(lambda: host.has("Ethernet0", "NO-CARRIER"), "no carrier")
        self.wait_oper("Ethernet0", "down")
        self.redis.on(CONFIG_DB, "HSET", "PORT|Ethernet0", "admin_status",
                      "up")
        wait_until(lambda: host.has("Ethernet0", "LOWER_UP"), "carrier")
        self.wait_oper("Ethernet0", "up")

    def test_the_port_follows_the_interface(self):
        self.begin()
        self.hosts[1].ip("link", "set", "Ethernet4", "down")
        self.wait_oper("Ethernet4", "down")
        self.assertTrue(self.port("Ethernet4")["admin"])
        self.hosts[1].ip("link", "set", "Ethernet4", "up")
        self.wait_oper("Ethernet4", "up")
        # Its name is the host's affair.
        self.hosts[1].ip("link", "set", "Ethernet4", "down")
        self.hosts[1].ip("link", "set", "Ethernet4", "name", "eth0", "up")
        self.wait_oper("Ethernet4", "up")

    def test_interfaces_that_are_deleted_are_made_again(self):
        self.begin()
        # The namespace of a host ends with its last process.
        gone = self.hosts[0]
        self.spaces.remove(gone)
        gone.close()
        wait_until(lambda: "Ethernet0:" in self.panel.ip("-o", "link"),
                   "Ethernet0 is back where it was made")
        host = self.space("again")
        host.take("Ethernet0", self.panel)
        self.wait_oper("Ethernet0", "up")
        self.assertTrue(host.has("Ethernet0", "LOWER_UP"))
        self.assertIn("mtu 9100 ", host.ip("link", "show", "Ethernet0"))
        # Another interface has taken the name meanwhile.
        self.panel.ip("link", "add", "Ethernet4", "type", "veth")
        self.hosts[1].ip("link", "set", "Ethernet4", "name", "eth0")
        self.hosts[1].ip("link", "del", "eth0")
        self.wait_oper("Ethernet4", "down")
        wait_until(lambda: "another interface has its name" in
                   self.host_text(), "the log says why")
        self.panel.ip("link", "del", "Ethernet4")
        wait_until(lambda: "Ethernet4:" in self.panel.ip("-o", "link"),
                   "Ethernet4 is made again")
        self.wait_oper("Ethernet4", "up")

    def test_given_interfaces_are_ports(self):
        # A veth whose one end is a port, and its other end a host's.
        self.panel.ip("link", "add", "p4", "type", "veth", "peer", "name",
                      "Ethernet4", "netns", self.hosts[1].name)
        self.hosts[1].ip("link", "set", "Ethernet4", "up")
        self.panel.ip("link", "add", "p8", "type", "veth", "peer", "name",
                      "Ethernet8", "netns", self.hosts[2].name)
        self.hosts[2].ip("link", "set", "Ethernet8", "up")
        self.begin("--bind", "Ethernet4=p4", "--bind", "Ethernet8=p8")
        self.address(0, 1, 2)
        self.ping(0, 1)
        # What is offloaded, as it is by default, is done by the port.
        self.iperf(self.hosts[1], self.hosts[2], "10.0.0.3")
        self.assertIn("mtu 9100 ", self.panel.ip("link", "show", "p4"))
        # The kernel keeps tags apart; VLAN 5 has no member.
        wires = [self.wire(i) for i in (0, 1)]
        for vlan in (5, 1):
            tagged = frame(1, 0, mark=vlan)
            tagged = Ether(src=tagged.src, dst=tagged.dst) / \
                Dot1Q(vlan=vlan) / tagged[IP]
            wires[1].send(tagged)
        wires[0].wait(lambda f: 1 in map(mark_of, f), "what is for VLAN 1")
        self.assertNotIn(5, map(mark_of, wires[0].take()))
        self.datagrams()
        self.redis.on(CONFIG_DB, "HSET", "PORT|Ethernet4", "admin_status",
                      "down")
        wait_until(lambda: self.hosts[1].has("Ethernet4", "NO-CARRIER"),
                   "the peer has no carrier")
        self.redis.on(CONFIG_DB, "HSET", "PORT|Ethernet4", "admin_status",
                      "up")
        self.wait_oper("Ethernet4", "up")
        # Created again under its name, it is the port again.
        self.panel.ip("link", "del", "p4")
        self.wait_oper("Ethernet4", "down")
        self.panel.ip("link", "add", "p4", "type", "veth", "peer", "name",
                      "Ethernet4", "netns", self.hosts[1].name)
        self.hosts[1].ip("link", "set", "Ethernet4", "up")
        self.wait_oper("Ethernet4", "up")
        self.address(1)
        self.ping(1, 0)

    def datagrams(self):
        """Whose checksums a veth leaves to the hardware, which is us."""
        with self.hosts[0].inside():
            receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        with self.hosts[1].inside():
            sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        with receiver, sender:
            receiver.bind(("10.0.0.1", 5000))
            receiver.settimeout(PATIENCE_S)
            for n in (1, 2, 777, 1000):
                sender.sendto(bytes(range(256)) * 4 + bytes(n),
                              ("10.0.0.1", 5000))
                self.assertEqual(len(receiver.recv(4096)), 1024 + n)
            if kernel() >= (6, 2):  # Others do not tell of such.
                sender.setsockopt(socket.IPPROTO_UDP, UDP_SEGMENT, 500)
                sender.sendto(bytes(2250), ("10.0.0.1", 5000))
                self.assertEqual([len(receiver.recv(4096)) for _ in range(5)],
                                 [500] * 4 + [250])


class Restarts(Switch):
    """What goes on while programs end and begin again."""

    def begin(self, *options):
        super().begin(*options)
        self.wires = [self.wire(0), self.wire(2)]
        self.n_sent = 0
        self.wires[1].send(frame(2, 0))  # The switch knows where it is.
        self.wires[0].wait(lambda frames: frames, "a frame of the other host")

    def traffic(self, n=5):
        """Sends the next frames; they are numbered."""
        self.wires[0].send(*[frame(0, 2, dscp=3, mark=self.n_sent + i)
                             for i in range(n)])
        self.n_sent += n

    def while_traffic(self, condition, what):
        """Waits until condition() is true, and sends meanwhile."""
        def ask():
            self.traffic()
            return condition()
        wait_until(ask, what)
        self.traffic()

    def assert_nothing_was_lost(self):
        frames = self.wires[1].wait(
            lambda f: len(f) >= self.n_sent and f, "all frames")
        self.assertEqual(list(map(mark_of, frames)), list(range(self.n_sent)))

    def counted(self):
        answer = self.control("asic", "snapshot", objects=[
            {"kind": "queue", "name": "Ethernet8", "index": 3}])
        return answer["data"]["objects"][0]["stats"]["packets"]

    def is_settled(self):
        try:
            return self.control("config", "sync")["exit"] == 0
        except (OSError, ValueError):
            return False

    def test_traffic_does_not_notice(self):
        self.begin()
        self.traffic()
        # orchd dies, and is started again.
        self.kill_orchd()
        self.traffic()
        self.start_orchd_only()
        self.while_traffic(self.is_settled, "orchd is back")
        # It is another build, with another schema.
        self.stop_orchd()
        self.start_orchd_only("--yang-dir", self.changed_schemas())
        self.while_traffic(self.is_settled, "the other orchd is there")
        self.wait_log(" created 0, set 0 and removed 0")
        # Redis loses all it has, and gets it again.
        self.kill_redis()
        self.traffic()
        self.redis = self.start_redis()
        self.traffic()
        self.redis.pipeline(as_commands(self.rows))
        self.while_traffic(
            lambda: self.status(self.redis, "BUFFER_PG|Ethernet124|3-4").get(
                "state") == "applied", "orchd has read it again")
        self.while_traffic(self.is_settled, "all is well")
        self.assert_nothing_was_lost()
        # Nor was a counter ever set back.
        self.assertEqual(self.counted(), self.n_sent)

    def changed_schemas(self):
        """The schemas of a release in which a table has one leaf more."""
        path = os.path.join(self.directory, "schemas")
        shutil.copytree(os.path.join(SOURCE, "schemas"), path)
        name = os.path.join(path, "sonic-scheduler.yang")
        with open(name, encoding="utf-8") as file:
            text = file.read()
        old = "leaf weight {"
        self.assertIn(old, text)
        with open(name, "w", encoding="utf-8") as file:
            file.write(text.replace(
                old, "leaf novelty { type string; }\n" + old, 1))
        return path

    def test_a_new_switch_is_programmed(self):
        self.begin()
        picture = asic_picture(self.redis)
        # The chip is gone, and with it its interfaces; another one comes.
        self.kill_host()
        self.wait_log("switch-lost")
        for port in PORTS:
            wait_until(lambda p=port: self.state_row(p)["netdev_oper_status"]
                       == "down", "no link is up without a switch")
        # As if a port had been taken away meanwhile.
        self.redis.on(STATE_DB, "HSET", "PORT_TABLE|Ethernet1", "state", "ok")
        self.start_host("--tap", "Ethernet")
        wait_until(self.is_settled, "orchd has programmed the switch")
        self.wait_applied(self.redis, [row for row in self.rows
                                       if row.startswith("BUFFER_")])
        self.assertEqual(asic_picture(self.redis), picture)
        wait_until(lambda: not self.state_row("Ethernet1"),
                   "the row of a port that is gone goes")
        for host, port in zip(self.hosts, PORTS):
            host.take(port, self.panel)
        for port in PORTS:
            self.wait_oper(port, "up")
        wires = [self.wire(0), self.wire(2)]
        wires[0].send(frame(0, 2, dscp=3))
        wires[1].wait(lambda frames: frames, "a frame")
        self.assertEqual(self.counted(), 1)


class Routed(Switch):
    """Hosts in different subnets, and the switch between them a router."""

    MODEL = "td2"

    def ping(self, source, address, ttl):
        answers = source.run("ping", "-c", 3, "-i", "0.05", "-w", 20, address)
        self.assertGreaterEqual(received(answers), 3)
        self.assertIn(f"ttl={ttl}", answers)

    def test_packets_cross_the_router(self):
        behind = self.space("router")
        spaces = self.hosts[:2] + [behind]
        has_v6 = all([space.allow_ipv6() for space in spaces])
        self.start_host("--tap", "Ethernet", "--host-netns", behind.name)
        subprocess.run(
            [os.path.join(BUILD, "tests", "integration", "router_switch")],
            env={**os.environ, "ORCHD_TEST_REMOTE": "no",
                 "ORCHD_TEST_SOCKET": self.host_socket}, check=True)
        nets = [("10.0.{}.", 24)] + [("200{}::", 64)] * has_v6
        for i, port in enumerate(PORTS[:2]):
            host = self.hosts[i]
            self.panel.ip("link", "set", port, "address", mac_of(i))
            host.take(port, self.panel)
            # The host behind the switch has the addresses of its router.
            behind.ip("link", "set", f"Router{i}", "up")
            self.assertTrue(behind.has(f"Router{i}", "LOWER_UP"))
            for form, bits in nets:
                net, flags = form.format(i + 1), ["nodad"] * (bits == 64)
                behind.ip("addr", "add", f"{net}1/{bits}", "dev",
                          f"Router{i}", *flags)
                host.ip("addr", "add", f"{net}2/{bits}", "dev", port, *flags)
                host.ip("route", "add", "default", "via", net + "1")
        for form, _ in nets:
            self.ping(self.hosts[0], form.format(2) + "2", 63)
            # Who was found by ARP answers himself, too, and asks.
            self.ping(self.hosts[0], form.format(1) + "1", 64)
            self.ping(behind, form.format(2) + "2", 64)
        self.iperf(self.hosts[0], self.hosts[1], "10.0.2.2")


if __name__ == "__main__":
    skip_without_rights("ethtool", "iperf3", "ping", "tcpreplay", "tshark")
    unittest.main(verbosity=2)

# SPDX-License-Identifier: Apache-2.0
"""Trimming and asymmetric PFC with real frames: what hosts behind TAP interfaces
send and get, byte for byte.  The cases are those of the next-generation page
that frames can show."""

import json
import os
import socket
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
# pylint: disable=wrong-import-position
import test_ports as ports  # noqa: E402
from harness import (CONFIG_DB, PATIENCE_S, as_commands,  # noqa: E402
                     not_beside, wait_until)
from namespaces import skip_without_rights  # noqa: E402
from scapy.all import IP, TCP, UDP, Ether, IPv6, Raw  # noqa: E402
from scapy.contrib.mac_control import (  # noqa: E402
    MACControlClassBasedFlowControl)

setUpModule = not_beside("frames enter the switch")

PORTS = ports.PORTS
SINK = PORTS[2]
SIZE, TRIM_DSCP, TRIM_QUEUE, ECT0 = 256, 48, 6, 2
ROW = "SWITCH_TRIMMING|GLOBAL"
# DSCP 0 and 10 are class 1 of the example, 8 is class 0, 48 is class 6.
QUEUE, FILLER_MARK = 1, 7


def trims(port):
    """The rows that have the lossy queues of 'port' trim beyond 20 cells."""
    return {
        ROW: {"size": str(SIZE), "dscp_value": str(TRIM_DSCP),
              "queue_index": str(TRIM_QUEUE)},
        "BUFFER_PROFILE|trims": {
            "pool": "egress_lossy_pool", "size": "0", "static_th": "4160",
            "packet_discard_action": "trim"},
        f"BUFFER_QUEUE|{port}|0-2": {"profile": "trims"}}


def packet(target, size, layers, dscp=0):
    """A packet of 'size' bytes from host 0, by 'layers' ("v4", "udp")."""
    traffic_class = dscp << 2 | ECT0
    network = {
        "v4": IP(src="10.0.0.1", dst=f"10.0.0.{target + 1}", ttl=9,
                 tos=traffic_class),
        "v6": IPv6(src="2001::1", dst=f"2001::{target + 1}", hlim=9,
                   tc=traffic_class)}[layers[0]]
    transport = {"udp": UDP(sport=1, dport=99), "tcp": TCP(sport=1, dport=99)}
    made = Ether(src=ports.mac_of(0), dst=ports.mac_of(target)) / network \
        / transport[layers[1]]
    made = made / Raw(bytes(i % 251 for i in range(size - len(made))))
    return Ether(bytes(made))


def stub(whole, size, dscp):
    """What is left of 'whole': its first bytes with another DSCP, and lengths
    and checksum of the network header that fit."""
    left = Ether(bytes(whole)[:size])
    if IP in left:
        left[IP].tos = dscp << 2 | ECT0
        left[IP].len = min(size, len(whole)) - 14
        del left[IP].chksum
    else:
        left[IPv6].tc = dscp << 2 | ECT0
        left[IPv6].plen = min(size, len(whole)) - 14 - 40
    return bytes(left)


class Trim(ports.Frames):
    """Cases 5 to 8."""

    def begin_trimming(self, *sinks):
        self.begin()
        for sink in sinks or (SINK,):
            self.put(trims(sink))
        return self.learn()

    def put(self, rows):
        self.redis.pipeline(as_commands(rows))
        self.wait_settled()

    def set_trimming(self, **fields):
        for name, value in fields.items():
            self.redis.on(CONFIG_DB, "HSET", ROW, name, str(value))
        self.wait_settled()

    def block(self, port, blocked=True):
        answer = self.control("asic", "block" if blocked else "unblock",
                              ports=[port])
        self.assertEqual(answer["exit"], 0, answer)

    def fill(self, wire, target=2, dscp=0, queue=QUEUE):
        """Queue 'queue' of the blocked port of host 'target' is full after
        that."""
        wire.send(*[ports.frame(0, target, dscp=dscp, size=1000,
                                mark=FILLER_MARK)] * 10)
        wait_until(lambda: self.stats("queue", PORTS[target], queue)[
            "trim_packets"], "the queue is full")

    def congest(self, wires, packets, target=2, **queue):
        """Sends 'packets' while the queue of host 'target' is full; returns
        what comes out but for the filler."""
        name = PORTS[target]
        self.block(name)
        self.fill(wires[0], target, **queue)
        before = self.stats("port", PORTS[0])["if_in_ucast_pkts"]
        wires[0].send(*packets)
        wait_until(lambda: self.stats("port", PORTS[0])["if_in_ucast_pkts"] ==
                   before + len(packets), "all is in the switch")
        self.block(name, False)
        wires[0].send(ports.frame(0, target, dscp=8, mark=1000))
        wires[target].wait(
            lambda frames: any(ports.mark_of(f) == 1000 for f in frames),
            "the last frame")
        # It may have overtaken the others.
        wait_until(lambda: all(
            self.stats("queue", name, i)["curr_occupancy_bytes"] == 0
            for i in range(8)), "nothing waits")
        return [f for f in wires[target].take()
                if ports.mark_of(f) not in (FILLER_MARK, 1000)]

    def expect(self, wires, packets, size, dscp, **place):
        found = self.congest(wires, packets, **place)
        self.assertEqual([f.hex() for f in found],
                         [stub(whole, size, dscp).hex() for whole in packets])

    def test_5_sizes(self):
        wires = self.begin_trimming()
        self.expect(wires, [packet(2, 400, (network, transport))
                            for network in ("v4", "v6")
                            for transport in ("udp", "tcp")], SIZE, TRIM_DSCP)
        # Shorter ones stay whole, and move.
        self.expect(wires, [packet(2, 100, ("v4", "udp")),
                            packet(2, 256, ("v6", "udp"))], SIZE, TRIM_DSCP)
        self.set_trimming(size=4084)
        self.expect(wires, [packet(2, 5000, ("v4", "tcp")),
                            packet(2, 5000, ("v6", "tcp"))], 4084, TRIM_DSCP)
        self.assertGreater(
            self.stats("queue", SINK, TRIM_QUEUE)["packets"], 7)

    def test_6_the_dscp_of_a_class_by_port(self):
        wires = self.begin_trimming(PORTS[1], SINK)
        maps = {"TC_TO_DSCP_MAP|ten": {"5": "10"},
                "TC_TO_DSCP_MAP|twenty": {"5": "20"},
                f"PORT_QOS_MAP|{PORTS[1]}": {"tc_to_dscp_map": "ten"},
                f"PORT_QOS_MAP|{SINK}": {"tc_to_dscp_map": "twenty"}}
        self.put(maps)
        for _ in range(5):
            self.set_trimming(dscp_value="from-tc", tc_value=5)
            for target, dscp in ((1, 10), (2, 20)):
                self.expect(wires, [packet(target, 400, ("v4", "udp"))], SIZE,
                            dscp, target=target)
            self.set_trimming(dscp_value=46)
            for target in (1, 2):
                self.expect(wires, [packet(target, 400, ("v4", "udp"))], SIZE,
                            46, target=target)
        # DSCP 4 has a queue of its own, which is not full.
        idle = packet(2, 400, ("v4", "udp"), dscp=4)
        self.assertEqual([f.hex() for f in self.congest(wires, [idle])],
                         [bytes(idle).hex()])

    def acl(self, session, match, action):
        """Sets the rule of the first port, until 'session' ends."""
        session.write(json.dumps(
            {"noun": "breakpoint", "verb": "acl", "args": {
                "port": PORTS[0], "match": match, "action": action}}) + "\n")
        session.flush()
        answer = json.loads(session.readline())
        self.assertEqual(answer["exit"], 0, answer)

    def test_7_an_access_list_exempts(self):
        wires = self.begin_trimming()
        exempt = packet(2, 400, ("v4", "udp"))
        other = packet(2, 400, ("v4", "udp"))
        exempt[IP].dst, other[IP].dst = "1.1.1.1", "1.1.1.2"
        del exempt[IP].chksum, other[IP].chksum
        exempt, other = Ether(bytes(exempt)), Ether(bytes(other))
        both = [exempt, other, exempt, other]
        before = self.stats("queue", SINK, QUEUE)["dropped_packets"]
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(os.path.join(self.directory, "control.sock"))
            connection.settimeout(PATIENCE_S)
            with connection.makefile("rw") as session:
                self.acl(session, "DST_IP=1.1.1.1&mask:255.255.255.255",
                         "PACKET_TRIM_DISABLE=true")
                self.assertEqual([f.hex() for f in self.congest(wires, both)],
                                 [stub(other, SIZE, TRIM_DSCP).hex()] * 2)
                self.assertGreaterEqual(
                    self.stats("queue", SINK, QUEUE)["dropped_packets"] -
                    before, 4)
                self.acl(session, "any", "none")
                self.expect(wires, both, SIZE, TRIM_DSCP)

    def counters(self, kind, name, index=None):
        stats = self.stats(kind, name, index)
        return [stats[f"{word}trim_packets"] for word in ("", "tx_", "dropped_")]

    def test_8_counters(self):
        wires = self.begin_trimming(PORTS[1], SINK)
        objects = {"port 1": ("port", PORTS[1]), "port 2": ("port", SINK),
                   "1 of 1": ("queue", PORTS[1], 1),
                   "0 of 1": ("queue", PORTS[1], 0),
                   "1 of 2": ("queue", SINK, 1)}

        def hundred(target, dscp, queue):
            """Returns by how much the counters go up with 100 frames."""
            self.block(PORTS[target])
            self.fill(wires[0], target, dscp=dscp, queue=queue)
            before = {key: self.counters(*of) for key, of in objects.items()}
            wires[0].send(*[packet(target, 400, ("v4", "udp"), dscp=dscp)] * 100)
            wait_until(lambda: self.counters("port", PORTS[target])[0] ==
                       before[f"port {target}"][0] + 100, "all are trimmed")
            waiting = {key: self.counters(*of)[1] for key, of in objects.items()}
            self.block(PORTS[target], False)
            for index in range(8):
                wait_until(lambda i=index: self.stats("queue", PORTS[target], i)[
                    "curr_occupancy_bytes"] == 0, "nothing waits")
            return {key: [after - (waiting[key] if i == 1 else before[key][i])
                          for i, after in enumerate(self.counters(*of))]
                    for key, of in objects.items()}

        def is_sent(got, key, trimmed):
            """The filler that was trimmed leaves, too."""
            self.assertEqual(got[key][0], trimmed, (key, got))
            self.assertGreaterEqual(got[key][1], trimmed, (key, got))
            self.assertEqual(got[key][2], 0, (key, got))

        got = hundred(1, 0, 1)
        is_sent(got, "port 1", 100)
        is_sent(got, "1 of 1", 100)
        self.assertEqual(got["0 of 1"], [0, 0, 0])
        got = hundred(1, 8, 0)
        is_sent(got, "port 1", 100)
        is_sent(got, "0 of 1", 100)
        self.assertEqual(got["1 of 1"], [0, 0, 0])
        got = hundred(2, 0, 1)
        is_sent(got, "port 2", 100)
        self.assertEqual(got["port 1"], [0, 0, 0])
        # The queue for what is left admits nothing.
        self.put({"BUFFER_PROFILE|none": {"pool": "egress_lossy_pool",
                                          "size": "0", "static_th": "1"},
                  f"BUFFER_QUEUE|{SINK}|{TRIM_QUEUE}": {"profile": "none"}})
        wires[2].take()
        self.block(SINK)
        wires[0].send(*[ports.frame(0, 2, dscp=TRIM_DSCP, size=200,
                                    mark=FILLER_MARK)] * 5)
        wait_until(lambda: self.stats("queue", SINK, TRIM_QUEUE)[
            "dropped_packets"], "the queue for stubs is full")
        self.fill(wires[0])
        before = self.counters("queue", SINK, QUEUE)
        wires[0].send(*[packet(2, 400, ("v4", "udp"))] * 100)
        wait_until(lambda: self.counters("queue", SINK, QUEUE) == [
            before[0] + 100, before[1], before[2] + 100], "100 are dropped")
        self.assertEqual(self.counters("port", SINK),
                         self.counters("queue", SINK, QUEUE))
        self.block(SINK, False)
        self.assertEqual([f for f in wires[2].take() if not ports.mark_of(f)],
                         [])


class Asymmetric(ports.Frames):
    """Case 25: a server that pauses all priorities."""

    def pause_all(self, wire, quanta):
        wire.send(Ether(dst=ports.PAUSE_ADDRESS, src=ports.mac_of(2)) /
                  MACControlClassBasedFlowControl(**{
                      f"c{i}_{what}": value for i in range(8)
                      for what, value in (("enabled", 1),
                                          ("pause_time", quanta))}))

    def pauses(self, frames):
        """The priorities that pause frames name."""
        return sorted({i for f in frames if ports.is_pause(f)
                       for i in range(8) if f[17] >> i & 1})

    def begin_with(self, asym):
        # A pause lasts 7 s then, longer than a loaded machine needs to send.
        self.begin("--dilation", "20000")
        for port in PORTS:
            self.redis.on(CONFIG_DB, "HSET", "PORT|" + port, "pfc_asym", asym)
        # A lossy queue of the sink holds little.
        self.redis.pipeline(as_commands({
            "BUFFER_PROFILE|small": {"pool": "egress_lossy_pool", "size": "0",
                                     "static_th": "41600"},
            f"BUFFER_QUEUE|{SINK}|0-2": {"profile": "small"}}))
        self.wait_settled()
        wires = self.learn()
        self.pause_all(wires[2], 65535)
        wait_until(lambda: all(self.stats("port", SINK)[f"pfc_{i}_rx_pkts"]
                               for i in range(8)), "all pauses are counted")
        return wires

    def send_lossless(self, wires, waiting):
        """More than priority 3 may share of the buffer, and less than that and
        its headroom; then all leaves in order."""
        wires[0].send(*[ports.frame(0, 2, dscp=3, size=9000, mark=3)] * 45)
        wires[0].wait(lambda f: any(map(ports.is_pause, f)),
                      "the switch pauses us")
        self.assertEqual(self.stats("pg", PORTS[0], 3)["dropped_packets"], 0)
        self.assertNotIn(3, map(ports.mark_of, wires[2].poll()))
        self.pause_all(wires[2], 0)
        wires[2].wait(lambda f: [ports.mark_of(x) for x in f].count(3) == 45 and
                      len(f) >= 45 + waiting, "what was held")
        self.assertEqual(self.pauses(wires[0].take()), [3])
        for i in (0, 1, 2, 5, 6, 7):
            self.assertEqual(self.stats("port", PORTS[0])[f"pfc_{i}_tx_pkts"],
                             0, i)
        self.assertEqual(self.stats("port", PORTS[0])["if_in_discards"], 0)

    def test_25_symmetric(self):
        wires = self.begin_with("off")
        wires[0].send(*[ports.frame(0, 2, dscp=0, mark=8)] * 100)
        wires[2].wait(lambda f: len(f) == 100, "lossy packets pass")
        self.assertEqual(self.stats("queue", SINK, 1)["dropped_packets"], 0)
        self.send_lossless(wires, 100)

    def test_25_asymmetric(self):
        wires = self.begin_with("on")
        before = self.stats("port", PORTS[0])["if_in_ucast_pkts"]
        wires[0].send(*[ports.frame(0, 2, dscp=0, mark=8)] * 100)
        wait_until(lambda: self.stats("port", PORTS[0])["if_in_ucast_pkts"] ==
                   before + 100, "all is in the switch")
        dropped = self.stats("queue", SINK, 1)["dropped_packets"]
        # 41,600 bytes are 200 cells, of which a frame takes 5.
        self.assertTrue(50 <= dropped <= 65, dropped)
        self.assertEqual(self.stats("port", SINK)["if_out_discards"], dropped)
        self.assertEqual(self.stats("port", PORTS[0])["if_in_discards"], 0)
        self.assertEqual(wires[2].poll(), [])
        self.assertEqual(self.pauses(wires[0].poll()), [])
        self.send_lossless(wires, 100 - dropped)


if __name__ == "__main__":
    skip_without_rights()
    for case in (ports.Frames, ports.Switch):
        for name in [name for name in vars(case) if name.startswith("test_")]:
            delattr(case, name)  # They are those of test_ports.py.
    unittest.main(verbosity=2)

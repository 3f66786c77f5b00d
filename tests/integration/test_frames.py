# SPDX-License-Identifier: Apache-2.0
"""Bridged and routed frames, byte for byte, against those that scapy builds.

The switch is frame_switch.c, which says what is behind its ports.  What a frame
must be when it comes out is built by scapy from its fields, its checksums
included, so nothing of the switch's own arithmetic is trusted."""

import os
import random
import subprocess
import sys
import unittest

DEBIAN_PYTHON = "/usr/bin/python3"

try:
    import scapy.all as scapy
except ImportError:
    # python3-scapy is installed for Debian's own Python.
    if sys.executable != DEBIAN_PYTHON and subprocess.run(
            [DEBIAN_PYTHON, "-c", "import scapy.all"], check=False,
            stderr=subprocess.DEVNULL).returncode == 0:
        os.execv(DEBIAN_PYTHON, [DEBIAN_PYTHON] + sys.argv)
    print("skipped: scapy is not installed (python3-scapy)")
    sys.exit(77)

BENCH = os.path.join(os.environ.get("top_builddir", "."),
                   "tests", "integration", "frame_switch")
ROUTER = "02:73:61:01:00:00"
HOST = "02:00:00:00:00:09"
SEED = 4711
CPU = "cpu"


def host(number):
    return "02:00:00:00:00:%02x" % number


def ether(tag=None, priority=0, source=HOST, to=ROUTER):
    frame = scapy.Ether(dst=to, src=source)
    return frame / scapy.Dot1Q(vlan=tag, prio=priority) if tag else frame


class Frames(unittest.TestCase):

    def setUp(self):
        self.bench = subprocess.Popen([BENCH], stdin=subprocess.PIPE,
                                    stdout=subprocess.PIPE, text=True)

    def tearDown(self):
        self.bench.stdin.close()
        self.bench.stdout.read()
        self.bench.stdout.close()
        self.assertEqual(self.bench.wait(), 0)

    def send(self, port, frame):
        """Returns what comes out: pairs of port and bytes."""
        self.bench.stdin.write("%d %s\n" % (port, bytes(frame).hex()))
        self.bench.stdin.flush()
        out = []
        for line in self.bench.stdout:
            if line == ".\n":
                return out
            self.assertNotEqual(line, "?\n")
            name, text = line.split()
            out.append((name, bytes.fromhex(text)))
        self.fail("the switch has ended")

    def expect(self, port, frame, *wanted):
        """Sends, and compares with pairs of port and frame."""
        got = self.send(port, frame)
        self.assertEqual([(name, data.hex()) for name, data in got],
                         [(str(name), bytes(out).hex())
                          for name, out in wanted])

    # Routing

    def test_ipv4_from_port_to_port(self):
        for packet in (
                scapy.UDP(sport=1, dport=2) / b"payload",
                scapy.TCP(sport=3, dport=4, flags="S") / b"",
                scapy.ICMP(), scapy.Raw(b"x" * 1480)):
            ip = scapy.IP(src="10.0.0.9", dst="20.1.2.3", tos=0x2d, id=777,
                          ttl=64)
            out = ip.copy()
            out.ttl = 63
            self.expect(0, ether() / ip / packet,
                        (1, ether(source=ROUTER, to=host(2))
                         / out / packet))

    def test_random_ipv4(self):
        dice = random.Random(SEED)
        ways = {20: (1, 2, None), 21: (3, 3, 100), 22: (2, 4, None),
                23: (4, 5, 200)}
        for _ in range(300):
            to = dice.choice(sorted(ways))
            port, last, tag = ways[to]
            fields = {"src": "10.0.0.%d" % dice.randrange(2, 255),
                      "dst": "%d.%d.0.1" % (to, dice.randrange(256)),
                      "tos": dice.randrange(256),
                      "id": dice.randrange(65536),
                      "flags": dice.choice(["", "DF"]),
                      "frag": dice.choice([0, 0, 0, 100])}
            payload = scapy.UDP(sport=dice.randrange(65536),
                                dport=dice.randrange(65536)) \
                / dice.randbytes(dice.randrange(1400))
            ttl = dice.randrange(2, 256)
            with self.subTest(seed=SEED, ttl=ttl, **fields):
                self.expect(
                    0, ether() / scapy.IP(ttl=ttl, **fields) / payload,
                    (port, ether(tag, source=ROUTER, to=host(last))
                     / scapy.IP(ttl=ttl - 1, **fields) / payload))

    def test_random_ipv6(self):
        dice = random.Random(SEED)
        for _ in range(200):
            fields = {"src": "2009::%x" % dice.randrange(1, 65536),
                      "dst": "2002::%x" % dice.randrange(1, 65536),
                      "tc": dice.randrange(256),
                      "fl": dice.randrange(1 << 20)}
            payload = dice.choice([
                scapy.UDP(sport=5, dport=6) / b"1234",
                scapy.TCP(sport=7, dport=8),
                scapy.IPv6ExtHdrDestOpt() / scapy.UDP(sport=1, dport=2),
                scapy.IPv6ExtHdrFragment(offset=3, m=1) / b"12345678"])
            limit = dice.randrange(2, 256)
            with self.subTest(seed=SEED, limit=limit, **fields):
                self.expect(
                    0, ether() / scapy.IPv6(hlim=limit, **fields) / payload,
                    (1, ether(source=ROUTER, to=host(22))
                     / scapy.IPv6(hlim=limit - 1, **fields) / payload))

    def test_tags_come_go_and_change(self):
        def ip(to, ttl):
            return scapy.IP(src="10.0.0.9", dst=to, ttl=ttl) \
                / scapy.UDP() / b"data"

        for port, tag, to, out_port, last, out_tag in (
                (4, 200, "20.0.0.1", 1, 2, None),
                (3, 100, "20.0.0.1", 1, 2, None),
                (4, 200, "21.0.0.1", 3, 3, 100),
                (3, 100, "23.0.0.1", 4, 5, 200),
                (2, None, "21.0.0.1", 3, 3, 100),
                (2, None, "20.0.0.1", 1, 2, None)):
            with self.subTest(port=port, to=to):
                # The priority of a tag outlives the tag's number.
                self.expect(
                    port, ether(tag, 5) / ip(to, 64),
                    (out_port,
                     ether(out_tag, 5 if tag else 0, ROUTER, host(last))
                     / ip(to, 63)))

    def test_neighbor_without_a_route_and_back(self):
        self.expect(
            1, ether() / scapy.IP(src="20.0.0.1", dst="10.0.0.9", ttl=9)
            / scapy.TCP(),
            (0, ether(source=ROUTER, to=host(9))
             / scapy.IP(src="20.0.0.1", dst="10.0.0.9", ttl=8) / scapy.TCP()))

    def test_padding_is_kept(self):
        pad = scapy.Padding(b"\0" * 20)
        self.expect(
            0, ether() / scapy.IP(src="10.0.0.9", dst="20.0.0.1", ttl=9)
            / scapy.UDP() / pad,
            (1, ether(source=ROUTER, to=host(2))
             / scapy.IP(src="10.0.0.9", dst="20.0.0.1", ttl=8)
             / scapy.UDP() / pad))

    def test_for_the_processor_as_they_came(self):
        for frame in (
                ether() / scapy.IP(dst="10.0.0.1", src="10.0.0.9", ttl=1)
                / scapy.ICMP(),
                ether() / scapy.IP(dst="20.0.0.1", src="10.0.0.9", ttl=1)
                / scapy.UDP(),
                ether() / scapy.IP(dst="20.0.0.1", src="10.0.0.9", ttl=0)
                / scapy.UDP(),
                ether() / scapy.IPv6(dst="2002::1", src="2009::1", hlim=1)
                / scapy.UDP(),
                ether() / scapy.IPv6(dst="2002::1", src="2009::1")
                / scapy.IPv6ExtHdrHopByHop() / scapy.UDP(),
                ether() / scapy.IP(dst="20.0.0.1", src="10.0.0.9",
                                   options=scapy.IPOption(b"\x01\x01\x01\x00"))
                / scapy.UDP()):
            self.expect(0, frame, (CPU, frame))

    def test_what_must_not_be_routed(self):
        def ip(**fields):
            return scapy.IP(**{"src": "10.0.0.9", "dst": "20.0.0.1",
                               **fields}) / scapy.UDP()

        cut = bytes(ether() / ip())[:30]
        for name, frame in (
                ("checksum", ether() / ip(chksum=0x1234)),
                ("version", ether() / ip(version=5)),
                ("length", ether() / ip(len=500)),
                ("cut", cut),
                ("source is a group", ether() / ip(src="224.0.0.1")),
                ("loopback", ether() / ip(dst="127.0.0.1")),
                ("no route", ether() / ip(dst="99.0.0.1")),
                ("too long", ether() / ip() / (b"x" * 1473)),
                ("link local", ether() / scapy.IPv6(src="fe80::1",
                                                    dst="2002::1")
                 / scapy.UDP()),
                ("MPLS", scapy.Ether(dst=ROUTER, src=HOST, type=0x8847)
                 / scapy.Raw(bytes.fromhex("0001017f")) / ip()),
                ("tag of no interface", ether(7) / ip())):
            with self.subTest(name):
                self.expect(0, frame)
        # As long as may be.
        self.assertEqual(len(self.send(0, ether() / ip() / (b"x" * 1472))), 1)

    # Trimming

    def test_trimmed_packets_are_routed(self):
        """What is left is what would have left whole, cut: with another DSCP,
        lengths that fit, and the TTL less one."""
        def packet(kind, transport, size, ttl, dscp, to=ROUTER, source=HOST):
            traffic_class = dscp << 2 | 2  # ECT(0) stays.
            network = scapy.IP(src="10.0.0.9", dst="24.1.2.3", ttl=ttl,
                               tos=traffic_class) if kind == 4 else \
                scapy.IPv6(src="2009::9", dst="2008::1", hlim=ttl,
                           tc=traffic_class)
            frame = scapy.Ether(dst=to, src=source) / network / transport
            frame = frame / bytes(i % 251 for i in range(size - len(frame)))
            return scapy.Ether(bytes(frame))

        for kind, last in ((4, 7), (6, 77)):
            for transport in (scapy.UDP(sport=5, dport=6),
                              scapy.TCP(sport=5, dport=6)):
                for size in (100, 256, 257, 400, 1514):
                    with self.subTest(kind=kind, transport=transport.name,
                                      size=size):
                        whole = packet(kind, transport, size, 9, 5)
                        left = packet(kind, transport, size, 8, 48, host(last),
                                      ROUTER)
                        left = scapy.Ether(bytes(left)[:256])
                        if kind == 4:
                            left[scapy.IP].len = len(left) - 14
                            del left[scapy.IP].chksum
                        else:
                            left[scapy.IPv6].plen = len(left) - 14 - 40
                        self.expect(0, whole, (7, left))

    # Bridging

    def test_flooding_then_learning(self):
        hello = scapy.Ether(dst="ff:ff:ff:ff:ff:ff", src=host(0x51)) \
            / scapy.ARP(psrc="1.1.1.1", pdst="1.1.1.2")
        answer = scapy.Ether(dst=host(0x51), src=host(0x61)) \
            / scapy.ARP(op=2)
        stranger = scapy.Ether(dst=host(0x61), src=host(0x51)) \
            / scapy.IP(dst="9.9.9.9", ttl=1, chksum=5) / scapy.TCP()
        self.expect(5, stranger, (6, stranger))  # Flooded: not known yet.
        self.expect(5, hello, (6, hello))
        self.expect(6, answer, (5, answer))
        self.expect(5, stranger, (6, stranger))
        # Filtered: its destination is where it came from.
        self.expect(6, scapy.Ether(dst=host(0x61), src=host(0x71))
                    / scapy.Raw(b"x"))

    def test_bridging_changes_nothing_but_tags(self):
        ip = scapy.IP(src="1.1.1.1", dst="2.2.2.2", ttl=1, chksum=1) \
            / scapy.UDP()
        self.expect(2, scapy.Ether(dst=host(3), src=host(0x21)) / ip,
                    (3, ether(100, 0, host(0x21), host(3)) / ip))
        self.expect(3, ether(100, 6, host(0x31), host(4)) / ip,
                    (2, ether(None, 0, host(0x31), host(4)) / ip))
        labels = scapy.Ether(dst=host(3), src=host(0x21), type=0x8847) \
            / scapy.Raw(bytes.fromhex("00010a3f0006413e")) / ip
        tagged = scapy.Ether(dst=host(3), src=host(0x21)) \
            / scapy.Dot1Q(vlan=100, type=0x8847) / labels.payload
        self.expect(2, labels, (3, tagged))

    def test_inner_tag_is_payload(self):
        inner = scapy.Dot1Q(vlan=7, prio=2) / scapy.IP() / scapy.UDP()
        self.expect(3, ether(100, 1, host(0x31), host(4)) / inner,
                    (2, ether(None, 0, host(0x31), host(4)) / inner))


    # Tunnels

    @staticmethod
    def combine_ecn(outer, inner):
        """RFC 6040 figure 4, as rules; None: the packet is dropped."""
        if outer == 3:
            return None if inner == 0 else 3
        return 1 if (outer, inner) == (1, 2) else inner

    def test_decapsulation(self):
        """Every pair of families, with models that differ: what comes out is
        the inner packet with the fields that the models say."""
        dice = random.Random(SEED)
        tunnels = ("uniform", ("10.1.0.1", "2001::f1"), False, False, False), \
            ("pipe", ("10.1.0.2", "2001::f2"), True, True, True), \
            ("mixed", ("10.1.0.3",), True, False, True)
        for _ in range(400):
            name, ends, pipes_ttl, pipes_dscp, copies = dice.choice(tunnels)
            end = dice.choice(ends)
            v6 = dice.random() < 0.5
            ttl, inner_ttl = dice.randrange(2, 256), dice.randrange(2, 256)
            traffic, inner_traffic = dice.randrange(256), dice.randrange(256)
            payload = scapy.UDP(sport=1, dport=2) \
                / dice.randbytes(dice.randrange(1200))

            def inner(tos, hops, v6=v6):
                return scapy.IPv6(src="2009::9", dst="2002::7", tc=tos,
                                  hlim=hops, fl=0x12345) \
                    if v6 else scapy.IP(src="30.0.0.9", dst="20.0.0.7",
                                        tos=tos, ttl=hops, id=77)
            outer = scapy.IPv6(src="2009::1", dst=end, tc=traffic, hlim=ttl) \
                if ":" in end else scapy.IP(src="10.0.0.9", dst=end,
                                            tos=traffic, ttl=ttl)
            ecn = traffic & 3 if copies else self.combine_ecn(
                traffic & 3, inner_traffic & 3)
            dscp = (inner_traffic if pipes_dscp else traffic) & ~3
            hops = (inner_ttl if pipes_ttl else ttl) - 1
            packet = inner(inner_traffic, inner_ttl) / payload
            frame = ether() / outer / packet
            with self.subTest(seed=SEED, tunnel=name, end=end, v6=v6,
                              traffic=(traffic, inner_traffic),
                              ttl=(ttl, inner_ttl)):
                if ecn is None:
                    self.expect(0, frame)
                    continue
                out = bytes(ether(source=ROUTER, to=host(22 if v6 else 2))
                            / inner(dscp | ecn, hops) / payload)
                if v6:
                    out = out[:12] + b"\x86\xdd" + out[14:]
                self.expect(0, frame, (1, out.ljust(60, b"\0")))

    def test_decapsulated_packet_keeps_priority_of_its_tag(self):
        payload = scapy.Raw(b"x" * 100)
        self.expect(
            3, ether(100, priority=5) / scapy.IP(src="10.0.100.3",
                                                 dst="10.1.0.2", ttl=9)
            / scapy.IP(src="1.2.3.4", dst="23.0.0.1", ttl=7) / payload,
            (4, ether(200, priority=5, source=ROUTER, to=host(5))
             / scapy.IP(src="1.2.3.4", dst="23.0.0.1", ttl=6) / payload))

    def test_packet_in_a_tunnel_of_which_ttl_expires(self):
        """The outer header has arrived: its TTL may be 1. Of a pipe the inner
        one counts, else the outer one."""
        payload = scapy.Raw(b"x" * 100)
        inner = scapy.IP(src="30.0.0.9", dst="20.0.0.7", ttl=9)
        out = inner.copy()
        out.ttl = 8
        self.expect(0, ether() / scapy.IP(src="10.0.0.9", dst="10.1.0.2",
                                          ttl=1) / inner / payload,
                    (1, ether(source=ROUTER, to=host(2)) / out / payload))
        out.ttl = 1
        self.expect(0, ether() / scapy.IP(src="10.0.0.9", dst="10.1.0.1",
                                          ttl=1) / inner / payload,
                    (CPU, ether() / out / payload))

    def test_only_the_peer_of_a_tunnel_with_two_ends_is_decapsulated(self):
        inner = scapy.IP(src="30.0.0.9", dst="20.0.0.7") / scapy.Raw(b"x" * 99)
        self.expect(0, ether() / scapy.IP(src="10.0.0.8", dst="10.1.0.3")
                    / inner)

    def test_malformed_packet_in_a_tunnel_is_dropped(self):
        for inner in (bytes(10),
                      bytes(scapy.IP(dst="20.0.0.7", chksum=1)) + bytes(40),
                      bytes(scapy.IP(dst="20.0.0.7", len=500)) + bytes(40)):
            self.expect(0, ether() / scapy.IP(src="10.0.0.9", dst="10.1.0.1",
                                              proto=4) / scapy.Raw(inner))

    def test_tunnel_in_a_tunnel_is_opened_once(self):
        innermost = scapy.IP(src="1.2.3.4", dst="5.6.7.8") / scapy.Raw(b"y" * 50)
        inner = scapy.IP(src="30.0.0.9", dst="20.0.0.7", ttl=5)
        out = inner.copy()
        out.ttl = 4
        self.expect(0, ether() / scapy.IP(src="10.0.0.9", dst="10.1.0.2")
                    / inner / innermost,
                    (1, ether(source=ROUTER, to=host(2)) / out / innermost))

    def test_fragments_of_a_tunnel_are_not_opened(self):
        inner = scapy.IP(src="30.0.0.9", dst="20.0.0.7") / scapy.Raw(b"x" * 99)
        self.expect(0, ether() / scapy.IP(src="10.0.0.9", dst="10.1.0.1",
                                          frag=8, proto=4)
                    / scapy.Raw(bytes(inner)))


if __name__ == "__main__":
    unittest.main()

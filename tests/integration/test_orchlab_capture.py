#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Captures of a run, as tshark decodes them: fields, numbers of packets and
times are those of the run."""
import json
import os
import shutil
import subprocess
import tempfile
import unittest
import zlib
from collections import Counter, namedtuple

BUILD = os.environ.get('top_builddir', '.')
FIELDS = {
    'time': 'frame.time_epoch', 'kind': 'eth.type', 'bytes': 'frame.len',
    'source': 'ip.src', 'destination': 'ip.dst', 'ecn': 'ip.dsfield.ecn',
    'dscp': 'ip.dsfield.dscp', 'port': 'udp.srcport',
    'opcode': 'infiniband.bth.opcode', 'qp': 'infiniband.bth.destqp',
    'psn': 'infiniband.bth.psn', 'ack': 'infiniband.bth.a',
    'length': 'infiniband.reth.dmalen', 'msn': 'infiniband.aeth.msn',
    'vector': 'macc.cbfc.enbv',
    'pause': 'macc.cbfc.pause_time.c3', 'protocols': 'frame.protocols',
    'complaint': '_ws.expert.message'}
Packet = namedtuple('Packet', FIELDS)
FIRST, MIDDLE, LAST, SEND_ONLY = 6, 7, 8, 4
RESPONSES, ACK, CNP = {13, 14, 15, 16}, 17, 0x81
CE, PFC = 3, 0x8808

SCENARIO = """
name: captured
seed: 1
fabric: {clos: {t0: 2, t1: 1, hosts: 4, rate: 100G}}
hosts: {default: {nic: gen2}}
traffic:
  - {name: load, rc: {pattern: incast, from: 'h-0-*', to: h-1-0, size: 100KB}}
  - {name: read, rc: {pattern: pairs, from: h-1-0, to: h-0-0, size: 9000,
                      verb: read}}
  - {name: raw, priority: 0, raw: {pattern: pairs, from: h-0-1, to: h-1-0,
                                   frames: 20}}
record: {pcap: [t0-1.h-1-0, h-0-1.t0-0]}
stop: 2ms
"""
# Each hundredth packet of the link is lost.
TCP = """
name: tcp
seed: 1
fabric: {star: {hosts: 2, rate: 100G}}
traffic:
  - {tcp: {pattern: pairs, from: h-0-0, to: h-0-1, size: 300KB}}
faults: [{drop_every: 100, link: t0-0.h-0-1, direction: forward}]
record: {pcap: [h-0-0.t0-0]}
stop: 1s
stop_when_done: true
"""
# A queue that is nearly always full trims what it does not admit.
TRIMMED = """
name: trimmed
seed: 1
fabric:
  star: {hosts: 5, rate: 40G}
  switch:
    t0:
      config: t0-32x40g
      set: {BUFFER_PROFILE|egress_lossy_profile: {dynamic_th: '-6',
                                                  packet_discard_action: trim}}
hosts: {default: {dcqcn: off, tcp: {initial_window: 100}}}
traffic:
  - {priority: 1, rc: {pattern: incast, from: 'h-0-[1..2]', to: h-0-0,
                       size: 300KB}}
  - {priority: 1, tcp: {pattern: incast, from: 'h-0-[3..4]', to: h-0-0,
                        size: 300KB}}
record: {pcap: [t0-0.h-0-0]}
stop: 1ms
"""
# One I/O each: at first a disk write, then a disk read.
SK_RDMA = """
name: sk-rdma
seed: 1
fabric: {star: {hosts: 2, rate: 100G}}
traffic:
  - {name: write, sk_rdma: {pattern: pairs, from: h-0-0, to: h-0-1, size: 3000,
                            disk: 10us}}
  - {name: read, start: 100us,
     sk_rdma: {pattern: pairs, from: h-0-0, to: h-0-1, size: 3000, disk: 10us,
               reads: 1}}
record: {pcap: [h-0-0.t0-0]}
stop: 1ms
"""
# Without congestion control the receiver's switch pauses those before it.
PAUSED = """
name: paused
seed: 1
fabric: {star: {hosts: 9, rate: 100G}}
hosts: {default: {dcqcn: off}}
traffic:
  - {name: load, rc: {pattern: incast, from: all, to: h-0-0, size: 1MB}}
record: {pcap: {at: [t0-0.h-0-1, h-0-1.t0-0], limit: 1500}}
stop: 10ms
"""


@unittest.skipUnless(shutil.which('tshark'), 'tshark is not installed')
class Capture(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix='orchlab')
        self.addCleanup(shutil.rmtree, self.folder)

    def lab(self, *words, code=0):
        run = subprocess.run([f'{BUILD}/orchlab/orchlab', '--results',
                              f'{self.folder}/r', *words],
                             capture_output=True, text=True,
                             stdin=subprocess.DEVNULL)
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        return run.stdout + run.stderr

    def run_text(self, text, *words, code=0):
        path = f'{self.folder}/x.yaml'
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)
        return self.lab('run', path, '--quiet', *words, code=code)

    def show(self, what):
        return json.loads(self.lab('--json', 'show', 'last', what))

    def path(self, port):
        name, = (name for name in os.listdir(f'{self.folder}/r')
                 if name.endswith(f'.{port}.pcap'))
        return f'{self.folder}/r/{name}'

    def tshark(self, port, *words):
        run = subprocess.run(
            ['tshark', '-n', '-r', self.path(port), '-o',
             'ip.check_checksum:TRUE', *words], capture_output=True,
            text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout

    def packets(self, port):
        """What tshark decodes; it has nothing to complain about."""
        words = [word for name in FIELDS.values() for word in ('-e', name)]
        found = []
        for line in self.tshark(port, '-T', 'fields', '-E', 'separator=;',
                                *words).splitlines():
            values = line.split(';')
            # The time as integer nanoseconds.
            values[0] = str(int(values[0].replace('.', '')))
            found.append(Packet(*(int(value, 0) if value[:1].isdigit() and
                                  value.count('.') == 0 else value
                                  for value in values)))
        self.assertEqual({packet.complaint for packet in found}, {''})
        return found

    def test_segments_of_tcp(self):
        """Headers, options and checksums; no segment is odd in itself."""
        self.run_text(TCP)
        flow, = self.show('flows')
        self.assertGreater(flow['retransmitted'], 0)
        fields = ['ip.src', 'tcp.len', 'tcp.seq_raw', 'tcp.ack_raw',
                  'tcp.options.sack_le', 'tcp.checksum.status',
                  'ip.checksum.status', 'tcp.flags.push', 'tcp.stream',
                  'frame.len', 'tcp.flags']
        text = self.tshark('h-0-0.t0-0', '-o', 'tcp.check_checksum:TRUE', '-T',
                           'fields', '-E', 'separator=;',
                           *(word for name in fields for word in ('-e', name)))
        rows = [line.split(';') for line in text.splitlines()]
        data = [row for row in rows if row[1] != '0']
        acks = [row for row in rows if row[1] == '0']
        self.assertEqual(len(data), flow['packets'])
        self.assertEqual({row[0] for row in data}, {'10.0.0.2'})
        self.assertEqual({row[0] for row in acks}, {'10.0.0.3'})
        self.assertEqual({(row[5], row[6]) for row in rows}, {('1', '1')})
        self.assertEqual({row[8] for row in rows}, {'0'})
        self.assertEqual(len({row[2] for row in data}),
                         flow['packets'] - flow['retransmitted'])
        self.assertEqual({int(row[9]) - int(row[1]) for row in data}, {54})
        self.assertTrue(any(row[4] for row in acks))
        self.assertFalse(any(row[4] for row in data))
        self.assertEqual(max(int(row[3]) for row in acks), 1 + 300000)
        self.assertEqual([row[2] for row in data if row[7] in ('1', 'True')],
                         [str(1 + 300000 // 1460 * 1460)])

    def test_order_of_sk_rdma(self):
        """FMR (not on the wire) and SEND, READ or WRITE, SEND with invalidate,
        all with the key of the I/O."""
        self.run_text(SK_RDMA)
        fields = ['infiniband.bth.opcode', 'infiniband.reth.r_key',
                  'infiniband.ieth', 'ip.src']
        text = self.tshark('h-0-0.t0-0', '-T', 'fields', '-E', 'separator=;',
                           '-E', 'occurrence=f',
                           *(word for name in fields for word in ('-e', name)))
        rows = [line.split(';') for line in text.splitlines()]
        rows = [row for row in rows if int(row[0]) != ACK]
        client, server = '10.0.0.2', '10.0.0.3'
        self.assertEqual([(int(row[0]), row[3]) for row in rows], [
            (4, client), (12, server), (13, client), (14, client),
            (15, client), (0x17, server),
            (4, client), (6, server), (7, server), (8, server),
            (0x17, server)])
        for begin, end in ((1, 5), (7, 10)):
            self.assertTrue(int(rows[begin][1], 16))
            self.assertEqual(int(rows[begin][1], 16), int(rows[end][2], 16))

    def test_trimmed_packets(self):
        """They end where they were cut, and their IP headers say so."""
        self.run_text(TRIMMED)
        text = self.tshark('t0-0.h-0-0', '-T', 'fields', '-e', 'frame.len',
                           '-e', 'ip.len', '-e', 'ip.checksum.status', '-e',
                           'ip.dsfield.dscp', '-e', 'ip.proto', '-Y',
                           'ip.dst == 10.0.0.2')
        rows = [tuple(int(value) for value in line.split())
                for line in text.splitlines()]
        cut = [row for row in rows if row[3] == 0]
        self.assertEqual({row[4] for row in cut}, {6, 17})
        self.assertEqual({row[:3] for row in cut}, {(128, 114, 1)})
        self.assertEqual({row[2] for row in rows}, {1})
        self.assertIn(1514, {row[0] for row in rows if row[3]})

    def test_a_capture_of_nothing_says_so(self):
        where = 'record={pcap: {at: h-0-1.t0-0, flow: %d, pauses: false}}'
        out = self.run_text(SCENARIO, '--set', where % 0)
        self.assertRegex(out, r'Captures .*\.pcap: no packets')
        out = self.run_text(SCENARIO, '--set', where % 1)
        self.assertRegex(out, r'Captures .*\.pcap\n')
        out = self.run_text(SCENARIO, '--set', where % 99, code=2)
        self.assertIn("'flow' is 99, and the run has 6 flows", out)

    def test_packets_are_those_of_the_run(self):
        out = self.run_text(SCENARIO)
        self.assertRegex(out, r'Captures .*captured-\w+\.\*\.pcap')
        packets = self.packets('t0-1.h-1-0')
        flows = self.show('flows')
        self.assertEqual({packet.protocols.split(':data')[0]
                          for packet in packets},
                         {'eth:ethertype:ip:udp:infiniband'})
        times = [packet.time for packet in packets]
        self.assertEqual(times, sorted(times))
        address = {f'h-0-{i}': f'10.0.0.{2 + i}' for i in range(4)}
        address['h-1-0'] = '10.0.0.10'
        for flow in flows[:4]:
            data = [packet for packet in packets
                    if packet.source == address[flow['source']] and
                    packet.opcode in (FIRST, MIDDLE, LAST)]
            self.assertEqual(len(data), flow['packets'])
            self.assertEqual([packet.opcode for packet in data],
                             [FIRST] + [MIDDLE] * (len(data) - 2) + [LAST])
            self.assertEqual([packet.psn for packet in data],
                             list(range(len(data))))
            self.assertEqual(data[0].length, 100000)
            self.assertEqual(sum(packet.bytes for packet in data),
                             100000 + 58 * len(data) + 16)
            self.assertEqual(len({(packet.qp, packet.port)
                                  for packet in data}), 1)
            self.assertEqual(sum(packet.ecn == CE for packet in data),
                             flow['marked'])
            cnps = [packet for packet in packets if packet.opcode == CNP and
                    packet.destination == address[flow['source']] and
                    packet.port == data[0].port]
            self.assertEqual(len(cnps), flow['cnps'])
            # The last acknowledgement comes after the last packet.
            acks = [packet for packet in packets if packet.opcode == ACK and
                    packet.destination == address[flow['source']]]
            self.assertEqual(acks[-1].psn, data[-1].psn)
            self.assertEqual(acks[-1].msn, 1)
            self.assertLessEqual(data[-1].time, acks[-1].time)
            self.assertLess(acks[-1].time, flow['end_ps'] // 1000)
        self.assertEqual(sum(packet.ecn == CE for packet in packets),
                         sum(flow['marked'] for flow in flows))
        kinds = Counter(packet.opcode for packet in packets)
        self.assertEqual(kinds[SEND_ONLY], 20)
        self.assertEqual(sum(kinds[opcode] for opcode in RESPONSES), 9)
        self.assertEqual(kinds[12], 1)
        self.assertEqual([row['value'] for row in self.show('counters')
                          if (row['node'], row['name']) ==
                          ('t0-1', 'captured_packets')], [len(packets)])

    def test_both_ends_of_a_path_agree(self):
        self.run_text(SCENARIO)
        sent = [packet for packet in self.packets('h-0-1.t0-0')
                if packet.destination == '10.0.0.10']
        arrived = [packet for packet in self.packets('t0-1.h-1-0')
                   if packet.source == '10.0.0.3']

        def key(packet):
            return packet.opcode, packet.psn, packet.qp, packet.port

        self.assertEqual(sorted(map(key, sent)), sorted(map(key, arrived)))
        first = {key(packet): packet.time for packet in sent}
        # Each passes three switches, at 88 ns a full packet.
        self.assertTrue(all(packet.time > first[key(packet)]
                            for packet in arrived))
        self.assertEqual({packet.ecn for packet in sent}, {2})

    def test_checksums_of_the_transport(self):
        self.run_text(SCENARIO)
        with open(self.path('t0-1.h-1-0'), 'rb') as file:
            file.read(24)
            n = 0
            while header := file.read(16):
                data = bytearray(file.read(int.from_bytes(header[8:12],
                                                          'little')))
                end = 14 + int.from_bytes(data[16:18], 'big')
                ip, icrc = data[14:end - 4], data[end - 4:end]
                for at in (1, 8, 10, 11, 26, 27, 32):
                    ip[at] = 0xff
                self.assertEqual(zlib.crc32(b'\xff' * 8 + ip),
                                 int.from_bytes(icrc, 'little'))
                n += 1
        self.assertGreater(n, 400)

    def test_pause_frames(self):
        self.run_text(PAUSED)
        counters = {(row['node'], row['port'], row['name']): row['value']
                    for row in self.show('counters')}
        left_out = counters['t0-0', 'Ethernet4', 'captured_packets_left_out']
        self.assertGreater(left_out, 0)
        packets = self.packets('t0-0.h-0-1')
        self.assertEqual(len(packets), 1500)
        pauses = [packet for packet in packets if packet.kind == PFC]
        self.assertGreater(len(pauses), 2)
        self.assertTrue(all(packet.bytes == 60 and packet.vector == 1 << 3
                            for packet in pauses))
        # By turns: stop, go.
        self.assertEqual({packet.pause for packet in pauses[::2]}, {65535})
        self.assertEqual({packet.pause for packet in pauses[1::2]}, {0})
        first = min(row['start_ps'] for row in self.show('pauses')
                    if row['node'] == 'h-0-1')
        self.assertGreaterEqual(pauses[0].time * 1000, first)
        # The host at the other end sees them 15 ns later.
        there = [packet for packet in self.packets('h-0-1.t0-0')
                 if packet.kind == PFC]
        n = min(len(there), len(pauses))
        self.assertEqual({b.time - a.time
                          for a, b in zip(pauses[:n], there[:n])}, {15})

    def test_what_is_captured_can_be_chosen(self):
        for options, wanted in (
                ('traffic: [raw, read]',
                 {4: 20, CNP: 2, 12: 1, 13: 1, 14: 7, 15: 1}),
                ('flow: 4', {CNP: 2, 12: 1, 13: 1, 14: 7, 15: 1}),
                ('limit: 7, flow: 5', {4: 7})):
            text = SCENARIO.replace(
                '[t0-1.h-1-0, h-0-1.t0-0]',
                f'{{at: t0-1.h-1-0, {options}}}')
            self.run_text(text, '--again')
            found = Counter(packet.opcode
                            for packet in self.packets('t0-1.h-1-0'))
            self.assertEqual(found, wanted, options)
            shutil.rmtree(f'{self.folder}/r')
        for wrong, pattern in (
                ('{at: t0-1.h-1-9}', "h-1-9"),
                ('{flow: 1}', "'at'"),
                ('[t0-1.h-1-0, t0-1.h-1-0]', 'twice'),
                ('{at: t0-1.h-1-0, flwo: 1}', "did you mean 'flow'"),
                ('{at: t0-1.h-1-0, traffic: raww}', "'raww'.*'raw'"),
                ('{at: t0-1.h-1-0, limit: 0}', "limit")):
            self.assertRegex(self.run_text(SCENARIO.replace(
                '[t0-1.h-1-0, h-0-1.t0-0]', wrong), code=2),
                             r'x.yaml:\d+:\d+: .*' + pattern)

    def test_lost_frames_are_where_they_were(self):
        text = SCENARIO.replace('[t0-1.h-1-0, h-0-1.t0-0]',
                                '[h-0-1.t0-0, t0-0.h-0-1]') + (
            'faults:\n  - {drop_every: 10, link: h-0-1.t0-0, '
            'direction: forward}\n')
        self.run_text(text)
        lost = len(self.show('drops'))
        self.assertGreater(lost, 3)
        self.assertEqual(len(self.packets('h-0-1.t0-0')) - lost,
                         len(self.packets('t0-0.h-0-1')))


if __name__ == '__main__':
    unittest.main()

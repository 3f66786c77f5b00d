#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Slow receivers: orchlab explain names their cause, and the list and the
figure of hosts have it."""
import json
import os
import subprocess
import tempfile
import unittest

BUILD = os.environ.get('top_builddir', '.')
SOURCE = os.environ.get('top_srcdir', '.')

SLOW = """
name: slow
fabric: {star: {hosts: 4, rate: 100G}}
hosts:
  default: {mtu: 4096}
  groups:
    receivers:
      of: h-0-[0..1]
      pcie: gen3x16
      rx_fifo: {size: 256KB, xoff: 128KB, xon: 64KB}
  pcie_switches: {up: {of: 'h-0-[0..1]', link: gen6x16}}
traffic:
  - {name: wire, priority: 3,
     rc: {pattern: pairs, from: 'h-0-[2..3]', to: 'h-0-[0..1]', size: 1KiB,
          depth: 256, repeat: inf}}
  - {name: loopback, priority: 3, start: 199us,
     rc: {pattern: loopback, from: h-0-0, size: inf}}
stop: 200us
variants:
  translations:
    hosts.groups.receivers.caches: {mtt: 64, region: 1GiB, contexts: 8}
  contexts:
    traffic.wire.rc.qps: 16
    hosts.groups.receivers.caches: {mtt: 64, region: 64KiB, contexts: 8}
  loopback: {traffic.loopback.start: 0, traffic.wire.rc.size: inf,
             traffic.wire.rc.depth: 1, traffic.wire.rc.repeat: 1}
  pcie-switch: {hosts.pcie_switches.up.link: gen3x16,
                traffic.wire.rc.size: inf, traffic.wire.rc.depth: 1,
                traffic.wire.rc.repeat: 1}
"""

CAUSES = {
    'translations': r'waited for the memory of the host .* because 9\d\.\d % '
                    r'of its lookups in the MTT missed',
    'contexts': r'waited for the memory of the host .* because \d+\.\d % of '
                r'its lookups of contexts missed',
    'loopback': r'Its PCIe bus was busy for \d+\.\d % of the time, [45]\d\.\d '
                r'% of it with what it sends to itself',
    'pcie-switch': r'A PCIe switch above its adapter was busy for [89]\d\.\d %',
}


class Lab(unittest.TestCase):
    SCENARIO = None  # Of the subclass.

    def orchlab(self, *words):
        run = subprocess.run(
            [f'{BUILD}/orchlab/orchlab', '--results', self.folder, '--json',
             *words], capture_output=True, text=True, env={
                 **os.environ, 'ORCHLAB_CHIPS': f'{SOURCE}/chips',
                 'ORCHLAB_CONFIGS': f'{SOURCE}/lab/configs',
                 'ORCHLAB_YANG_DIR': f'{SOURCE}/schemas',
                 'ORCHLAB_FIGURES': f'{SOURCE}/lab/figs'})
        self.assertEqual(run.returncode, 0, run.stderr)
        return json.loads(run.stdout) if run.stdout else None

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix='lab-receivers')
        file = f'{self.folder}/scenario.yaml'
        with open(file, 'w', encoding='utf-8') as scenario:
            scenario.write(self.SCENARIO)
        self.runs = {run['label'].split('=')[-1]: run['file']
                     for run in self.orchlab('run', file, '--quiet')['runs']}

    def tearDown(self):
        for name in os.listdir(self.folder):
            os.remove(f'{self.folder}/{name}')
        os.rmdir(self.folder)


class Receivers(Lab):
    SCENARIO = SLOW

    def test_causes_are_named(self):
        self.assertEqual(set(self.runs), set(CAUSES))
        for label, cause in CAUSES.items():
            answer = self.orchlab('explain', 'pause', '0', self.runs[label])
            self.assertRegex(answer['conclusion'],
                             r'^The root is h-0-[01], .*' + cause, label)

    def test_hosts_are_listed_and_drawn(self):
        rows = self.orchlab('show', self.runs['loopback'], 'hosts')
        self.assertEqual([row['node'] for row in rows],
                         [f'h-0-{i}' for i in range(4)])
        self.assertAlmostEqual(rows[0]['loopback'], 0.5, delta=0.1)
        self.assertIsNone(rows[2]['pcie_utilization'])
        with tempfile.TemporaryDirectory() as data:
            self.orchlab('plot', self.runs['loopback'], 'hosts', '--data', data)
            with open(f'{data}/hosts.dat', encoding='utf-8') as file:
                self.assertIn('h-0-0', file.read())


class Sweep(Lab):
    SCENARIO = """
name: pages
fabric: {star: {hosts: 2, rate: 100G}}
hosts:
  default:
    pcie: gen3x16
    rx_fifo: {size: 256KB, xoff: 128KB, xon: 64KB}
    caches: {mtt: 64, page: 4KiB, region: 1MiB}
traffic:
  - {name: load, priority: 3,
     rc: {pattern: pairs, from: h-0-1, to: h-0-0, size: 1KiB, depth: 64,
          repeat: inf}}
stop: 200us
sweep:
  hosts.default.caches.region: [2MiB, 512MiB, 1GiB]
  hosts.default.caches.page: [4KiB, 2MiB]
expect:
  - {name: 'figure: goodput', metric: sum(flow.goodput), min: 1bps,
     report: true}
"""

    def test_values_of_a_sweep_are_drawn(self):
        with tempfile.TemporaryDirectory() as data:
            self.orchlab('plot', 'pages', 'sweep', '--data', data)
            with open(f'{data}/values.dat', encoding='utf-8') as file:
                lines = file.read().split('\n')
        rows = [line.split() for line in lines if line.startswith(' ')]
        self.assertEqual([line for line in lines if line.startswith('"')],
                         ['"goodput, 2MiB"', '"goodput, 4KiB"'])
        sizes = [2 << 20, 512 << 20, 1 << 30]
        self.assertEqual([float(row[0]) for row in rows], sizes * 2)
        # More memory means less goodput only with small pages.
        values = [float(row[1]) for row in rows]
        self.assertGreater(values[3], values[4])
        self.assertGreater(values[0] * 1.01, values[3])


if __name__ == '__main__':
    unittest.main()

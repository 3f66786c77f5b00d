#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The twin against the theory of buffer accounting, on chips that never were.

Random chips, which mix the mechanisms of real ones, get random configurations.
What should be counted follows from formulas and, where several PGs compete,
from a loop of a few lines; nothing of it is taken from the twin.  The rows and
chip files go through calibrate, which must agree to the packet.

    check_theory.py [--chips N] [--seed N] [--keep DIR]

finds the build through the environment variable top_builddir.  DIR receives the chip
files and rows, to be run again by hand."""

import argparse
import csv
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

BUILD = os.environ.get('top_builddir', '.')
CHECK, CHARGE = 'check_then_charge', 'charge_then_check'
SPEEDS = [25000, 40000, 100000, 400000]
INFINITE = None


def up(amount, unit):
    return -(-amount // unit)


class Case:
    """A chip, and what it is configured with: attributes named like the keys
    of chip files and the columns of rows."""

    def __init__(self, rng, style):
        self.rng, self.style = rng, style
        self.chip, self.row = {}, {'vendor': 'none'}
        self.unit, self.overhead, self.round = 'cell', 0, 1
        self.partitions, self.per_port = 1, 2
        self.port_alpha, self.port_exponent = 'none', INFINITE
        self.static = INFINITE
        self.lag, self.absorbs, self.voq_cap = 0, False, 0
        self.headroom_overhead = 0
        self.alpha_map = {}
        self.speed = rng.choice(SPEEDS)
        getattr(self, 'make_' + style)()
        self.row['speed_cable'] = '%d_300m' % self.speed
        self.finish()

    # Makers ------------------------------------------------------------

    def make_packets(self, cells):
        """Chooses cells and packets of 'cells' each."""
        rng = self.rng
        self.cell = rng.choice([80, 128, 176, 208, 254, 256, 384, 420,
                                rng.randrange(64, 1000)])
        self.chip['cell_bytes'] = self.cell
        if rng.random() < 0.3:
            self.overhead = rng.randrange(1, 40)
            self.chip['packet_overhead_bytes'] = self.overhead
        top = self.cell * cells - self.overhead
        size = rng.randrange(max(64, top - self.cell + 1), max(65, top + 1))
        self.row['packet_size'] = size
        self.w = up(size + self.overhead, self.cell)

    def make_partitions(self):
        rng = self.rng
        self.partitions = rng.choice([1, 1, 2, 3, 4, 8])
        layout = rng.choice(['block', 'interleave', 'list'])
        if layout == 'list':
            layout = [rng.randrange(self.partitions)
                      for _ in range(rng.randrange(1, 7))]
        self.layout = layout
        self.chip.update(partitions=self.partitions, port_partition=layout)

    def make_alpha(self, low=-4, high=3):
        """Chooses a dynamic_th, which may mean something else on this chip."""
        th = self.rng.randrange(low, high + 1)
        exponent = th
        if self.rng.random() < 0.3:
            exponent = self.rng.randrange(low, high + 1)
            self.alpha_map[th] = exponent
        return th, exponent

    def make_limit(self):
        """Chooses S and a pool that leads to it, with any of the terms."""
        rng = self.rng
        wanted = rng.randrange(100, 1500) * self.w
        terms, carved = ['pool'], 0
        n_pgs = self.n_lossless_pgs
        for term, cells in [
                ('minus shp', self.shp // self.cell),
                ('minus pg_size', n_pgs * up(self.pg_size, self.cell)),
                ('minus pg_min', n_pgs * self.guarantee),
                ('minus per_port_cells', rng.randrange(1, 20)),
                ('minus extra', rng.randrange(1, 300))]:
            if rng.random() < 0.5:
                continue
            if term.endswith('per_port_cells'):
                term = '%s %d' % (term, cells)
                cells *= self.n_ports
            elif term.endswith('extra'):
                self.row['extra_reserved'] = cells
            terms.append(term)
            carved += cells
        divided = self.partitions > 1 and rng.random() < 0.9
        if divided:
            terms.append('divided by partitions')
        parts = self.partitions if divided else 1
        pool = carved + wanted * parts + rng.randrange(parts)
        self.limit = (pool - carved) // parts
        self.row['ingress_pool_size'] = pool * self.cell + \
            rng.randrange(self.cell)
        if rng.random() < 0.2:
            unit = rng.randrange(2, 20000)
            pool = up(self.row['ingress_pool_size'], unit) * unit // self.cell
            self.limit = (pool - carved) // parts
            self.chip['pool_round_bytes'] = unit
        if rng.random() < 0.2:
            at = rng.randrange(self.cell)
            terms[0] = 'fixed_bytes %d' % (pool * self.cell + at)
        elif rng.random() < 0.2:
            self.limit = rng.randrange(100, 1500) * self.w
            self.row['shared_limit_cells_cfg'] = self.limit
        rng.shuffle(terms)
        self.chip['shared_limit'] = terms

    def make_numbers(self):
        """Chooses numbers of PGs and ports."""
        rng = self.rng
        self.n_pgs_filled = rng.randrange(1, 9)
        self.per_port = rng.choice([1, 2, 2, 3, 4])
        self.n_lossless_pgs = up(self.n_pgs_filled + rng.randrange(20),
                                 self.per_port) * self.per_port
        self.n_ports = self.n_lossless_pgs // self.per_port + 2 + \
            rng.randrange(20)
        self.row.update(n_ports=self.n_ports,
                        n_lossless_pgs=self.n_lossless_pgs,
                        n_lossless_pgs_src_port=self.per_port)

    def make_profiles(self):
        """Chooses guarantees and headroom."""
        rng, cell, w = self.rng, self.cell, self.w
        mode = rng.choice(['size', 'size_minus_xoff', 'none'])
        guarantee = rng.randrange(0, 30) * w
        self.xoff = rng.randrange(1, 40) * w
        self.shp = 0
        # Where ports share headroom, private headroom is part of the size.
        contains = mode == 'size_minus_xoff'
        if (self.shared_headroom or not contains) and rng.random() < 0.6:
            # At least one PG's, and not enough for all.
            cells = rng.randrange(self.xoff,
                                  self.n_pgs_filled * self.xoff + 1)
            self.shp = (cells * self.partitions +
                        rng.randrange(self.partitions)) * cell
        if self.shared_headroom:
            contains = not self.shp
        self.pg_size = (guarantee + (self.xoff if contains else 0)) * cell
        self.guarantee = 0 if mode == 'none' else guarantee
        if self.guarantee and w == 1 and not contains:
            self.pg_size -= rng.randrange(cell)  # Rounded up.
        if not self.shp and rng.random() < 0.4:
            by_speed = {speed: rng.randrange(self.xoff) for speed in SPEEDS}
            self.headroom_overhead = by_speed[self.speed]
            self.chip['headroom_overhead_cells'] = by_speed
        self.chip['pg_guarantee'] = mode
        self.xon = rng.randrange(0, 60) * w if self.xon_absolute else 0
        self.row.update(
            pg_size=self.pg_size, pg_xoff=self.xoff * cell,
            shp_xoff=self.shp or '', pg_xon=self.xon * cell,
            pg_xon_offset=rng.randrange(0, 60) * w * cell)

    def make_threshold(self):
        """Chooses what bounds a PG: its alpha, or a number of bytes."""
        rng = self.rng
        self.th, self.exponent = self.make_alpha()
        self.static = INFINITE
        self.row['pg_dynamic_th'] = self.th
        kind = rng.random()
        if kind < 0.1:
            # As much of it as all PGs can have at once.
            self.static = (rng.randrange(1, self.limit // self.n_pgs_filled)
                           // self.w + 1) * self.w
            self.row.update(pg_dynamic_th='',
                            pg_static_th=self.static * self.cell)
        elif kind < 0.15:
            self.static = 0
            self.chip['static_zero_blocks'] = True
            self.row.update(pg_dynamic_th='', pg_static_th=0)
        elif kind < 0.2:
            self.static = 0
            self.chip['alpha_min_is_zero'] = True
            self.row['pg_dynamic_th'] = -8

    def make_port(self):
        """Chooses whether ports as a whole have a threshold."""
        if self.rng.random() < 0.3:
            self.port_alpha = self.rng.choice(['nested', 'independent'])
            th, self.port_exponent = self.make_alpha(-1, 5)
            self.row['port_dynamic_th'] = th
        else:
            self.row['port_dynamic_th'] = self.rng.choice(['', 7])
        self.chip['port_alpha'] = self.port_alpha

    def make_egress(self):
        rng = self.rng
        self.q_min = rng.randrange(0, 20) * self.w
        self.q_lossless_min = rng.randrange(0, 20) * self.w
        self.q_th, self.q_exponent = self.make_alpha()
        # Ingress is not to limit what is lossy.
        own = rng.random() < 0.6 or self.port_alpha != 'none'
        self.chip['egress_shared'] = 'own_pool' if own else 'ingress_shared'
        pool = rng.randrange(100, 1500) * self.partitions * self.w
        if self.port_alpha != 'none':
            pool = min(pool, self.limit // 2)
        self.q_limit = pool // self.partitions if own else self.limit
        if own and self.unit == 'cell' and rng.random() < 0.5:
            self.lag = rng.randrange(0, 6)
            self.chip['egress_lag_cells'] = self.lag
        self.q_rule = CHARGE if self.lag else CHECK
        if rng.random() < 0.3:
            self.q_rule = rng.choice([CHARGE, CHECK])
            self.chip['egress_threshold'] = self.q_rule
        self.absorbs = rng.random() < 0.5
        self.chip['egress_pg_absorbs_queue_min'] = self.absorbs
        self.row.update(
            egress_pool_size=pool * self.cell + rng.randrange(self.cell),
            egress_q_size=self.q_min * self.cell,
            egress_lossless_q_size=self.q_lossless_min * self.cell,
            egress_q_dynamic_th=self.q_th)

    def make_cells(self):
        """Chips that count cells, as XGS do, and some that are odder."""
        rng = self.rng
        self.threshold = rng.choice([CHECK, CHARGE])
        self.shared_headroom = rng.random() < 0.2
        self.xon_absolute = rng.random() < 0.2
        self.make_packets(1 if self.shared_headroom else
                          rng.choice([1, 1, 1, 2, 5]))
        self.make_partitions()
        self.make_numbers()
        self.make_profiles()
        self.make_limit()
        self.make_threshold()
        self.make_port()
        self.make_egress()

    def make_bytes(self):
        """Chips that count bytes, as DNX do: no guarantees."""
        rng = self.rng
        self.threshold, self.unit, self.cell = CHECK, 'byte', 1
        self.shared_headroom = self.xon_absolute = False
        self.overhead = rng.randrange(0, 100)
        self.round = rng.choice([1, 1, 8, 16, 50])
        size = rng.randrange(64, 1500)
        self.w = up(size + self.overhead, self.round) * self.round
        self.row['packet_size'] = size
        self.chip.update(unit='byte', packet_overhead_bytes=self.overhead,
                         packet_round_bytes=self.round, pg_guarantee='none')
        self.make_partitions()
        self.make_numbers()
        self.guarantee, self.pg_size = 0, rng.randrange(3000)
        self.xoff = rng.randrange(1, 40) * self.w + rng.randrange(self.w)
        self.shp = rng.choice([0, rng.randrange(
            self.xoff, self.n_pgs_filled * self.xoff + 1) * self.partitions])
        self.row.update(
            pg_size=self.pg_size, pg_xoff=self.xoff, pg_xon=0,
            shp_xoff=self.shp or '',
            pg_xon_offset=rng.randrange(0, 50 * self.w))
        self.make_limit()
        self.make_threshold()
        self.make_egress()
        self.q_min = self.q_lossless_min = 0
        self.row.update(egress_q_size=0, egress_lossless_q_size=0)
        if rng.random() < 0.6:
            self.voq_cap = rng.randrange(20, 600) * self.w + \
                rng.randrange(self.w)
            self.chip['voq_cap_bytes'] = self.voq_cap
            if self.chip['egress_shared'] == 'own_pool':
                self.q_limit = self.row['egress_pool_size']  # Of all cores.

    def make_ports(self):
        """Chips whose ports share headroom and nest, as Spectrum do: counters
        are whole cells, limits are bytes."""
        rng = self.rng
        self.threshold, self.unit = CHARGE, 'byte'
        self.shared_headroom = self.xon_absolute = True
        self.cell, self.w = 1, rng.choice([96, 144, 192, 256, 320])
        self.layout = 'block'
        self.row['vendor'] = 'mellanox'
        self.row['packet_size'] = rng.choice(['', 300, 800])
        self.chip.update(unit='byte', cell_bytes=self.w, pg_guarantee='size',
                         shared_limit=['pool'])
        self.make_numbers()
        self.guarantee = rng.randrange(0, 60) * self.w
        self.xoff = rng.randrange(60, 120) * self.w
        self.xon = rng.randrange(0, 60) * self.w
        self.pg_size, self.shp = self.guarantee, 0
        if rng.random() < 0.5:
            self.shp = rng.randrange(self.xoff,
                                     self.n_pgs_filled * self.xoff + 1)
        else:
            self.pg_size += self.xoff
            by_speed = {speed: rng.randrange(50) for speed in SPEEDS}
            self.headroom_overhead = by_speed[self.speed] * self.w
            self.chip['headroom_overhead_cells'] = by_speed
        self.limit = rng.randrange(100, 1500) * self.w + rng.randrange(self.w)
        self.row.update(
            ingress_pool_size=self.limit, pg_size=self.pg_size,
            pg_xon=self.xon, pg_xoff=self.xoff, shp_xoff=self.shp or '')
        self.make_threshold()
        self.make_port()
        self.make_egress()

    def finish(self):
        # Watermarks of PGs count what is reserved, too.
        self.from_zero = self.rng.random() < 0.3
        if self.from_zero:
            self.chip['watermark_with_reserved'] = True
        # XOFF with the last packet that needs no headroom, not with the next.
        self.early = self.threshold == CHECK and self.rng.random() < 0.4
        self.chip.update(
            threshold=self.threshold, ports=64, pgs_per_port=8,
            queues_per_port=8, memory_bytes=1 << 20, leak_out={100000: 36},
            xon='absolute' if self.xon_absolute else 'relative_latched',
            headroom='per_port_share' if self.shared_headroom else 'per_pg')
        # A chip that charges first always does the former.
        if self.early or self.threshold == CHARGE and self.rng.random() < 0.2:
            self.chip['xoff'] = 'before_headroom'
        if self.threshold == CHARGE and self.rng.random() < 0.4:
            # A PG that makes others pause is at its own limit: no row differs.
            self.chip['xoff_by_others'] = True
        if self.alpha_map:
            self.chip['alpha_map'] = {
                th: '1/%d' % (1 << -e) if e < 0 else str(1 << e)
                for th, e in self.alpha_map.items()}
        for name, th in [('exponent', self.th), ('q_exponent', self.q_th),
                         ('port_exponent',
                          self.row.get('port_dynamic_th', ''))]:
            if th != '' and getattr(self, name) is not INFINITE:
                setattr(self, name, self.alpha_map.get(th, th))

    # Where PGs are ------------------------------------------------------

    def partition(self, pg):
        port = pg // self.per_port
        if self.layout == 'block':
            return 0
        if self.layout == 'interleave':
            return port % self.partitions
        return self.layout[port % len(self.layout)]

    def watched(self, n):
        """Those of the first 'n' PGs in the partition that has the fewest, the
        last one's if others have as few."""
        parts = [self.partition(pg) for pg in range(n)]
        fewest = min(parts.count(p) for p in parts)
        part = parts[-1] if parts.count(parts[-1]) == fewest else \
            next(p for p in parts if parts.count(p) == fewest)
        return [pg for pg in range(n) if parts[pg] == part]

    # Thresholds ---------------------------------------------------------

    @staticmethod
    def alpha(exponent):
        return Fraction(2) ** exponent

    def bound(self, limit, threshold, port_own, own=0):
        """What a PG or queue may have if 'limit' is free and 'port_own' what
        its port has: by a 'threshold' of (alpha's exponent, static)."""
        exponent, static = threshold
        if self.port_exponent is not INFINITE:
            mine = static if static is not INFINITE else \
                int(self.alpha(exponent) * limit)
            limit = int(self.alpha(self.port_exponent) * limit) - port_own
            if self.port_alpha == 'independent':
                return min(mine, own + limit)
            if static is not INFINITE:
                return min(static, own + limit)
            limit = max(0, limit)
        return static if static is not INFINITE else \
            int(self.alpha(exponent) * limit)

    def admits(self, limit, threshold, own, others, port_others, rule):
        """Whether a packet may go to the shared part: 'own' cells are the
        queue's or PG's there, 'others' those of all others, 'port_others' those
        of others at its port."""
        after = own + (self.w if rule == CHECK else 0)
        bound = self.bound(max(0, limit - others - after), threshold,
                           port_others + after, after)
        return after <= bound if rule == CHECK else own < bound

    def fill(self, others=0, port_others=0):
        """The shared cells of a PG that fills up beside others."""
        own = 0
        while self.admits(self.limit, (self.exponent, self.static), own,
                          others, port_others, self.threshold):
            own += self.w
        return own

    # Roles: what should be counted, or None if that is not defined --------

    def pfc(self):
        """Without a packet there is no PFC: the first meets the limit."""
        return (self.guarantee + self.fill()) // self.w or None

    def sequence(self, pgs):
        """The shared cells of 'pgs', filled one after another."""
        own = {}
        for pg in pgs:
            same = [i for i in own if self.partition(i) == self.partition(pg)]
            port = [i for i in same
                    if i // self.per_port == pg // self.per_port]
            own[pg] = self.fill(sum(own[i] for i in same),
                                sum(own[i] for i in port))
        return own

    def pfc_seq(self, index):
        own = self.sequence(range(index + 1))
        return (self.guarantee + own[index]) // self.w \
            if self.guarantee + min(own.values()) else None

    def pfc_n(self, n):
        if self.pfc() is None:
            return None
        pgs = self.watched(n)
        own = dict.fromkeys(pgs, 0)
        rounds = self.guarantee // self.w
        # Whether a packet asserts XOFF because the next one needs headroom.
        ahead = self.threshold == CHARGE or self.early
        if rounds and ahead and not self.fill():
            return rounds - 1
        while True:
            for pg in pgs:
                port = sum(own[i] for i in pgs
                           if i // self.per_port == pg // self.per_port)
                before = (own[pg], sum(own.values()) - own[pg],
                          port - own[pg])
                if ahead:
                    before = (before[0] + self.w,) + before[1:]
                fits = self.admits(self.limit, (self.exponent, self.static),
                                   *before, self.threshold)
                own[pg] += self.w
                if not fits:
                    return rounds
            rounds += 1

    def headroom(self):
        """What a PG may have when it is alone in the headroom pool."""
        if not self.shp:
            return max(0, up(self.xoff, self.w) * self.w -
                       self.headroom_overhead) if self.shared_headroom else \
                max(0, self.xoff - self.headroom_overhead)
        own = self.xoff * (self.per_port if self.shared_headroom else 1)
        return min(own, self.shp // self.cell // self.partitions)

    def hdrm(self):
        """The packet of XOFF is counted, and is in headroom on some chips; that
        nothing fits there, or all does, is no headroom to measure."""
        n = self.headroom() // self.w
        return None if n == 0 or self.guarantee + self.fill() == 0 else \
            n + (self.threshold == CHARGE or self.early)

    def ingr_drop(self):
        return None if self.hdrm() is None else self.pfc() + self.hdrm()

    def hdrm_full(self):
        if self.hdrm() is None or self.shared_headroom and \
                self.pfc_seq(self.per_port - 1) is None:
            return None
        if self.shared_headroom and self.shp:
            return self.xoff // self.w if \
                self.headroom() == self.xoff * self.per_port else None
        return self.headroom() // self.w

    def hdrm_partial(self, n):
        pgs = self.watched(n)
        # A packet that finds no room is in headroom before this begins.
        if not self.shp or \
                self.guarantee + min(self.sequence(pgs).values()) == 0:
            return None
        others = (len(pgs) - 1) * (self.xoff // self.w)
        left = self.shp // self.cell // self.partitions - others * self.w
        own = self.xoff
        if self.shared_headroom:
            own *= self.per_port - (pgs[-1] % self.per_port)
        return min(left, own) // self.w if left >= self.w else None

    def egr_drop(self):
        own = 0
        while self.admits(self.q_limit + self.lag,
                          (self.q_exponent, INFINITE), own, 0, 0, self.q_rule):
            own += self.w
        n = (self.q_min + own) // self.w
        if self.voq_cap:
            n = min(n, (self.voq_cap - 1) // self.w)
        return n + 1

    def released(self):
        """Packets to drain until XON, and by how many that may differ: it
        is unknown which of two limits is latched where the packet that meets it
        is not charged."""
        shared = self.fill()
        if self.threshold == CHECK and not self.early and \
                self.hdrm() is None:
            return None, 0  # The packet that asks for XOFF is lost.
        if self.xon_absolute:
            return up(self.guarantee + shared - self.xon, self.w) \
                if self.xon < self.guarantee + shared else None, 0
        limit = self.bound(max(0, self.limit - shared),
                           (self.exponent, self.static), shared, shared)
        if self.port_exponent is not INFINITE and \
                (self.static is not INFINITE or
                 self.port_alpha == 'independent'):
            return None, 0  # It is unknown which of them holds.
        level = limit - up(self.row['pg_xon_offset'], self.cell)
        if level < 0 or shared <= level:
            return None, 0
        return up(shared - level, self.w), \
            0 if self.threshold == CHARGE and self.w == 1 else \
            1 + int(self.alpha(self.exponent))

    def rows(self):
        """Yields (role, what should be counted, margin, further inputs)."""
        n = self.n_pgs_filled
        index = self.rng.randrange(n)
        yield 'pfc', self.pfc(), 0, {}
        yield 'ingr_drop', self.ingr_drop(), 0, {}
        yield 'hdrm', self.hdrm(), 0, {}
        yield 'pfc_seq', self.pfc_seq(index), 0, {'fill_index': index}
        yield 'pfc_n', self.pfc_n(n), 0, {'n_pgs_filled': n}
        yield 'hdrm_full', self.hdrm_full(), 0, {}
        yield 'hdrm_partial', self.hdrm_partial(n), 0, {'n_pgs_filled': n}
        yield 'egr_drop', self.egr_drop(), 0, {}
        yield ('xon', *self.released(), {})
        if self.fill():
            yield 'fill_ing_min', \
                0 if self.from_zero else self.guarantee // self.w, 0, {}
        if self.unit == 'cell' and not self.absorbs:
            packets = self.rng.randrange(1, min(self.egr_drop(), 40))
            yield 'shared_res', packets * self.w * self.cell, 0, \
                {'extra_reserved': packets}
        absorbed = self.q_min // self.w if self.absorbs else 0
        if self.egr_drop() > absorbed + 1:
            yield 'fill_ing_min_lossy', absorbed, 0, {}
        if self.egr_drop() > self.q_min // self.w + 1:
            yield 'fill_egr_min', self.q_min // self.w, 0, {}
        if (self.ingr_drop() or 0) > self.q_lossless_min // self.w + 1:
            yield 'fill_egr_min_lossless', self.q_lossless_min // self.w, 0, {}


def yaml(value):
    """YAML of a value, in the flow style."""
    if isinstance(value, dict):
        return '{%s}' % ', '.join('%s: %s' % (k, yaml(v))
                                  for k, v in value.items())
    if isinstance(value, list):
        return '[%s]' % ', '.join(map(yaml, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def write(directory, rng, n_chips):
    """Writes chips and their rows.  Returns the path of the table."""
    rows = []
    for i in range(n_chips):
        style = ['cells', 'cells', 'bytes', 'ports'][i % 4]
        case = Case(rng, style)
        name = '%s%d' % (style, i)
        with open(os.path.join(directory, name + '.yaml'), 'w') as file:
            file.write('name: %s\n' % name)
            for key, value in case.chip.items():
                file.write('%s: %s\n' % (key, yaml(value)))
        for role, wanted, margin, inputs in case.rows():
            if wanted is not None:  # Else nothing is defined.
                rows.append({'row_id': len(rows), 'asic': name, 'role': role,
                             'hw_value': wanted, 'test_margin': margin,
                             **case.row, **inputs})
    path = os.path.join(directory, 'rows.csv')
    with open(path, 'w', newline='') as file:
        columns = list(dict.fromkeys(key for row in rows for key in row))
        writer = csv.DictWriter(file, columns, restval='')
        writer.writeheader()
        writer.writerows(rows)
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--chips', type=int, default=120)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--keep')
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        directory = options.keep or directory
        os.makedirs(directory, exist_ok=True)
        rows = write(directory, random.Random(options.seed), options.chips)
        done = subprocess.run(
            [os.path.join(BUILD, 'tests', 'bench', 'calibrate'), rows,
             '--models', directory, '--require', 'margin=100'],
            stdout=subprocess.PIPE, text=True, check=False)
    for line in done.stdout.splitlines():
        fields = line.split(',')
        if len(fields) > 4 and fields[4] not in ('exact', 'within margin',
                                                  'class'):
            print(line)
    print(done.stdout.splitlines()[-1])
    sys.exit(done.returncode)


if __name__ == '__main__':
    main()

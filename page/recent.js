// SPDX-License-Identifier: Apache-2.0

// The last minutes, as the browser has seen them: rings of samples with one
// time each.  A series takes memory from its first value on that is not 0;
// before, it was 0.

const SAMPLES = 4096;

class Ring {
  constructor(before) {
    this.values = new Float64Array(SAMPLES).fill(before);
  }
}

export class Recent {
  constructor() {
    this.forget();
  }

  forget() {
    this.times = new Float64Array(SAMPLES);
    this.series = new Map();
    this.n = 0;
  }

  // Begins a sample; add() gives it values.
  begin(now) {
    this.slot = this.n % SAMPLES;
    this.times[this.slot] = now;
    this.n++;
    for (const ring of this.series.values()) {
      ring.values[this.slot] = ring.last ?? NaN;
    }
  }

  add(name, value, before = 0) {
    let ring = this.series.get(name);

    if (!ring) {
      if (!value) {
        return;
      }
      ring = new Ring(before);
      this.series.set(name, ring);
    }
    ring.values[this.slot] = value ?? NaN;
    ring.last = value;
  }

  // Nothing is known from 'now' on until the next sample.
  gap(now) {
    if (this.n === 0) {
      return;
    }
    this.begin(now);
    for (const ring of this.series.values()) {
      ring.values[this.slot] = NaN;
    }
  }

  // Returns rows [time, value of each of 'names'] since 'from', which continue
  // to 'now' if the last values still hold.
  rows(names, from, now, holds) {
    const rings = names.map((name) => this.series.get(name));
    const rows = [];

    for (let i = Math.max(0, this.n - SAMPLES); i < this.n; i++) {
      const slot = i % SAMPLES;

      if (this.times[slot] < from) {
        rows.length = 0; // The last one before 'from' holds at it.
      }
      rows.push([new Date(this.times[slot]),
        ...rings.map((ring) => (ring ? ring.values[slot] : 0))]);
    }
    if (holds && this.n > 0) {
      const slot = (this.n - 1) % SAMPLES;

      rows.push([new Date(now),
        ...rings.map((ring) => (ring ? ring.values[slot] : 0))]);
    }
    return rows;
  }
}

// Adds a sample of all that 'live' knows.
export function recordLive(recent, live, now) {
  const { pools, pgs, queues } = live;

  recent.begin(now);
  pools.name.forEach((name, i) => {
    recent.add(`pool ${name} guaranteed`, pools.guaranteed[i]);
    recent.add(`pool ${name} shared`, pools.shared[i]);
    recent.add(`pool ${name} headroom`, pools.headroom[i]);
  });
  for (let i = 0; i < pgs.port.length; i++) {
    if (pgs.used[i] > 0 || recent.series.has(`pg ${live.pgName(i)} used`)) {
      recent.add(`pg ${live.pgName(i)} used`, pgs.used[i]);
      recent.add(`pg ${live.pgName(i)} xoff`, live.xoffPoint(i), NaN);
    }
  }
  for (let i = 0; i < queues.port.length; i++) {
    if (queues.used[i] > 0 || recent.series.has(`queue ${live.queueName(i)}`)) {
      recent.add(`queue ${live.queueName(i)}`, queues.used[i]);
    }
  }
}

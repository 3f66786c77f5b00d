// SPDX-License-Identifier: Apache-2.0

// Times during which something held, as the browser has seen it: pauses per
// port, priority and direction; storms.

const KEPT = 200; // For each name.

export class Intervals {
  constructor() {
    this.lists = new Map();
  }

  // 'name' holds now, or not.  Returns whether that is news.
  set(name, holds, now, detail = null) {
    const list = this.lists.get(name);
    const last = list?.at(-1);
    const open = last && last.end === null;

    if (holds && !open) {
      this.lists.set(name, list ?? []);
      this.lists.get(name).push({ begin: now, end: null, detail });
      if (this.lists.get(name).length > KEPT) {
        this.lists.get(name).shift();
      }
      return true;
    }
    if (!holds && open) {
      last.end = now;
      last.after = detail;
      return true;
    }
    return false;
  }

  // All that holds ends: nothing is known from now on.
  endAll(now) {
    for (const list of this.lists.values()) {
      const last = list.at(-1);

      if (last.end === null) {
        last.end = now;
        last.cut = true;
      }
    }
  }

  get(name) {
    return this.lists.get(name) ?? [];
  }

  // Returns [{name, begin, end, ...}], the latest first.
  all() {
    const found = [];

    for (const [name, list] of this.lists) {
      found.push(...list.map((interval) => ({ name, ...interval })));
    }
    return found.sort((a, b) => b.begin - a.begin);
  }
}

export function pauseName(port, priority, direction) {
  return `${port}|${priority} ${direction}`;
}

// Adds what the masks of paused priorities in 'live' say; 'before' has the
// masks of the call before, and is changed.
export function recordPauses(intervals, live, before, now) {
  for (const direction of ["sent", "received"]) {
    const masks = live.paused[direction] ?? [];

    for (let port = 0; port < masks.length; port++) {
      const old = before[direction][port] ?? 0;

      if (masks[port] !== old) {
        recordMask(intervals, live.ports[port], direction, masks[port] ^ old,
          masks[port], now);
      }
      before[direction][port] = masks[port];
    }
  }
}

function recordMask(intervals, port, direction, changed, mask, now) {
  for (let i = 0; i < 8; i++) {
    if (changed & (1 << i)) {
      intervals.set(pauseName(port, i, direction), (mask & (1 << i)) !== 0,
        now);
    }
  }
}

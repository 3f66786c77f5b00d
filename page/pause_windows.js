// SPDX-License-Identifier: Apache-2.0

// Pauses that samples miss.  A switch counts for each priority the pause frames,
// how long it was paused, and how many of the pauses that it received have
// ended.  The difference of two answers of "show pauses" is exact for the time
// between them, its window: one with pauses or frames that was not paused
// throughout, or in which a pause ended, is kept, with its share.  What is paused
// throughout is seen by the samples (intervals.js).

import { pauseName } from "./intervals.js";

const KEPT = 3000; // For each name: five minutes.
const WHOLE = 0.999;

// The new value of a counter against the old one; null: not known.
function growth(value, before) {
  return Number.isInteger(value) && Number.isInteger(before)
    ? value - before : null;
}

export class PauseWindows {
  constructor() {
    this.lists = new Map();
    this.forget();
  }

  // The next answer is the first one: another port, or another connection.
  forget() {
    this.before = null;
  }

  // Takes an answer that arrived at 'now'.  orchd sends only answers that
  // differ, so the change is not older than the interval.
  take(answer, now, intervalMs) {
    // Copies: the next changes are made in the answer itself.
    const items = new Map(answer.pauses.map((item) => [
      pauseName(item.port, item.priority, item.direction), { ...item }]));
    const { before } = this;

    this.before = { items, now, timeNs: answer.time_ns };
    if (before) {
      const begin = Math.max(before.now, now - intervalMs);
      const ns = growth(answer.time_ns, before.timeNs);
      const lastedUs = (ns ?? 1e6 * (now - begin)) / 1000;

      for (const [name, item] of items) {
        this.compare(name, item, before.items.get(name),
          { begin, end: now, lastedUs });
      }
    }
  }

  compare(name, item, old, { begin, end, lastedUs }) {
    const us = growth(item.paused_us, old?.paused_us);
    const n = growth(item.pauses, old?.pauses);
    const frames = growth(item.frames, old?.frames);

    // Counters that went back were cleared.  A pause may be shorter than 1 us.
    if (us === null || us < 0 || (us === 0 && !(n > 0) && !(frames > 0))) {
      return;
    }
    const share = lastedUs > 0 ? Math.min(1, us / lastedUs) : 0;

    if (n > 0 || share < WHOLE) {
      const list = this.lists.get(name) ?? [];

      list.push({ begin, end, us, n, frames, share });
      this.lists.set(name, list.slice(-KEPT));
    }
  }

  get(name) {
    return this.lists.get(name) ?? [];
  }
}

function sum(a, b) {
  return a === null || b === null ? null : a + b;
}

// Returns windows that follow each other as one:
// [{begin, end, us, n, frames, share}].
export function joinWindows(windows) {
  const joined = [];

  for (const window of windows) {
    const last = joined.at(-1);

    if (last && window.begin - last.end < 1) {
      const ms = last.end - last.begin;

      last.share = (last.share * ms +
        window.share * (window.end - window.begin)) / (window.end - last.begin);
      last.end = window.end;
      last.us += window.us;
      last.n = sum(last.n, window.n);
      last.frames = sum(last.frames, window.frames);
    } else {
      joined.push({ ...window });
    }
  }
  return joined;
}

// SPDX-License-Identifier: Apache-2.0

// What the heat map can show: a value of 0..1 for each port and priority, above
// 1 for what needs attention, NaN where there is no such object.

const PRIORITIES = 8;

function pgText(live, i, { bytes, percent }) {
  const { pgs } = live;

  return `PG holds ${bytes(pgs.used[i])}, ` + (!live.isLossless(i) ? "lossy"
    : `XOFF at ${bytes(live.xoffPoint(i))} ` +
      `(${percent(pgs.shared[i], pgs.threshold[i])} of its threshold)` +
      `${pgs.xoff[i] ? ", XOFF now" : ""}`);
}

function queueText(live, i, { bytes, number }) {
  const { queues } = live;

  return `queue holds ${bytes(queues.used[i])} of at most ` +
    `${bytes(queues.threshold[i])}, ${number(queues.marks[i])} marked, ` +
    `${number(queues.drops[i])} dropped`;
}

// On a scale of powers of ten up to a million.
function logarithm(n) {
  return n > 0 ? Math.min(1, (1 + Math.log10(n)) / 7) : 0;
}

export const MEASURES = [
  { name: "pg", kind: "pgs", title: "PGs against their threshold",
    value: (live, i) => (live.pgs.xoff[i] ? 2
      : Math.min(1, live.pgFill(i))), describe: pgText },
  { name: "queue", kind: "queues", title: "queues against their threshold",
    value: (live, i) => Math.min(1, live.queueFill(i)), describe: queueText },
  { name: "paused", kind: "pgs", title: "pauses now",
    value: (live, i) => pausedNow(live, i), describe: pausedText },
  { name: "pg-drops", kind: "pgs", title: "drops of PGs",
    value: (live, i) => (live.pgs.drops[i] > 0
      ? (live.isLossless(i) ? 2 : logarithm(live.pgs.drops[i])) : 0),
    describe: (live, i, { number }) => `${number(live.pgs.drops[i])} dropped` },
  { name: "queue-drops", kind: "queues", title: "drops of queues",
    value: (live, i) => logarithm(live.queues.drops[i]), describe: queueText },
  { name: "marks", kind: "queues", title: "marks (CE) of queues",
    value: (live, i) => logarithm(live.queues.marks[i] ?? 0),
    describe: queueText },
];

function pausedNow(live, i) {
  const [port, bit] = [live.pgs.port[i], 1 << live.pgs.index[i]];

  return live.paused.sent[port] & bit ? 2
    : live.paused.received[port] & bit ? 1 : 0;
}

function pausedText(live, i) {
  const [port, bit] = [live.pgs.port[i], 1 << live.pgs.index[i]];
  const sent = live.paused.sent[port] & bit;
  const received = live.paused.received[port] & bit;

  return `${sent ? "it pauses its peer" : "its peer may send"}, ` +
    `${received ? "its peer pauses it" : "it may send"}`;
}

// Where the objects of each port and priority are in the arrays of their kind;
// -1: nowhere.  They are found once for each layout of the arrays.
const found = { pgs: {}, queues: {} };

function indexOf(live, kind) {
  const cache = found[kind];
  const arrays = live[kind];

  if (cache.layout !== live.layout || cache.n !== live.ports.length) {
    cache.layout = live.layout;
    cache.n = live.ports.length;
    cache.at = new Int32Array(cache.n * PRIORITIES).fill(-1);
    arrays.port.forEach((port, i) => {
      if (arrays.index[i] < PRIORITIES) {
        cache.at[port * PRIORITIES + arrays.index[i]] = i;
      }
    });
    cache.values = new Float64Array(cache.n * PRIORITIES);
  }
  return cache;
}

// Returns {values, of(port, priority)}: the latter is the place in the arrays,
// or null.
export function measure(live, name) {
  const { kind, value } = MEASURES.find((known) => known.name === name);
  const cache = indexOf(live, kind);

  for (let i = 0; i < cache.at.length; i++) {
    cache.values[i] = cache.at[i] < 0 ? NaN : value(live, cache.at[i]);
  }
  return { values: cache.values, kind,
    of: (port, priority) => {
      const at = cache.at[port * PRIORITIES + priority];

      return at === undefined || at < 0 ? null : at;
    } };
}

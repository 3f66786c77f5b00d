// SPDX-License-Identifier: Apache-2.0

// Lossless PGs as bars against their dynamic threshold now: where they assert
// XOFF, and how much headroom follows.

import { Table, make } from "./elements.js";
import { number } from "./format.js";
import { place } from "./pool_bars.js";

const SHOWN = 32;
const SORT_EVERY_MS = 1000;

// Returns the bar of a PG; it is updated in place.
class PgBar {
  constructor() {
    this.parts = ["guaranteed", "shared", "headroom", "xoff"].map(
      (name) => make("i", { class: name }));
    this.element = make("div", { class: "bar", "aria-hidden": "true" },
      ...this.parts);
  }

  update(item) {
    const { guaranteed, shared, headroom, xoff } = item;
    const whole = Math.max(1, 1.25 * Math.max(xoff ?? 0, item.used));
    const [first, second, third, mark] = this.parts;

    place(first, 0, guaranteed / whole);
    place(second, guaranteed / whole, shared / whole);
    place(third, (guaranteed + shared) / whole, headroom / whole);
    mark.hidden = xoff === null || !item.isLossless;
    place(mark, (xoff ?? 0) / whole, null);
  }
}

function itemOf(live, i) {
  const { pgs } = live;
  const [used, shared, headroom] =
    [pgs.used[i], pgs.shared[i], pgs.headroom[i]];

  return { i, name: live.pgName(i), port: live.ports[pgs.port[i]],
    profile: live.pgProfile(i), used, shared, headroom,
    guaranteed: Math.max(0, used - shared - headroom),
    threshold: pgs.threshold[i], xoff: live.xoffPoint(i),
    isPaused: Boolean(pgs.xoff[i]), isLossless: live.isLossless(i),
    drops: pgs.drops[i], fill: live.pgFill(i) };
}

function byFill(a, b) {
  return b.isPaused - a.isPaused || b.fill - a.fill || a.i - b.i;
}

export class PgBars {
  // With 'port' only its PGs, lossy ones as well.
  constructor(page, caption) {
    this.page = page;
    this.bars = new Map();
    this.ranks = new Map();
    this.table = new Table(caption, [
      { title: "PG", cell: (item) => this.link(item) },
      { title: "FILL AGAINST XOFF",
        cell: (item) => this.bar(item) },
      { title: "USED (B)", numeric: true, cell: (item) => number(item.used) },
      { title: "XOFF AT (B)", numeric: true,
        cell: (item) => (item.isLossless ? number(item.xoff) : "-") },
      { title: "HEADROOM (B)", numeric: true,
        cell: (item) => number(item.headroom) },
      { title: "PFC", cell: (item) => this.pfc(item) },
      { title: "DROPS", numeric: true, cell: (item) => number(item.drops) },
    ], { key: (item) => item.name, limit: SHOWN,
      empty: "There is no such lossless PG." });
    this.table.table.classList.add("places");
    this.element = this.table.element;
  }

  link(item) {
    return make("a", { href: this.page.link("port", item.port) }, item.name);
  }

  bar(item) {
    const bar = this.bars.get(item.name) ?? new PgBar();

    this.bars.set(item.name, bar);
    bar.update(item);
    return bar.element;
  }

  pfc(item) {
    return !item.isLossless ? "-"
      : item.isPaused ? make("span", { class: "badge bad" }, "XOFF") : "xon";
  }

  // Draws the PGs for which wants(item) holds, the fullest first.
  draw(live, wants) {
    const items = [];

    for (let i = 0; i < live.pgs.port.length; i++) {
      const item = itemOf(live, i);

      if (wants(item)) {
        items.push(item);
      }
    }
    this.table.update(this.sort(items));
  }

  // The fullest first, but rows change places at most once in a second, or
  // when a pause begins or ends: else nobody could read them.
  sort(items) {
    const now = Date.now();
    const key = items.filter((item) => item.isPaused).map(
      (item) => item.name).join();

    if (key !== this.sortedFor || items.length !== this.ranks.size ||
        now - this.sortedAt > SORT_EVERY_MS) {
      this.sortedFor = key;
      this.sortedAt = now;
      items.sort(byFill);
      this.ranks = new Map(items.map((item, rank) => [item.name, rank]));
      return items;
    }
    return items.sort((a, b) =>
      this.ranks.get(a.name) - this.ranks.get(b.name));
  }
}

// SPDX-License-Identifier: Apache-2.0

// The shared bytes of all pools, or one PG against where it asserts XOFF, over
// the last two minutes.

import { Chart } from "./chart.js";
import { labelled, select, setOptions } from "./elements.js";
import { shortBytes } from "./format.js";

const SPAN_MS = 120 * 1000;
const EVERY_MS = 250;
const PALETTE = ["shared", "guaranteed", "headroom", "good", "bad", "accent"];

export class PoolChart {
  constructor(page) {
    this.page = page;
    this.series = select([["pools", "all pools"]],
      { onchange: () => page.redraw() });
    this.chart = new Chart("Occupancy over the last two minutes", shortBytes);
    this.tools = [labelled("Of", this.series)];
    this.element = this.chart.element;
  }

  draw(now) {
    const { recent, isConnected } = this.page;

    if (now - (this.drawnAt ?? 0) < EVERY_MS) {
      return;
    }
    this.drawnAt = now;
    setOptions(this.series, this.choices());
    const [series, names, colours] = this.curves();
    const from = now - SPAN_MS;
    this.chart.draw({ names, colours, from, to: now,
      rows: recent.rows(series, from, now, isConnected) });
  }

  // PGs that held something since the page was opened.
  choices() {
    const pgs = [];

    for (const name of this.page.recent.series.keys()) {
      if (name.startsWith("pg ") && name.endsWith(" used")) {
        pgs.push([name.slice(3, -5), `PG ${name.slice(3, -5)}`]);
      }
    }
    return [["pools", "all pools"], ...pgs.sort()];
  }

  curves() {
    const pg = this.series.value;
    const pools = this.page.live.pools.name;

    return pg === "pools"
      ? [pools.map((name) => `pool ${name} shared`), pools,
        pools.map((_, i) => PALETTE[i % PALETTE.length])]
      : [[`pg ${pg} used`, `pg ${pg} xoff`], ["used", "XOFF at"],
        ["shared", "bad"]];
  }
}

// SPDX-License-Identifier: Apache-2.0

// The buffer of the switch: pools, lossless PGs, the heat map, and curves.

import { labelled, make, panel, select } from "./elements.js";
import { bytes, number, percent } from "./format.js";
import { HeatMap } from "./heat_map.js";
import { MEASURES, measure } from "./measures.js";
import { PgBars } from "./pg_bars.js";
import { PoolBars } from "./pool_bars.js";
import { PoolChart } from "./pool_chart.js";
import { PriorityTable } from "./priority_table.js";

function legend(...items) {
  return make("p", { class: "legend" }, ...items.map(
    ([look, text]) => make("span", { class: `swatch ${look}` }, text)));
}

export class BufferView {
  constructor(page) {
    this.page = page;
    this.pools = new PoolBars();
    this.makePgs();
    this.makeHeatMap();
    this.chart = new PoolChart(page);
    this.element = make("div", { class: "view" },
      make("h1", { class: "hidden" }, "Buffer"),
      panel("Pools", {}, this.pools.element),
      panel("Occupancy", { tools: this.chart.tools }, this.chart.element),
      this.heatPanel, this.pgPanel);
  }

  makePgs() {
    this.pgs = new PgBars(this.page, "Lossless PGs against their thresholds");
    this.filter = make("input", { type: "search", placeholder: "Ethernet0",
      oninput: () => this.page.redraw() });
    this.busyOnly = make("input", { type: "checkbox",
      onchange: () => this.page.redraw() });
    this.pgPanel = panel("Lossless PGs against their thresholds now",
      { width: "wide", tools: [labelled("Only in use", this.busyOnly),
        labelled("Name", this.filter)] },
      this.pgs.element,
      legend(["guaranteed", "guaranteed"], ["shared", "shared"],
        ["headroom", "headroom"],
        ["red", "XOFF here, of PGs in use: guarantee and threshold now"]));
  }

  makeHeatMap() {
    this.measure = select(MEASURES.map(({ name, title }) => [name, title]),
      { onchange: () => this.page.redraw() });
    this.heatMap = new HeatMap({
      describe: (port, priority) => this.describe(port, priority),
      open: (port) => this.page.open("port", this.page.live.ports[port]),
    });
    this.heatMap.redraw = () => this.page.redraw();
    this.cells = new PriorityTable();
    this.heatPanel = panel("Ports and priorities",
      { width: "wide", tools: [labelled("Show", this.measure)] },
      this.heatMap.element,
      legend(["low", "low to high"], ["over", "XOFF, beyond, or lost"],
        ["none", "no such PG or queue"]),
      this.cells.element);
  }

  describe(port, priority) {
    const { live } = this.page;
    const { title, describe } = MEASURES.find(
      ({ name }) => name === this.measure.value);
    const at = measure(live, this.measure.value).of(port, priority);

    const said = at === null ? "no such PG or queue"
      : describe(live, at, { bytes, number, percent });

    return `${live.ports[port]}, priority ${priority}, ${title}: ${said}`;
  }

  draw(now) {
    const { live } = this.page;
    const found = measure(live, this.measure.value);
    const wanted = this.filter.value.trim().toLowerCase();

    this.pools.draw(live.pools);
    this.heatMap.draw(live.ports, found.values);
    this.cells.draw(live, found, this.measure.value);
    this.pgs.draw(live, (item) => item.isLossless &&
      (!this.busyOnly.checked || item.used > 0) &&
      (!wanted || item.name.toLowerCase().includes(wanted)));
    this.chart.draw(now);
  }
}

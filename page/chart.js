// SPDX-License-Identifier: Apache-2.0

// Curves of the last minutes by dygraphs, which is loaded when it is first
// needed.  Without it the page works, and says what is missing.

import { colour, onTheme } from "./colours.js";
import { make } from "./elements.js";
import { clock, number } from "./format.js";

let loading = null;

// The legend of dygraphs has inline styles, which our pages forbid.
function withoutLegend() {
  const { Dygraph } = globalThis;

  Dygraph.PLUGINS = Dygraph.PLUGINS.filter(
    (plugin) => plugin !== Dygraph.Plugins.Legend);
  return true;
}

function loadDygraphs() {
  loading ??= new Promise((resolve) => {
    document.head.append(
      make("link", { rel: "stylesheet", href: "/page/dygraph.min.css" }),
      make("script", { src: "/page/dygraph.min.js",
        onload: () => resolve(withoutLegend()),
        onerror: () => resolve(false) }));
  });
  return loading;
}

export class Chart {
  // 'format' writes the values of the axis.
  constructor(title, format) {
    this.title = title;
    this.format = format;
    this.plot = make("div",
      { class: "chart", role: "img", "aria-label": title });
    this.legend = make("div", { class: "chart-legend" });
    this.reset = make("button", { type: "button", hidden: true,
      onclick: () => this.follow() }, "Follow again");
    this.element = make("div", {}, this.plot, this.legend, this.reset,
      make("p", { class: "note" },
        "Drag to zoom, double-click to follow again."));
    this.plot.addEventListener("dblclick", () => this.follow());
    this.zoomed = false;
    onTheme(() => this.forget());
  }

  forget() {
    this.graph?.destroy();
    this.graph = null;
  }

  follow() {
    this.graph?.resetZoom();
    this.zoomed = false;
    this.reset.hidden = true;
  }

  options(labels, colours) {
    return {
      labels, colors: colours.map((name) => colour(name)),
      stepPlot: true, connectSeparatedPoints: false, animatedZooms: false,
      strokeWidth: 1.6,
      axisLineColor: colour("line"), gridLineColor: colour("line"),
      axisLabelFontSize: 11, includeZero: true, rightGap: 10,
      highlightCircleSize: 3,
      highlightCallback: (event, x, points) => this.showLegend(x, points),
      unhighlightCallback: () => this.showLegend(null, []),
      axes: {
        y: { axisLabelFormatter: (value) => this.format(value),
          axisLabelWidth: 64 },
        x: { axisLabelWidth: 62 },
      },
      zoomCallback: () => {
        this.zoomed = true;
        this.reset.hidden = false;
      },
    };
  }

  // Shows the names with the colours of their curves, and their values at 'x'.
  showLegend(x, points) {
    this.legend.replaceChildren(...this.titles.map((name, i) => {
      const point = points.find((found) => found.name === name);
      const swatch = make("span", { class: "swatch" });

      swatch.style.color = this.graph?.getColors()[i] ?? "";
      return make("span", {}, swatch,
        point ? `${name} ${number(point.yval)}` : name);
    }), x === null ? "" : make("span", {}, `at ${clock(x)}`));
  }

  // Draws 'rows' [time, value...] of the series 'names' in these colours, from
  // 'from' to 'to'.  A zoomed chart stands still.
  async draw({ names, colours, rows, from, to }) {
    if (this.busy || this.plot.clientWidth === 0 || this.missing) {
      return;
    }
    this.busy = true;
    this.missing = !(await loadDygraphs());
    this.busy = false;
    if (this.missing) {
      this.sayMissing();
    } else if (!this.graph || this.names !== names.join("|")) {
      this.create(names, colours, rows, { from, to });
    } else if (!this.zoomed && rows.length > 0) {
      this.graph.updateOptions({ file: rows, ...this.ranges(rows, from, to) });
    }
  }

  // Nothing but zeros has a scale, too.
  ranges(rows, from, to) {
    const flat = !rows.some((row) =>
      row.some((value, i) => i > 0 && value > 0));

    return { dateWindow: [from, to], valueRange: [0, flat ? 1000 : null] };
  }

  create(names, colours, rows, { from, to }) {
    this.forget();
    this.names = names.join("|");
    this.zoomed = false;
    this.reset.hidden = true;
    this.graph = new globalThis.Dygraph(this.plot,
      rows.length > 0 ? rows : [[new Date(), ...names.map(() => null)]],
      { ...this.options(["Time", ...names], colours),
        ...this.ranges(rows, from, to) });
    this.titles = names;
    this.showLegend(null, []);
  }

  sayMissing() {
    this.plot.className = "note";
    this.plot.removeAttribute("role");
    this.plot.textContent = "Curves need dygraphs, which this machine does " +
      "not have: apt install libjs-dygraphs. All else works without it.";
    this.element.replaceChildren(this.plot);
  }
}

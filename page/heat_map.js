// SPDX-License-Identifier: Apache-2.0

// Ports x priorities as coloured cells.  As many ports as fit make a band;
// further ones follow in the next.  The arrow keys move a cursor, whose cell is
// described in words, and Enter opens its port.

import { Canvas } from "./canvas.js";
import { colour, scale } from "./colours.js";
import { make, setText } from "./elements.js";

const PRIORITIES = 8;
const STEPS = 33;
const LEFT = 22;
const TITLE = 16;
const GAP = 6;
const CELL_MIN = 7;
const CELL_MAX = 44;

// How wide and high cells are, so that few ports are not lost in the page.
function layout(nPorts, width) {
  const room = width - LEFT;
  const bands = Math.max(1, Math.ceil(nPorts / Math.floor(room / CELL_MIN)));
  const columns = Math.max(1, Math.ceil(nPorts / bands));
  const cell = Math.min(CELL_MAX, Math.floor(room / columns));
  const high = cell >= 12 ? 16 : 9;

  return { cell, high, columns, bands,
    bandHeight: TITLE + PRIORITIES * high + GAP };
}

export class HeatMap {
  // 'describe(port, priority)' says what a cell means; 'open(port)' shows one.
  constructor({ describe, open }) {
    this.describe = describe;
    this.openPort = open;
    this.cursor = { port: 0, priority: 0 };
    this.nPorts = 0;
    this.description = make("p", { class: "note", role: "status" },
      "Point at a cell, or move with the arrow keys.");
    this.canvas = new Canvas(make("canvas", {
      tabindex: "0", role: "application",
      "aria-label": "Heat map of ports and priorities: arrow keys move, " +
        "Enter opens the port",
      onkeydown: (event) => this.key(event),
      onmousemove: (event) => this.point(event),
      onclick: (event) => this.point(event) && this.openPort(this.cursor.port),
    }));
    this.element = make("div", {},
      make("div", { class: "fit" }, this.canvas.element), this.description);
  }

  key(event) {
    const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0],
      ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const move = moves[event.key];

    if (move) {
      event.preventDefault();
      this.move(this.cursor.port + move[0], this.cursor.priority + move[1]);
    } else if (event.key === "Enter" && this.nPorts > 0) {
      this.openPort(this.cursor.port);
    }
  }

  move(port, priority) {
    this.cursor = { port: Math.max(0, Math.min(this.nPorts - 1, port)),
      priority: Math.max(0, Math.min(PRIORITIES - 1, priority)) };
    this.moved = true;
    this.describeCursor();
    this.redraw?.();
  }

  point(event) {
    const { cell, high, columns, bandHeight } = this.layout ?? {};

    if (!cell) {
      return false;
    }
    const band = Math.floor(event.offsetY / bandHeight);
    const column = Math.floor((event.offsetX - LEFT) / cell);
    const priority = Math.floor(
      (event.offsetY - band * bandHeight - TITLE) / high);
    const port = band * columns + column;

    if (column < 0 || column >= columns || port >= this.nPorts ||
        priority < 0 || priority >= PRIORITIES) {
      return false;
    }
    this.move(port, priority);
    return true;
  }

  describeCursor() {
    if (this.moved && this.nPorts > 0) {
      setText(this.description,
        this.describe(this.cursor.port, this.cursor.priority));
    }
  }

  // Draws 'values', one of 0..1 for each port and priority: NaN if there is no
  // such object, above 1 for what needs attention.
  draw(ports, values) {
    const width = this.canvas.available();

    this.nPorts = ports.length;
    if (width === 0) {
      return;
    }
    this.layout = layout(ports.length, width);
    const { bands, bandHeight, columns } = this.layout;

    this.canvas.prepare(width, Math.max(1, bands) * bandHeight);
    for (let band = 0; band < bands; band++) {
      this.drawTitles(ports, band);
      for (let i = band * columns;
        i < Math.min(ports.length, (band + 1) * columns); i++) {
        this.drawPort(values, i, band);
      }
    }
    this.drawCursor();
    this.describeCursor();
  }

  drawTitles(ports, band) {
    const { cell, high, columns, bandHeight } = this.layout;
    const top = band * bandHeight;
    const first = band * columns;
    const end = Math.min(ports.length, first + columns);
    const every = Math.max(1, Math.ceil(96 / cell));

    for (let i = first; i < end; i += every) {
      if (i === first || end - i >= every / 2) {
        this.canvas.write(ports[i], LEFT + (i - first) * cell, top + 7,
          colour("muted"), every * cell - 4);
      }
    }
    for (let k = 0; k < PRIORITIES; k += high < 12 ? 7 : 1) {
      this.canvas.write(String(k), LEFT - 8, top + TITLE + (k + 0.5) * high,
        colour("muted"), 20, "right");
    }
  }

  drawPort(values, i, band) {
    const { cell, high, columns, bandHeight } = this.layout;
    const shades = scale("heat-low", "heat-high", STEPS);
    const x = LEFT + (i - band * columns) * cell;

    for (let k = 0; k < PRIORITIES; k++) {
      const value = values[i * PRIORITIES + k];
      const shade = Number.isNaN(value) ? colour("heat-none")
        : value > 1 ? colour("heat-over")
          : value === 0 ? colour("heat-zero")
            : shades[Math.round(value * (STEPS - 1))];

      this.canvas.fill(x, band * bandHeight + TITLE + k * high,
        cell - 1, high - 1, shade);
    }
  }

  drawCursor() {
    const { cell, high, columns, bandHeight } = this.layout;
    const { port, priority } = this.cursor;

    if (this.moved && port < this.nPorts) {
      const { context } = this.canvas;

      context.strokeStyle = colour("text");
      context.lineWidth = 2;
      context.strokeRect(LEFT + (port % columns) * cell - 1,
        Math.floor(port / columns) * bandHeight + TITLE + priority * high - 1,
        cell + 1, high + 1);
    }
  }
}

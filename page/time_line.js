// SPDX-License-Identifier: Apache-2.0

// Intervals as bars over the last minutes, one line for each name, and the same
// as a table.  A line may also have windows (pause_windows.js), of whose time
// only a share was an interval: they are striped, and as high as that share.

import { Canvas } from "./canvas.js";
import { colour } from "./colours.js";
import { make, Table } from "./elements.js";
import { clock, duration, number } from "./format.js";
import { joinWindows } from "./pause_windows.js";

const LINE = 18;
const AXIS = 20;
const LABEL = 52;
const SPANS_S = [60, 300];

const STRIPE = 4;

// What a table says of the pauses in an interval or window.
const SHARES = [
  { title: "PAUSED", cell: (item) => (item.share === undefined ? "throughout"
    : `${number(item.us)} us, ${(100 * item.share).toFixed(1)}\u00a0%`) },
  { title: "PAUSES", numeric: true,
    cell: (item) => (item.share === undefined ? "1" : number(item.n)) },
  { title: "FRAMES", numeric: true, cell: (item) => number(item.frames) },
];

// The seconds between two labels, of which each needs some room.
function axisStep(spanS, perS) {
  const steps = [10, 20, 30, 60, 120, 300];

  return steps.find((step) => step * perS >= LABEL && spanS / step <= 6) ?? 300;
}

export class TimeLine {
  // 'what' is the title of the first column of the table; 'windows' whether
  // lines have windows.
  constructor(title, { what, empty, windows = false }) {
    this.title = title;
    this.spanS = SPANS_S[0];
    this.canvas = new Canvas(make("canvas",
      { role: "img", "aria-label": title }));
    this.table = new Table(`${title} as a table`, [
      { title: what, cell: (item) => item.name },
      { title: "FROM", cell: (item) => clock(item.begin) },
      { title: "TO", cell: (item) => (item.end ? clock(item.end) : "now") },
      { title: "LASTED", numeric: true,
        cell: (item) =>
          duration(((item.end ?? item.now) - item.begin) / 1000) },
      ...(windows ? SHARES : []),
    ], { key: (item) =>
      `${item.name} ${item.begin}${item.share === undefined ? "" : " part"}`,
    empty, limit: 50 });
    this.details = make("details", {}, make("summary", {}, "As a table"),
      this.table.element);
    this.element = make("div", {},
      make("div", { class: "fit" }, this.canvas.element), this.details);
  }

  // Draws 'lines' [{name, label, colour, intervals, windows}] up to 'now'.
  draw(lines, now) {
    const width = this.canvas.available();

    if (width === 0) {
      return;
    }
    const left = Math.min(190, Math.round(width * 0.34));
    const height = lines.length * LINE + AXIS;

    this.canvas.prepare(width, height);
    this.drawAxis(left, width, height, now);
    lines.forEach((line, i) => {
      this.drawLine(line, i * LINE, left, width, now);
    });
    this.summarize(lines, now);
  }

  drawAxis(left, width, height, now) {
    const perS = (width - left - 8) / this.spanS;
    const step = axisStep(this.spanS, perS);

    for (let s = 0; s <= this.spanS; s += step) {
      const x = Math.round(width - 8 - s * perS);

      this.canvas.fill(x, 0, 1, height - AXIS, colour("line"));
      this.canvas.write(s === 0 ? "now" : `-${s} s`, x, height - 8,
        colour("muted"), 60, s === 0 ? "right" : "center");
    }
    this.now = now;
  }

  drawLine(line, y, left, width, now) {
    const right = width - 8;
    const x = (time) => Math.max(left,
      right - ((now - time) / 1000 / this.spanS) * (right - left));

    this.canvas.write(line.label, 0, y + LINE / 2, colour("text"), left - 8);
    this.canvas.fill(left, y + LINE - 1, right - left, 1, colour("line"));
    for (const { begin, end } of line.intervals) {
      const [from, to] = [x(begin), x(end ?? now)];

      if ((end ?? now) > now - this.spanS * 1000) {
        this.canvas.fill(from, y + 3, Math.max(2, to - from), LINE - 7,
          colour(line.colour));
      }
    }
    for (const window of line.windows ?? []) {
      if (window.end > now - this.spanS * 1000) {
        this.drawWindow(window, x(window.begin), x(window.end), y + 3,
          colour(line.colour));
      }
    }
  }

  // Over an interval a window says better what happened.
  drawWindow({ share }, from, to, y, look) {
    const whole = LINE - 7;
    const width = Math.max(2, to - from);
    const height = Math.max(2, Math.round(share * whole));

    this.canvas.fill(from, y, width, whole, colour("panel"));
    for (let x = from; x < from + width; x += STRIPE) {
      this.canvas.fill(x, y + whole - height,
        Math.min(STRIPE / 2, from + width - x), height, look);
    }
  }

  summarize(lines, now) {
    const all = lines.flatMap((line) => line.intervals.map(
      (interval) => ({ ...interval, name: line.name, now })));
    const short = lines.flatMap((line) => joinWindows(line.windows ?? []).map(
      (window) => ({ ...window, name: line.name, now })));
    const open = all.filter((interval) => interval.end === null);
    const text = `${this.title}: ${all.length} intervals seen, ` +
      `${open.length} of them now` +
      (short.length ? `; ${short.length} times with shorter ones` : "");

    if (this.canvas.element.getAttribute("aria-label") !== text) {
      this.canvas.element.setAttribute("aria-label", text);
    }
    if (this.details.open) {
      this.table.update(
        [...all, ...short].sort((a, b) => b.begin - a.begin));
    }
  }
}

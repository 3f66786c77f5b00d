// SPDX-License-Identifier: Apache-2.0

// Each pool as a bar: guaranteed and shared bytes in use, what is free, and
// behind that its headroom; with the peak.

import { make, setText } from "./elements.js";
import { number } from "./format.js";

const PARTS = ["guaranteed", "shared", "headroom"];

function part(name) {
  return make("i", { class: name });
}

// Moves 'element' over a part of its bar, in shares of 1.
export function place(element, from, width) {
  const begin = Math.min(1, Math.max(0, from));
  const left = `${(100 * begin).toFixed(2)}%`;
  const wide = width === null ? ""
    : `${(100 * Math.min(1 - begin, Math.max(0, width))).toFixed(2)}%`;

  if (element.style.left !== left) {
    element.style.left = left;
  }
  if (element.style.width !== wide) {
    element.style.width = wide;
  }
}

class PoolBar {
  constructor(name) {
    this.parts = {};
    for (const key of ["room", ...PARTS, "mark"]) {
      this.parts[key] = part(key);
    }
    this.title = make("span", { class: "mono" }, name);
    this.size = make("span", { class: "numeric" });
    this.values = {};
    this.bar = make("div", { class: "bar", role: "img" },
      ...Object.values(this.parts));
    this.element = make("div", { class: "pool", "data-pool": name },
      make("div", { class: "pool-head" }, this.title, this.size), this.bar,
      make("div", { class: "pool-values" },
        ...["guaranteed", "shared", "headroom", "free", "peak"].map(
          (key) => this.value(key))));
  }

  value(key) {
    this.values[key] = make("b", { "data-value": key });
    return make("span",
      { class: `swatch ${key === "peak" ? "line" : key}` },
      make("em", {}, `${key} `), this.values[key]);
  }

  update(pools, i) {
    const size = pools.size[i] || 1;
    const room = pools.headroom_size[i] ?? 0;
    const total = size + room;
    const [guaranteed, shared, headroom] =
      PARTS.map((key) => pools[key][i] ?? 0);

    place(this.parts.guaranteed, 0, guaranteed / total);
    place(this.parts.shared, guaranteed / total, shared / total);
    place(this.parts.room, size / total, room / total);
    place(this.parts.headroom, size / total, headroom / total);
    place(this.parts.mark, (guaranteed + (pools.peak[i] ?? 0)) / total, null);
    this.parts.mark.hidden = !pools.peak[i];
    this.write({ guaranteed, shared, headroom,
      free: Math.max(0, size - guaranteed - shared), peak: pools.peak[i] },
    size, room, pools.type[i]);
  }

  write(values, size, room, type) {
    for (const [key, element] of Object.entries(this.values)) {
      setText(element, number(values[key]));
    }
    setText(this.size, `${type ? type + ", " : ""}${number(size)} B` +
      (room ? ` + ${number(room)} B headroom` : ""));
    const label = `guaranteed ${number(values.guaranteed)} B, shared ` +
      `${number(values.shared)} B, headroom ${number(values.headroom)} B, ` +
      `free ${number(values.free)} B, peak ${number(values.peak)} B`;
    if (this.bar.getAttribute("aria-label") !== label) {
      this.bar.setAttribute("aria-label", label);
    }
  }
}

export class PoolBars {
  constructor() {
    this.bars = new Map();
    this.element = make("div", {});
    this.empty = make("p", { class: "note" },
      "No pool is on the ASIC: load a configuration with BUFFER_POOL rows.");
    this.element.append(this.empty);
  }

  draw(pools) {
    const names = pools.name;

    if (names.join("\n") !== this.names) {
      this.names = names.join("\n");
      this.bars = new Map(names.map((name) => [name, new PoolBar(name)]));
      this.element.replaceChildren(
        ...[...this.bars.values()].map((bar) => bar.element), this.empty);
    }
    this.empty.hidden = names.length > 0;
    names.forEach((name, i) => this.bars.get(name).update(pools, i));
  }
}

// SPDX-License-Identifier: Apache-2.0

// The heat map as a table, for those who do not see it: a row for each port.

import { Table, make } from "./elements.js";
import { number } from "./format.js";

const EVERY_MS = 1000;

const TEXTS = {
  pg: (live, i) => number(live.pgs.used[i]),
  queue: (live, i) => number(live.queues.used[i]),
  paused: (live, i) => {
    const [port, bit] = [live.pgs.port[i], 1 << live.pgs.index[i]];
    const words = [];

    if (live.paused.sent[port] & bit) {
      words.push("sent");
    }
    if (live.paused.received[port] & bit) {
      words.push("received");
    }
    return words.join(", ") || "no";
  },
  "pg-drops": (live, i) => number(live.pgs.drops[i]),
  "queue-drops": (live, i) => number(live.queues.drops[i]),
  marks: (live, i) => number(live.queues.marks[i]),
};

export class PriorityTable {
  constructor() {
    this.table = new Table("Ports and priorities as a table", [
      { title: "PORT", cell: (row) => row.port },
      ...Array.from({ length: 8 }, (_, k) => ({ title: String(k), numeric: true,
        cell: (row) => row.cells[k] })),
    ], { key: (row) => row.port, limit: 1024, empty: "There are no ports." });
    this.element = make("details", {}, make("summary", {}, "As a table"),
      this.table.element);
    this.drawnAt = 0;
  }

  // Draws what measure() has found, at most once in a second.
  draw(live, found, name) {
    const now = Date.now();

    if (!this.element.open ||
        (now - this.drawnAt < EVERY_MS && name === this.name)) {
      return;
    }
    this.drawnAt = now;
    this.name = name;
    this.table.update(live.ports.map((port, i) => ({ port,
      cells: Array.from({ length: 8 }, (_, k) => {
        const at = found.of(i, k);

        return at === null ? "-" : TEXTS[name](live, at);
      }) })));
  }
}

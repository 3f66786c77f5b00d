// SPDX-License-Identifier: Apache-2.0

// One redraw per animation frame, however many events arrive, and how long it
// takes: from that follows which interval the browser can follow.

const INTERVALS_MS = [100, 200, 500, 1000, 2000];

// Frames of one redraw may take this share of the interval.
const BUSY_SHARE = 0.5;
const IDLE_SHARE = 0.1;
// So many redraws in a row decide.
const PATIENCE_SLOWER = 8;
const PATIENCE_FASTER = 100;

export class Frames {
  // 'draw' redraws what is visible; 'follow' asks the server for another
  // interval.
  constructor(draw, follow) {
    this.draw = draw;
    this.follow = follow;
    this.level = 0;
    this.pending = false;
    this.busy = 0;
    this.idle = 0;
    this.costMs = 0;
    this.eventMs = 0;
  }

  get intervalMs() {
    return INTERVALS_MS[this.level];
  }

  // Something has changed.
  request() {
    if (!this.pending) {
      this.pending = true;
      requestAnimationFrame(() => this.run());
    }
  }

  // Adds the time that an event took before its frame.
  addEvent(ms) {
    this.eventMs += ms;
  }

  run() {
    const start = performance.now();

    this.pending = false;
    this.draw();
    const cost = performance.now() - start + this.eventMs;
    this.eventMs = 0;
    this.costMs = 0.8 * this.costMs + 0.2 * cost;
    this.adapt();
  }

  adapt() {
    this.busy = this.costMs > BUSY_SHARE * this.intervalMs ? this.busy + 1 : 0;
    const faster = INTERVALS_MS[this.level - 1] ?? 0;
    this.idle = this.costMs < IDLE_SHARE * faster ? this.idle + 1 : 0;
    if (this.busy >= PATIENCE_SLOWER && this.level < INTERVALS_MS.length - 1) {
      this.move(1);
    } else if (this.idle >= PATIENCE_FASTER) {
      this.move(-1);
    }
  }

  move(by) {
    this.level += by;
    this.busy = 0;
    this.idle = 0;
    this.follow();
  }
}

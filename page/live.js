// SPDX-License-Identifier: Apache-2.0

// The buffer now, as "show live" answers it: parallel arrays, of which the
// first of each kind says whose values these are.  This is the one file that
// knows its members.

const NO_ARRAYS = { port: [], index: [] };

export class Live {
  constructor() {
    this.known = false;
    this.version = 0; // Another one: other ports, PGs, queues or pools.
    this.ports = [];
    this.pools = { name: [] };
    this.pgs = NO_ARRAYS;
    this.queues = NO_ARRAYS;
    this.paused = { sent: [], received: [] };
    this.signature = "";
  }

  // Takes over the data of an answer.
  update(data) {
    this.ports = data.ports ?? [];
    this.pools = data.pools ?? { name: [] };
    this.pgs = data.pgs ?? NO_ARRAYS;
    this.queues = data.queues ?? NO_ARRAYS;
    this.paused = data.pauses ?? { sent: [], received: [] };
    this.known = true;
    const signature = [this.ports.length, this.ports[0], this.ports.at(-1),
      this.pools.name.join(), this.pgs.port.length,
      this.queues.port.length].join("|");
    if (signature !== this.signature) {
      this.signature = signature;
      this.version++;
    }
  }

  forget() {
    this.known = false;
  }

  pgName(i) {
    return `${this.ports[this.pgs.port[i]]}|${this.pgs.index[i]}`;
  }

  queueName(i) {
    return `${this.ports[this.queues.port[i]]}|${this.queues.index[i]}`;
  }

  // Where PG 'i' asserts XOFF: its guarantee in use and its threshold now.
  // A PG beyond its guarantee has all of it in use.
  xoffPoint(i) {
    const { used, shared, headroom, threshold } = this.pgs;

    return threshold[i] === null || threshold[i] === undefined ? null
      : used[i] - shared[i] - headroom[i] + threshold[i];
  }

  pgFill(i) {
    const { shared, headroom, threshold } = this.pgs;
    const part = shared[i] + headroom[i];

    return part === 0 ? 0 : threshold[i] > 0 ? part / threshold[i] : 1;
  }

  queueFill(i) {
    const { used, threshold } = this.queues;

    return used[i] === 0 ? 0 : threshold[i] > 0 ? used[i] / threshold[i] : 1;
  }
}

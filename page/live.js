// SPDX-License-Identifier: Apache-2.0

// The buffer now, as "show live" answers it: parallel arrays.  Its names say
// whose values these are, and change only with the configuration; both have the
// number of their layout, and belong together only if it is the same.  This is
// the one file that knows the members of the answers.

export const LIVE_NAMES = "show/live?part=names";
export const LIVE_VALUES = "show/live?part=values";

const NOTHING = {
  ports: [],
  profiles: { name: [], headroom_size: [] },
  pools: { name: [] },
  pgs: { port: [], index: [] },
  queues: { port: [], index: [] },
};

// The port of each row: the rows of a port follow each other.
function portsOfRows(counts) {
  return counts.flatMap((n, port) => new Array(n).fill(port));
}

// The priorities of each port that its peer pauses, as masks.
function pausedMasks(nPorts, queues) {
  const masks = new Array(nPorts).fill(0);

  for (let i = 0; i < queues.port.length; i++) {
    if (queues.paused[i] && queues.index[i] < 8) {
      masks[queues.port[i]] |= 1 << queues.index[i];
    }
  }
  return masks;
}

export class Live {
  constructor() {
    this.forget();
  }

  // There is nothing to show until the next answers.
  forget() {
    this.known = false;
    this.names = null;
    this.values = null;
    this.layout = 0;
    Object.assign(this, NOTHING);
    this.paused = { sent: [], received: [] };
  }

  takeNames(names) {
    this.names = names;
    this.pgPorts = portsOfRows(names.ports.pgs);
    this.queuePorts = portsOfRows(names.ports.queues);
    this.combine();
  }

  // Returns whether there is something to show.
  takeValues(values) {
    this.values = values;
    return this.combine();
  }

  combine() {
    const { names, values } = this;

    if (!names || !values || names.layout !== values.layout) {
      return false;
    }
    this.layout = values.layout;
    this.known = true;
    this.ports = names.ports.name;
    this.profiles = names.profiles;
    this.pools = { ...names.pools, ...values.pools };
    this.pgs = { port: this.pgPorts, ...names.pgs, ...values.pgs };
    this.queues = { port: this.queuePorts, ...names.queues, ...values.queues };
    this.paused = { sent: values.ports.xoff,
      received: pausedMasks(this.ports.length, this.queues) };
    return true;
  }

  pgName(i) {
    return `${this.ports[this.pgs.port[i]]}|${this.pgs.index[i]}`;
  }

  queueName(i) {
    return `${this.ports[this.queues.port[i]]}|${this.queues.index[i]}`;
  }

  pgProfile(i) {
    return this.profiles.name[this.pgs.profile[i]];
  }

  isLossless(i) {
    return this.profiles.headroom_size[this.pgs.profile[i]] > 0;
  }

  // Where PG 'i' asserts XOFF: its guarantee in use and its threshold now.
  // null: not known, as of a PG that holds nothing.
  xoffPoint(i) {
    const { used, shared, headroom, threshold } = this.pgs;

    return threshold[i] === null ? null
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

// SPDX-License-Identifier: Apache-2.0

// Scenarios of "Try it": steps with what to look at.  A step acts by the
// methods of its view, and returns whether it was done.

function block(view) {
  return view.run("asic", "block", { ports: view.to.value });
}

function unblock(view) {
  return view.run("asic", "unblock", { ports: view.to.value });
}

function settle(view) {
  return view.run("asic", "settle", {});
}

export const SCENARIOS = [
  { name: "xoff", title: "Fill a lossless PG until XOFF", steps: [
    { title: "Block the egress port.", act: block,
      watch: "Its queue keeps all that comes." },
    { title: "Send until XOFF.",
      act: (view) => view.sendUntil("xoff"),
      watch: "The bar of the PG reaches the mark; PFC says XOFF." },
    { title: "Send 50 packets more.", act: (view) => view.send({ count: 50 }),
      watch: "They go to the headroom: the peer has not stopped yet." },
    { title: "Unblock the port, and let all packets leave.",
      act: async (view) => await unblock(view) && settle(view),
      watch: "The bar empties; PFC says xon." },
  ] },
  { name: "drop", title: "Fill a queue until it drops", steps: [
    { title: "Block the egress port.", act: block,
      watch: "Its queue keeps all that comes." },
    { title: "Send until a packet is dropped.",
      act: (view) => view.sendUntil("drop"),
      watch: "The view of the port says the reason." },
    { title: "Unblock the port, and let all packets leave.",
      act: async (view) => await unblock(view) && settle(view),
      watch: "Counters and watermarks stay." },
  ] },
  { name: "storm", title: "A peer that never stops pausing", steps: [
    { title: "Let the peer of the egress port send pauses.",
      act: (view) => view.run("asic", "storm",
        { port: view.to.value, priorities: view.priority.value }),
      watch: "They begin to count when time passes." },
    { title: "Send 200 packets, and let 200 microseconds pass.",
      act: async (view) => await view.send({ count: 200 }) &&
        view.run("asic", "run", { ns: 200000 }),
      watch: "The packets wait: the PG holds them." },
    { title: "End the storm, and let all packets leave.",
      act: async (view) => await view.run("asic", "storm",
        { port: view.to.value, priorities: "none" }) &&
        await view.run("asic", "run", { ns: 2000000 }) && settle(view),
      watch: "With a PFC_WD row the view Watchdog shows the storm." },
  ] },
];

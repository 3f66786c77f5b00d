// SPDX-License-Identifier: Apache-2.0

// Experiments on a simulated switch: step by step, or freely, with the buffer
// next to them.

import { change, reasonOf } from "./api.js";
import { labelled, make, panel, select, setOptions } from "./elements.js";
import { clock } from "./format.js";
import { PgBars } from "./pg_bars.js";
import { PoolChart } from "./pool_chart.js";
import { PoolBars } from "./pool_bars.js";
import { SCENARIOS } from "./try_scenarios.js";

const LOGGED = 40;

function field(attributes) {
  return make("input", { type: "number", ...attributes });
}

function setRange(input, range) {
  if (range) {
    [input.min, input.max] = range;
  }
}

export class TryView {
  constructor(page) {
    this.page = page;
    this.done = 0;
    this.pools = new PoolBars();
    this.chart = new PoolChart(page);
    this.pgs = new PgBars(page, "PGs in use");
    this.log = make("div", { class: "log", role: "log", tabindex: "0",
      "aria-label": "What was done" });
    this.makePorts();
    this.makeScenario();
    this.refusal = panel("Not here", { width: "wide" }, make("p",
      { class: "note" }, "Experiments need a simulated switch, a connection " +
      "through a Unix socket (http = unix:PATH), and the right to change it."));
    this.parts = [
      panel("Ports and traffic", { width: "wide" }, this.portForm),
      this.scenarioPanel, this.makeFree(),
      panel("Pools", {}, this.pools.element),
      panel("Occupancy", { tools: this.chart.tools }, this.chart.element),
      panel("PGs in use", { width: "wide" }, this.pgs.element),
    ];
    this.element = make("div", { class: "view" },
      make("h1", { class: "hidden" }, "Try it"), this.refusal, ...this.parts);
  }

  makePorts() {
    this.from = select([]);
    this.to = select([]);
    this.dscp = field({ value: 3 });
    this.size = field({ value: 1024 });
    this.portForm = make("div", { class: "form" },
      labelled("Packets enter at", this.from), labelled("leave by", this.to),
      labelled("DSCP", this.dscp), labelled("Size (B)", this.size));
  }

  makeScenario() {
    this.scenario = select(SCENARIOS.map(({ name, title }) => [name, title]),
      { onchange: () => this.restart() });
    this.steps = make("ol", { class: "steps" });
    this.next = make("button", { type: "button", class: "primary",
      onclick: () => this.takeStep() }, "Next step");
    this.again = make("button", { type: "button",
      onclick: () => this.restart() }, "From the start");
    this.scenarioPanel = panel("Step by step",
      { tools: [labelled("Scenario", this.scenario)] },
      this.steps, make("div", { class: "form" }, this.next, this.again),
      this.log);
    this.showSteps();
  }

  makeFree() {
    const button = (title, act) => make("button",
      { type: "button", onclick: act }, title);

    this.count = field({ value: 100 });
    this.priority = field({ min: 0, max: 7, value: 3 });
    this.us = field({ value: 100 });
    return panel("Freely", {},
      make("div", { class: "form" },
        button("Block the egress port", () => this.run("asic", "block",
          { ports: this.to.value })),
        button("Unblock it", () => this.run("asic", "unblock",
          { ports: this.to.value }))),
      make("div", { class: "form" }, labelled("Packets", this.count),
        button("Send", () => this.send({ count: this.count.value })),
        button("Send until XOFF", () => this.sendUntil("xoff")),
        button("Send until a drop", () => this.sendUntil("drop"))),
      make("div", { class: "form" }, labelled("Priority", this.priority),
        button("Start a pause storm", () => this.run("asic", "storm",
          { port: this.to.value, priorities: this.priority.value })),
        button("Stop it", () => this.run("asic", "storm",
          { port: this.to.value, priorities: "none" }))),
      make("div", { class: "form" }, labelled("Microseconds", this.us),
        button("Let time pass", () => this.run("asic", "run",
          { ns: 1000 * Number(this.us.value) })),
        button("Let all packets leave", () => this.run("asic", "settle", {}))));
  }

  // The ranges are those that orchd takes.
  setRanges() {
    const { send = {}, run = {} } = this.page.ranges;

    setRange(this.dscp, send.dscp);
    setRange(this.size, send.size);
    setRange(this.count, send.count);
    setRange(this.us, run.ns?.map((ns) => Math.floor(ns / 1000)));
  }

  send(more) {
    return this.run("asic", "send", { from: this.from.value, to: this.to.value,
      dscp: this.dscp.value, size: this.size.value, ...more });
  }

  sendUntil(what) {
    return this.send({ until: what, count: 1000000 });
  }

  // Carries out a command, and writes down what it answered.
  async run(noun, verb, values) {
    const answer = await change(noun, verb, values);
    const said = answer.exit === 0
      ? Object.entries(answer.data ?? {}).map(([key, value]) =>
        `${key.replaceAll("_", " ")} ${value}`).join(", ") || "done"
      : reasonOf(answer);

    this.log.prepend(make("p", { class: answer.exit === 0 ? null : "bad" },
      `${clock(Date.now())} ${noun} ${verb}: ${said}`));
    while (this.log.children.length > LOGGED) {
      this.log.lastChild.remove();
    }
    return answer.exit === 0;
  }

  steppable() {
    return SCENARIOS.find(({ name }) => name === this.scenario.value).steps;
  }

  async takeStep() {
    const step = this.steppable()[this.done];

    if (!step || this.next.disabled) {
      return;
    }
    this.next.disabled = true;
    const isDone = await step.act(this);
    this.done += isDone ? 1 : 0;
    this.showSteps();
  }

  restart() {
    this.done = 0;
    this.showSteps();
  }

  showSteps() {
    const steps = this.steppable();

    this.steps.replaceChildren(...steps.map((step, i) => make("li", {
      class: i < this.done ? "done" : null,
      "aria-current": i === this.done ? "step" : null,
    }, step.title, make("span", { class: "note" }, ` ${step.watch}`))));
    this.next.disabled = this.done >= steps.length;
  }

  draw(now) {
    const { live } = this.page;
    const isAllowed = this.page.canTry();

    this.refusal.hidden = isAllowed;
    for (const part of this.parts) {
      part.hidden = !isAllowed;
    }
    const options = live.ports.map((port) => [port, port]);

    setOptions(this.from, options);
    setOptions(this.to, options);
    if (!this.hasPorts && options.length > 1) {
      this.hasPorts = true;
      this.to.value = options[1][0];
    }
    this.setRanges();
    this.pools.draw(live.pools);
    this.chart.draw(now);
    this.pgs.draw(live, (item) => item.used > 0 || item.isPaused);
  }
}

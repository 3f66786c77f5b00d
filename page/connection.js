// SPDX-License-Identifier: Apache-2.0

// The stream of events from orchd, kept up.
//
// A topic is the path of a command, "show/status" or
// "show/pgs?name=Ethernet0".  EventSource connects again by itself when the
// network fails, but not after a refusal, as by a server without room, and it
// does not notice that a machine has slept; so this does.  While the tab is
// hidden there is no connection, and so no cost.

import { applyDelta } from "./delta.js";

const RETRY_FIRST_MS = 500;
const RETRY_MAX_MS = 5000;
// The time that orchd is up changes every second, so silence is a fault.
const SILENCE_MS = 6000;
const CHECK_MS = 1000;

export class Stream {
  // 'listener' has hello(data), answer(topic, answer), cost(ms), and
  // state(connected, isWanted): the latter, that nobody looks.
  constructor(listener) {
    this.listener = listener;
    this.topics = [];
    this.answers = [];
    this.source = null;
    this.retryMs = RETRY_FIRST_MS;
    document.addEventListener("visibilitychange", () => this.show());
    setInterval(() => this.check(), CHECK_MS);
  }

  // Asks for 'topics', each with its interval in ms; the same again changes
  // nothing.
  follow(topics) {
    if (topics.join("\n") !== this.topics.join("\n")) {
      this.topics = topics;
      this.restart();
    }
  }

  show() {
    if (document.hidden) {
      this.listener.state(false, true);
    }
    this.restart();
  }

  check() {
    if (this.source && Date.now() - this.heardAt > SILENCE_MS) {
      this.listener.state(false, false);
      this.restart();
    }
  }

  close() {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
  }

  restart() {
    this.close();
    if (!document.hidden && this.topics.length > 0) {
      this.open();
    }
  }

  open() {
    const query = new URLSearchParams();

    for (const [topic, intervalMs] of this.topics) {
      query.append("topic", `${intervalMs}:${topic}`);
    }
    this.answers = [];
    this.heardAt = Date.now();
    const source = new EventSource(`/events?${query}`);
    this.source = source;
    this.on(source, "hello", (data) => this.hello(data));
    this.on(source, "full", (data) => this.full(data));
    this.on(source, "delta", (data) => this.delta(data));
    source.addEventListener("error", () => this.failed(source));
  }

  on(source, name, handle) {
    source.addEventListener(name, (event) => {
      const start = performance.now();

      if (source === this.source) {
        this.heardAt = Date.now();
        handle(JSON.parse(event.data));
        this.listener.cost(performance.now() - start);
      }
    });
  }

  hello(data) {
    this.retryMs = RETRY_FIRST_MS;
    this.answers = [];
    this.listener.state(true, false);
    this.listener.hello(data);
  }

  full({ topic, ...answer }) {
    this.answers[topic] = answer;
    this.listener.answer(this.topics[topic][0], answer);
  }

  delta({ topic, changes }) {
    const answer = this.answers[topic];

    if (answer) {
      answer.data = applyDelta(answer.data, changes);
      this.listener.answer(this.topics[topic][0], answer);
    }
  }

  failed(source) {
    if (source !== this.source) {
      return;
    }
    this.listener.state(false, false);
    if (source.readyState === EventSource.CLOSED) {
      this.close();
      this.timer = setTimeout(() => this.restart(), this.retryMs);
      this.retryMs = Math.min(2 * this.retryMs, RETRY_MAX_MS);
    }
  }
}

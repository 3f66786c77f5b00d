// SPDX-License-Identifier: Apache-2.0

// A canvas as wide as its place, sharp on every screen.

export class Canvas {
  constructor(element) {
    this.element = element;
    this.context = element.getContext("2d");
    this.width = 0;
    this.height = 0;
  }

  // Returns the width of its place in CSS pixels; 0 while it is hidden.
  available() {
    return Math.floor(this.element.parentElement?.clientWidth ?? 0);
  }

  // Sets the size in CSS pixels, and clears the canvas.
  prepare(width, height) {
    const ratio = devicePixelRatio || 1;
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];

    if (this.element.width !== w || this.element.height !== h) {
      this.element.width = w;
      this.element.height = h;
      this.element.style.width = `${width}px`;
      this.element.style.height = `${height}px`;
    }
    this.width = width;
    this.height = height;
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.context.clearRect(0, 0, width, height);
    this.context.font = "11px system-ui, sans-serif";
    this.context.textBaseline = "middle";
  }

  // Writes 'text' in at most 'width' pixels.
  write(text, x, y, colour, width = Infinity, align = "left") {
    const { context } = this;
    let shown = text;

    while (shown.length > 1 && context.measureText(shown).width > width) {
      shown = `${shown.slice(0, -2)}…`;
    }
    context.fillStyle = colour;
    context.textAlign = align;
    context.fillText(shown, x, y);
  }

  fill(x, y, width, height, colour) {
    this.context.fillStyle = colour;
    this.context.fillRect(x, y, width, height);
  }
}

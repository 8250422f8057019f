// A study's scores, one criterion and metric at a time: a lane for each query, a mark for each model.
const SVG_NAMESPACE = "http://www.w3.org/2000/svg";
const SLOT = 13;
const FIRST_LANES = 6;
const TOP_WORDS = 3;
// Shapes around 0: models differ in shape as well as in colour.
const SHAPES = ["M-5,0a5,5 0 1,0 10,0a5,5 0 1,0 -10,0", "M-4.5,-4.5h9v9h-9z", "M0,-6l6,10.5h-12z",
  "M0,-6.5l6.5,6.5l-6.5,6.5l-6.5,-6.5z", "M0,6l6,-10.5h-12z",
  "M-5.5,-2h3.5v-3.5h4v3.5h3.5v4h-3.5v3.5h-4v-3.5h-3.5z"];

function drawn(tag, attributes = {}, ...children) {
  const made = document.createElementNS(SVG_NAMESPACE, tag);
  Object.entries(attributes).forEach(([name, value]) => made.setAttribute(name, value));
  made.append(...children);
  return made;
}

function markOf([criterion, metric, model, subquery, value, low, high, from, to, p, reason], row) {
  const pair = (a, b) => (a === null || b === null ? null : [a, b]);
  return { criterion, metric, model, subquery, value, interval: pair(low, high), band: pair(from, to), p, reason, row };
}

class Chart {
  constructor(host) {
    this.host = host;
    this.id = host.dataset.details;
    this.title = host.dataset.title;
    this.data = JSON.parse(document.getElementById(host.dataset.chart).textContent);
    const { names, quiet, first } = this.data;
    this.names = names;
    this.marks = this.data.marks.map((mark, row) => markOf(mark, row));
    this.shown = new Set(names.model.map((_, place) => place).filter((m) => !quiet.includes(m)));
    this.metric = first;
    this.criterion = this.marks.find((mark) => mark.metric === first)?.criterion ?? 0;
    this.everyLane = false;
    this.build();
    this.draw();
  }

  build() {
    this.criteria = this.choice("Criterion", "criterion");
    this.metrics = this.choice("Metric", "metric");
    this.legend = element("div", { className: "legend" });
    this.legend.setAttribute("role", "group");
    this.legend.setAttribute("aria-label", `Models shown: ${this.title}`);
    if (this.names.model.length > 1) this.names.model.forEach((label, model) => this.legend.append(this.key(label, model)));
    this.axis = element("div", { className: "axis" });
    this.axis.setAttribute("aria-hidden", "true");
    this.lanes = element("div", { className: "lanes" });
    this.lanes.setAttribute("role", "group");
    this.lanes.setAttribute("aria-label", `Scores: ${this.title}. Arrow keys move between marks, Enter opens details.`);
    this.more = element("button", { type: "button" });
    this.more.addEventListener("click", () => {
      this.everyLane = !this.everyLane;
      this.draw();
    });
    this.tip = element("div", { className: "tip", hidden: true });
    this.tip.setAttribute("role", "status");
    this.reading = element("p", { className: "caption" });
    this.plot = element("div", { className: "plot" }, this.axis, this.lanes, this.tip);
    const controls = element("div", { className: "controls" }, this.criteria, this.metrics);
    this.host.replaceChildren(controls, this.legend, this.reading, this.plot, this.more);
    this.host.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.tip.hidden = true;
    });
    this.plot.addEventListener("pointerleave", () => {
      if (!this.lanes.contains(document.activeElement)) this.tip.hidden = true;
    });
    this.lanes.addEventListener("focusout", () => (this.tip.hidden = true));
  }

  choice(label, kind) {
    const select = element("select", {});
    this.names[kind].forEach((name, place) => select.add(new Option(name, place)));
    select.selectedIndex = this[kind];
    select.addEventListener("change", () => {
      this[kind] = Number(select.value);
      this.draw();
    });
    return this.names[kind].length > 1 ? element("label", {}, label, select) : "";
  }

  key(label, model) {
    const sample = drawn("svg", { width: 14, height: 14, viewBox: "-7 -7 14 14", "aria-hidden": "true" },
      drawn("path", { d: shapeOf(model), class: `mark m${model % 8}` }));
    const button = element("button", { type: "button" }, sample, label);
    button.setAttribute("aria-pressed", this.shown.has(model));
    button.addEventListener("click", () => {
      if (!this.shown.delete(model)) this.shown.add(model);
      button.setAttribute("aria-pressed", this.shown.has(model));
      this.draw();
    });
    return button;
  }

  draw() {
    const marks = this.marks.filter((mark) =>
      mark.criterion === this.criterion && mark.metric === this.metric && this.shown.has(mark.model));
    const rows = new Map();
    marks.forEach((mark) => rows.set(mark.subquery, [...(rows.get(mark.subquery) ?? []), mark]));
    const numbers = marks.flatMap((mark) => [mark.value, ...(mark.interval ?? []), ...(mark.band ?? [])]).filter((number) => number !== null);
    this.signed = this.data.signed.includes(this.metric);
    this.scale = niceScale(this.signed ? [0, ...numbers] : numbers);
    this.drawAxis();
    const listed = [...rows];
    const shown = this.everyLane ? listed : listed.slice(0, FIRST_LANES);
    this.lanes.replaceChildren(...shown.map(([subquery, found]) => this.lane(subquery, found)));
    this.lanes.querySelector("[role=button]")?.setAttribute("tabindex", 0);
    this.more.hidden = listed.length <= FIRST_LANES;
    this.more.textContent = this.everyLane ? `Show the first ${FIRST_LANES}` : `Show all ${listed.length} queries`;
    this.tip.hidden = true;
    this.reading.textContent = this.readingText(marks);
  }

  readingText(marks) {
    if (!marks.length) return "These models have no score by this metric.";
    const meant = this.data.readings[this.metric];
    const meaning = meant ? `${meant[0].toUpperCase()}${meant.slice(1)}. ` : this.signed
      ? "0 = no association. Sign: direction. Distance from 0: strength. "
      : "";
    const parts = [];
    if (marks.some((mark) => mark.interval)) parts.push("Lines: 95% intervals");
    const banded = new Set(marks.filter((mark) => mark.band).map((mark) => mark.model));
    const without = new Set(marks.map((mark) => mark.model).filter((model) => !banded.has(model)));
    const names = [...without].map((model) => this.names.model[model]).join(" and ");
    if (banded.size) parts.push(`grey: null band of random words${names && ` (not known for ${names})`}`);
    return `${meaning}${parts.length ? `${parts.join("; ")}. ` : ""}Point at, tap or focus a mark.`;
  }

  drawAxis() {
    this.axis.replaceChildren(...this.scale.ticks.map((tick) => {
      const label = element("span", {}, String(tick));
      label.style.left = this.at(tick);
      return label;
    }));
  }

  at(number) {
    const { low, high } = this.scale;
    return `${(100 * (number - low)) / (high - low)}%`;
  }

  lane(subquery, marks) {
    const height = SLOT * marks.length + 4;
    const svg = drawn("svg", { width: "100%", height });
    this.scale.ticks.forEach((tick) => {
      const kind = tick === 0 && this.signed ? "zero" : "tick";
      svg.append(drawn("line", { x1: this.at(tick), x2: this.at(tick), y1: 0, y2: height, class: kind }));
    });
    marks.forEach((mark, place) => svg.append(this.mark(mark, 2 + SLOT * (place + 0.5))));
    const name = element("div", { className: "lane-name" }, this.names.subquery[subquery].replace(/^[^:]*: /, ""));
    return element("div", { className: "lane" }, name, element("div", { className: "lane-plot" }, svg));
  }

  mark(mark, y) {
    const group = drawn("g", { role: "button", tabindex: -1, "aria-label": this.spoken(mark), class: `m${mark.model % 8}` });
    group.append(drawn("rect", { x: 0, y: y - SLOT / 2, width: "100%", height: SLOT, class: "hit" }));
    const { band, interval, value } = mark;
    if (band) {
      const width = `${parseFloat(this.at(band[1])) - parseFloat(this.at(band[0]))}%`;
      group.append(drawn("rect", { x: this.at(band[0]), y: y - 5, width, height: 10, class: "band" }));
    }
    if (interval) {
      group.append(drawn("line", { x1: this.at(interval[0]), x2: this.at(interval[1]), y1: y, y2: y, class: "interval" }));
    }
    if (value === null) {
      group.append(drawn("text", { x: 2, y: y + 4, class: "none" }, `${this.names.model[mark.model]}: no score`));
    } else {
      const place = drawn("svg", { x: this.at(value), y, overflow: "visible", width: 1, height: 1 });
      place.append(drawn("path", { d: shapeOf(mark.model), class: "mark" }));
      group.append(place);
    }
    group.addEventListener("pointerenter", () => this.tell(mark, group));
    group.addEventListener("focus", () => this.tell(mark, group));
    group.addEventListener("click", () => {
      if (this.tip.dataset.row === String(mark.row) && !this.touched) this.open(mark, group);
      else group.focus();
    });
    group.addEventListener("pointerdown", (event) => (this.touched = event.pointerType === "touch"));
    group.addEventListener("keydown", (event) => this.keyPressed(event, mark, group));
    return group;
  }

  open(mark, group) {
    openDetails(this.id, mark.row, group.getAttribute("aria-label").split(": ")[0]);
  }

  keyPressed(event, mark, group) {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.open(mark, group);
      return;
    }
    const all = [...this.lanes.querySelectorAll("[role=button]")];
    const inLane = group.parentElement.querySelectorAll("[role=button]").length;
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: inLane, ArrowUp: -inLane }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = all[Math.min(all.length - 1, Math.max(0, all.indexOf(group) + step))];
    all.forEach((other) => other.setAttribute("tabindex", -1));
    next.setAttribute("tabindex", 0);
    next.focus();
  }

  spoken(mark) {
    const { model, subquery } = this.names;
    return `${model[mark.model]}, ${subquery[mark.subquery].replace(/^[^:]*: /, "").replaceAll(": ", ", ")}: ${this.measured(mark)}`;
  }

  measured({ value, interval, band, p, reason }) {
    if (value === null) return `no score: ${this.data.reasons[reason] ?? "undefined"}`;
    const outside = band && (value < band[0] || value > band[1]);
    return [
      short(value),
      interval && `95% interval ${short(interval[0])} to ${short(interval[1])}`,
      band && `${outside ? "outside" : "within"} the null band of random words (${short(band[0])} to ${short(band[1])})`,
      p !== null && `p adjusted ${short(p)}`,
    ].filter(Boolean).join("; ");
  }

  tell(mark, group) {
    const parts = [
      element("strong", {}, this.names.model[mark.model]), ` ${this.measured(mark)}.`,
    ];
    const words = element("div", {});
    detailsOf(this.id).then((found) =>
      words.replaceChildren(...topWords(found, mark.row).map((line) => element("div", {}, line))));
    const open = element("button", { type: "button", tabIndex: -1 }, "All details");
    open.addEventListener("pointerdown", (event) => event.preventDefault());
    open.addEventListener("click", () => this.open(mark, group));
    this.tip.replaceChildren(...parts, words, open);
    this.tip.dataset.row = mark.row;
    this.tip.hidden = false;
    const [lane, plot] = [group.closest(".lane"), this.plot].map((box) => box.getBoundingClientRect());
    this.tip.style.top = `${lane.bottom - plot.top}px`;
  }
}

// The words of each set with the largest values. A number follows its word in any direction of writing.
function topWords(data, row) {
  return data.words[row].slice(0, 1).flatMap((entry) => {
    const [, sets, values] = data.values[entry];
    let start = 0;
    return sets.flatMap(([set, words]) => {
      const found = data.lists[words].map((word, n) => [data.texts[word], values[start + n]]);
      start += found.length;
      const top = found.filter(([, value]) => value !== null)
        .sort(([, a], [, b]) => Math.abs(b) - Math.abs(a)).slice(0, TOP_WORDS);
      const more = found.length > top.length ? " …" : "";
      return top.length ? [`${data.texts[set]}: ${top.map(([word, value]) => `\u2068${word}\u2069 ${short(value)}`).join(", ")}${more}`] : [];
    });
  });
}

function shapeOf(model) {
  return SHAPES[model % SHAPES.length];
}

function short(number) {
  return String(Number(number.toPrecision(3)));
}

// Ends and ticks at round numbers around all values.
function niceScale(numbers) {
  if (!numbers.length) return { low: 0, high: 1, ticks: [] };
  const [least, most] = numbers.reduce(([a, b], n) => [Math.min(a, n), Math.max(b, n)], [Infinity, -Infinity]);
  const span = most - least || Math.abs(most) || 1;
  const power = 10 ** Math.floor(Math.log10(span / 4));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => span / size <= 5);
  const ends = [Math.floor(least / step), Math.ceil(most / step)];
  if (ends[0] === ends[1]) ends[1] += 1;
  const ticks = Array.from({ length: ends[1] - ends[0] + 1 }, (_, n) => Number(((ends[0] + n) * step).toPrecision(12)));
  const edge = 0.03 * (ends[1] - ends[0]) * step;
  return { low: ends[0] * step - edge, high: ends[1] * step + edge, ticks };
}

"use strict";

// Rows shown until all are asked for, so that a table of thousands stays quick and short.
const FIRST_ROWS = 10;
const ORDER = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

// A table whose headers sort it, with a search field and a list for each column of few values.
class SortableTable {
  constructor(table, name) {
    this.table = table;
    this.name = name;
    this.body = table.tBodies[0];
    this.rows = [...this.body.rows];
    this.found = this.rows;
    this.chosen = new Map();
    this.sought = "";
    this.every = "whole" in table.dataset;
    this.headers = [...table.tHead.rows[0].cells];
    this.headers.forEach((header, column) => {
      if (!header.classList.contains("action")) this.makeSortable(header, column);
    });
    if (this.rows.length > FIRST_ROWS && !this.every) {
      this.addControls();
      this.addMore();
    }
    this.show();
  }

  makeSortable(header, column) {
    const button = element("button", { type: "button" }, ...header.childNodes);
    button.addEventListener("click", () => this.sort(column));
    header.append(button);
  }

  sort(column) {
    const header = this.headers[column];
    const direction = header.ariaSort === "ascending" ? "descending" : "ascending";
    this.headers.forEach((other) => other.removeAttribute("aria-sort"));
    header.setAttribute("aria-sort", direction);
    const sign = direction === "ascending" ? 1 : -1;
    const numeric = "numeric" in header.dataset;
    const keyed = this.rows.map((row) => [sortKey(row.cells[column], numeric), row]);
    keyed.sort(([a], [b]) => compared(a, b, numeric, sign));
    this.rows = keyed.map(([, row]) => row);
    this.filter();
  }

  addControls() {
    const search = element("input", { type: "search" });
    search.addEventListener("input", () => {
      this.sought = search.value.trim().toLowerCase();
      this.filter();
    });
    const controls = element("div", { className: "controls" });
    controls.setAttribute("role", "group");
    controls.setAttribute("aria-label", `Filters: ${this.name}`);
    controls.append(element("label", {}, "Search in the rows", search));
    this.headers.forEach((header, column) => {
      if ("choice" in header.dataset) controls.append(this.choice(header, column));
    });
    this.status = element("p");
    this.status.setAttribute("role", "status");
    const pages = element("div", { className: "pages" }, this.status);
    this.pages = pages;
    this.table.parentElement.before(controls, pages);
  }

  choice(header, column) {
    const values = [...new Set(this.rows.map((row) => row.cells[column].textContent))];
    const select = element("select", {}, new Option("all", ""));
    values.sort(ORDER.compare).forEach((value) => select.add(new Option(value, value)));
    select.addEventListener("change", () => {
      if (select.selectedIndex > 0) this.chosen.set(column, select.value);
      else this.chosen.delete(column);
      this.filter();
    });
    return values.length > 1 ? element("label", {}, header.textContent, select) : "";
  }

  addMore() {
    this.more = element("button", { type: "button" });
    this.more.addEventListener("click", () => {
      this.every = !this.every;
      this.show();
    });
    this.pages.append(this.more);
  }

  filter() {
    this.found = this.rows.filter((row) => this.admits(row));
    this.show();
  }

  admits(row) {
    for (const [column, value] of this.chosen) {
      if (row.cells[column].textContent !== value) return false;
    }
    return !this.sought || row.textContent.toLowerCase().includes(this.sought);
  }

  show(all = this.every) {
    const shown = all ? this.found : this.found.slice(0, FIRST_ROWS);
    this.body.replaceChildren(...shown);
    if (this.status) {
      const place = shown.length ? `Rows 1 to ${shown.length}` : "No row";
      const among = this.found.length < this.rows.length ? ` found among ${this.rows.length}` : "";
      this.status.textContent = `${place} of ${this.found.length}${among}`;
    }
    if (this.more) {
      this.more.hidden = this.found.length <= FIRST_ROWS;
      this.more.textContent = this.every ? `Show the first ${FIRST_ROWS}` : `Show all ${this.found.length} rows`;
      this.more.setAttribute("aria-label", `${this.more.textContent}: ${this.name}`);
    }
  }
}

function sortKey(cell, numeric) {
  const text = cell.dataset.sort ?? cell.textContent;
  if (!numeric) return text;
  return text === "" ? NaN : Number(text);
}

// What is missing stays at the end, whichever way the rest goes.
function compared(a, b, numeric, sign) {
  const [noA, noB] = numeric ? [Number.isNaN(a), Number.isNaN(b)] : [a === "", b === ""];
  if (noA || noB) return noA - noB;
  return sign * (numeric ? Math.sign(a - b) || 0 : ORDER.compare(a, b));
}

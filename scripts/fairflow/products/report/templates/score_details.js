// What is known of a score besides its row of the table, in a dialog.
const LONG_TEXT = 120;
const DIALOG = document.getElementById("details");
const PARSED = new Map();

async function detailsOf(id) {
  if (!PARSED.has(id)) PARSED.set(id, textOf(id).then(JSON.parse));
  return PARSED.get(id);
}

// A button in each row of a table of scores, which opens what else is known of the score.
function addDetailButtons(table) {
  const heading = element("th", { scope: "col", className: "action" }, "Details");
  table.tHead.rows[0].cells[0].after(heading);
  [...table.tBodies[0].rows].forEach((row, place) => {
    const title = [...row.cells].slice(0, 4).map((cell) => cell.textContent.trim()).join(", ");
    const button = element("button", { type: "button" }, "Open");
    button.setAttribute("aria-label", `Open details of ${title}`);
    button.addEventListener("click", () => openDetails(table.dataset.details, place, title));
    row.cells[0].after(element("td", { className: "action" }, button));
  });
}

async function openDetails(id, place, title) {
  const data = await detailsOf(id);
  document.getElementById("details-title").textContent = title;
  const content = DIALOG.querySelector("[data-content]");
  content.replaceChildren(...wordTables(data, place), ...facts(data, place));
  content.querySelectorAll("table").forEach((table) => new SortableTable(table, "words"));
  DIALOG.showModal();
  DIALOG.scrollTop = 0;
}

function facts(data, place) {
  const list = element("dl", { className: "facts" });
  const add = (label, text) => {
    const pair = [element("dt", {}, label), element("dd", {}, text)];
    list.append(element("div", { className: text.length > LONG_TEXT ? "long" : "" }, ...pair));
  };
  data.fields.forEach(([label, kind], field) => {
    const value = data.rows[place][field];
    if (value !== null) add(label, factText(data, kind, value));
  });
  data.measures[place].forEach(([measure, value]) =>
    add(`Also measured: ${data.texts[measure]}`, value === null ? "undefined" : String(value)));
  return [element("h3", {}, "Statistics"), list];
}

function factText(data, kind, value) {
  if (kind === "text") return data.texts[value];
  if (kind === "interval") return `${value[0]} to ${value[1]}`;
  if (kind === "list") return data.lists[value].map((text) => data.texts[text]).join(", ");
  return String(value);
}

function wordTables(data, place) {
  if (!data.words[place].length) return [element("p", {}, "There are no values of single words.")];
  return data.words[place].flatMap((entry) => {
    const [measure, sets, values] = data.values[entry];
    const name = data.texts[measure].replaceAll("_", " ");
    return [element("h3", {}, `Words: ${name}`), wordTable(data, name, sets, values)];
  });
}

function wordTable(data, measure, sets, values) {
  const headers = [["Word"], ["Set", "choice"], [measure, "numeric"]].map(([label, mark]) => {
    const header = element("th", { scope: "col" }, label);
    if (mark) header.dataset[mark] = "";
    if (mark === "numeric") header.className = "n";
    return header;
  });
  const rows = [];
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value ?? 0)), 0);
  for (const [set, words] of sets) {
    for (const word of data.lists[words]) {
      rows.push(wordRow(data.texts[word], data.texts[set], values[rows.length], largest));
    }
  }
  const table = element("table", {}, element("thead", {}, element("tr", {}, ...headers)),
    element("tbody", {}, ...rows));
  return element("div", { className: "scroll", tabIndex: 0 }, table);
}

function wordRow(word, set, value, largest) {
  const cell = element("td", { className: "n" }, value === null ? "—" : String(value));
  if (value === null) cell.dataset.sort = "";
  else if (largest > 0) {
    const share = (100 * Math.abs(value)) / largest;
    const colour = value < 0 ? "var(--bar-below)" : "var(--bar)";
    cell.style.background = `linear-gradient(to left, ${colour} ${share}%, transparent ${share}%)`;
  }
  return element("tr", {}, element("th", { scope: "row" }, word), element("td", {}, set), cell);
}

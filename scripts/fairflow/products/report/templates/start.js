// A table or figure in a fold is made when that opens, to show the page at once.
const TABLES = new Map();
const MADE = [];

function addTable(table) {
  if (!TABLES.has(table)) TABLES.set(table, sortable(table));
  return TABLES.get(table);
}

async function sortable(table) {
  if (table.dataset.rest) {
    const rows = element("template", { innerHTML: await textOf(table.dataset.rest) });
    table.tBodies[0].append(rows.content);
  }
  const name = document.getElementById(table.getAttribute("aria-labelledby")).textContent;
  if (table.dataset.details) addDetailButtons(table);
  MADE.push(new SortableTable(table, name));
}

async function addFigure(packed) {
  const { alt, width, height } = packed.dataset;
  const image = element("img", { alt, width, height, decoding: "async" });
  // The first figure of a study is the picture in its row of the first table, too.
  const thumb = !packed.closest("details") && document.querySelector(`[data-thumb="${packed.closest("section").id}"]`);
  packed.replaceWith(image);
  const [svg, glyphs] = await Promise.all([unpacked(packed.textContent), textOf("glyphs")]);
  image.src = `data:image/svg+xml,${encodeURIComponent(svg.replace("<defs>", `<defs>${glyphs}`))}`;
  if (thumb) thumb.append(element("img", { src: image.src, alt: "" }));
}

// The tables and figures of a fold, without those in folds inside it.
function fill(fold) {
  const own = (part) => part.closest("details.fold") === fold;
  const tables = [...fold.querySelectorAll("table[data-sortable]")].filter(own).map(addTable);
  const figures = [...fold.querySelectorAll("[data-figure]")].filter(own).map(addFigure);
  return Promise.all([...tables, ...figures]);
}

function start() {
  const outside = (part) => !part.closest("details.fold");
  [...document.querySelectorAll("[data-figure]")].filter(outside).forEach(addFigure);
  [...document.querySelectorAll("table[data-sortable]")].filter(outside).forEach(addTable);
  document.querySelectorAll("[data-chart]").forEach((host) => new Chart(host));
  // Events of folds do not bubble.
  document.addEventListener("toggle", (event) => event.target.open && fill(event.target), true);
  DIALOG.querySelector("[data-close]").addEventListener("click", () => DIALOG.close());
  DIALOG.addEventListener("click", (event) => event.target === DIALOG && DIALOG.close());
  addFolds();
  addEventListener("beforeprint", () => MADE.forEach((table) => table.show(true)));
  addEventListener("afterprint", () => MADE.forEach((table) => table.show()));
}

start();

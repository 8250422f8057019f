// What the theme adds to a page when it is shown, made known to the keyboard and to screen readers.
function reachable() {
  const scrolling = ".md-typeset__scrollwrap, pre > code, .formula";
  for (const wide of document.querySelectorAll(scrolling)) {
    if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0;
  }
}

addEventListener("load", () => {
  document.querySelectorAll("table[data-sortable]").forEach((table) => new SortableTable(table, "models"));
  document.querySelectorAll(".md-code__nav").forEach((nav, n) => nav.setAttribute("aria-label", `Code ${n + 1}`));
  // The theme decides on its own after a change of size, and where there is no mouse against it.
  new ResizeObserver(() => setTimeout(reachable, 300)).observe(document.body);
  reachable();
});

// A link opens the folds around its target first.
function unfold(hash) {
  const target = document.getElementById(decodeURIComponent(hash.slice(1)));
  const folds = [];
  for (let fold = target?.closest("details"); fold; fold = fold.parentElement.closest("details")) folds.push(fold);
  folds.forEach((fold) => (fold.open = true));
  return [target, folds];
}

// The browser scrolls before folds open, and the page grows as they fill: scroll again.
async function arrive() {
  if (!location.hash) return;
  const [target, folds] = unfold(location.hash);
  target?.scrollIntoView({ behavior: "instant" });
  await Promise.all(folds.map(fill));
  target?.scrollIntoView({ behavior: "instant" });
}

function addFolds() {
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href^='#']");
    if (link) unfold(link.hash);
  });
  addEventListener("hashchange", arrive);
  addEventListener("load", arrive);
  const button = document.querySelector("[data-open-all]");
  button.addEventListener("click", () => {
    const open = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", open);
    document.querySelectorAll("main details").forEach((fold) => (fold.open = open));
  });
}

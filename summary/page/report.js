"use strict";
(() => {
  const live = document.getElementById("live");

  // Every column sorts by its data-key, else by its text; a second press turns
  // the order round. Equal ones keep the order that they came in. What belongs
  // together stands in one tbody, whose first row has the keys.
  const order = new Intl.Collator("en", { numeric: true });
  const key = (group, column) => {
    const cell = group.rows[0].cells[column];
    return cell.dataset.key ?? cell.textContent.trim();
  };
  for (const table of document.querySelectorAll("table[data-sort]")) {
    const heads = [...table.tHead.rows[0].cells];
    const groups = [...table.tBodies];
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      const name = head.textContent;
      button.type = "button";
      button.textContent = name;
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const direction = head.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
        for (const other of heads) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", direction);
        const sign = direction === "ascending" ? 1 : -1;
        table.append(...groups.toSorted((a, b) => sign * order.compare(key(a, column), key(b, column))));
        live.textContent = `Sorted by ${name}, ${direction}`;
      });
    });
  }

  // One button folds and unfolds everything.
  const all = [...document.querySelectorAll("details")];
  const fold = document.createElement("button");
  fold.type = "button";
  fold.className = "fold";
  const label = () => {
    fold.textContent = all.every((d) => d.open) ? "Fold all" : "Unfold all";
  };
  fold.addEventListener("click", () => {
    const open = !all.every((d) => d.open);
    for (const d of all) d.open = open;
    label();
  });
  for (const d of all) d.addEventListener("toggle", label);
  label();
  if (all.length > 0) document.querySelector("header").append(fold);

  // Much evidence is filtered: by its worst status, and by words that are anywhere in it. The
  // slash goes to the search, Escape takes the filter away.
  const main = document.querySelector("main[data-filter]");
  if (main) {
    const pieces = [...main.querySelectorAll("details.evidence")];
    const bar = document.createElement("form");
    bar.className = "filter";
    bar.setAttribute("role", "search");
    const search = document.createElement("input");
    search.type = "search";
    search.placeholder = "Search evidence ( / )";
    search.setAttribute("aria-label", "Search evidence");
    const choice = document.createElement("select");
    choice.setAttribute("aria-label", "Status");
    for (const status of ["all", "FAIL", "warn", "ok"]) {
      const n = pieces.filter((p) => status === "all" || p.dataset.status === status).length;
      if (n > 0) choice.append(new Option(`${status} (${n})`, status));
    }
    const apply = () => {
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const p of pieces) {
        const text = p.textContent.toLowerCase();
        p.hidden = !((choice.value === "all" || p.dataset.status === choice.value) && words.every((w) => text.includes(w)));
        if (!p.hidden) shown++;
      }
      for (const group of main.querySelectorAll(".group")) {
        group.hidden = ![...group.querySelectorAll("details.evidence")].some((p) => !p.hidden);
      }
      live.textContent = `${shown} of ${pieces.length} shown`;
    };
    search.addEventListener("input", apply);
    choice.addEventListener("change", apply);
    bar.addEventListener("submit", (event) => event.preventDefault());
    addEventListener("keydown", (event) => {
      if (event.key === "/" && document.activeElement !== search) {
        event.preventDefault();
        search.focus();
      } else if (event.key === "Escape") {
        search.value = "";
        choice.value = "all";
        apply();
      }
    });
    bar.append(choice, search);
    main.prepend(bar);
  }

  // A link to folded evidence opens it.
  const reveal = () => {
    const target = document.getElementById(location.hash.slice(1));
    if (target instanceof HTMLDetailsElement) target.open = true;
  };
  addEventListener("hashchange", reveal);
  reveal();

  // On paper nothing can be unfolded.
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = all.filter((d) => !d.open);
    for (const d of folded) d.open = true;
  });
  addEventListener("afterprint", () => {
    for (const d of folded) d.open = false;
  });
})();

// Puts the page together.

function main() {
  restoreTheme();
  const changed = () => {
    applyFilter();
    byId("list").scrollTop = 0;
    redrawTable();
  };
  const clear = () => {
    Object.assign(filter, { status: "", text: "", tag: "", target: "" });
    byId("search").value = "";
    byId("tag").value = "";
    byId("target").value = "";
    for (const button of byId("counts").children) button.setAttribute("aria-pressed", String(button.dataset.status === ""));
    changed();
  };
  setUpSummary(changed);
  setUpFilters(changed);
  setUpTable(openTest);
  setUpExport();
  setUpKeys(clear);
  changed();
  setUpAddress();
  document.documentElement.dataset.ready = "true";
}

main();

// The table: only the rows in sight are elements.

const ROW_HEIGHT = 54;
const OVERSCAN = 8;
const PRINTED_ROWS = 2000;
let activeRow = -1;
let slowest = 1;

const isTried = (row) => INDEX.tries[row] || isRepeated(row) || resultsOf(row).length > 1;

function strip(row) {
  const runs = countedRuns(runsOf(row));
  const [passed, all] = passedOf(row);
  return h("span", { class: "strip", role: "img", "aria-label": `passed ${passed} of ${all} runs`, title: `passed ${passed} of ${all} runs` },
    runs.slice(-12).map((run) => h("i", { class: `s-${run.status}` })));
}

function rowElement(row, position) {
  const status = statusOf(row);
  const why = INDEX.why[row];
  const bar = h("i", {});
  bar.style.width = percent(INDEX.us[row] / slowest);
  const element = h("div", {
    class: `row s-${status}${row === activeRow ? " active" : ""}`, id: `row-${row}`, role: "row", "data-row": row,
    "aria-rowindex": position + 1, "aria-selected": String(row === activeRow),
  },
  h("span", { class: "row-icon", role: "gridcell", "aria-label": STATUS[status].word, title: STATUS[status].word }, icon(status)),
  h("span", { class: "row-main", role: "gridcell" },
    h("span", { class: "row-name" }, h("span", { class: "foreign" }, titleOf(row)),
      classOf(row) && classOf(row) !== "stable" && classBadge(classOf(row)), flakyTests.has(row) && h("span", { class: "badge s-y" }, "flaky"), isTried(row) && strip(row), why && h("span", { class: "row-file mono foreign" }, row in INDEX.short ? `${shortOf(row)} · ${fileOf(row)}` : fileOf(row))),
    h("span", { class: "row-sub" }, why ? h("span", { class: "row-why foreign" }, why) : [h("span", { class: "mono foreign" }, shortOf(row)), INDEX.ask[row] && h("span", { class: "foreign" }, ` · ${INDEX.ask[row]}`)])),
  h("span", { class: "row-tags", role: "gridcell" }, allTagsOf(row).slice(0, 3).map((tag) => h("span", { class: "tag foreign", title: tag }, tag))),
  h("span", { class: "row-target foreign", role: "gridcell" }, targetsOf(row).join(", ")),
  h("span", { class: "row-time", role: "gridcell" }, time(INDEX.us[row]), h("div", { class: "row-bar" }, bar)));
  element.style.top = `${position * ROW_HEIGHT}px`;
  return element;
}

let drawn = { first: -1, last: -1 };
let isPrinting = false;

function drawRows(all) {
  if (isPrinting) return;
  const list = byId("list");
  const first = all ? 0 : Math.max(0, Math.floor(list.scrollTop / ROW_HEIGHT) - OVERSCAN);
  const last = all ? Math.min(shownRows.length, all) : Math.min(shownRows.length, Math.ceil((list.scrollTop + list.clientHeight) / ROW_HEIGHT) + OVERSCAN);
  if (first === drawn.first && last === drawn.last) return;
  drawn = { first, last };
  const rows = document.createDocumentFragment();
  for (let position = first; position < last; position += 1) rows.append(rowElement(shownRows[position], position));
  byId("rows").replaceChildren(rows);
}

function redrawTable() {
  drawn = { first: -1, last: -1 };
  slowest = shownRows.reduce((most, row) => Math.max(most, INDEX.us[row]), 1);
  byId("rows").style.height = `${shownRows.length * ROW_HEIGHT}px`;
  byId("list").setAttribute("aria-rowcount", shownRows.length);
  byId("shown").textContent = shownRows.length === TESTS.length ? counted(TESTS.length, "test") : `${number(shownRows.length)} of ${counted(TESTS.length, "test")}`;
  drawRows();
  if (shownRows.length === 0) {
    byId("rows").replaceChildren(h("div", { class: "empty", role: "row" }, h("span", { role: "gridcell" }, h("strong", {}, "No test matches"), TESTS.length ? "Change the search or the filters; Esc clears them." : "This run had none.")));
  }
}

// Makes a row the one that keys act on, and brings it into sight.
function activate(row) {
  activeRow = row;
  const list = byId("list");
  const position = shownRows.indexOf(row);
  if (position >= 0) {
    const top = position * ROW_HEIGHT;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (top + ROW_HEIGHT > list.scrollTop + list.clientHeight) list.scrollTop = top + ROW_HEIGHT - list.clientHeight;
    list.setAttribute("aria-activedescendant", `row-${row}`);
  } else {
    list.removeAttribute("aria-activedescendant");
  }
  drawn = { first: -1, last: -1 };
  drawRows();
}

function step(distance) {
  if (shownRows.length === 0) return;
  const position = shownRows.indexOf(activeRow);
  const next = position < 0 ? (distance > 0 ? 0 : shownRows.length - 1) : Math.min(shownRows.length - 1, Math.max(0, position + distance));
  activate(shownRows[next]);
}

// Goes on to the next test that did not pass, and round to the first.
function stepToFailure() {
  const position = shownRows.indexOf(activeRow);
  const ahead = [...shownRows.slice(position + 1), ...shownRows.slice(0, position + 1)];
  const next = ahead.find((row) => "feti".includes(statusOf(row)));
  if (next !== undefined) activate(next);
  return next;
}

function setUpTable(opened) {
  const list = byId("list");
  list.addEventListener("scroll", () => requestAnimationFrame(() => drawRows()), { passive: true });
  new ResizeObserver(() => drawRows()).observe(list);
  list.addEventListener("click", (event) => {
    const row = event.target.closest("[data-row]");
    if (row) opened(Number(row.dataset.row));
  });
  // Paper has no scrolling: everything that is shown is drawn, within reason.
  addEventListener("beforeprint", () => {
    drawRows(PRINTED_ROWS);
    const n_shown = shownRows.length;
    byId("print-note").textContent = n_shown > PRINTED_ROWS ? `Only the first ${number(PRINTED_ROWS)} of ${counted(n_shown, "test")} are printed. Filter the list to print others, or export it.` : "";
    isPrinting = true;
  });
  addEventListener("afterprint", () => {
    isPrinting = false;
    redrawTable();
  });
}

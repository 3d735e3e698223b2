// One test, opened beside the table.

let openRow = -1;
let openAttempt = 0;

function headOf(row, chosen, close) {
  const status = statusOf(row);
  const link = h("button", { type: "button", class: "button", on: { click: () => copy(location.href.replace(/#.*$/, "") + linkTo(row, chosen), link) } }, "Copy link");
  return h("div", { class: "detail-head" },
    h("div", { class: "detail-line" }, h("span", { class: `badge s-${status}` }, icon(status), STATUS[status].word), flakyRows.has(row) && h("span", { class: "badge s-y" }, icon("y"), "flaky"),
      h("span", { class: "spread" }, link, h("button", { type: "button", class: "button icon-button", "aria-label": "Close the test", title: "Close (Esc)", on: { click: close } }, "✕"))),
    h("h2", { class: "foreign" }, titleOf(row)), h("div", { class: "detail-id mono foreign" }, row in INDEX.short ? `${shortOf(row)} · ${fileOf(row)}` : INDEX.id[row]));
}

// Shows one attempt below the head.
function attemptBody(row, detail, status, view) {
  const turns = detail.turns || [];
  const checks = detail.checks || [];
  const unmetTest = checks.filter(isUnmet);
  const pointing = turns.map((turn, index) => [...(turn.checks || []), ...checks.filter((check) => check.t === index)].filter((check) => isUnmet(check) && check.v !== undefined));
  const isBad = (turn) => turn.end || (turn.checks || []).some(isUnmet);
  const firstBad = turns.findIndex((turn, index) => isBad(turn) || pointing[index].length > 0);
  const elements = turns.map((turn, index) => turnElement(turn, index, row, pointing[index], turns.length === 1 || index === firstBad || (firstBad < 0 && turns.length <= 2), index === 0 && !detail.cps ? view : null, (detail.cps || []).filter((one) => one.t === index)));
  const unmet = turns.flatMap((turn, index) => (turn.checks || []).filter(isUnmet).map((check) => [check, `turn ${index + 1}`, () => elements[index].showEvent(check.v)]));
  for (const check of unmetTest) unmet.push([check, view ? "case" : "whole test", check.t === undefined ? null : () => elements[check.t].showEvent(check.v)]);
  unmet.push(...awaitedChecks(detail, status));
  const n_missing = detail.n === undefined ? 0 : detail.n - turns.length - (detail.cut?.turns || 0);
  return [
    detail.why && !detail.fn?.fs && h("div", { class: `banner s-${status} foreign` }, detail.why, detail.more && h("pre", { class: "foreign" }, detail.more.join("\n"))),
    detail.fn && functionSections(detail, status),
    detail.around && section(detail.fn ? "Logs around it" : "Logs", null, h("details", { class: "fold", open: status !== "p" && status !== "s" }, h("summary", {}, counted(detail.around.length, "line")), logsList(detail.around)), leftOut(detail, "around")),
    unmet.length > 0 && section(unmet.some(([check]) => check.o === "f") ? "What failed" : "What could not be decided", null, unmet.map(([check, where, show]) => unmetCheck(check, row, where, show))),
    checkpointsSection(detail, elements),
    (detail.warn || []).map((line) => h("div", { class: "notice foreign" }, line)),
    turns.length > 0 && section(detail.fn ? "Asked agents" : "Conversation", n_missing > 0 ? `${number(n_missing)} of ${counted(detail.n, "turn")} not run` : null, elements, leftOut(detail, "turns")),
    turns.length === 0 && !detail.fn && h("p", { class: "soft section" }, detail.isLeftOut ? `This run is left out here${IN_BUNDLE}.` : status === "s" ? "It was not run." : "No turn was run."),
    turns.length === 0 && view && section("Input", null, askedBubbles(view)),
    checks.length > unmetTest.length && section(view ? "Assertions" : "Assertions on the whole test", null, passedChecks(checks, row, view && checks.length <= 20)),
    leftOut(detail, "checks"),
    view && caseSections(view),
    detail.vars && section("Variables", "from the hooks", jsonView("variables", detail.vars, 1)),
  ];
}

function drawDetail(row, attempt, open) {
  const { case: view, st } = detailOf(row);
  const entries = entriesOf(row);
  const chosen = Math.min(attempt ?? ownEntry(row), entries.length - 1);
  const { status, us } = entries[chosen];
  const shown = detailOfEntry(entries[chosen]);
  openAttempt = chosen;
  const meta = h("div", { class: "meta" },
    [["Duration", time(us)], ["Agent", targetOf(row)], ["File", INDEX.file[row]], ["Started", shown.at ? clock(shown.at) : ""], ...caseFacts(view, row)].filter(([, value]) => value).map(([name, value]) => h("span", {}, `${name} `, h("b", { class: "foreign" }, value))),
    tagsOf(row).map((tag) => h("span", { class: "tag foreign" }, tag)));
  const onRun = (run) => open(run.row, run.attempt);
  const panel = byId("detail");
  panel.replaceChildren();
  append(panel, [headOf(row, chosen, () => open(-1)), meta, stability(row, onRun, chosen, st), runTabs(row, onRun, chosen), attemptBody(row, shown, status, view)]);
  panel.scrollTop = 0;
}

// Shows a result beside the table; -1 shows none.
function showResult(row, attempt) {
  const panel = byId("detail");
  const isOpen = row >= 0;
  openRow = row;
  panel.hidden = !isOpen;
  byId("main").classList.toggle("split", isOpen);
  byId("missing").hidden = true;
  if (isOpen) {
    panel.setAttribute("aria-label", visible(`Test ${titleOf(row)}`));
    drawDetail(row, attempt, openTest);
    activate(testOf(row));
  } else {
    panel.replaceChildren();
    byId("list").focus({ preventScroll: true });
    drawn = { first: -1, last: -1 };
    drawRows();
  }
}

// One test, opened beside the table.

let openRow = -1;

function headOf(row, close) {
  const status = statusOf(row);
  const link = h("button", { type: "button", class: "button", on: { click: () => copy(location.href.replace(/#.*$/, "") + linkTo(row), link) } }, "Copy link");
  return h("div", { class: "detail-head" },
    h("div", { class: "detail-line" }, h("span", { class: `badge s-${status}` }, icon(status), STATUS[status].word), flakyRows.has(row) && h("span", { class: "badge s-y" }, icon("y"), "flaky"),
      h("span", { class: "spread" }, link, h("button", { type: "button", class: "button icon-button", "aria-label": "Close the test", title: "Close (Esc)", on: { click: close } }, "✕"))),
    h("h2", { class: "foreign" }, INDEX.name[row]), h("div", { class: "detail-id mono foreign" }, INDEX.id[row]));
}

// Shows one attempt below the head.
function attemptBody(row, detail, status) {
  const turns = detail.turns || [];
  const checks = detail.checks || [];
  const unmetTest = checks.filter(isUnmet);
  const pointing = turns.map((turn, index) => [...(turn.checks || []), ...checks.filter((check) => check.t === index)].filter((check) => isUnmet(check) && check.v !== undefined));
  const isBad = (turn) => turn.end || (turn.checks || []).some(isUnmet);
  const firstBad = turns.findIndex((turn, index) => isBad(turn) || pointing[index].length > 0);
  const elements = turns.map((turn, index) => turnElement(turn, index, row, pointing[index], turns.length === 1 || index === firstBad || (firstBad < 0 && turns.length <= 2)));
  const unmet = turns.flatMap((turn, index) => (turn.checks || []).filter(isUnmet).map((check) => [check, `turn ${index + 1}`, () => elements[index].showEvent(check.v)]));
  for (const check of unmetTest) unmet.push([check, "whole test", check.t === undefined ? null : () => elements[check.t].showEvent(check.v)]);
  const n_missing = detail.n === undefined ? 0 : detail.n - turns.length - (detail.cut?.turns || 0);
  return [
    detail.why && h("div", { class: `banner s-${status} foreign` }, detail.why, detail.more && h("pre", { class: "foreign" }, detail.more.join("\n"))),
    unmet.length > 0 && section(unmet.some(([check]) => check.o === "f") ? "What failed" : "What could not be decided", null, unmet.map(([check, where, show]) => unmetCheck(check, row, where, show))),
    (detail.warn || []).map((line) => h("div", { class: "notice foreign" }, line)),
    turns.length > 0 && section("Conversation", n_missing > 0 ? `${number(n_missing)} of ${counted(detail.n, "turn")} not run` : null, elements, leftOut(detail, "turns")),
    turns.length === 0 && h("p", { class: "soft section" }, status === "s" ? "It was not run." : "No turn was run."),
    checks.length > unmetTest.length && section("Assertions on the whole test", null, passedChecks(checks, row)),
    leftOut(detail, "checks"),
    detail.vars && section("Variables", "from the hooks", jsonView("variables", detail.vars, 1)),
  ];
}

function drawDetail(row, attempt, open) {
  const detail = detailOf(row);
  const tries = [...(detail.tries || []).map((earlier) => ({ status: earlier.s, us: earlier.us, detail: earlier.d })), { status: statusOf(row), us: INDEX.us[row], detail }];
  const chosen = Math.min(attempt ?? tries.length - 1, tries.length - 1);
  const { status, us, detail: shown } = tries[chosen];
  const meta = h("div", { class: "meta" },
    [["Duration", time(us)], ["Agent", targetOf(row)], ["File", INDEX.file[row]], ["Started", shown.at ? clock(shown.at) : ""]].filter(([, value]) => value).map(([name, value]) => h("span", {}, `${name} `, h("b", { class: "foreign" }, value))),
    tagsOf(row).map((tag) => h("span", { class: "tag foreign" }, tag)));
  const onRun = (run) => (run.row === row ? drawDetail(row, run.attempt, open) : open(run.row, run.attempt));
  const panel = byId("detail");
  panel.replaceChildren();
  append(panel, [headOf(row, () => open(-1)), meta, stability(row, onRun, chosen), runTabs(row, onRun, chosen), attemptBody(row, shown, status)]);
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
    panel.setAttribute("aria-label", visible(`Test ${INDEX.name[row]}`));
    drawDetail(row, attempt, openTest);
    activate(testOf(row));
  } else {
    panel.replaceChildren();
    byId("list").focus({ preventScroll: true });
    drawn = { first: -1, last: -1 };
    drawRows();
  }
}

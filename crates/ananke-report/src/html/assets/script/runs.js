// How a test came out over several runs: a strip of outcomes with their durations, what they say together, and tabs to
// choose one.

const MOST_TABS = 8;
const CLASSES = {
  stable: ["Stable", "p"],
  mostly_stable: ["Mostly Stable", "t"],
  unstable: ["Unstable", "e"],
  highly_unstable: ["Highly Unstable", "f"],
};
const classOf = (row) => INDEX.class[firstOf(row)];
// How many runs of a test passed, and how many there are, over all of its results; none if it was not run several times.
const allRunsOf = (row) => INDEX.all[firstOf(row)];
const classBadge = (key) => h("span", { class: `badge s-${CLASSES[key][1]}` }, CLASSES[key][0]);

// Attempts that were replaced count only where nothing else was repeated.
const countedRuns = (runs) => (runs.some((run) => isRepeated(run.row)) ? runs.filter((run) => run.isLast) : runs);

// How many of the runs of a test passed, and how many there are.
function passedOf(row) {
  const told = countedRuns(runsOf(row));
  return allRunsOf(row) ?? [told.filter((run) => run.status === "p").length, told.length];
}

// Returns what a run is called: attempts belong to a run, runs to a result, results to a merge.
function runName(run, runs) {
  const rows = resultsOf(run.row);
  const result = rows.length > 1 && `${isRepeated(run.row) ? "Result" : "Run"} ${rows.indexOf(run.row) + 1}`;
  const hasAttempts = runs.some((other) => other.row === run.row && other.number === run.number && other.tried !== run.tried);
  const parts = [result, isRepeated(run.row) && `Run ${run.number}`, hasAttempts && `Attempt ${run.tried + 1}`].filter(Boolean);
  return parts.map((part, index) => (index ? part.toLowerCase() : part)).join(", ");
}

// A share in percent, never rounded to all or none.
const shareOf = (n, all) => (n === 0 || n === all ? Math.round((n / all) * 100) : Math.min(99, Math.max(1, Math.round((n / all) * 100))));

// Lets one choose among the runs of a test.
function runTabs(row, onRun, current) {
  const runs = runsOf(row);
  if (runs.length < 2) return null;
  const isChosen = (run) => run.row === row && run.attempt === current;
  const words = (run) => `${STATUS[run.status].word} in ${time(run.us)}`;
  if (runs.length > MOST_TABS) {
    const options = runs.map((run, index) => h("option", { value: index, selected: isChosen(run) }, `${runName(run, runs)}: ${words(run)}`));
    return h("label", { class: "pick run-pick" }, "Shown ", h("select", { on: { change: (event) => onRun(runs[Number(event.target.value)]) } }, options));
  }
  return h("div", { class: "tabs", role: "tablist", "aria-label": "Runs of this test" }, runs.map((run) => h("button", {
    type: "button", class: `tab s-${run.status}`, role: "tab", "aria-selected": String(isChosen(run)), title: words(run), on: { click: () => onRun(run) },
  }, icon(run.status), runName(run, runs), h("span", { class: "soft" }, time(run.us)))));
}

// The numbers of a test that was run several times.
function metrics(view) {
  const few = [...new Set([1, 2, 3, 5, 10, view.runs])].filter((k) => k <= view.runs);
  const passK = (k) => (k > view.k.length ? view.kn : view.k[k - 1]);
  const cells = [
    ["Pass rate", `${view.rate.toFixed(1)} %`], ["Passed", `${view.passed} of ${view.runs}`], ["Consistency", view.con.toFixed(2)],
    ["95 % interval", `${view.low.toFixed(1)} – ${view.high.toFixed(1)} %`],
    ["Average", time(view.avg)], ["Shortest", time(view.min)], ["Longest", time(view.max)], ["Deviation", time(view.dev)],
    ...few.map((k) => [`pass^${k}`, passK(k).toFixed(4)]),
  ];
  return h("dl", { class: "metrics" }, cells.map(([name, value]) => h("div", { class: "metric" }, h("dt", {}, name), h("dd", {}, value))));
}

// Where the runs part, with ways to the events of both.
function differed(view, row, onRun) {
  if (!view.diff) return null;
  const runs = runsOf(row);
  const links = view.diff.at.map(([number, event]) => {
    const run = runs.find((other) => other.row === row && other.number === number && other.isLast);
    if (!run) return null;
    const show = () => {
      onRun(run);
      const turn = byId("detail").querySelector(`[data-turn="${view.diff.turn}"]`);
      if (turn && event !== null) turn.showEvent(event);
    };
    return h("button", { type: "button", class: "link to-run", on: { click: show } }, `run ${number}${event === null ? "" : `, event #${event}`}`);
  });
  return h("div", { class: "differed" }, h("strong", {}, "First difference"), h("p", { class: "foreign" }, view.diff.text), h("div", { class: "check-foot" }, links.map((link, index) => [index > 0 && link && " · ", link])));
}

function stability(row, onRun, current, view) {
  const runs = runsOf(row);
  if (runs.length < 2 && !view) return null;
  const told = countedRuns(runs);
  const [passed, all] = passedOf(row);
  const rows = resultsOf(row);
  // The numbers are those of one result; the heading is that of the test.
  const isOneOfMany = view && rows.length > 1;
  const times = told.map((run) => run.us).sort((a, b) => a - b);
  const longest = Math.max(...runs.map((run) => run.us), 1);
  const bars = runs.map((run) => {
    const bar = h("i", {});
    bar.style.height = percent(run.us / longest * 0.72);
    const isCurrent = run.row === row && run.attempt === current;
    return h("button", {
      type: "button", class: `stability-run s-${run.status}${isCurrent ? " current" : ""}`, "aria-current": isCurrent ? "true" : null,
      title: `${runName(run, runs)}: ${STATUS[run.status].word} in ${time(run.us)}`, "aria-label": `${runName(run, runs)}: ${STATUS[run.status].word} in ${time(run.us)}`,
      on: { click: () => onRun(run) },
    }, bar, icon(run.status));
  });
  return h("section", { class: "stability", "aria-label": "Stability" },
    h("div", { class: "stability-line" }, classOf(row) && classBadge(classOf(row)), h("strong", {}, `passed ${passed} of ${all} runs`),
      (!view || isOneOfMany) && h("span", {}, `${shareOf(passed, all)} %`),
      !view && [ h("span", {}, `median ${time(times[times.length >> 1])}`), h("span", {}, `${time(times[0])} to ${time(times.at(-1))}`)]),
    runs.length > 1 && h("div", { class: "stability-bars" }, bars), isOneOfMany && h("p", { class: "soft" }, `Result ${rows.indexOf(row) + 1} of ${rows.length} by itself`), view && metrics(view), view && differed(view, row, onRun), leftOut(detailOf(row), "runs"));
}

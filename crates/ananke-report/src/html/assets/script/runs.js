// How a test came out over several runs: a strip of outcomes with their durations, and tabs to choose one.

const MOST_TABS = 8;

// Returns what a run is called: attempts belong to a run, runs to a merge.
function runName(run, runs) {
  const rows = resultsOf(run.row);
  const hasAttempts = runs.some((other) => other.row === run.row && other.attempt !== run.attempt);
  return [rows.length > 1 && `Run ${rows.indexOf(run.row) + 1}`, hasAttempts && `${rows.length > 1 ? "attempt" : "Attempt"} ${run.attempt + 1}`].filter(Boolean).join(", ");
}

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

function stability(row, onRun, current) {
  const runs = runsOf(row);
  if (runs.length < 2) return null;
  const passed = runs.filter((run) => run.status === "p").length;
  const times = runs.map((run) => run.us).sort((a, b) => a - b);
  const longest = Math.max(times.at(-1), 1);
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
    h("div", { class: "stability-line" }, h("strong", {}, `passed ${passed} of ${runs.length} runs`),
      h("span", {}, `${Math.round((passed / runs.length) * 100)} %`), h("span", {}, `median ${time(times[times.length >> 1])}`), h("span", {}, `${time(times[0])} to ${time(longest)}`)),
    h("div", { class: "stability-bars" }, bars));
}

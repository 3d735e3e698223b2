// How a test came out over several runs: a strip of outcomes with their durations.

function stability(row, onRun, current) {
  const runs = runsOf(row);
  if (runs.length < 2) return null;
  const passed = runs.filter((run) => run.status === "p").length;
  const times = runs.map((run) => run.us).sort((a, b) => a - b);
  const longest = Math.max(times.at(-1), 1);
  const bars = runs.map((run, index) => {
    const bar = h("i", {});
    bar.style.height = percent(run.us / longest * 0.72);
    const isCurrent = run.row === row && run.attempt === current;
    return h("button", {
      type: "button", class: `stability-run s-${run.status}${isCurrent ? " current" : ""}`, "aria-current": isCurrent ? "true" : null,
      title: `run ${index + 1}: ${STATUS[run.status].word} in ${time(run.us)}`, "aria-label": `Run ${index + 1}: ${STATUS[run.status].word} in ${time(run.us)}`,
      on: { click: () => onRun(run) },
    }, bar, icon(run.status));
  });
  return h("section", { class: "stability", "aria-label": "Stability" },
    h("div", { class: "stability-line" }, h("strong", {}, `passed ${passed} of ${runs.length} runs`),
      h("span", {}, `${Math.round((passed / runs.length) * 100)} %`), h("span", {}, `median ${time(times[times.length >> 1])}`), h("span", {}, `${time(times[0])} to ${time(longest)}`)),
    h("div", { class: "stability-bars" }, bars));
}

// Files of the tests that are shown, made here and never sent anywhere.

function save(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

const exportName = (ending) => `ananke-${(HEAD.run.run_id || "report").replace(/[^\w.-]+/g, "_")}.${ending}`;

// What is nested deeper is exported as text.
const DEEPEST = 100;

// JSON where nothing is lost by reading it, else the text as it was sent.
function jsonOf(text) {
  if (text === undefined) return undefined;
  const tree = parsed(text);
  const isWhole = (value, depth) => !(value instanceof Spelled) && (!isNested(value) || (depth < DEEPEST && Object.values(value).every((item) => isWhole(item, depth + 1))));
  return tree && isWhole(tree.value, 0) ? tree.value : text;
}

const inMs = (us) => (us === null || us === undefined ? undefined : us / 1000);

const exportedTask = (task) => task && {
  state: task.st?.at(-1)?.[0] ?? null, states: task.st?.map(([state, at]) => ({ state, at_ms: inMs(at) })),
  artifacts: (task.arts || []).map((one) => ({ name: one.n, description: one.d, text: one.x, parts: one.p?.map(jsonOf) })), spoken: task.sp, ids: task.ids, no_calls_because: task.no,
};

function exportedTurn(turn, index) {
  const [connect, firstEvent, firstText, firstTool, total] = turn.tm;
  const isRunError = turn.end?.[0] === "run error";
  return {
    turn: index + 1, simulated: turn.sim && { input: turn.u ?? "", goal_achieved: turn.sim.g ?? false, reasoning: turn.sim.r }, kind: turn.k || "user", user: turn.u ?? null, text: turn.x || "", reasoning: turn.z,
    tool_calls: (turn.calls || []).map((call) => ({ id: call.i, name: word(call.n), args: jsonOf(call.a), args_error: call.ae, result: jsonOf(call.r), error: call.e, started_ms: inMs(call.t[0]), args_done_ms: inMs(call.t[1]), completed_ms: inMs(call.t[2]) })),
    late_results: turn.late?.map(([id, result]) => ({ id, result })),
    status: turn.end ? (isRunError ? "run_error" : "broken") : "finished",
    error: turn.end && { kind: isRunError ? undefined : turn.end[0].replaceAll(" ", "_"), message: turn.end[1], code: turn.end[2] ?? undefined },
    timing: { connect_ms: inMs(connect), first_event_ms: inMs(firstEvent), first_text_ms: inMs(firstText), first_tool_ms: inMs(firstTool), total_ms: inMs(total) },
    state: jsonOf(turn.state), data: jsonOf(turn.data), task: exportedTask(turn.task), interrupts: turn.int?.map(jsonOf), usage: turn.use?.map(jsonOf),
    findings: (turn.find || []).map(([rule, event, message]) => ({ rule, event, message })), warnings: turn.warn || [], n_events: turn.en, left_out: turn.cut,
  };
}

const exportedStability = (row, view) => (view ? {
  runs: view.runs, passed: view.passed, failed: view.runs - view.passed, pass_rate: view.rate, consistency: view.con, stable: view.class === "stable", stability_class: view.class,
  avg_duration_ms: inMs(view.avg), min_duration_ms: inMs(view.min), max_duration_ms: inMs(view.max), std_deviation_ms: inMs(view.dev), wilson_low: view.low, wilson_high: view.high, pass_k: view.k, first_difference: view.diff?.text,
  run_details: cellsOf(row).map(([run, status, us]) => ({ run, status: STATUS[status].word, duration_ms: inMs(us) })),
} : {});

// Keys are those of the JSON report, as far as this page knows what they hold.
function exported(row) {
  const detail = detailOf(row);
  const turns = detail.turns || [];
  const assertion = (check, turn) => ({
    check: word(check.k), subject: check.s, status: { p: "passed", f: "failed", i: "inconclusive" }[check.o], passed: check.o === "p", expected: word(check.e), actual: check.a, details: check.d || [],
    type: word(check.k), value: check.w === undefined ? undefined : jsonOf(check.w), message: check.m, level: word(check.l), named: check.b, file: check.f === undefined ? fileOf(row) : word(check.f), line: check.n, turn, event: check.v, samples: check.p?.map(([passed, reason, us]) => ({ passed, reason, duration_ms: inMs(us) })),
  });
  const isSkipped = statusOf(row) === "s";
  const assertions = [...turns.flatMap((turn, index) => (turn.checks || []).map((check) => assertion(check, index + 1))), ...(detail.checks || []).map((check) => assertion(check))];
  return {
    id: shortOf(row), name: INDEX.name[row], file: fileOf(row), status: STATUS[statusOf(row)].word,
    input: detail.case ? detail.case.ask.map(({ r, t, f }) => ({ role: r, content: t ?? "", attachments: f })) : turns.map((turn) => turn.u).filter(Boolean).join("\n"), expected: jsonOf(detail.case?.exp), output: turns.map((turn) => turn.x).filter(Boolean).join("\n"),
    duration_ms: inMs(INDEX.us[row]), error: isSkipped ? null : INDEX.why[row] ?? null, error_details: detail.more, skip_reason: isSkipped ? INDEX.why[row] : undefined,
    ...exportedFunction(detail), tags: tagsOf(row), target: targetOf(row), flaky: flakyRows.has(row), assertions, turns: turns.map(exportedTurn), total_turns: detail.cps && turns.length,
    checkpoints: detail.cps?.map((one) => ({ id: one.i, description: one.d, required: !one.o, reached_at_turn: one.t === undefined ? null : one.t + 1, passed: one.t !== undefined, assertions: (one.checks || []).map((check) => assertion(check, (one.t ?? turns.length - 1) + 1)) })), test_start_ts: detail.at, warnings: detail.warn || [],
    connector: INDEX.conn[row] === undefined ? undefined : word(INDEX.conn[row]), ...exportedStability(row, detail.st),
    attempts: INDEX.tries[row] && entriesOf(row).filter((run) => run.number === ownNumber(row)).map((run) => ({ attempt: run.tried + 1, status: STATUS[run.status].word, duration_ms: inMs(run.us) })), left_out: detail.cut,
  };
}

// The schema has a name of its own: texts may be shortened here, so this is no report to compare with.
function asJson() {
  const { run } = HEAD;
  const about = { run_id: run.run_id, version: run.version, config_file: run.config_file, bundle: run.bundle, input: run.input, agents: run.agents, started_at: run.started_at_ms ? new Date(run.started_at_ms).toISOString() : null, facts: run.facts };
  const json = JSON.stringify({ schema: "ananke.export/1", run: about, results: shownRows.flatMap(resultsOf).map(exported) }, null, 2) + "\n";
  return json.replace(HIDDEN, (c) => c.split("").map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""));
}

// A cell that a spreadsheet might take for a formula begins with an apostrophe.
function csvCell(value) {
  const text = visible(String(value));
  const safe = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

// How many runs of a result passed, and how stable it is by itself.
function ratedAs(row) {
  const view = isRepeated(row) && detailOf(row).st;
  return view ? [`${view.passed}/${view.runs}`, view.class] : ["", ""];
}

function asCsv() {
  const lines = [["id", "name", "file", "status", "flaky", "duration_ms", "agent", "tags", "error", "pass_rate", "stability", "run"]];
  for (const row of shownRows.flatMap(resultsOf)) {
    lines.push([INDEX.id[row], INDEX.name[row], fileOf(row), STATUS[statusOf(row)].word, flakyRows.has(row) ? "yes" : "no", INDEX.us[row] / 1000, targetOf(row), tagsOf(row).join(" "), INDEX.why[row] || "", ...ratedAs(row), resultsOf(row).indexOf(row) + 1]);
  }
  return lines.map((line) => line.map(csvCell).join(",")).join("\r\n") + "\r\n";
}

// Text that stays text in Markdown: no markup, no link, no mention.
const mdText = (text) => visible(String(text)).replace(/\s+/g, " ").replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/[\\`*_{}[\]()#|~!]/g, "\\$&").replace(/@/g, "&#64;").replace(/:\/\//g, "&#58;//").replace(/www\./gi, "www&#46;");

function asMarkdown() {
  const { summary, run } = HEAD;
  const tally = KINDS.map((status) => [STATUS[status].word, countOf(status)]).filter(([, n]) => n > 0).map(([name, n]) => `${number(n)} ${name}`).join(", ");
  const lines = [`# ananke${run.run_id ? `: ${mdText(run.run_id)}` : ""}`, "", `${counted(TESTS.length, "test")}${HEAD.results ? `, ${counted(HEAD.results, "result")}` : ""}: ${tally || "none"}, in ${time(summary.duration_us)}.`, "", `${number(shownRows.length)} shown here.`, "",
    "| Status | Test | File | Time | Reason |", "|---|---|---|---:|---|"];
  for (const row of shownRows) {
    const rows = resultsOf(row);
    const [n_passed, n_runs] = allRunsOf(row) ?? [rows.filter((result) => statusOf(result) === "p").length, rows.length];
    lines.push(`| ${STATUS[statusOf(row)].word}${flakyTests.has(row) ? " (flaky)" : ""}${n_runs > 1 ? `, passed ${n_passed} of ${n_runs} runs` : ""} | ${mdText(row in INDEX.short && INDEX.name[row] ? `${shortOf(row)}: ${INDEX.name[row]}` : titleOf(row))} | ${mdText(fileOf(row))} | ${time(INDEX.us[row])} | ${mdText(INDEX.why[row] || "")} |`);
  }
  return lines.join("\n") + "\n";
}

function setUpExport() {
  byId("export-json").addEventListener("click", () => save(exportName("json"), "application/json", asJson()));
  byId("export-md").addEventListener("click", () => save(exportName("md"), "text/markdown", asMarkdown()));
  byId("export-csv").addEventListener("click", () => save(exportName("csv"), "text/csv", asCsv()));
}

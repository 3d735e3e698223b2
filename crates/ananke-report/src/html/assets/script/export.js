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

function exported(row) {
  const detail = detailOf(row);
  const turns = detail.turns || [];
  const assertion = (check, turn) => ({ check: word(check.k), subject: check.s, status: { p: "passed", f: "failed", i: "inconclusive" }[check.o], expected: word(check.e), actual: check.a, details: check.d, place: placeOf(check, row), turn, event: check.v });
  return {
    id: INDEX.id[row], name: INDEX.name[row], file: fileOf(row), status: STATUS[statusOf(row)].word, flaky: flakyRows.has(row),
    duration_ms: INDEX.us[row] / 1000, agent: targetOf(row), tags: tagsOf(row), error: INDEX.why[row],
    assertions: [...turns.flatMap((turn, index) => (turn.checks || []).map((check) => assertion(check, index + 1))), ...(detail.checks || []).map((check) => assertion(check))],
    turns: turns.map((turn) => ({ input: turn.u, output: turn.x || "", tool_calls: (turn.calls || []).map((call) => ({ name: word(call.n), args: call.a, result: call.r })), duration_ms: turn.tm[4] / 1000 })),
  };
}

function asJson() {
  const run = { run_id: HEAD.run.run_id, version: HEAD.run.version, agents: HEAD.run.agents, started_at_ms: HEAD.run.started_at_ms };
  return JSON.stringify({ schema: "ananke.export/1", run, results: shownRows.map(exported) }, null, 2) + "\n";
}

// A cell that a spreadsheet might take for a formula begins with an apostrophe.
function csvCell(value) {
  const text = String(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function asCsv() {
  const lines = [["id", "name", "file", "status", "flaky", "duration_ms", "agent", "tags", "error"]];
  for (const row of shownRows) {
    lines.push([INDEX.id[row], INDEX.name[row], fileOf(row), STATUS[statusOf(row)].word, flakyRows.has(row) ? "yes" : "no", INDEX.us[row] / 1000, targetOf(row), tagsOf(row).join(" "), INDEX.why[row] || ""]);
  }
  return lines.map((line) => line.map(csvCell).join(",")).join("\r\n") + "\r\n";
}

// Text that stays text in Markdown: no markup, no link, no mention.
const mdText = (text) => String(text).replace(/\s+/g, " ").replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/[\\`*_{}[\]()#|~!]/g, "\\$&").replace(/@/g, "&#64;").replace(/:\/\//g, ":\u200b//");

function asMarkdown() {
  const { summary, run } = HEAD;
  const tally = KINDS.map((status) => [STATUS[status].word, countOf(status)]).filter(([, n]) => n > 0).map(([name, n]) => `${number(n)} ${name}`).join(", ");
  const lines = [`# ananke${run.run_id ? `: ${mdText(run.run_id)}` : ""}`, "", `${counted(TOTAL, "test")}: ${tally || "none"}, in ${time(summary.duration_us)}.`, "", `${number(shownRows.length)} shown here.`, "",
    "| Status | Test | File | Time | Reason |", "|---|---|---|---:|---|"];
  for (const row of shownRows) {
    lines.push(`| ${STATUS[statusOf(row)].word}${flakyRows.has(row) ? " (flaky)" : ""} | ${mdText(INDEX.name[row])} | ${mdText(fileOf(row))} | ${time(INDEX.us[row])} | ${mdText(INDEX.why[row] || "")} |`);
  }
  return lines.join("\n") + "\n";
}

function setUpExport() {
  byId("export-json").addEventListener("click", () => save(exportName("json"), "application/json", asJson()));
  byId("export-md").addEventListener("click", () => save(exportName("md"), "text/markdown", asMarkdown()));
  byId("export-csv").addEventListener("click", () => save(exportName("csv"), "text/csv", asCsv()));
}

// A function of a script: what went wrong with its code, what came of its subtests, what it logged.

const LEVELS = { d: "debug", i: "", w: "warn", e: "error" };
const frameText = ([name, file, line, column]) => `${name ? `${name} ` : ""}${file}:${line}:${column}`;

// The lines around a place, with a caret below the call. Tabs keep their width, so the caret repeats them.
function codeFrame(failure) {
  if (!failure.x) return null;
  const [, , line, column] = failure.at?.[0] ?? ["", "", 0, 0];
  const width = String(failure.x.at(-1)[0]).length;
  const rows = failure.x.flatMap(([number, text]) => {
    const row = h("div", { class: number === line ? "code-row hit" : "code-row" }, h("span", { class: "code-no" }, String(number).padStart(width)), h("span", { class: "foreign" }, text || " "));
    if (number !== line) return [row];
    const before = [...text].slice(0, Math.max(0, column - 1)).map((c) => (c === "\t" ? "\t" : " ")).join("");
    const call = /^[\p{L}\p{N}_$.]*/u.exec([...text].slice(Math.max(0, column - 1)).join(""))[0];
    return [row, h("div", { class: "code-row hit", "aria-hidden": "true" }, h("span", { class: "code-no" }, " ".repeat(width)), h("span", { class: "caret" }, before + "^".repeat(Math.max(1, [...call].length))))];
  });
  return h("pre", { class: "code-frame" }, rows);
}

const MARKS = { "-": "minus", "+": "plus", "~": "changed", " ": "same", "…": "same" };
const differenceOf = (lines) => h("div", { class: "difference" }, h("div", { class: "soft" }, "expected (-), actual (+)"),
  h("pre", {}, lines.map(([mark, text]) => h("div", { class: `diff-${MARKS[mark]}` }, h("span", { class: "diff-mark" }, mark), h("span", { class: "foreign" }, text || " ")))));

function failedPart(failure, status) {
  const values = [["expected", failure.e], ["actual", failure.a]].filter(([, value]) => value !== undefined);
  return h("div", { class: `check s-${status}` },
    h("div", { class: "check-line" }, icon(status), failure.k && h("code", {}, failure.k), h("span", { class: "foreign" }, failure.in ?? ""), failure.at && h("span", { class: "place mono foreign" }, `${failure.at[0][1]}:${failure.at[0][2]}:${failure.at[0][3]}`)),
    h("p", { class: "check-message foreign" }, failure.m),
    failure.d ? differenceOf(failure.d) : values.length > 0 && h("dl", { class: "versus" }, values.map(([name, value]) => [h("dt", {}, name), h("dd", { class: "mono foreign" }, value)])),
    codeFrame(failure),
    failure.at?.length > 1 && h("details", { class: "fold" }, h("summary", {}, "Call stack"), h("pre", { class: "check-details foreign" }, failure.at.map((frame) => `at ${frameText(frame)}`).join("\n"))),
    failure.d && h("details", { class: "fold" }, h("summary", {}, "Values"), values.map(([name, value]) => jsonView(name, value, 1))));
}

// Subtests stand below the one that holds them.
function subtestsList(subtests) {
  const holders = [];
  return h("ul", { class: "checkpoints" }, subtests.map(([name, status, us]) => {
    while (holders.length > 0 && !name.startsWith(`${holders.at(-1)}/`)) holders.pop();
    const depth = Math.min(holders.length, 8);
    const own = holders.length > 0 ? name.slice(holders.at(-1).length + 1) : name;
    holders.push(name);
    return h("li", { class: `checkpoint depth-${depth} s-${status}` }, icon(status), h("span", { class: "foreign" }, own), h("span", { class: "spread" }, `${STATUS[status].word}, ${time(us)}`));
  }));
}

const logsList = (logs) => h("pre", { class: "logs" }, logs.map(([level, text]) => h("div", { class: `log-${level}` }, LEVELS[level] && h("b", {}, `${LEVELS[level]} `), h("span", { class: "foreign" }, text || " "))));

function functionSections(detail, status) {
  const { fs, sub, logs, more, n } = detail.fn;
  const [moreFailures, moreLogs] = more ?? [0, 0];
  const isOpen = status !== "p" && status !== "s";
  return [
    fs && section("What went wrong", null, fs.map((failure) => failedPart(failure, status)), leftOut(detail, "fs"), moreFailures > 0 && h("p", { class: "soft" }, counted(moreFailures, "more failure"))),
    sub && section("Subtests", counted(sub.length, "subtest"), subtestsList(sub), leftOut(detail, "sub")),
    (logs || moreLogs > 0) && section("Logs", null, h("details", { class: "fold", open: isOpen }, h("summary", {}, counted((logs || []).length, "line")), logs && logsList(logs)), leftOut(detail, "logs"), moreLogs > 0 && h("p", { class: "soft" }, counted(moreLogs, "more log"))),
    status !== "s" && h("p", { class: "soft section" }, n === 0 ? "No assertion was evaluated." : `${counted(n, "assertion")} evaluated.`),
  ];
}

// Keys are those of the JSON report.
function exportedFunction({ fn: view }) {
  if (!view) return {};
  const places = (frames) => frames?.map(([name, file, line, column]) => ({ function: name, file, line, column }));
  const asserted = view.fs?.find((failure) => failure.k !== undefined);
  return {
    script: view.s, checks: view.n, assertion: asserted && { type: asserted.k, expected: jsonOf(asserted.e), actual: jsonOf(asserted.a), message: asserted.m },
    stack_trace: places(view.fs?.[0].at), failures: view.fs?.map((failure) => ({ error: failure.m, subtest: failure.in })), subtests: view.sub?.map(([name, status, us]) => ({ name, status: STATUS[status].word, duration_ms: inMs(us) })),
    logs: (view.logs || []).map(([level, text]) => (level === "w" || level === "e" ? `${LEVELS[level]}: ${text}` : text)), more_logs: view.more?.[1],
  };
}

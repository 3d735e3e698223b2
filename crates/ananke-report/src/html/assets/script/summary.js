// The head of the page: what came of the run, counts that filter, facts.

function verdict() {
  const { summary } = HEAD;
  const failed = summary.failed + summary.errors + summary.timeouts;
  const [status, sentence] = failed > 0 ? ["f", `${number(failed)} of ${counted(summary.total, "test")} failed`]
    : summary.interrupted ? ["t", `Interrupted after ${counted(summary.total, "test")}`]
      : summary.inconclusive > 0 ? ["i", `${number(summary.inconclusive)} of ${counted(summary.total, "test")} inconclusive`]
        : summary.total === 0 ? ["s", "No tests"]
          : summary.passed === 0 ? ["s", `All ${counted(summary.total, "test")} skipped`]
            : ["p", summary.passed === summary.total ? `All ${counted(summary.total, "test")} passed` : `${counted(summary.passed, "test")} passed, ${number(summary.skipped)} skipped`];
  const heading = byId("verdict");
  heading.className = `verdict s-${status}`;
  heading.append(icon(status), h("span", {}, sentence), h("small", {}, `${HEAD.results ? `${counted(TESTS.length, "test")}, ${counted(HEAD.results, "result")}, ` : ""}in ${time(summary.duration_us)}`));
  if (failed > 0 && summary.interrupted) heading.append(h("small", {}, "· interrupted"));
}

function countOf(status) {
  let n = 0;
  for (const test of TESTS) if (statusOf(test) === status) n += 1;
  return n;
}

const KINDS = ["p", "f", "e", "t", "i", "s"];

function share() {
  const bar = byId("share");
  const parts = KINDS.map((status) => [status, countOf(status)]).filter(([, n]) => n > 0);
  bar.setAttribute("aria-label", parts.map(([status, n]) => `${n} ${STATUS[status].word}`).join(", ") || "no tests");
  for (const [status, n] of parts) {
    const part = h("div", { class: `share-part s-${status}`, title: `${number(n)} ${STATUS[status].word}` });
    part.style.flexGrow = n;
    bar.append(part);
  }
}

function counts(changed) {
  const buttons = [["", "all", TESTS.length], ...KINDS.map((status) => [status, STATUS[status].word, countOf(status)]), ["y", "flaky", flakyTests.size]];
  const always = ["", "p", "f", "s"];
  for (const [status, name, n] of buttons) {
    if (n === 0 && !always.includes(status)) continue;
    const press = () => {
      filter.status = filter.status === status ? "" : status;
      for (const other of byId("counts").children) other.setAttribute("aria-pressed", String(other.dataset.status === filter.status));
      changed();
    };
    byId("counts").append(h("button", {
      type: "button", class: `count ${status ? `s-${status}` : ""} ${n === 0 ? "none" : ""}`, "data-status": status,
      "aria-pressed": String(filter.status === status), on: { click: press },
    }, status && icon(status), h("strong", {}, number(n)), name));
  }
}

function facts() {
  const { run, summary } = HEAD;
  const list = [
    ["Agent", run.agents.length > 4 ? `${run.agents.slice(0, 4).join(", ")} and ${run.agents.length - 4} more` : run.agents.join(", ")],
    ["Connector", HEAD.connector],
    ["Started", run.started_at_ms ? clock(run.started_at_ms) : ""],
    ["Tests", run.input],
    ["Runs", HEAD.runs],
    ["Config", run.config_file],
    ["Run", run.run_id],
    ["Bundle", run.bundle],
    ["ananke", run.version],
    ["Unchecked", summary.unchecked ? counted(summary.unchecked, "test") : ""],
    ...(HEAD.asking || []),
    ...Object.entries(run.facts || {}),
  ];
  for (const [name, value] of list) {
    if (!value) continue;
    byId("facts").append(h("div", { class: "fact" }, h("dt", {}, name), h("dd", { class: "foreign" }, value)));
  }
  const notices = [...HEAD.notices];
  if (HEAD.shortened) notices.push("This run is large: details of the later tests are shortened" + IN_BUNDLE + ".");
  // A merge knows how many results there are, not how many each run would have had.
  if (summary.interrupted) notices.push(HEAD.results ? "A run was interrupted." : `The run was interrupted: ${number(TESTS.length)} of ${counted(Math.max(run.total, TESTS.length), "test")} ended.`);
  for (const notice of notices) byId("notices").append(h("p", { class: "notice foreign" }, notice));
}

// What the run was like takes much room in a small window: there it is folded until someone asks.
function foldFacts() {
  const isWide = matchMedia("(min-width: 901px)");
  const follow = () => { byId("about").open = isWide.matches; };
  isWide.addEventListener("change", follow);
  addEventListener("beforeprint", () => { byId("about").open = true; });
  addEventListener("afterprint", follow);
  follow();
}

function setUpSummary(changed) {
  byId("mark").append(mark());
  byId("search-icon").append(icon("search"));
  byId("theme").append(icon("theme"));
  verdict();
  share();
  counts(changed);
  facts();
  foldFacts();
}

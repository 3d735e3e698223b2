// The address names the test that is open, and Back closes it.

function linkTo(row, attempt) {
  const rows = resultsOf(row);
  const number = entriesOf(row)[attempt ?? ownEntry(row)].number;
  const run = rows.length > 1 ? `&run=${rows.indexOf(row) + 1}` : number === ownNumber(row) ? "" : `&run=${number}`;
  return `#test=${encodeURIComponent(INDEX.id[row])}${run}`;
}

// Opens a test beside the table; -1 closes it.
function openTest(row, attempt) {
  const wasOpen = openRow >= 0;
  showResult(row, attempt);
  const address = row >= 0 ? linkTo(row, attempt) : location.href.replace(/#.*$/, "");
  // Opening is a step in the history. Going on to the next test, or closing, changes that step and adds none.
  const isStep = row >= 0 && !wasOpen && !history.state?.isTest;
  try {
    if (isStep) history.pushState({ isTest: true }, "", address);
    else history.replaceState(history.state, "", address);
  } catch {
    // A frame may be forbidden to change its address; the test is shown all the same.
  }
}

const firstOfId = new Map(INDEX.id.map((id, row) => [id, firstOf(row)]));

// Shows the test that the address names, whatever the filters say.
function openFromAddress() {
  const parameters = new URLSearchParams(location.hash.slice(1));
  const id = parameters.get("test");
  const first = firstOfId.get(id);
  if (first === undefined) {
    if (openRow >= 0 && (id !== null || location.hash === "")) showResult(-1);
    const missing = byId("missing");
    missing.hidden = id === null;
    missing.replaceChildren();
    if (id !== null) append(missing, ["This report has no test ", h("b", { class: "mono foreign" }, id), ". It may have another name now, or was not part of this run."]);
    return;
  }
  const rows = resultsOf(first);
  const run = Number(parameters.get("run"));
  const row = rows[run - 1] ?? testOf(first);
  // Of one result with several runs, the address names the run.
  const entry = rows.length === 1 ? entriesOf(row).findLast((other) => other.number === run) : undefined;
  const attempt = entry?.attempt ?? ownEntry(row);
  if (row !== openRow || attempt !== openAttempt) showResult(row, attempt);
}

function setUpAddress() {
  openFromAddress();
  addEventListener("hashchange", openFromAddress);
}

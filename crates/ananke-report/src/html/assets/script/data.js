// What the run brought: an index of all results at once, the details of one when it is opened.

const island = (id) => JSON.parse(byId(id).textContent);
const HEAD = island("head");
const INDEX = island("index");
const IN_BUNDLE = HEAD.run.bundle ? "; the bundle has everything" : "";

const STATUS = {
  p: { word: "passed", rank: 5 },
  f: { word: "failed", rank: 0 },
  e: { word: "error", rank: 1 },
  t: { word: "timeout", rank: 2 },
  i: { word: "inconclusive", rank: 3 },
  s: { word: "skipped", rank: 6 },
};

const word = (value) => (typeof value === "number" ? HEAD.words[value] : value);
const flakyRows = new Set(INDEX.flaky);
const statusOf = (row) => INDEX.status[row];
const shortOf = (row) => INDEX.short[row] ?? INDEX.id[row];
// The id of a case is that of its file, with its own behind a `#`.
const fileOf = (row) => INDEX.file[row] ?? (row in INDEX.short ? INDEX.id[row].slice(0, -INDEX.short[row].length - 1) : INDEX.id[row]);
const titleOf = (row) => INDEX.name[row] || shortOf(row);
const targetOf = (row) => word(INDEX.target[row]);
const tagsOf = (row) => (INDEX.tags[row] || []).map(word);

// Results of the same test, by the first of them: a merge of runs holds several.
const firstOf = (row) => INDEX.again[row] ?? row;
const results = new Map();
INDEX.id.forEach((_, row) => {
  const first = firstOf(row);
  if (first === row) results.set(row, [row]);
  else results.get(first).push(row);
});
const resultsOf = (row) => results.get(firstOf(row));

// A test is shown as the first of its worst results: one failure makes it failed.
const leads = new Map([...results].map(([first, rows]) => [first, rows.reduce((worst, row) => (STATUS[statusOf(row)].rank < STATUS[statusOf(worst)].rank ? row : worst))]));
const testOf = (row) => leads.get(firstOf(row));
const TESTS = [...leads.values()];
const flakyTests = new Set(INDEX.flaky.map(testOf));
const targetsOf = (test) => [...new Set(resultsOf(test).map(targetOf))];
const allTagsOf = (test) => [...new Set(resultsOf(test).flatMap(tagsOf))];

// The position of the first result of each chunk.
const chunkStarts = [];
HEAD.chunks.reduce((start, n) => (chunkStarts.push(start), start + n), 0);
const chunks = new Map();

// Returns the details of a result; a few chunks stay parsed.
function detailOf(row) {
  let low = 0;
  let high = chunkStarts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (chunkStarts[middle] <= row) low = middle;
    else high = middle - 1;
  }
  if (!chunks.has(low)) {
    if (chunks.size >= 8) chunks.delete(chunks.keys().next().value);
    chunks.set(low, island(`chunk-${low}`));
  }
  return chunks.get(low)[row - chunkStarts[low]];
}

const isRepeated = (row) => INDEX.runs[row] !== undefined;

// The runs of a result: number, status, time, attempts before it.
const cellsOf = (row) => INDEX.runs[row] ?? [[1, statusOf(row), INDEX.us[row], INDEX.tries[row] || []]];
const ownNumber = (row) => INDEX.run[row] ?? 1;

// Every run of a result, and the attempts before each, with its position among them.
function entriesOf(row) {
  const all = cellsOf(row).flatMap(([number, status, us, tries]) => [...tries, [status, us]].map(([status, us], tried) => ({ row, number, status, us, tried, isLast: tried === tries.length })));
  return all.map((entry, attempt) => ({ ...entry, attempt }));
}

// The position of the run that speaks for a result.
const ownEntry = (row) => entriesOf(row).findLast((entry) => entry.number === ownNumber(row)).attempt;

// Every run of a test that this report knows, over all of its results.
const runsOf = (row) => resultsOf(row).flatMap(entriesOf);

// Returns the details of one of the runs of a result.
function detailOfEntry(entry) {
  const detail = detailOf(entry.row);
  const run = entry.number === ownNumber(entry.row) ? detail : detail.runs?.find((other) => other.n === entry.number)?.d;
  const shown = entry.isLast ? run : run?.tries?.[entry.tried]?.d;
  return shown ?? { isLeftOut: true };
}

// Puts back together what `events.rs` took apart: number, time, type, payload; or how many are left out.
function eventsOf(turn) {
  const list = [];
  let no = 0;
  let at = 0;
  for (const entry of turn.ev || []) {
    if (entry.length === 2) {
      at += entry[1];
      list.push({ leftOut: entry[0], from: no });
      no += entry[0];
      continue;
    }
    at += entry[0];
    const type = word(entry[1]);
    const isRest = type !== "" && /^[,}]/.test(entry[2]);
    list.push({ no, at, type, payload: isRest ? `{"type":${JSON.stringify(type)}${entry[2]}` : entry[2] });
    no += 1;
  }
  return list;
}

const ticksOf = (distances) => {
  let at = 0;
  return (distances || []).map((distance) => (at += distance));
};

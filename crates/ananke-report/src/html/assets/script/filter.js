// Which tests are shown, in which order. A test is the row of the result that stands for it.

const filter = { status: "", text: "", tag: "", target: "", class: "", order: "failures" };
let shownRows = [];

// What the search looks through, made when it is first needed.
let haystacks = null;
function haystack(test) {
  haystacks ??= new Array(INDEX.id.length);
  haystacks[test] ??= visible(resultsOf(test).map((row) => [INDEX.name[row], INDEX.id[row], INDEX.file[row] || "", INDEX.ask[row] || "", classOf(row) ? CLASSES[classOf(row)][0] : "", INDEX.conn[row] === undefined ? "" : word(INDEX.conn[row]), targetOf(row), tagsOf(row).join(" "), INDEX.why[row] || "", STATUS[statusOf(row)].word].join("\n")).join("\n"))
    .toLowerCase();
  return haystacks[test];
}

const ORDERS = {
  plan: null,
  failures: (a, b) => rank(a) - rank(b) || a - b,
  slowest: (a, b) => INDEX.us[b] - INDEX.us[a] || a - b,
  name: (a, b) => (titleOf(a) < titleOf(b) ? -1 : titleOf(a) > titleOf(b) ? 1 : a - b),
};
const rank = (row) => (flakyTests.has(row) ? Math.min(4, STATUS[statusOf(row)].rank) : STATUS[statusOf(row)].rank);

function isWanted(row, needles) {
  const { status, tag, target } = filter;
  if (status === "y" ? !flakyTests.has(row) : status && statusOf(row) !== status) return false;
  if (filter.class && classOf(row) !== filter.class) return false;
  if (target && !targetsOf(row).includes(target)) return false;
  if (tag && !allTagsOf(row).includes(tag)) return false;
  return needles.every((needle) => haystack(row).includes(needle));
}

function applyFilter() {
  const needles = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = TESTS.filter((row) => isWanted(row, needles));
  if (ORDERS[filter.order]) rows.sort(ORDERS[filter.order]);
  shownRows = rows;
}

function fillSelect(select, label, values, label_of) {
  select.append(h("option", { value: "" }, label));
  for (const value of values) select.append(h("option", { value }, label_of(value)));
}

// Puts the choices in; a choice of one is none.
function setUpFilters(changed) {
  const tags = [...new Set(Object.values(INDEX.tags).flat().map(word))].sort();
  const targets = [...new Set(INDEX.target.map(word))].filter(Boolean).sort();
  const classes = Object.keys(CLASSES).filter((key) => Object.values(INDEX.class).includes(key));
  fillSelect(byId("class"), "any", classes, (key) => CLASSES[key][0]);
  byId("class-pick").hidden = classes.length === 0;
  fillSelect(byId("tag"), "any", tags, (tag) => tag);
  fillSelect(byId("target"), "any", targets, (target) => target);
  byId("tag-pick").hidden = tags.length === 0;
  byId("target-pick").hidden = targets.length < 2;
  for (const name of ["tag", "target", "class", "order"]) {
    byId(name).addEventListener("change", (event) => {
      filter[name] = event.target.value;
      changed();
    });
  }
  const searched = debounced(60, () => {
    filter.text = byId("search").value;
    changed();
  });
  byId("search").addEventListener("input", searched);
}

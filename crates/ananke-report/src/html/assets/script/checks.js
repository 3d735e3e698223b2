// Assertions: those that do not hold in full, those that hold in one line each.

const CHECK_STATUS = { p: "p", f: "f", i: "i" };
const placeOf = (check, row) => `${check.f === undefined ? fileOf(row) : word(check.f)}:${check.n}`;
const levelOf = (check) => `${word(check.l)} level${check.b ? `, through ${check.b}` : ""}`;

function unmetCheck(check, row, where, onEvent) {
  // A check of the whole test points into one of its turns.
  const event = `${check.t === undefined ? "" : `turn ${check.t + 1}, `}event #${check.v}`;
  const link = check.v !== undefined && onEvent && h("button", { type: "button", class: "link to-event", on: { click: onEvent } }, event);
  return h("div", { class: `check s-${CHECK_STATUS[check.o]}` },
    h("div", { class: "check-line" }, icon(check.o), h("code", {}, word(check.k)), h("span", { class: "mono foreign" }, check.s), h("span", { class: "place mono foreign" }, placeOf(check, row))),
    check.m && h("p", { class: "check-message foreign" }, check.m),
    h("dl", { class: "versus" }, check.w !== undefined && [h("dt", {}, "value"), h("dd", { class: "mono foreign" }, check.w)], h("dt", {}, "expected"), h("dd", { class: "foreign" }, word(check.e)), h("dt", {}, check.o === "i" ? "undecided" : "got"), h("dd", { class: "foreign" }, check.a)),
    samplesList(check.p),
    check.d && h("pre", { class: "check-details foreign" }, check.d.join("\n")),
    h("div", { class: "check-foot" }, h("span", { class: "foreign" }, `${where}, ${levelOf(check)}`), link && [" · ", link]));
}

function passedChecks(checks, row, isOpen) {
  const passed = checks.filter((check) => check.o === "p");
  if (passed.length === 0) return null;
  return h("details", { class: "passed-checks", open: isOpen }, h("summary", {}, `${counted(passed.length, "assertion")} passed`),
    passed.map((check) => h("div", { class: "passed-check" }, icon("p"), h("span", {}, h("code", {}, word(check.k)), " ", h("span", { class: "mono foreign" }, check.s),
      h("span", { class: "soft" }, " · expected ", h("span", { class: "foreign" }, word(check.e)), ", got ", h("span", { class: "foreign" }, check.a)), check.p && check.p.length > 1 && samplesList(check.p)),
    h("span", { class: "place mono" }, placeOf(check, row)))));
}

const isUnmet = (check) => check.o !== "p";

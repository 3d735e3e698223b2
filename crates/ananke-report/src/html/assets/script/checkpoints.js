// Checkpoints: what had to happen on the way, with a way to the turn and the event where it did.

const checkpointStatus = (one) => (one.t !== undefined ? "p" : one.o ? "s" : "f");

function checkpointElement(one, elements) {
  const status = checkpointStatus(one);
  const event = (one.checks || []).find((check) => check.v !== undefined)?.v;
  const turn = elements[one.t];
  const words = one.t === undefined ? "not reached" : `turn ${one.t + 1}${event === undefined ? "" : `, event #${event}`}`;
  const show = () => (event === undefined ? turn.showTurn() : turn.showEvent(event));
  return h("li", { class: `checkpoint s-${status}` }, icon(status), h("b", { class: "mono foreign" }, one.i), one.o && h("span", { class: "badge" }, "optional"),
    one.d && h("span", { class: "soft foreign" }, one.d),
    h("span", { class: "spread" }, turn ? h("button", { type: "button", class: "link to-turn", on: { click: show } }, words) : words));
}

function checkpointsSection(detail, elements) {
  const list = detail.cps;
  if (!list) return null;
  const reached = list.filter((one) => one.t !== undefined).length;
  return section("Checkpoints", `${reached} of ${list.length} reached`, h("ol", { class: "checkpoints" }, list.map((one) => checkpointElement(one, elements))), leftOut(detail, "cps"));
}

// The checks that required checkpoints still wait for, if that is why the case failed.
const awaitedChecks = (detail, status) => (status === "f" ? detail.cps || [] : []).filter((one) => checkpointStatus(one) === "f")
  .flatMap((one) => (one.checks || []).filter(isUnmet).map((check) => [check, `checkpoint ${one.i}`, null]));

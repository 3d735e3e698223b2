// The task of a turn: the way through its states, and what it made.

const artifactElement = (artifact) => h("details", { class: "call" },
  h("summary", {}, h("span", { class: "mono foreign" }, artifact.n), h("span", { class: "peek foreign" }, (artifact.x || artifact.p?.[0] || "").trim().slice(0, 160)), h("span", { class: "facts-short" }, artifact.z)),
  h("div", { class: "call-body" }, artifact.d && h("p", { class: "soft foreign" }, artifact.d), artifact.x && h("pre", { class: "foreign" }, artifact.x),
    (artifact.p || []).map((text, index) => jsonView(artifact.p.length > 1 ? `part ${index + 1}` : "part", text, 1))));

const statesElement = (states) => h("p", {}, (states || []).map(([state, at], index) => [index > 0 && " → ", h("span", { class: "badge foreign", title: `after ${time(at)}` }, state)]), !states && h("span", { class: "soft" }, "The agent began no task."));

function taskSection(turn) {
  const task = turn.task;
  if (!task) return null;
  const facts = [task.ids, task.sp && `spoken to as ${task.sp}`, task.no].filter(Boolean).join(" · ");
  return section("Task", null, statesElement(task.st), leftOut(turn, "st"), facts && h("p", { class: "soft mono foreign" }, facts), (task.arts || []).map(artifactElement), leftOut(turn, "arts"));
}

// One turn: what was said, when, with which tools, and what came of its assertions.

function section(title, note, ...children) {
  return h("section", { class: "section" }, h("h4", { class: "section-title" }, title, note && h("small", {}, note)), children);
}

const leftOut = (of, key) => (of.cut?.[key] ? h("p", { class: "soft" }, `${number(of.cut[key])} more${IN_BUNDLE}`) : null);

const nCalls = (turn) => (turn.calls || []).length + (turn.cut?.calls || 0);

function bubble(kind, who, text, files) {
  return h("div", { class: `say ${kind}` }, h("div", { class: "bubble", dir: "auto" }, h("span", { class: "who" }, who), h("span", { class: "foreign" }, text),
    files && h("span", { class: "files" }, files.map((file) => h("span", { class: "tag foreign", title: file }, file)))));
}

function callElement(call, index) {
  const [start, , completed] = call.t;
  const oddities = [call.o?.includes("s") && "seen in a snapshot only", call.o?.includes("r") && "streamed again", call.e && "failed", completed === null && call.r === undefined && "no result"].filter(Boolean);
  const body = h("div", { class: "call-body" });
  const element = h("details", { class: "call", "data-call": index },
    h("summary", {}, h("span", { class: "mono foreign" }, word(call.n)), h("span", { class: "peek foreign" }, call.a.slice(0, 160)),
      h("span", { class: "facts-short" }, oddities.map((words) => [h("span", { class: `badge ${words === "failed" ? "s-f" : "s-s"}` }, words), " "]), time(endOf(call) - start))));
  element.append(body);
  element.addEventListener("toggle", () => {
    if (body.hasChildNodes()) return;
    append(body, [
      jsonView("arguments", call.a), call.ae && h("p", { class: "badge s-e" }, `not JSON: ${call.ae}`),
      call.r !== undefined && jsonView("result", call.r), call.e !== undefined && jsonView("error", call.e),
      h("p", { class: "soft mono foreign" }, `id ${call.i} · event #${call.v} · started at ${time(start)}`),
    ]);
  });
  return element;
}

const jsonList = (turn, key, title) => (turn[key] ? section(title, null, turn[key].map((text, index) => jsonView(turn[key].length > 1 ? `${index + 1}` : "JSON", text, 1)), leftOut(turn, key)) : null);

function turnElement(turn, index, row, pointing, isOpen, asked, reached) {
  const checks = turn.checks || [];
  const unmet = checks.filter(isUnmet);
  const status = turn.end ? "e" : unmet.length ? unmet.some((check) => check.o === "f") ? "f" : "i" : "p";
  const [, , firstText, , took] = turn.tm;
  const body = h("div", { class: "turn-body" });
  const element = h("details", { class: `turn s-${status}`, "data-turn": index },
    h("summary", {}, h("strong", {}, `Turn ${index + 1}`), turn.k && h("span", { class: "badge" }, turn.k), reached.length > 0 && h("span", { class: "badge s-p" }, icon("p"), counted(reached.length, "checkpoint")),
      turn.end ? h("span", { class: "badge s-e" }, icon("e"), turn.end[0]) : unmet.length ? h("span", { class: `badge s-${status}` }, icon(status), `${counted(unmet.length, "assertion")} ${status === "f" ? "failed" : "undecided"}`) : null,
      h("span", { class: "ask foreign" }, turn.u || ""),
      h("span", { class: "facts-short" }, [turn.calls && counted(nCalls(turn), "call"), firstText !== null && `first token ${time(firstText)}`, time(took)].filter(Boolean).join(" · "))));
  element.append(body);
  let events = null;
  const fill = () => {
    if (body.hasChildNodes()) return;
    const onCall = (number) => {
      const call = body.querySelector(`[data-call="${number}"]`);
      if (!call) return;
      call.open = true;
      reveal(call);
    };
    events = eventsSection(turn, pointing, pointing.length > 0);
    append(body, [
      turn.end && h("p", { class: "banner s-e foreign" }, `${turn.end[1]}${turn.end[2] ? ` (${turn.end[2]})` : ""}`),
      asked ? askedBubbles(asked) : turn.u !== undefined && bubble(turn.sim ? "user simulated" : "user", turn.sim ? "user, played by the simulator" : "user", turn.u),
      thoughtOf(turn.sim),
      timeline(turn, onCall),
      turn.z && section("Reasoning", null, h("p", { class: "reasoning foreign" }, turn.z)),
      turn.calls && section("Tool calls", turn.cut?.calls ? `the first ${turn.calls.length} of ${number(nCalls(turn))}` : null, turn.calls.map(callElement), leftOut(turn, "calls")),
      turn.late && section("Results for earlier calls", null, turn.late.map(([id, result]) => jsonView(id, result, 1)), leftOut(turn, "late")),
      turn.x ? bubble("agent", "agent", turn.x) : h("p", { class: "soft say agent" }, "The agent said nothing."),
      taskSection(turn),
      (unmet.length > 0 || checks.length > 0) && section("Assertions", null, unmet.map((check) => unmetCheck(check, row, `turn ${index + 1}`, () => element.showEvent(check.v))), passedChecks(checks, row), leftOut(turn, "checks")),
      opinionsSection(turn),
      jsonList(turn, "int", "Interrupts"),
      turn.data !== undefined && section("Data", "of the answer", jsonView("data", turn.data, 1)),
      turn.state !== undefined && section("State", "after this turn", jsonView("state", turn.state, 1)),
      jsonList(turn, "act", "Activities"),
      jsonList(turn, "use", "Usage"),
      turn.find && section("Protocol findings", null, turn.find.map(([rule, event, message]) => h("p", { class: "finding" }, h("span", { class: "badge s-t" }, rule), h("span", { class: "foreign" }, message), h("button", { type: "button", class: "link to-event", on: { click: () => element.showEvent(event) } }, `event #${event}`))), leftOut(turn, "find")),
      turn.warn && section("Warnings", null, turn.warn.map((line) => h("p", { class: "finding" }, h("span", { class: "badge s-t" }, icon("e")), h("span", { class: "foreign" }, line))), leftOut(turn, "warn")),
      turn.req && h("details", { class: "fold section" }, h("summary", {}, `${counted(turn.req.length, "request")} sent`), turn.req.map((text, number) => jsonView(`request ${number + 1}`, text, 1))),
      events,
    ]);
  };
  element.addEventListener("toggle", fill);
  element.showTurn = () => {
    element.open = true;
    fill();
    reveal(element);
  };
  element.showEvent = (no) => {
    element.open = true;
    fill();
    events.open = true;
    events.fillNow();
    const event = events.querySelector(`[data-event="${no}"]`);
    if (event) reveal(event);
  };
  if (isOpen) {
    element.open = true;
    fill();
  }
  return element;
}

function reveal(element) {
  element.scrollIntoView({ block: "center" });
  element.classList.remove("flash");
  requestAnimationFrame(() => element.classList.add("flash"));
  element.querySelector("button, summary")?.focus({ preventScroll: true });
}

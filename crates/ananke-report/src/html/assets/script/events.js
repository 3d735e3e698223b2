// The raw events of a turn, with the check that points at one right below it.

function familyOf(type) {
  if (type.startsWith("TEXT_")) return "f-text";
  if (type.startsWith("TOOL_")) return "f-tool";
  if (type.startsWith("RUN_") || type.startsWith("STEP_")) return "f-run";
  if (type.startsWith("STATE_") || type.startsWith("MESSAGES_") || type.startsWith("ACTIVITY_")) return "f-state";
  if (type.startsWith("REASONING_") || type.startsWith("THINKING_")) return "f-reason";
  return "";
}

const peekOf = (event) => {
  const prefix = `{"type":${JSON.stringify(event.type)}`;
  const rest = event.payload.startsWith(prefix) ? event.payload.slice(prefix.length).replace(/^,/, "").replace(/\}$/, "") : event.payload;
  return rest.slice(0, 240);
};

function eventElement(event, notes) {
  const more = h("div", { class: "event-more", hidden: true });
  const line = h("button", { type: "button", class: "event-line", "aria-expanded": "false" },
    h("span", { class: "event-no" }, `#${event.no}`), h("span", { class: "event-at" }, `+${time(event.at)}`),
    h("span", { class: `event-type foreign ${familyOf(event.type)}` }, event.type || "(no type)"), h("span", { class: "event-peek foreign" }, peekOf(event)));
  line.addEventListener("click", () => {
    more.hidden = !more.hidden;
    line.setAttribute("aria-expanded", String(!more.hidden));
    if (!more.hasChildNodes()) more.append(jsonView("payload", event.payload, 3));
  });
  return h("li", { class: `event${notes.length ? " pointed" : ""}`, "data-event": event.no }, line, more,
    notes.map((check) => h("div", { class: "event-note" }, h("strong", {}, `${check.o === "i" ? "? " : "✗ "}${word(check.k)} `), h("span", { class: "foreign" }, check.s), h("br", {}),
      "expected ", h("span", { class: "foreign" }, word(check.e)), ", got ", h("span", { class: "foreign" }, check.a))));
}

function eventsSection(turn, pointing, isOpen) {
  const list = eventsOf(turn);
  const notesOf = (no) => pointing.filter((check) => check.v === no);
  const fold = h("details", { class: "fold section raw-events", open: isOpen }, h("summary", {}, turn.en === 1 ? "1 raw event" : `${number(turn.en)} raw events`));
  const fill = () => {
    if (fold.childElementCount > 1) return;
    if (list.length === 0) {
      fold.append(h("p", { class: "soft" }, turn.en === 0 ? "No event came." : `They are left out to keep this page small${IN_BUNDLE}.`));
      return;
    }
    fold.append(h("ol", { class: "events" }, list.map((event) => (event.leftOut
      ? h("li", { class: "event event-gap" }, `${counted(event.leftOut, "event")} left out, from #${event.from}`)
      : eventElement(event, notesOf(event.no))))));
  };
  fold.addEventListener("toggle", fill);
  if (isOpen) fill();
  fold.fillNow = fill;
  return fold;
}

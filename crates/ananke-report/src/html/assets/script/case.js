// A case: the messages that it sends, and what is told of it beside the conversation.

const SIDES = { user: "user", assistant: "agent" };

// The messages in the order in which they are sent, files by name.
const askedBubbles = (view) => [
  view.ask.map((message) => bubble(SIDES[message.r] ?? "aside", message.r, message.t ?? "", message.f)),
  view.more && h("p", { class: "soft" }, `${counted(view.more, "more message")}${IN_BUNDLE}`),
];

const caseFacts = (view, row) => [["Connector", INDEX.conn[row] === undefined ? "" : word(INDEX.conn[row])], ...(view?.who || [])];

// What the case demands as a whole, and what it carries.
const caseSections = (view) => [
  view.exp !== undefined && section("Expected", null, jsonView("expected", view.exp, 2)),
  view.meta !== undefined && section("Metadata", "of the case", jsonView("metadata", view.meta, 1)),
  view.opt !== undefined && section("Options", "of the case", jsonView("options", view.opt, 1)),
];

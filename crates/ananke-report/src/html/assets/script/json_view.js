// A viewer for JSON that opens as far as one looks. What is not JSON is shown as the text it is.

const SHOWN_ITEMS = 100;

// A number that a JavaScript number would spell differently.
class Spelled {
  constructor(source) { this.source = source; }
}

function parsed(text) {
  try {
    return { value: JSON.parse(text, (key, value, context) => (typeof value === "number" && context?.source && String(value) !== context.source ? new Spelled(context.source) : value)) };
  } catch {
    return null; // not JSON, cut, or nested too deep
  }
}

function leaf(value) {
  if (value instanceof Spelled) return h("span", { class: "j-num" }, value.source);
  if (typeof value === "string") return h("span", { class: "j-str foreign" }, JSON.stringify(value));
  if (typeof value === "number") return h("span", { class: "j-num" }, String(value));
  return h("span", { class: "j-word" }, String(value));
}

const isNested = (value) => typeof value === "object" && value !== null && !(value instanceof Spelled);

function node(key, value, open) {
  const label = key === null ? [] : [h("span", { class: "j-key foreign" }, typeof key === "number" ? String(key) : JSON.stringify(key)), ": "];
  if (!isNested(value)) return h("div", { class: "json-leaf" }, label, leaf(value));
  const isList = Array.isArray(value);
  const n = isList ? value.length : Object.keys(value).length;
  const size = h("span", { class: "j-note" }, isList ? `[${counted(n, "item")}]` : `{${counted(n, "key")}}`);
  const toggle = h("button", { type: "button", class: "json-toggle" }, label, size);
  const kids = h("div", { class: "json-kids" });
  const set = (isOpen) => {
    toggle.setAttribute("aria-expanded", String(isOpen));
    kids.hidden = !isOpen;
    if (isOpen && !kids.hasChildNodes()) fill(kids, value, 0, open - 1);
  };
  toggle.addEventListener("click", () => set(toggle.getAttribute("aria-expanded") !== "true"));
  set(open > 0 && n > 0);
  return h("div", {}, toggle, kids);
}

// Adds the members from `from` on, a page at a time.
function fill(kids, value, from, open) {
  const entries = Array.isArray(value) ? value.map((item, index) => [index, item]) : Object.entries(value);
  for (const [key, item] of entries.slice(from, from + SHOWN_ITEMS)) kids.append(node(key, item, open));
  const n_more = entries.length - from - SHOWN_ITEMS;
  if (n_more > 0) {
    const more = h("button", { type: "button", class: "link" }, `${number(n_more)} more`);
    more.addEventListener("click", () => {
      more.remove();
      fill(kids, value, from + SHOWN_ITEMS, open);
    });
    kids.append(more);
  }
}

function jsonView(title, text, open = 2) {
  const body = h("div", { class: "json-body" });
  const tree = parsed(text);
  let isRaw = !tree || !isNested(tree.value);
  const draw = () => body.replaceChildren(isRaw ? h("pre", { class: "foreign" }, text) : node(null, tree.value, open));
  const raw = h("button", { type: "button", class: "tiny", on: { click: () => { isRaw = !isRaw; raw.textContent = isRaw ? "tree" : "as sent"; draw(); } } }, "as sent");
  const copyButton = h("button", { type: "button", class: "tiny", on: { click: () => copy(text, copyButton) } }, "copy");
  draw();
  return h("div", { class: "json" }, h("div", { class: "json-head" }, title, h("span", { class: "spread" }, tree && isNested(tree.value) && raw, copyButton)), body);
}

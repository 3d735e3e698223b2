// Elements. Everything that a run brought goes through text nodes; nothing here reads markup.

// What shows nothing, or turns text around; the same as in `escape.rs`, but for lines and tabs. Joiners count unless they
// stand inside a word or an emoji of a script that needs them.
const HIDDEN = new RegExp([
  "[\\0-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\\xad\\u061c\\u115f\\u1160\\u3164\\uffa0\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]",
  "\\r(?!\\n)", "(?<![^\\0-\\u024f\\u2000-\\u206f])[\\u200c\\u200d]", "[\\u200c\\u200d](?![^\\0-\\u024f\\u2000-\\u206f])",
].join("|"), "gu");

// Makes hidden characters visible, as a terminal does: `\u{202e}`.
const visible = (text) => text.replace(HIDDEN, (c) => (c === "\r" ? "\\r" : `\\u{${c.codePointAt(0).toString(16)}}`));

const byId = (id) => document.getElementById(id);

// Makes an element: `h("p", { class: "x", on: { click } }, "text", child)`.
function h(tag, props, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(props || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "on") for (const [name, listener] of Object.entries(value)) element.addEventListener(name, listener);
    else if (value === true) element.setAttribute(key, "");
    // A value that is not read but compared stays as it is.
    else element.setAttribute(key, key === "title" || key === "aria-label" ? visible(value) : value);
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    element.append(typeof child === "string" ? visible(child) : child);
  }
}

function svg(tag, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const ICONS = {
  p: "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1m3.3 5.3-4 4.2a.8.8 0 0 1-1.1 0L4.6 8.9a.8.8 0 0 1 1.1-1.1l1 1 3.4-3.6a.8.8 0 0 1 1.2 1.1",
  f: "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1m2.9 8.8a.8.8 0 0 1-1.1 1.1L8 9.1l-1.8 1.8a.8.8 0 0 1-1.1-1.1L6.900 8 5.100 6.200a.8.8 0 0 1 1.1-1.1L8 6.900l1.800-1.800a.8.8 0 0 1 1.1 1.1L9.100 8z",
  e: "M8.900 1.600a1 1 0 0 0-1.800 0L.700 13a1 1 0 0 0 .9 1.500h12.800a1 1 0 0 0 .9-1.500zM7.250 6a.75.75 0 0 1 1.500 0v3.200a.75.75 0 0 1-1.500 0zM8 12.700a.95.95 0 1 1 0-1.900.95.95 0 0 1 0 1.900",
  t: "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1m.75 7.200 2.100 1.500a.75.75 0 1 1-.9 1.200L7.550 9.200A.75.75 0 0 1 7.250 8.600V4.500a.75.75 0 0 1 1.500 0z",
  s: "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1m3 7.750H5a.75.75 0 0 1 0-1.500h6a.75.75 0 0 1 0 1.500",
  i: "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1m0 11.200a.9.9 0 1 1 0-1.800.9.9 0 0 1 0 1.800m.75-3.300v.3a.75.75 0 0 1-1.500 0v-.9c0-.5.3-.8.7-1 .7-.4 1-.7 1-1.200a1 1 0 0 0-1.900-.4.75.75 0 0 1-1.400-.6 2.500 2.500 0 1 1 3.100 3.400",
  y: "M13.700 6.300A6 6 0 0 0 3.200 4.400V2.750a.75.75 0 0 0-1.500 0v3.500c0 .4.3.75.75.75h3.500a.75.75 0 0 0 0-1.500H4.300a4.500 4.500 0 0 1 8 1.200.75.75 0 1 0 1.400-.4M2.300 9.700a6 6 0 0 0 10.500 1.900v1.650a.75.75 0 0 0 1.500 0v-3.500a.75.75 0 0 0-.75-.75h-3.500a.75.75 0 0 0 0 1.500h1.650a4.500 4.500 0 0 1-8-1.200.75.75 0 1 0-1.400.4",
  search: "M7 1.500a5.500 5.500 0 1 0 3.400 9.800l3 3a.75.75 0 1 0 1-1l-3-3A5.500 5.500 0 0 0 7 1.500M3 7a4 4 0 1 1 8 0 4 4 0 0 1-8 0",
  theme: "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1m0 1.500v11a5.500 5.500 0 0 0 0-11",
};

function icon(name) {
  return svg("svg", { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: ICONS[name], fill: "currentColor", "fill-rule": "evenodd" }));
}

function mark() {
  return svg("svg", { class: "icon", viewBox: "0 0 32 32" },
    svg("rect", { width: 32, height: 32, rx: 8, fill: "#4338ca" }),
    svg("path", { d: "M16 5l7 11-7 11-7-11z", fill: "none", stroke: "#fff", "stroke-width": 2.5, "stroke-linejoin": "round" }),
    svg("circle", { cx: 16, cy: 16, r: 2.6, fill: "#fff" }));
}

const number = (n) => n.toLocaleString("en-US");
const counted = (n, noun) => `${number(n)} ${noun}${n === 1 ? "" : "s"}`;

// Microseconds for a person.
function time(us) {
  if (us < 1000) return `${us} µs`;
  if (us < 1e6) return us < 1e4 ? `${(us / 1000).toFixed(1)} ms` : `${Math.floor(us / 1000)} ms`;
  if (us < 6e7) return `${(Math.floor(us / 1e4) / 100).toFixed(2)} s`;
  const seconds = Math.floor(us / 1e6);
  return `${Math.floor(seconds / 60)} m ${String(seconds % 60).padStart(2, "0")} s`;
}

const clock = (ms) => {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? "" : date.toISOString().replace("T", " ").replace(/\.\d+Z$/, " UTC");
};

const percent = (share) => `${Math.min(100, Math.max(0, share * 100)).toFixed(3)}%`;

function debounced(wait, action) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(action, wait);
  };
}

async function copy(text, button) {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "copied";
  } catch {
    button.textContent = "not allowed here";
  }
  setTimeout(() => { button.textContent = label; }, 1200);
}

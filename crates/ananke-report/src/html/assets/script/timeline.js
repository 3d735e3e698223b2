// When things happened in a turn: calls as bars, pieces of text as ticks, silence hatched, the first event and token.

const MOST_LANES = 24;

// Returns round steps for an axis of `total` microseconds.
function axisSteps(total) {
  const rough = total / 6;
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough) || power * 10;
  const steps = [];
  for (let at = 0; at <= total * 0.96; at += step) steps.push(at);
  return steps;
}

const axisTime = (us) => (us === 0 ? "0" : us < 1000 ? `${us} µs` : us < 1e6 ? `${Math.round(us / 100) / 10} ms` : `${Math.round(us / 1e5) / 10} s`);

// Puts calls that do not overlap on the same lane only when there are very many.
function lanesOf(calls) {
  if (calls.length <= MOST_LANES) return calls.map((call, index) => [{ call, index }]);
  const lanes = [];
  calls.forEach((call, index) => {
    const lane = lanes.find((items) => endOf(items.at(-1).call) <= call.t[0]) || (lanes.length < MOST_LANES ? lanes[lanes.push([]) - 1] : lanes.at(-1));
    lane.push({ call, index });
  });
  return lanes;
}

const endOf = (call) => call.t[2] ?? call.t[1] ?? call.t[0];

function barOf({ call, index }, total, onCall) {
  const [start, argsDone] = call.t;
  const end = Math.max(start, endOf(call));
  const words = `${word(call.n)}: ${time(end - start)}${call.t[2] === null ? ", no result" : ""}, from ${time(start)}`;
  const bar = h("button", { type: "button", class: `tl-bar${call.e ? " failed" : ""}${call.t[2] === null ? " open" : ""}`, title: words, "aria-label": `Tool call ${words}`, on: { click: () => onCall(index) } });
  bar.style.left = percent(start / total);
  bar.style.width = percent((end - start) / total);
  if (argsDone !== null && end > start && call.t[2] !== null) {
    const args = h("span", { class: "args" });
    args.style.width = percent((argsDone - start) / (end - start));
    bar.append(args);
  }
  return bar;
}

function ticksLane(kind, ticks, total) {
  const path = ticks.map((at) => `M${((at / total) * 1000).toFixed(2)} 0V16`).join("");
  return h("div", { class: `tl-lane ${kind}` }, svg("svg", { class: "tl-ticks", viewBox: "0 0 1000 16", preserveAspectRatio: "none", "aria-hidden": "true" }, svg("path", { d: path })));
}

function flag(kind, label, at, total, isSecond) {
  const share = at / total;
  const element = h("span", { class: `tl-flag ${kind}${isSecond ? " second" : ""}` }, `${label} ${time(at)}`);
  // The later, the more of it hangs to the left of its moment: it never leaves the lane.
  element.style.left = percent(share);
  element.style.transform = `translateX(-${percent(share)})`;
  return element;
}

function overlay(className, from, to, total) {
  const element = h("div", { class: className });
  element.style.left = percent(from / total);
  if (to !== null) element.style.width = percent((to - from) / total);
  return element;
}

function timeline(turn, onCall) {
  const [connect, firstEvent, firstText, , took] = turn.tm;
  const calls = turn.calls || [];
  const more = turn.mc || [];
  const total = Math.max(took, 1, ...calls.map(endOf), ...more.map(([, end]) => end));
  const ticks = ticksOf(turn.tk);
  const thoughts = ticksOf(turn.rk);
  const grid = h("div", { class: "tl-grid" });
  const flags = h("div", { class: "tl-flags" });
  let rows = 0;
  const lane = (name, element) => {
    const label = h("div", { class: "tl-name foreign", title: name }, name);
    rows += 1;
    label.style.gridRow = rows;
    element.style.gridRow = rows;
    grid.append(label, element);
  };
  lane("", flags);
  if (thoughts.length) lane("reasoning", ticksLane("tl-reason", thoughts, total));
  for (const items of lanesOf(calls)) {
    const track = h("div", { class: "tl-lane" }, items.map((item) => barOf(item, total, onCall)));
    if (items.length === 1) {
      const end = endOf(items[0].call) / total;
      const isLeft = end > 0.82;
      const label = h("span", { class: `tl-after${isLeft ? " left" : ""}` }, time(endOf(items[0].call) - items[0].call.t[0]));
      label.style.left = percent(isLeft ? items[0].call.t[0] / total : end);
      if (!isLeft || items[0].call.t[0] / total > 0.12) track.append(label);
    }
    lane(items.length === 1 ? word(items[0].call.n) : `${items.length} calls`, track);
  }
  if (more.length) {
    const title = `${counted(turn.cut.calls, "more call")} in progress`;
    lane(counted(turn.cut.calls, "more call"), h("div", { class: "tl-lane" }, more.map(([from, to]) => {
      const bar = overlay("tl-bar more", from, to, total);
      bar.title = title;
      return bar;
    })));
  }
  lane("text", ticks.length ? ticksLane("tl-text", ticks, total) : h("div", { class: "tl-lane" }));
  const axis = h("div", { class: "tl-axis", "aria-hidden": "true" }, axisSteps(total).map((at, index) => {
    const label = h("span", { class: index % 2 ? "odd" : null }, axisTime(at));
    label.style.left = percent(at / total);
    return label;
  }));
  const over = h("div", { class: "tl-over" });
  for (const [from, to] of turn.gaps || []) {
    const gap = overlay("tl-gap", from, to, total);
    gap.title = `nothing came for ${time(to - from)}`;
    if ((to - from) / total > 0.07) gap.append(h("span", {}, `idle ${time(to - from)}`));
    over.append(gap);
  }
  if (firstEvent !== null) {
    flags.append(flag("event", "first event", firstEvent, total, false));
    over.append(overlay("tl-mark event", firstEvent, null, total));
  }
  if (firstText !== null) {
    flags.append(flag("token", "first token", firstText, total, true));
    over.append(overlay("tl-mark token", firstText, null, total));
  }
  lane("", axis);
  over.style.gridRow = `1 / span ${rows}`;
  grid.append(over);
  const facts = [["total", took], ["response headers", connect], ["longest stretch without a call", turn.idle ?? took]];
  return h("figure", { class: "timeline", role: "group", "aria-label": `Timeline of ${time(total)}` }, grid,
    h("div", { class: "tl-legend" }, facts.filter(([, us]) => us !== null).map(([name, us]) => h("span", {}, `${name} `, h("b", {}, time(us)))),
      ticks.length > 0 && h("span", {}, "green ticks: pieces of text"), turn.clk && h("span", {}, "timing checks use the events' own timestamps")));
}

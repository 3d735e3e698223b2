// The keyboard, and light or dark.

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function switchTheme() {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  try {
    localStorage.setItem("ananke-theme", document.documentElement.dataset.theme);
  } catch {
    // A page from a file need not have a store; the choice then lasts as long as the page.
  }
}

function restoreTheme() {
  try {
    const theme = localStorage.getItem("ananke-theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // As above.
  }
}

function escape(clear) {
  if (document.activeElement === byId("search") && byId("search").value) clear();
  else if (openRow >= 0) openTest(-1);
  else clear();
}

function setUpKeys(clear) {
  byId("theme").addEventListener("click", switchTheme);
  byId("help-open").addEventListener("click", () => byId("help").showModal());
  const move = (distance) => {
    step(distance);
    if (openRow >= 0 && activeRow >= 0) openTest(activeRow);
  };
  const keys = {
    "/": () => { byId("search").focus(); byId("search").select(); },
    j: () => move(1),
    k: () => move(-1),
    f: () => { if (stepToFailure() !== undefined && openRow >= 0) openTest(activeRow); },
    t: switchTheme,
    "?": () => byId("help").showModal(),
  };
  const listKeys = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    PageDown: () => move(10),
    PageUp: () => move(-10),
    Home: () => move(-TESTS.length),
    End: () => move(TESTS.length),
    Enter: () => { if (activeRow >= 0) openTest(activeRow); },
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
    const { target } = event;
    if (event.key === "Escape") {
      escape(clear);
      event.preventDefault();
      return;
    }
    const isTyping = target.matches("input, select, textarea");
    if (isTyping && !(target === byId("search") && ["ArrowDown", "ArrowUp", "Enter"].includes(event.key))) return;
    const isFree = target === document.body || target === byId("list") || target === byId("detail") || target === byId("search");
    const action = isTyping ? listKeys[event.key] : keys[event.key] || (isFree ? listKeys[event.key] : undefined);
    if (!action) return;
    event.preventDefault();
    if (event.key === "Enter" && activeRow < 0) step(1);
    action();
  });
}

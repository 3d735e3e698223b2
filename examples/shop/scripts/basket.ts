// What the tests of this folder share. Scripts are TypeScript; nothing has to be installed or built.

export interface Item {
  name: string;
  cents: number;
}

/** What a basket costs, with shipping below 50.00. */
export function total(items: Item[]): number {
  const sum = items.reduce((cents, item) => cents + item.cents, 0);
  return sum === 0 || sum >= 5000 ? sum : sum + 490;
}

/** A check: `tests/cases.jsonl` names it. It gets the answer, the question, what is expected, and the whole turn. */
export function FoundSomething(output: unknown, input: unknown, expected: unknown, turn: { tool_calls: { name: string; result?: unknown }[] }) {
  const search = turn.tool_calls.find((call) => call.name === "search_products");
  return { pass: search?.result !== undefined, message: "the search gave no result" };
}

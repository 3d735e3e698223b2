// Functions that judge.
export function HasMugs(output: any, input: any, expected: any): boolean {
  return output.items.length >= expected.amount;
}

export function IsCheap(output: any, input: any, expected: any, turn: any) {
  return { pass: output.total <= turn.metadata.most, message: `the basket costs ${output.total}` };
}

// Hooks of the cases beside it.
function Open(ctx: any, testCase: any) {
  return { data: { room: testCase.id } };
}

function Close(ctx: any, testCase: any, result: any, opened: any) {}

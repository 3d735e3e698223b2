// An agent that is a function.
export function Answer(ctx: any, messages: any[]): string {
  return `You said: ${messages[messages.length - 1].content}`;
}

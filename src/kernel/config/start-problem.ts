import { redactText } from '#kernel/log/redaction.js';

/** Why the process cannot start, in words for whoever starts it: shown alone, without a stack. */
export class StartProblem extends Error {}

/** The message of an error in one line, for use within one of ours: drivers quote addresses with passwords in them. */
export function causeOf(error: unknown): string {
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
  const text = first instanceof Error ? first.message : String(first);
  return redactText(text.trim().replace(/\s*\n\s*/g, ' | '), 500);
}

import { redactText } from '#kernel/log/redaction.js';

/** Reason why the process cannot start, written for operators and shown without a stack trace. */
export class StartProblem extends Error {}

/** Returns the message of an error in one line, redacted because drivers quote URLs with passwords. */
export function causeOf(error: unknown): string {
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
  const text = first instanceof Error ? first.message : String(first);
  return redactText(text.trim().replace(/\s*\n\s*/g, ' | '), 500);
}

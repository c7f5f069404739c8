import { CommanderError } from 'commander';
import { ConfigError } from '#kernel/config/load-config.js';
import { problemTexts } from '#kernel/http/problem-texts.js';

/** Output of a command: a record for machines, lines for people. */
export interface CommandResult {
  readonly json: unknown;
  readonly lines: readonly string[];
  /** 0 unless the command found a problem. */
  readonly exitCode?: number;
}

/** A failure that the user can fix; shown without a stack trace. */
export class CommandError extends Error {}

/** Prints a result in the requested format. */
export function printResult(result: CommandResult, asJson: boolean): void {
  const text = asJson ? JSON.stringify(result.json, null, 2) : result.lines.join('\n');
  if (text !== '') process.stdout.write(`${text}\n`);
}

/** Prints an error to standard error, as text or as a record. */
export function printFailure(error: unknown, asJson: boolean): void {
  const message = describe(error);
  const problems = error instanceof ConfigError ? { problems: error.problems } : {};
  process.stderr.write(asJson ? `${JSON.stringify({ error: message, ...problems })}\n` : `${message}\n`);
}

/** Validation errors arrive as HTTP errors, whose body says which attribute is invalid. */
function describe(error: unknown): string {
  if (error instanceof CommanderError) return error.message.replace(/^error: /, '');
  if (typeof error === 'object' && error !== null && 'body' in error) {
    const message = (error as { body: { message?: unknown } | null }).body?.message;
    return typeof message === 'string' ? message : sentences(message);
  }
  if (error instanceof AggregateError && error.message === '') return error.errors.map(describe).join('; ');
  return error instanceof Error ? error.message : String(error);
}

/** Turns `{"email":["is invalid"]}` into "email is invalid". */
const sentences = (problems: unknown): string =>
  [...problemTexts(problems ?? {})].map(([name, text]) => `${name} ${text}`).join('\n');

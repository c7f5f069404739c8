import { CommanderError } from 'commander';
import { ConfigError } from '#kernel/config/load-config.js';
import { problemTexts } from '#kernel/http/problem-texts.js';

/** What a command has to say: a record for machines, lines for people. */
export interface CommandResult {
  readonly json: unknown;
  readonly lines: readonly string[];
  /** 0 unless the command found something wrong. */
  readonly exitCode?: number;
}

/** A failure that the person at the terminal can mend; shown without a stack. */
export class CommandError extends Error {}

/** Writes a result the way it was asked for. */
export function printResult(result: CommandResult, asJson: boolean): void {
  const text = asJson ? JSON.stringify(result.json, null, 2) : result.lines.join('\n');
  if (text !== '') process.stdout.write(`${text}\n`);
}

/** Writes a failure to standard error: what went wrong, or a record of it. */
export function printFailure(error: unknown, asJson: boolean): void {
  const message = describe(error);
  const problems = error instanceof ConfigError ? { problems: error.problems } : {};
  process.stderr.write(asJson ? `${JSON.stringify({ error: message, ...problems })}\n` : `${message}\n`);
}

/** Model rules arrive as HTTP errors: their body says which attribute is wrong. */
function describe(error: unknown): string {
  if (error instanceof CommanderError) return error.message.replace(/^error: /, '');
  if (typeof error === 'object' && error !== null && 'body' in error) {
    const message = (error as { body: { message?: unknown } | null }).body?.message;
    return typeof message === 'string' ? message : sentences(message);
  }
  if (error instanceof AggregateError && error.message === '') return error.errors.map(describe).join('; ');
  return error instanceof Error ? error.message : String(error);
}

/** `{"email":["is invalid"]}` reads "email is invalid". */
const sentences = (problems: unknown): string =>
  [...problemTexts(problems ?? {})].map(([name, text]) => `${name} ${text}`).join('\n');

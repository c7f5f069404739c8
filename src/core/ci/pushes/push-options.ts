import type { CiVariable } from '../jobs/definition/job-definition.js';

const KEY = /^[A-Za-z_][A-Za-z0-9_]{0,254}$/;

/** The CI options of a push (`git push -o`). */
export interface CiPushOptions {
  /** `ci.skip`: create no pipeline. */
  readonly skip: boolean;
  /** `ci.variable=KEY=value`. */
  readonly variables: readonly CiVariable[];
}

const SKIP = 'ci.skip';

/** Parses the CI options of a push; ignores all others. */
export function ciPushOptions(options: readonly string[]): CiPushOptions {
  const variables = options.map(variableOf).filter((variable) => variable !== null);
  return { skip: options.includes(SKIP), variables };
}

/** Returns the options that are not CI options. */
export const unknownPushOptions = (options: readonly string[]): string[] =>
  options.filter((option) => option !== SKIP && variableOf(option) === null);

function variableOf(option: string): CiVariable | null {
  const [name, given = ''] = splitOnce(option);
  if (name !== 'ci.variable') return null;
  const [key, value] = splitOnce(given.replace(/^"(.*)"$/s, '$1'));
  if (!KEY.test(key) || value === undefined || value.includes('\0')) return null;
  return { key, value: value.toWellFormed(), public: false, masked: false };
}

function splitOnce(text: string): [string, string | undefined] {
  const at = text.indexOf('=');
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

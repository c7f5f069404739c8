/** Limit of names in a text. */
export const MAX_NAMES = 200;

/**
 * Names cannot contain tildes, and the pattern excludes them: otherwise a long row of them would be scanned
 * again from each.
 */
const TOKEN = /"([^"\n]{1,255})"|'([^'\n]{1,255})'|([^\s,"'~][^\s,~]{0,254})/g;

/** Parses names of labels in an argument: `~bug ~"two words" plain`; the first 200. */
export function labelNamesIn(argument: string): string[] {
  const names: string[] = [];
  for (const [, double, single, plain] of argument.matchAll(TOKEN)) {
    const name = (double ?? single ?? plain ?? '').trim();
    if (name !== '') names.push(name);
    if (names.length >= MAX_NAMES) break;
  }
  return names;
}

/** Parses names of users in lower case, with or without `@`; the first 200. */
export function userNamesIn(argument: string): string[] {
  const words = argument
    .slice(0, 256 * MAX_NAMES)
    .toLowerCase()
    .split(/[\s,]+/);
  return words
    .map((word) => word.replace(/^@/, ''))
    .filter((word) => word !== '')
    .slice(0, MAX_NAMES);
}

/** Parses the title of a milestone: `%v1`, `%"two words"`, or plain text. */
export function milestoneTitleIn(argument: string): string {
  const plain = argument.startsWith('%') ? argument.slice(1) : argument;
  const [, quoted] = /^"([^"]{1,255})"$/.exec(plain) ?? [];
  return (quoted ?? plain).trim();
}

/** More names than anybody means to give in one text. */
export const MAX_NAMES = 200;

/** Tildes are no part of names, and stay out of the pattern: a long row of them would be looked through anew from each. */
const TOKEN = /"([^"\n]{1,255})"|'([^'\n]{1,255})'|([^\s,"'~][^\s,~]{0,254})/g;

/** Names of labels as people write them after a command: `~bug ~"two words" plain`; the first 200 of them. */
export function labelNamesIn(argument: string): string[] {
  const names: string[] = [];
  for (const [, double, single, plain] of argument.matchAll(TOKEN)) {
    const name = (double ?? single ?? plain ?? '').trim();
    if (name !== '') names.push(name);
    if (names.length >= MAX_NAMES) break;
  }
  return names;
}

/** Names of users in small letters, with or without `@` before them; the first 200 of them. */
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

/** The title of a milestone: `%v1`, `%"two words"`, or plainly written. */
export function milestoneTitleIn(argument: string): string {
  const plain = argument.startsWith('%') ? argument.slice(1) : argument;
  const [, quoted] = /^"([^"]{1,255})"$/.exec(plain) ?? [];
  return (quoted ?? plain).trim();
}

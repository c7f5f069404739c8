/** So much of a secret alone is no accident: it is blotted out before the rest has come. */
const TELLING = 10;

/** How many bytes before a border, and after it, belong to a secret. */
export interface SplitSecret {
  readonly before: number;
  readonly after: number;
}

/**
 * Looks for a secret that begins in `before` and goes on in `after`, or for one of which most has come so far (`after` may end within it). What was
 * blotted out of `before` by an earlier look counts as what it was: give it the last two lengths of the secret.
 */
export function findSplitSecret(before: Buffer, after: Buffer, secret: string): SplitSecret | null {
  const blotted = blottedEnd(before);
  for (let known = Math.min(secret.length - 1, before.length); known >= 0; known -= 1) {
    const head = before.toString('latin1', before.length - known);
    // Behind a whole secret only the beginning of another one may be blotted, else what follows it would be taken for a part of it.
    const mayBeBlotted = blotted < secret.length ? known <= blotted : known === blotted % secret.length;
    const isBlotted = known >= TELLING && mayBeBlotted;
    if (head !== secret.slice(0, known) && !isBlotted) continue;
    const rest = Math.min(secret.length - known, after.length);
    if (known === 0 || after.toString('latin1', 0, rest) !== secret.slice(known, known + rest)) continue;
    if (known + rest === secret.length || known + rest >= TELLING) return { before: known, after: rest };
  }
  return null;
}

/** How many bytes at the end may have been blotted out. */
function blottedEnd(text: Buffer): number {
  let count = 0;
  while (count < text.length && text[text.length - 1 - count] === X) count += 1;
  return count;
}

const X = 'x'.charCodeAt(0);

/** Blots out a secret in a text at the same length, also where most of it is the end of the text. */
export function blotSecret(text: Buffer, secret: string): void {
  for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at))
    text.fill('x', at, at + secret.length);
  for (let known = Math.min(secret.length - 1, text.length); known >= TELLING; known -= 1)
    if (text.toString('latin1', text.length - known) === secret.slice(0, known))
      text.fill('x', text.length - known);
}

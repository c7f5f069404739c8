/** A prefix of the secret this long is not a coincidence: it is masked before the rest arrives. */
const TELLING = 10;

/** Bytes of a secret before and after a boundary. */
export interface SplitSecret {
  readonly before: number;
  readonly after: number;
}

/**
 * Finds a secret that begins in `before` and continues in `after`, or of which a long prefix has arrived
 * (`after` may end inside of it). Text of `before` that an earlier call has masked counts as part of the
 * secret; `before` must contain the last two lengths of the secret.
 */
export function findSplitSecret(before: Buffer, after: Buffer, secret: string): SplitSecret | null {
  const blotted = blottedEnd(before);
  for (let known = Math.min(secret.length - 1, before.length); known >= 0; known -= 1) {
    const head = before.toString('latin1', before.length - known);
    // After a complete secret only the beginning of another one may be masked, else the following text would
    // be mistaken for a part of it.
    const mayBeBlotted = blotted < secret.length ? known <= blotted : known === blotted % secret.length;
    const isBlotted = known >= TELLING && mayBeBlotted;
    if (head !== secret.slice(0, known) && !isBlotted) continue;
    const rest = Math.min(secret.length - known, after.length);
    if (known === 0 || after.toString('latin1', 0, rest) !== secret.slice(known, known + rest)) continue;
    if (known + rest === secret.length || known + rest >= TELLING) return { before: known, after: rest };
  }
  return null;
}

/** Returns how many bytes at the end may be masked. */
function blottedEnd(text: Buffer): number {
  let count = 0;
  while (count < text.length && text[text.length - 1 - count] === X) count += 1;
  return count;
}

const X = 'x'.charCodeAt(0);

/** Masks a secret in a text without changing its length, also if the text ends with a long prefix of it. */
export function blotSecret(text: Buffer, secret: string): void {
  for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at))
    text.fill('x', at, at + secret.length);
  for (let known = Math.min(secret.length - 1, text.length); known >= TELLING; known -= 1)
    if (text.toString('latin1', text.length - known) === secret.slice(0, known))
      text.fill('x', text.length - known);
}

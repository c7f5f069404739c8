const MAX_KEY_BYTES = 1024;
const MAX_SEGMENT_BYTES = 255;

/**
 * No empty, hidden, `.` or `..` segment, no backslash, colon or control character: the key is the same on
 * disk and in S3.
 */
// oxlint-disable-next-line no-control-regex -- control characters are what must not get through
const SEGMENT = /^[^./\\:\u0000-\u001f\u007f][^/\\:\u0000-\u001f\u007f]*$/u;

/**
 * Returns the key. @throws TypeError for one that could name anything outside the store; keys are built by
 * us, so this is a bug or an attack
 */
export function checkKey(key: string): string {
  const valid =
    key.isWellFormed() &&
    Buffer.byteLength(key) <= MAX_KEY_BYTES &&
    key
      .split('/')
      .every((segment) => SEGMENT.test(segment) && Buffer.byteLength(segment) <= MAX_SEGMENT_BYTES);
  if (!valid) throw new TypeError(`Invalid object key ${JSON.stringify(key.slice(0, 100))}`);
  return key;
}

/** Returns the prefix: empty, or a folder with its trailing slash. @throws TypeError */
export function checkPrefix(prefix: string): string {
  if (prefix === '') return prefix;
  if (!prefix.endsWith('/')) throw new TypeError('A prefix must end in a slash');
  checkKey(prefix.slice(0, -1));
  return prefix;
}

/** Control characters, space and the syntax of revisions are not allowed in names. */
const FORBIDDEN = /[\0-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\//;

/** File names have at most 255 bytes, and git writes a ref through a file with the suffix `.lock`. */
const MAX_PART_BYTES = 255 - '.lock'.length;

/**
 * Returns whether a text is a valid branch or tag name: by the rules of `git check-ref-format
 * --allow-onelevel`, without a leading dash (git refuses it, and it would read as an option), and without
 * parts longer than git's files can be.
 */
export function isValidRefName(name: string): boolean {
  if (name === '' || name === '@' || name.length > 1024 || FORBIDDEN.test(name)) return false;
  if (/^[-/]|[/.]$/.test(name)) return false;
  return name.split('/').every(isPart);
}

const isPart = (part: string): boolean =>
  !part.startsWith('.') && !part.endsWith('.lock') && Buffer.byteLength(part) <= MAX_PART_BYTES;

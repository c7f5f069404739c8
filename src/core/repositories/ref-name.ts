/** Control characters, space and what revisions are made of have no place in a name. */
const FORBIDDEN = /[\0-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\//;

/** A file is 255 bytes long at most, and git writes a ref by way of one that ends on `.lock`. */
const MAX_PART_BYTES = 255 - '.lock'.length;

/**
 * Whether a text can name a branch or tag: the rules of `git check-ref-format --allow-onelevel`, and no leading dash, which git
 * refuses for branches and tags and which would read as an option; no part is longer than a file of git can be.
 */
export function isValidRefName(name: string): boolean {
  if (name === '' || name === '@' || name.length > 1024 || FORBIDDEN.test(name)) return false;
  if (/^[-/]|[/.]$/.test(name)) return false;
  return name.split('/').every(isPart);
}

const isPart = (part: string): boolean =>
  !part.startsWith('.') && !part.endsWith('.lock') && Buffer.byteLength(part) <= MAX_PART_BYTES;

/** Control characters, space and what revisions are made of have no place in a name. */
const FORBIDDEN = /[\0-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\//;

/**
 * Whether a text can name a branch or tag: the rules of `git check-ref-format --allow-onelevel`, and no leading dash, which git
 * refuses for branches and tags and which would read as an option.
 */
export function isValidRefName(name: string): boolean {
  if (name === '' || name === '@' || name.length > 1024 || FORBIDDEN.test(name)) return false;
  if (/^[-/]|[/.]$/.test(name)) return false;
  return name.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock'));
}

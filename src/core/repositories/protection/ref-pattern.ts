/** Returns whether the text is a pattern; `*` matches any characters, including slashes. */
export const isWildcard = (pattern: string): boolean => pattern.includes('*');

/**
 * Compiles a protection's pattern to a matcher of names, whose time is linear in their length for any
 * pattern.
 */
export function patternMatcher(pattern: string): (name: string) => boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return (name) => name === pattern;
  return (name) => {
    if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last))
      return false;
    let from = first.length;
    const end = name.length - last.length;
    for (const part of rest) {
      const at = name.indexOf(part, from);
      if (at === -1 || at + part.length > end) return false;
      from = at + part.length;
    }
    return true;
  };
}

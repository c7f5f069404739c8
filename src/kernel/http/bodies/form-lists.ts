/** A parameter name like `entities[][source_type]`, possibly with escapes. */
const NAMELESS = /(?:\[|%5b)(?:\]|%5d)(?:\[|%5b)[^\]%]/i;

const PARTS = /^([^[\]]+(?:\[[^[\]]+\])*)\[\](\[[^[\]]+\].*)$/s;

interface Numbering {
  index: number;
  seen: Set<string>;
}

/** Whether a form has lists of hashes without indexes. */
export const hasNamelessHashes = (text: string): boolean => NAMELESS.test(text);

/**
 * Adds indexes to lists of hashes: to v4 servers and Ruby clients `a[][x]=1&a[][y]=2&a[][x]=3` means
 * `a[0][x]=1&a[0][y]=2&a[1][x]=3`; the parser would merge them into one hash. A repeated name starts the next hash, unless it names a list.
 */
export function numberHashes(text: string): string {
  if (!hasNamelessHashes(text)) return text;
  const lists = new Map<string, Numbering>();
  return text
    .split('&')
    .map((pair) => {
      const end = pair.indexOf('=');
      const name = end < 0 ? pair : pair.slice(0, end);
      const parts = PARTS.exec(decoded(name));
      if (!parts) return pair;
      const [, list = '', rest = ''] = parts;
      return `${encodeURIComponent(`${list}[${numberOf(lists, list, rest)}]${rest}`)}${pair.slice(name.length)}`;
    })
    .join('&');
}

function numberOf(lists: Map<string, Numbering>, list: string, rest: string): number {
  const numbering = lists.get(list) ?? { index: 0, seen: new Set<string>() };
  lists.set(list, numbering);
  if (!rest.includes('[]') && numbering.seen.has(rest)) {
    numbering.index += 1;
    numbering.seen.clear();
  }
  numbering.seen.add(rest);
  return numbering.index;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return name;
  }
}

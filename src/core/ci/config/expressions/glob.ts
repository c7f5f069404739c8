import { compilePattern, type Pattern } from './pattern.js';

const MAX_GLOB = 500;
const TOKEN = /\*\*\/|\*+|\?|\\[^]|\[[!^]?\]?[^\]/]*\]|[{},]|[^]/g;

/**
 * Compiles a glob for paths: `*` and `?` stop at slashes, `**` with a slash matches any number of folders,
 * `{a,b}` one of several texts; names with a leading dot are not special. The result is a regular expression
 * of linear time, because common glob libraries do not terminate for some globs. Null if the glob is invalid
 * or too long.
 */
export function readGlob(glob: string): Pattern | null {
  if (glob.length > MAX_GLOB) return null;
  let open = 0;
  const source = glob.replace(TOKEN, (token) => {
    if (token === '**/') return '(?:[^/]+/)*';
    if (token.startsWith('*')) return '[^/]*';
    if (token === '?') return '[^/]';
    if (token.length > 1 && token.startsWith('['))
      return `[${token[1] === '!' || token[1] === '^' ? '^/' : ''}${quoteClass(token.slice(1, -1).replace(/^[!^]/, ''))}]`;
    if (token === '{') open += 1;
    if (token === '{') return '(?:';
    if (token === ',' && open > 0) return '|';
    if (token === '}' && open > 0) {
      open -= 1;
      return ')';
    }
    return quote(token.length > 1 && token.startsWith('\\') ? token.slice(1) : token);
  });
  return compilePattern(`^(?:${source})$`);
}

/** Returns whether a text contains glob characters. */
export const isGlob = (text: string): boolean => /[*?[{\\]/.test(text);

const quote = (text: string): string => text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
const quoteClass = (text: string): string => text.replace(/[\\[\]^]/g, '\\$&');

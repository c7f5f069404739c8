import type { CiVariable } from '../jobs/definition/job-definition.js';

const REFERENCE =
  /\$\$|\$([A-Za-z_][A-Za-z0-9_]*)|\$\{([A-Za-z_][A-Za-z0-9_]*)\}|%([A-Za-z_][A-Za-z0-9_]*)%/g;

/** Limit of nested expansions of variables. */
const MAX_DEPTH = 8;
/** Limit of characters of an expanded text: names are short, but nested variables grow quickly. */
const MAX_LENGTH = 16_384;
/**
 * Limit of references followed per text: references to unknown variables take time without adding to the
 * length.
 */
const MAX_STEPS = 2_000;

/** Variables by their key. */
export type VariableValues = ReadonlyMap<string, CiVariable>;

/** Maps variables by key; the last of duplicate keys wins. */
export const valuesOf = (variables: readonly CiVariable[]): VariableValues =>
  new Map(variables.map((variable) => [variable.key, variable]));

/**
 * Expands the variables of a text (`$NAME`, `${NAME}`, `%NAME%`) recursively; `$$` is a dollar, unknown
 * variables are empty. A variable that refers to itself is left as written. Time and size are bounded: longer
 * results are truncated.
 */
export function expandVariables(text: string, values: VariableValues): string {
  if (!text.includes('$') && !text.includes('%')) return text;
  const within: string[] = [];
  let steps = MAX_STEPS;
  const expand = (part: string): string => {
    let length = 0;
    return part
      .replace(REFERENCE, (whole, plain?: string, braced?: string, percent?: string) => {
        if (whole === '$$') return '$';
        const key = plain ?? braced ?? percent ?? '';
        const found = values.get(key);
        if (!found) return percent === undefined ? '' : whole;
        if (length > MAX_LENGTH || steps <= 0) return '';
        if (within.includes(key) || within.length >= MAX_DEPTH) return whole;
        steps -= 1;
        within.push(key);
        const value = found.raw ? found.value : expand(found.value);
        within.pop();
        length += value.length;
        return value;
      })
      .slice(0, Math.max(MAX_LENGTH, part.length));
  };
  return expand(text);
}

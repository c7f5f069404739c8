import type { CiVariable } from '../jobs/definition/job-definition.js';

const REFERENCE =
  /\$\$|\$([A-Za-z_][A-Za-z0-9_]*)|\$\{([A-Za-z_][A-Za-z0-9_]*)\}|%([A-Za-z_][A-Za-z0-9_]*)%/g;

/** Variables within variables within ... */
const MAX_DEPTH = 8;
/** Characters of what comes out: what names things is short, and variables of variables grow quickly. */
const MAX_LENGTH = 16_384;
/** References followed for one text: those to nothing cost time without making it longer. */
const MAX_STEPS = 2_000;

/** Variables by their key. */
export type VariableValues = ReadonlyMap<string, CiVariable>;

/** The value of each variable; the later of two of one key counts. */
export const valuesOf = (variables: readonly CiVariable[]): VariableValues =>
  new Map(variables.map((variable) => [variable.key, variable]));

/**
 * A text with its variables (`$NAME`, `${NAME}`, `%NAME%`) replaced by their values, and those of the values; `$$` is a dollar, unknown ones
 * are nothing. A variable that leads back to itself stays as it is written. Time and size are bounded: what is too long is cut off.
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

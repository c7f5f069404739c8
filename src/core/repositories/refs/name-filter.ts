import type { RE2JS } from 're2js';
import { invalid } from '#kernel/http/errors.js';
import { library } from '#kernel/libraries/library.js';
import type { Ref } from './read-refs.js';

const re2 = library('re2js');

/** Time limit of a pattern for all names, so that it does not block others. */
const BUDGET_MS = 100;

/** Filters of a list of branches or tags. */
export interface NameFilters {
  readonly search?: string;
  readonly regex?: string;
}

/**
 * Returns the refs whose names contain `search` (case-insensitive; `^x`: start with x, `x$`: end with x) and
 * match `regex`, in RE2 syntax, which takes linear time. @throws 400 if a pattern is invalid or takes too
 * long
 */
export function filterByName(refs: readonly Ref[], { search, regex }: NameFilters): readonly Ref[] {
  const found = search ? refs.filter(({ name }) => isFound(name.toLowerCase(), search.toLowerCase())) : refs;
  return regex ? matching(found, regex) : found;
}

function isFound(name: string, search: string): boolean {
  const isBeginning = search.startsWith('^');
  const isEnd = search.endsWith('$');
  const term = search.slice(isBeginning ? 1 : 0, isEnd ? -1 : undefined);
  if (isBeginning && isEnd) return name === term;
  if (isBeginning) return name.startsWith(term);
  return isEnd ? name.endsWith(term) : name.includes(term);
}

function matching(refs: readonly Ref[], regex: string): Ref[] {
  const pattern = compile(regex);
  const until = performance.now() + BUDGET_MS;
  return refs.filter(({ name }) => {
    if (performance.now() > until) throw invalid({ regex: ['takes too long'] });
    return pattern.matcher(name).find();
  });
}

function compile(regex: string): RE2JS {
  try {
    return re2().RE2JS.compile(regex);
  } catch {
    throw invalid({ regex: ['is invalid'] });
  }
}

import { Injectable } from '@nestjs/common';
import { invalid } from '#kernel/http/errors.js';
import { OverBudget } from '#kernel/threads/over-budget.js';
import { ThreadsService } from '#kernel/threads/threads.service.js';
import type matchTask from './match-names.task.js';
import { matchNames, type MatchedNames } from './match-names.js';
import type { Ref } from './read-refs.js';

/** Filters of a list of branches or tags. */
export interface NameFilters {
  readonly search?: string;
  readonly regex?: string;
}

/** Filters branches and tags by their names. */
@Injectable()
export class NameFilterService {
  constructor(private readonly threads: ThreadsService) {}

  /**
   * Returns the refs whose names contain `search` (case-insensitive; `^x`: start with x, `x$`: end with x)
   * and match `regex`, in RE2 syntax. @throws 400 if a pattern is invalid or takes too long; 429, 503
   */
  async filter(refs: readonly Ref[], { search, regex }: NameFilters): Promise<readonly Ref[]> {
    const found = search
      ? refs.filter(({ name }) => isFound(name.toLowerCase(), search.toLowerCase()))
      : refs;
    if (!regex) return found;
    const matched = await this.match(
      found.map(({ name }) => name),
      regex,
    );
    if (typeof matched === 'string') throw invalid({ regex: [matched] });
    return found.filter((_ref, index) => matched[index]);
  }

  private async match(names: readonly string[], regex: string): Promise<MatchedNames> {
    if (!isMultiplied(regex)) return matchNames({ names, regex });
    try {
      return await this.threads.run<typeof matchTask>('match-names', { names, regex });
    } catch (error) {
      if (error instanceof OverBudget) return 'takes too long';
      throw error;
    }
  }
}

/**
 * Returns whether a pattern may be much longer than its text: a few nested repetitions such as `{1000}` take
 * seconds to compile, and for a single name.
 */
const isMultiplied = (regex: string): boolean => regex.includes('{');

function isFound(name: string, search: string): boolean {
  const isBeginning = search.startsWith('^');
  const isEnd = search.endsWith('$');
  const term = search.slice(isBeginning ? 1 : 0, isEnd ? -1 : undefined);
  if (isBeginning && isEnd) return name === term;
  if (isBeginning) return name.startsWith(term);
  return isEnd ? name.endsWith(term) : name.includes(term);
}

import type { CompileContext } from '../compile-context.js';
import { expandVariables, type VariableValues } from '../expand.js';
import { evaluate } from '../expressions/evaluate.js';
import type { Problems } from '../problems.js';
import { PathMatching } from './path-matching.js';
import type { Conditions, WantedChanges } from './rule.js';

/** Evaluates the conditions of rules. */
export class ConditionCheck {
  private readonly paths = new PathMatching();

  constructor(
    private readonly context: CompileContext,
    private readonly problems: Problems,
  ) {}

  /** Returns the first rule whose conditions hold, or null. */
  async firstOf<R extends Conditions>(rules: readonly R[], values: VariableValues): Promise<R | null> {
    for (const rule of rules) if (await this.holds(rule, values)) return rule;
    return null;
  }

  /** Returns whether all conditions hold. */
  async holds({ if: expression, changes, exists }: Conditions, values: VariableValues): Promise<boolean> {
    if (expression && !evaluate(expression, values)) return false;
    if (changes && !(await this.changed(changes, values))) return false;
    return !exists || (await this.exist(exists, values));
  }

  /** Returns whether a matching file has changed; true if the changes are unknown. */
  async changed({ paths, compareTo }: WantedChanges, values: VariableValues): Promise<boolean> {
    const since = compareTo === null ? null : expandVariables(compareTo, values);
    const changed = await (since === null ? this.context.changedFiles() : this.context.changedFiles(since));
    if (changed) return this.paths.any(changed, expandAll(paths, values));
    if (since !== null) this.problems.add('rules:changes:compare_to is not a valid ref');
    return since === null;
  }

  private async exist(paths: readonly string[], values: VariableValues): Promise<boolean> {
    const all = await this.context.allFiles();
    return all === null || this.paths.any(all, expandAll(paths, values));
  }
}

const expandAll = (texts: readonly string[], values: VariableValues): string[] =>
  texts.map((text) => expandVariables(text, values));

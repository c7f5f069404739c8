import type { CompileContext } from '../compile-context.js';
import { evaluate } from '../expressions/evaluate.js';
import type { Expression } from '../expressions/expression.js';
import { readPattern } from '../expressions/pattern.js';
import type { VariableValues } from '../expand.js';
import type { ConditionCheck } from './condition-check.js';

/** Conditions of `only` or `except`; null for those not given. */
export interface RefPolicy {
  readonly refs: readonly string[] | null;
  readonly variables: readonly Expression[] | null;
  readonly changes: readonly string[] | null;
}

/** Default of jobs without `only`. */
export const DEFAULT_ONLY: RefPolicy = { refs: ['branches', 'tags'], variables: null, changes: null };

/** Facts on which `only` and `except` depend. */
interface PolicyFacts {
  readonly context: CompileContext;
  readonly check: ConditionCheck;
  readonly values: VariableValues;
}

/** Decides whether a job is in the pipeline: all conditions of `only` must hold, and none of `except`. */
export async function admits(
  only: RefPolicy | null,
  except: RefPolicy | null,
  facts: PolicyFacts,
): Promise<boolean> {
  for (const fits of answers(only, facts)) if (!(await fits())) return false;
  for (const fits of answers(except, facts)) if (await fits()) return false;
  return true;
}

function answers(policy: RefPolicy | null, facts: PolicyFacts): (() => boolean | Promise<boolean>)[] {
  const { context, check, values } = facts;
  const { refs, variables, changes } = policy ?? { refs: null, variables: null, changes: null };
  return [
    ...(refs ? [() => refs.some((ref) => matchesRef(ref, context, values))] : []),
    ...(variables ? [() => variables.some((one) => evaluate(one, values))] : []),
    ...(changes ? [() => check.changed({ paths: changes, compareTo: null }, values)] : []),
  ];
}

/**
 * Matches the kind of a ref or source, a ref name, or a regular expression for refs; each may end in
 * `@path/of/project`.
 */
function matchesRef(written: string, { ref, tag, source }: CompileContext, values: VariableValues): boolean {
  const at = projectAt(written);
  const wanted = at > 0 ? written.slice(0, at) : written;
  if (at > 0 && written.slice(at + 1) !== values.get('CI_PROJECT_PATH')?.value) return false;
  const isMergeRequest = source === 'merge_request_event';
  if (wanted === 'tags') return tag;
  if (wanted === 'branches') return !tag && !isMergeRequest;
  const sourceName = source.replace(/_event$/, '');
  if (wanted === sourceName || wanted === pluralOf(sourceName)) return true;
  if (isMergeRequest) return false;
  return wanted.startsWith('/') ? (readPattern(wanted)?.matches(ref) ?? false) : wanted === ref;
}

const pluralOf = (name: string): string => (name === 'push' ? 'pushes' : `${name}s`);

/** Finds the start of `@path/of/project`; before it a regular expression ends with a slash and flags. */
const projectAt = (written: string): number =>
  written.startsWith('/') ? written.search(/(?<=\/[ismU]*)@[^/@][^@]*$/) : written.lastIndexOf('@');

import { readMap, readText } from '../keywords/reading.js';
import { readRules } from '../keywords/rules.js';
import type { Spot } from '../problems.js';
import type { Rule } from '../rules/rule.js';
import type { Yaml } from '../yaml/yaml-value.js';

/** Rules for creating the pipeline, and its name. */
export interface Workflow {
  readonly name: string | null;
  readonly rules: readonly Rule[] | null;
}

/** Reads `workflow`. */
export function readWorkflow(value: Yaml | undefined, spot: Spot): Workflow {
  const map =
    value === undefined || value === null ? null : readMap(value, spot, ['name', 'rules', 'auto_cancel']);
  if (!map) return { name: null, rules: null };
  return {
    name: readText(map, 'name', spot),
    rules: readRules(map.get('rules'), spot.in('rules'), 'workflow'),
  };
}

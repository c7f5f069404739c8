import { readMap, readText } from '../keywords/reading.js';
import { readRules } from '../keywords/rules.js';
import type { Spot } from '../problems.js';
import { readAutoCancel, type AutoCancel } from '../rules/auto-cancel.js';
import type { Rule } from '../rules/rule.js';
import type { Yaml } from '../yaml/yaml-value.js';

/** Rules for creating the pipeline, its name, and what cancels it. */
export interface Workflow {
  readonly name: string | null;
  readonly rules: readonly Rule[] | null;
  readonly autoCancel: AutoCancel;
}

/** Reads `workflow`. */
export function readWorkflow(value: Yaml | undefined, spot: Spot): Workflow {
  const map =
    value === undefined || value === null ? null : readMap(value, spot, ['name', 'rules', 'auto_cancel']);
  return {
    name: map && readText(map, 'name', spot),
    rules: map && readRules(map.get('rules'), spot.in('rules'), 'workflow'),
    autoCancel: readAutoCancel(map?.get('auto_cancel'), spot.in('auto_cancel')),
  };
}

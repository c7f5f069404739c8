import { parseExpression } from '../expressions/expression.js';
import type { Spot } from '../problems.js';
import { readAutoCancel } from '../rules/auto-cancel.js';
import type { Rule, WantedChanges } from '../rules/rule.js';
import { isList, isMap, type Yaml, type YamlMap } from '../yaml/yaml-value.js';
import { readNeeds } from './needs.js';
import { readFlag, readText, readTexts, readWord, refuseOthers } from './reading.js';
import { readStartIn } from './timing.js';
import { readVariables } from './variables.js';

const MAX_PATHS = 50;
const CONDITIONS = ['if', 'changes', 'exists'];
const JOB_WHEN = ['on_success', 'on_failure', 'always', 'never', 'manual', 'delayed'] as const;
const WORKFLOW_WHEN = ['always', 'never'] as const;

/** Owner of a list of rules. */
type RulesOf = 'job' | 'workflow' | 'include';

const KEYS: Readonly<Record<RulesOf, readonly string[]>> = {
  job: [...CONDITIONS, 'when', 'start_in', 'allow_failure', 'variables', 'needs', 'interruptible'],
  workflow: [...CONDITIONS, 'when', 'variables', 'auto_cancel'],
  include: [...CONDITIONS, 'when'],
};

/** Reads `rules`: a list of hashes; nested lists are flattened. */
export function readRules(value: Yaml | undefined, spot: Spot, of: RulesOf): readonly Rule[] | null {
  if (value === undefined || value === null) return null;
  const list = flatten(value);
  if (!list) return spot.fail('config should be an array of hashes');
  return list.map((one) => readRule(one, spot.in('rule'), of)).filter((rule) => rule !== null);
}

function flatten(value: Yaml, depth = 0): readonly Yaml[] | null {
  if (!isList(value) || depth > 10) return null;
  const parts = value.map((one) => (isList(one) ? flatten(one, depth + 1) : [one]));
  return parts.every((part) => part !== null) ? parts.flat() : null;
}

function readRule(value: Yaml, spot: Spot, of: RulesOf): Rule | null {
  if (!isMap(value)) return spot.fail('config should be a hash');
  refuseOthers(value, spot, KEYS[of]);
  const rule: Rule = {
    if: readCondition(value, spot),
    changes: readChanges(value, spot),
    exists: readExists(value, spot),
    when: readWord(value, 'when', spot, of === 'job' ? JOB_WHEN : WORKFLOW_WHEN),
    allowFailure: readFlag(value, 'allow_failure', spot),
    interruptible: readFlag(value, 'interruptible', spot),
    autoCancel: readAutoCancel(value.get('auto_cancel'), spot.in('auto_cancel')),
    startIn: readStartIn(value, spot),
    variables: readVariables(value.get('variables'), spot.in('variables')),
    needs: readNeeds(value.get('needs'), spot.in('needs')),
  };
  if (rule.when === 'delayed' && !value.has('start_in')) spot.fail('start in should be a duration');
  if (rule.when !== 'delayed' && rule.startIn !== null) spot.fail('start in must be blank');
  return rule;
}

function readCondition(rule: YamlMap, spot: Spot): Rule['if'] {
  const written = rule.get('if');
  if (written === undefined || written === null) return null;
  const expression = typeof written === 'string' ? parseExpression(written) : null;
  return expression ?? spot.fail('if invalid expression syntax');
}

function readChanges(rule: YamlMap, spot: Spot): WantedChanges | null {
  const written = rule.get('changes');
  if (!isMap(written)) {
    const paths = readPaths(rule, 'changes', spot);
    return paths && { paths, compareTo: null };
  }
  const inner = spot.in('changes');
  refuseOthers(written, inner, ['paths', 'compare_to']);
  const paths = readPaths(written, 'paths', inner);
  if (paths === null) return inner.fail("paths can't be blank");
  return { paths, compareTo: readText(written, 'compare_to', inner) };
}

const readExists = (rule: YamlMap, spot: Spot): readonly string[] | null => {
  const written = rule.get('exists');
  if (!isMap(written)) return readPaths(rule, 'exists', spot);
  refuseOthers(written, spot.in('exists'), ['paths']);
  return readPaths(written, 'paths', spot.in('exists'));
};

function readPaths(map: YamlMap, key: string, spot: Spot): readonly string[] | null {
  const paths = readTexts(map, key, spot, { single: true });
  return paths && paths.length > MAX_PATHS
    ? spot.fail(`${key} is too long (maximum is ${MAX_PATHS} paths)`)
    : paths;
}

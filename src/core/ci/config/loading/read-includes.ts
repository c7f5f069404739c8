import { readRules } from '../keywords/rules.js';
import { Spot, type Problems } from '../problems.js';
import type { Rule } from '../rules/rule.js';
import { isList, isMap, type Yaml } from '../yaml/yaml-value.js';

/** A file to include. */
interface Include {
  /** As written, with possible variables and wildcards. */
  readonly path: string;
  readonly rules: readonly Rule[] | null;
}

const OTHERS = ['remote', 'project', 'template', 'component', 'file', 'ref', 'artifact', 'job'];

/** Reads `include`: files of the same repository. */
export function readIncludes(value: Yaml | undefined, problems: Problems): readonly Include[] {
  if (value === undefined || value === null) return [];
  const list = isList(value) ? value : [value];
  return list.map((one) => readInclude(one, problems)).filter((include) => include !== null);
}

function readInclude(value: Yaml, problems: Problems): Include | null {
  const spot = new Spot('include', problems);
  if (typeof value === 'string')
    return /^https?:/i.test(value) ? notOffered('remote', problems) : { path: value, rules: null };
  if (!isMap(value)) return spot.fail('config should be an array or a string');
  const other = OTHERS.find((key) => value.has(key));
  if (other !== undefined) return notOffered(other, problems);
  const unknown = [...value.keys()].filter((key) => !['local', 'rules', 'inputs'].includes(key));
  const local = value.get('local');
  if (unknown.length > 0 || typeof local !== 'string' || local === '')
    return spot.fail(
      `config ${JSON.stringify(Object.fromEntries([...value].slice(0, 5))).slice(0, 200)} does not have a valid subkey for include. Valid subkeys are: \`local\``,
    );
  if (value.has('inputs')) return spot.fail('inputs are not supported');
  return { path: local, rules: readRules(value.get('rules'), spot.in('rules'), 'include') };
}

function notOffered(key: string, problems: Problems): null {
  problems.add(
    `include: \`${key}\` is not supported: only files of the same repository (\`local\`) can be included`,
  );
  return null;
}

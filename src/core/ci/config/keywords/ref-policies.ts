import { parseExpression } from '../expressions/expression.js';
import { readPattern } from '../expressions/pattern.js';
import type { Spot } from '../problems.js';
import type { RefPolicy } from '../rules/ref-policy.js';
import { isMap, isScalar, type Yaml, type YamlMap } from '../yaml/yaml-value.js';
import { readTexts, refuseOthers, textsOf } from './reading.js';

/** Limit of characters of a ref or a regular expression. */
const MAX_REF = 1_000;

/** Reads `only` or `except`: refs, or a hash of conditions. */
export function readRefPolicy(value: Yaml | undefined, spot: Spot): RefPolicy | null {
  if (value === undefined || value === null) return null;
  if (!isMap(value)) {
    const refs = isScalar(value) ? [String(value)] : textsOf(value);
    if (!refs) return spot.fail('config has an unsupported type');
    return { refs: checkedRefs(refs, spot), variables: null, changes: null };
  }
  refuseOthers(value, spot, ['refs', 'variables', 'changes', 'kubernetes']);
  const refs = readTexts(value, 'refs', spot, { single: true });
  return {
    refs: refs && checkedRefs(refs, spot),
    variables: readExpressions(value, spot),
    changes: readTexts(value, 'changes', spot, { single: true }),
  };
}

function checkedRefs(refs: readonly string[], spot: Spot): readonly string[] {
  const isWrong = (ref: string): boolean =>
    ref.length > MAX_REF ||
    (ref.startsWith('/') && readPattern(ref.replace(/(\/[ismU]*)@[^/].*$/, '$1')) === null);
  if (refs.some(isWrong))
    spot.fail('config should be an array of strings or regular expressions using re2 syntax');
  return refs;
}

function readExpressions(map: YamlMap, spot: Spot): RefPolicy['variables'] {
  const texts = readTexts(map, 'variables', spot, { single: true });
  if (!texts) return null;
  const expressions = texts.map((text) => parseExpression(text));
  return expressions.every((one) => one !== null)
    ? expressions
    : spot.fail('variables invalid expression syntax');
}

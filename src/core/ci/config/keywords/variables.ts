import type { CiVariable } from '../../jobs/definition/job-definition.js';
import type { Spot } from '../problems.js';
import { isMap, isScalar, type Yaml } from '../yaml/yaml-value.js';
import { refuseOthers, readFlag, textsOf } from './reading.js';

/** Valid names of environment variables. */
const KEY = /^[A-Za-z_][A-Za-z0-9_]{0,254}$/;

/** Creates a variable of a configuration. */
export const yamlVariable = (key: string, value: string, raw = false): CiVariable => ({
  key,
  value,
  public: true,
  masked: false,
  ...(raw ? { raw } : {}),
});

/** Reads the hash `variables`; global variables may have a description and options. */
export function readVariables(
  value: Yaml | undefined,
  spot: Spot,
  { described = false }: { readonly described?: boolean } = {},
): readonly CiVariable[] {
  if (value === undefined || value === null) return [];
  if (!isMap(value)) {
    spot.fail('config should be a hash of key value pairs');
    return [];
  }
  return Array.from(value, ([key, one]) => readVariable(key, one, spot, described)).filter(
    (variable) => variable !== null,
  );
}

function readVariable(key: string, value: Yaml, spot: Spot, described: boolean): CiVariable | null {
  if (!KEY.test(key)) return spot.fail(`config has an invalid variable name: ${key.slice(0, 100)}`);
  if (value === null) return yamlVariable(key, '');
  if (isScalar(value)) return yamlVariable(key, String(value));
  const inner = spot.in(key);
  if (!isMap(value)) return spot.fail('config should be a hash of key value pairs');
  refuseOthers(value, inner, described ? ['value', 'description', 'expand', 'options'] : ['value', 'expand']);
  const text = value.get('value') ?? '';
  const isRaw = readFlag(value, 'expand', inner) === false;
  const options = value.get('options');
  if (!isScalar(text)) return inner.fail('config value must be a string');
  if (options !== undefined && !textsOf(options)?.includes(String(text)))
    return inner.fail('config value must be one of its options');
  return yamlVariable(key, String(text), isRaw);
}

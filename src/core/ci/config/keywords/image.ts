import type { JobImage, JobService } from '../../jobs/definition/job-definition.js';
import type { Spot } from '../problems.js';
import { isList, isMap, type Yaml, type YamlMap } from '../yaml/yaml-value.js';
import { readText, readTexts, refuseOthers } from './reading.js';
import { readVariables } from './variables.js';

const POLICIES = ['always', 'if-not-present', 'never'];
const IMAGE_KEYS = ['name', 'entrypoint', 'pull_policy', 'docker', 'kubernetes', 'ports'];
const SERVICE_KEYS = [...IMAGE_KEYS, 'alias', 'command', 'variables'];

/** Reads `image`: a name, or a hash with a name. */
export function readImage(value: Yaml | undefined, spot: Spot): JobImage | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return imageOf(value);
  if (!isMap(value)) return spot.fail('config should be a hash or a string');
  refuseOthers(value, spot, IMAGE_KEYS);
  return readParts(value, spot);
}

/** Reads `services`: a list of images with their aliases. */
export function readServices(value: Yaml | undefined, spot: Spot): readonly JobService[] | null {
  if (value === undefined || value === null) return null;
  if (!isList(value)) return spot.fail('config should be a array');
  return value.map((one) => readService(one, spot.in('service'))).filter((service) => service !== null);
}

function readService(value: Yaml, spot: Spot): JobService | null {
  if (typeof value === 'string') return { ...imageOf(value), alias: null, command: null, variables: {} };
  if (!isMap(value)) return spot.fail('config should be a hash or a string');
  refuseOthers(value, spot, SERVICE_KEYS);
  const image = readParts(value, spot);
  const variables = readVariables(value.get('variables'), spot.in('variables'));
  return (
    image && {
      ...image,
      alias: readText(value, 'alias', spot),
      command: readTexts(value, 'command', spot, { single: true }),
      variables: Object.fromEntries(variables.map((variable) => [variable.key, variable.value])),
    }
  );
}

const imageOf = (name: string): JobImage => ({ name, entrypoint: null, pullPolicy: null });

function readParts(map: YamlMap, spot: Spot): JobImage | null {
  const name = readText(map, 'name', spot);
  const pullPolicy = readTexts(map, 'pull_policy', spot, { single: true });
  if (pullPolicy?.some((policy) => !POLICIES.includes(policy)))
    spot.fail(`pull policy should be one of: ${POLICIES.join(', ')}`);
  if (name === null || name === '') return spot.fail("name can't be blank");
  return { name, entrypoint: readTexts(map, 'entrypoint', spot), pullPolicy };
}

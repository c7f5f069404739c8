import type { JobEnvironment } from '../../jobs/definition/job-definition.js';
import { parseDuration } from '#core/instance/duration.js';
import type { Spot } from '../problems.js';
import { isMap, type Yaml } from '../yaml/yaml-value.js';
import { readScalar, readText, readWord, refuseOthers } from './reading.js';

const KEYS = ['name', 'url', 'action', 'on_stop', 'auto_stop_in', 'kubernetes', 'deployment_tier'];
const ACTIONS = ['start', 'stop', 'prepare', 'verify', 'access'] as const;
const TIERS = ['production', 'staging', 'testing', 'development', 'other'] as const;
const NAME = /^(?!\/)[A-Za-z0-9_\-${}. /]+(?<!\/)$/;
const NAME_RULE =
  "name can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces, but it cannot start or end with '/'";

/** Reads `environment`: a name, or a hash with a name. */
export function readEnvironment(value: Yaml | undefined, spot: Spot): JobEnvironment | null {
  if (value === undefined || value === null) return null;
  const map = typeof value === 'string' ? new Map([['name', value]]) : value;
  if (!isMap(map)) return spot.fail('config should be a hash or a string');
  refuseOthers(map, spot, KEYS);
  const name = readScalar(map, 'name', spot);
  if (name === null || name === '') return spot.fail("name can't be blank");
  if (name.length > 255) spot.fail('name is too long (maximum is 255 characters)');
  if (!NAME.test(name)) spot.fail(NAME_RULE);
  const url = readText(map, 'url', spot);
  if (url !== null && url.length > 255) spot.fail('url is too long (maximum is 255 characters)');
  const autoStopIn = readText(map, 'auto_stop_in', spot);
  if (
    autoStopIn !== null &&
    !autoStopIn.includes('$') &&
    autoStopIn !== 'never' &&
    parseDuration(autoStopIn) === null
  )
    spot.fail('auto stop in should be a duration');
  return {
    name,
    url,
    action: readWord(map, 'action', spot, ACTIONS) ?? 'start',
    onStop: readText(map, 'on_stop', spot),
    deploymentTier: readWord(map, 'deployment_tier', spot, TIERS),
    autoStopIn,
  };
}
